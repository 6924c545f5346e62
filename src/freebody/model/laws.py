"""Laws of elements: functions of arguments of the element, as texts, expressions or Python functions."""

from collections.abc import Mapping
from inspect import signature
from typing import Any, ClassVar

from freebody.errors import FieldError, FreebodyError, within
from freebody.model.kinds import SCALAR_SCHEMA, UNPARSED, FieldKind, Scalar, Schema, Scope, describe
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind as SymbolKind
from freebody.scalar.walk import symbols_of

ARGUMENT_PREFIX = "its "
"""The prefix of the names of symbols that stand for a joint's coordinates in its functions."""


def argument_symbol(g: Graph, name: str) -> Expr:
    """The symbol that stands for a joint's coordinate in its functions."""
    return Expr(g, g.symbol(ARGUMENT_PREFIX + name, SymbolKind.INTERMEDIATE))


def argument_names(x: Expr) -> dict[Node, str]:
    """The nodes of the coordinates that a joint's function uses, with their names."""
    g = x.graph
    symbols = {i: g.symbols[g.a[i]] for i in symbols_of(g, [x.handle])}
    return {
        i: s.name.removeprefix(ARGUMENT_PREFIX)
        for i, s in symbols.items()
        if s.kind is SymbolKind.INTERMEDIATE and s.name.startswith(ARGUMENT_PREFIX)
    }


def law_scope(scope: Scope, arguments: Mapping[str, Expr], definitions: Mapping[str, Any] | None) -> Scope:
    """The scope of an element's laws: texts may use the names of the arguments and of the element's definitions, and
    Python functions are called with the arguments."""
    known, inner = dict(arguments), scope.inner(arguments)
    with within("definitions"):
        texts = {} if definitions is None else Definitions().read(definitions, scope)
    for name, text in texts.items():
        with within("definitions", name):
            x = Scalar().read(text, inner)
        known[name] = x if isinstance(x, Expr) else Expr(scope.graph, scope.graph.const(x))
        inner = scope.inner(known)
    inner.arguments = arguments
    return inner


def call_law(value: Any, scope: Scope) -> Any:
    """The result of a Python function of the arguments of the scope; any other value unchanged."""
    if scope.arguments is None or not callable(value):
        return value
    arguments = scope.arguments.values()
    try:
        signature(value).bind(*arguments)
    except TypeError:
        count = len(arguments)
        raise FieldError(
            f"the function must take {count} argument{'s' if count != 1 else ''}: {', '.join(scope.arguments)}"
        ) from None
    except ValueError:  # some built-in functions have no signature
        pass
    try:
        return value(*arguments)
    except FreebodyError as error:
        raise FieldError(f"its function fails: {error}") from error
    except Exception as error:
        text = f"its function raises {type(error).__name__}: {error}"
        raise FieldError(f"{text}. Its arguments are expressions, not numbers: use fb.sin, fb.where, …") from error


class Law(Scalar):
    """A scalar that may use the element's arguments, or a Python function of them."""

    takes_arguments = True
    plain = False
    type_name = "law"

    def read(self, value: Any, scope: Scope) -> Any:
        return super().read(call_law(value, scope), scope)

    def write(self, value: Any, out: Any) -> Any:
        return out.law(value)


class Definitions(FieldKind):
    """Expressions by name, which the element's laws may use."""

    type_name = "expressions by name"
    holds_definitions = True
    json_schema: ClassVar[Schema] = {"type": "object", "additionalProperties": SCALAR_SCHEMA}

    def read(self, value: Any, scope: Scope) -> Any:
        if not isinstance(value, Mapping):
            raise FieldError(f"definitions are expressions by name, not {describe(value)}")
        if scope is UNPARSED:
            for name, text in value.items():
                with within(name):
                    scope.scalar(text)
        return value
