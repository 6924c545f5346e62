"""Quotients in lowest terms. python-flint finds greatest common divisors; without it only atoms are cancelled.

sin² + cos² = 1 makes the ring one without unique factors: s·s = (1 − c)(1 + c). In τ = tan ½θ every quotient is one of
plain polynomials, s = 2τ/(1 + τ²) and c = (1 − τ²)/(1 + τ²), which has lowest terms; of these the way back is
τ = sin ½θ / cos ½θ, made even in ½θ on both sides of the line.
"""

import importlib.util
import math
from functools import cache
from typing import Any

from freebody.algebra.poly import FIELD, WIDTH, ZERO, Poly, added, exponents
from freebody.algebra.read import Reader

MOST = 20_000  # terms above and below together, past which no common divisor is looked for

Exponents = tuple[int, ...]
Plain = dict[Exponents, int]  # integers before powers of the variables of one problem


@cache
def available() -> bool:
    """Whether python-flint is installed."""
    return importlib.util.find_spec("flint") is not None


def lowest_terms(reader: Reader, num: Poly, den: Poly) -> tuple[Poly, Poly]:
    """num/den with the greatest common divisor cancelled, if python-flint is there to find it."""
    plain = len(den) == 1 and not next(iter(den.terms)) & reader.ring.trig
    if not num or plain or len(num) + len(den) > MOST or not available():
        return num, den
    return _Problem(reader, num, den).solve()


class _Problem:
    """One quotient: its atoms as variables, the sine and cosine of an angle as one, tan ½θ."""

    def __init__(self, reader: Reader, num: Poly, den: Poly) -> None:
        self.ring, self.num, self.den = reader.ring, num, den
        used = 0
        for p in (num, den):
            for k in p.terms:
                used |= k
        atoms = [a for a, _ in exponents(used)]
        self.angles = sorted({self.ring.atoms[a].angle for a in atoms} - {-1})
        self.pairs = [(reader.angles.all[a].sine, reader.angles.all[a].cosine) for a in self.angles]
        self.plain = [a for a in atoms if self.ring.atoms[a].angle < 0]
        self.size = len(self.pairs) + len(self.plain)

    def solve(self) -> tuple[Poly, Poly]:
        import flint

        context = flint.fmpz_mpoly_ctx.get([f"x{k}" for k in range(self.size)], "degrevlex")
        highest = [self._highest(i) for i in range(len(self.pairs))]
        above, below = (self._tangents(context, p, highest) for p in (self.num, self.den))
        common = above.gcd(below)
        above, below = above // common, below // common
        sides = [{tuple(map(int, k)): int(c) for k, c in p.to_dict().items()} for p in (above, below)]
        halves = [(max(k[i] for s in sides for k in s) + 1) // 2 for i in range(len(self.pairs))]
        return self._back(sides[0], halves), self._back(sides[1], halves)

    def _highest(self, i: int) -> int:
        """The degree of both sides in the sine and cosine of an angle."""
        s, c = self.pairs[i]
        keys = [*self.num.terms, *self.den.terms]
        return max((k >> s * WIDTH & FIELD) + (k >> c * WIDTH & FIELD) for k in keys)

    def _tangents(self, context: Any, p: Poly, highest: list[int]) -> Any:
        """p with every s and c in τ, times (1 + τ²) to the highest power, times its denominator and the other's."""
        gens = context.gens()
        total = context.from_dict({})
        groups: dict[tuple[tuple[int, int], ...], Plain] = {}
        for k, c in p.terms.items():
            waves = tuple((k >> s * WIDTH & FIELD, k >> co * WIDTH & FIELD) for s, co in self.pairs)
            plain = (*[0] * len(self.pairs), *(k >> a * WIDTH & FIELD for a in self.plain))
            groups.setdefault(waves, {})[plain] = c
        for waves, part in groups.items():
            product = context.from_dict(part)
            for x, (s, c), most in zip(gens, waves, highest, strict=False):
                product *= (2 * x) ** s * (1 - x * x) ** c * (1 + x * x) ** (most - s - c)
            total += product
        other = self.den if p is self.num else self.num
        return total * (other.den // math.gcd(p.den, other.den))

    def _back(self, side: Plain, halves: list[int]) -> Poly:
        """A polynomial in τ times 2ⁿ cos²ⁿ ½θ for every angle, as one in s and c of the whole angles."""
        state: dict[Exponents, Poly] = {}
        for key, c in side.items():
            monomial = sum(e << a * WIDTH for e, a in zip(key[len(halves) :], self.plain, strict=True))
            _add(state, key[: len(halves)], Poly({monomial: c}))
        for i, n in enumerate(halves):
            waves = [self._wave(i, k, n) for k in range(2 * n + 1)]
            done: dict[Exponents, Poly] = {}
            for key, p in state.items():
                _add(done, key[1:], self.ring.mul(p, waves[key[0]]))
            state = done
        return state.get((), ZERO)

    def _wave(self, i: int, sines: int, n: int) -> Poly:
        """2ⁿ sinᵏ ½θ cos²ⁿ⁻ᵏ ½θ in s and c: 2 sin² ½θ = 1 − c, 2 cos² ½θ = 1 + c, 2 sin ½θ cos ½θ = s."""
        s, c = (1 << place * WIDTH for place in self.pairs[i])
        minus, plus = Poly({0: 1, c: -1}), Poly({0: 1, c: 1})
        odd = sines % 2
        power, mul = self.ring.power, self.ring.mul
        even = mul(power(minus, sines // 2), power(plus, n - odd - sines // 2))
        return mul(Poly({s: 1}), even) if odd else even


def _add(into: dict[Exponents, Poly], key: Exponents, p: Poly) -> None:
    into[key] = added(into[key], p, own=True) if key in into else Poly(dict(p.terms), p.den)
