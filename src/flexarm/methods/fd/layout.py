"""How the numbers of the finite-difference arm lie in memory; shared by models and kernels.

Coordinates q, length N = n + 4 + lumps for n sections:

    q[MOTOR]      motor angle (= hub angle when the joint has no spring), rad
    q[HUB]        hub angle: slope of the link at x = 0, rad
    q[NODE + i]   transverse displacement y_i of node i = 0 .. n, measured from the world x axis, m
    q[NODE+n+1]   slope at the tip, rad
    q[NODE+n+2+l] slope of lump l with rotary inertia inside the link, rad

The state vector is x = [q | v | sums | a | d]: positions, velocities, sums carried through the steps, accelerations, and
the damping moments of the last step (leapfrog); in the exact scheme a and d are modal positions and velocities. A record
is [q | v | sums].
"""

from __future__ import annotations

import numpy as np

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit_inline

MOTOR, HUB, NODE = 0, 1, 2

# sums carried through the steps
(
    WORK, LOST, NUMERICAL, NUMERICAL_BASE, TIP_LOW, TIP_HIGH, BEND_LOW, BEND_HIGH, TORQUE, REACTION, DRIVE_TORQUE,
    DRAG, IMPULSE, ROOT_LOAD, ROOT_MOMENT, ROOT_RATE, TIP_LOAD, TIP_MOMENT, TIP_RATE, START_STEPS,
) = range(20)  # fmt: skip
PATCHES = 20
"""Work of the drives, loss by damping and friction, energy error of the scheme and its base (J); least and largest
tip travel and deflection so far (m); torque through the joint, reaction of a prescribed motion without inertia,
torque of the motor, friction (N m) at the end of the step; angular impulse given so far (N m s). For an end whose
slope is no coordinate: moment that its half cell has to carry, the elastic part of it and that part's rate (N m, N m/s).
L-stable starting steps still to be taken after a discontinuity (newmark). From PATCHES on the amplitudes of the patches,
as far as records show them."""

LUMP_POINTS = 5
"""Coordinates that the slope of the nodes at a lump depends on, at most."""

# shapes of the load within an exact step: 1 - s, s, s (1 - s), s (1 - s) (1 - 2 s)
START, END, EVEN, ODD = range(4)


@njit_inline
def parts(x, arm):
    """Views q, v, sums, a, d of the state vector."""
    size = arm.size
    a = 2 * size + PATCHES + arm.patches
    d = a + size
    return x[:size], x[size : 2 * size], x[2 * size : a], x[a:d], x[d : d + size]


class Arm(Bundle):
    """Constants of the arm on its grid, aligned with q where the length is N."""

    bending: np.ndarray
    """EI/dx^2 per node, twice that at the ends, (N,)."""
    tension: np.ndarray
    """Axial force / dx right of the node, (N,)."""
    load: np.ndarray
    """Force of gravity, (N,)."""
    inverse_mass: np.ndarray
    """1 / mass, 0 where nothing is free, (N,)."""
    kick: np.ndarray
    """1 / (mass dx), (N,)."""
    pair_inverse: np.ndarray
    """Inverse of the mass of two coupled coordinates, (2, 2)."""
    patch_moment: np.ndarray
    """Share of each node's cell that a patch covers, (patches, N)."""
    patch_force: np.ndarray
    """Force of a patch on the nodes, (patches, N)."""
    patch_stroke: np.ndarray
    """Displacement on which a patch works, (patches, N)."""
    lump_stiffness: np.ndarray
    """Between a lump's slope and that of the nodes, (lumps,)."""
    lump_place: np.ndarray
    """Coordinates that the slope of the nodes at a lump depends on, (lumps, LUMP_POINTS)."""
    lump_weight: np.ndarray
    """Their weights, (lumps, LUMP_POINTS)."""
    law: np.ndarray
    """Packed joint law (see `flexarm.numerics.law_rows`), (1, LAW_SIZE)."""
    dx: float
    length: float
    eta: float
    """Kelvin-Voigt time, s."""
    spring: float
    damper: float
    tip_load: float
    """Constant couple of an offset payload's weight."""
    tip_stiffness: float
    """The same couple per rotation."""
    rotor: float
    """Inertia of a rotor that turns with the hub."""
    drive_mass: float
    """Inertia of the driven coordinate about the joint."""
    scale: float
    """Value of the driven coordinate per rad."""
    sense_gain: float
    """Reading of the sensor per unit of its coordinate."""
    root_inertia: float
    """Rotary inertia that turns with a root whose slope is no coordinate."""
    tip_inertia: float
    """The same at the tip."""
    tip_static: float
    """Mass of the payload times its offset along the link."""
    n: int
    size: int
    """N."""
    patches: int
    lumps: int
    hub_state: int
    """1: the slope at the root is a coordinate."""
    tip_state: int
    """1: the slope at the tip is a coordinate."""
    flexible_joint: int
    drive: int
    """Coordinate that the motor moves: motor, hub, or node 1 where the hub is no coordinate (a torque is then a force
    torque / dx)."""
    prescribed: int
    """1: it follows a given motion."""
    law_acts: int
    sense: int
    """Coordinate of the law's sensor."""
    pair: int
    """First of two coordinates that are coupled by mass, -1 if there are none."""
    gravity: int
    paper: int
    """1: one-sided closure of the report."""
    root_cell: int
    """1: the moment of the root's half cell is carried in the sums."""
    tip_cell: int
    """The same at the tip."""
    starting_steps: int
    """L-stable steps after a discontinuity (newmark), 0 where nothing damps."""


class Workspace(Bundle):
    """Scratch of leapfrog and newmark; nothing in it outlives a call."""

    amplitude: np.ndarray
    """Of the patches, (patches,)."""
    moments: np.ndarray
    damping_moments: np.ndarray
    """Part of the moments by the rate of curvature; from place n + 1 on the damping couples of lumps."""
    forces: np.ndarray
    mean: np.ndarray
    """Mean velocity of a step."""
    rhs: np.ndarray
    """Accelerations of the free coordinates."""
    other: np.ndarray
    """Positions of every second step of the plain loop."""
    half_rate: np.ndarray
    """Velocities of its half steps."""
    law: np.ndarray
    """For `law_step`, (ORDER + 2, ORDER)."""
    start_x: np.ndarray
    """State vector at the start of a march."""
    start_z: np.ndarray
    """States of the law there, (1, Z_SIZE)."""


class Factors(Bundle):
    """``M + per_rate C + per_position K`` of the free coordinates, factored, for an implicit stage."""

    band: np.ndarray
    reply: np.ndarray
    """Accelerations per unit torque, (free,)."""
    free: np.ndarray
    """Indices of the free coordinates."""
    place: np.ndarray
    """Inverse map, (N,)."""
    per_position: float
    """Change of position per acceleration of the stage."""
    per_rate: float
    """Change of velocity per acceleration of the stage."""


class Stages(Bundle):
    """What the two-stage starting steps need besides their factors."""

    order: np.ndarray
    """Indices of all moving coordinates, (moving,)."""
    stiffness: np.ndarray
    """Band of K over them."""
    mass: np.ndarray
    """Band of M over them."""
    q0: np.ndarray
    v0: np.ndarray
    v1: np.ndarray
    a1: np.ndarray
    slope: np.ndarray
    rate: np.ndarray
    product: np.ndarray
    """(2, N)."""
    z: np.ndarray
    """State of the law at the first stage, (1, Z_SIZE)."""
    row: np.ndarray
    """Drives at the first stage, (channels, 7)."""


class Consistency(Bundle):
    """What `newmark.restart` needs: factored mass, and the balance of a coordinate without mass."""

    mass: np.ndarray
    """Band of the factored mass of the free coordinates (1 for a massless one)."""
    stiffness: np.ndarray
    """Row of K of the massless coordinate, (N,)."""
    damping: np.ndarray
    """Row of C of it, (N,)."""
    load: float
    massless: int
    """Its index, -1 if there is none."""


class Modal(Bundle):
    """The arm in m modes of the grid, for the exact scheme; arrays (m,) unless said otherwise."""

    square: np.ndarray
    """Squared frequency."""
    damping: np.ndarray
    torque: np.ndarray
    """Load per torque."""
    participation: np.ndarray
    """Load per angular acceleration of the prescribed motion."""
    load: np.ndarray
    """Constant load."""
    angle: np.ndarray
    """Driven angle."""
    sense: np.ndarray
    """Reading of the law's sensor."""
    reaction: np.ndarray
    """Reaction of the prescribed motion."""
    tip: np.ndarray
    """Tip travel."""
    bend: np.ndarray
    """Tip deflection."""
    patch: np.ndarray
    """Load per patch amplitude, (patches, m)."""
    shapes: np.ndarray
    """(m, N)."""
    influence: np.ndarray
    """All coordinates per angle of the prescribed motion, (N,)."""
    fixed: np.ndarray
    """Constant part of them, (N,)."""
    patch_angle: np.ndarray
    """Stroke of the patches per angle of the prescribed motion, (patches,)."""
    patch_reaction: np.ndarray
    """Their direct part of its reaction, (patches,)."""
    transition: np.ndarray
    """Position and rate after a step from those before it, (2, 2, m)."""
    by_load: np.ndarray
    """The same from the shapes START .. ODD of the load, (4, 2, m)."""
    moments: np.ndarray
    """Integrals of the rate times the last three shapes (see `flexarm.numerics.oscillator`), (m, 3, 5)."""
    gram: np.ndarray
    """Integrals of the squared rate, (m, 5, 5)."""
    push: np.ndarray
    """Load at the end of the step."""
    old_push: np.ndarray
    old_position: np.ndarray
    old_rate: np.ndarray
    acceleration: np.ndarray
    """Of the grid, (N,)."""
    reaction_angle: float
    """Reaction per angle of the prescribed motion."""
    reaction_load: float
    """Constant part of it."""
    tip_angle: float
    """Tip travel per angle of the prescribed motion."""
    tip_fixed: float
    bend_angle: float
    """Tip deflection per angle of the prescribed motion."""
    bend_fixed: float
    bend_root: float
    """Tip deflection per root moment of a massless hub."""


class Explicit(Bundle):
    """All that leapfrog reads."""

    arm: Arm
    ws: Workspace


class Implicit(Bundle):
    """All that newmark reads; `average` and `starting` are the factors of its two kinds of steps."""

    arm: Arm
    ws: Workspace
    average: Factors
    starting: Factors
    stages: Stages
    consistency: Consistency


class Spectral(Bundle):
    """All that the exact scheme reads."""

    arm: Arm
    ws: Workspace
    modal: Modal
