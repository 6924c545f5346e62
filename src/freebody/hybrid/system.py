"""A hybrid system: the programs by which states flow, the rules that change them at instants, and the names of all
values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from freebody.errors import ArgumentError
from freebody.hybrid.triggers import Crossing
from freebody.hybrid.updates import FunctionUpdate, ProgramUpdate, Rule
from freebody.hybrid.variables import Variable, VariableRow
from freebody.program.program import Program, digest
from freebody.scalar.functions import Callback

T = TypeVar("T")


class Deferred(Generic[T]):
    """A part of a system that is derived when it is first needed, and before it is pickled."""

    def __init__(self, derive: Callable[[], T]) -> None:
        self._derive = derive

    @cached_property
    def value(self) -> T:
        return self._derive()

    def __reduce__(self) -> tuple[Any, ...]:
        return Deferred, (partial(_same, self.value),)


def _same(value: T) -> T:
    return value


class OnDemand(Generic[T]):
    """A part of a system that not every run needs: it is derived when it is first needed, and pickled only if it was.
    Why it cannot be derived is remembered."""

    def __init__(self, derive: Callable[[], T]) -> None:
        self._derive = derive

    @cached_property
    def _outcome(self) -> T | ArgumentError:
        try:
            return self._derive()
        except ArgumentError as error:
            return error

    def derive(self) -> None:
        """Derive it now, if that is possible."""
        _ = self._outcome

    @property
    def value(self) -> T:
        if isinstance(outcome := self._outcome, ArgumentError):
            raise outcome
        return outcome

    @property
    def refusal(self) -> str:
        """Why it cannot be derived; empty where it can."""
        outcome = self._outcome
        return str(outcome) if isinstance(outcome, ArgumentError) else ""

    @property
    def derived(self) -> T | None:
        """Its value if it has been derived."""
        outcome = self.__dict__.get("_outcome")
        return None if isinstance(outcome, ArgumentError) else outcome

    def __reduce__(self) -> tuple[Any, ...]:
        missing = ArgumentError("it was not derived in the process from which the system came")
        return OnDemand, (partial(_same, self.__dict__.get("_outcome", missing)),)


def known(value: T) -> Deferred[T]:
    """A part that needs no derivation."""
    return Deferred(partial(_same, value))


@dataclass(frozen=True)
class Dae:
    """The equations as residuals of x, u̇, multipliers and their positional counterparts μ, and their derivatives (None
    where a user's function has none)."""

    program: Program
    derivative: Program | None


def _no_steps() -> "StepSystem":
    raise ArgumentError("the system has no steps with contact: it was not built from equations")


def _no_stages() -> "StageSystem":
    raise ArgumentError("the system has no linear system of stages: it was not built from equations")


@dataclass(frozen=True)
class StageSystem:
    """The linear system (1 − G ∂ẋ/∂x) U = R of the stages of Rosenbrock methods: the ``solution``, what of a state's
    accelerations and multipliers its ``entries`` depend on (None where that is a part of ẋ, from ``Manifold``'s speeds
    on); their ``factor`` for a G; and U by ``solve`` for a right side R. Where there is a program ``backward``, only a
    part of the unknowns is eliminated by programs: ``factor`` also returns the full matrix of the others, and below it
    a row of the pivots that count as zero if they are smaller, ``solve`` the right side with theirs first, and
    ``backward`` is U from the values of these unknowns and the other right sides."""

    solution: Program | None
    entries: Program
    factor: Program
    solve: Program
    backward: Program | None = None

    @property
    def programs(self) -> dict[str, Program]:
        every = {f.name: getattr(self, f.name) for f in fields(self)}
        return {f"stage {name}": program for name, program in every.items() if program is not None}


@dataclass(frozen=True)
class StepSystem:
    """Implicit steps of a fixed size h with unilateral forces, whose law depends on ``rows`` velocities v at the step's
    end, and on a bound for each of ``bounds`` groups of them. ``free``, of t, x and h (the group "solution"), returns v
    at the start of the step, the bounds there, and the numbers ``kept``; ``iterate``, of v, bounds, another v and kept,
    is one iteration of Newton's method, in which what is in touch at the other v may be so again: the next v, the
    impulses y that lead there, those of the law there, their bounds, and the changes of speeds; ``law`` are the
    impulses of the law and their bounds at v; ``end``, of the changes of speeds too, is the state at the end of the
    step."""

    rows: int
    bounds: int
    free: Program
    iterate: Program
    law: Program
    end: Program
    tangent: Deferred[Program]
    """The state at the end and its change along a direction of x and of the inputs, of v where it was found with the
    first bounds (the group "first") and with the second ones."""

    @property
    def programs(self) -> dict[str, Program]:
        return {f"step {name}": getattr(self, name) for name in ("free", "iterate", "law", "end")}


@dataclass(frozen=True, eq=False)
class HybridSystem:
    """Between instants ẋ = rates(t, x, d), and d is constant; at instants the rules are applied whose trigger is due.
    ``d`` is the row of inputs and held values, the group "inputs" of programs. What depends on numbers alone
    (parameters, inputs) is not part of it: many runs share one system."""

    name: str
    parameters: tuple[str, ...]
    row: VariableRow
    """The names of the numbers in d."""
    held: VariableRow
    """Those that rules may change; they are constant between instants, and recorded as steps."""
    states: VariableRow
    quaternions: tuple[int, ...]
    """The indices in x at which unit quaternions begin."""
    rates: Deferred[Program]
    record: Deferred[Program]
    """All that is recorded of a state."""
    variables: tuple[Variable, ...]
    """All that is recorded, by name."""
    slots: tuple[tuple[str, int], ...] = ()
    """Names and sizes of the quantities in the record's output of that name."""
    conditions: Program | None = None
    """The functions whose zeros are crossings, in one row."""
    rules: tuple[Rule, ...] = ()
    project: Deferred[Program | None] = field(default_factory=lambda: known(None))
    """One Newton correction of a state towards the constraints: of coordinates and extra states, and of the speeds at
    the coordinates it is called with."""
    projects: bool = True
    """Whether the states of a run are projected to the constraints."""
    consistent: bool = True
    """Whether speeds that satisfy the constraints keep the coordinates on them (see ``Manifold``)."""
    jacobian: Deferred[Program | None] = field(default_factory=lambda: known(None))
    """∂ẋ/∂x, or what it follows from (see ``CompiledSystem.jacobian``)."""
    dae: Deferred[Dae | None] = field(default_factory=lambda: known(None))
    stages: Mapping[str, OnDemand[StageSystem]] = field(default_factory=dict)
    """The linear systems of the stages of implicit methods, by the method. They follow from what the other programs do,
    so that they are no part of the digest."""
    too_costly: Deferred[str] = field(default_factory=lambda: known(""))
    """Why runs do not change to the stiff method by themselves although they could: its linear system takes too long to
    derive and compile. Empty where they may."""
    contact_steps: OnDemand[StepSystem] = field(default_factory=lambda: OnDemand(_no_steps))
    """Implicit steps with contact; no part of the digest either."""
    callbacks: tuple[Callback, ...] = ()
    """The Python functions that the user passed for the run."""
    called: tuple[Callback, ...] = ()
    """Those in laws of inputs, whose values are the group "called" of the record."""
    mechanics: Any = None
    """What a mechanical system has beside its motion: mass matrix, constraints, energies (``integrate.mechanics``)."""

    def __post_init__(self) -> None:
        n, held = len(self.states), set(self.held_places)
        for rule in self.rules:
            for place in (p for u in rule.updates if isinstance(u, ProgramUpdate) for p in u.places or ()):
                if place >= n and place - n not in held:
                    raise ArgumentError(
                        f"{self.name}: rule '{rule.name}' writes {self.row.columns[place - n]},"
                        " which is not one of the held values"
                    )

    @cached_property
    def speeds(self) -> list[int]:
        """The indices of speeds in x."""
        return [k for k, state in enumerate(self.states.variables) if state.group == "u"]

    @cached_property
    def coordinates(self) -> int:
        """The number of coordinates; they are first in x."""
        return sum(state.group == "q" for state in self.states.variables)

    @cached_property
    def held_places(self) -> list[int]:
        """The indices of the held values in d."""
        return [self.row.index[name] for name in self.held.columns]

    @cached_property
    def crossings(self) -> tuple[Rule, ...]:
        """The rules that conditions trigger, in the order of their rows."""
        rows = {rule.trigger.row: rule for rule in self.rules if isinstance(rule.trigger, Crossing)}
        return tuple(rows[k] for k in sorted(rows))

    @cached_property
    def timed(self) -> tuple[Rule, ...]:
        """The rules that times trigger, in the order in which they are applied."""
        return tuple(rule for rule in self.rules if not isinstance(rule.trigger, Crossing))

    @property
    def functions(self) -> list[str]:
        """The names of the Python functions that are called at samples."""
        return [u.name for rule in self.timed for u in rule.updates if isinstance(u, FunctionUpdate)]

    @property
    def programs(self) -> dict[str, Program]:
        """The programs that determine the motion and what is recorded of it, by name."""
        programs = {"rates": self.rates.value, "record": self.record.value}
        optional = {"jacobian": self.jacobian.value, "project": self.project.value, "conditions": self.conditions}
        if (dae := self.dae.value) is not None:
            optional |= {"dae": dae.program, "dae derivative": dae.derivative}
        for rule in self.rules:
            optional |= {f"update {k} of {rule.name}": program for k, program in enumerate(rule.programs)}
        return programs | {name: program for name, program in optional.items() if program is not None}

    @cached_property
    def digest(self) -> str:
        """40 hexadecimal digits over all that determines the motion and what is recorded of it, except for numbers in
        d, parameters and states: equal for equal systems, in every process. User functions count by name."""
        from hashlib import blake2b  # OpenSSL comes with it

        programs = {name: digest(program) for name, program in self.programs.items()}
        rows = [row.columns for row in (self.row, self.held, self.states)]
        ways = self.quaternions, self.slots, self.projects, self.consistent
        rules = [rule.settings for rule in self.rules]
        facts = repr((self.name, self.parameters, rows, ways, rules, sorted(programs.items())))
        return blake2b(facts.encode(), digest_size=20).hexdigest()

    def stages_of(self, method: str) -> OnDemand[StageSystem]:
        """The linear system of the stages of a method."""
        return self.stages.get(method, OnDemand(_no_stages))

    @property
    def user_functions(self) -> list[Callback]:
        """The Python functions that these programs call, each once."""
        stages = [derived for one in self.stages.values() if (derived := one.derived) is not None]
        programs = [*self.programs.values(), *(program for one in stages for program in one.programs.values())]
        blocks = (block for program in programs for block in program.blocks)
        return list(dict.fromkeys(function for block in blocks for function, _ in block.calls))
