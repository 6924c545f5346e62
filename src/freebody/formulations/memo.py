"""What was made for equations, by what was asked: asked the same once more, it is there."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from numbers import Real
from types import MethodType
from typing import Any, TypeVar

import numpy as np

from freebody.scalar.expr import Expr
from freebody.scalar.functions import Callback, Table

LAST = 16
"""So many are kept, those asked for last."""

Made = TypeVar("Made")


class Same:
    """An object as a part of a key: equal to itself alone, and alive as long as the key."""

    __slots__ = ("object",)

    def __init__(self, thing: object) -> None:
        self.object = thing

    def __hash__(self) -> int:
        return id(self.object)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.object is self.object


def mark(said: Any) -> Hashable:
    """What a user said, as a part of a key: equal where the same was said. Raises TypeError for what cannot be
    compared."""
    if isinstance(said, str | None):
        return said
    if isinstance(said, bool | np.bool_):
        return "bool", bool(said)
    if isinstance(said, Real):
        return float(said)
    if isinstance(said, Expr):
        return Same(said.graph), said.handle
    if isinstance(said, np.ndarray):
        row = np.array(said, float)
        return "array", row.shape, row.tobytes()
    if isinstance(said, list | tuple):
        return type(said).__name__, *map(mark, said)
    if isinstance(said, Mapping):
        return "mapping", *((key, mark(value)) for key, value in said.items())
    if isinstance(said, MethodType):
        return Same(said.__self__), Same(said.__func__)
    if callable(said) or isinstance(said, Callback | Table):
        return Same(said)
    raise TypeError(f"{type(said).__name__} cannot be compared")


def key_of(*said: Any) -> Hashable | None:
    """All of this as one key; None where something cannot be compared."""
    try:
        key = tuple(map(mark, said))
        hash(key)
        return key
    except (TypeError, ValueError, OverflowError):
        return None


class Memo:
    """Things by key, the last ``LAST`` of them."""

    def __init__(self) -> None:
        self._things: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable | None, make: Callable[[], Made]) -> Made:
        """What is kept under the key, or made now; without a key it is made anew each time."""
        if key is None:
            return make()
        if key not in self._things:
            self._things[key] = make()
            if len(self._things) > LAST:
                self._things.popitem(last=False)
        self._things.move_to_end(key)
        made: Made = self._things[key]
        return made
