"""A joint's matrices as expressions, for reading and for use elsewhere: X = λ(ε), Γ(ε) and H(ε) (Kwatny & Blankenship
1995, II.C and II.E: XXeuc, GammaKin, XXCompnd, GamCompnd, HCompnd)."""

from collections.abc import Sequence
from typing import Any

from freebody.errors import ModelError
from freebody.model.element import normal_form
from freebody.model.joints.base import Joint, Placement
from freebody.model.joints.product import tidied
from freebody.model.joints.reading import Bare
from freebody.model.joints.simple import Simple
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.spatial.frame import Frame
from freebody.spatial.vector import components, vector

Matrix = list[list[Expr]]


def joint_configuration(joint: Any, names: Sequence[str] | None = None) -> Matrix:
    """The 4×4 matrix X = [R p; 0 1] of the child in the parent, in coordinates of these names; ``joint`` is a joint or
    the map H of a simple one. Names in texts that are no coordinates are parameters."""
    one = _Placed(joint, names)
    g, p = one.graph, one.placement
    axes = [components(vector(p.frame, [g.one if i == k else g.zero for i in range(3)]), one.root) for k in range(3)]
    place = components(p.position, one.root)
    rows = [[*(axis[k] for axis in axes), place[k]] for k in range(3)]
    return one.matrix([*rows, [g.zero, g.zero, g.zero, g.one]])


def kinematic_matrix(joint: Any, names: Sequence[str] | None = None) -> Matrix:
    """Γ of q̇ = Γ(q) u."""
    one = _Placed(joint, names)
    columns = [jvp(one.graph, one.placement.q_dot, {u: one.graph.one}) for u in one.u]
    return one.matrix([list(row) for row in zip(*columns, strict=True)])


def joint_map(joint: Any, names: Sequence[str] | None = None) -> Matrix:
    """The 6×r map H(q): the twist (ω, v of the origin) of the child relative to the parent, in the child's frame."""
    one = _Placed(joint, names)
    pairs = zip(one.placement.turns, one.placement.slides, strict=True)
    columns = [[*components(t, one.placement.frame), *components(s, one.placement.frame)] for t, s in pairs]
    return one.matrix([list(row) for row in zip(*columns, strict=True)])


class _Placed:
    """A joint in a graph of its own."""

    def __init__(self, joint: Any, names: Sequence[str] | None) -> None:
        self.graph = g = Graph()
        made = joint if isinstance(joint, Joint) else Simple(H=joint)
        made = normal_form(made, Bare(g, declare=True), late=False)
        said = self._names(made, names)
        self.q = [g.symbol(name, Kind.COORDINATE) for name in said]
        self.u = [g.symbol(f"d.{k}", Kind.SPEED) for k in range(len(made.speeds))]
        self.root = Frame("parent", g)
        self.placement: Placement = made.place(self.root, "child", self.q, self.u)

    def _names(self, joint: Joint, names: Sequence[str] | None) -> list[str]:
        if names is None:
            return [name or "q" for name in joint.coordinates]
        names = names.replace(",", " ").split() if isinstance(names, str) else names
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise ModelError(f"names must be a text such as 'x y' or a list of texts, not {names!r}")
        if len(names) != len(joint.coordinates):
            raise ModelError(f"the joint has {len(joint.coordinates)} coordinates, but {len(names)} names are given")
        return list(names)

    def matrix(self, rows: Sequence[Sequence[int]]) -> Matrix:
        """The entries as people write them, in a graph of their own."""
        width = len(rows[0])
        g, made = tidied(self.graph, [x for row in rows for x in row])
        return [[Expr(g, x) for x in made[k : k + width]] for k in range(0, len(made), width)]
