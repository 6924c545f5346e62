"""Reactions of systems with redundant constraints.

The motion does not determine the reactions R where multipliers λ ≠ 0 of all equations, redundant ones among them, cause
no generalised forces, Gᵀλ = 0: these are states of stress of the parts at rest, and R + B λ balances the bodies as R
does. B has the reactions of joints and constraints that each multiplier causes. A joint of the tree is loaded by its
outboard bodies, so that the states of stress are those of all joints, wherever loops are cut.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from freebody.formulations.derivation import Derivation
from freebody.formulations.reactions import static_reactions
from freebody.program.program import Program
from freebody.scalar.derivative import jacobian
from freebody.scalar.symbol import Kind
from freebody.tree.assembled_samples import NodeValues
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.independence import dependence

Array = NDArray[np.float64]
MOST_STEPS = 30
DEPENDENT, CHANGED = 1e-9, 1e-8
"""Singular values of a matrix with rows of length 1 that are taken as zero, and the size of a component of a reaction
in states of stress, relative to the largest that one multiplier causes, that is taken as rounding."""


class MultiplierSymbols:
    """The equations of constraints, those that are left out among them, with a symbol for each multiplier and for the
    strength of side forces, and the reactions that these cause."""

    def __init__(self, e: Derivation) -> None:
        self.equations = ConstraintEquations(e.formulation.motion)
        names = self.equations.names
        self.symbols = [
            e.graph.symbol(f"stress.{k + 1}", Kind.ACCELERATION, f"multiplier of {n}") for k, n in enumerate(names)
        ]
        self.G = self.equations.held_rows(self.equations.jacobian)
        rows = self.equations.rows.values()
        self.sides = {
            k: e.graph.symbol(f"side.{k + 1}", Kind.ACCELERATION, f"side force of {n}")
            for k, (n, row) in enumerate(zip(names, rows, strict=True))
            if row.side is not None
        }
        self.least = {
            k: e.graph.zero if row.side.least is None else row.side.least.handle
            for k, row in enumerate(rows)
            if row.side is not None
        }
        self.reactions = static_reactions(e.tree, self.equations, self.symbols, self.sides)


def reaction_matrices(e: Derivation) -> Program:
    """G of all equations, and for each reaction the matrix of its components per multiplier. Where gears or belts have
    side forces, also ``NAME.side``, per side force of each equation, and ``least``, their least strengths."""
    a, all_rows, n = e.assembly("reaction_matrices"), MultiplierSymbols(e), len(e.layout.u)
    m = len(all_rows.symbols)
    a.output("G", all_rows.G, (m, n))
    for name, nodes in all_rows.reactions.items() if m else ():
        entries = jacobian(e.graph, nodes, all_rows.symbols)
        matrix = [[entries.get((i, k), e.graph.zero) for k in range(m)] for i in range(len(nodes))]
        a.output(name, matrix, (len(nodes), m))
        if all_rows.sides:
            entries = jacobian(e.graph, nodes, list(all_rows.sides.values()))
            columns = {k: c for c, k in enumerate(all_rows.sides)}
            matrix = [
                [entries.get((i, columns[k]), e.graph.zero) if k in columns else e.graph.zero for k in range(m)]
                for i in range(len(nodes))
            ]
            a.output(f"{name}.side", matrix, (len(nodes), m))
    if all_rows.sides:
        a.output("least", [[all_rows.least.get(k, e.graph.zero) for k in range(m)]], (1, m))
    return a.program()


def stress_states(G: Array) -> Array:
    """λ with Gᵀλ = 0, as columns. Rows are compared at length 1; those that vanish, each by itself, are one of them."""
    lengths = _lengths(G)
    U, s, _ = np.linalg.svd(np.where(np.isnan(lengths), 0.0, G / lengths))
    free = U[:, np.count_nonzero(s > DEPENDENT) :]
    return np.asarray(free / np.nan_to_num(lengths, nan=1.0))


def _lengths(G: Array) -> Array:
    """The lengths of rows, as a column; NaN for those that vanish."""
    lengths = np.linalg.norm(G, axis=1, keepdims=True)
    return np.where(lengths > DEPENDENT * lengths.max(initial=0.0), lengths, np.nan)


def least_norm(reactions: Mapping[str, Array], multipliers: Array, matrices: Mapping[str, Array]) -> dict[str, Array]:
    """Of all reactions that balance the bodies as the given ones do, those of which the sum of the squares of all
    forces and torques, in N and N·m, is least. ``multipliers`` are those of all rows; of constraints without a force at
    a point they count as reactions, ``name.multipliers``.

    With R = R₀ + B λ + E s(λ), of side forces s = max(|λ|, least), these are the best of Gauss and Newton's method,
    which begins without s."""
    reactions = {n: B @ multipliers for n, B in matrices.items() if n.endswith(".multipliers")} | {**reactions}
    names = [name for name in matrices if name in reactions and not name.endswith(".drive_force")]
    B, N = np.concatenate([matrices[name] for name in names]), stress_states(matrices["G"])
    R = np.concatenate([reactions[name] for name in names])
    if "least" not in matrices:
        change = N @ np.linalg.lstsq(B @ N, -R, rcond=DEPENDENT)[0]
        return {name: x + matrices[name] @ change if name in matrices else x for name, x in reactions.items()}
    (least,) = matrices["least"]
    E = np.concatenate([matrices[f"{name}.side"] for name in names])
    strength = np.maximum(np.abs(multipliers), least)
    R, total = R - E @ strength, multipliers + N @ np.linalg.lstsq(B @ N, E @ strength - R, rcond=DEPENDENT)[0]
    best, smallest = total, float(np.inf)
    for _ in range(MOST_STEPS):
        now = R + B @ (total - multipliers) + E @ np.maximum(np.abs(total), least)
        if not np.linalg.norm(now) < (1 - DEPENDENT) * smallest:
            break
        best, smallest = total, float(np.linalg.norm(now))
        slope = np.where(np.abs(total) > least, np.sign(total), 0.0)
        total = total + N @ np.linalg.lstsq((B + E * slope) @ N, -now, rcond=DEPENDENT)[0]
    change, added = best - multipliers, np.maximum(np.abs(best), least) - strength
    return {
        name: x + matrices[name] @ change + matrices[f"{name}.side"] @ added if name in matrices else x
        for name, x in reactions.items()
    }


def undetermined_reactions(e: Derivation) -> dict[str, tuple[str, ...]]:
    """The components of reactions that the motion does not determine, by the name of the joint's body or of the
    constraint, at assembled states with the parameters' own values."""
    model, components = e.tree.model, dict[str, dict[str, None]]()
    if not model.constraints:
        return {}
    g, all_rows, numbers, n = e.graph, MultiplierSymbols(e), NodeValues(e.graph), len(e.layout.u)
    labels = [(name, i) for name, nodes in all_rows.reactions.items() for i in range(len(nodes))]
    reactions = [all_rows.reactions[name][i] for name, i in labels]
    for state in dependence(model).states:
        at = {h: value for name, value in state.items() if (h := g.named(name)) is not None}
        G = numbers([x for row in all_rows.G for x in row], at).reshape(len(all_rows.symbols), n)
        N, units = stress_states(G), np.eye(len(all_rows.symbols))
        if not N.size:
            continue
        at_rest = [dict(zip(all_rows.symbols, unit.tolist(), strict=True)) for unit in units]
        none = dict.fromkeys(all_rows.sides.values(), 0.0)
        B = np.stack([numbers(reactions, at | none | multipliers) for multipliers in at_rest], axis=1)
        scale = np.abs(B / np.nan_to_num(_lengths(G).T, nan=1.0)).max()
        for (name, i), size in zip(labels, np.linalg.norm(B @ N, axis=1), strict=True):
            if size > CHANGED * scale:
                joint, kind = name.rsplit(".", 1)
                components.setdefault(joint, {})[_label(all_rows.equations, joint, kind, i)] = None
    return {joint: tuple(labels) for joint, labels in components.items()}


def _label(equations: ConstraintEquations, joint: str, kind: str, i: int) -> str:
    """A component by the name that texts use after the name of the joint."""
    if kind == "multipliers":
        rows = [row for key, row in equations.rows.items() if key.constraint == joint]
        return rows[i].label or "multiplier"
    return kind if kind == "drive_force" else f"{kind}.{'xyz'[i]}"
