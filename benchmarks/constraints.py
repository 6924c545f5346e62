"""Figures of closed loops: operations of q̇ and u̇; a four-bar beside Pinocchio's constraintDynamics; and Andrews'
squeezing mechanism through time with its projection, beside SciPy's DOP853 without one.

Pinocchio's own time is that of a loop in C++ (native/contact.cpp) where its headers are here, otherwise that of its
call from Python less what the same call costs on a pendulum without constraints.
"""

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import peers
import timing
from scipy.integrate import solve_ivp
from simulation import held, through_ctypes

import freebody as fb
from freebody.backends import Bound
from freebody.backends.gradual import OFTEN
from freebody.backends.llvm import jit
from freebody.integrate.compiled import StateFunction
from freebody.integrate.integrator import Integrator
from freebody.integrate.manifold import Manifold

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
import grasp
from robots import solo12

Row = tuple[str, float, float | None, dict]
BATCH, LOOPS = 4096, 8


# The mechanisms, with numbers for parameters


def slider_crank() -> fb.System:
    s = fb.System("slider-crank")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0.15, 0, 0), inertia=(0, 0.0075, 0.0075))
    rod = s.body(
        "rod", on=crank, at=(0.3, 0, 0), joint=fb.Revolute("y"), mass=2, com=(0.5, 0, 0), inertia=(0, 1 / 6, 1 / 6)
    )
    s.close(rod.point((1, 0, 0)), s.body("slider", joint=fb.Prismatic("x"), mass=3), fb.Revolute("y"), name="pin")
    return s


def four_bars(count: int = 1) -> fb.System:
    """IFToMM's benchmark A02: bars of 1 m and 1 kg, the rockers on the ground."""
    half, moment = Fraction(1, 2), Fraction(1, 12)
    s = fb.System(f"{count} four-bars")
    left = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, half), inertia=(moment, moment, 0))
    for k in range(count):
        coupler = s.body(
            f"coupler{k}",
            on=left,
            at=(0, 0, 1),
            joint=fb.Revolute("y"),
            mass=1,
            com=(half, 0, 0),
            inertia=(0, moment, moment),
        )
        left = s.body(
            f"rocker{k}",
            at=(k + 1, 0, 0),
            joint=fb.Revolute("y"),
            mass=1,
            com=(0, 0, half),
            inertia=(moment, moment, 0),
        )
        s.close(coupler.point((1, 0, 0)), left.point((0, 0, 1)), fb.Revolute("y"), name=f"pin{k}")
    return s


START = {
    "k1": -0.0617138900142764496, "k2": 0.0, "k3": 0.455279819163070380, "k5": 0.487364979543842550,
    "k4": 0.222668390165885885, "k7": 1.23054744454982119, "k6": -0.222668390165885885,
}  # fmt: skip
END = {
    "k1": 15.81077119629904, "k2": -15.75637105984298, "k3": 0.04082224013073101, "k4": -0.5347301163226948,
    "k5": 0.5244099658805304, "k6": 0.5347301163226948, "k7": 1.048080741042263,
}  # fmt: skip
"""Andrews' squeezing mechanism (IVP test set) at t = 0 and at t = 0.03 s."""


def squeezer(stiffness: float = 4530, free_length: float = 0.07785, damping: float = 0.0) -> fb.System:
    """Seven bodies and three loops in the plane."""
    A, B, C = (-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0)
    s = fb.System("squeezer", gravity=(0, 0, 0))

    def body(name: str, on: object, at: tuple, com: tuple, mass: float, moment: float) -> object:
        joint = fb.Revolute("z", initial=START[name])
        return s.body(name, on=on, at=at, joint=joint, mass=mass, com=com, inertia=(moment,) * 3)

    k1 = body("k1", s.ground, (0, 0, 0), (0.00092, 0, 0), 0.04325, 2.194e-6)
    k2 = body("k2", k1, (0.007, 0, 0), (-0.0115, 0, 0), 0.00365, 4.410e-7)
    k3 = body("k3", s.ground, B, (0.01874, -0.01043, 0), 0.02373, 5.255e-6)
    k5 = body("k5", s.ground, A, (0.02308, 0.00916, 0), 0.07050, 1.169e-5)
    k4 = body("k4", k5, (0.04, 0, 0), (0, 0.01421 - 0.02, 0), 0.00706, 5.667e-7)
    k7 = body("k7", s.ground, A, (0.01228, -0.00449, 0), 0.05498, 1.912e-5)
    k6 = body("k6", k7, (0, -0.04, 0), (0.02 - 0.01421, 0, 0), 0.00706, 5.667e-7)
    s.spring(
        k3.point((0.02, -0.018, 0)), s.ground.point(C), stiffness=stiffness, free_length=free_length, damping=damping
    )
    s.joint_force(k1, 0.033)
    tip = k2.point((-0.028, 0, 0))
    for name, end in {"a": k3.point((0, -0.035, 0)), "b": k4.point((0, -0.02, 0)), "c": k6.point((0.02, 0, 0))}.items():
        s.close(tip, end, fb.Revolute("z"), name=name)
    return s


def solo(closed: bool) -> fb.System:
    """Solo12 with a crank and a rod beside each upper leg, which with the lower leg make a four-bar at the knee."""
    s = solo12.system()
    for leg in ("FL", "FR", "HL", "HR"):
        upper, lower = s.bodies[f"{leg}_UPPER_LEG"], s.bodies[f"{leg}_LOWER_LEG"]
        side = 0.03745 if leg[1] == "L" else -0.03745
        crank = s.body(
            f"{leg}_CRANK",
            on=upper,
            at=(0, side, 0),
            joint=fb.Revolute("y"),
            mass=0.01,
            com=(0.01, 0, 0),
            inertia=(1e-6, 2e-6, 2e-6),
        )
        rod = s.body(
            f"{leg}_ROD",
            on=crank,
            at=(0.02, 0, 0),
            joint=fb.Revolute("y"),
            mass=0.02,
            com=(0, 0, -0.08),
            inertia=(4e-5, 4e-5, 1e-6),
        )
        if closed:
            s.close(rod.point((0, 0, -0.16)), lower.point((0.02, 0, 0)), fb.Revolute("y"), name=f"{leg}_PIN")
    return s


# Operations


def counting() -> list[Row]:
    """Operations of q̇ and u̇ by the cheapest equations."""

    def total(s: fb.System) -> int:
        return s.derive("cheapest").operations["state_dot"].total

    rows: list[Row] = [
        (f"{name}, operations of q̇ and u̇", total(make()), target, {})
        for name, make, target in (
            ("slider-crank", slider_crank, 78),
            ("four-bar", four_bars, 105),
            ("Andrews' squeezer", squeezer, 400),
        )
    ]
    chain, opened, closed = total(four_bars(LOOPS)), total(solo(False)), total(solo(True))
    rows.append((f"{LOOPS} four-bars, operations a loop", chain / LOOPS, 155, {"operations": chain}))
    added, more = (closed - opened) / 4, {"open": opened, "closed": closed}
    rows.append(("Solo12 with four-bars at its knees, operations a loop more than open", added, 280, more))
    return rows


# A four-bar beside Pinocchio


def calling() -> list[Row]:
    """u̇ of the four-bar: the public call, the code itself, and a state in a batch, over constraintDynamics."""
    f = four_bars().derive("cheapest").compile()
    q, u, tau = np.array([0.3, -0.3, 0.3]), np.array([1.0, -1.0, 1.0]), np.array([0.3, -0.2, 0.1])
    batch = [np.tile(x, (BATCH, 1)) for x in (q, u, tau)]
    out = np.empty((BATCH, 3))
    function = f.function("forward_dynamics")
    values = {"q": q, "u": u, "tau": tau, **function.parameters, "hoisted": function.hoisted}
    arrays = [timing.aligned((g.size,), values.get(g.name)) for g in function.staged.main.groups]
    arrays.append(timing.aligned((3,)))

    def method(n: int) -> None:
        for _ in range(n):
            f.forward_dynamics(q, u, tau)

    def batches(n: int) -> None:
        for _ in range(n):
            f.forward_dynamics(*batch, out=out)

    runs: dict[str, Callable[[int], object]] = {
        "method": method,
        "function": timing.loop(function.main.address(), arrays),
        f"batch of {BATCH}": batches,
    }
    rivals = pinocchio(q, u, tau, f.forward_dynamics(q, u, tau))
    if rivals is None:
        times = timing.nanoseconds(runs, rounds=31, clock=time.thread_time)
        return [("four-bar, forward_dynamics, µs", times["method"]["best"] / 1000, None, {"nanoseconds": times})]
    times = timing.nanoseconds({**runs, **rivals}, rounds=31, clock=time.thread_time)
    best = {context: t["best"] for context, t in times.items()}
    theirs, native = best["constraintDynamics"], "native" in rivals
    alone = best["native"] if native else theirs - best["call of a pendulum"]
    lanes = jit.features().width
    against = "its native build" if native else "its call less that of a pendulum"
    each, more = best[f"batch of {BATCH}"] / BATCH, {"nanoseconds": times}
    return [
        ("four-bar, forward_dynamics over pinocchio.constraintDynamics", best["method"] / theirs, 1 / 3, more),
        (f"four-bar, compiled code over {against}", best["function"] / alone, 1 / 20, {}),
        (f"four-bar, a state of a batch, {lanes} wide, over {against}", each / alone, 1 / 100, {}),
    ]


def pinocchio(
    q: np.ndarray, u: np.ndarray, tau: np.ndarray, expected: np.ndarray
) -> dict[str, Callable[[int], object]] | None:
    """constraintDynamics of the same four-bar, whose result must be ours, and what its call costs; None without it."""
    if not peers.here:
        return None
    import pinocchio as pin

    m = pin.Model()
    upright = pin.Inertia(1.0, np.array([0, 0, 0.5]), np.diag([1 / 12, 1 / 12, 0]))
    lying = pin.Inertia(1.0, np.array([0.5, 0, 0]), np.diag([0, 1 / 12, 1 / 12]))

    def body(on: int, at: tuple, inertia: object, name: str) -> int:
        k = m.addJoint(on, pin.JointModelRY(), pin.SE3(np.eye(3), np.array(at, float)), name)
        m.appendBodyToJoint(k, inertia, pin.SE3.Identity())
        return k

    coupler = body(body(0, (0, 0, 0), upright, "crank"), (0, 0, 1), lying, "coupler")
    ends = [(coupler, np.array([1.0, 0, 0])), (body(0, (1, 0, 0), upright, "rocker"), np.array([0, 0, 1.0]))]
    places = [x for k, p in ends for x in (k, pin.SE3(np.eye(3), p))]
    pinned = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, m, *places, pin.ReferenceFrame.LOCAL)
    small = pin.Model()
    hinge = small.addJoint(0, pin.JointModelRY(), pin.SE3.Identity(), "hinge")
    small.appendBodyToJoint(hinge, upright, pin.SE3.Identity())
    rivals = {
        "constraintDynamics": _constrained(pin, m, [pinned], (q, u, tau)),
        "call of a pendulum": _constrained(pin, small, [], tuple(np.ones((3, 1)))),
    }
    results = [rivals["constraintDynamics"](1)]
    native = peers.contact(m, ends, (q, u, tau))
    if native is not None:
        rivals["native"], out = native
        native[0](1)
        results.append(out)
    apart = max(np.abs(x - expected).max() for x in results) / np.abs(expected).max()
    if not apart < 1e-9:
        raise ArithmeticError(f"Pinocchio's u̇ of the four-bar is {apart:.1e} apart from ours, so times say nothing")
    return rivals


def _constrained(pin: object, m: object, models: list, state: tuple[np.ndarray, ...]) -> Callable[[int], object]:
    """Calls from Python, the last u̇ returned. One proximal iteration with a small damping, the least that works for the
    dependent third equation of the pin."""
    contacts, datas, data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData(), m.createData()
    for model in models:
        contacts.append(model)
        datas.append(model.createData())
    pin.initConstraintDynamics(m, data, contacts, datas)
    settings = pin.ProximalSettings(1e-12, 1e-12, 1)

    def run(n: int) -> object:
        u_dot = None
        for _ in range(n):
            u_dot = pin.constraintDynamics(m, data, *state, contacts, datas, settings)
        return u_dot

    return run


# Andrews' squeezer through time


def squeezing() -> list[Row]:
    """0 to 0.03 s with a tolerance of 1e-9: DOP853, ours with and without the projection, and SciPy's on the same
    compiled ẋ, through ctypes. The time of a run is that of its steps; beside it are those with the integrator's
    creation and of the public call."""
    e = squeezer().derive("cheapest")
    f, control = e.compile(), {"rtol": 1e-9, "atol": 1e-11}
    state_dot, project = f.function("state_dot"), f.function("project")
    field, rate = StateFunction(state_dot, held(state_dot)["inputs"]), through_ctypes(state_dot)
    manifold = Manifold(StateFunction(project, held(project)["inputs"]), range(7, 14), (), **control)
    x0, counted, ends = np.array([*(START[n] for n in e.q), *np.zeros(7)]), {}, {}
    steps: dict[str, list[float]] = {"projected": [], "free": []}

    def ours(name: str, to: Manifold | None) -> Callable[[int], None]:
        def run(n: int) -> None:
            for _ in range(n):
                i = Integrator("dop853", field, 0.0, x0, manifold=to, **control)
                began = time.thread_time()
                i.advance(0.03)
                steps[name].append((time.thread_time() - began) * 1e9)
            counted[name], ends[name] = (i.steps, i.evaluations, i.projections), i.x

        return run

    def simulate(n: int) -> None:
        for _ in range(n):
            e.simulate([0, 0.03], q=x0[:7], **control)

    def scipy(n: int) -> None:
        for _ in range(n):
            found = solve_ivp(rate, (0, 0.03), x0, method="DOP853", **control)
        counted["SciPy"], ends["SciPy"] = (len(found.t) - 1, found.nfev, 0), found.y[:, -1]

    simulate(OFTEN)
    rivals = {
        "projected": ours("projected", manifold),
        "free": ours("free", None),
        "SciPy": scipy,
        "simulate": simulate,
        "state_dot": _code(state_dot, x0),
        "project": _code(project, x0),
    }
    times = timing.nanoseconds(rivals, rounds=15, clock=time.thread_time)
    best = {context: t["best"] for context, t in times.items()}
    exact = np.array([END[name] for name in e.q])
    wrong = {context: float(np.abs(x[:7] - exact).max() / np.abs(exact).max()) for context, x in ends.items()}
    ours_best, free = (min(steps[name]) for name in ("projected", "free"))
    share = counted["projected"][2] * best["project"] / ours_best
    more = {
        "nanoseconds": times,
        "ns of the steps": (ours_best, free),
        "error": wrong,
        "steps, evaluations, projections": counted,
    }
    return [
        ("Andrews' squeezer, 0.03 s to 1e-9, time over SciPy's DOP853", ours_best / best["SciPy"], 1 / 80, more),
        ("Andrews' squeezer, the same with the integrator's creation", best["projected"] / best["SciPy"], None, {}),
        ("Andrews' squeezer, the same by simulate", best["simulate"] / best["SciPy"], 1 / 40, {}),
        ("Andrews' squeezer, error at the end over the largest angle", wrong["projected"], 1e-9, {}),
        ("Andrews' squeezer, time over that without projection", ours_best / free, None, {}),
        ("Andrews' squeezer, projection in the time of the run", share, 0.25, {}),
    ]


def _code(f: Bound, x: np.ndarray) -> Callable[[int], None]:
    """Compiled code of (t, x) in a loop."""
    values = {**held(f), "t": np.zeros(1), "x": x}
    arrays = [timing.aligned(values[g.name].shape, values[g.name]) for g in f.staged.main.groups]
    return timing.loop(f.main.library.address("run"), [*arrays, timing.aligned(x.shape)])


# One program for every topology


def switching() -> list[Row]:
    """Compiled u̇ of two arms and a payload, whose grips can be switched, over equations of each topology alone."""
    s = grasp.system()
    run = grasp.simulate(s)
    grasped = next(k for k, (_, name) in enumerate(run.events) if name == "right grasp")
    equations, held_values = s.derive("aba"), run.events.held_after[grasped]
    q, u = np.split(run.events.after[grasped], [len(equations.q)])
    released = np.where([name.startswith("engaged.") for name in run.events.held], 0.0, held_values)
    cases = {"closed": held_values, "open": released}
    programs = {f"one, {name}": (equations, inputs) for name, inputs in cases.items()}
    for name, inputs in cases.items():
        welds = grasp.welds(dict(zip(run.events.held, inputs, strict=True)))
        programs[f"{name} alone"] = grasp.system(welds).derive("aba"), np.empty(0)
    functions = {name: (e.compile().function("forward_dynamics"), inputs) for name, (e, inputs) in programs.items()}
    arrays = {name: _arguments(f, {"q": q, "u": u, "inputs": i}, len(u)) for name, (f, i) in functions.items()}
    loops = {name: timing.loop(f.main.address(), arrays[name]) for name, (f, _) in functions.items()}
    times = timing.nanoseconds(loops, rounds=31, clock=time.thread_time)
    for name in cases:
        if not np.allclose(arrays[f"one, {name}"][-1], arrays[f"{name} alone"][-1], rtol=0, atol=1e-10):
            raise AssertionError(f"two arms and a payload, {name}: the accelerations are not those of this topology")
    ratio = {name: times[f"one, {name}"]["best"] / times[f"{name} alone"]["best"] for name in cases}
    counts = {name: e.operations["forward_dynamics"].total for name, (e, _) in programs.items()}
    return [
        (
            "two arms and a payload, closed: one program for all topologies over this one alone",
            ratio["closed"],
            1.15,
            {"nanoseconds": times, "operations": counts},
        ),
        ("two arms and a payload, open: the same program over this topology alone", ratio["open"], None, {}),
    ]


def _arguments(f: Bound, values: dict[str, np.ndarray], results: int) -> list[np.ndarray]:
    """The arrays of a call of compiled code, zeros where no values are given."""
    known = {**values, **f.parameters, "hoisted": f.hoisted}
    return [*(timing.aligned((g.size,), known.get(g.name)) for g in f.staged.main.groups), timing.aligned((results,))]


JOBS = {
    "operations of loops": counting, "a four-bar": calling, "Andrews' squeezer": squeezing,
    "topologies of two arms and a payload": switching,
}  # fmt: skip


if __name__ == "__main__":
    from mechanics import show

    for job in JOBS.values():
        for row in job():
            show(*row)
