"""Builtin methods of compiled equations behave as the same methods in Python, for every quantity and every call, and
leak no memory."""

import copy
import gc
import inspect
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.api.native import WRITTEN
from freebody.backends.llvm import cpython
from freebody.errors import ArgumentError, FunctionError

RNG = np.random.default_rng(7)
N, ROWS = 3, 5
ONE = (
    "forward_dynamics",
    "inverse_dynamics",
    "mass_matrix",
    "bias",
    "q_dot",
    "state_dot",
    "mass_solve",
    "mass_inverse",
    "coriolis",
    "coriolis_offset",
    "centre_of_mass",
    "centre_velocity",
    "centroidal_momentum",
    "regressor",
    "regressor_offset",
)
SEVERAL = ("energies", "momenta", "reactions", "outputs")


def system(parameters: bool = True) -> fb.System:
    """Three speeds, a state, an input and a force that depends on time; its parameters lead to hoisted values."""
    s = fb.System("crane")
    m, l = s.parameters(m=1.3, l=0.4) if parameters else (1.3, 0.4)
    motor = s.input("motor")
    s.state("z", rate="motor - z", initial=0.25)
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=2.0)
    arm = s.body("arm", on=cart, joint=fb.Revolute("y"), mass=m, com=(0, 0, -l), inertia=(0.1, 0.2, 0.3))
    s.body("hook", on=arm, at=(0, 0, -l), joint=fb.Revolute("x"), mass=0.7, com=(0.1, 0, -0.2), inertia=(0.1, 0.1, 0.1))
    s.joint_force(cart, motor + "z*sin(t)")
    s.output("tip", s.position(arm.point((0, 0, -l))))
    if parameters:
        s.output("felt", s.acceleration(arm.point((0, 0, -l))))
    return s


@pytest.fixture(scope="module", autouse=True)
def fast_collections() -> Iterator[None]:
    """Exclude existing objects from garbage collection, which makes it fast."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module", params=[True, False], ids=["parameters", "numbers"])
def f(request: pytest.FixtureRequest) -> fb.Compiled:
    return system(request.param).derive().compile()


def python(f: fb.Compiled, name: str) -> Callable[..., Any]:
    """The method implemented in Python."""
    written = python_method(name)
    return lambda *given, **named: written(f, *given, **named)


def forbid_python(f: fb.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every call through Python fail from now on."""
    monkeypatch.setattr(f, "_evaluate", lambda *given: pytest.fail("this call went through Python"))


def state(rows: int | None = None) -> dict[str, Any]:
    shape = (lambda n: n) if rows is None else (lambda n: (rows, n))
    values = {name: RNG.normal(size=shape(N)) for name in ("q", "u", "tau", "u_dot", "b")}
    return values | {
        "x": RNG.normal(size=shape(2 * N + 1)),
        "z": RNG.normal(size=shape(1)),
        "t": 0.3,
        "inputs": RNG.normal(size=shape(1)),
    }


def arguments(f: fb.Compiled, name: str, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the method on which the quantity depends; outputs depend on tau where they use accelerations."""
    taken, groups = inspect.signature(python_method(name)).parameters, f.equations.program(name).groups
    return {k: values[k] for k in taken if k in values and k in {g.name for g in groups}}


def python_method(name: str) -> Callable[..., Any]:
    return WRITTEN[name][0]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) is np.ndarray and a.shape == b.shape and a.dtype == b.dtype and np.array_equal(a, b)


@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
@pytest.mark.parametrize("rows", [None, 1, ROWS], ids=["one", "batch of one", "batch"])
def test_builtin_methods_match_python_for_every_quantity(
    f: fb.Compiled, name: str, rows: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = arguments(f, name, state(rows))
    wanted = python(f, name)(**given)
    call = getattr(f, name)
    call(**given)  # the first one compiles
    forbid_python(f, monkeypatch)
    assert inspect.isbuiltin(call) and getattr(f, name) == call
    assert same(call(*given.values()), wanted)
    assert same(call(**given), wanted)
    assert same(call(**dict(reversed(given.items()))), wanted)
    first, *others = given.items()
    assert same(call(first[1], **dict(others)), wanted)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("rows", [None, ROWS], ids=["one", "batch"])
def test_results_are_written_to_out(
    f: fb.Compiled, name: str, rows: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = arguments(f, name, state(rows))
    wanted = getattr(f, name)(**given)
    out = np.zeros_like(wanted)
    if name == "state_dot":  # it has no options
        return
    forbid_python(f, monkeypatch)
    assert getattr(f, name)(*given.values(), out=out) is out
    assert np.array_equal(out, wanted)


def test_omitted_arguments_have_their_defaults(f: fb.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    v = state()
    whole = f.forward_dynamics(v["q"], v["u"], np.zeros(N), 0.0, [0.25], [0.0])
    forbid_python(f, monkeypatch)
    for named in ({}, {"tau": None}, {"t": 0.0, "z": None}, {"inputs": None, "tau": np.zeros(N)}):
        assert np.array_equal(f.forward_dynamics(v["q"], v["u"], **named), whole)
    assert np.array_equal(f.forward_dynamics(v["q"], v["u"], None, np.float64(0.0), None, None), whole)


def test_batches_and_single_rows_can_be_mixed(f: fb.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    one, many = state(), state(ROWS)
    times = RNG.normal(size=ROWS)
    cases: list[dict[str, Any]] = [
        {"q": many["q"], "u": one["u"]},
        {"q": one["q"], "u": one["u"], "tau": many["tau"], "t": 0.7},
        {"q": one["q"], "u": one["u"], "t": times},
        {"q": one["q"], "u": many["u"], "t": times.reshape(ROWS, 1), "inputs": one["inputs"]},
    ]
    wanted = [python(f, "forward_dynamics")(**case) for case in cases]
    f.forward_dynamics(many["q"], many["u"])
    forbid_python(f, monkeypatch)
    for case, value in zip(cases, wanted, strict=True):
        assert value.shape == (ROWS, N) and same(f.forward_dynamics(**case), value)


def test_methods_with_points_are_builtin(f: fb.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    v = state()
    places: dict[str, Callable[[], Any]] = {
        "jacobian": lambda: f.jacobian(v["q"], "hook", (0.1, 0, 0)),
        "jacobian_rate": lambda: f.jacobian_rate(v["q"], v["u"], "hook", frame="arm"),
        "pose": lambda: f.pose(v["q"], "arm", 0.2)._asdict(),
        "spatial_velocity": lambda: f.spatial_velocity(v["q"], v["u"], "hook"),
        "spatial_acceleration": lambda: f.spatial_acceleration(v["q"], v["u"], None, "hook"),
        "operational_inertia": lambda: f.operational_inertia(v["q"], ("hook", "arm")),
        "forward_derivatives": lambda: f.forward_derivatives(v["q"], v["u"], v["tau"]),
        "generalised_force": lambda: f.generalised_force(v["q"], {"hook": ((1, 2, 3), (4, 5, 6))}),
    }
    wanted = {name: call() for name, call in places.items()}
    forbid_python(f, monkeypatch)
    for name, call in places.items():
        assert same(call(), wanted[name]), name
    monkeypatch.undo()
    assert same(f.jacobian(v["q"], "hook", [0.1, 0, 0]), wanted["jacobian"])  # a point as a list, through Python


Q, U, TAU = np.array([0.1, 0.2, 0.3]), np.array([1.0, -1.0, 0.5]), np.array([0.0, 1.0, 2.0])


class Child(np.ndarray):  # type: ignore[type-arg]
    pass


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


class Number:
    def __float__(self) -> float:
        return 0.5


OTHER: dict[str, Callable[[], tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "lists": lambda: (([0.1, 0.2, 0.3], [1, -1, 0.5]), {}),
    "tuples": lambda: ((tuple(Q), tuple(U), tuple(TAU)), {}),
    "float32": lambda: ((Q.astype("f4"), U), {}),
    "integers": lambda: ((np.arange(3), U), {}),
    "booleans": lambda: ((np.array([True, False, True]), U), {}),
    "other byte order": lambda: ((Q.astype(">f8"), U), {}),
    "every second": lambda: ((np.repeat(Q, 2)[::2], U), {}),
    "backwards": lambda: ((Q[::-1], U), {}),
    "misaligned": lambda: ((misaligned(Q), U), {}),
    "read-only": lambda: ((frozen(Q), U), {}),
    "subclass": lambda: ((Q.view(Child), U), {}),
    "numpy.matrix": lambda: ((Q.view(np.matrix), U), {}),
    "unpickled": lambda: ((pickle.loads(pickle.dumps(Q)), U), {}),
    "columns first": lambda: ((np.asfortranarray(np.tile(Q, (4, 1))), U), {}),
    "whole number for t": lambda: ((Q, U, TAU, 2), {}),
    "array without axes for t": lambda: ((Q, U, TAU, np.array(2.0)), {}),
    "array of one for t": lambda: ((Q, U, TAU, np.array([2.0])), {}),
    "threads": lambda: ((Q, U), {"threads": 2}),
    "no rows": lambda: ((np.empty((0, 3)), U), {}),
    "wrenches": lambda: ((Q, U), {"wrenches": {"arm": ((1, 0, 0), (0, 0, 1))}}),
    "a name that is another object": lambda: ((Q, U), {"".join(["t", "au"]): TAU}),
    "out=None": lambda: ((Q, U), {"out": None}),
    # what is refused
    "nothing": lambda: ((), {}),
    "one argument": lambda: ((Q,), {}),
    "too many arguments": lambda: ((Q, U, TAU, 0.0, [0.0], [0.0], None, "ground", 1), {}),
    "twice": lambda: ((Q, U), {"u": U}),
    "unknown name": lambda: ((Q, U), {"force": TAU}),
    "too short": lambda: ((Q[:2], U), {}),
    "too long": lambda: ((np.zeros(4), U), {}),
    "rows too long": lambda: ((np.zeros((2, 4)), U), {}),
    "three axes": lambda: ((np.zeros((2, 2, 3)), U), {}),
    "no axes": lambda: ((np.array(1.0), U), {}),
    "batches of different lengths": lambda: ((np.zeros((2, 3)), np.zeros((3, 3))), {}),
    "complex": lambda: ((Q + 0j, U), {}),
    "text": lambda: (("abc", U), {}),
    "texts": lambda: ((["a", "b", "c"], U), {}),
    "objects": lambda: ((np.array([Number()] * 3), U), {}),
    "dates": lambda: ((np.zeros(3, "M8[s]"), U), {}),
    "records": lambda: ((np.zeros(3, [("x", "f8")]), U), {}),
    "a float for q": lambda: ((1.0, U), {}),
    "a dict": lambda: (({"cart": 1.0}, U), {}),
    "a generator": lambda: (((x for x in Q), U), {}),
    "ragged": lambda: (([[1, 2], [3]], U), {}),
    "t as a text": lambda: ((Q, U, TAU, "0"), {}),
    "threads as a text": lambda: ((Q, U), {"threads": "2"}),
    "out of the wrong shape": lambda: ((Q, U), {"out": np.zeros(4)}),
    "out of the wrong axes": lambda: ((Q, U), {"out": np.zeros((1, 3))}),
    "out for a batch": lambda: ((np.zeros((2, 3)), U), {"out": np.zeros((3, 3))}),
    "out for more states than there are": lambda: ((Q, U), {"out": np.zeros((5, 3))}),
    "out for one state of a batch": lambda: ((np.zeros((2, 3)), U), {"out": np.zeros(3)}),
    "out of float32": lambda: ((Q, U), {"out": np.zeros(3, "f4")}),
    "out of other byte order": lambda: ((Q, U), {"out": np.zeros(3, ">f8")}),
    "out read-only": lambda: ((Q, U), {"out": frozen(np.zeros(3))}),
    "out strided": lambda: ((Q, U), {"out": np.zeros(6)[::2]}),
    "out a list": lambda: ((Q, U), {"out": [0.0, 0.0, 0.0]}),
    "out a number": lambda: ((Q, U), {"out": 1.0}),
}


def outcome(call: Callable[..., Any], make: Callable[[], tuple[tuple[Any, ...], dict[str, Any]]]) -> tuple[Any, ...]:
    given, named = make()
    try:
        return "result", np.asarray(call(*given, **named)).tolist()
    except Exception as error:
        return type(error), str(error).replace("Compiled.", "")


@pytest.mark.parametrize("kind", OTHER)
def test_other_arguments_are_handled_by_python(f: fb.Compiled, kind: str) -> None:
    f.forward_dynamics(np.zeros((2, 3)), U)  # both kinds of code are there
    assert outcome(f.forward_dynamics, OTHER[kind]) == outcome(python(f, "forward_dynamics"), OTHER[kind])


@pytest.mark.parametrize("kind", OTHER)
def test_calls_leak_no_memory_and_no_references(f: fb.Compiled, kind: str) -> None:
    given, named = OTHER[kind]()

    def repeat(n: int) -> tuple[int, list[int]]:
        for _ in range(n):
            with suppress(Exception):
                f.forward_dynamics(*given, **named)
        gc.collect()
        return sys.getallocatedblocks(), [sys.getrefcount(x) for x in (*given, *named.values())]

    repeat(20)
    rounds = [(repeat(1), repeat(100)) for _ in range(2)]
    assert min(more - blocks for (blocks, _), (more, _) in rounds) < 50  # others allocate too, but not every time
    (_, counts), (_, again) = rounds[-1]
    assert all(abs(a - b) < 25 for a, b in zip(counts, again, strict=True))


@pytest.mark.parametrize("rows", [None, ROWS])
def test_builtin_calls_leak_no_memory_and_no_references(f: fb.Compiled, rows: int | None) -> None:
    v, objects = state(rows), (None, f.forward_dynamics, "out", Q)
    out = np.empty_like(v["q"])

    def repeat(n: int) -> tuple[int, list[int]]:
        for _ in range(n):
            f.forward_dynamics(v["q"], v["u"], tau=v["tau"], t=0.5)
            f.forward_dynamics(v["q"], v["u"], None, out=out)
            f.energies(v["q"], v["u"])
            f.mass_matrix(v["q"])
        gc.collect()
        return sys.getallocatedblocks(), [sys.getrefcount(x) for x in (out, *v.values(), *objects)]

    repeat(10)
    (blocks, counts), (more, again) = repeat(1), repeat(20_000 if rows is None else 2_000)
    assert more - blocks < 200
    assert all(abs(a - b) < 20 for a, b in zip(counts, again, strict=True))
    assert sys.getrefcount(f.forward_dynamics(v["q"], v["u"])) == sys.getrefcount(np.empty(3))


@pytest.mark.parametrize("rows", [None, ROWS])
@pytest.mark.parametrize("which", ["q", "u", "tau"])
@pytest.mark.parametrize("shift", range(-N - 1, N + 2))
def test_out_may_be_adjacent_to_an_input_but_not_overlap_it(
    f: fb.Compiled, which: str, shift: int, rows: int | None
) -> None:
    n = N * (rows or 1)
    memory, v = np.zeros(5 * n), state(rows)
    shape = v["q"].shape
    shift = shift * (rows or 1)
    f.forward_dynamics(v["q"], v["u"], v["tau"])
    memory[2 * n : 3 * n] = v[which].ravel()
    v[which] = memory[2 * n : 3 * n].reshape(shape)
    out = memory[2 * n + shift : 3 * n + shift].reshape(shape)
    wanted = f.forward_dynamics(v["q"].copy(), v["u"].copy(), v["tau"].copy())
    given = (v["q"], v["u"], v["tau"])
    if abs(shift) >= n:
        assert np.array_equal(f.forward_dynamics(*given, out=out), wanted)
        return
    with pytest.raises(ArgumentError, match=f"out 'u_dot' overlaps input '{which}'"):
        f.forward_dynamics(*given, out=out)


def test_builtin_methods_have_name_signature_and_docstring() -> None:
    f = system().derive().compile()
    call = f.forward_dynamics
    assert str(inspect.signature(call)) == (
        "(q, u, tau=None, t=0.0, z=None, inputs=None, wrenches=None, frame='ground', *, out=None, threads=1)"
    )
    assert call.__name__ == "forward_dynamics" and call.__doc__ == inspect.getdoc(python_method("forward_dynamics"))
    assert call.__self__ is f and call.__qualname__ == "Compiled.forward_dynamics"
    assert inspect.ismethoddescriptor(fb.Compiled.forward_dynamics), "so that CPython's quickest instructions call it"
    assert (
        str(inspect.signature(fb.Compiled.mass_matrix))
        == "(self, /, q, t=0.0, z=None, inputs=None, *, out=None, threads=1)"
    )
    for name in (*ONE, *SEVERAL):
        made = getattr(f, name)
        assert inspect.isbuiltin(made) and made.__doc__ and made.__name__ == name
        positional = [p for p in inspect.signature(made).parameters if p not in ("out", "threads")]
        assert positional == [
            n
            for n, p in inspect.signature(python_method(name)).parameters.items()
            if n != "self" and p.kind is not p.VAR_KEYWORD
        ]


def test_methods_of_the_class_require_an_instance() -> None:
    f, g = system().derive().compile(), system(parameters=False).derive().compile("numpy")
    wanted = python(f, "forward_dynamics")(Q, U)
    for _ in range(3):
        assert np.array_equal(fb.Compiled.forward_dynamics(f, Q, U), wanted)
        assert np.allclose(fb.Compiled.forward_dynamics(g, Q, U), wanted)
    for other in (3, None, Q, f.equations):
        with pytest.raises(TypeError, match=r"forward_dynamics' for .*Compiled' objects"):
            fb.Compiled.forward_dynamics(other, Q, U)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        fb.Compiled.forward_dynamics()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        object.__new__(fb.Compiled).forward_dynamics(Q, U)


def test_instances_called_on_the_same_line_are_independent() -> None:
    def moved(f: fb.Compiled) -> Any:
        return f.forward_dynamics(Q, U, out=np.empty(3)), f.forward_dynamics(Q, U)

    eq = system().derive()
    several = [eq.compile(parameters={"m": m}) for m in (0.5, 1.0, 2.0)] + [eq.compile("numpy")]
    wanted = [python(f, "forward_dynamics")(Q, U) for f in several]
    for _ in range(200):
        for f, value in zip(several, wanted, strict=True):
            assert all(np.array_equal(u_dot, value) for u_dot in moved(f))


def test_other_float64_dtype_objects_are_accepted(f: fb.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    own = np.dtype(np.float64, metadata={"unit": "rad"})
    q, out = np.empty(3, dtype=own), np.empty(3, dtype=own)
    q[:] = Q
    assert q.dtype is not Q.dtype and q.dtype == Q.dtype
    wanted = f.forward_dynamics(Q, U)
    forbid_python(f, monkeypatch)
    assert np.array_equal(f.forward_dynamics(q, U), wanted)
    assert f.forward_dynamics(Q, U, out=out) is out and np.array_equal(out, wanted)


def test_copies_agree_and_pickles_are_refused() -> None:
    f = system().derive().compile(parameters={"m": 2.0})
    wanted = f.forward_dynamics(Q, U)
    twin = copy.copy(f)
    assert twin is not f and np.array_equal(twin.forward_dynamics(Q, U), wanted)
    for what in (f, f.forward_dynamics, f._methods):
        with pytest.raises(TypeError, match="machine code in this process and cannot be pickled"):
            pickle.dumps(what)


def test_first_call_by_many_threads() -> None:
    f, start = system().derive().compile(), threading.Barrier(4)
    q, results = np.tile(Q, (50, 1)), []

    def work() -> None:
        start.wait()
        for _ in range(50):
            results.append(np.array_equal(f.forward_dynamics(q, U), f.forward_dynamics(q, U)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 200 and all(results)


def test_methods_bound_before_the_first_call_become_builtin(monkeypatch: pytest.MonkeyPatch) -> None:
    f = system().derive().compile()
    call = f.forward_dynamics
    wanted = call(Q, U, TAU)
    forbid_python(f, monkeypatch)
    assert np.array_equal(call(Q, U, TAU), wanted)
    with pytest.raises(pytest.fail.Exception):
        call(list(Q), U, TAU)


def test_failed_first_call_leaves_the_method_usable() -> None:
    f = system().derive().compile()
    with pytest.raises(ArgumentError):
        f.forward_dynamics(np.zeros(9), U)
    assert np.array_equal(f.forward_dynamics(Q, U), python(f, "forward_dynamics")(Q, U))


def test_subclasses_may_override_methods() -> None:
    class Doubled(fb.Compiled):
        def forward_dynamics(self, *given: Any, **named: Any) -> Any:
            return 2 * super().forward_dynamics(*given, **named)

    eq = system().derive()
    f, doubled = eq.compile(), Doubled(eq, "llvm", eq.values, {})
    for _ in range(3):
        assert np.array_equal(doubled.forward_dynamics(Q, U), 2 * f.forward_dynamics(Q, U))


def test_methods_use_the_bound_parameters() -> None:
    eq = system().derive()
    f, g = eq.compile(), eq.compile(parameters={"m": 9.0})
    for _ in range(2):
        assert not np.array_equal(f.forward_dynamics(Q, U), g.forward_dynamics(Q, U))
        assert np.array_equal(g.forward_dynamics(Q, U), python(g, "forward_dynamics")(Q, U))


def test_exceptions_of_user_functions_reach_the_caller() -> None:
    s = fb.System("drag")
    body = s.body("body", joint=fb.Prismatic("x"), mass=1.0)

    def drag(v: float) -> float:
        if v > 5:
            raise ZeroDivisionError("too fast")
        return -v

    s.joint_force(body, fb.apply(fb.callback("drag", drag), body.u[0]))
    f = s.derive().compile()
    for _ in range(3):
        assert f.forward_dynamics(np.zeros(1), np.ones(1)).tolist() == [-1.0]
        with pytest.raises(FunctionError, match="too fast"):
            f.forward_dynamics(np.zeros(1), np.full(1, 6.0))


def test_threads_may_share_a_method(f: fb.Compiled) -> None:
    v = state(200)
    wanted = f.forward_dynamics(v["q"], v["u"])
    wrong: list[int] = []

    def work(k: int) -> None:
        for _ in range(200):
            one = f.forward_dynamics(v["q"][k], v["u"][k])
            if not np.allclose(one, wanted[k], rtol=1e-13) or not same(f.forward_dynamics(v["q"], v["u"]), wanted):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_unused_objects_are_released() -> None:
    f = system().derive().compile()
    f.forward_dynamics(Q, U)
    f.forward_dynamics(np.zeros((2, 3)), U)
    gone, call = weakref.ref(f), f.forward_dynamics
    del f
    gc.collect()
    assert np.isfinite(call(Q, U)).all(), "a method keeps what it needs"
    del call
    gc.collect()
    assert gone() is None


def test_methods_work_without_builtins() -> None:
    program = """
        import inspect
        import numpy as np
        from freebody.backends.llvm import method
        method.available = lambda: False
        from tests.backends.test_builtin_methods import Q, U, system
        f = system().derive().compile()
        assert inspect.ismethod(f.forward_dynamics)
        for _ in range(2):
            assert f.forward_dynamics(Q, U).shape == (3,) and f.jacobian(Q, "arm").shape == (6, 3)
        print("works")
    """
    done = subprocess.run([sys.executable, "-c", dedent(program)], capture_output=True, text=True)
    assert done.stdout == "works\n", done.stderr


@pytest.mark.parametrize("backend", ["numpy", "c"])
def test_other_backends_have_no_builtins(backend: str) -> None:
    f = system().derive().compile(backend)
    wanted = system().derive().compile().forward_dynamics(Q, U)
    for _ in range(2):
        assert np.allclose(f.forward_dynamics(Q, U), wanted)
    assert f.jacobian(Q, "arm").shape == (6, 3)
    with pytest.raises(AttributeError, match="_methods"):
        f._methods  # noqa: B018


@pytest.mark.parametrize(
    "table, field, offset",
    [
        ("OBJECT", "type", 0), ("OBJECT", "number", 8), ("ARRAY", "data", 24), ("ARRAY", "ndim", 28),
        ("ARRAY", "shape", 40), ("ARRAY", "dtype", 48), ("ARRAY", "flags", 68), ("DTYPE", "order", 25),
        ("DTYPE", "num", 32),
    ],
)  # fmt: skip
def test_other_layouts_are_detected(table: str, field: str, offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cpython.layout_is_known()
    monkeypatch.setitem(getattr(cpython, table), field, offset)
    assert not cpython.layout_is_known.__wrapped__()


def test_object_fields_are_not_read_without_the_gil(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpython.sysconfig, "get_config_var", lambda name: 1)
    assert not cpython.layout_is_known.__wrapped__()
    monkeypatch.setattr(cpython, "layout_is_known", lambda: False)
    assert cpython.address(Q) == Q.ctypes.data
