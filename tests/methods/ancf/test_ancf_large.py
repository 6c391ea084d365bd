"""Large deformation: roll-up, elastica, spin-up, soft arm, rubber pendulum."""

import numpy as np
import pytest
from ancf_arms import FIGURES, bar, build, scenario, tip_of

import flexarm as fa
from flexarm.drive import JointWiring, Patch, Wiring
from flexarm.methods import get_method
from flexarm.methods.ancf.linear import static_state

SOFT = {"E": 1e8, "nu": 0.0, "density": 1000, "G": 1e8}
STRIP = {"shape": "rectangle", "width": 0.05, "height": 1e-3}
RUBBER = {"E": 0.7e6, "nu": 0.3, "density": 5540}


def rolled(share, **options):
    """Tip of the beam of the roll-up test under a share of the moment that closes the circle."""
    arm = bar(1.0, SOFT, {"area": 1e-4, "inertia": 2e-8, "shear_factor": 1.0})
    method, wiring = (
        get_method("ancf"),
        Wiring((JointWiring("bar", "motion"),), (Patch("pair", "bar", "moment", 0.0, 1.0),)),
    )
    model = method.build(arm, wiring, method.options_from(options))
    row = np.zeros((2, 7))
    row[1, 3] = share * 2 * np.pi * 2.0
    return static_state(model, [0.0], row).x[tip_of(model)]


@pytest.mark.parametrize(("element", "key"), [("shear", "sma"), ("cable", "cableR")])
@pytest.mark.parametrize("elements", [8, 16])
def test_roll_up(element, key, elements):
    half, full = FIGURES["rollup_tip_error"][f"{key}_{elements}"]
    tip = rolled(0.5, element=element, resolution=elements)
    assert np.linalg.norm(tip - [0.0, 2 / np.pi]) == pytest.approx(half, rel=0.02, abs=1e-7)
    assert np.linalg.norm(rolled(1.0, element=element, resolution=elements)) == pytest.approx(full, rel=0.02)


@pytest.mark.parametrize("load", ["1", "5", "10"])
def test_elastica(load):
    EI = 210e9 * 0.05 * 1e-9 / 12
    arm = bar(1.0, {"E": 210e9, "nu": 0.0, "density": 1e-6}, STRIP)
    for element in ("shear", "cable"):
        model = build(arm, element=element, resolution=8)
        push = np.zeros(model.size)
        push[tip_of(model)] = 0.0, float(load) * EI
        tip = static_state(model, [0.0], force=push).x[tip_of(model)]
        error = np.linalg.norm(tip - FIGURES["elastica"][load])
        assert error == pytest.approx(FIGURES["elastica"]["shear_error_8"][load], rel=0.3, abs=5e-7)
        assert error < 1e-3


def test_the_elastica_scenario_stays_where_the_elastica_is():
    result = fa.simulate("elastica")
    tip = result.data.tip_position.values[:, :2]
    assert result.success
    assert tip == pytest.approx(np.tile([0.4450044, -0.8106090], (len(tip), 1)), abs=1e-4)


def test_spin_up():
    case = FIGURES["spin_up"]
    for element in ("shear", "cable"):
        run = fa.load("spin-up").with_(
            {
                "method": {"name": "ancf", "element": element, "resolution": 4},
                "time.step": "5 ms",
                "output.every": "10 ms",
            }
        )
        data = fa.simulate(run).data
        lag = data.deflection.values[:, 0, -1]
        assert lag.min() == pytest.approx(case["largest_lag"], rel=5e-3)
        assert float(data.time[lag.argmin()]) == pytest.approx(case["at"], abs=0.031)
        reach = np.linalg.norm(data.tip_position.values, axis=1)[data.time.values > 16.0] - 10.0
        assert reach.mean() == pytest.approx(case["steady_extension"], rel=0.01)


def soft_arm(drive, end):
    """The classical data have far more rotary inertia than the section: the rest is put on as lumps, on nodes of their own."""
    places = [(e + x) / 8 for e in range(8) for x in (0.5 - 0.5 / 3**0.5, 0.5 + 0.5 / 3**0.5)]
    lumps = [{"at": x, "mass": 0.0, "inertia": 9.9 * 10 / 16} for x in places]
    link = {"name": "arm", "length": 10.0, "section": {"area": 0.01, "inertia": 1e-3, "shear_factor": 1.0},
            "material": {"E": 1e6, "nu": 0.0, "density": 100, "G": 1e6}, "masses": lumps}  # fmt: skip
    method = {"element": "shear", "resolution": 8}
    return fa.simulate(scenario({"links": [link]}, [{"joint": "arm", **drive}], end, 2.5e-3, method, every=0.01)).data


def test_soft_arm_under_torque_with_large_rotary_inertia():
    table = [[0.0, 0.0], [1.0, 80.0], [2.5, 0.0], [10.0, 0.0]]
    tip = soft_arm({"torque": {"profile": "table", "points": table}}, 4.0).tip_position
    case = FIGURES["robot_arm_torque"]
    for time, wanted in zip(case["times"], case["geometrically_exact_16"], strict=True):
        assert tip.sel(time=time, method="nearest").values[:2] == pytest.approx(wanted, abs=2e-3)


def test_soft_arm_turned_by_a_ramp_whose_jumps_do_work():
    table = [[0.0, 0.0], [0.01, 0.0], [2.51, 1.5], [10.0, 1.5]]
    data = soft_arm({"motion": {"profile": "table", "points": table, "interpolate": "linear"}}, 4.01)
    case = FIGURES["robot_arm_ramp"]
    for time, wanted in zip(case["times"], case["geometrically_exact_16"], strict=True):
        found = data.tip_position.sel(time=time + 0.01, method="nearest").values[:2]
        assert found == pytest.approx(wanted, abs=1.5e-2)
    energy = {kind: np.abs(data.energy.sel(kind=kind)).max() for kind in ("work", "numerical", "residual")}
    assert energy["work"] > 200.0
    assert energy["residual"] < 1e-6 * energy["work"] and energy["numerical"] < 1e-4 * energy["work"]


@pytest.mark.parametrize("element", ["cable", "shear"])
def test_rubber_pendulum_before_the_whip(element):
    section = {"shape": "rectangle", "width": 0.2, "height": 0.009, "shear_factor": 5 / 6}
    link = {"name": "strip", "length": 1.2, "material": RUBBER, "section": section}
    arm = {"gravity": [0, -9.81, 0], "links": [link]}
    run = scenario(arm, end=0.7, step=5e-4, method={"element": element, "resolution": 16}, every=0.1)
    tip = fa.simulate(run).data.tip_position.sel(time=[0.3, 0.5, 0.7], method="nearest").values[:, :2]
    assert tip == pytest.approx(np.array(FIGURES["pendulum"][f"{element}_16"]), abs=2e-6)
    assert tip == pytest.approx(np.array(FIGURES["pendulum"]["exact"]), abs=1e-2)


def test_rubber_pendulum_at_a_long_step_keeps_its_energy_or_says_so():
    kept = fa.simulate("rubber-pendulum")
    assert kept.success
    energy = kept.data.energy
    total = sum(energy.sel(kind=k) for k in ("kinetic", "elastic", "gravity"))
    fall = float(energy.sel(kind="kinetic").max())
    assert float(np.abs(total - total[0]).max()) < 1e-6 * fall
    assert float(np.abs(energy.sel(kind="numerical")).max()) < 1e-6 * fall
    shear = fa.load("rubber-pendulum").with_({"method.element": "shear", "time.end": "1.5 s"})
    assert fa.simulate(shear).success
    lost = fa.simulate(fa.load("rubber-pendulum").with_({"method.integrator": "generalised-alpha"}))
    assert lost.outcome.name in ("ENERGY_ERROR", "NOT_CONVERGED")
    assert "energy" in lost.message or "converge" in lost.message
    assert 0.5 < float(lost.data.time[-1]) < 5.0
