"""YAML as data: values, places, and everything that is refused."""

import pytest

from flexarm.errors import ScenarioError
from flexarm.scenario import yaml_tree
from flexarm.scenario.node import plain
from flexarm.scenario.yaml_tree import MOST_BYTES, read_file, read_text


def refuse(text: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        read_text(text, "f.yaml")
    assert caught.value.file == "f.yaml"
    return caught.value


def test_scalars_follow_the_core_schema_of_yaml_1_2():
    text = """
    int: 12
    ten: 010
    octal: 0o10
    hex: 0x1F
    float: 5.86e-4
    exponent: 1e4
    point: .5
    negative: -3
    yes: yes
    off: off
    sure: true
    nothing:
    tilde: ~
    quoted: "12"
    grouped: 1_000
    sexagesimal: 1:30
    unit: 960 mm
    """
    assert plain(read_text(text)) == {
        "int": 12,
        "ten": 10,
        "octal": 8,
        "hex": 31,
        "float": 5.86e-4,
        "exponent": 1e4,
        "point": 0.5,
        "negative": -3,
        "yes": "yes",
        "off": "off",
        "sure": True,
        "nothing": None,
        "tilde": None,
        "quoted": "12",
        "grouped": "1_000",
        "sexagesimal": "1:30",
        "unit": "960 mm",
    }


def test_every_node_knows_its_line():
    root = read_text("a: 1\nb:\n  - x\n  - {c: 2,\n     d: 3}\n", "f.yaml")
    assert root.value["a"].line == 1
    assert root.value["b"].line == 2
    first, second = root.value["b"].value
    assert (first.line, second.line) == (3, 4)
    assert second.value["d"].line == 5
    assert second.value["d"].file == "f.yaml"


def test_aliases_and_merge_keys_repeat_values():
    root = read_text("a: &a {x: 1, y: 2}\nb: *a\nc:\n  <<: *a\n  x: 5\nd: {<<: [{x: 1}, {x: 2, z: 3}]}\n")
    data = plain(root)
    assert data["b"] == {"x": 1, "y": 2}
    assert data["c"] == {"x": 5, "y": 2}
    assert data["d"] == {"x": 1, "z": 3}
    assert root.value["b"].line == 2


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, "the key 'a' is given twice, in lines 1 and 3"),
        ("a: !!python/object/apply:os.system [ls]", 1, "tag '!!python/object/apply:os.system'"),
        ("a: 1\nb: !x 2", 2, "tag '!x'"),
        ("a: ! 5", 1, "tag '!'"),
        ("a: 1\n---\nb: 2", 2, "second document"),
        ("%YAML 1.1\n---\na: 1", 2, "YAML 1.2"),
        ("%TAG ! tag:x,2000:\n---\na: 1", 2, "tags are not allowed"),
        ("a: *b", 1, "no anchor &b"),
        ("a: &a [1, *a]", 1, "inside of what it repeats"),
        ("1: 2", 1, "'1' cannot be a key"),
        ("? [a, b]\n: 2", 1, "cannot be a key"),
        ("<<: 5", 1, "merge key"),
        ("a: .nan", 1, "finite"),
        ("a: -.inf", 1, "finite"),
        ("a: 1e999", 1, "too large"),
        ("a: " + "9" * 5000, 1, "too large"),
        ("a: 1\nb: c: d", 2, "colon"),
        ("a: 1\n\tb: 2", 2, "tabs"),
        ("a: [1, 2", 1, "bracket"),
        ("a: 'x", 1, "never closed"),
        ("a:\n  b: 1\n c: 2", 3, "indentation"),
        ("- 1\n- 2", 1, "this is a list"),
        ("", 1, "this is empty"),
        ("hello", 1, "this is one value"),
        ("a: x\nb: \x01", 2, "U+0001"),
        ('a: "\\ud800"', 1, "U+D800"),
        ('a: "\\0"', 1, "U+0000"),
        ("a: " + "[" * 60 + "]" * 60, 1, "deeper than 50"),
    ],
)
def test_refused_with_line_and_sentence(text, line, words):
    error = refuse(text)
    assert error.line == line
    assert words in error.message


def test_malformed_escape_is_a_sentence():
    assert "not valid YAML" in refuse('a: "\\U00110000"').message


def test_billion_laughs_are_refused():
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    assert "aliases repeat more than 20000 values" in refuse("\n".join(lines)).message


def test_aliases_cannot_build_deep_data():
    lines = ["a0: &a0 [1]"] + [f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 60)]
    assert "deeper than 50" in refuse("\n".join(lines)).message


def test_many_values_are_sent_to_csv(monkeypatch):
    assert yaml_tree.MOST_NODES == 100_000
    monkeypatch.setattr(yaml_tree, "MOST_NODES", 1000)
    assert read_text("a: [" + "1," * 990 + "]")
    assert "CSV" in refuse("a: [" + "1," * 1001 + "]").message
    assert "CSV" in refuse("a: " + "x" * MOST_BYTES).message


def test_files_that_cannot_be_read(tmp_path):
    def refused(path):
        with pytest.raises(ScenarioError) as caught:
            read_file(path, "f.yaml")
        return caught.value

    assert "no such file" in refused(tmp_path / "none.yaml").message
    assert "not a file" in refused(tmp_path).message
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("a: 1\nname: Größe".encode("latin-1"))
    assert "UTF-8" in refused(latin).message
    assert refused(latin).line == 2
    large = tmp_path / "large.yaml"
    large.write_text("#" * (MOST_BYTES + 1))
    assert "larger than 1000 kB" in refused(large).message


def test_a_file_that_the_system_refuses(tmp_path, monkeypatch):
    path = tmp_path / "secret.yaml"
    path.write_text("a: 1")

    def deny(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("flexarm.files.os.open", deny)
    with pytest.raises(ScenarioError, match=r"cannot be read \(Permission denied\); check its permissions"):
        read_file(path, "secret.yaml")


def test_byte_order_mark_is_no_matter(tmp_path):
    path = tmp_path / "bom.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert plain(read_file(path, "bom.yaml")) == {"a": 1}
