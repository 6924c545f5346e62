"""Sums and products of a graph as definitions of ``Sums``, and definitions as nodes again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from freebody.program.divisors import Cube
from freebody.program.sums import FACTORS, Sums, moderate, strip
from freebody.scalar.graph import Graph
from freebody.scalar.ops import ADD, CONST, MUL, NEG, SUB, WHERE
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live, operands, rebuild, transfer


def read(sums: Sums, roots: Sequence[int]) -> None:
    """The sums and products behind the roots as definitions; what is used once is part of what uses it."""
    reader = Reader(sums.g, roots)
    for i in reader.nodes:
        if i in reader.found and i not in reader.parts:
            sums.defs[i] = {}
            for sign, c, cube in reader.terms(i):
                sums.insert(i, sign, c, cube)
    sums.pinned |= {i for i in reader.asked if i in sums.defs}


class Reader:
    """Which live nodes are sums and products, and which of them are parts of others."""

    def __init__(self, g: Graph, roots: Sequence[int]) -> None:
        self.g, self.nodes = g, live(g, roots)
        self.broken = self._broken()
        self.found = {i for i in self.nodes if self._sum_or_product(i)}
        self.asked = {strip(g, r)[0] for r in roots}
        self.uses = self._uses(roots)
        self.width: dict[int, int] = {}
        self.parts: set[int] = set()
        for i in self.nodes:
            if i in self.found:
                self._gather(i)

    def _broken(self) -> set[int]:
        """Nodes that a number without a finite value reaches; a choice may avoid it."""
        g, broken = self.g, set(self.g.broken)
        for i in self.nodes if broken else ():
            if not broken.isdisjoint(operands(g, i)[: 1 if g.op[i] == WHERE else None]):
                broken.add(i)
        return broken

    def _sum_or_product(self, i: int) -> bool:
        return self.g.op[i] in (ADD, SUB, MUL) and self.g.mask[i] > PARAMETERS_ONLY and i not in self.broken

    def _uses(self, roots: Sequence[int]) -> dict[int, int]:
        """How often each node is used, signs left out; ``asked`` learns what other than sums and products use."""
        g, uses = self.g, dict.fromkeys(self.nodes, 0)
        for r in roots:
            uses[r] += 1
        for i in reversed(self.nodes):
            for k in operands(g, i):
                uses[k] += uses[i] if g.op[i] == NEG else 1
            if i not in self.found and g.op[i] != NEG:
                self.asked.update(strip(g, k)[0] for k in operands(g, i))
        return uses

    def _free(self, i: int) -> bool:
        """Whether a node can be part of a coefficient."""
        return self.g.mask[i] <= PARAMETERS_ONLY and i not in self.broken and moderate(self.g, i)

    def _gather(self, i: int) -> None:
        """Which operands of a sum or product are parts of it."""
        g, width = self.g, 0
        for k in (strip(g, k)[0] for k in operands(g, i)):
            once = k in self.found and self.uses[k] == 1
            if g.op[i] == MUL and once and g.op[k] == MUL and width + self.width[k] < FACTORS:
                self.parts.add(k)
                width += self.width[k]
            elif g.op[i] == MUL:
                width += not self._free(k)
            elif once:
                self.parts.add(k)
        self.width[i] = width

    def terms(self, i: int) -> Iterator[tuple[int, int, list[int]]]:
        """Sign, coefficient and factors of each term of a definition."""
        g, todo = self.g, [(i, 1)]
        while todo:
            k, sign = strip(g, *todo.pop())
            if g.op[k] in (ADD, SUB) and (k == i or k in self.parts):
                todo += [(g.b[k], sign if g.op[k] == ADD else -sign), (g.a[k], sign)]
            else:
                yield self._product(i, k, sign)

    def _product(self, i: int, k: int, sign: int) -> tuple[int, int, list[int]]:
        g, c, cube, todo = self.g, self.g.one, list[int](), [k]
        while todo:
            x, sign = strip(g, todo.pop(), sign)
            if g.op[x] == MUL and (x == i or x in self.parts):
                todo += [g.b[x], g.a[x]]
            elif self._free(x) and moderate(g, c, x):
                c, sign = strip(g, g.mul(c, x), sign)
            else:
                cube.append(x)
        return sign, c, cube


@dataclass
class Written:
    """Definitions as nodes of a graph of its own; ``time`` says when each node's turn is (see ``order``)."""

    graph: Graph
    roots: list[int]
    time: dict[int, int]


def write(sums: Sums, roots: Sequence[int]) -> Written:
    """The roots built from the definitions; the names of a node go to what it has become."""
    writer = Writer(sums)
    for i in writer.order(roots):
        writer.build(i)
    return Written(writer.target, [writer.done[r] for r in roots], writer.at)


class Writer:
    """Nodes and definitions written one after the other. Time is told in handles of the old graph, whose order is that
    of the algorithm: a term's is that of its latest factor, and sums take their terms in the order of time, so that few
    of them wait for others."""

    def __init__(self, sums: Sums) -> None:
        self.sums, self.g, self.target = sums, sums.g, Graph()
        self.time: dict[int, int] = {}
        self.done: dict[int, int] = {}
        self.at: dict[int, int] = {}

    def order(self, roots: Sequence[int]) -> Iterator[int]:
        """Each node and definition after those it needs, with its time."""
        todo = list(reversed(roots))
        while todo:
            i = todo.pop()
            needed = self._needed(i)
            missing = [k for k in needed if k not in self.time]
            if missing:
                todo += [i, *reversed(missing)]
            elif i not in self.time:
                self.time[i] = max(i, *(self.time[k] for k in needed), 0)
                yield i

    def _needed(self, i: int) -> Sequence[int]:
        if i in self.sums.defs:
            return [x for q in self.sums.defs[i] for x in q]
        return operands(self.g, i) if self.g.mask[i] > PARAMETERS_ONLY else ()

    def build(self, i: int) -> None:
        g = self.g
        if i in self.sums.defs:
            self.done[i] = self._sum(i)
        elif g.mask[i] <= PARAMETERS_ONLY:
            self.done[i] = self._fixed(i)
        else:
            self.done[i] = self._note(rebuild(g, i, self.target, self.done, self.target.const), self.time[i])
        new = self.done[i]
        for label in g.labels.get(i, ()) if self.target.op[new] != CONST else ():
            self.target.label(new, label.name, label.description)

    def _fixed(self, i: int) -> int:
        """What depends on parameters alone."""
        self.done.update(transfer(self.g, [i], self.target, self.done))
        return self.done[i]

    def _sum(self, i: int) -> int:
        result, now = self.target.zero, 0
        for time, sign, c, cube in self._terms(i):
            product, now = self.target.one, max(now, time)
            for x in sorted(cube, key=self.time.__getitem__):
                product = self._note(self.target.mul(product, self.done[x]), time)
            value = self._note(self.target.mul(self._fixed(c), product), time)
            add = self.target.add if sign > 0 else self.target.sub
            result = self._note(add(result, value), now)
        return result

    def _terms(self, i: int) -> list[tuple[int, int, int, Cube]]:
        """Time, sign, coefficient and factors of the terms of a definition, in the order of time."""
        terms = [self.sums.term[t] for t in self.sums.defs[i].values()]
        made = [(max((self.time[x] for x in q), default=0), sign, c, q) for _, sign, c, q in terms]
        return sorted(made, key=lambda term: term[0])

    def _note(self, node: int, time: int) -> int:
        self.at.setdefault(node, time)
        return node
