"""Files of other programs: each is named as what it is, with the next step, whatever its name; nothing of it is run."""

import re
from pathlib import Path

import pytest

import freebody as fb
from freebody.errors import FileError
from freebody.io import loads, loads_urdf
from freebody.io.other_formats import OTHER_FORMATS, describe_file, format_of_root, root_element

EXAMPLES = Path(__file__).parents[2] / "examples"
XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="${1/0}"/></robot>'
MJCF = "<?xml version='1.0'?>\n<!-- an arm -->\n<mujoco model='arm'><worldbody/></mujoco>"

FILES = [
    ("arm.xml", MJCF, "this is a MuJoCo model (MJCF)", "convert it: pip install mjcf-urdf-simple-converter"),
    ("arm.mjcf", "", "this is a MuJoCo model (MJCF)", "'Models of MuJoCo' in docs/robots.md"),
    ("arm.urdf", MJCF, "this is a MuJoCo model (MJCF)", "Load the URDF from which it was made"),
    ("arm.yaml", MJCF, "this is a MuJoCo model (MJCF)", "or convert it"),
    ("arm.xml", "\ufeff" + MJCF, "this is a MuJoCo model (MJCF)", "or convert it"),
    ("arm.urdf.xacro", XACRO, "this is a xacro file",
     "Run xacro first: xacro {}/arm.urdf.xacro > {}/arm.urdf,"),
    ("my arm.xacro", "", "this is a xacro file", "xacro '{}/my arm.xacro' > '{}/my arm.urdf'"),
    ("arm.xml", XACRO, "this is a xacro file", "xacro {}/arm.xml > {}/arm.urdf, and load {}/arm.urdf"),
    ("arm.urdf", XACRO, "arm.urdf:1:61: xacro:property 'a': this is a xacro file",
     "xacro {}/arm.urdf > {}/arm.expanded.urdf"),
    ("arm.urdf", '<robot><link name="${prefix}arm"/></robot>', "link '${prefix}arm' name: '${prefix}arm': this is",
     "Run xacro first"),
    ("arm.xml", '<robot name="r"><link name="a"/></robot>', "this is a URDF file under another name",
     "mv {}/arm.xml {}/arm.urdf"),
    ("arm.sdf", "<sdf version='1.9'/>", "a model or world of Gazebo (SDF)", "sdf2urdf.py {}/arm.sdf {}/arm.urdf"),
    ("arm.urdf", "<sdf version='1.9'/>", "this is a model or world of Gazebo (SDF)", "exportrobot(importrobot("),
    ("arm.txt", "<sdf version='1.9'/>", "this is a model or world of Gazebo (SDF)", "exportrobot(importrobot("),
    ("arm.dmd.yaml", "# two arms\n\ndirectives:\n- add_model:\n", "a list of model directives", "Load the URDF"),
    ("arm.usda", "#usda 1.0\n", "this is a USD scene", "Isaac Sim"),
    ("arm.slx", "PK\3\4 simulink/blockdiagram.xml", "a model of Simulink or Simscape", "exportrobot(importrobot("),
    ("arm.bin", "PK\3\4 simulink/blockdiagram.xml", "a model of Simulink or Simscape", "exportrobot(importrobot("),
    ("arm.mdl", "Model {\n", "a model of Simulink or Simscape", "exportrobot(importrobot("),
    ("arm.txt", "! Adams/View model name: arm\n", "this is a model of Adams", "write its bodies, joints"),
    ("arm.cmd", "model create model_name=arm", "this is a model of Adams", "Aggregate Mass"),
    ("arm.mo", "within Arms;\nmodel Arm \"an arm\"\nend Arm;", "this is a model in Modelica", "write its bodies"),
    ("arm.txt", "partial model Arm \"an arm\"\nend Arm;", "this is a model in Modelica", "write its bodies"),
    ("arm.fmu", "PK\3\4 modelDescription.xml", "this is a compiled model for co-simulation (FMU)", "write its bodies"),
    ("arm.osim", "<OpenSimDocument Version='40000'/>", "a musculoskeletal model of OpenSim", "docs/joints.md"),
    ("arm.step", "ISO-10303-21;\nHEADER;", "this is geometry from a CAD program", "Export the assembly as URDF"),
    ("arm.txt", "ISO-10303-21;\nHEADER;", "this is geometry from a CAD program", "the mass, mass centre and inertia"),
    ("arm.SLDASM", "\3", "this is geometry from a CAD program", "SolidWorks: URDF Exporter"),
    ("arm.stl", "solid arm\n facet normal", "this is a mesh, which has no masses and joints", "shape=fb.Mesh("),
    ("arm.dat", "glTF\2", "this is a mesh, which has no masses and joints", "shape=fb.Mesh("),
    ("arm.nc", "CDF\1", "this is a saved run, not a model", "fb.Trajectory.load('{}/arm.nc')"),
    ("arm.npz", "PK\3\4", "this is a flexible body, not a system", "fb.read_reduced('{}/arm.npz')"),
    ("arm.py", "1/0", "this is a Python file", "freebody info {}/arm.py"),
    ("arm.mnf", "\0", "this is a file of finite elements, not of a system: an MNF file", "SID file"),
    ("arm.xml", "<scenario/>", "this is XML with an unknown root element", "YAML model files and from URDF files"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "what", "step"), FILES, ids=[f"{f[0]}-{f[2][10:30]}" for f in FILES])
def test_files_of_other_programs_are_named_with_the_next_step(
    name: str, content: str, what: str, step: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(FileError) as raised:
        fb.load(file)
    message = str(raised.value)
    assert message.startswith(str(file)) and what in message and step.replace("{}", str(tmp_path)) in message, message


def test_texts_of_urdf_name_them_too() -> None:
    with pytest.raises(FileError, match="begins with <robot>, not with <sdf>; this is a model or world of Gazebo"):
        loads_urdf("<sdf/>", fb.System)


def test_texts_of_model_files_name_them_too() -> None:
    with pytest.raises(FileError, match=r"^<text>: this is a MuJoCo model \(MJCF\), .* Load the URDF"):
        loads("\n<mujoco model='x'><worldbody/></mujoco>", fb.System)
    xacro = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="1"/></robot>'
    for read in (loads, loads_urdf):
        with pytest.raises(FileError, match=r"Run xacro first: xacro robot\.xacro > robot\.urdf, and load robot\.urdf"):
            read(xacro, fb.System)
    with pytest.raises(FileError, match=r"^<text>: this is a URDF file under another name"):
        loads("<robot name='r'><link name='a'/></robot>", fb.System)
    with pytest.raises(FileError, match=r"this is not XML: syntax error; a model file in YAML ends in \.yaml"):
        loads_urdf("bodies: {}", fb.System)


def test_addresses_texts_and_binary_files_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"robot\.urdf: this is an address, and no file; download what"):
        fb.load("https://example.org/robot.urdf")
    with pytest.raises(FileError, match="the path of a file is needed, not what is in it; write this text to a file"):
        fb.load("bodies:\n  a: {mass: 1}\n")
    (tmp_path / "model.bin").write_bytes(b"\xff\x00\x9c")
    with pytest.raises(FileError, match=r"not UTF-8; .*; if it is no model: systems are read from files \.yaml"):
        fb.load(tmp_path / "model.bin")


def test_missing_files_are_missing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        fb.load(tmp_path / "arm.slx")


def test_every_row_of_the_table_is_reached() -> None:
    """By each of its suffixes in any case, and by each of its root elements; all texts are complete."""
    for row in OTHER_FORMATS:
        assert row.suffixes or row.roots, row
        text = row.text("/a b/arm.x")
        assert text[0] == "t" and "{" not in text and "}" not in text and not text.endswith("."), text
        assert re.search(r"\. [A-Z]", text), text
        for suffix in row.suffixes:
            assert describe_file(f"arm{suffix.upper()}", b"") == row.text(f"arm{suffix.upper()}"), suffix
        for root in row.roots:
            assert format_of_root(root) is row
            assert describe_file("arm.xml", f"<{root}>".encode()) == row.text("arm.xml")
    suffixes = [suffix for row in OTHER_FORMATS for suffix in row.suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_files_that_are_read_are_none_of_them() -> None:
    files = [*EXAMPLES.glob("models/*.yaml"), *EXAMPLES.glob("robots/*.urdf")]
    assert len(files) >= 8
    for file in files:
        assert describe_file(str(file), file.read_bytes()) == ""


HOSTILE = [
    b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><mujoco>&x;</mujoco>",
    b"<!DOCTYPE a [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><mujoco name='&b;'/>",
    b"<?xml version='1.0' encoding='nonsense'?><mujoco/>", b"<" * 60_000, b"<a " + b"b " * 30_000,
    b"<!--" + b"-" * 60_000,
    b"<?xml version='1.0' encoding='utf-16'?><mujoco/>", b"\xff\xfe<\0", b"< mujoco/>", b"\0" * 60_000,
    *(character * 60_000 for character in (b"\n", b" ", b"\t", b"#\n", b"!", b"! ", b"within ", b"partial ", b"PK\3\4",
                                           b"solid ", b"\n ", b"# ", b"model ")),
]  # fmt: skip


@pytest.mark.parametrize("head", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_beginnings_are_nothing_known(head: bytes) -> None:
    """Entities are not expanded, and no pattern needs long."""
    assert root_element(head) is None
    assert describe_file("arm.txt", head) == ""
