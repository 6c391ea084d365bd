"""Names of signals as people say them: ``drive_torque:elbow`` is the motor torque of the elbow."""

from __future__ import annotations

import re

WORDS = {
    "tip_position": "tip position",
    "tip_deflection": "tip deflection",
    "tip_error": "tip error",
    "tip_error_link": "tip error",
    "path_position": "wanted tip position",
    "path_error": "path error",
    "travel": "tip travel",
    "link_deformation": "deflection at the end",
    "joint_position": "joint angle",
    "joint_velocity": "joint rate",
    "motor_position": "motor angle",
    "motor_velocity": "motor rate",
    "commanded_position": "commanded joint angle",
    "commanded_velocity": "commanded joint rate",
    "joint_deformation": "joint deformation",
    "joint_torque": "joint torque",
    "drive_torque": "motor torque",
    "rigid_torque": "torque of the stiff arm",
    "shaft_torque": "torque at the motor shaft",
    "shaft_speed": "speed of the motor shaft",
    "shaft_power": "power of the motor",
    "cylinder_length": "cylinder length",
    "cylinder_force": "cylinder force",
    "cylinder_pressure": "pressure on the piston",
    "strain": "strain",
    "reading": "reading",
    "loop_force": "pin force",
    "angular_momentum": "angular momentum",
}
"""Variable -> what people call it."""
SLIDING = {
    "joint angle": "joint extension",
    "joint rate": "joint speed",
    "motor angle": "motor position",
    "motor rate": "motor speed",
    "joint torque": "joint force",
    "motor torque": "motor force",
}
"""The same for joints that slide."""
AXES = ("x", "y", "z")


def signal_words(signal: str, sliding: bool = False) -> str:
    """A signal, ``variable`` or ``variable:part``, in words.

    Examples
    --------
    >>> signal_words("drive_torque:elbow"), signal_words("tip_error:y"), signal_words("strain:upper@0")
    ('motor torque, elbow', 'tip error along y', 'strain, root of upper')
    """
    name, _, part = signal.partition(":")  # names of gauges may hold another colon
    words = WORDS.get(name, name.replace("_", " "))
    words = SLIDING.get(words, words) if sliding else words
    if not part:
        return words
    if part in AXES:
        return f"{words} along {part}"
    return f"{words}, {gauge_words(part) if name == 'strain' else part}"


def gauge_words(label: str) -> str:
    """A gauge in words; one without a name of its own is called by its place.

    Examples
    --------
    >>> gauge_words("upper@0:z"), gauge_words("link@0.5"), gauge_words("my gauge")
    ('root of upper, z side', 'link at 0.5', 'my gauge')
    """
    found = re.fullmatch(r"(.+)@([0-9.]+)(?::(.+))?", label)
    if found is None:
        return label
    link, at, side = found.groups()
    place = {0.0: f"root of {link}", 1.0: f"tip of {link}"}.get(float(at), f"{link} at {at}")
    return f"{place}, {side} side" if side else place
