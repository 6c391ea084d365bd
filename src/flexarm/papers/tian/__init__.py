"""Tian, Zhang, Chen and Yang: a two-link flexible arm whose tip tracks a circle and a square."""

from __future__ import annotations

from flexarm.papers.paper import FolderPaper


class Tian(FolderPaper):
    """The document behind tip tracking."""

    folder = "tian"
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
