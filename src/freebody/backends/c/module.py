"""A program as C: a header, and a file with a function for it and one for each of its regions."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from freebody import files
from freebody.backends.c.header import arguments, header
from freebody.backends.c.region import Writer
from freebody.backends.c.solve import scratch, solve
from freebody.backends.c.unit import Unit, define, indented, outer, prototype
from freebody.backends.regions import ON_STACK, touched
from freebody.program.program import Block, Program, Scan, Solve
from freebody.program.split import split
from freebody.program.stage import Staged

CHUNK = 1000
"""Operations in one function: a compiler's time grows faster than linearly (docs/decisions/004)."""


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


def emit(program: Program | Staged, name: str | None = None, chunk: int = CHUNK) -> Source:
    """The program as readable C99. Of a staged one, NAME_setup computes what depends on parameters alone."""
    return compose(program, name, chunk)[0]


def compose(program: Program | Staged, name: str | None = None, chunk: int = CHUNK) -> tuple[Source, Unit]:
    """The C files, and what everything in them is called."""
    programs = {suffix: split(p, chunk) for suffix, p in _programs(program).items()}
    unit = Unit(name or programs[""].name, programs)
    texts = [text for suffix, p in programs.items() for text in _Entry(unit, p).write(unit.entries[suffix])]
    heap = any("malloc(" in text for text in texts)
    includes = [f'#include "{unit.name}.h"\n', "#include <math.h>", *(["#include <stdlib.h>"] if heap else []), ""]
    source = "\n".join([*includes, *unit.helpers(), *texts])
    return Source(header(unit, programs), source, unit.name), unit


def _programs(program: Program | Staged) -> Mapping[str, Program]:
    if isinstance(program, Program):
        return {"": program}
    return {"_setup": program.setup, "": program.main} if program.setup is not None else {"": program.main}


class _Entry:
    """The function of one program, and those of its regions."""

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit, self.program = unit, program
        self.writer = Writer(unit, program)
        self.scratch: dict[str, int] = {}

    def write(self, name: str) -> list[str]:
        """The functions, the program's own last."""
        regions, head = self.program.regions, prototype(name, arguments(self.unit, self.program))
        if len(regions) == 1 and isinstance(regions[0], Block) and not self.program.work:
            return [define(head, [*self._unused(), *self.writer.body(regions[0])])]
        made = [self._region(name, k) for k in range(len(regions))]
        calls = [call for call, _ in made]
        return [*(text for _, text in made), define(head, [*self._unused(), *self._memory(calls)])]

    def _unused(self) -> list[str]:
        """Compilers warn of arguments that a function does not use."""
        used = {b for region in self.program.regions for b in touched(region)}
        return [f"(void){self.unit.buffers[b.name]};" for b in outer(self.program) if b.name not in used]

    def _region(self, entry: str, k: int) -> tuple[str, str]:
        """The call of a region and its function."""
        region, called = self.program.regions[k], self.unit.buffers
        if isinstance(region, Solve):
            name = self.unit.names.take(f"{entry}_solve_{region.name}")
            work = {self.unit.names.take(f"{region.name}_{key}"): size for key, size in scratch(region).items()}
            self.scratch |= work
            passed = [*(called[b] for b in (region.matrix, region.right, region.result)), *work]
            return f"{name}({', '.join(passed)});", solve(name, region)
        name = self.unit.names.take(f"{entry}_{region.name if isinstance(region, Scan) else f'part{k + 1}'}")
        call = f"{name}({', '.join(called[b] for b in touched(region))});"
        if isinstance(region, Scan):
            return call, self.writer.scan(name, region)
        return call, self.writer.block(name, region, f"Part {k + 1} of {len(self.program.regions)}.")

    # Memory

    def _memory(self, calls: list[str]) -> list[str]:
        """The calls between taking and giving back the work buffers."""
        called = self.unit.buffers
        tables = [
            f"const double *const {called[w.name]} = {self.unit.numbers[w.name][0]};" for w in self.program.tables
        ]
        sizes = {called[w.name]: w.size for w in self.program.work if not w.table} | self.scratch
        zeroed = [w for w in self.program.work if w.zeroed]
        zeros = [line for w in zeroed for line in _fill(called[w.name], w.size, "0.0")]
        if 8 * sum(sizes.values()) <= ON_STACK:
            return [*tables, *(f"double {b}[{size or 1}];" for b, size in sizes.items()), *zeros, *calls]
        return [*tables, *self._heap(sizes), *zeros, *calls, "free(memory);"]

    def _heap(self, sizes: Mapping[str, int]) -> list[str]:
        """One piece of memory for all; where there is none, the outputs are NaN."""
        starts = accumulate(sizes.values(), initial=0)
        places = [f"double *const {b} = memory + {start};" for b, start in zip(sizes, starts, strict=False)]
        lost = [line for o in self.program.outputs for line in _fill(self.unit.buffers[o.name], o.size, "NAN")]
        return [
            f"double *const memory = malloc({sum(sizes.values())}*sizeof(double));",
            "if (memory == NULL) {",
            *indented([*lost, "return;"]),
            "}",
            *places,
        ]


def _fill(name: str, size: int, value: str) -> list[str]:
    return [f"for (int entry = 0; entry < {size}; ++entry)", f"    {name}[entry] = {value};"]
