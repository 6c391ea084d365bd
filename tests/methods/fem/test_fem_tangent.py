"""Analytic tangents against finite differences of the residual."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import beam, evaluated, model_of, moved, scenario

from flexarm.methods.fem import assemble, payload
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.equilibrium import set_frame
from flexarm.methods.fem.joints import motors
from flexarm.methods.fem.tangents import dense
from flexarm.numerics import laws
from flexarm.numerics.jit import callable_from_python

THEORIES = ("exact", "link", "linear")
SOFT = {"section": {"area": 0.01, "inertia": 1e-4}, "material": {"E": 2e4, "density": 60.0}}
SPEED, PUSH, H = 3.0, 7.0, 0.05
MOVE = {"profile": "quintic", "by": 0.3, "duration": 0.5}
LAWS = [
    moved("a", MOVE, control={"type": "pd", "kp": 3.0, "kv": 0.3}),
    moved("b", MOVE, control={"type": "pid", "kp": 2.0, "kv": 0.2, "ki": 4.0, "sensor": "motor", "limit": 50.0}),
    moved("c", MOVE, control={"type": "pid", "kp": 2.0, "kv": 0.2, "ki": 4.0},
          actuator={"type": "transfer", "poles": ["-40+60j"]}),
]  # fmt: skip
SPRING = {"stiffness": 4.0, "damping": 0.3, "rotor_inertia": 0.1}
JOINTS = {
    "all held": [moved(name, MOVE) for name in "abc"],
    "all free": [],
    "laws": LAWS,
    "mixed": [moved("a", MOVE), {"joint": "b", "torque": {"profile": "constant", "amplitude": 0.1}}, LAWS[2]],
}


def arm(joints: str, springs: bool, offset=(0.1, 0.2), **options):
    """Three soft links with everything that bends, turns and damps."""
    links = [beam(n, length, joint={**(SPRING if springs else {}), "hub_inertia": 0.05, "motor_mass": 0.2},
                  **SOFT) for n, length in zip("abc", (1.0, 0.7, 0.5), strict=True)]  # fmt: skip
    links[1]["masses"] = [{"at": 0.37, "mass": 0.3, "inertia": 0.02}]
    parts = {
        "gravity": [1.0, -9.81, 0.0],
        "damping": {"time": 0.02},
        "payload": {"mass": 0.5, "inertia": 0.03, "offset": list(offset)},
    }
    return model_of(scenario(links, JOINTS[joints], arm=parts, resolution=[2, 1, 3], step=1e-2, **options))


def random_state(model, seed: int) -> tuple:
    """A bent, turning, accelerated arm, commands to match, and law states."""
    rng = np.random.default_rng(seed)
    state = model.empty()
    rows = rng.uniform(-0.5, 0.5, (max(1, model.channels), 7))
    rows[:, 4:] = rng.uniform(0.5, 3.0, (len(rows), 3))
    model.place_rigidly(state, rng.uniform(-0.5, 0.5, 3), rng.uniform(-0.5, 0.5, 3), rows)
    frame = state.x[model.layout["frame"]].reshape(at.FRAME, model.links)
    set_frame(model.parts, rows, frame)
    q, v = state.x[model.layout["q"]], state.x[model.layout["v"]]
    q += 0.05 * rng.standard_normal(model.size)
    v += 0.2 * rng.standard_normal(model.size)
    z = rng.uniform(-0.2, 0.2, (len(rows), laws.Z_SIZE))
    return q, v, rng.standard_normal(model.size), frame, rows, z


def differences(function, q: np.ndarray) -> np.ndarray:
    """Jacobian by central differences of fourth order."""
    d, out = 2e-3, []
    for k in range(len(q)):
        step = d * np.eye(len(q))[k]
        near, far = function(step) - function(-step), function(2 * step) - function(-2 * step)
        out.append((8.0 * near - far) / (12.0 * d))
    return np.array(out).T


def agree(found: np.ndarray, wanted: np.ndarray) -> None:
    scale = np.maximum(np.abs(wanted).max(axis=0), 1e-3 * np.abs(wanted).max())
    assert np.abs((found - wanted) / scale).max() < 1e-7


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("springs", [False, True])
@pytest.mark.parametrize("joints", JOINTS)
@pytest.mark.parametrize("theory", THEORIES)
def test_tangent_of_the_arm(theory, joints, springs, order):
    model = arm(joints, springs, theory=theory, order=order)
    q, v, a, frame, _, _ = random_state(model, 1)
    tangent = evaluated(model, q, v, a, frame, SPEED, PUSH)[1]

    def residual(step):
        return evaluated(model, q + step, v + SPEED * step, a + PUSH * step, frame, SPEED, PUSH)[0]

    agree(tangent, differences(residual, q))


@pytest.mark.parametrize("springs", [False, True])
@pytest.mark.parametrize("joints", ["laws", "mixed"])
def test_tangent_of_the_motors(joints, springs):
    model = arm(joints, springs)
    q, v, _, _, rows, z = random_state(model, 2)
    push_motors = callable_from_python(motors)

    def driven(step):
        model.work.residual[:], model.work.band[:] = 0.0, 0.0
        now = at.parts_of(model.empty().x, model.size, model.links, model.parts.loads)
        now.q[:], now.v[:] = q + step, v + SPEED * step
        push_motors(model.parts, now, model.work, z, rows, H, SPEED, True)
        return model.work.residual.copy(), dense(model.work.band)

    kept = z.copy()
    tangent = driven(np.zeros(model.size))[1]
    assert np.array_equal(z, kept)
    agree(tangent, differences(lambda step: driven(step)[0], q))
    assert np.abs(tangent).max() > 0.5


@pytest.mark.parametrize("theory", THEORIES)
def test_residual_is_the_sum_of_split_forces_and_inertia(theory):
    """The energy sums use forces that are computed apart; they must be the same forces."""
    model = arm("mixed", True, theory=theory, order=2)
    q, v, a, frame, _, _ = random_state(model, 3)
    c, now = model.constant, at.parts_of(model.empty().x, model.size, model.links, model.parts.loads)
    now.v[:], now.a[:], now.frame[:] = v, a, frame

    split = callable_from_python(assemble.split_forces)

    def forces(place):
        now.q[:] = place
        return split(model.parts, now, model.work)

    forces(q)
    total = now.fc + now.fd + c.mass @ a + frame[at.ACCELERATION] @ c.rotary
    callable_from_python(payload.payload_inertia)(model.parts, now, total)
    assert total == pytest.approx(evaluated(model, q, v, a, frame, 0.0, 0.0)[0], rel=1e-12, abs=1e-11)
    conservative = now.fc.copy()
    gradient = differences(lambda step: np.array([forces(q + step)]), q)[0]
    assert gradient == pytest.approx(conservative, rel=1e-7, abs=1e-6 * np.abs(conservative).max())


@pytest.mark.parametrize("theory", THEORIES)
def test_undamped_stiffness_is_symmetric(theory):
    model = arm("all free", True, theory=theory, order=2)
    q, _, _, frame, _, _ = random_state(model, 4)
    zero = np.zeros(model.size)
    K = evaluated(model, q, zero, zero, frame, 0.0, 0.0)[1]
    model.constant.properties[:, :, at.ETA] = 0.0
    frame[at.RATE] = 0.0
    K = evaluated(model, q, zero, zero, frame * (np.arange(at.FRAME) == at.ANGLE)[:, None], 0.0, 0.0)[1]
    assert np.abs(K - K.T).max() < 1e-12 * np.abs(K).max()
