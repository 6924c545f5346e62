"""The record that Python and the compiled least-squares solver share, and its fields in functions that are emitted."""

from math import inf

from freebody.backends.llvm.build import Build, Value
from freebody.backends.llvm.ir import real
from freebody.integrate.record import RecordFields, RecordLayout

REACHED, STATIONARY, BUDGET, NOT_FINITE = range(4)
"""Why the solver returned: residuals and constraints are within their tolerances; nothing decreases the residuals; the
allowed steps are used up; a value is not finite."""

LAYOUT = RecordLayout(
    1,
    number=(
        "tolerance", "closed", "shortest", "longest", "first", "damping", "largest", "steepest",
        "cost", "worst", "gap", "far", "square", "new_cost", "new_worst", "new_gap", "new_far", "new_square",
    ),
    integer=("n", "ln", "r", "m", "nq", "nu", "lk", "settle", "polish", "steps", "budget", "iterations", "evaluations"),
    pointer=(
        "evaluate", "evaluate_table", "move", "move_table", "q", "trial", "delta", "columns", "values", "H", "g", "G",
        "phi", "K", "x", "step", "y", "start", "status", "flip", "low", "high", "index", "weight", "pull", "centre",
        "angular",
    ),
)  # fmt: skip
"""The record of one problem. ``n`` columns (rows of matrices hold ``ln`` numbers, whole vectors), ``r`` residuals,
``m`` constraints; ``values`` are J, G, r and φ at ``trial``, as the function ``evaluate`` leaves them; ``move`` writes
q ⊕ ``delta`` to trial. ``index`` is the coordinate that a column changes one to one, −1 if there is none; ``pull`` is
v, ``centre`` p. A ``status`` is 0 of columns that are free, −1 or 1 on a bound, 2 if they are held. With ``settle`` the
solver goes on where residuals are within the tolerance, until steps are shorter than ``shortest``. With
``polish`` one more step follows where they are, which leaves rounding. ``start`` is the status of columns at first,
``first`` the first μ; where the solver returns REACHED, the values are those at q."""


class Problem:
    """The record of a problem in a function that is being emitted, with its sizes and arrays as values."""

    def __init__(self, b: Build, width: int) -> None:
        self.b, self.width, self.vector = b, width, real(width)
        self.s = RecordFields(b, LAYOUT, b["s"])
        self.n, self.ln, self.r, self.m = (self.s[name] for name in ("n", "ln", "r", "m"))

    def array(self, name: str) -> Value:
        return self.s[name]

    def output(self, name: str) -> Value:
        """Where J, G, r and φ are among the values."""
        after = (self.r + self.m) * self.ln
        starts: dict[str, Value | int] = {"J": 0, "G": self.r * self.ln, "r": after, "phi": after + self.r}
        return self.array("values").at(starts[name])

    def block(self, i: Value) -> Value:
        """The first index of the vector that holds an element."""
        shift = self.width.bit_length() - 1
        return (i >> shift) << shift

    def add(self, to: Value, source: Value, factor: Value, start: Value | int, end: Value) -> None:
        """to += factor · source, from a vector's first element to the end of rows."""
        b, wide = self.b, self.b.value(factor, self.vector)
        with b.loop(start, end, self.width) as j:
            target = to.at(j)
            target.store(target.load(0, self.vector) + wide * source.at(j).load(0, self.vector))

    def bounds(self, i: Value) -> tuple[Value, Value]:
        """How far a column may change: its bounds less its coordinate."""
        b, k = self.b, self.array("index").load(i, "i64")
        below, above = b.variable(-inf), b.variable(inf)
        with b.when(k >= 0):
            x = self.array("q").load(k)
            below.set(self.array("low").load(i) - x)
            above.set(self.array("high").load(i) - x)
        return below(), above()
