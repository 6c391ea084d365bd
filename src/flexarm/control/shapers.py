"""Input shapers as objects: impulses, the modes that they are made for, what they leave and how wide they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import numpy as np
from pydantic import ValidationError

from flexarm.drive import Drive
from flexarm.drive.impulses import TOLERANCE, Impulses, ShaperType
from flexarm.drive.profiles.sequence import motion_signal
from flexarm.drive.shaped import shaped
from flexarm.drive.shaper import InputShaper
from flexarm.errors import FlexarmError, ScenarioError, check_word
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.program import unshaped_program
from flexarm.simulation.shaping import FollowedModes, followed_modes, left_of_move, shaper_for, shaper_notes


@dataclass(frozen=True)
class Shaper:
    """An input shaper: a command r(t) becomes sum A_i r(t - t_i).

    Attributes
    ----------
    type : {"zv", "zvd", "zvdd", "ei"}
        Kind of shaper.
    hz, damping : tuple of float
        Natural frequencies in Hz and damping ratios of the modes that it is made for.
    impulses : Impulses
        Amplitudes and times.
    tolerance : float or None
        Of `ei`: the share of the vibration that it leaves at the frequency itself.
    modes : FollowedModes or None
        The modes of the arm along its motion, if they were found from a scenario.
    notes : tuple of str
        What the user should know, such as a frequency that changes along the motion by more than the shaper tolerates.
    """

    type: ShaperType
    hz: tuple[float, ...]
    damping: tuple[float, ...]
    impulses: Impulses
    tolerance: float | None = None
    modes: FollowedModes | None = field(default=None, repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def amplitudes(self) -> np.ndarray:
        """Shares of the impulses, shape (n,); they add up to one."""
        return np.array(self.impulses.amplitudes)

    @property
    def times(self) -> np.ndarray:
        """Times of the impulses in s, shape (n,)."""
        return np.array(self.impulses.times)

    @property
    def duration(self) -> float:
        """Time in s by which a command gets longer."""
        return self.impulses.duration

    def residual(self, error: Any = 0.0, mode: int | None = None) -> Any:
        """Vibration that is left, as a share V of that of one unit impulse right after the last one.

        A command leaves so much of the amplitude that it leaves, at its own end, without shaper. At the same instant the share is larger,
        V exp(zeta w t_n), since the vibration without shaper has died down meanwhile.

        Parameters
        ----------
        error : float or array_like
            True over design frequency, less one: 0.2 means that the arm is a fifth faster than the design.
        mode : int, optional
            Which of its modes, counted from 1; default the worst one.

        Returns
        -------
        float or ndarray
            In the form of `error`.
        """
        chosen = range(len(self.hz)) if mode is None else [mode - 1]
        if not all(0 <= k < len(self.hz) for k in chosen):
            raise FlexarmError(f"the shaper is for {len(self.hz)} modes: mode counts from 1 to {len(self.hz)}")
        ratio = 1.0 + np.asarray(error, dtype=float)
        found = np.max([self.impulses.residual(self.hz[k] * ratio, self.damping[k]) for k in chosen], axis=0)
        return float(found) if np.ndim(found) == 0 else found

    @property
    def widths(self) -> tuple[tuple[float, float], ...]:
        """For each mode the range of true over design frequency in which at most 5 % (or `tolerance`) are left."""
        level = max(TOLERANCE, self.tolerance or 0.0)
        return tuple(self.impulses.width(f, zeta, level) for f, zeta in zip(self.hz, self.damping, strict=True))

    def residual_of_move(self, positions: Any, hz: Any, motion: Any) -> float:
        """Share of the vibration that is left after a motion which changes the frequency.

        One mode, e'' + 2 zeta w(q) e' + w(q)^2 e = -q'': its amplitude at the end of the shaped motion over that at the end of the motion
        without shaper.

        Parameters
        ----------
        positions, hz : array_like, shape (n,)
            Joint positions in increasing order, and the frequency there in Hz; a cubic spline lies between them.
        motion : mapping or list of mappings
            Profile as in a scenario, from the position 0 on, for example ``{"profile": "quintic", "by": 1.0, "duration": 0.5}``.
        """
        profiles = Drive(joint="joint", motion=motion).motion
        assert profiles is not None
        plain = motion_signal(profiles, 0.0)
        if not np.isfinite(plain.span[1]):
            raise FlexarmError("the motion never ends: give its profile a duration")
        made = shaped(plain, self.impulses)
        return left_of_move(made, made.span, positions, hz, self.damping[0]) / left_of_move(
            plain, plain.span, positions, hz, self.damping[0]
        )

    @property
    def stated(self) -> dict[str, Any]:
        """The field ``shaper`` of a drive that has the same impulses, with stated frequencies."""
        found: dict[str, Any] = {"type": self.type, "frequency": list(self.hz), "damping": list(self.damping)}
        return found if self.tolerance is None else {**found, "tolerance": self.tolerance}

    def __repr__(self) -> str:
        modes = " and ".join(f"{f:.4g} Hz ({100 * z:.2g} %)" for f, z in zip(self.hz, self.damping, strict=True))
        widths = ", ".join(f"{low:.3f} to {high:.3f}" for low, high in self.widths)
        return (
            f"Shaper {self.type} for {modes}: {len(self.amplitudes)} impulses in {1e3 * self.duration:.4g} ms, "
            f"5 % within {widths} of the frequency"
        )


@with_one_blas_thread
def shaper(
    scenario: Scenario | str | Path | float | Sequence[float],
    type: ShaperType | None = None,
    *,
    modes: Sequence[int] | None = None,
    at: str | Sequence[float] | None = None,
    damping: float | Sequence[float] | None = None,
    tolerance: float | None = None,
    joint: str | None = None,
) -> Shaper:
    """An input shaper, for the modes of an arm as it follows its command, or for given frequencies.

    Parameters
    ----------
    scenario : Scenario, str, Path, float or sequence of float
        A scenario, the name of a bundled one or a file; or natural frequencies in Hz.
    type : {"zv", "zvd", "zvdd", "ei"}, optional
        Default that of the drive's own shaper, else ``zv``.
    modes : sequence of int, optional
        Numbers of the modes, lowest first; default those of the drive's own shaper, else [1].
    at : {"start", "end", "mean"} or sequence of float, optional
        Where on the motion, or the pose whose modes are meant.
    damping : float or sequence of float, optional
        Damping ratios of given frequencies.
    tolerance : float, optional
        Of ``ei``: what may be left at the frequency itself, default 0.05.
    joint : str, optional
        Joint (or patch) whose drive is meant; default the first drive with a shaper, else the first one with a command.

    Examples
    --------
    >>> import flexarm as fa
    >>> made = fa.shaper(2.0, "zv", damping=0.01)
    >>> made.amplitudes.round(4), made.times.round(4)
    (array([0.5079, 0.4921]), array([0.  , 0.25]))
    >>> round(made.residual(error=-0.2), 3)
    0.305
    >>> fa.shaper("tokhi-azad", "zvd")
    Shaper zvd for 11.74 Hz (0 %): 3 impulses in 85.17 ms, 5 % within 0.856 to 1.144 of the frequency
    """
    check_word(type or "zv", get_args(ShaperType), "type")
    if not isinstance(scenario, (Scenario, str, Path)):
        return _of_frequencies(scenario, type or "zv", damping, tolerance, modes, at)
    if damping is not None:
        raise FlexarmError("the damping of an arm's modes follows from the arm: leave out damping", field="damping")
    used = as_scenario(scenario)
    number = _drive(used, joint)
    own = used.drive[number].shaper
    if own is not None and own.stated is not None and (type, modes, at, tolerance) == (None, None, None, None):
        return _made(own, None)
    given = {"type": type, "modes": modes, "at": at, "tolerance": tolerance}
    fields = {} if own is None or own.stated is not None else own.model_dump(exclude_none=True)
    if type not in (None, "ei"):
        fields.pop("tolerance", None)
    choice = _choice({"type": "zv", **fields, **{key: value for key, value in given.items() if value is not None}})
    program, place = unshaped_program(used), f"drive.{number}.shaper"
    found = followed_modes(used, program, choice, place)
    impulses = shaper_for(choice, found, place)
    return _made(choice, found, tuple(shaper_notes(used, program, [number], choice, found, {number: impulses})))


def _of_frequencies(hz: Any, type: str, damping: Any, tolerance: float | None, modes: Any, at: Any) -> Shaper:
    if modes is not None or at is not None:
        raise FlexarmError("modes and at go with a scenario; a frequency is a mode by itself")
    each = tuple(float(f) for f in np.atleast_1d(np.asarray(hz, dtype=float)))
    ratios = damping if damping is None or np.ndim(damping) == 0 else tuple(float(z) for z in damping)
    return _made(_choice({"type": type, "frequency": each, "damping": ratios, "tolerance": tolerance}), None)


def _choice(fields: dict[str, Any]) -> InputShaper:
    try:
        return InputShaper.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        words = first["msg"].removeprefix("Value error, ")
        raise FlexarmError(words, field=".".join(str(part) for part in first["loc"][:1])) from None


def _made(choice: InputShaper, found: FollowedModes | None, notes: tuple[str, ...] = ()) -> Shaper:
    tolerance = (TOLERANCE if choice.tolerance is None else choice.tolerance) if choice.type == "ei" else None
    if found is not None:
        hz, damping = tuple(found.hz.tolist()), tuple(found.damping.tolist())
        return Shaper(choice.type, hz, damping, choice.impulses(hz, damping), tolerance, found, notes)
    hz, damping = choice.frequencies
    return Shaper(choice.type, hz, damping, choice.impulses(hz, damping), tolerance)


def _drive(scenario: Scenario, joint: str | None) -> int:
    """Number of the drive that is meant."""
    commanded = [
        k for k, drive in enumerate(scenario.drive)
        if drive.motion or drive.path or drive.torque or drive.force or drive.moment
    ]  # fmt: skip
    if joint is not None:
        names = {name: k for k in commanded for name in (scenario.drive[k].names or (_patch(scenario.drive[k]),))}
        if joint not in names:
            raise ScenarioError(
                f"'{joint}' has no command to shape; there are {', '.join(names) or 'none'}", field="joint"
            )
        return names[joint]
    if not commanded:
        raise ScenarioError("there is no command to shape: give a drive motion, path or torque", field="drive")
    return next((k for k in commanded if scenario.drive[k].shaper is not None), commanded[0])


def _patch(drive: Drive) -> str:
    assert drive.patch is not None
    return drive.patch.name or f"{drive.patch.link}-{'force' if drive.force else 'moment'}"
