"""Parameters of tests of which some are tested in every run, and the others by ``make test-long``."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.mechanisms.random_trees import Tree, tree


def sampled(values: Iterable[Any], every: int = 3) -> list[Any]:
    """All values; those that are not at a multiple of ``every`` are marked as long."""
    return [value if k % every == 0 else pytest.param(value, marks=pytest.mark.long) for k, value in enumerate(values)]


def covering(seeds: Iterable[int], make: Callable[..., Tree] = tree, **options: Any) -> list[Any]:
    """All seeds of random trees; a few of them have every kind of joint that any has, and the others are marked as
    long."""
    kinds, known, chosen = {seed: make(seed, **options).kinds() for seed in seeds}, set[str](), set[int]()
    while missing := set().union(*kinds.values()) - known:
        seed = max(kinds, key=lambda k: len(kinds[k] & missing))
        chosen.add(seed)
        known |= kinds[seed]
    return [seed if seed in chosen else pytest.param(seed, marks=pytest.mark.long) for seed in kinds]


def sampled_pairs(first: Iterable[Any], second: Iterable[Any], every: int = 3) -> list[Any]:
    """All pairs; those that are not on one of ``every`` so many diagonals are marked as long. Each value is in a pair
    that is not."""
    firsts, seconds = list(first), list(second)
    assert min(len(firsts), len(seconds)) >= every
    return [
        pytest.param(a, b, marks=[pytest.mark.long] if (i + j) % every else [])
        for i, a in enumerate(firsts)
        for j, b in enumerate(seconds)
    ]
