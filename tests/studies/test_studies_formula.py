"""Formulas: their numbers against NumPy, one run and many alike, and refusal of everything else."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.studies.formula import Formula
from flexarm.studies.sources import OneRun
from flexarm.studies.unit_powers import text_of


@pytest.fixture(scope="module")
def run() -> fa.Result:
    return fa.simulate(fa.load("naganathan-flexible", {"time.end": "0.5 s"}), warn=False, notes=False)


@pytest.fixture(scope="module")
def source(run: fa.Result) -> OneRun:
    return OneRun(run.scenario, run, {"hold": True}, 2)


def expected(run: fa.Result) -> dict[str, tuple[float, str]]:
    data, summary = run.data, run.summary()
    y, t = data.tip_deflection.values[:, 1], data.time.values
    torque = data.joint_torque.values[:, 0]
    late = t >= 0.3 - 1e-12
    return {
        "tip_deflection_peak": (summary["tip_deflection_peak"], "m"),
        "tip_deflection_rms": (summary["tip_deflection_rms"], "m"),
        "tip_error_end": (summary["tip_error_end"], "m"),
        "joint_torque_peak.upper": (summary["joint_torque_peak"]["upper"], "N*m"),
        "energy_residual": (summary["energy_residual"], "1"),
        "max(tip_deflection.y)": (y.max(), "m"),
        "min(tip_deflection['y']) * 2": (2 * y.min(), "m"),
        "rms(after(tip_deflection.y, 300 ms))": (np.sqrt(np.mean(y[late] ** 2)), "m"),
        "at(tip_deflection.y, 0.2525)": (0.5 * (y[t.searchsorted(0.25)] + y[t.searchsorted(0.255)]), "m"),
        "range(joint_torque.upper) / 3 N": ((torque.max() - torque.min()) / 3, "m"),
        "integral(joint_torque.upper)": (np.trapezoid(torque, t), "N*m*s"),
        "max(norm(tip_error))": (np.linalg.norm(data.tip_error.values, axis=1).max(), "m"),
        "max(joint_torque.upper * joint_velocity.upper)": ((torque * data.joint_velocity.values[:, 0]).max(), "N*m*rad/s"),
        "sqrt(mean(tip_deflection.y**2))": (np.sqrt(np.mean(y**2)), "m"),
        "time_of_max(joint_torque.upper)": (t[torque.argmax()], "s"),
        "max(abs(tip_deflection.y) - 1 mm)": ((np.abs(y) - 1e-3).max(), "m"),
        "frequency(2)": (fa.frequencies(run.scenario, n=2).hz[1], "Hz"),
        "static.tip_rotation": (fa.static(run.scenario, hold=True).tip_rotation, "rad"),
        "arm.mass": (sum(link.mass for link in run.scenario.arm.links), "kg"),
        "-max(sin(joint_position.fore))": (-np.sin(data.joint_position.values[:, 1]).max(), "1"),
    }  # fmt: skip


def test_numbers_and_units(run: fa.Result, source: OneRun) -> None:
    for text, (value, unit) in expected(run).items():
        found = pickle.loads(pickle.dumps(Formula(text))).value(source)
        assert found.values.shape == (1,) and found.values[0] == pytest.approx(value, rel=1e-12, abs=1e-15), text
        assert text_of(found.unit) == unit, text


def test_settling(source: OneRun, run: fa.Result) -> None:
    position, t = run.data.joint_position.values[:, 0], run.data.time.values
    found = float(Formula("settling(joint_position.upper, 0.1 deg)").value(source).values[0])
    away = np.abs(position - position[-1]) > np.radians(0.1)
    assert found == t[np.flatnonzero(away)[-1] + 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__import__('os')", "there is no function"), ("(lambda: 1)()", "safe set"), ("tip_error.__class__", "not a name"),
        ("[x for x in y]", "safe set"), ("max(tip_error", "not a formula"), ("open('a')", "there is no function"),
        ("peek(travel)", "did you mean 'peak'"), ("max(travel, 3)", "1 argument"), ("'a' + 1", "safe set"), ("1 if 2 else 3", "safe set"),
        ("frequency(0)", "number of a mode"), ("frequency(1, loose)", "'locked', 'free' or 'held'"), ("1+" * 200 + "1", "letters|levels"),
    ],
)  # fmt: skip
def test_what_is_not_in_the_set(text: str, words: str) -> None:
    with pytest.raises(FlexarmError, match=words):
        Formula(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tip_deflexion_peak", "no 'tip_deflexion_peak'; did you mean"), ("max(tip_error)", "choose a component"),
        ("max(joint_torque.elbow)", "it has upper, fore"), ("max(max(tip_error.x))", "reduced to a number"),
        ("max(tip_error.x + joint_torque.upper)", "units do not fit"), ("exp(max(tip_error.x))", "plain number"),
        ("joint_torque_peak", "has components"), ("max(after(tip_error.x, 9 s))", "nothing is left"), ("frequency(50)", "elastic modes"),
        ("max(tip_error.x * after(tip_error.y, 0.1))", "different times"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_run(source: OneRun, text: str, words: str) -> None:
    with pytest.raises(FlexarmError, match=words):
        Formula(text).value(source)
