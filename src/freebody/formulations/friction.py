"""Friction of contacts that slide: the normal forces λ for which friction is μ λ.

Friction is a load with the symbols of λ (``model/constraints/point_contact.py``). Accelerations and multipliers are
affine in these: λ = a + B λ. They are computed for λ = 0, and for each λ = 1 alone; then (1 − B) λ = a is solved by
elimination. Nothing is symmetric here, and M, G and their factors stay as they are.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from freebody.errors import ModelError
from freebody.formulations.formulation import Solution
from freebody.model.accelerations import multiplier_symbol
from freebody.model.model import Model
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.tree.constraints import RowKey

if TYPE_CHECKING:
    from freebody.formulations.derivation import Derivation

InsertLaws = Callable[[Sequence[Node]], Sequence[Node]]
Rows = list[tuple[int, Node, Node]]
"""Of each contact the index of its normal row, and the symbols of its normal force and of its factor."""


def rubbing(model: Model) -> list[str]:
    """The names of the contacts of points with friction."""
    return [name for name, contact in model.point_contacts.items() if contact.rubs]


def needs_expressions(model: Model, rolled: bool | None, who: str) -> bool:
    """Whether friction that follows normal forces keeps equations from being rolled; raises where that is asked
    for."""
    for name in rubbing(model):
        if rolled:
            raise ModelError(
                f"{model.name}: the friction of contact '{name}' follows its normal force, which rolled equations of"
                f" {who} do not support; derive with rolled=False, or describe the contact with its compliance,"
                " s.contact(…)"
            )
        return True
    return False


def factor_symbol(g: Graph, name: str) -> Node:
    """The symbol of the factor D of a contact: without others, λ with friction is λ without friction, over D."""
    return g.symbol(f"friction_factor.{name}", Kind.ACCELERATION, f"factor of the friction of {name}")


def friction_rows(e: "Derivation") -> Rows:
    """The contacts with friction."""
    names = rubbing(e.tree.model)
    if not names:
        return []
    keys, g = list(e.constraints.rows), e.graph
    pairs = [(name, RowKey(name, 0)) for name in names]
    return [
        (keys.index(key), multiplier_symbol(g, f"{name}.normal"), factor_symbol(g, name))
        for name, key in pairs
        if key in keys
    ]


def with_friction(
    g: Graph,
    contacts: Rows,
    count: int,
    solve: Callable[[InsertLaws], Solution],
    insert_laws: InsertLaws,
) -> Solution:
    """The solution in whose friction the normal forces are its own, with ``count`` speeds; ``solve`` returns it for
    given laws."""
    m = len(contacts)
    symbols = list(insert_laws([symbol for _, symbol, _ in contacts]))
    factors = list(insert_laws([symbol for _, _, symbol in contacts]))

    def at(own: int | None) -> list[Node]:
        known = {symbol: g.one if k == own else g.zero for k, symbol in enumerate(symbols)}
        u_dot, multipliers, _ = solve(lambda nodes: substitute(g, list(insert_laws(nodes)), known))
        return [*u_dot, *multipliers]

    base = at(None)
    slopes = [[g.sub(x, b) for x, b in zip(at(k), base, strict=True)] for k in range(m)]
    rows = [count + index for index, _, _ in contacts]
    A = [[g.sub(g.one if i == j else g.zero, slopes[j][rows[i]]) for j in range(m)] for i in range(m)]
    right, own = [base[row] for row in rows], [A[k][k] for k in range(m)]
    for k in range(m):
        for i in range(k + 1, m):
            ratio = g.div(A[i][k], A[k][k])
            for j in range(k + 1, m):
                A[i][j] = g.sub(A[i][j], g.mul(ratio, A[k][j]))
            right[i] = g.sub(right[i], g.mul(ratio, right[k]))
    normal = [g.zero] * m
    for k in reversed(range(m)):
        total = right[k]
        for j in range(k + 1, m):
            total = g.sub(total, g.mul(A[k][j], normal[j]))
        normal[k] = g.div(total, A[k][k])
    result = list(base)
    for force, slope in zip(normal, slopes, strict=True):
        result = [g.add(x, g.mul(force, s)) for x, s in zip(result, slope, strict=True)]
    return Solution(result[:count], result[count:], dict(zip([*factors, *symbols], [*own, *normal], strict=True)))
