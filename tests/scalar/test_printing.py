"""Expressions as text: their appearance, and that they evaluate to the graph's values."""

import math
from fractions import Fraction

import numpy as np
import pytest

from freebody.program.assemble import program
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.scalar import ops, printing
from freebody.scalar.graph import Graph
from freebody.scalar.notation import LITERAL, TEXT, Notation, quoted, short
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind
from tests.program_cases import DRAG, SPRING

PARAMETERS = ("m", "l", "p")
SYMBOLS = (*PARAMETERS, "q1", "q2", "u1", "u2")
FUNCTIONS = {o.name: o.value for o in ops.OPS if o.value is not None}


def graph() -> Graph:
    g = Graph()
    for name in SYMBOLS:
        g.symbol(name, Kind.PARAMETER if name in PARAMETERS else Kind.COORDINATE)
    return g


def made(expression: str) -> tuple[Graph, int]:
    g = graph()
    return g, parse(g, expression)


class Real(float):
    """A float with the operators of the graph: 1/0 is ∞, a comparison is a number."""


for _name, _code in {
    "add": ops.ADD,
    "sub": ops.SUB,
    "mul": ops.MUL,
    "truediv": ops.DIV,
    "pow": ops.POW,
    "neg": ops.NEG,
    "lt": ops.LT,
    "le": ops.LE,
    "eq": ops.EQ,
    "ne": ops.NE,
}.items():
    _value = ops.OPS[_code].value
    setattr(Real, f"__{_name}__", lambda *x, f=_value: Real(f(*map(float, x))))
    setattr(Real, f"__r{_name}__", lambda a, b, f=_value: Real(f(float(b), float(a))))


def run(lines: list[str], values: dict[str, float]) -> float:
    """The value of a listing: assignments, and an expression last."""
    scope = {name: lambda *x, f=f: Real(f(*map(float, x))) for name, f in FUNCTIONS.items()}
    scope |= {name: Real(x) for name, x in values.items()}
    for line in lines[:-1]:
        exec(line, scope)
    return float(eval(lines[-1], scope))


# Appearance


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("m*l**2/12", "m*l**2/12"),
        ("l*l*m*u1/12", "m*l**2*u1/12"),
        ("u1/m", "u1/m"),
        ("u1/2", "u1/2"),
        ("2*u1/(3*m)", "2*u1/(3*m)"),
        ("q1*m", "m*q1"),
        ("(q1 + q2)*m", "m*(q1 + q2)"),
        ("sin(q1)*u1*m*l", "m*l*u1*sin(q1)"),
        ("q1**2", "q1**2"),
        ("q1**3", "q1**3"),
        ("q1**4", "q1**4"),
        ("(q1*q2)**2", "(q1*q2)**2"),
        ("(q1 + q2)**4", "(q1 + q2)**4"),
        ("q1**-2", "1/q1**2"),
        ("-q1**2", "-q1**2"),
        ("-(q1 + q2)", "-(q1 + q2)"),
        ("-q1 - q2", "-(q1 + q2)"),
        ("q1 - (q2 - u1)", "q1 - (q2 - u1)"),
        ("q1 + (q2 - u1)", "q1 + q2 - u1"),
        ("q1/(q2/u1)", "q1/(q2/u1)"),
        ("q1/q2/u1", "q1/(q2*u1)"),
        ("q1/(q2 + u1)", "q1/(q2 + u1)"),
        ("0.1*q1 + 1e-9", "0.1*q1 + 1e-09"),
        ("sqrt(q1)/(-2)", "-sqrt(q1)/2"),
        ("q1**q2", "q1**q2"),
        ("q1**(q2*u1)", "q1**(q2*u1)"),
        ("(q1*u1)**q2", "(q1*u1)**q2"),
        ("q1**(-1/3)", "q1**(-1/3)"),
        ("(q1**q2)**u1", "(q1**q2)**u1"),
        ("min(-q1, 2)", "min(-q1, 2)"),
        ("where(q1 < q2, -q1, 1)", "where(q1 < q2, -q1, 1)"),
        ("where(u1, q1, q2)", "where(u1, q1, q2)"),
        ("3*(q1 <= q2)", "3*(q1 <= q2)"),
        ("(q1 < q2) < u1", "(q1 < q2) < u1"),
    ],
)
def test_appearance_of_expressions(given: str, shown: str) -> None:
    g, handle = made(given)
    assert printing.text(g, handle) == shown


def test_repeated_subexpressions_become_variables() -> None:
    g, handle = made("m*l*(cos(q1)*u1 - sin(q1 + q2)*u2) + cos(q1)*(q1 + q2)")
    assert printing.text(g, handle).splitlines() == [
        "c_q1 = cos(q1)",
        "t1 = q1 + q2",
        "m*l*(u1*c_q1 - u2*sin(t1)) + c_q1*t1",
    ]


def test_leaves_and_negated_leaves_do_not_become_variables() -> None:
    g, handle = made("min(-q1, 2)*max(-q1, 2) + atan2(-q1, -2)*q1")
    assert "\n" not in printing.text(g, handle)


def test_tables_and_user_functions_are_printed_by_name() -> None:
    g = graph()
    q = g.named("q1")
    assert q is not None
    both = g.add(g.table(SPRING.derivative, q), g.call(DRAG, [g.neg(q)]))
    assert printing.text(g, both) == "spring'(q1) + drag(-q1)"
    assert printing.latex(g, both) == r"\mathrm{spring}'\left(q_{1}\right) + \mathrm{drag}\left(-q_{1}\right)"


def test_labels_name_and_describe_variables() -> None:
    g = graph()
    w = g.label(parse(g, "u1 + u2"), "w_lower", "ω of lower along y")
    g.label(w, "w3", "third speed")
    g.label(w, "w4")
    assert printing.text(g, g.mul(w, g.const(3))).splitlines() == [
        "w_lower = u1 + u2  # ω of lower along y; also w3 (third speed); also w4",
        "3*w_lower",
    ]
    assert printing.text(g, w) == "u1 + u2"


def test_negatives_with_a_label() -> None:
    g = graph()
    u, w = parse(g, "u1"), parse(g, "u1 + u2")
    back, away = g.label(g.neg(w), "w_back", "seen from below"), g.label(g.neg(u), "u_away")
    root = g.build[ops.MIN](g.build[ops.MAX](w, back), g.build[ops.ATAN2](back, away))
    assert printing.text(g, root).splitlines() == [
        "t1 = u1 + u2",
        "w_back = -t1  # seen from below",
        "min(max(t1, w_back), atan2(w_back, -u1))",
    ]


def test_names_do_not_clash() -> None:
    g = Graph()
    a, b, c = (g.symbol(n, Kind.COORDINATE) for n in ("t1", "s_t1", "t3"))
    sums = [g.add(a, b), g.add(b, c), g.add(a, c)]
    g.label(sums[1], "t2", "a label")
    g.label(sums[2], "t2", "the same label")
    root = g.one
    for k in (*sums, g.sin(a)):
        root = g.add(root, g.mul(k, g.cos(k)))
    lines = printing.text(g, root).splitlines()
    names = [line.split(" = ")[0] for line in lines[:-1]]
    assert names == ["t4", "t2", "t2_2", "s_t1_2"]


def test_unusual_names_are_quoted() -> None:
    strange = ["a + b", "2", "x y", "-q", "sin(q)", "x[", "a.b c"]
    assert [quoted(n) for n in strange] == [f"`{n}`" for n in strange]
    usual = ["q1", "bus.qw", "u̇.x[1,0]", "M[0]", "v[2*i + 1]", "ω", "f'", "link.2"]
    assert [quoted(n) for n in usual] == usual


def test_long_text_is_truncated() -> None:
    g = Graph()
    total = g.zero
    for k in range(60):
        total = g.add(total, g.symbol(f"coordinate{k}", Kind.COORDINATE))
    lines = printing.text(g, total).splitlines()
    assert max(map(len, lines)) <= 108 and len(lines) <= 10
    assert run(lines, {s.name: 1.0 for s in g.symbols}) == 60


def test_numbers_are_exact_or_short() -> None:
    g, q = made("q1")
    shown = [printing.text(g, g.mul(g.const(v), q)) for v in (Fraction(-2, 3), 0.1, 1e300, 2**62, 1 / 3)]
    assert shown == ["-2*q1/3", "0.1*q1", "1e+300*q1", f"{2**62}*q1", "0.3333333333333333*q1"]
    assert [short(v) for v in (1 / 12, 0.1, 0.5, 2.0, -2.5, 9.81, 1e300, math.inf)] == [
        Fraction(1, 12),
        0.1,
        Fraction(1, 2),
        2,
        Fraction(-5, 2),
        9.81,
        1e300,
        math.inf,
    ]


def test_a_notation_that_lacks_an_operation_is_refused() -> None:
    forms = {op: f for op, f in TEXT.forms.items() if op != ops.TANH}
    with pytest.raises(AssertionError, match="cannot write tanh"):
        Notation(forms, str)


# Values


def random_program(seed: int, size: int) -> tuple[Graph, Program, int]:
    """One random expression over all operations except tables and calls."""
    rng = np.random.default_rng(seed)
    g = graph()
    pool = [*(g.named(s) or 0 for s in SYMBOLS), g.const(2), g.const(Fraction(1, 3)), g.const(0.75), g.const(-3)]
    codes = [o for o in ops.OPS if o.value is not None] + [ops.OPS[k] for k in (ops.ADD, ops.SUB, ops.MUL, ops.DIV)] * 6
    while size:
        op = codes[int(rng.integers(len(codes)))]
        handle = g.build[op.code](*(pool[-1 - min(int(rng.exponential(6)), len(pool) - 1)] for _ in range(op.arity)))
        if handle not in g.broken and g.mask[handle]:
            pool.append(handle)
            size -= 1
    groups = {"p": [g.named(s) or 0 for s in PARAMETERS], "q": [g.named(s) or 0 for s in SYMBOLS[3:]]}
    return g, program("random", g, groups, {"x": pool[-1]}), pool[-1]


def numbers(seed: int) -> dict[str, float]:
    return dict(zip(SYMBOLS, np.random.default_rng(seed).uniform(-2, 2, len(SYMBOLS)).tolist(), strict=True))


def value(p: Program, values: dict[str, float]) -> tuple[float, float]:
    """The program's one output and its rounding error bound."""
    found = evaluate(p, {g.name: [values[n] for n in g.elements] for g in p.groups})
    return float(found.values["x"]), float(found.bounds["x"])


@pytest.mark.parametrize("seed", range(300))
def test_text_evaluates_to_the_value_of_the_graph(seed: int) -> None:
    g, p, root = random_program(seed, 1 + seed // 5)
    lines = printing.text(g, root).splitlines()
    values = numbers(seed)
    wanted, bound = value(p, values)
    if math.isfinite(wanted + bound):
        assert abs(run(lines, values) - wanted) <= 64 * bound + 1e-300, "\n".join(lines)


@pytest.mark.parametrize("seed", range(100))
def test_literal_text_has_the_same_operations(seed: int) -> None:
    _, p, _ = random_program(1000 + seed, 30)
    (code,) = p.blocks
    elements = {group.name: group.elements for group in p.groups}

    def leaf(i: int) -> str:
        address = code.loads[code.a[i]]
        return elements[address.buffer][address.offset]

    found, last = printing.statements(code, [s.value for s in code.stores], leaf, LITERAL)
    lines = [*(f"{s.name} = {s.text}" for s in found), *last]
    values = numbers(seed)
    wanted, _ = value(p, values)
    if math.isfinite(wanted):
        assert run(lines, values) == wanted, "\n".join(lines)


@pytest.mark.parametrize("seed", range(40))
def test_printed_text_can_be_parsed(seed: int) -> None:
    g, _, root = random_program(seed, 12)
    lines = printing.text(g, root).splitlines()
    if len(lines) == 1:
        assert printing.text(g, parse(g, lines[0])) == lines[0]


# Depth


@pytest.mark.slow
@pytest.mark.parametrize("op", ["sin", "add", "mul", "div", "neg-min", "where"])
def test_deep_expressions_are_printed(op: str) -> None:
    g = graph()
    x, y = g.named("q1") or 0, g.named("q2") or 0
    e = x
    for _ in range(100_000 if op == "sin" else 5_000):
        e = {
            "sin": lambda e: g.sin(e),
            "add": lambda e: g.add(g.mul(e, y), x),
            "mul": lambda e: g.mul(e, g.sin(g.add(e, y))),
            "div": lambda e: g.div(y, g.add(e, x)),
            "neg-min": lambda e: g.neg(g.build[ops.MIN](e, y)),
            "where": lambda e: g.where(g.build[ops.LT](e, y), x, e),
        }[op](e)
    lines = printing.text(g, e).splitlines()
    assert len(lines) > 400
    assert max(map(len, lines)) <= 120
