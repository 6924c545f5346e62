"""The base class of descriptions of flexible bodies. A description computes the modal data of a body from its fields,
which are numbers: modal data contains no symbols."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np

from freebody.errors import FieldError, ModelError
from freebody.model.element import Element, Family, field, normal_form
from freebody.model.flexible.modal_data import Array, ModalData
from freebody.model.flexible.orthonormal import Damping
from freebody.model.kinds import ListOf, Number, Scope
from freebody.scalar.graph import Graph

FLEXIBLE = Family("flexible body", tag="type")
"""All descriptions of flexible bodies by name; filled in ``flexible/__init__.py``."""

Modes = int | Mapping[str, int] | None
"""How many modes: the lowest ones, or a number for each kind; None for all that the description has."""


@dataclass(frozen=True, eq=False)
class FlexibleDescription(Element, ABC):
    """A description of a flexible body. Damping is D = diag(2 ζ ω) + a M + b K."""

    _: KW_ONLY
    damping: Any = field(ListOf(Number(), alone=True), "damping ratio ζ of all modes, or of each", default=None)
    rayleigh: Any = field(ListOf(Number(), 2), "a and b of the damping a M + b K", default=None, unit="1/s, s")
    preload: Any = field(ListOf(Number()), "constant generalised force on each mode", default=None)

    def modal_data(self, modes: Modes = None) -> ModalData:
        """The modal data with this number of modes. Modes are orthonormal and sorted by frequency."""
        from freebody.model.joints.base import GraphScope  # joints use modal data

        if isinstance(modes, Mapping):
            for kind, number in modes.items():
                _check_count(number, f"modes: the number of '{kind}' modes")
        elif modes is not None:
            _check_count(modes, "modes: the number of modes")
        return normal_form(self, GraphScope(Graph()), late=False).compute(modes)

    @abstractmethod
    def compute(self, modes: Modes) -> ModalData:
        """The modal data of a description in normal form."""

    def finalise(self, scope: Scope) -> Self:
        for zeta in self.damping or ():
            if zeta < 0:
                raise FieldError(f"a damping ratio of {zeta:g} is negative; it would add energy", "damping")
        for x in self.rayleigh or ():
            if x < 0:
                raise FieldError(f"{x:g} is negative; damping a M + b K needs a ≥ 0 and b ≥ 0", "rayleigh")
        return self

    @property
    def damping_law(self) -> Damping:
        """The damping in normal form."""
        return Damping(self.damping or (), self.rayleigh or (0.0, 0.0))

    def modal_preload(self, n: int) -> Array:
        """The preload of each of n modes."""
        if self.preload is None:
            return np.zeros(n)
        if len(self.preload) != n:
            raise FieldError(f"there are {n} modes and {len(self.preload)} generalised forces; give one for each mode",
                             "preload")  # fmt: skip
        return np.array(self.preload)


def _check_count(value: Any, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ModelError(f"{what} must be an integer that is not negative, not {value!r}")
