"""``Assembly`` builds a program from expressions of one graph, solves and scans.

    a = Assembly("forward_dynamics", graph, {"parameters": [m, l], "q": [q], "u": [u]})
    udot = a.solve("u̇", {(0, 0): m00, (1, 0): m10, (1, 1): m11}, [f0, f1])
    a.output("u_dot", udot)
    program = a.program()

A node is computed in the first block in which everything it needs exists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import prod
from numbers import Integral, Real
from operator import or_
from typing import Any

import numpy as np

from freebody.errors import GraphError, ProgramError
from freebody.program.check import check
from freebody.program.code import Address, Store, lower
from freebody.program.ldl import Entry
from freebody.program.program import Block, Group, Output, Program, Region, Scan, Solve, Work
from freebody.scalar.arithmetic import describe
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import SYMBOL
from freebody.scalar.symbol import EVERYTHING, PARAMETERS_ONLY, Kind
from freebody.scalar.walk import live, operands

Value = Node | Expr
RESERVED = frozenset(("carry", "hoisted", "spill"))
"""Buffers that assembling, staging and splitting add; ``region…`` is what backends call theirs."""


@dataclass(frozen=True)
class Rows:
    """A buffer seen as rows of ``width`` numbers, from ``start`` on."""

    buffer: str
    width: int
    rows: int
    start: int = 0

    def index(self, row: int, column: int = 0) -> int:
        """The index of (row, column) in the buffer."""
        if not (0 <= row < self.rows and 0 <= column < self.width):
            raise ProgramError(f"{self.buffer}[{row}, {column}] is outside its {self.rows} × {self.width} numbers")
        return self.start + row * self.width + column


@dataclass
class Kernel:
    """The step of a scan at one kind of body, traced on abstract scalars: read, compute on ``graph``, write."""

    scan: "Scanning"
    graph: Graph = field(default_factory=Graph)
    loads: dict[Node, Address] = field(default_factory=dict)
    stores: list[Store] = field(default_factory=list)

    def read(self, array: Rows, at: str, column: int = 0) -> Node:
        """The number in this column of the row that index ``at`` points to."""
        address = self.scan.address(array, at, column)
        name = f"{address.buffer}[{address.row}].{address.offset}"
        handle = self.graph.symbol(name, Kind.INTERMEDIATE, mask=self.scan.assembly.mask(array))
        self.loads[handle] = address
        return handle

    def write(self, array: Rows, at: str, column: int, value: Value, add: bool = False) -> None:
        """Put (or add) a value into this column of the row that index ``at`` points to."""
        self.stores.append(Store(_handle(self.graph, value), self.scan.address(array, at, column), add))


class Scanning:
    """A scan being described: index lists by name, one kernel per kind of body, the kind of each step."""

    def __init__(self, assembly: "Assembly", name: str, indices: Mapping[str, Sequence[int]]) -> None:
        self.assembly, self.name, self.indices = assembly, name, indices
        if not indices:
            raise ProgramError(f"scan '{name}' has no index lists: give at least one, such as {{'own': [0, 1, 2]}}")
        self.steps = len(next(iter(indices.values())))
        if any(len(v) != self.steps for v in indices.values()):
            raise ProgramError(f"scan '{name}': the index lists have different lengths")
        self.rows: dict[tuple[int, ...], int] = {}
        self.kernels: list[Kernel] = []
        self._known: dict[tuple[int, int, str], int] = {}

    def kernel(self, graph: Graph | None = None) -> Kernel:
        """A new kind of body, traced in a graph of its own."""
        self.kernels.append(Kernel(self, graph or Graph()))
        return self.kernels[-1]

    def address(self, array: Rows, at: str, column: int) -> Address:
        if at not in self.indices:
            raise ProgramError(f"scan '{self.name}' has no index '{at}', only {', '.join(self.indices)}")
        key = array.start, array.width, at
        if key not in self._known:
            starts = tuple(array.start + r * array.width for r in self.indices[at])
            self._known[key] = self.rows.setdefault(starts, len(self.rows))
        return Address(array.buffer, column, self._known[key])


class Assembly:
    """A program being put together from the nodes of one graph."""

    def __init__(self, name: str, graph: Graph, groups: Mapping[str, Sequence[Value]]) -> None:
        self.name, self.graph = name, graph
        self._loads: dict[Node, Address] = {}
        listed = []
        for group, nodes in groups.items():  # symbols, each of them in one group only, and once
            handles = [_handle(graph, node) for node in nodes]
            for k, h in enumerate(handles):
                if graph.op[h] != SYMBOL:
                    raise ProgramError(f"group '{group}' may hold symbols only")
                if h in self._loads:
                    other = self._loads[h].buffer
                    where = f"group '{group}' twice" if other == group else f"the groups '{other}' and '{group}'"
                    raise ProgramError(f"{describe(graph, h)} is in {where}: leave it in one place")
                self._loads[h] = Address(group, k)
            symbols = [graph.symbols[graph.a[h]] for h in handles]
            texts = ([s.name for s in symbols], [s.description for s in symbols], [s.unit for s in symbols])
            names, descriptions, units = map(tuple, texts)
            mask = reduce(or_, (s.mask for s in symbols), 0)
            listed.append(Group(_free(group), names, mask, descriptions, units))
        self.groups = tuple(listed)
        self.masks = {g.name: g.mask for g in self.groups}
        self._work_masks: dict[str, int] = {}
        self._level = dict.fromkeys(self._loads, 0)
        self._outputs: list[Output] = []
        self._work: list[Work] = []
        self._regions: list[Region | None] = []
        self._stores: list[tuple[int | None, Store]] = []

    # Arrays

    def rows(self, group: str, width: int = 1, start: int = 0, rows: int | None = None) -> Rows:
        """An input group seen as rows."""
        sizes = {g.name: g.size for g in self.groups}
        if group not in sizes:
            raise ProgramError(f"{self.name} has no input group '{group}', only {', '.join(sizes) or 'none at all'}")
        return Rows(group, width, (sizes[group] - start) // width if rows is None else rows, start)

    def input_rows(self, nodes: Sequence[Value]) -> Rows | None:
        """The inputs that these nodes are, if they follow each other in a group, one in each row; else None."""
        addresses = [self._loads.get(_handle(self.graph, node)) for node in nodes]
        first = addresses[0] if addresses else None
        if first is None or first.buffer not in self.masks:
            return None
        straight = [Address(first.buffer, first.offset + k) for k in range(len(addresses))]
        return Rows(first.buffer, 1, len(addresses), first.offset) if addresses == straight else None

    def array(self, name: str, rows: int, width: int = 1, zeroed: bool = False, mask: int = EVERYTHING) -> Rows:
        """A work array of rows × width numbers; ``mask`` is what the numbers that kernels read there depend on."""
        self._work.append(Work(_free(name), rows * width, zeroed))
        self._work_masks[name] = mask
        return Rows(name, width, rows)

    def table(self, name: str, values: Sequence[float]) -> Rows:
        """Numbers known beforehand, one in each row."""
        self._work.append(Work(_free(name), len(values), values=tuple(map(float, values))))
        self.masks[name] = PARAMETERS_ONLY
        return Rows(name, 1, len(values))

    def mask(self, array: Rows) -> int:
        """The dependency mask of the numbers of an array."""
        return self.masks.get(array.buffer, self._work_masks.get(array.buffer, EVERYTHING))

    def output_array(self, name: str, rows: int, width: int = 1) -> Rows:
        """An output that regions write row by row."""
        self._outputs.append(Output(_free(name), (rows, width) if width > 1 else (rows,)))
        return Rows(name, width, rows)

    def read(self, array: Rows, row: int, column: int = 0) -> Node:
        """The number at (row, column) as it is after the regions so far (and not what ``write`` has put there since),
        as a node. It stays this number, whatever is written there later."""
        index = array.index(row, column)
        level = 0 if array.buffer in self.masks else len(self._regions)
        name = f"{array.buffer}[{index}]@{level}"
        handle = self.graph.symbol(name, Kind.INTERMEDIATE, mask=self.mask(array))
        self._loads[handle], self._level[handle] = Address(array.buffer, index), level
        return handle

    def write(self, array: Rows, row: int, column: int, value: Value) -> None:
        """Put a value at (row, column) after the regions so far and before the next."""
        to = Address(array.buffer, array.index(row, column))
        self._stores.append((len(self._regions), Store(_handle(self.graph, value), to)))

    # Regions

    def solve(
        self,
        name: str,
        matrix: Mapping[Entry, Value],
        right: Sequence[Value] | Sequence[Sequence[Value]],
        multipliers: Sequence[int] = (),
    ) -> Any:
        """The nodes of x in A x = b. ``matrix`` maps (row, column) of the lower triangle to nodes; ``right`` is b, a
        list of n nodes or n lists of as many nodes as there are right-hand sides. A is positive definite but for the
        rows of ``multipliers``, which have no diagonal entry; multipliers of dependent rows are 0 (see ``ldl``)."""
        shape, flat = _flatten(self.graph, right)
        if len(shape) not in (1, 2) or not flat:
            raise ProgramError(f"solve '{name}' needs a right side: a list of nodes, or of lists of nodes, one per row")
        n, m = shape[0], len(flat) // shape[0]
        handles = {k: _handle(self.graph, v) for k, v in matrix.items()}
        entries = tuple(sorted(k for k, v in handles.items() if v != self.graph.zero))
        a, b = self.array(f"{name}.A", len(entries)), self.array(f"{name}.b", n, m)
        for k, entry in enumerate(entries):
            self.write(a, k, 0, handles[entry])
        for k, value in enumerate(flat):
            self.write(b, k // m, k % m, value)
        x = self.solve_rows(name, entries, a, b, multipliers)
        solution = [[self.read(x, i, j) for j in range(m)] for i in range(n)]
        return solution if len(shape) == 2 else [row[0] for row in solution]

    def solve_rows(
        self, name: str, entries: Sequence[Entry], matrix: Rows, right: Rows, multipliers: Sequence[int] = ()
    ) -> Rows:
        """``solve`` of arrays that regions before it fill: ``matrix`` has a number for each of the ``entries``,
        ``right`` a row for each unknown. Returns the rows of x."""
        x = self.array(f"{name}.x", right.rows, right.width)
        buffers = matrix.buffer, right.buffer, x.buffer
        self._regions.append(Solve(name, right.rows, tuple(entries), right.width, *buffers, tuple(multipliers)))
        return x

    def scan(self, name: str, indices: Mapping[str, Sequence[int]]) -> Scanning:
        """A scan to be described; pass it to ``add`` when its kernels are traced."""
        return Scanning(self, name, indices)

    def add(self, scan: Scanning, kinds: Sequence[int] | None = None) -> None:
        """Append the scan as the next region, without kinds that no step has. One of no steps, or whose steps store
        nothing, only separates what is before it from what is after."""
        kinds = [0] * scan.steps if kinds is None else kinds
        if len(kinds) != scan.steps or any(not 0 <= k < len(scan.kernels) for k in kinds):
            raise ProgramError(
                f"scan '{scan.name}' has {scan.steps} steps and {len(scan.kernels)} kernels, which the kinds"
                f" {list(kinds)} do not fit: give each step the number of its kernel, from 0 on"
            )
        used = sorted(set(kinds))
        kernels = [scan.kernels[k] for k in used]
        codes = tuple(lower(kernel.graph, kernel.stores, kernel.loads, scan.name) for kernel in kernels)
        region = Scan(scan.name, codes, tuple(used.index(k) for k in kinds), tuple(scan.rows))
        self._regions.append(region if any(code.stores for code in codes) else None)

    def output(self, name: str, values: Any, shape: tuple[int, ...] | None = None) -> None:
        """A named result: one node, or nested lists of nodes of any depth; ``shape`` is needed for empty lists."""
        nested, flat = _flatten(self.graph, values)
        shape = nested if shape is None else shape
        if prod(shape) != len(flat):
            raise ProgramError(f"output '{name}' has {len(flat)} nodes, which is not {shape}")
        self._outputs.append(Output(_free(name), shape))
        self._stores += [(None, Store(h, Address(name, k))) for k, h in enumerate(flat)]

    def user_output(self, key: str, values: Any) -> None:
        """A result whose name a user has chosen, which may be that of another buffer."""
        taken, name = {x.name for some in (self.groups, self._work, self._outputs) for x in some}, key
        while name in taken or is_reserved(name):
            name = f"output.{name}"
        self.output(name, values)
        if name != key:
            self._outputs[-1] = replace(self._outputs[-1], alias=key)

    # The program

    def program(self) -> Program:
        """The finished program, checked: one block before each region and one after the last."""
        g, level = self.graph, dict(self._level)  # for each node the block it is computed in
        for i in live(g, [s.value for _, s in self._stores]) if self._regions else ():
            if i not in level:
                level[i] = max([level[k] for k in operands(g, i)], default=0)
        # Outputs as early as possible; what a later block needs of an earlier one is carried in a buffer.
        stores = [(level.get(s.value, 0) if k is None else k, s) for k, s in self._stores]
        needed = {k for i in level for k in operands(g, i) if level[k] < level[i]}
        needed |= {s.value for k, s in stores if level.get(s.value, 0) < k}
        needed -= {h for h, a in self._loads.items() if a.buffer in self.masks}  # inputs are everywhere, as numbers are
        carried = sorted(h for h in needed if (h in self._loads if g.op[h] == SYMBOL else g.number(h) is None))
        carry = {h: Address("carry", k) for k, h in enumerate(carried)}
        within: list[list[Store]] = [[] for _ in range(len(self._regions) + 1)]
        for k, store in (*stores, *((level[h], Store(h, to)) for h, to in carry.items())):
            within[k].append(store)
        regions: list[Region] = []
        for k, (stored, region) in enumerate(zip(within, [*self._regions, None], strict=True)):
            earlier = {h: a for h, a in carry.items() if level[h] < k}
            block = lower(g, stored, {**self._loads, **earlier}, self.name)
            regions += [Block(block)] if block.stores else []
            regions += [region] if region is not None else []
        work = (*self._work, Work("carry", len(carry))) if carry else tuple(self._work)
        return check(Program(self.name, self.groups, tuple(self._outputs), work, tuple(regions)))


def program(name: str, graph: Graph, groups: Mapping[str, Sequence[Value]], outputs: Mapping[str, Any]) -> Program:
    """A program of one block: the outputs (nodes, or nested lists or arrays of them) as functions of the groups'
    symbols. A node is a handle or an expression."""
    assembly = Assembly(name, graph, groups)
    for key, values in outputs.items():
        assembly.output(key, values)
    return assembly.program()


def is_reserved(name: str) -> bool:
    """Whether a name is that of a buffer which later steps add."""
    return name in RESERVED or name.startswith("region")


def _free(name: str) -> str:
    """The name of a buffer; raises a ProgramError for a reserved one."""
    if is_reserved(name):
        raise ProgramError(f"'{name}' is a reserved name: give the group, output or array another one")
    return name


def _handle(g: Graph, node: object) -> Node:
    """The handle of a node given as a handle or as an expression of this graph."""
    if isinstance(node, Expr):
        if node.graph is not g:
            raise GraphError(f"{node} belongs to another graph than the program's")
        return node.handle
    if isinstance(node, bool) or not isinstance(node, Integral):
        number, text = isinstance(node, Real), isinstance(node, str)
        hint = f"use graph.const({node!r})" if number else f"use parse(graph, {node!r})" if text else "give its handle"
        raise ProgramError(f"{node!r} ({type(node).__name__}) is not a node: {hint}")
    handle = Node(int(node))
    if not 0 <= handle < len(g):
        raise ProgramError(f"there is no node {handle} among the graph's {len(g)}: use graph.const for a number")
    return handle


def _flatten(g: Graph, values: Any) -> tuple[tuple[int, ...], list[Node]]:
    """The shape and the flat list of nested lists of nodes."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if not isinstance(values, Sequence) or isinstance(values, str):
        return (), [_handle(g, values)]
    parts = [_flatten(g, v) for v in values]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1:
        raise ProgramError(f"nested lists of nodes have different shapes: {sorted(shapes)}")
    inner = shapes.pop() if shapes else ()
    return (len(parts), *inner), [h for _, flat in parts for h in flat]
