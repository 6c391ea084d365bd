"""Parts of kernels have no wrapper for Python: a call from Python would end the process, so none may stand in the code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = [path for room in ("src", "tests", "docs") for path in sorted((ROOT / room).rglob("*.py"))]
FOR_PYTHON = ("njit", "njit_anywhere", "njit_views")
PLACES = ("njit", "flexarm.numerics", "flexarm.methods")
"""Words of which a file that defines or names a kernel holds at least one."""
FREE = ("py_func", "load", "cell")
"""Attributes of a kernel that Python may use."""
NOT_CALLED = ("callable_from_python", "address_of", "steps_address", "stage_address", "Stage", "ByKind")
"""What makes a kernel callable that it is handed, or only asks where it stands."""
Kernel = tuple[str, str]
"""Module and name."""


def module_of(path: Path) -> str:
    """`flexarm.numerics.band` of src/flexarm/numerics/band.py."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[1:] if parts[0] == "src" else parts)


def decorator_of(node: ast.AST) -> str | None:
    """`njit`, `njit_part`, ... of a kernel."""
    if not isinstance(node, ast.FunctionDef):
        return None
    names = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    return next((each.id for each in names if isinstance(each, ast.Name) and "njit" in each.id), None)


class PythonUses(ast.NodeVisitor):
    """Kernels that the Python code of a file names, those inside calls of NOT_CALLED left out."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.names: dict[str, Kernel] = {n.name: (module, n.name) for n in tree.body if isinstance(n, ast.FunctionDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                self.names |= {each.asname or each.name: (node.module, each.name) for each in node.names}
        self.found: set[Kernel] = set()
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if decorator_of(node) is None:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if not (isinstance(node.func, ast.Name) and node.func.id in NOT_CALLED):
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self.names:
            self.found.add(self.names[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr not in FREE and isinstance(node.value, ast.Name) and node.value.id in self.names:
            self.found.add((".".join(self.names[node.value.id]), node.attr))
        if node.attr not in FREE:
            self.generic_visit(node)


@pytest.fixture(scope="module")
def code() -> tuple[dict[Kernel, str], dict[Kernel, set[str]]]:
    """Decorator of every kernel; the files whose Python code names it."""
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    trees = {path: ast.parse(text) for path, text in texts.items() if any(word in text for word in PLACES)}
    kernels = {
        (module_of(path), n.name): d for path, tree in trees.items() for n in tree.body if (d := decorator_of(n))
    }
    named: dict[Kernel, set[str]] = {}
    for path, tree in trees.items():
        for kernel in PythonUses(module_of(path), tree).found & kernels.keys():
            named.setdefault(kernel, set()).add(path.name)
    return kernels, named


def test_python_calls_no_part_of_a_kernel(code):
    kernels, named = code
    assert {kernel: files for kernel, files in named.items() if kernels[kernel] not in FOR_PYTHON} == {}


def test_kernels_that_python_never_calls_are_parts(code):
    kernels, named = code
    ours = {
        kernel for kernel, decorator in kernels.items() if decorator in FOR_PYTHON and kernel[0].startswith("flexarm.")
    }
    assert sorted(ours - named.keys()) == []
