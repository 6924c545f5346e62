"""Flexible bodies through the public interface alone: closed forms, other descriptions of the same body, quantities,
and runs of every kind."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

import freebody as fb

Array = NDArray[np.float64]
NO_GRAVITY = (0.0, 0.0, 0.0)


# Closed forms


def test_spinning_shaft() -> None:
    """A pinned shaft that rotates about its own axis at Ω: in its frame the frequencies are |ω_n ± Ω|."""
    length, stiffness, density, spin = 1.0, 2.0, 0.5, 30.0
    s = fb.System("shaft", gravity=NO_GRAVITY)
    beam = fb.Beam(length=length, EI=(stiffness, stiffness), density=density, ends="pinned", frame="floating")
    s.body("shaft", joint=fb.Revolute("x", motion=f"{spin}*t"), flexible=beam, modes={"bending y": 3, "bending z": 3})
    eigenvalues = np.linalg.eigvals(s.linearize().A)
    still = (np.arange(1, 4) * np.pi / length) ** 2 * np.sqrt(stiffness / density)
    expected = np.sort(np.concatenate([np.abs(still - spin), still + spin]))
    assert np.allclose(np.sort(eigenvalues.imag[eigenvalues.imag > 0]), expected, rtol=1e-9)
    assert np.max(np.abs(eigenvalues.real)) < 1e-9 * expected[-1]


def test_sideways_buckling_of_a_cantilever() -> None:
    """A force P across the tip of a deep cantilever: at P = 4.0126 √(EI·GJ)/L² a frequency of the linearised motion
    crosses zero. The terms twist × bending of the second-order displacements cause it."""
    length, EI, GJ = 2.0, 5.0, 3.0
    s = fb.System("cantilever", gravity=NO_GRAVITY)
    s.parameter("P", 1.0, "N")
    deep = fb.Beam(length=length, EI=(1e6 * EI, EI), GJ=GJ, density=1.0, polar_inertia=0.1)
    beam = s.body("beam", flexible=deep, modes={"bending y": 2, "bending z": 6, "torsion": 6})
    s.force(s.ground.vector((0, "-P", 0)), at=beam.node("tip").origin)
    equations = s.derive()

    def lowest_square(P: float) -> float:
        values = {"P": P}
        linear = equations.linearize(at=equations.equilibrium(parameters=values), parameters=values)
        n = len(linear.A) // 2
        return float(np.min(np.linalg.eigvals(-linear.A[n:, :n]).real))

    load = brentq(lowest_square, 3.0, 4.5, xtol=1e-7)
    assert load == pytest.approx(4.0126 * np.sqrt(EI * GJ) / length**2, rel=5e-4)


def test_extension_of_a_spinning_bar() -> None:
    """tan(kL)/k − L with k = ω √(ρ/EA), here 64 % of the length; the error falls with the cube of the number of
    modes, as that of a series of axial modes does."""
    length, EA, density, spin = 2.0, 50.0, 1.5, 3.0
    k = spin * np.sqrt(density / EA)
    errors = []
    for modes in (5, 10, 20):
        s = fb.System("bar", gravity=NO_GRAVITY)
        bar = s.body(
            "bar",
            joint=fb.Revolute("z", motion=f"{spin}*t"),
            modes={"axial": modes},
            flexible=fb.Beam(length=length, EA=EA, density=density),
        )
        tip = bar.node("tip")
        equations = s.derive()
        pose = equations.compile("numpy").pose([*equations.equilibrium().q.values()], tip)
        errors.append(abs(np.linalg.norm(pose.p) - np.tan(k * length) / k))
    assert errors[2] < 3e-6 * length
    assert 7.5 < errors[0] / errors[1] < 8.5 and 7.5 < errors[1] / errors[2] < 8.5


# Spin-up of Kane, Ryan and Banerjee (1987)


BOOM: dict[str, Any] = {"length": 10.0, "EA": 2.8e7, "EI": (1.4e4, None), "density": 1.2}
SPIN_UP = "where(t < 15, 6/15*(t**2/2 + (15/(2*pi))**2*(cos(2*pi*t/15) - 1)), 6*t - 45)"


def spin_up(flexible: Any, order: str = "full") -> fb.Trajectory:
    s = fb.System("spin-up", gravity=NO_GRAVITY)
    boom = s.body("boom", joint=fb.Revolute("z", motion=SPIN_UP), flexible=flexible, modes=3, order=order)
    s.output("deflection", s.position(boom.node("tip").origin, boom.origin).dot(boom.y))
    return s.simulate(20.0, rtol=1e-9, atol=1e-11)


def nodes_of_boom(stiffening: bool) -> fb.FlexibleNodes:
    """The boom as 200 point masses with shapes of a cantilever, with and without second-order displacements."""
    k = 200
    x = BOOM["length"] * (np.arange(k) + 0.5) / k
    names = {f"x{j}": float(value) for j, value in enumerate(x)}
    data = fb.Beam(**BOOM, nodes=names).modal_data({"bending y": 3})
    at = [data.nodes[name] for name in [*names, "tip"]]
    return fb.FlexibleNodes(
        positions=[node.position for node in at],
        masses=[BOOM["density"] * BOOM["length"] / k] * k + [0.0],
        shapes=[node.translations for node in at],
        slopes=[node.slopes for node in at],
        modal_stiffness=data.K,
        second=[node.second for node in at] if stiffening else None,
        names=[*names, "tip"],
    )


@pytest.mark.paper("004", "22")
def test_spin_up_needs_the_second_order_displacements() -> None:
    """With them the tip stays near −0.57 m at its lowest and returns to about zero. Without them the run diverges while
    its power balances as well; ruthless order neither diverges nor is right."""
    beam, nodes = spin_up(fb.Beam(**BOOM)), spin_up(nodes_of_boom(stiffening=True))
    assert np.min(beam["deflection"]) == pytest.approx(-0.5744, abs=5e-4)
    assert np.max(np.abs(beam["deflection"][beam.t > 16])) < 0.01
    assert np.min(nodes["deflection"]) == pytest.approx(np.min(beam["deflection"]), rel=1e-4)
    without = spin_up(nodes_of_boom(stiffening=False))
    assert np.max(np.abs(without["deflection"])) > 10 * BOOM["length"]
    for run in (beam, nodes, without):
        assert run.energy_error < 1e-7 * np.max(run["energy.kinetic"])
    ruthless = spin_up(fb.Beam(**BOOM), "ruthless")
    assert abs(np.min(ruthless["deflection"]) - np.min(beam["deflection"])) > 0.05


# Where the equations end


def largest_deflection(modes: int, armature: float = 0.0, **where: Any) -> float:
    """The deflection over the length at which the mass matrix of a hinged beam stops being positive, for the shape that
    a force at the tip causes."""
    s = fb.System("hinged", gravity=NO_GRAVITY)
    beam = fb.Beam(length=1.0, EI=(1.0, None), density=1.0, **where)
    s.body("beam", joint=fb.Revolute("z", armature=armature), flexible=beam, modes=modes)
    data = beam.modal_data(modes)
    tip = data.nodes["root" if where.get("frame") == "tip" else "tip"].translations[1]
    shape = np.linalg.solve(data.K, tip)
    shape /= tip @ shape
    f = s.derive().compile("numpy")

    def smallest(x: float) -> float:
        return float(np.linalg.eigvalsh(f.mass_matrix([0.0, *(x * shape)]))[0])

    return float(brentq(smallest, 0.0, 1.0)) if smallest(1.0) < 0 else 1.0


def test_the_mass_matrix_of_a_hinged_beam_is_positive_at_any_deflection() -> None:
    """Up to a deflection by its length with cantilever modes, whatever their number; where the usual terms are taken,
    because they suffice for slopes of 0.3 rad, at least to 20 %."""
    assert [largest_deflection(n) for n in (2, 4, 10)] == [1.0] * 3
    for where in ({"frame": "tip"}, {"ends": "pinned"}, {"ends": "free"}, {"armature": 0.02}, {"armature": 0.1}):
        assert min(largest_deflection(n, **where) for n in (2, 4, 10)) > 0.2, where


# Other descriptions of the same body


ROD: dict[str, Any] = {"length": 2.0, "EI": (800.0, None), "density": 1.5}
PAYLOAD: dict[str, Any] = {"mass": 1.0, "inertia": (0.02, 0.02, 0.02)}
TIMES = np.linspace(0, 0.5, 21)


def swing(ends: str, modes: int, payload_on_node: bool) -> Array:
    """The tip of a rod that falls as a pendulum with a payload; it bends by 9 mm."""
    s = fb.System("rod", gravity=(0, -9.81, 0))
    beam = fb.Beam(**ROD, ends=ends, masses={} if payload_on_node else {"tip": PAYLOAD})
    rod = s.body("rod", joint=fb.Revolute("z"), inertia=(0.05, 0.05, 0.05), flexible=beam, modes=modes)
    if payload_on_node:
        s.body("payload", on=rod.node("tip"), **PAYLOAD)
    s.output("tip", s.position(rod.node("tip").origin))
    run = s.simulate(TIMES, q={"rod": -0.3})
    assert run.energy_error < 1e-10
    return run["tip"]


def swing_of_segments(count: int) -> Array:
    """The same rod as rigid segments, with a spring in the middle of each of as many elements."""
    s, h, segment, length = fb.System("segments", gravity=(0, -9.81, 0)), ROD["length"] / count, None, 0.0
    for k in range(count + 1):
        hinge, at = fb.Revolute("z", stiffness=ROD["EI"][0] / h if k else 0), (length, 0, 0)
        length = h if 0 < k < count else h / 2
        mass = ROD["density"] * length
        segment = s.body(
            f"segment {k}",
            on=segment,
            at=at,
            joint=hinge,
            mass=mass,
            com=(length / 2, 0, 0),
            inertia=(mass * length**2 / 12,) * 3,
        )
        if k == 0:
            s.body("hub", on=segment, inertia=(0.05, 0.05, 0.05))
    s.body("payload", on=segment, at=(length, 0, 0), **PAYLOAD)
    s.output("tip", s.position(s.bodies["payload"]))
    return s.simulate(TIMES, q={"segment 0": -0.3})["tip"]


def test_descriptions_of_one_rod_converge_to_the_same_motion() -> None:
    """Clamped, pinned and free modes with the frame at the root, the payload in the beam or a body on the node; and
    rigid segments with springs, whose error falls with the square of their length."""
    reference = swing("cantilever", 6, payload_on_node=False)
    for ends in ("cantilever", "pinned", "free"):
        for payload_on_node in (False, True):
            few, many = (np.max(np.abs(swing(ends, n, payload_on_node) - reference)) for n in (2, 6))
            assert many < min(few, 7e-5), (ends, payload_on_node)
    errors = [swing_of_segments(count) - reference for count in (4, 8)]
    assert np.max(np.abs(errors[0])) > 3 * np.max(np.abs(errors[1]))
    assert np.max(np.abs(4 * errors[1] - errors[0])) / 3 < 1e-5


# Quantities of a system with rigid and flexible bodies


def mixed(order: str = "full") -> fb.System:
    """A free hub with a mass that is a parameter, a flexible boom on a hinge, a body on a hinge at its tip; loads at a
    node, damping of modes and joints."""
    s = fb.System("mixed", gravity=(0.3, -0.2, -1.0))
    m, k = s.parameters(m=2.0, k=40.0)
    w = s.input("w", "N")
    hub = s.body("hub", joint=fb.Free(), mass=m, com=(0.1, 0, 0.05), inertia=(0.4 * m, 0.5 * m, 0.3 * m))
    beam = fb.Beam(
        length=1.5,
        EI=(300.0, 200.0),
        GJ=80.0,
        EA=2e4,
        density=0.8,
        polar_inertia=0.01,
        axial=1,
        torsion=1,
        nodes={"mid": 0.7},
        damping=0.02,
    )
    boom = s.body(
        "boom",
        on=hub,
        at=(0.2, 0.1, 0),
        orient=("y", 0.4),
        joint=fb.Revolute("z", stiffness=k, damping=0.3),
        mass=0.3,
        com=(0.1, 0.02, 0),
        inertia=(0.02, 0.03, 0.04),
        flexible=beam,
        modes=3,
        order=order,
    )
    tip = s.body(
        "tip",
        on=boom.node("tip"),
        at=(0.05, 0, 0.02),
        joint=fb.Revolute((0, 1, 1), damping=0.05),
        mass=0.1 * m,
        com=(0.1, 0, 0.2),
        inertia=(0.02 * m, 0.03 * m, 0.015 * m),
    )
    s.force(s.ground.vector((w, "0.5*sin(t)", 0.2)), at=boom.node("mid").point((0, 0.1, 0)), name="push")
    s.torque(boom.node("mid").vector((0.1, 0, w)), on=boom.node("mid"), name="twist")
    s.spring(tip.point((0.1, 0, 0)), s.ground.point((1, 1, 1)), stiffness=k, free_length=0.5, damping=0.2)
    s.output("seen", s.position(boom.node("tip").point((0, 0, 0.1))))
    return s


@pytest.fixture(scope="module")
def compiled() -> Any:
    return mixed().derive().compile("numpy")


def state(equations: fb.Equations, seed: int = 1) -> tuple[Array, Array, Array]:
    """q, u and accelerations, with unit quaternions."""
    rng = np.random.default_rng(seed)
    q = 0.1 * rng.normal(size=len(equations.q))
    k = equations.q.index("hub.qw")
    q[k : k + 4] = rng.normal(size=4)
    q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, rng.normal(size=len(equations.u)), rng.normal(size=len(equations.u))


def along(f: Any, q: Array, u: Array, h: float) -> Array:
    """Coordinates after a short time at constant speeds (Runge–Kutta)."""
    a = f.q_dot(q, u)
    b = f.q_dot(q + h / 2 * a, u)
    c = f.q_dot(q + h / 2 * b, u)
    return np.asarray(q + h / 6 * (a + 2 * b + 2 * c + f.q_dot(q + h * c, u)))


def rate(f: Any, function: Any, q: Array, u: Array, u_dot: Array, h: float = 1e-4) -> Array:
    """The rate of a function of q and u in a motion with these accelerations, of fourth order in h."""

    def value(k: int) -> Array:
        return np.asarray(function(along(f, q, u + k * h * u_dot / 2, k * h), u + k * h * u_dot))

    return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * h)


def test_mass_matrix_and_its_inverse(compiled: Any) -> None:
    q, u, b = state(compiled.equations)
    M, inverse = compiled.mass_matrix(q), compiled.mass_inverse(q)
    assert np.allclose(M @ compiled.mass_solve(q, b), b, atol=1e-11)
    assert np.allclose(M @ inverse, np.eye(len(u)), atol=1e-11)
    assert np.allclose(u @ M @ u / 2, compiled.energies(q, u)["kinetic"], rtol=1e-12)
    tau = compiled.inverse_dynamics(q, u, b, t=0.3, inputs=[0.7])
    assert np.allclose(compiled.forward_dynamics(q, u, tau, t=0.3, inputs=[0.7]), b, atol=1e-10)


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_derivatives_are_those_of_differences(order: str) -> None:
    f = mixed(order).derive().compile("numpy")
    q, u, u_dot = state(f.equations)
    tau, h = np.linspace(-1, 1, len(u)), 1e-5
    for name, third in (("forward", tau), ("inverse", u_dot)):
        function = getattr(f, f"{name}_dynamics")
        found = getattr(f, f"{name}_derivatives")(q, u, third, t=0.3, inputs=[0.7])
        last = "tau" if name == "forward" else "u_dot"
        for k in range(len(u)):
            e = np.eye(len(u))[k]
            ends = {
                "q": [(along(f, q, e, x), u, third) for x in (h, -h)],
                "u": [(q, u + x * e, third) for x in (h, -h)],
                last: [(q, u, third + x * e) for x in (h, -h)],
            }
            for key, (one, other) in ends.items():
                expected = (function(*one, t=0.3, inputs=[0.7]) - function(*other, t=0.3, inputs=[0.7])) / (2 * h)
                scale = np.max(np.abs(found[key])) + 1
                assert np.max(np.abs(found[key][:, k] - expected)) < 2e-7 * scale, (name, key, f.equations.u[k])


def test_centre_of_mass_and_momenta(compiled: Any) -> None:
    f = compiled
    q, u, u_dot = state(f.equations)
    mass = 2.0 + 0.3 + 1.5 * 0.8 + 0.2
    velocity = rate(f, lambda x, _: f.centre_of_mass(x), q, u, u_dot)
    assert np.allclose(velocity, f.centre_velocity(q, u), atol=1e-9)
    assert np.allclose(mass * velocity, f.momenta(q, u)["linear"], atol=1e-9)
    angular = f.momenta(q, u)["angular"] - np.cross(f.centre_of_mass(q), mass * velocity)
    assert np.allclose(f.centroidal_momentum(q, u), [*angular, *(mass * velocity)], atol=1e-11)


@pytest.mark.parametrize("place", ["hub", "boom", "boom.tip", "tip"])
def test_jacobians_and_accelerations(compiled: Any, place: str) -> None:
    """J u is the velocity of a body or node, and the rate of its position; J u̇ + J̇ u its acceleration, the rate of
    the velocity."""
    f, at = compiled, (0.1, -0.2, 0.3)
    q, u, u_dot = state(f.equations)

    def velocity(q: Array, u: Array) -> Array:
        return np.asarray(f.jacobian(q, place, at) @ u)

    position = rate(f, lambda x, _: (pose := f.pose(x, place)).p + pose.R @ at, q, u, u_dot)
    assert np.allclose(position, velocity(q, u)[3:], atol=1e-8)
    expected = rate(f, velocity, q, u, u_dot)
    acceleration = f.jacobian(q, place, at) @ u_dot + f.jacobian_rate(q, u, place, at) @ u
    assert np.allclose(acceleration, expected, atol=1e-7)
    J = f.jacobian(q, place, at)
    assert np.allclose(f.operational_inertia(q, [(place, at)]), J @ f.mass_inverse(q) @ J.T, atol=1e-11)


def carried(bodies: int) -> fb.System:
    """The first bodies of an arm, a flexible boom, and a body on the boom's tip, without springs and loads."""
    s = fb.System("carried", gravity=(0.3, -0.2, -9.81))
    arm = s.body("arm", joint=fb.Spherical(), mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.15))
    if bodies > 1:
        beam = fb.Beam(length=1.5, EI=(300.0, 200.0), GJ=80.0, density=0.8, polar_inertia=0.01, torsion=1)
        boom = s.body(
            "boom",
            on=arm,
            at=(0.2, 0.1, 0),
            orient=("y", 0.4),
            joint=fb.Revolute("z"),
            flexible=beam,
            modes=3,
            mass=0.3,
            com=(0.1, 0.02, 0),
            inertia=(0.02, 0.03, 0.04),
        )
    if bodies > 2:
        s.body(
            "tip",
            on=boom.node("tip"),
            at=(0.05, 0, 0.02),
            joint=fb.Revolute((0, 1, 1)),
            mass=0.4,
            com=(0.1, 0, 0.2),
            inertia=(0.02, 0.03, 0.015),
        )
    return s


def test_reactions_are_those_of_newton_and_euler() -> None:
    """At the joint of the flexible body and at a body on its node: forces and torques on what the joint carries are the
    rates of its momenta, by differences. What a joint carries has the momentum of the system less that of the system
    without it."""
    whole, *rest = (carried(n).derive().compile("numpy") for n in (3, 1, 2))
    e = whole.equations
    rng = np.random.default_rng(1)
    q, u, u_dot = 0.1 * rng.normal(size=len(e.q)), rng.normal(size=len(e.u)), rng.normal(size=len(e.u))
    q[:4] = np.array([0.5, 0.1, -0.7, 0.5]) / np.linalg.norm([0.5, 0.1, -0.7, 0.5])
    reactions = whole.reactions(q, u, u_dot)
    gravity = np.array([0.3, -0.2, -9.81])
    masses = {"boom": 0.3 + 1.5 * 0.8 + 0.4, "tip": 0.4}
    for (name, mass), without in zip(masses.items(), rest, strict=True):

        def momenta(q: Array, u: Array, without: Any = without) -> Array:
            sizes = len(without.equations.q), len(without.equations.u)
            pairs = whole.momenta(q, u), without.momenta(q[: sizes[0]], u[: sizes[1]])
            linear, angular = (pairs[0][key] - pairs[1][key] for key in ("linear", "angular"))
            return np.concatenate([linear, angular])

        total, fewer = 1.0 + 0.3 + 1.5 * 0.8 + 0.4, q[: len(without.equations.q)]
        centre = (total * whole.centre_of_mass(q) - (total - mass) * without.centre_of_mass(fewer)) / mass
        change = rate(whole, momenta, q, u, u_dot)
        pose = whole.pose(q, name)
        force = change[:3] - mass * gravity
        torque = change[3:] - np.cross(centre, mass * gravity) - np.cross(pose.p, force)
        assert np.allclose(pose.R @ reactions[f"{name}.force"], force, atol=1e-7), name
        assert np.allclose(pose.R @ reactions[f"{name}.torque"], torque, atol=1e-7), name


def test_equilibrium_and_linearisation() -> None:
    """A boom that hangs in gravity: no acceleration at the equilibrium, and A, B of the exact derivatives there."""
    s = carried(3)
    s.force(s.ground.vector((1.0, 0.5, 0)), at=s.bodies["boom"].node("tip").origin)
    equations = s.derive()
    at = equations.equilibrium(q={"arm.qw": 0.6, "arm.qy": 0.8})
    f = equations.compile("numpy")
    q, u = np.array([*at.q.values()]), np.zeros(len(equations.u))
    assert np.max(np.abs(f.inverse_dynamics(q, u, u))) < 1e-8 and np.max(np.abs(q[5:8])) > 1e-4
    linear = equations.linearize(at=at, inputs=["tau.boom", "tau.boom.m2"])
    exact, n = f.forward_derivatives(q, u), len(u)
    assert np.allclose(linear.A[n:, :n], exact["q"], atol=1e-8 * np.max(np.abs(exact["q"])))
    assert np.allclose(linear.A[n:, n:], exact["u"], atol=1e-8)
    columns = [equations.u.index(name) for name in ("boom", "boom.m2")]
    assert np.allclose(linear.B[n:], f.mass_inverse(q)[:, columns], atol=1e-10)


# Runs


def crane() -> fb.System:
    """A damped boom that is turned by a drive, with a pendulum on its tip."""
    s = fb.System("crane", gravity=(0, 0, -9.81))
    m = s.parameter("m", 0.5, "kg")
    torque = s.input("torque", "N·m")
    beam = fb.Beam(length=2.0, EI=(900.0, 700.0), density=1.5, nodes={"mid": 1.0}, damping=0.01)
    boom = s.body("boom", joint=fb.Revolute("z"), inertia=(0.2, 0.2, 0.2), flexible=beam, modes=4)
    load = s.body("load", on=boom.node("tip"), joint=fb.Universal(), mass=m, com=(0, 0, -0.7), inertia=(0.01,) * 3)
    s.joint_force(boom, torque, name="motor")
    s.force(s.ground.vector((0, 0, "3*sin(5*t)")), at=boom.node("mid").origin, name="wind")
    s.output("deflection", s.position(boom.node("tip").origin, boom.origin).dot(boom.y))
    s.output("height", s.position(load.point((0, 0, -0.7))).dot(s.ground.z))
    return s


DRIVE: dict[str, Any] = {"inputs": {"torque": "4*cos(2*t)"}, "q": {"boom.m1": 0.02}, "rtol": 1e-9, "atol": 1e-11}


def test_energy_is_what_loads_drives_and_dampers_supply() -> None:
    run = crane().simulate(1.5, **DRIVE)
    assert run.energy_error < 1e-9 * np.max(np.abs(run["energy.total"]))
    supplied = [run[f"work.{name}"][-1] for name in ("load.motor", "load.wind", "damping.boom")]
    assert np.sum(supplied) == pytest.approx(run["energy.total"][-1] - run["energy.total"][0], rel=1e-7)
    assert supplied[2] < -1e-3 and abs(supplied[0]) > 0.1 and abs(supplied[1]) > 1e-3


@pytest.mark.parametrize("method", ["radau", "bdf", "cvode", "lsoda"])
def test_implicit_methods(method: str) -> None:
    equations = crane().derive()
    explicit = equations.simulate([0, 0.5], **DRIVE)
    run = equations.simulate([0, 0.5], method=method, **{**DRIVE, "rtol": 1e-7, "atol": 1e-9})
    assert run.statistics.jacobians > 0
    for name in ("boom", "boom.m1", "load.a1"):
        assert run[f"q.{name}"][-1] == pytest.approx(explicit[f"q.{name}"][-1], abs=2e-5), name


def test_sweeps_are_single_runs() -> None:
    equations = crane().derive()
    masses, bent = [0.3, 0.5, 0.8], [0.0, 0.02]
    found = equations.sweep(
        [0, 0.4],
        over={"m": masses, "q.boom.m1": bent},
        inputs=DRIVE["inputs"],
        rtol=1e-9,
        atol=1e-11,
        record=["q.boom.m1", "output.deflection"],
    )
    for m in masses:
        for first in bent:
            run = equations.simulate(
                [0, 0.4], parameters={"m": m}, inputs=DRIVE["inputs"], q={"boom.m1": first}, rtol=1e-9, atol=1e-11
            )
            case = found.sel({"m": m, "q.boom.m1.initial": first})
            assert case["output.deflection"][-1] == pytest.approx(run["deflection"][-1], abs=1e-7)


def test_events_and_saved_runs(tmp_path: Path) -> None:
    """A run that ends where the tip passes its undeformed place; what is saved and loaded is equal."""
    run = crane().simulate(1.0, events=[fb.Event("deflection", terminal=True)], **DRIVE)
    assert 0 < run.t[-1] < 1 and abs(run["deflection"][-1]) < 1e-9
    again = fb.Trajectory.load(run.save(tmp_path / "run.nc"))
    for name in ("q.boom.m1", "u.boom.m4", "deflection", "energy.total", "pose.boom.tip"):
        assert np.array_equal(again[name], run[name]), name


def test_flexible_pendulum_conserves_energy() -> None:
    """From rest at the horizontal, through the lowest point at 4.6 rad/s and up again."""
    s = fb.System("pendulum", gravity=(0, 0, -9.81))
    beam = fb.Beam(length=1.0, EI=(60.0, 80.0), GJ=30.0, EA=1e5, density=0.5, polar_inertia=1e-3, torsion=1)
    arm = s.body("arm", joint=fb.Revolute("y"), inertia=(0.02, 0.02, 0.02), flexible=beam, modes=4)
    s.body("bob", on=arm.node("tip"), joint=fb.Spherical(), mass=0.2, com=(0.02, 0.05, 0), inertia=(0.002,) * 3)
    run = s.simulate(1.5, rtol=1e-10, atol=1e-12)
    assert np.ptp(run["energy.total"]) < 1e-7 * np.max(run["energy.kinetic"])
    assert np.max(np.abs(run["u.arm"])) > 4.5 and np.max(np.abs(run["q.arm.m1"])) > 1e-3
