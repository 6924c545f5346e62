"""What methods of ``Equations`` do that serve readers of the papers: Sayers' tables, matrices of expressions, spatial
operators, augmented bodies."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from freebody.errors import ModelError
from freebody.formulations.omission import ADVICE
from freebody.papers.absolute_function import AbsoluteFunction
from freebody.papers.barycentres import Barycentres
from freebody.papers.barycentres import barycentres as barycentres_of
from freebody.papers.matrix_equations import MatrixEquations
from freebody.papers.operators.function import OperatorFunction
from freebody.papers.sayers import Sayers
from freebody.papers.sayers_tables import tables as tables_of
from freebody.run.arguments import boolean
from freebody.tree.tree import span

if TYPE_CHECKING:
    from freebody.api.compiled import Values
    from freebody.api.equations import Equations


def tables(eq: "Equations") -> str:
    """Sayers' tables, in the speeds of the equations where they are his."""
    formulation = eq.derivation.formulation
    speeds = [formulation.speeds] if isinstance(formulation, Sayers) else []
    return tables_of(Sayers(span(formulation.tree.model, staged=False), *speeds))


def matrices(eq: "Equations", skew: bool, simplify: bool, angles: str, limit: int | None) -> MatrixEquations:
    """M ṗ + C p + F = Q and q̇ = V p."""
    if eq.derivation.tree.model.omitted:
        raise ModelError(f"matrices of q̇ = V p need all coordinates: {ADVICE}")
    form = angles if boolean(simplify, "simplify") else None
    return MatrixEquations(eq.derivation, boolean(skew, "skew"), form, limit)


def barycentres(eq: "Equations", q: ArrayLike, t: float, parameters: "Values | None") -> Barycentres:
    """Augmented bodies at a position."""
    f, model = eq.compile("numpy", parameters), eq.derivation.tree.model
    poses = [f.pose(q, body, t) for body in model.bodies]
    R, p = np.array([pose.R for pose in poses]), np.array([pose.p for pose in poses])
    return barycentres_of(model, R, p, f.inertial_parameters().reshape(-1, 10))


def absolute(eq: "Equations") -> AbsoluteFunction:
    """The function that returns the absolute equations at a state."""
    if not eq.derivation.has_standard_speeds:
        raise ModelError("absolute equations need standard speeds: derive again without speeds=…")
    if eq.derivation.small:
        raise ModelError("eq.absolute(q, u) needs exact equations: derive again without small=…")
    return AbsoluteFunction(eq.derivation.tree.model, eq.values, eq.start)


def operators(eq: "Equations") -> OperatorFunction:
    """The function that returns the operators at a state."""
    if not eq.derivation.has_standard_speeds:
        raise ModelError("spatial operators need standard speeds: derive again without speeds=…")
    if eq.derivation.small:
        raise ModelError("eq.operators(q, u) needs exact equations: derive again without small=…")
    if eq.derivation.tree.model.omitted:
        raise ModelError(f"spatial operators need all coordinates: {ADVICE}")
    return OperatorFunction(eq.derivation.tree.model, eq.values, eq.start)
