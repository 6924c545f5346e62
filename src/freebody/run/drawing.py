"""What pictures need to know of a system, as plain numbers for parameter values: ``freebody.drawing``."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from freebody.drawing import (
    GROUND,
    Anchor,
    Drawing,
    DrawnAxis,
    DrawnBody,
    DrawnJoint,
    FlexibleMesh,
    Quaternion,
    Triple,
)
from freebody.formulations.derivation import Derivation
from freebody.model.body import BodySpec, Point, Reference
from freebody.model.joints.axes import direction as unit_components
from freebody.model.joints.base import Joint
from freebody.model.vectors import PointSpec
from freebody.run.bodies import ShapeTemplate
from freebody.run.initial import default_state
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.quaternions import quaternions
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.tree import Link

PARALLEL = 1e-9


def drawing(e: Derivation, parameters: Mapping[str, float]) -> Drawing:
    """What a picture of the system needs, for values of its parameters."""
    return DrawingBuilder(e, parameters).drawing()


class DrawingBuilder:
    """The elements of a system as numbers: the ``Picture`` of loads, constraints and sensors. What moves in its body is
    evaluated at the initial state."""

    def __init__(self, e: Derivation, parameters: Mapping[str, float]) -> None:
        self.e, self.graph, self.placed = e, e.graph, e.tree.placed
        groups, x = e.groups(), default_state(e)
        self.known: dict[Node, Any] = dict(zip(e.layout.q_handles, x.tolist(), strict=False))
        self.known |= zip(groups["parameters"], (parameters[n] for n in e.layout.parameters), strict=True)
        self.known |= zip(groups["inputs"], e.layout.default_inputs, strict=True)
        self.left_out: list[str] = []
        self.joints: dict[str, DrawnJoint] = {}

    def drawing(self) -> Drawing:
        tree = self.e.tree
        bodies = [self._body(stages) for stages in tree.bodies]
        loads = [load.drawn(self) for load in tree.model.loads.values()]
        constraints = [c.drawn(self) for c in tree.model.constraints.values()]
        drawn = [one.drawn(self) for one in tree.model.sampled.values()]
        sensors = [one for one in drawn if one is not None]
        return Drawing(
            self._triple(tree.gravity, tree.root),
            tuple(bodies),
            tuple(loads),
            tuple(constraints),
            dict(self._meshes()),
            tuple(self.left_out),
            tuple(sensors),
        )

    # Numbers

    def _values(self, nodes: Sequence[Node], known: Mapping[Node, float] | None = None) -> list[float]:
        return [float(v) for v in values(self.graph, nodes, {**self.known, **(known or {})}, lambda name: 0.0)]

    def _triple(self, v: Vector, frame: Frame) -> Triple:
        x, y, z = self._values(components(v, frame))
        return x, y, z

    def _fixed(self, v: Vector, frame: Frame) -> bool:
        """Whether a vector is fixed in a frame."""
        return all(self.graph.mask[s] <= PARAMETERS_ONLY for s in components(v, frame))

    def _turn(self, axes: Frame, frame: Frame) -> Quaternion:
        """The rotation that maps components along axes to those in a frame."""
        g = self.graph
        rows = [[g.one if i == k else g.zero for i in range(3)] for k in range(3)]
        R = np.array([self._triple(vector(axes, row), frame) for row in rows]).T
        w, x, y, z = quaternions(R[None])[0].tolist()
        return w, x, y, z

    # Bodies

    def _body(self, stages: Sequence[Link]) -> DrawnBody:
        spec = stages[-1].body.spec.described
        com = self._com(spec)
        J = np.array(self._values([x.handle for row in spec.inertia for x in row])).reshape(3, 3)
        if spec.modal is not None:
            data = spec.modal.data
            mass, *own = self._values([spec.mass.handle, *(s.handle for s in spec.com)])
            J = J + mass * _steiner(own) + data.J0 - (mass + data.m) * _steiner(com)
        joint = self._joint(stages)
        self.joints[spec.name] = joint
        xx, yy, zz, xy, xz, yz = (float(J[i, j]) for i, j in SIX)
        return DrawnBody(spec.name, com, (xx, yy, zz, xy, xz, yz), joint)

    def _com(self, spec: BodySpec) -> Triple:
        """The mass centre of an undeformed body."""
        mass, *own = self._values([spec.mass.handle, *(s.handle for s in spec.com)])
        if spec.modal is not None:
            data = spec.modal.data
            first = self._values(spec.modal.first_moment(self.graph, [self.graph.zero] * data.n))
            own = [(mass * c + h) / (mass + data.m) for c, h in zip(own, first, strict=True)]
        x, y, z = own
        return x, y, z

    def _joint(self, stages: Sequence[Link]) -> DrawnJoint:
        spec, body, first = stages[-1].body.spec.described, stages[-1].body, stages[0].body
        parent, offset = first.parent, first.offset
        if stages[-1].is_node:
            offset = offset + first.placement.position
        axes = parent.frame
        if spec.orient is not None:
            axes = axes.oriented(f"joint of {spec.name}", [[s.handle for s in row] for row in spec.orient])
        place = Anchor(parent.name, self._triple(offset, parent.frame))
        moves = list[DrawnAxis]()
        for link in () if stages[-1].is_node else stages:
            placement = link.body.placement
            for turn, slide in () if link.is_flexible else zip(placement.turns, placement.slides, strict=True):
                moves += self._axis(turn, slide, parent, place, body)
        return DrawnJoint(
            spec.joint.kind, place, self._turn(axes, parent.frame), Anchor(body.name, (0, 0, 0)), tuple(moves)
        )

    def _axis(
        self, turn: Vector, slide: Vector, parent: Reference, place: Anchor, body: Reference
    ) -> Iterator[DrawnAxis]:
        """The axis of one speed, in the body where it is fixed; at the initial state where it moves in both."""
        a, b = (np.array(self._triple(v, parent.frame)) for v in (turn, slide))
        along, kind = (a, "turn") if np.linalg.norm(a) > 0 else (b, "slide")
        size = float(np.linalg.norm(along))
        if not 0 < size < np.inf:
            return
        if kind == "turn" and abs(a @ b) > PARALLEL * size:
            kind = "screw"
        leading, anchor = (slide if kind == "slide" else turn), place
        if not self._fixed(leading, parent.frame) and self._fixed(leading, body.frame):
            along, anchor = np.array(self._triple(leading, body.frame)), Anchor(body.name, (0, 0, 0))
        x, y, z = (along / np.linalg.norm(along)).tolist()
        yield DrawnAxis(kind, anchor, (x, y, z))

    def _meshes(self) -> Iterator[tuple[str, FlexibleMesh]]:
        for stages in self.e.tree.bodies:
            spec = stages[-1].body.spec.described
            if spec.modal is None:
                continue
            data, names = spec.modal.data, spec.names[0]
            mesh = data.drawing
            used, place = np.unique([*mesh.lines.ravel(), *mesh.triangles.ravel()], return_inverse=True)
            if not len(used):
                used, place = np.arange(len(mesh.points)), np.zeros(0, int)
            lines, triangles = place[: mesh.lines.size].reshape(-1, 2), place[mesh.lines.size :].reshape(-1, 3)
            yield (
                spec.name,
                FlexibleMesh(names[len(names) - data.n :], mesh.points[used], mesh.shapes[used], lines, triangles),
            )

    # What loads, constraints and sensors need: freebody.model.picture

    def numbers(self, values: Sequence[Any], known: Mapping[Node, float] | None = None) -> list[float]:
        return self._values([self.placed.scalar(x).handle for x in values], known)

    def shape(self, shape: Any) -> Mapping[str, Any]:
        nodes = list[Node]()
        template = ShapeTemplate(self.e, shape, nodes)
        return template.facts(iter(self._values(nodes)))

    def position(self, point: PointSpec | Point) -> Triple:
        point = self.placed.point(point) if isinstance(point, PointSpec) else point
        return self._triple(point.offset, point.body.frame)

    def anchor(self, point: PointSpec | Point, context: str) -> Anchor | None:
        point = self.placed.point(point) if isinstance(point, PointSpec) else point
        if not point.fixed:
            self.left_out.append(f"{context}: its point moves on {point.body.name}")
            return None
        return Anchor(point.body.name, self.position(point))

    def reaction_point(self, name: str) -> Point | None:
        return self.e.tree.model.reaction_point(name, self.placed)

    def ends(self, start: PointSpec, end: PointSpec, context: str) -> tuple[Anchor, Anchor] | None:
        a, b = (self.anchor(point, context) for point in (start, end))
        return None if a is None or b is None else (a, b)

    def unit(self, body: str, direction: Any, context: str) -> Triple:
        x, y, z = self._values(unit_components(self.placed.body(body).frame, direction, context))
        return x, y, z

    def centre(self, body: str) -> Anchor:
        specs = {stages[-1].described.name: stages[-1].described for stages in self.e.tree.bodies}
        return Anchor(body, (0, 0, 0) if body == GROUND else self._com(specs[body]))

    def axis(self, speed: str) -> DrawnAxis | None:
        link, k = self.e.tree.speeds[speed]
        stages = next(s for s in self.e.tree.bodies if link in s)
        index = sum(len(s.body.placement.turns) for s in stages[: stages.index(link)]) + k
        axes = self.joints[stages[-1].described.name].axes
        return axes[index] if index < len(axes) else None

    def closing_joint(self, joint: Joint, start: Anchor, end: Anchor, axes: tuple[Frame, Frame]) -> DrawnJoint:
        g, (parent, child) = self.graph, (self.placed.body(place.body) for place in (start, end))
        q, u = [g.const(x) for x in joint.zero], [g.zero] * len(joint.speeds)
        placement, moves = joint.place(axes[0], "closing joint", q, u), list[DrawnAxis]()
        for turn, slide in zip(placement.turns, placement.slides, strict=True):
            moves += self._axis(turn, slide, parent, start, parent)
        turns = self._turn(axes[0], parent.frame), self._turn(axes[1], child.frame)
        return DrawnJoint(joint.kind, start, turns[0], end, tuple(moves), turns[1])


def _steiner(c: Sequence[float]) -> Any:
    x = np.asarray(c)
    return x @ x * np.eye(3) - np.outer(x, x)


SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
