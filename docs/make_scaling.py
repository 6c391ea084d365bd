"""The figures of the page on scaling, measured anew: ``python docs/make_scaling.py``. Processor times: other work matters little."""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

import numpy as np

import flexarm as fa
from flexarm.scenario.node import wrap
from flexarm.studies.chunk import Chunk
from flexarm.studies.file import make_plan
from flexarm.studies.places import packed_plan
from flexarm.studies.store import Store

RUNS = {
    "tokhi-azad": (2560, "arm.payload.mass", "max(travel)"),
    "naganathan-flexible": (60, "arm.payload.mass", "tip_deflection_peak"),
    "li-zhang-three-link": (60, "arm.payload.mass", "tip_deflection_peak"),
    "ralf": (20, "arm.payload.mass", "tip_deflection_peak"),
    "naganathan-3r": (20, "arm.payload.mass", "tip_deflection_peak"),
    "tian-circle": (6, "arm.payload.mass", "path_error_peak"),
}
FAKES = (1, 4, 16, 32)


def throughput() -> None:
    """Processor time of a run in a study, scenario by scenario."""
    print("| scenario | method | processor time of a run | runs per second and core |\n|---|---|---|---|")
    for name, (count, field, kept) in RUNS.items():
        scenario = fa.load(name)
        vary = {field: {"distribution": "uniform", "low": "1 g", "high": "50 g"}}
        table = fa.study(scenario, vary, {"kept": kept}, design={"runs": count}, workers=1)
        each = table.timing["processor"] / count
        print(f"| `{name}` | {scenario.method.name} | {1e3 * each:.3g} ms | {1 / each:.3g} |", flush=True)


def nothing(content: bytes, start: int, stop: int) -> Chunk:
    """A chunk that costs nothing to compute: four numbers of each run."""
    return Chunk(
        start, stop, np.zeros((stop - start, 4)), np.zeros((stop - start, 0, 0)), np.zeros(stop - start, np.uint8), {}
    )


def scheduler() -> None:
    """Processor time of scheduler, client and idle workers for a chunk, with many workers that do nothing."""
    from distributed import Client, LocalCluster

    plan = make_plan(
        wrap({"scenario": "tokhi-azad", "vary": {"arm.payload.mass": ["1 g"]}, "keep": ["max(travel)"]}, "")
    )
    content = packed_plan(plan)
    print(f"\nplan: {len(content)} bytes\n\n| workers | chunks per second | processor time of a chunk |\n|---|---|---|")
    for workers in FAKES:
        local = {"n_workers": workers, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
        with LocalCluster(**local) as cluster, Client(cluster) as client, client.get_executor(pure=False) as executor:
            list(executor.map(nothing, [content] * 64, range(64), range(1, 65)))
            count, began, used = 500, time.perf_counter(), time.process_time()
            futures = [executor.submit(nothing, content, 1000 * k, 1000 * (k + 1)) for k in range(count)]
            for future in futures:
                future.result()
            used, took = time.process_time() - used, time.perf_counter() - began
        print(f"| {workers} | {count / took:.0f} | {1e3 * used / count:.2g} ms |", flush=True)


def files() -> None:
    """Time and size of a chunk on disk."""
    plan = make_plan(
        wrap({"scenario": "tokhi-azad", "vary": {"arm.payload.mass": ["1 g"]}, "keep": ["max(travel)"]}, "")
    )
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "study", plan)
        for runs in (100, 10_000):
            used, count = time.process_time(), 100
            for k in range(count):
                store.add(nothing(b"", k * runs, (k + 1) * runs))
            used = time.process_time() - used
            sizes = [path.stat().st_size for path in (store.folder / "chunks").iterdir()]
            print(f"\nchunk of {runs} runs with four numbers: {1e3 * used / count:.2g} ms, {max(sizes)} bytes on disk")


if __name__ == "__main__":
    files()
    scheduler()
    throughput()
    print(f"\nmemory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
