"""Gain and phase margins of the control loops of an arm, each opened at the command of its motor with all others closed.

    L(s) = (KP + KV s + KI / s) G(s) ,

with G from the command of the motor to what its law reads, which follows its reference as T = L / (1 + L). The phase margin is the least angle
between L and -1 where |L| = 1, the gain margin the least factor between L and -1, in either direction, where L is negative: a loop that is stable
stays so while less than that is changed. Both are negative if it is not stable. The bandwidth is the lowest frequency at which |T| is 3 dB below
what it is for slow references. Laws that are sampled count as continuous.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexarm.control.plant import treatments_of
from flexarm.control.response import around
from flexarm.control.state_space import StateSpace, state_space
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.simulation.controllers import SIDE
from flexarm.simulation.program import gains_at, prepare_program

if TYPE_CHECKING:
    from flexarm.drive.wiring import JointWiring
    from flexarm.scenario import Scenario

POINTS = 1500
SLOWEST = 1e-3
"""Where the frequencies begin, as a share of a tenth of the lowest elastic one: loops of soft laws cross far below it."""


class Margins(NamedTuple):
    """Margins of the loop of a joint: gain in dB and phase in degrees, inf where the loop never gets there, negative if it is not stable;
    the frequency in Hz of the phase margin, at which the loop gain is one (not a number if it never is), and the bandwidth of the closed loop in
    Hz (inf if it follows all references)."""

    joint: str
    gain: float
    phase: float
    crossover: float
    bandwidth: float


class Loop(NamedTuple):
    """A loop that is opened: frequencies in Hz (n,), L there (n,), and whether the closed loop is stable."""

    joint: str
    hz: np.ndarray
    response: np.ndarray
    stable: bool


@with_one_blas_thread
def open_loops(scenario: Scenario, pose: Sequence[float] | None = None, time: float | None = None) -> list[Loop]:
    """The loops of all joints that a law holds, but for cylinders with oil (see `bode`), each with all others closed."""
    program = prepare_program(scenario)
    held = treatments_of(scenario, "held")
    gains = gains_at(program, time or 0.0, scenario.time.end)
    found = []
    for joint, law in zip(program.wiring.joints, gains, strict=True):
        if held.get(joint.name) == "held" and joint.law is not None and joint.law.cylinder is None and any(law):
            opened = state_space(scenario, pose, time, {**held, joint.name: "free"})
            found.append(_opened(opened, joint, *law))
    return found


def _opened(whole: StateSpace, joint: JointWiring, kp: float, kv: float, ki: float) -> Loop:
    assert joint.law is not None
    read = [f"{joint.name}.{SIDE[joint.law.sensor]}{part}" for part in ("position", "velocity")]
    driven = next(name for name in whole.inputs if name in (f"{joint.name}.torque", f"{joint.name}.command"))
    plant = whole.select(read, driven)
    near = around(plant.poles, 0.0, POINTS)
    hz = np.append(np.geomspace(SLOWEST * near[0], near[0], POINTS, endpoint=False), near)
    s = 2j * np.pi * hz
    n = len(plant.A)
    closed = np.zeros((n + 1, n + 1))
    closed[:n, :n] = plant.A - plant.B @ (kp * plant.C[:1] + kv * plant.C[1:])
    closed[:n, n:], closed[n, :n] = plant.B * ki, -plant.C[0]
    growth = np.linalg.eigvals(closed if ki else closed[:n, :n])
    stable = bool(growth.real.max() <= 1e-9 * np.abs(growth).max())
    return Loop(joint.name, hz, (kp + kv * s + ki / s) * plant.response(s)[:, 0, 0], stable)


def loop_margins(scenario: Scenario, pose: Sequence[float] | None = None, time: float | None = None) -> list[Margins]:
    """Margins and bandwidths of all joints that a law holds; cylinders with oil have those of `bode`.

    Examples
    --------
    >>> import flexarm as fa
    >>> (found,) = fa.loop_margins(fa.load("pd-hub"))
    >>> found.joint, round(found.phase, 1), round(found.bandwidth, 2)
    ('link', 62.7, 1.83)
    """
    return [margins(loop) for loop in open_loops(scenario, pose, time)]


def margins(loop: Loop) -> Margins:
    """Margins and bandwidth from the samples of a loop."""
    L, size = loop.response, np.log(np.abs(loop.response))
    k = np.flatnonzero((size[:-1] > 0.0) != (size[1:] > 0.0))
    share = size[k] / (size[k] - size[k + 1])
    turns = np.angle(-L)
    angles = np.abs(turns[k] + share * np.angle(L[k + 1] / L[k]))
    angles = np.minimum(angles, 2.0 * np.pi - angles)
    least = int(angles.argmin()) if len(k) else 0
    sign = 1.0 if loop.stable else -1.0
    # where the real part changes its sign as well L passes zero or, at a pole without damping, infinity
    m = np.flatnonzero((L.imag[:-1] > 0.0) != (L.imag[1:] > 0.0))
    m = m[(L.real[m] < 0.0) & (L.real[m + 1] < 0.0)]
    crossing = L.imag[m] / (L.imag[m] - L.imag[m + 1])
    factors = np.abs(np.log10(np.abs(L.real[m] + crossing * (L.real[m + 1] - L.real[m]))))
    return Margins(
        loop.joint,
        sign * 20.0 * float(factors.min(initial=math.inf)),
        sign * math.degrees(angles[least]) if len(k) else math.inf,
        float(loop.hz[k[least]] * (loop.hz[k[least] + 1] / loop.hz[k[least]]) ** share[least]) if len(k) else math.nan,
        bandwidth(loop.hz, L / (1.0 + L)),
    )


def bandwidth(hz: np.ndarray, response: np.ndarray) -> float:
    """The first of the frequencies (n,) at which a response (n,) has fallen to 1/sqrt(2) of its first value, between samples; inf if it never does.

    Examples
    --------
    >>> hz = np.linspace(0.01, 10.0, 1000)
    >>> round(bandwidth(hz, 3.0 / (1.0 + 0.5j * hz)), 4)
    2.0
    """
    size = np.abs(response) * math.sqrt(2.0) / abs(response[0])
    below = np.flatnonzero(size < 1.0)
    if not len(below) or below[0] == 0:
        return math.inf
    k = int(below[0])
    share = math.log(size[k - 1]) / math.log(size[k - 1] / size[k])
    return float(hz[k - 1] * (hz[k] / hz[k - 1]) ** share)
