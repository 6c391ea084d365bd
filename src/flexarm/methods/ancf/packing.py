"""From an arm and its wiring to the arrays that the kernels read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import Arm as ArmModel
from flexarm.drive import Wiring
from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.beam import PLACE
from flexarm.methods.ancf.invariants import constant_matrix
from flexarm.methods.ancf.loads import ACROSS, MOMENT, PARTS
from flexarm.methods.ancf.matrices import MassBuilder, Point, beam_figures, continuum_figures, point_on
from flexarm.methods.ancf.mesh import Mesh, hermite
from flexarm.methods.law_table import law_row
from flexarm.numerics import laws

if TYPE_CHECKING:
    from flexarm.methods.ancf.options import AncfOptions

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
SENSORS = ("hub", "motor", "chord")
PATCH_POINTS = 4


def pack_arm(arm: ArmModel, wiring: Wiring, mesh: Mesh, options: AncfOptions) -> at.Arm:
    """All constant arrays; Kelvin-Voigt times are filled later."""
    joint, jfig, law, fixed = _joints(arm, wiring, mesh)
    commanded = tuple(bool(c) for c in joint[:, at.J_COMMAND])
    build = MassBuilder(arm, mesh, commanded)
    elements, points = len(mesh.owner), 15 if options.variant == "paper" else 1
    fig, cfig = np.zeros((elements, 9)), np.zeros((elements, points, 3))
    cshape, gram = np.zeros((elements, points, 12)), np.zeros((elements if points == 15 else 1, 22, 21))
    hp, hpp = np.zeros((len(arm.links), 5, 4)), np.zeros((len(arm.links), 2, 4))
    for i, link in enumerate(arm.links):
        own, count = mesh.owner == i, mesh.counts[i]
        length = link.span / count
        hp[i] = [hermite(x, length)[1] for x in PLACE]
        hpp[i] = [hermite(x, length)[2] for x in PLACE[3:]]
        fig[own] = beam_figures(link, count)
        if points == 15:
            cfig[own], cshape[own] = continuum_figures(link, count, options.plane)
    if options.variant == "paper":
        kinds = np.full(elements, at.CONTINUUM if options.evaluation == "quadrature" else at.INVARIANT)
        for e in range(elements):
            gram[e] = constant_matrix(cshape[e], cfig[e])
            fig[e, 0] = 0.5 * cfig[e, :, 0].sum()
    else:
        kinds = np.array([at.SHEAR if mesh.sheared[i] else at.CABLE for i in mesh.owner])
    lengths = np.array([arm.links[i].span / mesh.counts[i] for i in mesh.owner])
    patch, patch_fig = _patches(arm, wiring, mesh)
    chords = int(np.sum(joint[:, at.J_PATH]))
    ip = np.array(
        [len(arm.links), options.iterations, ("newton", "modified", "broyden").index(options.solver),
         options.integrator == "conserving", chords, int(np.sum(joint[:, at.J_SPRING]))],
        dtype=np.int64,
    )  # fmt: skip
    return at.Arm(
        con=mesh.connection, kind=kinds.astype(np.int64), owner=mesh.owner, length=lengths, hp=hp, hpp=hpp, fig=fig,
        beta=np.zeros(elements), cfig=cfig, cshape=cshape, gram=gram, mass=to_band(build.mass, mesh.half_width),
        weight=build.weight, fixed=fixed, joint=joint, jfig=jfig, law=law, par=_numbers(arm, options), ip=ip, patch=patch,
        patch_fig=patch_fig,
    )  # fmt: skip


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


def _joints(arm: ArmModel, wiring: Wiring, mesh: Mesh) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    links = len(arm.links)
    joint, jfig = np.zeros((links, at.J_SIZE), dtype=np.int64), np.zeros((links, at.K_SIZE))
    law = np.zeros((max(1, len(wiring.joints)), laws.LAW_SIZE))
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
        jfig[i] = stiffness, link.joint.damping, link.joint.start, link.joint.rotor_inertia, offset, turn
        if wired is not None:
            law[k] = law_row(rule, FRICTION_RATE)
    return joint, jfig, law, np.array(fixed, dtype=np.int64)


def _patches(arm: ArmModel, wiring: Wiring, mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Loads of the patches: moments at two places, forces at Gauss points of the stretch."""
    rows, figures = [], []
    for k, patch in enumerate(wiring.patches):
        channel, link = len(wiring.joints) + k, arm.index(patch.link)
        span = arm.links[link].span
        if patch.kind == "moment":
            parts = [(patch.stop, 1.0), (patch.start, -1.0)]
        elif patch.start == patch.stop:
            parts = [(patch.start, 1.0)]
        else:
            x, w = np.polynomial.legendre.leggauss(PATCH_POINTS * mesh.counts[link])
            parts = list(zip(patch.start + 0.5 * (1 + x) * (patch.stop - patch.start), 0.5 * w, strict=True))
        for fraction, share in parts:
            at_point = point_on(arm, mesh, link, float(fraction) * span)
            row, values = _load(at_point, MOMENT if patch.kind == "moment" else ACROSS, share, mesh.sheared[link])
            rows.append([channel, *row])
            figures.append(values)
    if not rows:
        return np.zeros((0, 2 + 2 * PARTS), dtype=np.int64), np.zeros((0, 2 * PARTS + 1))
    return np.array(rows, dtype=np.int64), np.array(figures)


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


def to_band(full: np.ndarray, half: int) -> np.ndarray:
    """Band storage of a matrix: entry (i, j) at (i, j - i + half)."""
    n = len(full)
    band = np.zeros((n, 2 * half + 1))
    for i in range(n):
        first, last = max(0, i - half), min(n, i + half + 1)
        band[i, first - i + half : last - i + half] = full[i, first:last]
    return band


def from_band(band: np.ndarray) -> np.ndarray:
    """The full matrix of `to_band`."""
    n, half = band.shape[0], band.shape[1] // 2
    full = np.zeros((n, n))
    for i in range(n):
        first, last = max(0, i - half), min(n, i + half + 1)
        full[i, first:last] = band[i, first - i + half : last - i + half]
    return full


def make_work(arm: at.Arm, channels: int, state_size: int, law_rows: int) -> at.Work:
    """Scratch arrays."""
    n, links = arm.mass.shape[0], int(arm.ip[at.I_LINKS])
    rows = max(1, channels)
    wide = max(12, links)
    return at.Work(
        e=np.zeros((6, 12)), K=np.zeros((12, 12)), Kz=np.zeros((10, 12)), D=np.zeros((44, 24)),
        vec=np.zeros((8 + links, n)), pairs=np.zeros((12, n)), band=np.zeros_like(arm.mass),
        small=np.zeros((12, wide)), cap=np.zeros((links, links)), law=np.zeros((laws.ORDER + 2, laws.ORDER)),
        rows=np.zeros((rows, 7)), inner=np.zeros((rows, 7)), half=np.zeros((rows, 7)), slide=np.zeros((4, links)),
        keep=np.zeros(state_size), keep_z=np.zeros((law_rows, laws.Z_SIZE)),
    )  # fmt: skip
