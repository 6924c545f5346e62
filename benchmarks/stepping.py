"""Figures of simulators: what a step, a setting and a reading cost from Python, beside MuJoCo and Gymnasium.

    python benchmarks/stepping.py

The cart-pole is the same in all: masses, lengths, inertia, gravity, the step of 20 ms. First the errors of one step are
compared, since methods of different order take it: Runge and Kutta's here and in MuJoCo, implicitfast there, and
Euler's in Gymnasium's cart-poles. Each loop has its policy in Python. Rivals that are not installed are left out.
"""

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import freebody as fb
from freebody.integrate.integrator import Integrator

try:
    import mujoco
    from mujoco import rollout
except ImportError:
    mujoco = None
try:
    import gymnasium
except ImportError:
    gymnasium = None

ROBOTS = Path(__file__).parent.parent / "examples" / "robots"
Row = tuple[str, float, float | None, dict]
DT, N, ROUNDS, STEPS = 0.02, 1024, 25, 500
GAINS = np.array([1.0, 25.0, 2.0, 5.0])
XML = """<mujoco><compiler inertiafromgeom="false"/>
<option timestep="0.02" integrator="{integrator}" gravity="0 0 -9.81"><flag contact="disable" constraint="disable"/>
</option><worldbody><body name="cart"><inertial pos="0 0 0" mass="1" diaginertia="1e-3 1e-3 1e-3"/>
<joint name="slide" type="slide" axis="1 0 0"/><body name="pole"><inertial pos="0 0 0.5" mass="0.1"
diaginertia="0.00834 0.00834 1e-4"/><joint name="hinge" type="hinge" axis="0 1 0"/></body></body></worldbody>
<actuator><motor joint="slide" gear="1"/></actuator></mujoco>"""
RK4: dict[str, Any] = {"method": "rk4", "step": DT}


def pendulum() -> fb.System:
    s = fb.System("pendulum")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1), inertia=(0.01,) * 3)
    s.joint_force(arm, s.input("motor"))
    s.output("tip", s.position(arm.point((0, 0, -1))))
    return s


def panda() -> fb.System:
    s = fb.load(ROBOTS / "panda.urdf")
    for name in [name for name in s.bodies if len(s.bodies[name].q) == 1][:7]:
        s.joint_force(s.bodies[name], s.input(f"tau_{name}"))
    return s


def cart_pole() -> fb.System:
    s = fb.System("cart-pole")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0, inertia=(1e-3,) * 3)
    s.body("pole", on=cart, joint=fb.Revolute("y"), mass=0.1, com=(0, 0, 0.5), inertia=(0.00834, 0.00834, 1e-4))
    s.joint_force(cart, s.input("push"))
    return s


def microseconds(rivals: dict[str, Callable[[int], object]], count: int = STEPS) -> dict[str, float]:
    """Microseconds a repetition, the smallest of interleaved rounds: a loop in Python has no other stable measure."""
    taken: dict[str, list[float]] = {name: [] for name in rivals}
    for f in rivals.values():
        f(count)
    for _ in range(ROUNDS):
        for name, f in rivals.items():
            start = time.perf_counter()
            f(count)
            taken[name].append((time.perf_counter() - start) / count * 1e6)
    return {name: min(times) for name, times in taken.items()}


def alone(sim: Any, dt: float) -> Callable[[int], None]:
    """The compiled integrator with as little around it as possible: f anew in each call, as an input needs it."""

    def loop(count: int) -> None:
        sim.reset()
        sim.step(dt)
        i = sim._motion.stepper
        assert isinstance(i, Integrator)
        at, numbers, words = i._record.layout.offsets, memoryview(i._record.numbers), memoryview(i._record.words)
        entry, address = i._entry, i._record.address
        fresh, budget, end, t = (at[name] for name in ("fresh", "budget", "t_end", "t"))
        for _ in range(count):
            words[fresh], words[budget], numbers[end] = 1, 1000, numbers[t] + dt
            entry(address)

    return loop


def steps() -> list[Row]:
    """``sim.step(1e-3)`` with a controller in Python, over the integration itself."""
    rows: list[Row] = []
    for label, make in (("pendulum", pendulum), ("Panda", panda)):
        for how, options in (("dop853", {}), ("rk4", {"method": "rk4", "step": 1e-3})):
            s = make()
            sims = [s.simulator(**options) for _ in range(3)]
            n = len(sims[0].settable)
            first, second = sims[0].compiled.about.state[0], f"u.{sims[0].compiled.about.state[0][2:]}"
            name = sims[0].settable[0]

            def floats(count: int, sim: Any = sims[0], q: str = first, u: str = second, name: str = name) -> None:
                sim.reset()
                for _ in range(count):
                    sim.set(inputs={name: -4.0 * sim[q] - 0.5 * sim[u]})
                    sim.step(1e-3)

            def arrays(count: int, sim: Any = sims[1], n: int = n) -> None:
                sim.reset()
                for _ in range(count):
                    sim.set(inputs=-0.4 * sim.q[:n] - 0.05 * sim.u[:n])
                    sim.step(1e-3)

            times = microseconds({"floats": floats, "NumPy": arrays, "integration": alone(sims[2], 1e-3)})
            for kind, target in (("floats", 2.0), ("NumPy", 5.0)):
                over = times[kind] - times["integration"]
                more = {"microseconds": times}
                rows.append(
                    (f"sim.step(1e-3), {label}, {how}, controller in {kind}, over integration, µs", over, target, more)
                )
    return rows


def readings() -> list[Row]:
    """Reading a recorded variable of a simulator."""
    sim = pendulum().simulator(q={"arm": 0.3})
    names = ("arm", "motor", "u_dot.arm", "tip", "energy.total", "momentum.angular", "pose.arm", "power.gravity")
    known = [name for name in names if name in sim]

    def read(name: str) -> Callable[[int], None]:
        def loop(count: int) -> None:
            for _ in range(count):
                sim[name]

        return loop

    times = microseconds({name: read(name) for name in known})
    slowest = max(times, key=lambda name: times[name])
    return [
        (
            f"reading a variable of a simulator, the slowest ({slowest}), µs",
            times[slowest],
            3.0,
            {"microseconds": times},
        )
    ]


def settings() -> list[Row]:
    """Other parameters, a reset, a snapshot."""
    sim, values = cart_pole_with_mass().simulator(**RK4), iter(np.linspace(0.1, 0.2, 10_000_000))
    sim.step(DT)

    def parameters(count: int) -> None:
        for _ in range(count):
            sim.set(parameters={"m": float(next(values))})

    def resets(count: int) -> None:
        for _ in range(count):
            sim.reset(q={"pole": 0.1})

    def saves(count: int) -> None:
        for _ in range(count):
            sim.restore(sim.save())

    times = microseconds({"parameters": parameters, "resets": resets, "saves": saves}, 50)
    names = {"parameters": "sim.set(parameters=…)", "resets": "sim.reset(q=…)", "saves": "sim.save() and restore"}
    return [(f"{names[kind]}, cart-pole, µs", value, None, {}) for kind, value in times.items()]


def cart_pole_with_mass() -> fb.System:
    s = fb.System("cart-pole with a parameter")
    m = s.parameter("m", 0.1)
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.body("pole", on=cart, joint=fb.Revolute("y"), mass=m, com=(0, 0, 0.5), inertia=(0.00834, 0.00834, 1e-4))
    s.joint_force(cart, s.input("push"))
    return s


def in_mujoco(integrator: str) -> tuple[Any, Any]:
    m = mujoco.MjModel.from_xml_string(XML.format(integrator=integrator))
    return m, mujoco.MjData(m)


def errors() -> dict[str, float]:
    """The largest error of a state after one step, by method."""
    q, u, push, s = np.array([0.0, 0.05]), np.array([0.1, -0.2]), 1.3, cart_pole()
    exact = s.simulator(q=q, u=u, inputs=[push], rtol=1e-13, atol=1e-14)
    exact.step(DT)
    found = {}
    for name, options in (("freebody rk4", RK4), ("freebody dop853", {})):
        sim = s.simulator(q=q, u=u, inputs=[push], **options)
        sim.step(DT)
        found[name] = float(np.abs(sim.x - exact.x).max())
    for integrator in ("RK4", "implicitfast", "Euler") if mujoco else ():
        m, d = in_mujoco(integrator)
        d.qpos[:], d.qvel[:], d.ctrl[:] = q, u, push
        mujoco.mj_step(m, d)
        found[f"MuJoCo {integrator}"] = float(np.abs(np.concatenate([d.qpos, d.qvel]) - exact.x).max())
    x_dot = (exact_rate := s.simulator(q=q, u=u, inputs=[push]))["u_dot.cart"], exact_rate["u_dot.pole"]
    euler = np.concatenate([q + DT * u, u + DT * np.array(x_dot)])  # explicit, as Gymnasium's cart-pole takes it
    found["explicit Euler, as in Gymnasium"] = float(np.abs(euler - exact.x).max())
    return found


def one_cart_pole() -> list[Row]:
    """A cart-pole with a policy in Python floats, beside MuJoCo's step."""
    if mujoco is None:
        return []
    a, b, c, e = GAINS.tolist()
    sim = cart_pole().simulator(q={"pole": 0.05}, **RK4)

    def ours(count: int) -> None:
        sim.reset()
        for _ in range(count):
            sim.set(inputs={"push": a * sim["cart"] + b * sim["pole"] + c * sim["u.cart"] + e * sim["u.pole"]})
            sim.step(DT)

    def theirs(integrator: str) -> Callable[[int], None]:
        m, d = in_mujoco(integrator)
        q, v, ctrl, step = d.qpos, d.qvel, d.ctrl, mujoco.mj_step

        def loop(count: int) -> None:
            mujoco.mj_resetData(m, d)
            q[1] = 0.05
            for _ in range(count):
                ctrl[0] = a * q[0] + b * q[1] + c * v[0] + e * v[1]
                step(m, d)

        return loop

    times = microseconds({"freebody rk4": ours, "RK4": theirs("RK4"), "implicitfast": theirs("implicitfast")}, 4000)
    more = {"microseconds": times, "error of a step": errors()}
    return [
        (
            f"cart-pole from Python, time of rk4 over MuJoCo's {name}",
            times["freebody rk4"] / times[name],
            1 / least,
            more,
        )
        for name, least in (("RK4", 3.0), ("implicitfast", 1.1))
    ]


def many_cart_poles() -> list[Row]:
    """1024 cart-poles: a policy in NumPy between the steps; a row of given inputs beside MuJoCo's ``rollout``."""
    start = np.random.default_rng(0).uniform(-0.05, 0.05, (N, 2))
    one, two = (cart_pole().simulators(N, q=start, threads=threads, **RK4) for threads in (1, 2))

    def policy(sims: Any) -> Callable[[int], None]:
        def loop(count: int) -> None:
            sims.reset()
            for _ in range(count):
                sims.set(inputs=(sims.x @ GAINS)[:, None])
                sims.step(DT)

        return loop

    rivals = {"one thread": policy(one), "two threads": policy(two)}
    pushes = np.random.default_rng(1).uniform(-1, 1, (N, 50, 1))

    def held(count: int) -> None:
        two.reset()
        for k in range(count):
            two.set(inputs=pushes[:, k])
            two.step(DT)

    rivals["inputs that are given"] = held
    if mujoco is not None:
        m, _ = in_mujoco("RK4")
        data = [mujoco.MjData(m) for _ in range(2)]
        states = np.hstack([np.zeros((N, 1)), start, np.zeros((N, 2))])
        pool = rollout.Rollout(nthread=2)
        rivals["rollout"] = lambda count: pool.rollout(m, data, states, pushes[:, :count])
    times = {name: t / N for name, t in microseconds(rivals, 50).items()}
    best = min(times["one thread"], times["two threads"])
    rows: list[Row] = [
        ("1024 cart-poles, rk4, policy in NumPy, a world and step, µs", best, 0.12, {"microseconds": times})
    ]
    if "rollout" in times:
        ratio = times["inputs that are given"] / times["rollout"]
        rows.append(
            (
                "1024 cart-poles, rk4, time over MuJoCo's rollout, two threads each",
                ratio,
                1 / 3,
                {"microseconds": times},
            )
        )
    return rows


def environments() -> list[Row]:
    """1024 environments beside Gymnasium's vectorised cart-pole, which takes one step of Euler's method in NumPy."""
    if gymnasium is None:
        return []
    from freebody.gym import Env, VectorEnv

    task: dict[str, Any] = {
        "observation": ["q.cart", "q.pole", "u.cart", "u.pole"], "reward": 1.0, "terminated": "abs(q.pole) > 0.2095",
        "actions": {"push": (-10, 10)}, "start": dict.fromkeys(("q.cart", "q.pole", "u.cart", "u.pole"), (-0.05, 0.05)),
        "dt": DT, "max_time": 10.0, **RK4,
    }  # fmt: skip
    ours, one = VectorEnv(cart_pole(), N, **task), Env(cart_pole(), **task)
    theirs = gymnasium.make_vec("CartPole-v1", num_envs=N, vectorization_mode="vector_entry_point")
    single = gymnasium.make("CartPole-v1").unwrapped

    def go(envs: Any, act: Callable[[Any], Any]) -> Callable[[int], None]:
        def loop(count: int) -> None:
            seen, _ = envs.reset(seed=0)
            for _ in range(count):
                seen, *_ = envs.step(act(seen))

        return loop

    rivals = {
        "freebody": go(ours, lambda x: (x @ GAINS)[:, None]),
        "Gymnasium": go(theirs, lambda x: (x @ GAINS[[0, 2, 1, 3]] > 0).astype(int)),
    }
    pair = {"freebody": go(one, lambda x: np.array([GAINS @ x])), "Gymnasium": go(single, lambda x: int(x[2] > 0))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        times, alone = microseconds(rivals, 100), microseconds(pair, 100)
    more = {"microseconds a step of all": times, "one environment": alone, "error of a step": errors()}
    return [
        (
            "1024 environments, rk4, time over Gymnasium's cart-poles (Euler)",
            times["freebody"] / times["Gymnasium"],
            1 / 0.6,
            more,
        )
    ]


JOBS = {
    "steps from Python": steps, "reading simulators": readings, "setting simulators": settings,
    "one cart-pole": one_cart_pole, "many cart-poles": many_cart_poles, "environments": environments,
}  # fmt: skip

if __name__ == "__main__":
    for name, error in errors().items():
        print(f"error of one step of 20 ms, {name}: {error:.1e}")
    for job in JOBS.values():
        for name, value, target, more in job():
            print(f"{name}: {value:.3g}" + (f" (at most {target:.3g})" if target else ""))
            for key, numbers in more.items():
                if key.startswith(("micro", "one")):
                    print("    ", key, {k: round(v, 3) for k, v in numbers.items()})
