"""Contact as a load in adaptive integrators: Solo12 falls on its feet, and stands.

    python benchmarks/contact.py

prints for several stiffnesses the error of the base after 0.4 s (a fall from 5 cm with 0.5 m/s; against dop853 with
rtol 1e-11), the steps and the time of a run; and how many times faster than real time the robot stands for 10 s under a
PD law, on one core.
"""

import time
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

import freebody as fb

URDF = Path(__file__).parents[1] / "examples" / "robots" / "solo12.urdf"
POSE = {"UPPER_LEG": 0.8, "LOWER_LEG": -1.6}
KP, KD, RADIUS = 10.0, 0.3, 0.016


def solo12(stiffness: float, dissipation: float = 0.5) -> tuple[fb.System, dict[str, float]]:
    """Solo12 with a PD law at each joint and spheres as feet, and its standing pose with the feet at the ground."""
    s: Any = fb.load(URDF, floating=True)
    rubber = fb.ContactMaterial(stiffness, dissipation, friction=0.7, name="rubber")
    pose, feet = {}, [name for name in s.bodies if name.endswith("_FOOT")]
    for name, body in s.bodies.items():
        target = next((angle for part, angle in POSE.items() if name.endswith(part)), 0.0)
        if len(body.q) == 1:
            s.joint_force(body, f"{KP}*({target} - {body.q[0]}) - {KD}*{body.u[0]}")
            pose[str(body.q[0])] = target
    plain = copy(s)
    for foot in feet:
        s.contact(s.bodies[foot].shape(fb.Sphere(RADIUS)), s.ground.plane(), rubber, foot.removesuffix("_FOOT").lower())
    run = plain.simulate([0.0, 1e-6], q=pose)
    lowest = min(run[f"pose.{foot}"][0][2] for foot in feet)
    return s, {**pose, "q.base_link.z": RADIUS - lowest}


def base(run: Any) -> Any:
    return np.array([run[f"q.base_link.{c}"][-1] for c in "xyz"])


def fall(stiffness: float, cases: list[dict[str, Any]], end: float = 0.4) -> list[tuple[float, int, int, float]]:
    """For each way to integrate: the error of the base, steps, rejected steps, and processor time in s."""
    s, pose = solo12(stiffness)
    start: Any = {"q": {**pose, "q.base_link.z": pose["q.base_link.z"] + 0.05}, "u": {"base_link.vx": 0.5}}
    exact = base(s.simulate([0.0, end], **start, method="dop853", rtol=1e-11, atol=1e-13))
    rows = []
    for options in cases:
        best = np.inf
        for _ in range(4):
            clock = time.process_time()
            run = s.simulate([0.0, end], **start, **options)
            best = min(best, time.process_time() - clock)
        error = float(np.linalg.norm(base(run) - exact))
        rows.append((error, run.statistics.steps, run.statistics.rejected, best))
    return rows


def stand(end: float = 10.0, stiffness: float = 2e4, **options: Any) -> tuple[float, int, Any]:
    """How many times faster than real time the robot stands, the steps, and the run."""
    s, pose = solo12(stiffness)
    best, run = np.inf, None
    for _ in range(3):
        clock = time.process_time()
        run = s.simulate([0.0, end], q=pose, **options)
        best = min(best, time.process_time() - clock)
    assert run is not None
    return end / best, run.statistics.steps, run


def main() -> None:
    cases: list[dict[str, Any]] = [
        {"method": "dopri5", "rtol": 1e-3, "atol": 1e-5},
        {"method": "dopri5", "rtol": 1e-4, "atol": 1e-6},
        {"method": "rodas5p", "rtol": 1e-4, "atol": 1e-6},
        {"method": "dop853"},
    ]
    for stiffness in (2e4, 2e6, 2e8):
        for options, (error, steps, rejected, seconds) in zip(cases, fall(stiffness, cases), strict=True):
            method = " ".join(str(v) for v in options.values())
            took = f"{steps} + {rejected} steps, {seconds * 1e3:.2f} ms"
            print(f"Solo12 falls 5 cm, k {stiffness:.0e}, {method}: error {error:.1e} m, {took}", flush=True)
    for options in (
        {"method": "dop853"},
        {"method": "dopri5", "rtol": 1e-3, "atol": 1e-5},
        {"method": "rodas5p", "rtol": 1e-4, "atol": 1e-6},
    ):
        factor, steps, run = stand(**options)
        moved = np.ptp(np.array([run[f"q.base_link.{c}"] for c in "xy"]), axis=1).max()
        print(f"Solo12 stands 10 s, {options}: {factor:.0f} × real time, {steps} steps, moves {moved:.1e} m")


if __name__ == "__main__":
    main()
