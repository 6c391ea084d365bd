"""The inverse from tip to torques of an arm about a pose, by all modes of its mesh.

    s^2 G(s) = sum_k c_k b_k^T s^2 / (s^2 + d_k s + w_k^2) ,      H = (s^2 G)^-1 ,      tau = H y_d''

with w_k the natural frequencies of the arm with its motors free (the rigid ones have w = 0), c_k, s_k, b_k what a mode shows of tip and joints and
takes of the torques, d_k its damping. H has poles in the right half plane, so it is applied by Fourier transform.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from flexarm.drive import JointWiring, Wiring
from flexarm.errors import CapabilityError, FlexarmError, ScenarioError
from flexarm.methods import get_method
from flexarm.methods.base import LinearModel, Watch
from flexarm.scenario import Scenario
from flexarm.simulation.poses import posed

BAND = 25.0
"""Band limit of damped arms, in times z."""
MESH = 0.5
"""Band limit in times the highest natural frequency of the mesh, above which its inverse means nothing."""
TAPER = 0.2
"""Share of the band over which it fades out."""
ON_AXIS = 1e-6
"""Damping ratio of a zero below which the inverse rings for ever."""
HIDDEN = 1e-8
"""Share of the largest product of torque and tip rows below which a mode has no part in the motion."""


class PoseInverse:
    """H of one pose.

    Parameters
    ----------
    linear : LinearModel
        The arm with its motors free.
    rows : ndarray, shape (m, n)
        What is wanted of the tip per coordinate of the model; as many as there are torques.
    """

    def __init__(self, linear: LinearModel, rows: np.ndarray):
        from scipy.linalg import eigh

        count = len(linear.inputs)
        square, vectors = eigh(linear.K, linear.M)
        self.linear, self.tip_rows, self.rigid, self.vectors = linear, rows, count, vectors
        self.square = np.where(np.arange(len(square)) < count, 0.0, square)
        self.b, self.c, self.s = vectors.T @ linear.B, rows @ vectors, linear.sensed @ vectors
        damping = vectors.T @ linear.C @ vectors
        self.damped = bool(np.abs(damping).max(initial=0.0) > 1e-12 * math.sqrt(self.square.max()))
        self.sticky = bool(np.abs(damping[:count, :count]).max() > 1e-9 * np.abs(damping).max(initial=0.0))
        loose = np.abs(damping - np.diag(np.diag(damping))).max(initial=0.0)
        self.damping = np.diag(damping) if loose <= 1e-9 * np.abs(damping).max(initial=1e-300) else damping
        if np.linalg.cond(self.c[:, :count]) > 1e8:
            raise ScenarioError(
                "the tip cannot be led there: the arm is stretched, folded or otherwise singular in this pose",
                field="tip",
            )

    @property
    def moving(self) -> np.ndarray:
        """True for modes that the torques move and the tip shows, shape (n,)."""
        size = np.linalg.norm(self.b, axis=1) * np.linalg.norm(self.c, axis=0)
        return np.asarray(size >= HIDDEN * size.max())

    @cached_property
    def zeros(self) -> np.ndarray:
        """Zeros from the torques to the tip, rad/s, with real part at least 0, slowest first."""
        from scipy.linalg import eigvals

        model, m = self.linear, self.rigid
        n, scale = len(model.M), math.sqrt(self.square.max())
        A, E = np.zeros((2 * n + m, 2 * n + m)), np.zeros((2 * n + m, 2 * n + m))
        A[:n, n : 2 * n] = E[:n, :n] = np.eye(n)
        A[n : 2 * n, :n], A[n : 2 * n, n : 2 * n] = -model.K / scale**2, -model.C / scale
        A[n : 2 * n, 2 * n :], A[2 * n :, :n], E[n : 2 * n, n : 2 * n] = model.B, self.tip_rows, model.M
        found = eigvals(A, E)
        found = found[np.isfinite(found) & (np.abs(found) < 1.0)] * scale
        found = found[(found.real > -ON_AXIS * np.abs(found)) & (found.imag > -1e-9 * np.abs(found))]
        # a mode that the torques do not move, or the tip does not show (a link that stretches), is no zero
        hidden = np.sqrt(np.abs(self.square[~self.moving]))
        apart = np.abs(np.abs(found)[:, None] - hidden) > 1e-6 * np.abs(found)[:, None]
        found = found[apart.all(axis=1)]
        return found[np.argsort(np.abs(found))]

    def responses(self, omega: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tip acceleration per torque, and joint positions less those of the stiff arm per torque, at frequencies in rad/s > 0,
        shape (n, m, m) each."""
        w = omega[:, None]
        if self.damping.ndim == 1:
            over = 1.0 / (self.square - w**2 + 1j * w * self.damping)
            moved = over[:, :, None] * self.b
        else:
            eye = np.eye(len(self.square))
            matrices = eye * (self.square - w**2)[:, None, :] + 1j * w[:, :, None] * self.damping
            moved = np.linalg.solve(matrices, np.broadcast_to(self.b, (len(omega), *self.b.shape)))
        return -(w[:, :, None] ** 2) * (self.c @ moved), (self.s - self.share @ self.c) @ moved

    @property
    def share(self) -> np.ndarray:
        """Joint positions per tip position of the stiff arm, shape (m, m)."""
        return np.asarray(self.s[:, : self.rigid] @ np.linalg.inv(self.c[:, : self.rigid]))

    @property
    def deflection(self) -> np.ndarray:
        """Static deflection of the tip per acceleration of the joints, which are clamped, shape (m, m)."""
        model, m = self.linear, self.rigid
        turning = self.vectors[:, :m] @ np.linalg.inv(self.s[:, :m])
        whole = np.block([[model.K, model.B], [model.sensed, np.zeros((m, m))]])
        bent = np.linalg.solve(whole, np.vstack([-model.M @ turning, np.zeros((m, m))]))
        return np.asarray(self.tip_rows @ bent[: len(model.M)])

    @property
    def stiff(self) -> np.ndarray:
        """H of the stiff arm, H(0), shape (m, m)."""
        return np.asarray(np.linalg.inv(self.c[:, : self.rigid] @ self.b[: self.rigid]))

    def band(self, wanted: float | None) -> float:
        """Band limit in rad/s: the one that is wanted, or what zeros and damping allow."""
        ringing = np.array([abs(z) for z in self.zeros if abs(z.real) <= ON_AXIS * abs(z)])
        first = float(ringing.min(initial=math.inf))
        slow = self.slowest
        finest = MESH * math.sqrt(float(self.square[self.moving].max()))
        chosen = wanted if wanted is not None else min(0.88 * first, finest, BAND * slow if self.damped else math.inf)
        if (math.isfinite(first) and chosen >= first) or chosen < 3.0 * slow:
            raise FlexarmError(
                f"the inverse would ring for ever at {first:.4g} rad/s, where the tip has a zero without damping: give the arm damping, or a "
                f"band below that and well above {slow:.4g} rad/s",
                field="band",
            )
        return chosen

    @property
    def slowest(self) -> float:
        """Slowest zero off the imaginary axis, rad/s."""
        found = [abs(z) for z in self.zeros if z.real > ON_AXIS * abs(z)]
        if not found:
            raise CapabilityError(
                "the tip has no zero in the right half plane: all links are rigid; use feedforward: rigid", field="tip"
            )
        return float(min(found))

    def apply(self, acceleration: np.ndarray, step: float, band: float) -> tuple[np.ndarray, np.ndarray]:
        """Torques and joint positions beyond those of the stiff arm, for tip accelerations (n, m) that begin and end at
        zero, sampled every `step` seconds."""
        n = len(acceleration)
        omega = 2.0 * np.pi * np.fft.rfftfreq(n, step)
        omega[0] = 1e-3 * omega[1]
        tip, joints = self.responses(omega)
        fade = np.clip((band - omega) / (TAPER * band), 0.0, 1.0)
        kept = 0.5 * (1.0 - np.cos(np.pi * fade))
        inverse = np.linalg.inv(tip[kept > 0.0])
        wanted = np.fft.rfft(acceleration, axis=0)[kept > 0.0, :, None] * kept[kept > 0.0, None, None]
        torque = (inverse @ wanted)[:, :, 0]
        deviation = (joints[kept > 0.0] @ torque[:, :, None])[:, :, 0]
        stiff = (self.stiff @ wanted)[:, :, 0]

        def back(values: np.ndarray) -> np.ndarray:
            spectrum = np.zeros((len(omega), values.shape[1]), dtype=complex)
            spectrum[kept > 0.0] = values
            found = np.fft.irfft(spectrum, n, axis=0)
            # viscous friction in a joint takes a torque whose mean the transform does not know: before the motion there is none
            return found - found[0] if self.sticky else found

        return back(torque - stiff), back(deviation)


def pose_inverse(scenario: Scenario, pose: Sequence[float], outputs: Sequence[str]) -> PoseInverse:
    """H of a scenario's arm and method at a pose, with all motors free and without gravity."""
    arm = posed(scenario.arm.model_copy(update={"gravity": (0.0, 0.0, 0.0)}), pose)
    spring = {name: arm.link(name).joint.stiffness is not None for name in arm.joints}
    wiring = Wiring(tuple(JointWiring(name, "torque", spring[name]) for name in arm.joints))
    model = get_method(scenario.method.name).build(arm, wiring, scenario.method.options, Watch(stations=2))
    linear = model.linearise(model.static(arm.pose, model.posed_row(arm.pose)), "held")
    rows = np.array([linear.reading(name) for name in outputs])
    return PoseInverse(linear, rows)
