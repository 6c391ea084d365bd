"""Where the numbers of a joint law stand: packed parameters (`law`, one row per joint) and state (`z`, one row per joint)."""

from __future__ import annotations

import numpy as np

from flexarm.errors import CapabilityError

ORDER = 4
"""Largest order of an actuator."""

# law row
LIMIT, FRICTION, SMOOTH, ACTUATOR_ORDER, FEEDTHROUGH = range(5)
MATRIX = 5  # A (ORDER x ORDER), then B, then C
HYDRAULIC = MATRIX + ORDER * ORDER + 2 * ORDER  # 1: the numbers that follow describe a cylinder with pressures

# the cylinder: loop gain as valve opening per m; length over the joint's position; areas, dead volumes, ends of the stroke;
# bulk modulus, flow per opening and root of the drop, supply and tank pressure, leakage, viscous friction, end stops
(
    H_GAIN, H_LEVER, H_SQUARES, H_PRODUCT, H_PHASE, H_AREA_A, H_AREA_B, H_DEAD, H_SHORT, H_LONG, H_BULK, H_FLOW, H_SUPPLY,
    H_TANK, H_LEAK, H_DRAG, H_STOP,
) = range(HYDRAULIC + 1, HYDRAULIC + 18)  # fmt: skip
BACK_EMF, TORQUE_LIMIT = HYDRAULIC + 18, HYDRAULIC + 19  # of an electric motor: torque lost per rate, most torque
DISTURBED = HYDRAULIC + 20  # 1: the drive table has a torque that acts beside that of the motor
LAW_SIZE = HYDRAULIC + 21

# state row
INTEGRAL, ERROR, COMMAND, TORQUE, DRAG, STATE = range(6)  # TORQUE: of motor and friction; DRAG: friction alone
# COMMAND: what enters the actuator, back-emf taken off
PRESSURE = STATE + ORDER  # of both chambers, then their rates
PRESSURE_RATE = PRESSURE + 2
Z_SIZE = PRESSURE_RATE + 2

# columns of a drive table row
POSITION, VELOCITY, ACCELERATION, FORCE, KP, KV, KI, DISTURBANCE = range(8)  # the last one where a law is DISTURBED


WIDEST = 8
"""Columns of a drive table row at most: rows in workspaces have room for all of them."""


def pack(
    limit: float,
    friction: float,
    smooth: float,
    actuator: tuple | None,
    cylinder: np.ndarray | None = None,
    back_emf: float = 0.0,
    torque_limit: float = np.inf,
    disturbed: bool = False,
) -> np.ndarray:
    """One law row.

    Parameters
    ----------
    limit, friction, smooth : float
        Largest command, dry friction, and the rate over which friction changes its sign.
    actuator : (A, B, C, D) of order <= ORDER, or None for an ideal one
        What the command passes through; the spool of the valve if there is a cylinder.
    cylinder : ndarray, optional
        Numbers from H_GAIN to H_STOP.
    back_emf : float
        What the motor's rate takes off the command before the actuator.
    torque_limit : float
        Largest torque behind the actuator; an actuator with such a limit passes a constant command on as it is.
    disturbed : bool
        The drive table has the column DISTURBANCE.
    """
    row = np.zeros(LAW_SIZE)
    row[LIMIT], row[FRICTION], row[SMOOTH], row[FEEDTHROUGH] = limit, friction, smooth, 1.0
    row[BACK_EMF], row[TORQUE_LIMIT], row[DISTURBED] = back_emf, torque_limit, disturbed
    if actuator is not None:
        a, b, c, d = (np.asarray(part, dtype=float) for part in actuator)
        n = a.shape[0]
        if n > ORDER:
            raise CapabilityError(
                f"an actuator in a control loop may have at most {ORDER} poles, this one has {n}",
                field="drive.actuator",
            )
        row[ACTUATOR_ORDER], row[FEEDTHROUGH] = n, float(d)
        matrix = np.zeros((ORDER, ORDER))
        matrix[:n, :n] = a
        row[MATRIX : MATRIX + ORDER * ORDER] = matrix.ravel()
        row[MATRIX + ORDER * ORDER : MATRIX + ORDER * ORDER + n] = b.ravel()
        row[MATRIX + ORDER * ORDER + ORDER : MATRIX + ORDER * ORDER + ORDER + n] = c.ravel()
    if cylinder is not None:
        row[HYDRAULIC] = 1.0
        row[H_GAIN : H_STOP + 1] = cylinder
    return row
