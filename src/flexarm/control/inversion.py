"""Stable inversion: torques and joint motions that lead the tip of a flexible arm along a wanted motion.

The arm is linearised about a pose with its motors free, M q'' + C q' + K q = B tau, tip y = c q, joints theta = s q. With all its modes
(w_k, tip c_k, joints s_k, torques b_k; the rigid ones have w = 0),

    s^2 G(s) = sum_k c_k b_k^T s^2 / (s^2 + d_k s + w_k^2) ,      tau = (s^2 G)^-1 y_d'' = H y_d'' .

The poles of H are the zeros of the tip, some of them with positive real part z: the arm has to be bent before its tip begins to move and is bent
still when the tip has arrived. So H is not marched in time but applied by Fourier transform in a window that leaves room for that on both sides;
the torque that comes from it is bounded, begins about ln(1/e)/z before the tip (pre-actuation, for a share e of its peak) and ends as
late after it. With damping |H| grows without bound with the frequency, so the band is limited, and told. Zeros come from
the mesh of the method, never from a few modes.

The rigid part of the torque is that of the stiff arm along its whole path; what bending adds is taken from poses along the path,

    tau = tau_stiff(q, q', q'') + sum_p v_p(t) ((H_p - H_p(0)) y_d'')(t) ,

v_p hat functions of time around the instants of the poses: the memory of H is short, 1/z. Call that S(y_d). It leaves a tip error, since a bent arm
is not where the stiff one is and its loads differ in proportion. Runs of the nonlinear arm take it away: with the torques tau_n that acted in a run,
those of its weak joint law included, and the tip y_n that it reached,

    tau_{n+1} = tau_n + S(y_d) - S(y_n) ,                                                                            (C10)

the joint motions alike, so that the law has nothing left to do. S need only be right about the difference; Coriolis forces of the stiff arm are in
it. In gravity the arm rests in equilibrium at both ends, and the runs also find the joint positions with which it does so where the tip is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from flexarm.control.pose_inverse import PoseInverse, pose_inverse
from flexarm.control.tip_motion import TipMotion, tip_motion
from flexarm.drive import servo_gains
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.numerics.eigen import vibration
from flexarm.rigid import inertia_about, inverse_dynamics
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.run import simulate

MEMORY = 25.0
"""Room before and after the motion, in times 1/z of the slowest zero."""
SAMPLES = 2000
"""Times within the motion."""
CUT = 1e-6
"""Share of the peak below which the torque is cut off at both ends."""
POSES = 9
"""Along a large motion."""
CALM = 0.6
"""Time after the motion within which the error of a run fades out, as a share of it."""
PASSES, ENOUGH = 5, 2e-3
"""Runs whose error is taken away at most, and the share of the stiff arm's error with which they end."""
SMOOTH = 4.0
"""Width of the filter that smooths the error of a run (polynomials of degree 5), in times 1/z: it passes up to about 3 z."""


@dataclass(frozen=True)
class Inverse:
    """Torques and joint motions that lead the tip along a wanted motion.

    Attributes
    ----------
    joints : tuple of str
        The joints.
    time : ndarray, shape (n,)
        Times in s; the tip begins to move at 0.
    torque, position : ndarray, shape (n, joints)
        Torques in N m (N), and joint positions in rad (m).
    tip : ndarray, shape (n, coordinates)
        Wanted tip, m: x and y (and z), or the way across a single link.
    stiff_torque : ndarray, shape (n, joints)
        What the stiff arm would need.
    zeros : ndarray of complex
        Slowest zeros of the tip in rad/s, in the right half plane or on its edge.
    band : float
        Frequency in rad/s above which the wanted motion is not followed.
    tip_error, stiff_tip_error : float
        Largest distance in m between the tip and where it is wanted, in a forward run with a weak joint law: with these torques, and with
        those of the stiff arm; nan if it was not verified.
    notes : tuple of str
        What the user should know.
    """

    joints: tuple[str, ...]
    time: np.ndarray
    torque: np.ndarray
    position: np.ndarray
    tip: np.ndarray
    stiff_torque: np.ndarray
    stiff_position: np.ndarray
    zeros: np.ndarray
    band: float
    duration: float
    gains: tuple[tuple[float, float], ...]
    tip_error: float = math.nan
    stiff_tip_error: float = math.nan
    notes: tuple[str, ...] = ()
    scenario: Scenario = field(repr=False, compare=False, default=None)  # type: ignore[assignment]

    @property
    def peak(self) -> np.ndarray:
        """Largest torques, shape (joints,)."""
        return np.abs(self.torque).max(axis=0)

    @property
    def pre(self) -> float:
        """Time in s that the torques begin before the tip."""
        return -float(self.time[0])

    @property
    def post(self) -> float:
        """Time in s that the torques end after the tip."""
        return float(self.time[-1]) - self.duration

    def pre_actuation(self, share: float = 1e-3) -> np.ndarray:
        """Time in s before the tip begins to move at which each torque passes a share of its peak, shape (joints,)."""
        sizes = np.abs(self.torque) / (share * self.peak)
        found = []
        for size in sizes.T:
            k = max(int((size > 1.0).argmax()), 1)
            found.append(np.interp(1.0, size[k - 1 : k + 1], self.time[k - 1 : k + 1]))
        return np.maximum(-np.array(found), 0.0)

    @cached_property
    def _splines(self) -> Any:
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.time, np.hstack([self.torque, self.position]))

    def torque_at(self, t: Any) -> np.ndarray:
        """Torques at times in s, shape (n, joints); before and after those that hold the arm against gravity, else zero."""
        t = np.atleast_1d(np.asarray(t, dtype=float))
        inside = (t >= self.time[0]) & (t <= self.time[-1])
        known = self._splines(np.clip(t, self.time[0], self.time[-1]))[:, : len(self.joints)]
        return np.where(inside[:, None] | any(self.scenario.arm.gravity), known, 0.0)

    def error_in(self, method: str, **options: Any) -> float:
        """Largest distance in m between the tip and where it is wanted, in a forward run by another method."""
        other = self.scenario.with_({"method": {"name": method, **options}})
        coordinates = ("tip.travel",) if self.tip.shape[1] == 1 else ("tip.x", "tip.y", "tip.z")[: self.tip.shape[1]]
        return _farthest(self.tip, run_tip(other, self.time, self.torque, self.position, self.gains, coordinates).tip)

    @property
    def drive(self) -> list[dict[str, Any]]:
        """Drives of a scenario, from the beginning of the torques on: ``scenario.with_({"drive": made.drive})``; a weak law on the joints
        keeps the arm from drifting."""
        return _drives(
            self.joints,
            self.time - self.time[0],
            self.torque,
            self.position,
            self.gains,
            any(self.scenario.arm.gravity),
        )

    def __repr__(self) -> str:
        peaks = ", ".join(f"{name} {value:.4g}" for name, value in zip(self.joints, self.peak, strict=True))
        checked = (
            ""
            if math.isnan(self.tip_error)
            else f"; tip error {1e3 * self.tip_error:.4g} mm ({1e3 * self.stiff_tip_error:.4g} mm stiff)"
        )
        return f"Inverse over {self.duration:g} s, {1e3 * self.pre:.4g} ms before and {1e3 * self.post:.4g} ms after, peak torques {peaks}{checked}"


def _drives(
    joints: Sequence[str], time: np.ndarray, torque: np.ndarray, position: np.ndarray, gains: Any, weighs: bool
) -> list[dict[str, Any]]:
    def table(values: np.ndarray) -> dict[str, Any]:
        return {"profile": "table", "interpolate": "cubic", "points": np.stack([time, values], axis=1).tolist()}

    return [
        {
            "joint": name, "motion": table(position[:, k]),
            "torque": [table(torque[:, k]), {"profile": "constant", "amplitude": float(torque[-1, k]) if weighs else 0.0}],
            "control": {"type": "pd", "kp": gains[k][0], "kv": gains[k][1]},
        }
        for k, name in enumerate(joints)
    ]  # fmt: skip


@with_one_blas_thread
def inverse(
    scenario: Scenario | str | Path,
    tip: Any,
    *,
    poses: int | None = None,
    linear: bool = False,
    quasi_static: bool = False,
    band: float | None = None,
    passes: int | None = None,
    verify: bool = True,
) -> Inverse:
    """Torques and joint motions that lead the tip of a flexible arm along a wanted motion.

    Parameters
    ----------
    scenario : Scenario, str or Path
        Arm and method; its drives do not count. Serial arms with as many joints as the tip has coordinates, or a single link in the plane.
        In gravity they rest in equilibrium before and after.
    tip : mapping
        Wanted motion of the tip from rest to rest: a path as in a scenario, ``{"shape": "line", "to": [...], "duration": 0.5, "timing": "nonic"}``;
        for a single link a profile of the way across it, ``{"profile": "nonic", "by": 0.3, "duration": 0.6}``. Four continuous
        derivatives (``nonic``) are best.
    poses : int, optional
        At how many instants of the motion the arm is linearised; default 1 for a single link, else 9.
    linear : bool
        Small motions about the start pose: the stiff part is linear too.
    quasi_static : bool
        Only aim the joints at the wanted tip less the static deflection under the inertia forces of the stiff arm, once: for joints that are led
        by motions, or slow moves. It has no pre-actuation.
    band : float, optional
        Band limit in rad/s; default half of the mesh's highest frequency, for damped arms 25 times the slowest zero, and below zeros on the imaginary
        axis.
    passes : int, optional
        How often the tip error of a run of the nonlinear arm is taken away at most; the best of all is kept. Default 5 for several joints and
        in gravity.
    verify : bool
        Run the arm with the torques and a weak joint law, and tell the tip error that is left; without it there are no passes.

    Examples
    --------
    >>> import flexarm as fa
    >>> made = fa.inverse("tokhi-azad", {"profile": "nonic", "by": 0.288, "duration": 0.6}, verify=False)
    >>> round(float(made.peak[0]), 3), (1e3 * made.pre_actuation(1e-3)).round(1)
    (0.354, array([54.3]))
    """
    used = as_scenario(scenario)
    arm = used.arm
    if arm.loops or not arm.serial:
        raise ScenarioError("the inverse of a tip motion is for serial arms", field="arm")
    if any(arm.link(name).joint.type != "revolute" for name in arm.joints):
        raise ScenarioError("the inverse of a tip motion is for revolute joints", field="arm.links")
    weighs = any(arm.gravity) and (arm.spatial or any(arm.gravity[:2]))
    if weighs and (linear or quasi_static or not verify):
        raise ScenarioError(
            "in gravity the inverse of a tip motion is found by runs of the arm: leave out linear, quasi_static and verify=False",
            field="arm.gravity",
        )
    task = tip_motion(arm, tip)
    count = 1 if linear or len(arm.joints) == 1 else POSES if poses is None else poses
    if count < 1 or (passes or 0) < 0 or (passes and (quasi_static or not verify)):
        raise FlexarmError(
            "poses is at least 1, passes at least 0, and passes go with verify, without quasi_static", field="poses"
        )
    tried = [_Solver(used, task, count, linear, band, quasi_static)]
    if not verify:
        return tried[0].inverse()
    once = linear or quasi_static or (len(arm.joints) == 1 and not weighs)
    first = tried[0]
    stiff = _farthest(first.wanted[0], run_tip(used, first.time, *first.stiff, first.gains, task.coordinates).tip)
    for _ in range((0 if once else PASSES) if passes is None else passes):
        if tried[-1].left < ENOUGH * stiff:
            break
        tried.append(tried[-1].improved())
    best = min(tried, key=lambda each: each.left)
    return replace(best.inverse(), tip_error=best.left, stiff_tip_error=stiff)


class Run(NamedTuple):
    """Tip (n, m), torques of the motors (n, joints) and joint positions (n, joints) of a run."""

    tip: np.ndarray
    torque: np.ndarray
    position: np.ndarray


@dataclass(frozen=True)
class _Solver:
    """An inverse on its way: time grid, linear inverses at poses, and the run from which it goes on; none to begin with."""

    scenario: Scenario
    task: TipMotion
    count: int
    linear: bool
    wanted_band: float | None
    quasi_static: bool = False
    base: Run | None = None

    @cached_property
    def knots(self) -> np.ndarray:
        """Instants of the poses, s."""
        return np.linspace(0.0, self.task.duration, self.count) if self.count > 1 else np.zeros(1)

    @cached_property
    def inverses(self) -> list[PoseInverse]:
        poses = self.task.joints(self.task.evaluate(self.knots))[0]
        return [pose_inverse(self.scenario, pose.tolist(), self.task.coordinates) for pose in poses]

    @cached_property
    def band(self) -> float:
        return min(each.band(self.wanted_band) for each in self.inverses)

    @cached_property
    def time(self) -> np.ndarray:
        room, T = MEMORY / self.inverses[0].slowest, self.task.duration
        step = T / SAMPLES
        before, after = math.ceil(room / step), math.ceil(max(room, CALM * T) / step)
        return step * np.arange(-before, SAMPLES + after + 1)

    @cached_property
    def wanted(self) -> np.ndarray:
        """The tip with two derivatives, (3, n, m)."""
        return self.task.evaluate(self.time)

    @cached_property
    def stiff(self) -> tuple[np.ndarray, np.ndarray]:
        """Torques and joint positions of the stiff arm, (n, joints) each."""
        return self._stiff(self.wanted)

    def _stiff(self, tips: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not self.linear:
            joints = self.task.joints(tips)
            return inverse_dynamics(self.scenario.arm, *joints), joints[0]
        first = self.inverses[0]
        return tips[2] @ first.stiff.T, np.array(self.scenario.arm.pose) + (tips[0] - self.wanted[0, 0]) @ first.share.T

    @cached_property
    def swept(self) -> tuple[np.ndarray, np.ndarray]:
        """Torques and joint positions of the stiff arm, aimed at the wanted tip less the static deflection on the way, (n, joints) each."""
        from scipy.interpolate import make_interp_spline

        turning = self.task.joints(self.wanted)[2]
        hats = np.array([np.interp(self.time, self.knots, row) for row in np.eye(self.count)])
        bent = np.einsum("pt,pij,tj->ti", hats, np.array([each.deflection for each in self.inverses]), turning)
        still = np.zeros_like(self.wanted[0])
        position = self.task.joints(np.stack([self.wanted[0] - bent, still, still]))[0]
        spline = make_interp_spline(self.time, position, k=5)
        return inverse_dynamics(
            self.scenario.arm, position, *(spline.derivative(k)(self.time) for k in (1, 2))
        ), position

    @cached_property
    def solution(self) -> tuple[np.ndarray, np.ndarray]:
        """Torques and joint positions of the flexible arm, (n, joints) each."""
        if self.quasi_static:
            return self.swept
        turning = self.task.joints(self.wanted)[2]
        if self.base is None:
            bent = self._bent(turning)
            return self.stiff[0] + bent[0], self.stiff[1] + bent[1]
        reached = self.wanted - self._smoothed(self.wanted[0] - self.base.tip)
        T = self.task.duration
        late = np.clip(2.0 * (self.time - T) / (self.time[-1] - T) - 1.0, 0.0, 1.0)
        fade = 0.5 * (1.0 + np.cos(np.pi * late))[:, None]
        bent, known = self._bent(fade * (turning - self.task.joints(reached)[2])), self._stiff(reached)
        torque = self.base.torque + self.stiff[0] - known[0] + bent[0]
        return torque, self.base.position + self.stiff[1] - known[1] + bent[1]

    def _bent(self, turning: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Torques and joint positions that bending adds to those of the stiff arm with joint accelerations (n, joints), (n, joints) each."""
        step = float(self.time[1] - self.time[0])
        pushes = [self.wanted[2] if self.linear else turning @ np.linalg.inv(each.share).T for each in self.inverses]
        parts = [each.apply(push, step, self.band) for each, push in zip(self.inverses, pushes, strict=True)]
        hats = [np.interp(self.time, self.knots, row)[:, None] for row in np.eye(self.count)]
        torque, position = (sum(hat * part[k] for hat, part in zip(hats, parts, strict=True)) for k in (0, 1))
        return torque, position  # type: ignore[return-value]

    def _smoothed(self, error: np.ndarray) -> np.ndarray:
        """The error of a run (n, m) with two derivatives, (3, n, m), by polynomials of degree 5."""
        from scipy.signal import savgol_filter

        step = float(self.time[1] - self.time[0])
        width = max(2 * round(0.5 * SMOOTH / self.inverses[0].slowest / step) + 1, 7)
        return np.stack([savgol_filter(error, width, 5, deriv=k, delta=step, axis=0) for k in range(3)])

    def improved(self) -> _Solver:
        """From here on, with the tip error of a run taken away."""
        made = replace(self, base=self.reached)
        for name in ("knots", "inverses", "band", "time", "wanted", "gains", "stiff"):  # they stay the same
            if name in self.__dict__:
                made.__dict__[name] = self.__dict__[name]
        return made

    @cached_property
    def gains(self) -> tuple[tuple[float, float], ...]:
        """A weak law: a quarter of the first frequency with clamped joints, critically damped."""
        arm = self.scenario.arm
        linear = self.inverses[0].linear
        keep = _without_rows(linear.sensed)
        locked = vibration(keep.T @ linear.M @ keep, np.zeros((keep.shape[1],) * 2), keep.T @ linear.K @ keep, 1)
        return tuple(servo_gains(inertia_about(arm, name, arm.pose), 0.5 * float(locked.hz[0])) for name in arm.joints)

    @cached_property
    def reached(self) -> Run:
        """A run with the solution."""
        return run_tip(self.scenario, self.time, *self.solution, self.gains, self.task.coordinates)

    @cached_property
    def left(self) -> float:
        """Largest distance of the tip from where it is wanted in a run with the solution, m."""
        return _farthest(self.wanted[0], self.reached.tip)

    def inverse(self) -> Inverse:
        """The solution, cut off at both ends where it is nothing."""
        torque, position = self.solution
        size = (CUT if self.base is None else 10.0 * CUT) * np.abs(torque - torque[0]).max(
            axis=0
        )  # runs find it less exactly
        acts = ((np.abs(torque - end) > size).any(axis=1) for end in (torque[0], torque[-1]))
        above = np.concatenate(
            [np.flatnonzero(each)[part : part + 1 or None] for each, part in zip(acts, (0, -1), strict=True)]
        )
        inside = np.flatnonzero((self.time >= 0.0) & (self.time <= self.task.duration))
        part = slice(max(min(above[0], inside[0]) - 1, 0), min(max(above[-1], inside[-1]) + 2, len(self.time)))
        band = min(self.band, math.pi * SAMPLES / self.task.duration)  # samples show no more
        notes = [f"the tip is led up to {band:.4g} rad/s, above that the wanted motion is not followed"]
        return Inverse(
            tuple(self.scenario.arm.joints), self.time[part], torque[part], position[part], self.wanted[0][part],
            self.stiff[0][part], self.stiff[1][part], self.inverses[0].zeros[:6], band, self.task.duration, self.gains,
            notes=tuple(notes), scenario=self.scenario,
        )  # fmt: skip


def run_tip(
    scenario: Scenario,
    time: np.ndarray,
    torque: np.ndarray,
    position: np.ndarray,
    gains: Any,
    coordinates: Sequence[str],
) -> Run:
    """A forward run of the arm with torques and joint positions (n, joints) and a law with gains (kp, kv) on the joints."""
    since, arm = time - time[0], scenario.arm
    changes = {
        "drive": _drives(arm.joints, since, torque, position, gains, any(arm.gravity)), "events": None,
        "time": {"end": float(since[-1]), "step": "auto", **({"start": "equilibrium"} if any(arm.gravity) else {})},
        "output": {"every": float(since[1])},
        **{f"arm.links.{name}.joint.position": float(position[0, k]) for k, name in enumerate(arm.joints)},
    }  # fmt: skip
    result = simulate(scenario.with_(changes), warn=False)
    if not result.success:
        raise FlexarmError(f"the arm could not be run with its inverse: {result.message}")
    data = result.data
    rows = (
        data.travel.values[None] if coordinates == ("tip.travel",) else data.tip_position.values.T[: len(coordinates)]
    )
    found = [np.asarray(rows).T, data.drive_torque.values, data.joint_position.values]
    return Run(*(np.stack([np.interp(since, data.time.values, row) for row in each.T], axis=1) for each in found))


def _farthest(wanted: np.ndarray, reached: np.ndarray) -> float:
    return float(np.linalg.norm(wanted - reached, axis=1).max())


def _without_rows(rows: np.ndarray) -> np.ndarray:
    """Basis, in columns, of the coordinates for which some rows (m, n) are zero."""
    from scipy.linalg import null_space

    return np.asarray(null_space(rows))
