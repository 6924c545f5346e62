"""Sums of products of sines and cosines with numeric coefficients, and their shortest forms.

An angle here is a vector of whole multiples of base angles, the first of them positive; a factor is the power of its
sine or cosine; a sum maps products of factors to coefficients. Base angles go by their rank in the order of names, so
that the result does not depend on what was read first.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

Vector = tuple[tuple[int, int], ...]
Factor = tuple[Vector, int, int]  # angle, 1 for a sine and 0 for a cosine, power
Product = tuple[Factor, ...]
Sum = dict[Product, Fraction]
Monomial = tuple[tuple[int, int, int], ...]  # base angle, power of its sine, power of its cosine
Powers = dict[Monomial, Fraction]
Parts = Mapping[int, int]  # how many parts a base angle's unit is of what it is a part of
State = dict[tuple[Monomial, Vector, int], int]  # a monomial still to be turned, the angle and kind of a wave, a number
Wave = tuple[Vector, int]  # an angle and SIN or COS
Waves = tuple[Wave, ...]
Merged = tuple[int, Waves]  # a number (times the first term's) and the waves that replace both terms

COS, SIN = 0, 1
MOST = 300  # terms of a sum whose pairs are tried


def cost(terms: Iterable[Product]) -> int:
    """How much there is to read: terms, factors, powers, and sums and multiples inside angles."""
    return sum(4 + sum(2 + (p > 1) + len(v) - 1 + any(abs(n) != 1 for _, n in v) for v, _, p in t) for t in terms)


# Powers of the base angles' sines and cosines


def products(powers: Powers, parts: Parts) -> Sum:
    """As it is, with 1 − s² for c² where that is shorter, and in whole angles where no half is needed."""
    powers, units = whole(powers, parts)
    return stretched(single(powers), units)


def single(powers: Powers) -> Sum:
    """Powers of single angles: each angle's even powers as cosines or as sines, whichever leaves less to read, until
    none helps any more."""

    def size(powers: Powers) -> int:
        return sum(4 + sum(2 * ((s > 0) + (c > 0)) + (s > 1) + (c > 1) for _, s, c in m) for m in powers)

    angles = sorted({a for m in powers for a, s, c in m if max(s, c) > 1})
    best, least, better = powers, size(powers), True
    while better:
        better = False
        for a in angles:
            for side in (SIN, COS):
                other = _switched(best, a, side)
                if size(other) < least:
                    best, least, better = other, size(other), True
    return {
        tuple(sorted((((a, 1),), kind, p) for a, s, c in m for kind, p in ((COS, c), (SIN, s)) if p)): coefficient
        for m, coefficient in best.items()
    }


def _switched(powers: Powers, angle: int, side: int) -> Powers:
    """The even powers of one angle's cosine as sines (or the reverse)."""
    out: Powers = {}
    for m, value in powers.items():
        others, s, c = _apart(m, angle)
        stays, goes = (s, c) if side == SIN else (c, s)
        for k in range(goes // 2 + 1):
            pair = (stays + 2 * k, goes % 2)
            key = _monomial(others, angle, *(pair if side == SIN else pair[::-1]))
            _add(out, key, value * (-1) ** k * math.comb(goes // 2, k))
    return out


def stretched(terms: Sum, units: Mapping[int, int]) -> Sum:
    """The sum with each base angle replaced by a multiple of it."""
    if not units:
        return terms
    return {
        tuple((tuple((a, n * units.get(a, 1)) for a, n in v), kind, p) for v, kind, p in key): c
        for key, c in terms.items()
    }


def whole(powers: Powers, parts: Parts) -> tuple[Powers, dict[int, int]]:
    """In twice the angle as long as only even powers of an angle's sine and cosine appear, and the units reached:
    c² = ½(1 + C) and s·c = ½ S, where C and S belong to twice the angle; s appears to the first power at most."""
    units: dict[int, int] = {}
    for a in sorted({a for m in powers for a, _, _ in m}):
        left = parts.get(a, 1)
        while left % 2 == 0 and all((s + c) % 2 == 0 for m in powers for b, s, c in m if b == a):
            left, units[a], twice = left // 2, 2 * units.get(a, 1), Powers()
            for m, value in powers.items():
                others, s, c = _apart(m, a)
                n = (c - s) // 2
                for k in range(n + 1):
                    _add(twice, _monomial(others, a, s, k), value * Fraction(math.comb(n, k), 2 ** (n + s)))
            powers = twice
    return powers, units


def _apart(m: Monomial, angle: int) -> tuple[Monomial, int, int]:
    """A monomial without one angle, and the powers of that angle's sine and cosine."""
    s, c = next(((s, c) for a, s, c in m if a == angle), (0, 0))
    return tuple(x for x in m if x[0] != angle), s, c


def _monomial(others: Monomial, angle: int, s: int, c: int) -> Monomial:
    return tuple(sorted((*others, (angle, s, c)))) if s or c else others


def _add(into: dict[Any, Fraction], key: Any, value: Fraction) -> None:
    """Add to a coefficient; one that becomes 0 is dropped."""
    total = into.get(key, Fraction(0)) + value
    if total:
        into[key] = total
    else:
        into.pop(key, None)


# Fourier's form


def fourier(powers: Powers, parts: Parts) -> Sum:
    """Products turned into sines and cosines of sums: 1, cos(v), sin(v) with coefficients, a unique form.

    Angle after angle, so that what is equal so far is carried on once; numbers are integers until the end.
    """
    degrees = {m: sum(s + c for _, s, c in m) for m in powers}
    degree, below = max(degrees.values()), math.lcm(*(c.denominator for c in powers.values()))
    state: State = {(m, (), COS): int(c * below) << degree - degrees[m] for m, c in powers.items()}
    for angle in sorted({a for m in powers for a, _, _ in m}):
        out: State = {}
        for (m, vector, kind), n in state.items():
            if not m or m[0][0] != angle:
                out[m, vector, kind] = out.get((m, vector, kind), 0) + n
                continue
            for steps, new, factor in _pattern(kind, *m[0][1:]):
                direction, turned = oriented(plus(vector, ((angle, steps),) if steps else ()))
                if turned or new == COS:
                    key = m[1:], turned, new
                    out[key] = out.get(key, 0) + n * factor * (direction if new == SIN else 1)
        state = {key: n for key, n in out.items() if n}
    waves = {((v, kind, 1),) if v else (): n for (_, v, kind), n in state.items()}
    return {key: Fraction(n, below << degree) for key, n in waves.items() if n}


@lru_cache(maxsize=1024)
def _pattern(kind: int, s: int, c: int) -> tuple[tuple[int, int, int], ...]:
    """A wave of A times powers of 2 sin b and 2 cos b, as waves of A + n b: n, kind, number for each.

    2 cos A cos b = cos(A − b) + cos(A + b), and its like.
    """
    waves = {(0, kind): 1}
    for other in (SIN,) * s + (COS,) * c:
        out: dict[tuple[int, int], int] = {}
        for (steps, wave), n in waves.items():
            for sign in (1, -1):
                key = steps + sign, wave ^ other
                out[key] = out.get(key, 0) + n * (1 if other == COS else sign if wave == COS else -sign)
        waves = {key: n for key, n in out.items() if n}
    return tuple((*key, n) for key, n in waves.items())


def plus(v: Vector, w: Vector, sign: int = 1) -> Vector:
    """v ± w."""
    out = dict(v)
    for a, n in w:
        out[a] = out.get(a, 0) + sign * n
    return tuple(sorted((a, n) for a, n in out.items() if n))


def oriented(v: Vector) -> tuple[int, Vector]:
    """The sign that makes the first multiple positive, and the angle with it."""
    if v and v[0][1] < 0:
        return -1, tuple((a, -n) for a, n in v)
    return 1, v


def half(v: Vector) -> Vector | None:
    """v/2 if this is whole."""
    return tuple((a, n // 2) for a, n in v) if all(n % 2 == 0 for _, n in v) else None


# Two terms become one: the rules of trigonometry, each read in the direction in which it shortens


def shortest(powers: Powers, parts: Parts) -> Sum:
    """The shorter of two: powers of base angles with terms merged, and Fourier's form with terms merged."""
    powers, units = whole(powers, parts)
    candidates = [single(powers)]
    if len(candidates[0]) > 1:
        candidates = [merged(candidates[0]), doubled(merged(fourier(powers, parts)))]
    return stretched(min(candidates, key=cost), units)


def merged(terms: Sum) -> Sum:
    """Pairs of terms whose coefficients are equal up to sign, merged until none can be; what saves most first."""
    if len(terms) > MOST:
        return terms
    out: Sum = {}
    alike: dict[Fraction, dict[Product, None]] = {}  # terms by the size of their coefficients
    pairs: dict[tuple[Product, Product], tuple[int, Product, Fraction]] = {}  # what is saved, and the term in place

    def enter(key: Product, value: Fraction) -> None:
        """Add a term and the pairs it makes."""
        for other in alike.setdefault(abs(value), {}):
            one, two = min(key, other), max(key, other)
            left, right = _beyond(one, two), _beyond(two, one)
            rule = None if left is None or right is None else _rule(left, right, out[other] == value)
            if rule is not None and left is not None:
                product = _replaced(one, left, rule[1])
                coefficient = rule[0] * (value if one == key else out[other])
                pairs[one, two] = cost((one, two)) - cost((product,)), product, coefficient
        out[key] = value
        alike[abs(value)][key] = None

    def leave(key: Product) -> None:
        """Take a term out, and the pairs it made."""
        if key in out:
            del alike[abs(out.pop(key))][key]
            for pair in [p for p in pairs if key in p]:
                del pairs[pair]

    for key in sorted(terms):
        enter(key, terms[key])
    while pairs:
        best = min(pairs, key=lambda pair: (-pairs[pair][0], pair))
        _, product, value = pairs[best]
        for key in best:
            leave(key)
        value += out.get(product, 0)
        leave(product)
        if value:
            enter(product, value)
    return out


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


def _replaced(product: Product, without: Waves, waves: Waves) -> Product:
    """A product with some factors in place of others."""
    powers = Counter({(v, k): p for v, k, p in product})
    powers.subtract(without)
    powers.update(waves)
    return tuple(sorted((v, k, p) for (v, k), p in powers.items() if p))


def _rule(x: Waves, y: Waves, same: bool) -> Merged | None:
    """x + y where their coefficients are the ``same``, else x − y, what they have in common left out."""
    match len(x), len(y):
        case 2, 2:  # cos a cos b ∓ sin a sin b = cos(a ± b); sin a cos b ± cos a sin b = sin(a ± b)
            (a, ka), (b, kb) = x
            if a != b and sorted(y) == sorted([(a, 1 - ka), (b, 1 - kb)]):
                sine = ka != kb
                factor = 1 if same or sine == (ka == SIN) else -1
                sign, angle = oriented(plus(a, b, 1 if same == sine else -1))
                return factor * (sign if sine else 1), ((angle, SIN if sine else COS),)
        case 1, 1:  # cos a + cos b = 2 cos ½(a + b) cos ½(a − b), and its like, where the halves are whole
            ((a, kind),), ((b, other),) = x, y
            halves = half(plus(a, b)), half(plus(a, b, -1))
            if kind == other and None not in halves:
                factor = -2 if kind == COS and not same else 2
                kinds = (kind, COS) if same else (1 - kind, SIN)
                turned = [oriented(angle or ()) for angle in halves]
                factor *= math.prod(sign for (sign, _), k in zip(turned, kinds, strict=True) if k == SIN)
                return factor, tuple((angle, k) for (_, angle), k in zip(turned, kinds, strict=True))
        case (0, 2) | (2, 0):  # 1 − cos² a = sin² a, and the reverse
            (angle, kind), again = x or y
            if not same and again == (angle, kind):
                return (1 if y else -1), ((angle, 1 - kind),) * 2
        case (0, 1) | (1, 0):  # 1 + cos 2a = 2 cos² a, 1 − cos 2a = 2 sin² a
            ((angle, kind),) = x or y
            halved = half(angle)
            if kind == COS and halved is not None:
                return (2 if same or y else -2), ((halved, COS if same else SIN),) * 2
    return None


def doubled(terms: Sum) -> Sum:
    """cos 2a as 2 cos² a − 1 or 1 − 2 sin² a wherever that leaves less to read."""

    def shorter(terms: Sum) -> Sum | None:
        """The sum with cos 2a of one term replaced, where that helps."""
        for key in sorted(terms):
            for angle, kind, power in key:
                halved = half(angle)
                if kind == SIN or power != 1 or halved is None:
                    continue
                for new, sign in ((COS, 1), (SIN, -1)):
                    out = dict(terms)
                    value = out.pop(key)
                    _add(out, _replaced(key, ((angle, kind),), ((halved, new),) * 2), 2 * sign * value)
                    _add(out, _replaced(key, ((angle, kind),), ()), -sign * value)
                    if cost(out) < cost(terms):
                        return out
        return None

    while len(terms) <= MOST and (out := shorter(terms)) is not None:
        terms = out
    return terms
