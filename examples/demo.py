"""`make demo`: derives Sayers' satellite, simulates a manoeuvre, checks energy and momenta, and writes a report.

A thruster pulse pushes the satellite and makes its boom swing. Clock and camera turn to a target, a torque controls the
bus, and dampers in the boom's hinges reduce the swing. The work of every load and damper and the impulses of external
loads are integrated as extra states, computed from the loads alone. Energy and momenta, computed from the motion alone,
must change by exactly these amounts. All files are written to out/satellite/.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap

import numpy as np
import satellite
from rich.console import Console

import freebody as fb

OUT = Path("out/satellite")
WIDTH = 100  # columns
END = 80.0  # s
BOUND = 1e-9
"""The largest permitted error of a balance, relative to the largest value of the quantity."""

CLOCK, CAMERA = 1.0, 0.7  # rad, where the camera is to look
INPUTS = {
    "F1": "120*exp(-((t - 4)/0.5)**2)", "F2": 0.0, "F3": "40*exp(-((t - 4)/0.5)**2)",
    "T1": "-20*q.bus.a1 - 100*u.bus.wx", "T2": "-20*q.bus.a2 - 100*u.bus.wy", "T3": "-20*q.bus.a3 - 100*u.bus.wz",
    "T7": f"60*({CLOCK}*(1 + tanh((t - 30)/2))/2 - q.clock) - 40*u.clock",
    "T8": f"80*({CAMERA}*(1 + tanh((t - 45)/2))/2 - q.camera) - 60*u.camera",
}  # fmt: skip
EVENTS = (
    fb.Event(f"q.clock - {0.99 * CLOCK}", direction=1, name="clock on target"),
    fb.Event(f"q.camera - {0.99 * CAMERA}", direction=1, name="camera on target"),
)
QUANTITIES = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "q_dot", "energies", "momenta")

console = Console(highlight=False)


def system() -> fb.System:
    """The satellite with extra states: the work done on it, and the external impulses about the ground's origin."""
    s = satellite.system()
    bus, ground = s.bodies["bus"], s.ground
    force, torque = bus.vector(("F1", "F2", "F3")), bus.vector(("T1", "T2", "T3"))
    power = force.dot(s.velocity(bus)) + torque.dot(s.angular_velocity(bus))
    s.state("work.bus", power, unit="J", description="work of thruster and torque on the bus")
    s.state("work.drives", "T7*u.clock + T8*u.camera", unit="J", description="work of the drives of clock and camera")
    s.state("work.hinges", "-D9*u.e**2 - D10*u.boom**2", unit="J", description="work of the boom's dampers")
    turning = s.position(bus).cross(force) + torque
    for name, axis in zip("xyz", (ground.x, ground.y, ground.z), strict=True):
        s.state(f"impulse.{name}", force.dot(axis), unit="kg·m/s", description="impulse of the thruster")
        s.state(f"twist.{name}", turning.dot(axis), unit="kg·m²/s", description="angular impulse about the origin")
    s.output("sight", -s.bodies["camera"].z)
    return s


# Balances


def balances(run: fb.Trajectory) -> dict[str, float]:
    """The error of each balance, relative to the largest value of the quantity."""
    work = sum(run[f"work.{context}"] for context in ("bus", "drives", "hinges"))
    impulse, twist = (np.stack([run[f"{what}.{c}"] for c in "xyz"], axis=1) for what in ("impulse", "twist"))
    return {
        "energy": left(run["energy.total"], work, run["energy.kinetic"]),
        "linear momentum": left(run["momentum.linear"], impulse, run["momentum.linear"]),
        "angular momentum": left(run["momentum.angular"], twist, run["momentum.angular"]),
    }


def left(held: np.ndarray, given: np.ndarray, scale: np.ndarray) -> float:
    """The largest difference between the change of a quantity and what loads supplied, relative to a scale."""
    return float(np.max(np.abs(held - held[0] - given)) / np.max(np.abs(scale)))


# On the terminal


@contextmanager
def stage(title: str) -> Iterator[None]:
    """A heading with the time its stage took."""
    start = time.perf_counter()
    with console.status(f"{title} …"):
        yield
    console.print(f"\n[bold]{title}[/bold] [dim]{'·' * (60 - len(title))} {time.perf_counter() - start:.2f} s[/dim]")


def show(rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their widest entry, a long last one on several lines."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    indent = " " * (sum(widths[:-1]) + 2 * len(widths))
    for row in rows:
        line = "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True))
        for text in wrap(f"  {line.rstrip()}", WIDTH, subsequent_indent=indent, break_on_hyphens=False):
            console.print(text, markup=False, soft_wrap=True)


def show_operations(eq: fb.Equations) -> None:
    found = {name: eq.operations[name] for name in QUANTITIES}
    calls = (", ".join(f"{n} {f}" for f, n in ops.calls.items()) for ops in found.values())
    show(
        [
            ("quantity", "operations", "×", "+ −", "÷", "functions"),
            *(
                (name, str(ops.total), str(ops.mul), str(ops.add), str(ops.div), more)
                for (name, ops), more in zip(found.items(), calls, strict=True)
            ),
        ]
    )


def show_roadmap(eq: fb.Equations) -> None:
    tables = {t.title: t for t in eq.roadmap()}
    bodies = tables.pop("Bodies and joints")
    show([bodies.columns, *bodies.rows])
    console.print()
    show([(title, ", ".join(_entry(t.columns, row) for row in t.rows)) for title, t in tables.items()])


def _entry(columns: Sequence[str], row: Sequence[str]) -> str:
    """A row of a table in short: its name, a parameter's value, a unit."""
    cells = dict(zip(columns, row, strict=True))
    return "\u00a0".join(cells[c] for c in ("name", "value", "unit") if cells.get(c))


def show_balances(found: dict[str, float]) -> None:
    for name, rest in found.items():
        verdict = "[green]holds[/green]" if rest <= BOUND else "[bold red]FAILS[/bold red]"
        console.print(f"  {name:18}error {rest:.1e}, limit {BOUND:.0e}   {verdict}")


# Files


def write(run: fb.Trajectory, eq: fb.Equations) -> dict[str, str]:
    """All files, by name, and what each is."""
    OUT.mkdir(parents=True, exist_ok=True)
    run.report(OUT / "report.html")
    run.plot(path=OUT / "motion.png")
    run.plot("q.e", "q.boom", "u.e", "u.boom", path=OUT / "boom.png")
    run.plot("energy.total", "work.bus", "work.drives", "work.hinges", path=OUT / "energy.png")
    run.save(OUT / "run.nc")
    run.save(OUT / "run.csv")
    (OUT / "forward_dynamics.txt").write_text(eq.to_text())
    (OUT / "forward_dynamics.tex").write_text(eq.to_latex())
    eq.to_c(OUT / "c")
    return {
        "report.html": "report of the run: open it in a browser",
        "motion.png": "coordinates, speeds, energies, inputs",
        "boom.png": "angles and speeds of the boom's hinges",
        "energy.png": "total energy and work of each source",
        "run.nc": "the recorded run, for xarray or fb.Trajectory.load",
        "run.csv": "the run as a table",
        "forward_dynamics.txt": "the equations as a listing",
        "forward_dynamics.tex": "the equations in LaTeX",
        "c/": "the equations in C",
    }


def main() -> int:
    start = time.perf_counter()
    console.print(f"[bold]freebody {fb.__version__}[/bold]: Sayers' satellite")
    with stage("Derive the equations of motion"):
        eq = system().derive()
        eq.program()
    show_operations(eq)
    console.print("\n[bold]Roadmap[/bold]")
    show_roadmap(eq)
    with stage(f"Simulate {END:g} s"):
        run = eq.simulate(END, inputs=INPUTS, events=EVENTS, rtol=1e-10, atol=1e-12, progress=False)
    console.print(run.summary().partition("\n")[2], markup=False)
    with stage("Check the balances"):
        found = balances(run)
    show_balances(found)
    with stage(f"Write {OUT}/"):
        written = write(run, eq)
    show(list(written.items()))
    failed = [name for name, rest in found.items() if not rest <= BOUND]
    console.print(f"\nDone in {time.perf_counter() - start:.1f} s; see {OUT}/report.html")
    if failed or not run.success:
        console.print(f"[bold red]not balanced: {', '.join(failed) or run.message}[/bold red]")
    return int(bool(failed) or not run.success)


if __name__ == "__main__":
    sys.exit(main())
