"""Whether nodes are zero everywhere: by structure, else by value at random points within what rounding can do."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Field, Point
from freebody.scalar.assemble import Assembly
from freebody.scalar.evaluate import evaluate

Array = NDArray[np.float64]
POINTS = 3
TRIES = 12
SLACK = 32.0
"""A value of at most so many rounding bounds counts as zero."""


def vanishing(field: Field, nodes: Sequence[int], point: Point, inputs: bool = True, seed: int = 7) -> list[bool]:
    """For each node whether it is zero for all states, times and inputs (``inputs=False``: where inputs and tau are
    0), the parameters being those of the point. Nodes that are no structural zeros are evaluated at random points with
    their running error bounds: a node that is zero there within its bounds is taken for zero."""
    zero, random = field.graph.zero, np.random.default_rng(seed)
    doubtful = sorted({n for n in nodes if n != zero})
    if not doubtful:
        return [True] * len(nodes)
    a = Assembly("zero_test", field.graph, field.groups)
    a.output("values", doubtful)
    program, possible, seen = a.program(), np.ones(len(doubtful), bool), np.zeros(len(doubtful), int)
    for _ in range(TRIES):
        open_ = possible & (seen < POINTS)
        if not open_.any():
            break
        held = {**somewhere(field, point, random, inputs).groups, "u_dot": random.normal(size=len(point.u))}
        found = evaluate(program, held)
        value, bound = found.values["values"], found.bounds["values"]
        known = np.isfinite(value) & np.isfinite(bound)
        seen += known
        possible &= ~known | (np.abs(value) <= SLACK * bound + np.finfo(float).tiny)
    zeros = {n for n, p, k in zip(doubtful, possible, seen, strict=True) if p and k >= POINTS}
    return [n == zero or n in zeros for n in nodes]


def sure(field: Field, rows: Sequence[Sequence[int]], point: Point) -> Array:
    """Rows of nodes at a point; values that may be rounding alone are 0."""
    a = Assembly("sure", field.graph, field.groups)
    a.output("values", [list(row) for row in rows])
    found = evaluate(a.program(), {**point.groups, "u_dot": np.zeros(len(point.u))})
    value, bound = found.values["values"], found.bounds["values"]
    return np.where(np.abs(value) <= SLACK * bound, 0.0, value)


def somewhere(field: Field, point: Point, random: np.random.Generator, inputs: bool = True) -> Point:
    """A random state, time and inputs, with the parameters of a point."""
    q, free = random.uniform(-1.5, 1.5, len(point.q)), 1.0 if inputs else 0.0
    for k in field.spheres:
        q[k : k + 4] = unit(random)
    u, z, w, tau = (random.normal(size=len(v)) for v in (point.u, point.z, point.inputs, point.tau))
    return Point(point.parameters, float(random.uniform(0.1, 1.0)), q, u, z, w * free, tau * free)


def unit(random: np.random.Generator) -> Array:
    """A random unit quaternion."""
    made = random.normal(size=4)
    return np.asarray(made / np.linalg.norm(made))
