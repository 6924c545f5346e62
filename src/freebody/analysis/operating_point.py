"""Operating points from values by name: everything that ẋ depends on."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from freebody.analysis.equilibrium import Equilibrium
from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.errors import AnalysisWarning, ArgumentError, warn
from freebody.formulations.derivation import Derivation
from freebody.names import Q, U, Z
from freebody.results.about import About
from freebody.run.arguments import by_name, number
from freebody.run.bodies import body_infos
from freebody.run.initial import InitialValues, default_state, full_names, initial_state, state_keys, warn_of_degrees
from freebody.run.inputs import parameter_values
from freebody.scalar.node import Node
from freebody.tables import listed

Numbers = Mapping[str, float]


def point_of_state(
    s: StateEquations,
    defaults: Numbers,
    state: Mapping[str, InitialValues],
    inputs: Mapping[str, Any],
    parameters: Numbers | None,
    t: Any,
    forces: Mapping[str, Any] | None = None,
) -> OperatingPoint:
    """The point of a state (values of q, u and z), inputs, parameters, time and generalised forces. Parameters that are
    not passed have their default, states and held values their initial value; inputs and forces are 0."""
    e, values = s.e, parameter_values(s.e, defaults, parameters)
    warn_of_samples(e)
    about = About(s.name, "", body_infos(e, values), (), state_keys(e), s.quaternions)
    negative = next((body for body in about.elements if parameters and body.mass < 0), None)
    if negative is not None:
        raise ArgumentError(
            f"system '{s.name}': with these parameters the mass of '{negative.name}' is {negative.mass:g}; it cannot be"
            " negative"
        )
    x, n, m = initial_state(about, default_state(e), **state), len(s.layout.q), len(s.layout.u)
    warn_of_degrees(e, about, state.get("q"))
    values_of_inputs = {**dict(zip(s.layout.inputs, s.layout.default_inputs, strict=True)), **inputs}
    w = np.array([number(values_of_inputs[name], f"input '{name}'") for name in s.layout.inputs])
    tau = np.array([number((forces or {}).get(name, 0.0), name) for name in s.forces])
    row = np.array(list(values.values()))
    multipliers = np.zeros(len(s.groups["multipliers"]))
    return OperatingPoint(row, number(t, "t"), x[:n], x[n : n + m], x[n + m :], w, tau, multipliers)


def warn_of_samples(e: Derivation) -> None:
    """Warn that an analysis is of the open loop, where sampled elements write inputs or hold values."""
    model = e.tree.model
    if not model.sampled:
        return
    written = [f"'{name}' (by '{element.name}' in runs)" for name, element in model.controlled.items()]
    inputs = f"inputs that they write are inputs like others here: {listed(written, 3)}" if written else ""
    warn(
        f"{model.name}: sampled elements take no part in an analysis, which is of the open loop: "
        + "; ".join(filter(None, (inputs, "what they hold keeps its initial value"))),
        AnalysisWarning,
    )


def operating_point(s: StateEquations, defaults: Numbers, at: Any, parameters: Numbers | None) -> OperatingPoint:
    """The point ``at`` an equilibrium, with its parameters where no others are passed, or at values by name: q.…, u.…,
    extra states, inputs, tau.…, parameters, t."""
    if isinstance(at, Equilibrium):
        values = parameter_values(s.e, at.parameters, parameters)
        return replace(at.point, parameters=np.array(list(values.values())))
    if at is not None and not isinstance(at, Mapping):
        raise ArgumentError(f"at must be an equilibrium or values by name, {{'q.arm': 0.3}}, not {at!r}")
    names = {"z": s.layout.z, "inputs": s.layout.inputs, "t": ["t"], "tau": s.forces, "parameters": s.layout.parameters}
    group_of = {name: group for group, known in names.items() for name in known}
    groups: dict[str, dict[str, Any]] = {group: {} for group in ("q", "u", *names)}
    groups["parameters"] = by_name(parameters, "parameters", "{'m': 2.0}")
    for name, value in by_name(at, "at", "{'q.arm': 0.3}").items():
        prefix = next((group for group in (Q, U, Z) if group.holds(name)), None)
        if prefix is not None:
            groups[prefix.letter][prefix.strip(name)] = value
        elif name in group_of:
            groups[group_of[name]][name] = value
        else:
            known = [*s.keys, *s.layout.inputs, *s.layout.parameters, "t"]
            raise ArgumentError(
                f"system '{s.name}': at contains '{name}'{full_names(name, known)}; its names must be"
                f" some of {', '.join(known)}"
            )
    state, t = {group: groups[group] for group in "quz"}, groups["t"].get("t", 0.0)
    return point_of_state(s, defaults, state, groups["inputs"], groups["parameters"], t, groups["tau"])


def states_set(s: StateEquations, at: Any) -> list[int]:
    """The indices in x of the states that ``at`` sets by name."""
    return [] if isinstance(at, Equilibrium) else [s.keys.index(name) for name in _names_set(s.keys, at)]


def _names_set(names: Iterable[str], at: Mapping[str, Any] | None) -> list[str]:
    """Those of the names that ``at`` sets; a body's name sets all of its coordinates or speeds."""
    keys = [Z.strip(str(key)) for key in at or {}]
    return [n for n in names if n in keys or any(n.startswith(f"{key}.") for key in keys)]


def fixed_symbols(s: StateEquations, at: Any, point: OperatingPoint) -> dict[Node, Node]:
    """The nodes of the numbers that ``at`` sets, by symbol: an equilibrium sets the state, inputs and forces.
    Generalised forces that are not set are 0."""
    groups = (s.layout.inputs, "inputs"), (s.forces, "tau"), (s.layout.parameters, "parameters"), (["t"], "t")
    symbols = dict(zip(s.keys, s.x, strict=True))
    for names, group in groups:
        symbols |= dict(zip(names, s.groups[group], strict=True))
    numbers = np.concatenate([point.x, point.inputs, point.tau, point.parameters, np.atleast_1d(point.t)])
    values = dict(zip(symbols, numbers.tolist(), strict=True))
    if isinstance(at, Equilibrium):
        fixed = [*s.keys, *s.layout.inputs, *s.forces]
    else:
        fixed = _names_set(symbols, at)
    zero = dict.fromkeys(s.groups["tau"], s.graph.zero)
    # integers stay exact, so that terms times 0 and 1 vanish
    exact = {n: int(values[n]) if values[n].is_integer() else values[n] for n in fixed}
    return zero | {symbols[n]: s.graph.const(value) for n, value in exact.items()}
