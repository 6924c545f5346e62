"""LaTeX: conventional names, safe for any text, and a complete example."""

import re

import pytest

from freebody.printing import latex
from freebody.program.assemble import program
from freebody.scalar import ops, printing, tex
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind
from tests.backends.pendulum import pendulum
from tests.program_cases import CASES, Case

OWN = tex.GREEK | {
    "noindent", "par", "text", "textbf", "textbackslash", "textasciicircum", "textasciitilde", "textless", "tfrac",
    "textgreater", "begin", "end", "left", "right", "frac", "sqrt", "cdot", "times", "partial", "dot", "ddot", "mathrm",
    "operatorname", "mathrel", "mathbb", "in", "dots", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh",
    "cosh", "tanh", "exp", "ln", "min", "max", "leq", "neq", "lfloor", "rfloor", "infty",
}  # fmt: skip


def sound(text: str) -> None:
    """Assert that there are only known commands, paired braces and dollars, no comments and no parameters."""
    assert set(re.findall(r"\\([A-Za-z]+)", text)) <= OWN
    bare = re.sub(r"\\[^A-Za-z]", "", text)
    depth = 0
    for c in bare:
        depth += (c == "{") - (c == "}")
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    assert not set("%#") & set(bare)
    for opened, closed in ((r"\\left", r"\\right"), (r"\\begin{(\w+\*?)}", r"\\end{(\w+\*?)}")):
        assert len(re.findall(rf"{opened}\b", text)) == len(re.findall(rf"{closed}\b", text))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("q", "q"),
        ("q1", "q_{1}"),
        ("q_1", "q_{1}"),
        ("omega", r"\omega"),
        ("omega_12", r"\omega_{12}"),
        ("ω2", r"\omega_{2}"),
        ("λ", r"\lambda"),
        ("Omega", r"\Omega"),
        ("u_dot", r"\dot{u}"),
        ("q1_ddot", r"\ddot{q}_{1}"),
        ("u̇", r"\dot{u}"),
        ("ẋ3", r"\dot{x}_{3}"),
        ("s_q1", "s_{q_{1}}"),
        ("w_AB_B", r"w_{\mathrm{AB},B}"),
        ("mass", r"\mathrm{mass}"),
        ("bus.qw", r"q_{w,\mathrm{bus}}"),
        ("q.arm", r"q_{\mathrm{arm}}"),
        ("u.bus.wx", r"u_{\mathrm{bus},w_{x}}"),
        ("tau.l1", r"\tau_{l_{1}}"),
        ("u_dot.arm", r"\dot{u}_{\mathrm{arm}}"),
        ("q.a}b", r"q_{\text{a\}b}}"),
        ("M[1,0]", "M_{1,0}"),
        ("u̇.A[1,0]", r"A_{1,0,\dot{u}}"),
        ("v[6*j2 + 1]", "v_{6 j_{2} + 1}"),
        ("spring''", r"\mathrm{spring}''"),
        ("größe", r"\text{größe}"),
        ("2", r"\text{2}"),
        ("a%b", r"\text{a\%b}"),
        ("x_", r"\text{x\_}"),
        ("{}", r"\text{\{\}}"),
        (r"\input{x}", r"\text{\textbackslash{}input\{x\}}"),
    ],
)
def test_names_in_latex(name: str, shown: str) -> None:
    assert tex.name(name) == shown
    sound(tex.name(name))


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("m*l**2/12", r"\frac{m l^{2}}{12}"),
        ("x/(y + 1)", r"\frac{x}{1 + y}"),
        ("sqrt(x)/2", r"\frac{\sqrt{x}}{2}"),
        ("sin(x)**2", r"\sin^{2}\left(x\right)"),
        ("(x + y)**2", r"\left(x + y\right)^{2}"),
        ("(x/y)**2", r"\left(\frac{x}{y}\right)^{2}"),
        ("3*2**x", r"3 \cdot 2^{x}"),
        ("x**(y + 1)", "x^{1 + y}"),
        ("x*1e-9 - 2.5e30", r"10^{-9} x - 2.5 \cdot 10^{30}"),
        ("abs(x - y)", r"\left|x - y\right|"),
        ("2*floor(x)", r"2 \left\lfloor x \right\rfloor"),
        ("x*(x <= y)", r"x \left[x \leq y\right]"),
        ("where(x < y, x, -y)", r"\begin{cases} x & \text{if } x < y \\ -y & \text{otherwise} \end{cases}"),
        ("where(x, 1, 2)", r"\begin{cases} 1 & \text{if } x \neq 0 \\ 2 & \text{otherwise} \end{cases}"),
    ],
)
def test_expressions_in_latex(given: str, shown: str) -> None:
    g = Graph()
    for name in "mlxy":
        g.symbol(name, Kind.PARAMETER if name in "ml" else Kind.COORDINATE)
    found = printing.latex(g, parse(g, given))
    assert found == shown
    sound(found)


def test_every_operation_can_be_written() -> None:
    assert set(tex.LATEX.forms) | {ops.CONST, ops.SYMBOL} == {o.code for o in ops.OPS}


def test_names_with_equal_latex_are_distinguished() -> None:
    g = Graph()
    both = [g.symbol(n, Kind.COORDINATE) for n in ("q1", "q_1")]
    assert printing.latex(g, g.sub(*both)) == "q_{1} - q_{1,2}"


def test_pendulum_in_latex() -> None:
    page = latex.emit(pendulum())
    sound(page)
    for line in (
        r"\noindent\textbf{forward\_dynamics}",
        r"& g && \text{gravity [m/s$^{2}$]}",
        r"w_{\mathrm{lower}} &= u_{1} + u_{2} && \text{$\omega$ of lower along y} \\",
        r"t_{7} &= \frac{t_{6} \sin\left(q_{1} + q_{2}\right)}{2} \\",
        r"A_{\dot{u}} x_{\dot{u}} &= b_{\dot{u}} && x_{\dot{u}} \in \mathbb{R}^{2 \times 1}",
        r"\dot{u}_{1} &= x_{1,\dot{u}} \\",
    ):
        assert line in page.splitlines()


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_every_program_can_be_printed(case: Case) -> None:
    sound(latex.emit(case.program))


HOSTILE = [
    r"\input{/etc/passwd}", "%", "&", "#1", "$x$", "{", "}", "}}", r"\\", "^2", "~", "_", "a_b%c", "\\",
    r"x\end{align*}",
]  # fmt: skip


def test_hostile_names_are_escaped() -> None:
    g = Graph()
    total = g.zero
    for n in HOSTILE:
        s = g.symbol(n, Kind.COORDINATE, f"{n}\n{n}", n)
        total = g.label(g.add(total, g.mul(s, g.sin(total))), f"{n} again", f"}} {n} \x00")
    symbols = [g.named(n) or 0 for n in HOSTILE]
    page = latex.emit(program("}\n%", g, {"\\q": symbols}, {"$y": total}))
    sound(page)
    assert all(c.isprintable() or c == "\n" for c in page)
    sound(printing.latex(g, total))
