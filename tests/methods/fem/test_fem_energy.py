"""Energy: what the drives put in is found again, and what the scheme loses is told apart."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, HOLD, beam, case2, case3, moved, scenario, slender

import flexarm as fa
from flexarm.methods.fem import layout as at
from single_link import balance

BANG = {"joint": "link", "torque": {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}}
CYCLOID = {"profile": "cycloid", "by": 0.8, "duration": 0.5}
SPRING = {"stiffness": 300.0, "damping": 1.0, "rotor_inertia": 0.05}


def energy(run, kind: str) -> np.ndarray:
    return run.data["energy"].sel(kind=kind).values


def largest(run) -> float:
    return float(np.abs(run.data["energy"].drop_sel(kind=["residual", "numerical"]).values).max())


def everything(joints: str, **options):
    """Two links with gravity, payload offset, hub, motor mass, springs with dampers; driven in many ways."""
    parts = {"hub_inertia": 0.02, "motor_mass": 0.5}
    if joints == "springs":
        parts |= SPRING
    drives = {
        "motion": [moved("upper", CYCLOID), moved("fore", CYCLOID)],
        "springs": [moved("upper", CYCLOID), {"joint": "fore", "torque": {"profile": "constant", "amplitude": 2.0}}],
        "laws": [moved("upper", CYCLOID, control={"type": "pid", "kp": 300.0, "kv": 30.0, "ki": 50.0, "limit": 40.0}),
                 moved("fore", CYCLOID, control={"type": "pd", "kp": 40.0, "kv": 4.0},
                       actuator={"type": "transfer", "poles": ["-60+40j"]})],
        "free": [],
    }[joints]  # fmt: skip
    arm = {"gravity": DOWN, "payload": {"mass": 0.4, "inertia": 0.01, "offset": [0.05, 0.08]}}
    links = [beam("upper", joint={"position": -1.0, **parts}), beam("fore", 0.8, joint={"position": 0.5, **parts})]
    return fa.simulate(scenario(links, drives, arm=arm, end=0.8, start="locked", **options))


@pytest.mark.parametrize("joints", ["motion", "springs", "laws", "free"])
@pytest.mark.parametrize("theory", ["exact", "link"])
def test_balance(theory, joints):
    run = everything(joints, theory=theory)
    assert run.success and largest(run) > 1.0
    assert balance(run) < 1e-8
    assert (energy(run, "dissipated")[-1] > 1e-3 * largest(run)) == (joints == "springs")
    assert np.abs(energy(run, "numerical")).max() < 1e-3 * largest(run)


@pytest.mark.parametrize("joints", ["motion", "springs", "laws", "free"])
@pytest.mark.parametrize("theory", ["exact", "link"])
def test_numerical_part_falls_with_the_step(theory, joints):
    """So it is an error of the scheme and not a force that was forgotten."""
    lost = [np.abs(energy(everything(joints, step=h, theory=theory), "numerical")).max() for h in (1e-3, 5e-4, 2.5e-4)]
    less = (
        0.7 if joints in ("springs", "laws") else 0.4
    )  # what damps in no time after the start is lost in the starting steps
    assert lost[1] < less * lost[0] and lost[2] < less * lost[1]


def test_material_damping_takes_what_its_strain_rates_say():
    """Integral of eta (EA eps'^2 + GA gamma'^2 + EI kappa'^2), from the recorded section forces."""
    from flexarm.simulation.build import prepare
    from flexarm.simulation.time_loop import TimeLoop

    eta, h = 1e-3, 2.5e-4
    arm = {"damping": {"time": eta}, "payload": {"mass": 0.4, "inertia": 0.01, "offset": [0.05, 0.08]}}
    one = scenario([beam("link")], moved("link", CYCLOID), arm=arm, end=0.45, step=h)
    setup = prepare(one)
    loop = TimeLoop(setup)
    loop.enter()
    records = np.vstack([setup.model.record(loop.state), loop.chunk(10**6)[0].records])
    reader, own = setup.model.reader, setup.model.constant.properties
    forces = np.array([reader.point_forces(record, 0) for record in records])
    rates = [np.gradient(forces[:, k], h, axis=0) ** 2 / own[:, :, at.EA + k].ravel() for k in range(3)]
    wanted = np.trapezoid(eta * sum(rates) @ own[:, :, at.MEASURE].ravel(), dx=h)
    run = fa.simulate(one)
    # on a coarse step part of the loss shows as numerical
    assert energy(run, "dissipated")[-1] + energy(run, "numerical")[-1] == pytest.approx(wanted, rel=1e-3)
    assert balance(run) < 1e-8


@pytest.mark.parametrize("joints", ["motion", "laws"])
def test_balance_of_the_linear_theory(joints):
    """Small displacements about the command: joints that fall or swing far are not its business."""
    run = everything(joints, theory="linear")
    assert run.success and balance(run) < 1e-8


def test_newmark_loses_nothing_in_linear_motion():
    """One link under torque by small displacements is linear with constant matrices: the trapezoidal rule conserves."""
    arm = {"step": 5e-3, "end": 1.2, "resolution": 8, "theory": "linear"}
    newmark = fa.simulate(scenario([slender({"hub_inertia": 5.86e-4})], BANG, **arm))
    alpha = fa.simulate(
        scenario(
            [slender({"hub_inertia": 5.86e-4})],
            BANG,
            **{**arm, "integrator": "generalised-alpha", "spectral_radius": 0.5},
        )
    )
    assert np.abs(energy(newmark, "numerical")).max() < 1e-9 * largest(newmark)
    assert energy(alpha, "numerical")[-1] > 1e-3 * largest(alpha)
    assert balance(newmark) < 1e-9 and balance(alpha) < 1e-9
    smooth = fa.simulate(
        scenario(
            [slender({"hub_inertia": 5.86e-4})],
            BANG,
            **{**arm, "integrator": "generalised-alpha", "spectral_radius": 1.0},
        )
    )
    assert energy(smooth, "numerical")[-1] < 0.2 * energy(alpha, "numerical")[-1]


@pytest.mark.parametrize("theory", ["exact", "link"])
def test_double_pendulum_in_free_fall_conserves(theory):
    """No drive, no damping: kinetic + elastic + gravity stays."""
    links = [beam("upper", joint={"velocity": 1.0}), beam("fore", 0.7, joint={"position": 0.6})]
    run = fa.simulate(
        scenario(
            links, arm={"gravity": DOWN, "payload": {"mass": 0.3, "offset": 0.05}}, end=1.5, step=5e-4, theory=theory
        )
    )
    total = energy(run, "kinetic") + energy(run, "elastic") + energy(run, "gravity")
    assert run.success and energy(run, "gravity").min() < -5.0
    assert np.abs(total - total[0]).max() < 2e-4 * largest(run)
    assert np.abs(energy(run, "work")).max() < 1e-12 and np.abs(energy(run, "dissipated")).max() < 1e-12


def test_stiff_pendulum_swings_like_the_rigid_one():
    """Time of a swing from the horizontal: 4 K(sin 45 deg) sqrt(2 L / 3 g)."""
    from scipy.special import ellipk

    stiff = beam("link", material={"E": 7e12, "density": 2700.0})
    run = fa.simulate(scenario([stiff], arm={"gravity": DOWN}, end=2.5, step=1e-3, integrator="generalised-alpha"))
    angle, time = run.data["joint_position"].values[:, 0] + np.pi / 2, run.data["time"].values
    down = np.flatnonzero((angle[:-1] > 0) & (angle[1:] <= 0))[0]
    up = np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0))[0]
    crossing = [time[k] + 1e-3 * angle[k] / (angle[k] - angle[k + 1]) for k in (down, up)]
    assert 2 * (crossing[1] - crossing[0]) == pytest.approx(4 * ellipk(0.5) * np.sqrt(2 / (3 * 9.81)), rel=1e-3)


def test_dissipation_of_the_joint_damper():
    """A spring with damper in a joint that is turned and then rings: the loss is that of the damper, which is integrated here."""
    link = beam("link", joint={"stiffness": 200.0, "damping": 2.0, "rotor_inertia": 0.01})
    run = fa.simulate(scenario([link], moved("link", CYCLOID), end=1.0, step=2e-4))
    data = run.data
    rate = np.gradient(data["joint_deformation"].values[:, 0], data["time"].values)
    wanted = np.trapezoid(2.0 * rate**2, data["time"].values)
    assert energy(run, "dissipated")[-1] == pytest.approx(wanted, rel=1e-3)


def test_work_of_the_drives_is_torque_times_rate():
    for run in (fa.simulate(case2(end=1.0, step=5e-4)), fa.simulate(case3(end=1.0, step=5e-4))):
        data = run.data
        power = np.sum(
            data["drive_torque"].values * np.gradient(data["motor_position"].values, data["time"].values, axis=0),
            axis=1,
        )
        wanted = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(data["time"].values))])
        assert energy(run, "work") == pytest.approx(wanted, abs=2e-3 * np.abs(wanted).max())


def test_held_arm_keeps_the_energy_of_its_vibration():
    run = fa.simulate(
        scenario([slender()], moved("link", HOLD), arm={"gravity": DOWN}, end=1.0, step=5e-4, resolution=8)
    )
    total = energy(run, "kinetic") + energy(run, "elastic") + energy(run, "gravity")
    assert np.abs(total).max() < 1e-3 * largest(run)
