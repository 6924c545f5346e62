"""A cell: one body, or a cluster of bodies, on a stub of its parent, in a graph of its own. Joints, kinematics and
passes see a tree of the cell's links alone, so that a step of a rolled program is the step of an unrolled one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freebody.model.body import Body, BodySpec, Coupling, Reference, attach, coordinate_names
from freebody.model.element import Pattern
from freebody.model.joints import Weld
from freebody.model.joints.base import Joint, zero_vector
from freebody.model.loads import Force, JointForce, Load, Torque
from freebody.model.model import Model
from freebody.model.placed import FrameAddress, PlacedBodies
from freebody.model.vectors import Components, PointSpec
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number
from freebody.scalar.ops import ATAN2, NEG
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Matrix, times3, transpose
from freebody.spatial.turns import AxisTurn, MatrixTurn
from freebody.spatial.vector import components, vector
from freebody.tree.tree import Link, StateLayout, Tree, frame_of

STUB = -1
"""The index of the parent's link."""

OUTER = -1
"""The number of a parent or leader that is not in the cluster."""

Nodes = Sequence[Node]


@dataclass(frozen=True)
class Shape:
    """What bodies of a kind have in common. ``joint``: its type and options without their scalars; ``orient``: the
    exact entries of the joint's orientation in the parent (None: it has none); ``prescribed``: which speeds are;
    ``skewed``: the parent's axes are not those of its working frame; ``loaded``: loads act on it; ``joint_forces``: the
    speeds with such loads; ``root``: its parent is the ground; ``leaf``: it has no children; ``alone``: it is an only
    child. In a cluster of several links ``leaf`` and ``alone`` count bodies of other clusters, ``parent`` is the
    parent's number in the cluster (or ``OUTER``) and ``follows`` that of the link to whose joint its own is coupled."""

    joint: Pattern
    orient: tuple[int | None, ...] | None
    prescribed: tuple[bool, ...]
    skewed: bool
    loaded: bool
    joint_forces: tuple[int, ...]
    root: bool = False
    leaf: bool = False
    alone: bool = False
    parent: int = OUTER
    follows: int = OUTER


@dataclass(frozen=True)
class CellData:
    """The data of a body in a cell, as nodes: its scalars, coordinates, speeds and prescribed accelerations; the axes
    of the parent's body in its working frame, row by row; gravity; loads, torque first; joint forces."""

    scalars: Nodes
    q: Nodes
    u: Nodes
    prescribed: Sequence[Node | None]
    axes: Nodes = ()
    gravity: Nodes = ()
    wrench: Nodes = ()
    joint_forces: Nodes = ()


class Cell:
    """``links`` are those of the bodies, all of ``tree``; the parent of the first one, the stub, is not in the
    tree. ``speeds`` are the indices of each joint's own free speeds."""

    def __init__(self, graph: Graph, shapes: Sequence[Shape], data: Sequence[CellData]) -> None:
        self.shapes, self.graph, self.placed = shapes, graph, PlacedBodies(graph)
        self.speeds: list[list[int]] = []
        self.links: list[Link] = []
        count, loads = 0, dict[str, Load]()
        for shape, of_body in zip(shapes, data, strict=True):
            free = 0 if shape.follows != OUTER else sum(given is None for given in of_body.prescribed)
            self.speeds.append(list(range(count, count + free)))
            count += free
            link = self._link(shape, of_body, data)
            self.links.append(link)
            self.placed.bodies[link.name] = link.body
        for link, shape, of_body in zip(self.links, shapes, data, strict=True):
            link.u = self.speeds[link.index if shape.follows == OUTER else shape.follows]
            if shape.follows != OUTER:
                link.shared = self.links[shape.follows].shared = True
            link.shared |= link.is_node
            loads |= self._loads(link.body, shape, of_body)
        layout = StateLayout((), tuple(map(str, range(count))), (), (), (), (), (), ())
        x, y, z = self._exprs(data[0].gravity) or (0, 0, 0)
        model = Model("cell", graph, (x, y, z), {}, {}, {}, {}, loads, {}, {})
        self.tree = Tree(model, self.placed, self.links, layout)

    def _exprs(self, nodes: Nodes) -> tuple[Expr, ...]:
        return tuple(Expr(self.graph, h) for h in nodes)

    def _link(self, shape: Shape, data: CellData, every: Sequence[CellData]) -> Link:
        body = self._body(shape, data, every)
        if shape.parent != OUTER:
            parent: Link | None = self.links[shape.parent]
        elif shape.root:
            parent = None
        else:  # only its frame is known
            zero, ground = Expr(self.graph, self.graph.zero), self.placed.ground
            origin = zero, zero, zero
            spec = BodySpec("parent", "ground", Weld(), origin, None, zero, origin, (origin, origin, origin))
            parent = Link(STUB, attach(spec, ground, -1), None, ground.frame, zero_vector(self.graph))
        free = [k for k, given in enumerate(body.prescribed) if given is None]
        frame = frame_of(body)
        if body.spec.internal is not None:
            frame = Frame(body.name, self.graph, body.frame)  # modal data is along the body's axes
        return Link(len(self.links), body, parent, frame, body.offset + body.placement.position, free)

    def _body(self, shape: Shape, data: CellData, every: Sequence[CellData]) -> Body:
        scalars = iter(self._exprs(data.scalars))
        name = shape.joint.element.kind + f" {len(self.links)}" * bool(self.links)
        x, y, z, m, cx, cy, cz, xx, yy, zz, xy, xz, yz = (next(scalars) for _ in range(13))
        inertia = (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
        turned = [[next(scalars).handle for _ in range(3)] for _ in range(3)] if shape.orient is not None else None
        joint: Joint = shape.joint.fill(scalars)
        names = coordinate_names(name, joint)
        spec = BodySpec(name, "ground", joint, (x, y, z), None, m, (cx, cy, cz), inertia, names=names)
        parent: Reference = self.placed.ground if shape.parent == OUTER else self.links[shape.parent].body
        if spec.is_node:  # the parent places it
            zero = Expr(self.graph, self.graph.zero)
            return attach(replace(spec, at=(zero, zero, zero)), parent, -1)
        base = parent.frame
        if shape.skewed:
            base = lay(base, "parent", [data.axes[k : k + 3] for k in (0, 3, 6)])
        offset = vector(base, (x.handle, y.handle, z.handle))
        base = base if turned is None else lay(base, f"{name}°", turned)
        q, u = self._exprs(data.q), self._exprs(data.u)
        coupling: Coupling | None = None
        if shape.follows != OUTER:
            coupling, leader = Coupling("", next(scalars), next(scalars)), every[shape.follows]
            position, speed = self._exprs((*leader.q, *leader.u))
            q, u = (coupling.ratio * position + coupling.offset,), (coupling.ratio * speed,)
        placement = joint.place(base, name, [s.handle for s in q], [s.handle for s in u])
        prescribed = tuple(None if h is None else Expr(self.graph, h) for h in data.prescribed)
        return Body(spec, name, placement.frame, parent, offset, placement, q, u, prescribed, coupling=coupling)

    def _loads(self, body: Body, shape: Shape, data: CellData) -> dict[str, Load]:
        """The loads on the body, about its origin along its axes."""
        name, loads = body.name, list[Load]()
        if data.wrench:
            torque, force = (Components(FrameAddress(name, 0), self._exprs(data.wrench[k : k + 3])) for k in (0, 3))
            loads.append(Force((force,), PointSpec(name, (), name), name=f"force on {name}"))
            loads.append(Torque(name, (torque,), name=f"torque on {name}"))
        for k, h in zip(shape.joint_forces, data.joint_forces, strict=True):
            speed = body.spec.joint.speeds[k]
            loads.append(JointForce(name, Expr(self.graph, h), speed, name=f"joint force {k} on {name}"))
        return {load.name: load for load in loads}

    def is_skewed(self, k: int) -> bool:
        """Whether a body's axes are not those of its working frame."""
        return self.links[k].body.frame is not self.links[k].frame.parent

    def axes(self, k: int) -> list[Node]:
        """A body's axes in its working frame: a rotation matrix, row by row."""
        link = self.links[k]
        columns = [components(link.body.axis(k), link.frame) for k in range(3)]
        return [column[row] for row in range(3) for column in columns]

    @property
    def pose(self) -> list[Node]:
        """The nodes that the turns between parent and bodies are computed from: sines and cosines, or matrices."""
        g, entries = self.graph, list[Node]()
        for link in self.links:
            for frame in link.frame.line():
                entries += frame.up.entries if frame.up is not None else ()
        unsigned = (g.a[h] if g.op[h] == NEG else h for h in entries)
        return list(dict.fromkeys(h for h in unsigned if g.mask[h] > PARAMETERS_ONLY))


def symbolic_cell(
    shapes: Sequence[Shape], counts: Sequence[int], sources: Sequence[Number | tuple[str, int]] = ()
) -> Cell:
    """A cell of symbols, which shows the structure of bodies of these shapes with so many scalars; with the
    ``sources`` of a kind, scalars that are numbers there are numbers."""
    g, data, known = Graph(), list[CellData](), list(sources)

    def symbols(what: str, count: int, mask: int) -> list[Node]:
        return [g.symbol(f"{what}{k}.{len(data)}", Kind.INTERMEDIATE, mask=mask) for k in range(count)]

    for shape, count in zip(shapes, counts, strict=True):
        prescribed: list[Node | None] = [g.zero if fixed else None for fixed in shape.prescribed]
        joint: Joint = shape.joint.fill(Expr(g, h) for h in symbols("option", count, PARAMETERS_ONLY))
        q, u = symbols("q", len(joint.coordinates), Kind.COORDINATE), symbols("u", len(prescribed), Kind.SPEED)
        scalars = symbols("scalar", count, PARAMETERS_ONLY)
        for k, source in enumerate(known[:count]):
            scalars[k] = scalars[k] if isinstance(source, tuple) else g.const(source)
        del known[:count]
        data.append(
            CellData(
                scalars,
                q,
                u,
                prescribed,
                symbols("axis", 9, PARAMETERS_ONLY),
                wrench=symbols("wrench", 6 * shape.loaded, Kind.INPUT),
                joint_forces=symbols("joint force", len(shape.joint_forces), Kind.INPUT),
            )
        )
    return Cell(g, shapes, data)


# Frames


class OrientedFrame(Frame):
    """A frame laid in its parent by a constant matrix. One that is laid in it becomes a child of its parent, because
    two matrices cost twice as much as one. One that turns about axis k of it does not need the matrix R either: R =
    R_k(α) R_i(β) R_k(γ) are two turns, which are cheaper for tensors, and γ is added to the angle."""

    def oriented(self, name: str, matrix: Sequence[Sequence[Node]]) -> Frame:
        g = self.graph
        if not isinstance(self.up, MatrixTurn) or any(g.mask[x] > PARAMETERS_ONLY for row in matrix for x in row):
            return super().oriented(name, matrix)
        columns = [times3(g, self.up.rows, column) for column in transpose(matrix)]
        return OrientedFrame(name, g, self.parent, MatrixTurn(g, transpose(columns)))

    def turned(self, name: str, axis: int, angle: Node, joins: bool = False) -> Frame:
        g, up, parent, unused = self.graph, self.up, self.parent, "basis" not in vars(self)
        rows = up.rows if unused and isinstance(up, MatrixTurn) else ()
        full = all(g.number(x) not in (0, 1, -1) for row in rows for x in row)  # turns lose what such entries spare
        if rows and full and parent is not None:
            a, b, c = angles(g, rows, axis)
            first = parent.turned(f"{self.name}1", axis, a)
            self.parent, self.up = first.turned(f"{self.name}2", (axis + 1) % 3, b), AxisTurn(self.S, axis, c)
            self.depth = self.parent.depth + 1
        if isinstance(self.up, AxisTurn) and self.up.axis == axis and self.parent is not None:
            return self.parent.turned(name, axis, g.add(angle, self.up.angle), joins)
        return super().turned(name, axis, angle, joins)


def lay(frame: Frame, name: str, matrix: Sequence[Sequence[Node]]) -> Frame:
    """A frame laid in another by a constant matrix."""
    if isinstance(frame, OrientedFrame):
        return frame.oriented(name, matrix)
    return OrientedFrame(name, frame.graph, frame, MatrixTurn(frame.S, transpose(transpose(matrix))))


def angles(g: Graph, R: Matrix, k: int) -> tuple[Node, Node, Node]:
    """α, β, γ of R = R_k(α) R_i(β) R_k(γ), i the axis after k. Where β is 0 or π any α will do; γ follows from it."""
    i, j = (k + 1) % 3, (k + 2) % 3
    arc, mul, add, neg = g.build[ATAN2], g.mul, g.add, g.neg
    across = g.sqrt(add(mul(R[i][k], R[i][k]), mul(R[j][k], R[j][k])))
    a, b = arc(R[i][k], neg(R[j][k])), arc(across, R[k][k])
    s, c = g.sin(a), g.cos(a)
    along, aside = (add(mul(c, R[i][m]), mul(s, R[j][m])) for m in (i, j))
    return a, b, arc(neg(aside), along)
