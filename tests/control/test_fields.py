"""Numbers of a scenario by their names."""

from __future__ import annotations

import pytest

import flexarm as fa
from flexarm.control.fields import numeric_field, with_values
from flexarm.scenario.extension import extension_text


@pytest.mark.parametrize(
    ("scenario", "name", "value", "unit"),
    [
        ("tokhi-azad", "arm.links[0].material.E", 71.1e9, "Pa"),
        ("stepper-rig", "arm.links.link.material.E", 70e9, "Pa"),
        ("stepper-rig", "arm.links.link.section.height", 3e-3, "m"),
        ("tapered-link", "arm.links.link.section.1.height", None, "m"),
        ("stepper-rig", "arm.damping.ratio", 0.005, ""),
        ("tokhi-azad", "arm.links.link.joint.hub_inertia", 5.86e-4, "kg*m^2"),
        ("tokhi-azad", "drive.link.torque.amplitude", 0.1, ""),
        ("pd-hub", "drive.link.control.kp", 3.0, ""),
        ("naganathan-3r", "arm.links.2.joint.dh.a", None, "m"),
    ],
)
def test_a_number_is_found_and_changed(scenario, name, value, unit):
    loaded = fa.load(scenario)
    found = numeric_field(loaded, name)
    assert found.unit == unit and (value is None or found.value == pytest.approx(value))
    wanted = 1.25 * found.value
    changed = with_values(loaded, {found: wanted})
    assert numeric_field(changed, name).value == wanted and numeric_field(loaded, name).value == found.value


def test_limits_of_a_field_are_known():
    found = numeric_field(fa.load("stepper-rig"), "arm.damping.ratio")
    assert (found.low, found.high) == (0.0, 1.0)
    assert numeric_field(fa.load("tokhi-azad"), "arm.payload.mass", "20 g").value == 0.02


def test_a_changed_scenario_extends_its_file(tmp_path):
    base = fa.load("measured-rig")
    changed = base.with_({"arm.payload.mass": "40 g", "arm.damping": {"time": "1 ms"}})
    text = extension_text(base, changed, {"name": "other", "about": "changed"}, tmp_path)
    assert "extends: measured-rig" in text and "links" not in text and "method" not in text
    read = fa.loads(text)
    assert read.arm == changed.arm and read.drive == changed.drive and read.name == "other"
    (tmp_path / "base.yaml").write_text(base.to_yaml())
    filed = fa.load(tmp_path / "base.yaml")
    inner = tmp_path / "deep"
    text = extension_text(filed, filed.with_({"arm.payload.mass": "40 g"}), {"name": "x"}, inner)
    assert "extends: ../base.yaml" in text.replace('"', "")
    whole = extension_text(changed, changed, {"name": "y"}, tmp_path)  # no file says the same
    assert "extends" not in whole and fa.loads(whole).arm == changed.arm
