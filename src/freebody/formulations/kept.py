"""What was made for equations, by what was asked: asked the same once more, it is there."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

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


class Kept:
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
