"""Torques that turn a joint from rest to rest and leave no vibration in some modes: in the least time, or with the least effort.

The joint turns the inertia J rigidly and excites modes with poles s = -zeta w +- i w_d. At the time T all is at rest, and the joint has turned by
theta, if

    int tau dt = 0 ,      int t tau dt = -J theta ,      int e^(zeta w t) (cos, sin)(w_d t) tau dt = 0    for each mode.

Least time with |tau| <= u: tau is u or -u, with 2 n + 1 changes of sign for n modes. Where they lie is found roughly by a linear
programme (the largest angle that is reached in T, for torques that are constant in small intervals, and T so that it is theta) and then by
Newton's method on the equations above, in which the integrals are known in closed form. A linear programme has one optimum, so
of the several solutions of these equations the fastest is found.

Least effort int tau^2 dt in a given T: tau = c_0 + c_1 t + sum e^(zeta w t) (c cos + d sin)(w_d t), with constants from the equations above.
The samples of the command are chosen so that the cubic spline between them, which a drive follows, fulfils the equations itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError, ScenarioError
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.numerics.gauss import gauss
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.program import unshaped_program
from flexarm.simulation.shaping import modes_as_driven

INTERVALS = 1600
"""Of the linear programme."""
SAMPLES_PER_PERIOD, FEWEST, NODES = 50, 200, 8
"""Of a command with least effort: samples per period of the highest mode, the least in all, and Gauss points between two of them."""
MET = 1e-9
"""How well the equations are fulfilled, as a share of what the torque could do against them."""


@dataclass(frozen=True)
class RestToRest:
    """A torque from rest to rest.

    Attributes
    ----------
    by : float
        Angle (or way) by which the joint turns, rad (m).
    inertia : float
        What it turns, kg m^2 (kg).
    hz, damping : tuple of float
        The modes that it leaves at rest.
    times, values : ndarray, shape (n,)
        Times in s and torques in N m (N). With `held` each value holds until the next time (a change of sign), else a cubic spline lies
        between them.
    held : bool
        Least time (True) or least effort.
    """

    by: float
    inertia: float
    hz: tuple[float, ...]
    damping: tuple[float, ...]
    times: np.ndarray
    values: np.ndarray
    held: bool

    @property
    def duration(self) -> float:
        """How long it lasts, s."""
        return float(self.times[-1])

    @property
    def peak(self) -> float:
        """Largest torque, N m (N)."""
        return float(np.abs(self.values).max())

    @cached_property
    def _spline(self) -> Any:
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.times, self.values, bc_type="natural")

    def torque(self, t: Any) -> np.ndarray:
        """Torque in N m (N) at times in s; zero outside."""
        t = np.asarray(t, dtype=float)
        inside = (t >= 0.0) & (t < self.duration)
        at = np.clip(np.searchsorted(self.times, t, "right") - 1, 0, len(self.times) - 1)
        return np.where(inside, self.values[at] if self.held else self._spline(t), 0.0)

    @property
    def effort(self) -> float:
        """Integral of the squared torque over time, N^2 m^2 s (N^2 s)."""
        if self.held:
            return float(np.sum(self.values[:-1] ** 2 * np.diff(self.times)))
        nodes, weights = _quadrature(self.times)
        return float(np.sum(weights * self._spline(nodes) ** 2))

    @property
    def profile(self) -> list[dict[str, Any]]:
        """The torque as a field of a drive: ``scenario.with_({"drive.link.torque": made.profile})``."""
        points = np.stack([self.times, self.values], axis=1).tolist()
        table = {"profile": "table", "interpolate": "hold" if self.held else "cubic", "points": points}
        # a table keeps its last value: what follows takes it away
        return [table] if self.held else [table, {"profile": "constant", "amplitude": 0.0}]

    def __repr__(self) -> str:
        modes = ", ".join(f"{f:.4g}" for f in self.hz)
        what = f"least time, {len(self.times) - 2} changes of sign" if self.held else f"least effort {self.effort:.4g}"
        return (
            f"RestToRest by {self.by:.4g} in {self.duration:.6g} s, {what}, at most {self.peak:.4g}; "
            f"{f'at rest: {modes} Hz' if modes else 'no mode counted'}"
        )


@with_one_blas_thread
def rest_to_rest(
    scenario: Scenario | str | Path | float | Sequence[float],
    *,
    by: float,
    limit: float | None = None,
    modes: int | Sequence[int] = 1,
    energy: bool = False,
    time: float | None = None,
    joint: str | None = None,
    inertia: float | None = None,
    damping: float | Sequence[float] = 0.0,
) -> RestToRest:
    """The torque that turns a joint from rest to rest and leaves no vibration in the modes that are counted.

    Parameters
    ----------
    scenario : Scenario, str, Path, float or sequence of float
        A scenario with a joint on a torque; or natural frequencies in Hz (joint free), with `inertia`.
    by : float
        Angle in rad (way in m).
    limit : float, optional
        Largest torque in N m (force in N). Needed for the least time; with `time` it is checked.
    modes : int or sequence of int
        Of a scenario: how many of the lowest modes, or their numbers. 0: the arm counts as stiff.
    energy : bool
        Least effort, the integral of the squared torque, in the duration `time`; meant as well where `time` is given.
    time : float, optional
        Duration in s. Left out: least time.
    joint : str, optional
        The joint; default the only one on a torque.
    inertia : float, optional
        With frequencies: what the joint turns rigidly, kg m^2 (kg).
    damping : float or sequence of float
        With frequencies: damping ratios.

    Examples
    --------
    >>> import flexarm as fa
    >>> fa.rest_to_rest([], inertia=0.05, by=0.2, limit=0.1)
    RestToRest by 0.2 in 0.632456 s, least time, 1 changes of sign, at most 0.1; no mode counted
    """
    if not math.isfinite(by) or by == 0.0:
        raise FlexarmError(f"by is the angle or way of the motion, not {by:g}", field="by")
    for name, value in (("limit", limit), ("time", time), ("inertia", inertia)):
        if value is not None and not 0.0 < value < math.inf:
            raise FlexarmError(f"{name} must be positive, not {value:g}", field=name)
    if energy and time is None:
        raise FlexarmError("the least effort is that of a given duration: give time", field="time")
    if limit is None and time is None:
        raise FlexarmError(
            "the least time needs the largest torque: give limit, or give time for the least effort", field="limit"
        )
    if isinstance(scenario, (Scenario, str, Path)):
        if inertia is not None or np.any(damping):
            raise FlexarmError("inertia and damping of a scenario follow from its arm: leave them out")
        turned, hz, ratios = _of_arm(as_scenario(scenario), joint, modes)
    else:
        hz = tuple(float(f) for f in np.atleast_1d(np.asarray(scenario, dtype=float)))
        given = [float(z) for z in np.ravel(damping)]
        ratios = tuple(given * len(hz) if len(given) == 1 else given)
        if inertia is None:
            raise FlexarmError("give inertia: what the joint turns rigidly, kg*m^2", field="inertia")
        if len(ratios) != len(hz) or any(f <= 0.0 for f in hz) or any(not 0.0 <= z < 1.0 for z in ratios):
            raise FlexarmError("frequencies are positive, and each has a damping ratio from 0 to 1", field="damping")
        turned = inertia
    wanted = _Conditions(2.0 * np.pi * np.array(hz), np.array(ratios))
    if time is not None:
        times, values = _least_effort(wanted, turned * by, time)
    else:
        assert limit is not None
        times, values = _least_time(wanted, turned * by, limit)
    made = RestToRest(by, turned, hz, ratios, times, values, time is None)
    if limit is not None and made.peak > limit * (1.0 + 1e-9):
        raise FlexarmError(
            f"the motion takes {made.peak:.4g} in {time:g} s, more than the limit of {limit:g}: give more time",
            field="time",
        )
    return made


def _of_arm(scenario: Scenario, joint: str | None, modes: int | Sequence[int]) -> tuple[float, tuple, tuple]:
    """Inertia about the joint, frequencies in Hz and damping ratios of the modes as the arm is driven."""
    from flexarm.rigid import inertia_about, inverse_dynamics

    arm, program = scenario.arm, unshaped_program(scenario)
    driven = [j.name for j in program.wiring.joints if j.mode == "torque" and (j.law is None or j.law.period == 0.0)]
    driven = [name for name in driven if not any(line.schedule for line in program.lines if line.name == name)]
    name = joint if joint is not None else driven[0] if len(driven) == 1 else ""
    if name not in driven:
        raise ScenarioError(
            f"a torque from rest to rest is for one joint that is driven by torque, without a law; here {', '.join(driven) or 'none'} is",
            field="drive",
        )
    loose = [j.name for j in program.wiring.joints if j.mode != "motion" and j.name != name]
    if loose or arm.loops:
        raise ScenarioError(
            f"the other joints must be held by a motion, but {', '.join(loose) or 'loops'} would turn", field="drive"
        )
    still = np.zeros((1, len(arm.joints)))
    if (
        any(arm.gravity)
        and np.abs(inverse_dynamics(arm, np.array([arm.pose]), still, still)[0, arm.joints.index(name)]) > 1e-9
    ):
        raise ScenarioError("the arm would not rest: gravity turns the joint; leave gravity out", field="arm.gravity")
    numbers = tuple(range(1, modes + 1)) if isinstance(modes, (int, np.integer)) else tuple(int(k) for k in modes)
    if any(k < 1 for k in numbers) or len(set(numbers)) < len(numbers) or (isinstance(modes, int) and modes < 0):
        raise FlexarmError("modes is how many of them are counted, or a list of their numbers from 1 on", field="modes")
    if not numbers:
        return inertia_about(arm, name, arm.pose), (), ()
    hz, damping = modes_as_driven(scenario, program, numbers, "modes")(0.0, np.array(arm.pose))
    return inertia_about(arm, name, arm.pose), tuple(hz.tolist()), tuple(damping.tolist())


class _Conditions:
    """What a torque must fulfil: integrals of it with some functions are zero, and that with t has a given value.

    Times are counted from the middle of the motion and in halves of its duration, x from -1 to 1: functions 1, x, and
    e^(zeta w T/2 (x - 1)) (cos, sin)(w_d T/2 x) for each mode.
    """

    def __init__(self, omega: np.ndarray, damping: np.ndarray):
        self.decay, self.swing = damping * omega, omega * np.sqrt(1.0 - damping**2)
        self.count = 2 + 2 * len(omega)

    def functions(self, x: np.ndarray, half: float) -> np.ndarray:
        """Values at x, shape (count, n); `half` is half of the duration in s."""
        rows = [np.ones_like(x), x]
        for decay, swing in zip(self.decay * half, self.swing * half, strict=True):
            size = np.exp(decay * (x - 1.0))
            rows += [size * np.cos(swing * x), size * np.sin(swing * x)]
        return np.array(rows)

    def integrals(self, x: np.ndarray, half: float) -> np.ndarray:
        """Antiderivatives at x with respect to x, shape (count, n)."""
        rows = [x, 0.5 * x**2]
        for decay, swing in zip(self.decay * half, self.swing * half, strict=True):
            turning = np.exp(decay * (x - 1.0) + 1j * swing * x) / (decay + 1j * swing)
            rows += [turning.real, turning.imag]
        return np.array(rows)


def _least_time(wanted: _Conditions, push: float, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """Times of the changes of sign, with both ends, and the torque after each; `push` is inertia times angle."""
    from scipy.optimize import brentq, least_squares

    stiff = 2.0 * math.sqrt(abs(push) / limit)
    if wanted.count == 2:
        return np.array([0.0, 0.5, 1.0]) * stiff, math.copysign(limit, push) * np.array([1.0, -1.0, 0.0])
    edges = np.linspace(-1.0, 1.0, INTERVALS + 1)

    def programme(T: float) -> np.ndarray:
        from scipy.optimize import linprog

        cells = np.diff(wanted.integrals(edges, 0.5 * T), axis=1)
        others = np.delete(cells, 1, axis=0)
        found = linprog(
            cells[1],
            A_eq=others / np.abs(others).sum(axis=1, keepdims=True),
            b_eq=np.zeros(len(others)),
            bounds=(-1.0, 1.0),
        )
        return np.asarray(found.x)

    def reached(T: float) -> float:
        """Largest angle in T over the wanted one, less one; -int x tau dx (T/2)^2 is inertia times angle."""
        moment = -float(np.diff(wanted.integrals(edges, 0.5 * T), axis=1)[1] @ programme(T))
        return limit * moment * (0.5 * T) ** 2 / abs(push) - 1.0

    longest = stiff
    while reached(longest) < 0.0:
        longest *= 1.2
    T = stiff if longest == stiff else float(brentq(reached, longest / 1.2, longest, xtol=1e-6 * stiff, rtol=1e-9))
    places = _switches(programme(T), edges)

    def missing(unknown: np.ndarray) -> np.ndarray:
        half, ends = 0.5 * stiff * unknown[0], np.concatenate([[-1.0], unknown[1:], [1.0]])
        pieces = np.diff(wanted.integrals(ends, half), axis=1) @ (-1.0) ** np.arange(len(ends) - 1)
        pieces[1] = limit * -pieces[1] * half**2 / abs(push) - 1.0
        return pieces

    found = least_squares(missing, np.concatenate([[T / stiff], places]), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    if np.abs(found.fun).max() > MET or np.any(np.diff([-1.0, *found.x[1:], 1.0]) <= 0.0):
        raise FlexarmError(
            "no torque of least time was found: the modes are too close together or too many; count fewer of them",
            field="modes",
        )
    T = stiff * float(found.x[0])
    times = 0.5 * T * (1.0 + np.concatenate([[-1.0], found.x[1:], [1.0]]))
    signs = (-1.0) ** np.arange(len(times))
    signs[-1] = 0.0
    return times, math.copysign(limit, push) * signs


def _switches(rough: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Where a torque changes its sign that is constant in cells, -1 to 1, and between these values only around the changes."""
    width, places, k = float(edges[1] - edges[0]), [], 0
    sign = np.sign(rough[0])
    while k < len(rough):
        if sign * rough[k] > 0.999:
            k += 1
            continue
        first = k
        while k < len(rough) and abs(rough[k]) <= 0.999:
            k += 1
        after = np.sign(rough[k]) if k < len(rough) else -sign
        # with the sign for the share a of these cells, then the other one: their sum is sign (2 a - count)
        count, total = k - first, float(rough[first:k].sum())
        if after != sign:
            places.append(float(edges[first]) + 0.5 * width * (count + sign * total))
            sign = after
    return np.array(places)


def _least_effort(wanted: _Conditions, push: float, T: float) -> tuple[np.ndarray, np.ndarray]:
    """Sample times and torques; `push` is inertia times angle."""
    from scipy.interpolate import CubicSpline

    half = 0.5 * T
    fastest = float(wanted.swing.max(initial=0.0)) / (2.0 * np.pi)
    x = np.linspace(-1.0, 1.0, 1 + max(FEWEST, math.ceil(SAMPLES_PER_PERIOD * T * fastest)))
    splines = CubicSpline(x, wanted.functions(x, half).T, bc_type="natural")
    nodes, weights = _quadrature(x)
    gram = np.einsum("in,nj,n->ij", wanted.functions(nodes, half), splines(nodes), weights)
    aim = np.zeros(wanted.count)
    aim[1] = -push / half**2
    scale = np.sqrt(np.diag(gram))
    constants = np.linalg.lstsq(gram / np.outer(scale, scale), aim / scale, rcond=1e-13)[0] / scale
    if np.abs((gram @ constants - aim) / scale).max() > MET * np.abs(aim / scale).max():
        raise FlexarmError(
            "these modes are too close together for a torque from rest to rest: count fewer", field="modes"
        )
    return half * (1.0 + x), wanted.functions(x, half).T @ constants


def _quadrature(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights between all edges, shape (n,) each."""
    places, weights = gauss(NODES)
    halves = 0.5 * np.diff(edges)[:, None]
    return (edges[:-1, None] + halves * (1.0 + places)).ravel(), (halves * weights).ravel()
