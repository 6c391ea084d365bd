"""`flexarm rig`: a motor and a strain gauge on the table, beside the simulation of both."""

from __future__ import annotations

import typer

from flexarm.commands.group import LightGroup
from flexarm.commands.rig_compare import EXAMPLES as COMPARE_EXAMPLES
from flexarm.commands.rig_compare import compare
from flexarm.commands.rig_gauge import EXAMPLES as GAUGE_EXAMPLES
from flexarm.commands.rig_gauge import convert, gauge
from flexarm.commands.rig_steps import EXAMPLES as STEP_EXAMPLES
from flexarm.commands.rig_steps import steps

rig = typer.Typer(
    cls=LightGroup,
    name="rig",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="A test bench: tables for a stepping motor, a virtual strain gauge, and measured logs beside a run.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
rig.command(epilog=STEP_EXAMPLES)(steps)
rig.command(epilog=GAUGE_EXAMPLES)(gauge)
rig.command()(convert)
rig.command(epilog=COMPARE_EXAMPLES)(compare)
