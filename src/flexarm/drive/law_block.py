"""Sampled laws as matrices: data that a file can hold, from readings and references to the torques of several joints.

At every tick, with the states x, the inputs w less their values at rest, and the drives' own torque f,

    u = C x + D w ,      torque = limited(rest + f + u) ,      x+ = A x + B w + E (torque - rest - u) .

E tells an observer inside the law which torque truly acts: that behind the limit, feed-forward included. States in `stop`, integrals
above all, stand still while a limit acts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import OutputError
from flexarm.files import read_whole, reason, write_text

FORMATS = ("flexarm law 1", "flexarm state space 1")
"""What a file says that it is; the first is what is written."""
MOST_BYTES, MOST_STATES, MOST_SIGNALS = 20_000_000, 500, 100
GROWS = 1e-9
"""How much a law's own motions may grow per period: integrals stay as they are, up to rounding."""
REFERENCES = {"reference": 0, "reference_velocity": 1}
"""Inputs that are commands of a joint, with their columns in the drive table."""


@dataclass(frozen=True, eq=False)
class LawBlock:
    """A sampled law.

    Attributes
    ----------
    A, B, C, D : ndarray
        Of n states, m inputs and k torques: (n, n), (n, m), (k, n), (k, m).
    E : ndarray, shape (n, k)
        What the states learn of torques that are not those of the law.
    inputs, outputs : tuple of str
        Readings, or commands as ``joint.reference`` and ``joint.reference_velocity``; torques as ``joint.torque``.
    period : float
        Time between two ticks, s.
    limit : ndarray, shape (k,)
        Largest torques, inf where there is no limit.
    rest : ndarray, shape (m,)
        Inputs at rest; not a number: what they are at the first tick.
    torque : ndarray, shape (k,)
        Torques at rest.
    stop : ndarray, shape (n,)
        True for states that stand still while a limit acts.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    E: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    period: float
    limit: np.ndarray
    rest: np.ndarray
    torque: np.ndarray
    stop: np.ndarray

    @property
    def joints(self) -> tuple[str, ...]:
        """Joints whose torques it gives."""
        return tuple(name.removesuffix(".torque") for name in self.outputs)

    @property
    def content(self) -> bytes:
        """All of it, for hashes."""
        return json.dumps(self.tree()).encode()

    def limited(self, limit: np.ndarray) -> LawBlock:
        """The same with torques that are not larger than `limit` (k,) either."""
        return replace(self, limit=np.minimum(self.limit, limit))

    def tree(self) -> dict[str, Any]:
        """As plain data; what is not finite is null."""
        found: dict[str, Any] = {"format": FORMATS[0], "period": self.period}
        found |= {"inputs": list(self.inputs), "outputs": list(self.outputs)}
        found |= {name: getattr(self, name).tolist() for name in ("A", "B", "C", "D", "E")}
        for name in ("limit", "rest", "torque"):
            found[name] = [value if math.isfinite(value) else None for value in getattr(self, name).tolist()]
        return {**found, "stop": [bool(value) for value in self.stop]}

    def save(self, path: str | Path, force: bool = False) -> Path:
        """Write it to a .json file, for ``control: {type: state-space, file: ...}``."""
        place = Path(path)
        if place.suffix != ".json":
            raise OutputError(f"'{place}': a law is written to a .json file", field="path")
        return write_text(place, json.dumps(self.tree(), indent=1) + "\n", force)


def read_law(path: Path, inputs: tuple[str, ...] | None = None, outputs: tuple[str, ...] | None = None) -> LawBlock:
    """The law in a file; `inputs` and `outputs` replace its own names, in the same order.

    Raises
    ------
    ValueError
        With one sentence that names the file and what is wrong.
    """
    try:
        tree = json.loads(read_whole(path, MOST_BYTES), parse_constant=_refuse)
    except OSError as error:
        raise ValueError(f"'{path}' cannot be read: {reason(error)}") from None
    except (ValueError, RecursionError) as error:
        what = str(error) if isinstance(error, _NotFinite) else "it is not JSON"
        raise ValueError(f"'{path.name}' is no law: {what}") from None
    if not isinstance(tree, dict) or tree.get("format") not in FORMATS:
        raise ValueError(f'\'{path.name}\' is no law: it does not say "format": "{FORMATS[0]}"')
    try:
        return law_from(tree, inputs, outputs)
    except ValueError as error:
        raise ValueError(f"the law '{path.name}': {error}") from None


class _NotFinite(ValueError):
    """A number of a file is not finite."""


def _refuse(word: str) -> float:
    raise _NotFinite(f"it holds {word}, and all its numbers must be finite")


def law_from(
    tree: Mapping[str, Any], inputs: tuple[str, ...] | None = None, outputs: tuple[str, ...] | None = None
) -> LawBlock:
    """The law in plain data, checked."""
    named = {"inputs": _names(tree, "inputs", inputs), "outputs": _names(tree, "outputs", outputs)}
    m, k = (len(names) for names in named.values())
    A = _matrix(tree, "A", None, None)
    n = len(A)
    if A.shape != (n, n):
        raise ValueError(f"A is {A.shape[0]} x {A.shape[1]} and must be square")
    if n > MOST_STATES or max(m, k) > MOST_SIGNALS:
        raise ValueError(
            f"{n} states, {m} inputs and {k} torques are too many; at most {MOST_STATES} states and {MOST_SIGNALS} of each"
        )
    matrices = {"A": A, "B": _matrix(tree, "B", n, m), "C": _matrix(tree, "C", k, n), "D": _matrix(tree, "D", k, m)}
    matrices["E"] = _matrix(tree, "E", n, k) if "E" in tree else np.zeros((n, k))
    period = tree.get("period")
    if isinstance(period, bool) or not isinstance(period, (int, float)) or not 0.0 < period < math.inf:
        raise ValueError(f"its period is {period!r} and must be a time in s larger than 0")
    limit = _row(tree, "limit", k, math.inf)
    if not np.all(limit > 0.0):
        raise ValueError(f"the limit of {named['outputs'][int(np.argmin(limit))]} must be larger than 0")
    stop = tree.get("stop", [False] * n)
    if not isinstance(stop, list) or len(stop) != n or not all(isinstance(each, bool) for each in stop):
        raise ValueError(f"stop needs {n} values true or false, one per state")
    rest, torque, marks = _row(tree, "rest", m, math.nan), _row(tree, "torque", k, 0.0), np.array(stop, dtype=bool)
    _check_growth(matrices["A"] - matrices["E"] @ matrices["C"], any(matrices["E"].ravel()))
    for name in named["outputs"]:
        if not name.endswith(".torque"):
            raise ValueError(f"the output '{name}' is no torque of a joint: write 'joint.torque'")
    values: dict[str, Any] = {**matrices, **named}
    return LawBlock(**values, period=float(period), limit=limit, rest=rest, torque=torque, stop=marks)


def _check_growth(own: np.ndarray, knows_torque: bool) -> None:
    """Refuse a law whose own motions grow when its torques are given."""
    radius = float(np.abs(np.linalg.eigvals(own)).max(initial=0.0))
    if radius > 1.0 + GROWS:
        what = "its observer is unstable" if knows_torque else "it is unstable by itself"
        raise ValueError(
            f"{what}: its states grow {radius:.6g} times per period while its torques are at their limit; design it anew"
        )


def _names(tree: Mapping[str, Any], key: str, given: tuple[str, ...] | None) -> tuple[str, ...]:
    own = tree.get(key)
    if not isinstance(own, list) or not own or not all(isinstance(name, str) for name in own):
        raise ValueError(f"{key} must be a list of names")
    if given is not None and len(given) != len(own):
        raise ValueError(f"it has {len(own)} {key} and control.{key} names {len(given)}")
    names = tuple(own) if given is None else given
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"'{name}' is named twice among the {key}")
    return names


def _matrix(tree: Mapping[str, Any], key: str, rows: int | None, columns: int | None) -> np.ndarray:
    if key not in tree:
        raise ValueError(f"'{key}' is missing")
    try:
        found = np.array(tree[key], dtype=float)
    except (ValueError, TypeError):
        raise ValueError(f"{key} is no matrix: write its rows as lists of numbers, all of one length") from None
    if found.size == 0:
        found = found.reshape(rows or 0, columns or 0) if 0 in (rows or 0, columns or 0) else found
    if found.ndim != 2 or (rows is not None and found.shape != (rows, columns)):
        size = " x ".join(str(each) for each in found.shape)
        wanted = "two dimensions" if rows is None else f"{rows} x {columns}, by its states, inputs and outputs"
        raise ValueError(f"{key} is {size or 'a number'} and must have {wanted}")
    if not np.all(np.isfinite(found)):
        raise ValueError(f"{key} holds a number that is not finite")
    return np.ascontiguousarray(found)


def _row(tree: Mapping[str, Any], key: str, count: int, default: float) -> np.ndarray:
    """Numbers of which null is the default."""
    values = tree.get(key)
    values = [values] * count if values is None or isinstance(values, (int, float)) else values
    good = isinstance(values, list) and len(values) == count
    if not good or any(isinstance(v, bool) or not (v is None or isinstance(v, (int, float))) for v in values):
        raise ValueError(f"{key} needs {count} numbers, or null where there is none")
    return np.array([default if value is None else float(value) for value in values])
