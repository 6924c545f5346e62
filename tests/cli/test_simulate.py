"""simulate: results, arguments, written files and exit codes."""

from collections.abc import Callable
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freebody as fb
from tests.cli.conftest import BALL, Run
from tests.cli.test_models import refused

RunJson = Callable[..., dict[str, Any]]


def pendulum_at(t: float, q: float, u: float, length: float) -> tuple[float, float]:
    """The solution of q̈ = −g/l sin q, computed by SciPy."""
    found = solve_ivp(
        lambda _, x: [x[1], -9.81 / length * sin(x[0])], (0, t), [q, u], "DOP853", rtol=1e-12, atol=1e-12
    ).y[:, -1]
    return float(found[0]), float(found[1])


@pytest.mark.parametrize("method", [["dop853"], ["rk4", "--step", "0.001"], ["radau"]])
def test_motion_of_a_pendulum(run_json: RunJson, pendulum: Path, method: list[str]) -> None:
    given = ("--set", "q.arm=pi/3", "--set", "u.arm=-0.5", "--parameter", "l=0.8", "--method", *method)
    found = run_json("simulate", pendulum, "--until", "2", *given)
    q, u = pendulum_at(2.0, pi / 3, -0.5, 0.8)
    assert found["final"]["q.arm"] == pytest.approx(q, abs=1e-6)
    assert found["final"]["u.arm"] == pytest.approx(u, abs=1e-6)
    assert found["outputs"]["output.tip.z"] == pytest.approx(-0.8 * cos(q), abs=1e-6)
    assert found["energy_error"] < 1e-6
    assert (found["t_start"], found["t_end"], found["status"], found["parameters"]["l"]) == (0, 2, 0, 0.8)
    assert found["statistics"]["method"] == method[0] and found["statistics"]["steps"] > 0


def test_table_shows_start_end_and_cost(run: Run, pendulum: Path) -> None:
    result = run("simulate", pendulum, "--until", "1", "--set", "q.arm=0.3")
    rows = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line.startswith(" ")}
    q, u = pendulum_at(1.0, 0.3, 0.0, 0.5)
    assert result.stdout.startswith("pendulum: dop853 to t = 1 s, reached the end")
    assert float(rows["q.arm"][0]) == 0.3 and float(rows["q.arm"][1]) == pytest.approx(q, rel=1e-5)
    assert float(rows["u.arm"][1]) == pytest.approx(u, rel=1e-5) and rows["u.arm"][-1] == "rad/s"
    assert {"steps", "seconds", "energy"} <= set(rows) and result.stderr == ""


def test_inputs_may_be_laws_and_numbers(run_json: RunJson, driven: Path) -> None:
    """θ̈ = sin t − 0.2 from rest gives θ̇ = 1 − cos t − 0.2 t; the state follows ċ = −c + sin t."""
    given = ("--input", "motor=sin(t)", "-i", "brake=0.2", "--set", "charge=1")
    found = run_json("simulate", driven, "-t", "1.5", *given)
    assert found["final"]["u.arm"] == pytest.approx(1 - cos(1.5) - 0.3, abs=1e-8)
    charge = 1.5 * np.exp(-1.5) + (sin(1.5) - cos(1.5)) / 2
    assert found["final"]["z.charge"] == pytest.approx(charge, abs=1e-8)
    assert found["inputs"] == {"motor": "law sin(t)", "brake": "0.2"}


def test_inputs_without_a_value_are_refused_or_zero(run: Run, run_json: RunJson, driven: Path) -> None:
    result = run("simulate", driven)
    assert result.exit_code == 2 and "error: inputs without a value: motor, brake." in result.stderr
    final = run_json("simulate", driven, "-t", "1", "--input", "motor=1", "--zero-inputs")["final"]
    assert final["u.arm"] == pytest.approx(1.0)


def test_initial_values_of_several_coordinates(run_json: RunJson, driven: Path) -> None:
    given = ("--zero-inputs", "-t", "0.5", "--set", "q.ball=1,2,3, 1,0,0,0", "--set", "ball.vx=2", "--set", "ball.wz=0")
    final = run_json("simulate", driven, *given)["final"]
    assert [final[f"q.ball.{c}"] for c in "xyz"] == pytest.approx([2.0, 2.0, 3 - 9.81 / 8])


def test_universal_joints_take_both_angles(run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "cardan.yaml"
    path.write_text("bodies: {a: {joint: universal, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}}")
    final = run_json("simulate", path, "-t", "0", "--set", "q.a=0.1,pi/4", "--set", "u.a=1,2")["final"]
    assert list(final.values()) == pytest.approx([0.1, pi / 4, 1, 2])


def test_laws_may_use_tables_of_the_file(run_json: RunJson, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "stop.yaml"
    path.write_text(
        "gravity: [0, 0, 0]\ninputs: [f]\n"
        "tables: {buffer: {x: [0, 1], y: [0, 4]}}\ndefinitions: {half: buffer(q.b)/2}\n"
        "bodies: {b: {joint: slider, mass: 1}}\nloads: {pull: {joint_force: {on: b, value: f - half}}}"
    )
    found = run_json("simulate", path, "-t", "1", "--input", "f=buffer(t) + buffer(q.b)/2")
    assert found["final"]["u.b"] == pytest.approx(2.0) and found["inputs"]["f"] == "law buffer(t) + buffer(q.b)/2"
    refused(run("simulate", path, "--input", "f=half"), 2, "'half' is not declared")


def test_constraints_are_engaged_and_released(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    """A stone falls on the floor, rests, and is lifted; by the command alone, from a model file."""
    s = fb.System("floor")
    stone = s.body("stone", joint=fb.Prismatic("z", initial=1.0), mass=2.0)
    s.joint_force(stone, s.input("lift"))
    s.point_on_plane(stone, name="contact", engaged=False)
    (tmp_path / "floor.yaml").write_text(s.to_yaml(), encoding="utf-8")
    given = ("simulate", tmp_path / "floor.yaml", "--input", "lift=10*max(t - 1, 0)", "--until", "4")
    found = run_json(*given, "--engage", "contact=q.stone", "--release", "contact=multiplier.contact")
    times = {event["name"]: event["t"] for event in found["events"]}
    assert times == pytest.approx({"engage contact": sqrt(2 / 9.81), "release contact": 1 + 2 * 9.81 / 10})
    rise = 4 - times["release contact"]
    assert found["final"]["q.stone"] == pytest.approx(10 * rise**3 / 12)
    assert found["energy"]["loss by impacts and switching"] == pytest.approx(-2 * 9.81)
    refused(run(*given, "--engage", "floor=q.stone"), 2, "event 'engage floor': engage", "contact")


def test_events_end_the_run(run: Run, run_json: RunJson, ball: Path) -> None:
    found = run_json("simulate", ball, "--event", "q.ball - 0.5", "--direction", "-1", "--samples", "11")
    assert found["exit_code"] == 0 and found["status"] == 1
    assert found["t_end"] == pytest.approx(sqrt(2 * 0.5 / 9.81), abs=1e-9)
    assert found["events"] == [{"t": found["t_end"], "name": "q.ball - 0.5"}]
    assert "q.ball - 0.5" in run("simulate", ball, "--event", "q.ball - 0.5").stdout
    upwards = run_json("simulate", ball, "--event", "q.ball - 0.5", "--direction", "1", "-t", "1")
    assert upwards["status"] == 0 and upwards["events"] == []


def test_exceeded_limits_are_a_warning(run: Run, run_json: RunJson, ball: Path) -> None:
    found = run_json("simulate", ball, "-t", "1")
    assert found["ok"] and "coordinate 'ball' leaves its limits 0 … 5" in found["warnings"][0]
    assert run("simulate", ball, "-t", "1").stderr.startswith("warning: ")
    assert run("simulate", ball, "-t", "1", "--quiet").output == ""


def test_files_are_written(run: Run, run_json: RunJson, pendulum: Path, tmp_path: Path) -> None:
    import pandas

    saved = ("--save", "run.nc", "--save", "run.csv")
    drawn = ("--plot", "run.png", "--plot", "run.svg", "--show", "tip")
    found = run_json("simulate", pendulum, "-t", "1", "--samples", "21", "--set", "q.arm=0.3", *saved, *drawn)
    assert found["files"] == ["run.nc", "run.csv", "run.png", "run.svg"]
    loaded = fb.Trajectory.load("run.nc")
    assert loaded.t == pytest.approx(np.linspace(0, 1, 21)) and loaded.final == pytest.approx(found["final"])
    assert len(pandas.read_csv("run.csv")) == found["samples"] == 21
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG") and "<svg" in (tmp_path / "run.svg").read_text()


def test_report_is_written(run: Run, pendulum: Path, tmp_path: Path) -> None:
    result = run("simulate", pendulum, "-t", "0.5", "--report", "run.html")
    assert result.exit_code == 0, result.output
    assert "<html" in (tmp_path / "run.html").read_text() and "written: run.html" in result.stderr


def test_failed_runs_are_saved(run: Run, run_json: RunJson, blown: Path) -> None:
    """u̇ = u² from 1 is 1/(1 − t), which diverges at 1 s."""
    found = run_json("simulate", blown, "--set", "u.arm=1", "--save", "run.nc")
    assert (found["ok"], found["exit_code"], found["status"]) == (False, 1, -1)
    assert found["t_end"] == pytest.approx(1.0, abs=1e-6) and found["files"] == ["run.nc"]
    assert "could not go on" in found["error"] and found["warnings"] == []
    assert fb.Trajectory.load("run.nc").t[-1] == found["t_end"]
    result = run("simulate", blown, "--set", "u.arm=1")
    assert result.exit_code == 1 and "Motion" in result.stdout and result.stderr.count("could not go on") == 1


def test_max_steps_ends_the_run(run: Run, run_json: RunJson, pendulum: Path) -> None:
    result = run("simulate", pendulum, "--until", "1000", "--set", "q.arm=1", "--max-steps", "9")
    assert result.exit_code == 1 and "the run has taken max_steps = 9 steps. Allow more" in result.stderr
    assert run_json("simulate", pendulum, "--until", "0.1", "--max-steps", "1000")["status"] == 0
    assert run("simulate", pendulum, "--max-steps", "0").exit_code == 2


def test_ctrl_c_saves_the_partial_run(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    stopping = """
def stop(t):
    if t > 0.5:
        raise KeyboardInterrupt
    return 0.0

s.joint_force(s.bodies["ball"], fb.apply(fb.callback("stop", stop), s.t))
"""
    (tmp_path / "model.py").write_text(BALL + stopping)
    found = run_json("simulate", "model.py", "--until", "1", "--save", "run.csv")
    assert found["exit_code"] == 130 and "interrupted at t = " in found["error"] and found["files"] == ["run.csv"]
    assert 0 < found["t_end"] <= 0.6
    (tmp_path / "model.py").write_text("raise KeyboardInterrupt\n")
    result = run("info", "model.py")
    assert (result.exit_code, result.stderr) == (130, "error: interrupted\n")


@pytest.mark.parametrize(
    ("given", "code", "part"),
    [
        (["--set", "arm=1"], 2, "'arm' may be q.arm or u.arm; write one of them"),
        (["--set", "q.amr=1"], 2, "there is no 'q.amr' (did you mean 'q.arm'?)"),
        (["--set", "q.arm"], 2, "write --set name=value"),
        (["--set", "q.arm=1", "--set", "q.arm=2"], 2, "'q.arm' is given twice"),
        (["--set", "q.arm=nan"], 2, "nan is not finite"),
        (["--set", "q.arm=__import__('os')"], 2, "--set q.arm: '__import__('os')' is not a number"),
        (["--set", "q.arm=1,2"], 2, "takes 1 number"),
        (["--parameter", "k=1"], 2, "has no parameter 'k'"),
        (["--parameter", "m=x"], 2, "--parameter m: 'x' is not a number"),
        (["--input", "motor=1"], 2, "there is no input 'motor'; there are none"),
        (["--event", "q.leg"], 2, "'q.leg' is not declared"),
        (["--event", "q.arm", "--direction", "1", "--direction", "1"], 2, "2 for 1 --event"),
        (["--direction", "1"], 2, "1 for 0 --event"),
        (["--direction", "2"], 2, "--direction"),
        (["--method", "rk5"], 2, "there is no 'rk5' (did you mean 'rk4'?)"),
        (["--method", "rk4"], 2, "give --step SECONDS"),
        (["--method", "rk4", "--step", "nan"], 2, "step: nan is not finite"),
        (["--method", "rk4", "--step", "0"], 2, "step = 0 is not a step size"),
        (["--event", "q.arm", "--event", "q.arm"], 2, "--event q.arm: it is given twice; once is enough"),
        (["--until", "0", "--samples", "5"], 2, "a run until 0 s has one time only; leave --samples out"),
        (["--parameter", "m=-5"], 2, "with m = -5 the mass of 'arm' is -5; it cannot be negative"),
        (["--step", "0.1"], 2, "--step is for --method rk4"),
        (["--rtol", "-1"], 2, "rtol must be a number ≥ 0"),
        (["--constraints", "projecton"], 2, "there is no 'projecton' (did you mean 'projection'?)"),
        (["--constraints", "baumgarte"], 2, "has no constraints: leave constraints='baumgarte' out"),
        (["--until", "soon"], 2, "--until"),
        (["--until", "inf"], 2, "finite end"),
        (["--samples", "1"], 2, "--samples"),
        (["--save", "run.xls"], 2, "the name must end in .nc, .csv, .parquet"),
        (["--plot", "run.gif"], 2, "the name must end in .png, .svg, .pdf"),
        (["--show", "q.arm"], 2, "give --plot PATH too"),
        (["--save", "no/run.nc"], 4, "there is no folder no; make it first"),
        (["--save", "folder.nc"], 4, "it is a folder; name a file"),
        (["--plot", "run.png", "--show", "q.leg", "-t", "0.1", "-q"], 2, "--show: run of pendulum: nothing is called"),
    ],
)
def test_wrong_options_are_refused(run: Run, pendulum: Path, given: list[str], code: int, part: str) -> None:
    Path("folder.nc").mkdir()
    refused(run("simulate", pendulum, *given), code, part)


def test_unwritable_file_is_a_file_error(
    run: Run, run_json: RunJson, pendulum: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, path: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fb.Trajectory, "save", full)
    found = run_json("simulate", pendulum, "-t", "0.1", "--save", "run.nc")
    assert found["exit_code"] == 4 and found["files"] == [] and found["status"] == 0
    assert found["error"] == "--save run.nc: it cannot be written: No space left on device"
