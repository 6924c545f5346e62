"""The variables of an FMU: the numbers of a simulation with what both versions of the standard say about them.

Value references are ranges of indices, as in ``templates/fmu.c``: the time, x, ẋ, d, parameters, settings, conditions
of events, what is recorded of a state, clocks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from freebody.errors import ArgumentError
from freebody.export.description import ABOUT_SETTINGS, SETTINGS, Simulation
from freebody.hybrid.variables import Variable
from freebody.tables import listed

SETTABLE = ("step", "rtol", "atol", "first_step", "max_step")
"""The settings of a run that an importer may change."""

GROUPS = ("q", "u", "z", "output", "sensor")
"""The groups of variables that are outputs where none are named."""


@dataclass(frozen=True)
class FmuVariable:
    """A number. ``of`` is the key of the recorded variable that it is a part of; ``derivative`` the value reference of
    the state whose derivative it is; ``indicator``: the condition of an event that stops the integration."""

    name: str
    reference: int
    causality: str
    variability: str
    initial: str = ""
    start: float | None = None
    unit: str = ""
    description: str = ""
    of: str = ""
    derivative: int | None = None
    indicator: bool = False
    is_clock: bool = False

    @property
    def is_unknown_at_start(self) -> bool:
        """Whether the standard lists it among the unknowns of the initialisation."""
        return self.is_clock or (
            self.initial == "calculated" and (self.causality == "output" or self.derivative is not None)
        )


class FmuVariables:
    """All variables of a simulation's FMU; ``outputs`` names those that are outputs."""

    def __init__(self, simulation: Simulation, outputs: Sequence[str] | None, clocks: bool) -> None:
        self.s, self.clocks = simulation, clocks
        s = simulation
        sizes = {
            "time": 1,
            "x": s.size,
            "rates": s.size,
            "d": len(s.compiled.d),
            "p": len(s.compiled.p),
            "settings": len(SETTINGS),
            "conditions": len(s.rules),
            "record": s.record_places["size"],
            "clocks": len(s.samples),
        }
        self.first, at = dict[str, int](), 0
        for name, size in sizes.items():
            self.first[name], at = at, at + size
        every = _distinct(self._every())
        self.all = every if outputs is None else _with_outputs(s.title, every, outputs)

    @cached_property
    def input_flags(self) -> list[bool]:
        """Of each number in d, whether it is an input of the FMU."""
        row, free = self.s.compiled.system.row, set(self.s.laws) | {*self._held}
        return [
            v.group == "input" and v.name not in free and v.key not in free for v in row.variables for _ in v.columns
        ]

    @cached_property
    def _held(self) -> tuple[str, ...]:
        """The names of the held values, which updates alone change."""
        return self.s.compiled.system.held.columns

    @property
    def indicators(self) -> list[int]:
        """The rows of the conditions that stop the integration."""
        return [k for k, rule in enumerate(self.s.rules) if rule.stops]

    def _every(self) -> Iterator[FmuVariable]:
        s, first = self.s, self.first
        system = s.compiled.system
        yield FmuVariable("time", 0, "independent", "continuous", unit="s", description="time")
        states = [(v, name) for v in system.states.variables for name in v.columns]
        for k, (v, name) in enumerate(states):
            state = _number(v, name, first["x"] + k, "output", "continuous", "exact")
            yield replace(state, start=float(s.x0[k]), of=v.key)
        for k, (v, name) in enumerate(states):
            unit = f"{v.unit}²" if v.group == "u" and v.unit else f"{v.unit or '1'}/s"
            yield FmuVariable(
                f"der({name})", first["rates"] + k, "local", "continuous", "calculated", unit=unit,
                description=f"derivative of {name}", derivative=first["x"] + k,
            )  # fmt: skip
        yield from self._row()
        for k, (name, value) in enumerate(s.compiled.parameters.items()):
            unit, about = s.described_parameters.get(name, ("", ""))
            at = first["p"] + k
            yield FmuVariable(f"parameter.{name}", at, "parameter", "tunable", "exact", float(value), unit, about)
        for k, name in enumerate(SETTINGS):
            if name in SETTABLE:
                unit = "" if name in ("rtol", "atol") else "s"
                about = f"{ABOUT_SETTINGS[name]} (co-simulation)"
                at = first["settings"] + k
                yield FmuVariable(f"run.{name}", at, "parameter", "fixed", "exact", s.settings[name], unit, about)
        for k, rule in enumerate(s.rules):
            about = f"condition of event '{rule.name}'"
            yield FmuVariable(
                f"condition.{rule.name}", first["conditions"] + k, "local", "continuous", "calculated",
                description=about, indicator=rule.stops,
            )  # fmt: skip
        yield from self._recorded()
        for k, sample in enumerate(s.samples if self.clocks else ()):
            about = f"ticks at the samples of {sample.name}"
            clock = FmuVariable(f"clock.{sample.name}", first["clocks"] + k, "output", "discrete", description=about)
            yield replace(clock, is_clock=True)

    def _row(self) -> Iterator[FmuVariable]:
        """The row of inputs and held values."""
        s, row = self.s, self.s.compiled.system.row
        owners = [v for v in row.variables for _ in v.columns]
        for k, (v, name) in enumerate(zip(owners, row.columns, strict=True)):
            start, at = float(s.compiled.d[k]), self.first["d"] + k
            if self.input_flags[k]:
                yield replace(_number(v, name, at, "input", "continuous", ""), start=start)
            elif k == s.seed:
                about = "of all random numbers, a whole number below 2^48"
                yield FmuVariable("run.seed", at, "parameter", "fixed", "exact", start, description=about)
            elif name in self._held:
                causality = "output" if v.group in GROUPS else "local"
                yield replace(_number(v, name, at, causality, "discrete", "exact"), start=start, of=v.key)

    def _recorded(self) -> Iterator[FmuVariable]:
        """What is recorded of a state, without what the FMU has already."""
        system = self.s.compiled.system
        row = {name for name, free in zip(system.row.columns, self.input_flags, strict=True) if free}
        known = {*system.states.columns, *row, *self._held}
        for r in self.s.recorded:
            for k, name in enumerate(r.variable.columns):
                if name not in known:
                    causality = "output" if r.variable.group in GROUPS else "local"
                    at = self.first["record"] + r.start + k
                    yield replace(
                        _number(r.variable, name, at, causality, "continuous", "calculated", k), of=r.variable.key
                    )


def _number(
    v: Variable, name: str, at: int, causality: str, variability: str, initial: str, part: int | None = None
) -> FmuVariable:
    unit = v.unit_of(part if v.parts else None)
    return FmuVariable(name, at, causality, variability, initial, unit=unit, description=v.description)


def _distinct(variables: Iterator[FmuVariable]) -> list[FmuVariable]:
    """The variables with names that differ."""
    taken, result = set[str](), list[FmuVariable]()
    for v in variables:
        name, count = v.name, 1
        while name in taken:
            count += 1
            name = f"{v.name}_{count}"
        taken.add(name)
        result.append(v if name == v.name else replace(v, name=name))
    return result


def _with_outputs(system: str, variables: Sequence[FmuVariable], names: Sequence[str]) -> list[FmuVariable]:
    """The variables, of which those with these names are outputs, and no others. A name may be that of one number
    (pose.arm.x), of a recorded variable (pose.arm), or of one without its group where only one is called so."""
    free = [v for v in variables if v.of and not v.is_clock]
    chosen = set[int]()
    for name in names:
        found = [v for v in free if name in (v.name, v.of)]
        if not found:
            found = [v for v in free if v.of.partition(".")[2] == name or v.name.partition(".")[2] == name]
            keys = dict.fromkeys(v.of for v in found)
            if len(keys) > 1:
                raise ArgumentError(f"{system}: outputs: '{name}' may be {listed(keys)}; write one of these")
        if not found:
            keys = dict.fromkeys(v.of for v in free)
            raise ArgumentError(f"{system}: outputs: there is no variable '{name}'; there are {listed(keys, 30)}")
        chosen |= {v.reference for v in found}
    return [
        replace(v, causality="output" if v.reference in chosen else "local") if v.of and not v.is_clock else v
        for v in variables
    ]
