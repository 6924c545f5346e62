"""MathML: the formulas mean what the program computes, and any name is safe."""

import math
import re
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

from freebody.printing import mathml
from freebody.program.assemble import program
from freebody.program.evaluate import evaluate
from freebody.scalar import ops, tex
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.scalar.parse import parse
from freebody.scalar.printing import written
from freebody.scalar.symbol import Kind
from tests.backends.pendulum import pendulum
from tests.printing.hostile_names import hostile
from tests.printing.mathml_reader import formulas, leaf, read
from tests.program_cases import CASES, Case, every_operation


def test_formulas_of_every_operation_match_the_evaluator() -> None:
    case = every_operation()
    given = case.inputs(np.random.default_rng(3))
    known = {leaf(n): float(v) for g in case.program.groups for n, v in zip(g.elements, given[g.name], strict=True)}
    read(mathml.emit(case.program), known)
    wanted = evaluate(case.program, given).values
    found = np.array([known[leaf(f"all[{k}]")] for k in range(len(wanted["all"]))])
    assert np.allclose(found, wanted["all"], rtol=1e-13, atol=1e-13)
    assert np.isclose(known[leaf("one")], wanted["one"], rtol=1e-13)


def test_formulas_of_the_pendulum_match_the_evaluator() -> None:
    """The lines before the solve give its M and f."""
    made = pendulum()
    given = {"parameters": [1.3, 0.7, 9.81], "q": [0.4, -0.9], "u": [1.1, 0.3]}
    known = {leaf(n): float(v) for g in made.groups for n, v in zip(g.elements, given[g.name], strict=True)}
    page = mathml.emit(made)
    before = page[: page.index("<p>")]
    read(before, known)
    m, l, g = given["parameters"]
    assert math.isclose(known[leaf("M_11")], m * l**2 * (5 / 3 + math.cos(-0.9)), rel_tol=1e-14)
    weight = 3 * m * l * g / 2 * math.sin(0.4) + m * l * g / 2 * math.sin(0.4 - 0.9)
    turning = m * l**2 / 2 * math.sin(-0.9) * (1.4**2 - 1.1**2)
    assert math.isclose(known[leaf("f_1")], turning - weight, rel_tol=1e-13)
    assert "ω of lower along y" in before and "part of <math><msub><mi>M</mi><mn>11</mn></msub></math>" in before
    assert "2 unknowns, 3 of 3 entries" in page


DOTTED = '<mover><mi>{}</mi><mo lspace="0" rspace="0" scriptlevel="0">.</mo></mover>'


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("q", "<mi>q</mi>"),
        ("q1", "<msub><mi>q</mi><mn>1</mn></msub>"),
        ("omega", "<mi>ω</mi>"),
        ("lambda", "<mi>λ</mi>"),
        ("mass", "<mi>mass</mi>"),
        ("u_dot", DOTTED.format("u")),
        ("spring''", "<msup><mi>spring</mi><mrow><mo>′</mo><mo>′</mo></mrow></msup>"),
        ("u.bus.wx", "<msub><mi>u</mi><mrow><mi>bus</mi><mo>,</mo><msub><mi>w</mi><mi>x</mi></msub></mrow></msub>"),
        ("q_dot.arm", f"<msub>{DOTTED.format('q')}<mi>arm</mi></msub>"),
        ("größe <b>", "<mtext>größe &lt;b&gt;</mtext>"),
        ("q.a b", "<msub><mi>q</mi><mtext>a b</mtext></msub>"),
    ],
)
def test_names_in_mathml(name: str, shown: str) -> None:
    assert mathml.markup(mathml.NOTATION.name(name)) == f"<math>{shown}</math>"


@pytest.mark.parametrize("text", ["a b", "½ m v²", "ω̇ of {x} \\ ~ ^ # % & $", "<b>", "λ·Ω − ∂x × y³", "q̈, é̇, ẋ"])
def test_any_text_is_shown_verbatim(text: str) -> None:
    (shown,) = ElementTree.fromstring(mathml.markup(mathml.name(text)))
    assert (shown.tag, shown.text) == ("mtext", text)


def test_powers_of_functions_and_of_names_with_subscripts() -> None:
    g = Graph()
    x = g.symbol("q1", Kind.COORDINATE)
    squares = [g.mul(h, h) for h in (x, g.sin(x), g.build[ops.TANH](x))]
    shown = [written(g, h, mathml.NOTATION)[1] for h in squares]
    at = mathml.fenced("(", mathml.name("q1"))
    assert shown[0] == "<msubsup><mi>q</mi><mn>1</mn><mn>2</mn></msubsup>"
    assert shown[1] == f"<msup><mi>sin</mi><mn>2</mn></msup>{mathml.APPLY}{at}"
    assert shown[2] == f"<msup><mrow><mi>tanh</mi>{mathml.APPLY}{at}</mrow><mn>2</mn></msup>"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (3, "<mn>3</mn>"),
        (-2.5, "<mo>−</mo><mn>2.5</mn>"),
        (-0.0, "<mo>−</mo><mn>0.0</mn>"),
        (Fraction(1, 3), "<mfrac><mn>1</mn><mn>3</mn></mfrac>"),
        (1e-7, "<msup><mn>10</mn><mrow><mo>−</mo><mn>7</mn></mrow></msup>"),
        (2.5e30, "<mn>2.5</mn><mo>·</mo><msup><mn>10</mn><mn>30</mn></msup>"),
        (math.inf, "<mi>∞</mi>"),
    ],
)
def test_numbers_in_mathml(value: Number, shown: str) -> None:
    assert mathml.number(value) == shown


def test_sums_may_be_broken_only_before_signs() -> None:
    g = Graph()
    for n in "xyz":
        g.symbol(n, Kind.COORDINATE)
    text = mathml.markup(written(g, parse(g, "-x + sin(y - z)*(x + 2) - y/z"), mathml.NOTATION)[1])
    assert text.count("<math>") == 3 and text.count('form="infix"') == 2


def test_every_operation_and_greek_letter_is_supported() -> None:
    assert set(mathml.NOTATION.forms) | {ops.CONST, ops.SYMBOL} == {o.code for o in ops.OPS}
    for n in tex.GREEK:
        assert re.fullmatch(r"<mi>\w</mi>", mathml.name(n)) and mathml.name(n) == mathml.name(mathml.name(n)[4])


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_every_program_can_be_printed(case: Case) -> None:
    text = mathml.emit(case.program)
    assert ElementTree.fromstring(f"<p>{text.replace('<wbr>', '')}</p>") is not None


HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "]]>", "-->", "--&gt;", "&lt;", "'", "</math>",
    "a" * 3000, "\\", "{", "}}", "$x$", r"\text{x}",
]  # fmt: skip


def test_hostile_names_are_escaped() -> None:
    g = Graph()
    total = g.zero
    for n in HOSTILE:
        s = g.symbol(n, Kind.COORDINATE, f"{n}\n{n}", n)
        total = g.label(g.add(total, g.mul(s, g.sin(total))), f"{n} again", f"</td> {n} \u202e\x00\ud800\n</table>")
    symbols = [h for n in HOSTILE if (h := g.named(n)) is not None]
    for made in (program("</p><script>", g, {"<q>": symbols}, {"<y>": total}), hostile()):
        text = mathml.emit(made, {"<y>": "<script>"})
        found = {e.tag for e in ElementTree.fromstring(f"<p>{text.replace('<wbr>', '')}</p>").iter()}
        assert found <= {
            "p",
            "table",
            "tr",
            "th",
            "td",
            "math",
            "mi",
            "mn",
            "mo",
            "mtext",
            "mrow",
            "msub",
            "msup",
            "msubsup",
            "mfrac",
            "msqrt",
            "mover",
            "mtable",
            "mtr",
            "mtd",
        }
        assert all(c.isprintable() or c in "\n\u2061\u2062" for c in text)


def test_long_programs_are_truncated_with_a_note() -> None:
    page = mathml.emit(pendulum(), most=4)
    assert len(formulas(page)) == 4
    assert "more lines are not shown here" in page
