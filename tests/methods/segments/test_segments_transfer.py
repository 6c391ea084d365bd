"""Transfer matrices as objects: they are those of the step, and obey the laws of mechanics."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import single

import flexarm as fa
from flexarm.methods.segments import elements, paper, transfer
from flexarm.simulation.build import prepare

STEP = transfer.Step(2e-3, 0.7, 0.8)


def test_reached_without_further_import():
    assert fa.methods.segments.transfer is transfer


def test_a_rigid_body_balances():
    """Newton and Euler hold between the ends of a body, with the accelerations of Newmark's rule."""
    motion = transfer.Motion((0.1, -0.2, 0.4), (0.3, 0.2, 1.0), (1.0, -2.0, 3.0), (0.5, 0.7))
    U = transfer.rigid_body(STEP, 0.3, 2e-4, 0.2, (0.08, 0.01), motion, (0.2, -0.4), arms="frozen")
    z = np.array([0.1006, -0.1996, 0.402, 0.3, 0.6, -0.4, 1.0])
    out = U @ z
    c, s = np.cos(0.4), np.sin(0.4)
    XC, YC = 0.08 * c - 0.01 * s, 0.08 * s + 0.01 * c
    turn, ax, ay = (
        STEP.A * z[k] + STEP.history(p, v, a)[0]
        for k, (p, v, a) in ((2, (0.4, 1.0, 3.0)), (0, (0.1, 0.3, 1.0)), (1, (-0.2, 0.2, -2.0)))
    )
    J = 2e-4 + 0.3 * (0.08**2 + 0.01**2)
    moment = z[3] + J * turn + 0.3 * (XC * ay - YC * ax) + 0.2 * c * out[5] - 0.2 * s * out[4] - XC * -0.4 + YC * 0.2
    assert out[3] == pytest.approx(moment, rel=1e-12)
    assert out[:2] == pytest.approx(z[:2] + 0.2 * np.array([np.cos(0.402), np.sin(0.402)]), abs=1e-6)


def test_names_products_and_print():
    pair = transfer.spring(50.0) @ transfer.active_joint(0.3)
    assert np.array_equal(pair.array, transfer.flexible_joint(0.3, 50.0).array) and pair.name == "spring * joint"
    shown = str(pair)
    assert "theta" in shown and "0.02" in shown and len(shown.splitlines()) == 9
    mass = transfer.point_mass(STEP, 0.4)
    assert mass.array[4, 0] == pytest.approx(-0.4 * STEP.A) and mass.array[3, 2] == 0.0
    load = transfer.payload(STEP, 0.4, 1e-3)
    assert load.array[3, 2] == pytest.approx(1e-3 * STEP.A) and np.array(load).shape == (7, 7)
    damped = transfer.spring(50.0, damping=0.1, step=STEP, drift=2.0)
    assert damped.array[2, 3] == pytest.approx(1.0 / (50.0 + 0.1 * STEP.C)) and damped.array[2, 6] < 0.0


def test_wrong_input_is_refused():
    for wrong in (
        lambda: transfer.Step(0.0), lambda: transfer.Step(1e-3, 0.2, 0.6), lambda: transfer.spring(0.0),
        lambda: transfer.spring(1.0, damping=1.0),
        lambda: transfer.solve([transfer.spring(1.0)], "other"),
    ):  # fmt: skip
        with pytest.raises(fa.FlexarmError):
            wrong()


def test_objects_are_the_matrices_of_the_step():
    """First step of the paper's scheme by hand: matrices from objects, multiplied, give its angles."""
    setup = prepare(single(variant="paper", ends="root", end=0.5, resolution=6))
    model, table = setup.model, setup.program.table(2e-3 * np.arange(2), 1e-3)
    state = model.restart(model.start([0.0], [0.0], table[0]), table[0])
    model.prepare(2e-3)
    alpha = state.x[model.layout["alpha"]].copy()
    chain, place, ay = [], 0.0, 0.0
    history = state.x[model.layout["history"]].reshape(-1, paper.H_SIZE)
    for b, row in enumerate(model.chain.body):
        link = transfer.active_joint(table[1, 0, 0]) if b == 0 else transfer.spring(row[6])
        motion = transfer.Motion((place, 0.0, 0.0), (0.0,) * 3, (0.0, ay, alpha[b]), tuple(history[b, 12:14]))
        chain += [link, transfer.rigid_body(transfer.Step(2e-3), row[0], row[1], row[4], (row[2], row[3]), motion)]
        place, ay = place + row[4], ay + alpha[b] * row[4]
    states = transfer.solve(chain)
    new = state.copy()
    model._run(new, table, np.zeros((0, 0)), 0, 0)
    assert states[2::2, 2] == pytest.approx(new.x[model.layout["theta"]], rel=1e-9, abs=1e-15)
    product = chain[0]
    for element in chain[1:]:
        product = element @ product
    assert product.array @ states[0] == pytest.approx(states[-1], abs=1e-9 * np.abs(states).max())


def test_expansion_errs_with_the_cube_of_the_step():
    def error(h):
        angle = 0.4 + 3.0 * h + 2.5 * h * h
        return abs(elements.expand(0.4, 3.0, h)[0] - np.sin(0.4) * angle - np.cos(angle))

    assert error(2e-3) / error(1e-3) == pytest.approx(8.0, rel=0.02)
