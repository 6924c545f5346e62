"""The NumPy backend: no text of the user is executed, states are independent, user functions get arrays."""

import ast
import re
import warnings
from typing import Any

import numpy as np
import pytest

from freebody.backends import compile
from freebody.backends.numpy import NAMES, NumPy, emit, helpers
from freebody.errors import FunctionError
from freebody.program.assemble import Assembly, program
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.scalar.functions import callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.printing.hostile_names import hostile
from tests.program_cases import CASES, Case, random_block

OWN = {"run", "list", "range", "zip", "strict", "breaks", "origins", "coefficients", "x", "k", *NAMES, *vars(helpers)}


def words(source: str) -> set[str]:
    """Every name and every string in the generated part of a source."""
    found = set()
    for node in ast.walk(ast.parse(source[source.index("\nfrom numpy import") :])):
        fields = ast.iter_fields(node)
        found |= {v for key, v in fields if key in ("id", "arg", "attr", "name", "value") and isinstance(v, str)}
    return found


@pytest.mark.parametrize("made", [hostile(), *(c.program for c in CASES)], ids=lambda p: re.sub(r"\W+", "_", p.name))
def test_source_contains_only_generated_names_and_numbers(made: Program) -> None:
    assert {w for w in words(emit(made, chunk=100)) if not re.fullmatch(r"[FTgiortw]\d+", w)} <= OWN


def test_programs_with_hostile_names_are_correct() -> None:
    p, q = np.array([0.3]), np.linspace(-1, 1, 10)
    found = compile(hostile(), "numpy")(p, q)
    assert np.allclose(found, evaluate(hostile(), {"restrict": p, "q": q}).values["double"], rtol=1e-13)


def test_source_is_self_contained() -> None:
    case = random_block(3)
    names: dict[str, Any] = {}
    exec(emit(case.program), names)
    inputs = case.inputs(np.random.default_rng(0))
    found = names["run"](*(inputs[g.name] for g in case.program.groups))
    wanted = evaluate(case.program, inputs).values
    for output, values in zip(case.program.outputs, found, strict=True):
        assert np.allclose(values, wanted[output.name].reshape(-1), rtol=1e-9)


@pytest.mark.parametrize("case", [random_block(100, 2500), *CASES], ids=repr)
def test_sources_split_programs_and_interpreted_ones_give_the_same_bits(case: Case) -> None:
    groups = [case.inputs(np.random.default_rng(k)) for k in range(5)]
    inputs = [np.array([g[group.name] for g in groups]) for group in case.program.groups]
    results = []
    for options in ({"patience": 0}, {"patience": 0, "chunk": 7}, {"patience": 0, "states": 2}, {}, {"states": 2}):
        results.append([np.empty((5, o.size)) for o in case.program.outputs])
        NumPy(case.program, **options).run_batch(5, inputs, results[-1])
    for other in results[1:]:
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(results[0], other, strict=True))


def test_programs_that_are_called_often_are_compiled() -> None:
    """The source is written when the calls have taken about as long as writing it; loops are counted as they run."""
    for case, interpreted in ((random_block(3), 5), (next(c for c in CASES if c.name == "tree9"), 1)):
        engine, inputs = NumPy(case.program, patience=5), case.inputs(np.random.default_rng(0))
        flat, seen = [inputs[g.name] for g in case.program.groups], list[list[np.ndarray]]()
        for _ in range(7):
            seen.append([np.empty(o.size) for o in case.program.outputs])
            engine.run(flat, seen[-1])
            assert ("source" in vars(engine)) == (len(seen) > interpreted)
        assert all(np.array_equal(a, b) for row in seen for a, b in zip(row, seen[0], strict=True))


def test_user_functions_get_arrays_if_they_accept_them() -> None:
    seen: list[Any] = []

    def record(x: Any) -> Any:
        seen.append(x)
        return x + 1

    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    for vectorised, calls in ((True, 1), (False, 3)):
        f = callback("record", record, vectorised=vectorised)
        made = compile(program("calls", g, {"q": [x]}, {"y": g.call(f, [x])}), "numpy")
        seen.clear()
        assert np.array_equal(made([[1.0], [2.0], [3.0]]), [2.0, 3.0, 4.0])
        assert len(seen) == calls
        assert all(np.shape(v) == (3,) if vectorised else type(v) is float for v in seen)


def test_exceptions_of_user_functions_reach_the_caller() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    f = compile(program("calls", g, {"q": [x]}, {"y": g.call(callback("f", lambda v: 1 / v), [x])}), "numpy")
    for q in (0.0, [[1.0], [0.0]]):
        with pytest.raises(FunctionError, match="its function raises ZeroDivisionError"):
            f(q)


def test_singular_states_do_not_affect_others() -> None:
    g = Graph()
    q = [g.symbol(n, Kind.COORDINATE) for n in "abc"]
    a = Assembly("singular", g, {"q": q})
    a.output("x", a.solve("x", {(0, 0): q[0], (1, 0): q[1], (1, 1): q[2]}, [g.one, g.zero]))
    f = compile(a.program(), "numpy")
    found = f([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [2.0, 0.0, 1.0]])
    np.testing.assert_array_equal(found, [[1.0, 0.0], [np.nan, np.nan], [0.5, 0.0]])  # type: ignore[arg-type]
    assert np.isnan(f([1.0, 1.0, 1.0])).all()  # type: ignore[arg-type]


def test_division_by_zero_emits_no_warning() -> None:
    g = Graph()
    q = g.symbol("q", Kind.COORDINATE)
    a = Assembly("zero", g, {"q": [q]})
    start, end = a.array("start", 1), a.output_array("end", 1)
    a.write(start, 0, 0, g.zero)
    kernel = (scan := a.scan("invert", {"own": [0]})).kernel()
    kernel.write(end, "own", 0, kernel.graph.div(kernel.graph.one, kernel.read(start, "own")))
    a.add(scan)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = compile(a.program(), "numpy")
        assert f(1.0) == np.inf
        assert np.array_equal(f([[1.0], [2.0]]), [[np.inf], [np.inf]])


def test_equal_tables_are_written_once() -> None:
    g = Graph()
    x, y = (g.symbol(n, Kind.COORDINATE) for n in "xy")
    curves = [table("curve", [0.0, 1.0], [0.0, 2.0]) for _ in range(2)]
    made = program("curves", g, {"q": [x, y]}, {"y": [g.table(curves[0], x), g.table(curves[1], y)]})
    assert emit(made).count("curve(breaks") == 2  # the helper and one table
