"""How the numbers of the chain of segments lie in memory; shared by models and kernels.

The chain is a row of rigid bodies, root first. Each has an absolute angle and hangs on the one before it (or on the
ground) by a connection: rigid (with the angle of a motor), a spring, or the torque of a motor.

State of the sound form, for B bodies and n links: x = [theta | omega | alpha | joints | sums | A | Q]: angles, rates,
accelerations (B each); rows of joint numbers (JOINTS x n); sums; accelerations of the time scheme; forces of inertia and
weight on the angles (B each).
"""

# columns of the body table (B, BODY), floats
M, J, CX, CY, OX, OY, K, C, ANGLE = range(9)
BODY = 9
"""Mass; inertia about the centre; centre and outboard point from the inboard one, in body axes; stiffness and damper of the
connection; constant angle of a rigid connection."""

# columns of the kind table (B, KIND), integers
RIGID, SPRING, TORQUE = range(3)
CONNECTION, CHANNEL, LINK = range(3)
KIND = 3
"""Connection; drive channel that moves or drives it (-1: none); link."""

# columns of the joint table (n, JOINT), integers
J_ROOT, J_TIP, J_DRIVE, J_SPRING, J_MODE, J_CHANNEL, J_SENSE_MOTOR = range(7)
JOINT = 7
"""First body of the link; last body before the joint (-1: ground); body whose connection is the motor; body on the joint's
spring (-1: none); FIXED, MOVED or DRIVEN; channel (-1: none); whether the law reads the motor."""
FIXED, MOVED, DRIVEN = range(3)

# columns of the joint figures (n, 3), floats
F_ROOT, F_TIP, F_ROTOR = range(3)
"""Compliance of half springs that are merged at the joint, on the link's side and before it; rotor."""

# rows of the joint numbers in the state
POSITION, RATE, MOTOR, MOTOR_RATE, THROUGH, DRIVE, DRAG = range(7)
JOINTS = 7
"""Link side and its rate, motor side and its rate, torque through the joint, of the motor, of its friction."""

WORK, LOST, NUMERICAL, ENERGY, ITERATIONS, HALVED, POWER = range(7)
SUMS = 7
"""Work of the drives, losses, what the scheme gained, kinetic + elastic + gravity (J); Newton passes, halved steps; power
that damping takes out at the step point (W)."""

P_GX, P_GY, P_BETA, P_GAMMA, P_AM, P_AF, P_TOLERANCE = range(7)
P_SIZE = 7
"""Gravity, numbers of the time scheme, Newton tolerance."""

# columns of the work table (B, W)
(
    W_C, W_S, W_AX, W_AY, W_PX, W_PY, W_G0, W_GX, W_GY, W_GT, W_THETA, W_OMEGA, W_Q, W_MOMENT,
) = range(14)  # fmt: skip
W_SIZE = 14
"""Cosine, sine; acceleration of the inboard point; its change over the body per angle; correction of the angle: constant, per
ax, ay and angle of the body before; angle, rate and Q at the start of the step; moment of the connection."""
