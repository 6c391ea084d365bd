"""What travels through the kernels: the constants of an arm, and scratch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.dynamics import BODY_WORK
from flexarm.methods.modes.tree import Tree
from flexarm.numerics import laws
from flexarm.numerics.jit import borrow, njit_inline

SCHEMES = {
    # stage times, velocities from accelerations (start, first stage, end), weights of a sum over the step
    "lobatto": ((0.5, 1.0), ((5 / 24, 1 / 3, -1 / 24), (1 / 6, 2 / 3, 1 / 6)), (1 / 6, 2 / 3, 1 / 6)),
    "radau": ((1 / 3, 1.0), ((0.0, 5 / 12, -1 / 12), (0.0, 3 / 4, 1 / 4)), (0.0, 3 / 4, 1 / 4)),
}
"""Two-stage collocation that ends at a stage; positions follow from velocities by the same table."""
C_TIME, C_VELOCITY, C_POSITION, C_WEIGHT = 0, 2, 8, 14
VECTORS = 18


class Parts(NamedTuple):
    """Constants of an arm, see `Tree`; scheme: figures of the time scheme; moving: number of moving coordinates."""

    body: np.ndarray
    figures: np.ndarray
    modal: np.ndarray
    point: np.ndarray
    place: np.ndarray
    point_modal: np.ndarray
    columns: np.ndarray
    column_count: np.ndarray
    loop: np.ndarray
    weld: np.ndarray
    joint: np.ndarray
    joint_figures: np.ndarray
    channel: np.ndarray
    K: np.ndarray
    D: np.ndarray
    law: np.ndarray
    par: np.ndarray
    scheme: np.ndarray
    moving: int


class Room(NamedTuple):
    """Scratch of the kernels."""

    kin: np.ndarray
    J: np.ndarray
    w: np.ndarray
    terms: np.ndarray
    M: np.ndarray
    h: np.ndarray
    S: np.ndarray
    half: np.ndarray
    KS: np.ndarray
    big: np.ndarray
    pivots: np.ndarray
    vectors: np.ndarray
    balance: np.ndarray
    phi: np.ndarray
    gamma: np.ndarray
    right: np.ndarray
    lam: np.ndarray
    jac: np.ndarray
    table: np.ndarray
    square: np.ndarray
    order: np.ndarray
    ends: np.ndarray
    sides: np.ndarray
    slope: np.ndarray
    torque: np.ndarray
    power: np.ndarray
    rhs: np.ndarray
    rows: np.ndarray
    law_work: np.ndarray


@njit_inline
def borrow_parts(p):
    """The same constants without reference counts."""
    return Parts(
        borrow(p.body), borrow(p.figures), borrow(p.modal), borrow(p.point), borrow(p.place),
        borrow(p.point_modal), borrow(p.columns), borrow(p.column_count), borrow(p.loop), borrow(p.weld),
        borrow(p.joint), borrow(p.joint_figures), borrow(p.channel), borrow(p.K), borrow(p.D), borrow(p.law),
        borrow(p.par), borrow(p.scheme), p.moving,
    )  # fmt: skip


@njit_inline
def borrow_room(r):
    """The same scratch without reference counts."""
    return Room(
        borrow(r.kin), borrow(r.J), borrow(r.w), borrow(r.terms), borrow(r.M), borrow(r.h), borrow(r.S),
        borrow(r.half), borrow(r.KS), borrow(r.big), borrow(r.pivots), borrow(r.vectors), borrow(r.balance),
        borrow(r.phi), borrow(r.gamma), borrow(r.right), borrow(r.lam), borrow(r.jac), borrow(r.table),
        borrow(r.square), borrow(r.order), borrow(r.ends), borrow(r.sides), borrow(r.slope), borrow(r.torque),
        borrow(r.power), borrow(r.rhs), borrow(r.rows), borrow(r.law_work),
    )  # fmt: skip


def scheme_figures(name: str) -> np.ndarray:
    """Figures of a time scheme in one vector."""
    times, velocity, weights = SCHEMES[name]
    full = np.vstack([np.zeros(3), np.array(velocity)])
    return np.concatenate([times, full[1:].ravel(), (full @ full)[1:].ravel(), weights])


def make_room(tree: Tree, channels: int) -> Room:
    """Scratch for an arm."""
    n, m, bodies, width = tree.size, tree.rows, len(tree.body), tree.modal.shape[2]
    joints = max(1, len(tree.joint))
    square = np.zeros((n, n))
    return Room(
        kin=np.zeros((bodies, at.KIN)), J=np.zeros((bodies, 3, n)), w=np.zeros((BODY_WORK, width)), terms=np.zeros(7),
        M=square.copy(), h=np.zeros(n), S=square.copy(), half=square.copy(), KS=np.zeros((4, n, n)),
        big=np.zeros((2 * n, 2 * n)), pivots=np.zeros(2 * n, dtype=np.int64), vectors=np.zeros((VECTORS, n)),
        balance=np.zeros(n), phi=np.zeros(m), gamma=np.zeros(m), right=np.zeros(m), lam=np.zeros(m),
        jac=np.zeros((m, n)), table=np.zeros((m, n + 1)), square=np.zeros((2, m, m)),
        order=np.zeros(n, dtype=np.int64), ends=np.zeros((2, at.KIN)), sides=np.zeros((2, 3, n)),
        slope=np.zeros((3, joints, 4)), torque=np.zeros((joints, 2)), power=np.zeros((3, 4)), rhs=np.zeros(2 * n),
        rows=np.zeros((2, max(1, channels), 7)), law_work=np.zeros((laws.ORDER + 2, laws.ORDER)),
    )  # fmt: skip
