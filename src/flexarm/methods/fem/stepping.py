"""One time step by Newton's method, and many of them.

Generalised-alpha with the physical acceleration a and that of the scheme A:

    (1 - am) A+ + am A = (1 - af) a+ + af a,   q+ = q + h v + h^2 [(1/2 - beta) A + beta A+],
    v+ = v + h [(1 - gamma) A + gamma A+],     balance of forces at the end of the step.

Joint laws are part of the balance, with their slopes in the tangent. A step that does not converge is taken in halves.
What the scheme gains or loses is measured by itself: change of energy minus the work of all forces along the step.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.assemble import damping_power, set_frame, split_forces, tangent
from flexarm.methods.fem.drives import motor_turn, motors, nominal, push_drive, relative, sensed
from flexarm.methods.fem.element import QUASI_STATIC
from flexarm.methods.fem.layout import (
    ACCELERATION,
    ANGLE,
    DRAG,
    DRIVE,
    ENERGY,
    FRAME,
    HALVED,
    I_BY_ENERGY,
    I_ITERATIONS,
    I_LINKS,
    I_PAYLOAD,
    I_THEORY,
    ITERATIONS,
    J_BASE,
    J_CHANNEL,
    J_FRAME,
    J_LAW,
    J_MOTOR,
    J_MOVED,
    J_TIP,
    JOINT,
    JOINT_RATE,
    K_ROTOR,
    K_SPRING,
    LOST,
    MOTOR,
    NUMERICAL,
    P_AF,
    P_AM,
    P_BETA,
    P_GAMMA,
    P_INERTIA,
    P_LENGTH,
    P_MASS,
    P_TOLERANCE,
    POWER,
    RATE,
    SUMS,
    TORQUE,
    WORK,
)
from flexarm.methods.fem.payload import payload_inertia, payload_mass
from flexarm.numerics import bandlu
from flexarm.numerics.jit import borrow, njit
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import law_step, law_value
from flexarm.numerics.rows import inside_row

factor, solve = bandlu.factor, bandlu.solve
MOST_PARTS = 64
SLOW = 0.02
"""A tangent is renewed when a correction is not below this share of the one before."""


@njit
def balance(x, tc, td, inertia, connection, first, base_row, joint, jfig, frame, a, ip):
    """Torque through each joint and of its motor; tc then holds the part that is not damping."""
    for i in range(ip[I_LINKS]):
        turning = base_row[i, 0] * frame[ACCELERATION, i]
        for k in range(connection.shape[1]):
            j = connection[first[i], k]
            if j >= 0:
                turning += base_row[i, 1 + k] * a[j]
        rotor = frame[ACCELERATION, i]
        if jfig[i, K_SPRING] > 0.0:
            rotor += a[joint[i, J_TIP]] if joint[i, J_TIP] >= 0 else 0.0
            rotor += a[joint[i, J_MOTOR]] if joint[i, J_MOTOR] >= 0 else 0.0
            tc[i] += turning
            frame[TORQUE, i] = tc[i] + td[i]
            if joint[i, J_FRAME]:
                tc[i] += jfig[i, K_ROTOR] * rotor
        else:
            rotor += a[joint[i, J_BASE]] if joint[i, J_BASE] >= 0 else 0.0
            tc[i] += turning
            frame[TORQUE, i] = tc[i] + td[i] - jfig[i, K_ROTOR] * rotor
        if joint[i, J_MOVED]:
            frame[DRIVE, i] = tc[i] + td[i]


@njit
def settle(
    x, size, row, z, law, h, connection, owner, figures, shape, first, base_row, joint, jfig, weight, payload, par, ip,
    mass, rotary, rotary_total, work, small, law_work, fresh,
):  # fmt: skip
    """Forces, torques, energies at a step point; the sums over the step before unless it is a fresh start.

    work[0] holds the positions at the start of the step, work[1] the forces there, work[2] those of damping.
    """
    links = ip[I_LINKS]
    q, v = x[:size], x[size : 2 * size]
    frame = x[2 * size : 2 * size + FRAME * links].reshape((FRAME, links))
    s = x[2 * size + FRAME * links : 2 * size + FRAME * links + SUMS]
    rest = x[2 * size + FRAME * links + SUMS :]
    a, fc, fd = rest[:size], rest[2 * size : 3 * size], rest[3 * size : 4 * size]
    tc, td = rest[4 * size : 4 * size + links], rest[4 * size + links : 4 * size + 2 * links]
    old_c, old_d, old_j = small[0], small[1], small[2]
    for i in range(links):
        old_c[i], old_d[i], old_j[i] = tc[i], td[i], frame[JOINT, i]
    before = s[ENERGY]
    energy = split_forces(
        q, v, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, fc, fd, tc, td, small[3],
        small[4],
    )  # fmt: skip
    b = mass.shape[1] // 2
    for r in range(size):
        total, momentum = 0.0, 0.0
        for c in range(max(0, r - b), min(size, r + b + 1)):
            total += mass[r, c - r + b] * a[c]
            momentum += mass[r, c - r + b] * v[c]
        energy += 0.5 * v[r] * momentum
        for i in range(links):
            total += rotary[i, r] * frame[ACCELERATION, i]
            energy += rotary[i, r] * frame[RATE, i] * v[r]
        fc[r] += total
    for i in range(links):
        energy += 0.5 * rotary_total[i] * frame[RATE, i] ** 2
    if ip[I_PAYLOAD] >= 0 and par[P_MASS] + par[P_INERTIA] > 0.0:
        energy += payload_inertia(q, v, a, frame, payload, par, ip, fc)
    balance(x, tc, td, 0.0, connection, first, base_row, joint, jfig, frame, a, ip)
    s[ENERGY] = energy
    gained, resisted = energy - before, 0.0
    for k in range(size if not fresh else 0):
        moved = q[k] - work[0, k]
        gained -= 0.5 * moved * (work[1, k] + fc[k])
        resisted += 0.5 * moved * (work[2, k] + fd[k])
    for i in range(links):
        place, speed = nominal(row, joint, jfig, i)
        angle, rate = relative(q, v, joint, i)
        turn = place + motor_turn(q, v, joint, i)[0]
        k = joint[i, J_CHANNEL]
        frame[JOINT, i], frame[JOINT_RATE, i] = place + angle, speed + rate
        frame[MOTOR, i] = place if joint[i, J_MOVED] else turn
        if joint[i, J_FRAME] and not fresh:
            moved = place - small[6, i]
            resisted += 0.5 * moved * (old_d[i] + td[i])
            gained -= 0.5 * moved * (old_c[i] + tc[i])
        small[6, i] = place
        if joint[i, J_MOVED]:
            if not fresh:
                s[WORK] += 0.5 * (place - small[5, i]) * (old_c[i] + tc[i] + old_d[i] + td[i])
            small[5, i] = place
        else:
            if joint[i, J_LAW]:
                y, reading, turning = sensed(q, v, row, joint, jfig, i)
                tau = law_step(row[k], law[k], z[k], h, y, reading, turning, 0.0, 0.0, 0.0, law_work)
                if not fresh:
                    moved = turn - small[5, i]
                    drag = 0.5 * (frame[DRAG, i] + z[k, Z_DRAG])
                    s[WORK] += moved * (0.5 * (frame[DRIVE, i] + tau) - drag)
                    s[LOST] -= moved * drag
                frame[DRIVE, i], frame[DRAG, i] = tau, z[k, Z_DRAG]
                if jfig[i, K_SPRING] == 0.0:
                    rotor = frame[ACCELERATION, i]
                    rotor += a[joint[i, J_BASE]]
                    frame[TORQUE, i] = tau - jfig[i, K_ROTOR] * rotor
            small[5, i] = turn
    power = damping_power(q, v, frame, connection, owner, figures, shape, joint, jfig, ip, small[3])
    if not fresh:  # the loss itself, by its power; what the forces resisted beside it is an error of the scheme
        lost = 0.5 * h * (s[POWER] + power)
        s[LOST] += lost
        s[NUMERICAL] += gained + lost - resisted
    s[POWER] = power
    return np.isfinite(energy)


@njit
def stiff_motion(frame, seat, lengths, v, a, ip, small):
    """Velocities and accelerations of the stiff arm at its commands, for every unknown.

    seat : (size, 3) link, axis (0, 1: x, y; else an angle) and distance from the joint of every unknown
    """
    vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0
    for i in range(ip[I_LINKS]):
        small[0, i], small[1, i], small[2, i], small[3, i] = vx, vy, ax, ay
        c, s = np.cos(frame[ANGLE, i]), np.sin(frame[ANGLE, i])
        w, turn = frame[RATE, i], frame[ACCELERATION, i]
        vx, vy = vx - w * s * lengths[i], vy + w * c * lengths[i]
        ax, ay = ax + (-turn * s - w * w * c) * lengths[i], ay + (turn * c - w * w * s) * lengths[i]
    for k in range(seat.shape[0]):
        link, axis, r = int(seat[k, 0]), int(seat[k, 1]), seat[k, 2]
        c, s = np.cos(frame[ANGLE, link]), np.sin(frame[ANGLE, link])
        w, turn = frame[RATE, link], frame[ACCELERATION, link]
        if axis == 0:
            v[k], a[k] = small[0, link] - w * s * r, small[2, link] + (-turn * s - w * w * c) * r
        elif axis == 1:
            v[k], a[k] = small[1, link] + w * c * r, small[3, link] + (turn * c - w * w * s) * r
        else:
            v[k], a[k] = 0.0, 0.0


@njit
def rest_in_motion(
    x, size, row, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary, work, small,
    band, D, seat, lengths,
):  # fmt: skip
    """The quasi-static deformation: stiffness against the inertia of the stiff motion and the weight."""
    links = ip[I_LINKS]
    q, v = x[:size], x[size : 2 * size]
    frame = x[2 * size : 2 * size + FRAME * links].reshape((FRAME, links))
    a = x[2 * size + FRAME * links + SUMS :][:size]
    set_frame(row, joint, jfig, ip, frame)
    stiff_motion(frame, seat, lengths, v, a, ip, small)
    for _ in range(3):
        tangent(
            q, v, a, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary, 0.0,
            0.0, work[3], band, small[3], small[4], D,
        )  # fmt: skip
        if factor(band) >= 0:
            return -1
        solve(band, work[3])
        for k in range(size):
            q[k] -= work[3, k]
    return 1


@njit
def imbalance(
    q, v, a, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary, residual, fc,
    fd, small, row, z, law, h, law_work,
):  # fmt: skip
    """The residual alone, motors included; fc, fd and rows of `small` are scratch."""
    size, b = q.shape[0], mass.shape[1] // 2
    split_forces(
        q, v, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, fc, fd, small[0], small[1],
        small[3], small[4],
    )  # fmt: skip
    for r in range(size):
        total = fc[r] + fd[r]
        for c in range(max(0, b - r), min(2 * b + 1, size - r + b)):
            total += mass[r, c] * a[r + c - b]
        for i in range(ip[I_LINKS]):
            total += rotary[i, r] * frame[ACCELERATION, i]
        residual[r] = total
    if ip[I_PAYLOAD] >= 0 and par[P_MASS] + par[P_INERTIA] > 0.0:
        payload_inertia(q, v, a, frame, payload, par, ip, residual)
    for i in range(ip[I_LINKS]):
        if joint[i, J_LAW]:
            k = joint[i, J_CHANNEL]
            y, rate, turning = sensed(q, v, row, joint, jfig, i)
            push_drive(joint, i, -law_value(row[k], law[k], z[k], h, y, rate, turning, law_work)[0], residual)


@njit
def newton(
    x, size, row, z, law, h, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary,
    work, small, law_work, band, D, seat, lengths,
):  # fmt: skip
    """One step of length h to `row`; returns the number of iterations, or -1 if it did not converge."""
    links = ip[I_LINKS]
    q, v = x[:size], x[size : 2 * size]
    frame = x[2 * size : 2 * size + FRAME * links].reshape((FRAME, links))
    rest = x[2 * size + FRAME * links + SUMS :]
    a, A = rest[:size], rest[size : 2 * size]
    residual = work[3]
    beta, gamma, am, af = par[P_BETA], par[P_GAMMA], par[P_AM], par[P_AF]
    speed, bend = gamma / (beta * h), 1.0 / (beta * h * h)
    push = (1.0 - am) / (1.0 - af) * bend
    set_frame(row, joint, jfig, ip, frame)
    for k in range(size):
        work[0, k], work[1, k], work[2, k] = q[k], rest[2 * size + k], rest[3 * size + k]
    if ip[I_THEORY] == QUASI_STATIC:
        return rest_in_motion(
            x, size, row, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary, work,
            small, band, D, seat, lengths,
        )  # fmt: skip
    for k in range(size):
        scheme = ((1.0 - af) * a[k] + af * a[k] - am * A[k]) / (1.0 - am)
        q[k] += h * v[k] + h * h * ((0.5 - beta) * A[k] + beta * scheme)
        v[k] += h * ((1.0 - gamma) * A[k] + gamma * scheme)
        A[k] = scheme
    first_energy, previous, renew = 0.0, 0.0, True
    for iteration in range(ip[I_ITERATIONS]):
        if renew:
            tangent(
                q, v, a, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary,
                speed, push, residual, band, small[3], small[4], D,
            )  # fmt: skip
            motors(row, z, law, q, v, joint, jfig, h, speed, ip, residual, band, law_work)
            if factor(band) >= 0:
                return -1
        else:
            imbalance(
                q, v, a, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary,
                residual, rest[2 * size : 3 * size], rest[3 * size : 4 * size], small, row, z, law, h, law_work,
            )  # fmt: skip
        for k in range(size):
            work[4, k] = residual[k]
        solve(band, residual)
        largest, energy = 0.0, 0.0
        for k in range(size):
            step = -residual[k]
            energy += abs(step * work[4, k])
            q[k] += step
            v[k] += speed * step
            A[k] += bend * step
            a[k] += push * step
            largest = max(largest, abs(step))
        if not largest < 1e3 * par[P_LENGTH]:
            return -1
        renew = iteration > 0 and largest > SLOW * previous  # the old tangent serves as long as it converges well
        previous = largest
        if iteration == 0:
            first_energy = energy
        if ip[I_BY_ENERGY]:
            if energy <= par[P_TOLERANCE] * first_energy and (iteration > 0 or energy == 0.0):
                return iteration + 1
        elif largest <= par[P_TOLERANCE] * par[P_LENGTH]:
            return iteration + 1
    return -1


@njit
def march(
    x, z, table, records, every, phase, h, law, connection, owner, figures, shape, first, base_row, joint, jfig, weight,
    payload, par, ip, mass, rotary, rotary_total, work, small, law_work, band, D, seat, lengths, keep, rows, keep_z,
):  # fmt: skip
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it."""
    x, z, table, records, law = borrow(x), borrow(z), borrow(table), borrow(records), borrow(law)
    connection, owner, figures, shape = borrow(connection), borrow(owner), borrow(figures), borrow(shape)
    first, base_row, joint, jfig, weight = borrow(first), borrow(base_row), borrow(joint), borrow(jfig), borrow(weight)
    payload, par, ip, mass, rotary = borrow(payload), borrow(par), borrow(ip), borrow(mass), borrow(rotary)
    rotary_total, work, small, law_work = borrow(rotary_total), borrow(work), borrow(small), borrow(law_work)
    band, D, keep, rows, keep_z = borrow(band), borrow(D), borrow(keep), borrow(rows), borrow(keep_z)
    seat, lengths = borrow(seat), borrow(lengths)
    size, links = mass.shape[0], ip[I_LINKS]
    s = x[2 * size + FRAME * links : 2 * size + FRAME * links + SUMS]
    width, written = 2 * size + FRAME * links + SUMS, 0
    start_of_turns(x, size, table[0], joint, jfig, ip, small)
    for n in range(table.shape[0] - 1):
        keep[:] = x
        keep_z[:] = z
        parts = 1
        while parts <= MOST_PARTS:
            good = True
            for part in range(parts):
                if part + 1 == parts:
                    rows[:] = table[n + 1]
                else:
                    inside_row(table[n], table[n + 1], h, (part + 1.0) / parts, rows)
                count = newton(
                    x, size, rows, z, law, h / parts, connection, owner, figures, shape, joint, jfig, weight, payload,
                    par, ip, mass, rotary, work, small, law_work, band, D, seat, lengths,
                )  # fmt: skip
                good = count > 0
                if good:
                    s[ITERATIONS] += count
                    good = settle(
                        x, size, rows, z, law, h / parts, connection, owner, figures, shape, first, base_row, joint, jfig,
                        weight, payload, par, ip, mass, rotary, rotary_total, work, small, law_work, False,
                    )  # fmt: skip
                if not good:
                    break
            if good:
                break
            x[:] = keep
            z[:] = keep_z
            start_of_turns(x, size, table[n], joint, jfig, ip, small)
            s[HALVED] += 1.0
            keep[2 * size + FRAME * links + HALVED] = s[HALVED]
            parts *= 2
        if parts > MOST_PARTS:
            return n, written
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written


@njit
def start_of_turns(x, size, row, joint, jfig, ip, small):
    """Angles on which the drives work, at the start of a step."""
    q, v = x[:size], x[size : 2 * size]
    for i in range(ip[I_LINKS]):
        place = nominal(row, joint, jfig, i)[0]
        small[5, i] = place if joint[i, J_MOVED] else place + motor_turn(q, v, joint, i)[0]
        small[6, i] = place


@njit
def restart(
    x, z, row, law, connection, owner, figures, shape, first, base_row, joint, jfig, weight, payload, par, ip, mass,
    rotary, rotary_total, work, small, law_work, band, D, seat, lengths,
):  # fmt: skip
    """Accelerations, torques and energy from the right-hand limits in `row`."""
    size, links = mass.shape[0], ip[I_LINKS]
    q, v = x[:size], x[size : 2 * size]
    frame = x[2 * size : 2 * size + FRAME * links].reshape((FRAME, links))
    rest = x[2 * size + FRAME * links + SUMS :]
    a, A = rest[:size], rest[size : 2 * size]
    set_frame(row, joint, jfig, ip, frame)
    a[:] = 0.0
    split_forces(
        q, v, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, work[1], work[2], small[0],
        small[1], small[3], small[4],
    )  # fmt: skip
    for r in range(size):
        total = work[1, r] + work[2, r]
        for i in range(links):
            total += rotary[i, r] * frame[ACCELERATION, i]
        work[3, r] = -total
        for c in range(mass.shape[1]):
            band[r, c] = mass[r, c]
    if ip[I_PAYLOAD] >= 0 and par[P_MASS] + par[P_INERTIA] > 0.0:
        work[1, :] = 0.0
        payload_inertia(q, v, a, frame, payload, par, ip, work[1])
        for k in range(3):
            work[3, payload[k]] -= work[1, payload[k]]
        payload_mass(q, frame, payload, par, ip, band)
    for i in range(links):
        if joint[i, J_LAW]:
            k = joint[i, J_CHANNEL]
            y, reading, turning = sensed(q, v, row, joint, jfig, i)
            tau = law_step(row[k], law[k], z[k], 0.0, y, reading, turning, 0.0, 0.0, 0.0, law_work)
            push_drive(joint, i, tau, work[3])
    factor(band)
    solve(band, work[3])
    for k in range(size):
        a[k] = work[3, k]
        A[k] = a[k]
    if ip[I_THEORY] == QUASI_STATIC:
        rest_in_motion(
            x, size, row, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary, work,
            small, band, D, seat, lengths,
        )  # fmt: skip
    start_of_turns(x, size, row, joint, jfig, ip, small)
    settle(
        x, size, row, z, law, 0.0, connection, owner, figures, shape, first, base_row, joint, jfig, weight, payload, par,
        ip, mass, rotary, rotary_total, work, small, law_work, True,
    )  # fmt: skip
