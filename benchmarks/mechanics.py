"""Figures of the mechanics: what equations cost, and how long they take to derive, beside SymPy's KanesMethod.

Models have symbols for parameters; what depends on these alone is counted for neither side. The peer's satellite is
derived in a process of its own, which is stopped after FREEBODY_BENCH_TIMEOUT seconds (60 unless given; 300 shows more
of a slow one); the time it was given then stands for its own, as a lower bound.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import sympy
import sympy.physics.mechanics as me
import timing
from sympy.core.cache import clear_cache
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

import freebody as fb
from freebody.formulations import kane
from freebody.formulations.derivation import Derivation
from freebody.program import Program, count, evaluate, stage
from freebody.program.ldl import plan
from freebody.tree.tree import span

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
import satellite
from robots import panda, ur5

Row = tuple[str, float, float | None, dict]
TIMEOUT = float(os.environ.get("FREEBODY_BENCH_TIMEOUT", "60"))


# A cart with a chain of point masses on it, as SymPy's own model has it


def cart(links: int) -> fb.System:
    """The cart slides along x; each link is a massless rod along its y with a mass at its end."""
    s = fb.System("cart", gravity=(0, "-g", 0))
    s.parameters(g=9.81, **{f"m{k}": 1.0 for k in range(links + 1)}, **{f"l{k}": 0.5 for k in range(links)})
    on = s.body("cart", joint=fb.Prismatic("x"), mass="m0")
    for k in range(links):
        at = (0, f"l{k - 1}", 0) if k else (0, 0, 0)
        hinge = fb.Revolute("z")
        on = s.body(f"link{k + 1}", on=on, at=at, joint=hinge, mass=f"m{k + 1}", com=(0, f"l{k}", 0))
    return s


def their_cart(links: int) -> me.KanesMethod:
    clear_cache()
    return n_link_pendulum_on_cart(links, cart_force=False, joint_torques=False)


def ten_links() -> list[Row]:
    """Time to derive, and operations of u̇ against SymPy's M and f after cse with the same LDLᵀ."""
    rivals = {"freebody": lambda: cart(10).derive("kane").program(), "SymPy KanesMethod": lambda: their_cart(10)}
    times = timing.seconds(rivals, rounds=5)
    ours, theirs = cart(10).derive("kane").operations["forward_dynamics"], kane_operations(their_cart(10))
    both = {"operations": ours.total, "their operations": theirs, "ours": str(ours)}
    return [
        ("cart with 10 links, derive, time over SymPy", ratio(times), 1 / 20, {"seconds": times}),
        ("cart with 10 links, operations of u̇ over SymPy's cse + LDLᵀ", ours.total / sum(theirs.values()), 1.0, both),
    ]


def hundred_links() -> list[Row]:
    """From the description to machine code, nothing cached."""
    taken: dict[str, list[float]] = {"derive": [], "compile": [], "both": [], "both, processor's time": []}
    for _ in range(3):
        began, start = time.process_time(), time.perf_counter()
        eq = cart(100).derive()
        eq.program()
        derived = time.perf_counter()
        eq.compile(cache=None).function("forward_dynamics")
        end = time.perf_counter()
        marks = (derived - start, end - derived, end - start, time.process_time() - began)
        for values, mark in zip(taken.values(), marks, strict=True):
            values.append(mark)
    times = {context: timing.summary(values) for context, values in taken.items()}
    size = {"nodes": len(eq.derivation.graph), "operations": eq.operations["forward_dynamics"].total}
    return [("cart with 100 links, derive and compile, s", times["both"]["median"], 5.0, {"seconds": times, **size})]


def ratio(times: dict[str, dict]) -> float:
    """The first one's time over the second's."""
    ours, theirs = (t["median"] for t in times.values())
    return ours / theirs


# SymPy's expressions, counted by our rule


def kane_operations(found: me.KanesMethod) -> dict[str, int]:
    """Operations of M (lower triangle) and f after cse, and of the LDLᵀ with one right-hand side."""
    n = len(found.u)
    entries = [(i, j) for i in range(n) for j in range(i + 1) if found.mass_matrix[i, j] != 0]
    plain = {s: sympy.Symbol(s.func.__name__) for s in (*found.q, *found.u)}
    roots = [found.mass_matrix[i, j].xreplace(plain) for i, j in entries] + [f.xreplace(plain) for f in found.forcing]
    return {"M and f": operations(roots, set(plain.values())), "LDLᵀ": sum(plan(n, entries).operations(1).values())}


def operations(roots: list[sympy.Expr], state: set[sympy.Symbol]) -> int:
    """Multiplications, additions and divisions after cse of all that depends on the state."""
    shared, left = sympy.cse(roots)
    moving, total = set(state), 0
    for name, value in shared:
        if value.free_symbols & moving:
            moving.add(name)
            total += cost(value, moving)
    return total + sum(cost(e, moving) for e in left)


def cost(e: sympy.Expr, moving: set[sympy.Symbol]) -> int:
    """Of one expression: n-ary sums and products n − 1, signs free, an integer power k − 1; constant parts of a sum or
    product count as one that is known."""
    if not e.free_symbols & moving:
        return 0
    below = sum(cost(a, moving) for a in e.args)
    if e.is_Add:
        return below + joined(e, moving, 0) - 1
    if e.is_Mul:
        return below + joined(e, moving, 1) - 1
    if e.is_Pow and e.exp.is_Integer:
        return below + abs(int(e.exp)) - 1  # a reciprocal is paid for where it is used, as a division
    return below


def joined(e: sympy.Expr, moving: set[sympy.Symbol], nothing: int) -> int:
    """How many operands a sum or product has, its constants together being one unless they change nothing."""
    parts = [a for a in e.args if a.free_symbols & moving]
    rest = e.func(*(a for a in e.args if not a.free_symbols & moving))
    return len(parts) + (abs(rest) != nothing)


# Sayers' satellite


def equations(system: fb.System) -> Derivation:
    return Derivation(kane.derive(span(system.freeze())))


def satellite_program() -> Program:
    """u̇ and q̇ in one program."""
    return equations(satellite.system()).programs["state_dot"]


def satellite_figures() -> list[Row]:
    """Operations of u̇ and q̇ under the model's own loads; the general tau of forward dynamics costs an addition each."""
    staged, e, bare = stage(satellite_program()), equations(satellite.system()), satellite.system()
    bare.loads.clear()
    found = count(staged.main)
    parts = {q: e.operations[q].total for q in ("mass_matrix", "bias", "q_dot", "forward_dynamics")}
    parts["with tau"] = count(stage(with_tau(e)).main).total
    parts["without loads"] = equations(bare).operations["state_dot"].total
    more = {"operations": str(found), "once per parameter set": str(count(staged.setup)), "parts": parts}
    return [("satellite, operations of u̇ and q̇", found.total, 930, more), satellite_time()]


def with_tau(e: Derivation) -> Program:
    a = e.assembly("both", "tau")
    a.output("u_dot", e.solve(a, [e.graph.add(f, t) for f, t in zip(e.force, e.tau, strict=True)]))
    a.output("q_dot", e.q_dot)
    return a.program()


def satellite_time() -> Row:
    ours, theirs, apart, stopped = [], [], [], False
    for _ in range(3):
        start = time.perf_counter()
        satellite_program()
        ours.append(time.perf_counter() - start)
        found = None if stopped else their_satellite()
        stopped = found is None
        theirs.append(TIMEOUT if stopped else found["seconds"])
        apart += [] if stopped else [difference(found)]
    times = {"freebody": timing.summary(ours), "SymPy KanesMethod": timing.summary(theirs)}
    more = {"seconds": times, "timeout": TIMEOUT, "stopped": stopped, "u̇ apart": max(apart, default=None)}
    return "satellite, derive, time over SymPy", ratio(times), 1 / 10, more


def their_satellite() -> dict | None:
    """What SymPy reports from a process of its own; none if it did not finish."""
    given = json.dumps(satellite_state())
    command = [sys.executable, __file__, "satellite"]
    try:
        run = subprocess.run(command, input=given, capture_output=True, text=True, timeout=TIMEOUT, check=True)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(run.stdout)


def satellite_state() -> dict:
    """Numbers for everything, at random."""
    rng, s = np.random.default_rng(0), satellite.system()
    return {
        "parameters": s.values,
        "inputs": dict(zip(s.inputs, rng.normal(size=len(s.inputs)).tolist(), strict=True)),
        "q": rng.normal(size=10).tolist(),
        "u": rng.normal(size=10).tolist(),
    }


def difference(found: dict) -> float:
    """Between SymPy's u̇ and ours, relative to its largest entry."""
    given, theirs = satellite_state(), np.array(found["u_dot"])
    flat = {name: list(given[name].values()) for name in ("parameters", "inputs")}
    x_dot = evaluate(satellite_program(), {**flat, "t": [0.0], "x": given["q"] + given["u"]}).values["x_dot"]
    return float(np.abs(x_dot[10:] - theirs).max() / np.abs(theirs).max())


def sympy_satellite(values: dict) -> dict:
    """The same satellite, speeds and loads by SymPy: seconds to M and f, and u̇ at a state."""
    start = time.perf_counter()
    found, p = sympy_kane({n: sympy.Symbol(n) for n in (*values["parameters"], *values["inputs"])})
    M, f = found.mass_matrix, found.forcing
    seconds = time.perf_counter() - start
    numbers = {p[n]: v for name in ("parameters", "inputs") for n, v in values[name].items()}
    known = sympy.lambdify([list(found.q), list(found.u), list(numbers)], [M, f], cse=True)
    mass, force = known(values["q"], values["u"], list(numbers.values()))
    return {"seconds": seconds, "u_dot": np.linalg.solve(mass, np.ravel(force)).tolist()}


def sympy_kane(p: dict) -> tuple[me.KanesMethod, dict]:
    """Frames N, B, C, D, E, F as in the paper; u = (ω, v) of the bus along its axes, then the hinges' rates."""
    q, u = me.dynamicsymbols("q1:11"), me.dynamicsymbols("u1:11")
    N = me.ReferenceFrame("N")
    B = N.orientnew("B", "Body", q[3:6], "123")
    turning, w = B.ang_vel_in(N), along(u[:3], B)
    B.set_ang_vel(N, w)
    C, D, E, F = hinged(B, q, u)
    origin = me.Point("O")
    origin.set_vel(N, 0)
    bus = origin.locatenew("B*", along(q[:3], N))
    v = along(u[3:6], B)
    bus.set_vel(N, v)
    camera = fixed("D0", bus, p["L3"] * C.y - p["L1"] * C.z, N, C)
    hinge = fixed("F0", bus, -p["L7"] * B.y, N, B)
    clock_centre = fixed("C*", bus, -p["L2"] * C.z, N, C)
    camera_centre = fixed("D*", camera, -p["L5"] * D.y - p["L6"] * D.z, N, D)
    boom_centre = fixed("F*", hinge, -p["L8"] * F.y, N, F)
    full = {b: [p[f"{b}{ij}"] for ij in ("11", "22", "33", "12", "23", "13")] for b in ("IB", "ID")}
    bodies = [
        rigid("B", bus, B, p["MB"], full["IB"]),
        rigid("C", clock_centre, C, p["MC"], [p["IC"], p["IC"], p["ICs"]]),
        rigid("D", camera_centre, D, p["MD"], full["ID"]),
        rigid("F", boom_centre, F, p["MF"], [p["IF1"], p["IF2"], p["IF1"]]),
    ]
    clock, tilt = p["T7"] * C.z, p["T8"] * D.x
    bend = [-p["K9"] * q[8] - p["D9"] * u[8], -p["K10"] * q[9] - p["D10"] * u[9]]
    first, second = bend[0] * B.z, bend[1] * E.x
    push, twist = along([p[f"F{k}"] for k in (1, 2, 3)], B), along([p[f"T{k}"] for k in (1, 2, 3)], B)
    loads = [(bus, push), (B, twist - clock - first), (C, clock - tilt), (D, tilt), (E, first - second), (F, second)]
    rates = [a.diff() - b for a, b in zip(q[6:], u[6:], strict=True)]
    slide = along([x.diff() for x in q[:3]], N) - v
    kinematics = [(turning - w).dot(a) for a in B] + [slide.dot(a) for a in N] + rates
    found = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematics)
    found.kanes_equations(bodies, loads)
    return found, p


def hinged(B: me.ReferenceFrame, q: list, u: list) -> list[me.ReferenceFrame]:
    """Clock C and camera D, the body E between the boom's hinges, and the boom F."""
    frames = {"B": B}
    for k, (name, on, axis) in enumerate((("C", "B", "z"), ("D", "C", "x"), ("E", "B", "z"), ("F", "E", "x"))):
        way = getattr(frames[on], axis)
        frames[name] = frames[on].orientnew(name, "Axis", (q[6 + k], way))
        frames[name].set_ang_vel(frames[on], u[6 + k] * way)
    return [frames[name] for name in "CDEF"]


def along(values: Iterable, frame: me.ReferenceFrame) -> me.Vector:
    return sum((x * a for x, a in zip(values, frame, strict=True)), me.Vector(0))


def fixed(name: str, on: me.Point, offset: me.Vector, N: me.ReferenceFrame, frame: me.ReferenceFrame) -> me.Point:
    """A point fixed in a frame in which another is fixed too."""
    point = on.locatenew(name, offset)
    point.v2pt_theory(on, N, frame)
    return point


def rigid(name: str, centre: me.Point, frame: me.ReferenceFrame, mass: sympy.Symbol, moments: list) -> me.RigidBody:
    return me.RigidBody(name, centre, frame, mass, (me.inertia(frame, *moments), centre))


# Robots


def robots() -> list[Row]:
    """Forward dynamics of two arms with numbers for parameters."""
    found: list[Row] = []
    for robot, target in ((ur5, 620), (panda, None)):
        eq = robot.system().derive("kane")
        counts = {q: str(eq.operations[q]) for q in ("forward_dynamics", "mass_matrix", "bias", "inverse_dynamics")}
        name = f"{robot.__name__.split('.')[-1]}, operations of forward dynamics by Kane"
        found.append((name, eq.operations["forward_dynamics"].total, target, counts))
    return found


JOBS = {
    "cart with 10 links": ten_links, "cart with 100 links": hundred_links, "satellite": satellite_figures,
    "robots": robots,
}  # fmt: skip


def show(name: str, value: float, target: float | None, more: dict) -> None:
    """For `python benchmarks/mechanics.py`: a figure with all that is known about it."""
    print(f"{name}: {value:.4g}" + ("" if target is None else f", target {target:.4g}"))
    for key, detail in more.items():
        print(f"    {key}: {detail}")


if __name__ == "__main__":
    if sys.argv[1:] == ["satellite"]:
        json.dump(sympy_satellite(json.load(sys.stdin)), sys.stdout)
    else:
        for job in JOBS.values():
            for row in job():
                show(*row)
