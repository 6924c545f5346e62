"""Models on the command line: where systems are looked up, and errors if there is none."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import PENDULUM, Run
from tests.io.test_other_formats import FILES

TWO = "import freebody as fb\na = fb.System('a')\nb = fb.System('b')\nagain = a\n\ndef build(): return a\n"


ROBOT = """<robot name="bot"><link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" {} ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint></robot>
"""


def refused(result: Any, code: int, *parts: str) -> None:
    """Assert that there is one message on standard error, nothing on standard output, and no traceback."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("error: ") and "Traceback" not in result.stderr
    for part in parts:
        assert part in result.stderr


def written(text: str) -> str:
    Path("model.py").write_text(text)
    return "model.py"


def test_only_system_of_a_file_is_used(run: Run, pendulum: Path) -> None:
    assert run("info", pendulum).stdout.startswith("pendulum: 1 body, 1 degree of freedom")


def test_name_after_a_colon_selects_a_variable_or_a_function(run: Run, pendulum: Path) -> None:
    pendulum.write_text(PENDULUM + "other = fb.System('other')\n\ndef make(n=2):\n    return s\n")
    assert run("info", f"{pendulum}:s").stdout.startswith("pendulum:")
    assert run("info", f"{pendulum}:make").stdout.startswith("pendulum:")
    refused(run("info", pendulum), 3, "it holds several systems, s, other; name one", ":s")


def test_system_with_two_names_is_one_system(run: Run, pendulum: Path) -> None:
    pendulum.write_text(PENDULUM + "again = s\n")
    assert run("info", pendulum).exit_code == 0


def test_function_named_system_is_called(run: Run, driven: Path) -> None:
    result = run("info", driven)
    assert result.exit_code == 0 and "driven: 2 bodies" in result.stdout
    assert "a model may print" in result.stderr and "may print" not in result.stdout


def test_models_import_from_their_own_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "parts_of_mine.py").write_text(PENDULUM)
    (tmp_path / "sub" / "whole.py").write_text("from parts_of_mine import s\n")
    assert run("info", "sub/whole.py").stdout.startswith("pendulum:")


@pytest.mark.parametrize(
    ("text", "name", "parts"),
    [
        (TWO, ":c", ["it has no 'c'", "the systems a, b, again and the functions build()"]),
        ("x = 1\n", "", ["it holds no system", "no systems and no functions"]),
        ("x = 1\n", ":x", ["x is of type int, not a freebody.System"]),
        (
            "import freebody as fb\ndef first(): ...\ndef arm() -> fb.System: ...\n",
            "",
            ["there are the functions first(), arm(). Name the one to use: model.py:arm"],
        ),
        ("def arm() -> 'fb.System': ...\n", "", ["Name the one to use: model.py:arm"]),
        ("import freebody as fb\ndef arm(n) -> fb.System: ...\n", "", ["there are the functions arm()\n"]),
        ("def f(n): return n\n", ":f", ["f cannot be called without arguments"]),
        ("def system(): return 3\n", "", ["what system() returns is of type int", "functions system()"]),
        ("import freebody as fb\ns = fb.System('x')\n", "", ["model.py", "system 'x' has no bodies"]),
        (
            "import freebody as fb\n\ns = fb.System('x')\ns.body('a', on='b')\n",
            "",
            ["model.py:4: bodies.a.on: 'b' is not a body. Choose from ground."],
        ),
        ("\n\nx = (1 +\n", "", ["model.py:3: "]),
        ("x = 1\ny = x / 0\n", "", ["model.py:2: ZeroDivisionError: division by zero"]),
        ("raise SystemExit(0)\n", "", ["it ends Python itself"]),
        ("import freebody as fb\ns = fb.System()\ns.body('a', joint='pin')\n", "", ["joint 'a'", "its inertia is 0"]),
    ],
)
def test_wrong_models_are_refused(run: Run, text: str, name: str, parts: list[str]) -> None:
    refused(run("info", written(text) + name), 3, *parts)


def test_missing_data_file_of_a_model_is_a_file_error(run: Run) -> None:
    refused(run("info", written("\nopen('data.csv')\n")), 4, "model.py:2: data.csv: No such file")


@pytest.mark.parametrize("suffix", ["yaml", "urdf", "py"])
def test_huge_files_are_refused_before_they_are_read(run: Run, tmp_path: Path, suffix: str) -> None:
    """A sparse file of 40 GB, which would not fit into memory."""
    with (tmp_path / f"huge.{suffix}").open("wb") as file:
        file.truncate(40 * 2**30)
    refused(run("info", f"huge.{suffix}"), 4, "it has 42949672960 bytes; a model file has at most 4194304")
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    refused(run("info", f"pipe.{suffix}"), 4, "it is a named pipe; a model file is a regular file")


def test_paths_that_are_not_files_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "binary.yaml").write_bytes(b"a\0b")
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\0\0")
    refused(run("info", "nowhere.py"), 4, "nowhere.py: there is no such file")
    refused(run("info", "nowhere.yaml"), 4, "nowhere.yaml: there is no such file")
    refused(run("info", tmp_path), 4, "it is a folder")
    refused(run("info", "binary.yaml"), 4, "not a text file")
    refused(run("info", "binary.py"), 4, "not a text file")
    refused(run("info", "-"), 2, "not from standard input")
    refused(run("info", "robot.mjcf"), 2, "a model is a .yaml, a .yml, a .urdf or a .py file")
    refused(run("info", "robot.urdf"), 4, "robot.urdf: there is no such file")
    refused(run("info", "robot.urdf:x"), 2, "only :floating may follow the name of a URDF file")
    refused(run("info", "robot.urdf:"), 2, "write robot.urdf:floating")
    refused(run("info", "robot.py:"), 2, "no name behind the colon")


def test_files_of_other_programs_are_named(run: Run, tmp_path: Path) -> None:
    for name, content, what, _ in FILES:
        if not name.endswith(".py"):
            (tmp_path / name).write_text(content)
            refused(run("info", name), 3, what)
    refused(run("simulate", "arm.slx", "--until", "1"), 3, "a model of Simulink")
    refused(run("info", "nowhere.slx"), 2, "a model is a .yaml, a .yml, a .urdf or a .py file")


def test_errors_in_yaml_files_show_the_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("freebody: 3\nname: x\nbodies:\n  a: {joint: pin, mas: 1}\n")
    refused(run("info", "model.yaml"), 3, "model.yaml:4", "mas")


def test_robots_may_be_fixed_or_floating(run: Run) -> None:
    robot = Path(__file__).parents[2] / "examples" / "robots" / "solo12.urdf"
    assert run("info", robot).stdout.startswith("solo12: 17 bodies, 12 degrees of freedom")
    assert run("info", f"{robot}:floating").stdout.startswith("solo12: 17 bodies, 18 degrees of freedom")


def test_inertias_that_no_body_can_have(run: Run, tmp_path: Path) -> None:
    """They are an error, or taken as they are by ``--no-physical``, in every command."""
    (tmp_path / "bot.urdf").write_text(ROBOT.format('izz="5"'))
    for command in ("info", "derive", "simulate", "sweep", "view", "equilibrium", "linearize", "modes", "bench"):
        options = ("--over", "q.a=0,1") if command == "sweep" else ("page.html",) if command == "view" else ()
        refused(run(command, "bot.urdf", *options), 3, "link 'a'", "numbers, or accept them with --no-physical")
        assert run(command, "bot.urdf", *options, "--no-physical").exit_code == 0, command
    refused(run("export", "bot.urdf", "--to", "text"), 3, "accept them with --no-physical")
    assert run("export", "bot.urdf", "--to", "text", "--no-physical").exit_code == 0
    refused(run("info", written(PENDULUM), "--no-physical"), 2, "--no-physical is for inertias in .urdf files")


def test_warnings_about_a_file_are_printed_as_all_messages(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bot.urdf").write_text(ROBOT.format('izz="1"').replace("</robot>", "<foo/></robot>"))
    assert run("info", "bot.urdf").stderr.startswith("warning: bot.urdf: these parts of the file are not read")
    assert run("info", "bot.urdf").stderr.count("\n") == 1 and run("info", "bot.urdf", "-q").stderr == ""


def test_debug_shows_the_traceback(run: Run) -> None:
    result = run("info", written("x = 1 / 0\n"), "--debug")
    assert result.exit_code == 3 and "Traceback" in result.stderr and "error: model.py:1" in result.stderr


def test_angles_that_are_probably_in_degrees_are_a_warning_of_the_command(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "pend.yaml"
    joint = "{type: revolute, initial: 90}"
    file.write_text(f"freebody: 3\nname: pend\nbodies:\n  pend: {{joint: {joint}, mass: 1, com: [1, 0, 0]}}\n")
    shown = run("info", file)
    assert shown.exit_code == 0
    assert shown.stderr.startswith("warning: body 'pend': initial of its revolute joint: 90 rad")
    assert "typer" not in shown.stderr


def test_robots_have_motors_that_hold_a_pose(run: Run) -> None:
    robot = Path(__file__).parents[2] / "examples" / "robots" / "ur5.urdf"
    refused(run("simulate", robot, "--motors", "--until", "0.1"), 2, "inputs without a value: command.shoulder_link")
    assert run("simulate", robot, "--motors", "--zero-inputs", "--until", "0.01").exit_code == 0
    held = run("simulate", robot, "--hold", "elbow_joint=1", "--until", "0.01", "--set", "q.forearm_link=1", "--json")
    assert held.exit_code == 0
    refused(run("simulate", robot, "--hold", "elbow"), 2, "write --hold name=value")
    refused(run("simulate", written(PENDULUM), "--motors"), 2, "--motors and --hold are for .urdf files")


def test_limits_of_robots_become_stops(run: Run) -> None:
    robot = Path(__file__).parents[2] / "examples" / "robots" / "ur5.urdf"
    made = run("simulate", robot, "--stops", "--until", "0.01", "--json")
    assert made.exit_code == 0
