"""The inertia beyond a joint: of all bodies that it carries, along one of its speeds, at the initial values."""

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from freebody.fem.paper_integrals import cross_matrix
from freebody.model.body import Body, Reference
from freebody.model.joints.base import scalar
from freebody.model.signals import SignalView
from freebody.scalar.node import Node
from freebody.scalar.walk import values
from freebody.spatial.vector import components

Array = NDArray[np.float64]


def inertia_beyond(view: SignalView, body: str, coordinate: str) -> float:
    """h · I h of the joint of a body, with the inertia I of all bodies that it carries and its column h of the speed,
    and the armature of the joint; where coordinates and parameters have their initial values."""
    placed = view.placed
    first = placed.bodies[body]
    carried = [first]
    for one in placed.bodies.values():
        if one.parent in carried:
            carried.append(one)
    known, nodes = dict[Node, float](), list[Node]()
    for one in carried:
        known |= zip((x.handle for x in one.q), _initial(one), strict=True)
        nodes += _nodes(one, first)
    k = first.spec.freedoms.speeds.index(coordinate)
    turn, slide = first.placement.turns[k], first.placement.slides[k]
    nodes += [*components(turn, first.frame), *components(slide, first.frame)]
    nodes.append(scalar(view.graph, first.spec.joint.armature))
    numbers = np.array(
        [float(x) for x in values(view.graph, nodes, known, lambda name: view.parameters.get(name, 0.0))]
    )
    own = numbers[:-7].reshape(len(carried), -1)
    total = dict[Reference, Array]()
    for one, row in zip(reversed(carried), own[::-1], strict=True):
        I = total.get(one, np.zeros((6, 6))) + _solid(one, row[12:])
        total[one] = I
        if one is not first:
            R, p = row[:9].reshape(3, 3), row[9:12]  # axes of the body along those of its parent, and its origin there
            X = np.zeros((6, 6))  # twists at the parent's origin to those at the body's
            X[:3, :3] = X[3:, 3:] = R.T
            X[3:, :3] = -R.T @ cross_matrix(p)
            parent = total.get(one.parent, np.zeros((6, 6)))
            total[one.parent] = parent + X.T @ I @ X
    h, armature = numbers[-7:-1], numbers[-1]
    return float(h @ total[first] @ h + armature)


def _initial(body: Body) -> list[float]:
    """The initial values of its coordinates; those of modes are zero."""
    joint = body.spec.joint
    given = joint.initial
    listed = joint.zero if given is None else given if isinstance(given, tuple) else (given,)
    return [*map(float, listed), *[0.0] * (len(body.q) - len(listed))]


def _nodes(body: Body, first: Body) -> list[Node]:
    """Its axes and origin in its parent (those of the first body do not matter), mass, mass centre and inertia."""
    spec, g = body.spec, body.graph
    place = [g.zero] * 12
    if body is not first:
        axes = [components(body.axis(k), body.parent.frame) for k in range(3)]
        position = components(body.offset + body.placement.position, body.parent.frame)
        place = [*(axes[column][row] for row in range(3) for column in range(3)), *position]
    return [*place, *(scalar(g, x) for x in (spec.mass, *spec.com, *chain.from_iterable(spec.inertia)))]


def _solid(body: Body, numbers: Array) -> Array:
    """The inertia (6 × 6) about the origin of its rigid part and of its undeformed modes."""
    m, c = numbers[0], cross_matrix(numbers[1:4])
    J, moment, mass = numbers[4:].reshape(3, 3) - m * c @ c, m * c, m
    if body.spec.modal is not None:
        data = body.spec.modal.data
        J, moment, mass = J + data.J0, moment + cross_matrix(data.c0), mass + data.m
    return np.block([[J, moment], [-moment, mass * np.eye(3)]])
