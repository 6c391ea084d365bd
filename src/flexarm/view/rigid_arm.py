"""The rigid arm beside the flexible one, for pictures that show both."""

from __future__ import annotations

import numpy as np

from flexarm.view.source import Source, has, names, stations, values


def rigid_shape(result: Source) -> tuple[np.ndarray, str] | None:
    """Stations of the rigid arm over time and what to call it; None if it is not known.

    Taken from the joints of the scenario's arm: commanded ones if they are known, else the actual ones. Without
    a scenario, a single link is the straight line from its root to the rigid tip, which is the
    tip minus ``tip_error`` (else minus ``tip_deflection``).

    Returns
    -------
    (ndarray, str) or None
        Positions in m, shape (nt, nlink, ns, 3), and words for a legend.
    """
    commanded = has(result, "commanded_position") and np.isfinite(values(result, "commanded_position")).all()
    lines = stiff_lines(result, "commanded_position" if commanded else "joint_position")
    if lines is not None:
        return lines, _words(commanded)
    offset = next((name for name in ("tip_error", "tip_deflection") if has(result, name)), None)
    if result.data.sizes.get("link") != 1 or offset is None or not has(result, "tip_position"):
        return None
    root = values(result, "shape")[:, 0, 0]
    tip = values(result, "tip_position") - values(result, offset)
    return np.stack([root, tip], axis=1)[:, None], _words(offset == "tip_error")


def stiff_lines(result: Source, joints: str) -> np.ndarray | None:
    """Stations of the stiff arm in m, shape (nt, nlink, ns, 3), at the joints that a variable holds; None without a
    scenario, or where its joints are others."""
    arm = getattr(getattr(result, "scenario", None), "arm", None)
    if arm is None or not has(result, "joint_position") or tuple(names(result, "joint")) != tuple(arm.joints):
        return None
    from flexarm.rigid import forward
    from flexarm.sketch.arm import lines_along

    return lines_along(arm, forward(arm, values(result, joints)), stations(result))


def _words(commanded: bool) -> str:
    return f"rigid arm at {'commanded' if commanded else 'actual'} joints"
