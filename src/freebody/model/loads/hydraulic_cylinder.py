"""A hydraulic cylinder between two points: two chambers of oil, a valve, leakage and friction."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

from freebody.drawing import DrawnLoad
from freebody.errors import FieldError, ModelError, within
from freebody.model.element import Given, field
from freebody.model.kinds import Constant, FieldKind, Number, Scalar, ScalarValue, Scope
from freebody.model.loads.base import Load, LoadWrench, MotionView, require_positive
from freebody.model.picture import Picture
from freebody.model.signals import OwnSignal, OwnState, SignalSource, SignalView
from freebody.model.vectors import PointField, PointValue
from freebody.scalar.expr import Expr, equals_number, sqrt, tanh
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller


@dataclass(frozen=True, eq=False)
class HydraulicCylinder(Load, SignalSource):
    """A cylinder that pushes two points apart with the force p_a A_a − p_b A_b − friction. Chamber a is at the closed
    end, b around the rod; with the stroke x = distance − closed_length their volumes are V_a = dead_a + A_a x and
    V_b = dead_b + A_b (travel − x). The pressures ``NAME.pressure_a`` and ``NAME.pressure_b`` are states:

    ṗ_a = bulk_modulus/V_a (Q_a − A_a ẋ − leakage (p_a − p_b))

    ṗ_b = bulk_modulus/V_b (Q_b + A_b ẋ + leakage (p_a − p_b))

    ``valve`` between −1 and 1 is the opening of a four-way valve with orifice flow: positive, a is connected with the
    supply and b with the tank, Q_a = valve · rated_flow · √((supply − p_a)/rated_drop), and so on; √ is linear below
    the pressure ``smooth``. Friction is damping ẋ + friction tanh(ẋ/slip). The stroke is not stopped at 0 and
    ``travel``; volumes do not fall below the dead ones."""

    start: Given[PointValue] = field(PointField(), "closed end", key="from")
    end: Given[PointValue] = field(PointField(), "end of the rod", key="to")
    area: Given[ScalarValue] = field(Constant, "area of the piston on the side of chamber a", unit="m²")
    closed_length: Given[ScalarValue] = field(Constant, "distance of the points at stroke 0", unit="m")
    travel: Given[ScalarValue] = field(Constant, "largest stroke", unit="m")
    rod_area: Given[ScalarValue | None] = field(
        Constant, "area on the side of chamber b, around the rod; the same by default", default=None, unit="m²"
    )
    valve: Given[ScalarValue] = field(Scalar(), "opening of the valve, from −1 to 1", default=0)
    supply: Given[ScalarValue] = field(Scalar(), "supply pressure", default=0, unit="Pa")
    tank: Given[ScalarValue] = field(Scalar(), "tank pressure", default=0, unit="Pa")
    rated_flow: Given[ScalarValue] = field(Scalar(), "flow of the open valve at rated_drop", default=0, unit="m³/s")
    rated_drop: Given[ScalarValue] = field(Constant, "pressure drop at an edge of the valve", default=3.5e6, unit="Pa")
    bulk_modulus: Given[ScalarValue] = field(Constant, "bulk modulus of the oil", default=1.4e9, unit="Pa")
    dead_a: Given[ScalarValue] = field(Constant, "dead volume of chamber a with its pipe", default=1e-4, unit="m³")
    dead_b: Given[ScalarValue] = field(Constant, "dead volume of chamber b with its pipe", default=1e-4, unit="m³")
    leakage: Given[ScalarValue] = field(Scalar(), "leakage from a to b by pressure", default=0, unit="m³/s/Pa")
    damping: Given[ScalarValue] = field(Scalar(), "viscous friction", default=0, unit="N·s/m")
    friction: Given[ScalarValue] = field(Scalar(), "dry friction", default=0, unit="N")
    slip: Given[ScalarValue] = field(Scalar(), "velocity below which dry friction vanishes", default=0.001, unit="m/s")
    smooth: Given[ScalarValue] = field(Constant, "pressure below which orifices are linear", default=1e4, unit="Pa")
    initial_a: Given[float] = field(Number(), "initial pressure of chamber a", default=0.0, unit="Pa")
    initial_b: Given[float] = field(Number(), "initial pressure of chamber b", default=0.0, unit="Pa")
    _: KW_ONLY
    symbols: Any = field(FieldKind(), default=None, derived=True, idle=True, silent=True)
    kind: ClassVar[str] = "hydraulic_cylinder"

    def finalise(self, scope: Scope) -> Self:
        positive = "area", "rod_area", "travel", "rated_drop", "bulk_modulus", "dead_a", "dead_b", "slip", "smooth"
        for key in positive:
            if self.__dict__[key] is not None:
                with within(key):
                    require_positive(self.__dict__[key], scope, "it")
        if not equals_number(self.valve, 0) and equals_number(self.rated_flow, 0):
            raise FieldError("the valve opens, and has no flow; give rated_flow, in m³/s at rated_drop", "rated_flow")
        return self

    def own_states(self) -> Sequence[OwnState]:
        return [
            OwnState(f"pressure_{k}", x, "Pa", f"pressure of chamber {k} of '{self.name}'")
            for k, x in (("a", self.initial_a), ("b", self.initial_b))
        ]

    def own_signals(self) -> Sequence[OwnSignal]:
        name = f"'{self.name}'"
        return [
            OwnSignal("force", "N", f"force of {name}, positive if it pushes"),
            OwnSignal("stroke", "m", f"stroke of {name}"),
            OwnSignal("flow_a", "m3/s", f"flow into chamber a of {name}"),
            OwnSignal("flow_b", "m3/s", f"flow into chamber b of {name}"),
            OwnSignal("input_power", "W", f"power that {name} takes from the supply, less that which the tank takes"),
            OwnSignal("output_power", "W", f"power of {name} at its ends"),
            OwnSignal("loss", "W", f"power that the valve, leakage and friction of {name} lose"),
        ]

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        length, rate = view.span(self.start, self.end)
        area_a, travel = view.scalar(self.area), view.scalar(self.travel)
        area_b = area_a if self.rod_area is None else view.scalar(self.rod_area)
        x, a, b = length - view.scalar(self.closed_length), self.own(view, "pressure_a"), self.own(view, "pressure_b")
        supply, tank = view.scalar(self.supply), view.scalar(self.tank)
        opening = larger(-1, smaller(1, view.scalar(self.valve)))
        forth, back = larger(opening, 0), larger(-opening, 0)
        supplied = forth * self._orifice(view, supply - a), back * self._orifice(view, supply - b)
        returned = back * self._orifice(view, a - tank), forth * self._orifice(view, b - tank)
        flow_a, flow_b = supplied[0] - returned[0], supplied[1] - returned[1]
        leak = view.scalar(self.leakage) * (a - b)
        volume_a = view.scalar(self.dead_a) + area_a * larger(x, 0)
        volume_b = view.scalar(self.dead_b) + area_b * larger(travel - x, 0)
        modulus = view.scalar(self.bulk_modulus)
        rates = [
            modulus / volume_a * (flow_a - area_a * rate - leak),
            modulus / volume_b * (flow_b + area_b * rate + leak),
        ]
        friction = view.scalar(self.damping) * rate
        if not equals_number(self.friction, 0):
            friction = friction + view.scalar(self.friction) * tanh(rate / view.scalar(self.slip))
        force = a * area_a - b * area_b - friction
        taken = supply * (supplied[0] + supplied[1]) - tank * (returned[0] + returned[1])
        loss = taken - a * flow_a - b * flow_b + leak * (a - b) + friction * rate
        return rates, [force, x, flow_a, flow_b, taken, force * rate, loss]

    def _orifice(self, view: SignalView, drop: Expr) -> Expr:
        """The flow of the open valve: rated_flow · drop/√(rated_drop · √(drop² + smooth²))."""
        smooth = view.scalar(self.smooth)
        root = sqrt(view.scalar(self.rated_drop) * sqrt(drop * drop + smooth * smooth))
        return view.scalar(self.rated_flow) * drop / root

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        start, end = motion.point(self.start), motion.point(self.end)
        span = motion.position(start, end)
        if not span:
            raise ModelError(f"load '{self.name}': its two ends are the same point; give two different points")
        push = span / span.norm() * self.value(motion)
        yield LoadWrench(end.body, end, push, None)
        yield LoadWrench(start.body, start, -push, None)

    def value(self, motion: MotionView) -> Expr:
        return motion.scalar(self["force"])

    def drawn(self, picture: Picture) -> DrawnLoad:
        """A housing with a rod."""
        ends = picture.ends(self.start, self.end, f"hydraulic cylinder '{self.name}'")
        return replace(super().drawn(picture), ends=ends, style="damper")
