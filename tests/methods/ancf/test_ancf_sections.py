"""Soft arms of shear elements in equilibrium: no section collapses on the way."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa

SOFT = json.loads((Path(__file__).parent / "soft_section.json").read_text())


@pytest.mark.parametrize("elements", [8, 12, 16])
def test_frequencies_are_those_of_fem(elements):
    """32 elements of fem: 0.5644, 2.897, 4.305 Hz."""
    found = fa.frequencies(
        fa.loads(json.dumps({**SOFT, "method": {"name": "ancf", "resolution": elements, "element": "shear"}})), n=3
    )
    assert found.hz == pytest.approx(np.array([0.5644, 2.897, 4.305]), rel=2e-3)
