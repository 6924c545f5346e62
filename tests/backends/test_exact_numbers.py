"""Exact numbers stay exact in SymPy, listings, LaTeX and MathML; in C they are the nearest double."""

import re
from fractions import Fraction
from random import Random

import pytest
import sympy

import freebody as fb
from freebody.backends.c.module import emit
from freebody.printing import latex, mathml, text
from freebody.printing.sympy import program_to_sympy, source, to_sympy
from freebody.program.assemble import program
from freebody.program.factor import shortened
from freebody.program.program import Program
from freebody.program.stage import stage
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind

RNG = Random(5)
NUMBERS = [Fraction(1, 12), Fraction(-7, 3), Fraction(1, 1237), Fraction(2**40 + 1, 3**20)]
NUMBERS += [Fraction(5), Fraction(-(2**50))]
NUMBERS += [Fraction(RNG.randint(-(2**31), 2**31), RNG.randint(2, 2**31)) for _ in range(6)]


def scaled(number: Fraction) -> tuple[Graph, int, Program]:
    """number·sin(x) in a graph; a program of this, of number·x·y and of the number itself."""
    g = Graph()
    x, y = (g.symbol(n, Kind.COORDINATE) for n in "xy")
    c = g.const(number)
    product = g.mul(c, g.sin(x))
    outputs = {"number": c, "product": product, "more": g.mul(c, g.mul(x, y))}
    return g, product, program("exact", g, {"q": [x, y]}, outputs)


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_sympy_keeps_exact_numbers(number: Fraction) -> None:
    g, product, made = scaled(number)
    wanted = sympy.Rational(number.numerator, number.denominator)
    (there,) = to_sympy(g, [product])
    assert there.as_coeff_Mul()[0] == wanted
    for p in (made, shortened(made)):
        replacements, outputs = program_to_sympy(p)
        assert outputs["number"] == wanted
        assert outputs["product"].subs(replacements[::-1]).as_coeff_Mul()[0] == wanted
        read: dict[str, object] = {}
        exec(source(p), read)
        assert read["outputs"]["number"] == wanted  # type: ignore[index]
        assert not read["outputs"]["product"].atoms(sympy.Float)  # type: ignore[index]


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_formulas_show_exact_numbers(number: Fraction) -> None:
    _, _, made = scaled(number)
    p, q, minus = abs(number.numerator), number.denominator, "-" * (number < 0)
    for m in (made, shortened(made)):
        assert re.search(rf"number += {minus}{p}/{q}\s" if q > 1 else rf"number += {minus}{p}\s", text.emit(m))
        assert (rf"{minus}\frac{{{p}}}{{{q}}}" if q > 1 else f"{minus}{p}") in latex.emit(m)
        assert (f"<mfrac><mn>{p}</mn><mn>{q}</mn></mfrac>" if q > 1 else f"<mn>{p}</mn>") in mathml.emit(m)


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_c_has_the_nearest_double(number: Fraction) -> None:
    _, _, made = scaled(number)
    literals = re.findall(r"(?<![\w.])\d+\.\d*(?:e[+-]?\d+)?", emit(stage(made), "exact").source)
    assert abs(float(number)) in map(float, literals)


def test_equations_have_the_fractions_of_the_model() -> None:
    """A rod's 1/12 and halves are fractions in SymPy; numbers given as decimals stay decimals."""
    s = fb.System("pendulum")
    m, l = s.parameters(m=1.0, l=2.0)
    s.body("arm", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z"))
    replacements, _ = s.derive().to_sympy()
    found = {n for _, e in replacements for n in e.atoms(sympy.Number)}
    assert {str(n) for n in found if isinstance(n, sympy.Float)} == {"9.81000000000000"}
    assert sympy.Rational(1, 12) in found and sympy.Rational(1, 2) in found
