"""Eight elements side by side: how their numbers lie in memory, and the way in and out.

A *group* is a block of rows of eight numbers, one per element (*lane*), so that the compiler works on all of them at
once. Lanes that are left over hold a beam at rest and are never read. All rows of a group are in one array, and
their numbers are constants: that is what lets the compiler see that the lanes do not touch each other.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial import layout as at
from flexarm.numerics.aligned import aligned
from flexarm.numerics.jit import njit_inside

WIDE = 8

# of both ends: position (3), rotation (9), velocity (6), acceleration (6)
ONE, TWO = 0, 24
R, TURN, V, A = 0, 3, 12, 18
# linear theory: small rotations of both ends, spin of the stiff arm
TH1, TH2, SPIN = 48, 51, 54
# what the element is: length, one over it, its rate, Kelvin-Voigt time, stiffnesses (6), masses, inertias, weights
H, INVERSE, DH, KELVIN, EA, GJ = 57, 58, 59, 60, 61, 64
M11, J11, J12, J22, W1 = 67, 70, 73, 76, 79
# section in the middle; psi in its axes and in space; factors of `spin_factors` and of the half rotation
RM, PSI, SPACE, GAMMA = 81, 90, 93, 96
TILT, D, STRAIN, RATE, FORCE, DRAG, N, M, Q = 104, 107, 110, 116, 122, 128, 134, 137, 140
# forces on the ends, conservative and damping (12 each); kinetic, elastic, gravity energy, damping power
ENDS, DRAGS, KINETIC, ELASTIC, WEIGHT, LOST = 143, 155, 167, 168, 169, 170
K = 171
ROWS = K + 144


def make_groups(elements: np.ndarray) -> np.ndarray:
    """Groups (ng, rows * 8) for `elements`; lanes left over are straight beams of unit length."""
    groups = np.zeros((-(-len(elements) // WIDE), ROWS, WIDE))
    for row in (ONE + TURN, TWO + TURN):
        groups[:, row : row + 9] = np.eye(3).reshape(1, 9, 1)
    groups[:, [H, INVERSE]] = 1.0
    groups[:, TWO] = 1.0
    return aligned(groups.reshape(len(groups), -1))


def fill_groups(groups: np.ndarray, properties: np.ndarray) -> None:
    """What the elements are, from their table (ne, M_SIZE)."""
    view = groups.reshape(len(groups), ROWS, WIDE)
    for e, row in enumerate(properties):
        q = view[e // WIDE, :, e % WIDE]
        h = row[at.M_LENGTH]
        q[H], q[INVERSE], q[DH], q[KELVIN] = h, 1.0 / h, 0.0, row[at.M_KELVIN]
        q[DRAG : DRAG + 6] = 0.0
        q[EA : EA + 6], q[M11 : M11 + 14] = row[at.M_EA : at.M_EA + 6], h * row[at.M_11 : at.M_11 + 14]


@njit_inside
def gather(q, lane, row, f, position, rotation, velocity, acceleration):
    """State of frame f into the rows of one end."""
    at_lane, turned = q[row * WIDE + lane :], rotation[f]
    place, speed, push = position[f], velocity[f], acceleration[f]
    for k in range(3):
        at_lane[(R + k) * WIDE] = place[k]
    for k in range(9):
        at_lane[(TURN + k) * WIDE] = turned[k]
    for k in range(6):
        at_lane[(V + k) * WIDE] = speed[k]
        at_lane[(A + k) * WIDE] = push[k]


@njit_inside
def gather_small(q, lane, f1, f2, th, nv):
    """Small rotations of both ends and the spin of the stiff arm."""
    for k in range(3):
        q[(TH1 + k) * WIDE + lane], q[(TH2 + k) * WIDE + lane] = th[f1, k], th[f2, k]
        q[(SPIN + k) * WIDE + lane] = nv[f2, 3 + k]


@njit_inside
def scatter(q, lane, row, f1, f2, f):
    """Add the forces on both ends that begin at `row`."""
    at_lane, one, two = q[row * WIDE + lane :], f[f1], f[f2]
    for k in range(6):
        one[k] += at_lane[k * WIDE]
        two[k] += at_lane[(6 + k) * WIDE]


@njit_inside
def scatter_matrix(q, lane, row, column, matrix):
    """Add the matrix of two nodes whose unknowns begin at `row` (or -1: held) and `column` to tiles; see `matrix`."""
    flat, spot, b = matrix.entries, matrix.spot, matrix.half_width
    at_lane = q[K * WIDE + lane :]
    two = flat[spot[column, b] :]
    for i in range(6):
        for j in range(6):
            two[8 * i + j] += at_lane[(12 * (6 + i) + 6 + j) * WIDE]
    if row < 0:
        return
    one, behind, before = (
        flat[spot[row, b] :],
        flat[spot[row, column - row + b] :],
        flat[spot[column, row - column + b] :],
    )
    for i in range(6):
        for j in range(6):
            one[8 * i + j] += at_lane[(12 * i + j) * WIDE]
            behind[8 * i + j] += at_lane[(12 * i + 6 + j) * WIDE]
            before[i + 8 * j] += at_lane[(12 * (6 + i) + j) * WIDE]


@njit_inside
def get_matrix(q, lane, full):
    """The matrix of one lane into `full` (12, 12)."""
    at_lane = q[K * WIDE + lane :]
    for i in range(12):
        for j in range(12):
            full[i, j] = at_lane[(12 * i + j) * WIDE]
