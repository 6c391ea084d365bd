"""Several papers in one: the reports as plain data, put together, with every checked number in one list."""

from __future__ import annotations

import json
import os
import platform
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import flexarm as fa

FREQUENCY = ("Hz", "kHz", "rad/s")
"""Units of natural frequencies."""


def collect(reports: Sequence[dict[str, Any]], asked: Sequence[str], quick: bool, seconds: float) -> dict[str, Any]:
    """One document over all papers.

    Parameters
    ----------
    reports : sequence of dict
        What `Report.to_dict` gives, in the order wanted.
    asked : sequence of str
        Names of the papers that were asked for; those without a report are named as missing.
    quick : bool
        Whether slow parts were left out.
    seconds : float
        Time that it took.
    """
    found = [number for report in reports for number in checked_numbers(report)]
    missing = [name for name in asked if name not in {report["paper"]["id"] for report in reports}]
    complete = not missing and all(report["complete"] for report in reports)
    verdicts = Counter(claim["verdict"] for report in reports for claim in report["claims"])
    return {
        "version": fa.__version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"python": platform.python_version(), "system": platform.platform(), "cores": os.cpu_count()},
        "seconds": round(seconds, 1),
        "quick": quick,
        "complete": complete,
        "missing": missing,
        "ok": complete and all(number["within"] for number in found),
        "checked_numbers": len(found),
        "outside": sum(not number["within"] for number in found),
        "verdicts": dict(verdicts),
        "papers": [{**report, "numbers": counts(report)} for report in reports],
        "numbers": found,
    }


def checked_numbers(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Each number of each check by itself: what it should be, what it is, how far it may be off."""
    found = []
    for check in report["checks"]:
        tolerance = check["tolerance"]
        same = len(check["computed"]) == len(check["reference"])
        for k, reference in enumerate(check["reference"]):
            computed = check["computed"][k] if same else "missing"
            allowed = tolerance["absolute"] + tolerance["relative"] * abs(reference)
            within = isinstance(computed, (int, float)) and abs(computed - reference) <= allowed
            found.append(
                {
                    "paper": report["paper"]["id"], "group": check["group"], "what": check["name"], "place": k + 1,
                    "reference": reference, "computed": computed, "allowed": allowed, "unit": check["unit"],
                    "within": within or computed == reference, "because": tolerance["because"],
                }
            )  # fmt: skip
    return found


def counts(report: dict[str, Any]) -> dict[str, int]:
    """How many numbers are checked, how many of them are no frequencies, how many are outside their tolerance."""
    found = checked_numbers(report)
    return {
        "checked": len(found),
        "beside_frequencies": sum(number["unit"] not in FREQUENCY for number in found),
        "outside": sum(not number["within"] for number in found),
        "claims": len(report["claims"]),
    }


def to_json(whole: dict[str, Any]) -> str:
    """The document as JSON; the pictures stay in the page and in their files."""
    papers = [{key: value for key, value in paper.items() if key != "pictures"} for paper in whole["papers"]]
    return json.dumps({**whole, "papers": papers}, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
