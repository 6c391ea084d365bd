"""`bench`: run the benches that are asked for and put their findings together."""

from __future__ import annotations

import importlib
import os
import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

import flexarm as fa
from flexarm.benchmarks import BENCHES
from flexarm.benchmarks.exudyn.driver import version
from flexarm.benchmarks.frame import Findings
from flexarm.errors import FlexarmError

WITHOUT = "Exudyn is not installed: the ratios to it (pip install 'flexarm[bench]')"


def bench(
    names: Sequence[str] | None = None,
    repeats: int = 7,
    compiling: bool = True,
    progress: Callable[[int, int, str], Any] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Findings:
    """Measure speed on this machine, now.

    Parameters
    ----------
    names : sequence of str, optional
        Which benches (see `BENCHES`); all when left out.
    repeats : int
        Runs of each program, one after the other; ratios are those of the least times, their spread that of neighbours.
    compiling : bool
        Whether to measure the first run with an empty cache too, which takes minutes.
    progress : callable, optional
        Called with (done, all, what).
    cancel : callable, optional
        Asked between two benches; once it returns True what has been measured is returned.
    """
    chosen = [checked(name) for name in names] if names else list(BENCHES)
    total, done = len(chosen) * (2 if compiling else 1) + 2, 0
    found = Findings(machine())

    def tell(what: str) -> None:
        if progress is not None:
            progress(done, total, what)

    def stopped() -> bool:
        return cancel is not None and cancel()

    for name in chosen:
        if stopped():
            break
        tell(name)
        module = importlib.import_module(f"flexarm.benchmarks.{BENCHES[name]}")
        found.contests += module.contests(repeats)
        found.growths += module.growths(max(repeats // 2, 3))
        done += 1
    if version() is None and set(chosen) - {"fd", "ticks"}:
        found.left_out.append(WITHOUT)
    found.left_out += [each.missing for each in found.contests if each.missing]
    if not stopped():
        tell("start-up")
        _around(found, chosen, repeats)
    if not compiling:
        found.left_out.append("compilation (--compile)")
    elif not stopped():
        from flexarm.benchmarks.starting import compilation

        for name, seconds in compilation(chosen, tell):
            found.numbers[name] = seconds
            done += 1
            if stopped():
                break
    return found


def _around(found: Findings, chosen: Sequence[str], repeats: int) -> None:
    """Start-up times; for the finite differences the on-line step and the tables of processing times of their source."""
    from flexarm.benchmarks.starting import on_line, start_up

    found.numbers |= start_up(min(repeats, 3))
    if "fd" in chosen:
        from flexarm.papers import get_paper

        found.numbers["Simulator.step, µs per call"] = on_line()
        tables = [table for table in get_paper("tokhi-azad").tables() if table.name in ("table-2", "table-3")]
        found.tables += [
            {"title": table.title, "columns": list(table.columns), "rows": list(table.rows), "note": table.note}
            for table in tables
        ]


def machine() -> dict[str, Any]:
    """Where and when, and with which versions."""
    import numba
    import numpy

    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"), "system": platform.platform(), "processor": processor(),
        "cores": os.cpu_count(), "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(), "numpy": numpy.__version__, "numba": numba.__version__,
        "flexarm": fa.__version__, "exudyn": version(),
    }  # fmt: skip


def processor() -> str:
    """Name of the processor, as far as the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def checked(name: str) -> str:
    """The name of a bench; refuses others and says which there are."""
    if name not in BENCHES:
        near = get_close_matches(name, BENCHES, 1)
        hint = f"did you mean '{near[0]}'? There are" if near else "there are"
        raise FlexarmError(f"there is no bench '{name[:40]}'; {hint} {', '.join(BENCHES)}")
    return name
