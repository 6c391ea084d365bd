"""From records to labelled signals, and the readings that controllers see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.chords import chord_joints, read_chord
from flexarm.methods.fem.pins import drawn_end, loop_signals, turned
from flexarm.methods.signals import Signals
from flexarm.numerics.along import between
from flexarm.numerics.gauss import gauss

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

KINDS = ("kinetic", "elastic", "gravity", "work", "dissipated", "numerical")


class Reader:
    """Everything that is read off a state or a record of one model."""

    def __init__(self, model: FemModel):
        self.model = model
        self.joints = [link.name for link in model.arm.links if link.joint.type != "fixed"]
        self._rows = [i for i, link in enumerate(model.arm.links) if link.joint.type != "fixed"]
        parts = ("position", "velocity", "motor_position", "motor_velocity", "torque")
        self.names = tuple(f"{joint}.{part}" for joint in self.joints for part in parts)
        self.names += ("tip.x", "tip.y", *(g.name for g in model.watch.gauges), *(s.name for s in model.watch.sensors))
        self.chords = chord_joints(model)
        self.names += tuple(f"{joint}.chord_{part}" for joint in self.chords for part in ("position", "velocity"))
        self.stations = np.linspace(0.0, 1.0, model.watch.stations)
        self._places = np.array(
            [*(p for i in self._rows for p in self._joint_places(i)), *model.parts.payload[:2]], dtype=int
        )

    def _joint_places(self, i: int) -> list[int]:
        """Where in the state position, velocity, motor position, motor velocity and torque of a link's joint stand."""
        first, motor = self.model.layout["frame"].start, self.model.mesh.joints[i].motor
        places = [first + part * self.model.links + i for part in (at.JOINT, at.JOINT_RATE, at.MOTOR, at.TORQUE)]
        return [*places[:3], self.model.size + motor if motor >= 0 else places[1], places[3]]

    def _frame(self, x: np.ndarray, part: int) -> np.ndarray:
        start = self.model.layout["frame"].start + part * self.model.links
        return x[..., start : start + self.model.links]

    def measure(self, x: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `names`."""
        model, k = self.model, len(self._places)
        out[:k] = x[self._places]
        if model.watch.gauges or model.watch.sensors:
            row = x[None, : model.record_width]
            out[k : k + len(model.watch.gauges)] = self.strains(row)[0]
            out[k + len(model.watch.gauges) : len(out) - 2 * len(self.chords)] = self.readings(row)[0]
        for n, joint in enumerate(self.chords):
            k = len(out) - 2 * (len(self.chords) - n)
            out[k], out[k + 1] = read_chord(model, x, joint)
        return out

    def signals(self, times: np.ndarray, records: np.ndarray) -> Signals:
        """What a run shows; units and names are put on by `flexarm.result`."""
        model, rows = self.model, self._rows
        shape, bend = self.shapes(records)
        joint = ("time", "joint")
        position = self._frame(records, at.JOINT)[:, rows]
        motor = self._frame(records, at.MOTOR)[:, rows]
        drive = self._frame(records, at.DRIVE)[:, rows] - self._frame(records, at.DRAG)[:, rows]
        tip = np.zeros((len(times), 3))
        tip[:, 0], tip[:, 1] = records[:, model.parts.payload[0]], records[:, model.parts.payload[1]]
        variables: dict[str, Any] = {
            "joint_position": (joint, position),
            "joint_velocity": (joint, self._frame(records, at.JOINT_RATE)[:, rows]),
            "motor_position": (joint, motor),
            "joint_deformation": (joint, position - motor),
            "joint_torque": (joint, self._frame(records, at.TORQUE)[:, rows]),
            "drive_torque": (joint, drive),
            "tip_position": (("time", "axis"), tip),
            "shape": (("time", "link", "s", "axis"), shape),
            "deflection": (("time", "link", "s"), bend),
            "strain": (("time", "gauge"), self.strains(records)),
            "reading": (("time", "sensor"), self.readings(records)),
            "energy": (("time", "kind"), self.energies(records)),
            **self.along_links(records),
        }
        variables |= loop_signals(model, records)
        if model.links == 1:
            variables["travel"] = ("time", position[:, 0] * model.arm.links[0].span + bend[:, 0, -1])
        names = [link.name for link in model.arm.links]
        coordinates = {
            "time": times, "joint": self.joints, "link": names, "axis": ["x", "y", "z"], "s": self.stations,
            "kind": list(KINDS), "gauge": [g.name for g in model.watch.gauges],
            "sensor": [s.name for s in model.watch.sensors],
        }  # fmt: skip
        if model.arm.loops:
            coordinates["loop"] = [loop.name for loop in model.arm.loops]
        return Signals(variables, coordinates)

    def _at(self, records: np.ndarray, link: int, fraction: float, axis: int) -> np.ndarray:
        """x, y or chi (axis 0, 1, 2) at a fraction of a link, (nt,)."""
        return self._along(records, link, np.array([fraction]), axis)[:, 0]

    def _along(self, records: np.ndarray, link: int, fractions: np.ndarray, axis: int) -> np.ndarray:
        """x, y or chi (axis 0, 1, 2) at fractions of a link, (nt, fractions)."""
        length = self.model.arm.links[link].span
        nodes, values, _ = self.model.mesh.around_each(link, fractions * length, length)
        index = nodes[:, :, axis]
        return np.einsum("kn,tkn->tk", np.where(index < 0, 0.0, values), records[:, np.maximum(index, 0)])

    def root_angle(self, records: np.ndarray, link: int) -> np.ndarray:
        """Angle of a link's first section in the world, (nt,)."""
        return self._frame(records, at.ANGLE)[:, link] + self._at(records, link, 0.0, 2)

    def shapes(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (nt, links, stations, 3) and deflections from the root's tangent (nt, links, stations)."""
        links, nt = self.model.links, len(records)
        shape, bend = np.zeros((nt, links, len(self.stations), 3)), np.zeros((nt, links, len(self.stations)))
        for i in range(links):
            for axis in range(2):
                shape[:, i, :, axis] = self._along(records, i, self.stations, axis)
            angle = self.root_angle(records, i)
            if not self.model.arm.links[i].span:
                shape[:, i, :, :2] += self.stations[:, None] * turned(drawn_end(self.model.arm, i), angle)[:, None, :]
            away = shape[:, i, :, :2] - shape[:, i, :1, :2]
            if not self.model.mesh.counts[i]:  # rigid: straight, without rounding
                continue
            bend[:, i] = -np.sin(angle)[:, None] * away[:, :, 0] + np.cos(angle)[:, None] * away[:, :, 1]
        return shape, bend

    def along_links(self, records: np.ndarray) -> dict[str, Any]:
        """Axial force, shear force and bending moment at the stations of every link."""
        links, nt = self.model.links, len(records)
        values = np.full((3, nt, links, len(self.stations)), np.nan)  # rigid links have no stress that is known
        for i in np.flatnonzero(self.model.mesh.counts):
            places, *forces = self.section_forces(records, int(i))
            for k, force in enumerate(forces):
                for j, fraction in enumerate(self.stations):
                    values[k, :, i, j] = between(places, force, float(fraction) * self.model.arm.links[i].span)
        dims = ("time", "link", "s")
        return {name: (dims, values[k]) for k, name in enumerate(("axial_force", "shear_force", "bending_moment"))}

    def section_forces(self, records: np.ndarray, link: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Places (points,) and there axial force, shear force, moment (nt, points) of a link (elastic part)."""
        model, c = self.model, self.model.constant
        values, slopes = c.shape[:, 0], c.shape[:, 1]
        places, axial, shear, moment = [], [], [], []
        angle = self._frame(records, at.ANGLE)[:, link]
        ends = model.mesh.ends_of(link)
        xi = gauss(len(values))[0]
        padded = np.concatenate([records[:, : model.size], np.zeros((len(records), 1))], axis=1)
        base = padded[:, model.mesh.joints[link].base]
        for n, e in enumerate(np.flatnonzero(model.mesh.link == link)):
            nodes = model.mesh.connection[e].reshape(-1, 3)
            local = padded[:, nodes]  # index -1 reads the zero at the end
            for g in range(len(values)):
                jacobian = c.properties[e, g, at.JACOBIAN]
                chi, bend = local[:, :, 2] @ values[g], local[:, :, 2] @ slopes[g] * jacobian
                sx, sy = local[:, :, 0] @ slopes[g] * jacobian, local[:, :, 1] @ slopes[g] * jacobian
                turned = angle + (
                    chi if model.options.theory == "exact" else base if model.options.theory == "link" else 0
                )
                along, across = np.cos(turned) * sx + np.sin(turned) * sy, -np.sin(turned) * sx + np.cos(turned) * sy
                if model.options.theory != "exact":
                    across = across - chi + (base if model.options.theory == "link" else 0.0)
                places.append(ends[n] + 0.5 * (1.0 + xi[g]) * (ends[n + 1] - ends[n]))
                axial.append(c.properties[e, g, at.EA] * (along - 1.0))
                shear.append(c.properties[e, g, at.GA] * across)
                moment.append(c.properties[e, g, at.EI] * bend)
        return np.array(places), np.array(axial).T, np.array(shear).T, np.array(moment).T

    def strains(self, records: np.ndarray) -> np.ndarray:
        """Strain at every gauge, (nt, gauges): axial force and moment, linear between integration points."""
        model = self.model
        out = np.zeros((len(records), len(model.watch.gauges)))
        cache: dict[int, Any] = {}
        for k, gauge in enumerate(model.watch.gauges):
            i = model.arm.index(gauge.link)
            if not model.mesh.counts[i]:  # rigid: no strain
                continue
            if i not in cache:
                cache[i] = self.section_forces(records, i)
            places, axial, _, moment = cache[i]
            figures = model.arm.links[i].figures([gauge.at])
            where = gauge.at * model.arm.links[i].span
            side = 1.0 if gauge.side == "bottom" else -1.0
            force, bending = between(places, axial, where), between(places, moment, where)
            out[:, k] = force / figures["EA"][0] + side * figures["fibre"][0] * bending / figures["EI"][0]
        return out

    def readings(self, records: np.ndarray) -> np.ndarray:
        """Point sensors, (nt, sensors): displacement and slope from the root's tangent, strain on top."""
        from flexarm.methods.base import Gauge, Watch

        model = self.model
        out = np.zeros((len(records), len(model.watch.sensors)))
        for k, sensor in enumerate(model.watch.sensors):
            i = model.arm.index(sensor.link)
            if sensor.kind == "strain":
                keep, model.watch = model.watch, Watch((Gauge(sensor.name, sensor.link, sensor.at),))
                out[:, k] = self.strains(records)[:, 0]
                model.watch = keep
            elif sensor.kind == "slope":
                out[:, k] = self._at(records, i, sensor.at, 2) - self._at(records, i, 0.0, 2)
            else:
                angle = self.root_angle(records, i)
                x, y = (self._at(records, i, sensor.at, a) - self._at(records, i, 0.0, a) for a in (0, 1))
                out[:, k] = -np.sin(angle) * x + np.cos(angle) * y
        return out

    def _payload(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Place and velocity of the payload's centre, (nt, 2) each, and its turning rate (nt,)."""
        model, par = self.model, self.model.parts
        link, (ix, iy, it) = par.payload_link, par.payload
        q, v = records[:, : model.size], records[:, model.size : 2 * model.size]
        angle, rate = self._frame(records, at.ANGLE)[:, link], self._frame(records, at.RATE)[:, link]
        large = model.options.theory in ("exact", "link")
        turned = angle + q[:, it] if large else angle
        d = np.column_stack([np.cos(turned) * par.payload_x - np.sin(turned) * par.payload_y,
                             np.sin(turned) * par.payload_x + np.cos(turned) * par.payload_y])  # fmt: skip
        t = np.column_stack([-d[:, 1], d[:, 0]])
        spin = rate + v[:, it]
        speed = v[:, [ix, iy]] + spin[:, None] * t
        if not large:
            lean = q[:, it, None]
            if model.options.theory == "linear":
                speed = speed - lean * rate[:, None] * d
            d = d + lean * t
        return q[:, [ix, iy]] + d, speed, spin

    def potential(self, records: np.ndarray) -> np.ndarray:
        """Potential of gravity, zero with all masses at the origin's height, (nt,)."""
        model, par = self.model, self.model.parts
        lifted = self._payload(records)[0] @ np.array(model.arm.gravity[:2])
        return -records[:, : model.size] @ model.constant.weight - par.payload_mass * lifted

    def energies(self, records: np.ndarray) -> np.ndarray:
        """Energy kinds over time, (nt, 6)."""
        model, c, par = self.model, self.model.constant, self.model.parts
        v, sums = records[:, model.size : 2 * model.size], records[:, model.layout["sums"]]
        rate = self._frame(records, at.RATE)
        kinetic = 0.5 * np.sum((v @ c.mass) * v, axis=1) + np.sum((v @ c.rotary.T) * rate, axis=1)
        kinetic += 0.5 * rate**2 @ c.rotary_total
        gravity = self.potential(records)
        _, speed, spin = self._payload(records)
        kinetic += 0.5 * (par.payload_mass * np.sum(speed**2, axis=1) + par.payload_inertia * spin**2)
        elastic = sums[:, at.ENERGY] - kinetic - gravity
        return np.column_stack([kinetic, elastic, gravity, sums[:, at.WORK], sums[:, at.LOST], -sums[:, at.NUMERICAL]])

    def linear_shapes(self) -> tuple[np.ndarray, np.ndarray]:
        """Displacements of the stations per unit of each unknown, (size, links, stations, 3), and the stations."""
        unit = np.zeros((self.model.size, self.model.record_width))
        unit[np.arange(self.model.size), np.arange(self.model.size)] = 1.0
        shapes = np.zeros((self.model.size, self.model.links, len(self.stations), 3))
        for i in range(self.model.links):
            for axis in range(2):
                shapes[:, i, :, axis] = self._along(unit, i, self.stations, axis)
        return shapes, self.stations

    def tip_rows(self) -> np.ndarray:
        """Rows (2, size) of the tip's position."""
        rows = np.zeros((2, self.model.size))
        rows[0, self.model.parts.payload[0]] = rows[1, self.model.parts.payload[1]] = 1.0
        return rows

    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the unknowns."""
        names = [""] * self.model.size
        for i, link in enumerate(self.model.arm.links):
            place = self.model.mesh.joints[i]
            if place.motor >= 0:
                names[place.motor] = f"{link.name} motor"
            for a, node in enumerate(self.model.mesh.nodes[i]):
                for axis, index in zip("xyt", node, strict=True):
                    if index >= 0 and not names[index]:
                        names[index] = f"{link.name} {axis}{a}"
        return tuple(names)
