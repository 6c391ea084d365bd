"""Arms, drives and runs drawn by a seed: one to three links, payloads, springs, gravity, pulses, motions, servos, laws."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexarm as fa

MATERIALS = {
    "steel": {"E": 207e9, "density": 7850.0, "nu": 0.3},
    "aluminium": {"E": 70e9, "density": 2700.0, "nu": 0.33},
    "polymer": {"E": 3e9, "density": 1200.0, "nu": 0.35},
}


def _mass(link: dict[str, Any], length: float) -> float:
    return float(link["material"]["density"] * link["section"]["width"] * link["section"]["height"] * length)


def _link(rng: np.random.Generator, name: str, material: str, height: float, spatial: bool) -> dict[str, Any]:
    length = float(rng.uniform(0.4, 1.2))
    section = {"shape": "rectangle", "width": float(rng.uniform(1.0, 3.0)) * height, "height": height}
    joint: dict[str, Any] = {"position": float(rng.uniform(-1.0, 1.0))}
    link = {"name": name, "section": section, "material": MATERIALS[material], "joint": joint}
    mass = _mass(link, length)
    joint["hub_inertia"] = float(rng.choice([0.05, 0.3])) * mass * length**2
    if rng.random() < 0.25:
        joint |= {"stiffness": mass * length**2 * (2 * np.pi * float(rng.uniform(3.0, 15.0))) ** 2,
                  "rotor_inertia": 0.2 * mass * length**2}  # fmt: skip
    if spatial:
        joint["dh"] = {"a": length, "alpha": float(rng.choice([0.0, np.pi / 2]))}
    else:
        link["length"] = length
    return link


def _drive(rng: np.random.Generator, name: str, load: float, end: float, weighs: bool) -> dict[str, Any]:
    """Pulse (of arms that nothing pulls down), motion, servo or law of a joint that turns `load` (kg m^2)."""
    kind = rng.choice(["motion", "servo", "pd"] if weighs else ["pulse", "motion", "servo", "pd"])
    duration = float(rng.uniform(0.3, 0.8)) * end
    if kind == "pulse":
        profile = str(rng.choice(["bang-bang", "versine", "constant"]))
        return {"joint": name, "torque": {"profile": profile, "amplitude": load * float(rng.uniform(1.0, 4.0)),
                                          "duration": duration}}  # fmt: skip
    profile = str(rng.choice(["cycloid", "quintic", "trapezoid-velocity"]))
    drive: dict[str, Any] = {
        "joint": name,
        "motion": {"profile": profile, "by": float(rng.uniform(-1.0, 1.0)), "duration": duration},
    }
    if profile == "trapezoid-velocity":
        drive["motion"]["rise"] = 0.3 * duration
    if kind == "servo":
        drive["servo"] = "auto"
    elif kind == "pd":
        omega = 2 * np.pi * float(rng.uniform(0.5, 2.0))
        drive["control"] = {"type": "pd", "kp": load * omega**2, "kv": 1.4 * load * omega}
    return drive


def drawn(seed: int, spatial: bool = False, links: int | None = None) -> fa.Scenario:
    """An arm of 1 to 3 links with its drives and gauges; `time.step` is auto, the method fem."""
    rng = np.random.default_rng(seed)
    count = links or int(rng.integers(1, 4))
    material = str(rng.choice(list(MATERIALS)))
    height = float(rng.uniform(25e-3, 40e-3) if material == "polymer" else rng.uniform(6e-3, 20e-3))
    parts = [_link(rng, f"link{k}", material, height * 0.8**k, spatial) for k in range(count)]
    spans = [part.get("length") or part["joint"]["dh"]["a"] for part in parts]
    masses = [_mass(part, span) for part, span in zip(parts, spans, strict=True)]
    arm: dict[str, Any] = {"links": parts}
    payload = float(rng.choice([0.0, 0.2, 1.0])) * masses[-1]
    if payload:
        arm["payload"] = {"mass": payload, "inertia": 0.01 * payload * spans[-1] ** 2}
    if rng.random() < 0.5:
        arm["gravity"] = [0.0, 0.0, -9.81] if spatial else [0.0, -9.81, 0.0]
    if rng.random() < 0.85:
        arm["damping"] = {"ratio": float(rng.choice([0.005, 0.02])), "mode": 1}
    end = float(rng.uniform(0.4, 1.5))
    drives = []
    for k, part in enumerate(parts):
        reach = np.cumsum(spans[k:])
        load = float(np.dot(masses[k:], (reach - 0.5 * np.array(spans[k:])) ** 2) + payload * reach[-1] ** 2)
        drives.append(_drive(rng, part["name"], load, end, "gravity" in arm))
    gauges = [{"link": part["name"], "at": float(rng.choice([0.05, 0.3]))} for part in parts]
    held = all("torque" not in drive and "servo" not in drive and "control" not in drive for drive in drives)
    start = "equilibrium" if held and rng.random() < 0.6 else "undeformed"
    return fa.Scenario.model_validate({
        "name": f"seed {seed}", "arm": arm, "drive": drives, "method": {"name": "fem"},
        "time": {"end": end, "step": "auto", "start": start}, "output": {"gauges": gauges},
    })  # fmt: skip
