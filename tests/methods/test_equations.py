"""Equations of the theory pages are found in the code: every number that is cited exists, and every equation is cited."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import flexarm
from flexarm.methods import method_names

SOURCE = Path(flexarm.__file__).parent / "methods"
PAGES = Path(__file__).parents[2] / "docs" / "methods"
LETTERS = {"fd": "F", "fem": "E", "fem/spatial": "S", "segments": "G", "modes": "M", "modes/spatial": "N", "ancf": "A"}
CITED = re.compile(r"^Equations: ((?:[A-Z]\d+(?:, )?)+)\.$", re.MULTILINE)
WITHOUT = ("layout.py", "simd.py", "vec3.py", "ticks.py")
"""Kernel files without physics: where numbers lie in memory, products of vectors, calls from tick to tick."""
NUMBER = re.compile(r"\(([A-Z]\d+)\)$", re.MULTILINE)


def files_of(folder: str) -> list[Path]:
    """Modules of a method; what is in space has a page of its own."""
    return [path for path in (SOURCE / folder).rglob("*.py") if "/" in folder or "spatial" not in path.parts]


def cited_in(path: Path) -> list[str]:
    """Numbers that a module's docstring cites."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return [number for line in CITED.findall(text) for number in line.split(", ")]


def numbered(folder: str) -> list[str]:
    """Numbers of the equations on the theory page."""
    page = PAGES / f"{folder.replace('/', '-')}.md"
    return NUMBER.findall(page.read_text(encoding="utf-8"))


def test_every_method_has_numbers():
    assert {folder.split("/")[0] for folder in LETTERS} == set(method_names())


@pytest.mark.parametrize("folder", LETTERS)
def test_cited_equations_exist_and_all_are_cited(folder):
    found = numbered(folder)
    assert found == [f"{LETTERS[folder]}{k + 1}" for k in range(len(found))] and len(found) > 4
    cited = {number for path in files_of(folder) for number in cited_in(path)}
    assert cited == set(found)


@pytest.mark.parametrize("folder", LETTERS)
def test_every_kernel_file_names_its_equations(folder):
    kernels = [
        path for path in files_of(folder) if re.search(r"^@njit", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    silent = [path.name for path in kernels if path.name not in WITHOUT and not cited_in(path)]
    assert not silent
