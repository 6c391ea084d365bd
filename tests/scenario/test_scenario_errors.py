"""What the user is told: file, line, field, a sentence and a remedy."""

import pickle

import pytest

from flexarm.errors import ScenarioError
from flexarm.scenario import load, loads

LINK, MATERIAL = "arm.links.link", "{E: 71.1 GPa, density: 2710 kg/m^3, nu: 0.33}"
TORQUE = "torque: {profile: bang-bang, amplitude: 0.1 N*m, duration: 0.6 s}"


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "words"),
    [
        ("length:", "lenght:", 5, f"{LINK}.lenght", "unknown key 'lenght'; did you mean 'length'?"),
        ("960 mm", "960", 5, f"{LINK}.length", "did you mean '960 mm'?"),
        ("960 mm", "9**9**9 m", 5, f"{LINK}.length", "arithmetic is not computed"),
        ("960 mm", "0.9 + 0.06", 5, f"{LINK}.length", "arithmetic is not computed"),
        ("960 mm", "-1 m", 5, f"{LINK}.length", "length must be greater than 0, not '-1 m'"),
        ("960 mm", "5 kg", 5, f"{LINK}.length", "length wants m (for example '0.96 m'), not '5 kg'"),
        ("960 mm", "[1, 2]", 5, f"{LINK}.length", "length must be a number, not a list"),
        ("10 g", "-5 g", 9, "arm.payload.mass", "mass must be at least 0, not '-5 g'"),
        (MATERIAL, "stel", 7, f"{LINK}.material", "unknown material 'stel'; known are abs"),
        (
            ", density: 2710 kg/m^3",
            "",
            7,
            f"{LINK}.material.density",
            "'density' is missing (mass per volume)",
        ),
        ("area:", "aera:", 6, f"{LINK}.section.aera", "did you mean 'area'?"),
        (
            "inertia: 51.924 mm^4",
            "inertia: 51.924",
            6,
            f"{LINK}.section.inertia",
            "did you mean '51.924 mm^4'?",
        ),
        (
            "joint: link",
            "joint: lnik",
            11,
            "drive.lnik.joint",
            "there is no joint 'lnik'; did you mean 'link'?",
        ),
        ("joint: link", "joints: [elbow]", 11, "drive.0.joints.0", "no joint 'elbow'; the arm has link"),
        ("amplitude", "amplitud", 12, "drive.link.torque.amplitud", "did you mean 'amplitude'?"),
        ("0.1 N*m", "0.1 N", 12, "drive.link.torque.amplitude", "amplitude of a revolute joint wants N*m"),
        ("bang-bang", "bangbang", 12, "drive.link.torque", "did you mean 'bang-bang'"),
        (
            TORQUE,
            "motion: {profile: cycloid, by: 3 mm, duration: 1 s}",
            12,
            "drive.link.motion.by",
            "wants rad",
        ),
        (
            "name: fd",
            "name: fdd",
            13,
            "method.name",
            "there is no method 'fdd' in this version; did you mean 'fd'?",
        ),
        ("resolution: 19", "resolutoin: 19", 13, "method.resolutoin", "did you mean 'resolution'?"),
        ("resolution: 19", "resolution: 2.5", 13, "method.resolution", "must be a whole number, not 2.5"),
        ("name: fd, ", "", 13, "method", "the method needs a name; available are"),
        ("end: 1.2 s", "end: 0", 14, "time.end", "end must be greater than 0, not 0"),
        (
            "end: 1.2 s",
            "end: 1 s, step: atuo",
            14,
            "time.step",
            "(for example '0.5 s') or 'auto', not 'atuo'",
        ),
        ("end: 1.2 s", "end: 1 s, start: equlibrium", 14, "time.start", "did you mean 'equilibrium'?"),
        ("at: 0.5", "at: 1.5", 15, "output.gauges.link.at", "at must be at most 1, not 1.5"),
        (
            "{link: link",
            "{link: lin",
            15,
            "output.gauges.lin.link",
            "there is no link 'lin'; did you mean 'link'?",
        ),
        ("every: 1 ms", "every: 3 s", 15, "output.every", "but the run ends at 1.2 s"),
        ("every: 1 ms", "every: true", 15, "output.every", "every wants s (for example '0.5 s'), not true"),
        ("output:", "outptu:", 15, "outptu", "unknown key 'outptu'; did you mean 'output'?"),
        ("name: One", "nmae: One", 1, "nmae", "did you mean 'name'?"),
        ("name: One link", "name: 5", 1, "name", "name must be a text (put numbers into quotes), not 5"),
        ("name: One link", "name: One link\nextend: pd-hub", 2, "extend", "did you mean 'extends'?"),
        ("payload:", "gravity: [0, 1]\n  payload:", 9, "arm.gravity", "at least 3 items, not 2"),
        ("payload:", "gravity: [0, 1 m, 0]\n  payload:", 9, "arm.gravity.1", "item 2 of gravity wants m/s^2"),
        ("drive:", "drive: 5\nblah:", 10, "drive", "drive must be a list"),
        ("mass: 10 g", "offset: [5 kg, 0]", 9, "arm.payload.offset.0", "item 1 of offset wants m"),
        (
            "mass: 10 g",
            "offset: 5 kg",
            9,
            "arm.payload.offset",
            "offset wants m (for example '0.96 m'), not '5 kg'",
        ),
        ("mass: 10 g", "mass: {}", 9, "arm.payload.mass", "mass must be a number, not a mapping"),
        ("hub_inertia: 5.86e-4 kg*m^2", "type: fixed", 11, "drive.link.joint", "fixed"),
        ("hub_inertia: 5.86e-4 kg*m^2", "stiffness: 5 N/m", 8, f"{LINK}.joint.stiffness", "wants N*m/rad"),
        (
            "hub_inertia: 5.86e-4 kg*m^2",
            "stiffness: 5",
            12,
            "drive.link.torque",
            "give the joint rotor_inertia",
        ),
        (TORQUE, "motion: {table: none.csv}", 12, "drive.link.motion.table", "none.csv"),
    ],
)
def test_each_mistake_is_told_with_its_place(refused, old, new, line, field, words):
    error = refused((old, new))
    assert (error.line, error.field) == (line, field)
    assert words in error.message.splitlines()[0]
    assert f"line {line}, {field}: " in str(error)


@pytest.mark.parametrize(
    ("events", "field", "words"),
    [
        ("{at: 3 s, payload: {mass: 20 g}, rule: at-rest}", "events.0.at", "comes when the run is over"),
        ("{at: 0.3 s, payload: {mass: 20 g}, rule: released}", "events.0.rule", "use at-rest or matched"),
        ("{at: 0.3 s, payload: {mass: 20 g}}", "events.0.rule", "'rule' is missing"),
        (
            "{at: 0.5 s, payload: {mass: 20 g}, rule: at-rest}, {at: 0.3 s, payload: {mass: 30 g}, rule: at-rest}",
            "events.1.at",
            "put events in order of time",
        ),
    ],
)
def test_events(refused, events, field, words):
    error = refused(("method:", f"events: [{events}]\nmethod:"))
    assert (error.line, error.field) == (13, field)
    assert words in error.message


def test_strain_of_a_rigid_link(refused):
    error = refused(("length: 960 mm", "length: 960 mm\n      flexible: false"))
    assert "is rigid and has no strain" in error.message
    assert error.field == "output.gauges.link.link"


def test_strain_where_a_planar_arm_does_not_bend(refused, text):
    error = refused(("at: 0.5", "at: 0.5, side: z"))
    assert (error.field, "use top or bottom" in error.message) == ("output.gauges.link.side", True)
    assert loads(text.replace("at: 0.5", "at: 0.5, side: -y")).output.gauges[0].side == "bottom"


def test_gauges_need_different_names(refused):
    error = refused(("{link: link, at: 0.5}", "{link: link, at: 0.5}, {link: link, at: 50 %}"))
    assert "2 gauges or sensors are called 'link@0.5'" in error.message
    both = "gauges: [{link: link, at: 0.5, name: a}], sensors: [{name: a, link: link, at: 1}]"
    error = refused(("gauges: [{link: link, at: 0.5}]", both))
    assert "2 gauges or sensors are called 'a'" in error.message


def test_equilibrium_is_at_rest(refused, text):
    moving = ("hub_inertia: 5.86e-4 kg*m^2", "hub_inertia: 5.86e-4 kg*m^2, velocity: 1 rad/s")
    assert loads(text.replace(*moving)).arm.rates == (1.0,)
    error = refused(moving, ("end: 1.2 s", "end: 1.2 s, start: equilibrium"))
    assert (error.line, error.field) == (8, f"{LINK}.joint.velocity")
    assert "starts at rest" in error.message


def test_names_of_points_are_plain_and_not_taken(refused):
    error = refused(("length: 960 mm", "length: 960 mm\n      points: {tip: [0.5, 0]}"))
    assert error.field == f"{LINK}.points.tip" and "has a meaning of its own" in error.message


def test_a_loop_has_two_links(refused):
    error = refused(("payload:", "loops: [{pin: [link.tip, link.root]}]\n  payload:"))
    assert (error.line, error.field) == (9, "arm.loops.0.pin") and "both places are on link 'link'" in error.message


def test_a_figure_of_a_section_is_given_at_both_stations_or_at_none(refused):
    tapered = "[{at: 0, shape: circle, diameter: 12 mm, fibre: 3 mm}, {at: 1, shape: circle, diameter: 10 mm}]"
    error = refused(("{area: 61.544 mm^2, inertia: 51.924 mm^4}", tapered))
    assert error.field == f"{LINK}.section" and "give fibre at both of them, or at none" in error.message


def test_patches_have_their_own_units(refused):
    error = refused(("output:", "x: 1\noutput:"))
    assert "unknown key 'x'; allowed are name" in error.message
    patch = "patch: {link: link, from: 0, to: 0.5}\n    moment: {profile: constant, amplitude: 3 N}"
    error = refused((f"joint: link\n    {TORQUE}", patch))
    assert (error.field, error.message) == (
        "drive.0.moment.amplitude",
        "amplitude of a moment wants N*m, not '3 N'",
    )
    error = refused((f"joint: link\n    {TORQUE}", patch.replace("link: link", "link: lnk")))
    assert "there is no link 'lnk'; did you mean 'link'?" in error.message


def test_all_problems_are_told_first_the_first(refused):
    error = refused(("length: 960 mm", "lenght: 960 mm"), ("10 g", "-1 kg"), ("end: 1.2 s", "end: 1 kg"))
    lines = str(error).splitlines()
    assert len(lines) == 3
    assert "line 5, arm.links.link.lenght: unknown key" in lines[0]
    assert lines[1].startswith("  also ")
    assert "line 9, arm.payload.mass" in lines[1]
    assert "line 14, time.end" in lines[2]


def test_at_most_five_others_are_listed(refused):
    many = "\n".join(f"zz{i}: 1" for i in range(9))
    error = refused(("output:", f"{many}\noutput:"))
    lines = str(error).splitlines()
    assert len(lines) == 7
    assert lines[-1] == "  and 3 more"


def test_one_error_for_a_section_that_is_read_twice(refused):
    assert len(str(refused(("61.544 mm^2", "-1 mm^2"))).splitlines()) == 1


def test_missing_key_is_not_told_when_it_was_misspelt(refused):
    assert len(str(refused(("end: 1.2 s", "edn: 1.2 s"))).splitlines()) == 1


def test_tags_and_duplicate_keys_in_a_scenario(refused):
    assert "tag '!!float' is not allowed" in refused(("960 mm", "!!float 0.96")).message
    error = refused(("  payload:", "  payload: {mass: 1 g}\n  payload:"))
    assert (error.line, "lines 9 and 10" in error.message) == (10, True)


def test_errors_of_overrides_say_so():
    with pytest.raises(ScenarioError) as caught:
        load("tokhi-azad", ["arm.links.link.length=960"])
    assert str(caught.value).startswith("--set, arm.links.link.length: length = 960 m is implausible")
    with pytest.raises(ScenarioError, match=r"--set, arm.payloud: unknown key 'payloud'; did you mean 'payload'"):
        load("tokhi-azad", ["arm.payloud.mass=5 g"])
    with pytest.raises(ScenarioError, match=r"with_, time.end: end must be greater than 0, not -1"):
        load("tokhi-azad").with_({"time.end": -1})


def test_errors_can_be_sent_to_another_process(text):
    with pytest.raises(ScenarioError) as caught:
        loads(text.replace("960 mm", "960"))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("value", ["0.0", "1", "1.0", "'no'"])
def test_a_number_or_a_text_is_no_truth_value(value):
    with pytest.raises(ScenarioError, match="flexible must be true or false, not"):
        load("tokhi-azad", [f"arm.links.link.flexible={value}"])


@pytest.mark.parametrize("change", ["name", "arm.links.link.name", "drive.link.joint", "output.gauges.0.link", "x"])
def test_a_name_of_thousands_of_characters_is_not_echoed(change):
    with pytest.raises(ScenarioError) as told:
        load("tokhi-azad", [f"{change}={5000 * 'n'}" if change != "x" else f"{5000 * 'n'}=1"])
    assert 41 * "n" not in str(told.value).replace("'" + 57 * "n", "") and len(str(told.value)) < 600
