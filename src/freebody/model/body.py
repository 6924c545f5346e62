"""A body: where it hangs, how it may move there, and what it weighs."""

import dataclasses
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from freebody.errors import ModelError
from freebody.model.element import Element, ElementOf, MemberOf, field
from freebody.model.joints import JOINTS, Weld
from freebody.model.joints.base import Joint, Placement, scalar, zero_vector
from freebody.model.joints.flexible import Flexible, Node
from freebody.model.kinds import UNPARSED, FieldKind, Scope, Switch, Symbolic, Text, entries
from freebody.model.mass import THREE, Inertia, Mass
from freebody.model.orientation import Orientation
from freebody.model.shapes import ShapeField
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.symbol import Kind as SymbolKind
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, components, vector

Trio = tuple[Expr, Expr, Expr]


class BodyName(FieldKind):
    """A body by its name. Python's objects stay as they are: the system knows whether they are its own."""

    type_name = "body"

    def read(self, given: Any, scope: Scope) -> Any:
        return Text().read(given, scope) if scope is UNPARSED else given

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": "the name of a body, or ground"}


@dataclass(frozen=True)
class Coupling(Element):
    """A coordinate that follows another: q = ratio · q of body ``to`` + offset, both constant."""

    to: str = field(BodyName(), "the body whose coordinate is followed")
    ratio: Expr = field(Symbolic(PARAMETERS_ONLY), "of the two coordinates", default=1)
    offset: Expr = field(Symbolic(PARAMETERS_ONLY), "added to it", default=0)
    kind: ClassVar[str] = "couple"
    short: ClassVar[str] = "to"

    def on(self, other: "Coupling") -> "Coupling":
        """The law in what is followed at last, where ``to`` is coupled itself."""
        return Coupling(other.to, self.ratio * other.ratio, self.ratio * other.offset + self.offset)


@dataclass(frozen=True)
class Recipe(Element):
    """A body on its parent. Mass centre and inertia are along its own axes."""

    # In the normal form scalars are expressions of the system's graph, and the inertia is about the mass centre.
    name: str = field(Text(), "what it is called", default="", derived=True)
    parent: str = field(BodyName(), "the body it hangs on", default="ground", key="on")
    joint: Joint = field(MemberOf(JOINTS), "how it moves there", default=Weld())
    at: Trio = field(THREE, "the joint's place in the parent", default=(0, 0, 0), unit="m")
    orient: tuple[Trio, Trio, Trio] | None = field(Orientation(), "the joint's orientation there", default=None)
    mass: Expr = field(Mass(PARAMETERS_ONLY), "", default=0, unit="kg")
    com: Trio = field(THREE, "its mass centre", default=(0, 0, 0), unit="m")
    inertia: tuple[Trio, Trio, Trio] = field(
        Inertia(), "about the mass centre, or about a point", default=None, unit="kg·m²"
    )
    about: Trio | None = field(THREE, "that point", default=None, unit="m", silent=True)
    physical: bool = field(Switch(), "whether a body must be able to have this inertia", default=True, silent=True)
    shape: Any = field(ShapeField(), "for display", default=None)
    names: tuple[tuple[str, ...], tuple[str, ...]] = field(
        FieldKind(), "of its coordinates and speeds", default=((), ()), derived=True
    )
    coupling: Coupling | None = field(
        ElementOf(Coupling), "the coordinate that its own follows", default=None, key="couple"
    )
    whole: "Recipe | None" = field(
        FieldKind(), "the body as it was described, where this is a stage of its joint", default=None, derived=True
    )
    kind: ClassVar[str] = "body"

    @property
    def described(self) -> "Recipe":
        """The body as the user described it."""
        return self.whole or self

    def stages(self, taken: Container[str]) -> "list[Recipe]":
        """A recipe for each stage of its joint, in series: massless links named after their coordinates, where these
        names are not taken, and the body itself behind the last one."""
        joints = self.joint.stages
        if len(joints) == 1:
            return [self]
        zero = Expr(self.mass.graph, self.mass.graph.zero)
        origin = (zero, zero, zero)
        light = replace(self, mass=zero, com=origin, inertia=(origin, origin, origin), shape=None)
        recipes, parent, at, orient, start = list[Recipe](), self.parent, self.at, self.orient, (0, 0)
        for joint in joints:
            end = start[0] + len(joint.coordinates), start[1] + len(joint.speeds)
            q, u = (names[i:j] for names, i, j in zip(self.names, start, end, strict=True))
            body, name = (self, self.name) if joint is joints[-1] else (light, _stage_name(self.name, q, taken))
            recipes.append(replace(body, name=name, parent=parent, joint=joint, at=at, orient=orient, names=(q, u),
                                   whole=self))  # fmt: skip
            parent, at, orient, start = name, origin, None, end
        return recipes


def _stage_name(body: str, coordinates: Sequence[str], taken: Container[str]) -> str:
    """The body's name with the suffixes of the coordinates: "a.a1", "plate.xy"; with marks until it is not taken."""
    name = coordinates[0] + "".join(n.removeprefix(f"{body}.") for n in coordinates[1:])
    while name in taken:
        name += "'"
    return name


class Reference:
    """What points and axes belong to: a body, or the ground."""

    name: str
    frame: Frame
    shift: Vector | None = None  # from the origin to the point the motion is referred to, fixed in it

    @property
    def graph(self) -> Graph:
        return self.frame.graph

    def axis(self, k: int) -> Vector:
        g = self.graph
        return vector(self.frame, [g.one if i == k else g.zero for i in range(3)])

    @property
    def x(self) -> Vector:
        """The first axis."""
        return self.axis(0)

    @property
    def y(self) -> Vector:
        return self.axis(1)

    @property
    def z(self) -> Vector:
        return self.axis(2)

    def vector(self, xyz: Sequence[Any], who: str = "") -> Vector:
        """A vector from components along the axes. Errors say ``who`` is given by it."""
        who = who or f"a vector in '{self.name}'"
        return vector(self.frame, [scalar(self.graph, s, who) for s in three_entries(xyz, who)])

    def point(self, at: Sequence[Any] | Vector = (0, 0, 0), name: str = "") -> "Point":
        """A point, by its place along the axes or by any vector from the origin."""
        who = f"point '{name}' of '{self.name}'" if name else f"a point of '{self.name}'"
        offset = at if isinstance(at, Vector) else self.vector(at, who)
        return Point(self, offset, name or f"{self.name} point")

    @property
    def origin(self) -> "Point":
        return Point(self, zero_vector(self.graph), f"{self.name} origin")

    @property
    def centre(self) -> "Point":
        """The mass centre."""
        raise ModelError(f"the {self.name} has no mass centre")


@dataclass(eq=False)
class Ground(Reference):
    """What does not move. It has a name and a frame, and nothing of a body."""

    frame: Frame
    name: str = "ground"

    def __repr__(self) -> str:
        return "<ground>"


@dataclass(eq=False)
class Body(Reference):
    """A body placed on its parent: its frame, its joint's motion, its coordinates and speeds."""

    recipe: Recipe
    name: str
    frame: Frame
    parent: Reference
    offset: Vector  # from the parent's origin to the joint
    placement: Placement
    q: tuple[Expr, ...] = ()
    u: tuple[Expr, ...] = ()
    prescribed: tuple[Expr | None, ...] = ()  # for each speed its prescribed derivative, None where it is free
    index: int = dataclasses.field(default=-1)
    shift: Vector | None = None
    chain: list[Frame] | None = None  # the frames from its own to the root as the user laid them, where they differ
    column_speeds: tuple[Expr, ...] = ()  # the speeds its columns belong to, where these are not u
    coupling: Coupling | None = None  # whose coordinate and speed its own are made of, where they are no symbols

    @property
    def is_state(self) -> list[bool]:
        """For each coordinate whether it is a state: not where it is prescribed or coupled to another."""
        if self.recipe.joint.motion is None:
            return [self.coupling is None] * len(self.q)
        return [rate is None for rate in self.prescribed]

    @property
    def rates(self) -> tuple[Expr, ...]:
        """The speeds that move it along its joint's columns."""
        return self.column_speeds or self.u

    def __repr__(self) -> str:
        return f"<body {self.name}>"

    @property
    def centre(self) -> "Point":
        return Point(self, vector(self.frame, [s.handle for s in self.recipe.com]), f"{self.name} mass centre")


@dataclass(frozen=True, eq=False)
class Point:
    """A point that belongs to a body or the ground: the origin there plus a vector."""

    body: Reference
    offset: Vector
    name: str = ""

    @property
    def fixed(self) -> bool:
        """Whether it stays where it is on its body."""
        g = self.offset.graph
        return all(g.mask[s] <= PARAMETERS_ONLY for s in components(self.offset, self.body.frame))


def name_of(given: Any) -> str:
    """The name of a body, a frame or a point; the repr of anything that has none, for errors."""
    if isinstance(given, str):
        return given
    return given.name if isinstance(given, Reference | Frame | Point) else repr(given)


def three_entries(values: Any, who: str) -> Sequence[Any]:
    """Three of something, or an error that says who needs them."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ModelError(f"{who} needs three numbers, not {values!r}")
    found = entries(values)
    if len(found) != 3:
        raise ModelError(f"{who} needs three numbers, not {len(found)}")
    if any(isinstance(v, Vector) for v in found):
        raise ModelError(f"{who} needs three numbers; a vector was given where a scalar belongs")
    return found


def attach(recipe: Recipe, parent: Reference, index: int) -> Body:
    """The body on its parent: the joint's frame laid in the parent, then the joint's own motion."""
    base, g = parent.frame, parent.graph
    if isinstance(recipe.joint, Node):
        return _on_node(recipe, recipe.joint.node, parent, index)
    if recipe.orient is not None:
        base = base.oriented(f"{recipe.name}°", [[s.handle for s in row] for row in recipe.orient])
    offset = vector(parent.frame, [s.handle for s in recipe.at])
    q, u, given = coordinates(g, recipe)
    placement = recipe.joint.place(base, recipe.name, [s.handle for s in q], [s.handle for s in u])
    coupling = recipe.coupling
    return Body(recipe, recipe.name, placement.frame, parent, offset, placement, q, u, given, index, coupling=coupling)


def _on_node(recipe: Recipe, node: str, parent: Reference, index: int) -> Body:
    """A body that stands for a node of its parent."""
    who, zero = f"body '{recipe.name}' on node '{node}'", parent.graph.zero
    joint = parent.recipe.joint if isinstance(parent, Body) else None
    if not isinstance(parent, Body) or not isinstance(joint, Flexible):
        raise ModelError(f"{who}: '{parent.name}' has no nodes, for nothing moves inside it; hang it on a body that has"
                         " coordinates of its own, or use Weld")  # fmt: skip
    if node not in joint.nodes:
        raise ModelError(f"{who}: '{parent.name}' has no node of this name; there are {', '.join(joint.nodes)}")
    if recipe.orient is not None or any(s.handle != zero for s in recipe.at):
        raise ModelError(f"{who}: '{parent.name}' says where its nodes lie; leave out its place and orientation, and"
                         " weld another body to it where an offset is needed")  # fmt: skip
    q, u = ([s.handle for s in some] for some in (parent.q, parent.u))
    placement = joint.node(node, parent.frame, recipe.name, q, u)
    return Body(recipe, recipe.name, placement.frame, parent, zero_vector(parent.graph), placement, index=index,
                column_speeds=parent.u)  # fmt: skip


def coordinates(g: Graph, recipe: Recipe) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr | None, ...]]:
    """Symbols for the coordinates and speeds; functions of time for prescribed ones, with their second derivatives;
    those of another joint for coupled ones."""
    if recipe.coupling is not None:
        return _coupled(g, recipe.coupling)
    q, u = declare_coordinates(g, recipe.joint, recipe.names)
    given: list[Expr | None] = [None] * len(u)
    for k, motion in enumerate(_motions(recipe)):
        if motion is not None:
            q[k] = Expr(g, scalar(g, motion))
            u[k] = _rate(recipe, q[k])
            given[k] = _rate(recipe, u[k])
    return tuple(q), tuple(u), tuple(given)


def _coupled(g: Graph, coupling: Coupling) -> tuple[tuple[Expr], tuple[Expr], tuple[None]]:
    q, u = (g.named(f"{letter}.{coupling.to}") for letter in "qu")
    assert q is not None and u is not None
    ratio, offset = (Expr(g, scalar(g, x)) for x in (coupling.ratio, coupling.offset))
    return (ratio * Expr(g, q) + offset,), (ratio * Expr(g, u),), (None,)


def coordinate_names(name: str, joint: Joint) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of a joint's coordinates and speeds: the body's name alone for one freedom, with a suffix for each of several."""
    q, u = (tuple(f"{name}.{s}" if s else name for s in suffixes) for suffixes in (joint.coordinates, joint.speeds))
    return q, u


def declare_coordinates(g: Graph, joint: Joint, said: Sequence[Sequence[str]]) -> tuple[list[Expr], list[Expr]]:
    """The symbols of a joint's coordinates and speeds; asked for again, the same ones."""
    kinds = ("q", SymbolKind.COORDINATE), ("u", SymbolKind.SPEED)
    q, u = (
        [_symbol(g, letter, n, kind, unit) for n, unit in zip(given, units, strict=True)]
        for (letter, kind), given, units in zip(kinds, said, joint.units, strict=True)
    )
    return q, u


def _symbol(g: Graph, letter: str, name: str, kind: SymbolKind, unit: str) -> Expr:
    what = "coordinate" if letter == "q" else "speed"
    return Expr(g, g.symbol(f"{letter}.{name}", kind, f"{what} {name}", unit))


def _motions(recipe: Recipe) -> Sequence[Any]:
    motion, joint = recipe.joint.motion, recipe.joint
    if motion is None:
        return ()
    if not joint.rates:
        raise ModelError(f"joint of '{recipe.name}': the motion of a {joint.kind} joint cannot be prescribed as it is;"
                         " use one whose speeds are the rates of its coordinates")  # fmt: skip
    motions = motion if isinstance(motion, tuple | list) else (motion,)
    if len(motions) != len(joint.coordinates):
        raise ModelError(
            f"joint of '{recipe.name}': {len(joint.coordinates)} coordinates need as many motions, not {len(motions)};"
            " use None for a free one"
        )
    return motions


def _rate(recipe: Recipe, x: Expr) -> Expr:
    """dx/dt of a function of time and parameters alone."""
    g = x.graph
    if g.mask[x.handle] & ~(SymbolKind.TIME | SymbolKind.PARAMETER):
        raise ModelError(f"joint of '{recipe.name}': a prescribed motion may depend on t and parameters only, not {x}")
    t = g.symbol("t", SymbolKind.TIME, "time", "s")
    return Expr(g, jvp(g, [x.handle], {t: g.one})[0])
