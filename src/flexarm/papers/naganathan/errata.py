"""What is wrong, missing or open to doubt in the equations of chapters II to V, in our words."""

from __future__ import annotations

ERRATA: tuple[tuple[str, str, str], ...] = (
    ("(2.5)", "rate of a link's axes from its own joint", "sum over all joints before it and over the tip rotations"),
    ("(2.9)", "no undeformed place and no relative acceleration can be read", "s + u_z in the first vector, and u''"),
    ("(2.12)", "axial force without effect on bending", "a term P u_x': without it there is no centrifugal stiffening"),
    (
        "(2.14)",
        "variations vanish at the ends of an element",
        "only where the link is held; elsewhere these terms are the forces between elements, and at a joint its torque",
    ),
    ("(2.17), (2.19)", "order of the unknowns not stated", "u_z, u_x, theta at each node, from the rows of (2.9)"),
    (
        "(2.23), (2.24)",
        "gyroscopic and base-motion matrices in global axes",
        "they cancel identically; counting the motion of the first tip in the base motion of the second link and "
        "sharing the joint node as well counts that link's inertia twice",
    ),
    ("(2.27)", "not readable", "kp = J0 (pi f0)^2: the servo at half the structural frequency f0"),
    ("(2.28)", "kv = F + kr km", "2 sqrt(J kp), critical damping"),
    ("(2.29)", "signs not readable", "T = kp (phi_d - phi_a) + kv (phi_d' - phi_a'), which cannot feed energy in"),
    ("(2.30) to (2.40)", "tangent stiffness, Newton-Raphson", "the matrix is the secant one: a fixed-point iteration"),
    (
        "(3.1)",
        "not readable",
        "rho^2/(kt E G) w^4 - [rho/E (1 + E/(kt G)) (n pi/L)^2 + rho A/(EI)] w^2 + (n pi/L)^4 = 0",
    ),
    ("(3.4), (3.5)", "constant angular velocity", "constant angular acceleration"),
    ("(3.5)", "11 w L^3 / (120 EI)", "11 w L^4 / (120 EI), w = rho A alpha L (misprint or badly read copy)"),
    ("Table I", "rows labelled 1", "two elements"),
    ("Table I", "9.839 (analytical, 0.02)", "9.794"),
    ("Table I", "9.844 (reduced, 20 elements, 0.02)", "9.824"),
    ("Table II, Figure 11", "load, area moment and a length not readable", "cannot be recomputed"),
    (
        "(4.1), (4.2)",
        "stiffness of the quasi-static model not defined",
        "K of the structure in global axes; keeping base-motion terms in local axes changes it by about 0.1 % here",
    ),
    ("Case study 1", "material, start pose, payload, joint angles not stated", "see the scenario naganathan-flexible"),
    ("Case study 2", "speeds and angles not stated", "see the scenario naganathan-industrial"),
    ("(5.2)", "inverses of the two constant matrices exchanged", "A_i = L1_(i-1) H_i L1_i^-1 L2_i, as (5.3) needs it"),
    (
        "(5.8)",
        "length times tip rotations added to the tip displacements",
        "displacements alone: they hold the rotation already",
    ),
    (
        "(5.9)",
        "link axes ride on the links before, and joint nodes are shared as well",
        "one or the other: the motion of the link before is counted twice",
    ),
    (
        "(5.27) and before",
        "elements of changing length with shape functions that do not depend on time",
        "convective terms 2 L' (1 - eta) u'_X and so on, and the material that passes the joint",
    ),
    ("Chapter V", "torsion with the tabulated area moment", "torsion constant, twice that for a tube"),
    (
        "Appendix B",
        "skew matrix with the other sign",
        "the usual one; else the angular acceleration enters with a wrong sign",
    ),
    (
        "Table IV",
        "315 mm^2 where chapter IV has 350 mm^2",
        "taken as printed; a tube of 21.3 and 7.3 mm has both figures",
    ),
    (
        "Chapter V",
        "E, density, motions, payload, start, kind of damping, number of elements not stated",
        "see the scenarios naganathan-3r and naganathan-rp",
    ),
)
"""Place, what is printed, what is right or used here."""
