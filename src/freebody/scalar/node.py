"""The type of a node of a graph: an integer handle that is not an int to the type checker, at no cost at run time."""

from collections.abc import Callable, Sequence, Sized
from typing import NewType, cast

Node = NewType("Node", int)
"""A node of a ``Graph``, or of the straight-line code of a program."""

ZERO, ONE, NONE = Node(0), Node(1), Node(-1)
"""The nodes of the numbers 0 and 1, which every graph begins with, and no operand."""

next_node = cast(Callable[[Sized], Node], len)
"""The node that is appended next to a graph's arrays."""


def all_nodes(graph: Sized) -> Sequence[Node]:
    """The nodes of a graph or of code, in order."""
    return range(len(graph))  # type: ignore[return-value]
