"""The result of a run, with pictures and reports."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody import files
from freebody.drawing import Drawing
from freebody.errors import ArgumentError, FreebodyError
from freebody.keywords import hint_keywords
from freebody.names import INPUT
from freebody.results import RunResult
from freebody.run.arguments import boolean, number
from freebody.run.held_names import held_columns
from freebody.run.inputs import InputValues
from freebody.run.recorder import Recorder
from freebody.tables import listed

if TYPE_CHECKING:
    from freebody.api.compiled import Compiled
    from freebody.api.equations import Equations
    from freebody.run.initial import InitialValues
    from freebody.viewer.page_view import PageView
    from freebody.viewer.scene import Scene

Array = NDArray[np.float64]
FEW = 60
"""The number of bodies up to which pictures show reactions by default, and notebooks the motion."""
PICTURE = (1200, 800)
"""The size of a picture in pixels."""


@hint_keywords
class Trajectory(RunResult):
    """The motion of a system: everything by name, files, pictures. ``equations`` are those that were simulated; a run
    from a file, or from another process, has none."""

    equations: "Equations | None" = None
    laws: InputValues = None
    """The inputs that the run was passed."""

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: everything except the equations. Where a Python function that cannot be pickled took
        part, what was recorded is included, and the recorder is left out too."""
        state = {name: value for name, value in vars(self).items() if name not in ("equations", "laws")}
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

        shared = ("equations", "laws", "_recorder")
        return self._with_state({k: v if k in shared else deepcopy(v, memo) for k, v in list(vars(self).items())})

    def _with_state(self, state: Mapping[str, Any]) -> Self:
        copy = type(self).__new__(type(self))
        copy.__dict__.update(state)
        return copy

    def at(self, t: ArrayLike) -> Self:
        run = super().at(t)
        run.equations, run.laws = self.equations, self.laws
        return run

    def integrate_omitted(
        self, q: "InitialValues" = None, eq: "Equations | None" = None, inputs: InputValues = None
    ) -> "Trajectory":
        """The run with all coordinates: those that ``derive(omit=…)`` left out are integrated over the motion of the
        others, from the initial values of their joints or from those of ``q``, ``{"bus.x": 2.0}``. Their error is of
        the size of the run's own. A run from a file needs the equations ``eq`` that were simulated, and the ``inputs``
        that it was passed."""
        from freebody.run.omitted import with_omitted_coordinates

        e, context = eq or self.equations, f"run of {self.about.system}"
        if not self.about.omitted:
            raise ArgumentError(f"{context}: no coordinates are omitted from it")
        if e is None:
            raise ArgumentError(
                f"{context}: integrate_omitted needs the equations, which a run from a file or from another process"
                f" does not have: derive them again, eq=s.derive(omit=[{', '.join(map(repr, self.about.omitted[:2]))},"
                " …]), and pass eq=eq, and inputs=… as the run had them"
            )
        model = e.derivation.tree.model
        if model.omitting(self.about.omitted).digest != self.about.digest:
            raise ArgumentError(
                f"{context}: eq are equations of another system, {model.name}, or of one that was changed; derive those"
                " of the system that was simulated"
            )
        laws = self.laws if inputs is None else inputs
        if laws is None and e.derivation.layout.user_inputs:
            raise ArgumentError(
                f"{context}: integrate_omitted needs the inputs of the run, inputs={{…}}, which it does not have: it is"
                " from a file, from another process or of a simulator"
            )
        full = e.with_all_coordinates()
        f = full.compile(parameters=self.about.parameters)
        run = type(self)(**with_omitted_coordinates(self, full.derivation, f.q_dot, q, laws))
        run.equations, run.laws = full, laws
        return run

    @property
    def drawing(self) -> Drawing | None:
        """What pictures need to know of the system."""
        if self._drawing is None and self.equations is not None:
            from freebody.run.drawing import drawing

            self._drawing = drawing(self.equations.derivation, self.about.parameters)
        return self._drawing

    def _repr_html_(self) -> str:
        """The summary and, unless there are many bodies, the motion in 3D."""
        from freebody.viewer.scene_file import frame_element

        summary = super()._repr_html_()
        if not len(self) or not 0 < len(self.about.elements) <= FEW:
            return summary
        try:
            return summary + frame_element(self._scene((), reactions=False))
        except FreebodyError:  # what a notebook shows must not fail; run.animate says what is wrong
            return summary

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """The force and the torque of each joint on its body along the body's axes at its origin, ``upper.force`` and
        ``upper.torque``, of closures on their second body likewise, and drive forces; at the saved times. Where the
        motion does not determine them they are those of least norm (``least_norm_reactions``). They need the equations,
        which a run from a file does not have."""
        e = self.equations
        if e is None:
            raise ArgumentError(
                f"run of {self.about.system}: its reactions need the equations, which a run from a file or from another"
                " process does not have; simulate again"
            )
        layout, values = e.derivation.layout, dict(self.about.parameters)
        f: Compiled = e.derivation.memo.get(("reactions", *values.values()), lambda: e.compile(parameters=values))
        nq, nu = len(layout.q), len(layout.u)
        q, u, z = np.split(self.x, [nq, nq + nu], axis=1)
        u_dot = self.recorded["x_dot"][:, nq : nq + nu]
        columns = [self[INPUT(n)] for n in layout.user_inputs]
        if self.held_rows is not None and self.held_steps is not None:
            held = dict(zip(self.held_steps.names, self.held_rows.T, strict=True))
            names = held_columns(e.derivation)
            columns += [held[names[name]] for name in layout.held]
        inputs = np.stack(columns, axis=1) if columns else np.zeros((len(self), 0))
        multipliers = f.multipliers(q, u, t=self.t, z=z, inputs=inputs) if self.about.constraints else None
        shared = any(c.undetermined for c in self.about.constraints)
        compute = f.least_norm_reactions if shared else f.reactions
        found = compute(q, u, u_dot, t=self.t, z=z, inputs=inputs, multipliers=multipliers)
        return {name: values for name, values in found.items() if not name.endswith(".multipliers")}

    @overload
    def animate(
        self,
        path: str | Path,
        *,
        t: float | None = None,
        size: tuple[int, int] | None = None,
        meshes: Sequence[str | Path] = (),
        reactions: bool | None = None,
        deformation: float = 1.0,
    ) -> Path: ...

    @overload
    def animate(
        self,
        path: None = None,
        *,
        t: float | None = None,
        size: tuple[int, int] | None = None,
        meshes: Sequence[str | Path] = (),
        reactions: bool | None = None,
        deformation: float = 1.0,
    ) -> "PageView": ...

    def animate(
        self,
        path: str | Path | None = None,
        *,
        t: float | None = None,
        size: tuple[int, int] | None = None,
        meshes: Sequence[str | Path] = (),
        reactions: bool | None = None,
        deformation: float = 1.0,
    ) -> "Path | PageView":
        """The motion in 3D as one self-contained page (.html), which any current browser opens; or a picture (.png) at
        the time ``t`` (default: the end), ``size`` pixels wide and high (1200, 800), by a browser of the Chromium
        family. Without a path it returns a view, which a notebook shows (``size``: of its frame); outside of notebooks
        it also opens it in the browser.

        Shapes that were not given are made up from the model, and the legend says so. ``meshes`` are folders in which
        the files of meshes are searched. ``reactions`` adds the reactions of joints and closures as arrows (default:
        where the equations are known and there are at most 60 bodies). A page begins at ``t`` (default: the start).
        Flexible bodies are drawn with ``deformation`` times their deformation; the page states a factor other than 1.
        """
        from freebody.viewer.browser import check_size, take_picture
        from freebody.viewer.page_view import write_or_show
        from freebody.viewer.scene_file import page
        from freebody.viewer.scene_of_run import with_deformation

        target = None if path is None else files.target(path, "a moving picture", (".html", ".htm", ".png"))
        pixels, when = check_size(size or PICTURE), None if t is None else float(self.at(number(t, "t")).t[0])
        scene = with_deformation(self._scene(meshes, reactions), deformation)
        if target is None or target.suffix.lower() != ".png":
            return write_or_show(scene, target, when, None if size is None else pixels)
        shown = page(scene, bare=True, t=float(self.t[-1]) if when is None else when)
        return files.write(target, lambda draft: take_picture(shown, draft, pixels))

    def _scene(self, meshes: Sequence[str | Path], reactions: bool | None = None) -> "Scene":
        """The scene of the run for the viewer; see ``animate``."""
        from freebody.viewer.picture_times import with_picture_times
        from freebody.viewer.scene_of_run import scene_of_run

        if self.about.omitted:
            raise ArgumentError(
                f"run of {self.about.system}: a picture needs all coordinates, and {listed(self.about.omitted)} are"
                " omitted; run.integrate_omitted() computes them"
            )
        folders = files.folders_of(meshes)
        run, notes = with_picture_times(self)
        few = self.equations is not None and len(self.about.elements) <= FEW
        forces = run.reactions if (few if reactions is None else boolean(reactions, "reactions")) else {}
        return scene_of_run(run, forces, folders, notes)

    def plot(self, *names: str, path: str | Path | None = None, groups: Sequence[str] = (), ax: Any = None) -> Any:
        """A matplotlib figure of the named variables, or of coordinates, speeds, energies and outputs; written to
        ``path`` (png, svg, pdf) if one is given. Curves of one unit share a panel unless one would flatten another.

        With ``ax`` it draws into axes of your own figure, and returns them: all names into one axes, or one name into
        each of a sequence of axes (``ax=axes``). Lines have the names of the variables as labels.
        """
        from freebody.viewer.plots import plot

        for name in names:
            if isinstance(name, str) and name.endswith((".png", ".svg", ".pdf")) and name not in self:
                raise ArgumentError(f"run.plot: names of variables come first; to write a picture, path='{name}'")
        if ax is not None:
            from freebody.viewer.user_axes import plot_into

            if path is not None:
                raise ArgumentError(
                    "run.plot(path=…) writes a figure of its own; with ax=…, save the figure of your"
                    " axes: figure.savefig(path)"
                )
            plot_into(self, ax, names, groups)
            return ax
        return plot(self, names, path=path, groups=groups)

    def report(self, path: str | Path, *, meshes: Sequence[str | Path] = ()) -> Path:
        """One self-contained page (.html) of the run: the motion in 3D as by ``animate``, summary, plots, events, the
        system's tree and tables, the laws of its inputs, and, unless the run comes from a file, its equations of motion
        and their cost. ``meshes`` are folders in which the files of meshes are searched."""
        from freebody.report.page import page_of_run, target
        from freebody.viewer.scene_of_run import with_works

        file, e = target(path), self.equations
        seen = bool(self.about.elements) and bool(np.isfinite(self.x).all(axis=1).any()) and self.drawing is not None
        scene = with_works(self._scene(meshes), self) if seen else None
        derivation, values = (None, None) if e is None else (e.derivation, e.values)
        return files.write_text(file, page_of_run(self, derivation, values, scene))
