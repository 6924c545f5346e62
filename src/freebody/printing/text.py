"""A program as a text listing: named variables in order, with comments."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from freebody.printing.listing import Formulas, Loop, Part, clean, listing, some, wholes
from freebody.program.program import Group, Program, Solve
from freebody.scalar.notation import TEXT, short

NOTATION = replace(TEXT, tidy=short)
INDENT = "    "
CODE = 0.62  # the part of the width that formulas get where they have remarks beside them


def emit(program: Program, *, width: int = 100) -> str:
    """The listing of a program; no line is longer than ``width``."""
    inputs, parts = listing(program, NOTATION)
    outputs = [f"{o.name}[{','.join(map(str, o.shape))}]" if o.shape else o.name for o in program.outputs]
    groups = [g.name for g in program.groups]
    lines = _prose(clean(f"{program.name}({', '.join(groups)}) -> {', '.join(outputs)}"), width)
    for group in (g for g in program.groups if g.size):
        lines += ["", *_prose(clean(group.name), width), *_elements(group, inputs[group.name], width)]
    zeroed = [f"{w.name}[{w.size}]" for w in program.work if w.zeroed]
    if zeroed:
        lines += ["", *_prose(clean(f"zero at the start: {', '.join(zeroed)}"), width)]
    for table in program.tables:
        numbers = some(table.values, write=lambda v: NOTATION.number(short(v)))
        lines += ["", *_prose(clean(f"{table.name}[{table.size}] = {numbers}"), width)]
    for part in parts:
        lines += ["", *_part(part, width)]
    return "\n".join(lines) + "\n"


def _prose(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent + INDENT)


def _elements(group: Group, names: Sequence[str], width: int) -> Iterator[str]:
    """The elements of an input: name, unit, description; names alone in one paragraph."""
    if not any((*group.units, *group.descriptions)):
        yield from _prose(clean(", ".join(names)), width, INDENT)
        return
    blank = ("",) * group.size
    columns = (names, group.units or blank, group.descriptions or blank)
    rows = [tuple(map(clean, row)) for row in zip(*columns, strict=True)]
    widths = [min(24, max(len(r[k]) for r in rows)) for k in (0, 1)]
    for name, unit, description in rows:
        yield from _prose(f"{name:{widths[0]}}  {unit:{widths[1]}}  {description}".rstrip(), width, INDENT)


def _part(part: Part, width: int) -> Iterator[str]:
    if isinstance(part, Loop):
        several = len(part.kinds) > 1
        yield from _prose(f"for each step i of {len(part.scan.kinds)} ({clean(part.scan.name)}):", width)
        for name, values in part.indices.items():
            yield from _prose(f"{name} = {_ranges(values)} for i = 0, 1, …", width, INDENT)
        for kind, formulas in enumerate(part.kinds):
            if several:
                yield from _prose(f"at i = {_ranges(part.steps(kind))}:", width, INDENT)
            yield from _formulas(formulas, width, INDENT * (1 + several))
    elif isinstance(part, Solve):
        n, m, known = part.size, part.right_sides, len(part.entries)
        filled = f", {part.plan.entries - known} more filled in" if part.plan.entries > known else ""
        rows = f" (multipliers: {_ranges(part.multipliers)})" if part.multipliers else ""
        yield from _prose(
            f"solve A x = b ({clean(part.name)}): {n} unknown{'s' * (n > 1)}{rows}, {m} right-hand side{'s' * (m > 1)},"
            f" {known} of {n * (n + 1) // 2} entries in the lower triangle{filled},"
            f" eliminated in the order {_ranges(part.plan.order)}",
            width,
        )
        names = (("A", part.matrix), ("b", part.right), ("x", part.result))
        yield from _prose(", ".join(f"{letter} = {clean(name)}" for letter, name in names), width, INDENT)
    else:
        yield from _formulas(part, width)


def _formulas(formulas: Formulas, width: int, indent: str = "") -> Iterator[str]:
    """Formulas, with what they are in a column to the right. Among formulas with descriptions, one without is part of
    the next that has a name."""
    texts = [f"{indent}{f.name} {'+=' if f.add else '='} {f.text}" for f in formulas]
    remarks = [clean(f.description) for f in formulas]
    if any(remarks):
        whole = wholes(formulas, remarks)
        remarks = [r if whole[k] == k else f"part of {formulas[whole[k]].name}" for k, r in enumerate(remarks)]
    widest = max((len(text) for text, remark in zip(texts, remarks, strict=True) if remark), default=0)
    column, indent = min(widest, int(CODE * width)), indent + INDENT
    for text, remark in zip(texts, remarks, strict=True):
        if not remark:
            yield from fold(text, width, indent)
        elif max(len(text), column) + 4 + len(remark) <= width:
            yield f"{text:{column}}  # {remark}"
        else:
            sides = fold(text, column, indent), textwrap.wrap(remark, width - column - 4)
            for left, right in zip_longest(*sides, fillvalue=""):
                yield f"{left:{column}}  # {right}" if right else left


def _ranges(values: Sequence[int], most: int = 24) -> str:
    """0, 1, 2, 7, 5, 4, 3 as 0–2, 7, 5–3."""
    runs: list[list[int]] = []
    for v in values:
        last = runs[-1] if runs else []
        if last and v - last[-1] in ((1, -1) if len(last) == 1 else (last[1] - last[0],)):
            last.append(v)
        else:
            runs.append([v])
    texts = [f"{r[0]}–{r[-1]}" if len(r) > 2 else ", ".join(map(str, r)) for r in runs]
    return ", ".join([*texts[:most], *["…"][: len(texts) > most]])


def fold(formula: str, width: int, indent: str) -> list[str]:
    """A formula on lines of at most ``width``: broken before + and −, or else after a comma, × or /, outer ones first;
    never inside a name if it can be helped."""
    lines = []
    while len(formula) > width:
        operators = _operators(formula[: width + 3])
        breaks = [(depth, rank, -at) for depth, rank, at in operators if len(indent) < at <= width]
        far = [b for b in breaks if -b[2] > width // 3]
        at = -min(far or breaks, default=(0, 0, -width))[2]
        lines.append(formula[:at].rstrip())
        formula = indent + formula[at:].lstrip()
    return [*lines, formula]


def _operators(formula: str) -> Iterator[tuple[int, int, int]]:
    """Depth, rank and index of each operator."""
    depth, name = 0, False
    for k, c in enumerate(formula):
        name ^= c == "`"
        depth += (c in "([") - (c in ")]")
        if name or k == 0:
            continue
        if formula[k : k + 3] in (" + ", " - "):
            yield depth, 0, k
        elif c in ",*/" and formula[k + 1 : k + 2] != "*" and formula[k - 1] != "*":
            yield depth, 1, k + 1
