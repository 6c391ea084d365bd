"""Figures of arms in space by other routes: frequencies, sag, torques and whole runs."""

from __future__ import annotations

import numpy as np
import pytest
from modes_spatial_arms import BLADE, DRIVEN, PD, POSES, bent, posed, six

import flexarm as fa

TIME = 0.0009077779723358718


@pytest.mark.parametrize("pose", POSES)
def test_six_joints_at_rest(pose):
    arm, (hz, sag, torque) = posed(pose), POSES[pose]
    assert fa.frequencies(arm, n=6).hz == pytest.approx(hz, rel=1e-7)
    data = fa.simulate(arm.with_({"time.end": 0.002, "time.step": 1e-3}))
    assert bent(data)[0] == pytest.approx(sag, abs=1e-6 * max(np.abs(sag)))
    assert data.data.joint_torque.values[0] == pytest.approx(torque, abs=1e-6 * max(torque))


def test_six_joints_with_fewer_shapes():
    few = six(**{"method.resolution": 2, "method.torsion_modes": 1})
    assert fa.frequencies(few, n=4).hz == pytest.approx(next(iter(POSES.values()))[0][:4], rel=2e-5)


def test_six_joints_along_a_fast_move():
    result = fa.simulate(six())
    found, data = bent(result), result.data
    peak = np.array(DRIVEN["peak"])
    assert np.abs(found).max(axis=0) == pytest.approx(peak, rel=1e-4)
    for time in (0.48, 0.72, 0.96):
        assert found[round(time / 2e-3)] == pytest.approx(DRIVEN[time], abs=2e-6 * peak.max())
    assert found[-1] == pytest.approx(DRIVEN["final"], abs=2e-6 * peak.max())
    assert np.abs(data.joint_torque.values).max(axis=0) == pytest.approx(DRIVEN["torque"], rel=1e-3)
    kinetic, elastic, gravity, work, lost, numerical = data.energy.values.T[:6]
    balance = kinetic + elastic + gravity - work + lost + numerical
    assert np.abs(balance - balance[0]).max() < 1e-12 * np.abs(gravity).max()
    assert np.abs(numerical).max() < 1e-6 * kinetic.max()


@pytest.mark.document
def test_six_joints_with_pd_control():
    arm = six()
    laws = {
        f"drive.{k}.control": {"type": "pd", "kp": kp, "kv": kv}
        for k, (kp, kv) in enumerate(zip(PD["kp"], PD["kv"], strict=True))
    }
    result = fa.simulate(arm.with_({**laws, "time.step": 2.5e-4, "time.start": "locked", "output.every": 1e-3}))
    command = fa.simulate(arm.with_({"time.step": 1e-3, "output.every": 1e-3})).data.joint_position.values
    from flexarm.rigid import tips

    found = 1e3 * (result.data.tip_position.values - tips(arm.arm, command))
    assert np.abs(found).max(axis=0) == pytest.approx(PD["peak"], rel=2e-3)
    assert found[-1] == pytest.approx(PD["final"], abs=2e-3 * max(PD["peak"]))


@pytest.mark.parametrize(
    ("speed", "peak", "final", "within"),
    [
        (6.0, (10.114328928227778, 10.503920686134178, 30.201884517756003), (3.4681494168202764, -7.527359008331958, -23.75696914769787), 1e-5),
        (30.0, (25.270054081629464, 24.375429741392825, 57.685350649560085), (12.450666613257527, 1.3724363225183778, -37.955327025672474), 2e-4),
    ],
)  # fmt: skip
def test_a_blade_that_is_spun_up(speed, peak, final, within):
    found = bent(fa.simulate(fa.loads(BLADE).with_({"drive.0.motion.speed": speed})))
    assert np.abs(found).max(axis=0) == pytest.approx(peak, rel=within)
    assert found[-1] == pytest.approx(final, abs=within * max(peak))


def test_three_joints():
    arm = fa.load("naganathan-3r").with_({
        "method": {"name": "modes", "resolution": 3, "torsion_modes": 1}, "arm.damping": {"time": TIME}, "output.every": 1e-3,
    })  # fmt: skip
    hz = (17.532363039041773, 18.92295054168723, 63.88145465563611, 67.36264311864669)
    assert fa.frequencies(arm, n=4).hz == pytest.approx(hz, rel=1e-3)
    result = fa.simulate(arm)
    peak = (1.2628817819538007, 1.1832946825474562, 1.4859667442919111)
    assert np.abs(bent(result)).max(axis=0) == pytest.approx(peak, rel=1e-4)
    assert bent(result)[-1] == pytest.approx((0.03001502047948392, 0.6404248741249674, -0.3460470882501454), abs=2e-5)
    torque = (116.67737266768943, 186.33148181540412, 51.85888592523615)
    assert np.abs(result.data.joint_torque.values).max(axis=0) == pytest.approx(torque, rel=1e-3)
