"""Tools on the flange of a six-axis arm: one convention for the axes of `payload` and `body`, the link axes.

The truth is a chain of Denavit-Hartenberg matrices written out here. Link axes have z along the joint axis and x along the
common normal, so those at the tip of the last link are the flange frame (alpha is zero there).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm import rigid

DH = ((0.0, 90.0, 0.3), (0.4, 0.0, 0.0), (0.05, 90.0, 0.0), (0.0, -90.0, 0.35), (0.0, 90.0, 0.0), (0.0, 0.0, 0.12))
"""a (m), alpha (deg), d (m)."""
POSE = np.array([0.3, 0.5, -0.9, 0.7, 0.8, -0.4])
TOOL: dict[str, Any] = {"mass": 2.0, "offset": [0.03, -0.05, 0.11], "inertia": [0.01, 0.02, 0.015]}
G = 9.81


def six_axes(**changes: Any) -> fa.Scenario:
    """Tubes from joint to joint, bodies where both lengths are zero."""
    links: list[dict[str, Any]] = []
    for k, (a, alpha, d) in enumerate(DH):
        joint = {"dh": {"a": a, "alpha": f"{alpha} deg", "d": d}, "position": float(POSE[k])}
        tube = {"section": {"shape": "tube", "diameter": "60 mm", "thickness": "4 mm"}, "material": "aluminium"}
        flexible = k in (1, 3)
        own = tube if flexible else {"flexible": False, "body": {"mass": 0.5, "center": [0.5 * a, 0.0, 0.5 * d]}}
        links.append({"name": f"l{k + 1}", "joint": joint, **own})
    drive = [{"joint": f"l{k + 1}", "motion": {"profile": "constant"}} for k in range(6)]
    plan = {"name": "six axes", "arm": {"gravity": [0, 0, -G], "links": links}, "drive": drive,
            "method": {"name": "fem", "resolution": 2}, "time": {"end": 0.02, "step": 1e-3}}  # fmt: skip
    return fa.loads(json.dumps(plan)).with_(changes)


def flange(q: np.ndarray) -> np.ndarray:
    """Frame (4, 4) of the flange."""
    T = np.eye(4)
    for angle, (a, alpha, d) in zip(q, DH, strict=True):
        (c, s), turn = (np.cos(angle), np.sin(angle)), np.radians(alpha)
        ca, sa = np.cos(turn), np.sin(turn)
        T = T @ np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])
    return T


def tool_motion(q: np.ndarray, offset: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows (3, 6) of the velocity of the tool's centre and of its spin in its own axes, by differences."""
    e, place, spin = 1e-6, np.zeros((3, 6)), np.zeros((3, 6))
    for k, d in enumerate(e * np.eye(6)):
        ahead, behind = flange(q + d), flange(q - d)
        place[:, k] = (ahead - behind)[:3] @ np.append(offset, 1.0) / (2 * e)
        skew = flange(q)[:3, :3].T @ (ahead - behind)[:3, :3] / (2 * e)
        spin[:, k] = skew[2, 1], skew[0, 2], skew[1, 0]
    return place, spin


def test_a_tool_on_the_flange_of_the_stiff_arm() -> None:
    with_tool, without = six_axes(**{"arm.payload": TOOL}).arm, six_axes().arm
    place, spin = tool_motion(POSE, np.array(TOOL["offset"]))
    weight = rigid.inverse_dynamics(with_tool, POSE) - rigid.inverse_dynamics(without, POSE)
    assert weight == pytest.approx(TOOL["mass"] * G * place[2], abs=1e-7)
    added = rigid.mass_matrix(with_tool, POSE) - rigid.mass_matrix(without, POSE)
    assert added == pytest.approx(TOOL["mass"] * place.T @ place + spin.T @ np.diag(TOOL["inertia"]) @ spin, abs=1e-7)


def test_one_number_goes_on_along_the_link() -> None:
    along, freely = (six_axes(**{"arm.payload": {"mass": 2.0, "offset": offset}}).arm for offset in (0.1, [0, 0, 0.1]))
    assert rigid.inverse_dynamics(along, POSE) == pytest.approx(rigid.inverse_dynamics(freely, POSE), abs=1e-12)


def test_a_tool_is_a_payload_or_part_of_the_body() -> None:
    """The same tool as payload and in the last body, in the stiff arm and in finite elements."""
    bare = {"mass": 0.0}
    centre = [0.03, -0.05, 0.12 + 0.11]
    body = {"mass": TOOL["mass"], "center": centre, "inertia": TOOL["inertia"]}
    payload = six_axes(**{"arm.links.l6.body": bare, "arm.payload": TOOL})
    whole = six_axes(**{"arm.links.l6.body": body})
    assert rigid.mass_matrix(payload.arm, POSE) == pytest.approx(rigid.mass_matrix(whole.arm, POSE), abs=1e-12)
    first, second = (fa.frequencies(plan, joints="locked").hz[:4] for plan in (payload, whole))
    assert first == pytest.approx(second, rel=1e-9)


def test_finite_elements_hold_a_tool_as_the_stiff_arm_does() -> None:
    stiff = {f"arm.links.{name}.material": {"E": "7e15 Pa", "density": 2700.0} for name in ("l2", "l4")}
    plan = six_axes(**{"arm.payload": TOOL, "time.start": "equilibrium", **stiff})
    data = fa.simulate(plan).data
    wanted = rigid.inverse_dynamics(plan.arm, POSE)
    assert data.drive_torque.values[0] == pytest.approx(wanted, abs=1e-5 * np.abs(wanted).max())
