"""A joint given by functions of its coordinates: cams, curved rails, knees, suspensions read from tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from freebody.errors import FieldError, ModelError
from freebody.model.element import field, normal_form
from freebody.model.joints.base import Joint, Placement, chosen, direction, nothing, turn_about
from freebody.model.joints.column import along
from freebody.model.joints.curve import Along, Formulas, Turns
from freebody.model.joints.reading import Bare
from freebody.model.kinds import NameList, Scope
from freebody.model.laws import Definitions, LawScope, argument_symbol
from freebody.scalar.expr import Expr
from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, vector


@dataclass(frozen=True)
class Rotation(Formulas):
    """The rows of R: R Rᵀ = 1 and det R = 1, with the parameters' own values at some places of the coordinates."""

    type_name = "rows of R"

    def read(self, given: Any, scope: Scope) -> Any:
        rows = super().read(given, scope)
        if isinstance(scope, LawScope):
            self._require_orthonormal(rows, scope)
        return rows

    def _require_orthonormal(self, rows: Any, scope: LawScope) -> None:
        g = scope.graph
        known = {h: v for n, v in scope.values.items() if (h := g.named(n)) is not None}
        nodes = [x.handle if isinstance(x, Expr) else g.const(x) for row in rows for x in row]
        for at in (0.1, 0.37, -0.53):
            place = {x.handle: at * (k + 1) for k, x in enumerate(scope.arguments)}
            R = np.array([float(x) for x in values(g, nodes, {**known, **place})]).reshape(3, 3)
            if not np.allclose(R @ R.T, np.eye(3), atol=1e-9) or np.linalg.det(R) < 0:
                raise FieldError("it is not a rotation matrix where the coordinates are"
                                 f" {', '.join(f'{v:g}' for v in place.values())}; its rows must stay square to each"
                                 " other and of length 1, or give it as turns")  # fmt: skip


@dataclass(frozen=True)
class Custom(Joint):
    """``position`` of the child's origin along the axes of the joint's frame in the parent, and its orientation there:
    ``turns``, pairs of (axis, angle) one after another, each about axes of the frame as it has turned, or ``rotation``,
    the rows of R. Each is made of texts in the names of the ``coordinates`` (and of parameters), of expressions, or is
    a Python function of the coordinates that gives them; what is left out is 0, or no turn. u = q̇.

    The map H(q) and its rate come by differentiating. ``unit`` is the coordinates' (one, or one for each), and
    ``definitions`` are texts by name that the other texts may use.
    """

    position: Any = field(Formulas(count=3), "along the axes of the joint's frame", default=None, unit="m")
    turns: Any = field(Turns(), "one after another, about axes of the frame as it has turned", default=None)
    rotation: Any = field(Rotation(Formulas(count=3), 3), "or the rows of R", default=None)
    coordinates: Any = field(NameList(), "their names", default=("s",))
    unit: Any = field(NameList(keep=True), "of the coordinates: one, or one for each", default="", idle=True)
    definitions: Any = field(Definitions(), "texts by name that the others may use", default=None, idle=True)
    kind: ClassVar[str] = "custom"
    composed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.coordinates, str | list | tuple):
            raise ModelError(f"a custom joint: coordinates must be a list of names, not {self.coordinates!r}")
        given = (self.coordinates,) if isinstance(self.coordinates, str) else tuple(self.coordinates)
        object.__setattr__(self, "coordinates", chosen(given, given, "a custom joint: names of coordinates"))
        if not isinstance(self.unit, str) and not isinstance(self.unit, Sequence):
            raise ModelError(f"a custom joint: unit is a text, or one for each coordinate, not {self.unit!r}")
        if not given:
            raise ModelError("a custom joint needs at least one coordinate")
        if self.turns is not None and self.rotation is not None:
            raise ModelError("a custom joint has turns or a rotation, not both")
        if self.position is None and self.turns is None and self.rotation is None:
            raise ModelError("a custom joint needs a position, turns or a rotation as functions of its coordinates")

    @property
    def speeds(self) -> tuple[str, ...]:
        return tuple(self.coordinates)

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        given = (self.unit,) * len(self.coordinates) if isinstance(self.unit, str) else tuple(self.unit)
        if len(given) != len(self.coordinates):
            raise ModelError(f"{len(self.coordinates)} coordinates need as many units, not {len(given)}")
        return given, tuple(f"{unit or 1}/s" for unit in given)

    # What its fields say together

    def law_scope(self, scope: Scope) -> Scope:
        return LawScope(scope, {n: argument_symbol(scope.graph, n) for n in self.coordinates}, self.definitions)

    def finalise(self, scope: Scope) -> Self:
        if self.definitions is None:
            return super().finalise(scope)
        return super(Custom, replace(self, definitions=None)).finalise(scope)

    # Where it puts the child

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        ready = normal_form(self, Bare(g), late=False) if self._is_raw() else self
        path = Along(g, self.coordinates, q, u)
        frame, turns, turn_rest = ready._turned(parent, name, path)
        position, slides, slide_rest = ready._slid(parent, path)
        return Placement(frame, position, turns, slides, turn_rest, slide_rest, list(u))

    def _is_raw(self) -> bool:
        """Whether it holds texts or functions yet."""
        if any(map(callable, (self.position, self.turns, self.rotation))):
            return True
        angles, rows = [a for _, a in self.turns or ()], [x for row in self.rotation or () for x in row]
        return any(isinstance(x, str) for x in (*(self.position or ()), *angles, *rows))

    def _slid(self, parent: Frame, path: Along) -> tuple[Vector, list[Vector], Vector]:
        none = nothing(parent.graph)
        if self.position is None:
            return none, [none] * len(self.coordinates), none
        values, columns, rest = path(self.position)
        return vector(parent, values), [vector(parent, c) for c in columns], vector(parent, rest)

    def _turned(self, parent: Frame, name: str, path: Along) -> tuple[Frame, list[Vector], Vector]:
        if self.rotation is not None:
            return self._by_matrix(parent, name, path)
        return self._by_turns(parent, name, path)

    def _by_turns(self, parent: Frame, name: str, path: Along) -> tuple[Frame, list[Vector], Vector]:
        """ω = Σ θ̇ₖ eₖ; its rest is Σ (θ̈ₖ eₖ + ω before × θ̇ₖ eₖ)."""
        none = nothing(parent.graph)
        frame, w, rest, columns = parent, none, none, [none] * len(self.coordinates)
        turns = self.turns or ()
        for k, (along_what, angle) in enumerate(turns):
            (value,), partials, (second,) = path((angle,))
            said = name + "'" * (len(turns) - 1 - k)
            frame, axis = turn_about(frame, said, direction(frame, along_what, f"joint of '{name}'"), value)
            own = along(axis, path.rate([p for (p,) in partials]))
            rest, w = rest + along(axis, second) + w.cross(own), w + own
            columns = [c + along(axis, p) for c, (p,) in zip(columns, partials, strict=True)]
        return frame, columns, rest

    def _by_matrix(self, parent: Frame, name: str, path: Along) -> tuple[Frame, list[Vector], Vector]:
        """[ω]× = Rᵀ Ṙ in the child; its rest is the rate of these components for constant speeds."""
        R, columns, rest = path.turning([x for row in self.rotation for x in row])
        frame = parent.oriented(name, R)
        return frame, [vector(frame, c) for c in columns], vector(frame, rest)


