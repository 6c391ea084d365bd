"""`flexarm warmup`: compile all kernels now, so that no later run has to."""

from __future__ import annotations

import time
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


def warmup() -> None:
    """Compile all kernels now, so that later runs start at once."""
    from flexarm.commands.progress import Bar
    from flexarm.numerics.jit import cache_folder

    began = time.perf_counter()
    jobs = [(method, scheme, drive) for method, scheme in _schemes() for drive in DRIVES]
    with Bar("compiling kernels") as bar:
        for k, (method, scheme, drive) in enumerate(jobs):
            bar(k, len(jobs))
            since = time.perf_counter()
            _run_tiny(method, scheme, drive)
            remark(f"{method} {scheme} with {drive}: {seconds(time.perf_counter() - since)}")
    typer.echo(f"all kernels are compiled, {seconds(time.perf_counter() - began)}")
    typer.echo(f"they are kept in {cache_folder()}")


def _schemes() -> list[tuple[str, str]]:
    """Every method with every time scheme that it offers."""
    from flexarm.methods import get_method, method_names

    found = []
    for name in method_names():
        field: Any = get_method(name).Options.model_fields.get("scheme")
        schemes = [each for each in get_args(field.annotation) if each != "auto"] if field is not None else [""]
        found += [(name, scheme) for scheme in schemes]
    return found


def _run_tiny(method: str, scheme: str, drive: str) -> None:
    """A few steps as a whole and on-line."""
    import flexarm as fa

    changes: dict[str, Any] = {"method.name": method}
    if scheme:
        changes["method.scheme"] = scheme
    if DRIVES[drive] is not None:
        changes["drive"] = DRIVES[drive]
    plan = fa.loads(TINY, overrides=changes)
    fa.simulate(plan)
    simulator = fa.Simulator(plan, period="1 ms")
    simulator.reset()
    simulator.step()
