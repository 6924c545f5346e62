"""Targets of inverse kinematics as users write them: points, bodies and names with positions, rotations, poses and
directions of axes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.target_equations import AXIS, INPUTS, POSITION, ROTATION, ROWS, TargetPart
from freebody.errors import ArgumentError, choices, suggest
from freebody.formulations.derivation import Derivation
from freebody.model.body import Ground, Point, Reference
from freebody.quantities import location
from freebody.quantities.kinematics import Location
from freebody.run.arguments import number, numbers, shorten
from freebody.scalar.expr import Expr
from freebody.spatial.vector import components

Array = NDArray[np.float64]
POSE = (
    "a position (3 numbers), a quaternion (w, x, y, z) or rotation matrix (3 × 3), a pose: (position, rotation), 7"
    " numbers, a 4 × 4 matrix, or parts by name: {'position': …, 'rotation': …, 'axis': {'z': direction}}"
)
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
UNIT = 1e-3
"""A quaternion whose length, or a rotation matrix whose products of rows, are further from those of a rotation are
refused; others are normalised."""

EXACT = 1e-12
"""Below this a matrix is taken as it is."""

NO_AXIS = (0.0, 0.0, 0.0)

POSE_PARTS = [(POSITION, NO_AXIS), (ROTATION, NO_AXIS)]

Parts = dict[tuple[str, tuple[float, float, float]], Array]
"""The numbers of the parts of a target, by kind and axis; those of a position may be NaN where they are free."""


@dataclass(frozen=True, eq=False)
class PoseTarget:
    """A target: its name for people, the point, and its parts with their numbers."""

    name: str
    where: Location
    parts: Parts

    @property
    def key(self) -> tuple[TargetPart, ...]:
        return tuple(TargetPart(self.where, kind, axis) for kind, axis in self.parts)


def place(e: Derivation, key: Any) -> tuple[str, Location]:
    """The name and the location of what has a target: a body, its name, or a point."""
    model = e.tree.model
    if isinstance(key, Point):
        if not key.fixed:
            raise ArgumentError(
                f"{model.name}: target '{key.name}' moves in its body; inverse kinematics takes points that are fixed"
                " in a body, body.point((x, y, z))"
            )
        exprs = [Expr(key.offset.graph, h) for h in components(key.offset, key.body.frame)]
        at = [float(x) if x.graph.number(x.handle) is not None else str(x) for x in exprs]
        body: Reference | str = key.body
        name = key.name if any(at) else key.body.name
    elif isinstance(key, Reference | str):
        body, at = key, [0.0, 0.0, 0.0]
        name = key if isinstance(key, str) else key.name
    else:
        raise ArgumentError(
            f"{model.name}: a target belongs to a body, a point or the name of a body, not to {shorten(key)}; write"
            " targets={'tool': (x, y, z)} or {body.point((0, 0, 0.1)): …}"
        )
    named = body if isinstance(body, str) else body.name
    if isinstance(body, Ground) or named == "ground":
        raise ArgumentError(f"{model.name}: the ground cannot be moved to a target; name a body or a point of one")
    if named not in model.bodies:
        raise ArgumentError(
            f"{model.name}: there is no body '{named}' for a target. {suggest(named, list(model.bodies))}"
        )
    return name, location(named, at)


FLOAT = np.dtype(float)


def plain_poses(targets: Mapping[Any, Any]) -> list[Array] | None:
    """Positions and rotations, in turn, of targets that are all pairs of arrays, (position, matrix) in any order: what
    is read in loops. Their numbers are not checked. None if there are other targets."""
    arrays = list[Array]()
    for value in targets.values():
        if not isinstance(value, tuple) or len(value) != 2:
            return None
        p, R = value
        if type(p) is not np.ndarray or type(R) is not np.ndarray or p.dtype is not FLOAT or R.dtype is not FLOAT:
            return None
        if p.shape == (3, 3):
            p, R = R, p
        if p.shape != (3,) or R.shape != (3, 3):
            return None
        arrays += p, R.reshape(9)
    return arrays


def _off_rotation(R: Array) -> tuple[float, float]:
    """By how much products of rows differ from those of a rotation, infinite of one that mirrors; its determinant."""
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    off = max(
        abs(a * a + b * b + c * c - 1), abs(d * d + e * e + f * f - 1), abs(g * g + h * h + i * i - 1),
        abs(a * d + b * e + c * f), abs(a * g + b * h + c * i), abs(d * g + e * h + f * i),
    )  # fmt: skip
    return (inf if determinant < 0 else off), determinant


def read_parts(value: Any, context: str) -> Parts:
    """The parts of a target's value."""
    if isinstance(value, Mapping):
        return _named_parts(value, context)
    if isinstance(value, tuple | list) and len(value) == 2 and not all(isinstance(x, float | int) for x in value):
        first, second = value
        if np.shape(first) == (3, 3):
            first, second = second, first
        return {(POSITION, NO_AXIS): _position(first, context), (ROTATION, NO_AXIS): rotation(second, context)}
    if isinstance(value, tuple | list) and len(value) == 3 and any(x is None for x in value):
        return {(POSITION, NO_AXIS): _position(value, context)}
    array = numbers(value, context)
    match array.shape:
        case (3,):
            return {(POSITION, NO_AXIS): array}
        case (4,) | (3, 3):
            return {(ROTATION, NO_AXIS): rotation(array, context)}
        case (7,):
            return {(POSITION, NO_AXIS): array[:3], (ROTATION, NO_AXIS): rotation(array[3:], context)}
        case (4, 4):
            if np.abs(array[3] - (0, 0, 0, 1)).max() > EXACT:
                raise ArgumentError(f"{context}: the last row of a 4 × 4 pose is (0, 0, 0, 1), not {array[3].tolist()}")
            return {(POSITION, NO_AXIS): array[:3, 3], (ROTATION, NO_AXIS): rotation(array[:3, :3], context)}
    raise ArgumentError(f"{context} has shape {array.shape}; give {POSE}")


def _named_parts(value: Mapping[str, Any], context: str) -> Parts:
    """Parts by name."""
    parts: Parts = {}
    for name, part in value.items():
        match name:
            case "position":
                parts[POSITION, NO_AXIS] = _position(part, context)
            case "rotation":
                parts[ROTATION, NO_AXIS] = rotation(part, context)
            case "axis":
                if not isinstance(part, Mapping):
                    raise ArgumentError(
                        f"{context}: 'axis' takes the axis of the body and its direction in the ground,"
                        f" {{'z': (0, 0, -1)}}, not {shorten(part)}"
                    )
                for axis, towards in part.items():
                    own = AXES.get(axis) if isinstance(axis, str) else axis
                    if own is None:
                        raise ArgumentError(f"{context}: there is no axis '{axis}'; {choices(list(AXES))}")
                    x, y, z = _direction(own, context).tolist()
                    parts[AXIS, (x, y, z)] = _direction(towards, context)
            case _:
                raise ArgumentError(f"{context}: a target has no '{name}'; {choices(['position', 'rotation', 'axis'])}")
    if not parts:
        raise ArgumentError(f"{context} is empty; give {POSE}")
    if (ROTATION, NO_AXIS) in parts and any(kind == AXIS for kind, _ in parts):
        raise ArgumentError(f"{context}: a rotation determines the directions of all axes; leave out 'axis'")
    return parts


def _position(value: Any, context: str) -> Array:
    """Three numbers; None where the position is free."""
    if isinstance(value, tuple | list) and any(x is None for x in value):
        array = np.array([np.nan if x is None else number(x, context) for x in value])
        if np.isnan(array).all():
            raise ArgumentError(f"{context}: a position with three times None asks for nothing; leave it out")
    else:
        array = numbers(value, context)
    if array.shape != (3,):
        raise ArgumentError(f"{context}: a position has three numbers (x, y, z), not {shorten(value)}")
    return array


def _direction(value: Any, context: str) -> Array:
    array = numbers(value, context)
    length = float(np.linalg.norm(array)) if array.shape == (3,) else 0.0
    if length == 0:
        raise ArgumentError(f"{context}: a direction has three numbers that are not all zero, not {shorten(value)}")
    return array / length


def rotation(value: Any, context: str) -> Array:
    """Nine numbers: a rotation matrix by rows, from a matrix or a quaternion (w, x, y, z)."""
    array = value if type(value) is np.ndarray and value.dtype == np.float64 else numbers(value, context)
    if array.shape == (4,):
        w, x, y, z = array.tolist()
        square = w * w + x * x + y * y + z * z
        if not abs(square - 1) <= 2 * UNIT:
            raise ArgumentError(
                f"{context}: the quaternion has length {np.sqrt(square):.4g}, not 1; give (w, x, y, z) of a unit"
                " quaternion"
            )
        s = 2 / square
        return np.array(
            (
                1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
                s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),
                s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y),
            )
        )  # fmt: skip
    if array.shape != (3, 3):
        raise ArgumentError(
            f"{context}: a rotation is a 3 × 3 matrix or a quaternion (w, x, y, z), not an array of shape {array.shape}"
        )
    off, determinant = _off_rotation(array)
    if not off <= UNIT:
        problem = "it mirrors" if determinant < 0 else f"its rows are off those of a rotation by {off:.3g}"
        raise ArgumentError(f"{context}: the matrix is not a rotation: {problem}")
    if off > EXACT:
        U, _, V = np.linalg.svd(array)
        return np.asarray(U @ V).ravel()
    return array.ravel()


def read_targets(e: Derivation, targets: Any, places: dict[Any, tuple[str, Location]]) -> list[PoseTarget]:
    """The targets of a mapping from bodies, points or names to their values; ``places`` has those that were read
    before."""
    name = e.tree.model.name
    if not isinstance(targets, Mapping) or not targets:
        raise ArgumentError(
            f"{name}: targets are a mapping of bodies, points or names of bodies to where they should be,"
            f" {{'tool': (x, y, z)}}, not {shorten(targets)}; a value is {POSE}"
        )
    result = list[PoseTarget]()
    for key, value in targets.items():
        try:
            own, where = places[key]
        except KeyError:
            own, where = places[key] = place(e, key)
        result.append(PoseTarget(own, where, read_parts(value, f"{name}: target '{own}'")))
    return result


def fill(target_numbers: Array, targets: Sequence[PoseTarget]) -> bool:
    """Write the numbers of targets; whether rows of a position are free."""
    start, free = 0, False
    for target in targets:
        for (kind, _), values in target.parts.items():
            end = start + INPUTS[kind]
            target_numbers[start:end] = np.nan_to_num(values)
            free |= bool(np.isnan(values).any())
            start = end
    return free


def free_rows(targets: Sequence[PoseTarget]) -> NDArray[np.bool_]:
    """Rows of positions that are free."""
    parts = [part for target in targets for part in target.parts.items()]
    rows = [np.isnan(values) if kind == POSITION else np.zeros(ROWS, bool) for (kind, _), values in parts]
    return np.concatenate(rows)


def read_weights(targets: Sequence[PoseTarget], keys: Sequence[Any], weights: Any, context: str) -> list[float]:
    """A weight for each part of each target: numbers by target, or (position, rotation)."""
    if weights is None:
        return [1.0] * sum(len(t.parts) for t in targets)
    if not isinstance(weights, Mapping):
        raise ArgumentError(f"{context}: weights are a mapping of targets to numbers, not {shorten(weights)}")
    known = dict(zip(keys, targets, strict=True)) | {t.name: t for t in targets}
    for key in weights:
        if key not in known:
            names = [t.name for t in targets]
            raise ArgumentError(f"{context}: there is no target {shorten(key)} to be weighted; {choices(names)}")
    chosen = {id(known[key]): value for key, value in weights.items()}
    result = list[float]()
    for target in targets:
        value = numbers(chosen.get(id(target), 1.0), f"{context}: weight of '{target.name}'")
        if value.shape not in ((), (2,)) or (value < 0).any():
            raise ArgumentError(
                f"{context}: the weight of '{target.name}' is a number from 0 on, or two of them (of the position in m"
                f" and the rotation in rad), not {shorten(value.tolist())}"
            )
        pair = np.broadcast_to(value, (2,))
        result += [float(pair[0 if kind == POSITION else 1]) for kind, _ in target.parts]
    return result
