"""The order in which things are read: by kind, and within a kind as they were declared."""

from collections.abc import MutableMapping
from typing import Any

from freebody.algebra.angles import Angle
from freebody.algebra.poly import exponents
from freebody.algebra.read import Reader
from freebody.algebra.trig import Monomial
from freebody.scalar.ops import SYMBOL

Key = tuple[Any, ...]


class Order:
    """Ranks of atoms and base angles. Angles may be met while others are written; ranks are then found again."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.ring, self.graph = reader, reader.ring, reader.graph
        self.ranked: list[Angle] = []
        self.parts: dict[int, int] = {}
        self._rank: dict[int, int] = {}
        self._monomials: dict[int, Monomial] = {}

    def atom(self, place: int) -> Key:
        """Symbols before other nodes."""
        return self._node(self.ring.atoms[place].node)

    def _node(self, node: int) -> Key:
        """Symbols by kind, then other nodes by operation, each in the order in which they were first written."""
        known = self.graph.op[node] == SYMBOL
        return (not known, int(self.graph.symbols[self.graph.a[node]].kind) if known else self.graph.op[node], node)

    def refresh(self, memo: MutableMapping[Any, Any]) -> None:
        """Rank the angles anew if there are more than before; what was remembered by rank is forgotten."""
        angles = self.reader.angles.all
        if len(angles) == len(self.ranked):
            return
        memo.clear()
        self._monomials.clear()
        order = sorted(range(len(angles)), key=lambda a: (self._node(angles[a].node), angles[a].unit))
        self._rank = {a: k for k, a in enumerate(order)}
        self.ranked = [angles[a] for a in order]
        self.parts = {k: angle.unit.denominator for k, angle in enumerate(self.ranked)}

    def monomial(self, waves: int) -> Monomial:
        """A product of sines and cosines, unpacked."""
        if waves not in self._monomials:
            powers: dict[int, list[int]] = {}
            for place, e in exponents(waves):
                atom = self.ring.atoms[place]
                powers.setdefault(self._rank[atom.angle], [0, 0])[0 if atom.sine else 1] = e
            self._monomials[waves] = tuple(sorted((a, s, c) for a, (s, c) in powers.items()))
        return self._monomials[waves]
