"""YAML 1.2 read as data, every value with its file and line.

The parser's events are turned into `Node` objects without recursion, so that hostile files (endless aliases,
deep nesting) are refused early. Tags never create objects: they are refused.
"""

from __future__ import annotations

import errno
import functools
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flexarm.errors import ScenarioError
from flexarm.files import read_whole
from flexarm.scenario.node import MOST_DEPTH, Node
from flexarm.scenario.scalars import check_text, forbidden, resolve

MOST_BYTES = 1_000_000
MOST_NODES = 100_000
MOST_ALIASED = 20_000
"""Values that aliases may add by repetition."""

_MERGE = "\0<<"
"""Stands for an unquoted ``<<``; no text of a file can look like it."""
_HINTS = {
    "mapping values are not allowed here": (
        "a colon stands where none can stand; check the indentation, or put the text into quotes"
    ),
    "cannot start any token": "a character that cannot begin a value; use spaces, not tabs, or quotes",
    "expected <block end>": "the indentation does not fit the lines above",
    "could not find expected ':'": "a key without a colon; check the indentation and the line above",
    "found unexpected end of stream": "a quote or bracket is opened and never closed",
    "expected ',' or": "a bracket is opened and not closed, or a comma is missing",
    "unknown escape character": "a backslash in double quotes begins an escape; use single quotes",
}


@dataclass
class _Frame:
    """A mapping or list that is being read."""

    node: Node
    anchor: str | None
    key: str | None = None
    size: int = 1
    height: int = 0
    merges: list[Node] = field(default_factory=list)


def read_file(path: Path, file: str) -> Node:
    """The data in a YAML file; `file` is the name to show."""
    return read_text(file_text(path, file), file)


def file_text(path: Path, file: str) -> str:
    """The text of a file, or a sentence why it cannot be read."""
    try:
        if path.exists() and not path.is_file():
            raise ScenarioError("this is not a file; give the path of a YAML file", file=file)
        content = read_whole(path, MOST_BYTES)
    except FileNotFoundError:
        raise ScenarioError("there is no such file; check the path", file=file) from None
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) == errno.EFBIG:
            raise ScenarioError(
                f"the file is larger than {MOST_BYTES // 1000} kB; put long tables into CSV files", file=file
            ) from None
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError(f"the file cannot be read ({reason}); check its permissions", file=file) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ScenarioError("the file is not text in UTF-8; save it in that encoding", file=file, line=line) from None


def read_text(text: str, file: str = "") -> Node:
    """The data in a YAML text: a mapping.

    Raises
    ------
    ScenarioError
        With the line, for anything that is not plain data in YAML 1.2.
    """
    root = read_value(text, file)
    if not isinstance(root.value, dict):
        found = "empty" if root.value is None else "a list" if isinstance(root.value, list) else "one value"
        raise ScenarioError(
            f"a scenario is a mapping of keys (name, arm, drive, ...), but this is {found}", file=file, line=1
        )
    return root


@functools.lru_cache(maxsize=128)
def read_value(text: str, file: str = "") -> Node:
    """The data in a YAML text, of any kind. Nodes are never changed, so the same text need not be parsed again."""
    if len(text) > MOST_BYTES:
        raise ScenarioError(
            f"the text is longer than {MOST_BYTES // 1000} kB; put long tables into CSV files", file=file
        )
    bad = forbidden(text)
    if bad:
        line = text.count("\n", 0, bad.start()) + 1
        raise ScenarioError(
            f"the character U+{ord(bad[0]):04X} cannot stand in a text; remove it", file=file, line=line
        )
    return _Builder(file).build(text)


class _Builder:
    """Turns parser events into nodes."""

    def __init__(self, file: str):
        self.file = file
        self.stack: list[_Frame] = []
        self.anchors: dict[str, tuple[Node, int, int]] = {}
        self.root: Node | None = None
        self.nodes = 0
        self.aliased = 0

    def build(self, text: str) -> Node:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError

        documents = 0
        try:
            for event in YAML(typ="safe", pure=True).parse(text):
                kind = type(event).__name__
                line = event.start_mark.line + 1
                if kind == "DocumentStartEvent":
                    documents += 1
                    self._check_document(event, documents, line)
                else:
                    self._take(kind, event, line)
        except ScenarioError:
            raise
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            problem = str(error.problem or error.context or "it cannot be parsed")
            hint = next((words for key, words in _HINTS.items() if key in problem), problem)
            raise self._error(f"not valid YAML: {hint}", mark.line + 1 if mark else None) from None
        except Exception:
            # the parser raises all kinds of errors on malformed escapes and directives
            raise self._error("not valid YAML: it cannot be parsed", None) from None
        return self.root if self.root is not None else Node(None, self.file, 1)

    def _error(self, message: str, line: int | None) -> ScenarioError:
        return ScenarioError(message, file=self.file, line=line)

    def _check_document(self, event: Any, documents: int, line: int) -> None:
        if documents > 1:
            raise self._error("a second document begins here ('---'); one file holds one scenario", line)
        if event.version not in (None, (1, 2)):
            raise self._error("the %YAML directive asks for another version; scenario files are YAML 1.2", line)
        if event.tags:
            raise self._error("tags are not allowed; remove the %TAG directive", line)

    def _take(self, kind: str, event: Any, line: int) -> None:
        if kind in ("MappingStartEvent", "SequenceStartEvent", "ScalarEvent") and event.tag is not None:
            tag = str(event.tag).replace("tag:yaml.org,2002:", "!!")
            raise self._error(f"the tag '{tag}' is not allowed; scenario files hold plain data: remove it", line)
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            if len(self.stack) >= MOST_DEPTH:
                raise self._error(f"nested deeper than {MOST_DEPTH} levels", line)
            value: Any = {} if kind == "MappingStartEvent" else []
            self.stack.append(_Frame(Node(value, self.file, line), event.anchor))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            frame = self.stack.pop()
            self._merge(frame)
            self._add(frame.node, frame.size, frame.height + 1, frame.anchor)
        elif kind == "ScalarEvent":
            self._add(Node(self._scalar(event, line), self.file, line), 1, 0, event.anchor, plain=not event.style)
        elif kind == "AliasEvent":
            self._alias(event.anchor, line)

    def _scalar(self, event: Any, line: int) -> Any:
        try:
            text = check_text(event.value)
            return text if event.style else resolve(text)
        except ValueError as error:
            raise self._error(str(error), line) from None

    def _alias(self, anchor: str, line: int) -> None:
        if any(frame.anchor == anchor for frame in self.stack):
            raise self._error(f"the alias *{anchor} stands inside of what it repeats", line)
        if anchor not in self.anchors:
            raise self._error(f"the alias *{anchor} has no anchor &{anchor} before it", line)
        node, size, height = self.anchors[anchor]
        self.aliased += size
        if self.aliased > MOST_ALIASED:
            raise self._error(f"aliases repeat more than {MOST_ALIASED} values; write less repetition", line)
        if len(self.stack) + height > MOST_DEPTH:
            raise self._error(f"the alias *{anchor} makes the data deeper than {MOST_DEPTH} levels", line)
        self._add(replace(node, line=line), size, height, None)

    def _add(self, node: Node, size: int, height: int, anchor: str | None, plain: bool = False) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self._error(f"more than {MOST_NODES} values; put long tables into CSV files", node.line)
        if anchor is not None:
            self.anchors[anchor] = (node, size, height)
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        frame.size += size
        frame.height = max(frame.height, height)
        if isinstance(frame.node.value, list):
            frame.node.value.append(node)
        elif frame.key is None:
            frame.key = self._key(frame, node, plain)
        else:
            self._entry(frame, node)

    def _key(self, frame: _Frame, node: Node, plain: bool) -> str:
        if not isinstance(node.value, str):
            what = "a list or mapping" if isinstance(node.value, (dict, list)) else f"'{node.value}'"
            raise self._error(f"{what} cannot be a key: keys are words (put numbers into quotes)", node.line)
        if plain and node.value == "<<":
            return _MERGE
        first = frame.node.value.get(node.value)
        if first is not None:
            raise self._error(
                f"the key '{node.value}' is given twice, in lines {first.line} and {node.line}: remove one",
                node.line,
            )
        # holds the key's line until the value is known
        frame.node.value[node.value] = node
        return node.value

    def _entry(self, frame: _Frame, node: Node) -> None:
        key, entries = frame.key, frame.node.value
        frame.key = None
        if key == _MERGE:
            sources = node.value if isinstance(node.value, list) else [node]
            if not all(isinstance(source.value, dict) for source in sources):
                raise self._error("the merge key '<<' wants a mapping or a list of mappings", node.line)
            frame.merges.extend(sources)
            return
        entries[key] = replace(node, line=entries[key].line)

    def _merge(self, frame: _Frame) -> None:
        for source in frame.merges:
            for key, child in source.value.items():
                frame.node.value.setdefault(key, child)
