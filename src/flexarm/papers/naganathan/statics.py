"""What Naganathan's chapter III checks the element with: a simply supported beam, a frame, a turning link.

Matrices are those of the method `fem`; what they are compared with is written out here in closed form.
"""

from __future__ import annotations

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.base import LinearModel
from flexarm.papers.naganathan.runs import Runs, matrices

RATIOS = (0.02, 0.04, 0.06, 0.08, 0.10)
"""Radius of gyration over length: the columns of Table I."""
NU = 0.3
CIRCLE = 39.0 / 44.0
"""Cowper's shear factor of a solid circle for nu = 0.3."""
INCH, KIP = 0.0254, 4448.2216152605
HEIGHT = 240.0
"""Length of both members of the frame, in."""
LOAD = 5.8757
"""Load on the frame, kip."""
FRAME = {"E": 30000.0, "inertia": 1000.0, "area": 1e4, "shear_factor": 0.85}
"""Of the frame that stands in for Figure 11, in ksi, in^4 and in^2."""


def _beam(ratio: float) -> Arm:
    """A link of 1 m whose radius of gyration is `ratio` m; area and material do not matter here."""
    section = {"area": 1e-2, "inertia": 1e-2 * ratio**2, "shear_factor": CIRCLE}
    material = {"E": 70e9, "density": 2700.0, "nu": NU}
    return Arm.model_validate({"links": [{"name": "beam", "length": 1.0, "section": section, "material": material}]})


def _where(model: LinearModel, letters: str) -> np.ndarray:
    """Places of the unknowns whose name has one of `letters` before its number."""
    return np.array([i for i, name in enumerate(model.coordinates) if name.split()[-1][0] in letters])


def simply_supported(runs: Runs, integration: str, elements: int) -> np.ndarray:
    """First frequency parameter w L^2 sqrt(rho A / EI) for each ratio: base pinned, deflection of the tip deleted."""
    from scipy.linalg import eigh

    found = []
    for ratio in RATIOS:
        model = matrices(_beam(ratio), elements, "free", integration)
        bending = _where(model, "yt")
        keep = bending[[model.coordinates[i].split()[-1] != f"y{elements}" for i in bending]]
        block = np.ix_(keep, keep)
        low = eigh(model.K[block], model.M[block], eigvals_only=True, subset_by_index=(0, 0))[0]
        found.append(np.sqrt(low * 2700.0 / 70e9) / ratio)
    return np.array(found)


def simply_supported_exact(runs: Runs) -> np.ndarray:
    """The same from the closed form, the lower root of (3.1) with n = 1."""
    shear = 2.0 * (1.0 + NU) / CIRCLE
    found = []
    for r in RATIOS:  # with w^2 in units of EI / (rho A L^4)
        a, b, c = shear * r**4, -((1.0 + shear) * (np.pi * r) ** 2 + 1.0), np.pi**4
        found.append(np.sqrt((-b - np.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)))
    return np.array(found)


def frame(runs: Runs, elements: tuple[int, int]) -> float:
    """Horizontal deflection of the frame's tip in inches: static solution with our elements.

    A is clamped, AB lies, BD stands on its end and is pulled at D; the corner is a joint that is locked at 90 deg.
    """
    section = {
        "area": FRAME["area"] * INCH**2,
        "inertia": FRAME["inertia"] * INCH**4,
        "shear_factor": FRAME["shear_factor"],
    }
    material = {"E": FRAME["E"] * KIP / INCH**2, "density": 7850.0, "nu": NU}
    member = {"length": HEIGHT * INCH, "section": section, "material": material}
    corner = {"name": "BD", **member, "joint": {"position": 0.5 * np.pi}}
    model = matrices(Arm.model_validate({"links": [{"name": "AB", **member}, corner]}), tuple(elements), "locked")
    pull = model.reading("tip.x")
    return float(pull @ np.linalg.solve(model.K, pull)) * LOAD * KIP / INCH


def frame_closed_form(runs: Runs, elements: int | None = None) -> float:
    """Bending alone in inches: 4 P h^3 / 3 EI, or with the midpoint rule on BD in that many elements."""
    whole = 4.0 / 3.0 * LOAD * HEIGHT**3 / (FRAME["E"] * FRAME["inertia"])
    return whole if elements is None else whole * (1.0 - 1.0 / (16.0 * elements**2))


def turning_link(runs: Runs, elements: int, acceleration: float = 1.05) -> float:
    """Deflection of the tip of the case-1 link in mm, under the inertia of a constant angular acceleration."""
    model = matrices(runs.scenario("rotating link").arm, elements, "free")
    turn = _turn(model, elements)
    keep = np.array([i for i, name in enumerate(model.coordinates) if not name.endswith("t0")])
    lag = np.linalg.solve(model.K[np.ix_(keep, keep)], (model.M @ turn)[keep] * acceleration)
    return 1e3 * float(lag[[model.coordinates[i].split()[-1] for i in keep].index(f"y{elements}")])


def _turn(model: LinearModel, elements: int) -> np.ndarray:
    """The rigid rotation by one radian."""
    names = [name.split()[-1] for name in model.coordinates]
    length = {"x": 0.0, "y": 1.0 / elements}
    return np.array([1.0 if name[0] == "t" else length[name[0]] * int(name[1:]) for name in names])


def turning_link_exact(runs: Runs, theory: str, acceleration: float = 1.05) -> float:
    """The same in closed form, mm: 11 w L^4 / 120 EI, with shear and rotary inertia for Timoshenko's beam."""
    link = runs.scenario("rotating link").arm.links[0]
    assert link.material is not None and link.section is not None  # it is a flexible link
    material, section = link.material, link.section.stations[0].values(link.material.nu)
    L, EI = link.span, material.E * section.inertia
    top = material.density * section.area * acceleration * L  # load at the tip, N/m
    bending = 11.0 * top * L**4 / (120.0 * EI)
    if theory == "bending":
        return 1e3 * bending
    shear = top * L**2 / (3.0 * section.shear_factor * material.shear_modulus * section.area)
    rotary = material.density * section.inertia * acceleration * L**3 / (3.0 * EI)
    return 1e3 * (bending + shear + rotary)


def turning_stretch(runs: Runs, elements: int, speed: float = 0.84) -> float:
    """Stretch of the case-1 link in um at a constant speed, from M and K along its axis."""
    model = matrices(runs.scenario("rotating link").arm, elements, "free")
    axial = _where(model, "x")
    block = np.ix_(axial, axial)
    place = np.arange(1, elements + 1) / elements
    return 1e6 * float(np.linalg.solve(model.K[block], model.M[block] @ place)[-1]) * speed**2


def divergence_speed(runs: Runs, elements: int) -> float:
    """Speed in rad/s at which a model without centrifugal stiffening loses its stability: K - w^2 M is singular.

    M without rotary inertia, because the turning frame acts on translations alone.
    """
    model = matrices(runs.scenario("spin-up").arm, elements, "locked")
    M = model.M.copy()
    rotations = _where(model, "t")
    M[rotations] = 0.0
    M[:, rotations] = 0.0
    softest = np.linalg.eigvals(np.linalg.solve(model.K, M)).real.max()
    return float(1.0 / np.sqrt(softest))
