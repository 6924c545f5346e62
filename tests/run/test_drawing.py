"""What pictures need to know of a system, against its motion."""

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.drawing import Anchor, Drawing
from freebody.errors import ArgumentError
from freebody.results.about import About
from freebody.results.drawing_data import from_plain, to_plain
from freebody.run.bodies import body_infos
from freebody.run.drawing import drawing
from freebody.viewer.constraint_symbols import SYMBOLS
from freebody.viewer.default_shapes import made_up

JOINTS = {
    "revolute": fb.Revolute((1, 2, 3)), "prismatic": fb.Prismatic((3, 1, 2)), "cylindrical": fb.Cylindrical("y"),
    "screw": fb.Screw("z", pitch=0.1), "universal": fb.Universal(), "spherical": fb.Spherical(), "planar": fb.Planar(),
    "weld": fb.Weld(),
}  # fmt: skip


def rotation(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def chain(joint: Any) -> fb.System:
    s = fb.System("chain")
    (l,) = s.parameters(l=0.7)
    base = s.body("base", joint=fb.Revolute("x"), mass=2, inertia=(1, 2, 2.5), com=(0.1, 0, l))
    s.body("arm", on=base, at=(0.1, -l, 0.3), orient=("z", 0.4), joint=joint, mass=1, com=(l, 0, 0), inertia=(1, 1, 1))
    return s


def place(run: fb.Trajectory, anchor: Anchor, row: int) -> np.ndarray:
    if anchor.body == "ground":
        return np.array(anchor.at)
    pose = run.poses[anchor.body][row]
    return pose[:3] + rotation(pose[3:]) @ anchor.at


@pytest.mark.parametrize("kind", JOINTS)
def test_joints_are_drawn_where_they_move_their_bodies(kind: str) -> None:
    """At its zero the child's frame is the joint's frame; a small speed moves it along the axis that is drawn."""
    s = chain(JOINTS[kind])
    run = s.simulate([0, 1e-7])
    assert run.drawing is not None
    joint = run.drawing.bodies[1].joint
    start = run.poses["arm"][0]
    base = rotation(run.poses["base"][0][3:])
    assert joint.kind == kind and np.allclose(place(run, joint.anchor, 0), start[:3], atol=1e-12)
    assert np.allclose(base @ rotation(np.array(joint.turn)), rotation(start[3:]), atol=1e-12)
    names = run.about.bodies["arm"].u
    assert len(joint.axes) == len(names)
    for name, axis in zip(names, joint.axes, strict=True):
        moved = s.simulate([0, 1e-6], u={name: 1.0}, method="rk4", step=1e-6).poses["arm"]
        body = rotation(run.poses[axis.anchor.body][0][3:])
        turn = rotation(moved[1][3:]) @ rotation(moved[0][3:]).T / 2e-6
        spin = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        rate = (moved[1] - moved[0])[:3] / 1e-6
        along = rate if axis.kind == "slide" else spin
        assert np.allclose(body @ axis.along, along, atol=2e-4)
        assert axis.kind == ("slide" if not np.any(np.abs(spin) > 1e-3) else "screw" if kind == "screw" else "turn")


def loaded() -> fb.System:
    s = chain(fb.Revolute("y"))
    base, arm = s.bodies["base"], s.bodies["arm"]
    push = s.input("push")
    s.spring(base.point((0, 0, 1)), s.ground.point((1, 0, 0)), stiffness=3, free_length=1, name="coil")
    s.force_between(arm, s.ground, "2*rate", name="dashpot")
    s.force(push * s.ground.x, at=arm.point((1, 2, 3)), name="push force")
    s.torque(push, on=arm, reaction=base, about=arm.y, name="motor")
    s.joint_force(base, push, name="drive")
    s.rod(arm.point((1, 0, 0)), s.ground.point((0, 0, 3)), length=3.0, name="stay")
    return s


def test_loads_and_constraints_are_anchored_in_their_bodies() -> None:
    s = loaded()
    drawing = s.simulate(0.01, inputs={"push": 2.0}).drawing
    assert drawing is not None
    loads = {load.name: load for load in drawing.loads}
    assert loads["coil"].style == "spring" and loads["dashpot"].style == "damper"
    assert loads["coil"].ends == (Anchor("base", (0, 0, 1)), Anchor("ground", (1, 0, 0)))
    (arrow,) = loads["push force"].arrows
    assert arrow.anchor == Anchor("arm", (1, 2, 3)) and arrow.variable == "load.push force"
    acting, reaction = loads["motor"].arrows
    assert (acting.anchor.body, acting.sign, reaction.anchor.body, reaction.sign) == ("arm", 1, "base", -1)
    (drive,) = loads["drive"].arrows
    assert drive.kind == "torque" and np.allclose(drive.along, (1, 0, 0)) and drive.frame == "ground"
    (stay,) = drawing.constraints
    assert stay.kind == "rod" and stay.start == Anchor("arm", (1, 0, 0)) and stay.end == Anchor("ground", (0, 0, 3))


def every_constraint() -> fb.System:
    """All constraints that have a picture and no wheels."""
    s = chain(fb.Revolute("y"))
    base, arm = s.bodies["base"], s.bodies["arm"]
    s.close(arm.point((1, 0, 0)), base.point((0, 0, 1)), fb.Universal(), name="hook")
    s.rod(arm.point((1, 0, 0)), s.ground.point((0, 0, 3)), length=3.0, name="stay")
    s.point_on_line(arm.point((0, 1, 0)), base, (1, 2, 2), name="rail")
    s.point_on_plane(arm, s.ground.point((0, 0, 1)), name="table")
    s.point_on_surface(arm, "x**2 + y**2 + z**2 - 1", name="dome")
    s.point_on_curve(arm.point((0, 0, 1)), ("s", "s**2", "0"), on=base, name="groove")
    s.knife_edge(arm, "y", name="skate")
    s.roll(arm.point((0, 1, 0)), s.ground, 0.4, axis="y", engaged=False, name="wheel")
    s.constrain("q.arm - 0.1", name="law")
    return s


def test_facts_of_earlier_runs_have_symbols() -> None:
    """Version 0.1 stored no symbols: they follow from the kinds, and a picture is as it was."""
    stored = json.loads((Path(__file__).parent / "drawing_of_version_0_1.json").read_text())
    eq = every_constraint().derive("kane")
    about = About("chain", "", body_infos(eq.derivation, eq.values), (), ())
    assert not any("symbol" in c for c in stored["constraints"])
    earlier, today = from_plain(stored, about), drawing(eq.derivation, eq.values)
    kinds = {c.kind: c.symbol for c in today.constraints}
    assert kinds.pop("expression") == "" and set(kinds.values()) == set(SYMBOLS)
    assert [(c.name, c.kind, c.symbol) for c in earlier.constraints] == [
        (c.name, c.kind, c.symbol) for c in today.constraints
    ]
    pictures = [made_up(about, one) for one in (earlier, today)]
    assert pictures[0].notes == pictures[1].notes
    assert len(pictures[0].items) == len(pictures[1].items) > 20
    for one, other in zip(*(picture.items for picture in pictures), strict=True):
        assert one.layer == other.layer and np.allclose(one.transform, other.transform, atol=1e-12)


def flexible() -> fb.System:
    s = fb.System("boom")
    beam = fb.Beam(length=10, EA=2.8e7, EI=(1.4e4, None), density=1.2)
    boom = s.body("boom", joint=fb.Revolute("z"), flexible=beam, modes=4)
    s.body("tip mass", on=boom.node("tip"), mass=2.0)
    return s


def test_flexible_bodies_have_meshes_and_mass_centres() -> None:
    drawing: Drawing | None = flexible().simulate(0.01).drawing
    assert drawing is not None
    beam, node, _ = drawing.bodies
    assert np.allclose(beam.com, (5, 0, 0)) and np.allclose(beam.inertia[1:3], 1.2 * 10**3 / 12)
    assert node.joint.anchor == Anchor("boom", (10, 0, 0))
    mesh = drawing.meshes["boom"]
    assert mesh.shapes.shape == (*mesh.points.shape, 4) and mesh.triangles.max() < len(mesh.points)
    assert mesh.coordinates == ("boom.m1", "boom.m2", "boom.m3", "boom.m4")


@pytest.mark.parametrize("suffix", ["nc", "parquet", "pickle"])
def test_runs_keep_what_pictures_need(tmp_path: Path, suffix: str) -> None:
    """In files, and in other processes."""
    run = flexible().simulate(0.01)
    if suffix == "pickle":
        loaded = pickle.loads(pickle.dumps(run))
    else:
        loaded = fb.Trajectory.load(run.save(tmp_path / f"run.{suffix}"))
    assert run.drawing is not None and loaded.drawing is not None and loaded.equations is None
    assert loaded.drawing.bodies == run.drawing.bodies and loaded.drawing.gravity == run.drawing.gravity
    mesh, stored = run.drawing.meshes["boom"], loaded.drawing.meshes["boom"]
    assert np.allclose(stored.shapes, mesh.shapes, rtol=1e-6) and np.array_equal(stored.triangles, mesh.triangles)


def test_damaged_meshes_are_refused() -> None:
    run = flexible().simulate(0.01)
    assert run.drawing is not None
    plain = json.loads(json.dumps(to_plain(run.drawing)))
    for field, key, value in [
        ("points", "shape", [10**9, 10**9]),
        ("points", "shape", [83, 3]),
        ("points", "data", "AAAA"),
        ("triangles", "kind", "<f8"),
        ("shapes", "shape", [84, 3, -4]),
        ("lines", "data", "no base64 <"),
    ]:
        broken = copy.deepcopy(plain)
        broken["meshes"]["boom"][field][key] = value
        with pytest.raises(ArgumentError):
            from_plain(broken, run.about)
    swapped = copy.deepcopy(plain)
    swapped["meshes"]["boom"]["lines"] = {**swapped["meshes"]["boom"]["triangles"], "shape": [240, 2]}
    swapped["meshes"]["boom"]["points"]["shape"], swapped["meshes"]["boom"]["shapes"]["shape"] = [84, 3], [84, 4, 3]
    with pytest.raises(ArgumentError, match="mesh of 'boom'"):
        from_plain(swapped, run.about)


def test_drawings_of_other_systems_are_refused() -> None:
    """A file whose drawing does not fit its bodies and variables is refused when it is loaded, not in a picture."""
    s = flexible()
    s.spring("boom", s.ground.point((1, 0, 0)), stiffness=1, free_length=1, name="coil")
    s.force(2 * s.ground.x, at="boom", name="push")
    s.rod("tip mass", s.ground.point((10, 0, 5)), length=5.0, name="stay")
    run = s.simulate(0.01)
    assert run.drawing is not None
    plain = json.loads(json.dumps(to_plain(run.drawing)))
    from_plain(plain, run.about)
    for where, value, text in [
        (("bodies", 0, "name"), "x", "its bodies are not those"),
        (("bodies",), plain["bodies"][::-1], "its bodies are not those"),
        (("bodies", 1, "joint", "anchor", "body"), "x", "no body 'x'"),
        (("bodies", 0, "joint", "axes", 0, "anchor", "body"), "x", "no body 'x'"),
        (("bodies", 0, "joint", "axes", 0, "along"), [0, 0, 0], "no direction"),
        (("bodies", 0, "joint", "axes"), [], "the revolute joint on 'boom' has 0 axes"),
        (("bodies", 0, "joint", "turn"), [0, 0, 0, float("nan")], "no direction"),
        (("bodies", 0, "inertia"), [float("nan")] * 6, "not finite"),
        (("loads", 0, "ends", 1, "body"), "x", "no body 'x'"),
        (("loads", 0, "variable"), "load.push", "load.push"),
        (("loads", 1, "arrows", 0, "anchor", "body"), "x", "no body 'x'"),
        (("loads", 1, "arrows", 0, "variable"), "load.coil", "load.coil"),
        (("loads", 1, "arrows", 0, "along"), [1, 0, 0], "load.push"),
        (("constraints", 0, "start", "body"), "x", "no body 'x'"),
        (("meshes",), {"x": plain["meshes"]["boom"]}, "no body 'x'"),
        (("meshes", "boom", "coordinates"), ["a", "b", "c", "d"], "q.a"),
    ]:
        broken = copy.deepcopy(plain)
        part: Any = broken
        for key in where[:-1]:
            part = part[key]
        part[where[-1]] = value
        with pytest.raises(ArgumentError, match=f"what pictures need is damaged: .*{text}.*; simulate again and save"):
            from_plain(broken, run.about)
    orphan = replace(run.about, elements=(replace(run.about.elements[0], parent="x"), *run.about.elements[1:]))
    with pytest.raises(ArgumentError, match="no body 'x'"):
        from_plain(plain, orphan)
