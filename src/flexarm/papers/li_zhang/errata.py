"""What is wrong, missing or open to doubt in the paper, in our words."""

from __future__ import annotations

ERRATA: tuple[tuple[str, str, str], ...] = (
    ("(1)", "lost in the copy at hand", "1/K = l/(2 EI) of one segment + l/(2 EI) of the next: two halves in series"),
    ("(7)", "accelerations in the balance of moments without a point", "those of the inboard point"),
    ("(9)", "fourth row has six entries", "u44 = 1 is missing"),
    ("(13)", "N bodies, N - 1 springs", "a half spring is missing at the root and at the tip: error of order 1/N"),
    ("(15), (16)", "dots above z", "arrows: it is the state, not its rate"),
    ("(17)", "second branch pi/12", "pi/6, where the first branch ends; as printed all joints jump by 15 deg"),
    ("Table II", "E = 7e9 N/m^2", "7e10: 7e9 gives 1.94 Hz"),
    ("Section IV.A", "beta, gamma = 0.7, 0.8 and 0.8, 0.7", "both are possible; the figure that could tell is lost"),
    ("Section IV.A", "the model of the single link is purely linear", "not while the link turns"),
    ("Section IV.A", "motion of the motor", "shown in a lost figure; a quintic of 45 deg in 0.5 s is used"),
    ("Section IV.B", "number of segments per link not stated", "20"),
    ("Figure 9(d)", "links in the text, joints in the caption", "joints are drawn here"),
    ("[16]", "entries of (9) are listed in a thesis", "derived anew, see the theory page"),
)
"""Place, what is printed, what is right or used here."""
