"""`flexarm reproduce`: reports in one place, verdict of the whole, quick runs, what stays after an interrupt."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim, Tolerance, agrees
from flexarm.papers.paper import Drawing, Table
from flexarm.view.style import new_figure

NAMES = ("leaflet", "booklet")


class Leaflet:
    """A paper with two numbers, of which one is slow, a claim, a table and a figure."""

    title, authors, year, source = "A leaflet <b>", ("N. N.",), 2001, "Nowhere"
    slow = ("slow numbers", "slow-figure")

    def __init__(self, name: str, number: float):
        self.id, self.number = name, number

    def claims(self):
        return (Claim("one", "p. 1", "1 < 2 & so on", [1.0], lambda: [1.0], agrees(), "It is {c[0]:g}.", "mm"),)

    def checks(self):
        tight = Tolerance(absolute=0.1, because="it is small")
        return (
            Check("two", "numbers", lambda: [self.number, 7.0], (2.0, 7.0), tight, "m"),
            Check("ten", "slow numbers", lambda: [10.0], (10.0,), tight, "Hz"),
        )

    def tables(self):
        return (Table("t", "A table", ("Name", "Value"), lambda: [("first", 1.5), ("second", None)]),)

    def figures(self):
        def draw():
            picture = new_figure("column", 1.5)
            picture.add_subplot().plot([0, 1], [0, 1])
            return picture

        return (Drawing("figure", "A line.", draw), Drawing("slow-figure", "Another.", draw))


@pytest.fixture
def papers(monkeypatch):
    """Let two papers with that number be all there are."""

    def offer(number: float):
        monkeypatch.setattr("flexarm.papers.get_paper", lambda name: Leaflet(name, number))
        monkeypatch.setattr("flexarm.papers.paper_names", lambda: NAMES)

    return offer


class Page(HTMLParser):
    """Counts tags, and refuses what would need the network."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: dict[str, int] = {}
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)
        for name, value in attributes:
            assert name not in ("src", "href") or value.startswith(("data:", "#")), value
        assert tag not in ("script", "link")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_reports_pictures_and_one_page(call, folder, papers):
    papers(2.05)
    answer = call("reproduce", "--out", "out", "--workers", "1")
    assert "6 of 6 numbers agree" in answer.stdout
    whole = json.loads((folder / "out/report.json").read_text())
    assert whole["ok"] is True and whole["checked_numbers"] == 6 and whole["missing"] == []
    assert [each["paper"]["id"] for each in whole["papers"]] == list(NAMES)
    assert whole["papers"][0]["numbers"] == {"checked": 3, "beside_frequencies": 2, "outside": 0, "claims": 1}
    first = whole["numbers"][0]
    assert (first["reference"], first["computed"], first["allowed"], first["within"]) == (2.0, 2.05, 0.1, True)
    for name in NAMES:
        assert json.loads((folder / f"out/{name}/report.json").read_text())["ok"] is True
        assert "# A leaflet" in (folder / f"out/{name}/report.md").read_text()
        assert (folder / f"out/{name}/figure.png").exists()
    text = (folder / "out/report.html").read_text()
    page = Page(text)
    assert page.open == [] and page.tags["img"] == 4
    assert "1 &lt; 2 &amp; so on" in text and "A leaflet &lt;b&gt;" in text and "viewport" in text
    assert "already exists" in call("reproduce", "leaflet", "--out", "out", code=2).stderr


def test_a_number_outside_its_tolerance_ends_with_1(call, folder, papers):
    papers(3.0)
    answer = call("reproduce", "leaflet", "--out", "out", "--no-figures", code=1)
    assert "two: 3.0 against 2.0 m" in answer.stdout
    assert json.loads((folder / "out/report.json").read_text())["outside"] == 1
    text = (folder / "out/report.html").read_text()
    assert "OUTSIDE" in text and "img" not in Page(text).tags


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_told(call, folder, papers, number):
    papers(number)
    call("reproduce", "leaflet", "--out", "out", "--no-figures", code=1)
    assert json.loads((folder / "out/report.json").read_text())["numbers"][0]["within"] is False


def test_quick_leaves_out_what_is_slow_and_says_so(call, folder, papers):
    papers(2.0)
    answer = call("reproduce", "leaflet", "--out", "out", "--quick", "--json")
    whole = json.loads(answer.stdout)
    assert whole["quick"] and whole["ok"] and whole["checked_numbers"] == 2
    assert whole["papers"][0]["left_out"] == ["slow numbers", "slow-figure"]
    assert not (folder / "out/leaflet/slow-figure.png").exists()
    assert "Left out by the quick run: slow numbers" in (folder / "out/report.html").read_text()


def test_papers_in_processes_of_their_own_give_the_same(call, folder, papers):
    papers(2.05)
    call("reproduce", "--out", "one", "--workers", "1", "--no-figures")
    call("reproduce", "--out", "two", "--workers", "2", "--no-figures")
    one, two = (json.loads((folder / name / "report.json").read_text()) for name in ("one", "two"))
    assert one["numbers"] == two["numbers"] and len(two["papers"]) == 2


def test_an_interrupt_keeps_what_is_done(call, folder, papers, monkeypatch):
    papers(2.0)
    asked = iter([False] * 4 + [True] * 100)
    monkeypatch.setattr("flexarm.commands.progress.Interrupt.__call__", lambda self: next(asked))
    answer = call("reproduce", "--out", "out", "--workers", "1", code=130)
    assert "broken off; not computed: booklet" in answer.stdout
    whole = json.loads((folder / "out/report.json").read_text())
    assert whole["complete"] is False and whole["ok"] is False and whole["missing"] == ["booklet"]
    (report,) = whole["papers"]
    assert (
        report["complete"] is False
        and len(report["claims"]) == 1
        and len(report["checks"]) == 2
        and not report["tables"]
    )
    assert "Broken off" in (folder / "out/report.html").read_text()
