"""Mass matrix, velocity terms and gravity of a random tree against Lagrange's equations derived by sympy.

Places of material points are written down along the tree as sums of known functions of x times functions of the
coordinates; sympy integrates the products of the first along the links and finds the rates of the second.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from modes_arms import model_of

from flexarm.arm import Arm

WIDTH = 0.02


def random_arm(seed: int) -> Arm:
    """A bending link, on its tip a second one, beside it at a fraction a rigid body; payload beside the tip."""
    rng = np.random.default_rng(seed)
    size = lambda low, high: float(rng.uniform(low, high))  # noqa: E731
    steel = {"E": 2e11, "density": size(2000, 8000)}
    tube = lambda: {"shape": "rectangle", "width": WIDTH, "height": size(0.01, 0.03)}  # noqa: E731
    return Arm.model_validate(
        {
            "gravity": [size(-3, 3), -9.81, 0.0],
            "links": [
                {"name": "a", "length": size(0.8, 1.5), "section": tube(), "material": steel,
                 "joint": {"hub_inertia": size(0, 0.1)}, "masses": [{"at": "tip", "mass": size(0.1, 2), "inertia": size(0, 0.1)}]},
                {"name": "b", "length": size(0.8, 1.5), "section": tube(), "material": steel,
                 "joint": {"motor_mass": size(0.1, 1)}},
                {"name": "c", "parent": "a", "at": size(0.3, 0.7), "flexible": False,
                 "body": {"mass": size(0.5, 2), "center": [size(0.1, 0.5), size(-0.2, 0.2)], "inertia": size(0.01, 0.1)}},
            ],
            "payload": {"link": "b", "mass": size(0.5, 2), "inertia": size(0.01, 0.1), "offset": [size(0, 0.1), size(-0.1, 0.1), 0.0]},
        }
    )  # fmt: skip


def mass_of(link) -> float:
    """Per length."""
    return WIDTH * link.section.stations[0].height * link.material.density


class Derived:
    """Kinetic energy T and potential V of the arm above, in symbols."""

    def __init__(self, model):
        arm, names = model.arm, list(model.tree.names)
        a, b, c = arm.links
        self.q, self.v = sp.symbols(f"q:{len(names)}"), sp.symbols(f"v:{len(names)}")
        self.T, self.V, self.gravity = sp.Integer(0), sp.Integer(0), arm.gravity[:2]
        q = dict(zip(names, self.q, strict=True))
        s = sp.Symbol("s")
        # a: cubics with the displacement and the slope of the tip; b: half a wave between its pins
        tip, turn = (model.beams[0].shapes.across(np.array([a.length]), k)[0] for k in (0, 1))
        lift = sum(x * q[f"a bending {k + 1}"] for k, x in enumerate(tip))
        tilt = a.length * sum(x * q[f"a bending {k + 1}"] for k, x in enumerate(turn))
        wave = model.beams[1].shapes.across(np.array([b.length / 2]))[0, 0] * q["b bending 1"]
        bent_a = {3 * s**2 - 2 * s**3: lift, s**3 - s**2: tilt}
        bent_b = {sp.sin(sp.pi * s): wave}

        def off(bent, at, derivative=0):
            return sum(sp.diff(f, s, derivative).subs(s, at) * x for f, x in bent.items())

        in_a, turn_a = frame((0, 0), q["a"]), q["a"] + off(bent_a, 1, 1) / a.length
        self.turning(q["a"], a.joint.hub_inertia)
        self.beam(in_a, bent_a, a.length, mass_of(a), s)
        tip_a = in_a(a.length, off(bent_a, 1))
        self.point(tip_a, a.masses[0].mass + b.joint.motor_mass)
        self.turning(turn_a, a.masses[0].inertia)
        angle_b = turn_a + q["b"] - off(bent_b, 0, 1) / b.length
        in_b, load, turn_b = frame(tip_a, angle_b), arm.payload, off(bent_b, 1, 1) / b.length
        self.beam(in_b, bent_b, b.length, mass_of(b), s)
        ox, oy = load.offset_vector[:2]
        self.point(in_b(b.length + ox - oy * turn_b, off(bent_b, 1) + oy + ox * turn_b), load.mass)
        self.turning(angle_b + turn_b, load.inertia_z)
        at = float(c.at)
        angle_c = q["a"] + off(bent_a, at, 1) / a.length + q["c"]
        self.point(frame(in_a(at * a.length, off(bent_a, at)), angle_c)(*c.body.center[:2]), c.body.mass)
        self.turning(angle_c, c.body.inertia)

    def rate(self, f):
        return sum(sp.diff(f, q) * v for q, v in zip(self.q, self.v, strict=True))

    def point(self, place, mass):
        self.T += mass * sum(self.rate(p) ** 2 for p in place) / 2
        self.V -= mass * sum(g * p for g, p in zip(self.gravity, place, strict=True))

    def turning(self, angle, inertia):
        self.T += inertia * self.rate(angle) ** 2 / 2

    def beam(self, world, bent, length, density, s):
        """A place is a sum of functions of s times functions of the coordinates; sympy integrates their products."""
        origin = world(0, 0)
        along, across = ([p - o for p, o in zip(world(*e), origin, strict=True)] for e in ((length, 0), (0, 1)))
        functions = [sp.Integer(1), s, *bent]
        parts = [origin, along, *([p * x for p in across] for x in bent.values())]
        rates = [[self.rate(p) for p in part] for part in parts]
        for i, f in enumerate(functions):
            for k in range(2):
                mass = density * length * float(sp.integrate(f, (s, 0, 1)))
                self.V -= mass * self.gravity[k] * parts[i][k]
                for j, g in enumerate(functions):
                    both = density * length * float(sp.integrate(f * g, (s, 0, 1)))
                    self.T += both * rates[i][k] * rates[j][k] / 2

    def evaluate(self, q, v):
        """Lagrange's equations at a point: mass matrix, velocity terms with weight, weight alone.

        Kinetic energy is quadratic in the rates, so differences give its derivatives exactly; along the coordinates
        an imaginary step does.
        """
        kinetic = sp.lambdify((self.q, self.v), self.T, cse=True)
        potential = sp.lambdify((self.q,), self.V, cse=True)
        unit, tiny = np.eye(len(q)), 1e-30

        def momenta(q):
            return np.array([kinetic(q, v + e) - kinetic(q, v - e) for e in unit]) / 2

        M = [[kinetic(q, a + b) - kinetic(q, a) - kinetic(q, b) for b in unit] for a in unit]
        ahead = [q + 1j * tiny * e for e in unit]
        weight = np.array([potential(x).imag for x in ahead]) / tiny
        bias = momenta(q + 1j * tiny * v).imag / tiny - np.array([kinetic(x, v).imag for x in ahead]) / tiny + weight
        return np.array(M), bias, weight


def frame(origin, angle):
    """World coordinates of places in a frame."""
    cos, sin = sp.cos(angle), sp.sin(angle)
    return lambda px, py: (origin[0] + cos * px - sin * py, origin[1] + sin * px + cos * py)


def test_a_random_tree_against_sympy():
    options = {"resolution": [2, 1, 1], "shapes": {"a": "component", "b": "pinned-pinned"}, "stiffening": "none"}
    model = model_of(random_arm(11), **options)
    rng = np.random.default_rng(11)
    q, v = 0.4 * rng.standard_normal(model.size), rng.standard_normal(model.size)
    M, bias, weight = Derived(model).evaluate(q, v)
    assert np.abs(model.mass_matrix(q) - M).max() < 1e-12 * np.abs(M).max()
    assert np.abs(model.bias(q, v) - bias).max() < 1e-12 * np.abs(bias).max()
    assert np.abs(model.bias(q, 0.0 * v) - weight).max() < 1e-12 * np.abs(weight).max()
