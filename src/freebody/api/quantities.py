"""Results of quantities, and the methods of equations that describe them: cost, inertial parameters."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.run.numbers import seeded

if TYPE_CHECKING:
    from freebody.formulations.derivation import Derivation
    from freebody.program.count import Operations
    from freebody.program.program import Program
    from freebody.quantities.regressor import BaseParameters

Array = NDArray[np.float64]
Groups = Mapping[str, ArrayLike | None]


class Pose(NamedTuple):
    """``R`` maps a body's components to the ground's; ``p`` is a point's position in the ground."""

    R: Array
    p: Array


class Centroidal(NamedTuple):
    """Momentum about the mass centre is ``matrix`` @ u (and what prescribed motions add); ``inertia`` is that of the
    system with all joints held, about its mass ``centre``; all along the ground's axes."""

    matrix: Array
    inertia: Array
    centre: Array
    mass: Array


class Inertial(NamedTuple):
    """The inertial parameters π by name: ten for each body, about its origin along its axes."""

    names: tuple[str, ...]
    values: Array


class QuantityFacts(ABC):
    """The cost of quantities of equations, and their inertial parameters."""

    derivation: "Derivation"
    values: dict[str, float]

    def count(self, quantity: str, **arguments: Any) -> "Operations":
        """Operations of a call; arguments are those of ``program``."""
        from freebody.program.count import count
        from freebody.program.stage import stage

        return count(stage(self.program(quantity, **arguments)).main)

    def inertial_parameters(self, parameters: Mapping[str, float] | None = None) -> Inertial:
        """π of tau = Y π + τ₀ (docs/quantities.md)."""
        from freebody.quantities.regressor import names

        found = self.compile("numpy", parameters)._array("inertial_parameters", {})
        return Inertial(names(self.derivation), found)

    def base_parameters(self, parameters: Mapping[str, float] | None = None, seed: int = 0) -> "BaseParameters":
        """The fewest combinations of inertial parameters that tau depends on, determined at random states."""
        from freebody.quantities.regressor import base_parameters, random_regressors

        f, e = self.compile("numpy", parameters), self.derivation
        W = random_regressors(e, lambda t, q, u, u_dot: f.regressor(q, u, u_dot, t), seeded(seed))
        return base_parameters(e, W)

    @abstractmethod
    def program(self, quantity: str = "forward_dynamics", **arguments: Any) -> "Program":
        """A quantity's program."""

    @abstractmethod
    def compile(self, backend: str = "llvm", parameters: Mapping[str, float] | None = None, **options: Any) -> Any:
        """The quantities as functions."""


class QuantityCalls(ABC):
    """Calls of compiled quantities by name."""

    @abstractmethod
    def _call(self, quantity: str, groups: Groups, arguments: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """A quantity's outputs: ``arguments`` select its program, ``groups`` are the numbers it takes."""

    def _array(
        self, quantity: str, groups: Groups, arguments: Mapping[str, Any] | None = None, **options: Any
    ) -> Array:
        array: Array = self._call(quantity, groups, arguments, **options)
        return array

    def _dict(
        self, quantity: str, groups: Groups, arguments: Mapping[str, Any] | None = None, **options: Any
    ) -> dict[str, Array]:
        arrays: dict[str, Array] = self._call(quantity, groups, arguments, **options)
        return arrays


def by_variable(outputs: Mapping[str, Array]) -> dict[str, Array]:
    """Derivatives by the variable they are taken by."""
    return {name.removeprefix("by_"): value for name, value in outputs.items()}
