"""Lee, Huggins and Book (1988): assumed modes with closed loops, compared with the arm RALF."""

from __future__ import annotations

from flexarm.papers.paper import FolderPaper


class LeeHugginsBook(FolderPaper):
    """The document behind the method `modes`."""

    folder = "lee_huggins_book"
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
