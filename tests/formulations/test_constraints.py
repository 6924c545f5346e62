"""Constrained systems through the public functions: u̇ and multipliers of every formulation are those of the complete
linear system, and equations that follow from others are left out."""

import math
from fractions import Fraction

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FieldError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.scalar.walk import values
from freebody.tree.constraints import ClosureForms
from freebody.tree.tree import span
from tests.run.constrained_systems import SQUEEZER_NAMES, SQUEEZER_START, squeezer

FORMULATIONS = ("kane", "crba", "aba", "poincare", "sayers", "cheapest")
ROD = (Fraction(1, 12), Fraction(1, 12), 0)


def slider_crank() -> tuple[fb.System, np.ndarray]:
    s = fb.System("slider-crank")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0.15, 0, 0), inertia=(0, 0.0075, 0.0075))
    rod = s.body(
        "rod", on=crank, at=(0.3, 0, 0), joint=fb.Revolute("y"), mass=2, com=(0.5, 0, 0), inertia=(0, 1 / 6, 1 / 6)
    )
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=3)
    s.close(rod.point((1, 0, 0)), slider, joint=fb.Revolute("y"), name="pin")
    angle = 0.5
    lean = math.asin(0.3 * math.sin(angle))
    return s, np.array([angle, -lean - angle, 0.3 * math.cos(angle) + math.cos(lean)])


def four_bar() -> tuple[fb.System, np.ndarray]:
    s = fb.System("four-bar")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=ROD)
    coupler = s.body(
        "coupler",
        on=crank,
        at=(0, 0, 1),
        joint=fb.Revolute("y"),
        mass=1,
        com=(0.5, 0, 0),
        inertia=(0, Fraction(1, 12), Fraction(1, 12)),
    )
    rocker = s.body("rocker", at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=ROD)
    s.close(coupler.point((1, 0, 0)), rocker.point((0, 0, 1)), joint=fb.Revolute("y"), name="pin")
    return s, np.array([0.3, -0.3, 0.3])


def geared() -> tuple[fb.System, np.ndarray]:
    """An arm on a free base; an equation between coordinates, and one between speeds."""
    s = fb.System("geared")
    base = s.body("base", joint=fb.Free(), mass=3, com=(0.1, 0, 0.2), inertia=(1, 2, 2.5))
    one = s.body("one", on=base, at=(0.5, 0, 0), joint=fb.Revolute("x"), mass=1, com=(0, 0.3, 0), inertia=(1, 1, 1))
    s.body("two", on=one, at=(0, 0.6, 0), joint=fb.Revolute("z"), mass=1, com=(0, 0.3, 0), inertia=(0.1, 0.1, 0.1))
    s.constrain("sin(q.one) - 2*q.two**2 + 0.1*t", name="cam")
    s.constrain("u.base.vx + q.base.y*u.one - u.base.wz", name="skate")
    q = np.array([0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5, 0.4, math.sqrt(math.sin(0.4) / 2)])
    return s, q


def star() -> tuple[fb.System, np.ndarray]:
    """Four bars that hang from the ground, with one pin through all their ends; a closed position in the plane."""
    s = fb.System("star")
    ends, q, names = {"a": (-1.0, 0.0), "b": (1.0, 0.2), "c": (0.3, 1.0), "d": (-0.2, -1.1)}, list[float](), list[str]()
    for name, (x, z) in ends.items():
        length, k = math.hypot(x, z), 0.4 + 0.1 * len(q)
        reach = math.acos(length / 2)  # two bars of length 1 from the ground to the pin at the origin
        first = math.atan2(z, -x) - reach  # of a turn about y, x → −z
        one = s.body(name, at=(x, 0, z), joint=fb.Revolute("y"), mass=1 + k, com=(k, 0.05, 0.1), inertia=(1, 2, 1.5))
        s.body(f"{name}2", on=one, at=(1, 0, 0), joint=fb.Revolute("y"), mass=k, com=(0.5, 0, -0.1), inertia=(1, 1, 1))
        q += [first, 2 * reach]
        names.append(f"{name}2")
    for name in names[1:]:
        s.close(s.bodies[names[0]].point((1, 0, 0)), s.bodies[name].point((1, 0, 0)), joint=fb.Revolute("y"))
    return s, np.array(q)


@pytest.mark.parametrize("make", [slider_crank, four_bar, geared, star])
def test_every_formulation_solves_the_complete_linear_system(make) -> None:
    s, q = make()
    f = s.derive("kane").compile()
    rng = np.random.default_rng(1)
    n = len(s.derive("kane").u)
    u, tau = rng.normal(size=n), rng.normal(size=n)
    at = f.constraint(q, u)
    G, M = at["G"], f.mass_matrix(q)
    assert np.max(np.abs(at["phi"])) <= 1e-12
    whole = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
    expected = np.linalg.solve(whole, [*(f.bias(q, u) + tau), *at["gamma"]])
    for name in FORMULATIONS:
        e = s.derive(name)
        g = e.compile()
        assert np.allclose(g.forward_dynamics(q, u, tau), expected[:n], rtol=1e-10, atol=1e-10), name
        assert np.allclose(g.multipliers(q, u, tau), expected[n:], rtol=1e-10, atol=1e-10), name


@pytest.mark.parametrize("make", [slider_crank, four_bar, geared])
def test_forces_and_accelerations_balance_at_the_solution(make) -> None:
    """f + Gᵀλ − M u̇ and γ − G u̇ of each derivation vanish at its own u̇ and λ, in every form of closures."""
    s, q = make()
    for e in (s.derive("kane").derivation, s.derive("cheapest").derivation.fastest):
        rng, a = np.random.default_rng(5), e.assembly("solution")
        at = dict(zip((*e.layout.q_handles, *e.layout.u_handles), [*q, *rng.normal(size=len(e.layout.u))], strict=True))
        at[e.tree.t] = 0.0
        u_dot, multipliers = (values(e.graph, nodes, at) for nodes in e.solution(a)[:2])
        at |= dict(zip((*e.accelerations, *e.multipliers), (*u_dot, *multipliers), strict=True))
        for nodes in e.balance:
            assert np.allclose(values(e.graph, nodes, at), 0, atol=1e-11)


def test_a_planar_loop_keeps_two_of_five_equations() -> None:
    s, _ = four_bar()
    assert s.derive("kane").derivation.constraints.names == ("pin.force.x", "pin.force.z")


def test_operations_of_loops() -> None:
    """docs/decisions: four-bar and slider-crank by the cheapest equations."""
    assert slider_crank()[0].derive("cheapest").operations["state_dot"].total <= 78
    assert four_bar()[0].derive("cheapest").operations["state_dot"].total <= 105


@pytest.mark.parametrize("make", [slider_crank, four_bar])
def test_projection_returns_to_the_constraints(make) -> None:
    s, q = make()
    e = s.derive("cheapest")
    f, rng = e.compile(), np.random.default_rng(3)
    x = np.concatenate([q + 1e-3 * rng.normal(size=len(q)), rng.normal(size=len(e.u))])
    for _ in range(4):
        x = f.project(0.0, x)
    at = f.constraint(x[: len(q)], x[len(q) :])
    assert np.max(np.abs(at["phi"])) <= 1e-14 and np.max(np.abs(at["G"] @ x[len(q) :])) <= 1e-14


def test_what_does_not_support_constraints_refuses_them_by_name() -> None:
    s, _ = four_bar()
    with pytest.raises(ModelError, match="symmetries: the system has a constraint, 'pin'"):
        s.symmetries()


def test_a_body_is_not_closed_to_itself() -> None:
    s, _ = four_bar()
    with pytest.raises(FieldError, match="connects 'rocker' to itself"):
        s.close("rocker", s.bodies["rocker"].point((0, 0, 1)))


def test_constraints_are_part_of_the_digest() -> None:
    one, other = four_bar()[0], four_bar()[0]
    assert one.digest() == other.digest()
    other.constrain("q.crank - q.rocker")
    assert one.digest() != other.digest()


def test_pins_through_several_bodies_are_paired_as_is_cheapest() -> None:
    s = squeezer()
    cheapest = s.derive("cheapest")
    part = cheapest.derivation.part("forward")  # type: ignore[attr-defined]
    assert part.formulation.forms.attached
    assert cheapest.operations["state_dot"].total <= 400
    start, rng = dict(zip(SQUEEZER_NAMES, SQUEEZER_START, strict=True)), np.random.default_rng(2)
    q = np.array([start[n] for n in cheapest.q])
    f, g = s.derive("kane").compile(), cheapest.compile()
    G = f.constraint(q, np.zeros(7))["G"]
    u = np.linalg.svd(G)[2][6] * 100
    tau = rng.normal(size=7)
    assert np.allclose(g.forward_dynamics(q, u, tau), f.forward_dynamics(q, u, tau), rtol=1e-9)


@pytest.mark.parametrize("exchanged", [frozenset(), frozenset({"pin"})])
def test_multipliers_do_not_depend_on_the_form_of_closures(exchanged: frozenset[str]) -> None:
    """A pin in the plane with oblique directions in its first body: two of three oblique forces are kept, or those
    along two axes of the second body. As generalised forces, not as vectors, these are the same."""
    s, q = slider_crank()
    del s.constraints["pin"]
    R = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    s.close(s.bodies["rod"].point((1, 0, 0)), s.bodies["slider"], fb.Spherical(), orient=R, name="pin")
    e = Derivation(Recursive(span(s.freeze()), forms=ClosureForms(exchanged, aligned=True)))
    nodes = e.insert_u_dot(e.assembly("multipliers", "tau"), list(e.named_multipliers.values()), tau=e.tau)
    tau = {e.graph.named(f"tau.{name}"): x for name, x in zip(e.layout.u, (1.0, 2.0, -3.0), strict=True)}
    state = dict(zip(e.layout.q_handles, q, strict=True)) | dict.fromkeys(e.layout.u_handles, 0.0)
    expected = s.derive("kane").compile("numpy").multipliers(q, np.zeros(3), [1.0, 2.0, -3.0])
    multipliers = np.array(values(e.graph, nodes, state | tau), float)
    assert len(expected) == 2 and np.allclose(multipliers, expected, atol=1e-10)
