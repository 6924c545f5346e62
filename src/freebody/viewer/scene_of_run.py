"""The scene of a run: that of its system, and the motion as a clip; or the scene of a model at rest, with sliders for
its coordinates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.drawing import Anchor, Drawing
from freebody.errors import ArgumentError
from freebody.names import ENGAGED, POSE_OF
from freebody.results import RunResult, Variable
from freebody.results.event_texts import event_labels
from freebody.results.motion_table import MotionTable
from freebody.results.run_rounding import RunRounding
from freebody.results.work import is_integral
from freebody.rounding import ROUNDING
from freebody.viewer.extent import box, moving_bodies
from freebody.viewer.scene import GROUND, Clip, FlexibleItem, Scene, Series
from freebody.viewer.system_scene import ArrowSource, SystemScene, system_scene

Array = NDArray[np.float64]
BENT = 0.02
"""For smaller deformations than this part of the body's size the viewer proposes a factor."""
FAR = 2.0
"""The way of the heaviest body, relative to the size of the system at its start, from which the camera follows it."""


# Clips


def clip(
    known: SystemScene,
    run: RunResult,
    reactions: Mapping[str, Array] | None = None,
    *,
    name: str = "",
    loop: bool = False,
    color: tuple[float, float, float] | None = None,
) -> Clip:
    """The motion of a run at its saved times and at both sides of its jumps."""
    bodies = [e.name for e in known.about.elements]
    if not bodies:
        t, positions, turns = run.t, np.zeros((len(run), 0, 3)), np.zeros((len(run), 0, 4))
    else:
        each = [run.series(POSE_OF(n)) for n in bodies]
        t = each[0][0]
        poses = np.stack([pose for _, pose in each], axis=1)
        positions, turns = poses[..., :3], poses[..., 3:]
    order = slice(None, None, -1 if len(t) > 1 and t[-1] < t[0] else 1)
    series = _columns(known.scene.series, run, len(t))
    rows = _saved_rows(run.t, t)
    place = {n: k for k, n in enumerate(bodies)}
    vectors = np.zeros((len(t), len(known.arrows), 3))
    for k, source in enumerate(known.arrows):
        vectors[:, k] = _vectors(source, run, reactions or {}, rows, positions, turns, place)
    _round_vectors(vectors, known.scene)
    whole = np.isfinite(positions).all(axis=(1, 2)) & np.isfinite(turns).all(axis=(1, 2))
    keep = np.flatnonzero(whole)[order]
    if not len(keep):
        raise ArgumentError(f"run of {run.about.system}: no pose is finite, so there is nothing to show")
    events = sorted(event_labels(run))
    return Clip(name, t[keep], positions[keep], turns[keep], series[keep], vectors[keep], events, color, loop)


def _columns(series: Sequence[Series], run: RunResult, rows: int) -> Array:
    """The values of series; of a vector each part. What a run does not have is not a number."""
    values, places = np.full((rows, len(series)), np.nan), _column_places(run)
    for k, one in enumerate(series):
        if one.key in places:
            variable, part = places[one.key]
            whole = run.series(variable.key)[1]
            values[:, k] = whole if part is None else whole[:, part]
    return values


def with_rounding(series: Sequence[Series], runs: Iterable[RunResult]) -> list[Series]:
    """The series with the sizes below which their values are rounding errors in all runs, and their largest values
    where all are."""
    known, rounded = [(run, RunRounding(run), _column_places(run)) for run in runs], list[Series]()
    for one in series:
        places = [(run, rounding, *columns[one.key]) for run, rounding, columns in known if one.key in columns]
        smallest = max(rounding.limit(variable, part) for _, rounding, variable, part in places)
        largest = max(_largest(run, variable, part) for run, _, variable, part in places)
        rounded.append(replace(one, smallest=smallest, noise=largest if largest <= smallest else 0.0))
    return rounded


def _largest(run: RunResult, variable: Variable, part: int | None) -> float:
    """The largest magnitude of a number of a run; infinity where some values are not finite."""
    values = run[variable.key] if part is None else run[variable.key][:, part]
    return float(np.max(np.abs(values), initial=0.0)) if np.all(np.isfinite(values)) else np.inf


def _column_places(run: RunResult) -> dict[str, tuple[Variable, int | None]]:
    """The variable and the part of each number of a run, by full name."""
    return {c: (v, k if v.parts else None) for v in run.about.variables for k, c in enumerate(v.columns)}


def with_works(scene: Scene, run: RunResult) -> Scene:
    """The scene of a run with the works and other integrals, which are interpolated between the saved times."""
    known, added = {one.key for one in scene.series}, [v for v in run.about.variables if is_integral(v)]
    added = [v for v in added if v.key not in known]
    (motion,) = scene.clips
    sign = -1.0 if len(run) > 1 and run.t[-1] < run.t[0] else 1.0
    columns = []
    for v in added:
        t, values = run.series(v.key)
        columns.append(np.interp(sign * motion.t, sign * t, values))
    series = [Series(v.key, v.name, v.group, v.unit) for v in added]
    clips = [replace(motion, series=np.column_stack([motion.series, *columns]))]
    return replace(scene, series=[*scene.series, *with_rounding(series, [run])], clips=clips)


def _saved_rows(saved: Array, t: Array) -> NDArray[np.intp]:
    """For each time the saved row at it, or the nearest one before."""
    sign = -1.0 if len(saved) > 1 and saved[-1] < saved[0] else 1.0
    rows = np.searchsorted(saved * sign, t * sign, side="right") - 1
    return np.asarray(np.clip(rows, 0, len(saved) - 1))


def _vectors(
    source: ArrowSource,
    run: RunResult,
    reactions: Mapping[str, Array],
    rows: NDArray[np.intp],
    positions: Array,
    turns: Array,
    place: Mapping[str, int],
) -> Array:
    """The vectors of an arrow along the ground's axes; zero for a load that a run does not have."""
    if source.variable and source.variable not in run:
        return np.zeros((len(positions), 3))
    if source.reaction:
        values = reactions[source.reaction][rows]
        return rotate(turns[:, place[source.frame]], values) if source.frame in place else values
    values = source.sign * run.series(source.variable)[1]
    if source.line is not None:
        a, b = (at(anchor, positions, turns, place) for anchor in source.line)
        length = np.linalg.norm(b - a, axis=1, keepdims=True)
        return np.asarray(values[:, None] * (b - a) / np.where(length > 0, length, 1.0))
    if source.along is None:
        return values
    along = np.broadcast_to(source.along, (len(values), 3))
    if source.frame in place:
        along = rotate(turns[:, place[source.frame]], along)
    return np.asarray(values[:, None] * along)


def _round_vectors(vectors: Array, scene: Scene) -> None:
    """Set rounding errors to 0: forces that are tiny beside the largest of all, torques that are so beside the largest
    torque and the largest force at a typical length."""
    sizes = np.linalg.norm(vectors, axis=2)
    is_force = np.array([arrow.kind == "force" for arrow in scene.arrows], bool)
    force, torque = (np.max(sizes[:, k], where=np.isfinite(sizes[:, k]), initial=0.0) for k in (is_force, ~is_force))
    vectors[sizes < ROUNDING * np.where(is_force, force, max(torque, force * scene.size))] = 0.0


def at(anchor: Anchor, positions: Array, turns: Array, place: Mapping[str, int]) -> Array:
    """The positions of an anchor in the ground."""
    offset = np.broadcast_to(anchor.at, (len(positions), 3))
    if anchor.body not in place:
        return np.asarray(offset)
    k = place[anchor.body]
    return np.asarray(positions[:, k] + rotate(turns[:, k], offset))


def rotate(q: Array, v: Array) -> Array:
    """Vectors turned by unit quaternions."""
    t = 2 * np.cross(q[:, 1:], v)
    return np.asarray(v + q[:, :1] * t + np.cross(q[:, 1:], t))


# The whole


def poses_of(runs: Iterable[RunResult]) -> dict[str, Array]:
    """The poses (n, 7) of all bodies at all saved times of runs of one system."""
    each = list(runs)
    return {e.name: np.concatenate([run[POSE_OF(e.name)] for run in each]) for e in each[0].about.elements}


def scene_of_run(
    run: RunResult,
    reactions: Mapping[str, Array] | None = None,
    folders: Sequence[Path] = (),
    notes: Sequence[str] = (),
) -> Scene:
    """The scene of a run at its saved times (see ``with_picture_times``); ``reactions`` are those at these times, by
    the names of ``Trajectory.reactions``; ``folders`` are searched for meshes; ``notes`` are added to the legend."""
    drawing = require_drawing(run)
    subtitle = f"{run.t[0]:g} to {run.t[-1]:g} s" if len(run) > 1 else f"{run.t[0]:g} s"
    known = system_scene(
        run.about,
        drawing,
        folders=folders,
        reactions=list(reactions or {}),
        count=len(run),
        subtitle=subtitle,
        poses=poses_of([run]),
    )
    motion, scene = clip(known, run, reactions), known.scene
    flexible, follow = magnified(scene, [motion]), followed(scene, motion)
    return replace(
        scene,
        clips=[motion],
        series=with_rounding(scene.series, [run]),
        flexible=flexible,
        follow=follow,
        notes=[*scene.notes, *notes],
    )


def followed(scene: Scene, motion: Clip) -> int:
    """The heaviest body that can move, if it goes so far that all of the motion would be small in the picture; else the
    ground."""
    moving = [k for k in moving_bodies(scene) if k != GROUND]
    if not moving:
        return GROUND
    heaviest = max(moving, key=lambda k: scene.bodies[k].mass)
    way = float(np.ptp(motion.positions[:, heaviest], axis=0).max())
    if way <= FAR * scene.size:
        return GROUND
    low, high = box(scene, moving, motion.positions[0], motion.turns[0])
    return heaviest if way > FAR * float((high - low).max()) else GROUND


def require_drawing(run: RunResult) -> Drawing:
    """What pictures need to know of the run's system."""
    if run.drawing is None:
        raise ArgumentError(
            f"run of {run.about.system}: it does not hold what a 3D picture needs (it was saved by an earlier version,"
            " or built by hand); simulate again with this one, or use run.plot"
        )
    return run.drawing


def with_deformation(scene: Scene, factor: Any) -> Scene:
    """The scene with deformations of its flexible bodies drawn with a factor."""
    value = factor if isinstance(factor, int | float | np.integer | np.floating) else np.nan
    if isinstance(factor, bool) or not 0 < value < np.inf:
        raise ArgumentError(
            "deformation is the factor with which deformations are drawn, a positive number such as 50 (default: 1,"
            f" as they are), not {factor!r}"
        )
    if value != 1 and not scene.flexible:
        raise ArgumentError(
            f"deformation={value:g}: {scene.title} has no flexible body whose deformation could be drawn with a factor"
        )
    return replace(scene, deformation=float(value))


def magnified(scene: Scene, clips: Sequence[Clip]) -> list[FlexibleItem]:
    """Flexible bodies with the factor that is proposed to make small deformations visible."""
    items = list[FlexibleItem]()
    for item in scene.flexible:
        size = float(np.ptp(item.points, axis=0).max(initial=0.0))
        moved = max((_deformation(item, c) for c in clips), default=0.0)
        factor = BENT * size / moved if 0 < moved < BENT * size else 1.0
        items.append(replace(item, magnify=_round(factor)))
    return items


def _deformation(item: FlexibleItem, motion: Clip) -> float:
    """The largest displacement of a point of a flexible body, from the largest of each coordinate."""
    most = np.nan_to_num(np.abs(motion.series[:, item.coordinates])).max(axis=0, initial=0.0)
    return float(np.linalg.norm(np.abs(item.shapes) @ most, axis=1).max(initial=0.0))


def _round(factor: float) -> float:
    """The largest of 1, 2, 5, 10, 20, … that is not larger."""
    power = 10.0 ** np.floor(np.log10(factor))
    return float(next(step * power for step in (5, 2, 1) if step * power <= factor * (1 + 1e-9)))


# A model without a run


def scene_of_model(
    run: RunResult, motion: MotionTable | None, notes: Sequence[str] = (), folders: Sequence[Path] = ()
) -> Scene:
    """The model at the only time of a run. Without a table of its motion it stands still. Constraints that are released
    are not drawn."""
    drawn = require_drawing(run)
    known = system_scene(run.about, drawn, folders=folders, poses=poses_of([run]))
    scene = known.scene
    released = {ENGAGED(c.name) for c in run.about.constraints if c.engaged is not None and not run[ENGAGED(c.name)][0]}
    if motion is not None:  # whose poses have no forces
        released |= {shape.variable for load in drawn.loads for shape in load.shapes}
    return replace(
        scene,
        subtitle="initial state",
        motion=motion,
        clips=[] if motion is not None else [clip(known, run)],
        items=[item for item in scene.items if item.engaged not in released],
        lines=[line for line in scene.lines if line.engaged not in released],
        links=[link for link in scene.links if link.engaged not in released],
        notes=[*notes, *scene.notes],
    )
