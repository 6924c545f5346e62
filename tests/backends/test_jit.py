"""Compilation of LLVM IR: the cache, threads, symbols of libm, and clear errors."""

import ctypes
import gc
import math
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from freebody.backends.llvm import jit
from freebody.backends.llvm.jit import Library, load
from freebody.disk_cache import Cache
from freebody.errors import BackendError

SQUARE = "define double @square(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"
EPS = sys.float_info.epsilon


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path)


def call(library: Library, name: str, *x: float) -> float:
    prototype = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * len(x))
    result: float = prototype(library.address(name))(*x)
    return result


def test_compiled_text_is_reloaded_from_the_cache(cache: Cache) -> None:
    first, second = load(SQUARE, cache=cache), load(SQUARE, cache=cache)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert call(first, "square", 3.0) == call(second, "square", 3.0) == 9.0
    assert set(first.seconds) == set(second.seconds) == {"parse", "emit", "load"}
    assert all(t > 0 for t in first.seconds.values())
    assert second.seconds["parse"] == second.seconds["emit"] == 0 < second.seconds["load"]


def test_cache_key_depends_on_level_and_text(cache: Cache) -> None:
    load(SQUARE, cache=cache)
    assert not load(SQUARE, level=2, cache=cache).from_cache
    assert not load(SQUARE + "\n", cache=cache).from_cache
    assert load(SQUARE, level=1, cache=cache).from_cache
    assert not load(SQUARE, cache=None).from_cache


def test_default_cache_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREEBODY_CACHE", str(tmp_path))
    assert [load(SQUARE).from_cache, load(SQUARE).from_cache] == [False, True]
    monkeypatch.setenv("FREEBODY_CACHE", "off")
    assert not load(SQUARE).from_cache


def test_damaged_entries_are_compiled_again(cache: Cache) -> None:
    load(SQUARE, cache=cache)
    assert cache.root is not None
    (entry,) = cache.root.iterdir()
    entry.write_bytes(entry.read_bytes()[:-100])
    again = load(SQUARE, cache=cache)
    assert not again.from_cache and call(again, "square", 3.0) == 9.0
    assert load(SQUARE, cache=cache).from_cache


FRESH = """
import ctypes, sys
from pathlib import Path
from freebody.backends.llvm import cpython, jit
from freebody.disk_cache import Cache
assert "llvmlite" not in sys.modules, "llvmlite is for the first use"
library = jit.load(sys.argv[2], cache=Cache(Path(sys.argv[1])))
value = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.address("wave"))(0.5)
print(library.from_cache, value.hex())
"""


def test_other_processes_load_the_same_object(cache: Cache) -> None:
    ir = "declare double @llvm.sin.f64(double)\n" + SQUARE.replace("square", "wave").replace(
        "fmul double %x, %x", "call double @llvm.sin.f64(double %x)"
    )
    value = call(load(ir, cache=cache), "wave", 0.5)
    command = [sys.executable, "-c", FRESH, str(cache.root), ir]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    assert answer.stdout.split() == ["True", value.hex()] and not answer.stderr
    assert value == pytest.approx(math.sin(0.5), rel=2 * EPS)


LIBM = {
    "sin": 1, "cos": 1, "tan": 1, "asin": 1, "acos": 1, "atan": 1, "atan2": 2, "sinh": 1, "cosh": 1, "tanh": 1,
    "exp": 1, "log": 1, "log1p": 1, "expm1": 1, "pow": 2, "fmod": 2, "floor": 1, "ceil": 1, "erf": 1, "hypot": 2,
    "cbrt": 1,
}  # fmt: skip


def test_symbols_of_libm_are_resolved(cache: Cache) -> None:
    text = []
    for name, arity in LIBM.items():
        types, given = ", ".join(["double"] * arity), ", ".join(f"double %{k}" for k in range(arity))
        text.append(f"declare double @{name}({types})")
        text.append(f"define double @my_{name}({given}) {{\n  %y = call double @{name}({given})\n  ret double %y\n}}")
    library, rng = load("\n".join(text), cache=cache), random.Random(3)
    for name, arity in LIBM.items():
        x = [rng.uniform(0.1, 0.9) for _ in range(arity)]
        expected = math.cbrt(x[0]) if name == "cbrt" else getattr(math, name)(*x)
        assert call(library, f"my_{name}", *x) == pytest.approx(expected, rel=2 * EPS)


def test_intrinsics_lowered_to_library_calls_are_resolved() -> None:
    text = ["declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"]
    for name in ("sin", "cos", "exp", "log", "sqrt", "fabs"):
        text.append(f"declare double @llvm.{name}.f64(double)")
        text.append(f"define double @my_{name}(double %x) {{")
        text.append(f"  %y = call double @llvm.{name}.f64(double %x)\n  ret double %y\n}}")
    text.append("define void @clear(ptr %p, i64 %n) {")
    text.append("  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)\n  ret void\n}")
    library = load("\n".join(text), cache=None)
    for name in ("sin", "cos", "exp", "log", "sqrt", "fabs"):
        assert call(library, f"my_{name}", 0.7) == pytest.approx(getattr(math, name)(0.7), rel=2 * EPS)
    memory = (ctypes.c_double * 500)(*range(500))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)(library.address("clear"))(ctypes.addressof(memory), 4000)
    assert not any(memory)


def test_functions_of_the_module_take_precedence_over_libm() -> None:
    assert call(load(SQUARE.replace("square", "sin"), cache=None), "sin", 3.0) == 9.0


def test_exported_symbols_have_addresses_and_internal_ones_do_not() -> None:
    library = load(
        '@"a.table" = global [2 x i64] [i64 4, i64 5]\n@hidden = internal global i64 1\n'
        "define internal double @inner(double %x) {\n  ret double %x\n}\n"
        'define double @"my.outer"(double %x) {\n  %y = call double @inner(double %x)\n  ret double %y\n}\n',
        cache=None,
    )
    assert call(library, "my.outer", 2.0) == 2.0
    assert list((ctypes.c_int64 * 2).from_address(library.address("a.table"))) == [4, 5]
    for name in ("inner", "hidden", "nowhere"):
        with pytest.raises(BackendError, match=f"no symbol '{name}'"):
            library.address(name)


BAD_TEXTS = {
    "no instruction": "define double @f() {\n  nonsense\n}",
    "wrong type": "define double @f(i64 %x) {\n  ret i64 %x\n}",
    "unknown value": "define double @f(double %x) {\n  %y = fadd double %x, %z\n  ret double %y\n}",
    "use before definition": "define double @f(double %x) {\n  br label %b\na:\n  %y = fadd double %x, %x\n"
    "  br label %b\nb:\n  ret double %y\n}",
}


@pytest.mark.parametrize("kind", BAD_TEXTS)
def test_invalid_text_is_refused_and_not_cached(kind: str, cache: Cache) -> None:
    with pytest.raises(BackendError, match="LLVM refuses the emitted text"):
        load(BAD_TEXTS[kind], cache=cache)
    assert cache.root is not None and not list(cache.root.iterdir())


def test_errors_show_the_line_of_the_text() -> None:
    with pytest.raises(BackendError, match=r":2:\d+: error: expected instruction opcode"):
        load(BAD_TEXTS["no instruction"], cache=None)


def test_missing_symbols_are_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BackendError, match="cannot link"):
        load("declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}", cache=None)
    assert "nowhere" in capfd.readouterr().err


def test_libraries_with_equal_symbols_are_independent() -> None:
    texts = [f"define double @f() {{\n  ret double {n}.0\n}}" for n in range(5)]
    libraries = [load(text, cache=None) for text in texts]
    assert [call(library, "f") for library in libraries] == [0, 1, 2, 3, 4]


def test_threads_may_compile_concurrently(cache: Cache) -> None:
    results: dict[int, float] = {}

    def work(n: int) -> None:
        text = SQUARE + f"define double @f(double %x) {{\n  %y = fadd double %x, {n % 4}.0\n  ret double %y\n}}"
        for _ in range(3):
            results[n] = call(load(text, cache=cache), "f", 1.0)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: 1.0 + n % 4 for n in range(12)}


def test_first_use_by_many_threads() -> None:
    script = """
import threading
from freebody.backends.llvm import jit
gate, out = threading.Barrier(6), []
def work():
    gate.wait()
    out.append(jit.load("define void @f() {\\n  ret void\\n}", cache=None).address("f"))
threads = [threading.Thread(target=work) for _ in range(6)]
[t.start() for t in threads]; [t.join() for t in threads]
assert len(out) == 6
"""
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_released_libraries_free_their_memory(cache: Cache) -> None:
    def pages() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    def churn(n: int) -> None:
        for _ in range(n):
            load(SQUARE, cache=cache).address("square")
        gc.collect()

    churn(100)
    before = pages()
    churn(200)
    assert (pages() - before) * os.sysconf("SC_PAGE_SIZE") < 200 * 4096


def test_features_describe_this_machine() -> None:
    host = jit.features()
    assert host.width in (2, 4, 8) and host is jit.features()
    assert (host.width == 8) == ("+avx512f" in host.flags.split(","))
    assert host.cpu
