"""Made-up results with plausible motion: one link, two links in the plane, three links in space.

The vibration is that of damped oscillators driven by the hub's acceleration, with clamped-free mode shapes;
positions follow from it by exact geometry, so that variables fit together as those of a real run do.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from flexarm.arm import Arm

TIME = np.arange(1201) * 1e-3
S = np.linspace(0.0, 1.0, 21)
WORDS = {
    "joint_position": ("rad", "joint position, link side"),
    "joint_velocity": ("rad/s", "joint velocity, link side"),
    "motor_position": ("rad", "motor position"),
    "joint_torque": ("N*m", "torque through the joint"),
    "drive_torque": ("N*m", "torque of the motor"),
    "rigid_torque": ("N*m", "torque of the stiff arm"),
    "tip_position": ("m", "tip position"),
    "tip_error": ("m", "tip minus stiff arm at the commanded joints"),
    "tip_deflection": ("m", "tip minus stiff arm at the actual joints"),
    "path_position": ("m", "wanted tip position"),
    "path_error": ("m", "tip minus wanted path"),
    "shape": ("m", "position along the link"),
    "deflection": ("m", "deflection from the tangent at the root"),
    "stress": ("Pa", "stress at the outer fibre"),
    "bending_moment": ("N*m", "bending moment along the link"),
    "shear_force": ("N", "shear force along the link"),
    "axial_force": ("N", "axial force along the link"),
    "travel": ("m", "tip travel, length times hub angle plus deflection"),
    "strain": ("1", "strain"),
    "energy": ("J", "energy"),
}


def dataset(variables: dict, title: str, method: str, **coords) -> xr.Dataset:
    """A labelled dataset from {name: (dims, array)}."""
    data = xr.Dataset(variables, coords={"time": TIME, "axis": list("xyz"), "s": S, **coords})
    data.attrs.update(title=title, method=method)
    for name, (unit, words) in WORDS.items():
        if name in data:
            data[name].attrs.update(units=unit, long_name=words)
    return data


def integral(rate: np.ndarray) -> np.ndarray:
    """Running integral over TIME by the trapezoidal rule."""
    step = 0.5 * (rate[1:] + rate[:-1]) * np.diff(TIME).reshape(-1, *[1] * (rate.ndim - 1))
    return np.concatenate([np.zeros((1, *rate.shape[1:])), np.cumsum(step, axis=0)])


def clamped_mode(k: int) -> np.ndarray:
    """Clamped-free beam mode k = 0, 1 over S, with 1 at the tip."""
    beta = (1.8751040687, 4.6940911330)[k]
    ratio = (np.cosh(beta) + np.cos(beta)) / (np.sinh(beta) + np.sin(beta))
    shape = np.cosh(beta * S) - np.cos(beta * S) - ratio * (np.sinh(beta * S) - np.sin(beta * S))
    return shape / shape[-1]


def oscillator(force: np.ndarray, hertz: float, damping: float) -> np.ndarray:
    """Displacement of a damped oscillator under an acceleration `force` given at TIME."""
    w, h = 2 * np.pi * hertz, TIME[1] - TIME[0]
    q, v, path = 0.0, 0.0, []
    for f in force:
        path.append(q)
        v = (v + h * (f - w * w * q)) / (1 + 2 * damping * w * h)
        q += h * v
    return np.array(path)


def quintic(angle: float, duration: float) -> np.ndarray:
    """Smooth move by `angle` within `duration`, at TIME."""
    p = np.clip(TIME / duration, 0, 1)
    return angle * (10 * p**3 - 15 * p**4 + 6 * p**5)


def slope(array: np.ndarray) -> np.ndarray:
    """Time derivative."""
    return np.gradient(array, TIME, axis=0)


def energy_of(kinetic: np.ndarray, elastic: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Energy kinds whose balance closes up to a small residual."""
    dissipated = integral(0.4 * elastic)
    numerical = 1e-6 * integral(elastic)
    residual = 2e-9 * np.sin(40 * TIME) * TIME
    gravity = np.zeros_like(TIME)
    work = kinetic + elastic + dissipated + numerical + residual
    kinds = ["kinetic", "elastic", "gravity", "work", "dissipated", "numerical", "residual"]
    return kinds, np.stack([kinetic, elastic, gravity, work, dissipated, numerical, residual], axis=1)


def make_single() -> SimpleNamespace:
    """One link of 0.96 m under a bang-bang torque of 0.1 N m for 0.6 s."""
    length, inertia = 0.96, 0.0498
    torque = np.where(TIME < 0.3, 0.1, np.where(TIME < 0.6, -0.1, 0.0))
    rate = integral(torque / inertia)
    bending = [
        oscillator(-12.0 * length * torque / inertia, 12.0, 0.01),
        oscillator(-8.0 * length * torque / inertia, 35.4, 0.01),
    ]
    deflection = sum(np.outer(q, clamped_mode(k)) for k, q in enumerate(bending))
    angle = integral(rate) - 0.8 * deflection[:, -1] / length
    travel = length * angle + deflection[:, -1]
    shape = in_plane(np.zeros((len(TIME), 2)), angle, length * S, deflection)
    rigid_tip = length * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    kinds, energy = energy_of(0.5 * inertia * slope(angle) ** 2, 20 * deflection[:, -1] ** 2)
    tip = shape[:, -1]
    variables = {
        "joint_position": (("time", "joint"), angle[:, None]),
        "joint_velocity": (("time", "joint"), slope(angle)[:, None]),
        "joint_torque": (("time", "joint"), (torque - 5.86e-4 * slope(slope(angle)))[:, None]),
        "drive_torque": (("time", "joint"), torque[:, None]),
        "tip_position": (("time", "axis"), tip),
        "tip_deflection": (("time", "axis"), tip - rigid_tip),
        "shape": (("time", "link", "s", "axis"), shape[:, None]),
        "deflection": (("time", "link", "s"), deflection[:, None]),
        "stress": (("time", "link", "s"), 4e8 * np.abs(deflection[:, None])),
        "bending_moment": (("time", "link", "s"), 30.0 * deflection[:, None, ::-1]),
        "shear_force": (("time", "link", "s"), -30.0 * deflection[:, None, -1:] * np.ones(len(S))),
        "axial_force": (("time", "link", "s"), 1e-6 * deflection[:, None]),
        "travel": (("time",), travel),
        "strain": (("time", "gauge"), np.stack([8e-3 * deflection[:, k] for k in (-1, 10)], axis=1)),
        "energy": (("time", "kind"), energy),
    }
    coords = {"joint": ["link"], "link": ["link"], "gauge": ["root", "middle"], "kind": kinds}
    return SimpleNamespace(data=dataset(variables, "Single link, bang-bang torque", "fd", **coords), scenario=None)


def in_plane(root: np.ndarray, angle: np.ndarray, x: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """Stations (nt, ns, 3) of a link whose root tangent stands at `angle`, deflected by `bend` (nt, ns)."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return np.stack([root[:, :1] + c * x - s * bend, root[:, 1:2] + s * x + c * bend, 0 * bend], axis=-1)


def make_planar() -> SimpleNamespace:
    """Two links of 1 m and 0.8 m with flexible joints, moved from rest to rest in 0.8 s."""
    lengths = (1.0, 0.8)
    command = np.stack([0.4 + quintic(0.9, 0.8), -0.5 + quintic(-0.7, 0.8)], axis=1)
    accel = slope(slope(command))
    spring = np.stack([oscillator(-0.1 * accel[:, 0], 6.0, 0.02), oscillator(-0.08 * accel[:, 1], 9.0, 0.02)], axis=1)
    actual = command + spring
    bends = [np.outer(oscillator(-4.0 * accel[:, i], (4.0, 11.0)[i], 0.02), clamped_mode(0)) for i in (0, 1)]
    end_slope = 1.376 * bends[0][:, -1] / lengths[0]
    first = in_plane(np.zeros((len(TIME), 2)), actual[:, 0], lengths[0] * S, bends[0])
    second = in_plane(first[:, -1, :2], actual.sum(axis=1) + end_slope, lengths[1] * S, bends[1])
    tip = second[:, -1]
    kinds, energy = energy_of(0.8 * (slope(tip) ** 2).sum(axis=1), 900 * bends[0][:, -1] ** 2)
    rigid = np.stack([1.8 * accel[:, 0] + 0.6 * accel[:, 1], 0.6 * accel.sum(axis=1)], axis=1)
    variables = {
        "joint_position": (("time", "joint"), actual),
        "joint_velocity": (("time", "joint"), slope(actual)),
        "motor_position": (("time", "joint"), command),
        "joint_torque": (("time", "joint"), rigid - 300 * spring),
        "rigid_torque": (("time", "joint"), rigid),
        "tip_position": (("time", "axis"), tip),
        "tip_error": (("time", "axis"), tip - rigid_tip(command, lengths)),
        "tip_deflection": (("time", "axis"), tip - rigid_tip(actual, lengths)),
        "path_position": (("time", "axis"), tip - 1.1 * (tip - rigid_tip(command, lengths))),
        "path_error": (("time", "axis"), 1.1 * (tip - rigid_tip(command, lengths))),
        "shape": (("time", "link", "s", "axis"), np.stack([first, second], axis=1)),
        "deflection": (("time", "link", "s"), np.stack(bends, axis=1)),
        "stress": (("time", "link", "s"), 4e8 * np.abs(np.stack(bends, axis=1))),
        "bending_moment": (("time", "link", "s"), 50.0 * np.stack(bends, axis=1)[..., ::-1]),
        "strain": (("time", "gauge"), 6e-3 * bends[0][:, -1:]),
        "energy": (("time", "kind"), energy),
    }
    coords = {"joint": ["upper", "fore"], "link": ["upper", "fore"], "gauge": ["upper-root"], "kind": kinds}
    data = dataset(variables, "Two links with flexible joints", "segments", **coords)
    return SimpleNamespace(data=data, scenario=None)


def rigid_tip(q: np.ndarray, lengths: tuple[float, float]) -> np.ndarray:
    """Tip (nt, 3) of the stiff planar arm with two links."""
    a, b = q[:, 0], q.sum(axis=1)
    x = lengths[0] * np.cos(a) + lengths[1] * np.cos(b)
    y = lengths[0] * np.sin(a) + lengths[1] * np.sin(b)
    return np.stack([x, y, 0 * x], axis=1)


def make_spatial() -> SimpleNamespace:
    """A column of 0.5 m that turns, and two links of 1 m that rise, and bend upwards and sideways."""
    q = np.stack([quintic(1.5, 1.0), 0.5 + quintic(0.5, 1.0), -1.0 + quintic(1.0, 1.0)], axis=1)
    accel = slope(slope(q))
    up = [np.outer(oscillator(-1.0 * accel[:, 1], 5.0, 0.05) - 2e-3, clamped_mode(0)) for _ in range(2)]
    across = [np.outer(oscillator(-0.8 * accel[:, 0], 4.0, 0.05), clamped_mode(0)) for _ in range(2)]

    def build(ups: list, sides: list) -> np.ndarray:
        column = np.zeros((len(TIME), len(S), 3))
        column[..., 2] = 0.5 * S
        links, root = [column], column[:, -1]
        for i, lift in enumerate((q[:, 1], q[:, 1] + q[:, 2])):
            r = np.cos(lift)[:, None] * S - np.sin(lift)[:, None] * ups[i]
            z = np.sin(lift)[:, None] * S + np.cos(lift)[:, None] * ups[i]
            c, s = np.cos(q[:, :1]), np.sin(q[:, :1])
            links.append(root[:, None] + np.stack([c * r - s * sides[i], s * r + c * sides[i], z], axis=-1))
            root = links[-1][:, -1]
        return np.stack(links, axis=1)

    still = [np.zeros_like(up[0])] * 2
    shape, rigid = build(up, across), build(still, still)
    miss = shape[:, -1, -1] - rigid[:, -1, -1]
    bend = np.stack([np.zeros_like(up[0]), *(np.hypot(u, a) for u, a in zip(up, across, strict=True))], axis=1)
    torque = np.stack([900 * accel[:, 0], 4000 + 500 * accel[:, 1], 1500 + 200 * accel[:, 2]], axis=1)
    variables = {
        "joint_position": (("time", "joint"), q),
        "joint_velocity": (("time", "joint"), slope(q)),
        "joint_torque": (("time", "joint"), torque * (1 + 8 * miss[:, 2:])),
        "drive_torque": (("time", "joint"), torque * (1 + 6 * miss[:, 2:])),
        "rigid_torque": (("time", "joint"), torque),
        "tip_position": (("time", "axis"), shape[:, -1, -1]),
        "tip_error": (("time", "axis"), miss),
        "tip_deflection": (("time", "axis"), miss),
        "shape": (("time", "link", "s", "axis"), shape),
        "deflection": (("time", "link", "s"), bend),
        "stress": (("time", "link", "s"), 4e8 * np.abs(bend)),
        "bending_moment": (("time", "link", "s"), np.where(np.arange(3)[:, None] == 0, np.nan, 50.0 * bend[..., ::-1])),
    }
    names = ["column", "upper", "fore"]
    data = dataset(variables, "Three links in space", "fem", joint=names, link=names)
    return SimpleNamespace(data=data, scenario=None)


def make_modes(links: list[str], axes: tuple[int, ...], count: int = 4) -> SimpleNamespace:
    """Natural frequencies with shapes (mode, link, s, axis)."""
    shapes = np.zeros((count, len(links), len(S), 3))
    for k in range(count):
        for i in range(len(links)):
            for a in axes:
                shapes[k, i, :, a] = np.sin((0.5 + k) * (i + S) + 0.4 * a * (i + S)) * (i + S)
    coords = {"mode": np.arange(1, count + 1), "link": links, "s": S, "axis": list("xyz")}
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel"}
    turned = [{"position": 0.3, "dh": {"d": 0.5, "alpha": np.pi / 2}}, *({"position": 0.5, "dh": {"a": 1.0}},) * 2]
    places = [{"joint": joint} for joint in turned] if 2 in axes else [{"length": 1.0}] * len(links)
    arm = Arm(links=[{"name": name, **rod, **place} for name, place in zip(links, places, strict=True)])
    return SimpleNamespace(
        hz=np.array([12.03, 36.43, 37.1, 95.2])[:count],
        damping=np.array([0.01, 0.02, 0.0, 0.03])[:count],
        shapes=xr.DataArray(shapes, coords=coords, dims=("mode", "link", "s", "axis")),
        rigid_modes=1,
        arm=arm,
    )


@pytest.fixture(scope="session")
def single() -> SimpleNamespace:
    return make_single()


@pytest.fixture(scope="session")
def planar() -> SimpleNamespace:
    return make_planar()


@pytest.fixture(scope="session")
def spatial() -> SimpleNamespace:
    return make_spatial()


@pytest.fixture(scope="session")
def results(single, planar, spatial) -> dict[str, SimpleNamespace]:
    return {"single": single, "planar": planar, "spatial": spatial}


@pytest.fixture(scope="session")
def modes() -> dict[str, SimpleNamespace]:
    """Natural modes that go with `results`."""
    return {
        "single": make_modes(["link"], (1,)),
        "planar": make_modes(["upper", "fore"], (0, 1)),
        "spatial": make_modes(["column", "upper", "fore"], (0, 1, 2)),
    }


@pytest.fixture
def without():
    """A copy of a result that lacks some variables."""

    def drop(result: SimpleNamespace, *names: str) -> SimpleNamespace:
        return SimpleNamespace(data=result.data.drop_vars(names), scenario=result.scenario)

    return drop
