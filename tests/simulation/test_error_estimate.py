"""The estimated errors of a run against the true ones: of signals by other steps and meshes, of frequencies at the start."""

from __future__ import annotations

import re

import numpy as np
import pytest

import flexarm as fa
from flexarm.simulation.build import prepare
from flexarm.simulation.error_estimate import apart, observed_order

LINK = """\
name: one link
arm:
  links:
    - name: link
      length: 0.8 m
      section: {shape: rectangle, width: 30 mm, height: 5 mm}
      material: {E: 70 GPa, density: 2700 kg/m^3, nu: 0.3}
      joint: {hub_inertia: 2e-3 kg*m^2}
  payload: {mass: 0.1 kg, inertia: 1e-4 kg*m^2}
  damping: {ratio: 1 %, mode: 1}
drive: [{joint: link, motion: {profile: quintic, by: 0.3 rad, duration: 0.3 s}}]
method: {name: fem}
time: {end: 0.5 s, step: 2 ms}
output: {every: 10 ms, gauges: [{link: link, at: 0.1}]}
"""
FINE = {"fd": 80, "fem": 32, "segments": 80, "modes": 8, "ancf": 16}
EXACT = {"fd": 160, "fem": 128, "segments": 160, "modes": 12, "ancf": 32}


@pytest.mark.parametrize("method", fa.method_names())
def test_every_method_tells_its_error_on_request(method):
    """Against a run with a finer mesh and an eighth of the step, which is as far away as was estimated."""
    coarse = {"modes": 2}.get(method, 4)
    own = {"name": method, "resolution": coarse, **({"scheme": "newmark"} if method == "fd" else {})}
    plan = fa.loads(LINK).with_({"method": own})
    run = fa.simulate(plan.with_({"method.error_estimate": True}), warn=False)
    fine = fa.simulate(plan.with_({"method.resolution": FINE[method], "time.step": 2.5e-4}), warn=False)
    for name in ("tip_deflection", "joint_torque", "strain"):
        attrs = run.data[name].attrs
        true, parts = apart(run, fine, name), [attrs[f"estimated_error_{part}"] for part in ("step", "mesh")]
        assert 0.7 * true < attrs["estimated_error"] < 5.0 * true, name
        assert attrs["estimated_error"] == pytest.approx(sum(parts))
    assert any(note.startswith("error estimate, largest error") for note in run.notes)


@pytest.mark.parametrize("method", fa.method_names())
def test_every_run_tells_the_errors_of_its_frequencies(method):
    """By the mesh, against a far finer one; by the step, against the shift of Newmark's scheme, (w h)^2 / 12."""
    plan = fa.loads(LINK).with_({"method": {"name": method}, "output.every": None})
    run = fa.simulate(plan, warn=False)
    note = next(note for note in run.notes if note.startswith("estimated errors of the first natural frequencies"))
    mesh = [float(each) / 100 for each in re.search(r": (.*) % by the mesh", note).group(1).split(" / ")]
    hz, exact = (
        prepare(plan.with_(plan.method.options.mesh(n))).model.first_hz for n in (default(method), EXACT[method])
    )
    true = np.abs(hz / exact - 1)[: len(mesh)]
    step = [float(each) / 100 for each in re.search(r"mesh, (.*) % by the step", note).group(1).split(" / ")]
    if method in ("fem", "segments", "ancf"):
        assert step == pytest.approx((2 * np.pi * hz * 2e-3) ** 2 / 12, rel=0.5)
    assert np.all(np.array(mesh) > 0.4 * true)
    if method != "modes":  # Ritz's frequencies converge faster than any power
        # errors of corrected elements change their sign with the mesh: a small one is told too large
        assert np.all(np.array(mesh) < (6.0 if method == "fem" else 2.5) * true + 1e-6)
    else:
        assert np.all(np.array(mesh) < 0.03)


def default(method: str) -> int:
    return int(fa.loads(LINK).with_({"method": {"name": method}}).method.options.resolution)


@pytest.mark.parametrize("order", [0.7, 1.0, 2.0, 4.0])
def test_the_order_is_observed(order):
    error = lambda n: 3.0 * n**-order  # noqa: E731
    for counts in ((8.0, 16.0, 4.0), (8.0, 11.0, 6.0), (100.0, 200.0, 400.0)):
        near, far = (abs(error(n) - error(counts[0])) for n in counts[1:])
        assert observed_order(near, far, *counts, 0.5, 4.0) == pytest.approx(order, abs=0.02)


CASE = {"method": {"name": "fem", "resolution": 4, "error_estimate": True}, "output.every": "20 ms", "time.end": "1 s"}


@pytest.mark.parametrize("step", [0.01, 0.005, 0.002])
def test_estimate_is_the_true_error(step):
    scenario = fa.load("naganathan-flexible").with_(CASE)
    run = fa.simulate(scenario.with_({"time.step": step}))
    fine = fa.simulate(scenario.with_({"time.step": 2.5e-4, "method.error_estimate": False}))
    for name in ("tip_error", "tip_deflection", "joint_torque"):
        true = apart(run, fine, name)
        assert 0.5 * true < run.data[name].attrs["estimated_error_step"] < 2.0 * true
    assert "error estimate" in run.data.attrs["notes"] and run.notes[-1] in run.data.attrs["notes"]
    assert not any("error estimate" in note for note in fine.notes)


def test_an_arm_in_space_has_an_estimate_too():
    """It was read and ignored."""
    short = {"time.end": 0.2, "time.step": 2e-3, "output.every": 0.01, "method.error_estimate": True}
    run = fa.simulate(fa.load("naganathan-3r").with_(short))
    fine = fa.simulate(fa.load("naganathan-3r").with_({**short, "time.step": 2.5e-4, "method.error_estimate": False}))
    assert run.data.tip_position.attrs["estimated_error"] > 0.0
    true = apart(run, fine, "tip_position")
    assert 0.3 * true < run.data.tip_position.attrs["estimated_error_step"] < 3.0 * true
