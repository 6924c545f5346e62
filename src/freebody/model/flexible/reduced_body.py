"""Flexible bodies that were reduced from finite elements"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from freebody import files
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

    @property
    def summary(self) -> str:
        """How the body was reduced, and the checks of the reduction, as text."""
        from freebody.model.structures.reduction_report import summary

        return summary(self.reduced)

    def plot(self, path: Any) -> Path:
        """Draw the frequency response of the whole structure and of the body, with the error, as a picture (.png, .svg
        or .pdf); ``reduce(…, check=…)`` computes it."""
        from freebody.model.structures.reduction_report import response_figure

        if self.reduced.response is None:
            raise ModelError("there is no response to draw: reduce the structure with check=…, the highest frequency"
                             " in rad/s up to which the response is compared")  # fmt: skip
        figure = response_figure(self.reduced.response, self.reduced.record.source)
        target = files.target(path, "a picture", (".png", ".svg", ".pdf"))
        return files.write(target, lambda draft: figure.savefig(draft, format=target.suffix[1:], dpi=130))

    def compute(self, modes: Modes) -> ModalData:
        data = self.reduced.data
        if isinstance(modes, Mapping):
            raise ModelError("modes: kinds of modes are known for beams only; give their number")
        if modes is not None and modes > data.n:
            raise ModelError(f"modes: there are {data.n} modes, not {modes}; ask for fewer, or reduce with more")
        return self.orthonormal(data, [mode.kind for mode in data.modes], modes)
