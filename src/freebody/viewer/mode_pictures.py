"""Pictures of mode shapes: deformed bodies over undeformed ones, one panel for each mode"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.drawing import DrawnMode
from freebody.errors import ModelError
from freebody.names import Q
from freebody.viewer.plots import FAINT, INK, PALE, SUFFIXES, blank_figure, save_figure, verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.viewer.page_view import PageView

Array = NDArray[np.float64]
AMPLITUDE = 0.12
"""The largest displacement that is drawn, relative to the size of the body."""
TURN = 0.7
"""The largest change of a line between two points that is drawn, relative to its length."""
FACES = 100_000
"""Triangles of one panel; of larger meshes the points are drawn."""
AZIMUTH, ELEVATION = np.radians(-65.0), np.radians(22.0)
RIGHT = np.array([-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0])
UP = np.array([-np.sin(ELEVATION) * np.cos(AZIMUTH), -np.sin(ELEVATION) * np.sin(AZIMUTH), np.cos(ELEVATION)])
TOWARDS = np.cross(RIGHT, UP)
"""Directions of the picture: to the right, upwards, and to the viewer."""
LIGHT = np.array([0.3, -0.55, 0.78])
PERIOD, FRAMES = 2.0, 48
"""Seconds in which an oscillation is shown, and its frames."""
BODY = (0.36, 0.55, 0.75)
COLUMNS, WIDTH, TITLE = 4, 3.2, 0.35
"""Panels beside each other, and their size in inches."""


def drawn_scale(shape: DrawnMode) -> float:
    """The factor with which the displacements of a mode are drawn."""
    length = float(np.linalg.norm(shape.displacements, axis=1).max(initial=0.0))
    pairs = np.concatenate([shape.lines, shape.triangles[:, :2], shape.triangles[:, 1:]])
    i, j = pairs.T
    apart, moved = (np.linalg.norm(x[i] - x[j], axis=1) for x in (shape.points, shape.displacements))
    turn = float((moved[apart > 0] / apart[apart > 0]).max(initial=0.0))
    limits = [AMPLITUDE * body_size(shape) / length if length else 0.0, TURN / turn if turn else np.inf]
    return float(min(limits))


def body_size(shape: DrawnMode) -> float:
    """The diagonal of the box around the points of a body."""
    return float(np.linalg.norm(np.ptp(shape.points, axis=0))) or 1.0


def plot_shapes(shapes: Sequence[DrawnMode], path: str | Path | None = None) -> "Figure":
    """A figure with a panel for each mode, which states the factor of its displacements; ``path`` (.png, .svg, .pdf)
    writes it too. The undeformed body is grey, and colours are the displacements."""
    target = None if path is None else files.target(path, "a picture", SUFFIXES)
    if not shapes:
        raise ModelError("there are no modes to draw")
    columns = min(COLUMNS, len(shapes))
    rows = -(-len(shapes) // columns)
    boxes = [
        np.ptp(_flat(np.concatenate([s.points, s.points + drawn_scale(s) * s.displacements])), axis=0) for s in shapes
    ]
    wide, high = np.max(boxes, axis=0, initial=1e-12)
    height = TITLE + float(np.clip(WIDTH * high / wide, 0.8, 1.2 * WIDTH))
    figure = blank_figure((WIDTH * columns, height * rows))
    for k, shape in enumerate(shapes):
        ax = figure.add_subplot(rows, columns, k + 1)
        verbatim(ax.set_title(shape.title, fontsize=9, color=INK))
        _draw(ax, shape)
        ax.text(
            1.0,
            -0.02,
            f"× {drawn_scale(shape):.3g}",
            transform=ax.transAxes,
            ha="right",
            va="top",
            fontsize=7,
            color=INK,
        )
        if k == 0:
            _axes(ax)
    if target is not None:
        save_figure(figure, target)
    return figure


def animate_shapes(shapes: Sequence[DrawnMode], path: str | Path | None, title: str) -> "Path | PageView":
    """Write or show a page (.html) in which each mode of a body is a motion that repeats."""
    from freebody.viewer.page_view import write_or_show
    from freebody.viewer.scene import Clip, FlexibleItem, Scene, SceneBody, Series

    target = None if path is None else files.target(path, "a moving picture", files.PAGES)
    if not shapes:
        raise ModelError("there are no modes to draw")
    first, n, t = shapes[0], len(shapes), np.linspace(0.0, PERIOD, FRAMES + 1)
    body = SceneBody(title, -1, "", 0.0, (0, 0, 0), (0, 0, 0), BODY)
    columns = np.stack([drawn_scale(shape) * shape.displacements for shape in shapes], axis=2)
    item = FlexibleItem(0, first.points, columns, first.lines, first.triangles, range(n), BODY)
    clips = list[Clip]()
    for k, shape in enumerate(shapes):
        series = np.zeros((len(t), n))
        series[:, k] = np.sin(2 * np.pi * t / PERIOD)
        still = np.zeros((len(t), 1, 3)), np.tile([1.0, 0, 0, 0], (len(t), 1, 1)), series, np.zeros((len(t), 0, 3))
        largest = drawn_scale(shape) * float(np.linalg.norm(shape.displacements, axis=1).max(initial=0.0))
        caption = f"mode × {drawn_scale(shape):.3g}, up to {largest:.2g} m"
        clips.append(Clip(shape.title, t, *still, loop=True, note=caption))
    names = [Series(Q(str(k + 1)), shape.title, "q") for k, shape in enumerate(shapes)]
    notes = ["A mode has no size of its own: each is multiplied so that it can be seen."]
    scene = Scene(
        title,
        "modes with the frame fixed",
        body_size(first),
        [body],
        flexible=[item],
        series=names,
        clips=clips,
        notes=notes,
    )
    return write_or_show(scene, target)


def _flat(points: Array) -> Array:
    """Points in the plane of the picture."""
    return np.asarray(points @ np.column_stack([RIGHT, UP]))


def _draw(ax: "Axes", shape: DrawnMode) -> None:
    """The undeformed body, and the deformed one over it."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection, PolyCollection

    rest, bent = shape.points, shape.points + drawn_scale(shape) * shape.displacements
    length = np.linalg.norm(shape.displacements, axis=1)
    colours = colormaps["viridis"](length / (length.max(initial=0.0) or 1.0))
    faces = shape.triangles if len(shape.triangles) <= FACES else shape.triangles[:0]
    if len(faces):
        pale = [*_flat(rest)[faces]]
        ax.add_collection(PolyCollection(pale, facecolors=PALE, edgecolors="none", zorder=1))
        order = np.argsort((bent[faces] @ TOWARDS).mean(1))  # the nearest last
        shaded = _shaded(bent[faces], colours[faces].mean(1))[order]
        deformed = [*_flat(bent)[faces][order]]
        ax.add_collection(PolyCollection(deformed, facecolors=shaded, edgecolors=shaded, linewidths=0.2, zorder=3))
    if len(shape.lines):
        still, moved = ([*_flat(points)[shape.lines]] for points in (rest, bent))
        ax.add_collection(LineCollection(still, colors=FAINT, linewidths=0.5, zorder=2))
        colour, width = (INK, 0.5) if len(faces) else (colours[shape.lines].mean(1), 1.6)
        ax.add_collection(LineCollection(moved, colors=colour, linewidths=width, zorder=4))
    if not (len(faces) or len(shape.lines)):
        dots, (x, y), (u, v) = 14 if len(rest) < 100 else 2, _flat(rest).T, _flat(bent).T
        ax.scatter(x, y, s=dots, color=PALE, zorder=1)
        ax.scatter(u, v, s=dots, c=colours, zorder=3)
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.margins(0.06)
    ax.set_axis_off()


def _shaded(corners: Array, colours: Array) -> Array:
    """The colours of faces, darker where they are turned away from the light."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), np.finfo(float).tiny)[:, None]
    shade = 0.6 + 0.4 * np.abs(normal @ LIGHT / np.linalg.norm(LIGHT))
    return np.column_stack([colours[:, :3] * shade[:, None], colours[:, 3]])


def _axes(ax: "Axes") -> None:
    """The directions of the axes, in the lower left corner."""
    for k, name in enumerate("xyz"):
        end = 16 * _flat(np.eye(3)[k])  # points
        style = {"arrowstyle": "<-", "color": INK, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0}
        ax.annotate(
            name,
            (0.0, 0.0),
            (end[0], end[1]),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=7,
            color=INK,
            arrowprops=style,
        )
