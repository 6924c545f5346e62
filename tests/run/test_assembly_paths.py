"""Assembly along a path: held coordinates move from the guess to their values, and the others follow continuously, with
the least change, without winding springs; what moved and what was stored is reported."""

import math
import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freebody as fb
from freebody.api.live import live_simulation
from freebody.errors import ArgumentError, SimulationWarning
from freebody.results import RunResult
from freebody.run.assembly import Assembler
from freebody.run.display_state import display_state
from freebody.tree.tree import quaternions
from tests.mechanisms import random_loops

Array = np.ndarray
STARTS = np.linspace(0.2, 2.9, 14)


def squares(n: int, damping: float = 0.0) -> fb.System:
    """n four-bars of equal bars in a row, upright at zero; flat where the bars lie."""
    s = fb.System("row")
    bar: dict[str, Any] = {"mass": 1, "com": (0, 0, 0.5), "inertia": fb.rod(1, 1, "z")}
    left = s.body("b0", joint=fb.Revolute("y"), **bar)
    for k in range(1, n + 1):
        coupler = s.body(
            f"c{k}", on=left, at=(0, 0, 1), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x")
        )
        left = s.body(f"b{k}", at=(k, 0, 0), joint=fb.Revolute("y"), **bar)
        s.close(coupler.point((1, 0, 0)), left.point((0, 0, 1)), fb.Revolute("y", damping=damping), name=f"p{k}")
    return s


def bars(crank: float, coupler: float, base: float, rocker: float, spring: float = 0.0) -> fb.System:
    """A four-bar whose bars lie along x at zero; perhaps with a spring in the rocker's joint."""
    s = fb.System("bars")
    a = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(crank / 2, 0, 0), inertia=fb.rod(1, crank, "x"))
    b = s.body(
        "coupler",
        on=a,
        at=(crank, 0, 0),
        joint=fb.Revolute("y"),
        mass=1,
        com=(coupler / 2, 0, 0),
        inertia=fb.rod(1, coupler, "x"),
    )
    c = s.body(
        "rocker",
        at=(base, 0, 0),
        joint=fb.Revolute("y", stiffness=spring),
        mass=1,
        com=(rocker / 2, 0, 0),
        inertia=fb.rod(1, rocker, "x"),
    )
    s.close(b.point((coupler, 0, 0)), c.point((rocker, 0, 0)), fb.Revolute("y"), name="pin")
    return s


def engine(stiffness: float = 2761.0) -> fb.System:
    """A pulley that drives a crank by an elastic shaft, with a rod and a piston."""
    s = fb.System("engine")
    pulley = s.body("pulley", joint=fb.Revolute("y"), mass=3, inertia=(0.02, 0.03, 0.02))
    crank = s.body(
        "crank",
        on=pulley,
        joint=fb.Revolute("y", stiffness=stiffness),
        mass=2,
        com=(0.03, 0, 0),
        inertia=(0.01, 0.01, 0.01),
    )
    rod = s.body(
        "rod",
        on=crank,
        at=(0.05, 0, 0),
        joint=fb.Revolute("y"),
        mass=0.5,
        com=(0.1, 0, 0),
        inertia=(0.001, 0.003, 0.003),
    )
    piston = s.body("piston", joint=fb.Prismatic("x", initial=0.25), mass=0.6)
    s.close(rod.point((0.2, 0, 0)), piston, fb.Revolute("y"), name="pin")
    return s


def limited() -> fb.System:
    """A slider at 1.5 m, the end of its range, on a crank of 1 m by a rod of 0.5 m: two ranges, 0.5 … 1.5 and back."""
    s = fb.System("limited")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x"))
    slider = s.body("slider", joint=fb.Prismatic("x", initial=1.5), mass=1)
    s.rod(crank.point((1, 0, 0)), slider, 0.5, name="link")
    return s


# Paths


@pytest.mark.filterwarnings("ignore::freebody.errors.SimulationWarning")
def test_a_square_stays_a_parallelogram_also_beyond_the_flat_position() -> None:
    s = squares(1)
    for c in (*STARTS, *-STARTS, math.pi):
        q, u = s.assemble({"b0": float(c)})
        assert np.abs(q - (c, -c, c)).max() < 1e-12 and not u.any()
    q, _ = s.assemble({"b0": math.pi / 2})  # flat: as exact as a double root can be
    assert np.abs(q - (q[0], -q[0], q[0])).max() < 1e-6


def test_many_squares_stay_parallelograms() -> None:
    """Equations as loops over bodies are assembled in the same way; all squares are flat at once."""
    s = squares(101)
    q, _ = s.assemble({"b0": 2.0})
    signs = [1 if name.startswith("b") else -1 for name in s.derive().q]
    assert np.abs(q - 2.0 * np.array(signs)).max() < 1e-9


@pytest.mark.filterwarnings("ignore::freebody.errors.SimulationWarning")
def test_sweeps_sliders_and_shown_states_follow_the_same_path() -> None:
    s = squares(1)
    data = s.sweep(0.01, {"q.b0": STARTS})
    assert np.abs(data["q.c1"].values[:, 0] + STARTS).max() < 1e-12
    e = s.derive()
    assert np.abs(display_state(e.derivation, e.values, {"b0": 2.5}).q - (2.5, -2.5, 2.5)).max() < 1e-12
    linear = s.linearize(at={"q.b0": 2.5})
    assert np.abs([linear.at[f"q.{n}"] for n in ("b0", "c1", "b1")] - np.array([2.5, -2.5, 2.5])).max() < 1e-12


def test_a_singular_position_is_reported_with_both_branches() -> None:
    s = squares(1)
    with pytest.warns(SimulationWarning, match=r"passes a singular position \(b0 = 1\.571, .*another branch leads to"):
        result = s.assemble({"b0": 2.0})
    (place,) = result.singular
    assert place.q["b0"] == pytest.approx(math.pi / 2, abs=1e-3) and place.branches
    f = s.derive().compile("numpy")
    for branch in place.branches:
        q = np.array([*branch.values()])
        assert branch["b0"] == 2.0 and np.abs(q - result.q).max() > 1
        assert np.abs(f.constraint(q, np.zeros(3))["phi"]).max() < 1e-9
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            again, _ = s.assemble({"b0": 2.0}, guess=q)
        assert np.abs(again - q).max() < 1e-8


def test_from_a_flat_start_the_branch_with_the_least_change_is_taken() -> None:
    s = bars(1, 2, 2, 1)
    with pytest.warns(SimulationWarning, match="at the start on the branch with the least change"):
        result = s.assemble({"crank": 0.3})
    assert np.abs(result.q - (0.3, -0.3, 0.3)).max() < 1e-9
    (other,) = result.singular[0].branches
    assert other["coupler"] < -0.8 and abs(other["coupler"] - other["rocker"]) < 1e-6


def test_values_that_no_motion_reaches_are_refused_with_a_guess_that_has_them() -> None:
    s = limited()
    with pytest.raises(
        ArgumentError, match=r"no continuous motion from the guess reaches these values of q\.slider"
    ) as raised:
        s.assemble({"slider": -1.2})
    guess = re.search(r"guess=\[(.*?)\]", str(raised.value))
    assert guess is not None
    q, _ = s.assemble({"slider": -1.2}, guess=[float(x) for x in guess.group(1).split(",")])
    assert q[1] == -1.2 and abs(math.hypot(math.cos(q[0]) + 1.2, math.sin(q[0])) - 0.5) < 1e-12
    with pytest.raises(ArgumentError, match=r"'link' cannot be satisfied: .*give a guess nearer to an assembled state"):
        s.assemble({"crank": 1.2})  # out of reach on every branch


def test_a_guess_is_for_values_by_name() -> None:
    with pytest.raises(ArgumentError, match="a whole vector q is the guess itself"):
        squares(1).assemble([0.3, 0, 0], guess=[0, 0, 0])


@pytest.mark.parametrize("lengths", [(1.0, 2.5, 2.0, 1.8), (0.6, 1.7, 2.0, 1.1)])
def test_paths_are_those_of_an_independent_integration(lengths: tuple[float, ...]) -> None:
    """Of G q̇ = 0 with the crank's rate, by the compiled equations, to a state more than half a turn away."""
    s = bars(*lengths)
    start, _ = s.assemble([0.4, 0.5, 1.2])
    f = s.derive().compile("numpy")

    def rates(c: float, q: Array) -> Array:
        G = f.constraint(q, np.zeros(3))["G"]
        return np.concatenate([[1.0], np.linalg.lstsq(G[:, 1:], -G[:, 0], rcond=1e-9)[0]])

    for turn in (0.7, -3.5) if lengths[0] == 0.6 else (0.4, -0.3):
        there = solve_ivp(rates, (start[0], start[0] + turn), start, rtol=1e-11, atol=1e-12).y[:, -1]
        q, _ = s.assemble({"crank": start[0] + turn}, guess=start)
        assert np.abs(q - there).max() < 1e-8


def reached(seed: int, amounts: tuple[float, ...]) -> int:
    """Check the laws of paths for a random mechanism with loops; returns how many paths it has."""
    m = random_loops.mechanism(seed, random_loops.closing_kinds())
    e, rng, count = m.system.derive("kane").derivation, np.random.default_rng([seed, 77]), 0
    x0 = np.concatenate([m.held["q"], m.held["u"], m.z])
    inputs = np.concatenate([m.held["inputs"], e.layout.default_inputs[len(m.held["inputs"]) :]])
    values, t, n = np.array([*m.system.values.values()]), float(m.held["t"][0]), len(e.layout.q)
    whole = {k + i for k in quaternions(e.tree) for i in range(4)}
    held = int(rng.choice([k for k in range(n) if k not in whole]))
    assembler = Assembler(e, branches=False)

    def to(x: Array, value: float) -> Array:
        there = x.copy()
        there[held] = value
        return np.asarray(assembler.state(there, {held}, values, t, inputs, base=x).x)

    for amount in amounts:
        value = x0[held] + amount * rng.choice([-1, 1])
        try:
            end = to(x0, value)
        except ArgumentError:  # out of reach
            continue
        middle = to(x0, (x0[held] + value) / 2)
        count += 1
        assert end[held] == value
        assert np.abs(to(end, x0[held])[:n] - x0[:n]).max() < 2e-5  # back to the start
        assert np.abs(to(middle, value)[:n] - end[:n]).max() < 2e-5  # in parts as at once
    return count


def test_paths_of_random_loops_are_reversible_and_the_same_in_parts() -> None:
    assert sum(reached(seed, (0.3,)) for seed in (0, 6, 18, 21, 33)) >= 5


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 40, 2))
def test_paths_of_more_random_loops(seed: int) -> None:
    reached(seed, (0.02, 0.3, 1.0))


def test_angles_are_the_nearest_to_the_guess() -> None:
    """A guess with whole turns is kept; the search does not add any."""
    s = squares(1)
    q, _ = s.assemble([0.3, 2 * math.pi - 0.35, 0.2], hold="b0")
    assert np.abs(q - (0.3, 2 * math.pi - 0.3, 0.3)).max() < 1e-9
    rng = np.random.default_rng(3)
    for _ in range(10):
        guess = rng.uniform(-3, 3, 3)
        q, _ = s.assemble(guess, hold="b0")
        assert np.abs(q - guess).max() < math.pi + 1e-6


# Springs


@pytest.mark.parametrize("angle", [0.6, -0.6, 2.5])
def test_an_elastic_shaft_is_not_wound(angle: float) -> None:
    result = engine().assemble({"pulley": angle})
    assert sum(result.stored.values()) < 1e-6 and abs(result.q[1]) < 1e-4
    sine = 0.05 * math.sin(angle) / 0.2
    assert result.q[3] == pytest.approx(0.05 * math.cos(angle) + math.sqrt(0.04 - (0.2 * sine) ** 2), abs=1e-5)


def test_a_linearisation_has_the_frequency_of_the_shaft_in_the_place_that_was_asked_for() -> None:
    """A shaft so stiff that it does not matter gives the other frequency, in the same place."""
    slow = [np.abs(s.linearize(at={"q.pulley": 0.6}).eigenvalues).min() for s in (engine(), engine(1e9))]
    assert slow[0] == pytest.approx(slow[1], rel=0.05)


def test_energy_that_must_be_stored_is_reported_and_warned_of() -> None:
    s = squares(1)
    s.spring(s.bodies["c1"].point((1, 0, 0)), s.ground.point((1, 0, 1)), stiffness=100.0, name="stay")
    result = s.assemble({"b0": 0.5})
    f = s.derive().compile("numpy")
    change = f.energies(result.q, result.u)["potential"] - f.energies(np.zeros(3), np.zeros(3))["potential"]
    weight = 9.81 * 2 * (math.cos(0.5) - 1)
    assert result.stored == {"load 'stay'": pytest.approx(change - weight)}
    with pytest.warns(SimulationWarning, match=r"stored energy in springs: [\d.]+ J in load 'stay'"):
        run = s.simulate(0.1, q={"b0": 0.5})
    assert run.assembly is not None and run.assembly.stored == result.stored


# Reports


def test_what_moved_is_returned_and_recorded(tmp_path: Path) -> None:
    s = squares(1)
    result = s.assemble({"b0": 0.5}, {"b0": 1.0})
    q, u = result
    assert q is result.q and u is result.u and result.moved == {"c1": pytest.approx(-0.5), "b1": pytest.approx(0.5)}
    assert re.search(r"c1 +-0\.5 +-0\.5", str(result)) and "<table" in result._repr_html_()
    again = pickle.loads(pickle.dumps(result))
    assert again.moved == result.moved and np.array_equal(again.q, q)
    with warnings.catch_warnings():  # the crank leaves no freedom, and no singular position is on the way
        warnings.simplefilter("error")
        run = s.simulate(0.1, q={"b0": 0.5}, u={"b0": 1.0})
    assert run.assembly is not None and run.assembly.moved == result.moved
    assert "moved c1 by -0.5, b1 by 0.5" in run.summary()
    loaded = RunResult.load(run.save(tmp_path / "run.nc"))
    assert loaded.assembly == run.assembly
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert s.simulate(0.1, q=q, u=u).assembly is None
        small = s.simulate(0.1, q={"b0": 0.1}).assembly
    assert small is not None and small.moved["b1"] == pytest.approx(0.1)


FIFTH = 0.4 * math.pi


def pentagon() -> fb.System:
    """Five equal bars, which have two freedoms, as a regular pentagon."""
    s, bar = fb.System("pentagon"), {"mass": 1.0, "com": (0.5, 0, 0), "inertia": fb.rod(1, 1, "x")}
    left = s.body("left", joint=fb.Revolute("y", initial=-1.5 * FIFTH), **bar)
    near = s.body("near", on=left, at=(1, 0, 0), joint=fb.Revolute("y", initial=FIFTH), **bar)
    far = s.body("far", on=near, at=(1, 0, 0), joint=fb.Revolute("y", initial=FIFTH), **bar)
    right = s.body("right", at=(1, 0, 0), joint=fb.Revolute("y", initial=-FIFTH), **bar)
    s.close(far.point((1, 0, 0)), right.point((1, 0, 0)), fb.Revolute("y"), name="pin")
    return s


def drawn_open(count: int) -> fb.System:
    """Four-bars in a row that are not closed at the initial values of their joints."""
    s, bar = fb.System("open"), {"mass": 1.0, "com": (0, 0, 0.5), "inertia": fb.rod(1, 1, "z")}
    left = s.body("b0", joint=fb.Revolute("y"), **bar)
    for k in range(1, count + 1):
        top = s.body(f"c{k}", on=left, at=(0, 0, 1), joint=fb.Revolute("y"), **bar)
        left = s.body(f"b{k}", at=(1.2 * k, 0, 0), joint=fb.Revolute("y"), **bar)
        s.close(top.point((1.6, 0, 0)), left.point((0, 0, 1)), fb.Revolute("y"), name=f"p{k}")
    return s


def test_coordinates_that_no_value_determines_and_that_moved_far_are_named() -> None:
    """One warning: where a freedom is left, where the values are a guess, and where the guess itself is far from an
    assembled state. Those that the given values determine move as far as they must."""
    cases: list[tuple[fb.System, Any, str]] = [
        (pentagon(), {"left": -0.9}, r"moved far to satisfy the constraints: (near|far|right) by "),
        (
            drawn_open(1),
            {"b0": 0.8},
            r"moved far to satisfy the constraints: c1 by \S+ rad, b1 by \S+ rad\. .*q, u = s\.assemble",
        ),
        (drawn_open(4), {"b0": 0.8}, r"moved far to satisfy the constraints: (\S+ by \S+ rad(, | )){6}and 2 more\. If"),
        (limited(), {"slider": 0.9}, r"moved far \(crank by -?0\.522 rad\), and on the way .* singular position"),
    ]
    for s, q, expected in cases:
        with pytest.warns(SimulationWarning, match=expected) as caught:
            s.simulate(0.01, q=q)
        assert len(caught) == 1
    for s, q in ((squares(1), {"b0": 1.4}), (pentagon(), {"left": -1.6, "right": -1.5})):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run = s.simulate(0.01, q=q)
        assert run.assembly is not None and run.assembly.moved


def test_turns_that_moved_are_named() -> None:
    s = fb.System("free")
    body = s.body("body", joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    s.close(s.ground, body, joint=fb.Spherical(), orient_to=("x", 0.7), name="ball")
    s.constrain("q.body.qx - 0.5", name="turned")
    assert s.assemble().moved["body.turn"] == pytest.approx(math.pi / 3)


def test_sweeps_warn_once_of_cases_that_moved_far() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        squares(1).sweep(0.01, {"q.b0": [0.1, 0.3, 0.5]})
    with pytest.warns(
        SimulationWarning, match=r"2 of 3 cases .* a large change of .*: in case 2 \w+ by -?\d"
    ) as caught:
        pentagon().sweep(0.01, {"q.left": [-1.85, -1.2, -0.9]})
    assert sum("after a large change" in str(w.message) for w in caught) == 1


def test_the_sliders_of_a_live_view_move_along_the_path() -> None:
    live = live_simulation(squares(1).freeze())
    for angle in (0.8, 1.5, 1.7, 2.5):
        live.set_coordinate("b0", angle)
        assert np.abs(live.x[:3] - (angle, -angle, angle)).max() < 1e-9
