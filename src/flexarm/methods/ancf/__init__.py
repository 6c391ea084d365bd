"""`ancf`: planar serial arms by absolute nodal coordinates, for large deformation (Tian, Zhang, Chen and Yang).

Models any number of flexible links in a plane with revolute joints, driven by motion, torque, servo or a control law
(hub, motor or chord sensor), with or without a series spring; hubs, rotors, motor masses, lumps, payload with inertia
and offset, gravity, Kelvin-Voigt damping, any taper, however far the links bend.

A node has its position r, its slope r_x and (unless the link is a cable) the section vector r_y, all in the axes of the
ground. So the mass matrix is constant and there are no Coriolis terms; the elastic forces carry all nonlinearity:

    M q'' + f(q, q') = weight + torques on sections + what commanded sections need

Elements: a shear-deformable one without locking, a cable for slender links, and the paper's continuum element, which
locks (variant: paper). Where to find it: `mesh` numbers the unknowns, `matrices` what is constant, `packing` and `layout`
what the kernels read; `beam`, `beam_tangent`, `beam_mean`, `cable`, `continuum`, `invariants` are the elements, `assemble` puts
them together; `bodies` and `body_matrices` rigid bodies; `joints`, `joint_tangent`, `prescribed` joints, motors, laws; `loads`
patches; `stepping`, `generalised_alpha`, `conserving`, `mean_forces`, `solving`, `step_end`, `restart` the time step; `linear` and
`at_rest` equilibrium and small motions; `observe` the signals. Every file names the equations of docs/methods/ancf.md that it
holds. Rigid links, closed loops and spatial arms are not supported.

Reference: Q. Tian, Y. Zhang, L. Chen, J. Yang, on tip tracking of flexible manipulators by absolute nodal coordinates.
What it prints wrongly is listed on the theory page.
"""

from flexarm.methods.ancf.method import METHOD

__all__ = ["METHOD"]
