"""Solvers of closed loops compared: operations and time of u̇ for the mechanisms of ``mechanisms.py``.

    python benchmarks/solvers.py --quick      # few mechanisms, a few minutes
    python benchmarks/solvers.py              # all of them; --small and --large: up to 30 bodies, and more
    python benchmarks/solvers.py --write      # and writes the table and the plot of the documentation
    python benchmarks/solvers.py --show       # the same from what was measured before (out/solvers.json)

Mechanisms of up to 30 bodies are derived without loops and counted; larger ones are timed. A cell is one mechanism and
one solver: operations of forward_dynamics, nanoseconds of a compiled call, seconds to derive and compile it, and by how
much its u̇ differs from that of Kane's equations, which are solved in NumPy. A solver that fails, refuses the mechanism
or takes longer than LONGEST gives the reason instead.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mechanisms
import numpy as np
import timing
from mechanisms import Mechanism

import freebody as fb
from freebody.errors import ModelError

ROOT = Path(__file__).parent.parent
LONGEST, MOST = 60, 40_000
"""Seconds for a cell; operations from which a program without loops is counted but not compiled."""

LIMIT = 30
WITHIN_OPERATIONS, WITHIN_TIME, SHARE = 1.10, 1.20, 0.9
"""What ``solver="auto"`` is held to: by how much it may exceed the best solver, and in how many cells."""

KANE, AUTO = "kane", "auto"
NAMES = (KANE, *(name for name in fb.solvers if name != AUTO))


@dataclass
class Cell:
    """What was measured of a solver on a mechanism; ``reason``: why something is missing."""

    mechanism: str
    solver: str
    operations: int | None = None
    nanoseconds: float | None = None
    seconds: float | None = None
    error: float | None = None
    reason: str = ""


def derive(s: fb.System, name: str) -> fb.Equations:
    return s.derive(KANE) if name == KANE else s.derive(solver=name)


def chosen(s: fb.System) -> str:
    """The name of the solver that ``solver="auto"`` takes."""
    from freebody.formulations.solvers.auto import choose_solvers

    *first, last = choose_solvers(s.freeze())
    for solver in first:
        with suppress(ModelError):
            s.derive(solver=solver.name)
            return solver.name
    return last.name


def reference(m: Mechanism, s: fb.System) -> np.ndarray:
    """u̇ in NumPy, from M and f of Kane's equations and G of ``mechanisms``: the accelerations that the equations allow,
    G u̇ = γ, with γ from the library, and M u̇ − f in the range of Gᵀ."""
    f = s.derive(KANE).compile("numpy")
    M, bias = f.mass_matrix(m.q), f.bias(m.q, m.u)
    rows = f.constraint(m.q, m.u)
    G, gamma = rows["G"], rows["gamma"]
    n = len(m.u)
    matrix = np.block([[M, -G.T], [-G, np.zeros((len(G), len(G)))]])
    solution = np.linalg.lstsq(matrix, np.concatenate([bias + m.tau, -gamma]), rcond=1e-12)[0]
    return np.asarray(solution[:n])


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise TimeoutError after so many seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"stopped after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def measure(
    m: Mechanism,
    s: fb.System,
    name: str,
    expected: np.ndarray | None,
    timed: bool = True,
    compiled: dict[str, tuple[Callable[[int], None], np.ndarray]] | None = None,
) -> Cell:
    """One cell. Everything that goes wrong is its reason. The code, to be timed, and its u̇ are added to
    ``compiled``."""
    cell = Cell(m.name, name)
    try:
        with limited(LONGEST):
            began = time.perf_counter()
            e = derive(s, name)
            cell.operations = e.operations["forward_dynamics"].total
            if cell.operations > MOST and len(m.bodies) <= LIMIT:
                cell.reason = "too large to compile"
                return cell
            if not timed:
                return cell
            f = e.compile()
            u_dot = f.forward_dynamics(m.q, m.u, m.tau)
            cell.seconds = time.perf_counter() - began
            if expected is not None:
                cell.error = float(np.abs(u_dot - expected).max() / np.abs(expected).max())
            if compiled is not None:
                compiled[name] = compiled_call(f, m), u_dot
    except Exception as error:  # a solver that fails must not stop the others
        cell.reason = f"{type(error).__name__}: {str(error).splitlines()[0][:160]}"
    return cell


def compiled_call(f: Any, m: Mechanism) -> Callable[[int], None]:
    """A function that calls the compiled code n times at the state."""
    function = f.function("forward_dynamics")
    values = {"q": m.q, "u": m.u, "tau": m.tau, **function.parameters, "hoisted": function.hoisted}
    arrays = [timing.aligned((g.size,), values.get(g.name)) for g in function.staged.main.groups]
    arrays += [timing.aligned((o.size,)) for o in function.staged.main.outputs]
    call = timing.loop(function.main.address(), arrays)

    def repeat(n: int, holds: Any = function) -> None:  # the code exists as long as its function
        call(n)

    return repeat


Result = tuple[Mechanism, str, list[Cell]]


def grid(kinds: list[Mechanism], timed: bool = True) -> list[Result]:
    """Each mechanism with the automatic choice and its cells; printed as they are measured."""
    from freebody.formulations.solvers.table import SOLVERS

    result = []
    print(f"{'mechanism':36} auto        " + " ".join(f"{name:>13}" for name in NAMES))
    for m in kinds:
        s, counted = m.system(), len(m.bodies) <= LIMIT
        expected = reference(m, s) if timed and counted else None
        cells, compiled = list[Cell](), dict[str, tuple[Callable[[int], None], np.ndarray]]()
        for name in NAMES:
            if not counted and (name == KANE or not SOLVERS[name].loops):
                cells.append(Cell(m.name, name))
                continue
            cell = measure(m, s, name, expected, timed, compiled)
            if expected is None and name in compiled:  # the first one that works is the reference
                expected, cell.error = compiled[name][1], 0.0
            cells.append(cell)
        codes = {name: code for name, (code, _) in compiled.items()}
        times = timing.nanoseconds(codes, seconds=0.004, rounds=21, clock=time.thread_time)  # in turns
        for cell in cells:
            cell.nanoseconds = times[cell.solver]["best"] if cell.solver in times else None
        result.append((m, chosen(s), cells))
        print(f"{m.name:36} {result[-1][1]:11} " + " ".join(f"{_short(c):>13}" for c in cells), flush=True)
    for _, _, cells in result:
        for cell in cells:
            if cell.reason:
                print(f"{cell.mechanism}, {cell.solver}: {cell.reason}")
            if cell.error is not None and cell.error > 1e-8:
                print(f"{cell.mechanism}, {cell.solver}: u̇ differs by {cell.error:.1e}")
    return result


def _short(cell: Cell) -> str:
    operations = "" if cell.operations is None else str(cell.operations)
    return operations + ("" if cell.nanoseconds is None else f" {cell.nanoseconds / 1000:.3g}µs") or "–"


def mechanisms_of(arguments: list[str]) -> list[Mechanism]:
    small = [] if "--large" in arguments else mechanisms.small()
    large = [] if "--small" in arguments else mechanisms.large()
    if "--quick" in arguments:
        return [m for m in small if len(m.bodies) <= 10] + [m for m in large if len(m.bodies) <= 61]
    return small + large


def excess(m: Mechanism, choice: str, cells: list[Cell]) -> float | None:
    """What the automatic choice costs over the best solver: operations up to LIMIT bodies, else time."""
    counted = len(m.bodies) <= LIMIT
    costs = {c.solver: c.operations if counted else c.nanoseconds for c in cells}
    best = min((x for x in costs.values() if x is not None), default=None)
    mine = costs.get(choice)
    return None if best is None or mine is None else mine / best


def verdict(result: list[Result]) -> tuple[float, float]:
    """The shares of cells in which the automatic choice is as good as asked for, by operations and by time."""
    good: dict[bool, list[bool]] = {True: [], False: []}
    for m, choice, cells in result:
        counted, cost = len(m.bodies) <= LIMIT, excess(m, choice, cells)
        within = cost is not None and cost <= (WITHIN_OPERATIONS if counted else WITHIN_TIME)
        good[counted].append(within)
        if not within:
            print(f"{m.name}: {choice} costs {'nothing known' if cost is None else f'{cost:.2f} times the best'}")
    shares = [float(np.mean(values)) if values else 1.0 for values in (good[True], good[False])]
    print(
        f"auto: {shares[0]:.0%} of mechanisms within {WITHIN_OPERATIONS - 1:.0%} of the fewest operations,"
        f" {shares[1]:.0%} of larger ones within {WITHIN_TIME - 1:.0%} of the least time"
    )
    return shares[0], shares[1]


# Table and plot of the documentation

MARKS = "<!-- benchmark: begin -->", "<!-- benchmark: end -->"


def write_table(result: list[Result]) -> None:
    """Replaces the table in docs/solvers.md."""
    page = ROOT / "docs" / "solvers.md"
    head = ["mechanism", "bodies", "loops", "longest", "redundant", *(f"`{n}`" for n in NAMES), "`auto` takes"]
    lines = [" | ".join(head), " | ".join(["---"] * len(head))]
    for m, choice, cells in result:
        counted = len(m.bodies) <= LIMIT
        costs = [c.operations if counted else c.nanoseconds for c in cells]
        best = min((x for x in costs if x is not None), default=None)
        texts = [_entry(c, cost == best and best is not None) for c, cost in zip(cells, costs, strict=True)]
        structure = [m.name, len(m.bodies), len(m.loops), m.longest, f"{m.redundant:.0%}"]
        lines.append(" | ".join(map(str, [*structure, *texts, f"`{choice}`"])))
    table = "\n".join(f"| {line} |" for line in lines)
    before, rest = page.read_text().split(MARKS[0])
    page.write_text(f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{rest.split(MARKS[1])[1]}")


def _entry(cell: Cell, best: bool) -> str:
    if cell.operations is None:
        return "–"
    text = f"{cell.operations:,}".replace(",", " ")
    text = f"**{text}**" if best else text
    return text if cell.nanoseconds is None else f"{text}, {_microseconds(cell.nanoseconds)}"


def _microseconds(nanoseconds: float) -> str:
    return f"{nanoseconds / 1000:.2g} µs" if nanoseconds < 99_500 else f"{nanoseconds / 1000:.0f} µs"


FAMILIES = {
    "four-bars in a row": "four-bars in a row", "ladders": "ladder of", "spatial rings": "spatial ring",
    "curtains": "curtain", "separate loops": "separate loops of 3",
}  # fmt: skip


def plot(result: list[Result], path: Path) -> None:
    """Above: operations a body up to LIMIT bodies; below: time of a call."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FixedLocator, LogLocator, NullFormatter

    figure, axes = plt.subplots(2, len(FAMILIES), figsize=(14, 6.4), layout="constrained", sharex="col")
    styles = {name: (f"C{k}", "sD^v<>PX*o"[k]) for k, name in enumerate(n for n in NAMES if n != KANE)}
    styles[KANE] = ("black", ".")
    for column, (title, key) in enumerate(FAMILIES.items()):
        members = [r for r in result if key in r[0].name and "spherical" not in r[0].name and "2 rods" not in r[0].name]
        members.sort(key=lambda r: len(r[0].bodies))
        for name, (colour, marker) in styles.items():
            points = [(len(m.bodies), c) for m, _, cells in members for c in cells if c.solver == name]
            counts = [(n, c.operations / n) for n, c in points if c.operations and n <= LIMIT]
            times = [(n, c.nanoseconds / 1000) for n, c in points if c.nanoseconds]
            for row, values in enumerate((counts, times)):
                if values:
                    axes[row, column].loglog(
                        *zip(*values, strict=True), color=colour, marker=marker, ms=4, lw=1.2, label=name
                    )
        for one in axes[:, column]:
            for axis in (one.xaxis, one.yaxis):
                axis.set_major_formatter("{x:g}")
                axis.set_minor_formatter(NullFormatter())
            one.xaxis.set_major_locator(FixedLocator([3, 10, 30, 100, 300, 1000]))
            one.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes[0, column].set_title(title)
        axes[1, column].set_xlabel("bodies")
    axes[0, 0].set_ylabel("operations of u̇ a body")
    axes[1, 0].set_ylabel("time of u̇ [µs]")
    handles = {label: h for a in axes.flat for h, label in zip(*a.get_legend_handles_labels(), strict=True)}
    figure.legend(
        [handles[n] for n in NAMES if n in handles],
        [n for n in NAMES if n in handles],
        loc="outside lower center",
        ncols=6,
    )
    figure.savefig(path, dpi=100)
    plt.close(figure)


def counting() -> list[tuple[str, float, float | None, dict]]:
    """For `make bench`: the share of mechanisms for which the automatic choice is good; larger is better, so that the
    figure is the share for which it is not."""
    operations, times = verdict(grid(mechanisms.small() + mechanisms.large()))
    return [
        (
            "solver='auto', mechanisms up to 30 bodies more than 10 % above the fewest operations",
            1 - operations,
            1 - SHARE,
            {},
        ),
        ("solver='auto', larger mechanisms more than 20 % above the least time", 1 - times, 1 - SHARE, {}),
    ]


JOBS = {"solvers of closed loops": counting}


def main(arguments: list[str]) -> int:
    os.environ["FREEBODY_CACHE"] = "off"
    path = ROOT / "out" / "solvers.json"
    path.parent.mkdir(exist_ok=True)
    known = {m.name: m for m in mechanisms.small() + mechanisms.large()}
    stored = json.loads(path.read_text()) if path.exists() else {}
    if "--show" not in arguments:
        for m, choice, cells in grid(mechanisms_of(arguments), "--count" not in arguments):
            stored[m.name] = {"auto": choice, "cells": [asdict(c) for c in cells]}
            path.write_text(json.dumps(stored, indent=1))
    measured = {name: m for name, m in known.items() if name in stored}
    result = [(m, chosen(m.system()), [Cell(**c) for c in stored[n]["cells"]]) for n, m in measured.items()]
    verdict(result)
    if "--write" in arguments or "--show" in arguments:
        write_table(result)
        plot(result, ROOT / "docs" / "images" / "solvers.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
