"""The joint contract: what every joint tells about the motion it allows between a parent and a child.

A joint is asked to place a child's frame on its parent's, for given coordinates and speeds (nodes of any graph, so the
same law serves symbols, numbers and rolled code). It answers with a ``Placement``.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence, Sized
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, ModelError
from freebody.model.element import Element, Family, field
from freebody.model.kinds import AXES, Constant, ListOf, Number, PrescribedMotion, Range, Scalar, Scope
from freebody.scalar.graph import Graph
from freebody.scalar.ops import LE
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple, cross3, dot3
from freebody.spatial.vector import Vector, handle, vector

Numbers = NDArray[np.float64]
JOINTS = Family("joint", tag="type", listed=("simple", "H"))
"""All joints by their words; filled in ``joints/__init__.py``."""


@dataclass
class Placement:
    """Where a joint puts the child, and how it moves there.

    Relative to the parent A: ω_AB = Σ uᵢ turns[i], v_AB = Σ uᵢ slides[i] (of the child's origin, differentiated in A);
    ``turn_rest`` and ``slide_rest`` are what their A-derivatives hold besides u̇ᵢ turns[i] and u̇ᵢ slides[i].
    """

    frame: Frame
    position: Vector
    turns: list[Vector]
    slides: list[Vector]
    turn_rest: Vector
    slide_rest: Vector
    q_dot: list[int]
    axes: Frame | None = None  # what the child is computed in, where it is not the frame behind the joint's last turn


@dataclass(frozen=True)
class Joint(Element, ABC):
    """What all joints share. Stiffness, damping and friction act along each speed; limits and initial values are kept
    for simulation; armature is added to the diagonal of the mass matrix and to the kinetic energy."""

    composed: ClassVar[bool] = False  # whether a user put it together, so that its speeds may repeat each other
    _: KW_ONLY
    stiffness: Any = field(Scalar(), "of a spring along each speed", default=0, unit="N·m/rad or N/m")
    rest: Any = field(Scalar(), "where the spring is without force", default=0, unit="rad or m")
    damping: Any = field(Scalar(), "for each unit of speed", default=0, unit="N·m·s/rad or N·s/m")
    friction: Any = field(Scalar(), "dry friction", default=0, unit="N·m or N")
    armature: Any = field(Constant, "inertia of a rotor, added to the mass matrix", default=0, unit="kg·m² or kg")
    limits: Any = field(Range(), "the lower and the upper one", default=None, unit="rad or m", idle=True)
    initial: Any = field(ListOf(Number(), alone=True), "of each coordinate", default=None, idle=True)
    motion: Any = field(PrescribedMotion(), "prescribed: of one coordinate or, None where it is free, of each",
                        default=None, idle=True)  # fmt: skip

    @property
    @abstractmethod
    def coordinates(self) -> tuple[str, ...]:
        """Suffixes of the coordinates' names; one alone has none."""

    @property
    def speeds(self) -> tuple[str, ...]:
        """Suffixes of the speeds' names."""
        return self.coordinates

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Units of the coordinates and of the speeds."""
        return ("rad",) * len(self.coordinates), ("rad/s",) * len(self.speeds)

    @property
    def rates(self) -> bool:
        """Whether its speeds are the rates of its coordinates."""
        return self.coordinates == self.speeds

    @property
    def quaternions(self) -> tuple[int, ...]:
        """Places among its coordinates where a unit quaternion begins."""
        return (self.coordinates.index("qw"),) if "qw" in self.coordinates else ()

    def finalise(self, scope: Scope) -> Self:
        count, given = len(self.coordinates), self.initial
        if isinstance(given, tuple) and len(given) != count:
            raise FieldError(f"its {count} coordinates need as many initial values, not {len(given)}", "initial")
        return self

    @property
    def stages(self) -> "tuple[Joint, ...]":
        """Simpler joints in series that cost less as links of their own, the last nearest to the child. They have its
        coordinates and speeds in order."""
        return (self,)

    def options(self, first: int, end: int) -> dict[str, Any]:
        """What all joints share, for a stage with the coordinates from ``first`` to before ``end``: what holds for
        every speed as it is, of initial values and prescribed motions those of these coordinates."""
        initial = None if self.initial is None else tuple(self.initial)[first:end]
        motion = self.motion[first:end] if isinstance(self.motion, tuple) else (None,)
        free = all(m is None for m in motion)
        return {
            "stiffness": self.stiffness, "rest": self.rest, "damping": self.damping, "friction": self.friction,
            "armature": self.armature, "limits": self.limits, "initial": initial,
            "motion": None if free else motion if end - first > 1 else motion[0],
        }  # fmt: skip

    @property
    def zero(self) -> tuple[float, ...]:
        """The coordinates at which the child's frame coincides with the joint's frame in the parent."""
        return (0.0,) * len(self.coordinates)

    @abstractmethod
    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        """The child on the joint's frame in the parent."""

    def normalise(self, q: Numbers) -> Numbers:
        """Coordinates brought back to where they belong (a quaternion to unit length)."""
        return q

    def integrate(self, q: Numbers, delta: Numbers) -> Numbers:
        """Where constant speeds δ lead from q in unit time."""
        return q + delta

    def difference(self, start: Numbers, end: Numbers) -> Numbers:
        """The constant speeds that lead from one to the other in unit time."""
        return end - start

    def scatter(self, delta: Numbers) -> Numbers:
        """Coordinates somewhere, for as many numbers as it has speeds."""
        return self.integrate(np.array(self.zero), delta)

    def kept(self, placement: Placement) -> tuple[str, Vector | None]:
        """Which inertia it cannot tell from its parent's: ("all" | "axis" | "point" | "none", the axis).

        ``axis``: m, h along the axis and the axial second moment (with no slide), or the last alone (with one);
        ``point``: the mass, which sits at a point of the parent.
        """
        turns = [t for t in placement.turns if t]
        if not turns:
            return "all", None
        axis = turns[0]
        return ("axis", axis) if all(t == axis or t == -axis for t in turns) else ("point", None)


def chosen(given: Any, usual: tuple[str, ...], who: str) -> tuple[str, ...]:
    """The names that are given, as many as are usual and each a word of its own; else the usual ones."""
    if given is None:
        return usual
    if not isinstance(given, str | list | tuple):
        raise ModelError(f"{who} must be a word or a list of words, not {given!r}")
    words = (given,) if isinstance(given, str) else tuple(given)
    if len(words) != len(usual):
        raise ModelError(f"{who}: {len(usual)} are needed, not {len(words)}")
    wrong = [w for w in words if not isinstance(w, str) or not w.isidentifier() or words.count(w) > 1]
    if wrong and words != ("",):
        raise ModelError(f"{who} are words, each one once; {wrong[0]!r} is not")
    return words


def direction(frame: Frame, given: Any, who: str) -> Triple:
    """A direction as components in a frame: "x", "-z", or three numbers or expressions, made a unit vector."""
    g = frame.graph
    if isinstance(given, str):
        if given not in AXES:
            raise ModelError(f"{who}: '{given}' is not a direction; use one of {', '.join(AXES)} or three numbers")
        x, y, z = (g.const(v) for v in AXES[given])
        return x, y, z
    if (len(given) if isinstance(given, Sized) else 0) != 3:
        raise ModelError(f"{who}: a direction is one of {', '.join(AXES)} or three numbers, not {given!r}")
    x, y, z = (constant(g, v, f"{who}: a direction") for v in given)
    return unit(g, (x, y, z), who)


def unit(g: Graph, v: Triple, who: str) -> Triple:
    """v/|v|; an axis or its negative stays exact."""
    length = g.sqrt(dot3(g, v, v))
    if g.number(length) == 0:
        raise ModelError(f"{who}: a direction of length 0 points nowhere")
    x, y, z = (g.div(s, length) for s in v)
    return x, y, z


def scalar(g: Graph, value: Any, who: str = "") -> int:
    """A number, text or expression as a node of this graph; an integer is a number, never a handle."""
    return handle(g, value, "a scalar is needed here", who)


def constant(g: Graph, value: Any, what: str) -> int:
    """A scalar of numbers and parameters: geometry that moved would need terms in the accelerations."""
    made = scalar(g, value, what)
    if g.mask[made] > PARAMETERS_ONLY:
        raise ModelError(f"{what} may depend on numbers and parameters only, not on {value}")
    return made


def principal(g: Graph, axis: Triple) -> tuple[int, int] | None:
    """(index, sign) of a direction along one of the frame's own axes."""
    found = [k for k, s in enumerate(axis) if s != g.zero]
    if len(found) == 1 and g.number(axis[found[0]]) in (1, -1):
        return found[0], 1 if g.number(axis[found[0]]) == 1 else -1
    return None


def turn_about(parent: Frame, name: str, axis: Triple, angle: int) -> tuple[Frame, Vector]:
    """A frame turned about a direction, and the direction as a vector. Along an axis of the frame it is one simple
    rotation; otherwise the axes are first laid along it, and laid back after."""
    g = parent.graph
    found = principal(g, axis)
    if found is not None:
        index, sign = found
        child = parent.turned(name, index, angle if sign > 0 else g.neg(angle))
        return child, vector(parent, axis)
    return turn_aligned(aligned(parent, name, axis), name, axis, angle)


def aligned(parent: Frame, name: str, axis: Triple) -> Frame:
    """A frame whose third axis lies along a direction."""
    return parent.oriented(f"{name}'", columns(align(parent.graph, axis)))


def turn_aligned(start: Frame, name: str, axis: Triple, angle: int) -> tuple[Frame, Vector]:
    """A frame turned about the third axis of an aligned one and laid back as the parent of that is; and the axis."""
    g = start.graph
    frame = start.turned(f"{name}''", 2, angle).oriented(name, align(g, axis))
    return frame, vector(start, (g.zero, g.zero, g.one))


def align(g: Graph, axis: Triple) -> list[Triple]:
    """Three orthogonal directions, the last of which is the axis; the rows of a rotation matrix."""
    first = unit(g, cross3(g, least(g, axis), axis), "axis")
    return [first, cross3(g, axis, first), axis]


def least(g: Graph, axis: Triple) -> Triple:
    """The frame's axis along which a direction is least; where parameters decide, they decide when they have values."""
    values = [g.number(s) for s in axis]
    known = all(v is not None for v in values)
    if known:
        place = min(range(3), key=lambda k: abs(float(values[k] or 0)))
    else:
        place = next((k for k in range(3) if values[k] == 0), -1)
    if place >= 0:
        x, y, z = (g.one if k == place else g.zero for k in range(3))
        return x, y, z
    xx, yy, zz = (g.mul(s, s) for s in axis)
    below = g.build[LE]
    first = g.where(below(xx, yy), g.where(below(xx, zz), g.one, g.zero), g.zero)
    second = g.where(below(xx, yy), g.zero, g.where(below(yy, zz), g.one, g.zero))
    return first, second, g.sub(g.sub(g.one, first), second)


def columns(rows: Sequence[Triple]) -> list[Triple]:
    x, y, z = ((r[0], r[1], r[2]) for r in zip(*rows, strict=True))
    return [x, y, z]


def nothing(g: Graph) -> Vector:
    return Vector(g, {})
