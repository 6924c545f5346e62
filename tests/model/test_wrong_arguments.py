"""Wrong arguments are refused where they are written: by the constructor of an element, or by the verb of a system."""

import warnings
from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest

import freebody as fb
from freebody.errors import FreebodyError, ModelError
from freebody.io import loads
from freebody.model.element import Element, field_table
from freebody.model.flexible import FLEXIBLE
from freebody.model.joints import JOINTS
from freebody.model.kinds import Range, Text
from freebody.model.loads import LOADS
from freebody.model.shapes import SHAPES

NONSENSE = [object(), nan, inf, 1j, b"bytes", [object()], [[nan]], {"key": object()}, lambda: 0, -inf, "\0"]
VALID: dict[str, dict[str, Any]] = {
    "Compound": {"parts": (fb.Revolute("x"), fb.Prismatic("x"))}, "Screw": {"pitch": 1}, "Simple": {"H": (1, *[0] * 5)},
    "Custom": {"position": ("s", 0, 0)}, "Box": {"x": 1, "y": 1, "z": 1}, "Plate": {"x": 1, "y": 1, "thickness": 1},
    "Sphere": {"radius": 1}, "Cylinder": {"radius": 1, "length": 1}, "Capsule": {"radius": 1, "length": 1},
    "Tube": {"radius": 2, "inner_radius": 1, "length": 1}, "Cone": {"radius": 1, "length": 1},
    "Extrusion": {"points": ((0, 0), (1, 0), (0, 1)), "length": 1}, "Mesh": {"file": "a.stl"},
    "Heightfield": {"heights": ((0, 1), (1, 0)), "spacing": 1},
    "Beam": {"length": 1.0, "EI": 1.0, "density": 1.0},
    "Bushing": {"base": "ground", "mount": "a"}, "Closure": {"start": "a", "end": "ground", "joint": fb.Weld()},
}  # fmt: skip
CLASSES: list[type[Element]] = [
    *(cls for cls in JOINTS.values() if cls.__name__ in dir(fb)), *SHAPES.values(), LOADS["bushing"], fb.Closure,
    FLEXIBLE["beam"],
]  # fmt: skip
FIELDS = [(cls, f) for cls in CLASSES for f in field_table(cls).fields if f.kind.plain and not f.derived]


def _make(cls: type[Element], changed: dict[str, Any]) -> Any:
    arguments = {**VALID.get(cls.__name__, {}), **changed}
    return cls(*arguments.pop("parts"), **arguments) if cls is fb.Compound else cls(**arguments)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_valid_arguments_are_accepted(cls: type[Element]) -> None:
    _make(cls, {})


@pytest.mark.parametrize(("cls", "field"), FIELDS, ids=[f"{cls.__name__}-{f.name}" for cls, f in FIELDS])
def test_constructors_refuse_nonsense_and_name_the_element_and_the_field(cls: type[Element], field: Any) -> None:
    for wrong in NONSENSE:
        if wrong == "\0" and (isinstance(field.kind, Text) or "text" in str(field.kind.schema()) or field.kind.late):
            continue  # it is a text; expressions are parsed by the system
        try:
            _make(cls, {field.name: wrong})
        except FreebodyError as error:
            own = str(error).startswith((f"{cls.__name__}.{field.name}", "a custom joint: ", "a joint's map H"))
            assert own or cls is fb.Compound, (wrong, str(error))
        else:
            texts = wrong == "\0" and "string" in str(field.kind.schema())
            limits = isinstance(field.kind, Range) or (isinstance(wrong, dict) and not wrong)
            assert texts or limits, f"{cls.__name__}({field.name}={wrong!r}) is accepted"


def _system() -> fb.System:
    s = fb.System("arm")
    s.parameter("m", 1.0)
    a = s.body("a", joint="revolute", mass="m", inertia=(1, 1, 1))
    s.body("c", on=a, joint="prismatic", mass=1)
    return s


VERBS: dict[str, tuple[Callable[[fb.System], Callable[..., Any]], dict[str, Any]]] = {
    "body": (lambda s: s.body, {"name": "x", "joint": "hinge", "mass": 1, "at": (0, 0, 0), "com": (0, 0, 0),
                                "inertia": (1, 1, 1), "orient": ("x", 0.1), "on": "a", "about": (0, 0, 0),
                                "shape": None}),
    "force": (lambda s: s.force, {"force": 2 * fb.System().ground.x, "at": "a", "reaction": "c"}),
    "torque": (lambda s: s.torque, {"torque": 1, "on": "a", "reaction": "c"}),
    "spring": (lambda s: s.spring, {"start": "a", "end": "ground", "stiffness": 1, "free_length": 1, "damping": 1}),
    "joint_force": (lambda s: s.joint_force, {"body": "a", "value": 1, "speed": ""}),
    "rod": (lambda s: s.rod, {"start": "c", "end": "ground", "length": 1.0}),
    "point_on_plane": (lambda s: s.point_on_plane, {"point": "c", "on": "ground", "normal": "z"}),
    "couple": (lambda s: s.couple, {"body": "c", "to": "a", "ratio": 1, "offset": 0}),
    "gear": (lambda s: s.gear, {"one": "c", "other": "a", "ratio": 1, "offset": 0}),
    "parameter": (lambda s: s.parameter, {"name": "p", "value": 1.0, "unit": "m"}),
    "state": (lambda s: s.state, {"name": "z", "rate": "-z", "initial": 0.0}),
    "output": (lambda s: s.output, {"name": "o", "value": 1}),
}  # fmt: skip
VERB_FIELDS = [(verb, key) for verb, (_, arguments) in VERBS.items() for key in arguments]


@pytest.mark.parametrize(("verb", "key"), VERB_FIELDS, ids=[f"{verb}-{key}" for verb, key in VERB_FIELDS])
def test_verbs_refuse_nonsense_at_once(verb: str, key: str) -> None:
    """What is not refused by the verb can be derived."""
    for wrong in (*NONSENSE, -1.0, (1, 2), None, fb.System("other").ground.x, "nobody"):
        s = _system()
        make, arguments = VERBS[verb]
        if (key, wrong) == ("rate", None):
            continue  # it may be defined later
        if verb == "force":
            arguments = {**arguments, "force": s.ground.x}
        elif verb == "torque":
            arguments = {**arguments, "about": s.ground.x}
        try:
            make(s)(**{**arguments, key: wrong})
        except FreebodyError as error:
            assert len(str(error)) > 20, (wrong, error)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            s.derive()


@pytest.mark.parametrize(("make", "text"), [
    (lambda: fb.Revolute("w"), "Revolute.axis: 'w' is not a direction: use one of x, y, z, -x, -y, -z or three"),
    (lambda: fb.Beam(length=1.0, EI=1.0), "Beam.density: the beam needs a density"),
    (lambda: fb.Beam(length="a", EI=1.0, density=1.0), "Beam.length: a number is needed; 'a' is not declared"),
    (lambda: fb.Revolute(stiffness=nan), "Revolute.stiffness: a finite number or an expression is needed, not the num"),
    (lambda: fb.Prismatic(damping=None), "Prismatic.damping: a finite number or an expression is needed, not nothing"),
    (lambda: fb.Revolute(initial=(1, 2)), "Revolute.initial: a revolute joint has 1 coordinate and needs as many"),
    (lambda: fb.Planar(motion=("t", "t")), "Planar.motion: a planar joint has 3 coordinates and needs as many motions"),
    (lambda: fb.Box(-1, 1, 1), "Box.x: a size cannot be negative; it is -1"),
    (lambda: fb.Box(1, 1, (1, 2)), "Box.z: a finite number or an expression is needed, not (1, 2)"),
    (lambda: fb.Tube(1, 2, 1), "Tube: the inner radius 2 is larger than the outer radius 1"),
    (lambda: fb.Bushing("ground", "a", stiffness=(1, 2)), "Bushing.stiffness: a list of 6 is needed, not of 2"),
    (lambda: _system().body("x", mass=-1), "bodies.x.mass: it is -1.0; it cannot be negative"),
])  # fmt: skip
def test_errors_of_constructors(make: Any, text: str) -> None:
    with pytest.raises(ModelError) as error:
        make()
    assert str(error.value).startswith(text)


@pytest.mark.parametrize(("make", "text"), [
    (lambda: fb.Universal("z", "z"), r"^Universal\.second: it is parallel to the first axis; give two axes that"),
    (lambda: fb.Universal("z", (0, 0, -2)), r"^Universal\.second: it is parallel"),
    (lambda: fb.Revolute("z", friction=-1), r"^Revolute\.friction: it is -1; it cannot be negative"),
    (lambda: fb.Prismatic("z", armature=-0.5), r"^Prismatic\.armature: it is -0\.5; it cannot be negative"),
])  # fmt: skip
def test_joints_that_cannot_be_are_refused(make: Callable[[], Any], text: str) -> None:
    with pytest.raises(ModelError, match=text):
        make()


def test_files_refuse_universal_joints_with_parallel_axes() -> None:
    text = r"bodies\.a\.joint\.second: it is parallel to the first axis"
    with pytest.raises(FreebodyError, match=text):
        loads("bodies: {a: {joint: {type: universal, first: z, second: -z}, mass: 1}}", fb.System)
    with pytest.raises(FreebodyError, match=text):
        loads("bodies: {a: {joint: {type: universal, second: x}, mass: 1}}", fb.System)


def test_springs_without_a_force_are_refused() -> None:
    s = fb.System("arm")
    a = s.body("a", joint=fb.Prismatic("x"), mass=1)
    with pytest.raises(ModelError, match=r"spring\.stiffness: it has neither a stiffness nor a damping, .* give one"):
        s.spring(a, s.ground.point((2, 0, 0)), free_length=1, name="band")
    assert s.spring(a, s.ground.point((2, 0, 0)), damping=1) and s.parameter("k", 0.0) is not None
    s.spring(a, s.ground.point((2, 0, 0)), "k")  # a parameter may be zero


@pytest.mark.parametrize(("unit", "text"), [
    ("foo", "'foo' is not a unit. Units are those of the SI"), ("Newton", r"'Newton' is not a unit. Did you mean N\?"),
    ("N/mm", "1 N/mm = 1000 N/m. Give the value in N/m"), ("m//s", "'m//s' is not a unit"),
])  # fmt: skip
def test_unknown_units_of_declared_names_are_refused(unit: str, text: str) -> None:
    s = fb.System("arm")
    for declare in (lambda: s.parameter("k", 1.0, unit=unit), lambda: s.input("F", unit=unit)):
        with pytest.raises(ModelError, match=text):
            declare()
    s.parameter("k", 1.0, unit="N*m/rad")


def test_gears_of_coupled_wheels_show_the_couplings() -> None:
    s = fb.System("train")
    for name in "abc":
        s.body(name, joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    s.gear("a", "b", 2)
    s.gear("b", "c", 3)
    with pytest.raises(ModelError, match=r"gear between 'a' and 'c': they are coupled already \(a → b → c\);"):
        s.gear("a", "c", 5)
