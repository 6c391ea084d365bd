"""One paper for all tests: its runs are made once."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait for a busy core cost more than they give here

import pytest

from flexarm.papers import Report, evaluate, get_paper
from flexarm.papers.tokhi_azad import TokhiAzad


@pytest.fixture(scope="session")
def paper() -> TokhiAzad:
    return get_paper("tokhi-azad")


@pytest.fixture(scope="session")
def report(paper: TokhiAzad) -> Report:
    return evaluate(paper)
