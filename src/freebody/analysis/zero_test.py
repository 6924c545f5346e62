"""Tests whether nodes are zero everywhere: by structure, else by values at random points within their error bounds."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.program.assemble import Assembly
from freebody.program.evaluate import evaluate
from freebody.scalar.ops import ABS, CALL, COMPARISONS, FLOOR, MAX, MIN, SIGN, TABLE, WHERE
from freebody.scalar.walk import live

Array = NDArray[np.float64]
POINTS, TRIES = 3, 12
PIECES = 10
"""Factor on the number of points where functions have pieces: tables, ``where``, smallest and largest."""
PIECEWISE = frozenset((ABS, SIGN, MIN, MAX, FLOOR, WHERE, TABLE, CALL)) | COMPARISONS
WIDE = 10.0, 100.0
"""Scales of larger points, where terms may appear that are absent near zero: stops, forces that begin later."""
SLACK = 32.0
"""A value of at most this many rounding bounds counts as zero."""


def vanishing(
    state: StateEquations, nodes: Sequence[int], point: OperatingPoint, inputs: bool = True, seed: int = 7
) -> list[bool]:
    """For each node whether it is zero for all states, times and inputs (``inputs=False``: where inputs and tau are
    0), with the parameters of the point. Nodes that are not structural zeros are evaluated at random points: a node
    whose value is within its running error bound at all of them counts as zero."""
    zero, random = state.graph.zero, np.random.default_rng(seed)
    doubtful = sorted({n for n in nodes if n != zero})
    if not doubtful:
        return [True] * len(nodes)
    factor = PIECES if any(state.graph.op[i] in PIECEWISE for i in live(state.graph, doubtful)) else 1
    needed, tries = POINTS * factor, TRIES * factor
    a = Assembly("zero_test", state.graph, state.groups)
    a.output("values", doubtful)
    program, possible, seen = a.program(), np.ones(len(doubtful), bool), np.zeros(len(doubtful), int)

    def trial(where: OperatingPoint, far: bool) -> None:
        nonlocal seen, possible
        if not (possible & ((seen >= needed) if far else (seen < needed))).any():
            return
        result = evaluate(program, {**where.groups, "u_dot": random.normal(size=len(point.u))})
        value, bound = result.values["values"], result.bounds["values"]
        known = np.isfinite(value) & np.isfinite(bound)
        seen = seen + known
        possible = possible & (~known | (np.abs(value) <= SLACK * bound + np.finfo(float).tiny))

    for _ in range(tries):
        trial(random_point(state, point, random, inputs), far=False)
    for scale in WIDE:
        far = random_point(state, point, random, inputs, scale)
        trial(far, far=True)
        trial(replace(far, q=-far.q), far=True)
    zeros = {n for n, p, k in zip(doubtful, possible, seen, strict=True) if p and k >= needed}
    return [n == zero or n in zeros for n in nodes]


def certain_values(state: StateEquations, rows: Sequence[Sequence[int]], point: OperatingPoint) -> Array:
    """Rows of nodes at a point; values that may be rounding alone are 0, that of the coordinates included: cos(q) at
    the float nearest to π/2."""
    a = Assembly("certain_values", state.graph, state.groups)
    a.output("values", [list(row) for row in rows])
    program, none = a.program(), np.zeros(len(point.u))
    result = evaluate(program, {**point.groups, "u_dot": none})
    value, bound = result.values["values"], result.bounds["values"]
    near = np.nextafter(point.q, point.q + np.random.default_rng(3).choice((-1.0, 1.0), len(point.q)))
    change = np.abs(evaluate(program, {**replace(point, q=near).groups, "u_dot": none}).values["values"] - value)
    return np.where(np.abs(value) <= SLACK * bound + 2 * np.nan_to_num(change), 0.0, value)


def random_point(
    state: StateEquations, point: OperatingPoint, random: np.random.Generator, inputs: bool = True, scale: float = 1.0
) -> OperatingPoint:
    """A random state, time and inputs, with the parameters of a point; ``scale`` multiplies coordinates and time."""
    q, factor = random.uniform(-1.5, 1.5, len(point.q)) * scale, 1.0 if inputs else 0.0
    for k in state.quaternions:
        q[k : k + 4] = random_quaternion(random)
    u, z, w, tau = (random.normal(size=len(v)) for v in (point.u, point.z, point.inputs, point.tau))
    t = float(random.uniform(0.1, 1.0)) * scale
    return OperatingPoint(point.parameters, t, q, u, z, w * factor, tau * factor)


def random_quaternion(random: np.random.Generator) -> Array:
    """A random unit quaternion."""
    q = random.normal(size=4)
    return np.asarray(q / np.linalg.norm(q))
