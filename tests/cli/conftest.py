"""The command line called in this process, in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flexarm.cli import app

collect_ignore = [
    name
    for module, name in (("optuna", "test_cli_tune.py"), ("control", "test_cli_bode.py"))  # extras `tune`, `control`
    if not find_spec(module)
]

EXTERNAL = """\
name: torque from outside
extends: tokhi-azad
drive: [{joint: link, control: {type: external, period: 1 ms}}]
"""
LAWS = """\
def bang(time, reading):
    return 0.1 if time < 0.2999 else -0.1 if time < 0.5999 else 0.0

def stops(time, reading):
    if time > 0.0505:
        raise RuntimeError("the law gave up")
    return [0.1]

def explodes(time, reading):
    return 1e300 if time > 0.05 else 0.1

number = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, 80 columns wide; what is said does not depend on kernels being compiled already."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("flexarm.numerics.kernel_cache.cache_is_warm", lambda family: True)
    return tmp_path


@pytest.fixture
def call(folder: Path) -> Callable[..., Any]:
    """Call flexarm with arguments; the answer has exit_code, stdout and stderr."""

    def run(*arguments: str, code: int = 0) -> Any:
        answer = CliRunner().invoke(app, list(arguments))
        said = f"{answer.stdout}\n{answer.stderr}\n{answer.exception!r}"
        assert answer.exit_code == code, said
        assert answer.exception is None or isinstance(answer.exception, SystemExit), said
        return answer

    return run


@pytest.fixture
def laws(folder: Path) -> Path:
    """A file with controllers, and beside it a scenario that needs one: external.yaml."""
    (folder / "external.yaml").write_text(EXTERNAL, encoding="utf-8")
    path = folder / "laws.py"
    path.write_text(LAWS, encoding="utf-8")
    return path
