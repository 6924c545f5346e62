"""Equations in the angular accelerations of bodies: K ω̇ = … with the torques of joints and constraints (Mufti 1983,
Eqs 28–38, 51, 65–73).

Hinge forces are eliminated analytically: K has the inertia of augmented bodies about their barycentres on its diagonal,
and m d̃_ij d̃_ji beside it. Each body's ω̇ is in the body's axes, where its block of the diagonal is constant. Pins and
universal joints add multipliers for the torques that they resist (Eq 51), and constraints add theirs (Eqs 71–73).
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import ClassVar

import numpy as np

from freebody.errors import ExpressionError, ModelError
from freebody.formulations.entries import LIMIT, Solver
from freebody.model.joints.axes import align, unit
from freebody.papers.augmented_bodies import UNIT_QUATERNION, HingedTree, differ_from_zero, directions
from freebody.papers.solvers.hinged import HingedEquations, Linear, LinearSystem
from freebody.scalar.node import Node
from freebody.scalar.walk import somewhere, values
from freebody.spatial.resolved import Vec, collected
from freebody.tree.tree import Link, Tree, quaternions

SINGULAR = 1e-11
"""The smallest eigenvalue of K, with its diagonal scaled to 1, that counts as zero."""


class Barycentric(HingedEquations):
    """The unknowns of a node are the components of ω̇ that some speed changes; that of a free tree is the acceleration
    of its mass centre."""

    solver: ClassVar[str] = "barycentric"
    barycentres: ClassVar[bool] = True

    def __init__(self, tree: Tree) -> None:
        self.axes: dict[int, dict[int, int]] = {}  # by node and axis of its frame: the index of the unknown
        super().__init__(tree)
        self._require_inertia()

    def number_unknowns(self) -> None:
        for hinged in self.hinges.trees:
            if hinged.free:
                self.translations[hinged.root.index] = self.number(hinged.translations)
            for node in hinged.nodes:
                self.axes[node.index] = self.number(self.bodies.reach(node))
        for node in self.bodies.nodes:
            if node.body.coupling is None:
                columns = directions(node)
                duals = self.dual([t for t in node.turns if t], list(columns.values()))
                self.rates |= {k: self._relative(node, w) for k, w in zip(columns, duals, strict=True)}

    def add_inertia(self, system: LinearSystem, hinged: HingedTree) -> None:
        bodies, S = self.bodies, self.graph
        for n, node in enumerate(hinged.nodes):
            for axis, column in self.axes[node.index].items():
                e = Vec(node.frame, tuple(S.one if k == axis else S.zero for k in range(3)))
                for inner in hinged.nodes[: n + 1]:
                    torque = bodies.torque(inner, node, e)
                    for row, k in self.axes[inner.index].items():
                        if k <= column:
                            system.add(column, k, torque.c[row])
                if hinged.free and not self.barycentres:
                    force = bodies.force(node, e).in_(hinged.root.frame)
                    for k, unknown in self.translations[hinged.root.index].items():
                        system.add(column, unknown, force.c[k])

    def form(self, torques: Mapping[int, Vec]) -> Linear:
        each = ((k, torques[n].c[axis]) for n in torques for axis, k in self.axes[n].items())
        return {k: x for k, x in each if not self.graph.vanishes(x)}

    def root_acceleration(self, hinged: HingedTree, x: Sequence[Node]) -> Vec:
        """r̈_c − Σ ω̇ × s/m − Σ d s̈ m_i/m for the acceleration r̈_c of the mass centre (Eq 69)."""
        nodes = hinged.nodes if self.barycentres else ()
        around = [self.vector(n, self.axes[n.index], x).cross(self.bodies.offset[n.index]) for n in nodes]
        for node in nodes:
            for speed, d in self.bodies.slides.get(node.index, {}).items():
                share = self.graph.mul(self.bodies.fraction(hinged, node), x[self.sliding[speed]])
                around.append(d.times(share))
        return super().root_acceleration(hinged, x) - collected(hinged.root.frame, around)

    def _relative(self, node: Link, v: Vec) -> Linear:
        """v · (ω̇ − ω̇ of the inboard node), v in the node's frame."""
        inner, both = self.hinges.inboard(node), {node.index: v}
        return self.form(both if inner is None else {**both, inner.index: -v.in_(inner.frame)})

    def joint_rows(self, node: Link) -> list[Linear]:
        """Qᵀ(ω̇ − ω̇ of the inboard node), Q across the directions in which free speeds turn the node (Eq 51); and for
        a coupled joint the difference of its rate from that of the joint to which it is coupled."""
        g, frame = self.graph, node.frame
        columns = list(directions(node).values())
        along = [[k for k, x in enumerate(v.c) if not g.vanishes(x)] for v in columns]
        if all(len(axes) == 1 for axes in along):
            across = [k for k in range(3) if [k] not in along]
            Q = [Vec(frame, tuple(g.one if i == k else g.zero for i in range(3))) for k in across]
        elif len(columns) == 1:
            first, second, _ = align(g, unit(g, columns[0].xyz, f"joint of '{node.name}'"))
            Q = [Vec(frame, first), Vec(frame, second)]
        else:
            Q = [columns[0].cross(columns[1])] if len(columns) == 2 else []
        forms = [self._relative(node, v) for v in Q]
        if node.body.coupling is not None:
            rate, leader = self._relative(node, self.dual(node.turns, columns)[0]), self.rates[node.u[0]]
            forms.append({k: g.sub(rate.get(k, g.zero), leader.get(k, g.zero)) for k in {**rate, **leader}})
        present = iter(differ_from_zero(self.tree, [x for form in forms for x in form.values()]))
        forms = [{k: x for k, x in form.items() if next(present)} for form in forms]
        return [form for form in forms if form]

    # Rotations without inertia

    def _stiffen(self) -> None:
        """Add ρ Q Qᵀ to K, with an inertia ρ: where joints hold, Qᵀ(ω̇ − ω̇ of the inboard node) = 0, so that solutions
        stay the same, but rotations that joints prevent need no inertia."""
        g, system = self.graph, LinearSystem(self.graph, self.entries)
        for hinged in self.hinges.trees:
            moments = [x for node in hinged.nodes for x in self.bodies.inertia[node.index][:3]]
            weight = reduce(g.add, moments)
            for form in (form for node in hinged.nodes for form in self.joint_rows(node)):
                for n, (i, x) in enumerate(form.items()):
                    for j, y in list(form.items())[: n + 1]:
                        system.add(i, j, g.mul(weight, g.mul(x, y)))

    def _require_inertia(self) -> None:
        """Raise if a rotation has no inertia that joints do not prevent."""
        if self._without_inertia() is None:
            return
        self._stiffen()
        unknown = self._without_inertia()
        if unknown is None:
            return
        owners = {k: node for node in self.bodies.nodes for k in self.axes[node.index].values()}
        owners |= {k: t.root for t in self.hinges.trees for k in self.translations.get(t.root.index, {}).values()}
        owners |= {self.sliding[k]: node for node in self.bodies.nodes for k in self.bodies.slides.get(node.index, ())}
        body = owners[unknown].name
        raise ModelError(
            f"solver '{self.solver}': rotations of bodies that no joint prevents need inertia, and a rotation of"
            f" '{body}' has none. Give '{body}' moments of inertia about all axes that its joint leaves free, or use"
            " solver='relative', or 'tree' without 'gauss'"
        )

    def _without_inertia(self) -> int | None:
        """The unknown that is largest in a motion without inertia at a random state; None if all motions have some, or
        if K has no value there."""
        g, tree, n, known = self.graph, self.tree, self.count, dict[Node, float]()
        for start in quaternions(tree):
            known |= zip(tree.layout.q_handles[start : start + 4], UNIT_QUATERNION, strict=True)
        known |= {h: x for name, x in tree.model.parameters.items() if (h := g.named(name)) is not None}
        try:
            numbers = values(g, list(self.entries.values()), known, somewhere(0))
        except (ArithmeticError, ValueError, ExpressionError):
            return None
        K = np.zeros((n, n))
        for (i, j), x in zip(self.entries, numbers, strict=True):
            K[i, j] = K[j, i] = float(x)
        scale = np.sqrt(np.diag(K).clip(0))
        if not scale.all():
            return int(np.argmin(scale))
        sizes, motions = np.linalg.eigh(K / np.outer(scale, scale))
        return int(np.argmax(np.abs(motions[:, 0] / scale))) if n and sizes[0] < SINGULAR else None


class FirstBody(Barycentric):
    """With the acceleration of the root's origin as the unknown of a free tree (Eqs 65–73, in r̈₁ and ω̇). Trees that
    are attached have none (Remark 3)."""

    solver: ClassVar[str] = "tree"
    barycentres: ClassVar[bool] = False

    def __init__(self, tree: Tree) -> None:
        if len(tree.model.bodies) > LIMIT:
            raise ModelError(f"solver 'tree' of 'gauss' is derived for up to {LIMIT} bodies; leave 'gauss' out")
        super().__init__(tree)


SOLVER = Solver("barycentric", "gauss", member=Barycentric)
