"""How the numbers of a spatial arm lie in memory; shared by model and kernels.

With F frames and L links the state is

    x = [ position r (F,3) | rotation R (F,9) | small_rotation th (F,3) | velocity v (F,6) | deviation j (4,L)
          | joint_record (15,L) | sums (9) ]  the record, then
        [ acceleration a (F,6) | scheme_acceleration A (F,6) | joint_acceleration ja (4,L) | force fc (F,6)
          | damping_force fd (F,6) | joint_force jc (4,L) | joint_damping jd (4,L) ], and
        [ tangent_use (4) | the factored tangent, as in `matrix` ], which steps share as long as it serves.

`packing` gives these parts to the kernels by name. Position and rotation are those of every frame (theory linear: R is that
of the stiff arm and th the small rotation beside it); v velocity and spin (linear: rate of th); j deviation of every joint
and of its motor with their rates; a physical accelerations, A those of the time scheme; fc, fd conservative and damping
forces on the frames, jc, jd on the deviation of the joint, on that of the motor, along the nominal motion, and what the
link itself puts on the joint.
"""

JOINT, JOINT_RATE, TORQUE, DRIVE, DRAG, MOTOR, MOTOR_RATE, FLOW, PUSH, ROOT = range(10)
FRAME = 15
"""Rows of the joint part of a record: position, rate, torque through the joint, torque of the motor, friction, position
and rate of the motor; power that material carries through a sliding joint (W); acceleration of its nominal motion; section force (3)
and moment (3) at the root of the link, in its axes."""

WORK, LOST, NUMERICAL, KINETIC, ELASTIC, GRAVITY, ITERATIONS, HALVED, POWER, STARTING, PUSH_POWER = range(11)
SUMS = 11
"""Work of the drives, losses, gain by the scheme; energies at the step point (J); Newton iterations, steps that were halved;
power that damping takes out at the step point (W); L-stable steps that are left; power of the loads on links (W)."""

MADE_FOR, FIRST_ITERATIONS, STEPS_SERVED, COST = range(4)
TANGENT_USE = 4
"""Of the cached tangent: the length of step it was made for (0: there is none, below 0: an L-stable one), iterations of the step in
which it was made, steps that it has served, and what it has cost: its making, and iterations beyond those of that step."""

PSI, PSI_RATE, TURN, TURN_RATE = range(4)
"""Rows of j: deviation of the joint and of the motor. In ja: acceleration and scheme acceleration of each."""

PSI_ROW, MOTOR_ROW, NOMINAL_ROW, LINK_ROW = range(4)

EXACT, LINEAR, QUASI_STATIC = range(3)
"""Theories."""

NOTHING, TANGENT, MASS = range(3)
"""Which matrix is wanted of `assemble`: none, the tangent, or the mass matrix times the slope of the accelerations alone."""

# integer columns of a frame
F_KIND, F_PARENT, F_JOINT, F_DOF, F_BASE, F_COUNT, F_PLAIN = range(7)
"""Kind; frame it follows from; joint between (link index, -1: none); first unknown of a node; frame from which the stiff
beam runs to a node; number of unknowns that move it; first unknown of the node with which it moves as if it were that
node, -1 if it stands with the ground, -2 otherwise."""
F_INTS = 7
PLAIN = -1
GROUND, NODE, DERIVED, SLID = range(4)
"""SLID: follows through a rigid link that slides."""

# geometry of a frame
G_BEFORE, G_AFTER, G_LEVER, G_SHARE, G_PLACE = 0, 9, 18, 21, 22
"""Rotation before and after the joint, lever to the frame in its own axes; node of a sliding beam: fraction of the free
length; node of any other beam: distance along the stiff leg."""
G_SIZE = 23

# integer columns of an element
E_FIRST, E_SECOND, E_LINK, E_SLIDES, E_ROOT, E_COUNT = range(6)
"""Frames at its ends; link; whether material flows through it; whether it is the first of its leg; elements of the leg."""
E_INTS = 6

# properties of an element
(
    M_EA, M_GA, M_GA2, M_GJ, M_EIY, M_EIZ, M_LENGTH, M_KELVIN, M_11, M_12, M_22, M_J11, M_J12, M_J22, M_W1, M_W2, M_RHO,
) = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 17, 20, 21, 22)  # fmt: skip
M_SIZE = 23
"""Stiffnesses; length; Kelvin-Voigt time; per length of the element: mass between its ends, rotary inertia about its three
axes, share of the weight at each end; mass per length."""

# integer columns of a joint
J_PSI, J_TURN, J_CHANNEL, J_LAW, J_SENSE_MOTOR, J_PRESCRIBED, J_NOMINAL, J_SLIDES, J_FRAME, J_RETRACTED = range(10)
"""Unknowns of the deviation and of the motor, -1 if there is none; channel, -1 if fixed; whether a law acts, reads the motor;
whether a command moves the motor; whether the nominal position follows the command; whether it slides; the frame behind
it; whether a rigid retracted part slides along."""
J_INTS = 10

# data of a joint
(
    K_SPRING,
    K_DAMPER,
    K_START,
    K_ROTOR,
    K_OFFSET,
    K_MATERIAL,
    K_LEAST,
    K_MOST,
    K_RATIO,
    K_VISCOUS,
    K_LOWER,
    K_UPPER,
    K_STOP,
) = range(13)
K_SIZE = 13
"""Spring and its damper; start; rotor; constant part of a free length; length of all material that slides; shortest and longest free length;
turns of a rotor that turns on its own per turn of the joint (0: it is part of the hub); torque per speed that resists it; positions of
its stops and their stiffness."""

# loads on links
L_LOAD, L_KIND, L_FRAME, L_ROOT = range(4)
"""Columns of `load` (points, 4): which load, its kind, the frame that carries it, link at whose very root it acts (-1: none)."""
L_WORLD, L_TURNING, L_MOMENT, L_TURNING_MOMENT = range(4)
"""Kinds of loads: forces and moments that keep their direction or turn with the frame. `load_data` (points, 6): direction times share,
lever in the frame's axes."""

# properties of a rigid body: mass, centre from its frame, tensor about the centre
B_MASS, B_CENTRE, B_TENSOR, B_SIZE = 0, 1, 4, 13
