"""The model builder: its contents, and errors of wrong models."""

import numpy as np
import pandas as pd
import pytest

from freebody.api import System
from freebody.errors import FreebodyError, ModelError, ParseError
from freebody.model import inertia
from freebody.model.body import Body, Ground
from freebody.model.joints import (
    JOINTS,
    BuildingBlock,
    Free,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from freebody.spatial.vector import Dyadic


def one(**more: object) -> System:
    s = System()
    s.body("a", joint=Revolute("y"), mass=1, com=(0, 0, -1), **more)  # type: ignore[arg-type]
    return s


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (lambda s: s.body("b", on="c", mass=1), "bodies.b.on: 'c' is not a body. Choose from ground, a"),
        (lambda s: s.body("a", mass=1), "'a' is the name of a body"),
        (lambda s: s.parameter("a", 1), "'a' is the name of a body"),
        (lambda s: s.body("b", joint="hindge"), "bodies.b.joint: there is no joint 'hindge'. Did you mean hinge\\?"),
        (lambda s: s.body("b", mass=-1), "bodies.b.mass: it is -1.0; it cannot be negative"),
        (lambda s: s.body("b", mass="q.a"), "bodies.b.mass: it may depend on numbers and parameters only, not on q.a"),
        (lambda s: s.body("b", mass=s.t), "bodies.b.mass: it may depend on numbers and parameters only, not on t"),
        (lambda s: s.body("b", mass=1, inertia=(1, 1, 3)), "principal moments 1, 1, 3 break the triangle"),
        (lambda s: s.body("b", mass=1, inertia=(1, 1, -1)), "bodies.b.inertia: the principal moment -1 is negative"),
        (lambda s: s.body("b", mass=1, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "not symmetric, entry 12 is 2"),
        (lambda s: s.body("b", mass=1, com=(1, 2)), "bodies.b.com: a list of 3 is needed, not of 2"),
        (lambda s: s.body("b", mass=1, com=s.ground.x), "bodies.b.com: three components along the body's axes are"),
        (lambda s: s.body("b", mass="m9"), "m9"),
        (lambda s: s.body("b", joint=Revolute("w"), mass=1), "Revolute.axis: 'w' is not a direction: use one of"),
        (lambda s: s.body("b", joint=Revolute((0, 0, 0)), mass=1), "a direction must not have length 0"),
        (lambda s: s.body("b", joint=Spherical("122"), mass=1), "'122' is not a sequence of rotations"),
        (lambda s: s.body("b", orient=[[1, 0, 0], [0, 1, 0], [0, 0, -1]]), "the matrix is a reflection"),
        (lambda s: s.body("b", orient=[[1, 0, 0], [0, 2, 0], [0, 0, 1]]), "the matrix is not a rotation"),
        (lambda s: s.force(3, at=s.bodies["a"]), "force.vector: a vector such as 3"),
        (lambda s: s.torque(3, on=s.bodies["a"]), "torque.vector: a vector such as 3"),
        (lambda s: s.joint_force(s.bodies["a"], s.ground.x), "a scalar is needed, not a vector"),
        (lambda s: s.joint_force(s.bodies["a"], 1, speed="vx"), "the revolute joint of 'a' has one speed; leave"),
        (lambda s: s.parameter("p", float("nan")), "parameters.p.value: nan cannot be part of an expression"),
        (lambda s: s.parameter("1 2", 1), "'1 2' cannot be a name here"),
        (lambda s: s.input("a-b"), "'a-b' cannot be a name here"),
        (lambda s: s.body(" ", mass=1), "' ' cannot be a name here"),
        (lambda s: s.body("b", on=5, mass=1), "the parent '5' of body 'b' is not a body"),
        (lambda s: s.force(s.ground.x, at=None), r"force.at: a point such as .* or a body is needed, not nothing"),
        (lambda s: s.spring(None, s.ground.origin), r"spring.from: a point such as .* or a body is needed"),
        (lambda s: s.joint_force(s.ground, 1), "the ground has no joint; name a body"),
        (lambda s: s.derive("newton"), "there is no formulation 'newton'; choose from kane"),
        (lambda s: s.derive(small=["zz"]), "'zz' cannot be small"),
        (lambda s: System().derive(), "has no bodies"),
        (lambda s: s.body("b", joint=Revolute("x", motion="q.a"), mass=1), "may depend on t, numbers, param"),
        (lambda s: s.body("b", joint=Free(motion="t"), mass=1), "7 coordinates need as many motions, not 1"),
        (lambda s: s.body("b", joint=Planar(motion="t"), mass=1), "3 coordinates need as many motions, not 1"),
        (lambda s: BuildingBlock(rotations=(1, 2)), "0, 1 or 3 rotations"),
    ],
)  # fmt: skip
def test_wrong_models_are_refused(action: object, text: str) -> None:
    with pytest.raises((ModelError, ParseError), match=text):
        action(one())  # type: ignore[operator]


@pytest.mark.parametrize("body", [{"mass": 1.0}, {}], ids=["point on the axis", "no mass"])
def test_hinges_without_inertia_are_refused(body: dict[str, float]) -> None:
    s = System()
    s.body("a", joint=Revolute(), **body)
    with pytest.raises(ModelError, match=r"joint 'a' \(a on ground\): its inertia is 0"):
        s.derive().program()


def test_motion_without_inertia_names_the_joint() -> None:
    s = System()
    a = s.body("upper_arm", joint=Revolute("z"), mass=1, com=(1, 0, 0))
    s.body("forearm", on=a, joint=Revolute("z"))
    with pytest.raises(ModelError, match=r"joint 'forearm' \(forearm on upper_arm\): its inertia is 0\. It allows"):
        s.derive().program()


def test_universal_joint_is_one_joint_and_two_links() -> None:
    s = System()
    a = s.body("a", joint=Universal("x", "y"), mass=1, com=(0, 0, -1))
    assert list(s.bodies) == ["a"] and len(a.q) == len(a.u) == 2
    eq = s.derive()
    assert eq.q == ("a.a1", "a.a2") and [link.name for link in eq.derivation.tree.links] == ["a.a1", "a"]
    run = s.simulate(0.1, q={"a": (0.1, 0.2)})
    assert run["q.a.a1"][0] == 0.1 and run["q.a.a2"][0] == 0.2


def test_names_of_coordinates_and_speeds() -> None:
    s = System()
    s.body("bus", joint=Free(), mass=1, inertia=(1, 1, 1))
    s.body("arm", on="bus", joint=Prismatic("x"), mass=1)
    eq = s.derive()
    assert eq.q == (*(f"bus.{k}" for k in ("x", "y", "z", "qw", "qx", "qy", "qz")), "arm")
    assert eq.u == (*(f"bus.{k}" for k in ("wx", "wy", "wz", "vx", "vy", "vz")), "arm")


def test_every_alias_names_a_joint() -> None:
    assert all(kind in JOINTS for kind in JOINTS.aliases.values())


def test_derivations_do_not_change_the_model_and_are_deterministic() -> None:
    s = one(inertia=inertia.rod(1, 2, "z"))
    size = len(s.graph)
    first = str(s.derive())
    s.derive(small=["a"]).program()
    assert str(s.derive()) == first
    assert len(s.graph) == size


def test_inertia_about_another_point() -> None:
    s = System()
    s.body("rod", mass=3, com=(0, 0, 1), inertia=(4, 4, 0), about=(0, 0, 0))
    spec = s.bodies["rod"].spec
    assert spec is not None
    assert [float(spec.inertia[k][k]) for k in range(3)] == [1, 1, 0]


def cloud(seed: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, mass centre and inertia about the origin of 1 to 4 point masses at distances of 1e-6 to 1e3 m, including
    points and thin rods, whose smallest moments are rounding errors of 0."""
    rng = np.random.default_rng(seed)
    size, place = 10.0 ** rng.uniform(-6, 3, size=2)
    masses = rng.uniform(1, 2, size=1 + seed % 4) * 10.0 ** rng.uniform(-6, 6)
    points = rng.normal(size=3) * place + rng.normal(size=(len(masses), 3)) * size
    about = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))
    return masses.sum(), masses @ points / masses.sum(), np.array(about)


@pytest.mark.parametrize("seed", range(40))
def test_every_set_of_point_masses_is_accepted(seed: int) -> None:
    """With its inertia about the origin or the mass centre, slightly asymmetric after rotation; a moment that is
    negative beyond rounding is refused."""
    mass, com, about = cloud(seed)
    J = about - mass * (com @ com * np.eye(3) - np.outer(com, com))
    R, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    s = System()
    s.body("about origin", mass=mass, com=tuple(com), inertia=about.tolist(), about=(0, 0, 0))
    s.body("about mass centre", mass=mass, com=tuple(com), inertia=J.tolist())
    s.body("turned", mass=mass, com=tuple(com @ R.T), inertia=(R @ J @ R.T).tolist())
    wrong = J - 1e-6 * (np.trace(about) + mass) * np.eye(3) - 3 * np.diag(np.diag(J))
    with pytest.raises(ModelError, match=r"principal moment .* is negative"):
        s.body("negative", mass=mass, com=tuple(com), inertia=np.diag(np.diag(wrong)).tolist())


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (inertia.rod(12, 1, "x"), [0, 1, 1]), (inertia.disk(4, 1), [1, 1, 2]), (inertia.ring(2, 1, "y"), [1, 2, 1]),
        (inertia.cylinder(12, 1, 3), [12, 12, 6]), (inertia.sphere(5, 1), [2, 2, 2]), (inertia.shell(3, 1), [2, 2, 2]),
        (inertia.box(12, 1, 2, 3), [13, 10, 5]), (inertia.cone(80, 1, 2), [24, 24, 24]),
    ],
)  # fmt: skip
def test_helper_inertias(made: tuple, wanted: list[float]) -> None:
    assert np.allclose(np.array(made, dtype=float), np.diag(wanted))


def test_all_errors_share_one_base_class() -> None:
    assert issubclass(ModelError, FreebodyError)


def test_inertia_in_a_dataframe_is_read_by_rows() -> None:
    J = np.array([[2.0, 0.1, 0.0], [0.1, 3.0, 0.2], [0.0, 0.2, 4.0]])
    found = [
        System("s").body("b", mass=1, com=com, inertia=given).spec
        for com, given in (((1, 2, 3), J), (pd.Series([1, 2, 3]), pd.DataFrame(J, columns=["x", "y", "z"])))
    ]
    assert str(found[0].inertia) == str(found[1].inertia) and str(found[0].com) == str(found[1].com)


def test_inertia_may_be_a_function_that_returns_a_dyadic() -> None:
    s = System()

    def dyadic(b: Body) -> Dyadic:
        mixed = b.x.outer(b.y) + b.y.outer(b.x)
        return b.x.outer(b.x) * 3 + b.y.outer(b.y) * 2 + b.z.outer(b.z) * 4 + mixed

    for name, given in (("a", [[3, 1, 0], [1, 2, 0], [0, 0, 4]]), ("b", dyadic)):
        s.body(name, joint=Revolute("z"), mass=1, com=(1, 0, 0), inertia=given)
    rows = [[[float(x) for x in row] for row in s.bodies[n].spec.inertia] for n in "ab"]  # type: ignore[union-attr]
    assert rows[0] == rows[1]
    with pytest.raises(ModelError, match="the function must return a dyadic"):
        s.body("c", mass=1, inertia=lambda b: 3)
    with pytest.raises(ModelError, match="give a dyadic as a function of the body"):
        s.body("d", mass=1, inertia=s.ground.x.outer(s.ground.x))


def test_equal_systems_have_equal_digests() -> None:
    first, same, other = one(), one(), one(inertia=(1, 1, 1))
    first.derive().program()
    assert first.digest() == same.digest() == first.freeze().digest != other.digest()


def test_ground_has_only_points_and_axes() -> None:
    s = System()
    a = s.body("a", joint=Revolute("y"), mass=1, com=(0, 0, -1))
    assert isinstance(s.ground, Ground) and not isinstance(s.ground, Body) and a.parent is s.ground
    assert s.ground.point((1, 0, 0)).body is s.ground and s.ground.x.dot(s.ground.x) == 1
    assert {"spec", "parent", "placement", "q", "u"}.isdisjoint(dir(s.ground))
    for wrong, text in (
        (lambda: s.ground.centre, "the ground has no mass centre"),
        (lambda: s.joint_force(s.ground, 1), "the ground has no joint; name a body"),
        (lambda: s.couple(a, s.ground), "'ground' is not a body of this system"),
    ):
        with pytest.raises(ModelError, match=text):
            wrong()


def test_errors_have_the_path_of_the_element() -> None:
    s = System()
    s.body("arm", joint=Revolute())
    for wrong, path in (
        (lambda: s.parameter("k", float("nan")), ("parameters", "k", "value")),
        (lambda: s.input("pi"), ("inputs", "pi")),
        (lambda: s.state("z", "nobody"), ("states", "z", "rate")),
        (lambda: s.body("b", on="nobody"), ("bodies", "b", "on")),
        (lambda: s.body("b", mass=-1), ("bodies", "b", "mass")),
        (lambda: s.body("b", mass="nobody"), ("bodies", "b", "mass")),
        (lambda: s.body("b", com=(1, 2)), ("bodies", "b", "com")),
        (lambda: s.body("b", at=(0, "q.arm", 0)), ("bodies", "b", "at", 1)),
        (lambda: s.body("b", orient=[[1, 0, 0], [0, 2, 0], [0, 0, 1]]), ("bodies", "b", "orient")),
        (lambda: s.body("b", inertia=(1, 1, 5)), ("bodies", "b", "inertia")),
        (lambda: s.body("b", joint="nothing"), ("bodies", "b", "joint")),
        (lambda: s.body("b", joint=Revolute(limits=(2, 1))), ("Revolute", "limits")),
        (lambda: s.body("b", joint=Revolute(damping="nobody")), ("bodies", "b", "joint", "damping")),
        (lambda: s.couple("arm", "arm"), ("bodies", "arm", "couple")),
        (lambda: s.output("arm", 1), ("outputs", "arm")),
    ):
        with pytest.raises(FreebodyError) as error:
            wrong()
        assert error.value.path == path, str(error.value)
