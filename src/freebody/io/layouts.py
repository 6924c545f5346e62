"""States in the layouts of Pinocchio, MuJoCo and Drake, and back; none of these libraries is needed here.

``to = fb.layout(robot, "pinocchio")`` takes the order that Pinocchio gives the joints of a URDF, and
``fb.layout(robot, "mujoco", model=m)`` that of a MuJoCo model; then ``to.q_to(q)`` and ``to.v_to(q, u)`` are theirs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, ModelError
from freebody.io.urdf_file import Robot
from freebody.keywords import hint_keywords, keyword_hints
from freebody.model.body import Body, Reference
from freebody.model.builder import ModelBuilder
from freebody.model.joints import Planar
from freebody.scalar.expr import equals_number

Array = NDArray[np.float64]
Map = Callable[[Array], Array]
PLANE = ("_TX", "_TY", "_RZ")
"""Endings of MuJoCo's three joints for a planar one."""


@dataclass(frozen=True)
class JointLayout:
    """The state of one joint in another library: coordinates ``to(q)``, and ``back`` to ours; speeds v = X(q) u, with X
    orthogonal (None: v = u). Accelerations are X u̇ + Ẋ u, the ``bias`` Ẋ u a function of q and u (None: 0); generalised
    forces X tau; the mass matrix X M Xᵀ. Arrays have the joint's numbers along their last axis."""

    nq: int
    nv: int
    to: Map
    back: Map
    X: Map | None = None
    bias: Callable[[Array, Array], Array] | None = None


def _multiply(A: Array, v: Array) -> Array:
    """A v along the last axes."""
    return np.asarray((A @ v[..., None])[..., 0])


def _cos_sin(angle: Array) -> Array:
    return np.concatenate([np.cos(angle), np.sin(angle)], axis=-1)


def _planar() -> JointLayout:
    """(x, y, angle) as (x, y, cos, sin), with the velocity along the axes of the child: v = Rᵀ(ẋ, ẏ)."""

    def to(q: Array) -> Array:
        return np.concatenate([q[..., :2], _cos_sin(q[..., 2:])], axis=-1)

    def back(q: Array) -> Array:
        return np.concatenate([q[..., :2], np.arctan2(q[..., 3:], q[..., 2:3])], axis=-1)

    def X(q: Array) -> Array:
        c, s = np.cos(q[..., 2]), np.sin(q[..., 2])
        R = np.zeros((*c.shape, 3, 3))
        R[..., 0, 0], R[..., 0, 1], R[..., 1, 0], R[..., 1, 1], R[..., 2, 2] = c, s, -s, c, 1
        return R

    def bias(q: Array, u: Array) -> Array:
        w, (x, y) = u[..., 2], np.moveaxis(_multiply(X(q), u)[..., :2], -1, 0)
        return np.stack([w * y, -w * x, np.zeros_like(w)], axis=-1)

    return JointLayout(4, 3, to, back, X, bias)


def _reorder(
    order: Sequence[int], nv: int, X: Map | None = None, bias: Callable[[Array, Array], Array] | None = None
) -> JointLayout:
    """Our coordinates in another order; ``X`` may change the speeds."""
    indices, back = list(order), np.argsort(order).tolist()
    return JointLayout(len(indices), nv, lambda q: q[..., indices], lambda q: q[..., back], X, bias)


def _rotation(quaternion: Array) -> Array:
    """R of quaternions (w, x, y, z), of any length except 0."""
    q = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    w, (x, y, z) = q[..., :1, None], np.moveaxis(q[..., 1:], -1, 0)
    o = np.zeros_like(x)
    skew = np.stack([o, -z, y, z, o, -x, -y, x, o], axis=-1).reshape(*x.shape, 3, 3)
    return np.asarray(np.eye(3) + 2 * w * skew + 2 * skew @ skew)


def _free(order: Sequence[int], linear_first: bool, w_in_parent: bool, v_in_parent: bool) -> JointLayout:
    """A free joint: the order of its coordinates and speeds, and whether ω and v are along the axes of the parent, not
    of the child. The rate of v in the parent is R v̇ + R (ω × v)."""
    v_rows, w_rows = (slice(0, 3), slice(3, 6)) if linear_first else (slice(3, 6), slice(0, 3))

    def X(q: Array) -> Array:
        matrix, R = np.zeros((*q.shape[:-1], 6, 6)), _rotation(q[..., 3:])
        matrix[..., w_rows, :3] = R if w_in_parent else np.eye(3)
        matrix[..., v_rows, 3:] = R if v_in_parent else np.eye(3)
        return matrix

    def bias(q: Array, u: Array) -> Array:
        rate = _multiply(_rotation(q[..., 3:]), np.cross(u[..., :3], u[..., 3:]))
        zero = np.zeros_like(u[..., :3])
        return np.concatenate([rate, zero] if linear_first else [zero, rate], axis=-1)

    return _reorder(order, 6, X, bias if v_in_parent else None)


JOINTS: dict[str, dict[str, JointLayout]] = {
    "pinocchio": {
        "circle": JointLayout(2, 1, _cos_sin, lambda q: np.arctan2(q[..., 1:], q[..., :1])), "planar": _planar(),
        "spherical": _reorder([1, 2, 3, 0], 3), "free": _free([0, 1, 2, 4, 5, 6, 3], True, False, False),
    },
    "mujoco": {"spherical": _reorder([0, 1, 2, 3], 3), "free": _free([0, 1, 2, 3, 4, 5, 6], True, False, True)},
    "drake": {"free": _free([3, 4, 5, 6, 0, 1, 2], False, True, True)},
}  # fmt: skip
"""Joints whose layout differs; all others have the same coordinates and speeds in all libraries. A "circle" is a
continuous joint, whose angle is written as (cos, sin)."""

LIBRARIES = tuple(JOINTS)


@dataclass(frozen=True)
class JointSlices:
    """The layout of a joint, and its indices in our q and u and in their q and v."""

    joint: JointLayout
    q: slice
    u: slice
    their_q: slice
    their_v: slice


@hint_keywords
class Layout:
    """The state in another library's layout. ``…_to`` takes our values and returns theirs, ``…_from`` takes theirs and
    returns ours; arrays may have leading batch axes. ``joints`` are the joints in their order, ``nq`` and ``nv`` the
    sizes of their q and v."""

    def __init__(self, library: str, joints: Sequence[str], slices: Sequence[JointSlices]) -> None:
        self.library, self.joints, self._slices = library, tuple(joints), tuple(slices)
        self.nq, self.nv = sum(s.joint.nq for s in slices), sum(s.joint.nv for s in slices)
        self._n = sum(s.q.stop - s.q.start for s in slices)

    def __repr__(self) -> str:
        return f"<Layout of {self.library}: {', '.join(self.joints)}>"

    def q_to(self, q: ArrayLike) -> Array:
        ours = _rows(q, self._n, "q")
        theirs = np.empty((*ours.shape[:-1], self.nq))
        for s in self._slices:
            theirs[..., s.their_q] = s.joint.to(ours[..., s.q])
        return theirs

    def q_from(self, q: ArrayLike) -> Array:
        """Our coordinates; an angle given as (cos, sin) is returned between −π and π."""
        theirs = _rows(q, self.nq, f"{self.library}'s q")
        ours = np.empty((*theirs.shape[:-1], self._n))
        for s in self._slices:
            ours[..., s.q] = s.joint.back(theirs[..., s.their_q])
        return ours

    def v_to(self, q: ArrayLike, u: ArrayLike) -> Array:
        return self._to(q, u, None)

    def v_from(self, q: ArrayLike, v: ArrayLike) -> Array:
        return self._back(self.q_from(q), v)

    def a_to(self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike) -> Array:
        """Their accelerations: the rates of their velocities."""
        return self._to(q, u_dot, u)

    def a_from(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """u̇ from their accelerations."""
        ours = self.q_from(q)
        bias = self._to(ours, np.zeros(self.nv), self._back(ours, v))
        return self._back(ours, np.asarray(a, float) - bias)

    def tau_to(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """Their generalised forces: v·tau is the same power."""
        return self._to(q, tau, None)

    def tau_from(self, q: ArrayLike, tau: ArrayLike) -> Array:
        return self._back(self.q_from(q), tau)

    def mass_to(self, q: ArrayLike, M: ArrayLike) -> Array:
        """Their mass matrix X M Xᵀ, of one state or a batch."""
        rows = np.asarray(q, float)[..., None, :]
        return self._to(rows, np.swapaxes(self._to(rows, np.asarray(M, float), None), -1, -2), None)

    def _to(self, q: ArrayLike, u: ArrayLike, speeds: ArrayLike | None) -> Array:
        """X u; with ``speeds``, plus Ẋ times these."""
        ours, values = _rows(q, self._n, "q"), _rows(u, self.nv, "u")
        moving = None if speeds is None else _rows(speeds, self.nv, "u")
        shapes = [a.shape[:-1] for a in (ours, values, moving) if a is not None]
        theirs = np.empty((*np.broadcast_shapes(*shapes), self.nv))
        for s in self._slices:
            joint, part = s.joint, values[..., s.u]
            part = part if joint.X is None else _multiply(joint.X(ours[..., s.q]), part)
            if moving is not None and joint.bias is not None:
                part = part + joint.bias(ours[..., s.q], moving[..., s.u])
            theirs[..., s.their_v] = part
        return theirs

    def _back(self, q: Array, v: ArrayLike) -> Array:
        """Xᵀ v, at our q."""
        theirs = _rows(v, self.nv, f"{self.library}'s v")
        ours = np.empty((*np.broadcast_shapes(q.shape[:-1], theirs.shape[:-1]), self.nv))
        for s in self._slices:
            part, X = theirs[..., s.their_v], s.joint.X
            ours[..., s.u] = part if X is None else _multiply(np.swapaxes(X(q[..., s.q]), -1, -2), part)
        return ours


def _rows(values: ArrayLike, size: int, what: str) -> Array:
    rows = np.asarray(values, dtype=float)
    if rows.ndim == 0 or rows.shape[-1] != size:
        raise ArgumentError(f"{what} has {size} numbers along its last axis, not an array of shape {rows.shape}")
    return rows


@keyword_hints
def layout(system: ModelBuilder, library: str, order: Sequence[str] | None = None, model: Any = None) -> Layout:
    """The layout of "pinocchio", "mujoco" or "drake" for a system.

    ``order`` are names of joints (or of bodies) in the order of that library, or ``model`` is its own model of the
    system (``pinocchio.Model``, ``mujoco.MjModel``, Drake's ``MultibodyPlant``), whose order is taken. Without either
    it is the order in which the library has the joints of a URDF file.
    """
    if not isinstance(system, ModelBuilder):
        raise ModelError(f"a layout is of a system, not of {system!r}")
    if not isinstance(library, str) or library not in LIBRARIES:
        raise ModelError(f"there is no layout '{library}'; choose from {', '.join(LIBRARIES)}")
    robot: Robot | None = system.robot
    joints = {} if robot is None else {j.body: j.name for j in robot.joints.values()}
    wanted = _joint_names(model) if model is not None else order
    bodies = _bodies(system, library, joints, wanted or ())
    names = {name: joints.get(name, name) for name in bodies}
    ordered = _default_order(system, robot, library, names) if wanted is None else _match(wanted, bodies, names)
    if _is_pinocchio(model):
        sizes = [(nq, nv) for nq, nv in zip(model.nqs, model.nvs, strict=True) if nq]
        circles = {name for name, size in zip(ordered, sizes, strict=True) if size == (2, 1)}
    else:
        circles = set() if robot is None else {j.body for j in robot.joints.values() if j.kind == "continuous"}
    ours, nq, nv = dict[str, tuple[slice, slice]](), 0, 0
    for name, body in bodies.items():
        ours[name] = slice(nq, nq + len(body.q)), slice(nv, nv + len(body.u))
        nq, nv = nq + len(body.q), nv + len(body.u)
    slices, nq, nv = list[JointSlices](), 0, 0
    for name in ordered:
        joint = _joint_layout(system, library, bodies[name], name in circles)
        slices.append(JointSlices(joint, *ours[name], slice(nq, nq + joint.nq), slice(nv, nv + joint.nv)))
        nq, nv = nq + joint.nq, nv + joint.nv
    return Layout(library, [names[n] for n in ordered], slices)


def _bodies(system: ModelBuilder, library: str, joints: Mapping[str, str], wanted: Sequence[str]) -> dict[str, Body]:
    """The bodies on joints with coordinates. Coupled coordinates are not among those of Pinocchio either (of a model
    built with mimic=True); the other libraries have them, held by a constraint."""
    bodies = dict[str, Body]()
    for body in system.bodies.values():
        coupling, joint = body.spec.coupling, joints.get(body.name, body.name)
        if coupling is None:
            bodies |= {body.name: body} if body.q else {}
        elif library != "pinocchio" and body.q:
            raise ModelError(
                f"joint of '{body.name}': it is coupled to '{coupling.to}', and {library} has it among its coordinates,"
                " held by a constraint, so that its forces and mass matrix differ. Convert the system without the"
                " coupling (a URDF loaded with mimic='free')"
            )
        elif joint in wanted or body.name in wanted:
            raise ModelError(
                f"joint '{joint}' is coupled to another here, but has its own coordinate there: build the other model"
                " with mimic=True, or this one without the coupling (a URDF loaded with mimic='free')"
            )
    return bodies


def _joint_layout(system: ModelBuilder, library: str, body: Body, circle: bool) -> JointLayout:
    """The layout of a body's joint; joints that the library does not have are refused."""
    joint, context = body.spec.joint, f"joint of '{body.name}'"
    if any(motion is not None for motion in body.prescribed):
        raise ModelError(f"{context}: its motion is prescribed, which {library} does not have; leave the motion out")
    if body.spec.internal is not None:
        raise ModelError(
            f"{context}: its coordinates are the body's own, which {library} does not have; convert a system"
            " in which the parts that move inside are bodies on joints"
        )
    if joint.kind in ("simple", "compound", "custom"):
        raise ModelError(
            f"{context}: {library} has no {joint.kind} joint; use joints that it has, or convert it yourself"
        )
    if joint.rotation_sequence is not None:
        raise ModelError(f"{context}: {library} has quaternions where this has angles; leave the sequence out")
    if isinstance(joint, Planar) and joint.normal != "z":
        raise ModelError(f"{context}: {library} has other directions in the plane unless its normal is z")
    if joint.kind == "spherical" and library == "drake":
        raise ModelError(f"{context}: {library} has no ball joint with a quaternion; use three hinges")
    if joint.kind == "free" and library == "mujoco":  # its free bodies are described in the frame of the world
        one = cast(Reference, body)
        while isinstance(one, Body):
            spec = one.spec
            moved = spec.orient is not None or not all(equals_number(v, 0) for v in spec.at)
            if moved or (one is not body and one.q):
                raise ModelError(
                    f"{context}: MuJoCo describes a free body in the world's frame, but the frame of this"
                    " joint is another; place it there, or convert its pose yourself"
                )
            one = one.parent
    same = JointLayout(len(body.q), len(body.q), lambda q: q, lambda q: q)
    return JOINTS[library].get("circle" if circle else joint.kind) or same


# The order of joints


def _is_pinocchio(model: Any) -> bool:
    return hasattr(model, "nqs")


def _joint_names(model: Any) -> list[str]:
    """The names of the joints of another library's model, in its order."""
    if _is_pinocchio(model):
        return [name for name, n in zip(model.names, model.nqs, strict=True) if n]
    if hasattr(model, "njnt"):  # mujoco.MjModel
        return [model.joint(k).name for k in range(model.njnt)]
    if hasattr(model, "GetJointIndices"):  # Drake's MultibodyPlant
        joints = [model.get_joint(k) for k in model.GetJointIndices()]
        moving = [j for j in joints if j.num_positions()]
        return [j.name() for j in sorted(moving, key=lambda j: j.position_start())]
    kind = type(model).__name__
    raise ArgumentError(f"{kind} is not a model of Pinocchio, MuJoCo or Drake; give order=[joints' names]")


def _match(wanted: Sequence[str], bodies: Mapping[str, Body], names: Mapping[str, str]) -> list[str]:
    """The bodies behind names of joints. A single name that matches no joint is the floating root's, which has no name
    in a URDF."""
    known = {**{name: name for name in bodies}, **{joint: body for body, joint in names.items()}}
    unknown, ordered = list[str](), list[str | None]()
    for name in wanted:
        if name not in known and name[-3:] in PLANE and name[:-3] in known:
            if name[-3:] != PLANE[2]:  # MuJoCo's two slides before the hinge of a planar joint
                continue
            name = name[:-3]
        ordered.append(known.get(name))
        unknown += [] if name in known else [name]
    missing = [name for name in bodies if name not in ordered]
    if len(missing) == len(unknown) == 1:
        spec = bodies[missing[0]].spec
        if spec.joint.kind == "free" and spec.parent == "ground":
            return [missing[0] if name is None else name for name in ordered]
    if unknown:
        raise ArgumentError(f"'{unknown[0]}' is not a joint here; choose from {', '.join(names.values())}")
    if missing or len(ordered) > len(bodies):
        what = f"joint '{names[missing[0]]}' is missing" if missing else "a joint is named twice"
        raise ArgumentError(f"the order must name every joint once; {what}")
    return [name for name in ordered if name is not None]


def _default_order(system: ModelBuilder, robot: Robot | None, library: str, names: Mapping[str, str]) -> list[str]:
    """Branch by branch, children in the order of the file; in Pinocchio by the names of their joints."""
    if library != "pinocchio":
        return list(names)
    children: dict[str, list[tuple[str, str]]] = {}
    if robot is None:
        for body in system.bodies.values():
            children.setdefault(body.spec.parent, []).append((body.name, body.name))
        stack = ["ground"]
    else:
        for joint in robot.joints.values():
            children.setdefault(robot.links[joint.parent].body, []).append((joint.name, joint.body))
        stack = [robot.links[robot.root].body]
    order: list[str] = []
    while stack:
        order.append(stack.pop())
        stack += [body for _, body in sorted(children.get(order[-1], []), reverse=True)]
    return [name for name in order if name in names]
