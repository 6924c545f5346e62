"""A simulation program in Fortran 2008: the files of its folder."""

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files as resources
from math import isinf
from string import Template

from freebody.backends import fortran
from freebody.backends.ascii_text import ascii_text
from freebody.backends.fortran.language import continued, integers
from freebody.export.description import METHODS, SETTINGS, Simulation
from freebody.export.tableau_text import weighted_sum
from freebody.integrate.tableaus import TABLEAUS
from freebody.program.program import Program
from freebody.program.stage import HOISTED
from freebody.version import VERSION

MAKEFILE = """\
# make builds $name; ./$name reads $name.par and writes $name.nc
FC = gfortran
FFLAGS ?= -O2
CONTRACT = -ffp-contract=off

OBJECTS = $objects

$name: $name.o ${name}_main.o $$(OBJECTS)
\t$$(FC) $$(FFLAGS) -o $$@ $$^

$name.o: $$(OBJECTS)
${name}_main.o: $name.o

%.o: %.f90
\t$$(FC) -std=f2008 $$(FFLAGS) $$(CONTRACT) -c -o $$@ $$<

clean:
\trm -f $name *.mod $name.o ${name}_main.o $$(OBJECTS)

.PHONY: clean
"""

NAMES_OF_SETTINGS = (
    "end_of_run", "row_count", "step_size", "rtol_of_run", "atol_of_run", "first_size", "largest_size", "most_steps",
)  # fmt: skip
PIECE = 90
"""Characters of a piece of the facts."""
PIECES = 150
"""Pieces in one subroutine."""

FAILURES = (
    "", "", "the step became smaller than the resolution of time: the motion is too fast there, or its forces jump",
    "the derivative or the state is not finite", "the steps are so short that the end is out of reach",
    "the state cannot return to its constraints", "the condition of an event is not a number",
    "more steps than run.max_steps",
)  # fmt: skip
STATUS = (
    "done",
    "stopped_by_event",
    "underflow",
    "not_finite",
    "stalled",
    "off_constraints",
    "undefined_condition",
    "too_many",
)

SCALARS = """\
    integer :: method
    real(dp) :: t, seconds, settings(0:{settings})
    integer :: status ! 0 reached the end, 1 ended by an event, -1 failed
    character(len=400) :: message
    integer(int64) :: saved, happened, steps, rejected, evaluations, projections
    integer :: rows_unit = 0, events_unit = 0, held_unit = 0
    real(dp) :: t1, size, h, next, begun, base, low, high, goal, last_saved, pace_t, pace_steps, pace_left, pace
    real(dp) :: smallest, across, far, far_stagewise, relax, memory, left, right
    integer(int64) :: ticks, budget
    logical :: fresh, last, again, stagewise, off
    integer :: undefined, fired, log_count
    real(rk), dimension(0:n - 1) :: x, y, trial, out, rate
    real(rk) :: k(0:n - 1, 0:6), r(0:n - 1, 0:4)
    real(dp), dimension(0:n - 1) :: near, near_rel, absolute, relative
    real(rk), dimension(0:event_room - 1) :: g0, g1, probe
    integer, dimension(0:event_room - 1) :: sign, repeats
    real(dp), dimension(0:event_room - 1) :: when, hit, repeated
    real(dp) :: log_t(0:5*event_room - 1)
    integer :: log_event(0:5*event_room - 1)
    real(rk) :: log_x(0:n - 1, 0:5*event_room - 1)
    integer(int64) :: due(0:sample_room - 1), tick, held_count ! the next tick of each sample, and of all"""


def fortran_files(simulation: Simulation) -> dict[str, str]:
    """The files by name."""
    name = simulation.name
    sources = {
        part: fortran.emit(program, f"{name}_{part}", float32=simulation.float32)
        for part, program in simulation.programs.items()
    }
    texts = {f"{source.name}.f90": source.source for source in sources.values()}
    writer = _FortranWriter(simulation, sources)
    texts[f"{name}.f90"] = writer.module()
    texts[f"{name}_main.f90"] = _template("main.f90").substitute(name=name)
    objects = " ".join(f"{source.name}.o" for source in sources.values())
    texts["Makefile"] = Template(MAKEFILE).substitute(name=name, objects=objects)
    return texts | {f"{name}.par": simulation.parameter_file()}


def _template(name: str) -> Template:
    return Template((resources("freebody.export") / "templates" / name).read_text())


def text(content: str) -> str:
    """A text of ASCII as a literal."""
    return "'" + ascii_text(content).replace("'", "''") + "'"


def wide(x: float) -> str:
    """A number of 64 bits."""
    return "infinity" if isinf(x) else f"{x!r}_dp"


def narrow(x: float) -> str:
    """A number of the model's kind."""
    return f"{x!r}_rk"


class _FortranWriter:
    """The module with the integrator, and what of it depends on the model."""

    def __init__(self, simulation: Simulation, sources: dict[str, fortran.FortranSource]) -> None:
        self.s, self.sources = simulation, sources
        self.entries = {part: source.entry for part, source in sources.items()}

    def module(self) -> str:

        s = self.s
        dopri5, rk4 = TABLEAUS["dopri5"], TABLEAUS["rk4"]
        control = dopri5.control
        assert control is not None
        values = {
            "record_call": "\n".join(f"    {line}" for line in self._record_call()),
            "dopri5_error": weighted_sum(dopri5.errors[0], self._row, narrow),
            "dopri5_stages": "\n".join(self._stages("dopri5")),
            "dopri5_new": weighted_sum(dopri5.b, self._row, narrow),
            "dopri5_dense": weighted_sum(dopri5.dense[0], self._row, narrow),
            "rk4_stages": "\n".join(self._stages("rk4")),
            "rk4_new": weighted_sum(rk4.b, self._row, narrow),
            "exponent": wide(control.exponent),
            "beta": wide(control.beta),
            "safety": wide(control.safety),
            "largest": wide(control.most),
            "smallest": wide(control.least),
        }
        kind, nan, infinity = "real32" if s.float32 else "real64", "7FF8000000000000", "7FF0000000000000"
        head = [
            f"! {s.name}: a simulation program, generated by freebody {VERSION} from the system",
            f"! {text(s.title)}, digest {s.digest}.",
            "!",
            "! set_defaults sets the values of the export, read_parameters those of a parameter file, simulate",
            "! integrates, write_result writes a file that freebody.Trajectory.load reads. Nothing is allocated, and",
            "! nothing recursive.",
            f"module {s.name}",
            f"use, intrinsic :: iso_fortran_env, only: rk => {kind}, dp => real64, int64",
            *(f"use {self.sources[part].name}, only: {', '.join(self._uses(part))}" for part in s.programs),
            "implicit none",
            "private",
            "public :: simulation, set_defaults, read_parameters, simulate, write_result, begin_simulation, advance",
            "public :: find_values",
            f"public :: rk, dp, {', '.join(NAMES_OF_SETTINGS)}",
            *self._indices(),
            f"real(dp), parameter :: nan = transfer(int(z'{nan}', int64), 0.0_dp)",
            f"real(dp), parameter :: infinity = transfer(int(z'{infinity}', int64), 0.0_dp)",
            *self._constants(),
            *self._tables(),
            "! A simulation. The first fields are to be set between set_defaults and simulate.",
            "type :: simulation",
            f"    real(rk) :: p(0:{max(len(s.compiled.p), 1) - 1}) ! parameters",
            f"    real(rk) :: d(0:{max(len(s.compiled.d), 1) - 1}) ! inputs and held values",
            "    real(rk) :: start(0:n - 1) ! the state at the start",
            *SCALARS.format(settings=len(SETTINGS) - 1).splitlines(),
            f"    real(rk) :: break_points(0:{max(s.break_count, 1) - 1}) ! times at which laws of time jump or bend",
            *(f"    real(rk) :: {part}_constants(0:{size - 1})" for part, size in self._hoisted().items()),
            "end type simulation",
            "type :: output",
            "    integer :: unit = 0, status = 0",
            "    integer(int64) :: count = 0",
            "    logical :: failed = .false.",
            "end type output",
            "contains",
            "",
        ]
        body = _template("program.f90").substitute(values).splitlines()
        lines = [*head, *self._functions(), *body, "", *self._facts(), *self._file(), f"end module {s.name}", ""]
        return "\n".join(map(continued, lines))

    @staticmethod
    def _row(k: int) -> str:
        return f"s%k(i, {k})"

    def _stages(self, method: str) -> Iterator[str]:
        """The stages after the first."""
        tableau = TABLEAUS[method]
        for k in range(1, tableau.stages):
            at = f"s%t + s%size*{wide(tableau.c[k])}"
            yield "    do i = 0, n - 1"
            yield f"        s%trial(i) = s%x(i) + h*({weighted_sum(tableau.a[k], self._row, narrow)})"
            yield "    end do"
            if tableau.control is not None:
                yield f"    if (s%stagewise) call project(s, {at}, s%trial, infinity, failed)"
            yield f"    call evaluate(s, {at}, s%trial, s%k(:, {k}))"

    def _hoisted(self) -> dict[str, int]:
        """The sizes of what programs need that depends on parameters alone."""
        staged = {part: p for part, p in self.s.programs.items() if p.setup is not None}
        return {part: next(g.size for g in p.main.groups if g.name == HOISTED) for part, p in staged.items()}

    def _uses(self, part: str) -> list[str]:
        """The subroutines of a model's module, under names that differ from all others."""
        entry = self.entries[part]
        return [entry, *([f"{entry}_setup"] if self.s.programs[part].setup is not None else [])]

    def _indices(self) -> Iterator[str]:
        """Names for the indices of parameters, inputs and states."""
        letters, taken = {"p": "p", "d": "i", "x": "x"}, {"n", "s", "rk", "dp"}
        for q in self.s.quantities:
            if q.kind in letters:
                own = q.name if q.kind == "x" else q.name.partition(".")[2]
                name = base = fortran.identifier(f"{self.s.name}_{letters[q.kind]}_{own}")
                while name in taken:
                    name = f"{base}_{len(taken)}"
                taken.add(name)
                yield f"integer, parameter, public :: {name} = {q.index}"

    def _constants(self) -> Iterator[str]:
        s, places = self.s, self.s.record_places
        bytes_of_row = 8 + s.size * (4 if s.float32 else 8)
        sizes = {
            "n": s.size,
            "event_count": len(s.rules),
            "event_room": max(len(s.rules), 1),
            "quantity_count": len(s.quantities),
            "quaternion_count": len(s.compiled.system.quaternions),
            "break_count": s.break_count,
            "sample_count": len(s.samples),
            "sample_room": max(len(s.samples), 1),
            "sample_size": max([1, *(len(sample.places) for sample in s.samples)]),
            "held_size": len(s.held),
            "held_place": places["held"],
            "seed_place": max(s.seed, 0),
            "body_count": len(s.compiled.about.elements),
            "most_calls": 6,
            "variable_count": len(s.recorded),
            "dimension_count": len(s.dimensions),
            "record_size": places["size"],
            "energy_place": places["energy"],
            "pose_place": places["poses"],
            "method_dopri5": 0,
            "method_rk4": 1,
            "default_method": METHODS.index(s.method),
            **{name: k for k, name in enumerate(NAMES_OF_SETTINGS)},
            **{name: k for k, name in enumerate(STATUS)},
        }
        yield from (f"integer, parameter :: {name} = {value}" for name, value in sizes.items())
        yield f"integer(int64), parameter :: bytes_of_row = {bytes_of_row}"
        numbers = {
            "start_of_run": s.start,
            "near_part": s.near,
            "far_limit": s.far,
            "last_call": 1e4,
            "never": 2.0,
            "ticks_per_second": float(s.calendar.ticks_per_second),
            "same": 4.5e-16,
        }
        yield from (f"real(dp), parameter :: {name} = {wide(value)}" for name, value in numbers.items())
        yield f"logical, parameter :: projects = .{str(s.projects).lower()}."
        yield f"logical, parameter :: has_seed = .{str(s.seed >= 0).lower()}."
        yield f"character(len=*), parameter :: title = {text(s.title)}"
        longest = max(map(len, FAILURES))
        yield f"character(len={longest}), save :: failures(0:{len(FAILURES) - 1})"
        yield from (f"data failures({k}) / {text(f)} /" for k, f in enumerate(FAILURES))

    def _tables(self) -> Iterator[str]:
        s = self.s
        system, speeds = s.compiled.system, {*s.compiled.system.speeds}
        yield from integers("quaternions", system.quaternions)
        yield from integers("is_speed", [int(k in speeds) for k in range(s.size)])
        yield from reals("rtol_each", s.rtol)
        yield from reals("atol_each", s.atol)
        triggers = [rule.crossing for rule in s.rules]
        yield from integers("directions", [t.direction for t in triggers])
        yield from integers("stopping", [int(rule.stops) for rule in s.rules])
        yield from integers("terminal", [int(t.terminal) for t in triggers])
        yield from integers("resets", [int(p is not None) for p in s.resets])
        yield from texts("event_names", [json.dumps(rule.name)[1:-1] for rule in s.rules])
        yield from integers("held_places", s.held_places)
        yield from integers("sample_starts", s.sample_starts)
        yield from integers("sample_places", [place for sample in s.samples for place in sample.places])
        yield from ticks("first_ticks", [sample.first for sample in s.samples])
        yield from ticks("periods", [sample.period for sample in s.samples])
        sets = list(s.unit_sets)
        starts = [0]
        for u in sets:
            starts.append(starts[-1] + len(u.units))
        yield from texts("unit_names", [name for u in sets for name, _ in u.units])
        yield from reals("unit_factors", [factor for u in sets for _, factor in u.units])
        yield from integers("unit_sets", starts)
        yield from integers("user_units", [first + u.user for first, u in zip(starts, sets, strict=False)])
        yield from texts("quantity_names", [q.name for q in s.quantities])
        yield from texts("quantity_kinds", [q.kind for q in s.quantities])
        yield from integers("quantity_indices", [q.index for q in s.quantities])
        yield from integers("quantity_sets", [s.unit_sets[q.units] for q in s.quantities])
        yield from reals("quantity_values", [q.value for q in s.quantities])
        yield from integers("variable_starts", [r.start for r in s.recorded])
        yield from integers("variable_counts", [r.count for r in s.recorded])

    def _call(self, part: str, program: Program, outputs: Sequence[str], suffix: str = "") -> str:
        """A call of a program."""
        groups = {"parameters": "s%p", "inputs": "s%d", "t": "at", "x": "x", HOISTED: f"s%{part}_constants"}
        return f"call {self.entries[part]}{suffix}({', '.join([*(groups[g.name] for g in program.groups), *outputs])})"

    def _record_call(self) -> Iterator[str]:
        program, places = self.s.programs["record"].main, self.s.record_places
        where = {"x_dot": "x_dot", "slots": "slots", "momentum": "momentum"}
        outputs = [
            f"values({places[where[o.key]]}:{places[where[o.key]] + o.size - 1})" if o.key in where else o.key
            for o in program.outputs
        ]
        yield self._call("record", program, outputs)

    def _functions(self) -> Iterator[str]:
        """The model's programs with the arguments that the integrator has."""
        s, sizes = self.s, {"rates": "n", "project": "n", "conditions": "event_room"}
        for part, name in (("rates", "rates"), ("project", "correct"), ("conditions", "conditions")):
            lines = ["out = 0"]
            if part in s.programs:
                lines = ["at(0) = t", self._call(part, s.programs[part].main, ["out"])]
            yield from _function(name, "s, t, x, out", sizes[part], lines)
        lines = ["out = x", "at(0) = t", "select case (event)"]
        for k, program in enumerate(s.resets):
            if program is not None:
                part = f"reset{k + 1}"
                lines += [f"case ({k})", f"    {self._call(part, s.programs[part].main, ['out'])}"]
        yield from _function(
            "reset", "s, event, t, x, out", "n", [*lines, "end select"], "integer, intent(in) :: event"
        )
        lines = ["out = 0", "at(0) = t", "select case (which)"]
        for k, sample in enumerate(s.samples):
            part = f"sample{k + 1}"
            call = self._call(part, s.programs[part].main, ["out"])
            lines += [f"case ({k}) ! {ascii_text(sample.name)}", f"    {call}"]
        more = "integer, intent(in) :: which"
        yield from _function("find_sample", "s, which, t, x, out", "sample_size", [*lines, "end select"], more)
        found = s.programs.get("breaks")
        yield from ["subroutine find_breaks(s)", "    type(simulation), intent(inout) :: s"]
        yield (
            "    s%break_points = 0" if found is None else f"    {self._call('breaks', found.main, ['s%break_points'])}"
        )
        yield from ["end subroutine find_breaks", ""]
        yield from ["subroutine compute_constants(s)", "    type(simulation), intent(inout) :: s"]
        for part, staged in s.programs.items():
            if staged.setup is not None:
                yield f"    {self._call(part, staged.setup, [f's%{part}_constants'], '_setup')}"
        yield from ["end subroutine compute_constants", ""]

    def _facts(self) -> Iterator[str]:
        """What freebody knows of a run: pieces of JSON, and between them what this run has found."""
        calls = list[str]()
        for fact in self.s.facts:
            if isinstance(fact, int):
                calls.append(f"call put_fact(s, o, {fact})")
            else:
                pieces = (fact[k : k + PIECE] for k in range(0, len(fact), PIECE))
                calls += [f"call put(o, '{piece.replace(chr(39), chr(39) * 2)}')" for piece in pieces]
        parts = [calls[k : k + PIECES] for k in range(0, len(calls), PIECES)]
        head = ["    type(simulation), intent(in) :: s", "    type(output), intent(inout) :: o"]
        for k, part in enumerate(parts):
            name = f"put_facts_{k + 1}"
            yield from [f"subroutine {name}(s, o)", *head, *(f"    {c}" for c in part), f"end subroutine {name}", ""]
        every = [f"    call put_facts_{k + 1}(s, o)" for k in range(len(parts))]
        yield from ["subroutine put_facts(s, o)", *head, *every, "end subroutine put_facts", ""]

    def _file(self) -> Iterator[str]:
        """The dimensions and the variables of a file."""
        yield from ["subroutine put_dimensions(o)", "    type(output), intent(inout) :: o"]
        for name, size in self.s.dimensions.items():
            yield f"    call put_text(o, {text(name)})"
            yield f"    call put_integer(o, {size}_int64, 4)"
        yield from ["end subroutine put_dimensions", ""]
        for k in range(0, len(self.s.recorded), PIECES):
            yield from [f"subroutine put_variables_{k // PIECES + 1}(o, begin)", "    type(output), intent(inout) :: o"]
            yield "    integer(int64), intent(inout) :: begin"
            for r in self.s.recorded[k : k + PIECES]:
                v = r.variable
                texts_of = f"{text(v.key)}, {text(v.unit)}, {text(v.description or v.key)}"
                yield (
                    f"    call put_variable(o, {text(r.name)}, 0, {r.dimension}, {texts_of},"
                    f" {8 * r.count}_int64, begin)"
                )
            yield from [f"end subroutine put_variables_{k // PIECES + 1}", ""]
        yield from ["subroutine put_variables(o, begin)", "    type(output), intent(inout) :: o"]
        yield "    integer(int64), intent(inout) :: begin"
        yield from (
            f"    call put_variables_{k // PIECES + 1}(o, begin)" for k in range(0, len(self.s.recorded), PIECES)
        )
        yield from ["end subroutine put_variables", ""]


def _function(name: str, arguments: str, size: str, lines: Iterable[str], more: str = "") -> Iterator[str]:
    yield f"subroutine {name}({arguments})"
    yield "    type(simulation), intent(in) :: s"
    yield from [f"    {more}"] if more else []
    yield from ["    real(rk), intent(in) :: t, x(0:n - 1)", f"    real(rk), intent(out) :: out(0:{size} - 1)"]
    yield from ["    real(rk) :: at(0:0)", *(f"    {line}" for line in lines), f"end subroutine {name}", ""]


def reals(name: str, values: Iterable[float]) -> Iterator[str]:
    """A constant array of numbers of 64 bits, from 0 on."""
    numbers = [wide(float(x)) for x in values] or ["0.0_dp"]
    yield f"real(dp), save :: {name}(0:{len(numbers) - 1})"
    for k in range(0, len(numbers), 50):
        part = numbers[k : k + 50]
        yield f"data {name}({k}:{k + len(part) - 1}) / {', '.join(part)} /"


def ticks(name: str, values: Sequence[int]) -> Iterator[str]:
    """A constant array of whole numbers of 64 bits, from 0 on."""
    several = list(values) or [0]
    yield f"integer(int64), save :: {name}(0:{len(several) - 1})"
    yield from (f"data {name}({k}) / {value}_int64 /" for k, value in enumerate(several))


def texts(name: str, values: Sequence[str]) -> Iterator[str]:
    """A constant array of texts, from 0 on."""
    several = list(values) or [""]
    yield f"character(len={max(1, *map(len, several))}), save :: {name}(0:{len(several) - 1})"
    yield from (f"data {name}({k}) / {text(value)} /" for k, value in enumerate(several))
