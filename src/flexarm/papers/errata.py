"""What is wrong, missing or open to doubt in a document: rows of place, what is printed, what is right or used here."""

from __future__ import annotations

from flexarm.papers.cache import stored
from flexarm.papers.paper import Row, Table


def errata_table(folder: str) -> Table:
    """The table in ``errata.json`` of a paper's folder; its words are ours."""

    def rows() -> list[Row]:
        return [tuple(row) for row in stored(folder, "errata.json")]

    return Table("errata", "Misprints, gaps and doubts", ("Where", "Printed", "Right, or used here"), rows)
