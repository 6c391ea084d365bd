"""How the numbers of the finite-difference arm lie in memory; shared by models and kernels.

Coordinates q, length n + 4 + lumps for n sections:

    q[MOTOR]      motor angle (= hub angle when the joint has no spring), rad
    q[HUB]        hub angle: slope of the link at x = 0, rad
    q[NODE + i]   transverse displacement y_i of node i = 0 .. n, measured from the world x axis, m
    q[NODE+n+1]   slope at the tip, rad
    q[NODE+n+2+l] slope of lump l with rotary inertia inside the link, rad

The state vector is x = [q | v | sums | a | d]: positions, velocities, sums kept inside the step, accelerations, and
the damping forces of the last step (leapfrog) or modal coordinates (exact scheme).
"""

MOTOR, HUB, NODE = 0, 1, 2

# rows of the coefficient table, each as long as q, aligned with q
BENDING, TENSION, LOAD, INVERSE_MASS, KICK = range(5)
"""EI/dx^2 per node (twice that at the ends), axial force / dx right of the node, gravity force, 1 / mass,
1 / (mass dx)."""

# sums kept inside the step
(
    WORK, LOST, NUMERICAL, NUMERICAL_BASE, TIP_LOW, TIP_HIGH, BEND_LOW, BEND_HIGH, TORQUE, REACTION, DRIVE_TORQUE,
    DRAG, IMPULSE, ROOT_LOAD, ROOT_MOMENT, ROOT_RATE, TIP_LOAD, TIP_MOMENT, TIP_RATE, START_STEPS,
) = range(20)  # fmt: skip
SUMS = 20
"""Work of the drives, loss by damping and friction, energy error of the scheme and its base (J); least and largest
tip travel and deflection so far (m); torque through the joint, reaction of a prescribed motion without inertia,
torque of the motor, friction (N m) at the end of the step; angular impulse given so far (N m s). For an end whose
slope is no coordinate: moment that its half cell has to carry, the elastic part of it and that part's rate (N m, N m/s).
Soft steps still to be taken after a jump (newmark)."""

# scalar parameters of the kernels
(
    P_DX, P_ETA, P_SPRING, P_DAMPER, P_TIP_LOAD, P_TIP_STIFFNESS, P_PAIR00, P_PAIR01, P_PAIR11, P_LENGTH, P_ROTOR,
    P_DRIVE_MASS, P_SCALE, P_SENSE, P_ROOT_INERTIA, P_TIP_INERTIA, P_TIP_STATIC,
) = range(17)  # fmt: skip
P_SIZE = 17
"""P_PAIR..: inverse of the 2 x 2 mass of two coupled coordinates. P_SCALE: value of the driven coordinate per rad of
its angle; P_DRIVE_MASS: its inertia about the joint. P_SENSE: reading of the sensor per unit of its coordinate.
P_ROOT_INERTIA, P_TIP_INERTIA, P_TIP_STATIC: rotary inertia that turns with an end whose slope is no coordinate, and the
payload's mass times its offset."""

# integer parameters of the kernels
(
    I_N, I_HUB_STATE, I_TIP_STATE, I_SPRING, I_DRIVE, I_MOTION, I_LAW, I_SENSE, I_PAIR, I_PATCHES, I_GRAVITY, I_PAPER,
    I_COUNT, I_LUMPS, I_ROOT_CELL, I_TIP_CELL, I_SOFT,
) = range(17)  # fmt: skip
I_SIZE = 17
"""I_DRIVE: the coordinate that the motor moves: motor, hub, or node 1 where the hub is no coordinate (a torque is then
a force torque / dx). I_MOTION: it follows a given motion. I_SENSE: the sensor's coordinate. I_PAIR: first of two
coordinates that are coupled by mass, -1 if there are none. I_COUNT: length of q. I_ROOT_CELL, I_TIP_CELL: the moment
of the end's half cell is carried in the sums. I_SOFT: something damps, so jumps need soft steps (newmark)."""

# rows of the patch table, per patch
PATCH_MOMENT, PATCH_FORCE, PATCH_STROKE = range(3)
"""Share of the node's cell that the patch covers, force on the nodes, displacement on which the patch works."""

# columns of the lump table, per lump: joint stiffness, then coordinates and weights of the slope it hangs on
LUMP_STIFFNESS, LUMP_PLACE, LUMP_WEIGHT = 0, 1, 6
LUMP_POINTS = 5
LUMP_SIZE = 11
