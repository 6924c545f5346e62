"""States in the layouts of Pinocchio, MuJoCo and Drake, and back; none of these libraries is needed here.

``to = fb.layout(robot, "pinocchio")`` takes the order that Pinocchio gives the joints of a URDF, and
``fb.layout(robot, "mujoco", model=m)`` that of a model of theirs; then ``to.q_to(q)`` and ``to.v_to(q, u)`` are theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from freebody.api.layout_orders import circles, joint_names, matched, read, usual
from freebody.api.layout_parts import WRITTEN, Array, Part, applied, same
from freebody.errors import ArgumentError, ModelError
from freebody.model.body import Body, Reference
from freebody.model.builder import ModelBuilder as Model
from freebody.model.joints import Free, Planar, Spherical
from freebody.model.joints.flexible import Flexible

if TYPE_CHECKING:
    from freebody.api.system import System

LIBRARIES = tuple(WRITTEN)


@dataclass(frozen=True)
class Place:
    """A joint's part of the state and where it stands: in our q and u, in their q and v."""

    part: Part
    q: slice
    u: slice
    their_q: slice
    their_v: slice


class Layout:
    """The state in another library's layout. ``…_to`` takes our values and gives theirs, ``…_from`` takes theirs and
    gives ours; arrays may have leading batch axes. ``joints`` are the joints in their order, ``nq`` and ``nv`` the
    sizes of their q and v."""

    def __init__(self, library: str, joints: Sequence[str], places: Sequence[Place]) -> None:
        self.library, self.joints, self._places = library, tuple(joints), tuple(places)
        self.nq, self.nv = sum(p.part.nq for p in places), sum(p.part.nv for p in places)
        self._n = sum(p.q.stop - p.q.start for p in places)

    def __repr__(self) -> str:
        return f"<Layout of {self.library}: {', '.join(self.joints)}>"

    def q_to(self, q: ArrayLike) -> Array:
        ours = _rows(q, self._n, "q")
        made = np.empty((*ours.shape[:-1], self.nq))
        for p in self._places:
            made[..., p.their_q] = p.part.to(ours[..., p.q])
        return made

    def q_from(self, q: ArrayLike) -> Array:
        """Our coordinates; an angle given as (cos, sin) comes back between −π and π."""
        theirs = _rows(q, self.nq, f"{self.library}'s q")
        made = np.empty((*theirs.shape[:-1], self._n))
        for p in self._places:
            made[..., p.q] = p.part.back(theirs[..., p.their_q])
        return made

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
        none = np.zeros(self.nv)
        return self._back(ours, np.asarray(a, float) - self._to(ours, none, self._back(ours, v)))

    def tau_to(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """Their generalised forces: v·tau is the same power."""
        return self._to(q, tau, None)

    def tau_from(self, q: ArrayLike, tau: ArrayLike) -> Array:
        return self._back(self.q_from(q), tau)

    def mass_to(self, q: ArrayLike, M: ArrayLike) -> Array:
        """Their mass matrix X M Xᵀ, of one state or a batch."""
        half = self._to(np.asarray(q, float)[..., None, :], np.asarray(M, float), None)
        return self._to(np.asarray(q, float)[..., None, :], np.swapaxes(half, -1, -2), None)

    def _to(self, q: ArrayLike, u: ArrayLike, moving: ArrayLike | None) -> Array:
        """X u; with speeds ``moving``, plus Ẋ moving."""
        ours, speeds = _rows(q, self._n, "q"), _rows(u, self.nv, "u")
        moves = None if moving is None else _rows(moving, self.nv, "u")
        shapes = [a.shape[:-1] for a in (ours, speeds, moves) if a is not None]
        made = np.empty((*np.broadcast_shapes(*shapes), self.nv))
        for p in self._places:
            own, part = ours[..., p.q], p.part
            value = speeds[..., p.u] if part.X is None else applied(part.X(own), speeds[..., p.u])
            if moves is not None and part.bias is not None:
                value = value + part.bias(own, moves[..., p.u])
            made[..., p.their_v] = value
        return made

    def _back(self, q: Array, v: ArrayLike) -> Array:
        """Xᵀ v, at our q."""
        theirs = _rows(v, self.nv, f"{self.library}'s v")
        made = np.empty((*np.broadcast_shapes(q.shape[:-1], theirs.shape[:-1]), self.nv))
        for p in self._places:
            value, X = theirs[..., p.their_v], p.part.X
            made[..., p.u] = value if X is None else applied(np.swapaxes(X(q[..., p.q]), -1, -2), value)
        return made


def layout(system: "System", library: str, order: Sequence[str] | None = None, model: Any = None) -> Layout:
    """The layout of "pinocchio", "mujoco" or "drake" for a system.

    ``order`` are names of joints (or of bodies) as that library has them, or ``model`` is its own model of the system
    (``pinocchio.Model``, ``mujoco.MjModel``, Drake's ``MultibodyPlant``), whose order is taken. Without either it is
    the order in which the library gives the joints of a URDF file.
    """
    if not isinstance(system, Model):
        raise ModelError(f"a layout is of a system, not of {system!r}")
    if not isinstance(library, str) or library not in LIBRARIES:
        raise ModelError(f"there is no layout '{library}'; there are {', '.join(LIBRARIES)}")
    bodies = {b.name: b for b in system.bodies.values() if b.q and not _follows(library, b)}
    names = joint_names(system, bodies)
    wanted = read(model) if model is not None else order
    _require_mimics(system, wanted or ())
    found = usual(system, library, names) if wanted is None else matched(list(wanted), bodies, names)
    places = _places(system, library, bodies, found, circles(system, found, model))
    return Layout(library, [names[n] for n in found], places)


def _follows(library: str, body: Body) -> bool:
    """Whether a body's coordinate is coupled to another, which leaves it out of Pinocchio's q and v too (a model built
    with mimic=True); the others keep it and hold it by a constraint."""
    coupling = body.recipe.coupling
    if coupling is not None and library != "pinocchio":
        raise ModelError(
            f"joint of '{body.name}': it is coupled to '{coupling.to}', and {library} keeps it among its coordinates,"
            " held by a constraint, so that its forces and mass matrix are others. Convert the system without the"
            " coupling (a URDF loaded with mimic='free')"
        )
    return coupling is not None


def _require_mimics(system: "System", wanted: Sequence[str]) -> None:
    """Refuse a model that has what is coupled here among its coordinates."""
    coupled = {b.name: b for b in system.bodies.values() if b.recipe.coupling is not None}
    for body, joint in joint_names(system, coupled).items():
        if joint in wanted or body in wanted:
            raise ModelError(
                f"joint '{joint}' is coupled to another here, but has a coordinate of its own there: build the other"
                " model with mimic=True, or this one without the coupling (a URDF loaded with mimic='free')"
            )


def _places(
    system: "System", library: str, bodies: Mapping[str, Body], found: Sequence[str], circular: set[str]
) -> list[Place]:
    ours: dict[str, tuple[slice, slice]] = {}
    nq = nv = 0
    for name, body in bodies.items():
        ours[name] = slice(nq, nq + len(body.q)), slice(nv, nv + len(body.u))
        nq, nv = nq + len(body.q), nv + len(body.u)
    made, nq, nv = list[Place](), 0, 0
    for name in found:
        part = _part(system, library, bodies[name], name in circular)
        made.append(Place(part, *ours[name], slice(nq, nq + part.nq), slice(nv, nv + part.nv)))
        nq, nv = nq + part.nq, nv + part.nv
    return made


def _part(system: "System", library: str, body: Body, circular: bool) -> Part:
    joint, who = body.recipe.joint, f"joint of '{body.name}'"
    if any(given is not None for given in body.prescribed):
        raise ModelError(f"{who}: its motion is prescribed, which {library} has no word for; leave the motion out")
    if isinstance(joint, Flexible):
        raise ModelError(f"{who}: its coordinates are the body's own, which {library} does not have; convert a system"
                         " in which the parts that move inside are bodies on joints")  # fmt: skip
    if joint.kind in ("simple", "compound", "custom"):
        raise ModelError(f"{who}: {library} has no {joint.kind} joint; use joints that it has, or convert it yourself")
    if isinstance(joint, Free | Spherical) and joint.sequence is not None:
        raise ModelError(f"{who}: {library} has quaternions where this has angles; leave the sequence out")
    if isinstance(joint, Planar) and joint.normal != "z":
        raise ModelError(f"{who}: {library} lays the plane's directions otherwise unless its normal is z")
    if joint.kind == "spherical" and library == "drake":
        raise ModelError(f"{who}: {library} has no ball joint with a quaternion; use three hinges")
    if joint.kind == "free" and library == "mujoco":
        _require_world(system, body)
    kind = "circle" if circular else joint.kind
    return WRITTEN[library].get(kind) or same(len(body.q))


def _require_world(system: "System", body: Body) -> None:
    """MuJoCo's free bodies are told in the world's frame."""
    one: Reference = body
    while isinstance(one, Body):
        zero = system.graph.zero
        if one.recipe.orient is not None or any(v.handle != zero for v in one.recipe.at) or (one is not body and one.q):
            raise ModelError(f"joint of '{body.name}': MuJoCo tells where a free body is in the world, but this joint's"
                             " own frame lies elsewhere; lay it there, or convert its pose yourself")  # fmt: skip
        one = one.parent


def _rows(values: ArrayLike, size: int, what: str) -> Array:
    made = np.asarray(values, dtype=float)
    if made.ndim == 0 or made.shape[-1] != size:
        raise ArgumentError(f"{what} has {size} numbers along its last axis, not an array of shape {made.shape}")
    return made
