"""Digests of modal data and of descriptions: equal content has equal digests, whatever objects hold it."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from freebody.tables import field_values

SIZE = 16
"""Bytes of a digest."""


def content_digest(value: Any) -> bytes:
    """The digest of numbers, texts, arrays, sequences and mappings of them, and dataclasses of all these. A
    TypeError is raised for other values, whose content is not known."""
    from hashlib import blake2b  # imports OpenSSL

    return blake2b(encoded(value), digest_size=SIZE).digest()


@singledispatch
def encoded(value: Any) -> bytes:
    """Bytes that are equal for equal content; each begins with its type, and parts with their lengths."""
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"the content of a {type(value).__name__} is not known")
    return joined(f"{type(value).__module__}.{type(value).__qualname__}", [*field_values(value).values()])


def joined(kind: str, parts: list[Any]) -> bytes:
    """The digests of parts, one after another."""
    return f"{kind}:{len(parts)}:".encode() + b"".join(map(content_digest, parts))


@encoded.register
def _(value: None) -> bytes:
    return b"none"


@encoded.register(str)
@encoded.register(bool)
@encoded.register(int)
@encoded.register(float)
def _(value: str | float) -> bytes:
    return f"{type(value).__name__}:{value!r}".encode()


@encoded.register
def _(value: np.ndarray) -> bytes:
    if value.dtype.hasobject:
        raise TypeError("the content of an array of objects is not known")
    return f"array:{value.dtype.str}{value.shape}:".encode() + np.ascontiguousarray(value).tobytes()


@encoded.register
def _(value: np.generic) -> bytes:
    return encoded(np.asarray(value))


@encoded.register(tuple)
@encoded.register(list)
def _(value: tuple[Any, ...] | list[Any]) -> bytes:
    return joined(type(value).__name__, list(value))


@encoded.register(Mapping)
def _(value: Mapping[Any, Any]) -> bytes:
    return joined("mapping", [part for item in value.items() for part in item])
