"""The words are true: what README and pages show is run, and what they print comes out.

Fenced blocks of a page are worked through in order, in a folder of their own:

- ``python`` is executed, all blocks of a page in one name space; if the next block is ``text``, that is its output;
- ``yaml`` is loaded as a scenario, unless a ``console`` block shows what is wrong with it;
- a first line ``# name.yaml`` or ``# name.py`` makes it a file of that name;
- ``$ flexarm ...`` in ``console`` is run if that is quick, else its options are checked; lines below it are output.

Numbers in shown output may differ in their last digits.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import math
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import flexarm as fa
from flexarm import cli

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
PAGES = [page for page in PAGES if "_build" not in page.parts]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w-]+\.(?:py|yaml))\n")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
RELATIVE, ABSOLUTE = 0.02, 1.5e-4
"""How far shown numbers may be off: they are rounded, and libraries differ in the last digits."""
SLOW = ("bench", "demo", "realtime", "reproduce", "warmup")
"""Commands of which only the options are checked."""


@dataclass
class Block:
    """A fenced block: its language and its text."""

    kind: str
    text: str

    @property
    def file(self) -> str:
        """Name of the file that the block is, or an empty text."""
        found = NAMED.match(self.text)
        return found[1] if found else ""


def blocks(page: Path) -> list[Block]:
    return [Block(kind, text) for kind, text in FENCE.findall(page.read_text(encoding="utf-8"))]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def agree(shown: str, found: str) -> bool:
    """Same words, and numbers that differ by rounding only."""
    if NUMBER.sub("#", " ".join(shown.split())) != NUMBER.sub("#", " ".join(found.split())):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(found), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=RELATIVE, abs_tol=ABSOLUTE) for a, b in pairs)


def check_output(shown: str, found: str, where: str) -> None:
    """Every shown line is among the found ones; ``...`` stands for lines that are not shown."""
    lines = [line for line in found.splitlines() if line.strip()]
    for line in shown.splitlines():
        if line.strip() and line.strip() != "...":
            assert any(agree(line, other) for other in lines), f"{where} shows\n{line}\nbut what comes is\n{found}"


def parse(words: list[str]) -> None:
    """Refuse commands and options that do not exist."""
    group: Any = typer.main.get_command(cli.app)
    assert words[0] in group.commands, f"there is no command {words[0]}"
    group.commands[words[0]].make_context(words[0], list(words[1:]))


def run_command(line: str, shown: str, where: str) -> None:
    words = shlex.split(line)[1:]
    refused = shown.lstrip().startswith("error:")
    if not refused:
        parse(words)
    if words[0] in SLOW:
        return
    if words[0] == "run":
        words += ["--force"] if "--figures" in words else ["--force", "--figures", "none"]
    if words[0] == "new":
        words.append("--force")
    answer = CliRunner().invoke(cli.app, words, env={"COLUMNS": "120"})
    assert answer.exit_code == (2 if refused else 0), f"{where}: {line}\n{answer.output}\n{answer.exception}"
    check_output(shown, answer.output, f"{where}: {line}")


def run_console(block: Block, where: str) -> None:
    """Run each ``$ flexarm ...`` with what is shown below it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        if line.startswith("flexarm "):
            run_command(line.partition("  #")[0], shown, where)


def run_python(block: Block, names: dict[str, Any], where: str) -> str:
    """Execute a block; what it prints."""
    if block.file.endswith(".py"):
        Path(block.file).write_text(block.text, encoding="utf-8")
        importlib.invalidate_caches()
        return ""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, where, "exec"), names)
    return printed.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder in which a page is worked through; its modules, figures and sensors are forgotten afterwards."""
    from flexarm.methods.sensors import KINDS
    from flexarm.view.registry import FIGURES

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    registries: list[dict[str, Any]] = [FIGURES, KINDS]
    before, modules = [dict(each) for each in registries], set(sys.modules)
    yield tmp_path
    for registry, entries in zip(registries, before, strict=True):
        registry.clear()
        registry.update(entries)
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules[name], "__file__", "") or "").startswith(str(tmp_path)):
            del sys.modules[name]


def load_yaml(block: Block, folder: Path) -> None:
    """Read a scenario, or a study, which says what is kept."""
    if re.search("^minimise:", block.text, re.MULTILINE):
        from flexarm.scenario.yaml_tree import read_text
        from flexarm.studies.design_file import read_design

        read_design(read_text(block.text, "design"), folder)
    elif re.search("^keep:", block.text, re.MULTILINE):
        from flexarm.scenario.yaml_tree import read_text
        from flexarm.studies.file import make_plan

        make_plan(read_text(block.text, "study"), folder)
    elif block.file:
        fa.load(block.file)
    else:
        fa.loads(block.text, folder)


FIRST = ("README.md", "docs/tutorial.md")
"""What a newcomer reads first is worked through with every test; the other pages with `make reproduce`."""
LATER = [
    pytest.param(page, marks=() if name_of(page) in FIRST else pytest.mark.document, id=name_of(page)) for page in PAGES
]


@pytest.mark.parametrize("page", LATER)
def test_page_works(page, folder):
    names: dict[str, Any] = {"__name__": "page"}
    todo = blocks(page)
    for number, block in enumerate(todo):
        where = f"{name_of(page)}, block {number + 1}"
        after = todo[number + 1] if number + 1 < len(todo) else Block("", "")
        if block.kind == "yaml":
            if block.file:
                Path(block.file).write_text(block.text, encoding="utf-8")
            if "error:" not in after.text:
                load_yaml(block, folder)
        elif block.kind == "console":
            run_console(block, where)
        elif block.kind == "python":
            printed = run_python(block, names, where)
            if after.kind == "text":
                check_output(after.text, printed, where)
                assert len(after.text.splitlines()) == len(printed.splitlines()), f"{where} prints\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_inline_commands_exist(page):
    text = page.read_text(encoding="utf-8")
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    for name in re.findall(r"`flexarm ([a-z]+)", text):
        assert name in commands, f"{name_of(page)} speaks of the command {name}"
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for name in re.findall(r"\bmake ([a-z]+)\b", "\n".join(re.findall(r"`[^`\n]+`|^make .*$", text, re.MULTILINE))):
        assert name in targets, f"{name_of(page)} speaks of make {name}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        assert "://" not in path, f"{name_of(page)} needs the network for {target}"
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{name_of(page)} links to {target}"
        if anchor and there.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            known = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in known, f"{name_of(page)} links to {target}"


def test_tables_are_those_of_the_models():
    place = importlib.util.spec_from_file_location("make_reference", ROOT / "docs" / "make_reference.py")
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert module.renewed(text) == text, f"run python docs/make_reference.py: {name_of(page)} is out of date"


def test_every_page_is_in_the_contents():
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = str(page.relative_to(ROOT / "docs").with_suffix(""))
        if not name.startswith(("_build", "index")):
            assert re.search(rf"^{name}$", text, re.MULTILINE), f"{name} is missing in index.md"


def test_all_materials_figures_and_variables_are_named():
    from flexarm.arm import MATERIALS
    from flexarm.drive.profiles.union import MOTION_PROFILES, TORQUE_PROFILES

    scenario = (ROOT / "docs" / "scenario.md").read_text(encoding="utf-8")
    for name in (*MATERIALS, *MOTION_PROFILES, *TORQUE_PROFILES):
        assert f"`{name}`" in scenario, f"scenario.md does not name {name}"
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    for name in (*fa.simulate("pd-hub").data.data_vars, *fa.Outcome.__members__):
        assert f"`{name}`" in results, f"results.md does not name {name}"


def test_pictures_are_small():
    pictures = list((ROOT / "docs" / "images").glob("*"))
    assert pictures
    for path in pictures:
        assert path.stat().st_size < 200_000, f"{path.name} is large"
