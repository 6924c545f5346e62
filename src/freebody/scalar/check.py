"""Is a program legal? Every address inside its buffer, everything written before it is read, every output written."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from freebody.errors import ProgramError
from freebody.scalar.code import Address, Code
from freebody.scalar.program import Program, Region, Scan, Solve
from freebody.scalar.walk import operands


def check(program: Program) -> Program:
    """The program itself, if it is legal; a ProgramError that says what is not, otherwise."""
    _names(program)
    _indices(program)
    run = _Run(program)
    for region in program.regions:
        run.region(region)
    for output in program.outputs:
        missing = np.flatnonzero(~run.written[output.name])
        if len(missing):
            raise ProgramError(f"{program.name}: output '{output.name}' element {missing[0]} is never written")
    return program


def _names(program: Program) -> None:
    twice = sorted(n for n, times in Counter(b.name for b in program.buffers).items() if times > 1)
    if twice:
        raise ProgramError(f"{program.name}: the name {twice[0]!r} is used for more than one buffer")


def _indices(program: Program) -> None:
    """Operands come before their users, and each code is complete in itself."""
    for code in program.blocks:
        for i in range(len(code)):
            if any(not 0 <= k < i for k in operands(code, i)):
                raise ProgramError(f"{program.name}: node {i} uses a node that does not come before it")
        if any(not 0 <= s.value < len(code) for s in code.stores):
            raise ProgramError(f"{program.name}: a store names a node that does not exist")


class _Run:
    """A program run without numbers: which of them are written after the regions so far."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.groups = {g.name for g in program.groups}
        self.work = {w.name for w in program.work}
        self.zeroed = {w.name for w in program.work if w.zeroed}
        full = self.groups | self.zeroed
        self.written = {name: np.full(size, name in full) for name, size in program.sizes.items()}

    def error(self, text: str) -> ProgramError:
        return ProgramError(f"{self.program.name}: {text}")

    def region(self, region: Region) -> None:
        if isinstance(region, Solve):
            self._solve(region)
        elif isinstance(region, Scan):
            self._scan(region)
        else:
            self._step(region.code, "one block", ())

    def _solve(self, solve: Solve) -> None:
        n, who = solve.size, f"solve '{solve.name}'"
        if any(not 0 <= j <= i < n for i, j in solve.entries) or len(set(solve.entries)) < len(solve.entries):
            raise self.error(f"{who} needs distinct entries (row ≥ column) below {n}")
        empty = set(range(n)) - {i for i, j in solve.entries if i == j}
        if empty:
            raise self.error(f"{who} has a zero on its diagonal, row {min(empty)}")
        if n < 1 or solve.right_sides < 1 or len({solve.matrix, solve.right, solve.result}) < 3:
            raise self.error(f"{who} needs at least one row, one right side, and three different buffers")
        for buffer, size in ((solve.matrix, len(solve.entries)), (solve.right, n * solve.right_sides)):
            if buffer in self.written and buffer not in self.work:
                raise self.error(f"{who} reads '{buffer}', which is no work buffer: copy it to one with write")
            for k in range(size):
                self._read(buffer, k)
        for k in range(n * solve.right_sides):
            self._write(solve.result, k, False)

    def _scan(self, scan: Scan) -> None:
        """Reads and writes of all steps; what a step reads may be written by earlier steps of the same scan."""
        if set(scan.kinds) != set(range(len(scan.codes))) or any(len(r) != scan.steps for r in scan.rows):
            raise self.error(f"scan '{scan.name}': a kind or an index list does not fit its steps")
        if not scan.steps:
            raise self.error(f"scan '{scan.name}' has no steps: leave it out")
        for step, kind in enumerate(scan.kinds):
            rows = [row[step] for row in scan.rows]
            self._step(scan.codes[kind], f"step {step} of scan '{scan.name}'", rows)

    def _step(self, code: Code, where: str, rows: Sequence[int]) -> None:
        """One run of straight-line code, its indices pointing to ``rows``: all loads, then all stores."""
        for address in code.loads:
            self._read(address.buffer, self._place(address, where, rows))
        added: dict[tuple[str, int], bool] = {}
        for store in code.stores:
            buffer, k = store.to.buffer, self._place(store.to, where, rows)
            self._write(buffer, k, store.add)
            if (buffer, k) in added and not (added[buffer, k] and store.add):
                raise self.error(f"{buffer}[{k}] is stored to twice in {where}: store to it once, or only add to it")
            added[buffer, k] = store.add

    def _place(self, address: Address, where: str, rows: Sequence[int]) -> int:
        if address.row >= len(rows):
            raise self.error(f"{address.buffer} is addressed by index {address.row} in {where}; it has {len(rows)}")
        return address.offset + (rows[address.row] if address.row >= 0 else 0)

    def _read(self, buffer: str, k: int) -> None:
        self._exists(buffer, k)
        if not self.written[buffer][k]:
            raise self.error(f"{buffer}[{k}] is read before it is written")

    def _write(self, buffer: str, k: int, add: bool) -> None:
        if buffer in self.groups:
            raise self.error(f"input group '{buffer}' cannot be written")
        if add and buffer not in self.zeroed:
            raise self.error(f"'{buffer}' is added to, but it is not a zeroed work buffer")
        self._exists(buffer, k)
        self.written[buffer][k] = True

    def _exists(self, buffer: str, k: int) -> None:
        if buffer not in self.written or not 0 <= k < len(self.written[buffer]):
            raise self.error(f"{buffer}[{k}] does not exist")
