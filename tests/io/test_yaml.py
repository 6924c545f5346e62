"""Model files: their meaning, and round trips of random_systems."""

import json
import math
import os
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError, FreebodyError, ModelError
from freebody.io import dumps, json_schema, limits, loads, loads_urdf, read
from freebody.io.reference import elements_page
from freebody.io.yaml_lines import compose
from freebody.model.blocks import BLOCKS, SignalBlock
from freebody.model.constraints import CONSTRAINTS, Constraint
from freebody.model.element import fields_of
from freebody.model.joints import JOINTS
from freebody.model.loads import LOADS, Load
from freebody.scalar.functions import Table
from tests.io import python_models, random_systems
from tests.io.python_models import pendulum

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "examples" / "models"


def again(s: Any) -> fb.System:
    """The system after writing and reading."""
    return loads(dumps(s), fb.System)


def same(s: Any) -> str:
    """The system's text, after checking that its round trip gives the same system."""
    text = dumps(s)
    assert loads(text, fb.System).digest() == s.digest(), text
    return text


# Meaning of files


def twin(name: str) -> fb.System:
    if name == "satellite":
        sys.path.insert(0, str(ROOT / "examples"))
        import satellite

        return satellite.system()  # type: ignore[no-any-return]
    return getattr(python_models, name)()  # type: ignore[no-any-return]


def test_accelerations_and_reactions_are_read_and_written() -> None:
    """In vectors, texts and definitions, also of bodies whose names cannot be written in texts."""
    s = loads(
        """
bodies:
  left arm: {joint: {type: hinge, axis: y}, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}
  hand: {on: left arm, joint: {type: hinge, axis: x, motion: sin(t)}, at: [0, 0, -1], mass: 1, com: [0, 0, -1]}
definitions:
  swing: {symbol: u_dot.left arm}
  twice: 2*swing + u_dot.hand
outputs:
  a: {acceleration: {body: hand, at: [0, 0, -1]}}
  alpha: {angular acceleration: hand}
  force: {reaction force: left arm}
  torque: [{reaction torque: hand}, {in: ground, xyz: [twice, 0, reaction.hand.force.z]}]
  size: {norm: {acceleration: hand}}
  sum: twice + reaction.hand.drive_force
""",
        fb.System,
    )
    twin = loads(same(s), fb.System)
    at: Any = [0.3], [0.7], 0.4
    f, g = (one.derive().compile("numpy") for one in (s, twin))
    found, again = f.outputs(*at), g.outputs(*at)
    assert found.keys() == again.keys() and all(np.array_equal(found[k], again[k]) for k in found)
    rate = f.forward_dynamics(*at[:2], t=at[2])
    passed = f.reactions(*at[:2], rate, at[2])
    assert np.isclose(found["sum"], 2 * rate[0] - np.sin(0.4) + passed["hand.drive_force"][0])
    assert np.allclose(found["a"], f.spatial_acceleration(*at[:2], rate, "hand", (0, 0, -1), t=at[2])[3:])
    assert np.allclose(found["alpha"], f.spatial_acceleration(*at[:2], rate, "hand", t=at[2])[:3])


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.yaml")), ids=lambda p: p.stem)
def test_examples_match_their_python_models(path: Path) -> None:
    found, wanted = read(path, fb.System), twin(path.stem)
    assert found.digest() == wanted.digest()
    f, g = (s.derive().compile("numpy") for s in (found, wanted))
    rng, eq = np.random.default_rng(1), f.equations
    q, u, inputs = rng.uniform(0.3, 1, len(eq.q)), rng.normal(size=len(eq.u)), rng.normal(size=len(found.inputs))
    wanted_rate = g.forward_dynamics(q, u, t=0.4, inputs=inputs)
    assert np.isfinite(wanted_rate).all()
    assert np.allclose(f.forward_dynamics(q, u, t=0.4, inputs=inputs), wanted_rate, rtol=1e-12)
    outputs = f.outputs(q, u, inputs=inputs) if found.outputs else {}
    assert all(np.allclose(x, g.outputs(q, u, inputs=inputs)[name], rtol=1e-12) for name, x in outputs.items())


MODULES = "freebody.model.loads", "freebody.model.constraints", "freebody.model.blocks"


def most_special(base: type) -> set[type]:
    """The subclasses of a class that have none themselves."""
    return set().union(*(most_special(cls) or {cls} for cls in base.__subclasses__()))


def test_format_has_every_option_of_every_joint_load_and_constraint() -> None:
    for joint in JOINTS.values():
        assert [f.name for f in fields_of(joint)] == [f.name for f in fields(joint)], joint
    for base, family in ((Load, LOADS), (Constraint, CONSTRAINTS), (SignalBlock, BLOCKS)):
        known = {cls for cls in most_special(base) if cls.__module__.startswith(MODULES)}  # not those of live views
        assert known == set(family.values())


def test_one_example_has_every_joint_load_and_block() -> None:
    s = read(MODELS / "everything.yaml", fb.System)
    text = (MODELS / "everything.yaml").read_text()
    joints = {b.spec.joint.kind for b in s.bodies.values() if b.spec is not None}
    assert joints | {"universal"} == set(JOINTS) and "cardan" in text
    assert {block.kind for block in s.blocks.values()} == set(BLOCKS)
    words = "force", "torque", "force_between", "spring", "joint_force", "tables", "states"
    assert all(f"{word}:" in text for word in words)


def test_documented_file_and_limits() -> None:
    docs = (ROOT / "docs" / "model-files.md").read_text()
    example = re.search(r"```yaml\n(.*?)```", docs, re.DOTALL)
    assert example is not None
    s = loads(example.group(1), fb.System)
    assert np.isfinite(s.derive().compile("numpy").forward_dynamics([1.0, 0.2], [0.1, 0.0])).all()
    table = docs[docs.index("## Limits") :]
    for name in ("SIZE", "LINES", "DEPTH", "NODES", "WIDTH", "BODIES", "NAME", "TEXT", "DIGITS"):
        assert re.search(rf"\| {getattr(limits, name)}( bytes)? \|", table), name


def test_references_of_the_schema_exist() -> None:
    schema = json_schema()
    used = set(re.findall(r'"\$ref": "#/\$defs/([^"]*)"', schema))
    assert used == set(json.loads(schema)["$defs"]) and not any(" " in name for name in used)


def test_published_schema_is_current() -> None:
    path = ROOT / "docs" / "model.schema.json"
    if os.environ.get("FREEBODY_UPDATE"):
        path.write_text(json_schema())
    assert json.loads(path.read_text()) == json.loads(json_schema())


TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool,
    "null": type(None),
}  # fmt: skip


def fits(value: Any, form: dict[str, Any], defs: dict[str, Any]) -> bool:
    """Whether a value satisfies a JSON schema, for the keywords that the format's schema uses."""
    known = {
        "$schema",
        "$ref",
        "$defs",
        "title",
        "description",
        "type",
        "anyOf",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "minProperties",
        "maxProperties",
        "items",
        "minItems",
        "maxItems",
    }
    assert {*form} <= known, form
    if "$ref" in form and not fits(value, defs[form["$ref"].removeprefix("#/$defs/")], defs):
        return False
    words = form.get("type", [])
    types = [TYPES[word] for word in ([words] if isinstance(words, str) else words)]
    if types and not any(isinstance(value, kind) and isinstance(value, bool) == (kind is bool) for kind in types):
        return False
    if "anyOf" in form and not any(fits(value, one, defs) for one in form["anyOf"]):
        return False
    if value not in form.get("enum", [value]) or value != form.get("const", value):
        return False
    if isinstance(value, dict):
        keys, others = form.get("properties", {}), form.get("additionalProperties", {})
        if not {*form.get("required", [])} <= {*value} or (others is False and not {*value} <= {*keys}):
            return False
        if not form.get("minProperties", 0) <= len(value) <= form.get("maxProperties", len(value)):
            return False
        return all(fits(one, keys.get(key, others), defs) for key, one in value.items())
    if isinstance(value, list):
        right = form.get("minItems", 0) <= len(value) <= form.get("maxItems", len(value))
        return right and all(fits(one, form.get("items", {}), defs) for one in value)
    return True


def test_schema_matches_files_read_and_written() -> None:
    schema = json.loads(json_schema())
    paths = sorted(MODELS.glob("*.yaml"))
    texts = [path.read_text() for path in paths]
    texts += [dumps(read(path, fb.System)) for path in paths]
    texts += [dumps(random_systems.decorated(seed)[1]) for seed in range(4)]
    texts += ["inputs: [a, b]", "parameters:", "bodies: {a: }"]
    texts += ["loads: [{force: {vector: ground.x, at: ground, name: f}}]"]
    texts += [
        f"bodies: {{a: {{}}}}\nconstraints: [{one}]"
        for one in (
            "close: {from: a, to: ground, joint: revolute, name: pin}",
            "expression: t",
            "expression: [t, 2*t]",
            "expression: {value: t, name: clock}",
        )
    ]
    for text in texts:
        loads(text, fb.System, folder=MODELS)
        assert fits(compose(text, "m.yaml").plain(), schema, schema["$defs"]), text
    for text in (
        "bodies: {a: {mas: 1}}",
        "bodies: {a: {com: [1, 2]}}",
        "freebody: 1",
        "bodies: {a: {joint: revolut}}",
        "tables: {f: {x: [1], y: [1], method: cubc}}",
        "loads: {a: {force: {vector: ground.x}}}",
        "constraints: {a: {close: {from: ground}}}",
        "constraints: {a: {expression: t, unit: m}}",
        "constraints: {a: {expression: {value: t, name: b}}}",
    ):
        assert not fits(compose(text, "m.yaml").plain(), schema, schema["$defs"]), text


def test_published_page_of_elements_is_current() -> None:
    path = ROOT / "docs" / "elements.md"
    if os.environ.get("FREEBODY_UPDATE"):
        path.write_text(elements_page())
    assert path.read_text() == elements_page()


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e3", 1000.0), ("1E-3", 1e-3), (".5", 0.5), ("5.", 5.0), ("+2", 2), ("-0.0", -0.0), ("1/3", 1 / 3),
     ("pi", math.pi),     ("'2'", 2), ('"1 + 1"', 2), ("0", 0), ("1e-400", 0.0)],
)  # fmt: skip
def test_forms_of_numbers(text: str, value: float) -> None:
    s = loads(f"outputs: {{a: {text}}}", fb.System)
    assert float(s.outputs["a"].value) == value
    assert math.copysign(1, float(s.outputs["a"].value)) == math.copysign(1, value)


def test_yaml_1_1_booleans_are_names() -> None:
    text = "parameters: {on: 1, yes: 2, no: 3, off: 4, y: 5, n: 6}\noutputs: {a: on + yes + no + off + y + n}"
    s = loads(text, fb.System)
    assert s.values == {"on": 1, "yes": 2, "no": 3, "off": 4, "y": 5, "n": 6}


def test_definitions_may_use_bodies_and_bodies_definitions() -> None:
    text = """
    definitions: {a: l/2, b: 3*a + l, c: b*q.arm, d: c*u.arm}
    parameters: {l: 2}
    bodies: {arm: {joint: hinge, mass: b, com: [a, 0, 0], inertia: [a, a, a]}}
    outputs: {e: d - c}
    """
    s, wanted = loads(text, fb.System), fb.System()
    (l,) = wanted.parameters(l=2)
    a = l / 2
    b = 3 * a + l
    arm = wanted.body("arm", joint="revolute", mass=b, com=(a, 0, 0), inertia=(a, a, a))
    c = b * arm.q[0]
    wanted.output("e", c * arm.u[0] - c)
    assert s.digest() == wanted.digest()


def test_texts_may_use_coordinates_of_later_bodies() -> None:
    s = loads(
        """
    bodies:
      a: {joint: {type: hinge, damping: 1 + q.b**2}, mass: 1, inertia: [1, 1, 1]}
      b: {on: a, joint: {type: slider, stiffness: 2*u.a**2}, mass: 1}
    """,
        fb.System,
    )
    assert str(s.bodies["a"].spec.joint.damping) == "1 + q.b**2"
    rate = s.derive().compile("numpy").forward_dynamics([0.0, 2.0], [3.0, 0.0])
    assert np.isclose(rate[0], -(1 + 2.0**2) * 3.0)
    same(s)


def test_long_chains_of_definitions_need_no_recursion() -> None:
    lines = "".join(f"  d{k}: d{k - 1} + t\n" for k in range(1, 4000))
    s = loads(f"definitions:\n  d0: 0\n{lines}outputs: {{sum: d3999}}", fb.System)
    assert float(s.outputs["sum"].value.subs({s.t: 2})) == 2 * 3999


def test_solids_with_another_mass_and_frames_before_a_body() -> None:
    s = loads(
        """
    bodies:
      a: {mass: 2, inertia: {sphere: {radius: 0.5, mass: 5}}}
      b: {joint: {type: ball, sequence: 313}, orient: {axis: y, angle: 0.3}, mass: 1, inertia: [1, 1, 1]}
    outputs: {x: {in: b@1, xyz: [1, 0, 0]}, y: {in: b@2, xyz: [0, 1, 0]}, z: {in: b@3, xyz: [0, 0, 1]}}
    """,
        fb.System,
    )
    spec, b = s.bodies["a"].spec, s.bodies["b"]
    assert spec is not None and float(spec.inertia[0][0]) == 2 * 5 * 0.25 / 5
    frames = [b.frame.parent, b.frame.parent.parent, b.frame.parent.parent.parent]  # type: ignore[union-attr]
    units = [next(iter(s.placed.vector(s.outputs[k].value).parts)) for k in "xyz"]
    assert [f.axis_of(u) for f, u in zip(frames, units, strict=True)] == [(0, 1), (1, 1), (2, 1)]  # type: ignore[union-attr]


# Round trips


@pytest.mark.parametrize("seed", range(10))
def test_round_trip_of_random_systems(seed: int) -> None:
    tree, s = random_systems.decorated(seed)
    text = same(s)
    back = loads(text, fb.System)
    assert [*back.constraints] == [*s.constraints] and len(s.constraints) >= 2
    if seed in (0, 5):
        one, other = (random_systems.forward(x, tree, 0.2) for x in (back, s))
        assert np.allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("size", [5, 15, 40, 120])
def test_round_trip_of_random_expressions(size: int) -> None:
    for seed in range(15):
        try:
            same(random_systems.formulas(1000 * size + seed, size))
        except FileError as error:
            assert "a power is beyond" in str(error)


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_round_trip_of_robots(name: str) -> None:
    sys.path.insert(0, str(ROOT / "examples" / "robots"))
    s = __import__(name).system()
    same(s)
    q, u = np.random.default_rng(0).normal(size=(2, len(s.bodies)))
    found = [x.derive().compile("numpy").forward_dynamics(q, u) for x in (s, again(s))]
    assert np.array_equal(*found)


def test_shared_subexpressions_are_written_once() -> None:
    """Inlined, the first would have 3²⁰⁰ terms; the second is a sum of 2300 terms, the third has 300 nested
    functions."""
    s = pendulum()
    q, u, y, z = s.bodies["arm"].q[0], s.bodies["arm"].u[0], s.scalar(0, ""), s.t
    x = q
    for _ in range(200):
        x = fb.sin(x) * x + "c" * x
    for k in range(2300):
        y = y + fb.cos(k * q)
    for _ in range(300):
        z = fb.tanh(z) + u
    for name, value in (("x", x), ("y", y), ("z", z)):
        s.output(name, value)
    s.force_between(s.bodies["arm"].origin, s.ground.point((1, 0, 0)), lambda d, r: _nested(d, r, 100), "rope")
    text = same(s)
    assert len(text) < 300_000 and max(map(len, text.splitlines())) < 150


def _nested(d: Any, r: Any, count: int) -> Any:
    x = d
    for _ in range(count):
        x = fb.sin(x) * x + r
    return x


@pytest.mark.parametrize("name", [
    "left arm", "6dof", "link-1", "null", "1e3", "~", "on", "- a", "a: b", "#x", "[x]", "ä", "a@2", "lambda", "it's",
    '"', "n" * 190, "*x", "&x", "!x", "%x", "a.b.c", "yoke", ",", "?", "definitions", "😀", " a",
])  # fmt: skip
def test_round_trip_of_any_name(name: str) -> None:
    s = fb.System(name)
    body = s.body(name, joint=fb.Universal("x", (0, 1, 1)), mass=1, com=(0, 0, 1))
    tail = s.body(f"{name}@1", on=body, joint=fb.Revolute((1, 1, 0)), mass=1, com=(0, 0, 1))
    s.body("tail", on=tail, joint=fb.Spherical("313"), mass=1, inertia=(1, 1, 1))
    s.joint_force(body, body.q[0] * tail.u[0], "a2", name=f"{name} drive")
    s.joint_force(body, 3, "a1", name=f"{name} other")
    s.force(type(tail.x)(s.graph, {tail.frame.parent.basis[0][1]: s.graph.one}), at=tail, name=f"{name} force")  # type: ignore[union-attr]
    s.output(f"{name} output", body.q[0])
    s.body(f"{name}@1@1", on=s.bodies[name])
    same(s)


def test_round_trip_of_parameters_that_texts_cannot_contain() -> None:
    s = fb.System()
    names = ("length", "rate", "d1", "µ", "μ", "motor.k", "ﬁ")
    made = {n: s.parameter(n, 2.0, "kg/m²", f"parameter {n}:\n\ttwo\u00a0lines") for n in names}
    long = sum(fb.sin(x * k) for k, x in enumerate(made.values()))
    s.output("one", long)
    s.output("two", long**2)
    s.force_between(s.ground.origin, s.ground.point((1, 0, 0)), lambda d, r: made["length"] * d + made["rate"] * r * d)
    text = same(s)
    assert "{symbol: length}" in text


def test_round_trip_of_two_tables_with_one_name() -> None:
    s = pendulum()
    q = s.bodies["arm"].q[0]
    first, second = fb.table("curve", [0, 1], [0, 1]), fb.table("curve", [0, 1, 2], [0, 2, 3], "cubic", "hold")
    odd = Table("sin", (0,), (0, 0), ((-0.0,), (1,)))  # type: ignore[arg-type]
    s.output("a", fb.lookup(first, q) + fb.lookup(second, q) * fb.lookup(odd, q) + fb.sin(q))
    s.output("b", fb.lookup(first.derivative, q) + fb.lookup(second.derivative.derivative, q))
    text = same(s)
    assert text.count("name: curve") >= 1 and "method: cubic" in text and "coefficients:" in text


def test_numbers_stay_exact() -> None:
    s = fb.System(gravity=(0.0, "1/3", -0.0))
    s.body("a", mass="1/3", com=(0, 0.0, -0.0), at=(1e-5, 1e300, 2**70), inertia=("2/7", "2/7", "3/7"))
    s.output("numbers", "1/3 + t*2.0 + t*2")
    s.output("large", 9007199254740993)
    text = same(s)
    assert "9007199254740993" in text
    assert "1/3" in text and "[0, 0.0, -0.0]" in text and "1.0e-05" in text


ODD = [
    10**50, -(10**45), Fraction(10**40, 3), Fraction(3, 10**40), 2**63, 2**63 - 1, -(2**63), 12345678901234567890123,
    1e300, 5e-324, -0.0, 1e22, 0.1, np.float32(0.1), np.int64(7), np.uint64(2**64 - 1), True,
]  # fmt: skip
"""Numbers whose exact form has many digits, or that change on the way through another type."""
PLACES: dict[str, Callable[[fb.System, Any], Any]] = {
    "gravity": lambda s, x: setattr(s, "gravity", (0, x, 0)),
    "parameter": lambda s, x: s.parameter("p", x),
    "state": lambda s, x: s.state("z", x, x),
    "mass": lambda s, x: s.body("b", mass=abs(x)),
    "com": lambda s, x: s.body("b", mass=1, com=(0, x, 1)),
    "at": lambda s, x: s.body("b", at=(x, 0, 1)),
    "inertia": lambda s, x: s.body("b", inertia=(abs(x),) * 3),
    "angle": lambda s, x: s.body("b", orient=("x", x)),
    "axis": lambda s, x: s.body("b", joint=fb.Revolute((1, x, 0))),
    "map": lambda s, x: s.body("b", joint=fb.Simple((1, 0, 0, x, 0, 0))),
    "maps": lambda s, x: s.body("b", joint=fb.Simple([[1, 0], [0, 0], [0, 0], [x, 2], [0, 0], [0, 0]])),
    "part": lambda s, x: s.body("b", joint=fb.Compound((0, 0, 1, 0, 0, x), fb.Prismatic("x"))),
    "law": lambda s, x: s.body("b", joint=fb.Custom(coordinates=["s"], position=(x, "s", x))),
    "pitch": lambda s, x: s.body("b", joint=fb.Screw("x", x)),
    "couple": lambda s, x: s.couple("arm", "leader", x, x),
    "ends": lambda s, x: s.body("b", joint=fb.Revolute("x", limits=(x, None), initial=x)),
    "option": lambda s, x: s.body("b", joint=fb.Revolute("x", stiffness=x, rest=x, damping=x, friction=x, armature=x)),
    "motion": lambda s, x: s.body("b", joint=fb.Revolute("x", motion=x)),
    "shape": lambda s, x: s.body("b", shape=fb.Mesh("f", x, (x, 0, 0), (0, x, 0))),
    "table": lambda s, x: s.output("o", fb.lookup(fb.table("c", [0, 1], [x, 2]), s.t)),
    "force": lambda s, x: s.force(s.ground.x * x, s.ground.point((0, x, 0))),
    "joint_force": lambda s, x: s.joint_force(s.bodies["arm"], x),
    "spring": lambda s, x: s.spring(s.bodies["arm"].origin, s.ground.point((x, 1, 2)), x, x, x),
    "output": lambda s, x: s.output("o", x),
}


@pytest.mark.parametrize("place", PLACES)
def test_round_trip_of_any_number_in_any_field(place: str) -> None:
    refused = 0
    for number in ODD:
        s = pendulum()
        s.body("leader", joint="revolute", mass=1, com=(1, 0, 0))
        try:
            PLACES[place](s, number)
        except FreebodyError:
            refused += 1
        else:
            same(s)
    assert refused <= len(ODD) // 4


def test_round_trip_of_robots_with_impossible_inertias() -> None:
    """Also on fixed joints; possible inertias are written without the option."""
    inertial = '<mass value="1"/><inertia ixx="{}" ixy="0" ixz="0" iyy="1" iyz="0.1" izz="{}"/>'
    links = "".join(
        f'<link name="{n}"><inertial>{inertial.format(*J)}</inertial></link>'
        for n, J in zip("abc", ((1, 5), (-1, 1), (1, 1)), strict=True)
    )
    ends = (("a", "b", "revolute"), ("b", "c", "fixed"))
    joints = "".join(
        f'<joint name="{c}" type="{k}"><parent link="{p}"/><child link="{c}"/></joint>' for p, c, k in ends
    )
    s, _ = loads_urdf(f'<robot name="r">{links}{joints}</robot>', fb.System, floating=True, physical=False)
    text = same(s)
    assert text.count("physical: false") == 2
    q, u = np.random.default_rng(0).normal(size=(2, 8))
    f, g = (x.derive().compile("numpy") for x in (s, again(s)))
    assert np.array_equal(f.inverse_dynamics(q, u[:7], u[:7]), g.inverse_dynamics(q, u[:7], u[:7]))
    with pytest.raises(FileError, match=r"bodies\.a\.inertia: principal moments .* break the triangle"):
        loads(text.replace("    physical: false\n", ""), fb.System)


# Constraints

CLOSING: dict[str, Callable[[], Any]] = {
    "weld": fb.Weld,
    "revolute": lambda: fb.Revolute((1, "l", 0)),
    "prismatic": lambda: fb.Prismatic("-y"),
    "screw": lambda: fb.Screw("x", "l/10"),
    "cylindrical": lambda: fb.Cylindrical((0, 1, 1)),
    "universal": lambda: fb.Universal("z", (1, 0, "c")),
    "spherical": lambda: fb.Spherical("313"),
    "planar": lambda: fb.Planar("x"),
    "free": fb.Free,
    "building block": lambda: fb.BuildingBlock(("z", (1, 0, 1)), (2,), "y", "x"),
    "simple": lambda: fb.Simple((1, 0, 0, "l", 0, 0)),
    "compound": lambda: fb.Compound((0, 0, 1, 0, 0, "l"), fb.Prismatic("x")),
    "custom": lambda: fb.Custom(("2*s", "l*sin(s)", 0), [("z", "s**2")]),
}
"""A joint of each kind that closes a loop."""


@pytest.mark.parametrize("kind", JOINTS)
def test_round_trip_of_loops_closed_by_every_joint(kind: str) -> None:
    s = pendulum()
    arm = s.bodies["arm"]
    tip = s.body("tip", on=arm, at=(0, 0, "-l"), joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    s.close(tip, s.ground.point((1, "l", 0)), CLOSING[kind](), name="plain")
    s.close(tip.point(("c", 0, 0.5)), arm.centre, CLOSING[kind](), ("x", "c"), [("y", 0.3), ("z", "l")], "turned")
    s.close("arm", tip.point((0, 0.1, "l")), CLOSING[kind](), orient_to=("x", 1))
    for group, suffixes in (("q", CLOSING[kind]().coordinates), ("u", CLOSING[kind]().speeds)):
        for suffix in suffixes or ():
            s.output(f"{group}_{suffix}", ".".join(part for part in (group, "turned", suffix) if part))
    text = same(s)
    assert not CLOSING[kind]().coordinates or "q.turned" in text
    found = loads(text, fb.System).constraints
    assert [*found] == ["plain", "turned", "close1"] and all(c.joint.kind == kind for c in found.values())


def test_constraints_of_a_file_are_those_of_python() -> None:
    """In both forms of the section, with expressions of coordinates, speeds, definitions and time."""
    start = """
    parameters: {l: 2}
    definitions: {a: q.arm - sin(t)}
    bodies:
      arm: {joint: hinge, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}
      leg: {on: arm, joint: hinge, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}
    """
    by_name = """constraints:
      pin: {close: {from: {body: leg, at: [l, 0, 0]}, to: ground, joint: {type: hinge, axis: [0, 1, l]},
                    orient_to: {axis: x, angle: 0.1}}}
      clock: {expression: a*q.leg}
      both: {expression: {value: [u.arm - l*u.leg, u.leg + t], unit: rad/s}}
    """
    in_a_list = """constraints:
      - close: {from: {body: leg, at: [l, 0, 0]}, to: ground, joint: {type: hinge, axis: [0, 1, l]},
                orient_to: {axis: x, angle: 0.1}, name: pin}
      - expression: {value: a*q.leg, name: clock}
      - expression: {value: [u.arm - l*u.leg, u.leg + t], unit: rad/s, name: both}
    """
    s = fb.System()
    s.parameters(l=2)
    arm = s.body("arm", joint=fb.Revolute(), mass=1, com=(1, 0, 0), inertia=(1, 1, 1))
    leg = s.body("leg", on=arm, joint=fb.Revolute(), mass=1, com=(1, 0, 0), inertia=(1, 1, 1))
    s.close(leg.point(("l", 0, 0)), s.ground, fb.Revolute((0, 1, "l")), orient_to=("x", 0.1), name="pin")
    s.constrain((arm.q[0] - fb.sin(s.t)) * leg.q[0], name="clock")
    s.constrain("u.arm - l*u.leg", "u.leg + t", unit="rad/s", name="both")
    digests = {loads(dedent(start) + dedent(text), fb.System).digest() for text in (by_name, in_a_list)}
    assert digests == {s.digest()}
    text = same(s)
    assert "clock: {expression: q.leg*(q.arm - sin(t))}" in text
    used = dedent("""
        states: {wear: abs(u.pin)}
        loads: {motor: {torque: {on: leg, value: -3*q.pin, about: leg.z}}}
        outputs: {angle: 2*q.pin}
    """)
    s.state("wear", "abs(u.pin)")
    s.torque("-3*q.pin", on=leg, about=leg.z, name="motor")
    s.output("angle", "2*q.pin")
    digests = {loads(dedent(start) + dedent(text) + used, fb.System).digest() for text in (by_name, in_a_list)}
    assert digests == {s.digest()} and "angle: 2*q.pin" in same(s)
    with pytest.raises(FileError, match=r"constraints\[0\]\.close\.joint\.axis\[2\]: 'nothing'"):
        loads(dedent(start) + dedent(in_a_list).replace("[0, 1, l]", "[0, 1, nothing]"), fb.System)
    unnamed = loads(dedent(start) + "constraints: [expression: a, expression: t]", fb.System)
    assert [*unnamed.constraints] == ["expression1", "expression2"]


# Digests


def test_digest_does_not_depend_on_the_interleaving_of_elements() -> None:
    def build(order: str) -> fb.System:
        s = fb.System()
        todo = {
            "p": lambda: (s.parameter("k", 3.0), s.parameter("c", 1.0)),
            "i": lambda: s.input("motor", "N"),
            "s": lambda: s.state("z", "-z"),
            "a": lambda: s.body("a", joint=fb.Revolute("y"), mass=2, com=(0, 0, -1)),
            "x": lambda: s.scalar("2 - t", ""),
            "y": lambda: s.scalar("t - 2", ""),
        }
        for key in order:
            todo[key]()
        a = s.bodies["a"]
        s.output("e", "(t - 2)*k*c + sin(t - 2)*motor")
        s.force(a.x * a.q[0] + s.ground.z, at=a)
        return s

    assert len({build(order).digest() for order in ("pisa", "aspi", "iaxps", "xapsi", "syapi")}) == 1


@pytest.mark.parametrize("change", [
    lambda s: s.parameter("new", 1), lambda s: s.values.update(c=0.4), lambda s: s.input("i"),
    lambda s: s.state("z", 1),
    lambda s: s.output("o", 1), lambda s: s.force(s.ground.x, at=s.bodies["arm"]), lambda s: s.body("b"),
    lambda s: setattr(s, "gravity", (0, 0, -1)), lambda s: setattr(s, "name", "other"),
])  # fmt: skip
def test_different_systems_have_different_digests(change: Any) -> None:
    s, other = pendulum(), pendulum()
    change(other)
    assert s.digest() != other.digest()


def test_digest_depends_on_units_and_descriptions() -> None:
    labels = [("", ""), ("N", ""), ("", "a force")]
    digests = set()
    for unit, description in labels:
        s = fb.System()
        s.parameter("p", 1.0, unit, description)
        digests.add(s.digest())
    assert len(digests) == 3


@pytest.mark.parametrize("options", [
    {"damping": "c"}, {"stiffness": "2*c", "rest": 0.1}, {"limits": [-1, 2]}, {"initial": 0.5}, {"initial": (0.5,)},
    {"friction": np.float64(0.5)}, {"armature": "c/2"}, {"motion": "c*sin(t)"}, {"motion": ["t**2"]},
    {"stiffness": "c*q.arm**2"}, {"limits": (None, "pi/2")}, {"damping": 0.0}, {"motion": (None,)},
])  # fmt: skip
def test_joint_options_have_one_normal_form(options: dict[str, Any]) -> None:
    """Equivalent texts, expressions and numbers are equal, and survive a round trip."""
    s = pendulum(**options)
    same(s)
    t = fb.System("pendulum")
    (c, _), time = t.parameters(c=0.3, l=2.0), t.t
    expressions = {"c": c, "2*c": 2 * c, "c/2": c / 2, "c*sin(t)": c * fb.sin(time), "pi/2": math.pi / 2}
    spoken = {
        key: tuple(expressions.get(v, v) if isinstance(v, str) else v for v in value)
        if isinstance(value, list | tuple)
        else expressions.get(value, value)
        if isinstance(value, str)
        else value
        for key, value in options.items()
    }
    t.body("arm", joint=fb.Revolute("y", **spoken), mass=1, com=(0, 0, -1))
    assert s.digest() == t.digest()


@pytest.mark.parametrize(("options", "text"), [
    ({"limits": (1, 0)}, "Revolute.limits: the lower limit 1 is above the upper limit 0"),
    ({"limits": 3}, "Revolute.limits: two numbers are needed, the lower first, not the number 3"),
    ({"limits": (0, "l")}, "bodies.arm.joint.limits: a number is needed; l depends on symbols"),
    ({"initial": (0, 1)}, "Revolute.initial: a revolute joint has 1 coordinate and needs as many initial values"),
])  # fmt: skip
def test_wrong_joint_options_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ModelError, match=re.escape(text)):
        pendulum(**options)


def test_joints_that_share_some_names_of_coordinates_keep_their_definitions() -> None:
    """A definition of the first joint uses a and b; the second joint has only a."""
    long = "0.09592071135543012 - (0.9268753439383484*a + 0.575168862172116*b)"
    s = fb.System("two laws")
    one = fb.Custom((f"{long} + a*b", f"2*({long}) - a*b", 0), coordinates=("a", "b"))
    first = s.body("first", joint=one, mass=1, inertia=(1, 1, 1))
    s.body("second", on=first, joint=fb.Custom(("a", "a**2", 0), coordinates=("a",)), mass=1, inertia=(1, 1, 1))
    assert loads(s.to_yaml(), fb.System).digest() == s.digest()


@pytest.mark.parametrize("element", [
    "point_on_plane: {point: a%s}", "point_on_line: {point: a%s}", "roll: {centre: a, radius: 0.3%s}",
    "point_on_surface: {point: a, law: x - y%s}", "knife_edge: {point: a%s}",
])  # fmt: skip
def test_constraints_are_on_the_ground_unless_a_file_names_another_body(element: str) -> None:
    text = "bodies: {a: {joint: free, mass: 1, inertia: [1, 1, 1]}}\nconstraints: {c: {%s}}"
    short, long = (loads(text % (element % on), fb.System) for on in ("", ", on: ground"))
    assert short.digest() == long.digest() and short.to_yaml() == long.to_yaml()
