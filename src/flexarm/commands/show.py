"""`flexarm show`: draw the arm of a scenario before any run, and say where its joints and its tip are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, link, out, table
from flexarm.commands.numbers import tip_words

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm show ralf
  flexarm show my-arm.yaml --set arm.payload.mass=2kg --format pdf --out pictures
"""
FIGURE = "show"


def show(
    scenario: options.Scenario,
    sets: options.Set = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder for the picture; results/<name>-show when left out.",
            show_default=False,
        ),
    ] = None,
    formats: options.Formats = "png",
    force: options.Force = False,
) -> None:
    """Draw the arm with its frames, joint axes, loads and path; nothing is simulated or compiled.

    Also tells where joints and tip are in the start pose.
    """
    import flexarm as fa
    from flexarm.commands.outputs import default_folder
    from flexarm.files import refuse_existing
    from flexarm.view import save
    from flexarm.view import show as draw

    loaded, kinds = fa.load(scenario, sets or ()), options.checked_formats(formats)
    place = folder or default_folder(loaded.source, "-show")
    paths = [place / f"{FIGURE}.{kind}" for kind in kinds]
    for path in paths:
        refuse_existing(path, force)
    picture = draw(loaded)
    files = [save(picture, path, force, title=f"{loaded.name}, start pose") for path in paths]
    heading(loaded.name)
    out().print(table(["joint", "type", "where, m", "axis", "driven by"], _joints(loaded)))
    out().print()
    out().print(f"tip at {tip_words(loaded.arm)}")
    for path in files:
        out().print("open ", link(path), sep="", soft_wrap=True)


def _joints(scenario: Scenario) -> list[list[str]]:
    """Of every joint: its name, type, place and axis in the start pose, and what drives it."""
    from flexarm.commands.check import drive_words
    from flexarm.rigid import close_loops, forward

    arm = scenario.arm
    frames = forward(arm, close_loops(arm, arm.pose))
    rows = []
    for name in arm.joints:
        i = arm.index(name)
        driven = "; ".join(drive_words(drive) for drive in scenario.drive if name in drive.names)
        where = frames.root[i] if arm.spatial else frames.root[i][:2]
        rows.append(
            [
                name,
                arm.link(name).joint.type,
                _numbers(where),
                _numbers(frames.axis[i]),
                driven or "nothing, it is free",
            ]
        )
    return rows


def _numbers(values: object) -> str:
    return ", ".join(f"{round(float(value), 4) + 0.0:g}" for value in values)  # type: ignore[attr-defined]
