"""Tokhi and Azad (1994): finite differences of one flexible link with hub and payload, in real time."""

from __future__ import annotations

from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim
from flexarm.papers.paper import Drawing, Table
from flexarm.papers.tokhi_azad_checks import checks
from flexarm.papers.tokhi_azad_claims import claims
from flexarm.papers.tokhi_azad_errata import errata
from flexarm.papers.tokhi_azad_errata_ends import errata_of_ends
from flexarm.papers.tokhi_azad_motion import motion_claims
from flexarm.papers.tokhi_azad_runs import Runs
from flexarm.papers.tokhi_azad_tables import tables
from flexarm.papers.tokhi_azad_timing import timing_claims


class TokhiAzad:
    """The document behind the method `fd`. Runs are shared by claims, checks, tables and figures of one object."""

    id = "tokhi-azad"
    title = "Real-Time Finite Difference Simulation of a Single-Link Flexible Manipulator System"
    authors = ("M. O. Tokhi", "A. K. M. Azad")
    year = 1994
    source = "Research Report 541, Department of Automatic Control and Systems Engineering, University of Sheffield"

    def __init__(self) -> None:
        self.runs = Runs()

    def claims(self) -> tuple[Claim, ...]:
        """What the document says about the arm, about processing times, and its equations."""
        runs = self.runs
        return (*claims(runs), *motion_claims(runs), *timing_claims(runs), *errata(runs), *errata_of_ends(runs))

    def checks(self) -> tuple[Check, ...]:
        """Reference figures for its cases."""
        return checks(self.runs)

    def tables(self) -> tuple[Table, ...]:
        """Frequencies, tip, Tables 2 and 3, misprints."""
        return tables(self.runs)

    def figures(self) -> tuple[Drawing, ...]:
        """Figures 3 to 11."""
        from flexarm.papers.tokhi_azad_figures import drawings

        return drawings(self.runs)
