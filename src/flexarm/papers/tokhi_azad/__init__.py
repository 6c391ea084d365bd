"""Tokhi and Azad (1994): finite differences of one flexible link with hub and payload, in real time.

Where to find it: `runs` the cases and their simulations, each made once; `arm_claims`, `motion_claims`, `timing`,
`errata` and `errata_ends` what the document says; `printed` its formulas as they stand and repaired; `checks` our own
reference values, with their values in numbers.json; `tables` and `figures` what is shown.
"""

from __future__ import annotations

from flexarm.papers.claims import Claim
from flexarm.papers.paper import FolderPaper
from flexarm.papers.tokhi_azad.arm_claims import arm_claims
from flexarm.papers.tokhi_azad.errata import errata
from flexarm.papers.tokhi_azad.errata_ends import errata_of_ends
from flexarm.papers.tokhi_azad.motion_claims import motion_claims
from flexarm.papers.tokhi_azad.timing import timing_claims


class TokhiAzad(FolderPaper):
    """The document behind the method `fd`."""

    folder = "tokhi_azad"
    id = "tokhi-azad"
    title = "Real-Time Finite Difference Simulation of a Single-Link Flexible Manipulator System"
    authors = ("M. O. Tokhi", "A. K. M. Azad")
    year = 1994
    source = "Research Report 541, Department of Automatic Control and Systems Engineering, University of Sheffield"
    slow = (
        "Tip of finer grids, exact in time, 0.3 s + 0.3 s",
        "Tip of finer grids, exact in time, 0.6 s + 0.6 s",
        "i860-real-time",
        "table-2",
        "table-3",
        "figure-04",
    )

    def claims(self) -> tuple[Claim, ...]:
        """What the document says about the arm, about processing times, and its equations."""
        runs = self.runs
        return (*arm_claims(runs), *motion_claims(runs), *timing_claims(runs), *errata(runs), *errata_of_ends(runs))
