"""Figures into files: by name, whole or not at all, never over another file."""

import errno
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure
from PIL import Image

from flexarm.errors import OutputError
from flexarm.view import FIGURES, available, draw, figure, save


def test_everything_available_is_written(single, tmp_path):
    shares = []
    written = draw(
        single,
        "all",
        tmp_path / "deep" / "folder",
        size="column",
        progress=lambda _, done, total: shares.append(done / total),
    )
    assert [path.stem for path in written] == available(single)
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert sorted(path.name for path in (tmp_path / "deep" / "folder").iterdir()) == sorted(p.name for p in written)
    with Image.open(written[0]) as image:
        assert image.info["dpi"][0] == pytest.approx(200, abs=0.1)
        assert image.width == pytest.approx(3.5 * 200, abs=1)
        assert image.mode == "RGB" and image.info["Title"] == FIGURES[written[0].stem].title


def test_formats_and_the_same_figure_is_the_same_file(single, tmp_path):
    first, second = (draw(single, "tip", tmp_path / f, ("png", "pdf", "svg"), size="column") for f in "ab")
    assert [path.name for path in first] == ["tip.png", "tip.pdf", "tip.svg"]
    starts = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}
    for path, again in zip(first, second, strict=True):
        content = path.read_bytes()
        assert content.startswith(starts[path.suffix[1:]]) and len(content) > 5000
        assert content == again.read_bytes()


def test_garbage_is_collected_again_after_the_figures(single, tmp_path):
    import gc

    seen = []
    draw(single, "tip", tmp_path, progress=lambda *told: seen.append(gc.isenabled()))
    assert seen == [False] and gc.isenabled()
    with pytest.raises(OutputError):
        draw(single, "tip", tmp_path / "tip.png" / "below")
    assert gc.isenabled()


def test_nothing_is_overwritten_and_nothing_half_done(single, tmp_path):
    (tmp_path / "torque.png").write_text("mine")
    with pytest.raises(OutputError, match=r"torque\.png' already exists; choose another place"):
        draw(single, ["tip", "torque"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["torque.png"]
    assert (tmp_path / "torque.png").read_text() == "mine"
    draw(single, "torque", tmp_path, force=True)
    assert (tmp_path / "torque.png").read_bytes().startswith(b"\x89PNG")


def test_unknown_names_get_the_nearest(single, tmp_path):
    with pytest.raises(OutputError, match=r"There is no figure 'torques'\. Did you mean 'torque'.*tip_error"):
        draw(single, ["tip", "torques"], tmp_path)
    with pytest.raises(OutputError, match=r"There is no figure 'zzz'\. Figures are: tip,"):
        draw(single, "zzz", tmp_path)
    with pytest.raises(OutputError, match="no figure format 'jpg'; formats are png, pdf, svg"):
        draw(single, "tip", tmp_path, formats=("jpg",))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("lost", "name", "words"),
    [
        (["strain"], "strain", "needs 'strain'.*output.gauges"),
        (["shape"], "arm", "needs 'shape'.*output.stations"),
        (["energy"], "energy", "needs 'energy'"),
        (
            ["joint_torque", "drive_torque"],
            "torque",
            "needs 'joint_torque' or 'drive_torque' or 'rigid_torque'",
        ),
        (["deflection", "shape"], "surface", "needs 'deflection' or 'shape'"),
        (["tip_deflection"], "tip_error", "needs 'tip_error' or 'tip_deflection' or 'path_error'"),
    ],
)
def test_missing_variables_are_refused_in_words(single, without, tmp_path, lost, name, words):
    poor = without(single, *lost)
    assert name not in available(poor)
    with pytest.raises(OutputError, match=words):
        draw(poor, [name], tmp_path)
    with pytest.raises(OutputError, match=words):
        FIGURES[name].function(poor)


def test_a_surface_of_several_links_and_modes_without_frequencies_are_refused(planar, modes):
    with pytest.raises(OutputError, match="single link, and this one has 2"):
        figure(planar, "surface")
    with pytest.raises(OutputError, match="mode shapes"):
        figure(planar, "modes")
    with pytest.raises(OutputError, match="mode shapes"):
        figure(planar, "modes", frequencies=[12.0, 36.0])
    assert "modes" in available(planar, modes["planar"])


def test_too_short_a_run_is_refused(single):
    short = SimpleNamespace(data=single.data.isel(time=slice(0, 1)), scenario=None)
    assert available(short) == []
    with pytest.raises(OutputError, match="at least 2 instants, and this result has 1"):
        figure(short, "tip")
    with pytest.raises(OutputError, match="nothing that a figure could show"):
        draw(short)
    few = SimpleNamespace(data=single.data.isel(time=slice(0, 6)), scenario=None)
    assert "tip" in available(few) and "spectrum" not in available(few)


def test_a_full_disk_leaves_no_half_file(single, tmp_path, monkeypatch):
    def full(self, content, **options):
        (self if isinstance(self, Path) else content).open("wb").write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    for kind in ("png", "pdf"):
        with pytest.raises(OutputError, match=rf"tip\.{kind}' cannot be written: no space left on device"):
            draw(single, "tip", tmp_path, kind)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_explained(single, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be made"):
        draw(single, "tip", tmp_path / "file")
    (tmp_path / "tip.png").mkdir()
    with pytest.raises(OutputError, match="is a folder"):
        draw(single, "tip", tmp_path, force=True)


def test_one_figure_can_be_saved_by_hand(single, tmp_path):
    made = figure(single, "energy", size="column")
    assert save(made, tmp_path / "e.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(OutputError, match="should end in"):
        save(made, tmp_path / "e.docx")


def test_import_is_light_and_pyplot_stays_out():
    code = (
        "import sys, flexarm.view; assert not {'matplotlib', 'xarray', 'scipy'} & set(sys.modules);"
        "from flexarm.view.style import new_figure; new_figure('wide', 2.0);"
        "import matplotlib.animation; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
