"""All actuators, chosen by their `type`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any, get_args

from pydantic import BeforeValidator, Discriminator, Tag

from flexarm.drive.actuators.base import Actuator
from flexarm.drive.actuators.dc_motor import DCMotor
from flexarm.drive.actuators.hydraulic import Hydraulic
from flexarm.drive.actuators.ideal import Ideal
from flexarm.drive.actuators.oil_cylinder import OilCylinder
from flexarm.drive.actuators.stepping_motor import SteppingMotor
from flexarm.drive.actuators.transfer import Transfer

ACTUATORS: tuple[type[Actuator], ...] = (Ideal, Transfer, Hydraulic, OilCylinder, SteppingMotor, DCMotor)
"""All kinds. A type may have several: the last one counts of which a field is given that the others have not."""


def type_of(kind: type[Actuator]) -> str:
    """The word for a kind of actuator."""
    return str(get_args(kind.model_fields["type"].annotation)[0])


def kind_of(value: Any) -> str:
    """Name of the class that a value is meant for."""
    if isinstance(value, Actuator):
        return type(value).__name__
    return _meant(value).__name__


def _meant(value: dict[str, Any]) -> type[Actuator]:
    first, *others = (kind for kind in ACTUATORS if type_of(kind) == value.get("type", "ideal"))
    for kind in others:
        if (set(kind.model_fields) - set(first.model_fields)) & set(value):
            return kind
    return first


def _known(value: Any) -> Any:
    """Say in words which actuators there are, and whose fields are given."""
    if isinstance(value, Actuator):
        return value
    if not isinstance(value, dict):
        raise ValueError("write the actuator as a mapping, for example {type: transfer, poles: [-30]}")
    name, known = value.get("type", "ideal"), list(dict.fromkeys(type_of(kind) for kind in ACTUATORS))
    if name not in known:
        near = get_close_matches(str(name), known, 1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        raise ValueError(f"there is no actuator of type '{name}'{hint}; it can be {', '.join(known)}")
    kind, whose = _meant(value), f"{'an' if name[0] in 'aeiou' else 'a'} {name} actuator"
    own = {key for each in ACTUATORS if type_of(each) == name for key in each.model_fields}
    for each in ACTUATORS:
        foreign = [key for key in value if key in each.model_fields and key not in own]
        if foreign:
            raise ValueError(f"{whose} has no {' or '.join(foreign)}; say type: {type_of(each)}")
    missing = [key for key, field in kind.model_fields.items() if field.is_required() and key not in value]
    if missing:
        listed = " and ".join(filter(None, [", ".join(missing[:-1]), missing[-1]]))
        raise ValueError(f"{whose} needs {listed}{kind.advice}")
    return value


AnyActuator = Annotated[
    Annotated[
        Annotated[Ideal, Tag("Ideal")]
        | Annotated[Transfer, Tag("Transfer")]
        | Annotated[Hydraulic, Tag("Hydraulic")]
        | Annotated[OilCylinder, Tag("OilCylinder")]
        | Annotated[SteppingMotor, Tag("SteppingMotor")]
        | Annotated[DCMotor, Tag("DCMotor")],
        Discriminator(kind_of),
    ],
    BeforeValidator(_known),
]
"""An actuator as a scenario describes it."""
