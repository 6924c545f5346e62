"""A cell: one body on the stub of its parent, in a graph of their own. Joints, kinematics and recursions see a forest
of one link, so that the step of a rolled program is the very one of an unrolled one."""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.formulations.rolled.frames import laid
from freebody.formulations.rolled.kinds import Shape
from freebody.model.body import Body, Point, Recipe, attach, names
from freebody.model.joints import Weld
from freebody.model.joints.base import nothing
from freebody.model.loads import Effort, Force, Load, Torque
from freebody.model.system import System
from freebody.scalar.expr import Expr
from freebody.scalar.ops import NEG
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.vector import components, vector
from freebody.tree.forest import Forest, Layout, Link, framed

STUB = -1
"""The index of the parent's link."""

Nodes = Sequence[int]


@dataclass(frozen=True)
class Told:
    """What a cell is told of its body, as nodes: its scalars, coordinates, speeds and prescribed accelerations; the
    axes of the parent's body in its working frame, row by row; gravity; loads, torque first; efforts."""

    scalars: Nodes
    q: Nodes
    u: Nodes
    given: Sequence[int | None]
    axes: Nodes = ()
    gravity: Nodes = ()
    push: Nodes = ()
    efforts: Nodes = ()


class Cell:
    """``link`` is the body's, the only one of ``forest``; its parent, the stub, is none of the forest's."""

    def __init__(self, system: System, shape: Shape, told: Told) -> None:
        self.system, self.shape, self.graph = system, shape, system.graph
        if told.gravity:
            system.gravity = self._exprs(told.gravity)
        self.body = self._body(told)
        stub = None if shape.root else self._stub()
        free = [k for k, given in enumerate(told.given) if given is None]
        u = list(range(len(free)))
        place = self.body.offset + self.body.placement.position
        self.link = Link(0, self.body, stub, framed(self.body), place, free, u)
        layout = Layout((), tuple(map(str, u)), (), (), (), (), (), ())
        self.forest = Forest(system, [self.link], layout)
        system.loads.update({load.name: load for load in self._loads(told)})

    def _stub(self) -> Link:
        """The parent: its frame is all that is known of it."""
        zero = Expr(self.graph, self.graph.zero)
        origin = zero, zero, zero
        recipe = Recipe("parent", "ground", Weld(), origin, None, zero, origin, (origin, origin, origin))
        return Link(STUB, attach(recipe, self.system.ground, -1), None, self.system.ground.frame, nothing(self.graph))

    def _exprs(self, nodes: Nodes) -> tuple[Expr, ...]:
        return tuple(Expr(self.graph, h) for h in nodes)

    def _body(self, told: Told) -> Body:
        shape, name, scalars = self.shape, self.shape.joint.kind, iter(self._exprs(told.scalars))
        x, y, z, m, cx, cy, cz, xx, yy, zz, xy, xz, yz = (next(scalars) for _ in range(13))
        inertia = (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
        turned = [[next(scalars).handle for _ in range(3)] for _ in range(3)] if shape.orient is not None else None
        joint = shape.dressed(scalars)
        recipe = Recipe(name, "ground", joint, (x, y, z), None, m, (cx, cy, cz), inertia, names=names(name, joint))
        base = self.system.ground.frame
        if shape.skewed:
            base = laid(base, "parent", [told.axes[k : k + 3] for k in (0, 3, 6)])
        offset = vector(base, (x.handle, y.handle, z.handle))
        base = base if turned is None else laid(base, f"{name}°", turned)
        placement = recipe.joint.place(base, name, told.q, told.u)
        q, u = self._exprs(told.q), self._exprs(told.u)
        given = tuple(None if h is None else Expr(self.graph, h) for h in told.given)
        return Body(recipe, name, placement.frame, self.system.ground, offset, placement, q, u, given)

    def _loads(self, told: Told) -> list[Load]:
        """Those of the body as if it had them along its own axes at its origin."""
        body, found = self.body, list[Load]()
        if told.push:
            force, torque = vector(body.frame, told.push[3:]), vector(body.frame, told.push[:3])
            found.append(Force(force, Point(body, nothing(self.graph)), name="force"))
            found.append(Torque(body, torque, name="torque"))
        for k, h in zip(self.shape.efforts, told.efforts, strict=True):
            speed = body.recipe.joint.speeds[k]
            found.append(Effort(body, Expr(self.graph, h), speed, name=f"effort {k}"))
        return found

    @property
    def skewed(self) -> bool:
        """The body's axes are not those of its working frame."""
        return self.body.frame is not self.link.frame.parent

    @property
    def axes(self) -> list[int]:
        """The body's axes in its working frame: a rotation matrix, row by row."""
        columns = [components(self.body.axis(k), self.link.frame) for k in range(3)]
        return [column[row] for row in range(3) for column in columns]

    @property
    def pose(self) -> list[int]:
        """What the turns between parent and body are computed from: sines and cosines, or matrices."""
        g, found = self.graph, list[int]()
        for frame in self.link.frame.line():
            found += frame.up.entries if frame.up is not None else ()
        unsigned = (g.a[h] if g.op[h] == NEG else h for h in found)
        return list(dict.fromkeys(h for h in unsigned if g.mask[h] > PARAMETERS_ONLY))


def probe(shape: Shape, scalars: int) -> Cell:
    """A cell of symbols, to see what the bodies of a shape look like."""
    system = System("probe")
    g = system.graph

    def symbols(what: str, count: int, mask: int) -> list[int]:
        return [g.symbol(f"{what}{k}", Kind.INTERMEDIATE, mask=mask) for k in range(count)]

    speeds = len(shape.given)
    given: list[int | None] = [g.zero if fixed else None for fixed in shape.given]
    joint = shape.dressed(Expr(g, h) for h in symbols("option", scalars, PARAMETERS_ONLY))
    q, u = symbols("q", len(joint.coordinates), Kind.COORDINATE), symbols("u", speeds, Kind.SPEED)
    told = Told(
        symbols("scalar", scalars, PARAMETERS_ONLY), q, u, given, symbols("axis", 9, PARAMETERS_ONLY),
        push=symbols("push", 6 * shape.pushed, Kind.INPUT), efforts=symbols("effort", len(shape.efforts), Kind.INPUT),
    )  # fmt: skip
    return Cell(system, shape, told)
