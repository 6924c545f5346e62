"""Constraints sorted into kinds: one traced step serves all constraints of a kind, which differ by numbers alone."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from freebody.formulations.rolled.kinds import BodyKinds, column_sources
from freebody.model.constraints.local import local
from freebody.model.element import Pattern
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.symbol import Kind as Symbol
from freebody.tree.constraint_cell import MOVED, POSE, ConstraintCell, EndData
from freebody.tree.constraints import ConstraintEquations, RowInfo, RowKey
from freebody.tree.independence import dependence, guarded_rows
from freebody.tree.motion import Motion
from freebody.tree.tree import Link


@dataclass(frozen=True)
class EndShape:
    """What a constraint needs to know of the kind of a body that it connects: whether the body's axes are not those of
    the link's frame."""

    skewed: bool


@dataclass(frozen=True)
class Member:
    """A constraint: its name, the links that it connects, in the order in which its cell numbers them, and its flag, if
    it can be switched."""

    name: str
    links: tuple[Link, ...]
    flag: Node | None = None


@dataclass(eq=False)
class ConstraintKind:
    """Constraints that differ only in numbers. ``omitted`` are the indices of rows that are left out; ``sources`` as in
    ``BodyKind``."""

    pattern: Pattern
    ends: tuple[EndShape, ...]
    omitted: tuple[int, ...]
    members: list[Member] = field(default_factory=list)
    scalars: list[list[Node]] = field(default_factory=list)
    sources: list[Number | tuple[str, int]] = field(default_factory=list)


@dataclass(frozen=True)
class ConstraintScalars:
    """Nodes that are numbers, nodes that a block computes, and the start of each constraint's row in both, by kind."""

    numbers: list[Node]
    nodes: list[Node]
    starts: dict[str, list[list[int]]]


class ConstraintKinds:
    """``kinds`` of the constraints of a tree. Rows of a kind are counted without those that are left out; ``related``
    are those whose scale is one. ``others`` are the equations of constraints that are not local, on the whole tree, and
    of those that deformation of order "ruthless" changes (``ConstraintEquations``)."""

    def __init__(self, bodies: BodyKinds, omitted: Collection[RowKey]) -> None:
        g, links, others = bodies.graph, bodies.tree.by_name, list[str]()
        kinds = dict[Hashable, ConstraintKind]()
        left_out = dict[str, list[int]]()
        for key in omitted:
            left_out.setdefault(key.constraint, []).append(key.row)
        model = bodies.tree.model
        guards = guarded_rows(model)
        guarded = {key.constraint for key in guards}
        with_rows = {key.constraint for key in dependence(model).names.keys() - set(omitted)}
        for name, constraint in model.constraints.items():
            if name not in with_rows:
                continue
            found = None if name in guarded else local(constraint, bodies.tree.placed)
            connected = () if found is None else tuple(links[body] for body in found.bodies)
            if found is None or any(map(_behind_neglected_node, connected)):
                others.append(name)
                continue
            flag = constraint.flag(g)
            on = None if flag is None else flag.handle
            member = Member(name, connected, on)
            ends = tuple(EndShape(bodies.is_skewed(link)) for link in member.links)
            absent = tuple(sorted(left_out.get(name, ())))
            same = found.pattern, found.exact, ends, absent, flag is None
            kind = kinds.setdefault(same, ConstraintKind(found.pattern, ends, absent))
            kind.members.append(member)
            kind.scalars.append(found.scalars)
        self.kinds = list(kinds.values())
        equations = [symbolic_cell(kind).equations for kind in self.kinds]
        self.rows = [list(some.rows.values()) for some in equations]
        self.related = [some.related for some in equations]
        self.scalars = scalar_table(g, self.kinds)
        self.others = ConstraintEquations(Motion(bodies.tree), omitted, only=others, guarded=guards)

    def row_infos(self, name: str) -> list[RowInfo]:
        """What is known of the rows of a constraint."""
        if name in self._of:
            return [RowInfo.of(row) for row in self.rows[self._of[name]]]
        return [RowInfo.of(row) for key, row in self.others.rows.items() if key.constraint == name]

    @cached_property
    def _of(self) -> dict[str, int]:
        return {member.name: c for c, kind in enumerate(self.kinds) for member in kind.members}

    @property
    def ends(self) -> set[int]:
        """The indices of the links that constraints connect."""
        return {link.index for kind in self.kinds for member in kind.members for link in member.links}


def _behind_neglected_node(link: Link) -> bool:
    """Whether deformation of order "ruthless" moves a link, of which its pose in the equations does not tell."""
    return any(one.body.placement.undeformed is not None for one in link.path_to_root())


def scalar_table(g: Graph, kinds: Sequence[ConstraintKind]) -> ConstraintScalars:
    """The scalars of constraints; those with equal ones share a row. Sets the ``sources`` of the kinds."""
    stores: dict[str, list[Node]] = {"numbers": [], "given": []}
    starts: dict[str, list[list[int]]] = {where: [] for where in stores}
    for kind in kinds:
        kind.sources, columns = column_sources(g, kind.scalars)
        for where, store in stores.items():
            known, own = dict[tuple[Node, ...], int](), list[int]()
            for scalars in kind.scalars:
                row = tuple(scalars[k] for k in columns[where])
                if row not in known:
                    known[row] = len(store)
                    store += row
                own.append(known[row])
            starts[where].append(own)
    return ConstraintScalars(stores["numbers"], stores["given"], starts)


def symbolic_cell(kind: ConstraintKind) -> ConstraintCell:
    """A cell of symbols, which shows the equations of a kind."""
    g = Graph()

    def symbols(what: str, count: int, mask: int) -> list[Node]:
        return [g.symbol(f"{what}{k}", Symbol.INTERMEDIATE, mask=mask) for k in range(count)]

    ends = [
        EndData(
            symbols(f"pose{k}.", POSE, Symbol.COORDINATE),
            symbols(f"moved{k}.", MOVED, Symbol.SPEED),
            symbols(f"axis{k}.", 9 * end.skewed, PARAMETERS_ONLY),
        )
        for k, end in enumerate(kind.ends)
    ]
    scalars = symbols("scalar", len(kind.scalars[0]), PARAMETERS_ONLY)
    return ConstraintCell(g, kind.pattern, scalars, ends, symbols("gravity", 3, PARAMETERS_ONLY), kind.omitted)
