"""Constraints of a rolled program: passes that reduce the columns of multipliers with the factors of the elimination,
and one sparse solve for the multipliers.

M = L D Lᵀ is what the pass inwards leaves, link by link. The column Gᵀ of a multiplier is reduced along the paths from
its ends to the root: y = L⁻¹ Gᵀ. Then G M⁻¹ Gᵀ = Σ y D⁻¹ yᵀ, with an entry for two multipliers whose paths meet, and
what the multipliers add to the right sides of u̇ is y λ. All this is proportional to the lengths of the paths, and to
the pairs of constraints that share links.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from freebody.formulations.rolled.arrays import Arrays, BodyRows, TracedStep, of_member
from freebody.formulations.rolled.cell import STUB, Cell
from freebody.formulations.rolled.constraints import ConstraintKinds, Member
from freebody.formulations.rolled.kinds import BodyKinds
from freebody.formulations.rolled.steps import ClusterSteps
from freebody.program.assemble import Kernel, Rows
from freebody.program.ldl import PIVOT_TOLERANCE, Entry
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.vector import Vector, components
from freebody.tree.constraint_cell import ConstraintCell, EndData
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.tree import Link

if TYPE_CHECKING:
    from freebody.formulations.rolled.equations import Sweeps

ZERO_ROW = 6


@dataclass(eq=False)
class Path:
    """A constraint on its way inwards: its kind and its number there, the first of its rows among all rows, and for
    each cluster on the way, by the index of its first link, the number of its step."""

    member: "Member | GivenConstraint"
    kind: int
    number: int
    row: int
    steps: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class PathStep:
    """A constraint at a cluster: where its reduced columns begin, and the row of its wrench at each link."""

    path: Path
    first: Link
    start: int
    wrenches: dict[int, int]


@dataclass(frozen=True)
class GivenConstraint:
    """A constraint whose equations are those on the whole tree: for each of its rows the wrenches of λ = 1 on links,
    about the origins of their bodies along their axes, and the forces on speeds; ``links`` are those on which it acts;
    ``flag`` as in ``Member``."""

    name: str
    flag: Node | None
    related: tuple[tuple[int, ...], ...]
    wrenches: list[dict[int, list[Node]]]
    forces: list[dict[int, Node]]
    links: tuple[Link, ...]


def given_constraints(bodies: BodyKinds, equations: ConstraintEquations) -> list[GivenConstraint]:
    """The constraints of equations on the whole tree."""
    g, tree, result = bodies.graph, bodies.tree, list[GivenConstraint]()
    by_speed = {speed: link for link in reversed(tree.links) for speed in link.u}
    keys = list(equations.rows)
    for name in dict.fromkeys(key.constraint for key in keys):
        numbers = [k for k, key in enumerate(keys) if key.constraint == name]
        wrenches, forces, links = list[dict[int, list[Node]]](), list[dict[int, Node]](), dict[int, Link]()
        for k in numbers:
            row, on_links = equations.rows[keys[k]], dict[int, list[Node]]()
            for w in row.wrenches:
                link = tree.by_name.get(w.body.name)
                if link is None:
                    continue
                torque, force = w.torque or Vector(g, {}), w.force or Vector(g, {})
                torque = torque if w.point is None else torque + w.point.offset.cross(force)
                own = [*components(torque, link.body.frame), *components(force, link.body.frame)]
                known = on_links.get(link.index)
                on_links[link.index] = own if known is None else list(map(g.add, known, own))
                links[link.index] = link
            wrenches.append(on_links)
            forces.append({speed: force.handle for speed, force in row.forces.items()})
            links |= {by_speed[speed].index: by_speed[speed] for speed in row.forces}
        related = tuple(tuple(numbers.index(i) for i in equations.related[k]) for k in numbers)
        flag = equations.flags.get(numbers[0])
        result.append(GivenConstraint(name, flag, related, wrenches, forces, tuple(links.values())))
    return result


def paths_inwards(bodies: BodyKinds, links: Iterable[Link]) -> list[Link]:
    """The first links of the clusters from links to their roots, outboard ones first."""
    found = dict[int, Link]()
    for one in links:
        link: Link | None = one
        while link is not None:
            first = bodies.cluster[link.index][0]
            if first.index in found:
                break
            found[first.index], link = first, first.parent
    return [found[k] for k in sorted(found, reverse=True)]


def meetings(bodies: BodyKinds, constraints: Iterable[Sequence[Link]]) -> int:
    """How many pairs of constraints, by the links that they connect, meet at clusters, each also with itself: the size
    of the loop that adds up G M⁻¹ Gᵀ."""
    passing = Counter(first.index for links in constraints for first in paths_inwards(bodies, links))
    return sum(count * (count + 1) // 2 for count in passing.values())


def stabilised(equations: ConstraintEquations, alpha: Node, beta: Node) -> list[Node]:
    """The accelerations of equations, to which 2α (G u + offset) + β² φ is added."""
    g, result = equations.motion.graph, list[Node]()
    rows = zip(equations.accelerations, equations.velocities, equations.residuals, strict=True)
    for acceleration, speed, phi in rows:
        total = g.add(acceleration, g.mul(g.mul(g.const(2), alpha), speed))
        result.append(total if phi is None else g.add(total, g.mul(g.mul(beta, beta), phi)))
    return result


class ConstraintReader:
    """Reads the constraints of a program in the steps of scans. ``most``: the largest number of bodies that one of them
    connects."""

    def __init__(self, arrays: Arrays, kinds: ConstraintKinds) -> None:
        self.arrays, self.kinds = arrays, kinds
        self.scalars = arrays.scalar_rows("loops", kinds.scalars.numbers, kinds.scalars.nodes)
        self.most = max((len(kind.ends) for kind in kinds.kinds), default=0)

    def indices(self, constraints: Sequence[tuple[int, int]]) -> dict[str, list[int]]:
        """The starts of the rows that steps read, for constraints by kind and number there."""
        starts = self.kinds.scalars.starts
        indices = {where: [starts[where][c][m] for c, m in constraints] for where in ("numbers", "given")}
        indices["all"] = [0] * len(constraints)
        for k in range(self.most):
            each = (self.kinds.kinds[c].members[m].links for c, m in constraints)
            indices[f"link{k}"] = [links[k].index if k < len(links) else 0 for links in each]
        return indices

    def cell(self, step: TracedStep, c: int) -> ConstraintCell:
        """A constraint of kind c."""
        kind, g, shared = self.kinds.kinds[c], step.graph, self.arrays.shared
        sources = kind.sources
        scalars = [step.kernel.read(self.scalars[s[0]], *s) if isinstance(s, tuple) else g.const(s) for s in sources]
        ends = [
            EndData(
                step.read_row(shared.poses, f"link{k}"),
                step.read_row(shared.velocities, f"link{k}"),
                step.read(shared.axes, f"link{k}", range(9 * end.skewed)),
            )
            for k, end in enumerate(kind.ends)
        ]
        return ConstraintCell(g, kind.pattern, scalars, ends, self.arrays.read_gravity(step), kind.omitted)


class Loops:
    """The constraints of one program. ``right_sides``: how many right sides the multipliers are solved for;
    ``stabilisation``: the nodes of α and β, which are added to the right side, if any."""

    def __init__(
        self,
        sweeps: "Sweeps",
        kinds: ConstraintKinds,
        right_sides: int = 1,
        stabilisation: tuple[Node, Node] | None = None,
    ) -> None:
        self.sweeps, self.bodies, self.assembly, self.kinds = sweeps, sweeps.bodies, sweeps.assembly, kinds
        self.arrays, self.sides = sweeps.arrays, right_sides
        self.given, self.stabilisation = given_constraints(self.bodies, kinds.others), stabilisation
        self.decay = self.arrays.filled("loops.decay", stabilisation or ())
        self.speeds = [sum(map(len, self.bodies.cell(kind).speeds)) for kind in self.bodies.kinds]
        members: list[list[Member | GivenConstraint]] = [[*kind.members] for kind in kinds.kinds]
        self.related, others = list(kinds.related), dict[Hashable, int]()
        for one in self.given:
            c = others.setdefault((one.related, one.flag is None), len(self.related))
            if c == len(self.related):
                self.related.append(list(one.related))
                members.append([])
            members[c].append(one)
        self.switched = [some[0].flag is not None for some in members]
        self.counts = [len(some) for some in self.related]
        self.paths, self.steps = list[Path](), list[PathStep]()
        wrenches, start, row = [0] * len(members), 0, 0
        for c, some in enumerate(members):
            for m, member in enumerate(some):
                path = Path(member, c, m, row)
                self.paths.append(path)
                row += self.counts[c]
                for first in paths_inwards(self.bodies, member.links):
                    own = {link.index: wrenches[c] + k for k, link in enumerate(self.bodies.cluster[first.index])}
                    wrenches[c] += len(own)
                    path.steps[first.index] = len(self.steps)
                    self.steps.append(PathStep(path, first, start, own))
                    start += self.counts[c] * self.speeds[self.bodies.of[first.index]]
        self.rows = row
        array = self.assembly.array
        self.ground = wrenches  # by kind, the row after the last one: roots hand wrenches on to the ground
        self.wrenches = [
            [BodyRows(array(f"loops.wrench.{c}.{i}", wrenches[c] + 1, ZERO_ROW, zeroed=True)) for i in range(count)]
            for c, count in enumerate(self.counts)
        ]
        self.columns, self.ratios = array("loops.columns", start), array("loops.ratios", start)
        self.right = array("loops.right", self.rows, right_sides, zeroed=True)
        self.diagonal = array("loops.diagonal", self.rows, zeroed=True)
        self.first_speed, total = dict[int, int](), 0
        for first in self.bodies.first:
            self.first_speed[first.index] = total
            total += self.speeds[self.bodies.of[first.index]]
        self.added = [array(f"loops.added.{k}", total, zeroed=True) for k in range(right_sides)]
        self.live: list[set[int]] = [set() for _ in members]
        self.forces = array("loops.forces", start, zeroed=True) if self.given else Rows("loops.forces", 1, 0)
        self.unknown: dict[int, int] = {}
        self.multipliers = Rows("multipliers.x", right_sides, 0)
        self.reader = ConstraintReader(self.arrays, kinds)

    # The equations

    def equations(self, right: Callable[[ConstraintEquations], Sequence[Sequence[Node]]]) -> None:
        """The wrenches of multipliers begin at their links, and right sides of multipliers, a list for each side,
        begin."""
        if self.given:
            others, decay = self.kinds.others, self.stabilisation
            self._begin(right(others) if decay is None else [stabilised(others, *decay)])
        paths = [path for path in self.paths if path.kind < len(self.kinds.kinds)]
        if not paths:
            return
        indices = self.reader.indices([(path.kind, path.number) for path in paths])
        indices["row"] = [path.row for path in paths]
        for k in range(self.reader.most):
            each = ((path, path.member.links) for path in paths)
            indices[f"wrench{k}"] = [self._wrench_row(p, links[k]) if k < len(links) else 0 for p, links in each]
        self._scan("constraints", indices, [path.kind for path in paths], self._trace_constraint(right))

    def _begin(self, right: Sequence[Sequence[Node]]) -> None:
        """Equations of constraints on the whole tree, which a block computes."""
        write, insert, bodies = self.assembly.write, self.arrays.insert_laws, self.bodies
        paths, row = {path.member.name: path for path in self.paths}, 0
        ends = list[tuple[Path, int, Link, Sequence[Node]]]()
        for one in self.given:
            path = paths[one.name]
            for i in range(len(one.related)):
                for side, values in enumerate(right):
                    write(self.right, path.row + i, side, insert([values[row]])[0])
                ends += [(path, i, bodies.links[k], W) for k, W in one.wrenches[i].items()]
                for speed, force in one.forces[i].items():
                    link, local = self.arrays.place_of(speed)
                    first = bodies.cluster[link.index][0]
                    count = self.speeds[bodies.of[first.index]]
                    at = self.steps[path.steps[first.index]].start + i * count + local
                    write(self.forces, at, 0, insert([force])[0])
                row += 1
        if not ends:
            return
        numbers = self.arrays.filled("loops.given.wrenches", [x for *_, W in ends for x in W])
        links = [link for _, _, link, _ in ends]
        positions = [bodies.cluster[link.index].index(link) for link in links]
        indices = self.sweeps.indices([bodies.cluster[link.index] for link in links])
        indices["begin"] = [6 * k for k in range(len(ends))]
        indices["wrench"] = [self._wrench_row(path, link) for path, _, link, _ in ends]
        keys = [
            (bodies.of[link.index], k, path.kind, i)
            for link, k, (path, i, *_) in zip(links, positions, ends, strict=True)
        ]
        unique = list(dict.fromkeys(keys))

        def trace(kernel: Kernel, number: int) -> None:
            of_body, k, c, i = unique[number]
            kind, step = bodies.kinds[of_body], TracedStep(kernel, self.arrays.notes[of_body])
            link = Cell(kernel.graph, kind.shapes, self.arrays.data(step, kind)).links[k]
            W = tuple(step.read(numbers, "begin", range(6)))
            n, f = (Vec(link.body.frame, W[k : k + 3]).in_(link.frame) for k in (0, 3))
            step.write_row(self.wrenches[c][i], "wrench", Wrench.of(n, f).c, add=True)

        self._scan("given", indices, [unique.index(key) for key in keys], trace)

    def _wrench_row(self, path: Path, link: Link) -> int:
        first = self.bodies.cluster[link.index][0]
        return self.steps[path.steps[first.index]].wrenches[link.index]

    def _trace_constraint(
        self, right: Callable[[ConstraintEquations], Sequence[Sequence[Node]]]
    ) -> Callable[[Kernel, int], None]:
        def trace(kernel: Kernel, c: int) -> None:
            step = TracedStep(kernel)
            cell = self.reader.cell(step, c)
            for i, multiplier in enumerate(cell.equations.multipliers(cell.tree)):
                for k in range(len(cell.tree.links)):
                    own = [W for end, W in multiplier.ends if end == k]
                    for W in own:
                        step.write_row(self.wrenches[c][i], f"wrench{k}", W.c, add=True)
            sides = right(cell.equations)
            if self.stabilisation is not None:
                alpha, beta = (kernel.read(self.decay, "all", k) for k in range(2))
                sides = [stabilised(cell.equations, alpha, beta)]
            for side, values in enumerate(sides):
                for i, value in enumerate(values):
                    kernel.write(self.right, "row", i * self.sides + side, value, add=True)

        return trace

    # Columns

    def reduce(self, right: bool) -> None:
        """The scan along the paths inwards: y, y D⁻¹, the diagonal of G M⁻¹ Gᵀ; with ``right``, what the right sides of
        speeds add to those of multipliers."""
        steps = sorted(self.steps, key=lambda step: -step.first.index)
        if not steps:
            return
        clusters = [self.bodies.cluster[step.first.index] for step in steps]
        indices = self.sweeps.indices(clusters)
        for k in range(max(map(len, clusters))):
            name = of_member("wrench", k)
            indices[name] = [s.wrenches[c[k].index] if k < len(c) else 0 for s, c in zip(steps, clusters, strict=True)]
        indices["y"] = [step.start for step in steps]
        indices["row"] = [step.path.row for step in steps]
        indices["outer"] = [
            self.ground[step.path.kind] if step.first.parent is None else self._wrench_row(step.path, step.first.parent)
            for step in steps
        ]
        keys = [(self.bodies.of[step.first.index], step.path.kind) for step in steps]
        unique = list(dict.fromkeys(keys))

        def trace(kernel: Kernel, number: int) -> None:
            of_body, c = unique[number]
            kind, g = self.bodies.kinds[of_body], kernel.graph
            step = TracedStep(kernel, self.arrays.notes[of_body])
            cell = Cell(g, kind.shapes, self.arrays.data(step, kind))
            self._reduce_at(ClusterSteps(step, kind, cell, self.arrays.shared), c, right)

        self._scan("columns", indices, [unique.index(key) for key in keys], trace)

    def _reduce_at(self, cluster: ClusterSteps, c: int, right: bool) -> None:
        step, g, links = cluster.step, cluster.graph, cluster.links
        step.reuse("pose", cluster.cell.pose)
        elimination = cluster.find_elimination()
        speeds = [j for some in step.eliminated for j in some.speeds]
        for i, field_ in enumerate(self.wrenches[c]):
            loads = {k: Wrench(x.frame, step.read_row(field_, of_member("wrench", k))) for k, x in enumerate(links)}
            forces = dict[int, Node]()
            if c >= len(self.kinds.kinds):
                forces = {k: step.kernel.read(self.forces, "y", i * len(speeds) + k) for k in range(len(speeds))}
            y, arrived = elimination.substitute(loads, forces)
            total, known = g.zero, g.zero
            for k, j in enumerate(speeds):
                value = y.get(j, g.zero)
                ratio = g.mul(value, elimination.inverse[j])
                total = g.add(total, g.mul(value, ratio))
                known = g.add(known, g.mul(ratio, elimination.right[j])) if right else known
                step.kernel.write(self.columns, "y", i * len(speeds) + k, value)
                step.kernel.write(self.ratios, "y", i * len(speeds) + k, ratio)
            if total != g.zero:
                self.live[c].add(i)
            step.kernel.write(self.diagonal, "row", i, total, add=True)
            if right:
                step.kernel.write(self.right, "row", i * self.sides, known, add=True)
            if STUB in arrived:
                step.write_row(field_, "outer", arrived[STUB].c, add=True)

    # Multipliers

    def solve(self) -> None:
        """−G M⁻¹ Gᵀ λ = right side, and y λ. A row that is rounding beside related ones is taken as zero, and so is its
        multiplier."""
        assembly, unknown = self.assembly, dict[int, int]()
        for path in self.paths:
            for i in sorted(self.live[path.kind]):
                unknown[path.row + i] = len(unknown)
        self.unknown = unknown
        if not unknown:
            return
        flags = assembly.array("loops.flags", self.rows)
        right = assembly.array("loops.solved", len(unknown), self.sides)
        start = [min((unknown[path.row + i] for i in self.live[path.kind]), default=0) for path in self.paths]
        indices = {"row": [path.row for path in self.paths], "unknown": start, "flag": list(range(len(self.paths)))}
        nodes = [assembly.graph.one if path.member.flag is None else path.member.flag for path in self.paths]
        engaged = self.arrays.filled("loops.engaged", nodes if any(self.switched) else [])

        def trace(kernel: Kernel, c: int) -> None:
            g, live = kernel.graph, sorted(self.live[c])
            for n, i in enumerate(live):
                value = g.one
                others = [k for k in self.related[c][i] if k in live]
                if len(others) > 1:
                    sizes = {k: kernel.read(self.diagonal, "row", k) for k in others}
                    total = g.zero
                    for size in sizes.values():
                        total = g.add(total, size)
                    value = g.where(g.less(g.mul(g.const(PIVOT_TOLERANCE), total), sizes[i]), g.one, g.zero)
                if self.switched[c]:
                    value = g.mul(value, kernel.read(engaged, "flag"))
                kernel.write(flags, "row", i, value)
                for side in range(self.sides):
                    b = kernel.read(self.right, "row", i * self.sides + side)
                    kernel.write(right, "unknown", n * self.sides + side, b)

        self._scan("flags", indices, [path.kind for path in self.paths], trace)
        entries, matrix = self._entries(flags)
        self.multipliers = assembly.solve_rows("multipliers", entries, matrix, right, range(len(unknown)))
        self._add()

    def _entries(self, flags: Rows) -> tuple[list[Entry], Rows]:
        """The scan over pairs of constraints at clusters, which adds up −G M⁻¹ Gᵀ."""
        meeting = dict[int, list[PathStep]]()
        for step in self.steps:
            meeting.setdefault(step.first.index, []).append(step)
        blocks, entries = dict[tuple[int, int], int](), list[Entry]()
        indices: dict[str, list[int]] = {name: [] for name in ("block", "y", "ratio", "row", "other")}
        keys = list[tuple[int, int, int, bool]]()
        for index, steps in meeting.items():
            for n, one in enumerate(steps):
                for other in steps[: n + 1]:
                    p, q = one.path, other.path
                    block = blocks.get((p.row, q.row))
                    if block is None:
                        block = blocks[p.row, q.row] = len(entries)
                        entries += self._block(p, q)
                    indices["block"].append(block)
                    indices["y"].append(one.start)
                    indices["ratio"].append(other.start)
                    indices["row"].append(p.row)
                    indices["other"].append(q.row)
                    keys.append((p.kind, q.kind, self.speeds[self.bodies.of[index]], p is q))
        matrix = self.assembly.array("loops.matrix", len(entries), zeroed=True)
        unique = list(dict.fromkeys(keys))

        def trace(kernel: Kernel, number: int) -> None:
            c, d, speeds, same = unique[number]
            g, at = kernel.graph, 0
            for i in sorted(self.live[c]):
                for j in sorted(self.live[d]):
                    if same and j > i:
                        continue
                    total = g.zero
                    for k in range(speeds):
                        y = kernel.read(self.columns, "y", i * speeds + k)
                        total = g.add(total, g.mul(y, kernel.read(self.ratios, "ratio", j * speeds + k)))
                    for kind, row, name in ((c, i, "row"), (d, j, "other")):
                        if self._flagged(kind, row) and not (same and i == j and name == "other"):
                            total = g.mul(total, kernel.read(flags, name, row))
                    kernel.write(matrix, "block", at, g.neg(total), add=True)
                    at += 1

        self._scan("compliance", indices, [unique.index(key) for key in keys], trace)
        return entries, matrix

    def _flagged(self, c: int, row: int) -> bool:
        """Whether a row may be taken as zero."""
        return self.switched[c] or sum(k in self.live[c] for k in self.related[c][row]) > 1

    def _block(self, p: Path, q: Path) -> list[Entry]:
        """The entries of the rows of two constraints, row by row."""
        entries = list[Entry]()
        for i in sorted(self.live[p.kind]):
            for j in sorted(self.live[q.kind]):
                if p is not q or j <= i:
                    one, other = self.unknown[p.row + i], self.unknown[q.row + j]
                    entries.append((max(one, other), min(one, other)))
        return entries

    def output(self, names: Sequence[str]) -> None:
        """The right sides of multipliers as outputs, in the order of the constraints."""
        paths = {path.member.name: path for path in self.paths}
        ordered = [paths[name] for name in self.bodies.tree.model.constraints if name in paths]
        order = [path.row + i for path in ordered for i in range(self.counts[path.kind])]
        outputs = [self.assembly.output_array(name, len(order)) for name in names]

        def trace(kernel: Kernel, _: int) -> None:
            for side, output in enumerate(outputs):
                kernel.write(output, "to", 0, kernel.read(self.right, "row", side))

        self._scan("outputs", {"row": order, "to": list(range(len(order)))}, [0] * len(order), trace)

    def named_multipliers(self) -> dict[str, list[Node]]:
        """The multipliers of the rows of each constraint; those of rows that no speed changes are 0."""
        zero, result = self.assembly.graph.zero, dict[str, list[Node]]()
        for path in self.paths:
            numbers = [self.unknown.get(path.row + i) for i in range(self.counts[path.kind])]
            result[path.member.name] = [zero if k is None else self.assembly.read(self.multipliers, k) for k in numbers]
        return result

    def _add(self) -> None:
        """The scan that adds y λ to the right sides of speeds."""
        indices = {
            "y": [step.start for step in self.steps],
            "speed": [self.first_speed[step.first.index] for step in self.steps],
            "unknown": [
                min((self.unknown[step.path.row + i] for i in self.live[step.path.kind]), default=0)
                for step in self.steps
            ],
        }
        keys = [(step.path.kind, self.speeds[self.bodies.of[step.first.index]]) for step in self.steps]
        unique = list(dict.fromkeys(keys))

        multipliers = self.multipliers

        def trace(kernel: Kernel, number: int) -> None:
            c, speeds = unique[number]
            g, live = kernel.graph, sorted(self.live[c])
            for side, added in enumerate(self.added):
                for k in range(speeds):
                    total = g.zero
                    for n, i in enumerate(live):
                        y = kernel.read(self.columns, "y", i * speeds + k)
                        total = g.add(total, g.mul(y, kernel.read(multipliers, "unknown", n * self.sides + side)))
                    kernel.write(added, "speed", k, total, add=True)

        self._scan("forces", indices, [unique.index(key) for key in keys], trace)

    def _scan(
        self, name: str, indices: dict[str, list[int]], order: Sequence[int], trace: Callable[[Kernel, int], None]
    ) -> None:
        """A scan whose kernels are traced again while a column that was read as zero turns out not to be."""
        if not order:
            return
        count, every = max(order) + 1, [*self.arrays.fields, *(some for own in self.wrenches for some in own)]
        while True:
            scan = self.assembly.scan(name, indices)
            for k in range(count):
                trace(scan.kernel(Graph()), k)
            if not sum(f.assumption_failed() for f in every):
                break
        self.assembly.add(scan, order)
