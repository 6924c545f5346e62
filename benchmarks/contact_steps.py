"""Steps of fixed size with contact: robots that stand, move and push, beside MuJoCo.

    python benchmarks/contact_steps.py

prints for each task the processor time of a step of 2 ms, the iterations of Newton's method, the time of a robot where
eight move in lanes, and the times of MuJoCo's solvers with the same URDF, feet and gains (tolerances 1e-6, which do not
mean the same in both; a setting that falls is left out). Below are the operations of the programs, over those of u̇
without contact. The robots are those of example-robot-data where that is installed (see ``machines``): without it Talos
is left out.
"""

import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import machines
import numpy as np

import freebody as fb
from freebody.integrate.integrator import Integrator
from freebody.integrate.steppers import stepper
from freebody.program.count import count
from freebody.run.build import build
from freebody.run.options import RunOptions

STEP, END, ROUNDS = 2e-3, 2.0, 8
FRICTION, DISSIPATION = 0.7, 0.5
AHEAD = ("FL", "HR", "leg_")
"""Joints of these move in phase; the others are half a period behind."""


@dataclass(frozen=True)
class Robot:
    """A robot with spheres as feet (body, place, radius), gains, the angles of its pose, and the amplitudes of its
    motion, both by the end of a joint's name."""

    name: str
    file: str
    feet: list[tuple[str, tuple[float, float, float], float]]
    kp: float
    kd: float
    pose: dict[str, float]
    swing: dict[str, float]
    rate: float
    stiffness: float

    def angle(self, joint: str, table: dict[str, float]) -> float:
        return next((x for end, x in table.items() if joint.endswith(end)), 0.0)

    def phase(self, joint: str) -> float:
        return 0.0 if joint.startswith(AHEAD) else np.pi


LEG = [(-0.4, -0.05), (0.8, 0.1), (-0.4, -0.05)]
SOLES = [(f"leg_{side}_6_link", (x, y, -0.1), 0.005) for side in ("left", "right") for x in (-0.1, 0.1)
         for y in (-0.06, 0.06)]  # fmt: skip
ROBOTS = {
    "Solo12": Robot(
        "Solo12, 4 feet", "Solo12", [(f"{leg}_FOOT", (0, 0, 0), 0.016) for leg in ("FL", "FR", "HL", "HR")], 10.0, 0.3,
        {"UPPER_LEG": 0.8, "LOWER_LEG": -1.6}, {"UPPER_LEG": 0.15, "LOWER_LEG": -0.3}, 2.5, 2e4,
    ),
    "Talos": Robot(
        "Talos, 8 points", "Talos", SOLES, 2000.0, 60.0,
        {f"leg_{side}_{k + 3}_link": x for side in ("left", "right") for k, (x, _) in enumerate(LEG)},
        {f"leg_{side}_{k + 3}_link": x for side in ("left", "right") for k, (_, x) in enumerate(LEG)}, 1.0, 2e5,
    ),
}  # fmt: skip


def stripped(file: Path) -> Path:
    """The URDF without shapes, damping and friction."""
    root = ET.parse(file).getroot()
    for element in root:
        for child in [c for c in element if c.tag in ("visual", "collision", "dynamics")]:
            element.remove(child)
    path = Path(tempfile.mkdtemp()) / "robot.urdf"
    path.write_text(ET.tostring(root, encoding="unicode"))
    return path


def urdf(name: str) -> Path | None:
    there, own, *_ = machines.FILES[name]
    folder = machines.folder()
    if folder is not None:
        return stripped(folder / there)
    return None if name == "Talos" else stripped(machines.OWN / own)


class Task(NamedTuple):
    """A system with its start, and the targets of its joints."""

    system: fb.System
    q: dict[str, float]
    base: str
    targets: dict[str, tuple[float, float, float]]  # angle, amplitude, phase


def task(robot: Robot, file: Path, moves: bool, drives: bool = True) -> Task:
    s: Any = fb.load(file, floating=True, dynamics=False, physical=False)
    material = fb.ContactMaterial(robot.stiffness, DISSIPATION, friction=FRICTION)
    plane = s.ground.plane()
    for k, (body, at, radius) in enumerate(robot.feet):
        s.contact(s.bodies[body].shape(fb.Sphere(radius, at=at)), plane, material=material, name=f"foot{k}")
    targets, q = {}, {}
    for name, body in s.bodies.items():
        if len(body.u) != 1:
            continue
        angle, swing = robot.angle(name, robot.pose), robot.angle(name, robot.swing) * moves
        targets[name], q[name] = (angle, swing, robot.phase(name)), angle
        wave = f" + {swing}*sin({2 * np.pi * robot.rate}*t + {robot.phase(name)})" if swing else ""
        if drives:
            s.joint_force(body, f"{robot.kp}*({angle}{wave} - q.{name}) - {robot.kd}*u.{name}")
    base = next(name for name, body in s.bodies.items() if len(body.u) == 6)
    run = s.simulate([0, 1e-9], q=q, method="contact", step=STEP)
    q[f"{base}.z"] = -min(float(run[f"contact.foot{k}.gap"][0]) for k in range(len(robot.feet)))
    return Task(s, q, base, targets)


def timed(s: fb.System, q: dict[str, float], rounds: int = ROUNDS) -> Iterator[tuple[float, float, np.ndarray]]:
    """Processor time of a step, iterations, and the last state, round after round."""
    e = s.derive().derivation
    compiled = build(e, dict(e.tree.model.parameters))
    sim: Any = s.simulator(q=q, method="contact", step=STEP)
    x0, steps = sim.x, round(END / STEP)
    integrator = stepper(compiled, RunOptions(method="contact", step=STEP), 0.0, x0)
    assert isinstance(integrator, Integrator)
    for _ in range(rounds):
        integrator.restart(x0, 0.0)
        before, clock = integrator.factorisations, time.process_time()
        integrator.advance(END)
        seconds = time.process_time() - clock
        assert integrator.unconverged == 0
        yield seconds / steps, (integrator.factorisations - before) / steps, integrator.x


def in_lanes(t: Task) -> Iterator[float]:
    """Processor time of a robot and a step where eight of them move in the lanes of one core, from different starts."""
    rng, s = np.random.default_rng(0), t.system
    q = {**t.q, f"{t.base}.z": t.q[f"{t.base}.z"] + rng.uniform(0, 0.01, 8)}
    u = {name: rng.normal(size=8) * 0.5 for name in t.targets}
    sims = s.simulators(8, q=q, u=u, method="contact", step=STEP, threads=1)
    start = sims.save()
    for _ in range(ROUNDS):
        sims.restore(start)
        clock = time.process_time()
        sims.run_until(END)
        yield (time.process_time() - clock) / round(END / STEP) / 8


SETTINGS = [
    (solver, cone, integrator)
    for solver, integrator in (("newton", "implicitfast"), ("newton", "euler"), ("cg", "implicitfast"))
    for cone in ("pyramidal", "elliptic")
]
FALLEN = 0.1
"""A robot whose base is that much lower at the end, in m, has fallen."""


def mujoco_spec(file: Path, floating: bool, kp: float, kd: float, setting: tuple[str, str, str]) -> Any:
    """The robot in MuJoCo with position servos, and a floor."""
    import mujoco

    solver, cone, integrator = setting
    root = ET.parse(file).getroot()
    children = {j.find("child").get("link") for j in root.findall("joint")}  # type: ignore[union-attr]
    base = next(k.get("name") for k in root.findall("link") if k.get("name") not in children)
    options = {"fusestatic": "false", "boundmass": "1e-9", "boundinertia": "1e-12", "balanceinertia": "true"}
    ET.SubElement(ET.SubElement(root, "mujoco"), "compiler", strippath="true", **options)
    spec = mujoco.MjSpec.from_string(ET.tostring(root, encoding="unicode"))
    spec.option.timestep, spec.option.tolerance = STEP, 1e-6
    spec.option.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}")
    spec.option.solver = getattr(mujoco.mjtSolver, f"mjSOL_{solver.upper()}")
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    if floating:
        spec.body(base).add_freejoint()
    friction = [FRICTION, 0, 0]
    plane = {"type": mujoco.mjtGeom.mjGEOM_PLANE, "size": [50, 50, 1]}
    spec.worldbody.add_geom(**plane, friction=friction, condim=3, contype=1, conaffinity=2)
    for joint in spec.joints:
        joint.limited = 0
        if joint.type == mujoco.mjtJoint.mjJNT_HINGE:
            servo = spec.add_actuator(name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            servo.gainprm[0], servo.biastype = kp, mujoco.mjtBias.mjBIAS_AFFINE
            servo.biasprm[:3] = [0, -kp, -kd]
    return spec


def ball(spec: Any, body: Any, at: Any, radius: float, touches: tuple[int, int], friction: float = FRICTION) -> None:
    import mujoco

    kind = {"type": mujoco.mjtGeom.mjGEOM_SPHERE, "size": [radius, 0, 0], "pos": list(at), "condim": 3, "mass": 0}
    body.add_geom(**kind, contype=touches[0], conaffinity=touches[1], friction=[friction, 0, 0])


def rolled_out(spec: Any, place: Callable[[Any, Any], None], target: Callable[[str, float], float]) -> Iterator[Any]:
    """Processor time of a step of MuJoCo's rollout, and its last qpos."""
    import mujoco
    import mujoco.rollout

    model = spec.compile()
    data = mujoco.MjData(model)
    place(model, data)
    times = (np.arange(round(END / STEP)) + 1) * STEP
    names = [model.actuator(k).name for k in range(model.nu)]
    control = np.array([[target(name, t) for name in names] for t in times])
    state = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    while True:
        clock = time.process_time()
        states, _ = mujoco.rollout.rollout(model, data, state, np.ascontiguousarray(control[None]))
        yield (time.process_time() - clock) / len(times), states[0, -1, 1 : 1 + model.nq]


def theirs(robot: Robot, file: Path, t: Task, setting: tuple[str, str, str]) -> Iterator[Any]:
    spec = mujoco_spec(file, True, robot.kp, robot.kd, setting)
    for body, at, radius in robot.feet:
        ball(spec, spec.body(body), at, radius, (2, 1))
    bodies = {joint.name: joint.parent.name for joint in spec.joints}

    def place(model: Any, data: Any) -> None:
        data.qpos[:7] = [0, 0, t.q[f"{t.base}.z"], 1, 0, 0, 0]
        for name, body in bodies.items():
            if body in t.targets and model.joint(name).type[0] == 3:
                data.qpos[model.joint(name).qposadr[0]] = t.targets[body][0]

    def target(name: str, time: float) -> float:
        angle, swing, phase = t.targets.get(bodies[name], (0.0, 0.0, 0.0))
        return angle + swing * np.sin(2 * np.pi * robot.rate * time + phase)

    return rolled_out(spec, place, target)


POSE = (0.0, -0.8, 1.9, -2.87, -1.57, 0.0)
BALL, TOOL, GRIP = 0.08, 0.05, 0.5
"""Radii of the ball and of the tool, and friction."""


def pushing(file: Path) -> tuple[fb.System, dict[str, float], np.ndarray]:
    """A UR5 that pushes a ball over the floor with a sphere at its last link."""
    s: Any = fb.load(file, dynamics=False, physical=False)
    joints = [name for name, body in s.bodies.items() if len(body.u) == 1]
    q = dict(zip(joints, POSE, strict=True))
    tool = np.asarray(s.simulate([0, 1e-9], q=q)["pose.wrist_3_link"][0])[:3]
    body = s.body("ball", joint=fb.Free(), mass=0.5, inertia=(0.4 * 0.5 * BALL * BALL,) * 3)
    material = fb.ContactMaterial(2e4, DISSIPATION, friction=GRIP)
    skin = body.shape(fb.Sphere(BALL))
    s.contact(skin, s.ground.plane(), material=material, name="floor")
    s.contact(skin, s.bodies["wrist_3_link"].shape(fb.Sphere(TOOL)), material=material, name="push")
    for k, name in enumerate(joints):
        wave = f" + 0.6*sin({np.pi}*t)" if k == 0 else ""
        s.joint_force(s.bodies[name], f"2000*({q[name]}{wave} - q.{name}) - 100*u.{name}")
    place = tool + np.array([0, BALL + TOOL + 0.01, 0])
    return s, {**q, **dict(zip(("ball.x", "ball.y", "ball.z"), (*place[:2], BALL), strict=True))}, place


def theirs_pushing(file: Path, place: np.ndarray, setting: tuple[str, str, str]) -> Iterator[Any]:
    spec = mujoco_spec(file, False, 2000.0, 100.0, setting)
    spec.geoms[0].friction = [GRIP, 0, 0]
    ball(spec, spec.body("wrist_3_link"), (0, 0, 0), TOOL, (4, 2), GRIP)
    body = spec.worldbody.add_body(name="ball", pos=[*place[:2], BALL], mass=0.5, inertia=[0.4 * 0.5 * BALL**2] * 3)
    body.explicitinertial = True
    body.add_freejoint()
    ball(spec, body, (0, 0, 0), BALL, (2, 5), GRIP)
    names = [joint.name for joint in spec.joints if joint.type == 3]

    def start(model: Any, data: Any) -> None:
        data.qpos[:6] = POSE

    def target(name: str, t: float) -> float:
        k = names.index(name)
        return POSE[k] + (0.6 * np.sin(np.pi * t) if k == 0 else 0.0)

    return rolled_out(spec, start, target)


class Measured(NamedTuple):
    """Smallest processor times of a step: here, of a robot in lanes (NaN where that is not measured), and of MuJoCo by
    setting; and iterations of a step."""

    seconds: float
    iterations: float
    wide: float
    peers: dict[str, float]

    @property
    def fastest(self) -> float:
        return min(self.peers.values(), default=np.nan)


def measured(ours: Iterator[Any], others: dict[str, Iterator[Any]], lanes: Iterator[float] | None) -> Measured:
    """Rounds in turn. Robots of MuJoCo that have fallen are left out."""
    best, peers, wide, total = np.inf, dict.fromkeys(others, np.inf), np.inf, list[float]()
    for seconds, iterations, x in ours:
        best = min(best, seconds)
        total.append(iterations)
        for name, rival in others.items():
            time_of_step, q = next(rival)
            fallen = lanes is not None and not q[2] > x[2] - FALLEN
            peers[name] = np.nan if fallen else min(peers[name], time_of_step)
        wide = np.nan if lanes is None else min(wide, next(lanes))
    return Measured(best, total[-1], wide, {name: x for name, x in peers.items() if np.isfinite(x)})


def operations(s: fb.System) -> str:
    """Of an iteration, over those of u̇ of the model without contact."""
    from freebody.formulations.derivation import Derivation
    from freebody.formulations.recursive import Recursive
    from freebody.run.step_system import free_tree

    e = s.derive().derivation
    steps: Any = build(e, dict(e.tree.model.parameters)).system.contact_steps.value
    plain = Derivation(Recursive(free_tree(e.tree.model, tuple(e.tree.model.contacts))))
    a = plain.assembly("plain")
    a.output("rates", plain.u_dot(a))
    rates, iteration = count(a.program()).total, count(steps.iterate).total
    return f"u̇ {rates}, free {count(steps.free).total}, iteration {iteration} ({iteration / rates:.2f} of u̇)"


def chain(links: int) -> fb.System:
    s: Any = fb.System("chain")
    plane, material = s.ground.plane(), fb.ContactMaterial(1e4, DISSIPATION, friction=FRICTION)
    last: Any = s.ground
    for k in range(links):
        joint = fb.Revolute("z" if k % 2 else "y") if k else fb.Free()
        last = s.body(f"b{k}", on=last, at=(0.2 * (k > 0), 0, 0), joint=joint, mass=1, com=(0.1, 0, 0),
                      inertia=(0.01, 0.02, 0.03))  # fmt: skip
        s.contact(last.shape(fb.Sphere(0.05, at=(0.1, 0, 0))), plane, material=material, name=f"c{k}")
    return s


class Row(NamedTuple):
    """A task with its targets: MuJoCo's time over ours, and the time of a robot in lanes in µs."""

    name: str
    measure: Callable[[], Measured]
    multiple: float
    wide: float


def rows(peers: list[tuple[str, str, str]]) -> Iterator[Row]:
    targets = {"Solo12": (3.5, 0.45), "Talos": (8.0, 0.7)}
    for name, robot in ROBOTS.items():
        file = urdf(name)
        for label, moves in (("stands", False), ("moves", True)) if file is not None else ():
            t = task(robot, file, moves)
            others = {" ".join(setting): theirs(robot, file, t, setting) for setting in peers}
            yield Row(
                f"{robot.name}, {label}", partial(measured, timed(t.system, t.q), others, in_lanes(t)), *targets[name]
            )
    file = urdf("UR5")
    assert file is not None
    s, q, place = pushing(file)
    others = {" ".join(setting): theirs_pushing(file, place, setting) for setting in peers[:2]}
    yield Row("UR5 pushes a ball", partial(measured, timed(s, q), others, None), 8.0, np.nan)


def jobs() -> list[tuple[str, float, float | None, dict[str, Any]]]:
    """The rows of ``make bench``."""
    found = list[tuple[str, float, float | None, dict[str, Any]]]()
    for row in rows(SETTINGS):
        m = row.measure()
        more = {"seconds": {**m.peers, "freebody": m.seconds}, "iterations": m.iterations}
        found.append((f"{row.name}: a step over MuJoCo's fastest", m.seconds / m.fastest, 1 / row.multiple, more))
        if np.isfinite(m.wide):
            found.append((f"{row.name}: µs a robot and step, eight in lanes", 1e6 * m.wide, row.wide, {}))
    return found


JOBS = {"steps with contact": jobs}


def main() -> None:
    for name, robot in ROBOTS.items():
        file = urdf(name)
        if file is None:
            print(f"{robot.name}: left out, example-robot-data is not installed")
            continue
        print(f"{robot.name}, without drives: {operations(task(robot, file, False, drives=False).system)}")
    print(f"chain of 20 links, a contact on each: {operations(chain(20))}")
    for row in rows(SETTINGS if "--alone" not in sys.argv else []):
        m = row.measure()
        in_them = f", in lanes {m.wide * 1e6:.2f}" if np.isfinite(m.wide) else ""
        listed = "; ".join(f"{name} {x * 1e6:.1f}" for name, x in m.peers.items())
        print(f"{row.name}: {m.seconds * 1e6:.2f} µs a step, {m.iterations:.2f} iterations{in_them}; MuJoCo over this"
              f" {m.fastest / m.seconds:.1f} ({listed})", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
