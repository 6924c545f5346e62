"""Elastic gears and belts: energy, free flight through the backlash, natural frequencies by hand and of a published
planetary train, the limit of large stiffness, and all lanes."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FreebodyError
from freebody.tree.tree import span
from tests.formulations.test_every_lane import agree
from tests.mechanisms.general_position import OBLIQUE, At, random_state
from tests.mechanisms.sampled import sampled
from tests.model.test_gears import ALPHA, planetary

STIFF = 1e6


def pair(on: Any = None, joint: Any = None, radii: Any = (0.1, 0.2), at: float = 0.3, **options: Any) -> fb.System:
    """Two elastic gears on a body that turns, on revolute joints or on springs."""
    s = fb.System("pair", gravity=(0, 0, 0))
    base = s.body("base", joint=on or fb.Weld(), orient=(OBLIQUE, 0.4), mass=1, com=(0.1, 0, 0.2), inertia=(1, 1, 1))
    joints = [fb.Revolute("z"), fb.Revolute("z")] if joint is None else [joint, joint]
    one = s.body("one", on=base, joint=joints[0], mass=1, inertia=(0.01,) * 3)
    other = s.body("other", on=base, at=(at, 0, 0), joint=joints[1], mass=2, inertia=(0.04,) * 3)
    s.gear(one, other, radii=radii, stiffness=STIFF, name="mesh", **options)
    return s


def test_two_gears_vibrate_on_their_mesh() -> None:
    """ω² = k cos²α (r₁²/J₁ + r₂²/J₂)."""
    expected = np.sqrt(STIFF * np.cos(ALPHA) ** 2 * (0.1**2 / 0.01 + 0.2**2 / 0.04))
    assert np.isclose(np.abs(pair().linearize().eigenvalues.imag).max(), expected)
    helical = np.abs(pair(helix_angle=0.3).linearize().eigenvalues.imag).max()
    assert np.isclose(helical, expected * np.cos(0.3))


def test_teeth_fly_freely_through_their_backlash() -> None:
    """The first gear turns by half of the play, b/(2 r), before the second moves; after the impact they part again."""
    run = pair(backlash=2e-3).simulate(np.linspace(0, 0.03, 3001), u={"one": 1.0})
    contact = 1e-3 / 0.1
    assert np.abs(run["u.other"][run.t < contact - 1e-5]).max() == 0 and run["load.mesh"][0] == 0
    assert np.abs(run["load.mesh"][(run.t > contact) & (run.t < contact + 1e-3)]).min() > 0 or (
        np.abs(run["load.mesh"]).max() > 10
    )
    free = run["load.mesh"] == 0
    flights = np.flatnonzero(np.diff(free.astype(int)))
    assert len(flights) >= 2  # contact begins and ends
    assert run.energy_error < 1e-6
    # an elastic impact of two equal equivalent masses J/r² = 1: they exchange their velocities
    end = flights[1] + 1
    assert np.isclose(run["u.one"][end], 0, atol=1e-6) and np.isclose(run["u.other"][end] * 0.2, -0.1, rtol=1e-6)


def test_damping_never_makes_teeth_pull() -> None:
    run = pair(backlash=1e-3, damping=2e3).simulate(0.1, u={"one": 1.0})
    force = run["load.mesh"]
    assert (np.sign(force[np.abs(force) > 1e-9])[0] > 0) and run.energy_error < 1e-5
    slip = -0.1 * run["q.one"] - 0.2 * run["q.other"]
    assert (force * slip <= 1e-12).all()  # never towards each other
    assert run["u.one"][-1] ** 2 * 0.01 + run["u.other"][-1] ** 2 * 0.04 < 0.6 * 0.01


MOVING: dict[str, dict[str, Any]] = {
    "spur": {}, "ring": {"radii": (0.1, -0.25), "at": 0.15}, "ring first": {"radii": (-0.25, 0.1), "at": -0.15},
    "helical": {"helix_angle": 0.3}, "backlash": {"backlash": 1e-4},
}  # fmt: skip


def on_springs(base: Any = None, **options: Any) -> fb.System:
    """Gears on planar joints with springs, on a body that turns about an oblique axis, or has another joint."""
    s = pair(base or fb.Revolute("x"), fb.Planar("z"), **options)
    for name in ("one", "other"):
        for c in "xy":
            s.joint_force(name, f"-1e5*q.{name}.{c}", speed=c, name=f"{name}.{c}.spring")
    return s


@pytest.mark.parametrize("options", MOVING.values(), ids=list(MOVING))
def test_energy_is_kept_where_axes_are_on_springs(options: dict[str, Any]) -> None:
    """The force along the line of action at the working pressure angle is the gradient of the stored energy, also
    where the body that carries both turns."""
    start = {"one.angle": 3.0, "base": 2.0, "other.x": 0.1, "one.y": 0.3}
    run = on_springs(**options).simulate(0.1, u=start, rtol=1e-10)
    assert np.abs(run["load.mesh"]).max() > 50 and run.energy_error < 1e-6


@pytest.mark.parametrize("options", MOVING.values(), ids=list(MOVING))
def test_a_free_gearbox_keeps_its_momentum_and_energy(options: dict[str, Any]) -> None:
    """Forces on both wheels, and of a belt, have the same line also where the axes are apart by more than the radii."""
    s = on_springs(fb.Free(), **options)
    s.belt("one", "other", (0.05, 0.08), pretension=10.0, stiffness=1e4, name="belt")
    start = {"one.angle": 3.0, "base.wx": 2.0, "base.wy": 1.0, "other.x": 0.1}
    run, f = s.simulate(0.1, u=start, rtol=1e-10), s.derive().compile()
    nq = len(s.derive().q)
    before, after = (f.centroidal_momentum(run.x[k, :nq], run.x[k, nq:]) for k in (0, -1))
    assert run.energy_error < 1e-7 and np.linalg.norm(before) > 1 and np.allclose(after, before, atol=1e-8)


def floating(kind: str, **teeth: Any) -> fb.System:
    """A free body with a helical pair that slides, a rack or bevel gears on it, in a general direction."""
    s = fb.System("floating", gravity=(0, 0, 0))
    s.body("base", joint=fb.Free(), mass=2, com=(0.1, 0, 0.2), inertia=(1, 1, 1))
    turn: dict[str, Any] = {"on": "base", "orient": (OBLIQUE, 0.4), "mass": 1}
    sun = s.body("sun", joint=fb.Revolute("z"), inertia=(0.01,) * 3, **turn)
    if kind == "rack":
        s.body("bar", inertia=(0.1,) * 3, **turn)
        s.body("other", on="bar", at=(0, 0.1, 0), joint=fb.Prismatic("x"), mass=1)
        s.gear(sun, "other", radii=(0.1, None), helix_angle=0.2, name="mesh", **teeth)
        return s
    s.body("arm", joint=fb.Revolute("z"), inertia=(0.1,) * 3, **turn)
    at, joint = ((0.3, 0, 0), fb.Cylindrical("z")) if kind == "helical" else ((0.1, 0, 0.2), fb.Revolute("x"))
    s.body("other", on="arm", at=at, joint=joint, mass=1, inertia=(0.02,) * 3)
    if kind == "helical":
        s.gear(sun, "other", radii=(0.1, 0.2), helix_angle=0.3, name="mesh", **teeth)
    else:
        s.gear(sun.point((0, 0, 0.1)), "other", radii=(0.1, 0.1), helix_angle=0.2, name="mesh", **teeth)
    return s


@pytest.mark.parametrize("teeth", [{}, {"stiffness": STIFF}], ids=["ideal", "elastic"])
@pytest.mark.parametrize("kind", ["helical", "rack", "bevel"])
def test_forces_on_both_wheels_are_opposite(kind: str, teeth: dict[str, Any]) -> None:
    """Momentum and energy of a free gearbox are kept, and the forces on the second wheel are those of its motion."""
    s = floating(kind, **teeth)
    s.joint_force("sun", 5.0, name="drive")
    start = {"base.wx": 1.0, "sun": 3.0, "base.wy": 0.5}
    run, e = s.simulate(0.2, u=start, rtol=1e-10), s.derive()
    f, nq = e.compile(), len(e.q)
    states = [(run.x[k, :nq], run.x[k, nq:]) for k in (0, -1)]
    before, after = (f.centroidal_momentum(*x) for x in states)
    assert run.energy_error < 1e-8 and np.linalg.norm(before) > 1 and np.allclose(after, before, atol=1e-10)
    if teeth:
        return
    q, u = states[1]
    u_dot, R = f.forward_dynamics(q, u), f.pose(q, "other").R
    reactions = f.reactions(q, u, u_dot, multipliers=f.multipliers(q, u))
    force = R @ (reactions["other.force"] + reactions["mesh.force"])
    assert np.linalg.norm(reactions["mesh.force"]) > 1
    assert np.allclose(force, f.spatial_acceleration(q, u, u_dot, "other")[3:], atol=1e-10)


def test_working_pressure_angle() -> None:
    """Where axes are apart by more than the radii, teeth press along the tangent of the base circles."""
    s = on_springs()
    f, e = s.derive().compile(), s.derive()
    q = dict.fromkeys(e.q, 0.0) | {"other.x": 0.004, "one.angle": 0.02}
    run = s.simulate([0, 1e-9], q=q)
    moved = f.forward_dynamics([q[n] for n in e.q], np.zeros(len(e.u)))
    assert run["load.mesh"][0] > 0
    # the force on 'other': (k, components) from its acceleration, less that of its own spring
    rows = {n: k for k, n in enumerate(e.u)}
    base = moved[rows["base"]]
    assert np.isfinite(base)
    mass = f.mass_matrix([q[n] for n in e.q]) @ moved
    radial, tangential = mass[rows["other.x"]] + 1e5 * 0.004, mass[rows["other.y"]]
    working = np.arccos(0.3 * np.cos(ALPHA) / 0.304)
    assert np.isclose(np.arctan2(radial, tangential), working)
    inv = [np.tan(a) - a for a in (working, ALPHA)]
    pressed = 0.1 * 0.02 * np.cos(ALPHA) - 0.3 * np.cos(ALPHA) * (inv[0] - inv[1])
    assert np.isclose(np.hypot(radial, tangential), STIFF * pressed)


@pytest.mark.slow
def test_modes_of_a_planetary_train_of_lin_and_parker() -> None:
    """The natural frequencies in Hz of Lin & Parker (1999, "Analytical characterization of the unique properties of
    planetary gear free vibration"), three planets. Teeth are in contact by a torque of 1 N·m on the sun; a soft spring
    holds the carrier, so that their first mode of 0 Hz is one of 15 Hz here."""
    alpha, count = np.radians(24.6), 3
    base_sun, base_planet = 0.0387, 0.05015
    sun, planet = base_sun / np.cos(alpha), base_planet / np.cos(alpha)
    ring, reach = sun + 2 * planet, sun + planet
    s = fb.System("planetary", gravity=(0, 0, 0))
    bearings = {"sun": 1e8, "carrier": 1e8, "ring": 1e8} | {f"p{k}": 1e8 for k in range(count)}
    for name, mass, inertia, radius in (
        ("sun", 0.4, 0.39, base_sun),
        ("carrier", 5.43, 6.29, reach),
        ("ring", 2.35, 3.0, ring * np.cos(alpha)),
    ):
        s.body(name, joint=fb.Planar("z"), mass=mass, inertia=(inertia * radius**2,) * 3)
    for k in range(count):
        angle = 2 * np.pi * k / count
        p = s.body(
            f"p{k}",
            on="carrier",
            at=(reach * np.cos(angle), reach * np.sin(angle), 0),
            joint=fb.Planar("z"),
            mass=0.66,
            inertia=(0.61 * base_planet**2,) * 3,
        )
        s.gear("sun", p, radii=(sun, planet), pressure_angle=alpha, stiffness=5e8, name=f"s{k}")
        s.gear(p, "ring", radii=(planet, -ring), pressure_angle=alpha, stiffness=5e8, name=f"r{k}")
    for name, k in bearings.items():
        for c in "xy":
            s.joint_force(name, f"-{k}*q.{name}.{c}", speed=c)
    s.joint_force("ring", f"-{1e9 * (ring * np.cos(alpha)) ** 2}*q.ring.angle", speed="angle")
    s.joint_force("carrier", f"-1e3*q.carrier.angle - {1 + ring / sun}", speed="angle")
    s.joint_force("sun", 1.0, speed="angle")
    found = np.sort(s.linearize(trim=True).eigenvalues.imag)[-18:] / (2 * np.pi)
    twice = [743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9]
    once = [1475.7, 1930.3, 2658.3, 7462.8, 11775.3]
    assert found[0] < 16 and np.allclose(found[1:], np.sort([*twice, *twice, *once]), rtol=1e-4)


def test_stiff_teeth_move_like_ideal_ones() -> None:
    """A train under torques, over a quarter of a second: the error of the elastic one goes down with 1/k."""
    angles = []
    for options in ({}, {"stiffness": 1e7, "damping": 3e3}, {"stiffness": 1e8, "damping": 1e4}):
        s = planetary(3, ring="ground", **options)
        s.joint_force("sun", "10*sin(9*t)", name="drive")
        s.joint_force("carrier", "-3*u.carrier", name="brake")
        angles.append(s.simulate(0.25)["q.carrier"][-1])
    errors = np.abs(np.subtract(angles[1:], angles[0]))
    assert errors[0] < 1e-5 and errors[1] < 0.15 * errors[0]


def test_equal_planets_share_the_load_by_their_stiffness() -> None:
    """What an ideal train does not determine follows from the stiffness of the teeth: the pins carry 2·10/(3·0.1) N."""
    s = planetary(3, ring="ground", stiffness=1e7)
    s.joint_force("sun", 10.0, name="drive")
    s.joint_force("carrier", "-30 - 1e3*q.carrier", name="brake")
    found = s.equilibrium(q={"sun": 1e-6})
    f = s.derive().compile()
    q = [found.q[n] for n in s.derive().q]
    reactions = f.reactions(q, np.zeros(len(q)), np.zeros(len(q)))
    pins = [np.linalg.norm(reactions[f"p{k}.force"]) for k in range(3)]
    assert np.allclose(pins, 200 / 3, rtol=1e-4) and not s.derive().undetermined_reactions


@pytest.mark.parametrize("crossed", [False, True])
def test_elastic_belts(crossed: bool) -> None:
    """Without slack ω² = 2k (r₁²/J₁ + r₂²/J₂), two spans; energy is kept, with pulleys on springs too."""
    s = fb.System("belt", gravity=(0, 0, 0))
    s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(0.01,) * 3)
    s.body("other", at=(0.5, 0, 0), joint=fb.Revolute("z"), mass=2, inertia=(0.04,) * 3)
    s.belt("one", "other", (0.1, 0.2), crossed, 100.0, stiffness=1e4, name="belt")
    expected = np.sqrt(2e4 * (0.1**2 / 0.01 + 0.2**2 / 0.04))
    assert np.isclose(np.abs(s.linearize().eigenvalues.imag).max(), expected)
    moving = fb.System("belt", gravity=(0, 0, 0))
    base = moving.body("base", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    for name, x in (("one", 0.0), ("other", 0.5)):
        moving.body(name, on=base, at=(x, 0, 0), joint=fb.Planar("z"), mass=2, inertia=(0.02,) * 3)
        for c in "xy":
            moving.joint_force(name, f"-1e4*q.{name}.{c}", speed=c)
    moving.belt("one", "other", (0.1, 0.2), crossed, 20.0, stiffness=1e4, name="belt")
    run = moving.simulate(0.5, u={"one.angle": 5.0, "base": 2.0, "other.y": 0.3}, rtol=1e-10)
    assert run.energy_error < 1e-7 and np.abs(run["load.belt"]).max() > 30


def test_pretension_pulls_pulleys_together() -> None:
    s = fb.System("belt", gravity=(0, 0, 0))
    s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(0.01,) * 3)
    s.body("other", at=(0.5, 0, 0), joint=fb.Revolute("z"), mass=2, inertia=(0.04,) * 3)
    s.belt("one", "other", (0.1, 0.2), False, 100.0, stiffness=1e4, name="belt")
    reactions = s.derive().compile().reactions([0, 0], [0, 0], [0, 0])
    assert np.allclose(reactions["one.force"], [-200 * np.sqrt(1 - 0.2**2), 0, 0])


def test_a_stiffness_that_varies_with_the_teeth_is_a_source_of_energy() -> None:
    s = fb.System("varying", gravity=(0, 0, 0))
    s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(0.01,) * 3)
    s.body("other", at=(0.3, 0, 0), joint=fb.Revolute("z"), mass=2, inertia=(0.04,) * 3)
    s.gear("one", "other", radii=(0.1, 0.2), stiffness="1e6*(1 + 0.2*sin(20*q.one))", name="mesh")
    run = s.simulate(0.1, u={"one": 10.0})
    assert run.energy_error < 1e-6 and np.abs(run["load.mesh"]).max() > 10


# All lanes and files

ELASTIC: dict[str, dict[str, Any]] = {
    "gears": {"radii": (0.2, 0.3), "stiffness": "k*100", "damping": 3.0, "backlash": 1e-3, "helix_angle": 0.2},
    "gears on springs": {"radii": (0.2, 0.3), "stiffness": 200.0, "damping": 3.0, "helix_angle": -0.2},
}


def general(options: dict[str, Any], moving: bool) -> At:
    s = fb.System("general")
    s.parameter("k", 2.0)
    a = s.body("a", joint=fb.Free(), mass=1.2, com=(0.1, 0.2, 0.3), inertia=(0.4, 0.5, 0.6))
    turn: dict[str, Any] = {"at": (0.1, 0.2, 0.3), "orient": (OBLIQUE, 0.7)}
    joint = fb.Planar("z") if moving else fb.Revolute("z")
    sun = s.body("sun", on=a, joint=joint, mass=0.7, com=(0.1, 0, 0.2), inertia=(0.2, 0.3, 0.4), **turn)
    carrier = s.body("carrier", on=a, joint=fb.Revolute("z"), mass=0.4, inertia=(0.3, 0.2, 0.4), **turn)
    joint = fb.Planar("z") if moving else fb.Revolute("z")
    planet = s.body("planet", on=carrier, at=(0.3, 0.4, 0), joint=joint, mass=0.3, inertia=(0.2, 0.1, 0.2))
    s.gear(sun, planet, name="mesh", **options)
    s.belt(sun, planet, (0.2, 0.1), pretension=3.0, stiffness="k*50", damping=1.0, name="belt")
    tree = span(s.freeze())
    q, u = random_state(tree, np.random.default_rng(3))
    return At(s, 0.3 * q, u)


@pytest.mark.parametrize("name", sampled(ELASTIC, 1))
def test_rolled_programs_have_elastic_gears(name: str) -> None:
    agree(general(ELASTIC[name], name.endswith("springs")), ["aba rolled"])


@pytest.mark.long
@pytest.mark.parametrize("name", ELASTIC)
def test_every_lane_has_elastic_gears(name: str) -> None:
    agree(general(ELASTIC[name], name.endswith("springs")), every=True)


def test_sweeps_and_files_hold_elastic_gears(tmp_path: Any) -> None:
    s = general(ELASTIC["gears"], False).system
    path = tmp_path / "gears.yaml"
    s.save(path)
    text = path.read_text()
    assert "elastic_gear:" in text and "elastic_belt:" in text and "radii:" in text
    again = fb.load(path)
    assert again.digest() == s.digest()
    rough = pair()
    rough.parameter("unused", 1.0)
    cases = rough.sweep(0.02, {"unused": [1.0, 2.0, 3.0]}, u={"one": 1.0})
    single = rough.simulate(0.02, u={"one": 1.0})
    assert np.allclose(np.asarray(cases["q.other"])[:, -1], single["q.other"][-1], rtol=1e-6)


def test_what_elastic_gears_refuse() -> None:
    with pytest.raises(FreebodyError, match="the damping is -2; it must not be negative"):
        pair(damping=-2.0)
    with pytest.raises(FreebodyError, match="do not keep the distance of their axes, or their directions"):
        bushed = fb.System("free")
        for name, at in (("one", 0.0), ("other", 0.3)):
            bushed.body(name, at=(at, 0, 0), joint=fb.Free(), mass=1, inertia=(1, 1, 1))
        bushed.gear("one", "other", radii=(0.1, 0.2), axes=("z", "z"), stiffness=1e6)
