"""`fd`: one link in finite differences, after Tokhi and Azad (1994).

Models one Euler-Bernoulli link that bends in the plane, turned at its root by a hub with inertia, with a payload that
may change on the way. Linear: small rotations relative to the reference pose, no shear, no rotary inertia of the
section, no centrifugal stiffening.

    rho y_tt + (EI y_xx)_xx = 0                                               (F1)
    x = 0:  y = 0,  I_h theta_tt - EI y_xx = tau                              (F2)
    x = L:  M_p y_tt - (EI y_xx)_x = 0,  I_p theta_tt + EI y_xx = 0           (F3)

Where to find it: `grid` properties of the nodes, `system` matrices and free coordinates, `forces` the two sweeps that
every step needs, `leapfrog` (and `plain`), `newmark` (with `implicit_stage` and `starting_steps`), `exact` the time
schemes, `energy_balance` and `modal_energy` work and loss, `step_end` what every step ends with, `choose` scheme and step,
`observe` what is read. The page of the method numbers the equations; every module names those that it implements.

Reference: M. O. Tokhi and A. K. M. Azad, Real-time finite difference simulation of a single-link flexible manipulator
system, Research Report 541, University of Sheffield, 1994. The report's one-sided closure is `variant: paper`; its
misprints are corrected (see the theory page).

Equations: F1, F2, F3.
"""

from flexarm.methods.fd.method import METHOD

__all__ = ["METHOD"]
