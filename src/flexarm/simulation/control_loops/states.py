"""Linear models with further coordinates that have no mass: integrals of errors, states of actuators, pressures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.methods.base import LinearModel


def with_states(
    model: LinearModel, matrices: tuple[np.ndarray, np.ndarray, np.ndarray], names: tuple[str, ...]
) -> LinearModel:
    """The model with M, C, K that are larger by the states called `names`; inputs, outputs and shapes do not reach them."""
    M, C, K = matrices
    n = len(names)
    elastic = np.pad(model.elastic, ((0, 0), (0, n), (0, n))) if model.elastic.size else model.elastic
    return replace(
        model, M=M, C=C, K=K, B=np.pad(model.B, ((0, n), (0, 0))), find_outputs=lambda: np.pad(model.outputs, ((0, 0), (0, n))),
        sensed=np.pad(model.sensed, ((0, 0), (0, n))), coordinates=model.coordinates + names,
        find_shapes=lambda: np.pad(model.shapes, ((0, n), (0, 0), (0, 0), (0, 0))), elastic=elastic,
    )  # fmt: skip
