"""A run as users hold it: what results keep, and pictures of it."""

import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from freebody.files import write_text
from freebody.results import RunResult
from freebody.run.calls import functions
from freebody.run.recorder import Recorder

if TYPE_CHECKING:
    from freebody.api.equations import Equations


class Trajectory(RunResult):
    """The motion of a system: everything by name, files, pictures. ``equations`` are those it was made with; a run
    from a file, or from another process, has none."""

    equations: "Equations | None" = None

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: all but the equations, which stay in their process. Where a Python function that cannot
        be pickled took part, what was recorded goes along, and the means to record more stay behind too."""
        state = {name: value for name, value in vars(self).items() if name != "equations"}
        if not _travels(self._recorder):
            state |= {"_recorder": None, "_recorded": dict(self.recorded), "_sides": dict(self.sides)}
            state["knots"] = self.refined()
        return state

    def __copy__(self) -> Self:
        return self._like(vars(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """With arrays of its own. Equations and programs never change and are shared."""
        shared = ("equations", "_recorder")
        from copy import deepcopy

        return self._like({k: v if k in shared else deepcopy(v, memo) for k, v in list(vars(self).items())})

    def _like(self, state: Mapping[str, Any]) -> Self:
        made = type(self).__new__(type(self))
        made.__dict__.update(state)
        return made

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
        from freebody.report.page import page_of_run, target

        file, e = target(path), self.equations
        text = page_of_run(self) if e is None else page_of_run(self, e.derivation, e.values)
        return write_text(file, text)


def _travels(recorder: Any) -> bool:
    """Whether a recorder can go to another process: only users' functions may be in its way."""
    if not isinstance(recorder, Recorder):
        return True
    try:
        pickle.dumps(functions(recorder.plant))
    except Exception:  # pickling a function may raise anything
        return False
    return True
