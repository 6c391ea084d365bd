"""`controller`: a user's law as compiled code that runs inside the steps."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba.core import types

from flexarm.errors import ControllerError
from flexarm.numerics.by_address import address_of
from flexarm.numerics.law_stages import LAW
from flexarm.simulation.controllers import Reading

PARAMETERS = ("t", "y", "r", "x", "u")
MOST_WORDS = 300
"""Characters of what the compiler says that are passed on."""


class CompiledLaw:
    """A law that Numba has compiled; made by `controller`.

    Attributes
    ----------
    function : callable
        As it was written.
    readings : tuple of str
        What y holds.
    start : ndarray
        States x before the first tick.
    period : float or None
        The period that it was made for, s.
    """

    def __init__(self, function: Callable[..., Any], readings: Sequence[str], states: Any, period: float | None):
        self.function, self.readings, self.period = function, tuple(readings), period
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        try:
            self.start = np.zeros(states) if isinstance(states, int) else np.array(states, dtype=float).reshape(-1)
        except (TypeError, ValueError):
            raise ControllerError(
                f"states is the number of states of the law, or their values at the start, not {states!r}"
            ) from None
        names = tuple(inspect.signature(function).parameters)
        if len(names) != len(PARAMETERS):
            raise ControllerError(
                f"the law '{self.__name__}' takes ({', '.join(names)}); it must take ({', '.join(PARAMETERS)}): time, readings, "
                "references, states and torques"
            )
        self.address = self._compile()

    def _compile(self) -> int:
        """Compile it for the one signature that laws have; indices are checked, so that a wrong one is told."""
        import numba

        try:
            self._kernel = numba.njit(self.function, boundscheck=True)
            return address_of(self._kernel, types.none, *LAW)
        except TypeError as error:
            raise ControllerError(
                f"the law '{self.__name__}' must write its torques to u[0], u[1], ... and return nothing ({error})"
            ) from None
        except numba.core.errors.NumbaError as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            raise ControllerError(
                f"the law '{self.__name__}' cannot be compiled: {' '.join(lines)[:MOST_WORDS]}; give it as a plain function to run it "
                "in Python"
            ) from None

    def __call__(self, *arguments: Any) -> Any:
        """The law itself, as it was written: ``law(t, y, r, x, u)``."""
        return self.function(*arguments)

    def python(self) -> Callable[[float, Reading], np.ndarray]:
        """The same as a plain controller in Python, which is called between the ticks and gives the same numbers."""
        x = self.start.copy()

        def law(time: float, reading: Reading) -> np.ndarray:
            if time == 0.0:
                x[:] = self.start
            u = np.zeros(reading.torques)
            self.function(time, np.array([reading[name] for name in self.readings]), reading.reference.copy(), x, u)
            return u

        return law

    def __repr__(self) -> str:
        return (
            f"<compiled law {self.__name__}: reads {', '.join(self.readings) or 'nothing'}, {len(self.start)} states>"
        )


def controller(
    function: Callable[..., Any] | None = None,
    *,
    readings: Sequence[str] = (),
    states: Any = 0,
    period: float | None = None,
) -> Any:
    """Compile a law that runs inside the steps, many times faster than one in Python.

    Parameters
    ----------
    function : callable
        ``law(t, y, r, x, u)`` in the part of Python that Numba compiles: the time in s; the readings (len(readings),); commanded
        position and velocity of every joint (joints, 2); the states of the law, which it changes in place; the torques of
        the joints with ``control: {type: external, period: ...}``, in the order of the arm, which it writes.
    readings : sequence of str
        Names of what it reads, in the order of y.
    states : int or sequence of float
        How many numbers it remembers, or these numbers at the start.
    period : float, optional
        Period in s that it is made for: a scenario with another one is refused.

    Returns
    -------
    CompiledLaw
        For ``simulate(..., controller=law)``.

    Examples
    --------
    >>> import flexarm as fa
    >>> @fa.controller(readings=["link.position", "link.velocity"])
    ... def law(t, y, r, x, u):
    ...     u[0] = 3.0 * (r[0, 0] - y[0]) + 0.2 * (r[0, 1] - y[1])
    >>> law
    <compiled law law: reads link.position, link.velocity, 0 states>
    """
    if function is None:
        return lambda function: controller(function, readings=readings, states=states, period=period)
    return CompiledLaw(function, readings, states, period)
