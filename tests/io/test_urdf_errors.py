"""Wrong or hostile URDF files: each error shows the position, the reason and the remedy."""

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from freebody.errors import FileError, FileWarning
from freebody.io import loads_urdf
from tests.io import hostile_urdf, hostile_yaml
from tests.io.test_urdf import joint, link, robot

AB = link("a") + link("b")


def inertial(mass: str = '<mass value="1"/>', inside: str = "") -> str:
    moments = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    return robot(link("a", f"<inertial>{mass}{inside or moments}</inertial>"))


def hinge(inside: str, kind: str = "revolute") -> str:
    return robot(AB, joint("j", "a", "b", kind, inside))


def looped(
    kind: str = "revolute",
    one: str = 'link="a"',
    other: str = 'link="b"',
    inside: str = "",
    name: str = "p",
    more: str = "",
) -> str:
    """Links a and b with a hinge between them, c fixed to b, and a joint that closes a loop."""
    loop = f'<loop_joint name="{name}" type="{kind}"><link1 {one}/><link2 {other}/>{inside}</loop_joint>'
    return robot(AB, link("c"), joint("j", "a", "b"), joint("k", "b", "c", "fixed"), loop, more)


WRONG = [
    ("<sdf/>", "m.urdf:1:1: sdf: a URDF file begins with <robot>, not with <sdf>"),
    ("<robot name='r'/>", "m.urdf:1:1: robot: there are no links"),
    ("<robot>\n  <link name='a'>\n", "m.urdf:3:1: this is not XML: no element found"),
    ("<robot><link></robot>", "m.urdf:1:16: this is not XML: mismatched tag"),
    (robot("<link/>"), "link: the attribute 'name' is missing"),
    (robot('<link name=" "/>'), "link ' ' name: a name has 1 to 200 visible characters, not ' '"),
    (robot(link("a"), "\n", link("a")), "m.urdf:2:1: link 'a': there is another link 'a' in line 1; choose"),
    (robot(AB, joint("j", "a", "b"), joint("j", "a", "b")), "joint 'j': there is another joint 'j' in line 1"),
    (robot('<xacro:include filename="x"/>'), "m.urdf:1:17: xacro:include: this is a xacro file, from"),
    (inertial(""), "link 'a' inertial: <mass> is missing"),
    (inertial("<mass/>"), "link 'a' inertial mass: the attribute 'value' is missing"),
    (inertial('<mass value="heavy"/>'), "m.urdf:1:42: link 'a' inertial mass value: 'heavy' is not a number"),
    (inertial('<mass value=""/>'), "link 'a' inertial mass value: '' is not a number"),
    (inertial('<mass value="-2"/>'), "link 'a' inertial mass value: a mass cannot be negative, as -2 is"),
    (inertial('<mass value="1"/><mass value="2"/>'), "link 'a' inertial mass: <mass> is given twice; the first is in"),
    (inertial(inside="<origin/>"), "link 'a' inertial: <inertia> is missing"),
    (inertial(inside='<inertia ixx="1"/>'), "link 'a' inertial inertia: the attribute 'ixy' is missing"),
    (inertial(inside='<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/>'),
     "m.urdf:1: link 'a': inertia: principal moments 1, 1, 9 break the triangle inequality; no body has one"
     " moment larger than the sum of the others; correct the numbers, or accept them with physical=False"),
    (robot(link("a", "<visual/>")), "link 'a' visual: <geometry> is missing"),
    (robot(link("a", '<visual><geometry><box size="1 2"/></geometry></visual>')),
     "link 'a' visual geometry box size: three numbers are needed, not 2"),
    (hinge('<origin xyz="1 2 x"/>'), "joint 'j' origin xyz: 'x' is not a number"),
    (hinge('<origin rpy="1,2,3"/>'), "joint 'j' origin rpy: three numbers are needed, not 1"),
    (hinge('<axis xyz="0 0 0"/>'), "joint 'j' axis xyz: a direction must not have length 0"),
    (hinge('<axis xyz="0 0 1"/><axis xyz="0 1 0"/>'), "joint 'j' axis: <axis> is given twice"),
    (hinge('<limit lower="2" upper="1"/>'), "joint 'j' limit: the lower limit 2 is above the upper limit 1"),
    (hinge('<limit effort="strong"/>'), "joint 'j' limit effort: 'strong' is not a number"),
    (hinge('<dynamics damping="inf"/>'), "joint 'j' dynamics damping: 'inf' is not a number"),
    (looped("revolut"), "loop_joint 'p' type: a joint of type 'revolut' cannot close a loop; choose from fixed,"),
    (looped(one='link="d"'), "loop_joint 'p' link1 link: there is no link 'd'. Choose from a, b"),
    (looped(other='link="bb"'), "loop_joint 'p' link2 link: there is no link 'bb'. Did you mean b?"),
    (looped(other=""), "loop_joint 'p' link2: the attribute 'link' is missing"),
    (looped(other='link="b" xyz="1 2"'), "loop_joint 'p' link2 xyz: three numbers are needed, not 2"),
    (looped(one='link="b"'), "loop_joint 'p': it joins link 'b' to itself"),
    (looped(inside='<limit lower="-1" upper="1"/>'), "limits of a joint that closes a loop are not supported"),
    (looped(one='link="c"'), "m.urdf:1: loop_joint 'p': links 'c' and 'b' do not move relative to each other"),
    (looped(inside='<axis xyz="0 0 0"/>'), "loop_joint 'p' axis xyz: a direction must not have length 0"),
    (looped(inside='<mimic joint="j"/>'), "loop_joint 'p' mimic: a joint that closes a loop has no <mimic>"),
    (looped(name="b"), "m.urdf:1: loop_joint 'b': 'b' is the name of a body in system 'r'"),
    (looped(more='<loop_joint name="p"/>'), "loop_joint 'p': there is another loop_joint 'p' in line 1"),
    (hinge('<mimic joint="k"/>'), "m.urdf:1: joint 'j' mimic: it mimics 'k', which is not a joint of this"
     " robot; correct the name, or load with mimic='free' or mimic='lock'"),
    (hinge('<mimic joint="j"/>'), "joint 'j' mimic: it mimics 'j', which mimics it in turn; load with mimic='free'"),
    (hinge("<mimic/>"), "joint 'j' mimic: the attribute 'joint' is missing"),
    (hinge("", "ball"), "joint 'j' type: there is no joint of type 'ball'; the types are fixed, revolute, continuous"),
    (robot(AB, '<joint name="j"/>'), "joint 'j': the attribute 'type' is missing"),
    (robot(AB, '<joint name="j" type="fixed"><parent link="a"/></joint>'), "joint 'j': <child> is missing"),
    (robot(link("arm"), link("b"), joint("j", "amr", "b")),
     "joint 'j' parent link: there is no link 'amr'. Did you mean arm?"),
    (robot(AB, joint("j", "a", "a")), "joint 'j': it joins link 'a' to itself"),
    (robot(AB), "robot: 2 links hang on nothing (a, b); join all but one to the tree"),
    (robot(AB, joint("j", "a", "b"), joint("k", "b", "a")), "robot: every link hangs on another, in a ring"),
    (robot(AB, link("c"), joint("j", "a", "b"), joint("k", "b", "a")), "joint 'k': link 'a' hangs on itself in a ring"),
    (robot(AB, link("c"), joint("j", "a", "c"), joint("k", "b", "c")),
     "joint 'k': link 'c' hangs on 'a' already (joint 'j'); a URDF is a tree, where each link has one parent"),
    (robot(link("a"), "\n", link("b", ""), joint("j", "a", "b")),
     "m.urdf:2: link 'b': it moves (joint 'j'), but neither it nor anything that hangs on it has mass or inertia. Give"
     " it an <inertial>, make the joint fixed, or load with lock=['j']"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[:60] for _, message in WRONG])
def test_wrong_files_are_refused_with_position_and_reason(text: str, message: str) -> None:
    with pytest.raises(FileError) as error:
        loads_urdf(text, fb.System, "m.urdf")
    assert message in str(error.value)
    assert error.value.file == "m.urdf" and error.value.line >= 1


def test_robots_without_mass_cannot_be_floating() -> None:
    with pytest.raises(FileError, match="link 'a': it floats, but nothing of the robot has mass or inertia"):
        loads_urdf(robot(link("a", "")), fb.System, floating=True)


def test_joints_without_inertia_are_named_when_derived() -> None:
    """A point on the axis of its own hinge; the error uses the link's name of the file."""
    point = '<inertial><mass value="1"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
    system, _ = loads_urdf(robot(link("a"), link("tip", point), joint("j", "a", "tip")), fb.System)
    with pytest.raises(fb.errors.ModelError, match=r"joint 'tip' \(tip on ground\): its inertia is 0"):
        system.derive().compile("numpy").forward_dynamics([0], [0])


@pytest.mark.parametrize(("close", "message"), [
    ([1], "close is loops by name, such as {'pin': ('rod',"),
    ({"p": ("a", "b")}, "close 'p': a loop is (link, link, joint), such as"),
    ({"p": ("a", "bb", "revolute")}, "close 'p': there is no link 'bb' in robot 'r'. Did you mean b?"),
    ({"p": (3, "b", "revolute")}, "close 'p': an end is a link or (link, (x, y, z)), not 3"),
    ({"p": (("a", (1, 2)), "b", "revolute")}, "close 'p'"),
    ({"p": ("a", "b", 3)}, "close 'p': a joint is needed, such as fb.Revolute('z'), not 3"),
    ({"p": ("a", "b", "revolut")}, "close 'p': there is no joint 'revolut'. Did you mean revolute?"),
    ({"p": ("b", "c", "revolute")}, "close 'p': links 'b' and 'c' do not move relative to each other"),
    ({"b": ("a", "b", "revolute")}, "close 'b': 'b' is the name of a body in system 'r'"),
    ({3: ("a", "b", "revolute")}, "close '3'"),
])  # fmt: skip
def test_wrong_loops_of_the_option_are_refused_by_name(close: Any, message: str) -> None:
    text = robot(AB, link("c"), joint("j", "a", "b"), joint("k", "b", "c", "fixed"))
    with pytest.raises(fb.errors.ModelError) as error:
        loads_urdf(text, fb.System, close=close)
    assert message in str(error.value)


# What is not read

UNUSED = """<robot name="r" xmlns:a="b" version="1.0">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="b"><visual><geometry><cone height="1"/></geometry></visual></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/><limit effort="1"/></joint>
<link name="c" colour="red"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
</inertial><spring stiffness="1"/><collision/></link>
<joint name="k" type="continuous"><parent link="a"/><child link="c"/><limit lower="0" upper="0" effort="2"/></joint>
<transmission><joint name="j"/></transmission>%s
</robot>"""


def test_what_is_not_read_is_named_once_with_its_line() -> None:
    with pytest.warns(FileWarning) as caught:
        loads_urdf(UNUSED % "", fb.System, "m.urdf")
    assert len(caught) == 1
    assert (
        "m.urdf: these parts of the file are not read and have no effect: <cone> in <geometry> (line 4), the attribute"
        " 'colour' of <link> (line 6), <spring> in <link> (line 7), <collision> (line 3 and 1 more), <limit> of fixed"
        " joints (line 5), the attribute 'lower' of <limit> (line 8), the attribute 'upper' of <limit> (line 8),"
        " <transmission> (line 9). Check that none of them is needed;"
    ) in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names = ["cone", "colour", "spring", "collision", "limit", "lower", "upper", "transmission"]
        loads_urdf(UNUSED % "", fb.System, ignore=names)
        loads_urdf(robot(AB, joint("j", "a", "b", inside='<axis xyz="0 0 1"/>')), fb.System)


@pytest.mark.parametrize("name", ["loop", "coupling"])
def test_loops_and_couplings_of_other_dialects_are_refused(name: str) -> None:
    text = UNUSED % f'\n<{name} name="x"/>'
    with pytest.raises(FileError, match=rf"m.urdf:10:1: {name} 'x': it (closes|couples) .* ignore=\['{name}'\]"):
        loads_urdf(text, fb.System, "m.urdf")
    with pytest.warns(FileWarning, match=r"<spring> in <link>"):
        loads_urdf(text, fb.System, ignore=[name])


@pytest.mark.parametrize("ignore", ["loop", 3, [3], None])
def test_ignore_is_a_list_of_names(ignore: Any) -> None:
    with pytest.raises(fb.errors.ModelError, match="ignore must be a list of names of elements and attributes"):
        loads_urdf(robot(link("a")), fb.System, ignore=ignore)
    with pytest.raises(fb.errors.ModelError, match="<joint> is read and cannot be left out"):
        loads_urdf(robot(link("a")), fb.System, ignore=["joint"])


# Safety


@pytest.fixture(scope="module")
def fates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The outcome of the hostile files in processes with little memory and time."""
    folder = tmp_path_factory.mktemp("hostile")
    command = [sys.executable, "-m", "tests.io.hostile_urdf", str(folder)]
    root = Path(__file__).parents[2]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, cwd=root)
    return json.loads(run.stdout)  # type: ignore[no-any-return]


@pytest.mark.slow
def test_hostile_files_are_refused_quickly_and_clearly(fates: dict[str, Any]) -> None:
    assert len(fates) > 55
    for name, fate in fates.items():
        assert fate["type"] == "FileError", (name, fate)
        assert fate["s"] < hostile_yaml.SECONDS and fate["MB"] < hostile_yaml.MEGABYTES, (name, fate)
    assert not Path("freebody_was_here").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "message"), [
    ("billion laughs", "a DTD (<!DOCTYPE …>) and entities are not read; files are data"),
    ("external entity", "a DTD"), ("external dtd", "a DTD"), ("empty dtd", "a DTD"), ("parameter entity", "a DTD"),
    ("unknown entity", "this is not XML: undefined entity"),
    ("deep", "more than 32 elements are nested"), ("million elements", "a URDF file has at most 100000"),
    ("too many links", "there are 10001 links; a robot has at most 10000"),
    ("long attribute", "link 'a' inertial mass value: a text has more than 20000 characters"),
    ("long name", "a name has 1 to 200 visible characters"), ("five megabytes", "a model file has at most 4194304"),
    ("nan", "link 'a' inertial mass value: 'nan' is not a number"), ("huge number", "1e400 is too large"),
    ("python number", "'1_000' is not a number"),  ("expression", "is not a number"),
    ("nul byte", "control character U+0000"),
    ("invalid utf-8", "a byte here is not UTF-8"), ("latin letters", "a byte here is not UTF-8"),
    ("byte-order mark", "it begins with a byte-order mark"), ("newline in a name", "1 to 200 visible characters"),
    ("overflowing place", "link 'c': at[0]: inf cannot be part of an expression"),
    ("a ring", "in a ring"), ("mimics in a ring", "which mimics it in turn"), ("named pipe", "it is a named pipe"),
    ("directory", "it is a directory"), ("device", "it is a device"), ("sparse gigabyte", "it has 1073741824 bytes"),
])  # fmt: skip
def test_errors_of_hostile_files(fates: dict[str, Any], name: str, message: str) -> None:
    assert message in fates[name]["text"]


def test_names_of_hostile_files_are_unique() -> None:
    names = [name for name, _ in hostile_urdf.texts()]
    assert len({*names}) == len(names)


def test_nothing_heavy_is_imported_before_a_file_is_read() -> None:
    code = "import sys, freebody.io; print([m for m in ('xml.sax', 'defusedxml', 'pydantic') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
