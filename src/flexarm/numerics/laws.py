"""Joint laws inside the compiled step.

The command of a joint law is

    u = sat( T + KP (r - y) + KV (r' - y') + KI int (r - y) dt ),     |u| <= limit,

an actuator turns it into torque, ``x' = A x + B w, tau = C x + D w``, with w = u - e v_m less the back-emf of an electric
motor, ``|tau| <= torque limit``, and dry friction acts on the motor side, ``- F tanh(v_m / v_s)``. For a cylinder with
pressures u is the opening of its valve, see `flexarm.numerics.hydraulics`; y is then the motor side. Whatever
the method, its step is linear in the torque that acts at the end of the step:
``y = y_f + gy tau``, ``y' = v_f + gv tau``, ``v_m = vm_f + gm tau``. So law, limit, actuator and friction are one
scalar equation, solved exactly here; nothing lags by a step. Integral and actuator follow the trapezoidal rule. A disturbance,
a torque beside that of the motor, adds to what the actuator gives.

Parameters (`law`) and states (`z`), one row per joint, are laid out in `flexarm.numerics.law_rows`.
"""

from __future__ import annotations

import numpy as np
from numba import types

from flexarm.numerics.hydraulics import cylinder_torque, reach
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.law_rows import (
    ACCELERATION as ACCELERATION,
)
from flexarm.numerics.law_rows import (
    ACTUATOR_ORDER,
    BACK_EMF,
    COMMAND,
    DISTURBANCE,
    DISTURBED,
    DRAG,
    ERROR,
    FEEDTHROUGH,
    FORCE,
    FRICTION,
    H_GAIN,
    HYDRAULIC,
    INTEGRAL,
    KI,
    KP,
    KV,
    LIMIT,
    MATRIX,
    ORDER,
    POSITION,
    PRESSURE,
    PRESSURE_RATE,
    SMOOTH,
    STATE,
    TORQUE,
    TORQUE_LIMIT,
    VELOCITY,
)
from flexarm.numerics.law_rows import LAW_SIZE as LAW_SIZE
from flexarm.numerics.law_rows import WIDEST as WIDEST
from flexarm.numerics.law_rows import Z_SIZE as Z_SIZE
from flexarm.numerics.law_rows import pack as pack
from flexarm.numerics.on_demand import njit_on_demand


@njit_part
def solve_small(a, b, n):
    """Solve the dense system a x = b of size n in place (partial pivoting); b becomes x."""
    for i in range(n):
        pivot = i
        for r in range(i + 1, n):
            if abs(a[r, i]) > abs(a[pivot, i]):
                pivot = r
        if pivot != i:
            for c in range(n):
                a[i, c], a[pivot, c] = a[pivot, c], a[i, c]
            b[i], b[pivot] = b[pivot], b[i]
        for r in range(i + 1, n):
            factor = a[r, i] / a[i, i]
            for c in range(i, n):
                a[r, c] -= factor * a[i, c]
            b[r] -= factor * b[i]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for c in range(i + 1, n):
            total -= a[i, c] * b[c]
        b[i] = total / a[i, i]


@njit_part
def actuator_step(law, z, h, known, gain, work):
    """Trapezoidal step of the actuator: x1 = known + gain u1, torque = C x1 + D u1 = alpha + delta u1.

    Fills `known` and `gain` (length ORDER), uses `work` (ORDER x ORDER); returns alpha, delta.
    """
    n = int(law[ACTUATOR_ORDER])
    alpha, delta = 0.0, law[FEEDTHROUGH]
    if n == 0:
        return alpha, delta
    for i in range(n):
        b = law[MATRIX + ORDER * ORDER + i]
        known[i] = z[STATE + i] + 0.5 * h * b * z[COMMAND]
        gain[i] = 0.5 * h * b
        for j in range(n):
            known[i] += 0.5 * h * law[MATRIX + i * ORDER + j] * z[STATE + j]
    for target in (known, gain):
        for i in range(n):
            for j in range(n):
                work[i, j] = (1.0 if i == j else 0.0) - 0.5 * h * law[MATRIX + i * ORDER + j]
        solve_small(work, target, n)
    for i in range(n):
        c = law[MATRIX + ORDER * ORDER + ORDER + i]
        alpha += c * known[i]
        delta += c * gain[i]
    return alpha, delta


@njit_part
def disturbance(row, law):
    """Torque beside that of the motor."""
    return row[DISTURBANCE] if law[DISTURBED] > 0.0 else 0.0


@njit_part
def command(offset, kp, kv, limit, alpha, delta, friction, y, v, gy, gv):
    """Command u and torque for a given friction torque; `offset` is u at y = y' = 0."""
    slope = kp * gy + kv * gv
    u = (offset - kp * y - kv * v - slope * (alpha + friction)) / (1.0 + slope * delta)
    if u > limit:
        u = limit
    elif u < -limit:
        u = -limit
    return u, alpha + delta * u + friction


@njit_part
def friction_torque(offset, kp, kv, law, alpha, delta, y, v, vm, gy, gv, gm):
    """Friction torque f with f = -F tanh(v_m / v_s): a falling function meets a rising one, so bisect."""
    size, smooth = law[FRICTION], law[SMOOTH]
    low, high = -size, size
    for _ in range(60):
        f = 0.5 * (low + high)
        tau = command(offset, kp, kv, law[LIMIT], alpha, delta, f, y, v, gy, gv)[1]
        if -size * np.tanh((vm + gm * tau) / smooth) > f:
            low = f
        else:
            high = f
    return 0.5 * (low + high)


@njit_part
def hydraulic_value(row, law, z, h, y, v, alpha, delta):
    """Torque of a cylinder whose valve opens by alpha + delta u, with u from the position loop and its trim.

    Returns torque, d torque / dy, d torque / dv, the command u, both pressures and their rates.
    """
    length, lever, _ = reach(law, y)
    u, slope = row[FORCE] + z[INTEGRAL], 0.0
    if law[H_GAIN] > 0.0:
        u += law[H_GAIN] * (reach(law, row[POSITION])[0] - length)
        slope = -law[H_GAIN] * lever * delta
    if abs(u) > law[LIMIT]:
        u, slope = np.copysign(law[LIMIT], u), 0.0
    tau, by_x, dy, dv, pa, pb, ra, rb = cylinder_torque(law, z, h, alpha + delta * u, y, v)
    return tau, dy + by_x * slope, dv, u, pa, pb, ra, rb


@njit_on_demand(types.float64)
def hydraulic_step(row, law, z, h, y, v, vm, gy, gv, gm, work):
    """`law_step` of a cylinder with pressures: a rising line meets a falling curve, so Newton within a bracket."""
    known, gain = work[0], work[1]
    alpha, delta = actuator_step(law, z, h, known, gain, work[2:])
    low, high, tau, beside = -np.inf, np.inf, z[TORQUE], disturbance(row, law)
    friction, u, pa, pb, ra, rb = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for _ in range(100):
        push, dy, dv, u, pa, pb, ra, rb = hydraulic_value(row, law, z, h, y + gy * tau, v + gv * tau, alpha, delta)
        t = np.tanh((vm + gm * tau) / law[SMOOTH])
        friction = -law[FRICTION] * t
        off = tau - push - friction - beside
        slope = 1.0 - dy * gy - dv * gv + law[FRICTION] * (1.0 - t * t) / law[SMOOTH] * gm
        if off > 0.0:
            high = tau
        else:
            low = tau
        new = tau - off / slope
        if not low < new < high:
            new = 0.5 * (low + high) if np.isfinite(low + high) else tau - off
        done = abs(new - tau) <= 1e-13 * (abs(new) + abs(push))
        tau = new
        if done:
            break
    for i in range(int(law[ACTUATOR_ORDER])):
        z[STATE + i] = known[i] + gain[i] * u
    z[PRESSURE], z[PRESSURE + 1], z[PRESSURE_RATE], z[PRESSURE_RATE + 1] = pa, pb, ra, rb
    z[ERROR], z[COMMAND], z[TORQUE], z[DRAG] = 0.0, u, tau, friction
    return tau


@njit_on_demand(types.UniTuple(types.float64, 3))
def hydraulic_slopes(row, law, z, h, y, v, work):
    """Torque of a cylinder with pressures at the end of a step, d torque / dy and d torque / dv; `z` is not changed."""
    alpha, delta = actuator_step(law, z, h, work[0], work[1], work[2:])
    tau, dy, dv = hydraulic_value(row, law, z, h, y, v, alpha, delta)[:3]
    return tau + disturbance(row, law), dy, dv


@njit_on_demand(types.float64)
def _law_step(row, law, z, h, y, v, vm, gy, gv, gm, work):
    """See `law_step`."""
    if law[HYDRAULIC] > 0.0:
        return hydraulic_step((row, law, z, h, y, v, vm, gy, gv, gm, work))
    known, gain, matrix = work[0], work[1], work[2:]
    own, delta = actuator_step(law, z, h, known, gain, matrix)
    # back-emf is a damper in the motor: all answers to a torque shrink by its share
    ease = 1.0 / (1.0 + delta * law[BACK_EMF] * gm)
    beside = disturbance(row, law)
    alpha, gy, gv, gm = own - delta * law[BACK_EMF] * vm + beside, ease * gy, ease * gv, ease * gm
    held = z[INTEGRAL] + 0.5 * h * z[ERROR]
    kp = row[KP] + 0.5 * h * row[KI]
    kv = row[KV]
    offset = row[FORCE] + row[KP] * row[POSITION] + kv * row[VELOCITY]
    offset += row[KI] * (held + 0.5 * h * row[POSITION])
    friction = 0.0
    if law[FRICTION] > 0.0:
        friction = friction_torque(offset, kp, kv, law, alpha, delta, y, v, vm, gy, gv, gm)
    u, tau = command(offset, kp, kv, law[LIMIT], alpha, delta, friction, y, v, gy, gv)
    entering = u - law[BACK_EMF] * (vm + gm * tau)
    steady = entering
    saturated = abs(u) >= law[LIMIT]
    if abs(ease * tau - friction - beside) > law[TORQUE_LIMIT]:
        # the amplifier gives just what keeps the torque there, and that is the torque itself once it is reached
        steady = np.copysign(law[TORQUE_LIMIT], ease * tau - friction - beside)
        entering = steady if delta == 0.0 else (steady - own) / delta
        saturated = True
        gy, gv, gm, ease = gy / ease, gv / ease, gm / ease, 1.0
        if law[FRICTION] > 0.0:
            friction = friction_torque(offset, kp, kv, law, steady + beside, 0.0, y, v, vm, gy, gv, gm)
        tau = steady + friction + beside
    error = row[POSITION] - (y + gy * tau)
    tau *= ease
    if not (saturated and error * u > 0.0):  # an integrator must not wind up against its limit
        z[INTEGRAL] = held + 0.5 * h * error
    z[ERROR] = error
    for i in range(int(law[ACTUATOR_ORDER])):
        z[STATE + i] = known[i] + gain[i] * entering
    z[COMMAND] = steady
    z[TORQUE] = tau
    z[DRAG] = friction
    return tau


@njit_inside
def law_step(row, law, z, h, y, v, vm, gy, gv, gm, work):
    """Torque at the end of a step of length h; updates the law's state `z`.

    Parameters
    ----------
    row : (7,) drive table row at the end of the step
    law, z : packed parameters and state of this joint
    h : step; 0 re-evaluates law and state at once (after a jump)
    y, v, vm : sensor, its rate and motor rate without this torque; gy, gv, gm : their change per torque
    work : (ORDER + 2, ORDER) scratch
    """
    return _law_step((row, law, z, h, y, v, vm, gy, gv, gm, work))


@njit_on_demand(types.UniTuple(types.float64, 4))
def _drive_value(row, law, z, h, y, v, vm, work):
    """See `drive_value`."""
    if law[HYDRAULIC] > 0.0:
        tau, dy, dv = hydraulic_slopes((row, law, z, h, y, v, work))
        return tau, dy, dv, 0.0
    known, gain, matrix = work[0], work[1], work[2:]
    alpha, delta = actuator_step(law, z, h, known, gain, matrix)
    held = z[INTEGRAL] + 0.5 * h * z[ERROR]
    kp = row[KP] + 0.5 * h * row[KI]
    kv = row[KV]
    u = row[FORCE] + row[KP] * (row[POSITION] - y) + kv * (row[VELOCITY] - v)
    u += row[KI] * (held + 0.5 * h * (row[POSITION] - y))
    slope = 1.0
    if u > law[LIMIT]:
        u, slope = law[LIMIT], 0.0
    elif u < -law[LIMIT]:
        u, slope = -law[LIMIT], 0.0
    tau = alpha + delta * (u - law[BACK_EMF] * vm)
    if abs(tau) > law[TORQUE_LIMIT]:
        return np.copysign(law[TORQUE_LIMIT], tau) + disturbance(row, law), 0.0, 0.0, 0.0
    tau += disturbance(row, law)
    return tau, -slope * delta * kp, -slope * delta * kv, -delta * law[BACK_EMF]


@njit_inside
def drive_value(row, law, z, h, y, v, vm, work):
    """Torque of a law without friction at the end of a step of length h for given readings, and its slopes.

    The state `z` is that at the start of the step and is not changed. Returns torque, d torque / dy, d torque / dv,
    d torque / d vm.
    """
    return _drive_value((row, law, z, h, y, v, vm, work))


ROW, NUMBER, TABLE = types.float64[::1], types.float64, types.float64[:, ::1]


def load_laws() -> None:
    """Make the kernels of joint laws ready; prescribed motions never call them."""
    _law_step.load(ROW, ROW, ROW, *[NUMBER] * 7, TABLE)
    _drive_value.load(ROW, ROW, ROW, *[NUMBER] * 4, TABLE)


def load_hydraulics() -> None:
    """Make the kernels of cylinders with pressures ready; laws of other drives never call them."""
    hydraulic_step.load(ROW, ROW, ROW, *[NUMBER] * 7, TABLE)
    hydraulic_slopes.load(ROW, ROW, ROW, *[NUMBER] * 3, TABLE)


@njit_inside
def law_value(row, law, z, h, y, v, vm, work):
    """`drive_value` with regularised friction on top. Returns torque, d torque / dy, d torque / dv, d torque / d vm."""
    tau, dy, dv, dm = drive_value(row, law, z, h, y, v, vm, work)
    friction, friction_slope = smooth_friction(law, vm)
    return tau + friction, dy, dv, dm + friction_slope


@njit_part
def smooth_friction(law, vm):
    """Regularised friction -F tanh(vm / v_s) at the rate vm of the motor, and its slope."""
    if law[FRICTION] <= 0.0:
        return 0.0, 0.0
    t = np.tanh(vm / law[SMOOTH])
    return -law[FRICTION] * t, -law[FRICTION] * (1.0 - t * t) / law[SMOOTH]


@njit_part
def rub(law, rate, gain, friction):
    """Friction torque f = -F tanh(v / v_s) where v = rate + gain (f - friction): a rising line meets a falling curve."""
    size = law[FRICTION]
    low, high = -size, size
    for _ in range(60):
        f = 0.5 * (low + high)
        if -size * np.tanh((rate + gain * (f - friction)) / law[SMOOTH]) > f:
            low = f
        else:
            high = f
    return 0.5 * (low + high)


@njit_part
def held_friction(law, rate, pull, gain):
    """Friction after a jump: what keeps a motor that stands still at rest, as far as it can; else that of its rate.

    pull : acceleration without friction; gain : acceleration per torque
    """
    size = law[FRICTION]
    if abs(rate) > 3.0 * law[SMOOTH]:
        return -size * np.tanh(rate / law[SMOOTH])
    return max(-size, min(size, -pull / gain))


@njit_inside
def law_accept(row, law, z, h, y, v, vm, work):
    """Take over the state of a law at the end of a step whose readings are known; returns the torque."""
    return law_step(row, law, z, h, y, v, vm, 0.0, 0.0, 0.0, work)
