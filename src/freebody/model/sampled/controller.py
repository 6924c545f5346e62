"""Sampled controllers: laws that are evaluated at samples, with states of their own; the inputs that they write are
held in between."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import FieldError, ModelError
from freebody.model.element import Given, field, with_fields
from freebody.model.kinds import ListOf, MappingOf, Number, Scalar, ScalarValue, Scope, describe, suggest
from freebody.model.laws import Law, argument_symbol, law_scope
from freebody.model.sampled.base import HeldValue, Sampled, Samples, SampleView
from freebody.model.sampled.by_name import EVERY, ByName, HoldOrGain, literal, pairs_of, values_by_name
from freebody.scalar import expr
from freebody.scalar.derivative import gradient
from freebody.scalar.expr import Expr, where
from freebody.scalar.node import Node
from freebody.scalar.walk import substitute

PERIOD = "period"
"""The name of the period in texts."""

HOLD = "hold"
"""The kind of anti-windup by which a state waits."""

LAW = Law(whole=True)


@dataclass(frozen=True, eq=False)
class Controller(Sampled):
    """A law that is evaluated at samples; each input that it writes is held until the next sample.

    ``reads`` are quantities by names of its own: outputs, coordinates, speeds, accelerations, sensors, inputs, states
    of other controllers, parameters, t. ``states`` are its memory, each with its next value, ``law`` the values of
    inputs; both may use what it reads, its states, ``period``, and all other names. They are computed from the values
    before the sample. ``initial`` are values of states, and of inputs until the first sample; 0 by default.

    A value of the law is limited to a change of ``rate_limit`` per second, to the range ``saturation``, and rounded to
    multiples of ``quantisation``: one for all inputs, or one for each by its name. With ``anti_windup="hold"`` a state
    waits while it would push a value further beyond its limits; a number k (1/s) adds k·period·(limited value − value)
    to it."""

    law: Given[Mapping[str, ScalarValue]] = field(ByName(LAW), "values of inputs, by name", default=())
    states: Given[Mapping[str, ScalarValue]] = field(ByName(LAW), "next values of its states, by name", default=())
    reads: Given[Mapping[str, ScalarValue]] = field(
        ByName(Scalar(whole=True), arguments=False), "what it reads, by names of its own", default=()
    )
    initial: Given[Mapping[str, float]] = field(
        MappingOf(Number()), "values of states, and of inputs before the first sample, by name", default=()
    )
    saturation: Given[Sequence[ScalarValue] | Mapping[str, Sequence[ScalarValue]]] = field(
        ByName(ListOf(LAW, 2), alone=True), "lower and upper limit of what it writes", default=()
    )
    rate_limit: Given[ScalarValue | Mapping[str, ScalarValue]] = field(
        ByName(LAW, alone=True), "largest change per second of what it writes", default=()
    )
    quantisation: Given[ScalarValue | Mapping[str, ScalarValue]] = field(
        ByName(LAW, alone=True), "what it writes is a multiple of this", default=()
    )
    anti_windup: Given[ScalarValue | Mapping[str, ScalarValue]] = field(
        ByName(HoldOrGain(LAW), alone=True),
        "how states behave while the law is limited: hold, or a gain (1/s)",
        default=(),
    )
    kind: ClassVar[str] = "controller"
    section: ClassVar[str] = "controllers"
    group: ClassVar[str] = "controller"
    rank: ClassVar[int] = 1

    def law_scope(self, scope: Scope) -> Scope:
        return law_scope(scope, {name: argument_symbol(scope.graph, name) for name in self.local_names}, None)

    @property
    def local_names(self) -> tuple[str, ...]:
        """The names that only its own texts have."""
        return (*pairs_of(self.reads), *pairs_of(self.states), PERIOD)

    def finalise(self, scope: Scope) -> Any:
        names, states, law = self.local_names, pairs_of(self.states), pairs_of(self.law)
        for name in names:
            if not name.isidentifier():
                raise FieldError(f"{name!r} cannot be a name here: use letters, digits and underscores, a letter first")
            if names.count(name) > 1:
                raise FieldError(
                    f"'{name}' is the period" if name == PERIOD else f"'{name}' is the name of a state and of a reading"
                )
        for key in ("law", "states", "reads", "initial"):
            if EVERY in pairs_of(getattr(self, key)):
                raise FieldError(f"names with values are needed here, not {describe(getattr(self, key))}", key)
        if not law and not states:
            raise FieldError("it does nothing: give a law for an input, or states")
        limited = [*pairs_of(self.saturation), *pairs_of(self.rate_limit)]
        known = {
            "initial": [*states, *law],
            **{key: [*law] for key in ("saturation", "rate_limit", "quantisation")},
            "anti_windup": [*states],
        }
        for key, allowed in known.items():
            for name in pairs_of(getattr(self, key)):
                if name and name not in allowed:
                    raise FieldError(
                        f"'{name}' is none of {', '.join(allowed) or 'nothing'}. {suggest(name, allowed)}", key
                    )
        if self.anti_windup and not limited:
            raise FieldError(
                "nothing winds up without limits; give saturation or rate_limit, or leave it out", "anti_windup"
            )
        for limits in pairs_of(self.saturation).values():
            low, high = map(literal, limits) if isinstance(limits, list | tuple) and len(limits) == 2 else (None, None)
            if low is not None and high is not None and low > high:
                raise FieldError(f"its lower limit {low:g} is above the upper one, {high:g}", "saturation")
        for key in ("rate_limit", "quantisation"):
            for value in pairs_of(getattr(self, key)).values():
                if (size := literal(value)) is not None and size <= 0:
                    raise FieldError(f"it is {size:g}; it must be positive", key)
        return super().finalise(scope)

    # Held values

    @property
    def own_values(self) -> tuple[HeldValue, ...]:
        initial = pairs_of(self.initial)
        states = [HeldValue(f"{self.name}.{n}", initial.get(n, 0.0), "", "its state") for n in pairs_of(self.states)]
        reads = [HeldValue(f"{self.name}.{n}", 0.0, "", "as it was read") for n in pairs_of(self.reads)]
        commands = [HeldValue(command, initial.get(n, 0.0), shown=False) for n, command in self._commands.items()]
        return (*states, *reads, *commands)

    @property
    def _commands(self) -> dict[str, str]:
        """The names of the held values from which changes are limited, by input."""
        limited = values_by_name(self.rate_limit, pairs_of(self.law))
        return {name: f"{self.name}.before.{name}" for name in limited}

    @property
    def inputs(self) -> Mapping[str, float]:
        initial = pairs_of(self.initial)
        return {name: initial.get(name, 0.0) for name in pairs_of(self.law)}

    def renamed(self, input_name: Callable[[str], str]) -> Any:
        law, fields = pairs_of(self.law), dict[str, Any]()
        for key in ("law", "initial", "saturation", "rate_limit", "quantisation"):
            if isinstance(value := self.__dict__[key], Mapping):
                fields[key] = {input_name(n) if n in law else n: x for n, x in value.items()}
        return with_fields(self, fields)

    @property
    def delayed(self) -> tuple[str, ...]:
        return tuple(pairs_of(self.law))

    # Samples

    def samples(self, view: SampleView) -> Samples:
        g, texts = view.graph, _Texts(self, view)
        law, states = ({n: texts.value(x) for n, x in pairs_of(some).items()} for some in (self.law, self.states))
        limits = {n: tuple(map(texts.value, v)) for n, v in values_by_name(self.saturation, law).items()}
        rates = {n: texts.value(v) for n, v in values_by_name(self.rate_limit, law).items()}
        steps = {n: texts.value(v) for n, v in values_by_name(self.quantisation, law).items()}
        commands, values, memory = dict[str, Expr](), dict[str, Expr](), dict[str, Expr]()
        for name, value in law.items():
            command = value
            if name in rates:
                last, most = view.symbol(self._commands[name]), rates[name] * texts.period
                command = last + _between(command - last, -most, most)
            command = _between(command, *limits[name]) if name in limits else command
            if name in rates:
                memory[self._commands[name]] = command
            commands[name], values[name] = command, command
            if name in steps:
                values[name] = expr.floor(command / steps[name] + 0.5) * steps[name]
                values[name] = _between(values[name], *limits[name]) if name in limits else values[name]
        for name, how in values_by_name(self.anti_windup, states).items():
            acts, old = False, view.symbol(f"{self.name}.{name}")
            for key, value in law.items():
                slope = Expr(g, gradient(g, value.handle, [old.handle])[0])
                if g.number(slope.handle) == 0 or value.handle == commands[key].handle:
                    continue
                acts, excess = True, commands[key] - value
                if how == HOLD:
                    states[name] = where(excess * slope * (states[name] - old) < 0, old, states[name])
                else:
                    states[name] = states[name] + texts.value(how) * texts.period * excess
            if not acts and name in pairs_of(self.anti_windup):
                raise ModelError(
                    f"controller '{self.name}': anti_windup: no law that is limited depends on state '{name}'; leave it"
                    " out there"
                )
        memory |= {f"{self.name}.{name}": value for name, value in states.items()}
        memory |= {f"{self.name}.{name}": value for name, value in texts.reads.items()}
        return Samples(values, memory)


class _Texts:
    """The expressions of a controller with what it reads, its states and its period in place of their names."""

    def __init__(self, controller: Controller, view: SampleView) -> None:
        g = self.graph = view.graph
        self.view, self.period = view, Expr(g, g.const(controller.seconds))
        self.reads = {name: view.scalar(value) for name, value in pairs_of(controller.reads).items()}
        names = {name: view.symbol(f"{controller.name}.{name}") for name in pairs_of(controller.states)}
        names |= {**self.reads, PERIOD: self.period}
        self.arguments: dict[Node, Node] = {argument_symbol(g, n).handle: x.handle for n, x in names.items()}

    def value(self, value: Any) -> Expr:
        return Expr(self.graph, substitute(self.graph, [self.view.scalar(value).handle], self.arguments)[0])


def _between(value: Expr, low: Expr, high: Expr) -> Expr:
    return expr.max(expr.min(value, high), low)
