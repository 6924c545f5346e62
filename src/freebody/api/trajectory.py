"""A run as users hold it: what results keep, and pictures of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from freebody.results import trajectory

if TYPE_CHECKING:
    from freebody.api.equations import Equations


class Trajectory(trajectory.Trajectory):
    """The motion of a system: everything by name, files, pictures. ``equations`` are those it was made with; a run
    from a file has none."""

    equations: "Equations | None" = None

    def __getstate__(self) -> dict[str, Any]:
        """Without the equations, which stay in their process."""
        return {name: value for name, value in vars(self).items() if name != "equations"}

    def at(self, t: ArrayLike) -> Self:
        made = super().at(t)
        made.equations = self.equations
        return made

    def plot(self, *names: str, path: str | Path | None = None, groups: Sequence[str] = ()) -> Any:
        """A matplotlib figure of the named variables, or of coordinates, speeds, energies and outputs; written to
        ``path`` (png, svg, pdf) if one is given."""
        from freebody.viewer.plots import plot

        return plot(self, names, path=path, groups=groups)

    def report(self, path: str | Path) -> Path:
        """One self-contained page (.html) of the run: summary, plots, events, the system's tree and tables, what drove
        it, and, unless the run comes from a file, its equations of motion and what they cost."""
        from freebody.report.page import page_of_run, target, write

        file, e = target(path), self.equations
        return write(page_of_run(self) if e is None else page_of_run(self, e.catalogue, e.values), file)
