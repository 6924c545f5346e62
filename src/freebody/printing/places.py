"""What the numbers in a program's buffers are called, and which of them a code reads before it overwrites them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import gcd

import numpy as np

from freebody.program.code import Address
from freebody.program.program import Block, Program, Scan, Solve


class Places:
    """Names of addresses: an input's element, an output's or a work buffer's index, a scan's row as a function of i."""

    def __init__(self, program: Program) -> None:
        self.elements = _elements(program)
        self.shapes: dict[str, tuple[int, ...]] = {o.name: o.shape for o in program.outputs}
        self.entries: dict[str, tuple[tuple[int, int], ...]] = {}
        for solve in (r for r in program.regions if isinstance(r, Solve)):
            self.entries[solve.matrix] = solve.entries
            for buffer in (solve.right, solve.result):
                self.shapes.setdefault(buffer, (solve.size, solve.right_sides)[: 2 if solve.right_sides > 1 else 1])

    def name(self, address: Address, scan: Scan | None = None) -> str:
        """What an address is called."""
        if scan is None or address.row < 0:
            return self._fixed(address.buffer, address.offset)
        rule = _rule(scan.rows[address.row])
        if rule.stride == 0:
            return self._fixed(address.buffer, rule.start + address.offset)
        counter = next((n for n, values in self.lists(scan).items() if values == rule.values), "i")
        return f"{address.buffer}[{_line(rule.stride, counter, rule.start + address.offset)}]"

    def lists(self, scan: Scan) -> Mapping[str, tuple[int, ...]]:
        """What indices follow that is no straight line in i, by name: j, j2, …"""
        values = dict.fromkeys(_rule(row).values for row in scan.rows)
        irregular = [v for v in values if v]
        return {f"j{k + 1 if k else ''}": v for k, v in enumerate(irregular)}

    def _fixed(self, buffer: str, offset: int) -> str:
        if buffer in self.elements:
            return self.elements[buffer][offset]
        if buffer in self.entries:
            index: tuple[int, ...] = self.entries[buffer][offset]
        else:
            shape = self.shapes.get(buffer, (-1,))
            index = (offset,) if len(shape) == 1 else tuple(int(k) for k in np.unravel_index(offset, shape) if shape)
        return f"{buffer}[{','.join(map(str, index))}]" if index else buffer


def _elements(program: Program) -> dict[str, tuple[str, ...]]:
    """The names of inputs by group, with the group's name where two groups use the same."""
    times = Counter(name for group in program.groups for name in group.elements)
    return {g.name: tuple(n if times[n] == 1 else f"{g.name}.{n}" for n in g.elements) for g in program.groups}


@dataclass(frozen=True)
class _Rule:
    """An index list as start + stride·i, or start + stride·values where it is not straight."""

    start: int
    stride: int
    values: tuple[int, ...] = ()


@lru_cache(maxsize=1024)
def _rule(row: tuple[int, ...]) -> _Rule:
    steps = {b - a for a, b in pairwise(row)} or {0}
    if len(steps) == 1:
        return _Rule(row[0], steps.pop())
    stride = gcd(*steps)
    start = row[0] % stride
    return _Rule(start, stride, tuple((r - start) // stride for r in row))


def _line(stride: int, counter: str, start: int) -> str:
    """stride·counter + start."""
    times = counter if abs(stride) == 1 else f"{abs(stride)}*{counter}"
    if stride < 0:
        return f"{start} - {times}"
    return times if start == 0 else f"{times} + {start}" if start > 0 else f"{times} - {-start}"


def overwritten(region: Block | Scan, kind: int) -> list[Address]:
    """The addresses that a code loads and then stores to, in some step of this kind."""
    code = region.codes[kind]
    if isinstance(region, Block):
        stores = {s.to for s in code.stores}
        return [a for a in code.loads if a in stores]
    reached = {(s.to.buffer, k) for s in code.stores for k in _steps(region, kind, s.to)}
    return [a for a in code.loads if any((a.buffer, k) in reached for k in _steps(region, kind, a))]


def _steps(scan: Scan, kind: int, address: Address) -> Iterator[tuple[int, int]]:
    """Where an address points to at each step of this kind."""
    for step, k in enumerate(scan.kinds):
        if k == kind:
            yield step, address.offset + (scan.rows[address.row][step] if address.row >= 0 else 0)
