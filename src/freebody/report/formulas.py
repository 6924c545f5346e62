"""The equations of motion on a page: what they are, line by line, what each line means, and what they cost."""

from collections.abc import Iterator, Mapping, Sequence

from freebody import quantities
from freebody.formulations.equations import Equations
from freebody.printing import mathml
from freebody.program.count import count
from freebody.program.program import Program
from freebody.program.stage import stage
from freebody.report.html import Html, fold, html, join, note, table, tag

LINES = 500
"""Lines of a listing that are shown."""

OPEN = 40
"""Listings of up to this many operations are not folded."""

LARGEST = 20_000
"""Operations beyond which a listing is not written at all: nobody would read it."""

WIDEST = 40
"""Speeds up to which the pattern of M is drawn."""

CONVERTING = ("to_standard", "from_standard")
"""Quantities that are no part of a page."""


def equations(e: Equations) -> Html:
    """q̇, M, f, ż, the outputs, and u̇ with its elimination, each a listing."""
    law = mathml.markup(r"\dot{q} = N u + n"), mathml.markup(r"M \dot{u} = f + \tau")
    parts = [tag("p", Html(",&emsp; ".join(law)), class_="display"), *_pattern(e)]
    for (title, meaning), (program, meanings) in _programs(e):
        parts.append(_listing(title, meaning, program, meanings))
    return join(parts)


Said = tuple[Program, Mapping[str, str]]  # a program, and what its results mean


def _programs(e: Equations) -> Iterator[tuple[tuple[str, str], Said]]:
    system = e.forest.system
    if e.layout.q:
        yield ("Kinematics", "q̇, the rates of the coordinates"), _rates(e)
    if e.layout.u:
        yield ("Mass matrix", "M, what resists u̇: its lower triangle"), _mass(e)
        yield ("Forces", "f, all else: loads, springs, gravity, and what is left of the accelerations"), _forces(e)
    if system.states:
        yield ("States", "ż, the rates of the extra states"), _states(e)
    if system.outputs:
        yield ("Outputs", "along the ground's axes where they are vectors"), _outputs(e)
    if e.layout.u:
        yield ("Forward dynamics", "u̇, everything above solved for it"), _accelerations(e)


def _named(e: Equations, title: str, results: Mapping[str, int], meanings: Mapping[str, str], *more: str) -> Said:
    a = e.assembly(title, *more)
    for name, handle in results.items():
        a.output(name, handle)
    return a.program(), meanings


def _rates(e: Equations) -> Said:
    names = [f"q_dot.{n}" for n in e.layout.q]
    said = {f"q_dot.{n}": f"rate of coordinate {n}" for n in e.layout.q}
    return _named(e, "q_dot", dict(zip(names, e.q_dot, strict=True)), said)


def _mass(e: Equations) -> Said:
    u = e.layout.u
    found = {f"M_{i + 1}_{j + 1}": h for (i, j), h in sorted(e.mass.items())}
    said = {f"M_{i + 1}_{j + 1}": f"mass matrix, row {u[i]}, column {u[j]}" for i, j in e.mass}
    return _named(e, "mass_matrix", found, said)


def _forces(e: Equations) -> Said:
    names = [f"f_{k + 1}" for k in range(len(e.layout.u))]
    said = {f: f"generalised force on {n}" for f, n in zip(names, e.layout.u, strict=True)}
    return _named(e, "bias", dict(zip(names, e.force, strict=True)), said)


def _states(e: Equations) -> Said:
    states = e.forest.system.states
    rates = e.spoken([s.rate.handle for s in states.values()])
    said = {f"z_dot.{n}": f"rate of {n}" for n in states}
    return _named(e, "states", dict(zip(said, rates, strict=True)), said)


def _outputs(e: Equations) -> Said:
    """The outputs, as functions of u̇ where they use accelerations."""
    found: dict[str, int] = {}
    for name, nodes in e.outputs.items():
        parts = [name] if len(nodes) == 1 else [f"{name}.{c}" for c in "xyz"]
        found |= dict(zip(parts, nodes, strict=True))
    more = ["u_dot"] if e.later(list(found.values())) else []
    return _named(e, "outputs", found, dict.fromkeys(found, "output"), *more)


def _accelerations(e: Equations) -> Said:
    a = e.assembly("forward_dynamics", "tau")
    right = [e.graph.add(f, t) for f, t in zip(e.force, e.tau, strict=True)]
    for name, handle in zip(e.layout.u, e.solve(a, right), strict=True):
        a.output(f"u_dot.{name}", handle)
    return a.program(), {f"u_dot.{n}": f"rate of speed {n}" for n in e.layout.u}


def _listing(title: str, meaning: str, program: Program, meanings: Mapping[str, str]) -> Html:
    total = count(stage(program).main).total
    text = join([title, tag("span", f"{meaning} · {total:,} operations", class_="note")], " ")
    if total > LARGEST:
        return fold(text, note(f"More than {LARGEST:,} operations are not listed here; to_text() lists them all."))
    return fold(text, tag("div", Html(mathml.emit(program, meanings, LINES)), class_="wide"), total <= OPEN)


def _pattern(e: Equations) -> list[Html]:
    """Which entries of M there are: a mark for each."""
    u = e.layout.u
    if not 2 <= len(u) <= WIDEST:
        return []
    rows = [tag("tr", tag("th", n), *_marks(e, i)) for i, n in enumerate(u)]
    found, all_ = len(e.mass), len(u) * (len(u) + 1) // 2
    picture = tag("table", join(rows), class_="pattern")
    caption = tag("figcaption", f"The pattern of M: {found} of {all_} entries of its lower triangle are not zero.")
    return [tag("figure", tag("div", picture, class_="wide"), caption)]


def _marks(e: Equations, i: int) -> Iterator[Html]:
    for j in range(len(e.layout.u)):
        there = (max(i, j), min(i, j)) in e.mass
        yield Html('<td class="there"></td>' if there else "<td></td>")


def costs(e: Equations) -> Html:
    """Operations of every quantity, per call and once per parameter set."""
    columns = ("quantity", "what", "operations", "×", "+ −", "÷", "functions", "once per parameter set")
    rows = [_cost(e, name) for name in _quantities(e)]
    return join([
        tag("p", "Multiplications, additions and divisions of one call. What depends on parameters alone is computed"
                 " once for each set of them and not counted again; signs are free."),
        table(columns, rows, ("operations", "×", "+ −", "÷", "once per parameter set")),
    ])  # fmt: skip


def _quantities(e: Equations) -> Sequence[str]:
    """Those that these equations have, and of a very large system those that a run needs."""
    few = ["forward_dynamics", "mass_matrix", "bias", "q_dot"]
    found = quantities.listed() if len(e.layout.u) <= 2 * WIDEST else few
    absent = {*CONVERTING} | ({"outputs"} if not e.forest.system.outputs else set())
    absent |= {"reactions"} if e.standard != list(e.layout.u_handles) else set()
    return [n for n in found if n not in absent]


def _cost(e: Equations, name: str) -> Sequence[object]:
    staged = stage(quantities.program(e, name))
    once, each = count(staged.setup).total if staged.setup is not None else 0, count(staged.main)
    calls = ", ".join(f"{n} {function}" for function, n in each.calls.items())
    numbers = (f"{n:,}" for n in (each.total, each.mul, each.add, each.div))
    return (tag("code", html(name)), quantities.QUANTITIES[name].meaning, *numbers, calls or "–", f"{once:,}")
