"""Constraints that contradict each other: a smallest set of which all but one can be satisfied together."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST = 12
"""Constraints among which the set is searched; each is left out once."""


def connected(G: Array, names: Sequence[str], name: str) -> list[str]:
    """The constraints of rows of G that restrict common speeds with this one, directly or through others, in order."""
    touched, found = np.zeros(G.shape[1], bool), {name}
    while True:
        for k, one in enumerate(names):
            if one in found:
                touched |= G[k] != 0
        more = {one for k, one in enumerate(names) if one not in found and np.any(touched & (G[k] != 0))}
        if not more:
            return [one for one in dict.fromkeys(names) if one in found]
        found |= more


def smallest_contradiction(names: Sequence[str], satisfied: Callable[[Collection[str]], bool]) -> list[str]:
    """Names that cannot be satisfied together, while they can without any one of them. ``satisfied`` tells whether a
    set can, and is false for all names."""
    kept = list(names)
    for name in names if len(names) <= MOST else ():
        rest = [one for one in kept if one != name]
        if not rest or satisfied(rest):
            continue
        kept = rest
    return kept if len(names) <= MOST else []


def contradiction_text(names: Sequence[str]) -> str:
    """A sentence that names several constraints; empty for one."""
    if len(names) < 2:
        return ""
    quoted = [f"'{name}'" for name in names]
    listed = f"{', '.join(quoted[:-1])} and {quoted[-1]}"
    without = "without any one of them the others can be satisfied"
    without = "either can be satisfied alone" if len(names) == 2 else without
    return f"constraints {listed} contradict each other: {without}, and no state was found where all hold"
