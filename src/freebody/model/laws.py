"""Laws of elements: functions of arguments of their own, written as texts, expressions or Python functions."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from freebody.errors import FieldError, within
from freebody.model.kinds import SCALAR_SCHEMA, UNPARSED, FieldKind, Scalar, Scope, describe
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind as Symbols
from freebody.scalar.walk import symbols_of

ARGUMENT_PREFIX = "its "
"""How the names of symbols begin that stand for a joint's own coordinates."""


def argument_symbol(g: Graph, name: str) -> Expr:
    """What stands for a joint's coordinate in its functions."""
    return Expr(g, g.symbol(ARGUMENT_PREFIX + name, Symbols.INTERMEDIATE))


def argument_names(x: Expr) -> dict[int, str]:
    """The coordinates in a function: their nodes and how they are called."""
    g = x.graph
    found = {i: g.symbols[g.a[i]] for i in symbols_of(g, [x.handle])}
    own = {i: s.name for i, s in found.items() if s.kind is Symbols.INTERMEDIATE and s.name.startswith(ARGUMENT_PREFIX)}
    return {i: name.removeprefix(ARGUMENT_PREFIX) for i, name in own.items()}


class LawScope(Scope):
    """The scope of an element's laws: texts may use the names of its arguments and of its definitions, and Python
    functions are called with the arguments."""

    def __init__(self, scope: Scope, words: Mapping[str, Expr], definitions: Mapping[str, Any] | None) -> None:
        known = dict(words)
        self.names, self.arguments = tuple(words), tuple(words.values())
        self.scope = scope.inner(known)
        with within("definitions"):
            texts = {} if definitions is None else Definitions().read(definitions, scope)
        for name, given in texts.items():
            with within("definitions", name):
                x = Scalar().read(given, self.scope)
            known[name] = x if isinstance(x, Expr) else Expr(scope.graph, scope.graph.const(x))
            self.scope = scope.inner(known)

    @property
    def graph(self) -> Graph:
        return self.scope.graph

    @property
    def values(self) -> Mapping[str, float]:  # type: ignore[override]
        return self.scope.values

    def scalar(self, given: Any) -> Any:
        return self.scope.scalar(given)

    def inner(self, names: Mapping[str, Expr]) -> Scope:
        return self.scope.inner(names)

    def call(self, given: Any) -> Any:
        """What a Python function of the arguments returns; anything else as it is."""
        if not callable(given):
            return given
        try:
            signature(given).bind(*self.arguments)
        except TypeError:
            count = len(self.arguments)
            raise FieldError(
                f"the function must take {count} argument{'s' if count != 1 else ''}: {', '.join(self.names)}"
            ) from None
        except ValueError:  # of some functions that are built in
            pass
        return given(*self.arguments)


class Law(Scalar):
    """A function of the element's arguments and of anything else, or a Python function of the arguments."""

    takes_arguments = True
    type_name = "law"

    def read(self, given: Any, scope: Scope) -> Any:
        return super().read(scope.call(given) if isinstance(scope, LawScope) else given, scope)

    def write(self, value: Any, out: Any) -> Any:
        return out.law(value)


class Definitions(FieldKind):
    """Texts by name that an element's formulas may use."""

    type_name = "texts by name"
    holds_definitions = True

    def read(self, given: Any, scope: Scope) -> Any:
        if not isinstance(given, Mapping):
            raise FieldError(f"definitions are texts by name, not {describe(given)}")
        for name, text in given.items():
            with within(name):
                if scope is UNPARSED:
                    scope.scalar(text)
        return given

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": SCALAR_SCHEMA}
