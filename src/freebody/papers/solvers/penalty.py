"""Gauss's principle as a quadratic programme with a penalty (Mufti 1983, Remark 1): u̇ minimises
½ (u̇ − M⁻¹f)ᵀ M (u̇ − M⁻¹f) + ½ (G u̇ − γ)ᵀ μ⁻¹ (G u̇ − γ). With λ = μ⁻¹(γ − G u̇) this is

    [M −Gᵀ; −G −μ] [u̇; λ] = [f; −γ].

The matrix is quasi-definite: it has an L D Lᵀ in every order of elimination, also where rows of G depend on each other,
and no pivot needs a guard. Speeds go first, since a pivot −μ before them costs as many digits as μ is small. Steps of
the augmented Lagrangian method with the same L and D remove the penalty: the right side becomes −γ − μλ with the λ of
the step before, and each multiplies the error by μ/(μ + σ), σ the eigenvalues of G M⁻¹Gᵀ. λ begins at 0 and has no part
that leaves Gᵀλ unchanged: where rows depend on each other, it is the shortest one, with μ as the measure.
"""

from freebody.formulations.constrained import ConstrainedSystem, augmented
from freebody.formulations.entries import Solver
from freebody.formulations.solve import Factor, solve_symmetric
from freebody.program.ldl import plan
from freebody.scalar.node import Node
from freebody.spatial.scalars import Scalar, Scalars

PENALTY, STEPS = 1e-10, 2
"""μ of a row relative to its entry of G M⁻¹Gᵀ (or the sum of those of its constraint in the same unit), and the number
of steps after the first solution. Two steps leave (μ/σ)³ of the error: 1e-12 for rows that differ by an angle of 1e-3
from being dependent."""


def solve_penalty(system: ConstrainedSystem) -> tuple[list[Node], list[Node]]:
    """u̇ and λ by a penalty and steps of the augmented Lagrangian method."""
    g, mass, force, G, gamma, related = system
    n, mu = len(force), list[Scalar]()
    if not G:
        return solve_symmetric(g, mass, force), []

    def invert(S: Scalars, d: Scalar, scale: Scalar, _: Scalar | None) -> Scalar:
        """1/(d − μ); 0 of a row that vanishes together with those of its constraint."""
        mu.append(S.neg(S.mul(S.const(PENALTY), scale)))
        return S.where(S.less(scale, S.zero), S.div(S.one, S.sub(d, mu[-1])), S.zero)

    matrix, unknowns = augmented(g, mass, G, n), range(n, n + len(G))
    p = plan(n + len(G), list(matrix), unknowns)
    factor = Factor(g, matrix, p, {n + k: [n + i for i in others] for k, others in enumerate(related)}, invert=invert)
    penalties = dict(zip((k for k in p.order if k >= n), mu, strict=True))
    x = factor.solve([*force, *map(g.neg, gamma)])
    for _ in range(STEPS):
        x = factor.solve([*force, *(g.neg(g.add(gamma[k - n], g.mul(penalties[k], x[k]))) for k in unknowns)])
    return x[:n], x[n:]


SOLVER = Solver("penalty", "kane", solve_penalty)
