"""Spatial arms of `fem`: geometrically exact Timoshenko beams with absolute positions and rotations.

A *frame* is a place on the arm with axes of its own (x along the beam): the ground, every node of a beam, and frames
that follow from another one through a joint, a corner or a rigid link. Nodes carry six unknowns (displacement and spin);
a joint that follows its command is built into the kinematics and needs none; a joint that is driven by torque, free or
sprung has the angle psi by which it deviates, and that of its motor if there is a spring. Numbered along the chain, the
unknowns are blocks of six to eight, each coupled to its two neighbours; the length of a beam that is pushed out and in is
coupled to all of its nodes, and eliminated last.

    section forces   N = C (Gamma + eta Gamma'),  M = C (kappa + eta kappa')
    strains          Gamma = Rm^T (r2 - r1) / h - e_x,   kappa = log(R1^T R2) / h,   Rm = R1 exp(h kappa / 2)

The links of sliding joints have nodes at fixed fractions of the free length; the material flows through them, and its
acceleration has convective terms.

Where to find it: `mesh` frames, elements and numbering; `properties` stiffness and mass; `simd` eight elements side by side,
and `vec3` what is computed in a lane; `kinematics` frames that follow others; `element` strains and forces, `tangent`
their derivative; `inertia` and `convective_terms` what moves; `bodies` payload and lumps; `condensation` forces from frames
to unknowns; `assemble` the whole; `matrix` and `bordered` its factors. What slides: `sliding_material`, `retracted_part`,
and `length_unknowns` for a length that is an unknown. `drives` and `friction` the joints; `scheme`, `step_rotations`, `simd_nodes`,
`quasi_static`, `starting`, `discontinuity` and `step_end` the parts of a step, `stepping` the time loop; `linear` equilibrium and
frequencies, `loading` loads at rest; `observe` the signals; `packing` what is handed to the kernels. The theory page
docs/methods/fem-spatial.md numbers the equations that the files name.
"""
