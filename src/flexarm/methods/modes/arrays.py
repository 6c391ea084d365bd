"""What travels through the kernels: the constants of an arm, and their workspace.

Equations: M27.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.methods.modes import layout as at
from flexarm.numerics import laws
from flexarm.numerics.bundle import Bundle

SCHEMES = {
    # stage times, velocities from accelerations (start, first stage, end), weights of a sum over the step
    "lobatto": ((0.5, 1.0), ((5 / 24, 1 / 3, -1 / 24), (1 / 6, 2 / 3, 1 / 6)), (1 / 6, 2 / 3, 1 / 6)),
    "radau": ((1 / 3, 1.0), ((0.0, 5 / 12, -1 / 12), (0.0, 3 / 4, 1 / 4)), (0.0, 3 / 4, 1 / 4)),
}
"""Two-stage collocation that ends at a stage; positions follow from velocities by the same table.

A torque that is held jumps at every tick. Lobatto IIIA multiplies what is much faster than a step by +1: such modes, strongly
damped ones too, stay where they are instead of giving way to the new torque, and the law reads an arm that is too stiff.
Radau IIA multiplies them by 0.
"""
ORDER = {"lobatto": 4, "radau": 3}


class Common(Bundle):
    """Constants that the equations of motion of all arms have. Coordinates are given by number, -1 means none.

    size, moving, rows : number of coordinates, of those that the equations decide, of loop equations
    row : first equation of each loop

    Joints that can move, in the order of the channels of the drive table:
    link, motor : coordinates of both sides; drive, sense : that on which the motor works, that which the law reads
    prescribed : whether a motion is prescribed; body : its link; spring, damper, play, rotor : between the sides
    rotor_body : its rotor if that turns on its own
    law : see `flexarm.numerics.laws`

    load, load_data : points of the loads on links, see `layout`; loads : their number
    channel : channel of each prescribed coordinate
    stiffness, damping : linear ones of links and joints, (size, size)
    second_order : whether shortening by bending is counted
    stage_time, velocity_weights, position_weights, weights : of the time scheme; row 0 is the start of the step
    reach : size of the arm (m); tolerance, iterations : of Newton's method
    singular : ratio of singular values of the loops below which a run stops
    """

    size: int
    moving: int
    rows: int
    loads: int
    row: np.ndarray
    link: np.ndarray
    motor: np.ndarray
    drive: np.ndarray
    sense: np.ndarray
    prescribed: np.ndarray
    body: np.ndarray
    rotor_body: np.ndarray
    spring: np.ndarray
    damper: np.ndarray
    play: np.ndarray
    rotor: np.ndarray
    law: np.ndarray
    load: np.ndarray
    load_data: np.ndarray
    channel: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    gravity: np.ndarray
    second_order: int
    stage_time: np.ndarray
    velocity_weights: np.ndarray
    position_weights: np.ndarray
    weights: np.ndarray
    reach: float
    tolerance: float
    iterations: int
    singular: float


class Parts(Common):
    """Constants of an arm in the plane. Coordinates, bodies and points are given by number, -1 means none.

    Bodies, links first, then rotors that turn on their own:
    parent, mount : body that carries it and the point on it; hinge : coordinate of its joint; angle : that of a weld
    ratio : turns of the body per turn of its joint, 1 but for geared rotors
    first, count : its modal coordinates; columns, column_count : all coordinates that move it
    mass, S, I0, N, C, P, M, modal_mass, G, H, root_slope : its modal integrals, see `BodyIntegrals`
    first_point : its first mass point, and after the last body their number; point_mass, point_inertia, point_r0, point_s,
    point_slope, point_back : of the mass points, see `Place`; back is H along the link, across it H is -y slope slope^T
    first_beside : first of the mass points that lie beside the axis; points_N, points_P, points_M : sums over those on the axis of
    m s_y, J slope and m s_y s_y^T + J slope slope^T

    Points: owner : their body; r0, s, slope, second : as in `Place`

    Loops: ends : their two points; welded, weld : whether and at which angle the sections are welded
    """

    parent: np.ndarray
    mount: np.ndarray
    hinge: np.ndarray
    angle: np.ndarray
    ratio: np.ndarray
    first: np.ndarray
    count: np.ndarray
    columns: np.ndarray
    column_count: np.ndarray
    mass: np.ndarray
    S: np.ndarray
    I0: np.ndarray
    N: np.ndarray
    C: np.ndarray
    P: np.ndarray
    M: np.ndarray
    modal_mass: np.ndarray
    G: np.ndarray
    H: np.ndarray
    root_slope: np.ndarray
    first_point: np.ndarray
    first_beside: np.ndarray
    points_N: np.ndarray
    points_P: np.ndarray
    points_M: np.ndarray
    point_mass: np.ndarray
    point_inertia: np.ndarray
    point_r0: np.ndarray
    point_s: np.ndarray
    point_slope: np.ndarray
    point_back: np.ndarray
    owner: np.ndarray
    r0: np.ndarray
    s: np.ndarray
    slope: np.ndarray
    second: np.ndarray
    ends: np.ndarray
    welded: np.ndarray
    weld: np.ndarray


class CommonWorkspace(Bundle):
    """Where the kernels of all arms work; nothing here outlives a step.

    mass, bias : M and h; balance, torque, friction : forces without inertia, of motors and their friction
    Loops: phi, jac, phi_gamma, right, lam; gram, gram_vectors; table, order : the partition
    Linear algebra on independent coordinates: half, reduced, block; reduced_vector, newton_right, newton_matrix, pivots
    Step point (row 0) and stages (rows 1, 2): q, v, a, found_a, defect; coupling (3, 3), slope; matrix_slope : slopes
    with which the Newton matrix was made; slid : rates of the motors at the last iteration; reversed : 1 where friction is taken
    with its slope at rest; power, loss, storing, energy; rows : drive rows
    old_x, old_z, old_v : what was before; jump : of the velocities; total : a vector
    """

    mass: np.ndarray
    bias: np.ndarray
    balance: np.ndarray
    torque: np.ndarray
    friction: np.ndarray
    phi: np.ndarray
    jac: np.ndarray
    phi_gamma: np.ndarray
    right: np.ndarray
    lam: np.ndarray
    gram: np.ndarray
    gram_vectors: np.ndarray
    table: np.ndarray
    order: np.ndarray
    half: np.ndarray
    reduced: np.ndarray
    block: np.ndarray
    reduced_vector: np.ndarray
    newton_right: np.ndarray
    newton_matrix: np.ndarray
    pivots: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    found_a: np.ndarray
    defect: np.ndarray
    coupling: np.ndarray
    slope: np.ndarray
    matrix_slope: np.ndarray
    slid: np.ndarray
    reversed: np.ndarray
    power: np.ndarray
    loss: np.ndarray
    storing: np.ndarray
    energy: np.ndarray
    rows: np.ndarray
    law_work: np.ndarray
    old_x: np.ndarray
    old_z: np.ndarray
    old_v: np.ndarray
    jump: np.ndarray
    total: np.ndarray


class Workspace(CommonWorkspace):
    """The same of an arm in the plane.

    Frames of the bodies, then of both ends of a loop: origin, angle, rate, cos, sin, J (Jacobian of x, y and angle),
    gamma (part of the acceleration that is not J q'')

    One body: body_N, body_P, body_mass, body_force : blocks R-q, phi-q, q-q of its mass matrix, force on q; moments : u;
    lever, wrench : E A u, force and moment; point_D : s + H q of one of its mass points
    """

    origin: np.ndarray
    angle: np.ndarray
    rate: np.ndarray
    cos: np.ndarray
    sin: np.ndarray
    J: np.ndarray
    gamma: np.ndarray
    body_N: np.ndarray
    body_P: np.ndarray
    body_mass: np.ndarray
    body_force: np.ndarray
    point_D: np.ndarray
    moments: np.ndarray
    lever: np.ndarray
    wrench: np.ndarray


def scheme_tables(name: str) -> dict[str, np.ndarray]:
    """Numbers of a time scheme for `Parts`."""
    times, velocity, weights = SCHEMES[name]
    A = np.vstack([np.zeros(3), velocity])
    return {
        "stage_time": np.array([0.0, *times]), "velocity_weights": A, "position_weights": A @ A,
        "weights": np.array(weights),
    }  # fmt: skip


def make_workspace(part: Parts, channels: int) -> Workspace:
    """Workspace for an arm in the plane."""
    n, width, frames = part.size, part.N.shape[2], len(part.parent) + 2
    shapes: dict[str, Any] = {
        "origin": (frames, 2), "angle": frames, "rate": frames, "cos": frames, "sin": frames, "J": (frames, 3, n),
        "gamma": (frames, 2), "body_N": (2, width), "body_P": width, "body_force": width,
        "body_mass": (width, width), "point_D": (2, width), "moments": 2, "lever": 2, "wrench": 3,
    }  # fmt: skip
    return Workspace(**common_arrays(part, channels), **{name: np.zeros(shape) for name, shape in shapes.items()})


def common_arrays(part: Common, channels: int) -> dict[str, np.ndarray]:
    """Arrays of `CommonWorkspace` for an arm."""
    n, m, joints = part.size, part.rows, len(part.link)
    shapes: dict[str, Any] = {
        "mass": (n, n), "bias": n, "balance": n, "torque": joints, "friction": joints, "phi": m, "jac": (m, n),
        "phi_gamma": m, "right": m, "lam": m, "gram": (m, m), "gram_vectors": (m, m), "table": (m, n + 1),
        "half": (n, n), "reduced": (n, n), "block": (n, n), "reduced_vector": n, "newton_right": 2 * n,
        "newton_matrix": (2 * n, 2 * n), "q": (3, n), "v": (3, n), "a": (3, n), "found_a": (3, n), "defect": (3, n),
        "coupling": (3, 3, n, n), "slope": (3, joints, at.SLOPES), "matrix_slope": (3, joints, at.SLOPES),
        "slid": (3, joints), "reversed": (3, joints), "power": 3,
        "loss": 3, "storing": 3, "energy": 3, "rows": (3, max(1, channels), laws.WIDEST),
        "law_work": (laws.ORDER + 2, laws.ORDER), "old_x": 3 * n + m + at.JOINT_ROWS * joints + at.SUMS + part.loads,
        "old_z": (max(1, joints), laws.Z_SIZE), "old_v": n, "jump": n, "total": n,
    }  # fmt: skip
    whole = {"order": np.zeros(n, dtype=np.int64), "pivots": np.zeros(2 * n, dtype=np.int64)}
    return {name: np.zeros(shape) for name, shape in shapes.items()} | whole
