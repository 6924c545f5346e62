"""Stiff systems: ``method="rodas5p"``, and for many bodies ``"esdirk54"``, beside the other stiff methods, at equal
errors, and ``method="auto"``.

    python benchmarks/stiff.py [auto]

prints for each model: states, operations of an attempt over those of ẋ, seconds to derive and compile the linear
system, the fixed cost of a call, and the processor time of a run by rodas5p to an error of 1e-5, with multiples of it
for the fastest other method, both less the time of a run of one step. Eight lanes are compared with single runs. Of
chains of 50 and of 500 links, the same by esdirk54. Then, or with ``auto`` alone: the processor time of whole calls by
"auto" over that by the faster of "dop853" and "rodas5p", also for systems that are not stiff.
"""

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from stiff_models import MODELS, Model, chain

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


def pendulum() -> Model:
    s = fb.System("double pendulum")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    joint = fb.Revolute("y", damping=0.02)
    s.body("lower", on=upper, at=(0, 0, -1), joint=joint, mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    return Model(s, 10.0, {"q": {"upper": 2.0}})


def top() -> Model:
    s = fb.System("top")
    s.body("top", joint=fb.Spherical(), mass=1.0, com=(0, 0, 0.3), inertia=(0.12, 0.12, 0.02))
    return Model(s, 5.0, {"u": {"top.wx": 0.5, "top.wz": 40.0}})


def crank() -> Model:
    s = fb.System("slider-crank")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0.15, 0, 0), inertia=fb.rod(1.0, 0.3, "x"))
    rod = s.body("rod", on=arm, at=(0.3, 0, 0), joint=fb.Revolute("y"), mass=1.0, com=(0.5, 0, 0),
                 inertia=fb.rod(1.0, 1.0, "x"))  # fmt: skip
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=2.0)
    s.close(rod.point((1, 0, 0)), slider, joint=fb.Revolute("y"))
    return Model(s, 5.0, {"q": {"slider": 1.3}, "u": {"arm": 10.0}})


NOT_STIFF: dict[str, Callable[[], Model]] = {"double pendulum": pendulum, "top": top, "slider-crank": crank}

CHAINS: dict[str, tuple[int, float]] = {"chain of 50, esdirk54": (50, 6), "chain of 500, esdirk54": (500, 0.06)}
"""By ``esdirk54``: the least ratio, and for a length that others take minutes for the longest time, in seconds."""


def operations(program: Any) -> int:
    counts = count(program)
    return counts.mul + counts.add + counts.div


class Case:
    """A model with its equations, and a reference run by a method."""

    def __init__(self, model: Model, method: str = "rodas5p") -> None:
        self.model, self.equations = model, model.derive()
        self.times = np.linspace(0, model.end, 21)
        start = time.process_time()
        self.run(method, 1e-3, self.times[[0, 1]])
        self.first = time.process_time() - start
        run = self.run(method, 1e-11)[1]
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
    system = build(e, case.equations.values, model.options.get("inputs")).system
    stages, rate = system.stages["rodas5p"].value, operations(system.rates.value)
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


class Choice(NamedTuple):
    """Seconds of whole calls at a tolerance, by method, and what "auto" used."""

    seconds: dict[str, float]
    methods: tuple[tuple[float, str], ...]
    compiling: float

    @property
    def ratio(self) -> float:
        """The time of "auto" over that of the faster of both."""
        return self.seconds["auto"] / min(self.seconds["dop853"], self.seconds["rodas5p"])


def choices(model: Model, rtol: float, rounds: int = 30) -> Choice:
    """The methods in turn, so that all see the same machine; the quickest of several calls counts."""
    equations, times, best = model.derive(), np.linspace(0, model.end, 21), dict[str, float]()
    options: dict[str, Any] = {"rtol": rtol, "atol": rtol * model.atol, "progress": False, **model.options}
    first = equations.simulate(times, **options)
    for k in range(rounds):
        for method in ("auto", "rodas5p", "dop853"):
            if k > 3 and best[method] > 0.02:  # seconds: more rounds tell no more
                continue
            start = time.process_time()
            equations.simulate(times, method=method, **options)
            best[method] = min(best.get(method, np.inf), time.process_time() - start)
    return Choice(best, first.statistics.methods, first.statistics.compiling)


def print_choices() -> None:
    print(f"{'method=auto':20}{'rtol':>7}{'auto':>9}{'rodas5p':>9}{'dop853':>9}  over the faster of both")
    for name, make in (MODELS | NOT_STIFF).items():
        for rtol in (1e-3, 1e-5, 1e-8):
            c = choices(make(), rtol)
            row = "".join(f"{1e3 * c.seconds[method]:9.2f}" for method in ("auto", "rodas5p", "dop853"))
            changes = ", ".join(f"{method} from {t:.3g} s" for t, method in c.methods[1:4])
            more = f"   {len(c.methods) - 1} changes: {changes}; {c.compiling:.2f} s to compile" if changes else ""
            print(f"{name:20}{rtol:7.0e}{row}  {c.ratio:.2f}{more}", flush=True)


class Long(NamedTuple):
    """What is measured of a chain: its links, seconds to derive and compile, the fixed cost of a call, and the seconds
    of runs by esdirk54 and by others."""

    links: int
    first: float
    fixed: float
    seconds: float
    others: dict[str, float]


def measure_chain(name: str) -> Long:
    count, target = CHAINS[name]
    case = Case(chain(count), "rodas5p" if count <= 50 else "esdirk54")
    start = time.perf_counter()
    case.run("esdirk54", 1e-3, case.times[[0, 1]])
    first = time.perf_counter() - start if count <= 50 else case.first
    methods = ("rodas5p", "lsoda", "cvode") if target >= 1 else ()
    others = {method: case.seconds_to(method, 1) for method in methods}
    return Long(count, first, case.fixed("esdirk54"), case.seconds_to("esdirk54", 5), others)


def jobs() -> list[tuple[str, float, float | None, dict[str, Any]]]:
    """The rows of ``make bench``: rodas5p over the fastest other method."""
    warnings.simplefilter("ignore")
    rows = list[tuple[str, float, float | None, dict[str, Any]]]()
    for name, make in MODELS.items():
        f = measure(Case(make()))
        more = {"seconds": f.others | {"rodas5p": f.seconds}, "attempt over the rates, operations": f.attempt}
        target = 1 / ASKED[name] if name in ASKED else None
        rows.append((f"{name}: rodas5p over {f.best}, time to an error of 1e-5", 1 / f.multiple, target, more))
    for name, make in (MODELS | NOT_STIFF).items():
        c = choices(make(), 1e-8)
        rows.append((f"{name}: auto over the faster of dop853 and rodas5p", c.ratio, 1.2, {"seconds": c.seconds}))
    for name, (_, target) in CHAINS.items():
        long = measure_chain(name)
        what = f"{name}: time to an error of 1e-5"
        if not long.others:
            rows.append((f"{what}, seconds", long.seconds, target, {}))
            continue
        best = min(("lsoda", "cvode"), key=lambda method: long.others[method])
        more = {"seconds": long.others | {"esdirk54": long.seconds}}
        rows.append((f"{what}, over {best}", long.seconds / long.others[best], 1 / target, more))
    return rows


JOBS = {"stiff systems": jobs}


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    if names == ["auto"]:
        print_choices()
        return
    columns = f"{'model':20}{'states':>7}{'attempt':>9}{'first':>7}{'fixed':>7}{'rodas5p':>9}"
    print(columns, " the fastest other: multiple, asked for")
    for name in names or (*MODELS, *CHAINS):
        if name in CHAINS:
            c = measure_chain(name)
            others = ", ".join(f"{method} {seconds / c.seconds:.1f}" for method, seconds in c.others.items())
            print(
                f"{name:24}{2 * c.links:7}{'':5}{c.first:7.2f}{1e3 * c.fixed:7.2f}{1e3 * c.seconds:9.3f}"
                f"  multiples: {others}",
                flush=True,
            )
            continue
        case = Case(MODELS[name]())
        f = measure(case)
        print(
            f"{name:20}{f.states:7}{f.attempt:9.1f}{f.first:7.2f}{1e3 * f.fixed:7.2f}{1e3 * f.seconds:9.3f}"
            f"  {f.best}: {f.multiple:.0f}, {ASKED.get(name, '-')}   lanes: {lanes(case):.1f}"
            f"   operations of the rates, entries, factor, solve: {f.counts}",
            flush=True,
        )
    print_choices()


if __name__ == "__main__":
    main(sys.argv[1:])
