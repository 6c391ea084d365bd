"""A word before the first run, which compiles the kernels and is slow."""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING

from flexarm.commands.console import remark
from flexarm.commands.numbers import seconds

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

FIRST_RUN = {"fd": 9.0, "segments": 8.0, "modes": 16.0, "ancf": 28.0, "fem": 25.0, "fem in space": 40.0}
"""Processor seconds that compiling takes, roughly: for the order of the work and the guess of the time left."""
WORTH_NOTING = 2.0
"""Seconds of compiling below which most of the kernels were there."""


def kernel_set(scenario: Scenario) -> str:
    """What the kernels of a scenario are called: its method, in the plane or in space."""
    return f"{scenario.method.name} in space" if scenario.arm.spatial else scenario.method.name


def announce_compiling(*methods: str) -> None:
    """Say so if kernels of these methods (all, if none is named) will have to be compiled, and how long it took last time."""
    from flexarm.methods import method_names
    from flexarm.numerics.kernel_cache import cache_is_warm, last_times

    cold, times = [name for name in methods or method_names() if not cache_is_warm(name)], last_times()
    if cold:
        told = [f"{name} ({seconds(times[name])} last time)" if name in times else name for name in cold]
        remark(f"compiling kernels of {', '.join(told)} (only on the first run) ...")
    if len(cold) == 1:
        atexit.register(note_compiling, cold[0])


def note_compiling(name: str, spent: float | None = None) -> None:
    """Remember how long compiling a set of kernels took: `spent`, or what this process has spent, in processor seconds."""
    from flexarm.numerics.kernel_cache import note_time
    from flexarm.numerics.parts import compiling

    took = compiling.seconds if spent is None else spent
    if took > WORTH_NOTING:
        note_time(name, took)
