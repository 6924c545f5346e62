"""The scene of a run: its bodies with given and made-up shapes, loads and reactions as arrows, and its motion."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.names import MULTIPLIER, POSE_OF, Q
from freebody.results import About, BodyInfo, RunResult, Variable
from freebody.results.drawing import Anchor, Drawing, DrawnArrow, DrawnBody
from freebody.results.run_rounding import RunRounding
from freebody.results.work import SUPPLIED, is_integral
from freebody.viewer.given_shapes import given_items
from freebody.viewer.made_shapes import MadeUp, made_up
from freebody.viewer.scene import GROUND, Arrow, Clip, FlexibleItem, Scene, SceneBody, Series

Array = NDArray[np.float64]
Run = TypeVar("Run", bound=RunResult)
GROUPS = (
    "q", "u", "output", "energy", "z", "input", "load", "engaged", "multiplier", "power", "momentum", "u_dot",
)  # fmt: skip
"""The groups of variables that a picture holds, the most important first. Works are not among them: they are integrals,
which take long at the many times of a picture."""

NUMBERS = 3_000_000
"""The most numbers of series that a picture holds."""
START, MOST, ROUNDS = 1500, 6000, 8
"""Times of a picture at first, at most, and how often they may be halved."""
FINE = 2e-4
"""The largest error of positions between the times of a picture, relative to the size of the motion."""
TURN = 0.35
"""The largest rotation between two times of a picture, in rad."""
BENT = 0.02
"""Smaller deformations than this part of the body's size are magnified at first."""


FAR = 12.0
"""The way of the heaviest body, relative to the size of the system, from which the camera follows it."""


# The times of a picture


def with_picture_times(run: Run) -> Run:
    """The run at the times that a picture needs: all saved ones if they are not too many, and more where the motion
    between them is too fast for interpolation."""
    if not len(run):
        raise ArgumentError(f"run of {run.about.system}: it has no saved times, so there is nothing to show")
    few = np.unique(np.linspace(0, len(run.t) - 1, START).astype(int))
    known = run if len(run) <= START else run.at(run.t[few])
    names = [e.name for e in run.about.elements]
    if len(known) < 2 or not names or "x_dot" not in run.recorded:
        return known
    t, poses = known.t, _poses(known, names)
    open_ = np.arange(len(t) - 1)  # intervals that are not known to be short enough
    for _ in range(ROUNDS):
        open_ = open_[np.abs(np.diff(t)[open_]) > 1e-9 * max(1.0, float(np.abs(t).max()))][: max(0, MOST - len(t))]
        if not len(open_):
            break
        middle = (t[open_] + t[open_ + 1]) / 2
        actual = _poses(run.at(middle), names)
        coarse = _is_coarse(t, poses, open_, actual)
        at = open_[coarse] + 1
        t, poses = np.insert(t, at, middle[coarse]), np.insert(poses, at, actual[coarse], axis=0)
        first = at - 1 + np.arange(len(at))  # the first half of each interval that was halved
        open_ = np.sort(np.concatenate([first, first + 1]))
    return known if len(t) == len(known) else run.at(t)


def _poses(run: RunResult, names: Sequence[str]) -> Array:
    return np.stack([run[POSE_OF(n)] for n in names], axis=1)


def _is_coarse(t: Array, poses: Array, intervals: NDArray[np.intp], actual: Array) -> NDArray[np.bool_]:
    """Whether the pose in the middle of intervals is not where interpolation puts it, or a body turns too far."""
    x, k = poses[..., :3], intervals
    slopes = np.gradient(x, t, axis=0) if len(t) > 2 else np.repeat(np.diff(x, axis=0) / np.diff(t), 2, axis=0)
    h = np.diff(t)[k][:, None, None]
    guessed = (x[k] + x[k + 1]) / 2 + h * (slopes[k] - slopes[k + 1]) / 8
    size = float(np.ptp(x[np.isfinite(x).all(axis=(1, 2))].reshape(-1, 3), axis=0).max(initial=0.0)) or 1.0
    far = np.abs(guessed - actual[..., :3]).max(axis=(1, 2)) > FINE * size
    halves = [np.abs(np.sum(poses[side, :, 3:] * actual[..., 3:], axis=2)).min(axis=1) for side in (k, k + 1)]
    turns = sum(2 * np.arccos(np.clip(cosine, -1, 1)) for cosine in halves)
    return np.asarray(far | (turns > TURN))


# What is drawn


@dataclass(frozen=True)
class SystemScene:
    """What does not depend on a clip: bodies, shapes, and the names of all that changes."""

    scene: Scene
    about: About
    drawing: Drawing
    arrows: tuple["ArrowSource", ...]


@dataclass(frozen=True)
class ArrowSource:
    """Where the vectors of an arrow come from: a recorded variable, a reaction, or a pull along a line."""

    variable: str = ""
    sign: float = 1.0
    along: tuple[float, float, float] | None = None
    frame: str = ""  # the body along whose axes the vector or ``along`` is; "" for the ground
    reaction: str = ""
    line: tuple[Anchor, Anchor] | None = None


def system_scene(
    about: About, drawing: Drawing, *, folders: Sequence[Path] = (), reactions: Sequence[str] = (), count: int = 1,
    subtitle: str = "", poses: Mapping[str, Array] | None = None,
) -> SystemScene:  # fmt: skip
    """The scene of a system without clips; ``count`` is how many times a clip has, ``reactions`` names those that clips
    will have. ``poses`` over time, by body, give rails and guides their lengths."""
    given, notes = given_items(about.elements, folders, drawing.bodies)
    shaped = {about.elements[item.body].name for item in given} | drawing.meshes.keys()
    made = made_up(about, drawing, shaped, poses)
    index = {e.name: k for k, e in enumerate(about.elements)} | {"ground": GROUND}
    bodies = [_body(e, d, made, index) for e, d in zip(about.elements, drawing.bodies, strict=True)]
    series, more = _series(about, drawing, count)
    arrows = [*_load_arrows(about, drawing, index), *_reaction_arrows(about, drawing, index, reactions)]
    scene = Scene(
        about.system, subtitle, made.size, bodies, [*given, *made.items], made.lines, made.links,
        [a for a, _ in arrows], list(_flexible(drawing, series, index, made)), series, gravity=drawing.gravity,
        notes=[*notes, *made.notes, *more, *drawing.left_out],
    )  # fmt: skip
    return SystemScene(scene, about, drawing, tuple(source for _, source in arrows))


def _body(element: BodyInfo, drawn: DrawnBody, made: MadeUp, index: Mapping[str, int]) -> SceneBody:
    return SceneBody(
        element.name, index[element.parent], element.joint, element.mass, drawn.com, made.trails[element.name],
        made.colors[element.name], ellipsoid(element.mass, drawn.inertia), element.joint_q, element.u, element.is_node,
    )  # fmt: skip


def ellipsoid(mass: float, inertia: Sequence[float]) -> list[float]:
    """The half axes of the uniform ellipsoid with this inertia, and the quaternion of its axes; empty for none."""
    xx, yy, zz, xy, xz, yz = inertia
    moments, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if not mass > 0 or not moments[-1] > 0:
        return []
    squares = 2.5 / mass * (moments.sum() - 2 * moments)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return [*np.sqrt(np.maximum(squares, 1e-6 * squares.max())).tolist(), *_quaternion(axes)]


def _quaternion(R: Array) -> list[float]:
    """The unit quaternion of a rotation matrix."""
    K = np.array([
        [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
        [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
        [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]],
    ])  # fmt: skip
    best: list[float] = np.linalg.eigh(K, UPLO="U").eigenvectors[:, -1].tolist()
    return best


def _series(about: About, drawing: Drawing, count: int) -> tuple[list[Series], list[str]]:
    """The numbers over time that a picture holds, the coordinates of flexible bodies among them; and a note if there
    are too many."""
    needed = {Q(name) for mesh in drawing.meshes.values() for name in mesh.coordinates}
    chosen, left, room = list[Series](), 0, NUMBERS // max(1, count)
    for group in GROUPS:
        for v in (v for v in about.variables if v.group == group and v.key != SUPPLIED):
            columns = zip(v.columns, v.parts or ("",), strict=True)
            if len(chosen) + max(1, len(v.parts)) > room and v.key not in needed:
                left += 1
                continue
            chosen += [Series(key, f"{v.name}.{part}" if part else v.name, group, v.unit) for key, part in columns]
    return chosen, [f"{left:,} variables are left out of the plots; run.plot draws them"] if left else []


def _flexible(
    drawing: Drawing, series: Sequence[Series], index: Mapping[str, int], made: MadeUp
) -> Iterator[FlexibleItem]:
    column = {s.key: k for k, s in enumerate(series)}
    for name, mesh in drawing.meshes.items():
        where = [column[Q(n)] for n in mesh.coordinates]
        yield FlexibleItem(
            index[name], mesh.points, mesh.shapes, mesh.lines, mesh.triangles, where, made.colors[name]
        )  # fmt: skip


def _load_arrows(about: About, drawing: Drawing, index: Mapping[str, int]) -> Iterator[tuple[Arrow, ArrowSource]]:
    units = {v.key: v.unit for v in about.variables}
    for load in drawing.loads:
        for arrow in (arrow for arrow in load.arrows if arrow.variable in units):
            yield (
                Arrow(arrow.kind, index[arrow.anchor.body], arrow.anchor.at, "loads", load.name,
                      units[arrow.variable]),
                _source(arrow),
            )  # fmt: skip
        if load.ends is None or load.arrows or load.variable not in units:
            continue
        for anchor, other in (load.ends, load.ends[::-1]):
            source = ArrowSource(load.variable, line=(anchor, other))
            yield Arrow("force", index[anchor.body], anchor.at, "loads", load.name), source


def _source(arrow: DrawnArrow) -> ArrowSource:
    return ArrowSource(arrow.variable, arrow.sign, arrow.along, arrow.frame)


def _reaction_arrows(
    about: About, drawing: Drawing, index: Mapping[str, int], reactions: Sequence[str]
) -> Iterator[tuple[Arrow, ArrowSource]]:
    """Forces and torques of joints and closures, and the pulls of rods."""
    places = {b.name: Anchor(b.name, (0.0, 0.0, 0.0)) for b in drawing.bodies}
    places |= {c.name: c.end for c in drawing.constraints if c.joint is not None and c.end is not None}
    for name in reactions:
        owner, _, kind = name.rpartition(".")
        if owner in places and kind in ("force", "torque"):
            at = places[owner]
            unit = "N" if kind == "force" else "N·m"
            yield (
                Arrow(kind, index[at.body], at.at, "reactions", owner, unit),
                ArrowSource(reaction=name, frame=at.body),
            )
    pulls = {c.name: c.multipliers for c in about.constraints if c.kind == "rod" and len(c.multipliers) == 1}
    recorded = {v.key for v in about.variables}
    for c in drawing.constraints:
        if c.name in pulls and c.start is not None and c.end is not None and MULTIPLIER(pulls[c.name][0]) in recorded:
            for anchor, other in ((c.start, c.end), (c.end, c.start)):
                source = ArrowSource(MULTIPLIER(pulls[c.name][0]), line=(anchor, other))
                yield Arrow("force", index[anchor.body], anchor.at, "reactions", c.name), source


# Clips


def clip(
    known: SystemScene, run: RunResult, reactions: Mapping[str, Array] | None = None, *, name: str = "",
    loop: bool = False, color: tuple[float, float, float] | None = None,
) -> Clip:  # fmt: skip
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
    whole = np.isfinite(positions).all(axis=(1, 2)) & np.isfinite(turns).all(axis=(1, 2))
    keep = np.flatnonzero(whole)[order]
    if not len(keep):
        raise ArgumentError(f"run of {run.about.system}: no pose is finite, so there is nothing to show")
    events = sorted((float(at), text) for at, text in run.events)
    return Clip(
        name, t[keep], positions[keep], turns[keep], series[keep], vectors[keep], events, color, loop
    )  # fmt: skip


def _columns(series: Sequence[Series], run: RunResult, rows: int) -> Array:
    """The values of series; of a vector each part."""
    values = np.zeros((rows, len(series)))
    variables = {column: (v.key, k) for v in run.about.variables for k, column in enumerate(v.columns)}
    for k, one in enumerate(series):
        key, part = variables[one.key]
        whole = run.series(key)[1]
        values[:, k] = whole if whole.ndim == 1 else whole[:, part]
    return values


def _with_rounding(series: Sequence[Series], run: RunResult) -> list[Series]:
    """The series with the sizes below which their values are rounding errors."""
    rounding, columns = RunRounding(run), _column_places(run)
    return [replace(one, smallest=rounding.limit(*columns[one.key])) for one in series]


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
    return replace(scene, series=[*scene.series, *_with_rounding(series, run)], clips=clips)


def _saved_rows(saved: Array, t: Array) -> NDArray[np.intp]:
    """For each time the saved row at it, or the nearest one before."""
    sign = -1.0 if len(saved) > 1 and saved[-1] < saved[0] else 1.0
    rows = np.searchsorted(saved * sign, t * sign, side="right") - 1
    return np.asarray(np.clip(rows, 0, len(saved) - 1))


def _vectors(
    source: ArrowSource, run: RunResult, reactions: Mapping[str, Array], rows: NDArray[np.intp], positions: Array,
    turns: Array, place: Mapping[str, int],
) -> Array:  # fmt: skip
    """The vectors of an arrow along the ground's axes."""
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
    run: RunResult, reactions: Mapping[str, Array] | None = None, folders: Sequence[Path] = ()
) -> Scene:
    """The scene of a run at its saved times (see ``with_picture_times``); ``reactions`` are those at these times, by
    the names of ``Trajectory.reactions``; ``folders`` are searched for meshes."""
    drawing = require_drawing(run)
    subtitle = f"{run.t[0]:g} to {run.t[-1]:g} s" if len(run) > 1 else f"{run.t[0]:g} s"
    known = system_scene(
        run.about, drawing, folders=folders, reactions=list(reactions or {}), count=len(run), subtitle=subtitle,
        poses=poses_of([run]),
    )  # fmt: skip
    motion, scene = clip(known, run, reactions), known.scene
    flexible, follow = magnified(scene, [motion]), followed(scene, motion)
    return replace(scene, clips=[motion], series=_with_rounding(scene.series, run), flexible=flexible, follow=follow)


def followed(scene: Scene, motion: Clip) -> int:
    """The heaviest body, if it goes so far that all of the motion would be small in the picture; else the ground."""
    if not scene.bodies:
        return GROUND
    heaviest = max(range(len(scene.bodies)), key=lambda k: scene.bodies[k].mass)
    way = float(np.ptp(motion.positions[:, heaviest], axis=0).max())
    return heaviest if way > FAR * scene.size else GROUND


def require_drawing(run: RunResult) -> Drawing:
    """What pictures need to know of the run's system."""
    if run.drawing is None:
        raise ArgumentError(
            f"run of {run.about.system}: it does not hold what a 3D picture needs (it was saved by an earlier version,"
            " or built by hand); simulate again with this one, or use run.plot"
        )
    return run.drawing


def magnified(scene: Scene, clips: Sequence[Clip]) -> list[FlexibleItem]:
    """Flexible bodies with a factor that makes small deformations visible."""
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
