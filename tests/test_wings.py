"""Wings: core lists what they bring without importing them, and works where their folders are missing."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import freebody as fb
from freebody import wings
from freebody.errors import ModelError
from freebody.formulations.constrained import solve_constrained
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import FormulationEntry, Solver
from freebody.formulations.kane import Kane
from freebody.formulations.table import FORMULATIONS, SOLVERS, SPEEDS
from freebody.papers import TABLES
from freebody.tree.tree import span
from freebody.wings import Place

ROOT = Path(__file__).resolve().parents[1]
FOUR_BAR = """
import warnings
import numpy as np, pytest
import freebody as fb
s = fb.System("four-bar", gravity=(0, 0, -9.81))
crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.1), inertia=(0.1, 0.1, 0.1))
coupler = s.body("coupler", on=crank, at=(0, 0, 0.2), joint=fb.Revolute("y"), mass=1, inertia=(0.1, 0.1, 0.1))
rocker = s.body("rocker", at=(0.5, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.2), inertia=(0.1, 0.1, 0.1))
s.close(coupler.point((0.5, 0, 0.2)), rocker.point((0, 0, 0.4)), fb.Revolute("y"), name="pin")
chain = fb.System("chain")
chain.body("a", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1), inertia=(1, 1, 1))
chain.body("b", on="a", at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, com=(0, 0, -1), inertia=(1, 1, 1))
"""


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package without its wings."""
    folder = tmp_path_factory.mktemp("core")
    ignored = shutil.ignore_patterns("__pycache__", *(wing.removeprefix("freebody.") for wing in wings.WINGS))
    shutil.copytree(ROOT / "src" / "freebody", folder / "freebody", ignore=ignored)
    return folder


def run(hidden: Path, code: str) -> str:
    """What code prints that uses the package without its wings."""
    begin = f"import sys; sys.path.insert(0, {str(hidden)!r})\n"
    done = subprocess.run([sys.executable, "-c", begin + code], capture_output=True, text=True, cwd=hidden)
    assert done.returncode == 0, done.stderr
    assert not any(path.is_dir() for path in hidden.rglob("papers"))
    return done.stdout


def test_the_example_of_the_readme_runs_without_wings(hidden: Path) -> None:
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    code = "\n".join(blocks) + "\nassert fb.__file__.startswith(sys.path[0]), fb.__file__\nprint(eq.derivation.choice)"
    assert run(hidden, code).splitlines()[-1].startswith("Kane's equations")
    assert (hidden / "run.png").exists() and (hidden / "run.html").exists() and list((hidden / "code").iterdir())


def test_core_s_formulations_and_solvers_work_without_wings(hidden: Path) -> None:
    """All give the same motion; ``import *`` and a run do as well."""
    code = f"""{FOUR_BAR}
from freebody import *
from freebody.errors import ModelError
from freebody.formulations.constrained import solve_constrained
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import FormulationEntry, Solver
from freebody.formulations.kane import Kane
from freebody.formulations.table import FORMULATIONS, SOLVERS, SPEEDS
assert set(FORMULATIONS) == {{*{list(FORMULATIONS.core)}}} and set(SOLVERS) == {{*{list(SOLVERS.core)}}} and not SPEEDS
assert fb.solvers == ("auto", *SOLVERS)
q, u = s.assemble({{"crank": 0.3}}, {{"crank": 1.0}})
expected = s.derive("kane").compile("numpy").forward_dynamics(q, u)
ways = [dict(formulation=f) for f in FORMULATIONS] + [dict(solver=name) for name in fb.solvers]
for way in [*ways, dict(), dict(formulation="aba", rolled=True), dict(formulation="gauss", rolled=True)]:
    f = s.derive(**way).compile("numpy")
    assert np.allclose(f.forward_dynamics(q, u), expected, rtol=1e-9), way
    assert chain.derive(**way).operations["forward_dynamics"].total > 10
assert s.simulate(0.1, q=q, u=u).t[-1] == 0.1
print(len(ways))
"""
    assert int(run(hidden, code)) == len(FORMULATIONS.core) + len(SOLVERS.core) + 1


MISSING = {
    **{f"chain.derive({name!r})": "there is no formulation" for name in TABLES["formulation"]},
    **{f"s.derive(solver={name!r})": "there is no solver" for name in TABLES["solver"]},
    "chain.derive(speeds='mass-centre')": "speeds 'mass-centre' are unknown; use 'standard'",
    "s.derive('gauss', solver='tree')": "derive.'gauss', solver='tree'. is in",
    "s.topology()": "s.topology.. is in",
    "chain.derive().tables()": "eq.tables.. is in",
    "chain.derive().matrices()": "eq.matrices.. is in",
    "chain.derive().absolute([0, 0])": "eq.absolute.. is in",
    "chain.derive().barycentres([0, 0])": "eq.barycentres.. is in",
    "chain.derive().operators([0, 0])": "eq.operators.. is in",
    **{f"fb.{name}": f"no attribute '{name}'" for name in TABLES["name"]},
}


@pytest.mark.slow
def test_the_command_works_without_wings(hidden: Path) -> None:
    (hidden / "arm.py").write_text(f"{FOUR_BAR}\ndel chain\n")
    code = """
from freebody.cli import app
from typer.testing import CliRunner
shown = CliRunner().invoke(app, ["--help"]).stdout
assert "derive" in shown and "tables" not in shown
for option, name in (("--formulation", "sayers"), ("--solver", "relative"), ("--speeds", "mass-centre")):
    wrong = CliRunner().invoke(app, ["derive", "arm.py", option, name])
    assert wrong.exit_code == 2 and "freebody.papers, which this installation lacks" in " ".join(wrong.output.split())
print(CliRunner().invoke(app, ["derive", "arm.py", "--count"]).exit_code)
"""
    assert run(hidden, code) == "0\n"


def test_errors_name_the_wing_that_is_missing(hidden: Path) -> None:
    code = f"""{FOUR_BAR}
for call, text in {MISSING!r}.items():
    with pytest.raises((fb.FreebodyError, AttributeError), match=f"{{text}}.*freebody.papers, which this inst"):
        eval(call)
print("as expected")
"""
    assert run(hidden, code) == "as expected\n"


def test_what_errors_name_is_all_that_wings_bring() -> None:
    """Every name of the tables is one that loads, that core does not have, and that has a place in ``MISSING``."""
    for kind, table in TABLES.items():
        for name, place in table.items():
            assert place.load() is not None and not place.about.endswith("."), (kind, name)
    for table in (FORMULATIONS, SOLVERS, SPEEDS):
        assert not set(table.core) & set(TABLES[table.kind]) and all(map(table.about, table))
        assert all(table[name].name == name for name in table if table is not SPEEDS)
    assert {*TABLES} == {"formulation", "solver", "speeds", "gauss", "method", "command", "name"}
    assert all(any(f"{name}(" in call for call in MISSING) for name in TABLES["method"])
    assert set(TABLES["name"]) <= set(fb.__all__)


OWN = FormulationEntry("own", lambda model, options: Derivation(Kane(span(model))), frozenset({"solver"}))
OWN_SOLVER = Solver("own", "own", solve_constrained)


def test_a_line_adds_a_formulation_and_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options that it does not honour are refused by its name."""
    monkeypatch.setitem(FORMULATIONS.core, "own", Place(f"{__name__}:OWN", "my own way"))  # type: ignore[arg-type]
    monkeypatch.setitem(SOLVERS.core, "own", Place(f"{__name__}:OWN_SOLVER"))  # type: ignore[arg-type]
    s = fb.System("arm")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    assert s.derive("own").derivation.choice == "my own way"
    assert s.derive(solver="own").operations["forward_dynamics"] == s.derive("kane").operations["forward_dynamics"]
    with pytest.raises(ModelError, match="small=… needs M and f, which 'own' does not compute"):
        s.derive("own", ["arm"])
    with pytest.raises(ModelError, match="rolled=True needs the formulation 'aba' or solver='sparse', not 'own'"):
        s.derive("own", rolled=True)
    with pytest.raises(ModelError, match="'own' has the standard speeds only"):
        s.derive("own", speeds="mass-centre")
    with pytest.raises(ModelError, match=r"there is no formulation 'mine'; choose from kane, .*, own, "):
        s.derive("mine")


def test_only_type_checkers_find_wings_by_import() -> None:
    """Modules of core name a wing in ``wings.py`` and in imports that are never run."""
    for file in (ROOT / "src" / "freebody").rglob("*.py"):
        if "papers" in file.parts or file.name == "wings.py":
            continue
        text = file.read_text()
        tree = ast.parse(text if any(wing in text for wing in wings.WINGS) else "")
        checked = {
            id(n)
            for block in ast.walk(tree)
            if isinstance(block, ast.If)
            for n in ast.walk(block)
            if ast.unparse(block.test) == "TYPE_CHECKING"
        }
        for node in ast.walk(tree):
            named = isinstance(node, ast.ImportFrom) and (node.module or "").startswith(wings.WINGS)
            named |= isinstance(node, ast.Constant) and str(node.value).startswith(wings.WINGS)
            assert not named or id(node) in checked, (file, node.lineno)


def test_the_documentation_lists_formulations_and_solvers() -> None:
    first = re.compile(r'^\| `"?([\w-]+)"?` \|', re.M)
    pages = ((FORMULATIONS, "equations"), (SOLVERS, "solvers"))
    for table, page in pages:
        assert set(table) <= set(first.findall((ROOT / "docs" / f"{page}.md").read_text())), page
