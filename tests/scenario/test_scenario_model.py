"""The scenario itself: changes, equality, hash, and the file it writes."""

import pickle

import pytest
from pydantic import Field, ValidationError

from flexarm import methods
from flexarm.arm import Arm
from flexarm.drive import Drive
from flexarm.methods.base import MethodOptions
from flexarm.scenario import MethodChoice, Output, Scenario, Timing, bundled, load, loads

NAMES = [entry.name for entry in bundled()]


class OtherOptions(MethodOptions):
    """Options of a method that exists only here."""

    resolution: int | tuple[int, ...] = Field(default=8)
    theory: str = "exact"


class OtherMethod:
    """Stands for a second method."""

    title = "another way"
    Options = OtherOptions


@pytest.fixture
def second_method(monkeypatch):
    """A world with two methods."""
    original = methods.get_method
    monkeypatch.setattr(methods, "method_names", lambda: ("fd", "other"))
    monkeypatch.setattr(methods, "get_method", lambda name: OtherMethod if name == "other" else original(name))


@pytest.fixture
def arm():
    """A steel rod."""
    rod = {
        "name": "rod",
        "length": 1.0,
        "material": "steel",
        "section": {"shape": "circle", "diameter": 0.01},
    }
    return Arm(links=[rod])


def test_values_arrive_in_si(text):
    scenario = loads(text)
    link = scenario.arm.links[0]
    assert (link.length, link.material.E, link.joint.hub_inertia) == (0.96, 71.1e9, 5.86e-4)
    assert scenario.drive[0].torque[0].amplitude == 0.1
    assert (scenario.method.name, scenario.method.options.resolution) == ("fd", 19)
    assert (scenario.time.end, scenario.time.step, scenario.time.start) == (1.2, "auto", "undeformed")
    assert (scenario.output.every, scenario.output.stations) == (0.001, 21)


def test_changes_by_path_leave_the_original_alone():
    scenario = load("tokhi-azad")
    changed = scenario.with_({"arm.payload.mass": "20 g", "drive.link.torque.amplitude": 0.3, "time.step": "0.1 ms"})
    assert (scenario.arm.payload.mass, changed.arm.payload.mass) == (0.0, 0.02)
    assert changed.drive[0].torque[0].amplitude == 0.3
    assert changed.time.step == pytest.approx(1e-4, rel=1e-15)
    assert changed.source == "tokhi-azad"
    assert changed.tree["arm"]["payload"] == {"mass": "20 g"}
    assert "payload" not in scenario.tree["arm"]
    again = changed.with_({"arm.payload": None, "drive.0.torque.amplitude": "0.1 N*m", "time.step": None})
    assert again == scenario
    assert again.hash == scenario.hash != changed.hash


def test_a_new_method_has_its_own_options(second_method):
    scenario = load("tokhi-azad", {"method.scheme": "newmark"})
    other = scenario.with_({"method.resolution": "[2, 3]", "method.name": "other"})
    assert other.method == MethodChoice(name="other", options=OtherOptions(resolution=(2, 3)))
    assert scenario.with_({"method.name": "other"}).method.options.resolution == 8
    assert scenario.with_({"method": "other"}).method.options.theory == "exact"
    assert loads(other.to_yaml()) == other
    assert other.hash != scenario.hash


def test_method_choice_in_python():
    assert MethodChoice(name="fd", options={"resolution": 7}).options.resolution == 7
    assert MethodChoice.model_validate("fd").options == MethodChoice(name="fd", options={}).options
    with pytest.raises(ValidationError, match="those of another method"):
        MethodChoice(name="fd", options=OtherOptions())


@pytest.mark.parametrize("name", NAMES)
def test_the_written_file_reads_back_equal(name):
    scenario = load(name)
    back = loads(scenario.to_yaml())
    assert back == scenario
    assert back.hash == scenario.hash
    assert hash(back) == hash(scenario)


def test_the_written_file_keeps_what_was_insisted_on(text):
    scenario = loads(text.replace("960 mm", "960 m"))
    assert "length: 960.0 m" in scenario.to_yaml()
    assert loads(scenario.to_yaml()) == scenario


def test_the_written_file_keeps_awkward_texts(text):
    fields = {name: getattr(loads(text), name) for name in Scenario.model_fields}
    for title in (
        "null",
        "1e4",
        "1e400",
        ".nan",
        "a: b",
        "- x",
        "# no",
        "'quoted\"",
        "größe 😀",
        "5",
        "*x",
        "a\nb",
        "x, [y]",
    ):
        assert loads(Scenario(**{**fields, "name": title}).to_yaml()).name == title


def test_drives_of_every_kind_read_back_equal(text):
    entry = "torque: {profile: bang-bang, amplitude: 0.1 N*m, duration: 0.6 s}"
    for other in (
        "motion: [{profile: cycloid, by: 30 deg, duration: 1 s}, {profile: sine, amplitude: 1 deg, frequency: 3 Hz}]",
        "motion: {profile: quintic, by: 30 deg, duration: 1 s}\n    control: {type: pd, gains: "
        "[{until: 1 s, kp: 3, kv: 1}, {kp: 2}], limit: 2 N*m, period: 1 ms}",
        "motion: {profile: table, points: [[0, 0], [1 s, 5 deg], [2, 10 deg]]}",
        "torque: {profile: constant, amplitude: 0.1}\n    actuator: {type: transfer, poles: [-30, -9.0+16.5j]}",
        "motion: {profile: quintic, by: 30 deg, duration: 1 s}\n    servo: auto",
    ):
        scenario = loads(text.replace(entry, other))
        assert loads(scenario.to_yaml()) == scenario, other


def test_the_hash_follows_the_contents_of_tables(text, tmp_path):
    entry = "torque: {profile: bang-bang, amplitude: 0.1 N*m, duration: 0.6 s}"
    changed = text.replace(entry, "torque: {table: t.csv}")
    hashes = []
    for folder, last in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.csv").write_text(f"time,torque\n0,0\n1,{last}\n")
        hashes.append(loads(changed, folder=tmp_path / folder).hash)
    assert hashes[0] == hashes[1] != hashes[2]


def test_scenarios_made_in_python(arm):
    drive = Drive(joint="rod", torque={"profile": "constant", "amplitude": 1.0})
    scenario = Scenario(name="x", arm=arm, drive=[drive], method={"name": "fd"}, time=Timing(end=1.0))
    assert scenario.source == ""
    assert loads(scenario.to_yaml()) == scenario
    assert scenario.with_({"arm.links.rod.length": "2 m"}).arm.links[0].length == 2.0
    with pytest.raises(ValidationError, match="there is no joint 'road'; did you mean 'rod'"):
        Scenario(
            name="x",
            arm=arm,
            drive=[drive.model_copy(update={"joint": "road"})],
            method="fd",
            time={"end": 1.0},
        )


def test_private_parts_survive(text, tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(text)
    scenario = load(path)
    for copy in (
        pickle.loads(pickle.dumps(scenario)),
        scenario.model_copy(),
        scenario.with_({"about": "more"}),
    ):
        assert copy.source == str(path)
        assert copy.tree["arm"] == scenario.tree["arm"]
    assert pickle.loads(pickle.dumps(scenario)) == scenario


def test_what_a_run_shall_report():
    output = Output(
        gauges=[
            {"link": "a", "at": 0.5},
            {"link": "a", "at": 0.5, "side": "bottom"},
            {"link": "b", "at": 0, "name": "x"},
        ],
        sensors=[{"name": "mid", "link": "a", "at": 0.5, "kind": "slope"}],
        stations=5,
    )
    watch = output.watch()
    assert [gauge.label for gauge in watch.gauges] == ["a@0.5", "a@0.5:bottom", "x"]
    assert (watch.sensors[0].name, watch.sensors[0].kind, watch.stations) == ("mid", "slope", 5)
