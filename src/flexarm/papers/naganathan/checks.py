"""Reference values for Naganathan's cases, computed; numbers.json names quantities, inputs and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexarm.papers.cache import stored
from flexarm.papers.checks import Check, grouped_checks
from flexarm.papers.naganathan.runs import MOVE, Runs, matrices
from flexarm.papers.naganathan.statics import (
    divergence_speed,
    frame,
    frame_closed_form,
    simply_supported,
    simply_supported_exact,
    turning_link,
    turning_link_exact,
    turning_stretch,
)

SAMPLED = 5
"""Reaction torques of the reference values are those of every fifth step."""


def data() -> dict[str, Any]:
    """Numbers of the thesis and reference values."""
    return stored("naganathan")


def step_response_ratio(runs: Runs, elements: int) -> float:
    """Peak deflection under suddenly applied angular acceleration over the static one."""
    _, relative = runs.in_turning_frame("rotating link", elements)
    return float(np.abs(relative[:, 1]).max()) * 1e3 / turning_link(runs, elements)


def step_response_mean(runs: Runs, elements: int) -> float:
    """Mean deflection in mm over whole periods of the first mode under that acceleration."""
    time, relative = runs.in_turning_frame("rotating link", elements)
    first = runs.frequencies("rotating link", elements, 1)[0]
    whole = time <= np.floor(time[-1] * first) / first
    return -1e3 * float(np.mean(relative[whole, 1]))


def spin_up(runs: Runs, elements: int) -> np.ndarray:
    """Of the tip relative to the turning line, in m: least across (s), then along least; mean along at full speed."""
    time, relative = runs.in_turning_frame("spin-up", elements)
    lowest = relative[:, 1].argmin()
    full = time >= 15.0
    return np.array([relative[lowest, 1], time[lowest], relative[:, 0].min(), relative[full, 0].mean()])


def spin_up_residual(runs: Runs, elements: int) -> float:
    """Largest deflection across at full speed, m."""
    time, relative = runs.in_turning_frame("spin-up", elements)
    return float(np.abs(relative[time >= 15.0, 1]).max())


def frequencies(runs: Runs, case: str, elements: int) -> np.ndarray:
    """Four natural frequencies at the start pose without damping, joints locked, Hz."""
    return runs.frequencies(case, elements, 4)


def servo_frequencies(runs: Runs, elements: int) -> np.ndarray:
    """Four frequencies of case 3 on the stiffness of its servos, without damping, Hz."""
    from scipy.linalg import eigh

    scenario = runs.scenario("case 3")
    model = matrices(scenario.arm, elements, "free")
    gains = [drive.servo.kp or 0.0 for drive in scenario.drive if drive.servo is not None]
    K = model.K + model.B @ np.diag(gains) @ model.B.T
    return np.sqrt(eigh(K, model.M, eigvals_only=True)[:4]) / (2.0 * np.pi)


def damping_time(runs: Runs, elements: int) -> float:
    """Kelvin-Voigt time constant that gives the first mode of case 2 its 5 %, s."""
    damping = runs.scenario("case 2").arm.damping
    return damping.time_constant(list(runs.frequencies("case 2", elements))) if damping else 0.0


def static_start(runs: Runs, elements: int) -> np.ndarray:
    """Tip error of case 2 at rest under its own weight, mm."""
    return runs.tip_error("case 2", "exact", elements, step=1e-3)[1][0]


def peaks(runs: Runs, case: str, theory: str, elements: int, step: float = 1e-3) -> np.ndarray:
    """Least and greatest tip error along x, then along y, mm."""
    _, error = runs.tip_error(case, theory, elements, step=step)
    return np.array([error[:, 0].min(), error[:, 0].max(), error[:, 1].min(), error[:, 1].max()])


def error_at(runs: Runs, case: str, theory: str, elements: int, time: float, step: float = 1e-3) -> np.ndarray:
    """Tip error along x and y at a time, mm."""
    times, error = runs.tip_error(case, theory, elements, step=step)
    return error[np.abs(times - time).argmin()]


def residual(runs: Runs, theory: str, elements: int, step: float = 1e-3) -> np.ndarray:
    """Greatest tip error along x and y that case 1 keeps after its motion, mm."""
    times, error = runs.tip_error("case 1", theory, elements, step=step)
    return np.abs(error[times > MOVE]).max(axis=0)


def torque_peaks(runs: Runs, case: str, theory: str, step: float = 1e-3) -> np.ndarray:
    """Greatest and least torque at the first and at the second joint, N m, read at every fifth step."""
    torque = runs.result(case, theory, step=step).data["joint_torque"].values[::SAMPLED]
    return np.array([torque[:, 0].max(), torque[:, 0].min(), torque[:, 1].max(), torque[:, 1].min()])


def base_torque_peaks(runs: Runs, case: str, theory: str, step: float = 1e-3) -> np.ndarray:
    """Greatest and least torque at the first joint."""
    return torque_peaks(runs, case, theory, step)[:2]


def rigid_torque_peaks(runs: Runs, case: str) -> np.ndarray:
    """The same as `torque_peaks` for the rigid arm."""
    torque = runs.result(case, step=1e-3).data["rigid_torque"].values
    return np.array([torque[:, 0].max(), torque[:, 0].min(), torque[:, 1].max(), torque[:, 1].min()])


def rigid_base_torque_peaks(runs: Runs, case: str) -> np.ndarray:
    """Greatest and least torque of the rigid arm at the first joint."""
    return rigid_torque_peaks(runs, case)[:2]


def joint_deviation(runs: Runs, theory: str, elements: int) -> np.ndarray:
    """Largest difference between commanded and actual angle of the servos of case 3, mrad."""
    found = runs.result("case 3", theory, elements, step=1e-3).data
    off = found["joint_position"].values - found["commanded_position"].values
    return 1e3 * np.abs(off).max(axis=0)


def reflected_inertia(runs: Runs) -> np.ndarray:
    """Inertia of the stretched arm about each joint, kg m^2."""
    from flexarm.rigid import mass_matrix

    return np.diag(mass_matrix(runs.scenario("case 3").arm, [0.0, 0.0]))


QUANTITIES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        simply_supported, simply_supported_exact, frame, frame_closed_form, turning_link, turning_link_exact,
        turning_stretch, divergence_speed, step_response_ratio, step_response_mean, spin_up, spin_up_residual,
        frequencies, servo_frequencies, damping_time, static_start, peaks, error_at, residual, torque_peaks,
        base_torque_peaks, rigid_torque_peaks, rigid_base_torque_peaks, joint_deviation, reflected_inertia,
    )
}  # fmt: skip


def checks(runs: Runs) -> tuple[Check, ...]:
    """All reference values, none of them computed yet."""
    return grouped_checks(data()["groups"], QUANTITIES, runs)
