"""The continuum element of the paper: Green strains over the section, by quadrature (5 by 3 Gauss points, exact).

Equations: A10, A11, A30.

At a point p = dr/dx, t = dr/dy; the energy of plane stress or strain is diagonal in E_x + E_y, E_x - E_y and g. A point has 12
weights h, first of the six vectors in p, then in t, and 3 numbers stiffness times weight.
"""

from __future__ import annotations

from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def at_point(h, e):
    """p and t of a point from the six vectors e (12,)."""
    px, py, tx, ty = 0.0, 0.0, 0.0, 0.0
    for j in range(6):
        px += h[j] * e[2 * j]
        py += h[j] * e[2 * j + 1]
        tx += h[6 + j] * e[2 * j]
        ty += h[6 + j] * e[2 * j + 1]
    return px, py, tx, ty


@njit_inline
def stresses(Ex, Ey, g, stiff):
    """Stresses times weight."""
    total, other = stiff[0] * (Ex + Ey), stiff[1] * (Ex - Ey)
    return total + other, total - other, stiff[2] * g


@njit_part
def put(h, px, py, tx, ty, sx, sy, sg, F):
    """Forces of the stresses on the six vectors."""
    ax, ay = sx * px + sg * tx, sx * py + sg * ty
    bx, by = sy * tx + sg * px, sy * ty + sg * py
    for j in range(6):
        F[2 * j] += h[j] * ax + h[6 + j] * bx
        F[2 * j + 1] += h[j] * ay + h[6 + j] * by


@njit_part
def continuum_forces(m, w, n):
    """Elastic and damping forces of element n into w.F (12,); returns energy and power of damping."""
    e, d, F, beta = w.e, w.d, w.F, m.damping_time[n]
    for k in range(12):
        F[k] = 0.0
    energy, power = 0.0, 0.0
    for k in range(m.point.shape[1]):
        h, stiff = m.point[n, k], m.point_stiffness[n, k]
        px, py, tx, ty = at_point(h, e)
        Ex, Ey, g = 0.5 * (px * px + py * py - 1.0), 0.5 * (tx * tx + ty * ty - 1.0), px * tx + py * ty
        sx, sy, sg = stresses(Ex, Ey, g, stiff)
        energy += 0.5 * (sx * Ex + sy * Ey + sg * g)
        if beta > 0.0:
            ux, uy, wx, wy = at_point(h, d)
            Ex, Ey, g = px * ux + py * uy, tx * wx + ty * wy, px * wx + py * wy + tx * ux + ty * uy
            rx, ry, rg = stresses(Ex, Ey, g, stiff)
            power += beta * (rx * Ex + ry * Ey + rg * g)
            sx, sy, sg = sx + beta * rx, sy + beta * ry, sg + beta * rg
        put(h, px, py, tx, ty, sx, sy, sg, F)
    return energy, power


@njit_part
def continuum_tangent(m, w, n, speed):
    """Tangent of element n into w.K (12, 12)."""
    e, d, K, D, B, Y, beta = w.e, w.d, w.K, w.D, w.B, w.Y, m.damping_time[n]
    for r in range(12):
        for c in range(12):
            K[r, c] = 0.0
    for k in range(m.point.shape[1]):
        h, stiff = m.point[n, k], m.point_stiffness[n, k]
        px, py, tx, ty = at_point(h, e)
        ux, uy, wx, wy = at_point(h, d)
        Ex = 0.5 * (px * px + py * py - 1.0) + beta * (px * ux + py * uy)
        Ey = 0.5 * (tx * tx + ty * ty - 1.0) + beta * (tx * wx + ty * wy)
        g = px * tx + py * ty + beta * (px * wx + py * wy + tx * ux + ty * uy)
        sx, sy, sg = stresses(Ex, Ey, g, stiff)
        B[0, 0], B[0, 1], B[0, 2], B[0, 3] = px, py, tx, ty  # sum
        B[1, 0], B[1, 1], B[1, 2], B[1, 3] = px, py, -tx, -ty  # difference
        B[2, 0], B[2, 1], B[2, 2], B[2, 3] = tx, ty, px, py  # shear
        Y[0, 0], Y[0, 1], Y[0, 2], Y[0, 3] = ux, uy, wx, wy
        Y[1, 0], Y[1, 1], Y[1, 2], Y[1, 3] = ux, uy, -wx, -wy
        Y[2, 0], Y[2, 1], Y[2, 2], Y[2, 3] = wx, wy, ux, uy
        for r in range(4):
            for c in range(4):
                total = 0.0
                for i in range(3):
                    total += stiff[i] * B[i, r] * ((1.0 + beta * speed) * B[i, c] + beta * Y[i, c])
                D[r, c] = total
        for c in range(2):
            D[c, c] += sx
            D[2 + c, 2 + c] += sy
            D[c, 2 + c] += sg
            D[2 + c, c] += sg
        for i in range(6):
            for j in range(6):
                xx, xy, yx, yy = h[i] * h[j], h[i] * h[6 + j], h[6 + i] * h[j], h[6 + i] * h[6 + j]
                for r in range(2):
                    for c in range(2):
                        K[2 * i + r, 2 * j + c] += (
                            xx * D[r, c] + xy * D[r, 2 + c] + yx * D[2 + r, c] + yy * D[2 + r, 2 + c]
                        )


@njit_part
def continuum_mean(m, w, n, beta, step):
    """Forces of element n into w.F (12,) over a step whose work is the change of energy: mean stresses on the mean shape."""
    e0, e1, F = w.e, w.d, w.F
    for k in range(12):
        F[k] = 0.0
    for k in range(m.point.shape[1]):
        h, stiff = m.point[n, k], m.point_stiffness[n, k]
        px, py, tx, ty = at_point(h, e0)
        ux, uy, wx, wy = at_point(h, e1)
        x0, y0, g0 = 0.5 * (px * px + py * py - 1.0), 0.5 * (tx * tx + ty * ty - 1.0), px * tx + py * ty
        x1, y1, g1 = 0.5 * (ux * ux + uy * uy - 1.0), 0.5 * (wx * wx + wy * wy - 1.0), ux * wx + uy * wy
        Ex, Ey = 0.5 * (x0 + x1) + beta * (x1 - x0) / step, 0.5 * (y0 + y1) + beta * (y1 - y0) / step
        sx, sy, sg = stresses(Ex, Ey, 0.5 * (g0 + g1) + beta * (g1 - g0) / step, stiff)
        put(h, 0.5 * (px + ux), 0.5 * (py + uy), 0.5 * (tx + wx), 0.5 * (ty + wy), sx, sy, sg, F)
