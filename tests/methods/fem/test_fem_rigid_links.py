"""Rigid links among flexible ones: tangents, the double pendulum, inverse dynamics, stiff limits, energy."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import ALUMINIUM, CYCLOID, DOWN, ROD, beam, evaluated, model_of, moved, scenario
from scipy.integrate import solve_ivp
from test_fem_tangent import PUSH, SOFT, SPEED, agree, differences, random_state

import flexarm as fa
from flexarm.methods.fem.tangents import far_unknowns

BODY = {"mass": 2.0, "center": [0.4, 0.1], "inertia": 0.3}
SPRING = {"stiffness": 4.0, "damping": 0.3, "rotor_inertia": 0.1, "hub_inertia": 0.05, "motor_mass": 0.2}
STEEL = {"section": {"shape": "rectangle", "width": 0.04, "height": 0.04}, "material": "steel"}
PAYLOAD = {"mass": 0.5, "inertia": 0.03, "offset": [0.1, 0.2]}


def stiff(name: str, length: float = 1.0, **more):
    """A rigid link with a body; keywords change it."""
    return {"name": name, "length": length, "flexible": False, "body": BODY, **more}


def chain(kinds: str, springs: bool, drives=(), **more):
    """Links by letters: r rigid, f flexible and soft."""
    joint = SPRING if springs else {"hub_inertia": 0.05, "motor_mass": 0.2}
    links = [stiff(n, 0.7, joint=joint, masses=[{"at": 0.5, "mass": 0.3, "inertia": 0.02}]) if kind == "r"
             else beam(n, 0.8, joint=joint, **SOFT) for n, kind in zip("abc", kinds, strict=True)]  # fmt: skip
    parts = {"gravity": [1.0, -9.81, 0.0], "damping": {"time": 0.02}, "payload": PAYLOAD}
    return scenario(links, drives, arm=parts, resolution=2, **{"step": 1e-2, **more})


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("drives", ["moved", "free"])
@pytest.mark.parametrize("theory", ["exact", "link", "linear"])
@pytest.mark.parametrize(("kinds", "springs"), [("rrf", False), ("frr", True), ("rfr", False), ("frf", True)])
def test_tangent(kinds, springs, theory, drives, order):
    motion = [moved(n, CYCLOID) for n in "abc"] if drives == "moved" else ()
    model = model_of(chain(kinds, springs, motion, theory=theory, order=order))
    q, v, a, frame, _, _ = random_state(model, 5)
    free = np.setdiff1d(np.arange(model.size), far_unknowns(model))
    tangent = evaluated(model, q, v, a, frame, SPEED, PUSH)[1]

    def residual(step):
        change = np.zeros(model.size)
        change[free] = step
        found = evaluated(model, q + change, v + SPEED * change, a + PUSH * change, frame, SPEED, PUSH)[0]
        assert not np.any(found[far_unknowns(model)])
        return found[free]

    agree(tangent[np.ix_(free, free)], differences(residual, q[free]))


def test_double_pendulum_against_an_ode_solver():
    L, m, J, c = 0.7, 2.0, 0.3, np.array([0.4, 0.1])

    def acceleration(t, y):
        a1, a2, w1, w2 = y
        total = a1 + a2
        e1, e2 = (np.array([np.cos(k), np.sin(k)]) for k in (a1, total))
        n1, n2 = (np.array([-e[1], e[0]]) for e in (e1, e2))
        first, second = c[0] * e1 + c[1] * n1, c[0] * e2 + c[1] * n2
        turned = [np.array([-d[1], d[0]]) for d in (first, second)]
        rows = (np.array([turned[0], np.zeros(2)]), np.array([L * n1 + turned[1], turned[1]]))  # d centre / d angles
        spin = w1 + w2
        bias = (-(w1**2) * first, -(w1**2) * L * e1 - spin**2 * second)
        M = m * sum(r @ r.T for r in rows) + J * (np.outer([1, 0], [1, 0]) + np.outer([1, 1], [1, 1]))
        f = sum(r @ (m * np.array([0.0, -9.81]) - m * b) for r, b in zip(rows, bias, strict=True))
        return [w1, w2, *np.linalg.solve(M, f)]

    links = [stiff("a", L), stiff("b", L)]
    links[0]["joint"], links[1]["joint"] = {"position": 0.3, "velocity": 0.5}, {"position": -0.4, "velocity": -1.0}
    run = fa.simulate(scenario(links, (), arm={"gravity": DOWN}, end=1.0, step=5e-4))
    true = solve_ivp(acceleration, (0.0, 1.0), [0.3, -0.4, 0.5, -1.0], rtol=1e-11, atol=1e-12).y[:2, -1]
    assert run.data.joint_position.values[-1] == pytest.approx(true, abs=2e-5)
    assert np.abs(run.data.energy.sel(kind="residual")).max() < 1e-12
    assert not np.any(run.data.deflection)


@pytest.mark.parametrize("theory", ["exact", "link", "linear", "quasi-static"])
def test_torques_are_those_of_inverse_dynamics(theory):
    links = [stiff("a", 1.0, joint={"hub_inertia": 0.1}), stiff("b", 0.7, joint={"motor_mass": 1.0})]
    run = fa.simulate(scenario(links, [moved("a", CYCLOID), moved("b", CYCLOID)], theory=theory,
                               arm={"gravity": DOWN, "payload": PAYLOAD}))  # fmt: skip
    assert run.data.joint_torque.values == pytest.approx(run.data.rigid_torque.values, abs=1e-9)
    assert np.abs(run.data.tip_error).max() < 1e-12


@pytest.mark.parametrize("kinds", ["rf", "fr"])
def test_is_the_limit_of_a_stiff_beam(kinds):
    """What separates them falls in proportion to the stiffness."""
    soft, drives = beam("s", 0.8), [moved("h", CYCLOID), moved("s", CYCLOID)]

    def run(link):
        links = [link, soft] if kinds == "rf" else [soft, link]
        one = scenario(links, drives, arm={"payload": PAYLOAD, "gravity": DOWN}, step=2e-3, end=0.5)
        return 1e3 * fa.simulate(one).data.tip_error.values[:, :2], fa.frequencies(one, n=2).hz

    tip, tones = run({"name": "h", "length": 0.9, "flexible": False, "section": ROD, "material": ALUMINIUM})
    off = []
    for E in (70e12, 70e13):
        bent, hz = run(beam("h", 0.9, material={**ALUMINIUM, "E": E}))
        off.append((np.abs(bent - tip).max() / np.abs(tip).max(), np.abs(hz / tones - 1.0).max()))
    assert off[1][0] < 0.02 and off[1][1] < 2e-3
    assert np.array(off[0]) / np.array(off[1]) == pytest.approx([10.0, 10.0], rel=0.15)


@pytest.mark.parametrize("kinds", ["rfr", "frf"])
def test_energy_and_start_in_equilibrium(kinds):
    drives = [moved("a", CYCLOID, control={"type": "pd", "kp": 60.0, "kv": 6.0}), moved("b", CYCLOID),
              {"joint": "c", "torque": {"profile": "constant", "amplitude": 0.1}}]  # fmt: skip
    run = fa.simulate(chain(kinds, False, drives, step=2e-3, end=0.5))
    energy = run.data.energy
    assert np.abs(energy.sel(kind="residual")).max() < 1e-9 * np.abs(energy).max()
    rest = chain(kinds, True, [moved(n, {"profile": "constant"}) for n in "abc"], start="equilibrium", end=0.2)
    still = fa.simulate(rest.with_({"arm.links.b.joint.stiffness": 90.0}))
    assert np.abs(still.data.tip_position - still.data.tip_position[0]).max() < 1e-7
    assert np.abs(still.data.tip_error).max() > 1e-3


@pytest.mark.parametrize("kinds", ["rrf", "frf", "rff"])
@pytest.mark.parametrize("laws", ["c", "bc"])
def test_a_motor_leans_on_the_rigid_link_that_carries_it(kinds, laws):
    """Torques and work against assumed modes; the scheme's own loss stays small."""
    links = [{"name": n, "length": length, "flexible": kind == "f", **STEEL}
             for n, length, kind in zip("abc", (1.0, 0.7, 0.8), kinds, strict=True)]  # fmt: skip
    links[2]["joint"] = {"hub_inertia": 0.05}
    law = {"control": {"type": "pd", "kp": 800.0, "kv": 60.0}}
    turn = {"profile": "quintic", "by": 0.7, "duration": 1.0}
    drives = [{**moved(n, turn), **(law if n in laws else {})} for n in "abc"]
    plan = scenario(links, drives, arm={"gravity": DOWN}, integrator="generalised-alpha", tolerance=1e-8)
    found, other = fa.simulate(plan).data, fa.simulate(plan.with_({"method": {"name": "modes"}})).data
    torque, wanted = (np.abs(each.joint_torque).max("time").values for each in (found, other))
    assert torque == pytest.approx(wanted, rel=5e-3)
    work = float(other.energy.sel(kind="work")[-1])
    assert float(found.energy.sel(kind="work")[-1]) == pytest.approx(work, rel=1e-3)
    assert float(np.abs(found.energy.sel(kind="numerical")).max()) < 1e-4 * abs(work)


def test_at_a_jump_of_torque_a_rigid_link_feels_its_own_inertia_and_the_hub_on_it_alone():
    """Waves take time to reach into the beam behind it: T (J_h + J_r)/(J_1 + J_h + J_r) holds the second joint at that instant, more the finer
    the mesh. A millisecond later it is the torque of `modes`, whose links keep their length and are felt as a whole at once."""
    J1, Jh, Jr, T = 1.0 * 0.25**2 + 0.02, 0.3, 0.2, 5.0
    links = [
        {"name": "a", "length": 0.5, "flexible": False, "body": {"mass": 1.0, "center": [0.25, 0, 0], "inertia": 0.02}},
        {"name": "b", "length": 0.8, "section": {"shape": "rectangle", "width": 0.03, "height": 0.01},
         "material": {"E": 70e9, "density": 2700.0}, "joint": {"position": 0.4, "hub_inertia": Jh, "rotor_inertia": Jr}},
    ]  # fmt: skip
    drive = [{"joint": "a", "torque": {"profile": "constant", "amplitude": T, "duration": 0.1}},
             {"joint": "b", "motion": {"profile": "constant"}}]  # fmt: skip

    def held(**method):
        return fa.simulate(fa.Scenario.model_validate({
            "name": "jump", "arm": {"links": links}, "drive": drive, "method": method,
            "time": {"end": 2e-3, "step": 2.5e-4}, "output": {"every": 1e-3},
        })).data.drive_torque.values[:, 1]  # fmt: skip

    exact = T * (Jh + Jr) / (J1 + Jh + Jr)
    coarse, fine = (held(name="fem", order=2, resolution=n) for n in (4, 32))
    assert abs(fine[0] / exact - 1.0) < 5e-3 and abs(fine[0] - exact) < 0.3 * abs(coarse[0] - exact)
    assert fine[1:] == pytest.approx(held(name="modes")[1:], rel=0.02)


@pytest.mark.parametrize("kinds", ["rrf", "rff", "frf"])
def test_a_spring_passes_the_torque_of_its_own_twist_on(kinds):
    """Laws on every joint: the motor of the next joint leans on the link, and the spring carries that too."""
    drives = [{"joint": n, "motion": CYCLOID, "control": {"type": "pd", "kp": 30.0, "kv": 3.0}} for n in "abc"]
    plain = {"arm.links.b.joint.stiffness": None, "arm.links.b.joint.damping": 0.0, "time.end": 0.2}
    data = fa.simulate(chain(kinds, True, drives).with_(plain), warn=False).data
    twist, rate = ((data[f"motor_{each}"] - data[f"joint_{each}"]).values[1:, 0] for each in ("position", "velocity"))
    passed = SPRING["stiffness"] * twist + SPRING["damping"] * rate
    assert np.abs(passed).max() > 0.1
    assert data.joint_torque.values[1:, 0] == pytest.approx(passed, abs=1e-6 * np.abs(passed).max())
