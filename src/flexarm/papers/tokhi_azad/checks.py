"""Reference values of Tokhi and Azad, computed; numbers.json names quantities, inputs and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.papers.cache import stored
from flexarm.papers.checks import Check
from flexarm.papers.claims import Tolerance
from flexarm.papers.tokhi_azad.runs import CHANGE_TIME, CHANGES, HALF, SECTIONS, TORQUE, Closure, Runs

INSTANT = 1e-6
"""How long after a payload change the state is read, s."""


def data() -> dict[str, Any]:
    """Numbers of the document and reference values."""
    return stored("tokhi_azad")


def parameter(runs: Runs, name: str) -> float:
    """A number that follows from Table 1 and the grid."""
    beam = runs.beam
    known: dict[str, Callable[[], float]] = {
        "length": lambda: beam.length,
        "mass per length": lambda: beam.rhoA,
        "bending stiffness": lambda: beam.EI,
        "beam inertia": lambda: runs.link("no hub").total_inertia,
        "hub inertia": lambda: beam.hub_inertia,
        "section length": lambda: beam.length / SECTIONS,
        "step for c = 0.2": lambda: runs.step_for(0.2),
        "step for c = 0.25": lambda: runs.step_for(0.25),
        "c at 21 us": lambda: runs.number(21e-6),
        "c at 0.24 ms": lambda: runs.number(0.24e-3),
        "sections for 21 us": lambda: SECTIONS * (0.2 / runs.number(21e-6)) ** 0.25,
    }
    return known[name]()


def wave_numbers(runs: Runs, case: str) -> np.ndarray:
    """The first six beta L."""
    link = runs.link(case)
    return link.wave_numbers(6) * link.length


def exact_frequencies(runs: Runs, case: str, payload: float | None = None) -> np.ndarray:
    """Six frequencies of a case, or three with another payload."""
    link = runs.link(case)
    return link.frequencies(6) if payload is None else link.with_payload(payload).frequencies(3)


def grid_frequencies(runs: Runs, case: str, sections: int, closure: Closure) -> np.ndarray:
    """Four frequencies of the grid."""
    return runs.frequencies(case, 4, sections, closure)


def leapfrog_frequencies(runs: Runs, case: str, sections: int, step: float) -> np.ndarray:
    """What the explicit scheme makes of them: sin(w' dt / 2) = w dt / 2."""
    return np.arcsin(np.pi * step * runs.frequencies(case, 4, sections)) / (np.pi * step)


def frequency_errors(runs: Runs, case: str, sections: int, closure: Closure) -> np.ndarray:
    """First two frequencies of the grid less the exact ones."""
    return runs.frequencies(case, 2, sections, closure) - runs.link(case).frequencies(2)


def exact_tip(runs: Runs, times: Sequence[float], case: str = "", half: float = HALF, change: str = "") -> np.ndarray:
    """y(L, t)."""
    return runs.exact(case, times, half, change).tip


def exact_hub_angle(runs: Runs, times: Sequence[float], case: str, half: float) -> np.ndarray:
    """Slope at the root."""
    return runs.exact(case, times, half).hub_angle


def rigid_tip(runs: Runs, times: Sequence[float], case: str, half: float) -> np.ndarray:
    """Length times mean angle."""
    return runs.beam.length * runs.exact(case, times, half).mean_angle


def grid_tip(runs: Runs, times: Sequence[float], case: str = "", **settings: Any) -> np.ndarray:
    """y(L, t) of a simulation."""
    return runs.tips(case, times, **settings)


def total_inertia(runs: Runs, case: str) -> float:
    """Of the stiff arm about the hub."""
    return runs.link(case).total_inertia


def final_angle(runs: Runs, case: str, half: float) -> float:
    """Where the rigid arm stops."""
    return float(runs.exact(case, [0.3, 0.6, 0.9, 1.2], half).mean_angle[-1])


def final_grid_angle(runs: Runs, case: str, half: float, sections: int) -> float:
    """Where the grid stops in the mean: its rotary inertia is that of lumped masses."""
    from scipy.linalg import eigh

    model = runs.matrices(case, "centred", sections)
    turn = eigh(model.K, model.M, subset_by_index=[0, 0])[1][:, 0]  # of unit mass
    return TORQUE * half**2 * float(model.B[:, 0] @ turn) ** 2


def residual(runs: Runs, case: str, name: str) -> float:
    """Figures of the exact motion under 0.3 s + 0.3 s, read from samples at every 0.2 ms."""
    motion, length = runs.exact_history(case), runs.beam.length
    after = motion.time >= 2.0 * HALF - 1e-9
    vibration, bend = motion.tip - length * motion.mean_angle, motion.tip - length * motion.hub_angle
    known: dict[str, Callable[[], float]] = {
        "peak to peak": lambda: np.ptp(vibration[after]),
        "rms": lambda: np.sqrt(np.mean(vibration[after] ** 2)),
        "driven peak": lambda: np.abs(vibration[~after]).max(),
        "deflection peak": lambda: np.abs(bend).max(),
        "residual deflection peak": lambda: np.abs(bend[after]).max(),
        "tip peak": lambda: motion.tip.max(),
        "tip angle peak": lambda: motion.tip.max() / length,
        "time of tip peak": lambda: motion.time[motion.tip.argmax()],
        "mean angle": lambda: motion.mean_angle[-1],
    }
    return float(known[name]())


def mode_shares(runs: Runs, case: str, modes: int = 3) -> np.ndarray:
    """Static tip displacement by the torque in each of the first exact modes."""
    link = runs.link(case)
    omega = 2.0 * np.pi * link.frequencies(modes)
    return np.abs(link.shapes(modes, link.length) * link.shapes(modes, 0.0, derivative=1)) * TORQUE / omega**2


def mode_amplitudes(runs: Runs, case: str, modes: int = 3) -> np.ndarray:
    """Amplitude that 0.3 s + 0.3 s leaves in each of the first exact modes."""
    omega = 2.0 * np.pi * runs.link(case).frequencies(modes)
    return mode_shares(runs, case, modes) * 4.0 * np.sin(0.5 * HALF * omega) ** 2


def grid_mode_amplitudes(runs: Runs, case: str, sections: int) -> np.ndarray:
    """The same of the grid: all its frequencies are fitted to the free motion by least squares."""
    data = runs.result(case, sections=sections, every=2e-4).data
    free = data["time"].values > 2.0 * HALF - 1e-9
    time, tip = data["time"].values[free] - 2.0 * HALF, data["travel"].values[free]
    phase = 2.0 * np.pi * np.outer(time, runs.frequencies(case, sections + 1, sections))
    columns = np.hstack([np.cos(phase), np.sin(phase), np.ones((len(time), 1))])
    factors = np.linalg.lstsq(columns, tip, rcond=None)[0]
    modes = phase.shape[1]
    return np.hypot(factors[:modes], factors[modes : 2 * modes])[:3]


def exact_change(runs: Runs, change: str, name: str) -> Any:
    """Exact values about a payload change."""
    case, mass, _ = CHANGES[change]
    before, after, end = (runs.exact(case, [t], change=change) for t in (CHANGE_TIME, CHANGE_TIME + INSTANT, 1.2))
    old, new = runs.link(case).total_inertia, runs.link(case).with_payload(mass).total_inertia
    known = {
        "tip velocity": before.tip_velocity[0],
        "angular momentum": (old * before.mean_rate[0], new * after.mean_rate[0]),
        "inertia": new,
        "mean rate": end.mean_rate[0],
    }
    return known[name]


def grid_change(runs: Runs, change: str, name: str, sections: int = SECTIONS) -> tuple[float, float]:
    """Energy or tip velocity of the grid just before and just after a payload change."""
    pair = []
    for at in (CHANGE_TIME, CHANGE_TIME - INSTANT):  # a record at the time of the change is taken before it
        run = runs.result("", change=change, change_at=at, sections=sections, end=2 * CHANGE_TIME, every=CHANGE_TIME)
        if name == "energy":
            energy = run.data["energy"].sel(time=CHANGE_TIME, method="nearest")
            pair.append(float(energy.sel(kind=["kinetic", "elastic"]).sum()))
        else:
            online = fa.Simulator(run.scenario, period=CHANGE_TIME)
            online.reset()
            pair.append(float(online.step()[online.outputs.index("tip.velocity")]))
    return pair[0], pair[1]


def largest_number(
    runs: Runs,
    case: str,
    sections: int,
    closure: Closure = "centred",
    hub_ratio: float | None = None,
    payload_ratio: float | None = None,
    payload_mass: float | None = None,
) -> float:
    """Largest stable c; inertias of hub and payload may be given as multiples of rho dx^3."""
    from scipy.linalg import eigh

    unit = runs.beam.rhoA * (runs.beam.length / sections) ** 3
    payload = runs.scenario(case).arm.payload
    mass = payload.mass if payload_mass is None else payload_mass
    loaded = None if payload_ratio is None else (mass, payload_ratio * unit)
    model = runs.matrices(case, closure, sections, loaded, None if hub_ratio is None else hub_ratio * unit)
    last = len(model.M) - 1
    highest = eigh(model.K, model.M, eigvals_only=True, subset_by_index=[last, last])[0]
    return runs.number(2.0 / float(np.sqrt(highest)), sections)


def safe_hub_ratio(runs: Runs, sections: int) -> float:
    """I_h / (rho dx^3) from which c = 1/4 is stable, without payload."""
    return _crossing(lambda ratio: largest_number(runs, "no hub", sections, hub_ratio=ratio), 0.05, 0.5)


def safe_payload_ratio(runs: Runs, mass: float, sections: int) -> float:
    """I_p / (rho dx^3) from which c = 1/4 is stable, without hub inertia."""
    limit = partial(largest_number, runs, "no hub", sections, payload_mass=mass)
    return _crossing(lambda ratio: limit(payload_ratio=ratio), 0.05, 5.0)


def _crossing(limit: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq

    return float(brentq(lambda ratio: limit(ratio) - 0.25, low, high, xtol=1e-7))


QUANTITIES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        parameter, wave_numbers, exact_frequencies, grid_frequencies, leapfrog_frequencies, frequency_errors,
        exact_tip, exact_hub_angle, rigid_tip, grid_tip, total_inertia, final_angle, final_grid_angle, residual,
        mode_shares, mode_amplitudes, grid_mode_amplitudes, exact_change, grid_change, largest_number, safe_hub_ratio,
        safe_payload_ratio,
    )
}  # fmt: skip


def checks(runs: Runs) -> tuple[Check, ...]:
    """All reference values, none of them computed yet."""
    found = []
    for group in data()["groups"]:
        tolerance = Tolerance(**group["tolerance"], because=group["because"])
        for row in group["rows"]:
            inputs = {**group["inputs"], **row["inputs"]}
            told = ", ".join(f"{key} {value}" for key, value in row["inputs"].items())
            found.append(
                Check(
                    name=f"{group['title']}: {told}" if told else group["title"],
                    group=group["title"],
                    work_out=partial(QUANTITIES[group["quantity"]], runs, **inputs),
                    reference=tuple(float(v) for v in row["values"]),
                    tolerance=tolerance,
                    unit=row.get("unit", group["unit"]),
                )
            )
    return tuple(found)
