"""Derivatives: forward mode, reverse mode, sparse Jacobians.

Forward mode carries tangents from operands to users, reverse mode adjoints from users to operands (Griewank & Walther
2008, ch. 3). A node that is met along one direction only divides once by its rule's divisor; one that is met along
several forms its partials first, and each direction then multiplies by them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Literal, NamedTuple

from freebody.errors import ExpressionError
from freebody.scalar.arithmetic import describe
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ADD, NEG, SQRT, SUB, SYMBOL
from freebody.scalar.partials import SQUARE, Local, choose, inside, local, over, plus, times
from freebody.scalar.walk import live

Mode = Literal["auto", "forward", "reverse"]
Entries = dict[tuple[int, int], Node]
MODES = ("auto", "forward", "reverse")
LINEAR = frozenset((ADD, SUB, NEG))


def jvp(g: Graph, roots: Sequence[Node], seeds: Mapping[Node, Node]) -> list[Node]:
    """The tangents of the roots, Σ ∂root/∂s·ṡ, along the tangents ṡ that ``seeds`` gives to symbols s."""
    require_symbols(g, seeds)
    tangents = Tangents(g, seeds)
    for i in live(g, roots):
        tangents.step(i, local(g, i))
    return [tangents.of(r) for r in roots]


def time_seeds(g: Graph) -> dict[Node, Node]:
    """The rates of the symbols that change with time along every motion: of t, of extra states, of inputs with
    rates."""
    t = g.by_name.get("t")
    return g.rates if t is None else {t: g.one, **g.rates}


def gradient(g: Graph, root: Node, variables: Sequence[Node]) -> list[Node]:
    """∂root/∂variables by reverse mode; zero where the root does not depend on one."""
    entries = jacobian(g, [root], variables, "reverse")
    return [entries.get((0, j), g.zero) for j in range(len(variables))]


def jacobian(g: Graph, roots: Sequence[Node], variables: Sequence[Node], mode: Mode = "auto") -> Entries:
    """∂roots/∂variables by (row, column), structural zeros absent.

    ``auto`` takes forward or reverse mode, whichever multiplies and adds less, for each part of the matrix that shares
    neither rows nor columns with the others.
    """
    if mode not in MODES:
        raise ExpressionError(f"mode {mode!r} of a derivative is unknown: use one of {', '.join(MODES)}")
    require_symbols(g, variables)
    rows, columns = dict[Node, list[int]](), dict[Node, list[int]]()  # where each root and each variable stands
    for indices, handles in ((rows, roots), (columns, variables)):
        for k, handle in enumerate(handles):
            indices.setdefault(handle, []).append(k)
    between = Dependence(g, list(rows), list(columns))
    entries: Entries = {}
    for part in between.parts():
        forward = mode == "forward" or (mode == "auto" and between.forward_cost(part) <= between.reverse_cost(part))
        for i, j, entry in (_columns if forward else _rows)(between, part):
            if entry != g.zero:
                entries.update(dict.fromkeys(((r, c) for r in rows[i] for c in columns[j]), entry))
    return dict(sorted(entries.items()))


def require_symbols(g: Graph, variables: Iterable[Node]) -> None:
    """Raise an ExpressionError for a variable that is not a symbol: identities may have replaced other nodes."""
    for v in variables:
        if g.op[v] != SYMBOL:
            raise ExpressionError(f"{describe(g, v)} is not a symbol, so nothing can be differentiated by it")


class JacobianPart(NamedTuple):
    """Rows and columns of a Jacobian that no other rows and columns share, and the nodes between them."""

    rows: list[int]
    columns: list[int]
    nodes: list[Node]


class Dependence:
    """The nodes between variables and roots, and what a derivative by either mode would cost.

    ``reach[i]`` has the bits of the variables that node i depends on, ``back[i]`` those of the roots that depend on it;
    only nodes that have both are listed in ``nodes``, operands first, and variables are not nodes. Sets are the bits of
    Python integers.
    """

    def __init__(self, g: Graph, roots: Sequence[Node], variables: Sequence[Node]) -> None:
        self.g, self.roots, self.variables = g, roots, variables
        self.active: dict[Node, tuple[int, ...]] = {}  # which operands of a node's rule depend on variables
        self.edges: dict[Node, tuple[Node, ...]] = {}  # these operands
        self.reach = reach = {v: 1 << j for j, v in enumerate(variables)}
        for i in live(g, roots):
            node = local(g, i)
            factors = node.rule.factors
            active = tuple([k for k, j in enumerate(node.ids) if j in reach and factors[k] is not None])
            if active:
                self.active[i], self.edges[i] = active, tuple([node.ids[k] for k in active])
                reach[i] = reduce(or_, [reach[j] for j in self.edges[i]])
        self.back = back = {r: 1 << k for k, r in enumerate(roots) if r in reach}
        for i in reversed(self.edges):
            if i in back:
                for j in self.edges[i]:
                    back[j] = back.get(j, 0) | back[i]
        self.nodes = [i for i in self.edges if i in back]

    def parts(self) -> list[JacobianPart]:
        """The connected parts of the Jacobian, by their first rows."""
        part_of: dict[int, int] = {}
        parts: list[JacobianPart] = []
        for k, r in enumerate(self.roots):
            if r not in self.reach or k in part_of:
                continue
            rows, columns, new = 1 << k, 0, 1 << k
            while new:
                fresh = reduce(or_, [self.reach[self.roots[row]] for row in bits(new)]) & ~columns
                columns |= fresh
                new = reduce(or_, [self.back[self.variables[j]] for j in bits(fresh)], 0) & ~rows
                rows |= new
            part_of.update(dict.fromkeys(bits(rows), len(parts)))
            parts.append(JacobianPart(list(bits(rows)), list(bits(columns)), []))
        for i in self.nodes:
            parts[part_of[next(bits(self.back[i]))]].nodes.append(i)
        return parts

    def forward_cost(self, part: JacobianPart) -> int:
        """Multiplications and additions of forward mode: each node scales its operands' tangents and adds them."""
        total = 0
        for i in part.nodes:
            count = [(j in self.edges, self.reach[j].bit_count()) for j in self.edges[i]]
            total += sum(n for _, n in count) - self.reach[i].bit_count()
            total += 0 if self.g.op[i] in LINEAR else sum(n for inner, n in count if inner)
        return total

    def reverse_cost(self, part: JacobianPart) -> int:
        """Multiplications and additions of reverse mode: each node scales its adjoints for its operands, which add."""
        total, roots = 0, set(self.roots)
        for i in part.nodes:
            count, edges = self.back[i].bit_count(), len(self.edges[i])
            total += count * (edges - 1)
            total += 0 if self.g.op[i] in LINEAR or (count == 1 and i in roots) else count * edges
        return total


def members(nodes: Iterable[Node], sets: Mapping[Node, int]) -> dict[int, list[Node]]:
    """For each bit the nodes whose set has it, in the order of the nodes."""
    by_bit: dict[int, list[Node]] = defaultdict(list)
    for i in nodes:
        for k in bits(sets[i]):
            by_bit[k].append(i)
    return by_bit


def bits(s: int) -> Iterator[int]:
    """The bits of a set, lowest first."""
    while s:
        lowest = s & -s
        yield lowest.bit_length() - 1
        s ^= lowest


def _columns(between: Dependence, part: JacobianPart) -> Iterator[tuple[Node, Node, Node]]:
    """(root, variable, derivative) by forward mode, one sweep for each variable."""
    g, reach = between.g, between.reach
    shared = {i: between.active[i] for i in part.nodes if reach[i].bit_count() > 1}
    touched = members(part.nodes, reach)
    for j in part.columns:
        tangents = Tangents(g, {between.variables[j]: g.one}, shared)
        for i in touched[j]:
            tangents.step(i, local(g, i))
        for k in bits(between.back[between.variables[j]]):
            yield between.roots[k], between.variables[j], tangents.of(between.roots[k])


def _rows(between: Dependence, part: JacobianPart) -> Iterator[tuple[Node, Node, Node]]:
    """(root, variable, derivative) by reverse mode, one sweep for each root."""
    g = between.g
    shared = {i for i in part.nodes if between.back[i].bit_count() > 1}
    touched = members(part.nodes, between.back)
    for root in part.rows:
        adjoint = {between.roots[root]: g.one}
        for i in reversed(touched[root]):
            s = adjoint.pop(i, g.zero)
            if s != g.zero:
                node, active = local(g, i), between.active[i]
                for k, t in zip(active, _contributions(node, s, active, i in shared), strict=True):
                    j = node.ids[k]
                    adjoint[j] = plus(g, adjoint[j], t) if j in adjoint else t
        for variable, derivative in adjoint.items():
            yield between.roots[root], variable, derivative


class Tangents:
    """The tangents of nodes along one direction; a node without one has tangent zero.

    A sum of squares keeps half its tangent, x·dx + y·dy, because a root of it halves it: d√(x² + y²) is
    (x·dx + y·dy)/√(x² + y²). Nodes in ``shared`` have tangents along other directions too, through the operands listed.
    """

    def __init__(
        self, g: Graph, seeds: Mapping[Node, Node], shared: Mapping[Node, Sequence[int]] | None = None
    ) -> None:
        self.g = g
        self.whole = {i: t for i, t in seeds.items() if t != g.zero}
        self.half: dict[Node, Node] = {}
        self.shared = shared or {}

    def of(self, i: Node) -> Node:
        """The tangent of node i."""
        if i not in self.whole and i in self.half:
            self.whole[i] = times(self.g, self.g.const(2), self.half[i])
        return self.whole.get(i, self.g.zero)

    def step(self, i: Node, node: Local) -> None:
        """Give node i its tangent from those of its operands."""
        g, whole, half, factors = self.g, self.whole, self.half, node.rule.factors
        active = [k for k, j in enumerate(node.ids) if (j in whole or j in half) and factors[k] is not None]
        if not active or self._halved(i, node, active):
            return
        condition, shared, total = node.condition(), self.shared.get(i, ()), g.zero
        if condition is not None:
            total = choose(g, condition, self.of(node.ids[-2]), self.of(node.ids[-1]))
        else:
            for k in active:
                factor = node.partial(k, len(shared) == 1) if shared else node.factor(k)
                total = plus(g, total, times(g, factor, self.of(node.ids[k])))
            if not shared and node.rule.divisor is not None:
                total = over(g, total, node.divisor())
        if total != g.zero:
            whole[i] = total

    def _halved(self, i: Node, node: Local, active: list[int]) -> bool:
        """Whether i is a square, a sum of squares or the root of one; these have their tangent now."""
        g, code, half = self.g, self.g.op[i], self.half
        if node.rule is SQUARE and i not in self.shared:
            half[i] = times(g, node.x[0], self.of(node.ids[0]))
            return True
        if not half or (code not in LINEAR and code != SQRT) or any(node.ids[k] not in half for k in active):
            return False
        if code == SQRT:
            t = half[node.ids[0]]
            self.whole[i] = times(g, g.div(g.one, node.n), t) if i in self.shared else over(g, t, node.n)
            return True
        half[i] = g.zero
        for k in active:
            half[i] = plus(g, half[i], times(g, node.factor(k), half[node.ids[k]]))
        return True


def _contributions(node: Local, s: Node, active: Sequence[int], shared: bool) -> list[Node]:
    """s·∂n/∂xₖ for the active operands."""
    g, condition = node.g, node.condition()
    if condition is not None:  # s where the operand is chosen, inside the guards of s

        def chosen(last: bool) -> Node:
            return inside(g, s, lambda v: choose(g, condition, g.zero, v) if last else choose(g, condition, v, g.zero))

        return [chosen(k == len(node.ids) - 1) for k in active]
    if shared:
        return [times(g, node.partial(k, len(active) == 1), s) for k in active]
    if node.rule is SQUARE:
        return [times(g, node.x[0], times(g, g.const(2), s))]
    if node.rule.divisor is None:
        return [times(g, node.factor(k), s) for k in active]
    if len(active) == 1:
        return [over(g, times(g, node.factor(active[0]), s), node.divisor())]
    t = over(g, s, node.divisor())
    return [times(g, node.factor(k), t) for k in active]
