"""The spatial operators of a system as a function of its state, from one compiled program."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from freebody.backends import Function, compile
from freebody.errors import ArgumentError
from freebody.model.model import Model
from freebody.papers.operators.bodies import BodyNumbers, TreeShape, program
from freebody.papers.operators.closures import ClosureProgram
from freebody.papers.operators.linear_maps import Array
from freebody.papers.operators.spatial import Operators
from freebody.run.arguments import by_name, numbers
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.independence import guarded_rows, omitted_rows
from freebody.tree.motion import Motion
from freebody.tree.tree import StateLayout, require_uncoupled, span


class OperatorFunction:
    """The spatial operators of a system at any state; their program is compiled at the first call. ``values`` are the
    default values of parameters, ``start`` that of the extra states."""

    def __init__(self, model: Model, values: Mapping[str, float], start: Sequence[float]) -> None:
        self.values, self.start, self._motion = dict(values), list(start), Motion(span(model, staged=False))
        instead = "ask compiled equations for M, Jacobians and the like"
        require_uncoupled(self._motion.tree, "spatial operators", instead)
        omitted, guarded = omitted_rows(model), guarded_rows(model)
        self._closures = ClosureProgram.of(ConstraintEquations(self._motion, omitted, guarded=guarded))
        self.tree = TreeShape.of(self._motion.tree, self._closures.shape)

    @cached_property
    def _function(self) -> Function:
        return compile(program(self._motion, self._closures), "numpy")

    def __call__(
        self,
        q: ArrayLike,
        u: ArrayLike | None = None,
        t: float = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        parameters: Mapping[str, float] | None = None,
    ) -> Operators:
        """The operators at one state; speeds and inputs are 0 by default, held values as at the start of a
        run."""
        values = {**self.values, **by_name(parameters, "parameters", "{'m': 2.0}")}
        arguments = {"t": [t], "q": q, "u": u, "z": self.start if z is None else z, "inputs": inputs}
        outputs, rows = outputs_at(self._function, self._motion.tree.layout, values, arguments, "operators")
        return Operators(BodyNumbers.of(self.tree, outputs, rows["u"]))


def outputs_at(
    f: Function, layout: StateLayout, values: Mapping[str, float], arguments: Mapping[str, Any], what: str
) -> tuple[dict[str, Array], dict[str, Array]]:
    """The outputs of a program at one state, and the arguments as arrays; those that are None are zeros, and inputs
    those at the start of a run."""
    rows, given = dict[str, Array](), dict(arguments)
    if given["inputs"] is None:
        given["inputs"] = layout.default_inputs
    elif np.shape(given["inputs"]) == (len(layout.user_inputs),):  # without those that switch constraints
        given["inputs"] = [*np.asarray(given["inputs"], dtype=object), *layout.held.values()]
    for name, size in ((g.name, g.size) for g in f.groups if g.name != "parameters"):
        rows[name] = np.zeros(size) if given[name] is None else numbers(given[name], f"{what}: {name}")
        if rows[name].shape != (size,):
            shape = rows[name].shape
            raise ArgumentError(f"{what} need one state: {name} has the shape {shape}, not ({size},)")
    outputs = f.bind(values)(*rows.values())
    assert isinstance(outputs, dict)
    return outputs, rows
