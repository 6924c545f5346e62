"""The cell of one constraint: two bodies whose motion is known, so that its equations are short, however long the tree
is."""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.model.body import Body, BodySpec
from freebody.model.constraints.local import NAME
from freebody.model.element import Pattern
from freebody.model.joints import Weld
from freebody.model.model import Model
from freebody.model.placed import PlacedBodies
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.resolved import Twist, Vec
from freebody.spatial.vector import vector
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations, RowKey
from freebody.tree.motion import LinkMotion, Motion
from freebody.tree.tree import Link, Tree, frame_of

POSE, MOVED = 12, 12
"""Columns of the axes of the ground in a link's frame and its origin; and of ω, v, α, a in the link's frame."""


@dataclass(frozen=True)
class EndData:
    """The motion of a body in a constraint's cell, as nodes: R of its link (row by row) and the position of its origin
    in the ground; ω, v, α, a in the link's frame; and the body's axes there, row by row, if they are others."""

    pose: Sequence[Node]
    moved: Sequence[Node]
    axes: Sequence[Node] = ()


class ConstraintCell:
    """The equations of one constraint, by its ``pattern`` and its scalars, between bodies whose motion is known.
    ``omitted`` are the indices of rows that are left out; ``forms`` are those of the closure ``NAME``."""

    def __init__(
        self,
        graph: Graph,
        pattern: Pattern,
        scalars: Sequence[Node],
        ends: Sequence[EndData],
        gravity: Sequence[Node],
        omitted: Sequence[int] = (),
        forms: ClosureForms = CANONICAL,
    ) -> None:
        self.graph, placed, links = graph, PlacedBodies(graph), list[Link]()
        for k, end in enumerate(ends):
            placed.bodies[str(k)] = body = _body(placed, str(k), end)
            links.append(Link(k, body, None, frame_of(body), body.offset))
        constraint = pattern.fill(Expr(graph, h) for h in scalars)
        x, y, z = (Expr(graph, h) for h in gravity)
        model = Model("cell", graph, (x, y, z), {}, {}, {}, {}, {}, {NAME: constraint}, {})
        self.tree = Tree.of(model, placed)
        self.tree.links[:] = links
        motion = EndMotion(self.tree, ends)
        self.equations = ConstraintEquations(motion, [RowKey(NAME, k) for k in omitted], forms)


def _body(placed: PlacedBodies, name: str, end: EndData) -> Body:
    ground, zero = placed.ground, Expr(placed.graph, placed.graph.zero)
    frame = ground.frame.oriented(f"{name}°", [end.pose[k : k + 3] for k in (0, 3, 6)])
    if end.axes:
        frame = frame.oriented(name, [end.axes[k : k + 3] for k in (0, 3, 6)])
    none = zero, zero, zero
    spec = BodySpec(name, "ground", Weld(), none, None, zero, none, (none, none, none))
    placement = spec.joint.place(frame, name, [], [])
    return Body(spec, name, placement.frame, ground, vector(ground.frame, end.pose[9:]), placement)


class EndMotion(Motion):
    """The motion of the bodies of a constraint's cell, as it is given."""

    def __init__(self, tree: Tree, ends: Sequence[EndData]) -> None:
        super().__init__(tree)
        for link, end in zip(tree.links, ends, strict=True):
            w, v, alpha, a = (Vec(link.frame, tuple(end.moved[k : k + 3])) for k in (0, 3, 6, 9))
            self._twists[link.index] = Twist.of(w, v)
            self._motions[link.index] = LinkMotion(w, alpha, a)
