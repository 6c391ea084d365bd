"""The continuum element of the paper: Green strains over the section, by quadrature (5 by 3 Gauss points, exact).

At a point p = dr/dx, t = dr/dy; strains E_x = (p.p - 1)/2, E_y = (t.t - 1)/2, g = p.t. The energy of plane stress or
strain is diagonal in E_x + E_y, E_x - E_y and g:

    2 U = C_s (E_x + E_y)^2 + C_d (E_x - E_y)^2 + G g^2 ,     C_s = (c11 + c12)/2, C_d = (c11 - c12)/2.
"""

from __future__ import annotations

from flexarm.methods.ancf.layout import GRAM, POINT, POINT_STIFF
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def at_point(e, block, k):
    """p and t of a point from the six vectors e (12,); row k of the block holds their weights, first those of p."""
    px, py, tx, ty = 0.0, 0.0, 0.0, 0.0
    for j in range(6):
        px += block[k, j] * e[2 * j]
        py += block[k, j] * e[2 * j + 1]
        tx += block[k, 6 + j] * e[2 * j]
        ty += block[k, 6 + j] * e[2 * j + 1]
    return px, py, tx, ty


@njit_inline
def stresses(Ex, Ey, g, block, k):
    """Stresses times weight."""
    total, other = block[k, POINT_STIFF] * (Ex + Ey), block[k, POINT_STIFF + 1] * (Ex - Ey)
    return total + other, total - other, block[k, POINT_STIFF + 2] * g


@njit_part
def put(block, k, px, py, tx, ty, sx, sy, sg, F):
    """Forces of the stresses on the six vectors."""
    ax, ay = sx * px + sg * tx, sx * py + sg * ty
    bx, by = sy * tx + sg * px, sy * ty + sg * py
    for j in range(6):
        F[2 * j] += block[k, j] * ax + block[k, 6 + j] * bx
        F[2 * j + 1] += block[k, j] * ay + block[k, 6 + j] * by


@njit_part
def continuum_forces(e, d, block, beta, F):
    """Elastic and damping forces into F (12,); returns energy and power of damping."""
    for k in range(12):
        F[k] = 0.0
    energy, power = 0.0, 0.0
    for k in range(GRAM, GRAM + POINT):
        px, py, tx, ty = at_point(e, block, k)
        Ex, Ey, g = 0.5 * (px * px + py * py - 1.0), 0.5 * (tx * tx + ty * ty - 1.0), px * tx + py * ty
        sx, sy, sg = stresses(Ex, Ey, g, block, k)
        energy += 0.5 * (sx * Ex + sy * Ey + sg * g)
        if beta > 0.0:
            ux, uy, wx, wy = at_point(d, block, k)
            Ex, Ey, g = px * ux + py * uy, tx * wx + ty * wy, px * wx + py * wy + tx * ux + ty * uy
            rx, ry, rg = stresses(Ex, Ey, g, block, k)
            power += beta * (rx * Ex + ry * Ey + rg * g)
            sx, sy, sg = sx + beta * rx, sy + beta * ry, sg + beta * rg
        put(block, k, px, py, tx, ty, sx, sy, sg, F)
    return energy, power


@njit_part
def continuum_tangent(e, d, block, beta, speed, K, scratch):
    """Tangent (12, 12) into K."""
    D, B, Y = scratch[0:4], scratch[4:7], scratch[7:10]
    for r in range(12):
        for c in range(12):
            K[r, c] = 0.0
    for k in range(GRAM, GRAM + POINT):
        px, py, tx, ty = at_point(e, block, k)
        ux, uy, wx, wy = at_point(d, block, k)
        Ex = 0.5 * (px * px + py * py - 1.0) + beta * (px * ux + py * uy)
        Ey = 0.5 * (tx * tx + ty * ty - 1.0) + beta * (tx * wx + ty * wy)
        g = px * tx + py * ty + beta * (px * wx + py * wy + tx * ux + ty * uy)
        sx, sy, sg = stresses(Ex, Ey, g, block, k)
        B[0, 0], B[0, 1], B[0, 2], B[0, 3] = px, py, tx, ty  # sum
        B[1, 0], B[1, 1], B[1, 2], B[1, 3] = px, py, -tx, -ty  # difference
        B[2, 0], B[2, 1], B[2, 2], B[2, 3] = tx, ty, px, py  # shear
        Y[0, 0], Y[0, 1], Y[0, 2], Y[0, 3] = ux, uy, wx, wy
        Y[1, 0], Y[1, 1], Y[1, 2], Y[1, 3] = ux, uy, -wx, -wy
        Y[2, 0], Y[2, 1], Y[2, 2], Y[2, 3] = wx, wy, ux, uy
        for r in range(4):
            for c in range(4):
                total = 0.0
                for m in range(3):
                    total += block[k, POINT_STIFF + m] * B[m, r] * ((1.0 + beta * speed) * B[m, c] + beta * Y[m, c])
                D[r, c] = total
        for c in range(2):
            D[c, c] += sx
            D[2 + c, 2 + c] += sy
            D[c, 2 + c] += sg
            D[2 + c, c] += sg
        for i in range(6):
            for j in range(6):
                xx, xy = block[k, i] * block[k, j], block[k, i] * block[k, 6 + j]
                yx, yy = block[k, 6 + i] * block[k, j], block[k, 6 + i] * block[k, 6 + j]
                for r in range(2):
                    for c in range(2):
                        K[2 * i + r, 2 * j + c] += (
                            xx * D[r, c] + xy * D[r, 2 + c] + yx * D[2 + r, c] + yy * D[2 + r, 2 + c]
                        )


@njit_part
def continuum_mean(e0, e1, block, beta, h, F):
    """Forces (12,) over a step whose work is the change of energy: mean stresses on the mean shape."""
    for k in range(12):
        F[k] = 0.0
    for k in range(GRAM, GRAM + POINT):
        px, py, tx, ty = at_point(e0, block, k)
        ux, uy, wx, wy = at_point(e1, block, k)
        x0, y0, g0 = 0.5 * (px * px + py * py - 1.0), 0.5 * (tx * tx + ty * ty - 1.0), px * tx + py * ty
        x1, y1, g1 = 0.5 * (ux * ux + uy * uy - 1.0), 0.5 * (wx * wx + wy * wy - 1.0), ux * wx + uy * wy
        Ex, Ey = 0.5 * (x0 + x1) + beta * (x1 - x0) / h, 0.5 * (y0 + y1) + beta * (y1 - y0) / h
        sx, sy, sg = stresses(Ex, Ey, 0.5 * (g0 + g1) + beta * (g1 - g0) / h, block, k)
        put(block, k, 0.5 * (px + ux), 0.5 * (py + uy), 0.5 * (tx + wx), 0.5 * (ty + wy), sx, sy, sg, F)
