"""One paper for all tests: its runs are made once."""

from __future__ import annotations

import pytest

from flexarm.papers import Report, evaluate, get_paper
from flexarm.papers.tokhi_azad import TokhiAzad


@pytest.fixture(scope="session")
def paper() -> TokhiAzad:
    return get_paper("tokhi-azad")


@pytest.fixture(scope="session")
def report(paper: TokhiAzad) -> Report:
    return evaluate(paper)
