"""Constraints that contradict each other: the error names those of all smallest sets, and no others."""

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.run.contradictions import (
    connected,
    contradiction_text,
    smallest_contradiction,
    smallest_contradictions,
)


def test_sets_are_smallest() -> None:
    """For random families of contradictions among 7 names."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        names = list("abcdefg")
        wrong = [{*rng.choice(names, rng.integers(1, 5), replace=False).tolist()} for _ in range(3)]

        def satisfied(some: Any, wrong: list[set[str]] = wrong) -> bool:
            return not any(one <= {*some} for one in wrong)

        found = smallest_contradiction(names, satisfied)
        assert not satisfied(found)
        assert all(satisfied([n for n in found if n != one]) for one in found)
        smallest = {frozenset(one) for one in wrong if not any(other < one for other in wrong)}
        assert {frozenset(one) for one in smallest_contradictions(names, satisfied)} == smallest


def test_constraints_that_share_speeds_are_connected() -> None:
    G = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]], float)
    assert connected(G, ["a", "b", "c", "c"], "b") == ["a", "b"]
    assert connected(G, ["a", "b", "c", "c"], "c") == ["c"]


def test_the_text_names_those_without_which_the_others_can_be_satisfied() -> None:
    def text(*sets: str) -> str:
        found = [list(one) for one in sets]
        return contradiction_text(found, list("abcd"), lambda some: not any({*one} <= {*some} for one in sets))

    assert text("a") == ""
    assert "'a' and 'b' contradict each other: either can be satisfied alone;" in text("ab")
    assert "'a', 'b' and 'c' contradict each other: without any one of them the others can be satisfied;" in text("abc")
    assert "'a', 'b', 'c' and 'd' contradict each other: without 'c' the others can be" in text("ac", "bcd")
    assert "other: without 'c' or 'd' the others" in text("acd", "bcd")
    assert "other: those of each of these sets do: 'a' and 'b'; 'c' and 'd'; no state" in text("ab", "cd")
    assert "do: 'a' and 'b'; 'a' and 'c'; 'a' and 'd'; …; no state" in text("ab", "ac", "ad", "bc")


def sliders(*equations: str) -> fb.System:
    s = fb.System("sliders")
    for name in "abcd":
        s.body(name, joint="prismatic", mass=1)
    for k, equation in enumerate(equations):
        s.constrain(equation, name=f"c{k}")
    return s


CASES = [
    (("q.a - q.b", "q.b - q.c", "q.a - q.c - 1", "q.a - 0.1", "q.d - 0.2"), {"c0", "c1", "c2"}),
    (("q.a - q.b", "q.a - q.b - 0.5", "q.c - q.d"), {"c0", "c1"}),
    (("q.a - q.b", "q.b - q.c", "q.c - q.d", "q.d - q.a - 1"), {"c0", "c1", "c2", "c3"}),
    (("q.a - 1", "q.a - 2", "q.a - 3", "q.b - 0.1"), {"c0", "c1", "c2"}),
    (("q.a - q.b", "q.b - 1", "q.a - 2", "q.a - 3"), {"c0", "c1", "c2", "c3"}),
]
"""Equations, and the names of all that contradict others; in the last two there are several smallest sets."""


@pytest.mark.parametrize(("equations", "wrong"), CASES)
def test_all_constraints_that_contradict_each_other_are_named(equations: tuple[str, ...], wrong: set[str]) -> None:
    for act in (lambda: sliders(*equations).assemble(), lambda: sliders(*equations).simulate(0.1)):
        with pytest.raises(ArgumentError, match=r"^sliders: constraints .* contradict each other: ") as error:
            act()
        text = str(error.value)
        assert {*re.findall(r"'(c\d)'", text.partition(" contradict")[0])} == wrong
        assert "Change one of them or leave it out" in text
    for some in combinations(sorted(wrong), len(wrong) - 1) if "any one" in text else ():
        sliders(*(equations[int(name[1:])] for name in some)).assemble()


def test_rods_of_a_mechanism() -> None:
    s = fb.System("arm")
    a = s.body("a", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    b = s.body("b", on=a, at=(1, 0, 0), joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    tip = b.point((1, 0, 0))
    s.rod(tip, s.ground, 1.5, name="long")
    s.rod(tip, s.ground.point((4, 0, 0)), 2.8, name="far")
    s.rod(tip, s.ground, 1.0, name="short")
    text = r"constraints 'long', 'far' and 'short' contradict each other: without 'short' the others can"
    with pytest.raises(ArgumentError, match=text):
        s.assemble()


def test_a_single_constraint_is_named_alone() -> None:
    s = fb.System("arm")
    a = s.body("a", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    s.rod(a.point((1, 0, 0)), s.ground.point((3, 0, 0)), 0.5, name="short")
    with pytest.raises(ArgumentError, match=r"^arm: constraint 'short' cannot be satisfied: it is off by 1\.5 m"):
        s.assemble()


def test_held_coordinates_are_in_the_error() -> None:
    with pytest.raises(ArgumentError, match=r"'c0', 'c1' and 'c2' contradict each other: .* with q\.a held as given"):
        sliders("q.a - q.b", "q.b - q.c", "q.c - 0.3").assemble(q={"a": 0.2})


def test_speeds_that_contradict_each_other() -> None:
    s = sliders()
    for k, equation in enumerate(("u.a - u.b", "u.b - u.c", "u.a - u.c - 1", "u.d - 0.2")):
        s.constrain(equation, name=f"c{k}")
    text = r"does not allow these speeds: .* Constraints 'c0', 'c1' and 'c2' contradict each other; change one"
    with pytest.raises(ArgumentError, match=text):
        s.assemble()
