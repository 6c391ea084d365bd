"""Commented files to begin with: `flexarm new` writes them, and they run as they are.

They stand in the folder `templates`: one scenario for each kind, and what belongs beside it under the same name.
"""

from __future__ import annotations

import json
import shlex
from difflib import get_close_matches
from importlib import resources
from pathlib import Path

from flexarm.errors import ScenarioError

KINDS = {
    "single-link": "one link driven by a torque",
    "position-control": "one link under a control law",
    "two-links": "two links that lift a load against gravity",
    "in-space": "an arm in space from Denavit-Hartenberg parameters",
    "closed-loop": "a four-bar linkage",
    "own-controller": "a controller of your own in Python",
    "measured-log": "a model that moves as a real arm did, beside its log",
}
"""Kinds of templates, and what each is."""
_BESIDE = {"own-controller": ".py", "measured-log": ".csv"}
"""Kinds with a second file, and its ending."""


def template(kind: str = "single-link", title: str = "My flexible arm", stem: str = "my-arm") -> str:
    """A commented scenario file that loads and runs without change.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    title : str
        Value of ``name``.
    stem : str
        Name of the file without its ending; the second file, if there is one, has the same.
    """
    if kind not in KINDS:
        near = get_close_matches(kind, KINDS, 1)
        hint = f"did you mean '{near[0]}'? There" if near else "there"
        raise ScenarioError(f"there is no template '{kind}'; {hint} are {', '.join(KINDS)}")
    return _text(kind, ".yaml", stem).replace("{title}", json.dumps(title, ensure_ascii=False))


def beside(kind: str, stem: str) -> dict[str, str]:
    """Names and contents of the files that belong beside a template."""
    return {stem + ending: _text(kind, ending, stem) for ending in [_BESIDE.get(kind)] if ending}


def run_command(kind: str, path: Path) -> str:
    """The command that runs a template which was written to a path."""
    words = ["flexarm", "run", str(path)]
    if kind == "own-controller":
        words += ["--controller", f"{path.with_suffix('.py')}:Controller"]
    return shlex.join(words)


def _text(kind: str, ending: str, stem: str) -> str:
    file = resources.files("flexarm.scenario") / "templates" / f"{kind}{ending}"
    written = json.dumps(stem, ensure_ascii=False)[1:-1]  # as it stands inside quotation marks
    return file.read_text(encoding="utf-8").replace("{stem}", written)
