"""What the tables of formulations and solvers contain: how a formulation is derived and which options it honours; and
what a solver is: a way from M, f, G and γ to u̇ and λ, equations of its own, or both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation, MatrixSolver
from freebody.formulations.formulation import Formulation
from freebody.model.model import Model

LIMIT = 30
"""Solvers whose programs are not loops are derived for up to this many bodies; the operations of larger programs grow
with the cube of the number of bodies."""

STANDARD = "standard"
"""The speeds of the joints."""


def body_count(model: Model) -> int:
    """The number of bodies, without nodes of flexible bodies."""
    return sum(not spec.is_node for spec in model.bodies.values())


@dataclass(frozen=True)
class Solver:
    """A member of the family. ``matrices`` computes u̇ and λ from M, f, G and γ of any formulation; ``member`` is a
    formulation with equations of its own, which ``derive(home, solver=…)`` takes; with ``secondary``, it also takes the
    names of the bodies of a secondary system. ``home`` is the formulation that is taken if none is named, "gauss" where
    equations are those of bodies. ``loops``: it is also
    derived for more than ``LIMIT`` bodies."""

    name: str
    home: str
    matrices: MatrixSolver | None = None
    member: Callable[..., Formulation] | None = None
    secondary: bool = False
    loops: bool = False

    def require_size(self, model: Model) -> None:
        """Raise for more bodies than the solver is derived for."""
        if body_count(model) > LIMIT and not self.loops:
            raise ModelError(
                f"solver '{self.name}' is derived for up to {LIMIT} bodies, and '{model.name}' has {body_count(model)}:"
                " its program has no loops over bodies, and its operations grow with the cube of their number. Use"
                " solver='sparse' or 'tree', or 'auto'"
            )

    def matrices_of(self, formulation: str) -> MatrixSolver | None:
        """How M, f, G and γ of a formulation are solved; None: in the formulation's own way."""
        if self.name == "tree":
            return None
        if self.matrices is None:
            raise ModelError(
                f"solver '{self.name}' has equations of its own, and cannot solve those of '{formulation}':"
                f" derive('{self.home}', solver='{self.name}')"
            )
        return self.matrices


class DeriveOptions(NamedTuple):
    """What ``System.derive`` was asked for, beside the formulation."""

    small: Sequence[str] = ()
    speeds: str = STANDARD
    search: int = 1
    rolled: bool | None = None
    solver: Solver | None = None
    secondary: Sequence[str] = ()
    omit: Sequence[str] = ()


class Growth(NamedTuple):
    """The work of a derivation: seconds and bytes for each body and each of its ancestors, itself included (an entry of
    M), or for each body and each pair of its ancestors (M eliminated entry by entry)."""

    power: int
    seconds: float
    bytes: float

    def estimate(self, depths: Sequence[int]) -> tuple[float, float]:
        """Seconds and bytes, from the number of bodies from the ground to each body."""
        number = sum(depth**self.power for depth in depths)
        return self.seconds * number, self.bytes * number


@dataclass(frozen=True)
class FormulationEntry:
    """A formulation of the table. ``derive`` returns the equations of a model by the options that it ``honours``, of
    "small", "solver", "search", "rolled", "speeds" and "omit". ``growth`` is None where derivations never take long."""

    name: str
    derive: Callable[[Model, DeriveOptions], Derivation]
    honours: frozenset[str]
    growth: Growth | None = None
