"""Systems to model files: ``dumps(system)``, ``write(system, "arm.yaml")``. What is written reads back as an equal
system: ``loads(dumps(s), System).digest() == s.digest()``."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from freebody import files
from freebody.errors import FileError, ModelError, spelled
from freebody.errors import Path as ErrorPath
from freebody.io import limits
from freebody.io.emit import emitted
from freebody.io.formula import Formulas, Slot, exact_text
from freebody.io.native import Natives
from freebody.io.write_tables import listed, named
from freebody.model.body import Body, Point, Recipe, Reference, Tie
from freebody.model.element import Element
from freebody.model.joints import JOINTS, Joint, Weld
from freebody.model.laws import words
from freebody.model.loads import LOADS, Load
from freebody.model.mass import impossibility
from freebody.model.shapes import ShapeField
from freebody.model.system import System
from freebody.model.vectors import OutputField
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import Symbol
from freebody.spatial.vector import Vector


def dumps(system: System) -> str:
    """The system as the text of a model file."""
    return emitted(_Writer(system.copy(staged=False)).data())


def write(system: System, path: "str | os.PathLike[str]") -> Path:
    """The system as a model file."""
    return files.write_text(files.target(path, "a model", (".yaml", ".yml")), dumps(system))


class _Writer:
    """A system as plain data. Scalars are slots at first; they become texts together, for they share definitions."""

    def __init__(self, system: System) -> None:
        self.system, self.slots = system, list[Slot]()
        self.natives = Natives(system)

    def data(self) -> dict[str, Any]:
        s = self.system
        if len(s.bodies) > limits.BODIES:
            raise FileError(f"system '{s.name}' has {len(s.bodies)} bodies; a model file has at most {limits.BODIES}")
        made = {
            "gravity": self._gravity(), "parameters": self._parameters(), "inputs": self._inputs(),
            "states": {name: self._state(name) for name in s.states},
            "bodies": {named(b, "bodies"): self._body(s.bodies[b]) for b in s.bodies},
            "loads": {named(n, "loads"): self._load(load) for n, load in s.loads.items()},
            "outputs": {named(n, "outputs"): self._output(n, value) for n, value in s.outputs.items()},
        }  # fmt: skip
        formulas = Formulas(s.graph, self.slots)
        text = _filled(made, formulas)
        said = {"freebody": limits.FORMAT, "name": named(s.name, "name"), "gravity": text.pop("gravity")}
        before = {k: text.pop(k) for k in ("parameters", "inputs", "states")}
        middle = {"tables": listed(formulas.tables), "definitions": _definitions(formulas)}
        return {**said, **{k: v for k, v in {**before, **middle, **text}.items() if v}}

    # Scalars

    def _scalar(self, value: Any, *path: str | int) -> Any:
        """A slot for an expression; a number as it is."""
        if not isinstance(value, Expr):
            return exact_text(value)
        self.slots.append(Slot(value.handle, spelled(path)))
        return self.slots[-1]

    def _trio(self, values: Any, *path: str | int) -> list[Any]:
        return [self._scalar(v, *path, k) for k, v in enumerate(values)]

    def _rows(self, rows: Any, *path: str | int) -> list[Any]:
        return [self._trio(row, *path, k) for k, row in enumerate(rows)]

    def _zero(self, values: Any) -> bool:
        """Whether all are the exact number 0, which is what is left out."""
        return all(self._zero(v) if isinstance(v, tuple) else v.handle == self.system.graph.zero for v in values)

    def _symbol(self, handle: int) -> Symbol:
        g = self.system.graph
        return g.symbols[g.a[handle]]

    def _about(self, handle: int) -> dict[str, str]:
        """What is said of a symbol."""
        symbol = self._symbol(handle)
        said = {"unit": symbol.unit, "description": symbol.description}
        for key, text in said.items():
            if len(text) > limits.TEXT or limits.CONTROL.search(text):
                raise FileError(f"the {key} of '{symbol.name}' has control characters or is too long; change it")
        return {key: text for key, text in said.items() if text}

    # Sections

    def _gravity(self) -> list[Any]:
        s = self.system
        parts = {unit.index: Expr(s.graph, h) for unit, h in s.gravity.parts.items()}
        return [self._scalar(parts.get(k, 0), "gravity", k) for k in range(3)]

    def _parameters(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, value in self.system.values.items():
            about = self._about(self.system.graph.named(name) or 0)
            made[named(name, "parameters")] = {"value": value, **about} if about else value
        return made

    def _inputs(self) -> Any:
        made = {named(n, "inputs"): self._about(x.handle) or None for n, x in self.system.inputs.items()}
        return made if any(made.values()) else list(made)

    def _state(self, name: str) -> dict[str, Any]:
        state = self.system.states[named(name, "states")]
        initial = {"initial": state.initial} if repr(state.initial) != "0.0" else {}
        return {"rate": self._scalar(state.rate, "states", name, "rate"), **initial, **self._about(state.symbol.handle)}

    # Bodies

    def _body(self, body: Body) -> dict[str, Any]:
        recipe, path = body.recipe, ("bodies", body.name)
        said: dict[str, Any] = {} if recipe.parent == "ground" else {"on": recipe.parent}
        if (written := self._joint(recipe.joint, *path, "joint")) != Weld.kind:
            said["joint"] = written
        if not self._zero(recipe.at):
            said["at"] = self._trio(recipe.at, *path, "at")
        if recipe.orient is not None:
            said["orient"] = self._rows(recipe.orient, *path, "orient")
        tied = {} if recipe.tie is None else {"tie": self._tie(recipe.tie, *path, "tie")}
        return said | self._weight(recipe, *path) | tied

    def _tie(self, tie: Tie, *path: str | int) -> dict[str, Any]:
        g, said = self.system.graph, dict[str, Any](to=tie.to)
        for key, value, usual in (("ratio", tie.ratio, g.one), ("offset", tie.offset, g.zero)):
            said |= {key: self._scalar(value, *path, key)} if value.handle != usual else {}
        return said

    def _weight(self, recipe: Recipe, *path: str | int) -> dict[str, Any]:
        said: dict[str, Any] = {}
        if not self._zero((recipe.mass,)):
            said["mass"] = self._scalar(recipe.mass, *path, "mass")
        if not self._zero(recipe.com):
            said["com"] = self._trio(recipe.com, *path, "com")
        if not self._zero(recipe.inertia):
            said["inertia"] = self._inertia(recipe.inertia, *path, "inertia")
        if impossibility(recipe.inertia, recipe.mass, recipe.com):
            said["physical"] = False
        if recipe.shape is not None:
            said["shape"] = self._shape(recipe.shape, *path, "shape")
        return said

    def _inertia(self, rows: Any, *path: str | int) -> list[Any]:
        """Three moments where the products are zero, else the matrix."""
        products = tuple(rows[i][j] for i in range(3) for j in range(3) if i != j)
        return self._trio([rows[k][k] for k in range(3)], *path) if self._zero(products) else self._rows(rows, *path)

    def _joint(self, joint: Joint, *path: str | int) -> Any:
        try:
            return JOINTS.data(joint, self._out(*path))
        except ModelError as error:
            raise FileError(str(error), key=spelled(path)) from None

    def _shape(self, shape: Any, *path: str | int) -> Any:
        try:
            return ShapeField().write(shape, self._out(*path))
        except ModelError as error:
            raise FileError(str(error), key=spelled(path)) from None

    # Vectors and points

    # Loads and outputs

    def _load(self, load: Load) -> dict[str, Any]:
        path = ("loads", load.name)
        try:
            made: dict[str, Any] = LOADS.data(load, self._out(*path))
        except ModelError as error:
            raise FileError(str(error), key=spelled(path)) from None
        return made

    def _out(self, *path: str | int) -> "Out":
        return Out(self.slots, path, self.natives)

    def _output(self, name: str, value: Any) -> Any:
        return OutputField().write(value, self._out("outputs", name))




class Out:
    """Writes the scalars of elements as slots, which become texts together: they share definitions."""

    def __init__(
        self, slots: list[Slot], path: ErrorPath, natives: Natives, words: Mapping[int, str] | None = None,
        prefer: Reference | None = None,
    ) -> None:  # fmt: skip
        self.slots, self.path, self.natives, self.words, self.prefer = slots, path, natives, words or {}, prefer

    def at(self, *parts: str | int) -> "Out":
        return Out(self.slots, self.path + parts, self.natives, self.words, self.prefer)

    def of(self, element: Element) -> "Out":
        """For the fields of an element: with the arguments of its laws, and the body along whose axes it writes."""
        return Out(self.slots, self.path, self.natives, element.words(), element.carrier())

    def vector(self, value: Vector) -> Any:
        """In as few frames as can be, {in: …, xyz: …} or a list of such."""
        terms = self.natives.terms(value, self.prefer)
        made = [{"in": frame, "xyz": self._trio(xyz)} for frame, xyz in terms]
        return made[0] if len(made) == 1 else made

    def point(self, value: Point) -> Any:
        body = value.body
        if not value.offset and value.name == body.origin.name:
            return body.name
        if isinstance(body, Body) and (value.offset, value.name) == (body.centre.offset, body.centre.name):
            return {"body": body.name, "at": "com"}
        at, xyz = self.at("at"), self.natives.inside(value.offset, body)
        at.prefer = body
        said = {"body": body.name, "at": at._trio(xyz) if xyz is not None else at.vector(value.offset)}
        return said if value.name == body.point().name else {**said, "name": named(value.name, *self.path, "name")}

    def _trio(self, values: Any) -> list[Any]:
        return [self.at(k).scalar(v) for k, v in enumerate(values)]

    def scalar(self, value: Any) -> Any:
        """A slot for an expression; a number as it is."""
        return self._slot(value, {})

    def law(self, value: Any) -> Any:
        """A function of the element's own arguments."""
        return self._slot(value, {**words(value), **self.words} if isinstance(value, Expr) else {})

    def _slot(self, value: Any, own: Mapping[int, str]) -> Any:
        if not isinstance(value, Expr):
            return exact_text(value)
        self.slots.append(Slot(value.handle, spelled(self.path), own))
        return self.slots[-1]

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
    if isinstance(data, Slot):
        return formulas.value(data)
    if isinstance(data, _Local):
        return {k: v for law in data.laws for k, v in formulas.local(law).items()}
    if isinstance(data, dict):
        made = {k: _filled(v, formulas) for k, v in data.items()}
        return {k: v for k, v in made.items() if v or not isinstance(data[k], _Local)}
    return [_filled(v, formulas) for v in data] if isinstance(data, list) else data


def _definitions(formulas: Formulas) -> dict[str, Any]:
    return {**{alias: {"symbol": name} for alias, name in formulas.aliases.items()}, **formulas.definitions()}
