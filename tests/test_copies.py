"""Systems, models and equations are copied and pickled: the copies have the same digests and give the same numbers, and
what is added to one of two copies is not in the other."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import GraphError, ModelError
from freebody.program.program import digest
from tests.flexible.random_flexible_loops import random_loop
from tests.io import python_models, random_systems

UR5 = Path(__file__).parents[1] / "examples" / "robots" / "ur5.urdf"
COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
IDS = ["copy", "deepcopy", "pickle"]


def drag(v: float) -> float:
    return -0.3 * v * abs(v)


def drag_rate(v: float) -> float:
    return -0.6 * abs(v)


def machine() -> fb.System:
    """Coupled and prescribed joints, a function of Python, a table, a flexible body, a loop, a switch, extra states."""
    s = fb.System("machine", gravity=(0, 0.1, -9.81))
    m = s.parameter("m", 2.0)
    arm = s.body("arm", joint=fb.Revolute("y", damping="0.1*m"), mass=m, com=(0, 0, -0.5), inertia=fb.rod(m, 1, "z"))
    gear = s.body("gear", joint=fb.Revolute("y"), inertia=(1, 1, 1), shape=fb.Cylinder(0.1, 0.2))
    s.couple(gear, arm, ratio="-m", offset=0.2)
    driven = s.body("driven", on=arm, at=(0, 0, -1), joint=fb.Revolute("x", motion="sin(t)*m"), mass=1)
    boom = s.body(
        "boom",
        on=driven,
        joint=fb.Revolute("y"),
        modes=3,
        flexible=fb.Beam(length=1.0, EI=(50.0, 70.0), density=1.0, polar_inertia=0.01),
    )
    s.body("load", on=boom.node("tip"), joint=fb.Spherical(), mass=1, com=(0, 0, 0.2), inertia=(0.1, 0.1, 0.1))
    s.rod(boom.node("tip"), s.ground, 0.7, name="rope", engaged=False)
    s.states(a={"rate": "b - u.arm", "initial": 1.0}, b="-a")
    push = fb.apply(fb.callback("drag", drag, derivative=drag_rate), arm.u[0])
    s.joint_force(arm, push + fb.lookup(fb.table("curve", [-1, 1, 2], [0, 1, 0]), arm.q[0]) + s.input("motor"))
    s.output("tip", s.position(boom.node("tip")))
    s.output("pull", "reaction.load.force.x")
    return s


SYSTEMS = {
    "machine": machine(), "flexible loop": random_loop(3).system, "robot": fb.load(UR5, floating=True),
    "everything": python_models.everything(), "tree 1": random_systems.decorated(1)[1],
    "tree 4": random_systems.decorated(4)[1],
}  # fmt: skip


@pytest.mark.parametrize("again", COPIES, ids=IDS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_copies_are_equal_and_independent(name: str, again: Callable[[Any], Any]) -> None:
    s = SYSTEMS[name]
    before, new = s.digest(), again(s)
    assert type(new) is type(s) and new.digest() == before and again(s.freeze()).digest == before
    new.body("added", on=[*new.bodies][-1], joint=fb.Revolute("x"), mass=1, inertia=(1, 1, 1))
    new.parameter("added_mass", 2.0)
    new.output("added output", "q.added*added_mass + t")
    assert s.digest() == before and "added" not in s.bodies and "added_mass" not in s.values
    assert again(new).digest() == new.digest() != before


LANES: list[tuple[str, dict[str, Any]]] = [
    ("machine", {}), ("machine", {"formulation": "aba"}), ("machine", {"small": ["q.arm"]}),
    ("robot", {"rolled": True}), ("everything", {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), LANES, ids=[f"{name}-{options}" for name, options in LANES])
def test_copies_give_the_same_equations(name: str, options: dict[str, Any]) -> None:
    """Of the system and of its equations, to the last bit."""
    s, again = SYSTEMS[name], COPIES[2]
    eq = s.derive(**options)
    expected = digest(eq.program("forward_dynamics"))
    for other in (again(s).derive(**options), again(eq)):
        assert digest(other.program("forward_dynamics")) == expected
        assert (other.values, other.start) == (eq.values, eq.start)
    assert digest(copy.deepcopy(eq).program("forward_dynamics")) == expected


def test_copies_give_the_same_numbers() -> None:
    """Loads that are functions of Python included."""
    s = SYSTEMS["machine"]
    runs = [one.simulate([0, 0.05], inputs={"motor": 0.5}, u={"arm": 1.0}) for one in (s, *(f(s) for f in COPIES))]
    assert all(np.array_equal(run.x, runs[0].x) for run in runs) and runs[0].success


def test_compiled_functions_are_copied_and_name_what_to_pickle() -> None:
    f = SYSTEMS["robot"].derive().compile("numpy")
    q = np.linspace(0, 1, len(f.equations.q))
    assert np.array_equal(copy.deepcopy(f).mass_matrix(q), f.mass_matrix(q))
    with pytest.raises(TypeError, match="pickle their equations, and compile these in the other process"):
        pickle.dumps(f)


@pytest.mark.slow
def test_long_chains_are_copied() -> None:
    chain, on = fb.System("chain"), None
    for k in range(800):
        on = chain.body(f"b{k}", on=on, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    for again in COPIES[1:]:
        assert [*again(chain).bodies] == [*chain.bodies]


def test_parts_of_systems_are_taken_from_copies() -> None:
    s = machine()
    arm, new = s.bodies["arm"], copy.copy(s)
    assert copy.deepcopy([arm, arm.x, s.t]) == [arm, arm.x, s.t]
    wrong: list[tuple[Callable[[], Any], str]] = [
        (lambda: new.force(arm.x, arm), "belongs to another system"),
        (lambda: new.output("y", s.t * 2), "belongs to another system"),
        (lambda: pickle.dumps(arm), r"'arm' is not pickled by itself: pickle its system, and take s.bodies\['arm'\]"),
        (lambda: pickle.dumps(arm.x), "the axes of 'arm', and vectors along them, are not pickled"),
    ]
    for action, text in wrong:
        with pytest.raises((ModelError, GraphError), match=text):
            action()
    t, other = pickle.loads(pickle.dumps((s.t, s)))
    other.output("twice the time", 2 * t)
