"""What a user waits for before the first step: imports, the help, a short run, compilation; and one on-line step."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np

from flexarm.benchmarks.side import process_time

UNIT = "s of processor time"
HELP = "from flexarm.cli import app; app(['--help'])"
IMPORT = "import flexarm, flexarm.simulation.run"
RUN = "import flexarm as fa; fa.simulate('tokhi-azad')"
FIRST = "import flexarm as fa; fa.simulate(fa.load('{scenario}').with_({{'time.end': {end}{more}}}), '{method}')"
SAMPLES = {"fd": ("tokhi-azad", 0.05, "fd"), "fem": ("naganathan-flexible", 0.05, "fem"),
           "fem-spatial": ("naganathan-3r", 0.02, "fem"), "segments": ("li-zhang-single", 0.02, "segments"),
           "modes": ("ralf", 0.02, "modes"), "ancf": ("soft-arm-torque", 0.05, "ancf"), "ticks": ("pd-hub", 0.05, "fd")}  # fmt: skip
"""A scenario of each bench, how long it runs in s, and its method."""
MORE = {"ticks": ", 'drive.link.control.period': '1 ms'"}
"""What else is changed in it."""


def start_up(repeats: int) -> dict[str, float]:
    """Processor seconds of new processes: the bare interpreter, the help, the imports, a run with compiled kernels."""
    codes = {"interpreter": "pass", "flexarm --help": HELP, "import": IMPORT, "run of tokhi-azad, warm": RUN}
    return {f"start-up, {name}, {UNIT}": min(_process(code) for _ in range(repeats)) for name, code in codes.items()}


def compilation(benches: list[str], tell: Callable[[str], None]) -> Iterator[tuple[str, float]]:
    """Processor seconds of a first short run with an empty cache, each method in a process of its own."""
    for name in benches:
        tell(f"compiling {name}")
        scenario, end, method = SAMPLES[name]
        with tempfile.TemporaryDirectory() as folder:
            code = FIRST.format(scenario=scenario, end=end, method=method, more=MORE.get(name, ""))
            yield f"first run with an empty cache, {name}, {UNIT}", _process(code, FLEXARM_CACHE_DIR=folder)


def on_line() -> float:
    """Microseconds per `Simulator.step` of 1 ms called from Python, measurement included."""
    import flexarm as fa

    simulator = fa.Simulator(fa.load("tokhi-azad").with_({"time.end": 1000.0}), period="1 ms")
    simulator.reset()
    torque, least = [0.1], np.inf
    for _ in range(50):
        began = time.perf_counter()
        for _ in range(200):
            simulator.step(torque)
        least = min(least, (time.perf_counter() - began) / 200)
    return 1e6 * least


def _process(code: str, **environment: str) -> float:
    """Processor time of a new interpreter that runs `code`, s."""
    own = {**os.environ, **environment}
    return process_time([sys.executable, "-c", code], own)
