"""Loop equations: pins that hold two points together.

Phi, its Jacobian and velocity terms come from the same point kinematics as everything else; a weld adds a row for the
angle between the sections.

Equations: M4, M21.
"""

from __future__ import annotations

from flexarm.methods.modes.kinematics import move_bodies, move_point
from flexarm.numerics.jit import njit_part


@njit_part
def place_all(part, work, q, v):
    """Frames of all bodies, and the loop equations: work.phi (rows,), jac (rows, size) and phi_gamma (rows,)."""
    move_bodies(part, work, q, v)
    phi, jac, gamma, ends = work.phi, work.jac, work.phi_gamma, part.parent.shape[0]
    for row in range(part.rows):
        for col in range(part.size):
            jac[row, col] = 0.0
    for k in range(part.row.shape[0]):
        row, rows = part.row[k], 3 if part.welded[k] else 2
        for side in range(2):
            point, end, sign = part.ends[k, side], ends + side, 1.0 - 2.0 * side
            move_point(part, work, point, q, v, end)
            b = part.owner[point]
            for m in range(part.column_count[b]):
                col = part.columns[b, m]
                for r in range(rows):
                    jac[row + r, col] += sign * work.J[end, r, col]
        for axis in range(2):
            phi[row + axis] = work.origin[ends, axis] - work.origin[ends + 1, axis]
            gamma[row + axis] = work.gamma[ends, axis] - work.gamma[ends + 1, axis]
        if rows == 3:
            phi[row + 2], gamma[row + 2] = work.angle[ends] - work.angle[ends + 1] - part.weld[k], 0.0
