"""Agreement with the finite elements, and the energy audit, over joints of every kind."""

import numpy as np
import pytest
from ancf_arms import GRAVITY, held, moving, scenario, share, swing, two_links

import flexarm as fa

HEAVY = {"mass": 2.0, "inertia": 0.05, "offset": [0.1, 0.05]}
GEARED = (
    {"stiffness": 3e4, "rotor_inertia": 0.5, "damping": 3.0},
    {"stiffness": 1e4, "rotor_inertia": 0.2, "hub_inertia": 0.1, "motor_mass": 3.0},
)
CASES = {
    "motion": (two_links(), [moving("upper", 0.6), moving("fore", -0.9)]),
    "torque": (two_links(damping={"time": 1e-4}), [swing("upper", 30.0), swing("fore", 10.0)]),
    "pd": (two_links(damping={"time": 1e-4}), [held("upper", 0.6), held("fore", -0.9)]),
    "geared motion": (two_links(*GEARED, payload=HEAVY), [moving("upper", 0.6), moving("fore", -0.9)]),
    "geared torque": (two_links(*GEARED, payload=HEAVY), [swing("upper", 30.0), held("fore", 0.5, "motor")]),
    "hanging": (two_links(gravity=GRAVITY, payload=HEAVY, damping={"time": 1e-3}), []),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("element", ["auto", "cable"])
def test_same_motion_as_finite_elements(name, element):
    arm, drive = CASES[name]
    ours = fa.simulate(scenario(arm, drive, method={"element": element, "resolution": [3, 6]}, step=5e-4))
    beams = fa.simulate(scenario(arm, drive, method={"name": "fem", "resolution": [6, 12], "order": 2}, step=5e-4))
    assert ours.success
    for signal, tolerance in (
        ("tip_position", 5e-4),
        ("joint_position", 5e-4),
        ("tip_deflection", 2e-2),
        ("drive_torque", 2e-2),
    ):
        wanted, found = beams.data[signal].values, ours.data[signal].values
        assert np.abs(found - wanted).max() <= tolerance * np.abs(wanted).max() + 1e-12, signal
    assert share(ours, "residual") < 2e-5
    assert share(ours, "numerical") < 1e-3


def test_equilibrium_and_section_forces_agree_with_finite_elements():
    arm = two_links(gravity=GRAVITY, payload={"mass": 5.0})
    hold = [{"joints": ["upper", "fore"], "motion": {"profile": "constant"}}]
    beams = fa.simulate(
        scenario(arm, hold, 0.02, start="equilibrium", method={"name": "fem", "resolution": [8, 16], "order": 2})
    )
    for element in ("shear", "cable"):
        ours = fa.simulate(
            scenario(arm, hold, 0.02, start="equilibrium", method={"element": element, "resolution": [4, 8]})
        )
        for signal in ("axial_force", "bending_moment", "joint_torque"):
            wanted, found = beams.data[signal].values[0], ours.data[signal].values[0]
            assert np.abs(found - wanted).max() < 1e-2 * np.abs(wanted).max(), signal
        still = ours.data.tip_position.values
        assert np.abs(still - still[0]).max() < 1e-9


def test_payload_events_conserve_momentum_or_velocity():
    arm, drive = two_links(damping={"time": 1e-3}), [moving("upper", 0.6), moving("fore", -0.9)]
    for rule in ("at-rest", "matched"):
        event = {"at": 0.1, "payload": {"mass": 3.0, "inertia": 0.02}, "rule": rule}
        ours = fa.simulate(scenario(arm, drive, events=[event], step=2.5e-4))
        beams = fa.simulate(
            scenario(arm, drive, events=[event], step=2.5e-4, method={"name": "fem", "resolution": [6, 12], "order": 2})
        )
        assert ours.success
        assert share(ours, "residual") < 1e-5
        wanted = beams.data.tip_deflection.values
        assert np.abs(ours.data.tip_deflection.values - wanted).max() < 0.05 * np.abs(wanted).max()
