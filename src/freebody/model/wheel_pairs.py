"""Pairs of wheels that gears, racks and belts connect: the fields of their elements, and the forces on both wheels.

Both wheels turn about axes that are fixed in a third body, the carrier, as are the point of the mesh and all directions
there: the ground for wheels on fixed axes, the planet carrier for a sun and a planet. Angles are counted from the zero
of all joints, where the teeth mesh.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from math import pi
from typing import Any, ClassVar, NamedTuple

from freebody.errors import FieldError
from freebody.model.body import Reference
from freebody.model.element import Element, Given, field
from freebody.model.kinds import (
    Boolean,
    Constant,
    Direction,
    DirectionValue,
    FieldKind,
    ListOf,
    OptionalScalar,
    ScalarsValue,
    ScalarValue,
    Schema,
    Scope,
)
from freebody.model.loads.base import MotionView
from freebody.model.vectors import PointField, PointSpec, PointValue
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.vector import Vector, vector

Triple = tuple[Expr, Expr, Expr]
DEGREES_20 = pi / 9
LARGEST_ANGLE = pi / 4


class Radius(OptionalScalar):
    """A constant, or None for a rack."""

    def __init__(self) -> None:
        super().__init__(PARAMETERS_ONLY)

    def write(self, value: Any, out: Any) -> Any:
        return None if value is None else super().write(value, out)

    def schema(self) -> Schema:
        return {"type": ["number", "string", "null"]}


class OptionalDirection(Direction):
    """A direction, or None."""

    def read(self, value: Any, scope: Scope) -> Any:
        return None if value is None else super().read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        return None if value is None else super().write(value, out)

    def schema(self) -> Schema:
        return {"anyOf": [super().schema(), {"type": "null"}]}


class WheelForces(NamedTuple):
    """What a transmission does to one of its wheels, along the axes of the carrier: the point where its force acts,
    from the carrier's origin, and from the wheel's centre (``arm``) if the centre is fixed in the carrier; the force
    and the torque of λ = 1; and ``side``, the force that goes with |λ|. ``axis`` is the wheel's axis along the axes of
    its body, and ``shift`` the position of its circle on it, from its centre."""

    point: Triple
    arm: Triple | None
    force: Triple
    torque: Triple
    side: Triple
    axis: Triple
    shift: Any = 0


class ParallelWheels(NamedTuple):
    """Wheels on parallel axes in their carrier, at the zero of all coordinates: the axis n, the direction e of the line
    of centres, their distance along it (negative in a ring gear) with its sign, the radii in the slip −r₁ θ₁ − r₂ θ₂,
    and the tangent of the helix angle."""

    axis: Triple
    line: Triple
    distance: Expr
    sign: int
    radii: tuple[Expr, Expr]
    lead: Any


class Transmission(NamedTuple):
    """A pair of wheels. ``slip`` is what the transmission keeps at zero, in m: the power of λ is λ times its rate.
    ``wheels`` are the forces on both. ``kept``: whether the joints between them keep the distance of the centres;
    otherwise points and directions are those at the zero of all coordinates. ``misfit`` is by how much the axes are off
    the places that the radii need, as a fraction of the distance. ``parallel`` is None for racks and bevel gears."""

    carrier: str
    slip: Expr
    wheels: tuple[WheelForces, WheelForces]
    misfit: Expr
    kept: bool = True
    parallel: ParallelWheels | None = None


@dataclass(frozen=True, eq=False)
class WheelPair(Element):
    """The fields of every transmission between two wheels."""

    start: Given[PointValue] = field(PointField(), "centre of the first wheel", key="from")
    end: Given[PointValue] = field(PointField(), "centre of the second wheel", key="to")
    radii: Given[ScalarsValue] = field(
        ListOf(Radius(), 2), "pitch radii: negative of a ring gear, none of a rack", unit="m"
    )
    axes: Given[Sequence[DirectionValue | None]] = field(
        ListOf(OptionalDirection(), 2),
        "axes of the wheels, along the axes of their bodies; by default those of their joints",
        default=(None, None),
    )
    _: KW_ONLY
    transmission: Any = field(FieldKind(), "forces on the wheels, and slip", default=None, derived=True, silent=True)

    has_belt: ClassVar[bool] = False  # whether a belt or a chain runs around both wheels

    def bodies(self) -> tuple[str, ...]:
        return self.start.body, self.end.body

    @property
    def centres(self) -> tuple[PointSpec, PointSpec]:
        """Those of the wheels, once they are read."""
        return self.start, self.end

    @property
    def misfit(self) -> Expr | None:
        """By how much the axes are off the distance that the radii need, as a fraction of it."""
        transmission: Transmission | None = self.transmission
        return None if transmission is None else transmission.misfit

    @property
    def summary(self) -> str:
        """Its radii in words, for tables."""
        texts = ["a rack" if r is None else str(r) if isinstance(r, Expr) else f"{float(r):.6g} m" for r in self.radii]
        return f"radii {' and '.join(texts)}"

    @property
    def is_read(self) -> bool:
        """Whether all fields have been read."""
        return all(isinstance(p, PointSpec) and p.is_read for p in (self.start, self.end)) and not any(
            isinstance(r, str) for r in self.radii
        )


@dataclass(frozen=True, eq=False)
class TeethAngles(WheelPair):
    """The angles of the teeth of gears."""

    pressure_angle: Given[ScalarValue] = field(
        Constant, "pressure angle, normal to the teeth", default=DEGREES_20, unit="rad"
    )
    helix_angle: Given[ScalarValue] = field(
        Constant, "helix angle of the first gear, positive of a right-handed one", default=0, unit="rad"
    )

    def check_angles(self) -> None:
        """Raise if an angle cannot be that of teeth."""
        for key, value, lowest in (
            ("pressure_angle", self.pressure_angle, 0.0),
            ("helix_angle", self.helix_angle, -LARGEST_ANGLE),
        ):
            if isinstance(value, Expr | str) or lowest <= value < LARGEST_ANGLE:
                continue
            least = "0" if lowest == 0 else "−0.785"
            raise FieldError(
                f"the {key.replace('_', ' ')} is {float(value):g} rad; it is between {least} and 0.785 rad (45°)."
                " Angles are in radians: np.radians(20) is 20°",
                key,
            )


@dataclass(frozen=True, eq=False)
class BeltFields(WheelPair):
    """The fields of a belt."""

    has_belt: ClassVar = True

    crossed: bool = field(Boolean(), "whether its spans cross: the pulleys turn in opposite senses", default=False)
    pretension: Given[ScalarValue] = field(
        Constant, "tension of each span where no torque is transmitted", default=0, unit="N"
    )

    def check_pretension(self) -> None:
        """Raise if the pretension is a number below zero."""
        if not isinstance(self.pretension, Expr | str) and self.pretension < 0:
            raise FieldError(
                f"the pretension is {float(self.pretension):g} N; a belt only pulls, so it must not be negative",
                "pretension",
            )


def carried(motion: MotionView, carrier: Reference, xyz: Triple) -> Vector:
    """The vector with these components along the axes of the carrier."""
    return vector(carrier.frame, [motion.scalar(x).handle for x in xyz])
