"""The arrays of a rolled program: the data of bodies that steps read, the rows that they share, and the notes that one
pass over the bodies leaves for the next."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from freebody.formulations.derivation import InsertLaws
from freebody.formulations.rolled.cell import OUTER, Cell, CellData
from freebody.formulations.rolled.kinds import FEW, BodyKind, BodyKinds
from freebody.program.assemble import Assembly, Kernel, Rows
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number
from freebody.scalar.symbol import EVERYTHING, PARAMETERS_ONLY
from freebody.spatial.vector import components
from freebody.tree.constraint_cell import MOVED, POSE
from freebody.tree.elimination import Elimination
from freebody.tree.tree import Link

MOTION, RIGID, PAIR, ARTICULATED = 9, 10, 6, 21
"""Columns of ω, α, a; of m, h, Σ; of a wrench or a twist; of an articulated inertia J, H, M."""


@dataclass(eq=False)
class BodyRows:
    """A row of numbers for each body. ``live`` are the columns in which some step puts more than zero; the others are
    never written, and read as zero."""

    rows: Rows
    live: set[int] = field(default_factory=set)
    assumed: set[int] = field(default_factory=set)  # read as zero since ``assumption_failed`` was last called

    def assumption_failed(self) -> bool:
        """Whether a column was read as zero that is not."""
        wrong = bool(self.assumed & self.live)
        self.assumed.clear()
        return wrong


@dataclass(frozen=True)
class SharedRows:
    """The rows that steps share: body axes in working frames, inertia moved to parents, motion, sums of forces and
    articulated inertias from children, accelerations reached; for constraints the poses of links in the ground, and
    their ω, v, α, a; ``added``, what is added to the diagonal of M for each speed (infinite where it is held), and
    ``forces``, sums from children where these pass apart from the inertias."""

    axes: Rows
    moved: BodyRows
    motion: BodyRows
    sums: BodyRows
    reached: BodyRows
    poses: BodyRows
    velocities: BodyRows
    forces: BodyRows
    added: Rows | None = None


class EliminatedSpeeds(NamedTuple):
    """The speeds eliminated at a link of a cluster (None: at the ground), in this order, and those that waited."""

    link: int | None
    speeds: list[int]
    waiting: list[int]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Each eliminated speed with every later one."""
        later = (*self.speeds, *self.waiting)
        return [(j, k) for n, j in enumerate(self.speeds) for k in later[n + 1 :]]


@dataclass(eq=False)
class Notes:
    """What passes store for later ones about the bodies of one kind: named lists of known lengths, one after another in
    each body's row, which index ``at`` points to; numbers are remembered, not stored."""

    rows: Rows
    at: str
    starts: Mapping[str, int]
    numbers: dict[tuple[str, int], Number] = field(default_factory=dict)
    eliminated: list[EliminatedSpeeds] = field(default_factory=list)


def of_member(at: str, member: int) -> str:
    """The name of an index list for a link of a cluster, by its number there: ``own``, ``own.1``, …"""
    return f"{at}.{member}" if member else at


def note_sizes(cell: Cell, forward: bool) -> dict[str, int]:
    """The lists that passes store in a cluster's notes, and their lengths."""
    own = sum(len(link.u) for link in cell.links if link.is_flexible)
    sizes = {"pose": len(cell.pose), "force": PAIR * len(cell.links), "modal": own}
    if not forward:
        return sizes
    eliminated, speeds = planned(cell), sum(map(len, cell.speeds))
    columns = sum(len(some.speeds) for some in eliminated if some.link is not None)
    sizes |= dict.fromkeys(("chosen", "inverse", "right"), speeds)
    return {**sizes, "columns": PAIR * columns, "rows": sum(len(some.pairs) for some in eliminated)}


def planned(cell: Cell) -> list[EliminatedSpeeds]:
    """The speeds that the elimination will eliminate at each link; the order at a link may be another."""
    ends, result = Elimination(cell.tree, []).ends, list[EliminatedSpeeds]()
    arrived: list[Counter[int]] = [Counter() for _ in cell.links]
    ground: Counter[int] = Counter()
    for link in reversed(cell.links):
        here = arrived[link.index] + Counter(c.speed for c in link.columns)
        here.update(link.u if link.is_flexible else ())
        waiting = {speed: count for speed, count in here.items() if count < ends[speed]}
        result.append(EliminatedSpeeds(link.index, [speed for speed in here if speed not in waiting], [*waiting]))
        (ground if link.parent is None else arrived[cell.shapes[link.index].parent]).update(waiting)
    return [*result, EliminatedSpeeds(None, [*ground], [])] if ground else result


class TracedStep:
    """The step at the clusters of one kind while it is traced. Rows are found by indices: ``own``, ``parent``, … of the
    first link, ``own.1``, … of the others."""

    def __init__(self, kernel: Kernel, notes: Sequence[Notes] = ()) -> None:
        self.kernel = kernel
        self.graph: Graph = kernel.graph
        self._notes = {name: own for own in notes for name in own.starts}

    def read(self, rows: Rows, at: str, columns: Sequence[int]) -> list[Node]:
        return [self.kernel.read(rows, at, k) for k in columns]

    def write(self, rows: Rows, at: str, values: Sequence[Node]) -> None:
        for k, value in enumerate(values):
            self.kernel.write(rows, at, k, value)

    def read_row(self, field: BodyRows, at: str) -> tuple[Node, ...]:
        """A whole row."""
        zero, width = self.graph.zero, field.rows.width
        field.assumed |= set(range(width)) - field.live
        return tuple(self.kernel.read(field.rows, at, k) if k in field.live else zero for k in range(width))

    def write_row(self, field: BodyRows, at: str, values: Sequence[Node], add: bool = False) -> None:
        """Write (or add) values to a whole row."""
        for k, value in enumerate(values):
            if value != self.graph.zero:
                field.live.add(k)
            if value != self.graph.zero or (k in field.live and not add):
                self.kernel.write(field.rows, at, k, value, add)
            elif not add:
                field.assumed.add(k)

    @property
    def eliminated(self) -> list[EliminatedSpeeds]:
        """What the elimination of this kind did at its links, for the pass outwards."""
        return self._notes["pose"].eliminated

    def store(self, name: str, values: Sequence[Node]) -> None:
        """Store a list for later passes."""
        notes = self._notes[name]
        for k, value in enumerate(values):
            number = self.graph.number(value)
            notes.numbers.pop((name, k), None)
            if number is not None:
                notes.numbers[name, k] = number
            else:
                self.kernel.write(notes.rows, notes.at, notes.starts[name] + k, value)

    def load(self, name: str, count: int) -> list[Node]:
        """A list that an earlier pass has stored."""
        notes = self._notes[name]
        return [
            self.graph.const(notes.numbers[name, k])
            if (name, k) in notes.numbers
            else self.kernel.read(notes.rows, notes.at, notes.starts[name] + k)
            for k in range(count)
        ]

    def reuse(self, name: str, nodes: Sequence[Node]) -> None:
        """Load nodes of this step that an earlier pass has computed and stored, instead of computing them again."""
        notes, address = self._notes[name], self.kernel.scan.address
        for k, node in enumerate(nodes):
            if self.graph.number(node) is None:
                self.kernel.loads[node] = address(notes.rows, notes.at, notes.starts[name] + k)


class Arrays:
    """``starts`` says by index where each body's rows begin. ``forward``: for u̇, else for forces. ``notes`` are, for
    each kind, those that depend on numbers and parameters alone, and those of each call. ``ends`` are the indices of
    links that constraints connect; ``added`` numbers are on the diagonal of M. With ``apart``, right sides and forces
    have rows of their own, for a pass of theirs."""

    def __init__(
        self,
        bodies: BodyKinds,
        assembly: Assembly,
        forward: bool,
        insert_laws: InsertLaws,
        ends: Collection[int] = (),
        added: Sequence[Node] = (),
        apart: bool = False,
    ) -> None:
        self.bodies, self.assembly, self.insert_laws = bodies, assembly, insert_laws
        self.graph: Graph = bodies.graph
        n, layout, scalars = len(bodies.links), bodies.tree.layout, bodies.scalars
        gravity = components(bodies.tree.gravity, bodies.tree.root)
        self._gravity = [self.graph.number(x) for x in gravity]
        self._known_gravity = all(x is not None for x in self._gravity)
        parents = [n if link.parent is None else link.parent.index for link in bodies.links]
        self.starts = {"own": list(range(n)), "parent": parents, "all": [0] * n, **scalars.starts, "q": [0], "u": [0]}
        for link in bodies.links:  # the free coordinates and speeds
            self.starts["q"].append(self.starts["q"][-1] + sum(link.body.is_state))
            self.starts["u"].append(self.starts["u"][-1] + len(link.u) * (link.body.coupling is None))
        self.rows = {
            "q": self.held("q", layout.q_handles),
            "u": self.held("u", layout.u_handles),
            **self.scalar_rows("links", scalars.numbers, scalars.nodes),
            "gravity": self.filled("links.gravity", [] if self._known_gravity else gravity),
        }
        joint_forces = {k: [own[j] for j in sorted(own)] for k, own in bodies.joint_forces.items()}
        for name, data in (("driven", bodies.driven), ("pushes", bodies.wrenches), ("joint_forces", joint_forces)):
            starts, nodes = [0] * n, list[Node]()  # rows of different lengths, one after another
            for index, row in data.items():
                starts[index] = len(nodes)
                nodes += row
            self.starts[name], self.rows[name] = starts, self.filled(f"links.{name}", nodes)
        cells = [bodies.cell(kind) for kind in bodies.kinds]
        fixed = self._notes("fixed", [{"inertia": RIGID * len(cell.links)} for cell in cells], PARAMETERS_ONLY)
        carried = [forward and kind.flexible for kind in bodies.kinds]  # these need no notes
        sizes = [{} if no else note_sizes(cell, forward) for cell, no in zip(cells, carried, strict=True)]
        called = self._notes("notes", sizes, EVERYTHING)
        self.notes = [list(both) for both in zip(fixed, called, strict=True)]
        if apart:
            rights = [{"right": sum(map(len, cell.speeds))} for cell in cells]
            self.notes = [
                [*some, own] for some, own in zip(self.notes, self._notes("rights", rights, EVERYTHING), strict=True)
            ]
        self.shared = self._shared(n, forward, ends, apart)
        if added:
            self.shared = replace(self.shared, added=self.held("added", added))
        self.fields = [some for some in vars(self.shared).values() if isinstance(some, BodyRows)]
        self._write_ground(n, gravity)

    def held(self, name: str, nodes: Sequence[Node]) -> Rows:
        """Rows of nodes: those of an input, or of an array that a block fills."""
        rows = self.assembly.input_rows(self.insert_laws(nodes))
        return self.filled(f"links.{name}", nodes) if rows is None else rows

    def scalar_rows(self, of: str, numbers: Sequence[Node], nodes: Sequence[Node]) -> dict[str, Rows]:
        """Rows of nodes that are numbers, and of nodes that depend on parameters."""
        values = [float(self.graph.number(h) or 0.0) for h in numbers]
        return {
            "numbers": self.assembly.table(f"{of}.numbers", values) if values else Rows(f"{of}.numbers", 1, 0),
            "given": self.filled(f"{of}.given", nodes, PARAMETERS_ONLY),
        }

    def filled(self, name: str, nodes: Sequence[Node], mask: int = EVERYTHING) -> Rows:
        if not nodes:
            return Rows(name, 1, 0)
        rows = self.assembly.array(name, len(nodes), mask=mask)
        for k, node in enumerate(self.insert_laws(nodes)):
            self.assembly.write(rows, k, 0, node)
        return rows

    def _notes(self, name: str, sizes: Sequence[Mapping[str, int]], mask: int) -> list[Notes]:
        """For each kind notes with lists of these sizes, as rows of the clusters, one after another."""
        starts, size = [0] * len(self.bodies.links), 0
        for link in self.bodies.first:
            starts[link.index] = size
            size += sum(sizes[self.bodies.of[link.index]].values())
        self.starts[name], rows = starts, self.assembly.array(f"links.{name}", size, mask=mask)
        return [Notes(rows, name, dict(zip(own, accumulate(own.values(), initial=0), strict=False))) for own in sizes]

    def _shared(self, n: int, forward: bool, ends: Collection[int], apart: bool) -> SharedRows:
        """A row for each body, and one for the ground. Sums start at zero: all of them, or those of the leaves that are
        taken for bodies with children, where these are few and every body is an only child."""
        array, shapes = self.assembly.array, self.bodies.shapes
        tips = [k for k, count in enumerate(self.bodies.children) if not count and not shapes[k].leaf]
        zeroed = any(not k.shapes[0].alone for k in self.bodies.kinds) or len(tips) > FEW
        skewed, width = any(shape.skewed for shape in shapes), PAIR + ARTICULATED * forward
        skewed |= any(self.bodies.is_skewed(self.bodies.links[k]) for k in ends)
        shared = SharedRows(
            array("links.axes", n, 9, mask=PARAMETERS_ONLY) if skewed else Rows("links.axes", 9, 0),
            BodyRows(array("links.moved", n + 1, RIGID, zeroed=True, mask=PARAMETERS_ONLY)),
            BodyRows(array("links.motion", n + 1, MOTION)),
            BodyRows(array("links.sums", n + 1, width, zeroed=zeroed)),
            BodyRows(array("links.reached", n + 1, PAIR)),
            BodyRows(array("links.poses", n + 1, POSE) if ends else Rows("links.poses", POSE, 0)),
            BodyRows(array("links.velocities", n + 1, MOVED) if ends else Rows("links.velocities", MOVED, 0)),
            BodyRows(array("links.forces", n + 1, PAIR, zeroed=zeroed) if apart else Rows("links.forces", PAIR, 0)),
        )
        for sums in (shared.sums.rows, shared.forces.rows):
            for row in () if zeroed or not sums.rows else tips:
                for column in range(sums.width):
                    self.assembly.write(sums, row, column, self.assembly.graph.zero)
        return shared

    def _write_ground(self, n: int, gravity: Sequence[Node]) -> None:
        """The ground's rows, if roots are taken for other bodies: it is at rest, with −g for its acceleration minus
        gravity."""
        g, shapes, shared = self.graph, self.bodies.shapes, self.shared
        if not any(link.parent is None and not shapes[link.index].root for link in self.bodies.links):
            return
        zeros = [g.zero] * PAIR
        ground = [(shared.motion, [*zeros, *map(g.neg, gravity)]), (shared.reached, zeros)]
        if shared.poses.rows.rows:
            axes = [g.one if k in (0, 4, 8) else g.zero for k in range(POSE)]
            ground += [(shared.poses, axes), (shared.velocities, [g.zero] * MOVED)]
        for of_bodies, row in ground:
            of_bodies.live |= {k for k, x in enumerate(row) if x != g.zero}
            for k, x in enumerate(self.insert_laws(row)):
                self.assembly.write(of_bodies.rows, n, k, x)

    def place_of(self, speed: int) -> tuple[Link, int]:
        """The link whose joint has a speed, by its index in u, and the number of the speed in the cluster's cell."""
        starts, bodies = self.starts["u"], self.bodies
        link = bodies.links[bisect_right(starts[: len(bodies.links)], speed) - 1]
        cell = bodies.cell(bodies.kinds[bodies.of[link.index]])
        return link, cell.speeds[bodies.cluster[link.index].index(link)][speed - starts[link.index]]

    # Reading

    def data(self, step: TracedStep, kind: BodyKind) -> list[CellData]:
        """The data of each body of a step's kind, as nodes that are read."""
        sources, result = iter(kind.sources), list[CellData]()
        for k, (shape, count) in enumerate(zip(kind.shapes, kind.counts, strict=True)):
            scalars = [
                step.kernel.read(self.rows[s[0]], *s) if isinstance(s, tuple) else step.graph.const(s)
                for s in (next(sources) for _ in range(count))
            ]
            result.append(
                CellData(
                    scalars,
                    *self._freedoms(step, kind, k),
                    step.read(self.shared.axes, of_member("parent", k), range(9 * shape.skewed)),
                    self.read_gravity(step) if shape.root else (),
                    step.read(self.rows["pushes"], of_member("pushes", k), range(6 * shape.loaded)),
                    step.read(self.rows["joint_forces"], of_member("joint_forces", k), range(len(shape.joint_forces))),
                )
            )
        return result

    def _freedoms(self, step: TracedStep, kind: BodyKind, k: int) -> tuple[list[Node], list[Node], list[Node | None]]:
        """Coordinates, speeds, and prescribed accelerations; none of a coupled joint."""
        shape, body = kind.shapes[k], self.bodies.cluster[kind.links[0].index][k].body
        speeds = [j for j, given in enumerate(shape.prescribed) if given]
        coordinates = [j for j, driven in enumerate(body.is_driven) if driven]
        prescribed: list[Node | None] = [None] * len(body.u)
        if shape.follows != OUTER:
            return [], [], prescribed
        q = step.read(self.rows["q"], of_member("q", k), range(len(body.q) - len(coordinates)))
        u = step.read(self.rows["u"], of_member("u", k), range(len(body.u) - len(speeds)))
        given = range(len(coordinates) + 2 * len(speeds))
        values = iter(step.read(self.rows["driven"], of_member("driven", k), given) if speeds else ())
        for j in coordinates:
            q.insert(j, next(values))
        for j in speeds:
            u.insert(j, next(values))
            prescribed[j] = next(values)
        return q, u, prescribed

    def read_gravity(self, step: TracedStep) -> list[Node]:
        if self._known_gravity:
            return [step.graph.const(x) for x in self._gravity]
        return step.read(self.rows["gravity"], "all", range(3))
