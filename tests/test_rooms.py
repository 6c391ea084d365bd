"""The house: a room imports from the rooms to its left only."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import flexarm

PACKAGE = Path(flexarm.__file__).parent
ORDER = (
    "_version", "errors", "files", "processes", "numerics", "arm", "rigid", "sketch", "drive", "methods", "scenario", "summary", "result",
    "simulation", "analysis", "control", "studies", "view", "papers", "benchmarks", "commands", "cli",
)  # fmt: skip
"""Rooms from left to right. `summary` only reads what a result holds; `result` calls it when asked."""


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imports_of(path: Path) -> set[str]:
    """Modules of the package that a file imports when it runs (not for type checks only)."""
    tree = ast.parse(path.read_text())
    checked = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
        for node in ast.walk(block)
    }
    found = set()
    for node in ast.walk(tree):
        if node in checked:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("flexarm"):
            whole = node.module in ("flexarm", "flexarm.methods")
            found.update([f"{node.module}.{alias.name}" for alias in node.names] if whole else [node.module])
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name.startswith("flexarm."))
    return found


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem in ORDER)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_come_from_the_left(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    here = ORDER.index(parts[0].removesuffix(".py"))
    for module in imports_of(path):
        room = room_of(module)
        if room in ORDER:
            assert ORDER.index(room) <= here, f"{path.name} imports {module}, which stands to its right"


@pytest.mark.parametrize("method", flexarm.method_names())
def test_methods_do_not_know_each_other(method: str) -> None:
    files = list((PACKAGE / "methods" / method).rglob("*.py"))
    assert files
    others = {name for name in flexarm.method_names() if name != method}
    for path in files:
        strangers = [module for module in imports_of(path) if [*module.split("."), "", ""][2] in others]
        assert not strangers, f"{path.name} imports {', '.join(strangers)}"


APPLICATIONS = [
    path
    for path in FILES
    if path.relative_to(PACKAGE).parts[0] in ("papers", "benchmarks")
    or (path.parent.name == "commands" and path.name.startswith("rig"))
]
PAGE = PACKAGE.parents[1] / "docs" / "extending.md"


@pytest.mark.parametrize("path", APPLICATIONS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_applications_import_what_the_page_offers(path: Path) -> None:
    """The public names, their own package, and the modules of the table; no private names."""
    table = PAGE.read_text(encoding="utf-8").partition("| modules of `flexarm` | for |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall(r"`([\w.*]+)`", row.split("|")[1])]
    assert len(named) > 10
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("flexarm."):
            continue
        module = str(node.module).removeprefix("flexarm.")
        own = module.split(".")[0] in ("papers", "benchmarks", "commands")
        offered = module in named or any(name[-1] == "*" and f"{module}.".startswith(name[:-1]) for name in named)
        assert own or offered, f"{path.name} imports {node.module}"
        assert own or not any(alias.name.startswith("_") for alias in node.names)


def test_every_folder_of_a_method_is_a_method() -> None:
    folders = {path.name for path in (PACKAGE / "methods").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(flexarm.method_names())


def test_every_module_says_what_it_holds() -> None:
    silent = [
        p for p in PACKAGE.rglob("*.py") if p.name != "_version.py" and not ast.get_docstring(ast.parse(p.read_text()))
    ]
    assert silent == []
