"""Energy is accounted for: whatever is driven, work in equals energy stored, dissipated and lost by the scheme."""

from __future__ import annotations

import numpy as np
import pytest
from generic_arms import BUNDLED, DRIVES, METHODS, one_link, short, short_run

import flexarm as fa

TIGHT = 1e-6
"""Of the largest energy. The sums come from the same steps as the motion, so what is left is rounding and Newton's tolerance."""

LOOSE = 2e-5
"""The same for `ancf`, whose steps end by a share of the reach: with slow motion its tolerance is no small part of a step."""


def residual(result: fa.Result) -> tuple[float, float]:
    """Largest residual and largest energy of a run, J."""
    energy = result.data["energy"]
    kinds = [kind for kind in energy["kind"].values if kind != "residual"]
    return float(np.abs(energy.sel(kind="residual")).max()), float(np.abs(energy.sel(kind=kinds)).max())


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("method", METHODS)
def test_energy_balances(method, drive):
    result = fa.simulate(one_link(method, drive, arm__damping={"time": 1e-4}, arm__gravity=[0.0, -9.81, 0.0]))
    left, largest = residual(result)
    assert result.success and largest > 1e-3
    assert left < TIGHT * largest
    assert float(result.data["energy"].sel(kind="dissipated")[-1]) > 0.0


@pytest.mark.parametrize("method", METHODS)
def test_an_undriven_arm_without_damping_keeps_its_energy(method):
    still = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.0}}
    plan = one_link(method, arm__gravity=[0.0, -9.81, 0.0]).with_({"drive": [still], "time.end": 0.2})
    energy = fa.simulate(plan).data["energy"]
    whole = sum(energy.sel(kind=kind).values for kind in ("kinetic", "elastic", "gravity"))
    assert np.ptp(energy.sel(kind="kinetic").values) > 0.1
    assert np.ptp(whole) < 1e-2 * np.ptp(energy.sel(kind="kinetic").values)


@pytest.mark.parametrize("name", BUNDLED)
def test_energy_balances_in_bundled_scenarios(name):
    result = short_run(name)
    left, largest = residual(result)
    assert result.success, result.message
    assert left < (LOOSE if result.data.attrs["method"] == "ancf" else TIGHT) * largest + 1e-15


def test_what_ancf_leaves_is_the_tolerance_of_its_steps():
    left, largest = residual(fa.simulate(short("tian-square-tuned").with_({"method.tolerance": 1e-12})))
    assert left < 1e-7 * largest


@pytest.mark.parametrize("step", [5e-3, 2e-2])
@pytest.mark.parametrize("method", ["fem", "ancf"])
def test_energy_that_the_scheme_makes_or_loses_is_said(method, step):
    """A rubber strip that whips; the limit is 2 % of the energy at play."""
    run = fa.simulate(
        fa.load("rubber-pendulum").with_({"method": method, "time.step": step, "time.end": 2.0}), warn=False
    )
    energy = {str(kind): run.data.energy.sel(kind=kind).values for kind in run.data.kind.values}
    share = np.abs(energy["numerical"]).max() / (energy["kinetic"] + energy["elastic"]).max()
    said = [note for note in run.notes if "of the largest energy" in note]
    assert bool(said) == (share > 0.02) and (step < 0.01 or said)
