"""`feedforward: tip`: the drives of a scenario with torques and joint motions that lead its tip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.interpolate import make_interp_spline

from flexarm.control.inversion import inverse
from flexarm.drive import PieceSignal, Program
from flexarm.drive.piecewise import Row
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.scenario import Scenario
from flexarm.simulation.feedforward import held_back, with_efforts


def tip_torques(scenario: Scenario, program: Program) -> Program:
    """The program with the commands and torques that lead the tip along the path (or, of a single link, through its commanded angle)."""
    number = next(k for k, drive in enumerate(scenario.drive) if drive.feedforward == "tip")
    field = f"drive.{number}.feedforward"
    weighs = any(scenario.arm.gravity) and (scenario.arm.spatial or any(scenario.arm.gravity[:2]))
    if weighs and scenario.time.start != "equilibrium":
        raise ScenarioError(
            "in gravity the tip is led from equilibrium to equilibrium: say time.start: equilibrium", field="time.start"
        )
    wanted = program.path if program.path is not None else program.lines[0].position
    try:
        made = inverse(scenario, wanted, verify=weighs or len(scenario.arm.joints) > 1)
    except FlexarmError as error:
        raise ScenarioError(error.message, field=field) from None
    begin, late = program.span[0], max(held_back(program, name) for name in made.joints)
    if begin < made.pre + late:
        raise ScenarioError(
            f"the torques begin {made.pre:.4g} s before the tip moves, but it moves after {begin:g} s: let it wait, "
            f"start: {made.pre + late:.3g} s or more",
            field=field,
        )
    times = made.time + begin
    motions = {name: _spline(times, made.position[:, k], 3) for k, name in enumerate(made.joints)}
    lines = tuple(replace(line, position=motions.get(line.name, line.position)) for line in program.lines)
    left = [] if np.isnan(made.tip_error) else [
        f"feedforward: tip leaves a tip error of {1e3 * made.tip_error:.3g} mm in a run with a weak joint law, the torques of the stiff arm "
        f"{1e3 * made.stiff_tip_error:.3g} mm"
    ]  # fmt: skip
    added = {
        name: _spline(times - held_back(program, name), made.torque[:, k], 1) for k, name in enumerate(made.joints)
    }
    return with_efforts(replace(program, lines=lines), added, [*made.notes, *left])


def _spline(times: np.ndarray, values: np.ndarray, orders: int) -> PieceSignal:
    """A cubic spline through samples that begins and ends at rest, with what it begins and ends with before and after."""
    pieces = make_interp_spline(times, values, k=3, bc_type="clamped")
    slopes = [pieces.derivative(k)(times[:-1]) / (1.0, 1.0, 2.0, 6.0)[k] for k in range(4)]
    rows = [
        Row(t, row, smooth=k > 0)
        for k, (t, row) in enumerate(zip(times[:-1].tolist(), np.stack(slopes, axis=1).tolist(), strict=True))
    ]
    first = [Row(0.0, (float(values[0]),))] if times[0] > 0.0 else []
    whole = [*first, *rows, Row(float(times[-1]), (float(values[-1]),), smooth=True)]
    return PieceSignal(
        whole, initial=float(values[0]) if orders == 3 else 0.0, orders=orders, finest=float(times[1] - times[0])
    )
