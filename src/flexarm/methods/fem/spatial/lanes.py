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
Q_ONE, Q_TWO = 0, 24
Q_R, Q_TURN, Q_V, Q_A = 0, 3, 12, 18
# linear theory: small rotations of both ends, spin of the stiff arm
Q_TH1, Q_TH2, Q_SPIN = 48, 51, 54
# what the element is: length, one over it, its rate, Kelvin-Voigt time, stiffnesses (6), masses, inertias, weights
Q_H, Q_INVERSE, Q_DH, Q_KELVIN, Q_EA, Q_GJ, Q_M11, Q_J11, Q_J12, Q_J22, Q_W1 = (
    57,
    58,
    59,
    60,
    61,
    64,
    67,
    70,
    73,
    76,
    79,
)
# section in the middle; psi in its axes and in space; factors of `spin_factors` and of the half rotation
Q_RM, Q_PSI, Q_SPACE, Q_GAMMA = 81, 90, 93, 96
Q_TILT, Q_D, Q_STRAIN, Q_RATE, Q_FORCE, Q_DRAG, Q_N, Q_M, Q_Q = 104, 107, 110, 116, 122, 128, 134, 137, 140
# forces on the ends, conservative and damping (12 each); kinetic, elastic, gravity energy, damping power
Q_ENDS, Q_DRAGS, Q_KINETIC, Q_ELASTIC, Q_WEIGHT, Q_LOST = 143, 155, 167, 168, 169, 170
Q_K = 171
Q_ROWS = Q_K + 144


def make_lanes(elements: np.ndarray) -> np.ndarray:
    """Groups (ng, rows * 8) for `elements`; lanes left over are straight beams of unit length."""
    groups = np.zeros((-(-len(elements) // WIDE), Q_ROWS, WIDE))
    for row in (Q_ONE + Q_TURN, Q_TWO + Q_TURN):
        groups[:, row : row + 9] = np.eye(3).reshape(1, 9, 1)
    groups[:, [Q_H, Q_INVERSE]] = 1.0
    groups[:, Q_TWO] = 1.0
    return aligned(groups.reshape(len(groups), -1))


def fill_lanes(lanes: np.ndarray, mfig: np.ndarray) -> None:
    """What the elements are, from their table (ne, M_SIZE)."""
    view = lanes.reshape(len(lanes), Q_ROWS, WIDE)
    for e, row in enumerate(mfig):
        q = view[e // WIDE, :, e % WIDE]
        h = row[at.M_LENGTH]
        q[Q_H], q[Q_INVERSE], q[Q_DH], q[Q_KELVIN] = h, 1.0 / h, 0.0, row[at.M_KELVIN]
        q[Q_DRAG : Q_DRAG + 6] = 0.0
        q[Q_EA : Q_EA + 6], q[Q_M11 : Q_M11 + 14] = row[at.M_EA : at.M_EA + 6], h * row[at.M_11 : at.M_11 + 14]


@njit_inside
def gather(q, lane, row, f, r, R, v, a):
    """State of frame f into the rows of one end."""
    at_lane, turned = q[row * WIDE + lane :], R[f]
    place, speed, push = r[f], v[f], a[f]
    for k in range(3):
        at_lane[(Q_R + k) * WIDE] = place[k]
    for k in range(9):
        at_lane[(Q_TURN + k) * WIDE] = turned[k]
    for k in range(6):
        at_lane[(Q_V + k) * WIDE] = speed[k]
        at_lane[(Q_A + k) * WIDE] = push[k]


@njit_inside
def gather_small(q, lane, f1, f2, th, nv):
    """Small rotations of both ends and the spin of the stiff arm."""
    for k in range(3):
        q[(Q_TH1 + k) * WIDE + lane], q[(Q_TH2 + k) * WIDE + lane] = th[f1, k], th[f2, k]
        q[(Q_SPIN + k) * WIDE + lane] = nv[f2, 3 + k]


@njit_inside
def scatter(q, lane, row, f1, f2, f):
    """Add the forces on both ends that begin at `row`."""
    at_lane, one, two = q[row * WIDE + lane :], f[f1], f[f2]
    for k in range(6):
        one[k] += at_lane[k * WIDE]
        two[k] += at_lane[(6 + k) * WIDE]


@njit_inside
def scatter_matrix(q, lane, row, column, band):
    """Add the matrix of two nodes whose unknowns begin at `row` (or -1: held) and `column` to tiles; see `matrix`."""
    flat, spot, b = band[0], band[1], band[1].shape[1] // 2
    K = q[Q_K * WIDE + lane :]
    two = flat[spot[column, b] :]
    for i in range(6):
        for j in range(6):
            two[8 * i + j] += K[(12 * (6 + i) + 6 + j) * WIDE]
    if row < 0:
        return
    one, behind, before = (
        flat[spot[row, b] :],
        flat[spot[row, column - row + b] :],
        flat[spot[column, row - column + b] :],
    )
    for i in range(6):
        for j in range(6):
            one[8 * i + j] += K[(12 * i + j) * WIDE]
            behind[8 * i + j] += K[(12 * i + 6 + j) * WIDE]
            before[i + 8 * j] += K[(12 * (6 + i) + j) * WIDE]


@njit_inside
def take_matrix(q, lane, K):
    """The matrix of one lane into K (12, 12)."""
    at_lane = q[Q_K * WIDE + lane :]
    for i in range(12):
        for j in range(12):
            K[i, j] = at_lane[(12 * i + j) * WIDE]
