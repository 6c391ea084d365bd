"""`modes` in space against `modes` in the plane and `fem` in space, readings and linear models included."""

from __future__ import annotations

import numpy as np
import pytest
from modes_spatial_arms import six

import flexarm as fa
from flexarm.errors import FlexarmError

ROD = {
    "section": {"area": 3e3, "inertia": 4e-9, "inertia_y": 9e-9, "torsion": 6e-9, "shear_factor": 1.0},
    "material": {"E": 2e11, "density": 7.8e-4, "nu": 0.3},
}
"""So large and light that it does not shear."""
JOINTS = (
    {"position": 0.4, "hub_inertia": 0.02, "stiffness": 3e3, "rotor_inertia": 1e-4, "gear": {"ratio": 30}, "damping": 2.0},
    {"position": -0.9, "rotor_inertia": 2e-4, "gear": {"ratio": 20}, "motor_mass": 0.5, "motor_inertia": 1e-3},
)  # fmt: skip


def planar(spatial, **method):
    """Two links in a standing plane, written as an arm in the plane or in space."""
    links = []
    for k, (length, joint) in enumerate(zip((0.7, 0.5), JOINTS, strict=True)):
        where = {"joint": {**joint, "dh": {"a": length}}} if spatial else {"joint": joint, "length": length}
        links.append({"name": f"link{k}", **ROD, **where, "masses": [{"at": "tip", "mass": 0.2, "inertia": 1e-3}]})
    return fa.Scenario.model_validate({
        "name": "planar arm", "arm": {"links": links, "gravity": [0, -9.81, 0], "payload": {"mass": 0.4, "inertia": 2e-3}},
        "drive": [
            {"joint": "link0", "torque": {"profile": "sine", "amplitude": 5.0, "frequency": 1.0}},
            {"joint": "link1", "motion": {"profile": "quintic", "by": 1.0, "duration": 0.2}},
        ],
        "method": {"name": "modes", "resolution": 2, "rotary_inertia": True, **method},
        "time": {"end": 0.2, "step": 1e-3}, "output": {"every": 2e-3},
    })  # fmt: skip


def test_a_planar_arm_in_space_is_that_of_the_plane():
    """Two shapes are the same cubics, nothing shears here, and nothing is beside the axis, where the plane expands the turn of a
    section to second order; rotary inertia is counted."""
    plane, space = planar(False, axial_modes=0), planar(True, axial_modes=0, torsion_modes=1)
    flat, deep = fa.frequencies(plane, n=3).hz, fa.frequencies(space, n=20).hz
    for hz in flat:
        assert np.abs(deep / hz - 1.0).min() < 1e-8
    a, b = (fa.simulate(arm).data for arm in (plane, space))
    for name in ("tip_position", "joint_position", "joint_torque", "motor_position"):
        wanted, found = a[name].values, b[name].values
        assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max()
    assert np.abs(b.tip_position.values[:, 2]).max() < 1e-12


def test_an_arm_with_gears_and_torques_moves_as_finite_elements_do():
    arm = six(**{
        "arm.links.upper.joint.rotor_inertia": 5e-5, "arm.links.upper.joint.gear": {"ratio": 100},
        "arm.links.upper.joint.hub_inertia": 0.0, "time": {"end": 0.15, "step": 5e-4, "start": "equilibrium"},
        "output": {"every": 1e-3, "gauges": [{"link": "upper", "at": 0.3, "side": side} for side in ("top", "bottom", "z", "-z")]},
        "drive.2.motion": None, "drive.2.torque": {"profile": "sine", "amplitude": 2.0, "frequency": 5.0},
    })  # fmt: skip
    wanted = fa.frequencies(arm.with_({"method": {"name": "fem", "resolution": 24}}), n=5).hz
    assert fa.frequencies(arm, n=5).hz == pytest.approx(wanted, rel=1e-3)
    a, b = (
        fa.simulate(arm.with_({"method": method})).data
        for method in ({"name": "fem", "resolution": 24}, {"name": "modes"})
    )
    for name, share in (("tip_position", 1e-3), ("joint_torque", 5e-3), ("strain", 5e-3), ("shaft_torque", 5e-3)):
        old, new = a[name].values, b[name].values
        assert np.abs(new - old).max() < share * np.abs(old - old[0]).max()


def test_readings_are_those_of_the_signals():
    arm = six(**{
        "time": {"end": 0.1, "step": 1e-3, "start": "equilibrium"}, "output": {"every": 1e-3, "sensors": [
            {"name": "bent", "link": "fore", "at": 1.0}, {"name": "slope", "link": "fore", "at": 1.0, "kind": "slope"},
        ]},
    })  # fmt: skip
    result = fa.simulate(arm)
    tip = result.data.tip_position.values
    assert np.abs(np.gradient(tip, 1e-3, axis=0)).max() > 0.0
    assert np.abs(result.data.reading.values).max() < 1e-2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"method.shapes": "clamped-free"}, "polynomials of the moment"),
        ({"method.stiffening": "static"}, "second-order or none"),
        ({"method.loops": "cut-absolute"}, "no loops"),
        ({"method.rotary_inertia": False}, "torsion in space"),
        (
            {"arm.links.fore.joint": {"type": "prismatic", "position": 0.2}, "arm.links.fore.length": 0.5, "drive": []},
            "flexible links on sliding joints; use fem",
        ),
        ({"drive.2.control": {"type": "pd", "kp": 1.0, "kv": 1.0, "sensor": "chord"}}, "readings of the chord"),
    ],
)
def test_refusals(changes, words):
    with pytest.raises(FlexarmError, match=words):
        fa.frequencies(six(**changes))


def test_torsion_shapes_are_for_space():
    with pytest.raises(FlexarmError, match="does not twist"):
        fa.frequencies(planar(False, torsion_modes=1))
