"""The equations of motion in a report: formulas of programs with comments and operation counts."""

from collections.abc import Iterator, Sequence

from freebody import quantities
from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.printing import mathml
from freebody.program.count import Operations, count
from freebody.program.program import Program
from freebody.program.stage import stage
from freebody.report.html import fold, note, table
from freebody.tables import Html, join, tag

LINES = 500
"""Lines of a listing that are shown."""

OPEN = 40
"""Listings of up to this many operations are not folded."""

LARGEST = 20_000
"""Operations beyond which a listing is not written."""

WIDEST = 40
"""Speeds up to which the pattern of M is drawn."""

FEW = ("forward_dynamics", "mass_matrix", "bias", "q_dot")
"""Quantities shown of very large systems."""


def equations(e: Derivation) -> Html:
    """q̇, M with its pattern, f, ż, the outputs, and u̇ with its elimination, each a listing."""
    N, u, n, q_dot, M, u_dot, f, tau = map(mathml.name, ("N", "u", "n", "q_dot", "M", "u_dot", "f", "tau"))
    kinematics = mathml.equation(q_dot, mathml.join([N, u]), n)
    dynamics = mathml.equation(mathml.join([M, u_dot]), f, tau)
    parts = [tag("p", Html(f"{kinematics},&emsp; {dynamics}"), class_="display"), *_pattern(e)]
    parts += [note(f"Formulation: {e.choice}.")] if e.choice else []
    for title, meaning, program, meanings, hidden in _parts(e):
        once, each = _counts(program)
        numbers = f"{each.total:,} operations" + (f" and {once:,} once per parameter set" if once else "")
        text = join([title, tag("span", f"{meaning} · {numbers}", class_="note")], " ")
        if once + each.total > LARGEST:
            longer = f"More than {LARGEST:,} operations are not listed here; to_text() lists them all."
            parts.append(fold(text, note(longer)))
        else:
            listing = tag("div", Html(mathml.emit(program, meanings, LINES, hidden)), class_="wide")
            parts.append(fold(text, listing, once + each.total <= OPEN))
    return join(parts)


def _parts(e: Derivation) -> Iterator[tuple[str, str, Program, dict[str, str], Sequence[str]]]:
    """The listed programs, which are those that are counted and compiled: title, meaning, program, what its results
    are, and which of these are left out."""
    model, q, u = e.tree.model, e.layout.q, e.layout.u
    if q:
        rates = {f"q_dot[{k}]": f"rate of coordinate {n}" for k, n in enumerate(q)}
        yield "Kinematics", "q̇, the rates of the coordinates", e.programs["q_dot"], rates, ()
    if u:
        entries = {f"M[{i},{j}]": f"mass matrix, row {u[i]}, column {u[j]}" for i, j in e.mass}
        others = [m for i in range(len(u)) for j in range(len(u)) if (m := f"M[{i},{j}]") not in entries]
        lower = "M, the inertia against u̇: its lower triangle without zeros"
        yield "Mass matrix", lower, e.programs["mass_matrix"], entries, others
        forces = {f"f[{k}]": f"generalised force on {n}" for k, n in enumerate(u)}
        yield "Forces", "f, all else: loads, springs, gravity and inertial forces", e.programs["bias"], forces, ()
    if model.states:
        a = e.assembly("states")
        a.output("z_dot", e.in_own_speeds([s.rate.handle for s in model.states.values()]))
        rates = {f"z_dot[{k}]": f"rate of {n}" for k, n in enumerate(model.states)}
        yield "States", "ż, the rates of the extra states", a.program(), rates, ()
    if model.outputs:
        yield "Outputs", "vectors in the axes of the ground", e.programs["outputs"], {}, ()
    if u:
        rates = {f"u_dot[{k}]": f"rate of speed {n}" for k, n in enumerate(u)}
        yield "Forward dynamics", "u̇, everything above solved for it", e.programs["forward_dynamics"], rates, ()


def _counts(program: Program) -> tuple[int, Operations]:
    """Operations once per parameter set, and of each call."""
    staged = stage(program)
    return count(staged.setup).total if staged.setup is not None else 0, count(staged.main)


def _pattern(e: Derivation) -> list[Html]:
    """Which entries of M there are: a mark for each."""
    u = e.layout.u
    if not 2 <= len(u) <= WIDEST:
        return []
    marks = {True: Html('<td class="there"></td>'), False: Html("<td></td>")}
    rows = []
    for i, name in enumerate(u):
        rows.append(tag("tr", tag("th", name), *(marks[(max(i, j), min(i, j)) in e.mass] for j in range(len(u)))))
    picture, entries = tag("table", join(rows), class_="pattern"), len(u) * (len(u) + 1) // 2
    caption = f"The pattern of M: {len(e.mass)} of {entries} entries of its lower triangle are not zero."
    return [tag("figure", tag("div", picture, class_="wide"), tag("figcaption", caption))]


def costs(e: Derivation) -> Html:
    """Operations of every quantity, per call and once per parameter set; of a very large system, those of a run."""
    rows = []
    for name in quantities.countable(e) if len(e.layout.u) <= 2 * WIDEST else FEW:
        try:
            program = quantities.program(e, name)
        except ModelError:
            if not e.tree.model.constraints:
                raise
            continue  # this quantity does not support constraints
        once, each = _counts(program)
        calls = ", ".join(f"{n} {function}" for function, n in each.calls.items()) or "–"
        numbers = (f"{n:,}" for n in (each.total, each.mul, each.add, each.div))
        rows.append((tag("code", name), quantities.QUANTITIES[name].meaning, *numbers, calls, f"{once:,}"))
    columns = ("quantity", "what", "operations", "×", "+ −", "÷", "functions", "once per parameter set")
    return join(
        [
            tag(
                "p",
                "Multiplications, additions and divisions of one call. What depends on parameters alone is computed"
                " once for each set of them and not counted again; signs are free.",
            ),
            table(columns, rows, ("operations", "×", "+ −", "÷", "once per parameter set")),
        ]
    )
