"""Sums of products as lists of terms that are changed step by step, and the divisors that terms have in common.

Every change is logged, so that it can be undone; see ``factor``.
"""

from collections.abc import Iterable
from itertools import islice

from freebody.scalar.graph import Graph
from freebody.scalar.node import ONE, Node
from freebody.scalar.numbers import fold
from freebody.scalar.ops import CONST, COS, DIV, NEG, SIN

Cube = tuple[Node, ...]  # factors in order, repeated for powers; negative ones are no nodes of the graph
Term = tuple[Node, int, Node, Cube]  # the sum it belongs to, sign, coefficient, cube
Key = tuple[int, Node, Node, Cube, Cube]  # c·q ± d·r as (±1, c, d, q, r); a product of two as (0, c, 1, q, ())
TermPair = tuple[int, int]  # two terms of one sum; for a product one term twice
Occurrence = tuple[Key, TermPair, int]  # a divisor, where it is, and the operations saved there
Entries = tuple[set[Key], dict[int, Occurrence]]  # of one term: its products, its pairs by the other term

FACTORS = 6  # the longest product that is written out
NEAR = 12  # terms further apart in a sum are not compared
LARGE = 1e60  # numbers that are larger, or smaller than its inverse, are not joined with others


def price(c: Node, cube: Cube) -> int:
    """The multiplications of a term (the node of 1 is 1)."""
    return len(cube) - 1 + (c != 1) if cube else 0


def common(q: Cube, r: Cube) -> tuple[Cube, Cube, Cube]:
    """The factors that two cubes share, and the remainder of each."""
    shared, left, right = [], [], list(r)
    for x in q:
        if x in right:
            right.remove(x)
            shared.append(x)
        else:
            left.append(x)
    return tuple(shared), tuple(left), tuple(right)


class Divisors:
    """Where each divisor occurs, and what pulling it out saves there."""

    def __init__(self, g: Graph) -> None:
        self.g = g
        self.occurrences: dict[Key, dict[TermPair, int]] = {}
        self.pairs: dict[int, dict[int, Occurrence]] = {}  # of each term, by the other term
        self.products: dict[int, set[Key]] = {}  # of each term
        self.changed: dict[Key, None] = {}
        self._ratios: dict[tuple[Node, Node], tuple[Node, Node, Node]] = {}
        self._numbers: dict[str, Node] = {}  # by their first 15 digits

    def split(self, one: Term, two: Term) -> tuple[Key, int, Node, Cube]:
        """Two terms as a divisor times a remainder; the remainder as sign, coefficient and cube."""
        _, s, c, q = one
        _, t, d, r = two
        base: Cube = ()
        if not set(q).isdisjoint(r):
            base, q, r = common(q, r)
        if r < q:
            s, t, c, d, q, r = t, s, d, c, r, q
        factor = ONE
        if c == d:
            factor, c, d = c, ONE, ONE
        elif c != 1 and d != 1 and q and self.g.op[c] == self.g.op[d] == CONST:
            factor, c, d = self._ratio(c, d)
        return (s * t, c, d, q, r), s, factor, base

    def _ratio(self, c: Node, d: Node) -> tuple[Node, Node, Node]:
        """c·x + d·y as c·(x + (d/c)·y); ratios that agree in 15 digits are one, 0.6/0.2 is 3."""
        ratio = self._ratios.get((c, d))
        if ratio is None:
            value = fold("div", self.g.numbers[self.g.a[d]], self.g.numbers[self.g.a[c]])
            ratio = ONE, c, d
            if value is not None and 1 / LARGE < value < LARGE:
                short = f"{float(value):.14e}"
                near = abs(float(short) - value) <= 4e-16 * value
                ratio = c, ONE, self._numbers.setdefault(short, self.g.const(float(short) if near else value))
            self._ratios[c, d] = ratio
        return ratio

    def unit(self, key: Key) -> bool:
        """Whether the divisor is sin² + cos²."""
        sign, c, d, q, r = key
        if not (sign == c == d == 1 and len(q) == len(r) == 2 and q[0] == q[1] > 0 and r[0] == r[1] > 0):
            return False
        g, x, y = self.g, q[0], r[0]
        return {g.op[x], g.op[y]} == {SIN, COS} and g.a[x] == g.a[y]

    # Occurrences

    def enter(self, t: int, term: Term, others: Iterable[tuple[int, Term]]) -> None:
        """Compare a term with others of its sum, and note the products of two factors in it."""
        _, _, c, q = term
        products: set[Key] = {(0, ONE, ONE, (x, y), ()) for k, x in enumerate(q) for y in q[k + 1 :]}
        if c != 1:  # but not p·(1/x), which would be another division
            products |= {(0, c, ONE, (x,), ()) for x in q if x < 0 or self.g.op[x] != DIV}
        self.products[t], self.pairs[t] = products, {}
        for key in products:
            self._note((key, (t, t), 1), False)
        cost = price(*term[2:]) + 1
        for k, other in others:
            key, _, c, base = self.split(other, term)
            entry = key, (k, t), cost + price(*other[2:]) - len(base) - (c != 1)
            self.pairs[t][k] = self.pairs[k][t] = entry
            self._note(entry, c != 1 or bool(base))

    def _note(self, entry: Occurrence, alone: bool) -> None:
        key, pair, saving = entry
        occurrences = self.occurrences.setdefault(key, {})
        occurrences[pair] = saving
        if alone or len(occurrences) > 1:
            self.changed[key] = None

    def leave(self, t: int) -> tuple[set[Key], dict[int, Occurrence]]:
        """Remove a term; returns what ``enter_again`` needs."""
        products, pairs = self.products.pop(t), self.pairs.pop(t)
        for key in products:
            self._forget(key, (t, t))
        for k, (key, pair, _) in pairs.items():
            del self.pairs[k][t]
            self._forget(key, pair)
        return products, pairs

    def _forget(self, key: Key, pair: TermPair) -> None:
        occurrences = self.occurrences[key]
        if len(occurrences) == 1:
            del self.occurrences[key]
        else:
            del occurrences[pair]

    def enter_again(self, t: int, products: set[Key], pairs: dict[int, Occurrence]) -> None:
        self.products[t], self.pairs[t] = products, pairs
        for key in products:
            self.occurrences.setdefault(key, {})[t, t] = 1
        for k, entry in pairs.items():
            self.pairs[k][t] = entry
            self.occurrences.setdefault(entry[0], {})[entry[1]] = entry[2]

    def gain(self, key: Key) -> tuple[int, list[TermPair]]:
        """The operations saved by pulling out a divisor, and where; no term takes part twice."""
        sign, c, d, q, r = key
        gain, used, chosen = -1, set[int](), list[TermPair]()
        if sign:
            gain = 0 if self.unit(key) else -1 - price(c, q) - price(d, r)
        for (i, j), saving in self.occurrences.get(key, {}).items():
            if i not in used and j not in used:
                used.add(i)
                used.add(j)
                chosen.append((i, j))
                gain += saving
        return gain, chosen


def strip(g: Graph, i: Node, sign: int = 1) -> tuple[Node, int]:
    """A node without the signs outside it, and these together."""
    while g.op[i] == NEG:
        i, sign = g.a[i], -sign
    return i, sign


def moderate(g: Graph, *nodes: Node) -> bool:
    """Whether the product of the numbers among these is neither huge nor tiny."""
    product = 1.0
    for i in nodes:
        if g.op[i] == CONST:
            product *= float(g.numbers[g.a[i]])
    return 1 / LARGE < product < LARGE


class SumTable:
    """Definitions: each is the sum of its terms, whose factors are nodes of the graph or other definitions. One that
    stands for a node has its handle; those made on the way have negative ones."""

    def __init__(self, g: Graph) -> None:
        self.g, self.divisors = g, Divisors(g)
        self.term: dict[int, Term] = {}
        self.defs: dict[Node, dict[Cube, int]] = {}  # the terms of each definition
        self.refs: dict[Node, dict[int, None]] = {}  # the terms that contain a factor
        self.pinned: set[Node] = set()  # definitions needed by other than sums and products
        self.cost = 0  # additions and multiplications of all definitions
        self.written = 0  # terms put so far, undone ones included
        self.log: list[tuple[int, Term | None, Entries | None]] = []
        self._touched: dict[Node, None] = {}
        self._fresh: dict[int, None] = {}  # terms not yet compared with others
        self._single: dict[Node, None] = {}  # sums that may have become part of another
        self._count = self._made = 0

    # Terms

    def insert(self, d: Node, sign: int, c: Node, cube: Iterable[Node]) -> None:
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

    def define(self) -> Node:
        """A new definition, empty as yet."""
        self._made -= 1
        definition = Node(self._made)
        self.defs[definition] = {}
        return definition

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

    def uses(self, d: Node) -> int:
        return len(self.refs.get(d, ())) + (d in self.pinned)

    def open(self, d: Node, t: int) -> None:
        """Write a definition out in a term that contains it."""
        owner, sign, c, q = self.remove(t)
        others = list(q)
        others.remove(d)
        for k in list(self.defs[d].values()):
            _, s, inner, cube = self.term[k]
            both, s = strip(self.g, self.g.mul(c, inner), s)
            self.insert(owner, sign * s, both, (*others, *cube))

    def fits(self, d: Node, t: int) -> bool:
        """Whether opening makes neither products nor numbers too large."""
        _, _, c, q = self.term[t]
        longest = FACTORS + 1 - len(q)
        if q.count(d) > 1 or any(len(cube) > longest for cube in self.defs[d]):
            return False
        return all(moderate(self.g, c, self.term[k][2]) for k in self.defs[d].values())

    def tidy(self) -> None:
        """Drop unused definitions, and open those used once where that costs nothing."""
        while self._touched:
            d, _ = self._touched.popitem()
            terms, refs = self.defs.get(d), self.refs.get(d)
            if terms is None:
                continue
            if not refs and d not in self.pinned:
                for t in list(terms.values()):
                    self.remove(t)
            elif (
                refs
                and len(terms) < 2
                and all(not q or (len(q) == 1 and self.term[k][2] == 1) for q, k in terms.items())
            ):  # zero, a coefficient or another factor
                for t in list(refs):
                    if t in self.term and moderate(self.g, *(self.term[k][2] for k in (t, *terms.values()))):
                        self.open(d, t)
            elif len(terms) == 1 and self._once(d):
                self._merge(d)
            elif self._once(d):
                self._single[d] = None

    def _once(self, d: Node) -> bool:
        return len(self.refs.get(d, ())) == 1 and d not in self.pinned

    def _merge(self, d: Node) -> bool:
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
