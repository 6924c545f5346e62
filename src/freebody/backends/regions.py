"""What several backends ask about the regions of a program."""

from collections.abc import Sequence
from itertools import pairwise

from freebody.program.program import Region, buffers_of

ON_STACK = 2**16
"""Work memory of up to this many bytes lives on the stack, which a thread may have little of; more is taken from the
heap."""


def touched(region: Region) -> list[str]:
    """The buffers a region reads or writes, each once."""
    reads, writes = buffers_of(region)
    return list(dict.fromkeys([*reads, *writes]))


def stride(rows: Sequence[int]) -> int | None:
    """The step between rows that are evenly spaced, None for others."""
    steps = {b - a for a, b in pairwise(rows)}
    return (steps.pop() if steps else 0) if len(steps) <= 1 else None
