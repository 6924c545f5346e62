"""Figures of the recursive dynamics on robots: operations and times of the cheapest programs, beside Pinocchio and the
C that CasADi generates from Pinocchio's algorithm (machines.py, peers.py).

Times are the processor's, so that they bear company. FREEBODY_SEARCH (default 2; 3 looks longest, 1 is what `derive`
takes by itself) is how long the full search looks.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import machines
import numpy as np
import peers
import timing
from machines import BATCH, Robot

import freebody as fb
from freebody.backends.llvm import jit

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
import satellite

Row = tuple[str, float, float | None, dict]
Run = Callable[[int], None]
Runs = dict[str, Run]
DEFAULT, SEARCH = 1, int(os.environ.get("FREEBODY_SEARCH", "2"))
COUNTS = {  # forward, forward by default search, inverse, mass matrix
    "UR5": (424, 500, 265, 141), "Panda": (1014, 1150, 552, 330), "Solo12": (2290, 2700, 1126, 533),
    "Talos": (7570, 8100, 3480, 3140),
}  # fmt: skip
TIMES = {  # over Pinocchio's ABA, the same in a batch, over CasADi's C, derivatives over Pinocchio's
    "UR5": (1 / 13, 1 / 80, 0.55, 1 / 5), "Panda": (1 / 9, 1 / 50, 0.55, 1 / 5), "Solo12": (1 / 8, 1 / 40, 0.5, None),
    "Talos": (1 / 5.5, 1 / 35, 0.65, None),
}  # fmt: skip
AGREE = 1e-9
WHEEL, CALL, NATIVE = "Pinocchio's wheel from Python", "its call, on a pendulum", "Pinocchio, native build"
CASADI = "CasADi's C of Pinocchio's ABA"


def counting(name: str) -> list[Row]:
    """Operations, and seconds to derive."""
    full, default, inverse, mass = COUNTS[name]
    searches = [(DEFAULT, default)] if SEARCH == DEFAULT else [(DEFAULT, default), (SEARCH, full)]
    rows = [row for search, target in searches for row in forward(name, search, target)]
    counts = machines.derived(name, SEARCH)[0].operations
    others = {"inverse dynamics": inverse, "the mass matrix": mass}
    totals = [counts[quantity].total for quantity in ("inverse_dynamics", "mass_matrix")]
    for (words, target), total in zip(others.items(), totals, strict=True):
        rows.append((f"{name}: operations of {words}, search {SEARCH}", total, target, {}))
    return rows


def forward(name: str, search: int, target: float) -> list[Row]:
    eq, seconds = machines.derived(name, search)
    ops, file = eq.operations["forward_dynamics"], machines.robot(name).file.name
    more = {"file": file, "operations": str(ops)}
    return [
        (f"{name}: operations of forward dynamics, search {search}", ops.total, target, more),
        (f"{name}: seconds to derive it, search {search}", seconds, None, {}),
    ]


# Times


def running(name: str) -> list[Row]:
    """Forward dynamics, one state and a state in a batch, beside Pinocchio's ABA and CasADi's C of it, in turns."""
    r, (pin, batched, casadi, _) = machines.robot(name), TIMES[name]
    f = machines.derived(name, SEARCH)[0].compile()
    function, wanted = f.function("forward_dynamics"), f.forward_dynamics(r.q, r.u, r.tau)
    runs: Runs = {"freebody": machines.alone(function, r), "wide": machines.wide(function, r)}
    runs |= {"batch": machines.batch(function, r), **pinocchio(r, "aba", wanted)}
    generated = peers.generated(r)
    if generated is not None:
        runs[CASADI] = checked(r, "aba", generated, wanted)
    times = timing.nanoseconds(runs, clock=time.thread_time)
    (rival, which), lanes = theirs(times), jit.features().width
    one, wide, row = (times[k]["median"] / n for k, n in (("freebody", 1), ("wide", lanes), ("batch", BATCH)))
    words = f"{name}: forward dynamics, time over"
    rows: list[Row] = [
        (f"{words} Pinocchio's ABA ({which})", one / rival, pin, {"nanoseconds": times}),
        (f"{name}: the same, a state of {lanes} computed at once", wide / rival, batched, {}),
        (f"{name}: the same, a row of a batch, turned into vectors and back", row / rival, batched, {"states": BATCH}),
    ]
    if generated is not None:
        counts = peers.operations(peers.symbolic(r))
        rows.append((f"{words} {CASADI}, gcc -O3 -march=native", one / times[CASADI]["median"], casadi, {}))
        rows.append((f"{name}: operations of {CASADI}, by our rule", counts["operations"], None, counts))
    return rows


def differentiating(name: str) -> list[Row]:
    """u̇ and its derivatives by q, u and tau, beside Pinocchio's."""
    r, target = machines.robot(name), TIMES[name][3]
    eq = machines.derived(name, SEARCH)[0]
    f = eq.compile()
    runs: Runs = {"freebody": machines.alone(f.function("forward_derivatives", by=("q", "u", "tau")), r)}
    runs |= pinocchio(r, "derivatives", f.forward_derivatives(r.q, r.u, r.tau)["q"])
    times = timing.nanoseconds(runs, clock=time.thread_time)
    rival, which = theirs(times)
    ops = eq.count("forward_derivatives", by=("q", "u", "tau"))
    words, ratio = f"{name}: derivatives of forward dynamics", times["freebody"]["median"] / rival
    return [
        (f"{words}, time over Pinocchio's ({which})", ratio, target, {"nanoseconds": times}),
        (f"{words}, operations", ops.total, None, {"operations": str(ops)}),
    ]


def pinocchio(r: Robot, what: str, wanted: np.ndarray) -> Runs:
    """What can be had of Pinocchio: its native build, and the wheel with what its calls cost."""
    whole, call = peers.wheel(r, what)
    runs: Runs = {WHEEL: whole, CALL: call}
    made = peers.native(r, what)
    return runs if made is None else runs | {NATIVE: checked(r, what, made, wanted)}


def theirs(times: dict[str, dict]) -> tuple[float, str]:
    """Nanoseconds of Pinocchio, and whose: the native build's, or the wheel's less a pendulum's call, from which a
    fifth of a microsecond too much is taken, as the pendulum moves too."""
    if NATIVE in times:
        return times[NATIVE]["median"], "native build"
    return times[WHEEL]["median"] - times[CALL]["median"], "generic wheel from Python, less a call for a pendulum"


def checked(r: Robot, what: str, made: tuple[Run, np.ndarray], wanted: np.ndarray) -> Run:
    """A rival that computes the same: its u̇, or derivatives of u̇ by q, are ours."""
    run, out = made
    run(1)
    to = fb.layout(r.system, "pinocchio", model=peers.model(r))
    X = to.v_to(r.q, np.eye(len(r.u))).T
    ours = X @ wanted if what == "aba" else X @ wanted @ X.T
    apart = float(np.abs(ours - out).max() / np.abs(out).max())
    if not apart < AGREE:
        raise ArithmeticError(f"{r.name}, {what}: a peer is {apart:.1e} apart from us, so times say nothing")
    return run


# The satellite


def satellite_row() -> list[Row]:
    """u̇ and q̇ in one program under the model's own loads, as mechanics.py counts Kane's; parameters are symbols."""
    eq = satellite.system().derive("cheapest", search=SEARCH)
    kane, bare = satellite.system().derive("kane"), satellite.system()
    bare.loads.clear()
    more = {
        "operations": str(eq.operations["state_dot"]),
        "by Kane": kane.operations["state_dot"].total,
        "without loads": bare.derive("cheapest", search=SEARCH).operations["state_dot"].total,
    }
    words = f"satellite, operations of u̇ and q̇ by cheapest, search {SEARCH}"
    return [(words, eq.operations["state_dot"].total, 810, more)]


JOBS: dict[str, Callable[[], list[Row]]] = {"satellite by cheapest": satellite_row}
for _name in machines.FILES:
    JOBS[f"operations of {_name}"] = lambda name=_name: counting(name)
    if peers.here:
        JOBS[f"time of {_name}"] = lambda name=_name: running(name)
        JOBS[f"derivatives of {_name}"] = lambda name=_name: differentiating(name)


if __name__ == "__main__":
    from mechanics import show

    for job in [JOBS[name] for name in sys.argv[1:]] or JOBS.values():
        for row in job():
            show(*row)
