"""`fem`: serial arms of Timoshenko beams, after the finite-element models of Naganathan's thesis.

Models any number of flexible and rigid links in a plane with revolute joints: driven by motion, by torque, by a compliant servo or
a control law, with or without a series spring; hubs, rotors, motor masses, lumps, payload with inertia and offset,
gravity, Kelvin-Voigt damping, any taper. Links stretch, shear and bend.

Every node has an absolute position and a section angle theta = Theta_i(t) + chi, where Theta_i follows the commands. The
mass matrix is constant, there are no Coriolis terms, and a joint that follows its command needs no constraint:

    M q'' + R_i Theta_i'' + f(q, q') = g + B tau ,    f from the strains of `element`

Four theories share one element: exact (Reissner, with centrifugal stiffening), link (the thesis' nonlinear model),
linear (about the commanded motion) and quasi-static. Only `exact` is right for an arm that spins as fast as it bends.

Where to find it: `mesh` numbers the unknowns, `matrices` what is constant, `layout` how arrays are packed, `element` and
`two_node` strains and their derivatives, `assemble` forces and tangent of the arm, `joints` motors, springs and laws,
`rigid` links that do not bend, `friction` joints that rub, `newton` one step, `booking` its work and losses, `march` many
of them, `linear` equilibrium and frequencies, `observe` the signals. Arms in space are in the folder `spatial`. Closed
loops are refused.

Reference: G. Naganathan, thesis on the modelling and dynamic analysis of flexible manipulators, chapters II to IV. What
it prints wrongly is listed on the theory page.
"""

from flexarm.methods.fem.method import METHOD

__all__ = ["METHOD"]
