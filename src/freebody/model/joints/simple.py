"""A joint given by its map H: the twist of the child relative to the parent is H β (Kwatny & Blankenship 1995)."""

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import KW_ONLY, dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from freebody.errors import FieldError, ModelError
from freebody.model.element import Given, check_fields, field
from freebody.model.joints import manifold, twists
from freebody.model.joints.axes import move_along, screw_axis
from freebody.model.joints.base import Array, Joint, Placement, check_names, combined, constant, scaled, zero_vector
from freebody.model.joints.twists import Twist
from freebody.model.kinds import Boolean, FieldKind, ListOf, NameList, Scalar, Scope, as_list, entries
from freebody.numeric import as_python
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import LARGEST, Number, exact
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, components, vector

Rows = tuple[tuple[Any, ...], ...]
Plan = tuple[tuple[int, ...] | None, tuple[int, ...]]
"""The rows from which q̇ is computed: of ω for the rotations (None: not separately) and of v for the translations (or of
the whole twist)."""


class TwistMap(FieldKind):
    """Six rows of constants, or six constants for one column. Numbers belong to the structure."""

    type_name = "map"
    entry = Scalar(PARAMETERS_ONLY, exact=True)
    rows = ListOf(ListOf(entry))

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, tuple) and not given:
            return given
        rows = [
            row if isinstance(row, Sequence | np.ndarray) and not isinstance(row, str) else (row,)
            for row in as_list(given)
        ]
        return self.rows.read(rows, scope)

    def write(self, value: Any, out: Any) -> Any:
        if len(value[0]) == 1:
            return [out.at(k).scalar(row[0]) for k, row in enumerate(value)]
        return self.rows.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.rows.schema(), ListOf(self.entry, 6).schema()]}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return self.rows.split(value, scalars)


class TwistConstraint(FieldKind):
    """Rows of six constants, or six constants for one row."""

    type_name = "rows of six"
    rows = ListOf(ListOf(TwistMap.entry, 6))

    def read(self, given: Any, scope: Scope) -> Any:
        rows = as_list(given)
        single = not any(isinstance(row, Sequence | np.ndarray) and not isinstance(row, str) for row in rows)
        return self.rows.read([rows] if single else rows, scope)

    def write(self, value: Any, out: Any) -> Any:
        return self.rows.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.rows.schema(), self.rows.item.schema()]}


@dataclass(frozen=True)
class Simple(Joint):
    """The twist of the child relative to the parent is ``H`` u. ``H`` has six rows, the angular part first, in the
    child's frame at the child's origin. Its columns contain numbers, texts or expressions of parameters, and are
    linearly independent; they need not be orthogonal or of length 1.

    In place of H the joint can be given by its ``constraint`` A: the twists p of the child with A p = 0 (Eqs 5–8). A
    has rows of six entries in the same order, which may depend on each other. H is then a basis of the null space of
    A, exact where the numbers are, with a 1 in a row of its own in each column.

    q = ε are displacements along the columns, one after another, the first column nearest to the child. u = β are
    quasi-velocities, and q̇ = Γ(q) u (Prop. 2). The span of the columns must contain their brackets (be a Lie algebra).
    Otherwise use ``Compound`` for motions one after another, or ``holonomic=False``: then u has a speed for each
    column, and q also has a coordinate for each further motion that the columns generate together.
    """

    H: Given[Sequence[Any] | Array | None] = field(TwistMap(), "six rows, the angular part first", default=())
    coordinates: Given[str | Sequence[str] | None] = field(
        NameList(), "names of the coordinates", default=None, idle=True
    )
    speeds: Given[str | Sequence[str] | None] = field(NameList(), "names of the speeds", default=None, idle=True)
    holonomic: bool = field(Boolean(), "whether the span of the columns must contain their brackets", default=True)
    _: KW_ONLY
    constraint: Given[Sequence[Any] | Array | None] = field(
        TwistConstraint(), "in place of H: rows A with A p = 0 for its twists p", default=None, idle=True, silent=True
    )
    further: Given[Sequence[Any] | Array | None] = field(
        TwistMap(), "the brackets that extend the columns, as rows", default=None, derived=True
    )
    plan: Any = field(FieldKind(), "the rows from which q̇ is computed", default=None, derived=True)
    commuting: Any = field(FieldKind(), default=None, derived=True)
    solved: Any = field(
        FieldKind(),
        "the constraint with the map that was computed from it",
        default=None,
        derived=True,
        idle=True,
        silent=True,
    )
    kind: ClassVar[str] = "simple"

    def __post_init__(self) -> None:
        check_fields(self)
        context, put = "a joint's map H", object.__setattr__
        if self.constraint is not None and not self._is_solved():
            if self.H != () and (self.solved is None or not _same(self.H, self.solved[1])):
                raise ModelError("a simple joint is given by its map H or by its constraint A, not by both; give one")
            context = "a joint's constraint A"
            put(self, "constraint", six_columns(self.constraint, context))
            put(self, "plan", None)
            if any(isinstance(x, str) for row in self.constraint for x in row):
                put(self, "H", ())
                return  # texts become expressions first
            put(self, "H", transposed(_motions_within(self.constraint, context)))
            put(self, "solved", (self.constraint, self.H))
            context = "a joint's map H (the null space of its constraint)"
        put(self, "H", six_rows(self.H, context))
        if any(isinstance(x, str) for row in self.H for x in row):
            return  # texts become expressions first
        put(self, "holonomic", as_python(self.holonomic))
        if not isinstance(self.holonomic, bool):
            raise ModelError(f"{context}: holonomic must be True or False, not {self.holonomic!r}")
        if self.plan is None:
            put(self, "further", transposed(self._further_motions(context)))
            put(self, "plan", _plan(self.motions))
            put(self, "commuting", self.holonomic and twists.commute(self.columns))
        rotates = [_rotates(h) for h in self.motions]
        q = tuple(f"{'a' if r else 's'}{k + 1}" for k, r in enumerate(rotates)) if len(rotates) > 1 else ("",)
        q = check_names(self.coordinates, q, f"{context}: names of coordinates")
        u = tuple(f"{'w' if r else 'v'}{k + 1}" for k, r in enumerate(rotates[: len(self.columns)]))
        put(self, "coordinates", q)
        put(self, "speeds", check_names(self.speeds, q if self.commuting else u, f"{context}: names of speeds"))

    def _is_solved(self) -> bool:
        """Whether H has been computed from the constraint."""
        return self.solved is not None and _same(self.constraint, self.solved[0]) and _same(self.H, self.solved[1])

    def _further_motions(self, context: str) -> list[Twist]:
        columns = self.columns
        if twists.leading(columns) is None:
            raise ModelError(
                f"{context}: its {len(columns)} columns are not linearly independent; leave out those that are"
                " combinations of the others"
            )
        found = twists.escaping(columns)
        if found is None:
            return []
        if not self.holonomic:
            return twists.closure(columns)
        i, j, bracket = found
        angular, linear = (", ".join(map(str, part)) for part in (bracket[:3], bracket[3:]))
        raise ModelError(
            f"{context} is not a simple joint: the bracket of columns {i + 1} and {j + 1}, ({angular}; {linear}), lies"
            " outside their span, so motions along the columns lead to positions that the joint has no coordinates for."
            f" Put the columns one after another, Compound.of(H, r={(1,) * len(columns)}), or make the joint"
            " nonholonomic, Simple(H, holonomic=False)"
        )

    def finalise(self, scope: Scope) -> Self:
        """The columns must be independent also for the default values of the parameters."""
        self._require_rank_of_constraint(scope)
        if any(isinstance(x, Expr) for row in self.H for x in row):
            g, width = scope.graph, len(self.H[0])
            known = {h: x for n, x in scope.values.items() if (h := g.named(n)) is not None}
            nodes = [x.handle if isinstance(x, Expr) else g.const(x) for row in self.H for x in row]
            numbers = values(g, nodes, known, somewhere(0))
            if twists.leading([numbers[k::width] for k in range(width)]) is None:
                raise FieldError(
                    "its columns are not linearly independent for the default values of the parameters;"
                    " change these values, or leave out the columns that are combinations of the others",
                    "H",
                )
        return super().finalise(scope)

    def _require_rank_of_constraint(self, scope: Scope) -> None:
        """The null space of A has the same basis also for the default values of the parameters."""
        if not any(isinstance(x, Expr) for row in self.constraint or () for x in row):
            return
        g, rank = scope.graph, 6 - len(self.columns)
        known = {h: x for n, x in scope.values.items() if (h := g.named(n)) is not None}
        nodes = [x.handle if isinstance(x, Expr) else g.const(x) for row in self.constraint for x in row]
        numbers = values(g, nodes, known, somewhere(0))
        at_defaults = twists.Span([numbers[k : k + 6] for k in range(0, len(numbers), 6)])
        if len(at_defaults.basis) != rank:
            raise FieldError(
                f"its rank is {len(at_defaults.basis)} for the default values of the parameters and {rank} for most"
                " others, so that the number of its motions would change; change these values",
                "constraint",
            )
        H = [x.handle if isinstance(x, Expr) else g.const(x) for row in self.H for x in row]
        if not np.isfinite(np.array(values(g, H, known, somewhere(0)), float)).all():
            raise FieldError(
                "its motions, H, contain quotients by an expression that is 0 for the default values of the parameters;"
                " give the joint by its map H, Simple(H), or change these values",
                "constraint",
            )

    def defaults(self) -> dict[str, Any]:
        plain = replace(self, coordinates=None, speeds=None)
        names = {"coordinates": plain.coordinates, "speeds": plain.speeds}
        return {**super().defaults(), **names, **({} if self.constraint is None else {"H": self.H})}

    @property
    def columns(self) -> list[Twist]:
        return [*transposed(self.H)]

    @property
    def motions(self) -> list[Twist]:
        """The columns and the further motions that they generate: a twist for each coordinate."""
        return [*self.columns, *transposed(self.further)]

    @property
    def rates(self) -> bool:
        return bool(self.commuting)

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        units = tuple("rad" if _rotates(h) else "m" for h in self.motions)
        return units, tuple(f"{unit}/s" for unit in units[: len(self.columns)])

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        """The motions one after another, the last one nearest to the parent (Cor. 1)."""
        g, count = parent.graph, len(self.columns)
        halves = []
        for h in self.motions:
            a, b, c, x, y, z = (constant(g, s, f"joint of '{name}': H") for s in h)
            halves.append(((a, b, c), (x, y, z)))
        screws = [screw_axis(g, *half) for half in halves]
        if len(screws) == 1:
            return move_along(parent, name, screws[0], q[0], u[0])
        none, steps = zero_vector(g), list[Placement]()
        whole = Placement(parent, none, [], [], none, none, [])
        inner = next((k for k, screw in enumerate(screws) if screw.axis is not None), 0)  # its frame is the child's
        for k in reversed(range(len(screws))):
            steps.insert(0, move_along(whole.frame, name + "'" * (k - inner), screws[k], q[k], g.zero))
            whole = whole.then(steps[0], [g.zero] * len(steps))
        # Columns that are fixed in the child and in the frame before use the axes that both frames share.
        shared = count if self.commuting and all(screw.centre is None for screw in screws) else 1
        turns, slides = [s.turns[0] for s in steps[:shared]], [s.slides[0] for s in steps[:shared]]
        for angular, linear in halves[shared:count]:
            turns.append(vector(whole.frame, angular))
            slides.append(vector(whole.frame, linear))
        w, v = combined(g, turns, u), combined(g, slides, u)
        q_dot = list(u) if self.commuting else coordinate_rates(steps, self.plan, q, w, v)
        return Placement(whole.frame, whole.position, turns, slides, none, w.cross(v), q_dot)

    def with_numbers(self, parameters: Mapping[str, float]) -> Self:
        def numbers(rows: Rows | None) -> Rows | None:
            return rows and tuple(tuple(number(x) for x in row) for row in rows)

        def number(x: Any) -> Any:
            if not isinstance(x, Expr):
                return x
            known = {h: v for n, v in parameters.items() if (h := x.graph.named(n)) is not None}
            return float(values(x.graph, [x.handle], known)[0])

        return replace(self, H=numbers(self.H), further=numbers(self.further), constraint=None, solved=None)

    def _matrix(self) -> Array:
        if any(isinstance(x, Expr | str) for row in self.H for x in row):
            raise ModelError("a simple joint can be integrated numerically only if its map H contains numbers alone")
        return np.array(self.motions, float).T

    def integrate(self, q: Array, delta: Array) -> Array:
        return q + delta if self.commuting else manifold.integrate_product(self._matrix(), q, delta)

    def difference(self, start: Array, end: Array) -> Array:
        if self.commuting:
            return end - start
        return manifold.product_difference(self._matrix(), start, end)[: len(self.columns)]

    def sample(self, numbers: Array) -> Array:
        further = np.arange(len(self.motions) - len(numbers)) % len(numbers)
        return np.concatenate([numbers, numbers[further] * 0.7])


def six_columns(given: Any, context: str) -> Rows:
    """Rows of six entries; six entries are one row."""
    rows = list(entries(given)) if isinstance(given, Iterable) and not isinstance(given, str) else []
    if rows and not any(isinstance(x, Sized) and not isinstance(x, str) for x in rows):
        rows = [rows]
    lengths = [len(row) if isinstance(row, Sized) and not isinstance(row, str) else 1 for row in rows]
    if set(lengths) != {6}:
        sizes = f"rows of {', '.join(map(str, lengths))}" if rows else repr(given)
        raise ModelError(f"{context} has rows of 6 entries (the angular part first), not {sizes}")
    return tuple(tuple(_entry(x, context) for x in entries(row)) for row in rows)


def _same(a: Any, b: Any) -> bool:
    """Whether rows have equal entries; expressions are compared as nodes."""

    def plain(rows: Any) -> Any:
        return [[x.handle if isinstance(x, Expr) else x for x in row] for row in rows]

    if not all(isinstance(row, tuple) for rows in (a, b) for row in (rows if isinstance(rows, tuple) else (rows,))):
        return False  # as the user gave them
    return bool(plain(a) == plain(b))


def _motions_within(rows: Rows, context: str) -> list[Twist]:
    """The twists p with A p = 0, as a basis."""
    motions = twists.null_space(rows)
    if not motions:
        raise ModelError(f"{context}: its rows have rank 6, so that no motion is left; use Weld()")
    if len(motions) == 6:
        raise ModelError(f"{context}: all its entries are 0 (rank 0), so that it resists no motion; use Free()")
    return motions


def six_rows(given: Any, context: str) -> Rows:
    """Six rows of equal length; six entries are one column."""
    needed = f"{context} has 6 rows (the angular part first) of 1 to 6 columns"
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ModelError(f"{needed}, not {given!r}")
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise ModelError(f"{context} has masked values; fill them, for instance with .filled(0.0)")
    rows: list[Any] = [x if isinstance(x, Sized) and not isinstance(x, str) else (x,) for x in entries(given)]
    if len(rows) != 6 or len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= 6:
        sizes = f"{len(rows)} rows of {', '.join(str(len(row)) for row in rows)}" if rows else "an empty list"
        raise ModelError(f"{needed}, or 6 entries for one column; not {sizes}")

    return tuple(tuple(_entry(x, context) for x in row) for row in rows)


def _entry(x: Any, context: str) -> Any:
    if isinstance(x, Expr | str):
        return twists.as_number(x)
    if not isinstance(x, Real):
        raise ModelError(f"{context} contains numbers, texts and expressions, not {x!r}")
    number = exact(x)
    return int(number) if -LARGEST <= number <= LARGEST and number == int(number) else number


def transposed(rows: Any) -> Rows:
    return tuple(zip(*rows, strict=True))


def _rotates(twist: Twist) -> bool:
    return any(isinstance(x, Expr) or x != 0 for x in twist[:3])


# q̇ = Γ(q) u


def _plan(motions: Sequence[Twist]) -> Plan:
    """Rotations before translations if their axes are independent, otherwise all together."""
    rotations = twists.leading([h[:3] for h in motions if _rotates(h)])
    translations = twists.leading([h[3:] for h in motions if not _rotates(h)])
    if rotations is not None and translations is not None and len(rotations) != 2:
        return rotations, translations
    rows = twists.leading(motions)
    assert rows is not None
    return None, rows


def coordinate_rates(steps: Sequence[Placement], plan: Plan, q: Sequence[Node], w: Vector, v: Vector) -> list[Node]:
    """q̇ from B(q) q̇ = H u (Prop. 2): the rates of motions ``steps``, the one nearest to the child first, for which the
    child has the angular velocity w and its origin the velocity v.

    If the axes of the rotations are independent, their rates are solved first, in the frame in the middle of them,
    where two of three axes are constant; then those of the translations, in the frame where most of them are constant.
    Otherwise all are solved together in the child's frame. Which rows are sufficient is known from H, because the
    columns of B and H span the same space.
    """
    g = w.graph
    turns, slides = [s.turns[0] for s in steps], [s.slides[0] for s in steps]
    arms = [zero_vector(g)]  # from the origin of each step to the child's
    for step in steps[:-1]:
        arms.append(arms[-1] + step.position)
    (rotation_rows, rows), near = plan, dict.fromkeys(q, 0)
    if rotation_rows is None:
        frame = steps[0].frame
        pairs = [(t, s + t.cross(arm)) for t, s, arm in zip(turns, slides, arms, strict=True)]
        six = [(*components(a, frame), *components(b, frame)) for a, b in (*pairs, (w, v))]
        return solve(g, six[:-1], six[-1], rows, near)
    rotating = [i for i, t in enumerate(turns) if t]
    sliding = [i for i, t in enumerate(turns) if not t]
    rates: dict[int, Node] = {}
    if rotating:
        frame = steps[rotating[len(rotating) // 2]].frame
        columns = [components(turns[i], frame) for i in rotating]
        rates = dict(zip(rotating, solve(g, columns, components(w, frame), rotation_rows, near), strict=True))
    if rotating and sliding:  # the part of v that is due to the translations
        common = arms[rotating[0]]
        v = v - w.cross(common)
        for i, rate in rates.items():
            v = v - scaled(slides[i] + turns[i].cross(arms[i] - common), rate)
    if sliding:
        frames = [steps[i].frame for i in sliding]
        frame = max(dict.fromkeys(frames), key=frames.count)
        columns = [components(slides[i], frame) for i in sliding]
        rates |= dict(zip(sliding, solve(g, columns, components(v, frame), rows, near), strict=True))
    return [rates[i] for i in range(len(steps))]


def solve(
    g: Graph, columns: Sequence[Sequence[Node]], right: Sequence[Node], rows: Sequence[int], near: Mapping[Node, Number]
) -> list[Node]:
    """x of Σ xᵢ columnᵢ = right in the given rows, by elimination. Pivots are numbers where possible, and never zero
    at the values ``near`` of nodes, where the matrix is regular."""
    A, b, n = [[c[k] for c in columns] for k in rows], [right[k] for k in rows], len(rows)
    order, left_rows, left_columns = list[tuple[int, int]](), list(range(n)), list(range(n))
    while left_columns:
        i, j = _pivot(g, A, left_rows, left_columns, near)
        left_rows.remove(i)
        left_columns.remove(j)
        order.append((i, j))
        for k in left_rows:
            if A[k][j] != g.zero:
                factor = g.div(A[k][j], A[i][j])
                b[k] = g.sub(b[k], g.mul(factor, b[i]))
                for c in left_columns:
                    A[k][c] = g.sub(A[k][c], g.mul(factor, A[i][c]))
                A[k][j] = g.zero
    x = [g.zero] * n
    for i, j in reversed(order):
        remainder = b[i]
        for k in range(n):
            if k != j and A[i][k] != g.zero and x[k] != g.zero:
                remainder = g.sub(remainder, g.mul(A[i][k], x[k]))
        x[j] = g.div(remainder, A[i][j])
    return x


def _pivot(
    g: Graph, A: Sequence[Sequence[Node]], rows: Sequence[int], columns: Sequence[int], near: Mapping[Node, Number]
) -> tuple[int, int]:
    """The entry that is not zero at the values ``near`` of nodes, of the simplest kind (±1, number, parameters, other),
    with the least fill-in (Markowitz)."""
    positions = [(i, j) for i in rows for j in columns if A[i][j] != g.zero]
    at_zero = values(g, [A[i][j] for i, j in positions], near, somewhere(0))

    def cost(position: tuple[int, int]) -> tuple[int, int]:
        i, j = position
        number = g.number(A[i][j])
        kind = 2 if g.mask[A[i][j]] <= PARAMETERS_ONLY else 3
        if number is not None:
            kind = 0 if abs(number) == 1 else 1
        in_row, in_column = sum(A[i][c] != g.zero for c in columns), sum(A[r][j] != g.zero for r in rows)
        return kind, (in_row - 1) * (in_column - 1)

    return min((p for p, x in zip(positions, at_zero, strict=True) if abs(float(x)) > 1e-9), key=cost)
