"""Lee, Huggins and Book (1988): assumed modes with closed loops, compared with the arm RALF."""

from __future__ import annotations

from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim
from flexarm.papers.lee_huggins_book.checks import checks
from flexarm.papers.lee_huggins_book.claims import claims
from flexarm.papers.lee_huggins_book.runs import Runs
from flexarm.papers.lee_huggins_book.tables import tables
from flexarm.papers.paper import Drawing, Table


class LeeHugginsBook:
    """The document behind the method `modes`. Runs are shared by claims, checks, tables and figures of one object."""

    id = "lee-huggins-book"
    title = "Experimental verification of a large flexible manipulator"
    authors = ("J. W. Lee", "J. D. Huggins", "W. J. Book")
    year = 1988
    source = "American Control Conference, Atlanta, June 1988, pages 1021 to 1028"
    slow = (
        "peaks",
        "Geometric stiffness",
        "Motion: both, poles in Hz",
    )
    """Claims, groups of checks, tables and figures that a quick evaluation leaves out."""

    def __init__(self) -> None:
        self.runs = Runs()

    def claims(self) -> tuple[Claim, ...]:
        """What the paper says about frequencies, constraints and large motions."""
        return claims(self.runs)

    def checks(self) -> tuple[Check, ...]:
        """Reference figures for the arm."""
        return checks(self.runs)

    def tables(self) -> tuple[Table, ...]:
        """Table 3.1, shares of strain energy, peaks of the runs, misprints."""
        return tables(self.runs)

    def figures(self) -> tuple[Drawing, ...]:
        """Figure 3.1, and mid-link strains of the motions of figures 4.4 to 4.6."""
        from flexarm.papers.lee_huggins_book.figures import drawings

        return drawings(self.runs)
