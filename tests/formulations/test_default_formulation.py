"""The default equations have the fewest operations of u̇ of Kane's equations and of articulated bodies, and say so."""

import re
from pathlib import Path

import pytest

import freebody as fb
from freebody.api import default_formulation
from freebody.errors import ModelError
from freebody.formulations.recursive import Recursive
from tests.mechanisms import random_loops, random_trees
from tests.mechanisms.build_system import Builder


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Choices of other runs are not read."""
    monkeypatch.setenv("FREEBODY_CACHE", str(tmp_path / "cache"))


def chain(n: int, axes: str) -> fb.System:
    s, on = fb.System(f"chain of {n}"), None
    for k in range(n):
        joint, bar = fb.Revolute(axes[k % len(axes)]), fb.rod(1, 1, "z")
        on = s.body(f"b{k}", on=on, at=(0, 0, -1 if k else 0), joint=joint, mass=1, com=(0, 0, -0.5), inertia=bar)
    return s


def operations(s: fb.System, formulation: str | None = None) -> int:
    rolled = False if formulation == "aba" else None
    return s.derive(formulation, rolled=rolled).operations["forward_dynamics"].total


def check(s: fb.System) -> None:
    counts = {name: operations(s, name) for name in ("kane", "aba")}
    choice = s.derive().derivation.choice
    if default_formulation.structural_choice(s.freeze()) is not None and choice.startswith("Kane's"):
        assert operations(s) == counts["kane"] <= 1.05 * counts["aba"], counts  # not counted: up to two speeds
        return
    assert operations(s) == min(counts.values()), counts
    assert choice.startswith("Kane's" if counts["kane"] <= counts["aba"] else "articulated bodies")


@pytest.mark.parametrize("axes", ["y", "xy"])
@pytest.mark.parametrize("n", [1, 2, 4, 6, 8])
def test_chains_have_the_fewest_operations(n: int, axes: str) -> None:
    check(chain(n, axes))


@pytest.mark.parametrize("seed", [4, 31])
def test_trees_of_every_joint_have_the_fewest_operations(seed: int) -> None:
    check(Builder(random_trees.tree(seed, 3), fb.System).system)  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_many_trees_have_the_fewest_operations(seed: int) -> None:
    check(Builder(random_trees.tree(seed, 1 + seed % 8), fb.System).system)  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize("seed", [18, 20, 22, 23, 26])
def test_loops_have_the_fewest_operations(seed: int) -> None:
    check(random_loops.mechanism(seed, random_loops.closing_kinds()).system)


def test_long_chains_are_derived_by_articulated_bodies() -> None:
    """Of ẋ for 50 links in a plane 3 491 operations, where Kane's equations need 58 895."""
    s = chain(50, "y")
    assert operations(s) == operations(s, "aba") < 4000
    assert default_formulation.structural_choice(s.freeze()) is not None


def test_print_and_info_name_the_formulation() -> None:
    text = str(chain(10, "y").derive())
    assert re.match(r"# articulated bodies: \d+ operations of u̇, by Kane's equations 1,\d+\n", text)
    assert str(chain(1, "y").derive()).startswith("# Kane's equations: the default for up to 2 speeds\n")
    assert str(chain(2, "y").derive("kane")).startswith("# Kane's equations\n")
    assert str(chain(2, "y").derive("cheapest")).startswith("# fewest operations of a search\n")
    assert str(chain(2, "y").derive(speeds="mass-centre")).startswith("# Sayers' method\n")
    assert str(chain(2, "y").derive("kane", solver="tree")).startswith("# Kane's equations, solver 'tree'\n")
    assert not chain(2, "y").derive().to_text().startswith("#")
    assert "articulated bodies: " in chain(10, "y").derive()._repr_html_()


def test_choices_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second derivation counts nothing, and has the same program."""
    first = [chain(n, "y").derive() for n in (3, 8)]
    monkeypatch.setattr(default_formulation, "counted_choice", None)
    second = [chain(n, "y").derive() for n in (3, 8)]
    for one, other in zip(first, second, strict=True):
        assert one.derivation.choice == other.derivation.choice and one.to_text() == other.to_text()


def test_kanes_equations_are_taken_where_articulated_bodies_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Recursive, tau: object) -> None:
        raise ModelError("singular")

    monkeypatch.setattr(Recursive, "forward", refuse)
    assert chain(8, "y").derive().derivation.choice == "Kane's equations: articulated bodies cannot be eliminated here"


def test_systems_that_cannot_be_derived_say_so_when_u_dot_is_needed() -> None:
    s = chain(3, "y")
    s.body("light", on="b2", joint=fb.Revolute("y"))
    equations = s.derive()
    with pytest.raises(ModelError, match=r"joint 'light'.*its inertia is 0"):
        equations.program("forward_dynamics")
