"""What solvers in the rotations of bodies have in common (Mufti 1983, Sections 3 and 4): trees whose joints are
rotations about points, free trees with a translation, and multipliers of constraints in one symmetric system.

The unknowns are differences from the motion at u̇ = 0: accelerations of free trees, and rotations in the form that a
solver chooses; then multipliers.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import ClassVar

from freebody.formulations.formulation import Formulation, Solution
from freebody.formulations.solve import Entry, Factor, solve_symmetric
from freebody.papers.augmented_bodies import Applied, AugmentedBodies, HingedTree, Hinges
from freebody.program.ldl import plan
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.resolved import Vec
from freebody.spatial.vector import Vector, dot
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.mass_matrix import add_entry
from freebody.tree.tree import Link, Tree

Linear = dict[int, Node]
"""A linear form of the unknowns: a coefficient by the index of the unknown."""


@dataclass
class LinearSystem:
    """A symmetric system of equations, entry by entry: the lower triangle, the right sides, for each row without an
    entry on the diagonal the rows that it is ``related`` to, and ``flags`` of such rows (``eliminate_row``)."""

    graph: Graph
    matrix: dict[Entry, Node] = field(default_factory=dict)
    right: list[Node] = field(default_factory=list)
    related: dict[int, Sequence[int]] = field(default_factory=dict)
    flags: dict[int, Node] = field(default_factory=dict)

    def add(self, i: int, j: int, value: Node) -> None:
        if not self.graph.vanishes(value):
            add_entry(self.graph, self.matrix, i, j, value)

    def add_multiplier(self, row: Linear, right: Node) -> None:
        """The equation −row · x = −right, and the force of its multiplier on the unknowns."""
        self.right.append(self.graph.neg(right))
        for j, x in row.items():
            self.add(len(self.right) - 1, j, self.graph.neg(x))

    def solve(self) -> list[Node]:
        present = {key: x for key, x in self.matrix.items() if not self.graph.vanishes(x)}
        return solve_symmetric(self.graph, present, self.right, list(self.related), self.related, self.flags)


class HingedEquations(Formulation):
    """Equations whose bodies are augmented (``AugmentedBodies``). ``count`` is the number of unknowns without
    multipliers, ``rates`` has u̇ of rotations as linear forms of them, and ``entries`` is their matrix."""

    recursive = True
    solver: ClassVar[str]
    barycentres: ClassVar[bool] = False

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.hinges = Hinges(tree, f"solver '{self.solver}'", "use solver='sparse', or 'tree' without 'gauss'", True)
        self.bodies = AugmentedBodies(self.hinges, self.barycentres)
        self.count = 0
        self.translations: dict[int, dict[int, int]] = {}  # unknowns of free trees, by the root's index and axis
        self.rates: dict[int, Linear] = {}
        self.number_unknowns()
        self.sliding: dict[int, int] = {}  # unknowns of speeds that slide, by their indices
        for slides in self.bodies.slides.values():
            for speed in slides:
                self.sliding |= {speed: self.number([0])[0]}
                self.rates[speed] = {self.sliding[speed]: self.graph.one}
        self.entries: dict[Entry, Node] = self._matrix()

    def number(self, axes: Sequence[int]) -> dict[int, int]:
        """Indices of further unknowns, by axis."""
        self.count += len(axes)
        return dict(zip(axes, range(self.count - len(axes), self.count), strict=True))

    @abstractmethod
    def number_unknowns(self) -> None:
        """Number the unknowns, and write u̇ of rotations in them."""

    @abstractmethod
    def add_inertia(self, system: LinearSystem, hinged: HingedTree) -> None:
        """Add the entries of a tree's rotations."""

    @abstractmethod
    def form(self, torques: Mapping[int, Vec]) -> Linear:
        """Σ torque · ω̇ for torques on nodes: the generalised forces on the unknowns."""

    def joint_rows(self, node: Link) -> list[Linear]:
        """Forms of the unknowns that are zero because of a node's joint."""
        return []

    def root_acceleration(self, hinged: HingedTree, x: Sequence[Node]) -> Vec:
        """The acceleration of a free root's origin, in its frame."""
        return self.vector(hinged.root, self.translations[hinged.root.index], x)

    def vector(self, node: Link, axes: Mapping[int, int], x: Sequence[Node]) -> Vec:
        """A vector in a node's frame from its unknown components, by axis."""
        return Vec(node.frame, tuple(x[axes[k]] if k in axes else self.graph.zero for k in range(3)))

    def _matrix(self) -> dict[Entry, Node]:
        system, g = LinearSystem(self.graph), self.graph
        for hinged in self.hinges.trees:
            for k in self.translations.get(hinged.root.index, {}).values():
                system.add(k, k, self.bodies.total(hinged))
            self.add_inertia(system, hinged)
            self._add_slides(system, hinged)
        for speed, inertia in armatures(self.tree).items():
            form = list(self.rates[speed].items())
            for n, (i, x) in enumerate(form):
                for j, y in form[: n + 1]:
                    system.add(i, j, g.mul(inertia, g.mul(x, y)))
        return system.matrix

    def _add_slides(self, system: LinearSystem, hinged: HingedTree) -> None:
        """Column by column what the accelerations of speeds that slide require."""
        for node in hinged.nodes:
            for speed, d in self.bodies.slides.get(node.index, {}).items():
                required, column = self.bodies.applied_by_slide(hinged, node, d), self.sliding[speed]
                for row, value in self.form(required.torques).items():
                    system.add(column, row, value)
                for root, force in required.forces.items() if not self.barycentres else ():
                    for k, unknown in self.translations[root].items():
                        system.add(column, unknown, force.c[k])
                for other, value in required.slides.items():
                    if self.sliding[other] <= column:
                        system.add(column, self.sliding[other], value)

    # Speeds

    def dual(self, columns: Sequence[Vector], resolved: Sequence[Vec]) -> list[Vec]:
        """P (PᵀP)⁻¹ of the directions P of speeds: u̇ are its products with the acceleration P u̇."""
        g = self.graph
        products = {(i, j): dot(a, columns[j]) for i, a in enumerate(columns) for j in range(i + 1)}
        if all(x == (g.one if i == j else g.zero) for (i, j), x in products.items()):
            return list(resolved)
        products = {key: x for key, x in products.items() if not g.vanishes(x)}
        inverse = Factor(g, products, plan(len(columns), list(products))).inverse_matrix()
        return [reduce(Vec.__add__, [v.times(x) for v, x in zip(resolved, row, strict=True)]) for row in inverse]

    def slides(self, hinged: HingedTree) -> dict[int, Vec]:
        """For each translation of a free root, by the index of its speed, the vector whose product with the
        acceleration of the root's origin is its u̇; in the root's frame."""
        root = hinged.root
        columns = {c.speed: c.twist.linear for c in root.columns if not c.twist.linear.is_zero}
        return dict(zip(columns, self.dual([s for s in root.slides if s], list(columns.values())), strict=True))

    # The system of equations

    def applied(self, loads: Applied, on_speeds: Mapping[int, Node]) -> Linear:
        """The generalised forces on the unknowns of torques on nodes, forces on free trees, and forces on speeds."""
        g, forces = self.graph, dict(loads.forces)
        for hinged in self.hinges.trees if on_speeds else ():
            if hinged.free:
                root = hinged.root.index
                parts = [w.times(on_speeds[k]) for k, w in self.slides(hinged).items() if k in on_speeds]
                if parts:
                    forces[root] = reduce(Vec.__add__, parts, forces.get(root, Vec.zero(hinged.root.frame)))
        torques, forces, slides = self.bodies.reduced(Applied(loads.torques, forces, loads.slides))
        form = self.form(torques) | {self.sliding[speed]: force for speed, force in slides.items()}
        for root, F in forces.items():
            form |= {k: F.c[axis] for axis, k in self.translations[root].items()}
        for speed, force in on_speeds.items():
            for k, x in self.rates.get(speed, {}).items():
                form[k] = g.add(form.get(k, g.zero), g.mul(x, force))
        return form

    def forward(self, tau: Sequence[Node] = ()) -> Solution:
        g, equations = self.graph, self.constraints
        forces = joint_forces(self.tree)
        on_speeds = {k: g.add(x, tau[k]) if tau else x for k, x in enumerate(forces)}
        present = {k: x for k, x in on_speeds.items() if not g.vanishes(x)}
        right = self.applied(self.bodies.required(self.motion), present)
        system = LinearSystem(g, dict(self.entries), [right.get(k, g.zero) for k in range(self.count)])
        for node in self.bodies.nodes:
            start = len(system.right)
            for form in self.joint_rows(node):
                system.add_multiplier(form, g.zero)
            system.related |= dict.fromkeys(range(start, len(system.right)), range(start, len(system.right)))
        start = len(system.right)
        for k, (row, acceleration) in enumerate(zip(equations.rows.values(), equations.accelerations, strict=True)):
            form = self.applied(self.bodies.of_row(row), {i: force.handle for i, force in row.forces.items()})
            system.add_multiplier(form, g.neg(acceleration))
            system.related[start + k] = [start + i for i in equations.related[k]]
        system.flags = {start + k: flag for k, flag in equations.flags.items()}
        x = system.solve()
        return Solution(self._u_dot(x), x[start:])

    def _u_dot(self, x: Sequence[Node]) -> list[Node]:
        """u̇ from the unknowns."""
        g, u_dot = self.graph, [self.graph.zero] * len(self.tree.layout.u)
        for speed, form in self.rates.items():
            for k, coefficient in form.items():
                u_dot[speed] = g.add(u_dot[speed], g.mul(coefficient, x[k]))
        for hinged in self.hinges.trees:
            if hinged.free:
                a = self.root_acceleration(hinged, x)
                for speed, w in self.slides(hinged).items():
                    u_dot[speed] = w.dot(a)
        return u_dot
