"""Orders of convergence in elements and steps."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, HOLD, beam, model_of, moved, scenario, slender
from scipy.linalg import eigh
from scipy.optimize import brentq

import flexarm as fa

THEORIES = ("exact", "link", "linear")


def orders(errors) -> np.ndarray:
    errors = np.abs(np.asarray(errors))
    return np.log2(errors[:-1] / errors[1:])


def timoshenko_cantilever(ratio: float, n: int) -> np.ndarray:
    """Frequencies of a clamped beam with EI = rhoA = L = 1, radius of gyration `ratio`, nu = 0.3, shear factor 5/6.

    Solves (GA (w' - chi))' = -rhoA w2 w, (EI chi')' + GA (w' - chi) = -rhoI w2 chi by its matrix exponential.
    """
    from scipy.linalg import expm

    GA = 5 / 6 / 2.6 / ratio**2

    def ends(omega: float) -> float:
        square = omega**2
        A = np.array([[0, 1, 1 / GA, 0], [0, 0, 0, 1], [-square, 0, 0, 0], [0, -square * ratio**2, -1, 0]], dtype=float)
        return float(np.linalg.det(expm(A)[2:, 2:]))  # w, chi = 0 at the root; force and moment at the tip

    grid, found = np.linspace(1.0, 60.0, 400), []
    values = [ends(x) for x in grid]
    for a, b, one, two in zip(grid, grid[1:], values, values[1:], strict=False):
        if one * two < 0:
            found.append(brentq(ends, a, b, xtol=1e-13))
    return np.array(found[:n])


@pytest.mark.parametrize("theory", THEORIES)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_frequencies_of_a_thick_cantilever(order, theory):
    """With p points the error falls as h^2p."""
    ratio = 0.05
    known = timoshenko_cantilever(ratio, 3)
    assert known[0] == pytest.approx(3.44, abs=0.02)  # below 3.516 of the slender beam
    section = {"area": 1.0, "inertia": ratio**2, "shear_factor": 5 / 6}
    link = beam("link", section=section, material={"E": 1 / ratio**2, "density": 1.0, "nu": 0.3})
    errors = []
    for n in {1: (8, 16, 32), 2: (4, 8, 16), 3: (2, 4, 8)}[order]:
        one = scenario([link], moved("link", HOLD), resolution=n, order=order, theory=theory)
        model = model_of(one).linearise()
        across = [k for k, name in enumerate(model.coordinates) if name.split()[1][0] != "x"]
        K, M = model.K[np.ix_(across, across)], model.M[np.ix_(across, across)]
        found = np.sqrt(eigh(K, M, eigvals_only=True)[:3])
        errors.append(found / known - 1.0)
    assert np.abs(orders(errors)[-1] - 2 * order).max() < 0.25
    assert np.abs(errors[-1]).max() < {1: 2e-2, 2: 1e-4, 3: 1e-4}[order]


@pytest.mark.parametrize("theory", THEORIES)
def test_tip_of_a_moving_arm_is_of_second_order(theory):
    """Linear elements: differences between meshes fall by four."""
    found = []
    for n in (4, 8, 16, 32):
        turn = moved("link", {"profile": "cycloid", "by": 1.0, "duration": 0.5})
        run = fa.simulate(scenario([slender()], turn, resolution=n, end=0.4, step=1e-3, every=0.1, theory=theory))
        found.append(run.data["deflection"].values[1:, 0, -1])
    steps = np.diff(np.array(found), axis=0)
    assert np.log2(np.linalg.norm(steps[1]) / np.linalg.norm(steps[2])) == pytest.approx(2.0, abs=0.15)


def test_higher_order_is_nearer_with_fewer_unknowns():
    """The tip of the driven bar: 4 cubic elements are nearer to the limit than 32 linear ones."""
    turn = moved("link", {"profile": "cycloid", "by": 1.0, "duration": 0.5})

    def tip(n, order):
        run = fa.simulate(scenario([slender()], turn, resolution=n, order=order, end=0.4, step=1e-3, every=0.1))
        return run.data["deflection"].values[1:, 0, -1]

    limit, quadratic = tip(12, 3), tip(32, 2)
    scale = np.abs(limit).max()
    assert np.abs(quadratic - limit).max() < 1e-5 * scale
    assert np.abs(tip(4, 3) - limit).max() < 0.05 * np.abs(tip(32, 1) - limit).max()
    assert np.abs(tip(8, 2) - limit).max() < 0.2 * np.abs(tip(32, 1) - limit).max()


@pytest.mark.parametrize("options", [
    {"integrator": "newmark"}, {"integrator": "generalised-alpha"},
    {"integrator": "generalised-alpha", "spectral_radius": 0.0}, {"integrator": "generalised-alpha", "spectral_radius": 1.0},
])  # fmt: skip
@pytest.mark.parametrize("theory", THEORIES)
def test_time_schemes_are_of_second_order(theory, options):
    """Position and torque of a damped arm of two links, against a far smaller step."""
    drives = [moved(name, {"profile": "quintic", "by": 1.0, "duration": 0.6}) for name in ("upper", "fore")]

    def found(step):
        arm = {"gravity": DOWN, "damping": {"time": 2e-3}}
        run = fa.simulate(scenario([beam("upper"), beam("fore")], drives, arm=arm, resolution=2, end=0.4, step=step, every=0.1,
                                   start="equilibrium", theory=theory, **options))  # fmt: skip
        return 1e3 * run.data["tip_error"].values[1:, :2], run.data["joint_torque"].values[1:]

    exact = found(1e-4)
    errors = [[np.abs(a - b).max() for a, b in zip(found(h), exact, strict=True)] for h in (4e-3, 2e-3, 1e-3)]
    assert orders(errors)[-1] == pytest.approx([2.0, 2.0], abs=0.3)


def test_integrators_agree_in_the_limit_but_not_on_coarse_steps():
    drive = {"joint": "link", "torque": {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}}

    def travel(step, **options):
        run = fa.simulate(
            scenario([slender({"hub_inertia": 5.86e-4})], drive, resolution=4, end=0.8, step=step, every=0.2, **options)
        )
        return run.data["travel"].values[1:]

    alpha = {"integrator": "generalised-alpha", "spectral_radius": 0.2}
    assert np.abs(travel(2e-2) - travel(2e-2, **alpha)).max() > 1e-3
    assert np.abs(travel(1e-4) - travel(1e-4, **alpha)).max() < 2e-5


def test_tolerance_and_criterion_end_the_iterations():
    """A loose tolerance saves iterations and costs digits; both criteria lead to the same motion."""
    from fem_arms import case3

    def run(**options):
        result = fa.simulate(case3(end=0.5, step=5e-3, **options))
        return result.data["tip_error"].values

    tight = run(tolerance=1e-12)
    loose, energy = run(tolerance=1e-3), run(tolerance=1e-15, criterion="energy")
    assert 1e-11 < np.abs(loose - tight).max() < 1e-5
    assert np.abs(energy - tight).max() < 1e-9
