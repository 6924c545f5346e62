"""equilibrium: states at rest and steady motions by their options, and errors."""

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run, RunJson
from tests.cli.test_models import refused

MAST = """
freebody: 3
name: mast
gravity: [0, 0, -9.81]
inputs: [motor]
parameters: {length: 0.5}
bodies:
  mast: {joint: {type: pin, axis: z}, inertia: [1, 1, 1]}
  pole: {on: mast, joint: {type: pin, axis: y}, mass: 2, com: [0, 0, -length]}
loads: {drive: {joint_force: {on: mast, value: motor}}}
outputs: {height: -length*cos(q.pole)}
"""


@pytest.fixture
def mast(tmp_path: Path) -> Path:
    path = tmp_path / "mast.yaml"
    path.write_text(MAST)
    return path


def test_equilibrium_near_a_guess(run: Run, run_json: RunJson, mast: Path) -> None:
    (found,) = run_json("equilibrium", mast, "--set", "q.pole=3.0")["equilibria"]
    assert found["q"]["pole"] == pytest.approx(np.pi) and found["stability"] == "unstable" and not found["isolated"]
    assert found["outputs"]["height"] == pytest.approx(0.5) and found["residual"] < 1e-9
    rate = np.sqrt(9.81 / 0.5)
    assert sorted(x for x, _ in found["eigenvalues"]) == pytest.approx([-rate, 0, 0, rate], abs=1e-6)
    shown = run("equilibrium", mast, "--set", "q.pole=3.0").stdout
    assert shown.startswith("mast: equilibrium, one of a family, unstable\n")
    assert {"q.pole", "3.14159", "rad"} <= set(shown.split()) and "Largest force or rate that remains: " in shown


def test_steady_motions_and_trimmed_values(run: Run, run_json: RunJson, mast: Path) -> None:
    """A conical pendulum has cos q = g/(l ω²); a motor holds a pendulum that cannot turn at an angle."""
    (cone,) = run_json("equilibrium", mast, "--set", "u.mast=6", "--set", "q.pole=1")["equilibria"]
    assert np.cos(cone["q"]["pole"]) == pytest.approx(9.81 / 0.5 / 36) and cone["rates"] == {"mast": 6.0}
    assert "steady motion" in run("equilibrium", mast, "--set", "u.mast=6", "--set", "q.pole=1").stdout
    held = ("equilibrium", mast, "--set", "q.pole=0.4", "--hold", "pole", "--free", "tau.pole")
    (held_by,) = run_json(*held)["equilibria"]
    assert held_by["tau"]["pole"] == pytest.approx(2 * 9.81 * 0.5 * np.sin(0.4))
    turn = ("--set", "q.pole=1", "--hold", "pole", "--set", "u.mast=5", "--free", "u.mast")
    (turned,) = run_json("equilibrium", mast, *turn)["equilibria"]
    assert turned["u"]["mast"] == pytest.approx(np.sqrt(9.81 / 0.5 / np.cos(1)))
    longer = run_json("equilibrium", mast, "--set", "u.mast=6", "--set", "q.pole=1", "--parameter", "length=1")
    assert np.cos(longer["equilibria"][0]["q"]["pole"]) == pytest.approx(9.81 / 36)
    assert "length" in run("equilibrium", mast, "--parameter", "length=1").stdout


def test_several_equilibria_from_random_guesses(run: Run, run_json: RunJson, mast: Path) -> None:
    found = run_json("equilibrium", mast, "--starts", 8, "--seed", 3)["equilibria"]
    assert [one["stability"] for one in found] == ["undecided", "unstable"]
    assert [abs(one["q"]["pole"]) for one in found] == pytest.approx([0, np.pi], abs=1e-9)
    assert "mast, 2 of 2: equilibrium" in run("equilibrium", mast, "--starts", 8).stdout


def test_a_search_that_fails_is_not_a_wrong_option(run: Run, run_json: RunJson, mast: Path) -> None:
    """The exit code is that of a failed run, and the next step names options."""
    result = run("equilibrium", mast, "--set", "q.pole=0.4", "--hold", "pole")
    refused(
        result,
        1,
        "system 'mast': no equilibrium was found from here: the generalised force on 'pole'",
        "--set q.…=…",
        "name inputs that may be trimmed, --free …",
    )
    failed = run_json("equilibrium", mast, "--input", "motor=1")
    assert (failed["ok"], failed["exit_code"]) == (False, 1) and "equilibria" not in failed
    several = run("equilibrium", mast, "--input", "motor=1", "--starts", 3)
    refused(several, 1, "mast: no equilibrium was found from 3 guesses. Give another --set or more --starts")
    refused(
        run("equilibrium", mast, "--set", "u.pole=1"),
        1,
        "Name speeds that may change, --free u.…, with --rate"
        " q.pole=0 if they are not determined, or --free-motion pole where that is accepted",
    )
    refused(run("equilibrium", mast, "--rate", "q.mast=2"), 1, "the rate of 'mast' less what --rate … asks for is -2")
    refused(
        run("modes", mast, "--rate", "q.mast=2"),
        2,
        "--rate is used only with the search for an equilibrium: add --trim",
    )
    refused(
        run("modes", mast, "--free-motion", "pole"), 2, "--free-motion is used only with the search for an equilibrium"
    )


@pytest.mark.parametrize(
    ("options", "code", "part"),
    [
        (["--hold", "pol"], 2, "has no coordinate 'pol' to hold; its coordinates: mast, pole"),
        (["--free", "moter"], 2, "has no 'moter' to solve for; choose from motor, tau"),
        (["--free-motion", "pol"], 2, "has no coordinate 'pol' that may move"),
        (["--rate", "q.pol=0"], 2, "has no coordinate 'pol' with a rate"),
        (["--rate", "q.pole"], 2, "write --rate name=value"),
        (["--rate", "q.pole=fast"], 2, "--rate q.pole: 'fast' is not a number"),
        (["--set", "q.pol=1"], 2, "--set: there is no 'q.pol' (did you mean 'q.pole'?)"),
        (["--input", "moter=1"], 2, "--input: there is no input 'moter' (did you mean 'motor'?)"),
        (["--input", "motor=sin(t)"], 2, "--input motor: 'sin(t)' is not a number"),
        (["--parameter", "k=1"], 2, "has no parameter 'k'"),
        (["--time", "soon"], 2, "--time"),
        (["--time", "nan"], 2, "t "),
        (["--seed", "1"], 2, "--seed is for random guesses: add --starts NUMBER"),
        (["--starts", "0"], 2, "--starts"),
        (["--starts", "2000000"], 2, "from 1 to 1000000, not 2000000"),
    ],
)
def test_wrong_options_are_refused(run: Run, mast: Path, options: list[str], code: int, part: str) -> None:
    refused(run("equilibrium", mast, *options), code, part)


def test_bodies_without_freedom_are_at_rest(run: Run) -> None:
    Path("still.yaml").write_text("name: still\nbodies: {block: {mass: 1}}")
    assert run("equilibrium", "still.yaml").stdout.startswith("still: equilibrium, stable\n")
    refused(run("equilibrium", "nowhere.yaml"), 4, "there is no such file")
