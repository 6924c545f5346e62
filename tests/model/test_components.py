"""Components have names under their prefix, see their own names first, and stay the same through files."""

import copy
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError, ModelError
from freebody.io import dumps, loads


@fb.component
def leg(s: fb.System, on: Any, at: Any = (0, 0, 0), length: float = 0.3) -> fb.Motor:
    """A thigh and a shank with a motor at the knee, a foot spring, a filter and a parameter."""
    k = s.parameter("k", 50.0)
    thigh = s.body("thigh", on=on, at=at, joint=fb.Revolute("y", stiffness="k"), mass=1.0, com=(0, 0, -length / 2))
    shank = s.body(
        "shank", on="thigh", at=(0, 0, -length), joint=fb.Revolute("y", damping=k / 100), mass=0.5, com=(0, 0, -0.1)
    )
    s.input("command")
    s.add(fb.Lag("command - q.shank", time=0.05), "late")
    motor = s.add(fb.Motor("shank", torque="late", gear=9), "motor")
    s.spring(thigh, shank.point((0, 0, -length)), stiffness="k", free_length=0.1)
    s.state("heat", rate="motor.loss - heat")
    s.output("height", s.position(shank.point((0, 0, -length))).dot(s.ground.z))
    s.output("twice", "2*late + u_dot.thigh")
    return motor


def quadruped() -> fb.System:
    s = fb.System("quadruped")
    base = s.body("base", joint=fb.Free(), mass=8.0, inertia=(0.1, 0.2, 0.2))
    for side, y in (("left", 0.1), ("right", -0.1)):
        for end, x in (("front", 0.2), ("rear", -0.2)):
            leg(s, f"{end} {side}", on=base, at=(x, y, 0))
    return s


def test_every_leg_has_its_own_elements() -> None:
    s = quadruped()
    assert [*s.bodies] == [
        "base",
        *(f"{e} {y}.{b}" for y in ("left", "right") for e in ("front", "rear") for b in ("thigh", "shank")),
    ]
    assert [*s.inputs] == ["front left.command", "rear left.command", "front right.command", "rear right.command"]
    assert "front left.spring1" in s.loads and "rear right.late" in s.blocks
    eq = s.derive()
    assert len(eq.u) == 14
    f = eq.compile("numpy")
    q = np.zeros(15)
    q[3] = 1
    one = f.forward_dynamics(q, np.zeros(14), z=np.full(8, 0.2), inputs=np.zeros(4))
    assert np.allclose(one[[6, 8]], one[[10, 12]])  # left as right


def test_a_component_is_what_it_would_be_by_hand() -> None:
    s = fb.System("one")
    leg(s, "a", on="ground")
    t = fb.System("one")
    k = t.parameter("a.k", 50.0)
    thigh = t.body("a.thigh", joint=fb.Revolute("y", stiffness="a.k"), mass=1.0, com=(0, 0, -0.15))
    shank = t.body(
        "a.shank", on=thigh, at=(0, 0, -0.3), joint=fb.Revolute("y", damping=k / 100), mass=0.5, com=(0, 0, -0.1)
    )
    t.input("a.command")
    t.add(fb.Lag("a.command - q.a.shank", time=0.05), "a.late")
    t.add(fb.Motor("a.shank", torque="a.late", gear=9), "a.motor")
    t.spring(thigh, shank.point((0, 0, -0.3)), stiffness="a.k", free_length=0.1, name="a.spring1")
    t.state("a.heat", rate="a.motor.loss - a.heat")
    t.output("a.height", t.position(shank.point((0, 0, -0.3))).dot(t.ground.z))
    t.output("a.twice", "2*a.late + u_dot.a.thigh")
    assert s.digest() == t.digest()


def test_files_hold_the_flat_system() -> None:
    s = quadruped()
    text = dumps(s)
    again = loads(text, fb.System)
    assert again.digest() == s.digest() == loads(dumps(again), fb.System).digest()
    assert copy.copy(s).digest() == pickle.loads(pickle.dumps(s)).digest() == s.digest()


def test_names_mean_the_nearest_element() -> None:
    """Own names first, then those of the component around, then those of the system."""
    s = fb.System("names")
    s.body("b", joint=fb.Revolute(), mass=1, inertia=(1, 1, 1))
    s.parameters(k=1.0, g=7.0)
    with s.component("a"):
        s.parameter("k", 2.0)
        with s.component("b") as name:
            assert name == "a.b"
            s.output("own", "k")
            s.parameter("k", 3.0)
            s.output("inner", "k + g")
        s.output("outer", "k + 10*b.k")
    s.output("whole", "k + 10*a.k + 100*a.b.k")
    values = {n: float(v) for n, v in s.derive().compile("numpy").outputs([0], [0]).items()}
    assert values == {"a.b.own": 2, "a.b.inner": 10, "a.outer": 32, "whole": 321}


def test_joints_of_components_are_coupled_geared_and_closed() -> None:
    s = fb.System("pairs")
    for name in ("one", "other"):
        with s.component(name):
            s.body("arm", joint=fb.Revolute("y"), mass=1, com=(1, 0, 0))
            s.body("hand", on="arm", at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0))
            s.couple("hand", to="arm", ratio=-1)
            s.rod("hand", s.ground.point((0, 0, 3)), length=3.2, name="rod")
            s.output("pull", "multiplier.rod")
            s.output("force", s.reaction_force("arm"))
    assert [*s.constraints] == ["one.rod", "other.rod"]
    assert len(s.derive().u) == 2


def test_a_component_that_fails_is_closed() -> None:
    s = fb.System("s")
    with (
        pytest.raises(ModelError, match=r"bodies\.'front left\.arm'|bodies.*on: 'nothing' is not a body"),
        s.component("front left"),
    ):
        s.body("arm", on="nothing")
    s.body("arm")
    assert [*s.bodies] == ["arm"]
    with pytest.raises(ModelError, match="the name of a component is text"):
        s.component("")
    with pytest.raises(ModelError, match="leg is called with a system and a name"):
        leg(3, "a", on=None)
    leg(s, "a", on="arm")
    with pytest.raises(ModelError, match=r"'a\.k' is the name of a parameter"):
        leg(s, "a", on="arm")


# Files that include others

LEG = """freebody: 3
name: leg
parameters: {length: 0.3, k: 50}
inputs: [command]
definitions: {half: -length/2}
bodies:
  thigh: {joint: {type: revolute, axis: y, stiffness: k}, mass: 1, com: [0, 0, half]}
  shank: {on: thigh, at: [0, 0, -length], joint: {type: revolute, axis: y}, mass: 0.5, com: [0, 0, half]}
blocks:
  late: {lag: {input: command - q.shank, time: 0.05}}
loads:
  knee: {motor: {on: shank, torque: late, gear: 9}}
  tendon: {spring: {from: mount, to: shank, stiffness: k}}
outputs:
  angle: q.thigh + q.shank
"""
WHOLE = """freebody: 3
parameters: {size: 0.4}
bodies:
  base: {joint: free, mass: 8, inertia: [1, 1, 1]}
include:
  left: {file: legs/leg.yaml, on: base, at: [0, 0.1, 0], parameters: {length: size*2, k: 20}}
  right: {file: legs/leg.yaml, on: base, at: [0, -0.1, 0], orient: {axis: z, angle: pi}}
outputs:
  both: left.late + right.late
"""


def files(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder / "whole.yaml"


def test_a_file_includes_others_with_parameters(tmp_path: Path) -> None:
    s = fb.load(files(tmp_path, whole=WHOLE, legs__leg=LEG))
    assert [*s.bodies] == ["base", *(f"{a}.{b}" for a in ("left", "right") for b in ("mount", "thigh", "shank"))]
    assert s.values == {"size": 0.4, "left.k": 20, "right.length": 0.3, "right.k": 50}
    t = fb.System("system")
    size = t.parameter("size", 0.4)
    base = t.body("base", joint=fb.Free(), mass=8, inertia=(1, 1, 1))
    for name, y, length, k, orient in (("left", 0.1, 2 * size, 20, None), ("right", -0.1, None, 50, ("z", "pi"))):
        with t.component(name):
            l: Any = t.parameter("length", 0.3) if length is None else length
            t.parameter("k", k)
            t.input("command")
            mount = t.body("mount", on=base, at=(0, y, 0), orient=orient)
            joint = fb.Revolute("y", stiffness="k")
            thigh = t.body("thigh", on=mount, joint=joint, mass=1, com=(0, 0, -l / 2))
            t.body("shank", on=thigh, at=(0, 0, -l), joint=fb.Revolute("y"), mass=0.5, com=(0, 0, -l / 2))
            t.add(fb.Lag("command - q.shank", time=0.05), "late")
            t.add(fb.Motor("shank", torque="late", gear=9), "knee")
            t.spring("mount", "shank", stiffness="k", name="tendon")
            t.output("angle", "q.thigh + q.shank")
    t.output("both", "left.late + right.late")
    f, g = s.derive().compile("numpy"), t.derive().compile("numpy")
    rng = np.random.default_rng(1)
    q, u, z, inputs = rng.normal(size=11), rng.normal(size=10), rng.normal(size=2), rng.normal(size=2)
    q[3:7] /= np.linalg.norm(q[3:7])
    assert np.allclose(
        f.forward_dynamics(q, u, z=z, inputs=inputs), g.forward_dynamics(q, u, z=z, inputs=inputs), rtol=1e-10
    )
    again = fb.load(s.save(tmp_path / "flat.yaml"))
    assert again.digest() == s.digest() and "include" not in (tmp_path / "flat.yaml").read_text()


@pytest.mark.parametrize(
    ("whole", "message"),
    [
        (WHOLE.replace("legs/leg.yaml", "../leg.yaml"), r"whole\.yaml:6:.*left\.file: '\.\./leg\.yaml' must lie"),
        (WHOLE.replace("legs/leg.yaml", "/etc/passwd"), "must lie in the folder"),
        (WHOLE.replace("legs/leg.yaml", "none.yaml"), r"include\.left\.file: none\.yaml: there is no such file"),
        (WHOLE.replace("k: 20", "kk: 20"), r"whole\.yaml:6:.*parameters\.kk: 'kk' is not a parameter of legs/leg"),
        (WHOLE.replace("size*2", "siz*2"), r"whole\.yaml:6:.*'siz' is not declared"),
        (WHOLE.replace("length: size*2", "length: q.base.x"), "it may depend on numbers and parameters only"),
        (WHOLE.replace("on: base", "on: bass", 1), "'bass' is not a body"),
        (WHOLE.replace("file: legs/leg.yaml", "flie: x", 1), "there is no key 'flie' here"),
        (WHOLE.replace("both:", "left.angle:"), "'left.angle' is the name of an output"),
    ],
)  # fmt: skip
def test_errors_of_included_files_show_the_place(whole: str, message: str, tmp_path: Path) -> None:
    path = files(tmp_path, whole=whole, legs__leg=LEG)
    with pytest.raises(FileError, match=message):
        fb.load(path)


@pytest.mark.parametrize(
    ("leg", "message"),
    [
        (LEG.replace("gear: 9", "gear: nine"), r"legs/leg\.yaml:12:.*loads\.knee\.motor\.gear: 'nine' is not declared"),
        (LEG.replace("mass: 1,", "mas: 1,"), r"legs/leg\.yaml:7:.*there is no key 'mas'"),
        (LEG + "gravity: [0, 0, 0]\n", r"legs/leg\.yaml:.*gravity: a component has no gravity of its own"),
        (LEG + "include: {x: legs/leg.yaml}\n", "legs/leg.yaml: there is no such file"),
        (LEG + "include: {x: leg.yaml}\n", r"these files include each other: whole\.yaml → leg\.yaml → leg\.yaml"),
    ],
)
def test_errors_inside_show_the_included_file(leg: str, message: str, tmp_path: Path) -> None:
    path = files(tmp_path, whole=WHOLE, legs__leg=leg)
    with pytest.raises(FileError, match=message):
        fb.load(path)


def test_files_stay_in_their_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "leg.yaml").write_text(LEG)
    path = files(tmp_path / "in", whole=WHOLE, legs__other="name: x\n")
    os.symlink(tmp_path / "leg.yaml", tmp_path / "in" / "legs" / "leg.yaml")
    with pytest.raises(FileError, match="is a link to a file outside the folder"):
        fb.load(path)
    with pytest.raises(FileError, match="a model that is read from text has no folder"):
        loads(WHOLE, fb.System)


def test_components_contain_components(tmp_path: Path) -> None:
    pair = "name: pair\nparameters: {k: 5}\nbodies: {hip: {joint: revolute, mass: 1}}\n" + (
        "include:\n  a: {file: leg.yaml, on: hip, parameters: {k: 2*k}}\n  b: {file: leg.yaml, on: hip}\n"
    )
    whole = "bodies: {base: {}}\ninclude: {front: {file: legs/pair.yaml, on: base}, rear: legs/pair.yaml}\n"
    s = fb.load(files(tmp_path, whole=whole, legs__leg=LEG, legs__pair=pair))
    assert "front.a.thigh" in s.bodies and s.bodies["rear.b.thigh"].spec.parent == "rear.b.mount"
    assert s.values["rear.k"] == 5 and "front.a.k" not in s.values
    assert len(s.derive().u) == 10


def test_sampled_controllers_of_components_write_their_inputs() -> None:
    """And read outputs, coordinates and blocks of theirs by name."""
    s = fb.System("sampled")
    for name in ("a", "b"):
        with s.component(name):
            s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1), inertia=(1, 1, 1))
            s.input("motor")
            s.joint_force("arm", "motor")
            s.add(fb.Lag("q.arm", 0.1), "late")
            s.output("angle", "q.arm")
            s.controller("pd", {"motor": "-3*late - u.arm + angle"}, period=0.01, saturation={"motor": (-1, 1)})
    assert [*s.sampled] == ["a.pd", "b.pd"] and s.free_inputs == []
    run = s.simulate(0.5, q={"a.arm": 0.3, "b.arm": 0.3})
    assert np.array_equal(run["input.a.motor"], run["input.b.motor"]) and run["input.a.motor"].any()
    assert loads(dumps(s), fb.System).digest() == s.digest()


def test_rates_of_states_of_components_are_defined_later() -> None:
    s = fb.System("later")
    s.body("b", joint=fb.Prismatic("x"), mass=1)
    with s.component("front left"):
        heat = s.state("heat", initial=1.0)
        s.state("other")
        s.rate(heat, "-2*heat")
        s.rate("other", heat)
    run = s.simulate([0, 1], rtol=1e-10)
    assert run["z.front left.heat"][-1] == pytest.approx(np.exp(-2), rel=1e-8)
    assert run["z.front left.other"][-1] == pytest.approx((1 - np.exp(-2)) / 2, rel=1e-8)


def test_entries_of_the_equations_of_motion_are_those_of_the_component() -> None:
    """gravity(arm), mass(arm, arm) and jacobian(tip.x, arm) in a component with a controller, and in its file."""
    s = fb.System("two")
    for side, y in (("left", 0.2), ("right arm", -0.2)):
        with s.component(side):
            arm = s.body("arm", at=(0, y, 0), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0))
            s.joint_force(arm, s.input("motor"))
            s.output("tip", s.position(arm.point((0, 0, -1))))
            law = "-gravity(arm) - 4*mass(arm, u.arm)*u.arm + jacobian(tip.x, arm)*(0.5 - 2*tip.x)"
            s.controller("hold", rate=500, law={"motor": law})
    saved = loads(dumps(s), fb.System)
    assert saved.digest() == s.digest()
    run = saved.simulate(4.0, q={"left.arm": 0.7, "right arm.arm": -0.4})
    for side in ("left", "right arm"):
        assert abs(run[f"{side}.tip"][-1][0] - 0.25) < 0.01
