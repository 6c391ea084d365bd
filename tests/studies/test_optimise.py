"""Designs: optima against closed forms and grids, trials that go on, refusals."""

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError, Interrupted, OutputError
from flexarm.studies.design_file import find_design, read_design
from flexarm.studies.trials import FILE, run_rows

BAR = {
    "name": "bar",
    "arm": {
        "links": [
            {
                "name": "bar",
                "length": 1.0,
                "section": {"shape": "rectangle", "width": 0.02, "height": 0.02},
                "material": "steel",
            }
        ]
    },
    "drive": [{"joint": "bar", "motion": {"profile": "constant"}}],
    "method": {"name": "fem", "resolution": 2, "order": 2, "beams": "euler-bernoulli"},
    "time": {"end": 0.01, "step": 1e-3},
}
HEIGHT = {"height": {"fields": ["arm.links.bar.section.height"], "from": "5 mm", "to": "50 mm"}}
LOADS = {"loads": [{"force": [0.0, -50.0]}]}
SAG = "-static.tip_displacement.y < 2 mm"


@pytest.fixture(scope="module")
def bar():
    return fa.loads(json.dumps(BAR))


def best_height(E=207e9, force=50.0, width=0.02, sag=2e-3):
    """Height of a cantilever of 1 m whose tip sinks so far."""
    return (4.0 * force / (E * width * sag)) ** (1.0 / 3.0)


@pytest.mark.parametrize("kind", ["local", "evolution"])
def test_the_lightest_cantilever_is_the_one_of_the_closed_form(bar, kind):
    found = fa.optimise(bar, HEIGHT, "arm.mass", [SAG], static=LOADS, search={"type": kind, "runs": 40})
    assert found.success and found.values["height"] == pytest.approx(best_height(), rel=1e-4)
    assert found.scenario.arm.links[0].section.stations[0].height == pytest.approx(found.values["height"], rel=1e-9)
    assert abs(found.limits[SAG]) < 1e-5


def test_adapted_covariances_find_two_variables(bar):
    """A bar that is as slim as allowed is the lightest: its mass goes with width times height, its stiffness with the height cubed."""
    pytest.importorskip("cmaes")
    wide = {"width": {"fields": ["arm.links.bar.section.width"], "from": "10 mm", "to": "40 mm"}}
    found = fa.optimise(bar, {**wide, **HEIGHT}, "arm.mass", [SAG], static=LOADS, search={"type": "cma-es", "runs": 60})
    assert found.values["width"] == pytest.approx(0.01, rel=1e-4)
    assert found.values["height"] == pytest.approx(best_height(width=0.01), rel=1e-3)


def test_the_bundled_boom_has_the_widths_of_the_closed_form():
    found = fa.optimise("boom-taper")
    shares = np.sqrt([37.0, 19.0, 7.0, 1.0])
    widths = 4.0 * 100.0 * 0.125 / (207e9 * 0.04**3) * shares.sum() / 0.01 * shares
    assert [found.values[name] for name in ("first", "second", "third", "fourth")] == pytest.approx(widths, rel=5e-3)
    assert found.numbers["mass"] == pytest.approx(7850.0 * 0.04 * 0.5 * widths.sum(), rel=2e-3)


def test_a_material_out_of_a_list(bar):
    choice = {"arm.links.bar.material": ["steel", "aluminium"], **HEIGHT}
    found = fa.optimise(bar, choice, "arm.mass", [SAG], static=LOADS, search={"type": "local"})
    assert found.values["arm.links.bar.material"] == "aluminium"  # E^(1/3) / density decides for a bar of given width
    assert set(found.trials["arm.links.bar.material"].values) == {"steel", "aluminium"}


def test_two_objectives_give_a_front(bar):
    pytest.importorskip("optuna")
    goals = {"mass": "arm.mass", "sag": "-static.tip_displacement.y"}
    found = fa.optimise(bar, HEIGHT, goals, static=LOADS, search={"runs": 40})
    front = found.front
    assert len(front.trial) > 5
    assert (np.diff(front["mass"].values) > 0).all() and (np.diff(front["sag"].values) < 0).all()
    heights, sag = front["height"].values, front["sag"].values
    small = sag < 0.01  # large deflections are less than the linear theory says
    assert small.sum() > 3
    np.testing.assert_allclose(sag[small], 4.0 * 50.0 / (207e9 * 0.02 * heights[small] ** 3), rtol=1e-3)


def test_trials_are_kept_and_a_design_goes_on(bar, tmp_path):
    asked = {"static": LOADS, "search": {"type": "local"}, "folder": tmp_path}
    stop = iter([False] * 2 + [True] * 100)
    with pytest.raises(Interrupted, match="--resume"):
        fa.optimise(bar, HEIGHT, "arm.mass", [SAG], cancel=lambda: next(stop), **asked)
    before = len((tmp_path / FILE).read_text().splitlines())
    with (tmp_path / FILE).open("a") as file:
        file.write('{"values": ["0x1.0')  # a line cut in half
    with pytest.raises(OutputError, match="go on with --resume"):
        fa.optimise(bar, HEIGHT, "arm.mass", [SAG], **asked)
    found = fa.optimise(bar, HEIGHT, "arm.mass", [SAG], resume=True, **asked)
    whole = fa.optimise(bar, HEIGHT, "arm.mass", [SAG], static=LOADS, search={"type": "local"})
    assert found.values == whole.values and found.trials.equals(whole.trials)
    assert before < len((tmp_path / FILE).read_text().splitlines()) == 1 + len(whole.trials.trial)
    with pytest.raises(OutputError, match="another design"):
        fa.optimise(bar, HEIGHT, "arm.mass", ["-static.tip_displacement.y < 1 mm"], keep={"f": "frequency(1)"}, **asked)


def test_limits_that_nothing_meets_are_told(bar):
    found = fa.optimise(bar, HEIGHT, "arm.mass", ["frequency(1) > 9 kHz"], search={"type": "local"})
    assert not found.success and "none of" in found.message and "misses a limit by" in found.message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"variables": {"arm.links.bar.section.hieght": {"from": 1, "to": 2}}}, "hieght"),
        ({"variables": {"height": {"fields": ["arm.links.bar.section.height"], "from": "5 kg", "to": "6 kg"}}}, "kg"),
        (
            {"variables": {"height": {"fields": ["arm.links.bar.section.height"], "from": "5 mm"}}},
            "both ends are wanted",
        ),
        ({"variables": {**HEIGHT, "height": {**HEIGHT["height"], "start": "1 m"}}}, "outside of from and to"),
        ({"limits": ["arm.mass == 3 kg"]}, "is not a limit"),
        ({"limits": ["arm.mass < 3 mm"]}, "mm"),
        ({"minimise": "arm.weight"}, "there are energy_residual"),
        ({"search": {"type": "front"}}, "a front is between several objectives"),
        ({"search": {"type": "fastest"}}, "search.type"),
    ],
)
def test_bad_designs_are_refused_in_a_sentence(bar, change, words):
    asked = {"variables": HEIGHT, "minimise": "arm.mass", "limits": [SAG], "static": LOADS, **change}
    with pytest.raises(FlexarmError, match=words):
        fa.optimise(bar, **asked)


@pytest.mark.document
def test_the_fastest_move_is_that_of_a_fine_grid():
    found = fa.optimise("fastest-move")
    problem = read_design(find_design("fastest-move")[0])
    lengths = np.arange(0.05, 0.9, 0.002)
    ringing = run_rows(problem.plan, lengths[:, None])[0][:, 0]
    first = lengths[np.flatnonzero(ringing < 1e-3)[0]]
    assert first - 0.002 <= found.values["duration"] <= first
    assert found.numbers["residual_vibration"] <= 1e-3 * (1 + 1e-6)


@pytest.mark.document
def test_the_lightest_arm_is_that_of_a_grid():
    found = fa.optimise("lightest-arm")
    problem = read_design(find_design("lightest-arm")[0])
    a, b = (found.values[name] for name in ("upper", "fore"))
    rows = np.array([[p, q] for p in a * np.linspace(0.7, 1.3, 13) for q in b * np.linspace(0.7, 1.3, 13)])
    goals, over = problem.judged(rows, run_rows(problem.plan, rows)[0])
    assert goals[(over <= 0.0).all(axis=1), 0].min() >= found.numbers["mass"] * (1 - 1e-6)
