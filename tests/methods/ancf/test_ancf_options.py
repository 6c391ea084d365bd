"""Options: each changes what it should, and nothing else."""

import numpy as np
import pytest
from ancf_arms import GRAVITY, held, moving, scenario, share, swing, two_links

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.methods import get_method
from flexarm.methods.ancf import layout as at
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import Stepper

ARM, DRIVE = two_links(gravity=GRAVITY, damping={"time": 1e-4}), [swing("upper", 30.0), held("fore", 0.5)]


def run(method=None, end=0.1, step=1e-3, drive=DRIVE, arm=ARM):
    """Result, and the sums at the end."""
    made = scenario(arm, drive, end, step, method=method)
    stepper = Stepper(prepare(made))
    while not stepper.finished:
        marched, _, _ = stepper.chunk(1000)
        assert marched.outcome.name == "SUCCESS"
    model = stepper.model
    return stepper.state.x[: model.size], stepper.state.x[model.layout["sums"]]


def test_solvers_give_the_same_answer_with_different_work():
    answers = {solver: run({"solver": solver}) for solver in ("modified", "newton", "broyden")}
    for q, _ in answers.values():
        assert q == pytest.approx(answers["newton"][0], abs=5e-9)
    assert answers["newton"][1][at.TANGENTS] == answers["newton"][1][at.ITERATIONS]
    assert answers["modified"][1][at.TANGENTS] < 0.5 * answers["newton"][1][at.TANGENTS]
    assert answers["broyden"][1][at.ITERATIONS] != answers["modified"][1][at.ITERATIONS]


@pytest.mark.parametrize("sensor", ["hub", "chord"])
@pytest.mark.parametrize("integrator", ["generalised-alpha", "trapezoidal", "conserving"])
def test_integrators_are_of_second_order(integrator, sensor):
    arm = two_links(damping={"time": 3e-3})
    drive = [held("upper", 0.3, sensor, kv=400.0), held("fore", -0.4, sensor, kp=1000.0)]
    method = {"integrator": integrator, "element": "cable", "resolution": [1, 2]}
    ends = [run(method, 0.1, h, drive, arm)[0] for h in (2e-3, 1e-3, 5e-4)]
    ratio = np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(ends[1] - ends[2])
    assert 3.4 < ratio < 4.6


def test_prescribed_joints_converge_with_the_conserving_scheme_too():
    drive = [moving("upper", 0.6, 0.1), moving("fore", -0.9, 0.1)]
    method = {"integrator": "conserving", "element": "cable", "resolution": [1, 2]}
    ends = [run(method, 0.1, h, drive, two_links(damping={"time": 3e-3}))[0] for h in (2e-3, 1e-3, 5e-4)]
    ratio = np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(ends[1] - ends[2])
    assert 3.2 < ratio < 4.8


def test_spectral_radius_and_conserving_scheme_in_the_energy():
    drop = two_links(gravity=GRAVITY)
    lost = {r: run({"spectral_radius": r}, drive=[], arm=drop)[1][at.NUMERICAL] for r in (0.3, 1.0)}
    assert lost[0.3] < 0 and abs(lost[1.0]) < 0.5 * abs(lost[0.3])
    kept = fa.simulate(scenario(drop, [], 0.5, 5e-3, method={"integrator": "conserving"}))
    assert share(kept, "numerical") < 1e-12
    energy = sum(kept.data.energy.sel(kind=k) for k in ("kinetic", "elastic", "gravity"))
    assert float(np.abs(energy - energy[0]).max()) < 1e-6 * float(kept.data.energy.sel(kind="kinetic").max())


def test_invariants_are_equal_to_quadrature_and_the_plane_matters():
    base = {"variant": "paper", "resolution": [1, 2]}
    quadrature, _ = run(base)
    assert run({**base, "evaluation": "invariants"})[0] == pytest.approx(quadrature, abs=1e-9)
    assert np.abs(run({**base, "plane": "strain"})[0] - quadrature).max() > 1e-6


def test_tolerance_iterations_and_step_error():
    fine, loose = run({"tolerance": 1e-12}), run({"tolerance": 1e-5})
    assert loose[1][at.ITERATIONS] < fine[1][at.ITERATIONS]
    assert run({"iterations": 2, "tolerance": 1e-13})[1][at.HALVED] > 0
    whip = {"step_error": 1e-7}
    assert run(whip)[1][at.HALVED] > run({"step_error": None})[1][at.HALVED] == 0


def test_energy_error_stops_a_run():
    arm = two_links(gravity=GRAVITY)
    method = {"spectral_radius": 0.0, "energy_error": 1e-7}
    stopped = fa.simulate(scenario(arm, [], 0.5, 2e-3, method=method))
    assert stopped.outcome.name == "ENERGY_ERROR"
    assert "energy" in stopped.message
    assert 0.1 < float(stopped.data.time[-1]) < 0.5
    assert fa.simulate(scenario(arm, [], 0.5, 2e-3, method={**method, "energy_error": None})).success


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"variant": "paper", "element": "cable"}, "one element"),
        ({"plane": "strain"}, "variant: paper"),
        ({"evaluation": "invariants"}, "variant: paper"),
        ({"integrator": "conserving", "solver": "broyden"}, "modified or newton"),
        ({"integrator": "trapezoidal", "spectral_radius": 0.5}, "generalised-alpha"),
        ({"integrator": "conserving", "step_error": 0.1}, "long steps"),
        ({"resolution": 0}, "greater than or equal"),
    ],
)
def test_options_that_do_not_belong_together_are_refused(options, words):
    with pytest.raises(FlexarmError, match=words):
        get_method("ancf").options_from(options)
