"""Equations in relative rotations of joints, from those in angular accelerations of bodies (Mufti 1983, Eqs 52–61).

ω̇ of a body is the sum of P γ̈ over the joints between it and the ground, so that the matrix is Pᵀ T K Tᵀ P, with the
path matrix T and the matrix K of augmented bodies. It is computed column by column: K Tᵀ p is what the augmented bodies
require if one speed turns the bodies outboard of its joint.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from freebody.formulations.solvers.base import Solver
from freebody.formulations.solvers.hinged import HingedEquations, Linear, LinearSystem
from freebody.spatial.resolved import Vec, collected
from freebody.tree.barycentres import HingedTree, directions


class Relative(HingedEquations):
    """The unknowns are u̇ of rotations, and for each free tree the acceleration of its root's origin."""

    solver: ClassVar[str] = "relative"

    def number_unknowns(self) -> None:
        for tree in self.hinges.trees:
            if tree.free:
                self.translations[tree.root.index] = self.number(tree.translations)
        for node in self.bodies.nodes:
            for speed in self.directions[node.index]:
                if speed not in self.rates:
                    self.rates[speed] = {self.number([0])[0]: self.graph.one}

    @cached_property
    def directions(self) -> dict[int, dict[int, Vec]]:
        """P: for each node the directions of its own free speeds, by the index of the speed."""
        return {node.index: directions(node) for node in self.bodies.nodes}

    def _unknown(self, speed: int) -> int:
        return next(iter(self.rates[speed]))

    def add_inertia(self, system: LinearSystem, tree: HingedTree) -> None:
        """Column by column: the torques K Tᵀ p on bodies that a speed requires, which moves the outboard bodies of its
        joint in the direction p, or of several coupled joints."""
        for speed in dict.fromkeys(k for node in tree.nodes for k in self.directions[node.index]):
            e = dict[int, Vec]()
            for node in tree.nodes:
                parts = [v for n in self.hinges.way(node) if (v := self.directions[n.index].get(speed)) is not None]
                if parts:
                    e[node.index] = collected(node.frame, parts)
            column, required = self._unknown(speed), self.bodies.applied_by(tree, e)
            for row, value in self.form(required.torques).items():
                if row <= column:
                    system.add(column, row, value)
            for root, force in required.forces.items():
                for k, unknown in self.translations[root].items():
                    system.add(column, unknown, force.c[k])

    def form(self, torques: Mapping[int, Vec]) -> Linear:
        """Pᵀ T t."""
        g, totals, form = self.graph, dict(torques), Linear()
        for node in reversed(self.bodies.nodes):
            total, inner = totals.get(node.index), self.hinges.inboard(node)
            if total is None:
                continue
            for speed, p in self.directions[node.index].items():
                k, value = self._unknown(speed), p.dot(total)
                form[k] = g.add(form[k], value) if k in form else value
            if inner is not None:
                total = total.in_(inner.frame)
                totals[inner.index] = totals[inner.index] + total if inner.index in totals else total
        return {k: x for k, x in form.items() if not g.vanishes(x)}


SOLVER = Solver(
    "relative", "rotations of joints: the matrix of augmented bodies, projected along paths", "gauss", member=Relative
)
