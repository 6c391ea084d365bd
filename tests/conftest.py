"""Shared by all tests. The folder of this file is on the path, so that tests of any room can use `single_link`."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait for each other

from hypothesis import settings

settings.register_profile("calm", deadline=None, derandomize=True)
settings.load_profile("calm")
