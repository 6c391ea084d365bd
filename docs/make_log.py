"""Example logs: runs with stated changes and noise, not measurements.

``python docs/make_log.py`` writes ``docs/files/synthetic-log.csv``: the strip is 2 % stiffer and its damping ratio is
0.8 % in place of 0.5 %, the gauge reads 5 % more, 20 um/m of offset and noise of 1 um/m (normal, seed 7) are added, the
clock is 12 ms late, and the samples are uneven (4 ms, each 0.8 ms early or late at most).

It also writes the log of the template `measured-log`: a quintic turn by 45 deg in 0.8 s of its arm with 3 % more stiffness and 0.9 % in
place of 0.5 % of damping, sampled every 10 ms, noise of 0.5 um/m (normal, seed 3).

And ``docs/files/noisy-rig-log.csv`` for the scenario `measured-rig`: its strip is 4 % stiffer, the payload 20 % heavier and the damping ratio 0.8 %
in place of 0.5 %, the gauge has 20 um/m of offset, the clock is 12 ms late, the samples are uneven (4 ms, each 0.8 ms early or late at most),
and noise of 1 um/m and 2 mN*m is added (normal, seed 7). The run is one by assumed modes, and not by the method of that scenario.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.interpolate import make_interp_spline

import flexarm as fa
from flexarm.scenario import template

PLACE = Path(__file__).parent / "files" / "synthetic-log.csv"
RIG = Path(__file__).parent / "files" / "noisy-rig-log.csv"
TEMPLATE = Path(fa.__file__).parent / "scenario/templates/measured-log.csv"


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


def template_log() -> str:
    """The text of the template's log."""
    moved = [{"joint": "link", "motion": {"profile": "quintic", "by": "45 deg", "duration": "0.8 s", "start": "0.1 s"}}]
    changed = {"arm.links.link.material": {"E": "72.1 GPa", "density": 2700, "nu": 0.33}, "arm.damping.ratio": "0.9 %"}
    text = template("measured-log").replace(
        '{table: "my-arm.csv", column: "angle [deg]", unit: deg}', "{profile: constant}"
    )
    result = fa.simulate(fa.loads(text).with_({**changed, "drive": moved}))
    time = np.arange(0.0, 2.501, 0.01)
    angle = np.degrees(np.interp(time, result.data.time, result.data.commanded_position[:, 0]))
    strain = 1e6 * np.interp(time, result.data.time, result.data.strain[:, 0])
    strain += np.random.default_rng(3).normal(0.0, 0.5, time.size)
    rows = [f"{t:.2f},{a:.5f},{s:.2f}" for t, a, s in zip(time, angle, strain, strict=True)]
    head = "# an example, computed and not measured: put your own log in its place"
    return "\n".join([head, "time [s],angle [deg],strain [um/m]", *rows]) + "\n"


TRUE = {
    "arm.links.link.material": {"E": "72.8 GPa", "density": 2700, "nu": 0.33},
    "arm.payload.mass": "36 g",
    "arm.damping.ratio": "0.8 %",
}


def rig_log() -> str:
    """The text of the log for `measured-rig`."""
    exact = {"method": {"name": "modes", "resolution": 8}, "time.step": "0.2 ms", "output.every": "0.4 ms"}
    data = fa.simulate(fa.load("measured-rig").with_({**TRUE, **exact})).data
    random = np.random.default_rng(7)
    time = np.arange(0.02, 2.97, 0.004)
    time += random.uniform(-0.8e-3, 0.8e-3, time.size)
    signals = (data.strain.sel(gauge="root").values, data.joint_torque.values[:, 0])
    strain, torque = (make_interp_spline(data.time.values, signal)(time) for signal in signals)
    strain = 1e6 * strain + 20.0 + random.normal(0.0, 1.0, time.size)
    torque = 1e3 * torque + random.normal(0.0, 2.0, time.size)
    rows = [f"{1e3 * (t + 0.012):.3f},{e:.2f},{u:.2f}" for t, e, u in zip(time, strain, torque, strict=True)]
    head = "# synthetic: made by docs/make_log.py, not measured"
    return "\n".join([head, "time [ms],strain [um/m],torque [mN*m]", *rows]) + "\n"


if __name__ == "__main__":
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.write_text(synthetic_log(), encoding="utf-8")
    TEMPLATE.write_text(template_log(), encoding="utf-8")
    RIG.write_text(rig_log(), encoding="utf-8")
