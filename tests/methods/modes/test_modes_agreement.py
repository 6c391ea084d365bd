"""Serial arms agree with finite elements as the number of shapes grows, and with closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from modes_arms import DOWN, HOLD, link, scenario

import flexarm as fa

STIFF_IN_SHEAR = {"E": 70e9, "density": 2700.0, "G": 1e12}
TAPER = [{"at": 0.0, "shape": "rectangle", "width": 0.02, "height": 0.015},
         {"at": 1.0, "shape": "rectangle", "width": 0.02, "height": 0.008}]  # fmt: skip
MOVE = {"profile": "quintic", "by": 0.6, "duration": 0.4}


def two_links(method: str = "modes", **more):
    links = [
        link("a", 1.0, section=TAPER, material=STIFF_IN_SHEAR, joint={"position": 0.3, "hub_inertia": 0.01}),
        link("b", 0.7, material=STIFF_IN_SHEAR, joint={"position": -0.8, "motor_mass": 0.2}),
    ]
    load = {"mass": 0.2, "inertia": 0.002, "offset": [0.05, 0.03]}
    drives = [{"joint": n, "motion": MOVE} for n in "ab"]
    run = scenario(links, drives, arm={"gravity": DOWN, "payload": load, "damping": {"time": 2e-4}},
                   time={"end": 0.6, "start": "equilibrium"},
                   output={"every": 0.01, "gauges": [{"link": "a", "at": 0.3}]})  # fmt: skip
    if method == "fem":
        run = run.with_({"method": {"name": "fem", "resolution": 12, "order": 2}, "time.step": 5e-4})
    return run.with_({f"method.{key}": value for key, value in more.items()})


@pytest.fixture(scope="module")
def by_elements():
    return fa.simulate(two_links("fem")).data


def test_frequencies_converge_to_finite_elements():
    fine = fa.frequencies(two_links("fem").with_({"arm.damping": None, "method.order": 3}), n=4).hz
    errors = []
    for count in (2, 3, 5):
        found = fa.frequencies(
            two_links(resolution=count, rotary_inertia=True, axial_modes=2).with_({"arm.damping": None}), n=4
        ).hz
        errors.append(np.abs(found / fine - 1.0))
    assert np.all(errors[2] < 4e-4) and errors[0][0] < 1e-3
    assert np.all(errors[1][2:] < 0.2 * errors[0][2:])


def test_motion_converges_to_finite_elements(by_elements):
    peak = float(np.abs(by_elements.tip_deflection).max())
    errors = []
    for count in (1, 2, 4):
        data = fa.simulate(two_links(resolution=count, axial_modes=1)).data
        errors.append(float(np.abs(data.tip_deflection - by_elements.tip_deflection).max()) / peak)
        last = data
    assert errors[2] < 2e-3 and errors[1] < 0.3 * errors[0]
    torque = np.abs(by_elements.joint_torque).max()
    assert np.abs(last.joint_torque - by_elements.joint_torque).max() < 2e-3 * torque
    strain = np.abs(by_elements.strain).max()
    assert np.abs(last.strain - by_elements.strain).max() < 5e-3 * strain


@pytest.mark.parametrize("family", ["clamped-free", "pinned-free", "pinned-pinned"])
def test_uniform_beam_has_its_textbook_shapes(family):
    """Frequencies of the shapes themselves: beta L of the family."""
    from flexarm.arm import Link
    from flexarm.methods.modes.beamline import BeamLine
    from flexarm.methods.modes.integrals import BeamSamples, BodyIntegrals, stiffness
    from flexarm.methods.modes.options import Shapes
    from flexarm.methods.modes.shapes import shape_set

    line = BeamLine(Link(**{k: v for k, v in link("a", 1.3).items() if k != "joint"}))
    shapes = shape_set(line, Shapes(type=family), 5, 0, (0.0, 0.0), "")
    sums = BodyIntegrals(5)
    sums.add_beam(BeamSamples(line, shapes), False)
    roots = {
        "clamped-free": [1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349, 14.1371683910],
        "pinned-free": [3.9266023120, 7.0685827456, 10.2101761228, 13.3517687778, 16.4933614313],
        "pinned-pinned": np.pi * np.arange(1, 6),
    }[family]
    EI, rhoA = float(line.at("EI", np.zeros(1))[0]), float(line.at("rhoA", np.zeros(1))[0])
    found = (np.diag(stiffness(line, shapes)) / np.diag(sums.M) * rhoA / EI) ** 0.25 * 1.3
    assert found == pytest.approx(roots, rel=1e-9)
    off = sums.M - np.diag(np.diag(sums.M))
    assert np.abs(off).max() < 1e-10 * sums.M.max()


def test_clamped_mass_uses_the_arm_or_a_given_mass():
    run = two_links(shapes="clamped-mass", resolution=1)
    own = fa.frequencies(run, n=1).hz
    given = fa.frequencies(run.with_({"method.shapes": {"type": "clamped-mass", "mass": 0.0}}), n=1).hz
    plain = fa.frequencies(run.with_({"method.shapes": "clamped-free"}), n=1).hz
    carried = fa.frequencies(run.with_({"method.shapes": {"type": "clamped-mass", "inertia": "carried"}}), n=1).hz
    assert given == pytest.approx(plain, rel=1e-12)
    assert carried[0] < own[0] < plain[0]  # the better the shape, the lower the estimate


def test_single_link_with_hub_and_payload_against_the_exact_link():
    run = scenario([link("a", 1.0, material=STIFF_IN_SHEAR, joint={"hub_inertia": 0.02})],
                   [{"joint": "a", "torque": {"profile": "constant", "amplitude": 0.0}}],
                   arm={"payload": {"mass": 0.1, "inertia": 1e-3}}, resolution=8)  # fmt: skip
    exact = fa.frequencies(run, "fd", n=3, joints="free", options={"resolution": 200}).hz
    assert fa.frequencies(run, n=3, joints="free").hz == pytest.approx(exact, rel=2e-3)


def test_spinning_beam_stiffens_as_in_finite_elements():
    slow = scenario([link("a", 2.0, material=STIFF_IN_SHEAR)], [{"joint": "a", "motion": HOLD}], resolution=5)
    for spin in (5.0, 20.0):
        ours = fa.frequencies(slow, n=2, spin=spin).hz
        fem = fa.frequencies(slow, "fem", n=2, spin=spin, options={"resolution": 20, "order": 2}).hz
        assert ours == pytest.approx(fem, rel=2e-3)
        assert ours[0] > fa.frequencies(slow, n=1).hz[0]


def test_spin_up_agrees_with_finite_elements_and_grows_without_stiffening():
    run = fa.load("spin-up").with_(
        {"method": {"name": "modes", "resolution": 3}, "time.end": 9.0, "time.step": "20 ms"}
    )
    across = fa.simulate(run).data.deflection.values[:, 0, -1]
    fem = fa.simulate(fa.load("spin-up").with_({"time.end": 9.0})).data.deflection.values[:, 0, -1]
    assert np.abs(across).max() == pytest.approx(np.abs(fem).max(), rel=0.01)
    plain = fa.simulate(run.with_({"method.stiffening": "none"}))
    assert not plain.success or np.abs(plain.data.deflection).max() > 3.0 * np.abs(across).max()


def test_ringing_on_a_light_hub_stays_in_phase_with_large_rotation_elements():
    """The hub swings with the bending: terms of higher order move the frequency unless the frame points to the tip."""
    run = fa.load("tokhi-azad").with_({"time.step": 2e-4, "output.every": 2e-3})

    def deflection(**method) -> np.ndarray:
        return fa.simulate(run.with_({"method": method})).data.tip_deflection.values[:, 1]

    exact = deflection(name="ancf", resolution=10)
    ours = deflection(name="modes", resolution=7, shapes="clamped-free")
    assert np.abs(ours - exact).max() < 0.02 * np.abs(exact).max()


def test_a_heavily_bent_arm_vibrates_and_moves_as_finite_elements_do():
    """It sags by a sixth of its length under thirty times its own mass, whose path along the link is of second order."""
    thin = {"shape": "rectangle", "width": 0.02, "height": 0.004}
    drive = [{"joint": "a", "motion": {"profile": "quintic", "by": 0.5, "duration": 0.3}}]
    arm = {"gravity": DOWN, "payload": {"mass": 2.0, "inertia": 1e-3}}
    bent = scenario(
        [link("a", 0.4, section=thin)], drive, arm=arm, time={"end": 0.4, "start": "equilibrium"}, resolution=4
    )
    fine = bent.with_({"method": {"name": "fem", "resolution": 12, "order": 2}})
    assert fa.frequencies(bent, n=3).hz == pytest.approx(fa.frequencies(fine, n=3).hz, rel=0.015)
    found, wanted = (fa.simulate(one, warn=False) for one in (bent, fine))
    assert found.success and not any("halved" in note for note in found.notes)
    away = np.abs(found.data.tip_position - wanted.data.tip_position).max()
    assert away < 0.01 * np.abs(wanted.data.link_deformation).max()
