"""Plain data to YAML: sections and bodies line by line, what is short in one line, texts in quotes where they would
read as something else."""

import re
from functools import cache
from math import isfinite
from typing import Any

from freebody.errors import FileError, spelled
from freebody.io import limits
from freebody.io.lines import DECIMAL, INTEGER, NOT_FINITE, WORDS

WIDTH = 110
SHORT = 88  # characters of what stands in one line
TAG = "tag:yaml.org,2002:"
RESOLVED = {
    "int": INTEGER.pattern,
    "float": f"{DECIMAL.pattern}|{NOT_FINITE.pattern}",
    "null": "|".join(re.escape(word) for word, value in WORDS.items() if value is None),
    "bool": "|".join(word for word, value in WORDS.items() if value is not None),
}
"""What the reader takes a plain text for, the first that fits."""


def emitted(data: dict[str, Any]) -> str:
    """The text of a model file, within the limits of one."""
    import yaml

    dumper = _dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper))
    text = str(yaml.serialize(_Nodes().node(data)[0], Dumper=dumper, allow_unicode=True, width=WIDTH))
    try:
        limits.check(text, "the file")
    except FileError as error:
        raise FileError(f"system '{data['name']}': {error.message}; keep it in Python") from None
    return text


@cache
def _dumper(base: Any) -> Any:
    """PyYAML's emitter with the reader's own idea of what a plain text is."""
    every = [(TAG + tag, re.compile(rf"(?:{pattern})\Z")) for tag, pattern in RESOLVED.items()]
    return type("Dumper", (base,), {"yaml_implicit_resolvers": {None: every, "": every}})


class _Nodes:
    """YAML nodes of plain data, counted."""

    def __init__(self) -> None:
        from yaml import MappingNode, ScalarNode, SequenceNode

        self.mapping, self.sequence, self.scalar = MappingNode, SequenceNode, ScalarNode
        self.count = 0
        self.path: list[str | int] = []  # of what is being written

    def node(self, data: Any) -> tuple[Any, int]:
        """The node of a value, and about how long it is in one line."""
        self.count += 1
        if self.count > limits.NODES:
            raise FileError(f"the system needs more than {limits.NODES} values; keep it in Python")
        kind, path = type(data), self.path
        if kind is dict:
            pairs, width = list[Any](), 2
            blocks = len(path) < 2 or (len(path) == 2 and path[0] == "bodies")  # sections and bodies, line by line
            for key, value in data.items():
                path.append(key)
                inside, size = self.node(value)
                path.pop()
                self.count += 1
                pairs.append((self._text("str", str(key)), inside))
                width += len(str(key)) + 4 + size
            return self.mapping(TAG + "map", pairs, flow_style=not blocks and width <= SHORT), width
        if kind is list:
            items, width, numbers = list[Any](), 2, True
            for index, value in enumerate(data):
                path.append(index)
                inside, size = self.node(value)
                path.pop()
                items.append(inside)
                width += 2 + size
                numbers = numbers and isinstance(value, int | float)
            return self.sequence(TAG + "seq", items, flow_style=numbers or width <= SHORT), width
        if kind is float and not isfinite(data):
            raise FileError(f"{data} is not a number that a file can hold; give a finite one", key=self._spelled())
        tag, text = _scalar(data)
        return self._text(tag, text), len(text)

    def _text(self, tag: str, text: str) -> Any:
        if (not text.isprintable() and limits.CONTROL.search(text)) or len(text) > limits.TEXT:
            raise FileError("it has control characters or is too long for a file; change it", key=self._spelled())
        return self.scalar(TAG + tag, text, style='"' if "\n" in text else None)

    def _spelled(self) -> str:
        return spelled(tuple(self.path))


def _scalar(value: Any) -> tuple[str, str]:
    if isinstance(value, bool) or value is None:
        return ("null", "null") if value is None else ("bool", str(value).lower())
    if isinstance(value, int):
        return "int", str(value)
    if isinstance(value, float):
        return "float", re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))
    return "str", value
