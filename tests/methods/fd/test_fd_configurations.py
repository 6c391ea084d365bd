"""Everything that `fd` can do, by every scheme that can do it: the schemes agree and energy is accounted for."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from fd_configurations import CONFIGURATIONS

import flexarm as fa
from flexarm.errors import CapabilityError
from single_link import LENGTH, SCHEMES, balance, make

H = 1e-4
IMPOSSIBLE = {
    ("exact", "flexible joint, torque"), ("exact", "flexible joint, torque, no hub"),
    ("exact", "flexible joint, motion, damper, rotor"), ("exact", "flexible joint, free"),
    ("exact", "flexible joint, paper"), ("exact", "damped, gravity"), ("exact", "damped, flexible joint"),
    ("exact", "law, no hub"), ("exact", "law, flexible joint, motor"), ("exact", "friction, no hub"),
    ("leapfrog", "flexible joint, torque, no hub"), ("leapfrog", "flexible joint, motion, no hub"),
    ("leapfrog", "law, no hub"),
    ("leapfrog", "friction, no hub"),
}  # fmt: skip
"""A joint damper couples the modes; leapfrog needs a mass on every coordinate and none between them."""
LAGGING = ("damp", "flexible joint", "friction")
"""Damping lags by half a step in leapfrog, so it is of first order there; friction is not smooth."""


@functools.cache
def run(name: str, scheme: str, h: float):
    return fa.simulate(make(scheme=scheme, step=h, end=0.2, every=0.01, resolution=10, **CONFIGURATIONS[name]))


def signals(name: str, scheme: str, h: float) -> np.ndarray:
    """Tip, hub and motor as displacements at the tip, m."""
    data = run(name, scheme, h).data
    angles = [LENGTH * data[key].values[:, 0] for key in ("joint_position", "motor_position")]
    return np.column_stack([data["travel"].values, *angles])


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_schemes_agree_and_energy_is_accounted_for(name):
    possible = [s for s in SCHEMES if (s, name) not in IMPOSSIBLE]
    if "exact" in possible:
        reference = signals(name, "exact", H / 2)
    else:  # two steps of a second-order scheme, extrapolated
        reference = (4 * signals(name, "newmark", H / 2) - signals(name, "newmark", H)) / 3
    scale = np.abs(reference - reference[0]).max()
    assert scale > 1e-5
    for scheme in possible:
        coarse, fine = (np.abs(signals(name, scheme, h) - reference).max() / scale for h in (H, H / 2))
        slow = scheme == "leapfrog" and any(word in name for word in LAGGING)
        assert fine < (1e-3 if slow or "friction" in name else 2e-4)
        assert fine < max(coarse * (0.6 if slow else 0.4 if "friction" in name else 0.3), 1e-7)
        assert run(name, scheme, H / 2).success
        assert balance(run(name, scheme, H / 2)) < (1e-10 if scheme == "exact" else 2e-12)


@pytest.mark.parametrize(("scheme", "name"), sorted(IMPOSSIBLE))
def test_what_a_scheme_cannot_do_is_refused_with_those_that_can(scheme, name):
    with pytest.raises(CapabilityError, match=rf"scheme {scheme} is not possible here: .*possible: .*newmark"):
        run(name, scheme, H)


@pytest.mark.parametrize("name", [n for n in CONFIGURATIONS if "paper" not in n])
def test_every_configuration_runs_without_a_choice_of_step_and_scheme(name):
    found = fa.simulate(make(end=0.2, every=0.01, resolution=10, **CONFIGURATIONS[name]))
    best = "exact" if ("exact", name) not in IMPOSSIBLE else "newmark"
    reference = signals(name, best, H / 2)
    travel = found.data["travel"].values
    assert np.abs(travel - reference[:, 0]).max() < 2e-3 * np.abs(reference - reference[0]).max()
    assert balance(found) < 1e-4
