"""All figures by name: which a result has data for, and how they get into files."""

from __future__ import annotations

import difflib
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.errors import OutputError
from flexarm.files import make_folder, refuse_existing
from flexarm.view.arm import arm
from flexarm.view.cylinders import cylinders
from flexarm.view.deflection import deflection
from flexarm.view.energy import energy
from flexarm.view.files import checked_formats, save
from flexarm.view.forces import forces
from flexarm.view.joints import joints
from flexarm.view.modes import modes
from flexarm.view.path import path as path_figure
from flexarm.view.source import Source, missing, require
from flexarm.view.spectrum import spectrum
from flexarm.view.strain import strain
from flexarm.view.stress import stress
from flexarm.view.style import Size
from flexarm.view.surface import surface
from flexarm.view.tip import tip
from flexarm.view.tip_error import tip_error
from flexarm.view.torque import torque

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Entry:
    """One kind of figure.

    Attributes
    ----------
    title : str
        What it shows.
    function : callable
        Takes a result (or, if `of_modes`, a Frequencies object) and returns a matplotlib Figure.
    needs : tuple of str
        Variables that the result must hold; ``a|b`` means either.
    of_modes : bool
        It shows natural modes and not a run.
    takes_frequencies : bool
        It can mark natural frequencies.
    single_link : bool
        It has a meaning for arms with one link only.
    instants : int
        How many records it takes at least.
    """

    title: str
    function: Callable[..., Figure]
    needs: tuple[str, ...]
    of_modes: bool = False
    takes_frequencies: bool = False
    single_link: bool = False
    instants: int = 2


FIGURES: dict[str, Entry] = {
    "tip": Entry("Tip and joint angles over time", tip, ("travel|tip_position",)),
    "tip_error": Entry("How far the tip misses", tip_error, ("tip_error|tip_deflection|path_error",)),
    "path": Entry("Wanted path and path of the tip", path_figure, ("path_position", "path_error")),
    "deflection": Entry("Deflection along the links", deflection, ("deflection",)),
    "torque": Entry("Torque at the joints", torque, ("joint_torque|drive_torque|rigid_torque",)),
    "cylinders": Entry("Lengths and loads of cylinders", cylinders, ("cylinder_length", "cylinder_force")),
    "strain": Entry("Strain at the gauges", strain, ("strain",)),
    "forces": Entry("Section forces along the links", forces, ("bending_moment|shear_force|axial_force",)),
    "stress": Entry("Stress along the links", stress, ("stress",)),
    "spectrum": Entry(
        "Amplitude spectrum of the tip's vibration",
        spectrum,
        ("tip_deflection|deflection",),
        takes_frequencies=True,
        instants=16,
    ),
    "surface": Entry("Movement over time and length", surface, ("deflection|shape",), single_link=True),
    "energy": Entry("Energy and its balance", energy, ("energy",)),
    "joints": Entry("Joint positions and velocities", joints, ("joint_position",)),
    "arm": Entry("The arm at several instants", arm, ("shape",)),
    "modes": Entry("Mode shapes", modes, (), of_modes=True),
}


def available(result: Source, frequencies: Any = None) -> list[str]:
    """Names of the figures for which the result has data.

    Parameters
    ----------
    result : Source
        A result.
    frequencies : Frequencies, optional
        With mode shapes, so that ``modes`` can be drawn too.
    """
    return [name for name, entry in FIGURES.items() if not _obstacle(name, entry, result, frequencies)]


def _obstacle(name: str, entry: Entry, result: Source, frequencies: Any) -> str:
    """Why a figure cannot be drawn, in one sentence; empty if it can."""
    if entry.of_modes:
        if getattr(frequencies, "shapes", None) is None or getattr(frequencies, "arm", None) is None:
            return f"The figure '{name}' shows mode shapes: pass frequencies=flexarm.frequencies(...) with them."
        return ""
    records = result.data.sizes.get("time", 0)
    if records < entry.instants:
        return f"The figure '{name}' needs at least {entry.instants} instants, and this result has {records}."
    if missing(result, entry.needs):
        try:
            require(result, name, *entry.needs)
        except OutputError as error:
            return str(error)
    links = result.data.sizes.get("link", 1)
    if entry.single_link and links != 1:
        return f"The figure '{name}' is for arms with a single link, and this one has {links}; see 'deflection'."
    return ""


def chosen(names: str | Sequence[str] | None, result: Source, frequencies: Any = None) -> list[str]:
    """The figures that are meant by `names`, each checked: known, and drawable from this result."""
    if names is None or names == "all" or list(names) == ["all"]:
        found = available(result, frequencies)
        if not found:
            raise OutputError("This result holds nothing that a figure could show.")
        return found
    listed = [names] if isinstance(names, str) else list(dict.fromkeys(names))
    for name in listed:
        if name not in FIGURES:
            near = difflib.get_close_matches(name, FIGURES, n=1, cutoff=0.5)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise OutputError(f"There is no figure '{name}'.{hint} Figures are: {', '.join(FIGURES)}.")
        obstacle = _obstacle(name, FIGURES[name], result, frequencies)
        if obstacle:
            raise OutputError(obstacle)
    return listed


def figure(result: Source, name: str, frequencies: Any = None, size: Size = "wide") -> Figure:
    """One figure by name, not yet in a file.

    Examples
    --------
    ``figure(result, "tip").savefig("tip.png")``
    """
    (name,) = chosen([name], result, frequencies)
    entry = FIGURES[name]
    if entry.of_modes:
        return entry.function(frequencies, size=size)
    if entry.takes_frequencies:
        return entry.function(result, size=size, frequencies=frequencies)
    return entry.function(result, size=size)


def draw(
    result: Source,
    names: str | Sequence[str] | None = None,
    folder: str | Path = ".",
    formats: str | Sequence[str] = ("png",),
    force: bool = False,
    frequencies: Any = None,
    size: Size = "wide",
    progress: Callable[[str, float, float], Any] | None = None,
) -> list[Path]:
    """Write figures into a folder as ``<name>.<format>``.

    Nothing is written if a name is wrong, or if a file is there already and `force` is false.

    Parameters
    ----------
    result : Source
        A result.
    names : None, "all", str or sequence of str
        Which figures; None and "all" mean every one that the result has data for.
    folder : str or Path
        Where; made if it does not exist.
    formats : str or sequence of str
        Any of png, pdf, svg.
    force : bool
        Whether existing files may be replaced.
    frequencies : sequence of float, or Frequencies, optional
        Natural frequencies to mark in ``spectrum``; a Frequencies object also makes ``modes``.
    size : {"wide", "column"}
        Width of the figures.
    progress : callable, optional
        Called with (stage, done, total).

    Returns
    -------
    list of Path
        The files, in the order in which they were written.
    """
    folder = Path(folder)
    listed = chosen(names, result, frequencies)
    kinds = checked_formats(formats)
    for path in (folder / f"{name}.{kind}" for name in listed for kind in kinds):
        refuse_existing(path, force)
    make_folder(folder)
    written: list[Path] = []
    with _garbage_waits():
        for name in listed:
            picture = figure(result, name, frequencies, size)
            for kind in kinds:
                written.append(save(picture, folder / f"{name}.{kind}", force, title=FIGURES[name].title))
            if progress is not None:
                progress("figures", len(written), len(listed) * len(kinds))
    return written


@contextmanager
def _garbage_waits() -> Iterator[None]:
    """Garbage is collected after the figures: on the way that would look through everything that is loaded once per figure."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
