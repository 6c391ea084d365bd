"""Li and Zhang: flexible manipulators by finite segments and transfer matrices."""

from __future__ import annotations

from flexarm.papers.paper import FolderPaper


class LiZhang(FolderPaper):
    """The document behind the method `segments`."""

    folder = "li_zhang"
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
