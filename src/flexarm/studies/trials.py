"""Trials of a design: every variant that was run, once, in this process or in several, kept on disk as soon as it is known."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError, Interrupted, OutputError
from flexarm.files import make_folder
from flexarm.studies.chunk import run_chunk
from flexarm.studies.places import _opened, packed_plan
from flexarm.studies.plan import Plan
from flexarm.studies.runner import OUTCOMES, SUCCESS

FILE = "trials.jsonl"


class Rows:
    """Rows of values in place of a design that draws them."""

    def __init__(self, rows: np.ndarray):
        self.rows, self.count = rows, len(rows)

    def values(self, start: int, stop: int) -> np.ndarray:
        """Values of runs `start` to `stop`, (runs, variables)."""
        return self.rows[start:stop]


def run_rows(plan: Plan, rows: np.ndarray) -> tuple[np.ndarray, list[str], list[str]]:
    """Kept numbers (rows, kept), outcomes and messages of variants."""
    made = run_chunk(replace(plan, design=Rows(rows), aligned=1), 0, len(rows))  # type: ignore[arg-type]
    return made.numbers, [OUTCOMES[k] for k in made.outcomes], [made.messages.get(k, "") for k in range(len(rows))]


def _work(content: bytes, rows: np.ndarray) -> tuple[np.ndarray, list[str], list[str]]:
    return run_rows(_opened(content), rows)


class Trials:
    """All trials so far, and what makes more.

    A search asks for the same variants again when it is repeated, so going on with a design is beginning anew with what is known.

    Parameters
    ----------
    plan : Plan
        What runs a variant.
    workers : int
        Processes.
    folder : Path, optional
        Where trials are kept; `resume` takes those that are there.
    """

    def __init__(
        self, plan: Plan, workers: int = 1, folder: Path | None = None, resume: bool = False, force: bool = False,
        tell: Callable[[int], None] = lambda done: None, cancel: Callable[[], bool] = lambda: False,
    ):  # fmt: skip
        self._plan, self._workers, self._tell, self._cancel = plan, workers, tell, cancel
        self.values: list[np.ndarray] = []
        self.numbers: list[np.ndarray] = []
        self.outcomes: list[str] = []
        self.messages: list[str] = []
        self._known: dict[bytes, int] = {}
        self._pool: ProcessPoolExecutor | None = None
        self._content = packed_plan(plan) if workers > 1 else b""
        self._path = None if folder is None else folder / FILE
        self._earlier: dict[bytes, tuple[np.ndarray, str, str]] = {}
        if self._path is not None:
            self._open(self._path, resume, force)

    def _open(self, path: Path, resume: bool, force: bool) -> None:
        head = {"design": self._plan.id}
        if path.exists() and not force:
            lines = path.read_text(encoding="utf-8").splitlines()
            if not lines or not lines[0].startswith("{") or json.loads(lines[0]) != head:
                raise OutputError(
                    f"'{path}' holds trials of another design; choose another folder with --out, or replace it with --force"
                )
            if not resume:
                raise OutputError(
                    f"'{path}' holds trials of this design; go on with --resume, or begin anew with --force"
                )
            for line in lines[1:]:
                try:
                    each = json.loads(line)
                    values = np.array([float.fromhex(v) for v in each["values"]])
                    self._earlier[values.tobytes()] = (
                        np.array(each["numbers"], dtype=float),
                        each["outcome"],
                        each["message"],
                    )
                except (ValueError, KeyError, TypeError):
                    continue  # the last line of a run that was killed
        make_folder(path.parent)
        kept = [(np.frombuffer(key), *found) for key, found in self._earlier.items()]
        path.write_text("".join([json.dumps(head) + "\n", *(_line(*each) for each in kept)]), encoding="utf-8")

    def __len__(self) -> int:
        return len(self.values)

    def run(self, rows: np.ndarray) -> np.ndarray:
        """Kept numbers (rows, kept) of variants; not a number where a run failed. What is known is not run again."""
        keys = [np.ascontiguousarray(row).tobytes() for row in rows]
        new = [k for k, key in enumerate(dict.fromkeys(keys)) if key not in self._known]
        unique = list(dict.fromkeys(keys))
        fresh = [np.frombuffer(unique[k]) for k in new]
        left = [row for row in fresh if row.tobytes() not in self._earlier]
        if left:
            self._compute(np.array(left))
        for row in fresh:
            numbers, outcome, message = self._earlier[row.tobytes()]
            self._known[row.tobytes()] = len(self.values)
            self.values.append(row)
            self.numbers.append(numbers)
            self.outcomes.append(outcome)
            self.messages.append(message)
        self._tell(len(self))
        return np.array([self.numbers[self._known[key]] for key in keys])

    def _compute(self, rows: np.ndarray) -> None:
        if self._cancel():
            raise Interrupted(f"interrupted after {len(self)} trials" + ("; go on with --resume" if self._path else ""))
        if self._workers > 1 and len(rows) > 1:
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self._workers, mp_context=context)
            parts = np.array_split(rows, min(len(rows), self._workers))
            found = list(self._pool.map(_work, [self._content] * len(parts), parts))
        else:
            found = [run_rows(self._plan, rows)]
        numbers = np.concatenate([each[0] for each in found])
        said = [(outcome, text) for each in found for outcome, text in zip(each[1], each[2], strict=True)]
        lines = []
        for row, number, (outcome, text) in zip(rows, numbers, said, strict=True):
            self._earlier[row.tobytes()] = number, outcome, text
            lines.append(_line(row, number, outcome, text))
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write("".join(lines))

    @property
    def succeeded(self) -> np.ndarray:
        """Which trials reached their end, (trials,)."""
        return np.array([outcome == OUTCOMES[SUCCESS] for outcome in self.outcomes], dtype=bool)

    def close(self) -> None:
        """Let the processes go."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _line(values: np.ndarray, numbers: Any, outcome: str, message: str) -> str:
    """A trial as a line of the file; values to the last bit."""
    plain = [None if np.isnan(n) else float(n) for n in np.asarray(numbers, dtype=float)]
    data = {"values": [float(v).hex() for v in values], "numbers": plain, "outcome": outcome, "message": message}
    return json.dumps(data) + "\n"


def check_any(trials: Trials) -> None:
    """Refuse to go on if no trial at all succeeded."""
    if len(trials) and not trials.succeeded.any():
        why = next((text for text in trials.messages if text), "no reason was given")
        raise FlexarmError(f"all {len(trials)} trials fail: {why}")
