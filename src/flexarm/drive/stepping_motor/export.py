"""Step tables as text: CSV for people and programs, C arrays for a controller's firmware."""

from __future__ import annotations

import math
import re

import numpy as np

from flexarm.drive.delays import DelayBytes
from flexarm.drive.stepping_motor.table import FULL, HALF, StepTable
from flexarm.errors import FlexarmError

PER_LINE = 16


def steps_csv(table: StepTable, delays: DelayBytes | None = None) -> str:
    """One row per step: number, time, delay after it, direction, position of the joint, windings, delay byte if given."""
    head = "step,time [s],delay [us],direction,position [deg],phase"
    rows = zip(
        table.times, 1e6 * table.delays, table.directions, np.degrees(table.positions), table.phases, strict=True
    )
    lines = [f"{i},{t:.9f},{d:.3f},{w:d},{q:.6f},0x{p:02X}" for i, (t, d, w, q, p) in enumerate(rows, 1)]
    if delays is not None:
        head += ",byte,made [us]"
        made = zip(lines, delays.byte, 1e6 * delays.delays, strict=True)
        lines = [f"{line},{byte:d},{time:.3f}" for line, byte, time in made]
    return "\n".join([head, *lines]) + "\n"


def steps_c(table: StepTable, delays: DelayBytes | None = None, name: str = "move") -> str:
    """C arrays: delays (microseconds, or bytes for the waiting loop), windings, and directions if they change.

    Delays in microseconds are rounded so that their sum keeps in step with the ideal times.
    """
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise FlexarmError(f"'{name}' is no name for a C array: use letters, digits and underscores")
    sequence = HALF if table.half else FULL
    if not len(table.times):
        raise FlexarmError(
            "the motion makes no step, so there is no array to write: make it longer, or the steps smaller"
        )
    if delays is None:
        ticks = np.round(1e6 * np.append(table.times, max(table.end, float(table.times[-1]))))
        values, kind, unit = np.diff(ticks).astype(np.int64), "uint32_t", "us"
    else:
        values, kind, unit = delays.byte.astype(np.int64), "uint8_t", "byte"
    parts = [
        f"/* {len(table.times)} steps of {math.degrees(table.size):.6g} deg, from {math.degrees(table.start):.6g} to "
        f"{math.degrees(table.landing):.6g} deg in {table.end:.6g} s: step, then wait. */",
        "#include <stdint.h>",
        f"#define {name.upper()}_STEPS {len(table.times)}",
        _array(f"{kind} {name}_delay_{unit}", values, f"{name.upper()}_STEPS"),
        _array(f"uint8_t {name}_phase", np.array(sequence), str(len(sequence))),
    ]
    if not np.all(table.directions == 1):
        parts.append(_array(f"int8_t {name}_direction", table.directions, f"{name.upper()}_STEPS"))
    return "\n".join(parts) + "\n"


def _array(what: str, values: np.ndarray, size: str) -> str:
    rows = [", ".join(str(int(v)) for v in values[i : i + PER_LINE]) for i in range(0, len(values), PER_LINE)]
    return f"static const {what}[{size}] = {{\n  " + ",\n  ".join(rows) + "\n};"
