"""Imports between packages follow the contracts in pyproject.toml, and violations are detected."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LINTER = Path(sys.executable).with_name("lint-imports")

WRONG_WAY = [
    ("freebody.errors", "freebody.scalar"),
    ("freebody.scalar", "freebody.backends"),
    ("freebody.scalar", "freebody.spatial"),
    ("freebody.scalar", "llvmlite"),
    ("freebody.scalar", "sympy"),
    ("freebody.backends", "freebody.spatial"),
    ("freebody.backends", "freebody.formulations"),
    ("freebody.backends.llvm", "freebody.backends.c"),
    ("freebody.backends.function", "freebody.backends.llvm"),
    ("freebody.formulations", "freebody.backends"),
    ("freebody.formulations", "freebody.analysis"),
    ("freebody.results", "freebody.scalar"),
    ("freebody.viewer", "freebody.run"),
    ("freebody.scalar", "freebody.program"),
    ("freebody.program", "freebody.printing"),
    ("freebody.integrate", "freebody.run"),
    ("freebody.integrate", "freebody.tree"),
    ("freebody.viewer", "freebody.model"),
    ("freebody.fem", "freebody.model"),
    ("freebody.fem", "freebody.spatial"),
    ("freebody.model", "freebody.io"),
    ("freebody.viewer", "freebody.analysis"),
    ("freebody.model", "freebody.viewer"),
    ("freebody.drawing", "freebody.model"),
    ("freebody.hybrid", "freebody.tree"),
    ("freebody.hybrid", "freebody.backends"),
    ("freebody.hybrid", "freebody.integrate"),
    ("freebody.hybrid", "freebody.tables"),
    ("freebody.hybrid", "freebody.algebra"),
    ("freebody.formulations", "freebody.papers"),
    ("freebody.api", "freebody.papers"),
    ("freebody.cli", "freebody.papers"),
    ("freebody.wings", "freebody.papers"),
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the linter on the package that is found first from `folder`."""
    command = [LINTER, "--config", ROOT / "pyproject.toml", "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def module_file(folder: Path, module: str) -> Path:
    path = folder.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "freebody", tmp_path / "freebody", ignore=ignore)
    return tmp_path


@pytest.mark.wings
def test_imports_follow_the_contracts() -> None:
    result = lint(ROOT / "src")
    assert result.returncode == 0, result.stdout


@pytest.mark.wings
@pytest.mark.parametrize(("importer", "imported"), WRONG_WAY)
def test_wrong_imports_are_detected(copy: Path, importer: str, imported: str) -> None:
    for module in (importer, imported):
        if module.startswith("freebody."):
            module_file(copy, module).touch()
    with module_file(copy, importer).open("a") as file:
        file.write(f"\nimport {imported}\n")
    result = lint(copy)
    assert result.returncode == 1, result.stdout
    assert f"{importer} -> {imported} " in result.stdout


@pytest.mark.wings
def test_packages_without_a_layer_are_detected(copy: Path) -> None:
    module_file(copy, "freebody.attic").touch()
    result = lint(copy)
    assert result.returncode == 1, result.stdout
    assert "freebody.attic" in result.stdout


def test_import_of_freebody_is_light() -> None:
    """Modules for runs, files, threads, reports and errors are imported when they are first used."""
    later = (
        "llvmlite",
        "scipy",
        "sympy",
        "pandas",
        "xarray",
        "matplotlib",
        "yaml",
        "pydantic",
        "json",
        "difflib",
        "uuid",
        "logging",
        "concurrent.futures",
        "freebody.io",
        "freebody.report",
        "freebody.backends.llvm",
        "freebody.analysis",
    )
    code = f"import sys, freebody; print([m for m in {later} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


def test_two_bodies_are_derived_without_rolled_programs_and_solvers() -> None:
    """Solvers and rolled programs are imported when they are named or pay."""
    code = """
import sys, freebody as fb
s = fb.System()
a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
s.body("b", on=a, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
s.derive().program("forward_dynamics")
s.derive("aba").program("forward_dynamics")
parts = "freebody.formulations.rolled.", "freebody.formulations.solvers.", "freebody.papers."
print(sorted(m for m in sys.modules if m.startswith(parts)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr
