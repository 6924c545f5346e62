"""Symmetries and conserved quantities: cyclic coordinates with their momenta, the momenta of the whole system along and
about the ground's axes and about its mass centre, the energy."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.algebra import one_line
from freebody.analysis.state_equations import OperatingPoint, StateEquations, vanishing
from freebody.formulations.derivation import UNROLLED
from freebody.names import Q
from freebody.quantities.centroid import centre, total
from freebody.quantities.forces import applied_forces, weight
from freebody.scalar.derivative import gradient, jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.scalar.walk import substitute
from freebody.spatial.scalars import dot
from freebody.tables import TableRepr, TextTable, counted, shorten
from freebody.tree.energy import kinetic, potential, whole_momentum

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
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
    _state: StateEquations = field(compare=False, kw_only=True)

    @property
    def _fate(self) -> str:
        where = f" where {', '.join(self.needs)} = 0" if self.needs else ""
        return f"conserved{where}" if self.conserved else f"changes at {one_line(self.rate)}"

    def __str__(self) -> str:
        return f"{self.name}: {self._fate}: {self.momentum}"

    def __repr__(self) -> str:
        return f"Symmetry({shorten(str(self))})"

    def along(self, run: Any) -> Array:
        """Its values along a run of the same system."""
        layout, values = self._state.layout, run.about.parameters
        n, m = len(layout.q), len(layout.u)
        x, t = np.asarray(run.x), np.asarray(run.t)[:, None]
        parameters = np.array([values[p] for p in layout.parameters])
        z = x[:, n + m :] if layout.z else np.zeros(0)
        point = OperatingPoint(
            parameters, t, x[:, :n], x[:, n : n + m], z, np.array(layout.default_inputs), np.zeros(m)
        )
        result = self._state.function("momentum", {"p": [self.momentum.handle]})(point)["p"]
        return np.asarray(np.broadcast_to(np.ravel(result), t.shape[:1]))


class Symmetries(TableRepr, list[Symmetry]):
    """Several symmetries of a system."""

    def _table(self) -> TextTable:
        rows = tuple((s.name, s._fate, one_line(s.momentum)) for s in self)
        title = counted(len(self), "symmetry", "symmetries")
        return TextTable(title, ("quantity", "rate", "value") if rows else (), rows)


def symmetries(state: StateEquations, point: OperatingPoint) -> Symmetries:
    """Cyclic coordinates, conserved or not, and all other conserved quantities; zeros are tested for the parameters of
    the point."""
    result = [*_coordinates(state, point)]
    if len(state.layout.u) <= UNROLLED:
        others = [_symmetry(state, point, name, node, rate) for name, node, rate in _momenta_and_energy(state, point)]
        result += [s for s in others if s.conserved]
    return Symmetries(result)


def _symmetry(
    s: StateEquations, point: OperatingPoint, name: str, momentum: Node, rate: Node, cyclic: bool = False
) -> Symmetry:
    """A quantity where no generalised forces are added: conserved, conserved without some inputs, or not."""
    g, needs = s.graph, tuple[str, ...]()
    (rate,) = substitute(g, [rate], dict.fromkeys(s.groups["tau"], g.zero))
    always, without = (vanishing(s, [rate], point, inputs)[0] for inputs in (True, False))
    if without and not always:
        own = s.layout.user_inputs
        gone = vanishing(s, gradient(g, rate, s.groups["inputs"][: len(own)]), point)
        needs = tuple(n for n, zero in zip(own, gone, strict=True) if not zero)
    shown = Expr(g, g.zero if always else rate)
    return Symmetry(name, Expr(g, momentum), shown, always or without, needs, cyclic, _state=s)


def _coordinates(s: StateEquations, point: OperatingPoint) -> Iterator[Symmetry]:
    """Coordinates that are cyclic, or whose momenta p = ∂T/∂u (with the joints' rotors: M u where no motion is
    prescribed) are conserved."""
    g, e = s.graph, s.e
    if any(given is not None for link in e.tree.links for given in link.body.prescribed):
        momenta = gradient(g, s.scope.copy([kinetic(e.formulation.motion)])[0], s.groups["u"])
    else:
        momenta = [dot(g, row, s.groups["u"]) for row in s.mass_rows]
    along_q, by_q, applied = jvp(g, momenta, s.along_q), list[Node](), list[Node]()
    for j, i in sorted(s.coordinates.items(), key=lambda pair: pair[1]):
        entries = jacobian(g, [*s.mass.values(), *s.force, *s.z_dot], [s.groups["q"][i]])
        cyclic = all(vanishing(s, list(entries.values()), point))
        # ṗ as Lagrange has it, ∂T/∂q + Q, where this is the same: what cancels in Ṁ u + f is then absent.
        rate = g.add(along_q[j], s.force[j])
        if not by_q:
            by_q = gradient(g, s.scope.copy([kinetic(e.formulation.motion)])[0], s.groups["q"])
            parts = zip(s.scope.copy(applied_forces(e)), s.scope.copy(weight(e)), strict=True)
            applied = [g.sub(a, b) for a, b in parts]
        lagrange = g.add(g.add(by_q[i], applied[j]), s.groups["tau"][j])
        if vanishing(s, [g.sub(lagrange, rate)], point)[0]:
            rate = lagrange
        symmetry = _symmetry(s, point, Q(s.layout.q[i]), momenta[j], rate, cyclic)
        if cyclic or symmetry.conserved:
            yield symmetry


def _momenta_and_energy(s: StateEquations, point: OperatingPoint) -> Iterator[tuple[str, Node, Node]]:
    """Name, node and rate of linear momentum, angular momentum about the ground's origin and about the mass centre, all
    along the ground's axes, where they are not zero; and of the energy."""

    def rates(nodes: list[Node]) -> list[Node]:
        return jvp(s.graph, nodes, dict(zip(s.x, s.x_dot, strict=True)) | {s.groups["t"][0]: s.graph.one})

    motion = s.e.formulation.motion
    whole, inertia = whole_momentum(motion), total(s.e)
    vectors = [("linear momentum along", whole.linear), ("angular momentum about the ground's", whole.angular)]
    if inertia.m != s.e.graph.zero:
        inner = whole.angular - centre(inertia).cross(whole.linear)
        vectors.append(("angular momentum about the mass centre along", inner))
    for what, vector in vectors:
        nodes = s.scope.copy(list(vector.c))
        for axis, node, rate in zip("xyz", nodes, rates(nodes), strict=True):
            if not vanishing(s, [node], point)[0]:
                yield f"{what} {axis}", node, rate
    T, V = s.scope.copy([kinetic(motion), potential(motion)])
    energy = s.graph.add(T, V)
    yield "energy", energy, rates([energy])[0]
