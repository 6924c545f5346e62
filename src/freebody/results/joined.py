"""What changed where a run continues that of another system."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class MomentaAndEnergies(NamedTuple):
    """Linear momentum, angular momentum about the ground's origin, kinetic and potential energy."""

    linear: Array
    angular: Array
    kinetic: float
    potential: float


@dataclass(frozen=True, eq=False)
class Joined:
    """The change from the end of a run of another ``system`` to the first row of this one: the states that were
    ``taken`` from it, ``given``, and that ``left``; ``parameters`` with other values; momenta and energies ``before``
    and ``after``. Bodies that join or leave bring and take their own."""

    system: str
    taken: tuple[str, ...]
    given: tuple[str, ...]
    left: tuple[str, ...]
    parameters: Mapping[str, tuple[float, float]]
    before: MomentaAndEnergies
    after: MomentaAndEnergies

    @property
    def change(self) -> MomentaAndEnergies:
        """After less before."""
        a, b = self.after, self.before
        return MomentaAndEnergies(
            a.linear - b.linear, a.angular - b.angular, a.kinetic - b.kinetic, a.potential - b.potential
        )

    def __str__(self) -> str:
        parts = [f"{len(self.taken)} states of '{self.system}'"]
        parts += [f"{len(self.given)} given"] if self.given else []
        parts += [f"{len(self.left)} left"] if self.left else []
        parts += [f"{name} {old:g} → {new:g}" for name, (old, new) in self.parameters.items()]
        linear, angular, kinetic, potential = self.change
        p, L = np.linalg.norm(linear), np.linalg.norm(angular)
        return (
            f"{', '.join(parts)}; momentum changes by {p:.3g} kg·m/s, angular momentum by {L:.3g} kg·m²/s,"
            f" kinetic energy by {kinetic:.3g} J, potential energy by {potential:.3g} J"
        )
