"""How much room the bodies of a scene need, for cameras: what moves counts, and floors and walls only beside it."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from freebody.viewer.scene import GROUND, Scene
from freebody.viewer.sketch import rotation

Array = NDArray[np.float64]
SURROUNDINGS = 3.0
"""Fixed bodies count as a whole where they make the room larger by less than this factor."""
SOLID = ("bodies", "joints", "constraints")
"""The layers whose shapes count."""
MARGIN = 0.15
"""The part of the room around the bodies in which larger fixed bodies count."""


def moving_bodies(scene: Scene) -> list[int]:
    """The bodies that can move: all but those that are welded to the ground and not flexible; all bodies and the ground
    where none can move. Parents are before their children."""
    flexible, fixed = {item.body for item in scene.flexible}, {GROUND}
    for k, body in enumerate(scene.bodies):
        if body.joint == "weld" and body.parent in fixed and k not in flexible:
            fixed.add(k)
    moving = [k for k in range(len(scene.bodies)) if k not in fixed]
    return moving or [GROUND, *range(len(scene.bodies))]


def room(scene: Scene, positions: Array, turns: Array) -> tuple[Array, Array]:
    """The lowest and highest coordinates of the picture of all bodies at poses: of those that move, of fixed ones whole
    where they are not far larger, and else no more than what is beside the others. They are a typical length apart at
    least."""
    moving = moving_bodies(scene)
    low, high = box(scene, moving, positions, turns)
    if not np.isfinite([low, high]).all():
        low, high = np.zeros(3), np.zeros(3)
    if not (high - low).max() > 1e-6 * scene.size:
        low, high = low - scene.size, high + scene.size
    edge = float((high - low).max())
    fixed = sorted({GROUND, *range(len(scene.bodies))} - set(moving))
    parts = [(low, high)]
    for body in fixed:
        ends = np.array(box(scene, [body], positions, turns))
        if not np.isfinite(ends).all():
            continue
        both = np.array([np.minimum(low, ends[0]), np.maximum(high, ends[1])])
        if np.ptp(both, axis=0).max() > SURROUNDINGS * edge:
            ends = np.clip(ends, low - MARGIN * edge, high + MARGIN * edge)
        parts.append((ends[0], ends[1]))
    return np.min([part[0] for part in parts], axis=0), np.max([part[1] for part in parts], axis=0)


def box(scene: Scene, bodies: Collection[int], positions: Array, turns: Array) -> tuple[Array, Array]:
    """The lowest and highest coordinates of some bodies at poses, with their shapes; infinite where there are none."""
    parts, bodies = list[Array](), set(bodies)

    def add(body: int, points: Array) -> None:
        placed = points if body == GROUND else points @ rotation(turns[body]).T + positions[body]
        parts.append(placed[np.isfinite(placed).all(axis=1)])

    for body in bodies:
        if body != GROUND:
            add(body, np.asarray([scene.bodies[body].com], float))
    for item in scene.items:
        if item.body in bodies and item.layer in SOLID:
            add(item.body, item.geometry.vertices @ item.transform[:, :3].T + item.transform[:, 3])
    for mesh in scene.flexible:
        if mesh.body in bodies:
            add(mesh.body, mesh.points)
    points = np.concatenate(parts) if parts else np.zeros((0, 3))
    return points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
