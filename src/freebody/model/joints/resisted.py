"""Motions that joints resist, in components along the joint's axes: the equations of loops that joints close."""

from freebody.model.joints.axes import align, principal
from freebody.model.joints.base import Resisted
from freebody.scalar.graph import Graph
from freebody.spatial.scalars import Triple


def translations(g: Graph, *directions: Triple) -> list[Resisted]:
    """Translations along directions; by default along x, y and z."""
    every = directions or tuple(_axis(g, k) for k in range(3))
    return [Resisted(f"force.{axis_label(g, e, k)}", e) for k, e in enumerate(every)]


def tilts(g: Graph, axis: Triple) -> list[Resisted]:
    """The two rotations that would tilt an axis which is fixed in both bodies."""
    first, second, _ = triad(g, axis)
    x, y, z = (g.neg(s) for s in second)
    pairs = (first, (x, y, z)), (second, first)  # axis × a = c
    return [Resisted(f"torque.{axis_label(g, c, k)}", None, a, axis) for k, (c, a) in enumerate(pairs)]


def rotations(g: Graph) -> list[Resisted]:
    """All three rotations."""
    x, y, z = (_axis(g, k) for k in range(3))
    return [Resisted("torque.x", None, z, y), Resisted("torque.y", None, x, z), Resisted("torque.z", None, y, x)]


def triad(g: Graph, axis: Triple) -> tuple[Triple, Triple, Triple]:
    """Three directions at right angles, right-handed, the last along the axis; axes of the frame if it is one."""
    along = principal(g, axis)
    if along is None:
        first, second, third = align(g, axis)
        return first, second, third
    index, sign = along
    first, second = (_axis(g, (index + k) % 3) for k in (1, 2))
    return (first, second, axis) if sign > 0 else (second, first, axis)


def _axis(g: Graph, k: int) -> Triple:
    x, y, z = (g.one if i == k else g.zero for i in range(3))
    return x, y, z


def axis_label(g: Graph, e: Triple, k: int) -> str:
    """The name of a frame's axis, or a number."""
    along = principal(g, e)
    return str(k + 1) if along is None else "xyz"[along[0]]
