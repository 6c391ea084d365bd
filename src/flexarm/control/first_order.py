"""From ``M p'' + C p' + K p = b w`` to ``x' = A x + B w``, ``y = C x + D w``.

Coordinates p = [z | r | s]: the arm's own, positions of led motors, states of laws and actuators, which have no mass. The arm moves
in its own modes, z = Phi eta + L lam, with eta mass-normalised modes about static equilibrium and lam directions without mass, which
follow the modes statically. What has no mass, g = [lam | s], obeys

    C_gg g' + C_gm m' + K_gg g + K_gm m = b_g w ,      m = [eta | r] ,

where the null space of C_gg leaves algebraic equations; the others are states of first order. So

    x = [ m | m' | g_1 ]

keeps the low modes free of the rounding of the highest ones, and a rigid motion is one to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.methods.base import OutputRows
from flexarm.numerics.eigen import massless, undamped_modes

RIGID = 1e-11
"""Share of the square of the lowest elastic frequency below which that of a motion is rounding; of the highest one likewise."""
STATIC = 1e-9
"""Share of the largest damping (as a time) below which a direction without mass follows at once."""
CANCELLED = 1e-12
"""Share of its summands' sizes below which a damping or a coefficient of an output is rounding."""
DERIVED = 1e-9
"""Share of a reading's largest coefficient above which it feels the rate of an input."""


class Channel(NamedTuple):
    """An input: its name and unit, its forces on the coordinates (N,), and what readings feel of it at once (readings,)."""

    name: str
    unit: str
    column: np.ndarray
    feed: np.ndarray


@dataclass(frozen=True)
class Descriptor:
    """``M p'' + C p' + K p = b w`` with readings ``rows``; coordinates as in the module.

    structure : K of the arm alone on z, (arm, arm); led, laws : names of r and s; ratio : damping ratio that is added to every mode.
    """

    M: np.ndarray
    C: np.ndarray
    K: np.ndarray
    rows: OutputRows
    channels: Sequence[Channel]
    structure: np.ndarray
    led: tuple[str, ...]
    laws: tuple[str, ...]
    ratio: float = 0.0


class FirstOrder(NamedTuple):
    """A, B, C, D and names of the states; `improper` marks readings that feel the rate of an input. Rows of C and D of readings that
    are not known are not numbers."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    improper: np.ndarray


def first_order(system: Descriptor) -> FirstOrder:
    """The same in first order."""
    M, C, K, n = system.M, system.C, system.K, len(system.structure)
    led, count = slice(n, n + len(system.led)), len(M)
    b = np.column_stack([channel.column for channel in system.channels] or [np.zeros((count, 0))])
    square, Phi, L = _modes(M[:n, :n], system.structure)
    if b.shape[1]:
        pushed = Phi.T @ b[:n]
        first = pushed[np.arange(len(Phi.T)), np.abs(pushed).argmax(axis=1)] if pushed.shape[1] > 1 else pushed[:, 0]
        lead = np.where(np.abs(pushed[:, 0]) > 1e-6 * np.abs(first), pushed[:, 0], first)
        Phi = Phi * np.where(lead < 0.0, -1.0, 1.0)
    modes, light, nr, ns = Phi.shape[1], L.shape[1], len(system.led), len(system.laws)
    Pm, Pg = np.zeros((count, modes + nr)), np.zeros((count, light + ns))
    Pm[:n, :modes], Pm[led, modes:] = Phi, np.eye(nr)
    Pg[:n, :light], Pg[n + nr :, light:] = L, np.eye(ns)
    m, g1 = modes + nr, light + ns
    Kmm, Cmm = Pm.T @ K @ Pm, Pm.T @ C @ Pm
    Kmm[:modes, :modes] = np.diag(square) + Phi.T @ (K[:n, :n] - system.structure) @ Phi
    rounding = CANCELLED * (np.abs(Phi).T @ np.abs(C[:n, :n]) @ np.abs(Phi))
    Cmm[:modes, :modes][np.abs(Cmm[:modes, :modes]) < rounding] = 0.0
    Cmm[:modes, :modes] += np.diag(2.0 * system.ratio * np.sqrt(np.abs(square)))
    # directions without mass: g = Gx x + Gw w, their rates of first order Fx, Fw
    U1, S1, V1, U0, V0 = _ranges(Pg.T @ C @ Pg)
    Cgm, Kgm, Kgg, bg = Pg.T @ C @ Pm, Pg.T @ K @ Pm, Pg.T @ K @ Pg, Pg.T @ b
    still = U0.T @ Kgg @ V0
    if len(still) and np.linalg.cond(still) > 1e14:
        raise FlexarmError(
            "some part of the arm moves freely and has no mass: give it mass, inertia or a spring", field="arm.links"
        )
    k = V1.shape[1]
    size = 2 * m + k
    at_once = -np.linalg.solve(still, U0.T @ np.hstack([Kgm, Cgm, Kgg @ V1])) if len(still) else np.zeros((0, size))
    Gx = V0 @ at_once
    Gx[:, 2 * m :] += V1
    Gw = V0 @ np.linalg.solve(still, U0.T @ bg) if len(still) else np.zeros((g1, b.shape[1]))
    flow = Kgg @ Gx
    flow[:, :m] += Kgm
    flow[:, m : 2 * m] += Cgm
    Fx, Fw = -(U1.T @ flow) / S1[:, None], (U1.T @ (bg - Kgg @ Gw)) / S1[:, None]
    # motions: accelerations Ax x + Aw w
    push = Pm.T @ C @ Pg @ V1
    Ax = -Pm.T @ K @ Pg @ Gx - push @ Fx
    Ax[:, :m] -= Kmm
    Ax[:, m : 2 * m] -= Cmm
    Aw = Pm.T @ b - Pm.T @ K @ Pg @ Gw - push @ Fw
    Ax[modes:], Aw[modes:] = 0.0, b[led]
    Aw[:modes] -= Phi.T @ M[:n, led] @ b[led]
    A, B = np.zeros((size, size)), np.zeros((size, b.shape[1]))
    A[:m, m : 2 * m] = np.eye(m)
    A[m : 2 * m], B[m : 2 * m] = Ax, Aw
    A[2 * m :], B[2 * m :] = Fx, Fw
    # readings
    Y = OutputRows(*(np.where(np.isfinite(part), part, 0.0) for part in system.rows))
    rate_x, rate_w = V1 @ Fx + Gx[:, : 2 * m] @ A[: 2 * m] + (Gx[:, 2 * m :] - V1) @ Fx, V1 @ Fw
    rate_w = rate_w + Gx[:, m : 2 * m] @ Aw + (Gx[:, 2 * m :] - V1) @ Fw
    Cy = Y.position @ Pg @ Gx + Y.rate @ Pg @ rate_x + Y.acceleration @ Pm @ Ax
    Cy[:, :m] += Y.position @ Pm
    Cy[:, m : 2 * m] += Y.rate @ Pm
    feed = np.column_stack([channel.feed for channel in system.channels] or [np.zeros((len(Y.position), 0))])
    D = Y.position @ Pg @ Gw + Y.rate @ Pg @ rate_w + Y.acceleration @ Pm @ Aw + np.nan_to_num(feed)
    by_rate = np.abs(Y.rate @ Pg @ Gw).max(axis=1, initial=0.0) + np.abs(Y.acceleration @ Pg).max(axis=1, initial=0.0)
    scale = np.maximum.reduce([np.abs(part).max(axis=1, initial=0.0) for part in Y[:3]])
    improper = by_rate > DERIVED * np.maximum(scale, 1e-300)
    unknown = ~np.isfinite(system.rows.position).all(axis=1)
    Cy[unknown], D[unknown] = np.nan, np.nan
    return FirstOrder(A, B, Cy, D, _names(square, system, k), improper)


def _modes(M: np.ndarray, K: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Squares of the arm's angular frequencies, rigid ones exactly 0, its mass-normalised modes, and directions without mass, which
    the modes move statically; these are of unit stiffness."""
    heavy, light = massless(M)
    symmetric = 0.5 * (K + K.T)
    if light.shape[1]:
        own = light.T @ symmetric @ light
        light = light / np.sqrt(np.maximum(np.abs(np.diag(own)), 1e-300))
        own = light.T @ symmetric @ light
        if np.linalg.cond(own) < 1e14:
            heavy = heavy - light @ np.linalg.solve(own, light.T @ symmetric @ heavy)
    found = undamped_modes(heavy.T @ M @ heavy, heavy.T @ symmetric @ heavy)
    swinging = found.square[found.square > RIGID * np.abs(found.square).max(initial=0.0)]
    rigid = found.rigid | (np.abs(found.square) < RIGID * swinging.min(initial=np.inf))
    square = np.where(rigid, 0.0, found.square)
    order = np.argsort(np.where(rigid, -np.inf, np.abs(square)), kind="stable")
    vectors = found.vectors[:, order]
    # low modes and high ones come from different problems: what a high one has of the low ones is taken off, else zeros lose digits
    upper = np.linalg.cholesky(vectors.T @ (heavy.T @ M @ heavy) @ vectors).T
    return square[order], heavy @ np.linalg.solve(upper.T, vectors.T).T, light


def _ranges(C: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """U1, S1, V1 of the part of a matrix that is not singular, U1 S1 V1^T, and null spaces U0, V0; plain coordinates where all is regular
    and diagonal."""
    if np.array_equal(C, np.diag(np.diag(C))) and np.all(np.diag(C) > 0.0):
        one, none = np.eye(len(C)), np.zeros((len(C), 0))
        return one, np.diag(C).copy(), one, none, none
    U, S, Vt = np.linalg.svd(C)
    rank = int(np.sum(STATIC * S.max(initial=0.0) < S))
    return U[:, :rank], S[:rank], Vt[:rank].T, U[:, rank:], Vt[rank:].T


def _names(square: np.ndarray, system: Descriptor, slow: int) -> tuple[str, ...]:
    """Names of the states: positions, rates, then what is of first order."""
    rigid = int(np.sum(square == 0.0))
    motions = [f"rigid{k + 1}" for k in range(rigid)] + [f"mode{k + 1}" for k in range(len(square) - rigid)]
    motions += [f"{name}.led" for name in system.led]
    others = [f"relaxation{k + 1}" for k in range(slow - len(system.laws))]
    own = system.laws if slow >= len(system.laws) else tuple(f"law{k + 1}" for k in range(slow))
    return (*motions, *(f"{name}.rate" for name in motions), *others, *own)
