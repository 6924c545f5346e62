"""Who hangs on whom: the system as links in order, each after its parent, with the layout of q, u, z."""

from dataclasses import dataclass, field
from functools import cached_property

from freebody.geometry.frame import Frame, Triple, Turned
from freebody.geometry.vector import Vector, components
from freebody.model.body import Body
from freebody.model.system import System
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY


@dataclass(eq=False)
class Link:
    """A body in the tree. Its working frame is the first one after its joint's last turn, so that constant rotations
    to the body's own axes cost nothing."""

    index: int
    body: Body
    parent: "Link | None"
    frame: Frame
    position: Vector  # from the parent's origin to this one's
    free: list[int] = field(default_factory=list)  # which of the joint's speeds are free
    u: list[int] = field(default_factory=list)  # their places in the system's u

    @property
    def name(self) -> str:
        return self.body.name

    @property
    def graph(self) -> Graph:
        return self.frame.graph

    @property
    def shift(self) -> Vector:
        """From the body's origin to the link's."""
        return _shift(self.body)

    @property
    def turns(self) -> list[Vector]:
        """∂ω/∂u of the free speeds, relative to the parent."""
        assert self.body.placement is not None
        return [self.body.placement.turns[k] for k in self.free]

    @property
    def slides(self) -> list[Vector]:
        """∂v/∂u of the free speeds: the origin's, relative to the parent."""
        assert self.body.placement is not None
        return [self.body.placement.slides[k] for k in self.free]

    @cached_property
    def arm(self) -> Triple:
        """The position in the parent's working frame (the ground's, for a root)."""
        return components(self.position, self.parent.frame if self.parent is not None else self.body.frame.root)

    @cached_property
    def feels(self) -> list[tuple[Triple | None, Triple | None]]:
        """For each free speed its turn and slide as components in the working frame, None where they lie in another."""
        return [(self._own(t), self._own(s)) for t, s in zip(self.turns, self.slides, strict=True)]

    def _own(self, v: Vector) -> Triple | None:
        inside = all(self.frame.place(unit) is not None for unit in v.parts)
        return components(v, self.frame) if inside else None

    def line(self) -> "list[Link]":
        """This link, its parent, … to the root."""
        links = [self]
        while links[-1].parent is not None:
            links.append(links[-1].parent)
        return links


@dataclass(frozen=True)
class Layout:
    """The order of the state: names of coordinates, speeds, extra states and inputs, and the symbols behind them."""

    q: tuple[str, ...]
    u: tuple[str, ...]
    z: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    q_handles: tuple[int, ...]
    u_handles: tuple[int, ...]
    q_dot: tuple[int, ...]


@dataclass(eq=False)
class Forest:
    """The links of a system, parents first, and its layout."""

    system: System
    links: list[Link]
    layout: Layout

    @property
    def graph(self) -> Graph:
        return self.system.graph

    @property
    def root(self) -> Frame:
        return self.system.ground.frame

    @classmethod
    def of(cls, system: System) -> "Forest":
        """The forest of a system as it stands, in its own graph."""
        links: dict[str, Link] = {}
        nu = 0
        for body in system.bodies.values():
            assert body.parent is not None and body.placement is not None and body.offset is not None
            place = body.offset + body.placement.position + _shift(body) - _shift(body.parent)
            link = Link(len(links), body, links.get(body.parent.name), working(body.frame), place)
            link.free = [k for k, given in enumerate(body.given) if given is None]
            link.u = list(range(nu, nu + len(link.free)))
            nu += len(link.free)
            links[body.name] = link
        return cls(system, list(links.values()), _layout(system))


def span(system: System) -> Forest:
    """The forest of a system, in a graph of its own."""
    return Forest.of(system.copy())


def _shift(body: Body) -> Vector:
    return Vector(body.graph, {}) if body.shift is None else body.shift


def working(frame: Frame) -> Frame:
    """The frame behind constant rotations: the nearest ancestor that does not just lie skew to its parent."""
    while frame.parent is not None and isinstance(frame.rotation, Turned) and _is_constant(frame):
        frame = frame.parent
    return frame


def _is_constant(frame: Frame) -> bool:
    assert isinstance(frame.rotation, Turned)
    return all(frame.graph.mask[x] <= PARAMETERS_ONLY for row in frame.rotation.matrix for x in row)


def _layout(system: System) -> Layout:
    q: list[tuple[str, int, int]] = []
    u: list[tuple[str, int]] = []
    for body in system.bodies.values():
        assert body.recipe is not None and body.placement is not None
        q_names, u_names = body.recipe.names
        given = [g is not None for g in body.given] if body.recipe.joint.motion is not None else [False] * len(q_names)
        coordinates = zip(q_names, body.q, body.placement.q_dot, given, strict=True)
        q += [(n, x.handle, rate) for n, x, rate, fixed in coordinates if not fixed]
        u += [(n, x.handle) for n, x, fixed in zip(u_names, body.u, body.given, strict=True) if fixed is None]
    return Layout(
        tuple(n for n, *_ in q), tuple(n for n, _ in u), tuple(system.states), tuple(system.inputs),
        tuple(system.values), tuple(h for _, h, _ in q), tuple(h for _, h in u), tuple(r for *_, r in q),
    )  # fmt: skip


def quaternions(forest: Forest) -> tuple[int, ...]:
    """Places in q where a unit quaternion begins: the coordinates named qw."""
    found = []
    for link in forest.links:
        recipe = link.body.recipe
        assert recipe is not None
        if "qw" in recipe.joint.coordinates:
            found.append(forest.layout.q.index(recipe.names[0][recipe.joint.coordinates.index("qw")]))
    return tuple(found)
