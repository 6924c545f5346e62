"""Wrong, hostile or unwritable model files: each error shows the position, the reason and the remedy."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from freebody.errors import FileError
from freebody.io import dumps, limits, loads, read, write
from freebody.io.yaml_lines import compose
from tests.io import hostile_yaml, python_models
from tests.io.python_models import pendulum

EVERYTHING = Path(__file__).parents[2] / "examples" / "models" / "everything.yaml"
CONSTRAINTS = {
    "pin": {"close": {"from": {"body": "drill", "at": [0, "half", 1]}, "to": "plate",
                      "joint": {"type": "universal", "first": "x", "second": [0, 1, 1]},
                      "orient": {"axis": "x", "angle": "tilt"}, "orient_to": {"axis": "y", "angle": 0.2}}},
    "clock": {"expression": "q.arm - sin(t)"},
    "both": {"expression": {"value": ["u.arm - l*u.cart", "u.cart + t"], "unit": "rad/s"}},
}  # fmt: skip
"""A section of constraints for the same bodies."""

# Errors of reading

ARM = "bodies: {b: {joint: hinge, mass: 1, com: [1, 0, 0]}}"
WRONG = [
    ("bodies: {a: {mas: 1}}", "m.yaml:1:14: bodies.a.mas: there is no key 'mas' here. Did you mean mass?"),
    ("bodys: {}", "m.yaml:1:1: bodys: there is no key 'bodys' here. Did you mean bodies"),
    ("bodies:\n  a:\n    mass: 2*m9",
     "m.yaml:3:13: bodies.a.mass: 'm9' is not declared. Only numbers and parameters can be used here; none is declared."
     "\n    2*m9\n      ^"),
    ("bodies: {a: {mass: '2*m9'}}", "m.yaml:1:23: bodies.a.mass: 'm9'"),
    ("bodies: {a: {mass: [1]}}", "bodies.a.mass: a number or an expression is needed, not a list"),
    ("bodies: {a: {mass: true}}", "bodies.a.mass: a number or an expression is needed, not true"),
    ("bodies: {a: {mass: 010}}", "bodies.a.mass: '010' starts with zeros: leave them out"),
    ("bodies: {a: {mass: 1:30}}", "bodies.a.mass: ':' has no meaning in an expression"),
    ("bodies: {a: {mass: 0x1F}}", "bodies.a.mass: 0 runs into 'x'"),
    ("bodies: {a: {mass: 1_000}}", "bodies.a.mass: 1 runs into '_'"),
    ("bodies: {a: {mass: -1}}", "m.yaml:1:20: bodies.a.mass: it is -1.0; it cannot be negative"),
    ("bodies: {a: {inertia: [1, 1, 5]}}", "m.yaml:1:23: bodies.a.inertia: principal moments"),
    ("bodies: {a: {inertia: {rd: {length: 1}}}}", "bodies.a.inertia.rd: there is no solid 'rd'. Did you mean rod?"),
    ("bodies: {a: {inertia: {rod: {}}}}", "bodies.a.inertia.rod: the key 'length' is missing"),
    ("bodies: {a: {inertia: {rod: {length: 1}, box: {x: 1, y: 1, z: 1}}}}", "exactly one key is needed here"),
    ("bodies: {a: {com: [1, 2]}}", "m.yaml:1:19: bodies.a.com: a list of 3 is needed, not of 2"),
    ("bodies: {a: {com: [min(1, 2), 0, 0]}}", "not of 4; an expression with commas needs quotes inside a list"),
    ("bodies: {a: {com: [0, x, 0]}}", "m.yaml:1:23: bodies.a.com[1]: 'x' is not declared"),
    ("bodies: {a: {joint: revolut}}", "bodies.a.joint: there is no joint 'revolut'. Did you mean revolute?"),
    ("bodies: {a: {joint: {type: slidr}}}", "bodies.a.joint: there is no joint 'slidr'. Did you mean slider?"),
    ("bodies: {a: {joint: {axis: x}}}", "bodies.a.joint: the key 'type' is missing; it names the joint: weld"),
    ("bodies: {a: {joint: {type: hinge, axes: y}}}", "joint.axes: there is no key 'axes' here. Did you mean axis?"),
    ("bodies: {a: {joint: {type: hinge, axis: w}}}", "bodies.a.joint.axis: 'w' is not a direction: use one of x, y, z"),
    ("bodies: {a: {joint: {type: hinge, axis: [0, 0, 0]}}}", "bodies.a.joint.axis: a direction must not have length 0"),
    ("bodies: {a: {joint: {type: hinge, limits: [2, 1]}}}", "bodies.a.joint.limits: the lower limit"),
    ("bodies: {a: {joint: {type: hinge, damping: c}}}", "bodies.a.joint.damping: 'c' is not declared"),
    ("bodies: {a: {joint: {type: ball, sequence: 122}}}", "bodies.a.joint.sequence: '122' is not a sequence"),
    ("bodies: {a: {joint: {type: building block, rotations: [1, 2]}}}", "bodies.a.joint: a building block has up to 3"),
    ("bodies: {a: {on: b}, b: {}}", "bodies.a.on: body 'b' is defined further down; define a parent before"),
    ("bodies: {arm: {}, b: {on: amr}}", "bodies.b.on: 'amr' is not a body. Did you mean arm?"),
    ("bodies: {a: {on: 1}}", "bodies.a.on: text is needed, not the number 1; write it in quotes"),
    ("bodies: {a: {}, ground: {}}", "bodies.ground: 'ground' is the name of the ground"),
    ("bodies: {a: {orient: [[1, 0, 0], [0, 2, 0], [0, 0, 1]]}}", "bodies.a.orient: the matrix is not a rotation"),
    ("bodies: {a: {shape: {bx: {}}}}", "m.yaml:1:22: bodies.a.shape.bx: there is no shape 'bx'. Did you mean box?"),
    ("bodies: [a]", "bodies: keys with values are needed here"),
    ("parameters: {m: {valu: 1}}", "parameters.m.valu: there is no key 'valu' here. Did you mean value?"),
    ("parameters: {m: 1, k: 2*m}", "parameters.k: a number is needed; 2*m depends on symbols"),
    ("parameters: {a-b: 1}", "parameters.a-b: 'a-b' cannot be a name here"),
    ("parameters: {t: 1}", "parameters.t: 't' is the name of the time"),
    ("parameters: {m: 1}\ninputs: [m]", "inputs: 'm' is the name of a parameter"),
    ("parameters: {q.a: 1}\nbodies: {a: {joint: hinge}}", "bodies.a: body 'a': 'a' is already a coordinate or speed"),
    ("bodies:\n  a:\n    mass: |\n      2 *\n       m9\n", "m.yaml:5:8: bodies.a.mass: 'm9' is not declared"),
    ("bodies:\n  a:\n    mass: > # folded\n\n      2 *\n\n      m9\n", "m.yaml:7:7: bodies.a.mass: 'm9'"),
    ("bodies:\n  a:\n    mass: 2 *\n       m9\n", "m.yaml:4:8: bodies.a.mass: 'm9' is not declared"),
    ("bodies:\n  a:\n    mass: |-\n      2 *\n  b: {}\n", "m.yaml:4:10: bodies.a.mass: the text ends where something"),
    ("parameters: {if: 1}", "m.yaml:1:18: parameters.if: 'if' cannot be a name here: in expressions it is a reserved"),
    ("inputs: [pi]", "inputs: 'pi' cannot be a name here: in expressions it is a constant; choose another"),
    ("states: {sin: {rate: 1}}", "states.sin: 'sin' cannot be a name here: in expressions it is a function"),
    ("definitions: {pi: 1}", "definitions.pi: 'pi' is a constant; choose another for the definition"),
    ("tables: {not: {x: [1, 2], y: [1, 2]}}", "tables.not: 'not' cannot name a table: it is a reserved word"),
    ("bodies: {b: {joint: hinge}}\noutputs: {q.b: 1}", "output 'q.b': texts use 'q.b' for something else"),
    ("states: {z: {rate: w}}", "states.z.rate: 'w' is not declared"),
    ("states: {z: {initial: 1}}", "states.z: the key 'rate' is missing"),
    ("definitions: {a: b, b: 1}", "definitions.a: it uses 'b', which is defined further down"),
    ("definitions: {a: a + 1}", "definitions.a: it uses itself"),
    ("definitions: {t: 1}", "definitions.t: 't' is the name of something else"),
    ("definitions: {a b: 1}", "definitions.'a b': 'a b' cannot name a definition"),
    ("definitions: {a: {symbol: q.b}}", "definitions.a.symbol: there is no symbol 'q.b'"),
    ("tables: {f: {x: [1, 2]}}", "tables.f: a table needs x and y"),
    ("tables: {f: {x: [1, 2], y: [1]}}", "tables.f: table 'f' needs as many y as x"),
    ("tables: {f: {x: [1, 2], y: [1, 2], method: cubc}}", "tables.f.method: one of 'linear'"),
    ("tables: {f: {x: [1, 2], y: [1, 2], breaks: [1]}}", "not both"),
    ("tables: {f: {breaks: [1], origins: [1], coefficients: [[1]]}}", "tables.f: n breaks need n + 1 origins"),
    ("tables: {f: {breaks: [2, 1], origins: [1, 1, 1], coefficients: [[1], [1], [1]]}}", "the breaks must increase"),
    ("tables: {sin: {x: [1, 2], y: [1, 2]}}", "tables.sin: 'sin' cannot name a table"),
    ("outputs: {a: [1, 2, 3]}", "outputs.a: name the axes of the components: {in: ground, xyz: [0, 0, 1]}"),
    ("outputs: {a: {in: x, xyz: [1, 2, 3]}}", "outputs.a.in: 'x' is not a body. Choose from ground."),
    ("bodies: {a: {}}\noutputs: {o: {in: a@1, xyz: [1, 2, 3]}}", "outputs.o.in: 'a' is 0 rotations from its parent"),
    ("outputs: {a: {norm: b.w}}", "outputs.a.norm: 'b.w' is not a vector: write body.x"),
    ("outputs: {a: {position: ground, off: 1}}", "outputs.a.off: there is no key 'off' here"),
    ("outputs: {a: {position: {body: ground, at: com}}}", "outputs.a.position.at: the ground has no mass centre"),
    ("loads: {a: {}}", "loads.a: exactly one key is needed here, one of force, torque, force_between, spring,"),
    ("loads: {a: {force: {vector: ground.x}}}", "loads.a.force: the key 'at' is missing"),
    ("loads: {a: {torque: {value: 1, on: ground}}}", "loads.a.torque: a torque needs a vector, or a value"),
    ("loads: {a: {joint_force: {on: ground, value: 1}}}", "loads.a.joint_force: the ground has no joint; name a body"),
    ("loads: {a: {force: {vector: ground.x, at: ground, name: b}}}", "its name stands before it already"),
    ("loads: {a: {force_between: {from: ground, to: ground, law: lenght}}}",
     "'lenght' is not declared. Did you mean length"),
    ("loads: {a: {force_between: {from: ground, to: ground, law: 1}}}\noutputs: {o: a.length}",
     "'a.length' is not declared"),
    (f"{ARM}\nloads: {{a: {{force: {{vector: {{acceleration: {{body: b, at: [1, 0, 0]}}}}, at: b}}}}}}",
     "loads.a.force: load 'a' uses accelerations or reactions (u_dot.b)"),
    (f"{ARM}\nloads: {{a: {{joint_force: {{on: b, value: 2*u_dot.b}}}}}}", "loads.a.joint_force.value: it uses"),
    (f"{ARM}\nloads: {{a: {{force_between: {{from: b, to: ground, law: length*d}}}}}}\ndefinitions: {{d: u_dot.b}}",
     "loads.a.force_between.law: it uses accelerations or reactions (u_dot.b)"),
    (f"{ARM}\nstates: {{z: {{rate: reaction.b.force.x}}}}", "states.z.rate: it uses accelerations or"),
    (f"{ARM}\ngravity: [0, 0, u_dot.b]", "gravity[2]: it uses accelerations or reactions (u_dot.b)"),
    (f"{ARM}\noutputs: {{a: u_dot.c}}", "outputs.a: 'u_dot.c' is not declared"),
    (f"{ARM}\noutputs: {{a: {{reaction force: ground}}}}", "a reaction force acts at a body's joint"),
    (f"{ARM}\noutputs: {{a: {{angular acceleration: c}}}}", "outputs.a.'angular acceleration': 'c' is not a body"),
    ("parameters: {u_dot.x: 1}", "in expressions it is the name of an acceleration, reaction or multiplier; choose"),
    ("gravity: [0, 0, x]", "gravity[2]: 'x' is not declared"),
    ("freebody: 4", "freebody: the number of the format is 3, not the number 4; this release reads no other"),
    ("freebody: true", "m.yaml:1:11: freebody: the number of the format is 3, not true"),
    ("freebody: 1.0", "m.yaml:1:11: freebody: the number of the format is 3, not the number 1.0"),
    ("freebody: null", "m.yaml:1:11: freebody: the number of the format is 3, not nothing"),
    ("loads: {a: {force: null}}", "m.yaml:1:13: loads.a.force: keys with values are needed here (vector, at"),
    (f"{ARM}\nconstraints: {{pin: {{clse: {{}}}}}}",
     "m.yaml:2:21: constraints.pin.clse: there is no constraint 'clse'. Did you mean close?"),
    (f"{ARM}\nconstraints: {{pin: {{close: {{from: b}}}}}}", "constraints.pin.close: the key 'to' is missing"),
    (f"{ARM}\nconstraints: {{pin: {{close: {{from: b, to: c}}}}}}", "constraints.pin.close.to: 'c' is not a body"),
    (f"{ARM}\nconstraints: [{{close: {{from: b, to: b}}}}]", "constraints[0].close: it connects 'b' to itself"),
    (f"{ARM}\nconstraints: {{pin: {{close: {{from: b, to: ground, joint: revolut}}}}}}",
     "m.yaml:2:57: constraints.pin.close.joint: there is no joint 'revolut'. Did you mean revolute?"),
    (f"{ARM}\nconstraints: {{pin: {{close: {{from: b, to: ground, joint: {{type: hinge, axis: w}}}}}}}}",
     "constraints.pin.close.joint.axis: 'w' is not a direction"),
    (f"{ARM}\nconstraints: {{pin: {{close: {{from: b, to: ground, orient_to: {{axis: x, angle: q.b}}}}}}}}",
     "constraints.pin.close.orient_to"),
    (f"{ARM}\nconstraints: {{pin: {{close: {{from: b, to: ground, name: n}}}}}}", "its name stands before it already"),
    (f"{ARM}\nconstraints: {{b: {{expression: t}}}}", "constraints.b: 'b' is the name of a body"),
    (f"{ARM}\nconstraints: {{c: {{expression: q.c}}}}", "m.yaml:2:31: constraints.c.expression: 'q.c' is not declared"),
    (f"{ARM}\nconstraints: {{c: {{expression: []}}}}", "constraints.c.expression: it has no expression"),
    (f"{ARM}\nconstraints: {{c: {{expression: u_dot.b}}}}", "constraints.c.expression"),
    (f"{ARM}\ninputs: [i]\nconstraints: {{c: {{expression: i*q.b}}}}", "c.expression: a constraint (expression) may"),
    (f"{ARM}\nconstraints: {{c: {{expression: null}}}}", "constraints.c.expression: keys with values are needed here"),
    ("bodies: {a: {inertia: {rod: null}}}", "bodies.a.inertia.rod: keys with values are needed here (length, mass"),
    ("bodies: {a: {shape: {box: }}}", "bodies.a.shape.box: keys with values are needed here (x, y, z, at, rpy, "),
    ("bodies: {a: {joint: {type: building block, rotations: [7]}}}",
     "joint: the rotations of a building block are about axes 1, 2 or 3, not 7"),
    ("name: [a]", "name: text is needed, not a list"),
    ("a: [1, 2", "m.yaml:2:1: this is not YAML: while parsing a flow sequence"),
    ("bodies:\n\ta: {}", "m.yaml:2:1: this is not YAML: while scanning for the next token, found character"),
    ("a: 1\nb: 2", "m.yaml:1:1: a: there is no key 'a' here"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[text[:50] for text, _ in WRONG])
def test_wrong_files_are_refused_with_position_and_reason(text: str, message: str) -> None:
    with pytest.raises(FileError) as error:
        loads(text, fb.System, "m.yaml")
    assert message in str(error.value)
    assert error.value.file == "m.yaml" and error.value.line >= 1 and error.value.column >= 1


def paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all values."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from paths(value, (*path, key))


def replaced(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    if not path:
        return value
    inner = replaced(data[path[0]], path[1:], value)
    if isinstance(data, dict):
        return {**data, path[0]: inner}
    return [*data[: path[0]], inner, *data[path[0] + 1 :]]  # type: ignore[operator]


def form(data: Any, path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The pattern of a path: without names and indices, with kinds of joints."""
    made: list[str] = []
    for depth, key in enumerate(path):
        made.append("#" if isinstance(key, int) else "*" if depth == 1 else key)
        data = data[key]
        made += [str(data["type"])] if isinstance(data, dict) and "type" in data else []
    return tuple(made)


def check_replacements(value: Any, every: bool = False) -> None:
    """Replace each value of a file with every joint, load and constraint: it is read, or refused with the line."""
    data = compose(EVERYTHING.read_text(), "everything.yaml").plain() | {"constraints": CONSTRAINTS}
    places = list(paths(data))
    places = places if every else list({form(data, path): path for path in places}.values())
    assert len(places) > 100
    for path in places:
        text = "\n".join(f"{k}: {json.dumps(v)}" for k, v in replaced(data, path, value).items())
        try:
            loads(text, fb.System, "m.yaml")
        except FileError as error:
            assert error.line >= 1, (path, error)


@pytest.mark.slow
def test_none_for_any_value_is_read_or_refused() -> None:
    check_replacements(None)


@pytest.mark.long
@pytest.mark.parametrize("value", [True, 7, -1, 0.5, "text", "", [], {}, [None], {"a": None}, "x" * 300], ids=repr)
def test_other_types_for_any_value_are_read_or_refused(value: Any) -> None:
    check_replacements(value, every=True)


def test_several_errors_are_reported_together() -> None:
    with pytest.raises(FileError) as error:
        loads("bodies:\n  a: {mass: [1]}\n  b: {mas: 1}\n  c: {com: 3}", fb.System, "m.yaml")
    assert (error.value.line, error.value.key) == (2, "bodies.a.mass")
    assert "also line 3: bodies.b.mas: there is no key" in str(error.value) and "also line 4" in str(error.value)


def test_all_errors_of_a_body_are_reported_together() -> None:
    with pytest.raises(FileError) as error:
        loads(
            "bodies:\n  a:\n    mass: [1]\n    com: 3\n    joint: {type: hinge, axis: w, limits: 2}\n    shap: x\n",
            fb.System,
        )
    text = str(error.value)
    assert error.value.key == "bodies.a.mass" and text.count("also line") == 4
    assert all(key in text for key in ("bodies.a.com:", "joint.axis:", "joint.limits:", "bodies.a.shap:"))


# Errors of writing


def test_elements_that_cannot_be_written_are_named() -> None:
    f = fb.callback("drag", lambda v: v * abs(v))
    cases: list[tuple[Any, str]] = [
        (lambda s: s.output("o", fb.apply(f, s.t)), "outputs.o: it calls the Python function 'drag', which"),
        (lambda s: s.joint_force(s.bodies["arm"], fb.apply(f, s.t), name="e"), "loads.e.joint_force.value: it calls"),
        (lambda s: s.body("b", joint=type("Odd", (fb.Weld,), {"kind": "odd"})()), "a Odd is not a joint that a file"),
        (lambda s: s.body("b\nc"), r"bodies: the name 'b\nc' cannot stand in a file"),
        (lambda s: s.body("b" * 300), "use at most 200 visible characters"),
        (lambda s: s.parameter("p", 1.0, "m", "\x07"), "parameters.p.description: it has control characters"),
        (lambda s: s.values.update(c=float("inf")), "parameters.c: inf is not a number that a file can hold"),
        (lambda s: s.output("o", s.t**2000), "outputs.o: t**2000 cannot be written as text: a power is beyond ±1024"),
        (lambda s: s.output("o", _rope(s).length), "outputs.o: it uses 'rope.length', which is defined in"),
    ]
    for change, message in cases:
        s = pendulum()
        change(s)
        with pytest.raises(FileError) as error:
            dumps(s)
        assert message in str(error.value), str(error.value)


def _rope(s: fb.System) -> Any:
    return s.force_between(s.bodies["arm"].origin, s.ground.origin, "length", "rope")


def test_files_beyond_the_limits_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    s = pendulum()
    for name, value, message in (
        ("BODIES", 0, "system 'pendulum' has 1 bodies; a model file has at most 0"),
        ("SIZE", 20, "system 'pendulum': it has"),
        ("NODES", 5, "the system needs more than 5 values"),
    ):
        with monkeypatch.context() as patch, pytest.raises(FileError, match=message):
            patch.setattr(limits, name, value)
            dumps(s)


def test_files_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    write(pendulum(damping="c"), path)
    assert read(path, fb.System).digest() == read(str(path), make=fb.System).digest() == pendulum(damping="c").digest()
    with pytest.raises(FileError, match=r"arm\.yaml:1:1: bodys"):
        path.write_text("bodys: {}")
        read(path, fb.System)


# Safety


@pytest.fixture(scope="module")
def fates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The outcome of the hostile files in processes with little memory and time."""
    folder = tmp_path_factory.mktemp("hostile")
    command = [sys.executable, hostile_yaml.__file__, str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(run.stdout)  # type: ignore[no-any-return]


@pytest.mark.slow
def test_hostile_files_are_refused_quickly_and_clearly(fates: dict[str, Any]) -> None:
    assert len(fates) > 60
    for name, fate in fates.items():
        assert fate["type"] == "FileError", (name, fate)
        assert fate["s"] < hostile_yaml.SECONDS and fate["MB"] < hostile_yaml.MEGABYTES, (name, fate)
    assert not Path("freebody_was_here").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "message"), [
    ("python object", "tags ('tag:yaml.org,2002:python/object/apply:os') are not read; files are data"),
    ("alias bomb", "anchors (&name) are not read"), ("tower of powers", "the power is beyond ±1024"),
    ("deep flow lists", "more than 32 lists and mappings are one inside another"),
    ("deep block lists", "more than 32 lists"),
    ("million bodies", "lines; a model file has at most 200000"), ("too many bodies", "10001 bodies are too many"),
    ("million keys", "a list or mapping has more than 50000 entries"),
    ("many values", "there are more than 300000 values"),
    ("five megabytes", "it has 5000008 bytes; a model file has at most 4194304"), ("huge float", "1e400 is too large"),
    ("nan", ".nan is not a finite number"), ("infinity", "-.inf is not a finite number"),
    ("long integer", "more than 40 digits"),
    ("duplicate key", "the key 'bodies' is given twice; the first is in line 1"),
    ("nul byte", "control character U+0000"),
    ("invalid utf-8", "a byte here is not UTF-8"), ("byte-order mark", "it begins with a byte-order mark"),
    ("import", "''' has no meaning in an expression"), ("attribute", "'m.__class__' is not declared"),
    ("directory", "it is a directory; a model file is a regular file"), ("named pipe", "it is a named pipe"),
    ("device", "it is a device"), ("sparse gigabyte", "it has 1073741824 bytes"), ("missing", "there is no such file"),
    ("two documents", "a second document starts here"), ("long name", "a name has more than 200 characters"),
    ("overflowing inertia", "the numbers here are too large"), ("empty", "it is empty"),
])  # fmt: skip
def test_errors_of_hostile_files(fates: dict[str, Any], name: str, message: str) -> None:
    assert message in fates[name]["text"]


def test_yaml_without_libyaml_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    text = dumps(python_models.everything())
    monkeypatch.delattr(yaml, "CSafeLoader")
    monkeypatch.delattr(yaml, "CSafeDumper")
    assert loads(text, fb.System).digest() == loads(dumps(python_models.everything()), fb.System).digest()
    for hostile_text in ("[" * 10_000, "a: &a 1", "a: !x 1", "a: 1\na: 2", "a: [", "bodies: {a: {mass: .inf}}"):
        with pytest.raises(FileError):
            loads(hostile_text, fb.System)


def test_nothing_heavy_is_imported_before_a_file_is_read() -> None:
    code = "import sys, freebody.io; print([m for m in ('yaml', 'pydantic') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_errors_of_files_of_format_2_name_what_changed_its_meaning() -> None:
    with pytest.raises(FileError, match=r"outside: extrapolate.*\[EI, null\].*write freebody: 3"):
        loads("freebody: 2\nbodies:\n  a: {mass: 1}\n", fb.System)
