"""Small motions: closed loops with chord sensors, steady turns, damping ratios."""

import numpy as np
import pytest
from ancf_arms import FIGURES, SQUARE, bar, held, scenario, two_links

import flexarm as fa
from flexarm.simulation.build import prepare
from flexarm.simulation.control_loops.closure import close_control_loops
from flexarm.simulation.program import gains_at

SQUARE_MATERIAL = {"E": 80e9, "nu": 0.3, "density": 3500}


def abscissa(material, beta, gains, place):
    """Largest real part of the closed loop with chord sensors, the tip of the stiff arm at `place`."""
    x, y = place
    bend = np.arccos((x**2 + y**2 - 0.4**2 - 1.6**2) / (2 * 0.4 * 1.6))
    root = np.arctan2(y, x) - np.arctan2(1.6 * np.sin(bend), 0.4 + 1.6 * np.cos(bend))
    arm = two_links({"position": root}, {"position": bend}, damping={"time": beta})
    for link in arm["links"]:
        link["material"] = material
    kp1, kp2, kv1, kv2 = gains
    run = scenario(
        arm, [held("upper", 0.0, "chord", kp1, kv1), held("fore", 0.0, "chord", kp2, kv2)], method={"element": "shear"}
    )
    setup = prepare(run)
    loop = close_control_loops(
        setup.model.linearise(joints="held"), setup.program.wiring, gains_at(setup.program, 0.0, 0.3)
    )[0]
    n, inverse = len(loop.M), np.linalg.inv(loop.M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ loop.K, -inverse @ loop.C]])
    return float(np.linalg.eigvals(A).real.max())


@pytest.mark.parametrize(
    ("key", "gains"), [("circle_base", (2000, 1000, 400, 200)), ("circle_single", (6580, 8335, 363, 207))]
)
def test_closed_loop_with_chord_sensors_on_the_circle(key, gains):
    postures = [(1.6 + 0.3 * np.cos(a), 0.3 * np.sin(a)) for a in (0.0, np.pi / 4, np.pi / 2)]
    material = {"E": 30e9, "nu": 0.25, "density": 6000}
    found = max(abscissa(material, 1e-3, gains, place) for place in postures)
    assert found == pytest.approx(FIGURES["abscissa"][key], rel=0.01)
    assert abscissa(material, 0.0, gains, postures[0]) > 0.0


def test_spinning_stiffens_like_finite_elements():
    arm = bar(
        10.0, {"E": 70e9, "density": 3000, "nu": 0.3, "G": 30e9}, {"area": 4e-4, "inertia": 2e-7, "shear_factor": 5 / 6}
    )
    for element in ("cable", "shear"):
        ours = fa.frequencies(arm, method="ancf", n=2, spin=6.0, options={"element": element, "resolution": 12})
        beams = fa.frequencies(arm, method="fem", n=2, spin=6.0, options={"order": 3, "resolution": 12})
        assert ours.hz == pytest.approx(beams.hz, rel=2e-3)


def test_a_damping_ratio_is_met_also_with_part_of_the_energy_elsewhere():
    soft = {"stiffness": 2e4, "rotor_inertia": 0.3}
    for joints in (({}, {}), (soft, soft)):
        run = scenario(two_links(*joints, damping={"ratio": 0.002}, payload={"mass": 1.0}))
        drives = [{"joints": ["upper", "fore"], "motion": {"profile": "constant"}}]
        found = fa.frequencies(run.with_({"drive": drives}), n=2, joints="locked")
        assert found.damping[0] == pytest.approx(0.002, rel=5e-3)


def test_free_joints_are_rigid_motions():
    arm = fa.Arm.model_validate(two_links())
    found = fa.frequencies(arm, method="ancf", n=2, joints="free", options={"element": "shear", "resolution": 5})
    beams = fa.frequencies(arm, method="fem", n=2, joints="free", options={"resolution": 8, "order": 3})
    assert found.rigid_modes == 2
    assert found.hz == pytest.approx(beams.hz, rel=5e-3)


def test_mesh_error_of_the_first_mode_falls_fast():
    arm = bar(1.4, {"E": 70e9, "nu": 0.3, "density": 2700}, SQUARE)
    fine = fa.frequencies(arm, method="fem", n=1, options={"resolution": 24, "order": 3}).hz[0]
    errors = [
        abs(fa.frequencies(arm, method="ancf", n=1, options={"resolution": n}).hz[0] / fine - 1) for n in (1, 2, 4)
    ]
    assert errors[0] > 6 * errors[1] > 36 * errors[2]


def test_band_systems_are_solved_with_pivoting_and_a_singular_one_gives_no_number():
    """Against the dense solution; a zero on the diagonal needs pivoting."""
    from flexarm.methods.ancf.linear import _solve
    from flexarm.methods.ancf.packing import from_band

    for n, half in ((12, 3), (3, 4)):
        band = np.random.default_rng(n).normal(size=(n, 2 * half + 1))
        band[0, half] = 0.0
        right = np.arange(1.0, n + 1.0)
        assert _solve(band, right) == pytest.approx(np.linalg.solve(from_band(band), right), rel=1e-9)
    assert np.isnan(_solve(np.zeros((4, 3)), np.ones(4))).all()
