"""Constraints that contradict each other: the smallest sets of which all but one can be satisfied together."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST = 12
"""Constraints among which the set is searched; each is left out once."""

SETS = 6
"""Sets that are searched."""

SHOWN = 3
"""Sets that an error lists."""


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


def smallest_contradictions(names: Sequence[str], satisfied: Callable[[Collection[str]], bool]) -> list[list[str]]:
    """All such sets, at most SETS: what remains without one name of each set that is known holds another one, or can
    be satisfied (Reiter 1987)."""
    found, left, seen = list[list[str]](), [list(names)], set[frozenset[str]]()
    while left and len(found) < SETS:
        rest = left.pop(0)
        if frozenset(rest) in seen:
            continue
        seen.add(frozenset(rest))
        one = next((known for known in found if set(known) <= set(rest)), None)
        if one is None:
            if len(rest) < len(names) and (not rest or satisfied(rest)):
                continue
            one = smallest_contradiction(rest, satisfied)
            if not one:
                break
            found.append(one)
        left += [[name for name in rest if name != without] for without in one]
    return found


def all_names(sets: Sequence[Sequence[str]], names: Sequence[str]) -> list[str]:
    """The names of all sets, in their order among ``names``."""
    return [name for name in dict.fromkeys(names) if any(name in one for one in sets)]


def contradiction_text(
    sets: Sequence[Sequence[str]], names: Sequence[str], satisfied: Callable[[Collection[str]], bool]
) -> str:
    """A sentence that names the constraints of sets of several, and those without which the others can be satisfied;
    empty if there are none."""
    several = [one for one in sets if len(one) > 1]
    if not several:
        return ""
    every = all_names(several, names)
    in_all = [name for name in every if all(name in one for one in sets)]
    if len(sets) > 1:
        in_all = [name for name in in_all if satisfied([one for one in names if one != name])]
    if len(in_all) == len(every):
        several_left = "without any one of them the others can be satisfied"
        without = "either can be satisfied alone" if len(every) == 2 else several_left
    elif in_all:
        without = f"without {listed(in_all, 'or')} the others can be satisfied"
    else:
        shown = "; ".join([*map(listed, several[:SHOWN]), *(["…"] if len(several) > SHOWN else [])])
        without = f"those of each of these sets do: {shown}"
    return f"constraints {listed(every)} contradict each other: {without}; no state was found where all hold"


def listed(names: Sequence[str], last: str = "and") -> str:
    """'a', 'b' and 'c'."""
    quoted = [f"'{name}'" for name in names]
    return f" {last} ".join([", ".join(quoted[:-1]), quoted[-1]][-len(quoted) :])
