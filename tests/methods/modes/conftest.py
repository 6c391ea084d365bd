"""The derivation by sympy (extra `dev`) is tested where sympy is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("sympy") else ["test_modes_sympy.py"]
