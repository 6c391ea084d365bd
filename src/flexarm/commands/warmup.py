"""`flexarm warmup`: compile all kernels now, so that no later run has to."""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, get_args

import typer

from flexarm.commands.console import remark
from flexarm.commands.numbers import seconds

LINK = "{name: link, length: 1 m, section: {area: 1e-4 m^2, inertia: 1e-10 m^4}, material: aluminium, "
HUB = "joint: {hub_inertia: 1e-3 kg*m^2}}"
TINY = f"""\
name: warm-up
arm: {{links: [{LINK}{HUB}]}}
drive: [{{joint: link, torque: {{profile: constant, amplitude: 0.1 N*m}}}}]
method: {{name: fd, resolution: 6}}
time: {{end: 5 ms, step: 0.05 ms}}
"""
TURN = "joint: link, motion: {profile: quintic, by: 1 deg, duration: 5 ms}"
HELD, MOVED = f"[{{{TURN}, control: {{type: pd, kp: 1, kv: 0.1}}}}]", f"[{{{TURN}}}]"
DRIVES = {"torque": None, "control": HELD, "motion": MOVED}
AS_PRINTED = {"drive": MOVED, "method.variant": "paper", "time.step": "2.5 ms"}
ON_DEMAND = {"theory": "quasi-static", "integrator": "conserving"}
"""Options, and the words for which kernels are compiled that no other run needs."""
Job = tuple[str, dict[str, Any]]
"""What it is called, and what it changes in the tiny scenario."""


def warmup() -> None:
    """Compile all kernels now, so that later runs start at once."""
    from flexarm.commands.progress import Bar
    from flexarm.numerics.jit import cache_root
    from flexarm.numerics.laws import load_hydraulics

    began = time.perf_counter()
    jobs = _jobs()
    workers = min(len(jobs), os.cpu_count() or 1)
    with Bar("compiling") as bar, ProcessPoolExecutor(workers) as pool:
        bar("kernels", 0, len(jobs))
        runs = [pool.submit(_run, job) for job in jobs]
        oil = pool.submit(load_hydraulics)
        for k, done in enumerate(as_completed(runs)):
            name, took = done.result()
            bar(name, k + 1, len(jobs))
            remark(f"{name}: {seconds(took)}")
        oil.result()
    typer.echo(f"all kernels are compiled, {seconds(time.perf_counter() - began)}")
    typer.echo(f"they are kept in {cache_root()}")


def _jobs() -> list[Job]:
    """Every method with every time scheme that it offers, in the plane and, where it can, in space; long ones first."""
    from flexarm.methods import get_method, method_names
    from flexarm.numerics.jit import kernel_sources

    shared = set(kernel_sources())
    found: list[tuple[float, Job]] = []
    for name in method_names():
        plain = {"method.name": name}
        schemes = [each for each in _choices(name, "scheme") if each != "auto"]
        jobs = [(f"{name} {scheme}", {**plain, "method.scheme": scheme}) for scheme in schemes] or [(name, plain)]
        if get_method(name).capabilities.spatial:
            jobs.append((f"{name} in space", {**plain, "arm.links.link.joint.dh": "{a: 1 m}"}))
        sources = {*kernel_sources(name)} - shared
        found += [(sum(path.stat().st_size for path in sources) / len(jobs), job) for job in jobs]
    return [job for _, job in sorted(found, key=lambda pair: -pair[0])]


def _choices(name: str, option: str) -> tuple[Any, ...]:
    """Words that an option of a method may be; none if it has no such option."""
    from flexarm.methods import get_method

    field: Any = get_method(name).Options.model_fields.get(option)
    return get_args(field.annotation) if field is not None else ()


def _run(job: Job) -> tuple[str, float]:
    """A few steps with every kind of drive, as a whole and on-line, and as its document has it; how long it took."""
    import flexarm as fa

    began = time.perf_counter()
    name, changes = job
    for drive in DRIVES.values():
        own = changes if drive is None else {**changes, "drive": drive}
        scenario = fa.loads(TINY, overrides=own)
        fa.simulate(scenario)
        simulator = fa.Simulator(scenario, period="1 ms")
        simulator.reset()
        simulator.step()
    for option, word in ON_DEMAND.items():
        if word in _choices(changes["method.name"], option):
            fa.simulate(fa.loads(TINY, overrides=changes | {"drive": MOVED, f"method.{option}": word}))
    if "paper" in _choices(changes["method.name"], "variant") and "method.scheme" not in changes:
        fa.simulate(fa.loads(TINY, overrides=changes | AS_PRINTED))
    return name, time.perf_counter() - began
