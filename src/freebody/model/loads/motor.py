"""Motors and servos on joints: gear, rotor inertia, efficiency both ways, friction, torque–speed envelope, current."""

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

from freebody.errors import FieldError, within
from freebody.model.body import Body, BodyValue
from freebody.model.element import Given, field
from freebody.model.kinds import Constant, FieldKind, Number, OptionalScalar, Scalar, ScalarValue, Scope, Text
from freebody.model.loads.base import MotionView, ScalarView, SpeedForce, require_positive
from freebody.model.loads.forces import wrong_speed
from freebody.model.loads.on_speed import LoadOnSpeed
from freebody.model.signals import OwnSignal, OwnState, SignalSource, SignalView
from freebody.model.vectors import BodyField
from freebody.names import Q, U
from freebody.scalar.expr import Expr, equals_number, tanh, where
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller

FALL = 0.9
"""The speed from which the torque falls, as a fraction of the largest speed, where it is not given."""


@dataclass(frozen=True, eq=False)
class JointActuator(LoadOnSpeed, SignalSource, ABC):
    """What motors and servos have in common: a shaft that a gear connects with a speed of a joint, ω = gear · u.

    The friction of the shaft is viscous ω + coulomb tanh(ω/smooth). The gear transmits the torque T that is left, less
    what it loses: joint torque = gear · T · efficiency where the motor drives, and gear · T / back_efficiency where the
    joint drives the motor; the change near standstill is smoothed by tanh(ω/smooth). The torque of the motor is limited
    to ±max_torque, and while it drives, beyond the speed ``corner``, by a straight line that reaches zero at max_speed.
    The inertia of the rotor, gear² · inertia, is added to the armature of the joint; the efficiency does not apply to
    the torque that accelerates it."""

    on: Given[BodyValue] = field(BodyField(), "body on whose joint it acts")
    _: KW_ONLY
    gear: Given[ScalarValue] = field(Constant, "turns of the shaft per turn of the joint, or per metre", default=1)
    inertia: Given[ScalarValue] = field(Constant, "inertia of the rotor", default=0, unit="kg·m²")
    efficiency: Given[ScalarValue] = field(Constant, "efficiency of the gear, driving", default=1)
    back_efficiency: Given[ScalarValue | None] = field(
        Constant, "efficiency where the joint drives the motor; the same by default", default=None
    )
    viscous: Given[ScalarValue] = field(Scalar(), "viscous friction of the shaft", default=0, unit="N·m·s/rad")
    coulomb: Given[ScalarValue] = field(Scalar(), "dry friction of the shaft", default=0, unit="N·m")
    smooth: Given[ScalarValue] = field(
        Scalar(), "speed of the shaft below which dry friction and losses vanish", default=1, unit="rad/s"
    )
    max_torque: Given[ScalarValue | None] = field(
        OptionalScalar(), "largest torque of the motor", default=None, unit="N·m"
    )
    max_speed: Given[ScalarValue | None] = field(
        OptionalScalar(), "speed of the shaft at which the torque has fallen to zero", default=None, unit="rad/s"
    )
    corner: Given[ScalarValue | None] = field(
        OptionalScalar(), "speed from which the torque falls; 0.9 max_speed by default", default=None, unit="rad/s"
    )
    speed: str = field(Text(), "name of the speed, if the joint has several", default="")
    coordinate: Any = field(FieldKind(), default=None, derived=True, idle=True, silent=True)
    symbols: Any = field(FieldKind(), default=None, derived=True, idle=True, silent=True)

    def finalise(self, scope: Scope) -> Self:
        with within("on"):
            try:
                body = scope.body(self.on)
            except FieldError:
                if isinstance(self.on, str) and self.on in scope.file_bodies:
                    return self  # its signals are declared before the bodies of a file
                raise
        speeds = body.spec.freedoms.speeds if isinstance(body, Body) else ()
        if self.speed not in speeds:
            raise FieldError(wrong_speed(body, speeds, self.speed))
        for key in ("gear", "smooth", "max_torque", "max_speed"):
            if self.__dict__[key] is not None:
                with within(key):
                    require_positive(self.__dict__[key], scope, "it")
        for key in ("efficiency", "back_efficiency"):
            value = self.__dict__[key]
            if value is not None:
                with within(key):
                    require_positive(
                        value, scope, "it", "A gear that locks itself is described by friction of the joint"
                    )
            if isinstance(value, int | float) and value > 1:
                raise FieldError(f"an efficiency of {value:g} would create energy; it is at most 1", key)
        if self.max_speed is not None and self.max_torque is None:
            raise FieldError("the torque falls from max_torque to zero at this speed; give max_torque too", "max_speed")
        if self.corner is not None and self.max_speed is None:
            raise FieldError("the torque falls from this speed to zero at max_speed; give max_speed too", "corner")
        joint = body.spec.freedoms
        if not equals_number(self.inertia, 0) and len(body.spec.joint.speeds) != 1:
            raise FieldError(
                f"the {body.spec.joint.kind} joint of '{body.name}' has {len(body.spec.joint.speeds)} speeds, and the"
                " inertia of a rotor is added to joints with one; describe it by several joints, or leave it out",
                "inertia",
            )
        index = speeds.index(self.speed)
        known = joint.rates and index < len(body.spec.names[0])
        coordinate = Q(body.spec.names[0][index]) if known else ""
        return self if self.coordinate == coordinate else replace(self, coordinate=coordinate)

    @property
    def speed_name(self) -> str:
        """The name of the speed in the system."""
        return f"{self.on}.{self.speed}" if self.speed else str(self.on)

    # Laws

    def own_signals(self) -> Sequence[OwnSignal]:
        name = f"'{self.name}'"
        return [
            OwnSignal("torque", "", f"generalised force of {name} on the joint"),
            OwnSignal("shaft_torque", "N*m", f"torque of {name} before friction"),
            OwnSignal("shaft_speed", "rad/s", f"speed of the shaft of {name}"),
            OwnSignal("input_power", "W", f"power that {name} takes"),
            OwnSignal("output_power", "W", f"power of {name} at the joint"),
            OwnSignal("loss", "W", f"power that {name} loses"),
        ]

    def known_units(self, view: SignalView) -> Mapping[str, str]:
        if view.graph.symbol_named(U(self.speed_name)).unit == "rad/s":
            return {"torque": "N*m"}
        return {"torque": "N"} | ({"shaft_torque": "N", "shaft_speed": "m/s"} if equals_number(self.gear, 1) else {})

    def limited(self, view: SignalView, torque: Expr, w: Expr) -> Expr:
        """A torque within the envelope."""
        if self.max_torque is None:
            return torque
        most = view.scalar(self.max_torque)
        if self.max_speed is None:
            return larger(-most, smaller(most, torque))
        top = view.scalar(self.max_speed)
        corner = FALL * top if self.corner is None else view.scalar(self.corner)
        high, low = (most * larger(0, smaller(1, (top - s * w) / (top - corner))) for s in (1, -1))
        return larger(-low, smaller(high, torque))

    def transmitted(self, view: SignalView, T: Expr, w: Expr) -> Expr:
        """The torque at the joint of a torque at the gear: gear · (T − s |T| (1 − η)), s = tanh(ω/smooth)."""
        back = self.efficiency if self.back_efficiency is None else self.back_efficiency
        if equals_number(self.efficiency, 1) and equals_number(back, 1):
            return view.scalar(self.gear) * T
        share = where(T * w > 0, 1 - view.scalar(self.efficiency), 1 / view.scalar(back) - 1)
        return view.scalar(self.gear) * (T - tanh(w / view.scalar(self.smooth)) * abs(T) * share)

    def shaft_speed(self, view: SignalView) -> Expr:
        return view.scalar(self.gear) * view.symbol(U(self.speed_name))

    def outcome(self, view: SignalView, torque: Expr, electric: Expr, heat: Any) -> list[Any]:
        """The signals of a torque of the motor, the power that it takes and the heat in its windings."""
        w, u = self.shaft_speed(view), view.symbol(U(self.speed_name))
        friction = view.scalar(self.viscous) * w
        if not equals_number(self.coulomb, 0):
            friction = friction + view.scalar(self.coulomb) * tanh(w / view.scalar(self.smooth))
        net = torque - friction
        out = self.transmitted(view, net, w)
        loss = heat + friction * w + (net * w - out * u)
        return [out, torque, w, electric, out * u, loss]

    def armatures(self) -> Mapping[str, Any]:
        if equals_number(self.inertia, 0):
            return {}
        return {self.on: self.gear * self.gear * self.inertia}

    # What loads have

    def joint_force(self, motion: ScalarView) -> SpeedForce:
        return SpeedForce(self.speed_name, motion.scalar(self["torque"]))

    def value(self, motion: MotionView) -> Expr:
        return motion.scalar(self["torque"])


@dataclass(frozen=True, eq=False)
class Motor(JointActuator):
    """A motor on a joint, driven by the ``torque`` of its shaft before friction, or by a ``voltage``: with the torque
    constant kt the torque is kt · i, and resistance · i + inductance · di/dt = voltage − kt · ω. Without an inductance
    the current follows at once, with one it is the state ``NAME.current``.

    Signals: ``torque`` (at the joint), ``shaft_torque``, ``shaft_speed``, ``input_power``, ``output_power``, ``loss``,
    and with kt ``current``."""

    torque: Given[ScalarValue | None] = field(
        OptionalScalar(), "torque of the shaft before friction", default=None, unit="N·m"
    )
    voltage: Given[ScalarValue | None] = field(OptionalScalar(), "voltage, instead", default=None, unit="V")
    kt: Given[ScalarValue | None] = field(
        Constant, "torque constant, which is the voltage constant too", default=None, unit="N·m/A"
    )
    resistance: Given[ScalarValue | None] = field(Constant, "resistance of the windings", default=None, unit="Ω")
    inductance: Given[ScalarValue | None] = field(Constant, "inductance of the windings", default=None, unit="H")
    initial: Given[float] = field(Number(), "initial current", default=0.0, unit="A")
    kind: ClassVar[str] = "motor"

    def finalise(self, scope: Scope) -> Self:
        if (self.torque is None) == (self.voltage is None):
            what = "neither a torque nor a voltage" if self.torque is None else "both a torque and a voltage"
            raise FieldError(f"it has {what}; give one of them")
        electric = {"kt": self.kt, "resistance": self.resistance, "inductance": self.inductance}
        if self.voltage is not None:
            missing = [key for key in ("kt", "resistance") if electric[key] is None]
            if missing:
                raise FieldError(f"a motor with a voltage needs {missing[0]}", missing[0])
            if self.max_torque is not None:
                raise FieldError(
                    "the torque of a motor with a voltage follows from its current; limit the voltage instead:"
                    " voltage='max(-24, min(24, v))'",
                    "max_torque",
                )
        elif self.inductance is not None:
            raise FieldError("an inductance needs a voltage; a torque is reached at once", "inductance")
        elif self.resistance is not None and self.kt is None:
            raise FieldError("the current follows from the torque constant; give kt too", "resistance")
        for key, value in electric.items():
            if value is not None:
                with within(key):
                    require_positive(value, scope, "it")
        return super().finalise(scope)

    @property
    def _has_state(self) -> bool:
        return self.inductance is not None

    def own_states(self) -> Sequence[OwnState]:
        if not self._has_state:
            return ()
        return (OwnState("current", self.initial, "A", f"current of '{self.name}'"),)

    def own_signals(self) -> Sequence[OwnSignal]:
        current = self.kt is not None and not self._has_state
        more = [OwnSignal("current", "A", f"current of '{self.name}'")] if current else []
        return [*super().own_signals(), *more]

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        w, rates, current = self.shaft_speed(view), list[Any](), list[Any]()
        R = view.scalar(0 if self.resistance is None else self.resistance)
        if self.voltage is None:
            torque = self.limited(view, view.scalar(self.torque), w)
            if self.kt is None:
                return [], self.outcome(view, torque, torque * w, view.scalar(0))
            i = torque / view.scalar(self.kt)
            return [], [*self.outcome(view, torque, torque * w + R * i * i, R * i * i), i]
        V, kt = view.scalar(self.voltage), view.scalar(self.kt)
        if self._has_state:
            i = self.own(view, "current")
            rates.append((V - R * i - kt * w) / view.scalar(self.inductance))
        else:
            i = (V - kt * w) / R
            current.append(i)
        return rates, [*self.outcome(view, kt * i, V * i, R * i * i), *current]


@dataclass(frozen=True, eq=False)
class Servo(JointActuator):
    """A motor with its controller, which follows a ``position`` or a ``velocity`` of the joint: the torque at the joint
    is kp · (position − q) + kd · (velocity − u) + feedforward before losses, within the limits of the motor. Without a
    velocity it is zero in this law; without a position (kp is left out) the velocity is followed.

    Signals as those of a motor."""

    position: Given[ScalarValue | None] = field(
        OptionalScalar(), "position that the joint follows", default=None, unit="rad or m"
    )
    velocity: Given[ScalarValue | None] = field(
        OptionalScalar(), "velocity that the joint follows", default=None, unit="rad/s or m/s"
    )
    kp: Given[ScalarValue] = field(Scalar(), "stiffness", default=0, unit="N·m/rad or N/m")
    kd: Given[ScalarValue] = field(Scalar(), "damping", default=0, unit="N·m·s/rad or N·s/m")
    feedforward: Given[ScalarValue] = field(Scalar(), "generalised force that is added", default=0, unit="N·m or N")
    kind: ClassVar[str] = "servo"

    def finalise(self, scope: Scope) -> Self:
        if self.position is None and self.velocity is None:
            raise FieldError("it follows nothing; give a position or a velocity")
        if self.position is not None and equals_number(self.kp, 0):
            raise FieldError("it follows a position, which needs a stiffness; give kp", "kp")
        if self.position is None and not equals_number(self.kp, 0):
            raise FieldError("a stiffness needs a position; give one, or kd alone for a velocity", "kp")
        if self.position is None and equals_number(self.kd, 0):
            raise FieldError("it follows a velocity, which needs a gain; give kd", "kd")
        servo = super().finalise(scope)
        if servo.position is not None and servo.coordinate == "":
            raise FieldError(
                f"the speed '{self.speed_name}' is not the rate of a coordinate, so that there is no position to"
                " follow; follow a velocity, or use a joint of single rotations and slides",
                "position",
            )
        return servo

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        w, u = self.shaft_speed(view), view.symbol(U(self.speed_name))
        wanted = view.scalar(self.feedforward) - view.scalar(self.kd) * u
        if self.velocity is not None:
            wanted = wanted + view.scalar(self.kd) * view.scalar(self.velocity)
        if self.position is not None:
            wanted = wanted + view.scalar(self.kp) * (view.scalar(self.position) - view.symbol(self.coordinate))
        torque = self.limited(view, wanted / view.scalar(self.gear), w)
        return [], self.outcome(view, torque, torque * w, view.scalar(0))
