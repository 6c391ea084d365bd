"""The command line: the commands of `flexarm.commands` put together, and errors turned into sentences."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from flexarm._version import __version__
from flexarm.commands.bench import EXAMPLES as BENCH_EXAMPLES
from flexarm.commands.bench import bench
from flexarm.commands.bode import EXAMPLES as BODE_EXAMPLES
from flexarm.commands.bode import bode
from flexarm.commands.check import EXAMPLES as CHECK_EXAMPLES
from flexarm.commands.check import check
from flexarm.commands.compare import EXAMPLES as COMPARE_EXAMPLES
from flexarm.commands.compare import compare
from flexarm.commands.console import complain
from flexarm.commands.convergence import EXAMPLES as CONVERGENCE_EXAMPLES
from flexarm.commands.convergence import convergence
from flexarm.commands.demo import demo
from flexarm.commands.exit_codes import INTERRUPTED, REFUSED
from flexarm.commands.frequencies import EXAMPLES as FREQUENCY_EXAMPLES
from flexarm.commands.frequencies import frequencies
from flexarm.commands.group import LightGroup
from flexarm.commands.identify import EXAMPLES as IDENTIFY_EXAMPLES
from flexarm.commands.identify import identify
from flexarm.commands.linear import EXAMPLES as LINEAR_EXAMPLES
from flexarm.commands.linear import linear
from flexarm.commands.map import EXAMPLES as MAP_EXAMPLES
from flexarm.commands.map import map_
from flexarm.commands.materials import materials
from flexarm.commands.methods import methods
from flexarm.commands.new import KINDS, new
from flexarm.commands.optimise import EXAMPLES as OPTIMISE_EXAMPLES
from flexarm.commands.optimise import optimise
from flexarm.commands.plot import EXAMPLES as PLOT_EXAMPLES
from flexarm.commands.plot import plot
from flexarm.commands.realtime import EXAMPLES as REALTIME_EXAMPLES
from flexarm.commands.realtime import realtime
from flexarm.commands.reproduce import EXAMPLES as REPRODUCE_EXAMPLES
from flexarm.commands.reproduce import reproduce
from flexarm.commands.rig import rig
from flexarm.commands.run import EXAMPLES as RUN_EXAMPLES
from flexarm.commands.run import run
from flexarm.commands.scenarios import scenarios
from flexarm.commands.schema import schema
from flexarm.commands.shape import EXAMPLES as SHAPE_EXAMPLES
from flexarm.commands.shape import shape
from flexarm.commands.show import EXAMPLES as SHOW_EXAMPLES
from flexarm.commands.show import show
from flexarm.commands.static import EXAMPLES as STATIC_EXAMPLES
from flexarm.commands.static import static
from flexarm.commands.study import EXAMPLES as STUDY_EXAMPLES
from flexarm.commands.study import study
from flexarm.commands.tune import EXAMPLES as TUNE_EXAMPLES
from flexarm.commands.tune import tune
from flexarm.commands.urdf import EXAMPLES as URDF_EXAMPLES
from flexarm.commands.urdf import export, urdf
from flexarm.commands.warmup import warmup
from flexarm.errors import FlexarmError, Interrupted

EXAMPLES = """\
\b
Examples:
  flexarm run tokhi-azad
  flexarm new my-arm
  flexarm check my-arm.yaml
  flexarm COMMAND --help
"""


class Commands(LightGroup):
    """The commands; an error that the user can put right becomes one sentence and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        try:
            return super().invoke(ctx)
        except Interrupted as error:
            sentence, code = str(error), INTERRUPTED
        except FlexarmError as error:
            sentence, code = str(error), REFUSED
        except BrokenPipeError:
            raise
        except OSError as error:
            sentence, code = _system_words(error), REFUSED
            _give_up_stdout()
        except KeyboardInterrupt:
            sentence, code = "interrupted", INTERRUPTED
        complain(sentence)
        raise typer.Exit(code)


def _system_words(error: OSError) -> str:
    """What the system refused, and about which file."""
    from flexarm.files import reason

    where = f"'{error.filename}': " if error.filename else "the output cannot be written: " if _is_full(error) else ""
    return where + reason(error)


def _is_full(error: OSError) -> bool:
    import errno

    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)


def _give_up_stdout() -> None:
    """After a failed write the rest of standard output is dropped, else the interpreter complains again."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


app = typer.Typer(
    cls=Commands,
    name="flexarm",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=RUN_EXAMPLES)(run)
app.command(epilog=PLOT_EXAMPLES)(plot)
app.command(epilog=FREQUENCY_EXAMPLES)(frequencies)
app.command(epilog=STATIC_EXAMPLES)(static)
app.command(epilog=COMPARE_EXAMPLES)(compare)
app.command(epilog=CONVERGENCE_EXAMPLES)(convergence)
app.command(epilog=REALTIME_EXAMPLES)(realtime)
app.command(epilog=BODE_EXAMPLES)(bode)
app.command(epilog=SHAPE_EXAMPLES)(shape)
app.command(epilog=LINEAR_EXAMPLES)(linear)
app.command(epilog=OPTIMISE_EXAMPLES)(optimise)
app.command(epilog=STUDY_EXAMPLES)(study)
app.command(epilog=TUNE_EXAMPLES)(tune)
app.command(epilog=IDENTIFY_EXAMPLES)(identify)
app.command(epilog=SHOW_EXAMPLES)(show)
app.command("map", epilog=MAP_EXAMPLES)(map_)
app.command(epilog=CHECK_EXAMPLES)(check)
app.command(epilog=KINDS)(new)
app.command(epilog=URDF_EXAMPLES)(urdf)
app.command()(scenarios)
app.command()(methods)
app.command()(materials)
app.command()(schema)
app.command()(warmup)
app.command(epilog=REPRODUCE_EXAMPLES)(reproduce)
app.command(epilog=BENCH_EXAMPLES)(bench)
app.command()(demo)
app.add_typer(export)
app.add_typer(rig)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"flexarm {__version__}")
        raise typer.Exit


@app.callback()
def flexarm(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Simulate flexible robot arms: deflections, vibrations, torques, strains."""


def main() -> None:
    """Entry point of the command `flexarm`."""
    # matrices here are small: threads of the linear algebra would only wait for each other
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without some character shows a question mark instead
    app()


if __name__ == "__main__":
    main()
