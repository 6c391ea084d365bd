"""An installation of flexarm that measures: a worker process, and new processes with an empty cache."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from flexarm.errors import FlexarmError

PACKAGE = Path(__file__).resolve().parents[1]


class Side:
    """One installation, run by its own interpreter in a process that lives as long as the measurement.

    Parameters
    ----------
    python : str
        Path of the interpreter; that of this process means this very package.

    Attributes
    ----------
    about : dict
        `flexarm`, `place` and `python`: version, folder and version of the interpreter.
    """

    def __init__(self, python: str, own: bool = False):
        self.python = python
        self._environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self._environment["OPENBLAS_NUM_THREADS"] = self._environment["OMP_NUM_THREADS"] = "1"
        if own:
            self._environment["PYTHONPATH"] = str(PACKAGE.parent)
        self._folder = tempfile.TemporaryDirectory()
        code = (files("flexarm.benchmarks") / "worker.py").read_text(encoding="utf-8")
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            self._worker = subprocess.Popen(
                [python, "-c", code], text=True, env=self._environment, cwd=self._folder.name, **pipes
            )
        except OSError as error:
            self._folder.cleanup()
            raise FlexarmError(f"'{python}' is not a Python interpreter that can be run: {error.strerror}") from None
        try:
            self.about = self._hear()
        except FlexarmError:
            self.close()
            raise
        if "skip" in self.about:
            self.close()
            raise FlexarmError(f"flexarm cannot be imported by '{python}': {self.about['skip']}")

    def ask(self, **request: Any) -> dict[str, Any]:
        """Let the worker do something, and wait for its answer."""
        assert self._worker.stdin is not None
        with contextlib.suppress(OSError):  # if the worker has ended, the missing answer shows it
            self._worker.stdin.write(json.dumps(request) + "\n")
            self._worker.stdin.flush()
        return self._hear()

    def _hear(self) -> dict[str, Any]:
        assert self._worker.stdout is not None
        line = self._worker.stdout.readline()
        try:
            heard = json.loads(line)
        except ValueError:
            heard = None
        if not isinstance(heard, dict):
            raise FlexarmError(
                f"'{self.python}' gave no answer: it must be a Python interpreter in which flexarm is installed"
            )
        return heard

    def first_run(self, code: str) -> float:
        """Processor time in s of a new process with an empty cache of kernels."""
        with tempfile.TemporaryDirectory() as cache:
            environment = {**self._environment, "FLEXARM_CACHE_DIR": cache}
            return process_time([self.python, "-c", code], environment, self._folder.name)

    def close(self) -> None:
        """End the worker."""
        if self._worker.stdin is not None:
            with contextlib.suppress(OSError):
                self._worker.stdin.close()
        try:
            self._worker.wait(5.0)
        except subprocess.TimeoutExpired:
            self._worker.kill()
            self._worker.wait()
        if self._worker.stdout is not None:
            self._worker.stdout.close()
        self._folder.cleanup()

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def here() -> Side:
    """This very package."""
    return Side(sys.executable, own=True)


def process_time(command: list[str], environment: dict[str, str], folder: str | None = None) -> float:
    """Processor time of a new process and its children, s: what one waits on a machine that does nothing else."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
