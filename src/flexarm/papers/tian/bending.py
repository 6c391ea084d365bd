"""Reference values of the elements themselves: locking in the links of the paper, and large deformation."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.drive import JointWiring, Wiring
from flexarm.papers.checks import Check
from flexarm.papers.claims import Tolerance
from flexarm.papers.tian.runs import Runs, data

SIDE, WEIGHT = 0.05, 1e-4
OPTIONS: dict[str, dict[str, Any]] = {
    "paper, plane stress": {"variant": "paper"},
    "paper, plane strain": {"variant": "paper", "plane": "strain"},
    "shear": {"element": "shear"},
    "cable": {"element": "cable"},
}
PENDULUM = (0.3, 0.5, 0.7)


def element_checks(runs: Runs) -> list[Check]:
    """The locking table, and the classical tests of large deformation; none is worked out yet."""
    found = [
        Check(
            name=f"link of {case['length']:g} m of the {case['path']}, {case['elements']} elements, {element}",
            group="error of tip deflection and first frequency",
            work_out=partial(locking, case, element),
            reference=tuple(case["errors"][element]),
            tolerance=Tolerance(absolute=2e-3, because="figures to three decimals"),
            unit="%",
        )
        for case in data()["locking"]["cases"]
        for element in OPTIONS
    ]
    cases = {
        "roll-up": (_rolled, Tolerance(absolute=3e-4, because="16 elements"), "m"),
        "elastica": (_elastica, Tolerance(absolute=1e-4, because="16 elements"), "m"),
        "spin-up": (_spun, Tolerance(relative=0.01, because="4 elements"), "m"),
        "rubber pendulum": (_pendulum, Tolerance(absolute=5e-3, because="32 elements"), "m"),
    }
    for name, (work_out, tolerance, unit) in cases.items():
        reference = tuple(data()["bending"][name])
        found.append(Check(name, "large deformation", partial(runs.once, name, work_out), reference, tolerance, unit))
    return found


def locking(case: dict[str, Any], element: str) -> list[float]:
    """Errors in per cent of tip deflection and first frequency of a cantilever."""
    material, length = case["material"], case["length"]
    E, EI = material["E"], material["E"] * SIDE**4 / 12.0
    GA = E / (2.0 * (1.0 + material["nu"])) * SIDE**2 * 5.0 / 6.0
    options = {"resolution": case["elements"], **OPTIONS[element]}
    hz = fa.frequencies(_cantilever(length, material), method="ancf", n=1, options=options).hz[0]
    force = WEIGHT * EI / length**2
    light = {**material, "density": 1e-9}
    arm = _cantilever(length, light, gravity=[0.0, -1.0, 0.0], payload={"mass": force})
    method = fa.get_method("ancf")
    model = method.build(arm, Wiring((JointWiring("bar", "motion"),)), method.options_from(options))
    row = np.zeros((1, 7))
    tip = model.observe(np.zeros(1), model.record(model.static([0.0], row))[None], row[None])["tip_position"]
    exact = force * length**3 / (3.0 * EI) + force * length / GA
    return [100.0 * (-float(tip[0, 1]) / exact - 1.0), 100.0 * (2.0 * np.pi * hz / case["first_rad_s"] - 1.0)]


def _cantilever(length: float, material: dict[str, float], **more: Any) -> fa.Arm:
    section = {"shape": "rectangle", "width": SIDE, "height": SIDE, "shear_factor": 5.0 / 6.0}
    link = {"name": "bar", "length": length, "section": section, "material": material}
    return fa.Arm.model_validate({"links": [link], **more})


def _rolled() -> np.ndarray:
    """Tip of the roll-up scenario once the full moment acts."""
    return fa.simulate("roll-up").data.tip_position.values[-1, :2]


def _elastica() -> np.ndarray:
    return fa.simulate("elastica").data.tip_position.values[0, :2]


def _spun() -> list[float]:
    """Largest lag, and mean extension at full speed."""
    scenario = fa.load("spin-up").with_({"method": {"name": "ancf", "resolution": 4}, "time.step": "5 ms"})
    found = fa.simulate(scenario).data
    reach = np.linalg.norm(found.tip_position.values, axis=1)[found.time.values > 16.0] - 10.0
    return [float(found.deflection.values[:, 0, -1].min()), float(reach.mean())]


def _pendulum() -> np.ndarray:
    """Tip before the whip, by ordinary steps that are short enough."""
    method = {"name": "ancf", "resolution": 32, "integrator": "generalised-alpha"}
    scenario = fa.load("rubber-pendulum").with_({"method": method, "time": {"end": 0.7, "step": "0.25 ms"}})
    found = fa.simulate(scenario.with_({"output.every": "0.1 s"})).data.tip_position
    return found.sel(time=list(PENDULUM), method="nearest").values[:, :2].ravel()
