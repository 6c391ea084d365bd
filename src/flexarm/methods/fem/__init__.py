"""`fem`: arms of Timoshenko beams, after the finite-element models of Naganathan's thesis.

In this folder planar arms of any number of flexible and rigid links with revolute joints, with branches and closed loops:
driven by motion, by torque, by a compliant servo or a control law, with or without a series spring; hubs, rotors, motor
masses, lumps, payload with inertia and offset, gravity, Kelvin-Voigt damping, any taper. Links stretch, shear and bend.
Arms in space are in the folder `spatial`.

Every node has an absolute position and a section angle theta = Theta_i(t) + chi, where Theta_i follows the commands (E1). The
mass matrix is constant, there are no Coriolis terms, and a joint that follows its command needs no constraint:

    M q'' + R_i Theta_i'' + f(q, q') + G^T lambda = g + B tau ,    f from the strains of `element`        (E2)

Four theories share one element: exact (Reissner, with centrifugal stiffening), link (the thesis' nonlinear model),
linear (about the commanded motion) and quasi-static. Only `exact` is right for an arm that spins as fast as it bends.

Where to find it: `mesh` numbers the unknowns, `matrices` what is constant, `layout` and `packing` how kernels read it;
`element`, `two_node` and `general_element` strains and their derivatives, `assemble` forces and tangent of the arm, `joints`
motors, springs and laws, `far_nodes` and `condensation` links that do not bend, `constraints`, `constraint_forces` and
`bordered` branches and loops, `friction` dry friction; `newton` one step, `starting_steps` those after a jump, `step_end`,
`joint_torques` and `energy_balance` its end, `march` many of them; `equilibrium`, `tangents` and `linear` statics and small
motions, `observe` what is read.

Reference: G. Naganathan, thesis on the modelling and dynamic analysis of flexible manipulators, chapters II to IV. What
it prints wrongly is listed on the theory page.
"""

from flexarm.methods.fem.method import METHOD

__all__ = ["METHOD"]
