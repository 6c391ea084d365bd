"""Which command tells parameters best: rankings that mechanics knows, and deviations that a fit confirms."""

from __future__ import annotations

import numpy as np
import pytest
from test_fit import made_log, small_rig

import flexarm as fa

E, MASS = "arm.links.link.material.E", "arm.payload.mass"


def test_deviations_are_those_that_a_fit_of_such_a_log_has():
    log = made_log(small_rig(), 1e-2)
    sigma = {"strain:root": 1e-2 * float(np.std(log.values))}
    found = fa.fit(small_rig(), {"strain:root": log}, [E, MASS], sigma=sigma)
    told = fa.propose_experiment(small_rig(), [E, MASS], [{}], sigma, interval=2e-3)
    np.testing.assert_allclose(told.relative_sd[0], found.sd / found.values, rtol=0.05)


def test_twice_the_torque_halves_the_deviations_of_a_linear_arm_unless_a_limit_forbids_it():
    commands = {"drive.link.torque.amplitude": [0.05, 0.1, 0.2]}
    sigma, limits = {"strain:root": 1e-7}, {"drive_torque:link": 0.15}
    free = fa.propose_experiment(small_rig(), [MASS], commands, sigma)
    assert [change["drive.link.torque.amplitude"] for change in free.changes] == [0.2, 0.1, 0.05]
    np.testing.assert_allclose(
        free.relative_sd[1:, 0], [2 * free.relative_sd[0, 0], 4 * free.relative_sd[0, 0]], rtol=1e-6
    )
    held = fa.propose_experiment(small_rig(), [MASS], commands, sigma, limits=limits)
    assert held.scenario.drive[0].torque[0].amplitude == 0.1 and len(held.refused) == 1
    assert "more than its limit" in held.refused[0][1] and "refused" in repr(held)


def test_bad_input_gets_a_sentence():
    for change, words in (
        ({"sigma": {}}, "name the signals that are logged"),
        ({"commands": []}, "none of the commands can be used"),
        ({"parameters": ["lag"]}, "at least one number of the scenario"),
        ({"interval": 0.9}, "time between two samples"),
    ):
        given = {"parameters": [MASS], "commands": [{}], "sigma": {"strain:root": 1e-7}, **change}
        with pytest.raises(fa.FlexarmError, match=words):
            fa.propose_experiment(small_rig(), **given)
