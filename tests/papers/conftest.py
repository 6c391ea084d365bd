"""One paper for all tests: its runs are made once."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait for a busy core cost more than they give here

import pytest

from flexarm.papers import Report, evaluate, get_paper, paper_names
from flexarm.papers.tokhi_azad import TokhiAzad

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def paper() -> TokhiAzad:
    return get_paper("tokhi-azad")


@pytest.fixture(scope="session")
def report(paper: TokhiAzad) -> Report:
    return evaluate(paper)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one paper share its runs, so they belong into one process. (First, because xdist reads the groups here.)"""
    for item in items:
        if item.path.parent == HERE:
            name = next((name for name in paper_names() if name.replace("-", "_") in item.path.name), "tokhi-azad")
            item.add_marker(pytest.mark.xdist_group(name))
