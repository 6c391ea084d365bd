"""Columns of the drive table, one row per time and channel.

The law of a joint is ``u = TORQUE + KP (POSITION - y) + KV (VELOCITY - y') + KI int(POSITION - y) dt``.
"""

POSITION, VELOCITY, ACCELERATION, TORQUE, KP, KV, KI = range(7)
WIDTH = 7
"""Number of columns."""
DISTURBANCE = 7
"""One column more where torques act beside motors (`Wiring.row_width`); where nothing stands between law and motor they are part of
TORQUE as well."""
