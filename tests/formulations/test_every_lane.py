"""One law over all lanes: every formulation, every solver and rolled programs give the same accelerations, multipliers,
energies, reactions and projections, for every joint in the tree and every joint that closes a loop, with each of its
options, and for every constraint, in general position; or they refuse the system by name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody import wings
from freebody.errors import ModelError
from freebody.model.constraints import CONSTRAINTS
from freebody.model.joints import JOINTS as KINDS
from freebody.tree.tree import span
from tests.mechanisms.general_position import (
    JOINTS,
    LANES,
    OBLIQUE,
    OTHER,
    At,
    chain,
    closed,
    driven,
    passive,
    quantities,
    random_state,
    two_bodies,
    varying,
)
from tests.mechanisms.sampled import sampled

AGREE = 1e-8
ROLLED = ("aba rolled", "sparse rolled")
ABSOLUTE = ("sparse rolled", "solver sparse", "solver hinge-forces", "solver mixed")
CLOSING = {name: joint for name, joint in JOINTS.items() if name != "free"}
LONG = [pytest.mark.long]
OPTIONS: dict[str, Callable[[Any], dict[str, Any]]] = {"passive": passive, "varying": varying, "driven": driven}


def agree(at: At, lanes: Any = tuple(LANES), every: bool = False) -> None:
    """All these lanes have the quantities of Kane's equations. A lane that has no such equations says which it is."""
    expected = quantities(at.system.derive("kane"), at, every)
    for lane in lanes:
        if lane not in LANES and wings.absent():
            continue
        options = LANES[lane]
        try:
            equations = at.system.derive(**options)
        except ModelError as error:
            named = f"solver '{options['solver']}'" if "solver" in options else options["formulation"]
            assert named in str(error).lower(), (lane, error)
            continue
        for name, value in quantities(equations, at, every).items():
            size = max(1.0, float(np.abs(expected[name]).max(initial=0.0)))
            assert np.abs(value - expected[name]).max(initial=0.0) < AGREE * size, (lane, name)


def test_every_kind_of_joint_and_constraint_is_here() -> None:
    assert {joint.kind for joint in JOINTS.values()} == set(KINDS)
    kinds = {c.kind for connect in CONNECTIONS.values() for c in connected(connect, "a").system.constraints.values()}
    assert kinds | {"close"} == set(CONSTRAINTS)


# Joints that close loops


def some(k: int, *others: bool) -> list[pytest.MarkDecorator]:
    """Of combinations of a few alternatives, one for each k is tested in every run."""
    return [] if all(k // 2**n % 2 == other for n, other in enumerate(others)) else LONG


CASES = [
    pytest.param(joint, first, options, lane, id=f"{name}, {first}, {which}, {lane}",
                 marks=some(k, lane == ROLLED[1], first == "a", which == "varying") if which != "driven" else LONG)
    for k, (name, joint) in enumerate(CLOSING.items())
    for first in ("ground", "a")
    for which, options in OPTIONS.items() if options(joint) or which == "passive"
    for lane in ROLLED
]  # fmt: skip


@pytest.mark.parametrize(("joint", "first", "options", "lane"), CASES)
def test_rolled_programs_have_every_option_of_closing_joints(joint: Any, first: str, options: Any, lane: str) -> None:
    agree(closed(joint, options(joint), first), [lane])


@pytest.mark.long
@pytest.mark.parametrize("first", ["ground", "a"])
@pytest.mark.parametrize("joint", CLOSING.values(), ids=list(CLOSING))
def test_every_lane_has_every_closing_joint(joint: Any, first: str) -> None:
    agree(closed(joint, passive(joint), first), every=True)
    for engaged in (True, False):
        agree(closed(joint, passive(joint), first, engaged), (*ROLLED, "aba", "solver sparse"))


def test_springs_of_closing_joints_change_every_lane() -> None:
    """So that no lane agrees because the reference has none either."""
    joint = JOINTS["cylindrical"]
    with_options, without = (
        quantities(closed(joint, some, "a").system.derive("kane"), closed(joint, some, "a"), True)
        for some in (passive(joint), {})
    )
    assert np.abs(with_options["u_dot"] - without["u_dot"]).max() > 0.1
    assert with_options["potential"] > without["potential"]


# Joints of the tree


@pytest.mark.parametrize("name", sampled([name for name, joint in JOINTS.items() if joint.speeds], 3))
def test_solvers_in_absolute_coordinates_have_every_joint(name: str) -> None:
    lanes = ABSOLUTE[len(name) % 2 :: 2]
    agree(chain(JOINTS[name], passive(JOINTS[name])), lanes[:1])


@pytest.mark.long
@pytest.mark.parametrize("joint", JOINTS.values(), ids=list(JOINTS))
def test_every_lane_has_every_joint(joint: Any) -> None:
    agree(chain(joint, passive(joint)), every=True)
    agree(chain(joint, varying(joint)), (*ROLLED, *ABSOLUTE))
    if not joint.kind.startswith("custom"):
        agree(chain(joint, passive(joint) | {"armature": 0.3}), (*ROLLED, *ABSOLUTE))


@pytest.mark.parametrize("seed", sampled(range(4, 40), 8))
def test_columns_in_any_direction(seed: int) -> None:
    """A body on the ground by a joint that turns and slides in random directions, and another on it."""
    rng = np.random.default_rng(seed)
    a, b = (tuple(row) for row in rng.normal(size=(2, 3)))
    for joint in (
        fb.Simple([*a, *b]),
        fb.Compound(fb.Revolute(a), fb.Prismatic(b)),
        fb.Custom([f"{x}*s" for x in b], turns=[(a, "0.5*s")]),
    ):
        s = fb.System("columns")
        on = s.body("b", joint=joint, mass=1.3, com=(0.2, 0.1, 0.3), inertia=(0.3, 0.4, 0.5))
        s.body(
            "c", on=on, at=(0.5, 0.2, 0.1), joint=fb.Revolute("z"), mass=0.8, com=(0.3, 0, 0.1), inertia=(0.1, 0.2, 0.2)
        )
        n = len(joint.speeds) + 1
        agree(At(s, rng.uniform(-0.5, 0.5, n), rng.uniform(-0.5, 0.5, n)), ABSOLUTE[1:])


# Constraints

Connect = Callable[[fb.System, Any, Any], object]


def wheels(s: fb.System, a: Any, centre: Any, moving: bool = False) -> tuple[Any, Any]:
    """A gear of radius 0.2 and one of 0.3, on a planet carrier or both on a body; their axes are oblique there."""
    turn = {"at": (0.1, 0.2, 0.3), "orient": (OBLIQUE, 0.7)}
    sun = s.body("sun", on=a, joint=fb.Revolute("z"), mass=0.7, com=(0.1, 0, 0.2), inertia=(0.2, 0.3, 0.4), **turn)
    carrier = s.body("carrier", on=a, joint=fb.Revolute("z"), mass=0.4, inertia=(0.3, 0.2, 0.4), **turn)
    joint = fb.Cylindrical("z") if moving else fb.Revolute("z")
    inertia = (0.2, 0.1, 0.2)
    return sun, s.body("planet", on=carrier, at=centre, joint=joint, mass=0.3, com=(0, 0.1, 0.1), inertia=inertia)


def turned_z() -> tuple[float, ...]:
    """The z axis of the wheels along the axes of the body that carries them."""
    return tuple(Rotation.from_rotvec(0.7 * np.array(OBLIQUE) / np.linalg.norm(OBLIQUE)).as_matrix()[:, 2].tolist())


def rack(s: fb.System, a: Any, b: Any) -> None:
    sun, _ = wheels(s, a, (0.3, 0.4, 0))
    bar = s.body("bar", on=a, at=(0.1, 0.2, 0.3), orient=(OBLIQUE, 0.7), mass=0.5)
    slider = s.body("slider", on=bar, at=(0, 0.2, 0), joint=fb.Prismatic("x"), mass=1.0, com=(0.1, 0.1, 0.2))
    s.gear(sun, slider, radii=(0.2, None), helix_angle=0.2)


def bevel(s: fb.System, a: Any, b: Any) -> None:
    _sun, _ = wheels(s, a, (0.3, 0.4, 0))
    s.body("crown", on="carrier", at=(0.4, 0, 0.2), joint=fb.Revolute((0.4, 0, 0.2)), mass=0.2, inertia=(0.1, 0.2, 0.1))
    s.gear(s.bodies["sun"].point((0, 0, 0.1)), "crown", radii=(0.2, 0.3), helix_angle=0.2)


CONNECTIONS: dict[str, Connect] = {
    "rod": lambda s, a, b: s.rod(a.point((0.1, 0.2, 0.3)), b.point((0.3, -0.1, "r")), "k + 0.1*t"),
    "rod to a moving point": lambda s, a, b: s.rod(a.point(("0.1 + 0.2*sin(t)", 0.2, 0.3)), b, 1.3),
    "plane": lambda s, a, b: s.point_on_plane(b.point((0.1, 0.2, 0.3)), a.point((0.2, 0.1, 0.3)), OBLIQUE),
    "contact": lambda s, a, b: s.point_contact(b.point((0.1, 0.2, 0.3)), a.point((0.2, 0.1, 0.3)), OBLIQUE, 0.3,
                                               name="tap", engaged=True),
    "line": lambda s, a, b: s.point_on_line(b.point((0.1, 0.2, 0.3)), a.point((0.2, 0.1, 0.3)), OBLIQUE),
    "surface": lambda s, a, b: s.point_on_surface(b.point((0.1, 0.2, 0.3)), "x**2 + 2*y**2 + x*y*z + z - r", on=a),
    "curve": lambda s, a, b: s.point_on_curve(b.point((0.1, 0.2, 0.3)), ("s", "s**2 + r", "sin(s)"), on=a, start=0.6),
    "blade": lambda s, a, b: s.knife_edge(b.point((0.1, 0.2, 0.3)), OBLIQUE, on=a),
    "ball": lambda s, a, b: s.roll(b.point((0.1, 0.2, 0.3)), a.point((0.2, 0.1, 0.3)), 0.4, normal=OTHER),
    "disc": lambda s, a, b: s.roll(b.point((0.1, 0.2, 0.3)), a, 0.4, axis=OBLIQUE, normal=OTHER),
    "wheel": lambda s, a, b: s.roll(b.point((0.1, 0.2, 0.3)), a, 0.4, axis=OBLIQUE, tyre=0.1, normal=OTHER),
    "coordinates": lambda s, a, b: s.constrain("sin(q.tip) + q.b.x*r - 0.1*t"),
    "speeds": lambda s, a, b: s.constrain("u.b.wx*q.tip - u.tip*2 + 0.3*cos(t)"),
    "velocity of a point": lambda s, a, b: s.constrain(s.velocity(b.point((0.1, 0.2, 0.3))).dot(a.x)),
    "gear": lambda s, a, b: s.gear("b.x", "tip", 1.7),
    "toothed gears": lambda s, a, b: s.gear(*wheels(s, a, (0.3, 0.4, 0)), radii=(0.2, 0.3)),
    "helical gears that slide": lambda s, a, b: s.gear(*wheels(s, a, (0.3, 0.4, 0), True), radii=(0.2, 0.3),
                                                       helix_angle=0.3),
    "ring gear": lambda s, a, b: s.gear(wheels(s, a, (0.3, 0.4, 0))[1], a.point((0.1, 0.2, 0.3)), radii=(0.3, -0.8),
                                        axes=(None, turned_z())),
    "rack": rack,
    "bevel gears": bevel,
    "belt": lambda s, a, b: s.belt(*wheels(s, a, (0.3, 0.4, 0)), (0.2, 0.1), pretension="k"),
}  # fmt: skip


def connected(connect: Connect, first: str) -> At:
    s = two_bodies(5)
    connect(s, s.ground if first == "ground" else s.bodies[first], s.bodies["b"])
    spanned_tree = span(s.freeze())
    return At(s, *random_state(spanned_tree, np.random.default_rng(5)), [0.6] * len(spanned_tree.layout.z))


@pytest.mark.parametrize("name", sampled(CONNECTIONS, 2))
def test_rolled_programs_have_every_constraint(name: str) -> None:
    """Where its equations need not hold: every term counts."""
    agree(connected(CONNECTIONS[name], "a"), [ROLLED[len(name) % 2]])


@pytest.mark.long
@pytest.mark.parametrize("first", ["ground", "a"])
@pytest.mark.parametrize("connect", CONNECTIONS.values(), ids=list(CONNECTIONS))
def test_every_lane_has_every_constraint(connect: Connect, first: str) -> None:
    agree(connected(connect, first), every=True)
