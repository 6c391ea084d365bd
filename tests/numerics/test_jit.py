"""The cache of compiled kernels: used when nothing has changed, never when any kernel source has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flexarm.numerics import jit

CALLEE = '''"""A kernel that another file calls."""
from flexarm.numerics.jit import njit


@njit
def inner(x):
    return {factor} * x
'''
CALLER = '''"""A kernel that calls one of another file."""
from flexarm.numerics.inner import inner
from flexarm.numerics.jit import njit


@njit
def outer(x):
    return inner(x) + 1.0
'''
ASK = (
    "from flexarm.methods.outer import outer; value = outer(2.0); "
    "print(value, sum(outer.stats.cache_hits.values()), outer.stats.cache_path)"
)


@pytest.fixture
def package(tmp_path):
    """A copy of the kernel rooms with two small kernels in two files, and a cache of its own."""
    source = Path(jit.__file__).parent.parent
    for room in ("numerics", "methods"):
        (tmp_path / "flexarm" / room).mkdir(parents=True)
        (tmp_path / "flexarm" / room / "__init__.py").write_text("")
    (tmp_path / "flexarm" / "__init__.py").write_text("")
    shutil.copy(source / "numerics" / "jit.py", tmp_path / "flexarm" / "numerics")
    (tmp_path / "flexarm" / "numerics" / "inner.py").write_text(CALLEE.format(factor=3.0))
    (tmp_path / "flexarm" / "methods" / "outer.py").write_text(CALLER)
    return tmp_path


def ask(folder: Path) -> tuple[float, int, str]:
    """What the calling kernel says in a new process: value, cache hits, folder of the cache."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "FLEXARM_CACHE_DIR": str(folder / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, env=environment, check=True)
    value, hits, path = done.stdout.split()
    return float(value), int(hits), path


def test_a_changed_callee_changes_the_caller(package):
    value, hits, first = ask(package)
    assert (value, hits) == (7.0, 0)
    assert Path(first).is_relative_to(package / "cache")
    value, hits, again = ask(package)
    assert (value, hits, again) == (7.0, 1, first)
    (package / "flexarm" / "numerics" / "inner.py").write_text(CALLEE.format(factor=5.0))
    value, hits, changed = ask(package)
    assert (value, hits) == (11.0, 0) and changed != first
    (package / "flexarm" / "numerics" / "inner.py").write_text(CALLEE.format(factor=3.0))
    assert ask(package) == (7.0, 1, first)


def test_every_kernel_file_counts():
    rooms = {path.relative_to(jit.PACKAGE).parts[0] for path in jit.kernel_sources()}
    assert rooms == {"numerics", "methods"}
    names = {path.name for path in jit.kernel_sources()}
    assert {"laws.py", "band.py", "leapfrog.py", "newmark.py", "exact.py", "forces.py"} <= names


def test_place_of_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXARM_CACHE_DIR", str(tmp_path / "here"))
    assert jit._cache_root() == tmp_path / "here"
    monkeypatch.delenv("FLEXARM_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert jit._cache_root() == tmp_path / "user" / "flexarm"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FLEXARM_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert jit._cache_root().parent != tmp_path / "file"  # not writable: temporary files


def test_old_caches_are_dropped_and_young_ones_kept(tmp_path):
    for name, age in (("kernels-old", 40), ("kernels-young", 2), ("kernels-now", 99), ("other", 99)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (0, (tmp_path / name).stat().st_mtime - age * 86400))
    jit._drop_old(tmp_path, tmp_path / "kernels-now")
    assert {path.name for path in tmp_path.iterdir()} == {"kernels-young", "kernels-now", "other"}


def test_numba_settings_of_others_are_left_alone():
    import numba

    before = numba.config.CACHE_DIR
    jit.njit(lambda x: x)
    assert before == numba.config.CACHE_DIR
