"""How the numbers of the finite-element arm lie in memory; shared by models and kernels.

The state vector is x = [q | v | frame | sums | a | A | fc | fd | tc | td] for `size` unknowns and `links` links:
positions, velocities; Theta, its rate and acceleration of every link, then position, rate, torque through the joint and
torque of the motor of every joint; sums kept inside the step; accelerations and those of the time scheme; conservative
and damping forces of the last step point, and their parts in the torque of every joint.
"""

ANGLE, RATE, ACCELERATION, JOINT, JOINT_RATE, TORQUE, DRIVE, DRAG, MOTOR = range(9)
FRAME = 9
"""Rows of the frame part, each of length `links`."""

WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER = range(7)
SUMS = 7
"""Work of the drives, losses, loss of the scheme, kinetic + elastic + spring energy (J); Newton iterations, steps that
were halved; power that damping takes out at the step point (W)."""

(
    P_MASS, P_INERTIA, P_CX, P_CY, P_GX, P_GY, P_TOLERANCE, P_BETA, P_GAMMA, P_AM, P_AF, P_LENGTH,
) = range(12)  # fmt: skip
P_SIZE = 12
"""Payload mass, inertia, offset; gravity; Newton tolerance; numbers of the time scheme; reach."""

I_THEORY, I_PAYLOAD, I_LINKS, I_ITERATIONS, I_BY_ENERGY = range(5)
I_SIZE = 5

# columns of the joint table (links, 9), integers
J_BASE, J_TIP, J_MOTOR, J_OWN, J_LAW, J_CHANNEL, J_SENSE_MOTOR, J_MOVED, J_FRAME = range(9)
"""Unknowns of the joint; whether its section turns on its own; whether a law (or torque) acts; its channel, -1 if it is
fixed; whether the law reads the motor; whether the command moves it; whether Theta follows the command (so do joints
under a law: their unknowns are what they deviate by)."""

# columns of the joint figures (links, 4)
K_SPRING, K_DAMPER, K_START, K_ROTOR = range(4)
