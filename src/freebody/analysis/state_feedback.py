"""Linear state feedback as laws of inputs: w = w₀ − K ξ, with the minimal states ξ written in coordinates and speeds.

Displacements are ξ = N⁺ (q − q₀) at the point of the linearisation. Those of a quaternion p are the rotation vector
from p₀ to p in the child's axes, 2 log(p₀* p), which is N⁺ (p − p₀) to first order and grows with the angle up to 180°.
A quaternion and its negative give the same law.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError
from freebody.names import TAU
from freebody.run.arguments import by_name, is_number, number, numbers
from freebody.tables import listed

Array = NDArray[np.float64]
ZERO = ("0.0", "-0.0")
PRODUCT = ("+0 +1 +2 +3", "-1 +0 +3 -2", "-2 -3 +0 +1", "-3 +2 -1 +0")
"""The components of p₀* p: of each the signs and the indices of p₀ that multiply p_w, p_x, p_y, p_z."""


@dataclass(frozen=True)
class StateDisplacements:
    """How the displacements among the states of a linear system follow from coordinates: ``inverse`` is N⁺ at the
    point, a row for each state (zero for speeds and extra states); quaternions begin at the indices ``quaternions``."""

    coordinates: tuple[str, ...]
    inverse: Array
    quaternions: tuple[int, ...]

    def rows(self, chosen: Sequence[int]) -> "StateDisplacements":
        """Those of some of the states."""
        return StateDisplacements(self.coordinates, self.inverse[list(chosen)], self.quaternions)


def gain_matrix(K: ArrayLike, inputs: Sequence[str], states: Sequence[str]) -> Array:
    """K as an array, inputs × states; a row is one of a single input."""
    array = numbers(K, "K")
    if array.ndim == 1 and len(inputs) == 1:
        array = array[None, :]
    if array.shape != (len(inputs), len(states)):
        raise ArgumentError(
            f"K has shape {array.shape}, and this linear system needs {(len(inputs), len(states))}: a row for each"
            f" input ({listed(inputs, 6)}), a column for each state ({listed(states, 12)})"
        )
    return array


def feedback_law(
    K: Array,
    inputs: Sequence[str],
    states: Sequence[str],
    at: Mapping[str, float],
    displacements: StateDisplacements,
    reference: Mapping[str, Any] | None,
) -> dict[str, str]:
    """w = w₀ − K ξ as texts by input. ``reference`` has texts or numbers that replace values of the point."""
    forces = [name for name in inputs if TAU.holds(name)]
    if forces:
        speed = TAU.strip(forces[0])
        raise ArgumentError(
            f"'{forces[0]}' is a generalised force, which has no law in a run: give the system an input there,"
            f" s.joint_force('{speed}', s.input('motor')), and linearise with inputs=['motor']"
        )
    point: dict[str, str] = {name: repr(value) for name, value in at.items()}
    known = {*displacements.coordinates, *(n for n in states if n in at), *inputs}
    for name, value in by_name(reference, "reference", "{'q.arm': '0.2*sin(t)'}").items():
        if name not in known:
            along = " (a displacement along a speed follows from coordinates: name these)" if "along." in name else ""
            raise ArgumentError(
                f"reference: '{name}' is neither a coordinate, a state nor an input here{along}; choose from"
                f" {listed(sorted(known), 20)}"
            )
        point[name] = repr(number(value, f"reference of '{name}'")) if is_number(value) else f"({value})"
    _require_whole_quaternions(displacements, reference or {})
    return {name: _law(K[k], name, states, at, point, displacements) for k, name in enumerate(inputs)}


def _require_whole_quaternions(d: StateDisplacements, reference: Mapping[str, Any]) -> None:
    for k in d.quaternions:
        parts = d.coordinates[k : k + 4]
        there = [name for name in parts if name in reference]
        if there and len(there) < 4:
            raise ArgumentError(
                f"reference: '{there[0]}' is part of a quaternion; give all of {', '.join(parts)}, of unit length"
            )


def _law(
    gains: Array,
    name: str,
    states: Sequence[str],
    at: Mapping[str, float],
    point: Mapping[str, str],
    d: StateDisplacements,
) -> str:
    """w₀ − Σ K ξ."""
    terms, of_coordinates = ["" if point[name] in ZERO else point[name]], gains @ d.inverse
    for k in d.quaternions:
        part = of_coordinates[k : k + 4].copy()
        of_coordinates[k : k + 4] = 0.0
        if part.any():
            names = d.coordinates[k : k + 4]
            p0 = np.array([at[name] for name in names])
            terms.append(_rotation(names, part, p0, point))
    pairs: list[tuple[float, str]] = [(x, d.coordinates[j]) for j, x in enumerate(of_coordinates)]
    pairs += [(gains[i], name) for i, name in enumerate(states) if not d.inverse[i].any()]
    terms += [_term(x, _difference(name, point[name])) for x, name in pairs if x]
    return "".join(terms).removeprefix(" + ").strip() or "0"


def _rotation(names: Sequence[str], part: Array, p0: Array, point: Mapping[str, str]) -> str:
    """−Σ c_a θ_a of the rotation vector θ from a reference to p. ``part`` are the gains of p's components at p₀, the
    linearisation's: c through the rows 2 (p₀ e_a)ᵀ of N⁺."""
    w, x, y, z = (_component(names, point, k) for k in range(4))
    columns = np.array([[float(f"{s[0]}1") * p0[int(s[1])] for s in row.split()] for row in PRODUCT[1:]])
    c = part @ columns.T / 2
    sine = f"sqrt(max(1 - ({w})**2, 1e-30))"
    factor = f"(1 if {w} >= 0 else -1)*2*atan2({sine}, abs({w}))/{sine}"
    inner = "".join(_term(-value, f"({v})") for value, v in zip(c, (x, y, z), strict=True) if value)
    return f" - {factor}*({inner.lstrip(' +')})"


def _component(names: Sequence[str], point: Mapping[str, str], k: int) -> str:
    """A component of p₀* p."""
    text = ""
    for sign, name in zip(PRODUCT[k].split(), names, strict=True):
        start = point[names[int(sign[1])]]
        if start not in ZERO:
            text += f" {sign[0]} {name}" if start == "1.0" else f" {sign[0]} {start}*{name}"
    return text.removeprefix(" + ").strip()


def _difference(name: str, start: str) -> str:
    return name if start in ZERO else f"({name} - {start})"


def _term(gain: float, factor: str) -> str:
    return f" - {float(gain)!r}*{factor}" if gain > 0 else f" + {-float(gain)!r}*{factor}"
