"""A cylinder whose pressures are states: they answer to the valve and to the load within the same step.

Legend: l length of the cylinder over the joint's position y, w = l' y' its speed, x opening of the valve (-1 to 1),
A the chamber that pushes l longer. For each chamber, with V its volume and q = K x root(drop) through the valve,

    p' = beta/V (q - leak (p - p_other) -+ A w),     tau = (A_a p_a - A_b p_b - b w + stops) dl/dy .

Pressures follow the trapezoidal rule, given y and y' at the end of the step, and so does the torque with its slopes.
"""

from __future__ import annotations

import math

from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.law_rows import (
    H_AREA_A,
    H_AREA_B,
    H_BULK,
    H_DEAD,
    H_DRAG,
    H_FLOW,
    H_LEAK,
    H_LEVER,
    H_LONG,
    H_PHASE,
    H_PRODUCT,
    H_SHORT,
    H_SQUARES,
    H_STOP,
    H_SUPPLY,
    H_TANK,
    PRESSURE,
    PRESSURE_RATE,
)

SOFT = 1e-4
"""Share of the supply pressure below which the flow over a valve edge is laminar, so that its slope stays finite."""
CHECK = 1e-5
"""Opening of the check valve per Pa below zero pressure: it lets oil in from the tank instead of a vacuum."""
ABSORB = 2.0
"""Share of a stop's force that is added per m/s of approach: what it takes out of a blow."""


@njit
def reach(law, y):
    """Length of the cylinder, its slope and its curvature over the joint's position y."""
    if law[H_PRODUCT] == 0.0:
        return law[H_LEVER] * y, law[H_LEVER], 0.0
    half = 0.5 * law[H_PRODUCT]
    c, s = math.cos(y + law[H_PHASE]), math.sin(y + law[H_PHASE])
    length = math.sqrt(law[H_SQUARES] - 2.0 * half * c)
    slope = half * s / length
    return length, slope, (half * c - slope * slope) / length


@njit_part
def edge(law, drop):
    """Flow over an edge of the fully opened valve and its slope over the pressure drop."""
    soft = SOFT * law[H_SUPPLY]
    wide = drop * drop + soft * soft
    fourth = math.sqrt(math.sqrt(wide))
    return law[H_FLOW] * drop / fourth, law[H_FLOW] * (0.5 * drop * drop + soft * soft) / (fourth * wide)


@njit
def chamber(law, side, opening, length, speed, p, other):
    """Rate of the pressure p, and its slopes over p, the other pressure, opening, length and speed.

    side : 1.0 for the chamber that pushes longer, -1.0 for the other one
    """
    area = law[H_AREA_A] if side > 0.0 else law[H_AREA_B]
    room = length - law[H_SHORT] if side > 0.0 else law[H_LONG] - length
    growth = side * area
    if room < 0.0:
        room, growth = 0.0, 0.0
    stiffness = law[H_BULK] / (law[H_DEAD] + area * room)
    opened = side * opening
    if opened >= 0.0:
        flow, slope = edge(law, law[H_SUPPLY] - p)
        slope = -slope
    else:
        flow, slope = edge(law, p - law[H_TANK])
    net = opened * flow - law[H_LEAK] * (p - other) - side * area * speed
    own = opened * slope - law[H_LEAK]
    if p < 0.0:
        suck = CHECK * edge(law, law[H_SUPPLY])[0]
        net -= suck * p
        own -= suck
    by_length = -growth * stiffness * stiffness / law[H_BULK] * net
    return (
        stiffness * net,
        stiffness * own,
        stiffness * law[H_LEAK],
        stiffness * side * flow,
        by_length,
        -stiffness * side * area,
    )


@njit_part
def stops(law, length, speed):
    """Force of the end stops and its slopes over length and speed; none on the way back out."""
    over = length - law[H_LONG]
    sign = 1.0
    if over <= 0.0:
        over = law[H_SHORT] - length
        sign = -1.0
    share = 1.0 + ABSORB * sign * speed
    if over <= 0.0 or share <= 0.0:
        return 0.0, 0.0, 0.0
    return -sign * law[H_STOP] * over * share, -law[H_STOP] * share, -law[H_STOP] * over * ABSORB


@njit
def cylinder_torque(law, z, h, opening, y, v):
    """Torque at the end of a step of length h for given opening, position and rate of the joint there.

    Returns torque, its slopes over opening, y and v, then both pressures and their rates. `z` is the state at the start.
    """
    length, lever, bend = reach(law, y)
    speed, g = lever * v, 0.5 * h
    start_a = z[PRESSURE] + g * z[PRESSURE_RATE]
    start_b = z[PRESSURE + 1] + g * z[PRESSURE_RATE + 1]
    pa, pb = z[PRESSURE], z[PRESSURE + 1]
    for _ in range(40):
        a, a_a, a_b, a_x, a_l, a_w = chamber(law, 1.0, opening, length, speed, pa, pb)
        b, b_b, b_a, b_x, b_l, b_w = chamber(law, -1.0, opening, length, speed, pb, pa)
        m11, m12, m21, m22 = 1.0 - g * a_a, -g * a_b, -g * b_a, 1.0 - g * b_b
        det = m11 * m22 - m12 * m21
        off_a, off_b = pa - start_a - g * a, pb - start_b - g * b
        if h == 0.0:
            break
        change_a, change_b = (m22 * off_a - m12 * off_b) / det, (m11 * off_b - m21 * off_a) / det
        pa, pb = pa - change_a, pb - change_b
        if abs(change_a) + abs(change_b) <= 1e-13 * law[H_SUPPLY]:
            a, b = (pa - start_a) / g, (pb - start_b) / g
            break
    big, small, scale = law[H_AREA_A], law[H_AREA_B], g / det
    by_a, by_b = scale * (big * m22 + small * m21), -scale * (big * m12 + small * m11)
    stop, stop_l, stop_w = stops(law, length, speed)
    force = big * pa - small * pb - law[H_DRAG] * speed + stop
    by_x = by_a * a_x + by_b * b_x
    by_l = by_a * a_l + by_b * b_l + stop_l
    by_w = by_a * a_w + by_b * b_w - law[H_DRAG] + stop_w
    by_y = (by_l * lever + by_w * bend * v) * lever + force * bend
    return force * lever, by_x * lever, by_y, by_w * lever * lever, pa, pb, a, b
