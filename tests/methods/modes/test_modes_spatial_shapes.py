"""Shapes as strain fields: places and turns against the exact beam, stiffness against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from flexarm.arm import Link
from flexarm.methods.modes.spatial.strain_fields import Counts, StrainFields
from flexarm.rigid.beam import legs

UNIFORM = {"shape": "rectangle", "width": 0.03, "height": 0.006}
TAPER = [
    {"at": 0.0, "shape": "rectangle", "width": 0.03, "height": 0.012},
    {"at": 1.0, "shape": "rectangle", "width": 0.02, "height": 0.006},
]


def fields_of(section, counts, second_order=True, lumps=()):
    link = Link(name="beam", section=section, material="steel", joint={"dh": {"a": 0.8}})
    return link, StrainFields(link, legs(link, True)[0], counts, second_order, lumps)


def exact(fields, q, kink):
    """Place and rotation of the tip of the exact beam with the strains of q."""

    def rates(x, y):
        strain = fields.strains([x])[0] @ q
        a, b, c = strain[3:]
        turned = y[3:].reshape(3, 3)
        spin = np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])
        return np.concatenate([turned @ (np.array([1.0, 0.0, 0.0]) + strain[:3]), (turned @ spin).ravel()])

    y = np.concatenate([np.zeros(3), Rotation.from_rotvec(fields.start @ q).as_matrix().ravel()])
    for a, b in ((0.0, kink - 1e-12), (kink + 1e-12, fields.length)):
        y = solve_ivp(rates, (a, b), y, rtol=1e-11, atol=1e-13, method="DOP853").y[:, -1]
    return y[:3], y[3:].reshape(3, 3)


@pytest.mark.parametrize("section", [UNIFORM, TAPER])
def test_second_order_leaves_an_error_of_third(section):
    _, fields = fields_of(section, Counts(2, 1, 1), lumps=(0.3,))
    way = np.random.default_rng(0).normal(size=fields.count) * np.repeat([0.05, 0.02], [2 * fields.bending, 2])
    (tip,) = fields.sections([fields.length])
    errors = []
    for share in (1.0, 0.5):
        q = share * way
        place, turned = exact(fields, q, 0.3)
        found = np.array([tip.x, 0.0, 0.0]) + tip.s @ q + 0.5 * np.einsum("ijk,j,k", tip.b, q, q)
        turn = tip.theta @ q + 0.5 * np.einsum("ijk,j,k", tip.Psi, q, q)
        errors.append([np.abs(found - place).max(), np.abs(Rotation.from_rotvec(turn).as_matrix() - turned).max()])
    orders = np.log2(np.array(errors[0]) / errors[1])
    assert np.all(orders > 2.85) and np.all(orders < 3.3)


def test_flexibility_of_the_tip_of_a_taper():
    """Two bending shapes per plane, one of torsion and one axial hold every load on the tip."""
    link, fields = fields_of(TAPER, Counts(2, 1, 1), second_order=False)
    (tip,) = fields.sections([fields.length])
    flexibility = tip.s @ np.linalg.solve(fields.stiffness(), tip.s.T)
    x = (np.arange(20000) + 0.5) / 20000.0
    found, arm = link.properties(x), 0.8 * (1.0 - x)
    expected = [
        0.8 * np.mean(1.0 / found["EA"]), 0.8 * np.mean(arm**2 / found["EI"] + 1.0 / found["GA"]),
        0.8 * np.mean(arm**2 / found["EI_y"] + 1.0 / found["GA_z"]),
    ]  # fmt: skip
    assert np.diag(flexibility) == pytest.approx(expected, rel=1e-7)
    twist = tip.theta @ np.linalg.solve(fields.stiffness(), tip.theta.T)
    assert twist[0, 0] == pytest.approx(0.8 * np.mean(1.0 / found["GJ"]), rel=1e-7)


def test_shapes_are_counted_from_the_line_between_the_ends():
    _, fields = fields_of(UNIFORM, Counts(4, 2, 1))
    (tip,) = fields.sections([fields.length])
    assert np.abs(tip.s[1:]).max() < 1e-14 and np.abs(tip.s[0, -1]) > 0.5
