"""A report as Markdown."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexarm.papers.claims import Claim
    from flexarm.papers.report import Report

MOST_NUMBERS = 12
"""Longer lists of numbers are cut in the middle."""


def write(report: Report) -> str:
    """Title, summary, claims, tables, checks."""
    paper = report.paper
    parts = [
        f"# {paper.title}",
        f"{', '.join(paper.authors)} ({paper.year}). {paper.source}.",
        _summary(report),
        "## Claims",
        table(("Where", "The document says", "Verdict", "Because"), [_claim_row(c) for c in report.claims]),
        "### Numbers",
        table(
            ("Claim", "Published", "Computed", "Unit", "Tolerance"),
            [
                (
                    c.id,
                    number_list(c.published, c.labels),
                    number_list(c.computed, c.labels),
                    c.units,
                    c.tolerance.text(),
                )
                for c in report.claims
            ],
        ),
        "## Tables",
    ]
    for item in report.tables:
        parts += [f"### {item.title}", table(item.columns, item.rows)]
        parts += ["\n".join(textwrap.wrap(item.note, 110))] if item.note else []
    parts += ["## Checks", _checks(report)]
    return "\n\n".join(parts) + "\n"


def _summary(report: Report) -> str:
    counts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(report.verdicts.items(), key=lambda i: -i[1]))
    passed = len(report.checks) - len(report.failed)
    return f"Of {len(report.claims)} claims: {counts}. Reference values: {passed} of {len(report.checks)} agree."


def _claim_row(claim: Claim) -> tuple[str, ...]:
    return claim.where, claim.text, f"**{claim.verdict.value}**", claim.reason


def _checks(report: Report) -> str:
    groups = defaultdict(list)
    for check in report.checks:
        groups[check.group].append(check)
    rows = []
    for group, members in groups.items():
        worst = max(members, key=lambda check: check.share)
        passed = sum(check.passed for check in members)
        tolerance = worst.tolerance.text(worst.unit)
        rows.append((group, f"{passed} of {len(members)}", f"{worst.error:.2g}", worst.unit, tolerance))
    text = table(("Values", "Agree", "Largest difference of the worst", "Unit", "Tolerance"), rows)
    failed = [
        f"- {check.name}: {number_list(check.computed)} instead of {number_list(check.reference)} {check.unit}"
        for check in report.failed
    ]
    return "\n\n".join([text, *(["Not in agreement:", "\n".join(failed)] if failed else [])])


def number_list(values: Sequence[float], labels: Sequence[str] = ()) -> str:
    """Numbers in a line, each with its label if there are labels."""
    if len(labels) == len(values):
        texts = [f"{label}: {value:.6g}" for label, value in zip(labels, values, strict=True)]
    else:
        texts = [f"{value:.6g}" for value in values]
    if len(texts) > MOST_NUMBERS:
        half = MOST_NUMBERS // 2
        texts = [*texts[:half], f"... ({len(texts)} in all) ...", *texts[-half:]]
    return ("; " if labels else ", ").join(texts) or "–"


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [_line(columns), _line(["---"] * len(columns))]
    return "\n".join(lines + [_line(row) for row in rows])


def _line(cells: Sequence[Any]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
