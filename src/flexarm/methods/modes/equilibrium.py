"""Equilibrium, and the stiffness that weight and loop forces add to it.

A force F at a point of a body adds -F.d2r/dq2 to the stiffness. Along the tree positions are sums of A rho, so every body
contributes through the point that carries the next one, loaded by all that hangs on it.

Equations: M16, M17, M18.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.equilibrium import LARGEST_MOVE, find_equilibrium, limited
from flexarm.methods.modes.loads import pushed

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


def _loads(
    model: ModesModel, lam: np.ndarray, pushes: Sequence[tuple[int, np.ndarray]] = ()
) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Forces on the tree: body, force in the axes of its frame, and of its point of attack r0, s, H; `pushes` are further points and
    forces there.

    The first of each body is gravity, per unit of mass on its first moments.
    """
    part, work = model.parts, model.work

    def local(b: int, force: np.ndarray) -> np.ndarray:
        c, s = work.cos[b], work.sin[b]
        return np.array([c * force[0] + s * force[1], -s * force[0] + c * force[1]])

    def at_point(k: int, force: np.ndarray) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return int(part.owner[k]), local(part.owner[k], force), part.r0[k], part.s[k], part.second[k]

    force = part.mass[:, None] * part.gravity
    for b in range(len(part.parent)):
        yield b, local(b, part.gravity), part.S[b], part.N[b], part.H[b]
    for ends, row in zip(part.ends, part.row, strict=True):
        for point, sign in zip(ends, (-1.0, 1.0), strict=True):
            force[part.owner[point]] += sign * lam[row : row + 2]
            yield at_point(point, sign * lam[row : row + 2])
    for point, push in pushes:
        force[part.owner[point]] += push
        yield at_point(point, push)
    for b in reversed(range(len(part.parent))):
        if part.parent[b] >= 0:
            force[part.parent[b]] += force[b]
            yield at_point(part.mount[b], force[b])


def load_stiffness(
    model: ModesModel, q: np.ndarray, lam: np.ndarray, only_second_order: bool = False, loads: np.ndarray | None = None
) -> np.ndarray:
    """Stiffness (size, size) of weight, loop forces and loads on links (their sizes) at q; or only its part by shortening (geometric
    stiffness)."""
    part, work = model.parts, model.work
    model.evaluate_pose(q)
    K = np.zeros((model.size, model.size))
    acting = [] if loads is None else list(pushed(model, q, loads))
    for rows, push, _, turns, _ in acting:
        if turns and not only_second_order:  # the force turns with its section
            K -= np.outer(rows[1] * push[0] - rows[0] * push[1], rows[2])
    for b, force, r0, s, H in _loads(model, lam, [(point, push) for _, push, _, _, point in acting]):
        n = part.count[b]
        own = model.modal_coordinates(b)
        s, H = s[:, :n], H[:, :n, :n]
        bent = H @ q[own]  # (2, n)
        if only_second_order or model.second_order:
            K[own, own] -= np.einsum("a,aij->ij", force, H)
        if only_second_order:
            continue
        if not model.second_order:
            bent = 0.0 * bent
        rho, s = r0 + (s + 0.5 * bent) @ q[own], s + bent
        columns = part.columns[b, : part.column_count[b]]
        J = np.zeros(model.size)
        J[columns] = work.J[b, 2, columns]
        K += float(force @ rho) * np.outer(J, J)
        turned = force[1] * s[0] - force[0] * s[1]  # F . E A s
        K[:, own] -= np.outer(J, turned)
        K[own, :] -= np.outer(turned, J)
    return K


def play_forces(model: ModesModel, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Forces (size,) of springs with play, taken as engaged on the side to which they are turned, and their stiffness."""
    part, force, K = model.parts, np.zeros(model.size), np.zeros((model.size, model.size))
    for j in np.flatnonzero((part.play > 0.0) & (part.motor >= 0)):
        twist = np.zeros(model.size)
        twist[part.link[j]], twist[part.motor[j]] = 1.0, -1.0
        turned = float(twist @ q)
        force += part.spring[j] * (turned - 0.5 * part.play[j] * np.sign(turned)) * twist
        K += part.spring[j] * np.outer(twist, twist)
    return force, K


def equilibrium(model: ModesModel, pose: np.ndarray, loads: np.ndarray | None = None) -> State:
    """The arm at rest with the motors held at `pose` (closed, joint order), under loads on links of these sizes."""
    part, work, gravity = model.parts, model.work, model.parts.gravity.copy()
    state, free, rows = model.state_at(model.undeformed(pose)), model.unheld(), part.rows
    whole = np.zeros(part.loads) if loads is None else np.asarray(loads, dtype=float)

    def correct(state: State, share: float) -> float | None:
        """One correction by Newton's method, scaled so that rows and columns are of one size."""
        q, lam = state.x[model.layout["q"]], state.x[model.layout["lam"]]
        part.gravity[:] = share * gravity
        push, engaged = play_forces(model, q)
        state.x[model.layout["loads"]] = share * whole
        K = (part.stiffness + engaged + model.load_stiffness(q, lam, loads=share * whole))[np.ix_(free, free)]
        for turns, force, moment, _, _ in pushed(model, q, share * whole):
            push = push - turns[:2].T @ force - turns[2] * moment
        jac = work.jac[:, free]
        matrix = np.block([[K, jac.T], [jac, np.zeros((rows, rows))]])
        scale = np.concatenate([1.0 / np.sqrt(np.abs(np.diag(K)) + 1e-9 * np.abs(K).max()), np.ones(rows)])
        scale[len(free) :] = 1.0 / np.maximum(np.linalg.norm(jac * scale[: len(free)], axis=1), 1e-300)
        right = -np.concatenate([(work.bias + push + part.stiffness @ q)[free] + jac.T @ lam, work.phi])
        step = scale * np.linalg.lstsq(matrix * np.outer(scale, scale), scale * right, rcond=1e-13)[0]
        if not np.all(np.isfinite(step)):
            return None
        move, size = limited(step[: len(free)], model.reach)
        q[free] += move
        lam += step[len(free) :] * min(1.0, LARGEST_MOVE / max(size, 1e-300))
        return size

    if not len(free) or (
        not any(gravity) and not np.any(whole) and not np.any(part.stiffness @ state.x[model.layout["q"]])
    ):
        return state
    try:
        return find_equilibrium(state, correct, bool(np.any(whole)))
    finally:
        part.gravity[:] = gravity
