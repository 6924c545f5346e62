"""A joint given by its map H: the twist of the child relative to the parent is H β (Kwatny & Blankenship 1995)."""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import KW_ONLY, dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from freebody.errors import FieldError, ModelError
from freebody.model.element import field
from freebody.model.joints import algebra, exponential
from freebody.model.joints.base import Joint, Numbers, Placement, chosen, constant, nothing
from freebody.model.joints.column import Line, composed, line, moved, total
from freebody.model.joints.rates import Plan, Rates, Step
from freebody.model.kinds import FieldKind, ListOf, NameList, Scalar, Scope, Switch, as_list, entries
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import LARGEST, exact
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, vector

Rows = tuple[tuple[Any, ...], ...]


class Map(FieldKind):
    """Six rows of constants, or six constants for one column. Numbers belong to the structure."""

    type_name = "map"
    entry = Scalar(PARAMETERS_ONLY, exact=True)

    def read(self, given: Any, scope: Scope) -> Any:
        rows = [row if isinstance(row, Sequence | np.ndarray) and not isinstance(row, str) else (row,)
                for row in as_list(given)]  # fmt: skip
        return ListOf(ListOf(self.entry)).read(rows, scope)

    def write(self, value: Any, out: Any) -> Any:
        if len(value[0]) == 1:
            return [out.at(k).scalar(row[0]) for k, row in enumerate(value)]
        return ListOf(ListOf(self.entry)).write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [ListOf(ListOf(self.entry)).schema(), ListOf(self.entry, 6).schema()]}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return ListOf(ListOf(self.entry)).split(value, scalars)


@dataclass(frozen=True)
class Simple(Joint):
    """``H`` has six rows, the angular part first, in the child's frame at the child's origin; its columns are numbers,
    texts or expressions of parameters, of any length and at any angle, but none is a combination of the others.

    q = ε, the motions along the columns one after another, the first column nearest to the child; u = β, the
    quasi-velocities: the twist of the child is H u, and q̇ = Γ(q) u (Prop. 2). Columns whose brackets leave their span
    make no such joint: ``Compound`` has them one after another, and with ``holonomic=False`` u has a speed for each
    column and q a coordinate for each motion that the columns generate together.
    """

    H: Any = field(Map(), "six rows, the angular part first", default=())
    coordinates: Any = field(NameList(), "their names", default=None, idle=True)
    speeds: Any = field(NameList(), "their names", default=None, idle=True)
    holonomic: Any = field(Switch(), "whether the brackets of the columns must stay in their span", default=True)
    _: KW_ONLY
    further: Any = field(Map(), "the brackets that join the columns, as rows", default=None, derived=True)
    plan: Any = field(FieldKind(), "which rows q̇ is found from", default=None, derived=True)
    commuting: Any = field(FieldKind(), default=None, derived=True)
    kind: ClassVar[str] = "simple"

    def __post_init__(self) -> None:
        object.__setattr__(self, "H", six_rows(self.H, "a joint's map H"))
        if not any(isinstance(x, str) for row in self.H for x in row):
            self._settle("a joint's map H")

    def finalise(self, scope: Scope) -> Self:
        _require_rank(self.H, scope)
        return super().finalise(scope)

    def defaults(self) -> dict[str, Any]:
        """Names of coordinates and speeds as it gives them itself."""
        own = replace(self, coordinates=None, speeds=None)
        return {**super().defaults(), "coordinates": own.coordinates, "speeds": own.speeds}

    def _settle(self, who: str) -> None:
        """What follows from H: it is checked once, and what was found is kept."""
        put = object.__setattr__
        if not isinstance(self.holonomic, bool):
            raise ModelError(f"{who}: holonomic must be True or False, not {self.holonomic!r}")
        if self.plan is None:
            put(self, "further", as_rows(self._closed(who)))
            put(self, "plan", planned([*self.columns, *columns(self.further)]))
            put(self, "commuting", self.holonomic and algebra.commute(self.columns))
        q, u = self._names()
        put(self, "coordinates", chosen(self.coordinates, q, f"{who}: names of coordinates"))
        usual = self.coordinates if self.commuting else u
        put(self, "speeds", chosen(self.speeds, usual, f"{who}: names of speeds"))

    def _closed(self, who: str) -> list[algebra.Twist]:
        given = self.columns
        if algebra.leading(given) is None:
            raise ModelError(f"{who}: its {len(given)} columns are not independent; leave out those that follow from"
                             " the others")  # fmt: skip
        found = algebra.escapes(given)
        if found is None:
            return []
        if not self.holonomic:
            return algebra.closure(given)
        i, j, out = found
        raise ModelError(
            f"{who} is not a simple joint: the bracket of columns {i + 1} and {j + 1}, ({said(out)}), lies outside"
            " their span, so motions along the columns lead where they do not allow. Put them one after another,"
            f" Compound.of(H, r={(1,) * len(given)}), or let it be nonholonomic, Simple(H, holonomic=False)"
        )

    # What it has

    @property
    def columns(self) -> list[algebra.Twist]:
        return columns(self.H)

    @property
    def motions(self) -> list[algebra.Twist]:
        """The columns and what they generate: a motion for each coordinate."""
        return [*self.columns, *columns(self.further)]

    @property
    def rates(self) -> bool:
        return bool(self.commuting)

    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A letter and a number for each coordinate and each speed; one alone has none."""
        turning = [_turns(h) for h in self.motions]
        if len(turning) == 1:
            return ("",), ("",)
        q = tuple(f"{'a' if t else 's'}{k + 1}" for k, t in enumerate(turning))
        u = tuple(f"{'w' if t else 'v'}{k + 1}" for k, t in enumerate(turning[: len(self.columns)]))
        return q, u

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        turning = [_turns(h) for h in self.motions]
        made = tuple("rad" if t else "m" for t in turning)
        return made, tuple(f"{unit}/s" for unit in made[: len(self.columns)])

    # Where it puts the child

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g, who = parent.graph, f"joint of '{name}'"
        twists = [[constant(g, x, f"{who}: H") for x in h] for h in self.motions]
        lines = [line(g, *_halves(h)) for h in twists]
        if len(lines) == 1:
            return moved(parent, name, lines[0], q[0], u[0])
        whole, steps = _stacked(parent, name, lines, q)
        turns, slides = self._columns(twists, lines, whole.frame, steps)
        w, v = total(turns, u, g), total(slides, u, g)
        rates = list(u) if self.commuting else Rates(steps, q, w, v).found(self.plan)
        return Placement(whole.frame, whole.position, turns, slides, nothing(g), w.cross(v), rates)

    def _columns(
        self, twists: Sequence[Sequence[int]], lines: Sequence[Line], child: Frame, steps: Sequence[Step]
    ) -> tuple[list[Vector], list[Vector]]:
        """H's columns as vectors fixed in the child; where motions commute about lines through the origin, and for the
        nearest motion, by the axis that is shared with the frame before."""
        count = len(self.columns)
        shared = count if self.commuting and all(way.centre is None for way in lines) else 1
        turns, slides = [s.turn for s in steps[:shared]], [s.slide for s in steps[:shared]]
        for h in twists[shared:count]:
            turns.append(vector(child, _halves(h)[0]))
            slides.append(vector(child, _halves(h)[1]))
        return turns, slides

    # Numbers

    def _matrix(self) -> Numbers:
        if any(isinstance(x, Expr | str) for row in self.H for x in row):
            raise ModelError("a simple joint whose map holds parameters has no numbers to move along; give it numbers")
        return exponential.matrix(self.motions)

    def integrate(self, q: Numbers, delta: Numbers) -> Numbers:
        return q + delta if self.commuting else exponential.integrate(self._matrix(), q, delta)

    def difference(self, start: Numbers, end: Numbers) -> Numbers:
        if self.commuting:
            return end - start
        return exponential.difference(self._matrix(), start, end)[: len(self.columns)]

    def scatter(self, delta: Numbers) -> Numbers:
        more = len(self.motions) - len(delta)
        return exponential.spread(delta, more)


def six_rows(given: Any, who: str) -> Rows:
    """Six rows of as many entries each; six entries are one column."""
    rows: list[Any] = [x if isinstance(x, Sized) and not isinstance(x, str) else (x,) for x in _listed(given, who)]
    if len(rows) != 6 or len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= 6:
        raise ModelError(f"{who} has 6 rows (the angular part first) of 1 to 6 columns, or 6 entries for one column;"
                         f" not {_sizes(rows)}")  # fmt: skip
    return tuple(tuple(_entry(x, who) for x in row) for row in rows)


def _require_rank(rows: Rows, scope: Scope) -> None:
    """The columns are independent also where the parameters have their own values."""
    if not any(isinstance(x, Expr) for row in rows for x in row):
        return
    g = scope.graph
    known = {h: x for n, x in scope.values.items() if (h := g.named(n)) is not None}
    nodes = [x.handle if isinstance(x, Expr) else g.const(x) for row in rows for x in row]
    found, width = values(g, nodes, known, somewhere(0)), len(rows[0])
    if algebra.leading(columns([found[k : k + width] for k in range(0, len(found), width)])) is None:
        raise FieldError("with the parameters' own values its columns are not independent; change these values, or"
                         " leave out the columns that follow from the others", "H")  # fmt: skip


def _listed(given: Any, who: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ModelError(f"{who} has 6 rows (the angular part first) of 1 to 6 columns, not {given!r}")
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise ModelError(f"{who} has masked values; fill them, such as with .filled(0.0)")
    return entries(given)


def _entry(x: Any, who: str) -> Any:
    if isinstance(x, Expr | str):
        return algebra.tidy(x)
    if isinstance(x, Real):
        made = exact(x)
        return int(made) if -LARGEST <= made <= LARGEST and made == int(made) else made
    raise ModelError(f"{who} is made of numbers, texts and expressions, not of {x!r}")


def _sizes(rows: Sequence[Any]) -> str:
    return f"{len(rows)} rows of {', '.join(str(len(row)) for row in rows)}" if rows else "nothing"


def columns(rows: Any) -> list[algebra.Twist]:
    return [tuple(column) for column in zip(*rows, strict=True)]


def as_rows(twists: Sequence[algebra.Twist]) -> Rows:
    return tuple(tuple(row) for row in zip(*twists, strict=True))


def said(twist: algebra.Twist) -> str:
    """A twist for an error: ω; v."""
    shown = [str(x) for x in twist]
    return f"{', '.join(shown[:3])}; {', '.join(shown[3:])}"


def planned(motions: Sequence[algebra.Twist]) -> Plan:
    """Turns apart from slides where the turns' axes are independent, else all together."""
    turning = algebra.leading([h[:3] for h in motions if _turns(h)])
    sliding = algebra.leading([h[3:] for h in motions if not _turns(h)])
    if turning is not None and sliding is not None and len(turning) != 2:
        return turning, sliding
    rows = algebra.leading(motions)
    assert rows is not None
    return None, rows


def _turns(twist: algebra.Twist) -> bool:
    return any(isinstance(x, Expr) or x != 0 for x in twist[:3])


def _halves(h: Sequence[int]) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    a, b, c, x, y, z = h
    return (a, b, c), (x, y, z)


def _stacked(parent: Frame, name: str, lines: Sequence[Line], q: Sequence[int]) -> tuple[Placement, list[Step]]:
    """The motions one after another, the last one nearest to the parent (Cor. 1); the child's frame has its name."""
    g: Graph = parent.graph
    whole = Placement(parent, nothing(g), [], [], nothing(g), nothing(g), [])
    steps: list[Step] = []
    inner = next((k for k, way in enumerate(lines) if way.axis is not None), 0)
    for k in reversed(range(len(lines))):
        one = moved(whole.frame, name + "'" * (k - inner), lines[k], q[k], g.zero)
        whole = composed(whole, one, [g.zero] * (len(whole.turns) + 1))
        steps.insert(0, Step(one.frame, one.position, one.turns[0], one.slides[0]))
    return whole, steps
