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
from flexarm.methods.fem.spatial.node_lanes import correct_nodes, give_nodes, predict_nodes
from flexarm.numerics.jit import njit_inside


@njit_inside
def predict(parts, state, solver, h):
    """First guess of the end of the step: the physical acceleration stays."""
    joint, par = parts.joint, parts.par
    beta, gamma, am = par[P_BETA], par[P_GAMMA], par[P_AM]
    if parts.ip[I_THEORY] == EXACT:
        groups = solver.groups
        predict_nodes(groups, h, beta, gamma, am)
        give_nodes(groups, solver.crew, state[0], state[1], state[3], state[7])
    else:
        predict_small(parts.frames, state, solver.step, h, beta, gamma, am)
    j, ja = state[4], state[9]
    for i in range(joint.shape[0]):
        for n, place in ((J_PSI, 0), (J_TURN, 2)):
            if joint[i, n] < 0:
                continue
            scheme = (ja[place, i] - am * ja[place + 1, i]) / (1.0 - am)
            j[place, i] += h * j[place + 1, i] + h * h * ((0.5 - beta) * ja[place + 1, i] + beta * scheme)
            j[place + 1, i] += h * ((1.0 - gamma) * ja[place + 1, i] + gamma * scheme)
            ja[place + 1, i] = scheme


@njit_inside
def predict_small(frames, state, step, h, beta, gamma, am):
    """The guess in the linear theory: displacements and small rotations beside the stiff arm."""
    r, th, v, a, A = state[0], state[2], state[3], state[7], state[8]
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] != NODE:
            continue
        for k in range(6):
            scheme = (a[f, k] - am * A[f, k]) / (1.0 - am)
            step[f, k] = h * v[f, k] + h * h * ((0.5 - beta) * A[f, k] + beta * scheme)
            v[f, k] += h * ((1.0 - gamma) * A[f, k] + gamma * scheme)
            A[f, k] = scheme
        for k in range(3):
            r[f, k] += step[f, k]
            th[f, k] += step[f, 3 + k]


@njit_inside
def correct(parts, state, solver, change, speed, bend, push):
    """Take the correction -change over; returns its largest entry."""
    joint = parts.joint
    if parts.ip[I_THEORY] == EXACT:
        groups = solver.groups
        largest = correct_nodes(groups, solver.crew, change, speed, bend, push)
        give_nodes(groups, solver.crew, state[0], state[1], state[3], state[7])
    else:
        largest = correct_small(parts.frames, state, solver.step, change, speed, bend, push)
    j, ja = state[4], state[9]
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


@njit_inside
def correct_small(frames, state, step, change, speed, bend, push):
    """The correction in the linear theory; returns its largest entry."""
    r, th, v, a, A = state[0], state[2], state[3], state[7], state[8]
    largest = 0.0
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] != NODE:
            continue
        for k in range(6):
            d = -change[frames[f, F_DOF] + k]
            largest = max(largest, abs(d))
            step[f, k] += d
            v[f, k] += speed * d
            a[f, k] += push * d
            A[f, k] += bend * d
        for k in range(3):
            r[f, k] -= change[frames[f, F_DOF] + k]
            th[f, k] -= change[frames[f, F_DOF] + 3 + k]
    return largest
