"""Controllers by Python functions of the user, for runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from freebody.errors import FieldError
from freebody.model.element import Given, field
from freebody.model.kinds import FieldKind, MappingOf, Number, Scope
from freebody.model.sampled.base import HeldValue, Sampled, Samples, SampleView

ALL = "all"
"""Writes all inputs that nothing else drives."""


@dataclass(frozen=True, eq=False)
class PythonController(Sampled):
    """A controller by a Python function, which may have a memory: ``function(t, y)`` is called once at each sample, and
    for nothing else, with the time and a vector of what it ``reads`` (texts or expressions; the name of a vector stands
    for its three components). It returns the values of the inputs that it ``writes``: a vector in their order, or one
    number. ``writes="all"`` are all inputs that nothing else drives. ``initial`` are values of inputs before the first
    sample. A class is called without arguments where a run begins, so that each run has a memory of its own.

    It is passed to runs, ``s.simulate(5.0, controllers={"arm": fb.PythonController(f, period=1e-3, …)})``; a controller
    of the model itself is ``s.controller``."""

    function: Given[Callable[..., Any]] = field(FieldKind(), "function(t, y) → values")
    reads: Given[Sequence[Any] | str] = field(FieldKind(), "what it reads", default=())
    writes: Given[Sequence[str] | str] = field(FieldKind(), "inputs that it writes", default=ALL)
    _: KW_ONLY
    initial: Given[Mapping[str, float]] = field(
        MappingOf(Number()), "values of inputs before the first sample", default=()
    )
    kind: ClassVar[str] = "controller"
    section: ClassVar[str] = "controllers"
    group: ClassVar[str] = "controller"
    rank: ClassVar[int] = 1

    def finalise(self, scope: Scope) -> Any:
        if not callable(self.function):
            raise FieldError(f"a function of t and what it reads is needed, not {self.function!r}"[:200], "function")
        if not isinstance(self.writes, str | list | tuple) or not all(isinstance(n, str) for n in self.writes):
            raise FieldError("the names of inputs are needed, or 'all'", "writes")
        if isinstance(self.reads, Mapping):
            raise FieldError("a list is needed: the function gets the values in this order", "reads")
        return super().finalise(scope)

    @property
    def written(self) -> tuple[str, ...]:
        """The names of the inputs that it writes, as they are given."""
        return (self.writes,) if isinstance(self.writes, str) else tuple(self.writes)

    @property
    def inputs(self) -> Mapping[str, float]:
        initial = dict(self.initial)
        return {name: initial.get(name, 0.0) for name in self.written}

    @property
    def delayed(self) -> tuple[str, ...]:
        return self.written

    @property
    def own_values(self) -> tuple[HeldValue, ...]:
        """What the function has returned, where it appears later."""
        if not self.registers:
            return ()
        return tuple(HeldValue(f"{self.name}.next.{n}", x, shown=False) for n, x in self.inputs.items())

    def samples(self, view: SampleView) -> Samples:
        """The values that the function has returned at this sample."""
        return Samples({name: view.symbol(f"{self.name}.next.{name}") for name in self.written})
