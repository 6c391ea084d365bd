"""Linear models in files: JSON with names and point, or MATLAB's format with the same in variables."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.control.state_space import Point, StateSpace
from flexarm.errors import OutputError, ScenarioError
from flexarm.files import read_whole, reason, whole_file, write_text

MATRICES = ("A", "B", "C", "D")
NAMES = ("states", "inputs", "outputs", "input_units", "output_units")
MOST_BYTES = 500_000_000
FORMAT = "flexarm state space 1"


def save(system: StateSpace, path: Path, force: bool) -> Path:
    """Write a model to a .json or .mat file."""
    if path.suffix == ".json":
        tree = {"format": FORMAT, **_tree(system)}
        return write_text(path, json.dumps(tree, indent=1) + "\n", force)
    if path.suffix != ".mat":
        raise OutputError(f"'{path}': a state space is written to .json or .mat", field="path")
    from scipy.io import savemat

    values: dict[str, Any] = {name: getattr(system, name) for name in MATRICES}
    values |= {name: np.array(getattr(system, name), dtype=object) for name in NAMES}
    values |= {"period": system.period, "point": json.dumps(asdict(system.point)), "format": FORMAT}
    with whole_file(path, force) as temporary:
        savemat(temporary, values, appendmat=False)
    return path


def _tree(system: StateSpace) -> dict[str, Any]:
    found: dict[str, Any] = {name: list(getattr(system, name)) for name in NAMES}
    found |= {name: np.asarray(getattr(system, name)).tolist() for name in MATRICES}
    return {**found, "period": system.period, "point": asdict(system.point)}


def load_state_space(path: str | Path) -> StateSpace:
    """Read what `StateSpace.save` has written.

    Raises
    ------
    ScenarioError
        If the file is no state space, with what is wrong.
    """
    place = Path(path)
    try:
        tree = _from_mat(place) if place.suffix == ".mat" else json.loads(read_whole(place, MOST_BYTES))
        if tree.get("format") != FORMAT:
            raise ValueError(f"it does not say format: {FORMAT}")
        names = {name: tuple(str(each) for each in tree[name]) for name in NAMES}
        sizes = {
            "A": ("states", "states"),
            "B": ("states", "inputs"),
            "C": ("outputs", "states"),
            "D": ("outputs", "inputs"),
        }
        matrices = {
            name: np.array(tree[name], dtype=float).reshape([len(names[part]) for part in sizes[name]])
            for name in MATRICES
        }
        point = {**tree["point"], "gravity": tuple(tree["point"]["gravity"]), "notes": tuple(tree["point"]["notes"])}
        values: dict[str, Any] = {**matrices, **names}
        return StateSpace(**values, point=Point(**point), period=float(tree["period"]))
    except OSError as error:
        raise ScenarioError(f"'{place}' cannot be read: {reason(error)}", field="path") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
        raise ScenarioError(f"'{place}' is no state space of flexarm: {what}", field="path") from None


def _from_mat(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    tree = loadmat(path, squeeze_me=False, appendmat=False)
    found: dict[str, Any] = {name: tree[name] for name in MATRICES if name in tree}
    found |= {
        name: [str(each.item() if each.size else "") for each in np.atleast_1d(tree[name]).ravel()]
        for name in NAMES
        if name in tree
    }
    if "point" in tree:
        found |= {"point": json.loads(str(tree["point"][0])), "format": str(tree["format"][0])}
        found["period"] = float(tree["period"].ravel()[0])
    return found
