"""Sums and products of a graph as definitions of ``Sums``, and definitions as nodes again."""

from collections.abc import Iterator, Mapping, Sequence

from freebody.scalar.graph import Graph
from freebody.scalar.ops import ADD, CONST, MUL, NEG, SUB, WHERE
from freebody.scalar.sums import FACTORS, Sums, moderate, strip
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live, operands, rebuild


def read(sums: Sums, roots: Sequence[int]) -> None:
    """The sums and products behind the roots as definitions; what is used once is part of what uses it."""
    reader = Reader(sums.g, roots)
    for i in reader.nodes:
        if i in reader.found and i not in reader.parts:
            sums.defs[i] = {}
            terms = list(reader.terms(i))
            for sign, c, cube in terms:
                sums.insert(i, sign, c, cube)
            if len(terms) == len(sums.defs[i]):
                sums.given[i] = set(sums.defs[i].values())
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


def write(sums: Sums, roots: Sequence[int]) -> list[int]:
    """The roots built anew from the definitions; the names of a node go to what it has become."""
    g, done, todo = sums.g, dict[int, int](), list(reversed(roots))
    while todo:
        i = todo.pop()
        needed = _needed(sums, i)
        missing = [k for k in needed if k not in done]
        if missing:
            todo += [i, *reversed(missing)]
        elif i not in done:
            same = _unchanged(sums, i) and all(done[k] == k for k in needed)
            done[i] = i if same else _built(sums, i, done)
            _name(g, i, done[i])
    return [done[r] for r in roots]


def _name(g: Graph, old: int, new: int) -> None:
    if new != old and g.op[new] != CONST:
        for label in g.labels.get(old, ()):
            g.label(new, label.name, label.description)


def _needed(sums: Sums, i: int) -> Sequence[int]:
    if i in sums.defs:
        return [x for q in sums.defs[i] for x in q]
    return operands(sums.g, i) if sums.g.mask[i] > PARAMETERS_ONLY else ()


def _unchanged(sums: Sums, i: int) -> bool:
    return i not in sums.defs or sums.given.get(i) == set(sums.defs[i].values())


def _built(sums: Sums, i: int, done: Mapping[int, int]) -> int:
    g, result = sums.g, sums.g.zero
    if i not in sums.defs:
        return rebuild(g, i, g, done, g.const)
    for cube, t in sums.defs[i].items():
        _, sign, c, _ = sums.term[t]
        product = g.one
        for x in cube:
            product = g.mul(product, done[x])
        value = g.mul(c, product)
        result = g.add(result, value) if sign > 0 else g.sub(result, value)
    return result
