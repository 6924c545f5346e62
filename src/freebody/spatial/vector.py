"""Vectors and dyadics without a fixed basis: sums of scalars times unit vectors of any frames (Sayers 1991, Eqs 5–9).

A vector is stored as it was written (its native form). It is projected into a basis only on request,
``v.resolve(frame)``, or where a product needs two vectors in one frame; the frame taken is the one that needs the
fewest turns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, overload

from freebody.errors import ExpressionError, FrameError, GraphError
from freebody.scalar import tex
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.parse import parse
from freebody.scalar.walk import live, require_finite, transfer
from freebody.spatial.frame import Frame, Framed, NotCopied, Unit
from freebody.spatial.resolved import Terms, Vec, collected
from freebody.spatial.scalars import Triple, cross3, dot3
from freebody.tables import cut, short_formula

MANY = 24  # frames among which the best is looked for one by one
LONG, SHORT, TERMS = 600, 60, 300  # nodes of scalars that are printed, in closed form and as they are; terms of such
Scalar = Expr | float | Node | str
Key = TypeVar("Key")
Row = tuple[Expr, Expr, Expr]


class _Sum(NotCopied, Generic[Key]):
    """Σ scalar · unit vector, or Σ scalar · (unit vector ⊗ unit vector); terms that vanish are dropped."""

    __array_ufunc__ = None  # a NumPy number times a vector is a vector
    __slots__ = ("graph", "parts", "unit")

    def __init__(self, graph: Graph, parts: Mapping[Key, Node], unit: str = "") -> None:
        self.graph, self.unit = graph, unit
        self.parts = {units: s for units, s in parts.items() if s != graph.zero}

    def __add__(self, other: Self | int) -> Self:
        if isinstance(other, int) and other == 0:
            return self  # where ``sum`` begins
        self._check(other, "+")
        assert isinstance(other, type(self))
        parts = dict(self.parts)
        for units, s in other.parts.items():
            parts[units] = self.graph.add(parts[units], s) if units in parts else s
        return type(self)(self.graph, parts)

    __radd__ = __add__

    def __mul__(self, scalar: Scalar) -> Self:
        s = handle(self.graph, scalar, f"a {type(self).__name__.lower()} can be multiplied by a scalar only")
        return type(self)(self.graph, {units: self.graph.mul(s, x) for units, x in self.parts.items()})

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """The same terms, as they are written."""
        return isinstance(other, type(self)) and other.graph is self.graph and other.parts == self.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __repr__(self) -> str:
        return cut(str(self), "str(…)")

    def _repr_latex_(self) -> str | None:
        """The terms as they are written, unless a scalar is long."""
        from freebody.algebra import READABLE, latex

        terms = list[str]()
        for units, s in self.parts.items():
            if len(live(self.graph, [s])) > READABLE:
                return None
            factor = "" if s == self.graph.one else latex(self.graph, s)
            directions = [f"\\hat{{e}}_{{{tex.name(u.frame.name)},{u.index + 1}}}" for u in _units(units)]
            terms.append("\\,".join([*([f"\\left({factor}\\right)"] if factor else []), *directions]))
        return short_formula(" + ".join(terms) or "0")

    def __str__(self) -> str:
        """The terms in one line, as they are stored (Eq 5): "u.A·ground1 + u.B·A2", scalars in closed form."""
        units = ["⊗".join(map(repr, _units(key))) for key in self.parts]
        return sum_of_terms(zip(_texts(self.graph, list(self.parts.values())), units, strict=True), "·")

    def _check(self, other: object, sign: str) -> None:
        """Raise an error unless the other is of the same kind and graph."""
        if not isinstance(other, type(self)):
            raise ExpressionError(f"{self} {sign} {other!r}: a {type(self).__name__.lower()} is needed on both sides")
        if other.graph is not self.graph:
            raise GraphError(f"{self} and {other} belong to different systems")


def sum_of_terms(terms: Iterable[tuple[str, str]], product: str) -> str:
    """s1 e1 + s2 e2 − … from the texts of scalars and of unit vectors; ``product`` stands between them."""
    total = ""
    for s, unit in terms:
        negative, size = s.startswith("-") and not _is_sum(s), s.removeprefix("-")
        factor = f"({s}){product}" if _is_sum(s) else "" if size == "1" else f"{size}{product}"
        total += ((" + ", " - ") if total else ("", "-"))[negative] + factor + unit
    return total or "0"


def _is_sum(text: str) -> bool:
    """Whether a sign is outside all parentheses, after the beginning."""
    depth = 0
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if k and not depth and character in "+-" and text[k - 1] == " ":
            return True
    return False


def _texts(graph: Graph, nodes: Sequence[Node]) -> list[str]:
    """Scalars for reading, each in one line: closed forms (made in a graph of their own), or where these would be long
    the number of their nodes."""
    from freebody.algebra import closed_forms, text

    sizes = [len(live(graph, [h])) for h in nodes]
    own, result = Graph(), list[str]()
    for h, size in zip(nodes, sizes, strict=True):
        if size > LONG:
            result.append(f"[{size:,} operations]")
            continue
        copy = transfer(graph, [h], own)[h]
        try:
            result.append(text(own, closed_forms(own, [copy], limit=TERMS)[0]))
        except ExpressionError:  # too many terms, or no finite value
            result.append(f"({text(own, copy)})" if size <= SHORT else f"[{size:,} operations]")
    return result


def _units(key: Any) -> tuple[Unit, ...]:
    """The unit vectors of a term."""
    return key if isinstance(key, tuple) else (key,)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MeasuredExpr(Expr):
    """A node of a graph and its unit: a component of a vector that has one."""

    unit: str = ""


COMPONENTS = {**{name: name.lower() for name in "xyzXYZ"}, "components": "x", "to_matrix": "x", "express": "x"}
"""Attributes that vectors of other libraries have, with the axis that a hint shows."""


LENGTHS = ("magnitude", "length", "size", "abs", "mag")
"""Attributes with which other libraries return the length of a vector."""


def _components_hint(axis: str) -> str:
    return (
        f"Write v.dot(body.{axis}) for its component along the {axis} axis of a body, v.dot(s.ground.{axis}) along"
        f" that of the ground, or v.resolve(body) for all three"
    )


class Vector(_Sum[Unit]):
    """Σ scalar · unit vector. ``unit`` is its unit of measurement where that is known, as of a position: a label for
    outputs."""

    __slots__ = ()

    def in_unit(self, unit: str) -> "Vector":
        """The same vector with this unit."""
        return Vector(self.graph, self.parts, unit)

    def __add__(self, other: "Vector | int") -> "Vector":
        total = super().__add__(other)
        if isinstance(other, Vector):
            total.unit = self.unit if self.unit == other.unit or not other else other.unit if not self else ""
        return total

    __radd__ = __add__

    def __sub__(self, other: "Vector") -> "Vector":
        self._check(other, "-")
        return self + (-other)

    def __neg__(self) -> "Vector":
        return Vector(self.graph, {unit: self.graph.neg(s) for unit, s in self.parts.items()}, self.unit)

    def __truediv__(self, scalar: Scalar) -> "Vector":
        s = handle(self.graph, scalar, "a vector can be divided by a scalar only")
        parts = {unit: self.graph.div(x, s) for unit, x in self.parts.items()}
        require_finite(self.graph, list(parts.values()), "vector")
        return Vector(self.graph, parts)

    def __bool__(self) -> bool:
        """Whether anything is left of it: the zero vector has no terms."""
        return bool(self.parts)

    @overload
    def dot(self, other: "Vector") -> Expr: ...

    @overload
    def dot(self, other: "Dyadic") -> "Vector": ...

    def dot(self, other: "Vector | Dyadic") -> "Expr | Vector":
        """The scalar product; with a dyadic Σ s a b the vector Σ s (v · a) b, so that v.dot(body.basis) is v in the
        basis of a body (Eq 7)."""
        if isinstance(other, Dyadic):
            return other.transposed.dot(self).in_unit(self.unit)
        self._check(other, "·")
        unit = self.unit if other.is_axis else other.unit if self.is_axis else ""
        return self._measured(dot(self, other), unit)

    @property
    def is_axis(self) -> bool:
        """Whether it is a unit vector of a frame, or its negative."""
        return not self.unit and [abs(self.graph.number(s) or 0) for s in self.parts.values()] == [1]

    def _measured(self, handle: Node, unit: str) -> Expr:
        return MeasuredExpr(self.graph, handle, unit) if unit else Expr(self.graph, handle)

    def cross(self, other: "Vector") -> "Vector":
        """The vector product, in the frame that needs the fewest turns."""
        self._check(other, "×")
        frame = meeting([*self.parts, *other.parts])
        if frame is None:
            return Vector(self.graph, {})
        return vector(frame, cross3(self.graph, components(self, frame), components(other, frame)))

    def outer(self, other: "Vector") -> "Dyadic":
        """The dyadic a b, for inertia written as Σ s a b, and for basis dyadics (Eq 6)."""
        self._check(other, "⊗")
        pairs = ((a, b) for a in self.parts for b in other.parts)
        return Dyadic(self.graph, {(a, b): self.graph.mul(self.parts[a], other.parts[b]) for a, b in pairs})

    def norm(self) -> Expr:
        """The length."""
        return self._measured(self.graph.sqrt(dot(self, self)), self.unit)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            axis = COMPONENTS.get(name, "")
            hint = f". {_components_hint(axis)}" if axis else ""
            hint = ". Write v.norm() for its length" if name in LENGTHS else hint
            raise AttributeError(f"'Vector' object has no attribute '{name}'{hint}", name=name, obj=self)

    def __getitem__(self, index: object) -> NoReturn:
        axis = "xyz"[index] if isinstance(index, int) and 0 <= index < 3 else "x"
        raise FrameError(
            f"a vector cannot be indexed: it has components only along the axes of a frame. {_components_hint(axis)}"
        )

    def __matmul__(self, other: object) -> NoReturn:
        raise ExpressionError("vectors have no product @: write a.dot(b) for the scalar product, or a.cross(b)")

    def __abs__(self) -> NoReturn:
        raise ExpressionError("write v.norm() for the length of a vector")

    def resolve(self, frame: Framed) -> tuple[Expr, Expr, Expr]:
        """The three components in a frame (or in a body's)."""
        x, y, z = (self._measured(s, self.unit) for s in components(self, frame.frame))
        return x, y, z

    def within(self, frame: Framed) -> "Vector":
        """The same vector, written in the basis of a body or frame: v · B of Eqs 7 and 8."""
        return vector(frame.frame, components(self, frame.frame)).in_unit(self.unit)


class Dyadic(_Sum[tuple[Unit, Unit]]):
    """Σ scalar · unit vector ⊗ unit vector."""

    __slots__ = ()

    @overload
    def dot(self, v: Vector) -> Vector: ...

    @overload
    def dot(self, v: "Dyadic") -> "Dyadic": ...

    def dot(self, v: "Vector | Dyadic") -> "Vector | Dyadic":
        """Σ s a (b · v) of a vector; of a dyadic Σ t c d the dyadic Σ s t (b · c) a d, as in B · I · B (Eq 19)."""
        g = self.graph
        if isinstance(v, Dyadic):
            product, one = Dyadic(g, {}), g.one
            for (a, b), s in self.parts.items():
                for (c, d), t in v.parts.items():
                    inner = dot(Vector(g, {b: one}), Vector(g, {c: one}))
                    product = product + Dyadic(g, {(a, d): g.mul(g.mul(s, t), inner)})
            return product
        if not isinstance(v, Vector):
            raise ExpressionError(f"{self} · {v!r}: the product of a dyadic is with a vector or a dyadic")
        total = Vector(g, {})
        for (a, b), s in self.parts.items():
            total = total + Vector(g, {a: g.mul(s, dot(Vector(g, {b: g.one}), v))})
        return total

    @property
    def transposed(self) -> "Dyadic":
        """Σ s b a"""
        return Dyadic(self.graph, {(b, a): s for (a, b), s in self.parts.items()})

    def resolve(self, frame: Framed) -> tuple[Row, Row, Row]:
        """The 3×3 matrix of its components in a body or frame."""
        x, y, z = (tuple(Expr(self.graph, s) for s in row) for row in self.matrix(frame.frame))
        return x, y, z  # type: ignore[return-value]

    def matrix(self, frame: Frame) -> tuple[Triple, Triple, Triple]:
        """The nodes of its components in a frame."""
        g, rows = self.graph, [[self.graph.zero] * 3 for _ in range(3)]
        for (a, b), s in self.parts.items():
            left, right = (components(Vector(g, {unit: g.one}), frame) for unit in (a, b))
            for i in range(3):
                for j in range(3):
                    rows[i][j] = g.add(rows[i][j], g.mul(s, g.mul(left[i], right[j])))
        x, y, z = ((r[0], r[1], r[2]) for r in rows)
        return x, y, z

    def within(self, frame: Framed) -> "Dyadic":
        """The same dyadic in the basis of a body or frame: B · D · B (Eq 19)."""
        return dyadic(frame.frame, self.matrix(frame.frame))


def handle(graph: Graph, scalar: Any, complaint: str, context: str = "") -> Node:
    """The node of a scalar given as an expression of this graph (or of one that it is a fork of), a number or text;
    ``context`` says whose it is."""
    if isinstance(scalar, Expr):
        if scalar.graph is not graph and not graph.holds(scalar.graph, scalar.handle):
            raise GraphError(f"{scalar} belongs to another system")
        return scalar.handle
    if isinstance(scalar, str):
        return parse(graph, scalar, context=context)
    if isinstance(scalar, Vector | Dyadic):
        raise ExpressionError(f"{complaint}, not by {type(scalar).__name__.lower()} {scalar!r}")
    try:
        return graph.const(scalar)
    except ExpressionError as error:
        raise ExpressionError(f"{context}: {error}" if context else str(error)) from None


def vector(frame: Frame, xyz: Iterable[Node]) -> Vector:
    """A vector from its components in a frame."""
    g, parts = frame.graph, {}
    for (sign, unit), s in zip(frame.basis, xyz, strict=True):
        parts[unit] = s if sign > 0 else g.neg(s)
    return Vector(g, parts)


def components(v: Vector, frame: Frame) -> Triple:
    """The components of a vector in a frame."""
    return collected(frame, terms(v, frame)).xyz


def terms(v: Vector, frame: Frame) -> Terms:
    """A vector as terms, each in the frame nearest to this one in which it lies along axes."""
    g, triples = v.graph, dict[Frame, list[Node]]()
    for unit, s in v.parts.items():
        home, axis, sign = nearest(unit, frame)
        triple = triples.setdefault(home, [g.zero] * 3)
        triple[axis] = g.add(triple[axis], s if sign > 0 else g.neg(s))
    return tuple(Vec(home, (c[0], c[1], c[2])) for home, c in triples.items())


def nearest(unit: Unit, frame: Frame) -> tuple[Frame, int, int]:
    """The frame nearest to another in which a unit vector is an axis: (frame, axis, sign). Frames take axes over from
    their parents alone, so those that have it follow each other from its own one on."""
    best, axis = unit.frame, (unit.index, 1)
    for candidate in reversed(frame.path(unit.frame)[:-1]):
        there = candidate.axis_of(unit)
        if there is None:
            break
        best, axis = candidate, there
    return best, *axis


def meeting(units: Iterable[Unit]) -> Frame | None:
    """The frame in which these unit vectors are expressed with the fewest turns."""
    needed = list(dict.fromkeys(units))
    candidates = list(dict.fromkeys(u.frame for u in needed))
    if not candidates:
        return None
    if len(candidates) > MANY:  # along a long chain every so many of them will do
        candidates = sorted(candidates, key=lambda f: f.depth)[:: len(candidates) // MANY + 1]
    return min(candidates, key=lambda f: (sum(len(nearest(u, f)[0].path(f)) for u in needed), -f.depth))


def dot(a: Vector, b: Vector) -> Node:
    """a · b as a node; 0 at once for unit vectors of one frame, 1 for the same one."""
    frame = meeting([*a.parts, *b.parts]) if a.parts and b.parts else None
    if frame is None:
        return a.graph.zero
    return dot3(a.graph, components(a, frame), components(b, frame))


def dyadic(frame: Frame, matrix: Iterable[Iterable[Node]]) -> Dyadic:
    """A dyadic from its matrix in a frame (Eq 18)."""
    g, parts = frame.graph, {}
    for (s1, a), row in zip(frame.basis, matrix, strict=True):
        for (s2, b), value in zip(frame.basis, row, strict=True):
            parts[a, b] = value if s1 * s2 > 0 else g.neg(value)
    return Dyadic(g, parts)
