"""Views of the state vector, and scratch arrays, for the kernels."""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial.lanes import make_lanes
from flexarm.methods.fem.spatial.layout import FRAME, SUMS
from flexarm.methods.fem.spatial.stock import Z_SIZE
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit_views


@njit_views
def views(x, F, L):
    """r, R, th, v, j, frame, sums, a, A, ja, fc, fd, jc, jd as arrays that share the memory of x."""
    n = 21 * F + (4 + FRAME) * L + SUMS
    m = n + 12 * F + 4 * L
    k = m + 12 * F
    return (
        x[: 3 * F].reshape((F, 3)),
        x[3 * F : 12 * F].reshape((F, 9)),
        x[12 * F : 15 * F].reshape((F, 3)),
        x[15 * F : 21 * F].reshape((F, 6)),
        x[21 * F : 21 * F + 4 * L].reshape((4, L)),
        x[21 * F + 4 * L : 21 * F + (4 + FRAME) * L].reshape((FRAME, L)),
        x[21 * F + (4 + FRAME) * L : n],
        x[n : n + 6 * F].reshape((F, 6)),
        x[n + 6 * F : n + 12 * F].reshape((F, 6)),
        x[n + 12 * F : m].reshape((4, L)),
        x[m : m + 6 * F].reshape((F, 6)),
        x[m + 6 * F : k].reshape((F, 6)),
        x[k : k + 4 * L].reshape((4, L)),
        x[k + 4 * L : k + 8 * L].reshape((4, L)),
    )


class Parts(Bundle):
    """What the kernels read of an arm: frames, elements, joints, bodies and options; see `layout`."""

    frames: np.ndarray
    figures: np.ndarray
    moved: np.ndarray
    elements: np.ndarray
    mfig: np.ndarray
    joint: np.ndarray
    jfig: np.ndarray
    bframe: np.ndarray
    body: np.ndarray
    slide: np.ndarray
    par: np.ndarray
    ip: np.ndarray
    stock: np.ndarray


class Scratch(Bundle):
    """What is computed on the way to the forces.

    lanes : see `lanes`; axis, lever : of the frames that follow others; phi, phi0 : (L, 5) actual and nominal joint positions,
    rates and accelerations, cosine and sine; nr, nv, na : motion of the stiff arm; tv, ta : with the small motion beside it;
    T : see `fold`; z : see `stock`; rear : (L, 6) forces of the rigid parts behind sliding joints on the root frames.
    """

    lanes: np.ndarray
    w: np.ndarray
    K: np.ndarray
    axis: np.ndarray
    lever: np.ndarray
    phi: np.ndarray
    phi0: np.ndarray
    nr: np.ndarray
    nv: np.ndarray
    na: np.ndarray
    tv: np.ndarray
    ta: np.ndarray
    T: np.ndarray
    z: np.ndarray
    rear: np.ndarray


class Solver(Bundle):
    """What a step works with.

    flat, spot, blocks : a matrix that is looked at, see `matrix`; step : moves of the nodes; ofc, ofd, before : forces and joint
    values at its start; N, body : rotations and spins of the stiff arm; groups, crew : see `node_lanes`; found : energies and
    damping power; weights : of the residual's entries; rubbing : see `friction`.
    """

    residual: np.ndarray
    other: np.ndarray
    flat: np.ndarray
    spot: np.ndarray
    blocks: np.ndarray
    old: np.ndarray
    step: np.ndarray
    ofc: np.ndarray
    ofd: np.ndarray
    before: np.ndarray
    N: np.ndarray
    groups: np.ndarray
    rel: np.ndarray
    body: np.ndarray
    turned: np.ndarray
    found: np.ndarray
    weights: np.ndarray
    rubbing: np.ndarray
    crew: np.ndarray


def record_width(F: int, L: int) -> int:
    """Numbers in a record."""
    return 21 * F + (4 + FRAME) * L + SUMS


def moving_size(F: int, L: int) -> int:
    """Numbers in a state without the kept tangent."""
    return record_width(F, L) + 24 * F + 12 * L


def make_scratch(F: int, L: int, elements: np.ndarray, moved_by: np.ndarray, plain: np.ndarray) -> Scratch:
    """Room for an arm of F frames and L links; T is the identity for nodes (`plain`)."""
    T = np.zeros((F, 6, max(6, moved_by.shape[1])))
    T[plain, np.arange(6)[:, None], np.arange(6)[:, None]] = 1.0
    shapes = ((1, 9), (12, 12), (F, 3), (F, 3), (L, 5), (L, 5), (F, 3), (F, 6), (F, 6), (F, 6), (F, 6))
    arrays = [np.zeros(shape) for shape in shapes]
    arrays[4][:, 3] = arrays[5][:, 3] = 1.0
    return Scratch(make_lanes(elements), *arrays, T, np.zeros((len(elements), Z_SIZE)), np.zeros((L, 6)))
