"""Base angles: every argument of a sine or cosine as whole multiples of a few angles, each with a sine and a cosine.

The terms of an argument are its angles: q1, q2, ω·t. An angle's unit is the whole term, or a fraction of it where an
argument needs one (q/2); a coefficient that is no small fraction (0.3·q) makes an angle of its own. Turns by multiples
of π/2 are exact: the floats nearest to them stand for them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from freebody.algebra.poly import FIELD, ONE, WIDTH, Poly, added, scaled
from freebody.algebra.quotient import Quotient, Quotients
from freebody.algebra.ring import Atom

LARGEST = 64  # of numerators and denominators of coefficients that are counted in units
FINEST = 1024  # parts of a term that are still a unit

What = tuple[int, tuple[tuple[int, int], ...]]  # a monomial and the powers of factors behind it
Scales = dict[What, int]


class Finer(Exception):
    """An argument needs a fraction of a unit that was taken whole."""

    def __init__(self, what: What, scale: int) -> None:
        super().__init__(what, scale)
        self.what, self.scale = what, scale


@dataclass(frozen=True, slots=True)
class Angle:
    """unit · node, and the places of its sine and cosine among the atoms; the node of a constant angle is 1."""

    node: int
    unit: Fraction
    sine: int
    cosine: int


class Angles:
    """The base angles of a ring."""

    def __init__(self, quotients: Quotients, scales: Scales, write: Callable[[Quotient], int]) -> None:
        self.quotients, self.ring, self.scales, self.write = quotients, quotients.ring, scales, write
        self.all: list[Angle] = []
        self._of: dict[tuple[What, Fraction], int] = {}
        self._multiples: dict[tuple[int, int], tuple[Poly, Poly]] = {}

    def sine_cosine(self, argument: Quotient) -> tuple[Poly, Poly]:
        """sin and cos of an argument, multiplied out."""
        argument = self.quotients.expanded(argument)
        terms = {k: argument.num.coefficient(k) for k in argument.num.terms}
        turns = _quarters(terms[0]) if 0 in terms and not argument.powers else None
        if turns is not None:
            del terms[0]
        s, c = _quarter(turns or 0)
        for k, coefficient in sorted(terms.items()):
            base, n = self._counted(self._what(k, argument.powers), coefficient)
            s, c = self._sum(s, c, *self.multiple(base, n))
        return s, c

    def _sum(self, s: Poly, c: Poly, sine: Poly, cosine: Poly) -> tuple[Poly, Poly]:
        """sin and cos of a sum of two angles."""
        mul = self.ring.mul
        return added(mul(s, cosine), mul(c, sine)), added(mul(c, cosine), mul(s, sine), -1)

    def _what(self, k: int, powers: dict[int, int]) -> What:
        """A term of an argument: its monomial over the factors, atoms on both sides cancelled."""
        left = dict(powers)
        for f in powers:
            factor = self.quotients.factors[f]
            if len(factor) == 1:
                (unit,) = factor.terms
                times = min(-left[f], k >> (unit.bit_length() - 1) & FIELD)
                k, left[f] = k - times * unit, left[f] + times
        return k, tuple(sorted((f, p) for f, p in left.items() if p))

    def _counted(self, what: What, coefficient: Fraction) -> tuple[int, int]:
        """A term as a whole multiple of a base angle."""
        scale = self.scales.setdefault(what, 1)
        finer = math.lcm(scale, coefficient.denominator)
        small = max(abs(coefficient.numerator), coefficient.denominator) <= LARGEST and finer <= FINEST
        if what == (0, ()) or not small:
            return self._base(what, abs(coefficient)), 1 if coefficient > 0 else -1
        if finer > scale:
            raise Finer(what, finer)
        return self._base(what, Fraction(1, scale)), int(coefficient * scale)

    def _base(self, what: What, unit: Fraction) -> int:
        if (what, unit) not in self._of:
            node = self.write(Quotient(Poly({what[0]: 1}), dict(what[1])))
            here = self._of[what, unit] = len(self.all)
            places = [self.ring.atom((what, unit, sine), Atom(-1, here, sine)) for sine in (True, False)]
            self.all.append(Angle(node, unit, *places))
            self.ring.relate(places[0], Poly({0: 1, 2 << places[1] * WIDTH: -1}))
        return self._of[what, unit]

    def multiple(self, base: int, n: int) -> tuple[Poly, Poly]:
        """sin and cos of n times a base angle, by Chebyshev's recurrence; built up from the largest one known."""
        if n < 0:
            s, c = self.multiple(base, -n)
            return scaled(s, Fraction(-1)), c
        s1, c1 = (self.ring.variable(p) for p in (self.all[base].sine, self.all[base].cosine))
        known = self._multiples
        known.setdefault((base, 0), (Poly({}), ONE))
        start = max((m for m in range(n + 1) if (base, m) in known), default=0)
        for m in range(start, n):
            known[base, m + 1] = self._sum(*known[base, m], s1, c1)
        return known[base, n]


def _quarters(constant: Fraction) -> int | None:
    """How many quarter turns this is, if it is the float nearest to a small number of them."""
    n = round(float(constant) / (math.pi / 2)) if abs(constant) < 1000 else 0
    return n if n and abs(float(constant) - n * (math.pi / 2)) <= 2 * math.ulp(float(constant)) else None


def _quarter(n: int) -> tuple[Poly, Poly]:
    """sin and cos of n quarter turns."""
    values = (0, 1, 0, -1)
    s, c = values[n % 4], values[(n + 1) % 4]
    return Poly({0: s} if s else {}), Poly({0: c} if c else {})
