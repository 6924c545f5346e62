"""Compiled functions called from Python: what is taken, what is refused and how, and that nothing leaks.

Every law holds for the native builtin and for the call through ctypes alike.
"""

import ctypes
import gc
import inspect
import pickle
import sys
import threading
import time
import weakref
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from freebody.backends.llvm import trampoline
from freebody.backends.llvm.checked import Arg
from freebody.backends.llvm.jit import Library, load
from freebody.backends.llvm.trampoline import bind, emit
from freebody.errors import ArgumentError, BackendError

N = 4
ARGUMENTS = [Arg("q", N, "in"), Arg("u", N, "in"), Arg("h", 1, "scalar"), Arg("out", N, "out")]
Function = Callable[..., None]


def kernel() -> str:
    """out = q + h u."""
    lines = ["define internal void @step(ptr noalias %q, ptr noalias %u, double %h, ptr noalias %out) {"]
    for k in range(N):
        lines += [f"  %{x}.at{k} = getelementptr double, ptr %{x}, i64 {k}" for x in ("q", "u", "out")]
        lines += [f"  %q{k} = load double, ptr %q.at{k}", f"  %u{k} = load double, ptr %u.at{k}"]
        lines += [f"  %m{k} = fmul double %u{k}, %h", f"  %s{k} = fadd double %q{k}, %m{k}"]
        lines += [f"  store double %s{k}, ptr %out.at{k}"]
    return "\n".join([*lines, "  ret void\n}\n"])


SPIN = """
define internal void @spin(double %n, ptr %out) {
entry:
  br label %loop
loop:
  %k = phi double [ 0.0, %entry ], [ %next, %loop ]
  %next = fadd double %k, 1.0
  %more = fcmp olt double %next, %n
  br i1 %more, label %loop, label %done
done:
  store double %next, ptr %out
  ret void
}
define internal void @nothing() {
  ret void
}
define internal void @two(ptr noalias %a, ptr noalias %none, ptr noalias %b) {
  store double 1.0, ptr %a
  store double 2.0, ptr %b
  ret void
}
"""


@pytest.fixture(scope="module", autouse=True)
def quick_collections() -> Iterator[None]:
    """What exists by now is no garbage of ours."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module")
def library() -> Library:
    wait = [Arg("n", 1, "scalar"), Arg("out", 1, "out")]
    parts = [
        kernel() + SPIN,
        emit("step", "step", ARGUMENTS),
        emit("step_released", "step", ARGUMENTS, release_gil=True),
        emit("spin_released", "spin", wait, release_gil=True),
        emit("spin_held", "spin", wait),
        emit("nothing", "nothing", []),
        emit("two", "two", [Arg("a", 2, "out"), Arg("none", 0, "in"), Arg("b", 1, "out")]),
        emit("odd_names", "two", [Arg("body.x", 1, "out"), Arg("ω", 1, "in"), Arg('"\\', 1, "out")]),
    ]
    return load("".join(parts), cache=None)


@pytest.fixture(params=[True, False], ids=["native", "ctypes"])
def native(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def step(library: Library, native: bool) -> Function:
    return bind(library, "step", "One step.", native=native)


def arrays() -> list[Any]:
    return [np.arange(1.0, N + 1), np.full(N, 10.0), float("0.5"), np.zeros(N)]


EXPECTED = [6.0, 7.0, 8.0, 9.0]


class Child(np.ndarray):  # type: ignore[type-arg]
    pass


class Ratio:
    """A number by __float__, or its opposite."""

    def __init__(self, value: float | Exception) -> None:
        self.value = value

    def __float__(self) -> float:
        if isinstance(self.value, Exception):
            raise type(self.value)(*self.value.args)
        return self.value


def misaligned(values: Any) -> np.ndarray:  # type: ignore[type-arg]
    raw = np.zeros(8 * len(values) + 8, np.uint8)
    offset = 1 + -raw.ctypes.data % 8
    view = raw[offset : offset + 8 * len(values)].view(float)
    view[:] = values
    return view


def frozen(values: Any) -> np.ndarray:  # type: ignore[type-arg]
    result = np.array(values, float)
    result.flags.writeable = False
    return result


def released() -> memoryview:
    view = memoryview(np.zeros(N))
    view.release()
    return view


Q = np.arange(1.0, N + 1)

GOOD: dict[str, tuple[int, Callable[[], Any]]] = {
    "array": (0, lambda: Q.copy()),
    "matrix": (0, lambda: Q.reshape(2, 2)),
    "row": (0, lambda: Q.reshape(1, N)),
    "column": (0, lambda: Q.reshape(N, 1)),
    "three axes": (0, lambda: Q.reshape(2, 1, 2)),
    "slice": (0, lambda: np.arange(9.0)[1 : N + 1]),
    "read-only": (0, lambda: frozen(Q)),
    "unpickled, whose dtype is another object": (0, lambda: pickle.loads(pickle.dumps(Q))),
    "dtype with metadata": (0, lambda: Q.astype(np.dtype("f8", metadata={"unit": "rad"}))),
    "subclass": (0, lambda: Q.view(Child)),
    "numpy.matrix": (0, lambda: Q.reshape(2, 2).view(np.matrix)),
    "array.array": (0, lambda: array("d", Q)),
    "memoryview": (0, lambda: memoryview(Q)),
    "bytes cast to doubles": (0, lambda: memoryview(Q.tobytes()).cast("d")),
    "ctypes array": (0, lambda: (ctypes.c_double * N)(*Q)),
    "list": (0, lambda: [1.0, 2.0, 3.0, 4.0]),
    "tuple": (0, lambda: (1.0, 2.0, 3.0, 4.0)),
    "mixed numbers": (0, lambda: [1, np.float64(2), Fraction(3), Decimal(4)]),
    "more numbers": (0, lambda: [True, np.int32(2), np.float32(3), Ratio(4.0)]),
    "numpy.float64": (2, lambda: np.float64(0.5)),
    "numpy.float32": (2, lambda: np.float32(0.5)),
    "fraction": (2, lambda: Fraction(1, 2)),
    "array of no axes as a number": (2, lambda: np.array(0.5)),
    "number by __float__": (2, lambda: Ratio(0.5)),
}

LENGTH = r"argument 1 'q' has {} values, 4 are expected"
FLOATS = r"argument 1 'q' holds {}, native float64 is expected"
KIND = r"argument 1 'q' is {}, a float64 array, list or tuple of 4 is expected"
ITEM = r"argument 1 'q' has at position {} a value {}, a number is expected"
OUTPUT = r"argument 4 'out' is of type {}, a writable float64 array of 4 is expected"

BAD: dict[str, tuple[int, Callable[[], Any], type[Exception], str]] = {
    "float32": (0, lambda: Q.astype("f4"), TypeError, FLOATS.format("float32")),
    "float16": (0, lambda: Q.astype("f2"), TypeError, FLOATS.format("float16")),
    "long double": (0, lambda: Q.astype("g"), TypeError, FLOATS.format(r"(float128|longdouble|float96|float64)")),
    "integers": (0, lambda: Q.astype(int), TypeError, FLOATS.format("int64")),
    "booleans": (0, lambda: Q.astype(bool), TypeError, FLOATS.format("bool")),
    "complex": (0, lambda: Q.astype(complex), TypeError, FLOATS.format("complex128")),
    "other byte order": (0, lambda: Q.astype(Q.dtype.newbyteorder()), TypeError, FLOATS.format("[<>]f8")),
    "objects": (0, lambda: Q.astype(object), TypeError, FLOATS.format("object")),
    "strings": (0, lambda: Q.astype("U3"), TypeError, FLOATS.format("<U3")),
    "dates": (0, lambda: np.zeros(N, "M8[s]"), TypeError, KIND.format("of type ndarray")),
    "records": (0, lambda: np.zeros(N, [("x", "f8")]), TypeError, FLOATS.format(r"\[\('x', '<f8'\)\]")),
    "every second": (0, lambda: np.zeros(2 * N)[::2], ArgumentError, "argument 1 'q' is not contiguous"),
    "backwards": (0, lambda: Q[::-1], ArgumentError, "is not contiguous, pass numpy.ascontiguousarray of it"),
    "columns first": (0, lambda: np.asfortranarray(Q.reshape(2, 2)), ArgumentError, "is not contiguous"),
    "broadcast": (0, lambda: np.broadcast_to(1.0, N), ArgumentError, "is not contiguous"),
    "misaligned": (0, lambda: misaligned(Q), ArgumentError, "argument 1 'q' is not aligned to 8 bytes, pass a copy"),
    "too short": (0, lambda: np.zeros(N - 1), ArgumentError, LENGTH.format(3)),
    "too long": (0, lambda: np.zeros(N + 1), ArgumentError, LENGTH.format(5)),
    "too many axes": (0, lambda: np.zeros((N, 2)), ArgumentError, LENGTH.format(8)),
    "no axes": (0, lambda: np.array(1.0), ArgumentError, LENGTH.format(1)),
    "empty": (0, lambda: np.zeros(0), ArgumentError, LENGTH.format(0)),
    "empty with axes": (0, lambda: np.zeros((N, 0)), ArgumentError, LENGTH.format(0)),
    "subclass too short": (0, lambda: np.zeros(3).view(Child), ArgumentError, LENGTH.format(3)),
    "None": (0, lambda: None, TypeError, KIND.format("None")),
    "number": (0, lambda: 1.0, TypeError, KIND.format("of type float")),
    "text": (0, lambda: "1234", TypeError, KIND.format("of type str")),
    "bytes": (0, lambda: bytes(8 * N), TypeError, FLOATS.format("items of format 'B'")),
    "array.array of floats": (0, lambda: array("f", Q), TypeError, FLOATS.format("items of format 'f'")),
    "array.array too short": (0, lambda: array("d", [1.0]), ArgumentError, LENGTH.format(1)),
    "strided memoryview": (0, lambda: memoryview(np.zeros(2 * N))[::2], ArgumentError, "is not contiguous"),
    "released memoryview": (0, released, TypeError, KIND.format("of type memoryview")),
    "set": (0, lambda: {1.0, 2.0, 3.0, 4.0}, TypeError, KIND.format("of type set")),
    "dict": (0, lambda: dict.fromkeys(Q), TypeError, KIND.format("of type dict")),
    "generator": (0, lambda: (x for x in Q), TypeError, KIND.format("of type generator")),
    "endless iterable": (0, lambda: iter(int, 1), TypeError, KIND.format("of type callable_iterator")),
    "huge range": (0, lambda: range(10**15), TypeError, KIND.format("of type range")),
    "huge list": (0, lambda: [None] * 10**6, ArgumentError, LENGTH.format(10**6)),
    "short list": (0, lambda: [1.0, 2.0, 3.0], ArgumentError, LENGTH.format(3)),
    "list with text": (0, lambda: [1.0, 2.0, "3.0", 4.0], TypeError, ITEM.format(2, "of type str")),
    "list with None": (0, lambda: [1.0, None, 3.0, 4.0], TypeError, ITEM.format(1, "None")),
    "list with complex": (0, lambda: [1j, 2.0, 3.0, 4.0], TypeError, ITEM.format(0, "of type complex")),
    "nested lists": (0, lambda: [[1.0], [2.0], [3.0], [4.0]], TypeError, ITEM.format(0, "of type list")),
    "list with too large an integer": (0, lambda: [10**400, 1, 1, 1], OverflowError, "too large"),
    "list whose number raises": (0, lambda: [1, 2, 3, Ratio(KeyError("x"))], KeyError, "'x'"),
    "list whose number raises TypeError": (0, lambda: [1, 2, 3, Ratio(TypeError("mine"))], TypeError, "^mine$"),
    "class": (0, lambda: np.ndarray, TypeError, KIND.format("of type type")),
    "second argument": (1, lambda: np.zeros(5), ArgumentError, r"argument 2 'u' has 5 values, 4 are expected"),
    "number None": (2, lambda: None, TypeError, "argument 3 'h' is None, a number is expected"),
    "number as text": (2, lambda: "0.5", TypeError, "argument 3 'h' is of type str, a number is expected"),
    "number as list": (2, lambda: [0.5], TypeError, "argument 3 'h' is of type list"),
    "complex number": (2, lambda: 0.5j, TypeError, "argument 3 'h' is of type complex"),
    "too large an integer": (2, lambda: 10**400, OverflowError, "too large"),
    "number that raises": (2, lambda: Ratio(ZeroDivisionError("why")), ZeroDivisionError, "why"),
    "output list": (3, lambda: [0.0] * N, TypeError, OUTPUT.format("list")),
    "output tuple": (3, lambda: (0.0,) * N, TypeError, OUTPUT.format("tuple")),
    "output number": (3, lambda: 1.0, TypeError, OUTPUT.format("float")),
    "output read-only": (3, lambda: frozen(Q), ArgumentError, "'out' is read-only, an output must be writable"),
    "output of bytes": (3, lambda: memoryview(bytes(8 * N)).cast("d"), ArgumentError, "'out' is read-only"),
    "output float32": (3, lambda: np.zeros(N, "f4"), TypeError, "argument 4 'out' holds float32"),
    "output too long": (3, lambda: np.zeros(N + 1), ArgumentError, "argument 4 'out' has 5 values"),
    "output strided": (3, lambda: np.zeros(2 * N)[::2], ArgumentError, "argument 4 'out' is not contiguous"),
    "output misaligned": (3, lambda: misaligned(Q), ArgumentError, "argument 4 'out' is not aligned"),
}


@pytest.mark.parametrize("kind", GOOD)
def test_these_are_taken(step: Function, kind: str) -> None:
    k, make = GOOD[kind]
    given = arrays()
    given[k] = make()
    assert step(*given) is None  # type: ignore[func-returns-value]
    assert given[3].tolist() == EXPECTED


@pytest.mark.parametrize("kind", BAD)
def test_these_are_refused_by_name(step: Function, kind: str) -> None:
    k, make, error, message = BAD[kind]
    given = arrays()
    given[k] = make()
    with pytest.raises(error, match=message) as raised:
        step(*given)
    if "argument" in message:
        assert str(raised.value).startswith("step(): argument ")
    assert not isinstance(given[3], np.ndarray) or k == 3 or not given[3].any(), "nothing was computed"


@pytest.mark.parametrize("count", [0, 1, 3, 5, 40])
def test_the_number_of_arguments_is_told(step: Function, count: int) -> None:
    with pytest.raises(TypeError, match=rf"step\(\) takes 4 arguments \(q, u, h, out\), {count} given"):
        step(*(arrays() * 10)[:count])


def test_names_are_not_taken(step: Function) -> None:
    q, u, h, out = arrays()
    with pytest.raises(TypeError, match="keyword argument"):
        step(q, u, h, out=out)


OUTPUTS: dict[str, Callable[[], Any]] = {
    "matrix": lambda: np.zeros((2, 2)),
    "subclass": lambda: np.zeros(N).view(Child),
    "array.array": lambda: array("d", bytes(8 * N)),
    "bytearray": lambda: memoryview(bytearray(8 * N)).cast("d"),
    "ctypes array": lambda: (ctypes.c_double * N)(),
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_outputs_of_many_kinds(step: Function, kind: str) -> None:
    q, u, h, _ = arrays()
    out = OUTPUTS[kind]()
    step(q, u, h, out)
    assert np.asarray(out).ravel().tolist() == EXPECTED


@pytest.mark.parametrize("first", range(-N - 1, N + 2))
@pytest.mark.parametrize("which", [0, 1])
def test_an_output_may_touch_an_input_and_not_overlap_it(step: Function, first: int, which: int) -> None:
    memory = np.zeros(3 * N + 2)
    given = arrays()
    given[which] = memory[N + 1 : 2 * N + 1]
    given[3] = memory[N + 1 + first : 2 * N + 1 + first]
    if abs(first) >= N:
        return step(*given)
    name = "qu"[which]
    with pytest.raises(ArgumentError, match=f"argument 4 'out' shares memory with argument {which + 1} '{name}', an"):
        step(*given)
    return None


def test_inputs_may_be_the_same_array(step: Function) -> None:
    q, _, _, out = arrays()
    step(q, q, 1.0, out)
    assert out.tolist() == [2.0, 4.0, 6.0, 8.0]


def test_outputs_must_be_apart_and_empty_arrays_are_no_rivals(library: Library, native: bool) -> None:
    two, memory = bind(library, "two", native=native), np.zeros(4)
    two(memory[:2], memory[1:1], memory[2:3])
    assert memory.tolist() == [1.0, 0.0, 2.0, 0.0]
    two(memory[:2], [], memory[3:])
    with pytest.raises(ArgumentError, match="argument 3 'b' shares memory with argument 1 'a'"):
        two(memory[:2], memory[:0], memory[1:2])


def test_no_arguments_and_odd_names(library: Library, native: bool) -> None:
    bind(library, "nothing", native=native)()
    odd = bind(library, "odd_names", "Text.", native=native)
    assert odd.__doc__ == "Text."
    with pytest.raises(ArgumentError, match=r"argument 1 'body\.x' has 2 values"):
        odd(np.zeros(2), [1.0], np.zeros(1))
    with pytest.raises(ArgumentError, match="argument 2 'ω' has 2 values"):
        odd(np.zeros(1), [1.0, 2.0], np.zeros(1))
    with pytest.raises(TypeError, match=r"argument 3 '\"\\' is None"):
        odd(np.zeros(1), [1.0], None)


def test_unknown_names_are_refused(library: Library, native: bool) -> None:
    with pytest.raises(BackendError, match="elsewhere"):
        bind(library, "elsewhere", native=native)


def test_it_looks_like_a_function(step: Function, native: bool) -> None:
    assert step.__name__ == "step" and step.__doc__ == "One step."
    assert inspect.isbuiltin(step) == native
    if native:
        assert str(inspect.signature(step)) == "(q, u, h, out, /)"
    with pytest.raises(TypeError, match=r"step\(\) is machine code in this process and cannot be pickled"):
        pickle.dumps(step)


def test_references_and_memory_stay_flat(step: Function, native: bool) -> None:
    given, repeats = arrays(), 100_000 if native else 3_000
    for _ in range(100):
        step(*given)
    gc.collect()
    counts = [sys.getrefcount(x) for x in given]
    none, blocks = sys.getrefcount(None), sys.getallocatedblocks()
    for _ in range(repeats):
        step(*given)
    assert abs(sys.getallocatedblocks() - blocks) < 200
    assert abs(sys.getrefcount(None) - none) < 50
    assert [sys.getrefcount(x) for x in given] == counts


@pytest.mark.parametrize("kind", [*GOOD, *BAD])
def test_every_other_way_is_flat_too(library: Library, kind: str) -> None:
    k, make = (GOOD | BAD)[kind][:2]  # type: ignore[operator]
    step, given = bind(library, "step"), arrays()
    given[k] = make()

    def repeat(n: int) -> tuple[int, list[int]]:
        for _ in range(n):
            with suppress(Exception):
                step(*given)
        gc.collect()
        return sys.getallocatedblocks(), [sys.getrefcount(x) for x in given]

    repeat(50)
    (blocks, counts), (more_blocks, more_counts) = repeat(1), repeat(400)
    assert more_counts == counts
    assert more_blocks - blocks < 200, "a leak would be at least one block a call"


def test_a_kept_error_does_not_lock_the_callers_buffer(step: Function) -> None:
    q, values = arrays(), array("d", [1.0] * N)
    with pytest.raises(ArgumentError) as kept:
        step(values, q[1], q[2], values)
    values.append(1.0)
    with pytest.raises(ArgumentError, match="has 5 values"):
        step(values, *q[1:])
    values.pop()
    assert kept.value


def test_a_number_that_empties_the_list_is_survived(step: Function) -> None:
    values: list[Any] = [1.0, 2.0, 3.0]

    class Emptier:
        def __float__(self) -> float:
            values.clear()
            return 1.0

    values.insert(0, Emptier())
    with pytest.raises((IndexError, ValueError, TypeError)):
        step(values, *arrays()[1:])


def test_the_function_keeps_its_code_alive(native: bool) -> None:
    def make() -> Function:
        library = load(kernel() + emit("step", "step", ARGUMENTS), cache=None)
        return bind(library, "step", native=native)

    functions = [make() for _ in range(5)]
    gc.collect()
    del functions[1::2]
    gc.collect()
    for step in functions:
        given = arrays()
        step(*given)
        assert given[3].tolist() == EXPECTED


def test_the_function_keeps_what_it_is_told_to(library: Library, native: bool) -> None:
    class Kept:
        pass

    kept = Kept()
    gone = weakref.ref(kept)
    step = bind(library, "step", native=native, keep=[kept])
    del kept
    gc.collect()
    assert gone() is not None
    del step
    gc.collect()
    assert gone() is None


def test_two_bindings_of_one_function_are_independent(library: Library, native: bool) -> None:
    first, second = bind(library, "step", native=native), bind(library, "step", native=native)
    del second
    gc.collect()
    first([1.0] * N, *arrays()[1:])


@pytest.mark.parametrize("name", ["step", "step_released"])
def test_threads_may_call_together(library: Library, native: bool, name: str) -> None:
    step, wrong = bind(library, name, native=native), []

    def work(seed: int) -> None:
        q, u, out = np.full(N, float(seed)), np.ones(N), np.zeros(N)
        for k in range(2000 if native else 200):
            step(q, u, float(k), out)
            if out[0] != seed + k:
                wrong.append((seed, k))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("name, free", [("spin_released", True), ("spin_held", False)])
def test_others_run_meanwhile_if_the_lock_is_released(library: Library, native: bool, name: str, free: bool) -> None:
    spin, out, ends = bind(library, name, native=native), np.zeros(1), []

    def work() -> None:
        start = time.perf_counter()
        spin(1.5e8, out)
        ends.append((start, time.perf_counter()))

    thread, ticks = threading.Thread(target=work), []
    thread.start()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    (start, end) = ends[0]
    margin = 0.1 * (end - start)
    assert out[0] == 1.5e8
    assert any(start + margin < t < end - margin for t in ticks) == free


@pytest.mark.parametrize(
    "table, field, offset",
    [
        ("_OBJECT", "type", 0),
        ("_OBJECT", "number", 8),
        ("_ARRAY", "data", 24),
        ("_ARRAY", "ndim", 28),
        ("_ARRAY", "shape", 40),
        ("_ARRAY", "dtype", 48),
        ("_ARRAY", "flags", 68),
        ("_DTYPE", "order", 25),
        ("_DTYPE", "num", 32),
    ],
)
def test_another_layout_is_noticed(table: str, field: str, offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert trampoline.layout_is_known()
    monkeypatch.setitem(getattr(trampoline, table), field, offset)
    assert not trampoline.layout_is_known.__wrapped__()


def test_without_the_lock_or_cpython_nothing_is_read(monkeypatch: pytest.MonkeyPatch, library: Library) -> None:
    monkeypatch.setattr(trampoline.sysconfig, "get_config_var", lambda name: 1)
    assert not trampoline.layout_is_known.__wrapped__()
    monkeypatch.setattr(trampoline, "layout_is_known", lambda: False)
    assert not inspect.isbuiltin(bind(library, "step"))
