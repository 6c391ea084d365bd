"""The time scheme: first guess of a step, and how a correction of the unknowns moves everything with them."""

from __future__ import annotations

from flexarm.methods.fem.spatial.layout import (
    EXACT,
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
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rotations import turn, vector_rate


@njit_part
def predict(parts, state, solver, h):
    """First guess of the end of the step: the physical acceleration stays.

    In the exact theory the rotations are those beside the stiff arm, see `turning`.
    """
    frames, joint, par, ip = parts[0], parts[5], parts[10], parts[11]
    r, R, th, v, j, a, A, ja = state[0], state[1], state[2], state[3], state[4], state[7], state[8], state[9]
    old, step, rel, body = solver[3], solver[4], solver[10], solver[11]
    beta, gamma, am = par[P_BETA], par[P_GAMMA], par[P_AM]
    exact = ip[I_THEORY] == EXACT
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] != NODE:
            continue
        for k in range(6):
            beside = exact and k >= 3
            speed, push = (rel[f, k - 3], rel[f, k]) if beside else (v[f, k], a[f, k])
            scheme = (push - am * A[f, k]) / (1.0 - am)
            moved = h * speed + h * h * ((0.5 - beta) * A[f, k] + beta * scheme)
            speed += h * ((1.0 - gamma) * A[f, k] + gamma * scheme)
            A[f, k] = scheme
            step[f, k] = moved
            if beside:
                rel[f, k - 3] = speed
            else:
                v[f, k] = speed
            if k < 3:
                r[f, k] += moved
            elif not exact:
                th[f, k - 3] += moved
        if exact:
            turn(step[f, 3], step[f, 4], step[f, 5], old, f, R, f)
            together(f, R, v, a, body, rel)
    for i in range(joint.shape[0]):
        for n, place in ((J_PSI, 0), (J_TURN, 2)):
            if joint[i, n] < 0:
                continue
            scheme = (ja[place, i] - am * ja[place + 1, i]) / (1.0 - am)
            j[place, i] += h * j[place + 1, i] + h * h * ((0.5 - beta) * ja[place + 1, i] + beta * scheme)
            j[place + 1, i] += h * ((1.0 - gamma) * ja[place + 1, i] + gamma * scheme)
            ja[place + 1, i] = scheme


@njit_part
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
        x, y, z = -change[dof + 3], -change[dof + 4], -change[dof + 5]
        for k in range(6):
            largest = max(largest, abs(change[dof + k]))
        if exact:
            x, y, z = vector_rate(step[f, 3], step[f, 4], step[f, 5], x, y, z)
        for k in range(6):
            d = -change[dof + k] if k < 3 else x if k == 3 else y if k == 4 else z
            step[f, k] += d
            A[f, k] += bend * d
            if exact and k >= 3:
                rel[f, k - 3] += speed * d
                rel[f, k] += push * d
                continue
            v[f, k] += speed * d
            a[f, k] += push * d
            if k < 3:
                r[f, k] += d
            else:
                th[f, k - 3] += d
        if exact:
            turn(step[f, 3], step[f, 4], step[f, 5], old, f, R, f)
            together(f, R, v, a, body, rel)
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
