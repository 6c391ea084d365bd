"""Reports: well-formed JSON and Markdown, also where things go wrong; the list of papers."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest

from flexarm.errors import FlexarmError, OutputError
from flexarm.papers import draw_figures, evaluate, get_paper, paper_names
from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim, Tolerance, agrees
from flexarm.papers.paper import Drawing, Table
from flexarm.view.style import new_figure


class SmallPaper:
    """A made-up document with one of each, and a check that can be made to fail."""

    id, title, authors, year, source = "small", "A small paper", ("A. Author",), 1999, "Journal of Examples 1"

    def __init__(self, computed: float = 1.0):
        self.computed = computed

    def claims(self):
        return [Claim("one", "Section 1", "One | is one.", [1.0], lambda: [1.0], agrees(), "It is {c[0]:g}.")]

    def checks(self):
        return [Check("a number", "numbers", lambda: [self.computed], (1.0,), Tolerance(absolute=0.1), "m")]

    def tables(self):
        return [Table("t", "A table", ("Name", "Value (m)"), lambda: [("first", 1.0), ("second", None)], "A note.")]

    def figures(self):
        def draw():
            picture = new_figure("column", 2.0)
            picture.add_subplot().plot([0, 1], [0, 1])
            return picture

        return [Drawing("figure-1", "A line.", draw), Drawing("figure-2", "The same.", draw)]


def test_evaluate_tells_its_progress():
    seen = []
    report = evaluate(SmallPaper(), progress=lambda *step: seen.append(step))
    assert [step[:2] for step in seen] == [(1, 3), (2, 3), (3, 3)]
    assert seen[0][2].startswith("one: reproduced")
    assert report.ok and report.verdicts == {"reproduced": 1}


@pytest.mark.parametrize("computed", [2.0, math.inf, math.nan])
def test_a_failed_check_is_told(computed):
    report = evaluate(SmallPaper(computed))
    assert not report.ok and [check.name for check in report.failed] == ["a number"]
    data = json.loads(report.to_json())
    assert data["ok"] is False and data["checks"][0]["passed"] is False
    assert "Not in agreement" in report.to_markdown() and "0 of 1" in report.to_markdown()


def test_json_holds_everything():
    data = json.loads(evaluate(SmallPaper()).to_json())
    assert data["paper"]["id"] == "small" and data["paper"]["year"] == 1999
    (claim,) = data["claims"]
    assert claim["verdict"] == "reproduced" and claim["published"] == claim["computed"] == [1.0]
    assert claim["reason"] == "It is 1."
    assert data["tables"][0]["rows"] == [["first", 1.0], ["second", None]]


def test_markdown_tables_have_equal_columns():
    text = evaluate(SmallPaper()).to_markdown()
    assert "Not in agreement" not in text and "A note." in text
    assert_tables_are_even(text)


def assert_tables_are_even(text: str) -> None:
    """Every line of a table has as many cells as its first; a bar inside a cell is escaped."""
    width = 0
    for line in text.splitlines():
        cells = line.replace("\\|", "").count("|") if line.startswith("|") else 0
        assert not (cells and width) or cells == width, line
        width = cells


@pytest.mark.document
def test_the_report_of_the_paper_is_well_formed(report):
    data = json.loads(report.to_json())
    assert data["ok"] is True
    assert len(data["claims"]) == len(report.claims) and len(data["checks"]) == len(report.checks)
    assert all(claim["reason"] and claim["where"] and claim["text"] for claim in data["claims"])
    for table in data["tables"]:
        assert table["rows"] and all(len(row) == len(table["columns"]) for row in table["rows"])
    text = report.to_markdown()
    assert text.startswith(f"# {report.paper.title}")
    assert_tables_are_even(text)


def test_papers_are_found_by_name():
    assert "tokhi-azad" in paper_names()
    assert get_paper("tokhi-azad") is not get_paper("tokhi-azad")
    with pytest.raises(FlexarmError, match="did you mean 'tokhi-azad'"):
        get_paper("tokhi-asad")


def test_the_list_of_papers_costs_no_heavy_import():
    code = (
        "import sys, flexarm.papers as p; p.paper_names(); "
        "print([m for m in ('numpy', 'scipy', 'matplotlib', 'xarray', 'numba') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


def test_figures_are_written_with_captions_and_not_over_others(tmp_path):
    written = draw_figures(SmallPaper(), tmp_path / "new", formats=("png", "svg"))
    assert [path.name for path in written] == [
        "figure-1.png", "figure-1.svg", "figure-2.png", "figure-2.svg", "captions.md",
    ]  # fmt: skip
    assert all(path.stat().st_size > 0 for path in written)
    assert "**figure-2**: The same." in written[-1].read_text()
    with pytest.raises(OutputError, match="already exists"):
        draw_figures(SmallPaper(), tmp_path / "new")
    assert len(draw_figures(SmallPaper(), tmp_path / "new", "pdf", force=True, names=["figure-1"])) == 2


def test_unknown_figures_and_formats_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(OutputError, match="no figure 'figure-3'"):
        draw_figures(SmallPaper(), tmp_path / "new", names=["figure-3"])
    with pytest.raises(OutputError, match="no figure format 'gif'"):
        draw_figures(SmallPaper(), tmp_path / "new", formats="gif")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", paper_names())
def test_what_a_quick_evaluation_leaves_out_is_there(name):
    paper = get_paper(name)
    known = {claim.id for claim in paper.claims()} | {check.group for check in paper.checks()}
    known |= {table.name for table in paper.tables()} | {figure.name for figure in paper.figures()}
    assert set(paper.slow) <= known


@pytest.mark.parametrize("name", paper_names())
def test_every_paper_checks_numbers_besides_frequencies(name):
    checks = get_paper(name).checks()
    assert sum(len(check.reference) for check in checks if check.unit != "Hz") >= 20
