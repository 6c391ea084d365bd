"""A limit in real time for calls of the user's code, so that a controller that hangs does not hang the run."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from flexarm.errors import ControllerError

DEFAULT = 10.0
"""Seconds of real time that one call may take."""
GRACE, AGAIN = 0.05, 50e-6
"""Time in s that a call has to clean up once it is broken off; then it is broken off again and again, so many s apart: code
that catches everything lets it through when it comes between two of its attempts."""


class TookTooLong(BaseException):
    """Raised inside the user's code; not an `Exception`, so that a catch-all there does not swallow it."""


class TimeLimit:
    """Calls functions that must return within a time.

    In the main thread, where the system has timers, a call is broken off when its time is over; elsewhere it can only
    be measured, and is refused once it has returned.

    Parameters
    ----------
    seconds : float
        The limit, real time.
    """

    def __init__(self, seconds: float = DEFAULT):
        if not seconds > 0.0:
            raise ControllerError(f"the time that a controller may take must be positive, not {seconds:g} s")
        self.seconds = seconds
        self._before: Any = None
        self._timed = False
        self._calling = self._broken = False

    def __enter__(self) -> TimeLimit:
        main = threading.current_thread() is threading.main_thread()
        if main and hasattr(signal, "setitimer") and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0:
            self._before = signal.signal(signal.SIGALRM, self._break_off)
            self._timed = True
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._timed:
            signal.signal(signal.SIGALRM, self._before)
            self._timed = False

    def _break_off(self, number: int, frame: FrameType | None) -> None:
        if not self._calling:
            return
        if not self._broken:
            self._broken = True
            signal.setitimer(signal.ITIMER_REAL, GRACE, AGAIN)
        raise TookTooLong

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The function's answer; `TookTooLong` if it took longer than the limit."""
        began = time.perf_counter()
        if not self._timed:
            answer = function(*arguments)
        else:
            self._calling, self._broken = True, False
            signal.setitimer(signal.ITIMER_REAL, self.seconds)
            try:
                answer = function(*arguments)
            finally:
                self._calling = False  # first of all: a signal that is still on its way finds nothing to break off
                signal.setitimer(signal.ITIMER_REAL, 0.0)
        if time.perf_counter() - began > self.seconds:  # the code may have caught what should end it
            raise TookTooLong
        return answer
