"""Use of spatial operators: the cost of products, the public interface, errors, the notebook and the documentation
page."""

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from examples.robots import ur5
from freebody.errors import ArgumentError, ModelError
from freebody.formulations.choose import Cheapest
from freebody.papers.operators import Operator, Operators
from freebody.papers.operators.function import OperatorFunction
from freebody.papers.operators.linear_maps import (
    Blocks,
    Identity,
    OmegaOperator,
    OperatorProduct,
    OperatorSum,
    Transition,
    Transposed,
)
from tests.mechanisms.numeric_equations import error

ROUNDING = 1e-12  # relative to the largest entry; measured: below 2e-14
Array = np.ndarray


def same(a: Any, b: Any) -> None:
    assert error(np.asarray(a), np.asarray(b)) < ROUNDING


# O(N)


def long_chain(n: int) -> Operators:
    s, tip = fb.System("chain"), None
    for i in range(n):
        kind = fb.Revolute("xyz"[i % 3]) if i % 7 else fb.Spherical("123")
        tip = s.body(f"c{i}", on=tip, at=(0, 0, 0.3), joint=kind, mass=1.0, com=(0, 0, 0.1), inertia=(0.1, 0.1, 0.1))
    rng = np.random.default_rng(n)
    n_q = n + 2 * len(range(0, n, 7))
    return OperatorFunction(s.freeze(), {}, [])(rng.uniform(-0.5, 0.5, n_q), rng.normal(size=n_q))


class Counted(np.ndarray):
    """Blocks that count their multiplications."""

    products = 0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(x) for x in inputs]
        if ufunc is np.matmul:
            Counted.products += plain[0].size * (plain[1].shape[1] if plain[1].ndim > 1 else 1)
        return getattr(ufunc, method)(*plain, **options)


def cost(o: Operators, op: Operator) -> int:
    """Multiplications of one product over all blocks."""
    for part in (o.E_phi, o.H, o.M, o.K, o.E_psi, o.D, o.Upsilon):
        part.cells.update({key: cell.view(Counted) for key, cell in part.cells.items()})
    Counted.products = 0
    op @ np.ones(op.shape[1])
    return Counted.products


@pytest.mark.paper("003", "7", "25")
def test_cost_of_products_is_linear_in_the_number_of_bodies() -> None:
    """From 70 to 140 to 210 bodies: equal increments, 36 multiplications for each block of φ."""
    counts = [[cost(o, op) for op in (o.phi, o.psi.T, o.mass, o.mass_inverse)] for o in map(long_chain, (70, 140, 210))]
    for first, second, third in zip(*counts, strict=True):
        assert second - first == third - second > 0
    assert counts[0][0] == 36 * 69
    assert all(row[2] < 400 * n for row, n in zip(counts, (70, 140, 210), strict=True))


@pytest.fixture
def no_matrices(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(self: Operator) -> Array:
        raise AssertionError(f"the matrix of {self.name} was formed")

    for kind in (Blocks, Transition, OmegaOperator, Identity, OperatorProduct, OperatorSum, Transposed):
        monkeypatch.setattr(kind, "matrix", property(refuse))
    yield


@pytest.mark.paper("003", "7")
def test_forward_dynamics_of_a_long_chain_forms_no_matrix(no_matrices: None) -> None:
    """The result multiplied by 𝓜 is the original force."""
    o = long_chain(200)
    assert error(o.mass @ o.forward_dynamics(), -o.C) < ROUNDING
    assert o.admittance([("c199", (0, 0, 0.3))]).shape == (6, 6)
    with pytest.raises(AssertionError, match="the matrix of φ was formed"):
        _ = o.phi.matrix


def test_articulated_inertias_stay_symmetric_along_a_long_chain() -> None:
    """P − P H* D⁻¹ H P instead of τ̄ P τ̄* would lose 15 digits here."""
    assert max(error(P, P.T) for P in long_chain(200).P.blocks) < 1e-14


# Public interface and errors

ARM = {"mass": 1.0, "com": (0, 0, 0.5), "inertia": (0.1, 0.1, 0.05)}


def two_arms(**more: Any) -> fb.System:
    s = fb.System("arms")
    m = s.parameter("m", 1.0)
    upper = s.body("upper_arm", joint=fb.Revolute("y"), **ARM)
    s.body("forearm", on=upper, at=(0, 0, 1), joint=fb.Revolute("y", **more), **{**ARM, "mass": m})
    return s


def test_operators_of_equations_at_a_state() -> None:
    eq = two_arms().derive()
    f, q, u = eq.compile("numpy"), [0.3, -0.4], [1.0, 2.0]
    o = eq.operators(q, u)
    same(o.mass, f.mass_matrix(q))
    same(o.forward_dynamics(), f.forward_dynamics(q, u))
    same(eq.operators(q, u, parameters={"m": 3.0}).mass, eq.compile("numpy", {"m": 3.0}).mass_matrix(q))
    same(eq.operators(q).V, np.zeros(12))
    assert o.names == ("upper_arm", "forearm") and o.speeds == eq.u


def test_prescribed_joints_have_no_freedom_and_drive_outboard_bodies() -> None:
    s = fb.System()
    t = s.t
    base = s.body("base", joint=fb.Revolute("z", motion=2 * t * t), **ARM)
    s.body("arm", on=base, at=(1, 0, 0), joint=fb.Revolute("y"), **ARM)
    eq = s.derive()
    o = eq.operators([0.3], [1.0], t=0.5)
    assert o.H.blocks[0].shape == (0, 6) and o.mass.shape == (1, 1)
    same(o.V[:6], [0, 0, 2, 0, 0, 0])
    same(o.a[:6], [0, 0, 4, 0, 0, 0])
    same(o.forward_dynamics(), eq.compile("numpy").forward_dynamics([0.3], [1.0], t=0.5))


def test_operators_of_systems_without_freedoms_are_empty() -> None:
    s = fb.System()
    s.body("a", joint=fb.Weld(), **ARM)
    o = OperatorFunction(s.freeze(), {}, [])([])
    assert o.mass.matrix.shape == (0, 0) and o.forward_dynamics().shape == (0,)
    same(o.P, o.M)


WHO = "joint 'forearm' (forearm on upper_arm): hinge inertia is 0. It allows"


@pytest.mark.parametrize(("joint", "given", "text"), [
    (fb.Revolute("y"), {"com": (0, 0.2, 0), "mass": 1.0},
     f"{WHO} rotation about y, but forearm has no inertia about y and its outboard bodies pass none on. Give forearm a"
     " non-zero inertia, or use Weld."),
    (fb.Prismatic((3, 0, 4)), {"inertia": (0.1, 0.1, 0.1)},
     f"{WHO} translation along (0.6, 0, 0.8), but forearm has no mass along (0.6, 0, 0.8) and its outboard bodies pass"
     " none on. Give forearm a non-zero mass, or use Weld."),
    (fb.Spherical(), {"inertia": (0.1, 0.1, 0.0), "mass": 1.0}, f"{WHO} rotation about z, but forearm has no inertia"),
])  # fmt: skip
def test_joints_without_inertia_are_named(joint: Any, given: dict[str, Any], text: str) -> None:
    s = fb.System()
    upper = s.body("upper_arm", joint=fb.Revolute("y"), **ARM)
    s.body("forearm", on=upper, at=(0, 0, 1), joint=joint, **given)
    q = [0.3, 1.0, 0, 0, 0] if joint.kind == "spherical" else [0.3, 0.2]
    o = OperatorFunction(s.freeze(), {}, [])(q)
    with pytest.raises(ModelError) as caught:
        _ = o.D
    assert text in str(caught.value)
    assert o.mass.shape[0] == len(o.speeds)


def test_inertia_released_by_outboard_joints_does_not_count() -> None:
    """A massless ring between two parallel hinges, and a gimbal of massless rings whose axes coincide."""
    s = fb.System()
    ring = s.body("ring", joint=fb.Revolute((1, 2, 3)))
    s.body("wheel", on=ring, joint=fb.Revolute((1, 2, 3)), mass=1.0, com=(0.3, 0.1, 0.7), inertia=(0.1, 0.2, 0.25))
    rings = OperatorFunction(s.freeze(), {}, [])
    for q in np.random.default_rng(6).uniform(-3, 3, (20, 2)):
        with pytest.raises(ModelError, match=r"joint 'ring' \(ring on ground\): hinge inertia is 0"):
            _ = rings(q).psi
    s = fb.System()
    outer = s.body("outer", joint=fb.Revolute("z"))
    inner = s.body("inner", on=outer, joint=fb.Revolute("x"))
    s.body("rotor", on=inner, joint=fb.Revolute("z"), **ARM)
    gimbal = OperatorFunction(s.freeze(), {}, [])
    assert np.isfinite(gimbal([0.3, 0.5, 0.7]).mass_inverse.matrix).all()
    with pytest.raises(ModelError, match="joint 'outer'"):
        _ = gimbal([0.3, 0.0, 0.7]).D


def test_armature_is_sufficient_inertia() -> None:
    s = fb.System()
    s.body("rotor", joint=fb.Revolute("y", armature=0.3))
    same(OperatorFunction(s.freeze(), {}, [])([0.1]).D, [[0.3]])


def test_wrong_operands_are_refused() -> None:
    eq = two_arms().derive()
    o = eq.operators([0.3, 0.4])
    with pytest.raises(
        ArgumentError,
        match=r"<φ: 12 × 12> can be multiplied by 12 numbers or by columns of as many, not by an array of shape \(5,\)",
    ):
        o.phi @ np.ones(5)
    with pytest.raises(ArgumentError, match="<H: 2 × 12> cannot be multiplied by <H: 2 × 12>"):
        o.H @ o.H
    with pytest.raises(ArgumentError, match="have different shapes and cannot be added"):
        o.H + o.phi
    with pytest.raises(ArgumentError, match="not square: 1 times the identity"):
        1 + o.H
    with pytest.raises(ArgumentError, match="'x' cannot be added to an operator"):
        o.phi + "x"  # type: ignore[operator]
    with pytest.raises(ArgumentError, match="there is no body 'hand'; choose from upper_arm, forearm"):
        o.B([("hand", (0, 0, 0))])
    with pytest.raises(ArgumentError, match=r"one state: q has the shape \(3, 2\), not \(2,\)"):
        eq.operators(np.zeros((3, 2)))
    with pytest.raises(ArgumentError, match=r"operators: q: .* is not finite"):
        eq.operators([0.0, np.nan])


def test_operators_are_exact_and_in_standard_speeds() -> None:
    with pytest.raises(ModelError, match="exact equations: derive again without small"):
        two_arms().derive(small=["forearm"]).operators([0, 0])
    s = fb.System()
    s.body("bus", joint=fb.Free("123"), **ARM)
    with pytest.raises(ModelError, match="standard speeds: derive again without speeds"):
        s.derive("sayers", speeds="mass-centre").operators(np.zeros(6))


def test_cheapest_equations_report_the_bodies_of_the_user() -> None:
    """Programs use other frames and inertia moved between bodies; tables and operators use those of the user."""
    s = ur5.system()
    cheap, kane = s.derive("cheapest"), s.derive()
    assert cheap.operations["forward_dynamics"].total < kane.operations["forward_dynamics"].total
    assert isinstance(cheap.derivation, Cheapest)
    moved, own = (
        [[e.graph.number(x) for x in link.X.arm] for link in e.tree.links]
        for e in (cheap.derivation.part("forward"), cheap.derivation)
    )
    assert moved != own
    assert cheap.tables() == kane.tables()
    q, u = np.random.default_rng(0).normal(size=(2, 6))
    found, usual = cheap.operators(q, u), kane.operators(q, u)
    for one, other in ((found.M, usual.M), (found.H, usual.H), (found.phi, usual.phi)):
        assert np.array_equal(one.matrix, other.matrix)
    for name, M in zip(found.names, found.M.blocks, strict=True):
        spec = s.bodies[name].spec
        assert spec is not None
        m, c = float(str(spec.mass)), np.array([float(str(x)) for x in spec.com])
        J = np.array([[float(str(x)) for x in row] for row in spec.inertia])
        same(M[3:, 3:], m * np.eye(3))
        same(M[:3, :3], J + m * ((c @ c) * np.eye(3) - np.outer(c, c)))


# Documentation

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "examples" / "notebooks" / "spatial_operators.ipynb"


def test_notebook_runs_and_prints_its_stored_output() -> None:
    """Its cells check every equation; printed text and figures match the stored ones."""
    spec = importlib.util.spec_from_file_location("run_notebook", NOTEBOOK.with_name("run.py"))
    assert spec is not None and spec.loader is not None
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    kept = [c for c in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    fresh = [c for c in runner.run(NOTEBOOK) if c["cell_type"] == "code"]
    for was, now in zip(kept, fresh, strict=True):
        assert [o.get("text") for o in was["outputs"]] == [o.get("text") for o in now["outputs"]]
    printed = "".join(line for c in fresh for o in c["outputs"] for line in o.get("text", []))
    assert printed.count("holds") > 30
    for equation in ("2.9", "2.11", "2.14", "3.1", "3.4", "3.5", "3.6", "3.7", "3.9", "3.10"):
        assert f"Eq {equation} " in printed


def test_page_on_operators_runs_as_written() -> None:
    space: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "operators.md").read_text(), re.DOTALL):
        exec(block, space)
    o = space["o"]
    same(space["mass"], space["eq"].compile("numpy").mass_matrix([0.3, 0.5, 0.1, 0.2, -0.4]))
    assert repr(space["mass"]) == "<H φ M φ* H*: 5 × 5>" and o.admittance(space["tips"]).shape == (12, 12)
    beta = space["loop"].compile("numpy").forward_dynamics(space["q"], space["u"], np.zeros(3))
    assert np.allclose(space["step"].beta, beta, rtol=1e-10)
    assert space["c"].points == (("coupler", (0, 0, 1)), ("rocker", (0, 0, 1)))
