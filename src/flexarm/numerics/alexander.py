"""L-stable steps for torques that jump: the two-stage method of Alexander.

A torque that jumps at a light section, the end of a beam for one, moves it within less than a step. Schemes of the Newmark
family begin with the huge acceleration of that moment and keep it ringing from step to step, so what a sampled law
reads at its next instant is a rate that is not there. The two-stage method of Alexander (diagonally implicit, second
order, stiffly accurate) reads positions and velocities alone and lets such motions die:

    q1 = q + g v1,                     v1 = v + g a1,                     g = (1 - 1/sqrt 2) h,
    q2 = q + (h - g) v1 + g v2,        v2 = v + (h - g) a1 + g a2,        balance of forces at both.

Both stages are implicit Euler steps of length g, the second one from q + (h - g) v1 and v + (h - g) a1.
"""

from __future__ import annotations

import math

SHARE = 1.0 - 1.0 / math.sqrt(2.0)
"""Place of the first stage in the step, and the implicit share of both."""
STEPS = 4
"""Steps after a jump: what is left of a strongly damped mode is then below 1e-3 of it."""
AFTER_TICK = 2
"""Steps after a control tick, where torques jump by little: with ten steps per tick rates of the joints are then right to 2e-4 of their
size (1e-3 with one such step, 1e-4 with four)."""
