"""Random arms by several methods: which are compared, how far they may be apart, and what excuses one.

Methods are compared that count the same: Euler-Bernoulli beams in `fd`, `segments`, `modes`, `ancf` (cable) and `fem` with stiff
sections, and beams that shear in `fem`, `fem` in space and `ancf`. Errors and distances are the largest over a run, as a share of the
signal's peak. Seeds that are not in QUICK run with the documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from seeded_arms import varied

import flexarm as fa
from flexarm.errors import CapabilityError

PLANAR = range(48)
IN_SPACE = (0, 1, 3, 4, 5, 6, 8, 9, 11, 12, 13, 14)
"""Without 2, 7 and 10, whose gains destabilise the arm."""
QUICK = {10, 11, 12, 14, 15, 20, 28, 32, 36, 40, 44, 46}
QUICK_IN_SPACE = {4, 12, 13}
SIGNALS = ("tip_deflection", "joint_torque", "strain")
FLOOR = 3e-3
"""Share of a peak by which methods may differ besides: kinematics of second order, records between steps, lumped rotary inertia."""
COVERED = 0.9
"""Share of an error that its estimate has to cover."""
EVERY = 2e-3
STIFF: dict[str, dict[str, Any]] = {
    "fd": {}, "segments": {}, "modes": {}, "ancf": {"element": "cable"}, "fem": {"beams": "euler-bernoulli"},
}  # fmt: skip
SHEARING: dict[str, dict[str, Any]] = {"fem": {}, "fem in space": {}, "ancf": {"element": "shear"}}
EXCUSES = (
    "counts deflections to", "deflections are counted to", "is linear and leaves out", "gravity is taken as in the start pose", "still changed by",
    "coupling of turning", "the time scheme", "its axial vibration",
)  # fmt: skip


class Seen:
    """What became of the pairs of arm and method: excused ones with the reason, and reported over true errors."""

    def __init__(self) -> None:
        self.pairs = 0
        self.excused: dict[tuple[int, str], str] = {}
        self.ratios: list[float] = []


def marked(seeds: Iterable[int], quick: set[int]) -> list[Any]:
    return [pytest.param(seed, marks=() if seed in quick else pytest.mark.document) for seed in seeds]


def run(plan: fa.Scenario, method: str, options: dict[str, Any]) -> fa.Result | None:
    """The arm by a method with its own estimate of the errors; None if it cannot compute such an arm."""
    changes: dict[str, Any] = {
        "method": {"name": method.split()[0], "error_estimate": True, **options},
        "output.every": EVERY,
    }
    try:
        if method == "fem in space":
            plan = in_space(plan)
        return fa.simulate(plan.with_(changes), warn=False)
    except CapabilityError:
        return None


def in_space(plan: fa.Scenario) -> fa.Scenario:
    """The planar arm written with Denavit-Hartenberg parameters."""
    if plan.arm.loops:
        raise CapabilityError("a loop")
    data = plan.model_dump(exclude_unset=True)
    for link in data["arm"]["links"]:
        link["joint"] = {**link.get("joint", {}), "dh": {"a": link.pop("length")}}
        if "body" in link:
            turning = link["body"]["inertia"]
            link["body"] |= {
                "inertia": [1e-3 * turning, turning, turning],
                "center": [*link["body"]["center"][:2], 0.0],
            }
    return fa.Scenario.model_validate(data)


def signal(result: fa.Result, name: str) -> np.ndarray:
    """Without the first instant, in which links that keep their length and those that do not feel other torques, and friction that is
    about to slide may count or not."""
    values = result.data[name].values[1:]
    return values[..., :2] if name == "tip_deflection" else values


def apart(one: fa.Result, other: fa.Result, name: str) -> float:
    a, b = signal(one, name), signal(other, name)
    return float(np.abs(a - b).max() / max(np.abs(a).max(), np.abs(b).max(), 1e-300))


def reported(result: fa.Result, name: str) -> float:
    return float(result.data[name].attrs.get("estimated_error", np.inf))


def excuse(result: fa.Result) -> str | None:
    """Why the answer may be off, in the program's own words."""
    if not result.success:
        return f"{result.outcome.name}: {result.message}"
    return next((note for note in result.notes if any(words in note for words in EXCUSES)), None)


def agree(seed: int, results: dict[str, fa.Result], seen: Seen) -> list[str]:
    """Signals of pairs that are further apart than both report, unless one of them says why."""
    wrong = []
    names = [
        name for name in SIGNALS if all(name in result.data and result.data[name].size for result in results.values())
    ]
    seen.pairs += len(results)
    for method, result in list(results.items()):
        if not result.success:
            seen.excused[seed, method] = excuse(result) or ""
            del results[method]
    for name in names:
        for one, other in combinations(results, 2):
            distance = apart(results[one], results[other], name)
            errors = sorted((reported(results[each], name), each) for each in (one, other))
            if np.isinf(errors[1][0]):  # the program says that it has no estimate
                seen.excused[seed, errors[1][1]] = "no estimate of its errors"
                continue
            if distance > (errors[0][0] + errors[1][0]) / COVERED + FLOOR:
                said = [(each, why) for each in (one, other) if (why := excuse(results[each]))]
                seen.excused |= {(seed, each): why for each, why in said}
                if not said:
                    wrong.append(
                        f"{one} and {other}: {name} differs by {distance:.2g}, reported {errors[0][0]:.2g} and {errors[1][0]:.2g}"
                    )
            elif errors[0][0] < 0.2 * errors[1][0] and errors[1][0] > FLOOR:
                seen.ratios.append(errors[1][0] / max(distance, 1e-300))
    return wrong


def check(seed: int, theory: dict[str, dict[str, Any]], seen: Seen) -> None:
    """A random arm by all methods of a theory."""
    plan = varied(seed)
    results = {method: found for method, options in theory.items() if (found := run(plan, method, options)) is not None}
    wrong = agree(seed, results, seen)
    assert not wrong, "\n".join([*wrong, *(f"{method}: {result.notes}" for method, result in results.items())])


def near_the_true_ones(seen: Seen) -> None:
    """Few pairs are excused, and most reported errors are at most five times the true ones."""
    assert len(seen.excused) <= 0.1 * seen.pairs, seen.excused
    assert np.mean(np.array(seen.ratios) < 5.0) > 0.8, sorted(seen.ratios)
