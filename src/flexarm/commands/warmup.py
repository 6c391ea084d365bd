"""`flexarm warmup`: compile now what the bundled scenarios use, so that no later run has to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import typer

from flexarm.commands.numbers import seconds

GRACE = 1.0
"""Seconds that compiling gets to stop after Ctrl-C."""
Job = tuple[str, tuple[str, ...]]
"""What a set of kernels is called, and the bundled scenarios that use it."""


def warmup() -> None:
    """Compile the kernels that the bundled scenarios use now, so that later runs start at once."""
    from flexarm.commands.kernels import FIRST_RUN, note_compiling
    from flexarm.commands.progress import Interrupt
    from flexarm.commands.task_lines import TaskLines
    from flexarm.errors import Interrupted
    from flexarm.numerics.kernel_cache import cache_root, last_times, size_limit, size_on_disk
    from flexarm.processes import cores, side_by_side

    began, expected = time.perf_counter(), FIRST_RUN | last_times()
    jobs = sorted(_jobs(), key=lambda job: -expected[job[0]])
    workers = min(len(jobs), cores())
    with TaskLines({name: expected[name] for name, _ in jobs}, workers) as lines, Interrupt() as interrupt:
        for number, spent in side_by_side(_compile, jobs, lines, interrupt, workers, GRACE):
            lines.end(jobs[number][0])
            note_compiling(jobs[number][0], spent)
    if interrupt():
        raise Interrupted("compiling was broken off; what is compiled is kept")
    typer.echo(f"the kernels of all bundled scenarios are compiled, {seconds(time.perf_counter() - began)}")
    taken, most = size_on_disk(cache_root()) / 1e6, size_limit() / 1e6
    typer.echo(f"they are kept in {cache_root()}, {taken:.0f} MB of at most {most:g} MB (FLEXARM_CACHE_SIZE)")


def _jobs() -> list[Job]:
    """The bundled scenarios by the kernels that they use."""
    import flexarm as fa
    from flexarm.commands.kernels import kernel_set

    found: dict[str, list[str]] = {}
    for entry in fa.bundled():
        found.setdefault(kernel_set(fa.load(entry.name)), []).append(entry.name)
    return [(kernels, tuple(names)) for kernels, names in found.items()]


def _compile(job: Job, tell: Callable[..., Any], cancel: Callable[[], bool]) -> float:
    """Come to the first step of every scenario, and through the whole of one; processor seconds that compiling took."""
    import flexarm as fa
    from flexarm.numerics.parts import compiling
    from flexarm.simulation.build import prepare
    from flexarm.simulation.time_loop import TimeLoop

    name, scenarios = job
    tell(name, "compiling")
    for number, each in enumerate(scenarios):
        if cancel():
            break
        setup = prepare(fa.load(each))
        if number == 0:
            fa.simulate(setup).data  # noqa: B018 (labels are made when they are asked for)
        TimeLoop(setup).load()
    return compiling.seconds
