"""Trials and the found scenario as files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from flexarm.control.tuning.search import Tuned
from flexarm.files import refuse_existing, write_text
from flexarm.scenario import Scenario
from flexarm.scenario.extension import extension_text

FILES = ("trials.csv", "trials.json", "tuned.yaml")


def check_files(folder: Path, force: bool) -> None:
    """Refuse a folder in which files would be replaced that nobody asked to replace."""
    for name in FILES:
        refuse_existing(folder / name, force)


def write_files(found: Tuned, base: Scenario, folder: Path, force: bool) -> list[Path]:
    """Write the trials as CSV and JSON, and the scenario with the gains that were found.

    Parameters
    ----------
    base : Scenario
        The scenario that was tuned; the new one extends it.
    """
    trials = json.dumps(_finite(found.trials), indent=1)
    return [
        write_text(folder / FILES[0], trials_table(found), force),
        write_text(folder / FILES[1], trials, force),
        write_text(folder / FILES[2], scenario_text(found, base, folder), force),
    ]


def trials_table(found: Tuned) -> str:
    """One row per trial: number, gains, cost, errors in m, abscissa in 1/s, torques in N m."""
    names = list(found.gains)
    joints = sorted({joint for trial in found.trials for joint in trial["torque"]})
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    heads = ["cost", "value", "rms", "peak", "abscissa", "feasible"]
    rows.writerow(["number", *names, *heads, *(f"torque.{joint}" for joint in joints), "message"])
    for trial in found.trials:
        torques = [trial["torque"].get(joint, "") for joint in joints]
        gains = [trial["gains"][name] for name in names]
        rows.writerow([trial["number"], *gains, *(trial[head] for head in heads), *torques, trial["message"]])
    return text.getvalue()


def scenario_text(found: Tuned, base: Scenario, folder: Path) -> str:
    """The found scenario as a file that extends the one it came from."""
    after, fine = found.after, found.fine
    about = (
        f"Gains found by flexarm tune in {len(found.trials)} trials: {1e3 * after['rms']:.4g} mm rms from the wanted "
        f"path, before {1e3 * found.before['rms']:.4g} mm; {1e3 * fine['rms']:.4g} mm on a finer mesh."
    )
    head: dict[str, Any] = {"name": f"{base.name}, tuned", "about": about}
    return extension_text(base, found.scenario, head, folder)


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if data - data == 0.0 else None
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list) else data
