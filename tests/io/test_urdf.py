"""URDF files: the meaning of links, joints, frames and options."""

from itertools import pairwise
from math import inf, pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError, ModelError
from freebody.io import dumps, loads
from tests.robots import random_robots
from tests.robots.reference_libraries import loaded

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/>'
WEIGHT = f'<inertial><origin xyz="0.1 0.2 0.3"/><mass value="2"/>{INERTIA}</inertial>'
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
QUANTITIES = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias")


def link(name: str, inside: str = WEIGHT) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", inside: str = '<axis xyz="0 0 1"/>') -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*parts: str) -> str:
    return f'<robot name="r">{"".join(parts)}</robot>'


def one(kind: str = "revolute", inside: str = '<axis xyz="0 0 1"/>', **options: Any) -> fb.System:
    """A base and a link on one joint j."""
    return loaded(robot(link("base"), link("arm"), joint("j", "base", "arm", kind, inside)), **options)


def spec(system: fb.System, body: str = "arm") -> Any:
    return system.bodies[body].spec


def number(x: Any) -> float:
    return float(x.graph.number(x.handle))


def place(system: fb.System, body: str, q: Any = ()) -> np.ndarray:
    """R and p of a body as a matrix with 3 rows and 4 columns."""
    s = system.bodies[body]
    values = {"x": s.x, "y": s.y, "z": s.z, "p": system.position(s)}
    for key, value in values.items():
        system.output(f"{body} {key} {len(system.outputs)}", value)
    f = system.derive().compile("numpy")
    found = list(f.outputs(q, np.zeros(len(f.equations.u))).values())[-4:]
    return np.stack(found, axis=-1)


# Joints


@pytest.mark.parametrize(("kind", "made", "q"), [
    ("revolute", fb.Revolute("z"), ("arm",)), ("continuous", fb.Revolute("z"), ("arm",)),
    ("prismatic", fb.Prismatic("z"), ("arm",)), ("planar", fb.Planar("z"), ("arm.x", "arm.y", "arm.angle")),
    ("fixed", fb.Weld(), ()), ("floating", fb.Free(), tuple(f"arm.{k}" for k in POSE)),
])  # fmt: skip
def test_every_joint_of_urdf_is_converted(kind: str, made: Any, q: tuple[str, ...]) -> None:
    system = one(kind)
    assert spec(system).joint == made and system.derive().q == q
    assert system.robot is not None and system.robot.joints["j"].body == "arm" and system.robot.joints["j"].kind == kind


def test_root_is_fixed_or_floating() -> None:
    assert spec(one(), "base").joint == fb.Weld() and spec(one(floating=True), "base").joint == fb.Free()
    assert one(floating=True).derive().u[:6] == ("base.wx", "base.wy", "base.wz", "base.vx", "base.vy", "base.vz")


def test_limits_damping_and_friction_are_read() -> None:
    elements = '<limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.5" friction="0.25"/>'
    system = one(inside=elements)
    kept, found = spec(system).joint, system.robot.joints["j"]  # type: ignore[union-attr]
    assert kept.limits == (-1, 2) and system.values == {"arm.damping": 0.5, "arm.friction": 0.25}
    assert str(kept.damping) == "arm.damping" and str(kept.friction) == "arm.friction"
    assert (found.lower, found.upper, found.effort, found.velocity) == (-1, 2, 30, 4)
    assert (found.damping, found.friction) == (0.5, 0.25)
    bare = one(inside=elements, dynamics=False)
    assert spec(bare).joint.damping == 0 and not bare.values
    f, g = (s.derive().compile("numpy") for s in (system, bare))
    assert np.allclose(g.forward_dynamics([0], [1]) - f.forward_dynamics([0], [1]), 0.75 / f.mass_matrix([0])[0, 0])


@pytest.mark.parametrize(("elements", "limits"), [
    ("", None), ('<limit effort="1" velocity="1"/>', None), ('<limit upper="2"/>', (0, 2)),
    ('<limit lower="-inf" upper="Infinity"/>', None), ('<limit lower="-inf" upper="1"/>', (-inf, 1)),
])  # fmt: skip
def test_limits_may_be_omitted(elements: str, limits: Any) -> None:
    assert spec(one(inside=elements)).joint.limits == limits


def test_continuous_joints_have_no_limits_and_axes_default_to_x() -> None:
    assert spec(one("continuous", '<limit lower="-1" upper="1"/>')).joint == fb.Revolute("x")


def test_axes_are_normalised_and_named_if_along_a_coordinate_axis() -> None:
    assert spec(one(inside='<axis xyz="0 -3 0"/>')).joint.axis == "-y"
    assert spec(one(inside='<axis xyz="1e-12 0 1"/>')).joint.axis == "z"
    assert spec(one(inside='<axis xyz="3 0 4"/>')).joint.axis == (0.6, 0, 0.8)


# Frames


def test_roll_pitch_and_yaw_are_rotations_about_fixed_axes() -> None:
    system = one("fixed", '<origin xyz="1 2 3" rpy="0.3 -0.4 0.5"/>')
    c, s = np.cos, np.sin
    x, y, z = (
        np.array(m)
        for m in (
            [[1, 0, 0], [0, c(0.3), -s(0.3)], [0, s(0.3), c(0.3)]],
            [[c(-0.4), 0, s(-0.4)], [0, 1, 0], [-s(-0.4), 0, c(-0.4)]],
            [[c(0.5), -s(0.5), 0], [s(0.5), c(0.5), 0], [0, 0, 1]],
        )
    )
    rows = spec(system).orient
    assert np.allclose([[number(v) for v in row] for row in rows], z @ y @ x, rtol=0, atol=1e-15)
    assert [number(v) for v in spec(system).at] == [1, 2, 3]


@pytest.mark.parametrize("roll", [1.5707963267948966, 1.57079632679, 1.5707963268, -3 * pi / 2])
def test_quarter_turns_are_exact(roll: float) -> None:
    """The matrix entries are exactly 0 and ±1, so frames share their axes."""
    rows = spec(one("fixed", f'<origin rpy="{roll!r} 0 0"/>')).orient
    assert [[str(v) for v in row] for row in rows] == [["1", "0", "0"], ["0", "0", "-1"], ["0", "1", "0"]]
    assert spec(one("fixed", '<origin rpy="1.5707 0 0"/>')).orient != rows
    assert spec(one("fixed", f'<origin rpy="{2 * pi!r} 0 0"/>')).orient is None


def test_snap_is_an_option() -> None:
    rough = '<origin rpy="1.57079 0 0"/>'
    assert str(spec(one("fixed", rough, snap=1e-4)).orient[1][1]) == "0"
    assert str(spec(one("fixed", '<origin rpy="1.57079632679 0 0"/>', snap=0)).orient[1][1]) != "0"


def quarter(angle: str, **options: Any) -> np.ndarray:
    rows = spec(one("fixed", f'<origin rpy="{angle} 0 0"/>', **options)).orient
    return np.array([[number(v) for v in row] for row in rows])


@pytest.mark.parametrize("decimals", range(6, 17))
def test_snap_is_below_the_tolerances_of_a_run(decimals: int) -> None:
    """π/2 as written in files. Default tolerances of a run are 1e-8 and 1e-10; the default snap moves less than
    1e-11."""
    angle = f"{pi / 2:.{decimals}f}"
    moved = np.abs(quarter(angle) - quarter(angle, snap=0)).max()
    assert moved < 1e-11
    assert (str(spec(one("fixed", f'<origin rpy="{angle} 0 0"/>')).orient[1][1]) == "0") == (decimals > 9)


def test_quarter_turns_of_the_allegro_hand_are_not_snapped() -> None:
    """Its file has 1.5707963259, which is 9e-10 off and not taken for rounding."""
    assert quarter("-1.5707963259")[1][1] == pytest.approx(8.949e-10, rel=1e-4)


def test_rounded_quarter_turns_cost_what_exact_ones_cost() -> None:
    text = (Path(__file__).parents[2] / "examples/robots/panda.urdf").read_text()
    files = text, text.replace(repr(pi / 2), "1.57079632679")
    assert files[0] != files[1]
    costs = [[loaded(t, lock=["panda_finger_joint1"]).derive().operations[q].total for q in QUANTITIES] for t in files]
    assert costs[0] == costs[1]


def test_inertial_frames_rotate_the_inertia() -> None:
    elements = f'<inertial><origin xyz="1 2 3" rpy="0 0 {pi / 2!r}"/><mass value="2"/>{INERTIA}</inertial>'
    found = spec(loaded(robot(link("a", elements))), "a")
    assert [number(v) for v in found.com] == [1, 2, 3] and number(found.mass) == 2
    assert [[number(v) for v in row] for row in found.inertia] == [[2, 0, 0], [0, 1, 0], [0, 0, 2.5]]


# Fixed joints and locked ones


def with_fixed_links() -> str:
    """A chain of three hinges with fixed links in between."""
    rng = np.random.default_rng(3)
    origins = [f'<origin xyz="{rng.normal():.3f} 0.5 0" rpy="{rng.normal():.3f} 0 0"/>' for _ in range(6)]
    axis = '<axis xyz="0 0 1"/>'
    links = "".join(link(n) for n in "abcdefg")
    kinds = ("revolute", "fixed", "revolute", "fixed", "fixed", "revolute")
    ends = zip(pairwise("abcdefg"), kinds, origins, strict=True)
    return robot(links, *(joint(f"j{child}", parent, child, kind, at + axis) for (parent, child), kind, at in ends))


def test_fixed_joints_cost_nothing() -> None:
    """The operation counts equal those of the robot whose fixed links were merged by hand."""
    system = loaded(with_fixed_links())
    assert [spec(system, b).parent for b in "bcdefg"] == ["ground", "b", "b", "d", "d", "d"]
    by_hand = fb.System("merged")
    for name in "bdg":
        group = {"b": "bc", "d": "def", "g": "g"}[name]
        mass, com, J = summed(system, group)
        r = spec(system, name)
        on = by_hand.ground if r.parent == "ground" else by_hand.bodies[r.parent]
        at, orient = [number(v) for v in r.at], [[number(v) for v in row] for row in r.orient]
        by_hand.body(name, on=on, at=at, orient=orient, joint=r.joint, mass=mass, com=com, inertia=J)
    costs = [[s.derive().operations[q].total for q in QUANTITIES] for s in (system, by_hand)]
    assert costs[0] == costs[1]
    q, u = [0.1, 0.2, 0.3], [0.4, 0.5, 0.6]
    f, g = (s.derive().compile("numpy") for s in (system, by_hand))
    assert np.allclose(f.forward_dynamics(q, u), g.forward_dynamics(q, u), rtol=1e-12)


def summed(system: fb.System, names: str) -> tuple[float, Any, Any]:
    """Mass, mass centre and inertia of several bodies as one, in the axes of the first."""
    m, h, about = 0.0, np.zeros(3), np.zeros((3, 3))
    for name in names:
        r = spec(system, name)
        R = np.eye(3) if name == names[0] or r.orient is None else np.array([[number(v) for v in w] for w in r.orient])
        p = np.zeros(3) if name == names[0] else np.array([number(v) for v in r.at])
        c = p + R @ [number(v) for v in r.com]
        J = R @ [[number(v) for v in w] for w in r.inertia] @ R.T
        m, h = m + number(r.mass), h + number(r.mass) * c
        about = about + J + number(r.mass) * (c @ c * np.eye(3) - np.outer(c, c))
    c = h / m
    return m, c, about - m * (c @ c * np.eye(3) - np.outer(c, c))


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
def test_locked_joints_fix_their_child_at_the_given_position(kind: str) -> None:
    elements = '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="1 2 2"/>'
    free, held = one(kind, elements), one(kind, elements, lock={"j": 0.7})
    assert held.derive().u == () and held.robot.joints["j"].locked == 0.7  # type: ignore[union-attr]
    assert np.allclose(place(held, "arm"), place(free, "arm", [0.7]), rtol=0, atol=1e-14)
    assert np.allclose(place(one(kind, elements, lock=["j"]), "arm"), place(free, "arm", [0.0]), rtol=0, atol=1e-14)


FINGERS = robot(
    link("hand"), link("left"), link("right"), link("tip"), joint("l", "hand", "left", "prismatic"),
    joint("r", "hand", "right", "prismatic", '<mimic joint="l" multiplier="-2" offset="0.5"/><axis xyz="0 0 1"/>'),
    joint("x", "right", "tip", "prismatic", '<mimic joint="r" multiplier="3" offset="1"/><axis xyz="0 0 1"/>'),
)  # fmt: skip


def test_mimics_of_locked_joints_are_fixed_by_their_law() -> None:
    """Along a chain of laws: r = −2·l + 0.5, x = 3·r + 1."""
    held = loaded(FINGERS, lock={"l": 0.1})
    values = [j.locked for j in held.robot.joints.values()]  # type: ignore[union-attr]
    assert np.allclose(values, [0.1, 0.3, 1.9])
    zero = loaded(FINGERS, mimic="lock")
    assert [zero.robot.joints[n].locked for n in "lrx"] == [None, 0.5, 2.5]  # type: ignore[union-attr]
    assert zero.derive().u == ("left",)
    assert loaded(FINGERS, lock=["r"], mimic="lock").derive().u == ("left",)


def test_mimics_may_be_independent_and_the_law_is_stored() -> None:
    free = loaded(FINGERS, mimic="free")
    assert free.derive().u == ("left", "right", "tip")
    law = free.robot.joints["r"].mimic  # type: ignore[union-attr]
    assert law is not None and (law.joint, law.multiplier, law.offset) == ("l", -2, 0.5)
    with pytest.raises(ModelError, match="mimic must be 'couple', 'lock' or 'free', not 'all'"):
        loaded(FINGERS, mimic="all")


def test_missing_leader_is_accepted_if_the_follower_is_locked_or_free() -> None:
    """r = −2·lost + 0.5, x = 3·r + 1."""
    orphans = FINGERS.replace('mimic joint="l"', 'mimic joint="lost"')
    assert loaded(orphans, mimic="free").derive().u == ("left", "right", "tip")
    held = loaded(orphans, mimic="lock")
    assert [held.robot.joints[n].locked for n in "lrx"] == [None, 0.5, 2.5]  # type: ignore[union-attr]
    with pytest.raises(FileError, match=r"'lost', which is not a joint of this robot; .* mimic='free' or mimic='lock'"):
        loaded(orphans)


def test_locks_are_checked() -> None:
    with pytest.raises(ModelError, match=r"'elbw' cannot be locked: it is not a joint of robot 'r'\. Choose from j\."):
        one(lock=["elbw"])
    with pytest.raises(ModelError, match="joint 'j' is floating; it can be locked at 0 alone, not at 1"):
        one("floating", lock={"j": 1})
    assert one("floating", lock="j").derive().u == ()


# Masses


def test_masses_may_be_parameters() -> None:
    text = random_robots.robot(5, kinds=random_robots.HINGES)
    plain, named = loaded(text), loaded(text, parameters=True)
    heavy = [name for name, link in named.robot.links.items() if not link.inertial.zero]  # type: ignore[union-attr]
    assert not plain.values and len(named.values) == 10 * len(heavy)
    assert {f"{heavy[0]}.{k}" for k in ("mass", "com.x", "inertia.yz")} <= {*named.values}
    f, g = (s.derive().compile("numpy") for s in (plain, named))
    n = len(plain.derive().u)
    q, u = np.random.default_rng(0).normal(size=(2, n))
    assert np.allclose(f.forward_dynamics(q, u), g.forward_dynamics(q, u), rtol=1e-11)


def test_rounding_in_a_file_is_not_a_negative_moment() -> None:
    """As in icub's files: zeros except for 1.4e-20, with a mass of 0.1 kg."""
    noise = '<inertia ixx="0" ixy="1.4e-20" ixz="0" iyy="0" iyz="0" izz="0"/>'
    assert loaded(robot(link("a", f'<inertial><mass value="0.1"/>{noise}</inertial>'))).bodies["a"]
    with pytest.raises(FileError, match=r"link 'a': inertia: the principal moment -1e-12 is negative"):
        loaded(robot(link("a", f'<inertial><mass value="0.1"/>{noise.replace("1.4e-20", "1e-12")}</inertial>')))


def test_moving_links_may_be_massless_if_a_child_has_mass() -> None:
    system = loaded(
        robot(
            link("a"),
            link("b", ""),
            link("c"),
            joint("j", "a", "b"),
            joint("k", "b", "c", inside='<axis xyz="0 1 0"/>'),
        )
    )
    assert system.derive().compile("numpy").mass_matrix([0.1, 0.2]).shape == (2, 2)


def test_impossible_inertias_are_accepted_on_request() -> None:
    elements = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="5"/></inertial>'
    text = robot(link("a"), link("b", elements), joint("j", "a", "b"))
    assert float(loaded(text, physical=False).derive().compile("numpy").mass_matrix([0])[0, 0]) == 5


# Shapes


def test_visuals_are_read_with_their_poses() -> None:
    turned = '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
    shapes = (
        '<box size="1 2 3"/>',
        '<cylinder radius="0.1" length="0.2"/>',
        '<sphere radius="0.3"/>',
        '<mesh filename="package://r/a.stl" scale="0.001 0.001 0.001"/>',
        '<mesh filename="b.dae" scale="1 -1 1"/>',
        '<capsule radius="1" length="2"/>',
        '<torus radius="1"/>',
    )
    elements = "".join(f"<visual>{turned}<geometry>{s}</geometry><material name='x'/></visual>" for s in shapes)
    system = loaded(robot(link("a", WEIGHT + elements), link("b"), joint("j", "a", "b")))
    where: Any = {"at": (1, 2, 3), "rpy": (0.1, 0.2, 0.3)}
    assert spec(system, "a").shape == (
        fb.Box(1, 2, 3, **where),
        fb.Cylinder(0.1, 0.2, **where),
        fb.Sphere(0.3, **where),
        fb.Mesh("package://r/a.stl", 0.001, folders=(), **where),
        fb.Mesh("b.dae", (1, -1, 1), folders=(), **where),
        fb.Capsule(1, 2, **where),
    )
    assert spec(system, "b").shape is None
    drawn = system.simulate(0.01).about.elements[0].shape
    assert drawn is not None and drawn["kind"] == "group" and drawn["parts"][4]["scale"] == [1, -1, 1]
    assert drawn["parts"][0]["rpy"] == [0.1, 0.2, 0.3]
    assert loads(dumps(system), fb.System).digest() == system.digest()


def test_colours_of_visuals_and_folders_of_meshes(tmp_path: Path) -> None:
    """A material has its colour in the visual, in the robot, or in an earlier visual."""
    materials = (
        '<material name="red"/>',
        '<material name="own"><color rgba="0 0.5 2 0.25"/></material>',
        '<material name="own"/>',
        '<material name="unknown"/>',
        "",
    )
    visuals = "".join(
        f'<visual name="v{k}"><geometry><sphere radius="1"/></geometry>{m}</visual>' for k, m in enumerate(materials)
    )
    mesh = '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'
    root = '<material name="red"><color rgba="1 0 0 1"/></material>'
    text = robot(root, link("a", WEIGHT + visuals), link("b", WEIGHT + mesh), joint("j", "a", "b"))
    shapes = spec(loaded(text), "a").shape
    assert [s.name for s in shapes] == ["v0", "v1", "v2", "v3", "v4"]
    own = ((0, 0.5, 1), 0.25)
    assert [(s.color, s.opacity) for s in shapes] == [((1, 0, 0), 1), own, own, (None, 1), (None, 1)]
    (tmp_path / "more").mkdir()
    (tmp_path / "r.urdf").write_text(text)
    run = fb.load(tmp_path / "r.urdf", meshes=[tmp_path / "more"]).simulate(0.01)
    drawn = run.about.elements[1].shape
    assert drawn is not None and drawn["folders"] == [str(tmp_path), str(tmp_path / "more")]
    run.save(tmp_path / "run.nc")
    assert str(tmp_path).encode() not in (tmp_path / "run.nc").read_bytes()
    assert "folders" not in fb.Trajectory.load(tmp_path / "run.nc").about.elements[1].shape  # type: ignore[operator]
    with pytest.raises(FileError, match=r"nowhere: there is no such folder to search in"):
        fb.load(tmp_path / "r.urdf", meshes=tmp_path / "nowhere")
    wrong = text.replace("0 0.5 2 0.25", "0 0.5 2")
    with pytest.raises(FileError, match=r"link 'a' visual 'v1' material 'own' color rgba.*four numbers are needed"):
        loaded(wrong)


# Names, order, files


def test_unusual_names_work_everywhere() -> None:
    """In bodies, coordinates and parameters; names with another meaning in a system are extended."""
    text = random_robots.robot(3, links=11, kinds=random_robots.HINGES, odd=True, dynamics=True)
    system = loaded(text, parameters=True)
    assert system.robot is not None
    for name, found in system.robot.links.items():
        assert found.body == (f"{name} link" if name in ("ground", "t") else name) and found.body in system.bodies
    f = system.derive().compile("numpy")
    n = len(f.equations.u)
    assert np.isfinite(f.forward_dynamics(np.zeros(n), np.ones(n))).all()
    assert loads(dumps(system), fb.System).digest() == system.digest()
    assert all(word.isidentifier() for name in system.values for word in name.split("."))


def test_parameters_never_have_the_name_of_a_coordinate() -> None:
    """Link q has a damping, and link damping a coordinate: q.damping."""
    inside = '<axis xyz="0 0 1"/><dynamics damping="1"/>'
    text = robot(link("a"), link("q"), link("damping"), joint("j", "a", "q", inside=inside), joint("k", "q", "damping"))
    assert loaded(text).values == {"_q.damping": 1.0}


def test_branches_are_in_the_order_of_the_file() -> None:
    text = robot(
        joint("z", "a", "b"), joint("y", "a", "c"), joint("x", "b", "d"), link("d"), link("c"), link("b"), link("a")
    )
    system = loaded(text)
    assert list(system.bodies) == ["a", "b", "d", "c"]
    assert fb.layout(system, "pinocchio").joints == ("y", "z", "x")


@pytest.mark.slow
def test_long_chains_need_no_recursion() -> None:
    names = [f"l{k}" for k in range(3000)]
    text = robot(*map(link, names), *(joint(f"j{b}", a, b, "fixed") for a, b in pairwise(names)))
    assert len(loaded(text).bodies) == 3000


def test_files_are_loaded_by_their_suffix(tmp_path: Path) -> None:
    path = tmp_path / "Arm.URDF"
    path.write_text(robot(link("a"), link("b"), joint("j", "a", "b")))
    system = fb.load(path, floating=True)
    assert isinstance(system, fb.System) and len(system.derive().u) == 7 and system.name == "r"
    assert system.robot is not None and system.robot.floating
    (tmp_path / "arm.yaml").write_text(dumps(system))
    assert fb.load(tmp_path / "arm.yaml").robot is None
    with pytest.raises(ModelError, match=r"arm\.yaml: 'floating' is an option of \.urdf files"):
        fb.load(tmp_path / "arm.yaml", floating=True)


def test_gravity_points_down_and_the_declared_encoding_of_a_string_is_ignored() -> None:
    system = loaded('<?xml version="1.0" encoding="ISO-8859-1"?>' + robot(link("é")))
    assert list(system.bodies) == ["é"] and str(system.gravity) == "-9.81·ground3"


# Loops


def bar(xyz: str) -> str:
    return f'<inertial><origin xyz="{xyz}"/><mass value="1"/>{INERTIA}</inertial>'


FOUR_BAR = (
    link("base"), link("crank", bar("0 0 0.5")), link("coupler", bar("0.5 0 0")), link("rocker", bar("0 0 0.5")),
    link("tip", ""),
    joint("a", "base", "crank", inside='<axis xyz="0 1 0"/>'),
    joint("b", "crank", "coupler", inside='<origin xyz="0 0 1"/><axis xyz="0 1 0"/>'),
    joint("c", "base", "rocker", inside='<origin xyz="1 0 0"/><axis xyz="0 1 0"/>'),
    joint("d", "coupler", "tip", "fixed", '<origin xyz="0.7 0.2 0" rpy="0.3 0.4 1.5707963267948966"/>'),
)  # fmt: skip
"""A crank, a coupler and a rocker; the link "tip" is fixed to the coupler, turned."""


def loop(kind: str, one: str, other: str, inside: str = '<axis xyz="0 1 0"/>', name: str = "pin") -> str:
    return f'<loop_joint name="{name}" type="{kind}"><link1 {one}/><link2 {other}/>{inside}</loop_joint>'


def rows(s: fb.System) -> tuple[Any, ...]:
    """phi, G, gamma and u̇ at a state that is not assembled, whose axes are parallel."""
    f = s.derive("kane").compile("numpy")
    q, u = [0.3, -0.1, 0.2], [0.5, 0.2, -0.7]
    at = f.constraint(q, u)
    return at["phi"], at["G"], at["gamma"], f.forward_dynamics(q, u)


def test_loop_joints_close_loops() -> None:
    """The same as the loop that Python closes between the same bodies."""
    ends = 'link="coupler" xyz="1 0 0"', 'link="rocker" xyz="0 0 1" rpy="0 0.5 0"'
    s = loaded(robot(*FOUR_BAR, loop("revolute", *ends)))
    twin = loaded(robot(*FOUR_BAR))
    coupler, rocker = (twin.bodies[n] for n in ("coupler", "rocker"))
    twin.close(coupler.point((1, 0, 0)), rocker.point((0, 0, 1)), fb.Revolute("y"), None, ("y", 0.5), "pin")
    assert [*s.constraints] == ["pin"] and s.constraints["pin"].joint.kind == "revolute"
    assert all(np.allclose(a, b, atol=1e-13) for a, b in zip(rows(s), rows(twin), strict=True))
    assert s.robot.loops["pin"].links == ("coupler", "rocker") and s.robot.loops["pin"].line == 1
    option = loaded(robot(*FOUR_BAR), close={"pin": (("coupler", (1, 0, 0)), ("rocker", (0, 0, 1)), fb.Revolute("y"))})
    assert all(np.allclose(a, b, atol=1e-13) for a, b in zip(rows(option), rows(twin), strict=True))
    assert loads(dumps(s), fb.System).digest() == s.digest()


def test_ends_of_loops_on_fixed_links_are_in_the_frames_of_these_links() -> None:
    """The point (1, 0, 0) of the coupler, written in the frame of a link that is fixed to it."""
    pose = loaded(robot(*FOUR_BAR)).bodies["tip"].spec
    R = np.array([[number(x) for x in row] for row in pose.orient])
    p = np.array([number(x) for x in pose.at])
    at = R.T @ (np.array([1.0, 0, 0]) - p)
    axis = R.T @ np.array([0.0, 1.0, 0])
    text = lambda v: " ".join(repr(float(x)) for x in v)  # noqa: E731
    s = loaded(robot(*FOUR_BAR, loop("spherical", f'link="tip" xyz="{text(at)}"', 'link="rocker" xyz="0 0 1"')))
    twin = loaded(robot(*FOUR_BAR), close={"pin": (("coupler", (1, 0, 0)), ("rocker", (0, 0, 1)), fb.Spherical())})
    by_option = loaded(robot(*FOUR_BAR), close={"pin": (("tip", tuple(at)), ("rocker", (0, 0, 1)), "spherical")})
    assert np.allclose(rows(s)[3], rows(twin)[3], atol=1e-11)
    assert np.allclose(rows(by_option)[3], rows(twin)[3], atol=1e-11)
    ends = f'link="tip" xyz="{text(at)}"', f'link="rocker" xyz="0 0 1" rpy="{text(_rpy(R))}"'
    hinge = loaded(robot(*FOUR_BAR, loop("revolute", *ends, f'<axis xyz="{text(axis)}"/>')))
    assert np.allclose(rows(hinge)[3], rows(twin)[3], atol=1e-11)


def _rpy(R: np.ndarray) -> tuple[float, float, float]:
    """Roll, pitch and yaw of R = Rz Ry Rx."""
    return np.arctan2(R[2, 1], R[2, 2]), -np.arcsin(R[2, 0]), np.arctan2(R[1, 0], R[0, 0])


@pytest.mark.parametrize(("kind", "equations"), [
    ("fixed", 6), ("revolute", 5), ("continuous", 5), ("prismatic", 5), ("cylindrical", 4), ("planar", 3),
    ("spherical", 3), ("floating", 0),
])  # fmt: skip
def test_loops_of_every_type(kind: str, equations: int) -> None:
    """Two free bodies: each equation of the joint remains."""
    free = [link(name) for name in ("base", "a", "b")] + [joint(f"to {n}", "base", n, "floating") for n in "ab"]
    s = loaded(robot(*free, loop(kind, 'link="a" xyz="1 0 0" rpy="0.1 0.2 0.3"', 'link="b"', '<axis xyz="0 1 1"/>')))
    assert len(s.derive("kane").derivation.constraints.names) == equations


def test_loops_on_a_floating_robot_and_with_coupled_joints() -> None:
    ends = 'link="coupler" xyz="1 0 0"', 'link="rocker" xyz="0 0 1"'
    s = loaded(robot(*FOUR_BAR, loop("revolute", *ends)), floating=True)
    assert s.derive("kane").degrees_of_freedom == 7
    locked = loaded(robot(*FOUR_BAR, loop("revolute", *ends)), lock=["c"])
    assert locked.derive("kane").degrees_of_freedom == 0
