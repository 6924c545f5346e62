"""Laws of energy over every joint, with rotors, couplings and prescribed motions: T is quadratic in u with the
Hessian M, it is conserved without forces, and a drive supplies what the same joint would need if it were free."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.model.joints import Joint
from tests.formulations.test_recursive import users
from tests.mechanisms import build_system, random_trees
from tests.mechanisms.newton_euler_reference import Referee
from tests.mechanisms.random_couplings import pair
from tests.mechanisms.random_couplings import state as coupled_state
from tests.mechanisms.sampled import covering, sampled_pairs

ROUNDING = 1e-11  # relative to the largest number of the same kind
DIFFERENCES = 1e-8  # error of a fourth-order difference with a step of 1e-3
SEEDS = range(13)  # covers every kind of joint
Array = np.ndarray

FORMULATIONS: dict[str, dict[str, Any]] = {
    "kane": {}, "crba": {"formulation": "crba"}, "aba": {"formulation": "aba"}, "poincare": {"formulation": "poincare"},
    "rolled": {"formulation": "aba", "rolled": True}, "mass-centre": {"speeds": "mass-centre"},
}  # fmt: skip
BALLS: dict[str, Joint] = {
    "ball off its origin": fb.Simple(np.vstack([np.eye(3), [[0, -0.4, -0.2], [0.4, 0, -0.3], [0.2, 0.3, 0]]]).tolist()),
    "slide on a ball": fb.Compound(fb.Prismatic("x"), fb.Spherical()),
    "ball on a slide": fb.Compound(fb.Spherical(), fb.Prismatic("x")),
    "ball between slides": fb.Compound(fb.Prismatic("x"), fb.Spherical("123"), fb.Prismatic("z")),
    "ball": fb.Spherical(), "free": fb.Free(),
    "rail": fb.Custom(("s", "s**2", "sin(s)"), [("z", "2*s"), ((1, 0, 1), "s**2")]),
}  # fmt: skip


def with_rotors(seed: int) -> random_trees.Tree:
    """A random tree in which every joint has a rotor."""
    made = random_trees.tree(seed, bodies=4)
    twigs = [replace(t, hinge=replace(t.hinge, armature=0.3 + 0.1 * k)) for k, t in enumerate(made.twigs)]
    return replace(made, twigs=tuple(twigs))


def near(a: Any, b: Any, scale: float = 1.0, tolerance: float = ROUNDING) -> None:
    size = max(scale, float(np.max(np.abs(b), initial=0.0)))
    assert np.max(np.abs(np.asarray(a) - np.asarray(b)), initial=0.0) <= tolerance * size


# The kinetic energy


def quadratic(f: fb.Compiled, q: Array, u: Array, t: float) -> None:
    """T(u) + T(−u) − 2 T(0) = uᵀ M u."""
    T = [float(f.energies(q, v, t)["kinetic"]) for v in (u, -u, 0 * u)]
    near(T[0] + T[1] - 2 * T[2], u @ f.mass_matrix(q, t) @ u, scale=max(T))


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_is_the_hessian_of_the_kinetic_energy(seed: int) -> None:
    """With rotors and prescribed motions, which add terms linear in u and independent of u; all match the reference."""
    made = with_rotors(seed)
    s, system = random_trees.state(made), users(build_system.system(made))
    f = system.derive().compile("numpy")
    near(f.energies(s.q, s.u, s.t)["kinetic"], Referee(made, s).kinetic())
    near(f.energies(s.q, s.u, s.t)["potential"], Referee(made, s).potential())
    names = list(FORMULATIONS)
    for name in ("kane", names[1 + seed % 4], "mass-centre"):
        quadratic(system.derive(**FORMULATIONS[name]).compile("numpy"), s.q, s.u, s.t)
    still = not any(any(twig.hinge.motions) for twig in made.twigs)
    assert (f.energies(s.q, 0 * s.u, s.t)["kinetic"] == 0) == still


@pytest.mark.parametrize("seed", range(4))
def test_kinetic_energy_of_coupled_joints_with_rotors(seed: int) -> None:
    made = pair(seed)
    q, u, *_ = coupled_state(made, seed)
    coupled, free = made.kane
    quadratic(coupled, q, u, 0.0)
    near(coupled.energies(q, u)["kinetic"], u @ coupled.mass_matrix(q) @ u / 2)
    near(coupled.energies(q, u)["kinetic"], free.energies(made.q(q), made.T @ u)["kinetic"])


@pytest.mark.parametrize("seed", range(3))
def test_runs_record_the_energies_of_the_equations(seed: int) -> None:
    """Also with rolled programs and coupled joints."""
    made, coupled = with_rotors(seed), pair(seed)
    system, state = users(build_system.system(made)), random_trees.state(made)
    moving = (system, state.q, state.u, {"motor": 0.3})
    following = (coupled.coupled, *coupled_state(coupled, seed)[:2], {})
    for (s, q, u, inputs), how in ((moving, {}), (moving, FORMULATIONS["rolled"]), (following, {})):
        eq = s.derive(**how)
        start = {"q": dict(zip(eq.q, q, strict=True)), "u": dict(zip(eq.u, u, strict=True))}
        run, n, f = eq.simulate([0.0, 0.01], inputs=inputs, **start), len(eq.q), eq.compile("numpy")
        for t, x, T, V in zip(run.t, run.x, run["energy.kinetic"], run["energy.potential"], strict=True):
            known = f.energies(x[:n], x[n : n + len(eq.u)], t)
            near([T, V], [known["kinetic"], known["potential"]])


def test_pendulum_with_a_rotor_conserves_energy() -> None:
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("x", armature=0.5), mass=1.0, com=(0, 0, -1))
    run = s.simulate(10.0, q={"arm": 1.0})
    assert np.ptp(run["energy.total"]) < 1e-6 * np.max(run["energy.kinetic"])


def test_spring_with_zero_stiffness_stores_no_energy() -> None:
    s = fb.System("spring")
    s.parameters(k=3.0, c=0.0)
    ball = s.body("ball", joint=fb.Prismatic("x"), mass=1.0)
    s.force_between(ball.point((0, 1, 0)), s.ground.point((0, 0, 0)), "k*(length - 0.5) + c")
    for values in ({"k": 0.0}, {"k": 0.0, "c": 2.0}, {"k": 3.0, "c": 2.0}):
        run = s.simulate(2.0, q={"ball": 0.3}, u={"ball": 0.2}, parameters=values)
        assert np.ptp(run["energy.total"]) < 1e-7, values
        assert run.energy_error < 1e-7, values


# Conservation


def rate(f: Callable[[float], float], h: float = 1e-3) -> float:
    """f'(0) by fourth-order differences."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("joint", BALLS)
def test_kinetic_energy_is_conserved_without_forces(joint: str, formulation: str) -> None:
    """On a turning and sliding parent, with a child."""
    s = fb.System("drifting", gravity=(0, 0, 0))
    base = s.body("base", joint=fb.Cylindrical((1, 2, 3)), mass=1, com=(0.2, 0.1, 0), inertia=(0.3, 0.4, 0.5))
    solid = {"mass": 2, "com": (0.1, 0.3, -0.2), "inertia": (0.5, 0.6, 0.7)}
    middle = s.body("middle", on=base, at=(0.3, -0.2, 0.5), joint=replace(BALLS[joint], armature=0.2), **solid)
    s.body("tip", on=middle, at=(0.1, 0.2, 0.3), joint=fb.Revolute("y"), **solid)
    f = s.derive(**FORMULATIONS[formulation]).compile("numpy")
    rng, names = np.random.default_rng(3), list(f.equations.q)
    q, u = rng.uniform(-1, 1, len(names)), rng.uniform(-1, 1, len(f.equations.u))
    for k in (k for k, name in enumerate(names) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    q_dot, u_dot = f.q_dot(q, u), f.forward_dynamics(q, u)
    T = f.energies(q, u)["kinetic"]
    near(rate(lambda h: float(f.energies(q + h * q_dot, u + h * u_dot)["kinetic"])), 0.0, T, DIFFERENCES)


# Forces of drives and couplings


def driven(seed: int) -> random_trees.Tree:
    """A tree with at least one drive, whose joint has all options, and a joint force of the user."""
    for k in range(seed, 10_000, 97):
        made = with_rotors(k)
        twigs, free = list(made.twigs), made.free()
        places = [i for i, twig in enumerate(twigs) if any(twig.hinge.motions)]
        if places and free:
            twigs[places[0]] = replace(
                twigs[places[0]],
                hinge=replace(twigs[places[0]].hinge, damping=0.4, friction=0.2, stiffness=1.5, rest=0.3),
            )
            k = next(k for k, wave in enumerate(twigs[places[0]].hinge.motions) if wave is not None)
            joint_forces = (*made.joint_forces, random_trees.JointForce(places[0], k, 2.0))
            return replace(made, twigs=tuple(twigs), joint_forces=joint_forces)
    raise AssertionError("no tree has a drive")


def drives(system: fb.System) -> Iterator[tuple[str, str, int, Any]]:
    """Body, name of its prescribed speed, index among the body's drives, and its coordinate."""
    for body in system.bodies.values():
        prescribed = [k for k, given in enumerate(body.prescribed) if given is not None]
        for place, k in enumerate(prescribed):
            yield body.name, body.spec.names[1][k], place, k


def jets(made: random_trees.Tree, t: float) -> Iterator[tuple[float, float, float]]:
    """Value, rate and second derivative of each prescribed coordinate, in order."""
    for twig in made.twigs:
        yield from (wave.jet(t) for wave in twig.hinge.motions if wave is not None)


@pytest.mark.parametrize(("seed", "formulation"), sampled_pairs(range(8), ("kane", "aba", "poincare")))
def test_drive_force_on_the_free_joint_gives_the_same_motion(seed: int, formulation: str) -> None:
    """The drive force as tau on the same joint without prescribed motion gives the same motion."""
    made = driven(seed)
    bare = replace(made, twigs=tuple(replace(t, hinge=replace(t.hinge, motions=())) for t in made.twigs))
    led, free = users(build_system.system(made)), users(build_system.system(bare))
    s = random_trees.state(made)
    more = {"t": s.t, "z": [s.z], "inputs": [s.motor]}
    f = led.derive(formulation).compile("numpy")
    u_dot = f.forward_dynamics(s.q, s.u, **more)
    supplied = f.reactions(s.q, s.u, u_dot, **more)
    g = free.derive().compile("numpy")
    q, u, rates = (
        dict(zip(names, values, strict=True))
        for names, values in ((f.equations.q, s.q), (f.equations.u, s.u), (f.equations.u, u_dot))
    )
    tau = dict.fromkeys(g.equations.u, 0.0)
    for (body, name, place, _), jet in zip(drives(led), jets(made, s.t), strict=True):
        q[name], u[name], rates[name] = jet
        tau[name] = supplied[f"{body}.drive_force"][place]
    found = g.forward_dynamics([q[n] for n in g.equations.q], [u[n] for n in g.equations.u], list(tau.values()), **more)
    near(found, [rates[n] for n in g.equations.u], tolerance=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_coupling_force_on_the_free_joints_gives_the_same_motion(seed: int) -> None:
    """The drive force on the follower and −ratio times it on the leader give the same motion."""
    made = pair(seed)
    q, u, _, tau = coupled_state(made, seed)
    coupled, free = made.kane
    u_dot = coupled.forward_dynamics(q, u, tau)
    reactions, (own, every) = coupled.reactions(q, u, u_dot), made.names
    supplied = {name: float(reactions[f"{name}.drive_force"][0]) for name in made.laws}
    assert len(supplied) == 3 and all(supplied.values())
    full = {name: dict(zip(own.u, tau, strict=True)).get(name, 0.0) for name in every.u}
    for place, name in enumerate(every.u):
        if name in supplied:
            full[name] += supplied[name]
            for leader, ratio in zip(own.u, made.T[place], strict=True):
                full[leader] -= ratio * supplied[name]
    near(free.forward_dynamics(made.q(q), made.T @ u, list(full.values())), made.T @ u_dot, tolerance=1e-9)


# Powers


def power_balance(s: fb.System, q: Array, u: Array, t: float, z: float, inputs: dict[str, float]) -> None:
    """Σ powers = d(T + V)/dt along the motion."""
    eq = s.derive()
    start = {"q": dict(zip(eq.q, q, strict=True)), "u": dict(zip(eq.u, u, strict=True))}
    run = eq.simulate([t, t + 1e-9], inputs=inputs, z={"z": z} if eq.derivation.layout.z else {}, **start)
    f, n, x_dot = eq.compile("numpy"), len(q), run.recorded["x_dot"][0]

    def total(h: float) -> float:
        return float(sum(f.energies(q + h * x_dot[:n], u + h * x_dot[n : n + len(u)], t + h).values()))

    powers = [run[key][0] for key in run if key.startswith("power.")]
    scale = max([1.0, *map(abs, powers)])
    near(sum(powers), rate(total, 1e-4), scale, 1e-7)


@pytest.mark.parametrize("seed", [*covering(range(0, 26, 2), with_rotors), *covering(range(1, 26, 2), driven)])
def test_powers_of_loads_joints_and_drives_equal_the_energy_rate(seed: int) -> None:
    """Forces, torques, springs, dampers, friction, joint forces, inputs, states, prescribed motions, on every joint."""
    made = driven(seed) if seed % 2 else with_rotors(seed)
    s = random_trees.state(made)
    power_balance(users(build_system.system(made)), s.q, s.u, s.t, s.z, {"motor": s.motor})


@pytest.mark.parametrize("seed", range(4))
def test_powers_of_coupled_joints_equal_the_energy_rate(seed: int) -> None:
    made = pair(seed)
    power_balance(made.coupled, *coupled_state(made, seed)[:2], 0.0, 0.0, {})


def test_powers_of_elements_that_depend_on_time_and_state() -> None:
    """Gravity, stiffness and rest that depend on time and state, and a spring end that moves on its body, store no
    energy; their effect is power."""
    s = fb.System("changing", gravity=(0, "sin(t)", "-9.81 - t"))
    a = s.body("a", joint=fb.Revolute("x", stiffness="2 + sin(t)", rest="0.3*t + 0.1*q.a"), mass=1.0, com=(0, 0.2, -1))
    b = s.body("b", on=a, at=(0, 0, -1), joint=fb.Prismatic("y", stiffness=3, damping=0.1), mass=2.0, com=(0, 0, 0.3))
    slot = b.point((0.1, "0.3*sin(q.a)", "0.2*t"))
    s.spring(slot, s.ground.point((1, 1, 1)), stiffness=4.0, free_length=0.5, damping=0.2, name="moving")
    s.spring(a.point((0, 0, -1)), s.ground.point((1, -1, 1)), stiffness=5.0, free_length=0.5, name="steady")
    s.force_between(a.point((0, 0.1, 0)), s.ground.point((0, 2, 0)), "3*(length - 1)**3 + 0.5*rate", name="cubic")
    s.force(a.vector((0, 1, 0)) * 2, at=slot, name="push", reaction=a)
    power_balance(s, np.array([0.4, 0.3]), np.array([0.7, -0.5]), 0.8, 0.0, {})
    run = s.simulate([0.0, 0.1])
    assert [k for k in run if k.startswith("power.")] == [
        "power.load.moving",
        "power.load.cubic",
        "power.load.push",
        "power.joints",
        "power.gravity",
    ]
