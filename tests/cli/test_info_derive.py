"""info and derive: printed output and JSON."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from freebody.cli.output import plain, visible
from tests.cli.conftest import Run
from tests.cli.test_models import refused
from tests.formulations.test_constraints import four_bar

RunJson = Callable[..., dict[str, Any]]


def system(path: Path) -> fb.System:
    space: dict[str, Any] = {}
    exec(path.read_text(), space)
    return space["s"] if "s" in space else space["system"]()


def test_info_prints_the_roadmap(run: Run, driven: Path) -> None:
    out = run("info", driven).stdout
    assert out.startswith("driven: 2 bodies, 7 degrees of freedom, 1 state, 2 inputs, 1 load")
    rows = "ball   ground   free       1–7   1–6   1", "0       motor   N·m    what turns it", "drive   joint_force"
    for line in rows:
        assert line in out
    assert str(system(driven).derive().operations["forward_dynamics"]) in out
    assert all(line == line.rstrip() for line in out.splitlines())


def test_info_json_is_complete(run_json: RunJson, driven: Path) -> None:
    found = run_json("info", driven)
    eq = system(driven).derive()
    assert (found["command"], found["ok"], found["exit_code"], found["error"]) == ("info", True, 0, None)
    assert found["freebody"] == fb.__version__ and found["model"] == str(driven)
    assert found["digest"] == system(driven).digest() and found["degrees_of_freedom"] == 7
    assert tuple(c["name"] for c in found["coordinates"]) == eq.q and tuple(c["name"] for c in found["speeds"]) == eq.u
    assert found["inputs"][0] == {"name": "motor", "unit": "N·m", "description": "what turns it"}
    assert found["states"] == [{"name": "charge", "unit": "C", "description": "", "initial": 0.25}]
    assert found["bodies"][0] == {
        "name": "arm",
        "on": "ground",
        "joint": "revolute",
        "mass": "0",
        "coordinates": ["arm"],
        "speeds": ["arm"],
    }
    assert found["operations"]["forward_dynamics"]["total"] == eq.operations["forward_dynamics"].total


def test_info_shows_constraints(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    """Bodies, multipliers, equations that are left out with the reason, and the freedoms that remain."""
    s, _ = four_bar()
    s.constrain("q.crank - sin(t)", name="drive")
    path = s.save(tmp_path / "four_bar.yaml")
    out = run("info", path).stdout
    assert out.startswith("four-bar: 3 bodies, 2 constraints\n")
    assert "3 speeds, 3 equations of constraints, 0 left: the constraints leave no motion free" in out
    row = next(line.strip() for line in out.splitlines() if line.strip().startswith("pin"))
    words = "close, revolute", "coupler, rocker", "pin.force.x, pin.force.z", "force.y, torque.z, torque.x: no speed"
    assert all(word in row for word in words)
    assert "act on its second body, along the axes of the joint's frame" in " ".join(out.split())
    found = run_json("info", path)
    assert found["degrees_of_freedom"] == 0
    pin, drive = found["constraints"]
    assert pin["joint"] == "revolute" and pin["bodies"] == ["coupler", "rocker"]
    assert pin["multipliers"] == ["pin.force.x", "pin.force.z"]
    assert {*pin["omitted"]} == {"pin.force.y", "pin.torque.z", "pin.torque.x"}
    assert drive["expressions"] == ["q.crank - sin(t)"] and drive["multipliers"] == ["drive"]


@pytest.mark.paper("000", "24", "38")
def test_tables_have_those_of_the_equations(run: Run, run_json: RunJson, pendulum: Path) -> None:
    for speeds in ("standard", "mass-centre"):
        text = system(pendulum).derive("sayers", speeds=speeds).tables()
        assert run("tables", pendulum, "--speeds", speeds).stdout.strip() == text.strip() != ""
        assert run_json("tables", pendulum, "--speeds", speeds)["tables"] == text
    refused(run("tables", pendulum, "--speeds", "high"), 2, "standard, mass-centre")


def test_info_names_equations_that_follow_from_others(run_json: RunJson, tmp_path: Path) -> None:
    """In a parallelogram, across the coupler its end moves by its rotation too, along it only by the other two."""
    s, _ = four_bar()
    s.constrain("2*q.crank - 2*q.rocker", "q.crank - q.rocker + q.coupler + q.crank", name="parallel")
    found = run_json("info", s.save(tmp_path / "four_bar.yaml"))
    redundant = found["constraints"][1]["redundant"]
    assert redundant == {
        "parallel.1": "it follows from pin.force.x",
        "parallel.2": "it follows from pin.force.x, pin.force.z",
    }
    independent = sum(len(c["multipliers"]) - len(c["redundant"]) for c in found["constraints"])
    assert found["degrees_of_freedom"] == 3 - independent


def test_derive_prints_the_listing_and_its_operation_count(run: Run, pendulum: Path) -> None:
    eq, out = system(pendulum).derive(), run("derive", pendulum).stdout
    cost = eq.operations["forward_dynamics"]
    assert out.startswith(str(eq))
    row = next(line.split() for line in out.splitlines() if line.startswith(" forward_dynamics "))
    assert row[1:5] == [str(n) for n in (cost.total, cost.mul, cost.add, cost.div)]


def test_derive_prints_counts_of_several_quantities(run: Run, run_json: RunJson, pendulum: Path) -> None:
    options = ("derive", pendulum, "--count", "--quantity", "mass_matrix", "--quantity", "bias")
    assert "M_1_1" not in run(*options).stdout
    found, eq = run_json(*options)["quantities"], system(pendulum).derive()
    assert {n: q["operations"]["total"] for n, q in found.items()} == {
        n: eq.operations[n].total for n in ("mass_matrix", "bias")
    }
    assert "listing" not in found["bias"]


def test_derive_prints_a_quantity_given_twice_once(run: Run, pendulum: Path) -> None:
    once = run("derive", pendulum, "--quantity", "mass_matrix", "--quantity", "bias")
    again = run("derive", pendulum, "--quantity", "mass_matrix", "--quantity", "bias", "--quantity", "mass_matrix")
    assert again.stdout == once.stdout and again.stdout.count("mass_matrix(") == 1


@pytest.mark.paper("000", "38")
def test_derive_uses_formulation_speeds_and_small(run_json: RunJson, pendulum: Path) -> None:
    s = system(pendulum)
    for options, eq in (
        (("--formulation", "sayers"), s.derive("sayers")),
        (("--speeds", "mass-centre"), s.derive(speeds="mass-centre")),
        (("--small", "arm"), s.derive(small=["arm"])),
    ):
        assert run_json("derive", pendulum, *options)["quantities"]["forward_dynamics"]["listing"] == eq.to_text()


def test_unknown_quantities_and_options_are_refused(run: Run, pendulum: Path) -> None:
    refused(run("derive", pendulum, "--quantity", "bais"), 2, "there is no 'bais' (did you mean 'bias'?)")
    refused(run("derive", pendulum, "--formulation", "lagrange"), 2, "choose from kane, ")
    refused(run("derive", pendulum, "--small", "leg"), 2, "--small: 'leg' cannot be small")
    refused(run("derive", pendulum, "--speeds", "high"), 2, "standard, mass-centre")


def test_quiet_prints_nothing(run: Run, pendulum: Path) -> None:
    for command in ("info", "derive"):
        result = run(command, pendulum, "--quiet")
        assert (result.exit_code, result.output) == (0, "")


def test_names_are_printed_verbatim(run: Run, hostile: Path) -> None:
    """Markup stays text, unprintable characters are escaped, and no name starts a line of its own."""
    for command in (["info"], ["derive"], ["simulate", "-t", "0.1"], ["export", "--to", "text"], ["bench"]):
        result = run(command[0], hostile, *command[1:])
        assert result.exit_code == 0, result.output
        assert all(c.isprintable() or c == "\n" for c in result.output)
        assert "\nerror: lines" not in result.output and "😄" not in result.output
    out = run("info", hostile).stdout
    assert r"[red]evil[/red] \x1b[31m two\nerror: lines \u202e :smile:" in out
    for name in ("[bold]a[/bold]", r"\x07[/link]", r"[/] \x1b[2J"):
        assert name in out


def test_errors_about_hostile_names_are_one_message(run: Run, hostile: Path) -> None:
    result = run("simulate", hostile, "--parameter", "x=1")
    refused(result, 2, r"system '[red]evil[/red] \x1b[31m two\nerror: lines")
    assert result.stderr.count("\n") == 1


def test_visible_and_plain() -> None:
    assert visible("a\tb\nc\x00é[x]\ud800") == r"a\tb\nc\x00é[x]\ud800"
    assert visible("a\nb", "\n") == "a\nb"
    assert plain({"a": (1.0, float("nan")), "b": [float("inf")]}) == {"a": [1.0, None], "b": [None]}


def test_derive_takes_a_solver(run: Run, pendulum: Path) -> None:
    assert "forward_dynamics" in run("derive", pendulum, "--solver", "sparse", "--count").stdout
    refused(run("derive", pendulum, "--solver", "guess"), 2, "--solver", "sparse")


@pytest.mark.paper("000", "36", "38")
def test_info_names_coordinates_that_nothing_depends_on(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "float.yaml"
    s = fb.System("float", gravity=(0, 0, 0))
    s.body("base", joint=fb.Planar("z"), mass=1, inertia=(1, 1, 1))
    s.body("arm", "base", fb.Revolute("z"), at=(1, 0, 0), mass=1, com=(1, 0, 0), inertia=(1, 1, 1))
    s.save(path)
    out = " ".join(run("info", path).stdout.split())
    free = s.derive().unused_coordinates
    assert free and f"Coordinates that nothing depends on: {', '.join(free)}" in out
    assert run_json("info", path)["unused_coordinates"] == list(free)
    s.spring("arm", s.ground.point((0, 0, 0)), stiffness=1.0)
    s.save(path)
    assert "nothing depends on" not in run("info", path).stdout
