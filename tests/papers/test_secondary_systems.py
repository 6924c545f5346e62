"""Primary and secondary systems (Rodriguez, Jain & Kreutz 1991, section 2.3): u̇ and λ are those of the whole system,
operations grow linearly with the number of arms that hold an object, and closures touch step (D) alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ModelError
from freebody.formulations.recursive import Recursive
from freebody.model.joints.base import Joint
from freebody.papers.solvers.compliance import ComplianceEquations, FactorSteps, OmegaSteps
from freebody.scalar.walk import symbols_of
from freebody.tree.elimination import Elimination
from freebody.tree.independence import independent_rows
from freebody.tree.tree import span
from tests.mechanisms.sampled import sampled
from tests.model.test_constraint_elements import ELEMENTS
from tests.model.test_distance_constraint import state_of
from tests.papers.test_compliance_solver import both

LEFT, RIGHT = ["a0", "a1", "a2"], ["b0", "b1", "b2"]
SOLID = {"mass": 2, "inertia": (0.1, 0.2, 0.3), "com": (0.01, 0.02, 0.03)}


def grasp(arms: int, links: int = 6, grip: Any = None) -> fb.System:
    """Arms on the ground that hold a free body, by a weld if nothing else is named."""
    s = fb.System("grasp")
    held = s.body("object", joint=fb.Free(), **SOLID)
    for a in range(arms):
        link = s.ground
        for k in range(links):
            at, axis = (0.4 * (k > 0), 0.3 * a if k == 0 else 0.05, 0.1), "zyyxyx"[k % 6]
            link = s.body(
                f"arm{a}.{k}",
                on=link,
                at=at,
                joint=fb.Revolute(axis),
                mass=1 + k,
                com=(0.2, 0.01, 0.02),
                inertia=(0.1, 0.2, 0.15),
            )
        s.close(link.point((0.1, 0, 0)), held.point((0.1, 0.3 * a, 0)), grip or fb.Weld(), name=f"grip{a}")
    return s


def two_trees() -> fb.System:
    """Two branches on the ground with the names of ``branches``, and a body of prescribed motion."""
    s = fb.System("two trees")
    s.parameter("l", 1.1)
    joints = {
        "a": (fb.Universal("x", "z"), fb.Free("123"), fb.Cylindrical("y")),
        "b": (fb.Revolute("y", armature="l"), fb.Planar("z"), fb.Spherical()),
    }
    for branch, of_branch in joints.items():
        on: Any = s.ground
        for k, joint in enumerate(of_branch):
            on = s.body(f"{branch}{k}", on=on, at=(0.3, 0.1 * k, -0.2), joint=joint, **SOLID)
    s.body("shaker", joint=fb.Revolute((1, 2, 2), motion="0.3*sin(2*t)"), at=(0.1, 0.2, 0.3), mass=1)
    s.force(s.ground.vector((0.1, 0.2, "sin(3*t)")), at="b1")
    return s


def assert_same_solution(s: fb.System, secondary: Sequence[str]) -> ComplianceEquations:
    """u̇ and λ are those of the elimination of the whole system, at any state."""
    spanned_tree = span(s.freeze())
    state, e = state_of(spanned_tree), ComplianceEquations(spanned_tree, secondary)
    expected = both(spanned_tree, Recursive(spanned_tree), state)
    assert np.abs(both(spanned_tree, e, state) - expected).max() < 1e-9 * np.abs(expected).max()
    return e


@pytest.mark.parametrize("element", sampled(ELEMENTS.values(), 4), ids=list(ELEMENTS))
def test_every_constraint(element: Callable[[fb.System], Any]) -> None:
    s = two_trees()
    element(s)
    left = [*LEFT, "shaker"]  # bodies that the element adds are on the right branch
    for secondary in ([name for name in s.bodies if name not in left], left):
        assert_same_solution(s, secondary)


CLOSURES: dict[str, Callable[[fb.System], Any]] = {
    "rigid coupling": lambda s: s.close("a2", "b2"),
    "loose coupling": lambda s: s.close("a2", "b2", fb.Universal()),
    "internal loop of the secondary system": lambda s: (s.close("a2", "b2", fb.Spherical()), s.rod("b0", "b2", 1.0)),
    "internal loop of the primary system": lambda s: (s.close("a2", "b2", fb.Spherical()), s.rod("a0", "a2", 1.0)),
    "only internal loops": lambda s: (s.rod("a0", "a2", 1.0), s.rod("b0", "b2", 1.0)),
    "to the ground": lambda s: (s.close("ground", "b2", fb.Universal()), s.rod("ground", "a2", 1.0)),
    "equation of speeds of both": lambda s: s.constrain("u.a0.a1 + 2*u.b0 - 0.3*q.b0*u.a1.vx"),
}


@pytest.mark.parametrize("secondary", [LEFT, RIGHT], ids=["left", "right"])
@pytest.mark.parametrize("close", CLOSURES.values(), ids=list(CLOSURES))
def test_internal_loops_and_couplings(close: Callable[[fb.System], Any], secondary: list[str]) -> None:
    s = two_trees()
    close(s)
    assert_same_solution(s, secondary)


@pytest.mark.parametrize("links", [3, 6, 7])
@pytest.mark.paper("003", "12", "17")
def test_arms_that_hold_a_free_body_without_actuators(links: int) -> None:
    """T_S = 0, six secondary speeds, rigid coupling. The ends of arms of three joints cannot move in all directions:
    then only a part of λ is eliminated before u̇_S."""
    s = grasp(2, links)
    e = assert_same_solution(s, ["object"])
    assert e.secondary_speeds == list(range(6))
    assert len(independent_rows(s.freeze(), range(6, 6 + 2 * links))) == 2 * min(6, links)
    eq = s.derive("kane")
    x = np.random.default_rng(3).uniform(-0.6, 0.6, (2, len(eq.q)))
    q, u = x[0], x[1, 1:]
    q[3:7] /= np.linalg.norm(q[3:7])
    apart = s.derive(solver="compliance", secondary=["object"]).compile("numpy")
    expected = eq.compile("numpy").forward_dynamics(q, u)
    assert np.allclose(apart.forward_dynamics(q, u), expected, rtol=1e-8, atol=1e-8)


@pytest.mark.paper("003", "17")
def test_the_primary_compliance_has_a_block_for_each_arm() -> None:
    """A_P Λ_P A_P* is block diagonal where each closure is on an arm of its own; with the object's it is not."""
    s = grasp(3)
    eq = s.derive("kane")
    q = np.random.default_rng(3).uniform(-0.6, 0.6, len(eq.q))
    q[3:7] /= np.linalg.norm(q[3:7])
    closures = eq.operators(q).closures
    primary, whole = closures.part([name for name in s.bodies if name != "object"]).compliance, closures.compliance
    arms = [[k for k, name in enumerate(closures.names) if name.startswith(f"grip{a}")] for a in range(3)]
    assert [len(rows) for rows in arms] == [6, 6, 6]
    for a, one in enumerate(arms):
        assert np.linalg.matrix_rank(primary[np.ix_(one, one)]) == 6
        for other in arms[a + 1 :]:
            assert np.abs(primary[np.ix_(one, other)]).max() < 1e-12 < np.abs(whole[np.ix_(one, other)]).max()


@pytest.mark.paper("003", "18")
def test_singular_positions_of_the_primary_system() -> None:
    """Where an elbow is stretched, u̇ is not finite with a secondary system: it is not silently wrong. Without one, such
    positions are passed."""
    s = fb.System("planar")
    held = s.body("object", joint=fb.Planar("y"), **SOLID)
    upper = s.body("upper", joint=fb.Revolute("y"), **SOLID)
    fore = s.body("fore", on=upper, at=(0, 0, 1), joint=fb.Revolute("y"), **SOLID)
    s.close(fore.point((0, 0, 1)), held, fb.Revolute("y"), name="grip")
    whole, apart = (s.derive(solver="compliance", secondary=some).compile("numpy") for some in ([], ["object"]))
    expected = s.derive("kane").compile("numpy")
    for elbow in (0.3, 1e-3, 0.0):
        state = [0.1, 0.2, 0.4, 0.7, elbow], [0.1, 0.2, 0.3, 0.4, 0.5]
        u_dot = expected.forward_dynamics(*state)
        assert np.allclose(whole.forward_dynamics(*state), u_dot, rtol=1e-8)
        with np.errstate(all="ignore"):
            found = apart.forward_dynamics(*state)
        assert np.allclose(found, u_dot, rtol=1e-6) if elbow else not np.isfinite(found).all()


@pytest.mark.paper("003", "25")
def test_operations_grow_linearly_with_the_arms_that_hold_an_object() -> None:
    """Without a secondary system the closures are coupled by the object, and step (D) grows with their cube."""

    def operations(arms: int, **options: Any) -> int:
        return int(grasp(arms).derive(solver="compliance", **options).operations["forward_dynamics"].total)

    one, two, three, four = (operations(arms, secondary=["object"]) for arms in (1, 2, 3, 4))
    assert abs((four - three) - (three - two)) <= 0.01 * (two - one)
    assert four < 0.75 * operations(4)


@pytest.mark.paper("003", "21")
@pytest.mark.parametrize("steps", [FactorSteps, OmegaSteps])
def test_other_closures_leave_the_steps_before_d_as_they_are(steps: type[FactorSteps]) -> None:
    """Accelerations and compliances of closures are the same nodes, whichever other closures there are."""
    s = grasp(3, 6, fb.Spherical())
    spanned_tree = span(s.freeze())
    e = ComplianceEquations(spanned_tree)
    rows = e.constraints.multipliers(spanned_tree)

    def nodes(held: Sequence[int]) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
        tree = Elimination(spanned_tree, e.inertias)
        tree.condense(e.force)
        closed = steps(tree, [rows[k] for k in held])
        compliance = {(held[i], held[j]): x for (i, j), x in closed.compliance().items()}
        return dict(zip(held, closed.accelerations(), strict=True)), compliance

    every, some = nodes(range(9)), nodes([0, 1, 2, 6, 7, 8])
    assert some[0].items() <= every[0].items() and some[1].items() <= every[1].items()


@pytest.mark.paper("003", "21")
def test_flags_of_closures_occur_in_step_d_alone() -> None:
    """Closures that can be switched: what steps (A), (B) and (C) compute does not depend on which of them hold."""
    s = grasp(2)
    s.constraints |= {name: replace(c, engaged=True) for name, c in s.constraints.items()}
    spanned_tree = span(s.freeze())
    e = ComplianceEquations(spanned_tree)
    flags = set(e.constraints.flags.values())
    tree = Elimination(spanned_tree, e.inertias)
    tree.condense(e.force)
    closed = OmegaSteps(tree, e.constraints.multipliers(spanned_tree))
    before = [*tree.right.values(), *e.constraints.accelerations]
    before += [*closed.accelerations(), *closed.compliance().values()]
    after = [*e.forward().multipliers, *e.forward().u_dot]
    assert len(flags) == 2 and flags.isdisjoint(symbols_of(spanned_tree.graph, before))
    assert flags <= set(symbols_of(spanned_tree.graph, after))


@pytest.mark.paper("003", "21")
@pytest.mark.parametrize("secondary", [[], ["object"]], ids=["one system", "object secondary"])
@pytest.mark.parametrize(("links", "grip"), [(6, fb.Weld()), (2, fb.Spherical())], ids=["weld", "spherical"])
def test_switched_closures_equal_fresh_derivations(links: int, grip: Joint, secondary: list[str]) -> None:
    """Both grips, one of them, none; the program is the same. Arms of two joints cannot follow the body's points by
    themselves."""
    s = grasp(2, links, grip)
    every = dict(s.constraints)
    s.constraints |= {name: replace(c, engaged=True) for name, c in every.items()}
    f = s.derive(solver="compliance", secondary=secondary).compile("numpy")
    q, u, tau = np.random.default_rng(2).uniform(-1, 1, (3, 6 + 2 * links))
    q = np.insert(q, 6, 0.0)
    q[3:7] /= np.linalg.norm(q[3:7])
    for flags in ([1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]):
        s.constraints.clear()
        s.constraints |= {name: c for (name, c), flag in zip(every.items(), flags, strict=True) if flag}
        expected = s.derive("kane").compile("numpy").forward_dynamics(q, u, tau)
        u_dot = f.forward_dynamics(q, u, tau, inputs=flags)
        assert np.abs(u_dot - expected).max() < 1e-9 * np.abs(expected).max()


@pytest.mark.paper("003", "22")
def test_runs_in_which_an_arm_grasps_and_releases_an_object() -> None:
    """The object falls, is caught where it is, moved, and released; impulses included."""
    s = grasp(1)
    del s.constraints["grip0"]
    s.close(s.bodies["arm0.5"], "object", fb.Weld(), name="grip", engaged=False, capture=True)
    events = [fb.Event("t - 0.2", engage="grip"), fb.Event("t - 0.5", release="grip")]
    start = {"q": {f"arm0.{k}": 0.3 for k in range(6)}, "events": events}
    runs = [
        s.derive(**options).simulate(0.6, **start)
        for options in ({}, {"solver": "compliance"}, {"solver": "compliance", "secondary": ["object"]})
    ]  # type: ignore[arg-type]
    for run in runs[1:]:
        assert len(run.events.t) == 2 and np.allclose(run.x[-1], runs[0].x[-1], rtol=0, atol=1e-7)
    f, run = s.derive("kane").compile("numpy"), runs[2]
    n, gripped, apart = len(f.equations.q), list[Any](), list[Any]()
    for t, x in zip(run.t, run.x, strict=True):
        hand, held = (f.pose(x[:n], name, t) for name in ("arm0.5", "object"))
        if t < 0.2:
            assert abs(held.p[2] + 0.5 * 9.81 * t**2) < 1e-6  # it falls without turning
        elif t < 0.5:
            gripped.append(hand.R.T @ (held.p - hand.p))
        else:
            apart.append(hand.R.T @ (held.p - hand.p))
    assert len(gripped) > 2 and np.ptp(gripped, axis=0).max() < 1e-6 < 1e-3 < np.ptp(apart, axis=0).max()


def test_wrong_secondary_systems() -> None:
    s = grasp(2)

    def message(secondary: Any, solver: str | None = "compliance") -> str:
        with pytest.raises(ModelError) as error:
            s.derive(solver=solver, secondary=secondary)
        return str(error.value)

    assert "there is no body 'ball'; choose from object, arm0.0" in message(["ball"])
    assert "'arm0.5' is on 'arm0.4', but only 'arm0.5' is named" in message(["object", "arm0.5"])
    assert "name 'arm0.4' too, or give 'arm0.5' a joint on the ground" in message(["arm0.5"])
    assert "'arm1.1' is on 'arm1.0', but only 'arm1.0' is named" in message([s.bodies["arm1.0"]])
    assert "secondary names all bodies" in message(list(s.bodies))
    assert "secondary=… needs solver='compliance', not 'tree'" in message(["object"], "tree")
    assert "secondary=… needs solver='compliance', not None" in message(["object"], None)
    with pytest.raises(ArgumentError, match="secondary must be a name or a list of names, not 3"):
        s.derive(solver="compliance", secondary=3)  # type: ignore[arg-type]
    s.couple("arm1.0", "arm0.0", 2)
    named = ["object", *(n for n in s.bodies if n.startswith("arm1"))]
    assert "'arm1.0' is coupled to 'arm0.0', but only 'arm1.0' is named" in message(named)


def test_one_body_and_its_name() -> None:
    s = grasp(1, 3, fb.Spherical())
    digests = {
        s.derive(solver="compliance", secondary=some).operations["forward_dynamics"].total
        for some in ("object", ["object"], [s.bodies["object"]])
    }
    assert len(digests) == 1
