"""Study files: read as data, with the place of every mistake, into a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from flexarm.arm.base import Label, Part, Truth
from flexarm.arm.quantity import PositiveTime, Quantity
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.scenario import Scenario, load
from flexarm.scenario.errors import translate
from flexarm.scenario.merge import resolve_extends
from flexarm.scenario.node import Node, plain
from flexarm.scenario.sources import Source, bundled_names, is_path
from flexarm.scenario.units import QuantityError, read_quantity
from flexarm.scenario.yaml_tree import read_file, read_text
from flexarm.studies.formula import Formula
from flexarm.studies.plan import Plan, check_names
from flexarm.studies.runner import Asked
from flexarm.studies.sampling import MOST_DIMENSIONS, MOST_RUNS, Design, check_size, mixing_of
from flexarm.studies.variables import Variable, read_variable

MOST_INSTANTS = 100_000


class DesignPart(Part):
    """How what has a distribution is drawn."""

    type: Literal["random", "latin-hypercube", "sobol", "saltelli"] = Field(
        default="random", description="How draws are made"
    )
    runs: Annotated[int, Field(ge=1)] = Field(default=100, description="How many draws")
    seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(default=1, description="The same seed gives the same draws")


class CorrelationPart(Part):
    """Two variables that are drawn together."""

    between: Annotated[tuple[str, ...], Field(min_length=2, max_length=2)] = Field(
        description="Names of two drawn variables"
    )
    coefficient: Annotated[float, Field(gt=-1, lt=1)] = Field(
        description="Correlation; of distributions other than normal, of their normal scores"
    )


class StaticPart(Part):
    """Options of the static analysis, if formulas ask for it."""

    loads: tuple[dict[str, Any], ...] = Field(default=(), description="Loads as `flexarm static` takes them")
    hold: Truth = Field(default=False, description="Hold all joints, those without a motion too")


class StudyFile(Part):
    """What a study file may say."""

    name: Label = Field(default="study", description="Title")
    about: str = Field(default="", description="What it asks")
    scenario: str | dict[str, Any] = Field(
        description="Bundled name, path of a file, or a scenario as it stands in a file"
    )
    set: dict[str, Any] = Field(default={}, description="Values of the scenario to change first, by dotted path")
    vary: dict[str, Any] = Field(default={}, description="What varies, by dotted path")
    correlation: tuple[CorrelationPart, ...] = Field(default=(), description="What is drawn together")
    design: DesignPart = Field(default=DesignPart(), description="How draws are made")
    step: PositiveTime | Literal["auto"] | None = Field(
        default=None, description="Step of all runs; the scenario's when left out"
    )
    keep: dict[str, str] | tuple[str, ...] = Field(default=(), description="Kept numbers: formulas, with names")
    signals: dict[str, str] | tuple[str, ...] = Field(
        default=(), description="Kept signals: formulas over time, with names"
    )
    instants: int | tuple[Any, ...] = Field(
        default=101, description="Instants of kept signals: how many, evenly from start to end, or a list"
    )
    static: StaticPart = Field(default=StaticPart(), description="Options of the static analysis")
    limits: tuple[str, ...] = Field(default=(), description="What is wanted of kept numbers, as tip_error_peak < 2 mm")


def library() -> dict[str, str]:
    """Texts of the bundled studies by name."""
    folder = resources.files("flexarm.studies") / "library"
    return {
        entry.name[: -len(".yaml")]: entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".yaml")
    }


def find_study(name: str | Path) -> tuple[Node, Path | None]:
    """The data of a bundled study or of a file, and the folder from which its paths count."""
    text = str(name)
    if isinstance(name, Path) or is_path(text):
        path = Path(name)
        return read_file(path, text), path.parent
    known = library()
    if text not in known:
        near = get_close_matches(text, known, 1, 0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}."
        more = " That is a scenario: a study file says what varies in it." if text in bundled_names() else ""
        raise ScenarioError(
            f"there is no bundled study '{text[:80]}'; {hint}{more} The path of a file must end in .yaml"
        )
    return read_text(known[text], f"{text}.yaml"), None


def make_plan(
    node: Node, folder: Path | None = None, functions: Mapping[str, Callable[..., Any]] | None = None, scenario: Scenario | None = None
) -> Plan:  # fmt: skip
    """The plan in data with places.

    Parameters
    ----------
    node : Node
        As in a study file.
    folder : Path, optional
        Where its paths begin.
    functions : mapping, optional
        Python functions of a result that are kept besides.
    scenario : Scenario, optional
        The scenario, if it is there already.
    """
    try:
        file = StudyFile.model_validate(plain(node), context={"quantity": read_quantity, "folder": folder})
    except ValidationError as error:
        raise translate(error, StudyFile, node) from None
    base = scenario if scenario is not None else _scenario(file, node, folder)
    changes = dict(file.set) | ({"time.step": file.step} if file.step is not None else {})
    base = _placed(node, "set", lambda: base.with_(changes)) if changes else base
    entries = node.value["vary"].value if "vary" in node.value else {}
    variables = tuple(read_variable(base, name, entry) for name, entry in entries.items())
    pairs = _pairs(file, variables)
    design = _design(file, variables, pairs)
    numbers: dict[str, Any] = {**_formulas(file.keep, "keep", node), **(functions or {})}
    signals = _formulas(file.signals, "signals", node)
    if not numbers and not signals:
        raise node.error("a study keeps something: name numbers under keep, such as tip_deflection_peak", "keep")
    grid = _grid(file, base) if signals else np.zeros(0)
    asked = Asked(numbers, signals, grid, file.static.model_dump() if file.static.model_fields_set else {})
    plan = Plan(file.name, base, variables, design, asked, file.limits, pairs)
    check_names(plan)
    return plan


def _scenario(file: StudyFile, node: Node, folder: Path | None) -> Scenario:
    child = node.value["scenario"]
    if isinstance(file.scenario, dict):
        return Scenario.from_node(resolve_extends(Source(child, "", folder, "<study>")), "", folder)
    name = Path(file.scenario) if is_path(file.scenario) and folder is not None else file.scenario
    return _placed(
        node, "scenario", lambda: load(folder / name if isinstance(name, Path) and folder is not None else name)
    )


def _placed(node: Node, key: str, make: Callable[[], Any]) -> Any:
    """What `make` gives; its errors get the place of a key."""
    child = node.value.get(key, node)
    try:
        return make()
    except FlexarmError as error:
        if error.line is not None:
            raise
        field = f"{key}: {error.field}" if error.field else key
        raise FlexarmError(error.message, field=field, file=child.file, line=child.line) from None


def _formulas(given: dict[str, str] | tuple[str, ...], key: str, node: Node) -> dict[str, Formula]:
    named = given if isinstance(given, dict) else {text: text for text in given}
    return {name: _placed(node, key, lambda text=text: Formula(text)) for name, text in named.items()}  # type: ignore[misc]


def _grid(file: StudyFile, scenario: Scenario) -> np.ndarray:
    if isinstance(file.instants, int):
        if not 2 <= file.instants <= MOST_INSTANTS:
            raise FlexarmError(f"it wants 2 to {MOST_INSTANTS} instants, not {file.instants}", field="instants")
        return np.linspace(0.0, scenario.time.end, file.instants)
    try:
        grid = np.array([float(read_quantity(value, Quantity("s"))) for value in file.instants])
    except QuantityError as error:
        raise FlexarmError(error.about("an instant"), field="instants") from None
    if not len(grid) or (np.diff(grid) <= 0.0).any() or grid[0] < 0.0:
        raise FlexarmError("instants are times in ascending order", field="instants")
    return grid


def _pairs(file: StudyFile, variables: tuple[Variable, ...]) -> tuple[tuple[int, int, float], ...]:
    names, found = [variable.name for variable in variables], []
    for pair in file.correlation:
        at = []
        for name in pair.between:
            if name not in names or variables[names.index(name)].law is None or variables[names.index(name)].options:
                raise FlexarmError(
                    f"'{name}' is not a number that is drawn: correlated are names of vary with a distribution",
                    field="correlation",
                )
            at.append(names.index(name))
        if at[0] == at[1]:
            raise FlexarmError("a correlation is between two different variables", field="correlation")
        found.append((at[0], at[1], pair.coefficient))
    return tuple(found)


def _design(file: StudyFile, variables: tuple[Variable, ...], pairs: tuple[tuple[int, int, float], ...]) -> Design:
    drawn = [k for k, variable in enumerate(variables) if variable.law is not None]
    if len(drawn) > MOST_DIMENSIONS:
        raise FlexarmError(f"at most {MOST_DIMENSIONS} variables can be drawn", field="vary")
    if not drawn and file.design.model_fields_set:
        raise FlexarmError(
            "nothing is drawn: give a distribution to something under vary, or leave design out", field="design"
        )
    if file.design.type == "saltelli" and pairs:
        raise FlexarmError(
            "Sobol indices, for which saltelli draws, need variables without correlation", field="correlation"
        )
    if file.design.runs > MOST_RUNS:
        raise FlexarmError(
            f"this study has {file.design.runs:.4g} draws, and a table can hold {MOST_RUNS:.0e} runs; make fewer, or share "
            "them out among several studies with other seeds",
            field="design.runs",
        )
    points = tuple(variable.points for variable in variables)
    laws = tuple(variable.law for variable in variables)
    design = Design(file.design.type, file.design.runs, file.design.seed, points, laws, mixing_of(pairs, drawn))
    check_size(design)
    return design
