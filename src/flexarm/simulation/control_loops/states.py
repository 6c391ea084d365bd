"""Linear models with further coordinates that have no mass: integrals of errors, states of actuators, pressures."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexarm.methods.base import LinearModel
from flexarm.methods.output_rows import OutputRows


class Torque(NamedTuple):
    """Torque of a motor per unit of each coordinate and of its rate, (coordinates,) each, and of the command."""

    position: np.ndarray
    rate: np.ndarray
    command: float


def with_states(
    model: LinearModel,
    matrices: tuple[np.ndarray, np.ndarray, np.ndarray],
    names: tuple[str, ...],
    k: int,
    torque: Torque,
) -> LinearModel:
    """The model with M, C, K that are larger by the states called `names`; shapes do not reach them, readings of the k-th motor's
    torque do: it is no longer an input."""
    M, C, K = matrices
    n = len(names)

    def rows() -> OutputRows:
        old = model.rows.of(np.eye(len(model.M), len(M)))
        by, column = old.torque.copy(), old.torque[:, k]
        by[:, k] *= torque.command
        return OutputRows(
            old.position + np.outer(column, torque.position),
            old.rate + np.outer(column, torque.rate),
            old.acceleration,
            by,
        )

    elastic = np.pad(model.elastic, ((0, 0), (0, n), (0, n))) if model.elastic.size else model.elastic
    return replace(
        model, M=M, C=C, K=K, B=np.pad(model.B, ((0, n), (0, 0))), find_rows=rows,
        sensed=np.pad(model.sensed, ((0, 0), (0, n))), coordinates=model.coordinates + names,
        find_shapes=lambda: np.pad(model.shapes, ((0, n), (0, 0), (0, 0), (0, 0))), elastic=elastic,
    )  # fmt: skip
