"""Routh's reduction: the reduced system moves as the whole one, its equations are those of the Routhian, and minima of
the amended potential are stable steady motions."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.scalar import Expr
from freebody.scalar.derivative import jvp

G = 9.81


def mast(damping: float = 0.0) -> fb.System:
    """A pendulum on a mast that turns freely."""
    s = fb.System("mast")
    s.parameters(J=0.1, m=1.0, l=0.5)
    post = s.body("mast", joint=fb.Revolute("z"), inertia=("J", "J", "J"))
    s.body(
        "arm",
        on=post,
        at=(0.2, 0, 0),
        joint=fb.Revolute("y", damping=damping, armature=0.02),
        mass="m",
        com=(0, 0, "-l"),
    )
    return s


def gantry() -> fb.System:
    """A cart on a turntable with a double pendulum: two cyclic coordinates, of which one is a distance."""
    s = fb.System("gantry")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=2.0)
    spin = s.body("spin", on=cart, joint=fb.Revolute("z"), inertia=(0.1, 0.1, 0.2), mass=0.5)
    upper = s.body("upper", on=spin, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    s.body("lower", on=upper, at=(0, 0, -0.5), joint=fb.Revolute("x"), mass=0.7, com=(0, 0.1, -0.4))
    return s


@pytest.mark.paper("002", "36")
@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_reduced_runs_are_those_of_the_whole_system(damping: float) -> None:
    """Also with forces on the other coordinates."""
    s = mast(damping)
    reduced = s.routh({"q.mast": 0.8}).simulate(3.0, q={"arm": 0.9}, u={"arm": 0.3}, cyclic={"mast": 0.1})
    start = {"arm": 0.3, "mast": float(reduced["u.mast"][0])}
    run = s.simulate(3.0, q={"arm": 0.9, "mast": 0.1}, u=start, rtol=1e-11, atol=1e-13)
    for name in ("q.arm", "u.arm", "q.mast", "u.mast"):
        assert float(reduced[name][-1]) == pytest.approx(run[name][-1], abs=1e-7)
    (momentum,) = [one for one in s.symmetries() if one.name == "q.mast"]
    assert np.allclose(momentum.along(run), 0.8, atol=1e-9)


@pytest.mark.paper("002", "36")
def test_one_of_several_cyclic_coordinates() -> None:
    """The momentum along the rail is conserved; the turntable's coordinate is not cyclic beside it."""
    s = gantry()
    R = s.routh({"cart": 1.2})
    assert R.coordinates == ("spin", "upper", "lower") and R.cyclic == ("cart",)
    reduced = R.simulate(1.5, q={"upper": 0.4, "lower": 0.2}, u={"spin": 1.0})
    start = {"spin": 1.0, "cart": float(reduced["u.cart"][0])}
    run = s.simulate(1.5, q={"upper": 0.4, "lower": 0.2}, u=start, rtol=1e-11, atol=1e-13)
    for name in ("q.spin", "q.upper", "q.lower", "q.cart", "u.cart", "u.lower"):
        assert float(reduced[name][-1]) == pytest.approx(run[name][-1], abs=1e-6)


@pytest.mark.paper("002", "36")
@pytest.mark.parametrize(("s", "momenta"), [(mast(), {"mast": 0.8}), (gantry(), {"cart": 0.7})], ids=["mast", "gantry"])
def test_reduced_equations_are_lagranges_equations_of_the_routhian(s: fb.System, momenta: dict[str, float]) -> None:
    """d/dt ∂R/∂u − ∂R/∂q = 0 with u̇ of the reduced system, by derivatives of the expression R."""
    R = s.routh(momenta)
    g, rng = R.function.graph, np.random.default_rng(1)
    names = [*(f"q.{n}" for n in R.coordinates), *(f"u.{n}" for n in R.u)]
    handles = {n: g.named(n) for n in names}
    n = len(R.u)
    x = rng.uniform(-1, 1, 2 * n)
    values = (
        dict(zip(names, x, strict=True)) | {f"p.{k}": v for k, v in momenta.items()} | {"J": 0.1, "m": 1.0, "l": 0.5}
    )

    def number(node: int) -> float:
        known: dict[Any, Any] = {k: float(v) for k, v in values.items() if g.named(k) is not None}
        return float(Expr(g, node).subs(known))

    def by(node: int, name: str) -> int:
        return jvp(g, [node], {handles[name]: g.one})[0]

    u_dot = R.rates(x)[n : 2 * n]
    for name in names[n:]:
        gradient = by(R.function.handle, name)
        left = sum(number(by(gradient, names[n + k])) * u_dot[k] for k in range(n))
        left += sum(number(by(gradient, names[k])) * x[n + k] for k in range(n))
        left -= number(by(R.function.handle, "q" + name[1:]))
        assert left == pytest.approx(0.0, abs=1e-9)


@pytest.mark.paper("002", "36")
def test_minima_of_the_amended_potential_are_steady_motions() -> None:
    """The spherical pendulum: 𝒱_p = p²/(2 (J + m l² sin² q)) − m g l cos q; with J = 0 the cone of angle q turns at
    w² = g/(l cos q) (a conical pendulum)."""
    s = fb.System("conical pendulum")
    post = s.body("post", joint=fb.Revolute("z"), inertia=(1e-9, 1e-9, 1e-9))
    s.body("arm", on=post, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    angle = 0.7
    w = np.sqrt(G / (0.5 * np.cos(angle)))
    R = s.routh({"q.post": (0.25 * np.sin(angle) ** 2 + 1e-9) * w})
    x = np.linspace(0.2, 1.4, 2401)
    V = R.potential_at({"arm": x})
    p = R.momenta["post"]
    assert np.allclose(V, p**2 / (2 * (1e-9 + 0.25 * np.sin(x) ** 2)) - G * 0.5 * np.cos(x))
    assert x[np.argmin(V)] == pytest.approx(angle, abs=1e-3)
    steady = R.simulate(2.0, q={"arm": angle})
    assert np.allclose(steady["q.arm"], angle, atol=1e-6) and np.allclose(steady["u.post"], w, rtol=1e-6)


def test_results_print_and_plot(tmp_path: Any) -> None:
    R = mast().routh({"q.mast": 0.8})
    assert "Routh's reduction: arm without mast (p.mast = 0.8)" in repr(R) and "amended potential" in str(R)
    R.plot("q.arm", path=tmp_path / "potential.png")
    assert (tmp_path / "potential.png").stat().st_size > 3000
    for call in (lambda: R.simulate(1.0, q={"x": 1}), lambda: R.potential_at({"x": 1})):
        with pytest.raises(ArgumentError, match="the reduced system has no 'x'; choose from arm"):
            call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mast().routh({"q.arm": 1.0}), r"'q\.arm' is not a cyclic coordinate; .*: q\.mast"),
        (lambda: mast().routh({}), r"routh needs momenta of cyclic coordinates, .*; choose from q\.mast"),
    ],
)
def test_wrong_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        call()


def test_momenta_that_change_are_refused() -> None:
    s = fb.System("driven")
    s.input("F")
    turn = s.body("turn", joint=fb.Revolute("z", damping=0.1), mass=1.0, inertia=(1, 1, 1))
    s.joint_force(turn, "F")
    with pytest.raises(ArgumentError, match=r"the momentum of 'q\.turn' is not conserved: it changes at"):
        s.routh({"turn": 1.0}, inputs={"F": 0.0})
    free = fb.System("free")
    free.input("F")
    free.joint_force(free.body("turn", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1)), "F")
    with pytest.raises(ArgumentError, match="input 'F' acts on it"):
        free.routh({"turn": 1.0}, inputs={"F": 2.0})
