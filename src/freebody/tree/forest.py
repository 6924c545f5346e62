"""Who hangs on whom: the system as links in order, each after its parent, with the layout of q, u, z."""

from dataclasses import dataclass, field
from functools import cached_property

from freebody.errors import ModelError
from freebody.model.body import Body, Reference
from freebody.model.system import System
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.triples import Triple
from freebody.spatial.vector import Vector, components


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
    u: list[int] = field(default_factory=list)  # their places in the system's u; of a tied one that of what it follows
    shared: bool = False  # whether another link moves by the same speed

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
        return self._along([self.body.placement.turns[k] for k in self.free])

    @property
    def slides(self) -> list[Vector]:
        """∂v/∂u of the free speeds: the origin's, relative to the parent."""
        return self._along([self.body.placement.slides[k] for k in self.free])

    @property
    def gain(self) -> int:
        """The joint's own speed per unit of the speed at its place in u: 1, or the ratio of its tie."""
        return self.graph.one if self.body.tie is None else self.body.tie.ratio.handle

    def _along(self, columns: list[Vector]) -> list[Vector]:
        return columns if self.body.tie is None else [c * self.body.tie.ratio for c in columns]

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
            place = body.offset + body.placement.position + _shift(body) - _shift(body.parent)
            link = Link(len(links), body, links.get(body.parent.name), working(body.frame), place)
            link.free = [k for k, given in enumerate(body.given) if given is None]
            links[body.name] = link
            if body.tie is None:
                link.u = list(range(nu, nu + len(link.free)))
                nu += len(link.free)
        for link in links.values():
            if link.body.tie is not None:
                leader = links[link.body.tie.to]
                link.u, link.shared, leader.shared = list(leader.u), True, True
        return cls(system, list(links.values()), _layout(system))


def span(system: System) -> Forest:
    """The forest of a system, in a graph of its own."""
    return Forest.of(system.copy())


def require_untied(forest: Forest, what: str, way_out: str) -> None:
    """Refuse joints that follow others, where they cannot be honoured."""
    tied = next((link.body for link in forest.links if link.body.tie is not None), None)
    if tied is not None and tied.tie is not None:
        raise ModelError(f"{what}: the joint of '{tied.name}' is tied to that of '{tied.tie.to}', which cannot be told"
                         f" here; {way_out}")  # fmt: skip


def require_own(forest: Forest, name: str, what: str) -> None:
    """Refuse the name of a coordinate that follows another, where only one of its own can be meant."""
    tied = [link.body.tie.to for link in forest.links if link.name == name and link.body.tie is not None]
    if tied:
        raise ModelError(f"'{name}' cannot be {what} on its own: it is tied to '{tied[0]}'; name that one")


def _shift(body: Reference) -> Vector:
    return Vector(body.graph, {}) if body.shift is None else body.shift


def working(frame: Frame) -> Frame:
    """The frame behind constant rotations: the nearest ancestor that does not just lie skew to its parent."""
    while frame.parent is not None and frame.up is not None and frame.up.axis is None and is_constant(frame):
        frame = frame.parent
    return frame


def is_constant(frame: Frame) -> bool:
    """Whether a frame does not turn in its parent."""
    return frame.up is None or all(frame.graph.mask[x] <= PARAMETERS_ONLY for x in frame.up.entries)


def _layout(system: System) -> Layout:
    q: list[tuple[str, int, int]] = []
    u: list[tuple[str, int]] = []
    for body in system.bodies.values():
        q_names, u_names = body.recipe.names
        coordinates = zip(q_names, body.q, body.placement.q_dot, body.own, strict=True)
        q += [(n, x.handle, rate) for n, x, rate, own in coordinates if own]
        speeds = zip(u_names, body.u, body.given, strict=True) if body.tie is None else ()
        u += [(n, x.handle) for n, x, fixed in speeds if fixed is None]
    return Layout(
        tuple(n for n, *_ in q), tuple(n for n, _ in u), tuple(system.states), tuple(system.inputs),
        tuple(system.values), tuple(h for _, h, _ in q), tuple(h for _, h in u), tuple(r for *_, r in q),
    )  # fmt: skip


def quaternions(forest: Forest) -> tuple[int, ...]:
    """Places in q where a unit quaternion begins."""
    found = []
    for link in forest.links:
        recipe = link.body.recipe
        found += [forest.layout.q.index(recipe.names[0][k]) for k in recipe.joint.quaternions]
    return tuple(found)
