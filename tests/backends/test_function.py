"""The compiled function as users call it: arguments by position and name, batches, threads, and what is refused."""

import numpy as np
import pytest

from freebody.backends import compile
from freebody.backends.function import Function
from freebody.errors import ArgumentError, BackendError
from freebody.scalar.assemble import program
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.cases import random_block, solved


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


def test_a_bound_function_keeps_its_own_copy(spring: Function) -> None:
    values = np.array([2.0, 4.0])
    bound = spring.bind(values)
    values[:] = 99.0
    assert bound(0.0, 1.0, 0.0)["f"][0] == 2.0  # type: ignore[index]


def test_what_depends_on_parameters_alone_is_hoisted(spring: Function) -> None:
    assert spring.staged.setup is not None
    assert spring.bind([2.0, 4.0]).hoisted.size >= 1


def test_batches_share_or_vary_any_group(spring: Function) -> None:
    x = np.linspace(-1, 1, 21)
    found = spring([2.0, 4.0], 0.5, x, 1.0)
    assert found["f"].shape == (21, 2) and found["e"].shape == (21,)  # type: ignore[index, call-overload]
    assert np.allclose(found["f"][:, 0], 2 * x - 2)  # type: ignore[index, call-overload]
    k = np.stack([np.arange(1.0, 22.0), np.ones(21)], axis=1)
    assert np.allclose(spring(k, 0.0, x, 0.0)["f"][:, 0], k[:, 0] * x)  # type: ignore[index, call-overload]


def test_non_contiguous_and_integer_arrays_are_fixed_up() -> None:
    case = random_block(1)
    f, rng = compile(case.program), np.random.default_rng(0)
    inputs = case.inputs(rng)
    wanted = f(**inputs)
    odd = {k: np.repeat(v, 2)[::2] for k, v in inputs.items()}
    assert all(np.array_equal(wanted[k], f(**odd)[k]) for k in ("f", "M", "s"))  # type: ignore[index, call-overload]
    assert np.isfinite(f(**{k: np.ones(len(v), dtype=np.int32) for k, v in inputs.items()})["s"])  # type: ignore[index, call-overload]


@pytest.mark.parametrize("threads", [0, 2, 3])
@pytest.mark.parametrize("states", [1, 63, 64, 129, 1000])
def test_threads_change_nothing(threads: int, states: int) -> None:
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
        (([1, 2],), {"t": 0, "w": 1}, r"spring\(\) has no input group 'w', only parameters, t, q, u, inputs"),
        (([1, 2], 0), {"t": 0}, r"'t' is given by position and by name"),
        (([1, "a"], 0, 0, 0), {}, r"'parameters' must be real numbers, not <U"),
        (([1, 2j], 0, 0, 0), {}, r"'parameters' must be real numbers, not complex128"),
        (([1, 2], None, 0, 0), {}, r"input group 't' \(1 numbers\) is missing"),
        (([[1, 2], [3]], 0, 0, 0), {}, r"'parameters' must be real numbers"),
    ],
)
def test_bad_arguments_are_told(spring: Function, arguments: tuple, named: dict, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        spring(*arguments, **named)


def test_bad_parameters_are_told(spring: Function) -> None:
    with pytest.raises(ArgumentError, match="parameter 'z' is unknown or missing; needed: k, c"):
        spring.bind({"k": 1.0, "z": 2.0})
    with pytest.raises(ArgumentError, match="parameter 'c' is unknown or missing"):
        spring.bind({"k": 1.0})
    with pytest.raises(ArgumentError, match="takes one set of parameters"):
        spring.bind(np.ones((3, 2)))


def test_bad_outputs_are_told() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    f = compile(program("copy", g, {"q": [x]}, {"y": [x, x]}))
    with pytest.raises(ArgumentError, match=r"out 'y' must be a float64 array of shape \(2,\), not float64 \(3,\)"):
        f(1.0, out=np.zeros(3))
    with pytest.raises(ArgumentError, match=r"must be a float64 array of shape \(2,\), not list"):
        f(1.0, out=[0, 0])
    with pytest.raises(ArgumentError, match="writable and contiguous"):
        f(1.0, out=np.zeros(4)[::2])
    both = np.zeros(3)
    with pytest.raises(ArgumentError, match="overlaps an input"):
        f(both[:1], out=both[:2])


def test_an_unknown_backend_is_told() -> None:
    with pytest.raises(BackendError, match="there is no backend 'fortran'; there are llvm, c, numpy"):
        compile(random_block(1).program, "fortran")


def test_representation(spring: Function) -> None:
    assert repr(spring) == "<Function spring(parameters[2], t[1], q[1], u[1], inputs[0]) → f[2], e[]>"
    assert repr(spring.bind([1, 2])).startswith("<Bound spring(t[1], q[1]")
