"""Putting the arm somewhere: the stiff arm at given joints, and corrections of its unknowns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem.spatial import drives, kinematics
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.arrays import views
from flexarm.methods.fem.spatial.travel import check_length
from flexarm.numerics.rotations import apply, relative, turn
from flexarm.rigid.beam import legs

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


def place_rigidly(model: SpatialModel, state: State, pose: Any, rates: Any, row: np.ndarray) -> None:
    """The stiff arm at `pose`, moving with `rates`; commanded joints with the command."""
    x = views(state.x, model.F, model.links)
    phi0, phi = model.scratch.phi0, model.scratch.phi
    drives.set_joints(row, model.joint, model.jfig, x[4], x[9], phi0, phi)
    for i in range(model.links):
        k = int(model.joint[i, at.J_CHANNEL])
        if k < 0 and model.arm.links[i].joint.type == "prismatic":
            phi0[i, 0] = model.arm.links[i].joint.start + model.jfig[i, at.K_OFFSET]
        if k >= 0 and not model.joint[i, at.J_MOVED]:
            deviation = float(pose[k]) + model.jfig[i, at.K_OFFSET] - phi0[i, 0]
            rate = (0.0 if rates is None else float(rates[k])) - phi0[i, 1]
            x[4][at.PSI, i], x[4][at.PSI_RATE, i] = deviation, rate
            if model.joint[i, at.J_TURN] >= 0:
                x[4][at.TURN, i], x[4][at.TURN_RATE, i] = deviation, rate
        x[5][at.JOINT, i] = phi0[i, 0] - model.jfig[i, at.K_OFFSET] + x[4][at.PSI, i]
    phi[:, 0], phi[:, 1] = phi0[:, 0] + x[4][at.PSI], phi0[:, 1] + x[4][at.PSI_RATE]
    for values in (phi, phi0):
        values[:, 3], values[:, 4] = np.cos(values[:, 0]), np.sin(values[:, 0])
    check_lengths(model, phi[:, 0])
    _place(model, x, phi, phi0)


def _place(model: SpatialModel, x: Any, phi: np.ndarray, phi0: np.ndarray) -> None:
    """Frames of the stiff arm at phi; the small-displacement theories turn about the arm at phi0."""
    frames, figures, slide = model.mesh.frames, model.mesh.figures, model.parts.slide
    v, a = np.zeros((model.F, 6)), np.zeros((model.F, 6))
    axis, lever = model.scratch.axis, model.scratch.lever
    kinematics.nominal(frames, figures, model.joint, slide, phi, x[0], x[1], v, a, axis, lever)
    x[3][:] = v
    if model.options.theory == "linear":
        angle = x[1].copy()
        spare = np.zeros((model.F, 3))
        kinematics.nominal(frames, figures, model.joint, slide, phi0, spare, x[1], v, a, axis, lever)
        x[2][:] = small_turn(x[1], angle)
        x[3][:, 3:] -= v[:, 3:]


def check_lengths(model: SpatialModel, values: np.ndarray) -> None:
    for i, link in enumerate(model.arm.links):
        if link.joint.type == "prismatic":
            check_length(link, float(values[i]))


def shift(model: SpatialModel, x: Any, step: np.ndarray) -> None:
    """Take the correction -step of all unknowns over, in place (equilibrium)."""
    for f in np.flatnonzero(model.mesh.frames[:, at.F_KIND] == at.NODE):
        dof = int(model.mesh.frames[f, at.F_DOF])
        x[0][f] -= step[dof : dof + 3]
        if model.options.theory != "linear":
            old = x[1].copy()
            turn(-step[dof + 3], -step[dof + 4], -step[dof + 5], old, f, x[1], f)
        else:
            x[2][f] -= step[dof + 3 : dof + 6]
    for i in range(model.links):
        for column, place in ((at.J_PSI, at.PSI), (at.J_TURN, at.TURN)):
            if model.joint[i, column] >= 0:
                x[4][place, i] -= step[model.joint[i, column]]


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
        s = model.mesh.figures[f, at.G_SHARE] * free if flows else np.full(len(free), model.mesh.figures[f, at.G_PLACE])
        out[:, n] = corner + s[:, None] * direction
    return out


def small_turn(R0: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Rotation vectors (F, 3) in world axes from R0 to R, rows of nine."""
    return np.array([apply(R0, f, *relative(R0, f, R, f)) for f in range(len(R))])
