"""Solver 'sparse' as loops over bodies: the same u̇, multipliers and projection as the tree's elimination and as one
expression, for every joint and constraint; carried bodies; costs that grow linearly; runs; what is refused."""

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.backends import compile
from freebody.errors import ModelError
from freebody.formulations.rolled import MANY_CLOSED
from freebody.formulations.rolled.equations import Rolled
from freebody.formulations.solvers.rolled_sparse import RolledSparse
from freebody.model.joints import JOINTS
from tests.formulations.test_rolled_loops import (
    KINDS,
    close,
    four_bars,
    hanging,
    solves_the_complete_linear_system,
    states,
    upright,
)
from tests.mechanisms.flexible_bodies import flexible
from tests.mechanisms.random_loops import Mechanism, closing_kinds, coupled, mechanism, uncoupled

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import mechanisms

Array = np.ndarray
TREES = (1, 3, 4, 5, 9, 10)
LOOPS = (3, 13)
"""Random systems with every joint in the tree; with closures by joints with and without states, couplings, expressions
and redundant rows."""


@cache
def drawn(seed: int) -> Mechanism:
    return mechanism(seed, closing_kinds())


def sparse(s: fb.System) -> fb.Equations:
    e = s.derive(solver="sparse", rolled=True)
    assert isinstance(e.derivation, RolledSparse)
    return e


# Random systems


def test_trees_of_every_joint() -> None:
    """With loads, inputs, rotors, springs, couplings and prescribed motions."""
    kinds = set[str]()
    for seed in TREES:
        m = coupled(seed) if seed % 6 == 5 else uncoupled(seed)
        h, tau = m.held, np.random.default_rng(seed).normal(size=len(m.held["u"]))
        kinds |= {body.joint.kind for body in m.system.freeze().bodies.values()}
        u_dot = sparse(m.system).compile("numpy").forward_dynamics(h["q"], h["u"], tau, h["t"], m.z, h["inputs"])
        close(u_dot, np.linalg.solve(m.tree["M"], m.tree["f"] + tau))
    assert kinds == set(JOINTS)


@pytest.mark.parametrize("seed", LOOPS)
def test_loops_solve_the_complete_linear_system(seed: int) -> None:
    m = drawn(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    f, one = sparse(m.system).compile("numpy"), m.system.derive("aba", rolled=False).compile("numpy")
    solves_the_complete_linear_system(m, f, one, tau)


@pytest.mark.parametrize("kind", ["weld", "rod to the ground", "plane", "wheel"])
def test_constraints_between_two_bodies(kind: str) -> None:
    """Away from closed positions too, where every term counts."""
    s = hanging(KINDS[kind])
    f, one = sparse(s).compile("numpy"), s.derive("aba", rolled=False).compile("numpy")
    at = states(one.equations)
    close(f.multipliers(*at), one.multipliers(*at))
    close(f.forward_dynamics(*at), one.forward_dynamics(*at))


def test_constraints_can_be_switched_and_stabilised() -> None:
    """Flags of constraints of one kind and of an expression; and Baumgarte's terms."""
    s = hanging(KINDS["revolute"])
    s.constrain("u.a0.wx - q.a1tip.slide*u.a1.wz", name="coupled")
    names = "q", "u", "tau"
    q, u, tau = (x[0] for x in states(s.derive("aba", rolled=False), 1))
    derived = sparse(s).derivation, s.derive("aba", rolled=False).derivation
    numbers = dict(zip(names, (q, u, tau), strict=True)) | {
        "parameters": np.array([0.4]),
        "inputs": np.array([3.0, 7.0]),
    }
    both = [compile(e.stabilised.programs["forward_dynamics"], "numpy", staged=False) for e in derived]
    close(*(f(*(numbers.get(group.name, np.zeros(group.size)) for group in f.groups)) for f in both))
    s.constraints |= {name: replace(c, engaged=True) for name, c in s.constraints.items()}
    f, g = sparse(s).compile("numpy"), s.derive("aba", rolled=False).compile("numpy")
    rng = np.random.default_rng(0)
    for _ in range(4):
        flags = rng.integers(0, 2, len(s.constraints)).astype(float)
        state = q, u, tau, 0.0, np.zeros(0), flags
        close(f.forward_dynamics(*state), g.forward_dynamics(*state))
        close(f.multipliers(*state), g.multipliers(*state))


def test_redundant_rows_and_singular_positions() -> None:
    """Rods that are doubled; four-bars that lie flat, where each loop has one freedom more."""
    net, bars = mechanisms.curtain(2, 4, rods=2), four_bars(5)
    flat = upright(bars.derive(), np.pi / 2, 1.0)
    for s, at in ((net.system(), (net.q, net.u)), (bars, flat)):
        f, one = sparse(s).compile("numpy"), s.derive("aba", rolled=False).compile("numpy")
        close(f.forward_dynamics(*at), one.forward_dynamics(*at))


# Carried bodies


def carried() -> fb.System:
    """Links without mass that are welded to moving ones, or move in a prescribed way on them, one on another; bodies on
    such links, closures of such links, and a carrier that only time moves."""
    s = fb.System("carried")
    s.parameters(rotor=0.3)
    solid: dict[str, Any] = {"mass": 1.2, "com": (0.1, 0.2, -0.1), "inertia": (0.3, 0.4, 0.5)}
    base = s.body("base", joint=fb.Prismatic("x", motion="0.2*sin(3*t)"), mass=5)
    plate = s.body("plate", on=base, at=(0, 0, 0.1), joint=fb.Weld())
    frames = []
    for k, x in enumerate((-1, 1)):
        arm = s.body(f"arm{k}", on=plate, at=(x, 0, 0), joint=fb.Universal("x", "y", armature="rotor"), **solid)
        spin = s.body(
            f"spin{k}",
            on=arm,
            at=(0, 0.2, 1),
            orient=("z", 0.4),
            joint=fb.Revolute("z", motion="2*t"),
            mass=0.4,
            com=(0.1, 0, 0.1),
            inertia=(0.02, 0.02, 0.03),
        )
        frame = s.body(f"frame{k}", on=spin, at=(0, 0, 0.1), orient=("x", 0.3), joint=fb.Weld())
        tip = s.body(f"tip{k}", on=frame, at=(0, 0.1, 0), joint=fb.Spherical(), **solid)
        s.body(f"mark{k}", on=tip, at=(0.2, 0.1, 0.1), joint=fb.Weld())
        s.force(s.ground.vector((0, "2*t", 0.3)), s.bodies[f"mark{k}"].point((0, 0, 0.1)))
        frames.append(frame)
    s.rod(s.bodies["mark0"].point((0, 0, 0)), s.bodies["mark1"].point((0, 0.1, 0)), 2.0, name="rod")
    s.point_on_line(frames[0].point((0, 0, 0.2)), frames[1].point((-2, 0, 0.2)), "y", name="line")
    s.constrain("u.tip0.wx - q.arm1.a1*u.arm1.a2", name="speeds")
    return s


def test_bodies_that_others_carry_have_no_unknowns() -> None:
    """Not at a closed position, so that every term counts; with rotors and without."""
    s = carried()
    e, one = sparse(s), s.derive("aba", rolled=False)
    assert sum(map(len, e.derivation.unknowns.components)) == 18  # the origins of two of four moving bodies stay
    q, u, tau = states(e)
    t = np.linspace(0.1, 0.5, len(q))
    for rotor in (0.3, 0.0):
        f, g = (some.compile("numpy", {"rotor": rotor}) for some in (e, one))
        close(f.forward_dynamics(q, u, tau, t), g.forward_dynamics(q, u, tau, t))
        close(f.multipliers(q, u, tau, t), g.multipliers(q, u, tau, t))
    close(f.project(t, np.hstack([q, u])), g.project(t, np.hstack([q, u])))


# Many bodies


@pytest.mark.slow
@pytest.mark.parametrize("m", [mechanisms.ring(40), mechanisms.ladder(12)], ids=lambda m: m.name)
def test_one_expression_and_the_tree_agree(m: mechanisms.Mechanism) -> None:
    """More bodies than programs without loops are derived for; with rotors and a brake that can be switched."""
    s = m.system()
    s.constrain(f"u.{next(iter(s.bodies))} - 0.3", name="brake", engaged=False)
    s.joint_force(next(iter(s.bodies)), "sin(3*t)")
    every = [s.derive(solver="sparse"), s.derive(solver="sparse", rolled=False), s.derive(solver="tree")]
    assert [isinstance(e.derivation, RolledSparse) for e in every] == [True, False, False]
    f, *others = (e.compile("numpy") for e in every)
    for flag in (0.0, 1.0):
        state = {"q": m.q, "u": m.u, "tau": m.tau, "t": 0.4, "inputs": [flag]}
        for other in others:
            close(f.forward_dynamics(**state), other.forward_dynamics(**state))
            close(f.multipliers(**state), other.multipliers(**state))


@pytest.mark.slow
def test_operations_of_loops_on_one_long_tree_grow_linearly() -> None:
    """A ladder's loops all pass the bodies at its foot."""
    few, more, most = (
        mechanisms.ladder(n).system().derive(solver="sparse", rolled=True).operations["forward_dynamics"].total
        for n in (60, 90, 120)
    )
    assert abs((most - more) - (more - few)) < 0.02 * (most - few)


def test_loops_one_over_another_are_solved_by_one_sparse_system() -> None:
    """The default choice, and that of 'auto', of more bodies than are derived as one expression."""
    over, beside = mechanisms.ladder(MANY_CLOSED // 3 + 1).system(), mechanisms.row(MANY_CLOSED // 2).system()
    for solver in (None, "auto"):
        assert isinstance(over.derive(solver=solver).derivation, RolledSparse)
        derivation = beside.derive(solver=solver).derivation
        assert isinstance(derivation, Rolled) and not isinstance(derivation, RolledSparse)


@pytest.mark.slow
def test_a_ladder_keeps_its_energy() -> None:
    """From a state that is not closed; assembled, projected and run by loops."""
    m = mechanisms.ladder(11)
    e = m.system().derive(solver="sparse")
    assert isinstance(e.derivation, RolledSparse) and e.derivation.is_cheaper
    run = e.simulate(0.3, q={"right0": float(m.q[1]) + 1e-3}, u={"left0": 0.4}, rtol=1e-9, atol=1e-9)
    assert np.ptp(run["energy.total"]) < 1e-6 * np.ptp(run["energy.kinetic"])
    assert abs(run["q.right0"][0] - m.q[1] - 1e-3) < 1e-12


# Refusals


def test_bodies_without_inertia_of_their_own_are_refused() -> None:
    s = fb.System("pendulum")
    one = s.body("one", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.body("two", on=one, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    with pytest.raises(ModelError, match=r"solver 'sparse': the inertia of 'two' alone is singular.*solver='tree'"):
        s.derive(solver="sparse", rolled=True)


def test_what_has_no_rows_is_refused_by_name() -> None:
    text = r"solver 'sparse': '.*' has speeds of its own.*use rolled=False or solver='tree'"
    with pytest.raises(ModelError, match=text):
        flexible(fb.Free()).derive(solver="sparse", rolled=True)
    s = fb.System("twice")
    twice = fb.Compound(fb.Revolute("z"), fb.Revolute("z"), armature=1)
    s.body("b", joint=twice, mass=1, inertia=(1, 1, 1))
    with pytest.raises(ModelError, match="the 2 speeds of the joint of 'b' are not independent"):
        s.derive(solver="sparse", rolled=True).program()
    with pytest.raises(ModelError, match="rolled=True needs the formulation 'aba' or solver='sparse', not 'gauss'"):
        s.derive(solver="mixed", rolled=True)
