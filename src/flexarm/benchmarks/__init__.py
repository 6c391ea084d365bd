"""Speed: each method beside Exudyn on the same model, beside a plain C loop, by size, and at its start.

    from flexarm.benchmarks import bench
    found = bench(["fem"], repeats=5)
    print(found.contests[0].entries)

`bench_against(python)` puts this installation beside another one, as `flexarm bench --against` does.

Everything is measured when it is asked for; nothing is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexarm.benchmarks.against import Against, bench_against
    from flexarm.benchmarks.frame import Contest, Findings, Growth
    from flexarm.benchmarks.measure import bench

BENCHES = {
    "fd": "fd",
    "fem": "fem",
    "fem-spatial": "space",
    "segments": "segments",
    "modes": "modes",
    "ancf": "ancf",
    "ticks": "ticks",
}
"""Name of each bench and its file, which gives `contests(repeats)` and `growths(repeats)`."""

_PLACES = {
    "Against": "against", "Contest": "frame", "Findings": "frame", "Growth": "frame", "bench": "measure",
    "bench_against": "against",
}  # fmt: skip
__all__ = ["BENCHES", "Against", "Contest", "Findings", "Growth", "bench", "bench_against"]


def __getattr__(name: str) -> Any:
    import importlib

    if name in _PLACES:
        return getattr(importlib.import_module(f"flexarm.benchmarks.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'flexarm.benchmarks' has no attribute '{name}'")
