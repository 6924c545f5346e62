"""Shapes: their fields in Python, in files and as facts of runs; wrong values are refused."""

from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from freebody.errors import FieldError
from freebody.io import dumps, loads
from freebody.model.shapes import SHAPES

LOOK: dict[str, Any] = {"at": ("l", 0, 1), "rpy": (0, 0, "l"), "color": "teal", "opacity": 0.5, "name": "<b>"}
EXAMPLES: dict[str, Any] = {
    "box": fb.Box("l", 1, "2*l", **LOOK), "plate": fb.Plate(1, "l", 0.01, **LOOK), "sphere": fb.Sphere("l", **LOOK),
    "cylinder": fb.Cylinder(1, "l", "-x", **LOOK), "tube": fb.Tube("l", 0.5, 1, "y", **LOOK),
    "capsule": fb.Capsule("l", 2, **LOOK), "cone": fb.Cone(1, 2, "l", "-z", **LOOK),
    "extrusion": fb.Extrusion([(0, 0), ("l", 0), (0, 1)], "l", **LOOK),
    "heightfield": fb.Heightfield([[0, 1, 2], [3, 4, 5.5]], ("l", 1), **LOOK),
    "plane": fb.Plane((0, 1, "l"), "l", **LOOK),
    "mesh": fb.Mesh("drill.stl", (1, "l", 1), **LOOK),
}  # fmt: skip


def with_shape(shape: Any) -> fb.System:
    s = fb.System("s")
    s.parameter("l", 0.75)
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(1, 0, 0), shape=shape)
    return s


def test_all_shapes_are_stored_in_files_and_reach_runs_as_numbers() -> None:
    assert EXAMPLES.keys() == SHAPES.keys()
    s = with_shape([*EXAMPLES.values(), fb.Sphere(1, color=(0, 0.5, 1)), fb.Sphere(1, color="#ff8000")])
    again = loads(dumps(s), fb.System)
    assert again.digest() == s.digest() and dumps(again) == dumps(s)
    shape = again.simulate(0.01, parameters={"l": 0.25}).about.elements[0].shape
    assert shape is not None and shape["kind"] == "group"
    facts = {part["kind"]: part for part in shape["parts"][:-2]}
    for part in facts.values():
        assert part["at"] == [0.25, 0, 1] and part["rpy"] == [0, 0, 0.25]
        assert part["color"] == [0, 128 / 255, 128 / 255] and part["opacity"] == 0.5 and part["name"] == "<b>"
    assert facts["extrusion"]["points"] == [[0, 0], [0.25, 0], [0, 1]] and facts["cone"]["axis"] == "-z"
    assert facts["heightfield"]["heights"] == [[0, 1, 2], [3, 4, 5.5]] and facts["heightfield"]["spacing"] == [0.25, 1]
    assert facts["mesh"]["file"] == "drill.stl" and facts["mesh"]["folders"] == []
    assert [part["color"] for part in shape["parts"][-2:]] == [[0, 0.5, 1], [1, 128 / 255, 0]]


def test_the_folders_of_meshes_follow_where_they_are_defined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder or that of an absolute path in Python, the folder of a model file; they are not stored."""
    monkeypatch.chdir(tmp_path)
    s = with_shape([fb.Mesh("a.stl"), fb.Mesh(Path("/parts/b.stl"))])

    def folders(system: fb.System) -> Any:
        shape = system.simulate(0.01).about.elements[0].shape
        return [part["folders"] for part in shape["parts"]]  # type: ignore[index]

    assert folders(s) == [[str(tmp_path)], ["/parts"]]
    (tmp_path / "models").mkdir()
    Path("models/m.yaml").write_text(s.to_yaml())
    assert folders(fb.load("models/m.yaml")) == [[str(tmp_path / "models")]] * 2
    assert fb.load("models/m.yaml").digest() == s.digest()


WRONG: list[tuple[Any, str]] = [
    (lambda: fb.Box(1, -2, 3), r"Box\.y: a size cannot be negative; it is -2"),
    (lambda: fb.Box("q.arm", 1, 1), r"shape\.box\.x: it may depend on numbers and parameters only"),
    (lambda: fb.Tube(1, 2, 1), r"Tube: the inner radius 2 is larger than the outer radius 1"),
    (lambda: fb.Cylinder(1, 1, "w"), r"Cylinder\.axis: one of 'x', 'y', 'z', '-x', '-y' or '-z' is needed"),
    (lambda: fb.Extrusion([(0, 0), (1, 0)], 1), r"Extrusion\.points: a polygon needs 3 to 10000 points, not 2"),
    (lambda: fb.Extrusion([(0, 0), (1, 0), (1, 1, 1)], 1), r"points\[2\]: a list of 2 is needed, not of 3"),
    (lambda: fb.Heightfield([[1, 2, 3]], 1), r"heights: a grid needs at least 2 × 2 and at most 1000000 heights, not"),
    (lambda: fb.Heightfield([[1, 2], [3]], 1), r"heights: an array needs rows of equal lengths"),
    (lambda: fb.Sphere(1, opacity=1.5), r"opacity: opacity is a number from 0 \(invisible\) to 1 \(opaque\), not 1.5"),
    (lambda: fb.Sphere(1, color="dark-blue"), r"color: 'dark-blue' is not a colour: .*Did you mean darkblue"),
    (lambda: fb.Sphere(1, color="#12345"), r"color: '#12345' is not a colour"),
    (lambda: fb.Sphere(1, color=(255, 0, 0)), r"color: red, green and blue are numbers from 0 to 1.*divide by 255"),
    (lambda: fb.Mesh(""), r"Mesh\.file: the name of a file is needed"),
]


@pytest.mark.parametrize(("shape", "message"), WRONG)
def test_wrong_shapes_are_refused_where_they_are_written(shape: Any, message: str) -> None:
    with pytest.raises(FieldError, match=message):
        with_shape(shape())


@pytest.mark.parametrize("shape", ["box", 5, fb.Box, {"box": {}}, object(), [fb.Box(1, 1, 1), 3], [[fb.Box]]])
def test_what_is_not_a_shape_is_refused(shape: object) -> None:
    with pytest.raises(FieldError, match=r"bodies\.arm\.shape.*: a shape is needed, such as fb.Box\(1, 2, 3\)"):
        with_shape(shape)
