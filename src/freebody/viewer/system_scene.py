"""What does not move in the scene of a system: its bodies with given and made-up shapes, the names of all numbers over
time, and the places of arrows of loads and reactions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from freebody.drawing import Anchor, Drawing, DrawnBody
from freebody.names import MULTIPLIER, Q
from freebody.results import About, BodyInfo
from freebody.results.work import SUPPLIED
from freebody.viewer.contact_shapes import contact_items
from freebody.viewer.default_shapes import MadeUp, made_up
from freebody.viewer.scene import GROUND, Arrow, FlexibleItem, Scene, SceneBody, Series
from freebody.viewer.sketch import quaternion
from freebody.viewer.user_shapes import given_items

Array = NDArray[np.float64]
GROUPS = (
    "q", "u", "output", "energy", "z", "input", "contact", "sensor", "controller", "load", "engaged", "multiplier",
    "drive_force", "power", "momentum", "u_dot",
)  # fmt: skip
"""The groups of variables that a picture holds, the most important first. Works are not among them: they are integrals,
which take long at the many times of a picture."""

NUMBERS = 3_000_000
"""The most numbers of series that a picture holds."""


@dataclass(frozen=True)
class SystemScene:
    """What does not depend on a clip: bodies, shapes, and the names of all that changes."""

    scene: Scene
    about: About
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
    about: About,
    drawing: Drawing,
    *,
    folders: Sequence[Path] = (),
    reactions: Sequence[str] = (),
    count: int = 1,
    subtitle: str = "",
    poses: Mapping[str, Array] | None = None,
) -> SystemScene:
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
        about.system,
        subtitle,
        made.size,
        bodies,
        [*given, *made.items, *contact_items(drawing, index)],
        made.lines,
        made.links,
        [a for a, _ in arrows],
        list(_flexible(drawing, series, index, made)),
        series,
        gravity=drawing.gravity,
        notes=[*notes, *made.notes, *more, *drawing.left_out],
    )
    return SystemScene(scene, about, tuple(source for _, source in arrows))


def _body(element: BodyInfo, drawn: DrawnBody, made: MadeUp, index: Mapping[str, int]) -> SceneBody:
    return SceneBody(
        element.name,
        index[element.parent],
        element.joint,
        element.mass,
        drawn.com,
        made.trails[element.name],
        made.colors[element.name],
        ellipsoid(element.mass, drawn.inertia),
        element.joint_q,
        element.u,
        element.is_node,
        (*drawn.joint.anchor.at, *drawn.joint.turn) if element.is_node else (),
    )


def ellipsoid(mass: float, inertia: Sequence[float]) -> list[float]:
    """The half axes of the uniform ellipsoid with this inertia, and the quaternion of its axes; empty for none."""
    xx, yy, zz, xy, xz, yz = inertia
    moments, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if not mass > 0 or not moments[-1] > 0:
        return []
    squares = 2.5 / mass * (moments.sum() - 2 * moments)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return [*np.sqrt(np.maximum(squares, 1e-6 * squares.max())).tolist(), *quaternion(axes)]


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
        yield FlexibleItem(index[name], mesh.points, mesh.shapes, mesh.lines, mesh.triangles, where, made.colors[name])


def _load_arrows(about: About, drawing: Drawing, index: Mapping[str, int]) -> Iterator[tuple[Arrow, ArrowSource]]:
    units = {v.key: v.unit for v in about.variables}
    for load in drawing.loads:
        for arrow in (arrow for arrow in load.arrows if arrow.variable in units):
            yield (
                Arrow(arrow.kind, index[arrow.anchor.body], arrow.anchor.at, "loads", load.name, units[arrow.variable]),
                ArrowSource(arrow.variable, arrow.sign, arrow.along, arrow.frame),
            )
        if load.ends is None or load.arrows or load.variable not in units:
            continue
        for anchor, other in (load.ends, load.ends[::-1]):
            source = ArrowSource(load.variable, line=(anchor, other))
            yield Arrow("force", index[anchor.body], anchor.at, "loads", load.name), source


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
    rods = {c.name for c in drawing.constraints if c.symbol == "rod"}
    pulls = {c.name: c.multipliers for c in about.constraints if c.name in rods and len(c.multipliers) == 1}
    recorded = {v.key for v in about.variables}
    for c in drawing.constraints:
        if c.name in pulls and c.start is not None and c.end is not None and MULTIPLIER(pulls[c.name][0]) in recorded:
            for anchor, other in ((c.start, c.end), (c.end, c.start)):
                source = ArrowSource(MULTIPLIER(pulls[c.name][0]), line=(anchor, other))
                yield Arrow("force", index[anchor.body], anchor.at, "reactions", c.name), source
