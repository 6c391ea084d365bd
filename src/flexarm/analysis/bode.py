"""Frequency response of actuators: Bode plots, bandwidth, and the margins of the position loop behind them.

Legend: H closed loop, from commanded to actual position; L = H / (1 - H) the loop that unity feedback closes to H.

A cylinder with oil feels its load, so its response is that of the whole arm in small motions about its start, M, C, K with
the pressures among the coordinates and all other joints held by their laws. Without its feedback, K_0, the loop is open:
K - K_0 = b s^T, with s the reading of the position and b the force per commanded position, and

    H = s^T (K + i w C - w^2 M)^-1 b ,      L = s^T (K_0 + i w C - w^2 M)^-1 b .
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.polynomial import polynomial

from flexarm.drive.actuators.oil_cylinder import OilCylinder
from flexarm.drive.actuators.transfer import Filter
from flexarm.drive.statespace import root_product
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.numerics.eigen import roots
from flexarm.simulation.build import prepare
from flexarm.simulation.control_loops.closure import close_control_loops
from flexarm.simulation.poses import held_at
from flexarm.simulation.program import gains_at, row_at

if TYPE_CHECKING:
    from flexarm.drive import Law, Wiring
    from flexarm.methods.base import LinearModel
    from flexarm.scenario import Scenario

POINTS = 400
FINE = 1000
"""Frequencies between which margins and bandwidth of a cylinder with oil are interpolated."""
LOCKED = 1e-4
"""Roots slower than this share of the loop gain are no poles: oil that is locked in two chambers and does not leak."""
SLOWEST = 6
"""Poles of an arm on a cylinder with oil that are given: the slowest."""


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
        Speed per position error of the loop at rest, 1/s; nan if the gain at rest is not one (a cylinder that leaks).
    poles, zeros : tuple of complex
        In rad/s, one of each conjugate pair; of a cylinder with oil the six slowest poles of the arm on it, and no zeros.
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


def load_control(whom: str = "Bode plots") -> Any:
    """The library python-control, or a sentence on who needs it and how to get it."""
    try:
        import control
    except ImportError:
        raise FlexarmError(f"{whom} need python-control: install it with  pip install 'flexarm[control]'") from None
    return control


@with_one_blas_thread
def bode(scenario: Scenario, joint: str | None = None, hz: Any = None) -> list[Bode]:
    """Frequency responses of the actuators of a scenario that shape a command.

    Parameters
    ----------
    scenario : Scenario
        With actuators of type transfer or hydraulic. One with oil moves its joint by its position loop.
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
    chosen = {name: actuator for name, actuator in drives.items() if joint in (None, name)}
    filters = {
        name: (*actuator.roots(), actuator.gain_at_rest)
        for name, actuator in chosen.items()
        if isinstance(actuator, Filter)
    }
    oil = [
        (name, actuator.loop_gain)
        for name, actuator in chosen.items()
        if isinstance(actuator, OilCylinder) and actuator.loop_gain
    ]
    if not filters and not oil:
        whom = f"joint '{joint}'" if joint is not None else "this arm"
        raise ScenarioError(
            f"{whom} has no actuator with a transfer function (type: transfer or hydraulic, with a position loop); "
            "a swept sine measures any drive",
            field="drive.actuator",
        )
    found = [
        transfer_bode(name, *transfer, _range(hz, transfer[0] + transfer[1])) for name, transfer in filters.items()
    ]
    return found + (_oil_bodes(scenario, oil, hz) if oil else [])


def _range(hz: Any, roots_of: Sequence[complex]) -> np.ndarray:
    """The frequencies that are asked for, or those around some roots (rad/s)."""
    if hz is not None:
        return np.atleast_1d(np.asarray(hz, dtype=float))
    sizes = np.abs(roots_of) / (2.0 * np.pi)
    return np.geomspace(sizes.min() / 100.0, sizes.max() * 10.0, POINTS)


def _oil_bodes(scenario: Scenario, joints: list[tuple[str, float]], hz: Any) -> list[Bode]:
    """Responses of cylinders with oil (joints with loop gains), on the arm at its start."""
    setup = prepare(scenario)
    wiring, pose = setup.program.wiring, scenario.arm.pose
    end, holding = scenario.time.end, setup.holding
    rests = holding.loads(pose)
    gains, arm = gains_at(setup.program, 0.0, end), held_at(holding, pose, row_at(setup.program, 0.0, end))
    closed = close_control_loops(arm, wiring, gains, rests)[0]
    every = roots(closed.M, closed.C, closed.K)
    slowest = min(gain for _, gain in joints)
    upper = sorted(every[(every.imag >= 0.0) & (np.abs(every) > LOCKED * slowest)], key=abs)
    if every.real.max(initial=-math.inf) > 0.0:
        raise ScenarioError(
            "the position loops of this arm are unstable: lower loop_gain", field="drive.actuator.loop_gain"
        )
    poles = tuple(complex(pole) for pole in upper[:SLOWEST])
    return [_oil_bode(name, arm, closed, wiring, gains, rests, poles, hz) for name, _ in joints]


def _oil_bode(
    joint: str, arm: LinearModel, closed: LinearModel, wiring: Wiring, gains: Any, rests: Any, poles: tuple[complex, ...], hz: Any
) -> Bode:  # fmt: skip
    control, frequencies = load_control(), _range(hz, poles)
    opened = close_control_loops(arm, _without_feedback(wiring, joint), gains, rests)[0]
    sense = closed.sensed[closed.inputs.index(joint)]
    force = (closed.K - opened.K) @ sense / (sense @ sense)

    def response(model: LinearModel, at: np.ndarray) -> np.ndarray:
        found = (np.linalg.solve(model.K + 1j * w * model.C - w * w * model.M, force) for w in 2.0 * np.pi * at)
        return np.array([sense @ each for each in found])

    low, high = _range(None, poles)[[0, -1]]
    fine = np.geomspace(float(low), float(high), FINE)
    loop, whole = response(opened, fine), response(closed, fine)
    slow = fine[0] * np.array([1.0, 0.1])
    speed, slower = 2.0 * np.pi * slow * np.abs(response(opened, slow))  # the same if the loop integrates
    gm, pm, _, _ = control.margin(np.abs(loop), np.degrees(np.unwrap(np.angle(loop))), 2.0 * np.pi * fine)
    below = np.flatnonzero(np.abs(whole) < math.sqrt(0.5) * abs(whole[0]))
    band = math.inf
    if len(below) and below[0]:
        pair = slice(below[0] - 1, below[0] + 1)
        band = float(np.interp(-math.sqrt(0.5) * abs(whole[0]), -np.abs(whole[pair]), fine[pair]))
    return Bode(
        joint, frequencies, response(closed, frequencies), band,
        math.inf if not math.isfinite(gm) else 20.0 * math.log10(gm), float(pm),
        float(speed) if abs(speed - slower) < 1e-2 * speed else math.nan, poles,
    )  # fmt: skip


def _without_feedback(wiring: Wiring, joint: str) -> Wiring:
    """The wiring with a valve that does not see the position of its joint."""

    def deaf(law: Law | None) -> Law | None:
        return replace(law, cylinder=replace(law.cylinder, loop_gain=0.0)) if law and law.cylinder else law

    return replace(wiring, joints=tuple(replace(j, law=deaf(j.law)) if j.name == joint else j for j in wiring.joints))


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
