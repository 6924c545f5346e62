"""Two terms become one: the rules of trigonometry, each read in the direction in which it shortens."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from freebody.algebra.trig import (
    COS,
    SIN,
    Factor,
    Parts,
    Powers,
    Product,
    Sum,
    Vector,
    cost,
    fourier,
    half,
    oriented,
    plus,
    put,
    single,
    stretched,
    whole,
)

Wave = tuple[Vector, int]  # an angle and SIN or COS
Waves = tuple[Wave, ...]
Found = tuple[int, Waves]  # a number (times the first term's) and what stands in place of both terms

MOST = 300  # terms of a sum whose pairs are tried


@dataclass(frozen=True, slots=True)
class Step:
    """A product with a number before it in place of two terms, and how much less there is to read."""

    saved: int
    product: Product
    value: Fraction


def shortest(powers: Powers, parts: Parts) -> Sum:
    """The shorter of two: powers of base angles with terms merged, and Fourier's form with terms merged."""
    powers, units = whole(powers, parts)
    candidates = [single(powers)]
    if len(candidates[0]) > 1:
        candidates = [merged(candidates[0]), doubled(merged(fourier(powers, parts)))]
    return stretched(min(candidates, key=cost), units)


def merged(terms: Sum) -> Sum:
    """Pairs of terms with equal numbers before them, merged until none can be; what saves most comes first."""
    if len(terms) > MOST:
        return terms
    merger = _Merger()
    for key in sorted(terms):
        merger.enter(key, terms[key])
    while merger.pairs:
        merger.step()
    return merger.terms


class _Merger:
    """Terms, by their numbers as well, and the pairs of them that can be merged."""

    def __init__(self) -> None:
        self.terms: Sum = {}
        self.sizes: dict[Fraction, dict[Product, None]] = {}
        self.pairs: dict[tuple[Product, Product], Step] = {}

    def step(self) -> None:
        """Merge the pair that saves most."""
        gone = min(self.pairs, key=lambda p: (-self.pairs[p].saved, p))
        step = self.pairs[gone]
        for key in gone:
            self.leave(key)
        value = step.value + self.terms.get(step.product, 0)
        self.leave(step.product)
        if value:
            self.enter(step.product, value)

    def enter(self, key: Product, value: Fraction) -> None:
        """Add a term and the pairs it makes."""
        alike = self.sizes.setdefault(abs(value), {})
        for other in alike:
            one, two = min(key, other), max(key, other)
            found = _pair(one, two, self.terms[other] == value)
            if found is not None:
                first = value if one == key else self.terms[other]
                self.pairs[one, two] = Step(cost((one, two)) - cost((found[0],)), found[0], first * found[1])
        self.terms[key] = value
        alike[key] = None

    def leave(self, key: Product) -> None:
        """Take a term out, and the pairs it made."""
        if key in self.terms:
            del self.sizes[abs(self.terms.pop(key))][key]
            for pair in [p for p in self.pairs if key in p]:
                del self.pairs[pair]


def _pair(one: Product, other: Product, same: bool) -> tuple[Product, int] | None:
    """one ± other as one product with a number before it, if a rule says so."""
    left, right = _beyond(one, other), _beyond(other, one)
    found = None if left is None or right is None else _rule(left, right, same)
    return None if found is None or left is None else (_joined(one, left, found[1]), found[0])


def _beyond(one: Product, other: Product) -> Waves | None:
    """The factors that one has and the other lacks; None where these are too many for any rule."""
    known = {(v, k): p for v, k, p in other}
    left: list[Wave] = []
    for v, k, p in one:
        more = p - known.get((v, k), 0)
        if more > 0:
            left += [(v, k)] * min(more, 3)
            if len(left) > 2:
                return None
    return tuple(left)


def _joined(product: Product, without: Waves, waves: Waves) -> Product:
    """A product with some factors in place of others."""
    powers = Counter({(v, k): p for v, k, p in product})
    powers.subtract(without)
    powers.update(waves)
    return tuple(sorted((v, k, p) for (v, k), p in powers.items() if p))


def _rule(x: Waves, y: Waves, same: bool) -> Found | None:
    """x ± y, what they have in common left out."""
    match len(x), len(y):
        case 2, 2:
            return _contraction(x, y, same)
        case 1, 1:
            return _expansion(x[0], y[0], same)
        case (0, 2) | (2, 0):
            return _pythagoras(x, y, same)
        case (0, 1) | (1, 0):
            return _half_angle(x, y, same)
    return None


def _contraction(x: Waves, y: Waves, same: bool) -> Found | None:
    """cos a cos b ∓ sin a sin b = cos(a ± b); sin a cos b ± cos a sin b = sin(a ± b)."""
    (a, ka), (b, kb) = x
    if a == b or sorted(y) != sorted([(a, 1 - ka), (b, 1 - kb)]):
        return None
    if ka == kb:
        factor = 1 if ka == COS or same else -1
        return _signed(factor, plus(a, b, -1 if same else 1), COS)
    factor = 1 if ka == SIN or same else -1
    return _signed(factor, plus(a, b, 1 if same else -1), SIN)


def _signed(factor: int, angle: Vector, kind: int) -> Found:
    sign, turned = oriented(angle)
    return factor * (sign if kind == SIN else 1), ((turned, kind),)


def _expansion(x: Wave, y: Wave, same: bool) -> Found | None:
    """cos a + cos b = 2 cos ½(a + b) cos ½(a − b), and its like, where the halves are whole."""
    (a, kind), (b, other) = x, y
    middle, apart = half(plus(a, b)), half(plus(a, b, -1))
    if kind != other or middle is None or apart is None:
        return None
    if kind == COS:
        kinds, factor = ((COS, COS), 2) if same else ((SIN, SIN), -2)
    else:
        kinds, factor = ((SIN, COS) if same else (COS, SIN)), 2
    waves = []
    for angle, k in zip((middle, apart), kinds, strict=True):
        sign, turned = oriented(angle)
        factor *= sign if k == SIN else 1
        waves.append((turned, k))
    return factor, tuple(waves)


def _pythagoras(x: Waves, y: Waves, same: bool) -> Found | None:
    """1 − cos² a = sin² a, and the reverse."""
    (v, kind), again = x or y
    if same or again != (v, kind):
        return None
    return (1 if y else -1), ((v, 1 - kind),) * 2


def _half_angle(x: Waves, y: Waves, same: bool) -> Found | None:
    """1 + cos 2a = 2 cos² a, 1 − cos 2a = 2 sin² a."""
    ((angle, kind),) = x or y
    halved = half(angle)
    if kind == SIN or halved is None:
        return None
    return (2 if same or y else -2), ((halved, COS if same else SIN),) * 2


def doubled(terms: Sum) -> Sum:
    """cos 2a as 2 cos² a − 1 or 1 − 2 sin² a wherever that leaves less to read."""
    out, better = terms, len(terms) <= MOST
    while better:
        better = False
        for key in sorted(out):
            for factor in key:
                for other in _halved(out, key, factor):
                    if not better and cost(other) < cost(out):
                        out, better = other, True
            if better:
                break
    return out


def _halved(terms: Sum, key: Product, factor: Factor) -> Sequence[Sum]:
    """The sum with cos 2a of one term replaced, in both ways."""
    angle, kind, power = factor
    halved = half(angle)
    if kind == SIN or power != 1 or halved is None:
        return ()
    gone = ((angle, kind),)
    made = []
    for new, sign in ((COS, 1), (SIN, -1)):
        out = dict(terms)
        value = out.pop(key)
        put(out, _joined(key, gone, ((halved, new),) * 2), 2 * sign * value)
        put(out, _joined(key, gone, ()), -sign * value)
        made.append(out)
    return made
