"""Putting the arm somewhere: the stiff arm at given joints, and corrections of its unknowns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem.spatial import condensation, drives, kinematics
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.packing import StateViews
from flexarm.methods.fem.spatial.travel import check_length
from flexarm.numerics.rotations import apply, relative, turn
from flexarm.rigid.beam import legs

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


def place_rigidly(model: SpatialModel, state: State, pose: Any, rates: Any, row: np.ndarray) -> None:
    """The stiff arm at `pose`, moving with `rates`; commanded joints with the command."""
    x, phi0, phi = model.views(state), model.scratch.phi0, model.scratch.phi
    j, offset = x.deviation, model.joint_data[:, at.K_OFFSET]
    drives.set_joints(row, model.parts, x, model.scratch)
    for i in range(model.links):
        k = int(model.joints[i, at.J_CHANNEL])
        if k < 0 and model.arm.links[i].joint.type == "prismatic":
            phi0[i, 0] = model.arm.links[i].joint.start + offset[i]
        if k >= 0 and not model.joints[i, at.J_PRESCRIBED]:
            deviation = float(pose[k]) + offset[i] - phi0[i, 0]
            rate = (0.0 if rates is None else float(rates[k])) - phi0[i, 1]
            j[at.PSI, i], j[at.PSI_RATE, i] = deviation, rate
            if model.joints[i, at.J_TURN] >= 0:
                j[at.TURN, i], j[at.TURN_RATE, i] = deviation, rate
        x.joint_record[at.JOINT, i] = phi0[i, 0] - offset[i] + j[at.PSI, i]
    phi[:, 0], phi[:, 1] = phi0[:, 0] + j[at.PSI], phi0[:, 1] + j[at.PSI_RATE]
    for values in (phi, phi0):
        values[:, 3], values[:, 4] = np.cos(values[:, 0]), np.sin(values[:, 0])
    check_lengths(model, phi[:, 0])
    _place(model, x, phi, phi0)


def _place(model: SpatialModel, x: StateViews, phi: np.ndarray, phi0: np.ndarray) -> None:
    """Frames of the stiff arm at phi; the small-displacement theories turn about the arm at phi0."""
    v, a, R = np.zeros((model.F, 6)), np.zeros((model.F, 6)), x.rotation
    kinematics.stiff_arm(model.parts, model.scratch, phi, x.position, R, v, a)
    x.velocity[:] = v
    if model.options.theory == "linear":
        turned = R.copy()
        kinematics.stiff_arm(model.parts, model.scratch, phi0, np.zeros((model.F, 3)), R, v, a)
        x.small_rotation[:] = small_turn(R, turned)
        x.velocity[:, 3:] -= v[:, 3:]


def check_lengths(model: SpatialModel, values: np.ndarray) -> None:
    for i, link in enumerate(model.arm.links):
        if link.joint.type == "prismatic":
            check_length(link, float(values[i]))


def shift(model: SpatialModel, x: StateViews, step: np.ndarray) -> None:
    """Take the correction -step of all unknowns over, in place (equilibrium)."""
    for f, moved in zip(model.mesh.node_frames, step[model.mesh.node_unknowns], strict=True):
        x.position[f] -= moved[:3]
        if model.options.theory != "linear":
            turn(-moved[3], -moved[4], -moved[5], x.rotation.copy(), f, x.rotation, f)
        else:
            x.small_rotation[f] -= moved[3:]
    for k, row, i in model.mesh.joint_unknowns:
        x.deviation[row, i] -= step[k]


def frame_motions(model: SpatialModel) -> np.ndarray:
    """Displacement and spin (F, 6, size) of all frames per unknown, at the state that was evaluated last."""
    condensation.frame_jacobians(model.parts, model.scratch)
    out = np.zeros((model.F, 6, model.size))
    for f, count in enumerate(model.mesh.frames[:, at.F_COUNT]):
        out[f][:, model.mesh.moved_by[f, :count]] = model.scratch.T[f, :, :count]
    return out


def stiff_places(model: SpatialModel, link: int, free: np.ndarray) -> np.ndarray:
    """Frames of a link when it is stiff, from its root in the axes there, (nt, nodes, 3)."""
    nodes, stretches = model.mesh.nodes[link], legs(model.arm.links[link], True)
    slides = model.arm.links[link].joint.type == "prismatic"
    out = np.zeros((len(free), len(nodes), 3))
    corner = np.zeros((len(free), 3))
    base, leg = int(nodes[0]), 0
    for n, f in enumerate(nodes[1:], start=1):
        if model.mesh.frames[f, at.F_BASE] != base:
            base, leg, corner = int(model.mesh.frames[f, at.F_BASE]), leg + 1, out[:, n - 1]
        direction = stretches[0].axes.T @ stretches[leg].axes[:, 0]
        flows = slides and leg == 0
        s = (
            model.mesh.geometry[f, at.G_SHARE] * free
            if flows
            else np.full(len(free), model.mesh.geometry[f, at.G_PLACE])
        )
        out[:, n] = corner + s[:, None] * direction
    return out


def small_turn(R0: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Rotation vectors (F, 3) in world axes from R0 to R, rows of nine."""
    return np.array([apply(R0, f, *relative(R0, f, R, f)) for f in range(len(R))])
