"""The builder of LLVM IR: arithmetic, variables, branches and loops; optimisation passes do not change results."""

import ctypes
import math
from pathlib import Path

import numpy as np
import pytest

from freebody.backends.llvm import jit
from freebody.backends.llvm.build import Build, Value, module
from freebody.disk_cache import Cache


def run(b: Build, result: object, *given: tuple[object, object], passes: bool = True) -> object:
    library = jit.load(module([b]), level=2, passes=passes, cache=None)
    function = ctypes.CFUNCTYPE(result, *(kind for kind, _ in given))(library.address(b.name))
    return function(*(value for _, value in given))


@pytest.mark.parametrize("passes", [False, True])
def test_loops_and_variables(passes: bool) -> None:
    b = Build("norm", "double", {"x": "ptr", "n": "i64"}, export=True)
    total = b.variable(0.0)
    with b.loop(0, b["n"]) as i:
        x = b["x"].load(i)
        total.set(total() + x * x)
    b.give(b.intrinsic("sqrt", total()))
    x = np.arange(1.0, 8.0)
    found = run(b, ctypes.c_double, (ctypes.c_void_p, x.ctypes.data), (ctypes.c_int64, len(x)), passes=passes)
    assert found == pytest.approx(np.linalg.norm(x), rel=1e-15)


@pytest.mark.parametrize(("a", "b"), [(12, 18), (17, 5), (7, 7), (100, 1)])
def test_branches_in_loops(a: int, b: int) -> None:
    """Euclid's algorithm by subtraction."""
    f = Build("gcd", "i64", {"a": "i64", "b": "i64"}, export=True)
    x, y = f.variable(f["a"]), f.variable(f["b"])
    with f.repeat(lambda: x().ne(y())), f.either(x() > y()) as otherwise:
        x.set(x() - y())
        otherwise()
        y.set(y() - x())
    f.give(x())
    assert run(f, ctypes.c_int64, (ctypes.c_int64, a), (ctypes.c_int64, b)) == math.gcd(a, b)


def test_vectors_broadcast_scalars_and_are_reduced() -> None:
    """Σ max(2 x, 3) over eight lanes where x > 1, and −1 elsewhere."""
    b = Build("mixed", "double", {"x": "ptr"}, width=8, export=True)
    x = b["x"].load(0, "<8 x double>")
    two = b.value(2.0, "double")
    chosen = b.select(x > 1.0, b.most(x * two, 3.0), -1.0)
    with b.when(~b.any(x > 100.0)):
        b.give(b.total(chosen))
    b.give(b.lane(x, 0))
    raw = np.zeros(16)
    start = (-raw.ctypes.data % 64) // 8
    data = raw[start : start + 8]
    data[:] = [0.5, 1.2, 3.0, -1.0, 1.0, 2.0, 8.0, 1.6]
    expected = np.where(data > 1, np.maximum(2 * data, 3), -1).sum()
    assert run(b, ctypes.c_double, (ctypes.c_void_p, data.ctypes.data)) == expected
    data[:2] = 7.0, 200.0
    assert run(b, ctypes.c_double, (ctypes.c_void_p, data.ctypes.data)) == 7.0


def test_bits_shifts_and_comparisons() -> None:
    """The exponent of a number, less its bias; NaN differs from itself."""
    b = Build("exponent", "i64", {"x": "double"}, export=True)
    with b.when(b["x"].ne(b["x"])):
        b.give(-1)
    b.give((b.bits(b["x"]) >> 52) - 1023)
    for x, expected in ((1.0, 0), (10.0, 3), (0.3, -2), (math.nan, -1)):
        assert run(b, ctypes.c_int64, (ctypes.c_double, x)) == expected


def test_functions_of_a_module_call_each_other_by_name_and_address() -> None:
    twice = Build("twice", "double", {"x": "double"})
    twice.give(twice["x"] * 2.0)
    b = Build("four", "double", {"x": "double"}, export=True)
    b.give(b.call("twice", "double", b.call(Value(b, "ptr", "@twice"), "double", b["x"])))
    library = jit.load(module([twice, b]), passes=True, cache=None)
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.address("four"))(1.5) == 6.0


def test_cache_key_depends_on_passes(tmp_path: Path) -> None:
    b = Build("one", "double", {}, export=True)
    b.give(1.0)
    text, cache = module([b]), Cache(tmp_path)
    found = [jit.load(text, passes=p, cache=cache).from_cache for p in (False, True, False, True)]
    assert found == [False, False, True, True]


def test_texts_are_written_only_where_nothing_is_stored_under_their_key(tmp_path: Path) -> None:
    b = Build("one", "double", {}, export=True)
    b.give(1.0)
    written, cache = list[str](), Cache(tmp_path)

    def write() -> str:
        written.append(module([b]))
        return written[-1]

    found = [jit.load(write, cache=cache, key=key).from_cache for key in ("a", "a", "b", "")]
    assert found == [False, True, False, False] and len(written) == 4  # without a key once to know it, once to compile
