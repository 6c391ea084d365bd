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

v_p hat functions of time around the instants of the poses: the memory of H is short, 1/z. What large motions leave of the tip error e is taken
away by runs of the nonlinear arm: the tip is aimed at y_d + e in place of y_d.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

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
PASSES = 2
"""Runs whose error is taken away."""
TAKEN = 1.5
"""Band within which the error of a run is taken away, in times z."""
_STEP = np.polynomial.Polynomial([0.0, 0.0, 0.0, 0.0, 0.0, 126.0, -420.0, 540.0, -315.0, 70.0])
"""From 0 to 1 with four derivatives that vanish at both ends."""


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
        """Torques at times in s, shape (n, joints); zero outside."""
        t = np.atleast_1d(np.asarray(t, dtype=float))
        inside = (t >= self.time[0]) & (t <= self.time[-1])
        return np.where(inside[:, None], self._splines(t)[:, : len(self.joints)], 0.0)

    def error_in(self, method: str, **options: Any) -> float:
        """Largest distance in m between the tip and where it is wanted, in a forward run by another method."""
        other = self.scenario.with_({"method": {"name": method, **options}})
        coordinates = ("tip.travel",) if self.tip.shape[1] == 1 else ("tip.x", "tip.y", "tip.z")[: self.tip.shape[1]]
        return _farthest(self.tip, run_tip(other, self.time, self.torque, self.position, self.gains, coordinates))

    @property
    def drive(self) -> list[dict[str, Any]]:
        """Drives of a scenario, from the beginning of the torques on: ``scenario.with_({"drive": made.drive})``; a weak law on the joints
        keeps the arm from drifting."""
        return _drives(self.joints, self.time - self.time[0], self.torque, self.position, self.gains)

    def __repr__(self) -> str:
        peaks = ", ".join(f"{name} {value:.4g}" for name, value in zip(self.joints, self.peak, strict=True))
        checked = (
            ""
            if math.isnan(self.tip_error)
            else f"; tip error {1e3 * self.tip_error:.4g} mm ({1e3 * self.stiff_tip_error:.4g} mm stiff)"
        )
        return f"Inverse over {self.duration:g} s, {1e3 * self.pre:.4g} ms before and {1e3 * self.post:.4g} ms after, peak torques {peaks}{checked}"


def _drives(
    joints: Sequence[str], time: np.ndarray, torque: np.ndarray, position: np.ndarray, gains: Any
) -> list[dict[str, Any]]:
    def table(values: np.ndarray) -> dict[str, Any]:
        return {"profile": "table", "interpolate": "cubic", "points": np.stack([time, values], axis=1).tolist()}

    return [
        {
            "joint": name, "motion": table(position[:, k]), "torque": [table(torque[:, k]), {"profile": "constant", "amplitude": 0.0}],
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
        Arm and method; its drives do not count. Serial arms with as many joints as the tip has coordinates, or a single link in the plane;
        without gravity in their plane.
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
        How often the tip error of a run of the nonlinear arm is taken away; the best of all is kept. Default 2 for several joints.
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
    if any(arm.gravity) and (arm.spatial or any(arm.gravity[:2])):
        raise ScenarioError(
            "the inverse of a tip motion is for arms without gravity in their plane of motion", field="arm.gravity"
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
    wanted = (0 if linear or quasi_static or len(arm.joints) == 1 else PASSES) if passes is None else passes
    for _ in range(wanted):
        tried.append(tried[-1].improved())
    first, best = tried[0], min(tried, key=lambda each: each.left)
    stiff = run_tip(used, first.time, *first.stiff, first.gains, task.coordinates)
    return replace(best.inverse(), tip_error=best.left, stiff_tip_error=_farthest(first.wanted[0], stiff))


@dataclass(frozen=True)
class _Solver:
    """An inverse on its way: time grid, linear inverses at poses, and where the tip is aimed at.

    `aim` is what is added to the wanted tip, with two derivatives, (3, n, m); nothing to begin with.
    """

    scenario: Scenario
    task: TipMotion
    count: int
    linear: bool
    wanted_band: float | None
    quasi_static: bool = False
    aim: np.ndarray | float = 0.0

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
        tips = self.wanted + self.aim
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
        step, tips = float(self.time[1] - self.time[0]), self.wanted + self.aim
        turning = self.task.joints(tips)[2]
        pushes = [tips[2] if self.linear else turning @ np.linalg.inv(each.share).T for each in self.inverses]
        parts = [each.apply(push, step, self.band) for each, push in zip(self.inverses, pushes, strict=True)]
        hats = [np.interp(self.time, self.knots, row)[:, None] for row in np.eye(self.count)]
        torque, position = (sum(hat * part[k] for hat, part in zip(hats, parts, strict=True)) for k in (0, 1))
        return self.stiff[0] + torque, self.stiff[1] + position

    def improved(self) -> _Solver:
        """Aimed so that the tip error of a run is taken away."""
        step, slow = float(self.time[1] - self.time[0]), self.inverses[0].slowest
        T, error = self.task.duration, self.wanted[0] - self.reached
        fade = (
            0.5 * (1.0 + np.cos(np.pi * np.clip(2.0 * (self.time - T) / (self.time[-1] - T) - 1.0, 0.0, 1.0)))[:, None]
        )
        # what is left in the end is reached by a smooth step over the motion, so that the rest begins and ends at zero
        last, x = error[-1], np.clip(self.time / T, 0.0, 1.0)
        ramp = np.stack([_STEP.deriv(order)(x) / T**order for order in range(3)])[:, :, None] * last
        rest = fade * error + (1.0 - fade) * last - ramp[0]
        omega = 2.0 * np.pi * np.fft.rfftfreq(len(error), step)[:, None]
        kept = 0.5 * (1.0 + np.cos(np.pi * np.clip(omega / min(self.band, TAKEN * slow), 0.0, 1.0)))
        spectrum = kept * np.fft.rfft(rest, axis=0)
        more = [np.fft.irfft((1j * omega) ** order * spectrum, len(error), axis=0) for order in range(3)]
        made = replace(self, aim=self.aim + np.stack(more) + ramp)
        for name in ("knots", "inverses", "band", "time", "wanted", "gains"):  # they stay the same
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
    def reached(self) -> np.ndarray:
        """The tip (n, m) in a run with the solution."""
        return run_tip(self.scenario, self.time, *self.solution, self.gains, self.task.coordinates)

    @cached_property
    def left(self) -> float:
        """Largest distance of the tip from where it is wanted in a run with the solution, m."""
        return _farthest(self.wanted[0], self.reached)

    def inverse(self) -> Inverse:
        """The solution, cut off at both ends where it is nothing."""
        torque, position = self.solution
        above = np.flatnonzero((np.abs(torque) > CUT * np.abs(torque).max(axis=0)).any(axis=1))
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
) -> np.ndarray:
    """Tip (n, m) in a forward run of the arm with torques and joint positions (n, joints) and a law with gains (kp, kv) on the joints."""
    since, arm = time - time[0], scenario.arm
    changes = {
        "drive": _drives(arm.joints, since, torque, position, gains), "events": None,
        "time": {"end": float(since[-1]), "step": "auto"}, "output": {"every": float(since[1])},
        **{f"arm.links.{name}.joint.position": float(position[0, k]) for k, name in enumerate(arm.joints)},
    }  # fmt: skip
    result = simulate(scenario.with_(changes), warn=False)
    if not result.success:
        raise FlexarmError(f"the arm could not be run with its inverse: {result.message}")
    data = result.data
    rows = (
        data.travel.values[None] if coordinates == ("tip.travel",) else data.tip_position.values.T[: len(coordinates)]
    )
    return np.stack([np.interp(since, data.time.values, row) for row in rows], axis=1)


def _farthest(wanted: np.ndarray, reached: np.ndarray) -> float:
    return float(np.linalg.norm(wanted - reached, axis=1).max())


def _without_rows(rows: np.ndarray) -> np.ndarray:
    """Basis, in columns, of the coordinates for which some rows (m, n) are zero."""
    from scipy.linalg import null_space

    return np.asarray(null_space(rows))
