"""Flexible bodies that were reduced from finite elements"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.errors import ModelError
from freebody.model.element import field
from freebody.model.flexible.base import FlexibleDescription, Modes
from freebody.model.flexible.modal_data import ModalData
from freebody.model.kinds import FieldKind
from freebody.model.structures.reduced_data import ReducedData


@dataclass(frozen=True, eq=False)
class ReducedBody(FlexibleDescription):
    """A body that was reduced from finite elements, by ``structure.reduce(…)`` or read from a file."""

    reduced: ReducedData = field(FieldKind(), "its modal data", derived=True)
    kind: ClassVar[str] = "reduced"

    @property
    def node_names(self) -> Sequence[str]:
        return list(self.reduced.data.nodes)

    def compute(self, modes: Modes) -> ModalData:
        data = self.reduced.data
        if isinstance(modes, Mapping):
            raise ModelError("modes: kinds of modes are known for beams only; give their number")
        if modes is not None and modes > data.n:
            raise ModelError(f"modes: there are {data.n} modes, not {modes}; ask for fewer, or reduce with more")
        return self.orthonormal(data, [mode.kind for mode in data.modes], modes)
