"""Growth of an arm under laws that are worked out at sampling instants and held in between.

Between two instants the arm is linear with a constant torque, so its state goes from one to the next by a matrix
exponential, x -> A x + B u; with u = F x + ki z and the sum z of the errors the loop is one matrix, whose largest
eigenvalue tells the growth per period.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.drive import Wiring
from flexarm.methods.base import LinearModel
from flexarm.simulation.control_loops.closure import close_control_loops
from flexarm.simulation.program import Gains


def sampled_growth(open_loop: LinearModel, wiring: Wiring, gains: Sequence[Gains], period: float) -> float | None:
    """Largest growth rate in 1/s; None if a coordinate without inertia (or a lag) leaves no such matrix.

    Parameters
    ----------
    open_loop : LinearModel
        With one column of B and one row of `sensed` per driven joint.
    gains : sequence of (kp, kv, ki)
        In the order of the wiring's joints.
    period : float
        Time between two instants, s. Laws without a period act continuously.
    """
    from scipy.linalg import expm

    laws = {joint.name: (k, joint.law) for k, joint in enumerate(wiring.joints)}
    found = [laws[name] for name in open_loop.inputs]
    sampled = [i for i, (_, law) in enumerate(found) if law is not None and law.period > 0.0]
    if any(law is not None and law.actuator is not None for _, law in found):
        return None
    held = {found[i][0] for i in sampled}
    steady = [(0.0, 0.0, 0.0) if k in held else each for k, each in enumerate(gains)]
    model, _ = close_control_loops(open_loop, wiring, steady)
    n = len(model.M)
    scale = np.sqrt(np.abs(np.diag(model.M)))
    if not np.all(scale > 0.0) or np.linalg.cond(model.M / np.outer(scale, scale)) > 1e12:
        return None
    count = len(sampled)
    A = np.zeros((2 * n + count, 2 * n + count))
    A[:n, n : 2 * n] = np.eye(n)
    A[n : 2 * n, : 2 * n] = -np.linalg.solve(model.M, np.hstack([model.K, model.C]))
    A[n : 2 * n, 2 * n :] = np.linalg.solve(model.M, model.B[:, sampled])
    step = expm(A * period)
    closed = np.zeros((2 * n + count, 2 * n + count))
    law = np.zeros((count, 2 * n + count))
    for row, i in enumerate(sampled):
        kp, kv, ki = gains[found[i][0]]
        law[row, :n], law[row, n : 2 * n], law[row, 2 * n + row] = -kp * model.sensed[i], -kv * model.sensed[i], ki
        closed[2 * n + row, 2 * n + row] = 1.0 if ki else 0.0
        closed[2 * n + row, :n] = -period * model.sensed[i] if ki else 0.0
    closed[: 2 * n, : 2 * n] = step[: 2 * n, : 2 * n]
    closed[: 2 * n] += step[: 2 * n, 2 * n :] @ law
    largest = float(np.abs(np.linalg.eigvals(closed)).max())
    return float(np.log(largest)) / period
