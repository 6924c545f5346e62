"""A program as Fortran 2008: a module with a subroutine for the program and one for each region."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from freebody import files
from freebody.backends.fortran.language import (
    F2008,
    HELPERS,
    RESERVED,
    comment,
    continued,
    identifier,
    indented,
    integers,
    procedure,
    reals,
)
from freebody.backends.fortran.solve import solve
from freebody.backends.lines import Assignment, code_lines
from freebody.printing.addresses import AddressNames
from freebody.program.code import Address, Code
from freebody.program.program import (
    Block,
    Group,
    Output,
    Program,
    Scan,
    Solve,
    buffers_of,
    digest,
    stride,
    touched,
)
from freebody.program.split import split
from freebody.program.stage import Staged
from freebody.scalar.functions import Table
from freebody.scalar.ops import BY_NAME, TABLE
from freebody.scalar.printing import Statement, UniqueNames
from freebody.version import VERSION

CHUNK = 500
"""Operations in one subroutine."""

KINDS = {
    False: ("real64", "int64", "7FF8000000000000", "7FF0000000000000"),
    True: ("real32", "int32", "7FC00000", "7F800000"),
}
LETTERS = {"parameters": "p", "inputs": "i", "hoisted": ""}
DIGITS = 12
"""Of a program's digest in a header."""


@dataclass(frozen=True)
class FortranSource:
    """A module, to be kept as NAME.f90."""

    source: str
    name: str
    entry: str

    def write(self, folder: Path | str) -> tuple[Path]:
        """The file in a folder, which is created if it is missing."""
        return (files.write_text(files.folder(folder) / f"{self.name}.f90", self.source),)


def emit(
    program: Program | Staged, name: str | None = None, chunk: int = CHUNK, float32: bool = False, prefix: str = ""
) -> FortranSource:
    """The program as a module of Fortran 2008. Of a staged one, NAME_setup computes what depends on parameters alone.
    ``prefix`` begins the names of the indices, which are without one otherwise; ``float32`` computes with real32."""

    if isinstance(program, Staged):
        parts = {"": program.main} if program.setup is None else {"_setup": program.setup, "": program.main}
    else:
        parts = {"": program}
    programs = {suffix: split(p, chunk) for suffix, p in parts.items()}
    names = ModuleNames(name or programs[""].name, programs, prefix)
    texts = [text for suffix, p in programs.items() for text in _FortranEntry(names, p).write(names.entries[suffix])]
    kind, integer, nan, infinity = KINDS[float32]
    digests = " ".join(digest(p)[:DIGITS] for p in parts.values())
    head = [
        *(f"! {comment(line)}".rstrip() for line in _about(names, programs, f"{VERSION}, digest {digests}")),
        f"module {names.module}",
        f"    use, intrinsic :: iso_fortran_env, only: rk => {kind}, {integer}",
        "    implicit none",
        "    private",
        f"    public :: {', '.join([*names.entries.values(), 'rk', *names.indices, *names.sizes.values()])}",
        *(f"    integer, parameter :: {size} = {names.outer[b].size}" for b, size in names.sizes.items()),
        *(f"    integer, parameter :: {index} = {k}" for index, k in names.indices.items()),
        f"    real(rk), parameter :: nan = transfer(int(z'{nan}', {integer}), 0.0_rk)",
        f"    real(rk), parameter :: infinity = transfer(int(z'{infinity}', {integer}), 0.0_rk)",
        *indented(line for w, (table, values) in names.numbers.items() for line in reals(table, values)),
        *_interfaces(names),
        "contains",
        "",
    ]
    body = [*names.helpers(), *texts]
    lines = [*map(continued, head), *indented(line for text in body for line in text.split("\n"))]
    return FortranSource("\n".join([*lines, f"end module {names.module}", ""]), names.module, names.entries[""])


def outer(program: Program) -> list[Group | Output]:
    """The arguments of a program's subroutine."""
    return [*program.groups, *program.outputs]


def _interfaces(names: "ModuleNames") -> Iterator[str]:
    """What users provide: functions of their own."""
    for f, name in names.callbacks.items():
        x = [f"x{k + 1}" for k in range(f.arity)]
        yield from indented(
            [
                f"! To be provided by you: {comment(f.name + (': ' + f.description if f.description else ''))}",
                "interface",
                f"    function {name}({', '.join(x)}) result(value)",
                "        import :: rk",
                f"        real(rk), intent(in) :: {', '.join(x)}",
                "        real(rk) :: value",
                f"    end function {name}",
                "end interface",
            ]
        )


class ModuleNames:
    """The identifiers of one module: each is used once."""

    def __init__(self, name: str, programs: Mapping[str, Program], prefix: str) -> None:
        self.names = UniqueNames(identifier)
        self.names.taken |= RESERVED
        base = self.names.take(name)
        self.module = self.names.take(f"{base}_module")
        self.entries = {suffix: self.names.take(base + suffix) if suffix else base for suffix in programs}
        self.outer = {b.name: b for p in programs.values() for b in outer(p)}
        self.sizes = {b: self.names.take(f"{base}_{b}_size") for b in self.outer}
        self.indices = dict(self._indices(prefix))
        self.buffers = {b: self.names.take(b) for b in self.outer}
        inner = dict.fromkeys(w.name for p in programs.values() for w in p.work)
        self.numbers = {w.name: (self.names.take(w.name), w.values) for p in programs.values() for w in p.tables}
        self.buffers |= {b: self.numbers[b][0] if b in self.numbers else self.names.take(b) for b in inner}
        codes = [code for p in programs.values() for code in p.blocks]
        self.ops = {op for code in codes for op in code.op}
        self.tables = {
            t: self.names.take(f"{base}_{t.name}") for t in dict.fromkeys(t for c in codes for t in c.tables)
        }
        calls = dict.fromkeys(f for c in codes for f, _ in c.calls)
        self.callbacks = {f: self.names.take(f"{base}_{f.name}") for f in calls}

    def _indices(self, prefix: str) -> Iterator[tuple[str, int]]:
        """Names for the indices of parameters, inputs, coordinates, …: p_mb, q_arm."""
        for group in (b for b in self.outer.values() if isinstance(b, Group)):
            letter = LETTERS.get(group.name, group.name)
            for k, element in enumerate(group.elements if letter else ()):
                own = element.removeprefix(f"{group.name}.")
                if own not in (f"{group.name}[{k}]", group.name):
                    yield self.names.take("_".join(filter(None, (prefix, letter, own)))), k

    def function(self, code: Code, i: int) -> str:
        """The function of the table or the user's function that a node calls."""
        return self.tables[code.tables[code.b[i]]] if code.op[i] == TABLE else self.callbacks[code.calls[code.a[i]][0]]

    def local(self) -> UniqueNames:
        """Names for the variables of one subroutine."""
        names = UniqueNames(identifier)
        names.taken |= self.names.taken | {"step"}
        return names

    def helpers(self) -> list[str]:
        """The functions that Fortran lacks and this module needs, and its tables."""
        small = [text for name, text in HELPERS.items() if BY_NAME[name].code in self.ops]
        return [*small, *(_lookup(name, table) for table, name in self.tables.items())]


def _lookup(name: str, table: Table) -> str:
    """Binary search for the piece (the first break beyond x), then Horner's rule."""
    terms = table.degree + 1
    lines = [
        "real(rk), intent(in) :: x",
        "real(rk) :: value, away",
        "integer :: low, high, middle, k",
        *reals("breaks", table.breaks),
        *reals("origins", table.origins),
        *reals("coefficients", [c for row in table.coefficients for c in row]),
        "low = 0",
        f"high = {len(table.breaks)}",
        "do while (low < high)",
        "    middle = (low + high)/2",
        "    if (x < breaks(middle)) then",
        "        high = middle",
        "    else",
        "        low = middle + 1",
        "    end if",
        "end do",
        "away = x - origins(low)",
        "value = 0",
        f"do k = {terms - 1}, 0, -1",
        f"    value = value*away + coefficients({terms}*low + k)",
        "end do",
    ]
    about = f"! The curve {comment(table.name)}."
    text = [about, f"function {name}(x) result(value)", *indented(lines), f"end function {name}", ""]
    return "\n".join(map(continued, text))


class _FortranEntry:
    """The subroutine of one program, and those of its regions."""

    def __init__(self, names: ModuleNames, program: Program) -> None:
        self.names, self.program, self.addresses = names, program, AddressNames(program)
        written = {b for region in program.regions for b in buffers_of(region)[1]}
        self.written = written | {o.name for o in program.outputs}
        self.sizes = {b.name: b.size for b in program.buffers}

    def write(self, name: str) -> list[str]:
        """The subroutines, the program's own last."""
        program, buffers = self.program, self.names.buffers
        arguments = [buffers[b.name] for b in outer(program)]
        declared = [self._declare(b.name, b.name in self.written, isinstance(b, Output)) for b in outer(program)]
        regions = program.regions
        if len(regions) == 1 and isinstance(regions[0], Block) and not program.work:
            return [procedure(name, arguments, [*declared, *self._code(regions[0], 0, self.names.local(), {})])]
        calls, texts = list[str](), list[str]()
        for k, region in enumerate(regions):
            if isinstance(region, Solve):
                function = self.names.names.take(f"{name}_solve_{region.name}")
                passed = [buffers[b] for b in (region.matrix, region.right, region.result)]
                texts.append(solve(function, region))
            else:
                part = region.name if isinstance(region, Scan) else f"part{k + 1}"
                function = self.names.names.take(f"{name}_{part}")
                own = [b for b in touched(region) if b not in self.names.numbers]
                passed, written = [buffers[b] for b in own], buffers_of(region)[1]
                pointers = [self._declare(b, b in written, False) for b in own]
                if isinstance(region, Scan):
                    body, about = self._scan(region), f"Scan '{region.name}': {region.steps} steps."
                else:
                    body, about = self._code(region, 0, self.names.local(), {}), f"Part {k + 1} of {len(regions)}."
                texts.append(procedure(function, passed, [*pointers, *body], about))
            calls.append(f"call {function}({', '.join(passed)})")
        memory = [w for w in program.work if not w.table]
        work = [f"real(rk) :: {buffers[w.name]}(0:{max(w.size, 1) - 1})" for w in memory]
        zeros = [f"{buffers[w.name]} = 0" for w in memory if w.zeroed]
        return [*texts, procedure(name, arguments, [*declared, *work, *zeros, *calls])]

    def _declare(self, buffer: str, written: bool, output: bool) -> str:
        intent = "out" if output else "inout" if written else "in"
        return f"real(rk), intent({intent}) :: {self.names.buffers[buffer]}(0:{self.sizes[buffer] - 1})"

    def _scan(self, region: Scan) -> list[str]:
        """A loop over the steps, with a choice where there are several kinds. An index is computed if it is evenly
        spaced, looked up otherwise."""
        names = self.names.local()
        rows = {r: (names.take(f"i{r}"), names.take(f"row{r}")) for r in range(len(region.rows))}
        kinds, indices = names.take("kinds"), {r: index for r, (index, _) in rows.items()}

        def start(r: int) -> str:
            step, first = stride(region.rows[r]), region.rows[r][0] if region.rows[r] else 0
            if step is None:
                return f"{rows[r][1]}(step)"
            return f"{first} {'-' if step < 0 else '+'} {abs(step)}*step"

        used = sorted({r for code in region.codes for r in code.rows})
        declared = ["integer :: step", *(f"integer :: {rows[r][0]}" for r in used)]
        for r in used:
            declared += integers(rows[r][1], region.rows[r]) if stride(region.rows[r]) is None else []
        steps, variables = list[list[str]](), list[str]()
        for kind, code in enumerate(region.codes):
            lines = self._code(region, kind, names, indices)
            variables += [line for line in lines if line.startswith("real(rk) ::")]
            starts = [f"{rows[r][0]} = {start(r)}" for r in code.rows]
            steps.append([*starts, *(line for line in lines if not line.startswith("real(rk) ::"))])
        loop = steps[0]
        if len(steps) > 1:
            declared += integers(kinds, region.kinds)
            cases = [[f"case ({k})", *indented(lines)] for k, lines in enumerate(steps)]
            loop = [f"select case ({kinds}(step))", *(line for lines in cases for line in lines), "end select"]
        return [*declared, *variables, f"do step = 0, {region.steps - 1}", *indented(loop), "end do"]

    def _code(self, region: Block | Scan, kind: int, names: UniqueNames, rows: Mapping[int, str]) -> list[str]:
        """The lines of a code, declarations first; ``rows`` has the variables of a scan's indices."""

        def element(a: Address) -> str:
            terms = [rows[a.row]] if a.row >= 0 else []
            terms += [str(a.offset)] if a.offset or not terms else []
            return f"{self.names.buffers[a.buffer]}({' + '.join(terms)})"

        def line(x: Statement | Assignment) -> str:
            if isinstance(x, Assignment):
                return f"{x.target} = {f'{x.target} + ({x.text})' if x.add else x.text}"
            about = f" ! {comment(x.description)}" if x.description else ""
            return f"{x.name} = {x.text}{about}"

        scan = region if isinstance(region, Scan) else None
        wish = partial(self.addresses.name, scan=scan)
        lines = code_lines(region, kind, names, F2008, element, wish, self.names.function)
        variables = [x.name for x in lines if isinstance(x, Statement)]
        declared = [f"real(rk) :: {', '.join(variables[k : k + 8])}" for k in range(0, len(variables), 8)]
        return [*declared, *map(line, lines)]


def _about(names: ModuleNames, programs: Mapping[str, Program], version: str) -> list[str]:
    """What the module computes, from what, and how it is called."""
    filled_by = {o.name: names.entries[suffix] for suffix, p in programs.items() for o in p.outputs}
    lines = [f"{names.module}: generated by freebody {version}.", ""]
    lines += ["Arguments are arrays that begin at 0. The subroutines allocate nothing and keep nothing between calls."]
    for name, b in names.outer.items():
        lines += [f"{names.buffers[name]}({b.size})" + (f": filled by {filled_by[name]}" if name in filled_by else "")]
        if isinstance(b, Output) and len(b.shape) > 1:
            lines += [f"  {' x '.join(map(str, b.shape))} numbers, row after row"]
        if isinstance(b, Group):
            nothing = [""] * b.size
            described = zip(b.elements, b.units or nothing, b.descriptions or nothing, strict=True)
            for k, (element, unit, about) in enumerate(described):
                text = element + (f" ({unit})" if unit else "") + (f": {about}" if about else "")
                lines += [f"  ({k}) {text}"] if element != f"{name}[{k}]" else []
    return lines
