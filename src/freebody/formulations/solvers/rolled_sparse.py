"""Solver 'sparse' for many bodies: loops over bodies and constraints fill the matrix of one sparse L D Lᵀ.

Unknowns are the accelerations δ of all moving bodies, relative to those at u̇ = 0 and along the axes of their links, and
the multipliers λ of the rows H of joints and constraints (Mufti 1983, Eqs 10, 49, 63; see ``absolute``):

    [J −Hᵀ; −H D] [δ; λ] = [F; −γ]

The accelerations at u̇ = 0 satisfy the rows of joints, whose γ is zero; u̇ is the part of δ along the joints. A row has
entries of two bodies only, however long the tree is and however many loops overlap.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import TypeVar

from freebody.formulations.derivation import InsertLaws
from freebody.formulations.entries import LIMIT
from freebody.formulations.rolled.arrays import BodyRows, TracedStep, of_member
from freebody.formulations.rolled.cell import STUB, Cell
from freebody.formulations.rolled.constraints import ConstraintKinds
from freebody.formulations.rolled.equations import ALIKE, Rolled, Sweeps, residuals_of
from freebody.formulations.rolled.loops import ConstraintReader, GivenConstraint, given_constraints, stabilised
from freebody.formulations.rolled.steps import ClusterSteps
from freebody.formulations.solvers.bodies import add_multiple
from freebody.formulations.solvers.sparse_cluster import (
    ROW,
    ClusterEquations,
    ClusterKey,
    Nodes,
    Reference,
    moved_to_head,
    unknown_parts,
)
from freebody.formulations.solvers.sparse_unknowns import WHO, End, Unknowns
from freebody.program.assemble import Assembly, Kernel, Rows, Scanning
from freebody.program.ldl import PIVOT_TOLERANCE, Entry
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.resolved import Vec, Wrench
from freebody.tree.constraint_cell import POSE
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.elimination import GROUND
from freebody.tree.independence import omitted_rows
from freebody.tree.tree import Link, Tree, require_joints

Right = Callable[[ConstraintEquations], Sequence[Sequence[Node]]]
Key = TypeVar("Key", bound=Hashable)
Traced = TypeVar("Traced")


class RolledSparse(Rolled):
    """Equations whose u̇, multipliers and corrections are found by one sparse system of all bodies and constraints."""

    def __init__(self, tree: Tree) -> None:
        """``tree`` has a link for each body: joints are not split into stages."""
        require_joints(tree, WHO, "use rolled=False or solver='tree'")
        super().__init__(tree)
        self.unknowns.require_inertia()

    def sweeps(self, assembly: Assembly, insert_laws: InsertLaws = list, added: Sequence[Node] = ()) -> Sweeps:
        return AbsoluteSweeps(self.unknowns, assembly, insert_laws, self.loops, added)

    @cached_property
    def unknowns(self) -> "Unknowns":
        return Unknowns(self.bodies)

    @cached_property
    def loops(self) -> ConstraintKinds | None:
        model = self.tree.model
        return ConstraintKinds(self.bodies, omitted_rows(model)) if model.constraints else None

    @property
    def is_cheaper(self) -> bool:
        """Whether the program is better rolled: there are many bodies of few kinds."""
        return len(self.tree.links) > LIMIT and ALIKE * len(self.bodies.kinds) <= len(self.bodies.clusters)


@dataclass(eq=False)
class MatrixBlock:
    """The entries of the matrix that a step writes, one after another; for each of its ``rows`` whether it has one on
    the diagonal. Of a constraint ``live`` are the rows that have entries, and ``right`` are their right sides."""

    kernel: Kernel
    entries: dict[tuple[Reference, Reference], Node]
    rows: Sequence[bool]
    live: Sequence[int] = ()
    right: Sequence[Sequence[Node]] = ()

    def write(self, matrix: Rows) -> None:
        for k, value in enumerate(self.entries.values()):
            self.kernel.write(matrix, "block", k, value)


class AbsoluteSweeps(Sweeps):
    """The passes of one program."""

    def __init__(
        self,
        unknowns: Unknowns,
        assembly: Assembly,
        insert_laws: InsertLaws,
        kinds: ConstraintKinds | None,
        added: Sequence[Node],
    ) -> None:
        super().__init__(unknowns.bodies, assembly, False, insert_laws, kinds, added)
        self.unknowns, self.size, self.sides = unknowns, unknowns.size, 1
        self.entries: list[Entry] = []
        self.matrix, self.right = Rows("absolute.matrix", 1, 0), Rows("absolute.right", 1, 0)
        self.multipliers: list[int] = []
        self.rows: dict[str, list[int | None]] = {}  # the unknowns of constraints; None: no speed changes the row
        self.poses = BodyRows(Rows("absolute.poses", POSE, 0))  # of carried links in those that carry them
        if any(unknowns.end(link).carried for link in self.bodies.links):
            self.poses = BodyRows(assembly.array("absolute.poses", len(self.bodies.links), POSE))
        self.arrays.fields.append(self.poses)

    def forward(
        self, tau: Sequence[Node], stabilisation: tuple[Node, Node] | None = None
    ) -> tuple[Rows, dict[str, list[Node]]]:
        rows = self.arrays.held("tau", tau) if tau else None
        self._constants()
        self.sweep("motion", self.bodies.first, lambda steps: steps.move(None))
        x = self._solve(1, lambda equations: [equations.accelerations], stabilisation, lambda one: one.forces(rows))
        self._speeds(x, [self.result])
        zero, read = self.assembly.graph.zero, partial(self.assembly.read, x)
        return self.result, {name: [zero if k is None else read(k) for k in own] for name, own in self.rows.items()}

    def corrections(self) -> tuple[Rows, Rows]:
        self._constants()
        self.sweep("motion", self.bodies.first, ClusterSteps.place)
        x = self._solve(2, lambda equations: [residuals_of(equations), equations.velocities])
        results = self.result, self.assembly.array("links.more", self.result.rows)
        self._speeds(x, results)
        return results

    def _constants(self) -> None:
        self._lay_axes()
        self.sweep("inertia", self.bodies.first, ClusterSteps.leave_inertia)

    def _solve(
        self,
        sides: int,
        right: Right,
        stabilisation: tuple[Node, Node] | None = None,
        forces: Callable[[ClusterEquations], Nodes] | None = None,
    ) -> Rows:
        """x of the system with so many right sides; those of constraints are ``right``."""
        kinds, array, self.sides = self.kinds, self.assembly.array, sides
        self.right = Rows("absolute.right", sides, 0)  # the arrays are as long as the scans require
        self._fill_clusters(forces)
        given = [] if kinds is None else given_constraints(self.bodies, kinds.others)
        if kinds is not None:
            self._fill_constraints(kinds, right, stabilisation)
            for one in given:
                self.rows[one.name] = [self._new_row() if self._acts(one, i) else None for i in range(len(one.related))]
        self.right = array("absolute.right", self.size, sides, zeroed=True)
        if kinds is not None and given:
            others = kinds.others
            self._fill_given(given, right(others) if stabilisation is None else [stabilised(others, *stabilisation)])
        added = bool(given or self.unknowns.loaded)
        matrix = array("absolute.matrix", len(self.entries), zeroed=added)
        return self.assembly.solve_rows("accelerations", self.entries, matrix, self.right, self.multipliers)

    def _new_row(self) -> int:
        """The index of one more multiplier."""
        self.multipliers.append(self.size)
        self.size += 1
        return self.size - 1

    def _acts(self, one: GivenConstraint, row: int) -> bool:
        """Whether a row acts on bodies that speeds move."""
        return bool(one.forces[row]) or any(self.unknowns.head[k] is not None for k in one.wrenches[row])

    # Bodies and joints

    def _key(self, cluster: Sequence[Link]) -> ClusterKey:
        unknowns = self.unknowns
        ends, loaded = tuple(map(unknowns.end, cluster)), tuple(link.index in unknowns.loaded for link in cluster)
        return ClusterKey(self.bodies.of[cluster[0].index], ends, loaded, unknowns.end(cluster[0].parent))

    def _cluster_indices(self, clusters: Sequence[Sequence[Link]]) -> dict[str, list[int]]:
        """The starts of rows, and of the unknowns of links and of the parent."""
        indices, first = self.indices(clusters), self.unknowns.first
        for k in range(max(map(len, clusters))):
            indices[of_member("body", k)] = [first(c[k]) if k < len(c) else 0 for c in clusters]
        indices[of_unknown(STUB)] = [first(c[0].parent) for c in clusters]
        return indices

    def _equations(self, kernel: Kernel, key: ClusterKey) -> ClusterEquations:
        kind = self.bodies.kinds[key.kind]
        step = TracedStep(kernel, self.arrays.notes[key.kind])
        cell = Cell(kernel.graph, kind.shapes, self.arrays.data(step, kind))
        first = self.bodies.cluster[kind.links[0].index]
        return ClusterEquations(ClusterSteps(step, kind, cell, self.arrays.shared), key, self.poses, first)

    def _scan(
        self, name: str, indices: dict[str, list[int]], keys: Sequence[Key], trace: Callable[[Kernel, Key], Traced]
    ) -> tuple[Scanning, dict[Key, Traced]]:
        """A scan whose kernels are traced again while a column that was read as zero turns out not to be."""
        while True:
            scan = self.assembly.scan(name, indices)
            traced = {key: trace(scan.kernel(Graph()), key) for key in dict.fromkeys(keys)}
            if not sum(some.assumption_failed() for some in self.arrays.fields):
                return scan, traced

    def _add(self, scan: Scanning, keys: Sequence[Key]) -> None:
        numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        self.assembly.add(scan, [numbers[key] for key in keys])

    def _fill_clusters(self, forces: Callable[[ClusterEquations], Nodes] | None) -> None:
        """Inertia and forces of bodies, and the rows of joints."""
        clusters, unknowns = self.bodies.clusters, self.unknowns
        keys, added = [self._key(cluster) for cluster in clusters], dict[ClusterKey, Sequence[Node]]()
        indices = self._cluster_indices(clusters)
        offsets = dict[ClusterKey, dict[int, int]]()

        def trace(kernel: Kernel, key: ClusterKey) -> MatrixBlock:
            one, entries = self._equations(kernel, key), dict[tuple[Reference, Reference], Node]()
            one.leave_poses()
            inertia = one.inertia()
            added[key], offsets[key] = list(inertia.pop(STUB, {}).values()), {}
            for k, triangle in inertia.items():
                offsets[key][k] = len(entries)
                entries |= {((k, i), (k, j)): x for (i, j), x in triangle.items()}
            rows = one.rows()
            entries |= row_entries(kernel.graph, [coefficients for coefficients, _ in rows])
            entries |= {((ROW, r), (ROW, r)): d for r, (_, d) in enumerate(rows) if d is not None}
            for (k, n), value in (forces(one) if forces is not None else {}).items():
                kernel.write(self.right, of_unknown(k), n * self.sides, value, add=True)
            return MatrixBlock(kernel, entries, [d is not None for _, d in rows])

        scan, blocks = self._scan("equations", indices, keys, trace)
        at_links = dict[int, int]()  # where the inertia of each body begins in the matrix
        indices["block"], indices["parent_block"] = [], []
        for cluster, key in zip(clusters, keys, strict=True):
            parent, start = cluster[0].parent, len(self.entries)
            at_links |= {cluster[k].index: start + offset for k, offset in offsets[key].items()}
            outer = None if parent is None else unknowns.head[parent.index]
            indices["parent_block"].append(0 if outer is None else at_links[outer.index])
            indices["block"].append(start)
            firsts = {k: unknowns.first(link) for k, link in enumerate(cluster)}
            self._append(blocks[key], {**firsts, STUB: unknowns.first(parent)})
        for key, block in blocks.items():
            block.write(self.matrix)
            for k, value in enumerate(added[key]):
                block.kernel.write(self.matrix, "parent_block", k, value, add=True)
        self._add(scan, keys)

    def _append(self, block: MatrixBlock, firsts: Mapping[int, int]) -> None:
        """The entries of one step; ``firsts``: the first unknown of each body in it."""
        every = {**firsts, ROW: self.size}
        for (k, i), (l, j) in block.entries:
            one, other = every[k] + i, every[l] + j
            self.entries.append((max(one, other), min(one, other)))
        self.multipliers += [self.size + r for r, definite in enumerate(block.rows) if not definite]
        self.size += len(block.rows)

    def _speeds(self, x: Rows, results: Sequence[Rows]) -> None:
        """u̇ from the unknowns, for each right side."""
        keys = [self._key(cluster) for cluster in self.bodies.clusters]

        def trace(kernel: Kernel, key: ClusterKey) -> None:
            g, one = kernel.graph, self._equations(kernel, key)
            for side, result in enumerate(results):
                rates = [g.zero] * sum(map(len, one.cell.speeds))
                for speed, coefficients in one.speeds.items():
                    for (k, n), factor in coefficients.items():
                        delta = kernel.read(x, of_unknown(k), n * self.sides + side)
                        rates[speed] = g.add(rates[speed], g.mul(factor, delta))
                one.steps.leave_result(result, rates)

        scan, _ = self._scan("speeds", self._cluster_indices(self.bodies.clusters), keys, trace)
        self._add(scan, keys)

    # Constraints

    def _fill_constraints(self, kinds: ConstraintKinds, right: Right, stabilisation: tuple[Node, Node] | None) -> None:
        """The rows of constraints between two bodies."""
        reader, unknowns = ConstraintReader(self.arrays, kinds), self.unknowns
        numbers = [(c, m) for c, kind in enumerate(kinds.kinds) for m in range(len(kind.members))]
        members = [kinds.kinds[c].members[m] for c, m in numbers]
        if not members:
            return
        indices, keys = reader.indices(numbers), list[tuple[int, tuple[End, ...], tuple[int, ...]]]()
        for (c, _), member in zip(numbers, members, strict=True):
            heads = [unknowns.head[link.index] for link in member.links]
            same = tuple(heads.index(head) for head in heads)  # ends on one body have the same unknowns
            keys.append((c, tuple(map(unknowns.end, member.links)), same))
        decay = self.arrays.filled("loops.decay", stabilisation or ())
        flags = [self.assembly.graph.one if member.flag is None else member.flag for member in members]
        switched = [kind.members[0].flag is not None for kind in kinds.kinds]
        engaged = self.arrays.filled("loops.engaged", flags if any(switched) else [])
        indices["flag"] = list(range(len(members)))

        def trace(kernel: Kernel, key: tuple[int, tuple[End, ...], tuple[int, ...]]) -> MatrixBlock:
            (c, ends, same), g, step = key, kernel.graph, TracedStep(kernel)
            cell, rows = reader.cell(step, c), list[Nodes]()
            for multiplier in cell.equations.multipliers(cell.tree):
                coefficients = Nodes()
                for k, W in multiplier.ends:
                    if k != GROUND and ends[k].components:
                        W = moved_to_head(step, self.poses, f"link{k}", W) if ends[k].carried else W
                        add_multiple(g, coefficients, unknown_parts(W, same[k], ends[k].components), g.one)
                rows.append(coefficients)
            sides = right(cell.equations)
            if stabilisation is not None:
                sides = [stabilised(cell.equations, *(kernel.read(decay, "all", k) for k in range(2)))]
            flag = kernel.read(engaged, "flag") if switched[c] else None
            held = holding_rows(g, [list(row.values()) for row in rows], cell.equations.related, flag)
            live = [i for i, row in enumerate(rows) if row]
            values = [[hold(g, held[i], some[i]) for some in sides] for i in live]
            entries = row_entries(g, [{at: hold(g, held[i], x) for at, x in rows[i].items()} for i in live])
            return MatrixBlock(kernel, entries, [False] * len(live), live, values)

        scan, blocks = self._scan("constraints", indices, keys, trace)
        indices["block"], indices["row"] = [], []
        for key, member in zip(keys, members, strict=True):
            indices["block"].append(len(self.entries))
            indices["row"].append(self.size)
            numbered = {i: self.size + n for n, i in enumerate(blocks[key].live)}
            self.rows[member.name] = [numbered.get(i) for i in range(len(kinds.rows[key[0]]))]
            self._append(blocks[key], {k: unknowns.first(link) for k, link in enumerate(member.links)})
        for block in blocks.values():
            block.write(self.matrix)
            for n, row in enumerate(block.right):
                for side, value in enumerate(row):
                    block.kernel.write(self.right, "row", n * self.sides + side, value)
        self._add(scan, keys)

    def _fill_given(self, given: Sequence[GivenConstraint], right: Sequence[Sequence[Node]]) -> None:
        """The rows of constraints whose equations a block computes."""
        g, bodies, heads, insert = self.bodies.graph, self.bodies, self.unknowns.head, self.arrays.insert_laws
        parts, number = list[tuple[int, Link, int | None, list[Node]]](), 0
        for one in given:
            wrenches = [[x for W in row.values() for x in W] for row in one.wrenches]
            for i, condition in enumerate(holding_rows(g, wrenches, one.related, one.flag)):
                row, number = self.rows[one.name][i], number + 1
                if row is None:
                    continue
                for side, some in enumerate(right):
                    self.assembly.write(self.right, row, side, insert([hold(g, condition, some[number - 1])])[0])
                for k, W in one.wrenches[i].items():
                    parts.append((row, bodies.links[k], None, [hold(g, condition, x) for x in W]))
                for index, force in one.forces[i].items():
                    parts.append((row, *self.arrays.place_of(index), [hold(g, condition, force)]))
        if not parts:
            return
        clusters = [bodies.cluster[link.index] for _, link, _, _ in parts]
        indices, keys = self._cluster_indices(clusters), list[tuple[ClusterKey, int, int | None]]()
        numbers = self.arrays.filled("absolute.given", [x for *_, nodes in parts for x in nodes])
        indices["begin"] = list(accumulate((len(nodes) for *_, nodes in parts[:-1]), initial=0))
        most = max(map(len, clusters))
        indices |= {f"row {of_unknown(k)}": [0] * len(parts) for k in (STUB, *range(most))}
        starts = dict[tuple[int, int], int]()
        for n, ((at_row, link, speed, _), cluster) in enumerate(zip(parts, clusters, strict=True)):
            keys.append((self._key(cluster), cluster.index(link), speed))
            for end in (link,) if speed is None else (link, link.parent):
                head = None if end is None else heads[end.index]
                if head is None:
                    continue
                at = starts.setdefault((at_row, head.index), len(self.entries))
                if at == len(self.entries):
                    first = self.unknowns.first(head)
                    self.entries += [(at_row, first + i) for i in range(len(self.unknowns.components[head.index]))]
                of = cluster.index(head) if head in cluster else STUB
                indices[f"row {of_unknown(of)}"][n] = at

        def trace(kernel: Kernel, key: tuple[ClusterKey, int, int | None]) -> None:
            cluster, position, speed = key
            g, one = kernel.graph, self._equations(kernel, cluster)
            link, count = one.links[position], 6 if speed is None else 1
            nodes = tuple(one.steps.step.read(numbers, "begin", range(count)))
            if speed is None:
                n, f = (Vec(link.body.frame, nodes[k : k + 3]).in_(link.frame) for k in (0, 3))
                coefficients = one.on_body(link, Wrench.of(n, f))
            else:
                coefficients = {at: g.mul(x, nodes[0]) for at, x in one.speeds[speed].items()}
            for (k, i), x in coefficients.items():
                kernel.write(self.matrix, f"row {of_unknown(k)}", i, g.neg(x), add=True)

        scan, _ = self._scan("given", indices, keys, trace)
        self._add(scan, keys)


def of_unknown(k: int) -> str:
    """The name of the index of the unknowns of a link, or of the parent."""
    return "outer" if k == STUB else of_member("body", k)


def row_entries(g: Graph, rows: Sequence[Nodes]) -> dict[tuple[Reference, Reference], Node]:
    """−H"""
    return {((ROW, r), at): g.neg(x) for r, row in enumerate(rows) for at, x in row.items()}


def holding_rows(
    g: Graph, rows: Sequence[Sequence[Node]], related: Sequence[Sequence[int]], flag: Node | None
) -> list[Node | None]:
    """For each row of a constraint a condition that it holds (None: always): the constraint is engaged, and the row is
    not rounding beside related ones."""
    conditions, sizes = list[Node | None](), [g.zero] * len(rows)
    for i, row in enumerate(rows):
        for x in row:
            sizes[i] = g.add(sizes[i], g.mul(x, x))
    for i, others in enumerate(related):
        condition, total = flag, g.zero
        for k in others:
            total = g.add(total, sizes[k])
        if sum(sizes[k] != g.zero for k in others) > 1:
            large = g.less(g.mul(g.const(PIVOT_TOLERANCE), total), sizes[i])
            condition = large if flag is None else g.where(large, flag, g.zero)
        conditions.append(condition)
    return conditions


def hold(g: Graph, condition: Node | None, value: Node) -> Node:
    """A value, zero where a condition does not hold."""
    return value if condition is None else g.where(condition, value, g.zero)
