"""What the kernels are handed: the arm, views of the state vector, and work arrays, each as one bundle with named fields."""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.matrix import Matrix
from flexarm.methods.fem.spatial.mesh import Mesh
from flexarm.methods.fem.spatial.simd import make_groups
from flexarm.methods.fem.spatial.simd_nodes import make_node_groups
from flexarm.methods.fem.spatial.sliding_material import Z_SIZE
from flexarm.methods.fem.spatial.step_end import O_ROWS
from flexarm.numerics import laws
from flexarm.numerics.bundle import Bundle


def state_shapes(F: int, L: int) -> dict[str, tuple[int, ...]]:
    """Shapes of the parts of a state vector, in their order, for F frames and L links; `layout` says what they are."""
    record = {
        "position": (F, 3), "rotation": (F, 9), "small_rotation": (F, 3), "velocity": (F, 6), "deviation": (4, L),
        "joint_record": (at.FRAME, L), "sums": (at.SUMS,),
    }  # fmt: skip
    beyond = {
        "acceleration": (F, 6), "scheme_acceleration": (F, 6), "joint_acceleration": (4, L), "force": (F, 6),
        "damping_force": (F, 6), "joint_force": (4, L), "joint_damping": (4, L),
    }  # fmt: skip
    return {**record, **beyond, "tangent_use": (at.TANGENT_USE,)}


def state_layout(F: int, L: int) -> dict[str, slice]:
    """Where the parts of a state vector lie."""
    found, first = {}, 0
    for name, shape in state_shapes(F, L).items():
        found[name] = slice(first, first + int(np.prod(shape)))
        first = found[name].stop
    return found


def state_places(F: int, L: int) -> dict[str, np.ndarray]:
    """Places of all numbers of the parts, in their shapes."""
    return {
        name: np.arange(part.start, part.stop).reshape(state_shapes(F, L)[name])
        for name, part in state_layout(F, L).items()
    }


class StateViews(Bundle):
    """The parts of a state vector, see `layout`; `moving` is all of it but the cached `tangent`, `law` states of the joint laws."""

    position: np.ndarray
    rotation: np.ndarray
    small_rotation: np.ndarray
    velocity: np.ndarray
    deviation: np.ndarray
    joint_record: np.ndarray
    sums: np.ndarray
    acceleration: np.ndarray
    scheme_acceleration: np.ndarray
    joint_acceleration: np.ndarray
    force: np.ndarray
    damping_force: np.ndarray
    joint_force: np.ndarray
    joint_damping: np.ndarray
    tangent_use: np.ndarray
    moving: np.ndarray
    law: np.ndarray
    tangent: Matrix


def views(x: np.ndarray, law: np.ndarray, F: int, L: int, like: Matrix) -> StateViews:
    """Arrays that share the memory of the state vector x, by name; its tangent is a matrix `like` another."""
    layout, shapes = state_layout(F, L), state_shapes(F, L)
    parts = [x[layout[name]].reshape(shape) for name, shape in shapes.items()]
    last = layout["tangent_use"]
    return StateViews(*parts, x[: last.start], law, like.on(x[last.stop :]))


class Parts(Bundle):
    """What the kernels read of an arm: frames, elements, joints, bodies and options; see `layout`.

    geometry : of the frames; moved_by : unknowns that move each frame; sliding_joint : (F,) joint whose free length a node's place
    is a share of, or -1; body_root : (nb,) link of which a body is the hub, or -1; material : of sliding beams, see
    `sliding_material`; law : of the joints, see `flexarm.numerics.laws`;
    beta, gamma, alpha_m, alpha_f : of the time scheme; length : of the arm; by_energy : whether Newton's method ends by the
    work of a correction; damped : whether any element is; rubbing : number of joints with dry friction.
    """

    frames: np.ndarray
    geometry: np.ndarray
    moved_by: np.ndarray
    sliding_joint: np.ndarray
    elements: np.ndarray
    element_properties: np.ndarray
    joints: np.ndarray
    joint_data: np.ndarray
    body_frame: np.ndarray
    body_properties: np.ndarray
    body_root: np.ndarray
    material: np.ndarray
    law: np.ndarray
    load: np.ndarray
    load_data: np.ndarray
    gravity: np.ndarray
    tolerance: float
    length: float
    beta: float
    gamma: float
    alpha_m: float
    alpha_f: float
    theory: int
    iterations: int
    by_energy: int
    damped: int
    friction_joints: int
    loads: int


class Scratch(Bundle):
    """What is computed on the way to the forces.

    groups : see `simd`; push_power : (1,) of the loads on links, W; K : (12, 12) matrix of an element; axis, lever : of the
    frames that follow others; phi, phi0 : (L, 5) actual
    and nominal joint positions, rates and accelerations, cosine and sine; stiff_ : motion of the stiff arm; total_ : with
    the small motion beside it; T : (F, 6, most) see `condensation`; streams : see `sliding_material`; root_load : (L, 6)
    forces of hubs and of the rigid parts behind sliding joints on the root frames, which the beam does not feel.
    """

    groups: np.ndarray
    push_power: np.ndarray
    turned: np.ndarray
    K: np.ndarray
    axis: np.ndarray
    lever: np.ndarray
    phi: np.ndarray
    phi0: np.ndarray
    stiff_position: np.ndarray
    stiff_velocity: np.ndarray
    stiff_acceleration: np.ndarray
    total_velocity: np.ndarray
    total_acceleration: np.ndarray
    T: np.ndarray
    streams: np.ndarray
    root_load: np.ndarray


class Solver(Bundle):
    """What a step works with.

    step : (F, 6) moves of the nodes; start_ : forces and joint values at the start of the step (see `step_end`);
    stiff_rotation, stiff_spin : of the stiff arm, old_stiff : at the start of the step, stiff_turn : within it; nodes, node_groups :
    see `simd_nodes`; energies : kinetic, elastic, gravity energy (J) and damping power (W); weights : of the residual's entries;
    friction, friction_rate, friction_response : see `friction`; saved, saved_law : the state before a step; row : drives
    at the point that is sought; wanted, rate, push : which matrix a look is to give (see `assemble`).
    """

    residual: np.ndarray
    right_side: np.ndarray
    weights: np.ndarray
    step: np.ndarray
    start_force: np.ndarray
    start_damping_force: np.ndarray
    start_joint: np.ndarray
    old_rotation: np.ndarray
    stiff_rotation: np.ndarray
    old_stiff: np.ndarray
    stiff_turn: np.ndarray
    stiff_spin: np.ndarray
    relative: np.ndarray
    nodes: np.ndarray
    node_groups: np.ndarray
    energies: np.ndarray
    friction: np.ndarray
    friction_rate: np.ndarray
    friction_response: np.ndarray
    saved: np.ndarray
    saved_law: np.ndarray
    row: np.ndarray
    law_work: np.ndarray
    wanted: int
    rate: float
    push: float


class Kernel(Bundle):
    """All of them as one argument; `matrix` is that which is looked at, steps have theirs in the state."""

    parts: Parts
    scratch: Scratch
    solver: Solver
    matrix: Matrix


def _zeros(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    return [np.zeros(shape) for shape in shapes]


def make_scratch(mesh: Mesh, L: int) -> Scratch:
    """Work arrays for an arm of L links; T is the identity for frames that move as a node does."""
    F, plain = len(mesh.frames), np.flatnonzero(mesh.frames[:, at.F_PLAIN] >= 0)
    T = np.zeros((F, 6, max(6, mesh.moved_by.shape[1])))
    T[plain, np.arange(6)[:, None], np.arange(6)[:, None]] = 1.0
    phi = np.tile([0.0, 0.0, 0.0, 1.0, 0.0], (2, L, 1))
    return Scratch(
        make_groups(mesh.elements), *_zeros((1,), (1, 9), (12, 12), (F, 3), (F, 3)), *phi.copy(),
        *_zeros((F, 3), (F, 6), (F, 6), (F, 6), (F, 6)), T, *_zeros((len(mesh.elements), Z_SIZE), (L, 6)),
    )  # fmt: skip


def make_solver(mesh: Mesh, moving: int, laws_count: int, channels: int, weights: np.ndarray) -> Solver:
    """Work arrays of a step; `moving` is the size of a state without its tangent."""
    F, L, n, nodes = len(mesh.frames), len(mesh.roots), mesh.size, mesh.node_frames
    crew = np.column_stack([nodes, mesh.frames[nodes][:, [at.F_BASE, at.F_DOF]]])
    return Solver(
        *_zeros((n,), (n,)), weights, *_zeros((F, 6), (F, 6), (F, 6), (O_ROWS, L), (F, 9)),
        np.tile(np.eye(3).ravel(), (F, 1)), *_zeros((F, 9), (F, 9), (F, 6), (F, 6)), np.ascontiguousarray(crew),
        make_node_groups(len(nodes)), *_zeros((4,), (L,), (L,), (L, n), (moving,), (laws_count, laws.Z_SIZE)),
        *_zeros((max(1, channels), laws.WIDEST), (laws.ORDER + 2, laws.ORDER)), wanted=at.NOTHING, rate=0.0, push=0.0,
    )  # fmt: skip
