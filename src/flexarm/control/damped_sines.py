"""Least squares of damped sines in several columns at once.

The model is  y(t) = offset + sum Re(c_k exp(lambda_k t)),  lambda_k = w_k (-zeta_k + i sqrt(1 - zeta_k^2)),  with w_k and
zeta_k common to all columns and the complex amplitudes c_k free in each.
Covariances are (J^T J)^-1 with the columns divided by the standard deviation of their noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ModalParts:
    """Angular frequencies, ratios, complex amplitudes (n, columns) and levels (columns,)."""

    w: np.ndarray
    ratio: np.ndarray
    c: np.ndarray
    level: np.ndarray


class DampedSines:
    """Damped sines in all columns; unknowns are w (n), zeta (n), then for each column Re c (n), Im c (n), and its offset."""

    def __init__(self, t: np.ndarray, values: np.ndarray, offset: bool, noise: np.ndarray | None):
        self.t, self.values, self.offset, self.noise = t, values, offset, noise
        self.weight = 1.0 / (noise if noise is not None else np.std(values, axis=0))

    def _waves(self, w: np.ndarray, ratio: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        swing = np.sqrt(1.0 - ratio**2)
        return w * (-ratio + 1j * swing), np.exp(np.outer(self.t, w * (-ratio + 1j * swing)))

    def start(self, w: np.ndarray, ratio: np.ndarray) -> np.ndarray:
        """Unknowns with the amplitudes that fit best at these poles."""
        e = self._waves(w, ratio)[1]
        basis = np.hstack([e.real, -e.imag, np.ones((len(self.t), int(self.offset)))])
        parts = np.linalg.lstsq(basis, self.values, rcond=None)[0]
        return np.concatenate([w, ratio, parts.T.ravel()])

    def split(self, x: np.ndarray, n: int) -> ModalParts:
        """The unknowns by name."""
        parts = x[2 * n :].reshape(self.values.shape[1], -1)
        level = parts[:, 2 * n] if self.offset else np.zeros(len(parts))
        return ModalParts(x[:n], x[n : 2 * n], (parts[:, :n] + 1j * parts[:, n : 2 * n]).T, level)

    def _count(self, x: np.ndarray) -> int:
        width = self.values.shape[1]
        return (len(x) - width * int(self.offset)) // (2 + 2 * width)

    def model(self, x: np.ndarray) -> np.ndarray:
        """Values, shape (nt, columns)."""
        modes = self.split(x, self._count(x))
        return (self._waves(modes.w, modes.ratio)[1] @ modes.c).real + modes.level

    def _slopes(self, x: np.ndarray) -> np.ndarray:
        """Derivatives of the model over sigma, shape (nt columns, unknowns)."""
        n = self._count(x)
        modes, width = self.split(x, n), self.values.shape[1]
        rate, e = self._waves(modes.w, modes.ratio)
        of_w, of_ratio = rate / modes.w, -modes.w * (1.0 + 1j * modes.ratio / np.sqrt(1.0 - modes.ratio**2))
        each = 2 * n + int(self.offset)
        jacobian = np.zeros((width, len(self.t), len(x)))
        for k in range(width):
            swings = self.t[:, None] * e * modes.c[:, k]
            own = slice(2 * n + k * each, 2 * n + (k + 1) * each)
            jacobian[k, :, :n], jacobian[k, :, n : 2 * n] = (swings * of_w).real, (swings * of_ratio).real
            jacobian[k, :, own] = np.hstack([e.real, -e.imag, np.ones((len(self.t), int(self.offset)))])
            jacobian[k] *= self.weight[k]
        return jacobian.reshape(-1, len(x))

    def _residual(self, x: np.ndarray) -> np.ndarray:
        return ((self.model(x) - self.values) * self.weight).T.ravel()

    def fitted(self, x: np.ndarray) -> np.ndarray:
        """The unknowns of the least sum of squares; without a stated sigma, columns weigh by their own residuals."""
        from scipy.optimize import least_squares

        for _ in range(1 if self.noise is not None or self.values.shape[1] == 1 else 3):
            found = least_squares(self._residual, x, self._slopes, method="lm", x_scale="jac", ftol=1e-14, xtol=1e-12)
            x = found.x
            if self.noise is None:
                self.weight = 1.0 / self._spread(x)
        return x

    def _spread(self, x: np.ndarray) -> np.ndarray:
        """Standard deviation of the residuals of each column."""
        free = max(self.values.size - len(x), 1) / self.values.shape[1]
        size = np.sqrt(np.mean(self.values**2, axis=0))
        return np.maximum(np.sqrt(np.sum((self.model(x) - self.values) ** 2, axis=0) / free), 1e-15 * size)

    def chi_square(self, x: np.ndarray, sigma: np.ndarray) -> float:
        """Reduced."""
        return float(np.sum(((self.model(x) - self.values) / sigma) ** 2) / max(self.values.size - len(x), 1))

    def shown(self, x: np.ndarray, n: int) -> tuple[ModalParts, np.ndarray, np.ndarray]:
        """Modes, covariance of the unknowns, and sigma of the columns."""
        used = self.noise if self.noise is not None else self._spread(x)
        self.weight = 1.0 / used
        slopes = self._slopes(x)
        scale = np.maximum(np.linalg.norm(slopes, axis=0), 1e-300)
        q = np.linalg.inv(np.linalg.qr(slopes / scale, mode="r"))
        return self.split(x, n), (q @ q.T) / np.outer(scale, scale), used
