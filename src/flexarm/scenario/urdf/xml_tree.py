"""XML read as data: elements with their lines, no document types, no entities, nothing from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from flexarm.errors import ScenarioError

MOST_BYTES = 10_000_000
MOST_DEPTH = 60


@dataclass
class Element:
    """A tag with its attributes, what stands in it, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def every(self, tag: str) -> list[Element]:
        """The children of a kind."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """The first child of a kind, if there is one."""
        return next(iter(self.every(tag)), None)


class _Refused(Exception):
    """Something that this reader does not read."""


def read_xml(content: bytes, file: str) -> Element:
    """The outermost element of a document; `file` is the name to show."""
    parser = expat.ParserCreate()
    open_ones = [Element("", {}, 1)]

    def refuse(*_: Any) -> None:
        raise _Refused("it has a document type or an entity (<!DOCTYPE, <!ENTITY), which are not read: take them out")

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_ones) > MOST_DEPTH:
            raise _Refused(f"its elements are nested deeper than {MOST_DEPTH} levels")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        open_ones[-1].children.append(element)
        open_ones.append(element)

    def words(data: str) -> None:
        open_ones[-1].text += data

    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: open_ones.pop()
    parser.CharacterDataHandler = words
    try:
        parser.Parse(content, True)
    except _Refused as refused:
        raise ScenarioError(str(refused), file=file, line=parser.CurrentLineNumber) from None
    except expat.ExpatError as error:
        words_of = expat.errors.messages.get(error.code, "it cannot be read")
        raise ScenarioError(f"this is no XML: {words_of}", file=file, line=error.lineno) from None
    except (ValueError, LookupError):
        raise ScenarioError("this is no XML in an encoding that is known", file=file) from None
    return open_ones[0].children[0]
