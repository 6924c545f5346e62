"""The plan of a run: from equations, parameter values, inputs and events to the plant that is integrated."""

from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import Any, cast

import numpy as np

from freebody.formulations.derivation import Derivation
from freebody.formulations.memo import key_of
from freebody.integrate.plant import Event, Limits, Plant, Programs, SharedCode
from freebody.program.program import Program
from freebody.results import About
from freebody.run.bodies import body_infos, constraint_infos
from freebody.run.events import compile_events
from freebody.run.initial import state_keys
from freebody.run.inputs import InputValues, RunScope, all_inputs, describe
from freebody.run.large_slopes import bendings
from freebody.run.programs import RunPrograms
from freebody.tree.forest import quaternions


def plan(
    e: Derivation, values: Mapping[str, float], inputs: InputValues = None, events: Sequence[Event] | Event = (),
    exact: bool = False, switches: Mapping[str, float] | None = None, projects: bool = True,
    dae: bool = False,
) -> Plant:  # fmt: skip
    """The plant of equations for parameter values, driven inputs and events; ``exact`` adds the Jacobian; ``switches``
    are the flags and captured poses at the start, by default those of the model; ``projects``: states are projected to
    the constraints; ``dae`` adds the equations for IDA. What does not depend on numbers is stored with the equations: a
    second call with other numbers derives and compiles nothing."""
    driven = {**all_inputs(e, inputs), **(e.layout.switches if switches is None else switches)}
    listed = cast(list[Event], events if isinstance(events, list | tuple) else [events])
    key: Hashable | None = None  # where something cannot be compared
    if all(isinstance(event, Event) for event in listed):
        laws = {n: None if isinstance(v, Real) else v for n, v in driven.items()}
        key = key_of(laws, [vars(o) for o in listed], exact, projects, dae)
    return e.memo.get(key, lambda: Plan(e, driven, listed, exact, projects, dae)).plant(values, driven)


class Plan:
    """What runs that differ only in numbers share: programs, compiled code, facts about the system."""

    def __init__(
        self, e: Derivation, inputs: Mapping[str, Any], events: Sequence[Event], exact: bool, projects: bool,
        dae: bool,
    ) -> None:  # fmt: skip
        self.e, model, rolled, self.projects = e, e.forest.model, e.rolled, projects
        run = run_programs(e, inputs)
        self.limits = limits = e.memo.get("limits", lambda: _limits(e))
        self.programs = Programs({
            # the derivation whose ẋ is cheapest to evaluate may be another one
            "state_dot": lambda: (run if e.fastest is e else run_programs(e.fastest, inputs)).state_dot(),
            "record": lambda: run.with_called_values().record(), "bodies": run.bodies, "balance": run.balance,
            "jacobian": lambda: run.jacobian() if exact else None,
            "mass_matrix": lambda: e.programs["inverse_dynamics"] if rolled else e.programs.keep("inertia", _inertia),
            "mass_entries": lambda: () if rolled else tuple(e.mass),
            "project": lambda: e.fastest.programs["project"] if model.constraints else None,
            "constraint": lambda: e.programs["constraint"] if model.constraints else None,
            "drift": lambda: run.drift() if model.constraints else None,
            "left_out": lambda: run.left_out() if model.constraints else None,
            "solution": lambda: run.solution() if model.constraints and (exact or dae) else None,
            "dae": lambda: run.dae() if dae else None, "dae_jacobian": lambda: run.dae_jacobian() if dae else None,
            "position_rows": lambda: run.position_rows, "stabilised": lambda: e.formulation.stabilisation is not None,
            "timed": run.timed, "momenta": lambda: run.momenta() if self.programs["timed"] is not None else None,
            "switching": lambda: run.switching() if model.switches else None,
            "followers": lambda: run.followers(limits.followers) if limits.followers else None,
        })  # fmt: skip
        self.slots = tuple((slot.key, len(slot.columns)) for slot, _ in run.slots)
        self.watch = compile_events(run, events) if events else None
        self.callbacks, self.code = tuple(run.scope.callbacks), SharedCode()
        self.called = tuple(run.scope.called_nodes(run.laws.values()).values())
        nodes = (link.body.placement.undeformed for link in e.forest.links)
        self.consistent = all(place is None for place in nodes)  # nodes of order "ruthless" move, but not in G
        self.bendings = bendings(e)
        self._last: Plant | None = None
        self.about = About(
            model.name, model.digest, (), run.variables(), state_keys(e), quaternions(e.forest),
            constraints=constraint_infos(e),
        )  # fmt: skip

    def plant(self, values: Mapping[str, float], inputs: Mapping[str, Any]) -> Plant:
        """The plant for these numbers; that of the last call if they are the same."""
        numbers = np.array([float(v) if isinstance(v, Real) else 0.0 for v in inputs.values()])
        last = self._last
        if last is not None and last.parameters == values and np.array_equal(last.inputs, numbers):
            return last
        own, same = self.e.layout.own_inputs, self.about
        driven = {n: describe(v) for n, v in inputs.items() if n in own}
        about = About(
            same.system, same.digest, body_infos(self.e, values), same.variables, same.state, same.quaternions,
            dict(values), driven, same.constraints,
        )  # fmt: skip
        plant = Plant(
            about, self.programs, dict(values), numbers, self.slots, self.watch, self.callbacks, self.limits,
            tuple(self.e.layout.switches), self.projects, self.consistent, self.called, self.bendings,
        )  # fmt: skip
        self._last = plant.with_code(self.code)
        return plant


def run_programs(e: Derivation, inputs: Mapping[str, Any]) -> RunPrograms:
    """The programs of equations for inputs; those that are numbers stay arguments of the programs."""
    scope = RunScope(e)
    return RunPrograms(scope, {n: scope.node(v, f"input '{n}'") for n, v in inputs.items() if not isinstance(v, Real)})


def _inertia(e: Derivation) -> Program:
    """The entries of M's lower triangle that are not zero."""
    a = e.assembly("inertia")
    a.output("M", list(e.mass.values()))
    return a.program()


def _limits(e: Derivation) -> Limits:
    """The coordinates that have limits, states first."""
    indices = {n: k for k, n in enumerate(e.layout.q)}
    joints = [link.body.recipe for link in e.forest.links]
    pairs = {n: r.joint.limits for r in joints if r.joint.limits is not None for n in r.names[0]}
    names = sorted(pairs, key=lambda n: n not in indices)
    low, high = np.array([pairs[n] for n in names], float).reshape(-1, 2).T
    return Limits(tuple(names), low, high, np.array([indices[n] for n in names if n in indices], np.intp))
