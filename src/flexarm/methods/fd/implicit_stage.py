"""One implicit stage, shared by average acceleration and the starting steps.

From predicted positions q and velocities v the accelerations follow from

    (M + c_v C + c_q K) a = f(q, v) + b tau,        then  q += c_q a,  v += c_v a,

with the constants c_q, c_v of the stage. A joint law is solved with it: its torque tau acts through ``reply``, the
response of the factored system to a unit torque (Woodbury), so gains may change at no cost.

Equations: F26, F27.
"""

from __future__ import annotations

from flexarm.methods.fd.forces import forces, set_amplitudes
from flexarm.numerics import law_rows
from flexarm.numerics.band import solve
from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import law_step


@njit_part
def law_torque(q, v, z, row, span, arm, ws, factors):
    """Torque of the law at the end of the stage; `span` is the time since its state z.

    The right-hand side in the workspace holds the accelerations without that torque.
    """
    k, c, scale, sense, cq, cv = arm.drive, arm.sense, arm.scale, arm.sense_gain, factors.per_position, factors.per_rate
    sensed, driven, a, reply = factors.place[c], factors.place[k], ws.rhs, factors.reply
    y = sense * (q[c] + cq * a[sensed])
    rate = sense * (v[c] + cv * a[sensed])
    turning = (v[k] + cv * a[driven]) / scale
    gy = sense * cq * reply[sensed]
    gv = sense * cv * reply[sensed]
    gm = cv * reply[driven] / scale
    return law_step(row[0], arm.law[0], z[0], span, y, rate, turning, gy, gv, gm, ws.law)


@njit_part
def implicit_stage(q, v, a, z, row, span, arm, ws, factors):
    """The stage in place, accelerations into a; `span` is the time since the state z of the law. Returns the torque."""
    free, rhs, f, drive, scale, tau = factors.free, ws.rhs, ws.forces, arm.drive, arm.scale, 0.0
    count, cq, cv = free.shape[0], factors.per_position, factors.per_rate
    if arm.prescribed:
        q[drive], v[drive] = scale * row[0, law_rows.POSITION], scale * row[0, law_rows.VELOCITY]
    set_amplitudes(row, arm, ws)
    forces(q, v, arm, ws)
    if not arm.prescribed and not arm.law_acts:
        tau = row[0, law_rows.FORCE]
        f[drive] += tau / scale
    for i in range(count):
        rhs[i] = f[free[i]]
    solve(factors.band, rhs[:count])
    if arm.law_acts:
        tau = law_torque(q, v, z, row, span, arm, ws, factors)
        for i in range(count):
            rhs[i] += factors.reply[i] * tau
    for i in range(count):
        j = free[i]
        a[j] = rhs[i]
        q[j] += cq * a[j]
        v[j] += cv * a[j]
    return tau
