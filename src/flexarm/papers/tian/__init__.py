"""Tian, Zhang, Chen and Yang: a two-link flexible arm whose tip tracks a circle and a square."""

from __future__ import annotations

from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim
from flexarm.papers.paper import Drawing, Table
from flexarm.papers.tian.checks import checks
from flexarm.papers.tian.claims import claims
from flexarm.papers.tian.runs import Runs
from flexarm.papers.tian.tables import tables


class Tian:
    """The document behind tip tracking. Runs are shared by claims, checks, tables and figures of one object."""

    id = "tian"
    title = "Two-link flexible manipulator modelling and tip trajectory tracking with absolute nodal coordinates"
    authors = ("Q. Tian", "Y. Zhang", "L. Chen", "J. Yang")
    year = 2006
    source = (
        "Paper on absolute nodal coordinates and PD tip tracking; the copy at hand bears no journal and no date, and "
        "its newest references are of 2006"
    )
    slow = (
        "tracking",
        "tracking, square, chord sensor",
        "two-sets-square",
        "stiffer-material",
    )
    """Claims, groups of checks, tables and figures that a quick evaluation leaves out."""

    def __init__(self) -> None:
        self.runs = Runs()

    def claims(self) -> tuple[Claim, ...]:
        """What the paper says about its equations of control, and about its two examples."""
        return claims(self.runs)

    def checks(self) -> tuple[Check, ...]:
        """Reference figures for both examples."""
        return checks(self.runs)

    def tables(self) -> tuple[Table, ...]:
        """Tracking errors with all gains, and misprints."""
        return tables(self.runs)

    def figures(self) -> tuple[Drawing, ...]:
        """Figures 6 to 13."""
        from flexarm.papers.tian.figures import drawings

        return drawings(self.runs)
