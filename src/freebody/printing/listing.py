"""A program as lines to read: what the text and the LaTeX backend lay out, each in its own notation.

Numbers in buffers go by names: an input by its element's, outputs and work buffers by index (``u_dot[0]``), inside a
scan by the step (``v[6*i + 2]``). What one block only hands to a later one keeps the name of its variable.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freebody.printing.places import Places, overwritten
from freebody.program.code import Address, Store
from freebody.program.program import Block, Program, Region, Scan, Solve, buffers_of
from freebody.scalar.notation import Notation
from freebody.scalar.ops import SYMBOL
from freebody.scalar.printing import Names, statements
from freebody.scalar.symbol import PARAMETERS_ONLY


@dataclass(frozen=True, slots=True)
class Line:
    """name = text (or name += text), and what it is."""

    name: str
    text: str
    description: str = ""
    add: bool = False


Lines = tuple[Line, ...]


@dataclass(frozen=True)
class Loop:
    """A scan: its index lists that follow no rule, by name, and the lines of each kind of step."""

    scan: Scan
    indices: Mapping[str, tuple[int, ...]]
    kinds: tuple[Lines, ...]


Part = Lines | Loop | Solve


@dataclass(frozen=True)
class Listing:
    """A program's inputs, as they are written, by group, and its regions in order."""

    inputs: Mapping[str, tuple[str, ...]]
    parts: tuple[Part, ...]


def listing(program: Program, notation: Notation) -> Listing:
    """A program as lines in a notation."""
    lister = _Lister(program, notation)
    inputs = {group: tuple(map(lister.names.leaf, names)) for group, names in lister.places.elements.items()}
    return Listing(inputs, tuple(lister.part(region) for region in program.regions))


class _Lister:
    """One listing, with the names given so far and those to be kept free."""

    def __init__(self, program: Program, notation: Notation) -> None:
        self.program, self.notation = program, notation
        self.places = Places(program)
        self.parameters = {g.name for g in program.groups if g.mask <= PARAMETERS_ONLY}
        self.handed = _handed(program)
        labels = Counter(x[0].name for code in program.blocks for x in code.labels.values())
        self.names = Names(notation.name, labels)
        self._reserve(labels)

    def _reserve(self, labels: Mapping[str, int]) -> None:
        """Keep the names of inputs and results free; a result may share the name of the variable it is."""
        for names in self.places.elements.values():
            for name in names:
                self.names.leaf(name)
        for code in self.program.blocks:
            for store in code.stores:
                name = self.places.name(store.to) if store.to.row < 0 else ""
                own = [x.name for x in code.labels.get(store.value, ())[:1]] == [name] and labels[name] == 1
                if name and not own:
                    self.names.leaf(name)

    def part(self, region: Region) -> Part:
        if isinstance(region, Solve):
            return region
        if isinstance(region, Block):
            return self._lines(region, 0)
        return Loop(region, self.places.lists(region), tuple(self._local(region, k) for k in range(len(region.codes))))

    def _local(self, scan: Scan, kind: int) -> Lines:
        """The lines of a step; the names of its variables are free again after it."""
        taken = set(self.names.taken)
        lines = self._lines(scan, kind)
        self.names.taken = taken
        return lines

    def _lines(self, region: Block | Scan, kind: int) -> Lines:
        """One code: old values that its stores would overwrite, its variables, its stores."""
        code = region.codes[kind]
        scan = region if isinstance(region, Scan) else None
        lines, keys = self._kept(region, kind)

        def leaf(i: int) -> str:
            address = code.loads[code.a[i]]
            return keys.get(address) or self.places.name(address, scan)

        handed = [s.value for s in code.stores if s.to.buffer in self.handed]  # used again: they become variables
        found, texts = statements(
            code, [*(s.value for s in code.stores), *handed], leaf, self.notation, self.names,
            constant=lambda i: code.loads[code.a[i]].buffer in self.parameters,
        )  # fmt: skip
        lines += [Line(s.name, s.text, s.description) for s in found]
        named = {s.node for s in found} | {i for i, op in enumerate(code.op) if op == SYMBOL}
        stored = zip(code.stores, texts[: len(code.stores)], strict=True)
        return (*lines, *(x for s, text in stored for x in self._store(s, text, s.value in named, scan)))

    def _kept(self, region: Block | Scan, kind: int) -> tuple[list[Line], dict[Address, str]]:
        """Loads come before stores: what is read and then overwritten is read into a variable first."""
        lines, keys = [], {}
        for address in overwritten(region, kind):
            name = self.places.name(address, region if isinstance(region, Scan) else None)
            key = keys[address] = f"{name} before {len(self.names.leaves)}"
            self.names.leaves[key] = self.names.take(f"{address.buffer}_old")
            lines.append(Line(self.names.leaves[key], self.names.leaf(name)))
        return lines, keys

    def _store(self, store: Store, text: str, named: bool, scan: Scan | None) -> Sequence[Line]:
        """The line of a store; none where the value goes by its own name."""
        place = self.places.name(store.to, scan)
        if named and store.to.buffer in self.handed:
            self.names.leaves[place] = text
            return []
        target = self.names.leaf(place)
        return [Line(target, text, "", store.add)] if target != text else []


def _handed(program: Program) -> set[str]:
    """The work buffers that blocks alone use, each number of which is written once."""
    used = {b for r in program.regions if not isinstance(r, Block) for side in buffers_of(r) for b in side}
    writes = Counter(s.to for code in program.blocks for s in code.stores)
    used |= {to.buffer for to, times in writes.items() if times > 1}
    return {w.name for w in program.work if not (w.zeroed or w.table)} - used
