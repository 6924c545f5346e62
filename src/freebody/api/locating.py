"""Points from what users say of them: everything that ẋ depends on, by name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.analysis.equilibrium import Equilibrium, RestEquations
from freebody.analysis.linearise import Linearisation
from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.errors import ArgumentError
from freebody.formulations.memo import key_of
from freebody.names import Q, U, Z
from freebody.results.about import About
from freebody.run.initial import Given, initial_state
from freebody.run.numbers import by_name, number
from freebody.run.planning import default_state, elements, named_inputs, parameters
from freebody.tree.forest import quaternions

if TYPE_CHECKING:
    from freebody.api.controlling import Controlled

Numbers = Mapping[str, float]


def near(eq: "Controlled", at: Any, given: Numbers | None) -> tuple[StateEquations, OperatingPoint]:
    """The field of equations, and a point."""
    field = StateEquations(eq.derivation)
    return field, located(eq, field, at, given)


def derivatives(eq: "Controlled", inputs: Any, outputs: Any, minimal: bool) -> Linearisation:
    """The derivatives of the field by its state and these inputs, kept with the equations."""

    def derive() -> Linearisation:
        field = StateEquations(eq.derivation)
        return Linearisation(field, field.inputs(inputs), field.outputs(outputs), minimal)

    return eq.derivation.memo.get(key_of("linearize", inputs, outputs, minimal), derive)


def at_rest(eq: "Controlled", hold: Any, free: Any) -> RestEquations:
    """The equations of rest, kept with the equations of motion."""

    def derive() -> RestEquations:
        return RestEquations(StateEquations(eq.derivation), hold, free)

    return eq.derivation.memo.get(key_of("rest", hold, free), derive)


def located(eq: "Controlled", field: StateEquations, at: Any, given: Numbers | None) -> OperatingPoint:
    """The point that a user says: an equilibrium, with its parameters unless others are given, or values by name."""
    if isinstance(at, Equilibrium):
        values = parameters(eq.derivation, at.parameters, given)
        return replace(at.point, parameters=np.array(list(values.values())))
    if at is not None and not isinstance(at, Mapping):
        raise ArgumentError(f"at is an equilibrium or values by name, {{'q.arm': 0.3}}, not {at!r}")
    return _sorted(eq, field, by_name(at, "at", "{'q.arm': 0.3}"), given)


def asked(
    eq: "Controlled", field: StateEquations, state: Mapping[str, Given], inputs: Any, given: Numbers | None, t: float
) -> OperatingPoint:
    """The point of a state and inputs."""
    return _point(eq, field, state, named_inputs(eq.derivation, inputs), given, number(t, "t"))


def _point(
    eq: "Controlled", field: StateEquations, state: Mapping[str, Given], inputs: Mapping[str, Any],
    given: Numbers | None, t: float, forces: Numbers | None = None,
) -> OperatingPoint:  # fmt: skip
    """Everything that ẋ depends on, from what a user says; inputs that are not said are 0."""
    e = eq.derivation
    values, layout = parameters(e, eq.values, given), e.layout
    keys = (*Q.all(layout.q), *U.all(layout.u), *Z.all(layout.z))
    about = About(e.forest.model.name, "", elements(e, values), (), keys, quaternions(e.forest))
    x = initial_state(about, default_state(e), **state)
    w = [number(inputs.get(n, 0.0), f"input '{n}'") for n in layout.inputs]
    tau = [number((forces or {}).get(n, 0.0), n) for n in field.forces]
    n, m = len(layout.q), len(layout.u)
    given_values = np.array(list(values.values()))
    return OperatingPoint(given_values, t, x[:n], x[n : n + m], x[n + m :], np.array(w), np.array(tau))


def _sorted(eq: "Controlled", field: StateEquations, at: Mapping[str, Any], given: Numbers | None) -> OperatingPoint:
    """Values by name: q.…, u.…, extra states, inputs, tau.…, parameters, t."""
    state: dict[str, dict[str, Any]] = {"q": {}, "u": {}, "z": {}}
    values = by_name(given, "parameters", "{'m': 2.0}")
    others: dict[str, dict[str, Any]] = {"inputs": {}, "parameters": values, "tau": {}, "t": {}}
    for name, value in at.items():
        group = next((g for g in (Q, U, Z) if g.holds(name)), None)
        if group is not None:
            state[group.letter][group.strip(name)] = value
        else:
            _place(field, name, state, others)[name] = value
    said = others["parameters"]
    return _point(eq, field, state, others["inputs"], said, number(others["t"].get("t", 0.0), "t"), others["tau"])


def _place(
    field: StateEquations, name: str, state: dict[str, dict[str, Any]], others: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    layout = field.layout
    known = {
        **dict.fromkeys(layout.z, state["z"]), **dict.fromkeys(layout.inputs, others["inputs"]), "t": others["t"],
        **dict.fromkeys(field.forces, others["tau"]), **dict.fromkeys(layout.parameters, others["parameters"]),
    }  # fmt: skip
    if name not in known:
        there = ", ".join([*field.keys, *layout.inputs, *layout.parameters, "t"])
        raise ArgumentError(f"system '{field.name}': at says '{name}', which is none of {there}")
    return known[name]


def said(field: StateEquations, at: Any, point: OperatingPoint) -> dict[int, int]:
    """The nodes of what a user has said of a point, by symbol; generalised forces that are not said are 0."""
    symbols, values = _symbols(field), dict[str, float]()
    every = np.concatenate([point.x, point.inputs, point.tau, point.parameters, np.atleast_1d(point.t)])
    for name, value in zip(symbols, every, strict=True):
        values[name] = float(value)
    if isinstance(at, Equilibrium):
        told = [*field.keys, *field.layout.inputs, *field.forces]
    else:
        spoken = [Z.strip(str(n)) for n in at or {}]
        told = [n for n in symbols if n in spoken or any(n.startswith(f"{body}.") for body in spoken)]
    quiet = dict.fromkeys(field.groups["tau"], field.graph.zero)
    return quiet | {symbols[n]: field.graph.const(_whole(values[n])) for n in told}


def _symbols(field: StateEquations) -> dict[str, int]:
    """Every symbol by the name a user says: the state's, inputs, generalised forces, parameters, t."""
    found = dict(zip(field.keys, field.x, strict=True))
    for group, names in (
        ("inputs", field.layout.inputs),
        ("tau", field.forces),
        ("parameters", field.layout.parameters),
    ):
        found |= dict(zip(names, field.groups[group], strict=True))
    return found | {"t": field.groups["t"][0]}


def _whole(value: float) -> float | int:
    """Whole numbers stay exact: terms times 0 and 1 then vanish."""
    return int(value) if value.is_integer() else value
