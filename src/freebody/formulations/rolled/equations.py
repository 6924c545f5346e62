"""Equations whose accelerations and forces are computed by loops over bodies."""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.derivation import Catalogue, Derivation, InsertLaws
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
        self.programs = _Catalogue(self)

    def program(self, name: str) -> Program:
        """A quantity's program."""
        return self.programs[name]

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

    def needed(self, assembly: Assembly, rates: Sequence[int] = ()) -> list[int]:
        """The generalised forces that make u̇ happen; without u̇, f of M u̇ = f + tau."""
        if not self.layout.u:
            return []
        result = Sweeps(self.bodies, assembly, False).inverse(rates)
        return [assembly.read(result, k) for k in range(result.rows)]


class _Catalogue(Catalogue):
    """The catalogue of ``Rolled``."""

    def __getitem__(self, name: str) -> Program:
        e = self.equations
        assert isinstance(e, Rolled)
        if name in ("bias", "inverse_dynamics") and name not in self._made:
            a = e.assembly(name, *["u_dot"][: name != "bias"])
            found = e.needed(a, [] if name == "bias" else e.accelerations)
            a.output("f" if name == "bias" else "tau", found)
            self._made[name] = a.program()
        return super().__getitem__(name)
