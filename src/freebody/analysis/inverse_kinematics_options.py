"""Options of inverse kinematics for columns, the speeds along which coordinates change: limits, what is held, and what
attracts the posture."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, choices
from freebody.formulations.derivation import Derivation
from freebody.model.joints.base import scalar
from freebody.names import Q
from freebody.results.about import About
from freebody.run import arguments
from freebody.run.initial import states_named
from freebody.scalar.walk import values as numbers_of

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


def limit_ranges(e: Derivation, parameters: Mapping[str, float], limits: Any) -> dict[int, tuple[float, float]]:
    """The limits of coordinates, by index in q. Those of coupled joints are limits of the coordinate that they
    follow."""
    context, places = e.tree.model.name, {name: k for k, name in enumerate(e.layout.q)}
    own: Mapping[str, Any] = {}
    if isinstance(limits, Mapping):
        own, limits = limits, True
        for name in own:
            if name not in places:
                raise ArgumentError(f"{context}: limits: there is no coordinate '{name}'; {choices(list(places))}")
    elif not isinstance(limits, bool):
        raise ArgumentError(
            f"{context}: limits must be True, False or limits by name, {{'elbow': (0, 2)}}, not"
            f" {arguments.shorten(limits)}"
        )
    ranges = dict[int, tuple[float, float]]()

    def narrow(name: str, low: float, high: float) -> None:
        before = ranges.get(places[name], (-np.inf, np.inf))
        ranges[places[name]] = max(before[0], low), min(before[1], high)

    for link in e.tree.links if limits else ():
        spec = link.body.spec
        if spec.joint.limits is None:
            continue
        low, high = np.asarray(spec.joint.limits, float).tolist()
        if spec.coupling is not None:
            ratio, offset = _numbers(e, parameters, spec.coupling.ratio, spec.coupling.offset)
            leader = e.tree.model.bodies[spec.coupling.to].names[0][0]
            if leader in places and ratio:
                ends = sorted(((low - offset) / ratio, (high - offset) / ratio))
                narrow(leader, ends[0], ends[1])
            continue
        for name in spec.names[0]:
            if name in places:
                narrow(name, low, high)
    for name, pair in own.items():
        values = arguments.real(pair, f"{context}: limits of '{name}'")
        if values.shape != (2,) or not values[0] <= values[1]:
            raise ArgumentError(f"{context}: the limits of '{name}' are two numbers, low ≤ high, not {pair!r}")
        ranges[places[name]] = float(values[0]), float(values[1])
    return ranges


def _numbers(e: Derivation, parameters: Mapping[str, float], *expressions: Any) -> list[float]:
    g = e.graph
    symbols = {h: value for name, value in parameters.items() if (h := g.named(name)) is not None}
    return [float(x) for x in numbers_of(g, [scalar(g, x) for x in expressions], symbols)]


def held_columns(e: Derivation, about: About, columns: Sequence[int], index: Indices, hold: Any) -> list[int]:
    """The columns that stay, of coordinates and bodies by name."""
    q = {k for name in arguments.names(hold, "hold") for k in states_named(about, "q", Q.strip(name))}
    places, found = {n: k for k, n in enumerate(e.layout.q)}, list[int]()
    speeds, column = {n: k for k, n in enumerate(e.layout.u)}, {k: c for c, k in enumerate(columns)}
    for spec in e.tree.model.bodies.values():
        own = [column[speeds[n]] for n in spec.names[1] if n in speeds and speeds[n] in column]
        held = [places[n] for n in spec.names[0] if n in places and places[n] in q]
        mixed = [c for c in own if index[c] < 0]
        found += [c for c in own if index[c] in held]
        if held and mixed:
            if len(held) < len([n for n in spec.names[0] if n in places]):
                raise ArgumentError(
                    f"{e.tree.model.name}: hold: the speeds of '{spec.name}' are not the rates of its coordinates, so"
                    f" that it is held as a whole: hold='{spec.name}'"
                )
            found += mixed
    return found


def pulls(e: Derivation, about: About, index: Indices, posture: Any) -> Array:
    """Weights of the changes of columns from the guess."""
    context, weights = f"{e.tree.model.name}: posture", np.zeros(len(index))
    if posture is None:
        return weights
    if arguments.is_number(posture):
        weights[index >= 0] = arguments.number(posture, context)
    else:
        for name, weight in arguments.by_name(posture, "posture", "{'elbow': 0.01}").items():
            for k in states_named(about, "q", Q.strip(name)):
                columns = np.flatnonzero(index == k)
                if not len(columns):
                    raise ArgumentError(
                        f"{context}: '{name}' has no speed that is its rate (or is a mode, which stays); hold it by"
                        f" hold='{name}' instead"
                    )
                weights[columns] = arguments.number(weight, context)
    if (weights < 0).any():
        raise ArgumentError(f"{context}: weights are from 0 on, not {arguments.shorten(posture)}")
    return weights
