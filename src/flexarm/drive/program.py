"""Programs: all drives of an arm, ready to be evaluated at any time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive.columns import ACCELERATION, POSITION, TORQUE, VELOCITY
from flexarm.drive.control import Gains
from flexarm.drive.drive import Drive
from flexarm.drive.impulses import Impulses
from flexarm.drive.law_block import LawBlock
from flexarm.drive.line import Line
from flexarm.drive.paths import PathMotion
from flexarm.drive.wiring import Wiring
from flexarm.errors import FlexarmError, ScenarioError


@dataclass(frozen=True, eq=False)
class Program:
    """What the joints and patches are told over time, and how they are wired.

    Attributes
    ----------
    arm : Arm
        The arm.
    lines : tuple of Line
        One per joint in the order of ``arm.joints``, then one per patch.
    wiring : Wiring
        For the methods.
    auto_servos : tuple of str
        Joints whose servo gains are still to be chosen, see `with_servo_gains`.
    warnings : tuple of str
        What the user should know though it can be computed.
    path : PathMotion or None
        The wanted motion of the tip, if a drive follows a path.
    auto_shapers : tuple of int
        Numbers of the drives whose shapers are for modes that are still to be found: their commands are not shaped yet.
    span : (float, float)
        Time in s at which the first commanded motion begins, and at which the last one ends.
    blocks : tuple of (int, LawBlock)
        Laws of files, with the numbers of their drives; their joints are wired as those of a controller from outside.

    Examples
    --------
    >>> rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    >>> arm = Arm(links=[{"name": "link", **rod}])
    >>> torque = {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}
    >>> program = Program.compile(arm, [Drive(joint="link", torque=torque)])
    >>> program.jumps(1.0)
    [0.3, 0.6]
    >>> program.table([0.3, 0.3], inside=0.1)[:, 0, TORQUE], program.table([0.3], inside=0.4)[:, 0, TORQUE]
    (array([0.1, 0.1]), array([-0.1]))
    """

    arm: Arm
    lines: tuple[Line, ...]
    wiring: Wiring
    auto_servos: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    path: PathMotion | None = None
    auto_shapers: tuple[int, ...] = ()
    span: tuple[float, float] = (0.0, 0.0)
    blocks: tuple[tuple[int, LawBlock], ...] = ()

    @classmethod
    def compile(
        cls, arm: Arm, drives: Sequence[Drive], pose: Sequence[float] | None = None,
        impulses: Mapping[int, Impulses] | None = None,
    ) -> Program:  # fmt: skip
        """Check the drives against the arm and make signals of them.

        Parameters
        ----------
        arm : Arm
            The arm.
        drives : sequence of Drive
            Entries of ``drive``; joints that none of them names are free.
        pose : sequence of float, optional
            Start positions of the joints, rad or m; default ``arm.pose`` (needed where loops decide them).
        impulses : mapping, optional
            Shapers by the number of their drive, where they are made for modes of the arm.

        Raises
        ------
        ScenarioError
            If a drive does not fit the arm.
        """
        from flexarm.drive.compiling import compile_program

        return compile_program(arm, drives, arm.pose if pose is None else tuple(pose), impulses or {})

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of joints, then of patches: the second axis of `table`."""
        return tuple(line.name for line in self.lines)

    @property
    def commanded(self) -> tuple[bool, ...]:
        """For each joint: it has a commanded position."""
        return tuple(line.position is not None for line in self.lines[: len(self.wiring.joints)])

    @property
    def external(self) -> tuple[str, ...]:
        """Joints whose torque comes from a controller outside."""
        own = {name for _, block in self.blocks for name in block.joints}
        wired = (j for j in self.wiring.joints if j.law is not None and j.law.kind == "external")
        return tuple(joint.name for joint in wired if joint.name not in own)

    @property
    def finest(self) -> float:
        """Smallest time scale in s that a step must resolve (sample interval, 1/20 of a period); or inf."""
        times = [line.finest for line in self.lines]
        for joint in self.wiring.joints:
            if joint.law is not None and joint.law.actuator is not None:
                times.append(joint.law.actuator.finest)
        return min(times, default=math.inf)

    def jumps(self, end: float) -> list[float]:
        """Times in (0, end), in order, at which a drive or a gain jumps.

        Times that differ by rounding only are one.
        """
        times: list[float] = []
        for time in sorted(time for line in self.lines for time in line.breaks(end)):
            close = 1e-10 + 1e-12 * time
            if time - (times[-1] if times else 0.0) > close and end - time > close:
                times.append(time)
        return times

    def table(self, times: Any, inside: float) -> np.ndarray:
        """Commands at `times`, all within the interval that contains the time `inside`.

        Parameters
        ----------
        times : array_like, shape (nt,)
            Times in s from one jump to the next, both included.
        inside : float
            A time strictly between these jumps.

        Returns
        -------
        ndarray, shape (nt, nchannels, 7)
            Columns POSITION, VELOCITY, ACCELERATION, TORQUE, KP, KV, KI; DISTURBANCE besides where torques act beside motors.
        """
        if self.auto_servos:
            raise FlexarmError(f"the servo gains of {', '.join(self.auto_servos)} have not been chosen yet")
        times = np.atleast_1d(np.asarray(times, dtype=float))
        out = np.zeros((len(times), len(self.lines), self.wiring.row_width))
        for k, line in enumerate(self.lines):
            line.fill(out[:, k], times, inside)
        for kind, moving in (("rigid", 1.0), ("gravity", 0.0)):
            helped = [k for k, line in enumerate(self.lines) if line.feedforward == kind]
            if helped:
                from flexarm.rigid import inverse_dynamics

                q, v, a = (out[:, : len(self.wiring.joints), column] for column in (POSITION, VELOCITY, ACCELERATION))
                out[:, helped, TORQUE] += inverse_dynamics(self.arm, q, moving * v, moving * a)[:, helped]
        return out

    @property
    def auto_feedforward(self) -> tuple[str, ...]:
        """Kinds of feed-forward that are still to be found: those of the flexible arm."""
        return tuple(kind for kind in ("joint", "tip") if any(line.feedforward == kind for line in self.lines))

    def with_servo_gains(self, gains: Mapping[str, tuple[float, float]]) -> Program:
        """The same program with (kp, kv) for joints whose servo says ``auto``; see `servo_gains`."""
        for name in gains:
            if name not in self.auto_servos:
                raise ScenarioError(f"joint '{name}' has no servo: auto")
        lines = tuple(
            replace(line, schedule=(Gains(math.inf, *gains[line.name], 0.0),)) if line.name in gains else line
            for line in self.lines
        )
        left = tuple(name for name in self.auto_servos if name not in gains)
        return replace(self, lines=lines, auto_servos=left)
