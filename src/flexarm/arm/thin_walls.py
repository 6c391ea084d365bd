"""Sections of thin walls: shear coefficients and torsion constants. Sizes b, h are those between the middle lines of the walls.

A shear force V makes a flow q = V Q / I along the walls, Q being the first moment of what lies beyond. Its energy gives
the shear coefficient k = I^2 / (A * integral of Q^2 / t ds), which is Cowper's for nu = 0. Cowper's formulas with nu: G. R. Cowper, The
shear coefficient in Timoshenko's beam theory, Journal of Applied Mechanics 33 (1966), 335-340. Torsion: a closed wall after Bredt,
J = 4 A_m^2 / (integral of ds / t); an open one J = sum of b t^3 / 3 without the stiffness of hindered warping.
"""

from __future__ import annotations

from typing import Any


def _cowper(nu: float, m: Any, spread: Any) -> Any:
    """Cowper's form for a web with flanges of m times its area; `spread` is the part of the flow along the flanges."""
    web = 12.0 + 72.0 * m + 150.0 * m**2 + 90.0 * m**3 + nu * (11.0 + 66.0 * m + 135.0 * m**2 + 90.0 * m**3)
    return 10.0 * (1.0 + nu) * (1.0 + 3.0 * m) ** 2 / (web + spread)


def cowper_box(nu: float, b: Any, h: Any, flange: Any, web: Any) -> Any:
    """Shear coefficient along h of a box; `flange` and `web` are thicknesses of the walls across and along h."""
    m, n = b * flange / (h * web), b / h
    return _cowper(nu, m, 10.0 * n**2 * ((3.0 + nu) * m + 3.0 * m**2))


def cowper_i(nu: float, b: Any, h: Any, flange: Any, web: Any) -> Any:
    """Shear coefficient along the web of an I section."""
    m, n = 2.0 * b * flange / (h * web), b / h
    return _cowper(nu, m, 30.0 * n**2 * (m + m**2) + 5.0 * nu * n**2 * (8.0 * m + 9.0 * m**2))


def flow_c(b: Any, h: Any, flange: Any, web: Any) -> Any:
    """Shear coefficient along the web of a C section (flow through the shear centre, so that nothing twists)."""
    area, inertia = 2.0 * b * flange + h * web, web * h**3 / 12.0 + flange * b * h**2 / 2.0
    half, begin, bulge = h / 2.0, flange * b * h / 2.0, web / 2.0  # Q = begin + bulge (half^2 - y^2) in the web
    in_web = 2.0 / web * (
        begin**2 * half + 4.0 / 3.0 * begin * bulge * half**3 + 8.0 / 15.0 * bulge**2 * half**5
    )  # fmt: skip
    return inertia**2 / (area * (flange * h**2 * b**3 / 6.0 + in_web))


def flow_c_across(b: Any, h: Any, flange: Any, web: Any) -> Any:
    """Shear coefficient of a C section across its web, along the flanges."""
    area = 2.0 * b * flange + h * web
    centre = flange * b**2 / area  # from the web
    inertia, beyond = 2.0 / 3.0 * flange * b**3 - area * centre**2, b - centre
    in_flanges = 2.0 * flange * (beyond**2 * b**3 / 3.0 - beyond * b**4 / 4.0 + b**5 / 20.0)
    return inertia**2 / (area * (in_flanges + web * centre**2 * h**3 / 12.0))


def bredt_box(b: Any, h: Any, flange: Any, web: Any) -> Any:
    """Torsion constant of a box."""
    return 2.0 * (b * h) ** 2 / (b / flange + h / web)
