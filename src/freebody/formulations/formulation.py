"""The contract of a formulation: one way to the equations of motion."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from freebody.formulations.solve import solved
from freebody.tree.motion import Motion

Entry = tuple[int, int]
Speeds = Literal["standard", "mass-centre"]


class Formulation(ABC):
    """M and f of M u̇ = f + tau, as nodes of the motion's graph. The speeds u are the model's unless a formulation has
    its own: then it also gives q̇ and the model's speeds as functions of them, and the way back. One that knows a
    shorter way than through M gives u̇ or tau itself."""

    motion: Motion
    speeds: Speeds = "standard"
    recursive: ClassVar[bool] = False
    """Whether ``forward`` gives u̇ without M."""

    @property
    @abstractmethod
    def mass(self) -> Mapping[Entry, int]:
        """M's lower triangle; entries that are structurally zero are absent."""

    @property
    @abstractmethod
    def force(self) -> Sequence[int]:
        """f: the generalised forces that remain when all u̇ and tau are zero."""

    @property
    def q_dot(self) -> Sequence[int]:
        """q̇ from (q, u)."""
        return self.motion.forest.layout.q_dot

    @property
    def standard(self) -> Sequence[int]:
        """The model's speeds from (q, u)."""
        return self.motion.forest.layout.u_handles

    def from_standard(self, q: Sequence[int], u: Sequence[int]) -> Sequence[int]:
        """The speeds used here from the model's."""
        return u

    def forward(self, tau: Sequence[int] = ()) -> Sequence[int]:
        """u̇ under generalised forces tau: M⁻¹ (f + tau), unless the formulation is recursive."""
        g = self.motion.graph
        return solved(g, self.mass, [g.add(f, t) for f, t in zip(self.force, tau, strict=True)] if tau else self.force)

    def inverse(self, accelerations: Sequence[int]) -> Sequence[int] | None:
        """The generalised forces tau that make these u̇ happen, without M; None where M u̇ − f is the way."""
        return None
