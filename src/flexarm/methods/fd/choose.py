"""Which time scheme, and which step: computed from the arm, with the reason in words.

Error model of the step h: mode k of angular frequency w_k, which carries the share c_k of the elastic response of the
tip, is out of phase by w_k^3 h^2 T / 24 (leapfrog) or / 12 (newmark) after the time T, in leapfrog also by
w_k d_k h T / 4 because its damping d_k lags by half a step. Damping forgets, so T is not longer than the mode rings,
nor than the drives act and a little after. The step is the largest whose weighted sum stays below the wanted accuracy.

Equations: F25, F34.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Hints
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import NODE
from flexarm.methods.fd.modal import Modes, massless, modes_of, proportional
from flexarm.methods.fd.packing import drive_coordinate, is_plain
from flexarm.methods.fd.system import System, curvature_rows, influence_vector

PHASE_DIVISOR = {"leapfrog": 24.0, "newmark": 12.0}
SAFETY = 0.95
"""Share of the stability limit that `auto` uses."""
MODES_SEEN, MODES_SHIFTED = 20, 40
"""Modes above these are not looked for in the peaks of a run; phases of modes above the second count are not."""
PARTS, ROUNDS = 64, 10
"""A step is searched by cutting its range into so many parts, so many times over: to rounding."""
STRAIN_SHARE = 0.5
"""Share of the wanted accuracy that the tip may use up; higher modes weigh more in strains and torques."""


@dataclass(frozen=True)
class Choice:
    """A scheme, the step that `auto` means with it, why, and the largest stable step of leapfrog (0 if it is not possible)."""

    scheme: str
    step: float
    reason: str
    limit: float


def largest_step(system: System, eta: float, kp: float) -> float:
    """Largest stable step of leapfrog, from the true highest frequency."""
    from scipy.linalg import eigh

    free = system.free
    K, M = system.K.copy(), system.M
    drive, scale = drive_coordinate(system)
    if system.prescribed < 0:
        K[drive, drive] += kp / scale**2
    K, M = K[np.ix_(free, free)], M[np.ix_(free, free)]
    last = len(free) - 1
    w = float(np.sqrt(eigh(K, M, eigvals_only=True, subset_by_index=[last, last])[0]))
    C = (eta * system.bending + system.damper)[np.ix_(free, free)]
    return 2.0 / w if not np.any(C) else _stable_with_lag(M, C, K, 2.0 / w)


def _stable_with_lag(M: np.ndarray, C: np.ndarray, K: np.ndarray, limit: float) -> float:
    """Largest stable step when damping lags by half a step: 4 M - 2 h C - h^2 K must be positive definite."""
    low, high = 0.0, limit
    for _ in range(40):
        middle = 0.5 * (low + high)
        try:
            np.linalg.cholesky(4.0 * M - 2.0 * middle * C - middle**2 * K)
            low = middle
        except np.linalg.LinAlgError:
            high = middle
    return low


def _longest(low: float, high: float, error: Callable[[np.ndarray], np.ndarray], most: float) -> float:
    """The longest step between two whose error is at most `most`, the shorter one if there is none; errors of many steps at once,
    which grow with the step."""
    shares = np.arange(1, PARTS) / PARTS
    for _ in range(ROUNDS):
        steps = low * (high / low) ** shares
        good = int(np.count_nonzero(error(steps) <= most))
        edges = [low, *steps, high]
        low, high = edges[good], edges[good + 1]
    return float(low)


def accurate_step(
    system: System, modes: Modes, arm: at.Arm, eta: float, accuracy: float, hints: Hints, divisor: float
) -> float:
    """Largest step whose phase errors keep the peaks at the tip within `accuracy`, by the first modes.

    Errors of phase count while the drives act and for three periods of the first mode; later peaks only repeat.
    """
    elastic = modes.omega > 0.0
    w, shapes = modes.omega[elastic], modes.shapes[elastic]
    tip = np.zeros(system.size)
    tip[NODE + system.grid.n] = 1.0
    seen = np.abs(np.vstack([tip, tip - system.grid.length * system.hub_row]) @ shapes.T) / w**2
    shares = np.vstack([seen * push for push in modal_loads(system, arm, shapes)])
    total = shares.sum(axis=1)
    shares = shares[total > 0.0] / total[total > 0.0, None]
    if not len(shares):
        shares = np.full((1, len(w)), 1.0 / max(len(w), 1))
    duration = hints.duration if hints.active is None else min(hints.duration, hints.active + 6.0 * np.pi / w[0])
    damping = np.einsum("ij,jk,ik->i", shapes, eta * system.bending + system.damper, shapes)
    rings = np.minimum(duration, 2.0 / np.maximum(damping, 2.0 / duration))
    rate = w**3 * rings / divisor
    lag = w * damping * rings / 4.0 if divisor == PHASE_DIVISOR["leapfrog"] else np.zeros(len(w))

    def error(h: np.ndarray) -> np.ndarray:
        return (shares @ np.minimum(2.0, np.outer(rate, h * h) + np.outer(lag, h))).max(axis=0)

    return _longest(1e-9, duration, error, STRAIN_SHARE * accuracy)


def modal_loads(system: System, arm: at.Arm, shapes: np.ndarray) -> list[np.ndarray]:
    """Sizes of the modal loads of everything that drives the arm, each for itself: motor, weight, every patch."""
    motor = system.M @ influence_vector(system) if system.prescribed >= 0 else system.torque
    loads = [motor, system.load, *arm.patch_stroke]
    return [np.abs(shapes @ load) for load in loads if np.any(load)] or [np.abs(shapes @ system.torque)]


def sampled_step(system: System, arm: at.Arm, accuracy: float) -> float:
    """Largest step at which no peak of tip or strain falls between two steps by more than `accuracy` of it.

    Mode k loses at most (w_k h)^2 / 8 of its peak; steps of 1 / w at the highest frequency see everything.
    """
    modes = modes_of(system, MODES_SEEN)
    elastic = modes.omega > 0.0
    w, shapes, grid = modes.omega[elastic], modes.shapes[elastic], system.grid
    tip = np.zeros(system.size)
    tip[NODE + grid.n] = 1.0
    strain = grid.fibre[:, None] * curvature_rows(grid, system.hub_state, system.tip_state)
    seen = np.abs(np.vstack([tip, tip - grid.length * system.hub_row, strain]) @ shapes.T)
    parts = []
    for push in modal_loads(system, arm, shapes):
        part = seen * push / w**2
        total = part.sum(axis=1)
        total[2:] = total[2:].max()
        parts.append(part / np.maximum(total, 1e-300)[:, None])
    seen = np.vstack(parts)

    def error(h: np.ndarray) -> np.ndarray:
        return (seen @ np.minimum(1.0, np.outer(w, h) ** 2 / 8.0)).max(axis=0)

    return _longest(1.0 / w[-1], 1.0 / w[0], error, accuracy)


def obstacles(system: System, eta: float, feedback: bool) -> dict[str, str]:
    """Why a scheme cannot be used, by scheme."""
    found = {}
    if len(massless(system)):
        found["leapfrog"] = "the hub has no inertia but is held by a spring or a control law"
    if not proportional(system, eta):
        found["exact"] = "damping couples the modes (joint damper, joint spring or gravity with Kelvin-Voigt damping)"
    if len(massless(system)) and (feedback or eta > 0.0):
        found["exact"] = "the hub has no inertia but is held by a control law or damped"
    return found


def choose(
    wanted: str,
    system: System,
    arm: at.Arm,
    eta: float,
    kp: float,
    accuracy: float,
    hints: Hints,
    feedback: bool,
) -> Choice:
    """The scheme and step for a run."""
    no = obstacles(system, eta, feedback)
    if wanted in no:
        possible = ", ".join(s for s in ("leapfrog", "newmark", "exact") if s not in no)
        raise CapabilityError(
            f"scheme {wanted} is not possible here: {no[wanted]}; possible: {possible}", field="method.scheme"
        )
    if wanted != "auto" and hints.step is not None:  # nothing to weigh up
        if np.any(system.geometric):
            modes_of(system, MODES_SHIFTED)  # refuses a link that buckles
        limit = largest_step(system, eta, kp) if wanted == "leapfrog" else 0.0
        return Choice(wanted, hints.step, f"scheme {wanted} as asked", limit)
    limit = largest_step(system, eta, kp) if "leapfrog" not in no else 0.0
    modes = modes_of(system, MODES_SHIFTED)
    steps = {
        name: accurate_step(system, modes, arm, eta, accuracy, hints, divisor)
        for name, divisor in PHASE_DIVISOR.items()
    }
    steps["leapfrog"] = min(SAFETY * limit, steps["leapfrog"])
    steps["exact"] = min(hints.every or np.inf, sampled_step(system, arm, accuracy), hints.duration / 50.0)
    if feedback:  # the torque of a law is not linear within a step
        steps["exact"] = min(steps["exact"], steps["newmark"])
    if wanted != "auto":
        return Choice(wanted, steps[wanted], f"scheme {wanted} as asked", limit)
    return _cheapest(steps, no, limit, system.grid.n, hints, is_plain(arm))


def _cheapest(steps: dict[str, float], no: dict[str, str], limit: float, n: int, hints: Hints, plain: bool) -> Choice:
    """Compare the estimated times of a run (nanoseconds per step and node measured on one machine).

    An automatic step is tried out with shorter and shorter steps down to half of it: four times the steps in all, three times if the
    first one will do, as it does where frequencies are exact.
    """
    outputs = hints.duration / (hints.every or hints.step or steps["exact"])
    explicit = 10.0 + 1.2 * n if plain else 80.0 + 10.0 * n
    per_step = {"leapfrog": explicit, "newmark": 60.0 + 12.0 * n, "exact": 30.0 + 4.5 * n}
    setup = {"leapfrog": 0.0, "newmark": 0.0, "exact": 2.0 * n**3 + outputs * 1.2 * n * n}
    feasible = {}
    for name, h in steps.items():
        given = hints.step
        if name in no or (given is not None and name == "leapfrog" and given > limit):
            continue
        if given is not None and name == "newmark" and given > steps["newmark"] and "exact" not in no:
            continue
        marches = 1.0 if given is not None else 3.0 if name == "exact" else 4.0
        feasible[name] = setup[name] + marches * hints.duration / (given or h) * per_step[name]
    best = min(feasible, key=lambda name: feasible[name])
    others = ", ".join(f"{name} {cost / 1e6:.2g} ms" for name, cost in feasible.items() if name != best)
    why = f"scheme {best}: least estimated time ({feasible[best] / 1e6:.2g} ms"
    why += f"; {others})" if others else ")"
    if hints.step is not None and hints.step > limit > 0.0:
        why += f"; leapfrog would need a step of at most {limit:.3g} s"
    return Choice(best, steps[best], why, limit)
