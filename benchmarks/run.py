"""`make bench`: every figure of kernel and mechanics beside its peer, in one run. Prints tables, writes results.json.

Rivals are timed in turns (interleaved rounds); a figure is the median of the rounds, with the quartiles beside it.
"""

import ctypes
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import calls
import casadi
import chains
import collocation
import constraints
import contact_steps
import exudyn_models
import flexible
import flexible_exudyn
import flexible_loops
import flexible_rolled
import fmu
import inverse_kinematics
import many_loops
import mechanics
import numpy as np
import poincare
import recursion
import samples
import simulation
import solvers
import stepping
import stiff
import stiff_exudyn
import structures
import timing
import viewer
import workload
from rich.console import Console
from rich.table import Table

from freebody.backends.c import C
from freebody.backends.llvm import jit
from freebody.backends.llvm.engine import LLVM
from freebody.disk_cache import Cache
from freebody.program.count import count
from freebody.program.program import Program

console = Console(width=118)
LINKS = {"small": 6, "large": 100}  # about 1 500 and 38 000 operations


def figure(name: str, value: float, target: float | None, more: dict) -> dict:
    """A row of the report: what was measured, and whether it reaches its target (smaller is better)."""
    return {"figure": name, "value": value, "target": target, "reached": target is None or value <= target, **more}


def building() -> list[dict]:
    """The graph of a 100-link chain against CasADi's SX with its common-subexpression elimination."""
    bodies = workload.chain(LINKS["large"])

    def ours() -> int:
        return len(workload.graph_of(bodies)[0])

    def theirs() -> None:
        q, u, tau = (casadi.SX.sym(name, len(bodies)) for name in ("q", "u", "tau"))
        qdd = workload.forward_dynamics(workload.CasADi(), bodies, *(casadi.vertsplit(x) for x in (q, u, tau)))
        casadi.cse(casadi.vertcat(*qdd))

    nodes = ours()
    times = timing.seconds({"freebody": ours, "CasADi SX + cse": theirs}, rounds=5)
    ratio = times["freebody"]["median"] / times["CasADi SX + cse"]["median"]
    per_node = times["freebody"]["median"] / nodes * 1e6
    more = {"seconds": times, "nodes": nodes, "microseconds a node": per_node}
    return [figure("graph of a 100-link chain, time over CasADi SX + cse", ratio, 1 / 25, more)]


def compiling(program: Program, label: str, rounds: int) -> list[dict]:
    """LLVM against gcc -O2 on the emitted C, both from the program on; and reloading from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        LLVM(program, cache=cache)
        rivals: dict[str, Callable[[], object]] = {
            "llvm": lambda: LLVM(program, cache=None),
            "gcc -O2": lambda: C(program, flags=("-O2", "-march=native", "-std=gnu99")),
        }
        times = timing.seconds(rivals, rounds)
        text = LLVM(program, cache=None).text
        reload = timing.seconds(
            {"compile": lambda: jit.load(text, cache=None), "reload": lambda: jit.load(text, cache=cache)}, rounds
        )
    ratio = times["llvm"]["median"] / times["gcc -O2"]["median"]
    again = reload["reload"]["median"] / reload["compile"]["median"]
    size = {"operations": count(program).total}
    return [
        figure(f"compile {label}, LLVM over gcc -O2", ratio, 0.5, {"seconds": times, **size}),
        figure(f"reload {label} from the cache over compiling", again, 1 / 50, {"seconds": reload, **size}),
    ]


def arrays(program: Program, rows: int | None = None) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    shape = (lambda n: n) if rows is None else (lambda n: (rows, n))
    given = [rng.normal(size=shape(g.size)) for g in program.groups]
    return given + [np.zeros(shape(o.size)) for o in program.outputs]


def address(function: object) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def running(program: Program, label: str) -> list[dict]:
    """One state: LLVM against the emitted C under gcc -O2 -march=native."""
    llvm, c = LLVM(program), C(program, flags=("-O2", "-march=native", "-std=gnu99"))
    rivals = {
        "llvm": timing.loop(llvm.library.address("run"), arrays(program)),
        "gcc -O2": timing.loop(address(c.raw), arrays(program)),
    }
    times = timing.nanoseconds(rivals, rounds=31)
    ratio = times["llvm"]["median"] / times["gcc -O2"]["median"]
    return [figure(f"run {label}, LLVM over gcc -O2", ratio, 1.05, {"nanoseconds": times})]


def batches(program: Program) -> list[dict]:
    """A state in a batch against one at a time."""
    states, found = 4096, []
    for width, target in ((8, 1 / 5), (4, 1 / 3)):
        if width > jit.features().width:
            continue
        engine = LLVM(program, width=width)
        *inputs, output = arrays(program, states)

        def batch(n: int, engine: LLVM = engine, inputs: list = inputs, output: np.ndarray = output) -> None:
            for _ in range(n):
                engine.run_batch(states, inputs, [output])

        rivals = {"scalar": timing.loop(engine.library.address("run"), arrays(program)), "batch": batch}
        times = timing.nanoseconds(rivals, rounds=31)
        ratio = times["batch"]["median"] / states / times["scalar"]["median"]
        found.append(figure(f"a state in a batch, {width} wide, over scalar", ratio, target, {"nanoseconds": times}))
    return found


def scanning() -> list[dict]:
    """Rolled: one body's code whatever the number of bodies; time in proportion to it."""
    sizes, times, compiled = (1, 10, 100, 1000), {}, {}
    for n in sizes:
        program = workload.rolled(n)
        start = time.perf_counter()
        engine = LLVM(program, cache=None)
        compiled[n] = time.perf_counter() - start
        values = np.concatenate([workload.flat(b) for b in workload.chain(n)])
        rng = np.random.default_rng(0)
        data = [values, *(rng.normal(size=n) for _ in range(3)), np.zeros(n)]
        times[n] = timing.nanoseconds({"rolled": timing.loop(engine.library.address("run"), data)})["rolled"]
    per_body = [times[n]["median"] / n for n in (100, 1000)]
    more = {"compile seconds": compiled, "nanoseconds": times}
    return [
        figure("scan of 1000 bodies, compile time over that of one", compiled[1000] / compiled[1], 1.5, more),
        figure("scan, time a body at 1000 over at 100", per_body[1] / per_body[0], 1.25, {"ns a body": per_body}),
    ]


def show(rows: list[dict]) -> None:
    table = Table(title="Figures (smaller is better)")
    for heading in ("figure", "measured", "target", ""):
        table.add_column(heading, justify="left" if heading == "figure" else "right")
    for row in rows:
        target = "" if row["target"] is None else f"{row['target']:.3g}"
        verdict = "" if row["target"] is None else "reached" if row["reached"] else "missed"
        table.add_row(row["figure"], f"{row['value']:.4g}", target, verdict)
    console.print(table)


def detail(rows: list[dict]) -> None:
    table = Table(title="What they are made of: median (quartiles)")
    for heading in ("figure", "who", "median", "quartiles"):
        table.add_column(heading)
    for row in rows:
        for unit in ("seconds", "nanoseconds"):
            for context, t in row.get(unit, {}).items():
                spread = " … ".join(f"{x:.3g}" for x in t["quartiles"])
                table.add_row(row["figure"], str(context), f"{t['median']:.4g} {unit}", spread)
    console.print(table)


def importing() -> list[simulation.Row]:
    """`import freebody` in a new process, over importing numpy and llvmlite; all of them from compiled files
    (.pyc), as an installed package is."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def new(code: str) -> Callable[[], object]:
            return lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment)

        whole, base = "import freebody", "import numpy, llvmlite.binding"
        new(whole)(), new(base)()
        times = timing.seconds({whole: new(whole), base: new(base)}, rounds=21)
    ratio = times[whole]["best"] / times[base]["best"]
    return [("import freebody, over numpy and llvmlite", ratio, 2.0, {"seconds": times})]


JOBS = {
    **calls.JOBS, **mechanics.JOBS, **simulation.JOBS, **recursion.JOBS, **chains.JOBS, **poincare.JOBS,
    **constraints.JOBS, **samples.JOBS, **exudyn_models.JOBS, **flexible.JOBS, **flexible_exudyn.JOBS,
    **flexible_loops.JOBS, **flexible_rolled.JOBS, **inverse_kinematics.JOBS, **many_loops.JOBS, **solvers.JOBS,
    **contact_steps.JOBS, **stepping.JOBS, **stiff.JOBS, **stiff_exudyn.JOBS, **collocation.JOBS, **fmu.JOBS,
    **structures.JOBS, **viewer.JOBS,
    "importing": importing,
}  # fmt: skip


def main() -> int:
    small, large = (workload.unrolled(n) for n in LINKS.values())
    jobs: list[tuple[str, Callable[[], list[dict]]]] = [
        ("building graphs", building),
        ("compiling", lambda: compiling(small, "1 500 operations", 7) + compiling(large, "38 000 operations", 3)),
        ("running", lambda: running(small, "1 500 operations") + running(large, "38 000 operations")),
        ("batches", lambda: batches(small)),
        ("scans", scanning),
        *((name, lambda job=job: [figure(*row) for row in job()]) for name, job in JOBS.items()),
    ]
    rows: list[dict] = []
    for name, job in jobs:
        with console.status(f"{name} …"):
            rows += job()
        console.print(f"{name}: done")
    show(rows)
    detail(rows)
    host = {"machine": platform.machine(), "lanes": jit.features().width, "cpu": jit.features().cpu}
    out = Path(__file__).parent / "results.json"
    out.write_text(json.dumps({"host": host, "python": sys.version, "figures": rows}, indent=1, default=str) + "\n")
    console.print(f"written: {out.relative_to(Path.cwd()) if out.is_relative_to(Path.cwd()) else out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
