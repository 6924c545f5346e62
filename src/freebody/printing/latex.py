"""A program as LaTeX (amsmath): its inputs, then its variables and results in alignments, what each is beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freebody.printing.listing import Formulas, Loop, Part, listing
from freebody.program.program import Group, Program, Solve
from freebody.scalar import tex
from freebody.scalar.notation import short

NOTATION = replace(tex.LATEX, tidy=short)
PAGE = 30  # rows of one alignment
MOST = 40  # numbers of an index list or of a table
PLUS = r"\mathrel{+}="


def emit(program: Program) -> str:
    """The program, to be put into a document that uses amsmath."""
    listed = listing(program, NOTATION)
    lines = [rf"\noindent\textbf{{{tex.escape(program.name)}}}"]
    for group in (g for g in program.groups if g.size):
        lines += _group(group, listed.inputs[group.name])
    zeroed = ", ".join(w.name for w in program.work if w.zeroed)
    lines += [rf"\par\noindent zero at the start: {tex.escape(zeroed)}"] if zeroed else []
    for table in program.tables:
        texts = [*(NOTATION.number(short(v)) for v in table.values[:MOST]), *[r"\dots"][: table.size > MOST]]
        lines += [rf"\par\noindent ${tex.name(table.name)} = ({', '.join(texts)})$"]
    for part in listed.parts:
        lines += _part(part)
    return "\n".join(lines) + "\n"


def _align(rows: Sequence[str]) -> Iterator[str]:
    for k in range(0, len(rows), PAGE):
        yield from (r"\begin{align*}", " \\\\\n".join(rows[k : k + PAGE]), r"\end{align*}")


def _group(group: Group, names: Sequence[str]) -> Iterator[str]:
    """The elements of an input, with units and descriptions."""
    blank = ("",) * group.size
    yield rf"\par\noindent {tex.escape(group.name)}:"
    remarks = zip(group.descriptions or blank, group.units or blank, strict=True)
    texts = (" ".join([d, *([f"[{u}]"] if u else [])]).strip() for d, u in remarks)
    yield from _align([f"& {name}{tex.remark(text)}" for name, text in zip(names, texts, strict=True)])


def _part(part: Part) -> Iterator[str]:
    if isinstance(part, Solve):
        return _solve(part)
    return _loop(part) if isinstance(part, Loop) else _align(_rows(part))


def _rows(lines: Formulas) -> list[str]:
    return [f"{x.name} &{PLUS if x.add else '='} {x.text}{tex.remark(x.description)}" for x in lines]


def _loop(loop: Loop) -> Iterator[str]:
    kinds = loop.scan.kinds
    yield rf"\par\noindent for each step $i = 0, \dots, {len(kinds) - 1}$ ({tex.escape(loop.scan.name)}):"
    for name, values in loop.indices.items():
        yield rf"\par\noindent $({tex.name(name)}) = ({_some(values)})$"
    for kind, lines in enumerate(loop.kinds):
        if len(loop.kinds) > 1:
            yield rf"\par\noindent at $i \in \{{{_some([k for k, own in enumerate(kinds) if own == kind])}\}}$:"
        yield from _align(_rows(lines))


def _some(values: Sequence[int]) -> str:
    return ", ".join([*map(str, values[:MOST]), *[r"\dots"][: len(values) > MOST]])


def _solve(solve: Solve) -> Iterator[str]:
    A, b, x = (tex.name(n) for n in (solve.matrix, solve.right, solve.result))
    n, m = solve.size, solve.right_sides
    yield rf"\par\noindent solve ({tex.escape(solve.name)}, ${n}$ unknowns, order ${_some(solve.plan.order)}$)"
    yield from _align([rf"{A} {x} &= {b} && {x} \in \mathbb{{R}}^{{{n} \times {m}}}"])
