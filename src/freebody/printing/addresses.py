"""Names of the numbers in a program's buffers, and which of them code reads before it overwrites them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import gcd

import numpy as np

from freebody.program.code import Address
from freebody.program.program import Block, Program, Scan, Solve


class AddressNames:
    """Names of addresses: an input by its element, an output or a work buffer by its index, a scan's row as a function
    of the step i. ``elements`` has the inputs by group, with the group's name before those that two groups share."""

    def __init__(self, program: Program) -> None:
        times = Counter(name for group in program.groups for name in group.elements)
        self.elements = {
            g.name: tuple(n if times[n] == 1 else f"{g.name}.{n}" for n in g.elements) for g in program.groups
        }
        self.shapes: dict[str, tuple[int, ...]] = {o.name: o.shape for o in program.outputs}
        self.entries: dict[str, tuple[tuple[int, int], ...]] = {}
        for solve in (r for r in program.regions if isinstance(r, Solve)):
            self.entries[solve.matrix] = solve.entries
            for buffer in (solve.right, solve.result):
                self.shapes.setdefault(buffer, (solve.size, solve.right_sides)[: 2 if solve.right_sides > 1 else 1])

    def name(self, address: Address, scan: Scan | None = None) -> str:
        """The name of an address."""
        if scan is None or address.row < 0:
            return self._fixed(address.buffer, address.offset)
        start, stride, values = _rule(scan.rows[address.row])
        start += address.offset
        if stride == 0:
            return self._fixed(address.buffer, start)
        counter = next((n for n, listed in self.lists(scan).items() if listed == values), "i")
        times = counter if abs(stride) == 1 else f"{abs(stride)}*{counter}"
        if stride < 0:
            return f"{address.buffer}[{start} - {times}]"
        sign = "+" if start > 0 else "-"
        return f"{address.buffer}[{times} {sign} {abs(start)}]" if start else f"{address.buffer}[{times}]"

    def lists(self, scan: Scan) -> Mapping[str, tuple[int, ...]]:
        """The index lists of a scan that are not evenly spaced, by name: j, j2, …"""
        values = dict.fromkeys(_rule(row)[2] for row in scan.rows)
        return {f"j{k + 1 if k else ''}": v for k, v in enumerate(filter(None, values))}

    def _fixed(self, buffer: str, offset: int) -> str:
        if buffer in self.elements:
            return self.elements[buffer][offset]
        if buffer in self.entries:
            index: tuple[int, ...] = self.entries[buffer][offset]
        else:
            shape = self.shapes.get(buffer, (-1,))
            index = (offset,) if len(shape) == 1 else tuple(int(k) for k in np.unravel_index(offset, shape) if shape)
        return f"{buffer}[{','.join(map(str, index))}]" if index else buffer


@lru_cache(maxsize=1024)
def _rule(row: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
    """An index list as start + stride·i, with no values, or as start + stride·values where it is not evenly spaced."""
    steps = {b - a for a, b in pairwise(row)} or {0}
    if len(steps) == 1:
        return row[0], steps.pop(), ()
    stride = gcd(*steps)
    start = row[0] % stride
    return start, stride, tuple((r - start) // stride for r in row)


def overwritten(region: Block | Scan, kind: int) -> list[Address]:
    """The addresses that a code loads and then stores to, in some step of this kind."""
    code = region.codes[kind]
    if isinstance(region, Block):
        stores = {s.to for s in code.stores}
        return [a for a in code.loads if a in stores]

    def indices(address: Address) -> Iterator[tuple[int, int]]:
        for step, k in enumerate(region.kinds):
            if k == kind:
                yield step, address.offset + (region.rows[address.row][step] if address.row >= 0 else 0)

    reached = {(s.to.buffer, k) for s in code.stores for k in indices(s.to)}
    return [a for a in code.loads if any((a.buffer, k) in reached for k in indices(a))]
