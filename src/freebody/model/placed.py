"""Bodies placed in a graph, and the scope of a system: what names of bodies and frames, and texts, mean there."""

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from freebody.errors import ExpressionError, FieldError, ModelError
from freebody.model.body import Body, BodySpec, Ground, Point, Reference, attach
from freebody.model.joints.flexible import NodeAttachment
from freebody.model.kinds import Scope, describe, suggest
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import LARGEST, exact
from freebody.scalar.parse import parse
from freebody.scalar.walk import transfer
from freebody.spatial.frame import Frame, Unit
from freebody.spatial.vector import Vector, components, handle
from freebody.tables import CELL, listed, shorten

if TYPE_CHECKING:
    from freebody.model.builder import ModelBuilder
    from freebody.model.vectors import Components, PointSpec

Attach = Callable[[BodySpec, Reference, int], Body]


class FrameAddress(NamedTuple):
    """The frame ``back`` rotations before the frame of a body; 0 is the frame of the body, the largest number below the
    parent's frame that of its joint at zero coordinates."""

    body: str
    back: int


class PlacedBodies:
    """The ground and the bodies on it, in one graph. Elements hold names of bodies and addresses of frames; this class
    looks them up."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.ground = graph, Ground(Frame("ground", graph))
        self.bodies: dict[str, Body] = {}  # parents first
        self._addresses: dict[Frame, FrameAddress] = {}
        self._unaddressed: list[Reference] = [self.ground]  # bodies whose frames have no address yet
        self.require_free: Callable[[str], None] = lambda name: None  # raises if a name is taken

    def __repr__(self) -> str:
        return f"<placed bodies: {listed(self.bodies) or 'none'}>"

    def add(self, spec: BodySpec, place: Attach = attach) -> Body:
        """Place a body on its parent; ``place`` returns a body for a spec, the parent and an index."""
        parent = self.named(spec.parent) or self.body(spec.parent)
        body = self.bodies[spec.name] = place(spec, parent, len(self.bodies))
        body.make_node = self.node
        self._unaddressed.append(body)
        return body

    def node(self, body: Body, node: str) -> Body:
        """A node of a flexible body as a massless body "body.node", which is added when it is first needed."""
        name = f"{body.name}.{node}"
        known = self.bodies.get(name)
        if known is not None and known.spec.is_node and known.parent is body:
            return known
        self.require_free(name)
        zero = Expr(self.graph, self.graph.zero)
        origin = (zero, zero, zero)
        joint = NodeAttachment(node)
        return self.add(BodySpec(name, body.name, joint, origin, None, zero, origin, (origin, origin, origin)))

    def named(self, name: str) -> Reference | None:
        """The body of this name, the ground, or the node "body.node" of a flexible body; None if there is none."""
        if name == "ground" or name in self.bodies:
            return self.body(name)
        body, _, node = name.rpartition(".")
        carrier = self.bodies.get(body)
        modal = None if carrier is None else carrier.spec.modal
        return None if carrier is None or modal is None or node not in modal.nodes else self.node(carrier, node)

    def require_node(self, name: str) -> None:
        """Raise if a name that is no body's is that of a node which a flexible body does not have."""
        body, _, node = name.rpartition(".")
        carrier = self.bodies.get(body)
        if carrier is not None and carrier.spec.modal is not None:
            nodes = carrier.spec.modal.nodes
            raise FieldError(f"'{body}' has no node '{node}'. {suggest(node, [*nodes])}")

    def require_not_node(self, body: str, offset: Callable[[], Sequence[Node]]) -> None:
        """Raise if a point of a flexible body, which does not move with the deformation, is where one of its nodes
        is. ``offset`` returns its components along the body's axes."""
        modal = self.bodies[body].spec.modal if body in self.bodies else None
        if modal is None:
            return
        at = [float(x) for h in offset() if (x := self.graph.number(h)) is not None]
        node = modal.data.node_at(at) if len(at) == 3 else ""
        if node:
            place = ", ".join(f"{x:g}" for x in at)
            raise FieldError(
                f"({place}) of '{body}' is where its node '{node}' is, but does not move when the body bends; use the"
                f" node: '{body}.{node}' in model files, {body}.node(\"{node}\") in Python"
            )

    def body(self, name: str) -> Reference:
        """The body of this name, or the ground."""
        return self.ground if name == "ground" else self.bodies[name]

    def scalar(self, value: Any) -> Expr:
        """A scalar of an element as an expression of this graph."""
        return Expr(self.graph, handle(self.graph, value, "a scalar is needed here"))

    def frame(self, address: FrameAddress) -> Frame:
        """The frame at an address. Rotations are counted as the joint describes them, however the body was placed."""
        body = self.body(address.body)
        return body.frame if address.back == 0 else next(islice(_frames(body), address.back, None))

    def vector(self, terms: "Sequence[Components]") -> Vector:
        """The sum of components along the axes of frames. An axis of a frame may be (minus) that of another here."""
        g, parts = self.graph, dict[Unit, Node]()
        for term in terms:
            for (sign, unit), x in zip(self.frame(term.frame).basis, term.xyz, strict=True):
                s = handle(g, x, "a scalar is needed here")
                if s != g.zero:
                    s = s if sign > 0 else g.neg(s)
                    parts[unit] = g.add(parts[unit], s) if unit in parts else s
        return Vector(g, parts)

    def point(self, spec: "PointSpec") -> Point:
        """The point that an element describes."""
        return Point(self.body(spec.body), self.vector(spec.at), spec.name)

    def components(self, spec: "PointSpec") -> Sequence[Node]:
        """The components of a point's position along the axes of its body."""
        return components(self.vector(spec.at), self.body(spec.body).frame)

    def address(self, frame: Frame) -> FrameAddress:
        """The address of a frame, by the first body that has it on its path to the ground."""
        for body in self._unaddressed:
            for back, one in enumerate(_ancestors(body.frame)):
                if one in self._addresses:
                    break
                self._addresses[one] = FrameAddress(body.name, back)
        self._unaddressed.clear()
        address = self._addresses.get(frame)
        if address is None:
            raise ModelError(f"frame '{frame.name}' belongs to no body of this system; use the axes of bodies")
        return address

    def frame_before(self, body: Reference, back: int) -> Frame:
        """The frame ``back`` rotations before the frame of a body, at most that of its parent."""
        last = body.parent.frame if isinstance(body, Body) else body.frame
        frame = body.frame
        for done in range(back):
            if frame is last or frame.parent is None:
                raise ModelError(
                    f"'{body.name}' is {done} rotations from its parent; there is no frame {back} rotations before it"
                )
            frame = frame.parent
        return frame


def _ancestors(frame: Frame | None) -> Iterator[Frame]:
    """A frame, its parent, and so on; an iterator, because chains are long."""
    while frame is not None:
        yield frame
        frame = frame.parent


def _frames(body: Reference) -> Iterator[Frame]:
    """The frames from that of a body to the ground as joints describe them, with those of the stages of a joint."""
    while isinstance(body, Body):
        for frame in body.chain or _ancestors(body.frame):
            if frame is body.parent.frame:
                break
            yield frame
        body = body.parent
    yield body.frame


class SystemScope(Scope):
    """The scope of a system: reads the scalars, bodies and frames of its elements. ``names`` are known instead of the
    names of the system, ``tables`` besides the functions of all texts."""

    def __init__(self, system: "ModelBuilder", names: Mapping[str, Node] | None = None) -> None:
        self.system, self.names = system, system.names if names is None else names
        self.tables: Mapping[str, Table] = {}
        self.values: Mapping[str, float] = system.values
        self._parsed: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"<scope of {shorten(self.system.name, CELL)}>"

    @property
    def graph(self) -> Graph:
        return self.system.graph

    def scalar(self, value: Any) -> Any:
        if isinstance(value, str):
            x = self._parsed.get(value)
            if x is None:
                x = self._parsed[value] = self._number_or_expr(parse(self.graph, value, self.names, self.tables))
            return x
        if (type(value) is float and isfinite(value)) or (type(value) is int and abs(value) <= LARGEST):
            return value
        if isinstance(value, Expr):
            if value.graph is self.graph:
                return self._number_or_expr(value.handle)
            if value.graph.family is not self.graph.family:
                raise FieldError(f"{value} belongs to another system")
            return self._number_or_expr(transfer(value.graph, [value.handle], self.graph)[value.handle])
        try:
            return exact(value)
        except ExpressionError as error:
            raise FieldError(str(error)) from None

    def allows(self, name: str, depends: int) -> bool:
        node = self.names.get(name)
        return node is not None and not self.graph.mask[node] & ~depends

    def _number_or_expr(self, node: Node) -> Any:
        number = self.graph.number(node)
        return Expr(self.graph, node) if number is None else number

    def contact_material(self, name: str) -> Any:
        known = self.system.materials
        for candidate in self.system.prefixes.candidates(name):
            if candidate in known:
                return known[candidate]
        hint = suggest(name, [*known]) if known else "There are none; give one as fb.ContactMaterial(…)"
        raise FieldError(f"there is no contact material '{name}'. {hint}")

    def share_material(self, material: Any) -> Any:
        return self.system.share_material(material)

    def inner(self, names: Mapping[str, Expr]) -> "SystemScope":
        nodes = {name: x.handle for name, x in names.items()}
        scope = SystemScope(self.system, ChainMap(nodes, self.names))  # type: ignore[arg-type]
        scope.tables = self.tables
        return scope

    def body(self, value: Any) -> Reference:
        if isinstance(value, Reference):
            if value.graph is not self.graph:
                raise FieldError(f"{value!r} belongs to another system")
            return value
        if not isinstance(value, str):
            raise FieldError(f"a body or its name is needed, not {describe(value)}")
        body = None
        for name in self.system.prefixes.candidates(value):
            body = body or self.system.placed.named(name)
        if body is None:
            self.system.placed.require_node(value)
            raise FieldError(f"'{value}' is not a body. {suggest(value, ['ground', *self.system.bodies])}")
        return body

    def reaction(self, value: Any, kind: str) -> tuple[str, Frame]:
        constraints = self.system.constraints
        by_name = isinstance(value, str)
        near = (constraints[n] for n in self.system.prefixes.candidates(value) if n in constraints) if by_name else ()
        constraint = next(iter(near), None) if by_name else next((c for c in constraints.values() if c is value), None)
        if constraint is None:
            body = self.body(value)
            if not isinstance(body, Body):
                raise FieldError(f"a reaction {kind} acts at a body's joint, and the ground has none; name a body")
            return body.name, body.frame
        at = constraint.reaction_point(self.system.placed)
        if at is None:
            name = constraint.name
            raise FieldError(f"constraint '{name}' has no reaction {kind}; use its multipliers, 'multiplier.{name}'")
        return constraint.name, at.body.frame

    def frame(self, value: Any) -> Frame:
        placed = self.system.placed
        if isinstance(value, FrameAddress):
            return placed.frame(value)
        if isinstance(value, str) and value not in placed.bodies:
            name, at, back = value.rpartition("@")
            if at and back.isascii() and back.isdigit():
                return placed.frame_before(self.body(name), int(back))
        return self.body(value).frame

    def address(self, frame: Frame) -> FrameAddress:
        return self.system.placed.address(frame)
