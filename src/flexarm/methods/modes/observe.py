"""From records to labelled signals, and the readings that controllers see.

Equations: M1, M30.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import Gauge
from flexarm.methods.modes import layout as at
from flexarm.methods.modes.dynamics import take_poses
from flexarm.methods.modes.forces import spring_with_play
from flexarm.methods.modes.frames import Frames, body_frames, turn_of
from flexarm.methods.modes.tip import Path, path_to, walk
from flexarm.methods.signals import Signals

if TYPE_CHECKING:
    from flexarm.methods.modes.bodies import Beam
    from flexarm.methods.modes.model import ModesModel

KINDS = ("kinetic", "elastic", "gravity", "work", "dissipated", "numerical")


class Reader:
    """Everything that is read off a state or a record of one model."""

    def __init__(self, model: ModesModel):
        self.model = model
        self.joints = [wired.name for wired in model.wiring.joints]
        parts = ("position", "velocity", "motor_position", "motor_velocity", "torque")
        self.names = tuple(f"{joint}.{part}" for joint in self.joints for part in parts)
        self.names += ("tip.x", "tip.y", *(g.name for g in model.watch.gauges), *(s.name for s in model.watch.sensors))
        self.stations = np.linspace(0.0, 1.0, model.watch.stations)
        self.tip_link = model.arm.index(model.arm.payload_link.name)
        links, motors = model.parts.link, model.parts.motor
        self._links = links
        self._motors = np.where(motors >= 0, motors, links)

    def measure(self, x: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `names`."""
        k = len(self._places)
        out[:k] = x[self._places]
        walk(self._path, x[None], out[None, k:])
        if len(out) > k + 2:
            q = x[: self.model.size]
            out[k + 2 :] = self._watched @ q
            for place, link, at_fraction in self._bent:
                out[k + 2 + place] = self._deflection(q[None], link, at_fraction)[0, 0]
        return out

    @cached_property
    def _places(self) -> np.ndarray:
        """Where position, velocity, motor position, motor velocity and torque of the joints stand in the state."""
        joint, v = self.model.layout["torques"].start, self.model.layout["v"].start
        parts = [self._links, v + self._links, self._motors, v + self._motors]
        parts.append(joint + at.TORQUE * len(self.joints) + np.arange(len(self.joints)))
        return np.column_stack(parts).ravel()

    @cached_property
    def _watched(self) -> np.ndarray:
        """Gauges and point sensors per unit of each coordinate, (gauges + sensors, size)."""
        one = np.eye(self.model.size)
        return np.concatenate([self.strains(one), self.readings(one)], axis=1).T.copy()

    @cached_property
    def _bent(self) -> list[tuple[int, int, np.ndarray]]:
        """Sensors of displacement whose reading is not linear in the coordinates: number, link, fraction."""
        sensors, first = self.model.watch.sensors, len(self.model.watch.gauges)
        found = [(k, self.model.arm.index(s.link), s.at) for k, s in enumerate(sensors) if s.kind == "displacement"]
        return [
            (first + k, i, np.array([fraction]))
            for k, i, fraction in found
            if self.model.second_order and self.model.beams[i].shapes is not None
        ]

    @cached_property
    def _path(self) -> Path:
        beam = self.model.beams[self.tip_link]
        return path_to(self.model, self.tip_link, np.array([beam.link.span, 0.0]) if beam.shapes else self._end(beam))

    def signals(self, times: np.ndarray, records: np.ndarray) -> Signals:
        """What a run shows; units and names are put on by `flexarm.result`."""
        model, count, layout = self.model, len(self.joints), self.model.layout
        q, v, torque = records[:, layout["q"]], records[:, layout["v"]], records[:, layout["torques"]]
        shape, bend = self.shapes(q)
        joint = ("time", "joint")
        tip = np.zeros((len(times), 3))
        walk(self._path, np.ascontiguousarray(records), tip)
        variables: dict[str, Any] = {
            "joint_position": (joint, q[:, self._links]),
            "joint_velocity": (joint, v[:, self._links]),
            "motor_position": (joint, q[:, self._motors]),
            "joint_deformation": (joint, q[:, self._links] - q[:, self._motors]),
            "joint_torque": (joint, torque[:, at.TORQUE * count : (at.TORQUE + 1) * count]),
            "drive_torque": (joint, torque[:, at.DRIVE * count : (at.DRIVE + 1) * count]),
            "tip_position": (("time", "axis"), tip),
            "shape": (("time", "link", "s", "axis"), shape),
            "deflection": (("time", "link", "s"), bend),
            "strain": (("time", "gauge"), self.strains(q)),
            "reading": (("time", "sensor"), self.readings(q)),
            "energy": (("time", "kind"), self.energies(records)),
        }
        if len(model.arm.links) == 1:
            span = model.arm.links[0].span
            variables["travel"] = ("time", q[:, self._links[0]] * span + bend[:, 0, -1] if count else bend[:, 0, -1])
        names = [link.name for link in model.arm.links]
        coordinates = {
            "time": times, "joint": self.joints, "link": names, "axis": ["x", "y", "z"], "s": self.stations,
            "kind": list(KINDS), "gauge": [g.name for g in model.watch.gauges],
            "sensor": [s.name for s in model.watch.sensors],
        }  # fmt: skip
        if model.parts.rows:
            variables.update(self.loops(records, coordinates))
        return Signals(variables, coordinates)

    def loops(self, records: np.ndarray, coordinates: dict[str, Any]) -> dict[str, Any]:
        """Force (and moment, if welded) of each loop's pin on its first link, and how far the loop is open."""
        model, part = self.model, self.model.parts
        lam, q = records[:, model.layout["lam"]], records[:, model.layout["q"]]
        force, moment = np.zeros((len(q), len(part.row), 3)), np.zeros((len(q), len(part.row)))
        gap = np.zeros((len(q), len(part.row)))
        frames = body_frames(model, q)
        for k, ((first, last), row) in enumerate(zip(part.ends, part.row, strict=True)):
            force[:, k, :2] = -lam[:, row : row + 2]
            if part.welded[k]:
                moment[:, k] = -lam[:, row + 2]
            gap[:, k] = np.linalg.norm(frames.point(q, int(first)) - frames.point(q, int(last)), axis=1)
        coordinates["loop"] = [loop.name for loop in model.arm.loops]
        dims = ("time", "loop")
        return {"loop_force": ((*dims, "axis"), force), "loop_moment": (dims, moment), "loop_error": (dims, gap)}

    def _own(self, q: np.ndarray, link: int) -> np.ndarray:
        first, n = self.model.parts.first[link], self.model.parts.count[link]
        return q[:, first : first + n]

    def points(self, frames: Frames, q: np.ndarray, link: int, fractions: np.ndarray) -> np.ndarray:
        """World positions (nt, points, 3) along a link; a bare body is drawn from its joint to what it carries."""
        return frames.world(link, self._local(q, link, fractions))

    def _local(self, q: np.ndarray, link: int, fractions: np.ndarray) -> np.ndarray:
        """Places (nt, points, 2) along a link in its own axes."""
        beam, own = self.model.beams[link], self._own(q, link)
        local = np.zeros((len(q), len(fractions), 2))
        if beam.shapes is None:
            local += fractions[:, None] * self._end(beam)
            return local
        x = fractions * beam.link.span
        local[:, :, 0] = x + own @ beam.shapes.along(x).T
        local[:, :, 1] = own @ beam.shapes.across(x).T
        if self.model.second_order:
            for k, place in enumerate(x):
                B = beam.shapes.shortening(float(place))
                local[:, k, 0] -= 0.5 * np.einsum("ti,ij,tj->t", own, B, own)
        return local

    def _end(self, beam: Beam) -> np.ndarray:
        """End of a rigid link as it is drawn."""
        if beam.link.span:
            return np.array([beam.link.span, 0.0])
        arm, name = self.model.arm, beam.link.name
        used = [link.at for link in arm.links if arm.parent(link.name) == name]
        used += [place for loop in arm.loops for owner, place in loop.places if owner == name]
        ends = [np.array(beam.link.place(place)[:2]) for place in used]
        return max(ends, key=lambda end: float(np.linalg.norm(end)), default=np.zeros(2))

    def shapes(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (nt, links, stations, 3) and deflections from the root's tangent (nt, links, stations)."""
        links = len(self.model.beams)
        shape = np.zeros((len(q), links, len(self.stations), 3))
        bend = np.zeros((len(q), links, len(self.stations)))
        frames = body_frames(self.model, q)
        for i, beam in enumerate(self.model.beams):
            shape[:, i] = self.points(frames, q, i, self.stations)
            if beam.shapes is not None:
                bend[:, i] = self._deflection(q, i, self.stations)
        return shape, bend

    def _deflection(self, q: np.ndarray, link: int, fractions: np.ndarray) -> np.ndarray:
        """Deflections (nt, points) from the root's tangent."""
        beam, own = self.model.beams[link], self._own(q, link)
        assert beam.shapes is not None
        slope = beam.shapes.across([0.0], 1)[0]
        if not self.model.second_order:
            x = fractions * beam.link.span
            return own @ (beam.shapes.across(x) - np.outer(x, slope)).T
        local, root = self._local(q, link, fractions), turn_of(own, slope)[:, None]
        return np.cos(root) * local[:, :, 1] - np.sin(root) * local[:, :, 0]

    def strains(self, q: np.ndarray, gauges: tuple[Gauge, ...] | None = None) -> np.ndarray:
        """Strain at every gauge, (nt, gauges): stretch and curvature of the shapes."""
        chosen = self.model.watch.gauges if gauges is None else gauges
        out = np.zeros((len(q), len(chosen)))
        for k, gauge in enumerate(chosen):
            i = self.model.arm.index(gauge.link)
            beam = self.model.beams[i]
            if beam.shapes is None or beam.line is None:
                continue
            x = np.array([gauge.at * beam.link.span])
            fibre = float(beam.line.at("fibre", x)[0]) * (1.0 if gauge.side == "bottom" else -1.0)
            out[:, k] = self._own(q, i) @ (beam.shapes.along(x, 1)[0] + fibre * beam.shapes.across(x, 2)[0])
        return out

    def readings(self, q: np.ndarray) -> np.ndarray:
        """Point sensors, (nt, sensors): displacement and slope from the root's tangent, strain on top."""
        model = self.model
        out = np.zeros((len(q), len(model.watch.sensors)))
        for k, sensor in enumerate(model.watch.sensors):
            i = model.arm.index(sensor.link)
            beam = model.beams[i]
            if beam.shapes is None:
                continue
            if sensor.kind == "strain":
                out[:, k] = self.strains(q, (Gauge(sensor.name, sensor.link, sensor.at),))[:, 0]
            elif sensor.kind == "slope":
                slopes = beam.shapes.across([sensor.at * beam.link.span], 1)[0] - beam.shapes.across([0.0], 1)[0]
                out[:, k] = self._own(q, i) @ slopes
            else:
                out[:, k] = self._deflection(q, i, np.array([sensor.at]))[:, 0]
        return out

    def masses(self, q: np.ndarray) -> np.ndarray:
        """Mass matrix (size, size) at q."""
        self.model.take_pose(q)
        return self.model.work.mass.copy()

    def potential(self, q: np.ndarray) -> float:
        """Potential of gravity, zero with all masses at the origin's height, J."""
        return self.model.take_pose(q)[1]

    def loop_jacobian(self, q: np.ndarray) -> np.ndarray:
        """Jacobian of the loop equations (rows, size) at q."""
        self.model.take_pose(q)
        return self.model.work.jac.copy()

    def energies(self, records: np.ndarray) -> np.ndarray:
        """Energy kinds over time, (nt, 6)."""
        model, layout = self.model, self.model.layout
        q, v, sums = records[:, layout["q"]], records[:, layout["v"]], records[:, layout["sums"]]
        elastic = 0.5 * np.einsum("ti,ij,tj->t", q, model.parts.stiffness, q)
        for j in range(len(self.joints)):
            spring, play = model.parts.spring[j], model.parts.play[j]
            if play > 0.0:
                turned = q[:, self._links[j]] - q[:, self._motors[j]]
                elastic += [spring_with_play(spring, play, t)[2] for t in turned]
        stored = np.zeros((len(q), 2))
        take_poses(model.parts, model.work, np.ascontiguousarray(q), np.ascontiguousarray(v), stored)
        return np.column_stack(
            [stored[:, 0], elastic, stored[:, 1], sums[:, at.WORK], sums[:, at.LOST], -sums[:, at.NUMERICAL]]
        )

    def linear_shapes(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacements of the stations per unit of each coordinate, (size, links, stations, 3), and the stations."""
        model, step = self.model, 1e-6
        out = np.zeros((model.size, len(model.beams), len(self.stations), 3))
        both = np.concatenate([q + step * np.eye(model.size), q - step * np.eye(model.size)])
        shape = self.shapes(both)[0]
        out[:] = (shape[: model.size] - shape[model.size :]) / (2.0 * step)
        return out, self.stations

    def tip_rows(self, q: np.ndarray) -> np.ndarray:
        """Rows (2, size) of the tip's position."""
        model, step = self.model, 1e-6
        both = np.concatenate([q + step * np.eye(model.size), q - step * np.eye(model.size)])
        tip = self.points(body_frames(model, both), both, self.tip_link, np.array([1.0]))[:, 0, :2]
        return ((tip[: model.size] - tip[model.size :]) / (2.0 * step)).T
