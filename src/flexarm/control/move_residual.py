"""Vibration that a command leaves over the time that it takes, without and with shapers.

A mode e'' + 2 zeta w e' + w^2 e = -a is pushed by the command's acceleration a (of a torque, its share of the rigid motion) of a move of unit size.
A command that takes T has a(t/T)/T^2, and leaves the amplitude

    R(T) = | int_0^T a(t) exp((zeta w + i w_d)(t - T)) dt | / w_d                                                    (C9)

as a share of the move. Behind a shaper it is V times that, V of the shaper at the mode's true frequency.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.control.shapers import Shaper, shaper
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.program import unshaped_program

SAMPLES = 4001
"""Points of the command in each of its pieces."""
TYPES = ("zv", "zvd", "ei")


@dataclass(frozen=True)
class MoveResidual:
    """Vibration left after a move over its duration.

    Attributes
    ----------
    label : str
        Shaper, or none.
    time : ndarray, shape (n,)
        Time in s that the move takes, shaper included.
    left : ndarray, shape (n,)
        Amplitude of all modes together as a share of the move, for the worse of both errors of the frequency.
    """

    label: str
    time: np.ndarray
    left: np.ndarray


def move_residual(
    scenario: Scenario | str | Path, types: Sequence[str] = TYPES, *, error: float = 0.1, modes: Sequence[int] | None = None,
    periods: tuple[float, float] = (0.2, 6.0), points: int = 400, joint: str | None = None,
) -> list[MoveResidual]:  # fmt: skip
    """What a command leaves, over the time that it takes: slower, or shaped?

    Parameters
    ----------
    scenario : Scenario, str or Path
        Its first drive with a command is meant (or that of `joint`), whose form is kept while it takes longer or shorter.
    types : sequence of str
        Shapers beside none.
    error : float
        True frequencies are larger or smaller than those of the design by this share.
    modes : sequence of int, optional
        Modes of the arm as it follows its command; default the first.
    periods : (float, float)
        Least and largest duration of the command, in periods of the first of the modes.

    Examples
    --------
    >>> import flexarm as fa
    >>> plain, zv = fa.move_residual("tapered-link", ["zv"])
    >>> plain.label, zv.label
    ('no shaper', 'zv')
    """
    used = as_scenario(scenario)
    if not 0.0 <= error < 1.0:
        raise FlexarmError(f"it is a share of the frequency between 0 and 1, not {error:g}", field="error")
    made = [shaper(used, kind, modes=modes, joint=joint) for kind in types]  # type: ignore[arg-type]
    first = made[0] if made else shaper(used, "zv", modes=modes, joint=joint)
    t, push = _push(used, joint)
    durations = np.geomspace(*periods, points) / first.hz[0]
    found = [MoveResidual("no shaper", durations, _worst(t, push, durations, first, None, error))]
    return found + [
        MoveResidual(each.type, durations + each.duration, _worst(t, push, durations, first, each, error))
        for each in made
    ]


def _worst(
    t: np.ndarray, push: np.ndarray, durations: np.ndarray, modes: Shaper, behind: Shaper | None, error: float
) -> np.ndarray:
    sides = []
    for ratio in {1.0 - error, 1.0 + error}:
        total = np.zeros(len(durations))
        for hz, damping in zip(modes.hz, modes.damping, strict=True):
            share = 1.0 if behind is None else float(behind.impulses.residual(hz * ratio, damping))
            total += share * _left(t, push, durations, hz * ratio, damping)
        sides.append(total)
    return np.asarray(np.max(sides, axis=0))


def _left(t: np.ndarray, push: np.ndarray, durations: np.ndarray, hz: float, damping: float) -> np.ndarray:
    """R (C9) at durations (n,); the command is `push` (m,) over t (m,) from 0 to 1 for a move of unit size."""
    w = 2.0 * np.pi * hz
    rate = w * (damping + 1j * np.sqrt(1.0 - damping**2))
    turned = np.exp(rate * durations[:, None] * (t - 1.0))
    return np.asarray(np.abs(np.trapezoid(push * turned, t, axis=1)) / durations / rate.imag)


def _push(scenario: Scenario, joint: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Acceleration of a move of unit size that takes the time 1, (m,) at times (m,): that of a motion, or what a torque does to a rigid arm."""
    program = unshaped_program(scenario)
    lines = [line for line in program.lines if line.signals and (joint is None or line.name == joint)]
    for line in lines:
        signal: Any = line.position if line.position is not None else line.effort
        begin, end = getattr(signal, "span", (0.0, 0.0))
        if not begin < end < np.inf:
            continue
        edges = [begin, *(b for b in signal.breaks(end) if begin < b), end]
        pieces = [np.linspace(a, b, SAMPLES) for a, b in itertools.pairwise(edges)]
        order = 2 if line.position is not None else 0
        values = [signal.evaluate(p, 0.5 * (p[0] + p[-1]))[order] for p in pieces]
        t, push = (np.concatenate(pieces) - begin) / (end - begin), np.concatenate(values)
        size = float(np.trapezoid((1.0 - t) * push, t))
        if abs(size) > 1e-9 * float(np.abs(push).max()):
            return t, push / size
    raise FlexarmError("there is no command that begins, ends and moves a joint", field="joint")
