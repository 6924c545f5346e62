"""Symmetries and what they keep: cyclic coordinates with their momenta, the momenta of the whole system along and about
the ground's axes and about its mass centre, the energy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Field, Point
from freebody.analysis.zero import vanishing
from freebody.formulations.equations import UNROLLED
from freebody.formulations.solve import dot
from freebody.quantities.centroid import centre, total
from freebody.quantities.newton import loaded, weight
from freebody.scalar.derivative import gradient, jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute
from freebody.tree.energy import kinetic, potential, whole_momentum

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Symmetry:
    """A quantity that a symmetry gives: ``momentum`` changes at ``rate``, which is zero everywhere where it is
    ``conserved``, given that the inputs in ``needs`` are 0. ``cyclic`` says that M and f do not depend on the
    coordinate."""

    name: str
    momentum: Expr
    rate: Expr
    conserved: bool
    needs: tuple[str, ...] = ()
    cyclic: bool = False
    _field: Field = field(repr=False, compare=False, kw_only=True)

    def __str__(self) -> str:
        where = f" where {', '.join(self.needs)} = 0" if self.needs else ""
        fate = f"conserved{where}" if self.conserved else f"changes at {self.rate}"
        return f"{self.name}: {fate}: {self.momentum}"

    def along(self, run: Any) -> Array:
        """Its values along a run of the same system."""
        layout, values = self._field.layout, run.about.parameters
        n, m = len(layout.q), len(layout.u)
        x, none = np.asarray(run.x), np.zeros(0)
        parameters = np.array([values[p] for p in layout.parameters])
        inputs, tau = np.zeros(len(layout.inputs)), np.zeros(m)
        times = np.asarray(run.t)[:, None]
        point = Point(parameters, times, x[:, :n], x[:, n : n + m], x[:, n + m :] if layout.z else none, inputs, tau)
        found = self._field.function("momentum", {"p": [self.momentum.handle]})(point)["p"]
        return np.asarray(np.broadcast_to(np.ravel(found), times.shape[:1]))


class Kept:
    """Looks for what a field keeps; zeros are told for the parameters of a point."""

    def __init__(self, field: Field, point: Point) -> None:
        self.field, self.graph, self.point = field, field.graph, point

    def every(self) -> list[Symmetry]:
        """Cyclic coordinates, kept or not, and all else that is kept."""
        found = [*self._coordinates()]
        if len(self.field.layout.u) <= UNROLLED:
            found += [s for s in (*self._momenta(), self._energy()) if s.conserved]
        return found

    # Coordinates

    def _coordinates(self) -> Iterator[Symmetry]:
        f, g = self.field, self.graph
        momenta = self._conjugate()
        seeds = dict(zip(f.groups["q"], f.q_dot, strict=True)) | {f.groups["t"][0]: g.one}
        turned = jvp(g, momenta, seeds)
        for j, i in sorted(f.plain.items(), key=lambda pair: pair[1]):
            cyclic, rate = self._absent(i), g.add(turned[j], f.force[j])
            made = self._judged(f"q.{f.layout.q[i]}", momenta[j], self._shorter(i, j, rate), cyclic)
            if cyclic or made.conserved:
                yield made

    def _shorter(self, i: int, j: int, rate: int) -> int:
        """ṗ as Lagrange has it, ∂T/∂q + Q, where this is the same: what cancels in Ṁ u + f is then absent."""
        g, f = self.graph, self.field
        made = g.add(g.add(self._pulls[i], self._applied[j]), f.groups["tau"][j])
        return made if vanishing(f, [g.sub(made, rate)], self.point)[0] else rate

    @cached_property
    def _pulls(self) -> list[int]:
        """∂T/∂q."""
        f = self.field
        return gradient(self.graph, f.words.bring([kinetic(f.e.formulation.motion)])[0], f.groups["q"])

    @cached_property
    def _applied(self) -> list[int]:
        """Q: loads, joints and weight."""
        e, words = self.field.e, self.field.words
        made = zip(words.bring(loaded(e)), words.bring(weight(e)), strict=True)
        return [self.graph.sub(a, b) for a, b in made]

    def _conjugate(self) -> list[int]:
        """p = ∂T/∂u with the joints' rotors: M u where no motion is prescribed."""
        f, g, e = self.field, self.graph, self.field.e
        if not any(given is not None for link in e.forest.links for given in link.body.given):
            return [dot(g, row, f.groups["u"]) for row in f.mass_rows]
        (T,) = f.words.bring([kinetic(e.formulation.motion)])
        return gradient(g, T, f.groups["u"])

    def _absent(self, place: int) -> bool:
        """Whether M and f do not depend on a coordinate."""
        f = self.field
        entries = jacobian(self.graph, [*f.mass.values(), *f.force, *f.z_dot], [f.groups["q"][place]])
        return all(vanishing(f, list(entries.values()), self.point))

    # The whole system

    def _momenta(self) -> Iterator[Symmetry]:
        linear, angular, inner = self._whole
        for what, nodes in (
            ("linear momentum along", linear), ("angular momentum about the ground's", angular),
            ("angular momentum about the mass centre along", inner),
        ):  # fmt: skip
            rates = self._rates(nodes)
            for axis, node, rate in zip("xyz", nodes, rates, strict=True):
                if not vanishing(self.field, [node], self.point)[0]:
                    yield self._judged(f"{what} {axis}", node, rate)

    @cached_property
    def _whole(self) -> list[list[int]]:
        """Linear momentum, angular about the ground's origin and about the mass centre, along the ground's axes."""
        e = self.field.e
        whole = whole_momentum(e.formulation.motion)
        inner = whole.angular - centre(total(e)).cross(whole.linear)
        return [self.field.words.bring(list(v.c)) for v in (whole.linear, whole.angular, inner)]

    def _energy(self) -> Symmetry:
        f, g, e = self.field, self.graph, self.field.e
        T, V = f.words.bring([kinetic(e.formulation.motion), potential(e.formulation.motion)])
        whole = g.add(T, V)
        return self._judged("energy", whole, self._rates([whole])[0])

    def _rates(self, nodes: Sequence[int]) -> list[int]:
        f, g = self.field, self.graph
        seeds = dict(zip(f.x, f.x_dot, strict=True)) | {f.groups["t"][0]: g.one}
        return jvp(g, list(nodes), seeds)

    def _judged(self, name: str, momentum: int, rate: int, cyclic: bool = False) -> Symmetry:
        """What becomes of a quantity where no generalised forces are added: kept, or kept without some inputs."""
        f, g = self.field, self.graph
        (rate,) = substitute(g, [rate], dict.fromkeys(f.groups["tau"], g.zero))
        always, without = (vanishing(f, [rate], self.point, inputs)[0] for inputs in (True, False))
        shown = Expr(g, g.zero if always else rate)
        needs = () if always or not without else self._felt(rate)
        return Symmetry(name, Expr(g, momentum), shown, always or without, needs, cyclic, _field=f)

    def _felt(self, rate: int) -> tuple[str, ...]:
        """The inputs that a rate depends on."""
        f = self.field
        gains = gradient(self.graph, rate, f.groups["inputs"])
        gone = vanishing(f, gains, self.point)
        return tuple(n for n, zero in zip(f.layout.inputs, gone, strict=True) if not zero)
