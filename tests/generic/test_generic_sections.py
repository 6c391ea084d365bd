"""Links whose section steps, tapers or both: every method converges to the exact frequencies with its own order."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import iv, jv, kv, yv
from shooting import exact_hz

import flexarm as fa

METAL = {"E": 70e9, "density": 2700.0, "nu": 0.3}
LOAD = {"mass": 0.15, "inertia": 4e-4, "offset": [0.05, 0.0]}


def flat(height: float, **more: float) -> dict:
    """A rectangle 30 mm wide."""
    return {"shape": "rectangle", "width": 0.03, "height": height, **more}


SECTIONS = {
    "step": [flat(0.010, at=0.0), flat(0.010, at=0.37), flat(0.005, at=0.37), flat(0.005, at=1.0)],
    "taper": [flat(0.010, at=0.0), flat(0.004, at=1.0)],
    "kink": [flat(0.010, at=0.0), flat(0.010, at=0.37), flat(0.004, at=1.0)],
}


@cache
def arm(section: str, links: int = 1, load: bool = True) -> fa.Arm:
    """A link of a kind of section with a hub, alone or behind a uniform one, with a payload that has inertia and offset."""
    last = {"name": "last", "length": 0.9, "section": SECTIONS[section], "material": METAL}
    first = {"name": "first", "length": 0.7, "section": flat(0.012), "material": METAL, "joint": {"hub_inertia": 2e-3}}
    chain = (
        [{**last, "joint": {"hub_inertia": 2e-3}}] if links == 1 else [first, {**last, "joint": {"motor_mass": 0.2}}]
    )
    return fa.Arm.model_validate({"links": chain, "payload": LOAD if load else {}})


@cache
def exact(section: str, links: int, shear: bool, free: bool = False) -> np.ndarray:
    """Three frequencies by shooting."""
    return exact_hz(arm(section, links), 3, shear, free)


def off(section: str, links: int, method: str, joints: str = "locked", **options) -> np.ndarray:
    """Relative errors of three frequencies; `fem` and the shear element know shear, the others do not."""
    shear = method == "fem" or options.get("element") == "shear"
    found = fa.frequencies(arm(section, links), method, n=3, joints=joints, options=options).hz
    return np.abs(found / exact(section, links, shear, joints == "free") - 1.0)


def roots(function, count: int, top: float = 300.0) -> np.ndarray:
    """First sign changes of a function of the frequency."""
    grid = np.geomspace(0.5, top, 300)
    values = np.array([function(x) for x in grid])
    places = np.flatnonzero(values[:-1] * values[1:] < 0.0)[:count]
    return np.array([brentq(function, grid[k], grid[k + 1], rtol=1e-12) for k in places])


def test_shooting_agrees_with_the_closed_form_of_a_stepped_cantilever():
    """Eight constants: sines and exponentials in both parts; w, w', M, Q continuous at the step, the tip free."""
    bare = arm("step", load=False)
    link = bare.links[0]
    EI, line = link.properties([0.1, 0.9])["EI"], link.properties([0.1, 0.9])["rhoA"]
    a, b = 0.37 * link.span, 0.63 * link.span

    def part(k: float, x: float, EI: float) -> np.ndarray:
        """Rows w, w', M, Q for cos, sin, exp(-kx), exp(kx - ...)."""
        c, s, e, g = np.cos(k * x), np.sin(k * x), np.exp(-k * x), np.exp(k * (x - 1.0))
        return np.array(
            [[c, s, e, g], [-k * s, k * c, -k * e, k * g], EI * k**2 * np.array([-c, -s, e, g]),
             EI * k**3 * np.array([s, -c, -e, g])]
        )  # fmt: skip

    def determinant(hz: float) -> float:
        k, m = (line * (2 * np.pi * hz) ** 2 / EI) ** 0.25
        matrix = np.zeros((8, 8))
        matrix[:2, :4] = part(k, 0.0, EI[0])[:2]
        matrix[2:6, :4], matrix[2:6, 4:] = part(k, a, EI[0]), -part(m, 0.0, EI[1])
        matrix[6:, 4:] = part(m, b, EI[1])[2:]
        return float(np.linalg.det(matrix / np.abs(matrix).max(axis=1, keepdims=True)))

    assert exact_hz(bare, 3, False) == pytest.approx(roots(determinant, 3), rel=1e-6)


def test_shooting_agrees_with_the_closed_form_of_a_wedge():
    """With x from the apex, height as x and constant width: w = Z1(z)/sqrt(x), z = 2 (k x)^(1/2), Z1 Bessel functions."""
    bare = arm("taper", load=False)
    link = bare.links[0]
    thick, thin = 0.9 / 0.6, 0.9 / 0.6 - 0.9
    near = link.properties([0.0])
    scale = near["rhoA"][0] / near["EI"][0] * thick**2  # rhoA = c x, EI = d x^3 with c / d = rhoA / EI x^2

    def determinant(hz: float) -> float:
        k = np.sqrt(scale) * 2.0 * np.pi * hz

        def rows(x: float) -> np.ndarray:
            """w, dw/dx, and with w'' = k Z3 / x^(3/2): moment and shear, for the four functions."""
            z = 2.0 * np.sqrt(k * x)
            signs = (-1.0, -1.0, 1.0, -1.0), (1.0, 1.0, 1.0, 1.0), (-1.0, -1.0, 1.0, -1.0)
            bessel = [[f(n, z) for f in (jv, yv, iv, kv)] for n in (1, 2, 3, 4)]
            w = np.array(bessel[0]) / np.sqrt(x)
            slope = np.array(signs[0]) * bessel[1] * np.sqrt(k) / x
            moment = np.array(signs[1]) * bessel[2] * k / x**1.5 * x**3
            change = k**1.5 * x * np.array(bessel[3]) * signs[2] + 3.0 * k * np.sqrt(x) * np.array(bessel[2])
            return np.array([w, slope, moment, change])

        matrix = np.concatenate([rows(thick)[:2], rows(thin)[2:]])
        matrix = matrix / np.abs(matrix).max(axis=0)
        return float(np.linalg.det(matrix / np.abs(matrix).max(axis=1, keepdims=True)))

    assert exact_hz(bare, 3, False) == pytest.approx(roots(determinant, 3), rel=1e-6)


SENSIBLE = {
    "fd": {"resolution": 80}, "fem": {"order": 2, "resolution": 12}, "segments": {"resolution": 40},
    "modes": {"resolution": 8}, "ancf": {"resolution": 8, "element": "cable"},
}  # fmt: skip


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("method", [*SENSIBLE, "ancf with shear"])
def test_every_method_is_within_a_tenth_of_a_per_cent(method, section):
    name, *sheared = method.split(" with ")
    options = {**SENSIBLE[name], **({"element": "shear", "resolution": 12} if sheared else {})}
    for links in (1,) if name == "fd" else (1, 2):
        assert off(section, links, name, **options).max() < 1e-3
    assert off(section, 1, name, "free", **options).max() < 1.1e-3


@pytest.mark.parametrize(("method", "finer", "most"), [
    ("fd", {"resolution": 320}, 3e-4), ("segments", {"resolution": 320}, 1e-3), ("fem", {}, 3e-4), ("modes", {}, 1e-4),
    ("ancf", {}, 2e-4),
])  # fmt: skip
def test_lumps_with_rotary_inertia_inside_a_link(method, finer, most):
    """The curvature jumps at them: elements have nodes there, and the shapes of `modes` know them."""
    lump = {"at": 0.53, "mass": 0.8, "inertia": 2e-3}
    link = {"name": "last", "length": 0.9, "section": flat(0.008), "material": METAL, "masses": [lump]}
    loaded = fa.Arm.model_validate({"links": [link], "payload": LOAD})
    found = fa.frequencies(loaded, method, n=3, options={**SENSIBLE[method], **finer}).hz
    assert found == pytest.approx(exact_hz(loaded, 3, method == "fem"), rel=most)


ORDERS = [
    ("fem", {"order": 1}, (16, 32), 4.0),
    ("fem", {"order": 2}, (8, 16), 16.0),
    ("fem", {"order": 3}, (4, 8), 64.0),
    ("ancf", {"element": "cable"}, (6, 12), 16.0),
]


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(("method", "options", "counts", "ratio"), ORDERS)
def test_elements_converge_with_their_order(method, options, counts, ratio, section):
    """Doubling the mesh divides the largest error by the power of its order."""
    for links in (1, 2):
        few, many = (off(section, links, method, resolution=n, **options).max() for n in counts)
        assert np.log2(few / many) > np.log2(ratio) - 0.8


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("method", ["fd", "segments"])
def test_lumped_methods_converge_with_the_square_of_the_mesh(method, section):
    """Over a step the error wavers with its place in a cell, so it is judged over many refinements."""
    few, many = (off(section, 1, method, resolution=n).max() for n in (24, 192))
    assert few / many > 32.0
