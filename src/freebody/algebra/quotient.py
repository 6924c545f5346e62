"""Quotients of polynomials: a numerator, and powers (positive or negative) of factors that are not expanded.

What was divided by stays a factor, so that a/b·b is a without any search; only sums multiply factors out, down to the
powers that all have in common. Greatest common divisors are cancelled at the end, by python-flint where it is
installed; without it only atoms and whole factors are.
"""

import importlib.util
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from freebody.algebra.polynomial import FIELD, ONE, WIDTH, ZERO, Poly, Ring, exponents
from freebody.errors import ExpressionError

MOST = 20_000  # terms above and below together, past which no common divisor is looked for

FactorPowers = dict[int, int]  # by the index of the factor
Exponents = tuple[int, ...]
Plain = dict[Exponents, int]  # integers before powers of the variables of one problem


@dataclass(slots=True)
class Quotient:
    """num · Π factorᵖ."""

    num: Poly
    powers: FactorPowers = field(default_factory=dict)


class Quotients:
    """Arithmetic of quotients over a ring; each factor is known by its index in a list."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.factors: list[Poly] = []
        self._indices: dict[frozenset[tuple[int, int]], int] = {}
        self._raised: dict[tuple[int, int], Poly] = {}

    def add(self, a: Quotient, b: Quotient, sign: int = 1, in_place: bool = False) -> Quotient:
        """a ± b; ``in_place`` allows to change a's numerator."""
        if not a.powers and not b.powers:
            total = Quotient(a.num.plus(b.num, sign, in_place))
            self.ring.check(len(total.num))
            return total
        if not a.num or not b.num:
            return a if not b.num else Quotient(b.num if sign > 0 else -b.num, b.powers)
        least = {f: min(a.powers.get(f, 0), b.powers.get(f, 0)) for f in {**a.powers, **b.powers}}
        common = {f: p for f, p in least.items() if p}
        return self.tidy(Quotient(self._lifted(a, common).plus(self._lifted(b, common), sign), common))

    def _lifted(self, a: Quotient, common: FactorPowers) -> Poly:
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
        """1/a, with no root as a factor below: 1/√x is √x/x. ``what`` names the expression if a is 0."""
        if not a.num:
            raise ExpressionError(
                f"{what} divides by an expression that is 0 everywhere. Look at the denominator, or divide by something"
                " else."
            )
        ring, above, below = self.ring, ONE, a.num
        while roots := below.monomial & ring.related & ~ring.trig:
            root = ring.variable((roots.bit_length() - 1) // WIDTH)
            above, below = ring.mul(above, root), ring.mul(below, root)
        common, monomial = below.content, below.monomial
        powers = {f: -p for f, p in a.powers.items()}
        for index, power in exponents(monomial):
            powers = _sum(powers, {self.factor(ring.variable(index)): -power})
        remainder = below.primitive.over(monomial)
        if remainder.terms[max(remainder.terms)] < 0:
            common, remainder = -common, -remainder
        if len(remainder) > 1:
            powers = _sum(powers, {self.factor(remainder): -1})
        return self.tidy(Quotient(above.scaled(1 / common), powers))

    def factor(self, p: Poly) -> int:
        """The index of a factor."""
        key = frozenset(p.terms.items())
        if key not in self._indices:
            self._indices[key] = len(self.factors)
            self.factors.append(Poly(dict(p.terms)))
        return self._indices[key]

    def raised(self, f: int, power: int) -> Poly:
        """A power of a factor."""
        if (f, power) not in self._raised:
            self._raised[f, power] = self.ring.power(self.factors[f], power)
        return self._raised[f, power]

    def expanded(self, a: Quotient) -> Quotient:
        """a with positive powers of factors multiplied into the numerator."""
        if not any(p > 0 for p in a.powers.values()):
            return a
        below = {f: p for f, p in a.powers.items() if p < 0}
        return self.tidy(Quotient(self._lifted(a, below), below))

    def tidy(self, a: Quotient) -> Quotient:
        """a without the atoms below that divide the numerator."""
        if not a.num:
            return Quotient(ZERO)
        num, powers = a.num, dict(a.powers)
        for f, p in a.powers.items():
            if p < 0 and len(self.factors[f]) == 1:
                (atom,) = self.factors[f].terms
                at = atom.bit_length() - 1
                times = min(-p, *(key >> at & FIELD for key in num.terms))
                num, powers[f] = num.over(times * atom), p + times
        return Quotient(num, {f: p for f, p in powers.items() if p})

    def sides(self, a: Quotient) -> tuple[Poly, Poly]:
        """Numerator and denominator in lowest terms, as far as python-flint is there to find these."""
        a, ring = self.expanded(a), self.ring
        num, den = a.num, ONE
        for f, p in sorted(a.powers.items()):
            factor, left = self.factors[f], -p
            while left and len(factor) > 1 and len(factor) * len(num) <= ring.limit:
                divides = None if any(k & ring.related for k in factor.terms) else num.divided(factor, ring.guards)
                if divides is None:
                    break
                num, left = divides, left - 1
            if left:
                den = ring.mul(den, self.raised(f, left))
        plain = len(den) == 1 and not next(iter(den.terms)) & ring.trig
        if not num or plain or len(num) + len(den) > MOST or not flint_available():
            return num, den
        return _HalfTangents(ring, num, den).lowest_terms()


def _sum(a: Mapping[int, int], b: Mapping[int, int]) -> FactorPowers:
    total = {f: a.get(f, 0) + b.get(f, 0) for f in {**a, **b}}
    return {f: p for f, p in total.items() if p}


@cache
def flint_available() -> bool:
    """Whether python-flint is installed."""
    return importlib.util.find_spec("flint") is not None


class _HalfTangents:
    """One quotient: its atoms as variables, the sine and cosine of an angle as one, τ = tan ½θ.

    sin² + cos² = 1 makes the ring one without unique factors: s·s = (1 − c)(1 + c). In τ every quotient is one of
    plain polynomials, s = 2τ/(1 + τ²) and c = (1 − τ²)/(1 + τ²), which has lowest terms; of these the way back is
    τ = sin ½θ / cos ½θ, made even in ½θ above and below.
    """

    def __init__(self, ring: Ring, num: Poly, den: Poly) -> None:
        self.ring, self.num, self.den = ring, num, den
        used = 0
        for k in (*num.terms, *den.terms):
            used |= k
        atoms = [a for a, _ in exponents(used)]
        index = {(atom.angle, atom.sine): k for k, atom in enumerate(ring.atoms)}
        angles = sorted({ring.atoms[a].angle for a in atoms} - {-1})
        self.pairs = [(index[a, True] * WIDTH, index[a, False] * WIDTH) for a in angles]
        self.plain = [a * WIDTH for a in atoms if ring.atoms[a].angle < 0]

    def lowest_terms(self) -> tuple[Poly, Poly]:
        """The quotient with the greatest common divisor cancelled."""
        import flint

        names = [f"x{k}" for k in range(len(self.pairs) + len(self.plain))]
        context = flint.fmpz_mpoly_ctx.get(names, "degrevlex")
        keys = [*self.num.terms, *self.den.terms]
        highest = [max((k >> s & FIELD) + (k >> c & FIELD) for k in keys) for s, c in self.pairs]
        above, below = (self._tangents(context, p, highest) for p in (self.num, self.den))
        common = above.gcd(below)
        sides = [{tuple(map(int, k)): int(c) for k, c in (p // common).to_dict().items()} for p in (above, below)]
        halves = [(max(k[i] for s in sides for k in s) + 1) // 2 for i in range(len(self.pairs))]
        return self._back(sides[0], halves), self._back(sides[1], halves)

    def _tangents(self, context: Any, p: Poly, highest: list[int]) -> Any:
        """p with every s and c in τ, times (1 + τ²) to the highest power, times its denominator and the other's."""
        total = context.from_dict({})
        groups: dict[tuple[tuple[int, int], ...], Plain] = {}
        for k, c in p.terms.items():
            waves = tuple((k >> s & FIELD, k >> co & FIELD) for s, co in self.pairs)
            groups.setdefault(waves, {})[*[0] * len(self.pairs), *(k >> a & FIELD for a in self.plain)] = c
        for waves, part in groups.items():
            product = context.from_dict(part)
            for x, (s, c), most in zip(context.gens(), waves, highest, strict=False):
                product *= (2 * x) ** s * (1 - x * x) ** c * (1 + x * x) ** (most - s - c)
            total += product
        other = self.den if p is self.num else self.num
        return total * (other.den // math.gcd(p.den, other.den))

    def _back(self, side: Plain, halves: list[int]) -> Poly:
        """A polynomial in τ times 2ⁿ cos²ⁿ ½θ for every angle, as one in s and c of the whole angles."""
        state: dict[Exponents, Poly] = {}
        for key, c in side.items():
            monomial = sum(e << a for e, a in zip(key[len(halves) :], self.plain, strict=True))
            _add(state, key[: len(halves)], Poly({monomial: c}))
        for i, n in enumerate(halves):
            sine, cosine = (Poly({1 << at: 1}) for at in self.pairs[i])
            power, mul, done = self.ring.power, self.ring.mul, dict[Exponents, Poly]()
            waves = []  # 2ⁿ sinᵏ ½θ cos²ⁿ⁻ᵏ ½θ by 2 sin² ½θ = 1 − c, 2 cos² ½θ = 1 + c, 2 sin ½θ cos ½θ = s
            for k in range(2 * n + 1):
                even = mul(power(ONE.plus(cosine, -1), k // 2), power(ONE.plus(cosine), n - k % 2 - k // 2))
                waves.append(mul(sine, even) if k % 2 else even)
            for key, p in state.items():
                _add(done, key[1:], mul(p, waves[key[0]]))
            state = done
        return state.get((), ZERO)


def _add(into: dict[Exponents, Poly], key: Exponents, p: Poly) -> None:
    into[key] = into[key].plus(p, in_place=True) if key in into else Poly(dict(p.terms), p.den)
