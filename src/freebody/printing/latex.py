"""A program as LaTeX (amsmath): its inputs, then aligned equations with comments."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freebody.printing.listing import Loop, Part, listing, some
from freebody.program.program import Program, Solve
from freebody.scalar import tex
from freebody.scalar.notation import short

NOTATION = replace(tex.LATEX, tidy=short)
PAGE = 30  # rows of one alignment
DOTS = r"\dots"
PLUS = r"\mathrel{+}="


def emit(program: Program) -> str:
    """The program, to be put into a document that uses amsmath."""
    inputs, parts = listing(program, NOTATION)
    lines = [rf"\noindent\textbf{{{tex.escape(program.name)}}}"]
    for group in (g for g in program.groups if g.size):
        blank = ("",) * group.size
        remarks = zip(group.descriptions or blank, group.units or blank, strict=True)
        texts = (" ".join([d, *([f"[{u}]"] if u else [])]).strip() for d, u in remarks)
        rows = [f"& {n}{tex.remark(t)}" for n, t in zip(inputs[group.name], texts, strict=True)]
        lines += [rf"\par\noindent {tex.escape(group.name)}:", *_align(rows)]
    zeroed = ", ".join(w.name for w in program.work if w.zeroed)
    lines += [rf"\par\noindent zero at the start: {tex.escape(zeroed)}"] if zeroed else []
    for table in program.tables:
        numbers = some(table.values, DOTS, lambda v: NOTATION.number(short(v)))
        lines += [rf"\par\noindent ${tex.name(table.name)} = ({numbers})$"]
    for part in parts:
        lines += _part(part)
    return "\n".join(lines) + "\n"


def _align(rows: Sequence[str]) -> Iterator[str]:
    for k in range(0, len(rows), PAGE):
        yield from (r"\begin{align*}", " \\\\\n".join(rows[k : k + PAGE]), r"\end{align*}")


def _part(part: Part) -> Iterator[str]:
    if isinstance(part, Loop):
        yield rf"\par\noindent for each step $i = 0, \dots, {len(part.scan.kinds) - 1}$ ({tex.escape(part.scan.name)}):"
        for name, values in part.indices.items():
            yield rf"\par\noindent $({tex.name(name)}) = ({some(values, DOTS)})$"
        for kind, formulas in enumerate(part.kinds):
            if len(part.kinds) > 1:
                yield rf"\par\noindent at $i \in \{{{some(part.steps(kind), DOTS)}\}}$:"
            yield from _part(formulas)
    elif isinstance(part, Solve):
        A, b, x = (tex.name(n) for n in (part.matrix, part.right, part.result))
        n, order = part.size, some(part.plan.order, DOTS)
        rows = f", multipliers ${some(part.multipliers, DOTS)}$" if part.multipliers else ""
        yield rf"\par\noindent solve ({tex.escape(part.name)}, ${n}$ unknowns{rows}, order ${order}$)"
        yield from _align([rf"{A} {x} &= {b} && {x} \in \mathbb{{R}}^{{{n} \times {part.right_sides}}}"])
    else:
        yield from _align([f"{x.name} &{PLUS if x.add else '='} {x.text}{tex.remark(x.description)}" for x in part])
