"""How the numbers of the arm lie in memory; shared by model and kernels.

Kernels get three bundles: m, what never changes (`Parts`); s, the state (`Motion`); w, workspace (`Workspace`). Vectors
in the plane take two numbers; the place of one is that of its first number in q.
"""

from __future__ import annotations

import math

import numpy as np

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.law_rows import WIDEST

CABLE, SHEAR, CONTINUUM, INVARIANT = range(4)
"""Kinds of element: no shear; shear angle; continuum by quadrature; continuum by constant matrices."""
NEWTON, MODIFIED, BROYDEN = range(3)
HUB_SENSOR, MOTOR_SENSOR, CHORD_SENSOR = range(3)
MOMENT, TURNING, WORLD = range(3)
"""Kinds of load: a moment on sections, a force that turns with its section, one that keeps its direction."""

(
    WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER, TANGENTS, SCALE, STEPS, EXCITED, TANGENT_STEP, STARTING, SUMS,
) = range(14)  # fmt: skip
"""Sums of the state, SUMS in all: work of the drives, losses, energy that the scheme made, stored energy (J); iterations,
steps taken in parts, power of damping (W), tangents made, largest kinetic energy or work so far (J), steps, 1 after a
jump that began motions faster than any step; step for which the cached tangent was made (0: none, below 0: an L-stable
one); L-stable steps that are left."""
CONSERVED, DAMPED, KINETIC = range(3)
"""What a step leaves in `Workspace.balance`: work of conservative forces with inertia and of damping over a conserving
step, kinetic energy at its end (J)."""
PAIRS = 12
"""Steps that Broyden's method remembers."""


class Parts(Bundle):
    """What the kernels read of an arm and never change.

    Elements: places of r, r_x at both ends, then of r_y (-1: cable), and their kinds; length, Kelvin-Voigt time; stiffness
    times weight at 3 Lobatto points (axial), 2 Gauss points (shear, bending), both nodes (thickness); first derivatives of
    the Hermite polynomials at these 5 points, second ones at the latter 2. Of continuum elements (others: one block that
    nobody reads) 15 points with 12 derivatives of r by the six vectors and 3 stiffnesses, and `constant_matrix`.
    """

    connection: np.ndarray
    kind: np.ndarray
    length: np.ndarray
    damping_time: np.ndarray
    axial: np.ndarray
    shear: np.ndarray
    bending: np.ndarray
    thickness: np.ndarray
    slope: np.ndarray
    curve: np.ndarray
    point: np.ndarray
    point_stiffness: np.ndarray
    gram: np.ndarray
    # diagonals of the mass matrix that are not zero, with their offsets; weight; places that do not move
    mass: np.ndarray
    mass_offset: np.ndarray
    weight: np.ndarray
    gravity: np.ndarray
    fixed: np.ndarray
    # joints: places of the vectors of the link's first section and of the section before it (-1: ground), of the motor
    # angle (-1: none), of the link's ends; whether the section follows a command, a spring acts, a law or torque acts, the
    # motor side follows a command; channel (-1: fixed joint) and sensor
    first: np.ndarray
    before: np.ndarray
    motor: np.ndarray
    root: np.ndarray
    tip: np.ndarray
    prescribed: np.ndarray
    sprung: np.ndarray
    acts: np.ndarray
    commanded: np.ndarray
    channel: np.ndarray
    sensor: np.ndarray
    # spring, damper, start angle; inertia of the rotor, and how often it turns per turn of a commanded motor (0: it turns with the
    # motor side); inertia of a geared rotor that feels the joint alone, see `gears`; angle between the first section's vector and the
    # link's axis, and the same less that of the section before; packed law
    spring: np.ndarray
    damper: np.ndarray
    start: np.ndarray
    rotor: np.ndarray
    ratio: np.ndarray
    gear: np.ndarray
    offset: np.ndarray
    turn: np.ndarray
    law: np.ndarray
    # rigid bodies: places of r and of the section's vector (-1: ground), joint whose command turns it besides (-1: none), its
    # channel and ratio; mass, inertia about the centre, offset of the centre along the vector and across it
    body_node: np.ndarray
    body_section: np.ndarray
    body_joint: np.ndarray
    body_channel: np.ndarray
    body_ratio: np.ndarray
    body_mass: np.ndarray
    body_inertia: np.ndarray
    body_offset: np.ndarray
    # loads of patches, see `loads`
    patch_channel: np.ndarray
    patch_kind: np.ndarray
    patch_turn: np.ndarray
    patch_places: np.ndarray
    patch_weights: np.ndarray
    patch_share: np.ndarray
    # how many; numbers of the time scheme and its solver; reach (m); least energy (J) that counts; step after a fresh start
    links: int
    springs: int
    chords: int
    conserving: int
    solver: int
    iterations: int
    tolerance: float
    beta: float
    gamma: float
    alpha_m: float
    alpha_f: float
    reach: float
    step_error: float
    energy_error: float
    least_energy: float
    step: float


class Motion(Bundle):
    """The state: the vector x with its named parts, which are views of it, and the states z of the laws.

    Positions, velocities; of every joint the unwound absolute angles of first section, section before and chord, position and
    rate of the joint, torque through the joint, of the motor and of friction, position and rate of the motor; accelerations;
    loads of the patches; sums; accelerations of the time scheme; forces with inertia at the last step point; stretch of prescribed
    sections, its rate, acceleration and scheme's one; the factored tangent that modified Newton steps share, with the columns
    of chord laws.
    """

    x: np.ndarray
    z: np.ndarray
    q: np.ndarray
    v: np.ndarray
    first_angle: np.ndarray
    before_angle: np.ndarray
    chord_angle: np.ndarray
    joint: np.ndarray
    joint_rate: np.ndarray
    torque: np.ndarray
    drive: np.ndarray
    drag: np.ndarray
    motor: np.ndarray
    motor_rate: np.ndarray
    a: np.ndarray
    patch: np.ndarray
    sums: np.ndarray
    A: np.ndarray
    f: np.ndarray
    stretch: np.ndarray
    band: np.ndarray
    columns: np.ndarray


def state_shapes(size: int, links: int, half: int, chords: int, patches: int) -> dict[str, tuple[int, ...]]:
    """Shapes of the parts of x, in order; a record ends with the sums."""
    names = [name for name in Motion.__annotations__ if name not in ("x", "z")]
    own = {
        "sums": (SUMS,),
        "patch": (patches,),
        "stretch": (4, links),
        "band": (size, 2 * half + 1),
        "columns": (chords, size),
    }
    vectors = dict.fromkeys(("q", "v", "a", "A", "f"), (size,))
    return {name: own.get(name) or vectors.get(name, (links,)) for name in names}


def state_slices(shapes: dict[str, tuple[int, ...]]) -> dict[str, slice]:
    """Where the parts stand in x."""
    slices, first = {}, 0
    for name, shape in shapes.items():
        slices[name] = slice(first, first + math.prod(shape))
        first = slices[name].stop
    return slices


def motion_of(x: np.ndarray, z: np.ndarray, slices: dict[str, slice], shapes: dict[str, tuple[int, ...]]) -> Motion:
    """The state with its parts by name."""
    parts = {name: x[part].reshape(shapes[name]) for name, part in slices.items()}
    return Motion(x=x, z=z, **parts)


class Workspace(Bundle):
    """Room for the kernels; nothing here outlives a step.

    Of an element its vectors e and their rates d (or both ends of a step), forces F, tangent K; the others are explained in the
    element's file. Vectors of the arm: positions, velocities and accelerations at the start of a step, mean positions; forces,
    residual, a copy of it, loads; steps of Broyden's method, directions of chord laws. Of the joints: absolute angles and
    rates of first section, section before and motor, what the law reads; torques and slopes of a joint's three angles; system of
    the chord laws. Drive rows at start, end and middle of a step; the state at its start.
    """

    e: np.ndarray
    d: np.ndarray
    F: np.ndarray
    K: np.ndarray
    Kz: np.ndarray
    y: np.ndarray
    dy: np.ndarray
    D: np.ndarray
    T: np.ndarray
    B: np.ndarray
    Y: np.ndarray
    U: np.ndarray
    V: np.ndarray
    products: np.ndarray
    gradients: np.ndarray
    old_q: np.ndarray
    old_v: np.ndarray
    old_a: np.ndarray
    middle: np.ndarray
    force: np.ndarray
    residual: np.ndarray
    raw: np.ndarray
    load: np.ndarray
    pairs: np.ndarray
    directions: np.ndarray
    band: np.ndarray
    first_angle: np.ndarray
    first_rate: np.ndarray
    before_angle: np.ndarray
    before_rate: np.ndarray
    motor_angle: np.ndarray
    motor_rate: np.ndarray
    reading: np.ndarray
    reading_rate: np.ndarray
    old_stretch: np.ndarray
    mean_stretch: np.ndarray
    torque: np.ndarray
    by_angle: np.ndarray
    by_rate: np.ndarray
    gradient: np.ndarray
    bend: np.ndarray
    law: np.ndarray
    chord_slopes: np.ndarray
    chord_steps: np.ndarray
    chord_matrix: np.ndarray
    balance: np.ndarray
    rows: np.ndarray
    start_x: np.ndarray
    start_z: np.ndarray


def make_workspace(size: int, links: int, half: int, channels: int, motion: Motion) -> Workspace:
    """Workspace of an arm."""
    shapes: dict[str, tuple[int, ...]] = {
        "e": (12,), "d": (12,), "F": (12,), "K": (12, 12), "Kz": (10, 12), "y": (6,), "dy": (6,), "D": (6, 8),
        "T": (6, 12), "B": (3, 6), "Y": (3, 6), "U": (2, 12), "V": (2, 12), "products": (2, 21),
        "gradients": (2, 21, 12), "pairs": (PAIRS, size), "directions": (links, size), "band": (size, 2 * half + 1),
        "old_stretch": (2, links), "torque": (3,), "by_angle": (3, 3), "by_rate": (3, 3), "gradient": (6,),
        "bend": (6,), "law": (6, 12), "chord_slopes": (2, links), "chord_matrix": (links, links), "balance": (3,),
        "rows": (3, max(1, channels), WIDEST), "start_x": motion.x.shape, "start_z": motion.z.shape,
    }  # fmt: skip
    vectors = ("old_q", "old_v", "old_a", "middle", "force", "residual", "raw", "load")
    shapes |= dict.fromkeys(vectors, (size,))
    return Workspace(**{name: np.zeros(shapes.get(name, (links,))) for name in Workspace.__annotations__})
