"""From records to labelled signals, and the readings that controllers see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.body_matrices import body_kinetic, body_potential
from flexarm.methods.ancf.matrices import point_on
from flexarm.methods.ancf.section_forces import Sections
from flexarm.methods.signals import Signals

if TYPE_CHECKING:
    from flexarm.methods.ancf.model import AncfModel

KINDS = ("kinetic", "elastic", "gravity", "work", "dissipated", "numerical")
PARTS = ("position", "velocity", "motor_position", "motor_velocity", "torque", "chord_position", "chord_velocity")


class Reader:
    """Everything that is read off a state or a record of one model."""

    def __init__(self, model: AncfModel):
        self.model = model
        arm, mesh = model.arm, model.mesh
        self._rows = [i for i, link in enumerate(arm.links) if link.joint.type != "fixed"]
        self.joints = [arm.links[i].name for i in self._rows]
        self.names = tuple(f"{joint}.{part}" for joint in self.joints for part in PARTS)
        self.names += ("tip.x", "tip.y", *(g.name for g in model.watch.gauges), *(s.name for s in model.watch.sensors))
        self.stations = np.linspace(0.0, 1.0, model.watch.stations)
        self.station_rows = np.zeros((len(arm.links), len(self.stations), 3, mesh.size))
        for i, link in enumerate(arm.links):
            for k, fraction in enumerate(self.stations):
                self.station_rows[i, k, :2] = point_on(arm, mesh, i, float(fraction) * link.span).place
        self.tip = int(mesh.nodes[arm.index(arm.payload_link.name)][-1, 0])
        self.tip_rows = np.zeros((2, mesh.size))
        self.tip_rows[0, self.tip] = self.tip_rows[1, self.tip + 1] = 1.0
        self.sections = Sections(arm, mesh)
        self._place_readings()

    def _place_readings(self) -> None:
        """Where readings and the ends of chords stand in the state."""
        layout, links, n = self.model.layout, self.model.links, self.model.size
        measured, width = ("joint", "joint_rate", "motor", "motor_rate", "torque"), len(PARTS)
        places = [layout[part].start + i for i in self._rows for part in measured]
        readings = [width * k + part for k in range(len(self._rows)) for part in range(len(measured))]
        self._places = np.array([*places, self.tip, self.tip + 1])
        self._readings = np.array([*readings, width * len(self._rows), width * len(self._rows) + 1])
        self._chord_readings = [-1] * links
        for k, i in enumerate(self._rows):
            self._chord_readings[i] = width * k + len(measured)
        root, tip = self.model.parts.root, self.model.parts.tip
        ends = np.column_stack([root, root + 1, tip, tip + 1])
        angles = layout["chord_angle"].start + np.arange(links)
        self._chord_places = np.column_stack([angles, ends, ends + n])

    def _frame(self, x: np.ndarray, part: str) -> np.ndarray:
        return x[..., self.model.layout[part]]

    def measure(self, x: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `names`."""
        out[self._readings] = x[self._places]
        before, turning = 0.0, 0.0
        for i, (angle, rate) in enumerate(self._chords(x)):
            k = self._chord_readings[i]
            if k >= 0:
                out[k], out[k + 1] = angle - before, rate - turning
            before, turning = angle, rate
        k = len(PARTS) * len(self.joints) + 2
        watch = self.model.watch
        if watch.gauges or watch.sensors:
            row = x[None, : self.model.record_width]
            out[k : k + len(watch.gauges)] = self.strains(row)[0]
            out[k + len(watch.gauges) :] = self.readings(row)[0]
        return out

    def _chords(self, x: np.ndarray) -> list[tuple[float, float]]:
        """Absolute angles of all links' chords, and their rates."""
        found = []
        for angle, x0, y0, x1, y1, u0, v0, u1, v1 in x[self._chord_places].tolist():
            cx, cy = x1 - x0, y1 - y0
            found.append((angle, (cx * (v1 - v0) - cy * (u1 - u0)) / (cx * cx + cy * cy)))
        return found

    def signals(self, times: np.ndarray, records: np.ndarray) -> Signals:
        """What a run shows; units and names are put on by `flexarm.result`."""
        model, rows = self.model, self._rows
        shape, bend = self.shapes(records)
        joint = ("time", "joint")
        position, motor = self._frame(records, "joint")[:, rows], self._frame(records, "motor")[:, rows]
        drive = self._frame(records, "drive")[:, rows] - self._frame(records, "drag")[:, rows]
        tip = np.zeros((len(times), 3))
        tip[:, :2] = records[:, self.tip : self.tip + 2]
        variables: dict[str, Any] = {
            "joint_position": (joint, position),
            "joint_velocity": (joint, self._frame(records, "joint_rate")[:, rows]),
            "motor_position": (joint, motor),
            "joint_deformation": (joint, position - motor),
            "joint_torque": (joint, self._frame(records, "torque")[:, rows]),
            "drive_torque": (joint, drive),
            "tip_position": (("time", "axis"), tip),
            "shape": (("time", "link", "s", "axis"), shape),
            "deflection": (("time", "link", "s"), bend),
            "strain": (("time", "gauge"), self.strains(records)),
            "reading": (("time", "sensor"), self.readings(records)),
            "energy": (("time", "kind"), self.energies(records)),
            **self.along_links(records),
        }
        if model.links == 1 and rows:
            variables["travel"] = ("time", position[:, 0] * model.arm.links[0].span + bend[:, 0, -1])
        coordinates = {
            "time": times, "joint": self.joints, "link": [link.name for link in model.arm.links],
            "axis": ["x", "y", "z"], "s": self.stations, "kind": list(KINDS),
            "gauge": [g.name for g in model.watch.gauges], "sensor": [s.name for s in model.watch.sensors],
        }  # fmt: skip
        return Signals(variables, coordinates)

    def shapes(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (nt, links, stations, 3) and deflections from the root's tangent (nt, links, stations)."""
        q = records[:, : self.model.size]
        shape = np.einsum("lsax,tx->tlsa", self.station_rows, q, optimize=True)
        angle = self._frame(records, "first_angle")[:, :, None]
        away = shape - shape[:, :, :1]
        return shape, -np.sin(angle) * away[..., 0] + np.cos(angle) * away[..., 1]

    def along_links(self, records: np.ndarray) -> dict[str, Any]:
        """Axial force, shear force and bending moment at the stations of every link."""
        q, nt = records[:, : self.model.size], len(records)
        values = np.zeros((3, nt, self.model.links, len(self.stations)))
        for i in range(self.model.links):
            for k, force in enumerate(self.sections.at(q, i, self.stations)):
                values[k, :, i] = force
        dims = ("time", "link", "s")
        return {name: (dims, values[k]) for k, name in enumerate(("axial_force", "shear_force", "bending_moment"))}

    def strains(self, records: np.ndarray) -> np.ndarray:
        """Strain at every gauge, (nt, gauges): axial force and moment."""
        out = np.zeros((len(records), len(self.model.watch.gauges)))
        for k, gauge in enumerate(self.model.watch.gauges):
            out[:, k] = self._strain(records, gauge.link, gauge.at, gauge.side)
        return out

    def _strain(self, records: np.ndarray, link: str, place: float, side: str) -> np.ndarray:
        i = self.model.arm.index(link)
        axial, _, moment = self.sections.at(records[:, : self.model.size], i, np.array([place]))
        figures = self.model.arm.links[i].figures([place])
        sign = 1.0 if side == "bottom" else -1.0
        return axial[:, 0] / figures["EA"][0] + sign * figures["fibre"][0] * moment[:, 0] / figures["EI"][0]

    def readings(self, records: np.ndarray) -> np.ndarray:
        """Point sensors, (nt, sensors): displacement and slope from the root's tangent, strain on top."""
        model = self.model
        q = records[:, : model.size]
        out = np.zeros((len(records), len(model.watch.sensors)))
        for k, sensor in enumerate(model.watch.sensors):
            i = model.arm.index(sensor.link)
            angle = self._frame(records, "first_angle")[:, i]
            point = point_on(model.arm, model.mesh, i, sensor.at * model.arm.links[i].span)
            if sensor.kind == "strain":
                out[:, k] = self._strain(records, sensor.link, sensor.at, "top")
            elif sensor.kind == "slope":
                x, y = (q @ point.section.T).T
                turned = np.arctan2(y, x) - model.parts.offset[i] - angle
                out[:, k] = turned - 2 * np.pi * np.round(turned / (2 * np.pi))
            else:
                x, y = (q @ point.place.T).T - (q @ self.station_rows[i, 0, :2].T).T
                out[:, k] = -np.sin(angle) * x + np.cos(angle) * y
        return out

    def potential(self, records: np.ndarray) -> np.ndarray:
        """Potential of gravity, zero with all masses at the origin's height, (nt,)."""
        q = records[:, : self.model.size]
        return -q @ self.model.parts.weight + body_potential(self.model.parts, q)

    def kinetic(self, records: np.ndarray) -> np.ndarray:
        """Kinetic energy, (nt,)."""
        model, n = self.model, self.model.size
        q, v = records[:, :n], records[:, n : 2 * n]
        return 0.5 * np.sum((v @ model.mass) * v, axis=1) + body_kinetic(
            model.parts, q, v, self._frame(records, "motor_rate")
        )

    def energies(self, records: np.ndarray) -> np.ndarray:
        """Energy kinds over time, (nt, 6)."""
        sums = records[:, self.model.layout["sums"]]
        kinetic, gravity = self.kinetic(records), self.potential(records)
        elastic = sums[:, at.ENERGY] - kinetic - gravity
        return np.column_stack([kinetic, elastic, gravity, sums[:, at.WORK], sums[:, at.LOST], -sums[:, at.NUMERICAL]])
