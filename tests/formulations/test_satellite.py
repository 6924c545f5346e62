"""Sayers' satellite: Tables 2, 8 and 10 and Eqs 24 and 29 of the paper (Sayers 1991), and its equations by two
formulations. The tables are compared by structure with the print; the body letters are the paper's, B to F."""

import sys
from pathlib import Path

import numpy as np
import pytest

from freebody.formulations.kane import Kane
from freebody.formulations.solve import solve_symmetric
from freebody.model.builder import ModelBuilder
from freebody.papers.composite import Category
from freebody.papers.sayers import Sayers
from freebody.papers.sayers_tables import Cell, SayersNotation, tables
from freebody.program import count, evaluate, stage
from freebody.scalar import Expr, jacobian, jvp
from freebody.scalar.expr import cos, sin
from freebody.tree.tree import span
from tests.papers.test_sayers import JOINTS, SPEEDS, full, make, near, tree, values

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import satellite

CLOSE = 1e-12
B, C, D, E, F = range(5)


@pytest.fixture(scope="module")
def paper() -> Sayers:
    """The formulation with the paper's joint and speeds, so that indices are the paper's."""
    return Sayers(span(satellite.system(paper=True).freeze()), "mass-centre")


def words(route: Sayers, *cells: Cell) -> list[str]:
    text = SayersNotation(route.tree, cells)
    return [text(cell).replace("\xa0", " ") for cell in cells]


def symbols(route: Sayers) -> tuple[list[Expr], list[Expr]]:
    """q and u, numbered from 1 as in the paper."""
    g, layout = route.graph, route.tree.layout
    zero = Expr(g, g.zero)
    return [zero, *(Expr(g, h) for h in layout.q_handles)], [zero, *(Expr(g, h) for h in layout.u_handles)]


def parameter(route: Sayers, *names: str) -> list[Expr]:
    handles = [route.graph.named(n) for n in names]
    return [Expr(route.graph, h) for h in handles if h is not None]


def shift(route: Sayers) -> Expr:
    """P1 = L2 MC/(MB + MC)"""
    MB, MC, L2 = parameter(route, "MB", "MC", "L2")
    return MC * L2 / (MB + MC)


def worth(route: Sayers, *pairs: tuple[Expr, Expr]) -> None:
    """Assert that the nodes of each pair have the same value at a random state."""
    outputs = {"found": [a.handle for a, _ in pairs], "printed": [b.handle for _, b in pairs]}
    x = values(route.tree, 3)
    x["parameters"] = np.random.default_rng(4).uniform(0.5, 2, len(x["parameters"]))
    result = evaluate(make(route.tree, outputs), x).values
    assert np.allclose(result["found"], result["printed"], rtol=CLOSE, atol=CLOSE)


# Table 2


@pytest.mark.paper("000", "14", "19")
def test_categories_match_table_2(paper: Sayers) -> None:
    n, f, t, r = Category.NONRECURSIVE, Category.FIXED, Category.ROTOR, Category.RECURSIVE
    assert [c.translation for c in paper.composites] == [n, f, r, f, r]
    assert [c.rotation for c in paper.composites] == [n, t, r, t, r]
    assert [[c.name for c in body.children] for body in paper.composites] == [["clock", "e"], [], [], [], []]


@pytest.mark.paper("000", "14", "18")
def test_composite_bodies_match_table_2(paper: Sayers) -> None:
    bodies = paper.composites
    MB, MC, L2, IB11, IB22, IB33, IB12 = parameter(paper, "MB", "MC", "L2", "IB11", "IB22", "IB33", "IB12")
    assert [Expr(paper.graph, b.mass) for b in bodies] == [
        MB + MC,
        *parameter(paper, "MC", "MD"),
        MB * 0,
        *parameter(paper, "MF"),
    ]
    x, y, z = bodies[B].centre.resolve(bodies[B].link.frame)
    assert x == y == MB * 0 and z == -shift(paper)
    J = [[Expr(paper.graph, h) for h in row] for row in bodies[B].inertia.matrix(bodies[B].link.frame)]
    more = MB * shift(paper) ** 2 + MC * (L2 - shift(paper)) ** 2
    worth(paper, (J[0][0], IB11 + more), (J[1][1], IB22 + more))
    assert J[2][2] == IB33 and J[0][1] == J[1][0] == IB12


@pytest.mark.paper("000", "14", "19")
def test_other_bodies_keep_their_properties(paper: Sayers) -> None:
    text = words(paper, *(b.inertia for b in paper.composites[C:]), *(b.centre for b in paper.composites[C:]))
    assert text[0] == "IC (b1 b1) + IC (b2 b2) + ICs (b3 b3)"  # a rotor's, in the parent's basis (Eq 19)
    assert text[2:4] == ["0", "IF1 (e1 e1) + IF2 (f2 f2) + IF1 (f3 f3)"]
    assert text[4:] == ["-L2 b3", "-L5 d2 - L6 d3", "0", "-L8 f2"]


# Eqs 24 and 29


@pytest.mark.paper("000", "22")
def test_eq_29_matches_the_print(paper: Sayers) -> None:
    """Node by node."""
    q, u = symbols(paper)
    rate = [None, *(Expr(paper.graph, h) for h in paper.q_dot)]
    C5, S5, C6, S6 = cos(q[5]), sin(q[5]), cos(q[6]), sin(q[6])
    q4 = (u[4] * C6 - u[5] * S6) / C5
    assert rate[4] == q4 and rate[5] == u[5] * C6 + u[4] * S6 and rate[6] == u[6] - q4 * S5
    assert rate[7:] == u[7:]


@pytest.mark.paper("000", "21")
def test_eq_24_matches_the_print(paper: Sayers) -> None:
    """q1' up to the sign of Z2; q2' and q3' in value, because they are printed expanded and derived factored."""
    q, u = symbols(paper)
    C4, S4, C5, S5, C6, S6 = (f(q[k]) for k in (4, 5, 6) for f in (cos, sin))
    Z1, Z2 = shift(paper) * u[5] + u[1], shift(paper) * u[4] - u[2]
    q1, q2, q3 = (Expr(paper.graph, h) for h in paper.q_dot[:3])
    assert q1 == C5 * (C6 * Z1 - S6 * (u[2] - shift(paper) * u[4])) + u[3] * S5
    worth(
        paper,
        (q1, C5 * (Z1 * C6 + Z2 * S6) + u[3] * S5),
        (q2, -(Z2 * (C6 * C4 - S6 * S4 * S5) - Z1 * (C6 * S5 * S4 + C4 * S6) + u[3] * C5 * S4)),
        (q3, u[3] * C5 * C4 + Z1 * (-C6 * C4 * S5 + S6 * S4) - Z2 * (C4 * S5 * S6 + C6 * S4)),
    )


# Tables 8 and 10


@pytest.mark.paper("000", "8", "24")
def test_partial_angular_velocities_match_table_8(paper: Sayers) -> None:
    spins = paper.tables.spins
    assert words(paper, *(list(s.partials.values()) for s in (spins[B], spins[C], spins[E]))) == [
        "b1, b2, b3",
        "b1, b2, b3, b3",
        "b1, b2, b3, b3",
    ]
    more = [[], [6], [6, 7], [8], [8, 9]]  # behind the three of the bus, all counted from 0
    assert [list(s.partials) for s in spins] == [[3, 4, 5, *own] for own in more]
    assert words(paper, *(spins[D].partials[i] for i in (5, 6, 7))) == ["S8 d2 + C8 d3", "S8 d2 + C8 d3", "c1"]
    assert words(paper, *(s.relative for s in spins[C:])) == ["u7 b3", "u8 c1", "u9 b3", "u10 e1"]
    assert words(paper, spins[C].alpha, spins[E].alpha) == ["u5*u7 b1 - u4*u7 b2", "u5*u9 b1 - u4*u9 b2"]
    assert not spins[B].alpha


@pytest.mark.paper("000", "24")
def test_angular_velocities_match_table_8(paper: Sayers) -> None:
    spins = paper.tables.spins
    assert words(paper, spins[B].w, spins[C].carried) == ["u4 b1 + u5 b2 + u6 b3"] * 2
    assert words(paper, spins[C].w) == ["u4 b1 + u5 b2 + (u6 + u7) b3"]
    assert words(paper, spins[D].carried_partials[3]) == ["C7 c1 - S7*C8 d2 + S7*S8 d3"]
    assert words(paper, spins[F].partials[4]) == ["S9 e1 + C9*C10 f2 - C9*S10 f3"]


@pytest.mark.paper("000", "26")
def test_native_bodies_match_table_10(paper: Sayers) -> None:
    letters = dict(zip((link.name for link in paper.links), "BCDEF", strict=True))
    found = ["".join(letters[n.name] if n else "N" for n in paper.tables.natives(link)) for link in paper.links]
    assert found == ["BBBBBBBBBB", "BBBCCBBBBB", "BBBDDDDDBB", "BBBEEEBBBB", "BBBFFFBBFF"]


@pytest.mark.paper("000", "25", "26")
def test_partial_velocities_match_table_10(paper: Sayers) -> None:
    drifts = paper.tables.drifts
    assert words(paper, *(list(drifts[k].partials.values())[:3] for k in (B, C, E))) == [
        "b1, b2, b3",
        "(C7 c1 - S7 c2), (S7 c1 + C7 c2), b3",
        "(C9 e1 - S9 e2), (S9 e1 + C9 e2), b3",
    ]
    assert [list(d.partials) for d in drifts] == [[0, 1, 2], [*range(5)], [*range(8)], [*range(6)], [*range(6), 8, 9]]
    assert words(paper, drifts[D].partials[5], drifts[D].partials[7]) == ["(L5*C8 - L6*S8 - L3) c1", "L6 d2 - L5 d3"]
    assert words(paper, drifts[F].partials[8], drifts[F].partials[9]) == ["L8*C10 e1", "-L8 f3"]
    P1 = "MC*L2/(MB + MC)"
    assert words(paper, drifts[C].arm, drifts[D].arm, drifts[F].arm) == [f"{P1} b3", "L3 c2 - L1 b3", "0"]
    assert words(paper, drifts[E].arm) == [f"-L7 b2 + {P1} b3"]


@pytest.mark.paper("000", "25", "26")
def test_acceleration_terms_of_the_bus_match_table_10(paper: Sayers) -> None:
    """R^B = u6u4 (b3b1 + b1b3) + u4u5 (b1b2 + b2b1) + u5u6 (b3b2 + b2b3) − …, the same above and below the diagonal."""
    R = paper.tables.rotation(paper.links[B]).matrix(paper.links[B].frame)
    _, u = symbols(paper)
    assert [Expr(paper.graph, R[i][j]) for i, j in ((0, 1), (0, 2), (1, 2))] == [u[4] * u[5], u[4] * u[6], u[5] * u[6]]
    assert Expr(paper.graph, R[0][0]) == -(u[5] ** 2 + u[6] ** 2)
    assert all(R[i][j] == R[j][i] for i in range(3) for j in range(3))
    x, y, z = paper.tables.drifts[B].a.resolve(paper.links[B].frame)
    printed = u[5] * u[3] - u[6] * u[2], u[6] * u[1] - u[4] * u[3], u[4] * u[2] - u[5] * u[1]
    worth(paper, *zip((x, y, z), printed, strict=True))


@pytest.mark.paper("000", "28")
def test_first_partial_velocities_of_all_bodies_cancel(paper: Sayers) -> None:
    """Eq 45: b1, b2, b3 remain perpendicular in D and F, so M's first block is diagonal."""
    assert all((i, j) not in paper.mass for i, j in ((1, 0), (2, 0), (2, 1)))
    MB, MC, MD, MF = parameter(paper, "MB", "MC", "MD", "MF")
    worth(paper, *((Expr(paper.graph, paper.mass[k, k]), MB + MC + MD + MF) for k in range(3)))


# The equations


def by_kane(system: ModelBuilder, u: np.ndarray | None = None) -> dict[str, np.ndarray]:
    spanned_tree = span(system.freeze())
    route = Kane(spanned_tree)
    u_dot = solve_symmetric(spanned_tree.graph, route.mass, route.force)
    x = values(spanned_tree, 5)
    made = make(
        spanned_tree, {"M": full(route), "f": route.force, "u_dot": u_dot, "q_dot": list(spanned_tree.layout.q_dot)}
    )
    return evaluate(made, x if u is None else {**x, "u": u}).values


def by_sayers(system: ModelBuilder, speeds: str) -> dict[str, np.ndarray]:
    spanned_tree = span(system.freeze())
    g, layout, route = spanned_tree.graph, spanned_tree.layout, Sayers(spanned_tree, speeds)
    there = list(route.standard)
    A = jacobian(g, there, layout.u_handles)
    drift = jvp(g, there, dict(zip(layout.q_handles, route.q_dot, strict=True)))
    outputs = {
        "M": full(route),
        "f": route.force,
        "u_dot": solve_symmetric(g, route.mass, route.force),
        "q_dot": route.q_dot,
        "there": there,
        "drift": drift,
        "A": [[A.get((i, j), 0) for j in range(10)] for i in range(10)],
        "back": route.from_standard(layout.q_handles, there),
        "here": list(layout.u_handles),
    }
    return evaluate(make(spanned_tree, outputs), values(spanned_tree, 5)).values


@pytest.mark.paper("000", "9", "28")
@pytest.mark.parametrize("speeds", SPEEDS)
@pytest.mark.parametrize("block", [False, True])
def test_kane_and_sayers_give_the_same_motion(block: bool, speeds: str) -> None:
    """M = Aᵀ M₀ A, f = Aᵀ (f₀ − M₀ Ȧu), u̇₀ = A u̇ + Ȧu; v_B* = v_O + ω × r."""
    mine = by_sayers(satellite.system(block), speeds)
    kane, A = by_kane(satellite.system(block), mine["there"]), mine["A"]
    assert near(mine["back"], mine["here"]) and near(mine["q_dot"], kane["q_dot"])
    assert near(mine["M"], A.T @ kane["M"] @ A)
    assert near(mine["f"], A.T @ (kane["f"] - kane["M"] @ mine["drift"]))
    assert near(A @ mine["u_dot"] + mine["drift"], kane["u_dot"])


def test_mass_centre_speeds_of_a_free_bus() -> None:
    """v_B* = v_O + ω × r with r = −P1 b3, in the layout of a free joint, u = (ω, v)."""
    route = Sayers(span(satellite.system().freeze()), "mass-centre")
    q, u = symbols(route)
    made = [Expr(route.graph, h) for h in route.from_standard([x.handle for x in q[1:]], [x.handle for x in u[1:]])]
    P1 = shift(route)
    assert made[:3] == u[1:4] and made[6:] == u[7:]
    assert made[3:6] == [u[4] - P1 * u[2], u[5] + P1 * u[1], u[6]]


@pytest.mark.paper("000", "39")
def test_operation_counts_do_not_increase() -> None:
    """u̇ and q̇ together; the numbers are this project's own and may only decrease."""
    most = {"standard": 1244, "mass-centre": 1269}
    for speeds in SPEEDS:
        spanned_tree = span(satellite.system().freeze())
        route = Sayers(spanned_tree, speeds)
        made = make(
            spanned_tree, {"u_dot": solve_symmetric(spanned_tree.graph, route.mass, route.force), "q_dot": route.q_dot}
        )
        assert count(stage(made).main).total <= most[speeds]


# The report


@pytest.mark.paper("000", "24", "26")
def test_report_is_complete_and_within_100_columns(paper: Sayers) -> None:
    text = tables(paper)
    assert max(map(len, text.splitlines())) <= 100
    for title in ("Table 2.", "Table 7.", "Table 8.", "Table 9.", "Table 10.", "Kinematical equations", "Variables"):
        assert title in text
    assert "Directions of these q  B  n1, (S6 b1 + C6 b2), b3" in text
    assert "D  B, B, B, D, D, D, D, D, B, B" in text
    assert " q6' = u6 - S5*Z1" in text


@pytest.mark.parametrize("speeds", SPEEDS)
def test_reports_of_other_systems(speeds: str) -> None:
    for k, name in enumerate(JOINTS):
        text = tables(Sayers(span(tree(["revolute", name, "ball"], k).freeze()), speeds))
        assert max(map(len, text.splitlines())) <= 100, name
