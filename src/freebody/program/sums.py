"""Sums of products as lists of terms that are changed step by step, every step logged so that it can be undone."""

from collections.abc import Iterable
from itertools import islice

from freebody.program.divisors import LARGE, Cube, Divisors, Entry, Key, Term, price
from freebody.scalar.graph import Graph
from freebody.scalar.ops import CONST, NEG

FACTORS = 6  # the longest product that is written out
NEAR = 12  # terms further apart in a sum are not compared

Entries = tuple[set[Key], dict[int, Entry]]


def strip(g: Graph, i: int, sign: int = 1) -> tuple[int, int]:
    """A node without the signs outside it, and these together."""
    while g.op[i] == NEG:
        i, sign = g.a[i], -sign
    return i, sign


def moderate(g: Graph, *nodes: int) -> bool:
    """Whether the product of the numbers among these is neither huge nor tiny."""
    product = 1.0
    for i in nodes:
        if g.op[i] == CONST:
            product *= float(g.numbers[g.a[i]])
    return 1 / LARGE < product < LARGE


class Sums:
    """Definitions: each is the sum of its terms, whose factors are nodes of the graph or other definitions. One that
    stands for a node has its handle; those made on the way have negative ones."""

    def __init__(self, g: Graph) -> None:
        self.g, self.divisors = g, Divisors(g)
        self.term: dict[int, Term] = {}
        self.defs: dict[int, dict[Cube, int]] = {}  # the terms of each definition
        self.refs: dict[int, dict[int, None]] = {}  # the terms that contain a factor
        self.pinned: set[int] = set()  # definitions needed by other than sums and products
        self.cost = 0  # additions and multiplications of all definitions
        self.written = 0  # terms put so far, undone ones included
        self.log: list[tuple[int, Term | None, Entries | None]] = []
        self._touched: dict[int, None] = {}
        self._fresh: dict[int, None] = {}  # terms not yet compared with others
        self._single: dict[int, None] = {}  # sums that may have become part of another
        self._count = self._made = 0

    # Terms

    def insert(self, d: int, sign: int, c: int, cube: Iterable[int]) -> None:
        """Add a term to a definition; one of the same cube is joined with it."""
        g, q = self.g, tuple(sorted(cube))
        same = self.defs[d].get(q)
        if same is not None:
            _, s, k, _ = self.remove(same)
            c, sign = strip(g, g.add(k, c) if s == sign else g.sub(k, c), s)
        if g.number(c) != 0:
            self._count += 1
            self._put(self._count, (d, sign, c, q))
            self._fresh[self._count] = None
            self.log.append((self._count, None, None))

    def remove(self, t: int) -> Term:
        term, entries = self._cut(t)
        self.log.append((t, term, entries))
        return term

    def define(self) -> int:
        """A new definition, empty as yet."""
        self._made -= 1
        self.defs[self._made] = {}
        return self._made

    def _put(self, t: int, term: Term) -> None:
        d, _, c, q = term
        terms = self.defs[d]
        self.cost += price(c, q) + bool(terms)
        self.written += 1
        self.term[t], terms[q], self._touched[d] = term, t, None
        for x in q:
            self.refs.setdefault(x, {})[t] = None

    def _cut(self, t: int) -> tuple[Term, Entries | None]:
        term = d, _, c, q = self.term.pop(t)
        del self.defs[d][q]
        self.cost -= price(c, q) + bool(self.defs[d])
        self._touched[d] = None
        for x in set(q):
            del self.refs[x][t]
            self._touched[x] = None
        if t in self._fresh:
            del self._fresh[t]
            return term, None
        return term, self.divisors.leave(t)

    def undo(self) -> None:
        """Take back everything in the log."""
        while self.log:
            t, term, entries = self.log.pop()
            if term is None:
                self._cut(t)
                continue
            self._put(t, term)
            if entries is None:
                self._fresh[t] = None
            else:
                self.divisors.enter_again(t, *entries)
        self._touched.clear()
        self._single.clear()
        self.divisors.changed.clear()

    # Definitions

    def uses(self, d: int) -> int:
        return len(self.refs.get(d, ())) + (d in self.pinned)

    def open(self, d: int, t: int) -> None:
        """Write a definition out in a term that contains it."""
        owner, sign, c, q = self.remove(t)
        rest = list(q)
        rest.remove(d)
        for k in list(self.defs[d].values()):
            _, s, inner, cube = self.term[k]
            both, s = strip(self.g, self.g.mul(c, inner), s)
            self.insert(owner, sign * s, both, (*rest, *cube))

    def fits(self, d: int, t: int) -> bool:
        """Whether opening makes neither products nor numbers too large."""
        _, _, c, q = self.term[t]
        longest = FACTORS + 1 - len(q)
        if q.count(d) > 1 or any(len(cube) > longest for cube in self.defs[d]):
            return False
        return all(moderate(self.g, c, self.term[k][2]) for k in self.defs[d].values())

    def tidy(self) -> None:
        """Drop what nobody needs, and open what is used once where that costs nothing."""
        while self._touched:
            d, _ = self._touched.popitem()
            terms, refs = self.defs.get(d), self.refs.get(d)
            if terms is None:
                continue
            if not refs and d not in self.pinned:
                for t in list(terms.values()):
                    self.remove(t)
            elif refs and len(terms) < 2 and self._plain(d):
                for t in list(refs):
                    if t in self.term and moderate(self.g, *(self.term[k][2] for k in (t, *terms.values()))):
                        self.open(d, t)
            elif len(terms) == 1 and self._once(d):
                self._merge(d)
            elif self._once(d):
                self._single[d] = None

    def _plain(self, d: int) -> bool:
        """Whether a definition of at most one term is zero, a coefficient or another factor."""
        return all(not q or (len(q) == 1 and self.term[k][2] == 1) for q, k in self.defs[d].items())

    def _once(self, d: int) -> bool:
        return len(self.refs.get(d, ())) == 1 and d not in self.pinned

    def _merge(self, d: int) -> bool:
        """Open a product in the product, or a sum in the sum, that is alone in using it."""
        t = next(iter(self.refs[d]))
        _, _, c, q = self.term[t]
        if (len(self.defs[d]) > 1 and (c != 1 or len(q) > 1)) or not self.fits(d, t):
            return False
        self.open(d, t)
        return True

    def flatten(self) -> bool:
        """Open the sums that are used once, by a sum; whether there were any. Done late, for it writes many terms."""
        single, self._single = self._single, {}
        merged = [self._once(d) and self._merge(d) for d in single]
        return any(merged)

    def compare(self) -> None:
        """Tidy, and look for divisors in the terms that are new."""
        self.tidy()
        entered = self.divisors.pairs
        near: dict[int, list[int]] = {}
        for t in self._fresh:
            term = self.term[t]
            if term[0] not in near:
                known = (k for k in reversed(self.defs[term[0]].values()) if k in entered)
                near[term[0]] = list(islice(known, NEAR))[::-1]
            others = near[term[0]]
            self.divisors.enter(t, term, [(k, self.term[k]) for k in others[-NEAR:]])
            others.append(t)
        self._fresh.clear()
