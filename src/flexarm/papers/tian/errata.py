"""What is wrong, missing or open to doubt in the paper's equations of motion and control, in our words."""

from __future__ import annotations

ERRATA: tuple[tuple[str, str, str], ...] = (
    (
        "(5)",
        "generalised force +tau e6/f^2, -tau e5/f^2",
        "for angles that count counter-clockwise both signs are the other way round; as printed, (19) and (22) make "
        "positive feedback. The row also has ten entries in place of twelve",
    ),
    ("(5), elbow", "the motor of the elbow acts on the second link only", "its reaction acts on the end of the first"),
    ("(8)", "r_Ai = r_Ai", "r_Ai = r_Aj, and the pin of the shoulder, r_O = 0, is missing"),
    ("after (11)", "H_ll = (C M^-1 C^T)^-1", "with a minus; then the printed H_qq and H_ql are right"),
    ("(12)", "Q_d in the multiplier", "gamma, with the stabilising terms, as in (13)"),
    ("(15)", "m denotes the iteration; G2 at time t", "m counts steps, and G2 belongs to the end of the step"),
    ("tangent", "sum over i, signs of the invariant matrices", "sum over j; (4) itself is missing in the copy"),
    (
        "(16), (17)",
        "Jacobian without the controller",
        "torque depends on time, place and speed; d tau/d q' belongs in it",
    ),
    ("(6), (7)", "joint angles", "they are angles of chords and need the places of the link ends: not collocated"),
    ("(19)", "angle from its cosine", "the sign is lost: use atan2 and reduce the error to half a turn"),
    ("(20)", "rate of the second chord", "it is absolute: subtract the rate of the first to match theta_2 of (19)"),
    ("Section 5", "place and timing of both paths, gains, damping, step", "not stated; ours are in the scenarios"),
)
"""Where, what is printed, what is right or used here."""
