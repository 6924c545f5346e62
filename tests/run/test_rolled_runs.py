"""Runs with rolled programs (loops over many bodies) give the same motion as unrolled ones and start quickly."""

import time
from functools import cache
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.api.equations import Equations
from freebody.backends import compile
from freebody.formulations.rolled import MANY
from freebody.formulations.rolled.equations import Rolled
from freebody.program.assemble import program
from freebody.program.program import Scan
from freebody.run.build import build
from freebody.scalar.functions import callback
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.mechanisms.sampled import sampled_pairs

SAME = 1e-9  # relative to the largest entry; the runs take the same steps and differ only by rounding
HOW: dict[str, Any] = {"method": "rk4", "step": 2e-3}
TIMES = np.linspace(0.0, 0.2, 11)


def driven(n: int, branches: bool) -> fb.System:
    """A chain, or a tree whose bodies hang on one of the last few, with every kind of element that uses inputs."""
    rng, s = np.random.default_rng(n), fb.System(f"driven{n}")
    c, _, wind, pull, lift = s.parameter("c", 0.3), *(s.input(x) for x in ("motor", "wind", "pull", "lift"))
    lag = s.state("lag", rate="5*(motor - lag)", initial=0.2)
    s.gravity = (0, 0, lift - 9.81)
    for k in range(n):
        on = s.ground if not k else s.bodies[f"b{rng.integers(max(0, k - 3), k) if branches else k - 1}"]
        joint = fb.Revolute("xyz"[k % 3], damping=c) if k != 2 else fb.Revolute("y", motion=0.2 * fb.sin(3 * s.t))
        inertia = tuple(rng.uniform(0.02, 0.03, 3))
        s.body(
            f"b{k}",
            on=on,
            joint=joint,
            at=(0.05, 0.02, -0.2),
            mass=1 + 0.1 * (k % 7),
            com=tuple(rng.uniform(-0.1, 0.1, 3)),
            inertia=inertia,
        )
    first, middle, last = (s.bodies[f"b{k}"] for k in (1, n // 2, n - 1))
    s.torque(lag, on=middle, reaction=first, about=middle.x, name="drive")
    s.force(s.ground.x * wind - 0.2 * wind**2 * last.y, at=last.point((0.1, 0, 0)), name="gust")
    s.spring(first.point((0, 0.1, 0)), middle.point((0.1, 0, 0)), 30.0, 0.2, 0.5, name="spring")
    s.joint_force(last, pull * fb.cos(s.t), name="hand")
    s.output("tip", s.position(last))
    s.output("power", "pull*u.b1")
    return s


def held(t: float) -> float:
    return 3.0 if t < 0.1 else -2.0


def fed_back(t: float, x: np.ndarray) -> float:
    return float(-2 * x[1] + np.sin(8 * t))


LAWS: dict[str, dict[str, Any]] = {
    "numbers": {"motor": 4.0, "wind": 1.5, "pull": 0.5, "lift": 0.3},
    "texts": {"motor": "4*sin(9*t) - c*u.b3", "wind": "2*lag", "pull": "where(t > 0.05, q.b4, tip.z)", "lift": 0.2},
    "tables and functions": {"motor": ([0, 0.1, 0.2], [0, 5, -5]), "wind": held, "pull": fed_back, "lift": "sin(t)"},
}


def start(s: fb.System) -> dict[str, float]:
    return {f"b{k}": 0.3 * np.sin(k) for k in range(len(s.bodies)) if k != 2}


@cache
def both(n: int, branches: bool, other: str) -> tuple[fb.System, Equations, Equations]:
    s = driven(n, branches)
    return s, s.derive("aba", rolled=True), s.derive(other, rolled=False)


@pytest.mark.parametrize(("laws", "kind"), sampled_pairs(LAWS, ("chain", "tree"), 2))
def test_rolled_and_unrolled_programs_give_the_same_motion(kind: str, laws: str) -> None:
    s, rolled, plain = both(20, False, "aba") if kind == "chain" else both(16, True, "kane")
    given: dict[str, Any] = {"q": start(s), "inputs": LAWS[laws], **HOW}
    assert isinstance(rolled.derivation, Rolled) and not isinstance(plain.derivation, Rolled)
    one, two = rolled.simulate(TIMES, **given), plain.simulate(TIMES, **given)
    for key in (*one.about.state, "tip", "power", "load.gust", "load.spring", "energy.total", "u_dot.b5"):
        assert np.max(np.abs(one[key] - two[key])) < SAME * max(1.0, np.max(np.abs(two[key]))), key
    assert np.max(np.abs(one.x - one.x[0])) > 0.1


def test_rolled_programs_support_laws_and_events() -> None:
    s = driven(20, False)
    laws = {"motor": 3 * fb.sin(s.t) * s.position(s.bodies["b4"]).dot(s.ground.z), "wind": 0, "pull": 0, "lift": 0}
    hits = fb.Event("q.b1 - 0.24", reset={"u.b1": "-0.5*u.b1 + motor"}, name="hit")
    runs = [
        s.derive("aba", rolled=rolled).simulate(TIMES, q=start(s), inputs=laws, events=[hits])
        for rolled in (True, False)
    ]
    assert len(runs[0].events.t) == len(runs[1].events.t) > 0
    assert np.max(np.abs(runs[0].x - runs[1].x)) < 1e-7 * np.max(np.abs(runs[1].x))  # of adaptive steps


def test_rolled_programs_support_implicit_methods() -> None:
    s = driven(MANY + 4, False)
    given: dict[str, Any] = {"q": start(s), "inputs": LAWS["texts"]}
    stiff, plain = (s.simulate([0, 0.01], method=method, **given) for method in ("radau", "dop853"))
    assert np.max(np.abs(stiff.x[-1] - plain.x[-1])) < 1e-5 * np.max(np.abs(plain.x))


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_callbacks_may_have_any_number_of_arguments(backend: str) -> None:
    g, n = Graph(), 1100
    x = [g.symbol(f"x{k}", Kind.STATE) for k in range(n)]
    weighted = g.call(callback("weighted_sum", lambda *x: sum(k * v for k, v in enumerate(x)), n), x)
    f = compile(program("weighted", g, {"x": x}, {"y": weighted}), backend)
    rows = np.random.default_rng(0).normal(size=(9, n))
    assert np.allclose(np.asarray(f(rows)), rows @ np.arange(n), rtol=1e-12)
    assert np.allclose(np.asarray(f(rows[3])), rows[3] @ np.arange(n), rtol=1e-12)


# Automatic choice


def loops(s: fb.System, inputs: dict[str, Any]) -> list[str]:
    e = s.derive().derivation
    return [r.name for r in build(e, s.values, inputs).system.rates.value.regions if isinstance(r, Scan)]


def test_only_large_systems_are_rolled() -> None:
    for laws in LAWS.values():
        assert "elimination" in loops(driven(MANY + 4, False), laws)
    assert not loops(driven(5, False), LAWS["texts"])


def test_rolled_mass_matrix_equals_the_one_of_kane() -> None:
    s = driven(12, True)
    x = np.random.default_rng(0).uniform(-1, 1, 2 * 11 + 1)
    made = s.derive("aba", rolled=True), s.derive()
    rolled, kane = (build(eq.derivation, s.values, LAWS["numbers"]) for eq in made)
    one, two = (p.mechanics.mass_matrix(0.3, x) for p in (rolled, kane))
    assert np.max(np.abs(one - two)) < 1e-12 * np.max(np.abs(two))


def test_sweeps_of_rolled_systems_equal_single_runs() -> None:
    s = driven(MANY + 4, True)
    laws = {**LAWS["texts"], "lift": 0.0}
    found = s.sweep(TIMES[:3], {"c": [0.1, 0.9]}, q=start(s), inputs=laws, **HOW)
    for c in (0.1, 0.9):
        run = s.simulate(TIMES[:3], q=start(s), inputs=laws, parameters={"c": c}, **HOW)
        assert np.max(np.abs(found["q.b7"].sel(c=c).values - run["q.b7"])) < SAME


def test_three_hundred_driven_bodies_take_their_first_step_within_seconds() -> None:
    s = driven(300, False)
    began = time.process_time()
    run = s.simulate([0.0, 1e-3], inputs=LAWS["texts"], **HOW)
    assert run.status == 0
    assert time.process_time() - began < 20.0  # measured: 3
