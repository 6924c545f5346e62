"""Properties of the LLVM backend: vector widths, deep expressions, large solves, memory, the object cache, user
functions."""

import ctypes
import gc
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from freebody.backends import compile
from freebody.backends.function import ON_STACK
from freebody.backends.llvm import jit
from freebody.backends.llvm.batch import driver
from freebody.backends.llvm.engine import LLVM
from freebody.backends.llvm.module import DECLARATIONS, Target, emit
from freebody.backends.llvm.straight import Straight
from freebody.disk_cache import Cache
from freebody.errors import BackendError, FunctionError
from freebody.program.assemble import program
from freebody.program.evaluate import evaluate
from freebody.program.program import Group, Output, Program, Solve
from freebody.program.split import split
from freebody.scalar.functions import callback
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.program_cases import CASES, Case, every_operation, random_block, solved, tree


@pytest.mark.parametrize("width", [2, 4, 8])
@pytest.mark.parametrize("case", [CASES[0], CASES[1], CASES[9], CASES[10], CASES[-2]], ids=repr)
def test_every_width_matches_the_scalar_result(case: Case, width: int) -> None:
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


def test_hundred_thousand_levels_compile() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    y = x
    for _ in range(50_000):
        y = g.mul(g.const(0.5), g.add(y, x))
    f = compile(program("deep", g, {"q": [x]}, {"y": y}), level=0)
    assert abs(f([0.7]) - 0.7) < 1e-12


@pytest.mark.parametrize("n", [40, 61])
def test_large_solves_are_accurate(n: int) -> None:
    case = solved(f"large{n}", n, [(i, j) for i in range(n) for j in range(i + 1)])
    f, inputs = compile(case.program), case.inputs(np.random.default_rng(0))
    wanted = evaluate(case.program, inputs)
    for found in (f(**inputs), {k: v[1] for k, v in f(inputs["parameters"], np.array([inputs["q"]] * 2)).items()}):  # type: ignore[union-attr]
        assert np.all(np.abs(found["x"] - wanted.values["x"]) <= wanted.bounds["x"])  # type: ignore[index, call-overload]


def test_code_size_of_scans_does_not_depend_on_the_number_of_bodies() -> None:
    short, long = (emit(split(bodies(n), 1000), Target(1, 4))[0] for n in (10, 1000))
    assert len(long) < 1.2 * len(short) + 30_000  # only names and tables of groups may grow
    assert short.count("fmul") == long.count("fmul")


def bodies(n: int) -> Program:
    return tree(f"n{n}", list(range(-1, n - 1))).program


@pytest.mark.parametrize("shared", [False, True])
def test_code_size_of_batches_does_not_depend_on_the_number_of_bodies(shared: bool) -> None:
    target = Target(8, 8, frozenset(["parameters"] if shared else []))
    short, long = (emit(bodies(n), target)[0] + driver(bodies(n), target) for n in (200, 2000))
    assert len(long) < 1.1 * len(short)


@pytest.mark.parametrize("width", [2, 4, 8])
def test_rows_of_any_length_are_packed_and_unpacked(width: int) -> None:
    for n in (1, width - 1, width, 4 * width - 1, 4 * width, 4 * width + 1, 5 * width, 7 * width + 1):
        g = Graph()
        x = [g.symbol(f"x{k}", Kind.COORDINATE) for k in range(n)]
        f = compile(program("negative", g, {"q": x}, {"y": [g.neg(v) for v in x[::-1]]}), width=width, level=0)
        q = np.random.default_rng(n).normal(size=(2 * width + 1, n))
        assert np.array_equal(f(q), -q[:, ::-1])


def chain(n: int) -> Program:
    """y = sin(… sin(sin(x) + x) + x …) + x: no two sines are independent of each other."""
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    y = x
    for _ in range(n):
        y = g.add(g.sin(y), x)
    return program("chain", g, {"q": [x]}, {"y": y})


def test_many_sines_are_computed_by_calls() -> None:
    short, long = (emit(split(chain(n), 1000), Target(1, 8))[0] for n in (100, 4000))
    assert short.count("@llvm.fma") == long.count("@llvm.fma")
    assert len(long) < 2_000_000


def test_chains_of_angles_are_analysed_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, look = [], Straight._blocker
    monkeypatch.setattr(Straight, "_blocker", lambda self, argument: looks.append(argument) or look(self, argument))  # type: ignore[func-returns-value]
    emit(chain(500), Target(1, 8))
    assert len(looks) < 3 * 500


def test_long_chains_are_correct() -> None:
    wanted = evaluate(chain(600), {"q": [0.3]})
    f = compile(chain(600), level=0)
    for found in (f(0.3), f([0.3, 0.3])[1]):  # type: ignore[index, call-overload]
        assert abs(found - wanted.values["y"]) <= 4 * wanted.bounds["y"]


# Memory


def far(n: int) -> Program:
    """A program whose output y is the first plus the last input."""
    g = Graph()
    x = [g.symbol(f"x{k}", Kind.COORDINATE) for k in range(n)]
    return program("far", g, {"q": x}, {"y": g.add(x[0], x[-1])})


@pytest.mark.parametrize("width", [1, 2, 8])
@pytest.mark.parametrize("made", [far(20_000), bodies(2000)], ids=["far", "bodies"])
def test_functions_use_little_stack(made: Program, width: int) -> None:
    target = Target(width, 8)
    text = emit(made, target)[0] + (driver(made, target) if width > 1 else "")
    for lanes, count in re.findall(r"alloca (?:<(\d+) x )?double>?, i64 (\d+)", text):
        assert 8 * int(lanes or 1) * int(count) <= ON_STACK
    assert "alloca [" not in text
    for size in re.findall(r"@aligned_alloc\(i64 64, i64 (\d+)\)", text):
        assert int(size) > ON_STACK and int(size) % 64 == 0


def test_large_batches_run_on_small_stacks() -> None:
    script = """
import threading
import numpy as np
from freebody.backends import compile
from freebody.backends.function import ON_STACK
from tests.backends.test_llvm import bodies, far

def work():
    x = np.random.default_rng(0).normal(size=(19, 20_000))
    assert np.array_equal(compile(far(20_000), width=8, cache=None)(x), x[:, 0] + x[:, -1])
    f, q = compile(bodies(2000), width=8, cache=None), x[:, :2000]
    many = f(x[:, :4000], q)["torque"]
    assert np.allclose(many[-1], f(x[-1, :4000], q[-1])["torque"], rtol=1e-9)
    print("done")

threading.stack_size(512 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@pytest.mark.parametrize("width", [1, 8])
def test_outputs_are_nan_if_memory_is_exhausted(width: int) -> None:
    made, target, n = bodies(2000), Target(width, 8), 3
    none = "define internal ptr @aligned_alloc(i64 %a, i64 %size) {\n  ret ptr null\n}"
    text = (emit(made, target)[0] + (driver(made, target) if width > 1 else "")).replace(DECLARATIONS[0], none)
    library = jit.load(text, cache=None)
    rows = n if width > 1 else 1
    inputs = [np.zeros((rows, g.size)) for g in made.groups]
    outputs = [np.zeros((rows, o.size)) for o in made.outputs]
    if width == 1:
        given = [a.ctypes.data for a in (*inputs, *outputs)]
        ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(given))(library.address("run"))(*given)
    else:
        given = [x for a in inputs for x in (a.ctypes.data, a.shape[1])] + [o.ctypes.data for o in outputs]
        types = [ctypes.c_void_p, ctypes.c_int64] * len(inputs) + [ctypes.c_void_p] * len(outputs)
        ctypes.CFUNCTYPE(None, ctypes.c_int64, *types)(library.address("batch"))(n, *given)
    assert all(np.isnan(o).all() for o in outputs)


@pytest.mark.parametrize("name", ["region0", "0", "scratch", "p0"])
def test_buffers_may_have_any_name(name: str) -> None:
    names = [name, "right", "x"]
    matrix, right = (Group(n, tuple(f"{n}{k}" for k in range(3)), int(Kind.COORDINATE)) for n in names[:2])
    solve = Solve("diagonal", 3, ((0, 0), (1, 1), (2, 2)), 1, *names)
    made = Program("named", (matrix, right), (Output("x", (3,)),), (), (solve,))
    assert np.allclose(compile(made)([1.0, 2.0, 4.0], [3.0, 3.0, 3.0]), [3.0, 1.5, 0.75], rtol=1e-15)


# The engine


def test_engines_are_reloaded_from_the_cache(tmp_path: Path) -> None:
    cache, case = Cache(tmp_path), random_block(2)
    first = LLVM(case.program, cache=cache)
    second = LLVM(case.program, cache=cache)
    assert not first.library.from_cache and second.library.from_cache
    inputs = list(case.inputs(np.random.default_rng(0)).values())
    results = [[np.zeros(o.size) for o in case.program.outputs] for _ in range(2)]
    first.run(inputs, results[0])
    second.run(inputs, results[1])
    assert all(np.array_equal(a, b) for a, b in zip(*results, strict=True))


def test_user_functions_are_not_part_of_cached_objects(tmp_path: Path) -> None:
    def build(factor: float) -> float:
        g = Graph()
        x = g.symbol("x", Kind.COORDINATE)
        made = program("user", g, {"q": [x]}, {"y": g.call(callback("f", lambda v: factor * v), [x])})
        return float(compile(made, cache=Cache(tmp_path))([1.0]))

    assert build(2.0) == 2.0
    assert build(3.0) == 3.0


def test_exceptions_of_user_functions_reach_the_caller() -> None:
    def bad(v: float) -> float:
        raise ZeroDivisionError("the user's own")

    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    f = compile(program("user", g, {"q": [x]}, {"y": g.call(callback("bad", bad), [x])}))
    for argument in ([1.0], np.ones((5, 1))):
        with pytest.raises(FunctionError, match="the user's own"):
            f(argument)


def test_raw_functions_outlive_their_engine_and_raise() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    inverse = callback("inverse", lambda v: 1 / v)
    raw = LLVM(program("user", g, {"q": [x]}, {"y": g.call(inverse, [x])})).raw
    del inverse, g
    gc.collect()
    value, y = np.array([4.0]), np.zeros(1)
    raw(value.ctypes.data, y.ctypes.data)
    assert y[0] == 0.25
    value[0] = 0.0
    with pytest.raises(FunctionError, match="its function raises ZeroDivisionError"):
        raw(value.ctypes.data, y.ctypes.data)


def test_invalid_widths_are_refused() -> None:
    with pytest.raises(BackendError, match="width must be 2, 4 or 8 lanes, not 3"):
        compile(random_block(1).program, width=3)
