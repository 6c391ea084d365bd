"""A scenario: the arm, what moves it, the method, the time, the output."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PrivateAttr, StringConstraints, ValidationError, model_validator

from flexarm.arm import Arm
from flexarm.arm.base import Label, Part
from flexarm.drive import Drive, Event, Program, start_on_path
from flexarm.rigid import close_loops
from flexarm.scenario.checks import check, check_units
from flexarm.scenario.dump import file_form, write_yaml
from flexarm.scenario.errors import tell, translate
from flexarm.scenario.merge import set_paths
from flexarm.scenario.node import Node, plain, wrap
from flexarm.scenario.parts import MethodChoice, Output, Timing
from flexarm.scenario.problems import PlacedErrors
from flexarm.scenario.units import read_quantity


class Scenario(Part):
    """Everything that a run needs. Made by `flexarm.load`, or in Python from its parts.

    Two scenarios are equal if their fields are; where they came from does not matter.

    Examples
    --------
    >>> from flexarm.scenario import load, loads
    >>> scenario = load("tokhi-azad")
    >>> scenario.method.name, scenario.arm.joints, scenario.time.end
    ('fd', ('link',), 1.2)
    >>> loads(scenario.to_yaml()) == scenario
    True
    """

    name: Label = Field(description="Title")
    about: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        default="", description="What it shows, and its sources"
    )
    arm: Arm = Field(description="The arm")
    drive: tuple[Drive, ...] = Field(default=(), description="What moves the joints; joints not named are free")
    events: tuple[Event, ...] = Field(default=(), description="Changes of the payload on the way")
    method: MethodChoice = Field(description="Method and its options")
    time: Timing = Field(description="End, step and start of the run")
    output: Output = Field(default_factory=Output, description="What is kept of the run")

    _node: Node | None = PrivateAttr(default=None)
    _source: str = PrivateAttr(default="")
    _folder: Path | None = PrivateAttr(default=None)
    _compiled: tuple[Arm, tuple[Drive, ...], Program] | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _fits_together(self) -> Scenario:
        shapes = [drive.path for drive in self.drive if drive.path is not None]
        if len(shapes) == 1:
            # joints whose start is not stated begin where the path does; the model is frozen once it is made
            self.__dict__["arm"] = start_on_path(self.arm, shapes[0])
        found = check(self)
        if found:
            raise PlacedErrors(found)
        return self

    @classmethod
    def from_node(cls, node: Node, source: str = "", folder: Path | None = None) -> Scenario:
        """The scenario in data with places.

        Parameters
        ----------
        node : Node
            Merged data, without `extends`.
        source : str
            Name or path to show.
        folder : Path, optional
            Where relative paths of tables begin.

        Raises
        ------
        ScenarioError
            With file, line, field and a remedy for everything that is wrong.
        """
        try:
            scenario = cls.model_validate(plain(node), context={"quantity": read_quantity, "folder": folder})
        except ValidationError as error:
            raise translate(error, cls, node) from None
        except ArithmeticError:
            raise node.error("the numbers are too large or too small to compute with: check their units") from None
        found = check_units(scenario.arm, node)
        if found:
            raise tell(found, node)
        scenario._node, scenario._source, scenario._folder = node, source, folder
        return scenario

    def with_(self, changes: Mapping[str, Any]) -> Scenario:
        """A scenario with some values changed.

        Parameters
        ----------
        changes : mapping
            Values by dotted path; list members are addressed by their name. Texts are read as in a file. None
            takes a value away. A new ``method.name`` drops the options of the old method.

        Examples
        --------
        >>> from flexarm.scenario import load
        >>> load("tokhi-azad").with_({"arm.payload.mass": "20 g"}).arm.payload.mass
        0.02
        """
        return Scenario.from_node(set_paths(self._places, changes, "with_"), self._source, self._folder)

    @property
    def _places(self) -> Node:
        return self._node if self._node is not None else wrap(file_form(self), "")

    @property
    def tree(self) -> dict[str, Any]:
        """The data as given, merged, as plain dict, list and scalars."""
        return plain(self._places)

    @property
    def source(self) -> str:
        """Bundled name or path; empty for one made in Python or from text."""
        return self._source

    @property
    def program(self) -> Program:
        """The drives, compiled once. Gains of `servo: auto` are not in it: they follow from the method's model."""
        made = self._compiled
        if made is None or made[0] is not self.arm or made[1] is not self.drive:  # a copy may have other drives
            pose = tuple(close_loops(self.arm, self.arm.pose))
            made = self.arm, self.drive, Program.compile(self.arm, self.drive, pose)
            self._compiled = made
        return made[2]

    def __getstate__(self) -> dict[Any, Any]:
        """All but the program, which is compiled again where it is wanted."""
        state = super().__getstate__()
        return {**state, "__pydantic_private__": {**(state["__pydantic_private__"] or {}), "_compiled": None}}

    @property
    def hash(self) -> str:
        """SHA-256 of the validated scenario with the contents of its tables, as hexadecimal text."""
        data = self.model_dump(mode="json", by_alias=True)
        for drive, entry in zip(self.drive, data["drive"], strict=True):
            for key in ("motion", "torque", "force", "moment"):
                for item, fields in zip(getattr(drive, key) or (), entry[key] or (), strict=True):
                    samples = getattr(item, "samples", None)
                    if samples is not None:
                        content = samples.times.tobytes() + samples.values.tobytes()
                        fields["file"] = hashlib.sha256(content).hexdigest()
            if drive.control is not None and drive.control.block is not None:
                entry["control"]["file"] = hashlib.sha256(drive.control.block.content).hexdigest()
            content = getattr(drive.path, "content", None)
            if content is not None:
                entry["path"]["file"] = hashlib.sha256(content).hexdigest()
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_yaml(self) -> str:
        """A complete file in SI units, without `extends`, that reads back to an equal scenario."""
        return write_yaml(file_form(self))

    def _repr_html_(self) -> str:
        """The arm and what the file says in short, for notebooks."""
        from flexarm.sketch.cards import of_scenario

        return of_scenario(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and all(
            getattr(self, name) == getattr(other, name) for name in Scenario.model_fields
        )

    def __hash__(self) -> int:
        return int(self.hash[:15], 16)
