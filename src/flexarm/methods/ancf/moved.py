"""Sections that follow a command: b = s R(psi) a.

a is the section before the joint (the x axis on the ground), psi the commanded angle; only the direction is commanded,
the stretch s of the section stays an unknown. It stands in the place of b's first number, the second one is idle. So a
commanded joint needs no constraint, and its torque is what the rows of b are short of.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.joints import command
from flexarm.methods.ancf.layout import I_FIXED, J_A, J_B, J_MOVED, K_TURN
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def expand(joint, jfig, row, slide, q, v, a):
    """Positions, velocities and accelerations of commanded sections from their stretch."""
    for i in range(joint.shape[0]):
        if not joint[i, J_MOVED]:
            continue
        b, before = joint[i, J_B], joint[i, J_A]
        psi, w, dw = command(joint, jfig, row, i)
        c, s = math.cos(psi + jfig[i, K_TURN]), math.sin(psi + jfig[i, K_TURN])
        x, y, vx, vy, ax, ay = c, s, 0.0, 0.0, 0.0, 0.0
        if before >= 0:
            x, y = c * q[before] - s * q[before + 1], s * q[before] + c * q[before + 1]
            vx, vy = c * v[before] - s * v[before + 1], s * v[before] + c * v[before + 1]
            ax, ay = c * a[before] - s * a[before + 1], s * a[before] + c * a[before + 1]
        ax, ay = ax - 2.0 * w * vy - dw * y - w * w * x, ay + 2.0 * w * vx + dw * x - w * w * y
        vx, vy = vx - w * y, vy + w * x
        f, df, ddf = slide[0, i], slide[1, i], slide[2, i]
        q[b], q[b + 1] = f * x, f * y
        v[b], v[b + 1] = df * x + f * vx, df * y + f * vy
        a[b], a[b + 1] = ddf * x + 2.0 * df * vx + f * ax, ddf * y + 2.0 * df * vy + f * ay


@njit_inline
def directions(joint, jfig, row, q, i):
    """cos and sin of the command, and the direction R a."""
    psi = command(joint, jfig, row, i)[0] + jfig[i, K_TURN]
    c, s = math.cos(psi), math.sin(psi)
    before = joint[i, J_A]
    if before < 0:
        return c, s, c, s
    return c, s, c * q[before] - s * q[before + 1], s * q[before] + c * q[before + 1]


@njit_part
def condense(joint, jfig, ip, row, slide, q, residual):
    """Residual of the unknowns from that of all positions; what is fixed gets none."""
    for i in range(joint.shape[0] - 1, -1, -1):
        if joint[i, J_MOVED]:
            b, before = joint[i, J_B], joint[i, J_A]
            c, s, x, y = directions(joint, jfig, row, q, i)
            fx, fy = residual[b], residual[b + 1]
            if before >= 0:
                residual[before] += slide[0, i] * (c * fx + s * fy)
                residual[before + 1] += slide[0, i] * (c * fy - s * fx)
            residual[b], residual[b + 1] = x * fx + y * fy, 0.0
    for k in range(I_FIXED, ip.shape[0]):
        residual[ip[k]] = 0.0


@njit_part
def condense_band(joint, jfig, ip, row, slide, q, raw, band):
    """The same for the tangent; `raw` is the residual before `condense`, the force on commanded sections."""
    n, half = band.shape[0], band.shape[1] // 2
    for i in range(joint.shape[0] - 1, -1, -1):
        if not joint[i, J_MOVED]:
            continue
        b, before, f = joint[i, J_B], joint[i, J_A], slide[0, i]
        c, s, x, y = directions(joint, jfig, row, q, i)
        for r in range(max(0, b + 1 - half), min(n, b + half + 1)):  # columns
            kx, ky = band[r, b - r + half], band[r, b + 1 - r + half]
            if before >= 0 and abs(before - r) <= half and abs(before + 1 - r) <= half:
                band[r, before - r + half] += f * (c * kx + s * ky)
                band[r, before + 1 - r + half] += f * (c * ky - s * kx)
            band[r, b - r + half], band[r, b + 1 - r + half] = x * kx + y * ky, 0.0
        for k in range(max(0, b + 1 - half), min(n, b + half + 1)):  # rows
            kx, ky = band[b, k - b + half], band[b + 1, k - b - 1 + half]
            if before >= 0 and abs(k - before) <= half and abs(k - before - 1) <= half:
                band[before, k - before + half] += f * (c * kx + s * ky)
                band[before + 1, k - before - 1 + half] += f * (c * ky - s * kx)
            band[b, k - b + half], band[b + 1, k - b - 1 + half] = x * kx + y * ky, 0.0
        band[b + 1, half] = 1.0
        if before >= 0:  # the direction turns with the section before, and scales with s
            gx, gy = c * raw[b] + s * raw[b + 1], c * raw[b + 1] - s * raw[b]
            band[before, b - before + half] += gx
            band[before + 1, b - before - 1 + half] += gy
            band[b, before - b + half] += gx
            band[b, before + 1 - b + half] += gy
    for k in range(I_FIXED, ip.shape[0]):
        r = ip[k]
        for c in range(2 * half + 1):
            band[r, c] = 0.0
        band[r, half] = 1.0
