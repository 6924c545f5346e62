"""Model elements carried over to another graph: expressions, vectors, points and bodies inside any dataclass."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from typing import Any

from freebody.model.body import Body, Point, Reference
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame, Unit
from freebody.spatial.vector import Vector

PLAIN = frozenset((str, int, float, bool, type(None)))
"""What holds no nodes."""


class Names(dict[type, tuple[str, ...] | None]):
    """The names of a dataclass's fields by its type, looked up once; None for any other type."""

    def __init__(self, every: bool) -> None:
        super().__init__()
        self.every = every

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        names = None
        if is_dataclass(kind):
            names = tuple(f.name for f in fields(kind) if (not _is_silent(f) if self.every else f.init))
        self[kind] = names
        return names


def _is_silent(f: "Field[Any]") -> bool:
    """Whether a field of an element only repeats what others hold."""
    return bool(f.metadata.get("element", {}).get("silent"))


FIELDS, ARGUMENTS = Names(every=True), Names(every=False)
"""All fields but those that repeat what others hold, and those that the constructor takes."""


def handles(value: Any) -> Iterator[int]:
    """Every node that a value holds, at any depth; bodies are not entered."""
    todo = [value]
    while todo:
        one = todo.pop()
        if type(one) in PLAIN:
            continue
        if isinstance(one, Expr):
            yield one.handle
        elif isinstance(one, list | tuple):
            todo.extend(one)
        elif isinstance(one, Vector):
            yield from one.parts.values()
        elif isinstance(one, Point):
            todo.append(one.offset)
        elif isinstance(one, Reference):
            continue
        elif (names := FIELDS[type(one)]) is not None:
            todo.extend([getattr(one, name) for name in names])
        elif isinstance(one, Mapping):
            todo.extend(one.values())


class Mover:
    """The map from one graph to another: nodes, then frames and bodies as they are built anew."""

    def __init__(self, graph: Graph, nodes: Mapping[int, int]) -> None:
        self.graph, self.nodes = graph, nodes
        self.frames: dict[Frame, Frame] = {}
        self.bodies: dict[str, Reference] = {}

    def learn(self, old: Reference, new: Sequence[Reference]) -> None:
        """A body that was built anew, perhaps in stages, with the frames that lead to it; names may repeat, so frames
        go by identity."""
        self.bodies[old.name] = new[-1]
        for one, other in zip(_upwards(old.frame), _chains(new), strict=False):
            if one in self.frames:
                break
            self.frames[one] = other

    def __call__(self, value: Any) -> Any:
        """The value in the new graph."""
        if type(value) in PLAIN:
            return value
        if isinstance(value, Expr):
            return Expr(self.graph, self.nodes[value.handle])
        if isinstance(value, list | tuple):
            return type(value)([self(v) for v in value])
        if isinstance(value, Vector):
            return self._vector(value)
        if isinstance(value, Reference):
            return self.bodies[value.name]
        names = ARGUMENTS[type(value)]
        if names is not None:
            return type(value)(**{name: self(getattr(value, name)) for name in names})
        if isinstance(value, Mapping):
            return {k: self(v) for k, v in value.items()}
        return value

    def _vector(self, value: Vector) -> Vector:
        """Along the same axes of the frames built anew, which may be (minus) an axis of another frame there."""
        g, parts = self.graph, dict[Unit, int]()
        for unit, s in value.parts.items():
            sign, own = self.frames[unit.frame].basis[unit.index]
            x = self.nodes[s] if sign > 0 else g.neg(self.nodes[s])
            parts[own] = g.add(parts[own], x) if own in parts else x
        return Vector(g, {unit: s for unit, s in parts.items() if s != g.zero})


def _upwards(frame: Frame | None) -> Iterator[Frame]:
    """A frame, its parent, … as far as somebody asks: chains are long."""
    while frame is not None:
        yield frame
        frame = frame.parent


def _chains(stages: Sequence[Reference]) -> Iterator[Frame]:
    """The frames of a body through all its stages."""
    for k in reversed(range(len(stages))):
        for frame in _chain(stages[k]):
            if k and frame is stages[k - 1].frame:
                break
            yield frame


def _chain(body: Reference) -> Iterable[Frame]:
    """The frames of a body from its own to the root as the user laid them."""
    return body.chain if isinstance(body, Body) and body.chain else _upwards(body.frame)
