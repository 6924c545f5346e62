"""A body with speeds of its own against the same mechanism with its pieces as children, in every formulation; and the
same for random mechanisms that mix such bodies with every joint."""

from collections.abc import Callable, Sequence
from itertools import chain, combinations

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.choose import FACTORING, Short
from freebody.formulations.equations import Equations
from freebody.formulations.formulation import Formulation
from freebody.formulations.kane import Kane
from freebody.formulations.poincare import Poincare
from freebody.formulations.recursive import Recursive
from freebody.formulations.sayers import Sayers
from freebody.model.joints.flexible import Node
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.quantities import program
from freebody.scalar.derivative import jvp
from freebody.scalar.values import values
from freebody.tree.energy import kinetic, potential, powers, whole_momentum
from freebody.tree.forest import Forest, quaternions, span
from freebody.tree.motion import move
from tests.mechanics.inside import PLACES, Pieces, carrier, flexible, twins

CLOSE = 1e-12
BASES = {
    "revolute": fb.Revolute("y"), "free": fb.Free(), "weld": fb.Weld(),
    "prescribed": fb.Revolute((1, 2, 3), motion="0.4*sin(t)"),
}  # fmt: skip
MECHANISMS = [(base, turning) for base in BASES for turning in (False, True)]
DYNAMICS = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "state_dot")
WHOLE = ("energies", "momenta", "reactions", "centroidal_momentum", "centre_of_mass")
SOLVED = ("mass_solve", "mass_inverse", "centroidal", "forward_derivatives", "inverse_derivatives")
REFUSED = ("coriolis", "coriolis_offset", "regressor", "regressor_offset")
LINKS = ("hub", "core", "node", "pendulum", "arm")

Array = np.ndarray
Outputs = dict[str, Array]


def evaluated(e: Equations, p: Program) -> Outputs:
    """The outputs of a program at a fixed random state, parameters at their own values."""
    rng, given = np.random.default_rng(1), dict[str, Array]()
    for group in p.groups:
        x = rng.uniform(0.3, 1.2, group.size)
        at = {"q": 0, "x": 0}.get(group.name)
        for k in quaternions(e.forest) if at is not None else ():
            x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
        given[group.name] = x
        if group.name == "parameters":
            given[group.name] = np.array(list(e.forest.system.values.values()), float)
    return {name: np.asarray(value, float) for name, value in evaluate(p, given).values.items()}


def require_near(a: Outputs, b: Outputs, what: str, close: float = CLOSE) -> None:
    """All outputs that both have agree, and they have some."""
    both = [name for name in a if name in b]
    assert both, what
    for name in both:
        scale = max(1, np.max(np.abs(b[name]), initial=0.0))
        assert np.max(np.abs(a[name] - b[name]), initial=0.0) <= close * scale, f"{what}, {name}"


@pytest.fixture(scope="module", params=MECHANISMS, ids=lambda given: f"{given[0]}{', turning' * given[1]}")
def pair(request: pytest.FixtureRequest) -> tuple[fb.System, Equations]:
    """The mechanism with speeds of a body's own, and Kane's equations of the one without."""
    base, turning = request.param
    referee: Equations = carrier(BASES[base], turning).derive().catalogue
    return flexible(BASES[base], turning), referee


def test_every_formulation_moves_alike(pair: tuple[fb.System, Equations]) -> None:
    s, referee = pair
    expected = {quantity: evaluated(referee, referee.programs[quantity]) for quantity in DYNAMICS}
    every = {
        "kane": Equations(Kane(move(span(s)))), "poincare": Equations(Poincare(span(s))),
        "factored": Short(Recursive(span(s), ("pendulum",)), FACTORING[0]),
    }  # fmt: skip
    for name, e in every.items():
        for quantity in DYNAMICS:
            require_near(evaluated(e, e.programs[quantity]), expected[quantity], f"{name}, {quantity}")


def test_any_links_may_condense(pair: tuple[fb.System, Equations]) -> None:
    s, referee = pair
    expected = answers(referee.formulation)
    for names in chain.from_iterable(combinations(LINKS, n) for n in range(len(LINKS) + 1)):
        require_near(answers(Recursive(span(s), names), ("u_dot",)), expected, f"condensing {names}")


@pytest.mark.parametrize("quantity", [*WHOLE, *SOLVED])
def test_energies_momenta_reactions_inverses_and_derivatives_are_the_same(
    pair: tuple[fb.System, Equations], quantity: str
) -> None:
    s, referee = pair
    e = Equations(Kane(move(span(s))))
    require_near(evaluated(e, program(e, quantity)), evaluated(referee, program(referee, quantity)), quantity)


def test_places_move_alike(pair: tuple[fb.System, Equations]) -> None:
    s, referee = pair
    e = Equations(Kane(move(span(s))))
    where = {"body": "pendulum", "at": (0.1, -0.2, 0.3)}
    for quantity in ("pose", "jacobian", "jacobian_rate", "spatial_velocity", "spatial_acceleration",
                     "generalised_force"):  # fmt: skip
        a, b = (evaluated(x, program(x, quantity, **where)) for x in (e, referee))
        require_near(a, b, quantity)
    places = {"places": ["pendulum", "arm"]}
    require_near(*(evaluated(x, program(x, "operational_inertia", **places)) for x in (e, referee)), "inertia")


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("base", BASES)
def test_a_recorded_run_is_the_same(base: str, turning: bool) -> None:
    options = {"method": "rk4", "step": 0.01}
    first = {"q": {"core.m1": 0.1, "pendulum": 0.4}, "u": {"arm": 2.0, "core.m2": -0.3}}
    second = {"q": {"one": 0.1, "pendulum": 0.4}, "u": {"arm": 2.0, "two": -0.3}}
    run = flexible(BASES[base], turning).simulate(0.3, **first, **options)
    other = carrier(BASES[base], turning).simulate(0.3, **second, **options)
    own = {"q.one": "q.core.m1", "q.two": "q.core.m2", "u.two": "u.core.m2", "u_dot.one": "u_dot.core.m1",
           "pose.one": "pose.node"}  # fmt: skip
    for key in (*own, "q.pendulum", "u.arm", "energy.kinetic", "energy.potential", "momentum.linear",
                "momentum.angular", "pose.hub", "pose.pendulum", "pose.arm"):  # fmt: skip
        a, b = np.asarray(run[own.get(key, key)]), np.asarray(other[key])
        assert np.max(np.abs(a - b)) <= CLOSE * max(1, np.max(np.abs(b))), key


def test_what_counts_joints_alone_refuses_it_by_name(pair: tuple[fb.System, Equations]) -> None:
    s, _ = pair
    e = Equations(Kane(move(span(s))))
    for quantity in REFUSED:
        with pytest.raises(ModelError, match="'core' has speeds of its own"):
            program(e, quantity)
    with pytest.raises(ModelError, match="'core' has speeds of its own"):
        Sayers(move(span(s)))


# Random mechanisms


SEEDS = range(13)  # every kind of joint is the second body's once


def values_at(forest: Forest) -> dict[int, float]:
    """Values of the state by its order, of inputs and t; parameters have their own."""
    g, rng, layout, system = forest.graph, np.random.default_rng(2), forest.layout, forest.system
    symbols = (*layout.q_handles, *layout.u_handles, system.t.handle, *(x.handle for x in system.inputs.values()),
               *(x.symbol.handle for x in system.states.values()))  # fmt: skip
    made = dict(zip(symbols, rng.uniform(0.3, 1.2, len(symbols)).tolist(), strict=True))
    made |= {h: float(x) for name, x in system.values.items() if (h := g.named(name)) is not None}
    for k in quaternions(forest):
        four = layout.q_handles[k : k + 4]
        length = sum(made[h] ** 2 for h in four) ** 0.5
        made |= {h: made[h] / length for h in four}
    return made


def answers(e: Formulation, which: Sequence[str] = ("M", "f", "u_dot", "tau", "energies", "momenta")) -> Outputs:
    """M, f, u̇ for some tau, tau for some u̇, energies and momenta."""
    forest, g, n = e.motion.forest, e.motion.graph, len(e.motion.forest.layout.u)
    some = [g.const(float(x)) for x in np.random.default_rng(3).normal(size=n)]
    ways: dict[str, Callable[[], Sequence[int]]] = {
        "M": lambda: [e.mass.get((max(i, j), min(i, j)), g.zero) for i in range(n) for j in range(n)],
        "f": lambda: e.force, "u_dot": lambda: e.forward(some), "tau": lambda: e.inverse(some) or (),
        "energies": lambda: [kinetic(e.motion), potential(e.motion)], "momenta": lambda: whole_momentum(e.motion).c,
    }  # fmt: skip
    nodes = {name: [*ways[name]()] for name in which}
    numbers = iter(values(g, [h for some in nodes.values() for h in some], values_at(forest)))
    return {name: np.array([next(numbers) for _ in some], float) for name, some in nodes.items()}


@pytest.mark.parametrize("seed", SEEDS)
def test_random_mechanisms_move_alike(seed: int) -> None:
    s, other = twins(seed)
    expected = answers(Kane(move(span(other))))
    for e in (Kane(move(span(s))), Poincare(span(s)), Recursive(span(s), ()), Recursive(span(s))):
        require_near(answers(e), expected, type(e).__name__)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_kinetic_energy_is_that_of_the_mass_matrix(seed: int) -> None:
    """T(u) + T(−u) − 2 T(0) = uᵀ M u."""
    forest = span(twins(seed)[0])
    e, n, g = Recursive(forest), len(forest.layout.u), forest.graph
    state = values_at(forest)
    M = [e.mass.get((max(i, j), min(i, j)), g.zero) for i in range(n) for j in range(n)]
    T = kinetic(e.motion)
    u = np.array([state[h] for h in forest.layout.u_handles])
    there, back, rest = (
        float(values(g, [T], state | dict(zip(forest.layout.u_handles, (factor * u).tolist(), strict=True)))[0])
        for factor in (1, -1, 0)
    )
    squared = u @ np.array(values(g, M, state), float).reshape(n, n) @ u
    assert abs(there + back - 2 * rest - squared) <= CLOSE * max(1, abs(there), abs(back), abs(rest))


@pytest.mark.parametrize("seed", SEEDS)
def test_powers_change_the_energy(seed: int) -> None:
    """d(T + V)/dt = Σ powers + tau · u for any u̇ and the tau that it needs."""
    forest = span(twins(seed)[0])
    g, layout, e = forest.graph, forest.layout, Equations(Recursive(forest))
    rates, motion = e.accelerations, e.formulation.motion
    tau = e.formulation.inverse(rates)
    assert tau is not None
    seeds = dict(zip((*layout.q_handles, *layout.u_handles), (*layout.q_dot, *rates), strict=True))
    seeds |= {forest.system.t.handle: g.one} | {s.symbol.handle: s.rate.handle for s in forest.system.states.values()}
    changes = jvp(g, [g.add(kinetic(motion), potential(motion))], seeds)
    works = [*powers(motion, rates).values(), *map(g.mul, tau, layout.u_handles)]
    state = values_at(forest) | dict(zip(rates, np.random.default_rng(4).normal(size=len(rates)), strict=True))
    change, *work = (float(x) for x in values(g, [*changes, *works], state))
    assert abs(change - sum(work)) <= 10 * CLOSE * max([1, abs(change), *map(abs, work)])


# What is refused


def test_a_node_is_one_of_its_body() -> None:
    s = fb.System("wrong")
    core = s.body("core", joint=Pieces(PLACES, PLACES, (1, 2), (3, 4)), mass=1)
    for on, said, match in (
        (None, {}, "'ground' has no nodes, for nothing moves inside it; hang it on a body that has"),
        (core, {"joint": Node("p9")}, "body 'n' on node 'p9': 'core' has no node of this name; there are p1, p2"),
        (core, {"at": (1, 0, 0)}, "'core' says where its nodes lie; leave out its place and orientation"),
        (core, {"orient": ("x", 0.3)}, "'core' says where its nodes lie; leave out its place and orientation"),
    ):
        with pytest.raises(ModelError, match=match):
            s.body("n", on=on, **{"joint": Node("p1"), **said})
    assert "n" not in s.bodies
    with pytest.raises(ModelError, match="coordinates of the body's own cannot be prescribed"):
        s.body("n", joint=Pieces(PLACES, PLACES, (1, 2), (3, 4), motion=("t", None)))
