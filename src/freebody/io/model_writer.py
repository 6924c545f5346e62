"""Systems to model files: ``dumps(system)``, ``write(system, "arm.yaml")``.

What is written reads back as an equal system: ``loads(dumps(s), System).digest() == s.digest()``.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Any

from freebody import files
from freebody.errors import FieldError, FileError, spelled
from freebody.errors import Path as ErrorPath
from freebody.fem.reduced_data import ReducedData
from freebody.io import limits
from freebody.io.expression_text import ExpressionTexts, TextSlot, exact_text
from freebody.io.format import ModelFile, SymbolName, named
from freebody.io.reduced_files import holds, write_reduced
from freebody.io.yaml_lines import DECIMAL, INTEGER, NOT_FINITE, WORDS
from freebody.model.body import Body, Reference
from freebody.model.builder import ModelBuilder
from freebody.model.declarations import Input, Parameter, TableSpec
from freebody.model.element import Element, field_table, to_data
from freebody.model.laws import argument_names
from freebody.model.loads import Load
from freebody.model.model import Model
from freebody.model.placed import PlacedBodies
from freebody.model.sampled import Sampled
from freebody.model.vectors import Components, PointSpec
from freebody.names import companions
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame, Unit
from freebody.spatial.vector import Vector

FEW = 8
"""How many bodies with a common axis are tried as the frame of a vector."""
WIDTH = 110
SHORT = 88  # characters of what is written in one line
TAG = "tag:yaml.org,2002:"
RESOLVED = {
    "int": INTEGER.pattern,
    "float": f"{DECIMAL.pattern}|{NOT_FINITE.pattern}",
    "null": "|".join(re.escape(word) for word, value in WORDS.items() if value is None),
    "bool": "|".join(word for word, value in WORDS.items() if value is not None),
}
"""What the reader takes a plain text for, the first that fits."""


def dumps(system: ModelBuilder) -> str:
    """The system as the text of a model file. Bodies that are stored in files of their own are refused."""
    return _text(system, Attachments(None))


def write(system: ModelBuilder, path: "str | os.PathLike[str]") -> Path:
    """Write the system as a model file, and its reduced bodies as files beside it."""
    target = files.target(path, "a model", (".yaml", ".yml"))
    attachments = Attachments(target)
    text = _text(system, attachments)
    attachments.write()
    return files.write_text(target, text)


def _text(system: ModelBuilder, attachments: "Attachments") -> str:
    if len(system.bodies) > limits.BODIES:
        text = f"system '{system.name}' has {len(system.bodies)} bodies; a model file has at most {limits.BODIES}"
        raise FileError(text)
    try:
        model = system.described.frozen(cut=False) if system.has_symbols else system.freeze()
        return _yaml(_plain_data(model, attachments))
    except FieldError as error:
        raise FileError(error.message, key=spelled(error.path)) from None


class Attachments:
    """Reduced bodies, which are files beside a model file; None if there is only the text of a model."""

    def __init__(self, model_file: Path | None) -> None:
        self.model_file = model_file
        self.bodies: dict[str, ReducedData] = {}  # by the names of their files
        self.kept = set[str]()  # files that stay as they are

    def name(self, body: ReducedData, path: ErrorPath) -> str:
        """The name of a body's file. A file from which it was read is used again if it lies there unchanged."""
        if self.model_file is None:
            raise FieldError(
                "a reduced body is stored in a file beside the model file, not in its text: write the"
                " model with system.save('model.yaml'), which writes both",
                *path,
            )
        if body.file and body.file not in self.bodies and holds(self.model_file.parent / body.file, body):
            self.kept.add(body.file)
            return body.file
        for name, known in self.bodies.items():
            if known.digest == body.digest:
                return name
        word = re.sub("[^A-Za-z0-9_-]+", "_", str(path[1]))[:60]
        names = (f"{self.model_file.stem}.{word}{k or ''}.npz" for k in count())
        name = next(name for name in names if name not in self.bodies and name not in self.kept)
        self.bodies[name] = body
        return name

    def write(self) -> None:
        """Write the files."""
        for name, body in self.bodies.items():
            assert self.model_file is not None
            write_reduced(body, self.model_file.parent / name)


def _plain_data(model: Model, attachments: Attachments) -> dict[str, Any]:
    """A model as plain data. Scalars are slots at first, and become texts together, for they share definitions."""
    symbols = {name: model.graph.symbol_named(name) for name in (*model.parameters, *model.inputs)}
    parameters = {n: Parameter(x, symbols[n].unit, symbols[n].description) for n, x in model.parameters.items()}
    inputs = {n: Input(symbols[n].unit, symbols[n].description, n in model.driving) for n in model.inputs}
    for name in model.driving:
        inputs = {n: one for n, one in inputs.items() if n not in companions(name)}
    nodes = {f"{name}.{node}" for name, r in model.bodies.items() if r.modal is not None for node in r.modal.nodes}
    bodies = {name: spec for name, spec in model.bodies.items() if name not in nodes}
    sections = defaultdict[str, dict[str, Any]](dict)
    elements: list[Sampled | Load] = [*model.sampled.values(), *model.loads.values()]
    for element in elements:
        sections[element.section][element.name] = element
    materials = [contact.material for contact in model.contacts.values()]
    file = ModelFile(
        name=model.name,
        gravity=model.gravity,
        parameters=parameters,
        inputs=inputs,
        states=model.states,
        bodies=bodies,
        materials={material.name: material for material in materials if material.name},
        constraints=model.constraints,
        blocks=model.blocks,
        outputs=model.outputs,
        **sections,
    )
    slots, frames = list[TextSlot](), _ModelFrames(model)
    out = Out(slots, (), frames, {}, None, attachments)
    data = to_data(file, out)
    texts = ExpressionTexts(frames.graph, slots)
    tables = {key: TableSpec.of(table, key) for key, table in texts.tables.items()}
    aliases = {alias: SymbolName(name) for alias, name in texts.aliases.items()}
    shared = to_data(ModelFile(tables=tables, definitions={**aliases, **texts.definitions()}), out)
    whole = {**_fill(data, texts), **{key: shared[key] for key in ("tables", "definitions") if key in shared}}
    return {key: whole[key] for key in field_table(ModelFile).keys if key in whole}


class _LocalDefinitions:
    """Where the definitions of some laws will stand, if they need any."""

    def __init__(self, laws: Sequence[TextSlot]) -> None:
        self.laws = laws


def _fill(data: Any, texts: ExpressionTexts) -> Any:
    """The data with texts in place of slots."""
    kind = type(data)
    if kind is TextSlot:
        return texts.value(data)
    if kind is list:
        return [_fill(v, texts) for v in data]
    if kind is dict:
        filled = {k: _fill(v, texts) for k, v in data.items()}
        if type(data.get("definitions")) is _LocalDefinitions and not filled["definitions"]:
            del filled["definitions"]
        return filled
    return {k: v for law in data.laws for k, v in texts.local(law).items()} if kind is _LocalDefinitions else data


class Out:
    """Writes the values of elements: scalars as slots, vectors and points along the axes of bodies."""

    __slots__ = ("arguments", "attachments", "frames", "path", "prefer", "slots")

    def __init__(
        self,
        slots: list[TextSlot],
        path: ErrorPath,
        frames: "_ModelFrames",
        arguments: Mapping[Node, str],
        prefer: str | None,
        attachments: Attachments | None = None,
    ) -> None:
        self.slots, self.path, self.frames, self.arguments, self.prefer = slots, path, frames, arguments, prefer
        self.attachments = attachments or Attachments(None)

    def at(self, *parts: str | int) -> "Out":
        return Out(self.slots, self.path + parts, self.frames, self.arguments, self.prefer, self.attachments)

    def of(self, element: Element) -> "Out":
        """For the fields of an element: with the arguments of its laws, and the body along whose axes it writes."""
        arguments, basis = element.argument_names(), element.vector_basis()
        return Out(self.slots, self.path, self.frames, arguments, basis, self.attachments)

    def attachment(self, body: ReducedData) -> str:
        """The name of the file of a reduced body."""
        return self.attachments.name(body, self.path)

    def vector(self, value: Sequence[Components]) -> Any:
        """In as few frames as possible, {in: …, xyz: …} or a list of such."""
        terms = self.frames.terms(self.frames.placed.vector(value), self.prefer)
        written = [{"in": frame, "xyz": self._three(xyz)} for frame, xyz in terms]
        return written[0] if len(written) == 1 else written

    def point(self, spec: PointSpec) -> Any:
        point = self.frames.placed.point(spec)
        body = point.body
        if not point.offset and point.name == body.origin.name:
            return body.name
        if isinstance(body, Body) and (point.offset, point.name) == (body.centre.offset, body.centre.name):
            return {"body": body.name, "at": "com"}
        at, xyz = self.at("at"), self.frames.components(point.offset, body)
        at.prefer = body.name
        written = {"body": body.name, "at": at._three(xyz) if xyz is not None else at.vector(spec.at)}
        if point.name != body.point().name:
            written["name"] = named(point.name, *self.path, "name")
        return written

    def _three(self, values: Any) -> list[Any]:
        return [self.at(k).scalar(v) for k, v in enumerate(values)]

    def scalar(self, value: Any, arguments: Mapping[Node, str] | None = None) -> Any:
        """A slot for an expression; a number as it is."""
        number = value.graph.number(value.handle) if isinstance(value, Expr) else value
        if number is not None and (number is value or value.handle not in value.graph.broken):
            return exact_text(number)
        slot = TextSlot(value.handle, self.path, arguments or {})
        self.slots.append(slot)
        return slot

    def law(self, value: Any) -> Any:
        """A function of the element's own arguments."""
        return self.scalar(value, {**argument_names(value), **self.arguments} if isinstance(value, Expr) else None)

    def laws(self) -> int:
        """How many scalars have been written so far."""
        return len(self.slots)

    def definitions(self, since: int) -> _LocalDefinitions | None:
        """Where the definitions of the laws written since then will stand."""
        laws = [slot for slot in self.slots[since:] if slot.inside]
        return _LocalDefinitions(laws) if laws else None


# Vectors


class _ModelFrames:
    """The frames of a model's bodies; bodies are placed when a vector or a point is first written."""

    def __init__(self, model: Model) -> None:
        self.model, self.graph = model, model.graph.fork()

    @cached_property
    def placed(self) -> PlacedBodies:
        placed = PlacedBodies(self.graph)
        for spec in self.model.bodies.values():
            placed.add(spec)
        return placed

    @cached_property
    def sharing(self) -> Mapping[Unit, list[Frame]]:
        """Frames by the axes that they share."""
        sharing: dict[Unit, list[Frame]] = defaultdict(list)
        for body in (self.placed.ground, *self.placed.bodies.values()):
            for _, unit in body.frame.basis:
                if len(sharing[unit]) < FEW:
                    sharing[unit].append(body.frame)
        return sharing

    def name(self, frame: Frame) -> str:
        """The name of a body for its frame, name@k for the frame k turns before; zeros make it differ from other names
        of bodies."""
        body, back = self.placed.address(frame)
        if back == 0:
            return body
        width = 1
        while (name := f"{body}@{back:0{width}d}") in self.placed.bodies:
            width += 1
        return name

    def components(self, v: Vector, body: Reference) -> list[Expr] | None:
        """The components in a body's frame, if the vector's unit vectors are all axes of it."""
        return _xyz(v, body.frame, v.parts) if _shared(v.parts, body.frame) == len(v.parts) else None

    def terms(self, v: Vector, prefer: str | None) -> list[tuple[str, list[Expr]]]:
        """Frames and components whose sum is the vector: the frame with most of its terms first."""
        remaining, terms = list(v.parts), list[tuple[str, list[Expr]]]()
        preferred = [self.placed.body(prefer).frame] if prefer is not None else []
        while remaining or not terms:
            shared = [frame for unit in remaining for frame in self.sharing.get(unit, ())]
            candidates = [*preferred, *shared, *(unit.frame for unit in remaining), self.placed.ground.frame]
            frame = max(candidates, key=lambda f: _shared(remaining, f))
            terms.append((self.name(frame), _xyz(v, frame, remaining)))
            remaining = [unit for unit in remaining if frame.axis_of(unit) is None]
        return terms


def _shared(units: Iterable[Unit], frame: Frame) -> int:
    """How many of the unit vectors are axes of the frame."""
    return sum(frame.axis_of(unit) is not None for unit in units)


def _xyz(v: Vector, frame: Frame, units: Iterable[Unit]) -> list[Expr]:
    g = v.graph
    xyz = [g.zero] * 3
    for unit in units:
        axis = frame.axis_of(unit)
        if axis is not None:
            xyz[axis[0]] = v.parts[unit] if axis[1] > 0 else g.neg(v.parts[unit])
    return [Expr(g, s) for s in xyz]


# YAML


def _yaml(data: dict[str, Any]) -> str:
    """The text of a model file, within the limits of one: sections and bodies line by line, short values in one line,
    texts in quotes where they would read as something else."""
    import yaml

    dumper = _dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper))
    text = str(yaml.serialize(_Nodes().node(data)[0], Dumper=dumper, allow_unicode=True, width=WIDTH))
    try:
        limits.check(text, "the file")
    except FileError as error:
        raise FileError(f"system '{data['name']}': {error.message}; keep it in Python") from None
    return text


@cache
def _dumper(base: Any) -> Any:
    """PyYAML's emitter with the reader's rules of what a plain text is."""
    every = [(TAG + tag, re.compile(rf"(?:{pattern})\Z")) for tag, pattern in RESOLVED.items()]
    return type("Dumper", (base,), {"yaml_implicit_resolvers": {None: every, "": every}})


class _Nodes:
    """YAML nodes of plain data, counted."""

    def __init__(self) -> None:
        from yaml import MappingNode, ScalarNode, SequenceNode

        self.mapping, self.sequence, self.scalar = MappingNode, SequenceNode, ScalarNode
        self.count = 0
        self.path: list[str | int] = []  # of what is being written

    def node(self, data: Any) -> tuple[Any, int]:
        """The node of a value, and about how long it is in one line."""
        self.count += 1
        if self.count > limits.NODES:
            raise FileError(f"the system needs more than {limits.NODES} values; keep it in Python")
        kind, path = type(data), self.path
        if kind is dict:
            pairs, width = list[Any](), 2
            blocks = len(path) < 2 or (len(path) == 2 and path[0] == "bodies")  # sections and bodies, line by line
            for key, value in data.items():
                path.append(key)
                inside, size = self.node(value)
                path.pop()
                self.count += 1
                pairs.append((self._text("str", str(key)), inside))
                width += len(str(key)) + 4 + size
            return self.mapping(TAG + "map", pairs, flow_style=not blocks and width <= SHORT), width
        if kind is list:
            items, width, numbers = list[Any](), 2, True
            for index, value in enumerate(data):
                path.append(index)
                inside, size = self.node(value)
                path.pop()
                items.append(inside)
                width += 2 + size
                numbers = numbers and isinstance(value, int | float)
            return self.sequence(TAG + "seq", items, flow_style=numbers or width <= SHORT), width
        if kind is float and not isfinite(data):
            text = f"{data} is not a number that a file can hold; give a finite one"
            raise FileError(text, key=spelled(tuple(path)))
        if isinstance(data, bool) or data is None:
            tag, text = ("null", "null") if data is None else ("bool", str(data).lower())
        elif isinstance(data, int):
            tag, text = "int", str(data)
        elif isinstance(data, float):
            tag, text = "float", re.sub(r"^(-?\d+)e", r"\1.0e", repr(data))
        else:
            tag, text = "str", data
        return self._text(tag, text), len(text)

    def _text(self, tag: str, text: str) -> Any:
        if (not text.isprintable() and limits.CONTROL.search(text)) or len(text) > limits.TEXT:
            message = "it has control characters or is too long for a file; change it"
            raise FileError(message, key=spelled(tuple(self.path)))
        return self.scalar(TAG + tag, text, style='"' if "\n" in text else None)
