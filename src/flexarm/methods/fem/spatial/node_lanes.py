"""Motion of the nodes within a step of the exact theory, eight nodes at a time (see `lanes` and `turning`).

A group holds what the nodes are and do: from the start of the step until its end the numbers of the scheme live here; what
the forces are made of (position, rotation, velocity, acceleration) goes to the state after every change.
"""

from __future__ import annotations

import math

import numpy as np

from flexarm.methods.fem.spatial.lanes import Q_A, Q_R, Q_TURN, Q_V, WIDE, gather
from flexarm.methods.fem.spatial.triples import (
    add_three,
    dot,
    left,
    mix,
    mixed,
    nine,
    put_nine,
    put_three,
    three,
    times,
    vee,
)
from flexarm.numerics.aligned import aligned
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.rotations import SIXTH, SMALL, THIRTIETH, TWENTY_FOURTH, exponential, vector_factor

# after position, rotation, velocity and acceleration as in `lanes`: acceleration of the scheme, move within the step,
# motion beside the stiff arm, rotation before the move, spin of the stiff arm, rotation at the start, correction, factors
W_SCHEME, W_STEP, W_REL, W_OLD, W_BODY, W_START, W_CHANGE, W_FACTOR, W_ROWS = 24, 30, 36, 42, 51, 57, 66, 72, 75
C_FRAME, C_BASE, C_DOF = range(3)
"""Of a node: its frame, the frame at which its beam begins, its first unknown."""


def make_node_lanes(count: int) -> np.ndarray:
    """Groups (ng, rows * 8) for `count` nodes; lanes left over are nodes at rest."""
    groups = np.zeros((-(-count // WIDE), W_ROWS, WIDE))
    for row in (Q_TURN, W_OLD, W_START):
        groups[:, row : row + 9] = np.eye(3).reshape(1, 9, 1)
    return aligned(groups.reshape(len(groups), -1))


@njit_inside
def put_rows(q, lane, row, values, count):
    """Write `count` numbers of a node."""
    for k in range(count):
        q[(row + k) * WIDE + lane] = values[k]


@njit_inside
def take_rows(q, lane, row, values, count):
    """Read `count` numbers of a node."""
    for k in range(count):
        values[k] = q[(row + k) * WIDE + lane]


@njit_inside
def take_nodes(groups, crew, r, R, v, a, A, body):
    """State of all nodes at the start of a step, and their motion beside the stiff arm, whose spins are in `body`."""
    for n in range(crew.shape[0]):
        q, lane, f = groups[n // WIDE], n % WIDE, crew[n, C_FRAME]
        gather(q, lane, 0, f, r, R, v, a)
        put_rows(q, lane, W_SCHEME, A[f], 6)
        put_rows(q, lane, W_BODY, body[crew[n, C_BASE]], 6)
    for g in range(groups.shape[0]):
        q = groups[g]
        for e in range(WIDE):
            R9 = nine(q, Q_TURN, e)
            x, p = times(R9, three(q, W_BODY, e)), times(R9, three(q, W_BODY + 3, e))
            s = mix(1.0, three(q, Q_V + 3, e), -1.0, x)
            put_three(q, W_REL, e, s)
            put_three(q, W_REL + 3, e, mix(1.0, mix(1.0, three(q, Q_A + 3, e), -1.0, vee(s, x)), -1.0, p))
            put_nine(q, W_START, e, R9)


@njit_inside
def carry_nodes(groups, crew, turned, body):
    """Turn the nodes with the stiff arm: by `turned` of the frame at which their beam begins, whose spins are now in `body`."""
    for n in range(crew.shape[0]):
        q, lane, base = groups[n // WIDE], n % WIDE, crew[n, C_BASE]
        put_rows(q, lane, W_OLD, turned[base], 9)
        put_rows(q, lane, W_BODY, body[base], 6)
    for g in range(groups.shape[0]):
        q = groups[g]
        for e in range(WIDE):
            A, B = nine(q, Q_TURN, e), nine(q, W_OLD, e)
            x, y, z = times(A, (B[0], B[3], B[6])), times(A, (B[1], B[4], B[7])), times(A, (B[2], B[5], B[8]))
            put_nine(q, W_OLD, e, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))


@njit_inside
def widest(q, row):
    """Largest squared length of the vectors at `row`, and the squares into the first row of factors."""
    for e in range(WIDE):
        s = three(q, row, e)
        q[W_FACTOR * WIDE + e] = dot(s, s)
    largest = 0.0
    for e in range(WIDE):
        largest = max(largest, q[W_FACTOR * WIDE + e])
    return largest


@njit_inside
def turn_factors(q):
    """Factors of `exponential` for the rotation of the step."""
    if widest(q, W_STEP + 3) < SMALL:
        for e in range(WIDE):
            s = q[W_FACTOR * WIDE + e]
            q[W_FACTOR * WIDE + e] = 1.0 - s * SIXTH * (1.0 - s * 0.05)
            q[(W_FACTOR + 1) * WIDE + e] = 0.5 - s * TWENTY_FOURTH * (1.0 - s * THIRTIETH)
    else:
        for e in range(WIDE):
            q[W_FACTOR * WIDE + e], q[(W_FACTOR + 1) * WIDE + e] = exponential(q[W_FACTOR * WIDE + e])


@njit_inside
def place_nodes(q):
    """Rotation, spin and angular acceleration from the rotation of the step and the motion beside the stiff arm."""
    turn_factors(q)
    for e in range(WIDE):
        step, R = three(q, W_STEP + 3, e), nine(q, W_OLD, e)
        a, b = q[W_FACTOR * WIDE + e], q[(W_FACTOR + 1) * WIDE + e]
        once = left(step, R)
        put_nine(q, Q_TURN, e, mixed(1.0, R, 1.0, mixed(a, once, b, left(step, once))))
    for e in range(WIDE):
        R, s = nine(q, Q_TURN, e), three(q, W_REL, e)
        x, p = times(R, three(q, W_BODY, e)), times(R, three(q, W_BODY + 3, e))
        put_three(q, Q_V + 3, e, mix(1.0, s, 1.0, x))
        put_three(q, Q_A + 3, e, mix(1.0, mix(1.0, three(q, W_REL + 3, e), 1.0, vee(s, x)), 1.0, p))


@njit_inside
def give_nodes(groups, crew, r, R, v, a):
    """Position, rotation, velocity and acceleration of all nodes into the state."""
    for n in range(crew.shape[0]):
        q, lane, f = groups[n // WIDE], n % WIDE, crew[n, C_FRAME]
        take_rows(q, lane, Q_R, r[f], 3)
        take_rows(q, lane, Q_TURN, R[f], 9)
        take_rows(q, lane, Q_V, v[f], 6)
        take_rows(q, lane, Q_A, a[f], 6)


@njit_inside
def predict_half(q, move, rate, push, h, beta, gamma, am):
    """First guess of displacements or rotations: rows of the move, of rate and of acceleration; see `scheme.predict`."""
    for e in range(WIDE):
        A, a, v = three(q, W_SCHEME + move, e), three(q, push, e), three(q, rate, e)
        scheme = mix(1.0 / (1.0 - am), a, -am / (1.0 - am), A)
        step = mix(h, v, h * h, mix(0.5 - beta, A, beta, scheme))
        put_three(q, W_STEP + move, e, step)
        put_three(q, rate, e, mix(1.0, v, h, mix(1.0 - gamma, A, gamma, scheme)))
        put_three(q, W_SCHEME + move, e, scheme)


@njit_inside
def predict_nodes(groups, h, beta, gamma, am):
    """First guess of the end of the step: the physical acceleration stays."""
    for g in range(groups.shape[0]):
        q = groups[g]
        predict_half(q, 0, Q_V, Q_A, h, beta, gamma, am)
        predict_half(q, 3, W_REL, W_REL + 3, h, beta, gamma, am)
        for e in range(WIDE):
            add_three(q, Q_R, e, three(q, W_STEP, e))
        place_nodes(q)


@njit_inside
def vector_factors(q):
    """The factor of `vector_rate` for the rotation of the step."""
    if widest(q, W_STEP + 3) < SMALL:
        for e in range(WIDE):
            q[W_FACTOR * WIDE + e] = 1.0 / 12.0 + q[W_FACTOR * WIDE + e] * (1.0 / 720.0)
    else:
        for e in range(WIDE):
            q[W_FACTOR * WIDE + e] = vector_factor(q[W_FACTOR * WIDE + e])


@njit_inside
def largest_change(q):
    """Largest entry of the correction."""
    for e in range(WIDE):
        x, y = three(q, W_CHANGE, e), three(q, W_CHANGE + 3, e)
        one = max(max(abs(x[0]), abs(x[1])), max(abs(x[2]), abs(y[0])))
        q[W_FACTOR * WIDE + e] = max(one, max(abs(y[1]), abs(y[2])))
    largest = 0.0
    for e in range(WIDE):
        largest = max(largest, q[W_FACTOR * WIDE + e])
    return largest


@njit_inside
def correct_nodes(groups, crew, change, speed, bend, push):
    """Take the correction -change over; returns its largest entry."""
    largest = 0.0
    for n in range(crew.shape[0]):
        put_rows(groups[n // WIDE], n % WIDE, W_CHANGE, change[crew[n, C_DOF] :], 6)
    for g in range(groups.shape[0]):
        q = groups[g]
        largest = max(largest, largest_change(q))
        vector_factors(q)
        for e in range(WIDE):
            d = three(q, W_CHANGE, e)
            add_three(q, W_STEP, e, mix(-1.0, d, 0.0, d))
            add_three(q, Q_R, e, mix(-1.0, d, 0.0, d))
            add_three(q, Q_V, e, mix(-speed, d, 0.0, d))
            add_three(q, Q_A, e, mix(-push, d, 0.0, d))
            add_three(q, W_SCHEME, e, mix(-bend, d, 0.0, d))
        for e in range(WIDE):
            step, d = three(q, W_STEP + 3, e), three(q, W_CHANGE + 3, e)
            p = vee(step, d)
            d = mix(-1.0, d, 1.0, mix(0.5, p, -q[W_FACTOR * WIDE + e], vee(step, p)))
            put_three(q, W_STEP + 3, e, mix(1.0, step, 1.0, d))
            add_three(q, W_SCHEME + 3, e, mix(bend, d, 0.0, d))
            add_three(q, W_REL, e, mix(speed, d, 0.0, d))
            add_three(q, W_REL + 3, e, mix(push, d, 0.0, d))
        place_nodes(q)
    return largest


@njit_part
def large_turns(q):
    """Factor from the sine vectors in the rows of the correction to rotation vectors, for any angle."""
    for e in range(WIDE):
        s, cosine = q[W_FACTOR * WIDE + e], q[(W_FACTOR + 1) * WIDE + e]
        sine = math.sqrt(s)
        small = s < SMALL and cosine > 0.0
        factor = 1.0 + s * SIXTH * (1.0 + s * 0.45) if small else math.atan2(sine, cosine) / max(sine, 1e-300)
        q[W_FACTOR * WIDE + e] = factor


@njit_inside
def finish_nodes(groups, crew, A, moved):
    """Scheme accelerations into the state; moves and whole rotations of the step, in space, into `moved`."""
    for g in range(groups.shape[0]):
        q = groups[g]
        least = 1.0
        for e in range(WIDE):
            S, R = nine(q, W_START, e), nine(q, Q_TURN, e)
            p, s, t = vee(S[:3], R[:3]), vee(S[3:6], R[3:6]), vee(S[6:], R[6:])
            sine = (-0.5 * (p[0] + s[0] + t[0]), -0.5 * (p[1] + s[1] + t[1]), -0.5 * (p[2] + s[2] + t[2]))
            put_three(q, W_CHANGE, e, sine)
            trace = dot(S[:3], R[:3]) + dot(S[3:6], R[3:6]) + dot(S[6:], R[6:])
            q[(W_FACTOR + 1) * WIDE + e] = 0.5 * (trace - 1.0)
        for e in range(WIDE):
            least = min(least, q[(W_FACTOR + 1) * WIDE + e])
        if widest(q, W_CHANGE) < SMALL and least > 0.0:
            for e in range(WIDE):
                s = q[W_FACTOR * WIDE + e]
                q[W_FACTOR * WIDE + e] = 1.0 + s * SIXTH * (1.0 + s * 0.45)
        else:
            large_turns(q)
        for e in range(WIDE):
            sine, f = three(q, W_CHANGE, e), q[W_FACTOR * WIDE + e]
            put_three(q, W_STEP + 3, e, times(nine(q, W_START, e), mix(f, sine, 0.0, sine)))
    for n in range(crew.shape[0]):
        q, lane, f = groups[n // WIDE], n % WIDE, crew[n, C_FRAME]
        take_rows(q, lane, W_SCHEME, A[f], 6)
        take_rows(q, lane, W_STEP, moved[f], 6)
