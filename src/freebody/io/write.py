"""Systems to model files: ``dumps(system)``, ``write(system, "arm.yaml")``. What is written reads back as an equal
system: ``loads(dumps(s), System).digest() == s.digest()``."""

import os
from collections.abc import Mapping
from dataclasses import fields
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
from freebody.model.element import fields_of, same
from freebody.model.joints import JOINTS, Joint, Universal, Weld
from freebody.model.joints.curve import words
from freebody.model.loads import Effort, Force, Line, Load, Torque
from freebody.model.mass import impossibility
from freebody.model.shapes import SHAPES
from freebody.model.system import System
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import Symbol
from freebody.spatial.vector import Vector


def dumps(system: System) -> str:
    """The system as the text of a model file."""
    return emitted(_Writer(system.copy()).data())


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
            "bodies": {named(b, "bodies"): self._body(s.bodies[b]) for b in s.bodies if not self._is_yoke(b)},
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

    def _is_yoke(self, name: str) -> bool:
        """Whether a body is the part of a universal joint that the reader adds."""
        owner = self.system.bodies.get(name.removesuffix(".yoke"))
        return name.endswith(".yoke") and owner is not None and self._yoke(owner) is not None

    def _yoke(self, body: Body) -> Recipe | None:
        """The recipe of a universal joint's yoke, for the body behind it: its one coordinate is called a2."""
        recipe = _recipe(body)
        if recipe.names != ((f"{body.name}.a2",),) * 2:
            return None
        return _recipe(self.system.bodies[recipe.parent])

    def _body(self, body: Body) -> dict[str, Any]:
        recipe, yoke, path = _recipe(body), self._yoke(body), ("bodies", body.name)
        first, joint = yoke or recipe, recipe.joint if yoke is None else _rejoined(yoke.joint, recipe.joint)
        said: dict[str, Any] = {} if first.parent == "ground" else {"on": first.parent}
        if (written := self._joint(joint, *path, "joint")) != Weld.kind:
            said["joint"] = written
        if not self._zero(first.at):
            said["at"] = self._trio(first.at, *path, "at")
        if first.orient is not None:
            said["orient"] = self._rows(first.orient, *path, "orient")
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
            return JOINTS.data(joint, Out(self.slots, path))
        except ModelError as error:
            raise FileError(str(error), key=spelled(path)) from None

    def _shape(self, shape: Any, *path: str | int) -> Any:
        if isinstance(shape, tuple):
            return [self._shape(one, *path, k) for k, one in enumerate(shape)]
        word = next((word for word, kind in SHAPES.items() if type(shape) is kind), None)
        if word is None:
            raise FileError(f"{shape!r} is no shape of freebody's; leave it out, or use {', '.join(SHAPES)}",
                            key=spelled(path))  # fmt: skip
        said = {f.name: getattr(shape, f.name) for f in fields(shape) if not same(getattr(shape, f.name), f.default)}
        return {word: {k: self._size(v, *path, word, k) for k, v in said.items()}}

    def _size(self, value: Any, *path: str | int) -> Any:
        if isinstance(value, tuple):
            return self._trio(value, *path)
        return value if isinstance(value, str) else self._scalar(value, *path)

    # Vectors and points

    def _vector(self, value: Vector, prefer: Reference | None, *path: str | int) -> Any:
        """In as few frames as can be, {in: …, xyz: …} or a list of such."""
        terms = self.natives.terms(value, prefer)
        made = [{"in": frame, "xyz": self._trio(xyz, *path)} for frame, xyz in terms]
        return made[0] if len(made) == 1 else made

    def _point(self, point: Point, *path: str | int) -> Any:
        body = point.body
        if not point.offset and point.name == body.origin.name:
            return body.name
        if isinstance(body, Body) and (point.offset, point.name) == (body.centre.offset, body.centre.name):
            return {"body": body.name, "at": "com"}
        said = {"body": body.name, "at": self._place(point, *path, "at")}
        return said if point.name == body.point().name else {**said, "name": named(point.name, *path, "name")}

    def _place(self, point: Point, *path: str | int) -> Any:
        xyz = self.natives.inside(point.offset, point.body)
        return self._trio(xyz, *path) if xyz is not None else self._vector(point.offset, point.body, *path)

    # Loads and outputs

    def _load(self, load: Load) -> dict[str, Any]:
        word = next((word for word, kind in LOADS.items() if type(load) is kind), None)
        if word is None:
            raise FileError(f"a {type(load).__name__} cannot be written; use {', '.join(LOADS)}",
                            key=spelled(("loads", load.name)))  # fmt: skip
        return {word: getattr(self, f"_{word}")(load, "loads", load.name, word)}

    def _force(self, load: Force, *path: str | int) -> dict[str, Any]:
        vector = self._vector(load.vector, load.at.body, *path, "vector")
        return {"vector": vector, "at": self._point(load.at, *path, "at"), **_reaction(load)}

    def _torque(self, load: Torque, *path: str | int) -> dict[str, Any]:
        return {"vector": self._vector(load.vector, load.on, *path, "vector"), "on": load.on.name, **_reaction(load)}

    def _line(self, load: Line, *path: str | int) -> dict[str, Any]:
        inside = {load.length.handle: "length", load.rate.handle: "rate"}
        law = Slot(load.law.handle, spelled((*path, "law")), inside)
        self.slots.append(law)
        start, end = self._point(load.start, *path, "from"), self._point(load.end, *path, "to")
        return {"from": start, "to": end, "law": law, "definitions": _Local(law)}

    def _effort(self, load: Effort, *path: str | int) -> dict[str, Any]:
        """On a speed; the two of a universal joint are its body's."""
        body, value = load.body, self._scalar(load.amount, *path, "value")
        if self._is_yoke(body.name):
            return {"on": body.name.removesuffix(".yoke"), "value": value, "speed": "a1"}
        if self._yoke(body) is not None:
            return {"on": body.name, "value": value, "speed": "a2"}
        speed = _recipe(body).joint.speeds[load.index]
        return {"on": body.name, "value": value, **({"speed": speed} if speed else {})}

    def _output(self, name: str, value: Any) -> Any:
        if isinstance(value, Vector):
            return self._vector(value, None, "outputs", name)
        return self._scalar(value, "outputs", name)


LOADS: Mapping[str, type[Load]] = {"force": Force, "torque": Torque, "line": Line, "effort": Effort}


class Out:
    """Writes the scalars of elements as slots, which become texts together: they share definitions."""

    def __init__(self, slots: list[Slot], path: ErrorPath) -> None:
        self.slots, self.path = slots, path

    def at(self, *parts: str | int) -> "Out":
        return Out(self.slots, self.path + parts)

    def scalar(self, value: Any) -> Any:
        """A slot for an expression; a number as it is."""
        return self._slot(value, {})

    def law(self, value: Any) -> Any:
        """A function of the element's own arguments."""
        return self._slot(value, words(value) if isinstance(value, Expr) else {})

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


def _recipe(body: Body) -> Recipe:
    return body.recipe


def _reaction(load: Any) -> dict[str, str]:
    return {} if load.reaction is None else {"reaction": load.reaction.name}


def _rejoined(first: Joint, second: Joint) -> Universal:
    """The universal joint of two hinges."""
    shared = {k: getattr(second, k) for f in fields_of(Joint) if (k := f.name) not in ("initial", "motion")}
    initial = (*(first.initial or (0.0,)), *(second.initial or (0.0,)))
    motion = (first.motion, second.motion)
    return Universal(
        getattr(first, "axis", "x"), getattr(second, "axis", "y"), **shared,
        initial=None if repr(initial) == "(0.0, 0.0)" else initial, motion=None if motion == (None, None) else motion,
    )  # fmt: skip


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
