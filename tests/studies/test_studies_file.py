"""Study files: what they mean, and one sentence with the place for what they cannot mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.scenario.node import wrap
from flexarm.studies.file import find_study, library, make_plan

GOOD = {"scenario": "tokhi-azad", "vary": {"arm.payload.mass": ["0 g", "20 g"]}, "keep": ["tip_deflection_peak"]}
BETWEEN = {"between": ["arm.payload.mass", "b"], "coefficient": 0.5}
NORMAL = {"distribution": "normal", "mean": "20 g", "sd": "2 g"}


def plan(**changes: object):  # type: ignore[no-untyped-def]
    return make_plan(
        wrap({key: value for key, value in {**GOOD, **changes}.items() if value is not None}, "study.yaml")
    )


@pytest.mark.parametrize("name", library())
def test_bundled_studies_can_be_read(name: str) -> None:
    node, folder = find_study(name)
    made = make_plan(node, folder)
    assert made.count > 10 and made.name and made.limits


def test_forms_of_values() -> None:
    made = plan(
        vary={
            "arm.payload.mass": NORMAL,
            "arm.links.link.material.E": {"from": "70 GPa", "to": "140 GPa", "count": 3, "spacing": "logarithmic"},
            "method.resolution": [10, 20],
            "hub": {"fields": ["arm.links.link.joint.hub_inertia"], "values": [1, 2], "relative": True},
        },
        design={"runs": 5},
    )
    assert made.count == 3 * 2 * 2 * 5
    values = made.design.values(0, made.count)
    assert np.allclose(np.unique(values[:, 1]), [70e9, 70e9 * np.sqrt(2), 140e9])
    group = next(group for group, _ in made.members(values))
    assert made.base(group).method.options.resolution == 10
    assert made.one_by_one(group).scenario(np.array([0.01, 70e9, 2.0])).arm.links[0].joint.hub_inertia == 2 * 5.86e-4


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vary": {"arm.payload.mas": ["1 g"]}}, "unknown key 'mas'; did you mean 'mass'"),
        ({"vary": {"arm.links.fore.length": ["1 m"]}}, "there is no 'fore' in arm.links"),
        ({"vary": {"arm.payload.mass": ["1 g", "2 mm"]}}, "wants kg .*not '2 mm'"),
        ({"vary": {"arm.payload.mass": {**NORMAL, "sd": "5 g"}}}, "values can reach -0.0.* kg, but arm.payload.mass is at least 0 kg: cut it off"),
        ({"vary": {"arm.payload.mass": {**NORMAL, "sd": "0 g"}}}, "sd must be positive"),
        ({"vary": {"arm.payload.mass": {"distribution": "uniform", "low": "3 g", "high": "2 g"}}}, "low .* must be less than high"),
        ({"vary": {"arm.payload.mass": {"distribution": "gauss", "mean": 1}}}, "one of normal, log-normal"),
        ({"vary": {"arm.payload.mass": {"distribution": "normal", "sd": "1 g", "men": 3}}}, "unknown key 'men'; did you mean 'mean'"),
        ({"vary": {"arm.payload.mass": 3}}, "wants a list of values"),
        ({"vary": {"method.resolution": {"distribution": "uniform", "low": 3, "high": 9}}}, "whole number"),
        ({"vary": {"method": ["fd", "fm"]}}, "fm"),
        ({"vary": {"x": {"variants": {"a": {"arm.payload.mas": 1}}}}}, "mas"),
        ({"vary": {"arm.payload.mass": {"distribution": "discrete", "values": ["1 g", "2 g"], "weights": [1]}}}, "weights want 2 numbers"),
        ({"keep": ["os.system('ls')"]}, "safe set"),
        ({"keep": None}, "keeps something"),
        ({"keep": {"arm.payload.mass": "tip_deflection_peak"}}, "two columns"),
        ({"keep": ["max(travel)/2"]}, "give the formula a name"),
        ({"vary": {"arm.payload.mass": NORMAL}, "design": {"runs": 10**12}}, "1e.12 draws, and a table can hold 1e.08"),
        ({"design": {"runs": 10}}, "nothing is drawn"),
        ({"vary": {"arm.payload.mass": NORMAL}, "design": {"type": "sobel"}}, "did you mean 'sobol'"),
        ({"vary": {"arm.payload.mass": NORMAL}, "correlation": [BETWEEN]}, "'b' is not a number that is drawn"),
        ({"scenario": "tokhi-asad"}, "did you mean 'tokhi-azad'"),
        ({"instants": 1, "signals": ["travel"]}, "2 to"),
        ({"kep": 3}, "unknown key 'kep'; did you mean 'keep'"),
    ],
)  # fmt: skip
def test_bad_files(changes: dict[str, object], words: str) -> None:
    with pytest.raises(FlexarmError, match=words) as told:
        plan(**changes)
    assert "\n" not in str(told.value).split("\n  also")[0]


def test_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("scenario: tokhi-azad\nkeep: [tip_deflection_peak]\nvary:\n  arm.payload.mass: [1 g, 2 mm]\n")
    with pytest.raises(FlexarmError, match=r"study\.yaml, line 4, vary\.arm\.payload\.mass: "):
        fa.study(path)
    with pytest.raises(FlexarmError, match=r"no bundled study 'tokhi-azad'.*That is a scenario"):
        fa.study("tokhi-azad")


def test_limits_are_read_before_the_runs() -> None:
    with pytest.raises(FlexarmError, match="it has tip_deflection_peak"):
        fa.study(**GOOD, limits=["tip_error < 1 mm"], workers=1, step="1 ms")


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from flexarm.studies import places

    monkeypatch.setattr(places, "ANSWER_SECONDS", 0.3)
    with pytest.raises(FlexarmError, match=r"no scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        fa.study(**GOOD, scheduler="tcp://127.0.0.1:9", step="1 ms")
