"""Symmetries and conserved quantities: cyclic coordinates with their momenta, the momenta of the whole system along and
about the ground's axes and about its mass centre, the energy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.analysis.zero_test import vanishing
from freebody.formulations.equations import UNROLLED
from freebody.formulations.solve import dot
from freebody.names import Q
from freebody.quantities.centroid import centre, total
from freebody.quantities.forces import applied_forces, weight
from freebody.scalar.derivative import gradient, jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute
from freebody.tree.energy import kinetic, potential, whole_momentum

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Symmetry:
    """A quantity that belongs to a symmetry: ``momentum`` changes at ``rate``, which is zero everywhere where it is
    ``conserved``, provided that the inputs in ``needs`` are 0. ``cyclic`` says that M and f do not depend on the
    coordinate."""

    name: str
    momentum: Expr
    rate: Expr
    conserved: bool
    needs: tuple[str, ...] = ()
    cyclic: bool = False
    _state: StateEquations = field(repr=False, compare=False, kw_only=True)

    def __str__(self) -> str:
        where = f" where {', '.join(self.needs)} = 0" if self.needs else ""
        fate = f"conserved{where}" if self.conserved else f"changes at {self.rate}"
        return f"{self.name}: {fate}: {self.momentum}"

    def along(self, run: Any) -> Array:
        """Its values along a run of the same system."""
        layout, values = self._state.layout, run.about.parameters
        n, m = len(layout.q), len(layout.u)
        x, t = np.asarray(run.x), np.asarray(run.t)[:, None]
        parameters = np.array([values[p] for p in layout.parameters])
        z = x[:, n + m :] if layout.z else np.zeros(0)
        point = OperatingPoint(
            parameters, t, x[:, :n], x[:, n : n + m], z, np.zeros(len(layout.inputs)), np.zeros(m)
        )  # fmt: skip
        result = self._state.function("momentum", {"p": [self.momentum.handle]})(point)["p"]
        return np.asarray(np.broadcast_to(np.ravel(result), t.shape[:1]))


class ConservedQuantities:
    """The search for conserved quantities; zeros are tested for the parameters of a point."""

    def __init__(self, state: StateEquations, point: OperatingPoint) -> None:
        self.state, self.graph, self.point = state, state.graph, point

    def every(self) -> list[Symmetry]:
        """Cyclic coordinates, conserved or not, and all other conserved quantities."""
        symmetries = [*self._coordinates()]
        if len(self.state.layout.u) <= UNROLLED:
            symmetries += [s for s in (*self._momenta(), self._energy()) if s.conserved]
        return symmetries

    def _coordinates(self) -> Iterator[Symmetry]:
        s, g, momenta = self.state, self.graph, self._conjugate()
        along_q = jvp(g, momenta, s.along_q)
        for j, i in sorted(s.coordinates.items(), key=lambda pair: pair[1]):
            entries = jacobian(g, [*s.mass.values(), *s.force, *s.z_dot], [s.groups["q"][i]])
            cyclic = all(vanishing(s, list(entries.values()), self.point))
            # ṗ as Lagrange has it, ∂T/∂q + Q, where this is the same: what cancels in Ṁ u + f is then absent.
            rate = g.add(along_q[j], s.force[j])
            lagrange = g.add(g.add(self._by_q[i], self._applied[j]), s.groups["tau"][j])
            if vanishing(s, [g.sub(lagrange, rate)], self.point)[0]:
                rate = lagrange
            symmetry = self._symmetry(Q(s.layout.q[i]), momenta[j], rate, cyclic)
            if cyclic or symmetry.conserved:
                yield symmetry

    @cached_property
    def _by_q(self) -> list[int]:
        """∂T/∂q."""
        s = self.state
        return gradient(self.graph, s.words.bring([kinetic(s.e.formulation.motion)])[0], s.groups["q"])

    @cached_property
    def _applied(self) -> list[int]:
        """Q: loads, joints and weight."""
        e, words = self.state.e, self.state.words
        parts = zip(words.bring(applied_forces(e)), words.bring(weight(e)), strict=True)
        return [self.graph.sub(a, b) for a, b in parts]

    def _conjugate(self) -> list[int]:
        """p = ∂T/∂u with the joints' rotors: M u where no motion is prescribed."""
        s, g, e = self.state, self.graph, self.state.e
        if not any(given is not None for link in e.forest.links for given in link.body.given):
            return [dot(g, row, s.groups["u"]) for row in s.mass_rows]
        (T,) = s.words.bring([kinetic(e.formulation.motion)])
        return gradient(g, T, s.groups["u"])

    def _momenta(self) -> Iterator[Symmetry]:
        """Linear momentum, angular about the ground's origin and about the mass centre, along the ground's axes."""
        e, s = self.state.e, self.state
        whole = whole_momentum(e.formulation.motion)
        inner = whole.angular - centre(total(e)).cross(whole.linear)
        for what, vector in (
            ("linear momentum along", whole.linear), ("angular momentum about the ground's", whole.angular),
            ("angular momentum about the mass centre along", inner),
        ):  # fmt: skip
            nodes = s.words.bring(list(vector.c))
            for axis, node, rate in zip("xyz", nodes, self._rates(nodes), strict=True):
                if not vanishing(s, [node], self.point)[0]:
                    yield self._symmetry(f"{what} {axis}", node, rate)

    def _energy(self) -> Symmetry:
        motion = self.state.e.formulation.motion
        T, V = self.state.words.bring([kinetic(motion), potential(motion)])
        energy = self.graph.add(T, V)
        return self._symmetry("energy", energy, self._rates([energy])[0])

    def _rates(self, nodes: Sequence[int]) -> list[int]:
        s = self.state
        seeds = dict(zip(s.x, s.x_dot, strict=True)) | {s.groups["t"][0]: self.graph.one}
        return jvp(self.graph, list(nodes), seeds)

    def _symmetry(self, name: str, momentum: int, rate: int, cyclic: bool = False) -> Symmetry:
        """A quantity where no generalised forces are added: conserved, conserved without some inputs, or not."""
        s, g = self.state, self.graph
        (rate,) = substitute(g, [rate], dict.fromkeys(s.groups["tau"], g.zero))
        always, without = (vanishing(s, [rate], self.point, inputs)[0] for inputs in (True, False))
        needs: tuple[str, ...] = ()
        if without and not always:
            gone = vanishing(s, gradient(g, rate, s.groups["inputs"]), self.point)
            needs = tuple(n for n, zero in zip(s.layout.inputs, gone, strict=True) if not zero)
        shown = Expr(g, g.zero if always else rate)
        return Symmetry(name, Expr(g, momentum), shown, always or without, needs, cyclic, _state=s)
