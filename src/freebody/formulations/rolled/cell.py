"""A cell: one body (or a cluster of them) on the stub of its parent, in a graph of their own. Joints, kinematics and
recursions see a forest of its links alone, so that the step of a rolled program is the very one of an unrolled one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freebody.formulations.rolled.frames import laid
from freebody.formulations.rolled.kinds import OUTER, Shape
from freebody.model.body import Body, Coupling, Recipe, Reference, attach, coordinate_names
from freebody.model.joints import Weld
from freebody.model.joints.base import zero_vector
from freebody.model.joints.flexible import Node
from freebody.model.loads import Force, JointForce, Load, Torque
from freebody.model.model import Model
from freebody.model.placed import FrameAddress, PlacedBodies
from freebody.model.vectors import Components, PointSpec
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.ops import NEG
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.vector import components, vector
from freebody.tree.forest import Forest, Link, StateLayout, frame_of

STUB = -1
"""The index of the parent's link."""

Nodes = Sequence[int]


@dataclass(frozen=True)
class CellData:
    """What a cell is told of a body, as nodes: its scalars, coordinates, speeds and prescribed accelerations; the
    axes of the parent's body in its working frame, row by row; gravity; loads, torque first; joint forces."""

    scalars: Nodes
    q: Nodes
    u: Nodes
    given: Sequence[int | None]
    axes: Nodes = ()
    gravity: Nodes = ()
    push: Nodes = ()
    joint_forces: Nodes = ()


class Cell:
    """``links`` are the bodies', all of ``forest``; what the first one hangs on, the stub, is none of the forest's.
    ``speeds`` are the indices of each joint's own free speeds."""

    def __init__(self, graph: Graph, shapes: Sequence[Shape], told: Sequence[CellData]) -> None:
        self.shapes, self.graph, self.placed = shapes, graph, PlacedBodies(graph)
        self.speeds = _numbered(shapes, told)
        self.links: list[Link] = []
        for shape, one in zip(shapes, told, strict=True):
            link = self._link(shape, one, told)
            self.links.append(link)
            self.placed.bodies[link.name] = link.body
        for link, shape in zip(self.links, shapes, strict=True):
            link.u = self.speeds[link.index if shape.follows == OUTER else shape.follows]
            if shape.follows != OUTER:
                link.shared = self.links[shape.follows].shared = True
            link.shared |= issubclass(shape.joint, Node)
        layout = StateLayout((), tuple(map(str, range(sum(map(len, self.speeds))))), (), (), (), (), (), ())
        loads: dict[str, Load] = {}
        for link, shape, one in zip(self.links, shapes, told, strict=True):
            loads.update({load.name: load for load in self._loads(link.body, shape, one)})
        x, y, z = self._exprs(told[0].gravity) or (0, 0, 0)
        model = Model("cell", graph, (x, y, z), {}, {}, {}, {}, loads, {})
        self.forest = Forest(model, self.placed, self.links, layout)

    def _link(self, shape: Shape, told: CellData, every: Sequence[CellData]) -> Link:
        body = self._body(shape, told, every)
        parent = self.links[shape.parent] if shape.parent != OUTER else None if shape.root else self._stub()
        free = [k for k, given in enumerate(body.prescribed) if given is None]
        return Link(len(self.links), body, parent, frame_of(body), body.offset + body.placement.position, free)

    def _stub(self) -> Link:
        """The parent: its frame is all that is known of it."""
        zero = Expr(self.graph, self.graph.zero)
        origin = zero, zero, zero
        recipe = Recipe("parent", "ground", Weld(), origin, None, zero, origin, (origin, origin, origin))
        ground = self.placed.ground
        return Link(STUB, attach(recipe, ground, -1), None, ground.frame, zero_vector(self.graph))

    def _exprs(self, nodes: Nodes) -> tuple[Expr, ...]:
        return tuple(Expr(self.graph, h) for h in nodes)

    def _body(self, shape: Shape, told: CellData, every: Sequence[CellData]) -> Body:
        scalars = iter(self._exprs(told.scalars))
        name = shape.joint.kind + f" {len(self.links)}" * bool(self.links)
        x, y, z, m, cx, cy, cz, xx, yy, zz, xy, xz, yz = (next(scalars) for _ in range(13))
        inertia = (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
        turned = [[next(scalars).handle for _ in range(3)] for _ in range(3)] if shape.orient is not None else None
        joint = shape.dressed(scalars)
        names = coordinate_names(name, joint)
        recipe = Recipe(name, "ground", joint, (x, y, z), None, m, (cx, cy, cz), inertia, names=names)
        parent: Reference = self.placed.ground if shape.parent == OUTER else self.links[shape.parent].body
        if isinstance(joint, Node):  # its place is the parent's to say
            zero = Expr(self.graph, self.graph.zero)
            return attach(replace(recipe, at=(zero, zero, zero)), parent, -1)
        base = parent.frame
        if shape.skewed:
            base = laid(base, "parent", [told.axes[k : k + 3] for k in (0, 3, 6)])
        offset = vector(base, (x.handle, y.handle, z.handle))
        base = base if turned is None else laid(base, f"{name}°", turned)
        q: tuple[Expr, ...] = self._exprs(told.q)
        u: tuple[Expr, ...] = self._exprs(told.u)
        coupling: Coupling | None = None
        if shape.follows != OUTER:
            coupling, leader = Coupling("", next(scalars), next(scalars)), every[shape.follows]
            position, speed = self._exprs((*leader.q, *leader.u))
            q, u = (coupling.ratio * position + coupling.offset,), (coupling.ratio * speed,)
        placement = joint.place(base, name, [s.handle for s in q], [s.handle for s in u])
        given = tuple(None if h is None else Expr(self.graph, h) for h in told.given)
        return Body(recipe, name, placement.frame, parent, offset, placement, q, u, given, coupling=coupling)

    def _loads(self, body: Body, shape: Shape, told: CellData) -> list[Load]:
        """Those of the body as if it had them along its own axes at its origin."""
        name, found = body.name, list[Load]()
        if told.push:
            torque, force = (Components(FrameAddress(name, 0), self._exprs(told.push[k : k + 3])) for k in (0, 3))
            found.append(Force((force,), PointSpec(name, (), name), name=f"force on {name}"))
            found.append(Torque(name, (torque,), name=f"torque on {name}"))
        for k, h in zip(shape.joint_forces, told.joint_forces, strict=True):
            speed = body.recipe.joint.speeds[k]
            found.append(JointForce(name, Expr(self.graph, h), speed, name=f"joint force {k} on {name}"))
        return found

    def is_skewed(self, k: int) -> bool:
        """Whether a body's axes are not those of its working frame."""
        return self.links[k].body.frame is not self.links[k].frame.parent

    def axes(self, k: int) -> list[int]:
        """A body's axes in its working frame: a rotation matrix, row by row."""
        link = self.links[k]
        columns = [components(link.body.axis(k), link.frame) for k in range(3)]
        return [column[row] for row in range(3) for column in columns]

    @property
    def pose(self) -> list[int]:
        """What the turns between parent and bodies are computed from: sines and cosines, or matrices."""
        g, found = self.graph, list[int]()
        for link in self.links:
            for frame in link.frame.line():
                found += frame.up.entries if frame.up is not None else ()
        unsigned = (g.a[h] if g.op[h] == NEG else h for h in found)
        return list(dict.fromkeys(h for h in unsigned if g.mask[h] > PARAMETERS_ONLY))


def _numbered(shapes: Sequence[Shape], told: Sequence[CellData]) -> list[list[int]]:
    """Of each link, the indices of its joint's own free speeds among those of the cell."""
    count, found = 0, list[list[int]]()
    for shape, one in zip(shapes, told, strict=True):
        free = 0 if shape.follows != OUTER else sum(given is None for given in one.given)
        found.append(list(range(count, count + free)))
        count += free
    return found


def probe(shapes: Sequence[Shape], scalars: Sequence[int]) -> Cell:
    """A cell of symbols, to see what the bodies of some shapes look like."""
    g, told = Graph(), list[CellData]()

    def symbols(what: str, count: int, mask: int) -> list[int]:
        return [g.symbol(f"{what}{k}.{len(told)}", Kind.INTERMEDIATE, mask=mask) for k in range(count)]

    for shape, count in zip(shapes, scalars, strict=True):
        given: list[int | None] = [g.zero if fixed else None for fixed in shape.given]
        joint = shape.dressed(Expr(g, h) for h in symbols("option", count, PARAMETERS_ONLY))
        q, u = symbols("q", len(joint.coordinates), Kind.COORDINATE), symbols("u", len(given), Kind.SPEED)
        told.append(CellData(
            symbols("scalar", count, PARAMETERS_ONLY), q, u, given, symbols("axis", 9, PARAMETERS_ONLY),
            push=symbols("push", 6 * shape.pushed, Kind.INPUT),
            joint_forces=symbols("joint force", len(shape.joint_forces), Kind.INPUT),
        ))  # fmt: skip
    return Cell(g, shapes, told)
