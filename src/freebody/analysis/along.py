"""Derivatives along the motion: what an output's rates are, and when an input first shows in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.analysis.field import Field, Named, Point
from freebody.analysis.zero import vanishing
from freebody.errors import ArgumentError
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute


@dataclass(frozen=True)
class Rise:
    """An output's rates y, ẏ, … until an input shows: y⁽ʳ⁾ = drift + gains · w, with r the relative degree."""

    rates: tuple[int, ...]  # y … y⁽ʳ⁻¹⁾
    drift: int
    gains: tuple[int, ...]

    @property
    def degree(self) -> int:
        return len(self.rates)


class Along:
    """The motion under chosen inputs; generalised forces that are not chosen are 0, other inputs constants."""

    def __init__(self, field: Field, inputs: Named, point: Point) -> None:
        self.field, self.graph, self.inputs, self.point = field, field.graph, inputs, point
        self.handles = [h for _, h in inputs]

    def require_inputs(self) -> None:
        if not self.inputs:
            raise ArgumentError(f"system '{self.field.name}': no inputs are chosen; name some, inputs=[…]")

    @cached_property
    def x_dot(self) -> list[int]:
        return self.quieted(self.field.x_dot)

    @cached_property
    def drift(self) -> list[int]:
        """ẋ where the chosen inputs are 0."""
        return self.still(self.x_dot)

    @cached_property
    def fields(self) -> list[tuple[str, list[int]]]:
        """∂ẋ/∂w of each input, by name; refused where ẋ is not linear in it."""
        g, n = self.graph, len(self.x_dot)
        entries = jacobian(g, self.x_dot, self.handles)
        self.require_affine(list(entries.values()), "ẋ")
        return [
            (name, self.still([entries.get((i, j), g.zero) for i in range(n)]))
            for j, (name, _) in enumerate(self.inputs)
        ]

    def still(self, nodes: Sequence[int]) -> list[int]:
        """Nodes where the chosen inputs are 0."""
        return substitute(self.graph, list(nodes), dict.fromkeys(self.handles, self.graph.zero))

    def quieted(self, nodes: Sequence[int]) -> list[int]:
        """Nodes where generalised forces that are not chosen are 0."""
        quiet = {h: self.graph.zero for h in self.field.groups["tau"] if h not in self.handles}
        return substitute(self.graph, list(nodes), quiet)

    def whole(self, outputs: Named) -> Named:
        """Outputs with u̇ of the motion in the places of accelerations."""
        rates, n = self.field.groups["u_dot"], len(self.field.layout.q)
        if not any(self.graph.mask[h] & Kind.ACCELERATION for _, h in outputs):
            return outputs
        moving = dict(zip(rates, self.x_dot[n : n + len(rates)], strict=True))
        nodes = substitute(self.graph, [h for _, h in outputs], moving)
        return [(name, h) for (name, _), h in zip(outputs, nodes, strict=True)]

    def rate(self, nodes: Sequence[int]) -> list[int]:
        """d/dt along the motion."""
        f = self.field
        seeds = dict(zip(f.x, self.x_dot, strict=True)) | {f.groups["t"][0]: self.graph.one}
        return jvp(self.graph, list(nodes), seeds)

    def led(self, nodes: Sequence[int], directions: Sequence[int]) -> list[int]:
        """∂nodes/∂x along a vector field."""
        return jvp(self.graph, list(nodes), dict(zip(self.field.x, directions, strict=True)))

    def require_affine(self, gains: Sequence[int], what: str) -> None:
        g = self.graph
        bends = jacobian(g, list(gains), self.handles)
        if not all(vanishing(self.field, list(bends.values()), self.point)):
            name = next(n for j, (n, _) in enumerate(self.inputs) if any(key[1] == j for key in bends))
            raise ArgumentError(
                f"system '{self.field.name}': {what} is not linear in input '{name}'; put a state between them,"
                f" state('{name}_held', rate=…), or choose other inputs"
            )

    def rise(self, name: str, node: int) -> Rise:
        """The rates of an output until one of the inputs shows."""
        rates, most = list[int](), self.field.dimension
        while len(rates) <= most:
            entries = jacobian(self.graph, [node], self.handles)
            gains = [entries.get((0, j), self.graph.zero) for j in range(len(self.handles))]
            zero = vanishing(self.field, gains, self.point)
            if not all(zero):
                kept = [self.graph.zero if gone else h for h, gone in zip(gains, zero, strict=True)]
                self.require_affine(kept, f"derivative {len(rates)} of output '{name}'")
                return Rise(tuple(rates), self.still([node])[0], tuple(self.still(kept)))
            (node,) = self.still([node])
            rates.append(node)
            (node,) = self.rate([node])
        inputs = ", ".join(n for n, _ in self.inputs)
        raise ArgumentError(
            f"system '{self.field.name}': output '{name}' has no relative degree: none of its {most} first derivatives"
            f" depends on {inputs}. Choose an output that the inputs move, or other inputs"
        )
