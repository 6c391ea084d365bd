"""Joint positions along a curve of the tip, as functions with two continuous derivatives.

At nodes along each piece of the curve the joints are solved for, with their derivatives q' and q'' with respect to the
curve's parameter; quintic polynomials between nodes match all three. Nodes are halved until the tip of the polynomial
lies on the curve to rounding, so the polynomials stand for the exact inverse kinematics.

An arm with more joints than it needs moves them as little as possible: q' = J^+ r'. Then

    q'' = J^+ (r'' - J' q') + (1 - J^+ J) J'^T (J J^T)^-1 r'
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive.paths.curves import Curve, Piece
from flexarm.errors import FlexarmError
from flexarm.rigid import inverse, joint_rates, tip_joints
from flexarm.rigid.chain import Chain
from flexarm.rigid.inverse import REACHED
from flexarm.rigid.newton import solve
from flexarm.rigid.task import TaskEquations

FEW, MANY = 16, 8192
"""Number of intervals per piece to begin with, and the most."""
CLOSE = 1e-12
"""How far the tip may lie off the curve between nodes, as a share of the arm's size."""
SINGULAR = 1e-5
"""Smallest speed of the tip per joint speed, as a share of the arm's size, at which a pose counts as singular."""


SINGULAR_WORDS = (
    "the arm is stretched, folded or otherwise singular there and cannot move its tip in every direction; "
    "move the path away from that pose"
)


class PathTrouble(Exception):
    """The arm cannot follow the curve at the parameter `u`, for the reason given."""

    def __init__(self, u: float, reason: str):
        super().__init__(reason)
        self.u, self.reason = u, reason


class JointCurve:
    """Joint positions along a curve.

    Parameters
    ----------
    arm : Arm
        The arm; its joints are the unknowns.
    curve : Curve
        Where the tip shall be.
    guess : sequence of float
        Joint positions near the first ones.
    elbow : {"up", "down"}
        Side to which the arm bends.

    Attributes
    ----------
    first : ndarray, shape (nj,)
        Joint positions at the start.
    closest : float
        Least speed of the tip per joint speed along the curve, as a share of the arm's size; 0 in a singular pose.
    """

    def __init__(self, arm: Arm, curve: Curve, guess: Any, elbow: str):
        self._arm, self._equations = arm, TaskEquations(Chain.of(arm))
        self._spare = len(tip_joints(arm)) > self._equations.axes
        self.closest = np.inf
        self._polynomials = []
        place = curve.pieces[0].at(np.zeros(1))[0]
        try:
            self.first = inverse(arm, place[:, : self._equations.axes], guess, elbow)[0]
        except FlexarmError as error:
            raise PathTrouble(0.0, error.message) from None
        pose = self.first
        for begin, piece in zip(curve.edges[:-1].tolist(), curve.pieces, strict=True):
            polynomial = self._follow(begin, piece, pose, elbow)
            self._polynomials.append(polynomial)
            pose = polynomial(piece.length)
        self._edges = curve.edges

    def at(self, u: np.ndarray, piece: np.ndarray | int) -> np.ndarray:
        """Positions and two derivatives with respect to u on the given pieces, shape (3, n, nj)."""
        out = np.zeros((3, len(u), len(self.first)))
        for k in np.unique(piece):
            rows = slice(None) if np.ndim(piece) == 0 else np.flatnonzero(piece == k)
            polynomial = self._polynomials[k]
            v = np.clip(u[rows] - self._edges[k], 0.0, polynomial.x[-1])
            for order in range(3):
                out[order, rows] = polynomial(v, order)
        return out

    def _follow(self, begin: float, piece: Piece, pose: np.ndarray, elbow: str) -> Any:
        """Polynomials of one piece, from the pose at its start."""
        drift = self._drift(begin, piece, pose) if self._spare else None
        per_knot = max(1, FEW // (len(piece.knots) - 1))
        while True:
            shares = np.arange(per_knot) / per_knot
            v = np.append((piece.knots[:-1, None] + shares * np.diff(piece.knots)[:, None]).ravel(), piece.length)
            r, slope, bend = piece.at(v)
            q = self._positions(begin, v, piece, r, pose if drift is None else drift(v).T, elbow)
            self._check_poses(begin + v, q)
            first, second = self._rates(begin + v, q, slope, bend)
            polynomial = quintic(v, q, first, second)
            between = 0.5 * (v[1:] + v[:-1])
            miss, _ = self._equations.evaluate(polynomial(between), piece.at(between)[0])
            if np.abs(miss).max() < CLOSE:
                return polynomial
            per_knot *= 2
            if len(v) > MANY:
                worst = int(np.abs(miss).max(axis=1).argmax())
                raise PathTrouble(begin + float(between[worst]), SINGULAR_WORDS)

    def _positions(
        self, begin: float, v: np.ndarray, piece: Piece, r: np.ndarray, guess: np.ndarray, elbow: str
    ) -> np.ndarray:
        if guess.ndim == 2:
            q, gap = solve(self._equations.evaluate, guess, r, self._equations.bounds)
            if gap.max() > REACHED:
                raise PathTrouble(begin + float(v[int(np.argmax(gap > REACHED))]), SINGULAR_WORDS)
            return q
        axes = self._equations.axes
        try:
            return inverse(self._arm, r[:, :axes], guess, elbow)
        except FlexarmError as error:
            raise PathTrouble(begin + self._leaves_reach(piece, v, guess, elbow), error.message) from None

    def _reaches(self, piece: Piece, v: float, guess: np.ndarray, elbow: str) -> bool:
        """True if the arm can bring its tip to the place at `v`."""
        try:
            inverse(self._arm, piece.at(np.array([v]))[0][:, : self._equations.axes], guess, elbow)
        except FlexarmError:
            return False
        return True

    def _leaves_reach(self, piece: Piece, v: np.ndarray, guess: np.ndarray, elbow: str) -> float:
        """Parameter at which the tip can no longer follow, between two of the nodes `v`."""
        bad = next((k for k, at in enumerate(v.tolist()) if not self._reaches(piece, at, guess, elbow)), 0)
        low, high = float(v[max(bad - 1, 0)]), float(v[bad])
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._reaches(piece, middle, guess, elbow) else (low, middle)
        return high

    def _drift(self, begin: float, piece: Piece, pose: np.ndarray) -> Any:
        """Joints that move as little as possible: the solution of q' = J^+ r' from `pose`, as a function of v."""
        from scipy.integrate import solve_ivp

        calls = 0

        def rate(at: float, q: np.ndarray) -> np.ndarray:
            nonlocal calls
            calls += 1
            slope = piece.at(np.array([at]))[1][0, : self._equations.axes] / self._equations.size
            jac = self._equations.evaluate(q[None], np.zeros((1, 3)))[1][0]
            found, _, _, size = np.linalg.lstsq(jac, slope, rcond=None)
            if size[-1] < SINGULAR or calls > 20_000:
                raise PathTrouble(begin + at, SINGULAR_WORDS)
            return found

        return solve_ivp(rate, (0.0, piece.length), pose, "DOP853", dense_output=True, rtol=1e-9, atol=1e-10).sol

    def _check_poses(self, u: np.ndarray, q: np.ndarray) -> None:
        jac = self._equations.evaluate(q, np.zeros((len(q), 3)))[1]
        least = np.linalg.svd(jac, compute_uv=False)[:, self._equations.axes - 1]
        worst = int(least.argmin())
        if least[worst] < SINGULAR:
            raise PathTrouble(float(u[worst]), SINGULAR_WORDS)
        self.closest = min(self.closest, float(least[worst]))

    def _rates(
        self, u: np.ndarray, q: np.ndarray, slope: np.ndarray, bend: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        try:
            first, second = joint_rates(self._arm, q, slope, bend)
        except FlexarmError as error:
            raise PathTrouble(float(u[0]), error.message) from None
        if not self._spare:
            return first, second
        step = 1e-5 / max(1.0, float(np.abs(first).max()))
        none = np.zeros((len(q), 3))
        jac = self._equations.evaluate(q, none)[1]
        ahead, behind = (self._equations.evaluate(q + side * step * first, none)[1] for side in (1.0, -1.0))
        change = (ahead - behind) / (2.0 * step)
        back = np.linalg.pinv(jac)
        load = np.swapaxes(back, 1, 2) @ first[:, :, None]  # (J J^T)^-1 r'
        extra = np.swapaxes(change, 1, 2) @ load
        return first, second + (extra - back @ (jac @ extra))[:, :, 0]


def quintic(x: np.ndarray, q: np.ndarray, first: np.ndarray, second: np.ndarray) -> Any:
    """Polynomials of degree five that match values and two derivatives, each (n, nj), at nodes `x`."""
    from scipy.interpolate import PPoly

    h = np.diff(x)[:, None]
    jump = q[1:] - q[:-1] - h * first[:-1] - 0.5 * h**2 * second[:-1]
    turn = (first[1:] - first[:-1] - h * second[:-1]) * h
    push = (second[1:] - second[:-1]) * h**2
    c3 = (10.0 * jump - 4.0 * turn + 0.5 * push) / h**3
    c4 = (-15.0 * jump + 7.0 * turn - push) / h**4
    c5 = (6.0 * jump - 3.0 * turn + 0.5 * push) / h**5
    return PPoly(np.stack([c5, c4, c3, 0.5 * second[:-1], first[:-1], q[:-1]]), x)
