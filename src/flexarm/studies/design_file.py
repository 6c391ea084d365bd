"""Design files: what may be changed, what shall be small, what must hold; read as data into a problem on top of a study's plan."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from flexarm.arm.base import Label, Part
from flexarm.arm.quantity import PositiveTime, Quantity
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.scenario import Scenario
from flexarm.scenario.errors import translate
from flexarm.scenario.node import Node, plain
from flexarm.scenario.sources import is_path
from flexarm.scenario.units import QuantityError, read_quantity
from flexarm.scenario.yaml_tree import read_file, read_text
from flexarm.studies.answers import LIMIT
from flexarm.studies.file import StaticPart, make_plan
from flexarm.studies.laws import LogUniform
from flexarm.studies.plan import Plan
from flexarm.studies.steps import first_runs, fixed_settings, group_rows

LOOKED_AT = 16
"""Draws among which the corners are that choose the step."""


class SearchPart(Part):
    """How the best is looked for."""

    type: Literal["auto", "local", "evolution", "cma-es", "front"] = Field(
        default="auto", description="auto: front for several objectives, else evolution finished by a local search"
    )
    runs: Annotated[int, Field(ge=4, le=10_000_000)] = Field(default=400, description="Most trials of the wide search")
    seed: Annotated[int, Field(ge=0, lt=2**31)] = Field(default=1, description="The same seed gives the same trials")


class DesignFile(Part):
    """What a design file may say."""

    name: Label = Field(default="design", description="Title")
    about: str = Field(default="", description="What it asks")
    scenario: str | dict[str, Any] = Field(
        description="Bundled name, path of a file, or a scenario as it stands in a file"
    )
    set: dict[str, Any] = Field(default={}, description="Values of the scenario to change first, by dotted path")
    variables: dict[str, Any] = Field(
        min_length=1, description="What may be changed: {from:, to:, start:}, or a list of choices"
    )
    minimise: str | dict[str, str] = Field(
        description="What shall be small: a formula, or several with names; the name of a variable too"
    )
    limits: tuple[str, ...] = Field(default=(), description="What must hold, as tip_error_peak < 2 mm")
    keep: dict[str, str] | tuple[str, ...] = Field(default=(), description="Other numbers that are kept")
    step: PositiveTime | Literal["auto"] | None = Field(default=None, description="Step of all runs")
    static: StaticPart = Field(default=StaticPart(), description="Options of the static analysis")
    search: SearchPart = Field(default=SearchPart(), description="How the best is looked for")


@dataclass(frozen=True)
class Limit:
    """A limit: as it was written, column of its number, +1 if that must stay below the bound and -1 above, the bound (SI)."""

    text: str
    column: int
    sign: float
    bound: float


@dataclass(frozen=True)
class Problem:
    """A design problem.

    Attributes
    ----------
    plan : Plan
        What runs a variant; its kept numbers are the objectives, then the left sides of limits, then what else is kept.
    objectives : dict
        Column of every objective by name; below 0, -1 - k is variable number k itself.
    limits : tuple of Limit
        What must hold.
    start : ndarray, shape (variables,)
        Where a local search begins, shares between 0 and 1; of choices their numbers.
    units : dict
        Units of the kept numbers.
    """

    plan: Plan
    objectives: dict[str, int]
    limits: tuple[Limit, ...]
    search: SearchPart
    start: np.ndarray
    units: dict[str, str]
    notes: tuple[str, ...] = ()

    def values(self, shares: np.ndarray) -> np.ndarray:
        """Values of the variables (rows, variables), SI, from shares of their ranges; choices are numbers of options."""
        found = np.array(shares, dtype=float)
        for k in self.plan.numbers:
            law: Any = self.plan.variables[k].law
            found[:, k] = law.at(np.clip(found[:, k], 0.0, 1.0))
        return found

    def judged(self, values: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Objectives (rows, objectives), and limits (rows, limits) as shares of their bounds: positive where they are missed."""
        goals = [values[:, -1 - c] if c < 0 else numbers[:, c] for c in self.objectives.values()]
        over = [
            limit.sign * (numbers[:, limit.column] - limit.bound) / (abs(limit.bound) or 1.0) for limit in self.limits
        ]
        shape = len(values), -1
        return np.stack(goals, axis=1), np.stack(over, axis=1) if over else np.zeros((len(values), 0)).reshape(
            shape[0], 0
        )


def design_library() -> dict[str, str]:
    """Texts of the bundled designs by name."""
    folder = resources.files("flexarm.studies") / "designs"
    return {
        entry.name[: -len(".yaml")]: entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".yaml")
    }


def find_design(name: str | Path) -> tuple[Node, Path | None]:
    """The data of a bundled design or of a file, and the folder from which its paths count."""
    if isinstance(name, Path) or is_path(str(name)):
        return read_file(Path(name), str(name)), Path(name).parent
    known = design_library()
    if name not in known:
        raise ScenarioError(
            f"there is no bundled design '{str(name)[:80]}'; there are {', '.join(known)}. The path of a file must end in .yaml"
        )
    return read_text(known[name], f"{name}.yaml"), None


def read_design(node: Node, folder: Path | None = None, scenario: Scenario | None = None) -> Problem:
    """The problem in data with places; a first variant is run, so that formulas are known to fit."""
    try:
        file = DesignFile.model_validate(plain(node), context={"quantity": read_quantity, "folder": folder})
    except ValidationError as error:
        raise translate(error, DesignFile, node) from None
    goals = {"objective": file.minimise} if isinstance(file.minimise, str) else dict(file.minimise)
    named = set(file.variables)
    bounds = [_parsed(text, node) for text in file.limits]
    others = dict(file.keep) if isinstance(file.keep, dict) else {text: text for text in file.keep}
    keep = {name: text for name, text in goals.items() if text not in named}
    keep |= {text: text for text, _, _ in bounds} | others
    if not keep:
        raise node.error("limits say what must hold, or minimise a formula: else nothing has to be run", "minimise")
    entries = {"vary": _varied(file, node), "keep": keep, "design": {"type": "sobol", "runs": LOOKED_AT, "seed": 1}}
    shared = {key: node.value[key] for key in ("name", "scenario", "set", "step", "static") if key in node.value}
    plan = make_plan(_study_node(node, shared, entries, file), folder, scenario=scenario)
    groups = group_rows(plan)
    settings, notes = fixed_settings(plan, groups, lambda done, total: None)
    plan = plan.fixed(settings=settings)
    units = first_runs(plan, groups)[1]
    columns, names = list(plan.asked.numbers), [variable.name for variable in plan.variables]
    objectives = {
        name: -1 - names.index(text) if text in named else columns.index(name) for name, text in goals.items()
    }
    limits = tuple(
        Limit(whole, columns.index(text), 1.0 if sign[0] == "<" else -1.0, _bound(value, units[text] or "1", text))
        for whole, (text, sign, value) in zip(file.limits, bounds, strict=True)
    )
    return Problem(plan, objectives, limits, file.search, _start(file, plan), units, tuple(notes))


def _parsed(text: str, node: Node) -> tuple[str, str, str]:
    found = LIMIT.fullmatch(text.strip())
    if found is None:
        raise node.error(f"'{text}' is not a limit: write it like tip_error_peak < 2 mm", "limits")
    return found["name"].strip(), found["sign"], found["value"].strip()


def _bound(value: str, unit: str, name: str) -> float:
    try:
        return float(read_quantity(value, Quantity(unit if " " not in unit else "1")))
    except QuantityError as error:
        raise FlexarmError(error.about(name), field="limits") from None


def _varied(file: DesignFile, node: Node) -> dict[str, Any]:
    """Variables as a study has them: numbers drawn evenly between their ends, choices listed."""
    found: dict[str, Any] = {}
    for name, entry in file.variables.items():
        if isinstance(entry, dict) and ("from" in entry or "to" in entry):
            wrong = sorted(set(entry) - {"from", "to", "start", "spacing", "fields", "relative"})
            if wrong or "from" not in entry or "to" not in entry:
                why = f"there is no '{wrong[0]}'" if wrong else "both ends are wanted"
                raise node.error(
                    f"{why}: write {{from:, to:}}, and start, spacing, fields or relative if need be",
                    f"variables.{name}",
                )
            kind = "log-uniform" if entry.get("spacing") == "logarithmic" else "uniform"
            more = {key: entry[key] for key in ("fields", "relative") if key in entry}
            found[name] = {"distribution": kind, "low": entry["from"], "high": entry["to"], **more}
        else:
            found[name] = (
                {key: value for key, value in entry.items() if key != "start"} if isinstance(entry, dict) else entry
            )
    return found


def _study_node(node: Node, shared: dict[str, Node], entries: dict[str, Any], file: DesignFile) -> Node:
    from flexarm.scenario.node import wrap

    if not any(isinstance(e, dict) and "distribution" in e for e in entries["vary"].values()):
        entries = {key: value for key, value in entries.items() if key != "design"}
    made = wrap(entries, node.file)
    return Node({**shared, **made.value}, node.file, node.line)


def _start(file: DesignFile, plan: Plan) -> np.ndarray:
    """Shares of the ranges at which a search begins: what the file says, else the scenario's own value if it lies inside."""
    found = np.zeros(len(plan.variables))
    for k, variable in enumerate(plan.variables):
        if variable.options:
            continue
        law: Any = variable.law
        entry = file.variables[variable.name]
        value = 1.0 if variable.relative else variable.fields[0].value
        if "start" in entry:
            value = _bound(str(entry["start"]), variable.unit, f"start of {variable.name}")
            if not law.low <= value <= law.high:
                raise FlexarmError("start lies outside of from and to", field=f"variables.{variable.name}")
        share = (
            np.log(value / law.low) / np.log(law.high / law.low)
            if isinstance(law, LogUniform) and value > 0
            else (value - law.low) / (law.high - law.low)
        )
        found[k] = share if 0.0 <= share <= 1.0 else 0.5
    return found
