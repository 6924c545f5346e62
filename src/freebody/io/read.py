"""Model files to systems: ``read("arm.yaml", System)``, ``loads(text, System)``."""

import os
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeVar

from freebody.errors import FreebodyError, ModelError
from freebody.io import limits
from freebody.io.lines import Places, compose
from freebody.io.schema import validated
from freebody.io.scope import LOCAL, Scope, located
from freebody.model.accelerations import Names
from freebody.model.loads import Load
from freebody.model.system import System, reserved
from freebody.model.vectors import OutputField
from freebody.scalar.expr import Expr
from freebody.scalar.table import Table, table

Made = TypeVar("Made", bound=System)


def read(path: "str | os.PathLike[str]", make: Callable[[str], Made]) -> Made:
    """The system of a model file; ``make`` is the class of systems."""
    return loads(limits.contents(path), make, os.fspath(path))


def loads(text: str, make: Callable[[str], Made], name: str = "<text>") -> Made:
    """The system of a model file's text; errors call the text ``name``."""
    limits.check(text, name)
    places = Places(compose(text, name), name, text)
    model = validated(places)
    system = make(model.name)
    own = system.scope
    try:
        _Builder(system, model, places).build()
    finally:
        system.scope = own
    return system


class _Builder:
    """A file's data told to a system, section by section."""

    def __init__(self, system: System, model: Any, places: Places) -> None:
        from freebody.io.elements import Elements, Written

        self.system, self.model, self.places = system, model, places
        self.scope = Scope(Names(system), places, {})
        self.elements = Elements(system, self.scope, places, model.bodies)
        system.scope = Written(system, self.scope)

    def build(self) -> None:
        self._scalars()
        for key, given in self.model.tables.items():
            self.scope.tables[key] = self._table(key, given)
        for name, given in self.model.definitions.items():
            self.scope.define(name, given, "definitions", name)
        for name, given in self.model.bodies.items():
            self._body(name, given)
        for name, given in self.model.bodies.items():
            self._tie(name, given.tie)
        for name, given in self.model.states.items():
            rate = self._scalar(given.rate, "states", name, "rate")
            with located(self.places, "states", name, "rate"):
                made = self.system.scalar(rate, f"rate of state '{name}'")
            self.system.states[name] = replace(self.system.states[name], rate=made)
        gravity = [self._scalar(v, "gravity", k) for k, v in enumerate(self.model.gravity)]
        with located(self.places, "gravity"):
            self.system.gravity = gravity
        loads = self.model.loads
        for key, (name, load) in enumerate(loads) if isinstance(loads, list) else loads.items():
            self._load(key, name, load)
        for name, given in self.model.outputs.items():
            self._output(name, given)
        self.scope.finish()

    # Scalars and tables

    def _scalars(self) -> None:
        s, number = self.system, self.scope.number
        for name, given in self.model.parameters.items():
            value = number(given.value, "parameters", name, "value")
            with located(self.places):
                s.parameter(name, value, given.unit, given.description)
        for name, given in self.model.inputs.items():
            with located(self.places):
                s.input(name, given.unit, given.description)
        for name, given in self.model.states.items():
            initial = number(given.initial, "states", name, "initial")
            with located(self.places):
                s.state(name, 0, initial, given.unit, given.description)

    def _table(self, key: str, given: Any) -> Table:
        """A table through points, or of pieces as they are."""
        path = ("tables", key)
        if not key.isidentifier() or reserved(key):
            why = f"it is {reserved(key)}; choose another" if reserved(key) else "use a word that is no function"
            raise self.places.error(f"'{key}' cannot name a table: {why}", *path)
        name = key if given.name is None else given.name
        with located(self.places, *path):
            if given.x is not None:
                x, y = self._numbers(given.x, *path, "x"), self._numbers(given.y, *path, "y")
                return table(name, x, y, given.method, given.outside)
            rows = [self._numbers(row, *path, "coefficients", k) for k, row in enumerate(given.coefficients)]
            breaks = self._numbers(given.breaks, *path, "breaks")
            origins = self._numbers(given.origins, *path, "origins")
            return _pieces(name, breaks, origins, rows)

    def _numbers(self, given: Any, *path: str | int) -> tuple[float, ...]:
        return tuple(self.scope.number(v, *path, k) for k, v in enumerate(given))

    def _scalar(self, given: Any, *path: str | int) -> Any:
        """A scalar of the whole system, not of one law."""
        made = self.scope.scalar(given, *path)
        assert not isinstance(made, Expr) or not self.system.graph.mask[made.handle] & LOCAL
        return made

    # Bodies

    def _body(self, name: str, given: Any) -> None:
        path, e = ("bodies", name), self.elements
        mass = self._scalar(given.mass, *path, "mass")
        with located(self.places, *path, "inertia"):
            inertia = e.inertia(given.inertia, mass, *path, "inertia")
        with located(self.places):
            self.system.body(
                name, on=e.body(given.on, *path, "on"), joint=given.joint,
                at=e.trio(given.at, *path, "at"), orient=e.orient(given.orient, *path, "orient"), mass=mass,
                com=e.trio(given.com, *path, "com"), inertia=inertia,
                about=None if given.about is None else e.trio(given.about, *path, "about"),
                shape=given.shape, physical=given.physical,
            )  # fmt: skip

    def _tie(self, name: str, given: Any) -> None:
        path = ("bodies", name, "tie")
        if given is not None:
            ratio, offset = self._scalar(given.ratio, *path, "ratio"), self._scalar(given.offset, *path, "offset")
            with located(self.places):
                self.system.tie(name, self.elements.body(given.to, *path, "to"), ratio, offset)

    # Loads and outputs

    def _load(self, key: str | int, name: str, load: Load) -> None:
        if isinstance(key, str) and name:
            text = "its name stands before it already; leave this one out"
            raise self.places.error(text, "loads", key, load.kind, "name")
        try:
            self.system.add(load, key if isinstance(key, str) else name)
        except (FreebodyError, ArithmeticError) as error:
            with located(self.places):
                if isinstance(error, FreebodyError):
                    error.path = ("loads", key, *error.path[2:])
                raise

    def _output(self, name: str, given: Any) -> None:
        with located(self.places, "outputs", name):
            value = OutputField().read(given, self.system.scope)
        with located(self.places):
            self.system.output(name, value)


def _pieces(name: str, breaks: Any, origins: Any, rows: Any) -> Table:
    """A table from its pieces, checked."""
    widths = {len(row) for row in rows}
    if not (len(breaks) + 1 == len(origins) == len(rows)) or len(widths) != 1 or 0 in widths or not breaks:
        raise ModelError("n breaks need n + 1 origins and n + 1 rows of coefficients, all of one length")
    if any(not a < b for a, b in pairwise(breaks)):
        raise ModelError("the breaks must increase")
    return Table(name, tuple(breaks), tuple(origins), tuple(rows))
