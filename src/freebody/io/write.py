"""Systems to model files: ``dumps(system)``, ``write(system, "arm.yaml")``. What is written reads back as an equal
system: ``loads(dumps(s), System).digest() == s.digest()``."""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from freebody import files
from freebody.errors import FieldError, FileError, spelled
from freebody.errors import Path as ErrorPath
from freebody.io import limits
from freebody.io.emit import emitted
from freebody.io.format import ModelFile, SymbolName, named
from freebody.io.formula import Formulas, Slot, exact_text
from freebody.io.native import Natives
from freebody.model.body import Body
from freebody.model.builder import ModelBuilder
from freebody.model.declarations import Input, Parameter, TableSpec
from freebody.model.element import Element, field_table, to_data
from freebody.model.laws import argument_names
from freebody.model.model import Model
from freebody.model.placed import PlacedBodies
from freebody.model.vectors import Components, PointSpec
from freebody.scalar.expr import Expr


def dumps(system: ModelBuilder) -> str:
    """The system as the text of a model file."""
    if len(system.bodies) > limits.BODIES:
        text = f"system '{system.name}' has {len(system.bodies)} bodies; a model file has at most {limits.BODIES}"
        raise FileError(text)
    try:
        return emitted(_written(system.freeze()))
    except FieldError as error:
        raise FileError(error.message, key=spelled(error.path)) from None


def write(system: ModelBuilder, path: "str | os.PathLike[str]") -> Path:
    """The system as a model file."""
    return files.write_text(files.target(path, "a model", (".yaml", ".yml")), dumps(system))


def file_of(model: Model) -> ModelFile:
    """The elements of a model, section by section."""
    symbols = {name: model.graph.symbol_named(name) for name in (*model.parameters, *model.inputs)}
    parameters = {n: Parameter(x, symbols[n].unit, symbols[n].description) for n, x in model.parameters.items()}
    inputs = {n: Input(symbols[n].unit, symbols[n].description) for n in model.inputs}
    return ModelFile(
        name=model.name, gravity=model.gravity, parameters=parameters, inputs=inputs, states=model.states,
        bodies=model.bodies, loads=model.loads, outputs=model.outputs,
    )  # fmt: skip


def _written(model: Model) -> dict[str, Any]:
    """A model as plain data. Scalars are slots at first; they become texts together, for they share definitions."""
    slots, frames = list[Slot](), _Frames(model)
    out = Out(slots, (), frames, {}, None)
    sections = to_data(file_of(model), out)
    formulas = Formulas(frames.graph, slots)
    tables = {key: TableSpec.of(table, key) for key, table in formulas.tables.items()}
    symbols = {alias: SymbolName(name) for alias, name in formulas.aliases.items()}
    shared = to_data(ModelFile(tables=tables, definitions={**symbols, **formulas.definitions()}), out)
    whole = {**_filled(sections, formulas), **{key: shared[key] for key in ("tables", "definitions") if key in shared}}
    return {key: whole[key] for key in field_table(ModelFile).keys if key in whole}


class _Frames:
    """The frames of a model's bodies, which are placed when a vector or a point is first written."""

    def __init__(self, model: Model) -> None:
        self.model, self.graph = model, model.graph.fork()

    @cached_property
    def natives(self) -> Natives:
        placed = PlacedBodies(self.graph)
        for recipe in self.model.bodies.values():
            placed.add(recipe)
        return Natives(placed)


class Out:
    """Writes the scalars of elements as slots, which become texts together: they share definitions."""

    __slots__ = ("frames", "path", "prefer", "slots", "words")

    def __init__(
        self, slots: list[Slot], path: ErrorPath, frames: _Frames, words: Mapping[int, str], prefer: str | None
    ) -> None:
        self.slots, self.path, self.frames, self.words, self.prefer = slots, path, frames, words, prefer

    def at(self, *parts: str | int) -> "Out":
        return Out(self.slots, self.path + parts, self.frames, self.words, self.prefer)

    def of(self, element: Element) -> "Out":
        """For the fields of an element: with the arguments of its laws, and the body along whose axes it writes."""
        return Out(self.slots, self.path, self.frames, element.argument_names(), element.vector_basis())

    def vector(self, value: Sequence[Components]) -> Any:
        """In as few frames as can be, {in: …, xyz: …} or a list of such."""
        terms = self.frames.natives.terms(self.frames.natives.placed.vector(value), self.prefer)
        made = [{"in": frame, "xyz": self._trio(xyz)} for frame, xyz in terms]
        return made[0] if len(made) == 1 else made

    def point(self, place: PointSpec) -> Any:
        value = self.frames.natives.placed.point(place)
        body = value.body
        if not value.offset and value.name == body.origin.name:
            return body.name
        if isinstance(body, Body) and (value.offset, value.name) == (body.centre.offset, body.centre.name):
            return {"body": body.name, "at": "com"}
        at, xyz = self.at("at"), self.frames.natives.inside(value.offset, body)
        at.prefer = body.name
        said = {"body": body.name, "at": at._trio(xyz) if xyz is not None else at.vector(place.at)}
        return said if value.name == body.point().name else {**said, "name": named(value.name, *self.path, "name")}

    def _trio(self, values: Any) -> list[Any]:
        return [self.at(k).scalar(v) for k, v in enumerate(values)]

    def scalar(self, value: Any) -> Any:
        """A slot for an expression; a number as it is."""
        return self._slot(value, {})

    def law(self, value: Any) -> Any:
        """A function of the element's own arguments."""
        return self._slot(value, {**argument_names(value), **self.words} if isinstance(value, Expr) else {})

    def _slot(self, value: Any, own: Mapping[int, str]) -> Any:
        number = value.graph.number(value.handle) if isinstance(value, Expr) else value
        if number is not None and (number is value or value.handle not in value.graph.broken):
            return exact_text(number)
        slot = Slot(value.handle, self.path, own)
        self.slots.append(slot)
        return slot

    def laws(self) -> int:
        """How many scalars were written so far."""
        return len(self.slots)

    def definitions(self, since: int) -> "_Local | None":
        """Where the definitions of the laws written since then will stand."""
        own = [slot for slot in self.slots[since:] if slot.inside]
        return _Local(*own) if own else None


class _Local:
    """Where the definitions of some laws will stand, if they need any."""

    def __init__(self, *laws: Slot) -> None:
        self.laws = laws


def _filled(data: Any, formulas: Formulas) -> Any:
    """The data with texts in place of slots."""
    kind = type(data)
    if kind is Slot:
        return formulas.value(data)
    if kind is list:
        return [_filled(v, formulas) for v in data]
    if kind is dict:
        made = {k: _filled(v, formulas) for k, v in data.items()}
        local = "definitions" in data and type(data["definitions"]) is _Local and not made["definitions"]
        return {k: v for k, v in made.items() if k != "definitions"} if local else made
    return {k: v for law in data.laws for k, v in formulas.local(law).items()} if kind is _Local else data
