"""Sums of products of sines and cosines with numbers before them, in the ways a person may write one.

An angle here is a vector of whole multiples of base angles, the first of them positive; a factor is the power of its
sine or cosine; a sum maps products of factors to numbers. Base angles go by their rank in the order of names, so that
what is found does not depend on what was read first.
"""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

Vector = tuple[tuple[int, int], ...]
Factor = tuple[Vector, int, int]  # angle, 1 for a sine and 0 for a cosine, power
Product = tuple[Factor, ...]
Sum = dict[Product, Fraction]
Monomial = tuple[tuple[int, int, int], ...]  # base angle, power of its sine, power of its cosine
Powers = dict[Monomial, Fraction]
Parts = Mapping[int, int]  # how many parts a base angle's unit is of what it is a part of
State = dict[tuple[Monomial, Vector, int], int]  # a monomial that waits, the angle and kind of a wave, a number

COS, SIN = 0, 1


def put(into: dict[Product, Fraction], key: Product, value: Fraction) -> None:
    total = into.get(key, Fraction(0)) + value
    if total:
        into[key] = total
    else:
        into.pop(key, None)


def cost(terms: Iterable[Product]) -> int:
    """How much there is to read: terms, factors, powers, and sums and multiples inside angles."""
    return sum(4 + sum(2 + (p > 1) + len(v) - 1 + any(abs(n) != 1 for _, n in v) for v, _, p in t) for t in terms)


# Powers of the base angles' sines and cosines


def products(powers: Powers, parts: Parts) -> Sum:
    """As it is, with 1 − s² for c² where that is shorter, and in whole angles where no half is needed."""
    powers, units = whole(powers, parts)
    return stretched(single(powers), units)


def single(powers: Powers) -> Sum:
    """Powers of single angles, with 1 − s² for c² where that is shorter."""
    return {_product(m): c for m, c in _sides(powers).items()}


def _product(m: Monomial) -> Product:
    factors = [(((a, 1),), kind, p) for a, s, c in m for kind, p in ((COS, c), (SIN, s)) if p]
    return tuple(sorted(factors))


def stretched(terms: Sum, units: Mapping[int, int]) -> Sum:
    """The sum with each base angle replaced by a multiple of it."""
    if not units:
        return terms
    return {tuple((_times(v, units), kind, p) for v, kind, p in key): c for key, c in terms.items()}


def _times(v: Vector, units: Mapping[int, int]) -> Vector:
    return tuple((a, n * units.get(a, 1)) for a, n in v)


def whole(powers: Powers, parts: Parts) -> tuple[Powers, dict[int, int]]:
    """In twice the angle as long as only even powers of an angle's sine and cosine appear, and the units reached."""
    units: dict[int, int] = {}
    for a in sorted({a for m in powers for a, _, _ in m}):
        left = parts.get(a, 1)
        while left % 2 == 0 and all((s + c) % 2 == 0 for m in powers for b, s, c in m if b == a):
            powers, left = _twice(powers, a), left // 2
            units[a] = 2 * units.get(a, 1)
    return powers, units


def _twice(powers: Powers, angle: int) -> Powers:
    """c² = ½(1 + C) and s·c = ½ S, where C and S belong to twice the angle; s appears to the first power at most."""
    out: Powers = {}
    for m, value in powers.items():
        others = [x for x in m if x[0] != angle]
        s, c = next(((s, c) for a, s, c in m if a == angle), (0, 0))
        n = (c - s) // 2
        for k in range(n + 1):
            key = tuple(sorted([*others, *([(angle, s, k)] if s or k else [])]))
            out[key] = out.get(key, Fraction(0)) + value * Fraction(math.comb(n, k), 2 ** (n + s))
    return {m: c for m, c in out.items() if c}


def _sides(powers: Powers) -> Powers:
    """Each angle's even powers as cosines or as sines, whichever leaves less to read, until none helps any more."""
    angles = sorted({a for m in powers for a, s, c in m if max(s, c) > 1})
    best, least, better = powers, _size(powers), True
    while better:
        better = False
        for a in angles:
            for side in (SIN, COS):
                other = _switched(best, a, side)
                if _size(other) < least:
                    best, least, better = other, _size(other), True
    return best


def _size(powers: Powers) -> int:
    return sum(4 + sum(2 * ((s > 0) + (c > 0)) + (s > 1) + (c > 1) for _, s, c in m) for m in powers)


def _switched(powers: Powers, angle: int, side: int) -> Powers:
    """The even powers of one angle's cosine as sines (or the reverse)."""
    out: Powers = {}
    for m, value in powers.items():
        others = [x for x in m if x[0] != angle]
        s, c = next(((s, c) for a, s, c in m if a == angle), (0, 0))
        kept, gone = (s, c) if side == SIN else (c, s)
        for k in range(gone // 2 + 1):
            new = (kept + 2 * k, gone % 2)
            pair = new if side == SIN else new[::-1]
            key = tuple(sorted([*others, *([(angle, *pair)] if any(pair) else [])]))
            total = out.get(key, Fraction(0)) + value * (-1) ** k * math.comb(gone // 2, k)
            out[key] = total
    return {m: c for m, c in out.items() if c}


# Fourier's form


def fourier(powers: Powers, parts: Parts) -> Sum:
    """Products turned into sines and cosines of sums: 1, cos(v), sin(v) with numbers before them, a unique form.

    Angle after angle, so that what is equal so far is carried on once; numbers are integers until the end.
    """
    degree = max(_degree(m) for m in powers)
    below = math.lcm(*(c.denominator for c in powers.values()))
    state: State = {(m, (), COS): int(c * below) << degree - _degree(m) for m, c in powers.items()}
    for angle in sorted({a for m in powers for a, _, _ in m}):
        state = _carried(state, angle)
    found = {((v, kind, 1),) if v else (): n for (_, v, kind), n in state.items()}
    return {key: Fraction(n, below << degree) for key, n in found.items() if n}


def _degree(m: Monomial) -> int:
    return sum(s + c for _, s, c in m)


def _carried(state: State, angle: int) -> State:
    """One angle's powers turned into waves; what is left of the monomials waits for the other angles."""
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
    return {key: n for key, n in out.items() if n}


@lru_cache(maxsize=1024)
def _pattern(kind: int, s: int, c: int) -> tuple[tuple[int, int, int], ...]:
    """A wave of A times powers of 2 sin b and 2 cos b, as waves of A + n b: n, kind, number for each.

    2 cos A cos b = cos(A − b) + cos(A + b), and its like.
    """
    waves = {(0, kind): 1}
    for other in (SIN,) * s + (COS,) * c:
        out: dict[tuple[int, int], int] = {}
        for (steps, own), n in waves.items():
            for sign in (1, -1):
                key = steps + sign, own ^ other
                out[key] = out.get(key, 0) + n * (1 if other == COS else sign if own == COS else -sign)
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
