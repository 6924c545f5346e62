"""A program as HTML with MathML: its variables and results as rows of tables, what each is beside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from freebody.printing.listing import Line, Lines, Loop, Part, listing
from freebody.printing.mathml.read import markup, names
from freebody.program.program import Program, Solve
from freebody.scalar import tex
from freebody.scalar.notation import short

MOST = 40  # numbers of an index list

NOTATION = replace(tex.LATEX, tidy=short)


def emit(program: Program, meanings: Mapping[str, str] | None = None, most: int = 10**9) -> str:
    """The program's lines, no more than ``most``; ``meanings`` says what results are, by names such as ``u_dot[0]``."""
    said = {NOTATION.name(n): text for n, text in (meanings or {}).items()}
    made, left, more = list[str](), most, 0
    for part in listing(program, NOTATION).parts:
        more += max(0, _size(part) - left)
        made += _part(part, said, left) if left > 0 else []
        left = max(0, left - _size(part))
    note = f'<p class="note">{more} more lines are not shown here; the listing as text has them all.</p>'
    return "\n".join([*made, *[note][: more > 0]])


def _size(part: Part) -> int:
    """Lines of a part."""
    return 1 if isinstance(part, Solve) else sum(map(len, part.kinds)) if isinstance(part, Loop) else len(part)


def _part(part: Part, said: Mapping[str, str], most: int) -> Iterator[str]:
    if isinstance(part, Solve):
        return _solve(part)
    return _loop(part, said, most) if isinstance(part, Loop) else _table(part, said, most)


def _table(lines: Lines, said: Mapping[str, str], most: int) -> Iterator[str]:
    if lines:
        rows = zip(lines[:most], _remarks(lines, said)[:most], strict=True)
        yield "\n".join(['<table class="formulas">', *(_row(line, remark) for line, remark in rows), "</table>"])


def _row(line: Line, remark: str) -> str:
    sign = "+=" if line.add else "="
    return f"<tr><th>{markup(line.name)}</th><td>{sign}</td><td>{markup(line.text)}</td><td>{remark}</td></tr>"


def _remarks(lines: Lines, said: Mapping[str, str]) -> list[str]:
    """What each line is. One that nobody described is part of the first described one that uses it."""
    remarks = [escape(clean(line.description or said.get(line.name, ""))) for line in lines]
    user: dict[str, int] = {}
    for k, line in enumerate(lines):
        for used in names(line.text):
            user.setdefault(used, k)
    whole = list(range(len(lines)))
    for k in reversed(range(len(lines))):
        if not remarks[k] and user.get(lines[k].name, k) > k:
            whole[k] = whole[user[lines[k].name]]
            remarks[k] = f"part of {markup(lines[whole[k]].name)}"
    return remarks


def clean(text: str) -> str:
    """Any text on one line, with visible characters only."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _loop(loop: Loop, said: Mapping[str, str], most: int) -> Iterator[str]:
    kinds = loop.scan.kinds
    yield f"<p>for each step <math><mi>i</mi></math> of {len(kinds)} ({escape(clean(loop.scan.name))}):</p>"
    for index, values in loop.indices.items():
        yield f"<p>{markup(tex.name(index))} = {_some(values)} for <math><mi>i</mi></math> = 0, 1, …</p>"
    for kind, lines in enumerate(loop.kinds):
        if len(loop.kinds) > 1:
            yield f"<p>at <math><mi>i</mi></math> = {_some([k for k, own in enumerate(kinds) if own == kind])}:</p>"
        yield from _table(lines, said, most)
        most = max(0, most - len(lines))


def _some(values: Sequence[int]) -> str:
    return ", ".join([*map(str, values[:MOST]), *["…"][: len(values) > MOST]])


def _solve(solve: Solve) -> Iterator[str]:
    A, b, x = (markup(tex.name(n)) for n in (solve.matrix, solve.right, solve.result))
    n, known = solve.size, len(solve.entries)
    yield (
        f"<p>solve {A} {x} = {b} ({escape(clean(solve.name))}): {n} unknown{'s' * (n > 1)}, {known} of"
        f" {n * (n + 1) // 2} entries in the lower triangle, eliminated in the order {_some(solve.plan.order)}</p>"
    )
