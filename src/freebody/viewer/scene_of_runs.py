"""Several motions of one system in a scene: modes to choose from, or runs and cases of a sweep as ghosts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.errors import ArgumentError
from freebody.names import POSE_OF
from freebody.results import BodyInfo, RunResult
from freebody.viewer.page_view import PageView, write_or_show
from freebody.viewer.picture_times import with_picture_times
from freebody.viewer.scene import GROUND, Clip, Colour, Scene
from freebody.viewer.scene_of_run import FAR, clip, followed, magnified, poses_of, require_drawing, with_rounding
from freebody.viewer.system_scene import system_scene

Array = NDArray[np.float64]
GHOSTS = 60
"""The most motions that are shown together."""
NUMBERS = 2_000_000
"""The most numbers of poses of all ghosts; they have fewer times where these would be more."""
GREY: Colour = (0.6, 0.6, 0.6)
READABLE = 0.14, 0.94
"""The part of the scale of colours that can be seen on dark and on light pages."""


def animate_modes(
    motions: Mapping[str, RunResult],
    path: str | Path | None,
    captions: Mapping[str, str],
    notes: Sequence[str] = (),
    meshes: Sequence[str | Path] = (),
) -> Path | PageView:
    """Write or show motions that repeat, by name, as a page in which one of them is shown at a time, with its caption:
    how large it is drawn."""
    target = None if path is None else files.target(path, "a moving picture", files.PAGES)
    folders = files.folders_of(meshes)
    first = next(iter(motions.values()))
    known = system_scene(
        first.about,
        require_drawing(first),
        folders=folders,
        count=len(first),
        subtitle="modes",
        poses=poses_of(motions.values()),
    )
    clips = [replace(clip(known, run, name=name, loop=True), note=captions[name]) for name, run in motions.items()]
    return write_or_show(replace(known.scene, clips=clips, notes=[*notes, *known.scene.notes]), target)


def scene_of_runs(
    runs: Mapping[str, RunResult], colors: Sequence[Colour], notes: Sequence[str] = (), folders: Sequence[Path] = ()
) -> Scene:
    """Runs of one system, or of variants of it with the same bodies, by name, all at once, each in its colour."""
    if len({tuple((e.name, _modes(e)) for e in run.about.elements) for run in runs.values()}) > 1:
        raise ArgumentError(
            "these runs are of different systems: their bodies have other names or modes; show each by itself"
        )
    first = max(runs.values(), key=lambda run: len(run.about.variables))
    most = max(50, NUMBERS // max(1, 7 * len(first.about.elements) * len(runs)))
    shown = {name: _at_picture_times(run, most) for name, run in runs.items()}
    count = sum(map(len, shown.values()))
    subtitle = f"{len(runs)} runs" if len(runs) > 1 else ""
    known = system_scene(
        first.about,
        require_drawing(first),
        folders=folders,
        count=count,
        subtitle=subtitle,
        poses=poses_of(shown.values()),
    )
    clips = list[Clip]()
    for (name, run), color in zip(shown.items(), colors, strict=True):
        if _is_finite(run):
            clips.append(clip(known, run, name=name, color=color))
        else:
            notes = [*notes, f"{name} is left out: it has no finite pose"]
    if not clips:
        raise ArgumentError(f"{first.about.system}: none of the runs has a finite pose, so there is nothing to show")
    return replace(
        known.scene,
        clips=clips,
        together=len(clips) > 1,
        notes=[*notes, *known.scene.notes],
        series=with_rounding(known.scene.series, shown.values()),
        flexible=magnified(known.scene, clips),
        follow=GROUND if _part(clips, known.scene.size) else followed(known.scene, clips[0]),
    )


def _part(clips: Sequence[Clip], size: float) -> bool:
    """Whether bodies of several motions move far from each other, so that a camera cannot follow them together."""
    at = np.linspace(0.0, 1.0, 20)
    rows = [c.positions[np.round(at * (len(c.t) - 1)).astype(int)] for c in clips]
    return bool(np.ptp(rows, axis=0).max(initial=0.0) > FAR * size)


def _modes(element: BodyInfo) -> tuple[str, ...]:
    return () if element.flexible is None else element.flexible.coordinates


def _at_picture_times(run: RunResult, most: int) -> RunResult:
    """The run at times for a picture, at most so many; one without rates cannot be interpolated, and some of its saved
    times are chosen."""
    if "x_dot" in run.recorded:
        return with_picture_times(run, most)[0]
    rows = evenly(len(run), most)
    recorded = {key: values[rows] for key, values in run.recorded.items()}
    return RunResult(run.about, run.t[rows], run.x[rows], recorded=recorded, drawing=run.drawing)


def _is_finite(run: RunResult) -> bool:
    poses = [run[POSE_OF(e.name)] for e in run.about.elements]
    return bool(np.isfinite(np.concatenate(poses, axis=1)).all(axis=1).any()) if poses else len(run) > 0


def evenly(count: int, most: int = GHOSTS) -> list[int]:
    """Indices of at most so many, evenly chosen, the first and the last among them."""
    return [int(k) for k in np.unique(np.linspace(0, count - 1, min(count, most)).round())]


def viridis(values: Array) -> list[Colour]:
    """A colour for each value between the smallest and the largest; grey where it is not finite."""
    from matplotlib import colormaps

    finite = np.isfinite(values)
    low, high = (float(f(values[finite])) if finite.any() else 0.0 for f in (np.min, np.max))
    places = (np.where(finite, values, low) - low) / (high - low or 1.0)
    rows = colormaps["viridis"](READABLE[0] + (READABLE[1] - READABLE[0]) * places)[:, :3].tolist()
    return [(r, g, b) if known else GREY for (r, g, b), known in zip(rows, finite, strict=True)]
