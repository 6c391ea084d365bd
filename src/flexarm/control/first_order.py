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
from flexarm.methods.output_rows import OutputRows
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


class Followers(NamedTuple):
    """What has no mass: g = Gx x + Gw w, its rates gx x + gw w as far as no accelerations and rates of inputs are in them, by_velocity
    (what of g follows rates of motions at once), and Fx x + Fw w, the rates of the directions that are `states`."""

    Gx: np.ndarray
    Gw: np.ndarray
    gx: np.ndarray
    gw: np.ndarray
    by_velocity: np.ndarray
    Fx: np.ndarray
    Fw: np.ndarray
    states: int


def first_order(system: Descriptor) -> FirstOrder:
    """The same in first order."""
    M, C, K, n = system.M, system.C, system.K, len(system.structure)
    led, total = slice(n, n + len(system.led)), len(M)
    b = np.column_stack([channel.column for channel in system.channels] or [np.zeros((total, 0))])
    square, Phi, L = _modes(M[:n, :n], system.structure)
    Phi = Phi * _signs(Phi.T @ b[:n])
    modes, light, nr = Phi.shape[1], L.shape[1], len(system.led)
    Pm, Pg = np.zeros((total, modes + nr)), np.zeros((total, light + len(system.laws)))
    Pm[:n, :modes], Pm[led, modes:] = Phi, np.eye(nr)
    Pg[:n, :light], Pg[n + nr :, light:] = L, np.eye(len(system.laws))
    m = modes + nr
    g = _followers(C, K, b, Pm, Pg)
    Ax, Aw = np.zeros((m, 2 * m + g.states)), Pm.T @ b
    Ax[:, :m], Ax[:, m : 2 * m] = -Pm.T @ K @ Pm, -Pm.T @ C @ Pm
    Ax[:modes, :modes] = -np.diag(square) - Phi.T @ (K[:n, :n] - system.structure) @ Phi
    damping = Ax[:modes, m : m + modes]
    damping[np.abs(damping) < CANCELLED * (np.abs(Phi).T @ np.abs(C[:n, :n]) @ np.abs(Phi))] = 0.0
    damping -= np.diag(2.0 * system.ratio * np.sqrt(np.abs(square)))
    coupling = Pm.T @ C @ Pg
    Ax -= Pm.T @ K @ Pg @ g.Gx + coupling @ g.gx
    Aw -= Pm.T @ K @ Pg @ g.Gw + coupling @ g.gw
    felt = max(np.abs(coupling @ g.by_velocity).max(initial=0.0), np.abs(coupling @ g.Gw).max(initial=0.0))
    if felt > DERIVED * np.abs(coupling).max(initial=0.0) and felt > DERIVED * np.abs(Aw).max(initial=0.0):
        raise FlexarmError(
            "a law reads the rate of a part without inertia, which jumps with the torque: give hub_inertia or rotor_inertia",
            field="arm.links",
        )
    Ax[modes:], Aw[modes:] = 0.0, b[led]
    Aw[:modes] -= Phi.T @ M[:n, led] @ b[led]
    A, B = np.zeros((2 * m + g.states,) * 2), np.zeros((2 * m + g.states, b.shape[1]))
    A[:m, m : 2 * m] = np.eye(m)
    A[m : 2 * m], B[m : 2 * m], A[2 * m :], B[2 * m :] = Ax, Aw, g.Fx, g.Fw
    outputs, direct, improper = _readings(system, Pm, Pg, g, Ax, Aw)
    return FirstOrder(A, B, outputs, direct, _names(square, system, g.states), improper)


def _signs(pushed: np.ndarray) -> np.ndarray:
    """Signs (modes,) with which the first input that moves a mode pushes it forwards; pushed (modes, inputs)."""
    if not pushed.shape[1]:
        return np.ones(len(pushed))
    strongest = pushed[np.arange(len(pushed)), np.abs(pushed).argmax(axis=1)]
    lead = np.where(np.abs(pushed[:, 0]) > 1e-6 * np.abs(strongest), pushed[:, 0], strongest)
    return np.where(lead < 0.0, -1.0, 1.0)


def _followers(C: np.ndarray, K: np.ndarray, b: np.ndarray, Pm: np.ndarray, Pg: np.ndarray) -> Followers:
    """Directions Pg without mass, from motions Pm."""
    U1, S1, V1, U0, V0 = _ranges(Pg.T @ C @ Pg)
    Cgm, Kgm, Kgg, bg = Pg.T @ C @ Pm, Pg.T @ K @ Pm, Pg.T @ K @ Pg, Pg.T @ b
    still, m, count = U0.T @ Kgg @ V0, Pm.shape[1], V1.shape[1]
    if len(still) and np.linalg.cond(still) > 1e14:
        raise FlexarmError(
            "some part of the arm moves freely and has no mass: give it mass, inertia or a spring", field="arm.links"
        )
    at_once, by_input = np.zeros((0, 2 * m + count)), np.zeros((0, b.shape[1]))
    if len(still):
        at_once = -np.linalg.solve(still, U0.T @ np.hstack([Kgm, Cgm, Kgg @ V1]))
        by_input = np.linalg.solve(still, U0.T @ bg)
    Gx, Gw = V0 @ at_once, V0 @ by_input
    slow = V1 + Gx[:, 2 * m :]
    Gx[:, 2 * m :] = slow
    flow = Kgg @ Gx
    flow[:, :m] += Kgm
    flow[:, m : 2 * m] += Cgm
    Fx, Fw = -(U1.T @ flow) / S1[:, None], (U1.T @ (bg - Kgg @ Gw)) / S1[:, None]
    gx = slow @ Fx
    gx[:, m : 2 * m] += Gx[:, :m]
    return Followers(Gx, Gw, gx, slow @ Fw, Gx[:, m : 2 * m], Fx, Fw, count)


def _readings(
    system: Descriptor, Pm: np.ndarray, Pg: np.ndarray, g: Followers, Ax: np.ndarray, Aw: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """C and D, and marks of readings that feel rates of inputs."""
    Y = OutputRows(*(np.where(np.isfinite(part), part, 0.0) for part in system.rows))
    m = Pm.shape[1]
    C = Y.position @ Pg @ g.Gx + Y.rate @ Pg @ (g.gx + g.by_velocity @ Ax) + Y.acceleration @ Pm @ Ax
    C[:, :m] += Y.position @ Pm
    C[:, m : 2 * m] += Y.rate @ Pm
    feed = np.column_stack([channel.feed for channel in system.channels] or [np.zeros((len(C), 0))])
    D = (
        Y.position @ Pg @ g.Gw
        + Y.rate @ Pg @ (g.gw + g.by_velocity @ Aw)
        + Y.acceleration @ Pm @ Aw
        + np.nan_to_num(feed)
    )
    by_rate = np.abs(Y.rate @ Pg @ g.Gw).max(axis=1, initial=0.0) + np.abs(Y.acceleration @ Pg).max(axis=1, initial=0.0)
    scale = np.maximum.reduce([np.abs(part).max(axis=1, initial=0.0) for part in Y[:3]])
    unknown = ~np.isfinite(system.rows.position).all(axis=1)
    C[unknown], D[unknown] = np.nan, np.nan
    return C, D, by_rate > DERIVED * np.maximum(scale, 1e-300)


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
