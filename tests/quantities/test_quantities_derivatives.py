"""Exact derivatives of forward and inverse dynamics: composite bodies compared with symbolic and numeric
differentiation, and operation counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest

import freebody as fb
from examples.robots import panda, ur5
from freebody.backends import compile
from freebody.model.joints.base import Joint, Placement, zero_vector
from freebody.program.count import count
from freebody.program.program import Program
from freebody.quantities.derivatives import shortest, tangent_derivative
from freebody.quantities.partials import known
from freebody.spatial.frame import Frame
from freebody.spatial.vector import vector
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import inverse_dynamics
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.quantity_cases import DIFFERENCED, EXACT, SEEDS, Array, Case, case, slope

BY = ("q", "u", "u_dot", "t", "z", "inputs")
LOADED = (0, 2, 7, 9)
"""Trees with loads of every kind and prescribed motions among them."""


def by_rules(made: Case) -> dict[str, Array]:
    """∂τ/∂q and ∂τ/∂u of Newton and Euler's τ by symbolic differentiation only."""
    e = made.equations.derivation
    tau, n = inverse_dynamics(e.tree, base_inertias(e.tree), e.accelerations), len(e.layout.u)
    found = {"q": tangent_derivative(e, tau), "u": shortest(e, tau, e.layout.u_handles)}
    a = e.assembly("rules", "u_dot")
    for name, entries in found.items():
        a.output(f"by_{name}", [[entries.get((i, j), 0) for j in range(n)] for i in range(n)])
    f, s = compile(a.program(), "numpy"), made.state
    got = f(list(made.equations.values.values()), [s.t], s.q, s.u, [s.z], [s.motor], made.u_dot)
    return {name: got[f"by_{name}"] for name in found}


@pytest.mark.parametrize("seed", SEEDS)
def test_composite_bodies_agree_with_symbolic_differentiation(seed: int) -> None:
    made, s = case(seed, loads=False), case(seed, loads=False).state
    moving = {"compound", "custom"}  # their axes move in both bodies; only symbolic differentiation supports them
    assert known(made.equations.derivation.tree.links) or made.tree.kinds() & moving
    got = made.f.inverse_derivatives(s.q, s.u, made.u_dot, **made.rest)
    for name, value in by_rules(made).items():
        assert error(got[name], value) < EXACT


@pytest.mark.parametrize("seed", LOADED)
def test_derivatives_of_inverse_dynamics_match_finite_differences(seed: int) -> None:
    made, s, f = case(seed), case(seed).state, case(seed).f
    got = f.inverse_derivatives(s.q, s.u, made.u_dot, by=BY, **made.rest)

    def tau(q: Array = s.q, u: Array = s.u, t: float = s.t, z: float = s.z, motor: float = s.motor) -> Array:
        return f.inverse_dynamics(q, u, made.u_dot, t=t, z=[z], inputs=[motor])

    assert error(got["tau"], tau()) < EXACT
    assert error(got["u_dot"], made.referee.mass()) < EXACT
    by_q = [slope(lambda h, d=d: tau(q=s.q + h * d)) for d in made.tangent()]
    assert error(got["q"], np.array(by_q).T) < DIFFERENCED
    if not any(twig.hinge.friction for twig in made.tree.twigs):  # which turns over within 1e-3
        by_u = [slope(lambda h, d=d: tau(u=s.u + h * d)) for d in np.eye(len(s.u))]
        assert error(got["u"], np.array(by_u).T) < DIFFERENCED
    for name, value in (("t", s.t), ("z", s.z), ("inputs", s.motor)):
        key = "motor" if name == "inputs" else name
        assert error(got[name][:, 0], slope(lambda h, k=key, v=value: tau(**{k: v + h}))) < DIFFERENCED


@pytest.mark.parametrize("seed", LOADED)
def test_derivatives_of_forward_dynamics_match_finite_differences(seed: int) -> None:
    made, s, f = case(seed), case(seed).state, case(seed).f
    got = f.forward_derivatives(s.q, s.u, made.u_dot, **made.rest)
    M = made.referee.mass()
    loose = DIFFERENCED * max(1.0, np.linalg.cond(M) / 1e2)
    assert error(got["tau"], np.linalg.inv(M)) < EXACT * np.linalg.cond(M)
    assert error(got["u_dot"], f.forward_dynamics(s.q, s.u, made.u_dot, **made.rest)) < EXACT * np.linalg.cond(M)
    by_q = [slope(lambda h, d=d: f.forward_dynamics(s.q + h * d, s.u, made.u_dot, **made.rest)) for d in made.tangent()]
    assert error(got["q"], np.array(by_q).T) < loose
    if not any(twig.hinge.friction for twig in made.tree.twigs):
        eye = np.eye(len(s.u))
        by_u = [slope(lambda h, d=d: f.forward_dynamics(s.q, s.u + h * d, made.u_dot, **made.rest)) for d in eye]
        assert error(got["u"], np.array(by_u).T) < loose


def test_derivatives_by_parameters() -> None:
    """A column for each parameter in order: masses, lengths, stiffnesses, of τ and of u̇."""
    s = fb.System("arm")
    m, l, k, c = s.parameters(m=1.2, l=0.6, k=20.0, c=0.3)
    joint = fb.Revolute("y", stiffness=k, damping=c)
    upper = s.body("upper", on=s.ground, joint=joint, mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z"))
    s.body("lower", on=upper, at=(0, 0, -l), joint=fb.Spherical(), mass=m, com=(l / 3, 0, -l / 2), inertia=(1, 1, 0.5))
    eq = s.derive()
    rng = np.random.default_rng(3)
    q, u, tau = np.r_[0.4, rng.normal(size=4)], rng.normal(size=4), rng.normal(size=4)
    q[1:] /= np.linalg.norm(q[1:])

    def at(name: str, h: float) -> fb.Compiled:
        return eq.compile("numpy", {name: eq.values[name] + h})

    forward = eq.compile("numpy").forward_derivatives(q, u, tau, by=["parameters"])["parameters"]
    inverse = eq.compile("numpy").inverse_derivatives(q, u, tau, by=["parameters"])["parameters"]
    for j, name in enumerate(eq.values):
        along = slope(lambda h, n=name: at(n, h).forward_dynamics(q, u, tau))
        assert error(forward[:, j], along) < DIFFERENCED
        assert error(inverse[:, j], slope(lambda h, n=name: at(n, h).inverse_dynamics(q, u, tau))) < DIFFERENCED


# A joint whose map changes in both bodies


@dataclass(frozen=True)
class Bowl(Joint):
    """The child's origin slides on the parabola z = x²/2 of the parent and the child turns with its slope, u = q̇."""

    kind: ClassVar[str] = "bowl"

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("",)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        """x = q, z = q²/2, rotation about −y by q (so a = (0, 0, u²) in addition to u̇ (1, 0, q))."""
        g, (x,), (v,) = parent.graph, q, u
        frame = parent.turned(name, 1, g.neg(x))
        position = vector(parent, (x, g.zero, g.mul(g.const(0.5), g.mul(x, x))))
        axis, slide = vector(parent, (g.zero, g.const(-1), g.zero)), vector(parent, (g.one, g.zero, x))
        rest = vector(parent, (g.zero, g.zero, g.mul(v, v)))
        return Placement(frame, position, [axis], [slide], zero_vector(g), rest, [v])

    def parent_inertia(self, placement: Placement) -> tuple[str, None]:
        return "none", None


def test_joints_with_a_varying_map() -> None:
    """Composite bodies give their derivatives too, from those of the link's own motion; their Coriolis matrix uses the
    rates of the columns."""
    s = fb.System("bowl")
    first = s.body("ball", on=s.ground, joint=Bowl(), mass=2, com=(0.1, 0, 0.2), inertia=(1, 2, 1.5))
    s.body("arm", on=first, at=(0, 0, 1), joint=fb.Revolute("x"), mass=1, com=(0, 0.5, 0), inertia=(1, 0.2, 1))
    eq = s.derive()
    assert known(eq.derivation.tree.links)
    f, (q, u, tau) = eq.compile("numpy"), np.random.default_rng(5).normal(size=(3, 2))
    forward, inverse = f.forward_derivatives(q, u, tau), f.inverse_derivatives(q, u, tau)
    for j, e in enumerate(np.eye(2)):
        assert error(forward["q"][:, j], slope(lambda h, e=e: f.forward_dynamics(q + h * e, u, tau))) < DIFFERENCED
        assert error(forward["u"][:, j], slope(lambda h, e=e: f.forward_dynamics(q, u + h * e, tau))) < DIFFERENCED
        assert error(inverse["q"][:, j], slope(lambda h, e=e: f.inverse_dynamics(q + h * e, u, tau))) < DIFFERENCED
    M_dot = slope(lambda h: f.mass_matrix(q + h * u))
    C = f.coriolis(q, u)
    still = f.inverse_dynamics(q, 0 * u, 0 * u)
    assert error(C + C.T, M_dot) < DIFFERENCED and error(C @ u, -f.bias(q, u) - still) < EXACT
    J_dot = f.jacobian_rate(q, u, "arm", (0, 1, 0))
    assert error(J_dot, slope(lambda h: f.jacobian(q + h * u, "arm", (0, 1, 0)))) < DIFFERENCED


# Cost

PEER = {"ur5": 15435, "panda": 33477}
"""Operations of the derivatives of forward dynamics that Pinocchio with CasADi generates for these robots."""


@pytest.mark.parametrize(("robot", "limit"), [(ur5, 2522), (panda, 4656)], ids=["ur5", "panda"])
def test_operation_counts_of_derivatives_stay_low(robot: ModuleType, limit: int) -> None:
    eq = robot.system().derive()
    operations = eq.count("forward_derivatives").total
    assert operations <= limit < PEER[robot.__name__.rsplit(".", 1)[-1]] / 5
    page = Path(__file__).parents[2] / "docs" / "quantities.md"
    assert f"| {operations:,} |".replace(",", " ") in page.read_text()


def hexapod() -> fb.System:
    """A free body with two legs of three hinges, whose springs and dampers do not depend on where it is."""
    s = fb.System("legs")
    s.parameter("g", 9.7)
    s.gravity = (0.1, -0.2, "-g")
    trunk = s.body("trunk", joint=fb.Free(), mass=4.0, com=(0.1, 0.02, -0.05), inertia=(0.3, 0.4, 0.5))
    for side, y in (("left", 0.2), ("right", -0.2)):
        on, at = trunk, (0.1, y, 0)
        for k, axis in enumerate("xyy"):
            on = s.body(
                f"{side}{k}", on=on, at=at, joint=fb.Revolute(axis, stiffness=3.0, damping=0.4), mass=1.0 - 0.2 * k,
                com=(0.01, 0.02, -0.1), inertia=(0.02, 0.03, 0.01),
            )  # fmt: skip
            at = (0, 0, -0.25)
    return s


@pytest.mark.parametrize("wind", [False, True])
def test_columns_of_a_body_that_carries_all_others(wind: bool) -> None:
    """With wind, a force on the trunk that depends on its velocity and its turn, these columns are not those of a free
    body."""
    s = hexapod()
    if wind:
        trunk = s.bodies["trunk"]
        s.force(s.ground.vector(("0.3*u.trunk.vx", "q.trunk.x", 0)), at=trunk.point((0, 0.1, 0)))
    eq = s.derive("kane")
    f, rng = eq.compile("numpy"), np.random.default_rng(3)
    q, u, tau = rng.normal(size=len(eq.q)), rng.normal(size=len(eq.u)), rng.normal(size=len(eq.u))
    q[3:7] /= np.linalg.norm(q[3:7])
    d, h, n = f.forward_derivatives(q, u, tau), 1e-6, len(eq.u)
    for j in range(n):
        unit = np.eye(n)[j]
        rate = f.q_dot(q, unit)
        ahead, behind = (f.forward_dynamics(q + sign * h * rate, u, tau) for sign in (1, -1))
        assert np.abs(d["q"][:, j] - (ahead - behind) / (2 * h)).max() < 1e-6
        ahead, behind = (f.forward_dynamics(q, u + sign * h * unit, tau) for sign in (1, -1))
        assert np.abs(d["u"][:, j] - (ahead - behind) / (2 * h)).max() < 1e-6


def test_a_free_body_costs_nothing() -> None:
    """The columns of the trunk's pose and velocity: by Galilei's principle instead of solved ones."""
    one, other = hexapod(), hexapod()
    other.force(other.ground.vector(("0.3*u.trunk.vx + 0.1*q.trunk.x", 0, 0)), at=other.bodies["trunk"].origin)
    free, held = (s.derive("kane").program("forward_derivatives", by=("q", "u")) for s in (one, other))
    assert operations(free) < 0.85 * operations(held)


def operations(program: Program) -> int:
    counts = count(program)
    return counts.mul + counts.add + counts.div


def four_bar() -> fb.System:
    s = fb.System("four-bar")
    a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1))
    b = s.body("b", on=a, at=(0.4, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.3, 0, 0.1), inertia=(0.1, 0.1, 0.1))
    c = s.body("c", at=(0.8, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.1))
    s.close(b.point((0.7, 0, 0)), c.point((0, 0, 0.5)), joint=fb.Revolute("y"), name="pin")
    return s


@pytest.mark.parametrize("make", [hexapod, four_bar], ids=["tree", "loop"])
def test_forward_jacobian_is_one_array(make: Callable[[], fb.System]) -> None:
    eq = make().derive()
    f, rng, n = eq.compile(), np.random.default_rng(4), len(eq.u)
    q, u, tau = (rng.normal(size=size) for size in (len(eq.q), n, n))
    J, d = f.forward_jacobian(q, u, tau), f.forward_derivatives(q, u, tau)
    assert J.shape == (n, 3 * n + 1)
    expected = np.column_stack([d["q"], d["u"], d["tau"], d["u_dot"]])
    assert np.abs(J - expected).max() <= 1e-13 * np.abs(expected).max()
    out = np.empty_like(J)
    assert f.forward_jacobian(q, u, tau, out=out) is out and np.array_equal(out, J)


def test_derivatives_write_to_what_they_returned() -> None:
    """``out`` has the keys of the result, by builtins and by the method in Python."""
    for backend in ("llvm", "numpy"):
        f, rng = hexapod().derive().compile(backend), np.random.default_rng(5)
        q, u, tau = rng.normal(size=13), rng.normal(size=12), rng.normal(size=12)
        q[3:7] /= np.linalg.norm(q[3:7])
        first = f.forward_derivatives(q, u, tau)
        known = {key: x.copy() for key, x in first.items()}
        for x in first.values():
            x[...] = 0
        again = f.forward_derivatives(q, u, tau, out=first)
        assert all(again[key] is first[key] and np.array_equal(first[key], known[key]) for key in known)
        inverse = f.inverse_derivatives(q, u, tau, by=["u"])
        assert list(f.inverse_derivatives(q, u, tau, by=["u"], out=inverse)) == ["tau", "u"]
