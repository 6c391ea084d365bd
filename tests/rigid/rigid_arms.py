"""Arms that the tests of the rigid room share."""

from __future__ import annotations

import math

from flexarm.arm import Arm

STEEL = {"E": 207e9, "density": 7850.0, "nu": 0.3}
TAPER = [
    {"at": 0.0, "shape": "rectangle", "width": 0.04, "height": 0.06},
    {"at": 0.4, "shape": "rectangle", "width": 0.03, "height": 0.05},
    {"at": 0.4, "shape": "tube", "diameter": 0.05, "thickness": 0.004},
    {"at": 1.0, "shape": "tube", "diameter": 0.03, "thickness": 0.002},
]
BAR = {"shape": "rectangle", "width": 0.02, "height": 0.03}


def planar_serial() -> Arm:
    """Four links, one welded at an angle, with taper, lumps, motors and an offset payload."""
    motor = {"hub_inertia": 0.02, "rotor_inertia": 0.013, "motor_mass": 1.7}
    return Arm(
        gravity=(1.0, -9.81, 0.0),
        links=[
            {"name": "a", "length": 0.9, "section": TAPER, "material": STEEL, "joint": motor,
             "masses": [{"at": 0.3, "mass": 0.7, "inertia": 0.01}]},
            {"name": "kink", "length": 0.3, "section": BAR, "material": STEEL,
             "joint": {"type": "fixed", "position": 0.5, "motor_mass": 0.4}},
            {"name": "b", "length": 0.7, "section": TAPER, "material": STEEL,
             "joint": {**motor, "stiffness": 90.0},
             "points": {"ear": (0.2, 0.1)},
             "masses": [{"at": "ear", "mass": 0.5}, {"at": "tip", "mass": 0.1}]},
            {"name": "c", "flexible": False, "length": 0.5, "joint": motor,
             "body": {"mass": 2.0, "center": (0.2, -0.05), "inertia": 0.03}},
        ],
        payload={"mass": 1.1, "inertia": 0.02, "offset": (0.1, 0.07)},
    )  # fmt: skip


def planar_tree() -> Arm:
    """Branches at a fraction and at a named point, the payload not on the last link."""
    return Arm(
        gravity=(0.0, -9.81, 0.0),
        links=[
            {"name": "trunk", "length": 1.2, "section": TAPER, "material": STEEL,
             "points": {"side": (0.5, 0.2)}},
            {"name": "left", "parent": "trunk", "at": 0.6, "length": 0.5, "section": BAR, "material": STEEL,
             "joint": {"motor_mass": 0.9, "hub_inertia": 0.01}},
            {"name": "right", "parent": "trunk", "at": "side", "length": 0.4,
             "section": BAR, "material": STEEL, "joint": {"motor_mass": 0.6}},
            {"name": "hand", "parent": "left", "length": 0.2, "section": BAR, "material": STEEL},
            {"name": "second", "parent": "ground", "length": 0.3, "section": BAR, "material": STEEL},
        ],
        payload={"link": "hand", "mass": 0.8, "inertia": 0.01, "offset": 0.05},
    )  # fmt: skip


def spatial_turning() -> Arm:
    """Links with d and a of either sign, twists, a rigid body, hub inertia and an offset payload."""
    motor = {"hub_inertia": 0.05, "rotor_inertia": 0.02, "motor_mass": 1.2}
    return Arm(
        gravity=(0.5, 0.0, -9.81),
        links=[
            {"name": "column", "section": TAPER, "material": STEEL,
             "joint": {**motor, "dh": {"d": 0.5, "a": 0.2, "alpha": math.pi / 2, "theta": 0.3}}},
            {"name": "upper", "section": TAPER, "material": STEEL,
             "joint": {**motor, "dh": {"d": -0.15, "a": -0.8, "alpha": 0.4}},
             "masses": [{"at": 0.1, "mass": 0.6, "inertia": 0.02}]},
            {"name": "bracket", "section": BAR, "material": STEEL,
             "joint": {"type": "fixed", "position": 0.2,
                       "dh": {"d": 0.1, "a": 0.1, "alpha": -0.7, "theta": 0.1}}},
            {"name": "wrist", "flexible": False, "points": {"tool": (0.1, 0.02, -0.03)},
             "joint": {**motor, "dh": {"alpha": -math.pi / 2}},
             "body": {"mass": 1.5, "center": (0.05, 0.01, 0.02), "inertia": (0.01, 0.02, 0.025)},
             "masses": [{"at": "tool", "mass": 0.3}]},
            {"name": "hand", "section": BAR, "material": STEEL, "joint": {"dh": {"d": -0.3}}},
        ],
        payload={"mass": 0.9, "inertia": (0.01, 0.03, 0.02), "offset": (0.1, 0.05, -0.04)},
    )  # fmt: skip


def spatial_sliding(retracted: str = "rigid") -> Arm:
    """Two turning joints, a tapered boom that slides and bends off at its end, and a hand."""
    return Arm(
        gravity=(0.0, 0.3, -9.81),
        links=[
            {"name": "column", "section": BAR, "material": STEEL,
             "joint": {"hub_inertia": 0.05, "dh": {"d": 0.5, "alpha": -math.pi / 2}}},
            {"name": "shoulder", "length": 0.3, "section": BAR, "material": STEEL,
             "joint": {"dh": {"a": 0.3, "alpha": math.pi / 2}}},
            {"name": "boom", "length": 1.6, "section": TAPER, "material": STEEL,
             "joint": {"type": "prismatic", "position": 0.8, "retracted": retracted, "motor_mass": 2.0,
                       "dh": {"a": 0.25, "alpha": 0.6, "theta": 0.2, "d": 0.1}},
             "masses": [{"at": 0.9, "mass": 0.4, "inertia": 0.01}]},
            {"name": "hand", "length": 0.2, "section": BAR, "material": STEEL, "joint": {"motor_mass": 0.3}},
        ],
        payload={"mass": 1.3, "inertia": 0.02, "offset": 0.08},
    )  # fmt: skip


def two_link(l1: float = 1.0, l2: float = 0.8, **more) -> Arm:
    """Two uniform rods."""
    rod = {"section": BAR, "material": STEEL}
    return Arm(links=[{"name": "upper", "length": l1, **rod}, {"name": "fore", "length": l2, **rod}], **more)


def spatial_three() -> Arm:
    """Hip, shoulder and elbow: a column of 0.5 m and two links of 1 m."""
    tube = {"section": {"area": 915e-6, "inertia": 1.08e-6, "torsion": 2.16e-6}, "material": STEEL}
    return Arm(
        gravity=(0.0, 0.0, -9.81),
        links=[
            {"name": "column", **tube, "joint": {"dh": {"d": 0.5, "alpha": math.pi / 2}}},
            {"name": "upper", **tube, "joint": {"position": math.radians(30), "dh": {"a": 1.0}}},
            {"name": "fore", **tube, "joint": {"position": math.radians(-60), "dh": {"a": 1.0}}},
        ],
    )


def four_bar(ground: float, crank: float, coupler: float, rocker: float, **more) -> Arm:
    """A crank at the origin, a rocker at (ground, 0), a coupler between them; the crank is driven."""
    rod = {"section": BAR, "material": STEEL}
    return Arm(
        links=[
            {
                "name": "base",
                "flexible": False,
                "joint": {"type": "fixed"},
                "points": {"pivot": (ground, 0.0)},
            },
            {"name": "crank", "length": crank, **rod, "joint": {"position": 1.0}},
            {"name": "coupler", "length": coupler, **rod},
            {"name": "rocker", "parent": "base", "at": "pivot", "length": rocker, **rod},
        ],
        loops=[{"name": "four-bar", "pin": ("coupler.tip", "rocker.tip")}],
        **more,
    )


def five_bar(**more) -> Arm:
    """Two driven cranks on the ground, 0.4 m apart, and two arms that meet in a pin."""
    rod = {"section": BAR, "material": STEEL}
    return Arm(
        links=[
            {"name": "base", "flexible": False, "joint": {"type": "fixed"}, "points": {"pivot": (0.4, 0.0)}},
            {"name": "left", "length": 0.35, **rod, "joint": {"position": 2.0, "hub_inertia": 0.01}},
            {"name": "left-arm", "length": 0.55, **rod},
            {
                "name": "right",
                "parent": "base",
                "at": "pivot",
                "length": 0.3,
                **rod,
                "joint": {"position": 0.9},
            },
            {"name": "right-arm", "length": 0.6, **rod},
        ],
        loops=[{"name": "five-bar", "pin": ("left-arm.tip", "right-arm.tip")}],
        **more,
    )


def ralf(bracket: float = 0.6096, rod_length: float = 3.048) -> Arm:
    """A long arm whose upper link is driven through a parallelogram (or nearly one)."""
    alloy = {"E": 68.9e9, "density": 2700.0, "nu": 0.33}

    def tube(diameter: float, thickness: float) -> dict:
        section = {"shape": "tube", "diameter": diameter, "thickness": thickness}
        return {"section": section, "material": alloy}

    return Arm(
        gravity=(0.0, -9.81, 0.0),
        links=[
            {"name": "lower", "length": 3.048, **tube(0.26, 0.0021), "joint": {"position": math.radians(60)},
             "masses": [{"at": "tip", "mass": 21.0}]},
            {"name": "bellcrank", "parent": "ground", "flexible": False, "points": {"crank": (-0.6096, 0.0)},
             "body": {"mass": 5.0}, "joint": {"position": math.radians(16)}},
            {"name": "actuating", "parent": "bellcrank", "at": "crank", "length": rod_length,
             **tube(0.1027, 0.0037)},
            {"name": "upper", "parent": "lower", "length": 3.048, **tube(0.1665, 0.0021),
             "points": {"rear": (-bracket, 0.0)},
             "masses": [{"at": "rear", "mass": 4.5}, {"at": "tip", "mass": 0.4}]},
        ],
        loops=[{"name": "parallelogram", "pin": ("actuating.tip", "upper.rear")}],
    )  # fmt: skip
