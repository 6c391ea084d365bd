"""Transfer matrices to print and to multiply: rigid body, spring, active joint, flexible joint, point mass, payload.

The state is z = (x, y, theta, m, qx, qy, 1) and z_outboard = U z_inboard for one time step:

>>> from flexarm.methods.segments import transfer
>>> step = transfer.Step(2e-3, beta=0.7, gamma=0.8)
>>> rod = transfer.rigid_body(step, mass=0.1, inertia=1e-5, length=0.05)
>>> beam = rod @ transfer.spring(20.0) @ rod
>>> beam.name
'body * spring * body'
>>> z = transfer.solve([transfer.active_joint(0.01), rod, transfer.spring(20.0), rod])
>>> z.shape, bool(abs(z[-1, 3:6]).max() < 1e-12)
((5, 7), True)

The arrays are filled by the compiled functions that step variant paper.

Equations: G23, G26, G27, G28, G29.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.methods.segments import elements
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.options import check_newmark

STATE = ("x", "y", "theta", "m", "qx", "qy", "1")


@dataclass(frozen=True)
class Step:
    """A time step by Newmark's rule: r'' = A r + B, r' = C r + D."""

    h: float
    beta: float = 0.7
    gamma: float = 0.8

    def __post_init__(self) -> None:
        if not self.h > 0.0:
            raise FlexarmError(f"a step must be longer than 0 s, not {self.h:g}")
        try:
            check_newmark(self.beta, self.gamma)
        except ValueError as error:
            raise FlexarmError(str(error)) from error

    @property
    def A(self) -> float:
        """Acceleration per position, 1/s^2."""
        return 1.0 / (self.beta * self.h**2)

    @property
    def C(self) -> float:
        """Rate per position, 1/s."""
        return self.gamma / (self.beta * self.h)

    def history(self, position: float, rate: float, acceleration: float) -> tuple[float, float]:
        """B and D of a coordinate from its values at the last step."""
        return elements.newmark_history(position, rate, acceleration, self.h, self.beta, self.gamma)


@dataclass(frozen=True)
class Motion:
    """Motion of a body at the last step: its inboard point and angle, with rates and accelerations, SI.

    `force` is the force on the body beyond its outboard point.
    """

    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rate: tuple[float, float, float] = (0.0, 0.0, 0.0)
    acceleration: tuple[float, float, float] = (0.0, 0.0, 0.0)
    force: tuple[float, float] = (0.0, 0.0)


REST = Motion()


@dataclass(frozen=True)
class TransferMatrix:
    """A 7 x 7 matrix with a name; ``@`` multiplies matrices, or a state."""

    name: str
    array: np.ndarray = field(repr=False)

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, TransferMatrix):
            return TransferMatrix(f"{self.name} * {other.name}", self.array @ other.array)
        return self.array @ np.asarray(other, dtype=float)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.array if dtype is None else self.array.astype(dtype)

    def __str__(self) -> str:
        rows = [self.name, "       " + "".join(f"{name:>12s}" for name in STATE)]
        for name, row in zip(STATE, self.array, strict=True):
            rows.append(f"{name:>6s} " + "".join(f"{value:12.4g}" for value in row))
        return "\n".join(rows)


def rigid_body(
    step: Step, mass: float, inertia: float, length: float, centre: tuple[float, float] | None = None,
    motion: Motion = REST, force: tuple[float, float] = (0.0, 0.0), arms: str = "taylor", name: str = "body",
) -> TransferMatrix:  # fmt: skip
    """A rigid piece.

    Parameters
    ----------
    step : Step
        Time step.
    mass, inertia, length : float
        kg, kg m^2 about the centre, m from inboard to outboard point.
    centre : tuple, optional
        Centre of mass in body axes, m; default the middle.
    motion : Motion
        Where it was at the last step.
    force : tuple
        Force at the centre, N.
    arms : {"taylor", "frozen"}
        Whether the arms of the forces follow the angle.
    """
    body = np.zeros(at.BODY)
    cx, cy = centre if centre is not None else (0.5 * length, 0.0)
    body[[at.M, at.J, at.CX, at.CY, at.OX]] = mass, inertia, cx, cy, length
    reference = _reference(step, motion, cx, cy)
    U = np.empty((elements.SIZE, elements.SIZE))
    elements.body_element(U, body, reference, step.A, force[0], force[1], arms != "frozen")
    return TransferMatrix(name, U)


def _reference(step: Step, motion: Motion, cx: float, cy: float) -> np.ndarray:
    """Angle, expanded sines and histories of a body, as the compiled step keeps them."""
    e = elements
    reference = np.zeros(e.REFERENCE)
    theta, rate, turn = (float(part[2]) for part in (motion.position, motion.rate, motion.acceleration))
    reference[e.R_THETA] = theta
    reference[e.R_G1], reference[e.R_G2] = e.expand(theta, rate, step.h)
    reference[[e.R_AX, e.R_AY]] = motion.acceleration[:2]
    reference[[e.R_QX, e.R_QY]] = motion.force
    arm = np.array([cx * np.cos(theta) - cy * np.sin(theta), cx * np.sin(theta) + cy * np.cos(theta)])
    across = np.array([-arm[1], arm[0]])
    for k in range(2):
        r, v, a = motion.position[k], motion.rate[k], motion.acceleration[k]
        reference[e.R_BXI + k] = step.history(r, v, a)[0]
        centre = r + arm[k], v + rate * across[k], a + turn * across[k] - rate**2 * arm[k]
        reference[e.R_BXC + k] = step.history(*centre)[0]
    reference[e.R_BT] = step.history(theta, rate, turn)[0]
    return reference


def spring(stiffness: float, damping: float = 0.0, step: Step | None = None, drift: float = 0.0) -> TransferMatrix:
    """A torsion spring, N m/rad; with a damper (N m s/rad) it needs the step and the history D of its winding."""
    if not stiffness > 0.0:
        raise FlexarmError(f"a spring needs a stiffness above 0, not {stiffness:g}")
    if damping and step is None:
        raise FlexarmError("a spring with a damper needs the time step")
    total = stiffness + (damping * step.C if step is not None else 0.0)
    return _rotary_element("spring", total, -damping * drift / total, 0.0)


def active_joint(angle: float) -> TransferMatrix:
    """A joint whose motor holds this angle, rad."""
    return _rotary_element("joint", 0.0, 0.0, angle)


def flexible_joint(angle: float, stiffness: float) -> TransferMatrix:
    """A motor at this angle and a spring behind it."""
    made = spring(stiffness) @ active_joint(angle)
    return TransferMatrix("flexible joint", made.array)


def _rotary_element(name: str, stiffness: float, offset: float, angle: float) -> TransferMatrix:
    U = np.empty((elements.SIZE, elements.SIZE))
    elements.spring_element(U, stiffness, offset, angle)
    return TransferMatrix(name, U)


def point_mass(
    step: Step, mass: float, motion: Motion = REST, force: tuple[float, float] = (0.0, 0.0)
) -> TransferMatrix:
    """A motor without inertia of its own: mass alone."""
    return rigid_body(step, mass, 0.0, 0.0, (0.0, 0.0), motion, force, name="point mass")


def payload(
    step: Step, mass: float, inertia: float = 0.0, offset: tuple[float, float] = (0.0, 0.0), motion: Motion = REST,
    force: tuple[float, float] = (0.0, 0.0),
) -> TransferMatrix:  # fmt: skip
    """A load with mass and inertia, its centre `offset` from the tip."""
    return rigid_body(step, mass, inertia, 0.0, offset, motion, force, name="payload")


def solve(chain: Sequence[TransferMatrix], solution: str = "product") -> np.ndarray:
    """States (elements + 1, 7) along a chain, root first, from a clamped root to a free tip.

    Parameters
    ----------
    chain : sequence of TransferMatrix
        Elements from the root outwards.
    solution : {"product", "riccati"}
        Multiply out, or sweep from tip to root.
    """
    if solution not in ("product", "riccati"):
        raise FlexarmError(f"solution is product or riccati, not {solution[:40]}")
    work = elements.matrices(len(chain))
    work.elements[:] = [element.array for element in chain]
    good = elements.by_product(work) if solution == "product" else elements.by_riccati(work)
    if not good:
        raise FlexarmError(
            "this chain has no solution: its last element needs inertia, or the product has lost its digits"
        )
    return work.states
