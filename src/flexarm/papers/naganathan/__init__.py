"""Naganathan's thesis: Timoshenko finite elements of arms with flexible links and compliant servos, planar and in space."""

from __future__ import annotations

from flexarm.papers.claims import Claim
from flexarm.papers.naganathan.cases import case_claims
from flexarm.papers.naganathan.space import space_claims, space_table
from flexarm.papers.paper import Drawing, FolderPaper, Table


class Naganathan(FolderPaper):
    """The document behind the method `fem`."""

    folder = "naganathan"
    id = "naganathan"
    title = "Finite elements of flexible manipulators: a thesis, chapters II to V"
    authors = ("G. Naganathan",)
    year = 1986
    source = (
        "Doctoral thesis on flexible manipulators. The copy at hand has no title page: title and year are given to the "
        "best of our knowledge"
    )
    slow = ("complete-interaction",)

    def claims(self) -> tuple[Claim, ...]:
        """What the thesis says about its element, its three case studies, and its two arms in space."""
        return (*super().claims(), *case_claims(self.runs), *space_claims(self.runs))

    def tables(self) -> tuple[Table, ...]:
        """Tables I and II, turning link, spin-up, frequencies, case studies, arms in space, misprints."""
        *first, errata = super().tables()
        return (*first, space_table(self.runs), errata)

    def figures(self) -> tuple[Drawing, ...]:
        """Figures 13, 20 to 30 and 40 to 43, and the spin-up."""
        from flexarm.papers.naganathan.space import space_drawings

        *first, spin_up = super().figures()
        return (*first, *space_drawings(self.runs), spin_up)
