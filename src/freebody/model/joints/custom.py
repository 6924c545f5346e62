"""A joint given by functions of its coordinates: cams, curved rails, knees, suspensions from tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from freebody.errors import FieldError, ModelError, within
from freebody.model.element import Given, Pattern, check_fields, field, normal_form
from freebody.model.joints.axes import direction, turn_about
from freebody.model.joints.base import GraphScope, Joint, Placement, check_names, scaled, zero_vector
from freebody.model.kinds import Direction, FieldKind, ListOf, NameList, Scalar, ScalarValue, Scope, as_list
from freebody.model.laws import Definitions, argument_names, argument_symbol, call_law, law_scope
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind as Symbols
from freebody.scalar.walk import substitute, symbols_of, transfer, values
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import dot3, transpose
from freebody.spatial.vector import Vector, vector

# Fields


@dataclass(frozen=True, eq=False)
class ForeignExpression:
    """An expression of another graph, with expressions of this graph for its parameters."""

    source: Graph
    handle: Node
    parameters: tuple[Node, ...]
    given: tuple[Expr, ...]


@dataclass(frozen=True)
class Formula(Scalar):
    """A function of the coordinates and of parameters: a text in their names, or an expression."""

    plain = False
    takes_arguments = True
    late = False
    type_name = "formula"

    def read(self, given: Any, scope: Scope) -> Any:
        x = super().read(given, scope)
        if isinstance(x, Expr):
            g, own = x.graph, argument_names(x)
            for i in symbols_of(g, [x.handle]):
                s = g.symbols[g.a[i]]
                if s.kind is not Symbols.PARAMETER and i not in own:
                    raise FieldError(f"it may depend on the joint's coordinates and parameters only, not on {s.name}")
        return x

    def write(self, value: Any, out: Any) -> Any:
        return out.law(value)

    def split(self, value: Any, scalars: list[Any]) -> Any:
        """The scalars are the parameters."""
        if not isinstance(value, Expr):
            return value
        g, h = value.graph, value.handle
        parameters = tuple(i for i in symbols_of(g, [h]) if g.symbols[g.a[i]].kind is Symbols.PARAMETER)
        scalars += [Expr(g, i) for i in parameters]
        parts = ("source", g), ("handle", h), ("parameters", parameters), ("given", (...,) * len(parameters))
        return Pattern(ForeignExpression, parts)


@dataclass(frozen=True)
class FormulaList(ListOf):
    """Several formulas, or a Python function of the coordinates that returns them."""

    item: FieldKind = Formula()

    def read(self, given: Any, scope: Scope) -> Any:
        return super().read(call_law(given, scope), scope)


@dataclass(frozen=True)
class RotationMatrix(FormulaList):
    """The rows of R. R Rᵀ = 1 and det R = 1 are checked at a few values of the coordinates, with the default values of
    the parameters."""

    type_name = "rows of R"

    def read(self, given: Any, scope: Scope) -> Any:
        rows = super().read(given, scope)
        if scope.arguments is None:
            return rows
        g = scope.graph
        known = {h: v for n, v in scope.values.items() if (h := g.named(n)) is not None}
        nodes = [x.handle if isinstance(x, Expr) else g.const(x) for row in rows for x in row]
        for at in (0.1, 0.37, -0.53):
            point = {x.handle: at * (k + 1) for k, x in enumerate(scope.arguments.values())}
            R = np.array([float(x) for x in values(g, nodes, {**known, **point})]).reshape(3, 3)
            if not np.allclose(R @ R.T, np.eye(3), atol=1e-9) or np.linalg.det(R) < 0:
                raise FieldError(
                    "it is not a rotation matrix where the coordinates are"
                    f" {', '.join(f'{v:g}' for v in point.values())}; its rows must be orthonormal"
                    " everywhere, with determinant 1. Or use turns"
                )
        return rows


class TurnList(FieldKind):
    """Pairs of an axis and a formula for the angle; {axis, angle} in a file."""

    type_name = "turns"
    takes_arguments = True

    def read(self, given: Any, scope: Scope) -> Any:
        turns = list[Any]()
        for k, turn in enumerate(as_list(call_law(given, scope))):
            with within(k):
                if isinstance(turn, Mapping):
                    for key in turn:
                        if key not in ("axis", "angle"):
                            raise FieldError(f"there is no key '{key}' here. There are axis, angle.", key, of_key=True)
                    for key in ("axis", "angle"):
                        if key not in turn:
                            raise FieldError(f"the key '{key}' is missing")
                    turn = turn["axis"], turn["angle"]
                axis, angle = as_list(turn, 2)
                with within("axis"):
                    axis = Direction().read(axis, scope)
                with within("angle"):
                    turns.append((axis, Formula().read(angle, scope)))
        return tuple(turns)

    def write(self, value: Any, out: Any) -> Any:
        return [
            {"axis": Direction().write(axis, out.at(k, "axis")), "angle": Formula().write(angle, out.at(k, "angle"))}
            for k, (axis, angle) in enumerate(value)
        ]

    def schema(self) -> dict[str, Any]:
        keys = {"axis": Direction().schema(), "angle": Formula().schema()}
        turn = {"type": "object", "properties": keys, "required": [*keys], "additionalProperties": False}
        return {"type": "array", "items": turn}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return (
            None
            if value is None
            else tuple((Direction().split(axis, scalars), Formula().split(angle, scalars)) for axis, angle in value)
        )


# The joint


@dataclass(frozen=True)
class Custom(Joint):
    """The pose of the child as functions of the coordinates: the ``position`` of its origin along the axes of the
    joint's frame in the parent, and its orientation there. The orientation is given by ``turns``, pairs (axis, angle),
    each about an axis of the frame that the previous ones produced, or by ``rotation``, the rows of R. Without a
    position the origin stays at the joint; without turns and rotation the axes stay parallel.

    A function is a text of the coordinates, parameters and ``definitions``, an expression, or a Python function of the
    coordinates that returns expressions. u = q̇; the map H(q) and its rate are obtained by differentiation.
    """

    position: Given[Sequence[ScalarValue] | Callable[..., Any]] = field(
        FormulaList(count=3), "along the axes of the joint's frame", default=None, unit="m"
    )
    turns: Given[Sequence[Any] | Callable[..., Any]] = field(
        TurnList(), "rotations, each about an axis of the frame that the previous ones produced", default=None
    )
    rotation: Given[Sequence[Sequence[ScalarValue]] | Callable[..., Any] | None] = field(
        RotationMatrix(FormulaList(count=3), 3), "instead of turns: the rows of R", default=None
    )
    coordinates: Given[str | Sequence[str]] = field(NameList(), "names of the coordinates", default=("s",))
    unit: Given[str | Sequence[str]] = field(
        NameList(keep=True), "unit of the coordinates: one, or one for each", default="", idle=True
    )
    definitions: Given[Mapping[str, ScalarValue] | None] = field(
        Definitions(), "texts by name that the functions may use", default=None, idle=True
    )
    kind: ClassVar[str] = "custom"
    composed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_fields(self)
        names = (self.coordinates,) if isinstance(self.coordinates, str) else self.coordinates
        if not isinstance(names, list | tuple):
            raise ModelError(f"a custom joint: coordinates must be a list of names, not {names!r}")
        names = check_names(names, tuple(names), "a custom joint: names of coordinates")
        object.__setattr__(self, "coordinates", names)
        if not isinstance(self.unit, str) and not isinstance(self.unit, Sequence):
            raise ModelError(f"a custom joint: unit must be a text, or one for each coordinate, not {self.unit!r}")
        if not names:
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
        units = (self.unit,) * len(self.coordinates) if isinstance(self.unit, str) else tuple(self.unit)
        if len(units) != len(self.coordinates):
            raise ModelError(f"{len(self.coordinates)} coordinates need as many units, not {len(units)}")
        return units, tuple(f"{unit or 1}/s" for unit in units)

    def law_scope(self, scope: Scope) -> Scope:
        return law_scope(scope, {n: argument_symbol(scope.graph, n) for n in self.coordinates}, self.definitions)

    def finalise(self, scope: Scope) -> Self:
        if self.definitions is None:
            return super().finalise(scope)
        return super(Custom, replace(self, definitions=None)).finalise(scope)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        g, none = parent.graph, zero_vector(parent.graph)
        joint = normal_form(self, GraphScope(g), late=False) if self._is_raw() else self
        path = CoordinatePath(g, self.coordinates, q, u)
        if joint.rotation is not None:
            R, columns, second = path.rotation([x for row in joint.rotation for x in row])
            frame = parent.oriented(name, R)
            turns, turn_remainder = [vector(frame, c) for c in columns], vector(frame, second)
        else:
            frame, turns, turn_remainder = joint._turned(parent, name, path)
        position, slides, slide_remainder = none, [none] * len(u), none
        if joint.position is not None:
            point, columns, second = path(joint.position)
            position, slide_remainder = vector(parent, point), vector(parent, second)
            slides = [vector(parent, c) for c in columns]
        return Placement(frame, position, turns, slides, turn_remainder, slide_remainder, list(u))

    def _is_raw(self) -> bool:
        """Whether it contains texts or Python functions, which are read first."""
        if any(map(callable, (self.position, self.turns, self.rotation))):
            return True
        angles, rows = [a for _, a in self.turns or ()], [x for row in self.rotation or () for x in row]
        return any(isinstance(x, str) for x in (*(self.position or ()), *angles, *rows))

    def _turned(self, parent: Frame, name: str, path: "CoordinatePath") -> tuple[Frame, list[Vector], Vector]:
        """ω = Σ θ̇ₖ eₖ; the remainder of its derivative is Σ (θ̈ₖ eₖ + ω of the previous turns × θ̇ₖ eₖ)."""
        none, turns = zero_vector(parent.graph), self.turns or ()
        frame, w, remainder, columns = parent, none, none, [none] * len(self.coordinates)
        for k, (axis, angle) in enumerate(turns):
            (value,), partials, (second,) = path((angle,))
            step, components = name + "'" * (len(turns) - 1 - k), direction(frame, axis, f"joint of '{name}'")
            frame, e = turn_about(frame, step, components, value)
            relative = scaled(e, path.rate([p for (p,) in partials]))
            remainder, w = remainder + scaled(e, second) + w.cross(relative), w + relative
            columns = [c + scaled(e, p) for c, (p,) in zip(columns, partials, strict=True)]
        return frame, columns, remainder


class CoordinatePath:
    """Functions of a joint's coordinates and their derivatives, where the coordinates are the nodes q and change at the
    speeds u."""

    def __init__(self, g: Graph, names: Sequence[str], q: Sequence[Node], u: Sequence[Node]) -> None:
        self.graph, self.u = g, u
        self.arguments = [argument_symbol(g, name).handle for name in names]
        self.q = dict(zip(self.arguments, q, strict=True))

    def __call__(self, formulas: Sequence[Any]) -> tuple[list[Node], list[list[Node]], list[Node]]:
        """Values, columns ∂/∂qⱼ, and the second derivatives without the terms of u̇."""
        nodes = self._nodes(formulas)
        return self._evaluated(nodes, self._partials(nodes))

    def rotation(self, formulas: Sequence[Any]) -> tuple[list[list[Node]], list[list[Node]], list[Node]]:
        """R, the columns of ω in the child's axes ([ω]× = Rᵀ Ṙ), and the remainder of the derivative of ω."""
        g, nodes, columns = self.graph, self._nodes(formulas), list[list[Node]]()
        e = transpose([nodes[0:3], nodes[3:6], nodes[6:9]])
        for D in self._partials(nodes):  # the vector of Rᵀ D: (e₃·d₂, e₁·d₃, e₂·d₁) of the columns
            d = transpose([D[0:3], D[3:6], D[6:9]])
            columns.append([dot3(g, e[(k + 2) % 3], d[(k + 1) % 3]) for k in range(3)])
        R, columns, second = self._evaluated(nodes, columns)
        return [R[0:3], R[3:6], R[6:9]], columns, second

    def rate(self, partials: Sequence[Node]) -> Node:
        """Σ ∂f/∂qⱼ uⱼ"""
        g, total = self.graph, self.graph.zero
        for p, u in zip(partials, self.u, strict=True):
            total = g.add(total, g.mul(p, u))
        return total

    def _nodes(self, formulas: Sequence[Any]) -> list[Node]:
        """The functions in this graph, of symbols that stand for the coordinates."""
        nodes = []
        for x in formulas:
            if isinstance(x, ForeignExpression):
                known = {h: e.handle for h, e in zip(x.parameters, x.given, strict=True)}
                nodes.append(transfer(x.source, [x.handle], self.graph, known)[x.handle])
            else:
                nodes.append(x.handle if isinstance(x, Expr) else self.graph.const(x))
        return nodes

    def _partials(self, nodes: Sequence[Node]) -> list[list[Node]]:
        return [jvp(self.graph, nodes, {s: self.graph.one}) for s in self.arguments]

    def _evaluated(
        self, nodes: Sequence[Node], columns: Sequence[Sequence[Node]]
    ) -> tuple[list[Node], list[list[Node]], list[Node]]:
        """The nodes, the columns, and the rate of Σ columnⱼ uⱼ at constant speeds, with q for the coordinates."""
        rates = [self.rate(row) for row in zip(*columns, strict=True)]
        values = substitute(self.graph, nodes, self.q)
        partials = [substitute(self.graph, c, self.q) for c in columns]
        second = jvp(self.graph, rates, dict(zip(self.arguments, self.u, strict=True)))
        return values, partials, substitute(self.graph, second, self.q)
