"""Sections with walls: moments by the polygon's corners, shear and torsion by finite elements over the section and by shear flow."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sparse
from pydantic import ValidationError
from scipy.sparse.linalg import spsolve

import flexarm as fa
from flexarm.arm import Profile, Section

b, h, f, w = 0.06, 0.1, 0.005, 0.005
SIZES = {"width": b, "height": h}
SECTIONS = {
    "box": {"shape": "box", **SIZES, "thickness": 0.005},
    "hollow-rectangle": {
        "shape": "hollow-rectangle",
        **SIZES,
        "inner_width": b - 2 * 0.004,
        "inner_height": h - 2 * 0.006,
    },
    "I": {"shape": "I", **SIZES, "flange": 0.007, "web": 0.004},
    "C": {"shape": "C", **SIZES, "flange": 0.007, "web": 0.004},
}
WALLS = {"box": (0.005, 0.005), "hollow-rectangle": (0.006, 0.004), "I": (0.007, 0.004), "C": (0.007, 0.004)}


def corners(kind: str) -> list[np.ndarray]:
    """Outlines (z, y) with their own sense: the hole of a box runs the other way."""
    flange, web = WALLS[kind]
    if kind in ("box", "hollow-rectangle"):
        outer = np.array([(0, 0), (b, 0), (b, h), (0, h)])
        hole = np.array([(web, flange), (web, h - flange), (b - web, h - flange), (b - web, flange)])
        return [outer, hole]
    if kind == "C":
        return [
            np.array([(0, 0), (b, 0), (b, flange), (web, flange), (web, h - flange), (b, h - flange), (b, h), (0, h)])
        ]
    left, right = (b - web) / 2, (b + web) / 2
    lower = [(0, 0), (b, 0), (b, flange), (right, flange), (right, h - flange), (b, h - flange)]
    return [np.array([*lower, (b, h), (0, h), (0, h - flange), (left, h - flange), (left, flange), (0, flange)])]


@pytest.mark.parametrize("kind", SECTIONS)
def test_area_and_moments_are_those_of_the_outline(kind):
    """Green's theorem along the corners: area, centroid and second moments about it."""
    area = first_z = first_y = square_z = square_y = 0.0
    for line in corners(kind):
        (z0, y0), (z1, y1) = line.T, np.roll(line, -1, axis=0).T
        cross = z0 * y1 - z1 * y0
        area += cross.sum() / 2
        first_z, first_y = first_z + (cross * (z0 + z1)).sum() / 6, first_y + (cross * (y0 + y1)).sum() / 6
        square_z += (cross * (z0**2 + z0 * z1 + z1**2)).sum() / 12
        square_y += (cross * (y0**2 + y0 * y1 + y1**2)).sum() / 12
    z, y = first_z / area, first_y / area
    v = Profile(**SECTIONS[kind]).values(0.3)
    known = (area, square_y - area * y**2, square_z - area * z**2, h - y, b - z, z)
    assert (v.area, v.inertia, v.inertia_y, v.fibre, v.fibre_y, v.fibre_back) == pytest.approx(known, rel=1e-12)


CELLS = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
GAUSS = [(x, y) for x in (-(3**-0.5), 3**-0.5) for y in (-(3**-0.5), 3**-0.5)]


def cells(kind: str, thin: float, n: int) -> tuple[np.ndarray, float]:
    """Cells (along the height, along the width) of a section of height 1, width 0.6 and walls `thin`; their size."""
    wide, wall = round(0.6 * n), round(thin * n)
    there = np.zeros((n, wide), dtype=bool)
    there[:wall] = there[-wall:] = True
    if kind == "I":
        there[:, (wide - wall) // 2 : (wide - wall) // 2 + wall] = True
    else:
        there[:, :wall] = True
        there[:, -wall:] |= kind == "box"
    return there, 1.0 / n


def assembled(there: np.ndarray, size: float, load) -> tuple[np.ndarray, sparse.csr_matrix, np.ndarray]:
    """Corners of the cells, Laplace's matrix of bilinear cells, and the load vector of load(x, y, N, dN)."""
    i, j = np.nonzero(there)
    rows = there.shape[1] + 1
    nodes = np.stack([i * rows + j, (i + 1) * rows + j, (i + 1) * rows + j + 1, i * rows + j + 1], axis=1)
    stiffness, vector = np.zeros((4, 4)), np.zeros((len(i), 4))
    for a, c in GAUSS:
        N = np.array([(1 + p * a) * (1 + q * c) / 4 for p, q in CELLS])
        dN = np.array([[p * (1 + q * c) / 4, q * (1 + p * a) / 4] for p, q in CELLS]) * 2 / size
        stiffness += size**2 / 4 * dN @ dN.T
        vector += size**2 / 4 * load((i + 0.5 + a / 2) * size, (j + 0.5 + c / 2) * size, N, dN)
    count = (there.shape[0] + 1) * rows
    places = np.repeat(nodes, 4, axis=1).ravel(), np.tile(nodes, (1, 4)).ravel()
    matrix = sparse.coo_matrix((np.tile(stiffness.ravel(), len(i)), places), (count, count)).tocsr()
    return nodes, matrix, np.bincount(nodes.ravel(), vector.ravel(), count)


def cowper(there: np.ndarray, size: float, nu: float) -> float:
    """Cowper's coefficient by his flexure function chi: k = 2 (1 + nu) I / (nu/2 (I' - I) - A/I * integral of x (chi + x y^2))."""
    i, j = np.nonzero(there)
    x0, y0 = (i.mean() + 0.5) * size, (j.mean() + 0.5) * size
    square = np.zeros(2)

    def load(x, y, N, dN):
        x, y = x - x0, y - y0
        square[:] += size**2 / 4 * np.array([(x**2).sum(), (y**2).sum()])
        across, along = nu / 2 * x**2 + (1 - nu / 2) * y**2, (2 + nu) * x * y
        return -(across[:, None] * dN[:, 0] + along[:, None] * dN[:, 1] + (2 + 2 * nu) * x[:, None] * N)

    nodes, matrix, vector = assembled(there, size, load)
    used = np.unique(nodes)[1:]  # one value is free
    chi = np.zeros(len(vector))
    chi[used] = spsolve(matrix[used][:, used].tocsc(), vector[used])
    total = 0.0
    for a, c in GAUSS:
        N = np.array([(1 + p * a) * (1 + q * c) / 4 for p, q in CELLS])
        x, y = (i + 0.5 + a / 2) * size - x0, (j + 0.5 + c / 2) * size - y0
        total += size**2 / 4 * (x * (chi[nodes] @ N + x * y**2)).sum()
    own, other = square
    return 2 * (1 + nu) * own / (nu / 2 * (other - own) - len(i) * size**2 / own * total)


def profile(kind: str, thin: float) -> Profile:
    walls = {"thickness": thin} if kind == "box" else {"flange": thin, "web": thin}
    return Profile(shape=kind, width=0.6, height=1.0, **walls)


def test_the_elements_know_the_rectangle():
    assert cowper(np.ones((40, 20), dtype=bool), 1 / 40, 0.3) == pytest.approx(13 / 15.3, rel=1e-3)


@pytest.mark.parametrize("kind", ["box", "I", "C"])
def test_shear_coefficients_against_finite_elements_over_the_section(kind):
    """Formulas are for thin walls: they come close as the walls get thinner, and depend on nu as they should."""
    far, exact = {}, {}
    for thin, n in ((0.05, 80), (0.025, 160)):
        there, size = cells(kind, thin, n)
        v = profile(kind, thin).values(0.0)
        exact[thin] = cowper(there, size, 0.0)
        far[thin] = abs(v.shear_factor / exact[thin] - 1.0)
        assert v.shear_factor_z == pytest.approx(cowper(there.T, size, 0.0), rel=1.6 * thin)
    assert far[0.05] < 0.06 and far[0.025] < 0.6 * far[0.05]
    if kind != "C":
        there, size = cells(kind, 0.05, 80)
        share = profile(kind, 0.05).values(0.3).shear_factor / profile(kind, 0.05).values(0.0).shear_factor
        assert share == pytest.approx(cowper(there, size, 0.3) / exact[0.05], rel=2e-3)


def flow(walls: list[tuple[np.ndarray, float, list[int]]], axis: int) -> float:
    """k = I^2 / (A int Q^2/t ds) of walls given as (points, thickness, walls that flow into the first point)."""
    areas = [np.linalg.norm(np.diff(p, axis=0), axis=1) * t for p, t, _ in walls]
    middles = [0.5 * (p[1:] + p[:-1])[:, axis] for p, _, _ in walls]
    area = sum(a.sum() for a in areas)
    centre = sum((a * m).sum() for a, m in zip(areas, middles, strict=True)) / area
    inertia = sum((a * (m - centre) ** 2).sum() for a, m in zip(areas, middles, strict=True))
    ends, energy = [], 0.0
    for (_, thickness, before), a, m in zip(walls, areas, middles, strict=True):
        moments = a * (m - centre)
        Q = sum(ends[k] for k in before) + np.cumsum(moments) - moments / 2
        energy += (Q**2 * a).sum() / thickness**2
        ends.append(sum(ends[k] for k in before) + moments.sum())
    return inertia**2 / (area * energy)


def test_shear_coefficients_against_the_flow_along_the_walls():
    """Walls of middle lines, cut in a thousand pieces each; a box is cut where symmetry makes the flow vanish."""

    def line(*points):
        return np.concatenate(
            [np.linspace(p, q, 1000, endpoint=False) for p, q in itertools.pairwise(points)] + [np.array(points[-1:])]
        )

    flange, web = 0.007, 0.004
    H, B = h - flange, b
    c = b - web / 2
    i = [(line((-B / 2, H / 2), (0, H / 2)), flange, []), (line((B / 2, H / 2), (0, H / 2)), flange, []),
         (line((0, H / 2), (0, -H / 2)), web, [0, 1]), (line((0, -H / 2), (-B / 2, -H / 2)), 2 * flange, [2])]  # fmt: skip
    open_c = [(line((c, H / 2), (0, H / 2)), flange, []), (line((0, H / 2), (0, -H / 2)), web, [0]),
              (line((0, -H / 2), (c, -H / 2)), flange, [1])]  # fmt: skip
    v = Profile(**SECTIONS["C"]).values(0.0)
    assert (v.shear_factor, v.shear_factor_z) == pytest.approx((flow(open_c, 1), flow(open_c, 0)), rel=1e-4)
    # both lower half flanges carry half of what comes down the web: one of twice the thickness has their energy
    assert Profile(**SECTIONS["I"]).values(0.0).shear_factor == pytest.approx(flow(i, 1), rel=1e-4)
    t = 0.005
    B, H = b - t, h - t
    half = [(line((0, H / 2), (B / 2, H / 2), (B / 2, -H / 2), (0, -H / 2)), t, [])]
    assert Profile(**SECTIONS["box"]).values(0.0).shear_factor == pytest.approx(flow(half, 1), rel=1e-4)


@pytest.mark.parametrize("kind", ["box", "I", "C"])
def test_torsion_constants_against_prandtls_function(kind):
    """J is twice the integral of a function with laplacian -2 that vanishes outside and is constant over a hole."""
    thin, n = 0.05, 160
    there, size = cells(kind, thin, n)
    whole = np.ones_like(there) if kind == "box" else there
    _, matrix, vector = assembled(whole, size, lambda x, y, N, dN: 2.0 * np.ones((len(x), 1)) * N)
    grid = np.pad(whole, 1)
    inside = (grid[1:, 1:] & grid[:-1, 1:] & grid[1:, :-1] & grid[:-1, :-1]).ravel()
    owner = np.full(inside.size, -1)
    owner[inside] = np.arange(inside.sum())
    if kind == "box":
        hole = np.pad(~there, 1)
        touched = (hole[1:, 1:] | hole[:-1, 1:] | hole[1:, :-1] | hole[:-1, :-1]).ravel() & inside
        owner[touched] = owner[touched].min()
    free = np.flatnonzero(owner >= 0)
    numbers, column = np.unique(owner[free], return_inverse=True)
    tie = sparse.csr_matrix((np.ones(len(free)), (free, column)), (inside.size, len(numbers)))
    phi = tie @ spsolve((tie.T @ matrix @ tie).tocsc(), tie.T @ vector)
    assert profile(kind, thin).values(0.3).torsion == pytest.approx(float(vector @ phi), rel=0.05)


def test_thin_square_box_has_the_known_constants():
    """J = a^3 t after Bredt; Cowper's coefficient of the thin square box is 20 (1 + nu) / (48 + 39 nu)."""
    v = Profile(shape="box", width=0.1002, height=0.1002, thickness=0.0002).values(0.3)
    assert v.torsion == pytest.approx(1e-3 * 0.0002, rel=1e-9)
    assert (v.shear_factor, v.shear_factor_z) == pytest.approx((26 / 59.7, 26 / 59.7), rel=1e-9)


def test_a_box_is_the_hollow_rectangle_with_even_walls():
    hollow = Profile(shape="hollow-rectangle", **SIZES, inner_width=b - 0.01, inner_height=h - 0.01)
    assert hollow.values(0.3) == pytest.approx(Profile(**SECTIONS["box"]).values(0.3))


def test_walls_may_taper():
    ends = [{"at": 0.0, **SECTIONS["I"]}, {"at": 1.0, **SECTIONS["I"], "height": 0.05}]
    v = Section.model_validate(ends).values(0.3, [0.0, 0.5])
    middle = Profile(**{**SECTIONS["I"], "height": 0.075}).values(0.3)
    assert [each[1] for each in v] == pytest.approx(list(middle))


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"shape": "box", **SIZES}, "'box' also needs thickness"),
        ({"shape": "I", **SIZES, "thickness": 0.001}, "'I' also needs flange and web"),
        ({"shape": "box", **SIZES, "thickness": 0.02}, "the thickness of a box .* at most a quarter of its width"),
        ({**SECTIONS["hollow-rectangle"], "inner_height": 0.2}, "the wall of a hollow rectangle must be positive"),
        ({**SECTIONS["C"], "web": 0.03}, "the web of a C section .* torsion and shear_factor"),
        ({**SECTIONS["C"], "inertia": 1e-6}, "'C' does not take inertia"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(sizes, words):
    with pytest.raises(ValidationError, match=words):
        Profile(**sizes)


def test_thick_walls_with_stated_constants_are_taken():
    v = Profile(shape="box", **SIZES, thickness=0.02, torsion=2e-6, shear_factor=0.6).values(0.3)
    assert (v.torsion, v.shear_factor, v.shear_factor_z) == (2e-6, 0.6, 0.6)
    assert v.area == pytest.approx(b * h - 0.02 * 0.06)


@pytest.mark.parametrize("method", fa.method_names())
@pytest.mark.parametrize("kind", SECTIONS)
def test_every_method_bends_it(method, kind):
    """First frequency of the clamped slender link: 1.8751^2 sqrt(EI / (rho A)) / (2 pi L^2), with 1 % for shear."""
    link = {
        "name": "link",
        "length": 3.0,
        "section": SECTIONS[kind],
        "material": {"E": 70e9, "density": 2700, "nu": 0.3},
    }
    found = fa.frequencies(fa.Arm(links=[link]), n=1, method=method, joints="locked").hz[0]
    v = Profile(**SECTIONS[kind]).values(0.3)
    known = 1.87510407**2 * np.sqrt(70e9 * v.inertia / (2700 * v.area)) / (2 * np.pi * 9.0)
    assert found == pytest.approx(known, rel=0.012)


def test_in_space_each_plane_has_its_own_shear_and_the_shape_its_torsion():
    """A short I beam: F L^3/(3 E I) + F L/(k G A) in both planes after Timoshenko, and the twist T L/(G J)."""
    material, L = {"E": 70e9, "density": 2700, "nu": 0.3}, 0.4
    arm = fa.Arm(links=[{"name": "beam", "joint": {"dh": {"a": L}}, "section": SECTIONS["I"], "material": material}])
    v, G, F = Profile(**SECTIONS["I"]).values(0.3), 70e9 / 2.6, 100.0
    for axis, inertia, k in ((1, v.inertia, v.shear_factor), (2, v.inertia_y, v.shear_factor_z)):
        moved = fa.static(arm, loads=[{"force": list(F * np.eye(3)[axis])}], options={"resolution": 16})
        bending, shear = F * L**3 / (3 * 70e9 * inertia), F * L / (k * G * v.area)
        assert moved.tip_displacement[axis] == pytest.approx(bending + shear, rel=2e-3)
        assert shear > 1e-2 * bending, "else the coefficient would not be seen"
    twisted = fa.static(arm, loads=[{"moment": [10.0, 0.0, 0.0]}], options={"resolution": 4})
    assert twisted.tip_rotation[0] == pytest.approx(10.0 * L / (G * v.torsion), rel=1e-3)


def test_gauges_on_both_sides_of_a_c_section_feel_their_own_distance():
    """Under its weight sideways the beam has the root moment m g L/2: strain +c M/(E I) at the tips of the flanges, less at the back."""
    text = """
    name: beam
    arm: {gravity: [0, 0, -9.81], links: [{name: beam, joint: {dh: {a: 1 m}}, section: SECTION, material: aluminium}]}
    drive: [{joint: beam, motion: {profile: constant}}]
    method: {name: fem, resolution: 16}
    time: {end: 2 ms, step: 1 ms, start: equilibrium}
    output: {gauges: [{link: beam, at: 0.5, side: z, name: tips}, {link: beam, at: 0.5, side: -z, name: back}]}
    """
    section = ", ".join(f"{name}: {value}" for name, value in SECTIONS["C"].items())
    result = fa.simulate(fa.loads(text.replace("SECTION", f"{{{section}}}")))
    tips, back = result.data.strain.values[-1]
    v = Profile(**SECTIONS["C"]).values(0.33)
    moment = 2700 * v.area * 9.81 * 0.5**2 / 2  # of the outer half
    assert (abs(tips), abs(back)) == pytest.approx(
        (moment * v.fibre_y / (70e9 * v.inertia_y), moment * v.fibre_back / (70e9 * v.inertia_y)), rel=1e-2
    )
    assert tips / back == pytest.approx(-v.fibre_y / v.fibre_back, rel=1e-4)
