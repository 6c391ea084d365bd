"""Runs that were stored: opened as they were, and drawn again."""

from __future__ import annotations

import pytest
import xarray

import flexarm as fa


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    result = fa.simulate("pd-hub")
    path = result.save(tmp_path_factory.mktemp("stored") / "run.nc")
    return result, path


def test_a_stored_run_is_opened_as_it_was(stored):
    result, path = stored
    for place in (path, path.parent):
        again = fa.open_result(place)
        xarray.testing.assert_equal(again.data, result.data)
        assert again.summary() == result.summary() and again.scenario == result.scenario
        assert (again.outcome, again.notes) == (result.outcome, result.notes)
        assert again.data.tip_deflection.attrs == result.data.tip_deflection.attrs


def test_a_figure_of_a_stored_run_is_the_same_file(stored, call, folder):
    result, path = stored
    said = call("plot", str(path), "--figures", "torque", "--out", "again").stdout
    assert "wrote torque.png in again" in said
    from flexarm.view import draw

    draw(result, "torque", "first")
    assert (folder / "again/torque.png").read_bytes() == (folder / "first/torque.png").read_bytes()
    assert "already exists" in call("plot", str(path), "--figures", "torque", "--out", "again", code=2).stderr
    call("plot", str(path.parent), "--figures", "modes", "--format", "svg", "--out", "modes")
    assert (folder / "modes/modes.svg").exists()


def test_what_is_no_run_is_refused_with_a_sentence(call, folder):
    assert "there is no file 'none.nc'" in call("plot", "none.nc", code=2).stderr
    (folder / "text.nc").write_text("text")
    assert "'text.nc' cannot be read as NetCDF" in call("plot", "text.nc", code=2).stderr
    xarray.Dataset({"x": 1.0}).to_netcdf(folder / "other.nc")
    assert "'other.nc' is no run of flexarm" in call("plot", "other.nc", code=2).stderr
    assert (
        "there is no figure 'tipp'; did you mean 'tip'" in call("plot", "other.nc", "--figures", "tipp", code=2).stderr
    )


def test_several_runs_are_laid_over_each_other(stored, call, folder):
    _, path = stored
    other = fa.simulate(fa.load("pd-hub", ["arm.payload.mass=30g"])).save(folder / "heavy.nc")
    said = call(
        "plot", str(path), str(other), "--signals", "tip_error:y,drive_torque", "--out", "both", "--format", "svg"
    )
    assert "wrote overlay.svg in both" in said.stdout
    assert "already exists" in call("plot", str(path), str(other), "--out", "both", "--format", "svg", code=2).stderr
    assert "choose --signals" in call("plot", str(path), str(other), "--figures", "tip", code=2).stderr
    assert "--signals is for several runs" in call("plot", str(path), "--signals", "tip_error", code=2).stderr
    assert (
        "did you mean 'drive_torque'" in call("plot", str(path), str(other), "--signals", "drive_torqe", code=2).stderr
    )
