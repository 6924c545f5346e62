"""Λ⁻¹ = J M⁻¹ Jᵀ by Υ and Ω, from unit wrenches, and from M: equal values, and the shortest is used."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.linalg import block_diag

import freebody as fb
from examples.robots import g1, solo12, ur5
from freebody.backends import compile
from freebody.formulations.derivation import Derivation
from freebody.formulations.solve import symmetric
from freebody.program.count import operations
from freebody.quantities.kinematics import Location, matrix
from freebody.quantities.mass_inverse import PointCompliance, factored, upper
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.quantity_cases import EXACT, SEEDS, case

Ways = dict[str, list[list[int]]]


def ways(e: Derivation, places: list[Location]) -> Ways:
    made = PointCompliance(e)
    rows = [row for where in places for row in matrix(e, where.columns(e))]
    by_mass = factored(e.graph, e.mass, len(e.layout.u)).congruence(rows)
    return {"Ω": made.seen(places), "wrenches": made.gram(places), "M": by_mass}


def numbers(e: Derivation, found: Ways, values: Any, q: Any, t: float = 0.0) -> dict[str, np.ndarray]:
    a = e.assembly("ways")
    for name, way in found.items():
        a.output(name, symmetric(way))
    f = compile(a.program(), "numpy")
    held = {"parameters": list(values), "q": q, "t": t}
    made = f(*(np.array(held.get(g.name, np.zeros(g.size)), dtype=float).reshape(g.size) for g in f.groups))
    assert isinstance(made, dict)
    return made


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("frame", ["ground", "body"])
def test_all_methods_agree_on_trees_of_every_joint(seed: int, frame: str) -> None:
    """Compared with the spatial operators, whose Υ and Ω are arrays."""
    made = case(seed)
    eq, names = made.f.equations, made.names
    bodies = names[-1], names[len(names) // 2], names[-1], names[0]
    spots = list(zip(bodies, [(0.1, -0.2, 0.3), (0, 0, 0), (1, 0, 0), (0, 0.5, 0)], strict=True))
    places = [Location(name, at, frame) for name, at in spots]
    found = numbers(eq.derivation, ways(eq.derivation, places), eq.values.values(), made.state.q, made.state.t)
    expected = eq.operators(made.state.q, t=made.state.t).admittance(spots)
    if frame == "ground":
        turns = [made.bodies[names.index(name)].R for name in bodies for _ in range(2)]
        turned = block_diag(*turns)
        expected = turned @ expected @ turned.T
    slack = max(1.0, float(np.linalg.cond(made.referee.mass())) / 1e3)
    for name, value in found.items():
        assert error(value, expected) < EXACT * slack, name


def test_bodies_of_separate_trees_are_not_coupled() -> None:
    s = fb.System("two")
    for name in "ab":
        s.body(name, joint=fb.Free(), mass=1.0, inertia=(1, 2, 3))
    e = s.derive("aba").derivation
    places = [Location("a"), Location("b")]
    for way in ways(e, places).values():
        assert all(way[6 + j][i] == e.graph.zero for i in range(6) for j in range(6))


SETS: dict[str, tuple[Any, list[tuple[str, Any]], str]] = {
    "UR5": (ur5, [("wrist_3", (0, 0, 0))], "M"),
    "Solo12, a foot": (solo12, [("FL_FOOT", (0, 0, 0))], "Ω"),
    "Solo12, two feet": (solo12, [("FL_FOOT", (0, 0, 0)), ("FR_FOOT", (0, 0, 0))], "wrenches"),
    "G1, a foot": (g1, [("left_ankle_roll_link", (0, 0, 0))], "Ω"),
    "G1, four points of a foot": (
        g1, [("left_ankle_roll_link", (x, y, -0.03)) for x in (-0.05, 0.12) for y in (-0.03, 0.03)], "Ω",
    ),
}  # fmt: skip


@cache
def robot(model: Any) -> Derivation:
    return model.system().derive("aba", rolled=False).derivation  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", SETS)
def test_shortest_method_is_used(name: str) -> None:
    model, spots, best = SETS[name]
    e = robot(model)
    costs = {way: operations(e.graph, upper(x)) for way, x in ways(e, [Location(b, at) for b, at in spots]).items()}
    assert min(costs, key=lambda way: costs[way]) == best, costs
