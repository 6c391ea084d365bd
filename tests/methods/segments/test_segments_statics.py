"""Equilibrium, linear models, spinning arms and payload changes."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import ALUMINIUM, BAR, DATA, DOWN, HOLD, TAPER, beam, by_fem, model_of, prescribed, scenario

import flexarm as fa
from single_link import balance

BOTH = [prescribed(name, HOLD) for name in "ab"]


def cantilever(load: float, **options):
    """A beam without weight to speak of under a tip load P = load EI / L^2."""
    light = {"section": {"area": 1e-4, "inertia": 1e-10}, "material": {"E": 1e10, "density": 1e-6}}
    weight = {"payload": {"mass": load / 9.81}, "gravity": DOWN}
    return scenario(
        [beam("a", 1.0, **light)],
        prescribed("a", HOLD),
        arm=weight,
        start="equilibrium",
        end=1e-3,
        step=1e-3,
        **options,
    )


@pytest.mark.parametrize("row", DATA["elastica"], ids=lambda r: f"{r['a']} {r['ends']}")
def test_elastica(row):
    """Large static deflection of a cantilever under a tip load."""
    tip = fa.simulate(cantilever(row["a"], resolution=60, ends=row["ends"])).data.tip_position.values[0]
    assert [-tip[1], 1.0 - tip[0]] == pytest.approx([row["w"], row["u"]], rel=1e-5)
    assert [-tip[1], 1.0 - tip[0]] == pytest.approx(row["exact"], rel=5e-4)


def test_equilibrium_is_at_rest_and_agrees_with_finite_elements():
    links = [
        beam("a", 0.6, section=TAPER, joint={"position": 0.4, "stiffness": 40.0}),
        beam("b", joint={"position": -1.0}),
    ]
    arm = {"gravity": [2.0, -9.0, 0.0], "payload": {"mass": 0.1, "offset": [0.0, 0.05]}}
    one = scenario(links, BOTH, arm=arm, start="equilibrium", end=0.2, resolution=40)
    run, other = fa.simulate(one), fa.simulate(by_fem(one))
    tip = run.data.tip_position.values
    assert np.abs(tip - tip[0]).max() < 1e-10
    bend, wanted = (r.data.tip_deflection.values[0, 1] for r in (run, other))
    assert bend == pytest.approx(wanted, rel=2e-3)
    assert run.data.joint_torque.values[0] == pytest.approx(other.data.joint_torque.values[0], rel=1e-3)
    assert balance(run) < 1e-9


def test_too_soft_for_its_weight_is_said():
    soft = {"section": {"area": 1e-2, "inertia": 1e-12}, "material": {"E": 1e5, "density": 5000.0}}
    links = [beam("a", 1.0, joint={"position": np.pi / 2}, **soft)]
    one = scenario(links, prescribed("a", HOLD), arm={"gravity": DOWN}, start="equilibrium")
    try:
        fa.simulate(one)
    except fa.FlexarmError as error:
        assert "too soft" in str(error)


@pytest.mark.parametrize("payload", [0.0, 0.05])
@pytest.mark.parametrize("joints", ["locked", "free"])
def test_frequencies_converge_with_the_square(payload, joints):
    link = beam("a", 1.0, joint={"hub_inertia": 2e-3})
    one = scenario(
        [link],
        prescribed("a", HOLD),
        arm={"payload": {"mass": payload, "inertia": 1e-4, "offset": 0.02}} if payload else {},
    )
    fine, coarse, rough = (
        fa.frequencies(one.with_({"method.resolution": n}), n=3, joints=joints).hz for n in (160, 40, 20)
    )
    other = fa.frequencies(by_fem(one, 30), n=3, joints=joints).hz
    assert fine[:2] == pytest.approx(other[:2], rel=3e-4)
    assert (rough - fine) / (coarse - fine) == pytest.approx(4.2, abs=0.3)


def test_pose_changes_frequencies_and_gravity_too():
    links = [beam("a"), beam("b")]
    straight = scenario(links, BOTH)
    bent = fa.frequencies(straight, n=2, pose=[0.0, 1.5]).hz
    assert np.abs(bent / fa.frequencies(straight, n=2).hz - 1.0).max() > 0.02
    hanging = [beam("a", joint={"position": -np.pi / 2}), beam("b")]
    pair = [fa.frequencies(scenario(hanging, BOTH, arm={"gravity": g}), n=1).hz[0] for g in (DOWN, [0.0, 9.81, 0.0])]
    middle = fa.frequencies(scenario(hanging, BOTH), n=1).hz[0]
    assert pair[0] > middle > pair[1]


def test_held_joints_are_softer_than_locked_ones():
    drive = prescribed("a", HOLD, control={"type": "pd", "kp": 30.0, "kv": 0.2})
    one = scenario([beam("a", joint={"hub_inertia": 1e-3})], drive)
    held, locked = fa.frequencies(one, n=1, joints="held"), fa.frequencies(one, n=1)
    fem = fa.frequencies(by_fem(one), n=1, joints="held")
    assert held.hz[0] < locked.hz[0] and held.hz == pytest.approx(fem.hz, rel=2e-3)
    assert held.damping == pytest.approx(fem.damping, rel=5e-3)


@pytest.mark.parametrize("spin", [5.0, 30.0])
def test_a_spinning_arm_stiffens(spin):
    one = scenario([beam("a", 1.0)], prescribed("a", HOLD), resolution=60)
    found = fa.frequencies(one, n=2, spin=spin).hz
    assert found == pytest.approx(fa.frequencies(by_fem(one, 20), n=2, spin=spin).hz, rel=3e-3)
    assert found[0] > fa.frequencies(one, n=1).hz[0]


def test_linear_model_steps_like_the_run():
    """A small push on a free arm: modes of the linear model against the simulation."""
    one = scenario([beam("a", joint={"hub_inertia": 1e-2})], {"joint": "a", "torque": {"profile": "constant", "amplitude": 1e-4}},
                   end=0.05, step=1e-4)  # fmt: skip
    linear = model_of(one).linearise(joints="free")
    values, vectors = np.linalg.eig(np.linalg.solve(linear.M, linear.K))
    order = np.argsort(values)
    modal = np.linalg.solve(vectors, np.linalg.solve(linear.M, linear.B[:, 0])) * 1e-4
    t, across, row = 0.05, 0.0, linear.reading("tip.y")
    for k in order:
        w2 = max(values[k].real, 0.0)
        q = modal[k] * (0.5 * t * t if w2 < 1e-3 else (1.0 - np.cos(np.sqrt(w2) * t)) / w2)
        across += row @ (vectors[:, k] * q).real
    assert fa.simulate(one).data.tip_position.values[-1, 1] == pytest.approx(across, rel=2e-3)


@pytest.mark.parametrize("ends", ["half", "both"])
def test_outputs_of_a_linear_model_belong_together(ends):
    """Along x the tip moves across as it travels, and bends by what the joint does not turn."""
    one = scenario([beam("a", joint={"stiffness": 40.0})], prescribed("a", HOLD), ends=ends)
    for joints in ("locked", "free") if ends == "half" else ("locked",):
        linear = model_of(one).linearise(joints=joints)
        rows = dict(zip(linear.output_names, linear.rows.position, strict=True))
        assert np.abs(rows["tip.y"]).max() > 0.01
        assert rows["tip.travel"] == pytest.approx(rows["tip.y"], abs=1e-12)
        assert np.abs(rows["tip.travel"] - rows["tip.deflection"]).max() > 0.1


@pytest.mark.parametrize("rule", ["at-rest", "matched"])
def test_payload_that_arrives(rule):
    push = {"joint": "a", "torque": {"profile": "constant", "amplitude": 0.5}}
    new = {"mass": 0.2, "inertia": 1e-4, "offset": [0.02, 0.01]}
    one = scenario([beam("a", joint={"hub_inertia": 1e-2})], push, end=0.3, resolution=30, step=5e-4, every=0.01,
                   events=[{"at": 0.15, "payload": new, "rule": rule}])  # fmt: skip
    run, other = fa.simulate(one), fa.simulate(by_fem(one))
    assert run.success and balance(run) < 1e-7
    assert run.data.tip_position.values[-1] == pytest.approx(other.data.tip_position.values[-1], abs=2e-4)
    lost = np.diff(run.data.energy.sel(kind="dissipated").values)[14:16].max()
    assert (lost > 1e-3) == (rule == "at-rest")


def test_payload_that_is_released():
    one = scenario([beam("a")], prescribed("a", {"profile": "cycloid", "by": 1.0, "duration": 0.3}), arm={"payload": {"mass": 0.2}},
                   events=[{"at": 0.2, "payload": {"mass": 0.0}, "rule": "released"}])  # fmt: skip
    run = fa.simulate(one)
    assert run.success and balance(run) < 1e-7


def test_sensors_and_gauges():
    points = [{"link": "a", "at": 1.0, "kind": k, "name": k} for k in ("displacement", "slope")]
    points.append({"link": "a", "at": 0.3, "kind": "strain", "name": "on top"})
    one = scenario([beam("a", 1.0)], prescribed("a", HOLD), arm={"gravity": DOWN}, start="equilibrium", end=1e-2, resolution=80,
                   output={"sensors": points, "gauges": [{"link": "a", "at": 0.3, "name": "g"}]})  # fmt: skip
    data = fa.simulate(one).data
    reading = dict(zip(data.sensor.values, data.reading.values[0], strict=True))
    w = 0.02 * 0.005 * ALUMINIUM["density"] * 9.81
    EI = ALUMINIUM["E"] * 0.02 * 0.005**3 / 12
    assert reading["displacement"] == pytest.approx(-w / (8 * EI), rel=0.01)
    assert reading["slope"] == pytest.approx(-w / (6 * EI), rel=0.01)
    top = 0.5 * BAR["height"] * 0.5 * w * 0.7**2 / EI  # hanging down, the upper side is stretched
    assert reading["on top"] == pytest.approx(top, rel=0.01) and data.strain.values[0, 0] == reading["on top"]
