"""Python controllers of a run: their checks, and their rules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import LOCATED, ArgumentError, located
from freebody.formulations.derivation import Derivation
from freebody.hybrid.triggers import Every
from freebody.hybrid.updates import FunctionUpdate, ProgramUpdate, Rule, Update
from freebody.integrate.compiled_system import CompiledSystem
from freebody.model.element import normal_form
from freebody.model.kinds import ARGUMENT
from freebody.model.sampled.base import SampledProgram, delayed_programs
from freebody.model.sampled.python_controller import ALL, PythonController
from freebody.names import companions
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.run.arguments import by_name, require_names, shorten
from freebody.run.initial import state_keys
from freebody.run.inputs import XYZ
from freebody.run.programs import RunPrograms
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind

Array = NDArray[np.float64]
PythonControllers = Mapping[str, PythonController]


def named_controllers(e: Derivation, controllers: Any, driven: Mapping[str, Any]) -> dict[str, PythonController]:
    """Controllers by name, checked, with the names of the inputs that they write; ``driven`` are inputs with values."""
    model, found = e.tree.model, dict[str, PythonController]()
    example = "{'arm': fb.PythonController(function, period=1e-3, reads=['q.arm'])}"
    given = by_name(controllers, "controllers", example)
    for name, one in given.items():
        if not isinstance(one, PythonController):
            raise ArgumentError(
                f"controllers: '{name}' must be an fb.PythonController(…), not {shorten(one)}: {example}"
            )
        if name in model.sampled:
            raise ArgumentError(f"controllers: system '{model.name}' has a '{name}' already; choose another name")
        try:
            found[name] = normal_form(replace(one, name=name), ARGUMENT, late=False)
        except LOCATED as error:
            raise located(error, "controllers", name) from None
    writers = {n: f"{one.kind} '{one.name}' of the model" for n, one in model.controlled.items()}
    moved = {n for name in model.driving for n in (name, *companions(name))}
    for name, one in found.items():
        if one.written != (ALL,):
            require_names(e.layout.user_inputs, dict.fromkeys(one.written), "input", f"controller '{name}': writes")
            for n in one.written:
                if n in moved:
                    raise ArgumentError(
                        f"controller '{name}' writes input '{n}', which has rates: these would not fit values that"
                        " change at samples. Write the signal of a filter, s.filter('smooth', 'command', frequency=5)"
                    )
                if n in driven or n in writers:
                    other = writers.get(n, f"inputs={{'{n}': …}}")
                    raise ArgumentError(f"controller '{name}' writes input '{n}', which {other} drives too; keep one")
                writers[n] = f"controller '{name}'"
    for name, one in found.items():
        if one.written == (ALL,):
            free = [n for n in e.layout.user_inputs if n not in writers and n not in driven and n not in moved]
            found[name] = one = replace(one, writes=tuple(free))
            writers |= dict.fromkeys(free, f"controller '{name}'")
        unknown = [n for n in dict(one.initial) if n not in one.written]
        if unknown:
            raise ArgumentError(f"controller '{name}': initial names '{unknown[0]}', which it does not write")
    return found


class OfRow:
    """Inputs and held values as symbols of a graph of their own."""

    def __init__(self, row: Sequence[str]) -> None:
        self.graph, self.row = Graph(), row

    def symbol(self, name: str) -> Expr:
        return Expr(self.graph, self.graph.symbol(name, Kind.INPUT))

    def program(self, of: SampledProgram, parameters: Sequence[str], states: Sequence[str]) -> Program:
        """The new values in one row."""
        g = self.graph
        groups = {
            "parameters": [g.symbol(n, Kind.PARAMETER) for n in parameters],
            "t": [g.symbol("t", Kind.TIME)],
            "x": [g.symbol(n, Kind.STATE) for n in states],
            "inputs": [self.symbol(n).handle for n in self.row],
        }
        a = Assembly(of.name, g, groups)
        a.output("after", [value.handle for value in of.values.values()])
        return a.program()


def controller_rules(run: RunPrograms, controllers: PythonControllers, row: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of Python controllers; ``row`` are the names of all inputs and held values, theirs too."""
    states, parameters, rules = state_keys(run.e), list(run.e.tree.model.parameters), list[Rule]()
    places = {name: len(states) + k for k, name in enumerate(row)}
    for name, controller in controllers.items():
        names = [v.name for v in controller.own_values] or list(controller.written)
        call = FunctionUpdate(title(name), reads_of(run, controller), not_called, tuple(places[n] for n in names))
        view = OfRow(row)
        programs = delayed_programs(controller, controller.samples(view), view) if controller.registers else []
        updates = [
            ProgramUpdate(view.program(one, parameters, states), tuple(places[n] for n in one.values))
            for one in programs
        ]
        every = Every(controller.seconds, controller.first)
        rules.append(Rule(name, every, (call, *updates[:1])))
        for one, update in zip(programs[1:], updates[1:], strict=True):
            rules.append(Rule(one.name, Every(one.period, one.offset), (update,)))
    return tuple(rules)


def with_functions(compiled: CompiledSystem, controllers: PythonControllers) -> CompiledSystem:
    """The system for one run, with the functions of its controllers; a class becomes an object of its own."""
    if not controllers:
        return compiled
    functions = dict[str, Any]()
    for name, one in controllers.items():
        function: Any = one.function
        functions[title(name)] = function() if isinstance(function, type) else function

    def own(update: Update) -> Update:
        return replace(update, function=functions[update.name]) if isinstance(update, FunctionUpdate) else update

    rules = tuple(replace(rule, updates=tuple(map(own, rule.updates))) for rule in compiled.system.rules)
    return compiled.with_system(replace(compiled.system, rules=rules))


def title(name: str) -> str:
    """A controller in the texts of errors."""
    return f"controller '{name}'"


def not_called(t: float, y: Array) -> float:
    """Stands for the function of a controller in what many runs share; ``with_functions`` puts that of a run there."""
    raise AssertionError("a run has the functions of its own controllers")


def registers(controllers: PythonControllers) -> dict[str, float]:
    """The initial values of what the controllers hold, by name."""
    return {name: value for one in controllers.values() for name, value in one.held.items()}


def require_no_functions(controllers: Any, context: str) -> None:
    """Refuse Python controllers where one function would serve several runs."""
    if controllers:
        raise ArgumentError(
            f"{context}: Python controllers may have a memory, which the cases would share: describe the controller in"
            " the model, s.controller(…), or call simulate for each case"
        )


def reads_of(run: RunPrograms, controller: PythonController) -> Program:
    """The values that a controller reads."""
    vectors = {name for name, parts in run.e.outputs.items() if len(parts) > 1}
    reads = [controller.reads] if isinstance(controller.reads, str | Expr) else list(controller.reads)
    every = list[Any]()
    for one in reads:
        every += [f"{one}.{c}" for c in XYZ] if isinstance(one, str) and one in vectors else [one]
    context = f"controller '{controller.name}'"
    return run.values(controller.name, [run.scope.node(one, context, accelerations=True) for one in every])
