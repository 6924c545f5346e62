"""Figures of the recursive dynamics on robots: operations and times of the cheapest programs, beside Pinocchio.

The robots are those of example-robot-data where that package is installed (pip install example-robot-data, or its
folder of robots named by FREEBODY_ROBOTS), else the project's own files, for which the targets are only a guide.
Pinocchio (the wheel: a generic build) is called from Python; what its call costs is measured on a pendulum and taken
off.
FREEBODY_EFFORT (default 1; 3 looks longest) is the effort of the search.
"""

import os
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import timing

import freebody as fb
from freebody.backends import Function

Row = tuple[str, float, float | None, dict]
EFFORT = int(os.environ.get("FREEBODY_EFFORT", "1"))
OWN = Path(__file__).parent.parent / "examples" / "robots"
ROBOTS = {
    "UR5": ("ur_description/urdf/ur5_robot.urdf", "ur5.urdf", False, ()),
    "Panda": ("panda_description/urdf/panda.urdf", "panda.urdf", False,
              ("panda_finger_joint1", "panda_finger_joint2")),
    "Solo12": ("solo_description/robots/solo12.urdf", "solo12.urdf", True, ()),
    "Talos": ("talos_data/robots/talos_reduced.urdf", "g1.urdf", True, ()),
}  # fmt: skip
COUNTS = {  # forward, forward by default effort, inverse, mass matrix
    "UR5": (424, 500, 265, 141), "Panda": (1014, 1150, 552, 330), "Solo12": (2290, 2700, 1126, 533),
    "Talos": (7570, 8100, 3480, 3140),
}  # fmt: skip
TIMES = {"UR5": (1 / 13, 1 / 80), "Panda": (1 / 9, 1 / 50), "Solo12": (1 / 8, 1 / 40), "Talos": (1 / 5.5, 1 / 35)}


def folder() -> Path | None:
    """Where example-robot-data keeps its robots."""
    named = os.environ.get("FREEBODY_ROBOTS")
    if named:
        return Path(named)
    spec = find_spec("example_robot_data")
    if spec is None or spec.origin is None:
        return None
    for up in Path(spec.origin).parents:
        found = up / "share" / "example-robot-data" / "robots"
        if found.is_dir():
            return found
    return None


def load(name: str) -> tuple[fb.System, Path]:
    there, own, floating, lock = ROBOTS[name]
    robots = folder()
    file = robots / there if robots is not None else OWN / own
    locked = {"lock": dict.fromkeys(lock, 0.0)} if lock and robots is not None else {}
    return fb.load(file, floating=floating, dynamics=False, **locked), file


def counting(name: str) -> list[Row]:
    """Operations, and seconds to derive."""
    system, file = load(name)
    full, default, inverse, mass = COUNTS[name]
    start = time.perf_counter()
    eq = system.derive("cheapest", effort=EFFORT)
    ops = eq.operations["forward_dynamics"]
    seconds = time.perf_counter() - start
    more = {"file": file.name, "effort": EFFORT, "seconds to derive": seconds, "operations": str(ops)}
    target = default if EFFORT < 2 else full
    return [
        (f"{name}: operations of forward dynamics, effort {EFFORT}", ops.total, target, more),
        (f"{name}: operations of inverse dynamics", eq.operations["inverse_dynamics"].total, inverse, {}),
        (f"{name}: operations of the mass matrix", eq.operations["mass_matrix"].total, mass, {}),
    ]


def running(name: str) -> list[Row]:
    """Forward dynamics, one state and 8 wide, over Pinocchio's ABA."""
    import pinocchio as pin

    system, file = load(name)
    f = system.derive("cheapest", effort=EFFORT).compile().function("forward_dynamics")
    model = _reduced(pin, file, ROBOTS[name][2], ROBOTS[name][3])
    single, many = model, _pendulum(pin)
    rivals: dict[str, Callable[[int], None]] = {
        "freebody": _alone(f), "batch": _batch(f), "Pinocchio": _aba(pin, single), "its call": _aba(pin, many),
    }  # fmt: skip
    times = timing.nanoseconds(rivals)
    theirs = times["Pinocchio"]["median"] - times["its call"]["median"]
    one, wide = TIMES[name]
    alone, row = times["freebody"]["median"] / theirs, times["batch"]["median"] / BATCH / theirs
    return [
        (f"{name}: forward dynamics, time over Pinocchio's ABA", alone, one, {"nanoseconds": times}),
        (f"{name}: the same, a state in a batch", row, wide, {}),
    ]


BATCH = 4096


def _arrays(f: Function, rows: int | None) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    made = {}
    for g in f.staged.main.groups:
        shape = (g.size,) if rows is None or g.fixed else (rows, g.size)
        made[g.name] = timing.aligned(shape, rng.normal(size=shape))
    made |= {**f.parameters, "hoisted": f.hoisted}
    q = made["q"].reshape(-1, made["q"].shape[-1])
    if "tau" in made and q.shape[1] > made["tau"].shape[-1]:
        q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
    return made


def _alone(f: Function) -> Callable[[int], None]:
    arrays = _arrays(f, None)
    given = [arrays[g.name] for g in f.staged.main.groups] + [timing.aligned((o.size,)) for o in f.program.outputs]
    run = timing.loop(f.main.library.address("run"), given)
    run.kept = given  # type: ignore[attr-defined]
    return run


def _batch(f: Function) -> Callable[[int], None]:
    arrays = _arrays(f, BATCH)
    given = [arrays[g.name] for g in f.staged.main.groups]
    out = [timing.aligned((BATCH, o.size)) for o in f.program.outputs]

    def run(n: int) -> None:
        for _ in range(n):
            f.main.run_batch(BATCH, given, out)

    return run


def _reduced(pin: object, file: Path, floating: bool, lock: tuple[str, ...]) -> object:
    joint = (pin.JointModelFreeFlyer(),) if floating else ()  # type: ignore[attr-defined]
    model = pin.buildModelFromUrdf(str(file), *joint)  # type: ignore[attr-defined]
    there = [model.getJointId(j) for j in lock if model.existJointName(j)]
    return pin.buildReducedModel(model, there, pin.neutral(model)) if there else model  # type: ignore[attr-defined]


def _pendulum(pin: object) -> object:
    """The smallest model there is: what remains of a call to it is the call."""
    model = pin.Model()  # type: ignore[attr-defined]
    joint = model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "hinge")  # type: ignore[attr-defined]
    model.appendBodyToJoint(joint, pin.Inertia.Random(), pin.SE3.Identity())  # type: ignore[attr-defined]
    return model


def _aba(pin: object, model: object) -> Callable[[int], None]:
    data, q = model.createData(), pin.neutral(model)  # type: ignore[attr-defined]
    v, tau, aba = np.ones(model.nv), np.ones(model.nv), pin.aba  # type: ignore[attr-defined]

    def run(n: int) -> None:
        for _ in range(n):
            aba(model, data, q, v, tau)

    return run


JOBS: dict[str, Callable[[], list[Row]]] = {}
for _name in ROBOTS:
    JOBS[f"operations of {_name}"] = lambda name=_name: counting(name)
    if find_spec("pinocchio") is not None:
        JOBS[f"time of {_name}"] = lambda name=_name: running(name)


if __name__ == "__main__":
    from mechanics import show

    for job in JOBS.values():
        for row in job():
            show(*row)
