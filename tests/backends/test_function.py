"""Compiled functions as users call them: arguments by position and name, batches, threads, and refused arguments."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from freebody.backends import ENGINES, compile
from freebody.backends.function import CallbackErrors, Function
from freebody.errors import ArgumentError, BackendError, FunctionError
from freebody.program.assemble import program
from freebody.scalar import ops
from freebody.scalar.functions import callback
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.program_cases import random_block, solved

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def spring() -> Function:
    """f = [k·x − c·v·p, t], e = k/c."""
    g = Graph()
    k, c = (g.symbol(n, Kind.PARAMETER) for n in "kc")
    t, x, v = g.symbol("t", Kind.TIME), g.symbol("x", Kind.COORDINATE), g.symbol("v", Kind.SPEED)
    f = [g.sub(g.mul(k, x), g.mul(g.mul(c, v), g.div(k, c))), t]
    groups = {"parameters": [k, c], "t": [t], "q": [x], "u": [v], "inputs": []}
    return compile(program("spring", g, groups, {"f": f, "e": g.div(k, c)}))


def test_positional_named_and_bound_calls_agree(spring: Function) -> None:
    by_place = spring([2.0, 4.0], 0.5, [1.0], [3.0])
    by_name = spring(parameters=(2, 4), t=0.5, q=1, u=np.float32(3))
    bound = spring.bind({"k": 2.0, "c": 4.0})
    for found in (by_place, by_name, bound(0.5, 1.0, 3.0), bound(u=3.0, q=1.0, t=0.5)):
        assert isinstance(found, dict)
        assert found["f"].tolist() == [2 - 4 * 3 * 0.5, 0.5]
        assert found["e"].shape == () and found["e"] == 0.5


def test_bound_functions_copy_their_parameters(spring: Function) -> None:
    values = np.array([2.0, 4.0])
    bound = spring.bind(values)
    values[:] = 99.0
    assert bound(0.0, 1.0, 0.0)["f"][0] == 2.0  # type: ignore[index]


def test_binding_again_replaces_all_parameters(spring: Function) -> None:
    again = spring.bind([2.0, 4.0]).bind({"k": 10.0, "c": 5.0})
    assert [g.name for g in again.groups] == ["t", "q", "u", "inputs"]
    found = again(0.5, 1.0, 3.0)
    assert found["e"] == 2.0 and found["f"][0] == 10 - 5 * 3 * 2  # type: ignore[index, call-overload]
    with pytest.raises(ArgumentError, match="'parameters' has shape"):
        spring.bind([2.0, 4.0]).bind()


def copy(**groups: list[str]) -> Function:
    """A program whose output y is the concatenation of all inputs."""
    g = Graph()
    kinds = {"parameters": Kind.PARAMETER}
    made = {k: [g.symbol(n, kinds.get(k, Kind.COORDINATE)) for n in names] for k, names in groups.items()}
    return compile(program("copy", g, made, {"y": [s for v in made.values() for s in v]}), "numpy")


def test_programs_without_parameters_cannot_be_bound() -> None:
    f = copy(q=["x"])
    assert f.bind()(3.0).tolist() == f.bind({})(3.0).tolist() == [3.0]  # type: ignore[union-attr]
    for values in ({"m": 1.0}, [1.0], 1.0):
        with pytest.raises(ArgumentError, match=r"copy has no parameters, so bind\(\) takes none"):
            f.bind(values)


def test_empty_parameter_groups_are_bound_without_arguments() -> None:
    f = copy(parameters=[], q=["x"], inputs=[])
    for bound in (f.bind(), f.bind(()), f.bind({}), f.bind().bind(())):
        assert [g.name for g in bound.groups] == ["q", "inputs"]
        assert bound(3.0).tolist() == bound([[3.0]])[0].tolist() == [3.0]  # type: ignore[union-attr, index]
    with pytest.raises(ArgumentError, match="parameter 'm' is unknown or missing; needed: none"):
        f.bind({"m": 1.0})


def test_work_that_depends_only_on_parameters_is_hoisted(spring: Function) -> None:
    assert spring.staged.setup is not None
    assert spring.bind([2.0, 4.0]).hoisted.size >= 1


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_staged_and_unstaged_functions_agree(spring: Function, backend: str) -> None:
    whole = compile(spring.program, backend, staged=False)
    assert whole.setup is None and whole.staged.main is spring.program and spring.setup is not None
    rows = np.array([[2.0, 4.0], [3.0, 5.0], [0.5, 7.0]])
    for parameters in (rows[0], rows):
        given = parameters, 0.5, np.array([[1.0], [2.0], [3.0]]), [3.0]
        found, expected = whole(*given), spring(*given)
        assert isinstance(found, dict) and isinstance(expected, dict)
        for name, values in expected.items():
            np.testing.assert_allclose(found[name], values, rtol=1e-15)
    assert whole.bind(rows[0])(0.5, 1.0, 3.0)["f"].tolist() == [-4.0, 0.5]  # type: ignore[index]


def test_batches_share_or_vary_any_group(spring: Function) -> None:
    x = np.linspace(-1, 1, 21)
    found = spring([2.0, 4.0], 0.5, x, 1.0)
    assert found["f"].shape == (21, 2) and found["e"].shape == (21,)  # type: ignore[index, call-overload]
    assert np.allclose(found["f"][:, 0], 2 * x - 2)  # type: ignore[index, call-overload]
    k = np.stack([np.arange(1.0, 22.0), np.ones(21)], axis=1)
    assert np.allclose(spring(k, 0.0, x, 0.0)["f"][:, 0], k[:, 0] * x)  # type: ignore[index, call-overload]


def test_non_contiguous_and_integer_arrays_are_converted() -> None:
    case = random_block(1)
    f, rng = compile(case.program), np.random.default_rng(0)
    inputs = case.inputs(rng)
    wanted = f(**inputs)
    odd = {k: np.repeat(v, 2)[::2] for k, v in inputs.items()}
    assert all(np.array_equal(wanted[k], f(**odd)[k]) for k in ("f", "M", "s"))  # type: ignore[index, call-overload]
    assert np.isfinite(f(**{k: np.ones(len(v), dtype=np.int32) for k, v in inputs.items()})["s"])  # type: ignore[index, call-overload]


@pytest.mark.parametrize("threads", [0, 2, 3])
@pytest.mark.parametrize("states", [1, 63, 64, 129, 1000])
def test_results_do_not_depend_on_threads(threads: int, states: int) -> None:
    case = solved("threads", 4, [(i, j) for i in range(4) for j in range(i + 1)])
    f, q = compile(case.program), np.random.default_rng(0).uniform(-1, 1, (states, 4))
    alone, shared = f([0.5], q), f([0.5], q, threads=threads)
    assert all(np.array_equal(alone[k], shared[k]) for k in ("x", "y"))  # type: ignore[index, call-overload]


def test_out_is_filled() -> None:
    g = Graph()
    x = [g.symbol(f"x{k}", Kind.COORDINATE) for k in range(3)]
    f = compile(program("double", g, {"q": x}, {"y": [g.add(v, v) for v in x]}))
    out = np.zeros(3)
    assert f([1.0, 2.0, 3.0], out=out) is out and out.tolist() == [2, 4, 6]
    rows = np.zeros((5, 3))
    f(np.ones((5, 3)), out={"y": rows})
    assert np.all(rows == 2)


@pytest.mark.parametrize(
    ("arguments", "named", "text"),
    [
        ((), {}, r"spring\(\): input group 'parameters' \(2 numbers\) is missing"),
        (([1, 2], 0, 0), {}, r"input group 'u' \(1 numbers\) is missing"),
        (([1, 2, 3], 0, 0, 0), {}, r"'parameters' has shape \(3,\); 2 numbers are expected, or an array of"),
        (([1, 2], 0, [[1, 2]], 0), {}, r"'q' has shape \(1, 2\); 1 numbers are expected"),
        (([1, 2], 0, [1, 2], [1, 2, 3]), {}, r"the batches have different lengths \(q 2, u 3\)"),
        (([1, 2], 0, 0, 0, (), 5), {}, r"spring\(\) takes 5 groups \(parameters, t, q, u, inputs\), 6 were given"),
        (([1, 2],), {"t": 0, "w": 1}, r"spring\(\) has no argument 'w'\. Its arguments: parameters, t, q, u, inputs"),
        (([1, 2], 0), {"t": 0}, r"'t' is given by position and by name"),
        (([1, "a"], 0, 0, 0), {}, r"'parameters' must be real numbers, not <U"),
        (([1, 2j], 0, 0, 0), {}, r"'parameters' must be real numbers, not complex128"),
        (([1, 2], None, 0, 0), {}, r"input group 't' \(1 numbers\) is missing"),
        (([[1, 2], [3]], 0, 0, 0), {}, r"'parameters' must be real numbers"),
    ],
)
def test_wrong_arguments_are_refused(spring: Function, arguments: tuple, named: dict, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        spring(*arguments, **named)


def test_wrong_parameters_are_refused(spring: Function) -> None:
    with pytest.raises(ArgumentError, match="parameter 'z' is unknown or missing; needed: k, c"):
        spring.bind({"k": 1.0, "z": 2.0})
    with pytest.raises(ArgumentError, match="parameter 'c' is unknown or missing"):
        spring.bind({"k": 1.0})
    for several in (np.ones((3, 2)), {"k": [1.0, 2.0], "c": [3.0, 4.0]}):
        with pytest.raises(ArgumentError, match="takes one set of parameters"):
            spring.bind(several)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [-1, 1.5, "2", None])
def test_threads_must_be_an_integer(spring: Function, threads: object) -> None:
    for q in (0.0, [0.0, 1.0]):
        with pytest.raises(ArgumentError, match=r"spring\(\): threads must be a whole number, 0 for all cores, not "):
            spring([1, 2], 0.0, q, 0.0, threads=threads)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["out", "threads"])
def test_groups_may_not_have_the_name_of_an_option(name: str) -> None:
    with pytest.raises(BackendError, match=rf"copy: '{name}' cannot name an input group, for it is an option"):
        copy(**{name: ["x"]})


def test_groups_may_have_any_other_name() -> None:
    assert copy(self=["x"], given=["y"])(self=1.0, given=2.0).tolist() == [1.0, 2.0]  # type: ignore[union-attr]


@pytest.mark.parametrize("backend", ENGINES)
def test_too_many_outputs_are_refused(backend: str) -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    many = program("many", g, {"q": [x]}, {f"y{k}": x for k in range(1100)})
    with pytest.raises(BackendError, match=r"many has 1 input groups and 1100 outputs, .*: gather the outputs"):
        compile(many, backend)


def test_many_outputs_are_accepted() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    f = compile(program("many", g, {"q": [x]}, {f"y{k}": x for k in range(900)}), level=0)
    assert all(v == 2.0 for v in f(2.0).values()) and f([1.0, 2.0])["y899"].tolist() == [1.0, 2.0]  # type: ignore[union-attr, index, call-overload]


def test_wrong_outputs_are_refused() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    f = compile(program("copy", g, {"q": [x]}, {"y": [x, x]}))
    with pytest.raises(ArgumentError, match=r"out 'y' must be a float64 array of shape \(2,\), not float64 \(3,\)"):
        f(1.0, out=np.zeros(3))
    with pytest.raises(ArgumentError, match=r"must be a float64 array of shape \(2,\), not list"):
        f(1.0, out=[0, 0])
    with pytest.raises(ArgumentError, match=r"must be writable, contiguous \(C order\) and aligned"):
        f(1.0, out=np.zeros(4)[::2])
    both = np.zeros(3)
    with pytest.raises(ArgumentError, match="out 'y' overlaps input 'q'; give an array of its own"):
        f(both[:1], out=both[:2])


@pytest.mark.parametrize("states", [None, 5])
def test_overlapping_outputs_are_refused(states: int | None) -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    f = compile(program("two", g, {"q": [x]}, {"a": g.add(x, g.one), "b": g.neg(x)}))
    q, shape = (1.0, ()) if states is None else (np.ones(states), (states,))
    same = np.empty(shape)
    with pytest.raises(ArgumentError, match="out 'b' overlaps out 'a'; give an array of its own"):
        f(q, out={"a": same, "b": same})
    assert f(q, out={"a": same, "b": np.empty(shape)})["a"] is same  # type: ignore[index, call-overload]


def test_scalar_for_a_group_of_one_is_a_single_state() -> None:
    f = copy(q=["x"])
    for one in (3.0, [3.0], np.array([3.0])):
        assert f(one).shape == (1,)  # type: ignore[union-attr]
    assert f([[3.0]]).shape == (1, 1) and f([3.0, 4.0]).shape == (2, 1)  # type: ignore[union-attr]


# User functions


@pytest.mark.parametrize("backend", ENGINES)
def test_user_functions_are_called_in_branches_not_taken(backend: str) -> None:
    seen: list[float] = []
    f = callback("f", lambda v: seen.append(v) or 10 * v)  # type: ignore[func-returns-value]
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    chosen = g.where(g.build[ops.LT](x, g.zero), g.sqrt(g.call(f, [x])), x)
    made = compile(program("choice", g, {"q": [x]}, {"y": chosen}), backend)
    assert made(2.0) == 2.0 and seen == [2.0]


def test_errors_of_callbacks_stay_in_their_thread() -> None:
    callback_errors = CallbackErrors()
    inverse = callback_errors.pointer(callback("inverse", lambda v: 1 / v))
    other = threading.Thread(target=inverse, args=(0.0,))
    other.start()
    other.join()
    callback_errors.reraise()
    assert np.isnan(inverse(0.0))
    with pytest.raises(FunctionError, match="its function raises ZeroDivisionError"):
        callback_errors.reraise()
    callback_errors.reraise()


# Determinism


def test_emitted_code_does_not_depend_on_the_hash_seed() -> None:
    script = """
from hashlib import sha256
from freebody.backends import c, numpy
from freebody.printing import latex, text
from freebody.backends.llvm.batch import driver
from freebody.backends.llvm.module import Target, emit
from freebody.program.split import split
from freebody.program.stage import stage
from tests.printing.hostile_names import hostile
from tests.backends.pendulum import pendulum
from tests.program_cases import CASES

for p in (pendulum(), hostile(), *(case.program for case in CASES)):
    main, target = stage(p).main, Target(8, 8)
    machine = emit(split(main, 500), target)[0] + driver(main, target)
    emitted = (text.emit(p), latex.emit(p), *vars(c.emit(stage(p), chunk=200)).values(), numpy.emit(main), machine)
    print(p.name, *(sha256(t.encode()).hexdigest() for t in emitted))
"""
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] and len(runs[0].splitlines()) > 10


def test_unknown_backends_are_refused() -> None:
    with pytest.raises(BackendError, match="there is no backend 'fortran'; choose from llvm, c, numpy"):
        compile(random_block(1).program, "fortran")


def test_representation(spring: Function) -> None:
    assert repr(spring) == "<Function spring(parameters[2], t[1], q[1], u[1], inputs[0]) → f[2], e[]>"
    assert repr(spring.bind([1, 2])).startswith("<Bound spring(t[1], q[1]")
