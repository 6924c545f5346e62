"""Contacts as elements: shapes by name, materials, files, names in expressions, warnings, robots, errors."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FreebodyError, RunEndedWarning, SimulationWarning
from freebody.io import dumps, loads, loads_urdf
from tests.contact.systems import G, ball, pair

RUBBER = fb.ContactMaterial(1e4, dissipation=0.5, friction=0.5, name="rubber")


def walker() -> fb.System:
    """A body with three shapes, and a foot with one."""
    s = fb.System("walker")
    shapes = [fb.Sphere(0.1, name="head"), fb.Box(0.1, 0.1, 0.1), fb.Sphere(0.05, at=(0, 0, -0.2), name="tip")]
    body = s.body("body", joint=fb.Free(), mass=1.0, inertia=(0.1, 0.1, 0.1), shape=shapes)
    inertia = {"mass": 0.1, "inertia": (0.01,) * 3}
    s.body("foot", on=body, at=(0, 0, -0.3), joint=fb.Revolute("y"), shape=fb.Sphere(0.02), **inertia)
    return s


def test_shapes_are_known_by_name_or_kind() -> None:
    s = walker()
    body, foot = s.bodies["body"], s.bodies["foot"]
    contacts = [
        s.contact(body.shape("tip"), s.ground.plane(), RUBBER),
        s.contact("body.head", "ground.plane", RUBBER),
        s.contact(body.shape("box"), s.ground.plane(), RUBBER),
        s.contact(foot, "ground.plane", "rubber"),
        s.contact(foot.shape(fb.Sphere(0.01, at=(0.1, 0, 0))), s.ground.plane(at=(0, 0, 0.5)), "rubber"),
    ]
    assert [c.first.name for c in contacts] == ["body.tip", "body.head", "body.box", "foot.sphere", "foot.sphere"]
    assert list(s.freeze().contacts) == [f"contact{k}" for k in range(1, 6)]
    assert len(contacts[2].candidates) == 8 and len(contacts[2].bristles) == 8
    again = loads(dumps(s), fb.System)
    assert again.digest() == s.digest() and dumps(again) == dumps(s)
    assert "between: [body.tip, ground.plane]" in dumps(s)


def test_order_of_files_does_not_count() -> None:
    """A load before a contact, and a stop before both."""
    s = walker()
    s.joint_stop("foot", -1, 1)
    s.joint_force("foot", "-0.1*u.foot", name="damper")
    s.contact("foot", "ground.plane", RUBBER, "floor")
    assert loads(dumps(s), fb.System).digest() == s.digest()


@pytest.mark.parametrize("change", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_copies_have_the_same_digest(change: Any) -> None:
    s = pair()
    assert change(s).digest() == s.digest()
    assert loads(dumps(s), fb.System).digest() == s.digest()
    other = pair()
    other.loads["floor"] = other.loads["touch"]
    assert other.digest() != s.digest()


def test_the_order_of_the_two_shapes_does_not_matter_but_for_the_sign() -> None:
    runs = []
    for ends in (("ball", "ground.plane"), ("ground.plane", "ball")):
        s = fb.System("ball")
        s.body("ball", joint=fb.Free(), mass=1.0, inertia=(0.01,) * 3, shape=fb.Sphere(0.1))
        contact = s.contact(*ends, RUBBER, "floor")
        assert (contact.first_body, contact.second_body) == ("ball", "ground")
        runs.append(s.simulate(1.0, q={"ball.z": 0.2}, u={"ball.vx": 1.0}))
    np.testing.assert_array_equal(runs[0].x, runs[1].x)
    np.testing.assert_array_equal(runs[0]["contact.floor.force"], -runs[1]["contact.floor.force"])


def test_variables_have_names_in_every_expression() -> None:
    s = ball(RUBBER)
    s.output("load", "contact.floor.normal/2")
    s.state("pushed", rate="contact.floor.normal")
    s.controller("watch", {}, states={"worst": "max(worst, contact.floor.normal)"}, rate=1000)
    run = s.simulate(1.0, q={"ball.z": 0.2}, events=[fb.Event("contact.floor.gap", direction=-1)])
    np.testing.assert_allclose(2 * run["load"], run["contact.floor.normal"])
    assert run["z.pushed"][-1] == pytest.approx(G * 1.0 + run["momentum.linear"][-1, 2], abs=1e-6)
    assert run["watch.worst"][-1] == pytest.approx(run["contact.floor.normal"].max(), rel=1e-6)
    fall = np.sqrt(2 * 0.1 / G)
    assert run.events.t[0] == pytest.approx(fall, abs=1e-9)
    point = run["contact.floor.point"][np.argmin(run["contact.floor.gap"])]
    assert point[2] == pytest.approx(run["contact.floor.gap"].min() / 2)


def test_in_components_names_mean_those_of_the_component() -> None:
    s = fb.System("two")
    for name in ("left", "right"):
        with s.component(name):
            s.body("ball", joint=fb.Prismatic("z"), mass=1.0, shape=fb.Sphere(0.1))
            s.contact("ball", "ground.plane", RUBBER, "floor")
            s.output("normal", "contact.floor.normal")
    run = s.simulate(0.5, q={"left.ball": 0.05, "right.ball": 1.0})
    assert run["left.normal"][0] > 0 and run["right.normal"][0] == 0
    assert loads(dumps(s), fb.System).digest() == s.digest()


def test_all_pairs_are_counted() -> None:
    s = walker()
    body, foot = s.bodies["body"], s.bodies["foot"]
    added = s.contacts([body.shape("tip"), foot], [s.ground.plane()], RUBBER)
    assert list(added) == ["body", "foot"]
    more = s.contacts([body.shape("tip"), body.shape("head")], [foot, s.ground.plane(at=(0, 0, 0.1))], RUBBER)
    assert next(iter(more)) == "body_tip_foot_sphere" and len(more) == 4
    with pytest.raises(FreebodyError, match="1 pairs of shapes can touch at 8 points, and the limit is 5"):
        s.contacts([body.shape("box")], [s.ground.plane()], RUBBER, limit=5)
    with pytest.raises(FreebodyError, match="no two shapes of different bodies"):
        s.contacts([body.shape("tip")], [body.shape("head")], RUBBER)


def test_a_pair_in_both_orders_is_one_contact() -> None:
    s = fb.System("parts")
    parts = [s.body(n, joint=fb.Free(), mass=1.0, inertia=(1, 1, 1), shape=fb.Sphere(0.1)) for n in "abc"]
    added = s.contacts(parts, [*parts, s.ground.plane()], RUBBER)
    pairs = [tuple(shape.body for shape in contact.between) for contact in added.values()]
    assert pairs == [("a", "b"), ("a", "c"), ("a", "ground"), ("b", "c"), ("b", "ground"), ("c", "ground")]


def test_flexible_bodies_touch_at_their_nodes() -> None:
    s = fb.System("beam")
    beam = fb.Beam(length=1, EI=20, EA=1e5, GJ=10, density=0.5, damping=0.05)
    boom = s.body("boom", joint=fb.Revolute("y"), at=(0, 0, 0.1), flexible=beam, modes=2)
    s.contact(boom.node("tip").shape(fb.Sphere(0.05)), s.ground.plane(), RUBBER, "tip")
    run = s.simulate(0.5)
    assert run["contact.tip.normal"].max() > 1
    balance = run.energy_balance
    assert balance is not None and balance.error < 1e-6
    assert loads(dumps(s), fb.System).digest() == s.digest()


def test_soft_shapes_are_warned_of() -> None:
    with pytest.warns(
        SimulationWarning, match="stiffness 500 N/m is too low for the weight of 9.81 N; use 2e\\+03 N/m"
    ):
        ball(fb.ContactMaterial(500, dissipation=0.5)).simulate(1.0, q={"ball.z": 0.1})
    with pytest.warns(SimulationWarning, match=r"the impact needs about .* instead of 1e\+04 N/m to stay below 5%"):
        ball(fb.ContactMaterial(1e4)).simulate(1.0, q={"ball.z": 0.5})


def test_a_start_in_which_shapes_overlap_is_named() -> None:
    with pytest.warns(
        SimulationWarning, match=r"at t = 0 s, 600% .*: the run starts like this; .* 0.6 m farther apart"
    ):
        ball(fb.ContactMaterial(1e6, dissipation=0.5)).simulate(0.1, q={"ball.z": -0.5})


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (
            {"k": -1e4},
            r"contact 'floor' the stiffness is -1e\+04 N/m with the parameters of this run.* must be positive",
        ),
        ({"mu": -0.3}, r"contact 'floor' the friction is -0.3 with the parameters of this run.* must not be negative"),
    ],
)
def test_values_of_parameters_that_no_material_has_are_warned_of(values: dict[str, float], text: str) -> None:
    s = fb.System("negative")
    s.parameters(k=1e5, mu=0.3)
    body = s.body("ball", joint=fb.Free(), mass=1.0, inertia=fb.sphere(1.0, 0.1), shape=fb.Sphere(0.1))
    s.contact(body, s.ground.plane(), fb.ContactMaterial("k", friction="mu"), "floor")
    with pytest.warns(SimulationWarning, match=text) as found:
        s.simulate(0.2, q={"ball.z": 0.11}, parameters=values)
    assert not any("overlap" in str(one.message) for one in found)


def test_negative_sizes_are_warned_of() -> None:
    s = fb.System("negative")
    radius = s.parameter("r", 0.1)
    body = s.body("ball", joint=fb.Prismatic("z"), mass=1.0, shape=fb.Sphere(radius))
    s.contact(body, s.ground.plane(), RUBBER, "floor")
    with pytest.warns(SimulationWarning, match=r"'floor' a size of the shapes is -0.1 m with .* must be positive"):
        s.simulate(0.1, q={"ball": 0.2}, parameters={"r": -0.1})


def falling(heavy: str | None, stiffness: float, start: float) -> list[str]:
    """The warnings of a ball of 1 kg that falls, beside a body of 100 kg that is fixed or moves as prescribed."""
    s = fb.System("falling")
    moved = fb.Weld() if heavy is None else fb.Prismatic("x", motion=heavy)
    s.body("carriage", joint=moved, mass=100.0)
    body = s.body("ball", joint=fb.Prismatic("z"), mass=1.0, shape=fb.Sphere(0.1))
    s.contact(body, s.ground.plane(), fb.ContactMaterial(stiffness, dissipation=0.1), "floor")
    with pytest.warns(SimulationWarning) as found:
        s.simulate(0.6, q={"ball": start})
    return [str(one.message) for one in found]


@pytest.mark.parametrize("heavy", [None, "0.1*sin(t)"])
def test_the_weight_is_that_of_what_moves(heavy: str | None) -> None:
    (text,) = falling(heavy, 5000, 0.4)
    assert "the impact needs about" in text and "the weight of 9.81 N alone makes 0.002 m" in text
    (text,) = falling(heavy, 500, 0.1)
    assert "stiffness 500 N/m is too low for the weight of 9.81 N" in text


def test_an_impact_is_no_weight() -> None:
    """The stiffness is too low for the weight as well, but the overlap is several times that at rest."""
    (text,) = falling(None, 900, 0.5)
    assert "the impact needs about" in text and "alone makes 0.011 m" in text


def test_the_balance_on_heightfields_names_its_cause() -> None:
    s = fb.System("hills", gravity=(0, 0, -G))
    heights = [[0.03 * ((3 * i + 5 * j) % 4) for j in range(9)] for i in range(9)]
    body = s.body("ball", joint=fb.Free(), mass=1.0, inertia=fb.sphere(1.0, 0.1), shape=fb.Sphere(0.1))
    s.contact(body, s.ground.shape(fb.Heightfield(heights, 0.25)), fb.ContactMaterial(1e6), "hills")
    with pytest.warns(
        SimulationWarning, match=r"do not balance: .* Contact 'hills' is with a heightfield, whose normal"
    ):
        s.simulate(1.0, q={"ball.z": 0.3}, u={"ball.vx": 0.5})


def test_deleted_contacts_and_stops_can_be_added_again() -> None:
    s = walker()
    for _ in range(2):
        s.contact("foot", "ground.plane", RUBBER, "floor")
        s.joint_stop("foot", -1, 1, name="knee")
        digest = s.digest()
        del s.loads["floor"], s.loads["knee"]
    s.contact("foot", "ground.plane", fb.ContactMaterial(1e4), "floor")
    s.contact("body.tip", "ground.plane", RUBBER, "knee")
    with pytest.raises(FreebodyError, match="'floor' is the name of a load"):
        s.contact("foot", "ground.plane", RUBBER, "floor")
    del s.loads["floor"], s.loads["knee"]
    copied = copy.deepcopy(s)
    copied.contact("foot", "ground.plane", RUBBER, "floor")
    copied.joint_stop("foot", -1, 1, name="knee")
    assert copied.digest() == digest


def test_elements_on_deleted_bodies_are_named() -> None:
    adds: list[tuple[Any, str]] = [
        (
            lambda s, foot: s.contact(foot, "ground.plane", RUBBER, "floor"),
            r"contact 'floor' .* del s.loads\['floor'\]",
        ),
        (lambda s, foot: s.joint_stop(foot, -1, 1, name="knee"), r"joint stop 'knee' .* del s.loads\['knee'\]"),
        (lambda s, foot: s.force(foot.x, at=s.bodies["body"].origin, name="push"), "force 'push' is on body 'foot'"),
        (lambda s, foot: s.rod(foot.origin, s.ground.origin, 1), r"rod 'rod1' .* del s.constraints\['rod1'\]"),
        (lambda s, foot: s.body("toe", on=foot), r"body 'toe' is on body 'foot', which is not in system 'walker' any"),
    ]
    for add, text in adds:
        s = walker()
        add(s, s.bodies["foot"])
        del s.bodies["foot"]
        with pytest.raises(FreebodyError, match=text):
            s.freeze()


def test_points_of_many_pairs_are_those_of_what_is_divided() -> None:
    s = walker()
    shapes = [s.bodies["body"].shape("box"), s.bodies["body"].shape("tip")]
    added = s.contacts(shapes, [s.ground.plane()], RUBBER, points=3)
    assert [len(contact.candidates) for contact in added.values()] == [26, 1]
    assert loads(dumps(s), fb.System).digest() == s.digest()


def test_a_run_that_diverged_is_not_told_to_be_stiffer() -> None:
    with pytest.warns(RunEndedWarning, match="could not go on") as found:
        s = ball(fb.ContactMaterial(1e6, dissipation=0.5, friction=0.4))
        run = s.simulate(2.0, q={"ball.z": 0.3}, u={"ball.vx": 1.0}, method="rk4", step=0.02)
    assert not run.success and not any("overlap" in str(one.message) for one in found)


@pytest.mark.parametrize("first", ["ball", None])
def test_lists_of_shapes_are_lists(first: Any) -> None:
    s = fb.System("one")
    body = s.body("ball", joint=fb.Free(), mass=1.0, inertia=fb.sphere(1.0, 0.1), shape=fb.Sphere(0.1))
    with pytest.raises(FreebodyError, match=r"a list of shapes is needed as first, not .* s.contact\(…\) for one pair"):
        s.contacts(body if first is None else first, [s.ground.plane()], RUBBER)


def test_shapes_that_go_through_each_other_are_warned_of() -> None:
    """A ball meets a thin wall within one step; with the step that the warning names it comes back."""
    s = fb.System("bullet", gravity=(0, 0, 0))
    bullet = s.body("ball", joint=fb.Prismatic("x"), mass=1.0, shape=fb.Sphere(0.01))
    s.contact(bullet, s.body("wall", at=(1, 0, 0), shape=fb.Box(0.01, 1, 1)), fb.ContactMaterial(1e8), "wall")
    with pytest.warns(SimulationWarning, match=r"'wall' the shapes went through each other .* max_step=0.0005"):
        through = s.simulate([0, 1], u={"ball": 10.0})
    assert through["u.ball"][-1] == 10
    assert s.simulate([0, 1], u={"ball": 10.0}, max_step=5e-4)["u.ball"][-1] == pytest.approx(-10, abs=1e-4)


def test_the_summary_tells_overlap_and_slip() -> None:
    run = ball(RUBBER).simulate(1.0, q={"ball.z": 0.11}, u={"ball.vx": 1.0})
    assert "1 contact, overlap up to" in run.summary() and "slides up to" in run.summary()
    run = ball(RUBBER).simulate(0.01, q={"ball.z": 0.2})
    assert "1 contact, none touches" in run.summary()


LINK = """<link name="{0}"><inertial><mass value="{1}"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><origin xyz="0 0 -0.2"/><geometry>{2}</geometry></collision></link>"""
JOINT = """<joint name="{1} joint" type="revolute"><parent link="{0}"/><child link="{1}"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>"""
ROBOT = f"""<robot name="r">{LINK.format("base", 2, '<box size="1 1 0.1"/>')}
{LINK.format("left_foot", 0.1, '<sphere radius="0.03"/>')}{JOINT.format("base", "left_foot")}
{LINK.format("arm", 0.1, '<sphere radius="0.03"/>')}{JOINT.format("base", "arm")}</robot>"""


@pytest.mark.parametrize(
    ("which", "names"),
    [("feet", ["left_foot"]), ("all", ["base", "left_foot", "arm"]), (True, 3), (["arm"], ["arm"]), (None, [])],
)
def test_collision_shapes_of_robots_become_contacts(which: Any, names: Any) -> None:
    expected = 3 if names == 3 else len(names)
    if which is None:
        with pytest.warns(fb.errors.FileWarning, match="collision"):
            s, _ = loads_urdf(ROBOT, fb.System, floating=True)
    else:
        s, _ = loads_urdf(ROBOT, fb.System, floating=True, contacts=which)
    assert len(s.freeze().contacts) == expected
    if isinstance(names, list):
        assert list(s.freeze().contacts) == names
    if which == "feet":
        (contact,) = s.freeze().contacts.values()
        assert contact.material.stiffness == pytest.approx(2.2 * G / 1e-4)
        run = s.simulate(0.1, q={"base.z": 0.24})
        assert run["contact.left_foot.normal"].max() > 0


def test_robots_with_wrong_contacts_are_refused(tmp_path: Path) -> None:
    for which, text in (
        ("hands", "contacts is 'feet', 'all', or a list of names of links"),
        (["hand"], "no link 'hand' has a <collision> shape"),
    ):
        with pytest.raises(FreebodyError, match=text):
            loads_urdf(ROBOT, fb.System, floating=True, contacts=which)
    bare = ROBOT.replace("collision", "visual")
    for text, link in ((bare, "left_foot"), (bare.replace("left_foot", "leg"), "arm")):
        with pytest.raises(FreebodyError, match=rf"no link .*<collision> shape; .*s.bodies\['{link}'\]"):
            loads_urdf(text, fb.System, floating=True, contacts="feet")
    with pytest.raises(FreebodyError, match="material= is that of contacts"):
        loads_urdf(ROBOT, fb.System, floating=True, material=RUBBER)


WRONG: list[tuple[Any, str]] = [
    (
        lambda s: s.contact("body", "ground.plane", RUBBER),
        r"'body' has several shapes; name one of them: head, box, tip",
    ),
    (lambda s: s.contact("body.tail", "ground.plane", RUBBER), r"'body' has no shape 'tail'.*Choose from|Did you mean"),
    (lambda s: s.contact("hand", "ground.plane", RUBBER), r"'hand' is not a body"),
    (lambda s: s.contact(fb.Sphere(1), "ground.plane", RUBBER), r"body\.shape\(fb\.Sphere\(…\)\) is this shape"),
    (lambda s: s.contact("body.tip", "body.head", RUBBER), r"both shapes are of 'body'"),
    (lambda s: s.contact("body.tip", "ground.plane", "steel"), r"there is no contact material 'steel'"),
    (lambda s: s.contact("body.tip", "ground.plane", RUBBER, points=1), r"points"),
    (
        lambda s: s.contact("body.tip", "ground.plane", RUBBER, points=4),
        r"divides nothing where sphere and plane .* boxe",
    ),
    (
        lambda s: s.contacts([s.bodies["body"].shape("tip")], [s.ground.plane()], RUBBER, points=4),
        r"points=4 divides nothing where sphere and plane touch",
    ),
    (
        lambda s: s.contact(s.bodies["foot"].shape(fb.Cylinder(0.1, 0.1)), "ground.plane", RUBBER, points=2),
        r"points=2 divides nothing where cylinder and plane touch: it needs at least 3",
    ),
    (lambda s: fb.ContactMaterial(1e4, friction=-1), r"friction: it is -1; it cannot be negative"),
    (lambda s: s.contact("body.tip", "ground.plane", fb.ContactMaterial(0)), r"it is 0; it must be positive"),
    (
        lambda s: s.contact("body.tip", "ground.plane", fb.ContactMaterial(1, friction=0.5, static_friction=0.3)),
        r"the static friction 0.3 is below the friction 0.5",
    ),
    (lambda s: s.contact("body.tip", "ground.plane", fb.ContactMaterial("q.foot")), r"may depend on numbers and para"),
]


@pytest.mark.parametrize(("call", "text"), WRONG)
def test_wrong_contacts_are_refused(call: Any, text: str) -> None:
    s = walker()
    with pytest.raises(FreebodyError, match=text):
        call(s)
    assert not s.loads


def test_two_materials_of_one_name_are_refused() -> None:
    s = walker()
    s.contact("foot", "ground.plane", RUBBER)
    s.contact("body.tip", "ground.plane", fb.ContactMaterial(1e4, 0.5, 0.5, name="rubber"))
    with pytest.raises(FreebodyError, match="there is another contact material 'rubber'"):
        s.contact("body.head", "ground.plane", fb.ContactMaterial(2e4, name="rubber"))


def test_errors_of_files_have_their_place() -> None:
    text = dumps(walker()) + "contacts:\n  fl: {between: [foot, ground.plane], material: steel}\n"
    with pytest.raises(FreebodyError, match=r"contacts\.fl.*there is no contact material 'steel'"):
        loads(text, fb.System)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("contact", r"loads\.f\.contact: .* contacts: \{NAME: \{between: …, material: …\}\}"),
        ("stop", r"loads\.f\.stop: .* stops: \{NAME: \{on: …\}\}"),
        ("joint_stop", r"loads\.f\.joint_stop: .* stops: "),
    ],
)
def test_contacts_among_the_loads_of_files_are_told_their_section(word: str, text: str) -> None:
    with pytest.raises(FreebodyError, match=text):
        loads(dumps(walker()) + f"loads: {{f: {{{word}: {{on: foot}}}}}}\n", fb.System)
