"""From equations, parameter values, inputs and events to the hybrid system of a run, and its compiled form."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import Any, cast

import numpy as np

from freebody.formulations.derivation import Derivation
from freebody.formulations.memo import key_of
from freebody.hybrid.system import Dae, Deferred, HybridSystem, OnDemand
from freebody.hybrid.updates import Rule
from freebody.hybrid.variables import Variable, VariableRow
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.esdirk import ESDIRK54
from freebody.integrate.mechanics import MassProgram, MechanicsPrograms
from freebody.integrate.rosenbrock import RODAS5P
from freebody.model.sampled import Sampled
from freebody.program.program import Program
from freebody.results import About
from freebody.results.limits import Limits
from freebody.run.bodies import body_infos, constraint_infos
from freebody.run.contact_checks import contact_depths
from freebody.run.event import Event
from freebody.run.event_rules import compile_events
from freebody.run.initial import state_keys
from freebody.run.inputs import InputRate, InputValues, RunScope, all_inputs, describe, laws_of_rates, named_inputs
from freebody.run.large_slopes import bendings
from freebody.run.programs import RunPrograms, neglected_terms
from freebody.run.python_controllers import (
    PythonControllers,
    controller_rules,
    named_controllers,
    registers,
    with_functions,
)
from freebody.run.recursive_stages import recursive_stages
from freebody.run.sampled_rules import sampled_rules, writer
from freebody.run.stage_system import stage_system, why_too_costly
from freebody.run.step_system import step_system
from freebody.tree.tree import quaternions

STAGES = {RODAS5P.name: stage_system, ESDIRK54.name: recursive_stages}
"""The linear systems of the stages of implicit methods."""


def build(
    e: Derivation,
    values: Mapping[str, float],
    inputs: InputValues = None,
    events: Sequence[Event] | Event = (),
    exact: bool = False,
    held: Mapping[str, float] | None = None,
    projects: bool = True,
    dae: bool = False,
    controllers: Any = None,
) -> CompiledSystem:
    """The compiled system of equations for parameter values, driven inputs and events; ``exact`` adds the Jacobian;
    ``held`` are held values at the start, by default those of the model; ``projects``: states are projected to the
    constraints; ``dae`` adds the equations for IDA; ``controllers`` are Python controllers by name. What does not
    depend on numbers is stored with the equations: a second call with other numbers derives and compiles nothing."""
    python = named_controllers(e, controllers, named_inputs(e, inputs)) if controllers else {}
    writers = {name: one for one in python.values() for name in one.written}
    own, given = {**e.layout.held, **registers(python)}, held or {}
    driven = {**all_inputs(e, inputs, writers), **own}
    changing = {*own, *writers, *e.tree.model.controlled}
    driven |= {name: value for name, value in given.items() if name in changing}
    listed = cast(list[Event], events if isinstance(events, list | tuple) else [events])
    key: Hashable | None = None  # where something cannot be compared
    if all(isinstance(event, Event) for event in listed):
        laws = {n: None if isinstance(v, Real) else v for n, v in driven.items()}
        called = {name: {**one.__getstate__(), "function": None} for name, one in python.items()}
        key = key_of(laws, [vars(o) for o in listed], exact, projects, dae, called)
    d = np.array([float(v) if isinstance(v, Real) else 0.0 for v in driven.values()])
    stored = e.memo.get(key, dict[str, CompiledSystem])
    last = stored.get("last")
    if last is None or last.parameters != values or not np.array_equal(last.d, d):
        system = hybrid_system(e, driven, listed, exact, projects, dae, python) if last is None else last.system
        new = stored["last"] = CompiledSystem(system, about(e, system, values, driven, writers), values, d, last)
        new.d.flags.writeable = new.p.flags.writeable = False  # runs with the same numbers share it
        last = new
    return with_functions(last, python)


def about(
    e: Derivation,
    system: HybridSystem,
    values: Mapping[str, float],
    inputs: Mapping[str, Any],
    writers: Mapping[str, Sampled],
) -> About:
    """What results know of a system with these parameter values and inputs, some of which sampled elements write."""
    described = {n: describe(v) for n, v in inputs.items() if n in e.layout.user_inputs}
    described |= {name: writer(element) for name, element in {**e.tree.model.controlled, **writers}.items()}
    return About(
        system.name,
        e.tree.model.digest,
        body_infos(e, values),
        system.variables,
        system.states.columns,
        system.quaternions,
        dict(values),
        described,
        e.memo.get("constraints", lambda: constraint_infos(e)),
    )


def hybrid_system(
    e: Derivation,
    inputs: Mapping[str, Any],
    events: Sequence[Event],
    exact: bool,
    projects: bool,
    dae: bool,
    controllers: PythonControllers,
) -> HybridSystem:
    """What runs that differ only in numbers share: the programs and rules of equations with inputs and events. Programs
    are derived when they are first needed."""
    written = [name for one in controllers.values() for name in one.written]
    run, model = run_programs(e, inputs, written), e.tree.model
    limits = e.memo.get("limits", lambda: _limits(e))
    constrained, switching = bool(model.constraints), Deferred(run.switching)
    timed = Deferred(run.timed)
    variables = run.variables()
    states = VariableRow(variables[: len(state_keys(e))])
    added, own = registers(controllers), {v.name: v for v in variables if v.group == "input"}
    held = (*run.held_variables, *(Variable("held", name, steps=True) for name in added))
    mechanics = MechanicsPrograms(
        mass=Deferred(lambda: _mass(e)),
        bodies=Deferred(run.bodies),
        balance=Deferred(run.balance),
        neglects=neglected_terms(e),
        constraint=Deferred(lambda: e.programs["constraint"] if constrained else None),
        drift=Deferred(lambda: run.drift() if constrained else None),
        solution=Deferred(lambda: run.solution() if constrained and (exact or dae) else None),
        left_out=Deferred(lambda: run.left_out() if constrained else None),
        position_rows=Deferred(lambda: list(run.position_rows)),
        stabilised=e.formulation.stabilisation is not None,
        timed=timed,
        moving_inputs=Deferred(run.moving_inputs),
        momenta=Deferred(lambda: None if timed.value is None else run.momenta()),
        followers=Deferred(lambda: run.followers(limits.followers) if limits.followers else None),
        limits=limits,
        bendings=bendings(e),
        contacts=Deferred(lambda: contact_depths(run)),
    )
    conditions, rules = None, tuple[Rule, ...]()
    if events or model.point_contacts:
        conditions, rules = compile_events(run, events, switching, mechanics)
    return HybridSystem(
        model.name,
        tuple(model.parameters),
        VariableRow((*(own[n] for n in e.layout.user_inputs), *(v for v in held if v.group != "input"))),
        VariableRow(held),
        states,
        quaternions(e.tree),
        # the derivation whose ẋ is cheapest to evaluate may be another one
        rates=Deferred(lambda: (run if e.fastest is e else run_programs(e.fastest, inputs, written)).state_dot()),
        record=Deferred(lambda: run.with_called_values().record()),
        variables=variables,
        slots=tuple((slot.key, len(slot.columns)) for slot, _ in run.slots),
        conditions=conditions,
        rules=(*rules, *sampled_rules(run), *controller_rules(run, controllers, [*e.layout.inputs, *added])),
        project=Deferred(lambda: _project(e, run, inputs, written) if constrained else None),
        projects=projects,
        consistent=all(link.body.placement.exact for link in e.tree.links),
        jacobian=Deferred(lambda: run.jacobian() if exact else None),
        dae=Deferred(lambda: _dae(run) if dae else None),
        stages={method: OnDemand(partial(derive, run)) for method, derive in STAGES.items()},
        too_costly=Deferred(partial(why_too_costly, run)),
        contact_steps=OnDemand(partial(step_system, run)),
        callbacks=tuple(run.scope.callbacks),
        called=tuple(run.scope.called_nodes(run.laws.values()).values()),
        mechanics=mechanics,
    )


def _project(e: Derivation, run: RunPrograms, inputs: Mapping[str, Any], written: Collection[str]) -> Program:
    """The projection to the constraints, with the laws of inputs that move joints."""
    if not e.tree.model.driving:
        return e.fastest.programs["project"]
    return (run if e.fastest is e else run_programs(e.fastest, inputs, written)).project()


def run_programs(e: Derivation, inputs: Mapping[str, Any], written: Collection[str] = ()) -> RunPrograms:
    """The programs of equations for inputs; those that are numbers stay arguments of the programs. ``written`` are
    inputs that Python controllers write."""
    scope = RunScope(e)
    given = {n: v for n, v in inputs.items() if not isinstance(v, Real | InputRate)}
    laws = {n: scope.node(v, f"input '{n}'") for n, v in given.items()}
    return RunPrograms(scope, laws, laws_of_rates(scope, inputs, laws), written=written)


def _dae(run: RunPrograms) -> Dae | None:
    program = run.dae()
    return None if program is None else Dae(program, run.dae_jacobian())


def _mass(e: Derivation) -> MassProgram:
    """The entries of M's lower triangle that are not zero; of rolled equations the forces."""
    if e.rolled:
        return MassProgram(e.programs["inverse_dynamics"])
    return MassProgram(e.programs.keep("inertia", _inertia), tuple(e.mass))


def _inertia(e: Derivation) -> Program:
    a = e.assembly("inertia")
    a.output("M", list(e.mass.values()))
    return a.program()


def _limits(e: Derivation) -> Limits:
    """The coordinates that have limits, states first, without those that have a stop."""
    indices = {n: k for k, n in enumerate(e.layout.q)}
    joints = [link.body.spec for link in e.tree.links]
    stopped = {stop.coordinate_name for stop in e.tree.model.joint_stops.values()}
    pairs = {n: r.joint.limits for r in joints if r.joint.limits is not None for n in r.names[0] if n not in stopped}
    names = sorted(pairs, key=lambda n: n not in indices)
    low, high = np.array([pairs[n] for n in names], float).reshape(-1, 2).T
    return Limits(tuple(names), low, high, np.array([indices[n] for n in names if n in indices], np.intp))
