"""A scene in the browser through viser, whose bodies are moved while a simulation runs."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.viewer.scene import GROUND, Colour, FlexibleItem, Item, Polyline, Scene, SceneLink
from freebody.viewer.sketch import rotations
from freebody.viewer.surface import Indices, drawn_surface

Array = NDArray[np.float64]
Values = Callable[[str], float]
"""A variable's value at present by its full name."""

LINE, FLEXIBLE, PULL = (0.25, 0.25, 0.3), (0.35, 0.55, 0.8), (0.9, 0.25, 0.1)
"""Colours of lines and links, of flexible bodies without a colour, and of the pull."""

COILS = 8
"""Coils of a spring."""


class LiveNode(NamedTuple):
    """Something on the page that is shown with its layer, and while the variable ``engaged`` is not 0."""

    handle: Any
    layer: str
    engaged: str


class LiveScene:
    """The nodes of a scene. ``dragged`` and ``clicked`` are called with the events of viser and the body's index;
    ``layers`` are those that are shown. Nodes are named by numbers, since names of bodies are free texts; all names
    begin with ``root``, and two scenes may be there at once if these differ."""

    def __init__(
        self,
        server: Any,
        scene: Scene,
        dragged: Callable[[Any, int], None],
        clicked: Callable[[Any, int], None],
        layers: Iterable[str],
        root: str = "/scene",
    ) -> None:
        self.api, self.scene, self.nodes, self.root = server.scene, scene, list[LiveNode](), root
        self.dragged, self.clicked = dragged, clicked
        self.layers = set(layers)
        self.origin = np.zeros(3)
        self._whole = self.api.add_frame(root, show_axes=False)
        self._ground = self.api.add_frame(f"{root}/ground", show_axes=False)
        self.frames = [self.api.add_frame(f"{root}/{k}", show_axes=False) for k in range(len(scene.bodies))]
        for k, item in enumerate(scene.items):
            self._add_item(k, item)
        for k, line in enumerate(scene.lines):
            self._add_line(k, line)
        self._flexible = [self._add_flexible(k, item) for k, item in enumerate(scene.flexible)]
        self._links = [self._add_link(k, link) for k, link in enumerate(scene.links)]
        self._pull = self.api.add_line_segments(
            f"{root}/pull", np.zeros((1, 2, 3)), _bytes(PULL), thickness=4.0, thickness_units="screen", visible=False
        )
        self._target = self.api.add_icosphere(
            f"{root}/target", radius=0.015 * scene.size, color=_bytes(PULL), visible=False
        )
        self.show_layers(self.layers)

    def look_from(self, origin: Array) -> None:
        """Put this point of the ground into the origin of the picture, from the next update on. Numbers on the page are
        small then, also far away: it has 32 bits for each."""
        self.origin, self._ground.position = origin, -origin

    def remove(self) -> None:
        """Take everything off the page."""
        self._whole.remove()

    def present_layers(self) -> list[str]:
        """The layers that have something to show."""
        return sorted({node.layer for node in self.nodes})

    def show_layers(self, layers: Iterable[str]) -> None:
        self.layers = set(layers)
        for node in self.nodes:
            node.handle.visible = node.layer in self.layers

    def update(self, positions: Array, turns: Array, values: Values) -> None:
        """Move the bodies to their poses, in the order of the scene's bodies, and everything that depends on them."""
        positions = positions - self.origin
        for frame, position, turn in zip(self.frames, positions, turns, strict=True):
            frame.position, frame.wxyz = position, turn
        axes = rotations(turns)
        for handle, link in zip(self._links, self.scene.links, strict=True):
            ends = [
                np.asarray(point) - self.origin if body == GROUND else positions[body] + axes[body] @ np.asarray(point)
                for body, point in zip(link.bodies, link.points, strict=True)
            ]
            points = _link_points(link, *ends)
            if not np.array_equal(handle.points, points.astype(np.float32)):
                handle.points = points.astype(np.float32)
        for parts, item in zip(self._flexible, self.scene.flexible, strict=True):
            points = _deformed(item, [values(self.scene.series[k].key) for k in item.coordinates])
            for handle, name, indices in parts:
                moved = points[indices].astype(np.float32)
                if not np.array_equal(getattr(handle, name), moved):
                    setattr(handle, name, moved)
        for node in self.nodes:
            if node.engaged:
                node.handle.visible = node.layer in self.layers and values(node.engaged) != 0

    def show_pull(self, point: Array | None, target: Array | None) -> None:
        """A line from the point that is pulled to the target, both in the ground; None for no pull."""
        if point is not None and target is not None:
            self._pull.points = np.array([[point - self.origin, target - self.origin]], np.float32)
            self._target.position = target - self.origin
        self._pull.visible = self._target.visible = point is not None

    def _add_item(self, k: int, item: Item) -> None:
        vertices = item.geometry.vertices @ item.transform[:, :3].T + item.transform[:, 3]
        triangles = item.geometry.triangles
        if np.linalg.det(item.transform[:, :3]) < 0:
            triangles = triangles[:, ::-1]
        handle = self.api.add_mesh_simple(
            f"{self._parent(item.body)}/item{k}",
            vertices.astype(np.float32),
            triangles.astype(np.uint32),
            color=self._color(item.color, item.body),
            opacity=item.opacity if item.opacity < 1 else None,
            flat_shading=item.geometry.normals is None,
            side="double",
        )
        self._follow_pointer(handle, item.body)
        self.nodes.append(LiveNode(handle, item.layer, item.engaged))

    def _add_line(self, k: int, line: Polyline) -> None:
        handle = self.api.add_line_segments(
            f"{self._parent(line.body)}/line{k}",
            _segments(np.asarray(line.points, np.float32)),
            _bytes(line.color or LINE),
            thickness=2.0,
            thickness_units="screen",
        )
        self.nodes.append(LiveNode(handle, line.layer, line.engaged))

    def _add_link(self, k: int, link: SceneLink) -> Any:
        handle = self.api.add_line_segments(
            f"{self.root}/link{k}",
            _link_points(link, np.zeros(3), np.ones(3)).astype(np.float32),
            _bytes(link.color or LINE),
            thickness=3.0,
            thickness_units="screen",
        )
        self.nodes.append(LiveNode(handle, link.layer, link.engaged))
        return handle

    def _add_flexible(self, k: int, item: FlexibleItem) -> list[tuple[Any, str, Indices]]:
        """The mesh and the lines of a flexible body: their handles, the property that moves, indices of points."""
        name, points, parts = f"{self._parent(item.body)}/flexible{k}", item.points, list[tuple[Any, str, Indices]]()
        if len(item.triangles):
            vertices, triangles = drawn_surface(points, item.triangles)
            mesh = self.api.add_mesh_simple(
                f"{name}a",
                points[vertices].astype(np.float32),
                triangles.astype(np.uint32),
                color=self._color(item.color, item.body),
                flat_shading=False,
                side="double",
            )
            self._follow_pointer(mesh, item.body)
            parts.append((mesh, "vertices", vertices))
        if len(item.lines):
            lines = self.api.add_line_segments(
                f"{name}b",
                points[item.lines].astype(np.float32),
                _bytes(item.color or (LINE if len(item.triangles) else FLEXIBLE)),
                thickness=1.0 if len(item.triangles) else 5.0,
                thickness_units="screen",
            )
            parts.append((lines, "points", item.lines))
        self.nodes += [LiveNode(handle, "bodies", "") for handle, *_ in parts]
        return parts

    def _follow_pointer(self, handle: Any, body: int) -> None:
        """Report drags and clicks on a node of a body. Coroutines keep the order of events."""
        if body == GROUND:
            return

        async def dragged(event: Any) -> None:
            self.dragged(event, body)

        async def clicked(event: Any) -> None:
            self.clicked(event, body)

        handle.on_drag("left")(dragged)
        handle.on_click(clicked)

    def _parent(self, body: int) -> str:
        return f"{self.root}/{'ground' if body == GROUND else body}"

    def _color(self, color: Colour | None, body: int) -> tuple[int, int, int]:
        if color is None:
            color = LINE if body == GROUND else self.scene.bodies[body].color
        return _bytes(color)


def _bytes(color: Colour) -> tuple[int, int, int]:
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in color)
    return red, green, blue


def _segments(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """The segments (n, 2, 3) of a line through points."""
    return np.stack([points[:-1], points[1:]], axis=1)


def _deformed(item: FlexibleItem, coordinates: Sequence[float]) -> Array:
    return np.asarray(item.points + item.shapes @ np.nan_to_num(np.array(coordinates, float)))


def _link_points(link: SceneLink, start: Array, end: Array) -> Array:
    """Segments between two points: a zigzag for a spring, else one line."""
    if link.kind != "spring":
        return np.array([[start, end]])
    along = end - start
    length = float(np.linalg.norm(along))
    side = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 * length else (1.0, 0.0, 0.0))
    side *= link.radius / (float(np.linalg.norm(side)) or 1.0)
    fractions = np.concatenate([[0.0], np.linspace(0.1, 0.9, 2 * COILS + 1), [1.0]])
    swing = np.concatenate([[0.0], [0.0], np.tile([1.0, -1.0], COILS)[: 2 * COILS - 1], [0.0], [0.0]])
    points = start + fractions[:, None] * along + swing[:, None] * side
    return np.stack([points[:-1], points[1:]], axis=1)
