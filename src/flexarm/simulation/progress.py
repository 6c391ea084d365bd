"""What a run is doing and how far it is, told to its caller; and whether the caller wants it to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from flexarm.errors import Interrupted

Stage = Literal["build", "trial", "march", "label", "error estimate"]
"""Model and time grid; runs that confirm the automatic step; the run; its signals; runs with other steps and meshes."""
Progress = Callable[[str, float, float], Any]
"""Called with what is being done, how much of it is done, and how much there is in all."""
Cancel = Callable[[], bool]


@dataclass(frozen=True)
class Monitor:
    """Whom to tell, and whom to ask.

    Attributes
    ----------
    progress : callable, optional
        ``progress(stage, done, total)``.
    cancel : callable, optional
        True once the work shall stop.
    """

    progress: Progress | None = None
    cancel: Cancel | None = None

    def tell(self, stage: Stage, done: float, total: float) -> None:
        """Say how much of a stage is done."""
        if self.progress is not None:
            self.progress(stage, done, total)

    @property
    def cancelled(self) -> bool:
        """True if the work shall stop."""
        return self.cancel is not None and self.cancel()

    def begin(self, stage: Stage, done: float, total: float) -> None:
        """Say so, and stop here if that is wanted: there is nothing yet that could be kept."""
        self.tell(stage, done, total)
        if self.cancelled:
            raise Interrupted("the run was interrupted before its first step")

    def within(self, stage: Stage) -> Monitor:
        """For a run that is a part of another one: its march is told as a stage of that."""

        def tell(inner: str, done: float, total: float) -> None:
            if inner == "march":
                self.tell(stage, done, total)

        return Monitor(tell, self.cancel)


SILENT = Monitor()
