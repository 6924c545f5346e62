"""Equilibria and linearisations of systems with constraints, compared with finite differences of the compiled dynamics
along the constraints, with equivalent systems without constraints, and with closed forms."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody as fb
from freebody.analysis.linearise import Linearisation
from freebody.analysis.manifold import SingularError
from freebody.analysis.state_equations import StateEquations
from freebody.errors import ArgumentError, ModelError
from freebody.tree.assembly import move
from tests.formulations.test_constraints import four_bar, geared, slider_crank, star
from tests.mechanisms.mechanisms import mechanism

pytestmark = pytest.mark.filterwarnings("ignore::freebody.errors.AnalysisWarning")  # points of a motion

Array = NDArray[np.float64]
G, STEP = 9.81, 1e-4


def particle() -> fb.System:
    """A pendulum of length 0.7 as a particle in a plane."""
    s = fb.System("particle")
    x = s.body("x", joint=fb.Prismatic("x"))
    s.body("z", on=x, joint=fb.Prismatic("z"), mass=2)
    s.constrain("q.x**2 + q.z**2 - 0.49", name="rod")
    return s


def welded() -> tuple[fb.System, Array]:
    """The four-bar as a chain of revolute joints, with a last body that six equations fix to the ground."""
    s, rod = fb.System("welded four-bar"), (1 / 12, 1 / 12, 0)
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=rod)
    coupler = s.body(
        "coupler", on=crank, at=(0, 0, 1), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(0, 1 / 12, 1 / 12)
    )
    rocker = s.body("rocker", on=coupler, at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=rod)
    base = s.body("base", on=rocker, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    s.close(base, s.ground.point((1, 0, 0)), joint=fb.Weld(), name="clamp")
    return s, np.array([0.3, -0.3, 0.3, -0.3])


def three_bars() -> fb.System:
    """A coupler of length 2 on three parallel bars of length 1 (N = 2 of the four-bars of IFToMM A02). Only these
    lengths, which are parameters, make one of the equations follow from the others."""
    s, rod = fb.System("three bars"), (1 / 12, 1 / 12, 0)
    a, b, c = (s.parameter(f"l{k}", 1.0) for k in range(3))
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=rod)
    coupler = s.body(
        "coupler", on=crank, at=(0, 0, a), joint=fb.Revolute("y"), mass=2, com=(1, 0, 0), inertia=(0, 2 / 3, 2 / 3)
    )
    for k, length in enumerate((b, c), 1):
        bar = s.body(f"bar{k}", at=(k, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=rod)
        s.close(coupler.point((k, 0, 0)), bar.point((0, 0, length)), joint=fb.Revolute("y"), name=f"pin{k}")
    return s


def disc(quaternion: bool = True) -> fb.System:
    """A thin disc of unit radius and mass, rolling; its axis is y."""
    s = fb.System("disc", gravity=(0, 0, -1))
    if quaternion:
        wheel = s.body("wheel", joint=fb.Free(initial=(0, 0, 1, 1, 0, 0, 0)), mass=1, inertia=(0.25, 0.5, 0.25))
    else:
        on: fb.Body | None = None
        joints = [
            ("x", "x", "prismatic"),
            ("y", "y", "prismatic"),
            ("z", "z", "prismatic"),
            ("yaw", "z", "revolute"),
            ("lean", "x", "revolute"),
        ]
        for name, axis, kind in joints:
            joint = fb.Revolute(axis) if kind == "revolute" else fb.Prismatic(axis, initial=float(axis == "z"))
            on = s.body(name, on=on, joint=joint)
        wheel = s.body("spin", on=on, joint=fb.Revolute("y"), mass=1, inertia=(0.25, 0.5, 0.25))
    s.roll(wheel, radius=1, axis="y", name="contact")
    return s


def skate() -> fb.System:
    """A sleigh on a slope with a knife edge behind its mass centre, and a pendulum on it."""
    s = fb.System("sleigh", gravity=(1.0, 0, -9))
    sleigh = s.body("sleigh", joint=fb.Planar(), mass=2, com=(0.3, 0, 0), inertia=(1, 1, 0.4))
    s.body("arm", on=sleigh, joint=fb.Revolute("y", damping=0.1), mass=0.5, com=(0, 0, -0.4), inertia=(0.1, 0.1, 0.1))
    s.knife_edge(sleigh, "y", name="edge")
    return s


def on_the_constraints(s: fb.System, q: Array | None, seed: int) -> dict[str, float]:
    """A moving point on the constraints, near coordinates."""
    eq, random = s.derive(), np.random.default_rng(seed)
    q, u = eq.assemble(q, random.normal(size=len(eq.u)))
    return {f"q.{n}": v for n, v in zip(eq.q, q, strict=True)} | {f"u.{n}": v for n, v in zip(eq.u, u, strict=True)}


CASES: dict[str, Callable[[], tuple[fb.System, Array | None]]] = {
    "particle": lambda: (particle(), np.array([0.2, -0.6])), "slider-crank": slider_crank, "four-bar": four_bar,
    "gears on a free base, moving in time": geared, "star": star, "welded": welded,
    "disc": lambda: (disc(), np.array([0.3, 0.1, 0.9, 0.9, 0.3, 0.3, 0.1])),
    "disc by angles": lambda: (disc(False), np.array([0.1, 0.2, 0.9, 0.4, 0.5, 0.7])),
    "sleigh": lambda: (skate(), None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_linearisation_matches_differences_along_the_constraints(name: str) -> None:
    s, q = CASES[name]()
    require_differences(s.derive(), on_the_constraints(s, q, 5))


@pytest.mark.parametrize(
    "seed", [0, 3, 6, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 4, 5))]
)  # fmt: skip
def test_linearisation_of_random_mechanisms(seed: int) -> None:
    """Trees of all joints, closed by each joint in turn."""
    m = mechanism(seed)
    eq = m.system.derive()
    at = {f"q.{n}": v for n, v in zip(eq.q, m.q, strict=True)} | {f"u.{n}": v for n, v in zip(eq.u, m.u, strict=True)}
    require_differences(eq, at)


def require_differences(eq: fb.Equations, at: dict[str, float]) -> None:
    """A, B, C and D against u̇, q̇ and multipliers that the motion determines at neighbouring states of the constraints,
    in motion."""
    f, nq, nu = eq.compile("numpy"), len(eq.q), len(eq.u)
    shared = {key for keys in eq.derivation.undetermined_rows for key in keys}
    names = {key: name for key, name in eq.derivation.constraints.names_by_row.items() if key not in shared}
    determined = [k for k, key in enumerate(eq.derivation.constraints.rows) if key in names]
    rows = [f"u_dot.{n}" for n in eq.u] + [f"multiplier.{n}" for n in names.values()]
    lin = eq.linearize(at, inputs="tau", outputs=rows)
    x = np.array([lin.at[n] for n in (*(f"q.{n}" for n in eq.q), *(f"u.{n}" for n in eq.u))])
    changes = dict(zip(lin.states, np.eye(len(lin.states)), strict=True))
    changes |= zip(lin.dependent, lin.dependence, strict=True)
    S = np.array([changes[state] for state in all_states(eq)])
    assert len(changes) == 2 * nu

    def rates(x: Array, tau: Array) -> Array:
        q, u = x[:nq], x[nq:]
        return np.concatenate([f.forward_dynamics(q, u, tau), f.multipliers(q, u, tau)[determined]])

    def displaced(change: Array) -> Array:
        start = np.concatenate([move(eq.derivation.tree, x[:nq], change[:nu]), x[nq:] + change[nu:]])
        for _ in range(4):
            start = f.project(0.0, start)
        return start

    none, size = np.zeros(nu), np.maximum(1.0, np.abs(lin.C).max())
    for k, column in enumerate(S.T):
        ends = [displaced(sign * STEP * column) for sign in (1, -1)]
        slope = (rates(ends[0], none) - rates(ends[1], none)) / (2 * STEP)
        assert np.allclose(lin.C[:, k], slope, rtol=1e-6, atol=1e-6 * size), lin.states[k]
        for i, state in enumerate(lin.states):  # rates of coordinates that are states themselves
            if state.startswith("q."):
                j = eq.q.index(state[2:])
                q_dot = [f.state_dot(0.0, end)[j] for end in ends]
                assert np.isclose(lin.A[i, k], (q_dot[0] - q_dot[1]) / (2 * STEP), atol=1e-6), state
    for i, state in enumerate(lin.states):
        if state.startswith("u."):
            j = eq.u.index(state[2:])
            assert np.allclose(lin.A[i], lin.C[j]) and np.allclose(lin.B[i], lin.D[j])
    pushes = np.array([rates(x, d) - rates(x, none) for d in np.eye(nu)]).T
    assert np.allclose(lin.D, pushes, atol=1e-9 * np.abs(pushes).max())


def all_states(eq: fb.Equations) -> tuple[str, ...]:
    """The minimal states without regard to constraints, in order."""
    return Linearisation(StateEquations(eq.derivation), [], []).states


def test_particle_on_a_circle_is_a_pendulum() -> None:
    s = particle()
    down = s.equilibrium(q={"x": 0.2, "z": -0.5})
    assert np.allclose([down.q["x"], down.q["z"]], [0, -0.7], atol=1e-12) and down.isolated
    assert down.multipliers == pytest.approx({"rod": -2 * G / 1.4})
    lin = s.linearize(at=down)
    assert lin.states == ("q.x", "u.x") and lin.dependent == ("q.z", "u.z") and np.allclose(lin.dependence, 0)
    assert lin.modes()[0].frequency == pytest.approx(math.sqrt(G / 0.7), rel=1e-12)
    (up,) = (e for e in s.equilibria() if e.stability == "unstable")
    assert up.q["z"] == pytest.approx(0.7) and np.sort(up.eigenvalues.real)[-1] == pytest.approx(math.sqrt(G / 0.7))


def test_slider_crank_matches_its_closed_form() -> None:
    """½ m(θ) θ̇² + V(θ): θ̈ = −(V′ + ½ m′ θ̇²)/m, whose derivatives are taken by differences."""
    s, _ = slider_crank()

    def places(angle: complex) -> list[complex]:
        """Horizontal and vertical places, times the root of the mass; angles, times the root of the inertia."""
        lean = np.arcsin(0.3 * np.sin(angle))
        x, z = 0.3 * np.cos(angle), -0.3 * np.sin(angle)
        roots = [1.0, 1.0, 0.0075**0.5, 2**0.5, 2**0.5, (1 / 6) ** 0.5, 3**0.5]
        values = [x / 2, z / 2, angle, x + np.cos(lean) / 2, z / 2, lean, x + np.cos(lean)]
        return [r * v for r, v in zip(roots, values, strict=True)]

    def inertia(angle: float) -> float:
        return sum((p.imag / 1e-30) ** 2 for p in places(angle + 1e-30j))

    def acceleration(x: Array) -> float:
        angle, speed = x
        torque = G * (0.15 + 2 * 0.15) * math.cos(angle)
        slope = (inertia(angle + 1e-5) - inertia(angle - 1e-5)) / 2e-5
        return (torque - slope * speed**2 / 2) / inertia(angle)

    for x in np.array([[math.pi / 2, 0.0], [0.5, 0.0], [0.9, 3.0], [-2.0, -4.0]]):
        lean = math.asin(0.3 * math.sin(x[0]))
        place = {"q.crank": x[0], "q.rod": -lean - x[0], "q.slider": 0.3 * math.cos(x[0]) + math.cos(lean)}
        lin = s.linearize({**place, "u.crank": x[1]}, independent="crank")
        slopes = [(acceleration(x + d) - acceleration(x - d)) / 2e-4 for d in 1e-4 * np.eye(2)]
        assert lin.rate[1] == pytest.approx(acceleration(x), abs=1e-7)
        assert np.allclose(lin.A, [[0, 1], slopes], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("make", [lambda: four_bar()[0], lambda: welded()[0], three_bars])
def test_parallel_bars_swing_as_published(make: Callable[[], fb.System]) -> None:
    """IFToMM A02: θ̈ = c g sin θ, with c = [(N+1)/2 + N]/[(N+1)/3 + N]; loops of two and of six equations, and one that
    only the lengths make redundant."""
    s = make()
    n = 2 if s.name == "three bars" else 1
    c = ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    for name, sign in (("up", 1), ("down", -1)):
        angle = 0.1 if name == "up" else 3.0
        guess = {q: -angle if q in ("coupler", "base") else angle for q in s.derive().q}
        guess["crank"] += 0.03
        rest = s.equilibrium(q=guess)
        assert rest.isolated and abs(math.sin(rest.q["crank"])) < 1e-9
        lin = s.linearize(at=rest)
        assert lin.states == ("q.crank", "u.crank")
        assert lin.A[1, 0] == pytest.approx(sign * c * G, rel=1e-9)
        swing = s.linearize({"q.crank": 0.4, **({} if name == "up" else {"u.crank": 1.3})})
        assert swing.A[1, 0] == pytest.approx(c * G * math.cos(0.4), rel=1e-9)
        assert swing.rate[1] == pytest.approx(c * G * math.sin(0.4), rel=1e-9)


def test_multipliers_of_redundant_equations_are_the_shortest() -> None:
    s = three_bars()
    rest = s.equilibrium(q={"crank": 0.1})
    e = s.derive("kane")
    f, q = e.compile("numpy"), np.array(list(rest.q.values()))
    G = f.constraint(q, np.zeros(4))["G"]
    assert len(G) == 4 and np.linalg.matrix_rank(G, 1e-9) == 3
    expected = np.linalg.lstsq(G.T, -f.bias(q, np.zeros(4)), rcond=1e-9)[0]
    assert np.allclose(list(rest.multipliers.values()), expected, atol=1e-9)
    assert list(rest.multipliers) == ["pin1.force.x", "pin1.force.z", "pin2.force.x", "pin2.force.z"]


@pytest.mark.parametrize("formulation", ["kane", "cheapest"])
def test_all_formulations_give_the_same_multipliers_and_states(formulation: str) -> None:
    s, _ = slider_crank()
    eq = s.derive(formulation)
    rest, other = eq.equilibrium(q={"crank": 1.4}), s.equilibrium(q={"crank": 1.4})
    assert rest.multipliers == pytest.approx(other.multipliers)
    assert np.allclose(eq.linearize(at=rest).A, s.linearize(at=other).A)


def test_independent_states_are_chosen_by_name() -> None:
    s, _ = slider_crank()
    by_crank = s.linearize({"q.crank": 0.7})
    by_slider = s.linearize({"q.crank": 0.7}, independent="slider")
    assert by_slider.states == ("q.slider", "u.slider") and by_slider.dependent[0] == "q.crank"
    ratio = by_crank.dependence[by_crank.dependent.index("q.slider"), 0]
    assert by_slider.dependence[0, 0] == pytest.approx(1 / ratio)
    at_rest = s.equilibrium(q={"crank": 1.4})
    one, other = s.linearize(at=at_rest), s.linearize(at=at_rest, independent=["q.slider", "u.slider"])
    assert np.allclose(np.sort_complex(one.eigenvalues), np.sort_complex(other.eigenvalues))
    with pytest.raises(ArgumentError, match=r"slider-crank': 'q.rod' cannot be an independent state here: it follows"):
        s.linearize({"q.crank": 0.7}, independent=("crank", "rod"))
    with pytest.raises(ArgumentError, match=r"'wheel' cannot be an independent state; choose from q.crank, q.rod"):
        s.linearize({"q.crank": 0.7}, independent="wheel")
    with pytest.raises(ArgumentError, match=r"'q.slider' cannot be an independent state here: the constraints"):
        s.linearize({"q.crank": 0.0}, independent="slider")


def test_all_states_are_there_without_reduction() -> None:
    s, _ = slider_crank()
    f, lin = s.derive().compile("numpy"), s.linearize({"q.crank": 0.7}, minimal=False)
    assert lin.states == ("q.crank", "q.rod", "q.slider", "u.crank", "u.rod", "u.slider")
    x = np.array([lin.at[n] for n in lin.states])
    slopes = [(f.state_dot(0.0, x + d) - f.state_dot(0.0, x - d)) / 2e-6 for d in 1e-6 * np.eye(6)]
    assert np.allclose(lin.A, np.array(slopes).T, atol=1e-6)


def test_points_off_the_constraints_are_assembled_or_refused() -> None:
    s, q = slider_crank()
    lin = s.linearize({"q.crank": 0.5, "u.crank": 2.0})
    assert np.allclose([lin.at[f"q.{n}"] for n in ("crank", "rod", "slider")], q)
    assert lin.at["u.slider"] == pytest.approx(lin.rate[0] * lin.dependence[1, 0])
    with pytest.raises(ArgumentError, match=r"slider-crank: constraint 'pin' .*off by .* with q.crank, q.slider held"):
        s.linearize({"q.crank": 0.5, "q.slider": 2.0})


def test_equilibria_that_do_not_exist_name_the_constraint() -> None:
    s, _ = slider_crank()
    with pytest.raises(ArgumentError, match=r"no equilibrium was found from here: .*constraint 'pin' \(force.x\)"):
        s.equilibrium(q={"slider": 2.0}, hold=["slider"])
    with pytest.raises(ArgumentError, match=r"rate of constraint 'pin' .* at these speeds .*do not allow these speeds"):
        s.equilibrium(u={"slider": 2.0})


def test_singular_positions_are_refused() -> None:
    s, _ = four_bar()
    with pytest.raises(
        SingularError, match=r"singular at this point: their 2 equations have rank 1 .*constraint 'pin'"
    ):
        s.linearize({"q.crank": math.pi / 2, "q.coupler": -math.pi / 2, "q.rocker": math.pi / 2})


def test_an_equilibrium_in_a_singular_position_has_no_stability() -> None:
    """The four-bar with its bars in line, without weight."""
    s, _ = four_bar()
    s.gravity = (0, 0, 0)
    flat = s.equilibrium(q={"crank": math.pi / 2, "coupler": -math.pi / 2, "rocker": math.pi / 2})
    assert flat.stability == "undecided" and not len(flat.eigenvalues) and not flat.isolated


def test_trim_by_an_input_holds_a_loop() -> None:
    s, _ = slider_crank()
    s.joint_force(s.bodies["crank"], s.input("motor"))
    rest = s.equilibrium(q={"crank": 0.5, "rod": -0.6, "slider": 1.2}, hold="crank", free="motor")
    f = s.derive().compile("numpy")
    q = np.array(list(rest.q.values()))
    assert np.allclose(f.forward_dynamics(q, np.zeros(3), inputs=[rest.inputs["motor"]]), 0, atol=1e-9)
    lin = s.linearize(at=rest, outputs=["q.slider", "multiplier.pin.force.x"])
    assert lin.controllability().complete and lin.observability().complete and np.allclose(lin.rate, 0, atol=1e-9)


def test_rolling_disc_is_stable_above_its_critical_speed() -> None:
    """r = g = m = 1, thin disc: lean' and yaw oscillate with λ² = (4 − 12 v²)/5, stable above v = 1/√3."""
    s, critical = disc(False), 1 / math.sqrt(3)
    for speed in (0.5 * critical, 0.99 * critical, 1.01 * critical, 2.0):
        lin = s.linearize({"u.x": speed})
        assert lin.at["u.spin"] == pytest.approx(speed) and len([n for n in lin.states if n[0] == "u"]) == 3
        assert len([n for n in lin.states if n[0] == "q"]) == 5
        squares = lin.eigenvalues**2
        expected = (4 - 12 * speed**2) / 5
        assert np.min(np.abs(squares - expected)) < 1e-9
        assert (lin.stability == "unstable") == (speed < critical)


def test_steady_motion_at_given_and_at_trimmed_speeds() -> None:
    """A conical pendulum of length 0.7 as a particle on a turning mast: cos θ = g/(0.7 ω²)."""
    s = fb.System("conical")
    mast = s.body("mast", joint=fb.Revolute("z"), inertia=(0.1, 0.1, 0.1))
    x = s.body("x", on=mast, joint=fb.Prismatic("x"))
    s.body("z", on=x, joint=fb.Prismatic("z"), mass=2)
    s.constrain("q.x**2 + q.z**2 - 0.49", name="rod")
    steady = s.equilibrium(q={"x": 0.5, "z": -0.4}, u={"mast": 5.0})
    assert steady.q["z"] == pytest.approx(-G / 25) and steady.u["mast"] == 5
    other = s.equilibrium(q={"x": 0.5}, u={"mast": 4.0}, hold="x", free="u.mast")
    assert other.q["x"] == 0.5 and other.q["z"] == pytest.approx(-math.sqrt(0.24))
    assert other.u["mast"] == pytest.approx(math.sqrt(G / math.sqrt(0.24)))


def test_analyses_without_constraints_refuse_them_by_name() -> None:
    s, _ = four_bar()
    s.joint_force(s.bodies["crank"], s.input("motor"))
    calls = {
        "input_output": lambda: s.input_output("q.crank"),
        "accessibility": s.accessibility,
        "observability": s.observability,
        "symmetries": s.symmetries,
        r"linearize\(symbolic=True\)": lambda: s.linearize(symbolic=True),
    }
    for name, call in calls.items():
        with pytest.raises(ModelError, match=f"{name}: the system has a constraint, 'pin', .* supported here; "):
            call()
    free = fb.System("free")
    free.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    with pytest.raises(ArgumentError, match="no independent states can be chosen: without constraints all are"):
        free.linearize(independent="arm")


def test_coordinates_of_closing_joints_that_are_states_follow_the_coordinates() -> None:
    """A nut on a spindle, closed by a screw: (J + m p²) θ̈ + d θ̇ + k θ = m g p. The angle of the screw is a state, but
    not an independent one."""
    s = fb.System("spindle")
    spindle = s.body("spindle", joint=fb.Revolute("z", stiffness=2.0, damping=0.1), mass=1, inertia=(1, 1, 0.5))
    s.body("nut", joint=fb.Prismatic("z"), mass=3)
    s.close("nut", spindle, fb.Screw("z", 0.1), name="thread")
    rest = s.equilibrium()
    angle, inertia = 3 * G * 0.1 / 2, 0.5 + 3 * 0.1**2
    assert np.allclose([rest.q["spindle"], rest.q["nut"], rest.z["thread"]], [angle, -0.1 * angle, angle], atol=1e-9)
    linear = s.linearize(at=rest, outputs={"angle": "q.thread"})
    assert linear.states == ("q.spindle", "u.spindle") and np.allclose(linear.C, [[1, 0]])
    assert np.allclose(linear.A, [[0, 1], [-2 / inertia, -0.1 / inertia]])
