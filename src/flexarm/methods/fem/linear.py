"""Equilibrium and small motions about it: matrices for frequencies and control design."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.fem import assemble, joints, rigid
from flexarm.methods.fem import layout as at
from flexarm.numerics.jit import callable_from_python

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

parts_of, end_of = callable_from_python(at.parts_of), callable_from_python(rigid.end_of)
set_frame = callable_from_python(joints.set_frame)
MOST_ITERATIONS = 60
LOAD_PARTS = (1, 4, 16, 64)
"""In how many parts constant forces are put on, until an equilibrium is found."""


def _evaluate(
    model: FemModel, x: np.ndarray, speed: float, push: float, force: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Residual at rest and its band derivative for given d velocity and d acceleration per position.

    Constant forces (size,) act like weight. Rows and columns of far nodes of rigid links are those of the unit matrix.
    """
    x, weight = x.copy(), model.constant.weight.copy()
    x[model.layout["rest"]][: model.size] = 0.0
    if force is not None:
        model.constant.weight[:] += force
    assemble.evaluate(x, tuple(model.parts), tuple(model.scratch), speed, push)
    model.constant.weight[:] = weight
    return model.scratch.work[assemble.RESIDUAL].copy(), model.scratch.band.copy()


def full_mass(model: FemModel, state: State) -> np.ndarray:
    """Mass matrix (size, size) with the payload, far nodes of rigid links as if they were free."""
    band = np.empty_like(model.parts.mass)
    assemble.mass_at(state.x, tuple(model.parts), band)
    return dense(band)


def freedoms(model: FemModel, state: State) -> np.ndarray:
    """Changes of all unknowns per change of those that are free, (size, free): far nodes follow their roots."""
    T, now = np.eye(model.size), parts_of(state.x, model.size, model.links)
    follow: list[int] = []
    for n, (_, root, base, far, _) in enumerate(model.mesh.slaves):
        swing = end_of(model.parts, now, n)[2:4]
        for axis in range(3):
            row = np.zeros(model.size)
            if axis < 2 and root >= 0:
                row += T[root + axis]
            if base >= 0:
                row += T[base] * (swing[axis] if axis < 2 else 1.0)
            T[far + axis] = row
            follow.append(int(far) + axis)
    return np.delete(T, follow, axis=1)


def dense(band: np.ndarray) -> np.ndarray:
    """The full matrix of a general band matrix."""
    n, b = band.shape[0], band.shape[1] // 2
    full = np.zeros((n, n))
    for i in range(n):
        for j in range(max(0, i - b), min(n, i + b + 1)):
            full[i, j] = band[i, j - i + b]
    return full


def set_pose(model: FemModel, state: State, pose: Any) -> None:
    """Stiff arm at `pose`, at rest, commands there too."""
    rows = np.zeros((max(1, model.channels), 7))
    rows[: len(model.wiring.joints), 0] = np.asarray(pose, dtype=float)
    model.place_rigidly(state, pose, None, rows)
    frame = state.x[model.layout["frame"]].reshape(at.FRAME, model.links)
    set_frame(model.parts, rows, frame)


def static_state(model: FemModel, pose: Any, force: np.ndarray | None = None) -> State:
    """Equilibrium under gravity and constant forces (size,), with the motors held at `pose`, by Newton's method.

    If the full forces are too much at once they are put on in parts.
    """
    state = model.empty()
    set_pose(model, state, pose)
    loaded = force is not None and bool(np.any(force))
    if not any(model.arm.gravity[:2]) and not loaded:
        return state
    T = _held_motors(model)
    none = np.zeros(model.size)
    for parts in LOAD_PARTS if loaded else (1,):
        trial = state.copy()
        shares = [none if force is None else (k + 1) / parts * force for k in range(parts)]
        if parts > 1:
            shares.insert(0, none)
        if all(_relax(model, trial, share, T) for share in shares) and not (loaded and _crushed(model, trial)):
            return trial
    if loaded:
        raise CapabilityError("no equilibrium was found: the arm is too soft for these loads", field="loads")
    raise CapabilityError("no equilibrium was found: the arm is too soft for its own weight", field="arm.gravity")


def _crushed(model: FemModel, state: State) -> bool:
    """True if some section is pressed to nothing, which no beam stands."""
    record = model.record(state)[None, :]
    for i in np.flatnonzero(model.mesh.counts):
        axial = model.reader.section_forces(record, int(i))[1][0]
        if np.any(axial <= -model.constant.figures[model.mesh.link == i, :, 1].ravel()):
            return True
    return False


def is_stable(model: FemModel, state: State) -> bool:
    """True if the energy has a minimum at an equilibrium with all motors held: all pivots are positive."""
    from flexarm.numerics.bandlu import factor

    band = _evaluate(model, state.x, 0.0, 0.0)[1]
    return factor(band) < 0 and bool(np.all(band[:, band.shape[1] // 2] > 0.0))


def _held_motors(model: FemModel) -> np.ndarray | None:
    """Unknowns from those that are left when motors are held; None if all are left.

    A motor that is held keeps its angle to the section before it: its unknown is expressed by that section's.
    """
    acting = [p for i, p in enumerate(model.mesh.joints) if model.joint[i, at.J_LAW]]
    if not acting:
        return None
    held = np.array([p.motor if p.motor >= 0 else p.base for p in acting], dtype=int)
    master = {int(far) + 2: int(base) for _, _, base, far, _ in model.mesh.slaves}
    tips = {int(p.base): master.get(int(p.tip), int(p.tip)) for p in acting if p.motor < 0}
    T = np.eye(model.size)
    for k in held:
        T[k, k] = 0.0
        if tips.get(int(k), -1) >= 0:
            T[k] = T[tips[int(k)]]
    return T[:, np.setdiff1d(np.arange(model.size), held)]


def _relax(model: FemModel, state: State, force: np.ndarray, T: np.ndarray | None) -> bool:
    """Move the state to equilibrium, in place; False if the corrections do not die out."""
    length, last = model.par[at.P_LENGTH], np.inf
    q = state.x[model.layout["q"]]
    for _ in range(MOST_ITERATIONS):
        residual, band = _evaluate(model, state.x, 0.0, 0.0, force)
        try:
            step = -_solve_band(band, residual) if T is None else _solve_held(band, residual, T)
        except np.linalg.LinAlgError:
            return False
        largest = float(np.abs(step).max())
        if not np.isfinite(largest):
            return False
        scale = min(1.0, 0.3 * length / max(largest, 1e-300))
        q += scale * step
        rigid.place_far_nodes(model.parts, parts_of(state.x, model.size, model.links))
        # slender beams end at the rounding of their axial stiffness: there the corrections stop shrinking
        if largest < 1e-12 * length or (largest < 1e-8 * length and largest > 0.25 * last):
            return True
        last = largest
    return False


def _solve_held(band: np.ndarray, residual: np.ndarray, T: np.ndarray) -> np.ndarray:
    return -T @ np.linalg.solve(T.T @ dense(band) @ T, T.T @ residual)


def _solve_band(band: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """Solution of a general band system, with pivoting."""
    from scipy.linalg import solve_banded

    n, b = band.shape[0], band.shape[1] // 2
    columns = np.zeros((2 * b + 1, n))
    for k in range(2 * b + 1):
        shift = k - b  # column minus row
        rows = slice(max(0, -shift), n - max(0, shift))
        columns[b - shift, max(0, shift) : n - max(0, -shift)] = band[rows, k]
    return solve_banded((b, b), columns, residual, overwrite_ab=True)


def tangent_matrices(model: FemModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K about a state, in the free unknowns."""
    T = freedoms(model, state)
    free = np.flatnonzero(np.isin(np.arange(model.size), far_unknowns(model), invert=True))
    K = dense(_evaluate(model, state.x, 0.0, 0.0)[1])
    C = dense(_evaluate(model, state.x, 1.0, 0.0)[1]) - K
    return T.T @ full_mass(model, state) @ T, C[np.ix_(free, free)], K[np.ix_(free, free)]


def far_unknowns(model: FemModel) -> list[int]:
    """Unknowns of the far nodes of rigid links."""
    return [int(far) + axis for *_, far, _ in model.mesh.slaves for axis in range(3)]


def linear_model(model: FemModel, state: State | None, joints: Joints) -> LinearModel:
    """Matrices with the joints locked, free, or as their laws act on them (the loops open)."""
    if state is None:
        mode = "motion" if joints == "locked" else "free"
        used = model if joints == "held" else model.rewired(mode)
        state = static_state(used, model.arm.pose)
    else:
        used = model
    M, C, K = tangent_matrices(used, state)
    if not len(M):
        raise CapabilityError("nothing can vibrate: all links are rigid and all joints are held", field="arm.links")
    T, inputs, columns, sensed = freedoms(used, state), [], [], []
    for i, place in enumerate(used.mesh.joints):
        if not used.joint[i, at.J_LAW]:
            continue
        row = np.zeros(used.size)
        if place.motor >= 0:
            row[place.motor] = 1.0
        else:
            row[place.base] = 1.0
            if place.tip >= 0:
                row[place.tip] = -1.0
        inputs.append(model.arm.links[i].name)
        columns.append(T.T @ row)
        sense = row
        if place.motor >= 0 and not used.joint[i, at.J_SENSE_MOTOR]:
            sense = np.zeros(used.size)
            sense[place.base] = 1.0
            if place.tip >= 0:
                sense[place.tip] = -1.0
        sensed.append(T.T @ sense)
    shapes, stations = used.reader.linear_shapes()
    shapes = np.tensordot(T.T, shapes, 1)
    names = [name for k, name in enumerate(used.reader.coordinate_names()) if k not in set(far_unknowns(used))]
    return LinearModel(
        M=M, C=C, K=K, B=np.array(columns).T if columns else np.zeros((len(M), 0)), outputs=used.reader.tip_rows() @ T,
        coordinates=tuple(names), inputs=tuple(inputs), output_names=("tip.x", "tip.y"), shapes=shapes,
        stations=stations, links=tuple(link.name for link in model.arm.links),
        sensed=np.array(sensed).reshape(len(sensed), len(M)),
    )  # fmt: skip


def spinning_model(model: FemModel, spin: float) -> LinearModel:
    """Small motions about a steady turn with locked joints, in axes that turn with the arm.

    There M u'' + 2 spin M J u' + (K - spin^2 M_t) u = 0, with M_t the mass of translation and J the quarter turn.
    """
    if len(model.mesh.slaves):
        raise CapabilityError("frequencies of a turning arm need flexible links throughout", field="spin")
    if any(model.arm.gravity[:2]) or (model.par[at.P_MASS] > 0 and any(model.arm.payload.offset_vector)):
        raise CapabilityError("a steady turn needs an arm without gravity and without payload offset", field="spin")
    used = model.rewired("motion")
    state = used.empty()
    set_pose(used, state, model.arm.pose)
    q = state.x[used.layout["q"]]
    frame = state.x[used.layout["frame"]].reshape(at.FRAME, used.links)
    frame[at.RATE] = spin
    M, _, _ = tangent_matrices(used, state)
    J, translation = np.zeros_like(M), np.zeros(used.size)
    for table in used.mesh.nodes:
        for x, y, _ in table:
            if x >= 0:
                J[x, y], J[y, x] = -1.0, 1.0
                translation[[x, y]] = 1.0
    moving = M * np.outer(translation, translation)
    for _ in range(MOST_ITERATIONS):
        residual, band = _evaluate(used, state.x, 0.0, 0.0)
        K = dense(band) - spin**2 * moving
        step = -np.linalg.solve(K, residual - spin**2 * moving @ q)
        q += step
        if np.abs(step).max() < 1e-12 * used.par[at.P_LENGTH]:
            break
    base = linear_model(used, state, "locked")
    return replace(base, C=base.C + 2.0 * spin * moving @ J, K=base.K - spin**2 * moving)
