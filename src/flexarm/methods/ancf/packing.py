"""From an arm and its wiring to the arrays that the kernels read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import Wiring
from flexarm.drive.wiring import Patch
from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.invariants import constant_matrix
from flexarm.methods.ancf.matrices import MassBuilder, beam_properties, continuum_properties, point_on
from flexarm.methods.ancf.mesh import Mesh
from flexarm.methods.law_table import law_row
from flexarm.numerics import laws
from flexarm.numerics.gauss import gauss

if TYPE_CHECKING:
    from flexarm.methods.ancf.options import AncfOptions

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
SENSORS = ("hub", "motor", "chord")
PATCH_POINTS, PATCH_VECTORS = 4, 4
"""Points per element of a distributed force; vectors of an element that a load may reach."""


def pack_arm(arm: Arm, wiring: Wiring, mesh: Mesh, options: AncfOptions) -> at.Parts:
    """All that is constant; Kelvin-Voigt times are filled later."""
    joints = _joints(arm, wiring, mesh)
    build = MassBuilder(arm, mesh, joints["commanded"].tolist(), joints["channel"].tolist())
    free = (joints["commanded"] == 0) & (joints["sprung"] > 0)
    idle = [motor for motor, moves in zip(mesh.motor, free, strict=True) if motor >= 0 and not moves]
    used = [k for k in range(mesh.size) if k == 0 or np.any(np.diagonal(build.mass, k))]
    diagonals = np.array([np.pad(np.diagonal(build.mass, k), (0, k)) for k in used])
    return at.Parts(
        **_elements(arm, mesh, options), **joints, **build.bodies, **_patches(arm, wiring, mesh), **_numbers(arm, options),
        mass=diagonals, mass_offset=np.array(used), weight=build.weight, gravity=build.gravity,
        fixed=np.array([0, 1, *idle]), links=len(arm.links), springs=int(joints["sprung"].sum()),
        chords=int(np.sum(joints["sensor"] == at.CHORD_SENSOR)),
    )  # fmt: skip


def _elements(arm: Arm, mesh: Mesh, options: AncfOptions) -> dict[str, np.ndarray]:
    each = [beam_properties(link, ends) for link, ends in zip(arm.links, mesh.ends, strict=True)]
    beams = {name: np.ascontiguousarray(np.concatenate([part[name] for part in each])) for name in each[0]}
    kind = np.array([at.SHEAR if mesh.sheared[i] else at.CABLE for i in mesh.owner])
    point, stiffness, gram = np.zeros((1, 15, 12)), np.zeros((1, 15, 3)), np.zeros((1, 23, 21))
    if options.variant == "paper":
        kind[:] = at.CONTINUUM if options.evaluation == "quadrature" else at.INVARIANT
        blocks = [
            continuum_properties(link, ends, options.plane) for link, ends in zip(arm.links, mesh.ends, strict=True)
        ]
        point, stiffness = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        gram = np.array([constant_matrix(*pair) for pair in zip(point, stiffness, strict=True)])
    return {
        **beams, "connection": mesh.connection, "kind": kind, "damping_time": np.zeros(len(kind)), "point": point,
        "point_stiffness": stiffness, "gram": gram,
    }  # fmt: skip


def _numbers(arm: Arm, options: AncfOptions) -> dict[str, Any]:
    """Numbers of the time scheme and its solver."""
    rho, conserving = options.spectral_radius, options.integrator == "conserving"
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    if options.integrator == "trapezoidal":
        am = af = 0.0
    stretch = sum(link.integrate(("EA",))[0] for link in arm.links)
    weight = sum(link.mass for link in arm.links) * float(np.linalg.norm(arm.gravity[:2]))
    reach = sum(link.span for link in arm.links)
    return {
        "conserving": conserving, "solver": ("newton", "modified", "broyden").index(options.solver),
        "iterations": options.iterations, "tolerance": options.tolerance, "beta": 0.25 * (1.0 - am + af) ** 2,
        "gamma": 0.5 - am + af, "alpha_m": am, "alpha_f": af, "reach": reach,
        "step_error": 0.0 if conserving else options.step_error or 0.0, "energy_error": options.energy_error or 0.0,
        "least_energy": 1e-14 * stretch + 1e-9 * weight * reach, "step": 0.0,
    }  # fmt: skip


def follows(arm: Arm, wiring: Wiring) -> list[bool]:
    """Per link, whether its first section itself follows a command: fixed joints, and motion without a spring."""
    wired = {joint.name: joint for joint in wiring.joints}
    return [
        link.name not in wired or (wired[link.name].mode == "motion" and not wired[link.name].spring)
        for link in arm.links
    ]


def _joints(arm: Arm, wiring: Wiring, mesh: Mesh) -> dict[str, np.ndarray]:
    rows: list[dict[str, Any]] = []
    channels = {wired.name: k for k, wired in enumerate(wiring.joints)}
    for i, link in enumerate(arm.links):
        k, joint = channels.get(link.name, -1), link.joint
        wired = wiring.joints[k] if k >= 0 else None
        driven = wired is None or wired.mode == "motion"
        spring = wired is not None and wired.spring and (driven or joint.rotor_inertia > 0.0)
        rule = wired.law if wired is not None and not driven else None
        own = driven and (spring or joint.gear is not None)  # the rotor does not turn with the first section
        offset = 0.5 * np.pi if mesh.sheared[i] else 0.0
        rows.append({
            "first": mesh.section(i, 0), "before": mesh.section(i - 1, -1) if i else -1, "motor": mesh.motor[i],
            "root": mesh.nodes[i][0, 0], "tip": mesh.nodes[i][-1, 0], "prescribed": int(driven and not spring),
            "sprung": int(spring), "acts": int(not driven), "commanded": int(driven), "channel": k,
            "sensor": SENSORS.index(rule.sensor) if rule is not None and rule.period == 0.0 else 0,
            "spring": joint.stiffness or 0.0, "damper": joint.damping, "start": joint.start,
            "rotor": joint.rotor_inertia if own else joint.rotor.with_motor if i else joint.rotor.reflected, "ratio": joint.ratio if own else 0.0,
            "gear": joint.rotor.with_joint if i and not driven else 0.0, "offset": offset,
            "turn": offset - (0.5 * np.pi if i and mesh.sheared[i - 1] else 0.0),
            "law": law_row(rule, FRICTION_RATE) if wired is not None else np.zeros(laws.LAW_SIZE),
        })  # fmt: skip
    whole = list(rows[0]).index("spring")
    kinds = {name: np.int64 if n < whole else np.float64 for n, name in enumerate(rows[0])}
    return {name: np.array([row[name] for row in rows], dtype=kind) for name, kind in kinds.items()}


def patch_points(patch: Patch, elements: int) -> list[tuple[float, float]]:
    """Fractions of its link at which a patch acts, and with which share of its load."""
    if patch.kind == "moment" or patch.start == patch.stop:
        return patch.points(1)
    x, w = gauss(PATCH_POINTS * elements)
    places = patch.start + 0.5 * (1.0 + x) * (patch.stop - patch.start)
    return list(zip(places.tolist(), (0.5 * w).tolist(), strict=True))


def _patches(arm: Arm, wiring: Wiring, mesh: Mesh) -> dict[str, np.ndarray]:
    """Loads of the patches: moments at one or two places, forces at Gauss points of the part that is covered."""
    rows: list[tuple[int, int, tuple[float, float], float]] = []
    places: list[np.ndarray] = []
    weights: list[np.ndarray] = []
    for k, patch in enumerate(wiring.patches):
        link, (x, y, _) = arm.index(patch.link), patch.direction
        kind, turn = (at.TURNING if patch.axes == "link" else at.WORLD), (x, y)
        if patch.kind == "moment":
            kind, turn = at.MOMENT, (0.0, 1.0)
        elif patch.axes == "link" and mesh.sheared[link]:  # whose direction is across the section
            turn = (y, -x)
        for fraction, share in patch_points(patch, mesh.counts[link]):
            point = point_on(arm, mesh, link, fraction * arm.links[link].span)
            rows.append((len(wiring.joints) + k, kind, turn, share))
            for row in (point.section[0], point.place[0]):  # of the direction, and of the point where a force acts
                used = np.flatnonzero(row)[:PATCH_VECTORS]
                rest = PATCH_VECTORS - len(used)
                places.append(np.pad(used, (0, rest), constant_values=-1))
                weights.append(np.pad(row[used], (0, rest)))
    columns: Any = zip(*rows, strict=True) if rows else ((),) * 4
    channels, kinds, turns, shares = columns
    shape = (len(rows), 2, PATCH_VECTORS)
    return {
        "patch_channel": np.array(channels, dtype=np.int64), "patch_kind": np.array(kinds, dtype=np.int64),
        "patch_turn": np.array(turns, dtype=float).reshape(len(rows), 2), "patch_share": np.array(shares, dtype=float),
        "patch_places": np.array(places, dtype=np.int64).reshape(shape),
        "patch_weights": np.array(weights, dtype=float).reshape(shape),
    }  # fmt: skip


def full_mass(parts: at.Parts) -> np.ndarray:
    """The mass matrix (size, size) of the diagonals."""
    n = len(parts.weight)
    full = np.zeros((n, n))
    for row, k in zip(parts.mass, parts.mass_offset, strict=True):
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
