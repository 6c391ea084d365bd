"""The contract of a paper, and the tables and figures that it offers."""

from __future__ import annotations

import importlib
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
        """Reference values of ours for its cases."""

    def tables(self) -> Sequence[Table]:
        """Its tables, and ours for comparison."""

    def figures(self) -> Sequence[Drawing]:
        """Its figures, drawn from our results."""


class FolderPaper:
    """A paper whose folder holds runs, claims, checks, tables and figures in files of these names.

    The runs are shared by all parts of one object. `slow` names claims, groups of checks, tables and figures that a quick
    evaluation leaves out.
    """

    folder: str
    slow: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.runs = self._part("runs").Runs()

    def _part(self, name: str) -> Any:
        return importlib.import_module(f"flexarm.papers.{self.folder}.{name}")

    def claims(self) -> tuple[Claim, ...]:
        """What the document says, each with a computation."""
        return self._part("claims").claims(self.runs)

    def checks(self) -> tuple[Check, ...]:
        """Reference values of ours for its cases."""
        return self._part("checks").checks(self.runs)

    def tables(self) -> tuple[Table, ...]:
        """Its tables, and ours for comparison."""
        return self._part("tables").tables(self.runs)

    def figures(self) -> tuple[Drawing, ...]:
        """Its figures, drawn from our results."""
        return self._part("figures").drawings(self.runs)
