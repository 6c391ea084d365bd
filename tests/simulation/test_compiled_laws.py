"""Laws inside the compiled steps: matrices from a file, laws with an observer, and functions that Numba compiles.

The truth is the same law in Python, called between the ticks, or a sampled PD law of the scenario.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.drive import LawBlock, read_law
from flexarm.errors import ControllerError, FlexarmError, ScenarioError
from single_link import make

LINK = {"length": 0.5, "section": {"shape": "rectangle", "width": 0.03, "height": 0.006}, "material": "aluminium"}
MOVE = {"profile": "quintic", "by": 0.3, "duration": 0.02}
GAINS = {"a": (200.0, 5.0), "b": (20.0, 0.5)}
METHODS = {
    "fem": {"resolution": 4}, "space": {"resolution": 4}, "segments": {"resolution": 12}, "modes": {"resolution": 3},
    "ancf": {"resolution": 4},
}  # fmt: skip
READINGS = ["a.position", "a.velocity", "b.position", "b.velocity", "g"]
SIGNALS = ("tip_position", "drive_torque", "strain", "energy")


def two_links(method: str, control: dict | None = None, **more) -> fa.Scenario:
    """Two links that both move, with one gauge."""
    own = {"joint": {"hub_inertia": 1e-2, "motor_mass": 0.3}}
    links = [{"name": name, **LINK, **own} for name in "ab"]
    if method == "space":
        links = [{**link, "joint": {**link["joint"], "dh": {"a": 0.5}}} for link in links]
    told = control or {"type": "external", "period": 1e-3}
    return fa.Scenario.model_validate({
        "name": "two links", "arm": {"links": links, "payload": {"mass": 0.1}, "damping": {"ratio": 0.01}},
        "drive": [{"joints": ["a", "b"], "motion": MOVE, "control": told, **more}],
        "method": {"name": "fem" if method == "space" else method, **METHODS[method]}, "time": {"end": 0.03, "step": 2e-4},
        "output": {"every": 1e-3, "gauges": [{"link": "a", "at": 0.1, "name": "g"}]},
    })  # fmt: skip


def same(one, other) -> bool:
    return all(np.array_equal(one.data[name].values, other.data[name].values) for name in SIGNALS)


@fa.controller(readings=READINGS, states=[0.1, 0.0])
def leaky(t, y, r, x, u):
    """PD on both joints, with a filtered gauge and a count of the ticks."""
    x[0] = 0.9 * x[0] + 1e3 * y[4]
    x[1] += 1.0
    u[0] = 200.0 * (r[0, 0] - y[0]) + 5.0 * (r[0, 1] - y[1]) - 0.01 * x[0]
    u[1] = 20.0 * (r[1, 0] - y[2]) + 0.5 * (r[1, 1] - y[3]) + 1e-3 * x[1]


@pytest.mark.parametrize("method", METHODS)
def test_a_compiled_function_gives_the_bits_of_the_same_one_in_python(method):
    scenario = two_links(method)
    compiled = fa.simulate(scenario, controller=leaky, warn=False)
    python = fa.simulate(scenario, controller=leaky.python(), warn=False)
    assert compiled.success and same(compiled, python)
    assert float(np.abs(compiled.data.joint_position.values).max()) > 0.1
    assert same(compiled, fa.simulate(scenario, controller=leaky, chunk=7, warn=False))


def pd_tree(**more) -> dict:
    """PD laws of both joints as matrices without states."""
    names = [
        f"{joint}.{part}" for joint in "ab" for part in ("reference", "reference_velocity", "position", "velocity")
    ]
    D = np.zeros((2, 8))
    for i, (kp, kv) in enumerate(GAINS.values()):
        D[i, 4 * i : 4 * i + 4] = kp, kv, -kp, -kv
    empty = {"A": np.zeros((0, 0)).tolist(), "B": [], "C": [[], []]}
    return {"format": "flexarm law 1", "period": 1e-3, "inputs": names, "outputs": ["a.torque", "b.torque"], "D": D.tolist(),
            "rest": [0.0] * 8, **empty, **more}  # fmt: skip


def written(path, tree) -> dict:
    path.write_text(json.dumps(tree), encoding="utf-8")
    return {"type": "state-space", "file": str(path)}


@pytest.mark.parametrize("method", METHODS)
def test_matrices_of_pd_gains_are_the_sampled_pd_laws(method, tmp_path):
    """Also with a limit that acts, and with a torque that the drives add. (fem lets the frames of joints under PD laws follow the
    command, those under others not: that is an effect of the step.)"""
    kp, kv = zip(*GAINS.values(), strict=True)
    pd = {"type": "pd", "kp": kp, "kv": kv, "period": 1e-3, "limit": [4.0, 2.0]}
    more = {"torque": {"profile": "constant", "amplitude": 0.3, "duration": 0.01}}
    framed = method in ("fem", "space")
    step = {"time.step": 2e-5 if framed else 2e-4}
    own = fa.simulate(two_links(method, pd, **more).with_(step), warn=False)
    control = {**written(tmp_path / "pd.json", pd_tree(limit=[4.0, None])), "limit": [9.0, 2.0]}
    law = fa.simulate(two_links(method, control, **more).with_(step), warn=False)
    assert float(np.abs(own.data.drive_torque.values[:, 0]).max()) == 4.0
    for name in SIGNALS:
        share = 2e-3 if framed else 1e-9
        assert (
            np.abs(law.data[name].values - own.data[name].values).max() < share * np.abs(own.data[name].values).max()
        ), name


def observer(limit: float = np.inf) -> fa.ObserverLaw:
    plant = fa.state_space("tokhi-azad", damping_ratio=0.01).reduce(modes=2)
    sizes = {"tip.travel": 0.02, "tip.velocity": 0.5, "link.torque": 0.1}
    noise = {"link.torque": 0.02, "link.position": 1e-4, "link@0.5": 1e-6}
    return fa.lqg(plant, sizes, noise, period=1e-3, integral={"link.position": 0.1}, limit=limit)


def let_go(control: dict | None = None, **more) -> fa.Scenario:
    """The arm of the observer with a rate, which the law is to stop."""
    drive = {"joint": "link", "control": control or {"type": "external", "period": 1e-3}, **more}
    return fa.load("tokhi-azad").with_({
        "drive": [drive], "time": {"end": 0.3, "step": 5e-4}, "arm.links.link.joint.velocity": 0.3, "output.every": 1e-3,
    })  # fmt: skip


@pytest.mark.parametrize("limit", [np.inf, 0.02])
def test_a_law_with_an_observer_runs_compiled_as_in_python(limit):
    law = observer(limit)
    compiled = fa.simulate(let_go(), controller=law, warn=False)
    python = fa.simulate(let_go(), controller=lambda time, reading: law(time, reading), warn=False)
    torque = python.data.drive_torque.values
    assert np.abs(torque).max() == pytest.approx(limit if np.isfinite(limit) else np.abs(torque).max(), rel=1e-12)
    for name in ("travel", "drive_torque", "strain"):
        size = np.abs(python.data[name].values).max()
        assert compiled.data[name].values == pytest.approx(python.data[name].values, rel=1e-9, abs=1e-10 * size), name


def test_a_saved_law_is_the_same_to_the_last_bit_however_the_run_is_cut(tmp_path):
    path = observer(0.05).save(tmp_path / "lqg.json")
    scenario = let_go({"type": "state-space", "file": str(path), "period": "1 ms"})
    whole = fa.simulate(scenario, warn=False)
    names = ("tip_position", "drive_torque", "energy")
    direct = fa.simulate(let_go(), controller=observer(0.05), warn=False)
    cut = fa.simulate(scenario, chunk=3, warn=False)
    count = iter(range(100))
    fa.simulate(scenario, chunk=50, checkpoint=tmp_path / "run.npz", cancel=lambda: next(count) > 8, warn=False)
    resumed = fa.simulate(scenario, resume=tmp_path / "run.npz", warn=False)
    assert resumed.success
    for name in names:
        for other in (direct, cut, resumed):
            assert np.array_equal(whole.data[name].values, other.data[name].values), name
    assert "lqg.json" in scenario.to_yaml() and scenario.hash != let_go().hash
    with pytest.raises(FlexarmError, match="already exists"):
        observer().save(path)


def test_an_observer_is_told_the_torque_behind_the_limit_and_that_of_the_drives():
    """Without a limit and with the drives' torque known, the observer's own state is that of a law which knows nothing else."""
    block = observer(0.02).law_block()
    assert np.abs(np.linalg.eigvals(block.A - block.E @ block.C)).max() == pytest.approx(1.0, abs=1e-9)  # its integral
    assert block.stop.sum() == 1 and block.limit.tolist() == [0.02] and block.inputs == ("link.position", "link@0.5")


def bad(change) -> dict:
    tree = pd_tree()
    change(tree)
    return tree


FAULTS = {
    "format": (lambda t: t.pop("format"), "does not say"),
    "missing": (lambda t: t.pop("D"), "'D' is missing"),
    "ragged": (lambda t: t.update(D=[[1.0], [1.0, 2.0]]), "D is no matrix"),
    "size": (lambda t: t.update(D=[[1.0, 2.0]]), "D is 1 x 2 and must have 2 x 8"),
    "texts": (lambda t: t.update(D="many"), "D is no matrix"),
    "period": (lambda t: t.update(period=0), "its period is 0"),
    "names": (lambda t: t.update(inputs="all"), "inputs must be a list of names"),
    "twice": (lambda t: t.update(outputs=["a.torque", "a.torque"]), "named twice"),
    "no torque": (lambda t: t.update(outputs=["a.torque", "b.position"]), "is no torque of a joint"),
    "limit": (lambda t: t.update(limit=[1.0, -2.0]), "must be larger than 0"),
    "short limit": (lambda t: t.update(limit=[1.0]), "limit needs 2 numbers"),
    "not square": (lambda t: t.update(A=[[1.0, 2.0]]), "must be square"),
    "infinite": (lambda t: t.update(D=[[float("inf")] * 8] * 2), "holds Infinity"),
    "unstable": (
        lambda t: t.update(A=[[1.01]], B=[[0.0] * 8], C=[[0.0], [0.0]]),
        "unstable by itself: its states grow 1.01 times per period",
    ),
    "observer": (
        lambda t: t.update(A=[[0.5]], B=[[0.0] * 8], C=[[1.0], [0.0]], E=[[-0.8, 0.0]]),
        "its observer is unstable: its states grow 1.3 times",
    ),
    "stop": (lambda t: t.update(stop=[1]), "stop needs 0 values"),
    "too large": (
        lambda t: t.update(A=np.zeros((501, 501)).tolist(), B=np.zeros((501, 8)).tolist(), C=np.zeros((2, 501)).tolist()),
        "501 states, 8 inputs and 2 torques are too many",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_file_is_refused_in_one_sentence(name, tmp_path):
    change, words = FAULTS[name]
    path = tmp_path / "law.json"
    path.write_text(json.dumps(bad(change)), encoding="utf-8")
    with pytest.raises(ValueError, match=words) as caught:
        read_law(path)
    assert "law.json" in str(caught.value) and "\n" not in str(caught.value)


def test_what_is_no_file_or_does_not_fit_is_told_with_its_place(tmp_path):
    path = tmp_path / "law.json"
    text = "name: x\nextends: tokhi-azad\ndrive:\n  - joint: link\n    control: {type: state-space, file: law.json"
    for content, more, words in (
        ("A = 1", "}", "'law.json' is no law: it is not JSON"),
        ("[" * 100_000, "}", "it is not JSON"),
        (json.dumps(pd_tree()), "}", "gives the torques of a, b, but the drive moves link"),
        (json.dumps(observer().law_block().tree()), ", period: 2 ms}", "made for a period of 0.001 s, not 0.002 s"),
        (json.dumps(observer().law_block().tree()), ", kp: 3}", "leave out kp"),
        (
            json.dumps(observer().law_block().tree()),
            ", inputs: [link.position]}",
            "has 2 inputs and control.inputs names 1",
        ),
    ):
        path.write_text(content, encoding="utf-8")
        scenario = tmp_path / "arm.yaml"
        scenario.write_text(text + more, encoding="utf-8")
        with pytest.raises(ScenarioError, match=words) as caught:
            fa.load(scenario)
        assert "drive" in str(caught.value)
    path.write_text(json.dumps(observer().law_block().tree()), encoding="utf-8")
    scenario.write_text(text + ", inputs: [link.positon, link@0.5]}", encoding="utf-8")
    with pytest.raises(ControllerError, match=r"there is no reading 'link\.positon'; did you mean 'link.position'"):
        fa.simulate(scenario)
    with pytest.raises(ScenarioError, match="cannot be read"):
        fa.loads(text.replace("law.json", "nowhere.json") + "}")
    with pytest.raises(ScenarioError, match="file is for type: state-space"):
        fa.loads(text.replace("state-space", "external") + ", period: 1 ms}")


def test_a_law_that_fails_keeps_what_was_computed():
    @fa.controller(readings=["link.position"], states=1)
    def breaks(t, y, r, x, u):
        u[0] = 0.1
        if t > 0.0195:
            x[3] = 1.0

    outside = {"joint": "link", "control": {"type": "external", "period": 2e-3}}
    scenario = make(drive=outside, step=1e-4, end=0.05)
    run = fa.simulate(scenario, controller=breaks)
    assert run.outcome is fa.Outcome.CONTROLLER_FAILED and "failed at t = 0.02 s: IndexError" in run.message
    assert run.data["time"].values[-1] == pytest.approx(0.02)

    @fa.controller
    def endless(t, y, r, x, u):
        u[0] = 0.1 if t < 0.0199 else np.inf

    run = fa.simulate(scenario, controller=endless)
    assert run.outcome is fa.Outcome.UNSTABLE and "not a number" in run.message and run.data["time"].values[-1] == 0.02


def test_what_cannot_be_a_law_is_refused():
    with pytest.raises(ControllerError, match=r"takes \(t, y\); it must take \(t, y, r, x, u\)"):
        fa.controller(lambda t, y: 0.0)
    with pytest.raises(ControllerError, match="must write its torques to u"):
        fa.controller(lambda t, y, r, x, u: y[0])
    with pytest.raises(ControllerError, match="cannot be compiled"):

        @fa.controller
        def no(t, y, r, x, u):
            u[0] = {"a": y}.nothing

    with pytest.raises(ControllerError, match="states is the number of states"):
        fa.controller(lambda t, y, r, x, u: None, states="two")
    scenario = let_go()
    with pytest.raises(ControllerError, match=r"there is no reading 'lnk\.position'"):
        fa.simulate(scenario, controller=fa.controller(lambda t, y, r, x, u: None, readings=["lnk.position"]))
    with pytest.raises(ControllerError, match=r"made for a period of 0.002 s, but control.period is 0.001 s"):
        fa.simulate(scenario, controller=fa.controller(lambda t, y, r, x, u: None, period=2e-3))


def test_a_law_is_its_own_data_again(tmp_path):
    law = observer(0.05).law_block()
    found = read_law(law.save(tmp_path / "law.json"))
    assert isinstance(found, LawBlock) and found.tree() == law.tree()
    for name in ("A", "B", "C", "D", "E", "torque", "limit"):
        assert np.array_equal(getattr(found, name), getattr(law, name)), name


@pytest.mark.parametrize("method", ["fd", "modes"])
def test_the_loop_of_a_law_in_a_file_is_judged_from_tick_to_tick(method, tmp_path):
    """As the law itself is on the same mesh, and as sampled PD laws with the same gains are."""
    law = observer()
    path = law.save(tmp_path / "lqg.json")
    plan = let_go({"type": "state-space", "file": str(path)}).with_({"method": {"name": method}})
    found = fa.stability(plan, poses=1)
    worst = law.check(let_go().with_({"method": {"name": method}}), frequency=0.0)[0]
    assert found is not None and found.sampled[0].factor == pytest.approx(worst.radius, abs=1e-9)
    assert found.stable is worst.stable
    assert ("the law of the file destabilises the arm" in found.sentence()) is not worst.stable


def test_the_loops_of_two_joints_are_those_of_their_pd_laws(tmp_path):
    kp, kv = zip(*GAINS.values(), strict=True)
    pd = fa.stability(two_links("segments", {"type": "pd", "kp": kp, "kv": kv, "period": 1e-3}), poses=2)
    law = fa.stability(two_links("segments", written(tmp_path / "pd.json", pd_tree())), poses=2)
    assert pd is not None and law is not None and law.abscissa == pytest.approx(pd.abscissa, rel=1e-9)
