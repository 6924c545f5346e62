"""Whether nodes are zero everywhere: by structure, else by value at random points within what rounding can do."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Field, Point
from freebody.program.assemble import Assembly
from freebody.program.evaluate import evaluate
from freebody.scalar.ops import ABS, CALL, COMPARISONS, FLOOR, MAX, MIN, SIGN, TABLE, WHERE
from freebody.scalar.walk import live

Array = NDArray[np.float64]
POINTS, TRIES = 3, 12
PIECES = 10
"""So many times as many points are looked at where functions have pieces: tables, ``where``, smallest and largest."""
PIECEWISE = frozenset((ABS, SIGN, MIN, MAX, FLOOR, WHERE, TABLE, CALL)) | COMPARISONS
WIDE = 10.0, 100.0
"""How much larger points are at which nothing may appear that was absent near zero: stops, forces that begin later."""
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
    more = PIECES if any(field.graph.op[i] in PIECEWISE for i in live(field.graph, doubtful)) else 1
    points = POINTS * more
    a = Assembly("zero_test", field.graph, field.groups)
    a.output("values", doubtful)
    program, possible, seen = a.program(), np.ones(len(doubtful), bool), np.zeros(len(doubtful), int)
    for far, where in _trials(field, point, random, inputs, TRIES * more):
        if not (possible & ((seen >= points) if far else (seen < points))).any():
            continue
        held = {**where.groups, "u_dot": random.normal(size=len(point.u))}
        found = evaluate(program, held)
        value, bound = found.values["values"], found.bounds["values"]
        known = np.isfinite(value) & np.isfinite(bound)
        seen += known
        possible &= ~known | (np.abs(value) <= SLACK * bound + np.finfo(float).tiny)
    zeros = {n for n, p, k in zip(doubtful, possible, seen, strict=True) if p and k >= points}
    return [n == zero or n in zeros for n in nodes]


def _trials(
    field: Field, point: Point, random: np.random.Generator, inputs: bool, tries: int
) -> Iterator[tuple[bool, Point]]:
    """Random points: some near zero, then a few far away on both sides."""
    for _ in range(tries):
        yield False, somewhere(field, point, random, inputs)
    for scale in WIDE:
        far = somewhere(field, point, random, inputs, scale)
        yield True, far
        yield True, replace(far, q=-far.q)


def sure(field: Field, rows: Sequence[Sequence[int]], point: Point) -> Array:
    """Rows of nodes at a point; values that may be rounding alone are 0, that of the coordinates included: cos(q) at
    the float nearest to π/2."""
    a = Assembly("sure", field.graph, field.groups)
    a.output("values", [list(row) for row in rows])
    program, none = a.program(), np.zeros(len(point.u))
    found = evaluate(program, {**point.groups, "u_dot": none})
    value, bound = found.values["values"], found.bounds["values"]
    near = np.nextafter(point.q, point.q + np.random.default_rng(3).choice((-1.0, 1.0), len(point.q)))
    moved = np.abs(evaluate(program, {**replace(point, q=near).groups, "u_dot": none}).values["values"] - value)
    return np.where(np.abs(value) <= SLACK * bound + 2 * np.nan_to_num(moved), 0.0, value)


def somewhere(
    field: Field, point: Point, random: np.random.Generator, inputs: bool = True, scale: float = 1.0
) -> Point:
    """A random state, time and inputs, with the parameters of a point; coordinates and time up to a scale."""
    q, free = random.uniform(-1.5, 1.5, len(point.q)) * scale, 1.0 if inputs else 0.0
    for k in field.spheres:
        q[k : k + 4] = unit(random)
    u, z, w, tau = (random.normal(size=len(v)) for v in (point.u, point.z, point.inputs, point.tau))
    return Point(point.parameters, float(random.uniform(0.1, 1.0)) * scale, q, u, z, w * free, tau * free)


def unit(random: np.random.Generator) -> Array:
    """A random unit quaternion."""
    made = random.normal(size=4)
    return np.asarray(made / np.linalg.norm(made))
