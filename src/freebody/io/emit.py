"""Plain data to YAML: sections and bodies line by line, what is short in one line, texts in quotes where they would
read as something else."""

import re
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

    text = str(yaml.serialize(_Nodes().node(data, ()), Dumper=_dumper(), allow_unicode=True, width=WIDTH))
    try:
        limits.check(text, "the file")
    except FileError as error:
        raise FileError(f"system '{data['name']}': {error.message}; keep it in Python") from None
    return text


def _dumper() -> Any:
    """PyYAML's emitter with the reader's own idea of what a plain text is."""
    import yaml

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    every = [(TAG + tag, re.compile(rf"(?:{pattern})\Z")) for tag, pattern in RESOLVED.items()]
    return type("Dumper", (base,), {"yaml_implicit_resolvers": {None: every, "": every}})


class _Nodes:
    """YAML nodes of plain data, counted."""

    def __init__(self) -> None:
        self.count = 0

    def node(self, data: Any, path: "tuple[str | int, ...]") -> Any:
        import yaml

        self.count += 1
        if self.count > limits.NODES:
            raise FileError(f"the system needs more than {limits.NODES} values; keep it in Python")
        if isinstance(data, dict):
            pairs = [(self.node(str(k), ()), self.node(v, (*path, k))) for k, v in data.items()]
            return yaml.MappingNode(TAG + "map", pairs, flow_style=not _blocks(path) and _width(data) <= SHORT)
        if isinstance(data, list):
            return yaml.SequenceNode(TAG + "seq", [self.node(v, (*path, k)) for k, v in enumerate(data)],
                                     flow_style=_numbers(data) or _width(data) <= SHORT)  # fmt: skip
        if isinstance(data, float) and not isfinite(data):
            raise FileError(f"{data} is no number that a file can hold; give a finite one", key=spelled(path))
        tag, text = _scalar(data)
        if (not text.isprintable() and limits.CONTROL.search(text)) or len(text) > limits.TEXT:
            raise FileError("it has control characters or is too long for a file; change it", key=spelled(path))
        return yaml.ScalarNode(TAG + tag, text, style='"' if "\n" in text else None)


def _blocks(path: "tuple[str | int, ...]") -> bool:
    """Sections and bodies stand line by line."""
    return len(path) < 2 or (len(path) == 2 and path[0] == "bodies")


def _numbers(data: list[Any]) -> bool:
    return all(isinstance(v, int | float) for v in data)


def _width(data: Any) -> int:
    """About how long the data is in one line."""
    if isinstance(data, dict):
        return 2 + sum(len(str(k)) + 4 + _width(v) for k, v in data.items())
    return 2 + sum(2 + _width(v) for v in data) if isinstance(data, list) else len(str(data))


def _scalar(value: Any) -> tuple[str, str]:
    if isinstance(value, bool) or value is None:
        return ("null", "null") if value is None else ("bool", str(value).lower())
    if isinstance(value, int):
        return "int", str(value)
    if isinstance(value, float):
        return "float", re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))
    return "str", value
