"""Numbers as people read them: four digits, and the prefix that suits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexarm.arm import Arm


def say(value: float, unit: str) -> str:
    """A number given in the SI unit `unit`, for example ``25.61 mm``.

    Examples
    --------
    >>> say(0.02560924, "m"), say(0.1, "N*m"), say(1.2834e-4, "strain")
    ('25.61 mm', '0.1 N·m', '128.3 µm/m')
    """
    if unit == "strain":
        return f"{1e6 * value:.4g} µm/m"
    from flexarm.view.units import pretty, scale

    if unit.startswith("N") and 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g} {pretty(unit)}"
    factor, text = scale(unit, value)
    return f"{value * factor:.4g}" + (f" {text}" if text != "–" else "")


def joined(values: Iterable[float], unit: str) -> str:
    """Several numbers with one unit behind them."""
    return ", ".join(f"{value:.4g}" for value in values) + f" {unit}"


def point(place: Iterable[float], spatial: bool) -> str:
    """Coordinates in m."""
    return (
        ", ".join(f"{axis} {value:.4f}" for axis, value in zip("xyz" if spatial else "xy", place, strict=False)) + " m"
    )


def seconds(value: float) -> str:
    """A duration of computing."""
    return f"{value:.2f} s" if value >= 0.1 else f"{1e3 * value:.3g} ms"


def text_of(value: Any) -> str:
    """A default or a setting, without Python's marks."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def tip_words(arm: Arm) -> str:
    """Where the tip of the stiff arm is in its start pose, loops closed."""
    from flexarm.rigid import close_loops, tip

    return point([round(float(value), 9) + 0.0 for value in tip(arm, close_loops(arm, arm.pose))], arm.spatial)
