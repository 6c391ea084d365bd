"""How the numbers of the finite-element arm lie in memory; models and kernels read it as one namespace, `layout as at`.

The state vector is x = [q | v | frame | sums | lam | a | A | fc | fd | tc | td | loads] for `size` unknowns and `links` links:
positions, velocities; the rows of the frame; sums over the steps; forces of the constraints; then, not recorded,
accelerations and those of the time scheme; conservative and damping forces of the last step point, and their parts in the
torque of every joint; sizes of the loads on links.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.numerics.bundle import Bundle

EXACT, LINK, LINEAR, QUASI_STATIC = range(4)
THEORIES = ("exact", "link", "linear", "quasi-static")

ANGLE, RATE, ACCELERATION, JOINT, JOINT_RATE, TORQUE, DRIVE, DRAG, MOTOR = range(9)
FRAME = 9
"""Rows of the frame (FRAME, links): Theta of the link, its rate and acceleration; position and rate of the joint, torque
through it, torque of its drive, friction, angle of its motor."""

WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER, STARTING = range(8)
SUMS = 8
"""Work of the drives, losses, loss of the scheme, kinetic + elastic + spring energy (J); Newton iterations, steps that
were halved; power that damping takes out at the step point (W); L-stable starting steps that are left (-1: an event has
changed velocities)."""

J_BASE, J_TIP, J_MOTOR, J_OWN, J_LAW, J_CHANNEL, J_SENSE_MOTOR, J_PRESCRIBED, J_FRAME, J_PARENT, J_BORDER = range(11)
J_CHORD, J_FROM, J_TO = range(11, 14)
J_SIZE = 14
"""Columns of `joint` (links, J_SIZE). Unknowns of the joint; whether its section turns on its own; whether a law (or torque)
acts; its channel, -1 if it is fixed; whether the law reads the motor; whether the command prescribes it; whether Theta
follows the command (so do joints under a law: their unknowns are what they deviate by); link that carries it, -1 for the
ground; row of the border if the law's slope lies outside the band, else -1; whether the law reads the chord; x of the
link's first and last node."""

SPRING, DAMPER, START, ROTOR, GEAR = range(5)
DATA_SIZE = 5
"""Columns of `joint_data` (links, DATA_SIZE): stiffness and damping of its series spring, start angle, inertia of the rotor that
turns with the motor side and, behind a gear, that feels the joint alone."""

MEASURE, EA, GA, EI, JACOBIAN, ETA = range(6)
"""Columns of `properties` (elements, points, 6): length that an integration point stands for, stiffnesses, local coordinate
per length, Kelvin-Voigt time."""

FAR_LINK, FAR_ROOT, FAR_BASE, FAR_NODE, FAR_NEXT = range(5)
"""Columns of `far_nodes`: link, x of its root, angle of its base, x of the far node, first element beyond it (-1: none)."""

SIDE_ROW, SIDE_ROWS, SIDE_LINK, SIDE_KIND, SIDE_COUNT, SIDE_NODES = range(6)
"""Columns of `side` (2 constraints, SIDE_NODES + 8): first equation, equations, link, kind, nodes, then x and chi of each."""
PIN, CHILD, PARENT = range(3)
"""Kinds of sides: of a loop; the root of a link that begins a chain; the place on its parent."""
SIDE_WEIGHT, SIDE_X, SIDE_Y, SIDE_ANGLE = 0, 4, 5, 6
"""Columns of `side_data` (2 constraints, 7): weights of the nodes, offset along and across, angle that a welded loop holds."""
L_LOAD, L_KIND, L_LINK, L_NODES = range(4)
"""Columns of `load` (points, L_NODES + 12): which load, its kind, link, then x, y, chi of up to four nodes around its place."""
L_WORLD, L_TURNING, L_MOMENT = range(3)
"""Kinds of loads: forces that keep their direction or turn with the section, moments. `load_data` (points, 6): direction times
share (or the share of a moment), weights of the nodes."""
COPY_UNKNOWN, COPY_SIDE = range(2)
"""Columns of `copies`: the unknown, and the side of a constraint whose section it copies."""


class Parts(Bundle):
    """What the kernels read of an arm and never change; see `mesh`, `matrices` and `packing`."""

    connection: np.ndarray
    owner: np.ndarray
    properties: np.ndarray
    shape: np.ndarray
    root_at: np.ndarray
    root_row: np.ndarray
    joint: np.ndarray
    joint_data: np.ndarray
    weight: np.ndarray
    payload: np.ndarray
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
    far_nodes: np.ndarray
    ends: np.ndarray
    side: np.ndarray
    side_data: np.ndarray
    copies: np.ndarray
    load: np.ndarray
    load_data: np.ndarray
    theory: int
    links: int
    loads: int
    iterations: int
    by_energy: int
    carries: int
    damped: int
    friction: int
    starting_steps: int
    payload_link: int
    payload_mass: float
    payload_inertia: float
    payload_x: float
    payload_y: float
    gravity_x: float
    gravity_y: float
    tolerance: float
    reach: float
    beta: float
    gamma: float
    alpha_m: float
    alpha_f: float


class Now(Bundle):
    """The state that the kernels work on, and its named parts: views, so that writing to them writes the state."""

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
    loads: np.ndarray

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has views of its own state."""
        return parts_of, (self.x.copy(), len(self.q), self.frame.shape[1], len(self.loads))


def parts_of(x: np.ndarray, size: int, links: int, loads: int) -> Now:
    """The named parts of a state vector."""
    end = 2 * size + FRAME * links
    joints = len(x) - 2 * links - loads
    inner = joints - 4 * size
    return Now(
        x, x[:size], x[size : 2 * size], x[2 * size : end].reshape((FRAME, links)), x[end : end + SUMS],
        x[end + SUMS : inner], x[inner : inner + size], x[inner + size : inner + 2 * size],
        x[inner + 2 * size : inner + 3 * size], x[inner + 3 * size : joints], x[joints : joints + links],
        x[joints + links : joints + 2 * links], x[joints + 2 * links :],
    )  # fmt: skip


class Workspace(Bundle):
    """Room for the kernels; nothing here outlives a step.

    residual, copy : (size,) forces out of balance; band : the tangent; shift : that closes gaps
    start_... : state, forces and torques at the start of the step; stage_... : of the first stage of a starting step
    rows : (2, channels, 7) drive rows at the end of the step and at the first stage of a starting one
    point, force, point_tangent : at an integration point; unread : torques that nobody reads
    drive_angle, command_angle : (links,) angles on which drives and commands work; slope_... : of laws outside the band
    load, start_loads, start_sizes, start_theta : of loads on links, see `loads`
    now : the state that is worked on, copied from and to what Python holds
    answers, friction_... : see `friction`; G, D, W, S, pivots, gap... : see `bordered`
    """

    residual: np.ndarray
    copy: np.ndarray
    shift: np.ndarray
    start_q: np.ndarray
    start_v: np.ndarray
    start_fc: np.ndarray
    start_fd: np.ndarray
    stage_v: np.ndarray
    stage_a: np.ndarray
    start_tc: np.ndarray
    start_td: np.ndarray
    stage_power: np.ndarray
    drive_angle: np.ndarray
    command_angle: np.ndarray
    slope_position: np.ndarray
    slope_rate: np.ndarray
    slope_motor: np.ndarray
    friction_torque: np.ndarray
    friction_rate: np.ndarray
    unread: np.ndarray
    gap: np.ndarray
    gap_rate: np.ndarray
    gap_acceleration: np.ndarray
    right: np.ndarray
    wanted: np.ndarray
    unread_forces: np.ndarray
    G: np.ndarray
    D: np.ndarray
    W: np.ndarray
    S: np.ndarray
    pivots: np.ndarray
    stage_loss: np.ndarray
    point: np.ndarray
    force: np.ndarray
    point_tangent: np.ndarray
    root_motion: np.ndarray
    law_work: np.ndarray
    band: np.ndarray
    start_x: np.ndarray
    start_z: np.ndarray
    rows: np.ndarray
    answers: np.ndarray
    load: np.ndarray
    start_loads: np.ndarray
    start_sizes: np.ndarray
    start_theta: np.ndarray
    now: Now
