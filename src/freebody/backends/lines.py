"""Straight-line code as statements, for backends that print a language with variables.

Variables and stores come in an order in which they can be computed, each store as early as it can be, so that no value
lives longer than needed. What a code reads and then overwrites is read into a variable first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from freebody.printing.addresses import overwritten
from freebody.program.code import Address, Code
from freebody.program.program import Block, Scan
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.notation import LITERAL, Notation, call
from freebody.scalar.numbers import Number
from freebody.scalar.ops import BY_NAME, CALL, OPS, SYMBOL, WHERE
from freebody.scalar.printing import Statement, UniqueNames, describe, statements
from freebody.scalar.walk import operands

INFIX = ("add", "sub", "mul", "div", "neg", "table", "call")


def literal(functions: Mapping[str, str], number: Callable[[Number], str]) -> Notation:
    """Arithmetic as it stands, every other operation a call of the function that the language has for its name."""
    assert {*functions, *INFIX, "const", "symbol"} == {o.name for o in OPS}, "every operation has its form"
    forms = {BY_NAME[name].code: LITERAL.forms[BY_NAME[name].code] for name in INFIX}
    return Notation(forms | {BY_NAME[op].code: call(name) for op, name in functions.items()}, number)


@dataclass(frozen=True, slots=True)
class Assignment:
    """The value of a node assigned (or added) to an element of a buffer."""

    target: str
    text: str
    add: bool
    node: Node


def code_lines(
    region: Block | Scan,
    kind: int,
    names: UniqueNames,
    notation: Notation,
    element: Callable[[Address], str],
    wish: Callable[[Address], str],
    function: Callable[[Code, Node], str],
) -> list[Statement | Assignment]:
    """One code of a region: its variables and its stores, with fresh names.

    ``element`` writes an address as the language does, ``wish`` gives it a name for readers, ``function`` names the
    table or the user's function that a node calls.
    """
    code, stored = region.codes[kind], set(overwritten(region, kind))
    lines: list[Statement | Assignment] = []
    leaves: dict[Node, str] = {}
    for i in (i for i in all_nodes(code) if code.op[i] == SYMBOL):
        address = code.loads[code.a[i]]
        key, text, labels = wish(address), element(address), code.labels.get(i, ())
        while key in names.leaves:
            key += "'"
        if labels or address in stored:  # becomes a variable
            name = names.take(labels[0].name if labels else key)
            lines.append(Statement(name, text, describe(labels), i))
            text = name
        leaves[i], names.leaves[key] = key, text
    roots, called = [s.value for s in code.stores], partial(function, code)
    # A user's function inside a choice might not be called: with a choice, each call becomes a variable.
    calls = [i for i in all_nodes(code) if code.op[i] == CALL] if WHERE in code.op else []
    variables, texts = statements(code, [*roots, *calls], leaves.__getitem__, notation, names, called)
    # Each store goes behind the last variable it needs; stores to one address keep their order.
    number = {s.node: k + 1 for k, s in enumerate(variables)}
    ready: list[int] = []  # for each node, how many of the variables must stand before it can be written
    for i in all_nodes(code):
        ready.append(number.get(i) or max((ready[k] for k in operands(code, i)), default=0))
    after: list[list[Assignment]] = [[] for _ in range(len(variables) + 1)]
    latest = dict[Address, int]()
    for store, text in zip(code.stores, texts[: len(roots)], strict=True):
        k = latest[store.to] = max(ready[store.value], latest.get(store.to, 0))
        after[k].append(Assignment(element(store.to), text, store.add, store.value))
    lines += after[0]
    for statement, assignments in zip(variables, after[1:], strict=True):
        lines += [statement, *assignments]
    return lines
