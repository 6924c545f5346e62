"""Regions as C functions: a block, a scan's loop over its steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.backends.c.names import comment
from freebody.backends.c.notation import C
from freebody.backends.c.unit import Unit, define, indented, integers, pointer, prototype
from freebody.backends.lines import Lines, Put
from freebody.backends.regions import stride, touched
from freebody.printing.addresses import AddressNames
from freebody.program.code import Address, Code
from freebody.program.program import Block, Program, Scan, buffers_of
from freebody.scalar.printing import Names, Statement


@dataclass
class Writer:
    """The regions of one program as functions of a file."""

    unit: Unit
    program: Program

    def __post_init__(self) -> None:
        self.places = AddressNames(self.program)

    def block(self, name: str, region: Block, about: str) -> str:
        """The function of a block."""
        return define(self._head(name, region), self.body(region), about)

    def body(self, region: Block) -> list[str]:
        """The lines of a block."""
        return self._code(region, 0, self.unit.local(), {})

    def scan(self, name: str, region: Scan) -> str:
        """The function of a scan: a loop over its steps, and a choice where there are several kinds."""
        names = self.unit.local()
        rows = {r: (names.take(f"i{r}"), names.take(f"row{r}")) for r in range(len(region.rows))}
        kinds = names.take("kind")
        many = len(region.codes) > 1
        looked_up = [r for r in sorted(set().union(*map(_rows, region.codes))) if stride(region.rows[r]) is None]
        tables = [integers(rows[r][1], region.rows[r]) for r in looked_up]
        tables += [integers(kinds, region.kinds)] if many else []
        steps = [self._step(region, k, names, rows) for k in range(len(region.codes))]
        loop = _switch(f"{kinds}[step]", steps) if many else steps[0]
        body = [*tables, f"for (int step = 0; step < {region.steps}; ++step) {{", *indented(loop), "}"]
        return define(self._head(name, region), body, f"Scan '{region.name}': {region.steps} steps.")

    def _head(self, name: str, region: Block | Scan) -> str:
        written = buffers_of(region)[1]
        arguments = [pointer(self.unit.buffers[b], b in written) for b in touched(region)]
        return prototype(name, arguments, "static void")

    def _step(self, region: Scan, kind: int, names: Names, rows: dict[int, tuple[str, str]]) -> list[str]:
        code = region.codes[kind]
        where = [f"const int {rows[r][0]} = {_row(region.rows[r], rows[r][1])};" for r in sorted(_rows(code))]
        own = self.unit.local()
        own.taken |= names.taken
        return [*where, *self._code(region, kind, own, {r: index for r, (index, _) in rows.items()})]

    def _code(self, region: Block | Scan, kind: int, names: Names, rows: dict[int, str]) -> list[str]:
        def place(a: Address) -> str:
            terms = [rows[a.row]] if a.row >= 0 else []
            terms += [str(a.offset)] if a.offset or not terms else []
            return f"{self.unit.buffers[a.buffer]}[{' + '.join(terms)}]"

        scan = region if isinstance(region, Scan) else None
        lines = Lines(C, place, lambda a: self.places.name(a, scan), self.unit.function)
        return [_line(x) for x in lines.write(region, kind, names)]


def _line(line: Statement | Put) -> str:
    if isinstance(line, Put):
        return f"{line.place} {'+=' if line.add else '='} {line.text};"
    about = f" /* {comment(line.description)} */" if line.description else ""
    return f"const double {line.name} = {line.text};{about}"


def _rows(code: Code) -> set[int]:
    """The indices that a code uses."""
    return {a.row for a in (*code.loads, *(s.to for s in code.stores)) if a.row >= 0}


def _row(rows: Sequence[int], table: str) -> str:
    """Where an index points at this step: computed if evenly spaced, looked up otherwise."""
    step, start = stride(rows), rows[0] if rows else 0
    if step is None:
        return f"{table}[step]"
    times = "step" if abs(step) == 1 else f"{abs(step)}*step"
    if step <= 0:
        return f"{start} - {times}" if step else str(start)
    return f"{times} + {start}" if start else times


def _switch(kind: str, steps: Sequence[list[str]]) -> list[str]:
    cases = [[f"case {k}: {{", *indented([*lines, "break;"]), "}"] for k, lines in enumerate(steps)]
    return [f"switch ({kind}) {{", *(line for lines in cases for line in lines), "}"]
