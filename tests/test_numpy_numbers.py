"""Numbers of NumPy are numbers: whatever accepts a number, True or False also accepts scalars of NumPy and arrays
without axes, and stores the same."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.model import body, flexible, inertia, laws, orientation, shapes, vectors, wheel_pairs
from freebody.model.contact.material import MaterialField
from freebody.model.contact.shape_on_body import ShapeOnBodyField
from freebody.model.element import Element, ElementOf, MemberOf, fields_of
from freebody.model.joints import custom, simple
from freebody.model.joints.base import GraphScope, Joint
from freebody.model.kinds import (
    AxisSequence,
    Boolean,
    Choice,
    Direction,
    FieldKind,
    Integer,
    ListOf,
    MappingOf,
    NameList,
    Number,
    NumberArray,
    OptionalInteger,
    PrescribedMotion,
    Range,
    Scalar,
    Text,
)
from freebody.model.sampled.base import Seconds
from freebody.model.sampled.by_name import ByName, HoldOrGain
from freebody.model.sampled.sensors import JointName, JointVariable
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from tests.test_wrong_types import ELEMENTS, UR5, USES, ready, system, valid

assert ready  # a fixture
TYPES = {bool: (np.bool_, np.array), int: (np.int64, np.uint8, np.array), float: (np.float64, np.float32, np.array)}


def variants(value: Any) -> Iterator[Any]:
    """The value with one of its numbers as a scalar of NumPy or an array without axes; arrays are left as they are."""
    if type(value) is int and value < 0:
        yield from (np.int64(value), np.array(value))
    elif type(value) in TYPES:
        rounded = float(np.float32(value)) != value
        yield from (kind(value) for kind in TYPES[type(value)] if not (rounded and kind is np.float32))
    elif isinstance(value, list | tuple):
        for k, one in enumerate(value):
            yield from (type(value)([*value[:k], other, *value[k + 1 :]]) for other in variants(one))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from ({**value, key: other} for other in variants(one))


def content(value: Any) -> Any:
    """A normal form with the types of its numbers."""
    if isinstance(value, Expr):
        return "expression", value.handle
    if isinstance(value, tuple | list):
        return [content(one) for one in value]
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.tolist()
    if dataclasses.is_dataclass(value):
        return [content(getattr(value, f.name)) for f in dataclasses.fields(value)]
    return type(value), repr(value)


NONE = (
    Text,
    NameList,
    Choice,
    MemberOf,
    ElementOf,
    JointName,
    JointVariable,
    vectors.BodyField,
    vectors.PointField,
    vectors.OutputField,
    laws.Definitions,
    shapes.ShapeField,
    flexible.reduced_body.ReducedFile,
    body.BodyName,
    ShapeOnBodyField,
    MaterialField,
)
"""Kinds of fields without numbers of their own."""
SAMPLES: dict[type[FieldKind], list[Any]] = {
    AxisSequence: [123], Boolean: [True, False], Integer: [3], OptionalInteger: [3], Range: [(0.5, 2)],
    Direction: [(0.5, 2, 0.25)],
    PrescribedMotion: [0.5, (0.5, None)], orientation.Orientation: [("x", 0.5), [((1, 0, 0), 0.5)], np.eye(3).tolist()],
    inertia.Inertia: [(1, 2.0, 2), ((1, 0.0, 0), (0, 1, 0), (0, 0, 1))], shapes.NumberOrList: [0.5],
    shapes.Polygon: [((0, 0), (1, 0), (0, 0.5))], shapes.ColorField: [(0.5, 1, 0)], shapes.Opacity: [0.5, 1],
    body.ModeCount: [3, {"bending y": 3, "frequency": 0.5}], simple.TwistMap: [(1, 0, 0, 0, 0, 0.5)],
    simple.TwistConstraint: [(1, 0, 0, 0, 0, 0.5)],
    custom.TurnList: [[("x", 0.5), ((0, 1, 0), 2)]], vectors.Offset: [(0.5, 1, 0)], vectors.VectorField: [],
    wheel_pairs.OptionalDirection: [(0.5, 2, 0.25)], Seconds: [0.5, 2],
}  # fmt: skip


def samples(kind: FieldKind) -> list[Any]:
    """Values of a kind of field, with the numbers that it can hold."""
    if isinstance(kind, NONE) or type(kind) is FieldKind:
        return []
    if (known := SAMPLES.get(type(kind))) is not None:
        return known
    if isinstance(kind, NumberArray):
        return [np.full((2,) * (kind.ndim or 2), 0.5).tolist(), np.full((2,) * (kind.ndim or 2), 2).tolist()]
    if isinstance(kind, ListOf):
        return [one for x in samples(kind.item) for one in ([[x] * (kind.count or 2)] + [x] * kind.alone)]
    if isinstance(kind, MappingOf | ByName):
        return [{"a": x} for x in samples(kind.item)]
    if isinstance(kind, HoldOrGain):
        return samples(kind.item)
    assert isinstance(kind, Number | Scalar), f"add an example of {type(kind).__name__}"
    return [0.5, 2]


def classes(base: type[Element] = Element) -> Iterator[type[Element]]:
    for one in base.__subclasses__():
        if one.__module__.startswith("freebody.model.") and dataclasses.is_dataclass(one):
            yield one
        yield from classes(one)


def test_every_field_of_every_element_reads_numbers_of_numpy() -> None:
    count = 0
    for element, f in {(c, f.name): (c, f) for c in classes() for f in fields_of(c) if not f.derived}.values():
        for value in samples(f.kind):
            scope = GraphScope(Graph())
            expected = content(f.kind.read(value, scope))
            for other in variants(value):
                count += 1
                assert content(f.kind.read(other, scope)) == expected, (element, f.name, other)
    assert count > 4000


CALLS = [(name, key) for name, (_, arguments) in valid(system()).items() for key in arguments]


@pytest.mark.parametrize(("name", "key"), CALLS, ids=[f"{name}-{key}" for name, key in CALLS])
def test_systems_from_numbers_of_numpy_are_the_same(name: str, key: str, tmp_path: Path) -> None:
    def described(change: Any) -> fb.System:
        s = system()
        call, arguments = valid(s)[name]
        made = call(**{**arguments, key: change(arguments[key])})
        return made if isinstance(made, fb.System) else s

    for k, _ in enumerate(variants(valid(system())[name][1][key])):
        one, other = described(lambda value: value), described(lambda value, k=k: list(variants(value))[k])
        assert one.to_yaml() == other.to_yaml() and one.digest() == other.digest()
        other.save(tmp_path / "s.yaml")
        assert fb.load(tmp_path / "s.yaml").digest() == one.digest()


def test_joints_shapes_and_solids_take_numbers_of_numpy() -> None:
    for name, arguments in ELEMENTS.items():
        make = getattr(fb, name)

        def saved(changed: dict[str, Any], make: Any = make) -> str:
            made = make(**changed)
            slot = "inertia" if isinstance(made, tuple) else "joint" if isinstance(made, Joint) else "shape"
            s = fb.System()
            s.body("x", **{"mass": 1, "joint": "hinge", "inertia": (1, 1, 1), slot: made})
            return s.to_yaml()

        expected = saved(arguments)
        for key, value in arguments.items():
            for other in variants(value):
                assert saved({**arguments, key: other}) == expected, (name, key, other)


@pytest.mark.parametrize("name", [name for name in USES if name not in ("to_c", "plot", "layout")])
def test_functions_that_use_a_system_take_numbers_of_numpy(ready: Any, name: str) -> None:
    call, arguments = USES[name]
    for key, value in arguments.items():
        for other in variants(value):
            call(ready)(**{**arguments, key: other})


def test_a_system_of_numpy_numbers_throughout_is_that_of_python(tmp_path: Path) -> None:
    """Gravity, flexible bodies, modes, couplings, tables, switches, and a robot's options."""

    def build(f: Any, i: Any, b: Any) -> fb.System:
        s = fb.System("g", gravity=(f(0.5), i(0), f(-9.75)))
        m = s.parameter("m", f(2.0))
        arm = s.body(
            "arm",
            joint=fb.Revolute("y", initial=f(0.5), limits=(f(-2.0), f(2.0)), damping=f(0.25)),
            mass=m,
            com=(0, 0, f(-0.5)),
            inertia=(i(1), f(1.0), i(1)),
            physical=b(True),
        )
        beam = fb.Beam(length=f(1.0), EI=(f(8.0), None), density=f(1.0), nodes={"a": f(0.5)}, damping=f(0.25))
        boom = s.body("boom", on=arm, flexible=beam, modes=i(2), quasi_static=f(100.0))
        gear = s.body("gear", joint=fb.Revolute("y"), inertia=(1, i(1), 1))
        s.couple(gear, arm, ratio=f(-2.0), offset=i(1))
        ends = gear.point((i(0), f(0.0), 0)), s.ground.point((0, 0, i(0)))
        s.close(*ends, fb.Spherical(), name="pin", engaged=b(False))
        s.output("strain", s.strain(boom, f(0.25), (f(0.5), f(0.0))))
        s.output("y", fb.lookup(fb.table("w", [f(0.0), i(1)], [i(0), f(0.5)]), s.t))
        s.save(tmp_path / "s.yaml")
        assert fb.load(tmp_path / "s.yaml").digest() == s.digest()
        return s

    expected = build(float, int, bool)
    for f, i in ((np.float64, np.int64), (np.float32, np.int16), (np.longdouble, np.uint8), (np.array, np.array)):
        s = build(f, i, np.array if f is np.array else np.bool_)
        assert s.to_yaml() == expected.to_yaml() and s.digest() == expected.digest()
    urdf = {"floating": np.bool_(True), "dynamics": np.array(True), "physical": np.bool_(True), "snap": np.array(0.0)}
    assert fb.load(UR5, **urdf).digest() == fb.load(UR5, floating=True).digest()
    options = {"step": np.float32(0.0625), "rtol": np.array(1e-6), "max_steps": np.int64(9)}
    run = expected.simulate(np.array(0.125), method="rk4", **options)
    assert run.success and run.t[-1] == 0.125
