"""A cylinder with oil in the linear model of an arm: spool and pressures become coordinates without mass.

Legend: l length of the cylinder, r = dl/dy its lever arm, p pressures over that of the supply; about a state of rest

    p' = a_p p + a_o p_other + a_x x + a_l r y + a_w r y',    tau = r (A_a p_a - A_b p_b) p_s - b r^2 y' + F r' y .
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexarm.drive import HydraulicCylinder
from flexarm.errors import FlexarmError
from flexarm.methods.base import LinearModel
from flexarm.numerics.hydraulics import chamber, reach
from flexarm.numerics.law_rows import pack
from flexarm.simulation.control_loops.states import Torque, with_states

Rests = Mapping[str, tuple[float, float]]
"""Position of a joint (rad or m) and the torque that holds it there (N m or N), by name."""


def close_cylinder(model: LinearModel, k: int, actuator: HydraulicCylinder, rest: tuple[float, float]) -> LinearModel:
    """The model with the cylinder of its k-th input in it.

    Parameters
    ----------
    model : LinearModel
        With one column of B and one row of `sensed` per driven joint.
    k : int
        Number of the input.
    actuator : HydraulicCylinder
        Cylinder, valve and oil, with the loop gain.
    rest : (float, float)
        Position of the joint, and the torque that holds it.
    """
    position, torque = rest
    law = pack(1.0, 0.0, 1.0, None, actuator.row())
    length, lever, bend = reach(law, position)
    force, supply = torque / lever, actuator.oil.supply
    try:
        pressures = actuator.at_rest(force)
    except ValueError as error:
        raise FlexarmError(f"the cylinder of joint '{model.inputs[k]}' {error}") from None
    spool = actuator.spool()
    size, order = len(model.M), spool.order if spool is not None else 0
    extra = order + 2
    M, C, K = (np.pad(matrix, (0, extra)) for matrix in (model.M, model.C, model.K))
    push, sense = np.pad(model.B[:, k], (0, extra)), np.pad(model.sensed[k], (0, extra))
    command = -actuator.loop_gain / actuator.speed * lever * sense
    opening = command.copy()
    if spool is not None:
        states = slice(size, size + order)
        C[states, states] += np.eye(order)
        K[states, states] -= spool.A
        K[states] -= np.outer(spool.B, command)
        opening = spool.D * command
        opening[states] += spool.C
    effort = force * bend * sense
    for i, (side, area) in enumerate(zip((1.0, -1.0), actuator.areas, strict=True)):
        own, other = size + order + i, size + order + 1 - i
        _, by_own, by_other, by_x, by_length, by_speed = chamber(
            law, side, pressures[2], length, 0.0, pressures[i], pressures[1 - i]
        )
        C[own, own] += 1.0
        K[own, own] -= by_own
        K[own, other] -= by_other
        K[own] -= by_x / supply * opening + by_length / supply * lever * sense
        C[own] -= by_speed / supply * lever * sense
        effort[own] += side * area * lever * supply
    drag = actuator.cylinder.friction * lever**2 * sense
    K -= np.outer(push, effort)
    C += np.outer(push, drag)
    joint = model.inputs[k]
    names = (*(f"{joint}.spool{j + 1}" for j in range(order)), f"{joint}.pressure_a", f"{joint}.pressure_b")
    return with_states(model, (M, C, K), names, k, Torque(effort, -drag, 1.0))
