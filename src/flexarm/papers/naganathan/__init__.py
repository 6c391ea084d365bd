"""Naganathan's thesis: Timoshenko finite elements of arms with flexible links and compliant servos, planar and in space."""

from __future__ import annotations

from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim
from flexarm.papers.naganathan.cases import case_claims
from flexarm.papers.naganathan.checks import checks
from flexarm.papers.naganathan.claims import claims
from flexarm.papers.naganathan.runs import Runs
from flexarm.papers.naganathan.space import space_claims, space_table
from flexarm.papers.naganathan.tables import tables
from flexarm.papers.paper import Drawing, Table


class Naganathan:
    """The document behind the method `fem`. Runs are shared by claims, checks, tables and figures of one object."""

    id = "naganathan"
    title = "Finite elements of flexible manipulators: a thesis, chapters II to V"
    authors = ("G. Naganathan",)
    year = 1986
    source = (
        "Doctoral thesis on flexible manipulators. The copy at hand has no title page: title and year are given to the "
        "best of our knowledge"
    )
    slow = ("complete-interaction",)
    """Claims, groups of checks, tables and figures that a quick evaluation leaves out."""

    def __init__(self) -> None:
        self.runs = Runs()

    def claims(self) -> tuple[Claim, ...]:
        """What the thesis says about its element, its three case studies, and its two arms in space."""
        return (*claims(self.runs), *case_claims(self.runs), *space_claims(self.runs))

    def checks(self) -> tuple[Check, ...]:
        """Reference figures for its cases."""
        return checks(self.runs)

    def tables(self) -> tuple[Table, ...]:
        """Tables I and II, turning link, spin-up, frequencies, case studies, arms in space, misprints."""
        *first, errata = tables(self.runs)
        return (*first, space_table(self.runs), errata)

    def figures(self) -> tuple[Drawing, ...]:
        """Figures 13, 20 to 30 and 40 to 43, and the spin-up."""
        from flexarm.papers.naganathan.figures import drawings
        from flexarm.papers.naganathan.space import space_drawings

        *first, spin_up = drawings(self.runs)
        return (*first, *space_drawings(self.runs), spin_up)
