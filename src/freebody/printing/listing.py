"""A program as formulas in any notation; text, LaTeX and MathML use it.

Numbers in buffers go by names: an input by its element's, outputs and work buffers by index (``u_dot[0]``), inside a
scan by the step (``v[6*i + 2]``). What one block only hands to a later one keeps the name of its variable.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from freebody.printing.addresses import AddressNames, overwritten
from freebody.program.code import Address
from freebody.program.program import Block, Program, Scan, Solve, buffers_of
from freebody.scalar.node import Node
from freebody.scalar.notation import Notation
from freebody.scalar.ops import SYMBOL
from freebody.scalar.printing import UniqueNames, statements
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import operands

MOST = 40  # numbers of an index list or a table that are shown

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FormulaLine:
    """name = text (or name += text), what it is, and the names that it uses."""

    name: str
    text: str
    description: str = ""
    add: bool = False
    uses: frozenset[str] = frozenset()


Formulas = tuple[FormulaLine, ...]


@dataclass(frozen=True)
class Loop:
    """A scan: its index lists that are not evenly spaced, by name, and the formulas of each kind of step."""

    scan: Scan
    indices: Mapping[str, tuple[int, ...]]
    kinds: tuple[Formulas, ...]

    def steps(self, kind: int) -> list[int]:
        """The steps of one kind."""
        return [k for k, of_step in enumerate(self.scan.kinds) if of_step == kind]


Part = Formulas | Loop | Solve


def wholes(formulas: Formulas, remarks: Sequence[str]) -> list[int]:
    """For each formula the index of the one that it is part of: itself where it has a remark or no later formula uses
    it, else the first that uses it, or what that one is part of."""
    user: dict[str, int] = {}
    for k, formula in enumerate(formulas):
        for used in formula.uses:
            user.setdefault(used, k)
    whole = list(range(len(formulas)))
    for k in reversed(range(len(formulas))):
        if not remarks[k] and user.get(formulas[k].name, k) > k:
            whole[k] = whole[user[formulas[k].name]]
    return whole


def clean(text: str) -> str:
    """Any text on one line, with visible characters only."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def some(values: Sequence[T], dots: str = "…", write: Callable[[T], str] = str) -> str:
    """The values with commas, the first of many."""
    return ", ".join([*map(write, values[:MOST]), *[dots][: len(values) > MOST]])


def listing(program: Program, notation: Notation) -> tuple[Mapping[str, tuple[str, ...]], list[Part]]:
    """A program as formulas in a notation: its inputs, as they are written, by group, and its regions in order."""
    lister, parts = _Lister(program, notation), list[Part]()
    inputs = {group: tuple(map(lister.names.leaf, names)) for group, names in lister.addresses.elements.items()}
    for region in program.regions:
        if isinstance(region, Solve):
            parts.append(region)
        elif isinstance(region, Block):
            parts.append(lister.formulas(region, 0))
        else:
            kinds = []
            for kind in range(len(region.codes)):  # the names of a step's variables are free again after it
                taken = set(lister.names.taken)
                kinds.append(lister.formulas(region, kind))
                lister.names.taken = taken
            parts.append(Loop(region, lister.addresses.lists(region), tuple(kinds)))
    return inputs, parts


class _Lister:
    """The state of one listing: the names in use, and those reserved for inputs and results.

    ``handed`` are the work buffers that blocks alone use, each number of which is written once.
    """

    def __init__(self, program: Program, notation: Notation) -> None:
        self.notation, self.addresses = notation, AddressNames(program)
        self.parameters = {g.name for g in program.groups if g.mask <= PARAMETERS_ONLY}
        shared = {b for r in program.regions if not isinstance(r, Block) for side in buffers_of(r) for b in side}
        writes = Counter(s.to for code in program.blocks for s in code.stores)
        shared |= {to.buffer for to, times in writes.items() if times > 1}
        self.handed = {w.name for w in program.work if not (w.zeroed or w.table)} - shared
        labels = Counter(x[0].name for code in program.blocks for x in code.labels.values())
        self.names = UniqueNames(notation.name, labels)
        for names in self.addresses.elements.values():
            for name in names:
                self.names.leaf(name)
        for code in program.blocks:  # a result may have the name of the variable that it is
            for store in code.stores:
                name = self.addresses.name(store.to) if store.to.row < 0 else ""
                label = [x.name for x in code.labels.get(store.value, ())[:1]]
                if name and not (label == [name] and labels[name] == 1):
                    self.names.leaf(name)

    def formulas(self, region: Block | Scan, kind: int) -> Formulas:
        """One code: old values that its stores would overwrite, its variables, its stores."""
        code = region.codes[kind]
        scan = region if isinstance(region, Scan) else None
        formulas, keys = list[FormulaLine](), dict[Address, str]()
        for address in overwritten(region, kind):  # loads come before stores: the old value is read into a variable
            name = self.addresses.name(address, scan)
            key = keys[address] = f"{name} before {len(self.names.leaves)}"
            self.names.leaves[key] = self.names.take(f"{address.buffer}_old")
            formulas.append(FormulaLine(self.names.leaves[key], self.names.leaf(name)))

        def leaf(i: int) -> str:
            address = code.loads[code.a[i]]
            return keys.get(address) or self.addresses.name(address, scan)

        handed = [s.value for s in code.stores if s.to.buffer in self.handed]  # used again: they become variables
        variables, texts = statements(
            code,
            [*(s.value for s in code.stores), *handed],
            leaf,
            self.notation,
            self.names,
            constant=lambda i: code.loads[code.a[i]].buffer in self.parameters,
        )
        named = {i: self.names.leaf(leaf(i)) for i, op in enumerate(code.op) if op == SYMBOL}
        named |= {s.node: s.name for s in variables}

        def uses(*nodes: Node) -> frozenset[str]:
            used, todo = set(), [*nodes]
            while todo:
                i = todo.pop()
                if i in named:
                    used.add(named[i])
                else:
                    todo += operands(code, i)
            return frozenset(used)

        formulas += [FormulaLine(s.name, s.text, s.description, uses=uses(*operands(code, s.node))) for s in variables]
        for store, text in zip(code.stores, texts, strict=False):
            key = self.addresses.name(store.to, scan)
            if store.value in named and store.to.buffer in self.handed:
                self.names.leaves[key] = text  # the value goes by the name of its variable
            elif (target := self.names.leaf(key)) != text:
                formulas.append(FormulaLine(target, text, "", store.add, uses(store.value)))
        return tuple(formulas)
