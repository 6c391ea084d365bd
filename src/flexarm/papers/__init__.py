"""The publications behind the methods: what they claim, what comes out, and their tables and figures drawn anew.

One folder per document, found by name and imported when it is asked for:

    from flexarm.papers import evaluate, get_paper
    report = evaluate(get_paper("tokhi-azad"))
    print(report.to_markdown())
"""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.papers.checks import Check
    from flexarm.papers.claims import Claim, Verdict
    from flexarm.papers.drawing import draw_figures
    from flexarm.papers.paper import Drawing, Paper, Table
    from flexarm.papers.report import Report, evaluate

_PAPERS = {
    "tokhi-azad": ("flexarm.papers.tokhi_azad", "TokhiAzad"),
    "naganathan": ("flexarm.papers.naganathan", "Naganathan"),
    "li-zhang": ("flexarm.papers.li_zhang", "LiZhang"),
    "lee-huggins-book": ("flexarm.papers.lee_huggins_book", "LeeHugginsBook"),
    "tian": ("flexarm.papers.tian", "Tian"),
}
"""Name of each paper, its folder and its class. A new paper is one folder, and one line here."""

_PLACES = {
    "Check": "checks",
    "Claim": "claims",
    "Drawing": "paper",
    "Paper": "paper",
    "Report": "report",
    "Table": "paper",
    "Verdict": "claims",
    "draw_figures": "drawing",
    "evaluate": "report",
}

__all__ = [
    "Check",
    "Claim",
    "Drawing",
    "Paper",
    "Report",
    "Table",
    "Verdict",
    "draw_figures",
    "evaluate",
    "get_paper",
    "paper_names",
]


def paper_names() -> tuple[str, ...]:
    """Names of the papers that this version can reproduce."""
    return tuple(_PAPERS)


def get_paper(name: str) -> Paper:
    """A fresh paper by name; nothing is computed before it is asked for.

    Raises
    ------
    FlexarmError
        If there is no such paper.
    """
    if name not in _PAPERS:
        near = get_close_matches(name, _PAPERS, 1)
        hint = f"did you mean '{near[0]}'? There are" if near else "there are"
        raise FlexarmError(f"there is no paper '{name[:40]}'; {hint} {', '.join(_PAPERS)}")
    module, kind = _PAPERS[name]
    return getattr(importlib.import_module(module), kind)()


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        value = getattr(importlib.import_module(f"flexarm.papers.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'flexarm.papers' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
