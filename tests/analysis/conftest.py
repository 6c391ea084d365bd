"""Tests that need python-control (extra `control`) run where it is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("control") else ["test_bode.py"]
