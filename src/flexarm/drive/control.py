"""Laws that make torque from a commanded motion: servo, PD, PID, or a controller from outside."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from flexarm.arm.base import Part, Truth
from flexarm.arm.quantity import Duration, PositiveTime, Quantity
from flexarm.drive.law_block import LawBlock, read_law
from flexarm.drive.profiles.base import EFFORT_UNIT
from flexarm.drive.profiles.table import absolute_file

Kp = Annotated[float, Field(ge=0, allow_inf_nan=False), Quantity("N*m/rad|N/m")]
Kv = Annotated[float, Field(ge=0, allow_inf_nan=False), Quantity("N*m*s/rad|N*s/m")]
Ki = Annotated[float, Field(ge=0, allow_inf_nan=False), Quantity("N*m/rad/s|N/m/s")]
Limit = Annotated[float, Field(gt=0, allow_inf_nan=False), Quantity(EFFORT_UNIT)]
Names = Annotated[tuple[str, ...], Field(min_length=1)]


class Gains(NamedTuple):
    """Gains of one joint that hold until the time `until` (s)."""

    until: float
    kp: float
    kv: float
    ki: float


def servo_gains(inertia: float, frequency_hz: float) -> tuple[float, float]:
    """Gains of a servo at half the first structural frequency f0, critically damped.

    ``kp = J (pi f0)^2``, ``kv = 2 sqrt(J kp)``.

    Parameters
    ----------
    inertia : float
        J, what the joint has to turn, in kg m^2.
    frequency_hz : float
        f0 of the arm with its joints locked.

    Examples
    --------
    >>> kp, kv = servo_gains(2.0, 1.0)
    >>> round(kp, 6), round(kv / (2 * (2.0 * kp) ** 0.5), 6)
    (19.739209, 1.0)
    """
    kp = inertia * (math.pi * frequency_hz) ** 2
    return kp, 2.0 * math.sqrt(inertia * kp)


class Servo(Part):
    """PD on the motor side: the compliance of a position servo. ``auto`` chooses the gains from the arm."""

    kp: Kp | None = Field(default=None, description="Stiffness")
    kv: Kv = Field(default=0.0, description="Damping")
    auto: Truth = Field(default=False, description="Gains from inertia and first frequency of the arm")

    @model_validator(mode="before")
    @classmethod
    def _from_word(cls, value: Any) -> Any:
        if isinstance(value, str):
            if value != "auto":
                raise ValueError(f"'{value}' is not a servo: write auto, or give kp and kv")
            return {"auto": True}
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Servo:
        if self.auto == (self.kp is not None):
            raise ValueError("a servo is 'auto', or has kp (and kv)")
        return self


class GainSet(Part):
    """Gains that hold until a time, to the end, or where a reading has a value; one number for all joints or one per joint."""

    until: PositiveTime | None = Field(default=None, description="End of these gains; left out in the last set")
    at: Annotated[float, Field(allow_inf_nan=False)] | None = Field(
        default=None, description="With `over`: value of that reading at which these gains hold, in its SI unit"
    )
    kp: Kp | tuple[Kp, ...] = Field(default=0.0, description="Proportional gain")
    kv: Kv | tuple[Kv, ...] = Field(default=0.0, description="Gain on the velocity error")
    ki: Ki | tuple[Ki, ...] = Field(default=0.0, description="Gain on the integral of the error")


class Control(Part):
    """A law u = torque + kp e + kv e' + ki int(e), or a controller that the program is given.

    The error e is the commanded motion minus the sensor: the link side of the joint (hub), the motor side, or
    the direction of the chord from the joint to the link's end.
    """

    type: Literal["pd", "pid", "external", "state-space"] = Field(description="Kind of law")
    sensor: Literal["hub", "motor", "chord"] = Field(default="hub", description="What is fed back")
    gains: tuple[GainSet, ...] = Field(default=(), description="Gain sets in order of time")
    over: str | None = Field(
        default=None,
        description="Reading over which the gains change linearly between their sets, in place of time; with a period",
    )
    kp: Kp | tuple[Kp, ...] | None = Field(default=None, description="Proportional gain, if it never changes")
    kv: Kv | tuple[Kv, ...] | None = Field(default=None, description="Velocity gain, if it never changes")
    ki: Ki | tuple[Ki, ...] | None = Field(default=None, description="Integral gain, if it never changes")
    period: Duration = Field(default=0.0, description="Time between two updates; 0 acts continuously")
    limit: Limit | tuple[Limit, ...] | None = Field(default=None, description="Largest torque the motor gives")
    feedforward: Truth = Field(default=False, description="The same as feedforward: rigid of the drive")
    file: str | None = Field(
        default=None, description="Matrices of a state-space law, a JSON file; relative to the scenario's folder"
    )
    inputs: Names | None = Field(
        default=None,
        description="What a state-space law reads, in the order of its file; the file's own names when left out",
    )
    outputs: Names | None = Field(
        default=None, description="Torques that a state-space law gives, as joint.torque; the file's own when left out"
    )
    _block: LawBlock | None = PrivateAttr(default=None)

    @field_validator("file", mode="before")
    @classmethod
    def _absolute(cls, value: Any, info: ValidationInfo) -> Any:
        return absolute_file(value, info)

    @model_validator(mode="after")
    def _consistent(self) -> Control:
        short = [name for name in ("kp", "kv", "ki") if getattr(self, name) is not None]
        if self.type == "state-space":
            return self._read_law(short)
        named = [name for name in ("file", "inputs", "outputs") if getattr(self, name) is not None]
        if named:
            raise ValueError(f"{' and '.join(named)} {'is' if len(named) == 1 else 'are'} for type: state-space")
        if self.type == "external":
            extra = (
                short + ["gains"] * bool(self.gains) + ["sensor"] * (self.sensor != "hub") + ["over"] * bool(self.over)
            )
            if extra:
                raise ValueError(f"an external controller brings its own law: leave out {' and '.join(extra)}")
            if not self.period:
                raise ValueError("an external controller needs a period, for example 1 ms")
            return self
        if short and self.gains:
            raise ValueError(f"give either gains or {' and '.join(short)}, not both")
        if not short and not self.gains:
            raise ValueError(f"control of type {self.type} needs gains: kp and kv, or a list 'gains'")
        with_ki = any(gains.ki != 0.0 for gains in self.sets)
        if self.type == "pd" and with_ki:
            raise ValueError("ki is for type: pid")
        if self.type == "pid" and not with_ki:
            raise ValueError("a pid law needs ki; without it say type: pd")
        self._check_schedule()
        return self

    def _read_law(self, short: list[str]) -> Control:
        """The law of the file; with a limit of this entry where that is smaller."""
        extra = short + ["gains"] * bool(self.gains) + ["sensor"] * (self.sensor != "hub") + ["over"] * bool(self.over)
        if extra:
            raise ValueError(
                f"a state-space law has its gains and sensors in its file: leave out {' and '.join(extra)}"
            )
        if self.file is None:
            raise ValueError("a state-space law needs a file with its matrices, as law.save() writes it")
        block = read_law(Path(self.file), self.inputs, self.outputs)
        if self.period and abs(self.period - block.period) > 1e-9 * block.period:
            raise ValueError(
                f"the law of '{Path(self.file).name}' was made for a period of {block.period:g} s, not {self.period:g} s: design it "
                "anew, or leave out period"
            )
        self.__dict__["period"] = block.period
        self._block = block
        return self

    @property
    def block(self) -> LawBlock | None:
        """The law of a file."""
        return self._block

    def _check_over(self) -> None:
        """Refuse gains over a reading that are no table."""
        places = [gains.at for gains in self.gains]
        if self.over is None:
            if any(place is not None for place in places):
                raise ValueError("'at' of gains is a value of a reading: say which one with 'over'")
            return
        if not self.period:
            raise ValueError("gains over a reading are for sampled laws: give a period, for example 1 ms")
        if len(places) < 2:
            raise ValueError("gains over a reading need two sets at least, each with 'at'")
        if any(gains.until is not None for gains in self.gains):
            raise ValueError("gains change over time (until) or over a reading (over, at), not both")
        for number, place in enumerate(places, 1):
            if place is None:
                raise ValueError(f"gain set {number} needs 'at', the value of '{self.over}' at which it holds")
            before = places[number - 2] if number > 1 else None
            if before is not None and place <= before:
                raise ValueError(f"gain set {number} is at {place:g}, not beyond {before:g} of the one before it")

    def _check_schedule(self) -> None:
        self._check_over()
        if self.over is not None:
            return
        for number, (gains, after) in enumerate(zip(self.gains, self.gains[1:], strict=False), 1):
            if gains.until is None:
                raise ValueError(f"gain set {number} needs 'until', because another one follows")
            if after.until is not None and after.until <= gains.until:
                raise ValueError(f"gain set {number + 1} ends at {after.until:g} s, before the one before it does")
        if self.gains and self.gains[-1].until is not None:
            raise ValueError("the last gain set holds to the end: leave out its 'until'")

    @property
    def sets(self) -> tuple[GainSet, ...]:
        """Gain sets, also if kp, kv and ki were given directly."""
        if self.gains or self.type in ("external", "state-space"):
            return self.gains
        given = {name: getattr(self, name) for name in ("kp", "kv", "ki") if getattr(self, name) is not None}
        return (GainSet(**given),)

    def check_joints(self, n: int) -> None:
        """Refuse lists that have not one value for each of the `n` joints."""
        rows = [(f"{name}", getattr(gains, name)) for gains in self.sets for name in ("kp", "kv", "ki")]
        for name, value in [*rows, ("limit", self.limit)]:
            if isinstance(value, tuple) and len(value) != n:
                joints = "1 joint" if n == 1 else f"{n} joints"
                raise ValueError(f"control.{name} has {len(value)} values for {joints}: give one number or {n}")

    def schedule(self, i: int) -> tuple[Gains, ...]:
        """Gains of the i-th joint over time, the last set holds for ever; of gains over a reading the first set."""
        if self.over is not None:
            return tuple(Gains(math.inf, *each[1:]) for each in self.table(i)[:1])
        return tuple(
            Gains(
                math.inf if gains.until is None else gains.until,
                pick(gains.kp, i),
                pick(gains.kv, i),
                pick(gains.ki, i),
            )
            for gains in self.sets
        )

    def table(self, i: int) -> tuple[tuple[float, float, float, float], ...]:
        """Of gains over a reading: its value, kp, kv and ki of the i-th joint, in order."""
        if self.over is None:
            return ()
        return tuple((g.at or 0.0, pick(g.kp, i), pick(g.kv, i), pick(g.ki, i)) for g in self.gains)

    def limit_of(self, i: int) -> float:
        """Largest torque of the i-th joint; inf if there is no limit."""
        return math.inf if self.limit is None else pick(self.limit, i)


def pick(value: float | tuple[float, ...], i: int) -> float:
    """The i-th of one value per joint, or the one for all."""
    return value[i] if isinstance(value, tuple) else value
