"""Finite differences beside a plain C loop: the bundled arm with 19 sections, 9.6 s of motion in steps of 0.24 ms.

The loop is `leapfrog.c`, built here with ``-O3 -march=native``; it computes the motion and nothing else.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import flexarm as fa
from flexarm.benchmarks.frame import Contest, Growth, Job, entries, growth, interleaved, timed
from flexarm.simulation.march_only import MarchOnly

NAME, STEP, SECONDS = "fd", 0.24e-3, 9.6
SIZES, FINE = (20, 80, 320), 8e-5
COMPILERS = ("gcc", "cc", "clang")


def run(step: float, **options: Any) -> MarchOnly:
    """The compiled steps of the bundled arm."""
    given = {f"method.{name}": value for name, value in options.items()}
    changes = {"time.end": SECONDS, "time.step": step, "output.every": None, **given}
    return MarchOnly(fa.load("tokhi-azad").with_(changes))


def c_loop() -> Callable[[int], float] | None:
    """The C loop as a function of the number of steps, which gives the tip's travel; None without a compiler."""
    march = _library()
    if march is None:
        return None
    march.restype = ctypes.c_double
    link = fa.load("tokhi-azad").arm.links[0]
    properties = {name: float(value[0]) for name, value in link.properties([0.0]).items()}
    hub = fa.load("tokhi-azad").arm.links[0].joint.hub_inertia
    values = (STEP, properties["EI"], properties["rhoA"], link.span, hub, 0.1)
    numbers = [ctypes.c_double(value) for value in values]
    buffer = (ctypes.c_double * 512)()
    jumps = [ctypes.c_long(round(t / STEP)) for t in (0.3, 0.6)]
    return lambda steps: march(19, ctypes.c_long(steps), *numbers, *jumps, buffer)


def _library() -> Any:
    with tempfile.TemporaryDirectory() as folder, as_file(files("flexarm.benchmarks") / "leapfrog.c") as source:
        library = Path(folder) / "leapfrog.so"
        for compiler in COMPILERS:
            command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)]
            try:
                subprocess.run(command, check=True, capture_output=True)
            except (OSError, subprocess.CalledProcessError):
                continue
            return ctypes.CDLL(str(library)).march
    return None


def contests(repeats: int) -> list[Contest]:
    """Explicit steps here and in C, and the other schemes; the error is that of the tip's travel against C."""
    runs = {
        "flexarm, leapfrog": run(STEP, scheme="leapfrog"),
        "flexarm, exact with 8 modes, 1 ms": run(1e-3, scheme="exact", modes=8),
        "flexarm, newmark": run(STEP, scheme="newmark"),
    }
    jobs: dict[str, Job] = {name: each.run for name, each in runs.items()}
    steps = {name: each.steps for name, each in runs.items()}
    plain = c_loop()
    errors: dict[str, float] = {}
    count = runs["flexarm, leapfrog"].steps
    if plain is not None:
        jobs["C loop"], steps["C loop"] = lambda: timed(lambda: plain(count)), count
        errors["C loop"] = 0.0
    seconds = interleaved(jobs, 3 * repeats)
    if plain is not None:
        there = plain(count)
        errors |= {name: 1e6 * abs(float(each.data["travel"][-1]) - there) for name, each in runs.items()}
    settings = f"19 sections, {count} steps of 0.24 ms (9.6 s of motion)"
    missing = "" if plain is not None else f"no C compiler was found ({', '.join(COMPILERS)}): the ratio to C"
    title, what = "fd beside a C loop", "difference of the tip from C, µm"
    return [Contest(NAME, title, settings, what, entries(seconds, steps, errors), missing)]


def growths(repeats: int) -> list[Growth]:
    """Finer and finer grids."""
    runs = [run(FINE, scheme="newmark", resolution=n) for n in SIZES]

    def work(k: int) -> tuple[int, float]:
        return runs[k].steps, float(SIZES[k])

    return [growth(NAME, "fd newmark, sections", "section", SIZES, [each.run for each in runs], repeats, work)]
