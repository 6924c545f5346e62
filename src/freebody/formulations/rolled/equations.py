"""Equations whose accelerations and forces are computed by loops over bodies."""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.derivation import Derivation, InsertLaws
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled.bodies import BodyKinds
from freebody.formulations.rolled.sweeps import Sweeps
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.tree.forest import Forest

MANY, ALIKE = 50, 4
"""Systems of more bodies than the first are better rolled, if a kind has as many as the second (docs/decisions/010)."""


class Rolled(Derivation):
    """Equations of a forest (as ``span`` gives it) whose u̇, f and tau are loops over bodies, each step traced once per
    kind of body; all else is unrolled. Loads, prescribed motions and joint forces are computed in a block before the
    loops."""

    def __init__(self, forest: Forest) -> None:
        super().__init__(Recursive(forest))

    @cached_property
    def bodies(self) -> BodyKinds:
        return BodyKinds(self.forest)

    @property
    def pays(self) -> bool:
        """Whether the forest is better rolled: it has many bodies of few kinds."""
        return len(self.forest.links) > MANY and ALIKE * len(self.bodies.kinds) <= len(self.bodies.clusters)

    def u_dot(self, assembly: Assembly, tau: Sequence[int] = (), insert_laws: InsertLaws = list) -> list[int]:
        """u̇ under generalised forces tau. Laws are inserted in the blocks before the loops."""
        if not self.layout.u:
            return []
        self.bodies.require_inertia()
        result = Sweeps(self.bodies, assembly, True, insert_laws).forward(tau)
        return [assembly.read(result, k) for k in range(result.rows)]

    def derive(self, name: str) -> Program:
        if name not in ("bias", "inverse_dynamics"):
            return super().derive(name)
        a = self.assembly(name, *["u_dot"][: name != "bias"])
        forces = list[int]()
        if self.layout.u:
            result = Sweeps(self.bodies, a, False).inverse([] if name == "bias" else self.accelerations)
            forces = [a.read(result, k) for k in range(result.rows)]
        a.output("f" if name == "bias" else "tau", forces)
        return a.program()
