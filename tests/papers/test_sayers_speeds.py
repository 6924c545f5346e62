"""Conversion between standard speeds and mass-centre speeds at any time and with any parameters, for one state or
many."""

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from tests.mechanisms.build_system import Builder
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.random_trees import state, tree

CLOSE = 1e-11  # relative; measured: below 1e-13


def carried() -> fb.System:
    """A ball joint and a free body on a driven arm; all numbers are parameters."""
    s = fb.System("carried")
    s.parameters(l=0.5, r=2.0, w=1.5)
    arm = s.body("arm", joint=fb.Revolute("y", motion="r*sin(w*t)"), mass=1, com=(0, 0, -1), inertia=(1, 1, 1))
    s.body("ball", arm, fb.Spherical(), at=(0, 0, "-l"), mass=1, inertia=(1, 2, 2))
    s.body("float", arm, fb.Free(), at=("l", 0, 0), mass=2, com=(0.1, "l", -0.2), inertia=(1, 1, 1))
    return s


def somewhere(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    turns = [turn / np.linalg.norm(turn) for turn in rng.normal(size=(2, 4))]
    return np.concatenate([turns[0], rng.normal(size=3), turns[1], rng.normal(size=9)])


@pytest.mark.paper("000", "20")
@pytest.mark.parametrize("values", [None, {"r": 0.7, "l": 1.3}])
def test_mass_centre_speeds_are_velocities_in_the_ground(values: dict[str, float] | None) -> None:
    """By definition: ω^B and v^B* along the body's axes, of bodies that turn and move freely."""
    s, x, t = carried(), somewhere(1), 0.8
    own = s.derive(speeds="mass-centre").from_standard(x, t, values)[11:]
    f = s.derive().compile("numpy", values)
    l = s.values["l"] if values is None else values["l"]
    ball = f.spatial_velocity(x[:11], x[11:], "ball", frame="body", t=t)
    free = f.spatial_velocity(x[:11], x[11:], "float", at=(0.1, l, -0.2), frame="body", t=t)
    assert error(own, np.concatenate([ball[:3], free])) < CLOSE
    later = s.derive(speeds="mass-centre").from_standard(x, t + 0.3, values)[11:]
    assert error(own, later) > 1e-2


@pytest.mark.paper("000", "20")
@pytest.mark.parametrize("seed", range(14))
def test_conversion_forth_and_back_keeps_states_rates_and_energy(seed: int) -> None:
    """At a time other than 0 and parameters other than the model's, over every joint, with prescribed motions."""
    made = tree(seed, bodies=4)
    s, there = Builder(made, fb.System).system, state(made)
    assert isinstance(s, fb.System)
    rng = np.random.default_rng(seed)
    values = {n: v * float(rng.uniform(1.0, 1.1)) for n, v in s.values.items()}
    kane, eq = s.derive(), s.derive(speeds="mass-centre")
    x, t, n, m = np.concatenate([there.q, there.u, [there.z]]), there.t, len(kane.q), len(kane.u)
    y = eq.from_standard(x, t, values)
    assert error(eq.to_standard(y, t, values), x) < CLOSE
    f, g = (e.compile("numpy", values) for e in (kane, eq))
    assert error(g.q_dot(y[:n], y[n : n + m], t), f.q_dot(there.q, there.u, t)) < CLOSE
    energies = [h.energies(z[:n], z[n : n + m], t)["kinetic"] for h, z in ((f, x), (g, y))]
    assert error(*energies) < CLOSE


def test_batches_of_states_and_times() -> None:
    s, times, values = carried(), np.array([0.0, 0.4, 1.1]), {"w": 2.5}
    eq, xs = s.derive(speeds="mass-centre"), np.array([[somewhere(3 * i + k) for k in range(3)] for i in range(2)])
    many = eq.from_standard(xs, times, values)
    single = [[eq.from_standard(x, t, values) for x, t in zip(row, times, strict=True)] for row in xs]
    assert many.shape == xs.shape and np.array_equal(many, single)
    assert np.allclose(eq.to_standard(many, times, values), xs, atol=1e-12)
    assert np.array_equal(eq.from_standard(xs[0, 0], times), [eq.from_standard(xs[0, 0], t) for t in times])
    assert eq.to_standard(np.zeros((0, 20))).shape == (0, 20)
    kane = s.derive()
    assert np.array_equal(kane.to_standard(xs, times), xs)


def test_wrong_arguments_are_refused() -> None:
    eq, x = carried().derive(speeds="mass-centre"), somewhere(0)
    with pytest.raises(ArgumentError, match=r"to_standard: x = \[q, u, z\] has 20 numbers along its last axis"):
        eq.to_standard(x[:-1])
    with pytest.raises(ArgumentError, match="from_standard: t is one time or one for each state"):
        eq.from_standard(np.array([x, x]), [1.0, 2.0, 3.0])
    with pytest.raises(ArgumentError, match="'v' is not a parameter"):
        eq.from_standard(x, parameters={"v": 1.0})
