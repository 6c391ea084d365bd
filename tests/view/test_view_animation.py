"""Films: the right instants, the right pace, and whole files only."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from flexarm.errors import OutputError
from flexarm.view import animate
from flexarm.view.film import at_instant, film
from flexarm.view.rigid_arm import rigid_shape
from flexarm.view.scene import Scene
from flexarm.view.style import styled


@pytest.mark.parametrize("arm", ["single", "planar", "spatial"])
def test_a_film_is_written(results, arm, tmp_path):
    shares = []
    path = animate(
        results[arm],
        tmp_path / "film.gif",
        fps=10,
        speed=1.0,
        progress=lambda _, done, total: shares.append(done / total),
    )
    with Image.open(path) as image:
        assert image.n_frames == len(shares) == 13
        assert image.info["loop"] == 0 and image.width == 800
        lengths, pictures = [], []
        for k in range(image.n_frames):
            image.seek(k)
            lengths.append(image.info["duration"])
            pictures.append(np.asarray(image.convert("L"), dtype=int))
    assert set(lengths[:-1]) == {100}
    assert lengths[-1] == 900, "the last picture stays"
    assert np.abs(pictures[6] - pictures[0]).max() > 100, "the arm moves"
    assert all(picture[-1, 0] == 255 for picture in pictures), "the paper is white"
    assert shares == pytest.approx(np.arange(1, 14) / 13)
    assert path.stat().st_size < 200_000
    assert [p.name for p in tmp_path.iterdir()] == ["film.gif"]


@pytest.mark.parametrize("width", [None, 641])
def test_a_film_for_video_players(planar, tmp_path, width):
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="MP4 films need imageio-ffmpeg, the extra 'video'")
    path = animate(planar, tmp_path / "film.mp4", fps=5, speed=0.5, width=width)
    reader = ffmpeg.read_frames(str(path))
    facts = next(reader)
    wide, high = facts["size"]
    assert facts["codec"] == "h264" and facts["fps"] == 5.0
    assert wide == (1280 if width is None else 640) and high % 2 == 0
    pictures = [np.frombuffer(picture, dtype=np.uint8).reshape(high, wide, 3).astype(int) for picture in reader]
    assert len(pictures) == 13 + 4, "1.2 s at half speed with both ends, and 0.8 s of the last picture"
    scene = styled(Scene)(planar, 0.5, wide)
    for k, instant in ((0, 0.0), (6, 0.6), (12, 1.2), (16, 1.2)):
        wanted = np.asarray(scene.picture(instant), dtype=int)
        assert np.abs(pictures[k] - wanted).mean() < 0.7, "packing changes it a little"
    assert np.abs(pictures[12] - pictures[0]).mean() > 1.5, "the arm moves"


def test_without_the_package_the_sentence_says_what_to_install(planar, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(OutputError, match=r"pip install 'flexarm\[video\]', or write a gif"):
        animate(planar, tmp_path / "film.mp4")
    assert not list(tmp_path.iterdir())


def test_slow_motion_shows_more_pictures():
    time = np.linspace(0.0, 1.2, 1201)
    frames, speed = film(time, 0.04, 0.25, 8.0, 200)
    assert (len(frames), speed) == (121, 0.25)
    assert np.diff(frames) == pytest.approx(0.25 * 0.04)


@pytest.mark.parametrize(("end", "period", "speed", "longest"), [(60.0, 0.04, 1.0, 8.0), (3.0, 0.02, 0.1, 100.0)])
def test_a_long_run_is_shown_as_a_whole_but_faster(end, period, speed, longest):
    time = np.linspace(0.0, end, 501)
    frames, pace = film(time, period, speed, longest, 200)
    assert frames[0] == 0.0 and frames[-1] == end
    assert len(frames) <= 200
    assert period * (len(frames) - 1) <= longest + 1e-9
    assert pace > speed
    assert np.diff(frames) == pytest.approx(pace * period)


@pytest.mark.parametrize(
    ("end", "speed"), [(25.0, 1.0), (4.0, 1.0), (2.0, 0.5), (1.2, 0.2), (0.5, 0.1), (0.012, 0.002)]
)
def test_short_runs_are_slowed_down_until_they_can_be_seen(end, speed):
    frames, pace = film(np.linspace(0.0, end, 101), 0.04, None, 30.0, 10_000)
    assert pace == pytest.approx(speed)
    assert len(frames) * 0.04 >= min(4.0, end / speed)


def test_pictures_per_second_of_a_gif_become_whole_hundredths(single, tmp_path):
    with Image.open(animate(single, tmp_path / "film.gif", fps=30.0, speed=1.0, width=200)) as image:
        assert image.info["duration"] == 30 and image.n_frames == 41 and image.width == 200
    assert len(film(np.zeros(1), 0.04, 1.0, 8.0, 200)[0]) == 1


def test_between_records_motion_is_linear():
    time = np.array([0.0, 1.0, 3.0])
    array = np.array([[0.0, 0.0], [1.0, 2.0], [5.0, 2.0]])
    assert at_instant(time, array, 2.0) == pytest.approx([3.0, 2.0])
    assert at_instant(time, array, 3.0) == pytest.approx([5.0, 2.0])
    assert at_instant(time, array, 0.0) == pytest.approx([0.0, 0.0])


def test_a_film_that_fails_leaves_nothing(single, tmp_path):
    def stop(*told):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        animate(single, tmp_path / "film.gif", progress=stop)
    assert not list(tmp_path.iterdir())


def test_wrong_requests_are_refused(single, without, tmp_path):
    with pytest.raises(OutputError, match=r"should end in '.gif' or '.mp4'"):
        animate(single, tmp_path / "film.avi")
    with pytest.raises(OutputError, match="speed is 0; it must be positive"):
        animate(single, tmp_path / "film.gif", speed=0)
    with pytest.raises(OutputError, match="fps is 200; it must be positive and at most 50"):
        animate(single, tmp_path / "film.gif", fps=200)
    with pytest.raises(OutputError, match="width is 100000; it must be positive and at most 4096"):
        animate(single, tmp_path / "film.gif", width=100_000)
    with pytest.raises(OutputError, match="needs 'shape'"):
        animate(without(single, "shape"), tmp_path / "film.gif")
    (tmp_path / "film.gif").write_text("mine")
    with pytest.raises(OutputError, match="already exists"):
        animate(single, tmp_path / "film.gif")
    assert (tmp_path / "film.gif").read_text() == "mine"


def test_the_rigid_single_link_is_straight_and_as_long(single):
    points, words = rigid_shape(single)
    ends = points[:, 0, -1] - points[:, 0, 0]
    angle = single.data["joint_position"].values[:, 0]
    assert words == "rigid arm at actual joints"
    assert np.arctan2(ends[:, 1], ends[:, 0]) == pytest.approx(angle)
    assert np.linalg.norm(ends, axis=1) == pytest.approx(0.96)


def test_the_rigid_arm_follows_from_the_scenario(planar, without):
    from flexarm.arm import Arm

    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel"}
    arm = Arm(links=[{"name": "upper", "length": 1.0, **rod}, {"name": "fore", "length": 0.8, **rod}])
    assert rigid_shape(planar) is None
    known = SimpleNamespace(data=planar.data, scenario=SimpleNamespace(arm=arm))
    points, words = rigid_shape(known)
    rigid_tip = planar.data["tip_position"].values - planar.data["tip_deflection"].values
    assert words == "rigid arm at actual joints"
    assert points[:, 1, -1] == pytest.approx(rigid_tip)
    data = planar.data.assign(commanded_position=planar.data["motor_position"])
    points, words = rigid_shape(SimpleNamespace(data=data, scenario=known.scenario))
    assert words == "rigid arm at commanded joints"
    assert points[:, 1, -1] == pytest.approx((planar.data["tip_position"] - planar.data["tip_error"]).values)
