"""The list of a flexible body's modes, as text and as a table for notebooks."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike

from freebody.drawing import DrawnMode
from freebody.errors import ModelError
from freebody.fem.deformable_mesh import DeformableMesh
from freebody.fem.modal_data import BodyMode, ModalData
from freebody.fem.orthonormal import Damping, orthonormal
from freebody.numeric import as_integer
from freebody.rounding import rounded_together
from freebody.tables import TableRepr, TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = (
    "mode", "kind", "rad/s", "Hz", "damping ratio", "effective mass x", "y", "z [kg]", "effective inertia x", "y",
    "z [kg·m²]",
)  # fmt: skip
DRAWN = 12
"""Modes in a picture."""


class View(Protocol):
    """A 3D view: notebooks show it, ``open()`` shows it in the browser, ``save("view.html")`` writes its page."""

    def save(self, path: str | Path) -> Path: ...
    def open(self) -> None: ...


class ModePictures(Protocol):
    """Draws the shapes of modes."""

    def plot(self, shapes: Sequence[DrawnMode], path: str | Path | None) -> "Figure":
        """A figure, which is also written to a path."""

    def animate(self, shapes: Sequence[DrawnMode], path: str | Path | None) -> Path | View:
        """A page that is written to a path, or a view."""


class ModeTable(TableRepr, Sequence[BodyMode]):
    """Modes with the body's frame fixed, by ascending frequency. Effective mass along an axis is the mass that moves
    with a mode if the frame moves along this axis; the masses of all modes of a body add up to what can move.
    Quasi-static modes are listed with the frequency and damping ratio that the equations contain."""

    columns = COLUMNS
    _pictures: ClassVar[ModePictures]

    def __init__(self, names: Sequence[str], modes: Sequence[BodyMode], drawing: DeformableMesh | None = None) -> None:
        self.names, self._modes, self.drawing = tuple(names), tuple(modes), drawing

    @classmethod
    def draw_with(cls, pictures: ModePictures) -> None:
        """What draws the modes of all tables; ``freebody.api`` sets it, because models do not know the viewer."""
        cls._pictures = pictures

    @classmethod
    def of_body(cls, names: Sequence[str], data: ModalData) -> "ModeTable":
        """The modes of a body whose modal coordinates have these names. If its coordinates are displacements of nodes,
        the modes are numbered."""
        if data.modes or not data.n:
            return cls(names, data.modes, data.drawing)
        data = orthonormal(data, [""] * data.n, Damping())
        return cls([str(k + 1) for k in range(data.n)], data.modes, data.drawing)

    def __len__(self) -> int:
        return len(self._modes)

    @overload
    def __getitem__(self, index: int) -> BodyMode: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[BodyMode, ...]: ...

    def __getitem__(self, index: int | slice) -> BodyMode | tuple[BodyMode, ...]:
        return self._modes[index]

    def __iter__(self) -> Iterator[BodyMode]:
        return iter(self._modes)

    @property
    def frequencies(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The angular frequencies in rad/s."""
        return np.array([mode.frequency for mode in self._modes])

    def shapes(self, modes: int | None = None, body: str = "") -> list[DrawnMode]:
        """The shapes of the first modes (default: all), for pictures; titles begin with the name of the body."""
        if modes is not None and ((as_integer(modes) or 0) < 1):
            raise ModelError(f"modes: the number of modes to draw is a positive integer, not {modes!r}")
        mesh, shown = self.drawing, list[DrawnMode]()
        for k, mode in enumerate(self._modes[:modes]):
            if mesh is None or not len(mesh.points):
                raise ModelError(f"{body or 'the body'} has no points to draw: it has neither nodes nor a mesh")
            title = f"{body} {self.names[k]}  {mode.label}".strip() + f"  {mode.frequency / (2 * np.pi):.4g} Hz"
            shown.append(DrawnMode(title, mesh.points, mesh.shapes[:, :, k], mesh.lines, mesh.triangles))
        return shown

    def plot(self, path: str | Path | None = None, modes: int = DRAWN) -> "Figure":
        """A matplotlib figure of the shapes of the first modes, deformed over undeformed; written to ``path`` (png,
        svg, pdf) if one is given."""
        return self._pictures.plot(self.shapes(modes), path)

    def animate(self, path: str | Path | None = None, modes: int = DRAWN) -> Path | View:
        """The shapes of the first modes in 3D, one at a time, as one self-contained page (.html). Without a path it
        returns a view, which a notebook shows; outside of notebooks it also opens it in the browser."""
        return self._pictures.animate(self.shapes(modes), path)

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of the table."""
        rows, masses = [], masses_and_inertias([mode.effective_mass for mode in self._modes])
        for name, mode, moved in zip(self.names, self._modes, masses, strict=True):
            numbers = mode.frequency, mode.frequency / (2 * np.pi), mode.damping, *moved
            rows.append((name, mode.label, *(f"{x:.4g}" for x in numbers)))
        return rows

    def _table(self) -> TextTable:
        return TextTable("", COLUMNS, tuple(self.rows()))


def masses_and_inertias(effective: Sequence[ArrayLike]) -> list[tuple[float, ...]]:
    """The effective masses along x, y, z and inertias about them of each mode of a body, with rounding errors as 0."""
    table = np.reshape(np.asarray(effective, float), (len(effective), 6))
    parts = (np.reshape(rounded_together(list(part.ravel())), part.shape) for part in (table[:, 3:], table[:, :3]))
    return [tuple(row) for row in np.hstack([*parts])]
