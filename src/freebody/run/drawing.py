"""What pictures need to know of a system, as plain numbers for parameter values: ``results.drawing``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from freebody.formulations.derivation import Derivation
from freebody.model.body import BodySpec, Point, Reference
from freebody.model.constraints import (
    Belt,
    Closure,
    Constraint,
    Gear,
    KnifeEdge,
    PointOnCurve,
    PointOnLine,
    PointOnPlane,
    PointOnSurface,
    Rod,
    Roll,
)
from freebody.model.joints.axes import direction
from freebody.model.joints.base import Joint
from freebody.model.loads import Bushing, ElasticBelt, ElasticGear, Force, ForceBetween, JointForce, Load, Torque
from freebody.model.vectors import PointSpec
from freebody.model.wheel_pairs import WheelPair
from freebody.names import LOAD
from freebody.results.drawing import (
    GROUND,
    Anchor,
    Drawing,
    DrawnArrow,
    DrawnAxis,
    DrawnBody,
    DrawnConstraint,
    DrawnJoint,
    DrawnLine,
    DrawnLoad,
    DrawnWheel,
    FlexibleMesh,
    Quaternion,
    Triple,
)
from freebody.run.initial import default_state
from freebody.run.wheel_outlines import wheels_and_lines
from freebody.scalar.derivative import jvp
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.quaternions import quaternions
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.tree import Link

PARALLEL = 1e-9
CURVE = np.linspace(-np.pi, np.pi, 181)
"""How far from its start the parameter of a curve goes on a picture."""


def drawing(e: Derivation, parameters: Mapping[str, float]) -> Drawing:
    """What a picture of the system needs, for values of its parameters."""
    return DrawingBuilder(e, parameters).drawing()


class DrawingBuilder:
    """Turns the elements of a system to numbers. What moves in its body is evaluated at the initial state."""

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
        loads = [self._load(load) for load in tree.model.loads.values()]
        constraints = [self._constraint(c) for c in tree.model.constraints.values()]
        return Drawing(
            self.triple(tree.gravity, tree.root),
            tuple(bodies),
            tuple(loads),
            tuple(constraints),
            dict(self._meshes()),
            tuple(self.left_out),
        )

    # Numbers

    def numbers(self, nodes: Sequence[Node]) -> list[float]:
        return [float(v) for v in values(self.graph, nodes, self.known, lambda name: 0.0)]

    def triple(self, v: Vector, frame: Frame) -> Triple:
        x, y, z = self.numbers(components(v, frame))
        return x, y, z

    def fixed(self, v: Vector, frame: Frame) -> bool:
        """Whether a vector is fixed in a frame."""
        return all(self.graph.mask[s] <= PARAMETERS_ONLY for s in components(v, frame))

    def unit(self, body: Reference, given: Any, context: str) -> Triple:
        """A direction of a field along the axes of a body."""
        x, y, z = self.numbers(direction(body.frame, given, context))
        return x, y, z

    def anchor(self, point: Point, context: str) -> Anchor | None:
        """A point of a body; None where it moves there."""
        if not point.fixed:
            self.left_out.append(f"{context}: its point moves on {point.body.name}")
            return None
        return Anchor(point.body.name, self.triple(point.offset, point.body.frame))

    def turn(self, axes: Frame, frame: Frame) -> Quaternion:
        """The rotation that maps components along axes to those in a frame."""
        g = self.graph
        rows = [[g.one if i == k else g.zero for i in range(3)] for k in range(3)]
        R = np.array([self.triple(vector(axes, row), frame) for row in rows]).T
        w, x, y, z = quaternions(R[None])[0].tolist()
        return w, x, y, z

    # Bodies

    def _body(self, stages: Sequence[Link]) -> DrawnBody:
        spec = stages[-1].body.spec.described
        com = self._com(spec)
        J = np.array(self.numbers([x.handle for row in spec.inertia for x in row])).reshape(3, 3)
        if spec.modal is not None:
            data = spec.modal.data
            mass, *own = self.numbers([spec.mass.handle, *(s.handle for s in spec.com)])
            J = J + mass * _steiner(own) + data.J0 - (mass + data.m) * _steiner(com)
        joint = self._joint(stages)
        self.joints[spec.name] = joint
        xx, yy, zz, xy, xz, yz = (float(J[i, j]) for i, j in SIX)
        return DrawnBody(spec.name, com, (xx, yy, zz, xy, xz, yz), joint)

    def _com(self, spec: BodySpec) -> Triple:
        """The mass centre of an undeformed body."""
        mass, *own = self.numbers([spec.mass.handle, *(s.handle for s in spec.com)])
        if spec.modal is not None:
            data = spec.modal.data
            first = self.numbers(spec.modal.first_moment(self.graph, [self.graph.zero] * data.n))
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
        place = Anchor(parent.name, self.triple(offset, parent.frame))
        moves = list[DrawnAxis]()
        for link in () if stages[-1].is_node else stages:
            placement = link.body.placement
            for turn, slide in () if link.is_flexible else zip(placement.turns, placement.slides, strict=True):
                moves += self._axis(turn, slide, parent, place, body)
        return DrawnJoint(
            spec.joint.kind, place, self.turn(axes, parent.frame), Anchor(body.name, (0, 0, 0)), tuple(moves)
        )

    def _axis(
        self, turn: Vector, slide: Vector, parent: Reference, place: Anchor, body: Reference
    ) -> Iterator[DrawnAxis]:
        """The axis of one speed, in the body where it is fixed; at the initial state where it moves in both."""
        a, b = (np.array(self.triple(v, parent.frame)) for v in (turn, slide))
        along, kind = (a, "turn") if np.linalg.norm(a) > 0 else (b, "slide")
        size = float(np.linalg.norm(along))
        if not 0 < size < np.inf:
            return
        if kind == "turn" and abs(a @ b) > PARALLEL * size:
            kind = "screw"
        leading, anchor = (slide if kind == "slide" else turn), place
        if not self.fixed(leading, parent.frame) and self.fixed(leading, body.frame):
            along, anchor = np.array(self.triple(leading, body.frame)), Anchor(body.name, (0, 0, 0))
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

    # Loads

    def _load(self, load: Load) -> DrawnLoad:
        draw = LOADS.get(type(load))
        return DrawnLoad(load.name, load.kind) if draw is None else draw(self, load, LOAD(load.name))

    def force(self, load: Force, variable: str) -> DrawnLoad:
        at = self.anchor(self.placed.point(load.at), f"force '{load.name}'")
        arrows = () if at is None else (DrawnArrow("force", at, variable),)
        return DrawnLoad(load.name, load.kind, arrows)

    def torque(self, load: Torque, variable: str) -> DrawnLoad:
        arrows = [DrawnArrow("torque", self._centre(load.on), variable)]
        if load.reaction not in (None, GROUND):
            arrows.append(DrawnArrow("torque", self._centre(load.reaction), variable, -1.0))
        return DrawnLoad(load.name, load.kind, tuple(arrows))

    def _centre(self, name: str) -> Anchor:
        """The mass centre of a body; the origin of the ground."""
        specs = {stages[-1].described.name: stages[-1].described for stages in self.e.tree.bodies}
        return Anchor(name, (0, 0, 0) if name == GROUND else self._com(specs[name]))

    def force_between(self, load: ForceBetween, variable: str) -> DrawnLoad:
        g, law = self.graph, self.placed.scalar(load.law).handle
        arguments = load.length.handle, load.rate.handle
        depends = [jvp(g, [law], {x: g.one})[0] != g.zero for x in arguments]
        style = "spring" if depends[0] else "damper" if depends[1] else "line"
        ends = self._ends(load.start, load.end, f"force between points '{load.name}'")
        return DrawnLoad(load.name, load.kind, (), ends, style, variable)

    def bushing(self, load: Bushing, variable: str) -> DrawnLoad:
        ends = self._ends(load.base, load.mount, f"bushing '{load.name}'")
        arrows = () if ends is None else (DrawnArrow("force", ends[1], variable),)
        return DrawnLoad(load.name, load.kind, arrows, ends, "bushing")

    def joint_force(self, load: JointForce, variable: str) -> DrawnLoad:
        link, k = self.e.tree.speeds[load.speed_name]
        stages = next(s for s in self.e.tree.bodies if link in s)
        index = sum(len(s.body.placement.turns) for s in stages[: stages.index(link)]) + k
        axes = self.joints[stages[-1].described.name].axes
        if index >= len(axes):  # a mode
            return DrawnLoad(load.name, load.kind)
        axis = axes[index]
        kind = "force" if axis.kind == "slide" else "torque"
        arrow = DrawnArrow(kind, axis.anchor, variable, along=axis.along, frame=axis.anchor.body)
        return DrawnLoad(load.name, load.kind, (arrow,))

    def _ends(self, start: PointSpec, end: PointSpec, context: str) -> tuple[Anchor, Anchor] | None:
        a, b = (self.anchor(self.placed.point(spec), context) for spec in (start, end))
        return None if a is None or b is None else (a, b)

    # Gears and belts

    def transmission_load(self, load: Any, variable: str) -> DrawnLoad:
        """A gear or a belt that is elastic."""
        wheels, lines = self._wheels_and_lines(load)
        return DrawnLoad(load.name, load.kind, variable=variable, wheels=wheels, lines=lines)

    def transmission(self, c: Any, context: str) -> dict[str, Any]:
        """A gear or a belt that is ideal."""
        wheels, lines = self._wheels_and_lines(c)
        return {"wheels": wheels, "lines": lines}

    def _wheels_and_lines(self, pair: WheelPair) -> tuple[tuple[DrawnWheel, ...], tuple[DrawnLine, ...]]:
        points = [self.placed.point(spec) for spec in (pair.start, pair.end)]
        centres = [np.array(self.triple(p.offset, p.body.frame)) for p in points]
        return wheels_and_lines(pair, centres, self.numbers)

    # Constraints

    def _constraint(self, c: Constraint) -> DrawnConstraint:
        draw = CONSTRAINTS.get(type(c))
        facts = {} if draw is None else draw(self, c, f"constraint '{c.name}'")
        return DrawnConstraint(c.name, c.kind, switched=c.engaged is not None, **facts)

    def closure(self, c: Closure, context: str) -> dict[str, Any]:
        A, B = c.frames(self.placed)
        start, end = self.anchor(A.origin, context), self.anchor(B.origin, context)
        if start is None or end is None:
            return {"start": start, "end": end}
        frame = A.origin.body.frame
        axes = self._closing_axes(c.joint, A.axes, A.origin.body, start)
        joint = DrawnJoint(
            c.joint.kind, start, self.turn(A.axes, frame), end, tuple(axes), self.turn(B.axes, B.origin.body.frame)
        )
        return {"start": start, "end": end, "joint": joint}

    def _closing_axes(self, joint: Joint, axes: Frame, body: Reference, place: Anchor) -> Iterator[DrawnAxis]:
        g = self.graph
        q, u = [g.const(x) for x in joint.zero], [g.zero] * len(joint.speeds)
        placement = joint.place(axes, "closing joint", q, u)
        for turn, slide in zip(placement.turns, placement.slides, strict=True):
            yield from self._axis(turn, slide, body, place, body)

    def rod(self, c: Rod, context: str) -> dict[str, Any]:
        ends = self._ends(c.start, c.end, context)
        return {} if ends is None else {"start": ends[0], "end": ends[1]}

    def on_line(self, c: PointOnLine, context: str) -> dict[str, Any]:
        return self._guided(c.point, c.on, c.direction, context)

    def on_plane(self, c: PointOnPlane, context: str) -> dict[str, Any]:
        return self._guided(c.point, c.on, c.normal, context)

    def _guided(self, point: PointSpec, on: PointSpec, along: Any, context: str) -> dict[str, Any]:
        start, end = (self.anchor(self.placed.point(spec), context) for spec in (point, on))
        return {"start": start, "end": end, "direction": self.unit(self.placed.point(on).body, along, context)}

    def on_surface(self, c: PointOnSurface, context: str) -> dict[str, Any]:
        return {"start": self.anchor(self.placed.point(c.point), context), "end": Anchor(c.on, (0, 0, 0))}

    def on_curve(self, c: PointOnCurve, context: str) -> dict[str, Any]:
        g, nodes = self.graph, [self.placed.scalar(x).handle for x in c.curve]
        s = c.argument.handle
        points = []
        for value in (c.start + CURVE).tolist():
            x, y, z = (float(v) for v in values(g, nodes, {**self.known, s: value}, lambda name: 0.0))
            points.append((x, y, z))
        start = self.anchor(self.placed.point(c.point), context)
        return {"start": start, "end": Anchor(c.on, (0, 0, 0)), "curve": tuple(points)}

    def knife_edge(self, c: KnifeEdge, context: str) -> dict[str, Any]:
        point = self.placed.point(c.point)
        along = self.unit(point.body, c.direction, context)
        return {"start": self.anchor(point, context), "end": Anchor(c.on, (0, 0, 0)), "direction": along}

    def roll(self, c: Roll, context: str) -> dict[str, Any]:
        centre, on = self.placed.point(c.centre), self.placed.point(c.on)
        along = None if c.axis is None else self.unit(centre.body, c.axis, context)
        (radius,) = self.numbers([self.placed.scalar(c.radius).handle])
        start, end = self.anchor(centre, context), self.anchor(on, context)
        return {"start": start, "end": end, "direction": along, "radius": radius}


def _steiner(c: Sequence[float]) -> Any:
    x = np.asarray(c)
    return x @ x * np.eye(3) - np.outer(x, x)


SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
LOADS: dict[type[Load], Callable[[DrawingBuilder, Any, str], DrawnLoad]] = {
    Force: DrawingBuilder.force, Torque: DrawingBuilder.torque, ForceBetween: DrawingBuilder.force_between,
    Bushing: DrawingBuilder.bushing, JointForce: DrawingBuilder.joint_force,
    ElasticGear: DrawingBuilder.transmission_load, ElasticBelt: DrawingBuilder.transmission_load,
}  # fmt: skip
CONSTRAINTS: dict[type[Constraint], Callable[[DrawingBuilder, Any, str], dict[str, Any]]] = {
    Closure: DrawingBuilder.closure, Rod: DrawingBuilder.rod, PointOnLine: DrawingBuilder.on_line,
    PointOnPlane: DrawingBuilder.on_plane, PointOnSurface: DrawingBuilder.on_surface,
    PointOnCurve: DrawingBuilder.on_curve, KnifeEdge: DrawingBuilder.knife_edge, Roll: DrawingBuilder.roll,
    Gear: DrawingBuilder.transmission, Belt: DrawingBuilder.transmission,
}  # fmt: skip
