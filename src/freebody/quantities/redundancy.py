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
DEPENDENT, CHANGED = 1e-9, 1e-8
"""Singular values of a matrix with rows of length 1 that are taken as zero, and the size of a component of a reaction
in states of stress, relative to the largest that one multiplier causes, that is taken as rounding."""


class MultiplierSymbols:
    """The equations of constraints, those that are left out among them, with a symbol for each multiplier, and the
    reactions that these cause."""

    def __init__(self, e: Derivation) -> None:
        self.equations = ConstraintEquations(e.formulation.motion)
        names = self.equations.names
        self.symbols = [
            e.graph.symbol(f"stress.{k + 1}", Kind.ACCELERATION, f"multiplier of {n}") for k, n in enumerate(names)
        ]
        self.G = self.equations.held_rows(self.equations.jacobian)
        self.reactions = static_reactions(e.forest, self.equations, self.symbols)


def reaction_matrices(e: Derivation) -> Program:
    """G of all equations, and for each reaction the matrix of its components per multiplier."""
    a, all_rows, n = e.assembly("reaction_matrices"), MultiplierSymbols(e), len(e.layout.u)
    m = len(all_rows.symbols)
    a.output("G", all_rows.G, (m, n))
    for name, nodes in all_rows.reactions.items() if m else ():
        entries = jacobian(e.graph, nodes, all_rows.symbols)
        matrix = [[entries.get((i, k), e.graph.zero) for k in range(m)] for i in range(len(nodes))]
        a.output(name, matrix, (len(nodes), m))
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
    a point they count as reactions, ``name.multipliers``."""
    reactions = {n: B @ multipliers for n, B in matrices.items() if n.endswith(".multipliers")} | {**reactions}
    names = [name for name in matrices if name != "G" and not name.endswith(".drive_force")]
    B, N = np.concatenate([matrices[name] for name in names]), stress_states(matrices["G"])
    R = np.concatenate([reactions[name] for name in names])
    change = N @ np.linalg.lstsq(B @ N, -R, rcond=DEPENDENT)[0]
    return {name: value + matrices[name] @ change if name in matrices else value for name, value in reactions.items()}


def undetermined_reactions(e: Derivation) -> dict[str, tuple[str, ...]]:
    """The components of reactions that the motion does not determine, by the name of the joint's body or of the
    constraint, at assembled states with the parameters' own values."""
    model, components = e.forest.model, dict[str, dict[str, None]]()
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
        B = np.stack([numbers(reactions, at | multipliers) for multipliers in at_rest], axis=1)
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
