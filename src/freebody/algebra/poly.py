"""Sparse polynomials with rational coefficients: a dict from packed exponents to integers over one denominator.

The exponents of all atoms stand side by side in one integer, ``WIDTH`` bits each, so that monomials are multiplied by
adding integers. What an atom is, and which powers of it are something else, the ring knows (``ring.py``).
"""

import math
from collections.abc import Iterable
from fractions import Fraction

WIDTH = 12
FIELD = (1 << WIDTH) - 1
GUARD = 1 << (WIDTH - 1)  # an exponent that reaches this bit is too large


class Poly:
    """Σ terms[k]·xᵏ / den; no term is 0, den > 0."""

    __slots__ = ("den", "terms")

    def __init__(self, terms: dict[int, int], den: int = 1) -> None:
        self.terms, self.den = terms, den

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def constant(self) -> Fraction | None:
        """The value, if this is a number."""
        if not self.terms:
            return Fraction(0)
        return Fraction(self.terms[0], self.den) if len(self.terms) == 1 and 0 in self.terms else None

    def coefficient(self, k: int) -> Fraction:
        return Fraction(self.terms.get(k, 0), self.den)


ZERO = Poly({})
ONE = Poly({0: 1})


def number(value: Fraction) -> Poly:
    return Poly({0: value.numerator}, value.denominator) if value else ZERO


def scaled(p: Poly, factor: Fraction) -> Poly:
    """p times a number."""
    if factor == 1:
        return p
    if not factor:
        return ZERO
    return lowest({k: c * factor.numerator for k, c in p.terms.items()}, p.den * factor.denominator)


def lowest(terms: dict[int, int], den: int) -> Poly:
    """The polynomial with the smallest denominator."""
    if den != 1:
        common = math.gcd(den, *terms.values())
        if common != 1:
            return Poly({k: c // common for k, c in terms.items()}, den // common)
    return Poly(terms, den)


def added(a: Poly, b: Poly, sign: int = 1, own: bool = False) -> Poly:
    """a ± b; ``own`` allows to change a, which nobody needs any more."""
    if not a.terms or not b.terms:
        return a if not b.terms else b if sign > 0 else scaled(b, Fraction(-1))
    if a.den != b.den:
        den = math.lcm(a.den, b.den)
        a, own = Poly(_times(a.terms, den // a.den), den), True
        b = Poly(_times(b.terms, den // b.den), den)
    out = a.terms if own else dict(a.terms)
    for k, c in b.terms.items():
        total = out.get(k, 0) + sign * c
        if total:
            out[k] = total
        else:
            del out[k]
    return Poly(out, a.den)


def _times(terms: dict[int, int], factor: int) -> dict[int, int]:
    return dict(terms) if factor == 1 else {k: c * factor for k, c in terms.items()}


def content(p: Poly) -> Fraction:
    """The largest number whose multiple p is with integers."""
    return Fraction(math.gcd(*p.terms.values()), p.den) if p.terms else Fraction(0)


def primitive(p: Poly) -> tuple[Fraction, Poly]:
    """p as a number times a polynomial with integers that have no common divisor."""
    common = math.gcd(*p.terms.values())
    return Fraction(common, p.den), Poly({k: c // common for k, c in p.terms.items()})


def common_monomial(keys: Iterable[int]) -> int:
    """The largest monomial that divides all of these."""
    found = iter(keys)
    common = next(found, 0)
    for k in found:
        if not common:
            return 0
        common = _smaller(common, k)
    return common


def _smaller(a: int, b: int) -> int:
    out, place = 0, 0
    while a and b:
        skip = ((a & -a).bit_length() - 1) // WIDTH
        a, b, place = a >> skip * WIDTH, b >> skip * WIDTH, place + skip
        out |= min(a & FIELD, b & FIELD) << place * WIDTH
        a, b, place = a >> WIDTH, b >> WIDTH, place + 1
    return out


def exponents(k: int) -> list[tuple[int, int]]:
    """The atoms of a monomial and their exponents."""
    found, place = [], 0
    while k:
        skip = ((k & -k).bit_length() - 1) // WIDTH
        k, place = k >> skip * WIDTH, place + skip
        found.append((place, k & FIELD))
        k, place = k >> WIDTH, place + 1
    return found


def shifted(p: Poly, k: int, sign: int = 1) -> Poly:
    """p times (or, with sign −1, over) a monomial that shares no relation with it."""
    return Poly({key + sign * k: c for key, c in p.terms.items()}, p.den) if k else p


def divided(p: Poly, by: Poly, guards: int) -> Poly | None:
    """p/by if nothing is left over, for a divisor without atoms whose squares are something else.

    Packed exponents in the order of integers are a monomial order. ``guards`` has the highest bit of every field.
    """
    left, out = dict(p.terms), {}
    top = max(by.terms)
    while left:
        k = max(left)
        step = (k | guards) - top
        c = Fraction(left[k], by.terms[top])
        if step & guards != guards or c.denominator != 1:
            return None
        out[step ^ guards] = int(c)
        for key, value in by.terms.items():
            at = (step ^ guards) + key
            left[at] = left.get(at, 0) - int(c) * value
            if not left[at]:
                del left[at]
    return lowest(out, p.den)
