"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.scenario import Scenario as LoadedScenario

Scenario = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="Name of a bundled scenario, or path of a YAML file.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change a value of the scenario, for example arm.payload.mass=20g; may be repeated.",
        show_default=False,
    ),
]
Method = Annotated[
    str | None,
    typer.Option("--method", metavar="NAME", help="Another method than the scenario's.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts on standard output, and nothing else.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there already.")]
Controller = Annotated[
    str | None,
    typer.Option(
        "--controller",
        metavar="FILE.py:NAME",
        help="Python function (time, reading) -> torques, or a class of such objects.",
        show_default=False,
    ),
]
Animation = Annotated[bool, typer.Option("--animation", help="Also write the moving arm as animated gif.")]
Video = Annotated[
    bool, typer.Option("--video", help="Also write the moving arm as MP4 (pip install 'flexarm[video]').")
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default=False),
]
Formats = Annotated[
    str,
    typer.Option("--format", metavar="KINDS", help="Formats of the figures: png, pdf, svg or several of them."),
]


def listed(text: str) -> list[str]:
    """The parts of a text that are separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def checked_formats(text: str) -> list[str]:
    """Formats of figures given as a list separated by commas; png if it is empty."""
    from flexarm.view import files

    return files.checked_formats(listed(text) or ["png"])


def quantity(text: str, unit: str, name: str) -> float:
    """A number with or without unit, in SI units."""
    from flexarm.arm.quantity import Quantity
    from flexarm.scenario.units import QuantityError, read_quantity

    try:
        return float(read_quantity(text, Quantity(unit)))
    except QuantityError as error:
        raise FlexarmError(error.about(name)) from None


def with_method(scenario: LoadedScenario, method: str | None) -> LoadedScenario:
    """The scenario with the method of ``--method``, if another one is given."""
    from flexarm.methods import method_names

    if method in (None, scenario.method.name):
        return scenario
    if method not in method_names():
        raise FlexarmError(f"--method: there is no method '{method}'; available are {', '.join(method_names())}")
    return scenario.with_({"method": {"name": method}})


def column_pairs(columns: list[str] | None, signals: list[str] | None) -> list[tuple[str | None, str | None]]:
    """Columns with the signals that they are compared with; one of each may be left out."""
    names: list[str | None] = [*(columns or [])] or [None]
    wanted: list[str | None] = [*(signals or [])] or [None]
    if len(names) != len(wanted):
        raise FlexarmError(
            f"{len(columns or [])} columns and {len(signals or [])} signals were given; give one --signal for each --column",
            field="--signal",
        )
    return list(zip(names, wanted, strict=True))
