"""What limits the steps of a run: a mode of a flexible body in explicit methods, Newton's iteration in esdirk54."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.esdirk import ESDIRK54
from freebody.integrate.tableaus import TABLEAUS
from freebody.names import Q, U

Array = NDArray[np.float64]
NEAR = 0.3
"""A mode limits the steps where they are longer than this fraction of the longest stable step: controlled steps that
stability limits settle between 0.4 and 1 of it."""

SLOW = 0.01
"""An iteration limits the steps where it multiplies errors by more than this at the end. Where all that is stiff is in
its matrix, it is below 0.001; where not, it fails for steps of a few times the size, as changes of coordinates are
amplified before they decay."""

MOST_STATES = 300
"""For more states no eigenvalues are computed."""

FEW_STEPS = 100
"""With fewer steps nothing needs to be said."""


class LimitingMode(NamedTuple):
    """A mode: the name of its coordinate, its frequency with the body's frame fixed, the eigenvalue of the system that
    belongs to it, and the longest stable step."""

    name: str
    frequency: float
    eigenvalue: complex
    longest: float

    def __str__(self) -> str:
        here = abs(self.eigenvalue)
        return f"mode '{self.name}' ({self.frequency:.4g} rad/s with its frame fixed, {here:.4g} rad/s here)"


ADVICE = "Take fewer modes, quasi_static= a lower frequency, or damping and method='rodas5p'."


def state_jacobian(compiled: CompiledSystem, t: float, x: Array) -> Array | None:
    """∂ẋ/∂x by differences; None where it is not finite, or for too many states."""
    if not 0 < len(x) <= MOST_STATES:
        return None
    f, scale = compiled.x_dot, 1e-11 * np.maximum(1.0, np.abs(x))
    rates = f(t, x)
    J = np.stack([(f(t, x + d) - rates) / h for d, h in zip(np.diag(scale), scale, strict=True)], axis=1)
    return J if np.all(np.isfinite(J)) else None


def _frequencies(compiled: CompiledSystem) -> dict[str, float]:
    """The frequency of each mode by its coordinate. For coordinates that are displacements of nodes, the highest one of
    their body."""
    frequencies = dict[str, float]()
    for body in compiled.about.elements:
        if body.flexible is not None:
            by_name = {mode.name: mode.frequency for mode in body.flexible.modes}
            highest = max(by_name.values(), default=0.0)
            frequencies |= {name: by_name.get(name, highest) for name in body.flexible.coordinates}
    return frequencies


def limiting_mode(compiled: CompiledSystem, method: str, t: float, x: Array, step: float) -> LimitingMode | None:
    """The mode of a flexible body that limits steps of this size; None where none does, or where another motion has
    a shorter stable step. The motion that limits a step belongs to modes if more than half of it is theirs: of the
    participation factors |vᵢ wᵢ| of all states in its eigenvectors, which do not depend on units. In its kinetic energy
    modes may have the larger share where a law of an input causes the motion and modes only follow."""
    from scipy.linalg import eig

    modes = _frequencies(compiled)
    if not modes or method not in TABLEAUS:
        return None
    with np.errstate(all="ignore"):
        J = state_jacobian(compiled, t, x)
        if J is None:
            return None
        values, left, right = eig(J, left=True, right=True)
        fastest = int(np.argmax(np.abs(values)))
        rate, share = complex(values[fastest]), np.abs(left[:, fastest] * right[:, fastest])
        if rate == 0 or rate.real > NEAR * abs(rate):
            return None
        longest = TABLEAUS[method].stability_limit(rate)
        if abs(step) < NEAR * longest:
            return None
        shares = dict.fromkeys(modes, 0.0)
        for state, part in zip(compiled.about.state, share.tolist(), strict=True):
            name = U.strip(Q.strip(state))
            if name in shares and name != state:
                shares[name] += part
        if not sum(shares.values()) > 0.5 * share.sum():
            return None
    name = max(shares, key=lambda name: shares[name])
    return LimitingMode(name, modes[name], rate, longest)


def contraction(compiled: CompiledSystem, method: str, t: float, x: Array, step: float) -> float:
    """By how much Newton's iteration in the stages of a step of this size multiplies errors: the largest eigenvalue of
    1 − (1 − G K)⁻¹ (1 − G J) with the Jacobian J and its part K that joints contribute; 0 for other methods, and where
    J is not known."""
    if method != ESDIRK54.name or (J := state_jacobian(compiled, t, x)) is None:
        return 0.0
    stages, one = compiled.system.stages_of(method).value, np.eye(len(x))
    entries = np.asarray(compiled.function(stages.entries)(t=t, x=x, inputs=compiled.part(stages.entries)))
    settings = np.array([ESDIRK54.gamma * step, 0.0])
    factor = np.asarray(compiled.free(stages.factor, "llvm", False)(entries, settings))
    solved = np.asarray(
        compiled.free(stages.solve, "llvm", False)(entries, settings, factor, (one - settings[0] * J).T)
    )
    return float(np.abs(np.linalg.eigvals(one - solved.T)).max()) if np.isfinite(solved).all() else 0.0
