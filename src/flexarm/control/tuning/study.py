"""Trials with Optuna: asked for one after the other, kept in a file, the same for the same seed."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flexarm.control.tuning.score import Score
from flexarm.errors import FlexarmError, OutputError
from flexarm.files import make_folder, refuse_existing

NAME = "flexarm"
WARM_UP = 12
"""Trials spread at random before the sampler begins to learn."""


def load_optuna() -> Any:
    """The library, or a sentence on how to get it."""
    try:
        import optuna
    except ImportError:
        raise FlexarmError("tuning needs Optuna: install it with  pip install 'flexarm[tune]'") from None
    optuna.logging.set_verbosity(logging.WARNING)
    return optuna


class Study:
    """Trials that were made, and the next ones.

    Parameters
    ----------
    ranges : mapping
        Least and greatest value of each number, by name; they are searched on a logarithmic scale if they are positive.
    start : mapping
        The first trial.
    seed : int
        Fixes all later ones: the sampler of each trial is seeded by it and the trial's number, so a search that was
        interrupted goes on as if it had not been.
    file : Path, optional
        Where trials are kept; in memory only when left out.
    resume, force : bool
        Go on with the trials in the file; or begin anew, and replace it.
    purpose : str
        What the trials are for; a file with another purpose is not resumed.
    """

    def __init__(
        self,
        ranges: Mapping[str, tuple[float, float]],
        start: Mapping[str, float],
        seed: int,
        file: Path | None,
        resume: bool,
        force: bool,
        purpose: str,
    ):
        self._optuna, self._ranges, self._seed = load_optuna(), dict(ranges), seed
        storage = None
        fresh = file is None or not file.exists()
        if file is not None:
            storage = self._storage(file, resume, force)
            fresh = fresh or not resume
        self._study = self._optuna.create_study(
            storage=storage, study_name=NAME, direction="minimize", load_if_exists=not fresh
        )
        known = self._study.user_attrs.get("purpose")
        if known is None:  # new, or killed before it began
            self._study.set_user_attr("purpose", purpose)
        elif known != purpose:
            raise OutputError(
                f"the trials in '{file}' are for another scenario or other limits; give another place, or force it to "
                "be replaced"
            )
        self._begin(dict(start))

    def _begin(self, start: dict[str, float]) -> None:
        """Give up trials that an earlier search was killed in; the first one to be judged is `start`."""
        state = self._optuna.trial.TrialState
        for trial in self._study.get_trials(deepcopy=False, states=(state.RUNNING,)):
            self._study.tell(trial.number, state=state.FAIL)
        if not self.done and not self._study.get_trials(deepcopy=False, states=(state.WAITING,)):
            self._study.enqueue_trial(start)

    def _storage(self, file: Path, resume: bool, force: bool) -> Any:
        if file.exists() and not resume:
            if not force:
                raise OutputError(
                    f"'{file}' holds the trials of an earlier search; resume it, choose another place, or force it to "
                    "be replaced"
                )
            refuse_existing(file, force)
            file.unlink()
        make_folder(file.parent)
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        try:
            return JournalStorage(JournalFileBackend(str(file)))
        except (json.JSONDecodeError, KeyError, UnicodeDecodeError) as error:
            raise OutputError(f"'{file}' is not a file of trials ({error})") from error

    @property
    def done(self) -> int:
        """Number of trials that were judged."""
        return len(self.records())

    def records(self) -> list[dict[str, Any]]:
        """Number, gains and score of each judged trial, in order."""
        complete = self._optuna.trial.TrialState.COMPLETE
        return [
            {"number": trial.number, "gains": dict(trial.params), **trial.user_attrs["score"]}
            for trial in self._study.get_trials(deepcopy=False, states=(complete,))
        ]

    def run(self, judge: Callable[[Mapping[str, float]], Score]) -> None:
        """Make one trial and judge it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", category=self._optuna.exceptions.ExperimentalWarning)
            self._study.sampler = self._optuna.samplers.TPESampler(
                seed=(1_000_003 * self._seed + self.done) % 2**32, multivariate=True, n_startup_trials=WARM_UP
            )
        trial = self._study.ask()
        gains = {
            name: trial.suggest_float(name, low, high, log=low > 0.0) for name, (low, high) in self._ranges.items()
        }
        found = judge(gains)
        trial.set_user_attr("score", found.record())
        self._study.tell(trial, found.cost)
