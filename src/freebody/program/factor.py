"""Sums of products rewritten with fewer operations: x·a + x·b → x·(a + b), and what several sums share formed once.

Every sum and product behind the roots becomes a *definition*: a sum of terms, each a sign, a coefficient of numbers and
parameters (computed once, so free) and a *cube*, the factors that change from call to call. Divisors are pulled out,
those that save most first (fast extract: Rajski & Vasudevamurthy 1992; for polynomials Hosangadi, Fallah & Kastner
2006):

- two terms, b·r + b·s → b·D with D = r + s, in all sums that contain a multiple of D; sin² + cos² is 1;
- two factors, x·y → D in all products that contain both.

When no divisor saves anything more, definitions are opened where they are used, products multiplied out into sums, and
divisors pulled out anew; what then costs more is undone. It pays to open together what has the same factors, as the
components of a rotated vector have (c·a + s·b + l·(c·f + s·g) is c·(a + l·f) + s·(b + l·g)), products in some part of
the program, and what stands inside definitions of the same factors.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from freebody.program.count import operations
from freebody.program.sums import FACTORS, Key, SumTable, Term, TermPair, common, moderate, strip
from freebody.scalar.graph import Graph
from freebody.scalar.ops import ADD, CONST, MUL, NEG, SUB, WHERE
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live, operands, rebuild, transfer

TERMS = 32  # the longest sum that opening makes
PART = 16  # definitions that are opened together because they are near each other
WORK = 20_000  # terms the search may write, and a few more for each there is

Definitions = Sequence[int]
Opening = tuple[int, int]  # a definition and a term that contains it


@dataclass
class Factored:
    """Definitions as nodes of a graph of their own; ``time`` orders the nodes (see ``shorten.ordered``)."""

    graph: Graph
    roots: list[int]
    time: dict[int, int]


def factored(g: Graph, roots: Sequence[int], work: int = WORK) -> Factored | None:
    """The roots with fewer operations (additions, multiplications and divisions of what depends on more than
    parameters), equal up to rounding, in a graph of their own; None if none can be saved. ``work`` bounds the search; 0
    only pulls out the divisors there are."""
    search = FactorSearch(g)
    read(search, roots)
    search.settle()
    search.improve(work + 2 * search.written if work else 0)
    factored = write(search, roots)
    return factored if operations(factored.graph, factored.roots) < operations(g, roots) else None


# From nodes to definitions


def read(sums: SumTable, roots: Sequence[int]) -> None:
    """The sums and products behind the roots as definitions; what is used once is part of what uses it."""
    reader = SumReader(sums.g, roots)
    for i in reader.nodes:
        if i in reader.arithmetic and i not in reader.parts:
            sums.defs[i] = {}
            for sign, c, cube in reader.terms(i):
                sums.insert(i, sign, c, cube)
    sums.pinned |= {i for i in reader.needed if i in sums.defs}


class SumReader:
    """Which live nodes are sums and products, and which of them are parts of others."""

    def __init__(self, g: Graph, roots: Sequence[int]) -> None:
        self.g, self.nodes = g, live(g, roots)
        self.broken = set(g.broken)  # nodes that a number without a finite value reaches; a choice may avoid it
        for i in self.nodes if self.broken else ():
            if not self.broken.isdisjoint(operands(g, i)[: 1 if g.op[i] == WHERE else None]):
                self.broken.add(i)
        varying = (i for i in self.nodes if g.mask[i] > PARAMETERS_ONLY and i not in self.broken)
        self.arithmetic = {i for i in varying if g.op[i] in (ADD, SUB, MUL)}
        self.needed = {strip(g, r)[0] for r in roots}  # by roots, and by other operations than sums and products
        self.uses = dict.fromkeys(self.nodes, 0)  # signs left out
        for r in roots:
            self.uses[r] += 1
        for i in reversed(self.nodes):
            for k in operands(g, i):
                self.uses[k] += self.uses[i] if g.op[i] == NEG else 1
            if i not in self.arithmetic and g.op[i] != NEG:
                self.needed.update(strip(g, k)[0] for k in operands(g, i))
        self.width: dict[int, int] = {}
        self.parts: set[int] = set()
        for i in self.nodes:
            if i in self.arithmetic:
                self._gather(i)

    def _free(self, i: int) -> bool:
        """Whether a node can be part of a coefficient."""
        return self.g.mask[i] <= PARAMETERS_ONLY and i not in self.broken and moderate(self.g, i)

    def _gather(self, i: int) -> None:
        """Which operands of a sum or product are parts of it."""
        g, width = self.g, 0
        for k in (strip(g, k)[0] for k in operands(g, i)):
            once = k in self.arithmetic and self.uses[k] == 1
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


# From definitions to nodes


def write(sums: SumTable, roots: Sequence[int]) -> Factored:
    """The roots built from the definitions; a node's labels go to the node that replaces it."""
    writer = SumWriter(sums)
    for i in writer.order(roots):
        writer.build(i)
    return Factored(writer.target, [writer.done[r] for r in roots], writer.at)


class SumWriter:
    """Nodes and definitions written one after the other. Time is measured in handles of the old graph, whose order is
    that of the algorithm: a term's is that of its latest factor, and sums take their terms in the order of time, so
    that few values wait for others."""

    def __init__(self, sums: SumTable) -> None:
        self.sums, self.g, self.target = sums, sums.g, Graph()
        self.time: dict[int, int] = {}
        self.done: dict[int, int] = {}
        self.at: dict[int, int] = {}

    def order(self, roots: Sequence[int]) -> Iterator[int]:
        """Each node and definition after those it needs, with its time."""
        todo = list(reversed(roots))
        while todo:
            i = todo.pop()
            if i in self.sums.defs:
                needed: Sequence[int] = [x for q in self.sums.defs[i] for x in q]
            else:
                needed = operands(self.g, i) if self.g.mask[i] > PARAMETERS_ONLY else ()
            missing = [k for k in needed if k not in self.time]
            if missing:
                todo += [i, *reversed(missing)]
            elif i not in self.time:
                self.time[i] = max(i, *(self.time[k] for k in needed), 0)
                yield i

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
        """The node of a definition."""
        terms = [self.sums.term[t] for t in self.sums.defs[i].values()]
        timed = [(max((self.time[x] for x in q), default=0), sign, c, q) for _, sign, c, q in terms]
        result, now = self.target.zero, 0
        for time, sign, c, cube in sorted(timed, key=lambda term: term[0]):
            product, now = self.target.one, max(now, time)
            for x in sorted(cube, key=self.time.__getitem__):
                product = self._note(self.target.mul(product, self.done[x]), time)
            value = self._note(self.target.mul(self._fixed(c), product), time)
            add = self.target.add if sign > 0 else self.target.sub
            result = self._note(add(result, value), now)
        return result

    def _note(self, node: int, time: int) -> int:
        self.at.setdefault(node, time)
        return node


# The search


class FactorSearch(SumTable):
    """Pull out divisors; open definitions and look whether there are better ones."""

    end = 0  # no opening once so many terms were written

    # Divisors

    def settle(self) -> None:
        """Pull out divisors as long as that saves operations, those that save most first, sums before products."""
        heap: list[tuple[int, bool, int, Key]] = []
        number = 0
        while True:
            self.compare()
            for key in self.divisors.news():
                gain, _ = self.divisors.gain(key)
                if gain > 0:
                    number += 1
                    heapq.heappush(heap, (-gain, key[0] == 0, number, key))
            if not self._pull_best(heap) and not self.flatten():
                return

    def _pull_best(self, heap: list[tuple[int, bool, int, Key]]) -> bool:
        while heap:
            expected, product, number, key = heapq.heappop(heap)
            gain, pairs = self.divisors.gain(key)
            if gain == -expected:
                self._pull_out(key, pairs)
                return True
            if gain > 0:
                heapq.heappush(heap, (-gain, product, number, key))
        return False

    def _pull_out(self, key: Key, pairs: Sequence[TermPair]) -> None:
        D, turned = (0, 1) if self.divisors.unit(key) else self._home(key, pairs)
        for i, j in pairs:
            if i in self.term and j in self.term and self.term[i][0] != D:
                owner, sign, c, base = self._remainder(key, i, j)
                for t in {i, j}:
                    self.remove(t)
                self.insert(owner, sign * turned, c, (*base, D) if D else base)

    def _remainder(self, key: Key, i: int, j: int) -> Term:
        """The remainder of a term, or of two together, without the divisor."""
        owner, sign, c, q = self.term[i]
        if i == j:
            return owner, sign, c if key[1] == 1 else 1, common(q, key[3])[1]
        return owner, *self.divisors.split(self.term[i], self.term[j])[1:]

    def _home(self, key: Key, pairs: Sequence[TermPair]) -> tuple[int, int]:
        """The definition that is the divisor up to a sign, and the sign; a new one if there is none."""
        for i, j in pairs:
            owner, turned, c, base = self._remainder(key, i, j)
            if not base and c == 1 and len(self.defs[owner]) == len({i, j}):
                return owner, turned
        D, (sign, c, d, q, r) = self.define(), key
        self.insert(D, 1, c, q)
        if sign:
            self.insert(D, sign, d, r)
        return D, 1

    # Openings

    def improve(self, work: int) -> None:
        """Try openings until none helps, or so many terms were written."""
        self.log.clear()
        self.end, before = self.written + work, self.cost + 1
        while self.cost < before:
            before = self.cost
            for groups, openings, products, sums in MOVES:
                for group in groups(self):
                    if self.written >= self.end:
                        return
                    self.attempt(openings(self, group), products, sums)

    def attempt(self, openings: Iterator[Opening], products: int, sums: int) -> None:
        """Open products and sums that are used so often at most. What costs more is undone; what costs the same
        stays, as another start for what follows."""
        before = self.cost
        for d, t in openings:
            size = len(self.defs[d])
            if t not in self.term or self.written >= self.end or self.uses(d) > (products if size == 1 else sums):
                continue
            if (size == 1 or size + len(self.defs[self.term[t][0]]) <= TERMS + 1) and self.fits(d, t):
                self.open(d, t)
        if self.log:
            self.settle()
            if self.cost > before:
                self.undo()
            self.log.clear()

    def outside(self, group: Definitions) -> Iterator[Opening]:
        """The definitions of a group, where they are used."""
        return ((d, t) for d in group for t in list(self.refs.get(d, ())))

    def inside(self, group: Definitions) -> Iterator[Opening]:
        """What is used in the definitions of a group, there."""
        needed = dict.fromkeys(x for d in group for q in self.defs[d] for x in q if x in self.defs)
        return ((x, t) for d in group for x in needed for q, t in list(self.defs[d].items()) if x in q)

    # Groups of definitions

    def alike(self) -> list[Definitions]:
        """Definitions that have the same factors."""
        groups: dict[frozenset[int], list[int]] = {}
        for d in self.order():
            groups.setdefault(frozenset(x for q in self.defs[d] for x in q), []).append(d)
        return list(groups.values())

    def parts(self) -> list[Definitions]:
        order = self.order()
        return [order[k : k + PART] for k in range(0, len(order), PART)]

    def everything(self) -> list[Definitions]:
        return [self.order()]

    def order(self) -> list[int]:
        """The definitions, each after those it needs."""
        ordered: dict[int, None] = {}
        begun: set[int] = set()
        todo = sorted(self.pinned, reverse=True)
        while todo:
            d = todo.pop()
            if d in begun:
                ordered[d] = None
            elif d in self.defs:
                begun.add(d)
                todo += [d, *(x for q in self.defs[d] for x in q if x not in begun)]
        return list(ordered)


Groups = Callable[[FactorSearch], list[Definitions]]
Openings = Callable[[FactorSearch, Definitions], Iterator[Opening]]
MOVES: tuple[tuple[Groups, Openings, int, int], ...] = (
    (FactorSearch.alike, FactorSearch.outside, 0, 1),
    (FactorSearch.everything, FactorSearch.outside, 9, 0),
    (FactorSearch.everything, FactorSearch.outside, 3, 1),
    (FactorSearch.alike, FactorSearch.outside, 3, 3),
    (FactorSearch.parts, FactorSearch.outside, 9, 0),
    (FactorSearch.parts, FactorSearch.outside, 3, 1),
    (FactorSearch.alike, FactorSearch.inside, 9, 9),
)
"""Groups of definitions, where they are opened, and how often products and sums may be used to be opened."""
