"""From events to rules of a hybrid system: their conditions, resets and switched constraints."""

from collections.abc import Sequence
from numbers import Real
from typing import Any

from freebody.errors import ArgumentError
from freebody.hybrid.system import Deferred
from freebody.hybrid.triggers import Crossing
from freebody.hybrid.updates import ProgramUpdate, Rule, Update
from freebody.integrate.mechanics import MechanicsPrograms
from freebody.model.accelerations import accelerations_in
from freebody.names import ENGAGED, Z
from freebody.program.program import Program
from freebody.run.arguments import boolean, is_number, names, number, require_names, shorten
from freebody.run.contact_events import contact_program, contact_rules
from freebody.run.event import Event
from freebody.run.initial import state_keys
from freebody.run.inputs import RunScope
from freebody.run.programs import RunPrograms
from freebody.run.switching import Engage, SwitchProgram, require_switchable
from freebody.scalar.node import Node
from freebody.scalar.ops import EQ, LE, LT, NE


def compile_events(
    programs: RunPrograms, events: Sequence[Any], switching: Deferred[SwitchProgram], mechanics: MechanicsPrograms
) -> tuple[Program, tuple[Rule, ...]]:
    """The program of the conditions of events and of contacts of points, and a rule for each; events with a fault are
    refused."""
    for event in events:
        if not isinstance(event, Event):
            written = isinstance(event, str) or callable(event)
            how = "; write fb.Event('q.a - 1'), an expression that crosses zero" if written else ""
            raise ArgumentError(f"each of the events must be an Event(when, …), not {shorten(event)}{how}")
        if not isinstance(event.name, str | None):
            raise ArgumentError(f"the name of an event must be text, not {shorten(event.name)}")
        boolean(event.terminal, "terminal of an event")
    titles = [event.name or f"event{k + 1}" for k, event in enumerate(events)]
    conditions, scope = list[Node](), programs.scope
    for k, (name, event) in enumerate(zip(titles, events, strict=True)):
        if name in titles[:k]:
            raise ArgumentError(f"two events are called '{name}'; give each its own name, Event(…, name=…)")
        if not isinstance(event.direction, Real) or event.direction not in (-1, 0, 1):
            raise ArgumentError(f"event '{name}': direction must be −1, 0 or 1, not {event.direction!r}")
        conditions.append(scope.node(event.when, f"event '{name}'", crosses=True, accelerations=True))
        if scope.graph.op[conditions[-1]] in (LT, LE, EQ, NE):
            raise never_crosses(name, event.when)
    resets = [_reset(programs, event, name) for event, name in zip(events, titles, strict=True)]
    actions = [_engage(programs, event, name, switching, mechanics) for event, name in zip(events, titles, strict=True)]
    rules = list[Rule]()
    for k, (name, event, reset, action) in enumerate(zip(titles, events, resets, actions, strict=True)):
        if action is not None and event.reset is None and not event.terminal:
            conditions[k] = _while_useful(scope, action, conditions[k])
        solved = bool(accelerations_in(scope.graph, [conditions[k]]))
        updates: list[Update] = [] if reset is None else [ProgramUpdate(reset)]
        updates += [] if action is None else [action]
        rules.append(Rule(name, Crossing(k, int(event.direction), bool(event.terminal), solved), tuple(updates)))
    contacts = Deferred(lambda: contact_program(programs))
    nodes, own = contact_rules(programs, len(conditions), contacts, mechanics)
    return programs.conditions([*conditions, *nodes]), (*rules, *own)


def _engage(
    programs: RunPrograms, event: Event, name: str, switching: Deferred[SwitchProgram], mechanics: MechanicsPrograms
) -> Engage | None:
    """What an event switches, checked."""
    context = f"event '{name}'"
    engage, release = (
        names(v, f"{context}: {what}") for v, what in ((event.engage, "engage"), (event.release, "release"))
    )
    for what, value in (("restitution", event.restitution), ("gap", event.gap), ("rest_speed", event.rest_speed)):
        if number(value, f"{context}: {what}") < 0:
            raise ArgumentError(f"{context}: {what} is {value:g}; it must not be negative")
    if event.restitution > 1:
        raise ArgumentError(
            f"{context}: restitution is {event.restitution:g}; more than 1 would add energy at each impact"
        )
    if event.restitution and not engage:
        raise ArgumentError(f"{context}: restitution needs a constraint that the event engages; add engage=…")
    for listed, what in ((engage, "engage"), (release, "release")):
        require_switchable(programs.e, listed, f"{context}: {what}")
        twice = [n for k, n in enumerate(listed) if n in listed[:k]]
        if twice:
            raise ArgumentError(f"{context}: {what} names '{twice[0]}' twice; name each constraint once")
    both = [n for n in engage if n in release]
    if both:
        raise ArgumentError(f"{context} engages and releases '{both[0]}' at once; use two events")
    if not engage and not release:
        return None
    numbers = float(event.restitution), float(event.gap), float(event.rest_speed)
    return Engage(tuple(engage), tuple(release), switching, mechanics, *numbers)


def _while_useful(scope: RunScope, action: Engage, condition: Node) -> Node:
    """The condition of an event, and a constant while it has nothing to switch: a contact that is engaged stays at the
    zero of its condition."""
    g, left = scope.graph, scope.graph.zero
    for name in action.engage:
        left = g.add(left, g.sub(g.one, scope.names[ENGAGED(name)]))
    for name in action.release:
        left = g.add(left, scope.names[ENGAGED(name)])
    return g.where(left, condition, g.one)


def never_crosses(name: str, what: Any) -> ArgumentError:
    return ArgumentError(
        f"event '{name}': {what} is true or false and never crosses zero; write the difference of the two sides and a"
        " direction (a > b becomes 'a - b', direction=1)"
    )


def _reset(programs: RunPrograms, event: Event, name: str) -> Program | None:
    if event.reset is None:
        return None
    keys = state_keys(programs.e)
    indices = {key: k for k, key in enumerate(keys)} | {Z.strip(key): k for k, key in enumerate(keys) if Z.holds(key)}
    require_names(list(indices), event.reset, "state to reset", f"event '{name}'")
    changes = {}
    for key, value in event.reset.items():
        context = f"event '{name}', reset of {key}"
        value = number(value, context) if is_number(value) else value
        changes[indices[key]] = programs.scope.node(value, context, accelerations=True)
    return programs.reset(changes)
