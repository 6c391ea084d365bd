"""Which links of a robot bend: where their beams run, and how the mass of the file is split over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from pydantic import ValidationError

from flexarm.arm import Link
from flexarm.arm.quantity import Quantity
from flexarm.errors import ScenarioError
from flexarm.scenario.units import read_quantity
from flexarm.scenario.urdf.robot import Inertial, Robot

LENGTH = Quantity("m")
KEYS = ("to", "from", "up", "section", "material", "damping", "mass")
RULES = ("split", "section", "spread")


@dataclass
class Overlay:
    """What is said of one flexible link; `ends` are the ends of its beam in link axes, m, once they are known."""

    name: str
    given: dict[str, Any]
    ends: tuple[np.ndarray, np.ndarray] | None = None
    joint: str = ""

    @classmethod
    def of(cls, name: str, entry: Any, robot: Robot) -> Overlay:
        """From its entry in a file."""
        if not isinstance(entry, Mapping):
            raise ScenarioError("it wants to, section and material of the beam", field=f"flexible.{name}")
        for key in entry:
            if key not in KEYS:
                near = get_close_matches(str(key), KEYS, 1)
                hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(KEYS)}"
                raise ScenarioError(f"there is no '{key}' of a flexible link; {hint}", field=f"flexible.{name}")
        rule = entry.get("mass", "split")
        if rule not in RULES:
            raise ScenarioError(f"mass is one of {', '.join(RULES)}, not '{rule}'", field=f"flexible.{name}.mass")
        return cls(name, dict(entry))

    def place(self, key: str, robot: Robot, places: Mapping[str, np.ndarray]) -> np.ndarray | None:
        """An end of the beam: coordinates, or the name of a joint or of a link that stands on this one."""
        given = self.given.get(key)
        if given is None:
            return None
        if isinstance(given, str):
            by_joint = {joint.name: joint.child for joint in robot.joints}
            name = by_joint.get(given, given)
            if name not in places:
                known = [joint.name for joint in robot.joints if joint.child in places]
                raise ScenarioError(
                    f"'{given}' does not stand on link '{self.name}'; there {'are' if known else 'is nothing;'} "
                    f"{', '.join(known)}{', or' if known else ''} give three coordinates",
                    field=f"flexible.{self.name}.{key}",
                )
            if key == "to":
                self.joint = name
            return places[name][:3, 3]
        try:
            found = np.array([float(read_quantity(value, LENGTH)) for value in given])
        except (TypeError, ValueError):
            found = np.zeros(0)
        if found.shape != (3,):
            raise ScenarioError("it wants three lengths, or a name", field=f"flexible.{self.name}.{key}")
        return found

    def section_of(self, child: str, place: np.ndarray, children: Mapping[str, np.ndarray]) -> str:
        """The end of the beam that carries a child: that where its joint is, or else the nearer one."""
        assert self.ends is not None
        if child == self.joint:
            return "tip"
        return "tip" if np.linalg.norm(place - self.ends[1]) <= np.linalg.norm(place - self.ends[0]) else "root"


def flexible_part(
    overlay: Overlay,
    robot: Robot,
    bodies: list[tuple[str, Inertial, np.ndarray]],
    children: Mapping[str, np.ndarray],
    frames: Mapping[str, np.ndarray],
    notes: list[str],
) -> dict[str, Any]:
    """Beam, section, material and lumps of a flexible link, as a scenario has them."""
    name, field = overlay.name, f"flexible.{overlay.name}"
    begin, end = (
        overlay.place("from", robot, {**children, **frames}),
        overlay.place("to", robot, {**children, **frames}),
    )
    if end is None:
        if len(children) != 1:
            raise ScenarioError(
                f"say where the beam of link '{name}' goes, with 'to': it carries {len(children)} moving joints",
                field=field,
            )
        overlay.joint, end = next((child, pose[:3, 3]) for child, pose in children.items())
    begin = np.zeros(3) if begin is None else begin
    overlay.ends = begin, end
    beam: dict[str, Any] = {"from": begin.tolist(), "to": end.tolist()}
    beam |= {"up": overlay.given["up"]} if "up" in overlay.given else {}
    found: dict[str, Any] = {
        "beam": beam,
        **{key: overlay.given[key] for key in ("section", "material", "damping") if key in overlay.given},
    }
    try:
        link = Link.model_validate({"name": "link", **found}, context={"quantity": read_quantity})
    except ValidationError as error:
        raise ScenarioError(str(error.errors()[0]["msg"]).removeprefix("Value error, "), field=field) from None
    rule, inertial = overlay.given.get("mass", "split"), bodies[0][1] if bodies else None
    if inertial is None or rule == "section":
        lost = f"; the {inertial.mass:.4g} kg of the file are dropped" if inertial else "; the file gives it no mass"
        notes.append(f"link {name} has the mass of its section, {link.mass:.4g} kg{lost}")
        return found
    if rule == "spread":
        material = link.material
        assert material is not None
        factor = inertial.mass / link.mass
        found["material"] = {"E": material.E, "nu": material.nu, "density": material.density * factor}
        notes.append(
            f"link {name}: its {inertial.mass:.4g} kg are spread over the beam, whose section weighs {link.mass:.4g} kg"
        )
        return found
    return found | {"masses": _split(overlay, link, inertial, robot, notes)}


def _split(overlay: Overlay, link: Link, inertial: Inertial, robot: Robot, notes: list[str]) -> list[dict[str, Any]]:
    """Point masses at both ends that leave mass and centre along the beam as the file has them."""
    assert overlay.ends is not None
    begin, end = overlay.ends
    run, mass = (end - begin) / link.span, link.mass
    centre, own = float((inertial.center - begin) @ run), link.integrate(("rhoA",), 1)[0]
    tip = (inertial.mass * centre - own) / link.span
    root = inertial.mass - mass - tip
    tiny = 1e-9 * inertial.mass
    if tip < -tiny or root < -tiny:
        raise ScenarioError(
            f"link '{overlay.name}': the inertial ({inertial.mass:.4g} kg at {centre:.4g} m) cannot be split into the beam "
            f"({mass:.4g} kg) and masses at its ends; use mass: section or spread",
            file=robot.file,
            line=robot.links[overlay.name].line,
        )
    across = float(np.trace(inertial.tensor) / 2.0 - run @ inertial.tensor @ run / 2.0)
    middle = link.integrate(("rhoA",), 2)[0] - 2.0 * centre * own + centre**2 * mass
    kept = middle + tip * (link.span - centre) ** 2 + root * centre**2
    notes.append(
        f"link {overlay.name}: {inertial.mass:.4g} kg split into the beam ({mass:.4g} kg) and {root:.4g} kg at its root, {tip:.4g} kg at its "
        f"tip; its inertia across the beam becomes {kept:.3g} kg m^2 (file: {across:.3g}), that about it is the beam's own "
        f"(file: {float(run @ inertial.tensor @ run):.3g})"
    )
    return [{"at": at, "mass": value} for at, value in (("root", root), ("tip", tip)) if value > tiny]
