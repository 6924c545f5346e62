"""Joints that are derived as several links: the same equations, and the intermediate links are not visible to users."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.cli.info import facts
from freebody.errors import ArgumentError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.kane import Kane
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled.equations import Rolled
from freebody.model.joints import JOINTS
from freebody.model.joints.base import Joint
from freebody.papers.poincare import Poincare
from freebody.program import evaluate
from freebody.program.count import count
from freebody.program.stage import stage
from freebody.quantities import program
from freebody.report.roadmap import roadmap
from freebody.tree.tree import Tree, span
from tests.model.test_joints import CASES

SOLID = {"mass": 1.5, "com": (0.1, -0.2, 0.3), "inertia": (1.0, 1.2, 1.4)}
EXACT = 1e-12
"""Relative to the largest number of the same kind; measured: below 2e-14."""


def staged(**options: Any) -> dict[str, Joint]:
    """Every joint with stages, with the same options."""
    return {
        "planar": fb.Planar("y", **options),
        "tilted": fb.Planar((1, 2, 2), **options),
        "cardan": fb.Universal("x", "y", **options),
        "skew": fb.Universal((1, 2, 2), (0, 1, 1), **options),
    }


def model() -> fb.System:
    """Joints with stages on each other with all joint options, loads and outputs."""
    s = fb.System("stages")
    s.input("push")
    arm = s.body("arm", joint=fb.Revolute("y"), **SOLID)
    slides = fb.Planar(
        "y", damping=0.2, limits=(-1, 1), initial=(0.1, 0, 0.3), armature=0.1, motion=(None, "0.1*sin(t)", None)
    )
    plate = s.body("plate", on=arm, at=(0.3, 0, 1), orient=("x", 0.4), joint=slides, shape=fb.Box(1, 2, 0.1), **SOLID)
    cross = s.body(
        "cross",
        on=plate,
        at=(0, 0.2, -0.5),
        **SOLID,
        joint=fb.Universal("x", "y", friction=0.1, stiffness=2, initial=(0.2, 0.1)),
    )
    s.body("tip", on=cross, at=(0, 0, -1), joint=fb.Planar((1, 1, 0), motion=(None, None, "0.3*t*t")), **SOLID)
    s.body("far", on="tip", at=(0, 0, -1), joint=fb.Universal("x", (0, 1, 1), motion=("sin(t)", None)), **SOLID)
    for body, speed in (("plate", "angle"), ("plate", "y"), ("cross", "a2"), ("tip", "y"), ("far", "a1")):
        s.joint_force(body, f"{len(speed)}*push", speed)
    s.force(plate.vector((0.3, 0.1, 0.2)), at=cross.point((0.1, 0.2, 0)))
    s.spring(plate.point((0.1, 0, 0)), s.ground.point((1, 1, 1)), stiffness=5, free_length=0.3, damping=0.1)
    s.output("held", s.reaction_force("cross"))
    s.output("drive", "reaction.plate.drive_force.y + reaction.far.drive_force.a1")
    return s


def values(e: Derivation, name: str, **arguments: Any) -> dict[str, np.ndarray]:
    """A quantity's values at a random state, the same for every program with the same inputs."""
    p = program(e, name, **arguments)
    random = {g.name: np.random.default_rng([g.size, *g.name.encode()]).uniform(-1, 1, g.size) for g in p.groups}
    return evaluate(p, random).values


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    assert one.keys() == other.keys()
    for name, value in other.items():
        assert np.allclose(one[name], value, rtol=0, atol=EXACT * max(1.0, float(np.abs(value).max(initial=0)))), name


FORMULATIONS: dict[str, Callable[[Tree], Derivation]] = {
    "kane": lambda tree: Derivation(Kane(tree)), "crba": lambda tree: Derivation(Recursive(tree, ())),
    "aba": lambda tree: Derivation(Recursive(tree)), "poincare": lambda tree: Derivation(Poincare(tree)),
    "rolled": Rolled,
}  # fmt: skip
OWN = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "q_dot", "state_dot")


def test_cases_contain_every_joint_with_stages() -> None:
    kinds = {joint.kind for joint in CASES if len(joint.stages) > 1}
    assert kinds == {joint.kind for joint in staged().values()} <= set(JOINTS)


@pytest.mark.parametrize("way", FORMULATIONS)
@pytest.mark.parametrize("quantity", OWN)
def test_stages_give_the_same_equations(way: str, quantity: str) -> None:
    whole = Derivation(Kane(span(model().freeze(), staged=False)))
    same(values(FORMULATIONS[way](span(model().freeze())), quantity), values(whole, quantity))


@pytest.mark.parametrize("quantity", [
    "reactions", "outputs", "energies", "momenta", "coriolis", "coriolis_offset", "mass_inverse", "centre_of_mass",
    "centroidal", "regressor", "regressor_offset", "inertial_parameters", "forward_derivatives", "inverse_derivatives",
])  # fmt: skip
def test_stages_give_the_same_quantities(quantity: str) -> None:
    one, other = (Derivation(Kane(span(model().freeze(), staged=each))) for each in (True, False))
    same(values(one, quantity), values(other, quantity))


@pytest.mark.parametrize("name", staged())
def test_stages_give_the_same_points(name: str) -> None:
    s = fb.System()
    s.body("a", at=(0.1, 0.2, 0.3), orient=("z", 0.3), joint=staged()[name], **SOLID)
    s.body("b", on="a", at=(0.3, 0, 0), joint=fb.Revolute("x"), **SOLID)
    one, other = (Derivation(Kane(span(s.freeze(), staged=each))) for each in (True, False))
    for quantity in ("pose", "spatial_velocity", "spatial_acceleration", "jacobian", "jacobian_rate"):
        for frame in ("ground", "a"):
            place = {"body": "b", "at": (0.1, 0.2, 0.3), "frame": frame}
            same(values(one, quantity, **place), values(other, quantity, **place))
    same(values(one, "operational_inertia", places=("a", "b")), values(other, "operational_inertia", places=("a", "b")))


@pytest.mark.parametrize("name", staged())
@pytest.mark.parametrize("option", [
    {"damping": 0.3, "friction": 0.2}, {"stiffness": 3.0, "rest": 0.1}, {"armature": 0.4}, {"limits": (-1, 1)},
])  # fmt: skip
def test_stages_have_the_options_of_their_joint(name: str, option: dict[str, Any]) -> None:
    s = fb.System()
    s.body("a", joint=staged(**option)[name], **SOLID)
    one, other = (Derivation(Kane(span(s.freeze(), staged=each))) for each in (True, False))
    for quantity in ("forward_dynamics", "inverse_dynamics", "energies"):
        same(values(one, quantity), values(other, quantity))


def test_initial_values_and_prescribed_motions_are_those_of_each_coordinate() -> None:
    s = model()
    run = s.simulate(0.1, q={"tip": (0.1, 0.2), "far": 0.3}, u={"plate": (1, 2)}, inputs={"push": 0.5})
    first = {"plate.x": 0.1, "plate.angle": 0.3, "cross.a1": 0.2, "cross.a2": 0.1, "tip.y": 0.2, "far.a2": 0.3}
    assert {name: run[f"q.{name}"][0] for name in first} == first
    assert (run["u.plate.x"][0], run["u.plate.angle"][0]) == (1, 2)
    assert np.allclose(run["q.plate.y"], 0.1 * np.sin(run.t)) and np.allclose(run["q.tip.angle"], 0.3 * run.t**2)
    assert np.allclose(run["u_dot.far.a1"], -np.sin(run.t))


# Visible to users


def test_stages_are_links_only_in_the_tree() -> None:
    tree = span(model().freeze())
    assert [[link.name for link in stages] for stages in tree.bodies] == [
        ["arm"],
        ["plate.xy", "plate"],
        ["cross.a1", "cross"],
        ["tip.xy", "tip"],
        ["far.a1", "far"],
    ]
    assert list(tree.model.bodies) == list(model().bodies)


def test_runs_have_the_bodies_of_the_user(tmp_path: Path) -> None:
    s = model()
    run = s.simulate(0.05, inputs={"push": 0.5})
    for about in (run.about, fb.Trajectory.load(run.save(tmp_path / "run.nc")).about):
        elements = {e.name: (e.parent, e.joint, e.q, e.u, e.limits) for e in about.elements}
        specs = {b.name: b.spec for b in s.bodies.values()}
        assert list(elements) == list(specs)
        for name, (parent, joint, q, u, limits) in elements.items():
            r = specs[name]
            assert (parent, joint, (q, u)) == (r.parent, r.joint.kind, r.names) and limits == r.joint.limits
        assert {e.name: e.prescribed for e in about.elements if e.prescribed} == {
            "plate": ("plate.y",),
            "tip": ("tip.angle",),
            "far": ("far.a1",),
        }
        assert [v.name for v in about.variables if v.group == "pose"] == list(s.bodies)
        assert about.elements[1].shape is not None and about.digest == s.digest()


def test_quantities_have_the_bodies_of_the_user() -> None:
    s = model()
    eq = s.derive()
    parts = {key.rpartition(".")[0] for key in eq.derivation.reactions}
    assert parts == set(s.bodies)
    letters = dict.fromkeys(name.rpartition(".")[0] for name in eq.inertial_parameters().names)
    assert list(letters) == list(s.bodies)
    assert eq.operators(np.zeros(len(eq.q))).names == tuple(s.bodies)
    with pytest.raises(ArgumentError, match=r"there is no body 'plate\.xy'"):
        eq.program("jacobian", body="plate.xy")


def test_pages_name_the_bodies_of_the_user() -> None:
    s = model()
    eq = s.derive()
    (bodies,) = (t.rows for t in roadmap(eq.derivation, eq.values, ()) if t.title == "Bodies and joints")
    assert [(row[0], row[1], row[2].partition(",")[0]) for row in bodies] == [
        ("arm", "ground", "revolute"),
        ("plate", "arm", "planar"),
        ("cross", "plate", "universal"),
        ("tip", "cross", "planar"),
        ("far", "tip", "universal"),
    ]
    assert [body["name"] for body in facts(s, eq)["bodies"]] == list(s.bodies)
    assert facts(s, eq)["bodies"][1]["coordinates"] == ["plate.x", "plate.angle"]
    assert re.findall(r"(?m)^\w +(\w[\w.]*) +\w +\d ", eq.tables()) == list(s.bodies)
    for way in ("kane", "aba", "poincare"):
        labels = s.derive(way).to_text()
        assert not re.search(r"of (plate\.xy|cross\.a1|tip\.xy|far\.a1) along", labels)


def test_mass_centre_speeds_are_those_of_the_whole_joint() -> None:
    """Sayers' second criterion of Table 5: two translations move a body in a plane."""
    s = fb.System()
    s.body("a", joint=fb.Planar("z"), **SOLID)
    eq = s.derive(speeds="mass-centre")
    assert [len(stages) for stages in eq.derivation.tree.bodies] == [1]
    M = eq.compile("numpy").mass_matrix([0.1, 0.2, 0.3])
    assert np.allclose(M[:2], [[1.5, 0, 0], [0, 1.5, 0]], atol=1e-14)


@pytest.mark.parametrize("way", [{"formulation": "kane"}, {"formulation": "aba", "rolled": True}])
@pytest.mark.parametrize("name", ["planar", "cardan"])
def test_joints_without_inertia_are_named_by_their_body(name: str, way: dict[str, Any]) -> None:
    s = fb.System()
    s.body("a", joint=fb.Revolute("x"), **SOLID)
    s.body("b", on="a", joint=staged()[name])
    with pytest.raises(ModelError, match=r"joint 'b' \(b on a\): its inertia is 0"):
        s.derive(**way).program("forward_dynamics")


def test_names_of_stages_do_not_collide_with_bodies() -> None:
    s = fb.System()
    s.body("a.a1", **SOLID)
    s.body("a", joint=fb.Universal(), **SOLID)
    s.body("a.yoke", joint=fb.Revolute(), on="a", **SOLID)
    s.body("p", on="a", joint=fb.Planar(), **SOLID)
    s.body("p.xy", on="p", joint=fb.Revolute("x"), **SOLID)
    tree = span(s.freeze())
    assert [link.name for link in tree.links] == ["a.a1", "a.a1'", "a", "a.yoke", "p.xy'", "p", "p.xy"]
    assert [e.name for e in s.simulate(0.01).about.elements] == list(s.bodies)


def test_stages_cost_less() -> None:
    """Four planar bodies on each other by articulated bodies: 289 operations, 679 with one link each."""
    s = fb.System()
    for k in range(4):
        s.body(f"b{k}", on=f"b{k - 1}" if k else None, at=(0.3, 0.2, 0.1), joint=fb.Planar(), **SOLID)
    trees = (span(s.freeze(), staged=each) for each in (True, False))
    programs = (Derivation(Recursive(tree)).programs["forward_dynamics"] for tree in trees)
    one, other = (count(stage(p).main).total for p in programs)
    assert one < 0.5 * other
