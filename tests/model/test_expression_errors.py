"""Wrong expressions as text: wherever a user may give text, the error names the element and shows the text."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

import freebody as fb
from freebody.errors import ArgumentError, FreebodyError, ModelError, ParseError
from freebody.model import shapes
from freebody.model.element import Field, fields_of
from freebody.model.joints import Joint
from freebody.model.kinds import ListOf
from tests.model.test_joints import CASES

BAD = "nowhere + 1"
TEXTS: dict[str, Callable[[Any], Any]] = {  # how a text is given for a field of each kind
    "Scalar": lambda old: BAD,
    "PrescribedMotion": lambda old: BAD,
    "ListOf Number": lambda old: BAD,
    "Range": lambda old: (BAD, 1),
    "Direction": lambda old: (BAD, 0, 0),
    "ListOf Direction": lambda old: ((BAD, 0, 0), *old[1:]),
    "TwistMap": lambda old: (BAD, 0, 0, 0, 0, 1),
    "TwistConstraint": lambda old: (BAD, 0, 0, 0, 0, 1),
    "FormulaList": lambda old: (BAD, 0, 0),
    "TurnList": lambda old: [("x", BAD)],
    "RotationMatrix": lambda old: [[BAD, 0, 0], [0, 1, 0], [0, 0, 1]],
    "Definitions": lambda old: {"helper": BAD},
}
WITHOUT = {"AxisSequence", "ListOf Integer", "Boolean", "NameList", "ListOf MemberOf"}  # MemberOf: another joint


def kind_of(f: Field) -> str:
    kind = type(f.kind).__name__
    return f"ListOf {type(f.kind.item).__name__}" if type(f.kind) is ListOf else kind


FIELDS = [
    (joint, f)
    for joint in {type(joint): joint for joint in CASES}.values()
    for f in fields_of(type(joint))
    if not f.derived
]
OPTIONS = [
    pytest.param(joint, f.name, TEXTS[kind_of(f)], id=f"{joint.kind} {f.name}")
    for joint, f in FIELDS
    if kind_of(f) not in WITHOUT
]


def fails(make: Callable[[], object], *owners: str) -> None:
    with pytest.raises(FreebodyError) as caught:
        make()
    message = str(caught.value)
    assert "nowhere is not declared" in message.replace("'", ""), message
    first = message.splitlines()[0]
    assert all(owner in first for owner in owners), message


def test_cases_contain_every_kind_of_field() -> None:
    assert {kind_of(f) for _, f in FIELDS} <= {*TEXTS, *WITHOUT}


@pytest.mark.parametrize(("joint", "option", "text"), OPTIONS)
def test_wrong_texts_in_options_of_joints(joint: Joint, option: str, text: Callable[[Any], Any]) -> None:
    def make() -> None:
        s = fb.System("s")
        others = {"turns": {"rotation": None}, "rotation": {"turns": None}, "constraint": {"H": ()}}
        clear = others.get(option, {"constraint": None} if option == "H" else {})
        s.body("arm", joint=replace(joint, **clear, **{option: text(getattr(joint, option))}), mass=1)
        s.derive()

    fails(make, f"bodies.arm.joint.{option}")


@pytest.mark.parametrize("motion", [lambda t: t, fb.table("cam", [0, 1], [0, 1]), [None, lambda t: t]])
def test_wrong_texts_in_prescribed_motions(motion: Any) -> None:
    with pytest.raises(ModelError, match=r"Cylindrical.motion(\[1\])?: give a text or an expression of t"):
        fb.System("s").body("arm", joint=fb.Cylindrical("x", motion=motion), mass=1)


def test_wrong_texts_in_parts_of_compound_joints() -> None:
    joint = fb.Compound(fb.Prismatic("x"), fb.Revolute((BAD, 0, 0)))
    fails(lambda: fb.System("s").body("arm", joint=joint), "bodies.arm.joint.parts[1].axis[0]")


BODY: dict[str, tuple[Any, str]] = {
    "mass": (BAD, "bodies.arm.mass"),
    "com": ((BAD, 0, 0), "bodies.arm.com[0]"),
    "at": ((0, BAD, 0), "bodies.arm.at[1]"),
    "inertia": ((1, 1, BAD), "bodies.arm.inertia[2]"),
    "about": ((1, 1, BAD), "bodies.arm.about[2]"),
}


@pytest.mark.parametrize("field", BODY)
def test_wrong_texts_in_fields_of_bodies(field: str) -> None:
    given, owner = BODY[field]
    fails(lambda: fb.System("s").body("arm", **{"mass": 1, field: given}), owner)


@pytest.mark.parametrize(("given", "path"), [
    (("x", BAD), "angle"), ([("x", 0.1), ("y", BAD)], "[1].angle"), ([(BAD, 0, 0), (0, 1, 0), (0, 0, 1)], "[0][0]"),
])  # fmt: skip
def test_wrong_texts_in_orientations(given: Any, path: str) -> None:
    dot = "" if path.startswith("[") else "."
    fails(lambda: fb.System("s").body("arm", orient=given, mass=1), f"bodies.arm.orient{dot}{path}")


@pytest.mark.parametrize("kind", shapes.SHAPES.values(), ids=lambda kind: kind.__name__)
def test_wrong_texts_in_shapes(kind: Any) -> None:
    texts = ("axis", "normal", "file", "color", "name", "folders", "heights")
    usual = {f.name: 1 for f in fields(kind) if f.name not in texts} | {"at": (0, 0, 0), "rpy": (0, 0, 0)}
    known = {"file": "x", "points": ((0, 0), (1, 0), (0, 1)), "heights": ((0, 0), (0, 0))}
    usual |= {f.name: known[f.name] for f in fields(kind) if f.name in known}
    for name, old in usual.items():
        if name not in texts:
            given = ((BAD, 0), *old[1:]) if name == "points" else (BAD, 0, 0) if isinstance(old, tuple) else BAD
            shape = kind(**{**usual, name: given})
            fails(lambda shape=shape: fb.System("s").body("arm", shape=shape), "bodies.arm.shape")  # type: ignore[misc]


def arms() -> tuple[fb.System, Any, Any]:
    s = fb.System("s")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    return s, upper, s.body("lower", on=upper, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))


ELEMENTS: dict[str, tuple[Callable[[fb.System, Any, Any], Any], str]] = {
    "coupling ratio": (lambda s, a, b: s.couple(b, to=a, ratio=BAD), "bodies.lower.couple.ratio"),
    "coupling offset": (lambda s, a, b: s.couple(b, to=a, offset=BAD), "bodies.lower.couple.offset"),
    "torque": (lambda s, a, b: s.torque(BAD, on=b, about=b.y, name="motor"), "loads.motor.torque.value"),
    "unnamed torque": (lambda s, a, b: s.torque(BAD, on=b, about=b.y), "loads.torque1.torque.value"),
    "joint force": (lambda s, a, b: s.joint_force(b, BAD), "loads.joint_force1.joint_force.value"),
    "force between": (
        lambda s, a, b: s.force_between(a.origin, b.origin, BAD, name="cable"),
        "loads.cable.force_between.law",
    ),
    "function": (
        lambda s, a, b: s.force_between(a.origin, b.origin, lambda x, v: BAD, name="cable"),
        "loads.cable.force_between.law",
    ),
    "stiffness": (lambda s, a, b: s.spring(a.origin, b.origin, BAD, name="coil"), "loads.coil.spring.stiffness"),
    "free length": (lambda s, a, b: s.spring(a.origin, b.origin, 1, BAD, name="coil"), "loads.coil.spring.free_length"),
    "damping": (lambda s, a, b: s.spring(a.origin, b.origin, damping=BAD, name="coil"), "loads.coil.spring.damping"),
    "state": (lambda s, a, b: s.state("filter", BAD), "states.filter.rate"),
    "output": (lambda s, a, b: s.output("speed", BAD), "outputs.speed"),
    "point": (lambda s, a, b: b.point((0, 0, BAD), "tip"), "point 'tip' of 'lower'"),
    "unnamed point": (lambda s, a, b: b.point((0, 0, BAD)), "a point of 'lower'"),
    "vector": (lambda s, a, b: a.vector((0, 0, BAD)), "a vector in 'upper'"),
    "gravity": (lambda s, a, b: setattr(s, "gravity", (0, 0, BAD)), "gravity"),
    "gravity at the start": (lambda s, a, b: fb.System("x", gravity=(0, 0, BAD)).gravity, "gravity"),
}


@pytest.mark.parametrize("element", ELEMENTS)
def test_wrong_texts_in_loads_and_declarations(element: str) -> None:
    make, owner = ELEMENTS[element]
    fails(lambda: make(*arms()), owner)


RUNS: dict[str, tuple[Callable[[fb.System], Any], str]] = {
    "input": (lambda s: s.simulate(1, inputs={"motor": BAD}), "input 'motor'"),
    "event": (lambda s: s.simulate(1, inputs={"motor": 0}, events=fb.Event(BAD, name="stop")), "event 'stop'"),
    "second event": (
        lambda s: s.simulate(1, inputs={"motor": 0}, events=[fb.Event("q.lower"), fb.Event(BAD)]), "event 'event2'",
    ),
    "reset": (
        lambda s: s.simulate(1, inputs={"motor": 0}, events=fb.Event("t", reset={"u.lower": BAD}, name="hit")),
        "event 'hit', reset of u.lower",
    ),
    "sweep input": (lambda s: s.sweep([0, 1], {"q.upper": [0, 1]}, inputs={"motor": BAD}), "input 'motor'"),
    "output of a linearisation": (lambda s: s.linearize(inputs=["motor"], outputs={"y": BAD}), "output 'y'"),
}  # fmt: skip


@pytest.mark.parametrize("run", RUNS)
def test_wrong_texts_in_options_of_runs(run: str) -> None:
    make, owner = RUNS[run]
    s, upper, lower = arms()
    s.torque(s.input("motor"), on=lower, reaction=upper, about=lower.y)
    fails(lambda: make(s), owner)


@pytest.mark.parametrize("option", ["q", "u", "parameters"])
def test_texts_instead_of_numbers_are_refused(option: str) -> None:
    """Initial values and parameters of a run are numbers; the error names the value for which a text was given."""
    s, *_ = arms()
    s.parameter("k", 1.0)
    name = "k" if option == "parameters" else "upper"
    with pytest.raises(ArgumentError, match=f"'{name}'"):
        s.simulate(1, **{option: {name: BAD}})


def test_orientations_may_be_an_axis_and_a_text() -> None:
    s = fb.System("s")
    s.parameters(a=0.3, ab=0.4)
    angle = {name: s.scalar(name, "") for name in ("a", "ab")}
    pairs = [(("x", "a"), ("x", angle["a"])), (("-z", "ab"), ("-z", angle["ab"]))]
    pairs += [([("x", "a"), ("-z", "ab")], [("x", angle["a"]), ("-z", angle["ab"])])]
    for k, (text, expression) in enumerate(pairs):
        one, other = (s.body(f"arm{k}{n}", orient=given) for n, given in enumerate((text, expression)))
        assert one.spec.orient == other.spec.orient


def test_parse_errors_keep_their_attributes() -> None:
    with pytest.raises(ParseError) as caught:
        fb.System("s").body("arm", mass=BAD)
    error = caught.value
    assert (error.context, error.text, error.column) == ("", BAD, 0)
    assert error.path == ("bodies", "arm", "mass")


def test_suggestions_list_each_name_once() -> None:
    s = fb.System("s")
    s.body("arm", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    run = s.simulate([0, 0.1])
    with pytest.raises(KeyError) as caught:
        run["arn"]
    assert str(caught.value).count("arm") == len({w for w in str(caught.value).replace("?", " ").split() if "arm" in w})
