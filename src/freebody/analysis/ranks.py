"""Accessibility and observability of the nonlinear system at a point: ranks of Lie brackets and of the gradients of Lie
derivatives (Hermann and Krener 1977; Isidori 1995, ch. 1 and 2), exact derivatives, depth by depth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.along import Along
from freebody.analysis.field import Named, Rows
from freebody.analysis.reach import involved
from freebody.analysis.zero import sure
from freebody.errors import ArgumentError
from freebody.scalar.derivative import jacobian

Array = NDArray[np.float64]
TOLERANCE = 1e-9
NODES, MEMBERS = 100_000, 2_000
"""A graph that has grown by this many nodes, or a depth of this many brackets, ends the search."""

Level = list[tuple[str, list[int]]]
Step = Callable[[tuple[str, list[int]], tuple[str, list[int]]], tuple[str, list[int]]]


@dataclass(frozen=True)
class Rank:
    """The dimension that is spanned at the point, of ``size``; ``growth`` is it after each depth, from 0. ``members``
    are the brackets (or Lie derivatives) that added to it; ``missing`` the states with the largest parts in each
    direction that is not spanned. ``cut`` is true where the search ended because expressions grew too large."""

    rank: int
    size: int
    growth: tuple[int, ...]
    members: tuple[str, ...]
    missing: tuple[tuple[str, ...], ...]
    cut: bool
    basis: Array = field(repr=False, compare=False)

    @property
    def complete(self) -> bool:
        return self.rank == self.size

    @property
    def depth(self) -> int:
        return len(self.growth) - 1

    def __str__(self) -> str:
        head = f"{self.rank} of {self.size} dimensions at depth {self.depth}{' (cut: too large)' if self.cut else ''}"
        return "\n".join([head, f"  by {', '.join(self.members)}", *(f"  not {', '.join(m)}" for m in self.missing)])


def accessibility(along: Along, states: Sequence[str], over: Array, depth: int | None) -> Rank:
    """Of the brackets of the inputs' fields g with f and each other (f itself not among them: strong accessibility).
    ``over`` is T⁺, which takes a field to the minimal states."""
    along.require_inputs()
    every: Level = [("f", along.drift), *((f"g.{n}", h) for n, h in along.fields)]

    def bracket(a: tuple[str, list[int]], b: tuple[str, list[int]]) -> tuple[str, list[int]]:
        """[a, b] = ∂b/∂x a − ∂a/∂x b."""
        g = along.graph
        made = zip(along.led(b[1], a[1]), along.led(a[1], b[1]), strict=True)
        return f"[{a[0]}, {b[0]}]", [g.sub(x, y) for x, y in made]

    def values(level: Level) -> Array:
        return np.asarray(sure(along.field, [nodes for _, nodes in level], along.point) @ over.T)

    return _grown(along, every[1:], every, bracket, values, states, depth)


def observability(along: Along, outputs: Named, states: Sequence[str], T: Array, depth: int | None) -> Rank:
    """Of the gradients of the outputs' Lie derivatives along f and the inputs' fields. ``T`` leads from the minimal
    states to all."""
    every: Level = [("f", along.drift), *((f"g.{n}", h) for n, h in along.fields)]

    def lie(a: tuple[str, list[int]], b: tuple[str, list[int]]) -> tuple[str, list[int]]:
        return f"L_{a[0]} {b[0]}", along.led(b[1], a[1])

    def gradients(level: Level) -> Rows:
        f, roots = along.field, [h for _, (h,) in level]
        return f.dense(jacobian(along.graph, roots, f.x), len(roots), len(f.x))

    def values(level: Level) -> Array:
        return np.asarray(sure(along.field, gradients(level), along.point) @ T)

    first = [(n, along.still([h])) for n, h in outputs]
    return _grown(along, first, every, lie, values, states, depth)


def _grown(
    along: Along, level: Level, every: Level, step: Step, values: Callable[[Level], Array], states: Sequence[str],
    depth: int | None,
) -> Rank:  # fmt: skip
    """Depth after depth until the whole space is spanned, nothing is left, or the depth or the size is reached."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise ArgumentError(f"depth is how many brackets are nested, 0 or more, not {depth!r}")
    size, most, start = len(states), (len(states) if depth is None else depth), len(along.graph)
    basis, members, growth, cut = np.zeros((size, 0)), list[str](), list[int](), False
    while level:
        for (name, _), row in zip(level, values(level), strict=True):
            fresh = _added(basis, row)
            members += [name] if fresh is not None else []
            basis = basis if fresh is None else np.column_stack([basis, fresh])
        growth.append(basis.shape[1])
        if basis.shape[1] == size or len(growth) > most or cut:
            break
        level, cut = _next(along, level, every, step, start)
    return Rank(basis.shape[1], size, tuple(growth), tuple(members), _missing(basis, states), cut, basis)


def _next(along: Along, level: Level, every: Level, step: Step, start: int) -> tuple[Level, bool]:
    """What one more step makes, structural zeros left out, and whether it was too much."""
    found: Level = []
    for b in level:
        for a in every:
            made = step(a, b)
            found += [made] if any(h != along.graph.zero for h in made[1]) else []
            if len(along.graph) - start > NODES or len(found) >= MEMBERS:
                return found, True
    return found, False


def _added(basis: Array, row: Array) -> Array | None:
    """The direction that a vector adds to a basis, if it adds one."""
    length = float(np.linalg.norm(row))
    if not length > np.finfo(float).tiny:
        return None
    rest = row / length
    for _ in range(2):
        rest = rest - basis @ (basis.T @ rest)
    left = float(np.linalg.norm(rest))
    return np.asarray(rest / left) if left > TOLERANCE else None


def _missing(basis: Array, states: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The states most involved in each direction of the complement."""
    rest = np.linalg.qr(basis, mode="complete")[0][:, basis.shape[1] :] if basis.size else np.eye(len(states))
    return tuple(involved(states, np.asarray(column)) for column in np.abs(rest).T)
