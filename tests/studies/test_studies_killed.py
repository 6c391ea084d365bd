"""Clients that are killed in the middle: what is done is kept, and the table has the same bits in the end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import xarray

import flexarm as fa

VARY = {"arm.payload.mass": {"distribution": "uniform", "low": "0.01 kg", "high": "0.5 kg"}}
KEEP = {"bend": "tip_deflection_peak", "torque": "joint_torque_peak.upper"}
DESIGN = {"runs": 400, "seed": 3}
CLIENT = f"""
import flexarm as fa
fa.study("naganathan-flexible", {VARY!r}, {KEEP!r}, design={DESIGN!r}, workers=2, folder="FOLDER")
"""


def workers_of(place: str) -> list[str]:
    """Processes whose surroundings say that they belong to the client in this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        if f"STUDY_OF={place}".encode() in content:
            found.append(path.parent.name)
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are looked up in /proc")
@pytest.mark.document
def test_a_client_that_is_killed(tmp_path: Path) -> None:
    """A script without a guard around its main part, two processes, kill -9 after some chunks, then on with one process."""
    folder = tmp_path / "kept"
    script = tmp_path / "client.py"
    script.write_text(CLIENT.replace("FOLDER", str(folder)))
    client = subprocess.Popen([sys.executable, str(script)], env={**os.environ, "STUDY_OF": str(tmp_path)})
    try:
        end = time.monotonic() + 300
        while len(list(folder.glob("chunks/[0-9]*.chunk"))) < 3 and time.monotonic() < end and client.poll() is None:
            time.sleep(0.05)
    finally:
        client.kill()
        client.wait()
    end = time.monotonic() + 60
    while workers_of(str(tmp_path)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not workers_of(str(tmp_path))  # they do not outlive their client
    kept = len(list(folder.glob("chunks/[0-9]*.chunk")))
    assert kept >= 3
    again = fa.study("naganathan-flexible", VARY, KEEP, design=DESIGN, workers=1, folder=folder, resume=True)
    whole = fa.study("naganathan-flexible", VARY, KEEP, design=DESIGN, workers=1)
    xarray.testing.assert_identical(again.data, whole.data)


@pytest.mark.document
def test_many_random_rows_are_the_runs_of_simulate() -> None:
    """Part of the bundled study of a million links."""
    import numpy as np

    table = fa.study("million-links", design={"runs": 20_000}, workers=1)
    base = fa.load("tokhi-azad").with_({"time.step": "1 ms", "method.scheme": "exact"})
    names = table.variables
    for run in np.random.default_rng(5).integers(0, 20_000, 60):
        values = {name: f"{float(table.data[name][run])!r} {table.unit(name)}" for name in names}
        data = fa.simulate(base.with_(values), warn=False, notes=False).data
        late = data.time.values >= 0.9 - 1e-12
        wanted = [
            data.travel.values.max(), data.joint_position.values[-1, 0], np.abs(data.strain.values[:, 0]).max(),
            np.ptp(data.travel.values[late]),
        ]  # fmt: skip
        found = [float(table.data[name][run]) for name in ("travel", "turned", "strain", "ringing")]
        assert np.allclose(found, wanted, rtol=1e-9, atol=0.0)
