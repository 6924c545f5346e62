"""Is a program legal? Every address inside its buffer, everything written before it is read, every output written."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ProgramError
from freebody.scalar.code import Address, Code
from freebody.scalar.program import Program, Region, Scan, Solve
from freebody.scalar.walk import operands

Flags = dict[str, NDArray[np.bool_]]


def check(program: Program) -> Program:
    """The program itself, if it is legal; a ProgramError that says what is not, otherwise."""
    _names(program)
    _indices(program)
    written = {b: np.zeros(n, bool) for b, n in program.sizes.items()}
    for group in program.groups:
        written[group.name][:] = True
    for work in program.work:
        written[work.name][:] = work.zeroed
    for region in program.regions:
        _region(program, region, written)
    for output in program.outputs:
        missing = np.flatnonzero(~written[output.name])
        if len(missing):
            raise ProgramError(f"{program.name}: output '{output.name}' element {missing[0]} is never written")
    return program


def _names(program: Program) -> None:
    names = [b.name for b in program.buffers]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise ProgramError(f"{program.name}: the name {sorted(twice)[0]!r} is used for more than one buffer")


def _indices(program: Program) -> None:
    """Operands come before their users, and each code is complete in itself."""
    for code in program.blocks:
        for i in range(len(code)):
            if any(not 0 <= k < i for k in operands(code, i)):
                raise ProgramError(f"{program.name}: node {i} uses a node that does not come before it")
        if any(not 0 <= s.value < len(code) for s in code.stores):
            raise ProgramError(f"{program.name}: a store names a node that does not exist")


def _region(program: Program, region: Region, written: Flags) -> None:
    if isinstance(region, Solve):
        _solve(program, region, written)
    elif isinstance(region, Scan):
        _scan(program, region, written)
    else:
        for address in region.code.loads:
            _read(program, written, address, [address.offset])
        for store in region.code.stores:
            _write(program, written, store.to, [store.to.offset], store.add)


def _solve(program: Program, solve: Solve, written: Flags) -> None:
    n = solve.size
    if any(not 0 <= j <= i < n for i, j in solve.entries) or len(set(solve.entries)) < len(solve.entries):
        raise ProgramError(f"{program.name}: solve '{solve.name}' needs distinct entries (row ≥ column) below {n}")
    empty = set(range(n)) - {i for i, j in solve.entries if i == j}
    if empty:
        raise ProgramError(f"{program.name}: solve '{solve.name}' has a zero on its diagonal, row {min(empty)}")
    for buffer, size in ((solve.matrix, len(solve.entries)), (solve.right, n * solve.right_sides)):
        for k in range(size):
            _read(program, written, Address(buffer, k), [k])
    written[solve.result][: n * solve.right_sides] = True


def _scan(program: Program, scan: Scan, written: Flags) -> None:
    """Reads and writes of all steps; what a step reads may be written by earlier steps of the same scan."""
    if any(not 0 <= k < len(scan.codes) for k in scan.kinds) or any(len(r) != scan.steps for r in scan.rows):
        raise ProgramError(f"{program.name}: scan '{scan.name}': a kind or an index list does not fit its steps")
    for step, kind in enumerate(scan.kinds):
        code: Code = scan.codes[kind]
        for address in code.loads:
            _read(program, written, address, _places(scan, address, step))
        for store in code.stores:
            _write(program, written, store.to, _places(scan, store.to, step), store.add)


def _places(scan: Scan, address: Address, step: int) -> list[int]:
    return [address.offset + (scan.rows[address.row][step] if address.row >= 0 else 0)]


def _read(program: Program, written: Flags, address: Address, places: Iterable[int]) -> None:
    for k in places:
        flags = _flags(program, written, address, k)
        if not flags[k]:
            raise ProgramError(f"{program.name}: {address.buffer}[{k}] is read before it is written")


def _write(program: Program, written: Flags, address: Address, places: Iterable[int], add: bool) -> None:
    if any(g.name == address.buffer for g in program.groups):
        raise ProgramError(f"{program.name}: input group '{address.buffer}' cannot be written")
    if add and not any(w.zeroed for w in program.work if w.name == address.buffer):
        raise ProgramError(f"{program.name}: '{address.buffer}' is added to, but it is not a zeroed work buffer")
    for k in places:
        _flags(program, written, address, k)[k] = True


def _flags(program: Program, written: Flags, address: Address, k: int) -> NDArray[np.bool_]:
    flags = written.get(address.buffer)
    if flags is None or not 0 <= k < len(flags):
        raise ProgramError(f"{program.name}: {address.buffer}[{k}] does not exist")
    return flags
