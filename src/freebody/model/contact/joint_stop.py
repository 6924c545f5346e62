"""Stops of joints: springs with Hunt and Crossley's dissipation, which act where a coordinate is beyond its limits."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from math import isfinite
from typing import Any, ClassVar, Self

from freebody.errors import FieldError, ModelError, nearest, within
from freebody.model.body import Body, BodyValue
from freebody.model.contact.inertia_beyond import inertia_beyond
from freebody.model.element import Given, field
from freebody.model.kinds import Constant, FieldKind, OptionalScalar, ScalarValue, Scope, Text
from freebody.model.loads.base import MotionView, ScalarView, SpeedForce, require_positive
from freebody.model.loads.on_speed import LoadOnSpeed
from freebody.model.signals import OwnSignal, SignalSource, SignalView
from freebody.model.vectors import BodyField
from freebody.names import Q, U
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller
from freebody.scalar.symbol import PARAMETERS_ONLY

TIME_CONSTANT = 0.005
"""The default stiffness is the inertia beyond the joint over the square of this time, in s."""

OptionalConstant = OptionalScalar(PARAMETERS_ONLY)


@dataclass(frozen=True, eq=False)
class JointStop(LoadOnSpeed, SignalSource):
    """A stop of a coordinate of a joint at a ``lower`` and an ``upper`` end, by default the limits of the joint. Beyond
    an end by the depth x, the force back inside is stiffness · x · max(0, 1 − dissipation · v), where v is the speed of
    the coordinate back inside (Hunt and Crossley). Motion that arrives with the speed v0 leaves with e(dissipation ·
    v0) v0.

    By default the stiffness is the inertia of all that is beyond the joint, with everything at its initial values and
    parameters at theirs, over (5 ms)²; without dissipation motion then turns round within π · 5 ms, and is beyond the
    end by at most v0 · 5 ms.

    Signals: ``force`` along the coordinate, ``gap`` to the nearest end (negative beyond it), ``stiffness``."""

    on: Given[BodyValue] = field(BodyField(), "body whose joint has the stop")
    _: KW_ONLY
    lower: Given[ScalarValue | None] = field(
        OptionalConstant, "lower end; by default the lower limit of the joint", default=None, unit="rad or m"
    )
    upper: Given[ScalarValue | None] = field(
        OptionalConstant, "upper end; by default the upper limit of the joint", default=None, unit="rad or m"
    )
    stiffness: Given[ScalarValue | None] = field(
        OptionalConstant,
        "stiffness; by default the inertia beyond the joint over (5 ms)²",
        default=None,
        unit="N·m/rad or N/m",
    )
    dissipation: Given[ScalarValue] = field(
        Constant, "dissipation d, so that a slow impact loses the fraction 2/3 d v0 of its speed", default=1,
        unit="s/rad or s/m",
    )  # fmt: skip
    coordinate: str = field(Text(), "name of the coordinate, if the joint has several", default="")
    ends: Any = field(
        FieldKind(), "lower and upper end, None where there is none", default=None, derived=True, idle=True, silent=True
    )
    symbols: Any = field(FieldKind(), default=None, derived=True, idle=True, silent=True)
    kind: ClassVar[str] = "joint_stop"
    section: ClassVar[str] = "stops"
    group: ClassVar[str] = "stop"

    def finalise(self, scope: Scope) -> Self:
        with within("on"):
            try:
                body = scope.body(self.on)
            except FieldError:
                if isinstance(self.on, str) and self.on in scope.file_bodies:
                    return self  # its signals are declared before the bodies of a file
                raise
        if not isinstance(body, Body):
            raise FieldError("the ground has no joint; name a body", "on")
        joint = body.spec.freedoms
        context = f"the {joint.kind} joint of '{body.name}'"
        if joint.coordinates and not joint.rates:
            raise FieldError(
                f"{context} cannot have a stop, because its speeds are not the rates of its coordinates. Use joints of"
                " one freedom each, or contact between shapes",
                "on",
            )
        if self.coordinate not in joint.coordinates:
            raise FieldError(_wrong_coordinate(context, joint.coordinates, self.coordinate), "coordinate")
        limits = body.spec.joint.limits or (None, None)
        known = [x if x is None or isfinite(x) else None for x in limits]
        lower, upper = (k if end is None else end for end, k in zip((self.lower, self.upper), known, strict=True))
        if lower is None and upper is None:
            raise FieldError(f"{context} has no limits; give lower, upper or both, or its joint limits=(…, …)")
        if lower is not None and upper is not None:
            with within("upper"):
                require_positive(upper - lower, scope, "its distance from the lower end")
        for key in ("stiffness", "dissipation"):
            value = self.__dict__[key]
            if value is not None and not equals_number(value, 0):
                with within(key):
                    require_positive(value, scope, "it")
        if self.stiffness is not None and equals_number(self.stiffness, 0):
            raise FieldError("a stop without stiffness stops nothing; leave it out for the default", "stiffness")
        return self if self.ends is not None else replace(self, ends=(lower, upper))

    @property
    def coordinate_name(self) -> str:
        """The name of the coordinate, and of the speed that is its rate."""
        return f"{self.on}.{self.coordinate}" if self.coordinate else str(self.on)

    @property
    def speed_name(self) -> str:
        return self.coordinate_name

    # Laws

    def own_signals(self) -> Sequence[OwnSignal]:
        name = f"'{self.name}'"
        return [
            OwnSignal("force", "", f"force of stop {name} along the coordinate"),
            OwnSignal("gap", "", f"distance from the nearest end of stop {name}, negative beyond it"),
            OwnSignal("stiffness", "", f"stiffness of stop {name}"),
            OwnSignal("spring", shown=False),
        ]

    def known_units(self, view: SignalView) -> Mapping[str, str]:
        if view.graph.symbol_named(U(self.coordinate_name)).unit == "rad/s":
            return {"force": "N*m", "gap": "rad", "stiffness": "N*m/rad"}
        return {"force": "N", "gap": "m", "stiffness": "N/m"}

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        u = view.symbol(U(self.coordinate_name))
        k = view.scalar(self._default_stiffness(view) if self.stiffness is None else self.stiffness)
        d, force, spring = view.scalar(self.dissipation), view.scalar(0), view.scalar(0)
        gaps = self._gaps(view)
        for gap, side in gaps:
            own = side * k * larger(0, -gap)
            spring, force = spring + own, force + own * larger(0, 1 - d * side * u)
        nearest_end = gaps[0][0] if len(gaps) == 1 else smaller(gaps[0][0], gaps[1][0])
        return [], [force, nearest_end, k, spring]

    def _gaps(self, view: SignalView) -> list[tuple[Expr, int]]:
        """For each end the distance from it, and the sign of the direction inside."""
        q = view.symbol(Q(self.coordinate_name))
        lower, upper = (None if end is None else view.scalar(end) for end in self.ends)
        gaps = [] if lower is None else [(q - lower, 1)]
        return gaps if upper is None else [*gaps, (upper - q, -1)]

    def _default_stiffness(self, view: SignalView) -> float:
        """The inertia beyond the joint over the square of the time constant, to three digits."""
        inertia = inertia_beyond(view, self.on, self.coordinate)
        if not inertia > 0:
            raise ModelError(
                f"stop '{self.name}': nothing beyond the joint of '{self.on}' has inertia along its coordinate, from"
                " which the default stiffness would follow; give the stop a stiffness"
            )
        return float(f"{inertia / TIME_CONSTANT**2:.3g}")

    # What loads have

    def joint_force(self, motion: ScalarView) -> SpeedForce:
        return SpeedForce(self.coordinate_name, motion.scalar(self["force"]))

    def joint_losses(self, motion: ScalarView) -> SpeedForce:
        """The force without that of the spring, stiffness · x towards inside."""
        return SpeedForce(self.coordinate_name, motion.scalar(self["force"]) - motion.scalar(self["spring"]))

    def potential(self, motion: MotionView) -> Expr:
        """½ stiffness x²"""
        depth = larger(0, -motion.scalar(self["gap"]))
        return motion.scalar(self["stiffness"]) * depth * depth / 2

    def value(self, motion: MotionView) -> Expr:
        return motion.scalar(self["force"])


def _wrong_coordinate(context: str, coordinates: Sequence[str], name: str) -> str:
    """The error text for a coordinate that a joint does not have."""
    if not coordinates:
        return f"{context} has no coordinates, so it needs no stop; name another body"
    if tuple(coordinates) == ("",):
        return f"{context} has one coordinate; leave out coordinate={name!r}"
    near = nearest(name, coordinates, 1)
    wrong = f"has no coordinate '{name}'" if name else f"has {len(coordinates)} coordinates"
    listed = ", ".join(map(repr, coordinates))
    return f"{context} {wrong}; choose one, such as coordinate='{(near or coordinates)[0]}'. They are {listed}"
