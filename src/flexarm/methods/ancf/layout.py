"""How the numbers of the arm lie in memory; shared by model and kernels.

The state vector is x = [q | v | frame | sums | a | A | fc | fd | slide | kept] for `size` unknowns and `links` links:
positions, velocities; angles and torques of every joint; sums kept inside the step; accelerations, and those of the
time scheme; conservative (with inertia) and damping forces of the last step point; stretch of sections that follow a
command; the factored tangent that modified Newton steps share.
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

WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER, TANGENTS, SCALE, STEPS, STRUCK = range(11)
SUMS = 11
"""Work of the drives, losses, energy that the scheme made, stored energy (J); iterations, steps taken in parts, power
of damping (W), tangents made, largest kinetic energy or work so far (J), steps, 1 after an impact."""

SLIDE = 4
"""Rows of slide, each of length `links`: stretch of a commanded first section, rate, acceleration, scheme's one."""

(
    P_BETA, P_GAMMA, P_AM, P_AF, P_TOLERANCE, P_LENGTH, P_CONTROL, P_ENERGY, P_FLOOR,
) = range(9)  # fmt: skip
P_SIZE = 9
"""Numbers of the time scheme, tolerance, reach, local error and energy error that are allowed, least energy (J) that
counts."""

I_LINKS, I_ITERATIONS, I_SOLVER, I_CONSERVING, I_CHORDS, I_SPRINGS = range(6)
NEWTON, MODIFIED, BROYDEN = range(3)

(
    J_B, J_A, J_PSI, J_MOVED, J_SPRING, J_ACTS, J_CHANNEL, J_SENSE, J_COMMAND, J_ROOT, J_END, J_PATH,
) = range(12)  # fmt: skip
J_SIZE = 12
"""Places in q of: vector of the link's first section, of the section before it (-1: ground), motor angle (-1: none);
whether the section follows a command; whether a spring acts; whether a law or torque acts; channel (-1: fixed joint);
sensor; whether the motor side follows a command; places of the link's ends; 1 if the sensor is a chord."""
HUB_SENSOR, MOTOR_SENSOR, CHORD_SENSOR = range(3)

K_SPRING, K_DAMPER, K_START, K_ROTOR, K_OFFSET, K_TURN = range(6)
K_SIZE = 6
"""Spring, damper, start angle, rotor inertia that turns with a command; angle between the first section's vector and the
link's axis, and the same less that of the section before."""


class Arm(NamedTuple):
    """Constant arrays of a model, as the kernels read them."""

    con: Any
    """(elements, 6) places in q of r, r_x at both ends, then r_y at both ends (-1: cable)."""
    kind: Any
    owner: Any
    length: Any
    hp: Any
    """(links, 5, 4) first derivatives of the Hermite polynomials at 3 Lobatto and 2 Gauss points."""
    hpp: Any
    """(links, 2, 4) second derivatives at the Gauss points."""
    fig: Any
    """(elements, 9) stiffness times weight: axial (3), shear (2), bending (2), thickness (2)."""
    beta: Any
    """(elements,) Kelvin-Voigt time."""
    cfig: Any
    """(elements, 15, 3) continuum: stiffness times weight of sum, difference and shear strain."""
    cshape: Any
    """(elements, 15, 12) continuum: derivatives of r along x and y by the six vectors."""
    gram: Any
    """(elements, 22, 21) continuum: constant matrix and vector of the energy in scalar products."""
    mass: Any
    weight: Any
    fixed: Any
    """Places whose unknown does not move."""
    joint: Any
    jfig: Any
    law: Any
    par: Any
    ip: Any
    patch: Any
    """(patches, 3) channel, element, kind."""
    patch_fig: Any
    """(patches, 12) weights of the section's vectors and of the point."""


class Work(NamedTuple):
    """Scratch arrays of a model."""

    e: Any
    """(6, 12) element positions, rates, forces."""
    K: Any
    """(12, 12) element tangent."""
    Kz: Any
    """(10, 12) tangent in node shear angles; last two columns belong to damping."""
    D: Any
    """(21, 12) and smaller: point matrices."""
    vec: Any
    """(8 + links, size) vectors."""
    pairs: Any
    """(12, size) steps of Broyden's method."""
    band: Any
    small: Any
    """(12, links or more) joint scratch."""
    cap: Any
    """(links, links) matrix of the chord laws."""
    law: Any
    rows: Any
    """(channels, 7) drive row at the start of a step; `inner` at its end, `half` midway."""
    inner: Any
    half: Any
    slide: Any
    """(4, links) stretches at the start and midway."""
    keep: Any
    keep_z: Any
