"""A virtual strain gauge: what bridge, amplifier and converter make of the strain that a run gives.

Legend: e strain, k gauge factor, a = k e of the gauge, b = k e of the one on the opposite side; a bridge of four arms
gives, exactly, a/(4 + 2a) (quarter), (a - b)/(4 + 2a + 2b) (half) or (a - b)/(2 + a + b) (full) of its excitation.
Half and full bridges have gauges on both sides, so that they see bending alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from flexarm.errors import FlexarmError, check_word

if TYPE_CHECKING:
    from flexarm.result import Result

BRIDGES = ("quarter", "half", "full")
OPPOSITE = {"top": "bottom", "bottom": "top", "z": "-z", "-z": "z"}


@dataclass(frozen=True)
class GaugeChain:
    """Bridge, amplifier and converter behind a strain gauge.

    Attributes
    ----------
    gauge_factor : float
        Relative change of resistance per strain.
    bridge : {"quarter", "half", "full"}
        One gauge; one on each side; two on each side.
    excitation : float
        Voltage across the bridge, V.
    gain : float
        Of the amplifier.
    offset : float
        Voltage at the amplifier's output without strain, V.
    bits : int
        Of the converter: codes from 0 to 2^bits - 1.
    low, high : float
        Range of the converter, V.

    Examples
    --------
    >>> chain = GaugeChain(bridge="half", gain=100.0)
    >>> volts = chain.volts(np.array([1e-3]), np.array([-1e-3]))
    >>> volts, chain.counts(volts)
    (array([0.5]), array([2253]))
    """

    gauge_factor: float = 2.0
    bridge: Literal["quarter", "half", "full"] = "quarter"
    excitation: float = 5.0
    gain: float = 100.0
    offset: float = 0.0
    bits: int = 12
    low: float = -5.0
    high: float = 5.0

    def __post_init__(self) -> None:
        check_word(self.bridge, BRIDGES, "bridge")
        for name in ("gauge_factor", "excitation", "gain", "offset", "low", "high"):
            value = getattr(self, name)
            if not np.isfinite(value) or (value == 0.0 and name in ("gauge_factor", "excitation", "gain")):
                raise FlexarmError(f"it must be a finite number and not zero, not {value:g}", field=name)
        if int(self.bits) != self.bits or not 1 <= self.bits <= 32:
            raise FlexarmError(f"a converter has 1 to 32 bits, not {self.bits}", field="bits")
        if not self.low < self.high:
            raise FlexarmError(
                f"the converter's range must rise, not {self.low:g} to {self.high:g} V: exchange its ends",
                field="range",
            )

    @property
    def lsb(self) -> float:
        """Voltage of one count, V."""
        return (self.high - self.low) / 2**self.bits

    @property
    def resolution(self) -> float:
        """Strain of one count at small strains, bending alone."""
        share = {"quarter": 0.25, "half": 0.5, "full": 1.0}[self.bridge]
        return abs(self.lsb / (self.gain * self.excitation * share * self.gauge_factor))

    def volts(self, strain: np.ndarray, opposite: np.ndarray | None = None) -> np.ndarray:
        """Voltage at the amplifier's output, V; half and full bridges need the strain on the opposite side too."""
        a = self.gauge_factor * np.asarray(strain, dtype=float)
        if self.bridge == "quarter":
            ratio = a / (4.0 + 2.0 * a)
        else:
            if opposite is None:
                raise FlexarmError(f"a {self.bridge} bridge needs the strain on both sides of the link")
            b = self.gauge_factor * np.asarray(opposite, dtype=float)
            ratio = (a - b) / ((4.0 if self.bridge == "half" else 2.0) * (1.0 + 0.5 * (a + b)))
        return self.gain * self.excitation * ratio + self.offset

    def counts(self, volts: np.ndarray) -> np.ndarray:
        """Codes of the converter, the nearest one, held at the ends of its range."""
        codes = np.rint((np.asarray(volts, dtype=float) - self.low) / self.lsb)
        return np.clip(codes, 0, 2**self.bits - 1).astype(np.int64)

    def saturated(self, volts: np.ndarray) -> np.ndarray:
        """Where the voltage lies outside the range."""
        codes = np.rint((np.asarray(volts, dtype=float) - self.low) / self.lsb)
        return (codes < 0) | (codes > 2**self.bits - 1)

    def volts_of(self, counts: Any) -> np.ndarray:
        """Voltage that a code stands for, V."""
        return self.low + self.lsb * np.asarray(counts, dtype=float)

    def strain_of(self, volts: Any) -> np.ndarray:
        """Strain behind a voltage, bending alone (the opposite side has the opposite strain)."""
        ratio = (np.asarray(volts, dtype=float) - self.offset) / (self.gain * self.excitation)
        if self.bridge == "quarter":
            return 4.0 * ratio / (1.0 - 2.0 * ratio) / self.gauge_factor
        return ratio * (2.0 if self.bridge == "half" else 1.0) / self.gauge_factor


@dataclass(frozen=True, eq=False)
class GaugeReading:
    """What the converter reads.

    Attributes
    ----------
    gauge : str
        Name of the gauge.
    time, strain, volts : ndarray, shape (n,)
        s, 1, V at the amplifier's output.
    counts : ndarray of int, shape (n,)
        Codes.
    saturated : ndarray of bool, shape (n,)
        Where the voltage lies outside the converter's range.
    chain : GaugeChain
        What stands behind the gauge.
    """

    gauge: str
    time: np.ndarray
    strain: np.ndarray
    volts: np.ndarray
    counts: np.ndarray
    saturated: np.ndarray
    chain: GaugeChain

    @property
    def notes(self) -> list[str]:
        """What the user should know: saturation, and a range of which little is used."""
        n = int(self.saturated.sum())
        if n:
            first = float(self.time[np.argmax(self.saturated)])
            return [
                f"the converter saturates in {n} of {len(self.time)} readings, first at {first:.4g} s: the voltage runs from "
                f"{self.volts.min():.4g} to {self.volts.max():.4g} V, its range from {self.chain.low:g} to "
                f"{self.chain.high:g} V; lower the gain or widen the range"
            ]
        used = int(self.counts.max() - self.counts.min()) + 1
        if used < 2**self.chain.bits / 50:
            return [f"only {used} of {2**self.chain.bits} codes are used: a higher gain would show more"]
        return []

    def to_csv(self) -> str:
        """One row per reading."""
        rows = zip(self.time, self.strain, self.volts, self.counts, strict=True)
        lines = [f"{t:.9g},{1e6 * e:.8g},{v:.8g},{c:d}" for t, e, v, c in rows]
        return "\n".join(["time [s],strain [um/m],output [V],reading [counts]", *lines]) + "\n"


def read_gauge(
    result: Result, gauge: str | None = None, chain: GaugeChain | None = None, times: Any = None
) -> GaugeReading:
    """What a strain gauge with its bridge, amplifier and converter reads during a run.

    Parameters
    ----------
    result : Result
        A run with ``output.gauges``.
    gauge : str, optional
        Name of the gauge; may be left out if there is one (with that on the opposite side, for a bridge).
    chain : GaugeChain, optional
        What stands behind it; a quarter bridge by default.
    times : array_like, shape (n,), optional
        When the converter reads, s; at each record by default. Records are joined by a cubic spline.
    """
    chain = chain or GaugeChain()
    known = {each.label: each for each in result.scenario.output.gauges}
    if not known or "strain" not in result.data:
        raise FlexarmError("the run has no strain gauge: ask for one with output.gauges", field="output.gauges")
    name = gauge if gauge is not None else next(iter(known))
    if name not in known:
        raise FlexarmError(f"there is no gauge '{name}'; there are {', '.join(known)}", field="gauge")
    here, other = known[name], None
    if chain.bridge != "quarter":
        side = OPPOSITE[here.side]
        pairs = [k for k, g in known.items() if (g.link, g.at, g.side) == (here.link, here.at, side)]
        if not pairs:
            raise FlexarmError(
                f"a {chain.bridge} bridge needs gauges on both sides: add "
                f"{{link: {here.link}, at: {here.at:g}, side: {side}}} to output.gauges",
                field="output.gauges",
            )
        other = pairs[0]
    time = result.data["time"].values
    at = time if times is None else _inside(np.asarray(times, dtype=float), time)
    strain = _sampled(result, name, time, at)
    volts = chain.volts(strain, None if other is None else _sampled(result, other, time, at))
    return GaugeReading(name, at, strain, volts, chain.counts(volts), chain.saturated(volts), chain)


def _inside(times: np.ndarray, time: np.ndarray) -> np.ndarray:
    slack = 1e-9 * max(float(time[-1]), 1e-9)
    if times.ndim != 1 or times.size == 0 or times.min() < time[0] - slack or times.max() > time[-1] + slack:
        raise FlexarmError(f"the converter must read within the run, from {time[0]:g} to {time[-1]:g} s", field="times")
    return np.clip(times, time[0], time[-1])


def _sampled(result: Result, name: str, time: np.ndarray, at: np.ndarray) -> np.ndarray:
    values = result.data["strain"].sel(gauge=name).values
    if at is time:
        return values
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(time, values, k=min(3, len(time) - 1))(at)
