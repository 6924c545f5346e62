"""The graph of a system, bodies as vertices and joints as arcs, and its matrices: incidence, paths, loops (Mufti 1983).

The fictitious body b₀ of the paper, to which the root of a tree is attached, is the ground, so that a system may have
several trees: each has an arc that starts at the ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.model.model import Model
from freebody.tables import TableRepr, TextTable, counted

IntArray = NDArray[np.int64]
GROUND = "ground"


class Arc(NamedTuple):
    """A joint by its name, from the body ``start`` to the body ``end``; one of them may be the ground."""

    name: str
    start: str
    end: str


@dataclass(frozen=True, repr=False)
class Topology(TableRepr):
    """Which joint connects which bodies. Rows and columns of the matrices have the order of ``bodies``, ``joints`` (one
    for each body, directed away from the ground) and ``cuts``, the joints that close loops and other constraints
    between two bodies. All matrices have integer entries 0, 1 and −1."""

    bodies: tuple[str, ...]
    joints: tuple[Arc, ...]
    cuts: tuple[Arc, ...] = ()

    def _table(self) -> TextTable:
        arcs = [("joint", arc) for arc in self.joints] + [("cut", arc) for arc in self.cuts]
        rows = tuple((kind, arc.name, arc.start, arc.end) for kind, arc in arcs)
        title = f"{counted(len(self.bodies), 'body', 'bodies')}, {counted(len(self.cuts), 'cut')}"
        return TextTable(title, ("", "name", "from", "to"), rows)

    @cached_property
    def S(self) -> IntArray:
        """Bodies × joints: 1 where a joint starts at a body, −1 where it ends there (Eq 22). The column of a root's
        joint has the −1 alone. S is upper triangular if no body comes before its parent, and joints have the order of
        the bodies at their ends."""
        return self._incidence(self.joints)

    @property
    def incidence(self) -> IntArray:
        """C: the columns of S for joints between two bodies (Eq 1)."""
        return self.S[:, ~self._at_ground]

    @cached_property
    def cut_incidence(self) -> IntArray:
        """C*: bodies × cuts, with entries as in S (Eq 62)."""
        return self._incidence(self.cuts)

    @cached_property
    def path(self) -> IntArray:
        """T = S⁻¹, joints × bodies: −1 where a joint is on the path from the ground to a body (Eqs 23–25)."""
        row, arriving = {arc.name: k for k, arc in enumerate(self.joints)}, {arc.end: arc for arc in self.joints}
        T = np.zeros((len(self.joints), len(self.bodies)), np.int64)
        for column, body in enumerate(self.bodies):
            while body != GROUND:
                arc = arriving[body]
                T[row[arc.name], column], body = -1, arc.start
        return T

    @property
    def T1(self) -> IntArray:
        """The rows of the path matrix for joints to the ground; of one tree a row of −1. T₁ C = 0."""
        return self.path[self._at_ground]

    @property
    def T2(self) -> IntArray:
        """The rows of the path matrix for joints between two bodies. T₂ C = 1."""
        return self.path[~self._at_ground]

    @cached_property
    def loops(self) -> IntArray:
        """Joints × cuts, T C*: ±1 where a joint belongs to the loop that a cut closes."""
        return self.path @ self.cut_incidence

    @cached_property
    def labels(self) -> dict[str, int]:
        """The regular labels 1 … n of the bodies. The peripheral bodies (no joint starts there) have the highest ones;
        without these bodies, others are peripheral and have the next ones, and so on to the roots."""
        left, labels = list(self.bodies), dict[str, int]()
        while left:
            inner = {arc.start for arc in self.joints if arc.end in left}
            peripheral = [body for body in left if body not in inner]
            first = len(left) - len(peripheral) + 1
            labels |= {body: first + k for k, body in enumerate(peripheral)}
            left = [body for body in left if body in inner]
        return {body: labels[body] for body in self.bodies}

    @property
    def regular(self) -> "Topology":
        """The same graph with bodies and joints in the order of the regular labels, for which S and T are upper
        triangular."""
        bodies = tuple(sorted(self.bodies, key=self.labels.__getitem__))
        return Topology(bodies, tuple(sorted(self.joints, key=lambda arc: self.labels[arc.end])), self.cuts)

    @property
    def _at_ground(self) -> NDArray[np.bool_]:
        return np.array([arc.start == GROUND for arc in self.joints], bool)

    def _incidence(self, arcs: Sequence[Arc]) -> IntArray:
        row, matrix = {body: k for k, body in enumerate(self.bodies)}, np.zeros((len(self.bodies), len(arcs)), np.int64)
        for column, arc in enumerate(arcs):
            for body, value in ((arc.start, 1), (arc.end, -1)):
                if body != GROUND:
                    matrix[row[body], column] = value
        return matrix


def topology(model: Model) -> Topology:
    """The graph of a model; a joint has the name of the body that it carries, and a cut that of its constraint."""
    joints = tuple(Arc(name, spec.parent, name) for name, spec in model.bodies.items())
    ends = {name: constraint.bodies() for name, constraint in model.constraints.items()}
    cuts = tuple(Arc(name, pair[0], pair[1]) for name, pair in ends.items() if len(pair) == 2)
    return Topology(tuple(model.bodies), joints, cuts)
