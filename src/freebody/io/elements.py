"""Points, vectors, joints and solids of a file in the library's words."""

from collections.abc import Container, Mapping
from functools import cached_property
from typing import Any

from freebody.io import models
from freebody.io.forms import Turn
from freebody.io.lines import Places
from freebody.io.scope import Scope
from freebody.model.body import Reference
from freebody.model.kinds import suggest
from freebody.model.system import System
from freebody.model.texts import Texts
from freebody.scalar.expr import Expr
from freebody.tree.motion import Motion, whole_motion


class Written(Texts):
    """Reads elements in the scope of a file: its definitions and tables are known too."""

    def __init__(self, system: System, scope: Scope, root: "Written | None" = None) -> None:
        super().__init__(system)
        self.scope, self.root = scope, root or self

    def scalar(self, given: Any) -> Any:
        return self.system.tidy(self.scope.parsed(given), "a scalar is needed here", accelerations=True)

    def inner(self, names: Mapping[str, Expr]) -> "Written":
        return Written(self.system, self.scope.inner(names), self.root)

    @property
    def motion(self) -> Motion:
        return self.root._motion

    @cached_property
    def _motion(self) -> Motion:
        """The motion of all bodies; asked for when they are there."""
        return whole_motion(self.system)


class Elements:
    """The parts of bodies, loads and outputs, made in one system; every error says where in the file."""

    def __init__(self, system: System, scope: Scope, places: Places, named: Container[str]) -> None:
        """``named`` are the bodies of the file, those further down included."""
        self.system, self.scope, self.places, self.named = system, scope, places, named

    # Scalars

    def trio(self, given: Any, *path: str | int) -> list[Any]:
        return [self.scope.scalar(v, *path, k) for k, v in enumerate(given)]

    def rows(self, given: Any, *path: str | int) -> list[list[Any]]:
        return [self.trio(row, *path, k) for k, row in enumerate(given)]

    # Bodies and frames

    def body(self, name: str, *path: str | int) -> Reference:
        if name == "ground":
            return self.system.ground
        if name not in self.system.bodies and name in self.named:
            raise self.places.error(f"body '{name}' comes further down; a parent stands before its children", *path)
        if name not in self.system.bodies:
            raise self.places.error(f"'{name}' is no body. {suggest(name, ['ground', *self.system.bodies])}", *path)
        return self.system.bodies[name]

    # What bodies are made of

    def orient(self, given: Any, *path: str | int) -> Any:
        if given is None:
            return None
        if isinstance(given, Turn):
            return self._turn(given, *path)
        if given and isinstance(given[0], Turn):
            return [self._turn(turn, *path, k) for k, turn in enumerate(given)]
        return self.rows(given, *path)

    def _turn(self, given: Turn, *path: str | int) -> tuple[Any, Any]:
        axis = given.axis if isinstance(given.axis, str) else self.trio(given.axis, *path, "axis")
        return axis, self.scope.scalar(given.angle, *path, "angle")

    def inertia(self, given: Any, mass: Any, *path: str | int) -> Any:
        """Three moments, a matrix, or a solid of the body's own mass or another."""
        if given is None:
            return None
        if isinstance(given, list):
            matrix = any(isinstance(row, list) for row in given)
            return self.rows(given, *path) if matrix else self.trio(given, *path)
        word, solid = given.chosen
        sizes = self._sizes(solid, *path, word)
        own = mass if sizes.get("mass") is None else sizes["mass"]
        return models.SOLIDS[word](own, **{k: v for k, v in sizes.items() if k != "mass"})

    def _sizes(self, given: Any, *path: str | int) -> dict[str, Any]:
        said = {k: v for k, v in given if k in given.model_fields_set}
        return {k: v if k == "axis" else self.scope.scalar(v, *path, k) for k, v in said.items()}
