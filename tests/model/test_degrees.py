"""Angles that are probably in degrees cause a warning with their value in radians; those of ordinary models do not."""

import math
import warnings
from typing import Any

import pytest

import freebody as fb
from freebody.errors import UnitsWarning
from freebody.io import loads


def _arm(joint: Any = "revolute", orient: Any = None) -> fb.System:
    s = fb.System("arm")
    s.body("a", joint=joint, orient=orient, mass=1, inertia=(1, 1, 1))
    return s


WRONG: list[tuple[dict[str, Any], str, float]] = [
    ({"orient": ("z", 90)}, "orient", 90),
    ({"orient": [("x", 0.1), ("z", -45.0)]}, "orient", -45),
    ({"orient": ("z", "180")}, "orient", 180),
    ({"orient": ("z", 37.5)}, "orient", 37.5),
    ({"joint": fb.Revolute("y", initial=30)}, "initial of its revolute joint", 30),
    ({"joint": fb.Revolute("y", stiffness=1, rest=-90)}, "rest of its revolute joint", -90),
    ({"joint": fb.Revolute("y", limits=(-90, 90))}, "limits of its revolute joint", -90),
    ({"joint": fb.Revolute("y", limits=(0, 180))}, "limits of its revolute joint", 180),
    ({"joint": fb.Cylindrical("y", initial=(45, 20.0))}, "initial of its cylindrical joint", 45),
    ({"joint": fb.Universal(initial=(0.1, 20.0))}, "initial of its universal joint", 20),
]


@pytest.mark.parametrize(("fields", "what", "angle"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_angles_in_degrees_cause_a_warning(fields: dict[str, Any], what: str, angle: float) -> None:
    with pytest.warns(UnitsWarning) as found:
        s = _arm(**fields)
    (text,) = [str(w.message) for w in found]
    assert text.startswith(f"body 'a': {what}: {angle:g} rad are ") and "; angles are in radians" in text
    assert f"math.radians({angle:g}) = {math.radians(angle):.6g}" in text and f"'{angle:g}*pi/180'" in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s.derive()  # once is enough


@pytest.mark.parametrize("fields", [
    {"orient": ("z", math.radians(90))}, {"orient": ("z", 2 * math.pi)}, {"orient": ("z", "4*pi")},
    {"orient": ("z", -3 * math.pi)}, {"joint": fb.Revolute("y", initial=4 * math.pi)}, {"orient": ("z", 6.28)},
    {"joint": fb.Revolute("y", initial="3.2*pi")}, {"joint": fb.Revolute("y", limits=(-10, 10))},
    {"joint": fb.Revolute("y", limits=(-100, 100))}, {"joint": fb.Revolute("y", limits=(-20 * math.pi, None))},
    {"joint": fb.Prismatic("y", initial=90, rest=45, stiffness=1, limits=(-90, 90))},
    {"joint": fb.Cylindrical("y", initial=(0.1, 90))}, {"joint": fb.Free(initial=(90, 0, 0, 1, 0, 0, 0))},
])  # fmt: skip
def test_ordinary_angles_and_turns_on_purpose_cause_none(fields: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _arm(**fields)


def test_files_and_closures_warn_too() -> None:
    with pytest.warns(UnitsWarning, match="body 'a': orient: 90 rad are 14.3 turns"):
        loads("bodies: {a: {orient: {axis: z, angle: 90}, mass: 1}}", fb.System)
    with pytest.warns(UnitsWarning, match="body 'a': limits of its revolute joint: 180 rad"):
        loads("bodies: {a: {joint: {type: revolute, limits: [0, 180]}, mass: 1, inertia: [1, 1, 1]}}", fb.System)
    s = _arm()
    with pytest.warns(UnitsWarning, match="constraint 'lock': orient: 90 rad"):
        s.close("a", "ground", "weld", orient=("z", 90), name="lock")


def test_initial_angles_of_runs_warn() -> None:
    s = _arm()
    with pytest.warns(UnitsWarning, match=r"^arm: q = \{'a': …\}: 90 rad are 14.3 turns"):
        s.simulate(0.01, q={"a": 90})
    for act in (
        lambda: s.simulate(0.01, q=[90.0]),
        lambda: s.simulate(0.01, q={"q.a": 90}),
        lambda: s.assemble({"a": 90}),
        lambda: s.assemble(guess=[90.0]),
        lambda: s.equilibrium({"a": 90}),
        lambda: s.linearize({"q.a": 90}),
        lambda: s.sweep(0.01, over={"q.a": [45, 90]}),
        lambda: s.sweep(0.01, over={"u.a": [0]}, q={"a": 90}),
    ):
        with pytest.warns(UnitsWarning, match=r"^arm: q = .*: 90 rad are 14.3 turns"):
            act()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s.sweep(0.01, over={"q.a": [0.0, 5.0, 7.5, 10.0]})
        s.simulate(0.01, q=[37.2])
        for angle in (0.5, 37.2, 6, 1000.0, 4 * math.pi):  # such as the end of another run
            s.simulate(0.01, q={"a": angle})


def test_the_warning_can_be_ignored() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnitsWarning)
        _arm(orient=("z", 90))
