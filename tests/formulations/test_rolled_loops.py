"""Constraints in rolled programs: the same u̇, multipliers and projection as one expression gives, for every kind of
constraint, in every backend and in batches; operations that grow linearly; and singular positions."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.backends import compile
from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled import equations
from freebody.formulations.rolled.equations import Rolled
from freebody.tree.tree import span
from tests.mechanisms.random_loops import DEPENDENT, Mechanism, closing_kinds, mechanism
from tests.mechanisms.random_trees import rodrigues

Array = np.ndarray
AGREE = 1e-9
SEEDS = (3, 13)
"""Closures by joints with and without states, couplings, expressions, redundant rows."""


@cache
def drawn(seed: int) -> Mechanism:
    return mechanism(seed, closing_kinds())


def close(actual: Array, expected: Array, tolerance: float = AGREE) -> None:
    """Equal, relative to the largest number or 1."""
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance * scale)


# Random mechanisms


def solves_the_complete_linear_system(m: Mechanism, f: fb.Compiled, one: fb.Compiled, tau: Array) -> None:
    """u̇ and the forces of constraints of ``f`` are those of all equations together; multipliers and projections are
    also those of ``one``, where they are unique."""
    h = m.held
    at = h["q"], h["u"], tau, h["t"], m.z, h["inputs"]
    expected = m.solution(tau)
    close(f.forward_dynamics(*at), expected)
    forces = m.tree["M"] @ expected - m.tree["f"] - tau
    kept = [k for k, key in enumerate(m.rows["keys"]) if key in one.equations.derivation.constraints.rows]
    G, multipliers = m.rows["G"][kept], f.multipliers(*at)
    close(G.T @ multipliers, forces)
    if np.linalg.matrix_rank(G, DEPENDENT) == len(kept):
        close(multipliers, one.multipliers(*at))
        rough = np.concatenate([h["q"], h["u"], m.z])
        rough = rough + 1e-3 * np.random.default_rng(1).normal(size=len(rough))
        close(f.project(h["t"][0], rough, h["inputs"]), one.project(h["t"][0], rough, h["inputs"]), 1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_rolled_equations_solve_the_complete_linear_system(seed: int) -> None:
    """Closures by every joint, couplings, expressions, inputs; redundant rows too."""
    m = drawn(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    f, one = (m.system.derive("aba", rolled=rolled).compile("numpy") for rolled in (True, False))
    solves_the_complete_linear_system(m, f, one, tau)


# Kinds of constraints


def hanging(close_loop: Callable[[fb.System, Any, Any, int], object], count: int = 2) -> fb.System:
    """Pairs of short chains in space whose bodies differ in numbers, each closed in the same way."""
    rng, s = np.random.default_rng(3), fb.System("pairs")
    s.parameters(l=0.4)

    def body(name: str, on: Any, joint: Any) -> Any:
        points = rng.normal(size=(5, 3)) * 0.3
        J = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)
        at, com = (tuple(map(float, rng.uniform(-0.5, 0.5, 3))) for _ in range(2))
        axis = rng.normal(size=3)
        turn = rodrigues(axis / np.linalg.norm(axis), float(rng.uniform(-2, 2)))
        return s.body(
            name,
            on=on,
            joint=joint,
            at=at,
            orient=turn.tolist(),
            mass=float(rng.uniform(0.5, 2)),
            com=com,
            inertia=J.tolist(),
        )

    for k in range(count):
        ends = []
        for side in "ab":
            first = body(f"{side}{k}", s.ground, fb.Spherical() if side == "a" else fb.Revolute("y"))
            ends.append(body(f"{side}{k}tip", first, fb.Cylindrical((0.6, 0, 0.8)) if side == "a" else fb.Universal()))
        close_loop(s, *ends, k)
    return s


def closed_by(joint: Any) -> Callable[[fb.System, Any, Any, int], object]:
    def connect(s: fb.System, a: Any, b: Any, k: int) -> object:
        turn = ("z", 0.3 * k + 0.1)
        start, end = a.point((0.1 * k + 0.1, "l", 0.2)), b.point((0, 0.1, "l*2"))
        return s.close(start, end, joint, orient=turn, name=f"loop{k}")

    return connect


KINDS: dict[str, Callable[[fb.System, Any, Any, int], object]] = {
    **{joint.kind: closed_by(joint) for joint in (
        fb.Weld(), fb.Revolute((0.6, 0.8, 0)), fb.Prismatic("y"), fb.Universal(),
    )},
    "rod": lambda s, a, b, k: s.rod(a.point((0, 0, 0.1)), b.point((0, "l", k + 1)), 1.5 + 0.1 * k),
    "rod to the ground": lambda s, a, b, k: s.rod(a.point((0, 0, 0.1)), s.ground.point((k + 1, 0, 0)), "l"),
    "plane": lambda s, a, b, k: s.point_on_plane(a.point((0, 0.1, 0.1 * k + 0.1)), b.point((0, "l", 0)), (0.6, 0, 0.8)),
    "line": lambda s, a, b, k: s.point_on_line(a.point((0, 0.1, 0.1)), b.point((0, 0, k + 1)), "y"),
    "blade": lambda s, a, b, k: s.knife_edge(a.point((0, 0.1, 0.1)), "y", on=b),
    "wheel": lambda s, a, b, k: s.roll(a.point((0, 0, 0)), s.ground.point((0, 0, -1)), 0.3 + 0.1 * k, axis="y"),
}  # fmt: skip


def states(e: fb.Equations, count: int = 5) -> tuple[Array, Array, Array]:
    rng, units = np.random.default_rng(5), e.derivation.tree
    q = rng.uniform(-1, 1, (count, len(e.q)))
    for link in units.links:
        for k in link.body.spec.joint.quaternions:
            start = e.q.index(link.body.spec.names[0][k])
            q[:, start : start + 4] /= np.linalg.norm(q[:, start : start + 4], axis=1)[:, None]
    return q, rng.uniform(-1, 1, (count, len(e.u))), rng.uniform(-1, 1, (count, len(e.u)))


@pytest.mark.parametrize("kind", KINDS)
def test_constraints_between_two_bodies_are_traced_once(kind: str) -> None:
    """They are one kind, whatever their numbers; away from closed positions too, where every term counts."""
    s = hanging(KINDS[kind])
    rolled, one = (s.derive("aba", rolled=rolled) for rolled in (True, False))
    loops = rolled.derivation.loops
    assert loops is not None and len(loops.kinds) == 1 and not loops.others.rows
    f, g = (e.compile("numpy") for e in (rolled, one))
    at = states(one)
    close(f.multipliers(*at), g.multipliers(*at))
    x = np.hstack(at[:2])
    times = np.zeros(len(x))
    if kind in ("revolute", "rod", "wheel"):
        close(f.forward_dynamics(*at), g.forward_dynamics(*at))
        close(f.project(times, x), g.project(times, x))


def test_backends_and_batches_agree() -> None:
    e = hanging(KINDS["revolute"]).derive("aba", rolled=True)
    at = states(e)
    expected = [e.compile("numpy").forward_dynamics(*(x[k] for x in at)) for k in range(5)]
    for backend in ("numpy", "llvm"):
        f = e.compile(backend)
        close(f.forward_dynamics(*at), np.array(expected))
        close(np.array([f.forward_dynamics(*(x[k] for x in at)) for k in range(5)]), np.array(expected))


def test_constraints_can_be_switched() -> None:
    """Flags of constraints of one kind, and of an expression: each topology is that of one expression."""
    s = hanging(KINDS["revolute"])
    s.constrain("u.a0.wx - q.a1tip.slide*u.a1.wz", name="coupled")
    s.constraints |= {name: replace(c, engaged=True) for name, c in s.constraints.items()}
    f, g = (s.derive("aba", rolled=rolled).compile("numpy") for rolled in (True, False))
    at, rng = states(f.equations, 1), np.random.default_rng(0)
    for _ in range(4):
        flags = rng.integers(0, 2, len(s.constraints)).astype(float)
        state = *(x[0] for x in at), 0.0, np.zeros(0), flags
        close(f.forward_dynamics(*state), g.forward_dynamics(*state))
        assert np.all((f.multipliers(*state) != 0) == (g.multipliers(*state) != 0))


def test_stabilised_equations_have_the_terms_of_one_expression() -> None:
    s = hanging(KINDS["revolute"])
    s.constrain("u.a0.wx - q.a1tip.slide*u.a1.wz", name="coupled")
    rates = [
        s.derive("aba", rolled=rolled).derivation.stabilised.programs["forward_dynamics"] for rolled in (True, False)
    ]
    f, g = (compile(p, "numpy", staged=False) for p in rates)
    q, u, tau = (x[0] for x in states(s.derive("aba", rolled=False), 1))
    values = {"q": q, "u": u, "tau": tau, "parameters": np.array([0.4]), "inputs": np.array([3.0, 7.0])}
    found, expected = (h(*(values.get(group.name, np.zeros(group.size)) for group in h.groups)) for h in (f, g))
    close(found, expected)


# Rows of loops


def four_bars(count: int) -> fb.System:
    """Bars of 1 m and 1 kg in a row, the rockers on the ground."""
    s = fb.System(f"{count} four-bars")
    left = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=(1 / 12, 1 / 12, 0))
    for k in range(count):
        coupler = s.body(
            f"coupler{k}",
            on=left,
            at=(0, 0, 1),
            joint=fb.Revolute("y"),
            mass=1,
            com=(0.5, 0, 0),
            inertia=(0, 1 / 12, 1 / 12),
        )
        left = s.body(
            f"rocker{k}", at=(k + 1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=(1 / 12, 1 / 12, 0)
        )
        s.close(coupler.point((1, 0, 0)), left.point((0, 0, 1)), fb.Revolute("y"), name=f"pin{k}")
    return s


def upright(e: fb.Equations, angle: float, speed: float) -> tuple[Array, Array]:
    sign = np.array([-1.0 if name.startswith("coupler") else 1.0 for name in e.q])
    return angle * sign, speed * sign


@pytest.mark.parametrize(("count", "angle"), [(5, 0.4), (60, 0.4), (60, np.pi / 2 - 1e-3)])
def test_four_bars_in_a_row_move_as_one(count: int, angle: float) -> None:
    """θ̈ = c g sin θ (IFToMM A02), also near where they lie flat."""
    e = four_bars(count).derive("aba", rolled=True)
    q, u = upright(e, angle, 1.0)
    u_dot = e.compile("llvm").forward_dynamics(q, u)
    c = ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    close(np.abs(u_dot), np.full(len(u), c * 9.81 * np.sin(angle)))


def test_flat_positions_of_four_bars() -> None:
    """Each loop has one freedom more there, and one of its equations depends on the other."""
    rolled, one = (four_bars(5).derive("aba", rolled=rolled) for rolled in (True, False))
    q, u = upright(one, np.pi / 2, 1.0)
    close(rolled.compile("numpy").forward_dynamics(q, u), one.compile("numpy").forward_dynamics(q, u))


@pytest.mark.slow
def test_operations_of_loops_in_a_row_grow_linearly() -> None:
    totals = [four_bars(count).derive("aba", rolled=True).operations for count in (60, 70, 80)]
    for name in ("forward_dynamics", "project"):
        few, more, most = (t[name].total for t in totals)
        assert most - more == more - few < 10 * 300


def closed_chain(count: int) -> fb.System:
    """A hanging chain whose end is pinned to the ground."""
    s = fb.System(f"chain of {count}")
    on: Any = s.ground
    for k in range(count):
        joint = fb.Revolute("y") if k % 2 else fb.Universal()
        on = s.body(
            f"b{k}",
            on=on,
            at=(0, 0, -0.1 * bool(k)),
            joint=joint,
            mass=0.1,
            com=(0, 0, -0.05),
            inertia=(1e-4, 1e-4, 1e-5),
        )
    s.close(on.point((0, 0, -0.1)), s.ground.point((0.05 * count, 0, 0)), fb.Spherical(), name="end")
    return s


@pytest.mark.slow
def test_long_chains_that_are_closed_at_their_end() -> None:
    rolled, one = (closed_chain(12).derive("aba", rolled=rolled) for rolled in (True, False))
    at = states(one)
    close(rolled.compile("numpy").forward_dynamics(*at), one.compile("numpy").forward_dynamics(*at))
    totals = [closed_chain(n).derive("aba", rolled=True).operations["forward_dynamics"].total for n in (40, 60, 80)]
    assert totals[2] - totals[1] == totals[1] - totals[0]


def test_solver_compliance_is_a_loop_over_bodies() -> None:
    e = four_bars(5).derive(solver="compliance", rolled=True)
    assert isinstance(e.derivation, Rolled)
    assert not isinstance(four_bars(5).derive(solver="compliance").derivation, Rolled)


def test_too_many_constraints_on_one_long_tree_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of ten rods meet at the bodies inboard of both."""
    s = closed_chain(10)
    for k in range(9):
        s.rod(s.bodies[f"b{k}"].point((0.1, 0, 0)), s.ground.point((1, 0, 0)), 1.5, name=f"rod{k}")
    rolled = s.derive("aba", rolled=True).derivation
    assert isinstance(rolled, Rolled)
    links = [
        sum(link.name.split(".")[0] in {f"b{i}" for i in range(k + 1)} for link in rolled.tree.links) for k in range(10)
    ]
    passing = [sum(n > index for n in [*links[:9], links[9]]) for index in range(len(rolled.tree.links))]
    assert rolled.meetings == sum(m * (m + 1) // 2 for m in passing)
    monkeypatch.setattr(equations, "MOST_MEETINGS", 100)
    with pytest.raises(ModelError, match=r"loops over .* pairs of constraints whose paths .*'sparse'"):
        s.derive("aba", rolled=True).program("forward_dynamics")


def test_rolled_rows_that_no_speed_changes_have_no_multiplier() -> None:
    """Without the analysis of rows, a planar loop keeps five rows, of which three vanish."""
    model = four_bars(2).freeze()
    rolled, one = Rolled(span(model)), Derivation(Recursive(span(model)))
    assert list(rolled.named_multipliers) == list(one.named_multipliers)
    assert rolled.operations["multipliers"].total > 0
