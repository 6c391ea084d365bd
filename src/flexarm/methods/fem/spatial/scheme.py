"""The time scheme: first guess of a step, and how a correction of the unknowns moves everything with them."""

from __future__ import annotations

from flexarm.methods.fem.spatial.layout import (
    EXACT,
    F_BASE,
    F_DOF,
    F_KIND,
    I_THEORY,
    J_PSI,
    J_TURN,
    NODE,
    P_AM,
    P_BETA,
    P_GAMMA,
)
from flexarm.methods.fem.spatial.turning import together
from flexarm.numerics.jit import njit_inline
from flexarm.numerics.rotations import turn, vector_rate


@njit_inline
def predict(parts, state, solver, h):
    """First guess of the end of the step: the physical acceleration stays.

    In the exact theory the rotations are those beside the stiff arm, see `turning`.
    """
    frames, joint, par, ip = parts[0], parts[5], parts[10], parts[11]
    r, R, th, v, j, a, A, ja = state[0], state[1], state[2], state[3], state[4], state[7], state[8], state[9]
    old, step, rel, body = solver[3], solver[4], solver[10], solver[11]
    beta, gamma, am = par[P_BETA], par[P_GAMMA], par[P_AM]
    exact = ip[I_THEORY] == EXACT
    p, q, u = h * h * (0.5 - beta), h * h * beta, h * (1.0 - gamma)
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] != NODE:
            continue
        if not exact:
            for k in range(3):
                rel[f, k], rel[f, 3 + k] = v[f, 3 + k], a[f, 3 + k]
        for k in range(3):
            scheme, turning = (a[f, k] - am * A[f, k]) / (1.0 - am), (rel[f, 3 + k] - am * A[f, 3 + k]) / (1.0 - am)
            step[f, k] = h * v[f, k] + p * A[f, k] + q * scheme
            step[f, 3 + k] = h * rel[f, k] + p * A[f, 3 + k] + q * turning
            v[f, k] += u * A[f, k] + h * gamma * scheme
            rel[f, k] += u * A[f, 3 + k] + h * gamma * turning
            A[f, k], A[f, 3 + k] = scheme, turning
            r[f, k] += step[f, k]
        if exact:
            turn(step[f, 3], step[f, 4], step[f, 5], old, f, R, f)
            together(f, frames[f, F_BASE], R, v, a, body, rel)
        else:
            for k in range(3):
                th[f, k] += step[f, 3 + k]
                v[f, 3 + k] = rel[f, k]
    for i in range(joint.shape[0]):
        for n, place in ((J_PSI, 0), (J_TURN, 2)):
            if joint[i, n] < 0:
                continue
            scheme = (ja[place, i] - am * ja[place + 1, i]) / (1.0 - am)
            j[place, i] += h * j[place + 1, i] + h * h * ((0.5 - beta) * ja[place + 1, i] + beta * scheme)
            j[place + 1, i] += h * ((1.0 - gamma) * ja[place + 1, i] + gamma * scheme)
            ja[place + 1, i] = scheme


@njit_inline
def correct(parts, state, solver, change, speed, bend, push):
    """Take the correction -change over; returns its largest entry."""
    frames, joint, ip = parts[0], parts[5], parts[11]
    r, R, th, v, j, a, A, ja = state[0], state[1], state[2], state[3], state[4], state[7], state[8], state[9]
    old, step, rel, body = solver[3], solver[4], solver[10], solver[11]
    exact, largest = ip[I_THEORY] == EXACT, 0.0
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] != NODE:
            continue
        dof = frames[f, F_DOF]
        for k in range(6):
            largest = max(largest, abs(change[dof + k]))
        for k in range(3):
            d = -change[dof + k]
            step[f, k] += d
            r[f, k] += d
            v[f, k] += speed * d
            a[f, k] += push * d
            A[f, k] += bend * d
        x, y, z = -change[dof + 3], -change[dof + 4], -change[dof + 5]
        if exact:
            x, y, z = vector_rate(step[f, 3], step[f, 4], step[f, 5], x, y, z)
        for k, d in ((3, x), (4, y), (5, z)):
            step[f, k] += d
            A[f, k] += bend * d
            if exact:
                rel[f, k - 3] += speed * d
                rel[f, k] += push * d
            else:
                th[f, k - 3] += d
                v[f, k] += speed * d
                a[f, k] += push * d
        if exact:
            turn(step[f, 3], step[f, 4], step[f, 5], old, f, R, f)
            together(f, frames[f, F_BASE], R, v, a, body, rel)
    for i in range(joint.shape[0]):
        for n, place in ((J_PSI, 0), (J_TURN, 2)):
            if joint[i, n] >= 0:
                d = -change[joint[i, n]]
                largest = max(largest, abs(d))
                j[place, i] += d
                j[place + 1, i] += speed * d
                ja[place, i] += push * d
                ja[place + 1, i] += bend * d
    return largest
