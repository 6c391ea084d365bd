"""Point loads on a spatial arm at rest, and what the roots of its links carry, by the elements and by equilibrium.

Equations: S28.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import PointLoad, State
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial import simd
from flexarm.methods.fem.spatial.packing import StateViews
from flexarm.methods.fem.spatial.placing import frame_motions, shift
from flexarm.methods.fem.spatial.sliding_material import material_at
from flexarm.numerics.along import neighbours
from flexarm.rigid.beam import legs, place_point, tip_axes, tip_point
from flexarm.rigid.chain import Chain

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel

NUDGE = 1e-6
"""Displacement (m) and turn (rad) for the change of a load that has a lever."""


def seats(model: SpatialModel, link: int, fraction: float) -> list[tuple[int, float, np.ndarray]]:
    """Frames that carry a place of a link, with their share and its lever (3,) in the frame's axes."""
    body = model.arm.links[link]
    if fraction == 1.0 and model.mesh.tips[link] != model.mesh.ends[link]:
        return [(int(model.mesh.tips[link]), 1.0, np.zeros(3))]
    if not body.flexible:
        place = "tip" if fraction == 1.0 else fraction
        lever = tip_axes(body, True).T @ (place_point(body, place, True) - tip_point(body, True))
        return [(int(model.mesh.ends[link]), 1.0, lever)]
    nodes = model.mesh.nodes[link]
    k, after, share = neighbours(model.mesh.fractions[link], fraction)
    return [(int(nodes[k]), 1.0 - share, np.zeros(3)), (int(nodes[after]), share, np.zeros(3))]


def on_frames(model: SpatialModel, x: StateViews, loads: Sequence[PointLoad]) -> np.ndarray:
    """Forces and moments (F, 6) of loads on the frames that carry them, at the state that was looked at last."""
    found = np.zeros((model.F, 6))
    for load in loads:
        for frame, share, lever in seats(model, load.link, load.at):
            arm = x.rotation[frame].reshape(3, 3) @ lever
            found[frame] += share * np.concatenate([load.force, load.moment + np.cross(arm, load.force)])
    return found


def on_unknowns(model: SpatialModel, x: StateViews, loads: Sequence[PointLoad]) -> np.ndarray:
    """The same on the unknowns, (size,)."""
    return np.einsum("fkn,fk->n", frame_motions(model), on_frames(model, x, loads))


def load_stiffness(model: SpatialModel, state: State, loads: Sequence[PointLoad]) -> np.ndarray:
    """What the loads on unknowns change with them, (size, size), by differences: levers of rigid links turn."""
    K = np.zeros((model.size, model.size))
    frames = {frame for load in loads for frame, _, _ in seats(model, load.link, load.at)}
    moving = {int(k) for f in frames if model.mesh.frames[f, at.F_PLAIN] < at.PLAIN for k in model.mesh.moved_by[f]}
    for k in sorted(moving - {-1}):
        ends = []
        for sign in (-1.0, 1.0):
            trial, step = state.copy(), np.zeros(model.size)
            step[k] = -sign * NUDGE
            x = model.views(trial)
            shift(model, x, step)
            model.evaluate(trial)
            ends.append(on_unknowns(model, x, loads))
        K[:, k] = (ends[1] - ends[0]) / (2.0 * NUDGE)
    model.evaluate(state)
    return K


def held_roots(model: SpatialModel, state: State, loads: Sequence[PointLoad] = ()) -> np.ndarray:
    """Force and moment (links, 6) that hold every link at its root, from its elements; ground axes.

    The state is an equilibrium that was looked at last; its section forces at the roots are noted in it.
    """
    x, lever = model.views(state), model.scratch.lever
    inner, frames = x.force + x.damping_force, model.mesh.frames
    outer = on_frames(model, x, loads)
    for S in range(model.F - 1, -1, -1):
        if frames[S, at.F_KIND] >= at.DERIVED:
            outer[frames[S, at.F_PARENT]] += _at_other_end(outer[S], lever[S])
    roots = np.zeros((model.links, 6))
    for i in range(model.links):
        S = int(model.mesh.roots[i])
        roots[i] = inner[S] - outer[S]
        R = x.rotation[S].reshape(3, 3)
        beam = roots[i] - model.scratch.root_load[i]
        x.joint_record[at.ROOT : at.ROOT + 6, i] = -np.concatenate([beam[:3] @ R, beam[3:] @ R])
        roots[i] = _at_other_end(roots[i], lever[S])
    return roots


def root_torques(model: SpatialModel, state: State, roots: np.ndarray) -> np.ndarray:
    """Parts of what holds the links' roots along the axes of their joints, (links,): torques, or forces of sliding joints."""
    rotation, out = model.views(state).rotation, np.zeros(model.links)
    for i, link in enumerate(model.arm.links):
        frame = model.mesh.roots[i]
        axes = legs(link, True)[0].axes if link.flexible else tip_axes(link, True)
        axis = rotation[frame].reshape(3, 3) @ axes.T @ link.joint.align[:, 2]
        out[i] = axis @ (roots[i, :3] if link.joint.type == "prismatic" else roots[i, 3:])
    return out


def _at_other_end(load: np.ndarray, lever: np.ndarray) -> np.ndarray:
    """Force and moment at the other end of a lever."""
    return load + np.concatenate([np.zeros(3), np.cross(lever, load[:3])])


def balanced_roots(model: SpatialModel, placed: State, loads: Sequence[PointLoad]) -> np.ndarray:
    """The same as `held_roots` from the equilibrium of all that hangs on each root, where `placed` has it."""
    x, g = model.views(placed), model.parts.gravity
    r, R = x.position, x.rotation.reshape(-1, 3, 3)
    acting: list[tuple[int, np.ndarray, np.ndarray]] = []  # link, point, force and moment
    weight = np.zeros(6)
    for link, f, mass in _masses(model):
        weight[:3] = mass * g
        acting.append((link, r[f], weight.copy()))
    for f, body in zip(model.parts.body_frame, model.parts.body_properties, strict=True):
        weight[:3] = body[at.B_MASS] * g
        acting.append((int(model.mesh.owners[f]), r[f] + R[f] @ body[at.B_CENTRE : at.B_CENTRE + 3], weight.copy()))
    for i in map(int, np.flatnonzero(model.joints[:, at.J_RETRACTED] == 1)):
        free, whole, S = model.scratch.phi[i, 0], model.joint_data[i, at.K_MATERIAL], int(model.mesh.roots[i])
        table = model.parts.material[i]
        mass, moment, _ = material_at(table, np.array(whole))[:3] - material_at(table, free)[:3]
        weight[:3] = mass * g
        acting.append((i, r[S] - (moment / mass - free if mass else 0.0) * R[S][:, 0], weight.copy()))
    for load in loads:
        point = sum(share * (r[f] + R[f] @ lever) for f, share, lever in seats(model, load.link, load.at))
        acting.append((load.link, np.asarray(point), np.concatenate([load.force, load.moment])))
    roots, chain = np.zeros((model.links, 6)), Chain.of(model.arm)
    for i in range(model.links):
        S = int(model.mesh.roots[i])
        here = r[S] - model.scratch.lever[S]
        for owner, point, wrench in acting:
            if owner >= 0 and i in chain.path(owner):
                roots[i] -= _at_other_end(wrench, point - here)
    return roots


def _masses(model: SpatialModel) -> list[tuple[int, int, float]]:
    """Link, frame and mass (kg) of what the elements weigh, at the state that was looked at last."""
    groups = model.scratch.groups.reshape(-1, simd.ROWS, simd.WIDE)
    found = []
    for e, row in enumerate(model.mesh.elements):
        weights = groups[e // simd.WIDE, simd.W1 : simd.W1 + 2, e % simd.WIDE]
        for end, weight in zip((at.E_FIRST, at.E_SECOND), weights, strict=True):
            found.append((int(row[at.E_LINK]), int(row[end]), float(weight)))
    return found
