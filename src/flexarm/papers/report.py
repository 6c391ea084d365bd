"""`evaluate`: everything that a paper offers, worked out, as one report for people and for scripts."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flexarm as fa

if TYPE_CHECKING:
    from flexarm.papers.checks import Check
    from flexarm.papers.claims import Claim
    from flexarm.papers.paper import Paper, Table


@dataclass(frozen=True)
class Report:
    """Claims with their verdicts, checks, and tables of one paper.

    Attributes
    ----------
    paper : Paper
        The document.
    claims, checks, tables : tuple
        All worked out.
    left_out : tuple of str
        What a quick evaluation does not work out.
    complete : bool
        False if it was broken off; then there is what had been worked out until then.
    """

    paper: Paper
    claims: tuple[Claim, ...]
    checks: tuple[Check, ...]
    tables: tuple[Table, ...]
    left_out: tuple[str, ...] = ()
    complete: bool = True

    @property
    def failed(self) -> tuple[Check, ...]:
        """Checks that do not agree with their reference."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def ok(self) -> bool:
        """True if every check passes. Verdicts judge the document, not the program, so they do not enter."""
        return not self.failed

    @property
    def verdicts(self) -> dict[str, int]:
        """How many claims have which verdict."""
        return dict(Counter(claim.verdict.value for claim in self.claims))

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, texts and finite numbers; what is not finite becomes a text, because JSON has none."""
        paper = self.paper
        whole = {
            "paper": {
                "id": paper.id,
                "title": paper.title,
                "authors": list(paper.authors),
                "year": paper.year,
                "source": paper.source,
            },
            "version": fa.__version__,
            "ok": self.ok,
            "complete": self.complete,
            "left_out": list(self.left_out),
            "checked_numbers": sum(len(check.reference) for check in self.checks),
            "verdicts": self.verdicts,
            "claims": [_claim(claim) for claim in self.claims],
            "checks": [_check(check) for check in self.checks],
            "tables": [
                {
                    "name": t.name,
                    "title": t.title,
                    "note": t.note,
                    "columns": list(t.columns),
                    "rows": list(t.rows),
                }
                for t in self.tables
            ],
        }
        return _finite(whole)

    def to_json(self) -> str:
        """The report as JSON."""
        return json.dumps(self.to_dict(), indent=1, allow_nan=False, ensure_ascii=False)

    def to_markdown(self) -> str:
        """The report for reading."""
        from flexarm.papers.markdown import write

        return write(self)


def evaluate(
    paper: Paper,
    progress: Callable[[int, int, str], Any] | None = None,
    cancel: Callable[[], bool] | None = None,
    quick: bool = False,
) -> Report:
    """Work out all claims, checks and tables of a paper.

    Parameters
    ----------
    paper : Paper
        From `get_paper`.
    progress : callable, optional
        Called with (done, all, what) after each piece.
    cancel : callable, optional
        Asked before each piece; once it returns True the report holds what is done, and is not complete.
    quick : bool
        Leave out what the paper names as slow.

    Examples
    --------
    ``evaluate(get_paper("tokhi-azad"), progress=lambda done, total, what: print(done, total, what))``
    """
    slow = slow_parts(paper) if quick else frozenset()
    claims = [claim for claim in paper.claims() if claim.id not in slow]
    checks = [check for check in paper.checks() if check.group not in slow]
    tables = [table for table in paper.tables() if table.name not in slow]
    todo: list[tuple[Any, Callable[[Any], str]]] = [
        *((claim, _evaluate_claim) for claim in claims),
        *((check, _evaluate_check) for check in checks),
        *((table, _evaluate_table) for table in tables),
    ]
    done: list[Any] = []
    for item, work_out in todo:
        if cancel is not None and cancel():
            break
        what = work_out(item)
        done.append(item)
        if progress is not None:
            progress(len(done), len(todo), what)
    n, m = len(claims), len(claims) + len(checks)
    parts = tuple(done[:n]), tuple(done[n:m]), tuple(done[m:])
    return Report(paper, *parts, left_out=tuple(sorted(slow)), complete=len(done) == len(todo))


def slow_parts(paper: Paper) -> frozenset[str]:
    """Names of claims, groups of checks, tables and figures that a quick evaluation leaves out."""
    return frozenset(getattr(paper, "slow", ()))


def _evaluate_claim(claim: Claim) -> str:
    return f"{claim.id}: {claim.verdict.value}; {claim.reason}"


def _evaluate_check(check: Check) -> str:
    return f"{check.name}: {'passed' if check.passed else 'failed'}"


def _evaluate_table(table: Table) -> str:
    return f"{table.title}: {len(table.rows)} rows"


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "where": claim.where,
        "text": claim.text,
        "published": list(claim.published),
        "computed": list(claim.computed),
        "labels": list(claim.labels),
        "units": claim.units,
        "tolerance": {"relative": claim.tolerance.relative, "absolute": claim.tolerance.absolute},
        "verdict": claim.verdict.value,
        "reason": claim.reason,
    }


def _check(check: Check) -> dict[str, Any]:
    return {
        "name": check.name,
        "group": check.group,
        "computed": list(check.computed),
        "reference": list(check.reference),
        "unit": check.unit,
        "tolerance": {
            "relative": check.tolerance.relative,
            "absolute": check.tolerance.absolute,
            "because": check.tolerance.because,
        },
        "error": check.error,
        "passed": check.passed,
    }


def _finite(value: Any) -> Any:
    """Infinity and nan as texts, tuples as lists."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
