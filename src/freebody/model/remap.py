"""Model elements carried over to another graph: expressions, vectors, points and bodies inside any dataclass."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from freebody.geometry.frame import Frame, Unit
from freebody.geometry.vector import Vector
from freebody.model.body import Body, Point
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph


def handles(value: Any) -> Iterator[int]:
    """Every node that a value holds, at any depth; bodies are not entered."""
    if isinstance(value, Expr):
        yield value.handle
    elif isinstance(value, Vector):
        yield from value.parts.values()
    elif isinstance(value, Point):
        yield from handles(value.offset)
    elif isinstance(value, Mapping):
        yield from (h for v in value.values() for h in handles(v))
    elif isinstance(value, list | tuple):
        yield from (h for v in value for h in handles(v))
    elif is_dataclass(value) and not isinstance(value, Body | type):
        yield from (h for f in fields(value) for h in handles(getattr(value, f.name)))


class Mover:
    """The map from one graph to another: nodes, then frames and bodies as they are built anew."""

    def __init__(self, graph: Graph, nodes: Mapping[int, int]) -> None:
        self.graph, self.nodes = graph, nodes
        self.frames: dict[Frame, Frame] = {}
        self.bodies: dict[str, Body] = {}

    def learn(self, old: Body, new: Body) -> None:
        """A body that was built anew, with the frames that lead to it; names may repeat, so frames go by identity."""
        self.bodies[old.name] = new
        here: Frame | None = old.frame
        there: Frame | None = new.frame
        while here is not None and there is not None and here not in self.frames:
            self.frames[here] = there
            here, there = here.parent, there.parent

    def __call__(self, value: Any) -> Any:
        """The value in the new graph."""
        if isinstance(value, Expr):
            return Expr(self.graph, self.nodes[value.handle])
        if isinstance(value, Vector):
            return Vector(self.graph, {self._unit(u): self.nodes[s] for u, s in value.parts.items()})
        if isinstance(value, Body):
            return self.bodies[value.name]
        if isinstance(value, Mapping):
            return {k: self(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self(v) for v in value)
        if is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value)
        return value

    def _dataclass(self, value: Any) -> Any:
        changed = {f.name: self(getattr(value, f.name)) for f in fields(value) if f.init}
        return replace(value, **changed)

    def _unit(self, unit: Unit) -> Unit:
        """The same axis of the frame built anew."""
        return self.frames[unit.frame].basis[unit.index][1]


