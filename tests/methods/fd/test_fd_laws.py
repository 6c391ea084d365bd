"""Joint laws inside the step: not lagged, of second order, against SciPy on the linear model."""

from __future__ import annotations

import numpy as np
import pytest
from law_reference import Reference, quintic
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm.drive.statespace import state_space
from flexarm.methods.fd.layout import HUB, NODE
from single_link import SCHEMES, at_times, balance, make, model_of

MOVE = {"profile": "quintic", "by": 0.3, "duration": 0.15}
TIMES = np.array([0.05, 0.1, 0.15, 0.2])
SPRING = {"stiffness": 40.0, "rotor_inertia": 1e-3}
DOWN = [0.0, -9.81, 0.0]


def law(**control) -> dict:
    return {"joint": "link", "motion": MOVE, "control": {"type": "pd", "kp": 3.0, "kv": 0.3, **control}}


def found(scheme: str, step: float, drive: dict, **arm) -> np.ndarray:
    run = fa.simulate(make(drive=drive, scheme=scheme, step=step, end=0.2, every=0.05, resolution=8, **arm))
    assert run.success
    return np.column_stack([at_times(run, "travel", TIMES), at_times(run, "drive_torque", TIMES)[:, 0]])


def exact(drive: dict, arm: dict, **reference) -> np.ndarray:
    scenario = make(drive=drive, resolution=8, **arm)
    return Reference(scenario, quintic(0.3, 0.15), **{"kp": 3.0, "kv": 0.3, **reference}).run(0.0, TIMES)


def check_order(
    schemes, drive: dict, arm: dict, reference: np.ndarray, steps=(4e-4, 2e-4, 1e-4), order=2.0, bound=2e-4
):
    """Errors of tip and torque are small and fall with the square of the step: nothing lags."""
    scale = np.abs(reference).max(axis=0)
    for scheme in schemes:
        errors = [np.abs((found(scheme, h, drive, **arm) - reference) / scale).max() for h in steps]
        assert errors[-1] < bound
        assert np.log2(errors[-2] / errors[-1]) > order - 0.15 or errors[-1] < 2e-8


def test_pd_on_the_hub():
    drive = law()
    check_order(SCHEMES, drive, {}, exact(drive, {}))


def test_pd_on_the_motor_behind_a_spring():
    drive = law(sensor="motor")
    check_order(SCHEMES, drive, {"joint": SPRING}, exact(drive, {"joint": SPRING}, sensor="motor_position"))


def test_pd_on_the_hub_behind_a_spring():
    drive = law(kp=1.0, kv=0.02)
    arm = {"joint": SPRING}
    check_order(SCHEMES, drive, arm, exact(drive, arm, kp=1.0, kv=0.02))


def test_pd_on_the_chord():
    drive, arm = law(sensor="chord", kp=1.0, kv=0.1), {"damping": {"time": 2e-3}}
    reference = exact(drive, arm, sensor="chord_position", kp=1.0, kv=0.1)
    check_order(("newmark", "exact"), drive, arm, reference)
    check_order(("leapfrog",), drive, arm, reference, steps=(4e-5, 2e-5, 1e-5), order=1.0)


def test_sensors_differ():
    """What is fed back matters."""
    hub, motor, chord = (found("newmark", 2e-4, law(sensor=s), joint=SPRING)[-1, 0] for s in ("hub", "motor", "chord"))
    assert abs(hub - motor) > 1e-3 and abs(hub - chord) > 1e-3 and abs(motor - chord) > 1e-3


def test_pid():
    drive = law(type="pid", ki=40.0)
    check_order(SCHEMES, drive, {}, exact(drive, {}, ki=40.0))


def test_pid_and_gravity():
    drive, arm = law(type="pid", ki=40.0), {"gravity": DOWN}
    check_order(SCHEMES, drive, arm, exact(drive, arm, ki=40.0))


def test_gains_that_change_on_the_way():
    """The schedule jumps at 0.08 s, which is no multiple of the output interval."""
    drive = {
        "joint": "link",
        "motion": MOVE,
        "control": {"type": "pd", "gains": [{"until": 0.08, "kp": 3.0, "kv": 0.3}, {"kp": 8.0, "kv": 0.1}]},
    }
    reference = Reference(make(drive=drive, resolution=8), quintic(0.3, 0.15), kp=3.0, kv=0.3)
    first = reference.run(0.0, np.array([0.05, 0.08]))[:1]
    reference.kp, reference.kv = 8.0, 0.1
    check_order(SCHEMES, drive, {}, np.vstack([first, reference.run(0.08, TIMES[1:])]))


def test_torque_limit_is_never_passed():
    drive = law(limit=0.4)
    reference = exact(drive, {}, limit=0.4)
    assert np.abs(exact(drive, {})[:, 1]).max() > 0.4
    scale = np.abs(reference[:, 0]).max()
    for scheme in SCHEMES:
        run = fa.simulate(make(drive=drive, scheme=scheme, step=1e-4, end=0.2, resolution=8))
        torque = run.data["drive_torque"].values
        assert np.abs(torque).max() == pytest.approx(0.4, rel=1e-12) and np.abs(torque).max() <= 0.4 * (1 + 1e-12)
        assert np.abs(at_times(run, "travel", TIMES) - reference[:, 0]).max() < 1e-4 * scale


@pytest.mark.parametrize("poles", [[-60.0], ["-80+150j"], [-60.0, "-80+150j"]])
def test_law_through_an_actuator(poles):
    drive = {**law(), "actuator": {"type": "transfer", "poles": poles}}
    space = state_space(tuple(complex(p) for p in poles), (), 1.0)
    system = (np.asarray(space.A), np.asarray(space.B).ravel(), np.asarray(space.C).ravel(), float(np.squeeze(space.D)))
    reference = exact(drive, {}, actuator=system)
    assert np.abs(reference - exact(drive, {})).max() > 1e-3
    check_order(SCHEMES, drive, {}, reference, bound=1.5e-3)


def test_step_response_of_an_actuator():
    """A torque that jumps comes out of one pole as 1 - exp(-p t)."""
    torque = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.1}}
    drive = {**torque, "actuator": {"type": "transfer", "poles": [-100.0]}}
    for scheme in SCHEMES:
        data = fa.simulate(make(drive=drive, scheme=scheme, end=0.1, step=2e-4, every=2e-3)).data
        t = data["time"].values
        assert data["drive_torque"].values[:, 0] == pytest.approx(0.1 * (1 - np.exp(-100 * t)), abs=2e-5)


def test_massless_hub_under_a_law():
    """The hub's slope is then a coordinate of first order: 0 = kp (r - y) + kv (r' - y') + EI kappa_0."""
    drive, arm = law(), {"joint": {"hub_inertia": 0.0}}
    system = model_of(make(drive=drive, resolution=8, **arm)).system
    rest = np.setdiff1d(system.free, HUB)
    n, command = len(rest), quintic(0.3, 0.15)
    tip = (rest == NODE + system.grid.n).astype(float)

    def slope(t, s):
        r, rate = command(t)
        pull = 3.0 * (r - s[-1]) + 0.3 * rate - system.K[HUB, rest] @ s[:n] - system.K[HUB, HUB] * s[-1]
        force = -system.K[np.ix_(rest, rest)] @ s[:n] - system.K[rest, HUB] * s[-1]
        a = force / np.diag(system.M)[rest]
        return np.concatenate([s[n : 2 * n], a, [pull / 0.3]])

    out = solve_ivp(slope, (0, 0.2), np.zeros(2 * n + 1), "DOP853", t_eval=TIMES, rtol=1e-9, atol=1e-13)
    rates = [slope(t, s)[-1] for t, s in zip(out.t, out.y.T, strict=True)]
    torque = [3.0 * (command(t)[0] - s[-1]) + 0.3 * (command(t)[1] - v)
              for t, s, v in zip(out.t, out.y.T, rates, strict=True)]  # fmt: skip
    check_order(("newmark",), drive, arm, np.column_stack([out.y[:n].T @ tip, torque]))


@pytest.mark.parametrize("angle", [0.0, -0.6, 0.6])
def test_integral_removes_the_error_that_gravity_leaves(angle):
    hold = {"joint": "link", "motion": {"profile": "constant"}}
    arm = {"gravity": DOWN, "joint": {"position": angle}, "damping": {"time": 1e-3}, "end": 6.0, "every": 0.1}
    pd = fa.simulate(make(drive={**hold, "control": {"type": "pd", "kp": 20.0, "kv": 1.0}}, **arm)).data
    pid = fa.simulate(make(drive={**hold, "control": {"type": "pid", "kp": 20.0, "kv": 1.0, "ki": 30.0}}, **arm)).data
    left = pd["joint_position"].values[-1, 0] - angle
    assert left == pytest.approx(-pd["joint_torque"].values[-1, 0] / 20.0, rel=1e-3)
    assert abs(left) > 0.02
    assert abs(pid["joint_position"].values[-1, 0] - angle) < 2e-3 * abs(left)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_friction_dissipates_and_sticks(scheme):
    """A torque below the friction moves nothing to speak of; a turning arm is stopped and its energy is dissipated."""
    push = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.04}}
    arm = {"joint": {"friction": 0.05}, "step": 1e-4, "every": 0.01, "scheme": scheme}
    stuck = fa.simulate(make(drive=push, end=0.5, **arm)).data["joint_position"].values
    assert np.abs(stuck).max() < 2e-3
    assert (
        np.abs(fa.simulate(make(drive=push, end=0.5, every=0.01, step=1e-4)).data["joint_position"].values).max() > 0.05
    )
    arm["joint"] = {"friction": 0.05, "velocity": 0.5}
    turning = fa.simulate(make(drive=(), end=6.0, damping={"time": 5e-3}, resolution=8, **arm))
    data, energy = turning.data, turning.data["energy"]
    assert abs(data["angular_momentum"].values[-1]) < 1e-3 * data["angular_momentum"].values[0]
    assert energy.sel(kind="dissipated").values[-1] == pytest.approx(energy.sel(kind="kinetic").values[0], rel=1e-3)
    assert np.all(np.diff(energy.sel(kind="dissipated").values) > -1e-12)
    assert balance(turning) < (1e-6 if scheme == "exact" else 1e-12)
    slope = np.diff(data["angular_momentum"].values[:10]) / 0.01
    assert slope == pytest.approx(-0.05, rel=1e-6)


def test_feedforward_of_the_rigid_torque():
    """It is the torque of inverse dynamics, added to the law, and brings the hub nearer to its command."""
    drive = {**law(), "feedforward": "rigid"}
    stiff = {"link": {"material": {"E": 71.1e13, "density": 2710.0}}, "step": 1e-4, "end": 0.2, "scheme": "newmark"}
    helped, alone = (fa.simulate(make(drive=d, **stiff)).data for d in (drive, law()))
    errors = [np.abs((d["joint_position"] - d["commanded_position"]).values).max() for d in (helped, alone)]
    assert errors[0] < 0.05 * errors[1]
