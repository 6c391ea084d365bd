"""The folder of a study: what it is, and a file for every chunk that is done, whole and with a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from flexarm._version import __version__
from flexarm.errors import FlexarmError, OutputError
from flexarm.files import make_folder, reason, whole_file, write_text
from flexarm.studies.chunk import Chunk
from flexarm.studies.plan import Plan

ABOUT, CHUNKS = "about.json", "chunks"
MAGIC = b"flexarm study chunk 1\n"


class Store:
    """Chunks of one study in a folder.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    plan : Plan
        The study; a folder of another one is refused.
    resume : bool
        Go on with what is there.
    force : bool
        Take away what an earlier study left there.
    """

    def __init__(self, folder: Path, plan: Plan, resume: bool = False, force: bool = False):
        self.folder, self._plan = folder, plan
        self.remarks: list[str] = []
        about = read_about(folder)
        if about is None and folder.is_dir() and any(folder.iterdir()) and not force:
            raise OutputError(
                f"the folder '{folder}' already holds files; choose another with --out, or replace them with --force"
            )
        if about is not None and not force:
            _check_same(about, plan, folder, resume)
        if force:
            self._clear()
        make_folder(folder / CHUNKS)
        self._settings = about["settings"] if about is not None and not force else None

    @property
    def settings(self) -> dict[tuple[int, ...], dict[str, Any]] | None:
        """What was fixed for the groups when the study began; None if it begins now."""
        if self._settings is None:
            return None
        return {tuple(json.loads(group)): fixed for group, fixed in self._settings.items()}

    @property
    def notes(self) -> list[str]:
        """What was said about it when the study began."""
        return list((read_about(self.folder) or {}).get("notes", []))

    def begin(self, plan: Plan, notes: list[str]) -> None:
        """Note which study this folder holds, before its first chunk."""
        settings = {json.dumps(list(group)): dict(fixed) for group, fixed in plan.settings.items()}
        about = {
            "study": plan.id,
            "name": plan.name,
            "version": __version__,
            "runs": plan.count,
            "settings": settings,
            "notes": notes,
        }
        write_text(self.folder / ABOUT, json.dumps(about, indent=1) + "\n", force=True)

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk, as a whole or not at all."""
        with whole_file(self.folder / CHUNKS / f"{chunk.start:012d}-{chunk.stop:012d}.chunk", force=True) as temporary:
            temporary.write_bytes(packed(chunk, self._plan.id))

    def chunks(self) -> Iterator[Chunk]:
        """What is there; a damaged file is taken away, and a remark says so."""
        for path in sorted((self.folder / CHUNKS).glob("[0-9]*.chunk")):
            try:
                yield unpacked(path.read_bytes(), self._plan)
            except (ValueError, OSError) as error:
                self.remarks.append(f"'{path}' is damaged ({error}): its runs are done again")
                path.unlink(missing_ok=True)

    def _clear(self) -> None:
        for path in [self.folder / ABOUT, *(self.folder / CHUNKS).glob("*.chunk")]:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise OutputError(f"'{path}' cannot be replaced: {reason(error)}.") from error


def read_about(folder: Path) -> dict[str, Any] | None:
    """What a folder says of the study in it; None if it holds none."""
    try:
        found = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) and "study" in found else None
    except (OSError, ValueError):
        return None


def _check_same(about: dict[str, Any], plan: Plan, folder: Path, resume: bool) -> None:
    if about["study"] != plan.id:
        other = about.get("version") != __version__
        why = (
            f"was begun with flexarm {about.get('version')}"
            if other
            else "holds another study, or this one with other values"
        )
        raise OutputError(
            f"the folder '{folder}' {why} ('{about.get('name')}'); choose another with --out, or replace it with --force"
        )
    if not resume:
        raise OutputError(
            f"the folder '{folder}' holds this study already; go on with --resume, choose another with --out, or begin anew with --force"
        )


def packed(chunk: Chunk, study: str) -> bytes:
    """A chunk as the content of a file."""
    body = b"".join(np.ascontiguousarray(a).tobytes() for a in (chunk.numbers, chunk.signals, chunk.outcomes))
    head = {
        "study": study, "start": chunk.start, "stop": chunk.stop, "numbers": chunk.numbers.shape[1],
        "signals": list(chunk.signals.shape[1:]), "messages": {str(k): text for k, text in chunk.messages.items()},
    }  # fmt: skip
    rest = json.dumps(head, sort_keys=True).encode() + b"\n" + body
    return MAGIC + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def unpacked(content: bytes, plan: Plan) -> Chunk:
    """The chunk in a file; ValueError if it is not whole, or of another study."""
    magic, checksum, rest = content[: len(MAGIC)], content[len(MAGIC) : len(MAGIC) + 64], content[len(MAGIC) + 65 :]
    if magic != MAGIC or hashlib.sha256(rest).hexdigest().encode() != checksum:
        raise ValueError("its checksum does not fit its content")
    line, _, body = rest.partition(b"\n")
    head = json.loads(line)
    if head["study"] != plan.id:
        raise ValueError("it belongs to another study")
    count, width, shape = head["stop"] - head["start"], head["numbers"], tuple(head["signals"])
    ends = np.cumsum([0, 8 * count * width, 8 * count * int(np.prod(shape)), count])
    if ends[-1] != len(body):
        raise ValueError("it has another length than it says")
    numbers = np.frombuffer(body[ends[0] : ends[1]]).reshape(count, width)
    signals = np.frombuffer(body[ends[1] : ends[2]]).reshape(count, *shape)
    outcomes = np.frombuffer(body[ends[2] : ends[3]], dtype=np.uint8)
    messages = {int(k): text for k, text in head["messages"].items()}
    return Chunk(head["start"], head["stop"], numbers, signals, outcomes, messages)


def check_folder_free(folder: Path) -> None:
    """Refuse a place that is a file."""
    if folder.exists() and not folder.is_dir():
        raise FlexarmError(f"'{folder}' is a file; give a folder", field="--out")
