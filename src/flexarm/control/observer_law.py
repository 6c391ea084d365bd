"""Laws with an observer (LQG): what sensors read at the ticks of a period, a Kalman filter, and the gains of `lqr`.

With the model x+ = A x + B u at the ticks, disturbance torques of standard deviation s_w held over a period, and readings with noise s,

    P from A P A^T - A P C^T (C P C^T + R)^-1 C P A^T + B s_w^2 B^T = P ,      F = P C^T (C P C^T + R)^-1 ,
    filter      x_k = p_k + F (y_k - C p_k - D u_{k-1}) ,   u_k = -K x_k - K_i z_k ,
    predictor   u_k = -K p_k - K_i z_k  (known one period before it is needed),
    p_{k+1} = A x_k + B u_k ,      z_{k+1} = z_k + h y_i .

A reading at a tick sees the torque before it. With a limit the observer is told the torque behind it, and integrals stand still while it acts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from flexarm.control.state_feedback import StateFeedback, lqr
from flexarm.control.state_space import StateSpace, state_space
from flexarm.drive import LawBlock
from flexarm.errors import ControllerError, FlexarmError, check_word
from flexarm.numerics.blas import with_one_blas_thread

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

TIMES_AS_MANY = 3
"""Modes of a truth, over those of the design."""


class Check(NamedTuple):
    """What a law does to an arm that is not its model: spectral radius of the loop per period, natural frequency in Hz of the motion that
    grows most or dies out last, and under which circumstances."""

    radius: float
    hz: float
    case: str

    @property
    def stable(self) -> bool:
        """True if all motions die out."""
        return self.radius < 1.0


@dataclass
class ObserverLaw:
    """A sampled law that can be given to `simulate` as its controller; made by `lqg`.

    Attributes
    ----------
    feedback : StateFeedback
        Gains and model of the design.
    F : ndarray, shape (states, sensors)
        Gains of the filter.
    sensors : tuple of str
        Readings.
    form : {"filter", "predictor"}
        Whether a torque knows the readings of its own tick.
    limit : float
        Largest torque, that at rest included; inf if there is none.
    """

    feedback: StateFeedback
    F: np.ndarray
    sensors: tuple[str, ...]
    form: Literal["filter", "predictor"] = "filter"
    limit: float = np.inf
    _p: np.ndarray = field(init=False, repr=False)
    _z: np.ndarray = field(init=False, repr=False)
    _u: np.ndarray = field(init=False, repr=False)
    _told: list[tuple[Any, list[str]]] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        self._sampled = self.feedback.model.discrete(self.feedback.period)
        self._seen = self._sampled.select(list(self.sensors))
        self._summed = [self.sensors.index(name) for name in self.feedback.integrals]
        self.reset()

    @property
    def period(self) -> float:
        """Sampling period, s."""
        return self.feedback.period

    def reset(self) -> None:
        """Forget what was observed."""
        self._p, self._u = np.zeros(len(self._sampled.A)), np.zeros(len(self._sampled.inputs))
        self._z = np.zeros(len(self.feedback.integrals))

    def step(self, y: np.ndarray) -> np.ndarray:
        """Torques (inputs,) for readings (sensors,) as deviations from rest, at the next tick."""
        n = len(self._p)
        x = self._p + self.F @ (y - self._seen.C @ self._p - self._seen.D @ self._u)
        used = x if self.form == "filter" else self._p
        wanted = -self.feedback.K[:, :n] @ used - self.feedback.K[:, n:] @ self._z
        rest = self._rest_torques
        self._u = np.clip(rest + wanted, -self.limit, self.limit) - rest if np.isfinite(self.limit) else wanted
        self._p = self._sampled.A @ x + self._sampled.B @ self._u
        if np.array_equal(wanted, self._u):
            self._z = self._z + self.period * y[self._summed]
        return self._u

    def __call__(self, time: float, reading: Mapping[str, float]) -> np.ndarray:
        """Torques that hold the arm where the model is about, as a controller of `simulate`."""
        if time <= 0.5 * self.period:
            self.reset()
            self._rest = np.array([self._at_rest(reading, name) for name in self.sensors])
        y = np.array([reading[name] for name in self.sensors]) - self._rest
        return np.asarray(self._rest_torques + self.step(y))

    @property
    def _rest_torques(self) -> np.ndarray:
        """Torques that hold the arm at the point of linearisation, (inputs,)."""
        torques = self.feedback.model.point.torques
        return np.array([torques.get(name.rpartition(".")[0], 0.0) for name in self.feedback.model.inputs])

    def _at_rest(self, reading: Mapping[str, float], name: str) -> float:
        """What a sensor reads at the point of linearisation: joints there, all else as at the start of the run."""
        owner, _, part = name.rpartition(".")
        pose = self.feedback.model.point.pose
        return pose[owner] if part in ("position", "motor_position") and owner in pose else float(reading[name])

    def block(self) -> StateSpace:
        """The law without its limit as a sampled state space from the sensors to the torques, which can be saved."""
        n, k, m, seen = len(self._p), len(self._z), len(self._u), self._seen
        size = n + k + m
        p, z, u = slice(0, n), slice(n, n + k), slice(n + k, size)
        known, by_reading = np.zeros((n, size)), self.F
        known[:, p], known[:, u] = np.eye(n) - self.F @ seen.C, -self.F @ seen.D
        used, direct = (known, self.F) if self.form == "filter" else (np.eye(size)[p], 0.0 * self.F)
        C, D = -self.feedback.K[:, :n] @ used, -self.feedback.K[:, :n] @ direct
        C[:, z] -= self.feedback.K[:, n:]
        A, B = np.zeros((size, size)), np.zeros((size, len(self.sensors)))
        A[p], B[p] = self._sampled.A @ known + self._sampled.B @ C, self._sampled.A @ by_reading + self._sampled.B @ D
        A[z, z] = np.eye(k)
        B[z] = self.period * np.eye(len(self.sensors))[self._summed]
        A[u], B[u] = C, D
        names = (*self._sampled.states, *(f"integral of {name}" for name in self.feedback.integrals))
        model = self.feedback.model
        return StateSpace(
            A, B, C, D, (*names, *(f"last {name}" for name in model.inputs)), self.sensors, model.inputs, seen.output_units, model.input_units,
            model.point, self.period,
        )  # fmt: skip

    def law_block(self) -> LawBlock:
        """The law with its limit as data: what `simulate` runs inside the compiled steps, and what `save` writes."""
        block, n, k, m = self.block(), len(self._p), len(self._z), len(self._u)
        pose = self.feedback.model.point.pose
        rest = [
            pose[owner] if part in ("position", "motor_position") and owner in pose else np.nan
            for owner, _, part in (name.rpartition(".") for name in self.sensors)
        ]
        A, B, C, D = (np.ascontiguousarray(each) for each in (block.A, block.B, block.C, block.D))
        return LawBlock(
            A, B, C, D, np.vstack([self._sampled.B, np.zeros((k, m)), np.eye(m)]), self.sensors, self.feedback.model.inputs,
            self.period, np.full(m, self.limit), np.array(rest), self._rest_torques, np.repeat([False, True, False], [n, k, m]),
        )  # fmt: skip

    def save(self, path: str | Path, force: bool = False) -> Path:
        """Write the law to a .json file for ``control: {type: state-space, file: ...}``: matrices, names, period, limit and rest."""
        return self.law_block().save(path, force)

    def loop(self, truth: StateSpace) -> np.ndarray:
        """Matrix of one period of a model in continuous time under this law, without limit: its states, p, integrals, last torque."""
        plant = truth.select(list(self.sensors), list(self._sampled.inputs)).discrete(self.period)
        N, n, m, k = len(plant.A), len(self._p), len(plant.inputs), len(self._z)
        K, Ki, one = self.feedback.K[:, :n], self.feedback.K[:, n:], np.eye(n)
        size = N + n + k + m
        x, p, z, u = slice(0, N), slice(N, N + n), slice(N + n, N + n + k), slice(N + n + k, size)
        read = np.zeros((len(self.sensors), size))
        read[:, x], read[:, u] = plant.C, plant.D
        known = self.F @ read
        known[:, p] += one - self.F @ self._seen.C
        known[:, u] -= self.F @ self._seen.D
        torque = -K @ (known if self.form == "filter" else np.eye(size)[p])
        torque[:, z] -= Ki
        whole = np.zeros((size, size))
        whole[x] = plant.B @ torque
        whole[x, x] += plant.A
        whole[p] = self._sampled.A @ known + self._sampled.B @ torque
        whole[z] = self.period * read[self._summed]
        whole[z, z] += np.eye(k)
        whole[u] = torque
        return whole

    @with_one_blas_thread
    def check(
        self, scenario: Scenario, modes: int | None = None, frequency: float = 0.2, poses: Sequence[Sequence[float]] = (),
        damping_ratios: Sequence[float | None] = (None,),
    ) -> list[Check]:  # fmt: skip
        """The law on arms that are not its model: spill-over is told before it is met, the worst case first.

        Parameters
        ----------
        scenario : Scenario
            The arm; its method and mesh are those of the truth.
        modes : int, optional
            Modes of the truth, with what the others do to slow inputs; default at least three times those of the design, as far as
            the mesh has them.
        frequency : float
            All elastic frequencies are also taken larger and smaller by this share.
        poses : sequence of poses
            Beside that of the design.
        damping_ratios : sequence of float or None
            Of the truth; None: that of the arm itself.
        """
        design = self.feedback.model
        own = sum(name.startswith("mode") and not name.endswith(".rate") for name in design.states)
        least = TIMES_AS_MANY * max(own, len(design.states) // 2 - 1)
        if modes is not None and modes < least:
            raise FlexarmError(f"a truth needs at least {least} modes, three times those of the design", field="modes")
        here = [design.point.pose[name] for name in scenario.arm.joints]
        found = []
        for pose in (here, *poses):
            for ratio in damping_ratios:
                whole = state_space(
                    scenario, pose, damping_ratio=ratio, outputs=list(self.sensors), inputs=list(self._sampled.inputs)
                )
                known = sum(name.startswith("mode") and not name.endswith(".rate") for name in whole.states)
                count = known if modes is None else min(modes, known)
                truth = whole if count == known else whole.reduce(modes=count, static=True)
                for share in (0.0, frequency, -frequency) if frequency else (0.0,):
                    place = ", ".join(f"{value:.4g}" for value in pose)
                    damping = "own damping" if ratio is None else f"damping {100.0 * ratio:g} %"
                    found.append(
                        self._judged(
                            _detuned(truth, share), f"pose {place}, {damping}, frequencies {100.0 * share:+g} %"
                        )
                    )
        return sorted(found, key=lambda each: -each.radius)

    def check_before_run(self, scenario: Scenario) -> list[str]:
        """What `simulate` tells of this law on an arm before it moves: spill-over, and what 20 % in its frequencies do; found once per arm."""
        key = (scenario.arm, scenario.method, scenario.output)
        known = next((told for arm, told in self._told if arm == key), None)
        if known is None:
            try:
                known = _sentences(self.check(scenario), self.period)
            except FlexarmError as error:
                raise ControllerError(f"the law does not fit this arm: {error}") from None
            self._told.append((key, known))
        return known

    def _judged(self, truth: StateSpace, case: str) -> Check:
        """Radius and frequency of the worst motion, which is that of the mode with the largest share in it."""
        values, vectors = np.linalg.eig(self.loop(truth))
        k = int(np.argmax(np.abs(values)))
        rates = [i for i, name in enumerate(truth.states) if name.endswith(".rate")]
        places = [truth.states.index(truth.states[i].removesuffix(".rate")) for i in rates]
        omega = np.sqrt(np.abs(np.array([truth.A[i, j] for i, j in zip(rates, places, strict=True)])))
        share = np.abs(vectors[rates, k]) ** 2 + omega**2 * np.abs(vectors[places, k]) ** 2
        return Check(float(np.abs(values[k])), float(omega[int(np.argmax(share))] / (2.0 * np.pi)), case)


def _sentences(found: Sequence[Check], period: float) -> list[str]:
    """Words for the arm as it is if it is not stable, else for other frequencies."""
    own = [each for each in found if each.case.endswith("+0 %")]
    for cases, words in ((own, "makes this arm unstable"), (found, "is not stable if the frequencies are 20 % off")):
        worst = cases[0]
        if not worst.stable:
            growth = np.log(worst.radius) / period
            return [
                f"the law {words} ({worst.case}): its mode at {worst.hz:.4g} Hz grows by {growth:.3g} 1/s (radius {worst.radius:.5f}); "
                "design it on more modes, allow larger sizes or more noise, or count with more damping"
            ]
    return []


def _detuned(truth: StateSpace, share: float) -> StateSpace:
    """The truth with elastic frequencies that are larger by a share; damping ratios and shapes stay."""
    from dataclasses import replace

    if not share:
        return truth
    A = truth.A.copy()
    rates = [i for i, name in enumerate(truth.states) if name.startswith("mode") and name.endswith(".rate")]
    places = [truth.states.index(truth.states[i].removesuffix(".rate")) for i in rates]
    A[np.ix_(rates, places)] *= (1.0 + share) ** 2
    A[np.ix_(rates, rates)] *= 1.0 + share
    return replace(truth, A=A, D=truth.D / (1.0 + share) ** 2)


@with_one_blas_thread
def lqg(
    system: StateSpace, sizes: Mapping[str, float], noise: Mapping[str, float], period: float,
    integral: Mapping[str, float] | None = None, form: Literal["filter", "predictor"] = "filter", limit: float = np.inf,
) -> ObserverLaw:  # fmt: skip
    """A law with an observer for readings with noise.

    Parameters
    ----------
    system : StateSpace
        The model of the design, in continuous time and small.
    sizes, integral, period
        As in `lqr`; outputs in `integral` must be sensors.
    noise : mapping
        Standard deviations: of a disturbance of every input, held over a period, and of the sensors, outputs by name, per reading.
    form : {"filter", "predictor"}
        filter: the torque knows the readings of its tick. predictor: it is known a period before.
    limit : float
        Largest torque.

    Examples
    --------
    >>> import flexarm as fa
    >>> plant = fa.state_space("tokhi-azad", damping_ratio=0.01).reduce(modes=2)
    >>> sizes = {"tip.travel": 0.02, "tip.velocity": 0.5, "link.torque": 0.1}
    >>> law = fa.lqg(plant, sizes, noise={"link.torque": 0.02, "link.position": 1e-4, "link@0.5": 1e-6}, period=1e-3)
    >>> law.sensors
    ('link.position', 'link@0.5')
    """
    from scipy.linalg import matrix_balance, solve_discrete_are

    check_word(form, ("filter", "predictor"), "form")
    for name, size in noise.items():
        check_word(name, (*system.inputs, *system.outputs), "noise")
        if not size > 0.0 or not np.isfinite(size):
            raise FlexarmError(
                f"the noise of '{name}' must be larger than 0, not {size:g}: an observer that trusts a reading fully has no gains",
                field="noise",
            )
    sensors = tuple(name for name in system.outputs if name in noise and name not in system.inputs)
    missing = [name for name in system.inputs if name not in noise]
    if missing or not sensors:
        what = f"the disturbance of '{missing[0]}'" if missing else "at least one sensor, an output of the model"
        raise FlexarmError(f"noise needs {what}, with its standard deviation", field="noise")
    for name in integral or ():
        if name not in sensors:
            raise FlexarmError(f"the integral of '{name}' needs it as a sensor: give its noise", field="integral")
    feedback = lqr(system, sizes, period, integral)
    sampled = system.discrete(period)
    _, (scale, _) = matrix_balance(system.A, permute=False, separate=True)
    seen = sampled.select(list(sensors))
    A, B, C = sampled.A / scale[:, None] * scale, sampled.B / scale[:, None], seen.C * scale
    Q = B @ np.diag([noise[name] ** 2 for name in system.inputs]) @ B.T
    R = np.diag([noise[name] ** 2 for name in sensors])
    size = np.sqrt(np.diag(R))
    try:
        P = solve_discrete_are(A.T, (C / size[:, None]).T, Q, np.eye(len(size)))
    except np.linalg.LinAlgError:
        raise FlexarmError(
            "no observer follows this model: its sensors do not see some motion that does not die out; add the position of a joint",
            field="noise",
        ) from None
    F = scale[:, None] * np.linalg.solve(C @ P @ C.T + R, C @ P).T
    return ObserverLaw(feedback, F, sensors, form, limit)
