"""Laws of constrained motion over random trees with loops: u̇ and multipliers of every formulation are those of the
complete linear system, also where equations follow from others, and constraints do no work."""

import random
from functools import cache

import numpy as np
import pytest

import freebody as fb
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.model.joints import JOINTS
from freebody.program.program import digest
from freebody.tree.constraints import ClosureForms
from freebody.tree.independence import omitted_rows
from freebody.tree.tree import span
from tests.mechanisms.random_loops import DEPENDENT, Mechanism, closing_kinds, mechanism
from tests.mechanisms.sampled import sampled

AGREE = 1e-9
SEEDS = (0, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 22)
"""A loop of each kind of joint."""

FORMULATIONS = ("crba", "aba", "kane", "poincare")


@cache
def drawn(seed: int) -> Mechanism:
    return mechanism(seed, closing_kinds())


def solve(m: Mechanism, e: Derivation, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """u̇ and multipliers of a derivation at the state of a mechanism."""
    solution = e.solution(e.assembly("solution", "tau"), e.tau)
    both = m.numbers(e.tree, [*solution.u_dot, *solution.multipliers], tau=tau)
    return both[: len(tau)], both[len(tau) :]


def test_loops_are_closed_by_every_joint() -> None:
    """All joints but the free one, which resists nothing."""
    kinds = closing_kinds()
    assert set(kinds) == set(JOINTS) - {"free"} == {kinds[seed % len(kinds)] for seed in SEEDS}


def derivations(m: Mechanism, seed: int) -> dict[str, Derivation]:
    """Every formulation, and eliminations with other condensing links and other forms of closures."""
    s, rnd = m.system, random.Random(seed)
    every = {name: s.derive(name).derivation for name in FORMULATIONS}
    if seed % 4 == 0:
        every["cheapest"] = s.derive("cheapest", search=0).derivation.fastest
    for k in range(2):
        some = [name for name in s.bodies if rnd.random() < 0.5]
        exchanged = frozenset(name for name in s.constraints if rnd.random() < 0.5)
        forms = ClosureForms(exchanged, bool(k))
        every[f"condensing {some}, {forms}"] = Derivation(Recursive(span(s.freeze()), some, forms=forms))
    return every


@pytest.mark.parametrize("seed", sampled(SEEDS, 2))
def test_every_formulation_solves_the_complete_linear_system(seed: int) -> None:
    m = drawn(seed)
    n = len(m.held["u"])
    tau = np.random.default_rng(seed).normal(size=n)
    M, f, G, gamma = m.tree["M"], m.tree["f"], m.rows["G"], m.rows["gamma"]
    expected = m.solution(tau)
    size = max(1.0, np.abs(expected).max())
    kept = [k for k, key in enumerate(m.rows["keys"]) if key not in omitted_rows(m.system.freeze())]
    unique = len(kept) == np.linalg.matrix_rank(G, DEPENDENT)
    assert np.linalg.matrix_rank(G[kept], DEPENDENT) == np.linalg.matrix_rank(G, DEPENDENT)
    for name, e in derivations(m, seed).items():
        u_dot, multipliers = solve(m, e, tau)
        assert np.abs(u_dot - expected).max() < AGREE * size, name
        forces = M @ expected - f - tau
        scale = max(1.0, np.abs(forces).max())
        if e.constraints.canonical:
            assert np.abs(G[kept].T @ multipliers - forces).max() < AGREE * scale, name
        if unique:
            wanted = np.linalg.lstsq(G[kept].T, forces, rcond=DEPENDENT)[0]
            converted = e.insert_u_dot(e.assembly("multipliers", "tau"), list(e.named_multipliers.values()), tau=e.tau)
            multipliers = m.numbers(e.tree, converted, tau=tau)
            assert np.abs(multipliers - wanted).max() < AGREE * max(1.0, np.abs(wanted).max()), name
    assert np.abs(G @ expected - gamma).max() < AGREE * max(1.0, np.abs(gamma).max())


@pytest.mark.parametrize("seed", sampled(SEEDS, 2))
def test_rows_are_derivatives_of_their_residuals(seed: int) -> None:
    m = drawn(seed)
    e, n = m.system.derive("kane").derivation, len(m.held["u"])
    G = m.numbers(e.tree, [x for row in e.jacobian for x in row]).reshape(-1, n)
    gamma = m.numbers(e.tree, e.gamma)
    kept = [k for k, key in enumerate(m.rows["keys"]) if key not in omitted_rows(m.system.freeze())]
    assert np.abs(m.rows["phi"]).max() < 1e-13
    assert np.abs(G - m.rows["G"][kept]).max() < 1e-11
    assert np.abs(gamma - m.rows["gamma"][kept]).max() < 1e-11 * max(1.0, np.abs(gamma).max())
    assert np.abs(m.rows["velocities"]).max() < 1e-11


@pytest.mark.parametrize("seed", sampled(SEEDS, 2))
def test_constraints_do_no_work_on_speeds_that_they_allow(seed: int) -> None:
    """M u̇ − f − tau is orthogonal to the null space of G, for the u̇ of the default formulation."""
    m = drawn(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    u_dot, _ = solve(m, m.system.derive("kane").derivation, tau)
    forces = m.tree["M"] @ u_dot - m.tree["f"] - tau
    _, sizes, right = np.linalg.svd(m.rows["G"])
    allowed = right[np.count_nonzero(sizes > DEPENDENT * sizes[0]) :]
    assert len(allowed) > 0
    assert np.abs(allowed @ forces).max() < AGREE * max(1.0, np.abs(forces).max())


@pytest.mark.parametrize("seed", SEEDS[2:4])
def test_states_in_batches_are_those_alone(seed: int) -> None:
    m = drawn(seed)
    f, h = m.system.derive("aba").compile(), m.held
    rng, n = np.random.default_rng(seed), len(h["u"])
    u, tau = h["u"] + rng.normal(size=(11, n)), rng.normal(size=(11, n))
    others = [np.tile(x, (11, 1)) for x in (m.z, h["inputs"])]
    states = [np.tile(h["q"], (11, 1)), u, tau, np.full(11, h["t"][0]), *others]
    for call in (f.forward_dynamics, f.multipliers):
        together = call(*states)
        alone = np.array([call(*(x[k] for x in states)) for k in range(11)])
        assert np.abs(together - alone).max() <= 1e-10 * np.abs(alone).max()


@pytest.mark.parametrize("seed", SEEDS[2:4])
def test_programs_are_the_same_each_time(seed: int) -> None:
    """The digest of a model, the rows that are left out and the program do not depend on what was derived before."""
    one, other = drawn(seed).system, mechanism(seed, closing_kinds()).system
    assert one.digest() == other.digest()
    assert omitted_rows(one.freeze()) == omitted_rows(other.freeze())
    programs = [digest(s.derive("aba").program("forward_dynamics")) for s in (one, other)]
    assert programs[0] == programs[1]


def test_actuators_on_every_speed_give_the_accelerations() -> None:
    """Of a loop that is closed by a screw, whose angle is an extra state."""
    m = drawn(7)
    f, h, n = m.system.derive("kane").compile("numpy"), m.held, len(m.held["u"])
    tau, state = np.random.default_rng(1).normal(size=n), (h["t"][0], m.z, h["inputs"])
    assert len(m.z) > len(h["z"])
    u_dot = f.forward_dynamics(h["q"], h["u"], tau, *state)
    forces = f.inverse_dynamics(h["q"], h["u"], u_dot, *state, actuated=m.system.derive("kane").u)
    assert np.abs(f.forward_dynamics(h["q"], h["u"], forces, *state) - u_dot).max() < AGREE * np.abs(u_dot).max()


def test_loops_beside_a_simple_joint_with_parameters() -> None:
    """Its coordinates are integrated with the values of the parameters where loops are assembled."""
    s = fb.System("simple")
    s.parameter("p", 0.3)
    H = [[1, 0, 0], [0, 1, 0], [0, 0, 1], ["p", 0, 0], [0, 0, 0], [0, 0, 0]]
    base = s.body("base", joint=fb.Simple(H, holonomic=False), mass=1, com=(0.2, 0.1, 0), inertia=(1, 2, 3))
    arm = s.body("arm", on=base, at=(1, 0, 0), joint=fb.Universal("x", "z"), mass=1, com=(0, 0.5, 0), inertia=(1, 1, 1))
    s.rod(arm.point((0, 1, 0)), s.ground, 1.2)
    assert s.derive("aba").simulate(0.1).drift is not None
