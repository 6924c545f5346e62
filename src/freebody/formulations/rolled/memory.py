"""What the steps of a rolled program read and write: rows of bodies, whose columns may be zero for all of them, and
notes that one pass over the bodies leaves for the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from freebody.formulations.rolled.kinds import BodyKind
from freebody.program.assemble import Kernel, Rows
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number


@dataclass(eq=False)
class BodyRows:
    """A row of numbers for each body. ``live`` are the columns that some step puts more than zero in; the others are
    never written, and read as zero."""

    rows: Rows
    live: set[int] = field(default_factory=set)
    assumed: set[int] = field(default_factory=set)  # taken for zero since ``mistaken`` was last asked

    def mistaken(self) -> bool:
        """Whether a column was taken for zero that is not."""
        wrong = bool(self.assumed & self.live)
        self.assumed.clear()
        return wrong


@dataclass(eq=False)
class Notes:
    """What passes leave for later ones about the bodies of one kind: named lists of known lengths, one behind the other
    in each body's row, which index ``at`` points to; numbers are remembered, not stored."""

    rows: Rows
    at: str
    starts: Mapping[str, int]
    numbers: dict[tuple[str, int], Number] = field(default_factory=dict)
    groups: list["Eliminated"] = field(default_factory=list)


class Eliminated(NamedTuple):
    """The speeds that were eliminated at a link of a cluster, in this order, and those that waited on; without a link:
    at the ground."""

    link: int | None
    speeds: list[int]
    waiting: list[int]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Each eliminated speed with every later one."""
        later = (*self.speeds, *self.waiting)
        return [(j, k) for n, j in enumerate(self.speeds) for k in later[n + 1 :]]


def of_member(at: str, member: int) -> str:
    """The name of an index list for a link of a cluster, by its number there: ``own``, ``own.1``, …"""
    return f"{at}.{member}" if member else at


class TracedStep:
    """The step at the clusters of one kind while it is traced. Rows are found by indices: ``own``, ``parent``, … of the
    first link, ``own.1``, … of the others."""

    def __init__(self, kernel: Kernel, kind: BodyKind, notes: Sequence[Notes]) -> None:
        self.kernel, self.kind = kernel, kind
        self.graph: Graph = kernel.graph
        self._notes = {name: own for own in notes for name in own.starts}

    # Rows

    def read(self, rows: Rows, at: str, columns: Sequence[int]) -> list[int]:
        return [self.kernel.read(rows, at, k) for k in columns]

    def write(self, rows: Rows, at: str, columns: Sequence[int], values: Sequence[int]) -> None:
        for k, value in zip(columns, values, strict=True):
            self.kernel.write(rows, at, k, value)

    def get(self, field: BodyRows, at: str) -> list[int]:
        """A whole row."""
        zero = self.graph.zero
        field.assumed |= set(range(field.rows.width)) - field.live
        return [self.kernel.read(field.rows, at, k) if k in field.live else zero for k in range(field.rows.width)]

    def put(self, field: BodyRows, at: str, values: Sequence[int], add: bool = False) -> None:
        """Values in (or added to) a whole row."""
        for k, value in enumerate(values):
            if value != self.graph.zero:
                field.live.add(k)
            if value != self.graph.zero or (k in field.live and not add):
                self.kernel.write(field.rows, at, k, value, add)
            elif not add:
                field.assumed.add(k)

    # Notes

    @property
    def groups(self) -> list[Eliminated]:
        """What the elimination of this kind did at its links, for the way back."""
        return self._notes["pose"].groups

    def leave(self, name: str, values: Sequence[int]) -> None:
        """A list for later passes."""
        notes = self._notes[name]
        for k, value in enumerate(values):
            number = self.graph.number(value)
            notes.numbers.pop((name, k), None)
            if number is not None:
                notes.numbers[name, k] = number
            else:
                self.kernel.write(notes.rows, notes.at, notes.starts[name] + k, value)

    def find(self, name: str, count: int) -> list[int]:
        """A list that an earlier pass has left."""
        notes = self._notes[name]
        return [
            self.graph.const(notes.numbers[name, k]) if (name, k) in notes.numbers
            else self.kernel.read(notes.rows, notes.at, notes.starts[name] + k)
            for k in range(count)
        ]  # fmt: skip

    def recall(self, name: str, nodes: Sequence[int]) -> None:
        """Nodes of this step that an earlier pass has computed and left: they are loaded instead."""
        notes, address = self._notes[name], self.kernel.scan.address
        for k, node in enumerate(nodes):
            if self.graph.number(node) is None:
                self.kernel.loads[node] = address(notes.rows, notes.at, notes.starts[name] + k)
