"""Sayers' formulation, in the model's speeds or in his: these are a change of variables around a derivation, by the
model's speeds as functions of those in use, and the other way round."""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.derivation import Derivation, MatrixSolver
from freebody.formulations.entries import STANDARD, DeriveOptions, FormulationEntry, Growth
from freebody.model.accelerations import accelerations_in
from freebody.model.model import Model
from freebody.papers.sayers import Sayers
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.node import Node
from freebody.scalar.walk import substitute
from freebody.tree.tree import span


class OwnSpeeds(Derivation):
    """Sayers' equations in his speeds. What the model expresses in its own speeds, such as constraints, energies and
    outputs, is converted."""

    def __init__(self, sayers: Sayers, small: Sequence[str] = (), solver: MatrixSolver | None = None) -> None:
        super().__init__(sayers, small, solver)
        self.sayers = sayers

    @property
    def has_standard_speeds(self) -> bool:
        """Whether his speeds are the model's, as those of a body with its mass centre on its joint's axis."""
        return self.standard == list(self.layout.u_handles)

    @cached_property
    def standard(self) -> list[Node]:
        return list(self.sayers.standard)

    @property
    def from_standard(self) -> list[Node]:
        return self.sayers.from_standard(self.layout.q_handles, self.layout.u_handles)

    def in_own_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        with_rates = bool(accelerations_in(self.graph, nodes))
        nodes = super().in_own_speeds(nodes)
        if self.has_standard_speeds:
            return nodes
        own = dict(zip(self.layout.u_handles, self.standard, strict=True))
        own |= dict(zip(self.accelerations, self._standard_rates, strict=True)) if with_rates else {}
        return substitute(self.graph, nodes, own)

    @cached_property
    def _standard_rates(self) -> list[Node]:
        """The rates of the model's speeds as functions of the speeds in use and their rates."""
        state = (*self.layout.q_handles, *self.layout.u_handles)
        seeds = dict(zip(state, (*self.q_dot, *self.accelerations), strict=True))
        return jvp(self.graph, self.standard, {**seeds, self.tree.t: self.graph.one})

    @cached_property
    def _jacobian(self) -> list[list[Node]]:
        if self.has_standard_speeds:
            return super()._jacobian
        entries, n = jacobian(self.graph, self._velocities, self.layout.u_handles), len(self.layout.u)
        return [[entries.get((i, j), self.graph.zero) for j in range(n)] for i in range(len(self._velocities))]

    @cached_property
    def _gamma(self) -> list[Node]:
        if self.has_standard_speeds:
            return super()._gamma
        states = self.tree.model.states.values()
        seeds = dict(zip(self.layout.q_handles, self.q_dot, strict=True)) | {self.tree.t: self.graph.one}
        seeds |= {state.symbol.handle: rate for state, rate in zip(states, self.state_rates, strict=True)}
        return [self.graph.neg(x) for x in jvp(self.graph, self._velocities, seeds)]


def equations(model: Model, options: DeriveOptions) -> Derivation:
    """Sayers' equations in the standard speeds or in his; u̇ from M and f by a solver."""
    standard = options.speeds == STANDARD
    matrices = None if options.solver is None else options.solver.matrices_of("sayers")
    sayers = Sayers(span(model, staged=standard), options.speeds)
    return Derivation(sayers, options.small, matrices) if standard else OwnSpeeds(sayers, options.small, matrices)


FORMULATION = FormulationEntry(
    "sayers", equations, frozenset({"small", "solver", "speeds", "omit"}), Growth(2, seconds=1.9e-4, bytes=4.5e3)
)
