"""`Simulator`: any method, one control period at a time."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.arm.quantity import Quantity
from flexarm.errors import ControllerError, FlexarmError
from flexarm.methods.base import State
from flexarm.numerics.timegrid import on_grid
from flexarm.scenario import Scenario, as_scenario
from flexarm.scenario.units import read_quantity
from flexarm.simulation.build import prepare
from flexarm.simulation.controllers import numbers
from flexarm.simulation.time_loop import TimeLoop

PERIOD = 1e-3
"""Control period in s where nothing gives one."""


class Simulator:
    """Step an arm on-line, with torques from outside.

    Parameters
    ----------
    scenario : Scenario, str or Path
        What to simulate. Joints that are driven by torque (and not by a law of the scenario) are inputs.
    period : float or str, optional
        Control period, for example ``"1 ms"``; default that of the scenario's control, else 1 ms.

    Attributes
    ----------
    inputs, outputs : tuple of str
        Names of the torques that `step` takes and of the readings that it gives.
    time : float
        Present time, s.

    Examples
    --------
    >>> import flexarm as fa
    >>> sim = fa.Simulator("tokhi-azad", period="1 ms")
    >>> y = sim.reset()
    >>> for _ in range(300):
    ...     y = sim.step([0.1])
    >>> round(float(y[sim.outputs.index("tip.travel")]), 4)
    0.0847
    """

    def __init__(self, scenario: Scenario | str | Path, period: float | str | None = None):
        self.scenario = as_scenario(scenario)
        wanted = None if period is None else _seconds(period)
        self._setup = prepare(self.scenario, wanted, default_period=PERIOD)
        self.period: float = self._setup.period or PERIOD
        joints = self._setup.program.wiring.joints
        self._channels = [
            k
            for k, joint in enumerate(joints)
            if joint.mode == "torque" and (joint.law is None or joint.law.kind == "external")
        ]
        self.inputs: tuple[str, ...] = tuple(joints[k].name for k in self._channels)
        self._loop = TimeLoop(self._setup, outside=True)
        self.outputs: tuple[str, ...] = self._loop.model.sensors
        self._fresh = True

    @property
    def time(self) -> float:
        """Present time, s."""
        return self._loop.time

    @property
    def finished(self) -> bool:
        """True at the scenario's end."""
        return self._loop.finished

    @property
    def state(self) -> State:
        """A copy of the state."""
        return self._loop.state.copy()

    def reset(self) -> np.ndarray:
        """Go back to the start; returns the readings there."""
        if not self._fresh:
            self._loop = TimeLoop(self._setup, outside=True)
            self._fresh = True
        loop = self._loop
        loop.enter()
        return loop.read()

    def step(self, u: Any = None) -> np.ndarray:
        """Advance by one control period.

        Parameters
        ----------
        u : float or sequence, optional
            Torques in N m in the order of `inputs`, held over the period. Without it the scenario's own drives act.

        Returns
        -------
        ndarray, shape (len(outputs),)
            Readings after the period. The array is reused: copy it to keep it.
        """
        loop = self._loop
        self._fresh = False
        if loop.finished:
            raise FlexarmError(f"the scenario ends at {self.scenario.time.end:g} s; make time.end longer, or reset()")
        if u is not None:
            self._hold(u)
        while True:
            if not loop.advance():
                why = loop.lost or "a value became infinite or not a number"
                raise FlexarmError(f"{why} near t = {loop.time:g} s")
            if loop.finished or self._at_tick():
                return loop.read()

    def _at_tick(self) -> bool:
        """True if the present time is a whole number of periods (then the next interval, if any, may begin)."""
        loop = self._loop
        grid, step = loop.intervals[loop.state.interval], loop.state.step
        if step == grid.steps:
            return on_grid(grid.stop, self.period)
        return grid.ticks(step)

    def _hold(self, u: Any) -> None:
        values = numbers(u)
        if len(values) != len(self._channels):
            raise ControllerError(
                f"step takes {len(self._channels)} torque(s) ({', '.join(self.inputs)}), not {len(values) or repr(u)}"
            )
        for channel, torque in zip(self._channels, values, strict=True):
            if not isfinite(torque):
                raise ControllerError(f"the torque for joint '{self._setup.program.channels[channel]}' is {torque}")
        self._loop.state.held[self._channels] = values


def _seconds(period: float | str) -> float:
    """A period in seconds from a number or a text such as ``1 ms``."""
    try:
        value = float(read_quantity(period, Quantity("s")))
    except ValueError as error:
        raise ControllerError(f"the period {period!r} is not a time: {error}") from error
    if not 0.0 < value < np.inf:
        raise ControllerError(f"the period must be positive, not {value:g} s")
    return value
