"""Speed of the finite-difference arm: ratios in one run, on one core, best of several, interleaved.

Beside the compiled kernel stands a plain C loop (`leapfrog.c`, built here with ``gcc -O3 -march=native``). Times are
those of the thread's own processor time, because machines are shared. Nothing here is a stored number.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import flexarm as fa
from flexarm.simulation.build import prepare

HERE = Path(__file__).parent
STEP = 0.24e-3
SECONDS = 10.0
REPEATS = 15


def c_loop() -> Callable[[int], float] | None:
    """The C loop as a function of the number of steps, or None without a compiler."""
    folder = Path(tempfile.mkdtemp())
    library = folder / "leapfrog.so"
    command = [
        "gcc",
        "-O3",
        "-march=native",
        "-shared",
        "-fPIC",
        "-o",
        str(library),
        str(HERE / "leapfrog.c"),
    ]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    march = ctypes.CDLL(str(library)).march
    march.restype = ctypes.c_double
    buffer = (ctypes.c_double * 512)()
    figures = [ctypes.c_double(v) for v in (STEP, 71.1e9 * 51.924e-12, 2710 * 61.544e-6, 0.96, 5.86e-4, 0.1)]

    def run(steps: int) -> float:
        return march(19, ctypes.c_long(steps), *figures, ctypes.c_long(1250), ctypes.c_long(2500), buffer)

    return run


def kernel(step: float, **options: object) -> Callable[[], None]:
    """March 10 s of the bundled arm, compiled code only, no records."""
    given = {f"method.{name}": value for name, value in options.items()}
    scenario = fa.load("tokhi-azad").with_({"time.end": SECONDS, "time.step": step, "output.every": None, **given})
    setup = prepare(scenario)
    model, steps = setup.model, round(SECONDS / step)
    model.prepare(step)
    times = step * np.arange(steps + 1)
    table = np.zeros((steps + 1, 1, 7))
    table[:, 0, 3] = np.where(times < 0.3, 0.1, np.where(times < 0.6, -0.1, 0.0))
    state = model.start([0.0], [0.0], table[0])
    model.restart(state, table[0])
    records = np.empty((0, model.record_width))

    def run() -> None:
        fresh = state.copy()
        model.scheme.run(fresh.x, fresh.z, table, records, 0, 0)

    return run


def best(jobs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Least processor time of each job, interleaved so that noise hits all alike."""
    least = dict.fromkeys(jobs, np.inf)
    for _ in range(REPEATS):
        for name, job in jobs.items():
            began = time.thread_time()
            job()
            least[name] = min(least[name], time.thread_time() - began)
    return least


def online() -> float:
    """Seconds per `Simulator.step`, measurement included."""
    simulator = fa.Simulator(fa.load("tokhi-azad").with_({"time.end": 1000.0}), period="1 ms")
    simulator.reset()
    torque, least = [0.1], np.inf
    for _ in range(50):
        began = time.perf_counter()
        for _ in range(200):
            simulator.step(torque)
        least = min(least, (time.perf_counter() - began) / 200)
    return least


def main() -> int:
    """Print the table."""
    steps = round(SECONDS / STEP)
    jobs: dict[str, Callable[[], object]] = {
        "leapfrog": kernel(STEP, scheme="leapfrog"),
        "exact, 8 modes, 1 ms": kernel(1e-3, scheme="exact", modes=8),
        "newmark": kernel(STEP, scheme="newmark"),
    }
    plain = c_loop()
    if plain is not None:
        jobs["C loop"] = lambda: plain(steps)
    for job in jobs.values():
        job()
    times = best(jobs)
    print(f"10 s of motion, 19 sections, step {STEP * 1e3:g} ms, best of {REPEATS}, one core")
    for name, seconds in times.items():
        print(f"  {name:22s} {seconds * 1e3:8.3f} ms   {SECONDS / seconds:9.0f} times real time")
    if "C loop" in times:
        print(f"  leapfrog / C loop      {times['leapfrog'] / times['C loop']:8.2f}")
    else:
        print("  no C compiler found: the ratio to C was not measured")
    print(f"  exact / leapfrog       {times['exact, 8 modes, 1 ms'] / times['leapfrog']:8.2f}")
    sizes = (20, 80, 320)
    grown = best({str(n): kernel(2e-7 * 400, scheme="newmark", resolution=n) for n in sizes})
    costs = ", ".join(f"n={n}: {grown[str(n)] / round(SECONDS / 8e-5) / n * 1e9:.1f}" for n in sizes)
    print(f"  newmark, ns per step and section: {costs}")
    print(f"  Simulator.step         {online() * 1e6:8.1f} us per call from Python")
    return 0


if __name__ == "__main__":
    sys.exit(main())
