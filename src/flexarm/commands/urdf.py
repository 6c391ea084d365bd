"""`flexarm urdf`: a scenario from a robot's URDF file, and `flexarm export urdf`: an arm written as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import remark
from flexarm.commands.group import LightGroup
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.scenario.urdf import Understood

EXAMPLES = """\
\b
Examples:
  flexarm urdf robot.urdf --flexible overlay.yaml --out robot.yaml
  flexarm urdf robot.urdf > robot.yaml
\b
The overlay says which links bend; all others are rigid:
  flexible:
    upper: {to: elbow, section: {shape: tube, diameter: 50 mm, thickness: 2 mm}, material: aluminium, mass: split}
  tool: flange        # also gravity, damping, payload, base, as in a scenario
"""
KEYS = ("urdf", "flexible", "tool", "gravity", "damping", "payload", "base")

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="File to write; standard output when left out.", show_default=False),
]


def urdf(
    robot: Annotated[
        Path, typer.Argument(metavar="ROBOT.urdf", help="The robot; meshes that it names are not opened.")
    ],
    flexible: Annotated[
        Path | None,
        typer.Option(
            "--flexible", metavar="OVERLAY.yaml", help="Which links bend, where their beams run.", show_default=False
        ),
    ] = None,
    out: Out = None,
    force: options.Force = False,
) -> None:
    """Write a scenario that shows what was understood of a robot, and moves each of its joints."""
    from flexarm.files import write_text
    from flexarm.scenario import Scenario
    from flexarm.scenario.dump import write_yaml
    from flexarm.scenario.node import Node, wrap
    from flexarm.scenario.robots import placed, robot_scenario
    from flexarm.scenario.urdf import robot_file

    read = robot_file(robot)
    overlay = _overlay(flexible)
    plan, found = robot_scenario(read, overlay)
    node = wrap(plan, str(robot))
    arm = {**node.value["arm"].value, **placed(found, str(robot))}
    Scenario.from_node(Node({**node.value, "arm": Node(arm, str(robot))}, str(robot)), "", robot.parent)
    text = _head(robot, flexible, found) + write_yaml(plan)
    if out is None:
        typer.echo(text, nl=False)
        return
    write_text(out, text, force)
    for note in found.notes:
        remark(note)
    typer.echo(f"wrote {out}; look at it with: flexarm show {out}")


def _overlay(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    from flexarm.scenario.node import plain
    from flexarm.scenario.yaml_tree import read_file

    found = plain(read_file(path, str(path)))
    for key in found:
        if key not in KEYS:
            raise FlexarmError(f"there is no '{key}' in an overlay; known are {', '.join(KEYS)}", file=str(path))
    return dict(found)


def _head(robot: Path, flexible: Path | None, found: Understood) -> str:
    import textwrap

    words = [f"Made by: flexarm urdf {robot.name}{f' --flexible {flexible.name}' if flexible else ''}", *found.notes]
    lines = [line for note in words for line in textwrap.wrap(note, 116, subsequent_indent="  ")]
    return "".join(f"# {line}\n" for line in lines)


export = typer.Typer(
    cls=LightGroup,
    name="export",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Write an arm in the form of another program.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@export.callback()
def _export() -> None:
    """Write an arm in the form of another program."""


@export.command("urdf")
def export_urdf(
    scenario: options.Scenario,
    sets: options.Set = None,
    out: Out = None,
    force: options.Force = False,
) -> None:
    """Write the stiff arm of a scenario as URDF: links as rigid bodies, joints, limits and frames."""
    import flexarm as fa
    from flexarm.files import write_text
    from flexarm.scenario.urdf import urdf_text

    loaded = fa.load(scenario, sets or ())
    text = urdf_text(loaded.arm, loaded.name)
    bends = [link.name for link in loaded.arm.links if link.flexible]
    if bends:
        remark(f"a URDF has rigid links only: {', '.join(bends)} no longer bend")
    if out is None:
        typer.echo(text, nl=False)
        return
    write_text(out, text, force)
    typer.echo(f"wrote {out}")
