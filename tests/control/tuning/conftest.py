"""Tests of the search itself belong to the extra `tune`: without Optuna they are not collected."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("optuna") else ["test_search.py"]
