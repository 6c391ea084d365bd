"""The labelled result of a run, and what can be done with it."""

from __future__ import annotations

import errno
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import DiskFull, FlexarmError
from flexarm.files import no_space, whole_file
from flexarm.methods.base import Outcome
from flexarm.methods.sensors import KINDS

if TYPE_CHECKING:
    import xarray

    from flexarm.scenario import Scenario

LABELS = {
    "joint_position": ("joint position, link side", "joint"),
    "joint_velocity": ("joint velocity, link side", "joint/s"),
    "motor_position": ("motor position", "joint"),
    "motor_velocity": ("motor velocity", "joint/s"),
    "commanded_position": ("commanded joint position", "joint"),
    "commanded_velocity": ("commanded joint velocity", "joint/s"),
    "joint_deformation": ("joint deformation, link minus motor side", "joint"),
    "joint_torque": ("torque through the joint", "torque"),
    "drive_torque": ("torque of the motor", "torque"),
    "disturbance_torque": ("torque beside that of the motor", "torque"),
    "shaft_torque": ("torque of the motor at its own shaft", "N*m"),
    "shaft_speed": ("speed of the motor's shaft against its stator", "rad/s"),
    "shaft_power": ("mechanical power of the motor", "W"),
    "rigid_torque": ("torque of the stiff arm", "torque"),
    "cylinder_length": ("length of the cylinder between its pins", "m"),
    "cylinder_force": ("force of the cylinder, positive if it pushes", "N"),
    "cylinder_pressure": ("force of the oil on the piston per area of it", "Pa"),
    "chamber_pressure": ("pressure in the chambers of the cylinder", "Pa"),
    "differential_pressure": ("pressure in the pushing chamber less that in the other", "Pa"),
    "tip_position": ("tip position", "m"),
    "tip_error": ("tip minus stiff arm at the commanded joints", "m"),
    "tip_error_link": ("tip error along and across the last link as commanded", "m"),
    "tip_deflection": ("tip minus stiff arm at the actual joints", "m"),
    "path_position": ("wanted tip position", "m"),
    "path_error": ("tip minus wanted path", "m"),
    "shape": ("position along the link", "m"),
    "deflection": ("deflection from the tangent at the root", "m"),
    "travel": ("tip travel, length times hub angle plus deflection", "m"),
    "link_deformation": ("end of the link from the tangent at its root", "m"),
    "axial_force": ("axial force along the link", "N"),
    "shear_force": ("shear force along the link", "N"),
    "bending_moment": ("bending moment along the link", "N*m"),
    "shear_force_z": ("shear force in the link's x-z plane", "N"),
    "bending_moment_y": ("bending moment in the link's x-z plane", "N*m"),
    "torsion_moment": ("torsion moment along the link", "N*m"),
    "stress": ("stress at the outer fibre", "Pa"),
    "strain": ("strain", "1"),
    "loop_force": ("force of a loop's pin on its first link", "N"),
    "loop_moment": ("moment of a welded loop on its first link", "N*m"),
    "loop_error": ("distance of the two places that a loop holds together", "m"),
    "reading": ("sensor reading", " or ".join(dict.fromkeys(kind.unit for kind in KINDS.values()))),
    "energy": ("energy", "J"),
    "angular_momentum": ("angular momentum about the joint", "kg*m^2/s"),
    "torque_impulse": ("angular impulse of the drive and of payload changes", "N*m*s"),
    "time": ("time", "s"),
    "s": ("fraction of the link's length", "1"),
}
"""Long name and unit of each variable; joint and torque become rad, m, N*m, N by the joints' types."""


def save_data(data: xarray.Dataset, path: Path, force: bool) -> Path:
    """Write a dataset as NetCDF-4, as a whole or not at all."""
    with whole_file(path, force) as temporary:
        try:
            data.to_netcdf(temporary, engine="netcdf4")
        except (RuntimeError, OSError) as error:  # the library does not say that the disk is full
            if no_space(temporary, data.nbytes):
                raise OSError(errno.ENOSPC, f"no space left on the disk for {data.nbytes / 1e6:.2g} MB") from error
            raise OSError(errno.EIO, str(error)) from error
    return path


def describe(data: xarray.Dataset, scenario: Scenario) -> None:
    """Put units, names and provenance on a dataset, in place."""
    from flexarm._version import __version__

    types = {link.joint.type for link in scenario.arm.links if link.joint.type != "fixed"}
    angle = {frozenset({"revolute"}): "rad", frozenset({"prismatic"}): "m"}.get(frozenset(types), "rad or m")
    torque = {"rad": "N*m", "m": "N"}.get(angle, "N*m or N")
    for name in [*data.data_vars, *data.coords]:
        if name in LABELS:
            text, unit = LABELS[str(name)]
            attributes = data.variables[name].attrs
            attributes["long_name"] = text
            attributes["units"] = {
                "joint": angle,
                "joint/s": angle.replace("rad", "rad/s", 1).replace("m", "m/s"),
                "torque": torque,
            }.get(unit, unit)
    data.attrs.update(
        title=scenario.name,
        method=scenario.method.name,
        options=json.dumps(scenario.method.options.model_dump(mode="json")),
        scenario=scenario.to_yaml(),
        scenario_hash=scenario.hash,
        software=f"flexarm {__version__}",
        version=__version__,
    )


@dataclass
class Result:
    """What a run gave.

    Attributes
    ----------
    data : xarray.Dataset
        Signals with ``time`` first; every variable has ``units`` and ``long_name``.
    scenario : Scenario
        What was run.
    outcome : Outcome
        How the run ended; `message` says it in a sentence, with the time if it went bad.
    notes : list of str
        Choices that the program made, and warnings.
    timing : dict
        Seconds of building, marching and labelling; real-time factor; number of steps.

    A run gives its records; signals, notes and outcome are worked out from them when one of these is first looked at.

    Examples
    --------
    >>> import flexarm as fa
    >>> result = fa.simulate("tokhi-azad")
    >>> result.success, result.data.tip_deflection.attrs["units"]
    (True, 'm')
    >>> round(1e3 * result.summary()["tip_deflection_peak"], 1)  # mm
    25.7
    """

    data: xarray.Dataset
    scenario: Scenario
    outcome: Outcome
    message: str
    notes: list[str] = field(default_factory=list)
    timing: dict[str, float] = field(default_factory=dict)

    @classmethod
    def on_demand(cls, scenario: Scenario, label: Callable[[], Result]) -> Result:
        """A result that is worked out by `label` when it is first looked at."""
        result = cls.__new__(cls)
        result.__dict__.update(scenario=scenario, timing={}, _label=label, _lock=threading.Lock())
        return result

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        own = self.__dict__
        if name not in ("data", "outcome", "message", "notes") or "_lock" not in own:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        with own["_lock"]:
            if name not in own:
                began = time.perf_counter()
                made = own["_label"]()
                own.update(data=made.data, outcome=made.outcome, message=made.message, notes=made.notes)
                own["timing"]["label"] = time.perf_counter() - began
                del own["_label"]
        return own[name]

    def __getstate__(self) -> dict[str, Any]:
        """All of it: what works it out does not travel."""
        self.data.load()
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def success(self) -> bool:
        """True if the run reached its end."""
        return self.outcome is Outcome.SUCCESS

    @property
    def warnings(self) -> list[str]:
        """The same as `notes`."""
        return self.notes

    def save(self, path: str | Path, force: bool = False) -> Path:
        """Write NetCDF-4; an existing file is replaced only with `force`."""
        return save_data(self._kept, Path(path), force)

    @property
    def _kept(self) -> xarray.Dataset:
        """The data with what `open_result` needs besides."""
        return self.data.assign_attrs(timing=json.dumps(self.timing))

    def save_part(self, path: str | Path, force: bool = False) -> tuple[Path, int]:
        """Write as much as a disk that is nearly full takes: no fields along the links, and records left out.

        Returns
        -------
        Path, int
            The file, and that every so many-th record is in it.
        """
        few = self._kept.drop_vars([name for name, variable in self.data.data_vars.items() if "s" in variable.dims])
        every = 1
        while True:
            try:
                return save_data(few.isel(time=slice(None, None, every)), Path(path), force), every
            except DiskFull:
                if every > self.data.sizes["time"]:
                    raise
                every *= 4

    def to_csv(self, path: str | Path, force: bool = False) -> Path:
        """Write the signals over time as a table, one column each, names like ``tip_position_x [m]``."""
        path = Path(path)
        names, columns = self.table()
        with whole_file(path, force) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
            file.write(",".join(names) + "\n")
            np.savetxt(file, columns, delimiter=",", fmt="%.10g")
        return path

    def table(self) -> tuple[list[str], np.ndarray]:
        """Column names and values (time, columns) of everything but the fields along the links."""
        names, columns = ["time [s]"], [self.data["time"].values]
        for name, variable in self.data.data_vars.items():
            if "s" in variable.dims or variable.dims[0] != "time":
                continue
            values = variable.values.reshape(len(columns[0]), -1)
            tails = [""]
            for dim in variable.dims[1:]:
                tails = [f"{tail}_{v}" for tail in tails for v in variable[dim].values]
            names += [f"{name}{tail} [{variable.attrs.get('units', '1')}]" for tail in tails]
            columns += list(values.T)
        return names, np.column_stack(columns)

    def summary(self) -> dict[str, Any]:
        """The numbers that answer the usual questions, for people and for scripts (SI units)."""
        from flexarm.summary import summarise

        return summarise(self)

    def _repr_html_(self) -> str:
        """The arm at some instants and the numbers that were found, for notebooks."""
        from flexarm.sketch.cards import of_result

        return of_result(self)


def open_result(path: str | Path) -> Result:
    """A run that was stored, as it was.

    Parameters
    ----------
    path : str or Path
        A file of `Result.save` or of ``flexarm run`` (``run.nc``), or the folder in which the latter stands.

    Raises
    ------
    FlexarmError
        If there is no such file, or if it is no run of this program.

    Examples
    --------
    ``open_result("results/tokhi-azad").data.tip_deflection``
    """
    import xarray

    from flexarm.scenario import loads

    path = Path(path)
    file = path / "run.nc" if path.is_dir() else path
    if not file.is_file():
        raise FlexarmError(f"there is no file '{file}'; give the run.nc that flexarm run has written, or its folder")
    try:
        data = xarray.load_dataset(file, engine="netcdf4")
    except (OSError, ValueError, RuntimeError) as error:
        raise FlexarmError(f"'{file}' cannot be read as NetCDF: {error}") from error
    lacking = [name for name in ("scenario", "outcome", "message", "notes") if name not in data.attrs]
    if lacking:
        raise FlexarmError(f"'{file}' is no run of flexarm: it has no attribute '{lacking[0]}'")
    timing = json.loads(data.attrs.pop("timing", "{}"))
    notes = [note for note in str(data.attrs["notes"]).split("\n") if note]
    scenario = loads(data.attrs["scenario"], file.parent)
    return Result(data, scenario, Outcome[data.attrs["outcome"]], str(data.attrs["message"]), notes, timing)
