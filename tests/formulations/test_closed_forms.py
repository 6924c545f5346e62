"""Closed forms of mass matrices match textbooks and have the values of the derived ones."""

import re
import time
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

import freebody as fb
from freebody.algebra import ClosedForm, closed_forms, text
from freebody.errors import ExpressionError, ModelError
from freebody.scalar.walk import symbols_of
from tests.mechanisms.symbolic_arms import planar, puma
from tests.scalar.random_expressions import evaluate, mp


def mass(system: fb.System, angles: str = "shortest") -> tuple[Any, dict[tuple[int, int], int], list[int]]:
    """The graph, M's entries, and their closed forms."""
    formulation = system.derive().derivation.formulation
    M = dict(formulation.mass)
    graph = formulation.motion.graph
    return graph, M, closed_forms(graph, list(M.values()), angles)


def texts(system: fb.System, angles: str = "shortest") -> dict[tuple[int, int], str]:
    g, M, forms = mass(system, angles)
    return {entry: re.sub(r"q\.(\d)", r"q\1", text(g, form)) for entry, form in zip(M, forms, strict=True)}


def test_closed_form_of_the_double_pendulum() -> None:
    """Spong, Hutchinson & Vidyasagar, Robot Modeling and Control, section 6.4."""
    assert texts(planar(2)) == {
        (0, 0): "I1 + I2 + m1*c1**2 + m2*(l1**2 + c2**2 + 2*l1*c2*cos(q2))",
        (1, 0): "I2 + m2*c2*(c2 + l1*cos(q2))",
        (1, 1): "I2 + m2*c2**2",
    }


def test_closed_form_of_three_links() -> None:
    M = texts(planar(3))
    assert M[0, 0] == (
        "I1 + I2 + I3 + m1*c1**2 + m2*(l1**2 + c2**2 + 2*l1*c2*cos(q2))"
        " + m3*(l1**2 + l2**2 + c3**2 + 2*l1*l2*cos(q2) + 2*l1*c3*cos(q2 + q3) + 2*l2*c3*cos(q3))"
    )
    assert M[2, 0] == "I3 + m3*c3*(c3 + l1*cos(q2 + q3) + l2*cos(q3))"
    assert M[2, 2] == "I3 + m3*c3**2"


@pytest.mark.parametrize("n", [2, 4, 5])
def test_closed_form_of_planar_chains(n: int) -> None:
    """M₁₁ of n links has cos(q_i + … + q_j) for 2 ≤ i ≤ j ≤ n and no sine; n + Σ k(k + 1)/2 terms when expanded."""
    first = texts(planar(n))[0, 0]
    runs = {" + ".join(f"q{k}" for k in range(i, j + 1)) for i in range(2, n + 1) for j in range(i, n + 1)}
    assert set(re.findall(r"cos\(([^)]*)\)", first)) == runs
    assert "sin" not in first
    bare = re.sub(r"cos\([^)]*\)", "C", first)
    inside = sum(group.count("+") for group in re.findall(r"\(([^)]*)\)", bare))
    terms = re.sub(r"\([^)]*\)", "S", bare).count("+") + 1 + inside
    assert terms == n + sum(k * (k + 1) // 2 for k in range(1, n + 1))


def test_closed_form_of_forces_of_two_links() -> None:
    formulation = planar(2).derive().derivation.formulation
    forms = closed_forms(formulation.motion.graph, list(formulation.force))
    assert [text(formulation.motion.graph, f) for f in forms] == [
        "l1*m2*c2*u.2*sin(q.2)*(2*u.1 + u.2)",
        "-l1*m2*c2*u.1**2*sin(q.2)",
    ]


@pytest.mark.parametrize("formulation", ["crba", "aba", "sayers"])
def test_every_formulation_has_the_same_closed_form(formulation: str) -> None:
    """The texts of M and f are identical, without any tolerance."""
    for system in (planar(3), pendulum()):
        kane, other = system.derive(), system.derive(formulation)
        for quantity in ("mass_matrix", "force"):
            assert _letters(kane.closed_form(quantity)) == _letters(other.closed_form(quantity))


def _letters(forms: Mapping[tuple[str, ...], ClosedForm]) -> dict[tuple[str, ...], str]:
    return {name: str(form) for name, form in forms.items()}


def pendulum() -> fb.System:
    """A cart with a spherical pendulum on two hinges, under gravity."""
    s = fb.System("cart", gravity=(0, 0, "-g"))
    s.parameter("g", 9.81)
    M, m, l = s.parameters(M=2.0, m=1.0, l=0.5)
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=M)
    fork = s.body("fork", on=cart, joint=fb.Revolute("x"), mass=0)
    s.body("rod", on=fork, joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z"))
    return s


def test_equations_have_closed_forms() -> None:
    eq = planar(2).derive()
    M = eq.closed_form("mass_matrix")
    assert list(M) == [("1", "1"), ("2", "1"), ("2", "2")]
    assert M["2", "2"].to_latex() == r"I_{2} + m_{2} c_{2}^{2}"
    with pytest.raises(ModelError, match=r"closed_form needs 'mass_matrix' or 'force', not 'bias'"):
        eq.closed_form("bias")
    with pytest.raises(ExpressionError, match=r"\d terms on its way, 3 are allowed"):
        eq.closed_form(limit=3)


def test_closed_form_of_the_puma() -> None:
    """All 21 entries with 64 parameters in much less than a minute; each entry has the value of the derived one."""
    start = time.process_time()
    g, M, forms = mass(puma())
    assert time.process_time() - start < 30
    rng = Random(1)
    point = {g.symbols[g.a[i]].name: mp.mpf(rng.uniform(-2, 2)) for i in symbols_of(g, list(M.values()))}
    values: dict[int, Any] = evaluate(g, [*M.values(), *forms], point)
    assert all(
        abs(values[a] - values[b]) < 1e-40 * (1 + abs(values[a])) for a, b in zip(M.values(), forms, strict=True)
    )
    shown = {entry: re.sub(r"q\.(\d)", r"q\1", text(g, form)) for entry, form in zip(M, forms, strict=True)}
    assert shown[5, 5] == "Izz6 + m6*(x6**2 + y6**2)"
    assert shown[5, 4] == "m6*z6*(x6*sin(q6) + y6*cos(q6)) - Ixz6*sin(q6) - Iyz6*cos(q6)"
    assert sum(map(len, shown.values())) < 60_000


def test_parallel_axes_give_sums_of_angles() -> None:
    """Joints 2 and 3 of the PUMA are parallel: q2 + q3 appears in M₁₁, which is four times as long in single angles."""
    short, single = (texts(puma(), angles)[0, 0] for angles in ("shortest", "products"))
    assert "cos(q2 + q3)" in short and "q2 + q3" not in single
    assert 3 * len(short) < len(single)
