"""Against the planar kernel, the stiff arm, and the same arm in a turned world."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import simpson
from spatial_arms import ALUMINIUM, ROD, beam, scenario

import flexarm as fa

TAPER = [
    {"at": 0.0, "shape": "rectangle", "width": 0.02, "height": 0.01},
    {"at": 1.0, "shape": "rectangle", "width": 0.015, "height": 0.005},
]
MOVES = [
    {"joint": "upper", "motion": {"profile": "cycloid", "by": 1.0, "duration": 0.3}},
    {"joint": "fore", "motion": {"profile": "cycloid", "by": -0.7, "duration": 0.3}},
]
TORQUES = [
    {"joint": "upper", "motion": {"profile": "cycloid", "by": 1.0, "duration": 0.3},
     "control": {"type": "pid", "gains": [{"kp": 200.0, "kv": 10.0, "ki": 50.0}], "limit": 15.0}},
    {"joint": "fore", "torque": {"profile": "sine", "amplitude": 1.0, "frequency": 3.0}},
]  # fmt: skip


def both(drives, theory="exact", joint=None, **more):
    """The same arm of two links by the planar kernel and by dh."""
    payload = {"mass": 0.3, "inertia": 1e-3, "offset": [0.05, 0.02]}
    arm = {"gravity": [0, -9.81, 0], "damping": {"time": 2e-4}, "payload": payload}
    method = {"theory": theory, "resolution": [3, 4], "tolerance": 1e-12}  # stiff links turn what is left into torque
    made = []
    for spatial in (False, True):
        links = []
        for name, length, section in (("upper", 0.6, TAPER), ("fore", 0.5, ROD)):
            own = {"position": 0.2, "hub_inertia": 1e-3, "motor_mass": 0.2, **(joint or {})}
            shape = {"dh": {"a": length}} if spatial else {}
            masses = [{"at": 0.4, "mass": 0.1, "inertia": 1e-4}]
            links.append({"name": name, "section": section, "material": ALUMINIUM, "joint": {**own, **shape},
                          "length": length, "masses": masses})  # fmt: skip
        made.append(fa.simulate(scenario(links, drives, 0.3, 1e-3, arm=arm, method=method, **more)).data)
    return made


@pytest.mark.parametrize(
    ("drives", "theory", "joint"),
    [(MOVES, "exact", None), (MOVES, "linear", None), (TORQUES, "exact", None),
     (MOVES, "exact", {"stiffness": 400.0, "damping": 0.2, "rotor_inertia": 2e-3}),
     (TORQUES, "exact", {"stiffness": 400.0, "damping": 0.2, "rotor_inertia": 2e-3}),
     (TORQUES, "exact", {"friction": 0.8}),
     (TORQUES, "linear", {"friction": 0.8}),
     (TORQUES, "exact", {"friction": 0.8, "stiffness": 400.0, "damping": 0.2, "rotor_inertia": 2e-3})],
)  # fmt: skip
def test_planar_arm_written_with_dh(drives, theory, joint):
    plane, space = both(drives, theory, joint)
    for name in ("tip_position", "joint_position", "joint_torque", "drive_torque"):
        scale = np.abs(plane[name].values).max()
        assert np.abs(space[name].values - plane[name].values).max() < 1e-8 * scale, name
    for kind in ("kinetic", "elastic", "work", "dissipated"):
        one, two = (data.energy.sel(kind=kind).values for data in (plane, space))
        assert np.abs(one - two).max() < 1e-6 * np.abs(plane.energy.sel(kind="kinetic")).max(), kind
    assert np.abs(space.tip_position.values[:, 2]).max() < 1e-12


def test_damping_ratio_gauges_and_frequencies_of_a_planar_arm_written_with_dh():
    arms = [fa.Arm(links=[{"name": "a", "length": 0.6, "section": TAPER, "material": ALUMINIUM,
                           "joint": {"dh": {"a": 0.6}} if spatial else {}}], payload={"mass": 0.1, "inertia": 1e-4})
            for spatial in (False, True)]  # fmt: skip
    plane = fa.frequencies(arms[0], "fem", n=2, options={"resolution": 6}).hz
    space = fa.frequencies(arms[1], "fem", n=6, options={"resolution": 6}).hz
    for f in plane:
        assert np.abs(space / f - 1.0).min() < 1e-9


def test_rigid_limit():
    """Torques of the quasi-static arm are those of the stiff one."""
    plan = fa.load("naganathan-3r").with_({"method.theory": "quasi-static", "output.stations": 2})
    stiff = {f"arm.links.{name}.material.E": "2.07e15 Pa" for name in ("column", "upper", "fore")}
    data = fa.simulate(plan.with_(stiff)).data
    scale = np.abs(data.rigid_torque.values).max()
    assert np.abs(data.joint_torque.values - data.rigid_torque.values).max() < 1e-5 * scale
    assert np.abs(data.tip_error.values).max() < 1e-6


def test_rotating_the_world_rotates_the_answer():
    """A first joint about another axis: a fixed rigid stub turns everything behind it."""

    def swing(alpha, gravity):
        stub = {
            "name": "stub",
            "flexible": False,
            "body": {"mass": 0.0},
            "joint": {"type": "fixed", "dh": {"alpha": alpha}},
        }
        links = [stub, beam("column", {"d": 0.3, "alpha": 1.2}), beam("fore", {"a": 0.5})]
        drives = [
            {"joint": name, "motion": {"profile": "cycloid", "by": by, "duration": 0.2}}
            for name, by in (("column", 1.0), ("fore", -0.6))
        ]
        return fa.simulate(scenario(links, drives, 0.2, 1e-3, arm={"gravity": gravity}, output={"stations": 2})).data

    angle = 0.8
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    plain, turned = swing(0.0, [0.0, 0.0, -9.81]), swing(angle, list(R @ [0.0, 0.0, -9.81]))
    assert np.abs(turned.tip_position.values - plain.tip_position.values @ R.T).max() < 1e-10
    assert np.abs(turned.joint_torque.values - plain.joint_torque.values).max() < 1e-7


def test_unequal_stiffness_bends_in_both_planes():
    flat = {"shape": "rectangle", "width": 0.02, "height": 0.01}
    hz = fa.frequencies(fa.Arm(links=[beam("blade", {"a": 0.5}, flat)]), "fem", n=2, options={"resolution": 20}).hz
    assert hz[1] / hz[0] == pytest.approx(2.0, rel=2e-3)


def momentum(plan, data, payload: float) -> np.ndarray:
    """Angular momentum about the joint over each step, (steps,): the area that every place sweeps, which needs no velocity,
    and the turning of the sections; `payload` is the mass at the tip after the event."""
    link, hub, s = plan.arm.links[0], plan.arm.links[0].joint.hub_inertia, data.s.values * plan.arm.links[0].span
    inertia = float(link.properties([0.5])["rhoI"][0])
    x, y = data.shape.values[:, 0, :, 0], data.shape.values[:, 0, :, 1]
    h = np.diff(data.time.values)
    swept = (x[:-1] * y[1:] - y[:-1] * x[1:]) / h[:, None]
    slope = [np.gradient(each, s, axis=1, edge_order=2) for each in (y, x)]
    turned = np.diff(np.unwrap(np.arctan2(*slope), axis=0), axis=0) / h[:, None]
    beam_part = simpson(link.mass / link.span * swept + inertia * turned, x=s, axis=1)
    tip_part = np.where(data.time.values[1:] > 0.1 + 1e-9, payload * swept[:, -1], 0.0)
    return hub * np.diff(data.joint_position.values[:, 0]) / h + beam_part + tip_part


def test_payload_taken_up_on_the_way_conserves_momentum():
    """A free joint takes up no moment, so the momentum stays, through the event too. Each step of 1 ms keeps it to what the
    time scheme and the swept area, both of second order, make of the vibration that the blow excites."""
    links = [beam("rod", {"a": 0.5}, joint={"hub_inertia": 1e-3, "velocity": 2.0})]
    event = {"at": 0.1, "payload": {"mass": 0.5}, "rule": "at-rest"}
    plan = scenario(links, [], 0.2, 1e-3, events=[event], output={"stations": 201})
    data = fa.simulate(plan).data
    scale = float(data.energy.sel(kind="kinetic")[0])
    assert np.abs(data.energy.sel(kind="residual")).max() < 1e-6 * scale
    link = plan.arm.links[0]
    about = 1e-3 + link.mass * 0.25 / 3.0 + float(link.properties([0.5])["rhoI"][0]) * 0.5
    off = momentum(plan, data, 0.5) / (2.0 * about) - 1.0
    after = data.time.values[1:] > 0.1 + 1e-9
    assert np.abs(off).max() < 3e-5
    assert abs(off[~after].mean()) < 3e-6 and abs(off[after].mean()) < 3e-6
