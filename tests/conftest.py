"""Shared by all tests. The folder of this file is on the path, so that tests of any room can use `single_link`.

Workers take whole files. Files that share a costly fixture or kept runs go to one worker together, and what takes longest
is begun first, so that two workers end at about the same time.
"""

import gc
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait for each other

import pytest
from hypothesis import settings

settings.register_profile("calm", deadline=None, derandomize=True)
settings.load_profile("calm")

TOGETHER = {
    "papers/test_tokhi_azad": "tokhi-azad",
    "generic/test_generic_energy": "bundled runs",
    "generic/test_generic_restart": "bundled runs",
}
"""Beginnings of file names, and what they go by."""
LONGEST = (
    "docs/", "papers/", "view/test_view_figures", "generic/", "simulation/test_cylinders", "methods/fd/test_fd_conf",
    "methods/fd/test_fd_step", "methods/modes/", "methods/fem/", "methods/segments/", "methods/fd/", "methods/ancf/",
)  # fmt: skip
"""Beginnings of the names of long files, the longest first."""


def _file(item) -> str:
    """`papers/test_tian.py` of a test."""
    return item.path.relative_to(os.path.dirname(__file__)).as_posix()


def _rank(item) -> int:
    name = _file(item)
    return next((k for k, start in enumerate(LONGEST) if name.startswith(start)), len(LONGEST))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Long files first; every test says with which others it goes."""
    items.sort(key=_rank)
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            name = _file(item)
            group = next((group for start, group in TOGETHER.items() if name.startswith(start)), name)
            item.add_marker(pytest.mark.xdist_group(group))


def pytest_collection_finish():
    """Modules stay: the garbage collector need not look through them again and again."""
    gc.collect()
    gc.freeze()
