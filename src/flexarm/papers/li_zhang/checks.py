"""Reference values for the cases of Li and Zhang, computed; numbers.json names quantities, inputs and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.papers.cache import stored
from flexarm.papers.checks import Check, grouped_checks
from flexarm.papers.li_zhang.newmark import vibration
from flexarm.papers.li_zhang.runs import Runs, extremes


def data() -> dict[str, Any]:
    """Numbers of the paper and reference values."""
    return stored("li_zhang")


def beam_frequencies(runs: Runs, ends: str) -> np.ndarray:
    """Three natural frequencies of the beam in 60 segments, Hz."""
    return runs.beam(ends)


def ring_frequency(runs: Runs, ends: str, beta: float, gamma: float) -> float:
    """Frequency at which the beam rings in steps of 2 ms, Hz."""
    return runs.ring(beta, gamma, ends).frequency


def ring_decrement(runs: Runs, ends: str, beta: float, gamma: float) -> float:
    """Logarithmic decrement of that ringing, all of it numerical."""
    return runs.ring(beta, gamma, ends).log_decrement


def beam_deflection(runs: Runs, ends: str, beta: float, gamma: float) -> np.ndarray:
    """Greatest and least deflection of the beam, mm."""
    values = runs.single(beta, gamma, ends).data.link_deformation.values[:, 0]
    return 1e3 * np.array([values.max(), values.min()])


def predicted(runs: Runs, f: float, step: float, beta: float, gamma: float) -> np.ndarray:
    """Frequency in Hz and logarithmic decrement of a mode by theory."""
    return np.array(vibration(beta, gamma, f, step))


def three_link_frequencies(runs: Runs, joints: str, pose: str, ends: str, segments: int, n: int = 3) -> np.ndarray:
    """Natural frequencies of the three links, Hz."""
    return runs.frequencies(joints, pose, ends, segments)[:n]


def sound_peaks(runs: Runs, joints: str, name: str) -> np.ndarray:
    """Greatest, least and residual value of a signal by the sound form, mm or mrad."""
    return 1e3 * extremes(runs.three(joints), name)


def paper_peaks(runs: Runs, joints: str, arms: str, ends: str, segments: int, name: str) -> np.ndarray:
    """The same by the paper's scheme, step, beta and gamma."""
    return 1e3 * extremes(runs.three(joints, "paper", arms, ends, segments), name)


def tapered(runs: Runs, shape: str, ends: str, segments: int, springs: str) -> np.ndarray:
    """Frequency parameters of a cantilever that tapers to half its height, or on all sides."""
    sides = [
        {
            "at": k,
            "shape": "rectangle",
            "width": 0.02 * (1.0 - 0.5 * k * (shape == "cone")),
            "height": 0.01 * (1.0 - 0.5 * k),
        }
        for k in (0, 1)
    ]
    link = {"name": "link", "length": 1.0, "section": sides, "material": {"E": 70e9, "density": 2700.0}}
    arm = fa.Arm.model_validate({"links": [link]})
    properties = arm.links[0].properties([0.0])
    found = fa.frequencies(arm, "segments", 3, options={"resolution": segments, "ends": ends, "springs": springs})
    return 2.0 * np.pi * found.hz * np.sqrt(properties["rhoA"][0] / properties["EI"][0])


QUANTITIES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        beam_frequencies, ring_frequency, ring_decrement, beam_deflection, predicted, three_link_frequencies, sound_peaks,
        paper_peaks, tapered,
    )
}  # fmt: skip


def checks(runs: Runs) -> tuple[Check, ...]:
    """All reference values, none of them computed yet."""
    return grouped_checks(data()["groups"], QUANTITIES, runs)
