"""Points, vectors, joints and solids of a file in the library's words."""

from collections.abc import Container, Mapping
from functools import cached_property
from typing import Any

from freebody.errors import Path
from freebody.io import models
from freebody.io.forms import Keys, Turn
from freebody.io.lines import Places
from freebody.io.scope import Scope, located
from freebody.model import shapes
from freebody.model.body import Point, Reference
from freebody.model.frames import frame_before
from freebody.model.kinds import suggest
from freebody.model.system import System
from freebody.scalar.expr import Expr
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, vector
from freebody.tree.motion import Motion, whole_motion


class Written:
    """Reads the scalars of elements in the scope of a file."""

    def __init__(self, system: System, scope: Scope) -> None:
        self.system, self.scope = system, scope
        self.graph = system.graph
        self.values: Mapping[str, float] = system.values

    def scalar(self, given: Any) -> Any:
        return self.system.tidy(self.scope.parsed(given), "a scalar is needed here", accelerations=True)

    def inner(self, names: Mapping[str, Expr]) -> "Written":
        return Written(self.system, self.scope.inner(names))


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

    def frame(self, given: str, *path: str | int) -> Frame:
        """The frame of a body, or with ``@k`` behind its name the one k turns before."""
        name, at, back = given.rpartition("@")
        if given in self.system.bodies or not (at and back.isascii() and back.isdigit()):
            return self.body(given, *path).frame
        with located(self.places, *path):
            return frame_before(self.body(name, *path), int(back))

    # Points and vectors

    @cached_property
    def motion(self) -> Motion:
        """The motion of all bodies; asked for when they are there."""
        return whole_motion(self.system)

    def point(self, given: models.Point, *path: str | int) -> Point:
        body = self.body(given.body, *path, "body")
        if given.at == "com":
            with located(self.places, *path, "at"):
                made = body.centre
        elif "at" in given.model_fields_set:
            made = body.point(self.place(given.at, body, *path, "at"))
        else:
            made = body.origin
        return Point(body, made.offset, made.name if given.name is None else given.name)

    def place(self, given: Any, body: Reference, *path: str | int) -> Vector:
        """A vector, or three components along the body's axes."""
        if isinstance(given, list) and not all(isinstance(v, Keys) for v in given):
            return body.vector(self.trio(given, *path))
        return self.vector(given, *path)

    def vector(self, given: Any, *path: str | int) -> Vector:
        if isinstance(given, str):
            return self._axis(given, *path)
        if isinstance(given, list):
            terms = [self._term(term, *path, k) for k, term in enumerate(given)]
            return sum(terms, start=Vector(self.system.graph, {}))
        return self._term(given, *path)

    def _axis(self, given: str, *path: str | int) -> Vector:
        """lower.y is the second axis of lower, -lower.y its negative."""
        frame, dot, axis = given.removeprefix("-").rpartition(".")
        if not dot or axis not in ("x", "y", "z"):
            raise self.places.error(f"'{given}' is no vector: write body.x, or {{in: body, xyz: [1, 0, 0]}}", *path)
        g = self.system.graph
        made = vector(self.frame(frame, *path), [g.one if k == axis else g.zero for k in "xyz"])
        return -made if given.startswith("-") else made

    def _term(self, given: Any, *path: str | int) -> Vector:
        if isinstance(given, models.Along):
            frame = self.frame(given.in_, *path, "in")
            xyz = [self.system.scalar(v, "a vector", True) for v in self.trio(given.xyz, *path, "xyz")]
            return vector(frame, [v.handle for v in xyz])
        with located(self.places, *path):
            return self._moving(given, path)

    def _moving(self, given: Any, path: Path) -> Vector:
        """Positions, velocities and accelerations, as the system's own methods give them."""
        match given:
            case models.Position(position=end, of=start):
                begin = self.system.ground.origin if start is None else self.point(start, *path, "of")
                return self.motion.position(begin, self.point(end, *path, "position"))
            case models.Velocity(velocity=point):
                return self.motion.velocity(self.point(point, *path, "velocity"))
            case models.Acceleration(acceleration=point):
                return self.motion.acceleration_of(self.point(point, *path, "acceleration"))
            case models.AngularVelocity(angular_velocity=body):
                return self.motion.angular_velocity(self.body(body, *path, "angular velocity"))
            case models.AngularAcceleration(angular_acceleration=body):
                return self.motion.angular_acceleration(self.body(body, *path, "angular acceleration"))
            case models.ReactionForce(reaction_force=body):
                return self.system.reaction_force(self.body(body, *path, "reaction force"))
        return self.system.reaction_torque(self.body(given.reaction_torque, *path, "reaction torque"))

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

    def shape(self, given: Any, *path: str | int) -> Any:
        if given is None:
            return None
        if isinstance(given, list):
            return tuple(self.shape(one, *path, k) for k, one in enumerate(given))
        word, shape = given.chosen
        return shapes.SHAPES[word](**self._sizes(shape, *path, word))

    def _sizes(self, given: Any, *path: str | int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key in given.model_fields_set:
            value = getattr(given, key)
            if isinstance(value, list):
                made[key] = self.trio(value, *path, key)
            else:
                made[key] = value if key in ("axis", "file") else self.scope.scalar(value, *path, key)
        return made
