"""Cases of Tokhi and Azad, and their runs: each is made once and cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink
from flexarm.analysis.exact_response import ExactResponse, PayloadChange, exact_response
from flexarm.drive import JointWiring, Wiring
from flexarm.methods.base import LinearModel
from flexarm.papers.cache import Cache

Closure = Literal["centred", "one-sided"]
VARIANTS = {"centred": "sound", "one-sided": "paper"}
CASES = {
    "no hub": "tokhi-azad-no-hub",
    "hub": "tokhi-azad",
    "hub + 10 g": "tokhi-azad-10g",
    "hub + 20 g": "tokhi-azad-20g",
}
"""The four loadings of the document, and the bundled scenarios that hold them."""
CHANGES: dict[str, tuple[str, float, Literal["at-rest", "matched", "released"]]] = {
    "matched": ("hub", 0.02, "matched"),
    "at rest": ("hub", 0.02, "at-rest"),
    "released": ("hub + 20 g", 0.0, "released"),
}
"""Payload changes on the way: the case before, the mass afterwards (kg), the rule."""
CHANGE_TIME = 0.4
SECTIONS = 19
TORQUE = 0.1
STEP = 0.24e-3
"""Step near c = 0.2 with 19 sections that divides the halves of the bang-bang torque, s."""
HALF = 0.3
"""Length of one half of the bang-bang torque, s."""


class Runs(Cache):
    """Scenarios, exact links, simulations and frequencies, cached by their inputs."""

    def scenario(self, case: str) -> fa.Scenario:
        """The bundled scenario of a case."""
        return self.once(("scenario", case), lambda: fa.load(CASES[case]))

    def link(self, case: str) -> ExactLink:
        """The exact counterpart of a case."""
        return self.once(("link", case), lambda: ExactLink.from_arm(self.scenario(case).arm))

    @cached_property
    def beam(self) -> ExactLink:
        """Length, stiffness, mass per length and hub of Table 1, without payload."""
        return self.link("hub")

    def number(self, step: float, sections: int = SECTIONS) -> float:
        """The document's c = EI dt^2 / (rho dx^4)."""
        return self.beam.EI * step**2 / (self.beam.rhoA * (self.beam.length / sections) ** 4)

    def step_for(self, number: float, sections: int = SECTIONS) -> float:
        """The step that belongs to a value of c, s."""
        return float(np.sqrt(number / self.number(1.0, sections)))

    def result(
        self,
        case: str,
        *,
        sections: int = SECTIONS,
        scheme: str = "exact",
        step: float | None = None,
        closure: Closure = "centred",
        half: float = HALF,
        change: str = "",
        change_at: float = CHANGE_TIME,
        end: float = 1.2,
        every: float = HALF,
        stations: int = 2,
    ) -> fa.Result:
        """A run under the bang-bang torque; `change` names one of `CHANGES` (and then decides the case).

        `every` is the output interval in s, and the step unless another one is given.
        """
        if change:
            case = CHANGES[change][0]
        key = (case, sections, scheme, step, closure, half, change, change_at, end, every, stations)
        settings: dict[str, Any] = {
            "method.resolution": sections,
            "method.scheme": scheme,
            "method.variant": VARIANTS[closure],
            "time.end": end,
            "time.step": every if step is None else step,  # the exact scheme needs no shorter one
            "output.every": every,
            "output.stations": stations,
            "output.gauges": None,
        }
        if half != HALF:
            torque = {"profile": "bang-bang", "amplitude": TORQUE, "duration": 2.0 * half}
            settings["drive"] = [{"joint": "link", "torque": torque}]
        if change:
            _, mass, rule = CHANGES[change]
            settings["events"] = [{"at": change_at, "payload": {"mass": mass}, "rule": rule}]
        return self.once(key, lambda: fa.simulate(self.scenario(case).with_(settings)))

    def tips(self, case: str, times: Sequence[float], **settings: Any) -> np.ndarray:
        """Tip displacement y(L, t) in m at multiples of 0.3 s, or of 0.1 s if the payload changes."""
        settings.setdefault("every", 0.1 if settings.get("change") else HALF)
        travel = self.result(case, **settings).data["travel"]
        return travel.sel(time=list(times), method="nearest", tolerance=1e-9).values

    def history(self, case: str) -> fa.Result:
        """A run as the document's: 19 sections, explicit, c near 0.2, all grid points recorded."""
        return self.result(case, scheme="leapfrog", step=STEP, every=5 * STEP, stations=SECTIONS + 1)

    def exact(self, case: str, times: Any, half: float = HALF, change: str = "") -> ExactResponse:
        """The exact motion at `times` (s)."""
        times = tuple(float(t) for t in times)
        changes = []
        if change:
            case, mass, rule = CHANGES[change]
            changes = [PayloadChange(CHANGE_TIME, mass, rule=rule)]
        torque = [(0.0, TORQUE), (half, -TORQUE), (2.0 * half, 0.0)]
        key = ("exact", case, times, half, change)
        return self.once(key, lambda: exact_response(self.link(case), torque, times, changes=changes))

    def exact_history(self, case: str) -> ExactResponse:
        """The exact motion over 1.2 s at every 0.2 ms."""
        return self.exact(case, np.arange(6001) * 2e-4)

    def frequencies(
        self,
        case: str,
        n: int,
        sections: int = SECTIONS,
        closure: Closure = "centred",
        hub_factor: float = 1.0,
    ) -> np.ndarray:
        """Natural frequencies of the grid in Hz, hub free; `hub_factor` scales the hub's inertia."""
        key = ("frequencies", case, n, sections, closure, hub_factor)
        options = {"resolution": sections, "variant": VARIANTS[closure]}
        scenario = self.scenario(case)
        if hub_factor != 1.0:
            inertia = hub_factor * scenario.arm.links[0].joint.hub_inertia
            scenario = scenario.with_({"arm.links.link.joint.hub_inertia": inertia})
        return self.once(key, lambda: fa.frequencies(scenario, n=n, joints="free", options=options).hz)

    def matrices(
        self,
        case: str,
        closure: Closure = "one-sided",
        sections: int = SECTIONS,
        payload: tuple[float, float] | None = None,
        hub: float | None = None,
    ) -> LinearModel:
        """M, K and B of the grid with its hub free; `payload` is another mass (kg) and inertia (kg m^2), `hub` another
        inertia of the hub."""
        changes: dict[str, Any] = {}
        if payload is not None:
            mass, inertia = payload
            changes["arm.payload"] = {"mass": mass, "inertia": f"{inertia!r} kg*m^2"}
        if hub is not None:
            changes["arm.links.link.joint.hub_inertia"] = f"{hub!r} kg*m^2"
        arm = self.scenario(case).with_(changes).arm
        method = fa.get_method("fd")
        options = method.Options.model_validate({"resolution": sections, "variant": VARIANTS[closure]})
        wiring = Wiring((JointWiring("link", "torque", False),))
        return method.build(arm, wiring, options).linearise(joints="free")

    def recursion(self, model: LinearModel, step: float = STEP) -> tuple[np.ndarray, np.ndarray]:
        """A and b of ``y_new = A y - y_old + b tau``, the form of the document's equation (11)."""
        inverse = np.linalg.inv(model.M)
        return 2.0 * np.eye(len(model.M)) - step**2 * inverse @ model.K, step**2 * inverse @ model.B[:, 0]
