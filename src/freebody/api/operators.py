"""Spatial operators as users ask for them: numbers at a state, from one compiled program."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Function, compile
from freebody.errors import ArgumentError, ModelError
from freebody.model.model import Model
from freebody.papers.operators import BodyNumbers, Operators, TreeShape, program
from freebody.run.numbers import by_name, numbers
from freebody.tree.forest import require_joints, require_uncoupled, span
from freebody.tree.motion import Motion

if TYPE_CHECKING:
    from freebody.api.equations import Equations

Array = NDArray[np.float64]


class Spatial:
    """The spatial operators of a system at any state; the program behind them is compiled at the first call."""

    def __init__(self, model: Model, values: Mapping[str, float], start: Sequence[float]) -> None:
        self.values, self.start, self._motion = dict(values), list(start), Motion(span(model, staged=False))
        way_out = "ask compiled equations for M, Jacobians and the like"
        require_uncoupled(self._motion.forest, "spatial operators", way_out)
        require_joints(self._motion.forest, "spatial operators", way_out)
        self.tree = TreeShape.of(self._motion.forest)

    @cached_property
    def _function(self) -> Function:
        return compile(program(self._motion), "numpy")

    def __call__(
        self, q: ArrayLike, u: ArrayLike | None = None, t: float = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, parameters: Mapping[str, float] | None = None,
    ) -> Operators:  # fmt: skip
        """The operators at one state; left out, speeds and inputs are 0, z is its initial value."""
        values = {**self.values, **by_name(parameters, "parameters", "{'m': 2.0}")}
        given = {"t": [t], "q": q, "u": u, "z": self.start if z is None else z, "inputs": inputs}
        f = self._function
        filled = {g.name: self._one(g.name, given[g.name], g.size) for g in f.groups if g.name != "parameters"}
        told = f.bind(values)(*filled.values())
        assert isinstance(told, dict)
        return Operators(BodyNumbers.of(self.tree, told, filled["u"]))

    def _one(self, name: str, value: ArrayLike | None, size: int) -> Array:
        made = np.zeros(size) if value is None else numbers(value, f"operators: {name}")
        if made.shape != (size,):
            raise ArgumentError(f"operators are those of one state: {name} has shape {made.shape}, not ({size},)")
        return made


def spatial(equations: "Equations") -> Spatial:
    """Of the system behind equations, in standard speeds and exact."""
    derivation = equations.derivation
    if derivation.standard != list(derivation.layout.u_handles):
        raise ModelError("spatial operators need standard speeds: derive again without speeds=…")
    if derivation.small:
        raise ModelError("spatial operators are exact: derive again without small=…")
    return Spatial(derivation.forest.model, equations.values, equations.start)
