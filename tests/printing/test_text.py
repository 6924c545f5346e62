"""Listings of programs: their appearance, that they evaluate to the program's values, and that any name is safe."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from freebody.printing import text
from freebody.printing.listing import Loop, listing
from freebody.program.assemble import Assembly, program
from freebody.program.evaluate import Evaluation, evaluate
from freebody.program.program import Program, Solve, Work
from freebody.program.stage import stage
from freebody.scalar import ops
from freebody.scalar.graph import Graph
from freebody.scalar.notation import TEXT, short
from freebody.scalar.symbol import Kind
from tests.backends.pendulum import pendulum
from tests.program_cases import CASES, Case, tables, tree

PENDULUM = """\
forward_dynamics(parameters, q, u) -> u_dot[2], power

parameters
    m  kg    mass of each link
    l  m     length of each link
    g  m/s²  gravity

q
    q1  rad  angle of upper
    q2  rad  angle of lower on upper

u
    u1, u2

w_lower = u1 + u2                                   # ω of lower along y
t1 = l**2                                           # part of M_11
t2 = m*t1                                           # part of M_11
c_q2 = cos(q2)                                      # part of M_11
M_11 = 5*m*t1/3 + t2*c_q2                           # inertia about the first hinge, both links
                                                    # together; also I_c (composite inertia)
t3 = t2/3                                           # part of u̇.A[1,0]
t4 = t2/2                                           # part of f_1
t5 = t4*sin(q2)                                     # part of f_1
t6 = m*l*g                                          # part of f_1
t7 = t6*sin(q1 + q2)/2                              # part of f_1
t8 = u1**2                                          # part of f_1
f_1 = t5*(w_lower**2 - t8) - (t7 + 3*t6*sin(q1)/2)  # generalised force of upper
u̇.A[0,0] = M_11
u̇.A[1,0] = t3 + t4*c_q2
u̇.A[1,1] = t3
u̇.b[0] = f_1
u̇.b[1] = -(t7 + t5*t8)

solve A x = b (u̇): 2 unknowns, 1 right-hand side, 3 of 3 entries in the lower triangle, eliminated
    in the order 1, 0
    A = u̇.A, b = u̇.b, x = u̇.x

u_dot[0] = u̇.x[0]
u_dot[1] = u̇.x[1]
power = u̇.x[0]*f_1 + u̇.x[1]*w_lower
"""

TREE = """\
tree(parameters, q) -> torque[4], total[3]

parameters
    m0, l0, m1, l1, m2, l2, m3, l3

q
    q0, q1, q2, q3

zero at the start: load[10]

pose[0] = 0
pose[1] = 1/2
pose[2] = sin(q0)

for each step i of 4 (outward):
    j = 0, 1, 1, 2 for i = 0, 1, …
    at i = 0, 2:
        t1 = q[i] + pose[3*j]
        pose[3*i + 3] = t1
        pose[3*i + 4] = pose[3*j + 1] + parameters[2*i]*parameters[2*i + 1]*cos(t1)
        pose[3*i + 5] = pose[3*j + 2]
    at i = 1, 3:
        t2 = pose[3*j] + 2*q[i]
        pose[3*i + 3] = t2
        pose[3*i + 4] = pose[3*j + 1] + parameters[2*i]*parameters[2*i + 1]*cos(t2)
        pose[3*i + 5] = pose[3*j + 2] - sin(t2)

for each step i of 4 (inward):
    j = 2, 1, 1, 0 for i = 0, 1, …
    t3 = load[8 - 2*i] + pose[13 - 3*i]/(1 + parameters[7 - 2*i]**2)
    torque[3 - i] = pose[14 - 3*i] + t3
    load[2*j] += t3/2
    load[2*j + 1] += 1

total[0] = load[0]
total[1] = load[1]
total[2] = q3*pose[12]
"""


def test_listing_of_the_pendulum() -> None:
    assert text.emit(pendulum()) == PENDULUM


def test_scans_are_listed_as_loops() -> None:
    case = tree("tree", [-1, 0, 0, 1], [0, 1, 0, 1])
    assert text.emit(case.program) == TREE


def test_tables_are_listed_with_their_first_numbers() -> None:
    assert "\nnumbers[6] = 1/2, -1/4, 3, 1/3, -0.0, 7\n" in text.emit(tables().program)
    long = replace(tables().program, work=(Work("numbers", 50, values=(0.5,) * 50), Work("w", 5)))
    assert text.emit(long).count("1/2") == 40 and "1/2, …\n" in text.emit(long)


# Listings are executed and compared with the program


class Buffer:
    """A program's buffer, indexed flat or as in the listing."""

    def __init__(self, size: int, shape: tuple[int, ...], entries: Any) -> None:
        self.values, self.shape, self.entries = [0.0] * size, shape, entries

    def at(self, index: Any) -> int:
        if isinstance(index, int):
            return index
        return self.entries.index(index) if self.entries else int(np.ravel_multi_index(index, self.shape))

    def __getitem__(self, index: Any) -> float:
        return self.values[self.at(index)]

    def __setitem__(self, index: Any, value: float) -> None:
        self.values[self.at(index)] = value


def buffers(p: Program) -> dict[str, Buffer]:
    shapes = {o.name: o.shape for o in p.outputs}
    entries: dict[str, Any] = {}
    for solve in (r for r in p.regions if isinstance(r, Solve)):
        entries[solve.matrix] = list(solve.entries)
        shapes |= dict.fromkeys((solve.right, solve.result), (solve.size, solve.right_sides))
    return {name: Buffer(size, shapes.get(name, ()), entries.get(name)) for name, size in p.sizes.items()}


def readable(p: Program) -> Any:
    """The listing with names that Python can execute: elements of buffers become items of ``B``."""

    def name(raw: str) -> str:
        found = re.fullmatch(r"(.+)\[(.+)\]", raw)
        if found and found[1] in p.sizes:
            return f"B[{found[1]!r}][{found[2]}]"
        return f"B[{raw!r}][0]" if raw in p.sizes else re.sub(r"\W", lambda m: f"_{ord(m[0])}_", raw)

    return replace(TEXT, name=name, tidy=short)


def run(p: Program, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    memory = buffers(p)
    notation = readable(p)
    named, parts = listing(p, notation)
    scope: dict[str, Any] = {o.name: o.value for o in ops.OPS if o.value is not None}
    for code in p.blocks:
        scope |= {notation.name(t.name): t.value for t in code.tables}
        scope |= {notation.name(f.name): f.function for f, _ in code.calls}
    scope["B"] = memory
    for work in p.tables:
        memory[work.name].values[:] = work.values
    for group, names in named.items():
        memory[group].values[:] = inputs[group].tolist()
        scope |= dict(zip(names, inputs[group].tolist(), strict=True))
    for part in parts:
        if isinstance(part, Solve):
            solve(part, memory)
        elif isinstance(part, Loop):
            for i, kind in enumerate(part.scan.kinds):
                scope |= {"i": i, **{n: v[i] for n, v in part.indices.items()}}
                execute(part.kinds[kind], scope)
        else:
            execute(part, scope)
    return {o.name: np.array(memory[o.name].values).reshape(o.shape) for o in p.outputs}


def execute(lines: Any, scope: dict[str, Any]) -> None:
    for line in lines:
        exec(f"{line.name} {'+=' if line.add else '='} {line.text}", scope)


def solve(part: Solve, memory: dict[str, Buffer]) -> None:
    full = np.zeros((part.size, part.size))
    for value, (i, j) in zip(memory[part.matrix].values, part.entries, strict=True):
        full[i, j] = full[j, i] = value
    right = np.array(memory[part.right].values).reshape(part.size, part.right_sides)
    kept, x = [k for k in range(part.size) if k not in part.multipliers], np.zeros_like(right)
    for k in (k for k in part.plan.order if k in part.multipliers):
        kept += [k] if np.linalg.matrix_rank(full[np.ix_([*kept, k], [*kept, k])]) > len(kept) else []
    x[kept] = np.linalg.solve(full[np.ix_(kept, kept)], right[kept])
    memory[part.result].values[:] = x.ravel().tolist()


def agrees(wanted: Evaluation, found: dict[str, np.ndarray]) -> None:
    for name, value in wanted.values.items():
        assert np.all(np.abs(found[name] - value) <= 64 * wanted.bounds[name] + 1e-12), name


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_listings_evaluate_to_the_program(case: Case) -> None:
    inputs = case.inputs(np.random.default_rng(3))
    agrees(evaluate(case.program, inputs), run(case.program, inputs))


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_listings_of_both_stages_evaluate_to_the_program(case: Case) -> None:
    inputs = case.inputs(np.random.default_rng(4))
    staged = stage(case.program)
    hoisted = run(staged.setup, inputs) if staged.setup else {}
    agrees(evaluate(case.program, inputs), run(staged.main, {**inputs, **hoisted}))


# Width and hostile names


@pytest.mark.parametrize("case", CASES, ids=repr)
@pytest.mark.parametrize("width", [100, 60])
def test_lines_are_limited_in_length(case: Case, width: int) -> None:
    assert max(map(len, text.emit(case.program, width=width).splitlines())) <= width


HOSTILE = ["a + b", "\\", "x" * 300, "`", "π%$", "__import__('os')", "t1", "#", "é ü", "{}[0]", "%s"]


def test_hostile_names_stay_on_their_line() -> None:
    g = Graph()
    symbols = [g.symbol(n, Kind.COORDINATE, "line one\nline two\x00" * 20, "m\n") for n in HOSTILE]
    total = g.zero
    for k, s in enumerate(symbols):
        total = g.label(g.add(total, g.mul(s, g.sin(total))), f"bad\n{k}", "first\r\nsecond " * 12)
    shown = text.emit(program("pro\ngram", g, {"q\t": symbols}, {"y z": total}))
    assert max(map(len, shown.splitlines())) <= 100
    assert all(c.isprintable() or c == "\n" for c in shown)


def test_long_sums_are_broken_at_operators() -> None:
    g = Graph()
    a = [g.symbol(f"first_{k}", Kind.PARAMETER) for k in range(12)]
    b = [g.symbol(f"second_{k}", Kind.COORDINATE) for k in range(12)]
    total = g.zero
    for x, y in zip(a, b, strict=True):
        total = g.add(total, g.mul(x, y))
    shown = text.emit(program("sum", g, {"a": a, "b": b}, {"y": total}), width=50).splitlines()
    first = next(k for k, line in enumerate(shown) if line.startswith("t1 ="))
    assert shown[first : first + 3] == [
        "t1 = first_0*second_0 + first_1*second_1",
        "    + first_2*second_2 + first_3*second_3",
        "    + first_4*second_4",
    ]


def test_inputs_with_equal_names_are_distinguished() -> None:
    g = Graph()
    q, u = g.symbol("q", Kind.COORDINATE), g.symbol("u", Kind.SPEED)
    p = program("same", g, {"q": [q], "u": [u]}, {"y": g.mul(q, u)})
    twins = replace(p, groups=tuple(replace(group, elements=("hinge",)) for group in p.groups))
    assert "y = q.hinge*u.hinge" in text.emit(twins)


def test_values_are_read_before_they_are_overwritten() -> None:
    g = Graph()
    q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(3)]
    a = Assembly("swap", g, {"q": q})
    work = a.array("w", 4)
    for k in range(3):
        a.write(work, k, 0, q[k])
    scan = a.scan("shift", {"here": [0, 1, 2]})
    kernel = scan.kernel()
    x = kernel.read(work, "here")
    kernel.write(work, "here", 0, kernel.graph.mul(x, x))
    kernel.write(a.output_array("y", 3), "here", 0, x)
    a.add(scan)
    lines = text.emit(a.program()).splitlines()
    assert lines[-3:] == ["    w_old = w[i]", "    w[i] = w_old**2", "    y[i] = w_old"]
