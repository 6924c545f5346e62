"""Constraints other than closures: every row is the derivative of its residual and of its velocity, contacts have the
velocities of material points, and published and closed-form motions."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.errors import FieldError, FreebodyError, ModelError
from freebody.io import loads
from freebody.scalar.derivative import jvp
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values
from freebody.tree.assembly import initial_coordinates, move
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.independence import dependence
from freebody.tree.motion import Motion
from freebody.tree.tree import Tree, span
from tests.model.test_loop_closures import system

Array = np.ndarray
CLOSE = 1e-10
TIME = 0.3


def branches() -> fb.System:
    """The two branches of the tests of closures, and a body of prescribed motion."""
    s = system()
    s.parameter("l", 1.1)
    s.body("shaker", joint=fb.Revolute((1, 2, 2), motion="0.3*sin(2*t)"), at=(0.1, 0.2, 0.3), mass=1)
    return s


def moving(s: fb.System, name: str) -> fb.System:
    """A point that moves on its body with time and a coordinate."""
    return s.bodies[name].point((0.1, "0.2*t", "0.3*sin(q.b0)"))


SKEW = (0.3, -0.5, 0.7)
INERTIA = (0.1, 0.1, 0.1)


def wheels(s: fb.System, planet: Any = None, **carrier: Any) -> tuple[Any, Any]:
    """A sun of radius 0.2 and a planet of radius 0.3 on a carrier, on a body of one of the branches."""
    on, place = s.bodies["b2"], {"at": SKEW, "orient": (SKEW, 0.6)}
    n = sum(name.startswith("sun") for name in s.bodies)  # several trains may be in one system
    sun = s.body(f"sun{n}", on=on, joint=fb.Revolute("z"), mass=1, inertia=INERTIA, **place)
    arm = s.body(f"arm{n}", on=on, joint=fb.Revolute("-z", **carrier), mass=1, inertia=INERTIA, **place)
    joint = fb.Revolute("z") if planet is None else planet
    return sun, s.body(f"planet{n}", on=arm, at=(0.3, 0.4, 0), joint=joint, mass=1, inertia=INERTIA)


def rack(s: fb.System) -> Any:
    sun, _ = wheels(s)
    bar = s.body("bar", on="b2", at=SKEW, orient=(SKEW, 0.6), mass=1, inertia=INERTIA)
    slide = s.body("slide", on=bar, at=(0.2, 0, 0), joint=fb.Prismatic("y"), mass=1, inertia=INERTIA)
    return s.gear(slide, sun, radii=(None, 0.2), helix_angle=0.3)


def bevel(s: fb.System) -> Any:
    _, planet = wheels(s)
    joint, arm = fb.Revolute((0, 1, -1.5)), planet.spec.parent
    other = s.body("other", on=arm, at=(0.3, 0.2, 0.3), joint=joint, mass=1, inertia=INERTIA)
    return s.gear(planet.point((0, 0, 0.2)), other, radii=(0.2, "l/4"), helix_angle=0.3)


ELEMENTS: dict[str, Callable[[fb.System], Any]] = {
    "rod": lambda s: s.rod(s.bodies["a2"].point((0.1, 0.2, 0.3)), s.bodies["b2"].point(SKEW), "l"),
    "rod to the ground": lambda s: s.rod(s.ground.point(SKEW), "a2", 1.2),
    "rod of changing length": lambda s: s.rod("a1", s.bodies["b2"].point(SKEW), "l + 0.2*sin(3*t) - 0.1*q.b0"),
    "rod between moving points": lambda s: s.rod(moving(s, "a1"), moving(s, "b2"), 1.3),
    "rod to a prescribed body": lambda s: s.rod(s.bodies["shaker"].point(SKEW), "a2", "l"),
    "plane": lambda s: s.point_on_plane(s.bodies["a2"].point(SKEW), "b1", "y"),
    "skew plane": lambda s: s.point_on_plane(moving(s, "a2"), moving(s, "b1"), SKEW),
    "plane of a prescribed body": lambda s: s.point_on_plane("b2", s.bodies["shaker"].point((0, 0, "0.1*t**2"))),
    "line": lambda s: s.point_on_line(s.bodies["a2"].point(SKEW), "b1"),
    "skew line": lambda s: s.point_on_line(moving(s, "b2"), moving(s, "a1"), SKEW),
    "surface": lambda s: s.point_on_surface("a2", "x**2 + 2*y**2 + 3*z**2 - 2 + 0.1*x*y*z", "b0"),
    "moving surface": lambda s: s.point_on_surface(moving(s, "a2"), lambda x, y, z: z - y * fb.sin(x - s.t), "b2"),
    "surface that a joint turns": lambda s: s.point_on_surface("a2", "z - x*sin(q.b0)*t", "shaker"),
    "curve": lambda s: s.point_on_curve(s.bodies["a2"].point(SKEW), ("cos(s)", "sin(s)", 0), start=0.4),
    "helix on a body": lambda s: s.point_on_curve(
        s.bodies["a2"].point(SKEW), lambda c: (fb.cos(c), 0.3 * c, fb.sin(c)), "b2"),
    "moving curve": lambda s: s.point_on_curve("b2", ("s + 0.1*t", "l*sin(s - t)", "0.3*s**2*t"), "shaker"),
    "knife edge": lambda s: s.knife_edge(s.bodies["a2"].point(SKEW), "y"),
    "knife edge on a body": lambda s: s.knife_edge(s.bodies["a2"].point(SKEW), SKEW, "b2"),
    "knife edge on a prescribed body": lambda s: s.knife_edge("a2", "x", "shaker"),
    "sphere": lambda s: s.roll("a2", radius="l"),
    "sphere on a body": lambda s: s.roll(s.bodies["a2"].point(SKEW), "b1", 0.4, normal=SKEW),
    "disc": lambda s: s.roll("a2", radius="l/2", axis="y"),
    "disc on a body": lambda s: s.roll(s.bodies["a2"].point(SKEW), s.bodies["b1"].point(SKEW), 0.4, SKEW, 0, "x"),
    "disc on a prescribed body": lambda s: s.roll("b2", "shaker", 0.4, "x", normal=(1, 0, 1)),
    "wheel with a tyre": lambda s: s.roll("a2", "b1", "l", "z", "0.2*l", "x"),
    "gears": lambda s: s.gear(*wheels(s), radii=(0.2, 0.3)),
    "gears on a prescribed carrier": lambda s: s.gear(*wheels(s, motion="0.9*sin(3*t)"), radii=(0.2, 0.3)),
    "helical gears that slide": lambda s: s.gear(*wheels(s, fb.Cylindrical("-z")), radii=(0.2, 0.3), helix_angle=0.3),
    "ring gear": lambda s: s.gear(
        wheels(s)[1], s.body("ring", on="b2", at=SKEW, orient=(SKEW, 0.6), joint=fb.Revolute("z"), mass=1,
                             inertia=INERTIA), radii=(0.3, -0.8)),
    "rack": rack,
    "bevel gears": bevel,
    "belt": lambda s: s.belt(*wheels(s), (0.2, 0.1), pretension="l"),
    "crossed belt": lambda s: s.belt(*wheels(s), (0.2, 0.1), crossed=True),
    "vector of positions": lambda s: s.constrain(s.position("a2") - s.position(s.bodies["b2"].point(SKEW))),
    "vector of velocities": lambda s: s.constrain(s.velocity("a2") + s.bodies["b2"].x * s.t),
}  # fmt: skip


class Rows:
    """The rows of the constraints of a system, and their numbers at a state."""

    def __init__(self, s: fb.System) -> None:
        self.tree: Tree = span(s.freeze())
        g, layout = self.tree.graph, self.tree.layout
        self.rates = [g.symbol(f"rate.{n}", Kind.INPUT) for n in layout.u]
        self.equations = ConstraintEquations(Motion(self.tree, self.rates))
        self.known = {self.tree.t: TIME}
        self.known |= {h: v for n, v in s.values.items() if (h := g.named(n)) is not None}
        self.seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | {self.tree.t: g.one}
        self.seeds |= dict(zip(layout.u_handles, self.rates, strict=True))
        for state in self.tree.model.states.values():
            self.seeds[state.symbol.handle] = state.rate.handle
            self.known[state.symbol.handle] = state.initial

    def at(self, nodes: Any, q: Array, u: Array | None = None, u_dot: Array | None = None) -> Array:
        layout = self.tree.layout
        state = self.known | dict(zip(layout.q_handles, map(float, q), strict=True))
        for handles, numbers in ((layout.u_handles, u), (self.rates, u_dot)):
            state |= {} if numbers is None else dict(zip(handles, map(float, numbers), strict=True))
        return np.array(values(self.tree.graph, list(nodes), state), float)

    def jacobian(self, q: Array) -> Array:
        rows = self.equations.jacobian
        return self.at([x for row in rows for x in row], q).reshape(len(rows), -1)

    def follow(self, q: Array) -> None:
        """Extra states of constraints at these coordinates."""
        corrections = self.equations.state_corrections
        for _ in range(40):
            for handle, change in zip(corrections, self.at(corrections.values(), q), strict=True):
                self.known[handle] += change

    def assembled(self, rng: np.random.Generator) -> Array:
        """Coordinates that satisfy the residuals."""
        n, holonomic = len(self.rates), [k for k, h in enumerate(self.equations.residuals) if h is not None]
        q = move(self.tree, initial_coordinates(self.tree), rng.uniform(-0.7, 0.7, n))
        for _ in range(60):
            self.follow(q)
            phi = self.at([self.equations.residuals[k] for k in holonomic], q)
            if np.max(np.abs(phi), initial=0) < 1e-13:
                return q
            step = -np.linalg.pinv(self.jacobian(q)[holonomic]) @ phi
            q = move(self.tree, q, step * min(1, 0.5 / np.max(np.abs(step))))
        raise AssertionError(f"not assembled: {phi}")


@pytest.mark.parametrize("element", ELEMENTS.values(), ids=list(ELEMENTS))
def test_rows_are_derivatives(element: Callable[[fb.System], Any]) -> None:
    """G u + offset is the rate of φ where φ = 0; the acceleration is its rate where it is zero."""
    s, rng = branches(), np.random.default_rng(5)
    element(s)
    rows = Rows(s)
    e, q, n = rows.equations, rows.assembled(rng), len(rows.rates)
    G, offset = rows.jacobian(q), rows.at(e.velocities, q, np.zeros(n))
    assert np.linalg.matrix_rank(G) == len(e.rows)
    u, u_dot = rng.normal(size=n), rng.normal(size=n)
    assert np.allclose(rows.at(e.velocities, q, u), G @ u + offset, atol=CLOSE)
    for residual, velocity in zip(e.residuals, e.velocities, strict=True):
        if residual is not None:
            rate = jvp(rows.tree.graph, [residual], rows.seeds)
            assert np.allclose(rows.at(rate, q, u, u_dot), rows.at([velocity], q, u), atol=CLOSE)
    u -= np.linalg.pinv(G) @ (G @ u + offset)
    expected = rows.at(jvp(rows.tree.graph, e.velocities, rows.seeds), q, u, u_dot)
    assert np.max(np.abs(expected)) > 0.05
    assert np.allclose(rows.at(e.accelerations, q, u, u_dot), expected, atol=CLOSE)


@pytest.mark.parametrize("element", ELEMENTS.values(), ids=list(ELEMENTS))
def test_files_hold_every_constraint(element: Callable[[fb.System], Any]) -> None:
    s = branches()
    element(s)
    assert loads(s.to_yaml(), fb.System).digest() == s.digest()


@pytest.mark.paper("001", "30")
def test_every_formulation_solves_the_complete_linear_system() -> None:
    """A wheel on a turntable that a rod holds, with a bead on a bowl and a skate."""
    s = fb.System("several")
    table = s.body("table", joint=fb.Revolute("z"), mass=2, inertia=(1, 1, 2))
    wheel = s.body("wheel", joint=fb.Free(), mass=1, inertia=(0.25, 0.5, 0.25))
    arm = s.body("arm", on=wheel, at=(0, 0.3, 0), joint=fb.Revolute("y"), mass=1, com=(0.2, 0.1, 0), inertia=(0.1,) * 3)
    bead = s.body("bead", joint=fb.Free(), mass=0.5, inertia=(0.1, 0.1, 0.1))
    s.roll(wheel, table, 0.5, "y", 0.1, name="wheel.contact")
    s.rod(arm.point((0.4, 0, 0)), s.ground.point((2, 1, 1)), "1.5 + 0.1*t", name="stay")
    s.point_on_surface(bead, "z - 0.3*x**2 - 0.2*y**2", table, name="bowl")
    s.knife_edge(bead.point((0.1, 0, 0)), name="blade")
    rng, f = np.random.default_rng(2), s.derive("kane").compile()
    x = np.concatenate([[0.2], [0.3, 0.1, 0.5, 1, 0.1, 0, 0.2], [0.4], [0.3, -0.2, 0.1, 1, 0, 0.2, 0.1]])
    for four in (slice(4, 8), slice(12, 16)):
        x[four] /= np.linalg.norm(x[four])
    n = len(s.derive("kane").u)
    x = np.concatenate([x, rng.normal(size=n)])
    for _ in range(12):
        x = f.project(0.0, x)
        for four in (slice(4, 8), slice(12, 16)):
            x[four] /= np.linalg.norm(x[four])
    q, u, tau = x[:-n], x[-n:], rng.normal(size=n)
    at = f.constraint(q, u)
    assert np.max(np.abs(at["phi"])) < 1e-12
    G, M = at["G"], f.mass_matrix(q)
    whole = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
    expected = np.linalg.solve(whole, [*(f.bias(q, u) + tau), *at["gamma"]])
    for name in ("kane", "crba", "aba", "poincare", "sayers", "gauss", "cheapest"):
        g = s.derive(name).compile()
        assert np.allclose(g.forward_dynamics(q, u, tau), expected[:n], rtol=1e-10, atol=1e-9), name
        assert np.allclose(g.multipliers(q, u, tau), expected[n:], rtol=1e-10, atol=1e-9), name
    power = f.multipliers(q, u, tau) @ (G @ u)
    assert abs(power - f.multipliers(q, u, tau)[3] * -0.1) < 1e-10  # only the rod works: its tension times −l̇


# Rods


def particle(s: fb.System, x: float = 0, z: float = 0) -> Any:
    return s.body("particle", joint=fb.BuildingBlock(translations=("x", "z")), mass=1.3, at=(x, 0, z))


def test_a_rod_makes_a_particle_a_pendulum() -> None:
    """θ̈ = −(g/l) sin θ and the tension m (g cos θ + l θ̇²)."""
    s, l, angle, rate = fb.System(), 0.7, 0.6, 1.9
    s.rod(s.ground, particle(s), l, name="rod")
    f = s.derive("cheapest").compile()
    sin, cos = math.sin(angle), math.cos(angle)
    q, u = np.array([l * sin, -l * cos]), l * rate * np.array([cos, sin])
    acceleration = -9.81 / l * sin
    expected = l * acceleration * np.array([cos, sin]) - l * rate**2 * np.array([sin, -cos])
    assert np.allclose(f.forward_dynamics(q, u, [0, 0]), expected, rtol=1e-13)
    assert np.allclose(f.multipliers(q, u, [0, 0]), 1.3 * (9.81 * cos + l * rate**2), rtol=1e-13)


def test_a_pivot_of_prescribed_motion_drives_a_rod() -> None:
    """A rod to a body that moves as a function of time, and to the same moving point of the ground."""
    results = []
    for pivot in ("body", "point"):
        s = fb.System()
        on = s.ground.point(("0.2*sin(5*t)", 0, 0))
        if pivot == "body":
            on = s.body("slider", joint=fb.Prismatic("x", motion="0.2*sin(5*t)"), mass=1)
        s.rod(on, particle(s), 0.7)
        t, e = 0.4, s.derive("kane")
        x = 0.2 * math.sin(5 * t)
        angle, rate = 0.6, 1.9
        q = np.array([x + 0.7 * math.sin(angle), -0.7 * math.cos(angle)])
        v = math.cos(5 * t)
        u = np.array([v + 0.7 * rate * math.cos(angle), 0.7 * rate * math.sin(angle)])
        results.append(e.compile().state_dot(t, [*q, *u])[2:])
    a = -5 * math.sin(5 * t)
    turning = -(9.81 * math.sin(angle) + a * math.cos(angle)) / 0.7
    expected = 0.7 * turning * np.array([math.cos(angle), math.sin(angle)]) + [a, 0]
    expected -= 0.7 * rate**2 * np.array([math.sin(angle), -math.cos(angle)])
    assert np.allclose(results, [expected, expected], rtol=1e-12)


def test_a_winch_pays_out_its_rod() -> None:
    """A mass m on a cable of length l + r q, wound on a drum of inertia J: a = g/(1 + J/(m r²))."""
    s = fb.System()
    s.body("drum", joint=fb.Revolute("y"), at=(0, 1, 0), inertia=(1, 0.3, 1))
    load = s.body("load", joint=fb.Prismatic("z"), mass=2)
    s.rod(s.ground, load, "1.5 + 0.1*q.drum", name="cable")
    f, fall = s.derive("cheapest").compile(), 9.81 / (1 + 0.3 / (2 * 0.1**2))
    q, u = [2.0, -1.7], [0, 0]
    assert np.allclose(f.forward_dynamics(q, u, [0, 0]), [fall / 0.1, -fall], rtol=1e-12)
    assert np.allclose(f.multipliers(q, u, [0, 0]), 2 * (9.81 - fall), rtol=1e-12)


# Curves


@pytest.mark.parametrize("amplitude", [0.3, 1.2])
def test_a_bead_on_a_cycloid_swings_with_the_same_period_at_every_amplitude(amplitude: float) -> None:
    """x = a (s + sin s), z = −a cos s: the period is 4π √(a/g). The parameter follows the bead and can be read."""
    s, a = fb.System(), 0.25
    bead = particle(s)
    s.parameter("a", a)
    s.point_on_curve(bead, ("a*(s + sin(s))", 0, "-a*cos(s)"), start=0.1, name="track")
    s.output("parameter", "track.s")
    assert s.derive().derivation.constraints.names == ("track.normal.1",)  # nothing moves across the plane
    period = 4 * math.pi * math.sqrt(a / 9.81)
    x, z = a * (amplitude + math.sin(amplitude)), -a * math.cos(amplitude)
    run = s.simulate(np.linspace(0, period, 9), q={"particle.s1": x, "particle.s2": z}, rtol=1e-10, atol=1e-11)
    at = run["parameter"]
    assert np.allclose(at[[0, 4, 8]], [amplitude, -amplitude, amplitude], atol=1e-6)
    assert np.allclose(np.sin(at / 2), math.sin(amplitude / 2) * np.cos(2 * math.pi * run.t / period), atol=1e-7)
    assert np.max(np.abs(a * (at + np.sin(at)) - run["particle.s1"])) < 1e-10
    assert run.energy_error < 1e-8


def test_the_forces_of_a_curve_that_turns() -> None:
    """A bead on a straight wire that turns in the horizontal plane, r̈ = ω² r, as a curve that depends on time, as one
    of a body whose motion is prescribed, and as a line: the force across is 2 m ω ṙ."""
    omega, r, rate, t = 1.7, 0.6, 0.4, 0.3
    results = []
    for way in ("time", "body", "line"):
        s = fb.System(gravity=(0, 0, 0))
        bead = s.body("bead", joint=fb.BuildingBlock(translations=("x", "y")), mass=1.3)
        arm = s.body("arm", joint=fb.Revolute("z", motion=f"{omega}*t"), mass=1)
        if way == "time":
            s.point_on_curve(bead, (f"s*cos({omega}*t)", f"s*sin({omega}*t)", 0), name="wire")
        elif way == "body":
            s.point_on_curve(bead, ("s", 0, 0), arm, name="wire")
        else:
            s.point_on_line(bead, arm, "x", name="wire")
        e = s.derive("cheapest")
        cos, sin = math.cos(omega * t), math.sin(omega * t)
        along, across = np.array([cos, sin]), np.array([-sin, cos])
        u = rate * along + omega * r * across
        z = [r] if way != "line" else []
        results.append(e.compile().state_dot(t, [*(r * along), *u, *z])[2:4])
    expected = 2 * omega * rate * across
    assert np.allclose(results, [expected] * 3, rtol=1e-12)


# Rolling


def lowest(rotation: Array, centre: Array, axis: Array, radius: float, tyre: float, normal: Array) -> Array:
    """The lowest point of a wheel, by a search along its circle."""
    first = np.linalg.svd(axis[None])[2][1]
    second = np.cross(axis / np.linalg.norm(axis), first)

    def at(angle: float) -> Array:
        circle = first * np.cos(angle) + second * np.sin(angle)
        return centre + (radius - tyre) * rotation @ circle

    start = min(np.linspace(0, 2 * np.pi, 60), key=lambda x: at(x) @ normal)
    best = brentq(lambda x: (at(x + 1e-4) - at(x - 1e-4)) @ normal, start - 0.2, start + 0.2, xtol=1e-14)
    return at(best) - tyre * normal


@pytest.mark.parametrize("tyre", [0.0, 0.15])
def test_the_material_points_at_the_contact_have_the_same_velocity(tyre: float) -> None:
    """A wheel on a moving plane, its contact found by a search and its velocity by differences of poses."""
    radius, axis, normal, h = 0.4, np.array([0.3, 1.0, -0.2]), np.array([0.2, 0.1, 1.0]), 1e-5
    s = fb.System()
    plane = s.body("plane", joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    s.body("wheel", joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    s.roll(s.bodies["wheel"].point((0.1, 0.2, 0.3)), plane.point((0.3, 0, 0)), radius, tuple(axis), tyre, tuple(normal))
    rows, rng = Rows(s), np.random.default_rng(3)
    q, n = rows.assembled(rng), normal / np.linalg.norm(normal)
    G = rows.jacobian(q)
    u = rng.normal(size=12)
    u -= np.linalg.pinv(G) @ (G @ u)

    def poses(q: Array) -> list[tuple[Array, Array]]:
        return [(Rotation.from_quat(q[k : k + 7][[4, 5, 6, 3]]).as_matrix(), q[k : k + 3]) for k in (0, 7)]

    (R_a, p_a), (R_b, p_b) = poses(q)
    centre = p_b + R_b @ [0.1, 0.2, 0.3]
    contact = lowest(R_b, centre, axis, radius, tyre, R_a @ n)
    assert abs((contact - p_a - R_a @ [0.3, 0, 0]) @ (R_a @ n)) < 1e-10  # it touches the plane
    material = R_a.T @ (contact - p_a), R_b.T @ (contact - p_b)
    states = [move(rows.tree, q, u * e) for e in (-h, h)]
    (a0, b0), (a1, b1) = ([p + R @ r for (R, p), r in zip(poses(q), material, strict=True)] for q in states)
    assert np.max(np.abs((b1 - b0) - (a1 - a0))) / (2 * h) < 1e-6


def test_a_sphere_rolls_down_an_incline() -> None:
    """a = 5/7 g sin α, friction 2/7 m g sin α, normal force m g cos α."""
    s, angle = fb.System(), 0.4
    sin, cos = math.sin(angle), math.cos(angle)
    s.body("ball", joint=fb.Free(), mass=2, inertia=(2 * 0.4 * 0.3**2,) * 3)
    s.roll("ball", radius=0.3, normal=(sin, 0, cos), name="ball.contact")
    e = s.derive("cheapest")
    assert e.derivation.constraints.names == ("ball.contact.normal", "ball.contact.tangent.1", "ball.contact.tangent.y")
    f, q = e.compile(), [0.3 * sin, 0, 0.3 * cos, 1, 0, 0, 0]
    u_dot, forces = f.forward_dynamics(q, np.zeros(6), np.zeros(6)), f.multipliers(q, np.zeros(6), np.zeros(6))
    a = 5 / 7 * 9.81 * sin
    assert np.allclose(u_dot, [0, a / 0.3, 0, a * cos, 0, -a * sin], atol=1e-12)
    assert np.allclose([forces[0], np.hypot(*forces[1:])], [2 * 9.81 * cos, 2 * 2 / 7 * 9.81 * sin], rtol=1e-12)


def disc() -> fb.System:
    """A thin disc with m = g = r = 1: its position, then yaw, lean and spin."""
    s = fb.System(gravity=(0, 0, -1))
    block = fb.BuildingBlock(translations=("x", "y", "z"), rotations=(3,), axis="z", reference="x")
    frame = s.body("frame", joint=block)
    lean = s.body("lean", on=frame, joint=fb.Revolute("x"))
    wheel = s.body("disc", on=lean, joint=fb.Revolute("y"), mass=1, inertia=(0.25, 0.5, 0.25))
    s.roll(wheel, radius=1, axis="y", name="rolls")
    return s


@pytest.mark.parametrize("speed", [0.4, 0.7])
def test_an_upright_disc_is_stable_above_its_critical_speed(speed: float) -> None:
    """λ² = (1 − 3 Ω²)/(5/4) for lean, so that the critical speed is 1/√3; all other eigenvalues are zero."""
    f = disc().derive("cheapest").compile()
    x = np.array([0, 0, 1, 0, 0, 0, speed, 0, 0, 0, 0, speed])
    assert np.allclose(f.state_dot(0, x)[6:], 0, atol=1e-14)

    def on_manifold(x: Array) -> Array:
        at = f.constraint(x[:6], x[6:])
        return np.concatenate([at["phi"][:1], at["G"] @ x[6:]])

    def difference(function: Callable[[Array], Array]) -> Array:
        steps = 1e-5 * np.eye(12)
        return np.transpose([(function(x + d) - function(x - d)) / 2e-5 for d in steps])

    allowed = np.linalg.svd(difference(on_manifold))[2][4:].T
    reduced = allowed.T @ difference(lambda x: f.state_dot(0, x)) @ allowed
    eigenvalues = np.linalg.eigvals(reduced)
    lean = np.sqrt(complex((1 - 3 * speed**2) / 1.25))
    assert len(eigenvalues) == 8
    assert min(abs(eigenvalues - lean)) < 1e-7 and min(abs(eigenvalues + lean)) < 1e-7
    assert sorted(abs(eigenvalues))[5] < 1e-3  # defective zeros of positions, heading and speed


def test_a_disc_rolls_in_a_circle() -> None:
    """Steady turning with lean θ and turning rate ψ̇. In the axes e₁ forward, e₂ along the axle, e₃ = e₁ × e₂,
    ω = w e₂ + ψ̇ cos θ e₃ and v = w e₁. The rate of the angular momentum, ψ̇ z × (½ w e₂ + ¼ ψ̇ cos θ e₃), is the moment
    −e₃ × (ψ̇ w z × e₁ + z) of the contact force: w = (¼ ψ̇² cos θ − 1) sin θ/(3/2 ψ̇ cos θ)."""
    f, lean, turn = disc().derive("cheapest").compile(), 0.3, 1.4
    sin, cos = math.sin(lean), math.cos(lean)
    w = (0.25 * turn**2 * cos - 1) * sin / (1.5 * turn * cos)
    q, u = np.array([0, 0, cos, 0, lean, 0]), np.array([w, 0, 0, turn, 0, w - turn * sin])
    at = f.constraint(q, u)
    assert np.max(np.abs(at["phi"])) < 1e-14 and np.max(np.abs(at["G"] @ u)) < 1e-14
    assert np.allclose(f.forward_dynamics(q, u, np.zeros(6)), [0, turn * w, 0, 0, 0, 0], atol=1e-13)
    normal, longitudinal, lateral = f.multipliers(q, u, np.zeros(6))
    assert np.allclose([normal, longitudinal, lateral], [1, 0, turn * w], atol=1e-13)


def test_a_run_of_a_disc_stays_in_contact_and_keeps_its_energy() -> None:
    s = disc()
    run = s.simulate(5.0, q={"frame.s3": math.cos(0.3), "lean": 0.3}, u={"disc": 1.5, "frame.a1": 0.3})
    f, at = s.derive().compile(), run.x[::100]
    phi = [f.constraint(x[:6], x[6:]) for x in at]
    assert max(abs(c["phi"][0]) for c in phi) < 1e-13
    assert max(np.max(np.abs(c["G"] @ x[6:])) for c, x in zip(phi, at, strict=True)) < 1e-13
    assert run.energy_error < 1e-6 and np.ptp(run["lean"]) > 0.1


# Gears


def shafts(**options: Any) -> fb.System:
    s = fb.System(gravity=(0, 0, 0))
    for k, name in enumerate(("first", "second", "third", "fourth")):
        joint = options.get(name, fb.Revolute("x"))
        s.body(name, joint=joint, mass=1 + k, inertia=(1.0 + k, 1, 1) if k < 2 else (1.0 + k, 2, 2))
    return s


def test_a_gear_between_two_joints_is_a_coupling() -> None:
    s = shafts()
    assert s.gear("first", s.bodies["second"], ratio=3) is None
    f = s.derive().compile()
    assert s.constraints == {} and s.bodies["first"].spec.coupling.to == "second"
    assert np.isclose(f.forward_dynamics([0, 0, 0], [0, 0, 0], [1, 0, 0])[0], 1 / (2 + 9 * 1))


def test_a_gear_couples_the_joint_that_is_free_to_be_coupled() -> None:
    """The first shaft is driven, has an initial value, or is coupled already: then the second follows it."""
    for options in ({"first": fb.Revolute("x", motion="2*t")}, {"first": fb.Revolute("x", initial=0.2)}, {}):
        s = shafts(**options)
        if not options:
            s.gear("first", "third", 5)
        assert s.gear("first", "second", 4, offset=2) is None
        coupling = s.bodies["second"].spec.coupling
        assert (coupling.to, float(str(coupling.offset / coupling.ratio))) == ("first", -2) and coupling.ratio * 4 == 1


def test_a_gear_between_coupled_shafts_is_a_constraint() -> None:
    """Two pairs of coupled shafts, geared to each other: all four turn as one, with the inertia at the second shaft."""
    s = shafts()
    s.gear("first", "second", 2)
    s.gear("third", "fourth", -3)
    gear = s.gear("first", "third", 0.5)
    assert gear is not None and s.derive().derivation.constraints.names == ("gear.first",)
    other = shafts()
    other.gear("first", "second", 2, name="coupling")
    other.gear("third", "fourth", -3)
    other.gear("first", "third", 0.5, name="mesh")
    assert other.derive().derivation.constraints.names == ("mesh",)
    f = s.derive("cheapest").compile()
    u_dot = f.forward_dynamics([0, 0], [0, 0], [1, 0])
    turns = np.array([2, 1, 4, -4 / 3])  # of all shafts for one of the second
    assert np.allclose(u_dot, [1, -4 / 3] / (turns**2 @ [1, 2, 3, 4]), rtol=1e-12)


def test_a_gear_with_a_joint_that_closes_a_loop() -> None:
    """The angle of the pin of a four-bar with equal sides drives a wheel, whose inertia then counts with the angle."""
    s = fb.System(gravity=(0, 0, 0))
    crank = s.body("crank", joint=fb.Revolute("y"), inertia=(0, 1, 1))
    coupler = s.body("coupler", on=crank, at=(0, 0, 1), joint=fb.Revolute("y"), inertia=(0, 1, 1))
    rocker = s.body("rocker", at=(2, 0, 0), joint=fb.Revolute("y"), inertia=(0, 1, 1))
    s.body("wheel", joint=fb.Revolute("z"), inertia=(4, 4, 4))
    s.close(coupler.point((2, 0, 0)), rocker.point((0, 0, 1)), fb.Revolute("y"), name="pin")
    assert s.gear("wheel", "pin", 3) is not None
    f = s.derive("cheapest").compile()
    q, u = [0.3, -0.3, 0.3, 0.9], [0, 0, 0, 0]
    assert np.allclose(f.constraint(q, u)["phi"], 0, atol=1e-14)
    assert np.allclose(f.forward_dynamics(q, u, [1, 0, 0, 0]), np.array([1, -1, 1, 3]) / (1 + 1 + 4 * 9), rtol=1e-12)


def test_files_hold_coordinates_of_joints_that_close_loops() -> None:
    """A nut whose coordinate is an extra state, read by a load and an output."""
    s = fb.System()
    nut = s.body("nut body", joint=fb.Free("123"), mass=1, inertia=(1, 1, 1))
    s.close(s.ground, nut, joint=fb.Screw("z", 0.1), name="nut")
    s.force(nut.z * "sin(q.nut)", nut)
    s.output("turns", "q.nut/(2*pi)")
    read = loads(s.to_yaml(), fb.System)
    assert not read.extra_states and read.digest() == s.digest()


def test_a_rack_on_a_coordinate_of_a_cylindrical_joint() -> None:
    """A pinion of radius r drives the travel of a sleeve that can turn as well: a rack is a gear in m/rad."""
    s = fb.System(gravity=(0, 0, 0))
    s.parameter("r", 0.2)
    s.body("pinion", joint=fb.Revolute("x"), inertia=(0.5, 1, 1))
    s.body("sleeve", joint=fb.Cylindrical("z"), mass=3, inertia=(1, 1, 1))
    travel = s.bodies["sleeve"].spec.names[0][1]
    assert s.gear(travel, "pinion", "r") is not None
    f = s.derive("cheapest").compile()
    turning = 1 / (0.5 + 3 * 0.2**2)
    assert np.allclose(f.forward_dynamics([0, 0, 0], [0, 0, 0], [1, 0, 0]), [turning, 0, 0.2 * turning], rtol=1e-12)
    assert np.allclose(f.multipliers([0, 0, 0], [0, 0, 0], [1, 0, 0]), 3 * 0.2 * turning, rtol=1e-12)


def test_a_gearbox_is_shifted_in_a_run() -> None:
    """Shafts of inertia 1 and 2, a torque of 4 on the first: gears mesh at any angle, the impulse conserves the
    momentum of each ratio, and while a gear is engaged the shafts turn as one."""
    s = shafts()
    for name, ratio in (("low", 3), ("high", 0.5)):
        s.gear("first", "second", ratio, name=name, engaged=False)
    s.joint_force(s.bodies["first"], s.input("torque"))
    events = [fb.Event("t - 1", engage="low"), fb.Event("t - 2", release="low", engage="high")]
    run = s.simulate(3.0, q={"second": 0.7}, u={"first": 1.0}, inputs={"torque": 4.0}, events=events)
    first, second = run["u.first"], run["u.second"]
    low, high = run.engaged["low"] > 0, run.engaged["high"] > 0
    assert np.allclose(first[low], 3 * second[low]) and np.allclose(first[high], 0.5 * second[high])
    w = (1 + 4) * 3 / (2 + 9)  # after the first impulse: (2 + 3²) ω = 3 · 5
    assert np.allclose(run.events.after[0][-4:-2], [3 * w, w])
    w += 4 * 3 / (2 + 9)
    w = (0.5 * 3 * w + 2 * w) / (2 + 0.25)
    assert np.allclose(run.events.after[1][-4:-2], [0.5 * w, w]) and run.energy_error < 1e-8
    assert np.allclose(run["multiplier.high"][high], 2 * 4 * 0.5 / (2 + 0.25) / -0.5)


@pytest.mark.parametrize("make, text", [
    (lambda s: s.gear("first", "second", 0), "the ratio is 0"),
    (lambda s: s.gear("first", "first", 2), "it needs two coordinates"),
    (lambda s: (s.gear("first", "second", 2), s.gear("second", "first", 0.5)), "coupled already"),
    (lambda s: s.gear("first", "fifth", 2), "'fifth' is neither a body"),
    (lambda s: s.gear("first", s.ground, 2), "'ground' is neither a body"),
    (lambda s: s.gear("first", "second", "t"), "ratio may depend on numbers and parameters only"),
    (lambda s: (s.body("rod", joint=fb.Cylindrical()), s.gear("first", "rod", 2)), "name one of them: rod"),
    (lambda s: (s.body("tag"), s.gear("first", "tag", 2)), "has no coordinates; name another"),
    (lambda s: s.gear("first", "second", 2, offset=1, engaged=True), "so it has no offset; leave out the offset"),
    (lambda s: (s.body("ball", joint=fb.Spherical("123")), s.gear("first", "ball.a1", 2, engaged=True)),
     "the rate of 'ball.a1' is not a speed of its spherical joint"),
])  # fmt: skip
def test_wrong_gears_are_refused(make: Any, text: str) -> None:
    with pytest.raises(ModelError, match=text):
        make(shafts())


# Knife edge


def test_a_sleigh_on_a_knife_edge_follows_its_closed_form() -> None:
    """Chaplygin's sleigh, the mass centre at the distance a before the edge, J its inertia about the edge:
    v = c tanh κt, ω = √(m/J) c / cosh κt, κ = m a c/J."""
    m, inertia, a, c = 2.0, 0.3, 0.4, 1.5
    J = inertia + m * a**2
    s, kappa = fb.System(gravity=(0, 0, 0)), m * a * c / J
    sleigh = s.body("sleigh", joint=fb.Planar("z"), mass=m, com=(a, 0, 0), inertia=(inertia,) * 3)
    s.knife_edge(sleigh, "y", name="edge")
    e = s.derive("cheapest")
    assert e.derivation.constraints.residuals == [None]
    f, times = e.compile(), np.linspace(-1, 1, 5)
    v, w = c * np.tanh(kappa * times), np.sqrt(m / J) * c / np.cosh(kappa * times)
    run = solve_ivp(f.state_dot, (-1, 1), [0, 0, 0, v[0], 0, w[0]], t_eval=times, rtol=1e-11, atol=1e-12)
    angle, speed = run.y[2], np.cos(run.y[2]) * run.y[3] + np.sin(run.y[2]) * run.y[4]
    assert np.allclose(speed, v, atol=1e-8) and np.allclose(run.y[5], w, atol=1e-8)
    assert np.allclose(angle, np.sqrt(m / J) * c / kappa * (gd(kappa * times) - gd(-kappa)), atol=1e-8)
    force = [f.multipliers(x[:3], x[3:], np.zeros(3))[0] for x in run.y.T]
    assert np.allclose(force, m * v * w - m * a * m * a * v * w / J, atol=1e-7)  # m (v ω + a ω̇)


def gd(x: Any) -> Any:
    """The integral of 1/cosh from 0."""
    return 2 * np.arctan(np.tanh(x / 2))


# Bad input


def refused(make: Callable[[fb.System, Any], Any], text: str, error: type[FreebodyError] = FieldError) -> None:
    s = fb.System()
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0.1, 0, 0), inertia=(1, 1, 1))
    s.parameter("zero", 0)
    s.input("push")
    s.state("filter", "push - filter")
    with pytest.raises(error, match=text):
        make(s, arm)
    assert not s.constraints


BAD = {
    "rod in one body": (lambda s, b: s.rod(b, b.point((1, 0, 0)), 1), "both points belong to 'arm'"),
    "rod of length 0": (lambda s, b: s.rod(s.ground, b, 0), "the length is 0; it must be positive. For points"),
    "rod of parameter 0": (lambda s, b: s.rod(s.ground, b, "zero"), "the length is 0"),
    "rod driven by an input": (lambda s, b: s.rod(s.ground, b, "1 + push"), "not on push"),
    "rod driven by a state": (lambda s, b: s.rod(s.ground, b, "1 + filter"), "not on filter"),
    "rod driven by a speed": (lambda s, b: s.rod(s.ground, b, "1 + u.arm"), "not on u.arm"),
    "plane in its own body": (lambda s, b: s.point_on_plane(b, b), "both points belong to 'arm'"),
    "plane without a normal": (lambda s, b: s.point_on_plane(b, normal=(0, 0, 0)), "must not have length 0"),
    "line without a direction": (lambda s, b: s.point_on_line(b, direction=(0, 0, 0)), "must not have length 0"),
    "surface of nothing": (lambda s, b: s.point_on_surface(b, "t - 1"), "must depend on x, y or z"),
    "surface of one body": (lambda s, b: s.point_on_surface(b, "x", "arm"), "belong to 'arm'"),
    "surface of two arguments": (lambda s, b: s.point_on_surface(b, lambda x, y: x), "must take 3 arguments: x, y, z"),
    "curve of a point": (lambda s, b: s.point_on_curve(b, ("t", 0, 1)), "it does not depend on s"),
    "curve of a coordinate": (lambda s, b: s.point_on_curve(b, ("s", 0, "q.arm")), "not on q.arm"),
    "curve of two coordinates": (lambda s, b: s.point_on_curve(b, ("s", 0)), "a list of 3 is needed"),
    "curve of one body": (lambda s, b: s.point_on_curve(b, ("s", 0, 0), b), "belong to 'arm'"),
    "curve of a moving point": (lambda s, b: s.point_on_curve(b.point((s.t, 0, 0)), ("s", 0, 0)), "must be fixed"),
    "edge without a direction": (lambda s, b: s.knife_edge(b, (0, 0, 0)), "must not have length 0"),
    "edge on its own body": (lambda s, b: s.knife_edge(b, "y", b), "belongs to 'arm' itself"),
    "edge at a moving point": (lambda s, b: s.knife_edge(b.point((s.t, 0, 0))), "must be fixed"),
    "roll without a radius": (lambda s, b: s.roll(b), "radius of the wheel or sphere is missing", ModelError),
    "radius below zero": (lambda s, b: s.roll(b, radius=-1), "the radius is -1; it must be positive"),
    "roll on itself": (lambda s, b: s.roll(b, b.point((1, 0, 0)), 1), "cannot roll on itself"),
    "wheel without an axis": (lambda s, b: s.roll(b, radius=1, axis=(0, 0, 0)), "must not have length 0"),
    "tyre of a sphere": (lambda s, b: s.roll(b, radius=1, tyre=0.1), "a sphere has no tyre"),
    "tyre too large": (lambda s, b: s.roll(b, radius=1, axis="y", tyre=2), "at most as large as the wheel"),
    "roll on a moving point": (lambda s, b: s.roll(b, s.ground.point((0, 0, s.t)), 1), "must be fixed"),
    "accelerations": (lambda s, b: s.constrain("u_dot.arm"), "not on u_dot.arm"),
    "constant": (lambda s, b: s.constrain("2 - 1"), "always 1, not zero"),
    "squares of speeds": (lambda s, b: s.constrain("u.arm**2"), "not linear in the speeds"),
    "input": (lambda s, b: s.constrain("q.arm - push"), "not on push"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD.values(), ids=list(BAD))
def test_wrong_constraints_are_refused(case: Any) -> None:
    refused(*case)


def test_a_constraint_on_no_freedom_is_named() -> None:
    s = fb.System()
    s.body("driven", joint=fb.Revolute("y", motion="t"), mass=1)
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(1, 0, 0))
    s.constrain("q.driven - t", name="idle")
    s.rod("driven", s.ground.point((1, 0, 0)), 1, name="stay")
    model = s.freeze()
    assert [(key.constraint, why) for key, why in dependence(model).omitted[False].items()] == [
        ("idle", "no speed changes it"),
        ("stay", "no speed changes it"),
    ]
    assert s.derive().derivation.constraints.names == ()
