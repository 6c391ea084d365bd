"""`modes` in space: trees whose links bend in two planes, twist and stretch in shapes that are fields of strain.

Every straight stretch of a flexible link is a body with a floating frame; the frame lies along the line between the ends of the
stretch. The coordinates are those of the plane: joints, motors behind springs, amplitudes of shapes. The equations of motion have
the same form, and everything that follows from them (time steps, rest, small motions) is the code of the plane.

Where to find it: `strain_fields` the shapes and what follows from them, `bodies` what an arm is made of, `packing` and `arrays` what
the kernels read; `sections`, `kinematics`, `body_terms` and `dynamics` the equations; `model` and `observe` the contract of a method.
The equations have numbers on the theory page of `modes` in space.
"""
