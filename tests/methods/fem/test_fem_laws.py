"""Joint laws inside Newton's step: of second order, against SciPy on the linear model."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, HOLD, beam, model_of, moved, scenario, slender
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm.drive.statespace import state_space
from single_link import at_times, balance

SMALL = 1e-3
"""Commands so small that the linear model is exact to that part."""
MOVE = {"profile": "quintic", "by": 0.3 * SMALL, "duration": 0.15}
TIMES = np.array([0.05, 0.1, 0.15, 0.2])
HUB = {"hub_inertia": 5.86e-4}
SPRING = {**HUB, "stiffness": 40.0, "rotor_inertia": 1e-3}


def law(**control) -> dict:
    return moved("link", MOVE, control={"type": "pd", "kp": 3.0, "kv": 0.3, **control})


def run(drive, joint=HUB, step=2e-4, **changes):
    """The slender bar on 4 elements."""
    parts = {"end": 0.2, "every": 0.05, "arm": {"damping": {"time": 1e-4}}, **changes}
    return fa.simulate(scenario([slender(joint)], drive, step=step, **parts))


def found(drive, joint=HUB, step=2e-4) -> np.ndarray:
    result = run(drive, joint, step)
    assert result.success
    return np.column_stack(
        [at_times(result, "tip_position", TIMES)[:, 1], at_times(result, "drive_torque", TIMES)[:, 0]]
    )


def command(t: float) -> tuple[float, float]:
    s = min(max(t / 0.15, 0.0), 1.0)
    return 0.3 * SMALL * (10 * s**3 - 15 * s**4 + 6 * s**5), 2.0 * SMALL * (30 * s**2 - 60 * s**3 + 30 * s**4)


def reference(joint=HUB, sensor="hub", kp=3.0, kv=0.3, ki=0.0, limit=np.inf, actuator=None, gains=None) -> np.ndarray:
    """Tip and torque of the same linear model, integrated by SciPy for a command of usual size."""
    limit = limit / SMALL
    model = model_of(scenario([slender(joint)], law(), arm={"damping": {"time": 1e-4}})).linearise(joints="free")
    n, B = len(model.M), model.B[:, 0]
    y = np.zeros(n)
    y[model.coordinates.index("link motor" if sensor == "motor" else "link t0")] = 1.0
    order = 0 if actuator is None else len(actuator[0])
    inverse = np.linalg.inv(model.M)

    def torque(t, s):
        p, v = (kp, kv) if gains is None else gains(t)
        r, rate = (part / SMALL for part in command(t))
        u = p * (r - y @ s[:n]) + v * (rate - y @ s[n : 2 * n]) + ki * s[2 * n]
        u = min(max(u, -limit), limit)
        return (u, u) if actuator is None else (u, actuator[2] @ s[2 * n + 1 :] + actuator[3] * u)

    def slope(t, s):
        u, tau = torque(t, s)
        a = inverse @ (B * tau - model.C @ s[n : 2 * n] - model.K @ s[:n])
        dz = actuator[0] @ s[2 * n + 1 :] + actuator[1] * u if actuator is not None else np.zeros(0)
        return np.concatenate([s[n : 2 * n], a, [command(t)[0] / SMALL - y @ s[:n]], dz])

    def jacobian(t, s):  # piecewise linear, so differences are exact
        d, here = 1e-6, slope(t, s)
        return np.array([(slope(t, s + d * unit) - here) / d for unit in np.eye(len(s))]).T

    out = solve_ivp(slope, (0, 0.2), np.zeros(2 * n + 1 + order), "Radau", t_eval=TIMES, rtol=1e-8, atol=1e-10,
                    max_step=2e-3, jac=jacobian)  # fmt: skip
    tip = out.y[:n].T @ model.reading("tip.y")
    return SMALL * np.column_stack([tip, [torque(t, s)[1] for t, s in zip(out.t, out.y.T, strict=True)]])


def check(drive, wanted, joint=HUB, bound=2e-3, steps=(1e-3, 5e-4)) -> None:
    """Nothing lags: errors fall with the square of the step."""
    scale = np.abs(wanted).max(axis=0)
    errors = [np.abs((found(drive, joint, h) - wanted) / scale).max() for h in steps]
    assert errors[-1] < bound
    assert np.log2(errors[0] / errors[1]) > 1.6 or errors[1] < 1e-4


def test_pd_on_the_hub():
    check(law(), reference())


def test_pd_on_the_motor_behind_a_spring():
    check(law(sensor="motor"), reference(SPRING, "motor"), SPRING)


def test_pd_on_the_hub_behind_a_spring():
    check(law(kp=1.0, kv=0.02), reference(SPRING, kp=1.0, kv=0.02), SPRING)


def test_pid():
    check(law(type="pid", ki=40.0), reference(ki=40.0))
    assert np.abs(found(law(type="pid", ki=40.0)) - found(law())).max() > 0.02 * np.abs(found(law())).max()


@pytest.mark.parametrize("poles", [[-60.0], ["-80+150j"]])
def test_law_through_an_actuator(poles):
    drive = {**law(), "actuator": {"type": "transfer", "poles": poles}}
    space = state_space(tuple(complex(p) for p in poles), (), 1.0)
    system = (np.asarray(space.A), np.asarray(space.B).ravel(), np.asarray(space.C).ravel(), float(np.squeeze(space.D)))
    check(drive, reference(actuator=system), bound=2e-2, steps=(4e-4, 2e-4))


def test_limit_is_reached_and_never_passed():
    limit = 0.4 * SMALL
    assert np.abs(reference()[:, 1]).max() > limit
    check(law(limit=limit), reference(limit=limit), bound=5e-3)
    torque = run(law(limit=limit), every=None).data["drive_torque"].values
    assert np.abs(torque).max() == pytest.approx(limit, rel=1e-9)


def test_gains_that_change_on_the_way():
    drive = moved(
        "link", MOVE, control={"type": "pd", "gains": [{"until": 0.08, "kp": 3.0, "kv": 0.3}, {"kp": 8.0, "kv": 0.4}]}
    )
    check(drive, reference(gains=lambda t: (3.0, 0.3) if t < 0.08 else (8.0, 0.4)))


def test_step_response_of_an_actuator():
    """A torque that jumps comes out of one pole as 1 - exp(-p t)."""
    drive = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.01},
             "actuator": {"type": "transfer", "poles": [-100.0]}}  # fmt: skip
    data = run(drive, end=0.1, every=2e-3).data
    t = data["time"].values
    assert data["drive_torque"].values[:, 0] == pytest.approx(0.01 * (1 - np.exp(-100 * t)), abs=2e-6)


@pytest.mark.parametrize("angle", [0.0, -0.6, 0.6])
def test_integral_removes_the_error_that_gravity_leaves(angle):
    arm = {"arm": {"gravity": DOWN, "damping": {"time": 1e-3}}, "end": 6.0, "every": 0.1, "step": 5e-3,
           "integrator": "generalised-alpha", "spectral_radius": 0.5}  # fmt: skip
    link = beam("link", joint={"position": angle})
    left = {}
    for control in ({"type": "pd", "kp": 60.0, "kv": 8.0}, {"type": "pid", "kp": 60.0, "kv": 8.0, "ki": 100.0}):
        data = fa.simulate(scenario([link], moved("link", HOLD, control=control), **arm)).data
        left[control["type"]] = data["joint_position"].values[-1, 0] - angle
        if control["type"] == "pd":
            assert left["pd"] == pytest.approx(-data["joint_torque"].values[-1, 0] / 60.0, rel=1e-3)
    assert abs(left["pd"]) > 0.02 and abs(left["pid"]) < 5e-3 * abs(left["pd"])


def test_feedforward_brings_a_stiff_arm_to_its_command():
    stiff = {"material": {"E": 7e13, "density": 2700.0}}
    move = {"profile": "quintic", "by": 0.8, "duration": 0.5}
    errors = []
    for feedforward in (None, "rigid"):
        control = {"type": "pd", "kp": [300.0, 40.0], "kv": [20.0, 3.0]}
        drive = {"joints": ["a", "b"], "motion": move, "control": control, "feedforward": feedforward}
        data = fa.simulate(scenario([beam("a", **stiff), beam("b", **stiff)], drive, arm={"gravity": DOWN}, end=0.5,
                                    integrator="generalised-alpha", spectral_radius=0.5)).data  # fmt: skip
        errors.append(np.abs((data["joint_position"] - data["commanded_position"]).values).max())
    assert errors[1] < 0.1 * errors[0]


def test_servo_is_a_law_on_the_motor():
    servo = run(moved("link", MOVE, servo={"kp": 3.0, "kv": 0.3}), SPRING).data
    motor, hub = (run(law(sensor=s), SPRING).data for s in ("motor", "hub"))
    assert np.array_equal(servo["tip_position"].values, motor["tip_position"].values)
    assert np.abs(servo["tip_position"].values - hub["tip_position"].values).max() > 1e-2 * SMALL


def test_sampled_law_approaches_the_continuous_one():
    wanted = found(law())
    away = []
    for period in (8e-3, 4e-3, 2e-3):
        result = run(law(period=period))
        tip = at_times(result, "tip_position", TIMES)[:, 1]
        away.append(np.abs(tip - wanted[:, 0]).max())
    assert away[0] > 1.6 * away[1] > 1.6**2 * away[2] > 0


def test_sampled_law_holds_its_torque():
    data = run(law(period=4e-3), every=None).data
    torque = data["drive_torque"].values[1:, 0].reshape(-1, 20)
    assert np.abs(torque[:, 1:-1] - torque[:, :1]).max() < 1e-12
    assert np.ptp(torque[:, 0]) > 0


def test_external_controller_is_the_sampled_law():
    """The same PD written outside, at the same period, gives the same motion."""
    inside = run(law(period=2e-3), every=None)

    def outside(time, reading):
        r, rate = command(time)
        return 3.0 * (r - reading["link.position"]) + 0.3 * (rate - reading["link.velocity"])

    drive = {"joint": "link", "control": {"type": "external", "period": 2e-3}}
    one = scenario([slender(HUB)], drive, end=0.2, step=2e-4, arm={"damping": {"time": 1e-4}})
    result = fa.simulate(one, controller=outside)
    assert result.success
    assert result.data["tip_position"].values[:, 1] == pytest.approx(
        inside.data["tip_position"].values[:, 1], abs=1e-4 * SMALL
    )


def test_readings_of_a_controller():
    """They are the signals of the result at the same time, strain gauges and point sensors included."""
    seen = []

    def watch(time, reading):
        seen.append((time, dict(reading)))
        return [0.5, -0.1]

    drive = {"joints": ["a", "b"], "control": {"type": "external", "period": 0.01}}
    output = {"gauges": [{"link": "a", "at": 0.1, "name": "root"}],
              "sensors": [{"name": "mid", "link": "b", "at": 0.5, "kind": "displacement"}]}  # fmt: skip
    links = [beam("a", joint={"stiffness": 500.0, "rotor_inertia": 0.05}), beam("b")]
    data = fa.simulate(scenario(links, drive, end=0.1, step=1e-3, output=output), controller=watch).data
    time, reading = seen[7]
    k = round(time / 1e-3)
    assert reading["a.position"] == pytest.approx(data["joint_position"].values[k, 0], rel=1e-12)
    assert reading["a.motor_position"] == pytest.approx(data["motor_position"].values[k, 0], rel=1e-12)
    assert reading["b.velocity"] == pytest.approx(data["joint_velocity"].values[k, 1], rel=1e-12)
    assert [reading["tip.x"], reading["tip.y"]] == pytest.approx(data["tip_position"].values[k, :2], rel=1e-12)
    assert reading["root"] == pytest.approx(data["strain"].values[k, 0], rel=1e-12)
    assert reading["mid"] == pytest.approx(data["reading"].values[k, 0], rel=1e-12)
    assert reading["a.position"] != reading["a.motor_position"]


def test_laws_keep_the_energy_balance():
    for drive in (
        law(type="pid", ki=40.0, limit=0.4 * SMALL),
        law(period=2e-3),
        {**law(), "actuator": {"type": "transfer", "poles": [-60.0]}},
    ):
        assert balance(run(drive, SPRING, every=None)) < 1e-7
