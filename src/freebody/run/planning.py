"""From equations and what a user says of a run to the plant that is simulated."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.derivation import Derivation
from freebody.formulations.memo import key_of
from freebody.formulations.rolled import Rolled
from freebody.integrate.plant import Compiled, Event, Limits, Plant, Programs, Watch
from freebody.model.element import values_of
from freebody.names import Q, U, Z
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.results import About, BodyInfo, Variable
from freebody.run.numbers import number, plain, shown, switch
from freebody.run.simulated import Simulated
from freebody.run.words import Words, describe, speaks
from freebody.scalar.ops import EQ, LE, LT, NE
from freebody.tree.forest import Link, quaternions

Array = NDArray[np.float64]
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
XYZ = ("x", "y", "z")
ENERGIES = {
    "kinetic": "", "potential": "", "total": "", "supplied": "work of loads, drives and joints since the start",
}  # fmt: skip
TEXTS = ("axis", "file")  # fields of shapes that are words, not lengths


def plan(
    e: Derivation, values: Mapping[str, float], inputs: Mapping[str, Any] | Sequence[float] | None = None,
    events: Sequence[Event] | Event = (), exact: bool = False,
) -> Plant:  # fmt: skip
    """The plant of equations for parameter values, driven inputs and events; ``exact`` adds the Jacobian. What does not
    depend on numbers is kept with the equations: asked once more, nothing is derived or compiled."""
    said, listed = _inputs(e, inputs), _listed(events)
    return e.memo.get(asked(said, listed, exact), lambda: Plan(e, said, listed, exact)).plant(values, said)


def _listed(events: Any) -> list[Event]:
    return list(events) if isinstance(events, list | tuple) else [events]


class Plan:
    """What runs that differ in numbers alone have in common: programs, what was compiled of them, facts."""

    def __init__(self, e: Derivation, said: Mapping[str, Any], events: Sequence[Event], exact: bool) -> None:
        self.e = e
        words, laws = _laws(e, said)
        self.s = s = Simulated(words, laws)
        self.slots = tuple((slot.key, len(slot.columns)) for slot, _ in s.slots)
        self.programs = Programs({
            "state_dot": lambda: _moving(e, said, s), "record": s.record, "bodies": s.bodies,
            "mass_matrix": lambda: _inertia(e), "mass_entries": lambda: _entries(e),
            "jacobian": lambda: _jacobian(s) if exact else None, "followers": lambda: _followers(s, self.limits),
        })  # fmt: skip
        self.watch = _watch(s, events) if events else None
        self.told, self.code = tuple(words.told), Compiled()
        self.facts, self.variables = e.memo.get("facts", lambda: Facts(e)), _variables(s)
        self.limits = e.memo.get("limits", lambda: _limits(e))

    def plant(self, values: Mapping[str, float], said: Mapping[str, Any]) -> Plant:
        """The plant for these numbers."""
        numbers = np.array([float(v) if isinstance(v, Real) else 0.0 for v in said.values()])
        facts, driven = self.facts, {n: describe(v) for n, v in said.items()}
        about = About(
            facts.name, facts.digest, elements(self.e, values), self.variables, facts.state, facts.quaternions,
            dict(values), driven,
        )  # fmt: skip
        made = Plant(about, self.programs, dict(values), numbers, self.slots, self.watch, self.told, self.limits)
        return made.with_code(self.code)


def _inertia(e: Derivation) -> Program:
    """The entries of M's lower triangle that are not zero; of rolled equations the forces for u̇, of which the columns
    of M are made."""
    return e.programs["inverse_dynamics"] if isinstance(e, Rolled) else e.programs.keep("inertia", _entries_of_mass)


def _entries(e: Derivation) -> tuple[tuple[int, int], ...]:
    """The rows and columns of these entries; none of forces."""
    return () if isinstance(e, Rolled) else tuple(e.mass)


def _entries_of_mass(e: Derivation) -> Program:
    a = e.assembly("inertia")
    a.output("M", list(e.mass.values()))
    return a.program()


def _laws(e: Derivation, said: Mapping[str, Any]) -> tuple[Words, dict[str, int]]:
    """What drives the inputs that are not numbers, as nodes."""
    words = Words(e)
    return words, {n: words.node(v, f"input '{n}'") for n, v in said.items() if not isinstance(v, Real)}


def _moving(e: Derivation, said: Mapping[str, Any], s: Simulated) -> Program:
    """ẋ, by the equations that are quickest to move with where these are not the same."""
    quick = e.fastest
    return s.state_dot() if quick is e else Simulated(*_laws(quick, said)).state_dot()


def parameters(e: Derivation, defaults: Mapping[str, float], given: Mapping[str, float] | None) -> dict[str, float]:
    """The parameters' values: the model's, and others where they are given."""
    given = {} if given is None else given
    speaks(e.layout.parameters, given, "parameter", f"system '{e.forest.model.name}'")
    made = {**defaults, **{n: number(v, f"parameter '{n}'") for n, v in given.items()}}
    return {n: made[n] for n in e.layout.parameters}


def named_inputs(e: Derivation, given: Mapping[str, Any] | Sequence[float] | None) -> dict[str, Any]:
    """What is said of inputs, by name; a row of them is in their order."""
    names, who = e.layout.inputs, f"system '{e.forest.model.name}'"
    said: Any = {} if given is None else given
    if isinstance(said, list | tuple | np.ndarray):
        if np.ndim(said) == 0 or len(said) != len(names):
            raise ArgumentError(
                f"{who} has {len(names)} inputs ({', '.join(names) or 'none'}), and {shown(said)} was given: give all"
                " of them in this order, or each by its name, inputs={name: value}"
            )
        said = dict(zip(names, said, strict=True))
    speaks(names, said, "input", who)
    return dict(said)


def _inputs(e: Derivation, given: Mapping[str, Any] | Sequence[float] | None) -> dict[str, Any]:
    """What drives each input, in their order."""
    names, who, said = e.layout.inputs, f"system '{e.forest.model.name}'", named_inputs(e, given)
    missing = [n for n in names if n not in said]
    if missing:
        raise ArgumentError(
            f"{who}: input '{missing[0]}' has no value. Give inputs={{'{missing[0]}': 0.0}}, or a text such as"
            f" 'sin(t)', a table, or a function of t. Inputs: {', '.join(names)}"
        )
    return {n: number(said[n], f"input '{n}'") if plain(said[n]) else said[n] for n in names}


def _jacobian(s: Simulated) -> Any:
    """The exact Jacobian; None where a user's function has no derivative, or bodies are so many that they are rolled:
    implicit methods take differences then."""
    if isinstance(s.e, Rolled) and s.e.pays:
        return None
    try:
        return s.jacobian()
    except ExpressionError:
        return None


def asked(said: Mapping[str, Any], events: Sequence[Any], exact: bool) -> Hashable | None:
    """What is asked of a plan, numbers of inputs left out, as a key; None where something cannot be compared."""
    laws = {n: None if isinstance(v, Real) else v for n, v in said.items()}
    if not all(isinstance(event, Event) for event in events):
        return None
    return key_of(laws, [(e.when, e.direction, e.terminal, e.name, e.reset) for e in events], exact)


# Facts


class Facts:
    """Facts about the system of equations beside its programs."""

    def __init__(self, e: Derivation) -> None:
        layout, model = e.layout, e.forest.model
        self.name, self.digest = model.name, model.digest
        self.state = (*Q.all(layout.q), *U.all(layout.u), *Z.all(layout.z))
        self.quaternions = quaternions(e.forest)


def _limits(e: Derivation) -> Limits:
    """The coordinates that have limits, states first."""
    places = {n: k for k, n in enumerate(e.layout.q)}
    joints = [link.body.recipe for link in e.forest.links]
    pairs = {n: r.joint.limits for r in joints if r.joint.limits is not None for n in r.names[0]}
    names = sorted(pairs, key=lambda n: n not in places)
    low, high = np.array([pairs[n] for n in names], float).reshape(-1, 2).T
    return Limits(tuple(names), low, high, np.array([places[n] for n in names if n in places], np.intp))


def _followers(s: Simulated, limits: Limits) -> Program | None:
    return s.followers(limits.followers) if limits.followers else None


class Bodies:
    """The bodies of equations and their joints as plain facts, parents first."""

    def __init__(self, e: Derivation) -> None:
        nodes: list[int] = []
        self.bodies, self.shapes = e.forest.bodies, dict[str, dict[str, Any] | None]()
        for *_, link in self.bodies:
            nodes.append(link.body.recipe.mass.handle)
            self.shapes[link.name] = _shape(e, link, link.body.recipe.shape, nodes)
        a = Assembly("facts", e.graph, {"parameters": e.groups()["parameters"]})
        a.output("numbers", nodes)
        self.numbers = compile(a.program(), "numpy", staged=False)
        self._last: tuple[dict[str, float], tuple[BodyInfo, ...]] | None = None

    def elements(self, values: Mapping[str, float]) -> tuple[BodyInfo, ...]:
        """With masses and shapes as these parameters make them."""
        if self._last is None or self._last[0] != values:
            row = self.numbers(list(values.values())) if values else self.numbers()
            taken = iter(np.asarray(row).tolist())
            self._last = dict(values), tuple(self._element(stages, taken) for stages in self.bodies)
        return self._last[1]

    def _element(self, stages: list[Link], numbers: Iterator[float]) -> BodyInfo:
        body = stages[-1].body
        recipe = body.recipe.described
        mass, shape = next(numbers), _filled(self.shapes[recipe.name], numbers)
        every = [(n, x) for s in stages for n, x in zip(s.body.recipe.names[0], s.body.prescribed, strict=False)]
        fixed = tuple(n for n, given in every if given is not None)
        coupled = "" if body.coupling is None else str(body.q[0])
        limits = recipe.joint.limits
        return BodyInfo(
            recipe.name, recipe.parent, recipe.joint.kind, recipe.names[0], recipe.names[1], fixed, mass,
            None if limits is None else (float(limits[0]), float(limits[1])), shape, coupled,
        )  # fmt: skip


def elements(e: Derivation, values: Mapping[str, float]) -> tuple[BodyInfo, ...]:
    """The bodies and their joints as plain facts, parents first."""
    return e.memo.get("bodies", lambda: Bodies(e)).elements({n: values[n] for n in e.layout.parameters})


def _variables(s: Simulated) -> tuple[Variable, ...]:
    e = s.e
    own = [Variable(key[0], key[2:], *_symbol(e, key)) for key in _keys(e)]
    rates = [Variable("u_dot", v.name, f"{v.unit}²" if v.unit else "") for v in own if v.group == "u"]
    energies = [Variable("energy", n, "J", what) for n, what in ENERGIES.items()]
    works = [Variable("work", slot.name, "J", "since the start") for slot, _ in s.slots if slot.group == "power"]
    momenta = [Variable("momentum", "linear", "kg·m/s", "", XYZ), Variable("momentum", "angular", "kg·m²/s", "", XYZ)]
    what = "place and orientation in the ground"
    poses = [Variable("pose", link.name, "", what, POSE) for *_, link in e.forest.bodies]
    return (*own, *rates, *(slot for slot, _ in s.slots), *works, *energies, *momenta, *poses)


def _keys(e: Derivation) -> list[str]:
    layout = e.layout
    return [f"{g}.{n}" for g, names in (("q", layout.q), ("u", layout.u), ("z", layout.z)) for n in names]


def _symbol(e: Derivation, key: str) -> tuple[str, str]:
    """Unit and description of a coordinate, speed or state."""
    g = e.graph
    symbol = g.symbol_named(Z.strip(key))
    return symbol.unit, "" if key[0] in "qu" else symbol.description


def _shape(e: Derivation, link: Link, shape: Any, nodes: list[int]) -> dict[str, Any] | None:
    """A shape with None where a number belongs; the numbers' nodes are appended in the same order. Several shapes are a
    group with ``parts``."""
    if shape is None:
        return None
    if isinstance(shape, tuple):
        return {"kind": "group", "parts": [_shape(e, link, part, nodes) for part in shape]}
    found: dict[str, Any] = {"kind": type(shape).__name__.lower()}
    for field, value in values_of(shape):
        name = field.name
        several = value if isinstance(value, tuple | list) else [value]
        if name in TEXTS:
            found[name] = value
        else:
            nodes += [e.forest.placed.scalar(v).handle for v in several]
            found[name] = [None] * len(several) if isinstance(value, tuple | list) else None
    return found


def _filled(shape: dict[str, Any] | None, taken: Any) -> dict[str, Any] | None:
    if shape is None:
        return None
    made = dict(shape)
    for name, value in shape.items():
        if value is None:
            made[name] = next(taken)
        elif isinstance(value, list):
            made[name] = [_filled(v, taken) if isinstance(v, dict) else next(taken) for v in value]
    return made


def default_state(e: Derivation) -> Array:
    """x where nothing is said: the joints' initial values or zeros, speeds 0, extra states at theirs."""
    return e.memo.get("default state", lambda: _default_state(e)).copy()


def _default_state(e: Derivation) -> Array:
    q = dict.fromkeys(e.layout.q, 0.0)
    for link in e.forest.links:
        recipe = link.body.recipe
        joint = recipe.joint
        start = joint.zero if joint.initial is None else np.atleast_1d(np.asarray(joint.initial, float))
        if len(start) != len(joint.coordinates):
            raise ArgumentError(
                f"joint of '{link.described.name}': initial has {len(start)} values for {len(joint.coordinates)}"
                " coordinates"
            )
        q |= {n: float(v) for n, v, own in zip(recipe.names[0], start, link.body.is_state, strict=True) if own}
    return np.array([*q.values(), *[0.0] * len(e.layout.u), *(s.initial for s in e.forest.model.states.values())])


# Events


def _watch(s: Simulated, events: Sequence[Any]) -> Watch:
    wrong = [event for event in events if not isinstance(event, Event)]
    if wrong:
        raise ArgumentError(f"each of the events must be an Event(when, …), not {wrong[0]!r}")
    for event in events:
        if not isinstance(event.name, str | None):
            raise ArgumentError(f"the name of an event must be text, not {shown(event.name)}")
        switch(event.terminal, "terminal of an event")
    names = [event.name or f"event{k + 1}" for k, event in enumerate(events)]
    for k, (name, event) in enumerate(zip(names, events, strict=True)):
        if name in names[:k]:
            raise ArgumentError(f"two events are called '{name}'; give each a name of its own, Event(…, name=…)")
        if not isinstance(event.direction, Real) or event.direction not in (-1, 0, 1):
            raise ArgumentError(f"event '{name}': direction is −1, 0 or 1, not {event.direction!r}")
    conditions = [_condition(s, event, name) for event, name in zip(events, names, strict=True)]
    resets = tuple(_reset(s, event, name) for event, name in zip(events, names, strict=True))
    directions, terminal = tuple(int(e.direction) for e in events), tuple(bool(e.terminal) for e in events)
    return Watch(tuple(names), directions, terminal, s.events(conditions), resets)


def _condition(s: Simulated, event: Event, name: str) -> int:
    made = s.words.node(event.when, f"event '{name}'", crosses=True, accelerations=True)
    if s.words.graph.op[made] in (LT, LE, EQ, NE):
        raise never_crosses(name, event.when)
    return made


def never_crosses(name: str, what: Any) -> ArgumentError:
    return ArgumentError(
        f"event '{name}': {what} is true or false and never crosses zero; write the difference of the two sides and a"
        " direction (a > b becomes 'a - b', direction=1)"
    )


def _reset(s: Simulated, event: Event, name: str) -> Any:
    if event.reset is None:
        return None
    keys = _keys(s.e)
    places = {key: k for k, key in enumerate(keys)} | {Z.strip(k): i for i, k in enumerate(keys) if Z.holds(k)}
    speaks(list(places), event.reset, "state to reset", f"event '{name}'")
    changes = {}
    for key, value in event.reset.items():
        who = f"event '{name}', reset of {key}"
        value = number(value, who) if plain(value) else value
        changes[places[key]] = s.words.node(value, who, accelerations=True)
    return s.reset(changes)
