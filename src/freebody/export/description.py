"""What a simulation program contains, whatever its language: programs, quantities of the parameter file, what is
recorded, events, and what freebody writes into the files of runs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.ascii_text import ascii_text, spell
from freebody.export.units import UnitSet, unit_set
from freebody.hybrid.triggers import Calendar
from freebody.hybrid.updates import ProgramUpdate, Rule
from freebody.hybrid.variables import Variable
from freebody.integrate.breaks import break_nodes
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.manifold import FAR, LOOSE, NEAR
from freebody.integrate.rosenbrock import RODAS5P
from freebody.names import U_DOT
from freebody.program.assemble import program
from freebody.program.program import Program, digest
from freebody.program.stage import Staged, stage
from freebody.results.about import to_json
from freebody.results.files import FORMAT, PARTS, RunFacts, dataset_names
from freebody.results.trajectory import Statistics
from freebody.run.held_names import SEED_COLUMN
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind

Array = NDArray[np.float64]
METHODS = ("dopri5", "rk4")
"""Those that every program has."""

STIFF = RODAS5P.name
"""One more in programs in C that were exported with it: it needs the linear system of its stages."""

SETTINGS = ("end", "rows", "step", "rtol", "atol", "first_step", "max_step", "max_steps")
"""The numbers in a parameter file that say how to integrate, in the order of their indices."""

UNKNOWN = ("work", "supplied", "lost")
"""RecordedColumn variables that are sums along a run, which programs leave out."""

HOLES = {
    "status": -1,
    "message": -2,
    "method": -3,
    "steps": -4,
    "rejected": -5,
    "evaluations": -6,
    "projections": -7,
    "seconds": -8,
}
"""What a program writes into the facts of its runs; other numbers are indices of parameters."""

LONGEST = 400
"""Characters of a piece of the facts."""


@dataclass(frozen=True)
class ParameterValue:
    """A number in the parameter file. ``kind``: p of a parameter, d of an input or a held value, x of a state at the
    start, r of the run."""

    name: str
    kind: str
    index: int
    value: float
    units: UnitSet
    description: str = ""


@dataclass(frozen=True)
class RecordedColumn:
    """A variable in the file of a run: its name there, what it is, its dimension beside time (−1: none), and the place
    of its numbers in the record."""

    name: str
    variable: Variable
    dimension: int
    start: int
    count: int


@dataclass(frozen=True)
class Sample:
    """What a timed rule does: the program of new held values, their places in d, and the ticks at which it is due."""

    name: str
    program: Program
    places: tuple[int, ...]
    first: int
    period: int


@dataclass(frozen=True, eq=False)
class Simulation:
    """A compiled system with the state and the settings with which it starts."""

    name: str
    compiled: CompiledSystem
    x0: Array
    start: float
    settings: Mapping[str, float]
    method: str
    rtol: Array
    atol: Array
    user_units: Mapping[str, str]
    shows_user_units: bool
    drawing: Mapping[str, Any] | None
    float32: bool = False

    @property
    def title(self) -> str:
        return self.compiled.about.system

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.x0)

    @cached_property
    def programs(self) -> dict[str, Staged]:
        """The programs by what they compute."""
        system = self.compiled.system
        project = system.project.value if system.projects else None
        programs = {"rates": system.rates.value, "record": system.record.value, "project": project}
        programs["conditions"] = system.conditions
        programs |= {f"reset{k + 1}": program for k, program in enumerate(self.resets) if program is not None}
        programs |= {f"sample{k + 1}": sample.program for k, sample in enumerate(self.samples)}
        staged = {name: stage(program) for name, program in programs.items() if program is not None}
        return staged | self._stages | ({} if self.breaks is None else {"breaks": Staged(None, self.breaks)})

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of which the parameter file selects one."""
        return METHODS if self.method in METHODS else (*METHODS, self.method)

    @cached_property
    def _stages(self) -> dict[str, Staged]:
        """The programs of the linear system of rodas5p; those of its factors depend on no parameters."""
        stages = self.compiled.system.stages_of(STIFF).value if self.method == STIFF else None
        if stages is None:
            return {}
        at_state = {"solution": stages.solution, "entries": stages.entries}
        others = {"factor": stages.factor, "solve": stages.solve, "backward": stages.backward}
        found = {name: stage(program) for name, program in at_state.items() if program is not None}
        found |= {name: Staged(None, program) for name, program in others.items() if program is not None}
        return {f"stage_{name}": staged for name, staged in found.items()}

    @cached_property
    def digest(self) -> str:
        """Of everything that its programs compute."""
        from hashlib import blake2b

        texts = [digest(p) for s in self.programs.values() for p in (s.setup, s.main) if p is not None]
        texts += [repr((s.places, s.first, s.period, self.calendar.ticks_per_second)) for s in self.samples]
        return blake2b("".join(texts).encode(), digest_size=6).hexdigest()

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.compiled.system.crossings

    @cached_property
    def resets(self) -> tuple[Program | None, ...]:
        """What each event does to the state."""
        updates = [[u.program for u in rule.updates if isinstance(u, ProgramUpdate)] for rule in self.rules]
        return tuple(programs[0] if programs else None for programs in updates)

    @cached_property
    def calendar(self) -> Calendar:
        """The clock of the timed rules."""
        return Calendar([rule.trigger for rule in self.compiled.system.timed], self.start)

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        """What timed rules do, in the order in which they are applied at one instant."""
        timed = self.compiled.system.timed
        return tuple(
            Sample(timed[k].name, update.program, tuple(place - self.size for place in update.places), tick, period)
            for k, tick, period in self.calendar.samples
            for update in timed[k].updates
            if isinstance(update, ProgramUpdate) and update.places is not None
        )

    @property
    def sample_starts(self) -> list[int]:
        """Where the places of each sample begin, if those of all follow one another; and their number."""
        return [0, *np.cumsum([len(sample.places) for sample in self.samples]).tolist()]

    @property
    def held(self) -> tuple[str, ...]:
        """The held values that are recorded: those of systems with samples."""
        return self.compiled.system.held.columns if self.samples else ()

    @property
    def held_places(self) -> list[int]:
        """Their places in d."""
        return self.compiled.system.held_places if self.samples else []

    @property
    def seed(self) -> int:
        """The place in d of the seed of random numbers; −1 if there are none."""
        return self.compiled.system.row.index.get(SEED_COLUMN, -1)

    @cached_property
    def breaks(self) -> Program | None:
        """The times at which laws of time alone jump or bend, from parameters and inputs."""
        system, g = self.compiled.system, Graph()
        known = {
            "parameters": [g.symbol(n, Kind.PARAMETER) for n in self.compiled.parameters],
            "inputs": [g.symbol(f"input.{k}", Kind.INPUT) for k in range(len(self.compiled.d))],
        }
        every = (system.rates.value, system.project.value, system.conditions)
        times = dict.fromkeys(node for p in every if p is not None for node in break_nodes(p, g, known))
        return program("breaks", g, known, {"times": list(times)}) if times else None

    @property
    def break_count(self) -> int:
        return 0 if self.breaks is None else self.breaks.outputs[0].size

    @property
    def near(self) -> float:
        return NEAR if self.compiled.system.consistent else LOOSE

    @property
    def far(self) -> float:
        return FAR if self.compiled.system.consistent else np.inf

    @property
    def projects(self) -> bool:
        return "project" in self.programs

    # What the parameter file sets

    @cached_property
    def described_parameters(self) -> dict[str, tuple[str, str]]:
        """The units and descriptions of parameters."""
        described = dict[str, tuple[str, str]]()
        for p in (self.compiled.system.rates.value, self.compiled.system.record.value):
            for group in (g for g in p.groups if g.name == "parameters"):
                blank = ("",) * group.size
                texts = zip(group.units or blank, group.descriptions or blank, strict=True)
                described |= dict(zip(group.elements, texts, strict=True))
        return described

    @cached_property
    def quantities(self) -> tuple[ParameterValue, ...]:
        """The numbers that a parameter file sets, in its order."""
        compiled, rows = self.compiled, list[ParameterValue]()
        names = iter(distinct_names([f"parameter.{n}" for n in compiled.parameters]))
        described = self.described_parameters
        for k, (name, value) in enumerate(compiled.parameters.items()):
            unit, about = described.get(name, ("", ""))
            rows.append(self._quantity(next(names), "p", k, value, unit, about))
        row = compiled.system.row
        driven = {v.key for v in row.variables if v.key.startswith("input.") and v.name in self.laws} - {*self.held}
        owners = [v for v in row.variables for _ in v.columns]
        for k, (v, name) in enumerate(zip(owners, distinct_names(row.columns), strict=True)):
            if v.key not in driven and k != self.seed:
                rows.append(self._quantity(name, "d", k, compiled.d[k], v.unit, v.description))
        states = compiled.system.states
        for k, (v, name) in enumerate(zip(states.variables, distinct_names(states.columns), strict=True)):
            rows.append(self._quantity(name, "x", k, self.x0[k], v.unit, v.description))
        units = {"end": "s", "step": "s", "first_step": "s", "max_step": "s"}
        rows += [
            self._quantity(f"run.{n}", "r", k, self.settings[n], units.get(n, ""), ABOUT_SETTINGS[n])
            for k, n in enumerate(SETTINGS)
        ]
        if self.seed >= 0:
            about = "of all random numbers, a whole number below 2^48"
            rows.append(self._quantity("run.seed", "d", self.seed, compiled.d[self.seed], "", about))
        return tuple(rows)

    @property
    def laws(self) -> set[str]:
        """The names of the inputs that follow laws, which are compiled into the program."""
        numbers = re.compile(r"[-+.\d]")
        return {n for n, text in self.compiled.about.inputs.items() if not numbers.match(text)}

    def _quantity(self, name: str, kind: str, index: int, value: float, unit: str, about: str) -> ParameterValue:
        return ParameterValue(name, kind, index, float(value), unit_set(unit, self.user_units), ascii_text(about))

    @cached_property
    def unit_sets(self) -> dict[UnitSet, int]:
        """The sets of units that occur, with their indices."""
        return {units: k for k, units in enumerate(dict.fromkeys(q.units for q in self.quantities))}

    def parameter_file(self) -> str:
        """The parameter file with the values of the export, in the user's units if there are some."""
        lines = [
            f"# {ascii_text(self.title)}: parameters, inputs, initial state and settings of the program {self.name}.",
            "# Lines NAME = VALUE [UNIT]. What is left out has the value that it had at the export; numbers without a",
            "# unit are in those of the set named by 'units': si, or user (the units below).",
            "#",
            *(line for u in self.unit_sets if u.units[1:] for line in _unit_lines(u)),
            "",
            f"units = {'user' if self.shows_user_units else 'si'}",
        ]
        group = ""
        for q in self.quantities:
            if q.name.partition(".")[0] != group:
                group = q.name.partition(".")[0]
                lines += ["", *([f"run.method = {self.method} # {either(self.methods)}"] if group == "run" else [])]
            unit, factor = q.units.shown if self.shows_user_units else q.units.units[0]
            number = _shown(q.value, factor)
            lines.append(f"{q.name} = {number} {unit}".rstrip() + (f" # {q.description}" if q.description else ""))
        return "\n".join([*lines, ""])

    # What is recorded

    @cached_property
    def about_variables(self) -> tuple[Variable, ...]:
        variables = self.compiled.about.variables
        return tuple(v for v in variables if v.group != UNKNOWN[0] and not (v.group == "energy" and v.name in UNKNOWN))

    @cached_property
    def record_places(self) -> dict[str, int]:
        """Where each part of the record begins: x, ẋ, slots, energies, momenta, poses, held values; and its size."""
        slots = sum(size for _, size in self.compiled.system.slots)
        n, bodies = self.size, len(self.compiled.about.elements)
        sizes = {"x": n, "x_dot": n, "slots": slots, "energy": 3, "momentum": 6, "poses": 7 * bodies}
        sizes["held"] = len(self.held)
        starts = np.cumsum([0, *sizes.values()]).tolist()
        return dict(zip([*sizes, "size"], starts, strict=True))

    @cached_property
    def dimensions(self) -> dict[str, int]:
        """The dimensions of a file, time first (0: it grows), and their sizes."""
        parts = dict.fromkeys(v.parts for v in self.about_variables if v.parts)
        return {"time": 0, "state": self.size} | {PARTS.get(p, f"part_{k + 1}"): len(p) for k, p in enumerate(parts)}

    @cached_property
    def recorded(self) -> tuple[RecordedColumn, ...]:
        """The variables in a file, in its order."""
        places, system = self.record_places, self.compiled.system
        starts = {key: places["held"] + k for k, key in enumerate(self.held)}
        starts |= {key: k for k, key in enumerate(system.states.columns)}
        starts |= {U_DOT(system.states.variables[k].name): places["x_dot"] + k for k in system.speeds}
        place = places["slots"]
        for key, size in system.slots:
            starts[key] = place
            place += size
        starts |= {f"energy.{n}": places["energy"] + k for k, n in enumerate(("kinetic", "potential", "total"))}
        starts |= {f"momentum.{n}": places["momentum"] + 3 * k for k, n in enumerate(("linear", "angular"))}
        bodies = self.compiled.about.elements
        starts |= {f"pose.{b.name}": places["poses"] + 7 * k for k, b in enumerate(bodies)}
        names = dataset_names(replace(self.compiled.about, variables=self.about_variables))
        parts = dict.fromkeys(v.parts for v in self.about_variables if v.parts)
        dims = {p: list(self.dimensions).index(PARTS.get(p, f"part_{k + 1}")) for k, p in enumerate(parts)}
        return tuple(
            RecordedColumn(
                names["series", v.key], v, dims[v.parts] if v.parts else -1, starts[v.key], len(v.parts) or 1
            )
            for v in self.about_variables
        )

    @cached_property
    def facts(self) -> tuple[str | int, ...]:
        """The facts of a run as pieces of JSON, and between them what a program fills in (``HOLES``)."""
        about = replace(self.compiled.about.portable(), variables=self.about_variables)
        events = tuple(rule.name for rule in (*self.rules, *self.compiled.system.timed))
        drift = float("nan") if self.compiled.about.constraints else 0.0
        statistics = Statistics(drift=drift, speed_drift=drift)
        known = RunFacts(about, statistics, 0, "", events, (), self.held, self.drawing)  # type: ignore[arg-type]
        plain = {"format": FORMAT, **asdict(known)}
        mark = "\x01"
        for name, hole in HOLES.items():
            (plain if name in plain else plain["statistics"])[name] = f"{mark}{hole}{mark}"
        plain["about"]["parameters"] = {n: f"{mark}{k}{mark}" for k, n in enumerate(plain["about"]["parameters"])}
        pieces = re.split(r'"\\u0001(-?\d+)\\u0001"', to_json(plain))
        result = list[str | int]()
        for k, piece in enumerate(pieces):
            cut = [piece[i : i + LONGEST] for i in range(0, len(piece), LONGEST)]
            result += [int(piece)] if k % 2 else cut
        return tuple(result)


ABOUT_SETTINGS = {
    "end": "the end",
    "rows": "intervals between saved rows",
    "step": "the step of rk4",
    "rtol": "relative tolerance of adaptive methods",
    "atol": "absolute tolerance of adaptive methods",
    "first_step": "the first step of adaptive methods; 0: it is estimated",
    "max_step": "the largest step of adaptive methods; 0: any size",
    "max_steps": "the most steps; 0: any number",
}


def either(names: Sequence[str]) -> str:
    """Names in words: a, b or c."""
    *first, last = names
    return f"{', '.join(first)} or {last}"


def _unit_lines(units: UnitSet) -> list[str]:
    """The units that may stand for one, as comments."""
    return wrap(
        f"{units.si or '1'}: {' '.join(name for name, _ in units.units[1:])}",
        110,
        initial_indent="#   ",
        subsequent_indent="#     ",
        break_long_words=False,
    )


def _shown(value: float, factor: float) -> str:
    """A value in a unit, so that reading it gives the value again where that is possible."""
    number = value / factor
    for digits in (12, 15, 17):
        if float(f"{number:.{digits}g}") * factor == value:
            return f"{number:.{digits}g}"
    return repr(number)


def distinct_names(names: Sequence[str]) -> list[str]:
    """The names in ASCII without blanks, = and #, each once."""
    taken, result = set[str](), list[str]()
    for name in names:
        base = re.sub(r"[^A-Za-z0-9_.+-]", "_", spell(name))
        unique, count = base, 1
        while unique in taken:
            count += 1
            unique = f"{base}_{count}"
        taken.add(unique)
        result.append(unique)
    return result


def tolerances(value: Any) -> tuple[float, Array]:
    """The smallest tolerance and each as a multiple of it."""
    rows = np.asarray(value, float)
    least = float(rows.min()) if rows.size else 1.0
    return least, rows / least if least else np.ones_like(rows)
