"""The example log of the test bench page: a run of `stepper-rig` with stated changes and noise, not a measurement.

``python docs/make_log.py`` writes ``docs/files/synthetic-log.csv``: the strip is 2 % stiffer and its damping ratio is
0.8 % in place of 0.5 %, the gauge reads 5 % more, 20 um/m of offset and noise of 1 um/m (normal, seed 7) are added, the
clock is 12 ms late, and the samples are uneven (4 ms, each 0.8 ms early or late at most).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import flexarm as fa

PLACE = Path(__file__).parent / "files" / "synthetic-log.csv"


def synthetic_log() -> str:
    """The text of the file."""
    changed = {"arm.links.link.material": {"E": "72.4 GPa", "density": 2700, "nu": 0.33}, "arm.damping.ratio": "0.8 %"}
    result = fa.simulate(fa.load("stepper-rig").with_(changed))
    random = np.random.default_rng(7)
    time = np.arange(0.02, 2.97, 0.004)
    time += random.uniform(-0.8e-3, 0.8e-3, time.size)
    strain = fa.read_gauge(result, "root", times=time).strain
    values = 1.05e6 * strain + 20.0 + random.normal(0.0, 1.0, time.size)
    rows = [f"{1e3 * (t + 0.012):.3f},{v:.2f}" for t, v in zip(time, values, strict=True)]
    return "\n".join(["# synthetic: made by docs/make_log.py, not measured", "time [ms],strain [um/m]", *rows]) + "\n"


if __name__ == "__main__":
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.write_text(synthetic_log(), encoding="utf-8")
