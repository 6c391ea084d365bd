"""Li and Zhang: flexible manipulators by finite segments and transfer matrices."""

from __future__ import annotations

from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim
from flexarm.papers.li_zhang.checks import checks
from flexarm.papers.li_zhang.claims import claims
from flexarm.papers.li_zhang.runs import Runs
from flexarm.papers.li_zhang.tables import tables
from flexarm.papers.paper import Drawing, Table


class LiZhang:
    """The document behind the method `segments`. Claims, checks, tables and figures of one object share their runs."""

    id = "li-zhang"
    title = "A method for modeling flexible manipulators: transfer matrix method with finite segments"
    authors = ("Haijie Li", "Xuping Zhang")
    year = 2017
    source = (
        "Haijie Li and Xuping Zhang. The copy at hand names no journal: the year is given to the best of our knowledge"
    )
    slow = (
        "ends",
        "Three links by the paper's scheme",
        "frequency-simulated",
        "Three links, frequencies of the continuum, stretched out",
        "Three links, frequencies of the continuum at the final pose",
    )
    """Claims, groups of checks, tables and figures that a quick evaluation leaves out."""

    def __init__(self) -> None:
        self.runs = Runs()

    def claims(self) -> tuple[Claim, ...]:
        """What the paper says about its beam and about its three links."""
        return claims(self.runs)

    def checks(self) -> tuple[Check, ...]:
        """Reference figures for its cases."""
        return checks(self.runs)

    def tables(self) -> tuple[Table, ...]:
        """Frequencies, numerical damping, tip errors, end treatments, misprints."""
        return tables(self.runs)

    def figures(self) -> tuple[Drawing, ...]:
        """Figures 6, 8 and 9."""
        from flexarm.papers.li_zhang.figures import drawings

        return drawings(self.runs)
