"""All profiles, chosen by their `profile` key; one of them or a list in sequence."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from flexarm.drive.profiles.base import Shape
from flexarm.drive.profiles.moves import (
    BangBangMove,
    Cycloid,
    Nonic,
    Quintic,
    TrapezoidAcceleration,
    TrapezoidVelocity,
    Versine,
)
from flexarm.drive.profiles.running import ConstantMotion, SineMotion, SpinUp
from flexarm.drive.profiles.table import MotionTable, TorqueTable
from flexarm.drive.profiles.torques import (
    BangBangTorque,
    ConstantTorque,
    SineTorque,
    TrapezoidTorque,
    VersineTorque,
)

MOTION_PROFILES = (
    "bang-bang", "constant", "cycloid", "nonic", "quintic", "sine", "spin-up", "table", "trapezoid-acceleration",
    "trapezoid-velocity", "versine",
)  # fmt: skip
TORQUE_PROFILES = ("bang-bang", "constant", "sine", "table", "trapezoid", "trapezoid-velocity", "versine")


def _known(kind: str, names: tuple[str, ...]) -> Callable[[Any], Any]:
    """A check that says in words which profiles there are; also takes ``{table: file}`` for a table."""

    def check(value: Any) -> Any:
        if isinstance(value, Shape):
            return value
        if not isinstance(value, dict):
            raise ValueError(f"write the {kind} as a mapping, for example {{profile: {names[0]}, ...}}")
        if "profile" not in value and "table" in value:
            value = {
                "profile": "table",
                "file": value["table"],
                **{k: v for k, v in value.items() if k != "table"},
            }
        name = value.get("profile")
        if name not in names:
            listed = ", ".join(names)
            if name is None:
                raise ValueError(f"the {kind} needs a profile: {listed}")
            near = get_close_matches(str(name), names, 1)
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            raise ValueError(f"a {kind} cannot have the profile '{name}'{hint}; it can be {listed}")
        return value

    return check


def _as_sequence(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) else (value,)


MotionProfile = Annotated[
    Annotated[
        BangBangMove | ConstantMotion | Cycloid | MotionTable | Nonic | Quintic | SineMotion | SpinUp
        | TrapezoidAcceleration | TrapezoidVelocity | Versine,
        Field(discriminator="profile"),
    ],
    BeforeValidator(_known("motion", MOTION_PROFILES)),
]  # fmt: skip
TorqueProfile = Annotated[
    Annotated[
        BangBangTorque | ConstantTorque | SineTorque | TorqueTable | TrapezoidTorque | VersineTorque,
        Field(discriminator="profile"),
    ],
    BeforeValidator(_known("torque", TORQUE_PROFILES)),
]
MotionSequence = Annotated[
    tuple[MotionProfile, ...],
    BeforeValidator(_as_sequence, json_schema_input_type=MotionProfile | tuple[MotionProfile, ...]),
]
TorqueSequence = Annotated[
    tuple[TorqueProfile, ...],
    BeforeValidator(_as_sequence, json_schema_input_type=TorqueProfile | tuple[TorqueProfile, ...]),
]
