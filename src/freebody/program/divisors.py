"""Divisors of sums of products: what two terms, or two factors, have in common with others; see ``factor``."""

from collections.abc import Iterable

from freebody.scalar.graph import Graph
from freebody.scalar.numbers import fold
from freebody.scalar.ops import CONST, COS, DIV, SIN

Cube = tuple[int, ...]  # factors in order, repeated for powers; negative ones are no nodes of the graph
Term = tuple[int, int, int, Cube]  # the sum it belongs to, sign, coefficient, cube
Key = tuple[int, int, int, Cube, Cube]  # c·q ± d·r as (±1, c, d, q, r); a product of two as (0, c, 1, q, ())
Place = tuple[int, int]  # two terms of one sum; for a product one term twice
Entry = tuple[Key, Place, int]  # a divisor, where, and the operations saved there

LARGE = 1e60  # numbers that are larger, or smaller than its inverse, are not joined with others


def price(c: int, cube: Cube) -> int:
    """The multiplications of a term (the node of 1 is 1)."""
    return len(cube) - 1 + (c != 1) if cube else 0


def common(q: Cube, r: Cube) -> tuple[Cube, Cube, Cube]:
    """What two cubes share, and what is left of each."""
    shared, left, rest = [], [], list(r)
    for x in q:
        if x in rest:
            rest.remove(x)
            shared.append(x)
        else:
            left.append(x)
    return tuple(shared), tuple(left), tuple(rest)


class Divisors:
    """Where each divisor occurs, and what pulling it out saves there."""

    def __init__(self, g: Graph) -> None:
        self.g = g
        self.places: dict[Key, dict[Place, int]] = {}
        self.pairs: dict[int, dict[int, Entry]] = {}  # of each term, by the other term
        self.products: dict[int, set[Key]] = {}  # of each term
        self.changed: dict[Key, None] = {}
        self._ratios: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._known: dict[str, int] = {}

    # Which divisors there are

    def split(self, one: Term, two: Term) -> tuple[Key, int, int, Cube]:
        """Two terms as a divisor times the rest; the rest as sign, coefficient and cube."""
        _, s, c, q = one
        _, t, d, r = two
        base: Cube = ()
        if not set(q).isdisjoint(r):
            base, q, r = common(q, r)
        if r < q:
            s, t, c, d, q, r = t, s, d, c, r, q
        rest = 1
        if c == d:
            rest, c, d = c, 1, 1
        elif c != 1 and d != 1 and q and self.g.op[c] == self.g.op[d] == CONST:
            rest, c, d = self._ratio(c, d)
        return (s * t, c, d, q, r), s, rest, base

    def _ratio(self, c: int, d: int) -> tuple[int, int, int]:
        """c·x + d·y as c·(x + (d/c)·y); ratios that agree in 15 digits are one, 0.6/0.2 is 3."""
        found = self._ratios.get((c, d))
        if found is None:
            value = fold("div", self.g.numbers[self.g.a[d]], self.g.numbers[self.g.a[c]])
            found = 1, c, d
            if value is not None and 1 / LARGE < value < LARGE:
                short = f"{float(value):.14e}"
                near = abs(float(short) - value) <= 4e-16 * value
                found = c, 1, self._known.setdefault(short, self.g.const(float(short) if near else value))
            self._ratios[c, d] = found
        return found

    def _products(self, term: Term) -> set[Key]:
        """The products of two in a term; not p·(1/x), which would be another division."""
        _, _, c, q = term
        found: set[Key] = {(0, 1, 1, (x, y), ()) for k, x in enumerate(q) for y in q[k + 1 :]}
        if c != 1:
            found |= {(0, c, 1, (x,), ()) for x in q if x < 0 or self.g.op[x] != DIV}
        return found

    def unit(self, key: Key) -> bool:
        """Whether the divisor is sin² + cos²."""
        sign, c, d, q, r = key
        if not (sign == c == d == 1 and len(q) == len(r) == 2 and q[0] == q[1] > 0 and r[0] == r[1] > 0):
            return False
        g, x, y = self.g, q[0], r[0]
        return {g.op[x], g.op[y]} == {SIN, COS} and g.a[x] == g.a[y]

    # Where they are

    def enter(self, t: int, term: Term, others: Iterable[tuple[int, Term]]) -> None:
        """Compare a term with others of its sum, and note the products in it."""
        self.products[t], self.pairs[t] = self._products(term), {}
        for key in self.products[t]:
            self._note((key, (t, t), 1), False)
        own = price(*term[2:]) + 1
        for k, other in others:
            key, _, c, base = self.split(other, term)
            entry = key, (k, t), own + price(*other[2:]) - len(base) - (c != 1)
            self.pairs[t][k] = self.pairs[k][t] = entry
            self._note(entry, c != 1 or bool(base))

    def _note(self, entry: Entry, alone: bool) -> None:
        key, place, saving = entry
        places = self.places.setdefault(key, {})
        places[place] = saving
        if alone or len(places) > 1:
            self.changed[key] = None

    def leave(self, t: int) -> tuple[set[Key], dict[int, Entry]]:
        """Forget a term; what is needed to ``enter_again``."""
        products, pairs = self.products.pop(t), self.pairs.pop(t)
        for key in products:
            self._forget(key, (t, t))
        for k, (key, place, _) in pairs.items():
            del self.pairs[k][t]
            self._forget(key, place)
        return products, pairs

    def _forget(self, key: Key, place: Place) -> None:
        places = self.places[key]
        if len(places) == 1:
            del self.places[key]
        else:
            del places[place]

    def enter_again(self, t: int, products: set[Key], pairs: dict[int, Entry]) -> None:
        self.products[t], self.pairs[t] = products, pairs
        for key in products:
            self.places.setdefault(key, {})[t, t] = 1
        for k, entry in pairs.items():
            self.pairs[k][t] = entry
            self.places.setdefault(entry[0], {})[entry[1]] = entry[2]

    # What they are worth

    def news(self) -> list[Key]:
        """The divisors that may be worth more than when last asked."""
        news, self.changed = list(self.changed), {}
        return news

    def gain(self, key: Key) -> tuple[int, list[Place]]:
        """The operations saved by pulling out a divisor, and where; no term takes part twice."""
        sign, c, d, q, r = key
        gain, used, chosen = -1, set[int](), list[Place]()
        if sign:
            gain = 0 if self.unit(key) else -1 - price(c, q) - price(d, r)
        for (i, j), saving in self.places.get(key, {}).items():
            if i not in used and j not in used:
                used.add(i)
                used.add(j)
                chosen.append((i, j))
                gain += saving
        return gain, chosen
