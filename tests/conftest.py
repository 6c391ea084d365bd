"""Shared by all tests. The folder of this file is on the path, so that tests of any room can use `single_link`.

Workers take whole files. Files that share a costly fixture or kept runs go to one worker together, and what takes longest
is begun first, so that two workers end at about the same time.
"""

import gc
import os

import pytest
from hypothesis import settings

settings.register_profile("calm", deadline=None, derandomize=True)
settings.load_profile("calm")

TOGETHER = {
    "papers/test_tokhi_azad": "tokhi-azad",
    "papers/test_papers_report": "tokhi-azad",
    "generic/test_generic_energy": "bundled runs",
    "generic/test_generic_restart": "bundled runs",
}
"""Parts of file names, and what they go by."""
LONGEST = (
    "docs/", "papers/", "view/test_view_figures", "generic/", "simulation/test_cylinders", "methods/fd/test_fd_conf",
    "methods/fd/test_fd_step", "methods/modes/", "methods/fem/", "methods/segments/", "methods/fd/", "methods/ancf/",
)  # fmt: skip
"""Beginnings of the names of long files, the longest first."""


def _rank(item) -> int:
    name = item.path.relative_to(os.path.dirname(__file__)).as_posix()
    return next((k for k, start in enumerate(LONGEST) if name.startswith(start)), len(LONGEST))


def pytest_collection_modifyitems(items):
    """Long files first."""
    items.sort(key=_rank)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Whole files to a worker, and those of `TOGETHER` to the same one."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return next((group for part, group in TOGETHER.items() if part in file), file)

    return Together(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish():
    """Modules stay: the garbage collector need not look through them again and again."""
    gc.collect()
    gc.freeze()
