"""Random coordinates of trees of every joint."""

import numpy as np
import pytest

from freebody.tree.random_states import random_coordinates
from freebody.tree.tree import quaternions, span
from tests.mechanisms.build_system import system
from tests.mechanisms.random_trees import tree


@pytest.mark.parametrize("seed", range(6))
def test_quaternions_of_random_coordinates_have_unit_length(seed: int) -> None:
    """At every distance from the zeros of the joints."""
    spanned, random = span(system(tree(seed)).freeze()), np.random.default_rng(seed)
    for reach in (1.5, 150.0):
        q = random_coordinates(spanned, random, reach)
        assert len(q) == len(spanned.layout.q)
        assert q.std() > 0
        for k in quaternions(spanned):
            assert np.linalg.norm(q[k : k + 4]) == pytest.approx(1.0)
