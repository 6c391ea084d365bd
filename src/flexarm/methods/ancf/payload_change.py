"""A new payload on the way: the same mesh, another mass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import Payload
from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.body_matrices import mass_at
from flexarm.methods.ancf.linear import free_places, position_map
from flexarm.methods.base import State

if TYPE_CHECKING:
    from flexarm.methods.ancf.model import AncfModel


def change_payload(model: AncfModel, state: State, payload: Payload, rule: str) -> tuple[AncfModel, State]:
    """The model with the new payload, and the state just after; at-rest conserves momentum, else velocities stay."""
    after, new = model.with_payload(payload), state.copy()
    s = after.view(new)
    s.sums[at.TANGENT_STEP] = 0.0
    if rule == "at-rest":
        T = position_map(after, new, after.row_of(new))
        now, before = mass_at(after, s.q), mass_at(model, s.q)
        step = np.linalg.solve(T.T @ now @ T, T.T @ ((before - now) @ s.v))
        s.v[:] += T @ step
        s.sums[at.EXCITED] = 1.0
        free = dict(zip(free_places(after).tolist(), step, strict=True))
        for i in np.flatnonzero(after.parts.prescribed):
            s.stretch[1, i] += free[int(after.parts.first[i])]
    model._account_change(after, state, new, rule)
    return after, new
