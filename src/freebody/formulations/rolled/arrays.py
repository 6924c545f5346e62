"""The arrays of a rolled program: what steps are told of their bodies, and the rows they share."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from freebody.formulations.derivation import InsertLaws
from freebody.formulations.rolled import passes
from freebody.formulations.rolled.bodies import BodyKinds
from freebody.formulations.rolled.cell import CellData
from freebody.formulations.rolled.kinds import FEW, OUTER
from freebody.formulations.rolled.memory import BodyRows, Notes, TracedStep, of_member
from freebody.program.assemble import Assembly, Rows
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.scalar.symbol import EVERYTHING, PARAMETERS_ONLY
from freebody.spatial.vector import components


class Arrays:
    """``starts`` says by index where each body's rows begin. ``forward``: for u̇, else for forces. ``insert_laws``
    returns the nodes of the assembly for those of the forest's graph."""

    def __init__(self, bodies: BodyKinds, assembly: Assembly, forward: bool, insert_laws: InsertLaws) -> None:
        self.bodies, self.assembly, self.forward, self.insert_laws = bodies, assembly, forward, insert_laws
        self.graph: Graph = bodies.graph
        n, layout, scalars = len(bodies.links), bodies.forest.layout, bodies.scalars
        parents = [n if link.parent is None else link.parent.index for link in bodies.links]
        self.starts = {"own": list(range(n)), "parent": parents, "all": [0] * n, **scalars.starts, **self._freedoms()}
        self.rows = {
            "q": self.held("q", layout.q_handles), "u": self.held("u", layout.u_handles), "numbers": self._table(),
            "given": self._filled("given", scalars.nodes, PARAMETERS_ONLY),
            "gravity": self._filled("gravity", [] if self._known_gravity else self._gravity),
        }  # fmt: skip
        joint_forces = {k: [own[j] for j in sorted(own)] for k, own in bodies.joint_forces.items()}
        for name, told in (("driven", bodies.driven), ("pushes", bodies.pushes), ("joint_forces", joint_forces)):
            self._ragged(name, told)
        self.notes = self._notes()
        self.fields = self._fields(n)
        self._ground(n)

    # What is told

    def held(self, name: str, nodes: Sequence[int]) -> Rows:
        """Where nodes can be read: as inputs, or from an array that a block fills."""
        found = self.assembly.input_rows(self.insert_laws(nodes))
        return self._filled(name, nodes) if found is None else found

    def _filled(self, name: str, nodes: Sequence[int], mask: int = EVERYTHING) -> Rows:
        if not nodes:
            return Rows(f"links.{name}", 1, 0)
        made = self.assembly.array(f"links.{name}", len(nodes), mask=mask)
        for k, node in enumerate(self.insert_laws(nodes)):
            self.assembly.write(made, k, 0, node)
        return made

    def _table(self) -> Rows:
        numbers = [float(self.graph.number(h) or 0.0) for h in self.bodies.scalars.numbers]
        return self.assembly.table("links.numbers", numbers) if numbers else Rows("links.numbers", 1, 0)

    @cached_property
    def _gravity(self) -> Sequence[int]:
        return components(self.bodies.forest.gravity, self.bodies.forest.root)

    @property
    def _known_gravity(self) -> bool:
        return all(self.graph.number(x) is not None for x in self._gravity)

    def _ragged(self, name: str, rows: Mapping[int, Sequence[int]]) -> None:
        """Rows of different lengths, one behind the other, for some of the links."""
        starts, nodes = [0] * len(self.bodies.links), list[int]()
        for index, row in rows.items():
            starts[index] = len(nodes)
            nodes += row
        self.starts[name], self.rows[name] = starts, self._filled(name, nodes)

    def _freedoms(self) -> dict[str, list[int]]:
        """Where each link's free coordinates and speeds begin."""
        places: dict[str, list[int]] = {"q": [0], "u": [0]}
        for link in self.bodies.links:
            places["q"].append(places["q"][-1] + sum(link.body.is_state))
            places["u"].append(places["u"][-1] + len(link.u) * (link.body.coupling is None))
        return places

    # What steps share

    def _notes(self) -> list[list[Notes]]:
        """Of each kind: those that numbers and parameters decide, and those of each call."""
        cells = [self.bodies.cell(kind) for kind in self.bodies.kinds]
        lists = [passes.sizes(cell, self.forward) for cell in cells]
        fixed = self._lists("fixed", [{"inertia": passes.TEN * len(cell.links)} for cell in cells], PARAMETERS_ONLY)
        return [list(both) for both in zip(fixed, self._lists("notes", lists, EVERYTHING), strict=True)]

    def _lists(self, name: str, lists: Sequence[Mapping[str, int]], mask: int) -> list[Notes]:
        """Named lists of each kind, as rows of the clusters, one behind the other."""
        starts, size = [0] * len(self.bodies.links), 0
        for link in self.bodies.first:
            starts[link.index] = size
            size += sum(lists[self.bodies.of[link.index]].values())
        self.starts[name], rows = starts, self.assembly.array(f"links.{name}", size, mask=mask)
        return [Notes(rows, name, dict(zip(own, accumulate(own.values(), initial=0), strict=False))) for own in lists]

    def _fields(self, n: int) -> passes.SharedRows:
        """A row for each body, and one for the ground."""
        array, fixed = self.assembly.array, PARAMETERS_ONLY
        shared = any(not k.shape.alone for k in self.bodies.kinds) or len(self._tips) > FEW
        skewed = any(shape.skewed for shape in self.bodies.shapes)
        sums = passes.SIX + passes.ARTICULATED * self.forward
        return passes.SharedRows(
            array("links.axes", n, 9, mask=fixed) if skewed else Rows("links.axes", 9, 0),
            BodyRows(array("links.moved", n + 1, passes.TEN, zeroed=True, mask=fixed)),
            BodyRows(array("links.motion", n + 1, passes.MOVING)),
            BodyRows(self._sums(array("links.sums", n + 1, sums, zeroed=shared), [] if shared else self._tips)),
            BodyRows(array("links.reached", n + 1, passes.SIX)),
        )

    @cached_property
    def _tips(self) -> list[int]:
        """The leaves that are taken for bodies with others on them."""
        shapes = self.bodies.shapes
        return [k for k, count in enumerate(self.bodies.children) if not count and not shapes[k].leaf]

    def _sums(self, rows: Rows, tips: Sequence[int]) -> Rows:
        """Rows of zeros for the tips."""
        for row in tips:
            for column in range(rows.width):
                self.assembly.write(rows, row, column, self.assembly.graph.zero)
        return rows

    def _ground(self, n: int) -> None:
        """The ground's rows, where roots are taken for other bodies: it does not move, but feels −g."""
        g, shapes = self.graph, self.bodies.shapes
        if not any(link.parent is None and not shapes[link.index].root for link in self.bodies.links):
            return
        none = [g.zero] * passes.SIX
        for field, row in ((self.fields.motion, [*none, *map(g.neg, self._gravity)]), (self.fields.reached, none)):
            field.live |= {k for k, x in enumerate(row) if x != g.zero}
            for k, x in enumerate(self.insert_laws(row)):
                self.assembly.write(field.rows, n, k, x)

    # Reading

    def tell(self, step: TracedStep) -> list[CellData]:
        """What a cell of the step's kind is told of each of its bodies, as nodes that are read."""
        places, found = iter(step.kind.places), list[CellData]()
        for k, (shape, count) in enumerate(zip(step.kind.shapes, step.kind.counts, strict=True)):
            found.append(CellData(
                [self._scalar(step, next(places)) for _ in range(count)], *self._freedom(step, k),
                step.read(self.fields.axes, of_member("parent", k), range(9 * shape.skewed)),
                self._fall(step) if shape.root else (),
                step.read(self.rows["pushes"], of_member("pushes", k), range(6 * shape.pushed)),
                step.read(self.rows["joint_forces"], of_member("joint_forces", k), range(len(shape.joint_forces))),
            ))  # fmt: skip
        return found

    def _scalar(self, step: TracedStep, place: Number | tuple[str, int]) -> int:
        if isinstance(place, tuple):
            return step.kernel.read(self.rows[place[0]], *place)
        return step.graph.const(place)

    def _freedom(self, step: TracedStep, k: int) -> tuple[list[int], list[int], list[int | None]]:
        """Coordinates, speeds, and accelerations where they are prescribed; none of a joint that follows another."""
        shape = step.kind.shapes[k]
        body = self.bodies.cluster[step.kind.links[0].index][k].body
        fixed = [j for j, given in enumerate(shape.given) if given]
        given: list[int | None] = [None] * len(body.u)
        if shape.follows != OUTER:
            return [], [], given
        q = step.read(self.rows["q"], of_member("q", k), range(len(body.q) - len(fixed)))
        u = step.read(self.rows["u"], of_member("u", k), range(len(body.u) - len(fixed)))
        for n, j in enumerate(fixed):
            value, rate, given[j] = step.read(
                self.rows["driven"], of_member("driven", k), range(3 * n, 3 * n + 3)
            )
            q.insert(j, value)
            u.insert(j, rate)
        return q, u, given

    def _fall(self, step: TracedStep) -> list[int]:
        """Gravity, as numbers where it is."""
        if self._known_gravity:
            return [step.graph.const(self.graph.number(x)) for x in self._gravity]
        return step.read(self.rows["gravity"], "all", range(3))
