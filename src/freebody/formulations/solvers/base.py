"""What a solver of the family is: a way from M, f, G and γ to u̇ and λ, equations of its own, or both."""

from dataclasses import dataclass

from freebody.errors import ModelError
from freebody.formulations.derivation import MatrixSolver
from freebody.formulations.formulation import Formulation
from freebody.model.joints.flexible import NodeAttachment
from freebody.model.model import Model

LIMIT = 30
"""Solvers whose programs are not loops are derived for up to this many bodies; the operations of larger programs grow
with the cube of the number of bodies."""


def body_count(model: Model) -> int:
    """The number of bodies, without nodes of flexible bodies."""
    return sum(not isinstance(spec.joint, NodeAttachment) for spec in model.bodies.values())


@dataclass(frozen=True)
class Solver:
    """A member of the family. ``matrices`` computes u̇ and λ from M, f, G and γ of any formulation; ``member`` is a
    formulation with equations of its own, which ``derive(home, solver=…)`` takes. ``gauss`` is that of
    ``derive("gauss", solver=…)`` where it is another one. ``home`` is the formulation that is taken if none is named,
    "gauss" where equations are those of bodies. ``singular``: it passes through positions where G loses rank.
    ``loops``: it is also derived for more than ``LIMIT`` bodies."""

    name: str
    summary: str
    home: str
    matrices: MatrixSolver | None = None
    member: type[Formulation] | None = None
    gauss: type[Formulation] | None = None
    singular: bool = True
    loops: bool = False

    def require_size(self, model: Model) -> None:
        """Raise for more bodies than the solver is derived for."""
        if body_count(model) > LIMIT and not self.loops:
            raise ModelError(
                f"solver '{self.name}' is derived for up to {LIMIT} bodies, and '{model.name}' has {body_count(model)}:"
                " its program has no loops over bodies, and its operations grow with the cube of their number. Use"
                " solver='sparse', 'tree' or 'compliance', or 'auto'"
            )
