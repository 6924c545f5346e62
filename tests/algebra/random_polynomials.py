"""Random polynomials in symbols, sines and cosines as lists of terms, built in a graph in many equivalent ways."""

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind

KINDS = {
    **dict.fromkeys(("m", "l", "k"), Kind.PARAMETER),
    **dict.fromkeys(("q1", "q2", "q3"), Kind.COORDINATE),
    **dict.fromkeys(("u1", "u2"), Kind.SPEED),
}  # fmt: skip
ANGLES = ("q1", "q2", "q3")
Wave = tuple[str, tuple[int, ...]]  # "sin" or "cos", and whole multiples of the angles


@dataclass(frozen=True)
class Term:
    """number · Π symbols · Π waves."""

    number: Fraction
    symbols: tuple[str, ...]
    waves: tuple[Wave, ...]


def terms(rng: Random, most: int = 6) -> list[Term]:
    return [term(rng) for _ in range(rng.randint(1, most))]


def term(rng: Random) -> Term:
    number = Fraction(rng.choice((1, -1, 2, -3, 5)), rng.choice((1, 1, 2, 3, 12)))
    symbols = tuple(rng.choices(("m", "l", "k", "u1", "u2"), k=rng.randint(0, 3)))
    return Term(number, symbols, tuple(wave(rng) for _ in range(rng.randint(0, 3))))


def wave(rng: Random) -> Wave:
    multiples = [0, 0, 0]
    for k in rng.sample(range(3), rng.choice((1, 1, 1, 2, 3))):
        multiples[k] = rng.choice((1, 1, 1, -1, 2))
    return rng.choice(("sin", "cos")), tuple(multiples)


class Builder:
    """Builds equivalent expressions in random ways: orders, signs and identities are random."""

    def __init__(self, graph: Graph, rng: Random) -> None:
        self.g, self.rng = graph, rng

    def symbol(self, name: str) -> Node:
        return self.g.symbol(name, KINDS[name])

    def sum(self, row: list[Term]) -> Node:
        """The terms in random order, split into nested sums, sometimes with 0 = x − x and 1 = s² + c² inserted."""
        row = self.rng.sample(row, len(row))
        if len(row) == 1:
            return self._with_identity(self.product(row[0]))
        at = self.rng.randint(1, len(row) - 1)
        left, right = self.sum(row[:at]), self.sum(row[at:])
        if self.rng.random() < 0.3:
            return self.g.sub(left, self.g.neg(right))
        return self.g.add(right, left)

    def _with_identity(self, node: Node) -> Node:
        chance = self.rng.random()
        if chance < 0.15:
            s, c = self.wave(("sin", (1, 1, 0))), self.wave(("cos", (1, 1, 0)))
            return self.g.mul(node, self.g.add(self.g.mul(s, s), self.g.mul(c, c)))
        if chance < 0.3:
            other = self.product(term(self.rng))
            return self.g.sub(self.g.add(node, other), other)
        return node

    def product(self, t: Term) -> Node:
        """The factors in random order."""
        factors = [self.symbol(name) for name in t.symbols] + [self.wave(w) for w in t.waves]
        self.rng.shuffle(factors)
        node = self.g.const(t.number)
        for factor in factors:
            node = self.g.mul(factor, node)
        return node

    def wave(self, w: Wave) -> Node:
        """A sine or cosine of the whole angle, or by addition theorems, half angles or squares."""
        kind, multiples = w
        way = self.rng.random()
        if way < 0.3 and sum(map(bool, multiples)) > 1:
            return self._added(kind, multiples)
        if way < 0.5 and all(n % 2 == 0 for n in multiples):
            return self._doubled(kind, tuple(n // 2 for n in multiples))
        return self._plain(kind, multiples)

    def _plain(self, kind: str, multiples: tuple[int, ...]) -> Node:
        node = self.g.zero
        for n, name in self.rng.sample(list(zip(multiples, ANGLES, strict=True)), 3):
            node = self.g.add(node, self.g.mul(self.g.const(n), self.symbol(name)))
        return self.g.sin(node) if kind == "sin" else self.g.cos(node)

    def _added(self, kind: str, multiples: tuple[int, ...]) -> Node:
        k = self.rng.choice([k for k, n in enumerate(multiples) if n])
        alone = tuple(n if j == k else 0 for j, n in enumerate(multiples))
        rest = tuple(0 if j == k else n for j, n in enumerate(multiples))
        g = self.g
        sa, ca = self.wave(("sin", alone)), self.wave(("cos", alone))
        sb, cb = self.wave(("sin", rest)), self.wave(("cos", rest))
        if kind == "sin":
            return g.add(g.mul(sa, cb), g.mul(ca, sb))
        return g.sub(g.mul(ca, cb), g.mul(sa, sb))

    def _doubled(self, kind: str, half: tuple[int, ...]) -> Node:
        g, s, c = self.g, self.wave(("sin", half)), self.wave(("cos", half))
        if kind == "sin":
            return g.mul(g.const(2), g.mul(s, c))
        if self.rng.random() < 0.5:
            return g.sub(g.mul(g.const(2), g.mul(c, c)), g.one)
        return g.sub(g.one, g.mul(g.const(2), g.mul(s, s)))
