"""From records to labelled signals, and the readings that controllers see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.fem.spatial import condensation
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.placing import stiff_places
from flexarm.methods.fem.spatial.readings import exact_strains, small_strains
from flexarm.methods.fem.spatial.sliding_material import sliding_length, stiffness_at
from flexarm.methods.signals import Signals

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel

KINDS = ("kinetic", "elastic", "gravity", "work", "dissipated", "numerical")
FORCES = ("axial_force", "shear_force", "shear_force_z", "torsion_moment", "bending_moment_y", "bending_moment")


class Reader:
    """Everything that is read off a state or a record of one model."""

    def __init__(self, model: SpatialModel):
        self.model = model
        links = model.arm.links
        self._rows = [i for i, link in enumerate(links) if link.joint.type != "fixed"]
        self.joints = [links[i].name for i in self._rows]
        parts = ("position", "velocity", "motor_position", "motor_velocity", "torque")
        self.names = tuple(f"{joint}.{part}" for joint in self.joints for part in parts)
        self.names += ("tip.x", "tip.y", "tip.z")
        self.names += (*(g.name for g in model.watch.gauges), *(s.name for s in model.watch.sensors))
        self.stations = np.linspace(0.0, 1.0, model.watch.stations)
        self._tip = int(model.mesh.tips[model.arm.index(model.arm.payload_link.name)])
        measured = (at.JOINT, at.JOINT_RATE, at.MOTOR, at.MOTOR_RATE, at.TORQUE)
        first = 21 * model.F + 4 * model.links
        joints = [first + part * model.links + i for i in self._rows for part in measured]
        self._places = np.array([*joints, *range(3 * self._tip, 3 * self._tip + 3)], dtype=int)

    def _figures(self, records: np.ndarray) -> np.ndarray:
        """Joint rows (nt, FRAME, links) of records."""
        F, L = self.model.F, self.model.links
        return records[:, 21 * F + 4 * L : 21 * F + (4 + at.FRAME) * L].reshape(-1, at.FRAME, L)

    def _frames(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions (nt, F, 3), rotations (nt, F, 3, 3) and small rotations (nt, F, 3)."""
        F, n = self.model.F, len(records)
        return (
            records[:, : 3 * F].reshape(n, F, 3),
            records[:, 3 * F : 12 * F].reshape(n, F, 3, 3),
            records[:, 12 * F : 15 * F].reshape(n, F, 3),
        )

    def measure(self, x: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `names`."""
        k = len(self._places)
        out[:k] = x[self._places]
        watch = self.model.watch
        if watch.gauges or watch.sensors:
            row = x[None, : self.model.record_width]
            out[k : k + len(watch.gauges)] = self.strains(row)[0]
            out[k + len(watch.gauges) :] = self.readings(row)[0]
        return out

    def signals(self, times: np.ndarray, records: np.ndarray) -> Signals:
        """What a run shows; units and names are put on by `flexarm.result`."""
        model, rows, figures = self.model, self._rows, self._figures(records)
        shape, bend = self.shapes(records)
        joint = ("time", "joint")
        position, motor = figures[:, at.JOINT][:, rows], figures[:, at.MOTOR][:, rows]
        variables: dict[str, Any] = {
            "joint_position": (joint, position),
            "joint_velocity": (joint, figures[:, at.JOINT_RATE][:, rows]),
            "motor_position": (joint, motor),
            "joint_deformation": (joint, position - motor),
            "joint_torque": (joint, figures[:, at.TORQUE][:, rows]),
            "drive_torque": (joint, (figures[:, at.DRIVE] - figures[:, at.DRAG])[:, rows]),
            "tip_position": (("time", "axis"), self._frames(records)[0][:, self._tip].copy()),
            "shape": (("time", "link", "s", "axis"), shape),
            "deflection": (("time", "link", "s"), bend),
            "strain": (("time", "gauge"), self.strains(records)),
            "reading": (("time", "sensor"), self.readings(records)),
            "energy": (("time", "kind"), self.energies(records)),
            **self.along_links(records),
        }
        coordinates = {
            "time": times, "joint": self.joints, "link": [link.name for link in model.arm.links], "axis": ["x", "y", "z"],
            "s": self.stations, "kind": list(KINDS), "gauge": [g.name for g in model.watch.gauges],
            "sensor": [s.name for s in model.watch.sensors],
        }  # fmt: skip
        return Signals(variables, coordinates)

    def at_fraction(self, values: np.ndarray, link: int, fraction: float) -> np.ndarray:
        """Values on the frames (nt, F, n), linear between those of a link, at a fraction of it: (nt, n)."""
        places, nodes = self.model.mesh.fractions[link], self.model.mesh.nodes[link]
        k = int(np.clip(np.searchsorted(places, fraction) - 1, 0, len(places) - 2))
        share = (fraction - places[k]) / (places[k + 1] - places[k])
        return (1.0 - share) * values[:, nodes[k]] + share * values[:, nodes[k + 1]]

    def shapes(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (nt, links, stations, 3), and distances from the stiff link on the root (nt, links, stations)."""
        model = self.model
        r, _R, _th = self._frames(records)
        shape = np.zeros((len(records), model.links, len(self.stations), 3))
        bend = np.zeros(shape.shape[:3])
        for i, link in enumerate(model.arm.links):
            away = self._away(records, i) if link.flexible else None
            for k, fraction in enumerate(self.stations):
                shape[:, i, k] = self.at_fraction(r, i, float(fraction))
                if away is not None:
                    bend[:, i, k] = np.linalg.norm(self.at_fraction(away, i, float(fraction)), axis=1)
        return shape, bend

    def _away(self, records: np.ndarray, link: int) -> np.ndarray:
        """Displacement (nt, F, 3) of a link's frames from the stiff link that its root section carries, root axes."""
        model, (r, R, th) = self.model, self._frames(records)
        nodes = model.mesh.nodes[link]
        root = int(nodes[0])
        free = self._figures(records)[:, at.JOINT, link] + model.joint_data[link, at.K_OFFSET]
        stiff = stiff_places(model, link, free)
        turned = R[:, root] + (_skew(th[:, root]) @ R[:, root] if model.options.theory == "linear" else 0.0)
        out = np.zeros_like(r)
        out[:, nodes] = np.einsum("tji,tnj->tni", turned, r[:, nodes] - r[:, root, None]) - stiff
        return out

    def section_forces(self, records: np.ndarray, link: int) -> tuple[np.ndarray, np.ndarray]:
        """Places (points,) as fractions, and there the six section forces (nt, points, 6), elastic part.

        The root's forces are those that hold it, which is what a gauge there sees.
        """
        model = self.model
        own = np.flatnonzero(model.mesh.elements[:, at.E_LINK] == link)
        fractions = model.mesh.fractions[link]
        places = np.concatenate([[0.0], 0.5 * (fractions[1:] + fractions[:-1])])
        values = np.zeros((len(records), len(own) + 1, 6))
        values[:, 0] = self._figures(records)[:, at.ROOT : at.ROOT + 6, link]
        free = self._figures(records)[:, at.JOINT, link] + model.joint_data[link, at.K_OFFSET]
        small = model.options.theory == "linear"
        r, R, th = self._frames(records)
        rows = model.mesh.elements[own]
        f1, f2 = rows[:, at.E_FIRST], rows[:, at.E_SECOND]
        h = np.where(
            rows[:, at.E_SLIDES] == 1,
            free[:, None] / rows[:, at.E_COUNT],
            model.parts.element_properties[own, at.M_LENGTH],
        )
        if small:
            values[:, 1:] = small_strains(r[:, f1], th[:, f1], r[:, f2], th[:, f2], R[:, f2], h)
        else:
            values[:, 1:] = exact_strains(r[:, f1], R[:, f1], r[:, f2], R[:, f2], h)
        stiff = np.broadcast_to(model.parts.element_properties[own, at.M_EA : at.M_EA + 6], values[:, 1:].shape).copy()
        flows = rows[:, at.E_SLIDES] == 1
        if np.any(flows):
            stiff[:, flows] = stiffness_at(model.parts.material[link], free, int(np.count_nonzero(flows)))
        values[:, 1:] *= stiff
        return places, values

    def material_fraction(self, records: np.ndarray, link: int, fraction: float) -> np.ndarray:
        """Fractions (nt,) of a link's material that are at a fraction of what stands out; the same unless it slides."""
        model, body = self.model, self.model.arm.links[link]
        if body.joint.type != "prismatic":
            return np.full(len(records), fraction)
        free = self._figures(records)[:, at.JOINT, link] + model.joint_data[link, at.K_OFFSET]
        rows = model.mesh.elements[model.mesh.elements[:, at.E_LINK] == link]
        corner = float(model.mesh.fractions[link][np.count_nonzero(rows[:, at.E_SLIDES] == 1)])
        whole = sliding_length(body)
        if fraction > corner:
            return np.full(
                len(records), (whole + (fraction - corner) / (1.0 - corner) * (body.span - whole)) / body.span
            )
        return (whole - free * (1.0 - fraction / corner)) / body.span

    def along_links(self, records: np.ndarray) -> dict[str, Any]:
        """Section forces at the stations of every link; zero on rigid ones."""
        values = np.zeros((6, len(records), self.model.links, len(self.stations)))
        for i, link in enumerate(self.model.arm.links):
            if link.flexible:
                places, forces = self.section_forces(records, i)
                for j, fraction in enumerate(self.stations):
                    values[:, :, i, j] = between(places, forces, float(fraction)).T
        return {name: (("time", "link", "s"), values[k]) for k, name in enumerate(FORCES)}

    def strains(self, records: np.ndarray) -> np.ndarray:
        """Strain at every gauge, (nt, gauges): axial force and both moments."""
        out = np.zeros((len(records), len(self.model.watch.gauges)))
        for k, gauge in enumerate(self.model.watch.gauges):
            out[:, k] = self._strain(records, gauge.link, gauge.at, gauge.side)
        return out

    def _strain(self, records: np.ndarray, name: str, fraction: float, side: str) -> np.ndarray:
        model = self.model
        i, link = model.arm.index(name), model.arm.link(name)
        if not link.flexible:
            return np.zeros(len(records))
        places, forces = self.section_forces(records, i)
        force = between(places, forces, fraction)
        where = self.material_fraction(records, i, fraction)
        figures = link.figures(where)
        assert link.section is not None and link.material is not None
        y = {"top": 1.0, "bottom": -1.0}.get(side, 0.0) * figures["fibre"]
        z = {"z": 1.0, "-z": -1.0}.get(side, 0.0) * link.section.values(link.material.nu, where).fibre_y
        return force[:, 0] / figures["EA"] - y * force[:, 5] / figures["EI"] + z * force[:, 4] / figures["EI_y"]

    def readings(self, records: np.ndarray) -> np.ndarray:
        """Point sensors, (nt, sensors): displacement in the link's x-y plane, slope in it, strain on top."""
        out = np.zeros((len(records), len(self.model.watch.sensors)))
        for k, sensor in enumerate(self.model.watch.sensors):
            i = self.model.arm.index(sensor.link)
            if sensor.kind == "strain":
                out[:, k] = self._strain(records, sensor.link, sensor.at, "top")
            elif sensor.kind == "displacement":
                out[:, k] = self.at_fraction(self._away(records, i), i, sensor.at)[:, 1]
            else:
                out[:, k] = self._slope(records, i, sensor.at)
        return out

    def _slope(self, records: np.ndarray, link: int, fraction: float) -> np.ndarray:
        """Turning about the link's z axis from the root's section, (nt,)."""
        _, R, th = self._frames(records)
        root = int(self.model.mesh.nodes[link][0])
        if self.model.options.theory == "linear":
            turned = np.einsum("tji,tnj->tni", R[:, root], th - th[:, root, None])
        else:
            relative = np.einsum("tji,tnjk->tnik", R[:, root], R)
            turned = np.zeros_like(th)
            turned[..., 2] = np.arctan2(relative[..., 1, 0], relative[..., 0, 0])
        return self.at_fraction(turned, link, fraction)[:, 2]

    def energies(self, records: np.ndarray) -> np.ndarray:
        """Energy kinds over time, (nt, 6)."""
        sums = records[:, self.model.layout["sums"]]
        return np.column_stack(
            [sums[:, k] for k in (at.KINETIC, at.ELASTIC, at.GRAVITY, at.WORK, at.LOST)] + [-sums[:, at.NUMERICAL]]
        )

    def frame_motion(self, frame: int) -> np.ndarray:
        """Displacement and spin (6, size) of a frame per unknown, at the state that was evaluated last."""
        model = self.model
        condensation.frame_jacobians(model.parts, model.scratch)
        out = np.zeros((6, model.size))
        for c in range(model.mesh.frames[frame, at.F_COUNT]):
            out[:, model.mesh.moved_by[frame, c]] = model.scratch.T[frame, :, c]
        return out

    def linear_shapes(self) -> np.ndarray:
        """Displacements of the stations per unit of each unknown, (size, links, stations, 3)."""
        model = self.model
        moves = np.stack([self.frame_motion(f)[:3].T for f in range(model.F)], axis=1)
        shapes = np.zeros((model.size, model.links, len(self.stations), 3))
        for i in range(model.links):
            for k, fraction in enumerate(self.stations):
                shapes[:, i, k] = self.at_fraction(moves, i, float(fraction))
        return shapes

    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the unknowns."""
        names = [""] * self.model.size
        for i, link in enumerate(self.model.arm.links):
            for index, word in ((self.model.mesh.psi[i], "joint"), (self.model.mesh.turn[i], "motor")):
                if index >= 0:
                    names[index] = f"{link.name} {word}"
            for n, f in enumerate(self.model.mesh.nodes[i]):
                dof = self.model.mesh.frames[f, at.F_DOF]
                if dof >= 0 and not names[dof]:
                    for k, letter in enumerate(("x", "y", "z", "turn x", "turn y", "turn z")):
                        names[dof + k] = f"{link.name} {letter}{n}"
        return tuple(names)


def _skew(v: np.ndarray) -> np.ndarray:
    """Matrices (nt, 3, 3) of the cross product with v (nt, 3)."""
    out = np.zeros((len(v), 3, 3))
    out[:, 0, 1], out[:, 0, 2], out[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    return out - np.swapaxes(out, 1, 2)


def between(places: np.ndarray, values: np.ndarray, where: float) -> np.ndarray:
    """Linear interpolation along the second axis, continued beyond the ends: (nt, n)."""
    k = int(np.clip(np.searchsorted(places, where) - 1, 0, len(places) - 2))
    share = (where - places[k]) / (places[k + 1] - places[k])
    return (1.0 - share) * values[:, k] + share * values[:, k + 1]
