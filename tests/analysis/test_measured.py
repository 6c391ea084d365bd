"""Measured logs: reading, units, faults with file and place, dumps of a converter."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.analysis.measured import POST_INTERVAL, read_dump, read_log
from flexarm.errors import FlexarmError

TIMES = [0.0, 1.0, 2.5, 3.0, 4.2, 5.0, 6.0, 7.5, 8.0]


def write(path, header="time [ms],strain [um/m]", times=TIMES, mark=","):
    rows = [f"{t}{mark}{10 * k - 3}" for k, t in enumerate(times)]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_units_in_the_header_are_used_and_times_may_be_uneven(tmp_path):
    log = read_log(write(tmp_path / "log.csv"))
    np.testing.assert_allclose(log.time, 1e-3 * np.array(TIMES))
    np.testing.assert_allclose(log.values[:2], [-3e-6, 7e-6])
    assert log.notes == () and log.unit == "1"
    bent = read_log(write(tmp_path / "b.csv", "t (s);angle (deg)", mark=";"), unit="rad")
    assert bent.values[1] == pytest.approx(np.radians(7.0))
    volts = read_log(write(tmp_path / "c.csv", "time [us],other [m],u [mV]", [f"{t},0" for t in TIMES]), "u", "V")
    assert volts.values[1] == pytest.approx(7e-3) and volts.time[-1] == pytest.approx(8e-6)
    for word, size in (("%", 0.01), ("ustrain", 1e-6), ("strain", 1.0), ("mm/m", 1e-3)):
        assert read_log(write(tmp_path / "d.csv", f"time [s],e [{word}]")).values[1] == pytest.approx(7 * size)


def test_a_missing_unit_is_taken_as_si_and_told(tmp_path):
    log = read_log(write(tmp_path / "log.csv", "time,strain"))
    assert log.time[-1] == 8.0 and log.values[1] == 7.0
    assert log.notes == (
        "column 'time' states no unit; it was taken as s",
        "column 'strain' states no unit; it was taken as 1",
    )


@pytest.mark.parametrize(
    "header, unit, column, words",
    [
        ("time [s],strain [mm]", "1", None, r"log.csv, column 'strain \[mm\]': the unit 'mm' does not fit: .* um/m"),
        ("time [s],strain [V]", "1", None, "the unit 'V' does not fit"),
        ("time [s],u [um/m]", "V", None, "the unit 'um/m' does not fit: it must be V or mV"),
        ("time [s],u [qwerts]", "m", None, "unknown unit 'qwerts'"),
        (
            "time [mm],strain [1]",
            "1",
            None,
            r"column 'time \[mm\]': the unit 'mm' does not fit: it must be s, ms or us",
        ),
        ("a [s],b [1]", "1", None, r"log.csv: there is no column of times; call one 'time \[s\]' \(there are a"),
        ("time [s],b [1]", "1", "strain", r"log.csv, column: there is no column 'strain'; there are 'b \[1\]'"),
    ],
)
def test_wrong_columns_and_units(tmp_path, header, unit, column, words):
    with pytest.raises(FlexarmError, match=words):
        read_log(write(tmp_path / "log.csv", header), column, unit)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("3.0,27", "2.0,27", "log.csv, line 5: times must increase, but 0.002 s comes after 0.0025 s; sort the rows"),
        ("3.0,27", "2.5,27", "line 5: times must increase, but 0.0025 s appears twice"),
        ("3.0,27", "3.0,", "log.csv, line 5: the cell of 'strain .* is empty; repair or delete that line"),
        ("3.0,27", "3.0,n/a", "line 5: 'n/a' in the column 'strain .*' is not a number"),
        ("3.0,27", "3.0,nan", "line 5: 'nan' in the column"),
        ("3.0,27", '3.0,"2,7"', "'2,7' .* write a decimal point"),
        ("time [ms],strain [um/m]\n", "", "the first row must hold the names of the columns"),
    ],
)
def test_faults_in_rows(tmp_path, old, new, words):
    path = write(tmp_path / "log.csv")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FlexarmError, match=words):
        read_log(path)


def test_files_that_are_no_logs(tmp_path):
    with pytest.raises(FlexarmError, match="there is no file"):
        read_log(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("time [s],Dehnung [\xb5m/m]\n".encode("latin-1"))
    with pytest.raises(FlexarmError, match=r"latin.csv is not a text in UTF-8 \(byte 18\); save the table as CSV"):
        read_log(tmp_path / "latin.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(FlexarmError, match=r"empty.csv is empty"):
        read_log(tmp_path / "empty.csv")
    with pytest.raises(FlexarmError, match="holds 3 rows of numbers"):
        read_log(write(tmp_path / "short.csv", times=TIMES[:3]))
    with pytest.raises(FlexarmError, match="say which column"):
        read_log(write(tmp_path / "log.csv", "time [s],a [1],b [1]", [f"{t},0" for t in TIMES]))


def test_gaps_are_told_and_refused_on_demand(tmp_path):
    path = write(tmp_path / "log.csv", times=[*TIMES, 80.0, 81.0, 82.0])
    (note,) = read_log(path).notes
    assert "no sample for 0.072 s before line 11" in note
    with pytest.raises(
        FlexarmError, match=r"log.csv, line 11: no sample for 0.072 s, longer than the accepted gap of 0.01"
    ):
        read_log(path, max_gap=0.01)
    growing = write(tmp_path / "grow.csv", times=list(1.5 ** np.arange(14)))
    assert read_log(growing).notes == ()  # slow steps at the start of a move are no gap


def test_a_dump_gets_the_times_of_the_steps(tmp_path):
    codes = np.array([2048, 2050, 4095, 0, 17, 18, 19, 20, 21], dtype="<u2")
    path = tmp_path / "dump.bin"
    path.write_bytes(codes.tobytes())
    assert path.read_bytes()[:2] == b"\x00\x08"  # low byte first
    log = read_dump(path, [0.1, 0.15, 0.17, 0.2])
    assert log.unit == "counts"
    np.testing.assert_array_equal(log.values, codes)
    np.testing.assert_allclose(log.time[4:], 0.2 + POST_INTERVAL * np.arange(1, 6))
    with pytest.raises(FlexarmError, match="holds 9 readings, but the motor makes 10 steps"):
        read_dump(path, np.arange(10.0))
    path.write_bytes(codes.astype(">u2").tobytes())
    with pytest.raises(FlexarmError, match=r"reading 3 is .* 12 bits end at 4095: is the low byte first"):
        read_dump(path, [0.1])
    path.write_bytes(b"\x00\x01\x02")
    with pytest.raises(FlexarmError, match="3 bytes, an odd number"):
        read_dump(path, [0.1])
    with pytest.raises(FlexarmError, match="cannot be read"):
        read_dump(tmp_path / "none", [0.1])
