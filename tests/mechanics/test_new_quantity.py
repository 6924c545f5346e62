"""A quantity defined only in this file works in programs, counts, listings, compiled calls, pages and the command;
and the methods of compiled functions match the table."""

import importlib.util
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import freebody as fb
from freebody.api import quantity_methods
from freebody.api.compiled import METHODS
from freebody.api.derive import FORMULATIONS
from freebody.cli import app
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.formulations.quantity import OPTIONAL, Quantity
from freebody.program.program import Program
from freebody.quantities import QUANTITIES, of_point
from freebody.quantities.kinematics import Location
from freebody.spatial.vector import components
from tests.mechanics.build_system import system
from tests.mechanics.random_trees import state, tree

SEEDS = range(13)  # covers every joint


def conjugate_momentum(e: Derivation) -> Program:
    """p = M u."""
    g, a = e.graph, e.assembly("conjugate_momentum")
    rows = []
    for row in e.full_mass():
        total = g.zero
        for entry, u in zip(row, e.layout.u_handles, strict=True):
            total = g.add(total, g.mul(entry, u))
        rows.append(total)
    a.output("p", rows)
    return a.program()


def height(e: Derivation, where: Location) -> Program:
    """The height of a point above the ground's origin."""
    a, ground = e.assembly("height"), e.tree.placed.ground
    place = e.formulation.motion.position(ground.origin, where.point(e))
    a.output("height", components(place, e.tree.root)[2])
    return a.program()


MOMENTUM = Quantity("conjugate_momentum", conjugate_momentum, ("q", "u", "t"), "p = M u", listed=True)
HEIGHT = Quantity("height", height, ("q", "t"), "of a point above the ground", of_point)


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds the two lines to the table."""
    for quantity in (MOMENTUM, HEIGHT):
        monkeypatch.setitem(QUANTITIES, quantity.name, quantity)


def users(seed: int) -> tuple[fb.System, np.ndarray, np.ndarray, float]:
    made = tree(seed, bodies=4)
    s, now = fb.System(f"tree {seed}"), state(made)
    s.__dict__.update(system(made).__dict__)
    return s, now.q, now.u, now.t


@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_calls_on_every_joint(seed: int) -> None:
    s, q, u, t = users(seed)
    f = s.derive().compile()
    wanted = f.mass_matrix(q, t) @ u
    p = f.conjugate_momentum
    for value in (p(q, u, t), p(q, u, t), p(q=q, u=u, t=t), p(list(q), u, t)):
        assert np.allclose(value, wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())
    rows = np.tile(q, (3, 1))
    out = np.empty((3, len(u)))
    assert f.conjugate_momentum(rows, u, t, out=out) is out and np.allclose(out, wanted, rtol=1e-12, atol=1e-11)
    last = list(s.bodies)[-1]
    for at in ((0, 0, 0), (0.1, -0.2, 0.3)):
        assert f.height(q, last, at, t=t) == pytest.approx(f.pose(q, last, t, at).p[2], abs=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_has_the_quantity(formulation: str) -> None:
    s, q, u, t = users(1)
    options: dict[str, Any] = {"search": 0} if formulation == "cheapest" else {}
    f = s.derive(formulation, **options).compile("numpy")
    wanted = f.mass_matrix(q, t) @ u
    assert np.allclose(f.conjugate_momentum(q, u, t), wanted, rtol=1e-12, atol=1e-11)


def arm() -> fb.System:
    s = fb.System("arm")
    rod: dict[str, Any] = {"mass": 1.0, "com": (0, 0, -0.5), "inertia": (0.1, 0.1, 0.01)}
    upper = s.body("upper", joint=fb.Revolute("y"), **rod)
    s.body("lower", on=upper, at=(0, 0, -1), joint=fb.Revolute("y"), **rod)
    return s


def test_programs_counts_listings_and_exports(tmp_path: Path) -> None:
    eq = arm().derive()
    assert eq.program("conjugate_momentum") is eq.program("conjugate_momentum")
    assert "conjugate_momentum" in eq.operations and "height" not in eq.operations
    assert eq.operations["conjugate_momentum"].total > eq.operations["mass_matrix"].total
    assert eq.count("height", body="lower", at=(0, 0, -1)).total > 0
    for text in (eq.to_text("conjugate_momentum"), eq.to_latex("conjugate_momentum")):
        assert "M" in text and "p" in text
    assert eq.to_sympy("conjugate_momentum")
    written = eq.to_c(tmp_path, "conjugate_momentum")
    assert any("conjugate_momentum" in file.read_text() for file in written)


def test_method_is_a_builtin_with_signature_and_errors() -> None:
    f = arm().derive().compile()
    call = f.conjugate_momentum
    assert inspect.isbuiltin(call) and call.__doc__ == "p = M u"
    assert str(inspect.signature(call)) == "(q, u, t=0.0, *, out=None, threads=1)"
    assert str(inspect.signature(f.height)) == "(q, body, at=(0, 0, 0), frame='ground', t=0.0, *, out=None, threads=1)"
    with pytest.raises(TypeError, match=r"conjugate_momentum\(\) missing a required argument: 'u'"):
        call(np.zeros(2))
    with pytest.raises(ArgumentError, match="conjugate_momentum takes no 'body'"):
        arm().derive().program("conjugate_momentum", body="upper")
    with pytest.raises(ArgumentError, match=r"height\(\): missing a required argument: 'body'"):
        arm().derive().program("height")


def test_pages_and_the_command_show_the_quantity(tmp_path: Path) -> None:
    page = arm().report(tmp_path / "arm.html").read_text()
    assert "conjugate_momentum" in page and "p = M u" in page
    arm().save(tmp_path / "arm.yaml")
    done = CliRunner().invoke(
        app, ["derive", str(tmp_path / "arm.yaml"), "--quantity", "conjugate_momentum", "--count"]
    )
    assert done.exit_code == 0 and "conjugate_momentum" in done.output


@pytest.mark.parametrize("name", [name for name in QUANTITIES if name in METHODS])
def test_descriptions_agree_with_methods(name: str) -> None:
    """Methods written by hand take the groups in the order of the quantity's description, and its arguments."""
    quantity = QUANTITIES[name]
    method = inspect.signature(getattr(fb.Compiled, name)).parameters
    taken = [n for n in method if n in quantity.takes or (n == "wrenches" and name == "generalised_force")]
    described = ["wrenches" if n == "wrench" else n for n in quantity.takes]
    assert taken == described and quantity.meaning
    further = [] if quantity.choose is None else list(inspect.signature(quantity.choose).parameters)
    if name != "generalised_force":  # its wrenches say where they act
        assert {*further} - {"frame"} <= {*method}
    needed = [n for n, p in method.items() if p.default is p.empty and n in OPTIONAL]
    assert not needed or name in ("state_dot", "project"), "what may be left out has a default"


def test_source_of_the_methods_is_generated_from_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, run python docs/make_methods.py > src/freebody/api/quantity_methods.py"""
    file = Path(__file__).parents[2] / "docs" / "make_methods.py"
    spec = importlib.util.spec_from_file_location("make_methods", file)
    assert spec is not None and spec.loader is not None
    methods = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(methods)
    added = methods.source()
    head = added[added.index("def conjugate_momentum(") :].split(")", 1)[0]
    assert "self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Unpack[CallOptions]" in head
    for quantity in (MOMENTUM, HEIGHT):
        monkeypatch.delitem(QUANTITIES, quantity.name)
    assert Path(quantity_methods.__file__).read_text(encoding="utf-8") == methods.source()


BY_HAND = ("forward_dynamics", "inverse_dynamics", "outputs", "pose", "generalised_force")


def test_every_quantity_has_a_method_with_its_signature_and_docstring() -> None:
    """As shown by help(), inspect and editors, for builtins and for methods in Python."""
    f, table = arm().derive().compile(), {k: q for k, q in QUANTITIES.items() if q not in (MOMENTUM, HEIGHT)}
    assert [name for name, q in table.items() if not q.result] == [n for n in table if n in BY_HAND]
    for name, quantity in table.items():
        written = getattr(fb.Compiled, name)
        assert written.__doc__ and inspect.getdoc(getattr(f, name))
        if name not in BY_HAND:
            assert " ".join(written.__doc__.split()) == quantity.doc
            shown = [p for p in inspect.signature(getattr(f, name)).parameters.values() if p.name not in OPTIONS]
            assert [(p.name, p.default) for p in shown] == [
                (p.name, p.default) for p in quantity.signature.parameters.values()
            ]


OPTIONS = ("out", "threads", "options")


def test_lists_as_arguments_are_as_fast_as_tuples(monkeypatch: pytest.MonkeyPatch) -> None:
    f, q, u = arm().derive().compile(), np.ones(2), np.ones(2)
    J, by_q = f.jacobian(q, "lower", (0.1, 0.2, 0.3)), f.forward_derivatives(q, u, u, by=("q",))["q"]
    monkeypatch.setattr(f, "_evaluate", lambda *given: pytest.fail("this call went through Python"))
    assert np.array_equal(f.jacobian(q, "lower", [0.1, 0.2, 0.3]), J)
    assert np.array_equal(f.forward_derivatives(q, u, u, by=["q"])["q"], by_q)


def test_removed_quantities_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(QUANTITIES, "conjugate_momentum")
    eq = arm().derive()
    assert "conjugate_momentum" not in eq.operations and not hasattr(eq.compile(), "conjugate_momentum")
    with pytest.raises(ArgumentError, match="there is no quantity 'conjugate_momentum'"):
        eq.program("conjugate_momentum")
