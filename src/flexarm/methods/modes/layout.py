"""How the numbers of the modal arm lie in memory; shared by model and kernels.

The state vector is x = [q | v | a | lambda | joint | sums] for `size` coordinates, `rows` loop equations and `links`
links. Coordinates that the equations of motion decide come first, prescribed ones last.
"""

# columns of the body table, integers
PARENT, POINT, COORDINATE, FIRST, COUNT = range(5)
"""Carrying body (-1: ground), point on it (-1: origin), coordinate of the joint (-1: welded), first modal coordinate and
number of modal coordinates."""

# columns of the body figures
MASS, MOMENT_X, MOMENT_Y, INERTIA, ANGLE = range(5)
"""Mass, first moment, inertia about the root, constant angle of the joint."""

# rows of the modal integrals of a body, each over the modal coordinates
NX, NY, C, P, SLOPE, BLOCKS = range(6)
"""First moment of the shapes, r.s, r x s, slope of the shapes at the root; then square blocks:"""
B_M, B_MASS, B_G, B_HX, B_HY, B_D, B_G2 = range(7)
BLOCK_COUNT = 7
"""Translational mass, whole mass, s x s, second-order first moment in x and y, r.H, r x H."""

# rows of a point
S_X, S_Y, S_SLOPE, S_BLOCKS = range(4)
"""Shapes at the point in x and y, slope of its section; then the second-order blocks of x and y."""

# kinematics of a body
K_X, K_Y, K_ANGLE, K_RATE, K_COS, K_SIN, K_GX, K_GY = range(8)
KIN = 8
"""Position and angle of the frame, rate, cosine and sine, and the part of its acceleration that is not J q''."""

# columns of the loop table
L_A, L_B, L_WELD, L_ROW = range(4)

# columns of the joint table
J_LINK, J_MOTOR, J_DRIVE, J_SENSE, J_CHANNEL, J_MOVED, J_ROTOR = range(7)
"""Coordinates of link and motor side (-1: none), coordinate on which the drive works, that which the law reads; channel,
whether a motion is prescribed; body of the link."""

# columns of the joint figures
F_SPRING, F_DAMPER, F_GAP, F_INERTIA = range(4)

# rows of the joint part of the state, each of length `joints`
TORQUE, DRIVE, DRAG = range(3)
JOINT_ROWS = 3
"""Torque through the joint; torque of the motor without friction; friction."""

WORK, LOST, NUMERICAL, ENERGY, POWER, LOSS, STORING, HALVED, CLOCK, SIGMA, SIGMA_TIME, SIGMA_LOOP, GAP = range(13)
SUMS = 13
"""Sums over the run (J): work of the drives, losses, gain of the scheme, stored energy; at the step point (W): power of
the drives, loss, power that goes into store; steps halved, time (s), smallest ratio of singular values of the loops, when
and in which loop it was, largest loop error (m)."""

PAR_GX, PAR_GY, PAR_TOLERANCE, PAR_SIZE, PAR_ORDER, PAR_STOP = range(6)
PARS = 6
"""Gravity, Newton tolerance, size of the arm (m), whether kinematics are of second order, ratio of singular values below
which a run stops."""
