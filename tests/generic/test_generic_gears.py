"""Gears: rotors that turn faster than their joints, in every method, against two stiff links derived by hand.

With q1, q2 the joints, m1, m2 the slow sides of the gears (equal to them without springs), I = m L^2 / 3 and k = m2 L1 L2 / 2,

    2 T = (I1 + m2 L1^2) q1'^2 + I2 (q1' + q2')^2 + 2 k cos(q2) q1' (q1' + q2') + J1 (n1 m1')^2 + J2 (q1' + n2 m2')^2 .
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from generic_arms import METHODS, one_link
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm import rigid

L1, L2, M1, M2 = 0.6, 0.5, 1.2, 0.8
J1, N1, J2, N2 = 2e-5, 80.0, 1e-4, 100.0
TWO_LINKS = ("fem", "segments", "modes", "ancf")
FOLD = np.radians(40.0)
ARM = """\
name: gears
arm:
  links:
    - name: a
      length: 0.6 m
      section: {area: 1e-3 m^2, inertia: 1e-7 m^4}
      material: {E: 1e14 Pa, density: 2000 kg/m^3}
      joint: {rotor_inertia: 2e-5 kg*m^2, gear: {ratio: 80}}
    - name: b
      length: 0.5 m
      section: {area: 1e-3 m^2, inertia: 1e-7 m^4}
      material: {E: 1e14 Pa, density: 1600 kg/m^3}
      joint: {position: 40 deg, rotor_inertia: 1e-4 kg*m^2, gear: {ratio: 100, efficiency: 0.8}}
drive:
  - {joint: a, torque: {profile: constant, amplitude: 8 N*m}}
  - {joint: b, torque: {profile: constant, amplitude: -3 N*m}}
method: {name: fem, resolution: 4}
time: {end: 0.2 s, step: 1 ms}
"""
MOVES = [
    {"joint": name, "motion": {"profile": "quintic", "by": by, "duration": 0.2}}
    for name, by in (("a", 1.0), ("b", -0.7))
]
SPRING = {"arm.links.a.joint.stiffness": 600.0, "arm.links.b.joint.stiffness": 400.0}


def mass(q2: float) -> np.ndarray:
    """Mass matrix of the two links."""
    I1, I2, k = M1 * L1**2 / 3, M2 * L2**2 / 3, M2 * L1 * L2 / 2 * np.cos(q2)
    return np.array([[I1 + M2 * L1**2 + I2 + 2 * k, I2 + k], [I2 + k, I2]])


def rates(q2: float, v: np.ndarray) -> np.ndarray:
    """Their terms of the rates."""
    return M2 * L1 * L2 / 2 * np.sin(q2) * np.array([-2 * v[0] * v[1] - v[1] ** 2, v[0] ** 2])


ROTORS = np.array([[0.0, 0.0, N1, 0.0], [1.0, 0.0, 0.0, N2]])
"""Rates of the rotors per rate of q1, q2, m1, m2."""
ROTOR_MASS = ROTORS.T @ np.diag([J1, J2]) @ ROTORS
JOINED = np.vstack([np.eye(2), np.eye(2)])
"""Without springs m = q."""


@cache
def run(method: str, **changes: Any) -> Any:
    """The data of a run; `moved` and `sprung` choose drives and springs."""
    plan: dict[str, Any] = {"method": {"name": method, "resolution": {"segments": 8}.get(method, 3)}}
    moved = changes.pop("moved", ())
    plan["drive"] = [
        move if move["joint"] in moved else old for move, old in zip(MOVES, fa.loads(ARM).tree["drive"], strict=True)
    ]
    plan |= SPRING if changes.pop("sprung", False) else {}
    result = fa.simulate(fa.loads(ARM).with_(plan))
    assert result.success, result.message
    return result.data


def audit(data: Any) -> float:
    """Residual of the energy balance per work."""
    return float(np.abs(data.energy.sel(kind="residual")).max() / np.abs(data.energy.sel(kind="work")).max())


def ringing(torque: np.ndarray) -> float:
    """Root mean square of torques, the larger of the joints: links are stiff, but a jump of the jerk rings in them."""
    return float(np.sqrt(np.mean(torque**2, axis=0)).max())


def test_stiff_arm_by_hand() -> None:
    arm, random = fa.loads(ARM).arm, np.random.default_rng(3)
    q, v, a = random.normal(size=(3, 5, 2))
    by_hand = [
        (mass(x[1]) + JOINED.T @ ROTOR_MASS @ JOINED) @ push + rates(x[1], rate)
        for x, rate, push in zip(q, v, a, strict=True)
    ]
    assert rigid.inverse_dynamics(arm, q, v, a) == pytest.approx(np.array(by_hand), rel=1e-12)


@pytest.mark.parametrize("method", TWO_LINKS)
def test_torques_of_prescribed_motions(method: str) -> None:
    data = run(method, moved=("a", "b"))
    torque = data.rigid_torque.values
    assert ringing(data.drive_torque.values - torque) < 2.5e-2 * np.abs(torque).max()
    t = data.time.values
    push = np.gradient(data.commanded_velocity.values, t, axis=0, edge_order=2)
    own = np.column_stack([N1 * J1 * N1 * push[:, 0], N2 * J2 * (push[:, 0] + N2 * push[:, 1])])
    assert ringing(data.joint_torque.values - torque + own) < 2.5e-2 * np.abs(torque).max()
    assert audit(data) < 1e-7


@pytest.mark.parametrize("method", TWO_LINKS)
def test_motion_under_torques(method: str) -> None:
    def equations(t: float, y: np.ndarray) -> np.ndarray:
        M = mass(y[1]) + JOINED.T @ ROTOR_MASS @ JOINED
        return np.concatenate([y[2:], np.linalg.solve(M, [8.0, -3.0] - rates(y[1], y[2:]))])

    data = run(method)
    true = solve_ivp(equations, (0.0, 0.2), [0.0, FOLD, 0.0, 0.0], t_eval=data.time.values, rtol=1e-9, atol=1e-12).y.T
    turned = np.abs(true[-1, :2] - [0.0, FOLD])
    assert np.all(np.abs(data.joint_position.values - true[:, :2]).max(axis=0) < 1e-3 * turned)
    assert audit(data) < 1e-7


@cache
def behind_springs(moved: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Joints (201, 2) of the two links with springs between gears and links, and the torques on the slow sides of the gears."""
    k, held = np.array(list(SPRING.values())), [2 + "ab".index(name) for name in moved]
    moving = [n for n in range(4) if n not in held]

    def command(t: float) -> np.ndarray:
        """Position, rate and acceleration of the quintic moves, (3, 4)."""
        s, T = min(t / 0.2, 1.0), 0.2
        shape = [10 * s**3 - 15 * s**4 + 6 * s**5, 30 * s**2 * (1 - s) ** 2 / T, 60 * s * (1 - s) * (1 - 2 * s) / T**2]
        return np.outer(shape, [0.0, 0.0, 1.0, -0.7]) + np.array([[0.0, 0.0, 0.0, FOLD], [0.0] * 4, [0.0] * 4])

    def accelerations(t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of q and m, and the torque on m."""
        x, v, a, given = y[:4].copy(), y[4:].copy(), np.zeros(4), command(t)
        x[held], v[held], a[held] = given[:, held]
        M = ROTOR_MASS.copy()
        M[:2, :2] += mass(x[1])
        wound = k * (x[2:] - x[:2])
        force = np.concatenate([wound - rates(x[1], v[:2]), [8.0, -3.0] - wound])
        a[moving] = np.linalg.solve(M[np.ix_(moving, moving)], (force - M @ a)[moving])
        return a, (M @ a)[2:] + wound

    t, start = np.linspace(0.0, 0.2, 201), np.array([0.0, FOLD, 0.0, FOLD, 0.0, 0.0, 0.0, 0.0])
    true = solve_ivp(
        lambda t, y: np.concatenate([y[4:], accelerations(t, y)[0]]), (0.0, 0.2), start, t_eval=t, rtol=1e-8, atol=1e-10
    ).y.T  # fmt: skip
    return true[:, :2], np.array([accelerations(when, y)[1] for when, y in zip(t, true, strict=True)])


@pytest.mark.parametrize("method", TWO_LINKS)
@pytest.mark.parametrize("moved", [(), ("a", "b"), ("b",)], ids=["torques", "motions", "both"])
def test_rotors_behind_springs(method: str, moved: tuple[str, ...]) -> None:
    data, (true, torque) = run(method, moved=moved, sprung=True), behind_springs(moved)
    turned = np.abs(true - [0.0, FOLD]).max(axis=0)
    assert np.all(np.abs(data.joint_position.values - true).max(axis=0) < 4e-3 * turned)
    for n in ("ab".index(name) for name in moved):
        error = np.abs(data.drive_torque.values[:, n] - torque[:, n]).max()
        assert error < 1e-2 * np.abs(torque[:, n]).max()
    assert audit(data) < 1e-7


def test_motor_shafts() -> None:
    data = run("fem", moved=("a", "b"))
    rate, joint = data.commanded_velocity.values, data.joint_torque.values
    push = np.gradient(rate, data.time.values, axis=0, edge_order=2)
    assert data.shaft_speed.values == pytest.approx(rate * [N1, N2], abs=1e-6 * N2)
    spin = push[:, 0] + N2 * push[:, 1]
    forward = joint[:, 1] * rate[:, 1] > 0.0
    assert 10 < np.count_nonzero(forward) < len(forward) - 10  # power flows both ways
    through = np.where(forward, joint[:, 1] / (0.8 * N2), 0.8 * joint[:, 1] / N2)
    moving = np.abs(rate[:, 1]) > 1e-3
    wanted = J2 * spin + through
    assert data.shaft_torque.values[moving, 1] == pytest.approx(wanted[moving], abs=1e-2 * np.abs(wanted).max())
    assert data.shaft_power.values == pytest.approx(data.shaft_torque.values * data.shaft_speed.values, rel=1e-12)
    lost = data.shaft_power.values - (data.drive_torque.values * rate)
    share = np.where(forward, 1 / 0.8 - 1, 1 - 0.8) * np.abs(joint[:, 1] * rate[:, 1])
    assert lost[:, 0] == pytest.approx(0.0, abs=1e-9 * np.abs(data.shaft_power.values).max())
    assert lost[:, 1] == pytest.approx(share, abs=1e-9 * np.abs(share).max())
    assert [data[f"shaft_{name}"].attrs["units"] for name in ("torque", "speed", "power")] == ["N*m", "rad/s", "W"]
    assert "shaft_torque" not in fa.simulate(one_link("fem")).data


def test_a_held_elbow_feels_its_rotor_once() -> None:
    text = """
name: held elbow
arm:
  links:
    - {name: a, section: {shape: tube, diameter: 60 mm, thickness: 3 mm}, material: aluminium, joint: {dh: {a: 0.6 m}}}
    - {name: b, section: {shape: tube, diameter: 50 mm, thickness: 3 mm}, material: aluminium, joint: {dh: {a: 0.5 m}}}
drive:
  - {joint: a, motion: {profile: cycloid, by: 60 deg, duration: 0.5}}
  - {joint: b, motion: {profile: constant}}
method: {name: fem, resolution: 8}
time: {end: 0.5, step: 1 ms}
"""
    plan, n = fa.loads(text), 100.0
    bare = fa.simulate(plan).data
    geared = {"arm.links.b.joint.rotor_inertia": 1.0 / n**2, "arm.links.b.joint.gear": {"ratio": n}}
    data = fa.simulate(plan.with_(geared)).data
    push = np.gradient(bare.commanded_velocity.values[:, 0], bare.time.values, edge_order=2)
    wanted = bare.drive_torque.values[:, 1] + push / n  # n J times the acceleration of the carrier
    assert data.drive_torque.values[:, 1] == pytest.approx(wanted, abs=0.03)
    assert np.abs(data.drive_torque.values[:, 1]).max() == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("drive", ["motion", "torque", "control"])
def test_on_the_ground_a_rotor_counts_by_the_square_of_its_gear(method: str, drive: str) -> None:
    geared = one_link(
        method, drive, arm__links__link__joint__rotor_inertia=1e-5, arm__links__link__joint__gear={"ratio": 30}
    )
    direct = one_link(method, drive, arm__links__link__joint__rotor_inertia=9e-3)
    one, other = (fa.simulate(plan.with_({"time.end": 0.05})).data for plan in (geared, direct))
    for name in ("joint_position", "joint_torque", "drive_torque"):
        wanted = other[name].values
        assert one[name].values == pytest.approx(wanted, rel=1e-7, abs=1e-7 * np.abs(wanted).max())


@pytest.mark.parametrize("method", TWO_LINKS)
def test_locked_rotors_turn_once_with_their_carrier(method: str) -> None:
    soft = {"arm.links.a.material.E": 7e10, "arm.links.b.material.E": 7e10, "arm.links.b.joint.rotor_inertia": 0.02}
    soft["method"] = {"name": method, "resolution": {"segments": 16, "fem": 8}.get(method, 4)}
    geared = fa.loads(ARM).with_(soft)
    direct = geared.with_({"arm.links.a.joint.gear": None, "arm.links.b.joint.gear": None})
    one, other = (fa.frequencies(plan, joints="locked").hz[:3] for plan in (geared, direct))
    assert one == pytest.approx(other, rel=1e-7)
    assert fa.frequencies(geared, joints="free").hz[:2] == pytest.approx(free_frequencies(), rel=2e-2)


@cache
def free_frequencies() -> np.ndarray:
    """By fem with many elements."""
    soft = {"arm.links.a.material.E": 7e10, "arm.links.b.material.E": 7e10, "arm.links.b.joint.rotor_inertia": 0.02}
    return np.array(
        fa.frequencies(fa.loads(ARM).with_({**soft, "method": {"name": "fem", "resolution": 16}}), joints="free").hz[:2]
    )


SPACE = """\
name: gears in space
arm:
  links:
    - name: a
      section: {shape: tube, diameter: 60 mm, thickness: 3 mm}
      material: {E: 1e14 Pa, density: 2700 kg/m^3}
      joint: {dh: {a: 0.3 m, alpha: 90 deg}, rotor_inertia: 3e-4 kg*m^2, gear: {ratio: 60}}
    - name: b
      section: {shape: tube, diameter: 50 mm, thickness: 3 mm}
      material: {E: 1e14 Pa, density: 2700 kg/m^3}
      joint: {dh: {a: 0.4 m, alpha: 30 deg}, position: 0.4 rad, rotor_inertia: 2e-3 kg*m^2, gear: {ratio: -40}}
    - name: c
      section: {shape: tube, diameter: 50 mm, thickness: 3 mm}
      material: {E: 1e14 Pa, density: 2700 kg/m^3}
      joint: {dh: {a: 0.3 m}, position: -0.3 rad, rotor_inertia: 1e-3 kg*m^2, gear: {ratio: 50}}
drive:
  - {joint: a, motion: {profile: quintic, by: 0.9 rad, duration: 0.15 s}}
  - {joint: b, motion: {profile: quintic, by: -0.8 rad, duration: 0.15 s}}
  - {joint: c, motion: {profile: quintic, by: 0.7 rad, duration: 0.15 s}}
method: {name: fem, resolution: 2}
time: {end: 0.15 s, step: 1 ms}
"""


def rotor_energy(arm: fa.Arm, q: np.ndarray, v: np.ndarray) -> float:
    """Kinetic energy of the rotors, J/2 (a . w_p + n q')^2, with the axes by the rotations of the joints."""
    turned, spin, total = np.eye(3), np.zeros(3), 0.0
    for link, x, rate in zip(arm.links, q, v, strict=True):
        axis = turned[:, 2]
        total += 0.5 * link.joint.rotor_inertia * (axis @ spin + link.joint.gear.ratio * rate) ** 2
        spin = spin + axis * rate
        (c, s), alpha = (np.cos(x), np.sin(x)), link.joint.dh.alpha
        about_x = np.array([[1, 0, 0], [0, np.cos(alpha), -np.sin(alpha)], [0, np.sin(alpha), np.cos(alpha)]])
        turned = turned @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ about_x
    return total


def test_rotors_in_space_by_lagrange() -> None:
    """d/dt dT/dq' - dT/dq of the energy above, by differences, is what rotors add to the torques: gyroscopic moments too."""
    arm = fa.loads(SPACE).arm
    bare = fa.loads(SPACE).with_({f"arm.links.{name}.joint.rotor_inertia": 0.0 for name in "abc"}).arm
    q, v, a = np.random.default_rng(5).normal(size=(3, 3))
    e, unit = 1e-4, np.eye(3)

    def momentum(x: np.ndarray, rate: np.ndarray) -> np.ndarray:  # the energy is quadratic in the rates
        return np.array([(rotor_energy(arm, x, rate + d) - rotor_energy(arm, x, rate - d)) / 2.0 for d in unit])

    wanted = (momentum(q + e * v, v) - momentum(q - e * v, v)) / (2 * e) + momentum(q, a)
    wanted -= [(rotor_energy(arm, q + e * d, v) - rotor_energy(arm, q - e * d, v)) / (2 * e) for d in unit]
    added = rigid.inverse_dynamics(arm, q, v, a) - rigid.inverse_dynamics(bare, q, v, a)
    assert added == pytest.approx(wanted, abs=1e-7 * np.abs(wanted).max())


@pytest.mark.parametrize("stiffness", [None, 1e7], ids=["stiff joints", "springs"])
def test_torques_in_space(stiffness: float | None) -> None:
    plan = fa.loads(SPACE).with_({f"arm.links.{name}.joint.stiffness": stiffness for name in "abc"})
    data = fa.simulate(plan).data
    torque = data.rigid_torque.values
    assert ringing(data.drive_torque.values - torque) < 2.5e-2 * np.abs(torque).max()
    assert audit(data) < 1e-7


@pytest.mark.parametrize("stiffness", [None, 1e6], ids=["stiff joints", "springs"])
def test_motion_under_torques_in_space(stiffness: float | None) -> None:
    push = np.array([40.0, -60.0, 20.0])
    plan = fa.loads(SPACE).with_({f"arm.links.{name}.joint.stiffness": stiffness for name in "abc"})
    plan = plan.with_({
        "drive": [{"joint": n, "torque": {"profile": "constant", "amplitude": p}} for n, p in zip("abc", push, strict=True)]
    })  # fmt: skip

    def equations(t: float, y: np.ndarray) -> np.ndarray:
        M = rigid.mass_matrix(plan.arm, y[:3])
        bias = rigid.inverse_dynamics(plan.arm, y[:3], y[3:], np.zeros(3))
        return np.concatenate([y[3:], np.linalg.solve(M, push - bias)])

    data = fa.simulate(plan).data
    start = np.concatenate([plan.arm.pose, np.zeros(3)])
    true = solve_ivp(equations, (0.0, 0.15), start, t_eval=data.time.values[::30], rtol=1e-7, atol=1e-9).y.T[:, :3]
    turned = np.abs(true - true[0]).max(axis=0)
    assert np.all(np.abs(data.joint_position.values[::30] - true).max(axis=0) < 5e-3 * turned)
    assert audit(data) < 1e-7


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        ({"gear": {"ratio": 0.0}}, "ratio 0 moves nothing"),
        ({"gear": {"ratio": 50, "efficiency": 0.0}}, "efficiency"),
        ({"gear": {"ratio": 50, "efficiency": 1.2}}, "efficiency"),
        ({"type": "prismatic", "gear": {"ratio": 50}}, "a gear is for revolute joints"),
        ({"type": "fixed", "gear": {"ratio": 50}}, "a fixed joint has no gear"),
    ],
)
def test_refused_gears(joint: dict[str, Any], said: str) -> None:
    with pytest.raises(fa.FlexarmError, match=said):
        fa.loads(ARM).with_({"arm.links.b.joint": joint})


def test_a_dc_motor_has_no_gear_with_losses() -> None:
    motor = {"type": "dc-motor", "torque_constant": 5.0, "resistance": 2.0}
    with pytest.raises(fa.FlexarmError, match=r"drive.b.actuator: the current of the DC motor of joint 'b' makes all"):
        fa.simulate(fa.loads(ARM).with_({"drive.b.actuator": motor}))


def test_branches_with_gears() -> None:
    """Finite elements refuse a geared rotor on a branch; assumed modes have it: the stiff arm by hand, with the elbow half way."""
    branch = {"arm.links.b.at": 0.5, "arm.links.b.parent": "a", "method": {"name": "fem", "resolution": 3}}
    with pytest.raises(
        fa.FlexarmError, match=r"a rotor behind a gear only at joints on the ground or on the tip .* or use modes"
    ):
        fa.simulate(fa.loads(ARM).with_(branch))
    plan = fa.loads(ARM).with_({**branch, "method": {"name": "modes", "resolution": 2}})

    def equations(t: float, y: np.ndarray) -> np.ndarray:
        M = rigid.mass_matrix(plan.arm, y[:2])
        bias = rigid.inverse_dynamics(plan.arm, y[:2], y[2:], np.zeros(2))
        return np.concatenate([y[2:], np.linalg.solve(M, [8.0, -3.0] - bias)])

    data = fa.simulate(plan).data
    true = solve_ivp(equations, (0.0, 0.2), [0.0, FOLD, 0.0, 0.0], t_eval=data.time.values[::40], rtol=1e-7).y.T[:, :2]
    assert data.joint_position.values[::40] == pytest.approx(true, abs=1e-3)


def test_the_documents_segments_have_no_gears() -> None:
    plan = fa.loads(ARM).with_({"method": {"name": "segments", "variant": "paper"}, "drive": MOVES})
    with pytest.raises(fa.FlexarmError, match="variant paper knows no gears"):
        fa.simulate(plan)
