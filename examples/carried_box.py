"""A gripper closes on a box, lifts it by friction alone and carries it aside; with slippery pads the box falls.

Printed: the coefficient of friction that the motion needs, from the balance of forces by hand, and for pads around it
how far the box yields and slides in the hand. Drawn: the motion, the height of the box for these pads, the normal
forces of a finger's pads, and sliding.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

MASS, EDGE = 0.4, 0.06  # kg, m: the box
GRIP, OPEN = 15.0, 0.05  # N of each finger; m from the middle, as they are open
LIFT, WAY = 0.2, 0.3  # m
END = 4.0  # s
PADS = 0.5, 0.15, 0.12  # friction: firm, too little for the acceleration, too little for the weight


def ramp(begin: float, end: float) -> str:
    """From 0 to 1, starting and ending without velocity and acceleration."""
    s = f"max(0, min(1, (t - {begin})/{end - begin}))"
    return f"{s}**3*(10 - 15*{s} + 6*{s}**2)"


def system() -> fb.System:
    s = fb.System("gripper")
    s.parameter("mu", PADS[0], "", "friction of the pads")
    aside = fb.Prismatic("x", motion=f"{WAY}*{ramp(1.4, 2.2)}")
    rail = s.body("rail", joint=aside, mass=1.0, shape=fb.Box(0.03, 0.24, 0.03, at=(0, 0, 0.42), color="slategray"))
    column = fb.Box(0.02, 0.02, 0.32, at=(0, 0, 0.26), color="silver")
    up = fb.Prismatic("z", motion=f"{LIFT}*{ramp(0.5, 1.3)}")
    hand = s.body("hand", on=rail, at=(0, 0, EDGE / 2), joint=up, mass=1.0,
                  shape=[fb.Box(0.04, 0.14, 0.02, at=(0, 0, 0.09), color="silver"), column])  # fmt: skip
    pads = [fb.Capsule(0.005, 0.03, axis="x", at=(0, 0, z), name=name) for name, z in (("low", -0.01), ("high", 0.01))]
    opening = {"left": fb.Prismatic("y", initial=-OPEN, limits=(-OPEN, -0.006)), "right": fb.Prismatic("y")}
    fingers = []
    for name, side in (("left", -1), ("right", 1)):
        plate = fb.Box(0.03, 0.006, 0.1, at=(0, side * 0.006, 0.03), color="goldenrod")
        fingers.append(s.body(name, on=hand, joint=opening[name], mass=0.1, shape=[*pads, plate]))
    left, right = fingers
    s.couple(right, to=left, ratio=-1)
    s.joint_stop(left)
    s.joint_force(left, f"{2 * GRIP} - 150*u.left", name="motor")
    box = s.body("box", joint=fb.Free(initial=(0, 0, EDGE / 2, 1, 0, 0, 0)), mass=MASS,
                 inertia=fb.box(MASS, EDGE, EDGE, EDGE), shape=fb.Box(EDGE, EDGE, EDGE, color="steelblue"))  # fmt: skip
    rubber = fb.ContactMaterial(stiffness=1e5, dissipation=0.5, friction="mu", name="rubber")
    for finger in fingers:
        for pad in ("low", "high"):
            s.contact(finger.shape(pad), box, rubber, f"{finger.name}_{pad}")
    s.contact(box, s.ground.plane(), fb.ContactMaterial(stiffness=1e5, dissipation=0.5, friction=0.4), "floor")
    s.output("in hand", s.position(box, hand))
    return s


def needed_friction() -> float:
    """The force on the box along the pads, m (a + g) at its largest, over the normal forces of both fingers."""
    t = np.linspace(0, END, 8001)
    first, second = (np.clip((t - begin) / 0.8, 0, 1) for begin in (0.5, 1.4))
    up, aside = (size * (60 * x - 180 * x**2 + 120 * x**3) / 0.8**2 for size, x in ((LIFT, first), (WAY, second)))
    return float(MASS * np.hypot(aside, up + 9.81).max() / (2 * GRIP))


def simulate(s: fb.System, mu: float) -> fb.Trajectory:
    return s.simulate(np.linspace(0, END, 1601), parameters={"mu": mu}, method="dopri5", rtol=1e-6, atol=1e-8)


def slid(run: fb.Trajectory, begin: float, end: float) -> float:
    """How far the box moves in the hand between two times, in m."""
    before, after = (run["in hand"][int(np.searchsorted(run.t, t))] for t in (begin, end))
    return float(np.linalg.norm(after - before))


def draw(runs: dict[float, fb.Trajectory], path: Path) -> None:
    figure, axes = plt.subplot_mosaic(
        [["motion", "height"], ["motion", "force"], ["motion", "slip"]], figsize=(10, 6), layout="constrained"
    )
    motion, firm = axes["motion"], runs[PADS[0]]
    motion.plot(*firm["pose.box"][:, [0, 2]].T, "--", color="0.6", lw=1)
    for t, dark in ((0.4, 0.35), (1.1, 0.6), (1.8, 0.8), (END, 1.0)):
        at = int(np.searchsorted(firm.t, t))
        x, z = firm["pose.box"][at][[0, 2]]
        left, up = firm["pose.left"][at][[0, 2]]
        motion.add_patch(plt.Rectangle((x - EDGE / 2, z - EDGE / 2), EDGE, EDGE, color="C0", alpha=0.5 * dark, lw=0))
        motion.add_patch(plt.Rectangle((left - 0.015, up - 0.02), 0.03, 0.1, color="goldenrod", alpha=dark, lw=0))
        motion.plot(left + np.array([-0.03, 0.03]), [up + 0.09] * 2, color="0.4", lw=6, alpha=dark)
        motion.text(left, up + 0.105, f"{t:g} s", ha="center")
    motion.axhline(0, color="0.5", lw=1)
    motion.set(aspect="equal", xlim=(-0.08, 0.38), ylim=(-0.01, 0.38), xlabel="x [m]", ylabel="z [m]")
    motion.set_title(f"friction {PADS[0]}")
    for mu, run in runs.items():
        label = f"friction {mu}"
        axes["height"].plot(run.t, run["box.z"], label=label)
        axes["force"].plot(run.t, run["contact.left_low.normal"] + run["contact.left_high.normal"], label=label)
        axes["slip"].plot(run.t, -1e3 * run["in hand"][:, 2], label=label)
    axes["height"].set(title="height of the box", ylabel="m")
    axes["force"].set(title="normal force of a finger", ylabel="N", ylim=(0, 30))
    axes["slip"].set(title="how far the box hangs down in the hand", ylabel="mm", xlabel="t [s]", yscale="symlog")
    axes["height"].legend()
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s = system()
    need = needed_friction()
    print(f"friction needed: {need:.4f} on the way, {MASS * 9.81 / (2 * GRIP):.4f} to hold the box")
    runs = {mu: simulate(s, mu) for mu in PADS}
    for mu, run in runs.items():
        force = sum(run[f"contact.left_{pad}.normal"][-1] for pad in ("low", "high"))
        slip = max(run[f"contact.{side}_{pad}.slip"].max() for side in ("left", "right") for pad in ("low", "high"))
        print(
            f"friction {mu}: the box ends {run['box.z'][-1]:.4f} m high, a finger pushes it with {force:.3f} N; ",
            end="",
        )
        print(f"in the hand it moves by {1e3 * slid(run, 0.4, 1.4):.3f} mm while it is lifted, ", end="")
        print(f"{1e3 * slid(run, 1.4, 2.4):.3f} mm on its way and {1e3 * slid(run, 2.4, END):.1e} mm at rest; ", end="")
        print(f"slides with up to {1e3 * slip:.2g} mm/s; energy error {run.energy_error:.0e}")
    path = Path(folder) / "carried_box.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    runs[PADS[0]].at(np.linspace(0, END, 241)).animate(path.with_suffix(".html"))
    print(f"picture: {path}; motion: {path.with_suffix('.html')}")
    return path


if __name__ == "__main__":
    main()
