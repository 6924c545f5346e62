"""Results stored with the equations, by the arguments of a call: an equal call finds them again."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from numbers import Real
from types import MethodType
from typing import Any, TypeVar

import numpy as np

from freebody.scalar.expr import Expr
from freebody.scalar.functions import Callback, Table

LAST = 16
"""The number of results that are stored, those used last."""

Result = TypeVar("Result")


class ById:
    """An object as a part of a key: equal to itself alone, and alive as long as the key."""

    __slots__ = ("object",)

    def __init__(self, thing: object) -> None:
        self.object = thing

    def __hash__(self) -> int:
        return id(self.object)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ById) and other.object is self.object


def key_of(*arguments: Any) -> Hashable | None:
    """Arguments as one key; None if one of them cannot be compared."""
    try:
        key = tuple(map(_part, arguments))
        hash(key)
        return key
    except (TypeError, ValueError, OverflowError):
        return None


def _part(value: Any) -> Hashable:
    """A value as a part of a key. Raises TypeError if it cannot be compared."""
    if isinstance(value, str | None):
        return value
    if isinstance(value, bool | np.bool_):
        return "bool", bool(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Expr):
        return ById(value.graph), value.handle
    if isinstance(value, np.ndarray):
        row = np.array(value, float)
        return "array", row.shape, row.tobytes()
    if isinstance(value, list | tuple):
        return type(value).__name__, *map(_part, value)
    if isinstance(value, Mapping):
        return "mapping", *((key, _part(one)) for key, one in value.items())
    if isinstance(value, MethodType):
        return ById(value.__self__), ById(value.__func__)
    if callable(value) or isinstance(value, Callback | Table):
        return ById(value)
    raise TypeError(f"{type(value).__name__} cannot be compared")


class Memo:
    """Results by key, the last ``LAST`` of them."""

    def __init__(self) -> None:
        self._results: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable | None, make: Callable[[], Result]) -> Result:
        """The result stored under the key, or a new one; without a key always a new one."""
        if key is None:
            return make()
        if key not in self._results:
            self._results[key] = make()
            if len(self._results) > LAST:
                self._results.popitem(last=False)
        self._results.move_to_end(key)
        result: Result = self._results[key]
        return result
