"""How the numbers of the chain lie in memory; models and kernels import it as `at`.

The arm is a chain of rigid bodies, root first. Each has an absolute angle and hangs on the one before it (or on the
ground) by a connection: rigid (with the angle of a motor), a spring, or the torque of a motor.

State of the sound form, for B bodies and n links: x = [theta | omega | alpha | joints | sums | loads | A | Q]: angles, rates,
accelerations (B each); rows of joint numbers (JOINTS x n); sums; sizes of the loads on links; accelerations of the time scheme; forces of inertia and
weight on the angles (B each). Variant paper has its histories in the place of A and Q.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit_inside

# columns of the body table (B, BODY), floats
M, J, CX, CY, OX, OY, K, C, ANGLE, GEAR = range(10)
BODY = 10
"""Mass; inertia about the centre; centre and outboard point from the inboard one, in body axes; stiffness and damper of the
connection; constant angle of a rigid connection; inertia of a geared rotor that feels the connection alone."""

# columns of the kind table (B, KIND), integers
RIGID, SPRING, TORQUE = range(3)
CONNECTION, CHANNEL, LINK = range(3)
KIND = 3
"""Connection; drive channel that moves or drives it (-1: none); link."""

# columns of the joint table (n, JOINT), integers
J_ROOT, J_TIP, J_DRIVE, J_SPRING, J_MODE, J_CHANNEL, J_SENSE_MOTOR = range(7)
JOINT = 7
"""First body of the link; last body before the joint (-1: ground); body whose connection is the motor; body on the joint's
spring (-1: none); FIXED, PRESCRIBED or DRIVEN; channel (-1: none); whether the law reads the motor."""
FIXED, PRESCRIBED, DRIVEN = range(3)

# columns of the joint data (n, 3), floats
ROOT_COMPLIANCE, TIP_COMPLIANCE, ROTOR = range(3)
"""Compliance of half springs that are merged at the joint, on the link's side and before it; inertia of the rotor that
turns with the motor side."""

# rows of the joint numbers in the state
POSITION, RATE, MOTOR, MOTOR_RATE, THROUGH, DRIVE, DRAG = range(7)
JOINTS = 7
"""Link side and its rate, motor side and its rate, torque through the joint, of the motor, of its friction."""

WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER, STARTING = range(8)
SUMS = 8
"""Work of the drives, losses, what the scheme gained, kinetic + elastic + gravity (J); Newton passes, halved steps; power
that damping takes out at the step point (W); L-stable steps that are left."""

# columns of the work table (B, W)
(
    W_C, W_S, W_AX, W_AY, W_PX, W_PY, W_G0, W_GX, W_GY, W_GT, W_THETA, W_OMEGA, W_Q, W_MOMENT, W_LX, W_LY, W_LM, W_DX, W_DY, W_DM,
) = range(20)  # fmt: skip
W_SIZE = 20
"""Cosine, sine; acceleration of the inboard point; its change over the body per angle; correction of the angle: constant, per
ax, ay and angle of the body before; angle, rate and Q at the start of the step; moment of the connection; force of loads
on the body, their moment about the inboard point, and what these change with its angle."""

L_LOAD, L_KIND, L_BODY = range(3)
"""Columns of `load` (points, 3): which load, its kind, body."""
L_WORLD, L_TURNING, L_MOMENT = range(3)
"""Kinds of loads: forces that keep their direction or turn with the body, moments. `load_data` (points, 4): direction times share (or
the share of a moment), place from the inboard point in body axes."""


class Parts(Bundle):
    """What the kernels read of a chain: the tables above, gravity, numbers of the time scheme and of Newton's method."""

    body: np.ndarray
    kind: np.ndarray
    joint: np.ndarray
    joint_data: np.ndarray
    law: np.ndarray
    load: np.ndarray
    load_data: np.ndarray
    gravity_x: float
    gravity_y: float
    beta: float
    gamma: float
    alpha_m: float
    alpha_f: float
    tolerance: float
    iterations: int
    loads: int


class Workspace(Bundle):
    """Arrays in which the kernels work; nothing here outlives a step.

    body : (B, W); motor : (B, 3) torque of the motor at each connection, and minus its slopes by the angles of its own body
    and of the body beyond it (both against the body before it); law : for `law_step`; rows : drive rows at the end of a part
    of a step and at its first stage; start_x, start_z : the state at the start of the step; start_loads : sizes of the loads there
    """

    body: np.ndarray
    motor: np.ndarray
    law: np.ndarray
    rows: np.ndarray
    start_x: np.ndarray
    start_z: np.ndarray
    start_loads: np.ndarray


class Now(NamedTuple):
    """Named parts of a state vector: views, so that writing to them writes the state."""

    theta: np.ndarray
    omega: np.ndarray
    alpha: np.ndarray
    joints: np.ndarray
    sums: np.ndarray
    loads: np.ndarray
    A: np.ndarray
    Q: np.ndarray


@njit_inside
def parts_of(x, part):
    """The named parts of a state vector."""
    size, links = part.body.shape[0], part.joint.shape[0]
    end = 3 * size + JOINTS * links
    width = end + SUMS + part.loads
    return Now(
        x[:size],
        x[size : 2 * size],
        x[2 * size : 3 * size],
        x[3 * size : end].reshape((JOINTS, links)),
        x[end : end + SUMS],
        x[end + SUMS : width],
        x[width : width + size],
        x[width + size : width + 2 * size],
    )


@njit_inside
def write_record(x, part, record):
    """The numbers of a state that are recorded: all but those that only the next step reads."""
    for k in range(3 * part.body.shape[0] + JOINTS * part.joint.shape[0] + SUMS + part.loads):
        record[k] = x[k]
