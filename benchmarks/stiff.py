"""Stiff systems: ``method="rodas5p"`` beside the other stiff methods, at equal errors.

    python benchmarks/stiff.py

prints for each model: states, operations of an attempt over those of ẋ, seconds to derive and compile the linear
system, the fixed cost of a call, and the processor time of a run by rodas5p to an error of 1e-5, with multiples of it
for the fastest other method, both less the time of a run of one step. Eight lanes are compared with single runs.
"""

import sys
import time
import warnings
from typing import Any, NamedTuple

import numpy as np
from stiff_models import MODELS, Model

import freebody as fb
from freebody.program.count import count
from freebody.run.build import build

ERROR, SPAN = 1e-5, 0.03
OTHERS = ("lsoda", "cvode", "radau")


ASKED: dict[str, float] = {
    "arm, 4 modes": 100, "arm, 10 modes": 60, "arm, 20 modes": 18, "two flexible links": 40, "quarter car": 200,
    "car to standstill": 50, "hydraulic boom": 100, "Andrews with spring": 90, "chain of 10": 50,
}  # fmt: skip
"""The least multiple that is asked for."""


def operations(program: Any) -> int:
    counts = count(program)
    return counts.mul + counts.add + counts.div


class Case:
    """A model with its equations and a reference run."""

    def __init__(self, model: Model) -> None:
        self.model, self.equations = model, model.derive()
        self.times = np.linspace(0, model.end, 21)
        start = time.process_time()
        self.run("rodas5p", 1e-3, self.times[[0, 1]])
        self.first = time.process_time() - start
        run = self.run("rodas5p", 1e-11)[1]
        self.exact = run.x
        largest, mechanical = np.abs(self.exact).max(0), [name[:2] != "z." for name in run.about.state]
        self.size = largest + 1e-3 * np.array([largest[np.equal(mechanical, kind)].max() for kind in mechanical])

    def run(self, method: str, rtol: float, times: Any = None, **options: Any) -> tuple[float, fb.Trajectory]:
        """The processor time of a call, and its result."""
        start = time.process_time()
        run = self.equations.simulate(
            self.times if times is None else times, method=method, rtol=rtol, atol=rtol * self.model.atol,
            progress=False, **self.model.options, **options,
        )  # fmt: skip
        return time.process_time() - start, run

    def error(self, run: fb.Trajectory) -> float:
        return float((np.abs(run.x - self.exact) / self.size).max())

    def shortest(self, method: str, rtol: float, times: Any = None) -> float:
        """The shortest time of calls that together take ``SPAN``, of two at least."""
        seconds = [self.run(method, rtol, times)[0] for _ in range(2)]
        while sum(seconds) < SPAN:
            seconds.append(self.run(method, rtol, times)[0])
        return min(seconds)

    def fixed(self, method: str) -> float:
        """The time of a run of one step."""
        return self.shortest(method, 1e-2, [0.0, 1e-9])

    def seconds_to(self, method: str) -> float:
        """The time to an error of ``ERROR``, interpolated in logarithms between tolerances, less that of one step."""
        points = list[tuple[float, float]]()
        for rtol in 10.0 ** -np.arange(3, 10, 0.5):
            points.append((self.error(self.run(method, rtol)[1]), self.shortest(method, rtol)))
            if points[-1][0] < ERROR:
                break
        (e1, t1), (e0, t0) = points[-1], points[-2]
        share = np.clip(np.log(ERROR / e0) / np.log(e1 / e0), 0, 1)
        return float(np.exp(np.log(t0) + share * (np.log(t1) - np.log(t0)))) - self.fixed(method)


def linear_system(case: Case) -> tuple[float, str]:
    """Operations of an attempt over those of ẋ, and of each program."""
    e, model = case.equations.derivation, case.model
    system = build(e, case.equations.values, model.options.get("inputs"), stages=True).system
    stages, rate = system.stages.value, operations(system.rates.value)
    assert stages is not None
    counts = {name: operations(p) for name, p in stages.programs.items()}
    full = 0 if stages.backward is None else stages.factor.outputs[1].shape[0] - 1
    solve = counts["stage solve"] + counts.get("stage backward", 0) + 2 * full**2
    attempt = 8 * (rate + solve) + counts["stage entries"] + counts["stage factor"] + 2 * full**3 / 3
    return attempt / rate, f"{rate}, {counts['stage entries']}, {counts['stage factor']}, {solve}"


def lanes(case: Case, cases: int = 64) -> float:
    """How many times less processor time a case takes in lanes than as a single run."""
    name = case.model.varied or case.run("rodas5p", 1e-2, [0.0, 1e-9])[1].about.state[-1]
    group, _, key = name.partition(".")
    options = {kind: dict(given) for kind, given in case.model.options.items()}
    start = options.get(group, {}).pop(key, 0.0)
    values, single, wide = start + np.linspace(0, 1e-3, cases), np.inf, np.inf
    for _ in range(3):
        began = time.process_time()
        case.equations.sweep(
            case.times, {name: values}, method="rodas5p", rtol=1e-6, atol=1e-6 * case.model.atol,
            progress=False, **options,
        )  # fmt: skip
        wide = min(wide, (time.process_time() - began) / cases)
        single = min(single, case.run("rodas5p", 1e-6)[0])
    return single / wide


class Figures(NamedTuple):
    """What is measured of a model."""

    states: int
    attempt: float
    first: float
    fixed: float
    seconds: float
    others: dict[str, float]
    counts: str

    @property
    def best(self) -> str:
        """The fastest of the other methods."""
        return min(self.others, key=lambda method: self.others[method])

    @property
    def multiple(self) -> float:
        return self.others[self.best] / self.seconds


def measure(case: Case) -> Figures:
    ratio, counts = linear_system(case)
    own, others = case.seconds_to("rodas5p"), {method: case.seconds_to(method) for method in OTHERS}
    return Figures(case.exact.shape[1], ratio, case.first, case.fixed("rodas5p"), own, others, counts)


def jobs() -> list[tuple[str, float, float | None, dict[str, Any]]]:
    """The rows of ``make bench``: rodas5p over the fastest other method."""
    warnings.simplefilter("ignore")
    rows = list[tuple[str, float, float | None, dict[str, Any]]]()
    for name, make in MODELS.items():
        f = measure(Case(make()))
        more = {"seconds": f.others | {"rodas5p": f.seconds}, "attempt over the rates, operations": f.attempt}
        target = 1 / ASKED[name] if name in ASKED else None
        rows.append((f"{name}: rodas5p over {f.best}, time to an error of 1e-5", 1 / f.multiple, target, more))
    return rows


JOBS = {"stiff systems": jobs}


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    columns = f"{'model':20}{'states':>7}{'attempt':>9}{'first':>7}{'fixed':>7}{'rodas5p':>9}"
    print(columns, " the fastest other: multiple, asked for")
    for name in names or MODELS:
        case = Case(MODELS[name]())
        f = measure(case)
        print(
            f"{name:20}{f.states:7}{f.attempt:9.1f}{f.first:7.2f}{1e3 * f.fixed:7.2f}{1e3 * f.seconds:9.3f}"
            f"  {f.best}: {f.multiple:.0f}, {ASKED.get(name, '-')}   lanes: {lanes(case):.1f}"
            f"   operations of the rates, entries, factor, solve: {f.counts}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
