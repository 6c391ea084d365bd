"""A word before the first run, which compiles the kernels and is slow."""

from __future__ import annotations

from flexarm.commands.console import remark


def announce_compiling() -> None:
    """Say so if kernels will have to be compiled."""
    from flexarm.numerics.jit import cache_is_warm

    if not cache_is_warm():
        remark("compiling kernels (only on the first run) ...")
