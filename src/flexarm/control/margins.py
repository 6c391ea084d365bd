"""Gain and phase margins of the control loops of an arm, each opened at the command of its motor with all others closed.

    L(s) = (KP + KV s + KI / s) G(s) ,

with G from the command of the motor to what its law reads. Laws that are sampled count as continuous.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexarm.analysis.bode import load_control
from flexarm.control.plant import treatments_of
from flexarm.control.response import around
from flexarm.control.state_space import state_space
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.simulation.controllers import SIDE
from flexarm.simulation.program import gains_at, prepare_program

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

POINTS = 4000


class Margins(NamedTuple):
    """Margins of the loop of a joint: gain in dB and phase in degrees, inf where the loop never gets there, and the frequency in Hz at
    which the loop gain is one (not a number if it never is)."""

    joint: str
    gain: float
    phase: float
    crossover: float


@with_one_blas_thread
def loop_margins(scenario: Scenario, pose: Sequence[float] | None = None, time: float | None = None) -> list[Margins]:
    """Margins of all joints that a law holds; cylinders with oil have those of `bode`.

    Examples
    --------
    >>> import flexarm as fa
    >>> (found,) = fa.loop_margins(fa.load("pd-hub"))
    >>> found.joint, round(found.phase, 1)
    ('link', 62.7)
    """
    control, program = load_control("Margins"), prepare_program(scenario)
    held = treatments_of(scenario, "held")
    gains = gains_at(program, time or 0.0, scenario.time.end)
    found = []
    for joint, (kp, kv, ki) in zip(program.wiring.joints, gains, strict=True):
        if held.get(joint.name) != "held" or joint.law is None or joint.law.cylinder is not None:
            continue
        read = f"{joint.name}.{SIDE[joint.law.sensor]}position"
        opened = state_space(scenario, pose, time, {**held, joint.name: "free"}, outputs=read)
        driven = next(name for name in opened.inputs if name in (f"{joint.name}.torque", f"{joint.name}.command"))
        opened = opened.select(read, driven)
        omega = 2.0 * np.pi * around(opened.poles, 0.0, POINTS)
        s = 1j * omega
        loop = (kp + kv * s + ki / s) * opened.response(s)[:, 0, 0]
        gain, phase, _, crossing = control.margin(np.abs(loop), np.degrees(np.unwrap(np.angle(loop))), omega)
        decibels = 20.0 * math.log10(gain) if math.isfinite(gain) and gain > 0.0 else math.inf
        found.append(Margins(joint.name, decibels, float(phase), float(crossing) / (2.0 * math.pi)))
    return found
