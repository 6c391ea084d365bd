"""A blade that is pushed out of the ground, by Lagrange's equations; it shares nothing with the method."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

FLAT = {"shape": "rectangle", "width": 0.01, "height": 0.003}
ALL = 1.2
TAPER = [{"at": 0.0, "shape": "rectangle", "width": 0.01, "height": 0.004},
         {"at": 1.0, "shape": "rectangle", "width": 0.01, "height": 0.002}]  # fmt: skip


def moving_boundary(start, pull, gravity, times, section):
    """Length and deflection of a blade with all of its mass along the slide: Lagrange's equations of both.

    The blade keeps its length: where it bends, it comes short. Velocities of the material are linear in the rates of
    length and shape; mass matrix and energies by quadrature of polynomials in X / L, their derivatives by differences.
    """
    x, w = np.polynomial.legendre.leggauss(8)
    eta, w = 0.5 * (1.0 + x), 0.5 * w
    powers = np.arange(2, 5)
    n, h = 4, 1e-6
    unit = np.eye(n)
    p, p1 = eta[:, None] ** powers, powers * eta[:, None] ** (powers - 1)
    p2 = powers * (powers - 1) * eta[:, None] ** (powers - 2)
    before = powers * (0.5 * eta[:, None] * (1.0 + x))[:, :, None] ** (powers - 1)  # slopes from the root to each eta

    def blade(S):
        tall = np.full_like(S, 0.003) if section is FLAT else 0.002 + 0.002 * S / ALL
        return 27.0 * tall, 70e9 * 0.01 * tall**3 / 12.0

    def mass(u):
        """Mass matrices (rows of u, n, n)."""
        L, q = u[:, :1], u[:, 1:]
        rho = w * blade(L * (1.0 - eta))[0]
        slope, here = np.einsum("ijk,mk->mij", before, q) / L[:, :, None], q @ p1.T / L
        across = np.dstack([(1.0 - eta) * here, np.broadcast_to(p, (len(u), *p.shape))])  # material at X = L - S
        inner = slope**2 @ w
        # shortening L / 2 int slope^2 at fixed eta, and what the material meets as it passes
        by_length = 0.5 * eta * inner - eta * inner + (1.0 - eta) * 0.5 * here**2
        by_shape = eta[:, None] * np.einsum("mij,ijk->mik", slope * w, before)
        along = np.dstack([1.0 - by_length, -by_shape])
        M = L[:, :, None] * sum(np.swapaxes(part * rho[:, :, None], 1, 2) @ part for part in (across, along))
        M[:, 0, 0] += (ALL - L[:, 0]) * (blade(L + (ALL - L) * eta)[0] @ w)
        return M

    def potential(u):
        """Potential energies (rows of u,)."""
        L, q = u[:, :1], u[:, 1:]
        high = eta * L - 0.5 * L * eta * ((np.einsum("ijk,mk->mij", before, q) / L[:, :, None]) ** 2 @ w)
        bent = (q @ p2.T / L**2) ** 2 * (1.0 + (q @ p1.T / L) ** 2)
        rho, EI = blade(L * (1.0 - eta))
        weight = L * rho * (-gravity[2] * high - gravity[1] * (q @ p.T))
        rear = (ALL - L) ** 2 * blade(L + (ALL - L) * eta)[0] * eta
        return (0.5 * L * EI * bent + weight + gravity[2] * rear) @ w

    def slope_of(function, u):
        found = function(np.concatenate([u + h * unit, u - h * unit]))
        return (found[:n] - found[n:]) / (2.0 * h)

    def rates(t, y):
        u, v = y[:n], y[n:]
        turned = slope_of(mass, u) @ v
        forces = 0.5 * turned @ v - v @ turned - slope_of(potential, u)
        forces[0] += pull(t)
        return np.concatenate([v, np.linalg.solve(mass(u[None])[0], forces)])

    q = np.zeros(n)
    q[0] = start
    for _ in range(8):  # equilibrium at the start, the length held
        K = slope_of(lambda rows: np.array([slope_of(potential, row) for row in rows]), q)
        q[1:] -= np.linalg.solve(K[1:, 1:], slope_of(potential, q)[1:])
    found = solve_ivp(rates, (0.0, times[-1]), np.concatenate([q, np.zeros(n)]), t_eval=times, rtol=1e-6, atol=1e-9)
    return found.y[0], found.y[1:n].sum(axis=0)
