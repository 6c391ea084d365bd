"""Arms, drives and runs drawn by a seed.

`drawn`: one to three links, payloads, springs, gravity, pulses, motions, servos, laws. `varied`: the same with sections that change,
rigid links, lumps, gears, friction, sampled laws, actuators, paths and events on top, or a closed loop.
"""

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


def _plan(seed: int, spatial: bool, links: int | None) -> dict[str, Any]:
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
    return {
        "name": f"seed {seed}", "arm": arm, "drive": drives, "method": {"name": "fem"},
        "time": {"end": end, "step": "auto", "start": start}, "output": {"gauges": gauges},
    }  # fmt: skip


def drawn(seed: int, spatial: bool = False, links: int | None = None) -> fa.Scenario:
    """An arm of 1 to 3 links with its drives and gauges; `time.step` is auto, the method fem."""
    return fa.Scenario.model_validate(_plan(seed, spatial, links))


def _sections(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    """Tubes, rods, tapers and steps, of materials of the library."""
    for link in plan["arm"]["links"]:
        width, height = link["section"]["width"], link["section"]["height"]
        whole = {"shape": "rectangle", "width": width, "height": height}
        thin = {**whole, "height": 0.7 * height}
        cut = float(rng.uniform(0.3, 0.7))
        link["section"] = [
            {"shape": "tube", "diameter": 1.2 * height, "thickness": 0.1 * height},
            {"shape": "circle", "diameter": 1.1 * height},
            [{"at": 0.0, **whole}, {"at": 1.0, **thin}],
            [{"at": 0.0, **whole}, {"at": cut, **whole}, {"at": cut, **thin}, {"at": 1.0, **thin}],
        ][int(rng.integers(4))]
        if link["material"] is not MATERIALS["polymer"]:
            link["material"] = str(rng.choice(["aluminium", "steel", "titanium", "carbon-fibre"]))


def _rigid(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    """One of several links does not bend."""
    links = plan["arm"]["links"]
    if len(links) == 1:
        return
    stiff = links[int(rng.integers(len(links)))]
    mass, length = _mass_of(stiff), stiff["length"]
    stiff |= {
        "flexible": False,
        "body": {"mass": mass, "center": [0.5 * length, 0.0], "inertia": mass * length**2 / 12},
    }
    del stiff["section"], stiff["material"]
    plan["output"]["gauges"] = [gauge for gauge in plan["output"]["gauges"] if gauge["link"] != stiff["name"]]


def _lumps(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    """A lump along a link that bends, and a motor on the elbow."""
    links = plan["arm"]["links"]
    link = links[int(rng.integers(len(links)))]
    if link.get("flexible", True):
        mass = float(rng.uniform(0.1, 0.4)) * _mass_of(link)
        link["masses"] = [{"at": float(rng.uniform(0.3, 0.8)), "mass": mass, "inertia": 1e-3 * mass}]
    for link in links[1:]:
        link["joint"]["motor_mass"] = 0.5 * _mass_of(link)


def _tool(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    mass = float(rng.uniform(0.2, 0.6)) * _mass_of(plan["arm"]["links"][-1])
    plan["arm"]["payload"] = {"mass": mass, "inertia": 2e-3 * mass, "offset": float(rng.uniform(0.01, 0.04))}


def _gears(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    for link in plan["arm"]["links"]:
        joint, ratio = link["joint"], float(rng.choice([-20.0, 30.0, 100.0]))
        reflected = joint.get("rotor_inertia", 2.0 * joint["hub_inertia"])
        joint |= {
            "rotor_inertia": reflected / ratio**2,
            "gear": {"ratio": ratio, "efficiency": float(rng.uniform(0.7, 1.0))},
        }


def _friction(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    for link, drive in zip(plan["arm"]["links"], plan["drive"], strict=True):
        size = drive["torque"]["amplitude"] if "torque" in drive else 0.1 * drive.get("control", {}).get("kp", 0.0)
        link["joint"]["friction"] = float(rng.uniform(0.05, 0.2)) * size


def _sampled(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    """Laws that hold their torque for a period; hubs so heavy that it does not turn them too far until the next one."""
    for link, drive in zip(plan["arm"]["links"], plan["drive"], strict=True):
        if "control" in drive:
            period = drive["control"]["period"] = float(rng.choice([1e-3, 2e-3]))
            link["joint"]["hub_inertia"] = max(link["joint"]["hub_inertia"], 4.0 * drive["control"]["kv"] * period)


def _laws(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    """Integral action, feed-forward, gain sets, limits."""
    for drive in plan["drive"]:
        law = drive.get("control")
        if law is None:
            continue
        kind = int(rng.integers(3))
        if kind == 0:
            law |= {"type": "pid", "ki": 2.0 * law["kp"]}
        elif kind == 1:
            drive["feedforward"] = "rigid"
        else:
            kp, kv = law.pop("kp"), law.pop("kv")
            law["gains"] = [{"until": 0.5 * plan["time"]["end"], "kp": kp, "kv": kv}, {"kp": 1.5 * kp, "kv": 1.2 * kv}]


def _actuators(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    for drive in plan["drive"]:
        kind = int(rng.integers(3))
        if "control" in drive and kind == 0 and "gear" not in plan["arm"]["links"][0]["joint"]:
            drive["actuator"] = {"type": "dc-motor", "torque_constant": 1.0, "resistance": 0.5, "inductance": 1e-3}
        elif "servo" not in drive and kind == 1:
            drive["actuator"] = {"type": "transfer", "poles": [-float(rng.uniform(100.0, 400.0))]}
        elif "motion" in drive and kind == 2 and not {"servo", "control"} & set(drive):
            drive["actuator"] = {"type": "hydraulic", "loop_gain": 20.0, "natural_frequency": 12.0, "damping": 0.3}


def _torques(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    """Sines and tables in place of pulses."""
    for drive in plan["drive"]:
        if "torque" in drive:
            size, end = drive["torque"]["amplitude"], plan["time"]["end"]
            points = [[0.0, 0.0], [0.3 * end, size], [0.6 * end, -size], [end, 0.0]]
            drive["torque"] = [
                {"profile": "sine", "amplitude": size, "frequency": float(rng.uniform(1.0, 5.0))},
                {"profile": "table", "points": points, "interpolate": str(rng.choice(["linear", "hold"]))},
            ][int(rng.integers(2))]


def _event(rng: np.random.Generator, plan: dict[str, Any]) -> None:
    arm, rule = plan["arm"], str(rng.choice(["at-rest", "matched", "released"]))
    now = arm.setdefault("payload", {"mass": 0.2 * _mass_of(arm["links"][-1]), "inertia": 0.0})
    factor = 0.3 if rule == "released" else 2.0
    then = {**now, "mass": factor * now["mass"], "inertia": factor * now["inertia"]}
    plan["events"] = [{"at": 0.5 * plan["time"]["end"], "payload": then, "rule": rule}]


def _mass_of(link: dict[str, Any]) -> float:
    return float(fa.Arm(links=[link]).links[0].mass)


SPICES = (_sections, _tool, _gears, _friction, _sampled, _laws, _actuators, _torques, _event, _lumps, _rigid)


def _closed(rng: np.random.Generator, seed: int) -> dict[str, Any]:
    """A five-bar arm on two ground pins, its cranks led or held by laws."""
    base = float(rng.uniform(0.15, 0.3))
    near, far = float(rng.uniform(0.2, 0.35)), float(rng.uniform(0.4, 0.6))
    material = str(rng.choice(["aluminium", "steel", "carbon-fibre"]))
    size = float(rng.uniform(8e-3, 14e-3))

    def bar(name: str, parent: str, length: float, thick: float, **joint: Any) -> dict[str, Any]:
        section = {"shape": "tube", "diameter": thick, "thickness": 0.1 * thick}
        return {
            "name": name,
            "parent": parent,
            "length": length,
            "section": section,
            "material": material,
            "joint": joint,
        }

    hub = {"hub_inertia": float(rng.uniform(1e-3, 5e-3))}
    links = [
        {"name": "base", "parent": "ground", "flexible": False, "length": base, "joint": {"type": "fixed"}},
        bar("left", "ground", near, 1.5 * size, position=float(rng.uniform(1.7, 2.2)), **hub),
        bar("left-far", "left", far, size),
        bar("right", "base", near, 1.5 * size, position=float(rng.uniform(0.9, 1.4)), **hub),
        bar("right-far", "right", far, size),
    ]
    drives = []
    led = rng.random() < 0.4
    for joint in ("left", "right"):
        drive = {
            "joint": joint,
            "motion": {"profile": "quintic", "by": float(rng.uniform(-0.4, 0.4)), "duration": 0.25},
        }
        if not led:
            drive["control"] = {"type": "pd", "kp": float(rng.uniform(30.0, 100.0)), "kv": float(rng.uniform(1.0, 3.0))}
        drives.append(drive)
    arm = {
        "links": links, "payload": {"link": "left-far", "mass": float(rng.uniform(0.1, 0.5))}, "damping": {"ratio": 0.01},
        "loops": [{"name": "tip", "pin": ["left-far.tip", "right-far.tip"]}],
        "gravity": [0.0, -9.81 * int(rng.integers(2)), 0.0],
    }  # fmt: skip
    return {
        "name": f"seed {seed}", "arm": arm, "drive": drives, "method": {"name": "fem"},
        "time": {"end": 0.4, "step": "auto", "start": str(rng.choice(["equilibrium", "undeformed"]))},
        "output": {"gauges": [{"link": "left-far", "at": 0.4}, {"link": "right", "at": 0.1}]},
    }  # fmt: skip


def varied(seed: int, spatial: bool = False) -> fa.Scenario:
    """An arm of 1 to 4 links with two to four more kinds of parts than `drawn` has, or a loop; `spatial`: the arm of `drawn`."""
    rng = np.random.default_rng(1000 + seed)
    if seed % 8 == 7 and not spatial:
        return fa.Scenario.model_validate(_closed(rng, seed))
    plan = _plan(seed, spatial, links=1 if seed % 4 == 0 else int(rng.integers(1, 5)))
    plan["time"]["end"] = min(0.1 * int(10.0 * plan["time"]["end"]), 0.5)
    if not spatial:
        for link, drive in zip(plan["arm"]["links"], plan["drive"], strict=True):
            if (
                "stiffness" in link["joint"] and "control" in drive
            ):  # fed back from behind a spring it would be unstable
                drive["control"]["sensor"] = "motor"
        if len(plan["arm"]["links"]) == 1:  # where fd can be compared, which has no centrifugal force
            plan["output"]["gauges"][0]["reads"] = "bending"
        if "damping" in plan["arm"]:
            plan["arm"]["damping"] = {"time": float(rng.choice([1e-4, 4e-4]))}
        chosen = set(rng.choice(len(SPICES), size=int(rng.integers(2, 5)), replace=False))
        for k, spice in enumerate(SPICES):
            if k in chosen:
                spice(rng, plan)
    return fa.Scenario.model_validate(plan)
