"""Processing times: Tables 2 and 3 of Tokhi and Azad, and the same measured on this machine."""

from __future__ import annotations

import numpy as np

from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, agrees, holds, numbers
from flexarm.papers.paper import Row, Table
from flexarm.papers.tokhi_azad.checks import data
from flexarm.papers.tokhi_azad.runs import SECTIONS, STEP, Runs
from flexarm.simulation.march_only import MarchOnly

MATLAB, UNIX, I860 = "SUN4-ELC MATLAB", "SUN4-ELC Unix-C", "i860"
FINE_STEP = 21e-6
"""The step that the document states, s."""
HERE = {f"this machine, {STEP * 1e3:g} ms": STEP, f"this machine, {FINE_STEP * 1e6:g} µs": FINE_STEP}
REPEATS = 7


def published() -> dict[str, np.ndarray]:
    """Processing times of Table 2 in s, by processor."""
    return {name: np.array(times) for name, times in data()["published"]["table 2"]["processing"].items()}


def simulated() -> np.ndarray:
    """Durations of the simulated motion in Table 2, s."""
    return np.array(data()["published"]["table 2"]["simulated"])


def march_seconds(runs: Runs, end: float, step: float, repeats: int = REPEATS) -> float:
    """Processor time of the time steps alone, best of several, s.

    The explicit scheme on 19 sections with hub; building the model and recording are left out, as they would be in
    a program that runs all day.
    """
    changes = {"method.scheme": "leapfrog", "method.resolution": SECTIONS, "time.step": step, "time.end": end}
    march = MarchOnly(runs.scenario("hub").with_({**changes, "output.every": None}))
    return min(march.run() for _ in range(repeats))


def measured(runs: Runs) -> dict[str, np.ndarray]:
    """Processing times on this machine in s, by the length of the step; measured once per set of runs."""

    def measure() -> dict[str, np.ndarray]:
        return {name: np.array([march_seconds(runs, t, step) for t in simulated()]) for name, step in HERE.items()}

    return runs.once("processing times", measure)


def timing_tables(runs: Runs) -> tuple[Table, ...]:
    """Table 2 and Table 3 with this machine beside the processors of 1994."""
    columns = (*published(), *HERE)

    def times() -> list[Row]:
        all_times = {**published(), **measured(runs)}
        rows: list[Row] = [
            (float(t), *(float(all_times[name][i]) for name in columns)) for i, t in enumerate(simulated())
        ]
        average = (float(np.mean(column)) for column in (simulated(), *(all_times[name] for name in columns)))
        return [*rows, tuple(average)]

    def ratios() -> list[Row]:
        all_times, stated = {**published(), **measured(runs)}, data()["published"]["table 3"]
        base = all_times[I860].mean()
        return [(name, stated.get(name), float(all_times[name].mean() / base)) for name in columns]

    return (
        Table(
            "table-2",
            "Table 2: processing time over simulated time (last row: averages)",
            ("Simulated (s)", *(f"{name} (s)" for name in columns)),
            times,
            "The document's step is either 0.24 ms (c = 0.2 with 19 sections) or the stated 21 µs, so this machine is "
            "shown with both. Its times are processor times of the steps alone, explicit scheme with 19 sections, "
            f"best of {REPEATS}.",
        ),
        Table(
            "table-3",
            "Table 3: average processing time relative to the i860",
            ("Processor", "Published", "Computed"),
            ratios,
            "Computed from the averages of Table 2.",
        ),
    )


def timing_claims(runs: Runs) -> tuple[Claim, ...]:
    """Claims of section 6.2, none worked out yet."""
    return (*_averages(), *_comparisons(), *_real_time(runs))


def _averages() -> tuple[Claim, ...]:
    stated = data()["published"]
    average, ratio = stated["table 2"]["average"], stated["table 3"]

    def per_row() -> np.ndarray:
        return published()[MATLAB] / published()[UNIX]

    return (
        Claim(
            id="table-2-averages",
            where="Table 2, last row",
            text="Averages of the processing times.",
            stated=[average[name] for name in published()],
            work_out=lambda: [times.mean() for times in published().values()],
            rule=agrees(),
            because="The averages follow from the rows.",
            units="s",
            tolerance=Tolerance(absolute=1e-3, because="printed decimals"),
            labels=tuple(published()),
        ),
        Claim(
            id="table-3",
            where="Table 3",
            text="Average processing times relative to the i860: 8.845, 7.934, 5.61.",
            stated=list(ratio.values()),
            work_out=lambda: [published()[name].mean() / published()[I860].mean() for name in ratio],
            rule=agrees(),
            because="They are the ratios of the averages of Table 2.",
            tolerance=Tolerance(absolute=5e-3, because="printed decimals"),
            labels=tuple(ratio),
        ),
        Claim(
            id="matlab-30",
            where="Section 6.2",
            text="On average MATLAB takes about 30 times longer than C on the same SPARC processor.",
            stated=[30.0],
            work_out=lambda: Evidence(
                numbers(published()[MATLAB].mean() / published()[UNIX].mean()),
                {"least": per_row().min(), "most": per_row().max(), "mean": per_row().mean()},
            ),
            rule=agrees(),
            because="The ratio of the averages is {c[0]:.1f}, which the run of 10 s decides; row by row it grows "
            "from {least:.1f} to {most:.1f} (mean {mean:.1f}), because the time of MATLAB grows faster than the "
            "motion.",
            units="times",
            tolerance=Tolerance(relative=0.05, because="about"),
        ),
    )


def _comparisons() -> tuple[Claim, ...]:
    def lead() -> np.ndarray:
        """SPARC time less transputer time."""
        return published()[UNIX] - published()["T805"]

    def least_lead() -> float:
        others = np.minimum(published()[UNIX], published()["T805"])
        return float((others / published()["486DX"]).min())

    return (
        Claim(
            id="transputer-sparc",
            where="Section 6.2",
            text="The transputer is slightly faster than the SPARC processor for short runs and slower for long ones.",
            stated=(),
            work_out=lambda: Evidence(
                numbers(lead()), {"last": simulated()[lead() > 0].max(), "first": simulated()[lead() < 0].min()}
            ),
            rule=holds(lambda gain: gain[0] > 0.0 > gain[-1] and sum(np.diff(np.sign(gain)) != 0) == 1),
            because="The transputer leads up to {last:g} s and lags from {first:g} s on.",
            units="s (SPARC less transputer)",
        ),
        Claim(
            id="486",
            where="Section 6.2",
            text="The 486 needs less time than both the transputer and the SPARC processor.",
            stated=(),
            work_out=lambda: [least_lead()],
            rule=holds(lambda ratio: ratio[0] > 1.0),
            because="The faster of the two needs at least {c[0]:.2f} times as long, in every row.",
            units="times",
        ),
    )


def _real_time(runs: Runs) -> tuple[Claim, ...]:
    def slowest() -> Evidence:
        found = {name: float((times / simulated()).max()) for name, times in published().items()}
        fastest = {name: float((times / simulated()).min()) for name, times in published().items()}
        here = max(float((times / simulated()).max()) for times in measured(runs).values())
        others = min(value for name, value in fastest.items() if name != I860)
        return Evidence((found[I860], others), {"here": 1.0 / here})

    return (
        Claim(
            id="i860-real-time",
            where="Section 6.2",
            text="Of the processors only the i860 keeps up with the motion.",
            stated=(),
            work_out=slowest,
            rule=holds(lambda share: share[0] < 1.0 < share[1], Verdict.CONTRADICTED),
            because="The i860 needs at most {c[0]:.2f} s per second of motion, every other processor at least "
            "{c[1]:.2f} s. (This machine is at least {here:.0f} times faster than the motion, even with steps of 21 "
            "µs.)",
            units="s per s of motion",
            labels=("i860, most", "others, least"),
        ),
    )
