"""A joint's matrices as expressions, for reading and for use elsewhere: X = λ(ε), Γ(ε) and H(ε) (Kwatny & Blankenship
1995, II.C and II.E: XXeuc, GammaKin, XXCompnd, GamCompnd, HCompnd)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from freebody.errors import ModelError
from freebody.keywords import keyword_hints
from freebody.model.element import normal_form
from freebody.model.joints import Joint, Simple
from freebody.model.joints.base import GraphScope
from freebody.model.joints.spherical import axis_vectors
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ADD, DIV, MUL, NEG, SIN, SUB, TAN
from freebody.scalar.printing import text
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import live, operands, transfer
from freebody.spatial.frame import Frame
from freebody.spatial.vector import components

NestedList = list[list[Expr]]


@keyword_hints
def joint_configuration(joint: Any, names: Sequence[str] | None = None) -> NestedList:
    """The 4×4 matrix X = [R p; 0 1] of the child in the parent. ``joint`` is a joint or the map H of a simple one,
    ``names`` are names for its coordinates. Names in texts that are not coordinates are parameters."""
    placed = PlacedJoint(joint, names)
    g, p = placed.graph, placed.placement
    columns = [components(v, placed.root) for v in (*axis_vectors(p.frame), p.position)]
    return placed.matrix([*zip(*columns, strict=True), [g.zero, g.zero, g.zero, g.one]])


@keyword_hints
def kinematic_matrix(joint: Any, names: Sequence[str] | None = None) -> NestedList:
    """Γ of q̇ = Γ(q) u."""
    placed = PlacedJoint(joint, names)
    columns = [jvp(placed.graph, placed.placement.q_dot, {u: placed.graph.one}) for u in placed.u]
    return placed.matrix([*zip(*columns, strict=True)])


@keyword_hints
def joint_map(joint: Any, names: Sequence[str] | None = None) -> NestedList:
    """The 6×r map H(q): the twist (ω, v of the origin) of the child relative to the parent, in the child's frame."""
    placed = PlacedJoint(joint, names)
    p = placed.placement
    pairs = zip(p.turns, p.slides, strict=True)
    columns = [(*components(t, p.frame), *components(s, p.frame)) for t, s in pairs]
    return placed.matrix([*zip(*columns, strict=True)])


class PlacedJoint:
    """A joint on a frame, in a new graph."""

    def __init__(self, joint: Any, names: Sequence[str] | None) -> None:
        self.graph = g = Graph()
        element = joint if isinstance(joint, Joint) else Simple(H=joint)
        element = normal_form(element, GraphScope(g, declare=True), late=False)
        if names is None:
            names = [name or "q" for name in element.coordinates]
        names = names.replace(",", " ").split() if isinstance(names, str) else names
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise ModelError(f"names must be a text such as 'x y' or a list of texts, not {names!r}")
        if len(names) != len(element.coordinates):
            raise ModelError(f"the joint has {len(element.coordinates)} coordinates, but there are {len(names)} names")
        q = [g.symbol(name, Kind.COORDINATE) for name in names]
        self.u = [g.symbol(f"d.{k}", Kind.SPEED) for k in range(len(element.speeds))]
        self.root = Frame("parent", g)
        self.placement = element.place(self.root, "child", q, self.u)

    def matrix(self, rows: Sequence[Sequence[Node]]) -> NestedList:
        """The entries as in the paper, in a new graph: sums of products with factors in alphabetical order, sin² + cos²
        as 1, sin/cos as tan."""
        g, fresh = self.graph, Graph()
        sums = [[_shortened(g, _expanded(g, x)) for x in row] for row in rows]
        factors = {f for row in sums for entry in row for powers in entry for f, _ in powers}
        new = {f: transfer(g, [f], fresh)[f] for f in sorted(factors, key=lambda f: text(g, f))}
        return [[Expr(fresh, _written(fresh, entry, new)) for entry in row] for row in sums]


# Sums of products

MANY = 64
"""Products of sums are expanded up to this number of terms."""
Powers = tuple[tuple[Node, int], ...]  # (factor, exponent)
Sum = dict[Powers, int]  # products and their coefficients


def _expanded(g: Graph, root: Node) -> Sum:
    """A node as a sum of products."""
    sums: dict[int, Sum] = {}
    for i in live(g, [root]):
        code, x, number = g.op[i], operands(g, i), g.number(i)
        if isinstance(number, int) and abs(number) < 100:
            sums[i] = {(): number} if number else {}
        elif code == NEG:
            sums[i] = _added({}, sums[x[0]], -1)
        elif code in (ADD, SUB):
            sums[i] = _added(sums[x[0]], sums[x[1]], 1 if code == ADD else -1)
        elif code == MUL and len(sums[x[0]]) * len(sums[x[1]]) <= MANY:
            sums[i] = _multiplied(sums[x[0]], sums[x[1]])
        elif code == DIV and list(sums[x[1]].values()) in ([1], [-1]):
            ((powers, sign),) = sums[x[1]].items()
            sums[i] = _multiplied(sums[x[0]], {tuple((f, -n) for f, n in powers): sign})
        else:
            sums[i] = {((i, 1),): 1}
    return sums[root]


def _added(a: Sum, b: Sum, sign: int = 1) -> Sum:
    total = Counter(a)
    for powers, n in b.items():
        total[powers] += sign * n
    return {powers: n for powers, n in total.items() if n}


def _multiplied(a: Sum, b: Sum) -> Sum:
    total: Sum = {}
    for p, n in a.items():
        for r, m in b.items():
            total = _added(total, {_product(p, r): n * m})
    return total


def _product(a: Powers, b: Powers) -> Powers:
    powers = Counter(dict(a))
    for f, n in b:
        powers[f] += n
    return tuple(sorted((f, n) for f, n in powers.items() if n))


def _shortened(g: Graph, total: Sum) -> Sum:
    """With n T sin² + n T cos² = n T, and sin/cos as tan."""
    for powers in [*total]:
        for s, exponent in powers:
            if g.op[s] == SIN and exponent >= 2 and powers in total:
                n, remainder = total[powers], _product(powers, ((s, -2),))
                partner = _product(remainder, ((g.cos(g.a[s]), 2),))
                if total.get(partner) == n:
                    others = {p: k for p, k in total.items() if p not in (powers, partner)}
                    total = _added(others, {remainder: n})
    result: Sum = {}
    for powers, n in total.items():
        product = powers
        for s, exponent in powers:
            if g.op[s] == SIN:
                c = g.cos(g.a[s])
                pairs = min(exponent, -dict(powers).get(c, 0))
                if pairs > 0:
                    product = _product(product, ((s, -pairs), (c, pairs), (g.build[TAN](g.a[s]), pairs)))
        result = _added(result, {product: n})
    return result


def _written(g: Graph, total: Sum, new: dict[Node, Node]) -> Node:
    """The sum in the new graph. A negative product is not the first one unless all are negative."""
    products: list[tuple[int, Node]] = []
    for powers, n in total.items():
        above, below = g.one, g.one
        for f, exponent in sorted((new[f], exponent) for f, exponent in powers):
            for _ in range(abs(exponent)):
                above, below = (g.mul(above, f), below) if exponent > 0 else (above, g.mul(below, f))
        products.append((n, g.div(above, below)))
    result = g.zero
    for n, product in sorted(products, key=lambda one: (one[0] < 0, text(g, one[1]))):
        result = g.add(result, g.mul(g.const(n), product))
    return result
