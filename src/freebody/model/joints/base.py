"""The joint contract: what every joint supplies about the motion it allows between a parent and a child.

``Joint.place`` places a child's frame on its parent's for given coordinates and speeds. These are nodes of any graph,
so the same law serves symbols, numbers and rolled code.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, ModelError
from freebody.model.element import Element, Family, Given, check_fields, field
from freebody.model.kinds import (
    DirectionValue,
    ListOf,
    Number,
    PrescribedMotion,
    Range,
    Scalar,
    ScalarValue,
    Scope,
    is_curve,
    motions_of_rows,
    with_steady_signs,
)
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.graph import Graph
from freebody.scalar.node import ZERO, Node
from freebody.scalar.ops import TANH
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse, tokens
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple
from freebody.spatial.vector import Vector, handle
from freebody.tables import counted

Array = NDArray[np.float64]
STEEP = 1000
"""Friction changes its sign within about 1/1000 rad/s or m/s."""

JOINTS = Family("joint", tag="type", list_form=("simple", "H"))
"""All joints by name; filled in ``joints/__init__.py``."""


@dataclass(frozen=True, eq=False)
class NodeColumns:
    """The columns of a node in factors: per unit of internal speed r it turns by ``slopes[k][r]`` about each of the
    three ``axes`` and slides by ``shapes[k][r]`` along axis k of its placement's ``axes``, which are fixed in the
    body."""

    axes: Sequence[Vector]
    slopes: Sequence[Sequence[Node]]
    shapes: Sequence[Sequence[Node]]


@dataclass
class Placement:
    """The pose and the motion of the child relative to the parent A.

    ω_AB = Σ uᵢ turns[i] and v_AB = Σ uᵢ slides[i], the velocity of the child's origin in A. Their derivatives in A are
    Σ u̇ᵢ turns[i] + ``turn_remainder`` and Σ u̇ᵢ slides[i] + ``slide_remainder``.
    """

    frame: Frame
    position: Vector
    turns: list[Vector]
    slides: list[Vector]
    turn_remainder: Vector
    slide_remainder: Vector
    q_dot: list[Node]
    axes: Frame | None = None  # in which the child is computed, where it is not the frame after the joint's last turn
    exact: bool = True  # whether the columns are derivatives of the pose
    undeformed: Vector | None = None  # the position with which equations are formed that neglect all deformation
    shapes: NodeColumns | None = None  # the columns of a node in factors

    def then(self, inner: "Placement", speeds: Sequence[Node]) -> "Placement":
        """A second joint whose parent is this joint's child (Kwatny & Blankenship 1995, Prop. 3). ``speeds`` and the
        columns are those of this joint, then those of the inner one."""
        g, n, p = self.position.graph, len(self.turns), inner.position
        w = combined(g, self.turns, speeds[:n])
        inner_w, inner_v = combined(g, inner.turns, speeds[n:]), combined(g, inner.slides, speeds[n:])
        around = self.turn_remainder.cross(p) + w.cross(w.cross(p) + inner_v * 2)
        return Placement(
            inner.frame,
            self.position + p,
            [*self.turns, *inner.turns],
            [*(s + t.cross(p) for s, t in zip(self.slides, self.turns, strict=True)), *inner.slides],
            self.turn_remainder + inner.turn_remainder + w.cross(inner_w),
            self.slide_remainder + inner.slide_remainder + around,
            [*self.q_dot, *inner.q_dot],
        )


@dataclass(frozen=True)
class Resisted:
    """One motion that a joint resists, in components along the joint's axes: the translation ``along`` a direction; or
    the rotation that changes the angle between the direction ``a``, fixed in the parent, and ``b``, fixed in the child.
    Unless it is ``turning``, b × a is fixed in both bodies as long as the joint holds."""

    label: str
    along: Triple | None = None
    a: Triple = (ZERO, ZERO, ZERO)
    b: Triple = (ZERO, ZERO, ZERO)
    turning: bool = False


class MotionGroup(NamedTuple):
    """Coordinates whose motion is prescribed together, and the speeds that it determines: ``rates(q, q̇)`` are the
    speeds at which the coordinates change at these rates."""

    coordinates: slice
    speeds: slice
    rates: Callable[[Graph, Sequence[Node], Sequence[Node]], list[Node]]


def equal_rates(g: Graph, q: Sequence[Node], q_dot: Sequence[Node]) -> list[Node]:
    """u = q̇"""
    return list(q_dot)


class Measurement(NamedTuple):
    """The coordinates of a joint between two frames, and the placement that they give."""

    coordinates: list[Node]
    placement: Placement


@dataclass(frozen=True)
class Joint(Element, ABC):
    """Options of every joint. Stiffness, damping and friction act along each speed. Limits and initial values are used
    by simulations. The armature is added to the diagonal of the mass matrix and to the kinetic energy."""

    composed: ClassVar[bool] = False  # whether its columns are given by users, so that they may be linearly dependent
    _: KW_ONLY
    stiffness: Given[ScalarValue] = field(
        Scalar(), "stiffness of a spring along each speed", default=0, unit="N·m/rad or N/m"
    )
    rest: Given[ScalarValue] = field(
        Scalar(), "coordinate at which the spring exerts no force", default=0, unit="rad or m"
    )
    damping: Given[ScalarValue] = field(
        Scalar(), "damping force per unit of speed", default=0, unit="N·m·s/rad or N·s/m"
    )
    friction: Given[ScalarValue] = field(
        Scalar(magnitude=True), "magnitude of the dry friction", default=0, unit="N·m or N"
    )
    armature: Given[ScalarValue] = field(
        Scalar(PARAMETERS_ONLY, magnitude=True),
        "inertia of a rotor, added to the mass matrix",
        default=0,
        unit="kg·m² or kg",
    )
    limits: Given[Sequence[float | None] | None] = field(
        Range(), "lower and upper limit of the coordinate", default=None, unit="rad or m", idle=True
    )
    initial: Given[float | Sequence[float] | None] = field(
        ListOf(Number(), alone=True), "initial value of each coordinate", default=None, idle=True
    )
    motion: Given[ScalarValue | Sequence[ScalarValue | None] | None] = field(
        PrescribedMotion(),
        "prescribed motion of a single coordinate, or a list with an entry for each (None: free), or (times, rows)",
        default=None,
        idle=True,
    )

    def separate_motions(self) -> None:
        """Replace the motion of all coordinates as (times, rows) by those of each."""
        motions = motions_of_rows(self.motion)
        if motions is not None or (isinstance(self.motion, list | tuple) and not is_curve(self.motion)):
            separate = with_steady_signs(self.motion if motions is None else motions, self.quaternions)
            object.__setattr__(self, "motion", separate)

    def check(self) -> None:
        coordinates: Any = self.coordinates
        known = isinstance(coordinates, tuple)  # those of some joints are still to be read
        if known:
            self.separate_motions()
        check_fields(self)
        if not known:
            return
        for key in ("initial", "motion"):
            values, count = self.__dict__[key], len(coordinates)
            several = isinstance(values, list | tuple) and not (key == "motion" and is_curve(values))
            if several and len(values) != count:
                what, context = {"initial": "initial values", "motion": "motions"}[key], counted(count, "coordinate")
                text = f"a {self.kind} joint has {context} and needs as many {what}, not {len(values)}"
                raise FieldError(text, type(self).__name__, key)

    @property
    @abstractmethod
    def coordinates(self) -> tuple[str, ...]:
        """Suffixes of the coordinates' names; empty for a single coordinate."""

    @property
    def speeds(self) -> tuple[str, ...]:
        """Suffixes of the speeds' names."""
        return self.coordinates

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Units of the coordinates and of the speeds."""
        return ("rad",) * len(self.coordinates), ("rad/s",) * len(self.speeds)

    @property
    def magnitudes(self) -> tuple[float, ...]:
        """A large change of each coordinate: 1 rad, 1 m, or the amplitude of a mode that deforms the body by its own
        size. Solvers compare changes of different coordinates by them."""
        return (1.0,) * len(self.coordinates)

    @property
    def rates(self) -> bool:
        """Whether the speeds are the rates of the coordinates."""
        return self.coordinates == self.speeds

    @property
    def coordinate_motions(self) -> tuple[Any, ...]:
        """The prescribed motion of each coordinate, None where it is free."""
        if self.motion is None:
            return (None,) * len(self.coordinates)
        return tuple(self.motion) if isinstance(self.motion, tuple | list) else (self.motion,)

    @property
    def motion_groups(self) -> tuple[MotionGroup, ...]:
        """The coordinates whose motion can be prescribed, in groups of which all are prescribed or none; empty where
        speeds do not follow from the rates of coordinates."""
        each = (slice(k, k + 1) for k in range(len(self.coordinates)))
        return tuple(MotionGroup(k, k, equal_rates) for k in each) if self.rates else ()

    @property
    def quaternions(self) -> tuple[int, ...]:
        """Indices of the coordinates at which a unit quaternion begins."""
        return (self.coordinates.index("qw"),) if "qw" in self.coordinates else ()

    def finalise(self, scope: Scope) -> Self:
        if isinstance(self.initial, tuple) and len(self.initial) != len(self.coordinates):
            count, values = len(self.coordinates), len(self.initial)
            raise FieldError(f"its {count} coordinates need as many initial values, not {values}", "initial")
        return self

    @property
    def hinge_axis(self) -> DirectionValue | None:
        """The axis of a joint whose only freedom is a rotation about it; None of other joints."""
        return None

    @property
    def rotation_sequence(self) -> str | None:
        """The sequence of the angles that describe any orientation, of a joint that has them in place of a
        quaternion."""
        return None

    @property
    def stages(self) -> "tuple[Joint, ...]":
        """Simpler joints in series that need fewer operations as separate links, the last nearest to the child. Their
        coordinates and speeds in this order are those of the joint."""
        return (self,)

    def options(self, first: int, end: int) -> dict[str, Any]:
        """The options for a stage with the coordinates ``first`` … ``end`` − 1: their initial values and prescribed
        motions, and all other options unchanged."""
        initial = None if self.initial is None else tuple(self.initial)[first:end]
        motions = self.motion[first:end] if isinstance(self.motion, tuple) else (None,)
        free = all(m is None for m in motions)
        motion = None if free else motions if end - first > 1 else motions[0]
        return {**{f.name: self.__dict__[f.name] for f in fields(Joint)}, "initial": initial, "motion": motion}

    @property
    def zero(self) -> tuple[float, ...]:
        """The coordinates at which the child's frame coincides with the joint's frame in the parent."""
        return (0.0,) * len(self.coordinates)

    @abstractmethod
    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        """The placement of the child on the joint's frame in the parent; ``name`` is that of the child's frame."""

    def resists(self, axes: Frame) -> list[Resisted] | None:
        """The 6 − r motions that the joint does not allow, along the axes of its frame, for a loop that it closes.
        None: they are the complement of the columns of ``place``."""
        return None

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement | None:
        """The coordinates of a joint that closes a loop, and the placement that they give. ``child`` is the joint's
        frame in the second body, ``position`` that of its origin; u are the joint's speeds. None: the coordinates do
        not follow from the pose, and are extra states of the system."""
        return None

    def estimate(self, parent: Frame, child: Frame, position: Vector) -> list[Node] | None:
        """Coordinates near those of a pose, from which extra states of a closing joint start. None: its zero."""
        return None

    # Springs, dampers and friction

    def elastic(self, g: Graph) -> bool:
        """Whether its springs have a potential: stiffness and rest depend on numbers and parameters only."""
        return all(g.mask[scalar(g, s)] <= PARAMETERS_ONLY for s in (self.stiffness, self.rest))

    def stretch(self, g: Graph, q: Node, context: str) -> Node:
        """q − rest, for a speed that is the rate of the coordinate q."""
        if not self.rates:
            raise ModelError(
                f"{context}: a {self.kind} joint cannot have a stiffness, because its speeds are not the rates of its"
                " coordinates. Use a spring between points, a torque, or joints of one freedom each."
            )
        return g.sub(q, scalar(g, self.rest))

    def losses(self, g: Graph, speeds: Sequence[Node], k: int) -> Node:
        """−damping u − friction tanh(1000 u), for speed k of the joint's speeds."""
        u = speeds[k]
        total = g.neg(g.mul(scalar(g, self.damping), u))
        if not equals_number(self.friction, 0):
            total = g.sub(total, g.mul(scalar(g, self.friction), g.build[TANH](g.mul(g.const(STEEP), u))))
        return total

    def normalise(self, q: Array) -> Array:
        """The coordinates projected to their manifold: a quaternion is scaled to unit length."""
        return q

    def with_numbers(self, parameters: Mapping[str, float]) -> "Joint":
        """The joint with numbers for the parameters on which ``integrate`` and ``difference`` depend."""
        return self

    def integrate(self, q: Array, delta: Array) -> Array:
        """The coordinates that constant speeds δ reach from q in unit time."""
        return q + delta

    def difference(self, start: Array, end: Array) -> Array:
        """The constant speeds that lead from ``start`` to ``end`` in unit time."""
        return end - start

    def sample(self, numbers: Array) -> Array:
        """Valid coordinates from arbitrary numbers, one for each speed."""
        return self.integrate(np.array(self.zero), numbers)

    def parent_inertia(self, placement: Placement) -> tuple[str, Vector | None]:
        """Which inertia of the child acts as if it were the parent's: ("all" | "axis" | "point" | "none", the axis).

        ``axis``: m, h along the axis and the axial second moment without translations, the last alone with them;
        ``point``: the mass, which is at a point of the parent.
        """
        turns = [t for t in placement.turns if t]
        if not turns:
            return "all", None
        axis = turns[0]
        return ("axis", axis) if all(t == axis or t == -axis for t in turns) else ("point", None)


def check_names(names: Any, default: tuple[str, ...], context: str) -> tuple[str, ...]:
    """The names as a tuple, as many as the default ones, all different identifiers; None stands for the default."""
    if names is None:
        return default
    if not isinstance(names, str | list | tuple):
        raise ModelError(f"{context} must be a name or a list of names, not {names!r}")
    listed = (names,) if isinstance(names, str) else tuple(names)
    if len(listed) != len(default):
        raise ModelError(f"{context}: {len(default)} are needed, not {len(listed)}")
    wrong = [n for n in listed if not isinstance(n, str) or not n.isidentifier() or listed.count(n) > 1]
    if wrong and listed != ("",):
        raise ModelError(f"{context} must be different identifiers; {wrong[0]!r} is not allowed")
    return listed


# Scalars and vectors of a graph


class GraphScope(Scope):
    """The scope of joints outside a system: texts use the symbols of a graph. With ``declare``, unknown names become
    parameters."""

    def __init__(self, graph: Graph, declare: bool = False, names: Mapping[str, Expr] | None = None) -> None:
        self._graph, self.declare, self.names = graph, declare, names or {}

    @property
    def graph(self) -> Graph:
        return self._graph

    def scalar(self, given: Any) -> Any:
        g = self.graph
        if isinstance(given, str):
            words = [token.word for token in tokens(given) if token.kind == "name"] if self.declare else []
            for word in words:
                if word not in {*self.names, *CONSTANTS, *FUNCTIONS} and g.named(word) is None:
                    g.symbol(word, Kind.PARAMETER)
            known = {s.name: h for s in g.symbols if (h := g.named(s.name)) is not None}
            node = parse(g, given, {**known, **{name: x.handle for name, x in self.names.items()}})
        else:
            node = scalar(g, given)
        number = g.number(node)
        return Expr(g, node) if number is None else number

    def inner(self, names: Mapping[str, Expr]) -> Scope:
        return GraphScope(self.graph, self.declare, {**self.names, **names})


def scalar(g: Graph, value: Any, context: str = "") -> Node:
    """A number, text or expression as a node of this graph. An integer is a number, never a handle."""
    return handle(g, value, "a scalar is needed here", context)


def constant(g: Graph, value: Any, what: str) -> Node:
    """A scalar that depends on numbers and parameters only: moving geometry would add terms to the accelerations."""
    node = scalar(g, value, what)
    if g.mask[node] > PARAMETERS_ONLY:
        raise ModelError(f"{what} may depend on numbers and parameters only, not on {value}")
    return node


def zero_vector(g: Graph) -> Vector:
    return Vector(g, {})


def scaled(v: Vector, s: Node) -> Vector:
    """s v, for a node s."""
    return v * Expr(v.graph, s)


def combined(g: Graph, vectors: Sequence[Vector], factors: Sequence[Node]) -> Vector:
    """Σ factorᵢ vectorᵢ"""
    total = zero_vector(g)
    for v, s in zip(vectors, factors, strict=True):
        total = total + scaled(v, s)
    return total
