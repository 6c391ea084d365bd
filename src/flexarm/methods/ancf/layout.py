"""How the numbers of the arm lie in memory; shared by model and kernels.

The state vector is x = [q | v | frame | sums | a | A | f | slide | kept] for `size` unknowns and `links` links:
positions, velocities; angles and torques of every joint; sums kept inside the step; accelerations, and those of the
time scheme; forces with inertia at the last step point; stretch of sections that follow a command; the factored tangent
that modified Newton steps share, with the columns of chord laws.
"""

from __future__ import annotations

from typing import Any, NamedTuple

CABLE, SHEAR, CONTINUUM, INVARIANT = range(4)
"""Kinds of element: no shear; shear angle; continuum by quadrature; continuum by constant matrices."""

(
    BASE, TIP, CHORD, JOINT, JOINT_RATE, TORQUE, DRIVE, DRAG, MOTOR, MOTOR_RATE,
) = range(10)  # fmt: skip
FRAME = 10
"""Rows of the frame, each of length `links`: unwound absolute angles of first section, last section and chord; position
and rate of the joint; torque through the joint, of the motor, of friction; motor position and rate."""

(
    WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER, TANGENTS, SCALE, STEPS, STRUCK, MADE,
) = range(12)  # fmt: skip
SUMS = 12
"""Work of the drives, losses, energy that the scheme made, stored energy (J); iterations, steps taken in parts, power
of damping (W), tangents made, largest kinetic energy or work so far (J), steps, 1 after an impact; step for which the
kept tangent was made (0: none)."""

SLIDE = 4
"""Rows of slide, each of length `links`: stretch of a commanded first section, rate, acceleration, scheme's one."""

(
    P_BETA, P_GAMMA, P_AM, P_AF, P_TOLERANCE, P_LENGTH, P_CONTROL, P_ENERGY, P_FLOOR, P_STEP,
) = range(10)  # fmt: skip
P_SIZE = 10
"""Numbers of the time scheme, tolerance, reach, local error and energy error that are allowed, least energy (J) that
counts, step (s) that follows a fresh start."""

I_LINKS, I_ITERATIONS, I_SOLVER, I_CONSERVING, I_CHORDS, I_SPRINGS, I_FIXED = range(7)
"""Integers of a model; from I_FIXED on the places whose unknown does not move."""
NEWTON, MODIFIED, BROYDEN = range(3)

(
    J_B, J_A, J_PSI, J_MOVED, J_SPRING, J_ACTS, J_CHANNEL, J_SENSE, J_COMMAND, J_ROOT, J_END, J_PATH,
) = range(12)  # fmt: skip
J_SIZE = 12
"""Places in q of: vector of the link's first section, of the section before it (-1: ground), motor angle (-1: none);
whether the section follows a command; whether a spring acts; whether a law or torque acts; channel (-1: fixed joint);
sensor; whether the motor side follows a command; places of the link's ends; 1 if the sensor is a chord."""
HUB_SENSOR, MOTOR_SENSOR, CHORD_SENSOR = range(3)

K_SPRING, K_DAMPER, K_START, K_ROTOR, K_OFFSET, K_TURN, K_LAW = range(7)
"""Spring, damper, start angle, rotor inertia that turns with a command; angle between the first section's vector and the
link's axis, and the same less that of the section before; then the packed law."""

E_RX, E_LAST, E_RY, E_KIND, E_LINK = 1, 2, 4, 6, 7
"""Columns of an element: places of r, r_x at both ends, then r_y at both ends (-1: cable); its kind; its link."""
(
    F_LENGTH, F_BETA, F_AXIAL, F_SHEAR, F_BEND, F_THICK, F_SLOPE, F_CURVE, F_SIZE,
) = 0, 1, 2, 5, 7, 9, 11, 31, 39  # fmt: skip
"""Figures of an element: length, Kelvin-Voigt time; stiffness times weight: axial (3), shear (2), bending (2),
thickness (2); first derivatives of the Hermite polynomials at 3 Lobatto and 2 Gauss points, second ones at the latter."""
GRAM, POINT, POINT_STIFF = 22, 15, 12
"""Rows of the continuum's block (37, 21): constant matrix and vector of the energy in scalar products; then the points,
each with 12 derivatives of r by the six vectors and 3 numbers stiffness times weight."""

# rows of the scratch
ROW_E, ROW_D, ROW_F, ROW_K, ROW_KZ, ROW_POINTS, EL_ROWS = 0, 1, 2, 3, 15, 25, 69
(
    V_OLD, V_RATE, V_FORCE, V_RESIDUAL, V_RAW, V_LOAD, V_BEFORE, V_MIDDLE, V_PAIRS, V_CHORD,
) = 0, 1, 2, 3, 4, 5, 6, 7, 8, 20  # fmt: skip
S_READ, S_TORQUE, S_GRADIENT, S_BEND, S_PLACES, S_SPEEDS, S_CHORD, S_DY, S_DV = 0, 1, 2, 3, 4, 7, 10, 11, 12
S_WORK, S_SLIDE, S_LAW, S_CAP = 13, 14, 17, 23


class Arm(NamedTuple):
    """Constant arrays of a model, as the kernels read them."""

    elem: Any
    """(elements, 8) integers, see E_RX."""
    fig: Any
    """(elements, F_SIZE)"""
    paper: Any
    """(elements, 37, 21) of the continuum element; one block that nobody reads for the others."""
    mass: Any
    """(diagonals, size + 1) diagonals of the mass matrix that are not zero, from the main one up; last their offset."""
    weight: Any
    joint: Any
    jfig: Any
    par: Any
    ip: Any
    patch: Any
    """(patches, 19) channel, kind, places and weights of the vectors, see `loads`."""
    body: Any
    """(bodies, 10) what is rigid and turns with a section, see `bodies`."""


class Work(NamedTuple):
    """Scratch arrays of a model."""

    el: Any
    """(EL_ROWS, 24) of an element: its vectors, rates and forces, tangent, point matrices."""
    vec: Any
    """(V_CHORD + links, size) vectors; from V_PAIRS on the steps of Broyden's method, then the directions of chord laws."""
    band: Any
    small: Any
    """(S_CAP + links, links or more) of the joints: angles, slopes, laws; matrix of the chord laws."""
    rows: Any
    """(3, channels, 7) drive rows at the start of a step, at its end, midway."""
    keep: Any
    """State and laws at the start of a step."""
