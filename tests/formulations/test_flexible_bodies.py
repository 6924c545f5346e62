"""Bodies with internal dynamics compared with the same mechanism with the pieces as child bodies, in every
formulation, also for random mechanisms that mix such bodies with every joint."""

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.choose import FACTORING, Cheapest, Search, Short
from freebody.formulations.derivation import Derivation
from freebody.formulations.formulation import Formulation
from freebody.formulations.kane import Kane
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled.equations import Rolled
from freebody.model.body import Body
from freebody.model.joints import JOINTS
from freebody.model.joints.base import Joint
from freebody.model.joints.flexible import NodeAttachment
from freebody.papers.matrix_equations import MatrixNodes
from freebody.papers.operators.function import OperatorFunction
from freebody.papers.poincare import Poincare
from freebody.papers.sayers import Sayers
from freebody.papers.solvers.null_space import DAlembert
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.quantities import QUANTITIES, of_point, of_points, program
from freebody.scalar.derivative import jvp
from freebody.scalar.walk import values
from freebody.spatial.scalars import dot
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.energy import kinetic, potential, powers, whole_momentum
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import load_wrenches
from freebody.tree.tree import Tree, quaternions, span
from tests.mechanisms.flexible_bodies import (
    ARM,
    AXES,
    HUB,
    MASSES,
    PLACES,
    SPRINGS,
    TURNED,
    Pieces,
    carrier,
    flexible,
    twins,
)

CLOSE = 1e-12
BASES = {
    "revolute": fb.Revolute("y"), "free": fb.Free(), "weld": fb.Weld(),
    "prescribed": fb.Revolute((1, 2, 3), motion="0.4*sin(t)"),
}  # fmt: skip
MECHANISMS = [(base, turning) for base in BASES for turning in (False, True)]
DYNAMICS = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "state_dot")
REFUSED = ("coriolis", "coriolis_offset", "regressor", "regressor_offset", "inertial_parameters")
LINKS = ("hub", "core", "node", "pendulum", "arm")

Array = np.ndarray
Outputs = dict[str, Array]


def evaluated(e: Derivation, p: Program) -> Outputs:
    """The outputs of a program at a fixed random state with the default parameters."""
    rng, given = np.random.default_rng(1), dict[str, Array]()
    for group in p.groups:
        x = rng.uniform(0.3, 1.2, group.size)
        at = {"q": 0, "x": 0}.get(group.name)
        for k in quaternions(e.tree) if at is not None else ():
            x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
        given[group.name] = x
        if group.name == "parameters":
            given[group.name] = np.array(list(e.tree.model.parameters.values()), float)
    return {name: np.asarray(value, float) for name, value in evaluate(p, given).values.items()}


def require_near(a: Outputs, b: Outputs, what: str, close: float = CLOSE) -> None:
    """Assert that all common outputs agree, and that there are some."""
    both = [name for name in a if name in b]
    assert both, what
    for name in both:
        scale = max(1, np.max(np.abs(b[name]), initial=0.0))
        assert np.max(np.abs(a[name] - b[name]), initial=0.0) <= close * scale, f"{what}, {name}"


@pytest.fixture(scope="module", params=MECHANISMS, ids=lambda given: f"{given[0]}{', turning' * given[1]}")
def pair(request: pytest.FixtureRequest) -> tuple[fb.System, Derivation]:
    """The mechanism with internal dynamics, and Kane's equations of the one without."""
    base, turning = request.param
    referee: Derivation = carrier(BASES[base], turning).derive().derivation
    return flexible(BASES[base], turning), referee


def test_every_formulation_gives_the_same_motion(pair: tuple[fb.System, Derivation]) -> None:
    s, referee = pair
    expected = {quantity: evaluated(referee, referee.programs[quantity]) for quantity in DYNAMICS}
    every = {
        "kane": Derivation(Kane(span(s.freeze()))),
        "poincare": Derivation(Poincare(span(s.freeze()))),
        "factored": Short(Recursive(span(s.freeze()), ("pendulum",)), FACTORING[0]),
        "d'Alembert": Derivation(DAlembert(span(s.freeze(), staged=False))),
    }
    for name, e in every.items():
        for quantity in DYNAMICS:
            require_near(evaluated(e, e.programs[quantity]), expected[quantity], f"{name}, {quantity}")


def test_any_links_may_be_condensed(pair: tuple[fb.System, Derivation]) -> None:
    s, referee = pair
    expected = answers(referee.formulation)
    for names in chain.from_iterable(combinations(LINKS, n) for n in range(len(LINKS) + 1)):
        require_near(answers(Recursive(span(s.freeze()), names), ("u_dot",)), expected, f"condensing {names}")


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize(("base", "turning"), [("free", False), ("prescribed", True)])
def test_every_quantity_is_equal_or_refused_by_name(quantity: str, base: str, turning: bool) -> None:
    s, other = flexible(BASES[base], turning), carrier(BASES[base], turning)
    for system in (s, other):
        tip = system.bodies["pendulum"].point((0.1, 0.2, 0.3))
        system.output("tip", system.position(system.ground.origin, tip))
        system.output("felt", system.acceleration(tip))
        system.output("passed", system.reaction_force("pendulum"))
    e, referee = (Derivation(Kane(span(system.freeze()))) for system in (s, other))
    choose = QUANTITIES[quantity].choose
    given = {of_point: {"body": "pendulum", "at": (0.1, -0.2, 0.3)}, of_points: {"places": ["pendulum", "arm"]}}
    options = given.get(choose, {})
    if quantity in REFUSED:
        with pytest.raises(ModelError, match=f"{quantity}: 'core' has speeds of its own"):
            program(e, quantity, **options)
        return
    a, b = (evaluated(x, program(x, quantity, **options)) for x in (e, referee))
    require_near(a, b, quantity)


@pytest.mark.parametrize("turning", [False, True])
def test_explicit_matrices_are_equal(turning: bool) -> None:
    """M, F, Q and C p of M ṗ + C p + F = Q."""
    found = []
    for s in (flexible(fb.Free(), turning), carrier(fb.Free(), turning)):
        tree = span(s.freeze())
        made, g = MatrixNodes(tree, skew=False, angles=None), tree.graph
        p = tree.layout.u_handles
        Cp = [dot(g, row, p) for row in made.C]
        nodes = {"M": [x for row in made.M for x in row], "F": made.F, "Q": made.Q, "C p": Cp}
        tau = {h: 0.3 for n in tree.layout.u if (h := g.named(f"tau.{n}")) is not None}
        numbers = iter(values(g, [x for some in nodes.values() for x in some], values_at(tree) | tau))
        found.append({name: np.array([next(numbers) for _ in some], float) for name, some in nodes.items()})
    require_near(*found, "matrices")


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("base", BASES)
def test_recorded_runs_are_equal(base: str, turning: bool) -> None:
    options = {"method": "rk4", "step": 0.01}
    first = {"q": {"core.m1": 0.1, "pendulum": 0.4}, "u": {"arm": 2.0, "core.m2": -0.3}}
    second = {"q": {"one": 0.1, "pendulum": 0.4}, "u": {"arm": 2.0, "two": -0.3}}
    run = flexible(BASES[base], turning).simulate(0.3, **first, **options)
    other = carrier(BASES[base], turning).simulate(0.3, **second, **options)
    own = {
        "q.one": "q.core.m1",
        "q.two": "q.core.m2",
        "u.two": "u.core.m2",
        "u_dot.one": "u_dot.core.m1",
        "pose.one": "pose.node",
    }
    for key in (
        *own,
        "q.pendulum",
        "u.arm",
        "energy.kinetic",
        "energy.potential",
        "momentum.linear",
        "momentum.angular",
        "pose.hub",
        "pose.pendulum",
        "pose.arm",
    ):
        a, b = np.asarray(run[own.get(key, key)]), np.asarray(other[key])
        assert np.max(np.abs(a - b)) <= CLOSE * max(1, np.max(np.abs(b))), key


LOOPED = ("forward_dynamics", "inverse_dynamics", "bias", "state_dot")


def test_rolled_programs_give_the_same_motion(pair: tuple[fb.System, Derivation]) -> None:
    s, referee = pair
    e = Rolled(span(s.freeze()))
    for quantity in LOOPED:
        a, b = evaluated(e, e.programs[quantity]), evaluated(referee, referee.programs[quantity])
        require_near(a, b, quantity)


@pytest.mark.parametrize(("base", "turning"), [("revolute", True), ("free", False)])
def test_cheapest_equations_give_the_same_motion(base: str, turning: bool) -> None:
    e = Cheapest(flexible(BASES[base], turning).freeze(), search=0)
    referee = carrier(BASES[base], turning).derive().derivation
    for quantity in DYNAMICS:
        a, b = evaluated(e, e.programs[quantity]), evaluated(referee, referee.programs[quantity])
        require_near(a, b, quantity)


@pytest.mark.parametrize("base", [fb.Revolute("y"), fb.Free()], ids=["revolute", "free"])
def test_search_may_move_frames_anywhere(base: Joint) -> None:
    """Angles, shifts and condensed links, one after the other and combined; lengths keep their unit, which only the
    body knows."""
    s = flexible(base, turning=True)
    expected = answers(Kane(span(carrier(base, turning=True).freeze())))
    search = Search(s.freeze(), "forward")
    assert not search.scalable and not Search(lone(base).freeze(), "forward").scalable
    for link in search.tree.links:
        for choice in [*search._moves(link.name), *search._origins(link.name)][:6]:
            require_near(answers(choice.formulation(s.freeze()), ("u_dot", "tau")), expected, f"{link.name}: {choice}")
    require_near(answers(search.run().formulation(s.freeze()), ("u_dot",)), expected, "best")


def lone(base: Joint) -> fb.System:
    """A body with an internal turning piece and without a node."""
    s = fb.System("lone")
    s.body("core", on=s.body("hub", joint=base), joint=Pieces(PLACES, AXES, MASSES, SPRINGS, (1, 2), **TURNED), **HUB)
    return s


def test_functions_that_support_only_joints_refuse_internal_dynamics() -> None:
    s = flexible(fb.Revolute("y"))
    with pytest.raises(ModelError, match="'core' has speeds of its own"):
        Sayers(span(s.freeze()))
    for library in ("pinocchio", "mujoco", "drake"):
        with pytest.raises(ModelError, match=f"joint of 'core': its coordinates are the body's own, which {library}"):
            fb.layout(s, library, order=["hub", "core", "pendulum", "arm"])


# Public interface


@pytest.fixture(scope="module", params=[False, True], ids=["sliding", "turning"])
def systems(request: pytest.FixtureRequest) -> tuple[fb.System, fb.System]:
    return flexible(fb.Revolute("y"), request.param), carrier(fb.Revolute("y"), request.param)


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
@pytest.mark.parametrize("how", [{}, {"formulation": "aba", "rolled": True}], ids=["kane", "rolled"])
def test_batches_give_the_same_motion(systems: tuple[fb.System, fb.System], how: dict[str, Any], backend: str) -> None:
    state = np.random.default_rng(5).uniform(0.2, 0.9, (3, 11, 5))
    a, b = (s.derive(**how).compile(backend).forward_dynamics(*state) for s in systems)
    assert np.max(np.abs(a - b)) <= CLOSE * np.max(np.abs(b))


def test_sweeps_give_the_same_motion(systems: tuple[fb.System, fb.System]) -> None:
    options: dict[str, Any] = {"method": "rk4", "step": 0.01}
    over = np.linspace(0.0, 0.2, 9)
    a, b = (
        np.asarray(s.sweep(0.2, {key: over}, **options)["q.pendulum"])
        for s, key in zip(systems, ("q.core.m1", "q.one"), strict=True)
    )
    assert a.shape[0] == 9 and np.max(np.abs(a - b)) <= CLOSE


@pytest.mark.parametrize("turning", [False, True])
def test_equilibria_and_linearisations_are_equal(turning: bool) -> None:
    """In weak gravity, where the springs keep the pieces close to their positions."""
    found = []
    for s in (flexible(fb.Revolute("y"), turning), carrier(fb.Revolute("y"), turning)):
        s.gravity = (0, 0, -1.5)
        at = s.equilibrium(q={"pendulum": 0.1})
        linear = s.linearize(trim=True)
        found.append({"q": np.array([*at.q.values()]), "A": linear.A, "B": linear.B})
    require_near(*found, "equilibrium", 1e-8)


# Random mechanisms


SEEDS = range(13)  # the second body has every kind of joint once


def values_at(tree: Tree) -> dict[int, float]:
    """Values of the state by its order, of inputs and t; parameters have their own."""
    g, rng, layout, model = tree.graph, np.random.default_rng(2), tree.layout, tree.model
    symbols = (
        *layout.q_handles,
        *layout.u_handles,
        tree.t,
        *(x.handle for x in model.inputs.values()),
        *(x.symbol.handle for x in model.states.values()),
    )
    made = dict(zip(symbols, rng.uniform(0.3, 1.2, len(symbols)).tolist(), strict=True))
    made |= {h: float(x) for name, x in model.parameters.items() if (h := g.named(name)) is not None}
    for k in quaternions(tree):
        four = layout.q_handles[k : k + 4]
        length = sum(made[h] ** 2 for h in four) ** 0.5
        made |= {h: made[h] / length for h in four}
    return made


def answers(e: Formulation, which: Sequence[str] = ("M", "f", "u_dot", "tau", "energies", "momenta")) -> Outputs:
    """M, f, u̇ for some tau, tau for some u̇, energies and momenta."""
    tree, g, n = e.motion.tree, e.motion.graph, len(e.motion.tree.layout.u)
    some = [g.const(float(x)) for x in np.random.default_rng(3).normal(size=n)]
    ways: dict[str, Callable[[], Sequence[int]]] = {
        "M": lambda: [e.mass.get((max(i, j), min(i, j)), g.zero) for i in range(n) for j in range(n)],
        "f": lambda: e.force,
        "u_dot": lambda: e.forward(some).u_dot,
        "tau": lambda: e.inverse(some) or (),
        "energies": lambda: [kinetic(e.motion), potential(e.motion)],
        "momenta": lambda: whole_momentum(e.motion).c,
    }
    nodes = {name: [*ways[name]()] for name in which}
    numbers = iter(values(g, [h for some in nodes.values() for h in some], values_at(tree)))
    return {name: np.array([next(numbers) for _ in some], float) for name, some in nodes.items()}


def test_random_mechanisms_cover_every_feature() -> None:
    """Every joint, children on several nodes of a body, chains below a node, nested bodies with internal dynamics,
    drives, rotors and loads at nodes."""
    holds = dict.fromkeys(("two nodes", "chain", "below", "driven", "rotor", "load"), False)
    kinds = set[str]()
    for seed in SEEDS:
        s = twins(seed)[0]
        nodes = {name for name, body in s.bodies.items() if isinstance(body.spec.joint, NodeAttachment)}
        children: dict[str, list[str]] = {name: [] for name in ("ground", *s.bodies)}
        for name, body in s.bodies.items():
            joint = body.spec.joint
            kinds.add(joint.kind)
            children[body.spec.parent].append(name)
            above = {p.spec.joint.kind for p in ancestors(body)}
            holds["below"] |= joint.kind == "pieces" and "pieces" in above
            holds["driven"] |= joint.motion is not None
            holds["rotor"] |= "node" in above and str(joint.armature) != "0"
            holds["chain"] |= bool([p for p in ancestors(body)[1:] if p.name in nodes])
        for some in children.values():
            holds["two nodes"] |= sum(bool(children[name]) for name in some if name in nodes) > 1
        tree = span(s.freeze())
        wrenches = zip(tree.links, load_wrenches(Motion(tree)), strict=True)
        acted = {link.name for link, F in wrenches if not F.is_zero}
        holds["load"] |= bool(acted & nodes)
    assert all(holds.values()), holds
    assert kinds == {*JOINTS, "pieces", "node"}


def ancestors(body: Body) -> list[Body]:
    """The bodies on which a body hangs, the nearest first."""
    found = list[Body]()
    while isinstance(body.parent, Body):
        body = body.parent
        found.append(body)
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_random_mechanisms_give_the_same_motion(seed: int) -> None:
    s, other = twins(seed)
    expected = answers(Kane(span(other.freeze())))
    model = s.freeze()
    for e in (Kane(span(model)), Poincare(span(model)), Recursive(span(model), ()), Recursive(span(model))):
        require_near(answers(e), expected, type(e).__name__)


@pytest.mark.parametrize("seed", SEEDS)
def test_rolled_programs_of_random_mechanisms_give_the_same_motion(seed: int) -> None:
    s, other = twins(seed)
    expected, e = answers(Kane(span(other.freeze()))), Rolled(span(s.freeze()))
    state, some = values_at(e.tree), np.random.default_rng(3).normal(size=len(e.layout.u))
    given = {"tau": some, "u_dot": some}
    for quantity, name in (("forward_dynamics", "u_dot"), ("inverse_dynamics", "tau"), ("bias", "f")):
        p = e.programs[quantity]
        held = {g.name: [state[e.graph.named(n)] for n in g.elements] for g in p.groups if g.name not in given}
        found = evaluate(p, held | {g.name: some for g in p.groups if g.name in given}).values
        require_near({name: np.asarray(found[name], float)}, expected, quantity)


@pytest.mark.parametrize("seed", SEEDS)
def test_spatial_operators_of_random_mechanisms_give_the_same_motion(seed: int) -> None:
    s, other = twins(seed)
    expected, model = answers(Kane(span(other.freeze())), ("M", "f", "u_dot")), s.freeze()
    tree = span(model)
    state, layout = values_at(tree), tree.layout
    z, inputs = (
        [state[x] for x in some]
        for some in ([x.symbol.handle for x in model.states.values()], [x.handle for x in model.inputs.values()])
    )
    q, u = ([state[h] for h in some] for some in (layout.q_handles, layout.u_handles))
    o = OperatorFunction(model, s.values, z)(q, u, state[tree.t], z, inputs)
    tau = np.random.default_rng(3).normal(size=len(u))
    found = {"M": o.mass.matrix.ravel(), "f": -o.C, "u_dot": o.forward_dynamics(tau)}
    require_near(found, expected, "operators")
    M = o.mass_factor @ o.D @ o.mass_factor.T
    require_near({"M": M.matrix.ravel()}, expected, "innovations")


@pytest.mark.parametrize("seed", [0, 5, 10])
def test_cheapest_equations_of_random_mechanisms_give_the_same_motion(seed: int) -> None:
    s, other = twins(seed, bodies=2)
    expected = answers(Kane(span(other.freeze())))
    for quantity, name in (("forward", "u_dot"), ("inverse", "tau"), ("mass", "M")):
        search = Search(s.freeze(), quantity)
        search.limit = 20
        require_near(answers(search.run().formulation(s.freeze()), (name,)), expected, quantity)


def test_chains_of_such_bodies_are_rolled_over_few_kinds() -> None:
    """The operations grow linearly with the bodies, and the motion equals that of the unrolled program."""
    operations = []
    for n in (8, 16, 24):
        s = fb.System("chain")
        on: Any = s.ground
        for k in range(n):
            hub = s.body(f"hub{k}", on=on, joint=fb.Revolute("xyz"[k % 2]))
            core = s.body(f"core{k}", on=hub, joint=Pieces(PLACES, AXES, MASSES, SPRINGS, (2,), **TURNED), **HUB)
            on = s.body(f"tip{k}", on=core, joint=NodeAttachment("p2"))
            s.body(f"side{k}", on=s.body(f"aside{k}", on=core, joint=NodeAttachment("p1")), **ARM)
        e = Rolled(span(s.freeze()))
        assert len(e.bodies.kinds) <= 8
        operations.append(e.operations["forward_dynamics"].total)
    assert operations[2] - operations[1] == operations[1] - operations[0]
    unrolled = Derivation(Recursive(span(s.freeze())))
    require_near(*(evaluated(x, x.programs["forward_dynamics"]) for x in (e, unrolled)), "", 1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_gives_the_kinetic_energy(seed: int) -> None:
    """T(u) + T(−u) − 2 T(0) = uᵀ M u."""
    tree = span(twins(seed)[0].freeze())
    e, n, g = Recursive(tree), len(tree.layout.u), tree.graph
    state = values_at(tree)
    M = [e.mass.get((max(i, j), min(i, j)), g.zero) for i in range(n) for j in range(n)]
    T = kinetic(e.motion)
    u = np.array([state[h] for h in tree.layout.u_handles])
    there, back, rest = (
        float(values(g, [T], state | dict(zip(tree.layout.u_handles, (factor * u).tolist(), strict=True)))[0])
        for factor in (1, -1, 0)
    )
    squared = u @ np.array(values(g, M, state), float).reshape(n, n) @ u
    assert abs(there + back - 2 * rest - squared) <= CLOSE * max(1, abs(there), abs(back), abs(rest))


@pytest.mark.parametrize("seed", SEEDS)
def test_powers_equal_the_energy_rate(seed: int) -> None:
    """d(T + V)/dt = Σ powers + tau · u for any u̇ and its required tau."""
    tree = span(twins(seed)[0].freeze())
    g, layout, e = tree.graph, tree.layout, Derivation(Recursive(tree))
    rates, motion = e.accelerations, e.formulation.motion
    tau = e.formulation.inverse(rates)
    assert tau is not None
    seeds = dict(zip((*layout.q_handles, *layout.u_handles), (*layout.q_dot, *rates), strict=True))
    seeds |= {tree.t: g.one} | {s.symbol.handle: s.rate.handle for s in tree.model.states.values()}
    changes = jvp(g, [g.add(kinetic(motion), potential(motion))], seeds)
    works = [*powers(motion, rates, ConstraintEquations(motion), []).values(), *map(g.mul, tau, layout.u_handles)]
    state = values_at(tree) | dict(zip(rates, np.random.default_rng(4).normal(size=len(rates)), strict=True))
    change, *work = (float(x) for x in values(g, [*changes, *works], state))
    assert abs(change - sum(work)) <= 10 * CLOSE * max([1, abs(change), *map(abs, work)])


# Refused arguments


def test_unknown_nodes_are_refused() -> None:
    s = fb.System("wrong")
    core = s.body("core", joint=Pieces(PLACES, PLACES, (1, 2), (3, 4)), mass=1)
    for on, options, match in (
        (None, {}, "'ground' has no nodes, because it has no internal coordinates; place it on a body that has"),
        (
            core,
            {"joint": NodeAttachment("p9")},
            "body 'n' on node 'p9': 'core' has no node of this name; its nodes: p1, p2",
        ),
        (core, {"at": (1, 0, 0)}, "'core' defines the positions of its nodes; leave out at and orient"),
        (core, {"orient": ("x", 0.3)}, "'core' defines the positions of its nodes; leave out at and orient"),
    ):
        with pytest.raises(ModelError, match=match):
            s.body("n", on=on, **{"joint": NodeAttachment("p1"), **options})
    assert "n" not in s.bodies
    with pytest.raises(ModelError, match="internal coordinates cannot be prescribed"):
        s.body("n", joint=Pieces(PLACES, PLACES, (1, 2), (3, 4), motion=("t", None)))


def test_nodes_cannot_be_parts_of_compound_joints() -> None:
    s = fb.System("wrong")
    with pytest.raises(ModelError, match="joint of 'tip': a node cannot be part of another joint; use it alone"):
        s.body("tip", joint=fb.Compound(NodeAttachment("first"), fb.Revolute("x")), mass=1.0)
