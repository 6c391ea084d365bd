"""Help and version: plain, and without loading anything heavy."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from flexarm import __version__

HEAVY = ("numpy", "pydantic", "numba", "scipy", "xarray", "matplotlib", "pint", "ruamel.yaml", "netCDF4")
LOOK = """
import json, sys
from flexarm.cli import app, main
names = [command.name or command.callback.__name__ for command in app.registered_commands]
pages = {}
for words in ["--help"], ["--version"], *([name, "--help"] for name in names):
    try:
        app(words)
    except SystemExit as end:
        pages[" ".join(words)] = end.code
loaded = [name for name in %r if name in sys.modules]
sys.stderr.write(json.dumps({"loaded": loaded, "pages": pages}))
"""
COMMANDS = ("run", "frequencies", "static", "realtime", "check", "new", "scenarios", "methods", "schema", "warmup")


def test_asking_for_help_loads_nothing_heavy():
    answer = subprocess.run(
        [sys.executable, "-c", LOOK % (HEAVY,)], capture_output=True, text=True, timeout=60, check=True
    )
    found = json.loads(answer.stderr)
    assert found["loaded"] == []
    assert {f"{name} --help" for name in COMMANDS} <= set(found["pages"])
    assert set(found["pages"].values()) == {0}
    assert f"flexarm {__version__}" in answer.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_within_80_columns(call, name):
    page = call(name, "--help").stdout
    assert max(len(line) for line in page.splitlines()) <= 80
    assert name in call("--help").stdout


def test_examples_in_the_help_are_on_lines_of_their_own(call):
    lines = [line.strip() for line in call("run", "--help").stdout.splitlines()]
    assert "flexarm run tokhi-azad" in lines


def test_without_a_command_the_help_is_shown(call):
    answer = call(code=2)
    assert "Usage: flexarm" in answer.stdout + answer.stderr
