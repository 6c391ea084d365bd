"""How the numbers of the finite-element arm lie in memory; shared by models and kernels.

The state vector is x = [q | v | frame | sums | lam | a | A | fc | fd | tc | td] for `size` unknowns and `links` links:
positions, velocities; Theta, its rate and acceleration of every link, then position, rate, torque through the joint and
torque of the motor of every joint; sums kept inside the step; forces of the ties; accelerations and those of the time
scheme; conservative and damping forces of the last step point, and their parts in the torque of every joint.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit_inside

ANGLE, RATE, ACCELERATION, JOINT, JOINT_RATE, TORQUE, DRIVE, DRAG, MOTOR = range(9)
FRAME = 9
"""Rows of the frame part, each of length `links`."""

WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER, SOFT = range(8)
SUMS = 8
"""Work of the drives, losses, loss of the scheme, kinetic + elastic + spring energy (J); Newton iterations, steps that
were halved; power that damping takes out at the step point (W); soft steps that are left (-1: an event has changed
velocities)."""

(
    P_MASS, P_INERTIA, P_CX, P_CY, P_GX, P_GY, P_TOLERANCE, P_BETA, P_GAMMA, P_AM, P_AF, P_LENGTH,
) = range(12)  # fmt: skip
P_SIZE = 12
"""Payload mass, inertia, offset; gravity; Newton tolerance; numbers of the time scheme; reach."""

I_THEORY, I_PAYLOAD, I_LINKS, I_ITERATIONS, I_BY_ENERGY, I_CARRIES, I_DAMPED, I_RUBS, I_SOFT = range(9)
I_SIZE = 9
"""Theory, link of the payload, links, most iterations, criterion, whether the payload has mass, whether beams are damped,
whether joints rub, whether anything damps (then jumps need soft steps)."""

# columns of the joint table (links, 14), integers
J_BASE, J_TIP, J_MOTOR, J_OWN, J_LAW, J_CHANNEL, J_SENSE_MOTOR, J_MOVED, J_FRAME, J_PARENT, J_BORDER = range(11)
J_CHORD, J_FROM, J_TO = range(11, 14)
"""Unknowns of the joint; whether its section turns on its own; whether a law (or torque) acts; its channel, -1 if it is
fixed; whether the law reads the motor; whether the command moves it; whether Theta follows the command (so do joints
under a law: their unknowns are what they deviate by); link that carries it, -1 for the ground; row of the
border if the law's slope lies outside the band, else -1; whether the law reads the chord; x of the link's first and last node."""

# columns of the joint figures (links, 4)
K_SPRING, K_DAMPER, K_START, K_ROTOR = range(4)


class Parts(Bundle):
    """What the kernels read of an arm and never change; see `mesh` and `matrices`."""

    connection: np.ndarray
    owner: np.ndarray
    figures: np.ndarray
    shape: np.ndarray
    root_at: np.ndarray
    root_row: np.ndarray
    joint: np.ndarray
    jfig: np.ndarray
    weight: np.ndarray
    payload: np.ndarray
    par: np.ndarray
    ip: np.ndarray
    mass: np.ndarray
    offsets: np.ndarray
    diagonals: np.ndarray
    turn_at: np.ndarray
    turn_link: np.ndarray
    turn_mass: np.ndarray
    turn_total: np.ndarray
    law: np.ndarray
    seat: np.ndarray
    lengths: np.ndarray
    slaves: np.ndarray
    side: np.ndarray
    side_figures: np.ndarray
    copies: np.ndarray
    ends: np.ndarray


class Scratch(Bundle):
    """Room for the kernels; nothing here outlives a step.

    work, small : see the W_ and S_ rows; band : the tangent; keep, keep_z : the state at the start of the step
    rows : (2, channels, 7) drive rows at the end of the step and at the first stage of a soft one
    answers, friction : see `friction`; border, small_border, pivots : see `tying`
    """

    work: np.ndarray
    small: np.ndarray
    law_work: np.ndarray
    band: np.ndarray
    D: np.ndarray
    keep: np.ndarray
    keep_z: np.ndarray
    rows: np.ndarray
    answers: np.ndarray
    friction: np.ndarray
    border: np.ndarray
    small_border: np.ndarray
    pivots: np.ndarray


S_OLD_C, S_OLD_D, S_FREE, S_HERE, S_FORCE, S_TURN, S_PLACE, S_DY, S_DV, S_DM, S_STAGE, S_STAGE_POWER = range(12)
S_ROWS = 12
"""Rows of `small`: torques at the start of the step, strains and forces of a point, angles on which the drives worked,
slopes of laws by reading, its rate and the motor's rate; the power of damping in the first stage of a soft step, and whether the step is soft; power
of the commanded joints in that stage."""


W_Q, W_FC, W_FD, W_RESIDUAL, W_COPY, W_SHIFT, W_V, W_STAGE_V, W_STAGE_A = range(9)
W_ROWS = 9
"""Rows of `work`: positions, forces and damping forces at the start of the step, residual, a copy of it, a shift that closes
gaps, velocities at the start, and rates and accelerations of the first stage of a soft step."""


class Now(NamedTuple):
    """Named parts of a state vector: views, so that writing to them writes the state."""

    x: np.ndarray
    q: np.ndarray
    v: np.ndarray
    frame: np.ndarray
    sums: np.ndarray
    lam: np.ndarray
    a: np.ndarray
    A: np.ndarray
    fc: np.ndarray
    fd: np.ndarray
    tc: np.ndarray
    td: np.ndarray


@njit_inside
def parts_of(x, size, links):
    """The named parts of a state vector."""
    end = 2 * size + FRAME * links
    joints = x.shape[0] - 2 * links
    rest = joints - 4 * size
    return Now(
        x,
        x[:size],
        x[size : 2 * size],
        x[2 * size : end].reshape((FRAME, links)),
        x[end : end + SUMS],
        x[end + SUMS : rest],
        x[rest : rest + size],
        x[rest + size : rest + 2 * size],
        x[rest + 2 * size : rest + 3 * size],
        x[rest + 3 * size : joints],
        x[joints : joints + links],
        x[joints + links : joints + 2 * links],
    )
