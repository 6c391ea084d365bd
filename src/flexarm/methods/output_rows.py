"""Outputs of linear models: the readings, by the derivatives of their formulas.

With T the change of a record's numbers per unit of each coordinate q, rates of numbers change with q' as these do with q, and rates of
rates with q''. So

    y = Y0 q + Y1 q' + Y2 q'' + Yu u

for all readings alike. The torque through a joint is that of its motor less what the rotor takes, n J (w' + n q_m''), with the carrier's
rate w; forces of constraints are those of their balance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from flexarm.methods.reader import Reader

UNTOLD = 1e-9
"""A reading counts as one of numbers that are not known if they have more than this share in its derivatives."""


class OutputRows(NamedTuple):
    """Readings ``y = position q + rate q' + acceleration q'' + torque u`` of small motions, (readings, coordinates), the last one
    (readings, inputs); not a number where only a balance of forces that is not known here would tell."""

    position: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray

    def of(self, T: np.ndarray) -> OutputRows:
        """The same in other coordinates, q = T p."""
        return OutputRows(self.position @ T, self.rate @ T, self.acceleration @ T, self.torque)


def reactions(G: np.ndarray, N: np.ndarray, matrices: Sequence[np.ndarray], B: np.ndarray) -> OutputRows:
    """Forces lam of constraints, ``M q'' + C q' + K q + G^T lam = B u``, on the motions q = N p that they leave."""
    M, C, K = matrices
    pull = np.linalg.pinv(G.T)
    return OutputRows(-pull @ K @ N, -pull @ C @ N, -pull @ M @ N, pull @ B)


def output_names(reader: Reader) -> tuple[str, ...]:
    """The readings, accelerations of the tip, and forces of the pins of loops."""
    found = [name.replace("velocity", "acceleration") for name in reader.names if name.startswith("tip.velocity")]
    for loop in reader.arm.loops if reader.closes_loops else ():
        parts = ("force_x", "force_y", "moment") if loop.type == "fixed" else ("force_x", "force_y")
        found += [f"{loop.name}.{part}" for part in parts]
    return (*reader.names, *found)


def output_rows(
    reader: Reader, x: np.ndarray, T: np.ndarray, places: slice, inputs: Sequence[str], constraints: Callable[[], OutputRows] | None
) -> OutputRows:  # fmt: skip
    """Outputs in the order of `output_names` about a record x (width,).

    Parameters
    ----------
    T : ndarray, shape (numbers, n)
        Change of the record's numbers at `places` per unit of each coordinate.
    inputs : sequence of str
        Joints whose torques are inputs.
    constraints : callable, optional
        Gives the forces of all constraints, which stand at ``layout["lam"]``.
    """
    changes = _changes(reader, x, T, places, inputs)
    untold = np.zeros(len(x), dtype=bool)
    untold[list(reader.of_balance)] = True
    if "lam" in reader.model.layout:
        forces = reader.model.layout["lam"]
        untold[forces] = constraints is None
        for change, rows in zip(changes, constraints(), strict=True) if constraints is not None else ():
            change[forces] = rows
    names, pins = output_names(reader), _pins(reader)
    read = [name if name in pins else name.replace("acceleration", "velocity") for name in names]
    tape = reader.graph.tape([pins[name] if name in pins else reader.formula(name) for name in read])
    slopes = tape.derivatives(x)
    found = [slopes @ change for change in changes]
    unknown = np.abs(slopes[:, untold]).max(axis=1, initial=0.0) > UNTOLD * np.abs(slopes).max(axis=1, initial=0.0)
    for part in found:
        part[unknown] = np.nan
    later = [k for k, name in enumerate(names) if name != read[k]]  # accelerations, from the rows of velocities
    found[2][later], found[1][later], found[0][later] = found[1][later], found[0][later], 0.0
    return OutputRows(*found)


def _changes(reader: Reader, x: np.ndarray, T: np.ndarray, places: slice, inputs: Sequence[str]) -> list[np.ndarray]:
    """Change of a record's numbers with coordinates, their rates and accelerations, (width, n) each, and with torques (width, inputs)."""
    rates = {place: rate for place, rate in reader.graph.rates.items() if not callable(rate)}
    position, rate, acceleration = (np.zeros((len(x), T.shape[1])) for _ in range(3))
    torque = np.zeros((len(x), len(inputs)))
    position[places] = T
    for place, of_it in rates.items():
        rate[of_it] = position[place]
    for place in set(rates) & set(rates.values()):
        if rates[place] < len(x):
            acceleration[rates[place]] = rate[place]
    for link in reader.movable:
        name, joint, numbers = reader.arm.links[link].name, reader.arm.links[link].joint, reader.joint(link)
        turning = reader.carrier_rate(link) + joint.ratio * numbers.motor_velocity if joint.rotor_inertia else 0.0
        through, driven, rotor = reader.graph.tape([numbers.torque, numbers.drive, turning]).derivatives(x)
        if name in inputs:
            torque[[np.argmax(through), np.argmax(driven)], inputs.index(name)] = 1.0
        acceleration[np.argmax(through)] -= joint.ratio * joint.rotor_inertia * rotor @ rate
    return [position, rate, acceleration, torque]


def _pins(reader: Reader) -> dict[str, Any]:
    """Formulas of the forces of pins, by name."""
    found = {}
    for k, loop in enumerate(reader.arm.loops if reader.closes_loops else ()):
        numbers = reader.loop(k)
        for part, formula in (("force_x", numbers.force[0]), ("force_y", numbers.force[1]), ("moment", numbers.moment)):
            found[f"{loop.name}.{part}"] = formula
    return found
