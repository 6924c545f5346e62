"""YAML to plain data with line numbers.

Only PyYAML's events are used, in a loop: no tags, no anchors, one document, bounded depth and number of nodes. Plain
texts are numbers, true, false or null by the rules of YAML 1.2's core schema alone: ``on``, ``yes``, ``1:30`` and
``010`` are texts, ``1e3`` is a number. Keys are always texts.
"""

import re
from dataclasses import dataclass
from math import isfinite
from typing import Any

from freebody.errors import FieldError, FileError, FreebodyError, ParseError, spelled
from freebody.io.limits import CONTROL, DEPTH, DIGITS, NAME, NODES, TEXT, WIDTH

INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
DECIMAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
ZEROS = re.compile(r"[-+]?0[0-9]+")
BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
STARTS = frozenset("+-.0123456789")  # what a number may begin with
WORDS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip


@dataclass(slots=True)
class YamlNode:
    """A value and its place (from 1). ``value`` is a number, text, bool, None, or nodes in a dict or list."""

    value: Any
    line: int
    column: int
    keys: dict[str, tuple[int, int]] | None = None  # the places of a mapping's keys
    inside: int = -1  # how far after ``column`` a text's first character stands, where each of them is written as it is
    spread: int = -1  # the line (from 0) in which a text begins that is written over several lines and without quotes

    def __contains__(self, part: object) -> bool:
        """Whether it has this key, or as a list this index."""
        if isinstance(self.value, list):
            return isinstance(part, int) and part < len(self.value)
        return isinstance(self.value, dict) and part in self.value

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        return [node.plain() for node in self.value] if isinstance(self.value, list) else self.value


def compose(text: str, file: str) -> YamlNode:
    """The one document of a text."""
    import yaml

    composer = _Composer(file)
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            composer.handlers[type(event)](event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        raise FileError(f"this is not YAML: {problem}", file, line, column) from None
    except yaml.YAMLError as error:
        raise FileError(f"this is not YAML: {error}", file) from None
    if composer.root is None:
        raise FileError("it is empty; a model file has at least bodies", file)
    return composer.root


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being filled: its place in the one around it, and the key that waits for its value."""

    node: YamlNode
    part: str | int | None
    mapping: bool
    key: str | None = None

    @property
    def next(self) -> str | int | None:
        return self.key if self.mapping else len(self.node.value)


class _Composer:
    """Builds nodes from events, with open lists and mappings on a stack."""

    def __init__(self, file: str) -> None:
        from yaml import events

        self.file = file
        self.root: YamlNode | None = None
        self.open: list[_Open] = []
        self.count = 0
        self.documents = 0
        self.handlers: dict[type, Any] = {
            events.ScalarEvent: self._scalar,
            events.AliasEvent: self._alias,
            events.SequenceStartEvent: self._start,
            events.MappingStartEvent: self._start,
            events.SequenceEndEvent: self._end,
            events.MappingEndEvent: self._end,
            events.DocumentStartEvent: self._document,
            events.DocumentEndEvent: _pass,
            events.StreamStartEvent: _pass,
            events.StreamEndEvent: _pass,
        }
        self.mapping = events.MappingStartEvent

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self._error(event, "a second document starts here; a model file is one")
        if event.tags:
            raise self._error(event, "tags (%TAG) are not read")

    def _alias(self, event: Any) -> None:
        raise self._error(event, "aliases (*name) are not read; write the value again, or give it a definition")

    def _end(self, event: Any) -> None:
        self.open.pop()

    def _start(self, event: Any) -> None:
        """A list or mapping begins."""
        into = self._admitted(event)
        if into is not None and into.mapping and into.key is None:
            raise self._error(event, "a key is a name, not a list or a mapping")
        if len(self.open) >= DEPTH:
            raise self._error(event, f"more than {DEPTH} lists and mappings are one inside another")
        mark, mapping = event.start_mark, type(event) is self.mapping
        node = YamlNode({} if mapping else [], mark.line + 1, mark.column + 1, keys={} if mapping else None)
        part = None if into is None else into.next
        self._put(into, node)
        self.open.append(_Open(node, part, mapping))

    def _scalar(self, event: Any) -> None:
        """A key, or a value."""
        into = self._admitted(event)
        if into is not None and into.mapping and into.key is None:
            into.key = self._key(event, into.node)
        else:
            self._put(into, self._value(event))

    def _put(self, into: _Open | None, node: YamlNode) -> None:
        if into is None:
            self.root = node
        elif into.mapping:
            into.node.value[into.key], into.key = node, None
        else:
            into.node.value.append(node)

    def _admitted(self, event: Any) -> _Open | None:
        """What is open, if the event may add to it."""
        self.count += 1
        into = self.open[-1] if self.open else None
        if event.anchor is not None or event.tag is not None:
            anchor = "anchors (&name) are not read; write the value where it is needed"
            tag = f"tags ({(event.tag or '')[:40]!r}) are not read; files are data"
            raise self._error(event, tag if event.anchor is None else anchor)
        if self.count > NODES:
            raise self._error(event, f"there are more than {NODES} values")
        if into is not None and len(into.node.value) > WIDTH:
            raise self._error(event, f"a list or mapping has more than {WIDTH} entries")
        return into

    def _key(self, event: Any, into: YamlNode) -> str:
        key, mark, keys = str(event.value), event.start_mark, into.keys
        assert keys is not None
        if len(key) > NAME:
            raise self._error(event, f"a name has more than {NAME} characters")
        if not key.isprintable() or not key.strip():
            raise self._error(event, f"{key!r} cannot be a key: use visible characters")
        if key in keys:
            raise self._error(event, f"the key '{key}' is given twice; the first is in line {keys[key][0]}")
        keys[key] = mark.line + 1, mark.column + 1
        return key

    def _value(self, event: Any) -> YamlNode:
        text, start, end = event.value, event.start_mark, event.end_mark
        if len(text) > TEXT:
            raise self._error(event, f"a text has more than {TEXT} characters")
        if event.style == '"' and CONTROL.search(text):
            raise self._error(event, "a control character has no place in a text")
        quotes, column = 1 if event.style else 0, start.column
        value = text if quotes else self._plain(event, text)
        if end.line != start.line:
            spread = start.line + quotes if event.style not in ("'", '"') else -1
            return YamlNode(value, start.line + 1, column + 1, spread=spread)
        inside = quotes if end.column - column == len(text) + 2 * quotes else -1
        return YamlNode(value, start.line + 1, column + 1, None, inside)

    def _plain(self, event: Any, text: str) -> Any:
        """A plain text as what it stands for."""
        if text in WORDS:
            return WORDS[text]
        if text[0] not in STARTS:
            return text
        if len(text) > DIGITS and DECIMAL.fullmatch(text) and sum(map(str.isdigit, text)) > DIGITS:
            raise self._error(event, f"a number has more than {DIGITS} digits; round it")
        if INTEGER.fullmatch(text):
            return int(text)
        if DECIMAL.fullmatch(text) and not ZEROS.fullmatch(text):
            value = float(text)
            if not isfinite(value):
                raise self._error(event, f"{text} is too large for a number with 64 bits")
            return value
        if NOT_FINITE.fullmatch(text):
            raise self._error(event, f"{text} is not a finite number; only finite numbers can be used")
        return text

    def _error(self, event: Any, message: str) -> FileError:
        mark = event.start_mark
        parts = [one.part for one in self.open] + [one.next for one in self.open[-1:]]
        path = [part for part in parts if part is not None]
        return FileError(message, self.file, mark.line + 1, mark.column + 1, spelled(tuple(path)))


def _pass(event: Any) -> None:
    """The start and end of a stream or document."""


class LocatedData:
    """The data of a file, whose errors name the line, column and path of keys."""

    def __init__(self, root: YamlNode, file: str, text: str = "") -> None:
        self.root, self.file, self.text = root, file, text

    def find(self, path: "tuple[str | int, ...]", key: str = "") -> tuple[YamlNode, list[str | int], tuple[int, int]]:
        """The node as far as the path leads (what is not a key or index here is passed over), the path that led there,
        and its place; with ``key``, the place of that key in it."""
        node, found = self.root, list[str | int]()
        for part in path:
            if part in node:
                node = node.value[part]
                found.append(part)
        if node.keys is not None and key in node.keys:
            return node, [*found, key], node.keys[key]
        return node, found, (node.line, node.column)

    def error(self, message: str, *path: "str | int", key: str = "", inside: int | None = None) -> FileError:
        """An error at a path; ``inside`` is how far into a text it is."""
        node, found, (line, column) = self.find(path, key)
        if inside is not None and node.spread >= 0:
            line, column = self._spread(node, inside)
        elif inside is not None and node.inside >= 0:
            column += node.inside + inside
        return FileError(message, self.file, line, column, spelled(tuple(found)))

    def wrong(self, error: Exception, *path: "str | int") -> FileError:
        """An error of the library, at this path and then at its own; one of the file as it is."""
        if isinstance(error, FileError):
            return error
        if isinstance(error, ArithmeticError):
            return self.error("the numbers here are too large to be computed with", *path)
        if not isinstance(error, FreebodyError):
            return self.error(str(error), *path)
        whole = (*path, *error.path)
        if isinstance(error, ParseError):
            return self.error(error.pointed, *whole, inside=error.column)
        if not isinstance(error, FieldError):
            return self.error(str(error), *whole)
        if error.of_key:
            return self.error(error.message, *whole[:-1], key=str(whole[-1]))
        return self.error(error.message, *whole)

    def _spread(self, node: YamlNode, inside: int) -> tuple[int, int]:
        """Where a character of a text over several lines stands. Whatever YAML does to the lines changes only spaces,
        so it is as many others after the text's start as it is in the value; behind the last, it stands there."""
        letters, before = (sum(not c.isspace() for c in part) for part in (node.value, node.value[:inside]))
        lines, left = BREAK.split(self.text)[node.spread :], min(before, letters - 1)
        skipped = node.column - 1 if node.spread == node.line - 1 else 0
        for k, line in enumerate(lines):
            places = [c for c in range(0 if k else skipped, len(line)) if not line[c].isspace()]
            if left < len(places):
                return node.spread + k + 1, places[left] + 1 + (before == letters)
            left -= len(places)
        return node.line, node.column
