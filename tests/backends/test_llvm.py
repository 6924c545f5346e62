"""What is LLVM's own: every width, deep expressions, large solves, the cache behind the engine, users' functions."""

from pathlib import Path

import numpy as np
import pytest

from freebody.backends import compile
from freebody.backends.llvm.cache import Cache
from freebody.backends.llvm.engine import LLVM
from freebody.errors import BackendError
from freebody.scalar.assemble import program
from freebody.scalar.callback import callback
from freebody.scalar.evaluate import evaluate
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.cases import CASES, Case, every_operation, random_block, solved, tree


@pytest.mark.parametrize("width", [2, 4, 8])
@pytest.mark.parametrize("case", [CASES[0], CASES[1], CASES[9], CASES[10], CASES[-2]], ids=repr)
def test_every_width_gives_the_scalar_answer(case: Case, width: int) -> None:
    f, rng = compile(case.program, width=width), np.random.default_rng(3)
    rows = [case.inputs(rng) for _ in range(2 * width + 1)]
    found = f(**{k: np.array([r[k] for r in rows]) for k in rows[0]})
    for k, row in enumerate(rows):
        wanted = evaluate(case.program, row)
        for name, value in wanted.values.items():
            assert np.all(np.abs(found[name][k] - value) <= 4 * wanted.bounds[name] + 1e-300)  # type: ignore[index]


def test_lanes_do_not_depend_on_their_neighbours() -> None:
    case = every_operation()
    f, rng = compile(case.program), np.random.default_rng(5)
    row = case.inputs(rng)
    q = rng.uniform(-2, 2, (17, 2))
    q[5] = [1e9, 1e300]
    q[6] = [np.nan, np.inf]
    q[11] = row["q"]
    alone = f(row["parameters"], q[11:12])
    crowd = f(row["parameters"], q)
    assert np.array_equal(alone["all"][0], crowd["all"][11])  # type: ignore[index]


def test_a_hundred_thousand_levels_compile() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    y = x
    for _ in range(50_000):
        y = g.mul(g.const(0.5), g.add(y, x))
    f = compile(program("deep", g, {"q": [x]}, {"y": y}), level=0)
    assert abs(f([0.7]) - 0.7) < 1e-12


@pytest.mark.parametrize("n", [40, 61])
def test_large_solves(n: int) -> None:
    case = solved(f"large{n}", n, [(i, j) for i in range(n) for j in range(i + 1)])
    f, inputs = compile(case.program), case.inputs(np.random.default_rng(0))
    wanted = evaluate(case.program, inputs)
    for found in (f(**inputs), {k: v[1] for k, v in f(inputs["parameters"], np.array([inputs["q"]] * 2)).items()}):  # type: ignore[union-attr]
        assert np.all(np.abs(found["x"] - wanted.values["x"]) <= wanted.bounds["x"])  # type: ignore[index, call-overload]


def test_a_scan_of_a_thousand_bodies_is_one_body_of_code() -> None:
    short, long = (LLVM(tree(f"n{n}", list(range(-1, n - 1))).program, cache=None).text for n in (10, 1000))
    assert len(long) < 1.2 * len(short) + 30_000  # the names and the tables of the groups are all that may grow
    assert short.count("fmul") == long.count("fmul")


def test_the_engine_reloads_from_the_cache(tmp_path: Path) -> None:
    cache, case = Cache(tmp_path), random_block(2)
    first = LLVM(case.program, cache=cache)
    second = LLVM(case.program, cache=cache)
    assert not first.library.from_cache and second.library.from_cache
    inputs = list(case.inputs(np.random.default_rng(0)).values())
    results = [[np.zeros(o.size) for o in case.program.outputs] for _ in range(2)]
    first.run(inputs, results[0])
    second.run(inputs, results[1])
    assert all(np.array_equal(a, b) for a, b in zip(*results, strict=True))


def test_user_functions_are_not_frozen_into_the_cache(tmp_path: Path) -> None:
    def build(factor: float) -> float:
        g = Graph()
        x = g.symbol("x", Kind.COORDINATE)
        made = program("user", g, {"q": [x]}, {"y": g.call(callback("f", lambda v: factor * v), [x])})
        return float(compile(made, cache=Cache(tmp_path))([1.0]))

    assert build(2.0) == 2.0
    assert build(3.0) == 3.0


def test_an_exception_in_a_user_function_reaches_the_caller() -> None:
    def bad(v: float) -> float:
        raise ZeroDivisionError("the user's own")

    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    f = compile(program("user", g, {"q": [x]}, {"y": g.call(callback("bad", bad), [x])}))
    for argument in ([1.0], np.ones((5, 1))):
        with pytest.raises(ZeroDivisionError, match="the user's own"):
            f(argument)


def test_widths_that_do_not_exist_are_refused() -> None:
    with pytest.raises(BackendError, match="the width of a batch is 2, 4 or 8 lanes, not 3"):
        compile(random_block(1).program, width=3)
