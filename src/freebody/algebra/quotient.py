"""Quotients of polynomials: a numerator and powers, positive or negative, of factors that stay whole.

What was divided by is kept as a factor, so that a/b·b is a without any search; only sums multiply factors out, down
to the powers that all have in common.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from freebody.algebra.poly import (
    FIELD,
    ONE,
    WIDTH,
    ZERO,
    Poly,
    added,
    common_monomial,
    divided,
    exponents,
    primitive,
    scaled,
    shifted,
)
from freebody.algebra.ring import Ring
from freebody.errors import ExpressionError

Powers = dict[int, int]  # of factors


@dataclass(slots=True)
class Quotient:
    """num · Π factorᵖ."""

    num: Poly
    powers: Powers = field(default_factory=dict)


class Quotients:
    """Arithmetic of quotients over a ring; each factor is known by its place in a list."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.factors: list[Poly] = []
        self._known: dict[frozenset[tuple[int, int]], int] = {}
        self._raised: dict[tuple[int, int], Poly] = {}

    def add(self, a: Quotient, b: Quotient, sign: int = 1, own: bool = False) -> Quotient:
        """a ± b; ``own`` allows to change a's numerator."""
        if not a.powers and not b.powers:
            made = Quotient(added(a.num, b.num, sign, own))
            self.ring.check(len(made.num))
            return made
        if not a.num or not b.num:
            return a if not b.num else Quotient(b.num if sign > 0 else scaled(b.num, Fraction(-1)), b.powers)
        common = _lowest(a.powers, b.powers)
        num = added(self._lifted(a, common), self._lifted(b, common), sign)
        return self.tidy(Quotient(num, common))

    def _lifted(self, a: Quotient, common: Powers) -> Poly:
        """The numerator of a over common powers."""
        num = a.num
        for f in {**a.powers, **common}:
            more = a.powers.get(f, 0) - common.get(f, 0)
            if more:
                num = self.ring.mul(num, self.raised(f, more))
        return num

    def mul(self, a: Quotient, b: Quotient) -> Quotient:
        num = self.ring.mul(a.num, b.num)
        return self.tidy(Quotient(num, _sum(a.powers, b.powers))) if a.powers or b.powers else Quotient(num)

    def inverse(self, a: Quotient, what: str) -> Quotient:
        """1/a; ``what`` names the expression if a is 0."""
        if not a.num:
            raise ExpressionError(
                f"{what} divides by an expression that is 0 everywhere. Look at the denominator, or divide by something"
                " else."
            )
        above, below = self._rational(a.num)
        number, whole = primitive(below)
        monomial = common_monomial(whole.terms)
        powers = {f: -p for f, p in a.powers.items()}
        for place, power in exponents(monomial):
            powers = _sum(powers, {self.factor(self.ring.variable(place)): -power})
        rest = shifted(whole, monomial, -1)
        sign = -1 if rest.terms[max(rest.terms)] < 0 else 1
        if len(rest) > 1:
            powers = _sum(powers, {self.factor(scaled(rest, Fraction(sign))): -1})
        return self.tidy(Quotient(scaled(above, sign / number), powers))

    def _rational(self, below: Poly) -> tuple[Poly, Poly]:
        """1/below as above/below with no root as a factor below: 1/√x is √x/x."""
        above, ring = ONE, self.ring
        while roots := common_monomial(below.terms) & ring.related & ~ring.trig:
            root = ring.variable((roots.bit_length() - 1) // WIDTH)
            above, below = ring.mul(above, root), ring.mul(below, root)
        return above, below

    def factor(self, p: Poly) -> int:
        """The place of a factor."""
        key = frozenset(p.terms.items())
        if key not in self._known:
            self._known[key] = len(self.factors)
            self.factors.append(Poly(dict(p.terms)))
        return self._known[key]

    def raised(self, f: int, power: int) -> Poly:
        """A power of a factor."""
        if (f, power) not in self._raised:
            self._raised[f, power] = self.ring.power(self.factors[f], power)
        return self._raised[f, power]

    def power(self, a: Quotient, n: int) -> Quotient:
        """aⁿ, n ≥ 0."""
        return self.tidy(Quotient(self.ring.power(a.num, n), {f: p * n for f, p in a.powers.items()}))

    def expanded(self, a: Quotient) -> Quotient:
        """a with positive powers of factors multiplied into the numerator."""
        if not any(p > 0 for p in a.powers.values()):
            return a
        below = {f: p for f, p in a.powers.items() if p < 0}
        return self.tidy(Quotient(self._lifted(a, below), below))

    def below(self, a: Quotient) -> Poly:
        """The denominator of an expanded quotient."""
        den = ONE
        for f, p in sorted(a.powers.items()):
            den = self.ring.mul(den, self.raised(f, -p))
        return den

    def tidy(self, a: Quotient) -> Quotient:
        """a without the atoms below that divide the numerator."""
        if not a.num:
            return Quotient(ZERO)
        for f, p in [(f, p) for f, p in a.powers.items() if p < 0]:
            a = self._cancelled(a, f, -p)
        return Quotient(a.num, {f: p for f, p in a.powers.items() if p})

    def _cancelled(self, a: Quotient, f: int, p: int) -> Quotient:
        """a without a factor below that also stands above."""
        factor = self.factors[f]
        if len(factor) == 1:
            ((k, _),) = factor.terms.items()
            place = k.bit_length() // WIDTH
            least = min(key >> place * WIDTH & FIELD for key in a.num.terms)
            times = min(least, p)
            return Quotient(shifted(a.num, times * k, -1), _sum(a.powers, {f: times})) if times else a
        return a

    def settled(self, a: Quotient) -> Quotient:
        """a, expanded, without the factors below that divide what is above."""
        a = self.expanded(a)
        for f, p in list(a.powers.items()):
            for _ in range(-p):
                num = self._divided(a.num, f)
                if num is None:
                    break
                a = Quotient(num, _sum(a.powers, {f: 1}))
        return a

    def _divided(self, num: Poly, f: int) -> Poly | None:
        """The numerator over a factor, if nothing is left over."""
        factor, ring = self.factors[f], self.ring
        if len(factor) == 1 or len(factor) * len(num) > ring.limit or any(k & ring.related for k in factor.terms):
            return None
        return divided(num, factor, ring.guards)


def _sum(a: Mapping[int, int], b: Mapping[int, int]) -> Powers:
    out = dict(a)
    for f, p in b.items():
        out[f] = out.get(f, 0) + p
        if not out[f]:
            del out[f]
    return out


def _lowest(a: Mapping[int, int], b: Mapping[int, int]) -> Powers:
    """The lower power of each factor; one that is absent has power 0."""
    both = {f: min(a.get(f, 0), b.get(f, 0)) for f in {**a, **b}}
    return {f: p for f, p in both.items() if p}
