"""Links that slide, against a calculation of the moving boundary that shares nothing with the method."""

from __future__ import annotations

import numpy as np
import pytest
from spatial_arms import beam, scenario

import flexarm as fa
from flexarm.errors import FlexarmError

FLAT = {"shape": "rectangle", "width": 0.01, "height": 0.003}
TAPER = [{"at": 0.0, "shape": "rectangle", "width": 0.01, "height": 0.004},
         {"at": 1.0, "shape": "rectangle", "width": 0.01, "height": 0.002}]  # fmt: skip
G = 1.0


def height(section, S):
    """Of the blade at the distance S from its end; all of its material is 1.2 m long."""
    return np.full_like(S, 0.003) if section is FLAT else 0.002 + 0.002 * S / 1.2


def boom(first: float, last: float, duration: float, end: float, **more):
    """A blade that slides up out of the ground, with weight across it."""
    joint = {"type": "prismatic", "position": first, **more.pop("joint", {})}
    link = beam("boom", None, more.pop("section", FLAT), length=1.2, joint=joint, **more.pop("link", {}))
    drives = [{"joint": "boom", "motion": {"profile": "cycloid", "to": last, "duration": duration}}]
    method = {"resolution": more.pop("resolution", 16), "integrator": "newmark"}
    return scenario([link], drives, end, 5e-4, arm={"gravity": more.pop("gravity", [0, G, 0]), **more.pop("arm", {})},
                    method=method, time={"start": "equilibrium"}, output={"stations": 2, "every": 5e-3})  # fmt: skip


def moving_boundary(first: float, last: float, duration: float, times: np.ndarray, section=FLAT) -> np.ndarray:
    """Tip deflection by polynomials in X / L(t), weak form at fixed X with axial force, Bernoulli's beam.

    What is at X has the section of the material that is there: at the distance L - X from the end.
    """
    n = 4
    x, w = np.polynomial.legendre.leggauss(20)
    eta, w = 0.5 * (1.0 + x), 0.5 * w
    p = [eta ** (k + 2) for k in range(n)]
    p1 = [(k + 2) * eta ** (k + 1) for k in range(n)]
    p2 = [(k + 2) * (k + 1) * eta**k for k in range(n)]
    p, p1, p2 = np.array(p), np.array(p1), np.array(p2)

    def length(t):
        s = np.clip(t / duration, 0.0, 1.0)
        turn, by = 2.0 * np.pi, last - first
        inside = 0.0 < t / duration < 1.0
        return (
            first + by * (s - np.sin(turn * s) / turn),
            by / duration * (1.0 - np.cos(turn * s)) if inside else 0.0,
            by / duration**2 * turn * np.sin(turn * s) if inside else 0.0,
        )

    def matrices(t):
        L, Ld, Ldd = length(t)
        et, ett, etx = -eta * Ld / L, eta * (2 * Ld**2 / L**2 - Ldd / L), -Ld / L**2
        tall = height(section, L * (1.0 - eta))
        rho, EI = 27.0 * tall, 70e9 * 0.01 * tall**3 / 12.0
        beyond = 27.0 * L * (1.0 - eta) * (height(section, L * np.outer(1.0 - eta, eta)) @ w)  # mass
        M = L * (p * rho * w) @ p.T
        C = L * (p * rho * w) @ (2.0 * p1 * et + 2.0 * Ld * p1 / L).T
        change = p2 * et**2 + p1 * ett + 2.0 * Ld * (p2 * et / L + p1 * etx) + Ld**2 * p2 / L**2 + Ldd * p1 / L
        K = L * (p * rho * w) @ change.T + (p2 * EI * w) @ p2.T / L**3
        K -= Ldd * (p1 * beyond * w) @ p1.T / L
        return M, C, K, L * G * (p * rho * w).sum(axis=1)

    h = 2.5e-4
    _, _, K, f = matrices(0.0)
    q, v, a = np.linalg.solve(K, f), np.zeros(n), np.zeros(n)
    tips = [q.sum()]
    for k in range(1, round(times[-1] / h) + 1):  # average acceleration
        M, C, K, f = matrices(k * h)
        guess, rate = q + h * v + 0.25 * h * h * a, v + 0.5 * h * a
        a = np.linalg.solve(M + 0.5 * h * C + 0.25 * h * h * K, f - C @ rate - K @ guess)
        q, v = guess + 0.25 * h * h * a, rate + 0.5 * h * a
        tips.append(q.sum())
    return np.interp(times, h * np.arange(len(tips)), tips)


@pytest.mark.parametrize("section", [FLAT, TAPER], ids=["flat", "taper"])
@pytest.mark.parametrize(
    ("first", "last", "duration"), [(0.4, 1.0, 1.0), (0.4, 1.0, 0.2), (1.0, 0.4, 1.0), (1.0, 0.4, 0.2)]
)
def test_extending_and_retracting(first, last, duration, section):
    data = fa.simulate(boom(first, last, duration, duration + 0.3, section=section)).data
    known = moving_boundary(first, last, duration, data.time.values, section)
    error = data.tip_error.values[:, 1] - known
    assert np.abs(error).max() < 5e-3 * np.abs(known).max()


STEPPED = [
    {"at": at, "shape": "circle", "diameter": d} for at, d in ((0.0, 0.02), (0.5, 0.016), (0.5, 0.012), (1.0, 0.01))
]


@pytest.mark.parametrize("section", [None, STEPPED], ids=["plain", "stepped"])
@pytest.mark.parametrize("retracted", ["massless", "rigid"])
def test_force_of_a_stiff_boom_is_that_of_rigid_dynamics(retracted, section):
    """The boom hangs on a link that turns, so that Coriolis and centrifugal forces are there too."""
    links = [
        beam("base", {"a": 0.3, "alpha": 1.5707963267948966}, material={"E": 2e14, "density": 2700.0, "nu": 0.3}),
        beam("boom", None, section, length=1.0, material={"E": 2e14, "density": 2700.0, "nu": 0.3},
             joint={"type": "prismatic", "position": 0.4, "retracted": retracted}),
    ]  # fmt: skip
    drives = [
        {"joint": "base", "motion": {"profile": "cycloid", "by": 1.0, "duration": 0.5}},
        {"joint": "boom", "motion": {"profile": "cycloid", "to": 0.8, "duration": 0.5}},
    ]
    plan = scenario(
        links, drives, 0.5, 1e-3, arm={"gravity": [0, 0, -9.81]}, method={"theory": "quasi-static", "resolution": 32}
    )
    data = fa.simulate(plan.with_({"output.stations": 2, "output.every": 0.01})).data
    scale = np.abs(data.rigid_torque.values).max(axis=0)
    assert np.abs(data.joint_torque.values - data.rigid_torque.values).max(axis=0) / scale == pytest.approx(
        [0, 0], abs=2e-3
    )


@pytest.mark.parametrize("section", [FLAT, TAPER], ids=["flat", "taper"])
def test_energy_of_a_sliding_boom(section):
    for retracted in ("massless", "rigid"):
        joint = {"retracted": retracted}
        plan = boom(0.4, 1.0, 0.3, 0.5, joint=joint, gravity=[0, 0.5, -9.81], resolution=8, section=section)
        energy = fa.simulate(plan.with_({"arm.damping": {"time": 1e-4}})).data.energy
        scale = np.ptp(energy.sel(kind="kinetic").values)
        assert np.abs(energy.sel(kind="residual")).max() < 1e-7 * scale
        assert np.abs(energy.sel(kind="numerical")).max() < 0.01 * scale


def test_a_step_passes_through_the_elements():
    """A blade in two thicknesses slides out and stands still: then it is the beam of those two stretches."""
    section = [{"at": at, "shape": "rectangle", "width": 0.01, "height": tall}
               for at, tall in ((0.0, 0.004), (0.6, 0.004), (0.6, 0.002), (1.0, 0.002))]  # fmt: skip
    plan = boom(0.5, 1.0, 0.3, 0.6, section=section, resolution=40)
    data = fa.simulate(plan.with_({"arm.damping": {"time": 3e-3}, "time.end": 4.0, "time.step": 1e-3})).data
    energy = data.energy
    scale = np.ptp(energy.sel(kind="kinetic").values)
    assert np.abs(energy.sel(kind="residual")).max() < 1e-7 * scale
    assert np.abs(energy.sel(kind="numerical")).max() < 1e-2 * scale
    x = np.linspace(0.0, 1.0, 4001)
    tall = np.where(1.0 - x > 0.48, 0.004, 0.002)
    q = 27.0 * G * tall
    shear = np.concatenate([[0.0], np.cumsum(0.5 * (q[1:] + q[:-1]) * np.diff(x))])
    moment = np.array([np.trapezoid((x[k:] - x[k]) * q[k:], x[k:]) for k in range(len(x))])
    bend = moment / (70e9 * 0.01 * tall**3 / 12.0)
    assert shear[-1] == pytest.approx(27.0 * G * (0.52 * 0.004 + 0.48 * 0.002), rel=1e-3)
    assert float(data.tip_position[-1, 1]) == pytest.approx(np.trapezoid((1.0 - x) * bend, x), rel=5e-3)


def test_too_short_and_too_long():
    with pytest.raises(FlexarmError, match=r"at least 0\.03 m"):
        fa.simulate(boom(0.4, 0.02, 0.3, 0.4))
    with pytest.raises(FlexarmError, match=r"only 1\.2 m of material"):
        fa.simulate(boom(0.4, 1.3, 0.3, 0.4))


def test_rigid_boom_pushed_by_a_force():
    """A rigid rod under a constant force and weight along its axis moves as a point mass."""
    rod = {"name": "rod", "flexible": False, "section": FLAT, "material": "steel", "length": 0.5,
           "joint": {"type": "prismatic", "position": 0.1, "retracted": "rigid"}}  # fmt: skip
    hand = beam("hand", {"a": 0.1}, FLAT, joint={"type": "fixed"})
    drives = [{"joint": "rod", "torque": {"profile": "constant", "amplitude": 5.0}}]
    plan = scenario([rod, hand], drives, 0.1, 1e-3, arm={"gravity": [0, 0, -9.81]})
    data = fa.simulate(plan).data
    mass = plan.arm.links[0].mass + plan.arm.links[1].mass
    path = 0.1 + 0.5 * (5.0 / mass - 9.81) * 0.1**2
    assert float(data.joint_position[-1, 0]) == pytest.approx(path, rel=1e-3)


BAR = {"section": {"shape": "rectangle", "width": 0.03, "height": 0.02}, "material": "aluminium"}


def lift(boom: dict, drive: dict, **time: object) -> fa.Scenario:
    """A stiff post, and on its tip a boom that slides upwards from 1 m on, with half a kilogram on its end."""
    post = {
        "name": "post",
        "length": 0.5,
        "joint": {"dh": {"a": 0.5}},
        **BAR,
        "material": {"E": 7e14, "density": 2700.0},
    }
    arm = {"gravity": [0, 0, -9.81], "links": [post, {"name": "boom", **boom}], "payload": {"mass": 0.5}}
    drives = [{"joint": "post", "motion": {"profile": "constant"}}, {"joint": "boom", **drive}]
    parts = {"name": "lift", "arm": arm, "drive": drives, "method": "fem", "time": {"end": 0.05, "step": 1e-3, **time}}
    return fa.Scenario.model_validate(parts)


@pytest.mark.parametrize("flexible", [True, False])
def test_a_pushed_link_with_friction_starts_at_rest_where_it_is_told(flexible):
    """It then falls with its weight less force and friction, as a mass does."""
    joint = {"type": "prismatic", "position": 1.0, "friction": 2.0, "retracted": "rigid"}
    boom = {"length": 2.0, "joint": joint, "flexible": flexible, **BAR}
    run = fa.simulate(lift(boom, {"torque": {"profile": "constant", "amplitude": 3.0}}, start="locked"), warn=False)
    place = run.data.joint_position.sel(joint="boom").values
    mass = 0.5 + 2.0 * 2700.0 * 0.03 * 0.02
    assert run.success and place[0] == pytest.approx(1.0, abs=1e-9)
    assert 1.0 - place[-1] == pytest.approx(0.5 * (9.81 - 5.0 / mass) * 0.05**2, rel=0.03)


def test_a_rigid_body_slides_without_a_length():
    body = {"mass": 1.0, "center": [0.1, 0, 0], "inertia": [0.01, 0.01, 0.01]}
    boom = {"flexible": False, "body": body, "joint": {"type": "prismatic", "position": 1.0, "dh": {"a": 0.1}}}
    run = fa.simulate(lift(boom, {"motion": {"profile": "quintic", "by": 0.2, "duration": 0.05}}), warn=False)
    assert run.success and run.data.joint_position.sel(joint="boom").values[-1] == pytest.approx(1.2)
