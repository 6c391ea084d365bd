"""Lagrange's equations of a tree, by automatic differentiation of the energies of its material points.

Nothing of the method's recursions and integrals is used: positions are written down along the tree for dual numbers
(value and rate), integrals are sums over Gauss points, and derivatives by the coordinates are complex steps.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

STEP = 1e-30
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(40)


class Dual:
    """A number with its rate."""

    __array_ufunc__ = None

    def __init__(self, value, rate=0.0):
        self.value, self.rate = value, rate

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.rate + other.rate)

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.rate * other.value + self.value * other.rate)

    __rmul__ = __mul__

    def __sub__(self, other):
        return self + (-1.0) * (other if isinstance(other, Dual) else Dual(other))

    def turn(self):
        """Cosine and sine."""
        c, s = np.cos(self.value), np.sin(self.value)
        return Dual(c, -s * self.rate), Dual(s, c * self.rate)


class Energies:
    """Kinetic and potential energy of a model's arm as functions of coordinates and velocities."""

    def __init__(self, model):
        self.model, self.arm = model, model.arm
        self.names = list(model.tree.names)
        self._known = {}

    def _tables(self, beam, x):
        """Axial and lateral shapes and slopes at sections x, and int psi' psi'^T up to each; worked out once."""
        key = (beam.link.name, tuple(x))
        if key not in self._known:
            short = [self._shortened(beam, at) for at in x]
            self._known[key] = beam.shapes.along(x), beam.shapes.across(x), beam.shapes.across(x, 1), np.array(short)
        return self._known[key]

    @staticmethod
    def _shortened(beam, end):
        """int psi' psi'^T from the root to `end`; the curvature may jump at edges of the basis."""
        edges = [*(edge for edge in beam.shapes.basis.edges if edge < end), end]
        total = np.zeros((beam.shapes.count, beam.shapes.count))
        for a, b in pairwise(edges):
            slope = beam.shapes.across(0.5 * (a + b) + 0.5 * (b - a) * POINTS, 1)
            total += 0.5 * (b - a) * (slope.T * WEIGHTS) @ slope
        return total

    def _local(self, q, beam, x, y, at=None):
        """Places and section turns of points (x, y), arrays, on a link, in its axes; `at` if their section is not the nearest."""
        if beam.shapes is None:
            return Dual(x), Dual(y), Dual(0.0 * x)
        names = [f"{beam.link.name} bending {k + 1}" for k in range(beam.shapes.bending)]
        names += [f"{beam.link.name} axial {k + 1}" for k in range(beam.shapes.axial)]
        own = [q[self.names.index(name)] for name in names]
        value, rate = np.array([p.value for p in own]), np.array([p.rate for p in own])
        at = np.clip(x, 0.0, beam.link.span) if at is None else at
        along, across, slope, short = self._tables(beam, at)
        turn = Dual(slope @ value, slope @ rate)
        px = Dual(along @ value, along @ rate) + x + (-1.0 * y) * turn
        py = Dual(across @ value, across @ rate) + y + (x - at) * turn
        if self.model.second_order:
            back = Dual(np.einsum("kij,i,j->k", short, value, value), 2.0 * np.einsum("kij,i,j->k", short, value, rate))
            px = px - 0.5 * back - (0.5 * (x - at)) * (turn * turn)
            py = py - (0.5 * y) * (turn * turn)
        return px, py, turn

    def energies(self, q, v):
        """Kinetic and potential energy for arrays q (may be complex) and v."""
        q = [Dual(a, b) for a, b in zip(q, v, strict=True)]
        frames, T, V = {}, 0.0, 0.0
        g = self.arm.gravity

        def world(frame, px, py):
            (ox, oy, angle) = frame
            c, s = angle.turn()
            return ox + c * px - s * py, oy + s * px + c * py

        def mass(point, m):
            nonlocal T, V
            T = T + np.sum(0.5 * m * (point[0].rate ** 2 + point[1].rate ** 2))
            V = V - np.sum(m * (g[0] * point[0].value + g[1] * point[1].value))

        for beam in self.model.beams:
            link, parent = beam.link, self.arm.parent(beam.link.name)
            origin, carried = (Dual(0.0), Dual(0.0)), Dual(0.0)
            if parent != "ground":
                carrier = self.model.beams[self.arm.index(parent)]
                x, y, _ = carrier.link.place(link.at)
                px, py, turn = self._local(q, carrier, np.array([x]), np.array([y]))
                origin = world(frames[parent], px, py)
                carried = frames[parent][2] + turn
                mass(origin, link.joint.motor_mass)
            theta = q[self.names.index(link.name)] if link.joint.type != "fixed" else Dual(link.joint.start)
            root = carried + theta
            slope = Dual(0.0) if beam.shapes is None else self._local(q, beam, np.zeros(1), np.zeros(1))[2]
            frame = frames[link.name] = (*origin, root - slope)
            J, rotor = link.joint.hub_inertia, link.joint.rotor_inertia
            motor = f"{link.name} motor"
            T = T + np.sum(0.5 * J * root.rate**2)
            turned = carried + q[self.names.index(motor)] if motor in self.names else root
            T = T + np.sum(0.5 * rotor * turned.rate**2)
            if beam.line is not None:
                for a, b in zip(beam.line.breaks[:-1], beam.line.breaks[1:], strict=True):
                    x, weight = 0.5 * (a + b) + 0.5 * (b - a) * POINTS, 0.5 * (b - a) * WEIGHTS
                    px, py, _ = self._local(q, beam, x, 0.0 * x)
                    mass(world(frame, px, py), weight * beam.line.at("rhoA", x))
            lumps = [(*link.place(m.at)[:2], None, m.mass, m.inertia) for m in link.masses]
            if link.body is not None:
                lumps.append((*link.body.center[:2], None, link.body.mass, link.body.inertia))
            if link.name == self.arm.payload_link.name:
                load, tip = self.arm.payload, np.array([link.span])
                x, y, _ = load.offset_vector
                lumps.append((link.span + x, y, tip, load.mass, load.inertia_z))
            for x, y, at, m, inertia in lumps:
                px, py, turn = self._local(q, beam, np.array([x]), np.array([y]), at)
                mass(world(frame, px, py), m)
                T = T + np.sum(0.5 * inertia * (frame[2] + turn).rate ** 2)
        return T, V

    def mass_matrix(self, q):
        """M(q) by polarisation of the quadratic form."""
        n = len(q)
        unit = np.eye(n)
        own = [self.energies(q, unit[i])[0] for i in range(n)]
        M = np.zeros((n, n), dtype=complex)
        for i in range(n):
            for j in range(i + 1):
                M[i, j] = M[j, i] = self.energies(q, unit[i] + unit[j])[0] - own[i] - own[j]
        return M

    def bias(self, q, v):
        """d/dt dT/dv - dT/dq at zero acceleration, plus dV/dq."""
        n = len(q)
        unit = np.eye(n)
        moved = q + 1j * STEP * v
        T = lambda w: self.energies(moved, w)[0]  # noqa: E731
        both = T(v)
        momentum = np.array([T(v + unit[i]) - both - T(unit[i]) for i in range(n)])
        out = momentum.imag / STEP
        for i in range(n):
            kinetic, potential = self.energies(q + 1j * STEP * unit[i], v)
            out[i] += (potential - kinetic).imag / STEP
        return out
