"""Stiff systems that `stiff.py` measures, and tests compare with other methods."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import constraints
import numpy as np

import freebody as fb


@dataclass
class Model:
    """A system with a motion; ``atol`` is over ``rtol``. Sweeps vary a parameter, by default the last state."""

    system: fb.System
    end: float
    options: dict[str, Any] = field(default_factory=dict)
    atol: float = 1.0
    formulation: str | None = None
    varied: str = ""

    def derive(self) -> fb.Equations:
        return self.system.derive(self.formulation) if self.formulation else self.system.derive()


def arm(modes: int) -> Model:
    s = fb.System("arm", gravity=(0, 0, 0))
    motor = s.input("motor")
    beam = fb.Beam(length=2, EI=500, density=3, rayleigh=(0, 0.01))
    link = s.body("arm", joint=fb.Revolute("z"), inertia=(0.5, 0.5, 0.5), flexible=beam, modes=modes)
    s.torque(s.ground.vector((0, 0, motor)), link)
    return Model(s, 1.0, {"inputs": {"motor": "2*sin(3*t)**2"}}, 1e-3)


def two_links() -> Model:
    """Two flexible links with motors under feedback, and a load."""
    s = fb.System("two links", gravity=(0, -9.81, 0))
    on: Any = s.ground
    for name, k, c in (("shoulder", 3e4, 2e3), ("elbow", 1e4, 5e2)):
        beam = fb.Beam(length=1.5, EI=4e4, density=5, damping=0.02)
        link = s.body(name, on=on, joint=fb.Revolute("z"), mass=2.0, inertia=(0.1, 0.1, 0.1), flexible=beam, modes=5)
        goal = "0.8*where(t < 1, t - sin(2*pi*t)/(2*pi), 1)"
        s.joint_force(link, f"-{k}*(q.{name} - {goal}) - {c}*u.{name}")
        on = link.node("tip")
    s.body("load", on=on, mass=10.0, inertia=(0.2, 0.2, 0.2))
    return Model(s, 1.0, {}, 1e-2)


def quarter_car() -> Model:
    """A link on a bushing of 1e7 N/m between the body and a damper; a bump in the road."""
    s = fb.System("quarter car")
    wheel, body, link = (
        s.body(name, joint=fb.Prismatic("z"), mass=mass) for name, mass in (("wheel", 40), ("body", 400), ("link", 0.5))
    )
    bump = fb.exp(-(((s.t - 0.4) / 0.06) ** 2)) * 0.08
    z, w, y = wheel.q[0], body.q[0], link.q[0]
    slip = link.u[0] - wheel.u[0]
    damper = 1500 * slip + 800 * slip * abs(slip)
    bushing = 1e7 * (y - w) + 2e3 * (link.u[0] - body.u[0])
    s.joint_force(wheel, 2e4 * (w - z) - 2e5 * (z - bump) + 440 * 9.81 + damper)
    s.joint_force(body, bushing - 2e4 * (w - z))
    s.joint_force(link, -bushing - damper)
    return Model(s, 2.0, {}, 1e-1)


def car() -> Model:
    """A car brakes to standstill; tyres with regularised slip."""
    s = fb.System("car")
    brake = s.input("brake")
    chassis = s.body("chassis", joint=fb.Free(sequence="321"), mass=1200.0, inertia=(500, 1500, 1700))
    r = 0.3
    for name, x, y in (("fl", 1.2, 0.75), ("fr", 1.2, -0.75), ("rl", -1.4, 0.75), ("rr", -1.4, -0.75)):
        spring = fb.Prismatic("z", stiffness=3e4, rest=-0.11, damping=3e3)
        hub = s.body(f"hub {name}", on=chassis, at=(x, y, -0.2), joint=spring, mass=15.0, inertia=(0.5, 0.5, 0.5))
        wheel = s.body(f"wheel {name}", on=hub, joint=fb.Revolute("y"), mass=25.0, inertia=(0.6, 1.0, 0.6))
        v, deep = s.velocity(hub.origin), r - s.position(hub.origin).dot(s.ground.z)
        load = fb.where(deep > 0, 2e5 * deep - 200 * v.dot(s.ground.z), 0)
        forward, spin = v.dot(chassis.x), wheel.u[0]
        speed = fb.sqrt(forward**2 + 0.01)
        sx, sy = 12 * (forward - r * spin) / speed, 12 * v.dot(chassis.y) / speed
        grip = 0.9 * load / fb.sqrt(1 + sx**2 + sy**2)
        s.force(chassis.vector((-grip * sx, -grip * sy, 0)), at=hub.origin)
        s.force(s.ground.z * load, at=hub.origin)
        s.torque(r * grip * sx, on=wheel, about=hub.y)
        s.torque(-brake * fb.tanh(spin / 0.1), on=wheel, reaction=hub, about=hub.y)
    speeds = {"chassis.vx": 15.0, "chassis.wz": 0.05} | {f"wheel {n}": 50.0 for n in ("fl", "fr", "rl", "rr")}
    return Model(s, 4.0, {"q": {"chassis.z": 0.49}, "u": speeds, "inputs": {"brake": "700*(1 - exp(-t/0.1))"}})


def chain(count: int) -> Model:
    s = fb.System("chain")
    on, at = s.ground, (0.0, 0.0, 0.0)
    for k in range(count):
        on = s.body(
            f"b{k}", on=on, at=at, joint=fb.Revolute("y", stiffness=2e4, damping=50), mass=0.2, com=(0.05, 0, 0),
            inertia=fb.rod(0.2, 0.1, "x"),
        )  # fmt: skip
        at = (0.1, 0, 0)
    return Model(s, 1.0, {}, 1e-2)


def boom() -> Model:
    """A hydraulic cylinder lifts a boom with a load that swings from it."""
    s = fb.System("boom")
    arm = s.body("arm", joint=fb.Revolute("y", damping=200), mass=300, com=(1.5, 0, 0), inertia=fb.rod(300.0, 3.0, "x"))
    s.body(
        "load", on=arm, at=(3, 0, 0), joint=fb.Revolute("y", damping=20), mass=200, com=(0, 0, -0.5), inertia=(5, 5, 5)
    )
    valve = fb.where(s.t < 2, fb.sin(np.pi * s.t / 2) ** 2, 0)
    cylinder = fb.HydraulicCylinder(
        s.ground.point((0.3, 0, -0.8)), arm.point((1.0, 0, -0.1)), area=5e-3, rod_area=3e-3, closed_length=0.6,
        travel=1, valve=valve, supply=20e6, tank=1e5, rated_flow=5.6e-4, bulk_modulus=1.5e9, dead_a=2e-4, dead_b=2e-4,
        leakage=1e-12, initial_a=9e6, initial_b=1e6,
    )  # fmt: skip
    s.add(cylinder, "lift")
    return Model(s, 3.0)


def squeezer() -> Model:
    """Andrews' squeezing mechanism with a spring of 100 times the stiffness, and a damper."""
    s = constraints.squeezer(453_000, 0.053, damping=1e3)
    s.joint_force("k1", *s.parameters(more=0.0))
    return Model(s, 0.03, varied="more")


def mounts() -> Model:
    """An engine with a quaternion on three bushings that stiffen, shaken by its crank."""
    s = fb.System("engine on mounts")
    engine = s.body("engine", joint=fb.Free(), mass=150, inertia=(4, 8, 7))
    for place in ((0.3, 0.25, -0.2), (0.3, -0.25, -0.2), (-0.5, 0, -0.1)):
        at, foot = engine.point(place), s.ground.point(place)
        stretch, rate = s.position(at, of=foot), s.velocity(at)
        for k, axis in ((1e6, s.ground.x), (3e6, s.ground.y), (1e7, s.ground.z)):
            d = stretch.dot(axis)
            s.force(axis * (-k * d * (1 + 1e4 * d**2) - 3e-3 * k * rate.dot(axis)), at=at)
    s.torque(400 * fb.sin(80 * s.t), on=engine, about=engine.x)
    return Model(s, 0.5, {}, 1e-2)


def bounce(stiffness: float) -> Model:
    """A ball on the ground: the contact law of Hunt and Crossley, and friction that is regularised."""
    s = fb.System("bounce")
    slide = s.body("x", joint=fb.Prismatic("x"))
    lift = s.body("z", on=slide, joint=fb.Prismatic("z"))
    ball = s.body("ball", on=lift, joint=fb.Revolute("y"), mass=1, inertia=(4e-3, 4e-3, 4e-3))
    z, rate = lift.q[0], lift.u[0]
    deep = fb.where(z < 0.1, 0.1 - z, 0)
    normal = stiffness * deep * fb.sqrt(deep + 1e-16) * fb.where(rate < 2, 1 - 0.5 * rate, 0)
    friction = -0.4 * normal * fb.tanh((slide.u[0] - 0.1 * ball.u[0]) / 1e-2)
    s.joint_force(lift, normal)
    s.joint_force(slide, friction)
    s.joint_force(ball, -0.1 * friction)
    return Model(s, 1.0, {"q": {"z": 0.3}, "u": {"x": 1.0}})


def train(count: int) -> Model:
    """Wagons with stiff couplers; the first one brakes."""
    s = fb.System("train")
    wagons = [s.body(f"w{k}", joint=fb.Prismatic("x"), mass=2e4 + 100 * (k % 7)) for k in range(count)]
    for front, back in pairwise(wagons):
        gap, rate = back.q[0] - front.q[0], back.u[0] - front.u[0]
        force = 4e8 * gap + 3e10 * gap**3 + 3e6 * rate
        s.joint_force(front, force)
        s.joint_force(back, -force)
    s.joint_force(wagons[0], -2e5 * (1 - fb.exp(-s.t / 0.2)) * fb.tanh(wagons[0].u[0]))
    return Model(s, 3.0, {"u": {f"w{k}": 20.0 for k in range(count)}}, 1e-2, "kane")


MODELS: dict[str, Callable[[], Model]] = {
    "arm, 4 modes": lambda: arm(4),
    "arm, 10 modes": lambda: arm(10),
    "arm, 20 modes": lambda: arm(20),
    "two flexible links": two_links,
    "quarter car": quarter_car,
    "car to standstill": car,
    "hydraulic boom": boom,
    "Andrews with spring": squeezer,
    "engine on mounts": mounts,
    "Hunt-Crossley, 1e6": lambda: bounce(1e6),
    "Hunt-Crossley, 1e9": lambda: bounce(1e9),
    "chain of 10": lambda: chain(10),
    "chain of 50": lambda: chain(50),
    "train of 100": lambda: train(100),
}
