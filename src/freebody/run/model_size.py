"""A typical length of a model at a state."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from freebody.formulations.derivation import Derivation
from freebody.run.programs import body_poses
from freebody.scalar.node import Node
from freebody.scalar.walk import float_function
from freebody.tree.inertia import link_inertia

Array = NDArray[np.float64]


def values_of_symbols(e: Derivation, parameters: Array, x: Array, inputs: Array, t: float) -> dict[Node, float]:
    """The values of all symbols of the equations, by their nodes."""
    groups, rows = e.groups(), [*parameters.tolist(), *x.tolist(), *inputs.tolist(), t]
    names = ("parameters", "q", "u", "z", "inputs", "t")
    return dict(zip([h for name in names for h in groups[name]], rows, strict=True))


def model_size(e: Derivation, symbols: Mapping[Node, float]) -> float:
    """The diagonal of the box around the origins of all bodies, and twice the largest distance of a body's mass from
    its origin (root mean square); 1 where both are 0."""
    tree = e.tree
    inertias = [link_inertia(link) for *_, link in tree.bodies]
    poses = zip(body_poses(tree), inertias, strict=True)
    rows = [(*pose[9:], inertia.m, inertia.trace) for pose, inertia in poses]
    numbers = float_function(e.graph, [h for row in rows for h in row])(symbols)
    *position, mass, second = np.array(numbers).reshape(-1, 5).T
    with np.errstate(all="ignore"):
        radii = np.sqrt(second / mass)
    radius = float(radii[np.isfinite(radii)].max(initial=0.0))
    return float(np.linalg.norm(np.ptp(position, axis=1))) + 2 * radius or 1.0
