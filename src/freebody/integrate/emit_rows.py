"""What is done with rows of numbers: weighted sums, norms, unit quaternions, interpolation.

A row holds one state, padded to whole vectors; or the states of several lanes, one vector for each component. Either
way it is a run of vectors, and the same text serves both: step sizes and errors are scalars in the first case and
vectors over the lanes in the second.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from freebody.backends.llvm.build import Build, Value
from freebody.backends.llvm.ir import real
from freebody.integrate.emit_layout import Fields, Layout
from freebody.integrate.tableaus import Row


class Space:
    """How states lie in memory: vectors of ``width`` numbers, of one state or of as many lanes. ``real`` is the type of
    times, step sizes and errors, and of one component in a row."""

    def __init__(self, layout: Layout, width: int) -> None:
        self.layout, self.width = layout, width
        self.vector, self.real = real(width), real(layout.lanes)

    def build(self, name: str, result: str = "void", /, **given: str) -> tuple[Build, Fields]:
        """A function of the record, and of what else is given."""
        b = Build(name, result, {"s": "ptr", **given}, width=self.width)
        return b, Fields(b, self.layout, b["s"])


class Rows:
    """The rows one function works on. Their addresses are taken where this is made, outside of all loops."""

    def __init__(self, space: Space, b: Build, s: Fields, *names: str, **others: Value) -> None:
        self.space, self.b = space, b
        self.places = {name: s.row(name) for name in names} | others
        self.vectors = s["vectors"]

    @contextmanager
    def loop(self) -> Iterator[Value]:
        """Over the vectors of a row."""
        with self.b.loop(0, self.vectors) as i:
            yield i

    def at(self, name: str, i: Value) -> Value:
        """A row's vector i."""
        return self.places[name].load(i, self.space.vector)

    def put(self, name: str, i: Value, value: Value) -> None:
        self.places[name].store(value, i)

    def move(self, name: str, source: str) -> None:
        """One row into another."""
        with self.loop() as i:
            self.put(name, i, self.at(source, i))

    def sum(self, i: Value, weights: Row, names: Sequence[str]) -> Value:
        """Σ w_k row_k in vector i."""
        first, *others = weights.items()
        total = self.at(names[first[0]], i) * first[1]
        for k, w in others:
            total = total + self.at(names[k], i) * w
        return total

    def whole(self, vector: Value) -> Value:
        """The sum over a state's components, of what was summed over a row's vectors: for each lane, or for the one."""
        return vector if vector.type == self.space.real else self.b.total(vector)


def evaluate(b: Build, s: Fields, t: Value, x: Value, out: Value) -> None:
    """f(t, x) into a row, counted. Times stay strictly between the break points on both sides, so that a step sees one
    side of a jump only."""
    s["stage_time"] = b.least(b.most(t, s["low"]), s["high"])
    b.call(s["field"], "void", s["context"], s.place("stage_time"), x, out)
    s["evaluations"] = s["evaluations"] + 1


def project(space: Space) -> Build:
    """@project(s, row): the quaternions in a row made of unit length."""
    b, s = space.build("project", row="ptr")
    places, row = s["quaternions"], b["row"]
    with b.loop(0, s["quaternion_count"]) as k:
        first = row.at(places.load(k, "i64"), space.real)
        q = [first.load(c, space.real) for c in range(4)]
        length = b.intrinsic("sqrt", q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]))
        for c in range(4):
            first.store(q[c] / length, c)
    return b


def interpolate(space: Space) -> Build:
    """@interpolate(s, theta, row): the state at that part of the step, from the r rows (tableaus.py, Horner's rule)."""
    b, s = space.build("interpolate", theta=space.real, row="ptr")
    rows = Rows(space, b, s, "r0", row=b["row"])
    terms, stride, first = s["terms"], s["stride"], rows.places["r0"]
    inner, outer = b["theta"], 1.0 - b["theta"]
    odd = (terms & 1).eq(1)
    start, following = b.select(odd, outer, inner), b.select(odd, inner, outer)
    with rows.loop() as i:
        total = b.variable(first.at(stride * (terms - 1)).load(i, space.vector))
        factor, other = b.variable(start), b.variable(following)
        left = b.variable(terms - 2)
        with b.repeat(lambda: left() >= 0):
            now = factor()
            total.set(first.at(stride * left()).load(i, space.vector) + total() * now)
            factor.set(other())
            other.set(now)
            left.set(left() - 1)
        rows.put("row", i, total())
    b.call("project", "void", b["s"], b["row"])
    return b
