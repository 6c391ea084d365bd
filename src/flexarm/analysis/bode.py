"""Frequency response of actuators: Bode plots, bandwidth, and the margins of the position loop behind them.

Legend: H closed loop, from commanded to actual position; L = H / (1 - H) the loop that unity feedback closes to H.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.polynomial import polynomial

from flexarm.drive.actuators.transfer import Filter
from flexarm.drive.statespace import root_product
from flexarm.errors import FlexarmError, ScenarioError

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

POINTS = 400


@dataclass(frozen=True)
class Bode:
    """Frequency response of one actuator.

    Attributes
    ----------
    joint : str
        What it moves.
    hz : ndarray, shape (n,)
        Frequencies.
    response : ndarray of complex, shape (n,)
        Actual over commanded position.
    bandwidth : float
        Frequency in Hz at which the gain has dropped to 0.707 (3 dB below) of that at rest; inf if it never does.
    gain_margin, phase_margin : float
        Of the loop L, in dB and degrees; inf if the loop gain never gets there.
    velocity_gain : float
        Speed per position error of the loop at rest, 1/s; nan if the gain at rest is not one.
    poles, zeros : tuple of complex
        In rad/s, one of each conjugate pair.
    """

    joint: str
    hz: np.ndarray
    response: np.ndarray
    bandwidth: float
    gain_margin: float
    phase_margin: float
    velocity_gain: float
    poles: tuple[complex, ...]
    zeros: tuple[complex, ...] = ()

    @property
    def decibels(self) -> np.ndarray:
        """Size of the response in dB, (n,)."""
        return 20.0 * np.log10(np.abs(self.response))

    @property
    def degrees(self) -> np.ndarray:
        """Phase of the response in degrees, without jumps, (n,)."""
        return np.degrees(np.unwrap(np.angle(self.response)))


def load_control() -> Any:
    """The library python-control, or a sentence on how to get it."""
    try:
        import control
    except ImportError:
        raise FlexarmError("Bode plots need python-control: install it with  pip install 'flexarm[control]'") from None
    return control


def bode(scenario: Scenario, joint: str | None = None, hz: Any = None) -> list[Bode]:
    """Frequency responses of the actuators of a scenario that shape a command.

    Parameters
    ----------
    scenario : Scenario
        With actuators of type transfer, or hydraulic without oil.
    joint : str, optional
        One of its joints; default all that have such an actuator.
    hz : array_like, optional
        Frequencies; default from a hundredth to a hundred times those of the poles.

    Examples
    --------
    >>> import flexarm as fa
    >>> lower, bellcrank = fa.bode(fa.load("ralf"))
    >>> round(lower.bandwidth, 3), round(lower.gain_margin, 2), round(lower.phase_margin, 2)
    (3.447, 12.16, 54.6)
    """
    drives = {name: drive.actuator for drive in scenario.drive for name in drive.names}
    if joint is not None and joint not in scenario.arm.joints:
        raise ScenarioError(
            f"there is no joint '{joint}'; the arm has {', '.join(scenario.arm.joints)}", field="--joint"
        )
    asked = {
        name: (*actuator.roots(), actuator.gain_at_rest)
        for name, actuator in drives.items()
        if joint in (None, name) and isinstance(actuator, Filter)
    }
    if not asked:
        whom = f"joint '{joint}'" if joint is not None else "this arm"
        raise ScenarioError(
            f"{whom} has no actuator with a transfer function (type: transfer, or hydraulic without oil); "
            "a swept sine measures any drive",
            field="drive.actuator",
        )
    if hz is None:
        sizes = np.abs([root for poles, zeros, _ in asked.values() for root in (*poles, *zeros)]) / (2.0 * np.pi)
        hz = np.geomspace(sizes.min() / 100.0, sizes.max() * 10.0, POINTS)
    return [transfer_bode(name, *transfer, hz) for name, transfer in asked.items()]


def transfer_bode(joint: str, poles: tuple[complex, ...], zeros: tuple[complex, ...], gain: float, hz: Any) -> Bode:
    """Response, bandwidth and margins of a transfer function; poles and zeros in rad/s, one of each conjugate pair."""
    control = load_control()
    top, bottom = gain * root_product(zeros), root_product(poles)
    system = control.tf(top[::-1], bottom[::-1])
    frequencies = np.atleast_1d(np.asarray(hz, dtype=float))
    response = np.atleast_1d(system(2j * np.pi * frequencies))
    open_bottom = polynomial.polysub(bottom, top)
    unity = abs(gain - 1.0) < 1e-12
    if unity:
        open_bottom[0] = 0.0  # the pole at the origin, which makes the gain at rest one
    gm, pm, _, _ = control.margin(control.tf(top[::-1], open_bottom[::-1]))
    band = control.bandwidth(system, dbdrop=20.0 * math.log10(math.sqrt(0.5)))
    return Bode(
        joint,
        frequencies,
        response,
        math.inf if band is None or not math.isfinite(band) else float(band) / (2.0 * math.pi),
        math.inf if not math.isfinite(gm) else 20.0 * math.log10(gm),
        float(pm),
        float(top[0] / open_bottom[1]) if unity else math.nan,
        poles,
        zeros,
    )
