"""The runs of ``record.py --runs``: every method, kind of event, reset, switching, loop, input, file and sweep. Each
case is a function that returns a run, a sweep's dataset, or several of them by name."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bicycle
import feedback_linearisation
import flexible_four_bar
import four_bar
import governor
import grasp
import knee
import numpy as np
import satellite
from robots import panda, solo12, ur5

import freebody as fb
from tests.mechanisms import build_system, random_couplings, random_trees
from tests.run import constrained_systems, systems

MODELS = Path(__file__).parent.parent / "examples" / "models"
METHODS: dict[str, dict[str, Any]] = {
    "dop853": {}, "dopri5": {"method": "dopri5"}, "rk4": {"method": "rk4", "step": 0.005}, "radau": {"method": "radau"},
    "bdf": {"method": "bdf"}, "lsoda": {"method": "lsoda"}, "cvode": {"method": "cvode"}, "ida": {"method": "ida"},
}  # fmt: skip
"""Options of each method. Those of SUNDIALS need the extra ``stiff``; without it their error is recorded."""

TIMES = np.linspace(0, 1.0, 6)
TORQUE = {"motor": "0.5*sin(3*t) - 0.1*u.crank"}
Case = Callable[[], Any]


def cases() -> Iterator[tuple[str, Case]]:
    """Names and functions."""
    for group in (methods, events, switching, laws, constraints, examples, sweeps, continued, random_systems):
        for name, case in group().items():
            yield f"{group.__name__}: {name}", case


def methods() -> dict[str, Case]:
    """A tree, a free body, a driven system, a loop and a system with extra states by each method."""
    start = {"q": {"upper": 1.0}, "u": {"lower": 0.5}}
    spin = {"u": {"body.wx": 0.1, "body.wy": 1.0, "body.wz": 0.02}}
    found: dict[str, Case] = {}
    for name, how in METHODS.items():
        found |= {
            f"double pendulum, {name}": lambda how=how: systems.double_pendulum().simulate(TIMES, **start, **how),
            f"free body, {name}": lambda how=how: systems.spinning().simulate(TIMES, **spin, **how),
            f"driven, {name}": lambda how=how: systems.oscillator().simulate(
                TIMES, inputs={"push": "cos(2*t) - 0.3*u.cart"}, **how
            ),
            f"slider-crank, {name}": lambda how=how: constrained_systems.slider_crank().simulate(
                TIMES, u={"crank": 2.0}, inputs=TORQUE, **how
            ),
            f"bounces, {name}": lambda how=how: systems.ball().simulate(TIMES, q={"ball": 1.0}, events=[BOUNCE], **how),
        }
    found["backwards"] = lambda: systems.double_pendulum().simulate(TIMES[::-1], **start)
    found["tight"] = lambda: systems.double_pendulum().simulate(TIMES, rtol=1e-12, atol=1e-13, **start)
    found["tolerances by name"] = lambda: systems.double_pendulum().simulate(
        TIMES, rtol={"q.upper": 1e-9}, atol={"u.lower": 1e-6}, first_step=1e-4, max_step=0.05, **start
    )
    found["limit of steps"] = lambda: systems.double_pendulum().simulate(TIMES, max_steps=5, **start)
    return found


BOUNCE = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")


def events() -> dict[str, Case]:
    """Events that only record, several at once, terminal ones, resets of positions and quaternions, Zeno."""
    push = {"inputs": {"push": 0.0}, "u": {"cart": 1.0}}
    turns = [fb.Event("u.cart", name="turn"), fb.Event("q.cart - 0.5", name="half"), fb.Event("sin(7*t)", name="clock")]
    late = fb.Event("t - 0.7", terminal=True, name="late")
    flip = fb.Event("t - 0.5", reset={"q.body.qw": "q.body.qx", "q.body.qx": "-q.body.qw"}, name="flip")
    clear = fb.Event("u.cart", direction=-1, reset={"q.cart": "0.5*q.cart", "u.cart": "-0.1"}, name="clear")
    return {
        "recorded": lambda: systems.oscillator().simulate(np.linspace(0, 8, 9), events=turns, **push),
        "terminal": lambda: systems.oscillator().simulate(TIMES, events=[*turns, late], **push),
        "reset of both": lambda: systems.oscillator().simulate(np.linspace(0, 6, 7), events=[clear], **push),
        "reset of a quaternion": lambda: systems.spinning().simulate(TIMES, u={"body.wz": 1.0}, events=[flip]),
        "Zeno": lambda: systems.ball().simulate(np.linspace(0, 6, 7), q={"ball": 1.0}, events=[BOUNCE]),
        "with forces": lambda: constrained_systems.slider_crank().simulate(
            TIMES, u={"crank": 3.0}, inputs=TORQUE, events=[fb.Event("reaction.pin.force.x", name="pull")]
        ),
    }


def switching() -> dict[str, Case]:
    """Constraints that events engage and release: plastic, with restitution, captured poses, at rest and lifted off."""

    def carts(capture: bool = False) -> fb.System:
        s = fb.System("carts", gravity=(0, 0, 0))
        s.parameter("t_grasp", 0.5)
        a, b = (s.body(n, joint=fb.Prismatic("x"), mass=m) for n, m in (("a", 2.0), ("b", 1.0)))
        s.close(a, b, name="grip", engaged=False, capture=capture)
        return s

    def stone(push: str) -> fb.Trajectory:
        s = fb.System("floor")
        body = s.body("stone", joint=fb.Prismatic("z"), mass=2)
        s.joint_force(body, s.input("push"))
        s.point_on_plane(body, name="contact", engaged=False)
        touch = fb.Event("q.stone", direction=-1, engage="contact", restitution=0.5, rest_speed=0.01, name="touch")
        leave = fb.Event("multiplier.contact", direction=-1, release="contact", name="leave")
        return s.simulate(np.linspace(0, 4, 9), q={"stone": 0.5}, inputs={"push": push}, events=[touch, leave])

    towards: dict[str, Any] = {"q": {"b": 1.0}, "u": {"a": 1.0, "b": -1.0}}
    meet = {e: fb.Event("q.b - q.a", direction=-1, engage="grip", restitution=e, name="meet") for e in (0.0, 0.3, 1.0)}
    grasp_at, release = fb.Event("t - t_grasp", engage="grip", name="grasp"), fb.Event("t - 0.8", release="grip")
    found: dict[str, Case] = {
        f"restitution {e}": lambda e=e: carts().simulate(TIMES, events=[meet[e]], **towards) for e in meet
    }
    for name, how in METHODS.items():
        found[f"captured and released, {name}"] = lambda how=how: carts(True).simulate(
            TIMES, u={"a": 1.0}, q={"b": 0.7}, events=[grasp_at, release], **how
        )
    found["engaged at the start"] = lambda: carts(True).simulate(
        TIMES, u={"a": 1.0}, q={"b": 0.7}, engaged={"grip": True}, events=[release]
    )
    found["at rest and lifted off"] = lambda: stone("where(t > 3, 30*(t - 3), 0)")
    found["two arms"] = lambda: grasp.simulate(grasp.system())
    return found


def laws() -> dict[str, Case]:
    """Inputs as tables, texts with jumps, samples and Python functions; prescribed motions with kinks."""
    s, times = systems.oscillator, np.linspace(0, 2.0, 9)
    table = ([0.0, 0.5, 1.0, 2.0], [0.0, 1.0, -1.0, 0.5])

    def prescribed(motion: object) -> fb.System:
        s = fb.System("driven")
        joint = fb.Revolute("z", motion=motion)
        first = s.body("first", joint=joint, mass=1.0, com=(0.3, 0, 0), inertia=(0, 0.1, 0.1))
        s.body("second", on=first, at=(0.6, 0, 0), joint=fb.Revolute("y"), mass=1.0, com=(0.2, 0, -0.1))
        return s

    return {
        "samples": lambda: s().simulate(times, inputs={"push": table}),
        "cubic table": lambda: s().simulate(times, inputs={"push": fb.table("push", *table, "cubic")}),
        "jumps": lambda: s().simulate(times, inputs={"push": "where(t > 0.7, 1, 0) + floor(3*t)"}),
        "function of time": lambda: s().simulate(times, inputs={"push": lambda t: np.sin(3 * t)}),
        "function of the state": lambda: s().simulate(times, inputs={"push": lambda t, x: -0.5 * x[1]}),
        "function, radau": lambda: s().simulate(times, inputs={"push": lambda t, x: -0.5 * x[1]}, method="radau"),
        "kinks of a motion": lambda: prescribed("0.6*min(t, 0.5) - 0.8*max(t - 1.2, 0)").simulate(times),
        "smooth motion": lambda: prescribed(table).simulate(times),
    }


def constraints() -> dict[str, Case]:
    """Loops by projection, Baumgarte's terms and nothing; dependent rows; many loops; solvers."""
    c = constrained_systems
    names = c.SQUEEZER_NAMES
    start = dict(zip(names, c.SQUEEZER_START, strict=True))
    found: dict[str, Case] = {
        f"squeezer, {name}": lambda name=name: c.squeezer().simulate(
            np.linspace(0, 0.03, 4), q=start, constraints=name, rtol=1e-7, atol=1e-9
        )
        for name in ("projection", "baumgarte", "none")
    }
    found |= {
        "four-bar past its flat position": lambda: c.four_bar().simulate(np.linspace(0, 3, 7), u={"crank": 1.0}),
        "parallel bars": lambda: c.parallel_bars().simulate(TIMES, u={"bar0": 1.0}),
        "particle": lambda: c.particle_pendulum().simulate(np.linspace(0, 5, 6)),
    }
    for solver in ("sparse", "independent", "hinge-forces", "null-space", "compliance"):
        found[f"slider-crank, {solver}"] = lambda solver=solver: (
            c.slider_crank().derive(solver=solver).simulate(TIMES, u={"crank": 2.0}, inputs=TORQUE)
        )
    return found


def examples() -> dict[str, Case]:
    """Robots, machines with loops, flexible bodies, rolling wheels."""
    forces = dict.fromkeys(satellite.system().inputs, 0.1)
    numbers = fb.load(MODELS / "everything.yaml")
    found: dict[str, Case] = {
        "satellite": lambda: satellite.system().simulate(TIMES, inputs=forces),
        "everything": lambda: numbers.simulate(TIMES, inputs=dict.fromkeys(numbers.inputs, 0.2)),
        "bicycle": lambda: bicycle.system().simulate(TIMES, u={"x": 4.6, "roll": 0.5}),
        "four-bar with a motor": lambda: four_bar.system().simulate(TIMES, inputs={"motor": 1.0}),
        "governor": lambda: governor.system(5.0).simulate(TIMES, u={"spindle": 20.0}, inputs={"load": 0.1}),
        "knee": lambda: knee.system().simulate(TIMES, q={"shank.flexion": 1.0}),
        "feedback law": feedback_linearisation.circle,
        "flexible four-bar": lambda: flexible_four_bar.system().simulate(np.linspace(0, 0.02, 5)),
    }
    for name, module in (("ur5", ur5), ("panda", panda), ("solo12", solo12)):
        for formulation in ("kane", "aba", "cheapest"):
            found[f"{name}, {formulation}"] = lambda module=module, formulation=formulation: (
                module.system().derive(formulation).simulate(np.linspace(0, 0.1, 3), **_zeros(module.system()))
            )
    found["rolled chain"] = lambda: _chain(40).derive("aba", rolled=True).simulate(np.linspace(0, 0.2, 3))
    return found


def _zeros(s: fb.System) -> dict[str, Any]:
    return {"inputs": dict.fromkeys(s.inputs, 0.0)}


def _chain(count: int) -> fb.System:
    """Pendulums in a row."""
    s, on = fb.System("chain"), None
    for k in range(count):
        place: dict[str, Any] = {"on": on, "at": (0, 0, -0.3)} if on is not None else {}
        joint = fb.Revolute("y" if k % 2 else "x", initial=0.05 * k, damping=0.01)
        on = s.body(f"link{k}", joint=joint, mass=0.5, com=(0, 0, -0.15), inertia=(0.01, 0.01, 0.001), **place)
    return s


def sweeps() -> dict[str, Case]:
    """Lanes, grids, samples side by side, events, switching, methods without lanes."""
    over = {"q.upper": np.linspace(0.1, 1.5, 5), "m": [0.5, 1.0, 2.0]}
    s, ball = systems.double_pendulum, systems.ball
    forces = dict.fromkeys(satellite.system().inputs, 0.1)
    crank = {"u": {"crank": 2.0}, "inputs": {"motor": 0.1}}
    return {
        "grid": lambda: s().sweep(TIMES, over, record="energy"),
        "side by side": lambda: s().sweep(TIMES, {"q.upper": [0.1, 0.2, 0.3], "l": [0.5, 0.6, 0.7]}, grid=False),
        "dopri5": lambda: s().sweep(TIMES, over, method="dopri5"),
        "rk4": lambda: s().sweep(TIMES, over, method="rk4", step=0.01),
        "radau": lambda: s().sweep(TIMES, {"m": [0.5, 1.0]}, method="radau", q={"upper": 1.0}),
        "bounces": lambda: ball().sweep(TIMES, {"q.ball": [0.3, 0.5, 0.9, 1.2]}, events=[BOUNCE]),
        "a loop": lambda: constrained_systems.slider_crank().sweep(TIMES, {"r": [0.2, 0.25, 0.3]}, **crank),
        "Baumgarte": lambda: constrained_systems.slider_crank().sweep(
            TIMES, {"r": [0.2, 0.25, 0.3]}, constraints="baumgarte", baumgarte=20, **crank
        ),
        "satellite": lambda: satellite.system().sweep(TIMES, {"F1": [0.0, 0.1]}, inputs=forces, record="pose"),
    }


def continued() -> dict[str, Case]:
    """Runs that go on from others, from files too, and what is read between the saved times."""

    def from_file(suffix: str) -> Mapping[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            s = systems.oscillator()
            turn = fb.Event("u.cart", name="turn")
            first = s.simulate(np.linspace(0, 2, 5), u={"cart": 1.0}, inputs={"push": "0.1*t"}, events=[turn])
            loaded = fb.Trajectory.load(first.save(Path(folder) / f"run.{suffix}"))
            again = s.simulate([2.0, 3.0, 4.0], start=loaded, inputs={"push": "0.1*t"}, events=[turn])
            return {"first": first, "loaded": loaded, "continued": again}

    def between() -> Mapping[str, Any]:
        run = systems.ball().simulate(np.linspace(0, 2, 5), q={"ball": 1.0}, events=[BOUNCE])
        crank = constrained_systems.slider_crank().simulate(TIMES, u={"crank": 2.0}, inputs=TORQUE)
        return {"ball": run.at(np.linspace(0, 2, 23)), "slider-crank": crank.at(np.linspace(0, 1, 13))}

    return {"NetCDF": lambda: from_file("nc"), "Parquet": lambda: from_file("parquet"), "between": between}


def random_systems() -> dict[str, Case]:
    """Random trees of every joint, and coupled joints."""
    found: dict[str, Case] = {}
    for seed in range(8):
        tree = random_trees.tree(seed, bodies=3)
        start = random_trees.state(tree)

        def run(tree: random_trees.Tree = tree, start: Any = start) -> fb.Trajectory:
            s = build_system.Builder(tree, fb.System).system
            return s.simulate(np.linspace(0, 0.2, 3), q=start.q, u=start.u, **_zeros(s))

        found[f"tree {seed}"] = run
    for seed in range(3):
        found[f"coupled {seed}"] = lambda seed=seed: _coupled(random_couplings.pair(seed).coupled)
    return found


def _coupled(s: fb.System) -> fb.Trajectory:
    return s.simulate(np.linspace(0, 0.2, 3), **_zeros(s))
