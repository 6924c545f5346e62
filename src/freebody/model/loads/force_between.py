"""Forces along the line between two points: any law of the length and its rate, or a linear spring with a damper."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

from freebody.drawing import DrawnLoad
from freebody.errors import FieldError, ModelError
from freebody.model.element import Given, field, normal_form
from freebody.model.kinds import FieldKind, Scalar, ScalarValue, Scope
from freebody.model.laws import Definitions, Law, law_scope
from freebody.model.loads.base import Load, LoadWrench, MotionView
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointSpec, PointValue
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr, equal, equals_number, where
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.symbol import Kind as SymbolKind
from freebody.scalar.walk import substitute
from freebody.spatial.vector import Vector


@dataclass(frozen=True, eq=False)
class ForceBetween(Load):
    """A force along the line between two points. A positive ``law`` pulls them together. The law is a function of
    ``length``, the distance between the points, and ``rate``, its rate of change: a text in these names, an expression,
    or a Python function."""

    start: Given[PointValue] = field(PointField(), "first point", key="from")
    end: Given[PointValue] = field(PointField(), "second point", key="to")
    law: Given[ScalarValue | Callable[..., Any]] = field(Law(), "force as a function of length and rate", unit="N")
    definitions: Given[Mapping[str, ScalarValue] | None] = field(
        Definitions(), "named expressions that the law may use", default=None
    )
    _: KW_ONLY
    length: Any = field(FieldKind(), "symbol of the length in the law", default=None, derived=True)
    rate: Any = field(FieldKind(), "symbol of the rate in the law", default=None, derived=True)
    kind: ClassVar[str] = "force_between"

    def law_scope(self, scope: Scope) -> Scope:
        return law_scope(scope, self._symbols(scope), self.definitions)

    def _symbols(self, scope: Scope) -> dict[str, Expr]:
        g = scope.graph
        return {s: Expr(g, g.symbol(f"{self.name}.{s}", SymbolKind.INTERMEDIATE)) for s in ("length", "rate")}

    def finalise(self, scope: Scope) -> Self:
        if self.length is not None or isinstance(self.law, str) or callable(self.law):
            return self
        law = self.law if isinstance(self.law, Expr) else Expr(scope.graph, scope.graph.const(self.law))
        symbols = self._symbols(scope)
        return replace(self, law=law, definitions=None, length=symbols["length"], rate=symbols["rate"])

    def argument_names(self) -> dict[Node, str]:
        return {self.length.handle: "length", self.rate.handle: "rate"}

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        start, end = motion.point(self.start), motion.point(self.end)
        direction, pull = self._pull(motion)
        yield LoadWrench(start.body, start, direction * pull, None)
        yield LoadWrench(end.body, end, -(direction * pull), None)

    def value(self, motion: MotionView) -> Expr:
        return self._pull(motion)[1]

    def _pull(self, motion: MotionView) -> tuple[Vector, Expr]:
        """The direction from start to end, and the law at the present length and rate."""
        start, end = motion.point(self.start), motion.point(self.end)
        span = motion.position(start, end)
        if not span:
            raise ModelError(f"load '{self.name}': its two ends are the same point; give two different points")
        length = span.norm()
        direction = span / length
        rate = direction.dot(motion.velocity(end) - motion.velocity(start))
        return direction, self._law_at(motion, {self.length.handle: length.handle, self.rate.handle: rate.handle})

    def _law_at(self, motion: MotionView, values: Mapping[Node, Node]) -> Expr:
        """The law with nodes in place of its arguments."""
        g, law = motion.graph, motion.scalar(self.law)
        return Expr(g, substitute(g, [law.handle], values)[0])

    def _static(self, motion: MotionView) -> Expr:
        """The law at a constant length, where the rate is 0."""
        return self._law_at(motion, {self.rate.handle: motion.graph.zero})

    def potential(self, motion: MotionView) -> Expr | None:
        """½ pull²/k of a linear spring, pull = k (length − free length), with or without a damper; pull · length of a
        constant pull, also if k is 0 only as the value of a parameter. Other laws, and ends that move on their bodies,
        have no potential."""
        g, length, static = motion.graph, self.length.handle, self._static(motion).handle
        start, end = motion.point(self.start), motion.point(self.end)
        if not start.fixed or not end.fixed:
            return None
        k = Expr(g, jvp(g, [static], {length: g.one})[0])
        at_zero = substitute(g, [static], {length: g.zero})[0]
        if g.mask[k.handle] > PARAMETERS_ONLY or g.mask[at_zero] > PARAMETERS_ONLY:
            return None
        distance = motion.position(start, end).norm()
        pull = Expr(g, substitute(g, [static], {length: distance.handle})[0])
        if equals_number(k, 0):
            return pull * distance
        energy = pull * pull / (2 * k)
        return energy if g.number(k.handle) is not None else where(equal(k, 0), pull * distance, energy)

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        """The part of the law that depends on the rate, if the rest has a potential."""
        law, static = motion.scalar(self.law), self._static(motion)
        if self.potential(motion) is None:
            yield from self.wrenches(motion)
        elif static != law:
            yield from replace(self, law=law - static).wrenches(motion)

    def drawn(self, picture: Picture) -> DrawnLoad:
        """A spring if the law depends on the length, else a damper if it depends on the rate, else a line."""
        g, law = picture.placed.graph, picture.placed.scalar(self.law).handle
        arguments = self.length.handle, self.rate.handle
        depends = [jvp(g, [law], {x: g.one})[0] != g.zero for x in arguments]
        style = "spring" if depends[0] else "damper" if depends[1] else "line"
        ends = picture.ends(self.start, self.end, f"force between points '{self.name}'")
        return replace(super().drawn(picture), ends=ends, style=style, variable=self.variable)


@dataclass(frozen=True, eq=False)
class Spring(Load):
    """A linear spring and damper between two points. It is converted to a ``force_between``."""

    start: Given[PointValue] = field(PointField(), "first point", key="from")
    end: Given[PointValue] = field(PointField(), "second point", key="to")
    stiffness: Given[ScalarValue] = field(Scalar(), "stiffness", default=0, unit="N/m")
    free_length: Given[ScalarValue] = field(Scalar(), "length at which the spring has no force", default=0, unit="m")
    damping: Given[ScalarValue] = field(Scalar(), "damping coefficient", default=0, unit="N·s/m")
    kind: ClassVar[str] = "spring"

    def finalise(self, scope: Scope) -> Any:
        """The ``ForceBetween``, when all fields have been read."""
        values = self.stiffness, self.free_length, self.damping
        if not isinstance(self.start, PointSpec) or not self.start.is_read or any(isinstance(v, str) for v in values):
            return self
        if equals_number(self.stiffness, 0) and equals_number(self.damping, 0):
            raise FieldError(
                "it has neither a stiffness nor a damping, so that it has no force; give one of them", "stiffness"
            )
        g = scope.graph
        k, free, c = (v if isinstance(v, Expr) else Expr(g, g.const(v)) for v in values)
        force = ForceBetween(self.start, self.end, lambda length, rate: k * (length - free) + c * rate, name=self.name)
        return normal_form(force, scope, late=True)

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        raise ModelError(f"spring '{self.name}' does not belong to a system yet; add it with system.add(…)")

    def value(self, motion: MotionView) -> Expr:
        raise ModelError(f"spring '{self.name}' does not belong to a system yet; add it with system.add(…)")
