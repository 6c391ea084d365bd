"""`extends` and overrides."""

from pathlib import Path

import pytest

from flexarm.errors import ScenarioError
from flexarm.scenario import load, load_tree, loads
from flexarm.scenario.merge import merge, set_path
from flexarm.scenario.node import plain
from flexarm.scenario.yaml_tree import read_text

TREE = """
arm:
  links:
    - {name: upper, length: 1 m, material: steel, section: [{at: 0}, {at: 1}]}
    - {name: fore, length: 2 m}
  payload: {mass: 1 kg}
drive:
  - {joint: upper, torque: {amplitude: 1}}
  - {joints: [fore, hand], motion: [{by: 1}, {by: 2}]}
method: {name: fd, resolution: 19}
"""


def changed(path, value):
    return plain(set_path(read_text(TREE), path, value))


def test_mappings_merge_and_lists_are_replaced():
    base = read_text("a: {x: 1, y: 2}\nb: [1, 2]\nc: 3")
    over = read_text("a: {y: 5, z: 6}\nb: [9]\nd: 4")
    assert plain(merge(base, over)) == {"a": {"x": 1, "y": 5, "z": 6}, "b": [9], "c": 3, "d": 4}


def test_an_empty_value_takes_the_base_away():
    assert plain(merge(read_text("a: 1\nb: {c: 2, d: 3}"), read_text("a:\nb: {c: null}"))) == {"b": {"d": 3}}


def test_a_new_method_drops_the_options_of_the_old_one():
    base = read_text("method: {name: fd, resolution: 19, scheme: exact}")
    assert plain(merge(base, read_text("method: {name: fem}"))) == {"method": {"name": "fem"}}
    assert plain(merge(base, read_text("method: fem"))) == {"method": {"name": "fem"}}
    assert plain(merge(base, read_text("method: {resolution: 30}")))["method"] == {
        "name": "fd",
        "resolution": 30,
        "scheme": "exact",
    }


def test_a_name_alone_merges_like_its_long_form():
    base = read_text("material: steel")
    assert plain(merge(base, read_text("material: {E: 1 GPa}"))) == {"material": {"name": "steel", "E": "1 GPa"}}


def test_members_are_addressed_by_name_joint_or_index():
    assert changed("arm.links.fore.length", "1.2m")["arm"]["links"][1]["length"] == "1.2m"
    assert changed("arm.links.0.length", "3 m")["arm"]["links"][0]["length"] == "3 m"
    assert changed("drive.upper.torque.amplitude", "2")["drive"][0]["torque"]["amplitude"] == 2
    assert changed("drive.hand.motion.1.by", 7)["drive"][1]["motion"][1]["by"] == 7
    assert changed("arm.links.upper.section.1.at", "50%")["arm"]["links"][0]["section"][1]["at"] == "50%"


def test_only_the_addressed_value_changes():
    tree = changed("arm.links.fore.length", "1.2m")
    original = plain(read_text(TREE))
    tree["arm"]["links"][1]["length"] = "2 m"
    assert tree == original


def test_texts_are_read_like_yaml():
    for text, value in [
        ("[1, 2]", [1, 2]),
        ("true", True),
        ("1e-3", 1e-3),
        ("'1'", "1"),
        ("{a: 1}", {"a": 1}),
        ("20g", "20g"),
        ("5%", "5%"),
        ("Title: with a colon", "Title: with a colon"),
    ]:
        assert changed("x", value=text)["x"] == value


def test_new_branches_are_made_and_none_takes_away():
    assert changed("output.stations", 5)["output"] == {"stations": 5}
    assert "payload" not in changed("arm.payload", None)["arm"]
    assert "payload" not in changed("arm.payload", "null")["arm"]


def test_setting_the_method_drops_its_options():
    assert changed("method.name", "fem")["method"] == {"name": "fem"}
    assert changed("method.name", "fd")["method"]["resolution"] == 19
    material = changed("arm.links.upper.material.E", "200 GPa")["arm"]["links"][0]["material"]
    assert material == {"name": "steel", "E": "200 GPa"}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("arm.links.foer.length", "there is no 'foer' in arm.links; did you mean 'fore'?"),
        ("arm.links.9.length", "there is no '9' in arm.links; it has upper, fore"),
        ("arm.links.upper.length.x", "arm.links.upper.length is '1 m' and has nothing inside"),
        ("arm..mass", "is not a path"),
        ("extends", "extends cannot be changed"),
    ],
)
def test_paths_that_lead_nowhere(path, words):
    with pytest.raises(ScenarioError) as caught:
        changed(path, 1)
    assert words in caught.value.message
    assert caught.value.file == "--set"


def test_a_joint_with_two_drives_needs_a_number():
    tree = read_text("drive: [{joint: a, x: 1}, {joint: a, x: 2}]")
    with pytest.raises(ScenarioError, match="'a' is not unique in drive: say which, 0 or 1"):
        set_path(tree, "drive.a.x", 3)
    assert plain(set_path(tree, "drive.1.x", 3))["drive"][1]["x"] == 3


def test_override_of_wrong_form():
    for wrong in ("foo", "=5"):
        with pytest.raises(ScenarioError, match="path=value"):
            load("tokhi-azad", [wrong])
    with pytest.raises(ScenarioError, match=r"--set, drive.0.torque: not valid YAML"):
        load("tokhi-azad", ["drive.0.torque={a: [1"])


def test_extends_a_file_beside(tmp_path):
    (tmp_path / "base.yaml").write_text("extends: tokhi-azad\narm: {payload: {mass: 5 g}}\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "top.yaml").write_text("extends: ../base.yaml\nname: top\n")
    scenario = load(tmp_path / "sub" / "top.yaml")
    assert (scenario.name, scenario.arm.payload.mass, scenario.arm.links[0].length) == ("top", 0.005, 0.96)
    assert "extends" not in scenario.tree


def test_circles_and_long_chains_are_refused(tmp_path):
    (tmp_path / "a.yaml").write_text("name: a\nextends: b.yaml\n")
    (tmp_path / "b.yaml").write_text("name: b\nextends: ./a.yaml\n")
    with pytest.raises(ScenarioError, match=r"b\.yaml, line 2, extends: .* in a circle"):
        load(tmp_path / "a.yaml")
    for i in range(13):
        (tmp_path / f"c{i}.yaml").write_text(f"extends: c{i + 1}.yaml\n")
    with pytest.raises(ScenarioError, match="more than 10"):
        load(tmp_path / "c0.yaml")


def test_extends_of_something_that_is_not_there(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("name: a\nextends: tokhi-asad\n")
    with pytest.raises(ScenarioError, match=r"a\.yaml, line 2, extends: .*did you mean 'tokhi-azad'"):
        load(path)
    path.write_text("extends: none.yaml\n")
    with pytest.raises(ScenarioError, match=r"a\.yaml, line 1, extends: there is no such file"):
        load(path)
    with pytest.raises(ScenarioError, match=r"line 1, extends: 'x.yaml' is a file, but this scenario has no folder"):
        loads("extends: x.yaml")
    with pytest.raises(ScenarioError, match="extends wants the name"):
        loads("extends: [tokhi-azad]")


def test_errors_in_the_base_name_the_base(tmp_path):
    (tmp_path / "base.yaml").write_text("extends: tokhi-azad\n\narm:\n  payload: {mass: -5 g}\n")
    (tmp_path / "top.yaml").write_text("extends: base.yaml\nname: top\n")
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "top.yaml")
    assert caught.value.file.endswith("base.yaml")
    assert (caught.value.line, caught.value.field) == (4, "arm.payload.mass")


def test_load_tree_is_merged_and_not_validated(tmp_path):
    (tmp_path / "top.yaml").write_text("extends: tokhi-azad\nnonsense: 1\n")
    tree = load_tree(tmp_path / "top.yaml", {"time.end": 3})
    assert tree["nonsense"] == 1
    assert tree["time"]["end"] == 3
    assert tree["drive"][0]["joint"] == "link"


def test_extends_may_leave_out_the_ending_of_a_neighbour(tmp_path: Path) -> None:
    (tmp_path / "base-arm.yaml").write_text("extends: tokhi-azad\narm: {payload: {mass: 5 g}}\n", encoding="utf-8")
    heavier = tmp_path / "heavier.yaml"
    heavier.write_text("extends: base-arm\nname: heavier\n", encoding="utf-8")
    assert load(heavier).arm.payload.mass == pytest.approx(5e-3)
