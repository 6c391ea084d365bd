"""Films: the right instants, the right pace, and whole files only."""

from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from flexarm.errors import OutputError
from flexarm.view import animate
from flexarm.view.film import MOST_FRAMES, at_instant, film
from flexarm.view.rigid_arm import rigid_shape


@pytest.mark.parametrize("arm", ["single", "planar", "spatial"])
def test_a_film_is_written(results, arm, tmp_path):
    shares = []
    path = animate(
        results[arm], tmp_path / "film.gif", fps=10, progress=lambda _, done, total: shares.append(done / total)
    )
    with Image.open(path) as image:
        assert image.n_frames == len(shares) == 13
        assert image.info["loop"] == 0
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


def test_slow_motion_shows_more_pictures():
    time = np.linspace(0.0, 1.2, 1201)
    frames, hundredths, speed = film(time, 25.0, 0.25, 8.0)
    assert (len(frames), hundredths, speed) == (121, 4, 0.25)
    assert np.diff(frames) == pytest.approx(0.25 * 0.04)


@pytest.mark.parametrize(("end", "fps", "speed", "longest"), [(60.0, 25.0, 1.0, 8.0), (3.0, 50.0, 0.1, 100.0)])
def test_a_long_run_is_shown_as_a_whole_but_faster(end, fps, speed, longest):
    time = np.linspace(0.0, end, 501)
    frames, hundredths, pace = film(time, fps, speed, longest)
    assert frames[0] == 0.0 and frames[-1] == end
    assert len(frames) <= MOST_FRAMES
    assert 0.01 * hundredths * (len(frames) - 1) <= longest + 1e-9
    assert pace > speed
    assert np.diff(frames) == pytest.approx(pace * 0.01 * hundredths)


def test_pictures_per_second_become_whole_hundredths():
    time = np.linspace(0.0, 1.0, 11)
    frames, hundredths, _ = film(time, 30.0, 1.0, 8.0)
    assert hundredths == 3 and frames[1] == pytest.approx(0.03)
    assert len(film(time[:1], 25.0, 1.0, 8.0)[0]) == 1


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
    with pytest.raises(OutputError, match=r"should end in '.gif'"):
        animate(single, tmp_path / "film.mp4")
    with pytest.raises(OutputError, match="speed is 0; it must be positive"):
        animate(single, tmp_path / "film.gif", speed=0)
    with pytest.raises(OutputError, match="fps is 200; it must be positive and at most 50"):
        animate(single, tmp_path / "film.gif", fps=200)
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
