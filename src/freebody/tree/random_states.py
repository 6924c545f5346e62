"""Random states of a tree, for tests of what holds at all states: identities, dependent parameters, symmetries.

Searches near a given state have draws of their own, which belong to the search: assembled states
(``assembled_samples.py``), rows of constraints (``sampled_rows.py``), pivots of joints (``SampleStates`` of
``formulations/solvers/absolute.py``), and starts of Newton's method."""

import numpy as np
from numpy.typing import NDArray

from freebody.tree.tree import Tree

Array = NDArray[np.float64]


def random_coordinates(tree: Tree, random: np.random.Generator, reach: float = 1.5) -> Array:
    """Coordinates that are reached from the zeros of all joints by random displacements, each component up to
    ``reach``; quaternions have unit length."""
    q = list[float]()
    for link in tree.links:
        joint = link.body.spec.joint
        sample = joint.sample(random.uniform(-reach, reach, len(joint.speeds)))
        q += [float(x) for x, is_state in zip(sample, link.body.is_state, strict=True) if is_state]
    return np.array(q)


def random_quaternion(random: np.random.Generator) -> Array:
    """An orientation, all equally likely."""
    q = random.normal(size=4)
    return np.asarray(q / np.linalg.norm(q))
