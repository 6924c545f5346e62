"""The viewer's evaluation of motion tables and its closing of loops, against numbers of Python; run by Node.js."""

import json
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freebody.results.motion_table import OPERATIONS, MotionTable
from tests.model.test_constraint_elements import branches
from tests.run.test_motion_table import CONSTRAINED, evaluate, movable

SOURCE = Path(__file__).parents[2] / "src/freebody/viewer/web/source"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
FUNCTIONS: dict[str, Any] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "pow": np.power,
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp,
    "log": np.log, "abs": np.abs, "sign": np.sign, "min": np.minimum, "max": np.maximum, "floor": np.floor,
    "lt": np.less, "le": np.less_equal, "eq": np.equal, "ne": np.not_equal,
    "where": lambda a, b, c: b if a != 0 else c,
}  # fmt: skip


def node(script: str, data: object) -> Any:
    """What a module prints as JSON; it has the data as ``data`` and can import the viewer's modules by ``source``."""
    head = f"const data = {json.dumps(data)}; const source = {json.dumps(SOURCE.as_uri())};"
    assert NODE is not None
    command = [NODE, "--input-type=module", "--eval", f"{head}\n{script}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Table:
    """A motion table that grows row by row."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, int]] = []
        self.numbers: list[float] = []

    def row(self, name: str, a: int = 0, b: int = 0, c: int = 0) -> int:
        self.rows.append((OPERATIONS.index(name), a, b, c))
        return len(self.rows) - 1

    def number(self, value: float) -> int:
        self.numbers.append(value)
        return self.row("number", len(self.numbers) - 1)

    def plain(self, coordinates: list[dict[str, Any]], **outputs: list[int]) -> dict[str, Any]:
        op, a, b, c = (list(column) for column in zip(*self.rows, strict=True))
        lists = {"poses": [], "residuals": [], "slopes": [], **outputs}
        return {"op": op, "a": a, "b": b, "c": c, "numbers": self.numbers, "coordinates": coordinates, **lists}


def coordinate(name: str, initial: float, **others: Any) -> dict[str, Any]:
    usual = {"body": name, "unit": "rad", "low": -np.pi, "high": np.pi, "quaternion": False, "scale": 1.0}
    return {"name": name, "initial": initial, **usual, **others}


def test_every_operation_of_a_motion_table_has_the_value_that_numpy_has() -> None:
    table, rng = Table(), np.random.default_rng(7)
    values = [float(v) for v in [*rng.uniform(-2, 2, 6), 0.3, 0.7, 0.7, 0.0]]
    inputs = [table.row("input", k) for k in range(len(values))]
    expected = list(values)
    with np.errstate(all="ignore"):
        for name in OPERATIONS[2:]:
            for a, b, c in rng.permuted(np.tile(inputs, (4, 1)), axis=1)[:, :3].tolist():
                table.row(name, a, b, c)
                f = FUNCTIONS[name]
                expected.append(float(f(*(values[k] for k in (a, b, c)[: getattr(f, "nin", 3)]))))
    plain = table.plain([coordinate(f"c{k}", v) for k, v in enumerate(values)])
    names, results = node(
        """
        const { Motion, OPERATION_NAMES } = await import(`${source}/motion.js`);
        const values = [...new Motion(data).evaluate()].map((v) => Number.isFinite(v) ? v : String(v));
        console.log(JSON.stringify([OPERATION_NAMES, values]));
        """,
        plain,
    )
    assert tuple(names) == OPERATIONS
    numbers = [float(v.replace("Infinity", "inf")) if isinstance(v, str) else v for v in results]
    np.testing.assert_allclose(numbers, expected, rtol=1e-14)


def four_bar(**second: Any) -> dict[str, Any]:
    """A crank of 0.4 m, coupler of 1 m, rocker of 0.8 m between pivots 1 m apart. One equation occurs twice."""
    table = Table()
    lengths, base, zero = [table.number(v) for v in (0.4, 1.0, 0.8)], table.number(1.0), table.number(0.0)
    angle, x, y, sines, cosines = zero, zero, zero, list[int](), list[int]()
    for k, length in enumerate(lengths):
        angle = table.row("add", angle, table.row("input", k))
        sines.append(table.row("mul", length, table.row("sin", angle)))
        cosines.append(table.row("mul", length, table.row("cos", angle)))
        x, y = table.row("add", x, cosines[k]), table.row("add", y, sines[k])
    slopes: list[int] = []
    for j in range(3):
        dx, dy = zero, zero
        for k in range(j, 3):
            dx, dy = table.row("sub", dx, sines[k]), table.row("add", dy, cosines[k])
        slopes += [0, j, dx, 1, j, dy, 2, j, dx]
    gap = table.row("sub", x, base)
    names = [coordinate("crank", 1.0), coordinate("coupler", -0.6, **second), coordinate("rocker", -2.0)]
    return table.plain(names, residuals=[gap, y, gap], slopes=slopes)


SET = """
const { Motion } = await import(`${source}/motion.js`);
const motion = new Motion(data.table), found = [];
for (const [index, value] of data.moves) {
  const why = motion.set(index, value), x = motion.evaluate();
  found.push({ why, q: [...motion.q], residual: Math.max(...data.table.residuals.map((k) => Math.abs(x[k]))) });
}
console.log(JSON.stringify(found));
"""


def test_a_moved_coordinate_keeps_its_loop_closed_or_stops_at_the_last_value_that_closes() -> None:
    turn = [(0, float(v)) for v in np.linspace(-3, 3, 13)]
    moves = [*turn, (2, 3.0), (2, 0.0)]
    steps = node(SET, {"table": four_bar(), "moves": moves})
    for step in steps:
        assert step["residual"] < 1e-8
    for step, (index, value) in zip(steps[: len(turn)], turn, strict=True):
        assert step["why"] == "" and step["q"][index] == value  # the crank is shortest: it turns all the way
    cosine = (1.0**2 + 0.8**2 - np.array([1.4, 0.6]) ** 2) / (2 * 0.8)  # between coupler and rocker at dead points
    straight, folded = np.pi - np.arccos(cosine)
    for step, expected in zip(steps[len(turn) :], (-folded, -straight), strict=True):
        assert "cannot close" in step["why"]
        assert min(abs(step["q"][2] - v) for v in (-folded, -straight, expected)) < 2e-3


def test_a_coordinate_that_follows_stops_at_its_limit() -> None:
    steps = node(SET, {"table": four_bar(limited=True, low=-0.9, high=0.0), "moves": [(0, 3.0), (0, -3.0)]})
    for step, limit in zip(steps, (-0.9, 0.0), strict=True):
        assert "coupler is at its limit" in step["why"]
        assert step["residual"] < 1e-8 and abs(step["q"][1] - limit) < 2e-3


def test_a_loop_does_not_jump_over_values_that_cannot_close() -> None:
    """The rocker is dragged beyond its dead point, to values at which the loop closes again."""
    start = node(SET, {"table": four_bar(), "moves": [(0, 1.0)]})[0]["q"]
    moves = [(2, start[2] + float(d)) for d in np.arange(0.0, -5.0, -0.25)]
    steps = node(SET, {"table": four_bar(), "moves": [(0, 1.0), *moves]})[1:]
    q = np.array([step["q"] for step in steps])
    stopped = [bool(step["why"]) for step in steps]
    assert any(stopped) and all(stopped[stopped.index(True) :])
    assert np.abs(np.diff(q, axis=0)).max() < 2.0 and np.ptp(q[stopped.index(True) :, 2]) < 2e-3


def test_a_loop_that_is_not_closed_at_first_is_shown_open() -> None:
    table = four_bar()
    script = """
const { Motion } = await import(`${source}/motion.js`);
console.log(JSON.stringify([...new Motion(data).q]));
"""
    assert node(script, table) == [c["initial"] for c in table["coordinates"]]


def plain_table(table: MotionTable) -> dict[str, Any]:
    names = ("op", "a", "b", "c", "numbers", "poses", "residuals", "slopes")
    arrays = {name: getattr(table, name).ravel().tolist() for name in names}
    return {**arrays, "coordinates": [asdict(c) for c in table.coordinates]}


@pytest.mark.parametrize("name", ["screw closure", "moving curve", "vector of positions"])
def test_every_slider_of_a_model_keeps_its_constraints(name: str) -> None:
    """Also those of quaternions, whose length stays 1; the poses are those of Python at the same coordinates."""
    s = branches()
    CONSTRAINED[name](s)
    _, (table, _) = movable(s)
    assert table is not None
    quaternions = [k for k, c in enumerate(table.coordinates) if c.quaternion]
    parts = {k + i for k in quaternions for i in range(4)}
    moves: list[Any] = [(k, [0.4, -1.1, 0.3]) for k in quaternions]
    moves += [
        (k, c.low + 0.8 * (c.high - c.low)) for k, c in enumerate(table.coordinates) if k not in parts and not c.follows
    ]
    steps = node(
        """
        const { Motion } = await import(`${source}/motion.js`);
        const motion = new Motion(data.table);
        console.log(JSON.stringify(data.moves.map(([k, value]) => {
          motion.reset();
          const why = value.length ? motion.setRotation(k, value) : motion.set(k, value);
          return { why, q: [...motion.q], poses: [...motion.poses] };
        })));
        """,
        {"table": plain_table(table), "moves": moves},
    )
    for step, (k, value) in zip(steps, moves, strict=True):
        q = np.array(step["q"])
        values = evaluate(table, q)
        assert step["why"] == "" and np.abs(values[table.residuals]).max() < 1e-12
        assert np.allclose(values[table.poses].ravel(), step["poses"], atol=1e-12)
        assert all(abs(np.linalg.norm(q[i : i + 4]) - 1) < 1e-12 for i in quaternions)
        if k not in quaternions:
            assert q[k] == value


def test_damaged_motion_tables_are_refused() -> None:
    plain = four_bar()
    faults = [
        {**plain, "op": [99, *plain["op"][1:]]},
        {**plain, "a": [*plain["a"][:-1], len(plain["a"])]},
        {**plain, "residuals": [10_000]},
    ]
    messages = node(
        """
        const { Motion } = await import(`${source}/motion.js`);
        const message = (table) => { try { new Motion(table); return ""; } catch (error) { return error.message; } };
        console.log(JSON.stringify(data.map(message)));
        """,
        faults,
    )
    assert all("the motion table is damaged" in message for message in messages), messages


def test_plots_split_by_unit_and_size_and_keep_peaks() -> None:
    curves: list[Any] = [("m", [0, 160]), ("m", [-0.001, 0.001]), ("rad", [0, 1]), ("m", [3, 90]), ("m", [2e-3, 2e-3])]
    curves += [("", None)]
    panels, peak, ticks = node(
        """
        const { splitPanels, thin } = await import(`${source}/plots.js`);
        const { ticks } = await import(`${source}/numbers.js`);
        const curves = data.map(([unit, range], k) => ({ unit, range, k }));
        const y = new Float64Array(100000);
        y[54321] = 7;
        const rows = thin(y, 0, y.length - 1, 300);
        const panels = splitPanels(curves).panels.map((panel) => panel.map(({ k }) => k));
        const axes = [ticks(-0.13, 1.02, 5).values, ticks(-45, 45, 4).values];
        console.log(JSON.stringify([panels, [rows.includes(54321), rows.length], axes]));
        """,
        curves,
    )
    assert panels == [[0, 3], [1, 4], [2], [5]]
    assert peak[0] and peak[1] <= 602
    assert ticks[0] == pytest.approx([0, 0.5, 1.0])
    assert ticks[1] == [-40, -20, 0, 20, 40]  # multiples of 50 would be 0 alone


def test_plots_keep_vectors_together_and_name_rounding_errors() -> None:
    """As the panels of pictures (tests/viewer/test_plots.py)."""
    cases: dict[str, list[Any]] = {
        "vector": [("q.bus.x", "m", [0, 40], 1e-9), ("q.bus.y", "m", [0, 1e-3], 1e-9), ("q.arm", "m", [0, 1e-3], 1e-9)],
        "quaternions": [
            (f"q.{b}.{c}", "", [0, r], 4e-12, r * (r < 1e-9))
            for b in ("hub", "tip")
            for c, r in zip(("qw", "qx", "qy", "qz"), (1, 1e-17, 0, 1e-3), strict=True)
        ],
        "shares": [("q.a", "m", [0, 1], 4e-12), ("q.b", "m", [-1e-12, 1e-12], 4e-12, 1e-12)],
        "flattened": [("q.a", "m", [1, 1.001], 4e-12), ("q.b", "m", [-1e-12, 1e-12], 4e-12, 1e-12)],
        "other unit": [("q.a", "m", [0, 1], 4e-12), ("q.b", "rad", [0, 0], 4e-12, 1e-12), ("u.c", "m/s", [0, 0], 0)],
        "real": [("q.a", "m", [0, 1], 4e-12), ("q.b", "m", [-1e-9, 1e-9], 4e-12)],
        "many": [("q.arm", "m", [0, 1]), *((f"q.b{n}.{c}", "m", [0, n]) for n in range(1, 4) for c in "xyz")],
        "bodies": [(f"q.{c}", "m", [0, size], 1e-10) for c, size in (("x", 20), ("y", 2), ("z", 1e-9))],
        "alone": [("q.b", "rad", [-1e-12, 1e-12], 4e-12, 1e-12)],
    }
    found = node(
        """
        const { splitPanels } = await import(`${source}/plots.js`);
        const { ticks } = await import(`${source}/numbers.js`);
        const keys = (some) => some.map(({ key }) => key);
        const split = (rows) => {
          const curves = rows.map(([key, unit, range, smallest, noise]) => ({ key, unit, range, smallest, noise }));
          const { panels, zeros } = splitPanels(curves);
          return [panels.map(keys), keys(zeros)];
        };
        const [cases, axes] = data;
        const counts = axes.map(([low, high]) => ticks(low, high, 3, 3).values.length);
        const panels = Object.entries(cases).map(([name, rows]) => [name, split(rows)]);
        console.log(JSON.stringify([Object.fromEntries(panels), counts]));
        """,
        [cases, [[4.905, 14.715], [9.81, 9.8100001], [-1, 1], [0, 7.3], [-3.2e7, -3.1e7], [0.1, 0.31]]],
    )
    panels, counts = found
    hub, tip = ([f"q.{b}.{c}" for c in ("qw", "qx", "qy", "qz")] for b in ("hub", "tip"))
    assert panels == {
        "vector": [[["q.bus.x", "q.bus.y"], ["q.arm"]], []],
        "quaternions": [[hub, tip], []],
        "shares": [[["q.a", "q.b"]], []],
        "flattened": [[["q.a"]], ["q.b"]],
        "other unit": [[["q.a"], ["u.c"]], ["q.b"]],
        "real": [[["q.a"], ["q.b"]], []],
        "bodies": [[["q.x", "q.y"], ["q.z"]], []],
        "many": [[["q.arm"], *([f"q.b{n}.{c}" for c in "xyz"] for n in range(1, 4))], []],
        "alone": [[["q.b"]], []],
    }
    assert min(counts) >= 3
