"""Properties of a program's regions that several backends need."""

from collections.abc import Sequence
from itertools import pairwise

from freebody.program.code import Code
from freebody.program.program import Region, buffers_of

ON_STACK = 2**16
"""Work memory of up to this many bytes lives on the stack, which may be small in a thread; more comes from the heap."""


def touched(region: Region) -> list[str]:
    """The buffers a region reads or writes, each once."""
    reads, writes = buffers_of(region)
    return list(dict.fromkeys([*reads, *writes]))


def rows_used(code: Code) -> set[int]:
    """The indices of a scan that a code uses."""
    return {a.row for a in (*code.loads, *(s.to for s in code.stores)) if a.row >= 0}


def stride(rows: Sequence[int]) -> int | None:
    """The step between rows that are evenly spaced, None for others."""
    steps = {b - a for a, b in pairwise(rows)}
    return (steps.pop() if steps else 0) if len(steps) <= 1 else None
