"""Interrupts of a run, counted in pieces of its march."""

from __future__ import annotations

from typing import Any


def interrupted_after(pieces: int) -> dict[str, Any]:
    """Keywords for `simulate` that end a run after so many pieces of its march, whatever was asked before it."""
    told: list[str] = []
    return {
        "progress": lambda stage, done, total: told.append(stage),
        "cancel": lambda: told.count("march") > pieces,
    }
