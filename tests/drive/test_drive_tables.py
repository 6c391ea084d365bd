"""Tables from CSV files: reading, units, interpolation, and a sentence for every fault."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from flexarm.drive.profiles import MotionSequence, TorqueSequence, motion_signal, torque_signal

MOTION, TORQUE = TypeAdapter(MotionSequence), TypeAdapter(TorqueSequence)
GOOD = "time_s,q1,q2\n0.0,0.0,10\n0.1,1.0,20\n0.2,4.0,10\n0.4,2.0,40\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "log.csv").write_text(GOOD)
    return tmp_path


def signal(make, adapter, item, folder, **context):
    parsed = adapter.validate_python({"profile": "table", **item}, context={"folder": folder, **context})
    return make(parsed, 0.0) if make is motion_signal else make(parsed)


def test_cubic_motion_passes_through_the_samples_with_continuous_acceleration(folder):
    s = signal(motion_signal, MOTION, {"file": "log.csv", "column": "q1"}, folder)
    f = s.evaluate(np.array([0.0, 0.1, 0.2, 0.4]), 0.05)
    np.testing.assert_allclose(f[0], [0.0, 1.0, 4.0, 2.0], atol=1e-12)
    np.testing.assert_allclose(f[1, [0, 3]], 0.0, atol=1e-12)
    assert s.breaks(9.0) == [0.4]
    assert s.finest == pytest.approx(0.1)
    eps = 1e-9
    for knot in (0.1, 0.2):
        near = s.evaluate(np.array([knot - eps, knot + eps]), 0.05)
        np.testing.assert_allclose(near[:, 0], near[:, 1], rtol=1e-5)
    np.testing.assert_allclose(s.evaluate(np.array([3.0]), 3.0)[:, 0], [2.0, 0.0, 0.0])


def test_rounding_at_the_knots_of_a_spline_is_no_break():
    """Samples 0.1 ms apart at constant speed: the acceleration is rounding alone."""
    times = 1e-4 * np.arange(4000)
    points = list(zip(times.tolist(), (10.0 * times).tolist(), strict=True))
    s = motion_signal(MOTION.validate_python({"profile": "table", "points": points}), 0.0)
    assert s.breaks(9.0) == [times[-1]]


def test_linear_motion_has_a_break_at_every_kink(folder):
    s = signal(motion_signal, MOTION, {"file": "log.csv", "column": "q1", "interpolate": "linear"}, folder)
    assert s.breaks(9.0) == [0.1, 0.2, 0.4]
    assert s.evaluate(np.array([0.15]), 0.15)[:, 0] == pytest.approx([2.5, 30.0, 0.0])


def test_torques_linear_hold_and_cubic(folder):
    item = {"file": "log.csv", "column": "q2"}
    linear = signal(torque_signal, TORQUE, item, folder)
    assert linear.breaks(9.0) == []
    assert linear.evaluate(np.array([0.05, 0.3]), 5.0)[0] == pytest.approx([15.0, 25.0])
    hold = signal(torque_signal, TORQUE, {**item, "interpolate": "hold"}, folder)
    assert hold.breaks(9.0) == [0.1, 0.2, 0.4]
    assert hold.evaluate(np.array([0.1]), 0.05)[0, 0] == 10.0
    assert hold.evaluate(np.array([0.1]), 0.15)[0, 0] == 20.0
    assert hold.evaluate(np.array([7.0]), 7.0)[0, 0] == 40.0
    cubic = signal(torque_signal, TORQUE, {**item, "interpolate": "cubic"}, folder)
    assert cubic.evaluate(np.array([0.1, 0.2]), 0.05)[0] == pytest.approx([20.0, 10.0])
    assert abs(cubic.evaluate(np.array([0.05]), 0.05)[0, 0] - 15.0) > 0.1


def test_before_the_first_sample_the_joint_stays(tmp_path):
    (tmp_path / "late.csv").write_text("t,q\n1.0,0.0\n2.0,0.5\n")
    s = signal(motion_signal, MOTION, {"file": "late.csv", "start": 0.5}, tmp_path)
    assert s.evaluate(np.array([1.0]), 1.0)[:, 0].tolist() == [0.0, 0.0, 0.0]
    assert s.evaluate(np.array([2.0]), 2.0)[0, 0] == pytest.approx(0.25)
    assert s.breaks(9.0) == [1.5, 2.5]


def test_unit_of_a_column(folder, units):
    item = {"file": "log.csv", "column": "q1", "unit": "deg"}
    s = signal(motion_signal, MOTION, item, folder, **units)
    assert s.evaluate(np.array([0.2]), 0.2)[0, 0] == pytest.approx(4.0 * math.pi / 180)
    plain = signal(motion_signal, MOTION, {**item, "unit": 0.5}, folder)
    assert plain.evaluate(np.array([0.2]), 0.2)[0, 0] == pytest.approx(2.0)
    si = signal(motion_signal, MOTION, {**item, "unit": "rad"}, folder)
    assert si.evaluate(np.array([0.2]), 0.2)[0, 0] == pytest.approx(4.0)
    with pytest.raises(ValidationError, match="size of the unit as a number"):
        signal(motion_signal, MOTION, item, folder)
    with pytest.raises(ValidationError, match="unknown unit 'furlong'"):
        signal(motion_signal, MOTION, {**item, "unit": "furlong"}, folder, **units)


def test_the_short_form_and_the_working_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)
    parsed = MOTION.validate_python({"table": "log.csv", "column": "q1"})
    assert parsed[0].file == str(folder / "log.csv")
    again = MOTION.validate_python([parsed[0].model_dump()])
    assert again == parsed


@pytest.mark.parametrize(
    "text",
    [
        "q;time\n1;0\n2;0.5\n",
        "\ufefftime\tq\r\n0\t1\r\n0.5\t2\r\n",
        "# measured\nTime,q\n0,1\n\n# more\n0.5,2\n",
        "angle_first,q\n0,1\n0.5,2\n",
    ],
)
def test_separators_marks_comments_and_the_time_column(tmp_path, text):
    (tmp_path / "t.csv").write_bytes(text.encode("utf-8"))
    samples = MOTION.validate_python({"table": "t.csv"}, context={"folder": tmp_path})[0].samples
    assert samples.times.tolist() == [0.0, 0.5] and samples.values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "content, words",
    [
        (None, "there is no file"),
        (b"", "is empty"),
        (b"t,q\n0,\xff\xfe\n", "not a text in UTF-8"),
        (b"t,other\n0,1\n1,2\n", "no column 'q'; it has t, other"),
        (b"t,q,q\n0,1,1\n1,2,2\n", "2 columns called 'q'"),
        (b"t,q\n0,1\n1,\n2,3\n", "line 3: the cell of 'q' is empty"),
        (b"t,q\n0,1\n1\n2,3\n", "line 3: the cell of 'q' is empty"),
        (b"t,q\n0,1\n# note\n1,n/a\n", "line 4: 'n/a' in the column 'q' is not a number"),
        (b"t,q\n0,1\n1,nan\n", "line 3: 'nan' in the column 'q' is not a number"),
        (b"t,q\n0,1\nx,2\n", "line 3: 'x' in the column 't' is not a number"),
        (b"t,q\n0,1\n2,2\n1,3\n", "line 4: times must increase, but 1 s comes after 2 s"),
        (b"t,q\n0,1\n1,2\n1,3\n", "line 4: times must increase, but 1 s appears twice"),
        (b"t,q\n-1,1\n1,2\n", "line 2: the time -1 s is negative"),
        (b"t,q\n0,1\n", "at least two rows"),
        (b"0,1\n1,2\n", "first row must hold the names"),
        (b't,q\n0,"1\n1,2\n', "line 2: not a row of a CSV table"),
    ],
)
def test_faults_of_a_file(tmp_path, content, words):
    if content is not None:
        (tmp_path / "bad.csv").write_bytes(content)
    with pytest.raises(ValidationError, match=words):
        TORQUE.validate_python({"profile": "table", "file": "bad.csv", "column": "q"}, context={"folder": tmp_path})


def test_a_folder_is_no_file_and_a_column_must_be_named(folder):
    with pytest.raises(ValidationError, match="cannot be read"):
        MOTION.validate_python({"table": "."}, context={"folder": folder})
    with pytest.raises(ValidationError, match=r"say which column of log\.csv: it has time_s, q1, q2"):
        MOTION.validate_python({"table": "log.csv"}, context={"folder": folder})


def test_a_pipe_or_a_device_is_refused_without_reading(folder):
    os.mkfifo(folder / "pipe.csv")
    for file in ("pipe.csv", "/dev/zero", "/dev/full"):
        with pytest.raises(ValidationError, match="it is a folder, a pipe or a device, not a file"):
            signal(torque_signal, TORQUE, {"file": file}, folder)


def test_a_file_that_is_too_large_is_refused(folder, monkeypatch):
    monkeypatch.setattr("flexarm.drive.csvfile.MOST_BYTES", 20)
    with pytest.raises(ValidationError, match=r"log\.csv cannot be read: it is larger than 2e-05 MB"):
        signal(torque_signal, TORQUE, {"file": "log.csv", "column": "q1"}, folder)


@pytest.mark.parametrize(
    "content", ["root:x:0:0:secret:/root\nuser:x:1:1:more:/home\n", f"{'secret' * 30},b\n0,1\n1,2\n"]
)
def test_a_file_that_is_no_table_is_not_shown(folder, content):
    (folder / "passwd").write_text(content)
    for column in ({}, {"column": "q"}):
        with pytest.raises(ValidationError) as told:
            signal(torque_signal, TORQUE, {"file": "passwd", **column}, folder)
        assert "passwd is no table: its first row must name a column of times" in str(told.value)
        assert "secret" not in str(told.value)
