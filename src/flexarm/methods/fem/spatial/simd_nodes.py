"""Motion of the nodes within a step of the exact theory, eight nodes at a time (see `simd` and `step_rotations`).

A group holds what the nodes are and do: from the start of the step until its end the numbers of the scheme live here; what
the forces are made of (position, rotation, velocity, acceleration) goes to the state after every change.

Equations: S11, S12.
"""

from __future__ import annotations

import math

import numpy as np

from flexarm.methods.fem.spatial import simd, vec3
from flexarm.numerics.aligned import aligned
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.rotations import SIXTH, SMALL, THIRTIETH, TWENTY_FOURTH, exponential, vector_factor

# after position, rotation, velocity and acceleration as in `simd`: acceleration of the scheme, move within the step,
# motion beside the stiff arm, rotation before the move, spin of the stiff arm, rotation at the start, correction, factors
W_SCHEME, W_STEP, W_REL, W_OLD, W_BODY, W_START, W_CHANGE, W_FACTOR, W_ROWS = 24, 30, 36, 42, 51, 57, 66, 72, 75
C_FRAME, C_BASE, C_DOF = range(3)
"""Of a node: its frame, the frame at which its beam begins, its first unknown."""


def make_node_groups(count: int) -> np.ndarray:
    """Groups (ng, rows * 8) for `count` nodes; lanes left over are nodes at rest."""
    groups = np.zeros((-(-count // simd.WIDE), W_ROWS, simd.WIDE))
    for row in (simd.TURN, W_OLD, W_START):
        groups[:, row : row + 9] = np.eye(3).reshape(1, 9, 1)
    return aligned(groups.reshape(len(groups), -1))


@njit_inside
def put_rows(q, lane, row, values, count):
    """Write `count` numbers of a node."""
    for k in range(count):
        q[(row + k) * simd.WIDE + lane] = values[k]


@njit_inside
def get_rows(q, lane, row, values, count):
    """Read `count` numbers of a node."""
    for k in range(count):
        values[k] = q[(row + k) * simd.WIDE + lane]


@njit_inside
def load_nodes(state, solver):
    """State of all nodes at the start of a step, and their motion beside the stiff arm, whose spins are known."""
    groups, nodes = solver.node_groups, solver.nodes
    for n in range(nodes.shape[0]):
        q, lane, f = groups[n // simd.WIDE], n % simd.WIDE, nodes[n, C_FRAME]
        simd.gather(q, lane, 0, f, state.position, state.rotation, state.velocity, state.acceleration)
        put_rows(q, lane, W_SCHEME, state.scheme_acceleration[f], 6)
        put_rows(q, lane, W_BODY, solver.stiff_spin[nodes[n, C_BASE]], 6)
    for g in range(groups.shape[0]):
        q = groups[g]
        for e in range(simd.WIDE):
            R9 = vec3.nine(q, simd.TURN, e)
            x, p = vec3.times(R9, vec3.three(q, W_BODY, e)), vec3.times(R9, vec3.three(q, W_BODY + 3, e))
            s = vec3.mix(1.0, vec3.three(q, simd.V + 3, e), -1.0, x)
            vec3.put_three(q, W_REL, e, s)
            vec3.put_three(
                q,
                W_REL + 3,
                e,
                vec3.mix(1.0, vec3.mix(1.0, vec3.three(q, simd.A + 3, e), -1.0, vec3.cross(s, x)), -1.0, p),
            )
            vec3.put_nine(q, W_START, e, R9)


@njit_inside
def turn_with_stiff_arm(solver):
    """Turn the nodes with the stiff arm, by its turn and with its spin at the frame at which their beam begins."""
    groups, nodes = solver.node_groups, solver.nodes
    for n in range(nodes.shape[0]):
        q, lane, base = groups[n // simd.WIDE], n % simd.WIDE, nodes[n, C_BASE]
        put_rows(q, lane, W_OLD, solver.stiff_turn[base], 9)
        put_rows(q, lane, W_BODY, solver.stiff_spin[base], 6)
    for g in range(groups.shape[0]):
        q = groups[g]
        for e in range(simd.WIDE):
            A, B = vec3.nine(q, simd.TURN, e), vec3.nine(q, W_OLD, e)
            x, y, z = (
                vec3.times(A, (B[0], B[3], B[6])),
                vec3.times(A, (B[1], B[4], B[7])),
                vec3.times(A, (B[2], B[5], B[8])),
            )
            vec3.put_nine(q, W_OLD, e, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))


@njit_inside
def largest_square(q, row):
    """Largest squared length of the vectors at `row`, and the squares into the first row of factors."""
    for e in range(simd.WIDE):
        s = vec3.three(q, row, e)
        q[W_FACTOR * simd.WIDE + e] = vec3.dot(s, s)
    largest = 0.0
    for e in range(simd.WIDE):
        largest = max(largest, q[W_FACTOR * simd.WIDE + e])
    return largest


@njit_inside
def turn_factors(q):
    """Factors of `exponential` for the rotation of the step."""
    if largest_square(q, W_STEP + 3) < SMALL:
        for e in range(simd.WIDE):
            s = q[W_FACTOR * simd.WIDE + e]
            q[W_FACTOR * simd.WIDE + e] = 1.0 - s * SIXTH * (1.0 - s * 0.05)
            q[(W_FACTOR + 1) * simd.WIDE + e] = 0.5 - s * TWENTY_FOURTH * (1.0 - s * THIRTIETH)
    else:
        for e in range(simd.WIDE):
            q[W_FACTOR * simd.WIDE + e], q[(W_FACTOR + 1) * simd.WIDE + e] = exponential(q[W_FACTOR * simd.WIDE + e])


@njit_inside
def place_nodes(q):
    """Rotation, spin and angular acceleration from the rotation of the step and the motion beside the stiff arm."""
    turn_factors(q)
    for e in range(simd.WIDE):
        step, R = vec3.three(q, W_STEP + 3, e), vec3.nine(q, W_OLD, e)
        a, b = q[W_FACTOR * simd.WIDE + e], q[(W_FACTOR + 1) * simd.WIDE + e]
        once = vec3.left(step, R)
        vec3.put_nine(q, simd.TURN, e, vec3.mixed(1.0, R, 1.0, vec3.mixed(a, once, b, vec3.left(step, once))))
    for e in range(simd.WIDE):
        R, s = vec3.nine(q, simd.TURN, e), vec3.three(q, W_REL, e)
        x, p = vec3.times(R, vec3.three(q, W_BODY, e)), vec3.times(R, vec3.three(q, W_BODY + 3, e))
        vec3.put_three(q, simd.V + 3, e, vec3.mix(1.0, s, 1.0, x))
        vec3.put_three(
            q, simd.A + 3, e, vec3.mix(1.0, vec3.mix(1.0, vec3.three(q, W_REL + 3, e), 1.0, vec3.cross(s, x)), 1.0, p)
        )


@njit_inside
def store_nodes(state, solver):
    """Position, rotation, velocity and acceleration of all nodes into the state."""
    groups, nodes = solver.node_groups, solver.nodes
    for n in range(nodes.shape[0]):
        q, lane, f = groups[n // simd.WIDE], n % simd.WIDE, nodes[n, C_FRAME]
        get_rows(q, lane, simd.R, state.position[f], 3)
        get_rows(q, lane, simd.TURN, state.rotation[f], 9)
        get_rows(q, lane, simd.V, state.velocity[f], 6)
        get_rows(q, lane, simd.A, state.acceleration[f], 6)


@njit_inside
def predict_half(q, move, rate, push, guess):
    """First guess of displacements or rotations: rows of the move, of rate and of acceleration; see `scheme.Guess`."""
    for e in range(simd.WIDE):
        A, a, v = vec3.three(q, W_SCHEME + move, e), vec3.three(q, push, e), vec3.three(q, rate, e)
        end = vec3.mix(guess.end_a, a, guess.end_start, A)
        step = vec3.mix(guess.move_v, v, 1.0, vec3.mix(guess.move_start, A, guess.move_end, end))
        vec3.put_three(q, W_STEP + move, e, step)
        vec3.put_three(q, rate, e, vec3.mix(1.0, v, 1.0, vec3.mix(guess.rate_start, A, guess.rate_end, end)))
        vec3.put_three(q, W_SCHEME + move, e, end)
        vec3.put_three(q, push, e, vec3.mix(guess.stays, a, 0.0, a))


@njit_inside
def predict_nodes(groups, guess):
    """First guess of the end of the step."""
    for g in range(groups.shape[0]):
        q = groups[g]
        predict_half(q, 0, simd.V, simd.A, guess)
        predict_half(q, 3, W_REL, W_REL + 3, guess)
        for e in range(simd.WIDE):
            vec3.add_three(q, simd.R, e, vec3.three(q, W_STEP, e))
        place_nodes(q)


@njit_inside
def vector_factors(q):
    """The factor of `vector_rate` for the rotation of the step."""
    if largest_square(q, W_STEP + 3) < SMALL:
        for e in range(simd.WIDE):
            q[W_FACTOR * simd.WIDE + e] = 1.0 / 12.0 + q[W_FACTOR * simd.WIDE + e] * (1.0 / 720.0)
    else:
        for e in range(simd.WIDE):
            q[W_FACTOR * simd.WIDE + e] = vector_factor(q[W_FACTOR * simd.WIDE + e])


@njit_inside
def largest_change(q):
    """Largest entry of the correction."""
    for e in range(simd.WIDE):
        x, y = vec3.three(q, W_CHANGE, e), vec3.three(q, W_CHANGE + 3, e)
        one = max(max(abs(x[0]), abs(x[1])), max(abs(x[2]), abs(y[0])))
        q[W_FACTOR * simd.WIDE + e] = max(one, max(abs(y[1]), abs(y[2])))
    largest = 0.0
    for e in range(simd.WIDE):
        largest = max(largest, q[W_FACTOR * simd.WIDE + e])
    return largest


@njit_inside
def correct_nodes(solver, slopes):
    """Take the correction, the negative of solver.residual, over; returns its largest entry."""
    groups, nodes, largest = solver.node_groups, solver.nodes, 0.0
    speed, bend, push = slopes.rate, slopes.scheme, slopes.acceleration
    for n in range(nodes.shape[0]):
        put_rows(groups[n // simd.WIDE], n % simd.WIDE, W_CHANGE, solver.residual[nodes[n, C_DOF] :], 6)
    for g in range(groups.shape[0]):
        q = groups[g]
        largest = max(largest, largest_change(q))
        vector_factors(q)
        for e in range(simd.WIDE):
            d = vec3.three(q, W_CHANGE, e)
            vec3.add_three(q, W_STEP, e, vec3.mix(-1.0, d, 0.0, d))
            vec3.add_three(q, simd.R, e, vec3.mix(-1.0, d, 0.0, d))
            vec3.add_three(q, simd.V, e, vec3.mix(-speed, d, 0.0, d))
            vec3.add_three(q, simd.A, e, vec3.mix(-push, d, 0.0, d))
            vec3.add_three(q, W_SCHEME, e, vec3.mix(-bend, d, 0.0, d))
        for e in range(simd.WIDE):
            step, d = vec3.three(q, W_STEP + 3, e), vec3.three(q, W_CHANGE + 3, e)
            p = vec3.cross(step, d)
            d = vec3.mix(-1.0, d, 1.0, vec3.mix(0.5, p, -q[W_FACTOR * simd.WIDE + e], vec3.cross(step, p)))
            vec3.put_three(q, W_STEP + 3, e, vec3.mix(1.0, step, 1.0, d))
            vec3.add_three(q, W_SCHEME + 3, e, vec3.mix(bend, d, 0.0, d))
            vec3.add_three(q, W_REL, e, vec3.mix(speed, d, 0.0, d))
            vec3.add_three(q, W_REL + 3, e, vec3.mix(push, d, 0.0, d))
        place_nodes(q)
    return largest


@njit_part
def large_turns(q):
    """Factor from the sine vectors in the rows of the correction to rotation vectors, for any angle."""
    for e in range(simd.WIDE):
        s, cosine = q[W_FACTOR * simd.WIDE + e], q[(W_FACTOR + 1) * simd.WIDE + e]
        sine = math.sqrt(s)
        small = s < SMALL and cosine > 0.0
        factor = 1.0 + s * SIXTH * (1.0 + s * 0.45) if small else math.atan2(sine, cosine) / max(sine, 1e-300)
        q[W_FACTOR * simd.WIDE + e] = factor


@njit_inside
def finish_nodes(state, solver):
    """Scheme accelerations into the state; moves and whole rotations of the step, in space, into solver.step."""
    groups, nodes = solver.node_groups, solver.nodes
    for g in range(groups.shape[0]):
        q = groups[g]
        least = 1.0
        for e in range(simd.WIDE):
            S, R = vec3.nine(q, W_START, e), vec3.nine(q, simd.TURN, e)
            p, s, t = vec3.cross(S[:3], R[:3]), vec3.cross(S[3:6], R[3:6]), vec3.cross(S[6:], R[6:])
            sine = (-0.5 * (p[0] + s[0] + t[0]), -0.5 * (p[1] + s[1] + t[1]), -0.5 * (p[2] + s[2] + t[2]))
            vec3.put_three(q, W_CHANGE, e, sine)
            trace = vec3.dot(S[:3], R[:3]) + vec3.dot(S[3:6], R[3:6]) + vec3.dot(S[6:], R[6:])
            q[(W_FACTOR + 1) * simd.WIDE + e] = 0.5 * (trace - 1.0)
        for e in range(simd.WIDE):
            least = min(least, q[(W_FACTOR + 1) * simd.WIDE + e])
        if largest_square(q, W_CHANGE) < SMALL and least > 0.0:
            for e in range(simd.WIDE):
                s = q[W_FACTOR * simd.WIDE + e]
                q[W_FACTOR * simd.WIDE + e] = 1.0 + s * SIXTH * (1.0 + s * 0.45)
        else:
            large_turns(q)
        for e in range(simd.WIDE):
            sine, f = vec3.three(q, W_CHANGE, e), q[W_FACTOR * simd.WIDE + e]
            vec3.put_three(q, W_STEP + 3, e, vec3.times(vec3.nine(q, W_START, e), vec3.mix(f, sine, 0.0, sine)))
    for n in range(nodes.shape[0]):
        q, lane, f = groups[n // simd.WIDE], n % simd.WIDE, nodes[n, C_FRAME]
        get_rows(q, lane, W_SCHEME, state.scheme_acceleration[f], 6)
        get_rows(q, lane, W_STEP, solver.step[f], 6)
