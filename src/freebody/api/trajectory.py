"""The result of a run, with pictures and reports."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from freebody.files import write_text
from freebody.results import RunResult
from freebody.results.drawing import Drawing
from freebody.run.recorder import Recorder

if TYPE_CHECKING:
    from freebody.api.equations import Equations


class Trajectory(RunResult):
    """The motion of a system: everything by name, files, pictures. ``equations`` are those that were simulated; a run
    from a file, or from another process, has none."""

    equations: "Equations | None" = None

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: everything except the equations. Where a Python function that cannot be pickled took
        part, what was recorded is included, and the recorder is left out too."""
        state = {name: value for name, value in vars(self).items() if name != "equations"}
        state |= {"_drawing": self.drawing}
        if isinstance(self._recorder, Recorder) and not self._recorder.picklable:
            state |= {"_recorder": None, "_recorded": dict(self.recorded), "_sides": dict(self.sides)}
            state |= {"statistics": self.statistics, "knots": self.refined()}
        return state

    def __copy__(self) -> Self:
        return self._with_state(vars(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A copy with its own arrays. Equations and programs never change and are shared."""
        from copy import deepcopy

        shared = ("equations", "_recorder")
        return self._with_state({k: v if k in shared else deepcopy(v, memo) for k, v in list(vars(self).items())})

    def _with_state(self, state: Mapping[str, Any]) -> Self:
        copy = type(self).__new__(type(self))
        copy.__dict__.update(state)
        return copy

    def at(self, t: ArrayLike) -> Self:
        run = super().at(t)
        run.equations = self.equations
        return run

    @property
    def drawing(self) -> Drawing | None:
        """What pictures need to know of the system."""
        if self._drawing is None and self.equations is not None:
            from freebody.run.drawing import drawing

            self._drawing = drawing(self.equations.derivation, self.about.parameters)
        return self._drawing

    def plot(self, *names: str, path: str | Path | None = None, groups: Sequence[str] = ()) -> Any:
        """A matplotlib figure of the named variables, or of coordinates, speeds, energies and outputs; written to
        ``path`` (png, svg, pdf) if one is given. Curves of one unit share a panel unless one would flatten another."""
        from freebody.viewer.plots import plot

        return plot(self, names, path=path, groups=groups)

    def report(self, path: str | Path) -> Path:
        """One self-contained page (.html) of the run: summary, plots, events, the system's tree and tables, the
        laws of its inputs, and, unless the run comes from a file, its equations of motion and their cost."""
        from freebody.report.page import page_of_run, target

        file, e = target(path), self.equations
        text = page_of_run(self) if e is None else page_of_run(self, e.derivation, e.values)
        return write_text(file, text)
