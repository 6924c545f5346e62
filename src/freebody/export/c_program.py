"""A simulation program in C99: the files of its folder."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files as resources
from math import isinf
from string import Template
from types import MappingProxyType

from freebody.backends import c
from freebody.backends.ascii_text import ascii_text
from freebody.backends.c.language import comment, identifier, number
from freebody.export.c_stages import CStages
from freebody.export.description import HOLES, Simulation, either
from freebody.export.tableau_text import weighted_sum
from freebody.integrate.rosenbrock import RODAS5P
from freebody.integrate.tableaus import TABLEAUS
from freebody.program.program import Program
from freebody.program.stage import HOISTED
from freebody.version import VERSION

EMPTY: Mapping[str, object] = MappingProxyType({})

MAKEFILE = """\
# make builds $name; ./$name reads $name.par and writes $name.nc
CC ?= cc
CFLAGS ?= -O2
CONTRACT = -ffp-contract=off

OBJECTS = $objects

$name: $name.o ${name}_main.o $$(OBJECTS)
\t$$(CC) $$(CFLAGS) -o $$@ $$^ -lm

%.o: %.c
\t$$(CC) -std=c99 $$(CFLAGS) $$(CONTRACT) -c -o $$@ $$<

clean:
\trm -f $name $name.o ${name}_main.o $$(OBJECTS)

.PHONY: clean
"""


def c_files(simulation: Simulation) -> dict[str, str]:
    """The files by name."""
    name, writer = simulation.name, CWriter(simulation)
    texts = writer.model_files()
    texts[f"{name}.h"] = writer.filled("simulation.h")
    parts = ("values.c", "files.c", "integrator.c")
    texts[f"{name}.c"] = "\n".join([writer.head(files=True), *map(writer.filled, parts)])
    texts[f"{name}_main.c"] = writer.filled("main.c")
    objects = " ".join(f"{source.name}.o" for source in writer.sources.values())
    texts["Makefile"] = Template(MAKEFILE).substitute(name=name, objects=objects)
    return texts | {f"{name}.par": simulation.parameter_file()}


def text(content: str) -> str:
    """A text of ASCII as a literal."""
    escaped = "".join(c if c.isprintable() and c not in '\\"?' else f"\\{ord(c):03o}" for c in ascii_text(content))
    return f'"{escaped}"'


def literal(content: str) -> str:
    """JSON, which is ASCII, as a literal that is the same."""
    return '"' + content.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '"'


FILE_FUNCTIONS = """
/* Reads a parameter file; 0 if it is well, else s->message says what is wrong in which line. */
int ${name}_read(${name}_simulation *s, const char *path);

/* Writes the saved rows as NetCDF; 0 if that succeeds. */
int ${name}_write(${name}_simulation *s, const char *path);
"""


class CWriter:
    """The parts of a source that depend on the model; ``more`` are further values of the templates."""

    def __init__(self, simulation: Simulation, more: Mapping[str, object] = EMPTY) -> None:
        s = self.s = simulation
        self.sources = {
            part: c.emit(program, f"{s.name}_{part}", allocates=False, float32=s.float32)
            for part, program in s.programs.items()
        }
        self.names = {part: source.name for part, source in self.sources.items()}
        events = len(simulation.rules)
        dopri5, rk4 = TABLEAUS["dopri5"], TABLEAUS["rk4"]
        control = dopri5.control
        assert control is not None
        self.values = {
            "name": s.name,
            "NAME": s.name.upper(),
            "title": comment(s.title),
            "version": VERSION,
            "digest": s.digest,
            "sharing": "",
            "n": s.size,
            "parameter_count": len(s.compiled.p),
            "input_count": len(s.compiled.d),
            "parameter_room": len(s.compiled.p) or 1,
            "input_room": len(s.compiled.d) or 1,
            "record_size": s.record_places["size"],
            "event_count": events,
            "event_room": events or 1,
            "break_room": s.break_count or 1,
            "log_room": 5 * events or 1,
            "sample_room": len(s.samples) or 1,
            "indices": "\n".join(self._indices()),
            "real": "float" if s.float32 else "double",
            "constants": "\n".join(self._constants()),
            "record_call": self._record_call(),
            "dopri5_error": weighted_sum(dopri5.errors[0], self._row, number),
            "dopri5_stages": "\n".join(self._stages("dopri5")),
            "dopri5_new": weighted_sum(dopri5.b, self._row, number),
            "dopri5_dense": weighted_sum(dopri5.dense[0], self._row, number),
            "rk4_stages": "\n".join(self._stages("rk4")),
            "rk4_new": weighted_sum(rk4.b, self._row, number),
            "exponent": number(control.exponent),
            "beta": number(control.beta),
            "safety": number(control.safety),
            "largest": number(control.most),
            "smallest": number(control.least),
        }
        self.values |= CStages(s).values()
        self.values |= {"file_functions": Template(FILE_FUNCTIONS).substitute(name=s.name), **more}

    def filled(self, name: str) -> str:
        """A template with the values of the model."""
        return Template((resources("freebody.export") / "templates" / name).read_text()).substitute(self.values)

    def model_files(self) -> dict[str, str]:
        """The headers and sources of the programs."""
        texts = dict[str, str]()
        for source in self.sources.values():
            texts |= {f"{source.name}.h": source.header, f"{source.name}.c": source.source}
        return texts

    @staticmethod
    def _row(k: int) -> str:
        return f"s->k[{k}][i]"

    def _stages(self, method: str) -> Iterator[str]:
        """The stages after the first."""
        tableau = TABLEAUS[method]
        for k in range(1, tableau.stages):
            at = f"s->t + s->size*{number(tableau.c[k])}"
            yield "    for (int i = 0; i < N; ++i)"
            yield f"        s->trial[i] = s->x[i] + h*({weighted_sum(tableau.a[k], self._row, number)});"
            if tableau.control is not None:
                yield "    if (stagewise)"
                yield f"        project(s, {at}, s->trial, INFINITY);"
            yield f"    evaluate(s, {at}, s->trial, s->k[{k}]);"

    def _indices(self) -> Iterator[str]:
        """Names for the indices of parameters, inputs and states."""
        letters, taken = {"p": "P", "d": "I", "x": "X"}, set[str]()
        for q in self.s.quantities:
            if q.kind in letters:
                own = q.name if q.kind == "x" else q.name.partition(".")[2]
                macro = base = identifier(f"{self.s.name}_{letters[q.kind]}_{own}").upper()
                while macro in taken:
                    macro = f"{base}_{len(taken)}"
                taken.add(macro)
                yield f"#define {macro} {q.index}"

    def _constants(self) -> Iterator[str]:
        """What programs need that depends on parameters alone."""
        for part, staged in self.s.programs.items():
            if staged.setup is not None:
                size = next(g.size for g in staged.main.groups if g.name == HOISTED)
                yield f"    {self.s.name}_real {part}_constants[{size}];"

    def _call(self, part: str, program: Program, outputs: Sequence[str], suffix: str = "") -> str:
        """A call of a program."""
        groups = {"parameters": "s->p", "inputs": "s->d", "t": "&t", "x": "x", HOISTED: f"s->{part}_constants"}
        return f"{self.names[part]}{suffix}({', '.join([*(groups[g.name] for g in program.groups), *outputs])});"

    def _record_call(self) -> str:
        program, places = self.s.programs["record"].main, self.s.record_places
        where = {"x_dot": "X_DOT", "slots": "SLOTS", "momentum": "MOMENTUM"}
        outputs = [f"record + {where[o.key]}" if o.key in where else o.key for o in program.outputs]
        assert {o.key for o in program.outputs} <= {*where, "poses", "energy"} and places["size"]
        groups = {"t": "&at"}
        call = self._call("record", program, outputs)
        return f"    {call.replace('&t', groups['t'])}"

    def head(self, files: bool) -> str:
        """Includes, tables (those of files too), and the model's functions."""
        s = self.s
        c_name, system = s.name, s.compiled.system
        lines = [
            f'#include "{c_name}.h"',
            "",
            *(f"#include <{h}.h>" for h in ("float", "limits", "math", "stdint", "stdlib", "string", "time")),
            "",
            *(f'#include "{source.name}.h"' for source in self.sources.values()),
            "",
            f"typedef {c_name}_real real;",
            f"typedef {c_name}_simulation simulation;",
            "",
            f"enum {{ N = {s.size}, EVENTS_COUNT = {len(s.rules)}, QUANTITIES = {len(s.quantities)} }};",
        ]
        macros: dict[str, object] = {
            "EVENTS": len(s.rules),
            "PROJECTS": int(s.projects),
            "QUATERNIONS": len(system.quaternions),
            "BREAKS": s.break_count,
            "SAMPLES": len(s.samples),
            "HELD": len(s.held),
            "SEED": s.seed,
            "BODIES": len(s.compiled.about.elements),
            "START": number(s.start),
            "NEAR": number(s.near),
            "FAR": "INFINITY" if isinf(s.far) else number(s.far),
            "METHOD": s.methods.index(s.method),
            "METHODS": len(s.methods),
            "METHOD_NAMES": text(either(s.methods)),
            "STAGES": RODAS5P.stages if s.method == RODAS5P.name else 0,
            "TITLE": text(s.title),
            "VARIABLES": len(s.recorded),
            "DIMENSIONS": len(s.dimensions),
            "FACTS": len(s.facts),
            "X_DOT": s.record_places["x_dot"],
            "SLOTS": s.record_places["slots"],
            "ENERGY": s.record_places["energy"],
            "MOMENTUM": s.record_places["momentum"],
            "POSES": s.record_places["poses"],
            "HELD_PLACE": s.record_places["held"],
        }
        names = (
            "END",
            "ROWS",
            "STEP",
            "RTOL",
            "ATOL",
            "FIRST_STEP",
            "MAX_STEP",
            "MAX_STEPS",
            "DOPRI5",
            "RK4",
            "RODAS5P",
        )
        macros |= {name: f"{c_name.upper()}_{name}" for name in names}
        lines += [f"#define {name} {value}" for name, value in macros.items()]
        lines += ["", *self._tables(), *(self._tables_of_files() if files else ()), "", *self._functions()]
        return "\n".join([*lines, ""])

    def _tables(self) -> Iterator[str]:
        s = self.s
        speeds = {*s.compiled.system.speeds}
        yield from array("int", "quaternions", [str(k) for k in s.compiled.system.quaternions])
        yield from array("int", "speeds", [str(int(k in speeds)) for k in range(s.size)])
        yield from array("double", "rtol_each", map(number, s.rtol))
        yield from array("double", "atol_each", map(number, s.atol))
        if s.rules:
            triggers = [rule.crossing for rule in s.rules]
            yield from array("int", "directions", [str(t.direction) for t in triggers])
            yield from array("int", "stopping", [str(int(rule.stops)) for rule in s.rules])
            yield from array("int", "terminal", [str(int(t.terminal)) for t in triggers])
            yield from array("int", "resets", [str(int(p is not None)) for p in s.resets])
            names = [literal(json.dumps(rule.name)[1:-1]) for rule in s.rules]
            yield from array("char *const", "event_names", names)
        yield from array("int", "held_places", map(str, s.held_places))
        if s.samples:
            yield from array("int64_t", "first_ticks", [str(sample.first) for sample in s.samples])
            yield from array("int64_t", "periods", [str(sample.period) for sample in s.samples])
            yield f"static const double ticks_per_second = {number(float(s.calendar.ticks_per_second))};"
            yield from array("int", "sample_starts", map(str, s.sample_starts))
            yield from array("int", "sample_places", [str(place) for sample in s.samples for place in sample.places])
        rows = [
            f"{{{text(q.name)}, '{q.kind}', {q.index}, {s.unit_sets[q.units]}, {number(q.value)}}}"
            for q in s.quantities
        ]
        yield from array("struct { const char *name; char kind; int index, units; double value; }", "quantities", rows)

    def _tables_of_files(self) -> Iterator[str]:
        s = self.s
        yield from array("char *const", "methods", map(text, s.methods))
        sets = list(s.unit_sets)
        units = [f"{{{text(name)}, {number(factor)}}}" for u in sets for name, factor in u.units]
        starts = [0]
        for u in sets:
            starts.append(starts[-1] + len(u.units))
        yield from array("struct { const char *name; double factor; }", "units", units)
        yield from array("int", "unit_sets", map(str, starts))
        yield from array("int", "user_units", [str(first + u.user) for first, u in zip(starts, sets, strict=False)])
        dims = [f"{{{text(name)}, {size}}}" for name, size in s.dimensions.items()]
        yield from array("struct { const char *name; int size; }", "dimensions", dims)
        recorded = [
            f"{{{text(r.name)}, {text(r.variable.key)}, {text(r.variable.unit)},"
            f" {text(r.variable.description or r.variable.key)}, {r.dimension}, {r.start}, {r.count}}}"
            for r in s.recorded
        ]
        fields = "const char *name, *key, *unit, *about; int dimension, start, count;"
        yield from array(f"struct {{ {fields} }}", "variables", recorded)
        facts = [f"{{NULL, {f}}}" if isinstance(f, int) else f"{{{literal(f)}, 0}}" for f in s.facts]
        assert min(HOLES.values()) == -len(HOLES)
        yield from array("struct { const char *text; int value; }", "facts", facts)

    def _functions(self) -> Iterator[str]:
        """The model's programs with the arguments that the integrator has."""
        heads = {
            "rates": "static void rates(const simulation *s, real t, const real *x, real *out)",
            "project": "static void correct(const simulation *s, real t, const real *x, real *out)",
            "conditions": "static void conditions(const simulation *s, real t, const real *x, real *out)",
        }
        for part, head in heads.items():
            if part in self.s.programs:
                main = self.s.programs[part].main
                names = {g.name for g in main.groups}
                unused = [
                    n
                    for n, group in (("s", {"parameters", "inputs", HOISTED}), ("t", {"t"}), ("x", {"x"}))
                    if not names & group
                ]
                yield from [
                    head,
                    "{",
                    *(f"    (void){n};" for n in unused),
                    f"    {self._call(part, main, ['out'])}",
                    "}",
                    "",
                ]
        if any(p is not None for p in self.s.resets):
            yield "static void reset(const simulation *s, int event, real t, const real *x, real *out)"
            yield from ["{", "    switch (event) {"]
            for k, program in enumerate(self.s.resets):
                if program is not None:
                    part = f"reset{k + 1}"
                    yield f"    case {k}: {self._call(part, self.s.programs[part].main, ['out'])} break;"
            yield from ["    }", "}", ""]
        elif self.s.rules:
            yield "#define reset(s, i, t, x, out) ((void)(out))"
        if self.s.samples:
            yield "static void sample(const simulation *s, int which, real t, const real *x, real *out)"
            yield from ["{", "    (void)t, (void)x;", "    switch (which) {"]
            for k, one in enumerate(self.s.samples):
                part = f"sample{k + 1}"
                call = self._call(part, self.s.programs[part].main, ["out"])
                yield f"    case {k}: {call} break; /* {comment(one.name)} */"
            yield from ["    }", "}", ""]
        yield from ["static void find_breaks(simulation *s)", "{"]
        found = self.s.programs.get("breaks")
        yield (
            "    s->break_points[0] = 0;"
            if found is None
            else f"    {self._call('breaks', found.main, ['s->break_points'])}"
        )
        yield from ["}", ""]
        yield from ["static void compute_constants(simulation *s)", "{", "    (void)s;"]
        for part, staged in self.s.programs.items():
            if staged.setup is not None:
                yield f"    {self._call(part, staged.setup, [f's->{part}_constants'], '_setup')}"
        yield from ["}", ""]


def array(kind: str, name: str, items: Iterator[str] | Sequence[str] | map) -> list[str]:  # type: ignore[type-arg]
    """A constant array, an item a line where they are long; one item where there is none."""
    texts = list(items) or (["{0}"] if kind.startswith("struct") else ["0"])
    pointer = "static const char *const" if kind == "char *const" else f"static const {kind}"
    head = f"{pointer} {name}[] = {{"
    whole = ", ".join(texts)
    if len(head) + len(whole) < 118:
        return [f"{head}{whole}}};"]
    lines, line = [head], ""
    for item in texts:
        if line and len(line) + len(item) > 112:
            lines.append(f"    {line}")
            line = ""
        line += ("" if not line else " ") + f"{item},"
    return [*lines, f"    {line}", "};"]
