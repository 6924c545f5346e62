"""From a list of terms to something a person would write: common factors before sums of what they share.

A term is a number and powers of factors; factors are known by their rank, in the order in which they are to be read:
symbols and other nodes first, sines and cosines behind them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

LEAST = (1, 3, 3)  # factors that parentheses must save: in a sum by itself, and inside other parentheses

Powers = dict[int, int]
Handle = tuple[tuple[int, int], ...]  # ranks and powers
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """number · Π factorᵖ · (sum of inner terms), the last only where there are some; terms are ordered by ``key``."""

    number: Fraction
    powers: Powers
    key: Key
    inner: "tuple[Term, ...]" = ()


class Collector:
    """Ranks from ``functions`` on are sines and cosines; ``exact`` says that all numbers are fractions."""

    def __init__(self, functions: int, exact: bool) -> None:
        self.functions, self.exact = functions, exact

    def term(self, number: Fraction, powers: Powers) -> Term:
        """A plain term; those without sines and cosines come first, then those of lower degree."""
        waves = sum(p for r, p in powers.items() if r >= self.functions)
        names = sorted((r, -p) for r, p in powers.items())
        return Term(number, powers, (waves, sum(powers.values()) - waves, names))

    def collected(self, terms: Sequence[Term], depth: int = 0) -> Term:
        """The sum of terms as a product: what all have in common, and the rest gathered by what appears most often."""
        if len(terms) == 1:
            return terms[0]
        number, powers = self._number([t.number for t in terms]), _common(terms)
        rest = [Term(t.number / number, _without(t.powers, powers), t.key) for t in terms]
        inner = self._gathered(rest, max(depth, bool(powers)))
        return Term(number, powers, min(t.key for t in terms), _ordered(inner))

    def _gathered(self, terms: Sequence[Term], depth: int) -> list[Term]:
        """Terms grouped by what saves most factors, then by what saves most of the rest."""
        found: list[Term] = []
        left = list(terms)
        while depth < len(LEAST):
            groups: dict[Handle, list[Term]] = {}
            for t in left:
                for handle in self._handles(t):
                    groups.setdefault(handle, []).append(t)
            best = min(groups, key=lambda h: (-_saved(groups[h]), h), default=())
            if not best or _saved(groups[best]) < LEAST[depth]:
                break
            found.append(self.collected(groups[best], depth + 1))
            gone = set(map(id, groups[best]))
            left = [t for t in left if id(t) not in gone]
        return [*found, *left]

    def _handles(self, t: Term) -> list[Handle]:
        """By what a term can be gathered: a power of an atom (x² is another matter than x), or all its waves."""
        waves = tuple(sorted((r, p) for r, p in t.powers.items() if r >= self.functions))
        return [((r, p),) for r, p in t.powers.items() if r < self.functions] + ([waves] if waves else [])

    def _number(self, numbers: Sequence[Fraction]) -> Fraction:
        """The number to take out: of integers, or of fractions with one denominator, the largest; −1 if all are < 0."""
        sign = -1 if all(n < 0 for n in numbers) else 1
        below = {n.denominator for n in numbers}
        if len({abs(n) for n in numbers}) > 1 and (len(below) > 1 or not self.exact):
            return Fraction(sign)
        return Fraction(sign * math.gcd(*(n.numerator for n in numbers)), below.pop())


def _ordered(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Terms as they are read, a positive one in front if there is one."""
    row = sorted(terms, key=lambda t: t.key)
    front = next((k for k, t in enumerate(row) if t.number > 0), 0)
    return (row[front], *row[:front], *row[front + 1 :])


def _saved(terms: Sequence[Term]) -> int:
    """How many factors need not be written if what these terms have in common stands before them."""
    return (len(terms) - 1) * len(_common(terms)) if len(terms) > 1 else 0


def _common(terms: Sequence[Term]) -> Powers:
    powers = dict(terms[0].powers)
    for t in terms[1:]:
        powers = {r: min(p, t.powers[r]) for r, p in powers.items() if r in t.powers}
    return powers


def _without(powers: Powers, common: Powers) -> Powers:
    return {r: p - common.get(r, 0) for r, p in powers.items() if p > common.get(r, 0)}
