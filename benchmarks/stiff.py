"""Stiff systems: ``method="rodas5p"`` beside the other stiff methods, at equal errors.

    python benchmarks/stiff.py

prints for each model: states, operations of an attempt over those of ẋ, seconds to derive and compile the linear
system, the fixed cost of a call, and the processor time of a run by rodas5p to an error of 1e-5, with multiples of it
for the fastest other method, both less the time of a run of one step. Eight lanes are compared with single runs.
"""

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

import freebody as fb
from freebody.program.count import count
from freebody.run.build import build

ERROR = 1e-5
OTHERS = ("lsoda", "cvode", "radau")


@dataclass
class Model:
    """A system with a motion; ``atol`` is over ``rtol``."""

    system: fb.System
    end: float
    options: dict[str, Any] = field(default_factory=dict)
    atol: float = 1.0


def arm(modes: int) -> Model:
    s = fb.System("arm", gravity=(0, 0, 0))
    motor = s.input("motor")
    beam = fb.Beam(length=2, EI=500, density=3, rayleigh=(0, 0.01))
    link = s.body("arm", joint=fb.Revolute("z"), inertia=(0.5, 0.5, 0.5), flexible=beam, modes=modes)
    s.torque(s.ground.vector((0, 0, motor)), link)
    return Model(s, 1.0, {"inputs": {"motor": "2*sin(3*t)**2"}}, 1e-3)


def two_links() -> Model:
    """Two flexible links with motors under feedback, and a load."""
    s = fb.System("two links", gravity=(0, -9.81, 0))
    on: Any = s.ground
    for name, k, c in (("shoulder", 3e4, 2e3), ("elbow", 1e4, 5e2)):
        beam = fb.Beam(length=1.5, EI=4e4, density=5, damping=0.02)
        link = s.body(name, on=on, joint=fb.Revolute("z"), mass=2.0, inertia=(0.1, 0.1, 0.1), flexible=beam, modes=5)
        goal = "0.8*where(t < 1, t - sin(2*pi*t)/(2*pi), 1)"
        s.joint_force(link, f"-{k}*(q.{name} - {goal}) - {c}*u.{name}")
        on = link.node("tip")
    s.body("load", on=on, mass=10.0, inertia=(0.2, 0.2, 0.2))
    return Model(s, 1.0, {}, 1e-2)


def quarter_car() -> Model:
    """A link on a bushing of 1e7 N/m between the body and a damper; a bump in the road."""
    s = fb.System("quarter car")
    wheel, body, link = (
        s.body(name, joint=fb.Prismatic("z"), mass=mass) for name, mass in (("wheel", 40), ("body", 400), ("link", 0.5))
    )
    bump = fb.exp(-(((s.t - 0.4) / 0.06) ** 2)) * 0.08
    z, w, y = wheel.q[0], body.q[0], link.q[0]
    slip = link.u[0] - wheel.u[0]
    damper = 1500 * slip + 800 * slip * abs(slip)
    bushing = 1e7 * (y - w) + 2e3 * (link.u[0] - body.u[0])
    s.joint_force(wheel, 2e4 * (w - z) - 2e5 * (z - bump) + 440 * 9.81 + damper)
    s.joint_force(body, bushing - 2e4 * (w - z))
    s.joint_force(link, -bushing - damper)
    return Model(s, 2.0, {}, 1e-1)


def car() -> Model:
    """A car brakes to standstill; tyres with regularised slip."""
    s = fb.System("car")
    brake = s.input("brake")
    chassis = s.body("chassis", joint=fb.Free(sequence="321"), mass=1200.0, inertia=(500, 1500, 1700))
    r = 0.3
    for name, x, y in (("fl", 1.2, 0.75), ("fr", 1.2, -0.75), ("rl", -1.4, 0.75), ("rr", -1.4, -0.75)):
        spring = fb.Prismatic("z", stiffness=3e4, rest=-0.11, damping=3e3)
        hub = s.body(f"hub {name}", on=chassis, at=(x, y, -0.2), joint=spring, mass=15.0, inertia=(0.5, 0.5, 0.5))
        wheel = s.body(f"wheel {name}", on=hub, joint=fb.Revolute("y"), mass=25.0, inertia=(0.6, 1.0, 0.6))
        v, deep = s.velocity(hub.origin), r - s.position(hub.origin).dot(s.ground.z)
        load = fb.where(deep > 0, 2e5 * deep - 200 * v.dot(s.ground.z), 0)
        forward, spin = v.dot(chassis.x), wheel.u[0]
        speed = fb.sqrt(forward**2 + 0.01)
        sx, sy = 12 * (forward - r * spin) / speed, 12 * v.dot(chassis.y) / speed
        grip = 0.9 * load / fb.sqrt(1 + sx**2 + sy**2)
        s.force(chassis.vector((-grip * sx, -grip * sy, 0)), at=hub.origin)
        s.force(s.ground.z * load, at=hub.origin)
        s.torque(r * grip * sx, on=wheel, about=hub.y)
        s.torque(-brake * fb.tanh(spin / 0.1), on=wheel, reaction=hub, about=hub.y)
    speeds = {"chassis.vx": 15.0, "chassis.wz": 0.05} | {f"wheel {n}": 50.0 for n in ("fl", "fr", "rl", "rr")}
    return Model(s, 4.0, {"q": {"chassis.z": 0.49}, "u": speeds, "inputs": {"brake": "700*(1 - exp(-t/0.1))"}})


def chain(count: int) -> Model:
    s = fb.System("chain")
    on, at = s.ground, (0.0, 0.0, 0.0)
    for k in range(count):
        on = s.body(
            f"b{k}", on=on, at=at, joint=fb.Revolute("y", stiffness=2e4, damping=50), mass=0.2, com=(0.05, 0, 0),
            inertia=fb.rod(0.2, 0.1, "x"),
        )  # fmt: skip
        at = (0.1, 0, 0)
    return Model(s, 1.0, {}, 1e-2)


MODELS: dict[str, tuple[Callable[[], Model], float]] = {
    "arm, 4 modes": (lambda: arm(4), 100),
    "arm, 10 modes": (lambda: arm(10), 60),
    "arm, 20 modes": (lambda: arm(20), 18),
    "two flexible links": (two_links, 40),
    "quarter car": (quarter_car, 200),
    "car to standstill": (car, 50),
    "chain of 10": (lambda: chain(10), 50),
}
"""With the least ratio that is asked for."""


def operations(program: Any) -> int:
    counts = count(program)
    return counts.mul + counts.add + counts.div


class Case:
    """A model with its equations and a reference run."""

    def __init__(self, model: Model) -> None:
        self.model, self.equations = model, model.system.derive()
        self.times = np.linspace(0, model.end, 21)
        start = time.perf_counter()
        self.run("rodas5p", 1e-3, self.times[[0, 1]])
        self.first = time.perf_counter() - start
        self.exact = self.run("rodas5p", 1e-11)[1].x
        self.size = np.abs(self.exact).max(0) + 1e-3 * np.abs(self.exact).max()

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

    def fixed(self, method: str) -> float:
        """The time of a run of one step."""
        return min(self.run(method, 1e-2, [0.0, 1e-9])[0] for _ in range(5))

    def seconds_to(self, method: str, rounds: int) -> float:
        """The time to an error of ``ERROR``, interpolated in logarithms between tolerances, less that of one step."""
        points = list[tuple[float, float]]()
        for rtol in 10.0 ** -np.arange(3, 10, 0.5):
            results = [self.run(method, rtol) for _ in range(rounds)]
            points.append((self.error(results[0][1]), min(seconds for seconds, _ in results)))
            if points[-1][0] < ERROR:
                break
        (e1, t1), (e0, t0) = points[-1], points[-2]
        share = np.clip(np.log(ERROR / e0) / np.log(e1 / e0), 0, 1)
        return float(np.exp(np.log(t0) + share * (np.log(t1) - np.log(t0)))) - self.fixed(method)


def linear_system(case: Case) -> tuple[float, str]:
    """Operations of an attempt over those of ẋ, and of each program."""
    e, model = case.equations.derivation, case.model
    system = build(e, case.equations.values, model.options.get("inputs"), stages="rodas5p").system
    stages, rate = system.stages.value, operations(system.rates.value)
    assert stages is not None
    counts = {name: operations(p) for name, p in stages.programs.items()}
    full = 0 if stages.backward is None else stages.factor.outputs[1].shape[0]
    solve = counts["stage solve"] + counts.get("stage backward", 0) + 2 * full**2
    attempt = 8 * (rate + solve) + counts["stage entries"] + counts["stage factor"] + 2 * full**3 / 3
    return attempt / rate, f"{rate}, {counts['stage entries']}, {counts['stage factor']}, {solve}"


def lanes(case: Case, cases: int = 64) -> float:
    """How many times less processor time a case takes in lanes than as a single run."""
    name = case.run("rodas5p", 1e-2, [0.0, 1e-9])[1].about.state[-1]
    options = {key: value for key, value in case.model.options.items() if key == "inputs"}
    values, single, wide = np.linspace(0, 1e-3, cases), np.inf, np.inf
    for _ in range(3):
        start = time.process_time()
        case.model.system.sweep(
            case.times, {name: values}, method="rodas5p", rtol=1e-6, atol=1e-6 * case.model.atol,
            progress=False, **options,
        )  # fmt: skip
        wide = min(wide, (time.process_time() - start) / cases)
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
    own, others = case.seconds_to("rodas5p", 5), {method: case.seconds_to(method, 1) for method in OTHERS}
    return Figures(case.exact.shape[1], ratio, case.first, case.fixed("rodas5p"), own, others, counts)


def jobs() -> list[tuple[str, float, float | None, dict[str, Any]]]:
    """The rows of ``make bench``: rodas5p over the fastest other method."""
    warnings.simplefilter("ignore")
    rows = list[tuple[str, float, float | None, dict[str, Any]]]()
    for name, (make, target) in MODELS.items():
        f = measure(Case(make()))
        more = {"seconds": f.others | {"rodas5p": f.seconds}, "attempt over the rates, operations": f.attempt}
        rows.append((f"{name}: rodas5p over {f.best}, time to an error of 1e-5", 1 / f.multiple, 1 / target, more))
    return rows


JOBS = {"stiff systems": jobs}


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    columns = f"{'model':20}{'states':>7}{'attempt':>9}{'first':>7}{'fixed':>7}{'rodas5p':>9}"
    print(columns, " the fastest other: multiple, asked for")
    for name in names or MODELS:
        make, target = MODELS[name]
        case = Case(make())
        f = measure(case)
        print(
            f"{name:20}{f.states:7}{f.attempt:9.1f}{f.first:7.2f}{1e3 * f.fixed:7.2f}{1e3 * f.seconds:9.3f}"
            f"  {f.best}: {f.multiple:.0f}, {target:g}   lanes: {lanes(case):.1f}   operations of the rates, entries,"
            f" factor, solve: {f.counts}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
