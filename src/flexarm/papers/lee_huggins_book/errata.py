"""What is wrong or missing in the equations of the paper, in our words."""

from __future__ import annotations

ERRATA: tuple[tuple[str, str, str], ...] = (
    ("(2.1)", "missing", "r = R + A (u_r + u_f)"),
    ("(2.3)", "no integral sign, no dots", "T = 1/2 int rho r'.r' dV"),
    ("(2.4)", "EI int psi'' dx", "EI int psi_i'' psi_j'' dx, a full matrix"),
    ("(2.5)", "strain energy alone, said to hold gravity", "minus the work of gravity"),
    ("(2.6)", "first term", "d/dt of dT/dq'"),
    ("(2.7)", "Phi_q lambda without transpose", "Phi_q^T lambda"),
    ("after (2.13)", "U from Phi^T Phi, V from Phi Phi^T", "the other way round; with full row rank U2 is empty"),
    ("(2.14)", "Phi_0", "Phi_q"),
    ("(2.18)", "velocity term", "(Phi_q q')_q q'"),
    (
        "(2.20), (2.21)",
        "q = V2 z, K V2 z",
        "V2 depends on q and is fixed only up to a turn: integrate q itself, K q; right by luck for a parallelogram",
    ),
    ("(3.1)", "y^T", "V2^T"),
    (
        "(3.1), (3.4)",
        "M and K alone",
        "also the derivatives of weight and loop forces, and what axial forces do to bending",
    ),
    ("(4.1)", "numerators 1", "10728.2 and 32671.2 for a gain of one at rest"),
    (
        "(4.1)",
        "unit of the poles not stated",
        "rad/s gives 3.4 and 4.0 Hz, not the 17 to 19 Hz of Table 4.1; see pole_unit",
    ),
    ("(4.2), (4.3)", "loop forces dropped", "only after projection with V2; K_rf is zero"),
    ("Section 3", "104 against 94.68 Hz because of two modes", "because links stretch; truncation is 0.2 %"),
)
"""Place, what is printed, what is right or used here."""
