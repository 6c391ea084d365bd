"""Two-node elements with one integration point, written out: the case that nearly every run uses.

Same formulas as `element` and `assemble` for the exact and the linear theories; the shape functions are 1/2 and their
slopes -1/h and +1/h. Legend: S = 1/h, w = h; n1, n2, m axial force, shear force, moment; D the point's tangent, already
multiplied with shape functions and weight.
"""

from __future__ import annotations

import math

from flexarm.methods.fem.element import EXACT
from flexarm.methods.fem.layout import ANGLE, I_THEORY, RATE
from flexarm.numerics.jit import njit_inline, njit_inside


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
    q, v, frame, connection, owner, figures = now.q, now.v, now.frame, part.connection, part.owner, part.figures
    exact, energy, last = part.ip[I_THEORY] == EXACT, 0.0, -1
    for e in range(connection.shape[0]):
        i = owner[e]
        w, EA, GA, EI, eta = figures[e, 0, 0], figures[e, 0, 1], figures[e, 0, 2], figures[e, 0, 3], figures[e, 0, 5]
        S = 0.5 * figures[e, 0, 4]
        x1, t1, x2 = connection[e, 0], connection[e, 2], connection[e, 3]
        sx, sy, chi, bend = gather(q, x1, t1, x2, S)
        phi = frame[ANGLE, i] + chi if exact else frame[ANGLE, i]
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
            turn = frame[RATE, i] + spin if exact else frame[RATE, i]
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
def add_residual(part, now, speed, renew, residual, band):
    """Add forces to the residual and, if `renew`, their derivative by the positions to the tangent."""
    q, v, frame, connection, owner, figures = now.q, now.v, now.frame, part.connection, part.owner, part.figures
    exact = part.ip[I_THEORY] == EXACT
    turns = 1.0 if exact else 0.0
    leans = 1.0 - turns
    for e in range(connection.shape[0]):
        i = owner[e]
        w, EA, GA, EI, eta = figures[e, 0, 0], figures[e, 0, 1], figures[e, 0, 2], figures[e, 0, 3], figures[e, 0, 5]
        S = 0.5 * figures[e, 0, 4]
        x1, t1, x2 = connection[e, 0], connection[e, 2], connection[e, 3]
        sx, sy, chi, bend = gather(q, x1, t1, x2, S)
        phi = frame[ANGLE, i] + turns * chi
        c, s = math.cos(phi), math.sin(phi)
        stretch, across = c * sx + s * sy, -s * sx + c * sy
        ux, uy, turn, bending, d1, d2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if eta != 0.0:
            vx, vy, spin, bending = gather(v, x1, t1, x2, S)
            turn = frame[RATE, i] + turns * spin
            ux, uy = c * vx + s * vy, -s * vx + c * vy
            d1, d2 = eta * (ux + turn * across), eta * (uy - turn * stretch - leans * spin)
        n1, n2 = EA * (stretch - 1.0 + d1), GA * (across - leans * chi + d2)
        f0, f1 = c * n1 - s * n2, s * n1 + c * n2
        turning = 0.5 * w * (across * n1 - stretch * n2 if exact else -n2)
        scatter(residual, x1, t1, x2, w * S * f0, w * S * f1, turning, w * S * EI * (bend + eta * bending))
        if not renew:
            continue
        # changes of n1, n2 with the slope along x and y, and with the angle
        grow, drag = 1.0 + eta * speed, eta * turn
        ax, ay = EA * (c * grow - s * drag), EA * (s * grow + c * drag)
        bx, by = -GA * (c * drag + s * grow), GA * (c * grow - s * drag)
        at = EA * turns * (across * grow + eta * (uy - turn * stretch))
        bt = -GA * ((turns * stretch + leans) * grow + eta * turns * (ux + turn * across))
        k = w * S * S
        D00, D01, D10, D11 = k * (c * ax - s * bx), k * (c * ay - s * by), k * (s * ax + c * bx), k * (s * ay + c * by)
        k = 0.5 * w * S
        D02, D12 = k * (c * at - s * bt - turns * f1), k * (s * at + c * bt + turns * f0)
        D20, D21, D22 = -k * bx, -k * by, -0.25 * w * bt
        if exact:
            D20 = k * (across * ax - stretch * bx - s * n1 - c * n2)
            D21 = k * (across * ay - stretch * by + c * n1 - s * n2)
            D22 = 0.25 * w * (across * at - stretch * bt - n1 * stretch - n2 * across)
        put(band, x1, t1, x2, D00, D01, D02, D10, D11, D12, D20, D21, D22, w * S * S * EI * grow)


@njit_inside
def block(band, row, column, b, both, right, below, D00, D01, D02, D10, D11, D12, D20, D21, D22):
    """One node against one node; the signs are those of the slopes in rows and columns."""
    k = column - row + b
    band[row, k] += both * D00
    band[row, k + 1] += both * D01
    band[row, k + 2] += right * D02
    band[row + 1, k - 1] += both * D10
    band[row + 1, k] += both * D11
    band[row + 1, k + 1] += right * D12
    band[row + 2, k - 2] += below * D20
    band[row + 2, k - 1] += below * D21
    band[row + 2, k] += D22


@njit_inside
def put(band, x1, t1, x2, D00, D01, D02, D10, D11, D12, D20, D21, D22, D33):
    """The element's 6 x 6 tangent into the band; D33 is that of bending."""
    b = band.shape[1] // 2
    block(band, x2, x2, b, 1.0, 1.0, 1.0, D00, D01, D02, D10, D11, D12, D20, D21, D22 + D33)
    if x1 >= 0 and t1 == x1 + 2:
        block(band, x1, x1, b, 1.0, -1.0, -1.0, D00, D01, D02, D10, D11, D12, D20, D21, D22 + D33)
        block(band, x1, x2, b, -1.0, -1.0, 1.0, D00, D01, D02, D10, D11, D12, D20, D21, D22 - D33)
        block(band, x2, x1, b, -1.0, 1.0, -1.0, D00, D01, D02, D10, D11, D12, D20, D21, D22 - D33)
    else:
        put_apart(band, x1, t1, x2, D00, D01, D02, D10, D11, D12, D20, D21, D22, D33)


@njit_inside
def put_apart(band, x1, t1, x2, D00, D01, D02, D10, D11, D12, D20, D21, D22, D33):
    """What concerns the first node where its angle does not follow its position, or some of it is fixed."""
    b = band.shape[1] // 2
    y1 = x1 + 1
    t2 = x2 + 2
    D, right, below = ((D00, D01), (D10, D11)), (D02, D12), (D20, D21)
    for r in range(2):
        near, far = x1 + r, x2 + r
        if x1 >= 0:
            band[near, x1 - near + b] += D[r][0]
            band[near, y1 - near + b] += D[r][1]
            band[near, x2 - near + b] -= D[r][0]
            band[near, x2 + 1 - near + b] -= D[r][1]
            band[far, x1 - far + b] -= D[r][0]
            band[far, y1 - far + b] -= D[r][1]
            band[near, t2 - near + b] -= right[r]
            band[t2, near - t2 + b] -= below[r]
            if t1 >= 0:
                band[near, t1 - near + b] -= right[r]
                band[t1, near - t1 + b] -= below[r]
        if t1 >= 0:
            band[far, t1 - far + b] += right[r]
            band[t1, far - t1 + b] += below[r]
    if t1 >= 0:
        band[t1, b] += D22 + D33
        band[t1, t2 - t1 + b] += D22 - D33
        band[t2, t1 - t2 + b] += D22 - D33
