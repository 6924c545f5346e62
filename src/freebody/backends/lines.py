"""Straight-line code as lines in a notation, for backends that print a language with variables.

Variables and stores come in an order in which they can be computed, each store as early as it can be, so that no value
is kept longer than needed. What a code reads and then overwrites is read into a variable first.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from freebody.printing.addresses import overwritten
from freebody.program.code import Address, Code
from freebody.program.program import Block, Scan
from freebody.scalar.notation import Notation
from freebody.scalar.ops import CALL, SYMBOL, WHERE
from freebody.scalar.printing import Names, Statement, describe, statements
from freebody.scalar.walk import operands


@dataclass(frozen=True, slots=True)
class Put:
    """The value of a node put (or added) to a place."""

    place: str
    text: str
    add: bool
    node: int


@dataclass(frozen=True)
class Lines:
    """How to write the codes of one program.

    ``place`` writes an address as the language does, ``wish`` gives it a name for readers, ``function`` names the table
    or the user's function that a node calls.
    """

    notation: Notation
    place: Callable[[Address], str]
    wish: Callable[[Address], str]
    function: Callable[[Code, int], str]

    def write(self, region: Block | Scan, kind: int, names: Names) -> list[Statement | Put]:
        """One code of a region: its variables and its stores, with fresh names."""
        code = region.codes[kind]
        first, leaves = self._leaves(code, set(overwritten(region, kind)), names)
        roots, called = [s.value for s in code.stores], partial(self.function, code)
        found, texts = statements(code, [*roots, *_always(code)], leaves.__getitem__, self.notation, names, called)
        return [*first, *self._merged(code, found, texts[: len(roots)])]

    def _leaves(self, code: Code, kept: set[Address], names: Names) -> tuple[list[Statement], dict[int, str]]:
        """Loads that become variables (they are overwritten, or they have a label), and the name of every load."""
        first: list[Statement] = []
        keys: dict[int, str] = {}
        for i in (i for i, op in enumerate(code.op) if op == SYMBOL):
            address = code.loads[code.a[i]]
            keys[i], text = _free(self.wish(address), names), self.place(address)
            labels = code.labels.get(i, ())
            if labels or address in kept:
                name = names.take(labels[0].name if labels else keys[i])
                first.append(Statement(name, text, describe(labels), i))
                text = name
            names.leaves[keys[i]] = text
        return first, keys

    def _merged(self, code: Code, found: Sequence[Statement], texts: Sequence[str]) -> Iterator[Statement | Put]:
        """Variables, with each store behind the last one it needs; stores to one address keep their order."""
        after: list[list[Put]] = [[] for _ in range(len(found) + 1)]
        ready, latest = _ready(code, found), dict[Address, int]()
        for store, text in zip(code.stores, texts, strict=True):
            k = latest[store.to] = max(ready[store.value], latest.get(store.to, 0))
            after[k].append(Put(self.place(store.to), text, store.add, store.value))
        yield from after[0]
        for statement, puts in zip(found, after[1:], strict=True):
            yield statement
            yield from puts


def _always(code: Code) -> list[int]:
    """The user's functions that a choice might leave uncalled if they stood in it: these become variables."""
    return [i for i, op in enumerate(code.op) if op == CALL] if WHERE in code.op else []


def _free(wish: str, names: Names) -> str:
    """The wish, or something like it that names no other leaf."""
    while wish in names.leaves:
        wish += "'"
    return wish


def _ready(code: Code, found: Sequence[Statement]) -> list[int]:
    """For each node, how many of the variables must stand before it can be written."""
    place = {s.node: k + 1 for k, s in enumerate(found)}
    ready: list[int] = []
    for i in range(len(code)):
        ready.append(place.get(i) or max((ready[k] for k in operands(code, i)), default=0))
    return ready
