"""State feedback by least squares: gains from the largest sizes that outputs and torques may have.

    minimise  int sum (y_i / size_i)^2 + sum (u_j / size_j)^2 dt ,      u = -K x .

Sampled, with u held for a period h, the same integral becomes sum [x u] [Q_d N_d; N_d^T R_d] [x u] by van Loan's exponential; the cross
term N_d matters. Integral action adds states x_i' = y_i, sampled x_i += h y_i.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.control.state_space import StateSpace, held
from flexarm.errors import FlexarmError, check_word
from flexarm.numerics.blas import with_one_blas_thread

UNWEIGHTED = 1e-9
"""Share of the largest weight below which a motion that does not die out is left free."""


@dataclass(frozen=True)
class StateFeedback:
    """u = -K x, or u = -K [x | integrals].

    Attributes
    ----------
    K : ndarray, shape (inputs, states + integrals)
        Gains.
    model : StateSpace
        The model of the design, in continuous time.
    period : float
        Sampling period in s, 0 in continuous time.
    integrals : tuple of str
        Outputs whose integrals are fed back.
    """

    K: np.ndarray
    model: StateSpace
    period: float
    integrals: tuple[str, ...] = ()

    @property
    def poles(self) -> np.ndarray:
        """Poles of the model with all its states fed back, in rad/s also if it is sampled, lowest first."""
        A, B = with_integrals(self.model, self.integrals)
        if self.period:
            A, B = held(A, B, self.period)
        found = np.linalg.eigvals(A - B @ self.K)
        found = np.log(found.astype(complex)) / self.period if self.period else found
        return np.asarray(found[np.lexsort((-found.imag, np.abs(found)))])

    def __repr__(self) -> str:
        sampled = f", sampled every {self.period:g} s" if self.period else ""
        return f"StateFeedback({len(self.model.states)} states, inputs {', '.join(self.model.inputs)}{sampled})"


def with_integrals(model: StateSpace, integrals: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """A and B of a model in continuous time, with integrals of some outputs as further states."""
    if not integrals:
        return model.A, model.B
    part, n, k = model.select(list(integrals)), len(model.A), len(integrals)
    A, B = np.zeros((n + k, n + k)), np.zeros((n + k, len(model.inputs)))
    A[:n, :n], B[:n] = model.A, model.B
    A[n:, :n], B[n:] = part.C, part.D
    return A, B


@with_one_blas_thread
def lqr(
    system: StateSpace,
    sizes: Mapping[str, float],
    period: float | None = None,
    integral: Mapping[str, float] | None = None,
) -> StateFeedback:
    """Gains of a linear-quadratic regulator.

    Parameters
    ----------
    system : StateSpace
        In continuous time, small enough for what can be known of its states (`StateSpace.reduce`).
    sizes : mapping
        Largest sizes that are allowed, of outputs and of every input, by name, in their units.
    period : float, optional
        Sampling period in s of a law whose torque is held in between.
    integral : mapping, optional
        Outputs whose integrals are fed back as well, with the largest sizes of these, in unit times s.

    Examples
    --------
    >>> import flexarm as fa
    >>> plant = fa.state_space("tokhi-azad", damping_ratio=0.01).reduce(modes=2)
    >>> law = fa.lqr(plant, {"tip.travel": 0.02, "tip.velocity": 0.5, "link.torque": 0.1})
    >>> rigid = law.K[0, 0] / plant.C[plant.outputs.index("link.position"), 0]
    >>> round(float(rigid), 3)  # length times torque over travel, whatever the arm
    4.8
    """
    from scipy.linalg import matrix_balance, solve_continuous_are, solve_discrete_are

    if system.period:
        raise FlexarmError(
            "a law is designed on the model in continuous time: give its period to the law", field="period"
        )
    integrals = dict(integral or {})
    for name, size in {**sizes, **integrals}.items():
        known = system.outputs if name in integrals else (*system.outputs, *system.inputs)
        check_word(name, known, "sizes")
        if not size > 0.0 or not np.isfinite(size):
            raise FlexarmError(f"the size of '{name}' must be a number larger than 0, not {size:g}", field="sizes")
    missing = [name for name in system.inputs if name not in sizes]
    if missing:
        raise FlexarmError(
            f"give the largest size of '{missing[0]}' as well: without it the law may push at will", field="sizes"
        )
    A, B = with_integrals(system, tuple(integrals))
    n, m = len(A), B.shape[1]
    seen = [name for name in system.outputs if name in sizes and name not in system.inputs]
    part = system.select(seen)
    C = np.zeros((len(seen) + len(integrals), n))
    D = np.zeros((len(C), m))
    C[: len(seen), : len(system.A)], D[: len(seen)] = part.C, part.D
    C[len(seen) :, len(system.A) :] = np.eye(len(integrals))
    weight = np.array([sizes[name] for name in seen] + list(integrals.values()))
    C, D = C / weight[:, None], D / weight[:, None]
    _check_weighted(A, C, (*system.states, *(f"integral of {name}" for name in integrals)))
    even, (scale, _) = matrix_balance(A, permute=False, separate=True)
    B, C = B / scale[:, None], C * scale
    Q, N = C.T @ C, C.T @ D
    R = np.diag([sizes[name] ** -2 for name in system.inputs]) + D.T @ D
    try:
        if period is None:
            P = solve_continuous_are(even, B, Q, R, s=N)
            K = np.linalg.solve(R, B.T @ P + N.T)
        else:
            if not period > 0.0:
                raise FlexarmError(f"a sampling period is longer than 0 s, not {period:g} s", field="period")
            Ad, Bd, Qd, Nd, Rd = _sampled_cost(even, B, Q, N, R, period)
            P = solve_discrete_are(Ad, Bd, Qd, Rd, s=Nd)
            K = np.linalg.solve(Rd + Bd.T @ P @ Bd, Bd.T @ P @ Ad + Nd.T)
    except np.linalg.LinAlgError:
        raise FlexarmError(
            "no gains hold this model: some motion that does not die out is not reached by its inputs", field="system"
        ) from None
    return StateFeedback(K / scale, system, period or 0.0, tuple(integrals))


def _sampled_cost(
    A: np.ndarray, B: np.ndarray, Q: np.ndarray, N: np.ndarray, R: np.ndarray, h: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A, B and the weights Q, N, R of a period with held inputs (van Loan)."""
    from scipy.linalg import expm

    n, m = B.shape
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:] = A, B
    weights = np.block([[Q, N], [N.T, R]])
    size = n + m
    parts = max(1, int(np.ceil(np.log2(max(h * np.abs(whole).sum(axis=1).max(), 1.0)))))
    small = (
        h / 2**parts
    )  # exponentials of -A over a whole period would overflow for fast modes: the cost is doubled up instead
    both = np.zeros((2 * size, 2 * size))
    both[:size, :size], both[:size, size:], both[size:, size:] = -whole.T, weights, whole
    made = expm(both * small)
    F = made[size:, size:]
    W = F.T @ made[:size, size:]
    for _ in range(parts):
        W, F = W + F.T @ W @ F, F @ F
    W = 0.5 * (W + W.T)
    return F[:n, :n], F[:n, n:], W[:n, :n], W[:n, n:], W[n:, n:]


def _check_weighted(A: np.ndarray, C: np.ndarray, names: Sequence[str]) -> None:
    """Refuse weights that leave a motion free that does not die out by itself."""
    values, vectors = np.linalg.eig(A)
    largest = np.abs(C @ vectors).max(initial=0.0)
    for k in np.flatnonzero(values.real >= -1e-9 * np.abs(values)):
        if np.abs(C @ vectors[:, k]).max(initial=0.0) <= UNWEIGHTED * max(largest, 1e-300):
            motion = names[int(np.argmax(np.abs(vectors[:, k])))]
            raise FlexarmError(
                f"these sizes leave '{motion}' free, which does not come back by itself: give the allowed size of a position",
                field="sizes",
            )


def place(system: StateSpace, poles: Sequence[complex]) -> StateFeedback:
    """Gains that put the poles of a model where they are wanted, by python-control; of one period in s^-1 if the model is sampled.

    Parameters
    ----------
    system : StateSpace
        In continuous time.
    poles : sequence of complex
        One per state, conjugate pairs complete, in rad/s.
    """
    from flexarm.analysis.bode import load_control

    if system.period:
        raise FlexarmError("poles are placed on the model in continuous time", field="system")
    if len(poles) != len(system.states):
        raise FlexarmError(f"give {len(system.states)} poles, one per state, not {len(poles)}", field="poles")
    library = load_control("Placed poles")
    try:
        K = library.place(system.A, system.B, np.asarray(poles, dtype=complex))
    except (ValueError, np.linalg.LinAlgError) as error:
        raise FlexarmError(f"these poles cannot be placed: {error}", field="poles") from None
    return StateFeedback(np.asarray(K, dtype=float), system, 0.0)
