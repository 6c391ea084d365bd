"""The RALF arm: integrals, frequencies, equilibrium and runs agree with figures of an independent computation."""

from __future__ import annotations

import numpy as np
import pytest
from modes_arms import NUMBERS, model_of, ralf

import flexarm as fa
from flexarm.methods.modes.integrals import stiffness

WIRED = {"lower": "motion", "bellcrank": "motion", "actuating": "free", "upper": "free"}


def hz(n: int = 6, gravity: bool = False, **options):
    changes = {f"method.{key}": value for key, value in options.items()}
    return fa.frequencies(ralf(gravity, **changes), n=n).hz


@pytest.mark.parametrize("name", ["lower", "upper", "act"])
def test_modal_integrals(name):
    model = model_of(ralf(), WIRED, **ralf().method.options.model_dump(exclude={"accuracy"}))
    beam = model.beams[{"lower": 0, "upper": 3, "act": 2}[name]]
    sums, reference = beam.integrals, NUMBERS["modal integrals"][name]
    scale = np.ones(2) if name == "act" else 1.0 / beam.shapes.across([3.048])[0]
    assert (sums.mass, sums.S[0], sums.I0) == pytest.approx(
        (reference["m"], reference["S"], reference["I0"]), rel=1e-12
    )
    for ours, key in ((sums.N[1] * scale, "N"), (sums.P * scale, "P"), (sums.M * np.outer(scale, scale), "M"),
                      (stiffness(beam.line, beam.shapes) * np.outer(scale, scale), "K")):  # fmt: skip
        assert np.abs(ours - reference[key]).max() < 1e-11 * np.abs(reference[key]).max(), key


@pytest.mark.parametrize("shapes", [1, 2, 3, 4, 6])
def test_constrained_frequencies(shapes):
    wanted = NUMBERS["frequencies"][f"constrained, {shapes} shape{'s' if shapes > 1 else ''}"]
    assert hz(len(wanted), resolution=shapes) == pytest.approx(wanted, rel=1e-8)


def test_unconstrained_frequencies():
    figures = NUMBERS["frequencies"]
    assert hz(loops="cut-absolute") == pytest.approx(figures["unconstrained"], rel=1e-8)
    assert hz(loops="cut-relative") == pytest.approx(figures["unconstrained, relative"], rel=1e-8)


def test_frequencies_under_weight():
    figures = NUMBERS["frequencies"]
    assert hz(gravity=True) == pytest.approx(figures["with weight and loop forces"], rel=1e-8)
    static = hz(gravity=True, stiffening="static")
    assert static == pytest.approx(figures["with static geometric stiffness"], rel=1e-7)
    whole = hz(gravity=True, stiffening="second-order", shapes="component", resolution=6)
    assert whole == pytest.approx(figures["exudyn, stiff along, with weight"], rel=1e-3)
    assert whole[0] == pytest.approx(7.8530, abs=2e-4)


def test_finite_element_column():
    """Component shapes, with and without stretch, give what a fine mesh of finite elements gives."""
    figures = NUMBERS["frequencies"]
    fine = {"shapes": "component", "resolution": 8}
    assert hz(**fine) == pytest.approx(figures["finite elements, stiff along"], rel=5e-5)
    assert hz(**fine, axial_modes=4) == pytest.approx(figures["finite elements"], rel=5e-5)
    both = hz(**fine, axial_modes=4, gravity=True, stiffening="second-order")
    assert both == pytest.approx(figures["exudyn with weight"], rel=1e-3)


def test_mass_matrix_and_weight_in_absolute_angles():
    """The reference counts angles from the ground and scales the shapes otherwise; both follow by a linear map."""
    options = ralf().method.options.model_dump(exclude={"accuracy"})
    model = model_of(ralf(), WIRED, **options)
    q = model.undeformed(model.pose)
    M, h = model.mass_matrix(q), model.bias(q, np.zeros(model.size))
    names = list(model.tree.names)
    T = np.zeros((model.size, 10))  # ours from (th1, th2, th3, th4, lower, upper, actuating)
    order = {"lower": 4, "upper": 6, "actuating": 8}
    slope = {}
    for beam in model.beams:
        for k in range(beam.count):
            scale = 1.0 if beam.link.name == "actuating" else 1.0 / beam.shapes.across([3.048])[0, k]
            T[names.index(f"{beam.link.name} bending {k + 1}"), order[beam.link.name] + k] = scale
            for end, x in (("root", 0.0), ("tip", 3.048)):
                slope[beam.link.name, end, k] = scale * beam.shapes.across([x], 1)[0, k]
    T[names.index("lower"), 0] = T[names.index("bellcrank"), 1] = 1.0
    T[names.index("actuating"), [2, 1]] = 1.0, -1.0
    T[names.index("upper"), [3, 0]] = 1.0, -1.0
    for k in range(2):
        T[names.index("actuating"), 8 + k] = slope["actuating", "root", k]
        T[names.index("upper"), 4 + k] = -slope["lower", "tip", k]
    reference = np.array(NUMBERS["mass matrix"])
    assert np.abs(T.T @ M @ T - reference).max() < 1e-10 * np.abs(reference).max()
    assert np.abs(-T.T @ h - NUMBERS["gravity"]).max() < 1e-10 * np.abs(NUMBERS["gravity"]).max()


def test_equilibrium():
    scenario = ralf(**{"time.end": 0.002})
    data, figures = fa.simulate(scenario).data, NUMBERS["static"]
    assert 1e6 * data.strain.values[0] == pytest.approx(figures["strain"], rel=1e-7)
    assert data.tip_position.values[0, :2] == pytest.approx(figures["tip"], rel=1e-9)
    assert np.abs(1e6 * data.strain.values[-1] - figures["strain"]).max() < 1e-3  # it is an equilibrium
    assert np.abs(data.loop_force.values[0, 0, :2]) == pytest.approx(figures["loop force"], rel=1e-7)
    four = fa.simulate(scenario.with_({"method.resolution": 4})).data
    assert 1e6 * four.strain.values[0] == pytest.approx(figures["strain, 4 shapes"], rel=1e-4)


@pytest.mark.parametrize("name, bundled", [("lower only", "ralf-lower-only"), ("upper only", "ralf-upper-only"),
                                           ("both", "ralf")])  # fmt: skip
def test_runs(name, bundled):
    result = fa.simulate(bundled)
    reference, data = NUMBERS["runs"][name], result.data
    strain = 1e6 * (data.strain.values - data.strain.values[0])
    peak = np.array(reference["peak"])
    assert result.success and np.abs(strain).max(axis=0) == pytest.approx(peak, rel=2e-6)
    at_times = [round(1e3 * t) for t in reference["times"]]
    assert np.abs(strain[at_times] - reference["strain"]).max() < 5e-6 * peak.max()
    assert np.abs(data.tip_position.values[at_times, :2] - reference["tip"]).max() < 1e-8
    rest = strain[2600:]
    assert 0.5 * np.ptp(rest, axis=0) == pytest.approx(reference["residual"], rel=5e-6)
    assert float(data.loop_error.max()) < 1e-12
    energy = data.energy
    assert np.abs(energy.sel(kind="residual")).max() < 1e-6 * energy.sel(kind="work").max()


def test_static_geometric_stiffness_in_motion():
    data = fa.simulate(fa.load("ralf").with_({"method.stiffening": "static"})).data
    strain = 1e6 * np.abs(data.strain.values - data.strain.values[0])[:4001].max(axis=0)
    assert strain == pytest.approx(NUMBERS["static geometric stiffness"]["both"], rel=1e-3)


def test_second_order_comes_near_large_deformation_finite_elements():
    run = {"method.stiffening": "auto", "method.shapes": "component", "method.resolution": 4}
    data = fa.simulate(fa.load("ralf").with_(run)).data
    strain = 1e6 * np.abs(data.strain.values - data.strain.values[0])[:4001].max(axis=0)
    off = np.abs(strain / NUMBERS["exudyn, stiff along"]["both"] - 1.0)
    assert off[0] < 2e-3 and off[1] < 0.01 and off[2] < 0.02  # the other code has its own error in mid-link curvature


def test_shares_of_strain_energy():
    """Lower bends, upper bends, actuating link first and second, upper second, lower second."""
    share = fa.frequencies(ralf(False), n=6).strain_share
    assert share.sum("link").values == pytest.approx(np.ones(6))
    wanted = {1: ("lower", 0.97), 2: ("upper", 0.97), 3: ("actuating", 0.99), 4: ("upper", 0.99),
              5: ("actuating", 0.89), 6: ("lower", 0.88)}  # fmt: skip
    for mode, (name, value) in wanted.items():
        assert float(share.sel(mode=mode, link=name)) == pytest.approx(value, abs=0.006)
