"""A word before the first run, which compiles the kernels and is slow."""

from __future__ import annotations

from flexarm.commands.console import remark


def announce_compiling(*methods: str) -> None:
    """Say so if kernels of these methods (all, if none is named) will have to be compiled."""
    from flexarm.methods import method_names
    from flexarm.numerics.jit import cache_is_warm

    if not all(cache_is_warm(name) for name in methods or method_names()):
        remark("compiling kernels (only on the first run) ...")
