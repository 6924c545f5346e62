"""XML to elements that remember their lines: no DTD, no entities, bounded depth and number, numbers read strictly.

The text is checked before the parser (expat, held by defusedxml) sees it: its size and characters by ``limits``, and
the number of its tags; the depth is watched as elements come, so that a hostile file is left as soon as it is too much.
"""

from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any

from freebody.errors import FileError
from freebody.io import limits
from freebody.io.lines import DECIMAL

Trio = tuple[float, float, float]
OPEN = {"inf": inf, "+inf": inf, "-inf": -inf, "infinity": inf, "+infinity": inf, "-infinity": -inf}
TAGS = 100_000  # elements, comments and instructions
SEEN = 60  # characters of a wrong text that are shown


@dataclass(slots=True)
class Element:
    """An element, its place (from 1) and its path in words: ``joint 'elbow' origin``."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    column: int
    path: str
    children: "list[Element]" = field(default_factory=list)

    def error(self, message: str, attribute: str = "") -> FileError:
        """An error here, or at an attribute."""
        return FileError(message, self.file, self.line, self.column, f"{self.path} {attribute}".strip())

    def all(self, tag: str) -> "list[Element]":
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> "Element | None":
        """The only child of a kind."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].error(f"<{tag}> is given twice; the first is in line {found[0].line}. Leave one")
        return found[0] if found else None

    def needed(self, tag: str) -> "Element":
        found = self.one(tag)
        if found is None:
            raise self.error(f"<{tag}> is missing")
        return found

    def text(self, attribute: str) -> str:
        """An attribute that must be there."""
        if attribute not in self.attributes:
            raise self.error(f"the attribute '{attribute}' is missing")
        return self.attributes[attribute]

    def name(self, attribute: str = "name") -> str:
        """A name that the library can hold."""
        found = self.text(attribute)
        if not found.strip() or len(found) > limits.NAME or not found.isprintable():
            raise self.error(f"a name has 1 to {limits.NAME} visible characters, not {found[:SEEN]!r}", attribute)
        return found

    def number(self, attribute: str, default: float | None = None) -> float:
        if attribute not in self.attributes and default is not None:
            return default
        return self._number(self.text(attribute).strip(), attribute)

    def limit(self, attribute: str, default: float) -> float:
        """A number, which may also be infinite."""
        text = self.attributes.get(attribute, "").strip().lower()
        return OPEN[text] if text in OPEN else self.number(attribute, default)

    def three(self, attribute: str, default: Trio | None = None) -> Trio:
        if attribute not in self.attributes and default is not None:
            return default
        words = self.text(attribute).split()
        if len(words) != 3:
            raise self.error(f"three numbers are needed, not {len(words)}", attribute)
        x, y, z = (self._number(word, attribute) for word in words)
        return x, y, z

    def _number(self, text: str, attribute: str) -> float:
        if not DECIMAL.fullmatch(text):
            raise self.error(f"{text[:SEEN]!r} is not a number", attribute)
        value = float(text) + 0.0  # −0 is 0
        if not isfinite(value):
            raise self.error(f"{text[:SEEN]} is too large for a number with 64 bits", attribute)
        return value


def parse(text: str, file: str) -> Element:
    """The root element of a text."""
    limits.check(text, file)
    tags = text.count("<") - text.count("</")
    if tags > TAGS:
        raise FileError(f"it has {tags} elements; a URDF file has at most {TAGS}", file)
    from io import StringIO
    from xml.sax import SAXParseException
    from xml.sax.xmlreader import InputSource

    from defusedxml.common import DefusedXmlException
    from defusedxml.expatreader import create_parser

    builder, source = _Builder(file), InputSource()
    source.setCharacterStream(StringIO(text))
    parser = create_parser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    parser.setContentHandler(builder)
    try:
        parser.parse(source)
    except DefusedXmlException:
        where = parser.getLineNumber(), parser.getColumnNumber() + 1
        raise FileError("a DTD (<!DOCTYPE …>) and entities are not read; files are data", file, *where) from None
    except SAXParseException as error:
        where = error.getLineNumber() or 0, (error.getColumnNumber() or 0) + 1
        raise FileError(f"this is not XML: {error.getMessage()}", file, *where) from None
    assert builder.root is not None, "expat refuses a text without an element"
    return builder.root


class _Builder:
    """What expat's reader tells, put together. It speaks SAX's language; what is not listed says nothing here."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Element | None = None
        self.open: list[Element] = []
        self.locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:
        self.locator = locator

    def startElement(self, tag: str, attributes: Any) -> None:
        line, column = self.locator.getLineNumber(), self.locator.getColumnNumber() + 1
        made = Element(tag, dict(attributes), self.file, line, column, _path(tag, attributes, self.open))
        if len(self.open) >= limits.DEPTH:
            raise FileError(f"more than {limits.DEPTH} elements are one inside another", self.file, line, column)
        if tag.startswith("xacro:"):
            raise made.error("this is xacro, from which a URDF is made: run xacro first and load what it writes")
        long = [key for key, value in made.attributes.items() if len(value) > limits.TEXT]
        if long:
            raise made.error(f"a text has more than {limits.TEXT} characters", long[0][:SEEN])
        if self.open:
            self.open[-1].children.append(made)
        else:
            self.root = made
        self.open.append(made)

    def endElement(self, tag: str) -> None:
        self.open.pop()

    def _nothing(self, *said: Any) -> None:
        """Texts, instructions and where the document starts and ends."""

    startDocument = endDocument = characters = ignorableWhitespace = processingInstruction = _nothing
    startPrefixMapping = endPrefixMapping = skippedEntity = _nothing


def _path(tag: str, attributes: Any, around: list[Element]) -> str:
    """Where an element is, in words; the root is left out."""
    if not around:
        return tag[:SEEN]
    own = f"{tag[:SEEN]} '{attributes['name'][:SEEN]}'" if "name" in attributes else tag[:SEEN]
    return own if len(around) == 1 else f"{around[-1].path} {own}"[:200]
