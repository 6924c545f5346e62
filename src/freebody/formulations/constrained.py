"""M u̇ = f + Gᵀλ and G u̇ = γ as one symmetric system: [M −Gᵀ; −G 0] · [u̇; λ] = [f; −γ]."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from freebody.formulations.solve import Entry, solve_symmetric
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.tree.constraints import ConstraintEquations, RowKey, wrench_about
from freebody.tree.independence import UNCHANGED, dependence


class ConstrainedSystem(NamedTuple):
    """M u̇ = force + Gᵀλ and G u̇ = gamma, as nodes of a graph; ``mass`` is the lower triangle of M, and ``related`` are
    the rows of G whose scale is one (``ConstraintEquations.related``)."""

    graph: Graph
    mass: Mapping[Entry, Node]
    force: Sequence[Node]
    G: Sequence[Sequence[Node]]
    gamma: Sequence[Node]
    related: Sequence[Sequence[int]]


def augmented(g: Graph, mass: Mapping[Entry, Node], G: Sequence[Sequence[Node]], n: int) -> dict[Entry, Node]:
    """The lower triangle of the matrix; multipliers have no entry on the diagonal."""
    rows = {(n + i, j): g.neg(x) for i, row in enumerate(G) for j, x in enumerate(row) if not g.vanishes(x)}
    return {**mass, **rows}


def solve_constrained(
    system: ConstrainedSystem, flags: Mapping[int, Node] = MappingProxyType({})
) -> tuple[list[Node], list[Node]]:
    """u̇ and λ, by L D Lᵀ of the whole matrix. ``flags``, by the index of the row, are 0 for rows of constraints that
    are released."""
    g, mass, force, G, gamma, related = system
    n = len(force)
    if not G:
        return solve_symmetric(g, mass, force), []
    right = [*force, *map(g.neg, gamma)]
    together = {n + k: [n + i for i in others] for k, others in enumerate(related)}
    of_unknowns = {n + k: flag for k, flag in flags.items()}
    x = solve_symmetric(g, augmented(g, mass, G, n), right, range(n, len(right)), together, of_unknowns)
    return x[:n], x[n:]


def convert_multipliers(
    given: ConstraintEquations, multipliers: Sequence[Node], wanted: ConstraintEquations
) -> list[Node]:
    """The multipliers of equations whose closures have another form, from those of equations with the same forces. The
    reaction R = Σ λ W on the second body is the same, so that the wanted λ solve (W·W) λ = W·R. Where rows of closures
    are left out since they follow from others, only the generalised forces F = Gᵀλ are the same: G Gᵀλ = G F."""
    if given.canonical and wanted.canonical:
        return list(multipliers)
    g, result = given.motion.graph, list[Node]()
    dependent = dependence(given.tree.model)
    if any(why != UNCHANGED for one in (dependent, dependent.exchanged) for why in one.omitted.values()):
        F, zeros = given.forces(multipliers), [g.zero] * len(wanted.rows)
        identity = {(k, k): g.one for k in range(len(F))}
        least_squares = ConstrainedSystem(g, identity, F, wanted.jacobian, zeros, wanted.related)
        return [g.neg(x) for x in solve_constrained(least_squares, wanted.flags)[1]]
    known = dict(zip(given.rows, multipliers, strict=True))
    for name, constraint in given.tree.model.constraints.items():
        rows = {key: row for key, row in wanted.rows.items() if key.constraint == name}
        at, reaction = constraint.reaction_point(given.tree.placed), given.reaction(name, multipliers)
        if at is None or reaction is None or constraint.joint is None:
            result += [known[key] for key in rows]
            continue
        W, products = [wrench_about(row.wrenches, at) for row in rows.values()], dict[Entry, Node]()
        for i, (force, torque) in enumerate(W):
            for j, (f, n) in enumerate(W[: i + 1]):
                products[i, j] = (force.dot(f) + torque.dot(n)).handle
        right = [(f.dot(reaction[0]) + n.dot(reaction[1])).handle for f, n in W]
        matrix = {key: h for key, h in products.items() if not g.vanishes(h)}
        result += solve_symmetric(g, matrix, right) if right else []
    return result


def least_squares_shares(
    equations: ConstraintEquations, keys: Sequence[RowKey], multipliers: Sequence[Node]
) -> list[Node]:
    """The multipliers of some rows with the same forces Gᵀλ = F and the smallest Σλ²: λ = Gμ with GᵀGμ = F."""
    g, index = equations.motion.graph, {key: k for k, key in enumerate(equations.rows)}
    forces = []
    for key in keys:
        flag, row = equations.flags.get(index[key]), equations.forces_of(equations.rows[key])
        forces.append({speed: x if flag is None else g.mul(flag, x) for speed, x in row.items() if not g.vanishes(x)})
    speeds, totals = sorted({speed for row in forces for speed in row}), list[Node]()
    for speed in speeds:
        total = g.zero
        for row, multiplier in zip(forces, multipliers, strict=True):
            total = g.add(total, g.mul(row.get(speed, g.zero), multiplier))
        totals.append(total)
    columns = [[row.get(speed, g.zero) for row in forces] for speed in speeds]
    identity, m = {(k, k): g.one for k in range(len(keys))}, len(keys)
    related = [range(len(speeds))] * len(speeds)
    return solve_constrained(ConstrainedSystem(g, identity, [g.zero] * m, columns, totals, related))[0]
