"""A program as C: a header, and a file with a function for the program and one for each region."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path

from freebody import files
from freebody.backends.c.language import (
    C99,
    HELPERS,
    RESERVED,
    comment,
    define,
    doubles,
    identifier,
    indented,
    integers,
    pointer,
    prototype,
)  # fmt: skip
from freebody.backends.c.single import single
from freebody.backends.c.solve import scratch, solve
from freebody.backends.function import ON_STACK
from freebody.backends.lines import Assignment, code_lines
from freebody.printing.addresses import AddressNames
from freebody.program.code import Address, Code
from freebody.program.program import Block, Group, Output, Program, Scan, Solve, buffers_of, digest, stride, touched
from freebody.program.split import split
from freebody.program.stage import Staged
from freebody.scalar.functions import Table
from freebody.scalar.ops import TABLE
from freebody.scalar.printing import Statement, UniqueNames
from freebody.version import VERSION

CHUNK = 1000
"""Operations in one function: a compiler's time grows faster than linearly (docs/decisions/004)."""

LONGEST = 60  # of the file's own name, which begins all the others


@dataclass(frozen=True)
class Source:
    """A header and the file that implements it, to be kept as NAME.h and NAME.c."""

    header: str
    source: str
    name: str

    def write(self, folder: Path | str) -> tuple[Path, Path]:
        """Both files in a folder, which is created if it is missing."""
        where = files.folder(folder)
        header, source = where / f"{self.name}.h", where / f"{self.name}.c"
        return files.write_text(header, self.header), files.write_text(source, self.source)


def emit(
    program: Program | Staged,
    name: str | None = None,
    chunk: int = CHUNK,
    allocates: bool = True,
    float32: bool = False,
    prefix: str = "",
) -> Source:
    """The program as readable C99. Of a staged one, NAME_setup computes what depends on parameters alone. ``prefix``
    begins the names of the indices (by default NAME); without ``allocates``, large work buffers are static instead of
    taken by malloc; ``float32`` computes with float."""
    source = compose(program, name, chunk, allocates, prefix)[0]
    return Source(single(source.header), single(source.source), source.name) if float32 else source


def compose(
    program: Program | Staged, name: str | None = None, chunk: int = CHUNK, allocates: bool = True, prefix: str = ""
) -> tuple[Source, "SourceNames"]:
    """The C files, and the names in them."""
    if isinstance(program, Staged):
        parts = {"": program.main} if program.setup is None else {"_setup": program.setup, "": program.main}
    else:
        parts = {"": program}
    programs = {suffix: split(p, chunk) for suffix, p in parts.items()}
    names = SourceNames(name or programs[""].name, programs)
    entries = {suffix: _Entry(names, p, allocates) for suffix, p in programs.items()}
    texts = [text for suffix, entry in entries.items() for text in entry.write(names.entries[suffix])]
    heap = any("malloc(" in text for text in texts)
    includes = [f'#include "{names.name}.h"\n', "#include <math.h>", *(["#include <stdlib.h>"] if heap else []), ""]
    source = "\n".join([*includes, *names.helpers(), *texts])
    digests = " ".join(digest(p)[:DIGITS] for p in parts.values())
    shared = any("static double memory[" in text for text in texts)
    return Source(_header(names, programs, digests, prefix or names.name, shared), source, names.name), names


def outer(program: Program) -> list[Group | Output]:
    """The arguments of a program's function."""
    return [*program.groups, *program.outputs]


class SourceNames:
    """The identifiers of one C file: each is used once, so that no variable hides a function or another buffer.

    ``programs`` maps the suffix of each entry function's name to what it computes.
    """

    def __init__(self, name: str, programs: Mapping[str, Program]) -> None:
        self.names = UniqueNames(identifier)
        self.names.taken |= RESERVED
        self.name = self.names.take(name[:LONGEST])
        self.entries = {suffix: self.names.take(self.name + suffix) if suffix else self.name for suffix in programs}
        self.outer = {b.name: b for p in programs.values() for b in outer(p)}
        self.buffers = {b: self.names.take(b) for b in self.outer}
        self.sizes = {b: self.names.take(f"{self.name}_{text}_SIZE".upper()) for b, text in self.buffers.items()}
        self.guard = self.names.take(f"{self.name}_H".upper())
        inner = dict.fromkeys(w.name for p in programs.values() for w in p.work)
        self.buffers |= {b: self.names.take(b) for b in inner}
        self.numbers = {w.name: (self._prefixed(w.name), w.values) for p in programs.values() for w in p.tables}
        codes = [code for p in programs.values() for code in p.blocks]
        self.ops = {op for code in codes for op in code.op}
        self.tables = {t: self._prefixed(t.name) for t in dict.fromkeys(t for c in codes for t in c.tables)}
        self.callbacks = {f: self._prefixed(f.name) for f in dict.fromkeys(f for c in codes for f, _ in c.calls)}

    def _prefixed(self, name: str) -> str:
        return self.names.take(f"{self.name}_{name}")

    def function(self, code: Code, i: int) -> str:
        """The C function of the table or the user's function that a node calls."""
        return self.tables[code.tables[code.b[i]]] if code.op[i] == TABLE else self.callbacks[code.calls[code.a[i]][0]]

    def local(self, taken: Collection[str] = ()) -> UniqueNames:
        """Names for the variables of one function."""
        names = UniqueNames(identifier)
        names.taken |= self.names.taken | set(taken)
        return names

    def arguments(self, program: Program) -> list[str]:
        """A pointer for each group, then one for each output."""
        return [pointer(self.buffers[b.name], isinstance(b, Output)) for b in outer(program)]

    def helpers(self) -> list[str]:
        """The functions that C lacks and this file needs, and its tables."""
        small = [text for op, text in HELPERS.items() if op in self.ops]
        small += [f"{doubles(name, values)}\n" for name, values in self.numbers.values()]
        return [*small, *(_lookup(name, table) for table, name in self.tables.items())]


def _lookup(name: str, table: Table) -> str:
    """Binary search for the piece (the first break beyond x), then Horner's rule."""
    terms = table.degree + 1
    body = [
        doubles("breaks", table.breaks),
        doubles("origins", table.origins),
        doubles("coefficients", [c for row in table.coefficients for c in row]),
        f"int low = 0, high = {len(table.breaks)};",
        "while (low < high) {",
        "    const int middle = (low + high)/2;",
        "    if (x < breaks[middle])",
        "        high = middle;",
        "    else",
        "        low = middle + 1;",
        "}",
        "const double away = x - origins[low];",
        "double value = 0.0;",
        f"for (int k = {terms - 1}; k >= 0; --k)",
        f"    value = value*away + coefficients[{terms}*low + k];",
        "return value;",
    ]
    return define(f"static double {name}(double x)", body, f"The curve {table.name}.")


# The functions of a program


class _Entry:
    """The function of one program, and those of its regions."""

    def __init__(self, names: SourceNames, program: Program, allocates: bool) -> None:
        self.names, self.program, self.addresses = names, program, AddressNames(program)
        self.allocates = allocates

    def write(self, name: str) -> list[str]:
        """The functions, the program's own last. Arguments that a function does not use would make compilers warn."""
        regions, head = self.program.regions, prototype(name, self.names.arguments(self.program))
        used = {b for region in regions for b in touched(region)}
        unused = [f"(void){self.names.buffers[b.name]};" for b in outer(self.program) if b.name not in used]
        if len(regions) == 1 and isinstance(regions[0], Block) and not self.program.work:
            return [define(head, [*unused, *self._code(regions[0], 0, self.names.local(), {})])]
        buffers, take = self.names.buffers, self.names.names.take
        calls: list[str] = []
        texts: list[str] = []
        memory: dict[str, int] = {}  # what solves work on
        for k, region in enumerate(regions):
            if isinstance(region, Solve):
                function = take(f"{name}_solve_{region.name}")
                work = {take(f"{region.name}_{key}"): size for key, size in scratch(region).items()}
                memory |= work
                passed = [*(buffers[b] for b in (region.matrix, region.right, region.result)), *work]
                texts.append(solve(function, region))
            else:
                function = take(f"{name}_{region.name if isinstance(region, Scan) else f'part{k + 1}'}")
                written, passed = buffers_of(region)[1], [buffers[b] for b in touched(region)]
                pointers = [pointer(buffers[b], b in written) for b in touched(region)]
                if isinstance(region, Scan):
                    body, about = self._scan(region), f"Scan '{region.name}': {region.steps} steps."
                else:
                    body = self._code(region, 0, self.names.local(), {})
                    about = f"Part {k + 1} of {len(regions)}."
                texts.append(define(prototype(function, pointers, "static void"), body, about))
            calls.append(f"{function}({', '.join(passed)});")
        return [*texts, define(head, [*unused, *self._with_memory(calls, memory)])]

    def _scan(self, region: Scan) -> list[str]:
        """A loop over the steps, with a switch where there are several kinds. An index is computed if it is evenly
        spaced, looked up otherwise."""
        names = self.names.local()
        rows = {r: (names.take(f"i{r}"), names.take(f"row{r}")) for r in range(len(region.rows))}
        kinds, indices = names.take("kind"), {r: index for r, (index, _) in rows.items()}

        def start(r: int) -> str:
            step, first = stride(region.rows[r]), region.rows[r][0] if region.rows[r] else 0
            if step is None:
                return f"{rows[r][1]}[step]"
            times = "step" if abs(step) == 1 else f"{abs(step)}*step"
            if step <= 0:
                return f"{first} - {times}" if step else str(first)
            return f"{times} + {first}" if first else times

        looked_up = sorted({r for code in region.codes for r in code.rows if stride(region.rows[r]) is None})
        tables = [integers(rows[r][1], region.rows[r]) for r in looked_up]
        steps = []
        for kind, code in enumerate(region.codes):
            starts = [f"const int {rows[r][0]} = {start(r)};" for r in code.rows]
            steps.append([*starts, *self._code(region, kind, self.names.local(names.taken), indices)])
        loop = steps[0]
        if len(steps) > 1:
            tables.append(integers(kinds, region.kinds))
            cases = [[f"case {k}: {{", *indented([*lines, "break;"]), "}"] for k, lines in enumerate(steps)]
            loop = [f"switch ({kinds}[step]) {{", *(line for lines in cases for line in lines), "}"]
        return [*tables, f"for (int step = 0; step < {region.steps}; ++step) {{", *indented(loop), "}"]

    def _code(self, region: Block | Scan, kind: int, names: UniqueNames, rows: dict[int, str]) -> list[str]:
        """The lines of a code; ``rows`` has the variables of a scan's indices."""

        def element(a: Address) -> str:
            terms = [rows[a.row]] if a.row >= 0 else []
            terms += [str(a.offset)] if a.offset or not terms else []
            return f"{self.names.buffers[a.buffer]}[{' + '.join(terms)}]"

        def line(x: Statement | Assignment) -> str:
            if isinstance(x, Assignment):
                return f"{x.target} {'+=' if x.add else '='} {x.text};"
            about = f" /* {comment(x.description)} */" if x.description else ""
            return f"const double {x.name} = {x.text};{about}"

        scan, function = region if isinstance(region, Scan) else None, self.names.function
        wish = partial(self.addresses.name, scan=scan)
        return [line(x) for x in code_lines(region, kind, names, C99, element, wish, function)]

    def _with_memory(self, calls: list[str], more: dict[str, int]) -> list[str]:
        """The calls between taking and freeing the work buffers, and ``more``; without memory, the outputs are NaN."""
        buffers, tables, work = self.names.buffers, self.names.numbers, self.program.work

        def fill(name: str, size: int, value: str) -> list[str]:
            return [f"for (int entry = 0; entry < {size}; ++entry)", f"    {name}[entry] = {value};"]

        lines = [f"const double *const {buffers[w.name]} = {tables[w.name][0]};" for w in self.program.tables]
        sizes = {buffers[w.name]: w.size for w in work if not w.table} | more
        zeros = [line for w in work if w.zeroed for line in fill(buffers[w.name], w.size, "0.0")]
        if 8 * sum(sizes.values()) <= ON_STACK:
            return [*lines, *(f"double {b}[{size or 1}];" for b, size in sizes.items()), *zeros, *calls]
        starts = accumulate(sizes.values(), initial=0)
        parts = [f"double *const {b} = memory + {start};" for b, start in zip(sizes, starts, strict=False)]
        if not self.allocates:
            return [*lines, f"static double memory[{sum(sizes.values())}];", *parts, *zeros, *calls]
        return [
            *lines,
            f"double *const memory = malloc({sum(sizes.values())}*sizeof(double));",
            "if (memory == NULL) {",
            *indented(line for o in self.program.outputs for line in fill(buffers[o.name], o.size, "NAN")),
            "    return;",
            "}",
            *parts,
            *zeros,
            *calls,
            "free(memory);",
        ]


# The header

NOTE = (
    "Arguments are arrays of double; they must not overlap. The functions keep nothing between calls, so several",
    "threads may call them at once.",
)
SHARED = (
    "Arguments are arrays of double; they must not overlap. The functions allocate nothing: they have memory of their",
    "own, so that one thread at a time may call them.",
)
DIGITS = 12
"""Of a program's digest in a header."""
LETTERS = {"parameters": "P", "inputs": "I", "hoisted": ""}
"""What indices are called by, for groups that are not called by their own names."""
SETUP = "What depends on parameters alone: once for each set of them."
OPEN = '#ifdef __cplusplus\n#define restrict __restrict\nextern "C" {\n#endif'
CLOSE = "#ifdef __cplusplus\n}\n#undef restrict\n#endif"


def _header(names: SourceNames, programs: Mapping[str, Program], digests: str, prefix: str, shared: bool) -> str:
    """What the file computes, from what, and how it is called."""

    filled_by = {o.name: names.entries[suffix] for suffix, p in programs.items() for o in p.outputs}
    about = f"{names.name}: generated by freebody {VERSION}, digest {digests}."
    lines = [about, "", *(SHARED if shared else NOTE), ""]
    for name, b in names.outer.items():
        lines += [f"{names.buffers[name]}[{b.size}]" + (f": filled by {filled_by[name]}" if name in filled_by else "")]
        if isinstance(b, Output) and len(b.shape) > 1:
            lines += [f"  {' x '.join(map(str, b.shape))} numbers, row after row"]
        if isinstance(b, Group):
            nothing = [""] * b.size
            described = zip(b.elements, b.units or nothing, b.descriptions or nothing, strict=True)
            for k, (element, unit, about) in enumerate(described):
                text = element + (f" ({unit})" if unit else "") + (f": {about}" if about else "")
                lines += [f"  [{k}] {text}"] if element != f"{name}[{k}]" else []
    first, *others = map(comment, lines)
    functions = []
    for f, name in names.callbacks.items():
        about = comment(f"{f.name}: {f.description}" if f.description else f.name)
        head = prototype(name, [f"double x{k + 1}" for k in range(f.arity)], "double")
        functions.append(f"/* To be provided by you: {about} */\n{head};")
    for suffix, p in programs.items():
        about = f"/* {SETUP if suffix else 'Everything else.'} */\n" if len(programs) > 1 else ""
        functions.append(f"{about}{prototype(names.entries[suffix], names.arguments(p))};")
    parts = [
        "\n".join([f"/* {first}", *(f" * {line}".rstrip() for line in others), " */"]),
        f"#ifndef {names.guard}\n#define {names.guard}",
        "\n".join(f"#define {names.sizes[name]} {b.size}" for name, b in names.outer.items()),
        "\n".join(f"#define {macro} {k}" for macro, k in _indices(names, prefix)),
        OPEN,
        *functions,
        CLOSE,
        f"#endif /* {names.guard} */",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _indices(names: SourceNames, prefix: str) -> Iterator[tuple[str, int]]:
    """Names for the indices of parameters, inputs, coordinates, …: SAT_P_MB, SAT_Q_ARM."""
    taken = UniqueNames(str.upper)
    taken.taken |= {*names.names.taken}
    for group in (b for b in names.outer.values() if isinstance(b, Group)):
        letter = LETTERS.get(group.name, group.name)
        for k, element in enumerate(group.elements if letter else ()):
            own = element.removeprefix(f"{group.name}.")
            if own not in (f"{group.name}[{k}]", group.name):
                yield taken.take(identifier(f"{prefix}_{letter}_{own}")), k
