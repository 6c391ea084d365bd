"""Which way to assemble a mechanism when nothing is said: with the fewest crossing links."""

from __future__ import annotations

import numpy as np

from flexarm.rigid.chain import Chain, link_index
from flexarm.rigid.kinematics import move
from flexarm.rigid.loops import CLOSED, LoopEquations, close_rows


def best_assembly(equations: LoopEquations, q: np.ndarray, passive: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Close from many starts; prefer closed, then few crossings, then nearness to the guess."""
    spread = np.random.default_rng(0).uniform(-np.pi, np.pi, (32, len(passive)))
    spread[0] = 0.0
    tries = np.repeat(q, len(spread), axis=0)
    tries[:, passive] += spread
    found, gap = close_rows(equations, tries, passive)
    turned = np.remainder(found[:, passive] - q[:, passive] + np.pi, 2.0 * np.pi) - np.pi
    found[:, passive] = q[:, passive] + turned
    crossings = np.array([_crossings(equations.chain, row) for row in found])
    away = np.round(np.abs(turned).max(axis=1, initial=0.0), 9)
    best = int(np.lexsort((away, crossings, np.where(gap > CLOSED, gap, 0.0)))[0])
    return found[best : best + 1], gap[best : best + 1]


def _crossings(chain: Chain, q: np.ndarray) -> int:
    """How often the sides of the loops, drawn as polygons through joints and pins, cross each other."""
    motion, count = move(chain, q[None]), 0
    for loop in chain.arm.loops:
        (a, place), (b, _) = ((link_index(chain.arm, name), place) for name, place in loop.places)
        up, down = chain.path(a), chain.path(b)
        pin = motion.point(a, np.array(chain.arm.links[a].place(place)))[0, :2]
        corners = [motion.joint[i][0, :2] for i in up if i not in down]
        corners += [pin, *(motion.joint[i][0, :2] for i in reversed(down) if i not in up)]
        apart = [np.linalg.norm(c - corners[k - 1]) > 1e-9 * chain.size for k, c in enumerate(corners)]
        corners = [c for c, keep in zip(corners, apart, strict=True) if keep]
        n = len(corners)
        count += sum(
            _cross(corners[i], corners[(i + 1) % n], corners[j], corners[(j + 1) % n])
            for i in range(n)
            for j in range(i + 2, n if i else n - 1)
        )
    return count


def _cross(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    """True if the segments a-b and c-d cross."""

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> float:
        return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) * side(a, b, d) < 0.0 and side(c, d, a) * side(c, d, b) < 0.0
