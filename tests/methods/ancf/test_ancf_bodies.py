"""Hubs, rotors, lumps and payload turn with a section and do not resist its stretching."""

from __future__ import annotations

import numpy as np
import pytest
from ancf_arms import GRAVITY, build, scenario, share, swing

import flexarm as fa
from flexarm.methods.ancf import bodies
from flexarm.methods.ancf.body_matrices import body_kinetic, body_potential, mass_at
from flexarm.numerics.jit import NO, callable_from_python

FLAT = {"shape": "rectangle", "width": 0.03, "height": 0.008}
METAL = {"E": 70e9, "density": 2700.0, "nu": 0.3}
HEAVY = {"mass": 0.15, "inertia": 0.02, "offset": [0.3, 0.1]}


def arm(hub=0.2, payload=HEAVY, angle=0.0, **more) -> dict:
    """Two slender links with a heavy hub at each joint."""
    joints = [{"hub_inertia": hub, "position": angle}, {"hub_inertia": 0.5 * hub, "position": 0.7, **more}]
    names, lengths = ("upper", "fore"), (0.7, 0.9)
    links = [
        {"name": n, "length": L, "section": FLAT, "material": METAL, "joint": joint}
        for n, L, joint in zip(names, lengths, joints, strict=True)
    ]
    return {"links": links, "payload": payload}


@pytest.mark.parametrize("joints", ["locked", "free"])
@pytest.mark.parametrize("element", ["shear", "cable"])
def test_no_frequency_comes_from_the_length_of_a_slope(element, joints):
    """`fem` has angles for its sections. Inertia on the vectors themselves would swing on the axial stiffness."""
    described = fa.Arm.model_validate(arm())
    wanted = fa.frequencies(described, "fem", n=6, joints=joints, options={"order": 3, "resolution": 12}).hz
    found = fa.frequencies(described, "ancf", n=6, joints=joints, options={"element": element, "resolution": 12}).hz
    assert found == pytest.approx(wanted, rel=3e-3 if element == "cable" else 1e-3)


def test_lumps_with_inertia_sit_on_nodes_of_their_own():
    data = arm()
    data["links"][1]["points"] = {"side": [0.31, 0.1]}
    data["links"][1]["masses"] = [
        {"at": "side", "mass": 0.2, "inertia": 5e-3},
        {"at": 0.6, "mass": 0.1, "inertia": 1e-2},
    ]
    described = fa.Arm.model_validate(data)
    model = build(described, resolution=1)
    assert model.mesh.counts == (1, 3)
    assert [note for note in model.notes if "'fore' has 3 elements instead of 1" in note]
    wanted = fa.frequencies(described, "fem", n=4, options={"order": 3, "resolution": 12}).hz
    found = fa.frequencies(described, "ancf", n=4, options={"element": "shear", "resolution": 12}).hz
    assert found == pytest.approx(wanted, rel=1e-3)


def _anywhere(sheared: bool):
    """A model with bodies of every kind, and a strange state."""
    data = arm(stiffness=500.0, rotor_inertia=0.03)
    data["gravity"] = GRAVITY
    model = build(fa.Arm.model_validate(data), resolution=2, element="shear" if sheared else "cable")
    rng = np.random.default_rng(4)
    state, row = model.empty(), model.posed_row([0.3, 0.8])
    row[1, 1:3] = 0.7, -2.0
    model.place_rigidly(state, [0.3, 0.8], [1.0, -2.0], row)
    s = model.view(state)
    for part, size in ((s.q, 0.1), (s.v, 1.0), (s.a, 3.0)):
        part += size * rng.standard_normal(model.size)
    return model, s, row


@pytest.mark.parametrize("sheared", [True, False])
def test_forces_of_bodies_are_those_of_lagrange(sheared):
    """d/dt dT/dv - dT/dq + dV/dq by differences of the energies, which are written down independently."""
    model, s, row = _anywhere(sheared)
    turn = np.zeros((1, 2))
    found = np.zeros(model.size)
    potential = callable_from_python(bodies.body_forces)(model.parts, s.q, s.v, s.a, row, 1.0, found)
    assert potential == pytest.approx(float(body_potential(model.parts, s.q[None])[0]), rel=1e-12)
    kinetic = callable_from_python(bodies.body_energy)(model.parts, s, row, NO[0])
    turn[0, 1] = row[1, 1]
    assert kinetic == pytest.approx(float(body_kinetic(model.parts, s.q[None], s.v[None], turn)[0]), rel=1e-12)

    def momentum(t: float) -> np.ndarray:
        """dT/dv at a time near now, with the path and the command continued."""
        q, v = s.q + t * s.v + 0.5 * t * t * s.a, s.v + t * s.a
        rates = turn + np.array([[0.0, t * row[1, 2]]])
        return np.array(
            [
                _slope(lambda x, k=k: body_kinetic(model.parts, q[None], _with(v, k, x)[None], rates)[0])
                for k in range(len(v))
            ]
        )

    def energy(q: np.ndarray) -> float:
        return float(body_kinetic(model.parts, q[None], s.v[None], turn)[0] - body_potential(model.parts, q[None])[0])

    wanted = (momentum(1e-4) - momentum(-1e-4)) / 2e-4
    wanted -= [_slope(lambda x, k=k: energy(_with(s.q, k, x))) for k in range(model.size)]
    assert found == pytest.approx(wanted, abs=1e-5 * np.abs(wanted).max())


def _with(vector: np.ndarray, k: int, change: float) -> np.ndarray:
    out = vector.copy()
    out[k] += change
    return out


def _slope(function) -> float:
    return float(function(1e-5) - function(-1e-5)) / 2e-5


@pytest.mark.parametrize("sheared", [True, False])
def test_tangent_of_bodies(sheared):
    model, s, row = _anywhere(sheared)
    speed, push, half = 7.0, 50.0, model.mesh.half_width
    band, forces = np.zeros((model.size, 2 * half + 1)), callable_from_python(bodies.body_forces)
    callable_from_python(bodies.body_tangent)(model.parts, s.q, s.v, s.a, row, speed, push, 1.0, band)
    found, wanted = np.zeros((model.size, model.size)), np.zeros((model.size, model.size))
    for r in range(model.size):
        for c in range(max(0, r - half), min(model.size, r + half + 1)):
            found[r, c] = band[r, c - r + half]
    for k in range(model.size):
        both = []
        for d in (1e-6, -1e-6):
            step, f = _with(np.zeros(model.size), k, d), np.zeros(model.size)
            forces(model.parts, s.q + step, s.v + speed * step, s.a + push * step, row, 1.0, f)
            both.append(f)
        wanted[:, k] = (both[0] - both[1]) / 2e-6
    assert found == pytest.approx(wanted, abs=1e-6 * np.abs(wanted).max())
    mass = np.zeros_like(band)
    callable_from_python(bodies.body_tangent)(model.parts, s.q, s.v, s.a, row, 0.0, 1.0, 0.0, mass)
    full = mass_at(model, s.q) - model.mass
    for r in range(model.size):
        for c in range(max(0, r - half), min(model.size, r + half + 1)):
            assert mass[r, c - r + half] == pytest.approx(full[r, c], abs=1e-12)


@pytest.mark.parametrize("element", ["shear", "cable"])
def test_the_conserving_step_keeps_the_energy_of_heavy_hubs_and_payload(element):
    """They fall and turn over; the step is far too long for the motion."""
    described = {**arm(angle=0.4), "gravity": GRAVITY}
    free = [{"joint": name, "torque": {"profile": "constant", "amplitude": 0.0}} for name in ("upper", "fore")]
    method = {"integrator": "conserving", "element": element, "resolution": 2, "tolerance": 1e-12}
    result = fa.simulate(scenario(described, free, 1.0, 10e-3, method))
    energy = result.data.energy
    assert result.success and float(energy.sel(kind="kinetic").max()) > 1.0
    whole = sum(energy.sel(kind=kind) for kind in ("kinetic", "elastic", "gravity"))
    assert np.ptp(whole.values) < 1e-7 * float(energy.sel(kind="kinetic").max())
    assert share(result, "numerical") < 1e-7 and share(result, "residual") < 1e-9


@pytest.mark.parametrize("integrator", ["generalised-alpha", "conserving"])
def test_large_motion_with_heavy_hubs_is_that_of_fem(integrator):
    """The first joint under a torque that turns it far round, the second one moved through a spring with a heavy rotor."""
    described = {**arm(hub=0.05, stiffness=300.0, damping=1.0, rotor_inertia=0.02), "gravity": GRAVITY}
    described["damping"] = {"time": 5e-4}
    drives = [
        swing("upper", 40.0, 1.5),
        {"joint": "fore", "motion": {"profile": "cycloid", "by": -1.0, "duration": 0.4}},
    ]
    ours = {"integrator": integrator, "element": "shear", "resolution": 6}
    plan = scenario(described, drives, 0.5, 1e-3, ours)
    run = fa.simulate(plan)
    found, other = run.data, fa.simulate(plan.with_({"method": {"name": "fem", "order": 2, "resolution": 6}})).data
    assert np.ptp(found.joint_position.values[:, 0]) > 0.7
    assert np.abs(found.tip_position - other.tip_position).max() < 1e-3
    for name in ("joint_torque", "drive_torque"):
        scale = float(np.abs(other[name]).max())
        assert float(np.abs(found[name] - other[name]).max()) < 0.01 * scale, name
    assert share(run, "residual") < 1e-7
    assert share(run, "numerical") < 1e-3


def test_a_steady_turn_with_an_offset_payload_is_that_of_one_on_a_stiff_stub():
    blade = {"name": "blade", "length": 1.0, "section": FLAT, "material": METAL, "joint": {"hub_inertia": 0.1}}
    stub = {"name": "stub", "length": 0.1, "section": FLAT, "material": {"E": 1e14, "density": 1e-3, "nu": 0.3},
            "joint": {"type": "fixed"}}  # fmt: skip
    load = {"mass": 0.1, "inertia": 1e-3}
    direct = fa.Arm.model_validate({"links": [blade], "payload": {**load, "offset": [0.1, 0.0]}})
    built = fa.Arm.model_validate({"links": [blade, stub], "payload": load})
    still = fa.frequencies(direct, "ancf", n=3, options={"element": "cable"}).hz
    for spin in (10.0, 40.0):
        found, wanted = (
            fa.frequencies(one, "ancf", n=3, spin=spin, options={"element": "cable"}).hz for one in (direct, built)
        )
        assert found == pytest.approx(wanted, rel=1e-4)
        assert found[1] > still[1] * 1.002
