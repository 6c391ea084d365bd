"""Two-node elements with one integration point, written out: the case that nearly every run uses.

Same formulas as `element` and `assemble` for the exact and the linear theories; the shape functions are 1/2 and their
slopes -1/h and +1/h. Legend: S = 1/h, w = h; n1, n2, m axial force, shear force, moment.

Equations: E3, E4, E5, E6.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from flexarm.methods.fem import layout as at
from flexarm.numerics.jit import njit_inline, njit_inside


class Tangent(NamedTuple):
    """Derivatives of the forces along x, y and of the moment (rows) by slopes and angle (columns), and of the bending moment
    by the curvature, already multiplied with shape functions and weight."""

    xx: float
    xy: float
    xt: float
    yx: float
    yy: float
    yt: float
    tx: float
    ty: float
    tt: float
    bending: float


@njit_inside
def gather(q, x1, t1, x2, S):
    """Slope of the axis (x, y), angle in the middle and curvature of an element; the second node is never fixed."""
    sx, sy, chi, bend = q[x2], q[x2 + 1], q[x2 + 2], q[x2 + 2]
    if x1 >= 0:
        sx -= q[x1]
        sy -= q[x1 + 1]
    if t1 >= 0:
        chi += q[t1]
        bend -= q[t1]
    return sx * S, sy * S, 0.5 * chi, bend * S


@njit_inside
def scatter(f, x1, t1, x2, fx, fy, ft, m):
    """Forces of an element on its nodes; the moment m pulls the two apart."""
    f[x2] += fx
    f[x2 + 1] += fy
    f[x2 + 2] += ft + m
    if x1 >= 0:
        f[x1] -= fx
        f[x1 + 1] -= fy
    if t1 >= 0:
        f[t1] += ft - m


@njit_inline
def add_forces(part, now):
    """Add elastic and damping forces and their parts in the joints' torques; returns the stored energy."""
    q, v, frame, connection, owner = now.q, now.v, now.frame, part.connection, part.owner
    exact, energy, last = part.theory == at.EXACT, 0.0, -1
    for e in range(connection.shape[0]):
        i = owner[e]
        own = part.properties[e, 0]
        w, S, eta = own[at.MEASURE], 0.5 * own[at.JACOBIAN], own[at.ETA]
        EA, GA, EI = own[at.EA], own[at.GA], own[at.EI]
        x1, t1, x2 = connection[e, 0], connection[e, 2], connection[e, 3]
        sx, sy, chi, bend = gather(q, x1, t1, x2, S)
        phi = frame[at.ANGLE, i] + chi if exact else frame[at.ANGLE, i]
        c, s = math.cos(phi), math.sin(phi)
        stretch, across = c * sx + s * sy, -s * sx + c * sy
        shear = across if exact else across - chi
        n1, n2, m = EA * (stretch - 1.0), GA * shear, w * S * EI * bend
        energy += 0.5 * w * (n1 * (stretch - 1.0) + n2 * shear + EI * bend * bend)
        turning = 0.5 * w * (across * n1 - stretch * n2 if exact else -n2)
        scatter(now.fc, x1, t1, x2, w * S * (c * n1 - s * n2), w * S * (s * n1 + c * n2), turning, m)
        if i != last:
            now.tc[i] += turning - m
        if eta != 0.0:
            vx, vy, spin, bending = gather(v, x1, t1, x2, S)
            turn = frame[at.RATE, i] + spin if exact else frame[at.RATE, i]
            d1 = EA * eta * (c * vx + s * vy + turn * across)
            d2 = -s * vx + c * vy - turn * stretch
            d2 = GA * eta * (d2 if exact else d2 - spin)
            m = w * S * EI * eta * bending
            turning = 0.5 * w * (across * d1 - stretch * d2 if exact else -d2)
            scatter(now.fd, x1, t1, x2, w * S * (c * d1 - s * d2), w * S * (s * d1 + c * d2), turning, m)
            if i != last:
                now.td[i] += turning - m
        last = i
    return energy


@njit_inline
def add_residual(part, now, work, speed, renew):
    """Add forces to the residual and, if `renew`, their derivative by the positions to the tangent."""
    q, v, frame, connection, owner = now.q, now.v, now.frame, part.connection, part.owner
    exact = part.theory == at.EXACT
    turns = 1.0 if exact else 0.0
    leans = 1.0 - turns
    for e in range(connection.shape[0]):
        i = owner[e]
        own = part.properties[e, 0]
        w, S, eta = own[at.MEASURE], 0.5 * own[at.JACOBIAN], own[at.ETA]
        EA, GA, EI = own[at.EA], own[at.GA], own[at.EI]
        x1, t1, x2 = connection[e, 0], connection[e, 2], connection[e, 3]
        sx, sy, chi, bend = gather(q, x1, t1, x2, S)
        phi = frame[at.ANGLE, i] + turns * chi
        c, s = math.cos(phi), math.sin(phi)
        stretch, across = c * sx + s * sy, -s * sx + c * sy
        ux, uy, turn, bending, d1, d2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if eta != 0.0:
            vx, vy, spin, bending = gather(v, x1, t1, x2, S)
            turn = frame[at.RATE, i] + turns * spin
            ux, uy = c * vx + s * vy, -s * vx + c * vy
            d1, d2 = eta * (ux + turn * across), eta * (uy - turn * stretch - leans * spin)
        n1, n2 = EA * (stretch - 1.0 + d1), GA * (across - leans * chi + d2)
        f0, f1 = c * n1 - s * n2, s * n1 + c * n2
        turning = 0.5 * w * (across * n1 - stretch * n2 if exact else -n2)
        scatter(work.residual, x1, t1, x2, w * S * f0, w * S * f1, turning, w * S * EI * (bend + eta * bending))
        if not renew:
            continue
        # changes of n1, n2 with the slope along x and y, and with the angle
        grow, drag = 1.0 + eta * speed, eta * turn
        ax, ay = EA * (c * grow - s * drag), EA * (s * grow + c * drag)
        bx, by = -GA * (c * drag + s * grow), GA * (c * grow - s * drag)
        a_t = EA * turns * (across * grow + eta * (uy - turn * stretch))
        b_t = -GA * ((turns * stretch + leans) * grow + eta * turns * (ux + turn * across))
        k, kt = w * S * S, 0.5 * w * S
        tx, ty, tt = -kt * bx, -kt * by, -0.25 * w * b_t
        if exact:
            tx = kt * (across * ax - stretch * bx - s * n1 - c * n2)
            ty = kt * (across * ay - stretch * by + c * n1 - s * n2)
            tt = 0.25 * w * (across * a_t - stretch * b_t - n1 * stretch - n2 * across)
        D = Tangent(
            k * (c * ax - s * bx), k * (c * ay - s * by), kt * (c * a_t - s * b_t - turns * f1),
            k * (s * ax + c * bx), k * (s * ay + c * by), kt * (s * a_t + c * b_t + turns * f0),
            tx, ty, tt, w * S * S * EI * grow,
        )  # fmt: skip
        add_tangent(work.band, x1, t1, x2, D)


@njit_inside
def add_block(band, row, column, both, right, below, D, corner):
    """One node against one node; the signs are those of the slopes in rows and columns."""
    k = column - row + band.shape[1] // 2
    band[row, k] += both * D.xx
    band[row, k + 1] += both * D.xy
    band[row, k + 2] += right * D.xt
    band[row + 1, k - 1] += both * D.yx
    band[row + 1, k] += both * D.yy
    band[row + 1, k + 1] += right * D.yt
    band[row + 2, k - 2] += below * D.tx
    band[row + 2, k - 1] += below * D.ty
    band[row + 2, k] += corner


@njit_inside
def add_tangent(band, x1, t1, x2, D):
    """The element's 6 x 6 tangent into the band."""
    add_block(band, x2, x2, 1.0, 1.0, 1.0, D, D.tt + D.bending)
    if x1 >= 0 and t1 == x1 + 2:
        add_block(band, x1, x1, 1.0, -1.0, -1.0, D, D.tt + D.bending)
        add_block(band, x1, x2, -1.0, -1.0, 1.0, D, D.tt - D.bending)
        add_block(band, x2, x1, -1.0, 1.0, -1.0, D, D.tt - D.bending)
    else:
        add_first_node(band, x1, t1, x2, D)


@njit_inside
def add_first_node(band, x1, t1, x2, D):
    """What concerns the first node where its angle does not follow its position, or some of it is fixed."""
    b, t2 = band.shape[1] // 2, x2 + 2
    slopes, right, below = ((D.xx, D.xy), (D.yx, D.yy)), (D.xt, D.yt), (D.tx, D.ty)
    for r in range(2):
        near, far = x1 + r, x2 + r
        for c in range(2 if x1 >= 0 else 0):
            band[near, x1 + c - near + b] += slopes[r][c]
            band[near, x2 + c - near + b] -= slopes[r][c]
            band[far, x1 + c - far + b] -= slopes[r][c]
        if x1 >= 0:
            band[near, t2 - near + b] -= right[r]
            band[t2, near - t2 + b] -= below[r]
        if x1 >= 0 and t1 >= 0:
            band[near, t1 - near + b] -= right[r]
            band[t1, near - t1 + b] -= below[r]
        if t1 >= 0:
            band[far, t1 - far + b] += right[r]
            band[t1, far - t1 + b] += below[r]
    if t1 >= 0:
        band[t1, b] += D.tt + D.bending
        band[t1, t2 - t1 + b] += D.tt - D.bending
        band[t2, t1 - t2 + b] += D.tt - D.bending
