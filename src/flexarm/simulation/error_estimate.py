"""How wrong is a run: the run again with half and twice the step, and with a finer and a coarser mesh.

With an error C n^-p, n steps or parts of the mesh, two other runs with n_1 and n_2 differ from the run by
C (n_1^-p - n^-p) and C (n_2^-p - n^-p): both together give the observed order p, and with it the error C n^-p of the
run itself. The finer of the two runs gives the size of the error, the coarser one only the order: where it is too coarse for that, little is
lost. Differences are taken at their largest over the run, as a share of the signal's peak; errors of amplitude and of
phase both count. Orders are believed between 1/2, 1 for meshes, and that of the method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.errors import FlexarmError, Interrupted
from flexarm.methods.base import Outcome
from flexarm.methods.mesh_error import remaining
from flexarm.result import Result
from flexarm.scenario import Scenario
from flexarm.simulation.build import Setup

SIGNALS = ("tip_position", "tip_deflection", "tip_error", "joint_torque", "strain")
LEAST_ORDER = {"step": 0.5, "mesh": 1.0}
"""Drives that jump cost orders in time, corners and lumps in the mesh."""
Run = Callable[[Scenario], Result | None]


class NoEstimate(Exception):
    """Why there is none, in words."""


def apart(run: Result, other: Result, name: str) -> float | None:
    """Largest distance of two runs in a signal at the fewer records, as a share of its peak; None if it is nowhere."""
    from scipy.interpolate import Akima1DInterpolator

    if name not in run.data or not run.data[name].size:
        return None
    fine, coarse = (run, other) if len(run.data["time"]) >= len(other.data["time"]) else (other, run)
    times, grid = fine.data["time"].values, coarse.data["time"].values
    values, others = fine.data[name].values.reshape(len(times), -1), coarse.data[name].values.reshape(len(grid), -1)
    if not np.array_equal(times, grid):
        values = Akima1DInterpolator(times, values)(np.minimum(grid, times[-1]))
    peak = float(np.abs(run.data[name].values).max())
    return float(np.abs(values - others).max()) / peak if peak > 0.0 else None


def observed_order(near: float, far: float, n: float, near_n: float, far_n: float, least: float, most: float) -> float:
    """Order p of an error C n^-p from the differences of two runs with `near_n` and `far_n` parts to that with n."""
    orders = np.linspace(least, most, 200)
    ratios = np.abs(far_n**-orders - n**-orders) / np.abs(near_n**-orders - n**-orders)
    if near <= 0.0:
        return most
    order = np.interp(far / near, ratios, orders) if ratios[-1] > ratios[0] else np.interp(-far / near, -ratios, orders)
    return float(order)


def add_error_estimate(result: Result, setup: Setup, run: Run) -> None:
    """Put the estimated error of every signal, as a share of its peak, into notes and attributes, in place."""
    parts: dict[str, dict[str, float]] = {}
    for what, estimated in (("step", _of_steps), ("mesh", _of_meshes)):
        try:
            parts[what] = estimated(result, setup, run)
        except NoEstimate as why:
            result.notes.append(f"error estimate: none for the {what}, because {why}")
        except Interrupted:
            parts.clear()
            result.notes.append("error estimate: none, because it was interrupted")
            break
    words = []
    for name in SIGNALS:
        found = {what: errors[name] for what, errors in parts.items() if name in errors}
        if not found:
            continue
        attrs = result.data[name].attrs
        attrs["estimated_error"] = sum(found.values())
        attrs |= {f"estimated_error_{what}": error for what, error in found.items()}
        each = ", ".join(f"{what} {error:.2g}" for what, error in found.items())
        words.append(f"{name} {attrs['estimated_error']:.2g} ({each})")
    if words:
        result.notes.append(f"error estimate, largest error as a share of the peak: {'; '.join(words)}")
    result.data.attrs["notes"] = "\n".join(result.notes)


def _of_steps(result: Result, setup: Setup, run: Run) -> dict[str, float]:
    """From runs with half and twice the step, or with a half and a quarter where records or ticks forbid that."""
    base = min(setup.scenario.output.every or np.inf, setup.period or np.inf, setup.scenario.time.end / 4.0)
    step = max(interval.h for interval in setup.intervals)
    factors = (0.5, 2.0) if 2.0 * step <= base * (1 + 1e-9) else (0.5, 0.25)
    runs = [_done(run, setup, {"time.step": factor * step}, "another step") for factor in factors]
    counts = [float(each.data.attrs["steps"]) for each in (result, *runs)]
    return _errors(result, runs, counts, LEAST_ORDER["step"], setup.model.order)


def _of_meshes(result: Result, setup: Setup, run: Run) -> dict[str, float]:
    """From runs with a finer and a coarser mesh, or with two finer ones where there is none."""
    own = setup.model.options
    options = [own.finer(1), own.coarser(1) or own.finer(2)]
    changes = [{"time.step": setup.step, **each.mesh(each.resolution)} for each in options]
    runs = [_done(run, setup, change, "another mesh") for change in changes]
    counts = [float(np.mean(each.resolution)) for each in (own, *options)]
    order = setup.model.signal_order or setup.model.mesh_order
    return _errors(result, runs, counts, min(LEAST_ORDER["mesh"], order), order)


def _done(run: Run, setup: Setup, changes: dict, what: str) -> Result:
    try:
        found = run(setup.scenario.with_({**changes, "method.error_estimate": False}))
    except FlexarmError as error:
        raise NoEstimate(f"there is no run with {what} ({error})") from None
    if found is None or found.outcome is Outcome.CANCELLED:
        raise Interrupted("it was interrupted")
    if not found.success:
        raise NoEstimate(f"the run with {what} did not reach its end")
    return found


def _errors(result: Result, runs: list[Result], counts: list[float], least: float, most: float) -> dict[str, float]:
    """Error of each signal by runs with other numbers of steps or parts; `counts` are those of the run and the others."""
    found, (own, first, second) = {}, counts
    for name in SIGNALS:
        near, far = (apart(result, other, name) for other in runs)
        if near is not None and far is not None:
            order = observed_order(near, far, own, first, second, least, most)
            found[name] = near * remaining(own, first, order)
    return found
