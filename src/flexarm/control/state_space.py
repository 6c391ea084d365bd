"""Linear models of an arm for control: ``x' = A x + B u``, ``y = C x + D u`` with names, units and the point they hold about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.control.response import FrequencyResponse, StepResponse
from flexarm.errors import FlexarmError, check_word
from flexarm.numerics.blas import with_one_blas_thread

if TYPE_CHECKING:
    from flexarm.control.reduction import Reduced
    from flexarm.scenario import Scenario

BESIDE = 1e-7
"""Undamped poles and zeros are passed at this share of the frequency on their right, so that phases jump as with a little damping."""
POINTS = 400
"""Frequencies of a Bode plot beside those of the poles."""


@dataclass(frozen=True)
class Point:
    """Where a linear model holds; its signals are deviations from there.

    Attributes
    ----------
    scenario, method : str
        Whose arm it is, and how it was modelled.
    mesh : str
        Resolution of the method.
    pose, torques : dict
        Positions of the joints in rad or m, and torques of their motors in N m or N, at rest.
    gravity : tuple of float
        In m/s^2.
    joints : dict
        How each joint is treated: free, held, led or locked.
    notes : tuple of str
        What was simplified, and what the model leaves out.
    """

    scenario: str = ""
    method: str = ""
    mesh: str = ""
    pose: dict[str, float] = field(default_factory=dict)
    torques: dict[str, float] = field(default_factory=dict)
    gravity: tuple[float, ...] = (0.0, 0.0, 0.0)
    joints: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StateSpace:
    """A linear model with names.

    Attributes
    ----------
    A, B, C, D : ndarray
        Shapes (n, n), (n, m), (k, n), (k, m).
    states, inputs, outputs : tuple of str
        Names. States: positions of rigid motions (``rigid1``), of the arm's own mass-normalised modes (``mode1``, lowest first) and
        of led motors, then their rates (``mode1.rate``), then those of actuators and laws.
    input_units, output_units : tuple of str
        Units of the signals.
    point : Point
        The point of linearisation.
    period : float
        Sampling period in s; 0 in continuous time.

    Examples
    --------
    >>> import flexarm as fa
    >>> plant = fa.state_space(fa.load("tokhi-azad"), outputs=["link.position", "tip.travel"])
    >>> plant.inputs, plant.outputs
    (('link.torque',), ('link.position', 'tip.travel'))
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    input_units: tuple[str, ...] = ()
    output_units: tuple[str, ...] = ()
    point: Point = field(default_factory=Point)
    period: float = 0.0

    def __post_init__(self) -> None:
        n, m, k = len(self.states), len(self.inputs), len(self.outputs)
        for name, shape in (("A", (n, n)), ("B", (n, m)), ("C", (k, n)), ("D", (k, m))):
            found = np.shape(getattr(self, name))
            if found != shape:
                raise FlexarmError(
                    f"{name} is {' x '.join(map(str, found))}, but {n} states, {m} inputs and {k} outputs are named"
                )
            if not np.all(np.isfinite(getattr(self, name))):
                raise FlexarmError(f"{name} of a state space has entries that are not finite")
        for units, names in (("input_units", self.inputs), ("output_units", self.outputs)):
            if not getattr(self, units):
                object.__setattr__(self, units, ("",) * len(names))

    # parts

    def select(self, outputs: Any = None, inputs: Any = None) -> StateSpace:
        """The same with some outputs and inputs only, by name."""
        k, m = self._numbers(outputs, self.outputs, "output"), self._numbers(inputs, self.inputs, "input")
        return replace(
            self, B=self.B[:, m], C=self.C[k], D=self.D[np.ix_(k, m)],
            outputs=tuple(self.outputs[i] for i in k), inputs=tuple(self.inputs[i] for i in m),
            output_units=tuple(self.output_units[i] for i in k), input_units=tuple(self.input_units[i] for i in m),
        )  # fmt: skip

    @staticmethod
    def _numbers(wanted: Any, names: Sequence[str], field: str) -> list[int]:
        if wanted is None:
            return list(range(len(names)))
        chosen = [wanted] if isinstance(wanted, str) else list(wanted)
        for name in chosen:
            check_word(name, names, field)
        return [names.index(name) for name in chosen]

    # what it does

    @cached_property
    def poles(self) -> np.ndarray:
        """Eigenvalues of A in rad/s (of a sampled model without unit), lowest first; of a pair the upper one first."""
        return _sorted(np.linalg.eigvals(self.A)) if len(self.A) else np.zeros(0, complex)

    @with_one_blas_thread
    def zeros(self, outputs: Any = None, inputs: Any = None) -> np.ndarray:
        """Transmission zeros in rad/s, lowest first, from as many inputs to as many outputs (by name; default all).

        Modes that the inputs do not reach or the outputs do not see are neither poles nor zeros of the response. Take them from the
        mesh model: a short modal one has others.
        """
        from flexarm.control.zeros import transmission_zeros

        part = self.select(outputs, inputs)
        if len(part.inputs) != len(part.outputs):
            raise FlexarmError(
                f"zeros need as many outputs as inputs, here {len(part.outputs)} and {len(part.inputs)}: name them, of inputs "
                f"{', '.join(self.inputs)}",
                field="inputs",
            )
        return _sorted(transmission_zeros(part.A, part.B, part.C, part.D))

    @with_one_blas_thread
    def response(self, s: Any) -> np.ndarray:
        """C (s - A)^-1 B + D at complex s in rad/s (of a sampled model at z), (n, outputs, inputs); inf at a pole."""
        from scipy.linalg import matrix_balance, schur, solve_triangular

        balanced, (scale, _) = matrix_balance(self.A, permute=False, separate=True)
        T, Z = schur(balanced, output="complex")
        B, C, one = Z.conj().T @ (self.B / scale[:, None]), (self.C * scale) @ Z, np.eye(len(T))
        found = []
        for at in np.atleast_1d(np.asarray(s, dtype=complex)):
            try:
                found.append(C @ solve_triangular(at * one - T, B) + self.D)
            except np.linalg.LinAlgError:
                found.append(np.full(self.D.shape, np.inf))
        return np.array(found, dtype=complex).reshape(-1, *self.D.shape)

    @with_one_blas_thread
    def low_frequencies(self) -> np.ndarray:
        """Coefficients of s^-2, s^-1 and s^0 in the response at low frequencies, (3, outputs, inputs): the rigid arm, and what bends
        with its slow motions."""
        from flexarm.control.reduction import low_frequencies

        if self.period:
            raise FlexarmError("low frequencies are those of the model in continuous time")
        return low_frequencies(self)

    @with_one_blas_thread
    def bode(self, hz: Any = None) -> FrequencyResponse:
        """Response at frequencies in Hz; default from a tenth of the lowest to ten times the tenth pole that is no rigid motion."""
        from flexarm.control.response import around

        used = around(self.poles, self.period, POINTS) if hz is None else np.atleast_1d(np.asarray(hz, dtype=float))
        s = 2.0 * np.pi * (1j + BESIDE) * used
        return FrequencyResponse(
            used, self.response(np.exp(s * self.period) if self.period else s), self.inputs, self.outputs
        )

    @with_one_blas_thread
    def step(self, end: float, points: int = 500) -> StepResponse:
        """Responses to a unit step of each input, from rest."""
        if end <= 0.0:
            raise FlexarmError(f"a step response needs a time to end at, not {end:g} s", field="end")
        used = self if self.period else self.discrete(end / points)
        count = int(np.floor(end / used.period * (1.0 + 1e-12))) + 1
        x, out = np.zeros((len(self.A), len(self.inputs))), []
        for _ in range(count):
            out.append(used.C @ x + used.D)
            x = used.A @ x + used.B
        return StepResponse(
            used.period * np.arange(count), np.reshape(out, (count, *self.D.shape)), self.inputs, self.outputs
        )

    @with_one_blas_thread
    def run(self, times: Any, u: Any) -> np.ndarray:
        """Outputs (n, outputs) at equally spaced times for inputs (n, inputs) that are linear in between, from rest."""
        from scipy.linalg import expm

        times, u = np.asarray(times, dtype=float), np.reshape(np.asarray(u, dtype=float), (-1, len(self.inputs)))
        n, m, h = len(self.A), len(self.inputs), self.period or float(times[1] - times[0])
        if self.period:
            now, slope = self.B, np.zeros_like(self.B)
            A = self.A
        else:
            whole = np.zeros((n + 2 * m, n + 2 * m))
            whole[:n, :n], whole[:n, n : n + m], whole[n : n + m, n + m :] = self.A * h, self.B * h, np.eye(m)
            stepped = expm(whole)
            A, now, slope = stepped[:n, :n], stepped[:n, n : n + m], stepped[:n, n + m :]
        x, out = np.zeros(n), [self.D @ u[0]]
        for a, b in pairwise(u):
            x = A @ x + now @ a + slope @ (b - a)
            out.append(self.C @ x + self.D @ b)
        return np.array(out)

    @with_one_blas_thread
    def discrete(self, period: float) -> StateSpace:
        """The same at the instants of a period in s, with inputs that are held in between."""
        if self.period:
            raise FlexarmError(f"this model is sampled already, every {self.period:g} s")
        if not period > 0.0:
            raise FlexarmError(f"a sampling period is longer than 0 s, not {period:g} s", field="period")
        A, B = held(self.A, self.B, period)
        return replace(self, A=A, B=B, period=float(period))

    def feedback(self, output: str, gain: float, entry: str | None = None) -> StateSpace:
        """The same with an output times a gain added to an input (default the only one), which stays an input."""
        if entry is None and len(self.inputs) != 1:
            raise FlexarmError(f"say which input: {', '.join(self.inputs)}", field="entry")
        (k,), (m,) = (
            self._numbers(output, self.outputs, "output"),
            self._numbers(entry or self.inputs[0], self.inputs, "entry"),
        )
        direct = 1.0 - gain * self.D[k, m]
        if abs(direct) < 1e-12:
            raise FlexarmError(f"a gain of {gain:g} makes the input answer to itself: choose another", field="gain")
        row, share = gain / direct * self.C[k], gain / direct * self.D[k]
        return replace(
            self, A=self.A + np.outer(self.B[:, m], row), B=self.B + np.outer(self.B[:, m], share), C=self.C + np.outer(self.D[:, m], row),
            D=self.D + np.outer(self.D[:, m], share),
        )  # fmt: skip

    # less of it

    def reduce(
        self, modes: int | None = None, balanced: int | None = None, tolerance: float | None = None, static: bool = False,
        scales: Mapping[str, float] | None = None,
    ) -> Reduced:  # fmt: skip
        """A smaller model; rigid motions, led motors and what is not stable are kept exactly.

        Parameters
        ----------
        modes : int
            Keep this many elastic modes, lowest first.
        balanced : int
            Keep this many states of the elastic part in balanced coordinates.
        tolerance : float
            As few of them as let no output err by more than this share of its largest elastic gain, by the bound.
        static : bool
            Add what the dropped part does to slow inputs to D. The true arm has no such feed-through: good for readings, with care in
            observers.
        scales : mapping
            Full scales of outputs for balancing; default their largest elastic gains, where there are several outputs.

        Returns
        -------
        Reduced
            A state space with `bound`, the error bound of its response.
        """
        from flexarm.control.reduction import reduced

        return reduced(self, modes, balanced, tolerance, static, scales)

    # elsewhere

    def control(self) -> Any:
        """The same as a ``control.StateSpace`` of python-control, with names; these have underscores there in place of dots."""
        from flexarm.analysis.bode import load_control

        library = load_control("systems of python-control")
        more = (self.period,) if self.period else ()
        inputs, outputs, states = (
            [name.replace(".", "_") for name in names] for names in (self.inputs, self.outputs, self.states)
        )
        return library.ss(
            self.A, self.B, self.C, self.D, *more, inputs=inputs, outputs=outputs, states=states, name="arm"
        )  # fmt: skip

    def save(self, path: str | Path, force: bool = False) -> Path:
        """Write it to a .json or .mat file; `load_state_space` reads both. `force` overwrites."""
        from flexarm.control.files import save

        return save(self, Path(path), force)

    def __repr__(self) -> str:
        at = ", ".join(f"{name} {value:.4g}" for name, value in self.point.pose.items())
        sampled = f", sampled every {self.period:g} s" if self.period else ""
        return (
            f"StateSpace({len(self.states)} states, inputs {', '.join(self.inputs) or 'none'}, {len(self.outputs)} outputs"
            f"{sampled}; {self.point.method} {self.point.mesh}{' at ' if at else ''}{at})"
        )

    def _repr_html_(self) -> str:
        """Point, inputs, outputs and lowest poles, for notebooks."""
        from flexarm.sketch.cards import of_state_space

        return of_state_space(self)


def held(A: np.ndarray, B: np.ndarray, period: float) -> tuple[np.ndarray, np.ndarray]:
    """A and B over a period with inputs that are held."""
    from scipy.linalg import expm

    n = len(A)
    whole = np.zeros((n + B.shape[1],) * 2)
    whole[:n] = period * np.hstack([A, B])
    made = expm(whole)
    return made[:n, :n], made[:n, n:]


def _sorted(values: np.ndarray) -> np.ndarray:
    """Lowest first; of a pair the upper one first; real ones positive first."""
    rounded = np.round(np.abs(values) / np.maximum(10.0 ** np.floor(np.log10(np.abs(values) + 1e-300)), 1e-300), 6)
    size = rounded * 10.0 ** np.floor(np.log10(np.abs(values) + 1e-300))
    return np.asarray(values[np.lexsort((-values.real, -values.imag, size))], dtype=complex)


@with_one_blas_thread
def state_space(
    scenario: Scenario | str | Path, pose: Sequence[float] | None = None, time: float | None = None,
    joints: str | Mapping[str, str] = "free", inputs: Any = None, outputs: Any = None, damping_ratio: float | None = None,
) -> StateSpace:  # fmt: skip
    """Small motions of an arm about rest, for control design.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The arm with its drives, or the name or file of one.
    pose : sequence of float, optional
        Joint positions, rad or m; default the start pose.
    time : float, optional
        The time in s whose commanded pose, payload and gains are meant instead.
    joints : {"free", "held", "led", "locked"} or mapping of joints to these
        free: torques of the motors are inputs (`<joint>.torque`; in front of an actuator `<joint>.command`). held: the laws of the
        scenario are closed, with inputs `<joint>.reference`, `<joint>.reference_rate` and the torque that is added; joints that no law
        holds are led or free, as they are driven. led: motors follow motions, whose accelerations are the inputs
        (`<joint>.acceleration`). locked: motors stand still. Further inputs are the disturbances that the scenario has:
        `<joint>.disturbance` of free and held joints, `<patch>.force` and `<patch>.moment` on links.
    inputs, outputs : str or sequence of str, optional
        Those that are wanted, by name; default all. Outputs are the readings of the arm, accelerations of the tip and
        forces of the pins of loops.
    damping_ratio : float, optional
        Of every elastic mode, in place of what damps links and joints.

    Returns
    -------
    StateSpace

    Examples
    --------
    >>> import flexarm as fa
    >>> plant = fa.state_space("tokhi-azad", outputs="tip.travel")
    >>> [round(float(abs(p)), 1) for p in plant.poles[2:5:2]]
    [73.8, 200.2]
    """
    from flexarm.control.first_order import first_order
    from flexarm.control.plant import plant
    from flexarm.scenario import as_scenario

    used = as_scenario(scenario)
    if damping_ratio is not None and not 0.0 <= damping_ratio < 1.0:
        raise FlexarmError(f"it lies between 0 and 1, not {damping_ratio:g}", field="damping_ratio")
    found = plant(used, pose, time, joints, damping_ratio)
    if not len(found.system.M):
        raise FlexarmError("nothing can move: all links are rigid and all joints are held", field="joints")
    made = first_order(found.system)
    known = np.all(np.isfinite(made.C), axis=1)
    proper = known & ~made.improper
    left_out = [name for name, good in zip(found.outputs, proper, strict=True) if not good]
    wanted = [outputs] if isinstance(outputs, str) else outputs
    for name in wanted or ():
        check_word(name, found.outputs, "outputs")
        if name in left_out:
            if not known[found.outputs.index(name)]:
                raise FlexarmError(f"'{name}' is not known in linear models by {used.method.name}", field="outputs")
            raise FlexarmError(
                f"'{name}' follows the rate of an input here, because its motor or hub has no inertia: give rotor_inertia or "
                "hub_inertia",
                field="outputs",
            )
    notes = list(found.notes)
    if left_out and wanted is None:
        notes.append(f"left out: {', '.join(left_out)}, which follow the rate of an input or are not known here")
    model, arm = found.model, found.model.arm
    point = Point(
        used.name, used.method.name, f"resolution {getattr(model.options, 'resolution', '')}", found.pose, found.torques,
        tuple(float(g) for g in arm.gravity), dict(found.treatments), tuple(notes),
    )  # fmt: skip
    names, channels = tuple(np.array(found.outputs)[proper].tolist()), found.system.channels
    whole = StateSpace(
        made.A, made.B, made.C[proper], made.D[proper], made.states, tuple(c.name for c in channels), names,
        tuple(c.unit for c in channels), tuple(found.units[name] for name in names), point,
    )  # fmt: skip
    return whole.select(wanted, inputs)
