"""All papers as one HTML page that needs no network and no other file."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from flexarm.papers.markdown import number_list
from flexarm.view.page import image, page, table

VERDICTS = {"reproduced": "good", "corrected": "mend", "contradicted": "bad", "not determinable": "open"}
"""Verdicts and the classes that colour them."""
MEANING = {
    "reproduced": "the computation gives what the document says",
    "corrected": "a number or a formula is in error; the right one is given",
    "contradicted": "the behaviour is not as the document says",
    "not determinable": "what the document states does not suffice to settle it",
}
STYLE = """
:root{--ink:#1d2429;--faint:#66727b;--line:#dfe4e8;--back:#fff;--card:#f7f9fa;--blue:#0b62a4}
*{box-sizing:border-box}
body{margin:0 auto;max-width:68rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back)}
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.3rem;line-height:1.25;margin:2.5rem 0 .3rem;border-top:2px solid var(--line);
padding-top:1.2rem}h3{font-size:1.05rem;margin:1.6rem 0 .5rem}
a{color:var(--blue)}p{margin:.4rem 0}.faint{color:var(--faint);font-size:.9rem}
.scroll{overflow-x:auto;margin:.5rem 0}table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .7rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--faint);font-weight:600}a{white-space:nowrap}
.cards{display:grid;gap:.7rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr))}
.card{background:var(--card);border:1px solid var(--line);border-left:5px solid var(--line);border-radius:6px;padding:.6rem .8rem;
overflow-wrap:anywhere}
.card p{font-size:.92rem}.where{float:right;color:var(--faint);font-size:.8rem;margin-left:.6rem}
.card dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .7rem;margin:.4rem 0;font-size:.86rem}
dt{color:var(--faint)}dd{margin:0;font-variant-numeric:tabular-nums}
.badge{display:inline-block;border-radius:1rem;padding:0 .6rem;font-size:.8rem;color:#fff;background:#66727b}
.good{border-left-color:#1a7f4b}.mend{border-left-color:#b26a00}.bad{border-left-color:#b3261e}.open{border-left-color:#66727b}
.badge.good{background:#1a7f4b}.badge.mend{background:#b26a00}.badge.bad{background:#b3261e}
.pictures{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr))}
figure{margin:0}figure img{width:100%;height:auto;border:1px solid var(--line);border-radius:4px}
figcaption{font-size:.86rem;color:var(--faint)}
details{margin:.4rem 0}summary{cursor:pointer;color:var(--blue)}
@media print{details>*{display:block}.card,figure{break-inside:avoid}}
"""


def write(whole: dict[str, Any]) -> str:
    """The page of what `collect` gives; reports may hold `pictures`."""
    parts = [_head(whole), *(_paper(report) for report in whole["papers"]), _foot(whole)]
    return page("flexarm: documents recomputed", "\n".join(parts), STYLE)


def _head(whole: dict[str, Any]) -> str:
    inside = whole["checked_numbers"] - whole["outside"]
    rows = [
        (
            f'<a href="#{report["paper"]["id"]}">{_text(report["paper"]["id"])}</a>',
            f"{report['numbers']['checked'] - report['numbers']['outside']} of {report['numbers']['checked']}",
            *(str(report["verdicts"].get(word, 0)) for word in VERDICTS),
        )
        for report in whole["papers"]
    ]
    legend = "".join(f"<p>{_badge(word)} {text}</p>" for word, text in MEANING.items())
    state = [] if whole["complete"] else ["<strong>Broken off: this is what was done until then.</strong>"]
    state += [f"Not computed: {_text(', '.join(whole['missing']))}."] if whole["missing"] else []
    state += ["A quick run: what each document leaves out stands at its end."] if whole["quick"] else []
    return "\n".join(
        [
            "<h1>The documents behind flexarm, recomputed claim by claim</h1>",
            f"<p>{inside} of {whole['checked_numbers']} computed numbers are within the tolerance of their reference. Verdicts "
            "judge what a document says; they follow from its numbers and ours by a stated rule and are never stored.</p>",
            *(f"<p>{line}</p>" for line in state),
            _table(("Document", "Numbers within tolerance", *VERDICTS), rows, raw=True),
            f"<details><summary>What the verdicts mean</summary>{legend}</details>",
        ]
    )


def _paper(report: dict[str, Any]) -> str:
    paper = report["paper"]
    parts = [
        f'<h2 id="{paper["id"]}">{_text(paper["title"])}</h2>',
        f'<p class="faint">{_text(", ".join(paper["authors"]))} ({paper["year"]}). {_text(paper["source"])}. '
        f"Computed in {report['seconds']:g} s.</p>",
        "" if report["complete"] else "<p><strong>Broken off before its end.</strong></p>",
        "<h3>Claims</h3>",
        f'<div class="cards">{"".join(_claim(claim) for claim in report["claims"])}</div>',
    ]
    if report["pictures"]:
        shown = "".join(_picture(item) for item in report["pictures"])
        parts += ["<h3>Figures, drawn from our results</h3>", f'<div class="pictures">{shown}</div>']
    parts += ["<h3>Tables</h3>", *(_own_table(item) for item in report["tables"])]
    parts += ["<h3>Reference values</h3>", _checks(report["checks"])]
    if report["left_out"]:
        parts.append(f'<p class="faint">Left out by the quick run: {_text(", ".join(report["left_out"]))}.</p>')
    return "\n".join(parts)


def _claim(claim: dict[str, Any]) -> str:
    kind = VERDICTS[claim["verdict"]]
    unit = "" if claim["units"] == "1" else f" {claim['units']}"
    # a label stands for one number; where several readings of the document are given there are more numbers than labels
    pairs = [
        ("published", _numbers(claim["published"], claim["labels"])),
        ("ours", _numbers(claim["computed"], claim["labels"])),
    ]
    pairs += [("unit", unit.strip())] if unit else []
    pairs += [("tolerance", _tolerance(claim["tolerance"], ""))] if any(claim["tolerance"].values()) else []
    numbers = "".join(f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in pairs)
    return (
        f'<div class="card {kind}" id="{_text(claim["id"])}"><span class="where">{_text(claim["where"])}</span>'
        f"{_badge(claim['verdict'])}<p>{_text(claim['text'])}</p><dl>{numbers}</dl><p>{_text(claim['reason'])}</p></div>"
    )


def _picture(item: dict[str, Any]) -> str:
    caption = f"<figcaption>{_text(item['name'])}: {_text(item['caption'])}</figcaption>"
    return f"<figure>{image(item['name'], item['data'])}{caption}</figure>"


def _own_table(item: dict[str, Any]) -> str:
    note = f'<p class="faint">{_text(item["note"])}</p>' if item["note"] else ""
    body = _table(item["columns"], [[_cell(value) for value in row] for row in item["rows"]])
    opened = " open" if len(item["rows"]) <= 12 else ""
    return f"<details{opened}><summary>{_text(item['title'])}</summary>{body}{note}</details>"


def _checks(checks: Sequence[dict[str, Any]]) -> str:
    """Groups that open to their numbers."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for check in checks:
        groups[check["group"]].append(check)
    parts = []
    for name, members in groups.items():
        passed = sum(check["passed"] for check in members)
        kind = "good" if passed == len(members) else "bad"
        rows = [
            (
                check["name"], _numbers(check["reference"]), _numbers(check["computed"]), check["unit"],
                _tolerance(check["tolerance"], check["unit"]), "within" if check["passed"] else "OUTSIDE",
            )
            for check in members
        ]  # fmt: skip
        body = _table(("What", "Reference", "Ours", "Unit", "Tolerance", "Verdict"), rows)
        why = f'<p class="faint">Tolerance: {_text(members[0]["tolerance"]["because"])}.</p>'
        count = f'<span class="badge {kind}">{passed} of {len(members)}</span>'
        parts.append(f"<details><summary>{_text(name)} {count}</summary>{body}{why}</details>")
    return "".join(parts)


def _foot(whole: dict[str, Any]) -> str:
    machine = whole["machine"]
    told = (
        f"flexarm {whole['version']}, {whole['made']}, {whole['seconds']:g} s, Python {machine['python']} on {machine['system']}, "
        f"{machine['cores']} cores"
    )
    return f'<p class="faint" style="margin-top:3rem">{_text(told)}</p>'


def _tolerance(tolerance: dict[str, Any], unit: str) -> str:
    from flexarm.papers.claims import Tolerance

    return Tolerance(tolerance["relative"], tolerance["absolute"]).text(unit)


def _badge(verdict: str) -> str:
    return f'<span class="badge {VERDICTS[verdict]}">{verdict}</span>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], raw: bool = False) -> str:
    """A table in a frame that scrolls; with `raw` the cells are HTML already."""
    return f'<div class="scroll">{table(rows, head, raw)}</div>'


def _numbers(values: Sequence[Any], labels: Sequence[str] = ()) -> str:
    """Numbers in a line; in a report those that are not finite are texts."""
    return number_list([float(value) for value in values], labels)


def _cell(value: Any) -> str:
    return "–" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _text(value: Any) -> str:
    return html.escape(str(value))
