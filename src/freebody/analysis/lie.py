"""Lie derivatives and brackets of ẋ = f(x) + Σ g(x) w: relative degrees, accessibility and observability at a point
(Hermann and Krener 1977; Isidori 1995, ch. 1 and 2), by exact derivatives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.linear import involved
from freebody.analysis.state_equations import Named, OperatingPoint, StateEquations, certain_values, vanishing
from freebody.errors import ArgumentError
from freebody.numeric import as_integer
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.tables import TableRepr, TextTable, counted

Array = NDArray[np.float64]
TOLERANCE = 1e-9
NODES, MEMBERS = 100_000, 2_000
"""The search ends when the graph has grown by this many nodes, or a depth has this many brackets."""

Member = tuple[str, list[Node]]
"""A vector field or a function, by name."""
Step = Callable[[Member, Member], Member]


class OutputRates(NamedTuple):
    """An output and its derivatives below the relative degree r, at which an input first appears:
    y⁽ʳ⁾ = drift + gains · w."""

    rates: tuple[Node, ...]  # y … y⁽ʳ⁻¹⁾
    drift: Node
    gains: tuple[Node, ...]


class ControlAffine:
    """The motion under chosen inputs w; other generalised forces are 0, other inputs constants."""

    def __repr__(self) -> str:
        return f"<ẋ = f + G w with {counted(len(self.state.keys), 'state')} and {counted(len(self.inputs), 'input')}>"

    def __init__(self, state: StateEquations, inputs: Named, point: OperatingPoint) -> None:
        self.state, self.graph, self.inputs, self.point = state, state.graph, inputs, point
        self.handles = [h for _, h in inputs]

    def require_inputs(self) -> None:
        if not self.inputs:
            raise ArgumentError(f"system '{self.state.name}': no inputs are chosen; name some, inputs=[…]")

    @cached_property
    def x_dot(self) -> list[Node]:
        return self.without_other_forces(self.state.x_dot)

    @cached_property
    def fields(self) -> list[Member]:
        """g = ∂ẋ/∂w of each input, by name; raises where ẋ is not linear in it."""
        g, n = self.graph, len(self.x_dot)
        entries = jacobian(g, self.x_dot, self.handles)
        self.require_affine(list(entries.values()), "ẋ")
        return [
            (name, self.without_inputs([entries.get((i, j), g.zero) for i in range(n)]))
            for j, (name, _) in enumerate(self.inputs)
        ]

    def without_inputs(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes where the chosen inputs are 0."""
        return substitute(self.graph, list(nodes), dict.fromkeys(self.handles, self.graph.zero))

    def without_other_forces(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes where generalised forces that are not chosen are 0."""
        others = {h: self.graph.zero for h in self.state.groups["tau"] if h not in self.handles}
        return substitute(self.graph, list(nodes), others)

    def with_accelerations(self, outputs: Named) -> Named:
        """Outputs with u̇ of the motion substituted for accelerations."""
        rates, n = self.state.groups["u_dot"], len(self.state.layout.q)
        if not any(self.graph.mask[h] & Kind.ACCELERATION for _, h in outputs):
            return outputs
        u_dot = dict(zip(rates, self.x_dot[n : n + len(rates)], strict=True))
        nodes = substitute(self.graph, [h for _, h in outputs], u_dot)
        return [(name, h) for (name, _), h in zip(outputs, nodes, strict=True)]

    def along(self, nodes: Sequence[Node], vector_field: Sequence[Node]) -> list[Node]:
        """∂nodes/∂x along a vector field."""
        return jvp(self.graph, list(nodes), dict(zip(self.state.x, vector_field, strict=True)))

    def require_affine(self, gains: Sequence[Node], what: str) -> None:
        second = jacobian(self.graph, list(gains), self.handles)
        if not all(vanishing(self.state, list(second.values()), self.point)):
            name = next(n for j, (n, _) in enumerate(self.inputs) if any(key[1] == j for key in second))
            raise ArgumentError(
                f"system '{self.state.name}': {what} is not linear in input '{name}'; put a state between them,"
                f" state('{name}_held', rate=…), or choose other inputs"
            )

    def output_rates(self, name: str, node: Node) -> OutputRates:
        """The derivatives of an output until one of the inputs appears."""
        g, rates, most = self.graph, list[Node](), self.state.dimension
        seeds = dict(zip(self.state.x, self.x_dot, strict=True)) | {self.state.groups["t"][0]: g.one}
        while len(rates) <= most:
            entries = jacobian(g, [node], self.handles)
            gains = [entries.get((0, j), g.zero) for j in range(len(self.handles))]
            zero = vanishing(self.state, gains, self.point)
            if not all(zero):
                gains = [g.zero if gone else h for h, gone in zip(gains, zero, strict=True)]
                self.require_affine(gains, f"derivative {len(rates)} of output '{name}'")
                return OutputRates(tuple(rates), self.without_inputs([node])[0], tuple(self.without_inputs(gains)))
            (node,) = self.without_inputs([node])
            rates.append(node)
            (node,) = jvp(g, [node], seeds)
        inputs = ", ".join(n for n, _ in self.inputs)
        raise ArgumentError(
            f"system '{self.state.name}': output '{name}' has no relative degree: none of its {most} first derivatives"
            f" depends on {inputs}. Choose an output that the inputs move, or other inputs"
        )


@dataclass(frozen=True, repr=False)
class Rank(TableRepr):
    """The dimension that is spanned at the point, of ``size``; ``growth`` is the dimension after each depth, from 0.
    ``members`` are the brackets (or Lie derivatives) that added to it; ``missing`` the states with the largest parts in
    each direction that is not spanned. ``cut`` is true where the search ended because expressions grew too large."""

    rank: int
    size: int
    growth: tuple[int, ...]
    members: tuple[str, ...]
    missing: tuple[tuple[str, ...], ...]
    cut: bool
    basis: Array = field(compare=False)

    @property
    def complete(self) -> bool:
        return self.rank == self.size

    @property
    def depth(self) -> int:
        return len(self.growth) - 1

    def _table(self) -> TextTable:
        head = f"{self.rank} of {self.size} dimensions at depth {self.depth}{' (cut: too large)' if self.cut else ''}"
        members = [("by", ", ".join(self.members))] if self.members else []
        return TextTable(head, (), (*members, *(("not", ", ".join(states)) for states in self.missing)))


def accessibility(motion: ControlAffine, states: Sequence[str], over: Array, depth: int | None) -> Rank:
    """The rank of the brackets of the inputs' fields g with f and each other (f itself not among them: strong
    accessibility). ``over`` is T⁺, which maps a field to the minimal states."""
    motion.require_inputs()

    def bracket(a: Member, b: Member) -> Member:
        """[a, b] = ∂b/∂x a − ∂a/∂x b."""
        terms = zip(motion.along(b[1], a[1]), motion.along(a[1], b[1]), strict=True)
        return f"[{a[0]}, {b[0]}]", [motion.graph.sub(x, y) for x, y in terms]

    def values(level: list[Member]) -> Array:
        return np.asarray(certain_values(motion.state, [nodes for _, nodes in level], motion.point) @ over.T)

    return _grow(motion, [(f"g.{n}", h) for n, h in motion.fields], bracket, values, states, depth)


def observability(motion: ControlAffine, outputs: Named, states: Sequence[str], T: Array, depth: int | None) -> Rank:
    """The rank of the gradients of the outputs' Lie derivatives along f and the inputs' fields. ``T`` maps the minimal
    states to all."""

    def lie(a: Member, b: Member) -> Member:
        return f"L_{a[0]} {b[0]}", motion.along(b[1], a[1])

    def values(level: list[Member]) -> Array:
        state, roots = motion.state, [h for _, (h,) in level]
        gradients = state.dense(jacobian(motion.graph, roots, state.x), len(roots), len(state.x))
        return np.asarray(certain_values(state, gradients, motion.point) @ T)

    first = [(n, motion.without_inputs([h])) for n, h in outputs]
    return _grow(motion, first, lie, values, states, depth)


def _grow(
    motion: ControlAffine,
    level: list[Member],
    step: Step,
    values: Callable[[list[Member]], Array],
    states: Sequence[str],
    depth: int | None,
) -> Rank:
    """Depth after depth, structural zeros left out, until the whole space is spanned, nothing is left, or the depth or
    the size is reached."""
    if depth is not None and (as_integer(depth) is None or depth < 0):
        raise ArgumentError(f"depth is how many brackets are nested, 0 or more, not {depth!r}")
    fields = [("f", motion.without_inputs(motion.x_dot)), *((f"g.{n}", h) for n, h in motion.fields)]
    size, most, start = len(states), (len(states) if depth is None else depth), len(motion.graph)
    basis, members, growth, cut = np.zeros((size, 0)), list[str](), list[int](), False
    while level:
        for (name, _), row in zip(level, values(level), strict=True):
            length = float(np.linalg.norm(row))
            left = row / length if length > np.finfo(float).tiny else np.zeros(size)
            for _ in range(2):  # the second time for rounding's sake
                left = left - basis @ (basis.T @ left)
            length = float(np.linalg.norm(left))
            if length > TOLERANCE:
                members.append(name)
                basis = np.column_stack([basis, left / length])
        growth.append(basis.shape[1])
        if basis.shape[1] == size or len(growth) > most or cut:
            break
        pairs, level = product(level, fields), []
        for b, a in pairs:
            member = step(a, b)
            level += [member] if any(h != motion.graph.zero for h in member[1]) else []
            cut = len(motion.graph) - start > NODES or len(level) >= MEMBERS
            if cut:
                break
    outside = np.linalg.qr(basis, mode="complete")[0][:, basis.shape[1] :] if basis.size else np.eye(size)
    missing = tuple(involved(states, np.asarray(column)) for column in np.abs(outside).T)
    return Rank(basis.shape[1], size, tuple(growth), tuple(members), missing, cut, basis)
