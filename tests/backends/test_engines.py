"""Every compiled backend matches the evaluator: single states with and without bound parameters, and batches."""

from collections.abc import Callable

import numpy as np
import pytest

from freebody.backends import ENGINES, compile
from freebody.backends.function import Function
from freebody.program.evaluate import evaluate
from tests.program_cases import CASES, Case

SLACK = 4  # allowed difference of two correct computations in units of the running error bound
ENGINE_OPTIONS = {name: (name, {}) for name in ENGINES} | {"numpy source": ("numpy", {"patience": 0})}
"""Engines by name, with options: NumPy interprets programs that are called a few times."""

STATES = 19  # not a multiple of any vector's length


def close(case: Case, name: str, found: np.ndarray, inputs: dict[str, np.ndarray]) -> None:
    wanted = evaluate(case.program, inputs)
    bound = SLACK * wanted.bounds[name] + 1e-300
    assert np.median(wanted.bounds[name]) < 1e-9, "a case whose values have no digits proves nothing"
    assert found.shape == wanted.values[name].shape
    assert np.all(np.abs(found - wanted.values[name]) <= bound), (name, found, wanted.values[name], bound)


@pytest.fixture(scope="module")
def build() -> Callable[[Case, str], Function]:
    made: dict[tuple[str, str], Function] = {}

    def get(case: Case, backend: str) -> Function:
        if (case.name, backend) not in made:
            name, options = ENGINE_OPTIONS[backend]
            made[case.name, backend] = compile(case.program, name, **options)
        return made[case.name, backend]

    return get


def outputs(case: Case, result: object) -> dict[str, np.ndarray]:
    return result if isinstance(result, dict) else {case.program.outputs[0].name: np.asarray(result)}


@pytest.mark.parametrize("backend", ENGINE_OPTIONS)
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_single_states_match_the_evaluator(case: Case, backend: str, build: Callable[[Case, str], Function]) -> None:
    f, rng = build(case, backend), np.random.default_rng(7)
    for _ in range(3):
        inputs = case.inputs(rng)
        results = [f(**inputs)]
        if "parameters" in inputs:  # bind() takes one group only
            rest = {k: v for k, v in inputs.items() if k != "parameters"}
            results.append(f.bind(inputs["parameters"])(**rest))
        for result in results:
            for name, found in outputs(case, result).items():
                close(case, name, found, inputs)


@pytest.mark.parametrize("backend", ENGINE_OPTIONS)
@pytest.mark.parametrize("own", [False, True], ids=["shared", "own"])
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_batches_match_the_evaluator(
    case: Case, own: bool, backend: str, build: Callable[[Case, str], Function]
) -> None:
    f, rng = build(case, backend), np.random.default_rng(8)
    rows = [case.inputs(rng) for _ in range(STATES)]
    inputs = {k: np.array([r[k] for r in rows]) for k in rows[0]}
    if not own:
        inputs |= {g.name: rows[0][g.name] for g in case.program.groups if g.fixed}
    found = outputs(case, f(**inputs))
    for k in (0, 7, 8, STATES - 1):
        one = {name: v[k] if v.ndim == 2 else v for name, v in inputs.items()}
        for name, values in found.items():
            close(case, name, values[k], one)


PIECES = (
    "every_operation",
    "random0_60",
    "dense5",
    "tree9",
    "two_groups",
    "reused",
    "read_back",
    "views",
    "spare_kind",
    "no_steps",
)


@pytest.mark.parametrize("backend", ENGINES)
@pytest.mark.parametrize("case", [c for c in CASES if c.name in PIECES], ids=repr)
def test_pieces_of_three_operations_match_the_evaluator(case: Case, backend: str) -> None:
    options = {"patience": 0} if backend == "numpy" else {}
    f, rng = compile(case.program, backend, chunk=3, **options), np.random.default_rng(9)
    inputs = case.inputs(rng)
    for name, found in outputs(case, f(**inputs)).items():
        close(case, name, found, inputs)
    several = outputs(case, f(**{k: np.array([v] * 2) for k, v in inputs.items()}))
    for name, rows in several.items():
        close(case, name, rows[1], inputs)
