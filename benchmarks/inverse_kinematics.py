"""Inverse kinematics of a UR5 and of a floating humanoid with two hands and two feet, over Pink and mink: the same
poses from the same guesses near them, until positions and orientations are within the same tolerance, limits kept.

Pink and mink solve a quadratic program in each step (DAQP); gains and steps are those of full Gauss–Newton steps, with
which they need the fewest. Where they are not installed, a plain loop with Pinocchio takes their place, which keeps no
limits. What is compared with them is a call of a solver that is made once, as their configurations and tasks are.
"""

import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import simulation
import timing

import freebody as fb

ROBOTS = Path(__file__).parent.parent / "examples" / "robots"
TOLERANCE, POSES, STEPS = 1e-6, 50, 50
DISTANCE = 0.1
"""How far (rad) coordinates of guesses are from those of the poses, at most."""

Row = simulation.Row
Solve = Callable[[int], bool]
"""Solves for the pose of this number; whether it is reached."""


class Task:
    """Poses of some bodies of a robot, and guesses near them."""

    def __init__(self, robot: str, bodies: tuple[str, ...], floating: bool, spread: float) -> None:
        self.path, self.bodies, self.floating = ROBOTS / f"{robot}.urdf", bodies, floating
        self.system = fb.load(self.path, floating=floating)
        equations = self.system.derive()
        self.names, rng = equations.q, np.random.default_rng(0)
        joints = {
            spec.names[0][0]: spec.joint.limits for b in self.system.bodies.values() if (spec := b.spec).joint.limits
        }
        low, high = (np.array([joints.get(n, (-np.inf, np.inf))[k] for n in self.names]) for k in (0, 1))
        start, free = equations.assemble().q, np.isfinite(low)
        f = equations.compile()
        self.guesses, self.poses = [], []
        for _ in range(POSES):
            q, guess = start.copy(), start.copy()
            q[free] = np.clip(rng.uniform(-spread, spread, free.sum()), low[free] + 0.01, high[free] - 0.01)
            guess[free] = np.clip(q[free] + rng.uniform(-DISTANCE, DISTANCE, free.sum()), low[free], high[free])
            self.guesses.append(guess)
            self.poses.append({b: f.pose(q, b) for b in bodies})


def ours(task: Task) -> dict[str, Solve]:
    ik = task.system.inverse_kinematics_solver(task.poses[0])

    def through_system(k: int) -> bool:
        return task.system.inverse_kinematics(task.poses[k], q=task.guesses[k], tolerance=TOLERANCE).converged

    def through_solver(k: int) -> bool:
        return ik(task.poses[k], task.guesses[k], tolerance=TOLERANCE).converged

    return {"freebody": through_system, "freebody, solver": through_solver}


def _pinocchio(task: Task) -> tuple[object, list[np.ndarray], list[dict]]:
    """Pinocchio's model, guesses in its order, and poses as its own."""
    import pinocchio as pin

    base = (pin.JointModelFreeFlyer(),) if task.floating else ()
    model = pin.buildModelFromUrdf(str(task.path), *base)
    of_link = {joint.body: name for name, joint in task.system.robot.joints.items()}
    guesses = []
    for guess in task.guesses:
        values, q = dict(zip(task.names, guess, strict=True)), pin.neutral(model)
        if task.floating:
            w, *v = guess[3:7]
            q[:7] = [*guess[:3], *v, w]
        for link, joint in of_link.items():
            if link in values and model.existJointName(joint):
                q[model.joints[model.getJointId(joint)].idx_q] = values[link]
        guesses.append(q)
    return model, guesses, [{b: pin.SE3(p.R, p.p) for b, p in pose.items()} for pose in task.poses]


def _far(errors: list[np.ndarray]) -> bool:
    return max(float(np.abs(e).max()) for e in errors) > TOLERANCE


def pink(task: Task) -> dict[str, Solve]:
    import pink as library
    from pink.tasks import FrameTask

    model, guesses, poses = _pinocchio(task)
    data = model.createData()
    tasks = [FrameTask(b, position_cost=1.0, orientation_cost=1.0, lm_damping=0.0, gain=1.0) for b in task.bodies]

    def solve(k: int) -> bool:
        configuration = library.Configuration(model, data, guesses[k])
        for one in tasks:
            one.set_target(poses[k][one.frame])
        for _ in range(STEPS):
            if not _far([one.compute_error(configuration) for one in tasks]):
                return True
            velocity = library.solve_ik(configuration, tasks, 1.0, solver="daqp", damping=1e-9)
            configuration.integrate_inplace(velocity, 1.0)
        return False

    return {"Pink": solve}


def mink(task: Task) -> dict[str, Solve]:
    import mink as library
    import mujoco

    text = task.path.read_text()
    end = text.index("<link")
    text = text[:end] + '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco>' + text[end:]
    spec = mujoco.MjSpec.from_string(text)
    if task.floating:
        spec.bodies[1].add_freejoint()
    model = spec.compile()
    of_link = {joint.body: name for name, joint in task.system.robot.joints.items()}
    configuration = library.Configuration(model)
    guesses = []
    for guess in task.guesses:
        q = np.array(model.qpos0)
        if task.floating:
            q[:7] = guess[:7]
        for name, x in zip(task.names, guess, strict=True):
            if name in of_link:
                q[model.joint(of_link[name]).qposadr[0]] = x
        guesses.append(q)
    tasks = [library.FrameTask(b, "body", 1.0, 1.0, gain=1.0, lm_damping=0.0) for b in task.bodies]
    poses = [
        {b: library.SE3.from_rotation_and_translation(library.SO3.from_matrix(p.R), p.p) for b, p in pose.items()}
        for pose in task.poses
    ]
    limits = [library.ConfigurationLimit(model)]

    def solve(k: int) -> bool:
        configuration.update(guesses[k])
        for one in tasks:
            one.set_target(poses[k][one.frame_name])
        for _ in range(STEPS):
            if not _far([one.compute_error(configuration) for one in tasks]):
                return True
            velocity = library.solve_ik(configuration, tasks, 1.0, solver="daqp", damping=1e-9, limits=limits)
            configuration.integrate_inplace(velocity, 1.0)
        return False

    return {"mink": solve}


def loop(task: Task) -> dict[str, Solve]:
    """Gauss–Newton steps with Pinocchio's kinematics and NumPy, from Python, without limits."""
    import pinocchio as pin

    model, guesses, poses = _pinocchio(task)
    data, frames = model.createData(), {b: model.getFrameId(b) for b in task.bodies}

    def solve(k: int) -> bool:
        q = guesses[k]
        for _ in range(STEPS):
            pin.computeJointJacobians(model, data, q)
            pin.updateFramePlacements(model, data)
            errors, rows = [], []
            for b, frame in frames.items():
                off = data.oMf[frame].actInv(poses[k][b])
                errors.append(pin.log6(off).vector)
                rows.append(pin.Jlog6(off.inverse()) @ pin.getFrameJacobian(model, data, frame, pin.LOCAL))
            if not _far(errors):
                return True
            J, e = np.concatenate(rows), np.concatenate(errors)
            q = pin.integrate(model, q, J.T @ np.linalg.solve(J @ J.T + 1e-12 * np.eye(len(J)), e))
        return False

    return {"Pinocchio, plain loop": solve}


@cache
def measured(robot: str, bodies: tuple[str, ...], floating: bool, spread: float) -> dict[str, dict]:
    """Nanoseconds a pose of each library that is installed, and the share of poses that it reaches."""
    task, solvers = Task(robot, bodies, floating, spread), dict[str, Solve]()
    for needs, make in ((None, ours), ("pink", pink), ("mink", mink), ("pinocchio", loop)):
        if needs is None or find_spec(needs) is not None:
            solvers |= make(task)
    reached = {name: sum(solve(k) for k in range(POSES)) / POSES for name, solve in solvers.items()}
    rivals = {name: lambda n, solve=solve: [solve(k % POSES) for k in range(n)] for name, solve in solvers.items()}
    times = timing.nanoseconds(rivals, rounds=15, clock=time.thread_time)
    return {name: {**entry, "reached": reached[name]} for name, entry in times.items()}


def rows(label: str, target: float, times: dict[str, dict]) -> list[Row]:
    whole, own = (times[name]["median"] for name in ("freebody", "freebody, solver"))
    shares = {name: t["reached"] for name, t in times.items()}
    table = [(f"inverse kinematics of {label}, µs", whole / 1e3, target, {"nanoseconds": times, "reached": shares})]
    for name, t in times.items():
        if not name.startswith("freebody"):
            goal = 1 / 10 if name in ("Pink", "mink") else None
            share = f", which reaches {t['reached']:.0%}" if t["reached"] < 1 else ""
            table.append(
                (f"inverse kinematics of {label}, over {name}{share}", own / t["median"], goal, {"nanoseconds": times})
            )
    return table


def arm() -> list[Row]:
    return rows("a UR5 pose", 50.0, measured("ur5", ("tool0",), False, 2.0))


def humanoid() -> list[Row]:
    four = ("left_hand", "right_hand", "left_ankle_roll_link", "right_ankle_roll_link")
    return rows("hands and feet of a G1", 2000.0, measured("g1", four, True, 0.4))


JOBS = {"inverse kinematics, UR5": arm, "inverse kinematics, G1": humanoid}

if __name__ == "__main__":
    for job in JOBS.values():
        table = job()
        for name, value, target, _ in table:
            print(f"{name:60} {value:10.4g}   target {target}")
        for name, t in table[0][3]["nanoseconds"].items():
            print(
                f"    {name:30} {t['median'] / 1e3:10.1f} µs   best {t['best'] / 1e3:8.1f}   reached {t['reached']:.0%}"
            )
