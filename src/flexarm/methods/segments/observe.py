"""From records to labelled signals, and the readings that controllers see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import Gauge
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.linear import directions
from flexarm.methods.signals import Signals
from flexarm.numerics.along import between

if TYPE_CHECKING:
    from flexarm.methods.segments.model import SegmentsModel

KINDS = ("kinetic", "elastic", "gravity", "work", "dissipated", "numerical")
PARTS = {
    "position": at.POSITION, "velocity": at.RATE, "motor_position": at.MOTOR, "motor_velocity": at.MOTOR_RATE,
    "torque": at.THROUGH,
}  # fmt: skip
"""Readings of a joint, and where they stand in the state."""


class Reader:
    """Everything that is read off a state or a record of one model."""

    def __init__(self, model: SegmentsModel):
        self.model = model
        links = model.arm.links
        self._rows = [i for i, link in enumerate(links) if link.joint.type != "fixed"]
        self.joints = [links[i].name for i in self._rows]
        watch = model.watch
        self.names = tuple(f"{joint}.{part}" for joint in self.joints for part in PARTS)
        self.names += ("tip.x", "tip.y", *(g.name for g in watch.gauges), *(s.name for s in watch.sensors))
        self.stations = np.linspace(0.0, 1.0, watch.stations)
        first, angles = model.layout["joints"].start, model.layout["theta"].start
        self._places = np.array([first + row * len(links) + i for i in self._rows for row in PARTS.values()], dtype=int)
        steps = model.chain.body[: model.chain.payload[0] + 1]
        self._tip_angles = slice(angles, angles + len(steps))
        self._tip_steps = steps[:, at.OX].copy(), steps[:, at.OY].copy()

    def part(self, records: np.ndarray, row: int) -> np.ndarray:
        """A row of joint numbers, (nt, links)."""
        start = self.model.layout["joints"].start + row * len(self.model.arm.links)
        return records[:, start : start + len(self.model.arm.links)]

    def theta(self, records: np.ndarray) -> np.ndarray:
        """Angles of all bodies, (nt, B)."""
        return records[:, self.model.layout["theta"]]

    def measure(self, x: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `names`."""
        k = len(self._places)
        out[:k] = x[self._places]
        c, s, (a, b) = np.cos(x[self._tip_angles]), np.sin(x[self._tip_angles]), self._tip_steps
        out[k], out[k + 1] = sum((a * c - b * s).tolist()), sum((a * s + b * c).tolist())
        watch = self.model.watch
        if watch.gauges or watch.sensors:
            record = x[None, : self.model.record_width]
            out[k + 2 : k + 2 + len(watch.gauges)] = self.strains(record, watch.gauges)[0]
            out[k + 2 + len(watch.gauges) :] = self.readings(record)[0]
        return out

    def signals(self, times: np.ndarray, records: np.ndarray) -> Signals:
        """What a run shows; units and names are put on by `flexarm.result`."""
        model, links = self.model, [link.name for link in self.model.arm.links]
        rows = {name: self.part(records, row)[:, self._rows] for name, row in PARTS.items()}
        drive = (self.part(records, at.DRIVE) - self.part(records, at.DRAG))[:, self._rows]
        tip = np.zeros((len(times), 3))
        tip[:, :2] = self.tip(records)
        shape, bend = self.shapes(records)
        joint, along = ("time", "joint"), ("time", "link", "s")
        variables: dict[str, Any] = {
            "joint_position": (joint, rows["position"]),
            "joint_velocity": (joint, rows["velocity"]),
            "motor_position": (joint, rows["motor_position"]),
            "joint_deformation": (joint, rows["position"] - rows["motor_position"]),
            "joint_torque": (joint, rows["torque"]),
            "drive_torque": (joint, drive),
            "tip_position": (("time", "axis"), tip),
            "shape": ((*along, "axis"), shape),
            "deflection": (along, bend),
            "link_deformation": (("time", "link"), bend[:, :, -1].copy()),
            "strain": (("time", "gauge"), self.strains(records, model.watch.gauges)),
            "reading": (("time", "sensor"), self.readings(records)),
            "energy": (("time", "kind"), self.energies(records)),
        }
        for name, values in zip(("axial_force", "shear_force", "bending_moment"), self.along(records), strict=True):
            variables[name] = (along, values)
        if len(links) == 1:
            variables["travel"] = ("time", rows["position"][:, 0] * model.arm.links[0].span + bend[:, 0, -1])
        coordinates = {
            "time": times, "joint": self.joints, "link": links, "axis": ["x", "y", "z"], "s": self.stations,
            "kind": list(KINDS), "gauge": [g.name for g in model.watch.gauges],
            "sensor": [s.name for s in model.watch.sensors],
        }  # fmt: skip
        return Signals(variables, coordinates)

    def roots(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Inboard points (nt, B, 2) of all bodies, and their directions to the outboard points."""
        out, _ = directions(self.model.chain.body, self.theta(records))
        return np.cumsum(out, axis=1) - out, out

    def tip(self, records: np.ndarray) -> np.ndarray:
        """Tip of the payload's link, (nt, 2)."""
        number = self.model.chain.payload[0]
        out, _ = directions(self.model.chain.body[: number + 1], self.theta(records)[:, : number + 1])
        return out.sum(axis=1)

    def tangent(self, records: np.ndarray, link: int) -> np.ndarray:
        """Angle of a link's tangent at its root, half springs merged into the joint taken out, (nt,)."""
        place, theta = self.model.chain.links[link], self.theta(records)
        angle = theta[:, place.first].copy()
        if place.root_compliance:
            before = theta[:, place.first - 1] if place.first else 0.0
            angle -= place.root_compliance * self.model.chain.body[place.first, at.K] * (angle - before)
        return angle

    def shapes(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (nt, links, stations, 3) and deflections from the root's tangent (nt, links, stations)."""
        links, count = len(self.model.arm.links), len(self.stations)
        shape, bend = np.zeros((len(records), links, count, 3)), np.zeros((len(records), links, count))
        roots, out = self.roots(records)
        for i in range(links):
            for k, fraction in enumerate(self.stations):
                body, share = self.model.seat(i, float(fraction))
                shape[:, i, k, :2] = roots[:, body] + share * out[:, body]
            angle = self.tangent(records, i)[:, None]
            away = shape[:, i, :, :2] - shape[:, i, :1, :2]
            bend[:, i] = -np.sin(angle) * away[:, :, 0] + np.cos(angle) * away[:, :, 1]
        return shape, bend

    def forces(self, records: np.ndarray) -> np.ndarray:
        """Force by the body before on every body, (nt, B, 2)."""
        model, body = self.model, self.model.chain.body
        out, centre = directions(body, self.theta(records))
        spin, turn = records[:, model.layout["omega"]] ** 2, records[:, model.layout["alpha"]]

        def grown(arm: np.ndarray) -> np.ndarray:
            across = np.stack([-arm[..., 1], arm[..., 0]], axis=-1)
            return turn[..., None] * across - spin[..., None] * arm

        steps = grown(out)
        at_centre = np.cumsum(steps, axis=1) - steps + grown(centre)
        inertial = body[:, at.M, None] * (at_centre - np.array(model.arm.gravity[:2]))
        return np.cumsum(inertial[:, ::-1], axis=1)[:, ::-1]

    def moments(self, records: np.ndarray) -> np.ndarray:
        """Elastic moment of every spring, (nt, B); 0 where there is none."""
        theta = self.theta(records)
        return self.model.chain.body[:, at.K] * np.diff(theta, axis=1, prepend=0.0)

    def along(self, records: np.ndarray) -> np.ndarray:
        """Axial force, shear force, bending moment at the stations, (3, nt, links, stations); nan in rigid links."""
        links, count = len(self.model.arm.links), len(self.stations)
        values = np.full((3, len(records), links, count), np.nan)
        force, moment, theta = self.forces(records), self.moments(records), self.theta(records)
        for i, place in enumerate(self.model.chain.links):
            if not len(place.springs):
                continue
            bodies = slice(place.first, place.last + 1)
            c, s, q = np.cos(theta[:, bodies]), np.sin(theta[:, bodies]), force[:, bodies]
            axial, shear = -(q[..., 0] * c + q[..., 1] * s), q[..., 0] * s - q[..., 1] * c
            for k, fraction in enumerate(self.stations):
                where = float(fraction) * self.model.arm.links[i].span
                values[0, :, i, k] = between(place.edges[:-1], axial, where)
                values[1, :, i, k] = between(place.edges[:-1], shear, where)
                values[2, :, i, k] = between(place.springs, moment[:, place.spring_body], where)
        return values

    def strains(self, records: np.ndarray, gauges: tuple[Gauge, ...]) -> np.ndarray:
        """Strain of bending at every gauge, (nt, gauges); the segments do not stretch."""
        out = np.zeros((len(records), len(gauges)))
        moment = self.moments(records) if gauges else None
        for k, gauge in enumerate(gauges):
            link, place = self.model.arm.link(gauge.link), self.model.chain.links[self.model.arm.index(gauge.link)]
            assert moment is not None
            there = between(place.springs, moment[:, place.spring_body], gauge.at * link.span)
            figures = link.figures([gauge.at])
            out[:, k] = (1.0 if gauge.side == "bottom" else -1.0) * figures["fibre"][0] / figures["EI"][0] * there
        return out

    def readings(self, records: np.ndarray) -> np.ndarray:
        """Point sensors, (nt, sensors): displacement and slope from the root's tangent, strain on top."""
        model, theta = self.model, self.theta(records)
        out = np.zeros((len(records), len(model.watch.sensors)))
        for k, sensor in enumerate(model.watch.sensors):
            i = model.arm.index(sensor.link)
            body, share = model.seat(i, sensor.at)
            angle = self.tangent(records, i)
            if sensor.kind == "strain":
                out[:, k] = self.strains(records, (Gauge(sensor.name, sensor.link, sensor.at),))[:, 0]
            elif sensor.kind == "slope":
                place = model.chain.links[i]
                middles = 0.5 * (place.edges[1:] + place.edges[:-1])
                slopes = theta[:, place.first : place.last + 1] - angle[:, None]
                out[:, k] = between(middles, slopes, sensor.at * model.arm.links[i].span)
            else:
                roots, steps = self.roots(records)
                away = roots[:, body] + share * steps[:, body] - roots[:, model.chain.links[i].first]
                out[:, k] = -np.sin(angle) * away[:, 0] + np.cos(angle) * away[:, 1]
        return out

    def potential(self, records: np.ndarray) -> np.ndarray:
        """Potential of gravity, zero with all masses at the origin's height, (nt,)."""
        body = self.model.chain.body
        _, centre = directions(body, self.theta(records))
        places = self.roots(records)[0] + centre
        return -(places @ np.array(self.model.arm.gravity[:2])) @ body[:, at.M]

    def kinetic(self, records: np.ndarray) -> np.ndarray:
        """Kinetic energy, (nt,)."""
        body, omega = self.model.chain.body, records[:, self.model.layout["omega"]]
        out, centre = directions(body, self.theta(records))
        steps = omega[..., None] * np.stack([-out[..., 1], out[..., 0]], axis=-1)
        speed = np.cumsum(steps, axis=1) - steps
        speed = speed + omega[..., None] * np.stack([-centre[..., 1], centre[..., 0]], axis=-1)
        return 0.5 * (np.sum(speed**2, axis=2) @ body[:, at.M] + omega**2 @ body[:, at.J])

    def energies(self, records: np.ndarray) -> np.ndarray:
        """Energy kinds over time, (nt, 6)."""
        sums = records[:, self.model.layout["sums"]]
        elastic = 0.5 * np.sum(self.moments(records) * np.diff(self.theta(records), axis=1, prepend=0.0), axis=1)
        kinds = (self.kinetic(records), elastic, self.potential(records))
        return np.column_stack([*kinds, sums[:, at.WORK], sums[:, at.LOST], -sums[:, at.NUMERICAL]])

    def linear_shapes(self, theta: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacements per unit of each independent angle: of the stations (n, links, stations, 3), of the tip (2, n)."""
        model, n = self.model, T.shape[1]
        out, _ = directions(model.chain.body, theta)
        turned = np.stack([-out[:, 1], out[:, 0]], axis=1)[:, :, None] * T[:, None, :]  # (B, 2, n)
        reached = np.cumsum(turned, axis=0)
        shapes = np.zeros((n, len(model.arm.links), len(self.stations), 3))
        for i in range(len(model.arm.links)):
            for k, fraction in enumerate(self.stations):
                body, share = model.seat(i, float(fraction))
                shapes[:, i, k, :2] = (reached[body] - (1.0 - share) * turned[body]).T
        return shapes, reached[model.chain.payload[0]]
