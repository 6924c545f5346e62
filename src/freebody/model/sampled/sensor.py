"""The base of sensors: what is measured at a sample, with noise, bias, limits and resolution."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

from freebody.errors import FieldError
from freebody.model.body import Reference
from freebody.model.element import Given, field
from freebody.model.kinds import ListOf, Scalar, ScalarValue, Scope, suggest
from freebody.model.sampled.base import HeldValue, Sampled, Samples, SampleView
from freebody.model.sampled.by_name import EVERY, ByName, pairs_of
from freebody.scalar import expr
from freebody.scalar.expr import Expr, equals_number
from freebody.spatial.vector import Vector, components

ByChannel = ScalarValue | Mapping[str, ScalarValue]
SCALAR = Scalar(whole=True)
EACH = ByName(SCALAR, alone=True, arguments=False)
MAGNITUDE = ByName(Scalar(whole=True, magnitude=True), alone=True, arguments=False)


class Channel(NamedTuple):
    """A number that a sensor measures: what follows the sensor's name in its name, the unit, and the group of channels
    that its errors may be given for."""

    suffix: str = ""
    unit: str = ""
    group: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The names for which its errors may be given, the most specific one first."""
        return tuple(key for key in (self.suffix.removeprefix("."), self.group) if key)


def along(view: SampleView, v: Vector, body: Reference, orient: Any = None) -> list[Expr]:
    """The components of a vector along the axes of a body, or of an orientation in it."""
    xyz = [Expr(view.graph, x) for x in components(v, body.frame)]
    if orient is None:
        return xyz
    rows = [[view.scalar(x) for x in row] for row in orient]
    return [rows[0][k] * xyz[0] + rows[1][k] * xyz[1] + rows[2][k] * xyz[2] for k in range(3)]


def three(group: str, unit: str) -> tuple[Channel, ...]:
    """The channels of a vector."""
    prefix = f".{group}" if group else ""
    return tuple(Channel(f"{prefix}.{axis}", unit, group) for axis in "xyz")


@dataclass(frozen=True, eq=False)
class Sensor(Sampled, ABC):
    """A quantity that is measured at samples, with errors: measured = round(limit(true + bias + drift + noise)).

    ``noise`` is the standard deviation of white noise at each sample; ``noise_density`` that of noise of this density,
    per square root of the bandwidth in Hz: over a period T its standard deviation is density/√T. ``bias`` is constant;
    ``bias_walk`` is the density of the random walk of a further bias, which is recorded as ``drift``: its standard
    deviation grows by walk·√t. Values are limited to ``range`` and rounded to multiples of ``resolution``. Each is one
    value for all that the sensor measures, or values by channel. Random numbers follow from the ``seed`` of a run."""

    _: KW_ONLY
    noise: Given[ByChannel] = field(MAGNITUDE, "standard deviation of white noise", default=())
    noise_density: Given[ByChannel] = field(MAGNITUDE, "density of white noise, per √Hz", default=())
    bias: Given[ByChannel] = field(EACH, "constant error", default=())
    bias_walk: Given[ByChannel] = field(
        MAGNITUDE, "density of the random walk of a bias, per second and √Hz", default=()
    )
    resolution: Given[ByChannel] = field(MAGNITUDE, "values are multiples of this", default=())
    range: Given[Sequence[ScalarValue] | Mapping[str, Sequence[ScalarValue]]] = field(
        ByName(ListOf(SCALAR, 2), alone=True, arguments=False), "lower and upper limit", default=()
    )
    section: ClassVar[str] = "sensors"
    group: ClassVar[str] = "sensor"

    @property
    def path(self) -> tuple[str, ...]:
        return *super().path, self.kind

    @property
    @abstractmethod
    def channels(self) -> tuple[Channel, ...]:
        """The numbers that it measures."""

    @abstractmethod
    def quantities(self, view: SampleView) -> Sequence[Expr]:
        """What it measures, without errors, in the order of the channels."""

    # Reading

    def finalise(self, scope: Scope) -> Any:
        keys = list(dict.fromkeys(key for channel in self.channels for key in channel.keys))
        for name in ("noise", "noise_density", "bias", "bias_walk", "resolution", "range"):
            for key in pairs_of(getattr(self, name)):
                if key not in (EVERY, *keys):
                    wanted = (
                        f"'{key}' is not a channel. {suggest(key, keys)}"
                        if keys
                        else "give one value; there is one channel"
                    )
                    raise FieldError(wanted, name)
        if any(equals_number(value, 0) for value in pairs_of(self.resolution).values()):
            raise FieldError("it is 0; leave it out where values are not rounded", "resolution")
        for limits in pairs_of(self.range).values():
            if isinstance(limits, tuple) and all(isinstance(x, int | float) for x in limits) and limits[0] > limits[1]:
                raise FieldError(f"its lower limit {limits[0]:g} is above the upper one, {limits[1]:g}", "range")
        return super().finalise(scope)

    # Held values

    def _value(self, name: str) -> str:
        return f"{self.name}{name}"

    @property
    def own_values(self) -> tuple[HeldValue, ...]:
        values = [HeldValue(self._value(c.suffix), 0.0, c.unit, "measured") for c in self.channels]
        return (*values, *(HeldValue(name, 0.0, c.unit, "drift of its bias") for c, name in self._drifts.items()))

    @property
    def _drifts(self) -> dict[Channel, str]:
        """The names of the held values of biases that walk."""
        return {c: self._value(f".drift{c.suffix}") for c in self.channels if self.error("bias_walk", c) is not None}

    def error(self, name: str, channel: Channel) -> Any:
        """The value of a field for a channel; None where it has none."""
        given = pairs_of(getattr(self, name))
        return next((given[key] for key in (*channel.keys, EVERY) if key in given), None)

    @property
    def delayed(self) -> tuple[str, ...]:
        return tuple(self._value(channel.suffix) for channel in self.channels)

    @property
    def is_random(self) -> bool:
        return any(pairs_of(getattr(self, name)) for name in ("noise", "noise_density", "bias_walk"))

    # Samples

    def samples(self, view: SampleView) -> Samples:
        period = Expr(view.graph, view.graph.const(self.seconds))
        values, memory = dict[str, Expr](), dict[str, Expr]()
        for channel, value in zip(self.channels, self.quantities(view), strict=True):
            given = {
                name: view.scalar(error)
                for name in ("noise", "noise_density", "bias", "bias_walk", "resolution")
                if (error := self.error(name, channel)) is not None
            }
            if "noise" in given or "noise_density" in given:
                variances = [given["noise"] ** 2] if "noise" in given else []
                variances += [given["noise_density"] ** 2 / period] if "noise_density" in given else []
                deviation = variances[0] if len(variances) == 1 else variances[0] + variances[1]
                value = value + expr.sqrt(deviation) * view.normal(f"noise{channel.suffix}")
            if "bias" in given:
                value = value + given["bias"]
            if "bias_walk" in given:
                name = self._drifts[channel]
                drift = view.symbol(name)
                memory[name] = drift + given["bias_walk"] * expr.sqrt(period) * view.normal(f"walk{channel.suffix}")
                value = value + drift
            if (limits := self.error("range", channel)) is not None:
                low, high = map(view.scalar, limits)
                value = expr.max(expr.min(value, high), low)
            if "resolution" in given:
                value = expr.floor(value / given["resolution"] + 0.5) * given["resolution"]
            values[self._value(channel.suffix)] = value
        return Samples(values, memory)
