"""Do the books balance? Audits of energy and of angular momentum over a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    import xarray

STORED = ("kinetic", "elastic", "gravity")
LOST = ("dissipated", "numerical")


@dataclass(frozen=True)
class EnergyAudit:
    """Energy balance of a run, J, and relative to the energy that was at play.

    Attributes
    ----------
    scale : float
        The larger of the greatest kinetic plus elastic energy and the work that went in and out (sum of its
        absolute changes).
    largest_residual : float
        Largest absolute value of the residual: stored energy less its start, less work, plus losses.
    drift : float
        Residual at the end less residual at the start.
    dissipated : float
        Energy taken out by damping and friction.
    numerical_loss : float
        Energy taken out by the time scheme itself, by its numerical damping or its known error; negative if put in.
    """

    scale: float
    largest_residual: float
    drift: float
    dissipated: float
    numerical_loss: float

    def _share(self, energy: float) -> float:
        return energy / self.scale if self.scale > 0.0 else 0.0

    @property
    def relative_residual(self) -> float:
        """Largest residual over `scale`."""
        return self._share(self.largest_residual)

    @property
    def relative_drift(self) -> float:
        """Drift over `scale`."""
        return self._share(self.drift)

    @property
    def relative_numerical_loss(self) -> float:
        """Numerical loss over `scale`."""
        return self._share(self.numerical_loss)

    @property
    def sentence(self) -> str:
        """The audit in words."""
        if self.scale == 0.0:
            return "No energy was at play: nothing moved and no work was done."
        text = (
            f"Of {self.scale:.3g} J at play at most {self.relative_residual:.1e} is unaccounted for "
            f"(drift over the run {self.relative_drift:+.1e})"
        )
        if self.numerical_loss:
            text += f"; the time scheme took out {self.relative_numerical_loss:.1e}"
        if self.dissipated:
            text += f"; damping and friction took out {self._share(self.dissipated):.1e}"
        return text + "."


def audit(data: xarray.Dataset) -> EnergyAudit:
    """Audit the energy of a run.

    Parameters
    ----------
    data : xarray.Dataset
        With ``energy(time, kind)`` in J. ``kinetic`` and ``elastic`` must be there, other kinds count as zero
        when they are absent; an absent ``residual`` is worked out from the others.
    """
    if "energy" not in data:
        raise FlexarmError("the result holds no 'energy', so that there is nothing to audit")
    energy = data["energy"].transpose("time", "kind")
    kinds = [str(kind) for kind in energy["kind"].values]
    missing = [kind for kind in ("kinetic", "elastic") if kind not in kinds]
    if missing:
        raise FlexarmError(f"the energy of the result lacks {' and '.join(missing)}")
    values = np.asarray(energy.values, dtype=float)
    if values.shape[0] == 0 or not np.all(np.isfinite(values)):
        raise FlexarmError("the energy of the result is empty or not finite: the run did not get through")
    zero = np.zeros(values.shape[0])
    book = {kind: values[:, kinds.index(kind)] if kind in kinds else zero for kind in (*STORED, *LOST, "work")}
    if "residual" in kinds:
        residual = values[:, kinds.index("residual")]
    else:
        balance = sum(book[kind] for kind in (*STORED, *LOST)) - book["work"]
        residual = balance - balance[0]
    throughput = float(np.abs(np.diff(book["work"])).sum())
    return EnergyAudit(
        scale=max(float(np.max(book["kinetic"] + book["elastic"])), throughput),
        largest_residual=float(np.abs(residual).max()),
        drift=float(residual[-1] - residual[0]),
        dissipated=float(book["dissipated"][-1] - book["dissipated"][0]),
        numerical_loss=float(book["numerical"][-1] - book["numerical"][0]),
    )


@dataclass(frozen=True)
class MomentumAudit:
    """Balance of angular momentum about the joint, N m s.

    Attributes
    ----------
    scale : float
        Largest absolute angular momentum or torque impulse.
    largest_residual : float
        Largest absolute difference between the change of angular momentum and the impulse of the torque.
    drift : float
        That difference at the end of the run.
    """

    scale: float
    largest_residual: float
    drift: float

    @property
    def relative_residual(self) -> float:
        """Largest residual over `scale`."""
        return self.largest_residual / self.scale if self.scale > 0.0 else 0.0

    @property
    def sentence(self) -> str:
        """The audit in words."""
        if self.scale == 0.0:
            return "No angular momentum was at play."
        return (
            f"Angular momentum follows the impulse of the torque to {self.relative_residual:.1e} "
            f"of {self.scale:.3g} N m s."
        )


def momentum(data: xarray.Dataset) -> MomentumAudit | None:
    """Audit the angular momentum of a single link without gravity.

    Parameters
    ----------
    data : xarray.Dataset
        With ``angular_momentum(time)`` about the joint and ``torque_impulse(time)``, the integral of the motor's
        torque with what payload changes bring along, both in N m s.

    Returns
    -------
    MomentumAudit or None
        None when the result does not hold both.
    """
    if "angular_momentum" not in data or "torque_impulse" not in data:
        return None
    held = np.asarray(data["angular_momentum"].values, dtype=float)
    given = np.asarray(data["torque_impulse"].values, dtype=float)
    if held.size == 0 or not (np.all(np.isfinite(held)) and np.all(np.isfinite(given))):
        raise FlexarmError("the angular momentum of the result is empty or not finite: the run did not get through")
    residual = (held - held[0]) - (given - given[0])
    return MomentumAudit(
        scale=float(max(np.abs(held).max(), np.abs(given).max())),
        largest_residual=float(np.abs(residual).max()),
        drift=float(residual[-1]),
    )
