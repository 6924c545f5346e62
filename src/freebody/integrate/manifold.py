"""The manifold of constraints: how close to it a projected state must be, and the projection of states from Python."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError
from freebody.integrate.compiled import StateFunction
from freebody.integrate.emit_step import CALLS, LAST

Array = NDArray[np.float64]
NEAR, ROUNDING = 1e-5, 1e-14
"""A projection has converged where its last call changes a component by at most NEAR (atol + rtol |x|) + ROUNDING
(1 + |x|). The corrections converge quadratically: what remains of them is far smaller."""

FAR = 100.0
"""The largest distance to the manifold at the end of an accepted step, in tolerances. Steps that end farther away are
repeated stagewise (``emit_step.attempt``)."""

FAR_STAGEWISE = 1e-6
"""The same at the end of a step that is taken stagewise, as a number: rounding alone leaves so much next to a singular
position. It is never less than FAR tolerances."""

SINGULAR_ERROR = 1e-10
"""The error of a step past a singular position that is accepted at any tolerance: rounding prevents less."""

LOOSE = 0.1
"""NEAR where constraints are not ``consistent``: corrections then converge linearly."""


def near(
    n: int, speeds: Sequence[int], rtol: ArrayLike, atol: ArrayLike, consistent: bool = True
) -> tuple[Array, Array]:
    """The largest change of each component in the last call, as a number and a fraction of |x|. That of speeds is not
    limited: each call solves for them exactly, at the coordinates that it was called with."""
    part = np.full(n, NEAR if consistent else LOOSE)
    absolute, relative = (part * np.asarray(value, float) + ROUNDING for value in (atol, rtol))
    absolute[list(speeds)], relative[list(speeds)] = np.inf, 0.0
    return absolute, relative


class Manifold:
    """The states that satisfy a system's constraints. ``function`` makes one Newton correction of a state towards them:
    of coordinates and extra states, and of the ``speeds`` (indices in x) at the coordinates that it is called with.
    ``quaternions`` are the indices in x at which unit quaternions begin. ``calls`` counts the calls from Python.

    ``consistent``: speeds that satisfy the constraints keep the coordinates on them, so that a step that ends ``far``
    away is too long. Otherwise every step ends away from them, at a distance in proportion to its size."""

    def __init__(
        self,
        function: StateFunction,
        speeds: Sequence[int],
        quaternions: Sequence[int] = (),
        rtol: ArrayLike = 1e-8,
        atol: ArrayLike = 1e-10,
        consistent: bool = True,
    ) -> None:
        if function.results != function.size:
            raise ArgumentError(f"{function.name} returns {function.results} numbers for a state of {function.size}")
        self.function, self.quaternions, self.calls = function, tuple(quaternions), 0
        self.absolute, self.relative = near(function.size, speeds, rtol, atol, consistent)
        self.far = FAR if consistent else np.inf

    def project(self, t: float, x: ArrayLike) -> Array | None:
        """The state moved to the manifold, by the rule of ``emit_step.project``; None where that does not converge."""
        state = given = normalised(x, self.quaternions)
        for scale in (*[1.0] * (CALLS - 1), LAST):
            before = np.where(np.isinf(self.absolute), given, state)
            state = normalised(self.function(t, before), self.quaternions)
            self.calls += 1
            if not np.all(np.isfinite(state)):
                return None
            if np.all(np.abs(state - before) <= scale * (self.absolute + self.relative * np.abs(state))):
                return state
        return None


def normalised(x: ArrayLike, quaternions: Sequence[int]) -> Array:
    """A copy of the state with its quaternions at unit length."""
    state = np.array(x, float)
    for k in quaternions:
        state[k : k + 4] /= np.linalg.norm(state[k : k + 4])
    return state
