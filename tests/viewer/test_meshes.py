"""Meshes: formats, units and colours; the search for files; hostile files; stand-ins and notes."""

import base64
import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freebody import mesh_files, mesh_reading
from freebody.drawing import GROUND, Anchor, DrawnBody, DrawnJoint
from freebody.errors import FileWarning
from freebody.extras import install_command
from freebody.mesh_files import MeshError, MissingMesh, OutsideMesh, find_mesh
from freebody.results.about import BodyInfo
from freebody.viewer import user_shapes
from freebody.viewer.geometry import unit_box, unit_sphere
from freebody.viewer.scene import Geometry, Item
from freebody.viewer.user_shapes import given_items
from tests.viewer.test_given_shapes import corners, volume

pytest.importorskip("trimesh")
pytestmark = pytest.mark.filterwarnings("ignore:boxes stand in")
BOX = unit_box()
EDGES = np.array([1.0, 2.0, 3.0])


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREEBODY_CACHE", "off")


# Files


def stl(shape: Geometry = BOX, count: int | None = None) -> bytes:
    rows = np.zeros(len(shape.triangles), mesh_reading.STL)
    rows["corners"] = (shape.vertices * EDGES)[shape.triangles]
    return b"binary".ljust(80) + struct.pack("<I", len(rows) if count is None else count) + rows.tobytes()


def stl_text() -> bytes:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in t) + "endloop\nendfacet\n"
        for t in (BOX.vertices * EDGES)[BOX.triangles]
    )
    return f"solid box\n{facets}endsolid box\n".encode()


def obj(library: str = "colors.mtl") -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in BOX.vertices * EDGES]
    faces = [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in BOX.triangles]
    return "\n".join([f"mtllib {library}", *lines, "usemtl red", *faces[:6], "usemtl blue", *faces[6:]]).encode()


MTL = b"newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\nd 0.5\nmap_Kd /etc/hostname\n"


def gltf(uri: str | None, extra: dict[str, Any] | None = None) -> tuple[dict[str, Any], bytes]:
    """Two nodes with the box, y up; the second is moved by 10 along x."""
    x, y, z = (BOX.vertices * EDGES).T
    points, triangles = np.stack([x, z, -y], 1).astype("<f4").tobytes(), BOX.triangles.astype("<u2").tobytes()
    data = points + triangles
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1], "mesh": 0}, {"mesh": 0, "translation": [10, 0, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0, 1, 0, 0.5], "baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "/etc/hostname"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 24, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(triangles)},
        ],
        "buffers": [{"byteLength": len(data)} | ({} if uri is None else {"uri": uri})],
    }
    return tree | (extra or {}), data


def glb(extra: dict[str, Any] | None = None) -> bytes:
    tree, data = gltf(None, extra)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def dae(unit: float = 0.01, more: str = "", nodes: str = "") -> bytes:
    points = " ".join(map(str, (BOX.vertices * EDGES / unit).ravel()))
    triangles = " ".join(map(str, BOX.triangles.ravel()))
    instance = (
        '<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s" target="#m"/>'
        "</technique_common></bind_material></instance_geometry>"
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>{more}
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="x" meter="{unit}"/><up_axis>Z_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse><color>1 0.5 0 1</color></diffuse>
</phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="72">{points}</float_array>
<technique_common><accessor source="#a" count="24" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12" material="s"><input semantic="VERTEX" source="#v" offset="0"/><p>{triangles}</p></triangles>
</mesh></geometry></library_geometries>{nodes.replace("INSTANCE", instance)}
<library_visual_scenes><visual_scene id="scene"><node id="n"><translate>100 0 0</translate>{instance}
</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>""".encode()


def drawn(file: str, *folders: Path, own: Sequence[Path] = (), **fields: Any) -> tuple[list[Item], list[str]]:
    shape = {"kind": "mesh", "file": file, "folders": [str(f) for f in own], **fields}
    return given_items([BodyInfo("b", GROUND, "free", mass=8.0, shape=shape)], folders)


def box_of(items: Sequence[Item]) -> tuple[list[float], list[float]]:
    points = np.concatenate([corners(item).reshape(-1, 3) for item in items])
    return points.min(0).round(6).tolist(), points.max(0).round(6).tolist()


def test_all_formats_give_the_same_box(tmp_path: Path) -> None:
    """With its volume, normals and sharp edges; materials are colours, and units are metres."""
    tree, data = gltf("part 1.bin")
    inline = gltf("data:application/octet-stream;base64," + base64.b64encode(data).decode())[0]
    files = {
        "a.stl": stl(),
        "text.STL": stl_text(),
        "a.obj": obj(),
        "colors.mtl": MTL,
        "a.glb": glb(),
        "a.gltf": json.dumps(tree).replace("part 1", "part%201").encode(),
        "part 1.bin": data,
        "inline.gltf": json.dumps(inline).encode(),
        "a.dae": dae(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    looks: dict[str, list[Any]] = {
        "a.stl": [(None, 1)],
        "text.STL": [(None, 1)],
        "a.obj": [((1, 0, 0), 1), ((0, 0, 1), 1)],
        "a.glb": [((0, 1, 0), 0.5)],
        "a.gltf": [((0, 1, 0), 0.5)],
        "inline.gltf": [((0, 1, 0), 0.5)],
        "a.dae": [((1, 0.5, 0), 1)],
    }
    for name, expected in looks.items():
        items, notes = drawn(name, tmp_path)
        assert not notes, name
        got = [(c and tuple(round(v, 2) for v in c), round(o, 2)) for c, o in ((i.color, i.opacity) for i in items)]
        assert sorted(got, key=str) == sorted(expected, key=str), name
        two, moved = "gl" in name or "inline" in name, name == "a.dae"
        volumes = sum(volume(corners(item)) for item in items)
        assert abs(volumes - (12 if two else 6)) < 1e-5, name
        low, high = box_of(items)
        shift = np.array([1.0, 0, 0]) * moved
        assert np.allclose(low, -EDGES / 2 + shift) and np.allclose(high, EDGES / 2 + shift + [10 * two, 0, 0]), name
        for item in items:
            assert item.geometry.normals is not None
            assert {*np.abs(item.geometry.normals).round(3).ravel().tolist()} == {0, 1}, "edges of a box are sharp"
    assert len(drawn("a.obj", tmp_path)[0]) == 2
    mirrored, _ = drawn("a.stl", tmp_path, scale=[0.5, -1, 1], at=[0, 5, 0], color=[1, 1, 0], opacity=0.5)
    assert abs(sum(volume(corners(item)) for item in mirrored) - 3) < 1e-5 and mirrored[0].color == (1, 1, 0)


# The search


def test_files_are_found_in_the_folders_alone(tmp_path: Path) -> None:
    robot, other = tmp_path / "robot", tmp_path / "other"
    for folder in (robot / "meshes", robot / "urdf", other):
        folder.mkdir(parents=True)
    (robot / "meshes" / "a b.stl").write_bytes(stl())
    secret = other / "secret.stl"
    secret.write_bytes(stl())
    (robot / "link.stl").symlink_to(secret)
    (robot / "elsewhere").symlink_to(other)
    (robot / "ring.stl").symlink_to(robot / "ring.stl")
    wanted = robot / "meshes" / "a b.stl"
    for name, folders in (
        ("a b.stl", [other, robot / "meshes"]),
        ("meshes/a b.stl", [robot]),
        ("meshes/../meshes/a b.stl", [robot]),
        ("package://robot/meshes/a b.stl", [tmp_path]),
        ("package://robot/meshes/a b.stl", [robot]),
        ("model://robot/meshes/a b.stl", [robot]),
        ("file://meshes/a%20b.stl", [robot]),
        (str(wanted), [robot]),
        (f"file://{wanted}", [tmp_path]),
        ("../meshes/a b.stl", [robot / "urdf", robot]),
    ):
        assert find_mesh(name, folders) == wanted, name
    for name in (
        "../other/secret.stl",
        str(secret),
        f"file://{secret}",
        "link.stl",
        "elsewhere/secret.stl",
        "package://robot/../other/secret.stl",
        "package://../other/secret.stl",
        "/etc/hostname",
        "package://robot//../../other/secret.stl",
    ):
        with pytest.raises(OutsideMesh, match="leads outside of the folders"):
            find_mesh(name, [robot])
    for name in ("none.stl", "ring.stl", "meshes", "package://other/secret.stl"):
        with pytest.raises(MissingMesh):
            find_mesh(name, [robot])
    for name in ("http://host/a.stl", "a\0.stl", "", "https://host/a.stl"):
        with pytest.raises(MeshError, match=r"address|no file can have"):
            find_mesh(name, [robot])
    assert drawn("a b.stl", own=[robot / "meshes"])[1] == [], "the folder of the model's file"
    with pytest.raises(MissingMesh):
        find_mesh("a b.stl", [])


# What cannot be read


def bomb() -> str:
    """Nodes that double 40 times."""
    twice = "".join(f'<node id="b{k}">{f"""<instance_node url="#b{k + 1}"/>""" * 2}</node>' for k in range(40))
    return f'<library_nodes>{twice}<node id="b40">INSTANCE</node></library_nodes>'


def bomb_without_names() -> str:
    """Nodes that are repeated ten times, six levels deep; only inner nodes without a name contain the next level."""
    levels = "".join(
        f'<node id="b{k}"><node>{f"""<instance_node url="#b{k + 1}"/>""" * 10}</node></node>' for k in range(6)
    )
    return f'<library_nodes>{levels}<node id="b6">INSTANCE</node></library_nodes>'


LAUGHS = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/hostname">]>'
NAN = stl()[:100] + struct.pack("<f", float("nan")) + stl()[104:]
SIGNALLING_NAN = stl()[:100] + struct.pack("<I", 0x7F800001) + stl()[104:]
HUGE = stl()[:100] + struct.pack("<f", 1e30) + stl()[104:]
ONE_POINT = stl(Geometry(np.zeros((3, 3)), np.array([[0, 1, 2]])))
HOSTILE: list[tuple[str, bytes, str]] = [
    ("a.stl", stl()[:-10], "is cut off, or is not an STL file: it announces 12 triangles and has 11"),
    ("a.stl", stl(count=4_000_000_000), "announces 4000000000 triangles and has 12"),
    ("a.stl", b"short", "is not an STL file, or is cut off"),
    ("a.stl", b"", "is empty"), ("a.stl", b"solid\n", "'a.stl' "),
    ("a.stl", NAN, "has corners that are not finite numbers (1)"), ("a.stl", HUGE, "check its units and scale"),
    ("a.stl", SIGNALLING_NAN, "are not finite numbers (1)"),
    ("a.stl", ONE_POINT, "has no triangles"), ("a.stl", stl(Geometry(BOX.vertices, BOX.triangles[:0])), "no triangles"),
    ("a.obj", b"v 1 2 3\nf 1 2 9999999\n", "'a.obj' "), ("a.obj", b"\xff\x00\xfe" * 50, "'a.obj' "),
    ("a.dae", dae()[:1500], "is not XML, or is cut off"), ("a.dae", dae(more=LAUGHS), "has a DTD or entities"),
    ("a.dae", b"PK\x03\x04" + bytes(100), "is not XML"), ("a.dae", dae(nodes=bomb()), "has more than 10000 parts"),
    ("a.dae", dae(nodes=bomb_without_names()), "has more than 10000 parts"),
    ("a.dae", dae().replace(b"<translate>", b'<instance_node url="#n"/><translate>'), "nodes that contain themselves"),
    ("a.glb", glb()[:100], "is not a GLB file, or is cut off"), ("a.glb", glb()[:-50], "is cut off"),
    ("a.glb", glb({"nodes": [{"children": [0], "mesh": 0}]}), "nodes that contain themselves"),
    ("a.glb", glb({"nodes": 5}), "'nodes' is not a list of objects"),
    ("a.glb", glb({"nodes": [{"children": ["x", None]}]}), "'a.glb' "),
    ("a.glb", glb({"accessors": [{"componentType": 5126, "count": 10**12, "type": "VEC3"}]}), "announces arrays"),
    ("a.glb", glb({"accessors": [{"componentType": 5126, "count": "9", "type": "VEC3"}]}), "an array has no size"),
    ("a.glb", glb({"bufferViews": [{"buffer": 0, "byteLength": 10**12}]}), "cannot be read"),
    ("a.glb", glb({"nodes": [{"children": [*range(1, 20_000)]}, *[{}] * 19_999]}), "has more than 10000 parts"),
    ("a.glb", glb({"accessors": [{"componentType": 5126, "count": 30_000, "type": "VEC3"}] * 2,
                   "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}] * 700}]}), "announces arrays"),
    ("a.glb", glb({"meshes": [{"primitives": [{"attributes": {"POSITION": 7}}]}]}), "array that does not exist"),
    ("a.dae", dae(nodes=f"<library_nodes><node id='a'>{'<node/>' * 20_000}</node></library_nodes>"), "10000 parts"),
    ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n" + b"usemtl a\nf 1 2 3\n" * 20_000, "changes its material more than"),
    ("a.gltf", json.dumps(gltf("../secret.bin")[0]).encode(), "needs the file 'secret.bin', which leads outside"),
    ("a.gltf", json.dumps(gltf("data:,%%%")[0]).encode(), "cannot be decoded"),
    ("a.gltf", b"[" * 100_000, "JSON cannot be read"), ("a.gltf", b"[]", "is not an object"),
    ("a.ply", b"ply", "is of a format that is not read (.ply); the formats are .stl, .obj"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "reason"), HOSTILE, ids=[f"{n} {r[:30]}" for n, _, r in HOSTILE])
def test_hostile_files_become_boxes_with_one_note(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / name).write_bytes(data)
    (tmp_path / "secret.bin").write_bytes(gltf(None)[1])
    with pytest.warns(FileWarning) as warned:
        items, notes = drawn(name, folder)
    assert [str(one.message) for one in warned] == notes
    assert len(notes) == 1 and reason in notes[0] and notes[0].startswith("boxes stand in for 1 mesh: "), notes
    assert len(items) == 1 and items[0].made and items[0].geometry is BOX
    assert np.allclose(items[0].transform[:, :3], 0.2 * np.eye(3)), "8 kg of water"


def test_a_mesh_outside_of_the_folders_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "a.stl").write_bytes(stl())
    notes = drawn("../a.stl", tmp_path / "in")[1]
    assert notes == [
        "boxes stand in for 1 mesh: 'a.stl' leads outside of the folders in which meshes are searched for;"
        " give the folder that contains it: meshes=['folder']"
    ]


def test_materials_outside_of_the_folders_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "colors.mtl").write_bytes(MTL)
    (tmp_path / "in" / "a.obj").write_bytes(obj("../colors.mtl"))
    items, notes = drawn("a.obj", tmp_path / "in")
    assert not notes and not {(1, 0, 0), (0, 0, 1)} & {item.color for item in items}
    items, notes = drawn("in/a.obj", tmp_path)
    assert (1, 0, 0) in {item.color for item in items}


def test_large_files_are_simplified_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fast_simplification")
    (tmp_path / "ball.stl").write_bytes(stl(unit_sphere()))
    whole = len(drawn("ball.stl", tmp_path)[0][0].geometry.triangles)
    monkeypatch.setattr(user_shapes, "SCENE", 400)
    items, _ = drawn("ball.stl", tmp_path)
    assert whole == len(unit_sphere().triangles) and len(items[0].geometry.triangles) <= 300
    assert abs(volume(corners(items[0])) / (4 / 3 * np.pi * 6) - 1) < 0.1
    monkeypatch.setattr(mesh_reading, "MOST", 600)
    assert "has 720 triangles, more than the 600 that are read; simplify it" in drawn("ball.stl", tmp_path)[1][0]
    monkeypatch.setattr(mesh_files, "LARGEST", 2**15)
    assert "MiB that are read" in drawn("ball.stl", tmp_path)[1][0]


def test_a_colour_with_few_triangles_stays_where_a_mesh_is_simplified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fast_simplification")
    ball = unit_sphere()
    n = len(ball.vertices)
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in [*ball.vertices, (2, 0, 0), (3, 0, 0), (3, 1, 0)])
    faces = "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in ball.triangles)
    (tmp_path / "colors.mtl").write_bytes(MTL)
    (tmp_path / "a.obj").write_text(
        f"mtllib colors.mtl\n{points}usemtl red\n{faces}usemtl blue\nf {n + 1} {n + 2} {n + 3}\n"
    )
    monkeypatch.setattr(user_shapes, "SCENE", 400)
    items, notes = drawn("a.obj", tmp_path)
    sizes = {item.color: len(item.geometry.triangles) for item in items}
    assert not notes and sizes[0, 0, 1] == 1 and sizes[1, 0, 0] < len(ball.triangles)


def test_checks_of_nodes_visit_each_edge_once() -> None:
    class Counted(dict[int, range]):
        visits = 0

        def __contains__(self, key: object) -> bool:
            Counted.visits += 1
            return super().__contains__(key)

    n = 5000
    wide = Counted({0: range(1, n)} | {k: range(0) for k in range(1, n)})
    mesh_reading._check_instances(wide)
    assert Counted.visits < 4 * n


def test_all_files_of_a_mesh_together_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are named again are read once."""
    tree, data = gltf("part.bin")
    data += bytes(20_000)
    (tmp_path / "part.bin").write_bytes(data)
    (tmp_path / "other.bin").write_bytes(data)
    monkeypatch.setattr(mesh_files, "LARGEST", 30_000)
    for names, refused in ((["part.bin"] * 9, False), (["part.bin", "other.bin"], True)):
        buffers = [{"uri": name, "byteLength": len(data)} for name in names]
        (tmp_path / "a.gltf").write_text(json.dumps({**tree, "buffers": buffers}))
        notes = drawn("a.gltf", tmp_path)[1]
        assert ("names files with more than" in notes[0]) if refused else not notes


def test_results_are_stored_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second picture does not need the reader; another file of the same name is read again."""
    monkeypatch.setenv("FREEBODY_CACHE", str(tmp_path / "cache"))
    (tmp_path / "a.obj").write_bytes(obj())
    (tmp_path / "colors.mtl").write_bytes(MTL)
    first, _ = drawn("a.obj", tmp_path)
    monkeypatch.setitem(sys.modules, "trimesh", None)
    second, notes = drawn("a.obj", tmp_path)
    assert not notes and [item.color for item in second] == [item.color for item in first]
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one.geometry.triangles, other.geometry.triangles)
        assert np.allclose(one.geometry.vertices, other.geometry.vertices)
    (tmp_path / "colors.mtl").write_bytes(MTL.replace(b"1 0 0", b"1 1 0"))
    notes = drawn("a.obj", tmp_path)[1]
    command = install_command("viewer")
    assert notes == [f"boxes stand in for 1 mesh: 'a.obj' needs the library trimesh: {command}"]


def test_one_note_names_all_that_is_missing(tmp_path: Path) -> None:
    """A box with the inertia of the body stands in; meshes that occur twice are one."""
    shape = {"kind": "group", "parts": [{"kind": "mesh", "file": f"package://r/{k}.dae"} for k in range(6)]}
    bodies = [BodyInfo(f"b{k}", GROUND, "free", mass=12.0, shape=shape) for k in range(2)]
    joint = DrawnJoint("free", Anchor(GROUND, (0, 0, 0)), (1, 0, 0, 0), Anchor("b1", (0, 0, 0)))
    inertia = (4 + 9, 1 + 9, 1 + 4, 0, 0, 0)
    items, notes = given_items(bodies, [tmp_path], [DrawnBody("b1", (1, 2, 3), inertia, joint)])
    assert notes == [
        "boxes stand in for 6 meshes: 'package://r/0.dae', 'package://r/1.dae', 'package://r/2.dae' and 3 more were not"
        " found in the folders of meshes; give the folder that contains them: meshes=['folder']"
    ]
    assert [item.body for item in items] == [0, 1] and str(tmp_path) not in notes[0]
    low, high = box_of(items[1:])
    assert np.allclose(low, [0.5, 1, 1.5]) and np.allclose(high, [1.5, 3, 4.5])
