"""Bodies: the description of a body with its joint to a parent, and the body placed in a graph."""

import dataclasses
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from freebody.errors import FieldError, ModelError, no_attribute, within
from freebody.fem.orthonormal import with_quasi_static_modes
from freebody.fem.structure import Structure
from freebody.keywords import hint_keywords
from freebody.model.element import Element, ElementOf, Given, MemberOf, field, normal_form, with_fields
from freebody.model.flexible.base import FLEXIBLE, FlexibleDescription
from freebody.model.flexible.mode_table import ModeTable
from freebody.model.inertia import THREE, Inertia, Mass
from freebody.model.joints import JOINTS, Weld
from freebody.model.joints.base import Joint, Placement, scalar, zero_vector
from freebody.model.joints.flexible import Flexible, NodeAttachment
from freebody.model.joints.modal import ORDERS, Modal
from freebody.model.joints.prescribed import motion_laws, motion_mistake
from freebody.model.joints.with_modes import JointWithModes
from freebody.model.kinds import (
    UNPARSED,
    Boolean,
    Choice,
    FieldKind,
    Integer,
    ListOf,
    MappingOf,
    Number,
    ScalarsValue,
    Schema,
    Scope,
    Symbolic,
    Text,
    entries,
)  # fmt: skip
from freebody.model.orientation import Orientation
from freebody.model.shapes import Plane, ShapeElement, ShapeField
from freebody.names import Q, U
from freebody.numeric import as_integer
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.symbol import Kind as SymbolKind
from freebody.spatial.frame import Frame, NotCopied
from freebody.spatial.vector import Dyadic, Vector, components, vector

Trio = tuple[Expr, Expr, Expr]
ATTRIBUTES = {
    **{name: f"s.{name}(body)" for name in ("position", "velocity", "acceleration", "angular_velocity")},
    "omega": "s.angular_velocity(body)", "angular_acceleration": "s.angular_acceleration(body)",
    **dict.fromkeys(("mass", "com", "inertia", "joint"), "body.spec, which has what s.body(…) was passed"),
    **dict.fromkeys(("angle", "coordinate", "qpos"), "body.q[0], or the text 'q.NAME'"),
    **dict.fromkeys(("speed", "qvel"), "body.u[0], or the text 'u.NAME'"),
    **dict.fromkeys(("masscenter", "com_point", "center", "mass_center"), "body.centre"),
    **dict.fromkeys(("apply_force", "add_force"), "s.force(vector, at=body)"),
    "apply_torque": "s.torque(vector, on=body)",
}  # fmt: skip
"""Attributes of bodies in other programs, with what to write."""


class BodyName(FieldKind):
    """The name of a body. A Python object is accepted as it is; the system checks that it belongs to it."""

    type_name = "body"
    json_schema: ClassVar[Schema] = {"type": "string", "description": "the name of a body, or ground"}

    def read(self, value: Any, scope: Scope) -> Any:
        return Text().read(value, scope) if scope is UNPARSED else value


class FlexibleField(MemberOf):
    """A flexible body; structures have to be reduced to one."""

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, Structure):
            raise FieldError(
                f"'{value.name}' is a structure with {value.size} unknowns; reduce it to a flexible body"
                " first: structure.reduce(6, interfaces={…})"
            )
        return super().read(value, scope)


class ModeLimit(Number):
    """A number of modes, or a limit of their frequencies or effective masses."""

    def read(self, value: Any, scope: Scope) -> Any:
        return super().read(value, scope) if as_integer(value) is None else Integer().read(value, scope)


class ModeCount(FieldKind):
    """A number of modes, one for each kind of modes, or a limit of their frequencies or effective masses."""

    plain = True
    type_name = "number of modes"

    def read(self, value: Any, scope: Scope) -> Any:
        return (BY_KIND if isinstance(value, Mapping | tuple) else Integer()).read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        return BY_KIND.write(value, out) if isinstance(value, tuple) else value

    def schema(self) -> Schema:
        return {"anyOf": [Integer().schema(), BY_KIND.schema()]}


BY_KIND = MappingOf(ModeLimit())
"""Numbers of modes by kind, or a limit."""


@dataclass(frozen=True)
class Coupling(Element):
    """A coordinate that is a constant ratio of another plus an offset: q = ratio · q(``to``) + offset."""

    to: str = field(BodyName(), "body to whose joint it is coupled")
    ratio: Expr = field(Symbolic(PARAMETERS_ONLY), "ratio of the coordinates", default=1)
    offset: Expr = field(Symbolic(PARAMETERS_ONLY), "offset added to it", default=0)
    kind: ClassVar[str] = "couple"
    short: ClassVar[str] = "to"

    def through(self, other: "Coupling") -> "Coupling":
        """The coupling to the joint to which ``to`` is coupled by ``other``."""
        return Coupling(other.to, self.ratio * other.ratio, self.ratio * other.offset + self.offset)


@dataclass(frozen=True)
class BodySpec(Element):
    """A body with its joint to a parent. Mass centre and inertia are given along the body's axes."""

    # In the normal form scalars are expressions of the system's graph, and the inertia is about the mass centre.
    name: str = field(Text(), "name", default="", derived=True)
    parent: str = field(BodyName(), "parent body", default="ground", key="on")
    joint: Joint = field(MemberOf(JOINTS), "joint to the parent", default=Weld())
    at: Trio = field(THREE, "position of the joint in the parent", default=(0, 0, 0), unit="m")
    orient: tuple[Trio, Trio, Trio] | None = field(Orientation(), "orientation of the joint there", default=None)
    mass: Expr = field(Mass(PARAMETERS_ONLY), "mass", default=0, unit="kg")
    com: Trio = field(THREE, "mass centre", default=(0, 0, 0), unit="m")
    inertia: tuple[Trio, Trio, Trio] = field(
        Inertia(), "inertia about the mass centre, or about the point `about`", default=None, unit="kg·m²"
    )
    about: Trio | None = field(
        THREE, "point about which the inertia is given, if not the mass centre", default=None, unit="m", silent=True
    )
    physical: bool = field(Boolean(), "false accepts an inertia that no body can have", default=True, silent=True)
    shape: Given[ShapeElement | Sequence[ShapeElement] | None] = field(
        ShapeField(), "shape or shapes for display", default=None
    )
    names: tuple[tuple[str, ...], tuple[str, ...]] = field(
        FieldKind(), "names of its coordinates and of its speeds", default=((), ()), derived=True
    )
    coupling: Coupling | None = field(
        ElementOf(Coupling), "coupling of its coordinate to that of another joint", default=None, key="couple"
    )
    flexible: FlexibleDescription | None = field(
        FlexibleField(FLEXIBLE),
        "what bends: a beam, a frame, nodes, modal integrals or reduced finite elements",
        default=None,
    )
    modes: Given[int | Mapping[str, float] | None] = field(
        ModeCount(),
        "number of modes: the lowest ones, or a number for each kind of a beam; for frames and reduced"
        " bodies also {frequency: …}, all below it (rad/s), or {effective mass: …}, as many as contain this part of the"
        " mass along each axis",
        default=None,
    )
    order: str = field(Choice(ORDERS), "which terms the equations of its modes contain", default="full")
    quasi_static: float | None = field(
        Number(),
        "frequency with the frame fixed above which modes follow their forces quasi-statically",
        default=None,
        unit="rad/s",
    )
    nodes: tuple[str, ...] = field(
        ListOf(Text()),
        "its nodes whose poses are recorded; those that are used are so in any case",
        default=(),
        silent=True,
    )
    modal: Modal | None = field(FieldKind(), "its modes", default=None, derived=True, silent=True)
    omitted: tuple[str, ...] = field(
        FieldKind(),
        "names of coordinates that are not states, and whose rates are not computed",
        default=(),
        derived=True,
        silent=True,
    )
    whole: "BodySpec | None" = field(
        FieldKind(), "the whole body, if this is a stage of its joint", default=None, derived=True
    )
    kind: ClassVar[str] = "body"

    def finalise(self, scope: Scope) -> Self:
        rigid = self.flexible is None and self.whole is None
        for key, default in (("modes", None), ("order", "full"), ("quasi_static", None)):
            if rigid and self.__dict__[key] != default:
                raise FieldError(
                    f"a rigid body has no modes, so '{key}' has no meaning; give flexible=fb.Beam(…), or"
                    " leave this out",
                    key,
                )
        spec = self if self.flexible is None or self.modal is not None else self._with_modal_data(scope)
        names = coordinate_names(self.name, spec.freedoms)
        return spec if names == self.names else with_fields(spec, {"names": names})

    def _with_modal_data(self, scope: Scope) -> Self:
        if self.flexible is None or isinstance(self.joint, Flexible | NodeAttachment):
            raise FieldError(f"a flexible body cannot have a {self.joint.kind} joint", "flexible")
        motions, count = self.joint.motion, len(self.joint.coordinates)
        if isinstance(motions, tuple | list) and len(motions) != count:
            raise FieldError(
                f"there are {len(motions)} motions, and the {self.joint.kind} joint has {count}"
                " coordinates; those of modes cannot be prescribed",
                "joint",
                "motion",
            )
        with within("flexible"):
            modes = dict(self.modes) if isinstance(self.modes, tuple) else self.modes
            data = self.flexible.modal_data(modes, paper=self.order == "paper")
        if self.quasi_static is not None:
            with within("quasi_static"):
                data = with_quasi_static_modes(data, self.quasi_static)
        return with_fields(self, {"modal": normal_form(Modal(data, self.order), scope, late=False)})

    @property
    def freedoms(self) -> Joint:
        """All coordinates and speeds of the body: those of its joint, then its modes."""
        if self.modal is None:
            return self.joint
        return self.modal if isinstance(self.joint, Weld) else JointWithModes.of(self.joint, self.modal)

    @property
    def internal(self) -> Flexible | None:
        """Its own coordinates, of a flexible body: its modes, or its joint if that is one of them."""
        joint = self.joint if self.modal is None else self.modal
        return joint if isinstance(joint, Flexible) else None

    @property
    def node(self) -> str:
        """The node of the flexible body that carries it, if it is one; "" of other bodies."""
        return str(self.joint.node) if isinstance(self.joint, NodeAttachment) else ""

    @property
    def is_node(self) -> bool:
        """Whether it is a node of the flexible body that carries it."""
        return bool(self.node)

    @property
    def described(self) -> "BodySpec":
        """The body as the user described it."""
        return self.whole or self

    def stages(self, taken: Container[str], divided: bool = True) -> "list[BodySpec]":
        """A spec for each stage of its joint, in series: massless links, and the body itself as the last. A link is
        named after its coordinates, "a.a1" or "plate.xy", with marks if the name is taken. The modes of a flexible body
        are the last stage. Without ``divided`` its joint is one stage."""
        joints: Sequence[Joint] = self.joint.stages if divided else (self.joint,)
        if self.modal is not None:
            joints = (self.modal,) if isinstance(self.joint, Weld) else (*joints, self.modal)
        elif len(joints) == 1:
            return [self]
        zero = Expr(self.mass.graph, self.mass.graph.zero)
        origin = (zero, zero, zero)
        massless = replace(self, mass=zero, com=origin, inertia=(origin, origin, origin), shape=None)
        specs, parent, at, orient, start = list[BodySpec](), self.parent, self.at, self.orient, (0, 0)
        for joint in joints:
            end = start[0] + len(joint.coordinates), start[1] + len(joint.speeds)
            q, u = (names[i:j] for names, i, j in zip(self.names, start, end, strict=True))
            body, name = self, self.name
            if joint is not joints[-1]:
                body, name = massless, q[0] + "".join(n.removeprefix(f"{self.name}.") for n in q[1:])
                while name in taken:
                    name += "'"
            specs.append(
                replace(
                    body,
                    name=name,
                    parent=parent,
                    joint=joint,
                    at=at,
                    orient=orient,
                    names=(q, u),
                    flexible=None,
                    modal=None,
                    whole=self,
                )
            )
            parent, at, orient, start = name, origin, None, end
        return specs


@hint_keywords
class Reference(NotCopied):
    """A body or the ground: what points and axes belong to."""

    name: str
    frame: Frame
    shift: Vector | None = None  # from the origin to the fixed point to which its motion is referred

    def __reduce__(self) -> NoReturn:
        raise ModelError(
            f"'{self.name}' is not pickled by itself: pickle its system, and take s.bodies['{self.name}'] there"
        )

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
        """The second axis."""
        return self.axis(1)

    @property
    def z(self) -> Vector:
        """The third axis."""
        return self.axis(2)

    @property
    def basis(self) -> Dyadic:
        """The basis dyadic b1 b1 + b2 b2 + b3 b3: a vector's product with it is the vector in the body's basis."""
        return sum((e.outer(e) for e in (self.x, self.y, self.z)), start=Dyadic(self.graph, {}))

    def vector(self, xyz: ScalarsValue, context: str = "") -> Vector:
        """A vector with these components along the axes. ``context`` names it in errors."""
        context = context or f"a vector in '{self.name}'"
        return vector(self.frame, [scalar(self.graph, s, context) for s in three_of(xyz, context)])

    def point(self, at: ScalarsValue | Vector = (0, 0, 0), name: str = "") -> "Point":
        """A point, by its components along the axes or by a vector from the origin."""
        context = f"point '{name}' of '{self.name}'" if name else f"a point of '{self.name}'"
        offset = at if isinstance(at, Vector) else self.vector(at, context)
        return Point(self, offset, name or f"{self.name} point")

    def shape(self, shape: Any = "") -> Any:
        """A shape of the body for contacts: ``foot.shape("tip")`` one of those with which it is drawn, by its name or
        its kind; ``foot.shape()`` the only one; ``foot.shape(fb.Sphere(0.02))`` any shape, which is not drawn."""
        from freebody.model.contact.shape_on_body import on_body

        return on_body(self, shape)

    @property
    def origin(self) -> "Point":
        """The origin of its frame."""
        return Point(self, zero_vector(self.graph), f"{self.name} origin")

    @property
    def centre(self) -> "Point":
        """The mass centre."""
        raise ModelError(f"the {self.name} has no mass centre")


@dataclass(eq=False)
class Ground(Reference):
    """The inertial frame."""

    frame: Frame
    name: str = "ground"

    def __repr__(self) -> str:
        return "<ground>"

    def plane(self, **fields: Any) -> Any:
        """The floor of contacts: the plane z = 0, or another one; the fields are those of ``fb.Plane``."""
        return self.shape(Plane(**fields) if fields else "plane")


@hint_keywords
@dataclass(eq=False)
class Body(Reference):
    """A body placed on its parent: its frame, coordinates and speeds, and its motion relative to the parent."""

    spec: BodySpec
    name: str
    frame: Frame
    parent: Reference
    offset: Vector  # from the parent's origin to the joint
    placement: Placement
    q: tuple[Expr, ...] = ()
    u: tuple[Expr, ...] = ()
    prescribed: tuple[Expr | None, ...] = ()  # the prescribed derivative of each speed, None where it is free
    index: int = dataclasses.field(default=-1)
    shift: Vector | None = None
    chain: list[Frame] | None = None  # the frames to the root as the user described them, if they differ
    column_speeds: tuple[Expr, ...] = ()  # the speeds of the joint's columns, if they are not u
    coupling: Coupling | None = None  # if it is coupled, q and u are expressions of the other joint's
    make_node: "Callable[[Body, str], Body] | None" = None  # of the bodies of a system

    @property
    def is_state(self) -> list[bool]:
        """For each coordinate whether it is a state: neither driven nor omitted."""
        driven, omitted = self.is_driven, self.spec.omitted
        if not omitted:
            return [not moved for moved in driven]
        return [not moved and n not in omitted for moved, n in zip(driven, self.spec.names[0], strict=True)]

    @property
    def is_driven(self) -> list[bool]:
        """For each coordinate whether it is prescribed, or coupled to another one."""
        if self.spec.joint.motion is None:
            return [self.coupling is not None] * len(self.q)
        return [motion is not None for motion in self.spec.freedoms.coordinate_motions]

    @property
    def rates(self) -> tuple[Expr, ...]:
        """The speeds of the joint's columns."""
        return self.column_speeds or self.u

    def node(self, name: str) -> "Body":
        """A node of a flexible body, as a massless body that moves with it: bodies, loads and outputs can be attached
        to it."""
        if self.make_node is None:
            raise ModelError(f"'{self.name}' belongs to no system")
        return self.make_node(self, name)

    @property
    def modes(self) -> ModeTable:
        """The modes of a flexible body, to be printed or indexed."""
        modal = self.spec.modal
        if modal is None:
            raise ModelError(f"'{self.name}' has no modes; it is not a flexible body (flexible=fb.Beam(…))")
        names = self.spec.names[0]
        return ModeTable.of_body(names[len(names) - modal.data.n :], modal.data)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name, ATTRIBUTES)

    def __repr__(self) -> str:
        return f"<body {self.name}>"

    @property
    def centre(self) -> "Point":
        com, modal, g = [s.handle for s in self.spec.com], self.spec.modal, self.graph
        if modal is not None:
            n, mass = len(modal.speeds), self.spec.mass.handle
            first = modal.first_moment(g, [x.handle for x in self.q[len(self.q) - n :]])
            moments = [g.add(g.mul(mass, x), h) for x, h in zip(com, first, strict=True)]
            com = [g.div(h, g.add(mass, g.const(modal.data.m))) for h in moments]
        return Point(self, vector(self.frame, com), f"{self.name} mass centre")


BodyValue = Reference | str
"""What may be passed as a body: a body, the ground, or the name of one."""


@dataclass(frozen=True, eq=False)
class Point:
    """A point of a body or of the ground: the origin plus a vector. ``captured``: the vector depends on inputs that
    change at events only."""

    body: Reference
    offset: Vector
    name: str = ""
    captured: bool = False

    @property
    def fixed(self) -> bool:
        """Whether it is fixed in its body."""
        g, constant = self.offset.graph, PARAMETERS_ONLY | (SymbolKind.INPUT if self.captured else 0)
        return all(not g.mask[s] & ~constant for s in components(self.offset, self.body.frame))


def name_of(value: Any) -> str:
    """The name of a body, a frame or a point, or the repr of anything else, for errors."""
    if isinstance(value, str):
        return value
    return value.name if isinstance(value, Reference | Frame | Point) else repr(value)


def three_of(values: Any, context: str) -> Sequence[Any]:
    """The three entries of a list or an array of scalars; ``context`` needs them."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ModelError(f"{context} needs three numbers, not {values!r}")
    xyz = entries(values)
    if len(xyz) != 3:
        raise ModelError(f"{context} needs three numbers, not {len(xyz)}")
    if any(isinstance(v, Vector) for v in xyz):
        raise ModelError(f"{context} needs three numbers, not vectors")
    return xyz


def attach(spec: BodySpec, parent: Reference, index: int) -> Body:
    """Place a body on its parent: the frame of the joint in the parent, then the motion of the joint."""
    if isinstance(spec.joint, NodeAttachment):
        return _attach_to_node(spec, spec.joint.node, parent, index)
    base, g = parent.frame, parent.graph
    if spec.orient is not None:
        base = base.oriented(f"{spec.name}°", [[s.handle for s in row] for row in spec.orient])
    offset = vector(parent.frame, [s.handle for s in spec.at])
    q, u, prescribed = coordinates(g, spec)
    placement = spec.freedoms.place(base, spec.name, [s.handle for s in q], [s.handle for s in u])
    return Body(
        spec,
        spec.name,
        placement.frame,
        parent,
        offset,
        placement,
        q,
        u,
        prescribed,
        index,
        coupling=spec.coupling,
    )


def _attach_to_node(spec: BodySpec, node: str, parent: Reference, index: int) -> Body:
    """Place a body that stands for a node of its parent."""
    context, zero = f"body '{spec.name}' on node '{node}'", parent.graph.zero
    joint = (parent.spec.modal or parent.spec.joint) if isinstance(parent, Body) else None
    if not isinstance(parent, Body) or not isinstance(joint, Flexible):
        raise ModelError(
            f"{context}: '{parent.name}' has no nodes, because it has no internal coordinates; place it on a body"
            " that has some, such as a flexible body, or use Weld"
        )
    if node not in joint.nodes:
        raise ModelError(f"{context}: '{parent.name}' has no node of this name; its nodes: {', '.join(joint.nodes)}")
    if spec.orient is not None or any(s.handle != zero for s in spec.at):
        raise ModelError(
            f"{context}: '{parent.name}' defines the positions of its nodes; leave out at and orient, and weld"
            " another body to this one if an offset is needed"
        )
    q, u = (some[len(some) - len(joint.speeds) :] for some in (parent.q, parent.u))
    placement = joint.node(node, parent.frame, spec.name, [s.handle for s in q], [s.handle for s in u])
    return Body(
        spec, spec.name, placement.frame, parent, zero_vector(parent.graph), placement, index=index, column_speeds=u
    )


def coordinates(g: Graph, spec: BodySpec) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr | None, ...]]:
    """The coordinates, the speeds and the prescribed derivatives of the speeds of a body: symbols, with None for the
    derivatives; functions of time if they are prescribed; expressions of another joint's if they are coupled."""
    joint, coupling = spec.freedoms, spec.coupling
    if coupling is not None:
        ratio, offset = (Expr(g, scalar(g, x)) for x in (coupling.ratio, coupling.offset))
        q_to, u_to = (Expr(g, g.by_name[group(coupling.to)]) for group in (Q, U))
        return (ratio * q_to + offset,), (ratio * u_to,), (None,)
    q, u = declare_coordinates(g, joint, spec.names)
    prescribed: list[Expr | None] = [None] * len(u)
    if joint.motion is None:
        return tuple(q), tuple(u), tuple(prescribed)
    mistake = motion_mistake(g, spec.joint)
    if mistake:
        raise ModelError(f"joint of '{spec.name}': {mistake}")
    for group, of_q, of_u, of_rates in motion_laws(g, spec.joint):
        q[group.coordinates] = [Expr(g, node) for node in of_q]
        u[group.speeds] = [Expr(g, node) for node in of_u]
        prescribed[group.speeds] = [Expr(g, node) for node in of_rates]
    return tuple(q), tuple(u), tuple(prescribed)


def coordinate_names(name: str, joint: Joint) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a joint's coordinates and speeds: the body's name for one, with a suffix for each of several."""
    q, u = (tuple(f"{name}.{s}" if s else name for s in suffixes) for suffixes in (joint.coordinates, joint.speeds))
    return q, u


def declare_coordinates(g: Graph, joint: Joint, names: Sequence[Sequence[str]]) -> tuple[list[Expr], list[Expr]]:
    """The symbols of a joint's coordinates and speeds, which are declared if they are not yet."""
    q, u = (
        [Expr(g, g.symbol(group(name), kind, f"{what} {name}", unit)) for name, unit in zip(some, units, strict=True)]
        for group, kind, what, some, units in zip(
            (Q, U), (SymbolKind.COORDINATE, SymbolKind.SPEED), ("coordinate", "speed"), names, joint.units, strict=True
        )
    )
    return q, u
