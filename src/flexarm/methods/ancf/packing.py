"""From an arm and its wiring to the arrays that the kernels read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import Arm as ArmModel
from flexarm.drive import Wiring
from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.beam import PLACE
from flexarm.methods.ancf.invariants import constant_matrix
from flexarm.methods.ancf.loads import ACROSS, MOMENT, PARTS, PATCH_SIZE
from flexarm.methods.ancf.matrices import MassBuilder, Point, beam_figures, continuum_figures, point_on
from flexarm.methods.ancf.mesh import Mesh, hermite
from flexarm.methods.law_table import law_row
from flexarm.numerics import laws
from flexarm.numerics.gauss import gauss

if TYPE_CHECKING:
    from flexarm.methods.ancf.options import AncfOptions

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
SENSORS = ("hub", "motor", "chord")
PATCH_POINTS = 4


def pack_arm(arm: ArmModel, wiring: Wiring, mesh: Mesh, options: AncfOptions) -> at.Arm:
    """All constant arrays; Kelvin-Voigt times are filled later."""
    joint, jfig, fixed = _joints(arm, wiring, mesh)
    build = MassBuilder(arm, mesh, (joint[:, at.J_COMMAND] > 0).tolist(), joint[:, at.J_CHANNEL].tolist())
    kinds, fig, paper = _elements(arm, mesh, options)
    ip = np.array(
        [len(arm.links), options.iterations, ("newton", "modified", "broyden").index(options.solver),
         options.integrator == "conserving", np.sum(joint[:, at.J_PATH]), np.sum(joint[:, at.J_SPRING]), *fixed],
        dtype=np.int64,
    )  # fmt: skip
    elem = np.ascontiguousarray(np.column_stack([mesh.connection, kinds, mesh.owner]), dtype=np.int64)
    return at.Arm(
        elem=elem, fig=fig, paper=paper, mass=to_diagonals(build.mass), weight=build.weight, joint=joint, jfig=jfig,
        par=_numbers(arm, options), ip=ip, patch=_patches(arm, wiring, mesh), body=build.bodies,
    )  # fmt: skip


def _elements(arm: ArmModel, mesh: Mesh, options: AncfOptions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kinds, figures, and blocks of the continuum element."""
    elements, continuum = len(mesh.owner), options.variant == "paper"
    fig, paper = np.zeros((elements, at.F_SIZE)), np.zeros((elements if continuum else 1, at.GRAM + at.POINT, 21))
    for i, link in enumerate(arm.links):
        own, lengths = mesh.owner == i, mesh.lengths(arm, i)
        fig[own, at.F_LENGTH], fig[own, at.F_AXIAL : at.F_SLOPE] = lengths, beam_figures(link, mesh.ends[i])
        fig[own, at.F_SLOPE : at.F_CURVE] = [np.ravel([hermite(x, L)[1] for x in PLACE]) for L in lengths]
        fig[own, at.F_CURVE :] = [np.ravel([hermite(x, L)[2] for x in PLACE[3:]]) for L in lengths]
        if continuum:
            stiff, shape = continuum_figures(link, mesh.ends[i], options.plane)
            for e, C, weights in zip(np.flatnonzero(own), stiff, shape, strict=True):
                paper[e, : at.GRAM] = constant_matrix(weights, C)
                paper[e, at.GRAM :, : at.POINT_STIFF], paper[e, at.GRAM :, at.POINT_STIFF : at.POINT] = weights, C
                fig[e, at.F_AXIAL] = 0.5 * C[:, 0].sum()
    if continuum:
        return np.full(elements, at.CONTINUUM if options.evaluation == "quadrature" else at.INVARIANT), fig, paper
    return np.array([at.SHEAR if mesh.sheared[i] else at.CABLE for i in mesh.owner]), fig, paper


def _numbers(arm: ArmModel, options: AncfOptions) -> np.ndarray:
    rho = options.spectral_radius
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    if options.integrator == "trapezoidal":
        am = af = 0.0
    par = np.zeros(at.P_SIZE)
    par[[at.P_AM, at.P_AF, at.P_GAMMA, at.P_BETA]] = am, af, 0.5 - am + af, 0.25 * (1.0 - am + af) ** 2
    par[at.P_TOLERANCE], par[at.P_LENGTH] = options.tolerance, sum(link.span for link in arm.links)
    controlled = options.integrator != "conserving"
    par[at.P_CONTROL] = options.step_error or 0.0 if controlled else 0.0
    par[at.P_ENERGY] = options.energy_error or 0.0
    stretch = sum(link.integrate(("EA",))[0] for link in arm.links)
    weight = sum(link.mass for link in arm.links) * float(np.linalg.norm(arm.gravity[:2]))
    par[at.P_FLOOR] = 1e-14 * stretch + 1e-9 * weight * par[at.P_LENGTH]
    return par


def follows(arm: ArmModel, wiring: Wiring) -> list[bool]:
    """Per link, whether its first section itself follows a command: fixed joints, and motion without a spring."""
    wired = {joint.name: joint for joint in wiring.joints}
    return [
        link.name not in wired or (wired[link.name].mode == "motion" and not wired[link.name].spring)
        for link in arm.links
    ]


def _joints(arm: ArmModel, wiring: Wiring, mesh: Mesh) -> tuple[np.ndarray, np.ndarray, list[int]]:
    links = len(arm.links)
    joint, jfig = np.zeros((links, at.J_SIZE), dtype=np.int64), np.zeros((links, at.K_LAW + laws.LAW_SIZE))
    channels = {wired.name: k for k, wired in enumerate(wiring.joints)}
    fixed = [0, 1]
    for i, link in enumerate(arm.links):
        k, motor = channels.get(link.name, -1), mesh.motor[i]
        wired = wiring.joints[k] if k >= 0 else None
        driven = wired is None or wired.mode == "motion"
        spring = wired is not None and wired.spring and (driven or link.joint.rotor_inertia > 0.0)
        if motor >= 0 and (driven or not spring):
            fixed.append(motor)
        rule = wired.law if wired is not None and not driven else None
        sensor = SENSORS.index(rule.sensor) if rule is not None and rule.period == 0.0 else 0
        before = mesh.section(i - 1, -1) if i else -1
        joint[i] = (
            mesh.section(i, 0), before, motor, driven and not spring, spring, not driven, k, sensor, driven,
            mesh.nodes[i][0, 0], mesh.nodes[i][-1, 0], sensor == at.CHORD_SENSOR,
        )  # fmt: skip
        offset = 0.5 * np.pi if mesh.sheared[i] else 0.0
        turn = offset - (0.5 * np.pi if i and mesh.sheared[i - 1] else 0.0)
        stiffness = link.joint.stiffness or 0.0
        jfig[i, : at.K_LAW] = stiffness, link.joint.damping, link.joint.start, link.joint.rotor_inertia, offset, turn
        if wired is not None:
            jfig[i, at.K_LAW :] = law_row(rule, FRICTION_RATE)
    return joint, jfig, fixed


def _patches(arm: ArmModel, wiring: Wiring, mesh: Mesh) -> np.ndarray:
    """Loads of the patches: moments at two places, forces at Gauss points of the stretch."""
    rows = []
    for k, patch in enumerate(wiring.patches):
        channel, link = len(wiring.joints) + k, arm.index(patch.link)
        span = arm.links[link].span
        if patch.kind == "moment":
            parts = [(patch.stop, 1.0), (patch.start, -1.0)]
        elif patch.start == patch.stop:
            parts = [(patch.start, 1.0)]
        else:
            x, w = gauss(PATCH_POINTS * mesh.counts[link])
            parts = list(zip(patch.start + 0.5 * (1 + x) * (patch.stop - patch.start), 0.5 * w, strict=True))
        for fraction, share in parts:
            at_point = point_on(arm, mesh, link, float(fraction) * span)
            row, values = _load(at_point, MOMENT if patch.kind == "moment" else ACROSS, share, mesh.sheared[link])
            rows.append([channel, *row, *values])
    return np.array(rows, dtype=float).reshape(len(rows), PATCH_SIZE)


def _load(point: Point, kind: int, share: float, sheared: bool) -> tuple[list[int], np.ndarray]:
    """Kind and places of a load, and the weights of its vectors; a force stands across the link's axis."""
    section, place = point.section[0], point.place[0]
    values = np.zeros(2 * PARTS + 1)
    places = []
    for block, weights in ((0, section), (PARTS, place)):
        used = list(np.flatnonzero(weights))[:PARTS]
        for j, p in enumerate(used):
            values[block + j] = weights[p]
        places += [*map(int, used), *[-1] * (PARTS - len(used))]
    values[-1] = share
    return [kind + (2 if sheared else 0), *places], values


def to_diagonals(full: np.ndarray) -> np.ndarray:
    """Diagonals of a symmetric matrix that are not zero, from the main one up, each with its offset at the end."""
    n = len(full)
    used = [k for k in range(n) if k == 0 or np.any(np.diagonal(full, k))]
    out = np.zeros((len(used), n + 1))
    for row, k in zip(out, used, strict=True):
        row[: n - k], row[n] = np.diagonal(full, k), k
    return out


def from_diagonals(diagonals: np.ndarray) -> np.ndarray:
    """The full matrix of `to_diagonals`."""
    n = diagonals.shape[1] - 1
    full = np.zeros((n, n))
    for row in diagonals:
        k = int(row[n])
        full += np.diag(row[: n - k], k) + (np.diag(row[: n - k], -k) if k else 0.0)
    return full


def from_band(band: np.ndarray) -> np.ndarray:
    """The full matrix whose entry (i, j) stands at (i, j - i + half) of a band."""
    n, half = band.shape[0], band.shape[1] // 2
    full = np.zeros((n, n))
    for i in range(n):
        first, last = max(0, i - half), min(n, i + half + 1)
        full[i, first:last] = band[i, first - i + half : last - i + half]
    return full


def make_work(arm: at.Arm, half: int, channels: int, state_size: int, laws_size: int) -> at.Work:
    """Scratch arrays."""
    n, links = len(arm.weight), int(arm.ip[at.I_LINKS])
    return at.Work(
        el=np.zeros((at.EL_ROWS, 24)), vec=np.zeros((at.V_CHORD + links, n)), band=np.zeros((n, 2 * half + 1)),
        small=np.zeros((at.S_CAP + links, max(12, links))), rows=np.zeros((3, max(1, channels), 7)),
        keep=np.zeros(state_size + laws_size),
    )  # fmt: skip
