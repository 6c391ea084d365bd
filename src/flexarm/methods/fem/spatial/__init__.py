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
acceleration has the convective terms of `sliding`.

Where to find it: `mesh` frames, elements and numbering; `figures` stiffness and mass; `lanes` eight elements side by side,
and `triples` what is computed in a lane; `kinematics` frames that follow others; `element` strains and forces, `tangent`
their derivative; `inertia` and `sliding` what moves; `bodies` payload and lumps; `fold` forces from frames to unknowns;
`assemble` the whole; `matrix` its factors. What slides: `stock` its material, `flowing` and `rear` its forces, `lengthening`
and `edges` a length that is an unknown. `drives` and `friction` the joints; `scheme`, `turning`, `node_lanes`, `still`,
`starting` and `settling` the parts of a step, `stepping` the time loop; `linear` equilibrium and frequencies, `loading`
loads at rest; `observe` the signals; `arrays` what is handed to the kernels.
"""
