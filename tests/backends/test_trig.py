"""Inline sine and cosine: their error, their range, and the independence of lanes."""

import ctypes
import math
from collections.abc import Callable, Iterable

import llvmlite.binding as llvm
import mpmath
import numpy as np
import pytest

from freebody.backends.llvm.trig import LIMIT, Trig, declarations, sincos

ULPS = 2.0  # guaranteed; the largest error observed in 10⁸ arguments is 1.53
SHAPES = [(1, 1, 4), (2, 1, 4), (3, 1, 4), (7, 1, 2), (7, 1, 4), (7, 1, 8), (8, 1, 8), (1, 2, 4), (3, 4, 4), (2, 8, 4)]
LOOP = """
define void @f(ptr noalias %x, ptr noalias %s, ptr noalias %c, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %{block} ]
{body}
  %j = add i64 %i, {count}
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""

Pair = tuple[np.ndarray, np.ndarray]
Function = Callable[[np.ndarray], Pair]
ENGINES: list[llvm.ExecutionEngine] = []


def compiled(count: int, width: int, vector: int, wants: str = "sc", cpu: str | None = None) -> Function:
    """x ↦ (sin x, cos x) of an array, `count` arguments of `width` lanes at a time; results that are not requested
    stay NaN."""
    group = sincos([f"%x{i}" for i in range(count)], [wants] * count, "g", "loop", width, vector)
    address = link("\n".join(declarations([group.width])) + around(group, count, width), cpu)
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)(address)

    def function(x: np.ndarray) -> Pair:
        padded = np.resize(x, -(-len(x) // (count * width)) * count * width)
        s, c = np.full_like(padded, np.nan), np.full_like(padded, np.nan)
        call(padded.ctypes.data, s.ctypes.data, c.ctypes.data, len(padded) // width)
        return s[: len(x)], c[: len(x)]

    return function


def around(group: Trig, count: int, width: int) -> str:
    """A function that loads the arguments of a group, evaluates it and stores the results."""
    type_ = "double" if width == 1 else f"<{width} x double>"
    loads, stores = [], []
    for i in range(count):
        loads += [f"%at{i} = add i64 %i, {i}", f"%px{i} = getelementptr {type_}, ptr %x, i64 %at{i}"]
        loads += [f"%x{i} = load {type_}, ptr %px{i}, align 8"]
        for name, value in (("s", group.sines[i]), ("c", group.cosines[i])):
            if value:
                stores += [f"%p{name}{i} = getelementptr {type_}, ptr %{name}, i64 %at{i}"]
                stores += [f"store {type_} {value}, ptr %p{name}{i}, align 8"]
    return LOOP.format(block=group.block, body="\n".join([*loads, *group.lines, *stores]), count=count)


def link(text: str, cpu: str | None) -> int:
    """The address of @f, compiled for this host or, if `cpu` is "", for a generic one."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    module.verify()
    features = llvm.get_host_cpu_features().flatten() if cpu is None else ""
    name = llvm.get_host_cpu_name() if cpu is None else cpu
    machine = llvm.Target.from_default_triple().create_target_machine(cpu=name, features=features, opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    ENGINES.append(engine)
    return engine.get_function_address("f")


def samples() -> np.ndarray:
    """Arguments of every kind within the range."""
    rng = np.random.default_rng(0)
    sign = rng.choice([-1.0, 1.0], 3000)
    return np.concatenate(
        [
            rng.uniform(-4, 4, 3000),
            rng.uniform(-1e5, 1e5, 3000),
            rng.uniform(-LIMIT, LIMIT, 3000),
            sign * 10 ** rng.uniform(-308, 9, 3000),
            near_quarter_turns(range(1, 200)),
            near_quarter_turns(rng.integers(200, 63662, 1500)),
            near_quarter_turns(rng.integers(63662, int(LIMIT / 1.6), 1000)),
            [0.0, -0.0, 5e-324, -5e-324, 3e-310, 2.2e-308, LIMIT, -LIMIT, 1e5, -1e5],
            np.nextafter([1e5, -1e5, LIMIT, -LIMIT], [np.inf, -np.inf, 0.0, 0.0]),
            [
                22,
                355,
                103993,
                104348,
                208341,
                312689,
                833719,
                1146408,
                4272943,
                5419351,
                80143857,
                245850922,
                411557987,
            ],
        ]
    )


def near_quarter_turns(ks: Iterable[int]) -> np.ndarray:
    """The doubles nearest to k π/2, where one of the results almost vanishes, and their neighbours."""
    with mpmath.workprec(200):
        nearest = np.array([float(int(k) * mpmath.pi / 2) for k in ks])
    return np.concatenate([nearest, np.nextafter(nearest, 0), np.nextafter(nearest, np.inf)])


def exact(f: Callable[[mpmath.mpf], mpmath.mpf], x: np.ndarray) -> Pair:
    """f(x) as the sum of two doubles."""
    with mpmath.workprec(200):
        values = [f(mpmath.mpf(float(xi))) for xi in x]
        high = np.array([float(v) for v in values])
        low = np.array([float(v - h) for v, h in zip(values, high.tolist(), strict=True)])
    return high, low


def ulps(y: np.ndarray, reference: Pair) -> float:
    """The largest error of y in units in the last place of the reference."""
    high, low = reference
    return float(np.max(np.abs((y - high) - low) / np.spacing(np.abs(high))))


@pytest.fixture(scope="module")
def cases() -> tuple[np.ndarray, Pair, Pair]:
    x = samples()
    return x, exact(mpmath.sin, x), exact(mpmath.cos, x)


@pytest.mark.parametrize(("count", "width", "vector"), SHAPES)
def test_error_is_at_most_two_units_in_the_last_place(
    cases: tuple[np.ndarray, Pair, Pair], count: int, width: int, vector: int
) -> None:
    x, sine, cosine = cases
    s, c = compiled(count, width, vector)(x)
    assert ulps(s, sine) <= ULPS
    assert ulps(c, cosine) <= ULPS


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="needs a long double longer than a double")
def test_error_on_many_arguments() -> None:
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-scale, scale, 200_000) for scale in (1.0, 10.0, 1e3, 1e5)])
    s, c = compiled(1, 8, 8)(x)
    for y, f in ((s, np.sin), (c, np.cos)):
        reference = f(x.astype(np.longdouble))
        high = reference.astype(float)
        assert ulps(y, (high, (reference - high).astype(float))) <= ULPS


def test_every_width_and_count_gives_the_same_bits() -> None:
    x = samples()
    first = compiled(*SHAPES[0])(x)
    for shape in SHAPES[1:]:
        np.testing.assert_array_equal(np.array(compiled(*shape)(x)).view(int), np.array(first).view(int))


def test_hosts_without_fma_give_the_same_bits() -> None:
    x = samples()
    plain, native = compiled(3, 1, 4, cpu="")(x), compiled(3, 1, 4)(x)
    np.testing.assert_array_equal(np.array(plain).view(int), np.array(native).view(int))


@pytest.mark.parametrize(("count", "width", "vector"), SHAPES)
def test_arguments_out_of_range_are_computed_by_libm(count: int, width: int, vector: int) -> None:
    x = np.array([math.nextafter(LIMIT, math.inf), -2e9, 1e22, -1e300, 1.7e308, 1.5e9, 3e15])
    s, c = compiled(count, width, vector)(x)
    assert s.tolist() == [math.sin(xi) for xi in x]
    assert c.tolist() == [math.cos(xi) for xi in x]


@pytest.mark.parametrize(("count", "width", "vector"), SHAPES)
def test_infinities_and_nan_give_nan(count: int, width: int, vector: int) -> None:
    values = compiled(count, width, vector)(np.array([np.inf, -np.inf, np.nan]))
    assert np.isnan(values).all()


@pytest.mark.parametrize(("count", "width", "vector"), SHAPES)
def test_lanes_are_independent(count: int, width: int, vector: int) -> None:
    f, x = compiled(count, width, vector), samples()
    mixed = np.where(np.random.default_rng(2).random(len(x)) < 0.3, 1e22, x)
    near, inside = np.array(f(x)), mixed == x
    far = np.array(f(mixed))
    np.testing.assert_array_equal(far[:, inside].view(int), near[:, inside].view(int))
    assert set(far[0, ~inside]) == {math.sin(1e22)}
    assert set(far[1, ~inside]) == {math.cos(1e22)}


def test_sine_is_odd_and_cosine_even_to_the_bit() -> None:
    x = samples()
    (s, c), (s_minus, c_minus) = compiled(1, 8, 8)(x), compiled(1, 8, 8)(-x)
    np.testing.assert_array_equal(s_minus.view(int), (-s).view(int))
    np.testing.assert_array_equal(c_minus.view(int), c.view(int))


def test_sine_keeps_the_sign_of_zero() -> None:
    s, c = compiled(1, 1, 4)(np.array([0.0, -0.0]))
    assert np.signbit(s).tolist() == [False, True]
    assert s.tolist() == [0, 0]
    assert c.tolist() == [1, 1]


@pytest.mark.parametrize(("width", "vector"), [(1, 4), (8, 8)])
def test_only_requested_results_are_computed(width: int, vector: int) -> None:
    x = samples()
    s, c = compiled(3, width, vector)(x)
    only_s, no_c = compiled(3, width, vector, wants="s")(x)
    no_s, only_c = compiled(3, width, vector, wants="c")(x)
    np.testing.assert_array_equal(only_s, s)
    np.testing.assert_array_equal(only_c, c)
    assert np.isnan([no_s, no_c]).all()


def test_requests_may_differ_within_a_group() -> None:
    group = sincos(["%a", "%b", "%c"], ["s", "c", "sc"], "g", "entry")
    assert [not y for y in group.sines] == [False, True, False]
    assert [not y for y in group.cosines] == [True, False, False]
    assert group.width == 4


def test_unused_lanes_are_zero() -> None:
    lines = sincos(["%a", "%b", "%c"], ["s", "s", "s"], "g", "entry").lines
    assert lines[0] == "  %g.0.x.0 = insertelement <4 x double> zeroinitializer, double %a, i32 0"
