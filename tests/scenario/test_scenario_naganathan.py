"""The bundled scenarios of the method `fem`: what they say is what the arm gets."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexarm as fa

NAMES = (
    "naganathan-3r", "naganathan-flexible", "naganathan-industrial", "naganathan-rp", "naganathan-servo", "rotating-link",
    "spin-up",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_they_are_bundled_and_run(name):
    assert name in {entry.name for entry in fa.bundled()}
    scenario = fa.load(name)
    assert scenario.method.name == "fem"
    result = fa.simulate(scenario.with_({"time.end": 0.1}))
    assert result.success and np.all(np.isfinite(result.data["tip_position"].values))


def test_the_servo_case_differs_in_its_drives_alone():
    stiff, compliant = fa.load("naganathan-flexible"), fa.load("naganathan-servo")
    assert (compliant.arm, compliant.time, compliant.method) == (stiff.arm, stiff.time, stiff.method)
    assert [drive.servo.kp for drive in compliant.drive] == [360.0, 45.0]
    assert [drive.servo.kv for drive in compliant.drive] == [60.0, 7.5]


def test_the_link_is_accelerated_as_its_title_says():
    data = fa.simulate("rotating-link").data
    time, speed = data["time"].values, data["joint_velocity"].values[:, 0]
    assert speed == pytest.approx(1.05 * time, abs=1e-9)


def test_the_spinning_beam_has_the_stated_stiffnesses():
    link = fa.load("spin-up").arm.links[0]
    material, section = link.material, link.section.stations[0].values(0.3)
    assert material.E * section.area == pytest.approx(2.8e7)
    assert material.shear_modulus * section.area * section.shear_factor == pytest.approx(1e7)
    assert material.E * section.inertia == pytest.approx(1.4e4)
    assert material.density * section.area == pytest.approx(1.2)
    assert material.density * section.inertia == pytest.approx(6e-4)


def test_the_industrial_arm_starts_from_its_sag():
    data = fa.simulate(fa.load("naganathan-industrial").with_({"time.end": 0.01, "output.every": None})).data
    assert 1e3 * data["tip_error"].values[0, 1] == pytest.approx(-1.6028, abs=1e-4)
    assert data["joint_velocity"].values[-1, 0] == pytest.approx(math.radians(60) / 1.5 / 0.5 * 0.01)
