"""Gears with teeth, racks, bevel gears and belts as constraints: forces on bearings and pins by hand calculation,
ratios of planetary trains, power, and what is refused."""

from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import freebody as fb
from freebody.cli import app
from freebody.errors import FreebodyError, ModelError
from freebody.viewer.default_shapes import made_up

Array = np.ndarray
ALPHA = np.radians(20)
CLOSE = 1e-10


def pair(radii: tuple[float, float] = (0.1, 0.2), at: float = 0.3, **options: Any) -> fb.System:
    """Two gears on the ground whose centres are on the x axis."""
    s = fb.System("pair", gravity=(0, 0, 0))
    one = s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
    other = s.body("other", at=(at, 0, 0), joint=fb.Revolute("z"), mass=2, inertia=(1, 1, 0.5))
    s.gear(one, other, radii=radii, name="mesh", **options)
    return s


def held(
    s: fb.System, torques: dict[str, float], q: dict[str, float] | None = None
) -> tuple[Array, Array, dict[str, Array]]:
    """q, multipliers and reactions of least norm of a system at rest under torques that balance each other."""
    e = s.derive()
    f, (q_, u) = e.compile(), s.assemble(q or {})
    tau = np.array([torques.get(name, 0.0) for name in e.u])
    u_dot, multipliers = f.forward_dynamics(q_, u, tau), f.multipliers(q_, u, tau)
    assert np.abs(u_dot).max() < 1e-9
    return q_, multipliers, f.least_norm_reactions(q_, u, u_dot, multipliers=multipliers)


def turned(v: Array, angle: float) -> Array:
    """Components along fixed axes, from those along axes that are turned about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ v


@pytest.mark.parametrize("torque", [10.0, -10.0])
def test_bearings_of_a_spur_pair_carry_the_mesh_force(torque: float) -> None:
    """10 N·m at 0.1 m is 100 N along the pitch circles, and 100/cos 20° on the bearings; teeth are pushed apart
    whichever flank is in contact."""
    q, multipliers, reactions = held(pair(), {"one": torque, "other": 2 * torque}, {"one": 0.2})
    assert np.allclose(multipliers, torque / 0.1)
    tangential, radial = torque / 0.1, 100 * np.tan(ALPHA)
    on_one, on_other = (turned(reactions[f"{n}.force"], q[k]) for k, n in enumerate(("one", "other")))
    assert np.allclose(on_other, [-radial, -tangential, 0]) and np.allclose(on_one, [radial, tangential, 0])
    assert np.isclose(np.linalg.norm(on_one), 100 / np.cos(ALPHA))
    mesh = turned(reactions["mesh.force"], q[1])
    assert np.allclose(mesh, -on_other) and np.allclose(reactions["mesh.torque"], [0, 0, -2 * torque])


@pytest.mark.parametrize("torque", [10.0, -10.0])
@pytest.mark.parametrize("internal", [False, True])
def test_helical_gears_push_along_their_axes_and_tilt(torque: float, internal: bool) -> None:
    """Axial force F tan β at the pitch point, so a tilting moment r F tan β; radial force F tan α/cos β."""
    beta = 0.3
    s = pair((0.1, -0.3), 0.2, helix_angle=beta) if internal else pair(helix_angle=beta)
    back = -3 * torque if internal else 2 * torque
    _q, multipliers, reactions = held(s, {"one": torque, "other": back})
    force, side = torque / 0.1, 100 * np.tan(ALPHA) / np.cos(beta)
    toward = -1 if internal else 1  # the mesh point is at x = ±0.1
    assert np.allclose(multipliers, force)
    # on the first gear acts −F t, with t = ±y, +F tan β along its axis, and the side force away from the other gear
    assert np.allclose(reactions["one.force"], [toward * side, toward * force, -force * np.tan(beta)])
    assert np.allclose(reactions["one.torque"], [0, toward * 0.1 * force * np.tan(beta), torque])
    assert np.allclose(reactions["other.force"], -reactions["one.force"])


@pytest.mark.parametrize("stiffness", [None, 1e7])
def test_the_sense_of_the_tangential_force(stiffness: float | None) -> None:
    """Positive where the first wheel drives in the positive sense; of a ring gear that is the first, in the negative
    sense. The tooth of the ring pushes that of the pinion in the sense in which it turns."""
    for radii, at, sign in (((0.1, 0.2), 0.3, 1), ((0.1, -0.2), -0.1, 1), ((-0.2, 0.1), 0.1, -1)):
        s = pair(radii, at, stiffness=stiffness)
        size = abs(radii[0])
        if stiffness is None:
            back = -10 * radii[1] / radii[0] if min(radii) < 0 else 10 * radii[1] / radii[0]
            _q, multipliers, reactions = held(s, {"one": 10.0, "other": -abs(back) if min(radii) < 0 else back})
            assert np.allclose(multipliers, sign * 10 / size)
            assert np.isclose(reactions["mesh.force"][1], 10 / size)
        else:
            run = s.simulate([0, 1e-4], q={"one": 1e-5})
            assert np.sign(run["load.mesh"][0]) == sign


@pytest.mark.parametrize("kind", ["spur", "ring", "bevel", "belt"])
def test_the_order_of_the_wheels_and_the_senses_of_their_axes_do_not_matter(kind: str) -> None:
    """The other gear of a pair has a helix of the opposite hand, a ring gear of the same."""
    results = []
    for swapped in (False, True):
        for sense in (1, -1):
            s = fb.System("order", gravity=(0, 0, 0))
            at = {"spur": (0.3, 0, 0), "ring": (0.1, 0, 0), "bevel": (0, 0.1, 0.2), "belt": (0.5, 0, 0)}[kind]
            axis = (0, sense, 0) if kind == "bevel" else (0, 0, sense)
            one = s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
            other = s.body("other", at=at, joint=fb.Revolute(axis), mass=2, inertia=(1, 1, 1))
            wheels, radii = [one, other], [0.1, {"ring": -0.2}.get(kind, 0.2)]
            helix = -0.3 if swapped and kind != "ring" else 0.3
            order = slice(None, None, -1) if swapped else slice(None)
            if kind == "belt":
                s.belt(*wheels[order], radii[order], pretension=30.0)
            else:
                s.gear(*wheels[order], radii=radii[order], helix_angle=helix)
            f, q = s.derive().compile(), [0.0, 0.0]
            tau, u = [10.0, 3.0 * sense], [0.0, 0.0]
            u_dot = f.forward_dynamics(q, u, tau)
            found = f.reactions(q, u, u_dot, multipliers=f.multipliers(q, u, tau))
            results.append(
                np.concatenate(
                    [
                        [u_dot[0], sense * u_dot[1]],
                        *(found[n] for n in ("one.force", "one.torque", "other.force", "other.torque")),
                    ]
                )
            )
    assert np.abs(results[0][2:5]).min() > (1 if kind != "belt" else -1)
    for other_result in results[1:]:
        assert np.allclose(other_result, results[0], atol=1e-10)


def planetary(count: int = 3, sun: float = 0.1, planet: float = 0.05, ring: str = "free", **options: Any) -> fb.System:
    """A sun, planets on a carrier and a ring gear, all on the z axis; ``ring``: free, or the ground."""
    s = fb.System("planetary", gravity=(0, 0, 0))
    hub = s.body("sun", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
    carrier = s.body("carrier", joint=fb.Revolute("z"), mass=2, inertia=(1, 1, 1))
    outer: Any = s.body("ring", joint=fb.Revolute("z"), mass=3, inertia=(2, 2, 3)) if ring == "free" else s.ground
    for k in range(count):
        angle = 2 * np.pi * k / count
        at = (sun + planet) * np.cos(angle), (sun + planet) * np.sin(angle), 0
        p = s.body(f"p{k}", on=carrier, at=at, joint=fb.Revolute("z"), mass=0.3, inertia=(0.1, 0.1, 0.01))
        s.gear(hub, p, radii=(sun, planet), name=f"sun{k}", **options)
        axes = (None, None) if ring == "free" else (None, "z")
        s.gear(p, outer, radii=(planet, -sun - 2 * planet), axes=axes, name=f"ring{k}", **options)
    return s


def test_willis_equation_of_a_planetary_train() -> None:
    """(ω_sun − ω_carrier)/(ω_ring − ω_carrier) = −r_ring/r_sun, for angles too, over many turns."""
    s = planetary()
    assert s.derive().degrees_of_freedom == 2
    state = s.assemble({"sun": 40.0, "carrier": 3.0}, {"sun": 7.0, "carrier": 2.0})
    e = s.derive()
    for values in (dict(zip(e.q, state.q, strict=True)), dict(zip(e.u, state.u, strict=True))):
        sun, carrier, ring, planet = (values[n] for n in ("sun", "carrier", "ring", "p1"))
        assert np.isclose((sun - carrier) / (ring - carrier), -2)
        assert np.isclose(0.05 * planet, -0.1 * (sun - carrier))


@pytest.mark.parametrize("torque", [10.0, -10.0])
def test_pins_of_equal_planets_share_the_load(torque: float) -> None:
    """10 N·m on the sun of three planets: 33.3 N at each mesh, 66.7 N on each pin, where the side forces of sun and
    ring cancel; the bearings of sun, ring and carrier carry nothing."""
    s = planetary()
    back = {"sun": torque, "ring": 2 * torque, "carrier": -3 * torque}
    _, _, reactions = held(s, back, {"sun": 0.3, "carrier": 0.1})
    share = 10 / (3 * 0.1)
    for k in range(3):
        assert np.isclose(np.linalg.norm(reactions[f"p{k}.force"]), 2 * share)
        for mesh in ("sun", "ring"):
            assert np.isclose(np.linalg.norm(reactions[f"{mesh}{k}.force"]), share / np.cos(ALPHA))
    for name in ("sun", "ring", "carrier"):
        assert np.abs(reactions[f"{name}.force"]).max() < 1e-9
        assert np.isclose(reactions[f"{name}.torque"][2], back[name])


def test_a_single_planet_loads_the_bearings_of_the_sun() -> None:
    """With one planet all reactions are determined: the sun's bearing carries F/cos α, the pin 2F."""
    s = planetary(1, ring="ground")
    assert s.derive().degrees_of_freedom == 1 and not s.derive().undetermined_reactions.get("sun")
    _, _, reactions = held(s, {"sun": 10.0, "carrier": -30.0}, {"sun": 0.3})
    assert np.isclose(np.linalg.norm(reactions["sun.force"]), 100 / np.cos(ALPHA))
    assert np.isclose(np.linalg.norm(reactions["p0.force"]), 200)
    assert np.isclose(np.linalg.norm(reactions["carrier.force"]), 200)


def test_texts_and_runs_have_equal_shares_of_equal_planets() -> None:
    s = planetary(3, ring="ground")
    s.joint_force("sun", 10.0)
    s.joint_force("carrier", "-30*u.carrier")
    for k in range(3):
        s.output(f"pin{k}", s.reaction_force(f"p{k}").norm())
        s.output(f"mesh{k}", s.reaction_force(f"sun{k}").norm())
    run = s.simulate(1.0)
    for k in range(3):
        assert np.allclose(run[f"pin{k}"], np.linalg.norm(run.reactions[f"p{k}.force"], axis=1))
        assert np.allclose(run[f"mesh{k}"], np.abs(run["multiplier.sun0"]) / np.cos(ALPHA))


def test_planets_of_a_run_have_centrifugal_forces_and_energy_is_kept() -> None:
    run = planetary().simulate(1.0, u={"sun": 2.0, "carrier": 0.5})
    assert run.energy_error < 1e-12 and max(run.drift) < 1e-12
    pin = np.linalg.norm(run.reactions["p2.force"], axis=1)
    assert np.allclose(pin, 0.3 * 0.15 * 0.5**2, rtol=1e-6)


@pytest.mark.parametrize("torque", [10.0, -10.0])
@pytest.mark.parametrize("rack_first", [False, True])
def test_racks(torque: float, rack_first: bool) -> None:
    """The pinion drives the rack with T/r, and both are pushed apart; the multiplier follows the first of the two."""
    s = fb.System("rack", gravity=(0, 0, 0))
    pinion = s.body("pinion", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 0.5))
    rack = s.body("rack", at=(0, 0, -0.1), joint=fb.Prismatic("x"), mass=5)
    if rack_first:
        s.gear(rack, pinion, radii=(None, 0.1), name="mesh")
    else:
        s.gear(pinion, rack, radii=(0.1, None), name="mesh")
    q, u = s.assemble({"pinion": 0.3}, {"pinion": 2.0})
    assert np.allclose(q, [0.3, -0.03]) and np.allclose(u, [2, -0.2])
    _, multipliers, reactions = held(s, {"pinion": torque, "rack": torque / 0.1})
    assert np.allclose(multipliers, -torque / 0.1 if rack_first else torque / 0.1)
    side = 100 * np.tan(ALPHA)
    assert np.allclose(reactions["pinion.force"], [-torque / 0.1, 0, -side])
    assert np.allclose(reactions["rack.force"], [0, 0, side], atol=CLOSE) or np.allclose(
        reactions["rack.force"], [torque / 0.1, 0, side]
    )


def test_a_gear_that_rolls_on_a_fixed_rack() -> None:
    s = fb.System("rolling")
    slider = s.body("slider", at=(0, 0, 0.1), joint=fb.Prismatic("x"), mass=1)
    s.body("wheel", on=slider, joint=fb.Revolute("y"), mass=2, inertia=(0.01, 0.02, 0.01))
    s.gear("wheel", s.ground, radii=(0.1, None), axes=(None, "x"), name="mesh")
    q, _ = s.assemble({"wheel": 0.5})
    assert np.allclose(q, [0.05, 0.5])
    assert np.isclose(s.simulate(1.0, u={"wheel": 3.0})["q.slider"][-1], 0.3)


@pytest.mark.parametrize("shaft_angle", [90.0, 70.0, 110.0])
@pytest.mark.parametrize("torque", [5.0, -5.0])
def test_bevel_gears(shaft_angle: float, torque: float) -> None:
    """Axial and radial components F tan α sin δ and F tan α cos δ of the textbooks, away from the apex."""
    s, angle = fb.System("bevel", gravity=(0, 0, 0)), np.radians(shaft_angle)
    along = np.array([np.cos(angle), np.sin(angle), 0])
    pinion = s.body("pinion", at=(0.2, 0, 0), joint=fb.Revolute("x"), mass=1, inertia=(0.5, 1, 1))
    wheel = s.body("wheel", at=0.07 * along, joint=fb.Revolute(tuple(along)), mass=5, inertia=(1, 1, 1))
    s.gear(pinion, wheel, radii=(0.05, 0.1), name="mesh")
    _, u = s.assemble({}, {"pinion": 1.0})
    assert np.isclose(u[1], -0.5)
    _, multipliers, reactions = held(s, {"pinion": torque, "wheel": 2 * torque})
    assert np.allclose(multipliers, torque / 0.05)
    delta = np.arctan(np.sin(angle) / (2 + np.cos(angle)))
    side = 100 * np.tan(ALPHA)
    tangential = torque / 0.05  # on the pinion along −n × ρ = −z
    assert np.allclose(reactions["pinion.force"], [-side * np.sin(delta), side * np.cos(delta), tangential])
    assert np.allclose(reactions["wheel.force"], -reactions["pinion.force"])


def test_a_differential_splits_the_torque() -> None:
    """Half the torque of the cage goes to each side, whatever their speeds."""
    s = fb.System("differential", gravity=(0, 0, 0))
    left = s.body("left", at=(-0.1, 0, 0), joint=fb.Revolute("x"), mass=1, inertia=(0.5, 1, 1))
    right = s.body("right", at=(0.1, 0, 0), joint=fb.Revolute("x"), mass=1, inertia=(0.5, 1, 1))
    cage = s.body("cage", joint=fb.Revolute("x"), mass=2, inertia=(1, 1, 1))
    spider = s.body("spider", on=cage, at=(0, 0.05, 0), joint=fb.Revolute("y"), mass=0.1, inertia=(1e-3, 1e-3, 1e-3))
    s.gear(spider, left, radii=(0.04, 0.05), name="l")
    s.gear(spider, right, radii=(0.04, 0.05), name="r")
    _, u = s.assemble({}, {"left": 3.0, "right": 1.0})
    assert np.isclose(dict(zip(s.derive().u, u, strict=True))["cage"], 2.0)
    _, multipliers, reactions = held(s, {"cage": 20.0, "left": -10.0, "right": -10.0})
    assert np.allclose(np.abs(multipliers), 10 / 0.05)
    assert np.isclose(reactions["left.torque"][0], -10) and np.isclose(reactions["right.torque"][0], -10)


@pytest.mark.parametrize("torque", [10.0, -10.0])
@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("pretension", [0.0, 30.0, 200.0])
def test_belts_load_their_pulleys(torque: float, crossed: bool, pretension: float) -> None:
    """The tensions of both spans along the tangents of the pulleys; a span is slack where pretension is not enough."""
    s = fb.System("belt", gravity=(0, 0, 0))
    one = s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
    other = s.body("other", at=(0.5, 0, 0), joint=fb.Revolute("z"), mass=2, inertia=(1, 1, 0.5))
    s.belt(one, other, (0.1, 0.2), crossed, pretension, name="belt")
    sense = -1 if crossed else 1
    _, u = s.assemble({}, {"one": 1.0})
    assert np.isclose(u[1], sense * 0.5)
    _, multipliers, reactions = held(s, {"one": torque, "other": -sense * 2 * torque})
    assert np.allclose(multipliers, torque / 0.1)
    difference = torque / 0.1
    total = max(2 * pretension, abs(difference))
    kappa = (0.1 + 0.2 if crossed else 0.1 - 0.2) / 0.5
    force = np.zeros(3)
    for side in (1, -1):  # the span above and below the centres
        normal = np.array([kappa, side * np.sqrt(1 - kappa**2), 0])
        ends = 0.1 * normal, np.array([0.5, 0, 0]) + (-0.2 if crossed else 0.2) * normal
        span = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        assert abs(span @ normal) < CLOSE
        force += span * (total + side * difference) / 2
    assert np.allclose(reactions["one.force"], -force) and np.allclose(reactions["other.force"], force)


def test_power_in_is_power_out() -> None:
    """A driven sun and a braked carrier: what the drive gives, the brake takes, at constant speed."""
    s = planetary(3, ring="ground")
    s.joint_force("sun", 10.0, name="drive")
    s.joint_force("carrier", "-30*u.carrier/2", name="brake")
    e = s.derive()
    state = s.assemble({}, {"carrier": 2.0})
    u = dict(zip(e.u, state.u, strict=True))
    assert np.isclose(10 * u["sun"], 30 * u["carrier"])
    assert np.abs(e.compile().forward_dynamics(state.q, state.u)).max() < 1e-9


def test_gears_that_are_shifted_mesh_at_any_angle() -> None:
    s = pair(engaged=False)
    f = s.derive().compile()
    q, u = [0.3, 0.1], [1.0, -0.5]
    free, meshed = (f.forward_dynamics(q, u, [1.0, 0.0], inputs=[x]) for x in (0.0, 1.0))
    assert np.allclose(free, [2, 0]) and np.allclose(0.1 * meshed[0] + 0.2 * meshed[1], 0)
    loads = [
        f.reactions(q, u, a, inputs=[x], multipliers=f.multipliers(q, u, [1.0, 0.0], inputs=[x]))["mesh.force"]
        for a, x in ((free, 0.0), (meshed, 1.0))
    ]
    assert np.allclose(loads[0], 0) and np.linalg.norm(loads[1]) > 1


def test_radii_may_be_parameters() -> None:
    s = fb.System("pair", gravity=(0, 0, 0))
    r, alpha = s.parameters(r=0.1, alpha=ALPHA)
    one = s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
    other = s.body("other", at=(3 * r, 0, 0), joint=fb.Revolute("z"), mass=2, inertia=(1, 1, 0.5))
    s.gear(one, other, radii=(r, 2 * r), pressure_angle=alpha, name="mesh")
    f = s.derive().compile(parameters={"r": 0.2, "alpha": 0.4})
    multipliers = f.multipliers([0, 0], [0, 0], [10.0, 20.0])
    reactions = f.reactions([0, 0], [0, 0], [0, 0], multipliers=multipliers)
    assert np.allclose(multipliers, 50) and np.allclose(reactions["one.force"], [50 * np.tan(0.4), 50, 0])


def test_parameters_that_take_gears_out_of_mesh_are_refused() -> None:
    s = fb.System("pair", gravity=(0, 0, 0))
    r, x = s.parameters(r=0.1, x=0.3)
    one = s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
    other = s.body("other", at=(x, 0, 0), joint=fb.Revolute("z"), mass=2, inertia=(1, 1, 0.5))
    s.gear(one, other, radii=(r, 2 * r), name="mesh")
    text = r"with r = 0.11, x = 0.3 the wheels of 'mesh' do not fit: their axes are off by -9.09 %"
    for run in (
        lambda: s.simulate(0.1, parameters={"r": 0.11}),
        lambda: s.assemble(parameters={"r": 0.11}),
        lambda: s.sweep(0.1, {"r": [0.1, 0.11]}),
    ):
        with pytest.raises(FreebodyError, match=text):
            run()
    assert s.simulate(0.1, parameters={"r": 0.11, "x": 0.33}, u={"one": 1.0}).energy_error < 1e-9


# What is drawn and listed


def test_pitch_circles_and_belts_are_drawn() -> None:
    s = pair()
    s.belt(
        s.body("pulley", at=(0, 1, 0), joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1)),
        "one",
        (0.2, 0.1),
        name="belt",
    )
    s.gear("one", s.body("bar", at=(0, -0.1, 0), joint=fb.Prismatic("x"), mass=1), radii=(0.1, None), name="rack")
    mesh, belt, rack = s.simulate([0, 0.01]).drawing.constraints
    assert [(w.centre.body, w.centre.at, w.along, w.radius) for w in mesh.wheels] == [
        ("one", (0, 0, 0), (0, 0, 1), 0.1),
        ("other", (0, 0, 0), (0, 0, 1), 0.2),
    ]
    (line,) = belt.lines
    points = np.array(line.points)
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    gamma = np.arccos(0.1)
    exact = 2 * np.sqrt(1 - 0.1**2) + 0.2 * (2 * np.pi - 2 * gamma) + 0.1 * 2 * gamma
    assert line.body == "ground" and np.isclose(length, exact, rtol=1e-3) and np.allclose(points[0], points[-1])
    assert len(rack.wheels) == 1 and np.allclose(rack.lines[0].points, [[-np.pi / 10, 0, 0], [np.pi / 10, 0, 0]])
    assert "mesh · gear" in s.diagram().svg


def test_gears_without_shapes_are_discs_and_ring_gears_rings() -> None:
    run = planetary(3).simulate([0, 0.01])
    picture = made_up(run.about, run.drawing)
    names = [element.name for element in run.about.elements]
    circles = [
        (names[line.body], np.linalg.norm(line.points, axis=1).max()) for line in picture.lines if len(line.points) > 50
    ]
    assert all(np.isclose(r, {"sun": 0.1, "ring": 0.2}.get(name, 0.05)) for name, r in circles) and len(circles) == 12
    made = {item.body: item for item in picture.items if item.layer == "bodies"}
    assert {names[k] for k in made} == {"sun", "ring", "carrier", "p0", "p1", "p2"}


def test_tables_have_the_radii(tmp_path: Any) -> None:
    s = pair(stiffness=1e6)
    s.belt("one", "other", (0.1, 0.15), name="belt")
    path = tmp_path / "pair.yaml"
    s.save(path)
    result = CliRunner().invoke(app, ["info", str(path)])
    assert result.exit_code == 0 and "elastic_gear, radii 0.1 m and 0.2 m" in result.output
    assert "belt, radii 0.1 m and 0.15 m" in " ".join(result.output.split())


# What is refused

REFUSED: dict[str, tuple[Any, str]] = {
    "distance": (lambda: pair((0.1, 0.25)), r"'one' and 'other' are 0.3 m apart .* sum of the radii is 0.35 m"),
    "ring": (lambda: pair((0.1, -0.05)), "the ring gear has the radius 0.05, less than that of the gear in it, 0.1"),
    "zero": (lambda: pair((0.0, 0.3)), "the radii are 0 and 0.3; both must be positive"),
    "degrees": (lambda: pair(pressure_angle=20), r"is 20 rad; it must be between 0 and 0.785 rad \(45°\)"),
    "negative": (lambda: pair(pressure_angle=-0.1), "pressure angle is -0.1 rad"),
    "helix": (lambda: pair(helix_angle=1.0), "helix angle is 1 rad; it must be between −0.785 and 0.785"),
    "both racks": (lambda: pair((None, None)), "both radii are missing"),  # type: ignore[arg-type]
    "ratio": (lambda: pair(ratio=2), "leave out ratio and offset, or the radii"),
    "damping": (lambda: pair(damping=2.0), "give stiffness"),
    "stiffness": (lambda: pair(stiffness=-2.0), "the stiffness is -2; it must be positive"),
    "backlash": (lambda: pair(stiffness=2.0, backlash=-1e-3), "the backlash is -0.001 m; it must not be negative"),
    "switched": (lambda: pair(stiffness=2.0, engaged=True), "elastic teeth cannot be switched"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_fields_are_refused(name: str) -> None:
    make, text = REFUSED[name]
    with pytest.raises(FreebodyError, match=text):
        make()


def bodies(joint: Any = None, on: str = "ground", at: Any = (0.3, 0, 0)) -> fb.System:
    s = fb.System("two")
    s.body("one", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
    s.body("other", on=on, at=at, joint=joint, mass=1, inertia=(1, 1, 0.5))
    return s


def test_wrong_positions_and_joints_are_refused() -> None:
    radii = (0.1, 0.2)
    with pytest.raises(
        FreebodyError,
        match=r"gear.axes: 'other' has a weld joint, which is not one that turns about"
        r' one axis; give the axis .* axes=\(None, "z"\)',
    ):
        bodies().gear("one", "other", radii=radii, name="mesh")
    with pytest.raises(FreebodyError, match="'ground' has no joint"):
        bodies().gear("one", "ground", radii=(0.1, -0.2), name="mesh")
    with pytest.raises(FreebodyError, match=r"neither parallel nor do they meet: they pass each other at 0.3 m"):
        bodies(fb.Revolute("x"), at=(0, 0.3, 0)).gear("one", "other", radii=radii)
    with pytest.raises(FreebodyError, match="where the axes meet, so that it is not known on which side the gear is"):
        bodies(fb.Revolute("x"), at=(0.3, 0, 0)).gear("one", "other", radii=radii)
    with pytest.raises(FreebodyError, match="'one' and 'other' turn together, as parts of one shaft"):
        bodies(fb.Weld(), on="one").gear("one", "other", radii=radii, axes=(None, "z"))
    with pytest.raises(FreebodyError, match=r"are 0.0573° from parallel: too much for spur gears"):
        bodies(fb.Revolute((0.001, 0, 1))).gear("one", "other", radii=radii)
    with pytest.raises(FreebodyError, match="positions of 'one' and 'other' are not finite at the zero"):
        bodies(fb.Revolute("z", motion="log(t)")).gear("one", "other", radii=radii)
    with pytest.raises(FreebodyError, match="both wheels belong to 'one'"):
        bodies().gear("one", "one", radii=radii)
    with pytest.raises(FreebodyError, match=r"0.1 m apart along the axis, so that it is not known where"):
        bodies(fb.Revolute("z"), at=(0.3, 0, 0.1)).gear("one", "other", radii=radii)
    with pytest.raises(FreebodyError, match=r"do not keep the distance of their axes.*give a stiffness"):
        bodies(fb.Planar("z")).gear("one", "other", radii=radii)
    with pytest.raises(FreebodyError, match="does not slide"):
        bodies(fb.Weld(), at=(0, -0.1, 0)).gear("one", "other", radii=(0.1, None), axes=(None, "x"))
    with pytest.raises(FreebodyError, match=r"passes 0.2 m from the axis of 'one' .* radius is 0.1 m"):
        bodies(fb.Prismatic("x"), at=(0, -0.2, 0)).gear("one", "other", radii=(0.1, None))
    with pytest.raises(FreebodyError, match="'ground' does not turn in 'ground', where the axes of both"):
        bodies(fb.Revolute("z"), at=(0.1, 0, 0)).gear("other", "ground", radii=(0.1, -0.2), axes=(None, "z"))
    for name, value in {"stiffness": 1e6, "pressure_angle": 0.3, "axes": ("z", "z"), "backlash": 1e-3}.items():
        with pytest.raises(
            ModelError, match=f"'{name}' describes teeth, which a gear by a ratio of coordinates does not have"
        ):
            bodies(fb.Revolute("z")).gear("one", "other", 2, **{name: value})
    with pytest.raises(ModelError, match="give the radii of the pitch circles"):
        bodies(fb.Revolute("z")).gear("one", "other")
    with pytest.raises(FreebodyError, match=r"radii of the pulleys are 0.1 and -0.2; they must be positive"):
        bodies(fb.Revolute("z")).belt("one", "other", (0.1, -0.2))
    with pytest.raises(FreebodyError, match=r"0.3 m apart, not more than the sum of the radii, 0.3 m"):
        bodies(fb.Revolute("z")).belt("one", "other", (0.1, 0.2), crossed=True)
    with pytest.raises(FreebodyError, match=r"0.3 m apart, .* radii, 0.35 m, so that the pulleys overlap"):
        bodies(fb.Revolute("z")).belt("one", "other", (0.2, 0.15))
    with pytest.raises(FreebodyError, match="pretension is -1 N; a belt only pulls"):
        bodies(fb.Revolute("z")).belt("one", "other", (0.1, 0.1), pretension=-1)
    with pytest.raises(FreebodyError, match="are not parallel; a belt needs"):
        bodies(fb.Revolute("x")).belt("one", "other", (0.1, 0.1))
