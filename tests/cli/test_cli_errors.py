"""What the user can do wrong: one sentence, exit code 2, no traceback."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import xarray

from flexarm.cli import app, main
from flexarm.errors import FlexarmError

WRONG = {
    "unknown scenario": (["run", "tokhi-azd"], "did you mean 'tokhi-azad'"),
    "missing file": (["run", "nowhere.yaml"], "nowhere.yaml"),
    "misspelt key": (["check", "tokhi-azad", "--set", "arm.payload.mas=3g"], "did you mean 'mass'"),
    "wrong unit": (["check", "tokhi-azad", "--set", "time.end=3m"], "wants s"),
    "no value": (["run", "tokhi-azad", "--set", "time.end"], "path=value"),
    "wrong path": (["run", "tokhi-azad", "--set", "arm.links.lnk.length=1m"], "did you mean 'link'"),
    "unknown figure": (["run", "tokhi-azad", "--figures", "tipp"], "did you mean 'tip'"),
    "unknown format": (["run", "tokhi-azad", "--format", "gif"], "formats are png, pdf, svg"),
    "unknown method": (["methods", "fdd"], "available: fd"),
    "unknown bundled": (["scenarios", "pd-hob"], "did you mean 'pd-hub'"),
    "unknown template": (["new", "arm", "--kind", "tree"], "single-link"),
    "no controller file": (["run", "tokhi-azad", "--controller", "no.py:law"], "no file 'no.py'"),
    "controller not wanted": (["run", "tokhi-azad", "--controller", "laws.py:bang"], "no joint has control"),
    "no such controller": (["run", "external.yaml", "--controller", "laws.py:bong"], "has no 'bong'"),
    "controller is a number": (["run", "external.yaml", "--controller", "laws.py:number"], "cannot be called"),
    "controller missing": (["run", "external.yaml"], "--controller file.py:name"),
    "checkpoint of a plain controller": (
        ["run", "external.yaml", "--controller", "laws.py:bang", "--checkpoint", "c.npz"], "run without a checkpoint"),
    "no checkpoint": (["run", "tokhi-azad", "--resume", "no.npz"], "there is no checkpoint 'no.npz'"),
    "pose too long": (["frequencies", "tokhi-azad", "--pose", "1,2"], "one for each joint (link)"),
    "pose in metres": (["frequencies", "tokhi-azad", "--pose", "1mm"], "--pose of link wants rad"),
    "rate in metres": (["realtime", "tokhi-azad", "--rate", "1km"], "--rate wants Hz"),
    "no time at all": (["realtime", "tokhi-azad", "--duration", "0s"], "--duration must be positive"),
    "realtime without controller": (["realtime", "external.yaml"], "give one with --controller"),
    "nothing to control": (["realtime", "tapered-link", "--controller", "laws.py:bang"], "driven by a torque"),
    "out is a file": (["run", "tokhi-azad", "--out", "laws.py"], "'laws.py' is a file"),
    "out is under a file": (["run", "tokhi-azad", "--out", "laws.py/out"], "is a file"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_one_sentence_and_exit_code_2(call, laws, folder, case):
    arguments, words = WRONG[case]
    answer = call(*arguments, code=2)
    assert answer.stderr.startswith("error: ") and words in answer.stderr
    assert answer.stderr.count("\n") == 1 and answer.stdout == ""
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == ["external.yaml", "laws.py"]


def test_several_problems_are_told_at_once(call):
    answer = call("check", "tokhi-azad", "--set", "time.endd=1s", "--set", "arm.payload.mas=1g", code=2)
    assert "'endd'" in answer.stderr and "'mas'" in answer.stderr


def test_a_file_that_is_not_utf8_is_refused_with_its_name(call, folder):
    (folder / "odd.yaml").write_bytes(b"name: caf\xe9\n")
    answer = call("run", "odd.yaml", code=2)
    assert answer.stderr.startswith("error: odd.yaml") and "UTF-8" in answer.stderr


def test_usage_errors_end_with_2(call):
    assert "Missing argument" in call("run", code=2).stderr
    assert "--frces" in call("run", "tokhi-azad", "--frces", code=2).stderr
    assert "locked" in call("frequencies", "tokhi-azad", "--joints", "loose", code=2).stderr


@pytest.mark.parametrize("room, kept", [(0, set()), (50_000, {"run-shortened.nc"})])
def test_a_full_disk_still_shows_the_answer_and_keeps_what_fits(call, folder, monkeypatch, room, kept):
    """The library of the data says 'NetCDF: HDF error' and leaves a torn file when the disk is full."""
    write = xarray.Dataset.to_netcdf

    def full(data, path, *arguments, **options):
        if data.nbytes > room:
            Path(path).write_bytes(b"torn")
            raise RuntimeError("NetCDF: HDF error")
        return write(data, path, *arguments, **options)

    monkeypatch.setattr(xarray.Dataset, "to_netcdf", full)
    monkeypatch.setattr("flexarm.files.shutil.disk_usage", lambda place: SimpleNamespace(free=room))
    answer = call("run", "tokhi-azad", "--set", "output.every=1ms", "--out", "out", code=2)
    assert "tip deflection" in answer.stdout
    assert "'out/run.nc' cannot be written: no space left on the disk for 1.9 MB." in answer.stderr
    assert {path.name for path in (folder / "out").iterdir()} == {"summary.json", "scenario.yaml", *kept}
    if kept:
        some = xarray.open_dataset(folder / "out" / "run-shortened.nc")
        assert "run-shortened.nc holds one record of 16, without the fields along the links" in answer.stderr
        assert some.sizes["time"] == 76 and "strain" in some and "deflection" not in some
        assert some["time"].values[1] == pytest.approx(0.016)


def test_other_trouble_with_the_data_is_not_called_a_full_disk(call, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("NetCDF: HDF error")

    monkeypatch.setattr(xarray.Dataset, "to_netcdf", broken)
    answer = call("run", "tokhi-azad", "--set", "time.end=50ms", "--out", "out", code=2)
    assert answer.stderr == "error: 'out/run.nc' cannot be written: netCDF: HDF error.\n"


@pytest.mark.parametrize("device", [device for device in (Path("/dev/full"),) if device.exists()])
@pytest.mark.parametrize("arguments", [["schema"], ["methods"]])
def test_a_full_standard_output_is_told_once(device, arguments):
    with open(device, "w") as full:
        command = [sys.executable, "-m", "flexarm.cli", *arguments]
        answer = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert answer.returncode == 2
    assert answer.stderr == "error: the output cannot be written: no space left on device\n"


def test_refusals_of_the_file_system_are_told_in_one_sentence(call, monkeypatch):
    def refuse(*arguments):
        raise PermissionError(errno.EACCES, "Permission denied", "arm.yaml")

    monkeypatch.setattr("flexarm.files.write_text", refuse)
    assert call("new", "arm", code=2).stderr == "error: 'arm.yaml': permission denied\n"


def test_unexpected_exceptions_keep_their_traceback(monkeypatch):
    def broken():
        raise ZeroDivisionError("a mistake of the program")

    monkeypatch.setattr("flexarm.scenario.json_schema", broken)
    monkeypatch.setattr(sys, "argv", ["flexarm", "schema"])
    with pytest.raises(ZeroDivisionError):
        main()


def test_errors_do_not_leave_the_command_line_as_exceptions(monkeypatch, capsys):
    def broken():
        raise FlexarmError("nothing works")

    monkeypatch.setattr("flexarm.scenario.json_schema", broken)
    with pytest.raises(SystemExit) as end:
        app(["schema"])
    assert end.value.code == 2 and capsys.readouterr().err == "error: nothing works\n"
