"""Linear models of a two-link arm by pose: frequencies, responses, and zeros of the tip that are those of its links."""

from __future__ import annotations

import numpy as np
import pytest
from linear_arms import REFERENCE, TWO, elastic

import flexarm as fa
from flexarm.errors import FlexarmError

MESH = {
    "fem": {"resolution": 5, "order": 3}, "segments": {"resolution": 40}, "modes": {"resolution": 10},
    "ancf": {"resolution": 8},
}  # fmt: skip
POSES = ("0_60", *(pytest.param(pose, marks=pytest.mark.document) for pose in ("0_30", "0_90", "0_120", "20_90")))


def arm(method: str) -> fa.Scenario:
    return fa.loads(TWO).with_({"method": {"name": method, **MESH[method]}})


def angles(pose: str) -> list[float]:
    return [float(np.radians(float(part))) for part in pose.split("_")]


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("method", MESH)
def test_frequencies_masses_and_zeros(method, pose):
    """The zeros from both torques to both coordinates of the tip are the union of those of the links alone, in any pose."""
    wanted, outputs = REFERENCE["two_link"][f"pose_{pose}"], ["tip.x", "tip.y", "upper.position", "fore.position"]
    free = fa.state_space(arm(method), angles(pose), outputs=outputs)
    assert elastic(free.poles)[:3] / (2.0 * np.pi) == pytest.approx(wanted["free_Hz"][:3], rel=1e-3)
    locked = fa.state_space(arm(method), angles(pose), joints="locked", outputs="tip.x")
    assert elastic(locked.poles)[:3] / (2.0 * np.pi) == pytest.approx(wanted["locked_Hz"][:3], rel=1e-3)
    assert locked.inputs == () and len(locked.states) == len(free.states) - 4
    mass = np.linalg.inv(free.low_frequencies()[0][2:])
    assert mass == pytest.approx(np.array(wanted["rigid_mass"]), rel=1e-5)
    right = elastic(free.zeros(["tip.x", "tip.y"]), "real")
    assert right[:2] == pytest.approx([263.085, 308.315], rel=4e-4)
    assert right[2:4] == pytest.approx([1421.69, 1666.4], rel=2e-3)


@pytest.mark.parametrize(
    "method", ["modes", *(pytest.param(m, marks=pytest.mark.document) for m in MESH if m != "modes")]
)
def test_frequency_responses(method):
    wanted = REFERENCE["two_link"]["bode_pose_20_90_kv2e-4"]
    model = fa.state_space(arm(method).with_({"arm.damping": {"time": wanted["eta_s"]}}), angles("20_90"))
    found = model.response(1j * np.array(wanted["omega"]))
    for key, names, scales, close in (
        ("joint", ("upper.position", "fore.position"), (1.0, 1.0), 1e-4), ("tip_xy", ("tip.x", "tip.y"), (1.0, 1.0), 1e-4),
        ("root_curvature", ("upper-root", "fore-root"), (-2e-3, -1.5e-3), 3e-3),
    ):  # fmt: skip
        values = (np.array(wanted[key]) @ [1.0, 1.0j]).reshape(-1, 2, 2)
        rows = found[:, [model.outputs.index(name) for name in names]] / np.array(scales)[None, :, None]
        largest = np.abs(values).max(axis=(0, 2))[None, :, None]
        assert np.abs((rows - values) / largest).max() < close


def test_poses_of_the_wrong_size():
    with pytest.raises(FlexarmError, match="pose needs 2 number"):
        fa.state_space(arm("segments"), [0.1])


def test_some_joints_led_and_others_free():
    """The shoulder is led, the elbow driven: the elbow's torque reaches the shoulder's motor as its reaction."""
    model = fa.state_space(arm("segments"), angles("0_90"), joints={"upper": "led"})
    assert model.inputs == ("fore.torque", "upper.acceleration")
    rigid = np.array(REFERENCE["two_link"]["pose_0_90"]["rigid_mass"])
    slow = model.select(["upper.torque", "fore.position"]).response([0.01j])[0].real
    by_torque = rigid[0, 1] / rigid[1, 1]  # torque on the shoulder that keeps it still while the elbow turns
    assert slow[0] == pytest.approx([by_torque, rigid[0, 0] - rigid[0, 1] ** 2 / rigid[1, 1]], rel=1e-4)
    assert slow[1] * -1e-4 == pytest.approx([1.0 / rigid[1, 1], -rigid[0, 1] / rigid[1, 1]], rel=1e-4)
