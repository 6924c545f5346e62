"""Checks of programs: addresses are in their buffers, values are written before they are read, outputs are written."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ProgramError
from freebody.program.code import Address, Code
from freebody.program.program import Program, Scan, Solve
from freebody.scalar.node import all_nodes
from freebody.scalar.walk import operands


def check(program: Program) -> Program:
    """The program itself, if it is legal; raises a ProgramError otherwise."""
    checker = _Checker(program)
    twice = sorted(n for n, times in Counter(b.name for b in program.buffers).items() if times > 1)
    if twice:
        raise checker.error(f"the name {twice[0]!r} is used for more than one buffer")
    for w in program.tables:
        if len(w.values) != w.size or w.zeroed:
            raise checker.error(f"table '{w.name}' needs a number for each of its {w.size} entries")
    for code in program.blocks:
        for i in all_nodes(code):
            if any(not 0 <= k < i for k in operands(code, i)):
                raise checker.error(f"node {i} uses a node that does not come before it")
        if any(not 0 <= s.value < len(code) for s in code.stores):
            raise checker.error("a store names a node that does not exist")
    for region in program.regions:
        if isinstance(region, Solve):
            checker.solve(region)
        elif isinstance(region, Scan):
            checker.scan(region)
        else:
            checker.block(region.code)
    for output in program.outputs:
        missing = np.flatnonzero(~checker.written[output.name])
        if len(missing):
            raise checker.error(f"output '{output.name}' element {missing[0]} is never written")
    return program


class _Checker:
    """Which numbers of the buffers are written after the regions so far."""

    def __init__(self, program: Program) -> None:
        self.name = program.name
        self.groups = {g.name for g in program.groups}
        self.tables = {w.name for w in program.tables}
        self.work = {w.name for w in program.work} - self.tables
        self.zeroed = {w.name for w in program.work if w.zeroed}
        full = self.groups | self.zeroed | self.tables
        self.written = {name: np.full(size, name in full) for name, size in program.sizes.items()}

    def error(self, text: str) -> ProgramError:
        return ProgramError(f"{self.name}: {text}")

    def require_element(self, buffer: str, k: int, read: bool = False) -> None:
        """The buffer has an element k; it is written already where it is read."""
        if buffer not in self.written or not 0 <= k < len(self.written[buffer]):
            raise self.error(f"{buffer}[{k}] does not exist")
        if read and not self.written[buffer][k]:
            raise self.error(f"{buffer}[{k}] is read before it is written")

    def require_writable(self, buffer: str, add: bool) -> None:
        if buffer in self.groups | self.tables:
            what = "input group" if buffer in self.groups else "table"
            raise self.error(f"{what} '{buffer}' cannot be written")
        if add and buffer not in self.zeroed:
            raise self.error(f"'{buffer}' is added to, but it is not a zeroed work buffer")

    def write(self, buffer: str, k: int, add: bool = False) -> None:
        self.require_writable(buffer, add)
        self.require_element(buffer, k)
        self.written[buffer][k] = True

    def solve(self, solve: Solve) -> None:
        n, context = solve.size, f"solve '{solve.name}'"
        if any(not 0 <= j <= i < n for i, j in solve.entries) or len(set(solve.entries)) < len(solve.entries):
            raise self.error(f"{context} needs distinct entries (row ≥ column) below {n}")
        self.multipliers(solve)
        empty = set(range(n)) - {i for i, j in solve.entries if i == j} - set(solve.multipliers)
        if empty:
            raise self.error(f"{context} has a zero on its diagonal, row {min(empty)}")
        if n < 1 or solve.right_sides < 1 or len({solve.matrix, solve.right, solve.result}) < 3:
            raise self.error(f"{context} needs at least one row, one right side, and three different buffers")
        for buffer, size in ((solve.matrix, len(solve.entries)), (solve.right, n * solve.right_sides)):
            if buffer in self.written and buffer not in self.work:
                raise self.error(f"{context} reads '{buffer}', which is not a work buffer: copy it to one with write")
            for k in range(size):
                self.require_element(buffer, k, read=True)
        for k in range(n * solve.right_sides):
            self.write(solve.result, k)

    def multipliers(self, solve: Solve) -> None:
        """Rows of multipliers have entries with speeds only, and at least one; those of a matrix of multipliers alone
        are what the elimination of speeds has left."""
        context, rows = f"solve '{solve.name}'", set(solve.multipliers)
        if len(rows) < len(solve.multipliers) or not rows <= set(range(solve.size)):
            raise self.error(f"{context} needs distinct multipliers below {solve.size}, not {solve.multipliers}")
        for i, j in solve.entries if len(rows) < solve.size else ():
            if i == j and i in rows:
                raise self.error(
                    f"{context}: the row of multiplier {i} has a diagonal entry: remove it, or the multiplier"
                )
            if i in rows and j in rows:
                raise self.error(f"{context}: multipliers {i} and {j} share an entry; their rows hold speeds only")
        unused = rows - {k for entry in solve.entries for k in entry}
        if unused:
            raise self.error(
                f"{context}: the row of multiplier {min(unused)} is empty, nothing determines it: remove it"
            )

    def scan(self, scan: Scan) -> None:
        """Reads and writes of all steps; what a step reads may be written by earlier steps of the same scan."""
        if set(scan.kinds) != set(range(len(scan.codes))) or any(len(r) != scan.steps for r in scan.rows):
            raise self.error(f"scan '{scan.name}': a kind or an index list does not fit its steps")
        if not scan.steps:
            raise self.error(f"scan '{scan.name}' has no steps: leave it out")
        first = {name: np.full(len(known), scan.steps) for name, known in self.written.items()}  # step that writes it
        for kind, code in enumerate(scan.codes):
            stored: dict[str, list[tuple[NDArray[np.int64], bool]]] = {}
            for store in code.stores:
                at = self._indices(scan, kind, store.to)
                self.require_writable(store.to.buffer, store.add)
                np.minimum.at(first[store.to.buffer], at, scan.steps_of[kind])
                stored.setdefault(store.to.buffer, []).append((at, store.add))
            for buffer, several in stored.items():
                self._require_distinct(scan, kind, buffer, several)
        for kind, code in enumerate(scan.codes):
            for a in code.loads:
                at = self._indices(scan, kind, a)
                early = ~self.written[a.buffer][at] & (first[a.buffer][at] >= scan.steps_of[kind])
                if early.any():
                    raise self.error(f"{a.buffer}[{at[early][0]}] is read before it is written")
        for buffer, steps in first.items():
            self.written[buffer] |= steps < scan.steps

    def _indices(self, scan: Scan, kind: int, a: Address) -> NDArray[np.int64]:
        """The indices that an address points to at each step of a kind, all of them inside the buffer."""
        if a.row >= len(scan.rows):
            step = f"step {scan.steps_of[kind][0]} of scan '{scan.name}'"
            raise self.error(f"{a.buffer} is addressed by index {a.row} in {step}; it has {len(scan.rows)}")
        indices = scan.indices(kind, a)
        self.require_element(a.buffer, int(indices.min()))
        self.require_element(a.buffer, int(indices.max()))
        return indices

    def _require_distinct(
        self, scan: Scan, kind: int, buffer: str, stored: list[tuple[NDArray[np.int64], bool]]
    ) -> None:
        """No number is stored to twice in one step, unless it is only added to."""
        indices = np.array([at for at, _ in stored])
        order = np.argsort(indices, axis=0, kind="stable")
        ordered, adds = np.take_along_axis(indices, order, 0), np.array([add for _, add in stored])[order]
        twice = (ordered[1:] == ordered[:-1]) & ~(adds[1:] & adds[:-1])
        if twice.any():
            step = int(np.flatnonzero(twice.any(axis=0))[0])
            k = ordered[1:][twice[:, step], step][0]
            where = f"step {scan.steps_of[kind][step]} of scan '{scan.name}'"
            raise self.error(f"{buffer}[{k}] is stored to twice in {where}: store to it once, or only add to it")

    def block(self, code: Code) -> None:
        """Straight-line code: all loads, then all stores."""
        for address in (*code.loads, *(store.to for store in code.stores)):
            if address.row >= 0:
                raise self.error(f"{address.buffer} is addressed by index {address.row} in one block; it has 0")
        for address in code.loads:
            self.require_element(address.buffer, address.offset, read=True)
        added: dict[tuple[str, int], bool] = {}
        for store in code.stores:
            buffer, k = store.to.buffer, store.to.offset
            self.write(buffer, k, store.add)
            if (buffer, k) in added and not (added[buffer, k] and store.add):
                raise self.error(f"{buffer}[{k}] is stored to twice in one block: store to it once, or only add to it")
            added[buffer, k] = store.add
