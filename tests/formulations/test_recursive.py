"""Recursive formulations agree with Kane's equations for any condensed links and any working frames."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import freebody as fb
from freebody.backends import compile
from freebody.errors import ModelError
from freebody.formulations.choose import ProgramCandidate, Search
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.tree.tree import quaternions, span
from freebody.tree.working_frames import (
    FrameOffset,
    FrameOffsets,
    decompose,
    is_scalable,
    rounded_inertias,
    span_with_offsets,
)
from tests.mechanisms import build_system, random_trees
from tests.mechanisms.sampled import covering

ROUNDING = 1e-11
SEEDS = range(13)


def users(s: object) -> fb.System:
    """A system of the tests as a fb.System."""
    made = fb.System(s.name)  # type: ignore[attr-defined]
    made.__dict__.update(s.__dict__)
    return made


def tree(seed: int, symbolic: float | None = None) -> fb.System:
    made = random_trees.tree(seed, bodies=5)
    return users(build_system.system(made if symbolic is None else replace(made, symbolic=symbolic)))


def arm(seed: int, links: int = 6) -> fb.System:
    """A numeric arm of skew hinges, some of them parallel or perpendicular to each other."""
    rng = np.random.default_rng(seed)
    s, on = fb.System(f"arm {seed}"), None
    for k in range(links):
        axis = ["x", "y", "-z", tuple(rng.normal(size=3))][rng.integers(4)]
        orient = [None, ((1, 0, 0), (0, 0, -1), (0, 1, 0)), ("x", 0.3)][rng.integers(3)]
        A = rng.normal(size=(3, 3))
        J = np.trace(A @ A.T) * np.eye(3) - A @ A.T
        at, com = (tuple(rng.normal(size=3)) for _ in range(2))
        on = s.body(
            f"b{k}",
            on=on if rng.random() < 0.8 else None,
            at=at,
            orient=orient,
            joint=fb.Revolute(axis),
            mass=1.0 + k,
            com=com,
            inertia=J.tolist(),
        )
    return s


def floating(seed: int) -> fb.System:
    s, rng = fb.System("floating"), np.random.default_rng(seed)
    base = s.body("base", joint=fb.Free(), mass=3.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.2, 1.4))
    for k in range(3):
        upper = s.body(
            f"upper{k}",
            on=base,
            at=tuple(rng.normal(size=3)),
            joint=fb.Revolute("x"),
            mass=1.0,
            com=(0, 0, -0.2),
            inertia=(0.1, 0.2, 0.25),
        )
        s.body(
            f"lower{k}",
            on=upper,
            at=(0.1, 0, -0.4),
            joint=fb.Revolute("y", damping=0.1),
            mass=0.5,
            com=(0.02, 0, -0.2),
            inertia=(0.1, 0.12, 0.2),
        )
    return s


class States:
    """A random state, and quantities of equations there."""

    def __init__(self, s: fb.System, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.kane, self.values = s.derive(), s.values
        layout = self.kane.derivation.layout
        sizes = {"q": layout.q, "z": layout.z, "inputs": layout.inputs} | dict.fromkeys(("u", "tau", "u_dot"), layout.u)
        self.held = {name: rng.normal(size=len(names)) for name, names in sizes.items()} | {"t": np.array([0.4])}
        self.wanted = dict[str, np.ndarray]()
        for k in quaternions(self.kane.derivation.tree):
            self.held["q"][k : k + 4] /= np.linalg.norm(self.held["q"][k : k + 4])

    def __call__(self, e: Derivation, quantity: str) -> np.ndarray:
        f = compile(e.programs[quantity], "numpy")
        g = f.bind(self.values) if self.values else f
        return np.asarray(g(*(self.held.get(k.name, np.zeros(k.size)) for k in g.groups)))

    def agrees(self, e: Derivation, quantities: Sequence[str]) -> None:
        for quantity in quantities:
            if quantity not in self.wanted:
                self.wanted[quantity] = self(self.kane.derivation, quantity)
            got, wanted = self(e, quantity), self.wanted[quantity]
            assert np.max(np.abs(got - wanted)) < ROUNDING * max(1.0, np.max(np.abs(wanted))), quantity


def random_frame_offsets(s: fb.System, seed: int, place: bool = False) -> FrameOffsets:
    rnd = random.Random(seed)
    where = (0.1, -0.2, 0.3) if place else (0.0, 0.0, 0.0)
    frame_offsets = {name: FrameOffset(rnd.uniform(-2, 2), rnd.uniform(-1, 1), where) for name in s.bodies}
    return FrameOffsets(frame_offsets, 0.3 if place and is_scalable(span(s.freeze())) else 1.0)


@pytest.mark.parametrize("seed", covering(SEEDS, bodies=5))
def test_any_links_may_be_condensed(seed: int) -> None:
    s, rnd = tree(seed), random.Random(seed)
    state = States(s, seed)
    some = [name for name in s.bodies if rnd.random() < 0.5]
    for condensing in (None, (), some):
        e = Derivation(Recursive(span(s.freeze()), condensing))
        state.agrees(e, ["forward_dynamics", "inverse_dynamics", "mass_matrix"])


@pytest.mark.parametrize("seed", covering(SEEDS, bodies=5))
def test_working_frames_may_be_anywhere(seed: int) -> None:
    s = tree(seed, symbolic=0.0)
    spanned_tree = span_with_offsets(s.freeze(), random_frame_offsets(s, seed))
    e = Derivation(Recursive(spanned_tree, None, rounded_inertias(spanned_tree)))
    States(s, seed).agrees(e, ["forward_dynamics", "inverse_dynamics", "mass_matrix", "bias"])


@pytest.mark.parametrize("make", [arm, floating])
@pytest.mark.parametrize("seed", range(4))
def test_unit_of_length_may_be_scaled(make: object, seed: int) -> None:
    s = make(seed)  # type: ignore[operator]
    assert is_scalable(span(s.freeze()))
    frame_offsets = random_frame_offsets(s, seed, place=True)
    spanned_tree = span_with_offsets(s.freeze(), frame_offsets)
    e = Derivation(Recursive(spanned_tree, None, rounded_inertias(spanned_tree), frame_offsets.unit))
    States(s, seed).agrees(e, ["forward_dynamics", "inverse_dynamics", "state_dot"])


def test_systems_with_translations_or_forces_are_not_scalable() -> None:
    s = arm(0)
    s.force(s.bodies["b1"].x, at=s.bodies["b1"])
    assert not is_scalable(span(s.freeze()))
    slider = fb.System("slider")
    slider.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    assert not is_scalable(span(slider.freeze()))


@pytest.mark.parametrize("seed", range(20))
def test_rotations_are_decomposed_into_turns_and_a_permutation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    C = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    C *= np.linalg.det(C)
    if seed % 4 == 0:
        C = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)
        C *= np.linalg.det(C)
    turns, exchange, angle = decompose(C)
    R = np.eye(3)
    for axis, a in turns:
        one, i, j = np.eye(3), (axis + 1) % 3, (axis + 2) % 3
        one[i, i] = one[j, j] = np.cos(a)
        one[i, j], one[j, i] = -np.sin(a), np.sin(a)
        R = R @ one
    c, s = np.cos(angle), np.sin(angle)
    assert np.allclose(R @ exchange @ [[c, -s, 0], [s, c, 0], [0, 0, 1]], C, atol=1e-12)
    assert np.array_equal(np.abs(exchange).sum(0), np.ones(3)) and np.linalg.det(exchange) == pytest.approx(1)
    assert len(turns) <= 2 and (seed % 4 or not turns)


# The cheapest


@pytest.mark.parametrize("make", [arm, floating])
def test_cheapest_equations_are_correct_and_never_larger(make: object) -> None:
    s = make(1)  # type: ignore[operator]
    cheap, kane = s.derive("cheapest"), s.derive()
    States(s, 0).agrees(cheap.derivation, ["forward_dynamics", "inverse_dynamics", "mass_matrix", "state_dot", "bias"])
    for quantity in ("forward_dynamics", "inverse_dynamics", "mass_matrix"):
        assert cheap.operations[quantity].total <= kane.operations[quantity].total


@pytest.mark.long
def test_a_longer_search_never_costs_more() -> None:
    s = arm(2, 4)
    searches = [Search(s.freeze(), "forward", search) for search in (0, 1, 2)]
    weights = [search.weight(search.run()) for search in searches]
    assert weights == sorted(weights, reverse=True) and weights[2] < weights[0]


def test_candidates_survive_conversion_to_plain_data() -> None:
    choice = ProgramCandidate(FrameOffsets({"a": FrameOffset(1.0, 2.0, (3.0, 4.0, 5.0))}, 0.5), frozenset({"a"}))
    assert ProgramCandidate.from_plain(choice.to_plain()) == choice


def test_candidates_are_read_from_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("FREEBODY_CACHE", str(tmp_path))
    first = arm(3, 3).derive("cheapest").operations["forward_dynamics"].total
    monkeypatch.setattr(Search, "run", lambda self: pytest.fail("it was known"))
    assert arm(3, 3).derive("cheapest").operations["forward_dynamics"].total == first


def test_cheapest_equations_agree_with_kane() -> None:
    s = floating(0)
    runs = [
        eq.simulate([0.0, 1.0], u={"base": (0.1, 0.5, -0.3, 0, 0, 1)}, rtol=1e-10, atol=1e-12)
        for eq in (s.derive(), s.derive("cheapest"), s.derive("aba"))
    ]
    assert np.allclose(runs[1].x, runs[0].x, atol=1e-8) and np.allclose(runs[2].x, runs[0].x, atol=1e-8)
    assert np.allclose(runs[1]["energy.total"], runs[0]["energy.total"], atol=1e-8)


def test_search_and_formulation_are_checked() -> None:
    with pytest.raises(ModelError, match="search must be one of 0, 1, 2, 3, not 7"):
        arm(0, 2).derive("cheapest", search=7)
    with pytest.raises(ModelError, match=r"search must be one of 0, 1, 2, 3, not \[1\]"):
        arm(0, 2).derive("cheapest", search=[1])  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="rolled must be True, False or None, not 'yes'"):
        arm(0, 2).derive("aba", rolled="yes")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="rolled=True needs the formulation 'aba' or solver='sparse', not 'kane'"):
        arm(0, 2).derive("kane", rolled=True)
    with pytest.raises(
        ModelError, match="there is no formulation 'fast'; choose from kane, crba, aba, cheapest, gauss"
    ):
        arm(0, 2).derive("fast")


@pytest.mark.parametrize("tilt", [1e-10, 3e-6, 4e-5])
def test_almost_parallel_axes_are_not_changed(tilt: float) -> None:
    s = fb.System("tilted")
    a = s.body("a", joint=fb.Revolute((tilt, 0, 1)), mass=1.0, com=(0.1, 0, 0.5), inertia=(1, 1, 0.1))
    s.body(
        "b", on=a, at=(0, 0.2, 1), joint=fb.Revolute((0, tilt, 1)), mass=1.0, com=(0.3, 0, 0.5), inertia=(1, 1.1, 0.2)
    )
    same_as_kane(s, [0.3, 0.4], [1.0, 2.0])


@pytest.mark.parametrize(("mass", "length"), [(1e-9, 1e-4), (1e-15, 1e-6), (1e6, 1e5)])
def test_bodies_may_have_any_size(mass: float, length: float) -> None:
    s, J = fb.System("sized"), mass * length**2 * np.array([0.1, 0.1, 0.01])
    a = s.body("a", joint=fb.Revolute("y"), mass=mass, com=(0, 0, length / 2), inertia=tuple(J))
    s.body("b", on=a, at=(0, 0, length), joint=fb.Revolute("x"), mass=mass, com=(0, 0, length / 2), inertia=tuple(J))
    same_as_kane(s, [0.3, 0.4], [1.0, 2.0])


def same_as_kane(s: fb.System, q: list[float], u: list[float]) -> None:
    kane = s.derive().compile("numpy")
    wanted, tau, M = kane.forward_dynamics(q, u), kane.inverse_dynamics(q, u, u), kane.mass_matrix(q)
    for search in (0, 1):
        f = s.derive("cheapest", search=search).compile("numpy")
        assert np.allclose(f.forward_dynamics(q, u), wanted, rtol=ROUNDING, atol=0)
        assert np.allclose(f.inverse_dynamics(q, u, u), tau, rtol=ROUNDING, atol=ROUNDING * np.abs(tau).max())
        assert np.allclose(f.mass_matrix(q), M, rtol=ROUNDING, atol=ROUNDING * np.abs(M).max())


def test_positions_of_free_bodies_do_not_depend_on_their_working_origin() -> None:
    s = fb.System("tethered")
    b = s.body("b", joint=fb.Free(), mass=3.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.2, 1.4))
    s.spring(b.origin, s.ground.origin, stiffness=10.0, free_length=1.0, damping=2.0)
    same_as_kane(s, [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0], [0.1, 0.2, 0.3, 1.0, 2.0, 3.0])


def test_armature_of_free_bodies_acts_on_their_own_speeds() -> None:
    s = fb.System("armature")
    s.body("b", joint=fb.Free(armature=0.4), mass=3.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.2, 1.4))
    assert not is_scalable(span(s.freeze()))
    same_as_kane(s, [1.0, 2.0, 3.0, 0.8, 0.6, 0.0, 0.0], [0.1, 0.2, 0.3, 1.0, 2.0, 3.0])
