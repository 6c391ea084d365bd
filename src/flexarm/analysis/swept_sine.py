"""A swept-sine experiment on the simulated arm: one run through many frequencies, and a third-order model of it.

The joint is commanded a sine for some periods at each frequency, from the lowest to the highest. Command and response are
compared over the last periods of each, when what came before has died out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError, ScenarioError
from flexarm.numerics.blas import with_one_blas_thread

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

SAMPLES = 40
"""Records per period at the highest frequency."""
FAR = 100.0
"""Poles are looked for up to so many times beyond the frequencies of the swept sine."""


@dataclass(frozen=True)
class SweptSine:
    """What a swept sine gave.

    Attributes
    ----------
    joint, output : str
        What was commanded to move, and what was read.
    hz : ndarray, shape (n,)
        Frequencies.
    response : ndarray of complex, shape (n,)
        Response over command, in units of the response per rad, m or m of cylinder.
    distortion : ndarray, shape (n,)
        Share of the response that is no sine of the command's frequency.
    poles : tuple of complex
        Of the fitted model gain / prod(1 - s/pole), in rad/s; a complex one stands for its pair. Empty if none was fitted.
    gain : float
        Of the fitted model at rest.
    misfit : float
        Root mean square of fitted minus measured response, as a share of the largest.
    """

    joint: str
    output: str
    hz: np.ndarray
    response: np.ndarray
    distortion: np.ndarray
    poles: tuple[complex, ...]
    gain: float
    misfit: float

    @property
    def decibels(self) -> np.ndarray:
        """Size of the response in dB, (n,)."""
        return 20.0 * np.log10(np.abs(self.response))

    @property
    def degrees(self) -> np.ndarray:
        """Phase of the response in degrees, without jumps, (n,)."""
        return np.degrees(np.unwrap(np.angle(self.response)))


@with_one_blas_thread
def swept_sine(
    scenario: Scenario,
    joint: str | None = None,
    low: float = 0.5,
    high: float = 20.0,
    points: int = 16,
    amplitude: float = 0.005,
    periods: int = 8,
    settle: float = 1.0,
    output: str = "joint",
    progress: Callable[[str, float, float], Any] | None = None,
) -> SweptSine:
    """Run a swept sine and fit a third-order model.

    Parameters
    ----------
    scenario : Scenario
        Its drive of `joint` follows the sine; the other driven joints hold still.
    joint : str, optional
        Whom to tell; default the first joint with a motion.
    low, high : float
        First and last frequency in Hz, evenly spread on a logarithmic axis.
    points : int
        How many frequencies.
    amplitude : float
        Half the distance between the turning points, rad or m.
    periods : int
        At least so many at each frequency; half as many, the last ones, are evaluated.
    settle : float
        Least time in s before those, in which what came before dies out.
    output : str
        ``joint``, ``cylinder`` (its length over the commanded length), ``tip_x``, ``tip_y``, or the name of a gauge.
    progress : callable, optional
        Called with (stage, done, total) now and then, see `simulate`.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.swept_sine(fa.load("ralf"), "lower", low=0.5, high=8.0, points=8)
    >>> [round(pole.real, 1) for pole in found.poles]
    [-30.4, -9.0]
    """
    joint = _joint(scenario, joint)
    if not 0.0 < low < high or points < 4 or periods < 4 or not amplitude > 0.0 or settle < 0.0:
        raise FlexarmError("a swept sine needs 0 < low < high, 4 frequencies, 4 periods and an amplitude above zero")
    from flexarm.simulation.run import simulate

    hz = np.geomspace(low, high, points)
    used = periods // 2
    lasting = np.maximum(periods - used, np.ceil(settle * hz)) + used
    starts = np.concatenate([[0.0], np.cumsum(lasting / hz)])
    driven = scenario.with_(_changes(scenario, joint, hz, starts, amplitude))
    result = simulate(driven, progress=progress)
    if not result.success:
        raise FlexarmError(f"the swept sine ended early: {result.message}")
    time, read = result.data["time"].values, _reading(result.data, joint, output)
    commanded = _commanded(driven, joint, output, time, starts, hz, amplitude)
    answers, rest = _compared(time, commanded, read, hz, starts, used)
    poles, gain, misfit = fit_third_order(hz, answers)
    return SweptSine(joint, output, hz, answers, rest, poles, gain, misfit)


def _compared(
    time: np.ndarray, commanded: np.ndarray, read: np.ndarray, hz: np.ndarray, starts: np.ndarray, used: int
) -> tuple[np.ndarray, np.ndarray]:
    """Response over command at each frequency, from its last `used` periods, and what of it is no sine."""
    answers, rest = np.zeros(len(hz), dtype=complex), np.zeros(len(hz))
    for k, f in enumerate(hz):
        last = (time >= starts[k + 1] - used / f - 1e-9) & (time <= starts[k + 1] + 1e-9)
        command, _ = _phasor(time[last], commanded[last], f)
        answer, rest[k] = _phasor(time[last], read[last], f)
        answers[k] = answer / command
    return answers, rest


def _joint(scenario: Scenario, joint: str | None) -> str:
    moved = [name for drive in scenario.drive for name in drive.names if drive.motion is not None]
    if joint is None and moved:
        return moved[0]
    if joint not in moved:
        raise ScenarioError(
            f"a swept sine needs a joint that follows a motion: {', '.join(moved) or 'this arm has none'}",
            field="--joint",
        )
    return joint


def _changes(scenario: Scenario, joint: str, hz: np.ndarray, starts: np.ndarray, amplitude: float) -> dict[str, Any]:
    """The scenario with the swept sine in it."""
    if not all(drive.joint for drive in scenario.drive):
        raise ScenarioError(
            "a swept sine needs one drive per joint: write 'joint' in place of 'joints' or a patch", field="drive"
        )
    changes: dict[str, Any] = {"time.end": float(starts[-1]), "output.every": float(1.0 / (SAMPLES * hz[-1]))}
    for drive in scenario.drive:
        if drive.motion is not None:
            changes[f"drive.{drive.joint}.motion"] = {"profile": "constant"}
    # phase -90 deg: each sine begins and ends at rest where the joint is
    changes[f"drive.{joint}.motion"] = [
        {
            "profile": "sine",
            "amplitude": amplitude,
            "frequency": float(f),
            "phase": -np.pi / 2,
            "duration": float(length),
        }
        for f, length in zip(hz, np.diff(starts), strict=True)
    ]
    return changes


def _commanded(
    scenario: Scenario, joint: str, output: str, time: np.ndarray, starts: np.ndarray, hz: np.ndarray, amplitude: float
) -> np.ndarray:
    """Commanded position, or length of the cylinder, at the records."""
    k = np.clip(np.searchsorted(starts, time, "right") - 1, 0, len(hz) - 1)
    place = amplitude * (1.0 - np.cos(2.0 * np.pi * hz[k] * (time - starts[k])))
    if output != "cylinder":
        return place
    from flexarm.rigid import close_loops

    cylinder = next(d.cylinder for d in scenario.drive if d.joint == joint and d.cylinder)
    start = close_loops(scenario.arm, scenario.arm.pose)[scenario.arm.joints.index(joint)]
    return cylinder.length(start + place)


def _reading(data: Any, joint: str, output: str) -> np.ndarray:
    if output == "joint":
        return data["joint_position"].sel(joint=joint).values
    if output == "cylinder" and joint in data.coords.get("cylinder", []):
        return data["cylinder_length"].sel(cylinder=joint).values
    if output in ("tip_x", "tip_y"):
        return data["tip_position"].values[:, "xy".index(output[-1])]
    gauges = [str(name) for name in data["gauge"].values] if "strain" in data else []
    if output in gauges:
        return data["strain"].sel(gauge=output).values
    known = ["joint", *(["cylinder"] if joint in data.coords.get("cylinder", []) else []), "tip_x", "tip_y", *gauges]
    raise FlexarmError(f"there is no output '{output}'; a swept sine can read {', '.join(known)}", field="--output")


def _phasor(time: np.ndarray, values: np.ndarray, f: float) -> tuple[complex, float]:
    """Complex amplitude at frequency f, and the share of all else, by least squares with a constant and a slope."""
    angle = 2.0 * np.pi * f * time
    base = np.column_stack([np.cos(angle), np.sin(angle), np.ones_like(time), time - time[0]])
    found = np.linalg.lstsq(base, values, rcond=None)[0]
    size = np.hypot(found[0], found[1])
    rest = np.sqrt(2.0 * np.mean((values - base @ found) ** 2))
    return complex(found[0], -found[1]), float(rest / size) if size else np.inf


@with_one_blas_thread
def fit_third_order(hz: np.ndarray, response: np.ndarray) -> tuple[tuple[complex, ...], float, float]:
    """Poles in rad/s, gain at rest and misfit of gain / ((1 + s/a)(1 + 2 d s/w + s^2/w^2)) for a measured response.

    Parameters
    ----------
    hz : ndarray, shape (n,)
        Frequencies.
    response : ndarray of complex, shape (n,)
        What was measured there.
    """
    from scipy.optimize import least_squares

    s = 2j * np.pi * np.asarray(hz)
    size = float(np.abs(response).max())

    def model(x: np.ndarray) -> np.ndarray:
        a, w, d = np.exp(x[:3])
        return size * x[3] / ((1.0 + s / a) * (1.0 + 2.0 * d * s / w + (s / w) ** 2))

    def errors(x: np.ndarray) -> np.ndarray:
        off = (model(x) - response) / size
        return np.concatenate([off.real, off.imag])

    middle, best = 2.0 * np.pi * float(np.sqrt(hz[0] * hz[-1])), None
    first = float(np.real(response[0])) / size
    slow, fast = np.log(2.0 * np.pi * hz[0] / FAR), np.log(2.0 * np.pi * hz[-1] * FAR)
    least, most = [slow, slow, np.log(1e-4), -np.inf], [fast, fast, np.log(1e2), np.inf]
    for a in (0.5, 2.0, 8.0):
        for w in (0.5, 2.0, 8.0):
            begin = [np.log(a * middle), np.log(w * middle), np.log(0.5), np.copysign(max(abs(first), 0.1), first)]
            found = least_squares(errors, begin, bounds=(least, most), x_scale="jac", max_nfev=300)
            if best is None or found.cost < best.cost:
                best = found
    assert best is not None
    a, w, d = np.exp(best.x[:3])
    pair = np.roots([1.0, 2.0 * d * w, w * w])
    poles = (complex(-a), *(complex(root) for root in pair if root.imag >= 0.0))
    misfit = float(np.sqrt(np.mean(np.abs(model(best.x) - response) ** 2)) / size)
    return poles, float(size * best.x[3]), misfit
