"""Forces along the line between two points: any law of its length, a linear spring with a damper."""

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

from freebody.errors import ModelError
from freebody.model.element import field, normal_form
from freebody.model.kinds import FieldKind, Scalar, Scope
from freebody.model.laws import Definitions, Law, LawScope
from freebody.model.loads.base import Load, LoadWrench, MotionView
from freebody.model.vectors import PointField, PointSpec
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr, equal, where
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.symbol import Kind as Symbols
from freebody.scalar.walk import substitute
from freebody.spatial.vector import Vector


@dataclass(frozen=True, eq=False)
class ForceBetween(Load):
    """A force along the line between two points, pulling them together where ``law`` is positive. The law is a function
    of ``length`` and ``rate`` (of the distance between them): a text in these names, an expression, or a Python
    function."""

    start: Any = field(PointField(), "one end", key="from")
    end: Any = field(PointField(), "the other end", key="to")
    law: Any = field(Law(), "of length and rate", unit="N")
    definitions: Any = field(Definitions(), "texts by name that the law may use", default=None)
    _: KW_ONLY
    length: Any = field(FieldKind(), "the symbol in the law", default=None, derived=True)
    rate: Any = field(FieldKind(), "the symbol in the law", default=None, derived=True)
    kind: ClassVar[str] = "force_between"

    def law_scope(self, scope: Scope) -> Scope:
        return LawScope(scope, self._symbols(scope), self.definitions)

    def _symbols(self, scope: Scope) -> dict[str, Expr]:
        g = scope.graph
        return {s: Expr(g, g.symbol(f"{self.name}.{s}", Symbols.INTERMEDIATE)) for s in ("length", "rate")}

    def finalise(self, scope: Scope) -> Self:
        if self.length is not None or isinstance(self.law, str) or callable(self.law):
            return self
        law = self.law if isinstance(self.law, Expr) else Expr(scope.graph, scope.graph.const(self.law))
        words = self._symbols(scope)
        return replace(self, law=law, definitions=None, length=words["length"], rate=words["rate"])

    def argument_names(self) -> dict[int, str]:
        return {self.length.handle: "length", self.rate.handle: "rate"}

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        start, end = motion.point(self.start), motion.point(self.end)
        along, pull = self._acting(motion)
        yield LoadWrench(start.body, start, along * pull, None)
        yield LoadWrench(end.body, end, -(along * pull), None)

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        """What the law does beside the spring in it."""
        law, still = motion.scalar(self.law), self._still(motion)
        if self.potential(motion) is None:
            yield from self.wrenches(motion)
        elif still != law:
            yield from replace(self, law=law - still).wrenches(motion)

    def _still(self, motion: MotionView) -> Expr:
        """The law while the length does not change."""
        return self._law_at(motion, {self.rate.handle: motion.graph.zero})

    def _law_at(self, motion: MotionView, values: Mapping[int, int]) -> Expr:
        """The law with nodes in the places of its arguments."""
        g, law = motion.graph, motion.scalar(self.law)
        return Expr(g, substitute(g, [law.handle], values)[0])

    def value(self, motion: MotionView) -> Expr:
        return self._acting(motion)[1]

    def potential(self, motion: MotionView) -> Expr | None:
        """Of a linear spring k (length − free), whatever damper stands beside it: ½ pull²/k; of a constant pull (k = 0,
        also as the value of a parameter), pull times length. Other laws may take more than they give back, and so may
        ends that move on their bodies."""
        g, length, still = motion.graph, self.length.handle, self._still(motion).handle
        start, end = motion.point(self.start), motion.point(self.end)
        if not start.fixed or not end.fixed:
            return None
        k = Expr(g, jvp(g, [still], {length: g.one})[0])
        free = substitute(g, [still], {length: g.zero})[0]
        if g.mask[k.handle] > PARAMETERS_ONLY or g.mask[free] > PARAMETERS_ONLY:
            return None
        reach = motion.position(start, end).norm()
        pull = Expr(g, substitute(g, [still], {length: reach.handle})[0])
        if k == 0:
            return pull * reach
        spring = pull * pull / (2 * k)
        return spring if g.number(k.handle) is not None else where(equal(k, 0), pull * reach, spring)

    def _acting(self, motion: MotionView) -> tuple[Vector, Expr]:
        """The direction from start to end, and the law at the present length and rate."""
        start, end = motion.point(self.start), motion.point(self.end)
        span = motion.position(start, end)
        if not span:
            raise ModelError(f"load '{self.name}': its two ends are one point; give two")
        length = span.norm()
        along = span / length
        rate = along.dot(motion.velocity(end) - motion.velocity(start))
        return along, self._law_at(motion, {self.length.handle: length.handle, self.rate.handle: rate.handle})


@dataclass(frozen=True, eq=False)
class Spring(Load):
    """A linear spring and damper between two points, with its free length: another way to write a force between points,
    which it becomes."""

    start: Any = field(PointField(), "one end", key="from")
    end: Any = field(PointField(), "the other end", key="to")
    stiffness: Any = field(Scalar(), "", default=0, unit="N/m")
    free_length: Any = field(Scalar(), "", default=0, unit="m")
    damping: Any = field(Scalar(), "", default=0, unit="N·s/m")
    kind: ClassVar[str] = "spring"

    def finalise(self, scope: Scope) -> Any:
        """The force, when all is read."""
        given = self.stiffness, self.free_length, self.damping
        if not isinstance(self.start, PointSpec) or not self.start.is_read or any(isinstance(v, str) for v in given):
            return self
        k, free, c = (Expr(scope.graph, scope.graph.const(v)) if not isinstance(v, Expr) else v
                      for v in given)  # fmt: skip
        force = ForceBetween(self.start, self.end, lambda length, rate: k * (length - free) + c * rate, name=self.name)
        return normal_form(force, scope, late=True)

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        raise ModelError(f"spring '{self.name}' belongs to no system yet; add it with system.add(…)")

    def value(self, motion: MotionView) -> Expr:
        raise ModelError(f"spring '{self.name}' belongs to no system yet; add it with system.add(…)")
