"""How wrong is a run: the run again with two other steps, and with two coarser meshes.

With an error C n^-p, n steps or parts of the mesh, two other runs with n_1 and n_2 differ from the run by
C (n_1^-p - n^-p) and C (n_2^-p - n^-p): both together give the observed order p, and with it the error C n^-p of the
run itself. Differences are taken at their largest over the run, as a share of the signal's peak; errors of amplitude and of
phase both count. Orders are believed between 1/2 and that of the method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.methods.base import Outcome
from flexarm.methods.mesh_error import remaining
from flexarm.result import Result
from flexarm.scenario import Scenario
from flexarm.simulation.build import Setup

SIGNALS = ("tip_position", "tip_deflection", "tip_error", "joint_torque", "strain")
LEAST_ORDER = 0.5
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


def observed_order(near: float, far: float, n: float, near_n: float, far_n: float, most: float) -> float:
    """Order p of an error C n^-p from the differences of two runs with `near_n` and `far_n` parts to that with n."""
    orders = np.linspace(LEAST_ORDER, most, 200)
    ratios = np.abs(far_n**-orders - n**-orders) / np.abs(near_n**-orders - n**-orders)
    if near <= 0.0:
        return most
    order = np.interp(far / near, ratios, orders) if ratios[-1] > ratios[0] else np.interp(-far / near, -ratios, orders)
    return float(order)


def add_error_estimate(result: Result, setup: Setup, run: Run) -> None:
    """Put the estimated error of every signal, as a share of its peak, into notes and attributes, in place."""
    try:
        parts = {"step": _of_steps(result, setup, run), "mesh": _of_meshes(result, setup, run)}
    except NoEstimate as why:
        result.notes.append(f"error estimate: none, because {why}")
    else:
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
        result.notes.append(f"error estimate, largest error as a share of the peak: {'; '.join(words)}")
        if not parts["mesh"]:
            result.notes.append("error estimate: nothing is known of the mesh, which cannot be made coarser twice")
    result.data.attrs["notes"] = "\n".join(result.notes)


def _of_steps(result: Result, setup: Setup, run: Run) -> dict[str, float]:
    """From runs with two and four times the step, or with a half and a quarter where records or ticks forbid these."""
    base = min(setup.scenario.output.every or np.inf, setup.period or np.inf, setup.scenario.time.end / 4.0)
    step = max(interval.h for interval in setup.intervals)
    factors = (2.0, 4.0) if 4.0 * step <= base * (1 + 1e-9) else (0.5, 0.25)
    runs = [_done(run(_plain(setup, {"time.step": factor * step})), "another step") for factor in factors]
    counts = [float(each.data.attrs["steps"]) for each in (result, *runs)]
    return _errors(result, runs, counts, setup.model.order)


def _of_meshes(result: Result, setup: Setup, run: Run) -> dict[str, float]:
    """From runs with two coarser meshes; empty if there are none."""
    options = [setup.model.options.coarser(times) for times in (1, 2)]
    if None in options or options[0].resolution == options[1].resolution:
        return {}
    step = setup.step
    changes = [{"time.step": step, "method.resolution": _listed(each.resolution)} for each in options]
    runs = [_done(run(_plain(setup, change)), "a coarser mesh") for change in changes]
    counts = [float(np.mean(each.resolution)) for each in (setup.model.options, *options)]
    return _errors(result, runs, counts, setup.model.mesh_order)


def _plain(setup: Setup, changes: dict) -> Scenario:
    return setup.scenario.with_({**changes, "method.error_estimate": False})


def _listed(resolution: int | tuple[int, ...]) -> int | list[int]:
    return list(resolution) if isinstance(resolution, tuple) else resolution


def _done(found: Result | None, what: str) -> Result:
    if found is None or found.outcome is Outcome.CANCELLED:
        raise NoEstimate("it was interrupted")
    if not found.success:
        raise NoEstimate(f"the run with {what} did not reach its end")
    return found


def _errors(result: Result, runs: list[Result], counts: list[float], most: float) -> dict[str, float]:
    """Error of each signal by runs with other numbers of steps or parts; `counts` are those of the run and the others."""
    found, (own, first, second) = {}, counts
    for name in SIGNALS:
        near, far = (apart(result, other, name) for other in runs)
        if near is not None and far is not None:
            order = observed_order(near, far, own, first, second, most)
            found[name] = near * remaining(own, first, order)
    return found
