"""Every kind of joint, load, constraint, flexible body, shape, vector term and sensor has a picture, or it is said why
not; a place in the docs, a form in files and a digest; and it runs in every formulation, rolled too, or is refused by
name."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.model.blocks import BLOCKS
from freebody.model.constraints import CONSTRAINTS
from freebody.model.contact.contact import Contact
from freebody.model.flexible import FLEXIBLE
from freebody.model.joints import JOINTS
from freebody.model.loads import LOADS
from freebody.model.sampled import SENSORS
from freebody.model.sensors import SCALAR_TERMS
from freebody.model.shapes import SHAPES
from freebody.model.vectors import TERMS
from freebody.report.model_scene import model_scene
from freebody.run.drawing import drawing
from freebody.tree.tree import span
from tests.extending.checks import FORMULATIONS
from tests.flexible.reduced_bodies import random_reduced
from tests.flexible.test_descriptions import DESCRIPTIONS, GIVEN_MODES
from tests.formulations import test_every_lane
from tests.formulations.test_every_lane import agree, connected, wheels
from tests.mechanisms import general_position
from tests.mechanisms.general_position import At, chain, closed, passive, random_state, two_bodies
from tests.mechanisms.sampled import sampled
from tests.model.test_shapes import EXAMPLES, with_shape

ROOT = Path(__file__).parents[1]
Make = Callable[[], At]


def at_random(s: fb.System) -> At:
    tree = span(s.freeze())
    return At(s, *random_state(tree, np.random.default_rng(5)), [0.6] * len(tree.layout.z))


def loaded(load: Callable[[fb.System, Any, Any], object]) -> Make:
    """Two free bodies with a load in general position."""

    def make() -> At:
        s = two_bodies(5)
        load(s, s.bodies["a"], s.bodies["b"])
        return at_random(s)

    return make


def cylinder(start: Any, end: Any) -> fb.HydraulicCylinder:
    """One whose pressures and volumes are of the size of 1."""
    sizes = {"closed_length": "r", "travel": 9, "dead_a": 1, "dead_b": 2, "bulk_modulus": "k", "smooth": 0.1}
    valve = {"valve": "sin(t)", "supply": 3, "rated_flow": 2, "rated_drop": 1, "leakage": 0.1, "friction": 0.2}
    return fb.HydraulicCylinder(start, end, 0.7, **sizes, **valve, rod_area=0.5, damping="c", slip=0.5)


def touching() -> fb.System:
    """Two bodies that touch each other with friction of all kinds."""
    s = two_bodies(5)
    kinds: dict[str, Any] = {"static_friction": 0.6, "rolling_friction": "0.1*r", "torsional_friction": 0.1}
    paste = fb.ContactMaterial("k", dissipation=0.1, friction=0.4, **kinds)
    s.contact(s.bodies["a"].shape(fb.Sphere(9)), s.bodies["b"].shape(fb.Sphere("r", at=(0.1, 0.2, 0))), paste, "touch")
    return s


def one_body(joint: Any) -> fb.System:
    s = fb.System("one")
    s.body("b", at=(0, 0, 1), joint=joint, mass=1.0, com=(0.5, 0, 0.1), inertia=(0.1, 0.2, 0.2))
    return s


def bent(description: Any) -> Make:
    """A flexible body on a hinge, with a body on its last node."""

    def make() -> At:
        s = fb.System("flexible")
        modes = None if description.kind in {*GIVEN_MODES, "reduced"} else 2
        boom = s.body("boom", joint=fb.Revolute((1, 2, 3)), flexible=description, modes=modes)
        node = list(boom.spec.modal.nodes)[-1]
        s.body("tip", on=boom.node(node), mass=0.3, com=(0.1, 0.2, 0), inertia=(0.1, 0.2, 0.3))
        return at_random(s)

    return make


def measured(value: Callable[[fb.System, Any, Any], Any]) -> Make:
    """A beam with a body at its end, and an output."""

    def make() -> At:
        at = bent(fb.Beam(2.0, EA=100.0, EI=(3.0, 2.0), GJ=1.0, density=1.0, polar_inertia=0.01))()
        s = at.system
        s.output("measured", value(s, s.bodies["boom"], s.bodies["tip"]))
        return at

    return make


def driven(block: Any) -> Make:
    """Two free bodies with a force of a block's output."""
    return loaded(lambda s, a, b: s.joint_force("tip", s.add(block, "y")["y1" if block.kind == "state_space" else ""]))


def controlled() -> At:
    """Two free bodies with a load that depends on what a controller holds."""
    s = two_bodies(5)
    states = {"i": "i + 0.1*q.tip - u.a.wx", "j": "u_dot.b.vx"}
    s.controller("loop", period=0.1, states=states, initial={"i": 0.7, "j": -0.2})
    s.joint_force("tip", "k*loop.i + loop.j")
    return at_random(s)


def sensed(add: Callable[[fb.System, Any, Any], object]) -> Make:
    """The beam and its body with a sensor."""

    def make() -> At:
        at = measured(lambda s, boom, tip: s.position(tip.point(P)))()
        add(at.system, at.system.bodies["boom"], at.system.bodies["tip"])
        return at

    return make


ONE_JOINT = {joint.kind: joint for joint in reversed(general_position.JOINTS.values())}
ONE_CONSTRAINT = {
    next(c.kind for c in connected(connect, "a").system.constraints.values()): connect
    for name, connect in reversed(test_every_lane.CONNECTIONS.items())
    if name != "gear"
}
GEARS: dict[str, Any] = {"radii": (0.2, 0.3), "stiffness": "100*k", "damping": "c"}
P, Q = (0.1, 0.2, 0.3), (0.3, -0.1, 0.2)
KINDS: dict[str, dict[str, Make]] = {
    "joint": {kind: lambda joint=joint: chain(joint, passive(joint)) for kind, joint in ONE_JOINT.items()},
    "load": {
        "force": loaded(lambda s, a, b: s.force(3.0 * s.ground.x, at=b.point(P), reaction=a)),
        "torque": loaded(lambda s, a, b: s.torque("k*sin(t)", on=b, reaction=a, about=a.y)),
        "force_between": loaded(lambda s, a, b: s.force_between(a.point(P), b.point(Q), "k*length**2 + c*rate")),
        "spring": loaded(lambda s, a, b: s.spring(a.point(P), b.point(Q), "k", "r", "c")),
        "joint_force": loaded(lambda s, a, b: s.joint_force("tip", "k*sin(t)")),
        "bushing": loaded(lambda s, a, b: s.add(fb.Bushing(a.point(P), b.point(Q), ("k",) * 6, ("c",) * 6), "mount")),
        "motor": loaded(
            lambda s, a, b: s.add(
                fb.Motor("tip", voltage="sin(t)", kt="k", resistance=2, inductance=1, gear=3, inertia="r"), "drive"
            )
        ),
        "servo": loaded(
            lambda s, a, b: s.add(fb.Servo("tip", "sin(t)", kp="k", kd="c", efficiency=0.8, max_torque=2.0), "drive")
        ),
        "hydraulic_cylinder": loaded(lambda s, a, b: s.add(cylinder(a.point(P), b.point(Q)), "push")),
        "elastic_gear": loaded(lambda s, a, b: s.gear(*wheels(s, a, (0.3, 0.4, 0)), **GEARS)),
        "elastic_belt": loaded(
            lambda s, a, b: s.belt(*wheels(s, a, (0.3, 0.4, 0)), (0.2, 0.1), pretension="k", stiffness="100*k")
        ),
    },
    "stop": {
        "joint_stop": loaded(
            lambda s, a, b: s.joint_stop("tip", lower="-r", upper=0.1, stiffness="100*k", dissipation="c")
        )
    },
    "contact": {"contact": lambda: at_random(touching())},
    "constraint": {
        **{kind: lambda connect=connect: connected(connect, "a") for kind, connect in ONE_CONSTRAINT.items()},
        "close": lambda: closed(fb.Cylindrical((1, 2, -2)), {}, "a"),
    },
    "flexible body": {
        **{one.kind: bent(one) for one in reversed(DESCRIPTIONS.values())},
        "reduced": bent(random_reduced(1)),
    },
    "shape": {kind: lambda shape=shape: at_random(with_shape(shape)) for kind, shape in EXAMPLES.items()},
    "vector term": {
        "in": measured(lambda s, boom, tip: boom.vector((1, 2, 3))),
        "position": measured(lambda s, boom, tip: s.position(tip.point(P))),
        "velocity": measured(lambda s, boom, tip: s.velocity(tip.point(P))),
        "acceleration": measured(lambda s, boom, tip: s.acceleration(tip.point(P))),
        "angular velocity": measured(lambda s, boom, tip: s.angular_velocity(tip)),
        "angular acceleration": measured(lambda s, boom, tip: s.angular_acceleration(tip)),
        "reaction force": measured(lambda s, boom, tip: s.reaction_force(tip)),
        "reaction torque": measured(lambda s, boom, tip: s.reaction_torque(tip)),
        "deflection": measured(lambda s, boom, tip: s.deflection("boom.tip")),
    },
    "sensor": {
        "strain": measured(lambda s, boom, tip: s.strain(boom, 0.5, (0.01, 0.02))),
        "section force": measured(lambda s, boom, tip: s.section_forces(boom, 0.5).moment_z),
    },
    "block": {
        "transfer_function": driven(fb.TransferFunction("q.tip", [1, "k"], [2, 1, 3])),
        "state_space": driven(fb.StateSpace(["t", "u.tip"], [["-k"]], [[1, 2]], [[1], [2]], [[0, 1], [1, 0]])),
        "pid": driven(fb.PID("sin(t) - q.tip", kp="k", ki=2, kd=0.1, filter=0.1, limits=(-5, "k"))),
        "lag": driven(fb.Lag("k*u.tip", "r", gain=2)),
        "rate_limiter": driven(fb.RateLimiter("u.tip", 2, "k", lag=0.1)),
        "lookup": driven(fb.Lookup("q.tip", [0, 1, 2], [1, 2, 4], "cubic", "extrapolate")),
        "lookup_2d": driven(fb.Lookup2D("q.tip", "u.tip", [0, 1], [0, 1, 2], [[1, 2], [3, 4], [0, 1]], "cubic")),
        "hysteresis": driven(fb.Hysteresis("u.tip", n=2, A="k")),
        "backlash": driven(fb.Backlash("q.tip", gap=0.1, lag=0.1)),
        "delay": driven(fb.Delay("k*q.tip", time=0.3, period=0.05, initial=0.2)),
        "relay": driven(fb.Relay("q.tip", -1, 1, on="k", lag=0.1)),
    },
    "sampled element": {
        "controller": lambda: controlled(),
        "quantity": sensed(lambda s, boom, tip: s.sensor("a", of="measured.x", rate=10, noise=0.1)),
        "encoder": sensed(lambda s, boom, tip: s.sensor("a", fb.Encoder("boom.m1", counts=9, rate=10))),
        "tachometer": sensed(lambda s, boom, tip: s.sensor("a", fb.Tachometer("boom.m1", period="1/3"))),
        "imu": sensed(lambda s, boom, tip: s.sensor("a", fb.IMU("boom.tip", ("x", 0.3), rate=10, delay=0.02))),
        "force_torque": sensed(lambda s, boom, tip: s.sensor("a", fb.ForceTorqueSensor(tip, rate=10))),
        "strain_gauge": sensed(lambda s, boom, tip: s.sensor("a", fb.StrainGauge(boom, 0.5, (0.1, 0.2), rate=9))),
        "position": sensed(lambda s, boom, tip: s.sensor("a", fb.PositionSensor(tip.point(P), boom, rate=10))),
        "distance": sensed(lambda s, boom, tip: s.sensor("a", fb.DistanceSensor(tip.point(P), "ground", rate=10))),
    },
}
"""A system with each kind."""

FAMILIES = {
    "joint": JOINTS,
    "load": LOADS,
    "stop": {"joint_stop": fb.JointStop},
    "contact": {"contact": Contact},
    "constraint": CONSTRAINTS,
    "flexible body": FLEXIBLE,
    "shape": SHAPES,
    "vector term": TERMS,
    "sensor": SCALAR_TERMS,
    "block": BLOCKS,
    "sampled element": {"controller": fb.Controller, **SENSORS},
}
"""The tables of all kinds."""

UNSEEN = {
    ("joint", "free"): "the body may be anywhere: there is nothing to show",
    ("joint", "weld"): "nothing moves: the bodies are drawn as one piece",
    ("constraint", "expression"): "an equation of coordinates has no place",
    ("shape", "mesh"): "its file does not exist here, and a box stands in for it",
    **{("vector term", kind): "an output is a number" for kind in TERMS},
    **{("sensor", kind): "an output is a number" for kind in SCALAR_TERMS},
    **{("block", kind): "a law of signals has no place" for kind in BLOCKS},
    ("sampled element", "controller"): "a law has no place",
    ("sampled element", "quantity"): "a number has no place",
    **{("sampled element", kind): "its joint is drawn" for kind in ("encoder", "tachometer")},
    ("sampled element", "strain_gauge"): "it moves as the body bends, which marks do not",
}
"""Kinds without a picture, and why."""

EVERY = [(family, kind) for family, kinds in KINDS.items() for kind in kinds]


def test_every_kind_is_here() -> None:
    for name, family in FAMILIES.items():
        assert {*KINDS[name]} == {*family}, name
    assert not {*UNSEEN} - {*EVERY}


@pytest.mark.filterwarnings("ignore")  # of meshes that are not there, and of loops that are open
@pytest.mark.parametrize(("family", "kind"), [one for one in EVERY if one not in UNSEEN])
def test_every_kind_has_a_picture(family: str, kind: str) -> None:
    """Facts of its own, and a symbol in the scene."""
    s = one_body(ONE_JOINT[kind]) if family == "joint" else KINDS[family][kind]().system
    eq = s.derive("kane")
    facts, scene = drawing(eq.derivation, eq.values), model_scene(eq.derivation, eq.values)
    assert not facts.left_out
    layers = {one.layer for one in (*scene.items, *scene.lines, *scene.links)}
    if family == "joint":
        assert facts.bodies[0].joint.kind == kind
        assert "joints" in layers
    elif family in ("load", "stop", "contact"):
        (load,) = facts.loads
        assert load.arrows or load.ends or load.wheels
    elif family == "constraint":
        assert facts.constraints[0].symbol or facts.constraints[0].wheels
        assert "constraints" in layers
        assert not any("no picture" in note for note in scene.notes)
    elif family == "sampled element":
        (sensor,) = facts.sensors
        assert sensor.kind == kind
        assert "links" in layers
    elif family == "flexible body":
        assert len(facts.meshes["boom"].points) > 0
        assert len(scene.flexible) == 1
    else:
        assert "bodies" in layers
        assert not any("shape" in note for note in scene.notes)


PAGES = {
    page.name: page.read_text() for page in (ROOT / "docs").glob("*.md") if page.name not in ("elements.md", "map.md")
}
CALLS = {"elastic_gear": "gear", "elastic_belt": "belt", "section force": "section_forces", "quantity": "sensor"}


@pytest.mark.parametrize(("family", "kind"), EVERY)
def test_every_kind_is_in_the_docs(family: str, kind: str) -> None:
    """Beside the generated page of all elements: its name in files, and its class, or the call that makes it."""
    text, generated = "\n".join(PAGES.values()), (ROOT / "docs" / "elements.md").read_text()
    assert re.search(rf"(?<!\w){re.escape(kind)}(?!\w)", text)
    if family in ("vector term", "sensor"):
        return
    name = FAMILIES[family][kind].__name__
    name = {"BeamFrame": "Frame"}.get(name, name)
    in_python = (
        rf"\b{name}\b" if name in fb.__all__ and kind != "reduced" else rf"s\.{CALLS.get(kind, kind)}\(|read_reduced"
    )
    assert re.search(in_python, text), in_python
    assert f"### {kind}" in generated or (family == "contact" and "## Contacts" in generated)


@pytest.mark.parametrize(("family", "kind"), EVERY)
def test_every_kind_has_a_file_form_and_a_digest(family: str, kind: str, tmp_path: Path) -> None:
    s = KINDS[family][kind]().system
    again = fb.load(s.save(tmp_path / "model.yaml"))
    assert again.digest() == s.digest()
    assert fb.load(again.save(tmp_path / "again.yaml")).digest() == s.digest()
    other = "weld" if family == "joint" else next((k for k in KINDS[family] if k != kind), None)
    assert kind == "weld" or family == "shape" or other is None or KINDS[family][other]().system.digest() != s.digest()
    found = {
        "joint": lambda: {body.spec.joint.kind for body in again.bodies.values()},
        "load": lambda: {load.kind for load in again.loads.values()} | {"spring"},  # which is a force between points
        "stop": lambda: {load.kind for load in again.loads.values()},
        "contact": lambda: {load.kind for load in again.loads.values()},
        "constraint": lambda: {c.kind for c in again.constraints.values()},
        "flexible body": lambda: {again.bodies["boom"].spec.flexible.kind},
        "shape": lambda: {again.bodies["arm"].spec.shape.kind},
        "block": lambda: {again.blocks["y"].kind},
        "sampled element": lambda: {element.kind for element in again.sampled.values()},
    }
    assert family not in found or kind in found[family]()


MOVING = [one for one in EVERY if one[0] != "shape"]


@pytest.mark.parametrize("which", sampled(MOVING, 6), ids=str)
def test_every_kind_runs_in_every_formulation_or_is_refused_by_name(which: tuple[str, str]) -> None:
    """With the accelerations of Kane's equations."""
    family, kind = which
    agree(KINDS[family][kind](), FORMULATIONS)
