"""`modes`: planar trees of rigid and flexible bodies with closed loops, after the assumed-modes model of the arm RALF.

Every body has a floating frame at its joint, whose x axis starts along the link; the link bends in a few shapes psi_j(x)
that are chosen beforehand. The coordinates are the joint angles theta (between sections), motor angles where a spring
lies between motor and link, and the amplitudes q of the shapes. From constants of the bodies (`integrals`) follow

    M(q) q'' + h(q, q') + K q + D q' + Phi_q^T lambda = tau ,     Phi(q) = 0 ,

for any tree that a scenario describes. The links are slender beams of any taper (no shear); deflections are small against
the lengths, while rotations of the bodies are not limited. With kinematics of second order the shortening of a bent beam
is kept, and with it centrifugal stiffening and the weight on a column.

Where to find it: `shapes` the families of shapes, `integrals` and `bodies` the constants, `tree` the packed arrays,
`kinematics`, `dynamics` and `loops` the equations, `forces` accelerations at an instant, `stepping` the time step,
`closure` checks of the loops, `rest` equilibrium, `linear` small motions, `observe` the signals.

Reference: J. W. Lee, J. D. Huggins and W. J. Book, experimental verification of a large flexible manipulator (the arm
RALF). What it prints wrongly is listed on the theory page.
"""

from flexarm.methods.modes.method import METHOD

__all__ = ["METHOD"]
