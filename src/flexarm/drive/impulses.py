"""Input shapers: sequences of impulses that leave no vibration in stated modes.

A command r(t) that passes through a shaper becomes sum_i A_i r(t - t_i), with A_i > 0 and sum A_i = 1. After the last
impulse a mode (w, zeta) vibrates, as a share of what one unit impulse would leave,

    V(w, zeta) = exp(-zeta w t_n) |sum_i A_i exp((zeta w + i w_d) t_i)| ,      w_d = w sqrt(1 - zeta^2) .

With K = exp(-zeta pi / sqrt(1 - zeta^2)) and T_d = 2 pi / w_d the shapers for one mode are

    zv      A = [1, K] / (1 + K)                    t = [0, 1/2] T_d
    zvd     A = [1, 2 K, K^2] / (1 + K)^2           t = [0, 1/2, 1] T_d
    zvdd    A = [1, 3 K, 3 K^2, K^3] / (1 + K)^3    t = [0, 1/2, 1, 3/2] T_d
    ei      V = tolerance and dV/dw = 0 at w, V = 0 at one frequency below and one above

(zero vibration; with its first, and its second derivative; extra insensitive). Without damping the last one is
A = [1 + V, 2 - 2 V, 1 + V] / 4 at t = [0, 1/2, 1] T_d. With damping its six equations for A_1, A_2, t_2, t_3 and the two frequencies
are solved by Newton's method, continued in zeta from there.
For several modes amplitudes multiply and times add.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from flexarm.errors import FlexarmError

ShaperType = Literal["zv", "zvd", "zvdd", "ei"]
MERGED = 1e-9
"""Impulses that are closer than this, in s, are one."""
TOLERANCE = 0.05
"""Vibration that a shaper `ei` leaves at its own frequency, and the level at which widths are told."""
CONTINUED = 0.02
"""Largest step in zeta when the equations of `ei` are continued."""
FARTHEST, SCANNED = 4.0, 1e-3
"""How far from its own frequency, and how closely, the width of a shaper is looked for (ratio of frequencies)."""


@dataclass(frozen=True)
class Impulses:
    """A shaper as its impulses.

    Attributes
    ----------
    amplitudes, times : tuple of float
        Shares, which add up to one, and times in s, the first of which is 0.
    """

    amplitudes: tuple[float, ...]
    times: tuple[float, ...]

    @property
    def duration(self) -> float:
        """Time in s by which a command gets longer."""
        return self.times[-1]

    def residual(self, hz: Any, damping: float) -> np.ndarray:
        """V at frequencies in Hz (any shape) with a damping ratio."""
        w = 2.0 * np.pi * np.asarray(hz, dtype=float)[..., None]
        t = np.array(self.times) - self.times[-1]
        turned = np.exp((damping + 1j * math.sqrt(1.0 - damping**2)) * w * t)
        return np.abs(np.sum(np.array(self.amplitudes) * turned, axis=-1))

    def width(self, hz: float, damping: float, level: float = TOLERANCE) -> tuple[float, float]:
        """The range of frequencies, as ratios to `hz`, around it in which V stays within `level`.

        A shaper that leaves more than `level` at `hz` itself is measured at that.
        """
        level = max(level, float(self.residual(hz, damping))) * (1.0 + 1e-9)

        def beyond(ratio: float) -> float:
            return float(self.residual(ratio * hz, damping)) - level

        return _crossing(beyond, -1.0), _crossing(beyond, 1.0)

    def then(self, other: Impulses) -> Impulses:
        """Both, one after the other."""
        pairs = sorted(
            (s + t, a * b)
            for s, a in zip(self.times, self.amplitudes, strict=True)
            for t, b in zip(other.times, other.amplitudes, strict=True)
        )
        times, shares = [pairs[0][0]], [pairs[0][1]]
        for time, share in pairs[1:]:
            if time - times[-1] < MERGED:
                shares[-1] += share
            else:
                times.append(time)
                shares.append(share)
        return Impulses(tuple(shares), tuple(times))


def _crossing(beyond: Callable[[float], float], way: float) -> float:
    """Where `beyond` becomes positive, from 1 on downwards or upwards."""
    from scipy.optimize import brentq

    inner = 1.0
    while abs(inner - 1.0) < FARTHEST and inner > SCANNED:
        outer = inner + way * SCANNED
        if beyond(outer) > 0.0:
            return float(brentq(beyond, inner, outer, xtol=1e-12)) if beyond(inner) < 0.0 else inner
        inner = outer
    return max(inner, 0.0)


def shaper_impulses(kind: ShaperType, hz: float, damping: float = 0.0, tolerance: float | None = None) -> Impulses:
    """The shaper of one mode.

    Parameters
    ----------
    kind : {"zv", "zvd", "zvdd", "ei"}
        Type of shaper.
    hz, damping : float
        Natural frequency in Hz (that of the mode without damping) and damping ratio.
    tolerance : float, optional
        Of `ei`: what it leaves at its own frequency; default 0.05.

    Examples
    --------
    >>> shaper_impulses("zvd", 2.0)
    Impulses(amplitudes=(0.25, 0.5, 0.25), times=(0.0, 0.25, 0.5))
    """
    if not 0.0 <= damping < 1.0 or not 0.0 < hz < math.inf:
        raise FlexarmError(
            f"a shaper is for a mode that vibrates: its frequency is positive and its damping ratio from 0 to 1, not {hz:g} Hz and "
            f"{damping:g}"
        )
    if kind == "ei":
        amplitudes, turns = _extra_insensitive(float(damping), TOLERANCE if tolerance is None else float(tolerance))
        return Impulses(amplitudes, tuple(turn / hz for turn in turns))
    order = {"zv": 1, "zvd": 2, "zvdd": 3}[kind]
    root = math.sqrt(1.0 - damping**2)
    K = math.exp(-damping * math.pi / root)
    shares = tuple(math.comb(order, i) * K**i / (1.0 + K) ** order for i in range(order + 1))
    return Impulses(shares, tuple(0.5 * i / (hz * root) for i in range(order + 1)))


@cache
def _extra_insensitive(damping: float, tolerance: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Amplitudes, and times in periods of the undamped mode, of the shaper `ei`."""
    from scipy.optimize import fsolve

    below = math.acos(-(1.0 - tolerance) / (1.0 + tolerance)) / math.pi
    x = np.array([(1.0 + tolerance) / 4.0, (1.0 - tolerance) / 2.0, 0.5, 1.0, below, 2.0 - below])

    def equations(x: np.ndarray, zeta: float) -> list[float]:
        shares, times = np.array([x[0], x[1], 1.0 - x[0] - x[1]]), np.array([0.0, x[2], x[3]])
        turning = 2.0 * np.pi * (zeta + 1j * math.sqrt(1.0 - zeta**2))

        def left(ratio: float) -> complex:
            return complex(np.sum(shares * np.exp(turning * ratio * (times - x[3]))))

        own, slope = left(1.0), complex(np.sum(shares * turning * (times - x[3]) * np.exp(turning * (times - x[3]))))
        low, high = left(x[4]), left(x[5])
        # half of d|V|^2/dw is Re(conj(V) V')
        return [
            abs(own) - tolerance, (own.conjugate() * slope).real / tolerance, low.real, low.imag, high.real, high.imag,
        ]  # fmt: skip

    for zeta in np.linspace(0.0, damping, 1 + math.ceil(damping / CONTINUED)):
        x = fsolve(equations, x, args=(float(zeta),), xtol=1e-14, full_output=True)[0]
        if np.abs(equations(x, float(zeta))).max() > 1e-9 or x[:2].min() <= 0.0 or x[0] + x[1] >= 1.0:
            raise FlexarmError(
                f"there is no shaper ei for a damping ratio of {damping:g} and a tolerance of {tolerance:g}: such a mode dies out by "
                "itself; take zvd"
            )
    return (float(x[0]), float(x[1]), float(1.0 - x[0] - x[1])), (0.0, float(x[2]), float(x[3]))
