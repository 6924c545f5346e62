"""``Program``: named input groups, named outputs with shapes, regions that run one after another, and the digest.

Three kinds of region: a ``Block`` is straight-line code; a ``Scan`` applies a block per body along index lists, with
gather and scatter, one block per kind of body; a ``Solve`` solves A x = b for a symmetric A of known pattern. Regions
exchange numbers through buffers only. Mechanics ends here; backends begin here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from freebody.program.code import Address, Code
from freebody.program.ldl import Entry, LdlPlan, plan
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.tables import shorten


@dataclass(frozen=True)
class Group:
    """An input: a vector of named numbers that depend on what ``mask`` says."""

    name: str
    elements: tuple[str, ...]
    mask: int
    descriptions: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return len(self.elements)

    @property
    def fixed(self) -> bool:
        """Whether it holds parameters only."""
        return self.mask == PARAMETERS_ONLY


@dataclass(frozen=True)
class Output:
    """A result: an array of this shape, stored flat in C order. ``name`` is that of its buffer, ``key`` its name in
    results; they differ where a user's name for an output is the name of another buffer."""

    name: str
    shape: tuple[int, ...]
    alias: str = ""

    @property
    def key(self) -> str:
        return self.alias or self.name

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class Work:
    """A buffer between regions. ``zeroed`` says it starts as zero at every call, so that stores may add to it. One with
    ``values`` is a table of these numbers, which nothing writes to."""

    name: str
    size: int
    zeroed: bool = False
    values: tuple[float, ...] = ()

    @property
    def table(self) -> bool:
        return bool(self.values)


@dataclass(frozen=True)
class Block:
    """Straight-line code."""

    code: Code

    @property
    def codes(self) -> tuple[Code, ...]:
        return (self.code,)

    def indices(self, kind: int, address: Address) -> NDArray[np.int64]:
        """The index in its buffer that an address points to."""
        return np.array([address.offset])


@dataclass(frozen=True)
class Scan:
    """Steps 0 … n−1, each running the code of its kind; ``rows[r][step]`` is where index r points at that step."""

    name: str
    codes: tuple[Code, ...]
    kinds: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]

    @property
    def steps(self) -> int:
        return len(self.kinds)

    @cached_property
    def steps_of(self) -> list[NDArray[np.int64]]:
        """The steps of each kind, in order."""
        return [np.flatnonzero(np.asarray(self.kinds) == kind) for kind in range(len(self.codes))]

    def indices(self, kind: int, address: Address) -> NDArray[np.int64]:
        """The indices in its buffer that an address points to, at each step of this kind."""
        steps = self.steps_of[kind]
        start = self._rows[address.row][steps] if address.row >= 0 else np.zeros(len(steps), np.int64)
        return start + address.offset

    @cached_property
    def _rows(self) -> NDArray[np.int64]:
        return np.array(self.rows, np.int64).reshape(len(self.rows), self.steps)


@dataclass(frozen=True)
class Solve:
    """A x = b, A symmetric. ``entries[k]`` (row ≥ column) is stored at ``matrix[k]``; b and x have ``right_sides``
    columns, row after row. A is not changed. It is positive definite but for the rows of ``multipliers`` (see
    ``ldl``)."""

    name: str
    size: int
    entries: tuple[Entry, ...]
    right_sides: int
    matrix: str
    right: str
    result: str
    multipliers: tuple[int, ...] = ()

    @cached_property
    def plan(self) -> LdlPlan:
        return plan(self.size, self.entries, self.multipliers)


Region = Block | Scan | Solve


@dataclass(frozen=True, repr=False)
class Program:
    """Regions that compute outputs from input groups, in an order in which they can be computed."""

    name: str
    groups: tuple[Group, ...]
    outputs: tuple[Output, ...]
    work: tuple[Work, ...]
    regions: tuple[Region, ...]

    def __repr__(self) -> str:
        inputs = ", ".join(f"{g.name}[{g.size}]" for g in self.groups)
        outputs = ", ".join(f"{o.key}[{', '.join(map(str, o.shape))}]" for o in self.outputs)
        return f"<Program {self.name}({inputs}) → {shorten(outputs)}>"

    @property
    def buffers(self) -> tuple[Group | Output | Work, ...]:
        """Inputs, outputs and work buffers, in this order."""
        return (*self.groups, *self.outputs, *self.work)

    @property
    def tables(self) -> tuple[Work, ...]:
        """The work buffers that hold numbers known beforehand."""
        return tuple(w for w in self.work if w.table)

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """How many numbers each buffer holds."""
        return {b.name: b.size for b in self.buffers}

    @property
    def blocks(self) -> Iterator[Code]:
        """Every piece of straight-line code, scans' included."""
        for region in self.regions:
            if not isinstance(region, Solve):
                yield from region.codes


def buffers_of(region: Region) -> tuple[list[str], list[str]]:
    """The buffers a region reads and those it writes, each once, in order of first appearance."""
    if isinstance(region, Solve):
        return [region.matrix, region.right], [region.result]
    reads = dict.fromkeys(a.buffer for code in region.codes for a in code.loads)
    writes = dict.fromkeys(s.to.buffer for code in region.codes for s in code.stores)
    return list(reads), list(writes)


def touched(region: Region) -> list[str]:
    """The buffers a region reads or writes, each once."""
    reads, writes = buffers_of(region)
    return list(dict.fromkeys([*reads, *writes]))


def stride(rows: Sequence[int]) -> int | None:
    """The step between rows that are evenly spaced, None for others."""
    steps = {b - a for a, b in pairwise(rows)}
    return (steps.pop() if steps else 0) if len(steps) <= 1 else None


_PROPERTIES = {Block: (), Scan: ("name", "kinds", "rows"), Solve: tuple(f.name for f in fields(Solve))}
_OPTIONAL = {"multipliers"}
"""Properties that count only where there are any."""


def digest(program: Program) -> str:
    """40 hexadecimal digits over everything a backend may read, equal for equal programs, in every process and under
    every hash seed; user functions count by name."""
    from hashlib import blake2b  # OpenSSL comes with it

    parts = [program.name]
    for buffer in program.buffers:
        plain = astuple(buffer)
        empty = not buffer.table if isinstance(buffer, Work) else isinstance(buffer, Output) and not buffer.alias
        parts.append(repr(plain[:-1] if empty else plain))
    for region in program.regions:
        texts = [type(region).__name__, repr(_properties(region))]
        for code in () if isinstance(region, Solve) else region.codes:
            numbers = [float(x).hex() for x in code.numbers]
            calls = [(function.name, arguments) for function, arguments in code.calls]
            labels = sorted((k, [(x.name, x.description) for x in v]) for k, v in code.labels.items())
            nodes = code.op, code.a, code.b, code.c
            texts.append(repr((*nodes, numbers, code.loads, code.tables, calls, code.stores, labels)))
        parts.append("\x01".join(texts))
    return blake2b("\x00".join(parts).encode(), digest_size=20).hexdigest()


def _properties(region: Region) -> dict[str, object]:
    values = {name: vars(region)[name] for name in _PROPERTIES[type(region)]}
    return {name: value for name, value in values.items() if value or name not in _OPTIONAL}
