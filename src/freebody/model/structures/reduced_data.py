"""A structure after its reduction: modal data, points for drawing, and a record of how it was reduced"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FileError
from freebody.model.flexible.content import content_digest, encoded
from freebody.model.flexible.deformable_mesh import DeformableMesh
from freebody.model.flexible.modal_data import ModalData
from freebody.model.flexible.orthonormal import check_damping
from freebody.tables import ShortRepr

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class FrequencyResponse(ShortRepr):
    """Displacements by unit forces, of the whole structure and of the reduced one."""

    frequencies: Array  # rad/s
    labels: tuple[str, ...]  # of each response: "tip y by tip y"
    full: Array  # (frequencies, responses), absolute values
    reduced: Array

    @property
    def error(self) -> Array:
        """The largest difference of the responses at each frequency, relative to the largest response there."""
        difference = np.abs(self.full - self.reduced).max(1)
        return np.asarray(difference / self.full.max(1))


@dataclass(frozen=True)
class ReductionRecord:
    """How a structure was reduced, and its checks."""

    source: str  # name of the structure
    method: str  # "craig-bampton", "craig-chang", "modal", or where the data is from
    unknowns: int  # of the structure
    frame: str  # interface at the body's frame; "" if the frame floats
    interfaces: tuple[str, ...]
    normal_modes: int  # modes of vibration; the others are static shapes
    mass: float
    mass_centre: tuple[float, ...]  # from the structure's origin
    residuals: tuple[float, ...]  # forces of six rigid motions, relative to their terms
    rigid_frequencies: tuple[float, ...] = ()  # of the six rigid motions in the reduced matrices, rad/s
    elastic_frequency: float = 0.0  # lowest frequency of the free structure in the reduced matrices, rad/s
    stiffening: bool = False  # whether geometric stiffening is in the data


@dataclass(frozen=True, eq=False, repr=False)
class ReducedData(ShortRepr):
    """A reduced structure."""

    data: ModalData  # orthonormal modes without damping: M_ff = 1, K = diag(ω²)
    mesh: DeformableMesh
    record: ReductionRecord
    response: FrequencyResponse | None = field(default=None)
    file: str = ""  # name of the file that it was read from, as the model file has it

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digits, equal for equal modal data; kinds of modes, drawing, record and file do not count."""
        data = self.data
        arrays = [data.c0, data.E, data.C, data.F0, data.F1, data.J0, data.J1, data.J2, data.M_ff, data.K, data.D]
        arrays += [data.preload]
        for node in data.nodes.values():
            arrays += [node.position, node.translations, node.second] + ([] if node.slopes is None else [node.slopes])
        rotates = [node.slopes is not None for node in data.nodes.values()]
        return content_digest([data.m, [*data.nodes], rotates, [a + 0.0 for a in arrays]]).hex()  # −0.0 equals 0.0

    @cached_property
    def content(self) -> bytes:
        """Bytes that are equal for equal modal data and drawing."""
        kinds = [mode.kind for mode in self.data.modes]
        return content_digest([self.digest, kinds, self.data.outline, self.mesh])


def check_body(data: ModalData) -> None:
    """Raise if the inertia or the damping is not that of a body."""
    from freebody.model.flexible.modal_integrals import ModalIntegrals

    arrays: dict[str, Any] = {key: getattr(data, key) for key in ("c0", "J0", "E", "F0", "M_ff", "J1", "J2", "C")}
    with np.errstate(all="ignore"):  # numbers that are not finite are refused
        ModalIntegrals(m=data.m, K=data.K, **arrays).normalised()
        check_damping(data.D, "D")


def check_finite(data: ModalData, file: str) -> None:
    """Raise if the modal data that follow from a file are not finite numbers."""
    arrays = [getattr(data, key) for key in ("c0", "E", "C", "F0", "F1", "J0", "J1", "J2", "K", "D", "preload")]
    arrays += [a for node in data.nodes.values() for a in (node.translations, node.slopes, node.second)]
    if not all(np.isfinite(a).all() for a in arrays if a is not None):
        raise FileError("its numbers are too large, or too different, to be computed with", file)


@encoded.register
def _(value: ReducedData) -> bytes:
    return value.content
