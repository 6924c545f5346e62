"""Names of the first release: files and Python show the current name for each, and no old name is in use."""

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import freebody as fb
from freebody.errors import FILE_WORDS, RENAMED, FileError
from freebody.io import loads
from freebody.io.format import json_schema
from freebody.model.body import BodySpec, Coupling
from freebody.model.element import Element, fields_of
from freebody.model.joints import JOINTS
from freebody.model.loads import LOADS
from freebody.scalar.parse import FUNCTIONS

ARM = "bodies:\n  arm: {joint: hinge, mass: 1, inertia: [1, 1, 1]}\n  hand: {on: arm, joint: hinge, mass: 1"
HAND = ARM + ", inertia: [1, 1, 1]}\n"
OLD = {
    "tie": (ARM + ", tie: arm}\n", "bodies.hand.tie", "'tie' is now 'couple'"),
    "effort of a load": (HAND + "loads: {a: {effort: {on: arm, value: 1}}}", "loads.a.effort",
                         "'effort' is now 'joint_force'"),
    "effort of a reaction": (HAND + "outputs: {a: 2*reaction.arm.effort}", "outputs.a",
                             "'reaction.arm.effort' is now 'reaction.arm.drive_force'"),
    "line": (HAND + "loads: [{line: {from: ground, to: arm, law: length}}]", "loads[0].line",
             "'line' is now 'force_between'"),
    "length": (HAND + "loads: {a: {spring: {from: ground, to: arm, length: 1}}}", "loads.a.spring.length",
               "'length' is now 'free_length'"),
    "minimum": (HAND + "outputs: {a: 'minimum(q.arm, 1)'}", "outputs.a", "'minimum' is now 'min'"),
    "maximum": (HAND + "outputs: {a: 'maximum(q.arm, 1)'}", "outputs.a", "'maximum' is now 'max'"),
}  # fmt: skip


@pytest.mark.parametrize("old", OLD)
def test_old_names_in_files_are_refused_with_the_new_one(old: str) -> None:
    text, key, hint = OLD[old]
    with pytest.raises(FileError) as error:
        loads(text, fb.System)
    assert error.value.key == key and hint in error.value.message and error.value.line >= 3


def test_every_name_of_the_table_is_tested() -> None:
    assert {name.split()[0] for name in OLD} == set(FILE_WORDS)


def test_files_of_format_1_are_refused_with_all_new_names() -> None:
    text = "freebody: 1\n" + ARM + ", tie: arm}\nloads:\n  a: {effort: {on: arm, value: 1}}\n"
    with pytest.raises(FileError) as error:
        loads(text, fb.System)
    shown = str(error.value)
    assert (error.value.line, error.value.key) == (1, "freebody") and "write 3 here" in shown
    assert all(f"'{old}' is now {' or '.join(map(repr, new))}" in shown for old, new in FILE_WORDS.items())
    assert "also line 4: bodies.hand.tie:" in shown and "also line 6: loads.a.effort:" in shown
    repaired = text.replace("freebody: 1", "freebody: 3").replace("tie:", "couple:").replace("effort:", "joint_force:")
    assert loads(repaired, fb.System).derive().u == ("arm",)


def test_unknown_names_get_no_such_hint() -> None:
    with pytest.raises(FileError) as error:
        loads(HAND + "loads: {a: {efort: {on: arm, value: 1}}}", fb.System)
    assert "is now" not in str(error.value)


@pytest.mark.parametrize(("name", "new"), [("tie", "couple"), ("effort", "joint_force"), ("line", "force_between")])
def test_systems_show_the_new_name(name: str, new: str) -> None:
    with pytest.raises(AttributeError, match=f"'System' object has no attribute '{name}'. '{name}' is now '{new}'"):
        getattr(fb.System(), name)
    assert not hasattr(fb.System(), name) and callable(getattr(fb.System, new))


@pytest.mark.parametrize(("name", "new"), [("explicit", "matrices"), ("closed", "closed_form")])
def test_equations_show_the_new_name(name: str, new: str) -> None:
    s = fb.System()
    s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1))
    with pytest.raises(AttributeError, match=f"'Equations' object has no attribute '{name}'. '{name}' is now '{new}'"):
        getattr(s.derive(), name)
    assert callable(getattr(fb.Equations, new))


@pytest.mark.parametrize(
    ("name", "new"), [("minimum", "min"), ("maximum", "max"), ("Explicit", "MatrixEquations")]
)  # fmt: skip
def test_module_shows_the_new_name(name: str, new: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'freebody' has no attribute '{name}'. '{name}' is now '{new}'"):
        getattr(fb, name)
    assert callable(getattr(fb, new))


def test_other_missing_attributes_raise_as_usual() -> None:
    with pytest.raises(
        AttributeError, match=r"no attribute 'joint_forse'\. Did you mean joint_force or joint_stop\?$"
    ) as error:
        getattr(fb.System(), "joint_forse")  # noqa: B009
    assert (error.value.name, type(error.value.obj)) == ("joint_forse", fb.System)


def words(values: Any) -> Iterator[str]:
    """All keys and all strings of lists in a schema; descriptions are excluded."""
    if isinstance(values, dict):
        for key, value in values.items():
            yield key
            yield from () if key == "description" else words(value)
    elif isinstance(values, list):
        for value in values:
            yield from (value,) if isinstance(value, str) else words(value)


def parameters(cls: type) -> Iterator[str]:
    for name, method in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("_"):
            yield from inspect.signature(method).parameters


def test_no_old_name_is_in_the_public_interface() -> None:
    """`line` and `length` are ordinary words: `line` is not a load, and a spring has no `length`."""
    old = set(RENAMED) - {"length"}
    classes = (fb.System, fb.Equations, fb.Compiled, fb.Trajectory, fb.Event)
    public = {*dir(fb), *(name for cls in classes for name in (*dir(cls), *parameters(cls)))}
    assert not public & old, public & old
    elements: list[type[Element]] = [*JOINTS.values(), *LOADS.values(), BodySpec, Coupling]
    spelled = {name for cls in elements for f in fields_of(cls) for name in (cls.kind, cls.__name__, f.name, f.key)}
    assert not spelled & old, spelled & old
    assert not set(words(json.loads(json_schema()))) & old and not set(FUNCTIONS) & old
    spring = LOADS["spring"]
    assert "length" not in {name for f in fields_of(spring) for name in (f.name, f.key)}
    assert "length" not in inspect.signature(fb.System.spring).parameters
    assert not re.search(r"\b(effort|tied?|ties)\b", json_schema())


def test_the_error_of_a_property_is_its_own() -> None:
    class Broken(fb.System):
        @property
        def ratio(self) -> Any:
            nothing: Any = None
            return nothing.size

    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'size'"):
        _ = Broken("broken").ratio
