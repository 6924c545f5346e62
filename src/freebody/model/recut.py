"""Loops that are cut at another joint: the same mechanism as another spanning tree.

A loop of joints can be cut at any one of them. The joint that closed the loop becomes part of the tree, the bodies
between it and the new cut hang on each other in the reverse order, and the joint at the new cut closes the loop. Bodies
keep their names and axes: a reversed joint moves a massless body, to which the former parent is welded.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from freebody.errors import ModelError
from freebody.model.body import BodySpec, coordinate_names, declare_coordinates
from freebody.model.constraints import Closure
from freebody.model.element import Element, expressions, map_expressions, values_of, with_fields
from freebody.model.joints import Joint, Prismatic, Revolute, Weld
from freebody.model.kinds import AXES
from freebody.model.loads import JointForce
from freebody.model.model import Model
from freebody.model.placed import FrameAddress, PlacedBodies
from freebody.model.vectors import Components, PointSpec
from freebody.names import Q, U
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import symbols_of
from freebody.spatial.vector import components

NEGATIVE = {name: f"-{name}" if not name.startswith("-") else name[1:] for name in AXES}
FORCES = ("stiffness", "damping", "friction", "armature")
"""Fields of joints for forces on their speeds."""


@dataclass(frozen=True)
class JointPose:
    """A joint's frame in a body: position and rows of R, along the body's axes; no rows for parallel axes."""

    at: tuple[Expr, Expr, Expr]
    orient: tuple[tuple[Expr, ...], ...] | None

    def inverse(self) -> "JointPose":
        """The body's frame in the joint's frame."""
        if self.orient is None:
            x, y, z = (-v for v in self.at)
            return JointPose((x, y, z), None)
        columns = tuple(zip(*self.orient, strict=True))
        x, y, z = (-sum((r * v for r, v in zip(c, self.at, strict=True)), start=0 * self.at[0]) for c in columns)
        return JointPose((x, y, z), columns)


def loop_bodies(model: Model, name: str) -> list[str]:
    """The bodies whose joints are part of the loop that a closure closes, from its two ends inwards."""
    closure = model.constraints[name]
    if not isinstance(closure, Closure):
        return []
    first, second = (_ancestors(model, end.body) for end in (closure.start, closure.end))
    return [b for b in first if b not in second] + [b for b in second if b not in first]


def recut(model: Model, name: str, body: str) -> Model:
    """The model with the loop of a closure cut at the joint of a body of this loop; outputs are left out, because they
    do not change the motion. It raises if the joints between are not all revolute, prismatic or welded, or if something
    depends on their coordinates by name."""
    closure = model.constraints[name]
    if not isinstance(closure, Closure) or body not in loop_bodies(model, name):
        raise ModelError(f"the joint of '{body}' is not in the loop of '{name}'")
    first, second = (_ancestors(model, end.body) for end in (closure.start, closure.end))
    path = first if body in first else second
    moved = path[: path.index(body) + 1]
    _require_simple(model, closure, moved)
    g = model.graph.fork()
    bodies, loads, constraints, states, gravity = (
        map_expressions(part, lambda x: Expr(g, x.handle))
        for part in (model.bodies, model.loads, model.constraints, model.states, model.gravity)
    )
    closure = constraints.pop(name)
    tree = _RecutTree(g, dict(bodies), {*bodies, *loads, *constraints, *model.parameters, *model.inputs, *states})
    poses = tree.pose(closure.start, closure.orient), tree.pose(closure.end, closure.orient_to)
    reverse = path is first
    near, far = poses if reverse else poses[::-1]
    outer = closure.end.body if reverse else closure.start.body
    tree.hang(moved[0], name, outer, far, _negative(closure.joint) if reverse else closure.joint, near)
    carriers = dict[str, str]()
    zero = Expr(g, g.zero)
    origin = zero, zero, zero
    for child, parent in pairwise(moved):
        spec = bodies[child]
        pose = JointPose(spec.at, spec.orient)
        if isinstance(spec.joint, Weld):
            tree.weld(parent, child, pose.inverse())
        else:
            carriers[child] = tree.free_name(f"{child} joint")
            tree.hang(parent, carriers[child], child, JointPose(origin, None), _negative(spec.joint), pose)
    cut, closing = bodies[body], tree.free_name(f"{body} joint")
    start, end = (
        PointSpec(where, (Components(FrameAddress(where, 0), at),), closing)
        for where, at in ((cut.parent, cut.at), (body, origin))
    )
    joint = replace(cut.joint, initial=None, limits=None)
    constraints[closing] = Closure(start, end, joint, cut.orient, None, name=closing)
    for n, load in loads.items():
        if isinstance(load, JointForce) and load.on in carriers:
            loads[n] = with_fields(load, {"on": carriers[load.on]})
    recut_model = Model(
        model.name, g, gravity, model.parameters, model.inputs, states, tree.ordered(), loads, constraints, {}
    )
    return recut_model.frozen()


class _RecutTree:
    """The bodies of a model while some get other parents."""

    def __init__(self, graph: Graph, bodies: dict[str, BodySpec], names: set[str]) -> None:
        self.graph, self.bodies, self.names = graph, bodies, names
        self.placed = PlacedBodies(graph)
        for spec in bodies.values():
            self.placed.add(spec)

    def free_name(self, name: str) -> str:
        while name in self.names:
            name += "'"
        self.names.add(name)
        return name

    def pose(self, spec: PointSpec, orient: Any) -> JointPose:
        """The joint's frame at a point of a body."""
        point = self.placed.point(spec)
        x, y, z = (Expr(self.graph, h) for h in components(point.offset, point.body.frame))
        if any(self.graph.mask[v.handle] & ~PARAMETERS_ONLY for v in (x, y, z)):
            raise ModelError("the joint that closes the loop moves on a body")
        return JointPose((x, y, z), orient)

    def hang(self, body: str, carrier: str, on: str, there: JointPose, joint: Joint, here: JointPose) -> None:
        """Let a body hang on another: a massless body moves by the joint, whose frame is ``there`` in the other body
        and ``here`` in the first."""
        zero = Expr(self.graph, self.graph.zero)
        names = coordinate_names(carrier, joint)
        declare_coordinates(self.graph, joint, names)
        self.bodies[carrier] = with_fields(
            self.bodies[body],
            {
                "name": carrier,
                "parent": on,
                "joint": joint,
                "at": there.at,
                "orient": there.orient,
                "mass": zero,
                "com": (zero,) * 3,
                "inertia": ((zero,) * 3,) * 3,
                "shape": None,
                "names": names,
                "physical": True,
            },
        )
        self.weld(body, carrier, here.inverse())

    def weld(self, body: str, on: str, pose: JointPose) -> None:
        self.bodies[body] = with_fields(
            self.bodies[body],
            {"parent": on, "joint": Weld(), "at": pose.at, "orient": pose.orient, "names": ((), ())},
        )

    def ordered(self) -> dict[str, BodySpec]:
        """The bodies, parents first."""
        ordered, waiting = dict[str, BodySpec](), dict(self.bodies)
        while waiting:
            ready = {n: r for n, r in waiting.items() if r.parent == "ground" or r.parent in ordered}
            ordered |= ready
            waiting = {n: r for n, r in waiting.items() if n not in ready}
        return ordered


def _ancestors(model: Model, body: str) -> list[str]:
    """A body and its parents, as far as the ground."""
    path = list[str]()
    while body != "ground":
        path.append(body)
        body = model.bodies[body].parent
    return path


def _negative(joint: Joint) -> Joint:
    """The joint with the opposite axis: its coordinate is that of the joint with parent and child exchanged."""
    if isinstance(joint, Weld):
        return joint
    assert isinstance(joint, Revolute | Prismatic)
    axis = NEGATIVE[joint.axis] if isinstance(joint.axis, str) else tuple(-x for x in joint.axis)
    return replace(joint, axis=axis)


def _require_simple(model: Model, closure: Closure, moved: Sequence[str]) -> None:
    """Raise if the loop cannot be cut at the joint of the last of these bodies."""
    *reversed_bodies, cut = moved
    if closure.engaged is not None:
        raise ModelError(f"constraint '{closure.name}' can be switched, and joints of the tree always hold")
    joints = {n: model.bodies[n].joint for n in moved} | {closure.name: closure.joint}
    for n, joint in joints.items():
        if type(joint) not in (Revolute, Prismatic) and (n in (cut, closure.name) or not isinstance(joint, Weld)):
            raise ModelError(f"joint '{n}' is {joint.kind}; only revolute and prismatic joints are exchanged")
        if joint.motion is not None:
            raise ModelError(f"the motion of joint '{n}' is prescribed")
        if n in model.bodies and model.bodies[n].modal is not None:
            raise ModelError(f"'{n}' is flexible, and its modes are those of the frame of its joint")
    forces = [what for what in FORCES if not _vanishes(model.graph, joints[cut].__dict__[what])]
    if forces:
        raise ModelError(f"joint '{cut}' has {', '.join(forces)}")
    for n, spec in model.bodies.items():
        if spec.coupling is not None and (n in moved or spec.coupling.to in moved):
            raise ModelError(f"joint '{n}' is coupled to '{spec.coupling.to}'")
    if any(isinstance(load, JointForce) and load.on == cut for load in model.loads.values()):
        raise ModelError(f"a joint force acts on joint '{cut}'")
    everything = model.gravity, model.states, model.bodies, model.loads, model.constraints
    g, names = model.graph, {group(n) for n in (*moved, closure.name) for group in (Q, U)}
    used = {g.symbols[g.a[i]].name for i in symbols_of(g, [x.handle for x in expressions(everything)])}
    if names & used:
        raise ModelError(f"an expression uses {', '.join(sorted(names & used))}")
    if any(address.back and address.body in reversed_bodies for address in _addresses(everything)):
        raise ModelError("a vector has components along axes between two bodies of the loop")


def _vanishes(g: Graph, value: Any) -> bool:
    return g.vanishes(value.handle) if isinstance(value, Expr) else not value


def _addresses(value: Any) -> Iterator[FrameAddress]:
    """All addresses of frames in elements."""
    if isinstance(value, FrameAddress):
        yield value
    elif isinstance(value, Element):
        for _, one in values_of(value):
            yield from _addresses(one)
    elif isinstance(value, tuple | Mapping):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _addresses(one)
