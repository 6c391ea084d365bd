"""The cache of compiled kernels: used when nothing has changed, never when any kernel source has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from flexarm.errors import FlexarmError
from flexarm.numerics import jit, kernel_cache

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
    "from flexarm.methods{0}.outer import outer; value = outer(2.0); "
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
    for name in ("errors.py", "numerics/jit.py", "numerics/kernel_cache.py", "numerics/parts.py"):
        shutil.copy(source / name, tmp_path / "flexarm" / name)
    (tmp_path / "flexarm" / "numerics" / "inner.py").write_text(CALLEE.format(factor=3.0))
    (tmp_path / "flexarm" / "methods" / "outer.py").write_text(CALLER)
    return tmp_path


def ask(folder: Path, method: str = "", cache: Path | None = None) -> tuple[float, int, str]:
    """What the calling kernel says in a new process: value, cache hits, folder of the cache."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "FLEXARM_CACHE_DIR": str(cache or folder / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", ASK.format(f".{method}" if method else "")],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
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
    from flexarm.methods import method_names

    every = {path for name in method_names() for path in kernel_cache.kernel_sources(name)}
    compiled = {path for path in kernel_cache.PACKAGE.rglob("*.py") if "numerics.jit import" in path.read_text()}
    assert every >= {path for path in compiled if path.parent.name != "commands"}
    assert set(kernel_cache.kernel_sources("fd")) > set(kernel_cache.kernel_sources())


def test_a_method_keeps_its_kernels_when_another_is_changed(package):
    for name in ("one", "other"):
        (package / "flexarm" / "methods" / name).mkdir()
        (package / "flexarm" / "methods" / name / "__init__.py").write_text("")
        (package / "flexarm" / "methods" / name / "outer.py").write_text(CALLER)
    first, again = ask(package, "one"), ask(package, "one")
    assert (first[1], again[1]) == (0, 1)
    changed = package / "flexarm" / "methods" / "other" / "outer.py"
    changed.write_text(changed.read_text() + "\nMORE = 1\n")
    assert ask(package, "one") == again
    (package / "flexarm" / "numerics" / "inner.py").write_text(CALLEE.format(factor=5.0))
    assert ask(package, "one")[:2] == (11.0, 0)


def test_a_copy_of_the_package_elsewhere_finds_the_kernels(package, tmp_path_factory):
    first = ask(package)
    copy = tmp_path_factory.mktemp("elsewhere") / "site-packages"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("cache", "__pycache__"))
    for path in copy.rglob("*.py"):
        os.utime(path, (1e9, 1e9))  # the date of a file is not what it holds
    assert ask(copy, cache=package / "cache") == (7.0, 1, first[2])


IMPORT_AT_ONCE = """
import importlib, pkgutil, sys, threading
sys.setswitchinterval(1e-6)
from flexarm.methods import method_names
from flexarm.numerics import jit, kernel_cache
from numba.core.dispatcher import Dispatcher
go = threading.Barrier(len(method_names()))
def work(name):
    go.wait()
    folder = importlib.import_module(f"flexarm.methods.{name}")
    for module in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        importlib.import_module(module.name)
threads = [threading.Thread(target=work, args=(name,)) for name in method_names()]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
modules = [module for name, module in sys.modules.items() if name.startswith("flexarm.")]
for kernel in {k for module in modules for k in vars(module).values() if isinstance(k, Dispatcher)}:
    family = kernel_cache.family_of(kernel_cache.Path(kernel.py_func.__code__.co_filename).resolve())
    print(family or "shared", kernel_cache.Path(kernel.stats.cache_path).is_relative_to(kernel_cache.cache_folder(family)))
"""


def test_methods_imported_by_several_threads_keep_their_kernels_apart(tmp_path):
    from flexarm.methods import method_names

    environment = {**os.environ, "PYTHONPATH": str(kernel_cache.PACKAGE.parent), "FLEXARM_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", IMPORT_AT_ONCE]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    found = [line.split() for line in done.stdout.splitlines()]
    assert {family for family, _ in found} == {*method_names(), "shared"} and len(found) > 100
    assert [family for family, right in found if right != "True"] == []


def test_place_of_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXARM_CACHE_DIR", str(tmp_path / "here"))
    assert kernel_cache._cache_root() == tmp_path / "here"
    monkeypatch.delenv("FLEXARM_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert kernel_cache._cache_root() == tmp_path / "user" / "flexarm"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FLEXARM_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert kernel_cache._cache_root().parent != tmp_path / "file"  # not writable: temporary files


def test_old_kernels_are_removed_and_young_ones_kept(tmp_path):
    for name, age in (("kernels-old", 40), ("kernels-young", 2), ("other", 99)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (0, (tmp_path / name).stat().st_mtime - age * 86400))
    kernel_cache.make_room(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"kernels-young", "other"}


def test_kernels_used_longest_ago_make_room_for_others(tmp_path, monkeypatch):
    for name, age in (("kernels-first", 3), ("kernels-second", 2), ("kernels-third", 1)):
        (tmp_path / name / "below").mkdir(parents=True)
        (tmp_path / name / "below" / "one.nbc").write_bytes(bytes(40_000))
        os.utime(tmp_path / name, (0, (tmp_path / name).stat().st_mtime - age * 86400))
    kernel_cache.make_room(tmp_path)
    assert kernel_cache.size_on_disk(tmp_path) == 120_000
    monkeypatch.setenv("FLEXARM_CACHE_SIZE", "0.1")
    kernel_cache.make_room(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"kernels-second", "kernels-third"}
    monkeypatch.setenv("FLEXARM_CACHE_SIZE", "much")
    with pytest.raises(FlexarmError, match=r"FLEXARM_CACHE_SIZE is 'much': give the size .* in MB"):
        kernel_cache.make_room(tmp_path)


SMALL = '''"""A kernel with a part that is compiled for two kinds of numbers."""
from flexarm.numerics.jit import njit, njit_part


@njit_part
def power(x, n):
    total = x
    for _ in range(n):
        total = total * x
    return total


@njit
def outer(x):
    return power(x, 2) + power(int(x), 3) / 7.0
'''


def test_eight_processes_that_compile_at_once_leave_the_same_kernels_to_a_ninth(package):
    (package / "flexarm" / "methods" / "outer.py").write_text(SMALL)
    environment = {**os.environ, "PYTHONPATH": str(package), "FLEXARM_CACHE_DIR": str(package / "cache")}
    wait = f"import time; time.sleep(max(0.0, {time.time() + 2.5} - time.time())); "
    said = "; print(value.hex(), sum(outer.stats.cache_hits.values()))"
    code = "from flexarm.methods.outer import outer; {}value = outer(1.7)" + said
    together = [sys.executable, "-c", code.format(wait)]
    eight = [subprocess.Popen(together, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(8)]
    answers = [one.communicate()[0].split() for one in eight]
    assert [one.returncode for one in eight] == [0] * 8
    alone = [sys.executable, "-c", code.format("")]
    last = subprocess.run(alone, capture_output=True, text=True, env=environment, check=True).stdout.split()
    assert {value for value, _ in answers} == {last[0]} == {(1.7**3 + 1 / 7.0).hex()}
    assert last[1] == "1" and list((package / "cache").rglob("*.nbc")) and not list((package / "cache").rglob("*.tmp*"))


def test_a_kernel_that_cannot_be_read_is_compiled_again(package):
    first = ask(package)
    for path in (package / "cache").rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])
    assert ask(package) == (7.0, 0, first[2])
    assert ask(package) == (7.0, 1, first[2])


def test_numba_settings_of_others_are_left_alone():
    import numba

    before = numba.config.CACHE_DIR
    jit.njit(lambda x: x)
    assert before == numba.config.CACHE_DIR


def test_a_kernel_that_would_hand_the_wrong_array_to_python_is_refused():
    def half(x):
        return 1.0, x[1:]

    with pytest.raises(TypeError, match=r"half returns an array.*njit_views"):
        jit.njit(half)(np.arange(3.0))
    assert np.array_equal(jit.njit_views(half)(np.arange(3.0))[1], [1.0, 2.0])
