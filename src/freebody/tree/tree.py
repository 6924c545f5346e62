"""The tree of a system: links in order, each after its parent, and the layout of q, u, z."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from freebody.errors import ModelError
from freebody.model.body import Body, BodySpec, Reference, attach
from freebody.model.joints.base import scalar
from freebody.model.joints.flexible import InternalDynamics
from freebody.model.model import Model
from freebody.model.placed import Attach, PlacedBodies
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Terms, Transform, Twist, Vec
from freebody.spatial.scalars import Triple
from freebody.spatial.vector import Vector, components, terms


class Column(NamedTuple):
    """A column of H: the link's twist relative to its parent at unit speed, in the link's frame; ``angular`` and
    ``linear`` are its parts as terms in the frames where they cost least. ``axis`` is (0 to 5, sign) of a column along
    one axis of the link's frame, if its joint has no rotor and nothing else moves by this speed."""

    speed: int
    twist: Twist
    angular: Terms
    linear: Terms
    axis: tuple[int, int] | None = None


@dataclass(eq=False)
class Link:
    """A body in the tree. Its frame has the axes of the first frame after its joint's last turn, so that a constant
    rotation to the body's axes costs nothing, and an origin of its own."""

    index: int
    body: Body
    parent: "Link | None"
    frame: Frame
    position: Vector  # p_PB, from the parent's origin to this one's
    free: list[int] = field(default_factory=list)  # which of the joint's speeds are free
    u: list[int] = field(default_factory=list)  # their indices in the system's u; a coupled one has that of its leader
    shared: bool = False  # whether another link moves by the same speed

    @property
    def name(self) -> str:
        return self.body.name

    @property
    def described(self) -> BodySpec:
        """The body as the user described it; for a stage of a joint the body of the joint."""
        return self.body.spec.described

    @property
    def graph(self) -> Graph:
        return self.frame.graph

    @property
    def base(self) -> Frame:
        """The frame of the parent, or of the ground."""
        return self.body.frame.root if self.parent is None else self.parent.frame

    @property
    def shift(self) -> Vector:
        """From the body's origin to the link's."""
        return _shift(self.body)

    @property
    def turns(self) -> list[Vector]:
        """∂ω_PB/∂u of the free speeds."""
        return self._along([self.body.placement.turns[k] for k in self.free])

    @property
    def slides(self) -> list[Vector]:
        """∂v_PB/∂u of the free speeds."""
        return self._along([self.body.placement.slides[k] for k in self.free])

    @property
    def gain(self) -> Node:
        """The joint's speed per unit of the speed at its index in u: 1, or the ratio of its coupling."""
        return self.graph.one if self.body.coupling is None else self.body.coupling.ratio.handle

    def _along(self, columns: list[Vector]) -> list[Vector]:
        return columns if self.body.coupling is None else [c * Expr(self.graph, self.gain) for c in columns]

    @property
    def is_flexible(self) -> bool:
        """Whether the joint's speeds are the body's own (see ``inside``)."""
        return self.body.spec.internal is not None

    @property
    def is_node(self) -> bool:
        """Whether it is a node of its parent."""
        return self.body.spec.is_node

    @property
    def is_port(self) -> bool:
        """Whether it is a node whose columns are known in factors."""
        return self.body.placement.shapes is not None

    @cached_property
    def p_PB(self) -> Vec:
        return Vec(self.base, components(self.position, self.base))

    @cached_property
    def X(self) -> Transform:
        """From the parent's frame, as the equations use it: without deformation on a node that neglects it."""
        undeformed = self.body.placement.undeformed
        arm = self.p_PB if undeformed is None else Vec(self.base, components(undeformed, self.base))
        return Transform(self.base, self.frame, arm)

    @cached_property
    def arm_in_frame(self) -> Triple:
        """The arm of X along the axes of this link's frame."""
        undeformed = self.body.placement.undeformed
        return components(self.position if undeformed is None else undeformed, self.frame)

    @cached_property
    def position_terms(self) -> Terms:
        """The arm of X in the frames where it is written, or nearer to the parent."""
        undeformed = self.body.placement.undeformed
        return terms(self.position if undeformed is None else undeformed, self.base)

    @cached_property
    def internal_dynamics(self) -> InternalDynamics | None:
        """The moving inside of a body whose joint's speeds are its own; None of a rigid body."""
        body, internal = self.body, self.body.spec.internal
        if internal is None:
            return None
        tip, q, u = Frame(self.name, self.graph, body.frame), *([s.handle for s in some] for some in (body.q, body.u))
        return internal.internal_dynamics(
            Transform(self.frame, tip, -Vec(self.frame, components(self.shift, self.frame))), q, u
        )

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """H: the columns of the joint's speeds; of a node those of its parent's own speeds."""
        g, frame, joint, columns = self.graph, self.frame, self.body.spec.joint, list[Column]()
        alone = not self.shared and scalar(g, joint.armature) == g.zero
        each: Iterable[tuple[int, Vector, Vector]] = ()
        if self.is_node and self.parent is not None:
            placement = self.body.placement
            own = self.parent.u[len(self.parent.u) - len(placement.turns) :]  # behind those of the parent's joint
            moves = zip(own, placement.turns, placement.slides, strict=True)
            each = [(speed, turn, slide) for speed, turn, slide in moves if turn or slide]
        elif not self.is_flexible:
            each = zip(self.u, self.turns, self.slides, strict=True)
        for speed, turn, slide in each:
            twist, axis = Twist(frame, components(turn, frame) + components(slide, frame)), None
            parts = [k for k, x in enumerate(twist.c) if x != g.zero]
            length = g.number(twist.c[parts[0]]) if len(parts) == 1 else None
            if alone and length in (1, -1):
                axis = parts[0], int(length)
            columns.append(Column(speed, twist, terms(turn, frame), terms(slide, frame), axis))
        return tuple(columns)

    @property
    def axes(self) -> dict[int, tuple[int, int]]:
        """Axis and sign by speed, of the columns along one axis."""
        return {c.speed: c.axis for c in self.columns if c.axis is not None}

    @cached_property
    def joint_angular_velocity(self) -> Vector:
        """ω_PB, prescribed speeds included, as it is written."""
        return self._sum(self.body.placement.turns, self.body.rates)

    @cached_property
    def joint_velocity(self) -> Vector:
        """v_PB of the origin, prescribed speeds included, as it is written."""
        return self._sum(self.body.placement.slides, self.body.rates)

    @cached_property
    def w_PB(self) -> Vec:
        return Vec(self.frame, components(self.joint_angular_velocity, self.frame))

    @cached_property
    def v_PB(self) -> Terms:
        return terms(self.joint_velocity, self.frame)

    @cached_property
    def bias_velocity(self) -> tuple[Vec, Terms]:
        """ω_PB and v_PB as remainders of accelerations use them: none on a node that neglects deformation."""
        return (self.w_PB, self.v_PB) if self.body.placement.undeformed is None else (Vec.zero(self.frame), ())

    @cached_property
    def alpha_bias(self) -> Terms:
        """The derivative of ω_PB in the parent at free u̇ = 0."""
        placement = self.body.placement
        return terms(placement.turn_remainder + self._sum(placement.turns, self.body.prescribed), self.frame)

    @cached_property
    def a_bias(self) -> Terms:
        """The derivative of v_PB in the parent at free u̇ = 0."""
        placement = self.body.placement
        return terms(placement.slide_remainder + self._sum(placement.slides, self.body.prescribed), self.frame)

    def _sum(self, columns: Sequence[Vector], rates: Sequence[Expr | None]) -> Vector:
        """Σ rate · column over the rates that are not None (a node has no prescribed ones)."""
        total = Vector(self.graph, {})
        for column, rate in zip(columns, rates, strict=bool(rates)):
            total = total if rate is None else total + column * rate
        return total

    def label(self, v: Vec, letter: str, what: str, more: str = "") -> Vec:
        """Label the components of a vector: "ω of camera along c1"."""
        if isinstance(self.frame.S, Graph):
            body = self.described.name  # a stage of the body's joint has a name of its own
            context = body if self.name == body else f"the joint of {body} behind {self.name}"
            for k, (sign, unit) in enumerate(self.frame.basis):
                along = f"{'−' if sign < 0 else ''}{unit!r}"
                self.frame.S.label(v.c[k], f"{letter}_{self.name}_{k + 1}", f"{what} {context} along {along}{more}")
        return v

    def path_to_root(self) -> "list[Link]":
        """This link, its parent, and so on."""
        links = [self]
        while links[-1].parent is not None:
            links.append(links[-1].parent)
        return links


@dataclass(frozen=True)
class StateLayout:
    """The order of the state: names of coordinates, speeds, extra states and inputs, and the symbols behind them. The
    last inputs are the ``held`` values (flags and captured poses of constraints), which have initial values."""

    q: tuple[str, ...]
    u: tuple[str, ...]
    z: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    q_handles: tuple[Node, ...]
    u_handles: tuple[Node, ...]
    q_dot: tuple[Node, ...]
    held: Mapping[str, float] = field(default_factory=dict)

    @property
    def user_inputs(self) -> tuple[str, ...]:
        """The inputs that the user declared."""
        return self.inputs[: len(self.inputs) - len(self.held)]

    @property
    def default_inputs(self) -> list[float]:
        """The values of inputs that are not passed: zeros, and the initial held values."""
        return [*[0.0] * len(self.user_inputs), *self.held.values()]

    @classmethod
    def of(cls, model: Model, placed: PlacedBodies) -> "StateLayout":
        """The layout of a model whose bodies are placed, in their order."""
        q: list[tuple[str, Node, Node]] = []
        u: list[tuple[str, Node]] = []
        for body in placed.bodies.values():
            q_names, u_names = body.spec.names
            coordinates = zip(q_names, body.q, body.placement.q_dot, body.is_state, strict=True)
            q += [(n, x.handle, rate) for n, x, rate, own in coordinates if own]
            speeds = zip(u_names, body.u, body.prescribed, strict=True) if body.coupling is None else ()
            u += [(n, x.handle) for n, x, fixed in speeds if fixed is None]
        return cls(
            tuple(n for n, *_ in q),
            tuple(n for n, _ in u),
            tuple(model.states),
            (*model.inputs, *model.held),
            tuple(model.parameters),
            tuple(h for _, h, _ in q),
            tuple(h for _, h in u),
            tuple(r for *_, r in q),
            model.held,
        )


@dataclass(eq=False)
class Tree:
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
    def t(self) -> Node:
        """The node of time."""
        return self.model.t

    @cached_property
    def gravity(self) -> Vector:
        """The acceleration of free fall."""
        return self.placed.ground.vector(self.model.gravity)

    def joint_force_loads(self) -> Iterator[tuple[Link, int, Node]]:
        """The forces that loads put on joints' speeds: the link, the index among the joint's speeds, the node."""
        for load in self.model.loads.values():
            force = load.joint_force(self.placed)
            if force is not None:
                yield *self.speeds[force.speed], force.value.handle

    @cached_property
    def bodies(self) -> "list[list[Link]]":
        """The links of each body of the user, one for each stage of its joint; the last one is the body."""
        bodies: dict[str, list[Link]] = {}
        for link in self.links:
            bodies.setdefault(link.described.name, []).append(link)
        return list(bodies.values())

    @cached_property
    def by_name(self) -> dict[str, Link]:
        """The links by their names; that of a body is the last of its joint."""
        return {link.name: link for link in self.links}

    @cached_property
    def speeds(self) -> dict[str, tuple[Link, int]]:
        """For each joint's speed by name: its link, and its index among the speeds of the joint."""
        return {name: (link, k) for link in self.links for k, name in enumerate(link.body.spec.names[1])}

    @property
    def shares(self) -> bool:
        """Whether a speed belongs to several links: of coupled joints, or a body's own."""
        return any(link.shared or link.is_flexible for link in self.links)

    @classmethod
    def of(cls, model: Model, placed: PlacedBodies) -> "Tree":
        """The tree of a model whose bodies are placed."""
        links: dict[str, Link] = {}
        nu = 0
        for body in placed.bodies.values():
            position = body.offset + body.placement.position + _shift(body) - _shift(body.parent)
            link = Link(len(links), body, links.get(body.parent.name), frame_of(body), position)
            link.free = [k for k, given in enumerate(body.prescribed) if given is None]
            links[body.name] = link
            if body.coupling is None:
                link.u = list(range(nu, nu + len(link.free)))
                nu += len(link.free)
        for link in links.values():
            if link.body.coupling is not None:
                leader = links[link.body.coupling.to]
                link.u, link.shared, leader.shared = list(leader.u), True, True
            link.shared |= link.is_node
        return cls(model, placed, list(links.values()), StateLayout.of(model, placed))


def span(model: Model, place: Attach = attach, staged: bool = True) -> Tree:
    """The tree of a model, in a fork of its graph. ``staged``: a joint with stages becomes a link for each; ``place``
    makes a body from its spec and its parent."""
    placed = PlacedBodies(model.graph.fork())
    for spec in model.bodies.values():
        for stage in spec.stages(model.bodies, staged):
            placed.add(stage, place)
    return Tree.of(model, placed)


def require_uncoupled(tree: Tree, what: str, way_out: str) -> None:
    """Refuse coupled joints."""
    for body in (link.body for link in tree.links):
        if body.coupling is not None:
            raise ModelError(
                f"{what}: the joint of '{body.name}' is coupled to that of '{body.coupling.to}', which is"
                f" not supported here; {way_out}"
            )


def require_joints(tree: Tree, what: str, way_out: str) -> None:
    """Refuse flexible bodies."""
    name = next((link.described.name for link in tree.links if link.is_flexible), None)
    if name is not None:
        raise ModelError(
            f"{what}: '{name}' has speeds of its own, as a flexible body, and only speeds of joints are"
            f" supported here; {way_out}"
        )


def require_unconstrained(tree: Tree, what: str, way_out: str) -> None:
    """Refuse constraints."""
    for name in tree.model.constraints:
        raise ModelError(f"{what}: the system has a constraint, '{name}', which is not supported here; {way_out}")


def _shift(body: Reference) -> Vector:
    return Vector(body.graph, {}) if body.shift is None else body.shift


def frame_of(body: Body) -> Frame:
    """A link's frame: the axes before the body's constant rotations, and an origin of its own. The axes of a flexible
    body are before rotations by numbers alone, for its modal data consists of numbers."""
    axes, flexible = body.placement.axes, body.spec.internal is not None
    if axes is None:
        axes = body.frame
        while axes.parent is not None and axes.up is not None and axes.up.axis is None and is_constant(axes):
            if flexible and any(body.graph.number(x) is None for x in axes.up.arguments):
                break
            axes = axes.parent
    return Frame(body.name, body.graph, axes)


def is_constant(frame: Frame) -> bool:
    """Whether a frame does not turn in its parent."""
    return frame.up is None or all(frame.graph.mask[x] <= PARAMETERS_ONLY for x in frame.up.arguments)


def input_groups(tree: Tree, layout: StateLayout) -> dict[str, list[Node]]:
    """The input groups of every program; the layout may have more inputs than the tree's."""
    named = (layout.parameters, layout.z, layout.inputs)
    parameters, z, inputs = ([h for n in names if (h := tree.graph.named(n)) is not None] for names in named)
    q, u = list(layout.q_handles), list(layout.u_handles)
    return {"parameters": parameters, "t": [tree.t], "q": q, "u": u, "z": z, "inputs": inputs}


def quaternions(tree: Tree) -> tuple[int, ...]:
    """The indices in q where a unit quaternion begins."""
    specs = [link.body.spec for link in tree.links]
    starts = [r.names[0][k] for r in specs for k in r.joint.quaternions if r.joint.coordinate_motions[k] is None]
    return tuple(tree.layout.q.index(name) for name in starts if name in tree.layout.q)
