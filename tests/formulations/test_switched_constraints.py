"""Constraints that can be switched: one program for every topology. Each topology equals a fresh derivation of the
system without the constraints that are released, in every formulation, alone and in batches."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FieldError, FreebodyError, ModelError
from freebody.io import dumps, loads
from freebody.tree.independence import dependence
from tests.mechanisms.random_loops import Mechanism, closing_kinds, mechanism

Array = np.ndarray
EQUAL, ILL_CONDITIONED = 1e-10, 1e-8
FORMULATIONS = ("kane", "aba", "crba", "poincare", "cheapest")


def close(actual: Array, expected: Array, tolerance: float = EQUAL) -> None:
    """Equal, relative to the largest number or 1."""
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance * scale)


def switchable(seed: int) -> tuple[Mechanism, list[str]]:
    """A random mechanism whose constraints can be switched, and their names."""
    m = mechanism(seed, closing_kinds())
    every = m.system.constraints
    every |= {name: replace(constraint, engaged=True) for name, constraint in every.items()}
    return m, list(every)


def without(seed: int, released: Sequence[str]) -> Mechanism:
    """The same mechanism, described without some of its constraints."""
    m = mechanism(seed, closing_kinds())
    for name in released:
        del m.system.constraints[name]
    return m


@pytest.mark.parametrize("seed", [0, 2])
def test_topologies_of_random_mechanisms_equal_fresh_derivations(seed: int) -> None:
    """Joints of every kind, with couplings; all constraints engaged, none, and the first alone."""
    m, names = switchable(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    subsets = [[1.0] * len(names), [0.0] * len(names), *([[1.0, *[0.0] * (len(names) - 1)]] if len(names) > 1 else [])]
    at, inputs = (m.held["q"], m.held["u"], tau, m.held["t"], m.z), m.held["inputs"]
    switched = [m.system.derive(formulation).compile("numpy") for formulation in ("kane", "aba")]
    for flags in subsets:
        fresh = without(seed, [name for name, flag in zip(names, flags, strict=True) if not flag])
        expected = fresh.system.derive("kane").compile("numpy").forward_dynamics(*at[:4], fresh.z, inputs)
        for f in switched:
            close(f.forward_dynamics(*at, np.array([*inputs, *flags])), expected, ILL_CONDITIONED)
    assert not np.any(f.multipliers(*at, np.array([*inputs, *subsets[1]])))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_each_topology_equals_a_fresh_derivation(formulation: str) -> None:
    """A planar linkage with a pin, a rod and a gear, in all eight topologies, one by one and as one batch."""

    def linkage(pin: bool | None, rope: bool | None, gear: bool | None) -> fb.System:
        s = four_bar(pin)
        s.rod(s.ground.point((0, 0, 1)), s.bodies["b"].point((0.3, 0, 0.1)), 1.1, name="rope", engaged=rope)
        s.body("d", joint=fb.Prismatic("x"), mass=0.5)
        s.constrain("u.d - sin(q.a)*u.a + q.d*u.b", name="gear", engaged=gear)
        return s

    f = linkage(True, True, True).derive(formulation).compile("numpy")
    q, u, tau = np.random.default_rng(4).uniform(-1, 1, (3, 4))
    subsets, expected = list(product((1.0, 0.0), repeat=3)), list[Array]()
    for flags in subsets:
        fresh = linkage(None, None, None)
        for name, flag in zip(("pin", "rope", "gear"), flags, strict=True):
            if not flag:
                del fresh.constraints[name]
        expected.append(fresh.derive("kane").compile("numpy").forward_dynamics(q, u, tau))
        close(f.forward_dynamics(q, u, tau, inputs=list(flags)), expected[-1])
    rows = [np.tile(x, (len(subsets), 1)) for x in (q, u, tau)]
    close(f.forward_dynamics(*rows, inputs=np.array(subsets)), np.array(expected))


def four_bar(engaged: bool | None = None, capture: bool = False, **options: Any) -> fb.System:
    """Three links in a plane, and a pin at the end of the last."""
    s = fb.System("four-bar")
    s.parameter("l", 0.8)
    a = s.body("a", joint=fb.Revolute("y"), mass=1.0, com=(0.2, 0, 0), inertia=fb.rod(1.0, 0.4, "x"))
    b = s.body(
        "b", on=a, at=(0.4, 0, 0), joint=fb.Revolute("y"), mass=2.0, com=(0.4, 0, 0), inertia=fb.rod(2.0, 0.8, "x")
    )
    c = s.body("c", joint=fb.Revolute("y"), at=(0.9, 0, 0), mass=1.5, com=(0.3, 0, 0), inertia=fb.rod(1.5, 0.6, "x"))
    start, end = b.point(("l", 0, 0)), c.point((0.6, 0, 0))
    s.close(start, end, fb.Revolute("y"), name="pin", engaged=engaged, capture=capture, **options)
    return s


START = {"q": {"a": -1.0}, "u": {"a": 2.0}}


@pytest.mark.parametrize("solver", fb.solvers)
def test_every_solver_follows_the_flag(solver: str) -> None:
    q, u = four_bar().assemble(**START)
    tau, always, never = np.array([0.3, -0.2, 0.5]), four_bar(), four_bar()
    del never.constraints["pin"]
    f = four_bar(True).derive(solver=solver).compile("numpy")
    for flag, system in ((1.0, always), (0.0, never)):
        expected = system.derive("kane").compile("numpy").forward_dynamics(q, u, tau)
        close(f.forward_dynamics(q, u, tau, inputs=[flag]), expected, 1e-9)
    assert not np.any(f.multipliers(q, u, tau, inputs=[0.0]))


def test_flags_default_to_the_start_of_a_run() -> None:
    """Inputs that are left out, those of the user alone, and inputs by name."""
    systems = {engaged: four_bar(engaged) for engaged in (True, False)}
    for s in systems.values():
        s.joint_force("a", s.input("motor"))
    q, u = systems[True].assemble(**START)
    expected = {True: four_bar(), False: four_bar()}
    del expected[False].constraints["pin"]
    for engaged, s in systems.items():
        f = s.derive().compile()
        fresh = expected[engaged].derive().compile().forward_dynamics(q, u)
        pushed = expected[engaged].derive().compile().forward_dynamics(q, u, [0.7, 0, 0])
        for inputs in (None, [0.0], {"motor": 0.0}, [0.0, float(engaged)], {"engaged.pin": engaged}):
            close(f.forward_dynamics(q, u, inputs=inputs), fresh)
        for inputs in ([0.7], {"motor": 0.7}, np.array([0.7, float(engaged)])):
            close(f.forward_dynamics(q, u, inputs=inputs), pushed)
        both = f.forward_dynamics(np.tile(q, (2, 1)), np.tile(u, (2, 1)), inputs=[[0.7], [0.0]])
        close(both, np.array([pushed, fresh]))
        with pytest.raises(fb.errors.ArgumentError, match=r"has no input 'engaged\.pen'"):
            f.forward_dynamics(q, u, inputs={"engaged.pen": 1.0})


@pytest.mark.parametrize("engaged", [True, False])
def test_other_quantities_follow_the_flag(engaged: bool) -> None:
    """Projection, G and γ, reactions, M⁻¹ and derivatives are those of the topology."""
    s, fresh = four_bar(not engaged), four_bar()
    if not engaged:
        del fresh.constraints["pin"]
    f, g = s.derive().compile(), fresh.derive().compile()
    q, u = (x + 0.01 * np.arange(3) for x in four_bar().assemble(**START))
    flag = [float(engaged)]
    x = np.concatenate([q, u])
    close(f.project(0.0, x, flag), g.project(0.0, x))
    assert engaged or np.array_equal(f.project(0.0, x, flag), x)
    rows = f.constraint(q, u, inputs=flag)
    assert np.any(rows["G"]) == np.any(rows["gamma"]) == np.any(rows["phi"]) == engaged
    derivatives = f.forward_derivatives(q, u, by=("q", "u", "tau"), inputs=flag)
    for name, expected in g.forward_derivatives(q, u, by=("q", "u", "tau")).items():
        close(derivatives[name], expected, 1e-9)
    multipliers = f.multipliers(q, u, inputs=flag)
    u_dot = f.forward_dynamics(q, u, inputs=flag)
    close(u_dot, g.forward_dynamics(q, u))
    known = {} if not engaged else {"multipliers": g.multipliers(q, u)}
    actual = f.reactions(q, u, u_dot, inputs=flag, multipliers=multipliers)
    for name, value in g.reactions(q, u, u_dot, **known).items():
        close(actual[name], value, 1e-9)
    assert engaged or not np.any(actual["pin.force"])


def test_analyses_take_flags_by_name() -> None:
    """Equilibria and linearisations of each topology are those of a fresh system."""
    s, always, never = four_bar(False), four_bar(), four_bar()
    del never.constraints["pin"]
    for flag, fresh in ((1.0, always), (0.0, never)):
        rest, expected = (
            x.derive().equilibrium({"a": 1.0, "b": 0.4, "c": 1.2}, inputs=inputs)
            for x, inputs in ((s, {"engaged.pin": flag}), (fresh, None))
        )
        close(np.array([*rest.q.values()]), np.array([*expected.q.values()]), 1e-8)
        point = {"q.a": -1.0, "u.a": 0.3}
        A = s.derive().linearize(at={**point, "engaged.pin": flag}).A
        close(A, fresh.derive().linearize(at=point).A, 1e-8)


def test_rows_that_loops_solve_for() -> None:
    """More unknowns than are solved symbolically: a Solve region in every backend."""

    def chain(engaged: bool | None) -> fb.System:
        s, parent = fb.System("chain"), None
        for k in range(33):
            parent = s.body(
                f"b{k}",
                on=parent,
                at=(0.1 * (k > 0), 0, 0),
                joint=fb.Revolute("y"),
                mass=1.0,
                com=(0.05, 0, 0),
                inertia=(0.01, 0.01, 0.01),
            )
        s.rod(s.ground, parent.point((0.1, 0, 0)), 2.9, name="rope", engaged=engaged)
        return s

    q, u = np.random.default_rng(1).uniform(-0.3, 0.3, (2, 33))
    always, never, switched = chain(None), chain(None), chain(True).derive("kane")
    del never.constraints["rope"]
    functions = [switched.compile(backend) for backend in ("numpy", "llvm")]
    for flag, system in ((1.0, always), (0.0, never)):
        expected = system.derive("kane").compile("numpy").forward_dynamics(q, u)
        for f in functions:
            close(f.forward_dynamics(q, u, inputs=[flag]), expected)


# Captured poses


CAPTURED = [fb.Weld(), fb.Revolute((1, 2, 2)), fb.Universal(), fb.Screw("z", pitch=0.2), fb.Planar()]


@pytest.mark.parametrize("joint", CAPTURED, ids=lambda joint: joint.kind)
def test_captured_pose_is_the_frame_in_the_second_body(joint: Any) -> None:
    """A closure with a captured pose equals one whose frame in the second body is described there."""
    rng = np.random.default_rng(3)
    x, turn = rng.normal(size=3), rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    w, i, j, k = turn
    R = np.array(
        [
            [1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)],
            [2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)],
            [2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)],
        ]
    )

    def pair(captured: bool) -> fb.System:
        s = fb.System("pair")
        a = s.body("a", joint=fb.Free(), mass=2.0, com=(0.1, 0, 0), inertia=(1.0, 1.2, 0.9))
        b = s.body("b", joint=fb.Free(), mass=1.0, inertia=(0.5, 0.4, 0.6))
        at = (0.3, 0.1, -0.2)
        if captured:
            s.close(a.point(at), b, joint, name="grip", engaged=True, capture=True)
        else:
            s.close(a.point(at), b.point(x), joint, orient_to=R, name="grip")
        return s

    one, other = pair(False), pair(True)
    q, u = one.assemble({"b.x": 0.5, "b.y": 0.3}, {"a.wx": 1.0, "a.vy": 0.3, "b.wz": -0.4})
    flags = {f"captured.grip.{c}": v for c, v in zip(("x", "y", "z", "qw", "qx", "qy", "qz"), (*x, *turn), strict=True)}
    z = one.derive().start
    for formulation in ("kane", "aba"):
        f, g = (s.derive(formulation).compile("numpy") for s in (one, other))
        close(g.forward_dynamics(q, u, z=z, inputs=flags), f.forward_dynamics(q, u, z=z), 1e-9)
        close(g.multipliers(q, u, z=z, inputs=flags), f.multipliers(q, u, z=z), 1e-9)
        close(g.constraint(q, u, z=z, inputs=flags)["phi"], f.constraint(q, u, z=z)["phi"], 1e-9)


def test_assembly_captures_the_pose_of_what_is_engaged_at_the_start() -> None:
    """The coordinates stay, and the speeds become those of one body; a released closure changes neither."""
    for engaged in (True, False):
        s = fb.System("pair", gravity=(0, 0, 0))
        a, b = (s.body(n, joint=fb.Free(), mass=1.0, inertia=(1, 1, 1)) for n in "ab")
        s.close(a, b, name="grip", engaged=engaged, capture=True)
        q0 = {"a.x": 0.4, "b.y": 0.7}
        q, u = s.assemble(q0, {"a.vx": 1.0})
        assert np.array_equal(q[[0, 8]], [0.4, 0.7]) and q[10] == 1.0
        relative = u[9:12] - np.cross(u[6:9], q[7:10]) - (u[3:6] - np.cross(u[:3], q[:3]))
        assert np.allclose(u[:3], u[6:9]) and np.allclose(relative, 0) == engaged and np.any(u[9:12]) == engaged


# Rows that are left out


def test_rows_are_left_out_only_where_they_follow_from_what_always_holds() -> None:
    """Two equal rods: the second follows from the first if the first always holds, and not if it can be released."""
    for first, left_out in ((None, {"two"}), (True, set[str]())):
        s = fb.System("pair")
        body = s.body("body", joint=fb.Planar(), mass=1.0, inertia=(1, 1, 1))
        s.rod(s.ground, body.point((0.2, 0.1, 0)), 1.0, name="one", engaged=first)
        s.rod(s.ground, body.point((0.2, 0.1, 0)), 1.0, name="two", engaged=True)
        omitted = {key.constraint for key in dependence(s.freeze()).omitted}
        assert omitted == left_out
        assert s.derive().degrees_of_freedom == 2
    always = fb.System("pair")
    body = always.body("body", joint=fb.Planar(), mass=1.0, inertia=(1, 1, 1))
    always.rod(always.ground, body, 1.0, name="switched", engaged=True)
    always.rod(always.ground, body, 1.0, name="kept")
    assert {key.constraint for key in dependence(always.freeze()).omitted} == {"switched"}


def test_planar_closures_keep_two_rows_whatever_pose_they_capture() -> None:
    for capture in (False, True):
        e = four_bar(False, capture).derive()
        assert e.constraints[0].multipliers == ("pin.force.x", "pin.force.z")
        assert e.degrees_of_freedom == 3 and four_bar(True, capture).derive().degrees_of_freedom == 1
        (table,) = (t for t in e.roadmap() if t.title == "Constraints")
        assert e.constraints[0].engaged is False and table.rows[0][1] == "close, revolute, released at the start"


def test_springs_of_a_released_closure_do_not_act() -> None:
    s = fb.System("hinge", gravity=(0, 0, 0))
    s.body("a", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    s.body("b", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    s.close("a", "b", fb.Revolute("z", stiffness=3.0, damping=0.5), name="spring", engaged=True)
    f = s.derive().compile()
    q, u = [0.2, 0.7], [0.0, 1.0]
    assert np.allclose(f.forward_dynamics(q, u), [1.5 + 0.5, -1.5 - 0.5])
    assert np.allclose(f.forward_dynamics(q, u, inputs=[0.0]), 0)
    assert np.isclose(f.energies(q, u)["potential"], 3 * 0.5**2 / 2)


# Files and wrong input


def test_files_keep_what_can_be_switched() -> None:
    s = four_bar(False, True)
    s.rod("a", "c", 1.0, name="rope", engaged=True)
    text = dumps(s)
    assert "engaged: false" in text and "capture: true" in text
    again = loads(text, fb.System)
    assert again.digest() == s.digest() != four_bar(True, True).digest()
    with pytest.raises(FreebodyError, match=r"there is no key 'capture' here"):
        loads(text.replace("length", "capture: true, length"), fb.System)


def test_wrong_switches_raise_errors() -> None:
    with pytest.raises(FieldError, match="true or false is needed, not the text 'yes'"):
        four_bar("yes")  # type: ignore[arg-type]
    with pytest.raises(FieldError, match="capture is for closures that are engaged during a run; give engaged=False"):
        four_bar(None, True)
    with pytest.raises(FieldError, match="true or false is needed"):
        four_bar(False, 1)  # type: ignore[arg-type]
    s = fb.System("names")
    s.body("a", joint=fb.Free(), mass=1.0, inertia=(1, 1, 1))
    s.parameter("engaged.latch", 1.0)
    with pytest.raises(ModelError, match=r"'engaged\.latch' is the name of a parameter in system 'names'"):
        s.close(s.ground, "a", name="latch", engaged=True)
    s.close(s.ground, "a", name="other", engaged=True)
    with pytest.raises(ModelError, match=r"'engaged\.other' is the name of a variable of a constraint"):
        s.input("engaged.other")


def test_springs_of_released_closures_have_no_energy() -> None:
    s = fb.System("latch", gravity=(0, 0, 0))
    a = s.body("a", joint=fb.Prismatic("x"), mass=1)
    s.close("ground", a, fb.Prismatic("x", stiffness=4.0), name="latch", engaged=True)
    for options in ({"formulation": "kane"}, {"rolled": True}, {"solver": "sparse", "rolled": True}):
        f = s.derive(**options).compile("numpy")
        for flag in (1.0, 0.0):
            assert np.isclose(f.energies([0.5], [0.0], inputs=[flag])["potential"], 0.5 * flag)
            assert np.isclose(f.forward_dynamics([0.5], [0.0], inputs=[flag])[0], -2 * flag)
