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

from freebody.program.count import operations
from freebody.program.divisors import Key, Place, Term, common
from freebody.program.expand import Written, read, write
from freebody.program.sums import Sums
from freebody.scalar.graph import Graph

TERMS = 32  # the longest sum that opening makes
PART = 16  # definitions that are opened together because they are near each other
WORK = 20_000  # terms the search may write, and a few more for each there is

Region = Sequence[int]
Opening = tuple[int, int]  # a definition and a term that contains it


def factored(g: Graph, roots: Sequence[int], work: int = WORK) -> Written | None:
    """The roots with fewer operations (additions, multiplications and divisions of what depends on more than
    parameters), equal up to rounding, in a graph of their own; None if none can be saved. ``work`` bounds the search; 0
    only pulls out the divisors there are."""
    search = Search(g)
    read(search, roots)
    search.settle()
    search.improve(work + 2 * search.written if work else 0)
    found = write(search, roots)
    return found if operations(found.graph, found.roots) < operations(g, roots) else None


class Search(Sums):
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
            gain, places = self.divisors.gain(key)
            if gain == -expected:
                self._pull_out(key, places)
                return True
            if gain > 0:
                heapq.heappush(heap, (-gain, product, number, key))
        return False

    def _pull_out(self, key: Key, places: Sequence[Place]) -> None:
        D, turned = (0, 1) if self.divisors.unit(key) else self._home(key, places)
        for i, j in places:
            if i in self.term and j in self.term and self.term[i][0] != D:
                owner, sign, c, base = self._rest(key, i, j)
                for t in {i, j}:
                    self.remove(t)
                self.insert(owner, sign * turned, c, (*base, D) if D else base)

    def _rest(self, key: Key, i: int, j: int) -> Term:
        """What is left of a term, or of two together, without the divisor."""
        owner, sign, c, q = self.term[i]
        if i == j:
            return owner, sign, c if key[1] == 1 else 1, common(q, key[3])[1]
        return owner, *self.divisors.split(self.term[i], self.term[j])[1:]

    def _home(self, key: Key, places: Sequence[Place]) -> tuple[int, int]:
        """The definition that is the divisor up to a sign, and the sign; a new one if there is none."""
        for i, j in places:
            owner, turned, c, base = self._rest(key, i, j)
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
            for regions, openings, products, sums in MOVES:
                for region in regions(self):
                    if self.written >= self.end:
                        return
                    self.attempt(openings(self, region), products, sums)

    def attempt(self, openings: Iterator[Opening], products: int, sums: int) -> None:
        """Open products and sums that are used so often at most. What costs more is undone; what costs the same is
        kept, as another start for what follows."""
        before = self.cost
        for d, t in openings:
            most = products if len(self.defs[d]) == 1 else sums
            if t in self.term and self.written < self.end and self._may_open(d, t, most):
                self.open(d, t)
        if self.log:
            self.settle()
            if self.cost > before:
                self.undo()
            self.log.clear()

    def _may_open(self, d: int, t: int, most: int) -> bool:
        size = len(self.defs[d])
        short = size == 1 or size + len(self.defs[self.term[t][0]]) <= TERMS + 1
        return short and self.uses(d) <= most and self.fits(d, t)

    def outside(self, region: Region) -> Iterator[Opening]:
        """The definitions of a region, where they are used."""
        return ((d, t) for d in region for t in list(self.refs.get(d, ())))

    def inside(self, region: Region) -> Iterator[Opening]:
        """What is used in the definitions of a region, there."""
        needed = dict.fromkeys(x for d in region for q in self.defs[d] for x in q if x in self.defs)
        return ((x, t) for d in region for x in needed for q, t in list(self.defs[d].items()) if x in q)

    # Regions

    def alike(self) -> list[Region]:
        """Definitions that have the same factors."""
        groups: dict[frozenset[int], list[int]] = {}
        for d in self.order():
            groups.setdefault(frozenset(x for q in self.defs[d] for x in q), []).append(d)
        return list(groups.values())

    def parts(self) -> list[Region]:
        order = self.order()
        return [order[k : k + PART] for k in range(0, len(order), PART)]

    def everything(self) -> list[Region]:
        return [self.order()]

    def order(self) -> list[int]:
        """The definitions, each after those it needs."""
        found: dict[int, None] = {}
        begun: set[int] = set()
        todo = sorted(self.pinned, reverse=True)
        while todo:
            d = todo.pop()
            if d in begun:
                found[d] = None
            elif d in self.defs:
                begun.add(d)
                todo += [d, *(x for q in self.defs[d] for x in q if x not in begun)]
        return list(found)


MOVES: tuple[tuple[Callable[[Search], list[Region]], Callable[[Search, Region], Iterator[Opening]], int, int], ...] = (
    (Search.alike, Search.outside, 0, 1),
    (Search.everything, Search.outside, 9, 0),
    (Search.everything, Search.outside, 3, 1),
    (Search.alike, Search.outside, 3, 3),
    (Search.parts, Search.outside, 9, 0),
    (Search.parts, Search.outside, 3, 1),
    (Search.alike, Search.inside, 9, 9),
)
"""Regions, where they are opened, and how often products and sums may be used to be opened."""
