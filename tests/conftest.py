"""Shared by all tests. The folder of this file is on the path, so that tests of any room can use `single_link`."""

from hypothesis import settings

settings.register_profile("calm", deadline=None, derandomize=True)
settings.load_profile("calm")
