"""`modes`: planar trees of rigid and flexible bodies with closed loops, after the assumed-modes model of the arm RALF.

Every body has a floating frame at its joint, whose x axis starts along the link; the link bends in a few shapes psi_j(x)
that are chosen beforehand. The coordinates are the joint angles theta (between sections), motor angles where a spring
lies between motor and link, and the amplitudes q of the shapes. From constants of the bodies (`integrals`) follow

    M(q) q'' + h(q, q') + K q + D q' + Phi_q^T lambda = tau ,     Phi(q) = 0 ,

for any tree that a scenario describes. The links are slender beams of any taper (no shear); deflections are small against
the lengths, while rotations of the bodies are not limited. With kinematics of second order the shortening of a bent beam
is kept, and with it centrifugal stiffening and the weight on a column.

Where to find it: `shapes` the families of shapes, `integrals` and `bodies` the constants, `tree` and `arrays` what the
kernels read; `kinematics`, `dynamics`, `loop_equations` and `independent` the equations, `forces` accelerations at an
instant; `stages`, `step_end` and `stepping` the time step; `loop_closure` the loops before the run, `equilibrium` and
`linear` rest and small motions, `observe` what is read. The equations have numbers on the theory page, and every module
names those that it computes.

Reference: J. W. Lee, J. D. Huggins and W. J. Book, experimental verification of a large flexible manipulator (the arm
RALF). What it prints wrongly is listed on the theory page.
"""

from flexarm.methods.modes.method import METHOD

__all__ = ["METHOD"]
