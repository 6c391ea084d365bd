"""Every ability of `fd` as a short scenario, for tests that run over all of them."""

from __future__ import annotations

PULSE = {"joint": "link", "torque": {"profile": "versine", "amplitude": 0.2, "duration": 0.1}}
STEP = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.1, "duration": 0.07}}
MOVE = {"joint": "link", "motion": {"profile": "quintic", "by": 0.3, "duration": 0.15}}
SWING = {
    "joint": "link",
    "motion": {"profile": "sine", "amplitude": 0.05, "frequency": 4.0, "phase": -1.5707963267948966},
}
HOLD = {"joint": "link", "motion": {"profile": "constant"}}
PD = {"joint": "link", "motion": {"profile": "quintic", "by": 0.3, "duration": 0.15},
      "control": {"type": "pd", "kp": 3.0, "kv": 0.3}}  # fmt: skip
SPRING = {"stiffness": 40.0, "damping": 0.02, "rotor_inertia": 1e-3}
DOWN = [0.0, -9.81, 0.0]
BODY = {"mass": 0.05, "inertia": 3e-5, "offset": 0.03}
TAPER = {
    "section": [
        {"at": 0.0, "shape": "rectangle", "width": 0.02, "height": 0.006},
        {"at": 1.0, "shape": "rectangle", "width": 0.01, "height": 0.003},
    ],
    "material": "aluminium",
}
MOMENT = {
    "patch": {"link": "link", "from": 0.1, "to": 0.45},
    "moment": {"profile": "versine", "amplitude": 0.3, "duration": 0.1},
}
FORCE = {"patch": {"link": "link", "from": 0.7}, "force": {"profile": "versine", "amplitude": 0.4, "duration": 0.1}}
LUMPS = {"masses": [{"at": 0.5, "mass": 0.02}, {"at": 0.73, "mass": 0.01, "inertia": 1e-6}]}
NO_HUB = {"hub_inertia": 0.0}

CONFIGURATIONS: dict[str, dict] = {
    "torque": {"drive": STEP},
    "torque, no hub": {"drive": PULSE, "joint": NO_HUB},
    "torque, rotor": {"drive": STEP, "joint": {"rotor_inertia": 1e-3}},
    "torque, paper": {"drive": STEP, "variant": "paper", "payload": {"mass": 0.02, "inertia": 1e-5}},
    "free": {"drive": (), "joint": {"velocity": 1.0}, "payload": BODY},
    "motion": {"drive": MOVE},
    "motion, no hub": {"drive": MOVE, "joint": NO_HUB},
    "motion, velocity jumps": {
        "drive": {"joint": "link", "motion": {"profile": "constant", "speed": 1.0, "duration": 0.1}}
    },
    "motion, paper": {"drive": MOVE, "variant": "paper", "payload": {"mass": 0.02, "inertia": 1e-5}},
    "flexible joint, torque": {"drive": STEP, "joint": SPRING},
    "flexible joint, torque, no damper": {"drive": STEP, "joint": {**SPRING, "damping": 0.0}},
    "flexible joint, torque, no hub": {"drive": STEP, "joint": {**SPRING, **NO_HUB}},
    "flexible joint, motion": {"drive": MOVE, "joint": {"stiffness": 40.0}},
    "flexible joint, motion, damper, rotor": {"drive": MOVE, "joint": SPRING},
    "flexible joint, motion, no hub": {"drive": MOVE, "joint": {"stiffness": 40.0, **NO_HUB}},
    "flexible joint, free": {"drive": (), "joint": {**SPRING, "velocity": 1.0}, "gravity": [9.81, 0, 0]},
    "flexible joint, paper": {"drive": STEP, "joint": SPRING, "variant": "paper"},
    "payload": {"drive": STEP, "payload": BODY},
    "payload, motion": {"drive": MOVE, "payload": BODY},
    "payload without mass": {"drive": STEP, "payload": {"inertia": 1e-4}},
    "payload beside the axis, gravity": {
        "drive": SWING,
        "payload": {"mass": 0.05, "offset": [0.02, 0.03]},
        "gravity": DOWN,
    },
    "motor mass": {"drive": STEP, "joint": {"motor_mass": 3.0}},
    "gravity, held": {"drive": HOLD, "gravity": DOWN},
    "gravity, released at t = 0": {"drive": STEP, "gravity": DOWN, "start": "locked"},
    "gravity, equilibrium, motion": {"drive": MOVE, "gravity": DOWN, "start": "equilibrium", "payload": BODY},
    "gravity, hanging": {"drive": STEP, "gravity": [9.81, 0, 0], "joint": {"velocity": 0.2}},
    "gravity, inclined": {"drive": SWING, "gravity": DOWN, "joint": {"position": 0.8}, "start": "equilibrium"},
    "gravity, inclined, torque": {"drive": STEP, "gravity": DOWN, "joint": {"position": -0.8}},
    "gravity, upwards, torque": {"drive": STEP, "gravity": DOWN, "joint": {"position": 0.8}},
    "taper": {"drive": STEP, "link": TAPER},
    "taper, motion, body": {"drive": MOVE, "link": TAPER, "payload": BODY},
    "damped, torque": {"drive": STEP, "damping": {"time": 5e-4}},
    "damped, no hub": {"drive": PULSE, "damping": {"time": 5e-4}, "joint": NO_HUB},
    "damped, motion": {"drive": MOVE, "damping": {"time": 5e-4}, "payload": BODY},
    "damped, gravity": {"drive": MOVE, "damping": {"time": 5e-4}, "gravity": DOWN, "joint": {"position": -0.5}},
    "damped, flexible joint": {"drive": STEP, "damping": {"time": 5e-4}, "joint": SPRING},
    "patch of moment": {"drive": [HOLD, MOMENT]},
    "patch of moment, torque, no hub": {"drive": [PULSE, MOMENT], "joint": NO_HUB},
    "patch of moment at the root": {"drive": [STEP, {**MOMENT, "patch": {"link": "link", "from": 0.0, "to": 0.3}}]},
    "patch of force": {"drive": [MOVE, FORCE]},
    "patch of force, free, damped": {"drive": [FORCE], "damping": {"time": 5e-4}},
    "pinned tip": {"drive": STEP, "tip": "pinned"},
    "pinned tip, motion": {"drive": SWING, "tip": "pinned", "gravity": DOWN},
    "pinned tip, turned": {"drive": STEP, "tip": "pinned", "joint": {"position": 0.5}},
    "lumps": {"drive": STEP, "link": LUMPS},
    "lumps, motion": {"drive": MOVE, "link": LUMPS},
    "lump, torque": {
        "drive": STEP,
        "link": {"masses": [{"at": 0.5, "mass": 0.02}, {"at": 0.0, "mass": 1.0, "inertia": 1e-3}]},
    },
    "law": {"drive": PD},
    "law, no hub": {"drive": PD, "joint": NO_HUB},
    "law, flexible joint, motor": {"drive": {**PD, "control": {**PD["control"], "sensor": "motor"}}, "joint": SPRING},
    "law, chord, damped": {"drive": {**PD, "control": {**PD["control"], "sensor": "chord"}}, "damping": {"time": 2e-3}},
    "law, gravity": {"drive": PD, "gravity": DOWN, "start": "equilibrium"},
    "friction": {"drive": STEP, "joint": {"friction": 0.02}},
    "friction, law": {"drive": PD, "joint": {"friction": 0.05}},
    "friction, no hub": {"drive": PULSE, "joint": {"friction": 0.02, **NO_HUB}},
}
