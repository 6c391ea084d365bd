"""What Newmark's scheme makes of an undamped vibration, in closed form."""

from __future__ import annotations

import math


def vibration(beta: float, gamma: float, hz: float, h: float) -> tuple[float, float]:
    """Frequency in Hz and logarithmic decrement that come out of steps of length h.

    The roots of a step have half the sum a = 1 - (gamma + 1/2) z / 2 (1 + beta z) and the product
    b = 1 - (gamma - 1/2) z / (1 + beta z), with z = (2 pi f h)^2.

    Examples
    --------
    >>> [round(value, 4) for value in vibration(0.7, 0.8, 6.14169, 2e-3)]
    [6.1328, 0.0726]
    """
    z = (2.0 * math.pi * hz * h) ** 2
    share = z / (1.0 + beta * z)
    a, b = 1.0 - 0.5 * (gamma + 0.5) * share, 1.0 - (gamma - 0.5) * share
    turn = math.atan2(math.sqrt(b - a * a), a)
    return turn / (2.0 * math.pi * h), -math.pi * math.log(b) / turn
