"""Whether the control laws of a scenario hold the arm still: roots of the closed loop along the commanded motion.

The arm is linearised at rest in poses that it is commanded to take, with the gains that hold at that time. Laws that are
sampled are judged by the step from one sampling instant to the next.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.drive import Wiring
from flexarm.errors import FlexarmError
from flexarm.methods.base import LinearModel, Watch
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.numerics.eigen import abscissa
from flexarm.simulation.build import Setup
from flexarm.simulation.control_loops.closure import close_control_loops
from flexarm.simulation.control_loops.cylinder import Rests
from flexarm.simulation.control_loops.remedies import UnstableLoop
from flexarm.simulation.control_loops.sampled import SampledLoop, block_loop, sampled_loop
from flexarm.simulation.poses import commanded_pose, held_at
from flexarm.simulation.program import Gains, build_model, gains_at, prepare_program, row_at
from flexarm.simulation.rest import HoldingModel

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

POSES = 9
"""How many times along the run are looked at, besides those at which gains change."""
NOTICEABLE = 1e-6
"""Growth in 1/s from which on a loop counts as unstable."""


@dataclass(frozen=True)
class Stability:
    """Roots of the closed loop along the commanded motion.

    Attributes
    ----------
    times : ndarray, shape (n,)
        Times in s whose commanded pose and gains were looked at.
    poses : ndarray, shape (n, joints)
        Joint positions there, rad or m.
    abscissa : ndarray, shape (n,)
        Largest real part of all roots, 1/s; where it is positive a motion grows by itself.
    sensors : tuple of str
        What the laws read.
    period : float
        Sampling period of the laws in s; 0 if all act continuously.
    cylinders : bool
        True if cylinders with oil hold the arm.
    sampled : tuple of SampledLoop
        Of sampled laws at each time the factor per period, the growth and the joint whose law drives it; else empty. Where
        a coordinate has no inertia, laws with a period are judged as if they acted continuously.
    """

    times: np.ndarray
    poses: np.ndarray
    abscissa: np.ndarray
    sensors: tuple[str, ...]
    period: float = 0.0
    cylinders: bool = False
    sampled: tuple[SampledLoop, ...] = ()
    continuous: Callable[[], float] = lambda: -np.inf
    """Growth in 1/s at the worst time if all laws acted continuously; found when asked for."""
    find_remedies: Callable[[], list[str]] = list
    designed: bool = False
    """True if a law of matrices from a file holds the arm."""

    @property
    def worst(self) -> int:
        """Number of the time with the largest abscissa."""
        return int(np.argmax(self.abscissa))

    @property
    def stable(self) -> bool:
        """True if no motion grows."""
        return float(self.abscissa.max(initial=-np.inf)) < NOTICEABLE

    def sentence(self) -> str:
        """What follows, in words; empty if all motions die out."""
        if self.stable:
            return ""
        k = self.worst
        pose = ", ".join(f"{value:.4g}" for value in self.poses[k])
        growth = float(self.abscissa[k])
        whose = "the law of the file destabilises" if self.designed else "these gains destabilise"
        per_period = f", {self.sampled[k].factor:.4g} times per period of {self.period:g} s," if self.sampled else ","
        return (
            f"{whose} the arm: at t = {self.times[k]:g} s (pose {pose}) a motion grows by "
            f"{growth:.3g} 1/s{per_period} doubling every {np.log(2.0) / growth:.3g} s{self._cause()}"
        )

    def _cause(self) -> str:
        """Why a motion grows, and what to change."""
        chord = (
            "; a chord sensor and the motor are at different places of the arm (non-collocated), which destabilises "
            "modes without enough damping: read the hub, lower kv, or add damping"
        )
        if self.designed:
            return "; design it with more modes or smaller gains: law.check tries it on the mesh"
        if self.sampled:
            rate = self.continuous()
            also = f", as it would (by {rate:.3g} 1/s) if no law were sampled" if rate > NOTICEABLE else ""
            remedies = self.find_remedies()
            found = f"; stable would be {', or '.join(remedies)}" if remedies else "; lower the gains of all joints"
            more = chord if also and "chord" in self.sensors else found
            return f", driven by the law of joint '{self.sampled[self.worst].joint}'{also}{more}"
        if "chord" in self.sensors:
            return chord
        if self.cylinders:
            return "; the valve damps nothing at rest: lower loop_gain, or give the cylinder leakage or friction"
        return "; lower the gains, or add damping"


@with_one_blas_thread
def stability(scenario: Scenario | Setup, poses: int = POSES, closer: int = 0) -> Stability | None:
    """Look at the closed loop in poses along the commanded motion.

    Parameters
    ----------
    scenario : Scenario or Setup
        Its laws, gains and motion. Of a set-up the model is taken that will run.
    poses : int
        How many times, evenly spread over the run; the starts of gain sets are added.
    closer : int
        How often the times between the worst one and its neighbours are halved, to find the worst pose itself.

    Returns
    -------
    Stability or None
        None if no joint is held by a law whose gains are known (motion, torque alone, or a controller from outside), or by several
        laws of files.

    Examples
    --------
    >>> import flexarm as fa
    >>> fa.stability(fa.load("pd-hub")).stable
    True
    """
    if poses < 1:
        raise FlexarmError("look at one pose at least")
    setup = scenario if isinstance(scenario, Setup) else None
    scenario = scenario.scenario if isinstance(scenario, Setup) else scenario
    program = setup.program if setup is not None else prepare_program(scenario)
    wiring, end = program.wiring, scenario.time.end
    laws = [joint.law for joint in wiring.joints if joint.law is not None]
    schedules = [line.schedule for line in program.lines if line.schedule]
    blocks = [law for _, law in program.blocks]
    if not (schedules or blocks or any(law.cylinder for law in laws)) or program.external or len(blocks) > 1:
        return None
    watch = scenario.output.watch() if blocks else Watch(stations=2)
    model = setup.model if setup is not None else build_model(scenario, program, watch)
    holding = setup.holding if setup is not None else HoldingModel(model)
    switches = {gains.until for schedule in schedules for gains in schedule if gains.until < end}
    times = np.array(sorted({*np.linspace(0.0, end, poses + 1)[:-1].tolist(), *switches}))
    period = max(law.period for law in laws)

    def pose_at(time: float) -> tuple[float, ...]:
        return commanded_pose(scenario, time, program) or scenario.arm.pose

    def linearised(time: float, used: HoldingModel) -> LinearModel:
        return held_at(used, pose_at(time), row_at(program, time, end))

    @functools.cache
    def around(time: float) -> tuple[Sequence[Gains], Rests]:
        return gains_at(program, time, end), holding.loads(pose_at(time))

    @functools.cache
    def at(time: float) -> tuple[float, SampledLoop | None]:
        open_loop, (gains, rests) = linearised(time, holding), around(time)
        if blocks:
            found = block_loop(open_loop, wiring, gains, rests, blocks[0])
        else:
            found = sampled_loop(open_loop, wiring, gains, rests, period) if period else None
        return (_growth(open_loop, rests, wiring, gains) if found is None else found.growth), found

    for _ in range(closer):
        worst = int(np.argmax([at(time)[0] for time in times.tolist()]))
        beside = np.array([*times, end])[max(worst - 1, 0) : worst + 2]
        times = np.union1d(times, 0.5 * (beside[1:] + beside[:-1]))
    growth = np.array([at(time)[0] for time in times.tolist()])
    sampled = tuple(loop for time in times.tolist() if (loop := at(time)[1]) is not None)
    worst_time = float(times[int(np.argmax(growth))])

    def continuous() -> float:
        gains, rests = around(worst_time)
        return _growth(linearised(worst_time, holding), rests, wiring, gains)

    def remedies() -> list[str]:
        (gains, rests), loop = around(worst_time), at(worst_time)[1]
        if loop is None:
            return []
        used = functools.partial(linearised, worst_time)
        return UnstableLoop(model, lambda made: used(HoldingModel(made)), rests, gains, loop.joint, period).remedies()

    return Stability(
        times, np.array([pose_at(time) for time in times.tolist()]), growth, tuple(dict.fromkeys(law.sensor for law in laws)), period,
        any(law.cylinder for law in laws), sampled if len(sampled) == len(times) else (), continuous, remedies, bool(blocks),
    )  # fmt: skip


def _growth(model: LinearModel, rests: Rests, wiring: Wiring, gains: Sequence[Gains]) -> float:
    """Largest growth rate if all laws act continuously, 1/s."""
    closed, _ = close_control_loops(model, wiring, gains, rests)
    return abscissa(closed.M, closed.C, closed.K)
