"""Derivatives: forward mode, reverse mode, sparse Jacobians and Hessians.

Forward mode carries tangents from operands to users, reverse mode adjoints from users to operands (Griewank & Walther
2008, ch. 3). A node that is met along one direction only divides once by its rule's divisor; one that is met along
several forms its partials first, and each direction then multiplies by them.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from freebody.errors import ExpressionError
from freebody.scalar.arithmetic import describe
from freebody.scalar.graph import Graph
from freebody.scalar.ops import SQRT, SYMBOL
from freebody.scalar.partials import SQUARE, Local, choose, inside, local, over, plus, times
from freebody.scalar.sparsity import LINEAR, Dependence, Part, bits, members
from freebody.scalar.walk import live

Mode = Literal["auto", "forward", "reverse"]
Entries = dict[tuple[int, int], int]
MODES = ("auto", "forward", "reverse")


def jvp(g: Graph, roots: Sequence[int], seeds: Mapping[int, int]) -> list[int]:
    """The tangents of the roots, Σ ∂root/∂s·ṡ, along the tangents ṡ that ``seeds`` gives to symbols s."""
    require_symbols(g, seeds)
    tangents = Tangents(g, seeds)
    for i in live(g, roots):
        tangents.step(i, local(g, i))
    return [tangents.of(r) for r in roots]


def gradient(g: Graph, root: int, variables: Sequence[int]) -> list[int]:
    """∂root/∂variables by reverse mode; zero where the root does not depend on one."""
    entries = jacobian(g, [root], variables, "reverse")
    return [entries.get((0, j), g.zero) for j in range(len(variables))]


def hessian(g: Graph, root: int, variables: Sequence[int], mode: Mode = "auto") -> Entries:
    """The lower triangle of ∂²root/∂variables², structural zeros absent."""
    entries = jacobian(g, gradient(g, root, variables), variables, mode)
    return {(row, column): entry for (row, column), entry in entries.items() if row >= column}


def jacobian(g: Graph, roots: Sequence[int], variables: Sequence[int], mode: Mode = "auto") -> Entries:
    """∂roots/∂variables by (row, column), structural zeros absent.

    ``auto`` takes forward or reverse mode, whichever multiplies and adds less, for each part of the matrix that shares
    neither rows nor columns with the others.
    """
    if mode not in MODES:
        raise ExpressionError(f"mode {mode!r} of a derivative is unknown: use one of {', '.join(MODES)}")
    require_symbols(g, variables)
    rows, columns = _places(roots), _places(variables)
    between = Dependence(g, list(rows), list(columns))
    found: Entries = {}
    for part in between.parts():
        sweep = _columns if mode == "forward" or (mode == "auto" and _forward_is_cheaper(between, part)) else _rows
        for i, j, entry in sweep(between, part):
            if entry != g.zero:
                found.update(dict.fromkeys(((r, c) for r in rows[i] for c in columns[j]), entry))
    return dict(sorted(found.items()))


def require_symbols(g: Graph, variables: Iterable[int]) -> None:
    """Refuse variables that are not symbols: the identities may have changed what other nodes are used by."""
    for v in variables:
        if g.op[v] != SYMBOL:
            raise ExpressionError(f"{describe(g, v)} is not a symbol, so nothing can be differentiated by it")


def _places(handles: Sequence[int]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = defaultdict(list)
    for k, handle in enumerate(handles):
        places[handle].append(k)
    return places


def _forward_is_cheaper(between: Dependence, part: Part) -> bool:
    return between.forward_cost(part) <= between.reverse_cost(part)


def _columns(between: Dependence, part: Part) -> Iterator[tuple[int, int, int]]:
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


def _rows(between: Dependence, part: Part) -> Iterator[tuple[int, int, int]]:
    """(root, variable, derivative) by reverse mode, one sweep for each root."""
    shared = {i for i in part.nodes if between.back[i].bit_count() > 1}
    touched = members(part.nodes, between.back)
    for k in part.rows:
        adjoints = _pull(between, between.roots[k], touched[k], shared)
        for variable, adjoint in adjoints.items():
            yield between.roots[k], variable, adjoint


class Tangents:
    """The tangents of nodes along one direction; a node without one has tangent zero.

    A sum of squares keeps half its tangent, x·dx + y·dy, because a root of it halves it: d√(x² + y²) is
    (x·dx + y·dy)/√(x² + y²). Nodes in ``shared`` have tangents along other directions too, through the operands listed.
    """

    def __init__(self, g: Graph, seeds: Mapping[int, int], shared: Mapping[int, Sequence[int]] | None = None) -> None:
        self.g = g
        self.whole = {i: t for i, t in seeds.items() if t != g.zero}
        self.half: dict[int, int] = {}
        self.shared = shared or {}

    def of(self, i: int) -> int:
        """The tangent of node i."""
        if i not in self.whole and i in self.half:
            self.whole[i] = times(self.g, self.g.const(2), self.half[i])
        return self.whole.get(i, self.g.zero)

    def copy(self, i: int, other: int) -> None:
        """Give node i the tangent of another."""
        if self.of(other) != self.g.zero:
            self.whole[i] = self.of(other)

    def step(self, i: int, node: Local) -> None:
        """Give node i its tangent from those of its operands."""
        whole, half, factors = self.whole, self.half, node.rule.factors
        active = [k for k, j in enumerate(node.ids) if (j in whole or j in half) and factors[k] is not None]
        if active and not self._halved(i, node, active):
            t = self._tangent(node, active, self.shared.get(i, ()))
            if t != self.g.zero:
                whole[i] = t

    def _tangent(self, node: Local, active: list[int], shared: Sequence[int]) -> int:
        g = self.g
        condition = node.condition()
        if condition is not None:
            return choose(g, condition, self.of(node.ids[-2]), self.of(node.ids[-1]))
        total = g.zero
        for k in active:
            factor = node.partial(k, len(shared) == 1) if shared else node.factor(k)
            total = plus(g, total, times(g, factor, self.of(node.ids[k])))
        return total if shared or node.rule.divisor is None else over(g, total, node.divisor())

    def _halved(self, i: int, node: Local, active: list[int]) -> bool:
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


def _pull(between: Dependence, root: int, nodes: Sequence[int], shared: Container[int]) -> dict[int, int]:
    """The adjoints ∂root/∂v of the variables."""
    g = between.g
    adjoint = {root: g.one}
    for i in reversed(nodes):
        s = adjoint.pop(i, g.zero)
        if s != g.zero:
            node, active = local(g, i), between.active[i]
            for k, t in zip(active, _contributions(node, s, active, i in shared), strict=True):
                j = node.ids[k]
                adjoint[j] = plus(g, adjoint[j], t) if j in adjoint else t
    return adjoint


def _contributions(node: Local, s: int, active: Sequence[int], shared: bool) -> list[int]:
    """s·∂n/∂xₖ for the active operands."""
    g, condition = node.g, node.condition()
    if condition is not None:
        return [_chosen(g, condition, s, k == len(node.ids) - 1) for k in active]
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


def _chosen(g: Graph, condition: int, s: int, last: bool) -> int:
    """s where the operand is chosen, inside the guards of s: choices of users stand outside those of operands."""
    return inside(g, s, lambda v: choose(g, condition, g.zero, v) if last else choose(g, condition, v, g.zero))
