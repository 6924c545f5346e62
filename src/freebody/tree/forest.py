"""Who hangs on whom: the system as links in order, each after its parent, with the layout of q, u, z."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from freebody.errors import ModelError
from freebody.model.body import Body, Recipe, Reference, attach
from freebody.model.joints.base import scalar
from freebody.model.joints.flexible import Flexible, Inside, Node
from freebody.model.loads import JointForce
from freebody.model.model import Model
from freebody.model.placed import Attach, PlacedBodies
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Terms, Transform, Twist, Vec
from freebody.spatial.scalars import Triple
from freebody.spatial.vector import Vector, components, terms


class Column(NamedTuple):
    """What unit speed does across a link's transform: a twist in the link's frame; ``angular`` and ``linear`` are the
    same as terms in the frames where they cost least. ``axis`` is (0 to 5, sign) where it lies along one axis of the
    link's frame, no rotor turns with it and nothing else moves by this speed."""

    speed: int
    twist: Twist
    angular: Terms
    linear: Terms
    axis: tuple[int, int] | None = None


@dataclass(eq=False)
class Link:
    """A body in the tree. Its frame has the axes of the first frame after its joint's last turn, so that constant
    rotations to the body's own axes cost nothing, and an origin of its own."""

    index: int
    body: Body
    parent: "Link | None"
    frame: Frame
    position: Vector  # from the parent's origin to this one's
    free: list[int] = field(default_factory=list)  # which of the joint's speeds are free
    u: list[int] = field(default_factory=list)  # their indices in the system's u; a coupled one has that of its leader
    shared: bool = False  # whether another link moves by the same speed

    @property
    def name(self) -> str:
        return self.body.name

    @property
    def described(self) -> Recipe:
        """The body as the user described it; of a stage of a joint the one that the joint belongs to."""
        return self.body.recipe.described

    @property
    def carries(self) -> bool:
        """Whether a body of the user's is here, not just a stage of its joint."""
        return self.name == self.described.name

    @property
    def graph(self) -> Graph:
        return self.frame.graph

    @property
    def base(self) -> Frame:
        """The frame of what it hangs on."""
        return self.body.frame.root if self.parent is None else self.parent.frame

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
        """The joint's own speed per unit of the speed at its index in u: 1, or the ratio of its coupling."""
        return self.graph.one if self.body.coupling is None else self.body.coupling.ratio.handle

    def _along(self, columns: list[Vector]) -> list[Vector]:
        return columns if self.body.coupling is None else [c * Expr(self.graph, self.gain) for c in columns]

    @cached_property
    def X(self) -> Transform:
        """From the parent's frame."""
        return Transform(self.base, self.frame, Vec(self.base, components(self.position, self.base)))

    @property
    def arm(self) -> Triple:
        """The position in the parent's frame."""
        return self.X.arm

    @cached_property
    def place(self) -> Terms:
        """The position where it is written, or nearer to the parent."""
        return terms(self.position, self.base)

    @cached_property
    def inside(self) -> Inside | None:
        """What moves inside the body by the joint's speeds, where these are the body's own."""
        joint, body = self.body.recipe.joint, self.body
        if not isinstance(joint, Flexible):
            return None
        tip, q, u = Frame(self.name, self.graph, body.frame), *([s.handle for s in some] for some in (body.q, body.u))
        return joint.inside(Transform(self.frame, tip, -Vec(self.frame, components(self.shift, self.frame))), q, u)

    @property
    def _moves(self) -> Iterable[tuple[int, Vector, Vector]]:
        """The speeds that move it on its parent, each with turn and slide: its joint's; of a node its parent's."""
        if isinstance(self.body.recipe.joint, Node) and self.parent is not None:
            placement = self.body.placement
            every = zip(self.parent.u, placement.turns, placement.slides, strict=True)
            return [(speed, turn, slide) for speed, turn, slide in every if turn or slide]
        return () if self.inside is not None else zip(self.u, self.turns, self.slides, strict=True)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Of the speeds that move it on its parent."""
        made = list[Column]()
        alone = not self.shared and self._armature == self.graph.zero
        for speed, turn, slide in self._moves:
            twist = Twist(self.frame, components(turn, self.frame) + components(slide, self.frame))
            axis = _axis(self.graph, twist) if alone else None
            made.append(Column(speed, twist, terms(turn, self.frame), terms(slide, self.frame), axis))
        return tuple(made)

    @property
    def _armature(self) -> int:
        return scalar(self.graph, self.body.recipe.joint.armature)

    @property
    def axes(self) -> dict[int, tuple[int, int]]:
        """By the speeds that move the link along one of its axes alone, and nothing else with it: axis and sign."""
        return {c.speed: c.axis for c in self.columns if c.axis is not None}

    @cached_property
    def relative_turning(self) -> Vector:
        """ω relative to the parent, as it is written."""
        return self._combined("turns", self.body.rates)

    @cached_property
    def relative_velocity(self) -> Vector:
        """Of the origin, relative to the parent, as it is written."""
        return self._combined("slides", self.body.rates)

    @cached_property
    def turning(self) -> Vec:
        """ω across the joint, prescribed speeds included."""
        return Vec(self.frame, components(self.relative_turning, self.frame))

    @cached_property
    def sliding(self) -> Terms:
        """The velocity of the origin across the joint."""
        return terms(self.relative_velocity, self.frame)

    @cached_property
    def turning_bias(self) -> Terms:
        """What the derivative of ``turning`` in the parent holds besides the free u̇."""
        return terms(self.body.placement.turn_rest + self._combined("turns", self.body.prescribed), self.frame)

    @cached_property
    def sliding_bias(self) -> Terms:
        return terms(self.body.placement.slide_rest + self._combined("slides", self.body.prescribed), self.frame)

    def _combined(self, what: Literal["turns", "slides"], rates: Sequence[Expr | None]) -> Vector:
        """Σ rate · column of the joint, over the rates that there are (a node has no prescribed ones)."""
        placement, total = self.body.placement, Vector(self.graph, {})
        for column, rate in zip(placement.turns if what == "turns" else placement.slides, rates, strict=bool(rates)):
            total = total if rate is None else total + column * rate
        return total

    def label(self, v: Vec, letter: str, what: str, more: str = "") -> Vec:
        """Say what the components of a vector are: "ω of camera along c1"."""
        if isinstance(self.frame.S, Graph):
            for k, (sign, unit) in enumerate(self.frame.basis):
                along = f"{'−' if sign < 0 else ''}{unit!r}"
                who = self.name if self.carries else f"the joint of {self.described.name} behind {self.name}"
                self.frame.S.label(v.c[k], f"{letter}_{self.name}_{k + 1}", f"{what} {who} along {along}{more}")
        return v

    def line(self) -> "list[Link]":
        """This link, its parent, … to the root."""
        links = [self]
        while links[-1].parent is not None:
            links.append(links[-1].parent)
        return links


def _axis(g: Graph, twist: Twist) -> tuple[int, int] | None:
    """(index, sign) of a twist along one axis of its frame alone, at unit rate."""
    found = [k for k, x in enumerate(twist.c) if x != g.zero]
    length = g.number(twist.c[found[0]]) if len(found) == 1 else None
    return (found[0], int(length)) if length in (1, -1) else None


@dataclass(frozen=True)
class StateLayout:
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
    """The links of a model, parents first, and its layout."""

    model: Model
    placed: PlacedBodies
    links: list[Link]
    layout: StateLayout

    @property
    def graph(self) -> Graph:
        return self.placed.graph

    @property
    def root(self) -> Frame:
        return self.placed.ground.frame

    @property
    def t(self) -> int:
        """The node of time."""
        return self.model.t

    @cached_property
    def gravity(self) -> Vector:
        """The acceleration of free fall."""
        return self.placed.ground.vector(self.model.gravity)

    def joint_force_loads(self) -> Iterator[tuple[Link, int, int]]:
        """The forces that loads put on joints' speeds: the link, the index among its speeds, the node."""
        for load in self.model.loads.values():
            if isinstance(load, JointForce):
                yield *self.speeds[load.speed_name], self.placed.scalar(load.force).handle

    @cached_property
    def bodies(self) -> "list[list[Link]]":
        """For each body of the user's the links of its joint, one for each stage; the last of them is the body."""
        found: dict[str, list[Link]] = {}
        for link in self.links:
            found.setdefault(link.described.name, []).append(link)
        return list(found.values())

    @cached_property
    def speeds(self) -> dict[str, tuple[Link, int]]:
        """By the name of each joint's speed: its link, and its index among the link's."""
        return {name: (link, k) for link in self.links for k, name in enumerate(link.body.recipe.names[1])}

    @property
    def shares(self) -> bool:
        """Whether some speed belongs to more than one link: that of coupled joints, or a body's own."""
        return any(link.shared or link.inside is not None for link in self.links)

    @classmethod
    def of(cls, model: Model, placed: PlacedBodies) -> "Forest":
        """The forest of a model whose bodies are placed."""
        links: dict[str, Link] = {}
        nu = 0
        for body in placed.bodies.values():
            place = body.offset + body.placement.position + _shift(body) - _shift(body.parent)
            link = Link(len(links), body, links.get(body.parent.name), framed(body), place)
            link.free = [k for k, given in enumerate(body.prescribed) if given is None]
            links[body.name] = link
            if body.coupling is None:
                link.u = list(range(nu, nu + len(link.free)))
                nu += len(link.free)
        for link in links.values():
            if link.body.coupling is not None:
                leader = links[link.body.coupling.to]
                link.u, link.shared, leader.shared = list(leader.u), True, True
            link.shared |= isinstance(link.body.recipe.joint, Node)
        return cls(model, placed, list(links.values()), _layout(model, placed))


def span(model: Model, place: Attach = attach, staged: bool = True) -> Forest:
    """The forest of a model, in a fork of its graph. Where it is ``staged``, a joint with stages becomes a link for
    each; ``place`` makes a body of its recipe and its parent."""
    placed = PlacedBodies(model.graph.fork())
    for recipe in model.bodies.values():
        for stage in recipe.stages(model.bodies) if staged else (recipe,):
            placed.add(stage, place)
    return Forest.of(model, placed)


def require_uncoupled(forest: Forest, what: str, way_out: str) -> None:
    """Refuse joints that follow others, where they cannot be honoured."""
    coupled = next((link.body for link in forest.links if link.body.coupling is not None), None)
    if coupled is not None and coupled.coupling is not None:
        raise ModelError(f"{what}: the joint of '{coupled.name}' is coupled to that of '{coupled.coupling.to}', which"
                         f" cannot be told here; {way_out}")  # fmt: skip


def require_joints(forest: Forest, what: str, way_out: str) -> None:
    """Refuse bodies with speeds of their own, where only those of joints are known."""
    name = next((link.name for link in forest.links if link.inside is not None), None)
    if name is not None:
        raise ModelError(f"{what}: '{name}' has speeds of its own, and only those of joints are known here; {way_out}")


def require_own(forest: Forest, name: str, what: str) -> None:
    """Refuse the name of a coordinate that follows another, where only one of its own can be meant."""
    coupled = [link.body.coupling.to for link in forest.links if link.name == name and link.body.coupling is not None]
    if coupled:
        raise ModelError(f"'{name}' cannot be {what} on its own: it is coupled to '{coupled[0]}'; name that one")


def _shift(body: Reference) -> Vector:
    return Vector(body.graph, {}) if body.shift is None else body.shift


def framed(body: Body) -> Frame:
    """A link's frame: the working axes of its body, and an origin of its own."""
    return Frame(body.name, body.graph, body.placement.axes or working(body.frame))


def working(frame: Frame) -> Frame:
    """The frame behind constant rotations: the nearest ancestor that does not just lie skew to its parent."""
    while frame.parent is not None and frame.up is not None and frame.up.axis is None and is_constant(frame):
        frame = frame.parent
    return frame


def is_constant(frame: Frame) -> bool:
    """Whether a frame does not turn in its parent."""
    return frame.up is None or all(frame.graph.mask[x] <= PARAMETERS_ONLY for x in frame.up.arguments)


def _layout(model: Model, placed: PlacedBodies) -> StateLayout:
    q: list[tuple[str, int, int]] = []
    u: list[tuple[str, int]] = []
    for body in placed.bodies.values():
        q_names, u_names = body.recipe.names
        coordinates = zip(q_names, body.q, body.placement.q_dot, body.is_state, strict=True)
        q += [(n, x.handle, rate) for n, x, rate, own in coordinates if own]
        speeds = zip(u_names, body.u, body.prescribed, strict=True) if body.coupling is None else ()
        u += [(n, x.handle) for n, x, fixed in speeds if fixed is None]
    return StateLayout(
        tuple(n for n, *_ in q), tuple(n for n, _ in u), tuple(model.states), tuple(model.inputs),
        tuple(model.parameters), tuple(h for _, h, _ in q), tuple(h for _, h in u), tuple(r for *_, r in q),
    )  # fmt: skip


def quaternions(forest: Forest) -> tuple[int, ...]:
    """Places in q where a unit quaternion begins."""
    found = []
    for link in forest.links:
        recipe = link.body.recipe
        found += [forest.layout.q.index(recipe.names[0][k]) for k in recipe.joint.quaternions]
    return tuple(found)
