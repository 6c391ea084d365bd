"""The one reader: names and meaning of every signal and reading, for all methods.

A method derives its own reader and supplies physics only, as formulas of its state (see `flexarm.numerics.expressions`): the
numbers of the joints, places and directions along its links, section forces; and energies of records. From them follow the
readings of controllers, the signals of a run, and the rows of linear models.

Planar arms: angles are counter-clockwise, deflections across the link to its left. Section forces are those that the part
beyond a cut exerts on the part before it, what a cut feels, damping included.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flexarm.errors import FlexarmError, check_word
from flexarm.methods.output_rows import OutputRows, output_names, output_rows
from flexarm.methods.sensors import KINDS
from flexarm.methods.signals import Later, Signals
from flexarm.numerics.expressions import Graph, Tape, values
from flexarm.rigid import tips

if TYPE_CHECKING:
    from flexarm.methods.base import LinearModel, Model

ENERGIES = ("kinetic", "elastic", "gravity", "work", "dissipated", "numerical")
AXES = ("x", "y", "z")
UNSTEADY = ("velocity", "position", "velocity_x", "velocity_y", "velocity_z", "tip.x", "tip.y", "tip.z")
"""Readings that no step is chosen by: rates jump with the torque, and angles are in the travel of the tip."""

SHAFTS, MORE = ("shaft_torque", "shaft_speed", "shaft_power"), ("angular_momentum", "torque_impulse")
"""Signals of motors in front of gears, and those that only some methods have."""
SignalFields = dict[str, tuple[tuple[str, ...], tuple[int, ...]]]
"""Axes and shape of signals at one instant, by name."""

SMALL_PEAK = 0.02
"""A peak below this share of the largest of its kind (torques of other joints, other strains) is judged by that."""
ROUNDING, GRAVITY = 1e-9, 9.81
"""Peaks below this share of the arm's reach, of the torque of its weight stretched out, or as a strain, are rounding."""


class JointNumbers(NamedTuple):
    """Formulas of a joint; `drive` is the torque of its motor less its friction."""

    position: Any
    velocity: Any
    motor_position: Any
    motor_velocity: Any
    torque: Any
    drive: Any


class LoopNumbers(NamedTuple):
    """Formulas of a loop: force of its pin on the first link (world axes), moment if welded, distance of the two places."""

    force: Sequence[Any]
    moment: Any
    error: Any


class Reader(abc.ABC):
    """Everything that is read off a state or a record of one model.

    Parameters
    ----------
    model : Model
        Its arm, what is watched, and the layout of its state.
    rates : mapping
        Places of the state's numbers to the places of their rates.

    Attributes
    ----------
    names : tuple of str
        Names of the readings, in the order of `measure`.
    stations : ndarray
        Fractions of the links' lengths at which signals along the links are given.
    """

    forces: tuple[str, ...] = ("axial_force", "shear_force", "bending_moment")
    """Names of the section forces."""

    def __init__(self, model: Model, rates: Mapping[int, int]):
        self.model, self.arm, self.watch = model, model.arm, model.watch
        self.graph = Graph(rates)
        self.stations: Any = np.linspace(0.0, 1.0, self.watch.stations)
        self.movable = [i for i, link in enumerate(self.arm.links) if link.joint.type != "fixed"]
        """Numbers of the links whose joint can move."""
        self.tip_link = self.arm.index(self.arm.payload_link.name)
        self._formulas = self._name_readings()
        self.names = tuple(self._formulas)
        self._tapes: dict[tuple[str, ...], Tape] = {}

    # what a method supplies

    @abc.abstractmethod
    def joint(self, link: int) -> JointNumbers:
        """Numbers of the joint at a link's root."""

    @abc.abstractmethod
    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Positions in the world at fractions of a link, (k, 3)."""

    @abc.abstractmethod
    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Directions of the sections of a planar link in the world, rad, (k,)."""

    @abc.abstractmethod
    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Elastic section forces of a flexible link, (len(forces), k)."""

    @abc.abstractmethod
    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Kinetic, elastic and gravity energy of records, J, (nt,) each."""

    def energies(self, records: np.ndarray) -> np.ndarray:
        """Energies of records in the order of `ENERGIES`, J, (nt, 6)."""
        sums, at = records[:, self.model.layout["sums"]], self.model.sums
        return np.column_stack(
            [*self.stored(records), sums[:, at.WORK], sums[:, at.LOST], -sums[:, at.NUMERICAL]]
        )  # fmt: skip

    def damping_time(self, link: int) -> float:
        """Kelvin-Voigt time of a link, s: its damping adds this times the rate of the elastic section forces."""
        return float(self.model.damping_times[link])

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """What cuts at fractions of a flexible link feel, (len(forces), k)."""
        elastic, time = self.elastic_forces(link, fractions), self.damping_time(link)
        if not time:
            return elastic
        rate = np.frompyfunc(self.graph.rate, 1, 1)
        return elastic + time * rate(elastic)

    def loop(self, number: int) -> LoopNumbers:
        """Numbers of a closed loop."""
        raise NotImplementedError

    def carrier_rate(self, link: int) -> Any:
        """Rate of turning, about the axis of a link's joint, of what carries its motor."""
        return self.graph.rate(self.angles(link, [0.0])[0] - self.joint(link).position)

    @property
    def of_balance(self) -> Sequence[int]:
        """Places of numbers of the state that a balance of forces gives, and of which small motions tell nothing."""
        return ()

    @property
    def load_places(self) -> Sequence[int]:
        """Places of the sizes of loads on links among the numbers of a record, if it has them."""
        part = self.model.layout.get("loads")
        return [] if part is None or part.stop > self.model.record_width else range(part.start, part.stop)

    def axes_at(self, x: np.ndarray, link: int, at: float) -> np.ndarray:
        """Axes of a section in a record, (3, 3): along the link, across it, and the third, as columns."""
        angle = float(self.graph.tape(self.angles(link, [at])).values(x[None])[0, 0])
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def turn(self, link: int, at: float, axis: np.ndarray) -> Any:
        """A formula that changes as a section turns about an axis (3,) of the world."""
        return axis[2] * self.angles(link, [at])[0]

    def more_signals(self, records: np.ndarray) -> dict[str, Any]:
        """Signals that only this method has."""
        return {}

    def force_places(self, link: int) -> np.ndarray:
        """Fractions of a flexible link at which its section forces are most accurate."""
        return self.stations

    def tip_turn(self, records: np.ndarray) -> Any:
        """Rotation of the tip's section from the first of two records to the second, rad; in space its vector (3,), ground axes."""
        first, second = self.graph.tape(self.angles(self.tip_link, [1.0])).values(records)[:, 0]
        return float(second - first)

    # what follows from it

    def displacements(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Displacements from the stiff link that the root section carries, in the axes of that section, (k, 3)."""
        if not self.arm.links[link].flexible:
            return np.zeros((len(fractions), 3))
        along, across = self._along_and_across(link, fractions)
        stiff = np.asarray(fractions) * self.arm.links[link].span
        return np.stack([along - stiff, across, np.zeros(len(stiff), dtype=object)], axis=1)

    def deflections(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Displacements across a planar link from the tangent at its root, (k,); a rigid link has none."""
        return self.displacements(link, fractions)[:, 1]

    def _along_and_across(self, link: int, fractions: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """Places in the axes of a link's root section, along and across it, (k,) each."""
        root, angle = self.places(link, [0.0])[0], self.angles(link, [0.0])[0]
        c, s = np.cos(angle), np.sin(angle)
        away = self.places(link, fractions) - root
        return c * away[:, 0] + s * away[:, 1], c * away[:, 1] - s * away[:, 0]

    def slopes(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Turning of sections from that at the root, rad, (k,)."""
        return self.angles(link, fractions) - self.angles(link, [0.0])[0]

    def chord(self, link: int) -> Any:
        """Direction from the root to the end of a planar link in the world, rad."""
        angle = self.angles(link, [0.0])[0]
        if not self.arm.links[link].span:
            return angle
        along, across = self._along_and_across(link, [1.0])
        return angle + np.arctan2(across[0], along[0])

    def _chord_angle(self, link: int) -> Any:
        """Angle of a link's chord against that of the link that carries it."""
        carrier = self.arm.parent(self.arm.links[link].name)
        known = [i for i, other in enumerate(self.arm.links) if other.name == carrier]
        return self.chord(link) - (self.chord(known[0]) if known else 0.0)

    def strain(self, link: int, at: float, side: str, reads: str = "strain") -> Any:
        """Strain along a link on one side of it: axial force, unless only bending is read, and bending, as far as elastic."""
        part, force = self.arm.links[link], self.elastic_forces(link, [at])[:, 0]
        properties = part.properties([at])
        sign = {"top": -1.0, "bottom": 1.0}[side]
        bending = sign * properties["fibre"][0] / properties["EI"][0] * force[2]
        return bending if reads == "bending" else force[0] / properties["EA"][0] + bending

    @cached_property
    def tip(self) -> np.ndarray:
        """Position of the tip, (3,)."""
        return self.places(self.tip_link, [1.0])[0]

    def travel(self) -> Any:
        """Length times joint angle plus deflection of the end, for arms of one planar link."""
        turned = self.joint(0).position * self.arm.links[0].span if self.movable else 0.0
        return turned + self.deflections(0, [1.0])[0]

    def _travel_rate(self) -> Any:
        turned = self.joint(0).velocity * self.arm.links[0].span if self.movable else 0.0
        return turned + self.graph.rate(self.deflections(0, [1.0])[0])

    @property
    def one_planar_link(self) -> bool:
        """True for one link in the plane."""
        return len(self.arm.links) == 1 and not self.arm.spatial

    # readings: one state, by name

    def _name_readings(self) -> dict[str, Callable[[], Any]]:
        """Every reading, by name; worked out when it is asked for."""
        found: dict[str, Any] = {}
        for i in self.movable:
            name = self.arm.links[i].name
            for part in JointNumbers._fields[:5]:
                found[f"{name}.{part}"] = lambda i=i, part=part: getattr(self.joint(i), part)
            if not self.arm.spatial:
                found[f"{name}.chord_position"] = partial(self._chord_angle, i)
                found[f"{name}.chord_velocity"] = lambda i=i: self.graph.rate(self._chord_angle(i))
        for k, axis in enumerate(AXES[: 3 if self.arm.spatial else 2]):
            found[f"tip.{axis}"] = lambda k=k: self.tip[k]
            found[f"tip.velocity_{axis}"] = lambda k=k: self.graph.rate(self.tip[k])
        if self.one_planar_link:
            found |= {"tip.travel": self.travel, "tip.velocity": self._travel_rate}
            found["tip.deflection"] = lambda: self.deflections(0, [1.0])[0]
        for name in (*(gauge.label for gauge in self.watch.gauges), *(sensor.name for sensor in self.watch.sensors)):
            if name in found:
                raise FlexarmError(
                    f"'{name}' is a reading of every such arm: call the gauge or sensor otherwise", field="output"
                )
        for gauge in self.watch.gauges:
            found[gauge.label] = partial(self.strain, self.arm.index(gauge.link), gauge.at, gauge.side, gauge.reads)
        for sensor in self.watch.sensors:
            found[sensor.name] = partial(KINDS[sensor.kind].formula, self, self.arm.index(sensor.link), sensor.at)
        return found

    def formula(self, name: str) -> Any:
        """The formula of a reading."""
        check_word(name, self.names, "reading")
        return self._formulas[name]()

    def tape(self, names: Sequence[str]) -> Tape:
        """Some readings, compiled."""
        key = tuple(names)
        if key not in self._tapes:
            self._tapes[key] = self.graph.tape([self.formula(name) for name in key])
        return self._tapes[key]

    @cached_property
    def read(self) -> Callable[[np.ndarray, np.ndarray], None]:
        """All readings of a state, in the order of `names`, into an array: ``read(x, out)``."""
        return partial(values, self.tape(self.names).operations)

    @cached_property
    def _judged(self) -> tuple[str, ...]:
        """Names of the readings by which a step is judged."""
        return tuple(name for name in self.names if not name.endswith(UNSTEADY))

    @cached_property
    def _kinds(self) -> tuple[np.ndarray, np.ndarray]:
        """Kinds of the peaks as numbers (torques of joints, strains, each sensor, then those of the tip), and what is rounding."""
        gauges, reach = {gauge.label for gauge in self.watch.gauges}, sum(link.span for link in self.arm.links)
        kinds = ["strain" if n in gauges else "torque" if n.endswith("torque") else n for n in self._judged]
        kinds += ["tip deflection", "tip motion"]
        sizes = {"strain": 1.0, "torque": GRAVITY * reach * sum(link.mass for link in self.arm.links)}
        noise = [ROUNDING * sizes.get(kind, reach if kind.startswith("tip") else 0.0) for kind in kinds]
        return np.unique(kinds, return_inverse=True)[1], np.array(noise)

    @cached_property
    def _judging(self) -> Tape:
        positions = [self.joint(i).position for i in self.movable]
        return self.graph.tape([*self.tip, *positions, *(self.formula(name) for name in self._judged)])

    def judged(self, records: np.ndarray, origin: np.ndarray) -> np.ndarray:
        """Sizes of what a step is judged by, (n, k): readings, deflection of the tip, and its distance from where it is in
        the record `origin`."""
        found, start = self._judging.values(records), self._judging.values(origin[None])[0, :3]
        tip, positions, readings = found[:, :3], found[:, 3 : 3 + len(self.movable)], found[:, 3 + len(self.movable) :]
        bent = np.abs(tip - tips(self.arm, positions)).max(axis=1)
        return np.column_stack([np.abs(readings), bent, np.sqrt(((tip - start) ** 2).sum(axis=1))])

    def sizes(self, peaks: np.ndarray) -> np.ndarray:
        """What changes of peaks are measured by: their own size, or a small share of the largest of their kind."""
        kinds, noise = self._kinds
        largest = np.zeros(kinds.max() + 1)
        np.maximum.at(largest, kinds, peaks)
        return np.maximum.reduce([peaks, SMALL_PEAK * largest[kinds], noise + 1e-300])

    def moves(self, peaks: np.ndarray) -> bool:
        """True if the tip goes anywhere in a run with these peaks."""
        return bool(peaks[-1] > self._kinds[1][-1])

    def rows(self, x: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Derivatives of readings by the numbers of the state, (names, width)."""
        return self.tape(names).derivatives(x)

    # signals: many records

    def signals(self, times: np.ndarray, records: np.ndarray, only: Collection[str] | None = None) -> Signals:
        """What a run shows; units and long names are put on by `flexarm.result`. `only`: no others than these, and what they are
        made from."""
        wanted = None if only is None else self._with_sources(only)
        fields, tape = self.signal_tape(None if only is None else frozenset(only))
        values, variables, first = tape.values(records), {}, 0
        for name, (axes, shape) in fields.items():
            size = int(np.prod(shape, dtype=int))
            variables[name] = (axes, values[:, first : first + size].reshape(len(times), *shape))
            first += size

        def asked(*names: str) -> bool:
            return wanted is None or not wanted.isdisjoint(names)

        if asked("deflection") and not self._own_deflections:
            variables["deflection"] = (("time", "link", "s"), self._across(variables))
        if asked("link_deformation"):
            variables["link_deformation"] = (("time", "link"), variables["deflection"][1][..., -1])
        if asked(*SHAFTS):
            variables |= self._shafts(variables)
        if asked(*self.forces):
            variables |= self._force_signals(records)
        if asked("energy"):
            variables["energy"] = (("time", "kind"), self.energies(records))
        if asked(*MORE):
            variables |= self.more_signals(records)
        coordinates = {
            "time": times, "joint": [self.arm.links[i].name for i in self.movable],
            "link": [link.name for link in self.arm.links], "axis": list(AXES), "s": self.stations,
            "kind": list(ENERGIES), "gauge": [g.label for g in self.watch.gauges],
            "sensor": [s.name for s in self.watch.sensors],
        }  # fmt: skip
        if self.closes_loops:
            coordinates["loop"] = [loop.name for loop in self.arm.loops]
        return Signals(variables, coordinates)

    def _with_sources(self, names: Collection[str]) -> frozenset[str]:
        """Signals, and those that they are made from."""
        found = set(names)
        if "link_deformation" in found:
            found.add("deflection")
        if "deflection" in found and not self._own_deflections:
            found |= {"shape", "root_angle"}
        if not found.isdisjoint(SHAFTS):
            found |= {"motor_velocity", "drive_torque", "joint_torque"}
        return frozenset(found)

    def _shafts(self, variables: dict[str, Any]) -> dict[str, Any]:
        """Torque, speed against the stator, and power of the motors' shafts of an arm with gears.

        The rotor stands in front of the gear, so what passes the gear is the torque through the joint; its loss is a share of
        that power, and the motor gives it in addition, or takes up so much less. A joint at rest loses nothing.
        """
        joints = [self.arm.links[i].joint for i in self.movable]
        rate = variables["motor_velocity"][1]
        if not any(joint.gear for joint in joints):
            return {}
        ratio = np.array([joint.ratio for joint in joints])
        kept = np.array([1.0 if joint.gear is None else joint.gear.efficiency for joint in joints])
        drive, through = variables["drive_torque"][1], variables["joint_torque"][1]
        power = through * rate
        torque = (
            drive + through * np.where(power > 0.0, 1.0 / kept - 1.0, np.where(power < 0.0, kept - 1.0, 0.0))
        ) / ratio
        found = {"shaft_torque": torque, "shaft_speed": ratio * rate, "shaft_power": torque * ratio * rate}
        return {name: (("time", "joint"), values) for name, values in found.items()}

    @property
    def closes_loops(self) -> bool:
        """True if the model closes the arm's loops."""
        return bool(self.arm.loops) and self.model.closes_loops

    def signal_tape(self, only: frozenset[str] | None = None) -> tuple[SignalFields, Tape]:
        """Axes and shape of every signal that formulas give (or of those named in `only`), and their tape, one after the other."""
        if only not in self._signal_tapes:
            wanted = None if only is None else self._with_sources(only)
            arrays = {
                name: (axes, _array(find())) for name, (axes, find) in self._signal_formulas().items()
                if (name != "end_deflection" if wanted is None else name in wanted)
            }  # fmt: skip
            tape = self.graph.tape([value for _, array in arrays.values() for value in array.ravel()])
            self._signal_tapes[only] = {name: (axes, array.shape) for name, (axes, array) in arrays.items()}, tape
        return self._signal_tapes[only]

    def keep_signal_tape(self, only: frozenset[str], tape: tuple[SignalFields, Tape]) -> None:
        """Take over what is known to be the `signal_tape` of this model too."""
        self._signal_tapes[only] = tape

    @cached_property
    def _signal_tapes(self) -> dict[frozenset[str] | None, tuple[SignalFields, Tape]]:
        return {}

    def _signal_formulas(self) -> dict[str, tuple[tuple[str, ...], Callable[[], Any]]]:
        """Axes of every signal that formulas give, and what finds these. Deflections of the links' ends are no signal of a run."""
        links, turns, along = range(len(self.arm.links)), ("time", "joint"), ("time", "link", "s")

        def of_joints(find: Callable[[JointNumbers], Any]) -> tuple[tuple[str, ...], Callable[[], Any]]:
            return turns, lambda: [find(self.joint(i)) for i in self.movable]

        found: dict[str, tuple[tuple[str, ...], Callable[[], Any]]] = {
            "joint_position": of_joints(lambda j: j.position),
            "joint_velocity": of_joints(lambda j: j.velocity),
            "motor_position": of_joints(lambda j: j.motor_position),
            "motor_velocity": of_joints(lambda j: j.motor_velocity),
            "joint_deformation": of_joints(lambda j: j.position - j.motor_position),
            "joint_torque": of_joints(lambda j: j.torque),
            "drive_torque": of_joints(lambda j: j.drive),
            "tip_position": (("time", "axis"), lambda: self.tip),
            "shape": ((*along, "axis"), lambda: [self._drawn(i) for i in links]),
            "strain": (("time", "gauge"), lambda: [self.formula(g.label) for g in self.watch.gauges]),
            "reading": (("time", "sensor"), lambda: [self.formula(s.name) for s in self.watch.sensors]),
        }
        found["end_deflection"] = (("time", "link"), lambda: [self.deflections(i, [1.0])[0] for i in links])
        if self._own_deflections:
            found["deflection"] = (along, lambda: [self.deflections(i, self.stations) for i in links])
        else:  # they follow from the drawn shape
            found["root_angle"] = (("time", "link"), lambda: [self.angles(i, [0.0])[0] for i in links])
        if self.one_planar_link:
            found["travel"] = (("time",), self.travel)
        if self.closes_loops:
            count, loop = range(len(self.arm.loops)), ("time", "loop")
            found["loop_force"] = ((*loop, "axis"), lambda: [self.loop(k).force for k in count])
            found["loop_moment"] = (loop, lambda: [self.loop(k).moment for k in count])
            found["loop_error"] = (loop, lambda: [self.loop(k).error for k in count])
        return found

    @cached_property
    def _force_tape(self) -> Tape:
        """Section forces of all links at the stations, by kind, link and station."""
        forces = [self._section_forces(i) for i in range(len(self.arm.links))]
        return self.graph.tape(np.stack([_array(force) for force in forces], axis=1).ravel())

    def _force_signals(self, records: np.ndarray) -> dict[str, Any]:
        """Section forces along the links, which cost more than all else and are seldom looked at: worked out then."""
        shape = len(records), len(self.arm.links), len(self.stations)
        find = cache(lambda: self._force_tape.values(records).reshape(len(records), len(self.forces), *shape[1:]))
        return {
            name: (("time", "link", "s"), Later(shape, lambda k=k: find()[:, k]))  # type: ignore[misc]
            for k, name in enumerate(self.forces)
        }

    @property
    def _own_deflections(self) -> bool:
        """True if the method says itself what is across its links."""
        return type(self).displacements is not Reader.displacements

    def _across(self, variables: dict[str, Any]) -> np.ndarray:
        """Deflections from the drawn shapes and the directions of the roots, (nt, links, stations)."""
        shape, turned = variables["shape"][1], variables.pop("root_angle")[1][..., None]
        away = shape - shape[:, :, :1]
        across = np.cos(turned) * away[..., 1] - np.sin(turned) * away[..., 0]
        return across * np.array([[float(link.flexible)] for link in self.arm.links])

    def _section_forces(self, link: int) -> np.ndarray:
        """Section forces at the stations, (len(forces), stations); those of a rigid link are not known."""
        if not self.arm.links[link].flexible:
            return np.full((len(self.forces), len(self.stations)), np.nan)
        return self.section_forces(link, self.stations)

    def _drawn(self, link: int) -> np.ndarray:
        """Places at the stations, (stations, 3); a body without a length is drawn from its joint to what it carries."""
        part = self.arm.links[link]
        if part.span:
            return self.places(link, self.stations)
        used = [other.at for other in self.arm.links if self.arm.parent(other.name) == part.name]
        used += [place for loop in self.arm.loops for owner, place in loop.places if owner == part.name]
        ends = [np.array(part.place(place)[:2]) for place in used]
        x, y = max(ends, key=lambda end: float(np.linalg.norm(end)), default=np.zeros(2))
        angle = self.angles(link, [0.0])[0]
        c, s = np.cos(angle), np.sin(angle)
        end = _array([c * x - s * y, s * x + c * y, 0.0])
        return self.places(link, [0.0]) + self.stations[:, None] * end

    @cached_property
    def _shape(self) -> Tape:
        """Positions at the stations."""
        return self.graph.tape(_array([self._drawn(i) for i in range(len(self.arm.links))]).ravel())

    def shape(self, x: np.ndarray) -> np.ndarray:
        """Positions at the stations in a state, m, (links, stations, 3)."""
        return self._shape.values(x).reshape(len(self.arm.links), len(self.stations), 3)

    def shape_rows(self, x: np.ndarray) -> np.ndarray:
        """Derivatives of the positions at the stations by the numbers of the state, (links, stations, 3, width)."""
        return self._shape.derivatives(x).reshape(len(self.arm.links), len(self.stations), 3, len(x))

    # small motions

    def linear_model(
        self, x: np.ndarray, T: np.ndarray, matrices: Sequence[np.ndarray], names: Sequence[str], inputs: Sequence[str],
        B: Any, sensed: Any, places: slice = slice(None), elastic: np.ndarray | None = None,
        loop_forces: Callable[[], OutputRows] | None = None,
    ) -> LinearModel:  # fmt: skip
        """Small motions about a record, with outputs and shapes as the formulas have them.

        Parameters
        ----------
        x : ndarray, shape (width,)
            The record about which the arm moves.
        T : ndarray, shape (numbers, n)
            Change of the state's numbers at `places` (all) per unit of each coordinate.
        matrices : M, C, K
            Mass, damping and stiffness, (n, n) each.
        names, inputs : sequence of str
            Coordinates and driven joints.
        B, sensed : array-like, shape (n, inputs) and (inputs, n)
            Forces per unit of torque; what the law of each input reads. Without B, where joint positions are formulas of
            the numbers at `places`: both from formulas, with `sensed` the names of the readings.
        elastic : ndarray, shape (links, n, n), optional
            Elastic stiffness of each link.
        loop_forces : callable, optional
            Gives the forces of all constraints, which stand at ``layout["lam"]``, as rows.
        """
        from flexarm.methods.base import LinearModel
        from flexarm.methods.load_rows import load_rows

        if B is None:
            motors = [f"{name}.motor_position" for name in inputs]
            B, sensed = np.transpose(self.rows(x, motors)[:, places] @ T), self.rows(x, sensed)[:, places] @ T
        n = T.shape[1]
        return LinearModel(
            M=matrices[0], C=matrices[1], K=matrices[2], B=np.reshape(B, (n, len(inputs))),
            find_rows=lambda: output_rows(self, x, T, places, inputs, loop_forces),
            coordinates=tuple(names), inputs=tuple(inputs), output_names=output_names(self),
            find_shapes=lambda: np.moveaxis(self.shape_rows(x)[..., places] @ T, -1, 0), stations=self.stations,
            links=tuple(link.name for link in self.arm.links), sensed=np.reshape(sensed, (len(inputs), n)),
            elastic=np.zeros((0, 0, 0)) if elastic is None else elastic,
            pushes=tuple(patch.name for patch in self.model.wiring.patches),
            find_pushes=lambda: load_rows(self, x, T, places),
        )  # fmt: skip


def _array(values: Any) -> np.ndarray:
    """Nested sequences of formulas and numbers as an array of objects."""
    return np.array(values, dtype=object)
