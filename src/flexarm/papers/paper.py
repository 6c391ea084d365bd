"""The contract of a paper, and the tables and figures that it offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.papers.checks import Check
    from flexarm.papers.claims import Claim

Row = tuple[str | float | int | None, ...]


@dataclass(frozen=True)
class Table:
    """A table with labelled columns; its rows are worked out when they are asked for.

    Attributes
    ----------
    name, title : str
        Short name for files, and what it shows.
    columns : tuple of str
        Labels with units.
    work_out : callable
        Gives the rows.
    note : str
        What a reader must know.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    work_out: Callable[[], Sequence[Row]]
    note: str = ""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows, each as long as `columns`."""
        return tuple(tuple(row) for row in self.work_out())

    def records(self) -> list[dict[str, Any]]:
        """Each row as a dict from column to value."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Drawing:
    """A figure of the document, redrawn.

    Attributes
    ----------
    name : str
        Name of the file without its ending.
    caption : str
        What is shown.
    draw : callable
        Makes the matplotlib Figure.
    """

    name: str
    caption: str
    draw: Callable[[], Figure]


class Paper(Protocol):
    """A document. `evaluate` asks for claims, checks and tables; `draw_figures` for the figures.

    It may have `slow`, a tuple of names: the claims, groups of checks, tables and figures that a quick evaluation leaves out.
    """

    id: str
    title: str
    authors: tuple[str, ...]
    year: int
    source: str

    def claims(self) -> Sequence[Claim]:
        """What the document says, each with a computation."""

    def checks(self) -> Sequence[Check]:
        """Reference figures of ours for its cases."""

    def tables(self) -> Sequence[Table]:
        """Its tables, and ours for comparison."""

    def figures(self) -> Sequence[Drawing]:
        """Its figures, drawn from our results."""
