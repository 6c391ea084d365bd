"""Tip tracking on circle and square: agreement with finite elements, steps at sharp corners."""

import numpy as np
import pytest

import flexarm as fa


def errors(name, method, step, end="6.5 s"):
    """rms and peaks along x and y from 2 s on in mm, hub sensor; and the result."""
    plan = fa.load(name)
    (drive,) = plan.tree["drive"]
    law = {**drive["control"], "sensor": "hub"}
    changes = {
        "drive": [{**drive, "control": law}],
        "method": {"name": method, "resolution": [2, 4]},
        "time.step": step,
    }
    result = fa.simulate(
        plan.with_({**changes, "time.end": end, "output": {"every": "1 ms", "stations": 2}}), warn=False
    )
    late = 1e3 * result.data.path_error.sel(time=slice(2.0 - 1e-9, None)).values[:, :2]
    return np.concatenate([np.sqrt(np.mean(late**2, axis=0)), np.abs(late).max(axis=0)]), result


@pytest.mark.parametrize(("name", "step"), [("tian-circle", "1 ms"), ("tian-square", "0.1 ms")])
def test_errors_are_those_of_finite_elements(name, step):
    # after a corner finite elements need shorter steps than absolute nodal coordinates
    ours, theirs = errors(name, "ancf", "0.5 ms")[0], errors(name, "fem", step)[0]
    assert ours == pytest.approx(theirs, rel=0.01)


def test_a_sharp_corner_needs_no_short_steps():
    long, run = errors("tian-square", "ancf", "1 ms", "4 s")
    assert long == pytest.approx(errors("tian-square", "ancf", "0.1 ms", "4 s")[0], rel=0.01)
    energy = {kind: np.abs(run.data.energy.sel(kind=kind)).max() for kind in ("work", "numerical", "residual")}
    assert energy["numerical"] < 0.1 * energy["work"]
    assert energy["residual"] < 1e-3 * energy["work"]


def test_a_kept_tangent_leaves_no_energy_in_slow_motion():
    """Steps that need a correction or two never ask for a new tangent, unless their last correction tells its age."""
    run = fa.simulate(fa.load("tian-square-tuned").with_({"time.end": 4.0}))
    assert run.summary()["energy_residual"] < 1.5e-5
